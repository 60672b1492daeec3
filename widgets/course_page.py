"""What a page of the course shares: its style, its place in the browser, and the progress kept there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets as t

from widgets.bridge import bridge
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

    From the page, once all of it is there: ``origin``, ``query``, ``ready``. To the page: ``link`` (address of what is on screen), ``rules``, ``scroll`` (id of an element).
    """

    _esm = STATIC / "course.js"
    _css = style()

    origin = t.Unicode("").tag(sync=True)
    query = t.Unicode("").tag(sync=True)
    ready = t.Bool(False).tag(sync=True)
    link = t.Unicode("").tag(sync=True)
    rules = t.Unicode("").tag(sync=True)
    scroll = t.Unicode("").tag(sync=True)


@lru_cache(maxsize=1)
def course_page() -> CoursePage:
    """The one of this page; show it once, beside the bridge."""
    return CoursePage()


class Progress:
    """Exercises done, kept in the reader's browser: no account, no server.

    >>> Progress.read('{"done": {"cc-04-ldv": ["cc-04-voit"]}}')
    {'cc-04-ldv': ['cc-04-voit']}
    >>> Progress.read("abîmé")
    {}
    """

    def __init__(self) -> None:
        self._bridge = bridge()
        self.done: dict[str, list[str]] = {}
        self._changed: list[Callable[[], None]] = []
        self._bridge.observe(guarded(lambda _: self._load()), "stored")
        course_page().observe(guarded(lambda _: self._load()), "ready")
        self._load()

    @staticmethod
    def read(text: str) -> dict[str, list[str]]:
        """What a stored text says; anything unreadable is nothing."""
        try:
            data: Any = json.loads(text or "{}")
        except ValueError:
            return {}
        done = data.get("done") if isinstance(data, dict) else None
        if not isinstance(done, dict):
            return {}
        return {str(k): [str(i) for i in v] for k, v in done.items() if isinstance(v, list)}

    def _load(self) -> None:
        for lesson, ids in self.read(self._bridge.stored).items():
            known = self.done.setdefault(lesson, [])
            known += [i for i in ids if i not in known]
        for told in self._changed:
            told()

    def on_change(self, told: Callable[[], None]) -> None:
        """Call when more is known."""
        self._changed.append(told)

    def mark(self, lesson: str, exercise: str) -> None:
        """Remember that an exercise is done."""
        known = self.done.setdefault(lesson, [])
        if exercise not in known:
            known.append(exercise)
            self._bridge.to_store = json.dumps({"done": self.done}, ensure_ascii=False)


@lru_cache(maxsize=1)
def progress() -> Progress:
    """The reader's progress, as far as this browser knows."""
    return Progress()
