// What ipycanvas cannot give a board: roles and names, a tab order, announcements, quiet pointers, links and storage,
// highlights between steps and board answered in the page, and a word when the session has died. One per page.

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
  const alarm = document.createElement("div");
  alarm.className = "ldv-alert";
  alarm.setAttribute("role", "alert");
  alarm.hidden = true;
  document.body.append(alarm);
  stops.push(() => { live.remove(); alarm.remove(); });
  const say = () => { live.textContent = model.get("announce"); };
  const warn = () => {
    const text = model.get("alert").text || "";
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
    const picture = new Promise((done) => canvas.toBlob(done, "image/png"));
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
      if (e.buttons === 0) light(id, spot(canvas, e));
      const now = performance.now();
      if (!dragging || e.buttons === 0 || now - last < 16) stop(e);
      else last = now;
    }, true);
    canvas.addEventListener("mouseout", (e) => { light(id, null); stop(e); }, true);
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
      let told = 0, soon = 0;
      const tell = () => {
        const width = Math.round(frame.clientWidth);
        const board = boards()[id];
        if (!board || width < 120 || Math.abs(width - told) < 8) return;  // a page being captured is 1 px wide for a moment
        if (Math.min(width, told || width) < board.narrow) model.send({ type: "width", board: id, width });
        told = width;
      };
      // On a wide page a box is narrow for a moment only, while the page is laid out: no board should follow it
      const watch = new ResizeObserver(() => {
        clearTimeout(soon);
        if (window.innerWidth < 800) tell();
        else soon = setTimeout(tell, 250);
      });
      watch.observe(frame);
      stops.push(() => { clearTimeout(soon); watch.disconnect(); });
    }
  };
  const find = () => {
    for (const canvas of document.querySelectorAll("canvas.ldv-canvas")) if (!known.has(canvas)) attach(canvas);
  };
  const growth = new MutationObserver(find);
  growth.observe(document.body, { childList: true, subtree: true });
  stops.push(() => growth.disconnect());
  find();

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
    picture.setAttribute("viewBox", `0 0 ${size || `${board.width} ${board.height}`}`);
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

  // --- messages ------------------------------------------------------------------------------------------------
  let heard = Date.now();
  model.on("msg:custom", (message) => {
    if (message.type === "pong") { heard = Date.now(); dead(false); answered(); }
    if (message.type === "copy") copy(message.text);
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

  // --- a press shows that it was heard, until the kernel has done what it asks -----------------------------------
  const asked = [];  // for each ping under way, the button whose press it follows
  const ping = (button) => {
    asked.push(button);
    try { model.send({ type: "ping" }); } catch { /* the socket is gone: the clock tells */ }
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
  listen(document, "visibilitychange", () => { heard = Date.now(); });
  const beat = setInterval(() => {
    if (document.hidden) return;
    ping(null);
    if (Date.now() - heard > model.get("dead_after") * 1000) dead(true);
  }, model.get("ping_every") * 1000);
  stops.push(() => clearInterval(beat));
  say();
  warn();
  return () => stops.forEach((end) => end());
}

function render({ el }) {
  el.style.display = "none";
}

export default { initialize, render };
