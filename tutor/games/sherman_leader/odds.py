"""Exact odds of attacks, yours and the enemy's, over the very stages that resolve them.

**Rule:** 6.7, 6.7.3, 6.8, 6.13, 10.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from tutor.core.arguments import PieceId, Pieces, TargetPiece
from tutor.core.chances import Chances
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.games.sherman_leader.arguments import Pay
from tutor.games.sherman_leader.attack import FACES, Shot, cancels, prepare, strikes
from tutor.games.sherman_leader.commander import unit_of
from tutor.games.sherman_leader.enemy import chosen, prepare_enemy
from tutor.games.sherman_leader.game import GAME

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Odds(Chances):
    """Odds of one attack.

    Args:
        need: what a die must show.
        hit: chance of one die.
        cancel: chance that the defence cancels a hit.
        flank: chance of a flank attack once there is a hit (0 when the option is not played).
        hits: number of hits -> probability.
        effective: number of uncancelled hits -> probability.
        success: at least one uncancelled hit: the enemy is destroyed, or yours draws a chit.
    """

    need: int
    hit: Fraction
    cancel: Fraction
    flank: Fraction
    hits: Mapping[int, Fraction]
    effective: Mapping[int, Fraction]
    success: Fraction


@dataclass(frozen=True, slots=True)
class Series(Chances):
    """Odds of several attacks on one target, one after another.

    Args:
        each: chance of each attack alone.
        after: chance that the target is destroyed once each has been made.
        expected: attacks made on average, none once the target is destroyed.
    """

    each: tuple[Fraction, ...]
    after: tuple[Fraction, ...]
    expected: Fraction


def chance_of(test: Any, number: int) -> Fraction:
    """Chance that a ten-sided die passes a stage.

    >>> str(chance_of(strikes, 4)), str(chance_of(cancels, 5))
    ('7/10', '1/2')
    """
    return Fraction(sum(test(number, die) for die in range(1, FACES + 1)), FACES)


def binomial(n: int, p: Fraction) -> dict[int, Fraction]:
    """Number of successes in n tries -> probability.

    >>> [str(q) for q in binomial(2, Fraction(1, 2)).values()]
    ['1/4', '1/2', '1/4']
    """
    return {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}


def shot_odds(ctx: Context, shot: Shot | None) -> Odds | None:
    """Odds of a shot, traced; none of an attack that is refused."""
    if shot is None:
        return None
    hit, defence = chance_of(strikes, shot.need), shot.defence + shot.cover
    cancel = chance_of(cancels, defence) if ctx.on("6.7.3") else Fraction(0)
    flank, worse = Fraction(0), cancel
    if shot.flank is not None:
        flank = Fraction(max(0, min(FACES, FACES + 1 - shot.flank)), FACES)
        lowered = defence + int(ctx.table("numbers").get("flank_defence", "value"))
        worse = chance_of(cancels, lowered) if ctx.on("6.7.3") else Fraction(0)
    hits = binomial(shot.dice, hit)
    effective = {k: Fraction(0) for k in range(shot.dice + 1)}
    for n, weight in hits.items():
        for share, stop in ((1 - flank, cancel), (flank, worse)):
            for k, p in binomial(n, 1 - stop).items():
                effective[k] += weight * share * p
    success = 1 - effective[0]
    ctx.step("6.7", "odds.hit", value=hit, need=shot.need, dice=shot.dice)
    ctx.step("6.7.3", "odds.cancel", value=cancel, defence=defence)
    if shot.flank is not None:
        ctx.step("10.3", "odds.flank", value=flank, cancel=worse)
    ctx.step("6.8", "odds.success", value=success, hit=hit, cancel=cancel, flank=flank)
    return Odds(shot.need, hit, cancel, flank, hits, effective, success)


@GAME.question(
    "attack_odds",
    rules=("6.7", "6.7.3", "6.8", "10.3"),
    label="Quelles chances a cette attaque ?",
    theme="Vos attaques",
    common=True,
    chances=True,
)
def attack_odds(ctx: Context, unit: PieceId, target: TargetPiece, pay: Pay = False) -> Odds | None:
    """Exact odds of one of your attacks.

    Args:
        unit, target, pay: see :func:`attack`.

    Returns:
        The odds; refused when the attack is.

    **Rule:** 6.7, 6.7.3, 6.8, 10.3.

    >>> odds = GAME.load().rules["attack_odds"](GAME.position("tour-1"), unit="u921", target="rifle-2", pay=True)
    >>> str(odds.value.success)
    '3/4'
    """
    return shot_odds(ctx, prepare(ctx, unit_of(ctx, unit, "us"), unit_of(ctx, target, "enemy"), pay))


@GAME.question(
    "enemy_odds",
    rules=("6.13", "6.7.3", "10.3"),
    label="Quelles chances a cette attaque ennemie ?",
    theme="L’ennemi",
    chances=True,
)
def enemy_odds(ctx: Context, unit: PieceId, target: TargetPiece | None = None) -> Odds | None:
    """Exact odds of an enemy attack; ``effective`` counts damage chits.

    Args:
        unit, target: see :func:`enemy_attack`.

    Returns:
        The odds; refused when the attack is.

    **Rule:** 6.13-6.15, 10.3.

    >>> str(GAME.load().rules["enemy_odds"](GAME.position("tour-1-pz3"), unit="pz3").value.success)
    '264/625'
    """
    piece = unit_of(ctx, unit, "enemy")
    return shot_odds(ctx, prepare_enemy(ctx, piece, chosen(ctx, piece, target)))


@GAME.question(
    "series_odds",
    rules=("6.7", "6.8"),
    label="Quelles chances à plusieurs ?",
    theme="Vos attaques",
    chances=True,
)
def series_odds(ctx: Context, units: Pieces, target: TargetPiece, pay: Pay = False) -> Series | None:
    """Several of your units attack one target, one after another: there are no fire groups here.

    Args:
        units: ids in order.
        target: id.
        pay: suppressed units attack all the same.

    Returns:
        Chance after each attack; None, refused, when one attack is.

    Raises:
        RequestError: no unit, or one twice.

    **Rule:** 6.7, 6.8.

    >>> series = GAME.load().rules["series_odds"](GAME.position("serie"), units=["char", "scout"], target="pz4").value
    >>> [str(p) for p in series.after]
    ['51/100', '44811/62500']
    """
    if not units or len(set(units)) != len(units):
        raise RequestError("Chaque unité attaque une fois.", remedy="Nommez une ou plusieurs unités, chacune une fois.")
    foe = unit_of(ctx, target, "enemy")
    each, after, left, expected = [], [], ONE, Fraction(0)
    for unit in units:
        with ctx.group("6.7", "series.attack", actor=unit, target=target) as group:
            odds = shot_odds(ctx, prepare(ctx, unit_of(ctx, unit, "us"), foe, pay))
            group.value = odds and odds.success
        if odds is None:
            continue
        expected += left
        left *= 1 - odds.success
        each.append(odds.success)
        after.append(1 - left)
        ctx.step("6.8", "series.after", value=1 - left, actor=unit, target=target, alone=odds.success)
    if ctx.refusals:
        return None
    average = float(round(expected, 2))
    ctx.step("6.8", "series.total", value=after[-1], target=target, expected=average, units=list(units))
    return Series(tuple(each), tuple(after), expected)
