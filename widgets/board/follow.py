"""What follows a piece: what would be said while it is dragged, once for each cell; the ends of a line that it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tutor.core.position import Position
from widgets.board.board import Board
from widgets.board.events import PieceDragged, PieceDropped


def ends_after(ends: Iterable[str], before: Position, after: Position) -> list[str]:
    """Where the ends of a line are once pieces have moved: each goes with what stood there, where none of it has stayed.

    Args:
        ends: cells.
        before: the position as it was.
        after: the position as it is.
    """
    ways = [(before.hex_of(name), after.hex_of(name)) for name in before.by_id if name in after.by_id]
    stayed = {end for _, end in ways}
    went = {start: end for start, end in ways if start and end and start not in stayed}
    return [went.get(end, end) for end in ends]


class Follow:
    """What follows a piece that is dragged.

    Args:
        board: the board.
        imagine: called with the piece and a cell that it comes to; False where nothing follows it.
        restore: called when it is back where it was, or outside the board.
        live: whether the board is the caller's now.
    """

    def __init__(
        self,
        board: Board,
        imagine: Callable[[str, str], bool],
        restore: Callable[[], object],
        live: Callable[[], bool] = lambda: True,
    ) -> None:
        self._board, self._imagine, self._restore, self._live = board, imagine, restore, live
        self._cell: str | None = None
        self._follows = False
        board.on(PieceDragged, self._dragged)
        board.on(PieceDropped, lambda event: self._forget())

    def _forget(self) -> None:
        self._cell, self._follows = None, False

    def _dragged(self, event: PieceDragged) -> None:
        cell = None if event.hex == self._board.position.hex_of(event.piece) else event.hex
        if cell == self._cell or not self._live():
            return
        self._cell = cell
        if cell is not None:
            self._follows = self._imagine(event.piece, cell)
        elif self._follows:
            self._follows = False
            self._restore()
