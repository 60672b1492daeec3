"""What a reader waits for: a click on the board, its panels, the page; each against a bare page of the same run."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle

from playwright.sync_api import Browser, CDPSession, Page

from bench.measures import Measure
from bench.pages import GROUPS, RECTANGLE, SIGHT, SLIDER, address, answered, browsing, reading, served, settle
from tests.browser.harness import Server
from tutor.core.registry import GAMES, load_position
from widgets.board.paint.shapes import fitted

TITLE = "Dans le navigateur (horloge, pas processeur)"
LONG = True
CLICKS, ODDS_CLICKS, BLOCK, VISITS, MOVES = 300, 80, 10, 5, 60
FRAME = 17.0
#: How late the first answer of a lesson's board may be: times that of a bare slider.
ARRIVED = 1.10
#: Boards of the lessons, their greatest size in CSS pixels, and hexes whose choice changes line, steps and odds.
SIZE = (760, 560)
#: The first of them in view when the page has just opened.
FIRST = 0
SIGHTS = ("ldv-lisiere", ("A2", "E6", "H3", "C1", "G6", "A5"))
TARGETS = ("groupe-haie", ("E5", "F2"))  # never as it was first shown: the reply says that verdict

#: In the page: the time from a press to the first frame whose pixels around a point have changed, and to the last
#: change of each panel. A click is over when its pixels have changed and the panels have been still for a while.
WATCH = """
window.ldvWatch = ([fx, fy, part, panels, still]) => {
  const canvas = document.querySelector('canvas');
  const box = canvas.getBoundingClientRect(), k = canvas.width / box.width, pen = canvas.getContext('2d');
  const x = fx * box.width, y = fy * box.height, reach = part * box.width;
  const read = () => {
    const data = pen.getImageData((x - reach) * k, (y - reach) * k, 2 * reach * k, 2 * reach * k).data;
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] * 7 + data[i + 1] * 5 + data[i + 2]) | 0;
    return sum;
  };
  const before = read(), times = {}, watchers = [];
  let start = 0, last = 0;
  window.ldvClick = new Promise((done) => {
    setTimeout(() => done(times), 20000);  // it fell on something else
    canvas.addEventListener('mousedown', () => {
      start = last = performance.now();
      const poll = () => {
        const now = performance.now();
        if (!times.repaint && read() !== before) { times.repaint = now - start; times.at = last = now; }
        if ((times.repaint && now - last > still) || now - start > 3000) {
          watchers.forEach((w) => w.disconnect());
          done(times);
        } else requestAnimationFrame(poll);
      };
      requestAnimationFrame(poll);
    }, { once: true, capture: true });
  });
  for (const [name, selector] of Object.entries(panels)) {
    const watcher = new MutationObserver(() => { last = performance.now(); if (start) times[name] = last - start; });
    const watched = { childList: true, subtree: true, characterData: true, attributes: true };
    watcher.observe(document.querySelector(selector), watched);
    watchers.push(watcher);
  }
  return [box.left + x, box.top + y];
};
"""
#: In the page: when the board was first painted and nothing covered it, since the page was asked for.
ARRIVAL = """
const ldvPainted = (c) => {
  if (c.width < 10 || !c.getClientRects().length) return false;  // painted where the page does not show it yet
  const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);  // its ground may be a picture below it
  for (let i = 3; i < data.length; i += 44) if (data[i]) return true;
  return false;
};
const ldvLook = () => {
  const covered = 'first' in document.documentElement.dataset;
  if (!covered && [...document.querySelectorAll('canvas.ldv-canvas')].some(ldvPainted)) window.ldvSeen = performance.now();
  else requestAnimationFrame(ldvLook);
};
requestAnimationFrame(ldvLook);
"""


def mouse(session: CDPSession, kind: str, x: float, y: float, buttons: int = 1) -> None:
    """A real event of the mouse."""
    button = "left" if kind != "mouseMoved" else "none"
    event = {"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1}
    session.send("Input.dispatchMouseEvent", event)


class Clicker:
    """Real clicks on the first canvas of a page, one at a time.

    Args:
        page: what is clicked.
        spots: points in fractions of the canvas, clicked in turn.
        reach: half the side of the square watched around each, as a fraction of the canvas's width.
        still: milliseconds without a change after which a click is over.
    """

    def __init__(
        self,
        page: Page,
        spots: list[tuple[float, float]],
        reach: float,
        still: int = 60,
    ) -> None:
        self.page, self.reach, self.still = page, reach, still
        self.panels: dict[str, str] = {}
        self._spots = cycle(spots)
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._canvas = page.locator("canvas").first
        self._canvas.evaluate("c => c.scrollIntoView({block: 'center'})")
        page.evaluate(f"() => {{ {WATCH} }}")
        self.times: dict[str, list[float]] = {}

    def warm(self) -> None:
        """Click without counting: what a first click makes is there afterwards."""
        for _ in range(BLOCK):
            self.click(keep=False)

    def watch(self, panels: dict[str, str]) -> None:
        """Time the last change of other places, too: name -> CSS selector."""
        for selector in panels.values():
            self.page.wait_for_selector(selector, state="attached")
        self.panels = panels

    def click(self, keep: bool = True) -> None:
        """Click the next spot, and note what came of it."""
        fx, fy = next(self._spots)
        x, y = self.page.evaluate("(all) => ldvWatch(all)", [fx, fy, self.reach, self.panels, self.still])
        mouse(self._session, "mouseMoved", x, y, 0)
        mouse(self._session, "mousePressed", x, y)
        mouse(self._session, "mouseReleased", x, y, 0)
        times = self.page.evaluate("ldvClick")
        if "repaint" not in times:
            raise RuntimeError(f"rien n’a été repeint après un clic en {fx:.2f}, {fy:.2f}")
        if keep:
            for name, value in times.items():
                self.times.setdefault(name, []).append(value)

    def hover(self, moves: int) -> int:
        """Move the pointer over the canvas; how many messages went to the kernel, signs of life of the page apart."""
        sent: list[str] = []
        self._session.send("Network.enable")
        self._session.on("Network.webSocketFrameSent", lambda frame: sent.append(frame["response"]["payloadData"]))
        box = self._canvas.bounding_box()
        assert box is not None
        for i in range(moves):
            mouse(
                self._session,
                "mouseMoved",
                box["x"] + box["width"] * (0.1 + 0.8 * i / moves),
                box["y"] + box["height"] * 0.5,
                0,
            )
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
        self._session.send("Network.disable")
        return sum('"ping"' not in text and not _ping(text) for text in sent)


def _ping(payload: str) -> bool:
    """Whether a frame, as DevTools shows it (binary ones in base 64), is the page's « are you there? », or its « I am »."""
    from base64 import b64decode

    try:
        return any(sign in b64decode(payload) for sign in (b'"ping"', b'"here"'))
    except ValueError:
        return False


