"""Counters: rounded squares in their side's hue, our own silhouettes, values where players expect them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tutor.core.errors import TutorError
from tutor.core.position import Piece, Position
from tutor.core.registry import game
from tutor.core.tables import Table
from widgets.counters_look import BAND, Look, look_of, paint_look
from widgets.counters_pictures import PICTURES, figures
from widgets.paint import XY, Drawing, View, hexagon, rounded
from widgets.palette import Palette

#: Where a game of units by kind prints a value under another name.
_OTHER_NAMES = {"fp": "attack"}
WEAPONS = frozenset({"mg", "mortar", "gun", "flamethrower", "satchel", "radio", "weapon"})


@dataclass(frozen=True, slots=True)
class CounterFace:
    """What the visible face of a counter shows.

    Args:
        id: piece id; kind: leader, team, squad or a weapon; side: axis or allies.
        name: what the reader calls it, shown under units.
        fp, range, move, morale, command, min_range: printed values, None when not printed.
        boxed: names of boxed values; broken, suppressed, veteran: state; activated: order it carries out.
        marks: letters of its other states, from the game's ``statuses``; own_unit: its kind is a unit by itself in this game.
        look: what it shows in the manner of its game, None in Combat Commander's.
    """

    id: str
    kind: str
    side: str
    name: str = ""
    fp: int | None = None
    range: int | None = None
    move: int | None = None
    morale: int | None = None
    command: int | None = None
    min_range: int | None = None
    boxed: frozenset[str] = frozenset()
    broken: bool = False
    suppressed: bool = False
    veteran: bool = False
    activated: str | None = None
    marks: str = ""
    own_unit: bool = False
    look: Look | None = None

    @property
    def weapon(self) -> bool:
        """Whether it is a weapon, drawn half-size on its carrier."""
        return self.kind in WEAPONS and not self.own_unit


def face(position: Position, piece: Piece) -> CounterFace:
    """The visible face of a piece: its own values, else those of its counter's row in the game's tables.

    >>> p = Position.parse("schema: 1\\ngame: combat_commander\\nid: v\\ngrid: {columns: [A, C], rows: [1, 3]}\\n"
    ...     "pieces: [{id: x, kind: squad, side: axis, at: B2, counter: germany/rifle, front: {fp: 6}}]")
    >>> face(p, p.pieces[0]).fp, face(p, p.pieces[0]).morale
    (6, 7)
    """
    kinds = _table(position, "kinds")
    own_unit = bool(kinds and kinds.has(piece.kind))
    weapon, broken = piece.kind in WEAPONS and not own_unit, "broken" in piece.status
    turned = broken and not weapon
    own = piece.back if turned else piece.front
    table = _table(position, "weapons" if weapon else "units")

    def value(key: str) -> int | None:
        if key not in own and own_unit:
            key = _OTHER_NAMES.get(key, key)
        if key in own:
            return own[key]
        found = table.get(piece.counter or "", f"back_{key}" if turned else key) if table else None
        return found if isinstance(found, int) else None

    boxed: Iterable[str] = piece.boxed if piece.boxed is not None else ()
    if piece.boxed is None and table:
        boxed = table.get(piece.counter or "", "boxed", ())
    return CounterFace(
        piece.id,
        piece.kind,
        _side(position, piece.side),
        piece.name or "",
        *(value(key) for key in ("fp", "range", "move", "morale", "command", "min_range")),
        frozenset(() if turned else boxed),
        broken,
        "suppressed" in piece.status,
        "veteran" in piece.status,
        piece.activated,
        _marks(position, piece),
        own_unit,
        look_of(position, piece),
    )


def _side(position: Position, side: str) -> str:
    """A side with a hue of its own: names other than axis, allies and enemy take hues in the order of the position."""
    if side in ("axis", "allies", "enemy"):
        return side
    order = list(dict.fromkeys(p.side for p in position.pieces))
    return ("allies", "axis")[order.index(side) % 2]


def _marks(position: Position, piece: Piece) -> str:
    """Letters of the states that the game's ``statuses`` give one to."""
    table = _table(position, "statuses")
    return "".join(str(table.get(s, "mark", "")) for s in table.rows if s in piece.status) if table else ""


