"""Victory: what units and objectives are worth, who controls an objective, surrender, and who wins in the end.

The position says the rest: ``state.victory`` (points, positive for the Axis), ``chits`` (open), ``secret_axis``,
``secret_allies``, ``control`` (objective -> side), ``surrender`` (side -> space), ``initiative``.

**Rule:** 4.1.1, 4.2, 6.3, 6.3.1, 6.3.2, 7.1, 7.2.1, 7.2.2, 7.3.1, 7.3.1.1, 7.3.2, 7.3.3, 9.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import PieceId, Side
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.arguments import LossWay
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import chits_of, command_printed, doubled
from tutor.games.combat_commander.units import is_unit, places

SIDES = ("axis", "allies")


def other(side: str) -> str:
    """The other side.

    >>> other("axis")
    'allies'
    """
    return "allies" if side == "axis" else "axis"


def objectives_on(ctx: Context) -> list[int]:
    """Numbers of the objectives of the map, in order. **Rule:** 2.3."""
    numbers = {int(n) for n in ctx.position.markers.get("objective", {}).values() if n and isinstance(n, int)}
    return sorted(numbers)


def objective_hexes(ctx: Context, objective: int) -> tuple[str, ...]:
    """Hexes of an objective: the whole of its building. **Rule:** 7.3.1.1.

    Raises:
        RequestError: no such objective on this board.
    """
    cells = [c for c, n in ctx.position.markers.get("objective", {}).items() if n == objective]
    if not cells:
        raise RequestError(f"Il n’y a pas d’Objectif {objective} sur ce plateau.", remedy="Placez ce pion Objectif.")
    whole = _building(ctx, cells)
    if len(whole) > len(cells) and ctx.on("7.3.1.1"):
        ctx.step("7.3.1.1", "victory.building", value=len(whole), where=hexes(*whole), cells=list(whole))
        return whole
    return tuple(cells)


def _building(ctx: Context, cells: Iterable[str]) -> tuple[str, ...]:
    """Some hexes, and those of the same building, from one group of joined hexes to the next. **Rule:** 7.3.1.1."""
    building = dict.fromkeys(cells)
    groups = [g for g in ctx.position.joined if ctx.position.terrain_of.get(g[0]) == "building"]
    while near := [g for g in groups if set(g) & set(building) and not set(g) <= set(building)]:
        building |= dict.fromkeys(cell for group in near for cell in group)
    return tuple(cell for cell in ctx.position.grid.cells if cell in building)


def units_in(ctx: Context, cells: Iterable[str]) -> list[Piece]:
    """The units of either side in some hexes: a side alone there controls it. **Rule:** 7.3.1."""
    return [p for c in cells for p in ctx.position.pieces_at(c) if is_unit(p)]


def controller(ctx: Context, objective: int) -> str | None:
    """Who controls an objective now: the last side to hold it alone. **Rule:** 7.3.1, 7.3.1.1."""
    cells = objective_hexes(ctx, objective)
    controllers = ctx.position.state.get("control")
    before = controllers.get(str(objective)) if isinstance(controllers, dict) else None
    inside = units_in(ctx, cells)
    sides = {p.side for p in inside}
    if len(sides) == 1:
        now = sides.pop()
        ctx.step("7.3.1", "victory.alone", value=now, where=places(*inside), objective=objective)
        return now
    code = "victory.disputed" if sides else "victory.kept"
    ctx.step("7.3.1", code if before else "victory.nobody", value=before, where=hexes(*cells), objective=objective)
    return str(before) if before else None


@GAME.question(
    "objective_control",
    rules=("7.3.1", "7.3.1.1"),
    label="Qui contrôle cet objectif ?",
    theme="Temps et victoire",
)
def objective_control(ctx: Context, objective: Annotated[int, "Objectif"]) -> str | None:
    """Which side controls an objective, as the units stand.

    Args:
        objective: 1 to 5.

    Returns:
        axis, allies, or None when nobody has ever held it alone.

    Raises:
        RequestError: no such objective on the board.

    **Rule:** 7.3.1, 7.3.1.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "objectifs"), "objective_control", objective=1).value
    'axis'
    """
    return controller(ctx, objective)


@dataclass(frozen=True, slots=True)
class Worth:
    """What an objective is worth.

    Args:
        points: to whoever controls it.
        chits: letters of the chits that count.
        swing: change of the track when it goes from one side to the other.
    """

    points: int
    chits: tuple[str, ...]
    swing: int


def worth(ctx: Context, objective: int, names: list[str]) -> Worth:
    """Points of an objective by some chits, cumulative. **Rule:** 7.3.2, 7.3.3."""
    table = ctx.table("chits")
    counted, points = [], 0
    for name in names:
        row = f"chit_{name}"
        if table.peek(row, "special") is None and table.peek(row, "objective") in (objective, "each"):
            points += int(table.get(row, "points"))
            counted.append(name)
            if not ctx.on("7.3.2"):
                break
    ctx.step("7.3.2", "victory.worth", value=points, objective=objective, chits=[c.upper() for c in counted])
    swing = 2 * points if ctx.on("7.3.3") else points
    ctx.step("7.3.3", "victory.swing", value=swing, objective=objective, points=points)
    return Worth(points, tuple(counted), swing)


@GAME.question(
    "objective_value",
    rules=("7.3.2", "7.3.3"),
    label="Que vaut cet objectif ?",
    theme="Temps et victoire",
    quiet=True,
)
def objective_value(
    ctx: Context, objective: Annotated[int, "Objectif"], revealed: Annotated[bool, "Révélés"] = False
) -> Worth:
    """What an objective is worth with the chits in play, and how far the track moves when it changes hands.

    Args:
        objective: 1 to 5.
        revealed: whether the secret chits of both sides count too (end of the game).

    Returns:
        Its points, the chits that give them, the swing.

    Raises:
        RequestError: not 1 to 5, or a chit that does not exist.

    **Rule:** 7.3.2, 7.3.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "objectifs").change({"state.chits": ["c", "g", "k"]})
    >>> ask(position, "objective_value", objective=3).value.points
    6
    """
    if objective not in range(1, 6):
        raise RequestError(f"Il n’y a pas d’Objectif {objective}.", remedy="Les Objectifs vont de 1 à 5.")
    names = chits_of(ctx)
    if revealed:
        names += chits_of(ctx, "secret_axis") + chits_of(ctx, "secret_allies")
    return worth(ctx, objective, names)


def unit_points(ctx: Context, unit: Piece) -> int:
    """Points of a unit, before any doubling. **Rule:** 7.1, E58.1."""
    row = "hero_lost" if is_hero(unit) else f"{unit.kind}_lost"
    points = int(ctx.table("elimination").get(row, "points", places(unit)))
    if row == "leader_lost":
        command = command_printed(ctx, unit)
        ctx.step("7.1", "victory.leader", value=points + command, where=places(unit), piece=unit.id, command=command)
        points += command
    return points


@GAME.question(
    "unit_worth",
    rules=("7.1", "7.2.1", "7.2.2", "7.3.2"),
    label="Que vaut la perte de cette unité ?",
    theme="Temps et victoire",
    quiet=True,
)
def unit_worth(ctx: Context, piece: PieceId, how: LossWay = "eliminated") -> int:
    """Points that a unit's loss, or its exit by the enemy edge, gives.

    Args:
        piece: id of the unit.
        how: eliminated (to the enemy) or exited (to its owner).

    Returns:
        The points, doubled when an open chit says so.

    Raises:
        PositionError: no such piece. RequestError: not a unit, or unknown ``how``.

    **Rule:** 7.1, 7.2.1, 7.2.2, 7.3.2, E58.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "unit_worth", piece="peloton-us").value
    2
    """
    unit = ctx.position.piece(piece)
    if not is_unit(unit) or how not in ("eliminated", "exited"):
        raise RequestError(
            f"« {piece} », « {how} » : ni une unité, ni une perte.",
            remedy="Une unité est éliminée, ou sort du plateau.",
        )
    points = doubled(ctx, unit_points(ctx, unit), how)
    gains = other(unit.side) if how == "eliminated" else unit.side
    rule = "7.1" if how == "eliminated" else "7.2.1"
    ctx.step(rule, f"victory.{how}", value=points, where=places(unit), piece=unit.id, side=gains)
    return points


def surrender_of(ctx: Context, side: str) -> int:
    """Space of the surrender marker of a side.

    Raises:
        RequestError: the position does not say.

    **Rule:** 4.2.
    """
    surrenders = ctx.position.state.get("surrender")
    space = surrenders.get(side) if isinstance(surrenders, dict) else None
    if not isinstance(space, int):
        raise RequestError.unsaid("state.surrender", "en quelle case est la Reddition de ce camp")
    return space


@dataclass(frozen=True, slots=True)
class Surrender:
    """How far a side is from surrender: units lost, space of its marker, whether it has surrendered."""

    lost: int
    space: int
    surrendered: bool


@GAME.question(
    "surrender",
    rules=("4.2", "6.3.1"),
    label="Ce camp se rend-il ?",
    theme="Temps et victoire",
    quiet=True,
)
def surrender(ctx: Context, side: Side, more: Annotated[int, "De plus"] = 0) -> Surrender:
    """Whether a side has lost as many units as its surrender marker allows.

    Args:
        side: axis or allies.
        more: units lost besides those that the position marks eliminated.

    Returns:
        Losses, the marker, and whether the game is lost; heroes do not count.

    Raises:
        RequestError: the position does not place the marker.

    **Rule:** 4.2, 6.3.1, E58.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "objectifs"), "surrender", side="allies", more=5).value.surrendered
    False
    """
    gone = [p for p in ctx.position.pieces if p.side == side and is_unit(p) and "eliminated" in p.status]
    heroes = [p for p in gone if is_hero(p)] if ctx.on("E58.1") else []
    if heroes:
        ctx.step("E58.1", "victory.heroes", value=len(heroes), pieces=[p.id for p in heroes])
    lost = len(gone) - len(heroes) + more
    space = surrender_of(ctx, side)
    ctx.step("4.2", "victory.losses", value=lost, space=space, side=side)
    if lost >= space:
        ctx.step("6.3.1", "victory.surrendered", value=side, side=side)
    else:
        ctx.step("6.3.1", "victory.holds", value=space - lost, side=side, space=space)
    return Surrender(lost, space, lost >= space)


@dataclass(frozen=True, slots=True)
class Final:
    """The end: points after the secret chits (positive for the Axis), the winner, what each objective gave."""

    points: int
    winner: str
    objectives: Mapping[int, int]


def _beaten(ctx: Context) -> str | None:
    """The side that has surrendered, when one alone has. **Rule:** 6.3.1."""
    declared = ctx.position.state.get("surrender")
    known = [side for side in SIDES if isinstance(declared, dict) and side in declared]
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    beaten = [side for side in known if surrender.function(silent, side).surrendered]
    if len(beaten) != 1:
        return None
    surrender.function(ctx, beaten[0])
    return beaten[0]


@GAME.question(
    "final_count",
    rules=("6.3.1", "6.3.2", "7.3.3", "9.2"),
    label="Qui gagne au décompte final ?",
    theme="Temps et victoire",
)
def final_count(ctx: Context) -> Final:
    """The final count: secret chits are revealed and paid, then the most points win, Initiative if level.

    Args:
        ctx: the position gives all: victory, secret_axis, secret_allies, control, initiative; and surrender, which
            decides alone.

    Returns:
        Points, winner, and what each objective gave.

    Raises:
        RequestError: level, and the position does not say who holds the Initiative card.

    **Rule:** 6.3.1, 6.3.2, 7.3.3, 9.2.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "objectifs"), "final_count").value.winner
    'allies'
    """
    points = ctx.position.state.get("victory", 0)
    if not isinstance(points, int):
        raise RequestError.unsaid("state.victory", "où est le marqueur de Victoire")
    beaten = _beaten(ctx)
    if beaten is not None:
        return Final(points, other(beaten), {})
    for side in SIDES:
        if not any(is_unit(p) and p.side == side and ctx.position.hex_of(p.id) for p in ctx.position.pieces):
            ctx.step("6.3", "victory.no_units", value=side)
    ctx.step("4.1.1", "victory.track", "input", value=abs(points), side="axis" if points >= 0 else "allies")
    secret = chits_of(ctx, "secret_axis") + chits_of(ctx, "secret_allies")
    ctx.step("6.3.2", "victory.revealed", value=len(secret), chits=[c.upper() for c in secret])
    given: dict[int, int] = {}
    for objective in objectives_on(ctx):
        gained = worth(ctx, objective, secret).points if secret else 0
        holder = controller(ctx, objective) if gained else None
        if gained and holder:
            given[objective] = gained if holder == "axis" else -gained
            points += given[objective]
            ctx.step("6.3.2", "victory.paid", value=gained, objective=objective, side=holder)
    if points:
        winner = "axis" if points > 0 else "allies"
        ctx.step("6.3.2", "victory.most", value=winner, points=abs(points))
        return Final(points, winner, given)
    holder = str(ctx.position.state.get("initiative", ""))
    if holder not in SIDES:
        raise RequestError.unsaid("state.initiative", "qui a la carte Initiative, et elle départage")
    ctx.step("9.2", "victory.level", value=holder)
    return Final(0, holder, given)
