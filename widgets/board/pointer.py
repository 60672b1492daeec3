"""What a reader's mouse, finger and keys do on a board: clicks, drags, a cursor; pixels become typed events once."""

from __future__ import annotations

from ipycanvas import MultiCanvas

from widgets.board.canvas import SCALE
from widgets.board.counters.layout import piece_at
from widgets.board.errors import guarded
from widgets.board.events import (
    CursorMoved,
    EdgeClicked,
    HexClicked,
    KeyPressed,
    Means,
    PieceDragged,
    PieceDropped,
)
from widgets.board.layers import Cursor, Selection
from widgets.board.surface import Touched

#: Way of the pointer, in CSS pixels, before a press is a drag.
SLACK = 5
_STEPS = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}


class Pointer:
    """The mouse and the finger on a board.

    Args:
        board: whose events are sent.
        canvas: where they are heard.
    """

    def __init__(self, board: Touched, canvas: MultiCanvas) -> None:
        self._board = board
        #: The piece that is dragged, and where it is, in CSS pixels.
        self.dragged: str | None = None
        self.ghost: tuple[float, float] | None = None
        self._start: tuple[str, tuple[float, float]] | None = None
        self._last = (0.0, 0.0)
        self._means: Means = "mouse"
        canvas.on_mouse_down(guarded(self.press))
        canvas.on_mouse_move(guarded(self.move))
        canvas.on_mouse_up(guarded(self.lift))
        canvas.on_touch_start(guarded(self.touch))
        canvas.on_touch_move(guarded(lambda touches: self.move(*touches[0]) if touches else None))
        canvas.on_touch_end(guarded(lambda _: self.lift(*self._last)))
        canvas.on_touch_cancel(guarded(lambda _: self.release()))

    def press(self, x: float, y: float, means: Means = "mouse") -> None:
        """A button or a finger goes down, at canvas pixels."""
        self._means, self._last = means, (x, y)
        board, view = self._board, self._board.drawing_view
        px, py = x / SCALE, y / SCALE
        cell = view.cell_at(px, py)
        if cell is None:
            return
        lens = board.lens
        if lens and lens.holds(px, py):
            piece = lens.piece_at(px, py)
            cell = board.position.hex_of(piece) if piece else None
            if cell is None or piece is None:
                return
        else:
            piece = piece_at(board.position, view, px, py)
        if piece is not None and board.movable(piece):
            self.dragged, self._start = piece, (cell, (px, py))
            return
        self._click(px, py, cell, piece)

    def touch(self, touches: list[tuple[float, float]]) -> None:
        """Fingers go down; the first counts."""
        if touches:
            self.press(*touches[0], means="touch")

    def move(self, x: float, y: float) -> None:
        """The pointer moves: a press that goes far enough is a drag."""
        if self.dragged is None or self._start is None:
            return
        self._last = (x, y)
        px, py = x / SCALE, y / SCALE
        _, (sx, sy) = self._start
        if self.ghost is None and abs(px - sx) + abs(py - sy) < SLACK:
            return
        first, self.ghost = self.ghost is None, (px, py)
        if first:
            self._board.open_stack(None)
        self._board.repaint_drag(first)
        self._board.emit(PieceDragged(self.dragged, self._board.drawing_view.cell_at(px, py)))

    def lift(self, x: float, y: float) -> None:
        """The pointer goes up: the end of a click, or of a drag."""
        if self.dragged is None or self._start is None:
            return
        board, piece, (start, _) = self._board, self.dragged, self._start
        px, py = x / SCALE, y / SCALE
        moved, cell = self.ghost is not None, board.drawing_view.cell_at(px, py)
        with board.hold():
            self._let_go()
            if not moved:
                self._click(px, py, start, piece)
            elif cell is not None and cell != start:
                board.warn("")
                board.emit(PieceDropped(piece, start, cell, self._means))
            else:
                board.emit(PieceDragged(piece, start))

    def release(self) -> None:
        """Let go of what is dragged, without dropping it: it is back where it was."""
        piece, start, dragging = self.dragged, self._start, self.ghost is not None
        self._let_go()
        if dragging and piece and start:
            self._board.emit(PieceDragged(piece, start[0]))

    def _let_go(self) -> None:
        dragging = self.ghost is not None
        self.dragged = self.ghost = self._start = None
        if dragging:
            self._board.repaint_drag(True)

    def _click(self, px: float, py: float, cell: str, piece: str | None) -> None:
        board = self._board
        board.warn("")
        side = self._side(px, py, cell)
        with board.hold():
            board.show("cursor")
            board.open_stack(cell)
            board.emit(EdgeClicked(side, self._means) if side else HexClicked(cell, piece, self._means))

    def _side(self, px: float, py: float, cell: str) -> str | None:
        """The side under a pixel of a cell, on a board whose sides are clicked; none under a lens that shows another."""
        view = self._board.drawing_view
        if not self._board.edges or view.cell_at(px, py) != cell:
            return None
        return view.side_at(px, py, rim=self._board.rim)


class KeyboardCursor:
    """The keys on a board: arrows move a cursor, Enter chooses, Escape cancels.

    Args:
        board: whose events are sent.
        canvas: where they are heard.
        pointer: released by Escape.
    """

    def __init__(self, board: Touched, canvas: MultiCanvas, pointer: Pointer) -> None:
        self._board, self._pointer = board, pointer
        canvas.on_key_down(guarded(self.press))

    def press(self, key: str, *_: bool) -> None:
        """A key, as browsers name it."""
        board, cursor = self._board, self._cell
        if key in ("Enter", " "):
            if cursor is None:
                self._go(self._first())
                return
            board.warn("")
            with board.hold():
                board.emit(HexClicked(cursor, None, "keyboard"))
        elif key == "Escape":
            with board.hold():
                self._pointer.release()
                board.show("cursor")
                board.open_stack(None)
                board.emit(KeyPressed("Escape"))
        elif key in ("Home", "End"):
            self._go(board.position.grid.cells[0 if key == "Home" else -1])
        elif key.startswith("Arrow"):
            self._go(self._beside(cursor, key) if cursor is not None else self._first())

    @property
    def _cell(self) -> str | None:
        return next((layer.hex for layer in self._board.layers if isinstance(layer, Cursor)), None)

    def _first(self) -> str:
        chosen = [cell for layer in self._board.layers if isinstance(layer, Selection) for cell in layer.hexes]
        cells = self._board.position.grid.cells
        return chosen[-1] if chosen else cells[len(cells) // 2]

    def _beside(self, cell: str, key: str) -> str:
        grid = self._board.position.grid
        column, row = grid.coords(cell)
        dc, dr = _STEPS.get(key, (0, 0))
        name = grid.name(column + dc, row + dr)
        return name if name in grid else cell

    def _go(self, cell: str) -> None:
        with self._board.hold():
            self._board.show("cursor", Cursor(cell))
            self._board.open_stack(cell)
            self._board.emit(CursorMoved(cell))
        self._board.say_cell(cell)