def _table(position: Position, name: str) -> Table | None:
    try:
        return game(position.game).tables.get(name)
    except TutorError:
        return None


# --- layout ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placed:
    """A counter on the page: face, centre, size, weapons and their side (1 right), width its name may take."""

    face: CounterFace
    x: float
    y: float
    size: float
    weapons: tuple[CounterFace, ...] = ()
    room: float = 0.0
    weapon_side: int = 1


def layout(position: Position, view: View, focus: str | None = None) -> list[Placed]:
    """Where every counter goes: one in the middle, several as a stack; the stack of ``focus`` fanned, painted last."""
    stacks: dict[str, list[Piece]] = defaultdict(list)
    carried: dict[str, list[CounterFace]] = defaultdict(list)
    for piece in position.pieces:
        if "eliminated" in piece.status:
            continue
        if piece.carrier in position.by_id and (piece.kind in WEAPONS or piece.at is None):
            if piece.kind != "commander":  # said on the counter of his unit
                carried[str(piece.carrier)].append(face(position, piece))
        elif piece.at is not None and piece.at in position.grid:
            stacks[piece.at].append(piece)
    placed: list[Placed] = []
    order = sorted(stacks, key=lambda cell: (cell == focus, view.centre(cell)[1]))
    for cell in order:
        pieces = sorted(stacks[cell], key=lambda p: p.kind == "leader")
        x, y = view.centre(cell)
        y += view.radius * 0.04
        for piece, (dx, dy, scale) in zip(pieces, offsets(len(pieces), cell == focus), strict=True):
            alone, fanned = len(pieces) == 1, cell == focus
            side = 1 if fanned or piece is pieces[-1] else -1
            place = (x + dx * view.radius, y + dy * view.radius, view.radius * scale)
            room = view.radius * (1.85 if alone else 1.1 if fanned else 0.0)
            placed.append(Placed(face(position, piece), *place, tuple(carried[piece.id]), room, side))
    return placed


def offsets(count: int, fanned: bool) -> list[tuple[float, float, float]]:
    """Offsets and sizes (in hex radii) of the counters of one hex.

    >>> offsets(1, False)
    [(0.0, 0.0, 1.06)]
    """
    if count == 1:
        return [(0.0, 0.0, 1.06)]
    if fanned:
        step = 1.16 if count <= 4 else 4.4 / count
        return [((i - (count - 1) / 2) * step, 0.0, 1.06) for i in range(count)]
    step = {2: 0.6, 3: 0.42}.get(count, 0.9 / (count - 1))
    return [((i - (count - 1) / 2) * step, 0.06 - (i - (count - 1) / 2) * step * 0.22, 0.98) for i in range(count)]


def pieces_drawing(
    position: Position, view: View, colours: Palette, focus: str | None = None, hidden: str | None = None
) -> Drawing:
    """Every counter of a position.

    Args:
        focus: hex whose stack is fanned; hidden: id of a piece not drawn (it is being dragged).
    """
    d = Drawing()
    shown = [item for item in layout(position, view, focus) if item.face.id != hidden]
    for item in shown:
        paint_counter(d, item, colours)
    for item in shown:
        paint_weapons(d, item, colours)
    return d


def piece_at(position: Position, view: View, x: float, y: float, focus: str | None = None) -> str | None:
    """Id of the uppermost counter under a pixel, or None."""
    for item in reversed(layout(position, view, focus)):
        if abs(x - item.x) <= item.size / 2 and abs(y - item.y) <= item.size / 2:
            return item.face.id
    return None


# --- painting -------------------------------------------------------------------------------------------------------


