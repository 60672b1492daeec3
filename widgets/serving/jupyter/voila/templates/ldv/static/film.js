/* A proof as a film: the lines grow, the steps drop in as they are reached, numbers stay where they belong. The kernel
   sends it whole, as `data-film` of a list of steps; nothing here waits for it. It can be stopped, stepped and played
   again; a page that wants no motion has all at once. */
(function () {
  "use strict";
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  document.documentElement.dataset.films = "true";
  const SVG = "http://www.w3.org/2000/svg";
  /* Milliseconds: before the first moment, and between the last one and the board's own drawing. */
  const BEFORE = 350, AFTER = 450;
  let playing = null;

  const shape = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
  };

  class Film {
    constructor(list) {
      this.list = list;
      this.film = JSON.parse(list.dataset.film);
      this.steps = [...list.children];
      this.last = this.film.moments.length - 1;
      this.at = -1;
      this.timer = 0;
      this.over = true;
      this.bar = document.createElement("div");
      this.bar.className = "ldv-film";
      this.bar.setAttribute("role", "group");
      this.bar.setAttribute("aria-label", "Film de la preuve");
      const press = (sign, label, action) => {
        const made = document.createElement("button");
        made.type = "button";
        made.textContent = sign;
        made.title = label;
        made.setAttribute("aria-label", label);
        made.addEventListener("click", () => { if (made.ariaDisabled !== "true") action(); });
        this.bar.append(made);
        return made;
      };
      this.back = press("‹", "Étape précédente", () => this.step(-1));
      this.main = press("", "", () => (this.timer ? this.pause() : this.play()));
      this.forth = press("›", "Étape suivante", () => this.step(1));
      const head = list.closest(".ldv-why").querySelector(".ldv-label").parentElement;
      for (const old of head.querySelectorAll(".ldv-film")) old.remove();
      head.append(this.bar);
      list.addEventListener("click", (event) => this.seek(event));
    }

    get here() { return this.list.isConnected && this.list.getClientRects().length > 0; }

    canvas() { return document.querySelector(`canvas.ldv-b-${this.film.board}`); }

    /* The kernel takes its own drawing away while the film plays, and lays it down again at its end. */
    say(plays) {
      document.dispatchEvent(new CustomEvent("ldv-film", { detail: { board: this.film.board, number: this.film.number, plays } }));
    }

    draw() {
      const canvas = this.canvas();
      this.picture = document.createElementNS(SVG, "svg");
      this.picture.setAttribute("class", "ldv-film-picture");
      this.picture.setAttribute("aria-hidden", "true");
      this.picture.setAttribute("preserveAspectRatio", "none");
      this.outline = [shape("path", { class: "ldv-film-halo" }, this.picture), shape("path", { class: "ldv-film-place" }, this.picture)];
      this.ways = [];
      for (const kind of ["ldv-film-halo", "ldv-film-way"]) {
        for (const line of this.film.lines) {
          this.ways.push(shape("polyline", { class: kind, points: line.map((p) => p.join(",")).join(" "), pathLength: 1 }, this.picture));
        }
      }
      this.pins = this.film.moments.map((moment) => moment.pins.map(({ x, y, text, stays }, order) => {
        const pin = shape("g", { class: "ldv-film-pin", transform: `translate(${x} ${y})`, style: `--order:${order}` }, this.picture);
        const inner = shape("g", {}, pin), size = this.film.letters, half = size * (0.5 + 0.28 * text.length);
        shape("rect", { x: -half, y: -0.8 * size, width: 2 * half, height: 1.6 * size, rx: 0.8 * size }, inner);
        shape("text", { "font-size": size, y: 0.06 * size }, inner).textContent = text;
        return [pin, stays];
      }));
      canvas.parentElement.append(this.picture);
      this.fit();
      this.watch = new ResizeObserver(() => this.fit());
      this.watch.observe(canvas);
    }

    /* Where the board is seen otherwise than when the film was made, it is laid where things are now. */
    frame() {
      const { ldv } = this.canvas() || {}, { view } = this.film;
      this.picture.setAttribute("viewBox", ldv ? ldv.framed(view.join(" ")) : `0 0 ${view[0]} ${view[1]}`);
    }

    fit() {
      const canvas = this.canvas();
      if (!canvas || !this.picture) return;
      this.frame();
      Object.assign(this.picture.style, {
        left: `${canvas.offsetLeft}px`, top: `${canvas.offsetTop}px`, width: `${canvas.clientWidth}px`, height: `${canvas.clientHeight}px`,
      });
    }

    open() {
      if (playing && playing !== this) playing.end();
      playing = this;
      if (!this.over) return;
      this.over = false;
      this.list.classList.add("is-filmed");
      this.say(true);
      this.draw();
    }

    show(at) {
      this.at = at;
      const moment = this.film.moments[at];
      const tip = moment ? moment.tip : 0;
      for (const way of this.ways) way.style.strokeDashoffset = 1 - tip;
      for (const path of this.outline) path.setAttribute("d", moment ? moment.outline : "");
      this.pins.forEach((some, when) => some.forEach(([pin, stays]) => pin.classList.toggle("is-down", stays ? when <= at : when === at)));
      this.steps.forEach((step, when) => {
        step.classList.toggle("is-ahead", when > at);
        step.classList.toggle("is-now", when === at);
      });
      this.label();
    }

    label() {
      const running = Boolean(this.timer), ended = this.over;
      this.main.textContent = running ? "❙❙" : ended ? "↻" : "▶";
      this.main.title = running ? "Pause" : ended ? "Revoir la preuve" : "Lire";
      this.main.setAttribute("aria-label", this.main.title);
      this.back.ariaDisabled = String(ended || this.at <= 0);  // closed, they keep the focus of who pressed them
      this.forth.ariaDisabled = String(ended);
    }

    wait(milliseconds, action) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.timer = 0; if (this.here) action(); else this.end(); }, milliseconds);
      this.label();
    }

    play() {
      if (this.over) { this.open(); this.show(-1); }
      const next = () => {
        if (this.at >= this.last) return this.end();
        this.show(this.at + 1);
        this.wait(this.film.milliseconds, next);
      };
      this.wait(this.at < 0 ? BEFORE : 0, next);
    }

    pause() {
      clearTimeout(this.timer);
      this.timer = 0;
      this.label();
    }

    step(by) {
      this.pause();
      if (this.at + by > this.last) return this.end();
      this.open();
      this.show(Math.max(0, this.at + by));
    }

    /* A step that is pressed while the film is on: there it stops. */
    seek(event) {
      const step = event.target.closest("li");
      const at = this.steps.indexOf(step);
      if (this.over || at < 0 || event.target.closest("a, button, summary")) return;
      this.pause();
      this.show(at);
    }

    end() {
      this.pause();
      if (this.over) return;
      this.over = true;
      this.at = this.last;
      this.list.classList.remove("is-filmed");
      for (const step of this.steps) step.classList.remove("is-ahead", "is-now");
      this.say(false);
      const picture = this.picture;
      this.watch.disconnect();
      picture.classList.add("is-over");
      setTimeout(() => picture.remove(), AFTER);
      if (playing === this) playing = null;
      this.label();
    }
  }

  const known = new WeakSet();
  function look() {
    if (playing && !playing.here) playing.end();
    for (const list of document.querySelectorAll("ol[data-film]")) {
      if (known.has(list) || !list.getClientRects().length) continue;
      known.add(list);
      try {
        const film = new Film(list);
        if (film.canvas()) film.play();
      } catch (error) {
        console.error(error);
        document.documentElement.dataset.films = "false";
      }
    }
  }
  let soon = 0;
  const later = () => { soon = soon || requestAnimationFrame(() => { soon = 0; look(); }); };
  new MutationObserver(later).observe(document, { childList: true, subtree: true });
  document.addEventListener("ldv-boards", () => { if (playing) playing.fit(); });

  /* Espace plays and stops, the comma and the full stop step: where no field, button or board wants the key. */
  document.addEventListener("keydown", (event) => {
    if (!playing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, button, a, summary, canvas")) return;
    if (event.key === " ") playing.main.click();
    else if (event.key === ",") playing.back.click();
    else if (event.key === ".") playing.forth.click();
    else return;
    event.preventDefault();
  });
})();
