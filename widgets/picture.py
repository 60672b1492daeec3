"""A board as an SVG picture: no canvas, no Jupyter."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from tutor.core.drawing import Shape
from tutor.core.position import Position
from tutor.core.registry import game
from widgets.counters import pieces_drawing
from widgets.layers import Layer
from widgets.paint import Drawing, View, fitted
from widgets.paint_layers import over_drawing, under_drawing
from widgets.paint_terrain import terrain_drawing
from widgets.paint_ways import paint_markers
from widgets.palette import palette
from widgets.svg import svg_body, svg_document
from widgets.thrift import uncollected

#: The ground written last: a board is exported again at each move and each title, and its ground is most of it.
_written: dict[Hashable, str] = {}


def board_svg(
    position: Position,
    layers: Iterable[Layer] = (),
    *,
    size: int = 820,
    height: int = 760,
    theme: str = "light",
    labels: bool = True,
) -> str:
    """A position with layers as one SVG element.

    Args:
        position: the situation; layers: what lies over it.
        size, height: greatest width and height, in CSS pixels.
        theme: light or dark; labels: write the hex names, where they are legible.

    >>> from tutor import load_position
    >>> board_svg(load_position("combat_commander", "livret-ldv")).startswith("<svg")
    True
    """
    view, colours, layers = fitted(position.grid, size, height), palette(theme), tuple(layers)
    shapes = game(position.game).shapes(position)
    labels = labels and view.radius >= 20
    markers = Drawing()
    with uncollected():
        paint_markers(markers, [s for s in shapes if s.layer == "marker"], view, colours)
        return svg_document(
            (
                _ground(position, tuple(s for s in shapes if s.layer != "marker"), view, theme, labels),
                under_drawing(layers, view, colours),
                markers,
                pieces_drawing(position, view, colours),
                over_drawing(layers, position, view, colours, labels),
            ),
            view,
            position.title or "Plateau",
        )


def _ground(position: Position, shapes: tuple[Shape, ...], view: View, theme: str, labels: bool) -> str:
    """The elements of what does not move."""
    key = (position.game, shapes, view, theme, labels, repr(position.levels), repr(position.markers))
    if key not in _written:
        drawn = terrain_drawing(position, shapes, view, palette(theme), labels)
        _written.clear()
        _written[key] = svg_body(drawn)
    return _written[key]
