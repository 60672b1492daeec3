"""Mines: whom they attack, with what firepower, and the roll; nothing covers against them.

**Rule:** F103, F103.1, F103.2, O20.3.4, O23.3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import Cell, End, PieceId, Pieces, Roll, Start
from tutor.core.context import Context, dice
from tutor.core.dice import Dice, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.position import Piece, Position
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import DefenceRolls, EntryWay, LeavingWay, LightWounds, MinesRoll
from tutor.games.combat_commander.fire.attack import Defence, defend, lost_with, outcome
from tutor.games.combat_commander.fire.consequences import consequences
from tutor.games.combat_commander.fire.cover import cover
from tutor.games.combat_commander.fire.odds import PieceOdds
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import points
from tutor.games.combat_commander.units import AS_PLACED, is_unit, places
from tutor.games.combat_commander.values import morale_in

WAYS = ("move", "advance", "retreat")


@dataclass(frozen=True, slots=True)
class Mined:
    """Attacks of mines on units that go from a hex to the next.

    Args:
        attacks: mined hexes that attack, in order: the one left, then the one entered.
        fp: firepower.
        total: attack total of the roll given, None without it.
        immune: units of the mined hexes that do not move.
        pieces: unit id -> defence.
        end: hex where the units are afterwards, broken or not.
        points: victory points of the enemy of the units.
    """

    attacks: tuple[str, ...]
    fp: int
    total: int | None
    immune: tuple[str, ...]
    pieces: Mapping[str, Defence]
    end: str
    points: int


@GAME.question(
    "mines",
    rules=("F103", "F103.1", "F103.2", "A36"),
    label="Qui les mines attaquent-elles ?",
    theme="Fortifications et Mines",
)
def mines(
    ctx: Context,
    movers: Annotated[Pieces, "Qui bouge"],
    start: Start,
    end: End,
    how: EntryWay = "move",
    at: Annotated[Cell | None, "Hex miné"] = None,
    roll: Annotated[Roll | None, "Jet des Mines"] = None,
    defence: DefenceRolls | None = None,
    fp: Annotated[int | None, "FP"] = None,
    wounds: LightWounds = (),
) -> Mined:
    """Whom mines attack when units go from a hex to the next, and one of their rolls.

    Args:
        movers: ids of the units that go together: one roll for all of them.
        start: hex left.
        end: hex entered.
        how: move, advance or retreat.
        at: mined hex whose roll this is; None: the first that attacks.
        roll: attack roll of the enemy of the units.
        defence: unit id -> its dice.
        fp: 7 or 8 when the scenario says so.
        wounds: squads saved with Light Wounds.

    Returns:
        The attack; refused when no mines lie in either hex.

    Raises:
        PositionError: no such piece. RequestError: hexes apart, another way to go, dice that are not dice.

    **Rule:** F103.1, F103.2, O20.3.3, O20.3.4, O23.3.4, A36.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "fortifications")
    >>> m = ask(position, "mines", movers=["garde"], start="E3", end="D3", roll=[3, 5], defence={"garde": [2, 3]}).value
    >>> m.total, m.pieces["garde"].result
    (14, 'broken')
    """
    units = _movers(ctx, movers, start, end, how)
    attacks = tuple(c for c in (start, end) if ctx.position.marker("fortification", c) == "mines")
    if not attacks:
        ctx.refuse("F103.1", "mines.refuse.none", where=hexes(start, end), start=start, end=end)
        return Mined((), 0, None, (), {}, end, 0)
    ctx.step("F103.1", "mines.attack", value=len(attacks), where=hexes(*attacks), cells=list(attacks), how=how)
    where = at or attacks[0]
    if where not in attacks:
        raise RequestError(f"Pas de Mines en {where}.", remedy=f"Hexs minés : {', '.join(attacks)}.")
    immune = tuple(p.id for c in attacks for p in ctx.position.pieces_at(c) if is_unit(p) and p.id not in movers)
    if immune:
        ctx.step("F103.1", "mines.immune", value=True, pieces=list(immune))
    attack = Mined(attacks, strength(ctx, fp, where), None, immune, {}, end, 0)
    return _strike(ctx, attack, units, where, how, {"roll": roll, "defence": defence, "wounds": wounds})


def crossing(
    ctx: Context, movers: Sequence[str], start: str, end: str, how: str, rolls: list[MinesRoll]
) -> Iterator[Mined]:
    """Every attack of mines on units that walk from a hex to the next: that of the hex left, then of the hex entered.

    The position of the computation takes what each attack does to them.

    Args:
        ctx: computation.
        movers: ids of the units.
        start: hex left.
        end: hex entered, ``exit`` off the map.
        how: move, advance or retreat.
        rolls: rolls told for the walk; each that is used is taken out, an attack without one is pending.

    **Rule:** F103.1, F103.2, O23.3.4.
    """
    rule = "O23.3.4" if how == "retreat" else "F103.1"
    for where in [c for c in (start, end) if ctx.position.marker("fortification", c) == "mines"]:
        units = [ctx.position.by_id[name] for name in movers if name in ctx.position.by_id]
        if not units:
            return
        roll = next((r for r in rolls if r["at"] == where), None)
        if roll is not None:
            rolls.remove(roll)
        given: Mapping[str, Any] = roll or {}
        code = "mines.entered" if where == end else "mines.left"
        with ctx.group(rule, code, where=hexes(where), cell=where, pieces=[u.id for u in units], how=how) as step:
            ctx.step("F103.1", "mines.met", value=True, where=hexes(where), cell=where)
            blank = Mined((where,), strength(ctx, None, where), None, (), {}, end, 0)
            attack = _strike(ctx, blank, units, where, how, given)
            step.value, step.unit = attack.fp, "PF"
        ctx.position = ctx.position.change(consequences(ctx.position, attack.pieces))
        yield attack


def trace_number(ctx: Context, met: Sequence[Mined]) -> None:
    """Say how many attacks of mines a walk has met, when there were several. **Rule:** F103.1."""
    if len(met) > 1:
        cells = dict.fromkeys(cell for blast in met for cell in blast.attacks)
        ctx.step("F103.1", "mines.number", value=len(met), where=hexes(*cells))


def never_met(ctx: Context, rolls: Sequence[Mapping[str, Any]]) -> None:
    """Refuse the rolls told for mines that the walk did not meet. **Rule:** F103.1."""
    for roll in rolls:
        ctx.refuse("F103.1", "mines.refuse.never_met", where=hexes(roll["at"]), cell=roll["at"])


def _strike(
    ctx: Context,
    attack: Mined,
    units: Sequence[Piece],
    where: str,
    how: str,
    given: Mapping[str, Any],
) -> Mined:
    """One attack, the units standing in the mined hex."""
    origin = ctx.position
    stand = _steeled(ctx, attack, where)
    try:
        ctx.position = _placed(ctx, units, stand, how)
        placed = [ctx.position.by_id[u.id] for u in units]
        struck = _rolled(ctx, attack, placed, where, given)
    finally:
        ctx.position = origin
    _trace_ties(ctx, struck, how)
    return struck


def _steeled(ctx: Context, attack: Mined, where: str) -> str:
    """The hex where Morale is read when mines attack those who leave, by the reading ``mines_morale``.

    **Rule:** F103.1.
    """
    if where == attack.end or attack.end not in ctx.position.grid:
        return where
    stand = where if ctx.setting("mines_morale") == "mined" else attack.end
    ctx.step("F103.1", "mines.steeled", value=stand, where=hexes(stand), note="interprétation", cell=where)
    return stand


def _trace_ties(ctx: Context, struck: Mined, how: str) -> None:
    """Say which reading decides a tie of units that do not move by a Move order. **Rule:** F103.2, O20.3.4."""
    tied = [name for name, d in struck.pieces.items() if d.total is not None and d.total == struck.total]
    if tied and how != "move":
        hard = ctx.setting("mines_tie") == "broken"
        code = "mines.tie_hard" if hard else "mines.tie_soft"
        where = tuple(place for name in tied for place in places(ctx.position.piece(name)))
        ctx.step("F103.2", code, value=hard, where=where, note="interprétation", pieces=tied)


def _placed(ctx: Context, units: Sequence[Piece], cell: str, how: str) -> Position:
    """The position with the units in the mined hex, activated as they go: a tie breaks those that move."""
    doing = "move" if how == "move" or ctx.setting("mines_tie") == "broken" else "advance"
    return ctx.position.change(
        {f"piece.{u.id}.at": cell for u in units} | {f"piece.{u.id}.activated": doing for u in units}
    )


def _movers(ctx: Context, movers: Sequence[str], start: str, end: str, how: str) -> list[Piece]:
    if how not in WAYS:
        raise RequestError(f"« {how} » n’est pas une façon de passer.", remedy=f"Choisissez parmi {', '.join(WAYS)}.")
    if ctx.position.grid.distance(ctx.position.grid.check(start), ctx.position.grid.check(end)) != 1:
        raise RequestError(f"{start} et {end} ne se touchent pas.", remedy="Donnez deux hexs voisins.")
    return [ctx.position.piece(name) for name in dict.fromkeys(movers)]


def strength(ctx: Context, fp: int | None, cell: str) -> int:
    """Firepower of mines: 6, or what the scenario gives its defender. **Rule:** F103.2.

    Raises:
        RequestError: another value than those there are.
    """
    table = ctx.table("fortifications")
    if fp is None:
        given = ctx.position.state.get("mines_fp")
        fp = int(given) if isinstance(given, int) and not isinstance(given, bool) else None
    usual = int(table.get("mines", "fp", hexes(cell)))
    most = int(ctx.table("limits").peek("mines_fp", "value"))
    if fp is None:
        return usual
    if not usual <= fp <= most:
        raise RequestError(f"Des Mines de PF {fp} n’existent pas.", remedy=f"De {usual} à {most}.")
    ctx.step("F103.2", "mines.scenario", "input", value=fp, unit="PF", where=hexes(cell))
    return fp


def _rolled(
    ctx: Context,
    attack: Mined,
    units: list[Piece],
    where: str,
    given: Mapping[str, Any],
) -> Mined:
    roll, defence, wounds = given.get("roll"), given.get("defence") or {}, given.get("wounds") or ()
    against = "mines" if ctx.on("F103.2") else "fire"
    pieces: dict[str, Defence] = {}
    for unit in units:
        if unit.id in wounds and unit.kind != "squad":
            ctx.refuse("A36", "action.refuse.wounds_squad", where=places(unit), piece=unit.id)
    if ctx.settled:
        return Mined(attack.attacks, attack.fp, None, attack.immune, pieces, attack.end, 0)
    covering = cover.function(ctx, where, against).value
    if roll is None:
        pending = {u.id: Defence(morale_in(ctx, u, covering), None, None, "pending") for u in units}
        for u in units:
            brave = pending[u.id].morale
            ctx.step("F103.2", "mines.pending", value=brave, where=places(u), piece=u.id, fp=attack.fp)
        return Mined(attack.attacks, attack.fp, None, attack.immune, pending, attack.end, 0)
    rolled = dice_of(roll)
    amount = attack.fp + total(rolled)
    ctx.step(
        "F103.2",
        "mines.total",
        "dice",
        value=amount,
        where=hexes(where),
        fp=attack.fp,
        cell=where,
        dice=dice(list(rolled)),
    )
    troops, gained = AS_PLACED, 0
    for unit in sorted(units, key=lambda u: list(defence).index(u.id) if u.id in defence else len(units)):
        if unit.id not in defence:
            pieces[unit.id] = Defence(morale_in(ctx, unit, covering, troops), None, None, "pending")
            continue
        pieces[unit.id], troops = defend(
            ctx, troops, unit, amount, covering, dice_of(defence[unit.id]), unit.id in wounds
        )
        if pieces[unit.id].result == "eliminated":
            gained += points(ctx, unit)
            lost_with(ctx, unit)
        elif pieces[unit.id].result == "replaced":
            gained -= int(ctx.table("actions").get("light_wounds", "vp", places(unit)))
        elif pieces[unit.id].result == "broken" and where != attack.end:
            _trace_passes(ctx, unit, attack.end)
    return Mined(attack.attacks, attack.fp, amount, attack.immune, pieces, attack.end, gained)


def _trace_passes(ctx: Context, unit: Piece, end: str) -> None:
    """Broken on the way out of the mines, a unit is where it was going, off the map too. **Rule:** F103.2, 7.2.1."""
    if end in ctx.position.grid:
        ctx.step("F103.2", "mines.passes", value=end, where=(*hexes(end), *places(unit)), piece=unit.id)
    else:
        ctx.step("F103.2", "mines.passes_off", value=True, where=places(unit), piece=unit.id)


@GAME.question(
    "mines_odds",
    rules=("F103.2", "O20.3.4"),
    label="Quelles chances ont les mines ?",
    theme="Fortifications et Mines",
    chances=True,
)
def mines_odds(
    ctx: Context, unit: PieceId, cell: Cell, how: LeavingWay = "move", fp: Annotated[int | None, "FP"] = None
) -> PieceOdds:
    """Exact odds of one attack of mines on a unit, with the leaders of its hex as they stand.

    Args:
        unit: its id.
        cell: the mined hex.
        how: move, advance or retreat.
        fp: 7 or 8 when the scenario says so.

    Returns:
        The four probabilities.

    Raises:
        PositionError: no such piece. RequestError: another firepower, another way to go.

    **Rule:** F103.2, O20.3.4.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "fortifications")
    >>> str(ask(position, "mines_odds", unit="milice", cell="D3").value.broken)
    '575/1296'
    """
    if how not in WAYS:
        raise RequestError(f"« {how} » n’est pas une façon de passer.", remedy=f"Choisissez parmi {', '.join(WAYS)}.")
    power = strength(ctx, fp, cell)
    origin = ctx.position
    ctx.position = _placed(ctx, [ctx.position.piece(unit)], cell, how)
    try:
        piece = ctx.position.piece(unit)
        brave = morale_in(ctx, piece, cover.function(ctx, cell, "mines" if ctx.on("F103.2") else "fire").value)
    finally:
        ctx.position = origin
    shares: dict[str, Fraction] = {}
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    for one, n, _ in Dice(total).draw(()):
        for own, m, _ in Dice(total).draw(()):
            result, _ = outcome(silent, AS_PLACED, piece, power + one - brave - own)
            shares[result] = shares.get(result, Fraction(0)) + Fraction(n * m, 1296)
    odds = PieceOdds(*(shares.get(k, Fraction(0)) for k in ("nothing", "suppressed", "broken", "eliminated")))
    ctx.step("F103.2", "mines.odds", value=odds.broken + odds.eliminated, where=places(piece), piece=unit, morale=brave)
    return odds
