"""Rooms: who gets the building's bonus, grenades, and blasts that walls contain.

**Rule:** 1.3.3-1.3.6, 1.3.9.
"""

from __future__ import annotations

from typing import Annotated

from tutor.core.arguments import Cell, PieceId, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import UnknownValue
from tutor.core.marks import Asked, Corner, Mark, Tint
from tutor.core.position import Piece, Position
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.board import INFANTRY, covered, grid_of, mark, side_kind, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.tiles import entered


def room(position: Position, cell: str) -> tuple[str, str] | None:
    """Building and room of a square, or None outdoors; a building without red marks is one room."""
    kind, number = position.terrain_of.get(cell), mark(position, "room", cell)
    if kind != "building" and (kind != "ruin" or number is None):
        return None
    return building_of(position, cell), number or ""


def building_of(position: Position, cell: str) -> str:
    """Number of the building of a square; without one, its first square: un-numbered squares that touch are one."""
    if number := mark(position, "element", cell):
        return number
    block, layer = {cell}, [cell]
    while layer:
        near = grid_of(position).neighbours(layer.pop())
        joined = [
            c for c in near if position.terrain_of.get(c) in ("building", "ruin") and not mark(position, "element", c)
        ]
        layer += [c for c in joined if c not in block]
        block |= set(joined)
    return next(c for c in grid_of(position).cells if c in block)


def intact(position: Position, cell: str) -> bool:
    """Whether a square lies in a room without any ruined square, or half of one."""
    where = room(position, cell)
    cells = [c for c in grid_of(position).cells if room(position, c) == where] if where else []
    return bool(cells) and all(
        position.terrain_of.get(c) == "building" and not mark(position, "ruined_half", c) for c in cells
    )


def in_building(ctx: Context, cell: str, rule: str = "5.4") -> bool:
    """Whether a square lies in a building, one that is partly destroyed included (its ruins, by ``partly_destroyed``).

    **Rule:** 1.3.5, 5.4, 5.5.
    """
    position = ctx.position
    kind = position.terrain_of.get(cell)
    if kind != "ruin":
        return kind == "building"
    mine = building_of(position, cell)
    standing = (c for c in grid_of(position).cells if position.terrain_of.get(c) == "building")
    partly = any(building_of(position, c) == mine for c in standing)
    if not partly:
        return False
    inside = ctx.setting("partly_destroyed") == "element"
    code = "plane.ruin_inside" if inside else "plane.ruin_outside"
    ctx.step(rule, code, cell=cell, where=hexes(cell), note="interprétation")
    return inside


def stands_in(position: Position, piece: Piece, rule: str) -> str:
    """A square whose room is a unit's.

    Raises:
        UnknownValue: an off-grid unit stands over two rooms, or over half a ruin.
    """
    cells = covered(position, piece)
    halves = len(cells) > 1 and any(mark(position, "ruined_half", cell) for cell in cells)
    if halves or len({room(position, cell) for cell in cells}) > 1:
        raise UnknownValue("base", "room.off_grid", rule)
    return cells[0]


def protects(terrain: str, kind: str) -> bool:
    """Whether a terrain gives a defence bonus to a kind of unit: a crater and rubble only to infantry.

    >>> protects("rubble", "heavy_vehicle"), protects("ruin", "heavy_vehicle"), protects("river", "infantry")
    (False, True, False)
    """
    row = GAME.tables["terrain"].rows[terrain]
    return "bonus" in row and (kind in INFANTRY or not row.get("infantry"))


@GAME.question(
    "room_bonus",
    rules=("1.3.3",),
    label="La cible profite-t-elle du bâtiment ?",
    theme="Bâtiments",
)
def room_bonus(ctx: Context, unit: PieceId, target: TargetPiece) -> bool:
    """Whether a target gets the defence bonus of the building it stands in.

    Args:
        unit: the shooter or assaulter.
        target: id.

    Returns:
        True when both are in different rooms or on different floors; the value of the bonus is in the base booklet.

    **Rule:** 1.3.3, 1.3.7.

    >>> GAME.load().rules["room_bonus"](GAME.position("batiment"), unit="section", target="garde").value
    True
    """
    mover, aimed = unit_of(ctx.position, unit), unit_of(ctx.position, target)
    start, end = (stands_in(ctx.position, piece, "1.3.3") for piece in (mover, aimed))
    before = ctx.position.terrain_of.get(end)
    ctx = entered(ctx, [end], start, end)
    if ctx.position.terrain_of.get(end) != before:
        ctx.step("1.3.3", "room.ruined", value=False, target=target, where=hexes(end))
        return False
    theirs, mine = room(ctx.position, end), room(ctx.position, start)
    if theirs is None:
        ctx.step("1.3.3", "room.outside", value=False, target=target, where=hexes(end))
        return False
    if theirs == mine and ("upstairs" in mover.status) != ("upstairs" in aimed.status):
        ctx.step("1.3.7", "floors.bonus", value=True, target=target, where=hexes(end))
        return True
    other = theirs != mine and ctx.on("1.3.3")
    ctx.step("1.3.3", "room.other" if other else "room.same", value=other, who=unit, target=target, where=hexes(end))
    return other


