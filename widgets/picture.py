"""A board as an SVG picture: no canvas, no Jupyter."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.position import Position
from tutor.core.registry import game
from widgets.counters import pieces_drawing
from widgets.layers import Layer
from widgets.paint import Drawing, fitted
from widgets.paint_layers import over_drawing, under_drawing
from widgets.paint_terrain import terrain_drawing
from widgets.paint_ways import paint_markers
from widgets.palette import palette
from widgets.svg import svg_document


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
    paint_markers(markers, [s for s in shapes if s.layer == "marker"], view, colours)
    return svg_document(
        (
            terrain_drawing(position, [s for s in shapes if s.layer != "marker"], view, colours, labels),
            under_drawing(layers, position, view, colours),
            markers,
            pieces_drawing(position, view, colours),
            over_drawing(layers, position, view, colours, labels),
        ),
        view,
        position.title or "Plateau",
    )
