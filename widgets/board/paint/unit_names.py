"""The names of units: under those that stand alone, beside those of a stack."""

from __future__ import annotations

from tutor.core.position import Position
from widgets.board.counters.counters import name_lines
from widgets.board.counters.layout import layout
from widgets.board.paint.placement import stack_names
from widgets.board.paint.shapes import Drawing, View
from widgets.board.palette import Palette


def unit_names(position: Position, view: View, colours: Palette, hidden: str | None = None) -> Drawing:
    """The names of units: alone, on one line, else on two, never cut; in a stack, where there is room beside them.

    Args:
        position: the situation.
        view: how it lies on the page.
        colours: of what is written on the ground.
        hidden: id of a piece that is not drawn.
    """
    d = Drawing()
    placed = layout(position, view)
    lines = [line for item in placed if item.face.id != hidden for line in name_lines(item, view)]
    if not all(item.room for item in placed):
        away = {item.face.name for item in placed if item.face.id == hidden}
        lines += [line for line in stack_names(position, view) if line[0] not in away]
    for text, x, y, size in lines:
        d.text(text, x, y, size, colours.ink, bold=True, halo=colours.halo)
    return d