@GAME.question(
    "grenade",
    rules=("1.3.5", "1.3.6"),
    label="Cette grenade peut-elle être lancée ?",
    theme="Bâtiments",
    common=True,
)
def grenade(ctx: Context, unit: PieceId, cell: Cell) -> tuple[str, ...]:
    """A grenade thrown into a square: refused from one building into another, or from upstairs but by the stairs.

    Args:
        unit: the thrower.
        cell: a square of the room, or outdoors.

    Returns:
        The squares of the room, or the square itself; how far one throws is in the base booklet.

    **Rule:** 1.3.5, 1.3.6, 1.3.7.

    >>> GAME.load().rules["grenade"](GAME.position("batiment"), unit="garde", cell="G4").refusals[0].rule
    '1.3.5'
    """
    position, grid = ctx.position, grid_of(ctx.position)
    grid.check(cell)
    thrower = unit_of(position, unit)
    start = stands_in(position, thrower, "1.3.5")
    if "upstairs" in thrower.status and cell != start and ctx.on("1.3.7"):
        ctx.refuse("1.3.7", "grenade.upstairs", who=unit, cell=cell, where=hexes(start, cell))
    mine, theirs = room(position, start), room(position, cell)
    other = mine and theirs and mine[0] != theirs[0]
    if other and in_building(ctx, start, "1.3.5") and in_building(ctx, cell, "1.3.5") and ctx.on("1.3.5"):
        ctx.refuse("1.3.5", "grenade.other_building", who=unit, cell=cell, where=hexes(start, cell))
    if ctx.refusals:
        return ()
    inside = tuple(c for c in grid.cells if theirs and room(position, c) == theirs) or (cell,)
    ctx.step("1.3.6", "grenade.where", cells=list(inside), who=unit, where=hexes(*inside))
    return inside


def corner(ctx: Context, vertex: str) -> tuple[str, ...]:
    """The four squares round a corner named by the upper left one; refused, and none, where there are fewer.

    **Rule:** 1.3.9.
    """
    grid = grid_of(ctx.position)
    right = grid.neighbour(grid.check(vertex), 2)
    four = (vertex, right, grid.neighbour(vertex, 3), grid.neighbour(right, 3))
    if all(cell in grid for cell in four):
        return four
    ctx.refuse("1.3.9", "blast.no_corner", vertex=vertex, where=hexes(vertex))
    return ()


@GAME.question(
    "blast",
    rules=("1.3.4", "1.3.9"),
    label="Quelles cases touche ce gabarit ?",
    theme="Explosions et avions",
)
def blast(
    ctx: Context,
    vertex: Annotated[Cell, "Case au-dessus, à gauche du coin"],
    cell: Cell | None = None,
    thrown: Annotated[bool, "Lancé à la main"] = False,
) -> tuple[str, ...]:
    """Squares a template on a corner of four squares touches, walls containing it.

    Args:
        vertex: upper left of the four squares.
        cell: the one on whose side of the walls the template lies, the upper left by default.
        thrown: a grenade thrown into the room.

    Returns:
        Squares touched; refused when the corner is not that of four squares, or lies in an intact room.

    **Rule:** 1.3.4, 1.3.9.

    >>> GAME.load().rules["blast"](GAME.position("batiment"), vertex="B4").value
    ('B4', 'B5')
    """
    position, grid = ctx.position, grid_of(ctx.position)
    four = corner(ctx, vertex)
    if not four:
        return ()
    origin = vertex if cell is None else grid.check(cell)
    if origin not in four:
        ctx.refuse("1.3.9", "blast.not_beside", vertex=vertex, cell=origin, where=hexes(vertex, origin))
        return ()
    if intact(position, origin) and not thrown and ctx.on("1.3.9"):
        inside = [c for c in grid.cells if room(position, c) == room(position, origin)]
        ctx.step("1.3.9", "blast.room", cell=origin, cells=inside, where=hexes(*inside))
        ctx.refuse("1.3.9", "blast.intact_room", cell=origin, where=hexes(origin))
        return ()
    ctx.step("1.3.9", "blast.four", cells=list(four), where=hexes(*four))
    mine, spared = room(position, origin), set[str]()
    touched, layer, walls = {origin}, [origin], dict[str, tuple[str, str]]()
    through = ctx.setting("blast_room") == "through"
    while layer:
        one = layer.pop()
        for other in (c for c in grid.neighbours(one) if c in four and c not in touched | spared):
            kind = side_kind(position, one, other)
            if kind and _contains(ctx, kind):
                walls.setdefault(position.canonical_side(f"{one}/{other}"), (one, other))
                continue
            if intact(position, other) and not (thrown and room(position, other) == mine) and ctx.on("1.3.9"):
                spared.add(other)
                layer += [other] if through else []
                continue
            touched.add(other)
            layer.append(other)
    for one, other in walls.values():
        kind = str(side_kind(position, one, other))
        code = "blast.round" if {one, other} <= touched else "blast.contained"
        note = "interprétation" if _opens(kind) or code == "blast.round" else None
        ctx.step("1.3.4", code, kind=kind, cell=other, start=one, where=hexes(one, other), note=note)
    for other in sorted(spared):
        code = "blast.through" if through else "blast.spared"
        ctx.step("1.3.9", code, cell=other, where=hexes(other), note="interprétation")
    squares = tuple(c for c in grid.cells if c in touched)
    ctx.step("1.3.9", "blast.touched", value=len(squares), cells=list(squares), where=hexes(*squares))
    return squares


@blast.draws
def _template(value: tuple[str, ...], asked: Asked) -> tuple[Mark, ...]:
    """The squares that it touches, and the corner where it lies."""
    vertex = asked.given["vertex"]
    mark = (Corner(vertex),) if vertex in asked.position.grid else ()
    return (Tint(value, "reach"), *mark) if asked.computed and value else ()


def _opens(kind: str) -> bool:
    """Whether an edge is an opening, that some let a blast through."""
    return bool(GAME.tables["sides"].get(kind, "blast", "open") == "opening")


def _contains(ctx: Context, kind: str) -> bool:
    how = GAME.tables["sides"].get(kind, "blast", "open")
    stops = how == "stops" or (how == "opening" and ctx.setting("blast_opening") == "contained")
    return stops and ctx.on("1.3.4")
