// What a page of the course asks of the browser besides its boards: where it is, what to scroll to, what a report says.

// Of what is said of an answer with its proof, the height that is in sight with the question, in CSS pixels; a cause is, whole.
const BEGUN = 96;
// Short words with hyphens, as words.py knows them.
const HYPHENED = /(?<![\p{L}\p{N}_])([\p{L}\p{N}_’]{1,12}(?:-[\p{L}\p{N}_]{1,7}){1,3})(?![\p{L}\p{N}_])/u;

export default {
  // Told when shown, not when made: only then is every other widget of the page there to hear what comes of it.
  render({ model, el }) {
    el.style.display = "none";
    model.set("origin", location.origin === "null" ? "" : location.origin);
    model.set("query", location.search);
    const attend = () => {
      try { model.set("attending", sessionStorage.getItem("ldv-classe") || ""); } catch { /* storage refused: no class */ }
    };
    attend();
    try { model.set("last", localStorage.getItem("ligne-de-vue-place") || ""); } catch { /* storage refused: no « Continuer » */ }
    model.set("ready", true);
    model.save_changes();
    const joined = () => { attend(); model.save_changes(); };  // another tab knows of a class
    addEventListener("ldv:class", joined);
    const own = !!document.getElementById("ldv-content");
    // What a page was opened for stays in its address: the screen of a room, the class that it leads.
    const lasting = (address) => {
      const url = new URL(address, location.href), now = new URLSearchParams(location.search);
      for (const key of ["mode", "seance"]) if (now.has(key)) url.searchParams.set(key, now.get(key));
      return url.pathname + url.search;
    };
    let moved = !location.search;  // until the kernel has answered the address, it is the reader's and not the first scene's
    const state = () => {
      const link = model.get("link");
      if (own && link && moved && document.querySelector(".ldv-stage") && lasting(link) !== location.pathname + location.search) history.replaceState(null, "", lasting(link));
      window.ldvState = { ...(link && { link: location.origin + link }), ...(model.get("rules") && { rules: model.get("rules") }) };
    };
    const name = () => { if (own && model.get("title")) document.title = `${model.get("title")} · Ligne de Vue`; };
    const scroll = () => {
      const id = model.get("scroll");
      if (!id) return;
      let tries = 40;
      const seek = () => {
        const target = document.getElementById(id);
        const visible = target && target.getClientRects().length;
        if (visible) {
          target.scrollIntoView({ block: "start" });
          if (target.hasAttribute("tabindex")) target.focus({ preventScroll: true });
        }
        else if (tries--) requestAnimationFrame(seek);
      };
      seek();
    };
    // A link within the page: its query goes to Python, and « back » takes it back (not in JupyterLab, whose address is its own).
    const ask = (query) => {
      model.set("query", query === model.get("query") ? `${query}&` : query);  // asked again, since one has gone on by a button
      model.save_changes();
    };
    const back = () => ask(location.search);
    const follow = (event) => {
      const link = event.target.closest && event.target.closest("a[data-ldv-within]");
      if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (own && link.href !== location.href) history.pushState(null, "", lasting(link.href));
      ask(link.search);
    };
    // On a stage what went wrong has been read once the reader presses something else; what that press refuses is said after.
    const heard = (event) => {
      const alarm = document.querySelector(".ldv-alert");
      if (alarm && event.target.closest?.(".ldv-stage :is(button, a)")) alarm.hidden = true;
    };
    const hush = (event) => { if (event.key === "Escape") document.activeElement?.closest?.(".ldv-term")?.blur(); };
    // What may be changed of a place is beside the board: Escape shuts it from within, and who shuts it is on the board
    // again, or at what is asked of the board as it was changed
    const asked = () => document.querySelector('.ldv-again:not([style*="display: none"]):not(:has(.mod-active)) .ldv-question');
    const shut = (event) => {
      const spot = event.target.closest?.(".ldv-spot"), close = spot && spot.querySelector(".ldv-spot-head button");
      if (!close) return;
      if (event.key === "Escape") close.click();
      else if (event.type === "click" && close.contains(event.target)) (asked() || document.querySelector(":is(.ldv-stage, .ldv-free) canvas"))?.focus({ preventScroll: true });
    };
    // On the screen of a room a key shows the answer under the eyes: that of the example nearest to the middle of the window.
    const reveal = (event) => {
      if (document.documentElement.dataset.mode !== "projection" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (![" ", "Enter", "ArrowRight"].includes(event.key) || event.target.closest("input, select, textarea, button, a, summary, canvas")) return;
      const away = (button) => {
        const { top, bottom } = button.closest(".ldv-lesson, .ldv-stage-panel").getBoundingClientRect();
        return Math.max(top - innerHeight / 2, innerHeight / 2 - bottom, 0);
      };
      const shown = [...document.querySelectorAll(".ldv-reveal")].filter((button) => button.getClientRects().length);
      const near = shown.sort((a, b) => away(a) - away(b))[0];
      if (!near || !near.textContent.startsWith("Montrer")) return;
      event.preventDefault();
      near.click();
    };
    // On a stage only the words scroll: what is said of an answer comes into sight by itself, its question with it. Where
    // the board stands over the words it lends them the room that they lack, as far as it stays readable (stage.css), and
    // keeps its size until another question is asked.
    let posed = null, said = null, lent = 0, sheet = null;
    const seen = (selector, within = sheet) => [...within.querySelectorAll(selector)].find((node) => node.getClientRects().length);
    const settle = () => {
      const stage = sheet.closest(".ldv-stage"), place = seen(".ldv-predict, .ldv-exercise"), reply = seen(".ldv-diagnosis");
      const question = place ? seen(".ldv-question", place) : null;
      if (question !== posed || (said && !reply)) stage.style.setProperty("--ldv-lent", `${(lent = 0)}px`);
      posed = question;
      const edge = () => sheet.getBoundingClientRect().top, top = () => question.getBoundingClientRect().top - 4;
      const answers = ".ldv-choices, .ldv-guess, .ldv-answer, .ldv-answer-order, .ldv-hint";
      const lowest = (nodes) => Math.max(...[...nodes].map((node) => node.getBoundingClientRect().bottom)) + 4;
      const begun = () => Math.min(reply.getBoundingClientRect().top + (reply.dataset.proved === "true" ? BEGUN : Infinity), lowest([reply]));
      if (question && stage.querySelector(".ldv-stage-map").getBoundingClientRect().bottom <= edge()) {
        const needs = reply ? begun() - top() : lowest(place.querySelectorAll(answers)) - edge() + sheet.scrollTop;
        const lacks = Math.ceil(needs) - sheet.clientHeight;
        if (lacks > 0) stage.style.setProperty("--ldv-lent", `${(lent += lacks)}px`);
      }
      if (reply && reply !== said) {
        reply.scrollIntoView({ block: "nearest" });
        if (question && begun() - top() <= sheet.clientHeight) sheet.scrollTop -= Math.max(0, edge() - top());
      }
      said = reply;
    };
    const sizes = new ResizeObserver(settle);
    // The way of a long lesson moves under a finger (stage.css): the scene on screen is in the middle of what one sees of it.
    const amid = (way) => {
      const here = way.querySelector("[aria-current]"), middle = (node) => { const { left, width } = node.getBoundingClientRect(); return left + width / 2; };
      if (here) way.scrollLeft += middle(here) - middle(way);
    };
    let last = [], path = null, beside = null;
    // What answers no more keeps the focus, and says so; only what has changed is looked at: a board changes all the time.
    const close = (one) => {
      const typed = one.classList.contains("widget-text") && one.querySelector("input");
      if (typed) typed.readOnly = one.classList.contains("ldv-closed");
      else if (one.classList.contains("ldv-closed")) one.setAttribute("aria-disabled", "true");
      else if (one.matches(".jupyter-button[aria-disabled]")) one.removeAttribute("aria-disabled");
    };
    // A short word with hyphens is never cut at the end of a line of an answer either (words.py): what a button says stays text
    // and one run of its line.
    const uncut = (text) => {
      const button = text.nodeType === Node.TEXT_NODE && text.parentNode;
      if (!button?.matches?.(":is(.ldv-choices, .ldv-guess) > .jupyter-button") || !HYPHENED.test(text.data)) return;
      const run = document.createElement("span");
      run.append(...text.data.split(HYPHENED).map((part, at) => (at % 2 ? Object.assign(document.createElement("span"), { className: "ldv-whole", textContent: part }) : part)));
      text.replaceWith(run);
    };
    const whole = (node) => {
      if (node.nodeType !== Node.ELEMENT_NODE) return uncut(node);
      for (const button of node.matches(".jupyter-button") ? [node] : node.querySelectorAll(".jupyter-button")) [...button.childNodes].forEach(uncut);
    };
    const closed = (node) => {
      if (node.nodeType === Node.ELEMENT_NODE) [node, ...node.querySelectorAll(".ldv-closed")].forEach(close);
    };
    const replies = new MutationObserver(() => {
      const body = document.querySelector(".ldv-stage-scroll > .ldv-stage-body");
      if ((body && body.parentNode) !== sheet) {
        sizes.disconnect();
        sheet = body && body.parentNode;
        if (sheet) sizes.observe(body);
      }
      const words = sheet ? [sheet.querySelector(".ldv-question"), sheet.querySelector(".ldv-diagnosis")] : [];
      if (words.some((node, at) => node !== last[at])) settle();  // as high as those before, perhaps
      last = words;
      const reply = document.querySelector(".ldv-article .ldv-diagnosis");  // its board is in sight beside it, or above
      if (reply && reply !== beside) for (const one of [document.querySelector(".ldv-article .ldv-board-window"), reply]) one?.scrollIntoView({ block: "nearest" });
      beside = reply;
      const way = document.querySelector(".ldv-scenes");
      if (way && way !== path) amid(way);
      path = way;
    });
    replies.observe(document.body, { childList: true, subtree: true });
    closed(document.body);
    whole(document.body);
    const closing = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) type === "attributes" ? close(target) : addedNodes.forEach((node) => { closed(node); whole(node); });
    });
    closing.observe(document.body, { childList: true, subtree: true, attributeFilter: ["class"] });
    document.addEventListener("keydown", hush);
    document.addEventListener("keydown", shut);
    document.addEventListener("click", shut);
    document.addEventListener("keydown", reveal);
    document.addEventListener("click", follow);
    document.addEventListener("click", heard, true);
    if (own) addEventListener("popstate", back);
    const kept = () => {
      const line = document.getElementById("ldv-kept");
      if (!line) return;
      line.textContent = model.get("kept");
      line.dataset.late = String(line.textContent.startsWith("Pas gardé"));  // in sight as long as it lasts
    };
    const game = () => { if (own && model.get("game")) window.ldv?.inGame?.(model.get("game")); };
    const place = () => {
      const text = model.get("place");
      try {
        if (text === "-") localStorage.removeItem("ligne-de-vue-place");
        else if (text) localStorage.setItem("ligne-de-vue-place", JSON.stringify({ ...JSON.parse(text), when: Date.now() / 1000 }));  // a kernel may have waited
      } catch { /* storage refused: nothing is remembered */ }
    };
    model.on("change:title", name);
    model.on("change:game", game);
    model.on("change:place", place);
    name();
    game();
    place();
    model.on("change:kept", kept);
    const move = () => { moved = true; state(); };
    model.on("change:link", move);
    model.on("change:rules", state);
    model.on("change:scroll", scroll);
    state();
    scroll();
    return () => {
      document.removeEventListener("click", follow);
      document.removeEventListener("click", heard, true);
      document.removeEventListener("keydown", hush);
      document.removeEventListener("keydown", shut);
      document.removeEventListener("click", shut);
      document.removeEventListener("keydown", reveal);
      replies.disconnect();
      closing.disconnect();
      sizes.disconnect();
      removeEventListener("popstate", back);
      removeEventListener("ldv:class", joined);
    };
  },
};
