"""Memory that a lesson's kernel holds for itself, open and played whole, above that of a bare ipycanvas page of the same run."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from bench.measures import Measure
from bench.pages import RECTANGLE, answered, browsing, gone_on, lessons, reading, served, settle

TITLE = "Mémoire propre (USS) du noyau d’une leçon, ouverte puis jouée entière"
LONG = True
MIB = 1024 * 1024
TARGET = 12.0
#: The reader pauses: the kernel gives back what it no longer needs (`widgets.board.memory`).
PAUSE_MS = 4_000


def played(page: Page) -> None:
    """Answer every question of a lesson, scene by scene, each « Et si… » included."""
    answered(page)
    while gone_on(page):
        answered(page)


def run() -> Iterator[Measure]:
    """Measure, while another reader has a lesson open and another a bare page:
    libraries are shared as they are in use.
    """
    with (
        browsing() as browser,
        served() as server,
        reading(browser, server, lessons()[0]) as lesson,
        reading(browser, server, RECTANGLE) as rectangle,
    ):
        for page in (lesson, rectangle):
            page.wait_for_selector("canvas")

        def own(pids: set[int], page: Page) -> float:
            page.wait_for_timeout(PAUSE_MS)
            (mine,) = (process for pid, process in server.kernels().items() if pid not in pids)
            return float(mine.memory_full_info().uss) / MIB

        def memory_of(notebook: str, *, plays: bool = False) -> list[float]:
            """Once it is there, and once it is played whole."""
            before = set(server.kernels())
            with reading(browser, server, notebook) as page:
                page.wait_for_selector("canvas")
                used = [own(before, page)]
                if plays:
                    played(page)
                    used.append(own(before, page))
            settle(server, kept=2)
            return used

        (bare,) = memory_of(RECTANGLE)
        for notebook in lessons():
            label = notebook.rpartition("/")[2].removesuffix(".ipynb")
            for when, used in zip(("ouverte", "jouée entière"), memory_of(notebook, plays=True), strict=True):
                yield Measure(f"{label}, {when}", used, "Mio", bare, "un rectangle nu", bare + TARGET)
