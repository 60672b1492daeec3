/* What a page shows first, sent with it: on the screen until the board of the kernel stands in its place. */
(function () {
  "use strict";
  const root = document.documentElement;
  const ldv = (window.ldv = window.ldv || {});
  const LATEST = 1500; // ms after a board is there: its ground does not come, or is another one

  // Whether a page that scrolls will open as the picture shows it: its game is asked for, or is that of the reader
  const fits = (page) => {
    const asked = new URLSearchParams(location.search), { game } = page.dataset;
    if (location.hash || [...asked.keys()].some((name) => name !== "jeu")) return false;
    if (page.querySelector(".first-shape-0") && matchMedia("(max-width: 720px)").matches) return false; // aimed at anew there
    if (page.matches(".first-free")) return (asked.get("jeu") || game) === game;
    let place = {};
    try { place = JSON.parse(localStorage.getItem("ligne-de-vue-place") || "{}") || {}; } catch { /* none is remembered */ }
    if (place.game && matchMedia("(max-width: 999px)").matches) return false; // where he was stands above the question
    if (asked.has("jeu")) return page.dataset.asked === "true" && asked.get("jeu") === game;
    return page.dataset.asked !== "true" && (!place.game || place.game === game);
  };

  ldv.first = () => {
    const first = document.getElementById("ldv-first");
    if (!first) return;
    const page = first.querySelector(".first-page"); // else a lesson
    if (!(page ? fits(page) : !location.search && !location.hash)) return first.remove(); // it leads elsewhere
    const map = first.querySelector(".first-map");
    const draw = () => {
      map.querySelectorAll("svg").forEach((one) => one.remove());
      map.append(map.querySelector('template[data-theme="' + root.dataset.theme + '"]').content.cloneNode(true));
    };
    draw();
    window.addEventListener("ldv:theme", draw);
    first.hidden = false;
    root.dataset.first = page ? "page" : "lesson";

    let met = 0;
    const stands = () => {
      const board = document.querySelector("#rendered_cells :is(.ldv-stage, .ldv-try, .ldv-fit) .ldv-board-window canvas.ldv-canvas");
      if (!board) return document.querySelector("#rendered_cells .ldv-failure, #rendered_cells [data-ldv-reload]");
      if (!met) setTimeout(give, LATEST, met = performance.now());
      const ground = map.querySelector("svg image"), laid = board.style.backgroundImage;
      const seen = board.getClientRects().length && (!ground || laid.includes(ground.getAttribute("href")));
      return seen || performance.now() - met >= LATEST;
    };
    const watch = new MutationObserver(give);
    let given = false;
    function give() {
      if (given || !stands()) return;
      given = true;
      watch.disconnect();
      setTimeout(() => {
        first.remove();
        delete root.dataset.first;
        window.removeEventListener("ldv:theme", draw);
      }, 120); // what was sent to the canvas is painted
    }
    watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["src", "style"] });
    document.addEventListener("load", (e) => { if (e.target.tagName === "IMG") give(); }, true);
  };
})();
