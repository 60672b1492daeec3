/* What the page does by itself, before and beside its widgets: appearance, loading, leaving, a dead session, reports. */
(function () {
  "use strict";
  const root = document.documentElement;
  const ldv = (window.ldv = window.ldv || {});

  // -- Appearance: "light", "dark" or "auto" (the system's), kept from one visit to the next ------------------------
  const KEY = "ldv-theme";
  const CHOICES = ["auto", "light", "dark"];
  const NAMES = { auto: "automatique", light: "claire", dark: "sombre" };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try { const seen = localStorage.getItem(KEY); return CHOICES.includes(seen) ? seen : "auto"; } catch { return "auto"; }
  };
  let choice = stored();
  function applyTheme() {
    const theme = choice === "auto" ? (system.matches ? "dark" : "light") : choice;
    const changed = root.dataset.theme !== theme;
    root.dataset.theme = theme;
    root.dataset.themeChoice = choice;
    document.querySelectorAll("[data-ldv-theme]").forEach((button) => {
      button.title = "Apparence : " + NAMES[choice];
      button.setAttribute("aria-label", "Apparence : " + NAMES[choice] + ". Changer.");
    });
    if (changed) window.dispatchEvent(new CustomEvent("ldv:theme", { detail: { theme } }));
  }
  ldv.setTheme = (next) => {
    choice = CHOICES.includes(next) ? next : "auto";
    try { localStorage.setItem(KEY, choice); } catch { /* private window: this page only */ }
    applyTheme();
  };
  system.addEventListener("change", applyTheme);
  window.addEventListener("storage", (e) => { if (e.key === KEY) { choice = stored(); applyTheme(); } });
  applyTheme();

  // -- Mode: ?mode=projection enlarges the page for a room ----------------------------------------------------------
  if (new URLSearchParams(location.search).get("mode") === "projection") root.dataset.mode = "projection";

  // -- What stands on the page, for the style of what lies around it. (`:has()` asked of the whole page would have all its
  // style worked out again at each change of it: a quarter of what a click costs.) ------------------------------------
  const PARTS = {
    stage: ".ldv-stage", live: ".ldv-live .ldv-lesson", project: ".ldv-project", worksheet: ".ldv-worksheet", free: ".ldv-free", home: ".ldv-home",
  };
  const note = () => {
    const has = Object.keys(PARTS).filter((part) => document.querySelector(PARTS[part])).join(" ");
    if (root.dataset.has !== has) root.dataset.has = has;
  };
  new MutationObserver(note).observe(root, { childList: true, subtree: true });

  // -- The menu: its doors open on the game that one is in: that of the page, else the one that was read last ---------
  ldv.inGame = (game) => {
    document.querySelectorAll("[data-ldv-door]").forEach((door) => {
      const to = new URL(door.href);
      to.searchParams.delete("jeu");
      const rest = to.searchParams.toString();
      door.setAttribute("href", to.pathname + "?jeu=" + encodeURIComponent(game) + (rest ? "&" + rest : ""));
    });
  };
  const doors = () => {
    const asked = new URLSearchParams(location.search);
    let game = asked.get("jeu");
    const lesson = location.pathname.match(/^\/voila\/render\/([^/]+)\/[^/]+\.ipynb$/);
    if (!game && !lesson) {
      try { game = JSON.parse(localStorage.getItem("ligne-de-vue-place") || "{}").game; } catch { /* none is remembered */ }
    }
    if (typeof game === "string" && /^[a-z0-9_]{1,64}$/.test(game)) ldv.inGame(game);
    if (location.pathname === "/" && (asked.get("vue") === "index" || asked.get("mot"))) {
      document.querySelectorAll(".ldv-menu a").forEach((door) => {
        if (door.search.includes("vue=index")) door.setAttribute("aria-current", "page");
        else door.removeAttribute("aria-current");
      });
    }
  };

  document.addEventListener("DOMContentLoaded", doors);

  // -- Loading ------------------------------------------------------------------------------------------------------
  ldv.loading = () => {
    doors();
    ldv.first();
    window.voila_heartbeat = () => {};
    window.update_loading_text = window.voila_process = (i, n) => {
      const text = document.getElementById("loading_text");
      if (text && n > 1) text.textContent = "Préparation de la page… " + i + "\u202f/\u202f" + n;
    };
    ldv.cell = () => {
      const { parentElement: cell } = document.currentScript;
      window.voila_process(+cell.getAttribute("cell-index"), +cell.dataset.of);
    };
    window.display_cells = window.voila_finish = () => {
      if (!window.themeLoaded) { window.cellLoaded = true; return; }
      const wait = document.getElementById("loading");
      if (wait) wait.remove();
      const cells = document.getElementById("rendered_cells");
      if (cells) cells.style.display = "";
      root.dataset.ready = "true";
      window.dispatchEvent(new CustomEvent("ldv:ready"));
      const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target) target.scrollIntoView();
    };
  };

  const timeout = AbortSignal.timeout.bind(AbortSignal);

  // -- Waiting for one's turn: the server answers when there is news; the page then asks for itself again --------------
  document.addEventListener("DOMContentLoaded", async () => {
    const { ticket, address } = document.body.dataset;
    if (!ticket) return;
    const rank = document.querySelector("[data-ldv-rank]"), wait = document.querySelector("[data-ldv-wait]");
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    for (;;) {
      try {
        const answer = await fetch("/attente/" + ticket, { cache: "no-store" });
        if (answer.status === 404) return location.reload();
        const { before, seconds, called } = await answer.json();
        if (called) return location.replace(address + location.hash);
        const text = "Vous êtes " + (before ? before + 1 + "e" : "1er") + " dans la file";
        if (rank.textContent !== text) rank.innerHTML = text.replace(/(\d)(er?)/, "$1<sup>$2</sup>");
        wait.textContent = seconds === null ? ", en attente d’une place libre" : ", environ " + seconds + "\u00a0s";
      } catch { await pause(2000); }
    }
  });
  // The ticket has done its work: neither a link that is copied nor a reload bears it.
  const query = new URLSearchParams(location.search);
  if (query.has("attente")) {
    query.delete("attente");
    history.replaceState(history.state, "", location.pathname + (query.size ? "?" + query : "") + location.hash);
  }

  // -- Leaving frees the kernel at once (our own beacon: Voilà's carries no cross-site token and is refused) ---------
  const cookie = (name) => (("; " + document.cookie).split("; " + name + "=")[1] || "").split(";")[0];
  const kernelId = ldv.kernelId = () => {
    try { return JSON.parse(document.getElementById("jupyter-config-data").textContent).kernelId || ""; } catch { return ""; }
  };
  const beacon = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (url, data) => (String(url).includes("/api/shutdown/") ? true : beacon(url, data));
  window.addEventListener("beforeunload", () => { ldv.leaving = true; }); // Voilà lets go of the kernel here
  window.addEventListener("pagehide", () => {
    ldv.leaving = true;
    const id = kernelId();
    if (id) beacon("/voila/api/shutdown/" + id + "?_xsrf=" + encodeURIComponent(cookie("_xsrf")));
  });
  // Brought back by the "back" button from the browser's memory: its kernel has gone.
  window.addEventListener("pageshow", (e) => { if (e.persisted) location.reload(); });

  // -- A page that still loads says so, else its place would go to somebody else (slow networks take long) -------------
  function load() {
    const id = ldv.joined || ldv.leaving ? "" : kernelId();
    if (!id) return;
    fetch("/attente/page/" + id, { cache: "no-store" }).catch(() => {});
    setTimeout(load, 3000);
  }
  document.addEventListener("DOMContentLoaded", load);

  // -- What was shown at the desk (a class's code, a teacher's key) is shown at the door too: places are kept for it -----
  ldv.enter = async (secret) => {
    const said = new URLSearchParams({ secret, page: kernelId(), _xsrf: cookie("_xsrf") });
    try {
      await fetch("/entree", { method: "POST", body: said, keepalive: true, signal: timeout(3000) });
    } catch { /* the door will ask again, when it must */ }
  };

  // -- The banner: ldvBanner(text, actionLabel[, action]); an empty text hides it ----------------------------------
  window.ldvBanner = (text, actionLabel, action) => {
    const banner = document.getElementById("ldv-banner");
    if (!banner) return;
    banner.hidden = !text;
    if (!text) return;
    const line = banner.querySelector("p");
    if (line.textContent !== text) line.textContent = text;
    const button = banner.querySelector("button");
    button.textContent = actionLabel || "Recharger";
    button.onclick = typeof action === "function" ? action : () => location.reload();
  };
  ldv.failed = () => window.ldvBanner("Cette page n’a pas pu être préparée : rechargez-la.");
  // -- A slow tablet needs more than the two seconds that anywidget gives a widget's script: past them, the widget would
  // refuse all that the kernel tells it as long as the page lives (anywidget 0.11, `Runtime.ready`) -------------------
  AbortSignal.timeout = (ms) => timeout(Math.max(ms, 120_000));

  // -- What follows waits for Jupyter's own objects, which no page names: the first to be given a property is met ------
  const met = ldv.met = (name, then) => Object.defineProperty(Object.prototype, name, {
    configurable: true,
    set(value) {
      delete Object.prototype[name];
      this[name] = value;
      then(this);
    },
  });

  // -- A cell looks for its widget for two seconds (ipywidgets 8.1, `get_model`). Where the widgets are made just then, a
  // busy page looks too late, and the cell says « model not found » for good: once they are there it looks once more ---
  met("_restoredStatus", (manager) => {
    const find = manager.get_model;
    manager.get_model = async function (id) {
      try {
        return await find.call(this, id);
      } catch (error) {
        if (this.has_model(id)) return find.call(this, id);
        throw error;
      }
    };
  });

  // -- A press never overtakes what was typed before it: ipywidgets holds a value back until the kernel has answered the
  // one before (`_msg_buffer` of a model), and sends a press at once ---------------------------------------------------
  met("_msg_buffer", (model) => {
    let proto = model;
    while (proto && !Object.hasOwn(proto, "send_sync_message")) proto = Object.getPrototypeOf(proto);
    if (!proto) return;
    const held = new Set(), { sync, send } = proto;
    proto.sync = function (...given) {
      if (ldv.leaving) return undefined;
      const done = sync.apply(this, given);
      if (this._msg_buffer !== null) held.add(this);
      return done;
    };
    proto.send = function (...given) {
      if (ldv.leaving) return undefined;
      for (const one of held) {
        if (one._msg_buffer === null) continue;
        one.rememberLastUpdateFor(one.send_sync_message(one._msg_buffer, one._msg_buffer_callbacks));
        one._msg_buffer = one._msg_buffer_callbacks = null;
      }
      held.clear();
      return send.apply(this, given);
    };
  });

  // -- A form that was made anew keeps where one was in it, and what one was typing ----------------------------------
  // (a browser tells of a change and of a leaving just before it removes a control: they count once it still stands)
  let at = null; // the control in use: its node, the places around it, its name, its rank among those of its name, its text
  const called = (node) => node.tagName + ((node.labels && node.labels[0]) || node).textContent + (node.ariaLabel || node.title);
  const alike = (place, name) => [...place.querySelectorAll("input, select, textarea, button")].filter((one) => called(one) === name);
  function around(node) {
    const places = [];
    for (let place = node.parentElement; place; place = place.parentElement) places.push(place);
    return places;
  }
  function resume() {
    if (!at || at.node.isConnected || document.activeElement !== document.body) return;
    at.lost = at.lost || performance.now();
    if (performance.now() - at.lost > 3000) return (at = null);
    const found = alike(at.places.find((place) => place.isConnected) || document.body, at.name);
    const next = found[Math.min(at.rank, found.length - 1)];
    if (!next) return;
    const { typed } = at;
    next.focus({ preventScroll: true });
    if (typed === null) return;
    next.value = at.typed = typed;
    next.addEventListener("blur", () => next.dispatchEvent(new Event("change", { bubbles: true })), { once: true });
  }
  document.addEventListener("focusin", ({ target: node }) => {
    if (!node.matches("#rendered_cells :is(input, select, textarea, button)")) return;
    const places = around(node), name = called(node);
    const rank = alike(places.find((place) => place.matches(".ldv-card, #rendered_cells")), name).indexOf(node);
    at = { node, places, name, rank, typed: null };
  });
  document.addEventListener("pointerdown", () => { if (at && !at.node.isConnected) at = null; });
  document.addEventListener("focusout", ({ target }) => setTimeout(() => { if (at && at.node === target && target.isConnected) at = null; }));
  document.addEventListener("input", ({ target }) => { if (at && at.node === target && target.matches("textarea, [type=text], [type=number]")) at.typed = target.value; });
  document.addEventListener("change", ({ target }) => setTimeout(() => { if (at && at.node === target && target.isConnected) at.typed = null; }));
  new MutationObserver(resume).observe(document, { childList: true, subtree: true });

  // -- Reporting an error: rule, position and version, ready to copy -------------------------------------------------
  const one = (node) => (node ? node.textContent.replace(/\s+/g, " ").trim() : "");
  ldv.report = () => {
    const verdict = document.querySelector(".ldv-verdict");
    const rules = [...document.querySelectorAll(".ldv-verdict .ldv-rule, .ldv-step .ldv-rule")].map(one);
    const given = window.ldvState || {};
    const version = document.querySelector("meta[name=ldv-version]");
    const lines = [
      "Ligne de Vue " + (version ? version.content : ""),
      "Page : " + document.title,
      "Lien : " + (given.link || location.href),
      "Règles : " + (given.rules || [...new Set(rules)].join(", ") || "aucune"),
    ];
    if (verdict) lines.push("Verdict affiché : " + one(verdict).slice(0, 300));
    lines.push("Navigateur : " + navigator.userAgent, "Ce que j’attendais : ");
    return lines.join("\n");
  };
  function openReport() {
    const dialog = document.getElementById("ldv-report");
    dialog.querySelector("textarea").value = ldv.report();
    dialog.querySelector("[role=status]").textContent = "";
    dialog.showModal();
  }
  async function copyReport() {
    const dialog = document.getElementById("ldv-report");
    const area = dialog.querySelector("textarea");
    area.focus();
    area.select();
    let done = false;
    try { await navigator.clipboard.writeText(area.value); done = true; } catch { done = document.execCommand("copy"); }
    dialog.querySelector("[role=status]").textContent = done ? "Copié." : "Copiez avec Ctrl+C.";
  }

  // -- On a narrow screen the verdict is a line at the bottom: it leads to its steps ---------------------------------
  function openSteps(verdict) {
    const lesson = verdict.closest(".ldv-lesson");
    const steps = lesson && lesson.querySelector(".ldv-steps");
    if (!steps) return;
    const fold = steps.closest("details");
    if (fold) fold.open = true;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    steps.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
  }

  // -- The folds of ipywidgets open by keyboard, and say whether they are open, as the browser's own do -----------------
  function nameFolds() {
    for (const head of document.querySelectorAll(".jupyter-widget-Collapse-header:not([role])")) {
      const fold = head.parentElement;
      const say = () => head.setAttribute("aria-expanded", String(fold.classList.contains("jupyter-widget-Collapse-open")));
      head.setAttribute("role", "button");
      head.tabIndex = 0;
      say();
      new MutationObserver(say).observe(fold, { attributes: true, attributeFilter: ["class"] });
    }
  }
  new MutationObserver(nameFolds).observe(document, { childList: true, subtree: true });
  document.addEventListener("keydown", (e) => {
    if (!["Enter", " "].includes(e.key) || !e.target.matches(".jupyter-widget-Collapse-header")) return;
    e.preventDefault();
    e.stopImmediatePropagation(); // no other key of the page
    e.target.click();
  });

  // -- On a phone a lesson's way stands in the header, and the menu behind a button ----------------------------------
  function openMenu(open) {
    const burger = document.querySelector(".ldv-burger");
    if (!burger || open === (burger.getAttribute("aria-expanded") === "true")) return;
    burger.setAttribute("aria-expanded", String(open));
    if (open) document.querySelector(".ldv-menu a").focus();
  }
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !document.querySelector('.ldv-burger[aria-expanded="true"]')) return;
    openMenu(false);
    document.querySelector(".ldv-burger").focus();
  });

  document.addEventListener("DOMContentLoaded", applyTheme);
  document.addEventListener("click", (e) => {
    const on = (selector) => e.target.closest && e.target.closest(selector);
    openMenu(on(".ldv-burger") ? on(".ldv-burger").getAttribute("aria-expanded") !== "true" : Boolean(on(".ldv-menu")));
    if (on("[data-ldv-theme]")) ldv.setTheme(CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length]);
    else if (on("[data-ldv-report]")) openReport();
    else if (on("[data-ldv-reload]")) location.reload();
    else if (on("[data-ldv-copy]")) copyReport();
    else if (on(".ldv-verdict") && !on("a, button") && matchMedia("(max-width: 999px)").matches) openSteps(on(".ldv-verdict"));
  });
})();
