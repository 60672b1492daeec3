// Keys of a replayed turn: ← and → step, Home and End go to its ends; a board, a field or a list keeps its own keys.
// Its track keeps the event on screen in sight, and the focus on it for who walks along it.
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
export default {
  render({ model, el }) {
    el.style.display = "none";
    const page = () => el.closest(".ldv-replay, .ldv-stage");
    let walks = false, shown = null;
    const heard = (event) => {
      const key = KEYS[event.key];
      if (!key || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const place = page();
      if (!place || !el.isConnected || (event.target !== document.body && !place.contains(event.target))) return;
      if (event.target.closest?.("canvas, .ldv-canvas, .ldv-board-window, input, select, textarea, [role=application], [role=grid], [role=slider]")) return;
      event.preventDefault();
      walks = !!event.target.closest?.(".ldv-track");
      model.send({ type: "key", key });  // a trait would hold back all but the last of quick steps
    };
    const follow = () => {
      const here = page()?.querySelector(".ldv-track [aria-current=step]");
      if (!here || here === shown) return;
      shown = here;
      here.scrollIntoView({ inline: "center", block: "nearest" });
      if (walks) here.focus({ preventScroll: true });
      walks = false;
    };
    const watch = new MutationObserver(follow);
    watch.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("keydown", heard);
    follow();
    return () => {
      document.removeEventListener("keydown", heard);
      watch.disconnect();
    };
  },
};
