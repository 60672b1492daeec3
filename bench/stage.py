"""A lesson on the stage: from scene to scene against « Exercice suivant » of the long page, a first visit, the console."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from bench.browser import middle
from bench.measures import Measure
from bench.pages import READY, SIGHT, address, answered, browsing, reading, served
from tests.browser.harness import Server

TITLE = "De scène en scène (horloge, pas processeur)"
LONG = True
PASSES, EXERCISES, STILL, TIMED_OUT = 3, 8, 400, 15_000
#: How late the board of the next scene may be where its grid changes: times the words of « Exercice suivant ».
BOARD = 2.5
#: Bytes of a first visit, as they travel, in KiB.
FIRST_VISIT = 1536.0

#: In the page: press a button; when did the words of a place last change, and the pixels or the size of the board,
#: before both were still for a while?
PRESS = """
([button, place, still, most]) => new Promise((done) => {
  const canvas = () => document.querySelector("canvas.ldv-canvas");
  const look = () => {
    const c = canvas(), { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
    let sum = c.width * 31 + c.height;
    for (let i = 3; i < data.length; i += 404) sum = (sum * 31 + data[i] + data[i - 1]) | 0;
    return sum;
  };
  const words = () => document.querySelector(place).innerText;
  let text = words(), board = look();
  const size = canvas().width + "x" + canvas().height;
  button.click();
  const start = performance.now();
  let last = start, said = 0, painted = 0;
  const poll = () => {
    const now = performance.now(), t = words(), b = look();
    if (t !== text) [text, said, last] = [t, now - start, now];
    if (b !== board) [board, painted, last] = [b, now - start, now];
    if ((said && now - last > still) || now - start > most)
      done({ said, painted, resized: size !== canvas().width + "x" + canvas().height });
    else requestAnimationFrame(poll);
  };
  requestAnimationFrame(poll);
});
"""


def pressed(page: Page, button: Locator, place: str) -> dict[str, Any]:
    """Press a button; milliseconds until the words of a place and the board are there, and whether the grid changed."""
    seen: dict[str, Any] = page.evaluate(PRESS, [button.element_handle(), place, STILL, TIMED_OUT])
    if not seen["said"]:
        raise RuntimeError(f"rien n’a changé après « {button} »")
    return seen


def scenes(browser: Browser, server: Server) -> Iterator[Measure]:
    """Words and board of the next scene, and of the next exercise of the same lesson's long page, in alternation."""
    long: list[float] = []
    words: list[float] = []
    boards: list[float] = []
    for _ in range(PASSES):
        with reading(browser, server, f"{SIGHT}?vue=tout") as page:
            following = page.get_by_role("button", name="Exercice suivant")
            following.wait_for()
            for _ in range(EXERCISES):
                long.append(pressed(page, following, ".ldv-exercises .ldv-side")["said"])
        with reading(browser, server, SIGHT) as page:
            page.wait_for_selector("canvas.ldv-canvas")
            while True:
                answered(page)
                if not page.locator(".ldv-stage-onward").is_visible():
                    break
                seen = pressed(page, page.locator(".ldv-stage-onward"), ".ldv-stage-panel")
                words.append(seen["said"])
                if seen["resized"]:
                    boards.append(seen["painted"])
    floor, against = middle(long), "« Exercice suivant » de la page longue"
    yield Measure("Mots de la scène suivante, médiane", middle(words), "ms", floor, against, floor)
    yield Measure("Son plateau, quand la grille change, médiane", middle(boards), "ms", floor, against, BOARD * floor)


def visits(browser: Browser, server: Server) -> Iterator[Measure]:
    """Bytes of a first visit and of a second one by the same reader, and what the console says meanwhile."""
    said: list[str] = []
    with reading(browser, server) as page:
        page.on("console", lambda message: said.append(message.text) if message.type != "debug" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        asked: dict[str, str] = {}
        travelled: list[tuple[str, float]] = []
        session.on("Network.requestWillBeSent", lambda e: asked.update({e["requestId"]: e["request"]["url"]}))
        session.on(
            "Network.loadingFinished",
            lambda e: travelled.append((asked.get(e["requestId"], ""), e["encodedDataLength"] / 1024)),
        )
        weights = []
        for _ in range(2):
            travelled.clear()
            page.goto(address(server, SIGHT))
            page.wait_for_selector(READY)
            page.wait_for_timeout(1_000)
            files = sum(size for url, size in travelled if "/static/" in url)
            weights.append((files, sum(size for _, size in travelled)))
    (files, first), (files_again, second) = weights
    yield Measure("Première visite : scripts, styles et lettres, en chemin", files, "Kio", target=FIRST_VISIT)
    yield Measure("  avec la page et ses sols", first, "Kio")
    yield Measure(
        "Deuxième visite : scripts, styles et lettres", files_again, "Kio", files, "première visite", files / 50
    )
    yield Measure("  avec la page et ses sols", second, "Kio", first, "première visite")
    yield Measure(f"Console : messages{'' if not said else f' (« {said[0][:60]} »)'}", len(said), "", target=0)


def run() -> Iterator[Measure]:
    """Measure."""
    with browsing() as browser, served() as server:
        yield from scenes(browser, server)
        yield from visits(browser, server)
