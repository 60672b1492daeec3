// What a page of the course asks of the browser besides its boards: where it is, what to scroll to, what a report says.
export default {
  // Told when shown, not when made: only then is every other widget of the page there to hear what comes of it.
  render({ model, el }) {
    el.style.display = "none";
    model.set("origin", location.origin === "null" ? "" : location.origin);
    model.set("query", location.search);
    try { model.set("attending", sessionStorage.getItem("ldv-classe") || ""); } catch { /* storage refused: no class */ }
    model.set("ready", true);
    model.save_changes();
    const state = () => {
      const link = model.get("link");
      window.ldvState = { ...(link && { link: location.origin + link }), ...(model.get("rules") && { rules: model.get("rules") }) };
    };
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
    const own = !!document.getElementById("ldv-content");
    const ask = (query) => {
      model.set("query", query);
      model.save_changes();
    };
    const back = () => ask(location.search);
    const follow = (event) => {
      const link = event.target.closest && event.target.closest("a[data-ldv-within]");
      if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (own && link.href !== location.href) history.pushState(null, "", link.href);
      ask(link.search);
    };
    const hush = (event) => { if (event.key === "Escape") document.activeElement?.closest?.(".ldv-term")?.blur(); };
    // On the screen of a room a key shows the answer under the eyes: that of the example nearest to the middle of the window.
    const reveal = (event) => {
      if (document.documentElement.dataset.mode !== "projection" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (![" ", "Enter", "ArrowRight"].includes(event.key) || event.target.closest("input, select, textarea, button, a, summary, canvas")) return;
      const away = (button) => {
        const { top, bottom } = button.closest(".ldv-lesson").getBoundingClientRect();
        return Math.max(top - innerHeight / 2, innerHeight / 2 - bottom, 0);
      };
      const shown = [...document.querySelectorAll(".ldv-lesson .ldv-reveal")].filter((button) => button.getClientRects().length);
      const near = shown.sort((a, b) => away(a) - away(b))[0];
      if (!near || !near.textContent.startsWith("Montrer")) return;
      event.preventDefault();
      near.click();
    };
    document.addEventListener("keydown", hush);
    document.addEventListener("keydown", reveal);
    document.addEventListener("click", follow);
    if (own) addEventListener("popstate", back);
    const kept = () => {
      const line = document.getElementById("ldv-kept");
      if (line) line.textContent = model.get("kept");
    };
    model.on("change:kept", kept);
    model.on("change:link", state);
    model.on("change:rules", state);
    model.on("change:scroll", scroll);
    state();
    scroll();
    return () => {
      document.removeEventListener("click", follow);
      document.removeEventListener("keydown", hush);
      document.removeEventListener("keydown", reveal);
      removeEventListener("popstate", back);
    };
  },
};