def board_spots(position: str, cells: tuple[str, ...]) -> tuple[list[tuple[float, float]], float]:
    """Centres of hexes and a hex's radius, as fractions of a board's picture."""
    view = fitted(load_position(next(iter(GAMES)), position).grid, *SIZE)
    spots = [view.centre(cell) for cell in cells]
    return [(x / view.width, y / view.height) for x, y in spots], view.radius / view.width


def middle(values: list[float]) -> float:
    """Median."""
    return statistics.median(values)


def high(values: list[float]) -> float:
    """Value that 95 % do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def clicks(browser: Browser, server: Server) -> Iterator[Measure]:
    """From click to repaint and panels, bare page and lesson in alternation; then the lesson with odds;
    then hovering.
    """
    panels = {"verdict": ".ldv-verdict-line", "steps": ".ldv-trace", "odds": ".ldv-odds-stack"}
    with ExitStack() as stack:
        bare_page = stack.enter_context(reading(browser, server, RECTANGLE))
        page = stack.enter_context(reading(browser, server, SIGHT))
        answered(page)
        spots, radius = board_spots(*SIGHTS)
        bare = Clicker(bare_page, [(0.3, 0.3), (0.6, 0.6)], radius)
        ours = Clicker(page, spots, radius)
        for warm in (bare, ours):
            warm.warm()
        ours.watch({name: panels[name] for name in ("verdict", "steps")})
        for _ in range(CLICKS // BLOCK):
            for turn in (bare, ours):
                for _ in range(BLOCK):
                    turn.click()
        for name, of in (("médiane", middle), ("95 %", high)):
            floor = of(bare.times["repaint"])
            yield Measure(
                f"Clic : choix et ligne peints, {name}",
                of(ours.times["repaint"]),
                reference=floor,
                against="un rectangle nu",
                target=floor + FRAME,
            )
        yield from _panels(ours, {"verdict": "Verdict", "steps": "Étapes"})
        moved = ours.hover(MOVES)
        yield Measure(f"Survol, {MOVES} mouvements : messages au noyau", moved, "", target=0)
    with reading(browser, server, GROUPS) as page:
        answered(page)
        spots, radius = board_spots(*TARGETS)
        fire = Clicker(page, spots, radius)
        fire.warm()
        fire.watch(panels)
        for _ in range(ODDS_CLICKS):
            fire.click()
        yield from _panels(fire, {"verdict": "Tir : verdict", "steps": "Tir : étapes", "odds": "Tir : chances"})


def _panels(clicker: Clicker, names: dict[str, str]) -> Iterator[Measure]:
    for name, label in names.items():
        times = clicker.times.get(name, [])
        if len(times) < len(clicker.times["repaint"]) // 2:
            raise RuntimeError(f"{label} : changé {len(times)} fois seulement")
        yield Measure(f"{label} à jour, médiane", middle(times), target=100)
        yield Measure(f"{label} à jour, 95 %", high(times), target=200)


def slider_answers(browser: Browser, server: Server) -> float:
    """Milliseconds from the request of the bare page to its slider's first answer."""
    with reading(browser, server) as page:
        page.goto(address(server, SLIDER), wait_until="commit")
        handle = page.locator(".noUi-handle, .ui-slider-handle").first
        handle.wait_for()
        handle.focus()
        page.keyboard.press("ArrowRight")
        seen = page.wait_for_function("document.querySelector('.answer')?.textContent === '4' && performance.now()")
        return float(seen.json_value())


