"""A board as an SVG picture: no canvas, no Jupyter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Literal

from tutor.core.position import Position
from tutor.core.registry import game
from widgets.board.counters.counters import pieces_drawing
from widgets.board.drawn_ground import drawn_ground, shown_at
from widgets.board.grounds import beyond_cells, ground_address, served_grounds, written_over
from widgets.board.layers import Layer
from widgets.board.memory import uncollected
from widgets.board.paint.labels import LABELLED, names_drawing
from widgets.board.paint.markers import legible, paint_markers
from widgets.board.paint.overlays import over_drawing, tint_drawing, under_drawing
from widgets.board.paint.placement import cut_names
from widgets.board.paint.plain import plain_ground
from widgets.board.paint.shapes import Drawing, View, fitted
from widgets.board.paint.svg_writer import svg_body, svg_document
from widgets.board.paint.unit_names import unit_names
from widgets.board.palette import palette

#: Share of a board from which it is shown whole.
_MOST_OF_IT = 0.6
#: Width and height of a picture, in its first element.
_SIZE = re.compile(r' width="[\d.]+" height="[\d.]+"')
#: Where a picture has its ground from.
Ground = Literal["linked", "inline"]


def board_svg(
    position: Position,
    layers: Iterable[Layer] = (),
    *,
    size: int = 820,
    height: int = 760,
    theme: str = "light",
    labels: bool = True,
    around: Iterable[str] = (),
    ground: Ground = "linked",
    view: View | None = None,
) -> str:
    """A position with layers as one SVG element.

    Args:
        position: the situation.
        layers: what lies over it.
        size, height: greatest width and height, in CSS pixels.
        theme: light or dark.
        labels: write the hex names, where they are legible.
        around: hexes of which the part that is shown is made, with their neighbours; all of the board when empty.
        ground: how the picture has its ground. ``linked``: from the server that hands grounds out, where there is one
            (for what is part of its pages), else within it; ``inline``: within it (for files, and pictures that stand
            alone). Where neither can be, plain tints stand in for it.
        view: how the board is looked at; None: whole, of the greatest size.

    >>> from tutor import load_position
    >>> board_svg(load_position("combat_commander", "livret-ldv")).startswith("<svg")
    True
    """
    view, colours, layers = view or fitted(position.grid, size, height), palette(theme), tuple(layers)
    shapes = game(position.game).shapes(position)
    fixed = tuple(s for s in shapes if s.layer != "marker")
    loose = [s for s in shapes if s.layer == "marker"]
    loose = legible(loose, view) if labels else loose
    under, over = Drawing(), Drawing()
    with uncollected():
        laid = _laid(position, view, theme, linked=ground == "linked" and served_grounds())
        written = written_over(position.game, colours, theme == "dark") if laid else colours
        cut = cut_names(position, view)
        if laid:
            ground_drawn = names_drawing(position, view, written, labels, cut)
        else:
            ground_drawn = plain_ground(position, fixed, view, colours, labels, cut)
        paint_markers(under, loose, view, colours, pictured=bool(laid))
        paint_markers(over, loose, view, colours, over=True)
        return svg_document(
            (
                laid + svg_body(ground_drawn),
                tint_drawing(layers, view, colours),
                under,
                under_drawing(layers, view, colours),
                pieces_drawing(position, view, colours),
                over_drawing(layers, position, view, colours, labels and view.radius >= LABELLED, written),
                over,
                unit_names(position, view, written),
            ),
            view,
            position.title or "Plateau",
            window=window_around(view, around),
        )


def window_around(view: View, cells: Iterable[str]) -> tuple[int, int, int, int] | None:
    """Left, top, width and height of the part of a board that holds some cells and their neighbours; never a strip.

    Args:
        view: how the board lies.
        cells: their names; those that are not on the board count for nothing.

    Returns:
        CSS pixels; None when no cell is on the board, or when the part is most of it.

    >>> from tutor.core.grid import HexGrid
    >>> window_around(View(HexGrid(1, 9, 1, 9), 40.0), ["E5"])
    (173, 227, 228, 184)
    >>> window_around(View(HexGrid(1, 9, 1, 9), 40.0), ["Z9"])
    """
    places = [view.centre(cell) for cell in cells if cell in view.grid]
    if not places:
        return None
    reach = 2.3 * view.radius
    lines = []
    for values, most in ((sorted(x for x, _ in places), view.width), (sorted(y for _, y in places), view.height)):
        lines.append((values[0] - reach, values[-1] + reach, most))
    (left, right, width), (top, bottom, height) = lines
    across = min(width, max(right - left, 1.24 * (bottom - top)))
    down = min(height, max(bottom - top, 0.5 * across))
    if across * down > _MOST_OF_IT * view.width * view.height:
        return None
    x = min(max(0.0, (left + right - across) / 2), width - across)
    y = min(max(0.0, (top + bottom - down) / 2), height - down)
    return round(x), round(y), round(across), round(down)


def _laid(position: Position, view: View, theme: str, linked: bool) -> str:
    """The picture of a ground, placed under a board; "" when there is none."""
    beyond = beyond_cells(position, view)
    edge, name = view.MARGIN - beyond, escape(ground_address(position, theme == "dark")) if linked else ""
    (left, top), (width, height) = view.corner, view.whole
    place = (
        f'x="{edge - left:.1f}" y="{edge - top:.1f}" width="{width - 2 * edge:.1f}" height="{height - 2 * edge:.1f}"'
        ' preserveAspectRatio="none"'
    )
    if linked:
        return f'<image href="{name}" {place}/>' if name else ""
    return _SIZE.sub(f" {place}", shown_at(drawn_ground(position, theme == "dark"), width - 2 * edge), count=1)
