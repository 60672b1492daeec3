// What the editor asks of the browser: the code under which this browser keeps what is made here, and the drafts, of a position and of a lesson, that a reload must not lose.
const OWNER = "ldv-auteur", DRAFT = "ldv-brouillon", LESSON = "ldv-brouillon-lecon";
const read = (key) => { try { return localStorage.getItem(key) || ""; } catch { return ""; } };
const write = (key, text) => {
  try { text ? localStorage.setItem(key, text) : localStorage.removeItem(key); } catch { /* storage refused: nothing is kept here */ }
};

export default {
  render({ model, el }) {
    el.style.display = "none";
    const keep = () => { if (model.get("owner")) write(OWNER, model.get("owner")); };
    const draft = () => write(DRAFT, model.get("draft"));
    model.on("change:owner", keep);
    model.on("change:draft", draft);
    model.on("change:lesson", () => write(LESSON, model.get("lesson")));
    model.on("change:dropped", () => write(model.get("dropped").startsWith("lesson") ? LESSON : DRAFT, ""));
    // Where the tabs scroll (a phone), that of a step chosen by the page itself comes into view.
    model.on("change:step", () => requestAnimationFrame(() =>
      document.querySelector(".ldv-steps-bar .mod-active")?.scrollIntoView({ block: "nearest", inline: "nearest" })));
    if (!model.get("owner")) model.set("owner", read(OWNER));
    model.set("earlier_draft", read(DRAFT));
    model.set("earlier_lesson", read(LESSON));
    model.set("ready", true);
    model.save_changes();
  },
};
