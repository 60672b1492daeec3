"""A page of the course in the browser: its style, its address, what it says of itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anywidget
import traitlets as t

from widgets.board.errors import guarded
from widgets.host.deferred import served

STATIC = Path(__file__).parent / "static"
TEMPLATE = Path(__file__).parent.parent / "serving" / "jupyter" / "voila" / "templates" / "ldv" / "static"


def style() -> str:
    """The style of the course: ours alone on our server; in JupyterLab, the template's colours and layout with it.

    >>> "--ldv-paper:" in style()
    True
    """
    ours = (STATIC / "course.css",)
    if not served():
        ours = (*(TEMPLATE / f"{name}.css" for name in ("colours", "lesson", "camera")), *ours, STATIC / "lab.css")
    return "\n".join(path.read_text(encoding="utf-8") for path in ours)


class CoursePage(anywidget.AnyWidget):
    """Style of the course, address of the page, what a report of an error says. Use ``Page.course``.

    From the page, once all of it is there: ``origin``, ``query``, ``ready``. To the page: ``link`` (address of what is
    on screen), ``rules``, ``scroll`` (id of an element), ``kept`` (whether what the reader does is kept).
    ``title``: what the browser's tab is called, where the page has no name of its own.
    ``game``: the one that the page is about, for the menu; ``place``: where the reader is, to be remembered by the
    browser, and ``last``: what it remembered (:mod:`widgets.host.whereabouts`).
    ``attending``: what this browser's tab remembers of a class it joined. In Python alone: ``where`` (lesson, exercise,
    step, what the reader is stuck on).
    """

    @property
    def _esm(self) -> str:
        """What the template's pages bring themselves comes with it in JupyterLab: boards are looked at nearer there too."""
        ours = (STATIC / "course.js",) if served() else (STATIC / "course.js", TEMPLATE / "camera.js")
        return "\n".join(path.read_text(encoding="utf-8") for path in ours)

    @property
    def _css(self) -> str:
        """Read when a page is made: a kernel may import this before it knows what it is for."""
        return style()

    title = t.Unicode("").tag(sync=True)
    origin = t.Unicode("").tag(sync=True)
    query = t.Unicode("").tag(sync=True)
    ready = t.Bool(False).tag(sync=True)
    link = t.Unicode("").tag(sync=True)
    rules = t.Unicode("").tag(sync=True)
    scroll = t.Unicode("").tag(sync=True)
    kept = t.Unicode("").tag(sync=True)
    game = t.Unicode("").tag(sync=True)
    place = t.Unicode("").tag(sync=True)
    last = t.Unicode("").tag(sync=True)
    attending = t.Unicode("").tag(sync=True)
    where = t.Dict()

    def on_attending(self, attend: Callable[[], object]) -> None:
        """Call when the tab turns out to be in a class, at once when it is already."""
        self.observe(guarded(lambda change: attend() if change["new"] else None), "attending")
        if self.attending:
            attend()

    def on_query(self, listener: Callable[[], object]) -> None:
        """Call when the address of the page asks for something, at once when it already does."""
        self.observe(guarded(lambda _: listener()), "query")
        if self.query:
            listener()
