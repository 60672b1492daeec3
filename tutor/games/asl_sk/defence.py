"""Defensive fire: what a unit may still do against a unit that moves, and a walk through the fire, hex by hex.

**Rule:** 3.3.1, 3.3.3, 3.3.3-SFF, 3.3.3-FPF, 3.3.5, 3.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.attack import cell
from tutor.games.asl_sk.board import in_season
from tutor.games.asl_sk.drm import Term, carried_flames, cover, moving_terms
from tutor.games.asl_sk.firepower import PieceFire, firepower, mode_of, seen
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.group import column_of, fire
from tutor.games.asl_sk.march import going, under_residual
from tutor.games.asl_sk.morale import silent, troop
from tutor.games.asl_sk.odds import Weights
from tutor.games.asl_sk.units import enemies, infantry, places, stacked

#: Units whose chances under residual fire are followed together: a state for each of what may become of each.
MOST_WALKERS = 4


@dataclass(frozen=True, slots=True)
class Permission:
    """What a defender may do: how it fires, its firepower, the marker it then bears, attacks left in that hex."""

    mode: str
    fp: Fraction
    marker: str
    left: int


@GAME.rule("defensive_fire", "3.3.3", "3.3.3-SFF", "3.3.3-FPF", "3.4")
def defensive_fire(ctx: Context, firer: str, mover: str, spent: int = 1, attacks: int = 0) -> Permission:
    """Whether a unit or weapon may fire at a unit that moves, and at what price.

    Args:
        firer: id; mover: id of the unit that moves; spent: MF/MP it has spent in its hex, 0 or more; attacks: times the
            firer has already attacked it there.

    Returns:
        First Fire, Subsequent First Fire or Final Protective Fire; refused with every reason.

    **Rule:** 3.3.3, 3.3.3-SFF, 3.3.3-FPF, 3.4.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["defensive_fire"](GAME.position("defense"), firer="alpha", mover="assaut").value
    >>> found.mode, found.marker, found.left
    ('first', 'first_fire', 1)
    """
    if spent < 0 or attacks < 0:
        raise RequestError(
            "Les MF dépensés et les attaques sont des nombres positifs.", remedy="spent ≥ 0, attacks ≥ 0."
        )
    one = ctx.position.piece(mover)
    target = ctx.position.grid.check(ctx.position.hex_of(mover) or "")
    if "moving" not in one.status:
        ctx.refuse("3.3.3", "defence.not_moving", where=places(one), piece=mover)
    if spent < 1:
        ctx.refuse("3.3.3", "defence.nothing_spent", where=places(one), piece=mover)
    if one.side == ctx.position.piece(firer).side:
        ctx.refuse("3.3.3", "defence.friend", where=places(one), piece=mover)
    if attacks >= spent > 0:
        ctx.refuse("3.3.3", "defence.too_many", where=places(ctx.position.piece(firer)), attacks=attacks, spent=spent)
    elif spent:
        ctx.step("3.3.3", "defence.left", value=spent - attacks, spent=spent, attacks=attacks, where=hexes(target))
    found: PieceFire = firepower.function(ctx, firer, target)
    cell_ = ctx.position.hex_of(firer) or ""

    if not seen(ctx, cell_, target).visible:
        ctx.refuse("3.2.1", "fire.unseen", where=hexes(cell_, target), cell=cell_, target=target)
    marker = "first_fire" if found.mode == "first" else "final_fire"
    armed = ctx.position.piece(firer)
    code = "defence.marker_rate" if armed.kind == "mg" and found.mode == "first" else "defence.marker"
    if not ctx.refusals:
        ctx.step("3.3.3", code, value=marker, where=places(armed), piece=firer, mode=found.mode, fp=found.fp)
    return Permission(found.mode, found.fp, marker, max(0, spent - attacks))


@dataclass(frozen=True, slots=True)
class Leg:
    """One hex of a walk.

    Args:
        cell: the hex; cost: MF to enter it; total: MF spent so far; residual: FP found there, 0: none; drm: of that attack.
        results: IFT result -> probability of that attack (no cowering) on the first unit; shooters: (id, mode, FP, DRM) of
            each defender that could fire alone there; going: (id, chance that it still walks after the residual fire met so
            far).
    """

    cell: str
    cost: Fraction
    total: Fraction
    residual: int
    drm: int
    results: dict[str, Fraction]
    shooters: tuple[tuple[str, str, Fraction, int], ...]
    going: tuple[tuple[str, Fraction], ...]


def entry_cost(ctx: Context, start: str, end: str, by_road: bool = False) -> Fraction:
    """MF to enter a hex: terrain, road, climb, smoke.

    **Rule:** 1.1.1, 1.1.1-hills, 1.2.5, 3.3.1.
    """
    position = ctx.position
    kind = position.terrain_of.get(end, "open")
    if kind == "grain" and not in_season(position, "grain") and ctx.on("1.1.1-grain"):
        bare = ctx.setting("grain_winter") == "bare"
        code = "defence.grain_open" if bare else "defence.grain_winter"
        ctx.step("1.1.1-grain", code, where=hexes(end), note="interprétation", cell=end)
        kind = "open" if bare else kind
    moves = ctx.table("movement")
    cost = (
        Fraction(moves.get("way", "mf", hexes(end)))
        if by_road
        else Fraction(ctx.table("terrain").get(kind, "mf", hexes(end)))
    )
    if position.level_of.get(end, 0) > position.level_of.get(start, 0):
        cost *= int(moves.get("climb", "factor", hexes(start, end)))
    if position.marker("smoke", end):
        cost += int(moves.get("smoke", "mf", hexes(end)))
    return cost


def decimal(mf: Fraction) -> int | float:
    """MF as a reader writes them: 4, 4.5."""
    return int(mf) if mf.denominator == 1 else float(mf)


def follows_road(ctx: Context, start: str, end: str) -> bool:
    """Whether a road leads across the side between two hexes. **Rule:** 3.3.1."""
    roads, grid = ctx.position.ways.get("road", {}), ctx.position.grid
    sides = {d for d in roads.get(start, ()) if grid.neighbour(start, d) == end}
    return any((d + 2) % 6 + 1 in roads.get(end, ()) for d in sides)


@GAME.rule("cost", "3.3.1", "1.1.1")
def cost(ctx: Context, path: list[str]) -> Fraction:
    """MF of a path, its first hex not counted; the road is taken where it leads from one hex to the next.

    Args:
        path: hexes, each beside the one before.

    Returns:
        MF.

    **Rule:** 1.1.1, 3.3.1.

    >>> from tutor.games.asl_sk import GAME
    >>> str(GAME.load().rules["cost"](GAME.position("ecole"), path=["E5", "F5", "G5", "H5"]).value)
    '7/2'
    """
    check_path(ctx, path)
    found = sum((entry_cost(ctx, a, b, follows_road(ctx, a, b)) for a, b in pairwise(path)), Fraction(0))
    ctx.step("3.3.1", "defence.cost", value=found, unit="MF", where=hexes(*path), path=path, spent=decimal(found))
    return found


def check_path(ctx: Context, path: Sequence[str]) -> None:
    """Each hex of a path is on the board, beside the one before.

    Raises:
        UnknownHex: off the board. RequestError: too short, or with a gap.
    """
    grid = ctx.position.grid
    for name in path:
        grid.check(name)
    apart = [f"{a} et {b}" for a, b in pairwise(path) if grid.distance(a, b) != 1]
    if apart or len(path) < 2:
        raise RequestError(
            f"Ce trajet saute des hexs ({', '.join(apart) or 'trop court'}).",
            remedy="Donnez des hexs voisins, dans l’ordre.",
        )


@GAME.rule("walk", "3.3.1", "3.3.3", "3.3.3-drm", "3.3.5")
def walk(
    ctx: Context,
    movers: list[str],
    path: list[str],
    assault: bool = False,
    left: Mapping[str, Any] | None = None,
    double_time: bool = False,
) -> tuple[Leg, ...]:
    """A stack walks, hex by hex: cost, residual fire met, and who could fire at it there with what modifiers.

    Args:
        movers: ids of the units of the stack; path: from their hex; assault: Assault Movement.
        left: hex -> residual FP left there before this walk, besides the markers of the position; double_time: 2 MF more,
            then CX.

    Returns:
        Each hex entered; refused when the movement itself is not allowed.

    **Rule:** 3.3, 3.3.1, 3.3.1-assault-movement, 3.3.1-double-time, 3.3.3, 3.3.3-drm, 3.3.5.

    >>> from tutor.games.asl_sk import GAME
    >>> legs = GAME.load().rules["walk"](GAME.position("defense"), movers=["assaut"], path=["H4", "G5"]).value
    >>> legs[0].residual, legs[0].drm, legs[0].shooters
    (4, -2, (('alpha', 'first', Fraction(4, 1), -2),))
    """
    check_path(ctx, path)
    units = [infantry(ctx.position, m) for m in dict.fromkeys(movers)]
    if not units:
        raise RequestError("Personne ne bouge.", remedy="Désignez au moins une unité.")
    _may_walk(ctx, units, path, assault)
    if double_time:
        _doubles(ctx, units, assault)
    residuals = {**ctx.position.markers.get("residual", {}), **(left or {})}
    legs: list[Leg] = []
    spent = Fraction(0)
    states: Weights = {tuple(troop(ctx.position, u) for u in units): Fraction(1)}
    for here, there in pairwise(path):
        value = residuals.get(there)
        fp = value if isinstance(value, int) and value is not True else 0
        leg, states = _leg(ctx, units, here, there, assault, spent, fp, states)
        legs.append(leg)
        spent = leg.total
    _tell_walk(ctx, units, path, assault, legs, double_time)
    return tuple(legs)


def _leg(
    ctx: Context,
    units: Sequence[Piece],
    here: str,
    there: str,
    assault: bool,
    spent: Fraction,
    fp: int,
    states: Weights,
) -> tuple[Leg, Weights]:
    """One hex entered, and the states of the stack behind it; ``fp``: residual fire met there."""
    with ctx.group("3.3.3", "defence.leg", where=hexes(there), cell=there) as group:
        road = follows_road(ctx, here, there)
        price = entry_cost(ctx, here, there, road)
        moved = _moved(ctx, units, there, road, assault)
        terms, results = _residual_attack(moved, units[0].id, there, fp) if fp else ([], {})
        drm = sum(t.value for t in terms)
        if fp:
            with ctx.group("3.3.5", "residual.attack", where=hexes(there), piece=units[0].id, fp=fp) as met:
                _tell_terms(ctx, terms, there)
                met.value = drm
            if len(units) > MOST_WALKERS:
                raise RequestError(
                    f"Sous un tir résiduel, {MOST_WALKERS} unités au plus sont suivies à la fois ; il y en a {len(units)} ici.",
                    remedy="Désignez-en moins.",
                )
            drms = [sum(t.value for t in _residual_terms(moved, u.id, there)) for u in units]
            standing = tuple(troop(ctx.position, p) for p in ctx.position.pieces_at(there, units[0].side)
                             if p.kind == "leader" and p not in units)  # fmt: skip
            states = under_residual(moved, states, fp, drms, standing)
        chances = tuple((u.id, going(states, i)) for i, u in enumerate(units))
        leg = Leg(there, price, spent + price, fp, drm, results, _shooters(moved, units[0], there), chances)
        for name, chance in chances if fp else ():
            ctx.step("3.3.5", "defence.going", value=chance, where=hexes(there), piece=name, cell=there)
        ctx.consulted |= moved.consulted
        group.value = decimal(price)
        for name, mode, power, against in leg.shooters:
            ctx.step("3.3.3", "defence.shooter", value=against, where=places(ctx.position.piece(name)), piece=name,
                     mode=mode, fp=power)  # fmt: skip
    return leg, states


def _doubles(ctx: Context, units: Sequence[Piece], assault: bool) -> None:
    """Refuse a double time to who may not run: wounded, CX already, or in assault movement. **Rule:** 3.3.1-double-time."""
    for unit in units:
        if assault or {"wounded", "cx"} & set(unit.status):
            ctx.refuse("3.3.1-double-time", "defence.no_double", where=places(unit), piece=unit.id)


def _tell_walk(
    ctx: Context, units: Sequence[Piece], path: Sequence[str], assault: bool, legs: Sequence[Leg], double: bool
) -> None:
    """Whether the stack can pay for the way, and who arrives."""
    spent, allowed = legs[-1].total, _allowance(ctx, units)
    if double:
        allowed += int(ctx.table("movement").get("double_time", "mf", places(*units)))
    if all(follows_road(ctx, a, b) for a, b in pairwise(path)):
        allowed += int(ctx.table("movement").get("road", "mf", hexes(*path)))
    if spent > allowed:
        ctx.refuse("3.3.1", "defence.too_dear", where=hexes(*path), spent=decimal(spent), allowed=decimal(allowed))
    if assault and spent >= allowed:
        ctx.refuse("3.3.1-assault-movement", "defence.assault_all", where=hexes(*path), spent=decimal(spent))
    ctx.step("3.3.1", "defence.walked", value=spent, unit="MF", where=hexes(*path), end=path[-1], spent=decimal(spent),
             allowed=decimal(allowed))  # fmt: skip
    if double and not ctx.refusals:
        ctx.step("3.3.1-double-time", "defence.tired", where=places(*units), pieces=[u.id for u in units])
    for name, chance in legs[-1].going if any(leg.residual for leg in legs) else ():
        where = places(ctx.position.piece(name))
        ctx.step("3.3.5", "defence.arrives", value=chance, where=where, piece=name, end=path[-1])


def _may_walk(ctx: Context, units: Sequence[Piece], path: Sequence[str], assault: bool) -> None:
    for unit in units:
        where = places(unit)
        if unit.at != path[0]:
            ctx.refuse("3.3.1", "defence.elsewhere", where=where, piece=unit.id, cell=path[0])
        if {"broken", "pinned", "melee", "prep_fire"} & set(unit.status):
            ctx.refuse("3.3", "defence.cannot_move", where=where, piece=unit.id)
        if unit.side != ctx.position.state.get("attacker", unit.side):
            ctx.refuse("3.3", "defence.not_his_turn", where=where, piece=unit.id)
    if assault and len(path) > 2:
        ctx.refuse("3.3.1-assault-movement", "defence.one_hex", where=hexes(*path))
    for name in path[1:]:
        if enemies(ctx.position, units[0].side, name):
            ctx.refuse("3.3", "defence.enemy", where=hexes(name), cell=name)
        held = stacked(ctx.position, units, name)
        if held > int(ctx.table("limits").peek("stack", "squads")):
            ctx.refuse(
                "3.3", "defence.full", where=hexes(name), note="usage, hors livret", cell=name, squads=decimal(held)
            )


def _allowance(ctx: Context, units: Sequence[Piece]) -> Fraction:
    """MF of the slowest of the stack; MMCs with a leader of the stack get his bonus."""
    table = ctx.table("movement")
    led = any(u.kind == "leader" for u in units)
    found: list[int] = []
    with ctx.group("3.3.1", "defence.allowance", where=places(*units), pieces=[u.id for u in units]) as group:
        for unit in units:
            where = places(unit)
            if unit.kind == "leader":
                found.append(int(table.get("wounded" if "wounded" in unit.status else "smc", "mf", where)))
                continue
            raw = "inexperienced" in unit.status
            if raw and led:
                ctx.step("5.4", "defence.steadied", where=where, piece=unit.id)
            base = int(table.get("inexperienced" if raw and not led else "mmc", "mf", where))
            found.append(base + (int(table.get("leader", "mf", where)) if led else 0))
        group.value, group.unit = min(found), "MF"
    return Fraction(min(found))


def _moved(ctx: Context, units: Sequence[Piece], there: str, road: bool, assault: bool) -> Context:
    """The same question in the position in which the stack has reached a hex and moves."""
    changes: dict[str, Any] = {"state.phase": "MPh"}
    for unit in units:
        changes |= {f"piece.{unit.id}.at": there, f"piece.{unit.id}.status.moving": True,
                    f"piece.{unit.id}.status.by_road": road, f"piece.{unit.id}.status.assault_move": assault}  # fmt: skip
    found = silent(ctx)
    found.position = ctx.position.change(changes)
    return found


def _residual_terms(moved: Context, mover: str, there: str) -> list[Term]:
    """Modifiers of an attack by residual fire: the target's cover, its smoke, its movement, its flamethrowers."""
    unit = moved.position.piece(mover)
    smoke = moved.position.marker("smoke", there)
    value = smoke if isinstance(smoke, int) else 0
    terms: list[Term] = [Term("smoke", value, "1.2.5")] if value else []
    _tell_terms(moved, terms, there)
    best = cover(moved, unit, (there,), there)
    terms += [best] if best else []
    return terms + moving_terms(moved, unit, (there,), there, value) + carried_flames(moved, unit)


