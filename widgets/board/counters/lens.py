"""The lens: the stack of a cell opened beside it, every counter whole, with its name and what it carries."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.core.position import Position
from widgets.board.counters.counters import paint_counter, paint_weapons
from widgets.board.counters.face import face
from widgets.board.counters.layout import CARRIED, Placed, burdens, layout, stacks, weapon_place
from widgets.board.counters.look import bears_name
from widgets.board.paint.shapes import XY, Drawing, View, rounded, text_width
from widgets.board.palette import Palette

_NAME = 11.0
_EDGE = 6.0
#: What a pixel of the panel that does not fit on the board costs, in pixels of a counter hidden by it.
_SPILL = 60.0


@dataclass(frozen=True, slots=True)
class Lens:
    """An open stack.

    Args:
        box: left, top, width and height of its panel, in CSS pixels of the board.
        tip: corners of the point that leads to the cell.
        items: the counters in it.
        names: name of each counter, with the place of its middle.
    """

    box: tuple[float, float, float, float]
    tip: tuple[XY, XY, XY]
    items: tuple[Placed, ...]
    names: tuple[tuple[str, float, float], ...]

    def holds(self, x: float, y: float) -> bool:
        """Whether a pixel lies on its panel."""
        left, top, wide, tall = self.box
        return left <= x <= left + wide and top <= y <= top + tall

    def piece_at(self, x: float, y: float) -> str | None:
        """Id of its counter under a pixel, or None; what a counter carries is part of it."""
        for item in self.items:
            for i in range(len(item.weapons)):
                cx, cy = weapon_place(item, i)
                if max(abs(x - cx), abs(y - cy)) <= item.size * CARRIED / 2:
                    return item.face.id
            if abs(x - item.x) <= item.size / 2 and abs(y - item.y) <= item.size / 2:
                return item.face.id
        return None


def opens(position: Position, cell: str | None) -> bool:
    """Whether a cell bears a stack."""
    return cell is not None and len(stacks(position).get(cell, ())) > 1


def lens(position: Position, view: View, cell: str) -> Lens | None:
    """The lens of a cell, where it hides the least; None when the cell bears no stack.

    >>> from tutor import load_position
    >>> from widgets.board.paint.shapes import fitted
    >>> board = load_position("combat_commander", "livret-tir")
    >>> shown = lens(board, fitted(board.grid, 700, 560), "K8")
    >>> sorted(item.face.id for item in shown.items)
    ['grein', 'peloton-k8']
    """
    if not opens(position, cell):
        return None
    carried = burdens(position)
    faces = [face(position, piece) for piece in reversed(stacks(position)[cell])]
    side = max(44.0, min(56.0, view.radius * 0.9))
    loaded = any(carried.get(one.id) for one in faces)
    longest = max((text_width(one.name, _NAME, True) for one in faces if one.name), default=0.0)
    pitch = max(side * (1.6 if loaded else 1.26), min(longest + 14, side * 2.4))
    per_row = max(1, int((view.width - 2 * _EDGE - side * 0.2) // pitch))
    rows = [faces[i : i + per_row] for i in range(0, len(faces), per_row)]
    head = side * 0.2 + 4
    wide, tall = pitch * len(rows[0]) + side * 0.2, len(rows) * (head + side + 20) + 4
    left, top, tip = _place(position, view, cell, wide, tall)
    items: list[Placed] = []
    names: list[tuple[str, float, float]] = []
    for j, row in enumerate(rows):
        y = top + head + j * (head + side + 20) + side / 2
        for i, one in enumerate(row):
            middle = left + wide / 2 + (i - (len(row) - 1) / 2) * pitch
            weapons = carried.get(one.id, ())
            items.append(Placed(one, middle - (side * 0.17 if weapons else 0), y, side, weapons))
            if one.name and not (one.look and bears_name(one.look, one.name, side)):
                names.append((one.name, middle, y + side / 2 + 11))
    return Lens((left, top, wide, tall), tip, tuple(items), tuple(names))


def _place(
    position: Position, view: View, cell: str, wide: float, tall: float
) -> tuple[float, float, tuple[XY, XY, XY]]:
    """Upper left corner of the panel, and its tip: above, below or beside the cell, whichever hides least."""
    (cx, cy), r = view.centre(cell), view.radius
    others = [item for item in layout(position, view) if position.hex_of(item.face.id) != cell]
    spots = {
        "above": (cx - wide / 2, cy - r * 0.9 - tall),
        "below": (cx - wide / 2, cy + r * 0.9),
        "right": (cx + r * 1.04, cy - tall / 2),
        "left": (cx - r * 1.04 - wide, cy - tall / 2),
    }

    def cost(spot: XY) -> float:
        x, y = spot
        spill = max(0.0, _EDGE - x, x + wide - view.width + _EDGE) + max(0.0, _EDGE - y, y + tall - view.height + _EDGE)
        hides = 0.0
        for item in others:
            q = item.size / 2
            across = min(x + wide, item.x + q) - max(x, item.x - q)
            down = min(y + tall, item.y + q) - max(y, item.y - q)
            hides += max(0.0, across) * max(0.0, down)
        return spill * _SPILL + hides

    where = min(spots, key=lambda name: cost(spots[name]))
    x, y = spots[where]
    x = max(_EDGE, min(x, view.width - wide - _EDGE))
    y = max(_EDGE, min(y, view.height - tall - _EDGE))
    kx, ky = min(max(cx, x + 16), x + wide - 16), min(max(cy, y + 16), y + tall - 16)
    tips: dict[str, tuple[XY, XY, XY]] = {
        "above": ((kx - 9, y + tall), (cx, cy - r * 0.6), (kx + 9, y + tall)),
        "below": ((kx - 9, y), (cx, cy + r * 0.6), (kx + 9, y)),
        "right": ((x, ky - 9), (cx + r * 0.6, cy), (x, ky + 9)),
        "left": ((x + wide, ky - 9), (cx - r * 0.6, cy), (x + wide, ky + 9)),
    }
    return x, y, tips[where]


def lens_drawing(opened: Lens, colours: Palette) -> Drawing:
    """A lens as it is drawn, over everything else."""
    d = Drawing()
    left, top, wide, tall = opened.box
    panel = rounded(left, top, wide, tall, 8)
    d.polygon([(x + 3, y + 4) for x, y in panel], fill=colours.shadow, alpha=0.3)
    d.polygon(opened.tip, fill=colours.paper, stroke=colours.select, width=2)
    d.polygon(panel, fill=colours.paper, stroke=colours.select, width=2)
    first, _, last = opened.tip
    d.line(first, last, stroke=colours.paper, width=3)
    for item in opened.items:
        paint_counter(d, item, colours)
        paint_weapons(d, item, colours)
    for name, x, y in opened.names:
        d.text(name, x, y, _NAME, colours.ink, bold=True)
    return d