def paint_counter(d: Drawing, item: Placed, colours: Palette) -> None:
    """One counter, without the weapons it carries."""
    with d.placed(item.x, item.y, -7 if item.face.broken else 0, item.size):
        _plate(d, item.face, colours)
        if item.face.look:
            paint_look(d, item.face.look, _tones(item.face, colours)[2], colours, item.face.name)
        elif item.face.weapon:
            _weapon_face(d, item.face, colours)
        else:
            _unit_face(d, item.face, colours)
    if item.room and item.face.name and item.size >= 28 and _named_below(item.face):
        size = max(9.0, min(12.0, item.size * 0.2))
        name, longest = item.face.name, int(item.room / (size * 0.54))
        name = name if len(name) <= longest else name[: longest - 1].rstrip() + "…"
        d.text(name, item.x, item.y + item.size * 0.5 + size * 0.58, size, colours.ink, bold=True, halo=colours.halo)


def _named_below(face: CounterFace) -> bool:
    """Whether the band at the foot holds values, so that the name stands under the counter."""
    if face.look:
        return bool(face.look.foot) or len(face.name) > BAND
    return not face.weapon and face.fp is not None


def paint_weapons(d: Drawing, item: Placed, colours: Palette) -> None:
    """The weapons of a counter, half-size at its side."""
    for i, weapon in enumerate(item.weapons):
        x, y = weapon_place(item, i)
        with d.placed(x, y, -7 if weapon.broken else 0, item.size * 0.52):
            _plate(d, weapon, colours)
            if weapon.look:
                paint_look(d, weapon.look, _tones(weapon, colours)[2], colours, weapon.name)
            else:
                _weapon_face(d, weapon, colours)


def paint_ghost(d: Drawing, position: Position, piece: str, at: XY, view: View, colours: Palette) -> None:
    """A piece under the pointer that drags it, and the hex it would fall into."""
    cell = view.cell_at(*at)
    if cell:
        style = {"stroke": colours.select, "width": max(2.0, view.radius / 14), "dash": (6, 4)}
        d.polygon(view.polygon(cell, 0.95), **style)
    weapons = tuple(face(position, p) for p in position.pieces if p.carrier == piece)
    item = Placed(face(position, position.piece(piece)), *at, view.radius * 1.2, weapons)
    paint_counter(d, item, colours)
    paint_weapons(d, item, colours)


def weapon_place(item: Placed, index: int) -> XY:
    """Centre of a carried weapon."""
    return item.x + item.weapon_side * item.size * 0.64, item.y + item.size * (0.02 + 0.4 * index)


def _enemy(face: CounterFace) -> bool:
    return face.side in ("axis", "enemy")


def _tones(face: CounterFace, colours: Palette) -> tuple[str, str, str]:
    if _enemy(face):
        return colours.axis, colours.axis_light, colours.axis_deep
    return colours.allies, colours.allies_light, colours.allies_deep


def _plate(d: Drawing, face: CounterFace, colours: Palette) -> None:
    mid, light, deep = _tones(face, colours)
    cut = "tl" if _enemy(face) else ""
    radius = 0.09 if cut else 0.13
    plate = rounded(-0.5, -0.5, 1, 1, radius, cut)
    d.polygon([(x + 0.025, y + 0.045) for x, y in plate], fill=colours.shadow, alpha=0.3)
    d.polygon(plate, fill=colours.counter_white if face.broken else light, stroke=deep, width=0.035)
    if face.broken:
        stripes = [[(x, -0.46), (x - 0.92, 0.46)] for x in (-0.2, 0.02, 0.24, 0.46)] + [
            [(0.46, y), (0.46 - (0.46 - y), 0.46)] for y in (-0.24, -0.02, 0.2)
        ]
        d.lines(
            [[(max(-0.46, x), y if x >= -0.46 else y - (-0.46 - x)) for x, y in line] for line in stripes],
            mid,
            0.022,
            alpha=0.5,
        )
    foot = [
        (-0.482, 0.23),
        (0.482, 0.23),
        *[(x, y) for x, y in rounded(-0.482, -0.482, 0.964, 0.964, radius) if y > 0.3],
    ]
    d.polygon(foot, fill=colours.broken if face.broken else mid)
    if face.suppressed and not face.marks:
        d.polygon([(-0.5, 0.02), (-0.5, -0.5), (0.02, -0.5)], fill=colours.suppressed, stroke=deep, width=0.03)
        d.text("S", -0.34, -0.325, 0.25, colours.counter_ink, bold=True)
    if face.veteran:
        d.lines([[(-0.44, 0.02), (-0.34, 0.1), (-0.24, 0.02)], [(-0.44, 0.1), (-0.34, 0.18), (-0.24, 0.1)]], deep, 0.04)
    if face.marks and not face.look:
        width = 0.12 + 0.17 * len(face.marks)
        d.polygon(rounded(-0.5, -0.54, width, 0.3, 0.08), fill=colours.counter_white, stroke=deep, width=0.03)
        d.text(face.marks, -0.5 + width / 2, -0.385, 0.23, colours.counter_ink, bold=True)
    if face.activated:
        d.polygon([(0.3, -0.62), (0.62, -0.62), (0.46, -0.44)], fill=colours.olive, stroke=colours.paper, width=0.03)


