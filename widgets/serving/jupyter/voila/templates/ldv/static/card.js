/* The card of a rule number, or of a word of the glossary, over the page: the reader stays where he is. Without this script,
   with Ctrl or the middle button, and on paper, a rule number is the link that it is. */
(function () {
  "use strict";
  const RULE = "a.ldv-rule, .ldv-card-row a", WORD = ".ldv-term[data-ldv-card]", EITHER = RULE + ", " + WORD;
  const GONE = "Cette règle n’a pas pu être lue : le serveur ne répond pas.";
  /* Pixels: the least height of a card that stands where the words stand. */
  const LEAST = 300;
  /* Milliseconds: a pointer that only passes over a number asks for nothing. */
  const PAUSE = 60;

  // -- What a number or a word opens -----------------------------------------------------------------------------------
  function addressOf(node) {
    if (node.dataset.ldvCard) return node.dataset.ldvCard;
    const link = new URL(node.href, location.href), game = link.searchParams.get("jeu"), rule = link.searchParams.get("regle");
    const ours = link.origin === location.origin && link.pathname === "/" && game && rule;
    return ours ? "/regles/" + encodeURIComponent(game) + "?regle=" + encodeURIComponent(rule) : "";
  }
  const kept = new Map(); // by address, the promise of its HTML
  function read(address) {
    if (!kept.has(address)) {
      const answer = fetch(address).then(async (sent) => {
        const text = await sent.text();
        if (sent.ok) return { html: text };
        kept.delete(address);
        return { fault: text.trim() };
      }).catch(() => { kept.delete(address); return { fault: GONE }; });
      kept.set(address, answer);
    }
    return kept.get(address);
  }

  // -- The card ----------------------------------------------------------------------------------------------------------
  let dialog = null, body = null, back = null;
  let opener = null; // what the reader touched
  let trail = []; // what has been read in this card: [address, name], the last one shown
  function make() {
    dialog = document.createElement("dialog");
    dialog.className = "ldv-card-sheet";
    dialog.setAttribute("aria-labelledby", "ldv-card-title");
    dialog.innerHTML = '<div class="ldv-card-in"><p class="ldv-card-bar"><button type="button" data-ldv-back></button>'
      + '<button type="button" data-ldv-close aria-label="Fermer" title="Fermer">✕</button></p><div class="ldv-card-body" tabindex="-1"></div></div>';
    document.body.append(dialog);
    body = dialog.querySelector(".ldv-card-body");
    back = dialog.querySelector("[data-ldv-back]");
    back.addEventListener("click", goBack);
    dialog.querySelector("[data-ldv-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); }); // outside of it
    dialog.addEventListener("close", closed);
    // The keys of the lesson behind are not for it; Escape is, and the browser's own.
    for (const name of ["keydown", "keyup", "keypress"]) dialog.addEventListener(name, (event) => event.stopPropagation());
    addEventListener("resize", place);
    addEventListener("ldv:theme", picture);
  }
  /** Where a lesson has its words beside the board, the card lies over the words, and the board stays in sight. */
  function place() {
    if (!dialog || !dialog.open) return;
    const panel = [...document.querySelectorAll(".ldv-stage-panel")].find((node) => node.getClientRects().length);
    dialog.toggleAttribute("data-over", !!panel);
    if (!panel) return;
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const edges = { left, right: innerWidth - right, top: Math.max(0, Math.min(top, bottom - LEAST)), bottom: Math.max(0, innerHeight - bottom) };
    for (const [name, value] of Object.entries(edges)) dialog.style.setProperty("--" + name, Math.round(value) + "px");
  }
  function picture() {
    if (!body) return;
    const theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
    for (const image of body.querySelectorAll("[data-ldv-picture]")) image.src = image.dataset.ldvPicture + "&theme=" + theme;
  }
  async function show(address, name, hint, node) {
    back.textContent = trail.length > 1 ? "‹ " + trail[trail.length - 2][1] : "‹ Retour";
    back.setAttribute("aria-label", trail.length > 1 ? "Retour à " + trail[trail.length - 2][1] : "Retour à la page");
    const title = document.createElement("h2");
    title.id = "ldv-card-title";
    title.tabIndex = -1;
    title.textContent = name;
    const line = document.createElement("p");
    line.textContent = hint;
    body.replaceChildren(title, line);
    body.setAttribute("aria-busy", "true");
    const { html, fault } = await read(address);
    if (!trail.length || trail[trail.length - 1][0] !== address) return; // he has gone on
    body.removeAttribute("aria-busy");
    if (html) body.innerHTML = html;
    else {
      line.textContent = fault;
      if (node && node.href) {
        const link = document.createElement("a");
        Object.assign(link, { href: node.href, target: "_blank", rel: "noopener", textContent: "Ouvrir dans l’index" });
        body.append(link);
      }
    }
    body.scrollTop = 0;
    picture();
    document.getElementById("ldv-card-title").focus({ preventScroll: true });
  }
  function open(node) {
    const address = addressOf(node), name = (node.querySelector(".ldv-rule") || node).textContent.trim();
    if (!dialog) make();
    const inside = dialog.contains(node);
    if (!inside) { opener = node; trail = []; }
    trail.push([address, name]);
    if (!dialog.open) { dialog.showModal(); place(); }
    show(address, name, inside ? "" : (node.title || node.dataset.definition || "").replace(/^.* — /, ""), node);
  }
  function goBack() {
    trail.pop();
    const last = trail[trail.length - 1];
    if (last) show(last[0], last[1], "");
    else dialog.close();
  }
  function closed() {
    trail = [];
    body.replaceChildren();
    let node = opener;
    if (node && !node.isConnected) { // written anew meanwhile
      const alike = [...document.querySelectorAll(EITHER)].filter((one) => addressOf(one) === addressOf(opener));
      node = alike.find((one) => one.getClientRects().length) || document.querySelector(".ldv-stage-eyebrow, #ldv-content");
    }
    if (node) node.focus({ preventScroll: true });
    opener = null;
  }

  // -- Touched, pressed; what the reader comes near is already asked for ----------------------------------------------------
  const touched = (event) => event.target.closest && event.target.closest(EITHER);
  const plain = (event) => !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  document.addEventListener("click", (event) => {
    const node = touched(event);
    if (!node || !plain(event) || !addressOf(node)) return;
    event.preventDefault();
    open(node);
  });
  document.addEventListener("keydown", (event) => {
    const node = touched(event);
    if (!node || node.href || !["Enter", " "].includes(event.key) || !plain(event)) return; // a link is clicked by Enter itself
    event.preventDefault();
    open(node);
  });
  let coming = 0;
  const near = (event) => {
    clearTimeout(coming);
    const node = touched(event);
    if (!node || !addressOf(node)) return;
    node.setAttribute("aria-haspopup", "dialog");
    coming = setTimeout(() => read(addressOf(node)), PAUSE);
  };
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, near, { passive: true });
})();
