"""Counters as they are drawn: rounded plates in their side's hue, pictures of ours, values where players expect them."""

from __future__ import annotations

from tutor.core.position import Position
from widgets.board.counters.face import CounterFace, face
from widgets.board.counters.layout import CARRIED, Placed, burdens, count_size, hangs, layout, side_of, weapon_place
from widgets.board.counters.look import Painter
from widgets.board.counters.palette import mix, tones
from widgets.board.counters.silhouettes import picture
from widgets.board.paint.shapes import XY, Drawing, View, hexagon, rounded, text_width
from widgets.board.palette import Palette

#: How far from the middle of a counter begins the link to what hangs at its corner, in sides of it.
_LINK = 0.42


def pieces_drawing(position: Position, view: View, colours: Palette, hidden: str | None = None) -> Drawing:
    """Every counter of a position.

    Args:
        hidden: id of a piece not drawn (it is being dragged).
    """
    d = Drawing()
    shown = [item for item in layout(position, view) if item.face.id != hidden]
    for item in shown:
        paint_counter(d, item, colours)
    for item in shown:
        paint_weapons(d, item, colours)
    for item in shown:
        _count(d, item, view.radius, colours)
    return d


def _count(d: Drawing, item: Placed, radius: float, colours: Palette) -> None:
    """How many counters a stack holds, on a disc at its corner."""
    if not item.count:
        return
    q = count_size(radius)
    x, y = item.count_at
    d.disc(x, y, q + 1.6, colours.counter_white)
    d.disc(x, y, q, colours.counter_ink)
    d.text(f"×{item.count}", x, y + 0.5, max(11.0, q * 1.12), colours.counter_white, bold=True)


def paint_counter(d: Drawing, item: Placed, colours: Palette) -> None:
    """One counter, without the weapons it carries."""
    rank, many = item.rank
    _paint(d, item.face, item.x, item.y, item.size, colours, covered=rank < many - 1, alone=bool(item.room))


def paint_weapons(d: Drawing, item: Placed, colours: Palette) -> None:
    """The weapons of a counter, half-size at its side; one that touches it by a corner alone, on a link."""
    if (hung := hangs(item)) is not None:
        _link(d, item, weapon_place(item, hung), colours)
    for i, weapon in enumerate(item.weapons):
        _paint(d, weapon, *weapon_place(item, i), item.size * CARRIED, colours)


def _link(d: Drawing, item: Placed, at: XY, colours: Palette) -> None:
    """A bar from the side of a counter, between its picture and its values, to what it carries."""
    deep = colours.axis_deep if _is_axis(item.face) else colours.allies_deep
    down = (at[1] - item.y) / item.size
    ends = (item.weapon_side * _LINK, down - (0.42 if down > 0 else -0.42)), ((at[0] - item.x) / item.size, down)
    with d.placed(item.x, item.y, 0, item.size):
        for wide, ink in ((0.17, colours.counter_white), (0.095, deep)):
            d.line(*ends, stroke=ink, width=wide)
            d.disc(*ends[0], wide / 2 + 0.025, ink)


def paint_ghost(d: Drawing, position: Position, piece: str, at: XY, view: View, colours: Palette) -> None:
    """A piece under the pointer that drags it, and the hex it would fall into."""
    cell = view.cell_at(*at)
    if cell:
        style = {"stroke": colours.select, "width": max(2.0, view.radius / 14), "dash": (6, 4)}
        d.polygon(view.polygon(cell, 0.95), **style)
    weapons = burdens(position).get(piece, ())
    item = Placed(face(position, position.piece(piece)), *at, view.radius * side_of(position) * 1.14, weapons)
    paint_counter(d, item, colours)
    paint_weapons(d, item, colours)


def _paint(
    d: Drawing,
    shown: CounterFace,
    x: float,
    y: float,
    size: float,
    colours: Palette,
    covered: bool = False,
    alone: bool = False,
) -> None:
    with d.placed(x, y, -6 if shown.broken else 0, size):
        painter = Painter(d, size, colours, tones(colours, _is_axis(shown), shown.broken), _band(shown, colours))
        _plate(d, shown, colours)
        if shown.look:
            painter.paint(shown.look, shown.name, covered, alone)
        else:
            _values_face(painter, shown)
            _states(painter, shown)


def _is_axis(shown: CounterFace) -> bool:
    return shown.side in ("axis", "enemy")


def _band(shown: CounterFace, colours: Palette) -> str:
    return colours.broken if shown.broken else colours.axis if _is_axis(shown) else colours.allies


