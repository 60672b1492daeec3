"""While a piece is dragged: what would be said if it were put down where the pointer is, once for each cell."""

from __future__ import annotations

from collections.abc import Callable

from widgets.board.board import Board
from widgets.board.events import PieceDragged, PieceDropped


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
