// What ipycanvas cannot give a board: roles and names, a tab order, announcements, quiet pointers, links and storage,
// highlights between steps and board answered in the page, and a word when the session has died. One for each page of
// the course; in a notebook of one's own, one for each board, which attends to its own board alone.

const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", " ", "Escape", "Home", "End"]);
const SVG = "http://www.w3.org/2000/svg";

function hidden(role, politeness) {
  const node = document.createElement("div");
  node.className = "ldv-quiet";
  node.setAttribute("role", role);
  node.setAttribute("aria-live", politeness);
  document.body.append(node);
  return node;
}

function isDark() {
  const paper = getComputedStyle(document.body).getPropertyValue("--ldv-paper").trim();
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(paper);
  if (hex) return hex.slice(1).reduce((sum, v) => sum + parseInt(v, 16), 0) < 380;
  return document.body.dataset.jpThemeLight === "false";
}

function initialize({ model }) {
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const stops = [];
  const listen = (target, name, action, options) => {
    target.addEventListener(name, action, options);
    stops.push(() => target.removeEventListener(name, action, options));
  };
  const boards = () => model.get("boards");
  const canvasOf = (id) => document.querySelector(`canvas.ldv-b-${id}`);
  const idOf = (canvas) => (/\bldv-b-(\d+)\b/.exec(canvas.className) || [])[1];

  // --- the page, told to Python --------------------------------------------------------------------------------
  const tell = () => {
    model.set("page", location.origin + location.pathname);
    model.set("width", window.innerWidth);
    model.set("dark", isDark());
    model.set("films", document.documentElement.dataset.films === "true");
    try {
      model.set("stored", localStorage.getItem(model.get("store_key")) || "");
    } catch {
      model.set("stored", "");
    }
    model.save_changes();
  };
  tell();
  const retheme = () => {
    if (isDark() !== model.get("dark")) {
      model.set("dark", isDark());
      model.save_changes();
    }
  };
  const themes = new MutationObserver(retheme);
  for (const node of [document.documentElement, document.body]) {
    themes.observe(node, { attributes: true, attributeFilter: ["class", "style", "data-theme", "data-jp-theme-light"] });
  }
  stops.push(() => themes.disconnect());
  listen(matchMedia("(prefers-color-scheme: dark)"), "change", () => setTimeout(retheme));
  const font = "16px 'Atkinson Hyperlegible'";
  if (document.fonts && !document.fonts.check(font)) {
    document.fonts.load(font).then((found) => found.length && model.send({ type: "redraw" }));
  }

  // --- Python, told to the page --------------------------------------------------------------------------------
  const live = hidden("status", "polite");
  let alarm = document.querySelector(".ldv-alert");  // every bridge hears of an error: it is shown once
  if (!alarm) {
    alarm = document.createElement("div");
    alarm.className = "ldv-alert";
    alarm.setAttribute("role", "alert");
    alarm.hidden = true;
    document.body.append(alarm);
  }
  stops.push(() => live.remove());
  const say = () => { live.textContent = model.get("announce"); };
  const warn = () => shout(model.get("alert").text || "");
  const shout = (text) => {
    alarm.replaceChildren();
    alarm.hidden = !text;
    if (!text) return;
    const words = document.createElement("span");
    words.textContent = text;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Fermer";
    close.addEventListener("click", () => { alarm.hidden = true; });
    alarm.append(words, close);
  };
  // --- what is too large to be sent ----------------------------------------------------------------------------
  const refuse = (what, size, unit) => {
    const amount = (n) => (unit ? `${Math.ceil(n / 1000).toLocaleString("fr-FR")}\u00a0ko` : `${n.toLocaleString("fr-FR")}\u00a0caractères`);
    shout(`${what} est trop grand (${amount(size)})\u00a0; ${amount(model.get("most"))} au plus. Rien n’a été envoyé.`);
  };
  // The input of an upload button stands in no document: it is met when it is pressed
  const press = HTMLInputElement.prototype.click;
  HTMLInputElement.prototype.click = function () {
    if (this.type === "file" && !this.dataset.ldvGuarded) {
      this.dataset.ldvGuarded = "1";
      this.addEventListener("change", (event) => {
        const large = [...(this.files || [])].find((file) => file.size > model.get("most"));
        if (!large) return;
        event.stopImmediatePropagation();
        refuse(`Le fichier «\u00a0${large.name.slice(0, 60)}\u00a0»`, large.size, true);
      }, true);
    }
    press.call(this);
  };
  stops.push(() => { HTMLInputElement.prototype.click = press; });
  const fitting = new WeakMap();  // field -> the last text of it that can be sent
  const measure = (event) => {
    const field = event.target;
    if (!(field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === "text"))) return;
    if (field.value.length <= model.get("most")) { fitting.set(field, field.value); return; }
    const size = field.value.length;
    field.value = fitting.get(field) || "";
    event.stopImmediatePropagation();
    refuse("Ce texte", size, false);
  };
  listen(document, "focusin", measure);
  for (const kind of ["input", "change"]) listen(document, kind, measure, true);

  model.on("change:announce", say);
  model.on("change:alert", warn);
  listen(window, "storage", (e) => {  // another tab: a code it was given, or that it erased everything
    if (e.key !== model.get("store_key")) return;
    model.set("stored", e.newValue || "");
    model.save_changes();
  });
  model.on("change:to_store", () => {
    try { localStorage.setItem(model.get("store_key"), model.get("to_store")); } catch { /* private browsing */ }
  });
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "ldv-quiet";
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  // A board's picture goes to the clipboard; where a page may not write pictures there, it is saved as a file.
  const copyImage = (id) => {
    const canvas = canvasOf(id);
    if (!canvas) return;
    const whole = document.createElement("canvas");
    [whole.width, whole.height] = [canvas.width, canvas.height];
    const pen = whole.getContext("2d"), { picture: ground } = grounds.get(id) || {};
    const { ground: { beyond } = {}, margin, width, all, corner } = boards()[id];
    if (ground) {
      const k = canvas.width / width, out = margin - beyond;
      pen.drawImage(ground, k * (out - corner[0]), k * (out - corner[1]), k * (all[0] - 2 * out), k * (all[1] - 2 * out));
    }
    pen.drawImage(canvas, 0, 0);
    const picture = new Promise((done) => whole.toBlob(done, "image/png"));
    const save = async () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await picture);
      link.download = "plateau.png";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      live.textContent = "Image enregistrée : plateau.png";
    };
    if (!navigator.clipboard || !window.ClipboardItem) { save(); return; }
    navigator.clipboard.write([new ClipboardItem({ "image/png": picture })])
      .then(() => { live.textContent = "Image copiée."; }, save);
  };

  // --- canvases ------------------------------------------------------------------------------------------------
  const known = new WeakSet();
  const spot = (canvas, event) => {
    const board = boards()[idOf(canvas)];
    if (!board) return null;
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * board.width) / box.width;
    const y = ((event.clientY - box.top) * board.height) / box.height;
    let best = null, near = board.reach * board.reach;
    for (const [cell, [cx, cy]] of Object.entries(board.cells)) {
      const d = (x - cx) ** 2 + (y - cy) ** 2;
      if (d < near) { near = d; best = cell; }
    }
    return best;
  };
  const movable = (canvas, event) => {
    const board = boards()[idOf(canvas)];
    return board && board.movable.length > 0 && board.movable.includes(spot(canvas, event));
  };

  const attach = (canvas) => {
    known.add(canvas);
    const id = idOf(canvas);
    canvas.ldv = {  // for the page's own scripts: films and camera
      id, board: () => boards()[id], movable: (event) => movable(canvas, event),
      framed: (seen) => framed(id, seen), ground: () => (grounds.get(id) || {}).picture, lay: () => lay(canvas),
    };
    const name = () => {
      const board = boards()[id];
      canvas.setAttribute("role", "application");
      canvas.setAttribute("aria-roledescription", "plateau");
      canvas.setAttribute("aria-label", board ? board.label : "Plateau");
      canvas.tabIndex = 0;
    };
    name();
    model.on("change:boards", name);
    canvas.addEventListener("blur", () => canvas.classList.remove("by-pointer"));
    // ipycanvas focuses the canvas before it reads where the pointer is: the page must not scroll in between
    const focus = canvas.focus.bind(canvas);
    canvas.focus = (options) => focus({ ...options, preventScroll: true });
    let dragging = false, last = 0, finger = false;
    const stop = (event) => event.stopImmediatePropagation();
    // ipycanvas holds every key back, Tab included: let all but ours through
    canvas.addEventListener("keydown", (e) => { canvas.classList.remove("by-pointer"); if (!KEYS.has(e.key) || e.ctrlKey || e.metaKey || e.altKey) stop(e); }, true);
    canvas.addEventListener("mousedown", (e) => {
      if (e.button !== 0) return stop(e);
      canvas.classList.add("by-pointer");
      dragging = movable(canvas, e);
      const up = (event) => {  // ipycanvas never hears of a button released outside: replay it
        window.removeEventListener("mouseup", up, true);
        dragging = false;
        if (event.target !== canvas) canvas.dispatchEvent(new MouseEvent("mouseup", { clientX: event.clientX, clientY: event.clientY }));
      };
      window.addEventListener("mouseup", up, true);
    }, true);
    // ipycanvas sends every move: only those of a drag may pass, one for each frame
    canvas.addEventListener("mousemove", (e) => {
      if (e.buttons === 0) { const cell = spot(canvas, e); light(id, cell); peek(id, cell); }
      const now = performance.now();
      if (!dragging || e.buttons === 0 || now - last < 16) stop(e);
      else last = now;
    }, true);
    canvas.addEventListener("mouseout", (e) => { light(id, null); peek(id, null); stop(e); }, true);
    canvas.addEventListener("wheel", stop, true);
    // A finger on a piece drags it; elsewhere it scrolls, and a tap becomes a click
    canvas.addEventListener("touchstart", (e) => {
      finger = e.touches.length === 1 && movable(canvas, e.touches[0]);
      if (!finger) stop(e);
    }, { capture: true, passive: true });
    for (const kind of ["touchmove", "touchend", "touchcancel"]) {
      canvas.addEventListener(kind, (e) => {
        const now = performance.now();
        if (!finger || (kind === "touchmove" && now - last < 16)) stop(e);
        if (kind === "touchmove" && now - last >= 16) last = now;
      }, { capture: true, passive: true });
    }
    const frame = canvas.closest(".ldv-board-window");
    if (frame) {
      let told = 0, tall = 0, soon = 0;
      const tell = () => {
        const width = Math.round(frame.clientWidth), height = Math.round(frame.clientHeight);
        const board = boards()[id];
        if (!board || width < 120) return;  // a page being captured is 1 px wide for a moment
        if (board.whole) {
          if (height < 120 || Math.abs(width - told) < 8 && Math.abs(height - tall) < 8) return;
          model.send({ type: "width", board: id, width, height });
          [told, tall] = [width, height];
          return;
        }
        if (Math.abs(width - told) < 8) return;
        if (Math.min(width, told || width) < board.narrow) model.send({ type: "width", board: id, width });
        told = width;
      };
      // On a wide page a box is narrow for a moment only, while the page is laid out: no board should follow it
      const watch = new ResizeObserver(() => {
        clearTimeout(soon);
        if (window.innerWidth < 800 || (boards()[id] || {}).whole) tell();
        else soon = setTimeout(tell, 250);
      });
      watch.observe(frame);
      stops.push(() => { clearTimeout(soon); watch.disconnect(); });
    }
  };
  // --- the ground: a picture that the server draws, under the canvas; the one before stays until the next is there -----
  // Where no server does, the kernel gives it: « # » and a name, of what it gave.
  const drawn = new Map();  // name -> address, of the pictures that the kernel gave
  const given = (src) => {
    if (!src.startsWith("#")) return src;
    const pictures = model.get("grounds");
    for (const [name, url] of drawn) if (!pictures[name]) { URL.revokeObjectURL(url); drawn.delete(name); }
    if (!drawn.has(src)) drawn.set(src, URL.createObjectURL(new Blob([pictures[src] || ""], { type: "image/svg+xml" })));
    return drawn.get(src);
  };
  stops.push(() => drawn.forEach((url) => URL.revokeObjectURL(url)));
  const grounds = new Map();  // board -> the address asked for last, its picture once it is there
  const lay = (canvas) => {
    const id = idOf(canvas), board = boards()[id] || {}, { src, beyond } = board.ground || {};
    const now = grounds.get(id) || {};
    if (!src) {
      if (now.src) { grounds.delete(id); canvas.style.backgroundImage = ""; }
      return;
    }
    const put = (picture) => {  // cells lie in the middle of both: only their borders differ
      const edge = 2 * (board.margin - beyond), shares = [], spots = [];
      for (const [i, length] of [board.width, board.height].entries()) {
        const drawn = board.all[i] - edge, left = edge / 2 - board.corner[i];
        shares.push(`${(100 * drawn) / length}%`);
        spots.push(Math.abs(length - drawn) < 0.01 ? "0%" : `${(100 * left) / (length - drawn)}%`);
      }
      Object.assign(canvas.style, {
        backgroundImage: `url("${picture.src}")`, backgroundPosition: spots.join(" "), backgroundRepeat: "no-repeat",
        backgroundSize: shares.join(" "),
      });
    };
    if (now.src === src) { if (now.picture) put(now.picture); return; }
    grounds.set(id, { ...now, src });
    const picture = new Image();
    picture.src = given(src);
    picture.decode().then(() => {
      if ((grounds.get(id) || {}).src !== src) return;
      grounds.set(id, { src, picture });
      const shown = canvasOf(id);
      if (shown) lay(shown);
      document.dispatchEvent(new CustomEvent("ldv-boards"));
    }, () => {
      if ((grounds.get(id) || {}).src === src) model.send({ type: "no_ground", board: id });
    });
  };
  const find = () => {
    for (const canvas of document.querySelectorAll("canvas.ldv-canvas")) if (boards()[idOf(canvas)]) lay(canvas);
    for (const canvas of document.querySelectorAll("canvas.ldv-canvas")) if (!known.has(canvas) && boards()[idOf(canvas)]) attach(canvas);
  };
  model.on("change:boards", () => { find(); document.dispatchEvent(new CustomEvent("ldv-boards")); });
  const growth = new MutationObserver(find);
  growth.observe(document.body, { childList: true, subtree: true });
  stops.push(() => growth.disconnect());
  find();
  document.dispatchEvent(new CustomEvent("ldv-boards"));

  // What was drawn for one view of a board, laid over another: its view box there
  const framed = (id, seen) => {
    const { width, height, reach, corner, margin } = boards()[id], [, , radius, left, top] = (seen || "").split(" ").map(Number);
    if (!radius) return `0 0 ${width} ${height}`;
    const k = radius / reach;
    return [(corner[0] - margin) * k + margin - left, (corner[1] - margin) * k + margin - top, width * k, height * k].join(" ");
  };

  // --- steps and board light each other ------------------------------------------------------------------------
  const overlay = (id, path, size) => {
    const canvas = canvasOf(id), board = boards()[id];
    if (!canvas || !board) return;
    let picture = canvas.parentElement.querySelector(`svg.ldv-hover-${id}`);
    if (!picture) {
      picture = document.createElementNS(SVG, "svg");
      picture.setAttribute("class", `ldv-hover ldv-hover-${id}`);
      picture.setAttribute("aria-hidden", "true");
      for (const kind of ["ldv-hover-halo", "ldv-hover-line"]) {
        const line = document.createElementNS(SVG, "path");
        line.setAttribute("class", kind);
        picture.append(line);
      }
      canvas.parentElement.append(picture);
    }
    picture.setAttribute("viewBox", framed(id, size));
    picture.setAttribute("preserveAspectRatio", "none");
    Object.assign(picture.style, {
      left: `${canvas.offsetLeft}px`, top: `${canvas.offsetTop}px`,
      width: `${canvas.clientWidth}px`, height: `${canvas.clientHeight}px`,
    });
    for (const line of picture.children) line.setAttribute("d", path || "");
    picture.style.display = path ? "" : "none";
  };
  let shown = null;
  const point = (event) => {
    const step = event.target instanceof Element ? event.target.closest("[data-outline]") : null;
    if (step === shown) return;
    if (shown) { shown.classList.remove("is-lit"); overlay(shown.dataset.board, ""); }
    shown = step;
    if (step && step.dataset.outline) { step.classList.add("is-lit"); overlay(step.dataset.board, step.dataset.outline, step.dataset.view); }
    profile(step);
  };
  // A step lights its points on the profile; a point lights the steps that name its hex
  let pointed = null;
  const profile = (step) => {
    const isPoint = Boolean(step) && step.matches(".ldv-profile-point");
    if (isPoint || pointed) light((isPoint ? step : pointed).dataset.board, isPoint ? step.dataset.hexes : null);
    pointed = isPoint ? step : null;
    const names = step ? step.dataset.hexes.split(" ") : [];
    for (const mark of document.querySelectorAll(".ldv-profile-point[data-board]")) {
      mark.classList.toggle("is-named", Boolean(step) && mark.dataset.board === step.dataset.board && names.includes(mark.dataset.hexes));
    }
  };
  listen(document, "mouseover", point);
  listen(document, "focusin", point);
  listen(document, "focusout", (e) => { if (!e.relatedTarget) point({ target: document.body }); });
  let lit = "";
  const light = (id, cell) => {
    const key = `${id} ${cell}`;
    if (key === lit) return;
    lit = key;
    for (const step of document.querySelectorAll(`[data-board="${id}"][data-hexes]`)) {
      step.classList.toggle("is-named", Boolean(cell) && step.dataset.hexes.split(" ").includes(cell));
    }
  };

  // --- a stack opens under a pointer that rests on it -------------------------------------------------------------
  const REST = 250;  // milliseconds
  let over = "", peeked = null, resting = 0;
  const peek = (id, cell) => {
    const key = `${id} ${cell}`;
    if (key === over) return;
    over = key;
    clearTimeout(resting);
    if (peeked !== null) { model.send({ type: "stack", board: peeked, cell: null }); peeked = null; }
    if (!cell || !((boards()[id] || {}).stacks || []).includes(cell)) return;
    resting = setTimeout(() => { peeked = id; model.send({ type: "stack", board: id, cell }); }, REST);
  };
  stops.push(() => clearTimeout(resting));

  // --- messages ------------------------------------------------------------------------------------------------
  let heard = Date.now();
  model.on("msg:custom", (message) => {
    if (message.type === "pong") { heard = Date.now(); dead(false); answered(); }
    if (message.type === "copy") copy(message.text);
    if (message.type === "looked") document.dispatchEvent(new CustomEvent("ldv-looked", { detail: message.board }));
    if (message.type === "copy_image") copyImage(message.board);
    if (message.type === "follow") {
      const canvas = canvasOf(message.board), board = boards()[message.board];
      const frame = canvas && canvas.closest(".ldv-board-window");
      if (!frame || !board) return;
      const k = canvas.clientWidth / board.width, [x0, y0, x1, y1] = message.box;
      const left = (k * (x0 + x1)) / 2 - frame.clientWidth / 2, top = (k * (y0 + y1)) / 2 - frame.clientHeight / 2;
      frame.scrollTo({ left, top, behavior: quiet.matches ? "auto" : "smooth" });
    }
  });

  listen(document, "ldv-film", ({ detail }) => model.send({ type: "film", ...detail }));
  listen(document, "ldv-look", ({ detail }) => model.send({ type: "camera", ...detail }));

  // --- a press shows that it was heard, until the kernel has done what it asks -----------------------------------
  const asked = [];  // for each ping under way, the button whose press it follows
  const ping = (button) => {
    asked.push(button);
    const type = window.ldv && window.ldv.acted && window.ldv.acted() ? "here" : "ping";
    try { model.send({ type }); } catch { /* the socket is gone: the clock tells */ }
  };
  const answered = () => {
    const button = asked.shift();
    if (button && !asked.includes(button)) button.classList.remove("is-asked");
  };
  listen(document, "click", ({ target }) => {
    const button = target.closest && target.closest(".jupyter-button:not(.widget-toggle-button)");
    if (!button) return;
    button.classList.add("is-asked");
    ping(button);
  });

  // --- is the session alive? -----------------------------------------------------------------------------------
  let banner = null, isDead = false;
  const dead = (now) => {
    if (now === isDead) return;
    isDead = now;
    if (window.ldvBanner) return window.ldvBanner(now ? "La session de cette page ne répond plus. Rechargez pour reprendre." : "", "Recharger");
    banner = banner || document.querySelector(".ldv-banner");
    if (!banner) {
      banner = document.createElement("div");
      banner.className = "ldv-banner";
      banner.setAttribute("role", "alert");
      const again = document.createElement("button");
      again.type = "button";
      again.textContent = "Recharger la page";
      again.addEventListener("click", () => location.reload());
      banner.append("La session s’est arrêtée : le plateau ne répond plus. ", again);
      document.body.append(banner);
      stops.push(() => banner.remove());
    }
    banner.hidden = !now;
  };
  listen(document, "visibilitychange", () => {
    heard = Date.now();
    if (!document.hidden) ping(null);
  });
  listen(window, "ldv:back", () => {
    heard = Date.now();
    for (const button of asked.splice(0)) if (button) button.classList.remove("is-asked");
    try { model.send({ type: "redraw" }); } catch { /* cut again */ }  // what was drawn while the line was cut
  });
  const beat = setInterval(() => {
    if (document.hidden || (window.ldv && window.ldv.isCut && window.ldv.isCut())) return;
    ping(null);
    if (Date.now() - heard > model.get("dead_after") * 1000) dead(true);
  }, model.get("ping_every") * 1000);
  stops.push(() => clearInterval(beat));
  say();
  if (model.get("alert").text) warn();
  return () => stops.forEach((end) => end());
}

function render({ el }) {
  el.style.display = "none";
}

export default { initialize, render };
