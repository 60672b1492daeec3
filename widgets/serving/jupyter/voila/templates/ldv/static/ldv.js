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

  // -- Loading ------------------------------------------------------------------------------------------------------
  ldv.loading = () => {
    window.voila_heartbeat = () => {};
    window.update_loading_text = window.voila_process = (i, n) => {
      const text = document.getElementById("loading_text");
      if (text && n > 1) text.textContent = "Préparation de la page… " + i + "\u202f/\u202f" + n;
    };
    window.display_cells = window.voila_finish = () => {
      if (!window.themeLoaded) { window.cellLoaded = true; return; }
      const wait = document.getElementById("loading");
      if (wait) wait.remove();
      const cells = document.getElementById("rendered_cells");
      if (cells) cells.style.display = "";
      root.dataset.ready = "true";
      const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target) target.scrollIntoView();
    };
  };

  // -- Leaving frees the kernel at once (our own beacon: Voilà's carries no cross-site token and is refused) ---------
  const cookie = (name) => (("; " + document.cookie).split("; " + name + "=")[1] || "").split(";")[0];
  const kernelId = () => {
    try { return JSON.parse(document.getElementById("jupyter-config-data").textContent).kernelId || ""; } catch { return ""; }
  };
  const beacon = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (url, data) => (String(url).includes("/api/shutdown/") ? true : beacon(url, data));
  let leaving = false;
  window.addEventListener("pagehide", () => {
    leaving = true;
    const id = kernelId();
    if (id) beacon("/voila/api/shutdown/" + id + "?_xsrf=" + encodeURIComponent(cookie("_xsrf")));
  });
  // Brought back by the "back" button from the browser's memory: its kernel has gone.
  window.addEventListener("pageshow", (e) => { if (e.persisted) location.reload(); });

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
  const EXPIRED = "La session de cette page s’est arrêtée : les plateaux ne répondent plus. Rechargez pour reprendre.";
  const SILENT = "Le serveur ne répond plus. La page reprendra d’elle-même s’il revient.";

  // -- A slow tablet needs more than the two seconds that anywidget gives a widget's script: past them, the widget would
  // refuse all that the kernel tells it as long as the page lives (anywidget 0.11, `Runtime.ready`) -------------------
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(Math.max(ms, 120_000));

  // -- What follows waits for Jupyter's own objects, which no page names: the first to be given a property is met ------
  const met = (name, then) => Object.defineProperty(Object.prototype, name, {
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
      const done = sync.apply(this, given);
      if (this._msg_buffer !== null) held.add(this);
      return done;
    };
    proto.send = function (...given) {
      for (const one of held) {
        if (one._msg_buffer === null) continue;
        one.rememberLastUpdateFor(one.send_sync_message(one._msg_buffer, one._msg_buffer_callbacks));
        one._msg_buffer = one._msg_buffer_callbacks = null;
      }
      held.clear();
      return send.apply(this, given);
    };
  });

  // -- Watching the websocket of the kernel: a closed one is looked into, a restarted kernel has lost the page -------
  let dead = false;
  let asking = 0;
  const expired = () => { dead = true; window.ldvBanner(EXPIRED, "Recharger"); };
  async function inquire() {
    clearTimeout(asking);
    if (leaving || dead) return;
    try {
      const answer = await fetch("/api/kernels/" + kernelId(), { cache: "no-store" });
      if (answer.status === 404) return expired();
      window.ldvBanner("");
    } catch {
      if (!leaving) window.ldvBanner(SILENT, "Recharger");
      asking = setTimeout(inquire, 3000);
    }
  }
  const Socket = window.WebSocket;
  const decoder = new TextDecoder();
  function heard(event) {
    const data = event.data;
    const size = data.byteLength || data.length || 0;
    if (size > 2000) return;
    const text = typeof data === "string" ? data : decoder.decode(data);
    if (/"execution_state":\s*"(restarting|dead)"/.test(text)) expired();
  }
  window.WebSocket = class extends Socket {
    constructor(url, protocols) {
      super(url, protocols);
      if (!/\/api\/kernels\/[^/]+\/channels/.test(String(url))) return;
      this.addEventListener("message", heard);
      this.addEventListener("close", () => { if (!leaving) setTimeout(inquire, 300); });
    }
  };

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

  document.addEventListener("DOMContentLoaded", applyTheme);
  document.addEventListener("click", (e) => {
    const on = (selector) => e.target.closest && e.target.closest(selector);
    if (on("[data-ldv-theme]")) ldv.setTheme(CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length]);
    else if (on("[data-ldv-report]")) openReport();
    else if (on("[data-ldv-copy]")) copyReport();
    else if (on(".ldv-verdict") && !on("a, button") && matchMedia("(max-width: 999px)").matches) openSteps(on(".ldv-verdict"));
  });
})();
