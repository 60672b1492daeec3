"""Defensive fire: what a unit may still do against a unit that moves, and a walk through the fire, hex by hex.

**Rule:** 3.3.1, 3.3.3, 3.3.3-SFF, 3.3.3-FPF, 3.3.5, 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

from tutor.core.arguments import Path, PieceId, Pieces
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.arguments import FP, ResidualLeft
from tutor.games.asl_sk.costs import decimal, entry_cost, follows_road
from tutor.games.asl_sk.fire.attack import cell
from tutor.games.asl_sk.fire.drm import Term, carried_flames, cover, moving_terms
from tutor.games.asl_sk.fire.fire import column_of
from tutor.games.asl_sk.fire.firepower import PieceFire, firepower, seen
from tutor.games.asl_sk.fire.odds import Weights
from tutor.games.asl_sk.fire.shooters import shooters_at
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.morale import silent, troop
from tutor.games.asl_sk.move_odds import going, under_residual
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


@GAME.question(
    "defensive_fire",
    rules=("3.3.3", "3.3.3-SFF", "3.3.3-FPF", "3.4"),
    label="Ce tir défensif est-il permis ?",
    theme="Mouvement et tir défensif",
)
def defensive_fire(
    ctx: Context,
    firer: Annotated[PieceId, "Tireur"],
    mover: Annotated[PieceId, "Qui bouge"],
    spent: Annotated[int, "Points déjà dépensés"] = 1,
    attacks: Annotated[int, "Attaques déjà faites"] = 0,
) -> Permission:
    """Whether a unit or weapon may fire at a unit that moves, and at what price.

    Args:
        firer: id.
        mover: id of the unit that moves.
        spent: MF/MP it has spent in its hex, 0 or more.
        attacks: times the firer has already attacked it there.

    Returns:
        First Fire, Subsequent First Fire or Final Protective Fire; refused with every reason.

    **Rule:** 3.3.3, 3.3.3-SFF, 3.3.3-FPF, 3.4.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["defensive_fire"](GAME.position("defense"), firer="alpha", mover="assaut").value
    >>> answer.mode, answer.marker, answer.left
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
    cell_ = ctx.position.hex_of(firer) or ""
    if seen(ctx, cell_, target).visible:
        ctx.step("3.2.1", "defence.sees", value=True, where=hexes(cell_, target), cell=cell_, target=target)
    else:
        ctx.refuse("3.2.1", "fire.unseen", where=hexes(cell_, target), cell=cell_, target=target)
    shot: PieceFire = firepower.function(ctx, firer, target)
    marker = "first_fire" if shot.mode == "first" else "final_fire"
    armed = ctx.position.piece(firer)
    code = "defence.marker_rate" if armed.kind == "mg" and shot.mode == "first" else "defence.marker"
    if not ctx.refusals:
        ctx.step("3.3.3", code, value=marker, where=places(armed), piece=firer, mode=shot.mode, fp=shot.fp)
    return Permission(shot.mode, shot.fp, marker, max(0, spent - attacks))


@dataclass(frozen=True, slots=True)
class Leg:
    """One hex of a walk.

    Args:
        cell: the hex.
        cost: MF to enter it.
        total: MF spent so far.
        residual: FP found there, 0: none.
        drm: of that attack.
        results: IFT result -> probability of that attack (no cowering) on the first unit.
        shooters: (id, mode, FP, DRM) of each defender that could fire alone there.
        going: (id, chance that it still walks after the residual fire met so far).
    """

    cell: str
    cost: Fraction
    total: Fraction
    residual: int
    drm: int
    results: dict[str, Fraction]
    shooters: tuple[tuple[str, str, Fraction, int], ...]
    going: tuple[tuple[str, Fraction], ...]


@GAME.question(
    "cost",
    rules=("3.3.1", "1.1.1"),
    label="Que coûte ce trajet ?",
    theme="Mouvement et tir défensif",
    common=True,
)
def cost(ctx: Context, path: Path) -> Fraction:
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
    spent = sum((entry_cost(ctx, a, b, follows_road(ctx, a, b)) for a, b in pairwise(path)), Fraction(0))
    ctx.step("3.3.1", "defence.cost", value=spent, unit="MF", where=hexes(*path), path=path, spent=decimal(spent))
    return spent


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


