"""Damage chits: what each does to a unit and its commander, and exact draws without replacement from a known cup.

**Rule:** 6.16-6.18.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import PieceId
from tutor.core.chances import Chances
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.sherman_leader.arguments import ChitCup, Chits
from tutor.games.sherman_leader.commander import commander_of, unit_of, value_of, vehicle
from tutor.games.sherman_leader.game import GAME

MOST_DRAWN = 6
#: Chits that a second of the same sort adds nothing to.
REPEATED = ("mg", "gun", "exposed", "immobilized", "suppressed")


@dataclass(frozen=True, slots=True)
class State:
    """What chits have made of a unit.

    Args:
        stress: taken by the commander.
        destroyed: the unit.
        killed, wounded: the commander.
        chits: kept on the cards, sorted.
        drawn: chits that count as gone from the cup, sorted.
    """

    stress: int = 0
    destroyed: bool = False
    killed: bool = False
    wounded: bool = False
    chits: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DamageOdds(Chances):
    """Odds of drawing chits.

    Args:
        destroyed: the unit.
        killed: its commander.
        wounded: he ends wounded and alive.
        stress: stress taken -> probability.
        expected_stress: on average.
        chits: chit -> chance to end with it on the unit's card.
    """

    destroyed: Fraction
    killed: Fraction
    wounded: Fraction
    stress: Mapping[int, Fraction]
    expected_stress: Fraction
    chits: Mapping[str, Fraction]


def face_of(unit: Piece) -> str:
    """Which face of a chit counts for a unit."""
    return "vehicle" if vehicle(unit) else "infantry"


def start(ctx: Context, unit: Piece) -> State:
    """A unit before the draw: chits it already has, and whether its commander lives."""
    chief = commander_of(ctx, unit)
    face = face_of(unit)
    table = GAME.tables["chits"]
    known = sorted(s for s in unit.status if table.has(f"{face}/{s}") and table.get(f"{face}/{s}", "keep") == "unit")
    return State(
        destroyed="destroyed" in unit.status,
        killed=chief is None or "killed" in chief.status,
        wounded=chief is not None and "wounded" in chief.status,
        chits=tuple(known),
    )


def redrawn(ctx: Context, state: State, row: str) -> bool:
    """Whether a chit is drawn again: the commander is dead and it gives nothing but stress."""
    cells = GAME.tables["chits"].rows[row]
    only_stress = bool(cells.get("stress")) and cells["keep"] == "commander"
    return state.killed and only_stress and ctx.on("6.18")


#: Rules on a second chit of the same sort that may be left out.
DOUBLES = ("6.16.10", "6.17.4")


def forgotten(ctx: Context) -> tuple[str, ...]:
    """Those of ``DOUBLES`` that this computation leaves out."""
    return tuple(rule for rule in DOUBLES if not ctx.on(rule))


def effect(
    state: State, unit: Piece, row: str, reach: tuple[int, int], without: tuple[str, ...] = ()
) -> tuple[State, str]:
    """One chit on a unit: the state after it, and what happened.

    Args:
        state: before.
        unit: the unit.
        row: ``face/chit``.
        reach: its nearest and farthest range.
        without: rules on doubles left out.

    Returns:
        The state, and kept, commander, cup (an effect, then back in the cup) or none (no effect).
    """
    cells: Mapping[str, Any] = GAME.tables["chits"].rows[row]
    chit, keep = row.split("/")[1], cells["keep"]
    useless = (
        (chit == "gun" and reach[1] < 2)
        or (chit == "mg" and reach[0] > 0)
        or (chit in ("wounded", "killed", "stress") and state.killed)
        or (chit in REPEATED and chit in state.chits)
        or keep == "none"
    )
    if useless:
        return state, "none"
    after = state
    if cells.get("stress") and not state.killed:
        after = replace(after, stress=after.stress + int(cells["stress"]))
    if chit == "wounded":
        after = replace(after, killed=state.wounded, wounded=not state.wounded)
    if cells.get("kills"):
        after = replace(after, killed=True, wounded=False)
    double = cells.get("second") == "destroyed" and chit in state.chits and cells["rule"] not in without
    if cells.get("destroys") or double:
        after = replace(after, destroyed=True)
    if keep == "unit":
        after = replace(after, chits=tuple(sorted((*after.chits, chit))))
    return after, {"unit": "kept", "commander": "commander", "cup": "cup"}[keep]


def reach_of(ctx: Context, unit: Piece) -> tuple[int, int]:
    """Nearest and farthest range of a unit."""
    return value_of(ctx, unit, "range_min", "3.14.9", 0), value_of(ctx, unit, "range_max", "3.14.9")


def _rows(face: str, chits: Sequence[str]) -> list[str]:
    table = GAME.tables["chits"]
    for chit in chits:
        if not isinstance(chit, str) or not table.has(f"{face}/{chit}"):
            known = ", ".join(row.split("/")[1] for row in table.rows if row.startswith(face))
            raise RequestError(f"« {chit} » n’est pas un pion de dégâts de cette unité.", remedy=f"Pions : {known}.")
    return [f"{face}/{chit}" for chit in chits]


@GAME.question(
    "damage",
    rules=("6.16", "6.17", "6.18"),
    label="Que font ces pions de dégâts ?",
    theme="Vos attaques",
    odds="damage_odds",
)
def damage(ctx: Context, unit: PieceId, chits: Chits) -> State:
    """Chits drawn for one of your units, in order.

    Args:
        unit: id.
        chits: names (stress, wounded, killed, engine, …), those redrawn included.

    Returns:
        What they make of it; ``chits`` are those on its card, old ones included.

    Raises:
        RequestError: a chit that does not exist on this face.

    **Rule:** 6.16.1-6.16.13, 6.17.1-6.17.9, 6.18.

    >>> hurt = GAME.load().rules["damage"](GAME.position("tour-1"), unit="u042", chits=["suspension", "glancing"]).value
    >>> hurt.chits, hurt.stress
    (('glancing', 'suspension'), 1)
    """
    piece = unit_of(ctx, unit, "us")
    face = face_of(piece)
    ctx.step("6.16" if face == "vehicle" else "6.17", "damage.face", actor=unit, face=face)
    state, chits_rows = start(ctx, piece), _rows(face, chits)
    alone = state.killed
    reach = reach_of(ctx, piece) if {"gun", "mg"} & set(chits) else (0, 9)
    for row in chits_rows:
        rule = str(GAME.tables["chits"].rows[row]["rule"])
        if state.destroyed:
            ctx.step("6.18", "damage.too_late", chit=row, actor=unit)
            continue
        if redrawn(ctx, state, row):
            ctx.step("6.18", "damage.redrawn", "dice", chit=row, actor=unit)
            continue
        before = state
        state, outcome = effect(before, piece, row, reach, forgotten(ctx))
        ctx.step(rule, f"damage.{outcome}", "dice", chit=row, actor=unit)
        if outcome == "none" and not row.endswith("/none"):
            ctx.step("6.18", "damage.returned", chit=row, actor=unit)
        if state.stress > before.stress:
            ctx.step(rule, "damage.stress", value=state.stress - before.stress, chit=row, actor=unit)
        if state.wounded and not before.wounded:
            ctx.step(rule, "damage.wounded", actor=unit)
        if state.killed and not before.killed:
            ctx.step(rule, "damage.killed", actor=unit)
        if state.destroyed:
            twice = not GAME.tables["chits"].rows[row].get("destroys")
            ctx.step(rule, "damage.second" if twice else "damage.destroyed", chit=row, actor=unit)
    if not state.destroyed:
        code = "damage.keeps" if state.chits else "damage.unhurt"
        code += "_alone" if state.killed and not alone else ""
        ctx.step("6.18", code, chits=list(state.chits), actor=unit, stress=state.stress)
    return state


def draws(
    ctx: Context, piece: Piece, cup: Mapping[str, int], count: int, reach: tuple[int, int]
) -> dict[State, Fraction]:
    """Every state after ``count`` draws from a cup -> probability."""
    at_once, off = ctx.setting("chit_return") == "at_once", forgotten(ctx)
    states = {start(ctx, piece): Fraction(1)}
    for _ in range(count):
        after: dict[State, Fraction] = defaultdict(Fraction)
        for state, weight in states.items():
            left = {row: n - state.drawn.count(row) for row, n in cup.items()}
            left = {row: n for row, n in left.items() if n > 0 and not redrawn(ctx, state, row)}
            total = sum(left.values())
            if state.destroyed or total == 0:
                after[state] += weight
                continue
            for row, n in left.items():
                next_state, outcome = effect(state, piece, row, reach, off)
                if not (at_once and outcome in ("cup", "none")):
                    next_state = replace(next_state, drawn=tuple(sorted((*next_state.drawn, row))))
                after[next_state] += weight * Fraction(n, total)
        states = after
    return states


@GAME.question(
    "damage_odds",
    rules=("6.16", "6.17", "6.18"),
    label="Quelles chances à la pioche des dégâts ?",
    theme="Vos attaques",
    chances=True,
)
def damage_odds(
    ctx: Context, unit: PieceId, cup: ChitCup | None = None, count: Annotated[int, "Combien de pions"] = 1
) -> DamageOdds:
    """Exact odds of drawing chits without replacement.

    Args:
        unit: id of one of your units.
        count: chits drawn, 0 to 6.
        cup: chit -> how many are in the cup, for this unit's face; None: the booklet's numbers, which it does not give.

    Returns:
        The odds; unknown without a cup.

    Raises:
        RequestError: an impossible cup or count.

    **Rule:** 6.16-6.18.

    >>> position = GAME.load().position("tour-1")
    >>> odds = GAME.rules["damage_odds"](position, unit="u042", cup={"hull": 2, "none": 2}, count=2)
    >>> str(odds.value.destroyed)
    '1/6'
    """
    piece = unit_of(ctx, unit, "us")
    face = face_of(piece)
    if type(count) is not int or not 0 <= count <= MOST_DRAWN:
        raise RequestError("Le nombre de pions n’est pas possible.", remedy=f"Donnez un nombre de 0 à {MOST_DRAWN}.")
    if cup is None:
        rows = [row for row in GAME.tables["chits"].rows if row.startswith(face)]
        filled = {row: int(ctx.table("chits").get(row, "count")) for row in rows}
    else:
        filled = dict(zip(_rows(face, list(cup)), cup.values(), strict=True))
        if any(type(n) is not int or not 0 <= n <= 99 for n in filled.values()) or sum(filled.values()) < count:
            raise RequestError("Cette tasse est impossible.", remedy="Donnez au moins autant de pions que de tirages.")
    ctx.step("6.16" if face == "vehicle" else "6.17", "damage.face", actor=unit, face=face)
    note = "interprétation" if count > 1 else None
    ctx.step("6.18", "damage.the_cup", value=sum(filled.values()), note=note, count=count, actor=unit)
    reach = reach_of(ctx, piece) if filled.get("vehicle/gun") or filled.get("vehicle/mg") else (0, 9)
    initial = start(ctx, piece)
    for row, drawn in filled.items():
        rule = str(GAME.tables["chits"].rows[row]["rule"])
        there = (row.split("/")[1] in initial.chits) + min(drawn, count)
        if rule in DOUBLES and drawn and there > 1 and ctx.on(rule):
            ctx.step(rule, "damage.second_counts", chit=row, actor=unit)
    states = draws(ctx, piece, filled, count, reach)
    stress: dict[int, Fraction] = defaultdict(Fraction)
    chits: dict[str, Fraction] = defaultdict(Fraction)
    for state, weight in states.items():
        stress[state.stress] += weight
        for chit in set(state.chits):
            chits[chit] += weight
    odds = DamageOdds(
        _sum(states, lambda s: s.destroyed),
        _sum(states, lambda s: s.killed and not initial.killed),
        _sum(states, lambda s: s.wounded),
        dict(sorted(stress.items())),
        sum((n * p for n, p in stress.items()), Fraction(0)),
        dict(sorted(chits.items())),
    )
    ctx.step("6.18", "damage.odds", value=odds.destroyed, killed=odds.killed, stress=odds.expected_stress, actor=unit)
    return odds


def _sum(states: Mapping[State, Fraction], test: Any) -> Fraction:
    return sum((p for s, p in states.items() if test(s)), Fraction(0))
