/* What a lesson shows first, sent with the page: on the screen until the board of the kernel stands in its place. */
(function () {
  "use strict";
  const root = document.documentElement;
  const ldv = (window.ldv = window.ldv || {});

  ldv.first = () => {
    const first = document.getElementById("ldv-first");
    if (!first) return;
    if (location.search || location.hash) return first.remove(); // a link leads to another scene
    const map = first.querySelector(".first-map");
    const draw = () => {
      map.querySelectorAll("svg").forEach((one) => one.remove());
      map.append(map.querySelector('template[data-theme="' + root.dataset.theme + '"]').content.cloneNode(true));
    };
    draw();
    window.addEventListener("ldv:theme", draw);
    first.hidden = false;
    root.dataset.first = "true";

    const stands = () => {
      const board = document.querySelector("#rendered_cells .ldv-stage .ldv-board-window");
      if (!board) return document.querySelector("#rendered_cells .ldv-failure, #rendered_cells [data-ldv-reload]");
      const ground = board.querySelector("img");
      return board.querySelector("canvas") && (!ground || ground.complete);
    };
    const watch = new MutationObserver(give);
    function give() {
      if (!stands()) return;
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
