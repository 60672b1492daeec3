"""Dragging a unit along a way: the hexes it crosses, each with what it costs, then the way as the declaration."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.grid import Grid
from tutor.core.registry import ask
from tutor.course.models import Pick
from widgets.board.board import Board
from widgets.board.events import PieceDragged
from widgets.board.layers import Layer, Path, layers_for


def lengthened(way: list[str], cell: str, grid: Grid) -> list[str]:
    """A way that goes on to a hex, one neighbour after the other; going back to the hex before shortens it.

    Args:
        way: hexes so far, the start first.
        cell: where the pointer is.
        grid: of the board.

    >>> from tutor import load_position
    >>> grid = load_position("combat_commander", "mouvement-route").grid
    >>> lengthened(["A3", "B3"], "D3", grid), lengthened(["A3", "B3"], "A3", grid)
    (['A3', 'B3', 'C3', 'D3'], ['A3'])
    """
    if len(way) > 1 and cell == way[-2]:
        return way[:-1]
    longer = list(way)
    while longer[-1] != cell:
        longer.append(min(grid.neighbours(longer[-1]), key=lambda near: grid.distance(near, cell)))
    return longer


class Walk:
    """The way of a unit that the reader drags, for a question whose ``path`` he chooses.

    Args:
        board: the board.
        question: its name.
        picks: of the example.
        arguments: those on screen.
        revealed: whether the costs may be shown.
        restore: shows the answer again when a drag comes to nothing.
        live: whether the board is the example's now.
    """

    def __init__(
        self,
        board: Board,
        question: str,
        picks: list[Pick],
        arguments: Callable[[], Mapping[str, Any]],
        revealed: Callable[[], bool],
        restore: Callable[[], object],
        live: Callable[[], bool],
    ) -> None:
        self._live = live
        self._board, self._question, self._arguments = board, question, arguments
        self._revealed, self._restore = revealed, restore
        self._walks = any(pick.argument == "path" and pick.kind == "hexes" for pick in picks)
        self._choosable = {name for pick in picks if pick.argument == "pieces" for name in pick.among or ()}
        self._way: list[str] = []
        if self._walks:
            board.on(PieceDragged, self._dragged)

    def _movers(self, piece: str) -> list[str]:
        """Who walks when a piece is dragged: its group, or itself when it may be chosen; nobody otherwise."""
        given = self._arguments().get("pieces") or []
        group = [given] if isinstance(given, str) else list(given)
        return group if piece in group else [piece] if piece in self._choosable else []

    def walks(self, piece: str) -> bool:
        """Whether dragging a piece draws its way."""
        return self._walks and bool(self._movers(piece))

    def _dragged(self, event: PieceDragged) -> None:
        position = self._board.position
        start, movers = position.hex_of(event.piece), self._movers(event.piece)
        if start is None or not movers or not self._live():
            return
        way = [start]
        if event.hex not in (None, start):
            way = lengthened(self._way if self._way[:1] == way else way, str(event.hex), position.grid)
        if way == self._way:
            return
        self._way = way
        if len(way) == 1:
            self._board.show("drag")
            self._restore()
            return
        with self._board.hold():
            self._board.show("sight")
            self._board.show("mark")
            self._board.show("drag", *self._layers(movers, way))

    def _layers(self, movers: list[str], way: list[str]) -> tuple[Layer, ...]:
        """The way, with its costs once the reader has answered."""
        if self._revealed():
            given = {**self._arguments(), "pieces": movers, "path": way[1:]}
            with contextlib.suppress(TutorError):
                return layers_for(ask(self._board.position, self._question, **given), self._board.position)
        return (Path(tuple(way)),)

    def dropped(self, piece: str, cell: str) -> dict[str, Any] | None:
        """The declaration when a unit is put down at the end of its way; None when it was not walked."""
        way, self._way = self._way, []
        self._board.show("drag")
        if not self._walks or len(way) < 2 or way[-1] != cell or not (movers := self._movers(piece)):
            return None
        return {**self._arguments(), "pieces": movers, "path": way[1:]}
