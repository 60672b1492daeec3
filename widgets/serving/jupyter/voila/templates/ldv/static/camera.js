/* Nearer to a board that fits its place: Ctrl and wheel, two fingers, the keys + − 0, its buttons; once nearer, the map
   is dragged. A gesture moves what is drawn already; at its end the kernel draws the view it came to. The page itself
   scrolls as ever. */
(function () {
  "use strict";
  const STEP = 1.4, SLACK = 6, SMALL = 30;  // of a button or key; pixels before a press is a drag; hexes that ask for more
  const WAIT = 4000, CALM = 140;  // milliseconds: for the kernel; after the last turn of a wheel
  const ICONS = {
    nearer: "M12 5v14M5 12h14", farther: "M5 12h14",
    whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", home: "M4 7h16v10H4zM9 12h6",
  };
  const known = window.ldvCameras || (window.ldvCameras = new WeakSet());  // a notebook brings this with each page it shows
  const limits = (value, least, most) => Math.min(most, Math.max(least, value));

  function icon(name) {
    return `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  }

  class Camera {
    constructor(canvas) {
      this.canvas = canvas;
      this.frame = canvas.closest(".ldv-board-window");
      this.fingers = new Map();
      this.gesture = null;  // what is under way: at, to (pixels of the canvas on the page), factor
      [this.waits, this.next] = [0, null];
      this.pressed = null;  // a press that may become a drag
      this.make();
      this.listen();
      this.show();
    }

    get board() { return this.canvas.ldv.board() || {}; }

    get facts() { return this.board.camera || {}; }

    /* --- what is laid over the map --- */
    make() {
      for (const old of this.frame.querySelectorAll(":scope > .ldv-camera, :scope > .ldv-overview")) old.remove();
      this.bar = document.createElement("div");
      this.bar.className = "ldv-camera";
      const press = (name, label, action) => {
        const made = document.createElement("button");
        made.type = "button";
        made.innerHTML = icon(name);
        made.addEventListener("click", action);
        this.bar.append(made);
        this.name(made, label);
        return made;
      };
      const middle = () => [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
      const step = (factor) => this.look({ factor, at: middle(), to: middle() });
      this.nearer = press("nearer", "Plus près", () => step(STEP));
      this.farther = press("farther", "Plus loin", () => step(1 / STEP));
      this.back = press("whole", "Vue d’ensemble", () => this.turn());
      this.step = step;
      this.map = document.createElement("div");
      this.map.className = "ldv-overview";
      this.map.setAttribute("aria-hidden", "true");
      this.seen = document.createElement("div");
      this.map.append(this.seen);
      this.map.addEventListener("pointerdown", (event) => this.jump(event));
      this.frame.append(this.map, this.bar);
    }

    name(button, label) {
      button.title = label;
      button.setAttribute("aria-label", label);
    }

    show() {
      const { reach, corner, all, width, height } = this.board, { cropped, home, framed } = this.facts;
      if (!reach || !this.board.camera) return;
      const asked = cropped || framed || reach < SMALL;
      this.bar.hidden = !asked;
      this.farther.hidden = !cropped;
      const back = cropped && !home, whole = home && framed;
      this.back.hidden = !(back || whole);
      this.back.innerHTML = icon(back && framed ? "home" : "whole");
      this.name(this.back, back && framed ? "Retour au cadre" : "Vue d’ensemble");
      this.frame.classList.toggle("is-nearer", Boolean(cropped));
      this.map.hidden = !cropped;
      if (!cropped) { this.bar.classList.remove("is-column"); this.stand(); return; }
      const k = Math.min(this.frame.clientWidth * 0.24, 140) / Math.max(all[0], 1.2 * all[1]);
      const ground = this.canvas.ldv.ground(), sides = [0, 1].map((i) => [corner[i], corner[i] + [width, height][i]]);
      const [[left, right], [top, bottom]] = sides.map((ends, i) => ends.map((v) => limits(v, 0, all[i]) * k));
      Object.assign(this.map.style, {
        width: `${all[0] * k}px`, height: `${all[1] * k}px`, backgroundImage: ground ? `url("${ground.src}")` : "none",
      });
      Object.assign(this.seen.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
      this.aside(this.map);
      if (home && !this.beside()) this.aside(this.bar);  // from there on they stay under the finger
    }

    /* Where the place of a board is wider than its map by a column of buttons, they are one there, and cover nothing. */
    beside() {
      const { canvas, bar, map, frame } = this, { all, corner, width } = this.board, [button] = bar.children;
      const tall = [...bar.children].filter((one) => !one.hidden).length * (button.offsetHeight + 6) + map.offsetHeight;
      const free = (width - all[0] + corner[0]) * (canvas.clientWidth / width);
      const fits = free >= button.offsetWidth + 6 && tall + 12 <= frame.clientHeight;
      bar.classList.toggle("is-column", fits);
      if (fits) bar.classList.remove("is-left");
      return fits;
    }

    /* The buttons of a whole board are where they hide the least of it, a counter or a hex of the question counting most;
       once it is nearer they stay under the finger. */
    stand() {
      const { canvas, bar, frame } = this, { cells, reach, width, counters = [], camera } = this.board, k = canvas.clientWidth / width;
      const telling = new Set([...counters, ...(camera?.named || [])]);
      const y = frame.clientHeight - bar.offsetHeight;
      const hidden = (x) => Object.entries(cells).reduce((sum, [name, cell]) => {
        const [u, v] = [canvas.offsetLeft + k * cell[0], canvas.offsetTop + k * cell[1]];
        const away = Math.hypot(Math.max(x - u, 0, u - x - bar.offsetWidth), Math.max(y - v, 0, v - y - bar.offsetHeight));
        return sum + Math.max(0, k * reach - away) * (telling.has(name) ? 9 : 1);
      }, 0);
      bar.classList.toggle("is-left", hidden(0) < hidden(frame.clientWidth - bar.offsetWidth) - 1);
    }

    /* What lies over the map goes to the side where it hides fewer hexes of the question, else fewer counters. */
    aside(part) {
      part.classList.toggle("is-left", this.hides(part, "right") > this.hides(part, "left"));
    }

    hides(part, side) {
      const { width, height, cells, camera, counters = [] } = this.board, across = part.offsetWidth + 20, down = part.offsetHeight + 20;
      const hidden = (names) => names.filter((cell) => {
        const [x, y] = cells[cell] || [-1, -1];
        return (part === this.map ? y < down && y > 0 : y > height - down && y < height)
          && (side === "right" ? x > width - across && x < width : x < across && x > 0);
      }).length;
      return 99 * hidden(camera.named || []) + hidden(counters);
    }

    jump(event) {
      event.preventDefault();
      event.stopPropagation();
      const { all, corner } = this.board, box = this.map.getBoundingClientRect();
      const at = [event.clientX - box.left, event.clientY - box.top].map((v, i) => (v * all[i]) / [box.width, box.height][i] - corner[i]);
      const k = this.canvas.clientWidth / this.board.width;
      this.look({ factor: 1, at: at.map((v) => v * k), to: [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2] });
    }

    turn() {
      this.send({ look: this.facts.home ? "whole" : "home" });
    }

    /* --- gestures --- */
    listen() {
      const frame = this.frame, on = (name, action, options) => frame.addEventListener(name, action, options);
      on("wheel", (event) => this.wheel(event), { capture: true, passive: false });
      on("keydown", (event) => this.key(event), true);
      on("pointerdown", (event) => this.down(event), true);
      on("mousedown", (event) => this.hold(event), true);
      on("touchmove", (event) => { if (this.gesture) event.preventDefault(); }, { capture: true, passive: false });
      addEventListener("pointermove", (event) => this.move(event));
      addEventListener("pointerup", (event) => this.up(event));
      addEventListener("pointercancel", (event) => this.up(event, true));
      document.addEventListener("ldv-boards", () => { if (this.canvas.isConnected) this.show(); });
      document.addEventListener("ldv-looked", ({ detail }) => {
        if (this.waits && detail === this.canvas.ldv.id) this.settle();  // one that comes too late ends no other gesture
      });
    }

    place(x, y) {
      const box = this.box || this.canvas.getBoundingClientRect();
      return [x - box.left, y - box.top];
    }

    wheel(event) {
      if (!event.ctrlKey || !this.board.camera) return;
      event.preventDefault();
      if (this.waits) return;
      const at = this.place(event.clientX, event.clientY);
      const factor = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002));
      this.begin();
      const before = this.gesture || { factor: 1, at, to: at };
      this.draw({ ...before, factor: limits(before.factor * factor, 0.1, 10) });
      clearTimeout(this.calm);
      this.calm = setTimeout(() => this.finish(), CALM);
    }

    key(event) {
      if (event.target !== this.canvas || event.ctrlKey || event.metaKey || event.altKey || !this.board.camera) return;
      if (!"+=-0".includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.typed(event.key);
    }

    /* One after the other: a key that comes before the kernel has drawn what the last one asked for waits for it. */
    typed(key) {
      if (this.waits) { this.next = key; return; }
      if (key === "0") this.turn();
      else this.step(key === "-" ? 1 / STEP : STEP);
    }

    down(event) {
      if (event.target !== this.canvas || !this.board.camera || this.waits) return;
      if (event.pointerType === "touch") {
        this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
        if (this.fingers.size === 2) { this.pressed = null; this.pinch(); return; }
      }
      if (this.fingers.size > 1 || event.button !== 0 || !this.facts.cropped || this.canvas.ldv.movable(event)) return;
      this.pressed = { id: event.pointerId, x: event.clientX, y: event.clientY, touch: event.pointerType === "touch" };
    }

    /* A press on the map waits: it is a click only where it ends. A finger's click comes by itself. */
    hold(event) {
      if (!this.pressed || this.pressed.touch || event.target !== this.canvas) return;
      event.stopPropagation();
      event.preventDefault();
    }

    pinch() {
      const [a, b] = [...this.fingers.values()];
      this.begin();
      const middle = this.place((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      this.spread = { distance: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1, at: middle };
      this.draw({ factor: 1, at: middle, to: middle });
    }

    move(event) {
      if (!this.canvas.isConnected) return;
      if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (this.spread && this.fingers.size === 2) {
        const [a, b] = [...this.fingers.values()];
        const factor = Math.hypot(a[0] - b[0], a[1] - b[1]) / this.spread.distance;
        this.draw({ factor, at: this.spread.at, to: this.place((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) });
      } else if (this.pressed && event.pointerId === this.pressed.id) {
        const { x, y } = this.pressed;
        if (!this.gesture && Math.hypot(event.clientX - x, event.clientY - y) < SLACK) return;
        this.begin();
        this.draw({ factor: 1, at: this.place(x, y), to: this.place(event.clientX, event.clientY) });
      }
    }

    up(event, cancelled = false) {
      this.fingers.delete(event.pointerId);
      const pressed = this.pressed && event.pointerId === this.pressed.id ? this.pressed : null;
      if (pressed) this.pressed = null;
      if (this.gesture && (pressed || (this.spread && this.fingers.size < 2))) { this.finish(); return; }
      if (!pressed || pressed.touch || cancelled) return;
      for (const kind of ["mousedown", "mouseup"]) {  // it was a click after all
        this.canvas.dispatchEvent(new MouseEvent(kind, { bubbles: true, clientX: pressed.x, clientY: pressed.y, button: 0 }));
      }
    }

    /* --- what a gesture shows: everything that is drawn, and the ground beyond what is seen --- */
    begin() {
      if (this.box) return;
      this.box = this.canvas.getBoundingClientRect();
      const ground = this.canvas.ldv.ground(), { corner, all, width, margin, ground: { beyond } = {} } = this.board;
      if (!ground) return;
      const k = this.box.width / width, out = margin - beyond;
      this.under = document.createElement("div");
      this.under.className = "ldv-camera-ground";
      Object.assign(this.under.style, {
        left: `${this.canvas.offsetLeft + k * (out - corner[0])}px`, top: `${this.canvas.offsetTop + k * (out - corner[1])}px`,
        width: `${k * (all[0] - 2 * out)}px`, height: `${k * (all[1] - 2 * out)}px`, backgroundImage: `url("${ground.src}")`,
        transformOrigin: `${k * (corner[0] - out)}px ${k * (corner[1] - out)}px`,
      });
      this.frame.prepend(this.under);
      this.canvas.style.backgroundImage = "none";
    }

    draw(gesture) {
      this.gesture = gesture;
      const { factor, at, to } = gesture;
      const transform = `translate(${to[0] - factor * at[0]}px, ${to[1] - factor * at[1]}px) scale(${factor})`;
      for (const part of this.parts) Object.assign(part.style, { transform, transformOrigin: part === this.under ? this.under.style.transformOrigin : "0 0" });
    }

    get parts() {
      return [this.canvas, this.under, ...this.frame.querySelectorAll(":scope > svg")].filter(Boolean);
    }

    finish() {
      const gesture = this.gesture;
      this.spread = null;
      if (gesture) this.look(gesture);
    }

    look({ factor, at, to }) {
      const k = this.board.width / this.canvas.clientWidth;
      this.send({ factor, at: at.map((v) => v * k), to: to.map((v) => v * k) });
    }

    send(detail) {
      if (this.waits) return;
      this.waits = setTimeout(() => this.settle(), WAIT);
      document.dispatchEvent(new CustomEvent("ldv-look", { detail: { board: this.canvas.ldv.id, ...detail } }));
    }

    /* The kernel has drawn: what stood in for it goes. */
    settle() {
      clearTimeout(this.waits);
      requestAnimationFrame(() => {
        this.waits = 0;
        this.gesture = this.box = this.spread = null;
        for (const part of this.parts) part.style.transform = "";
        if (this.under) this.under.remove();
        this.under = null;
        this.canvas.ldv.lay();
        this.show();
        const next = this.next;
        this.next = null;
        if (next) this.typed(next);
      });
    }
  }

  function look() {
    for (const canvas of document.querySelectorAll(".ldv-board-window > canvas.ldv-canvas")) {
      if (known.has(canvas) || !canvas.ldv || !(canvas.ldv.board() || {}).camera) continue;
      known.add(canvas);
      new Camera(canvas);
    }
  }
  document.addEventListener("ldv-boards", look);
  look();
})();