def _residual_attack(moved: Context, mover: str, there: str, fp: int) -> tuple[list[Term], dict[str, Fraction]]:
    """Modifiers of an attack by residual fire, and its results."""
    terms = _residual_terms(moved, mover, there)
    drm, quiet = sum(t.value for t in terms), silent(moved)
    column, results = column_of(Fraction(fp)), dict[str, Fraction]()
    for original in range(2, 13):
        code = cell(quiet, column, original + drm)
        results[code] = results.get(code, Fraction(0)) + Fraction(6 - abs(7 - original), 36)
    return terms, results


def _tell_terms(ctx: Context, terms: Sequence[Term], there: str) -> None:
    for one in terms:
        ctx.step(one.rule, "defence.term", value=one.value, where=hexes(there), name=one.name)


def _shooters(moved: Context, mover: Piece, there: str) -> tuple[tuple[str, str, Fraction, int], ...]:
    """Every defender that could fire alone at the hex: how, with what firepower and modifiers."""

    found = []
    for piece in moved.position.pieces:
        if piece.side == mover.side or piece.kind not in ("squad", "half_squad", "crew", "mg"):
            continue
        quiet = silent(moved)
        quiet.position = moved.position
        ready = fire.function(quiet, [piece.id], there)
        moved.consulted |= quiet.consulted
        if not quiet.refusals and ready.targets:
            found.append((piece.id, mode_of(moved.position, piece) or ready.modes[0], ready.fp, ready.targets[0].drm))
    return tuple(found)


