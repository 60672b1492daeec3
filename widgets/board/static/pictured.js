// A picture that answers: its sliders by pointer, arrows, Home and End; its buttons by click. It keeps the focus when it is drawn again.
export default {
  render({ model, el }) {
    const write = () => {
      const held = el.contains(document.activeElement) ? document.activeElement.dataset.name : "";
      el.innerHTML = model.get("picture");
      el.style.display = model.get("picture") ? "" : "none";
      if (held) el.querySelector(`[data-name="${held}"]`)?.focus();
    };
    const say = (name, value) => {
      model.set("asked", `${name} ${value} ${Date.now()}`);
      model.save_changes();
    };
    const slider = (event) => event.target.closest("[role=slider]");
    el.addEventListener("click", (event) => {
      const made = event.target.closest("button[data-name]");
      if (made) return say(made.dataset.name, made.dataset.value || 0);
      const space = event.target.closest("[data-space]"), track = space && slider(event);
      if (!track) return;
      track.focus({ preventScroll: true });
      say(track.dataset.name, space.dataset.space);
    });
    el.addEventListener("keydown", (event) => {
      const track = slider(event);
      if (!track || event.altKey || event.ctrlKey || event.metaKey) return;
      const low = +track.getAttribute("aria-valuemin"), high = +track.getAttribute("aria-valuemax"), now = +track.getAttribute("aria-valuenow");
      const wanted = { ArrowRight: now + 1, ArrowUp: now + 1, ArrowLeft: now - 1, ArrowDown: now - 1, Home: low, End: high }[event.key];
      if (wanted === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const next = Math.min(high, Math.max(low, wanted));
      if (next === now) return;
      track.setAttribute("aria-valuenow", next);  // the next key goes on from here, before the kernel has answered
      say(track.dataset.name, next);
    });
    model.on("change:picture", write);
    write();
    return () => model.off("change:picture", write);
  },
};
