"""What happens on a board, as typed events: pixels are converted once, whatever the reader used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Means = Literal["mouse", "touch", "keyboard", "control"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something a reader did on a board."""


@dataclass(frozen=True, slots=True)
class HexClicked(Event):
    """A hex was chosen: by click, tap, Enter on the cursor, or the ordinary controls.

    Args:
        hex: its name.
        piece: id of the counter under the pointer, if any.
        means: how it was chosen.
    """

    hex: str
    piece: str | None = None
    means: Means = "mouse"


@dataclass(frozen=True, slots=True)
class EdgeClicked(Event):
    """A side was chosen (boards with ``edges=True``): its canonical name, ``M8/N8``."""

    side: str
    means: Means = "mouse"


@dataclass(frozen=True, slots=True)
class PieceDropped(Event):
    """A piece was brought from one hex to another; the board moves nothing by itself."""

    piece: str
    start: str
    hex: str
    means: Means = "mouse"


@dataclass(frozen=True, slots=True)
class PieceDragged(Event):
    """A piece is held above a hex, None outside the board; told again and again until it is dropped."""

    piece: str
    hex: str | None


@dataclass(frozen=True, slots=True)
class CursorMoved(Event):
    """The keyboard cursor went to a hex."""

    hex: str


@dataclass(frozen=True, slots=True)
class KeyPressed(Event):
    """Another key of the board was pressed: ``Escape``."""

    key: str
