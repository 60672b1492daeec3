"""What the free board and the editor offer in a game: an empty board, brushes, who fires at whom and by which question.

A game says it in its ``kit.py``, as ``KIT``; data, no widget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor.core.position import Position

Arguments = dict[str, Any]
#: The sides of a game that says no others.
SIDES = {"axis": "Axe", "allies": "Alliés"}


@dataclass(frozen=True)
class Shot:
    """How one side fires.

    Args:
        ask, odds: questions to the engine.
        arguments: of both, from position, firers and target (cell, piece or None).
        several: whether several pieces fire together.
        at_piece: whether the target is a piece;
        stack: whether a first click takes all who stand there (a leader and those he directs).
    """

    ask: str
    odds: str | None
    arguments: Callable[[Position, Sequence[str], str], Arguments]
    several: bool = True
    at_piece: bool = False
    stack: bool = False


@dataclass(frozen=True)
class Kit:
    """The free board of one game.

    Args:
        first: position shown first.
        grid: of an empty board.
        levels: heights one may paint.
        markers: (kind, values), fortifications included.
        ways: that join two cells.
        states: (label, status) that one may put on a piece.
        sides: id -> French name.
        nations: whose counters the tables print -> the side of its pieces; one that is not named serves any side.
        shots: side -> how it fires (``""``: every side).
        catalogue: pieces come from the game's ``tables`` or from its ``positions``.
        own_sides: each is of one side alone.
        joins: whether neighbouring cells may be declared one building.
        grids: kinds of grid that the game is played on, when there is another than the one of an empty board.
    """

    first: str
    grid: Mapping[str, Any]
    levels: tuple[int, ...] = ()
    markers: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    ways: tuple[str, ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    sides: Mapping[str, str] = field(default_factory=lambda: dict(SIDES))
    nations: Mapping[str, str] = field(default_factory=dict)
    shots: Mapping[str, Shot] = field(default_factory=dict)
    catalogue: str = "positions"
    own_sides: bool = False
    joins: bool = False
    grids: tuple[str, ...] = ()

    def shot(self, side: str) -> Shot | None:
        """How a side fires, None when this game gives no fire."""
        return self.shots.get(side) or self.shots.get("")


def together(position: Position, firers: Sequence[str], target: str) -> Arguments:
    """Arguments of a shot of several pieces at a cell."""
    return {"firers": list(firers), "target": target}


def alone(position: Position, firers: Sequence[str], target: str) -> Arguments:
    """Arguments of a shot of one piece."""
    return {"unit": firers[0], "target": target}
