"""Melee: ambushes first, then each side's strength, two rolls, and the side that is wiped out.

Every stage is a function of a context and of dice already read; the odds run the same functions.

**Rule:** O16.4, O16.4.1, O16.4.2, O16.4.3, A25, A38, F101, F104.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Cell, PieceId, Pieces, Roll, Side
from tutor.core.chances import Chances
from tutor.core.context import Context, dice, reader
from tutor.core.dice import Dice, Pair, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import command_of
from tutor.games.combat_commander.arguments import MeleeWinner
from tutor.games.combat_commander.fire.attack import lost_with
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import points
from tutor.games.combat_commander.units import AS_PLACED, Troops, boxed, is_unit, places
from tutor.games.combat_commander.values import effective

SIDES = ("axis", "allies")
#: Fortifications that spare, on a tie, the side that held them.
HOLDABLE = ("bunker", "pillbox")


@dataclass(frozen=True, slots=True)
class Melee:
    """A melee as far as the dice given lead.

    Args:
        strength: side -> melee firepower, after the ambushes.
        totals: side -> with its roll, empty when not rolled.
        winner: side that stays, ``none`` when both are eliminated, None while not rolled.
        ambushed: unit id -> broken or eliminated by an ambush.
        eliminated: ids of the units the melee eliminates.
        points: side -> victory points it gains.
    """

    strength: Mapping[str, int]
    totals: Mapping[str, int]
    winner: str | None
    ambushed: Mapping[str, str]
    eliminated: tuple[str, ...]
    points: Mapping[str, int]


@GAME.question(
    "melees",
    rules=("O16.4",),
    label="Où y a-t-il mêlée ?",
    theme="Mêlée",
    quiet=True,
)
def melees(ctx: Context, first: Annotated[PieceId | None, "Premier touché"] = None) -> tuple[str, ...]:
    """Hexes where a melee takes place now, in the order in which they are resolved.

    Args:
        first: hex that the active player resolves first; None: board order.

    Returns:
        The hexes; refused when no melee takes place in ``first``.

    Raises:
        UnknownHex: not on the board.

    **Rule:** O16.4.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "melees").value
    ()
    """
    cells = tuple(cell for cell in ctx.position.grid.cells if len(_camps(ctx, cell)) > 1)
    if first is not None and ctx.position.grid.check(first) not in cells:
        ctx.refuse("O16.4", "melee.refuse.alone", where=hexes(first), cell=first)
    elif first is not None:
        cells = (first, *(cell for cell in cells if cell != first))
    if cells:
        ctx.step("O16.4", "melee.where", value=list(cells), where=hexes(*cells), n=len(cells))
    else:
        ctx.step("O16.4", "melee.nowhere", value=0)
    if len(cells) > 1:
        ctx.step("O16.4", "melee.order", "choice", value=list(cells), where=hexes(*cells))
    return cells


def _camps(ctx: Context, cell: str) -> set[str]:
    return {p.side for p in ctx.position.pieces_at(cell) if is_unit(p)}


def fighters(ctx: Context, cell: str, side: str, troops: Troops = AS_PLACED) -> list[Piece]:
    """Units of a side that take part in a melee. **Rule:** O16.4.1."""
    return [p for p in ctx.position.pieces_at(cell, side) if is_unit(p) and troops.present(p)]


def strength(ctx: Context, cell: str, side: str, troops: Troops = AS_PLACED) -> list[int]:
    """What a side's melee firepower is the sum of: units alone, one more for each boxed firepower.

    Args:
        ctx: computation.
        cell: the hex.
        side: axis or allies.
        troops: markers of the moment.

    **Rule:** O16.4.1, 3.1.6, 3.3.1.2.
    """
    table, parts = ctx.table("melee"), list[int]()
    led, units = ctx.setting("melee_command") == "counts", fighters(ctx, cell, side, troops)
    where = (*hexes(cell), *places(*units))
    with ctx.group("O16.4.1", "melee.strength", where=where, side=side, parts=parts) as step:
        for unit in units:
            parts.append(effective(ctx, unit, "fp", troops, led=led))
            if boxed(ctx, unit, "fp", troops) and ctx.on("3.1.6"):
                with ctx.group("3.1.6", "melee.boxed", where=places(unit), piece=unit.id) as extra:
                    extra.value = int(table.get("boxed", "fp", places(unit)))
                parts.append(int(extra.value))
        _trace_command(ctx, units, troops, led)
        for weapon in ctx.position.pieces_at(cell, side):
            if is_unit(weapon) or not _carried(ctx, weapon, troops):
                continue
            if ctx.on("O16.4.1"):
                ctx.step("O16.4.1", "melee.no_weapons", value=0, where=places(weapon), piece=weapon.id)
            else:
                parts.append(effective(ctx, weapon, "fp", troops))
        step.value, step.unit = sum(parts), "PF"
    return parts


def _trace_command(ctx: Context, units: list[Piece], troops: Troops, led: bool) -> None:
    """Say that command counts in a melee, or not, when some leader has some to give. **Rule:** O16.4.1, 3.3.1.2."""
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    leaders = [u for u in units if u.kind == "leader" and command_of(silent, u, troops)]
    if leaders and any(u.kind != "leader" for u in units) and ctx.on("3.3.1.2"):
        code = "melee.command" if led else "melee.no_command"
        pieces = [leader.id for leader in leaders]
        ctx.step("O16.4.1", code, value=led, where=places(*leaders), note="interprétation", pieces=pieces)


def _carried(ctx: Context, weapon: Piece, troops: Troops) -> bool:
    holder = ctx.position.by_id.get(weapon.carrier) if weapon.carrier else None
    return holder is None or troops.present(holder)


def ambush(ctx: Context, cell: str, name: str, troops: Troops) -> tuple[str, Troops]:
    """One ambush: the unit its owner chose breaks, or is eliminated when it was broken.

    Args:
        ctx: computation.
        cell: hex of the melee.
        name: id of the unit.
        troops: markers before.

    Raises:
        RequestError: the unit does not fight there, or is already lost.

    **Rule:** A25, 3.2.4.
    """
    unit = ctx.position.piece(name)
    if not is_unit(unit) or ctx.position.hex_of(name) != cell or not troops.present(unit):
        raise RequestError(
            f"« {unit.name or name} » ne se bat pas en {cell}.",
            remedy="Une Embuscade touche une unité encore présente dans l’hex de Mêlée.",
        )
    if not ctx.on("A25"):
        return "nothing", troops
    statuses = troops.of(unit)
    if "broken" in statuses:
        ctx.step("A25", "melee.ambush_again", value="eliminated", where=places(unit), piece=name)
        ctx.step("3.2.4", "attack.eliminated", value="eliminated", where=places(unit), piece=name)
        return "eliminated", troops.now(name, frozenset({"eliminated"}))
    ctx.step("A25", "melee.ambush", value="broken", where=places(unit), piece=name)
    return "broken", troops.now(name, statuses | {"broken"})


def decide(ctx: Context, totals: Mapping[str, int], holder: str | None) -> str:
    """Who stays: the higher total; on a tie the side that held the bunker or pillbox, else nobody.

    Args:
        ctx: computation.
        totals: side -> total.
        holder: side that held the hex's bunker or pillbox.

    **Rule:** O16.4.3, F101, F104.
    """
    axis, allies = totals["axis"], totals["allies"]
    if axis != allies:
        return "axis" if axis > allies else "allies"
    return holder or "none"


@GAME.question(
    "melee",
    rules=("O16.4", "O16.4.1", "O16.4.2", "O16.4.3", "A25", "F101", "F104"),
    label="Que donne cette mêlée avec ces dés ?",
    theme="Mêlée",
    common=True,
    odds="melee_odds",
)
def melee(
    ctx: Context,
    cell: Cell,
    active: Annotated[Side, "Camp actif"] = "axis",
    ambushes: Annotated[Pieces, "Embuscades"] = (),
    axis: Annotated[Roll | None, "Axe"] = None,
    allies: Annotated[Roll | None, "Alliés"] = None,
    holder: Annotated[Side | None, "Qui tenait l’abri"] = None,
) -> Melee:
    """Resolve a melee with the dice given.

    Args:
        cell: the hex.
        active: active side, which rolls second.
        ambushes: ids of the units that ambushes break, in order; the owner of each has chosen it.
        axis, allies: roll of each side, white die then red; None stops before the rolls.
        holder: side that was the last alone in the hex's bunker or pillbox.

    Returns:
        The melee; refused when nobody meets there, or a holder is named where no bunker stands.

    Raises:
        PositionError: no such piece. RequestError: a side, a unit or dice that cannot be.

    **Rule:** O16.4, O16.4.1, O16.4.2, O16.4.3, A25, F101, F104, 3.2.4, 4.2, 7.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "melee")
    >>> m = ask(position, "melee", cell="C3", axis=[4, 3], allies=[2, 3]).value
    >>> dict(m.strength), dict(m.totals), m.winner
    ({'axis': 7, 'allies': 6}, {'axis': 14, 'allies': 11}, 'axis')
    """
    _check(ctx, cell, active, holder)
    troops, ambushed = AS_PLACED, dict[str, str]()
    if ctx.refusals:
        return Melee({}, {}, None, {}, (), {})
    for name in ambushes:
        ambushed[name], troops = ambush(ctx, cell, name, troops)
    gained = dict.fromkeys(SIDES, 0)
    for name, result in ambushed.items():
        if result == "eliminated":
            _lose(ctx, ctx.position.piece(name), gained)
    left = [side for side in SIDES if fighters(ctx, cell, side, troops)]
    if len(left) < 2:
        winner = left[0] if left else "none"
        ctx.step("O16.4.1", "melee.over", value=winner, where=hexes(cell), cell=cell)
        return Melee({}, {}, winner, ambushed, (), gained)
    parts = {side: strength(ctx, cell, side, troops) for side in SIDES}
    forces = {side: sum(parts[side]) for side in SIDES}
    spared = _side_spared(ctx, cell, holder)
    if axis is None or allies is None:
        ctx.step(
            "O16.4.2",
            "melee.pending",
            value=forces["axis"] - forces["allies"],
            axis=forces["axis"],
            allies=forces["allies"],
            axis_parts=parts["axis"],
            allies_parts=parts["allies"],
        )
        return Melee(forces, {}, None, ambushed, (), gained)
    rolled = {"axis": dice_of(axis), "allies": dice_of(allies)}
    totals = _totals(ctx, cell, active, parts, rolled)
    winner = decide(ctx, totals, spared)
    lost = [unit for side in SIDES if side != winner for unit in fighters(ctx, cell, side, troops)]
    tie = totals["axis"] == totals["allies"]
    code = "melee.tie" if tie and winner == "none" else "melee.tie_held" if tie else "melee.won"
    rule = _fort_rule(ctx, cell) if code == "melee.tie_held" else "O16.4.3"
    both = {"total": totals["axis"], "other": totals["allies"]}
    with ctx.group(rule, code, where=places(*lost), pieces=[u.id for u in lost], **both) as step:
        step.value = winner
        for unit in lost:
            _lose(ctx, unit, gained)
    return Melee(forces, totals, winner, ambushed, tuple(u.id for u in lost), gained)


def _check(ctx: Context, cell: str, active: str, holder: str | None) -> None:
    ctx.position.grid.check(cell)
    for side in (active, holder):
        if side is not None and side not in SIDES:
            raise RequestError(f"« {side} » n’est pas un camp.", remedy="Les camps sont axis et allies.")
    if len(_camps(ctx, cell)) < 2:
        ctx.refuse("O16.4", "melee.refuse.alone", where=hexes(cell), cell=cell)
    if holder is not None and ctx.position.marker("fortification", cell) not in HOLDABLE:
        ctx.refuse("O16.4.3", "melee.refuse.no_bunker", where=hexes(cell), cell=cell)


def _fort_rule(ctx: Context, cell: str) -> str:
    return "F104" if ctx.position.marker("fortification", cell) == "pillbox" else "F101"


def _side_spared(ctx: Context, cell: str, holder: str | None) -> str | None:
    """The side that a tie spares. **Rule:** F101, F104."""
    rule, fort = _fort_rule(ctx, cell), ctx.position.marker("fortification", cell)
    if holder is None and fort in HOLDABLE and ctx.on(rule):
        ctx.step(rule, "melee.held_untold", value=False, where=hexes(cell), cell=cell, fort=fort)
    if holder is None or not ctx.on(rule):
        return None
    ctx.step(rule, "melee.held", value=holder, where=hexes(cell), cell=cell, holder=reader(holder), fort=fort)
    return holder


def _totals(
    ctx: Context, cell: str, active: str, parts: Mapping[str, list[int]], rolled: Mapping[str, Pair]
) -> dict[str, int]:
    """Totals in the order of the rolls: the inactive player first. **Rule:** O16.4.2."""
    totals = {}
    for side in sorted(SIDES, key=lambda name: name == active):
        force = sum(parts[side])
        totals[side] = force + total(rolled[side])
        code = "melee.total_active" if side == active else "melee.total_inactive"
        ctx.step(
            "O16.4.2",
            code,
            "dice",
            value=totals[side],
            where=hexes(cell),
            side=side,
            fp=force,
            parts=parts[side],
            dice=dice(list(rolled[side])),
        )
    return {side: totals[side] for side in SIDES}


def _lose(ctx: Context, unit: Piece, gained: dict[str, int]) -> None:
    """A unit leaves play with its weapon; the other side gains its points. **Rule:** 4.2, 7.1."""
    gained["allies" if unit.side == "axis" else "axis"] += points(ctx, unit)
    lost_with(ctx, unit)


@dataclass(frozen=True, slots=True)
class MeleeOdds(Chances):
    """Exact odds of a melee; they add up to 1.

    Args:
        strength: side -> melee firepower.
        margin: that of the Axis less that of the Allies.
        results: axis, allies (who stays) or none -> probability.
    """

    strength: Mapping[str, int]
    margin: int
    results: Mapping[str, Fraction]


@GAME.question(
    "melee_odds",
    rules=("O16.4.2", "O16.4.3"),
    label="Quelles chances dans cette mêlée ?",
    theme="Mêlée",
    chances=True,
)
def melee_odds(
    ctx: Context,
    cell: Cell,
    ambushes: Annotated[Pieces, "Embuscades"] = (),
    holder: Annotated[Side | None, "Qui tenait l’abri"] = None,
) -> MeleeOdds:
    """Exact odds of a melee once the ambushes are played, over the same rule.

    Args:
        cell, ambushes, holder: see :func:`melee`.

    Returns:
        Who stays, with what probability; two full decks, or two fresh dice for each side.

    Raises:
        PositionError: no such piece. RequestError: a side or unit that cannot be.

    **Rule:** O16.4.1, O16.4.2, O16.4.3, A25, F101, F104.

    >>> from tutor import ask, load_position
    >>> odds = ask(load_position("combat_commander", "melee"), "melee_odds", cell="C3").value
    >>> odds.margin, str(odds.results["axis"])
    (1, '721/1296')
    """
    known: Melee = melee.function(ctx, cell, "axis", ambushes, None, None, holder)
    if ctx.refusals or known.winner is not None:
        results = dict.fromkeys(("axis", "allies", "none"), Fraction(0))
        return MeleeOdds({}, 0, results | ({known.winner: Fraction(1)} if known.winner else {}))
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    spared = _side_spared(silent, cell, holder)
    results = dict.fromkeys(("axis", "allies", "none"), Fraction(0))
    outcomes = Dice(total).draw(())
    for one, n, _ in outcomes:
        for other, m, _ in outcomes:
            totals = {"axis": known.strength["axis"] + one, "allies": known.strength["allies"] + other}
            results[decide(silent, totals, spared)] += Fraction(n * m, 1296)
    margin = known.strength["axis"] - known.strength["allies"]
    ctx.step("O16.4.3", "melee.odds", value=results["axis"], allies=results["allies"], none=results["none"])
    return MeleeOdds(known.strength, margin, results)


@GAME.question(
    "no_quarter",
    rules=("A38",),
    label="Pas de Quartier est-il permis ?",
    theme="Mêlée",
)
def no_quarter(ctx: Context, side: Side, cell: Cell, winner: MeleeWinner) -> int:
    """Whether No Quarter may be played at the end of a melee, and its points.

    Args:
        side: who plays it.
        cell: hex of the melee.
        winner: axis, allies or none.

    Returns:
        Victory points gained.

    Raises:
        UnknownHex: not on the board.

    **Rule:** A38.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "melee"), "no_quarter", side="axis", cell="C3", winner="axis").value
    2
    """
    ctx.position.grid.check(cell)
    nations = {s: {p.nation for p in ctx.position.pieces if p.side == s} for s in SIDES}
    other = "allies" if side == "axis" else "axis"
    if not ("russia" in nations.get(side, ()) or ("germany" in nations.get(side, ()) and "russia" in nations[other])):
        ctx.refuse("A38", "melee.refuse.quarter_nation", where=hexes(cell), side=side)
    if winner != side:
        ctx.refuse("A38", "melee.refuse.quarter_survivor", where=hexes(cell), side=side)
    ctx.settle()
    amount = int(ctx.table("melee").get("no_quarter", "vp", hexes(cell)))
    if not ctx.refusals:
        ctx.step("A38", "melee.no_quarter", value=amount, unit="PV", where=hexes(cell), side=side)
    return amount
