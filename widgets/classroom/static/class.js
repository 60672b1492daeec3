// What a class asks of the browser: what this tab remembers (and no longer than it lives), the bar above a page, keys of a projector, printing.

const NAMES = { classe: "ldv-classe", enseignant: "ldv-enseignant" };

function read(name) {
  try { return sessionStorage.getItem(NAMES[name]) || ""; } catch { return ""; }
}

function remember(wanted) {
  for (const [name, text] of Object.entries(wanted)) {
    if (!(name in NAMES)) continue;
    try {
      if (text) sessionStorage.setItem(NAMES[name], text);
      else sessionStorage.removeItem(NAMES[name]);
      if (name !== "classe") continue;
      if (text) sessionStorage.removeItem("ldv-classe-seul");
      else sessionStorage.setItem("ldv-classe-seul", "1");  // left: what other tabs know of the class is not for this one
    } catch { /* storage refused: the page works on, and forgets when it is left */ }
  }
}

// What was remembered is shown at the door of the server too, once in the life of this page: places are kept for it.
const shown = new Set();
async function show(wanted) {
  let code = "";
  try { code = JSON.parse(wanted.classe || "{}").code || ""; } catch { /* nothing to show */ }
  const secrets = [code, wanted.enseignant || ""].filter((secret) => secret && !shown.has(secret));
  secrets.forEach((secret) => shown.add(secret));
  await Promise.all(secrets.map((secret) => window.ldv?.enter?.(secret)));
}

function part(tag, css, text) {
  const made = document.createElement(tag);
  made.className = css;
  made.textContent = text;
  return made;
}

// Everything that others typed goes through textContent.
function fill(bar, said, press) {
  bar.hidden = !said.title;
  bar.dataset.hot = String(Boolean(said.hot));
  const status = bar.querySelector("[role=status]");
  const rest = [...bar.children].filter((child) => child !== status);
  rest.forEach((child) => child.remove());
  const who = part("span", "ldv-classbar-who", said.title || "");
  if (said.nickname) who.append(part("small", "", " " + said.nickname));
  bar.prepend(who);
  if (status.textContent !== said.text) status.textContent = said.text || "";
  if (said.href) {
    const go = part("a", "ldv-button", said.label);
    go.href = said.href;
    if (said.press) go.onclick = (event) => { event.preventDefault(); press(said.press); };  // it is on this page
    bar.append(go);
  }
  if (said.stuck !== undefined) {
    const stuck = part("button", "ldv-classbar-stuck", said.stuck ? "⚑ Aide demandée" : "Je suis bloqué");
    stuck.type = "button";
    stuck.setAttribute("aria-pressed", String(Boolean(said.stuck)));
    stuck.onclick = () => press(said.stuck ? "unstuck" : "stuck");
    bar.append(stuck);
  }
}

function save({ name, mime, text }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: mime }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export default {
  render({ model, el }) {
    el.style.display = "none";
    const press = (key) => model.send({ type: "key", key });
    let entering = Promise.resolve();
    const keep = () => {
      remember(model.get("keep"));
      entering = show(model.get("keep"));
    };
    const go = () => {
      const address = model.get("go");
      if (!address) return;
      const before = entering;
      keep();
      Promise.all([before, entering]).then(() => location.assign(address));
    };
    const bar = part("div", "ldv-classbar", "");
    bar.setAttribute("role", "region");
    bar.setAttribute("aria-label", "Votre classe");
    const status = part("span", "ldv-classbar-said", "");
    status.setAttribute("role", "status");
    bar.append(status);
    const cells = document.getElementById("rendered_cells");
    if (cells) cells.before(bar);
    // A stage begins below it.
    const root = document.documentElement.style;
    const sizes = new ResizeObserver(() => root.setProperty("--ldv-bar", `${bar.offsetHeight}px`));
    sizes.observe(bar);
    const said = () => fill(bar, model.get("bar"), press);
    const typed = (event) => {
      if (!model.get("listening") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input, select, textarea, button, a, summary, canvas")) return;
      if (![" ", "Enter", "ArrowRight"].includes(event.key)) return;
      event.preventDefault();
      press(event.key);
    };
    document.addEventListener("keydown", typed);
    const print = () => { if (model.get("prints")) window.print(); };
    model.on("msg:custom", (message) => { if (message.type === "save") save(message); });
    model.on("change:keep", keep);
    model.on("change:go", go);
    model.on("change:bar", said);
    model.on("change:prints", print);
    keep();
    said();
    go();
    if (!("enseignant" in model.get("keep"))) model.set("teacher", read("enseignant"));
    model.set("shown", true);
    model.save_changes();
    return () => { document.removeEventListener("keydown", typed); sizes.disconnect(); root.removeProperty("--ldv-bar"); bar.remove(); };
  },
};
