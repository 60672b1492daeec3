"""Exact odds: the stages of an attack run over every roll, equal states merged.

**Rule:** 3.2.2-cower, 3.2.3, 3.2.3-NMC, 3.2.3-LLMC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import Firers, Modifier, PieceId, TargetCell
from tutor.core.chances import Chances
from tutor.core.context import Context
from tutor.core.dice import Dice, total, total_and_double
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.asl_sk.arguments import FP, CheckKind, Cower, Leaders
from tutor.games.asl_sk.charts import untraced_chart
from tutor.games.asl_sk.fire.attack import cell, shifted, struck
from tutor.games.asl_sk.fire.effects import (
    Effect,
    effect,
    examine,
    helped,
    loss_check,
    losses,
    must_check,
    order,
    picks,
    selections,
    shaken,
    strike,
    wounds_at_strike,
)
from tutor.games.asl_sk.fire.fire import Fire, column_of, fire
from tutor.games.asl_sk.fire.weapons import charge_fails
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.morale import Troop, became, check, silent, task, troop
from tutor.games.asl_sk.units import infantry

#: Most units fired at whose odds are worked out exactly.
MOST_TARGETS = 5
State = tuple[Troop, ...]
Weights = dict[State, Fraction]
_SUMS: tuple[tuple[int, Fraction], ...] = tuple((value, Fraction(n, 36)) for value, n, _ in Dice(total).draw(()))
_WOUNDS = tuple((dr, Fraction(1, 6)) for dr in range(1, 7))


@GAME.question(
    "ift_odds",
    rules=("3.2.3", "3.2.2-cower"),
    label="Quelles chances sur l’IFT ?",
    theme="Vue et tir",
    chances=True,
)
def ift_odds(ctx: Context, fp: FP, drm: Modifier, cower: Cower = 0) -> dict[str, Fraction]:
    """Chance of each result of the IFT.

    Args:
        fp: firepower.
        drm: sum of the modifiers.
        cower: columns lost on a double, 0 to 2.

    Returns:
        Result -> probability; they sum to 1.

    **Rule:** 3.2.3, 3.2.2-cower.

    >>> from tutor.games.asl_sk import GAME
    >>> str(GAME.load().rules["ift_odds"](GAME.position("ecole"), fp=4, drm=1, cower=1).value["NE"])
    '11/18'
    """
    if not 0 <= cower <= 2 or fp < 0:
        raise RequestError("FP positive, et de 0 à 2 colonnes de Cowering.", remedy="Par exemple fp: 4, cower: 1.")
    quiet, column = silent(ctx), column_of(Fraction(fp))
    odds: dict[str, Fraction] = defaultdict(Fraction)
    rolls: dict[str, set[int]] = defaultdict(set)
    for (original, doubled), n, _ in Dice(total_and_double).draw(()):
        used = shifted(column, cower) if doubled and cower else column
        code = cell(quiet, used, original + drm)
        odds[code] += Fraction(n, 36)
        rolls[code].add(original)
    ctx.step("3.2.3", "odds.column", value=column, fp=fp, drm=drm)
    if cower:
        ctx.step("3.2.2-cower", "odds.cower", value=shifted(column, cower), columns=cower)
    note = untraced_chart(ctx, "ift").provenance
    for code in sorted(odds, key=lambda code: min(rolls[code])):
        low, high = min(rolls[code]), max(rolls[code])
        run = len(rolls[code]) == high - low + 1 > 1
        ctx.step("3.2.3", "odds.run" if run else "odds.rolls", value=odds[code], note=note, result=code,
                 rolls=sorted(rolls[code]), low=low, high=high)  # fmt: skip
    return dict(odds)


@GAME.question(
    "morale_odds",
    rules=("3.2.3-NMC", "3.2.3-MC", "3.2.3-PTC", "5.1"),
    label="Quelles chances à ce test de moral ?",
    theme="Moral et ralliement",
    chances=True,
)
def morale_odds(ctx: Context, piece: PieceId, modifier: Modifier = 0, kind: CheckKind = "mc") -> dict[str, Fraction]:
    """Chance of each outcome of a check of one unit.

    Args:
        piece: id.
        modifier: sum of the modifiers.
        kind: ``mc`` or ``ptc``.

    Returns:
        Outcome -> probability: nothing, pinned, broken, reduced_broken…; ``replaced`` counts apart.

    **Rule:** 3.2.3-NMC, 3.2.3-MC, 3.2.3-PTC, 5.1.

    >>> from tutor.games.asl_sk import GAME
    >>> odds = GAME.load().rules["morale_odds"](GAME.position("tir"), piece="alpha").value
    >>> str(odds["nothing"]), str(odds["pinned"]), str(odds["broken"])
    ('5/12', '1/6', '7/18')
    """
    if kind not in ("mc", "ptc"):
        raise RequestError(f"« {kind} » n’est pas un test.", remedy="Écrivez mc ou ptc.")
    quiet = silent(ctx)
    if kind == "mc" and not ctx.on("3.2.3-MC"):
        modifier = 0
    elif kind == "mc" and modifier:
        ctx.step("3.2.3-MC", "morale.modifier", value=modifier, piece=piece)
    before = troop(ctx.position, infantry(ctx.position, piece))
    odds: dict[str, Fraction] = defaultdict(Fraction)
    for original, p in _SUMS:
        for dr, q in wound_dice(before):
            after = (
                check(quiet, before, original, modifier, dr)
                if kind == "mc"
                else task(quiet, before, original, modifier)
            )
            odds[became(before, after)] += p * q
            if after.replaced:
                odds["replaced"] += p * q
    ctx.consulted |= quiet.consulted
    rule = "3.2.3-NMC" if kind == "mc" else "3.2.3-PTC"
    for result, p in odds.items():
        if result != "nothing":
            ctx.step(
                "5.1" if result == "replaced" else rule,
                "odds.outcome",
                value=p,
                piece=piece,
                result=result,
                morale=before.morale,
                drm=modifier,
            )
    ctx.step(
        rule, "odds.unharmed", value=odds.get("nothing", Fraction(0)), piece=piece, morale=before.morale, drm=modifier
    )
    return dict(odds)


def wound_dice(one: Troop) -> tuple[tuple[int, Fraction], ...]:
    """Each dr of a wound with its chance; one alone for a unit that rolls none."""
    return _WOUNDS if one.kind == "leader" else ((1, Fraction(1)),)


@dataclass(frozen=True, slots=True)
class FireOdds(Chances):
    """Odds of an attack.

    Args:
        fp, column: before the dice.
        results: IFT result against the first target -> probability.
        units: unit -> outcome -> probability.
        any_loss: at least one eliminated, reduced or wounded.
        any_broken: at least one newly broken or eliminated.
        unharmed: nothing happens to any.
    """

    fp: Fraction
    column: int
    results: dict[str, Fraction]
    units: dict[str, dict[str, Fraction]]
    any_loss: Fraction
    any_broken: Fraction
    unharmed: Fraction


@GAME.question(
    "fire_odds",
    rules=("3.2.3", "3.2.2-cower", "3.2.3-NMC", "3.2.3-LLMC"),
    label="Quelles chances a cette attaque ?",
    theme="Vue et tir",
    common=True,
    chances=True,
)
def fire_odds(ctx: Context, firers: Firers, target: TargetCell, leaders: Leaders | None = None) -> FireOdds:
    """Exact odds of an attack, check by check, for every unit fired at.

    Args:
        firers, target, leaders: as for ``fire``.

    Returns:
        The odds; refused as the attack itself would be.

    Raises:
        RequestError: more than five units fired at.

    **Rule:** 3.2.2-cower, 3.2.3, 3.2.3-KIA, 3.2.3-K, 3.2.3-NMC, 3.2.3-PTC, 3.2.3-LLMC.

    >>> from tutor.games.asl_sk import GAME
    >>> odds = GAME.load().rules["fire_odds"](GAME.position("tir"), firers=["alpha"], target="H4").value
    >>> sum(odds.results.values()), sum(odds.units["cible"].values())
    (Fraction(1, 1), Fraction(1, 1))
    """
    ready: Fire = fire.function(ctx, firers, target, leaders)
    before = struck(ctx, ready, target)
    if len(before) > MOST_TARGETS:
        raise RequestError(
            f"{len(before)} unités visées : le calcul exact s’arrête à {MOST_TARGETS}.",
            remedy="Retirez-en de l’hex.",
        )
    quiet = silent(ctx)
    beside = ("NE",) * (len(before) - len(ready.targets))
    rows: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for (original, doubled), n, _ in Dice(total_and_double).draw(()):
        used = shifted(ready.column, ready.cower) if doubled and ready.cower else ready.column
        used = 0 if charge_fails(quiet, ready, original) else used
        rows[tuple(cell(quiet, used, original + one.drm) for one in ready.targets)] += Fraction(n, 36)
    ends: Weights = defaultdict(Fraction)
    results: dict[str, Fraction] = defaultdict(Fraction)
    for codes, p in rows.items():
        if codes:
            results[codes[0]] += p
        for state, q in suffer(quiet, before, codes + beside).items():
            ends[state] += p * q
    ctx.consulted |= quiet.consulted
    return _summary(ctx, ready, before, ends, dict(results), target)


def suffer(ctx: Context, before: State, codes: tuple[str, ...]) -> Weights:
    """Every state a result leads to."""
    effects = [effect(code) for code in codes]
    states: Weights = {before: Fraction(1)}
    for what in dict.fromkeys(effects):
        states = _struck(ctx, what, [i for i, e in enumerate(effects) if e == what], states)
    done = [i for i, what in enumerate(effects) if what.kind == "none"]
    for i in order(before):
        what = effects[i]
        if what.kind == "none":
            continue

        def asked(state: State, i: int = i, what: Effect = what) -> bool:
            return must_check(ctx, what, state[i], before[i])

        def stage(one: Troop, original: int, help_: int, dr: int, what: Effect = what) -> Troop:
            return examine(ctx, what, one, original, help_, dr)

        states = _checks(states, i, [*done], asked, stage)
        done.append(i)
    return _lost(ctx, before, states)


def _struck(ctx: Context, what: Effect, members: list[int], states: Weights) -> Weights:
    """What a result does at once to the units it holds for, over every random selection and wound."""
    if not picks(what):
        return states
    after: Weights = defaultdict(Fraction)
    for picked, n in selections(len(members), picks(what), ctx.setting("random_ties") == "all"):
        some = {state: p * Fraction(n, 6 ** len(members)) for state, p in states.items()}
        for place, i in enumerate(members):
            some = _hit(ctx, what, i, place in picked, some)
        for state, p in some.items():
            after[state] += p
    return after


def _hit(ctx: Context, what: Effect, i: int, chosen: bool, states: Weights) -> Weights:
    outcomes: Weights = defaultdict(Fraction)
    for state, p in states.items():
        drs = _WOUNDS if wounds_at_strike(what, state[i], chosen) else ((1, Fraction(1)),)
        for dr, q in drs:
            outcomes[(*state[:i], strike(ctx, what, state[i], chosen, dr), *state[i + 1 :])] += p * q
    return outcomes


def _checks(
    states: Weights,
    i: int,
    done: list[int],
    asked: Callable[[State], bool],
    stage: Callable[[Troop, int, int, int], Troop],
) -> Weights:
    """One unit checks, in every state that asks it to."""
    outcomes: Weights = defaultdict(Fraction)
    for state, p in states.items():
        if not asked(state):
            outcomes[state] += p
            continue
        help_ = helped(state, i, done)
        for original, q in _SUMS:
            for dr, r in wound_dice(state[i]):
                outcomes[(*state[:i], stage(state[i], original, help_, dr), *state[i + 1 :])] += p * q * r
    return outcomes


def _lost(ctx: Context, before: State, states: Weights) -> Weights:
    """Checks for leaders lost, state by state."""
    outcomes: Weights = defaultdict(Fraction)
    for state, p in states.items():
        here: Weights = {state: p}
        for lost, kind in losses(ctx, before, state):
            for i in shaken(before, state, lost, kind):

                def still(s: State, i: int = i, lost: int = lost, kind: str = kind) -> bool:
                    return i in shaken(before, s, lost, kind)

                def stage(one: Troop, original: int, help_: int, dr: int, lost: int = lost, kind: str = kind) -> Troop:
                    return loss_check(ctx, kind, one, before[lost], original, help_, dr)

                here = _checks(here, i, list(range(len(before))), still, stage)
        for end, q in here.items():
            outcomes[end] += q
    return outcomes


def _broke(result: str) -> bool:
    """Does this outcome leave the unit newly Broken, or eliminated?"""
    return result.endswith("broken") or result == "eliminated"


def _summary(
    ctx: Context, ready: Fire, before: State, ends: Weights, results: dict[str, Fraction], target: str
) -> FireOdds:
    units: dict[str, dict[str, Fraction]] = {t.id: defaultdict(Fraction) for t in before}
    any_loss = any_broken = unharmed = Fraction(0)
    for state, p in ends.items():
        now = [became(was, after) for was, after in zip(before, state, strict=True)]
        for was, result in zip(before, now, strict=True):
            units[was.id][result] += p
        any_loss += p * any(r.startswith(("eliminated", "reduced", "wounded")) for r in now)
        any_broken += p * any(_broke(r) for r in now)
        unharmed += p * all(r == "nothing" for r in now)
    if not ctx.refusals:
        if len(ready.targets) > 1 and any(picks(effect(code)) for code in results):
            code = "effect.ties_all" if ctx.setting("random_ties") == "all" else "effect.ties_one"
            ctx.step("3.2.3-KIA", code, note="interprétation", where=hexes(target))
        for code, p in sorted(results.items(), key=lambda item: -item[1]):
            ctx.step("3.2.3", "odds.result", value=p, result=code, where=hexes(target))
        for name, outcomes in units.items():
            if set(outcomes) == {"nothing"} and name not in {one.id for one in ready.targets}:
                continue
            broke = sum((p for r, p in outcomes.items() if _broke(r)), Fraction(0))
            less = {r: outcomes[r] for r in ("reduced", "wounded") if outcomes.get(r)}
            code = f"odds.unit_{next(iter(less))}" if less else "odds.unit"
            ctx.step("3.2.3-NMC", code, value=broke, piece=name, less=sum(less.values(), Fraction(0)),
                     pinned=outcomes["pinned"], nothing=outcomes["nothing"], where=hexes(target))  # fmt: skip
    plain = {name: {k: v for k, v in outcomes.items() if v} for name, outcomes in units.items()}
    return FireOdds(ready.fp, ready.column, results, plain, any_loss, any_broken, unharmed)
