"""The names of units, under those that stand alone, beside those of a stack; the letters of tiles."""

from __future__ import annotations

from tutor.core.position import Position
from widgets.board.paint.letters import paint_letters
from widgets.board.paint.placement import names_of
from widgets.board.paint.shapes import Drawing, View
from widgets.board.palette import Palette


def unit_names(position: Position, view: View, colours: Palette, hidden: str | None = None) -> Drawing:
    """The names of units, never cut: under those that are alone or beside them, in a stack where there is room beside it.
    The letters of tiles, beside counters.

    Args:
        position: the situation.
        view: how it lies on the page.
        colours: of what is written on the ground.
        hidden: id of a piece that is not drawn.
    """
    d = Drawing()
    alone, stacked, letters = names_of(position, view)
    paint_letters(d, letters, view, colours)
    away = position.piece(hidden).name if hidden in position.by_id else None
    lines = [line for unit, written in alone.items() if unit != hidden for line in written]
    lines += [line for line in stacked if line[0] != away]
    for text, x, y, size in lines:
        d.text(text, x, y, size, colours.ink, bold=True, halo=colours.halo)
    return d