@GAME.rule("residual_attack", "3.3.5", "3.3.3-drm")
def residual_attack(
    ctx: Context, mover: str, fp: int, enters: bool = True, last_drm: int | None = None
) -> dict[str, Fraction]:
    """An attack by residual firepower on a unit that spends MF in its hex.

    Args:
        mover: id of a unit with the ``moving`` status; fp: value of the counter; enters: False when the MF are spent to
            leave; last_drm: DRM of an earlier attack by it there, None when there was none.

    Returns:
        Result -> probability; refused when there is no attack.

    **Rule:** 3.3.5, 3.3.3-drm.

    >>> from tutor.games.asl_sk import GAME
    >>> p = GAME.load().position("defense").change({"piece.assaut.status.moving": True, "state.phase": "MPh"})
    >>> sum(GAME.rules["residual_attack"](p, mover="assaut", fp=4).value.values())
    Fraction(1, 1)
    """
    one = infantry(ctx.position, mover)
    here = ctx.position.grid.check(ctx.position.hex_of(mover) or "")
    if not enters:
        ctx.refuse("3.3.5", "residual.leaves", where=hexes(here), piece=mover)
    if "moving" not in one.status:
        ctx.refuse("3.3.5", "defence.not_moving", where=places(one), piece=mover)
    with ctx.group("3.3.5", "residual.attack", where=hexes(here), piece=mover, fp=fp) as group:
        terms, results = _residual_attack(ctx, mover, here, fp)
        drm = group.value = sum(t.value for t in terms)
    if last_drm is not None and drm >= last_drm:
        ctx.refuse("3.3.5", "residual.once", where=hexes(here), piece=mover, last=last_drm, now=drm)
    for code, p in results.items() if not ctx.refusals else ():
        ctx.step("3.2.3", "odds.result", value=p, result=code, where=hexes(here))
    return results