def _unit_face(d: Drawing, face: CounterFace, colours: Palette) -> None:
    deep = _tones(face, colours)[2]
    ink = colours.counter_ink
    if face.kind == "leader":
        figures(d, 1, deep, -0.02, -0.12, 1.15)
        d.polygon(hexagon(-0.3, 0.03, 0.165), fill=colours.counter_white, stroke=deep, width=0.035)
        if face.command is not None:
            d.text(str(face.command), -0.3, 0.04, 0.24, ink, bold=True)
    elif face.kind in PICTURES:
        with d.placed(0, -0.14):
            PICTURES[face.kind](d, deep)
    else:
        figures(d, 4 if face.kind == "squad" else 2, deep, -0.08, -0.1, 0.92)
    if face.morale is not None:
        if face.broken:
            d.polygon(rounded(0.19, -0.47, 0.28, 0.31, 0.06), fill=colours.broken)
            d.text(str(face.morale), 0.33, -0.31, 0.3, colours.counter_white, bold=True)
        else:
            d.text(str(face.morale), 0.33, -0.31, 0.32, ink, bold=True)
    _values(d, face, (face.fp, face.range, face.move), colours)


def _values(d: Drawing, face: CounterFace, values: tuple[int | None, ...], colours: Palette) -> None:
    """PF, portée, mouvement along the foot; boxed ones in a box."""
    if all(v is None for v in values):
        if face.name:
            d.text(
                face.name[:10],
                0,
                0.362,
                min(0.21, 1.45 / max(5, len(face.name[:10]))),
                colours.counter_white,
                bold=True,
            )
        return
    for x, value, name in zip((-0.31, 0.0, 0.31), values, ("fp", "range", "move"), strict=True):
        if value is None:
            continue
        boxed = name in face.boxed
        if boxed:
            d.polygon(
                rounded(x - 0.135, 0.245, 0.27, 0.235, 0.03),
                fill=colours.counter_white,
                stroke=colours.counter_ink,
                width=0.02,
            )
        d.text(
            str(value).replace("-", "−"),
            x,
            0.37,
            0.245,
            colours.counter_ink if boxed else colours.counter_white,
            bold=True,
        )


def _weapon_face(d: Drawing, face: CounterFace, colours: Palette) -> None:
    deep = _tones(face, colours)[2]
    with d.placed(0, -0.14):
        PICTURES.get(face.kind, PICTURES["mg"])(d, deep)
    for x, value, name in ((-0.23, face.fp, "fp"), (0.23, face.range, "range")):
        if value is not None:
            boxed = name in face.boxed
            if boxed:
                d.polygon(rounded(x - 0.21, 0.245, 0.42, 0.235, 0.03), fill=colours.counter_white)
            d.text(str(value), x, 0.37, 0.28, colours.counter_ink if boxed else colours.counter_white, bold=True)
    if face.fp is None and face.range is None:
        _values(d, face, (), colours)
    if face.move:
        d.text(str(face.move).replace("-", "−"), 0.32, -0.33, 0.24, colours.counter_ink, bold=True)


def counter_outline(item: Placed) -> list[XY]:
    """Pixels of a counter's edge, for highlights."""
    return [(item.x + x * item.size, item.y + y * item.size) for x, y in rounded(-0.53, -0.53, 1.06, 1.06, 0.12)]
