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
        if (visible) target.scrollIntoView({ block: "start" });
        else if (tries--) requestAnimationFrame(seek);
      };
      seek();
    };
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
  },
};