@GAME.question(
    "walk",
    rules=("3.3.1", "3.3.3", "3.3.3-drm", "3.3.5"),
    label="Ce mouvement, hex par hex ?",
    theme="Mouvement et tir défensif",
    common=True,
    halfway=True,
)
def walk(
    ctx: Context,
    movers: Annotated[Pieces, "Qui bouge"],
    path: Path,
    assault: Annotated[bool, "Assaut"] = False,
    left: ResidualLeft | None = None,
    double_time: Annotated[bool, "En Double Time"] = False,
) -> tuple[Leg, ...]:
    """A stack walks, hex by hex: cost, residual fire met, and who could fire at it there with what modifiers.

    Args:
        movers: ids of the units of the stack.
        path: from their hex.
        assault: Assault Movement.
        left: hex -> residual FP left there before this walk, besides the markers of the position.
        double_time: 2 MF more, then CX.

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
    residuals = {**ctx.position.markers.get("residual", {}), **(left or {})}
    met = {cell: value for cell, value in residuals.items() if isinstance(value, int) and value is not True}
    if len(units) > MOST_WALKERS and any(met.get(cell) for cell in path[1:]):
        raise RequestError(
            f"Sous un tir résiduel, {MOST_WALKERS} unités au plus sont suivies à la fois ; il y en a {len(units)} ici.",
            remedy="Désignez-en moins.",
        )
    _may_walk(ctx, units, path, assault)
    if double_time:
        _doubles(ctx, units, assault)
    if ctx.refusals:
        quiet = silent(ctx)
        prices = [entry_cost(quiet, a, b, follows_road(quiet, a, b)) for a, b in pairwise(path)]
        _afford(quiet, units, path, assault, prices, double_time)
        ctx.adopt(quiet)
        ctx.settle()
    legs: list[Leg] = []
    spent = Fraction(0)
    states: Weights = {tuple(troop(ctx.position, u) for u in units): Fraction(1)}
    for here, there in pairwise(path):
        leg, states = _leg(ctx, units, here, there, assault, spent, met.get(there, 0), states)
        legs.append(leg)
        spent = leg.total
    _trace_walk(ctx, units, path, assault, legs, double_time)
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
                _trace_terms(ctx, terms, there)
                met.value = drm
            drms = [sum(t.value for t in _residual_terms(moved, u.id, there)) for u in units]
            standing = tuple(troop(ctx.position, p) for p in ctx.position.pieces_at(there, units[0].side)
                             if p.kind == "leader" and p not in units)  # fmt: skip
            states = under_residual(moved, states, fp, drms, standing)
        chances = tuple((u.id, going(states, i)) for i, u in enumerate(units))
        if fp and ctx.on("3.2.3-NMC"):
            ctx.step("3.2.3-NMC", "defence.just_passed", where=hexes(there), pieces=[u.id for u in units])
        shooters, explained = shooters_at(moved, units[0], there, ctx.tracing)
        leg = Leg(there, price, spent + price, fp, drm, results, shooters, chances)
        for name, chance in chances if fp else ():
            ctx.step("3.3.5", "defence.going", value=chance, where=hexes(there), piece=name, cell=there)
        ctx.consulted |= moved.consulted
        group.value = decimal(price)
        for name, mode, power, against in leg.shooters:
            with ctx.group("3.3.3", "defence.shooter", where=places(ctx.position.piece(name)), piece=name, mode=mode,
                           fp=power, drm=against) as shot:  # fmt: skip
                shot.kind, shot.value = "choice", against
                shot.children.extend(explained[name])
        for name in (n for n in explained if n not in {one[0] for one in leg.shooters}):
            with ctx.group(
                "3.3.3", "defence.no_shot", where=places(ctx.position.piece(name)), piece=name, cell=there
            ) as no:
                no.children.extend(explained[name])
    return leg, states


def _doubles(ctx: Context, units: Sequence[Piece], assault: bool) -> None:
    """Refuse a double time to who may not run: wounded, CX already, or in assault movement.

    **Rule:** 3.3.1-double-time.
    """
    for unit in units:
        if assault or {"wounded", "cx"} & set(unit.status):
            ctx.refuse("3.3.1-double-time", "defence.no_double", where=places(unit), piece=unit.id)


def _trace_walk(
    ctx: Context, units: Sequence[Piece], path: Sequence[str], assault: bool, legs: Sequence[Leg], double: bool
) -> None:
    """Whether the stack can pay for the way, and who arrives."""
    spent = legs[-1].total
    costs = [leg.cost for leg in legs]
    allowed = _afford(ctx, units, path, assault, costs, double)
    if ctx.refusals:
        return
    ctx.step("3.3.1", "defence.walked", value=spent, unit="MF", where=hexes(*path), end=path[-1], spent=decimal(spent),
             allowed=decimal(allowed), costs=[*map(decimal, costs)])  # fmt: skip
    if double:
        ctx.step("3.3.1-double-time", "defence.tired", where=places(*units), pieces=[u.id for u in units])
    for name, chance in legs[-1].going if any(leg.residual for leg in legs) else ():
        where = places(ctx.position.piece(name))
        ctx.step("3.3.5", "defence.arrives", value=chance, where=where, piece=name, end=path[-1])


def _afford(
    ctx: Context, units: Sequence[Piece], path: Sequence[str], assault: bool, costs: Sequence[Fraction], double: bool
) -> Fraction:
    """MF that the stack has for the way; refused when it is too dear. **Rule:** 3.3.1."""
    spent, allowed = sum(costs, Fraction(0)), _allowance(ctx, units)
    if double:
        allowed += int(ctx.table("movement").get("double_time", "mf", places(*units)))
    if all(follows_road(ctx, a, b) for a, b in pairwise(path)):
        allowed += int(ctx.table("movement").get("road", "mf", hexes(*path)))
    if spent > allowed:
        ctx.refuse("3.3.1", "defence.too_dear", where=hexes(*path), spent=decimal(spent), allowed=decimal(allowed),
                   costs=[*map(decimal, costs)])  # fmt: skip
    if assault and spent >= allowed:
        ctx.refuse("3.3.1-assault-movement", "defence.assault_all", where=hexes(*path), spent=decimal(spent))
    return allowed


def _may_walk(ctx: Context, units: Sequence[Piece], path: Sequence[str], assault: bool) -> None:
    for unit in units:
        where = places(unit)
        if unit.at != path[0]:
            ctx.refuse("3.3.1", "defence.elsewhere", where=where, piece=unit.id, cell=path[0])
        if stops := [name for name in ("broken", "pinned", "melee", "prep_fire") if name in unit.status]:
            ctx.refuse("3.3", "defence.cannot_move", where=where, piece=unit.id, markers=stops)
        if unit.side != ctx.position.state.get("attacker", unit.side):
            ctx.refuse("3.3", "defence.not_his_turn", where=where, piece=unit.id)
    if assault and len(path) > 2:
        ctx.refuse("3.3.1-assault-movement", "defence.one_hex", where=hexes(*path))
    for name in path[1:]:
        if enemies(ctx.position, units[0].side, name):
            ctx.refuse("3.3", "defence.enemy", where=hexes(name), cell=name)
        squads = stacked(ctx.position, units, name)
        if squads > int(ctx.table("limits").peek("stack", "squads")):
            ctx.refuse(
                "3.3", "defence.full", where=hexes(name), note="usage, hors livret", cell=name, squads=decimal(squads)
            )


def _allowance(ctx: Context, units: Sequence[Piece]) -> Fraction:
    """MF of the slowest of the stack; MMCs with a leader of the stack get his bonus."""
    table = ctx.table("movement")
    led = any(u.kind == "leader" for u in units)
    allowances: list[int] = []
    with ctx.group("3.3.1", "defence.allowance", where=places(*units), pieces=[u.id for u in units]) as group:
        for unit in units:
            where = places(unit)
            if unit.kind == "leader":
                allowances.append(int(table.get("wounded" if "wounded" in unit.status else "smc", "mf", where)))
                continue
            raw = "inexperienced" in unit.status
            if raw and led:
                ctx.step("5.4", "defence.steadied", where=where, piece=unit.id)
            base = int(table.get("inexperienced" if raw and not led else "mmc", "mf", where))
            allowances.append(base + (int(table.get("leader", "mf", where)) if led else 0))
        group.value, group.unit = min(allowances), "MF"
    return Fraction(min(allowances))


def _moved(ctx: Context, units: Sequence[Piece], there: str, road: bool, assault: bool) -> Context:
    """The same question in the position in which the stack has reached a hex and moves."""
    changes: dict[str, Any] = {"state.phase": "MPh"}
    for unit in units:
        changes |= {f"piece.{unit.id}.at": there, f"piece.{unit.id}.status.moving": True,
                    f"piece.{unit.id}.status.by_road": road,
                    f"piece.{unit.id}.status.assault_move": assault}  # fmt: skip
    moved = silent(ctx)
    moved.position = ctx.position.change(changes)
    return moved


def _residual_terms(moved: Context, mover: str, there: str) -> list[Term]:
    """Modifiers of an attack by residual fire: the target's cover, its smoke, its movement, its flamethrowers."""
    unit = moved.position.piece(mover)
    smoke = moved.position.marker("smoke", there)
    value = smoke if isinstance(smoke, int) else 0
    terms: list[Term] = [Term("smoke", value, "1.2.5")] if value else []
    _trace_terms(moved, terms, there)
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


def _trace_terms(ctx: Context, terms: Sequence[Term], there: str) -> None:
    for one in terms:
        ctx.step(one.rule, "defence.term", value=one.value, where=hexes(there), name=one.name)


@GAME.question(
    "residual_attack",
    rules=("3.3.5", "3.3.3-drm"),
    label="Que fait la FP résiduelle à qui entre ?",
    theme="Mouvement et tir défensif",
)
def residual_attack(
    ctx: Context,
    mover: Annotated[PieceId, "Qui bouge"],
    fp: FP,
    enters: Annotated[bool, "Entre dans l’hex"] = True,
    last_drm: Annotated[int | None, "Dernier modificateur"] = None,
) -> dict[str, Fraction]:
    """An attack by residual firepower on a unit that spends MF in its hex.

    Args:
        mover: id of a unit with the ``moving`` status.
        fp: value of the counter.
        enters: False when the MF are spent to leave.
        last_drm: DRM of an earlier attack by it there, None when there was none.

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
