"""Boards of tactical games as Jupyter widgets: the public door of the library.

>>> from tutor import ask, load_position
>>> from widgets import Board, layers_for
>>> place = load_position("combat_commander", "livret-ldv")
>>> board = Board(place, layers_for(ask(place, "los", start="J9", end="K6"), place))
>>> board.layers[0].state
'blocked'

Nothing is imported before it is asked for: the kernel of each reader imports this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from widgets.board.board import Board
    from widgets.board.events import (
        CursorMoved,
        EdgeClicked,
        Event,
        HexClicked,
        KeyPressed,
        PieceDragged,
        PieceDropped,
    )
    from widgets.board.layers import (
        Corner,
        Cursor,
        Fire,
        Heat,
        Layer,
        LineOfSight,
        Note,
        Outline,
        Path,
        Rays,
        Selection,
        Tint,
        layers_for,
    )
    from widgets.board.panels.odds import OddsPanel
    from widgets.board.panels.verdict import TracePanel, VerdictPanel
    from widgets.board.svg import board_svg
    from widgets.player.odds import distributions
    from widgets.player.own import exercise

_MODULES = {
    "board.board": ("Board",),
    "board.layers": (
        *("Corner", "Cursor", "Fire", "Heat", "Layer", "LineOfSight", "Note", "Outline", "Path", "Rays", "Selection"),
        *("Tint", "layers_for"),
    ),
    "board.events": (
        *("CursorMoved", "EdgeClicked", "Event", "HexClicked", "KeyPressed", "PieceDragged", "PieceDropped"),
    ),
    "board.panels.odds": ("OddsPanel",),
    "board.panels.verdict": ("TracePanel", "VerdictPanel"),
    "board.svg": ("board_svg",),
    "player.odds": ("distributions",),
    "player.own": ("exercise",),
}

__all__ = [
    "Board",
    "Corner",
    "Cursor",
    "CursorMoved",
    "EdgeClicked",
    "Event",
    "Fire",
    "Heat",
    "HexClicked",
    "KeyPressed",
    "Layer",
    "LineOfSight",
    "Note",
    "OddsPanel",
    "Outline",
    "Path",
    "PieceDragged",
    "PieceDropped",
    "Rays",
    "Selection",
    "Tint",
    "TracePanel",
    "VerdictPanel",
    "board_svg",
    "distributions",
    "exercise",
    "layers_for",
]


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
