"""Memory that an open lesson's kernel holds for itself, above the kernel of a bare ipycanvas page of the same run."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from bench.measures import Measure
from bench.pages import RECTANGLE, browsing, lessons, reading, served, settle

TITLE = "Mémoire propre (USS) du noyau d’une leçon ouverte"
LONG = True
MIB = 1024 * 1024
TARGET = 20.0
#: The reader pauses: the kernel gives back what it no longer needs (`widgets.board.memory`).
PAUSE_MS = 4_000


def played(page: Page) -> None:
    """Answer every question of a page, each « Et si… » of a series included."""
    for example in page.locator(".ldv-lesson").all():
        forward = example.get_by_role("button", name="▶", exact=True)
        while True:
            open_choices = example.locator(".ldv-predict .ldv-choices button:not([disabled]):visible").element_handles()
            if open_choices:
                open_choices[0].click()
                page.wait_for_function(
                    "b => [...b.parentElement.querySelectorAll('button')].every((other) => other.disabled)",
                    arg=open_choices[0],
                )
            elif forward.count():
                title = example.locator(".ldv-whatif-head h3").inner_text()
                forward.click()
                page.wait_for_function(
                    "([h, t]) => h.innerText !== t", arg=[example.locator(".ldv-whatif-head").element_handle(), title]
                )
                page.wait_for_timeout(100)
                if not example.locator(".ldv-predict .ldv-choices button:not([disabled]):visible").count():
                    break
            else:
                break


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

        def memory_of(notebook: str, play: bool) -> float:
            before = set(server.kernels())
            with reading(browser, server, notebook) as page:
                page.wait_for_selector("canvas")
                if play:
                    played(page)
                page.wait_for_timeout(PAUSE_MS)
                (mine,) = (process for pid, process in server.kernels().items() if pid not in before)
                used = mine.memory_full_info().uss / MIB
            settle(server, kept=2)
            return float(used)

        bare = memory_of(RECTANGLE, play=False)
        for notebook in lessons():
            used = memory_of(notebook, play=True)
            label = notebook.rpartition("/")[2].removesuffix(".ipynb")
            yield Measure(label, used, "Mio", bare, "un rectangle nu", bare + TARGET)
