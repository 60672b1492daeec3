"""The bridge: one small anywidget for each page, which gives boards what a canvas lacks. See ``static/bridge.js``."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import anywidget
import traitlets as t

from widgets.board import errors, once
from widgets.board.canvas import Turns

STATIC = Path(__file__).parent / "static"
#: Largest file or text that a page sends, in bytes or characters: a larger message would close its way to the server.
LARGEST = 400_000


class Bridge(anywidget.AnyWidget):
    """Roles and names, announcements, links, storage, theme and liveness of the page.

    One for each page, whose boards share it; a board that stands alone has its own. ``turns``: of its first paintings.

    Traits from the page: ``page``, ``stored``, ``width``, ``dark``, ``films`` (it plays proofs). To the page: ``announce``, ``alert``, ``to_store``,
    ``boards``, ``grounds`` (pictures drawn here, by name), ``most`` (see ``LARGEST``).
    """

    _esm = STATIC / "bridge.js"
    _css = STATIC / "bridge.css"

    boards = t.Dict().tag(sync=True)
    grounds = t.Dict().tag(sync=True)
    announce = t.Unicode("").tag(sync=True)
    alert = t.Dict().tag(sync=True)
    page = t.Unicode("").tag(sync=True)
    store_key = t.Unicode("ligne-de-vue").tag(sync=True)
    stored = t.Unicode("").tag(sync=True)
    to_store = t.Unicode("").tag(sync=True)
    width = t.Int(1280).tag(sync=True)
    dark = t.Bool(False).tag(sync=True)
    films = t.Bool(False).tag(sync=True)
    ping_every = t.Float(2.5).tag(sync=True)
    dead_after = t.Float(12.0).tag(sync=True)
    most = t.Int(LARGEST).tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.turns = Turns()
        self._listeners: dict[str, Callable[[dict[str, Any]], None]] = {}
        self._count = 0
        self.on_msg(self._received)
        self.observe(errors.guarded(lambda _: self._broadcast({"type": "redraw"})), "dark")
        self._deaf = errors.on_error(self.warn)
        once.hear_once()

    def close(self) -> None:
        """Leave the page: no error is shown here any more."""
        self._deaf()
        super().close()

    def _received(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if not isinstance(message, dict):
            return
        if message.get("type") in ("ping", "here"):
            self.send({"type": "pong"})
            return
        self._broadcast(message)

    def _broadcast(self, message: dict[str, Any]) -> None:
        for listener in list(self._listeners.values()):
            listener(message)

    def listen(self, board: str, listener: Callable[[dict[str, Any]], None]) -> None:
        """Have a board hear the page's messages (``width``, ``redraw``)."""
        self._listeners[board] = errors.guarded(listener)

    def forget(self, board: str) -> None:
        """Speak no more of a board that left the page."""
        self._listeners.pop(board, None)
        self.boards = {name: facts for name, facts in self.boards.items() if name != board}

    def register(self, board: str, facts: dict[str, Any]) -> None:
        """Tell the page of a board: size, cells, label, hexes of movable pieces."""
        if self.boards.get(board) != facts:
            self.boards = {**self.boards, board: facts}

    def keep_ground(self, picture: str) -> str:
        """Give the page the picture of a ground that no server hands out; those that no board shows any more go.

        Returns:
            Its address: « # » and a name.
        """
        address = f"#{sha256(picture.encode()).hexdigest()[:12]}"
        if address not in self.grounds:
            shown = {facts.get("ground", {}).get("src") for facts in self.boards.values()}
            kept = {name: text for name, text in self.grounds.items() if name in shown}
            self.grounds = {**kept, address: picture}
        return address

    def say(self, sentence: str) -> None:
        """Have a screen reader announce a sentence (a repeated one is announced again)."""
        self._count += 1
        self.announce = sentence + ("\u200b" if self._count % 2 else "")

    def warn(self, sentence: str) -> None:
        """Show a sentence in the page's alert region; an empty one clears it."""
        if sentence or self.alert.get("text"):
            self._count += 1
            self.alert = {"text": sentence, "count": self._count}

    def copy(self, text: str) -> None:
        """Put a text on the reader's clipboard."""
        self.send({"type": "copy", "text": text})
