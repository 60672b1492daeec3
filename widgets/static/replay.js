// Keys of a replayed turn: ← and → step, Home and End go to its ends; a board, a field or a list keeps its own keys.
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
export default {
  render({ model, el }) {
    el.style.display = "none";
    const heard = (event) => {
      const key = KEYS[event.key];
      if (!key || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const page = el.closest(".ldv-replay");
      if (!page || (event.target !== document.body && !page.contains(event.target))) return;
      if (event.target.closest?.("canvas, .ldv-canvas, .ldv-board-window, input, select, textarea, [role=application], [role=grid]")) return;
      event.preventDefault();
      model.send({ type: "key", key });  // a trait would hold back all but the last of quick steps
    };
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  },
};