def _plate(d: Drawing, shown: CounterFace, colours: Palette) -> None:
    """The plate, lit from above; white and hatched when its unit is broken."""
    cut = "tl" if _is_axis(shown) else ""
    light, deep = (
        (colours.axis_light, colours.axis_deep) if _is_axis(shown) else (colours.allies_light, colours.allies_deep)
    )
    radius = 0.075 if cut else 0.13
    plate = rounded(-0.5, -0.5, 1, 1, radius, cut)
    d.polygon([(x + 0.035, y + 0.055) for x, y in plate], fill=colours.shadow, alpha=0.36)
    d.polygon(plate, fill=colours.counter_white if shown.broken else light, stroke=deep, width=0.036)
    if shown.broken:
        ends = [(-0.46 + 0.153 * i) for i in range(1, 12)]
        hatch = [[(max(-0.46, e - 0.92), min(0.46, e)), (min(0.46, e), max(-0.46, e - 0.92))] for e in ends]
        d.lines(hatch, _band(shown, colours), 0.02, alpha=0.4)
        return
    pale = mix(light, colours.counter_white, 0.55)
    for depth in (0.62, 0.34):
        sheen = [(x, min(y, depth - 0.5)) for x, y in rounded(-0.482, -0.482, 0.964, 0.964, radius, cut)]
        d.polygon(sheen, fill=pale, alpha=0.3)


def _values_face(painter: Painter, shown: CounterFace) -> None:
    """Values in a strip along the foot, morale at the upper right, command in white on a black hexagon."""
    d, colours = painter.d, painter.colours
    values = {"fp": shown.fp, "range": shown.range, "move": None if shown.weapon else shown.move}
    known = {key: _signed(value) for key, value in values.items() if value is not None}
    size = painter.abreast(list(known.values()), 0.27) if known else 0.0
    if shown.weapon:
        painter.figure(shown.kind, 0.0, -0.13 if size else 0.0, 0.76)
        if shown.move and (burden := painter.abreast([_signed(shown.move)], 0.23)):
            half = text_width(_signed(shown.move), burden, True) / 2
            d.text(_signed(shown.move), min(0.33, 0.48 - half), -0.33, burden, colours.counter_ink, bold=True)
    else:
        kind = shown.kind if picture(shown.kind) else "team"
        painter.figure(kind, -0.1, -0.12, 0.62 if kind == "leader" else 0.68)
        if shown.command is not None:
            d.polygon(hexagon(-0.31, 0.03, 0.165), fill=colours.counter_ink, stroke=painter.tones["ink"], width=0.03)
            painter.text(str(shown.command), (-0.31, 0.035), 0.23, colours.counter_white)
        if shown.morale is not None:
            morale, high = str(shown.morale), 0.31 if shown.morale < 10 else 0.28
            wide = painter.width(morale, high)
            x = min(0.33, 0.47 - wide / 2)
            if shown.broken:
                painter.box((x, -0.3), (max(0.29, wide + 0.06), 0.32), colours.broken, None, 0.05)
            painter.text(morale, (x, -0.29), high, colours.counter_white if shown.broken else colours.counter_ink)
    if not size:
        return
    painter.foot(min(0.215, 0.357 - 0.42 * size))
    places = {"fp": -0.31, "range": 0.0, "move": 0.31} if not shown.weapon else {"fp": -0.23, "range": 0.23}
    halves = {key: text_width(text, size, True) / 2 for key, text in known.items()}
    if shown.weapon and len(known) == 2:  # a value of two digits takes its room from the other
        places = {key: side * min(0.47 - halves[key], 0.23) for key, side in (("fp", -1), ("range", 1))}
    for key, text in known.items():
        boxed, x = key in shown.boxed, places[key]
        if boxed:
            wide = max(0.42 if shown.weapon else 0.27, 2 * halves[key] + 0.03)
            painter.box((x, 0.357), (min(wide, 0.96 - 2 * abs(x)), max(0.23, 0.8 * size)), colours.counter_white)
        d.text(text, x, 0.362, size, colours.counter_ink if boxed else colours.counter_white, bold=True)
    if shown.weapon and len(known) == 2 and len(shown.boxed & known.keys()) != 1:
        ends = places["fp"] + halves["fp"], places["range"] - halves["range"]
        if ends[1] - ends[0] < 0.5 * size:  # closer than a digit is wide: they would be read as one number
            middle, tall, ink = sum(ends) / 2, 0.42 * size, painter.band if shown.boxed else colours.counter_white
            d.line((middle, 0.357 - tall), (middle, 0.357 + tall), stroke=ink, width=0.035)


def _signed(value: int) -> str:
    return str(value).replace("-", "−")


def _states(painter: Painter, shown: CounterFace) -> None:
    """States of a counter without a look of its own."""
    d, colours, deep = painter.d, painter.colours, painter.tones["ink"]
    if shown.suppressed and not shown.marks:
        d.polygon([(-0.5, 0.0), (-0.5, -0.5), (0.0, -0.5)], fill=colours.suppressed, stroke=deep, width=0.03)
        painter.text("S", (-0.345, -0.335), 0.25, colours.counter_ink)
    if shown.veteran:
        d.lines([[(-0.44, 0.02), (-0.34, 0.1), (-0.24, 0.02)], [(-0.44, 0.1), (-0.34, 0.18), (-0.24, 0.1)]], deep, 0.04)
    if shown.marks:
        width = 0.12 + 0.17 * len(shown.marks)
        d.polygon(rounded(-0.5, -0.54, width, 0.3, 0.08), fill=colours.counter_white, stroke=deep, width=0.03)
        painter.text(shown.marks, (-0.5 + width / 2, -0.385), 0.23, colours.counter_ink)
    if shown.activated:
        painter.order(shown.activated, beside=shown.suppressed or bool(shown.marks))
