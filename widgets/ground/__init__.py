"""The ground of a board as one SVG picture in its game's manner: everything that does not move, drawn where it is judged.

Heavy to import (shapely, Pillow): a reader's kernel has no need of it, the server draws.
"""

from __future__ import annotations

from tutor.core.position import Position
from widgets.ground.hexes import paint_ground
from widgets.ground.layout import Layout
from widgets.ground.squares import paint_tiles
from widgets.ground.styles import Theme, style
from widgets.ground.svg import Sheet, document
from widgets.ground.tiles import paint_tiles_of_field

#: Greatest size of a drawn ground, in its own pixels: it is scaled to any width.
WIDTH, HEIGHT = 740.0, 660.0


def ground_sheet(position: Position, theme: Theme = "light") -> tuple[Layout, Sheet]:
    """A position's ground laid out and drawn.

    Args:
        position: the situation; its counters are not drawn.
        theme: light or dark.
    """
    layout = Layout(position, style(position.game, theme), WIDTH, HEIGHT)
    sheet = Sheet(night=theme == "dark")
    paint = paint_tiles if layout.square else paint_tiles_of_field if layout.pointy else paint_ground
    paint(layout, sheet)
    return layout, sheet


def ground_svg(position: Position, theme: Theme = "light") -> str:
    """A position's ground as an SVG document, the same bytes each time.

    Args:
        position: the situation; its counters are not drawn.
        theme: light or dark.

    >>> from tutor import load_position
    >>> ground_svg(load_position("combat_commander", "ldv-lisiere"))[:4]
    '<svg'
    """
    layout, sheet = ground_sheet(position, theme)
    return document(sheet, layout.width, layout.height)
