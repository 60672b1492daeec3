/* The line between a page and its kernel: what is said on it arrives, once; a cut is seen, told, and mended at once. */
(function () {
  "use strict";
  const ldv = window.ldv;
  const EXPIRED = "La session de cette page s’est arrêtée : les plateaux ne répondent plus. Rechargez pour reprendre.";
  const SILENT = "Le serveur ne répond plus. La page reprendra d’elle-même s’il revient.";
  const RESTED = "Cette page s’est mise en repos, pour laisser sa place. Vous la retrouverez où vous l’avez quittée.";
  /* Milliseconds: before an unanswered message makes one ask whether the server is there, for its answer, between two
     such questions, and before a line on which nothing comes, though the server is there, is opened anew. */
  const QUIET = 2500, PATIENCE = 3500, PAUSE = 600, STALE = 6000;
  /* Messages without an answer that are said again on a new line: how many, and their bytes together. */
  const MOST_WAITING = 200, MOST_BYTES = 2_000_000;
  /* Messages that came, whose ids are remembered: a server that does not know what a lost line still brought says it again. */
  const MOST_KNOWN = 5000;
  const MOVING = "Ce serveur s’est arrêté. La page reprend d’elle-même, là où vous en étiez.";
  /* Codes with which a line is closed: the page rests; the server stops, and says so; the line was cut. */
  const RESTS = 4001, RESTARTING = 1012, CUT = 1006;
  /* Milliseconds: a page that comes back again within this time leaves it to its reader. */
  const AGAIN = 20000, RETURNED = "ldv-retour";
  /* How often an unknown kernel is asked for again while its line stands. */
  const MOST_UNEXPLAINED = 5;
  /* Milliseconds: a page that stands still so long has all its boards; none is waited for longer. */
  const STILL = 15_000, LONGEST_GROWTH = 180_000;

  // -- Messages of Jupyter's protocol (v1): what is said, and what has been done ---------------------------------------
  const decoder = new TextDecoder();
  const part = (data, number) => {
    const view = new DataView(data);
    const at = (one) => Number(view.getBigUint64(8 * (one + 1), true));
    return JSON.parse(decoder.decode(new Uint8Array(data, at(number), at(number + 1) - at(number))));
  };
  const waiting = new Map(); // by id, what was said and has no answer: [when, data]
  let bytes = 0;
  function said(data) {
    if (!(data instanceof ArrayBuffer)) return;
    try {
      const { msg_id, msg_type } = part(data, 1);
      if (!msg_type.startsWith("comm_")) return;
      waiting.set(msg_id, [Date.now(), data]);
      bytes += data.byteLength;
      for (const [id, [, old]] of waiting) {
        if (waiting.size <= MOST_WAITING && bytes <= MOST_BYTES) break;
        waiting.delete(id);
        bytes -= old.byteLength;
      }
    } catch { /* not of that protocol */ }
  }
  function done(id) {
    const known = waiting.get(id);
    if (known && waiting.delete(id)) bytes -= known[1].byteLength;
  }
  const arrived = new Set(); // the last messages that came; two threads of a kernel may give the same id
  function cameBefore(data) {
    try {
      const { msg_id, msg_type, date } = part(data, 1);
      const known = `${msg_id} ${msg_type} ${date}`;
      if (arrived.has(known)) return true;
      arrived.add(known);
      if (arrived.size > MOST_KNOWN) arrived.delete(arrived.values().next().value);
    } catch { /* not of that protocol */ }
    return false;
  }
  const unanswered = () => Math.min(Infinity, ...[...waiting.values()].map(([at]) => at));

  // -- The line --------------------------------------------------------------------------------------------------------
  let kernel = null; // Jupyter's connection, met below; its socket is `_ws`
  let over = false; // the kernel is gone: only another page helps
  let cut = false; // the line is down, or the server silent
  let heardAt = Date.now(), openedAt = 0, later = 0, asking = false;

  function end(text, label, action) {
    over = true;
    clearTimeout(later);
    window.ldvBanner(text, label, action);
  }
  const expired = () => end(EXPIRED, "Recharger");
  // A page whose server has gone comes back by itself, on the next one, as soon as one takes readers.
  let closedBy = 0, unexplained = 0;
  function often() {
    try {
      const last = Number(sessionStorage.getItem(RETURNED)) || 0;
      sessionStorage.setItem(RETURNED, String(Date.now()));
      return Date.now() - last < AGAIN;
    } catch { return true; }
  }
  async function comeBack() {
    if (ldv.leaving || over) return;
    if (often()) return expired();
    end(MOVING, "Recharger");
    for (let ready = false; !ready;) {
      await new Promise((next) => setTimeout(next, 200 + 600 * Math.random()));
      if (document.hidden) continue; // a tab that nobody looks at takes no place
      try { ready = (await fetch("/sante/pret", { cache: "no-store" })).ok; } catch { /* none yet */ }
    }
    location.reload();
  }
  const scroller = () => {
    const cells = document.getElementById("rendered_cells");
    return cells && cells.scrollTop ? cells : document.scrollingElement;
  };
  function rested() {
    const place = scroller().scrollTop; // before the banner moves the page, and what leads to its button
    end(RESTED, "Reprendre", () => {
      try { sessionStorage.setItem("ldv-place", JSON.stringify([location.pathname, place])); } catch { /* storage refused */ }
      const link = window.ldvState && window.ldvState.link;
      const same = link && new URL(link, location.href).pathname === location.pathname;
      if (same && link !== location.href) location.assign(link);
      else location.reload();
    });
  }
  function mended() {
    cut = false;
    unexplained = 0;
    clearTimeout(later);
    window.ldvBanner("");
  }
  /** Take down what is left of a line, so that Jupyter does not wait its own 10 to 30 seconds for it. */
  function drop(socket) {
    if (!kernel || kernel.isDisposed || (kernel._ws && kernel._ws !== socket)) return;
    kernel._clearSocket();
    kernel._updateConnectionStatus("connecting");
  }
  async function knock() {
    clearTimeout(later);
    if (ldv.leaving || over || asking) return;
    asking = true;
    const stop = new AbortController();
    const clock = setTimeout(() => stop.abort(), PATIENCE);
    let status = 0, busy = false;
    try {
      const answer = await fetch("/api/kernels/" + ldv.kernelId(), { cache: "no-store", signal: stop.signal });
      status = answer.status;
      if (status === 200) busy = (await answer.json()).execution_state === "busy";
    } catch { status = 0; }
    clearTimeout(clock);
    asking = false;
    if (ldv.leaving || over) return;
    if (status === 404) {
      // The code that closes the line says why its kernel is gone; it comes by another way, and may come later.
      const line = kernel && kernel._ws;
      if (line && line.readyState <= Socket.CLOSING && unexplained++ < MOST_UNEXPLAINED) {
        later = setTimeout(knock, PAUSE);
        return;
      }
      return closedBy === CUT ? comeBack() : expired();
    }
    if (status !== 200) {
      cut = true;
      window.ldvBanner(SILENT, "Recharger");
      later = setTimeout(knock, PAUSE);
      return;
    }
    const socket = kernel && kernel._ws;
    if (!kernel) return mended();
    if (kernel.isDisposed) return expired();
    if (!socket || socket.readyState > Socket.OPEN) {
      cut = true;
      kernel._createSocket(true);
    } else if (socket.readyState === Socket.CONNECTING) {
      if (Date.now() - openedAt > PATIENCE) { drop(socket); kernel._createSocket(true); }
    } else if (heardAt > unanswered()) {
      return mended(); // it was slow, and is there
    } else if (!busy && (cut || Date.now() - unanswered() > STALE)) {
      drop(socket); // open, and nothing comes: the network has forgotten it
      kernel._createSocket(true);
    } else if (cut) {
      mended();
    }
    later = setTimeout(knock, PAUSE + 400);
  }
  ldv.met("_reconnectLimit", (one) => {
    kernel = one;
    kernel._reconnect = () => {
      if (kernel.isDisposed || (kernel._ws && kernel._ws.readyState === Socket.OPEN)) return;
      drop(kernel._ws);
      knock();
    };
  });
  // Leaving ends the kernel: what it says of its end, and what it had still to say, is for nobody.
  window.addEventListener("pagehide", () => drop(kernel && kernel._ws));
  setInterval(() => {
    if (document.hidden || over || cut || Date.now() - unanswered() < QUIET || Date.now() - heardAt < QUIET) return;
    knock();
  }, 500);
  ldv.isCut = () => cut || over;
  const hurry = () => { if (!document.hidden && cut) knock(); };
  for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, hurry);
  document.addEventListener("visibilitychange", hurry);

  const Socket = window.WebSocket;
  function heard(event) {
    const { data } = event;
    heardAt = Date.now();
    if (data instanceof ArrayBuffer && cameBefore(data)) return event.stopImmediatePropagation();
    const size = data.byteLength || data.length || 0;
    if (size > 2000) return;
    const text = typeof data === "string" ? data : decoder.decode(data);
    if (/"execution_state":\s*"(restarting|dead)"/.test(text)) expired();
    if (data instanceof ArrayBuffer && /"execution_state":\s*"idle"/.test(text)) {
      try { done(part(data, 2).msg_id); } catch { /* not of that protocol */ }
    }
  }
  window.WebSocket = class extends Socket {
    constructor(url, protocols) {
      super(url, protocols);
      this.isLine = /\/api\/kernels\/[^/]+\/channels/.test(String(url));
      if (!this.isLine) return;
      openedAt = Date.now();
      this.addEventListener("message", heard);
      this.addEventListener("open", () => {
        ldv.joined = true;
        const again = openedBefore;
        openedBefore = true;
        heardAt = Date.now();
        mended();
        for (const [, entry] of waiting) { entry[0] = Date.now(); super.send(entry[1]); }
        if (again) window.dispatchEvent(new CustomEvent("ldv:back"));
      });
      this.addEventListener("error", () => drop(this));
      this.addEventListener("close", ({ code }) => {
        if (ldv.leaving || over) return;
        if (code === RESTS) return rested();
        if (code === RESTARTING) return comeBack();
        closedBy = code;
        if (kernel && kernel._ws && kernel._ws !== this) return; // an old line
        cut = true;
        drop(this);
        setTimeout(knock, 100);
      });
    }
    send(data) {
      if (this.isLine) said(data);
      super.send(data);
    }
  };
  let openedBefore = false;

  // -- What the reader does keeps his page awake: any gesture is told with the next sign of life -------------------------
  let acted = true;
  for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchstart"]) {
    document.addEventListener(name, () => { acted = true; }, { capture: true, passive: true });
  }
  ldv.acted = () => {
    const was = acted || document.documentElement.dataset.mode === "projection";
    acted = false;
    return was;
  };
  window.addEventListener("ldv:ready", () => {
    try {
      const [path, top] = JSON.parse(sessionStorage.getItem("ldv-place") || "[]");
      sessionStorage.removeItem("ldv-place");
      if (path !== location.pathname) return;
      const cells = document.getElementById("rendered_cells");
      // The page grows as its boards come, and a link leads to its example: until the reader takes over, or the page stands
      // still at that place; a slow machine needs a minute for its last board.
      let height = 0, still = 0;
      const seek = setInterval(() => {
        const page = document.scrollingElement;
        for (const one of [cells, page]) if (one.scrollTop !== top) one.scrollTop = top;
        const size = cells.scrollHeight + page.scrollHeight;
        if (size !== height || Math.abs(scroller().scrollTop - top) > 1) still = performance.now();
        height = size;
        if (performance.now() - still > STILL) stop();
      }, 100);
      const stop = () => clearInterval(seek);
      setTimeout(stop, LONGEST_GROWTH);
      for (const name of ["pointerdown", "keydown", "wheel", "touchstart"]) {
        document.addEventListener(name, stop, { capture: true, passive: true, once: true });
      }
    } catch { /* storage refused */ }
  });

  // -- The tabs of one reader are one learner: a new one takes up what another knows of the class, and both forget it
  // when they are closed; one that has left the class stays out -----------------------------------------------------------
  const CLASS = "ldv-classe", ALONE = "ldv-classe-seul";
  const tab = (name) => { try { return sessionStorage.getItem(name) || ""; } catch { return ""; } };
  const others = window.BroadcastChannel ? new BroadcastChannel(CLASS) : null;
  if (others) {
    others.onmessage = ({ data }) => {
      if (data.asks && tab(CLASS)) others.postMessage({ knows: tab(CLASS) });
      if (!data.knows || tab(CLASS) || tab(ALONE)) return;
      try { sessionStorage.setItem(CLASS, data.knows); } catch { return; }
      window.dispatchEvent(new CustomEvent("ldv:class"));
    };
    if (!tab(CLASS) && !tab(ALONE)) others.postMessage({ asks: true });
  }
})();
