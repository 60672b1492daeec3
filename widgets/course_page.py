"""What a page of the course shares: its style, and its place in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets as t

from widgets.errors import guarded
from widgets.later import served

STATIC = Path(__file__).parent / "static"
TEMPLATE = Path(__file__).parent / "serving" / "jupyter" / "voila" / "templates" / "ldv" / "static"


def style() -> str:
    """The style of the course: ours alone on our server; in JupyterLab, the template's colours and layout with it.

    >>> "--ldv-paper" in style() and "#rendered_cells" not in style()
    True
    """
    own = (STATIC / "course.css").read_text(encoding="utf-8")
    if served():
        return own
    template = (TEMPLATE / "ldv.css").read_text(encoding="utf-8")
    colours = re.search(r":root \{.*?\n\}", template, re.DOTALL)
    layout = (TEMPLATE / "lesson.css").read_text(encoding="utf-8")
    both = re.sub(r"#(?:rendered_cells|ldv-content) ", "", layout + own)
    lab = (STATIC / "lab.css").read_text(encoding="utf-8")
    return (colours[0].replace("color-scheme: light;", "") if colours else "") + both + lab


class CoursePage(anywidget.AnyWidget):
    """Style of the course, address of the page, what a report of an error says. Use :func:`course_page`.

    From the page, once all of it is there: ``origin``, ``query``, ``ready``. To the page: ``link`` (address of what is on screen), ``rules``, ``scroll`` (id of an
    element), ``kept`` (whether what the reader does is kept). ``attending``: what this browser's tab remembers of a class
    it joined. In Python alone: ``where`` (lesson, exercise, step, what the reader is stuck on).
    """

    _esm = STATIC / "course.js"

    @property
    def _css(self) -> str:
        """Read when a page is made: a kernel may import this before it knows what it is for."""
        return style()

    origin = t.Unicode("").tag(sync=True)
    query = t.Unicode("").tag(sync=True)
    ready = t.Bool(False).tag(sync=True)
    link = t.Unicode("").tag(sync=True)
    rules = t.Unicode("").tag(sync=True)
    scroll = t.Unicode("").tag(sync=True)
    kept = t.Unicode("").tag(sync=True)
    attending = t.Unicode("").tag(sync=True)
    where = t.Dict()

    def on_query(self, told: Callable[[], object]) -> None:
        """Call when the address of the page asks for something, at once when it already does."""
        self.observe(guarded(lambda _: told()), "query")
        if self.query:
            told()


@lru_cache(maxsize=1)
def course_page() -> CoursePage:
    """The one of this page; show it once, beside the bridge."""
    made = CoursePage()
    made.observe(_attend, "attending")
    return made


def _attend(change: dict[str, Any]) -> None:
    """The tab is in a class: only then is what follows a class imported."""
    if change["new"]:
        from widgets.classroom import attend

        attend()