def board_answers(browser: Browser, server: Server, notebook: str) -> float:
    """Milliseconds from the request of a lesson to its board's first answer to a click."""
    spots, radius = board_spots(*SIGHTS)
    with reading(browser, server, script=ARRIVAL + WATCH) as page:
        page.goto(address(server, notebook), wait_until="commit")
        session = page.context.new_cdp_session(page)
        page.wait_for_function("window.ldvSeen")
        fx, fy = spots[FIRST]
        x, y = page.evaluate("(all) => ldvWatch(all)", [fx, fy, radius, {}, 0])
        mouse(session, "mousePressed", x, y)
        mouse(session, "mouseReleased", x, y, 0)
        times = page.evaluate("ldvClick")
    if "at" not in times:
        raise RuntimeError("le plateau n’a pas répondu au premier clic")
    return float(times["at"])


def arrivals(browser: Browser, server: Server, name: str, waiting: int) -> Iterator[Measure]:
    """From request to first answer, the bare page and the lesson in alternation.

    Args:
        browser: what reads.
        server: what serves.
        name: French, how kernels come.
        waiting: pre-heated kernels to wait for before each visit.
    """
    floor: list[float] = []
    answers: list[float] = []
    for visit in range(VISITS + 1):
        settle(server, waiting)
        slider = slider_answers(browser, server)
        settle(server, waiting)
        lesson = board_answers(browser, server, SIGHT)
        if visit:  # the first of each fills the disk's cache
            floor.append(slider)
            answers.append(lesson)
    reference = middle(floor)
    label = f"Arrivée {name} : plateau qui répond"
    yield Measure(label, middle(answers), "ms", reference, "un curseur nu", reference * ARRIVED)


def run() -> Iterator[Measure]:
    """Measure."""
    with browsing() as browser:
        with served() as server:
            yield from clicks(browser, server)
            yield from arrivals(browser, server, "à froid", 0)
        with served(f"{SIGHT}:1,{SLIDER}:1") as server:
            yield from arrivals(browser, server, "préchauffée", 2)
