"""Save Yourself Retreat: what may cause it, who flees, along which path.

**Rule:** 15.2h, 17.3a, 17.4, 17.5f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from tutor.core.arguments import Cell, Path, Pieces, Side
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import Place, hexes
from tutor.games.tcs.arguments import RetreatCause
from tutor.games.tcs.board import board
from tutor.games.tcs.game import GAME
from tutor.games.tcs.morale import abandoned, category, hex_class, stack
from tutor.games.tcs.units import Unit, place

#: What makes a stack flee; the two replies to a trigger are for vehicles alone.
CAUSES = ("morale", "point_fire", "move", "voluntary", "assault")
REPLIES = ("point_fire", "move")
COVER = ("protective", "partly_protective")


@GAME.question(
    "syr",
    rules=("17.4", "17.4b", "17.4c", "17.4d", "15.2h"),
    label="Cette fuite est-elle permise ?",
    theme="Overwatch et SYR",
)
def syr(
    ctx: Context,
    cell: Cell,
    side: Side,
    threat: Annotated[Cell, "Menace"],
    path: Path,
    cause: RetreatCause = "morale",
    movers: Annotated[Pieces, "Qui bouge"] = (),
) -> int | None:
    """Whether a stack may flee along a path: cause, who flees, length, direction, obstacles.

    Args:
        cell: hex left.
        side: of the stack.
        threat: hex of the enemy action.
        path: hexes entered, in order.
        cause: morale (a result), point_fire or move (vehicles reply to a trigger), voluntary, assault (rather than
            fight).
        movers: ids of the vehicles that reply, nothing for the whole stack; what they carry goes with them.

    Returns:
        Hexes fled, 6 for vehicles alone, 3 otherwise, fewer on reaching cover; None when refused.

    Raises:
        RequestError: nobody there, no such cause, or the path jumps.

    **Rule:** 15.2h, 17.3a, 17.4, 17.4a, 17.4b, 17.4c, 17.4d, 17.4e, 17.5f, 22.0-2.

    >>> from tutor import ask, load_position
    >>> flight = {"cell": "05.03", "side": "allies", "threat": "02.03"}
    >>> position = load_position("tcs", "fuite")
    >>> [ask(position, "syr", **flight, path=path).value for path in (["06.02", "07.03", "08.03"], ["06.02", "07.02"])]
    [3, 2]
    """
    if cause not in CAUSES:
        raise RequestError(f"« {cause} » n’est pas une cause de fuite.", remedy=f"Causes : {', '.join(CAUSES)}.")
    units = [u for u in stack(ctx, cell, side) if u.left]
    ctx.position.grid.check(threat)
    fleeing = _fleeing(units, movers)
    if cause == "assault":
        fleeing = _able(ctx, cell, fleeing)
    _refuse_cause(ctx, cell, cause, units, fleeing)
    afoot = [u for u in fleeing if not u.carried]
    fast = ("vehicle", "transport") if ctx.setting("transport_syr") == "vehicles" else ("vehicle",)
    alone = all(category(u) in fast for u in afoot) and ctx.on("17.4c")
    wanted = int(GAME.tables["flight"].get("vehicles" if alone else "stack", "hexes"))
    following = [u for u in afoot if not abandoned(u)]
    open_ = (any(category(u) == "transport" for u in afoot) or len(following) < len(afoot)) and all(
        category(u) in ("vehicle", "transport") for u in following
    )
    code, note = "syr.vehicles" if alone else "syr.stack", "interprétation" if open_ else None
    slow = [u.id for u in afoot if category(u) not in ("vehicle", "transport")]
    if slow and not alone:
        ctx.step("17.4c", "syr.slow", where=[Place("piece", one) for one in slow], pieces=slow)
    ctx.step("17.4c", code, value=wanted, unit="hexagones", where=hexes(cell), note=note)
    turned = bool(path) and cause != "voluntary" and ctx.on("17.4b") and _leave(ctx, cell, side, threat, path[0])
    _walk(ctx, cell, side, threat, path, wanted, turned=turned)
    if path and not ctx.refusals:
        ctx.step("17.4", "syr.done", value=len(path), unit="hexagones", where=hexes(*path), cell=path[-1])
    return None if ctx.refusals else len(path)


@dataclass(frozen=True, slots=True)
class FlightAttack:
    """An attack on those who flee.

    Args:
        cell: hex entered.
        by: barrage or mines.
    """

    cell: str
    by: str


@GAME.question(
    "flight_attacks",
    rules=("17.4f", "17.4g"),
    label="Qu’est-ce qui attaque une fuite ?",
    theme="Overwatch et SYR",
)
def flight_attacks(ctx: Context, path: Path) -> tuple[FlightAttack, ...]:
    """Attacks of artillery and mines on a stack that flees, hex by hex.

    Args:
        path: hexes entered, in order.

    Returns:
        One attack for each hex entered in the zone of a barrage or next to it, one for each minefield, breached or not.

    Raises:
        PositionError: a hex that the map does not have.

    **Rule:** 17.4f, 17.4g.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "fuite").change({"marker.breached_mines.07.03": True})
    >>> [(one.cell, one.by) for one in ask(position, "flight_attacks", path=["06.02", "07.03", "08.03"]).value]
    [('07.03', 'mines')]
    """
    grid, marked = ctx.position.grid, ctx.position.markers
    zone = [c for c, on in marked.get("barrage", {}).items() if on]
    attacks: list[FlightAttack] = []
    for cell in path:
        if near := sorted(c for c in zone if grid.distance(grid.check(cell), c) <= 1):
            ctx.step("17.4f", "flight.barrage", where=hexes(cell, *near), cell=cell, near=near)
            attacks.append(FlightAttack(cell, "barrage"))
        for kind, code in (("mines", "flight.mines"), ("breached_mines", "flight.breached")):
            if marked.get(kind, {}).get(grid.check(cell)):
                ctx.step("17.4g", code, where=hexes(cell), cell=cell)
                attacks.append(FlightAttack(cell, "mines"))
    cells = list(dict.fromkeys(one.cell for one in attacks))
    if attacks:
        ctx.step("17.4", "flight.attacks", value=len(attacks), where=hexes(*cells), cells=cells)
    else:
        ctx.step("17.4", "flight.unharmed", value=0, where=hexes(*path))
    return tuple(attacks)


def _fleeing(units: Sequence[Unit], movers: Sequence[str]) -> list[Unit]:
    """Who leaves the hex: everybody, or the vehicles named with what they carry."""
    if unknown := sorted(set(movers) - {u.id for u in units}):
        raise RequestError(f"{unknown[0]} n’est pas dans cette pile.", remedy="Nommez des unités de l’hexagone quitté.")
    return [u for u in units if not movers or u.id in movers or u.piece.carrier in movers]


def _able(ctx: Context, cell: str, fleeing: Sequence[Unit]) -> list[Unit]:
    """Who may flee rather than fight an assault: those Suppressed or Paralyzed stay behind."""
    behind = [u for u in fleeing if {"suppressed", "paralyzed"} & set(u.status)]
    if behind and len(behind) == len(fleeing):
        ctx.refuse("17.3a", "syr.nobody_able", where=hexes(cell), cell=cell)
        return list(fleeing)
    if behind:
        ctx.step(
            "22.0-2", "syr.left_behind", where=[Place("piece", u.id) for u in behind], pieces=[u.id for u in behind]
        )
    return [u for u in fleeing if u not in behind]


def _refuse_cause(ctx: Context, cell: str, cause: str, units: Sequence[Unit], fleeing: Sequence[Unit]) -> None:
    """Every reason why these units may not flee for this cause."""
    if cause in REPLIES:
        if ctx.setting("vehicle_syr") not in (cause, "both"):
            ctx.refuse("15.2h", "syr.wrong_trigger", where=hexes(cell), note="interprétation", cause=cause)
        for u in fleeing:
            if category(u) != "vehicle" and not u.carried:
                ctx.refuse("15.2h", "syr.only_vehicles", where=place(u), piece=u.id)
        if not ctx.refusals:
            where = [Place("piece", u.id) for u in fleeing]
            ctx.step("15.2h", "syr.reply", where=where, note="interprétation", pieces=[u.id for u in fleeing])
        return
    if len(fleeing) < len(units) and cause != "assault":
        ctx.refuse("17.4a", "syr.whole_stack", where=hexes(cell), cell=cell)
    for u in fleeing if cause == "voluntary" else ():
        if "paralyzed" in u.status and not u.embarked:
            ctx.refuse("17.5f", "syr.paralyzed", where=place(u), piece=u.id)


def _leave(ctx: Context, cell: str, side: str, threat: str, first: str) -> bool:
    """Whether the first hex lies across a side that a barred hex imposes: the free one nearest the opposite.

    **Rule:** 17.4b.
    """
    grid = ctx.position.grid
    at, danger = grid.centre(cell), grid.centre(threat)
    away = at[0] - danger[0], at[1] - danger[1]

    def straight(near: str) -> int:  # the lattice is the map, its rows brought nearer: 3 sets its angles right
        x, y = grid.centre(near)
        return away[0] * (x - at[0]) + 3 * away[1] * (y - at[1])

    around = [grid.neighbour(cell, d) for d in range(1, 7)]
    free = [near for near in around if near in grid and not _barred(ctx, near, side)]
    if first not in free:
        return False
    best, opposite = max(map(straight, free)), max(map(straight, around))
    if straight(first) < best:
        nearest = [near for near in free if straight(near) == best]
        ctx.refuse("17.4b", "syr.other_side", where=hexes(first), cell=first, cells=nearest, threat=threat)
        return False
    code = "syr.opposite" if best == opposite else "syr.nearest"
    ctx.step("17.4b", code, where=hexes(first), cell=first, threat=threat)
    return best < opposite


def _barred(ctx: Context, cell: str, side: str) -> bool:
    """Whether a flight may not enter a hex: the enemy holds it, or it is sea."""
    sea = "sea" in board(ctx.position).features.get(cell, ())
    return sea or any(p.side != side for p in ctx.position.pieces_at(cell))


def _walk(ctx: Context, cell: str, side: str, threat: str, path: Sequence[str], wanted: int, *, turned: bool) -> None:
    """Follow the path: away from the threat, clear of the enemy, of the right length; cover may end it."""
    grid, here = ctx.position.grid, cell
    for step in path:
        if grid.distance(here, grid.check(step)) != 1:
            raise RequestError(
                f"{here} et {step} ne se touchent pas.", remedy="Donnez des hexagones voisins, dans l’ordre."
            )
        gained = grid.distance(threat, step) - grid.distance(threat, here)
        if gained < 1 and ctx.on("17.4d"):
            if gained < 0:
                ctx.refuse("17.4d", "syr.not_away", where=hexes(step), cell=step, threat=threat)
            elif turned and here == cell:
                pass  # the side that 17.4b imposes may lead along the threat
            elif ctx.setting("flight_line") == "away":
                ctx.refuse("17.4d", "syr.not_away", where=hexes(step), note="interprétation", cell=step, threat=threat)
            else:
                ctx.step("17.4d", "syr.sideways", where=hexes(step), note="interprétation", cell=step, threat=threat)
        if _barred(ctx, step, side):
            code = "syr.enemy" if any(p.side != side for p in ctx.position.pieces_at(step)) else "syr.sea"
            ctx.refuse("17.4c", code, where=hexes(step), cell=step)
        here = step
    covered = _covers(ctx, path[-1]) if 0 < len(path) < wanted else False
    if len(path) > wanted:
        ctx.refuse("17.4c", "syr.too_long", where=hexes(here), value=len(path), wanted=wanted)
    elif len(path) < wanted and covered is False:
        ctx.refuse("17.4c", "syr.too_short", where=hexes(here), value=len(path), wanted=wanted)
    elif len(path) < wanted and covered:
        ctx.step("17.4d", "syr.cover", where=hexes(here), cell=here)
    gaps = [grid.distance(threat, step) for step in (cell, *path)]
    if path and not ctx.refusals and all(near < far for near, far in pairwise(gaps)):
        ctx.step("17.4d", "syr.away", where=hexes(*path), threat=threat, gaps=[str(gap) for gap in gaps[1:]])
    for step in path if not ctx.refusals else ():
        ctx.step("17.4e", "syr.trigger", where=hexes(step), cell=step)


def _covers(ctx: Context, cell: str) -> bool | None:
    """Whether a flight may end in a hex as in cover; None when nobody says and something else forbids the flight."""
    terrain = hex_class(ctx, cell)
    if terrain is None and not ctx.refusals:
        raise UnknownValue("terrain", f"{cell}.class", "9.3")
    return None if terrain is None else terrain in COVER
