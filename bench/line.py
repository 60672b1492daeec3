"""How long a page needs to see its network cut or silent, and to be back: `python -m bench.line`.

On a loaded machine, more.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.harness import BROWSER_FLAGS, ROOT, start_server
from tests.browser.proxy import Proxy
from tutor.core.registry import GAMES
from tutor.course.links import Link

PAGE = Link("lesson", next(iter(GAMES)), slug="03-ldv-terrain-plat").url
TURNS = 5
CLOCK = """(() => {
  addEventListener("ldv:back", () => { window.back = performance.now(); });
  window.noticed = () => new Promise((done) => {
    const from = performance.now(), banner = document.getElementById("ldv-banner");
    const look = () => (banner.hidden ? setTimeout(look, 20) : done(performance.now() - from));
    look();
  });
  window.returned = () => new Promise((done) => {
    const from = performance.now(), banner = document.getElementById("ldv-banner");
    const look = () => (!banner.hidden ? setTimeout(look, 20) : done(performance.now() - from));
    look();
  });
})();"""


def turn(page: Page, proxy: Proxy, silent: bool) -> tuple[float, float]:
    """Seconds until the banner shows, and until it goes once the network is back."""
    (proxy.silence if silent else proxy.cut)()
    shown = float(page.evaluate("noticed()")) / 1000
    page.wait_for_timeout(8_000)  # as long as a reader waits in a lift
    proxy.restore(old=False)
    return shown, float(page.evaluate("returned()")) / 1000


def main() -> None:
    """Print both, for a cut and for a silence."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder, "server.log"), notebooks=ROOT / "notebooks")
        proxy = Proxy(int(server.url.rpartition(":")[2]))
        browser = playwright.chromium.launch(executable_path=os.environ.get("LDV_CHROMIUM"), args=BROWSER_FLAGS)
        try:
            page = browser.new_page()
            page.set_default_timeout(120_000)
            page.add_init_script(CLOCK)
            page.goto(proxy.url + PAGE)
            page.wait_for_selector("html[data-ready=true]")
            for name, silent in (("coupure", False), ("silence", True)):
                turns = [turn(page, proxy, silent) for _ in range(TURNS)]
                for said, seconds in (("dite en", [t for t, _ in turns]), ("finie en", [r for _, r in turns])):
                    print(f"{name:8} {said:8} {statistics.median(seconds):5.2f} s (au plus {max(seconds):5.2f} s)")
        finally:
            browser.close()
            proxy.close()
            server.stop()


if __name__ == "__main__":
    main()
