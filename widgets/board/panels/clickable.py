"""A picture under a board that the reader can act upon: see ``static/pictured.js``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import anywidget
import traitlets as t

from widgets.board.board import Board
from widgets.board.bridge import STATIC
from widgets.board.errors import guarded
from widgets.board.palette import Palette

#: Below this width of the page, in CSS pixels, a picture is drawn narrow so that its letters stay readable.
NARROW = 700


class Pictured(anywidget.AnyWidget):
    """HTML with sliders (``role="slider"``, whose parts bear ``data-space``) and buttons, all with a ``data-name``.

    ``picture``: the HTML, "" hides it; ``asked``: name, number and moment of what the reader did last.
    """

    _esm = STATIC / "pictured.js"
    picture = t.Unicode("").tag(sync=True)
    asked = t.Unicode("").tag(sync=True)

    def on_asked(self, handler: Callable[[str, int], object]) -> None:
        """Call with the name and the number of what the reader touches."""

        def heard(change: dict[str, str]) -> None:
            name, number, _ = change["new"].split()
            handler(name, int(number))

        self.observe(guarded(heard), "asked")


class PicturedPanel(ABC):
    """What is drawn under a board, and drawn again when the theme or the width of the page changes.

    Show ``panel.view``.

    Args:
        board: the board it is linked to.
    """

    def __init__(self, board: Board) -> None:
        self.board, self.view = board, Pictured()
        self._redrawn = guarded(lambda _: self._write())
        board.bridge.observe(self._redrawn, ["dark", "width"])
        self.clear()

    @abstractmethod
    def clear(self) -> None:
        """Show what stands before there is a result."""

    def close(self) -> None:
        """Leave the page: the bridge tells this panel no more."""
        self.board.bridge.unobserve(self._redrawn, ["dark", "width"])

    @abstractmethod
    def picture(self, colours: Palette, narrow: bool) -> str:
        """The picture as HTML, "" when there is nothing to show.

        Args:
            colours: palette of the theme.
            narrow: drawn for a phone.
        """

    def _write(self) -> None:
        self.view.picture = self.picture(self.board.colours, self.board.bridge.width < NARROW)
