"""When and how a board's canvases are repainted: those that changed, together, in one message."""

from __future__ import annotations

from typing import Any

from ipycanvas import MultiCanvas

from tutor.core.drawing import Shape
from widgets.board.canvas import frame, play
from widgets.board.counters.counters import paint_ghost, pieces_drawing
from widgets.board.counters.lens import lens_drawing
from widgets.board.grounds import written_over
from widgets.board.paint.labels import LABELLED, RELIEF, names_drawing
from widgets.board.paint.markers import legible, paint_markers
from widgets.board.paint.overlays import over_drawing, tint_drawing, under_drawing
from widgets.board.paint.placement import cut_names
from widgets.board.paint.plain import plain_ground
from widgets.board.paint.shapes import Drawing
from widgets.board.paint.unit_names import unit_names
from widgets.board.palette import Palette
from widgets.board.surface import Painted

TERRAIN, UNDER, PIECES, OVER = "terrain", "under", "pieces", "over"
CANVASES = (TERRAIN, UNDER, PIECES, OVER)


class Painter:
    """The canvases of a board.

    Args:
        board: what is painted.
        canvas: as many canvases as ``CANVASES``.
    """

    def __init__(self, board: Painted, canvas: MultiCanvas) -> None:
        self._board = board
        self._sheets = {name: canvas[i] for i, name in enumerate(CANVASES)}
        self._dirty: set[str] = set()
        self._ground: dict[tuple[Any, ...], Drawing] = {}
        #: Whether the page is there to be painted on.
        self.ready = False

    def touch(self, *names: str) -> None:
        """Canvases to paint again."""
        self._dirty.update(names)

    def paint(self) -> None:
        """Paint what was touched, as one message, once the page is there."""
        if not self._dirty or not self.ready:
            return
        dirty, self._dirty = self._dirty, set()
        with frame():
            for name in CANVASES:
                if name in dirty:
                    play(self.draw(name), self._sheets[name])

    def draw(self, name: str) -> Drawing:
        """What a canvas shows now."""
        board, view, colours = self._board, self._board.drawing_view, self._board.colours
        if name == TERRAIN:
            return self._draw_ground(colours)
        if name == UNDER:
            drawing = tint_drawing(board.layers, view, colours)
            paint_markers(drawing, self._markers(), view, colours, pictured=board.pictured)
            drawing.extend(under_drawing(board.layers, view, colours))
            return drawing
        if name == PIECES:
            return pieces_drawing(board.position, view, colours, board.dragged)
        written = self._written(colours)
        labels = view.radius >= LABELLED
        drawing = over_drawing(board.layers, board.position, view, colours, labels, written)
        paint_markers(drawing, self._markers(), view, colours, over=True)
        drawing.extend(unit_names(board.position, view, written, board.dragged))
        if board.dragged and board.ghost:
            paint_ghost(drawing, board.position, board.dragged, board.ghost, view, colours)
        if lens := board.lens:
            drawing.extend(lens_drawing(lens, colours))
        return drawing

    def _markers(self) -> list[Shape]:
        markers = (shape for shape in self._board.shapes if shape.layer == "marker")
        return legible(markers, self._board.drawing_view)

    def _written(self, colours: Palette) -> Palette:
        """Colours of what is written on the ground."""
        board = self._board
        return written_over(board.position.game, colours, board.dark) if board.pictured else colours

    def _draw_ground(self, colours: Palette) -> Drawing:
        position, view = self._board.position, self._board.drawing_view
        ground = tuple(s for s in self._board.shapes if s.layer != "marker")
        pictured = self._board.pictured
        cut = cut_names(position, view)
        key = (ground, view, colours.paper, pictured, str([position.markers.get(kind) for kind in RELIEF]), cut)
        if key not in self._ground:
            written = self._written(colours)
            self._ground = {
                key: names_drawing(position, view, written, covered=cut)
                if pictured
                else plain_ground(position, ground, view, written, covered=cut)
            }
        return self._ground[key]
