"""The browser's side of a class: what the tab remembers, the bar above a page, keys of a projector.

See ``static/class.js``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as ipw
import traitlets as t
from ipywidgets.widgets.widget import _instances

from widgets.board.errors import guarded
from widgets.host.page import Page

STATIC = Path(__file__).parent / "static"
#: What the tab remembers, by name: the class it joined, the teacher's key.
CLASS, TEACHER = "classe", "enseignant"


class ClassPage(anywidget.AnyWidget):
    """What a class asks of the browser. Use :func:`class_page`, and show it once.

    From the page: ``teacher`` (the key this tab remembers), ``shown``. To the page: ``keep`` (what the tab remembers,
    by name; "" forgets), ``go`` (an address to open), ``bar`` (what the bar says), ``listening`` (whether keys are
    heard), ``prints`` (counts what is printed).
    """

    _esm = STATIC / "class.js"
    _css = STATIC / "class.css"

    teacher = t.Unicode("").tag(sync=True)
    shown = t.Bool(False).tag(sync=True)
    keep = t.Dict().tag(sync=True)
    go = t.Unicode("").tag(sync=True)
    bar = t.Dict().tag(sync=True)
    listening = t.Bool(False).tag(sync=True)
    prints = t.Int(0).tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._pressed: list[Callable[[str], object]] = []
        self.on_msg(self._received)

    def _received(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if isinstance(message, dict) and message.get("type") == "key":
            for pressed in self._pressed:
                pressed(str(message.get("key", ""))[:20])

    def on_key(self, pressed: Callable[[str], object]) -> None:
        """Call with each key pressed outside of a field, and with "stuck" when the bar's button is."""
        self._pressed.append(guarded(pressed))

    def remember(self, name: str, text: str) -> None:
        """Have the tab remember a text until it is closed; "" forgets it."""
        self.keep = {**self.keep, name: text}

    def save(self, name: str, mime: str, text: str) -> None:
        """Have the browser save a text as a file."""
        self.send({"type": "save", "name": name, "mime": mime, "text": text})


def class_page(page: Page) -> ClassPage:
    """The one of a page."""
    return page.one(ClassPage)


def show_class_page(page: Page) -> None:
    """Show it beside the course's own widget, on a page that was made before anybody spoke of a class."""
    if any(class_page(page) in each.children for each in _boxes()):
        return
    host = next((each for each in _boxes() if page.course in each.children), None)
    if host is not None:
        host.children = (*host.children, class_page(page))


def _boxes() -> list[ipw.Box]:
    return [widget for widget in list(_instances.values()) if isinstance(widget, ipw.Box)]
