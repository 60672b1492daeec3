"""What a result of the IFT does to the units hit: stages shared by an attack whose dice are given and by the odds.

**Rule:** 3.2.3-KIA, 3.2.3-K, 3.2.3-MC, 3.2.3-NMC, 3.2.3-PTC, 3.2.3-LLMC.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

from tutor.core.context import Context
from tutor.games.asl_sk.morale import Troop, breaks, check, reduce, task

_RESULT = re.compile(r"(?:(?P<kia>\d)KIA|K/(?P<k>\d)|(?P<mc>\d)MC|(?P<nmc>NMC)|(?P<ptc>PTC)|NE)\Z")


@dataclass(frozen=True, slots=True)
class Effect:
    """A result of the IFT, read: kind (kia, k, mc, ptc, none) and its number."""

    kind: str
    number: int = 0


@lru_cache(maxsize=64)
def effect(code: str) -> Effect:
    """What a cell of the IFT says.

    >>> effect("2KIA"), effect("K/3"), effect("NMC").number
    (Effect(kind='kia', number=2), Effect(kind='k', number=3), 0)
    """
    match = _RESULT.match(code)
    if match is None:
        raise ValueError(code)
    for kind in ("kia", "k", "mc"):
        if match[kind]:
            return Effect(kind, int(match[kind]))
    return Effect("mc") if match["nmc"] else Effect("ptc") if match["ptc"] else Effect("none")


@lru_cache(maxsize=64)
def selections(candidates: int, wanted: int, ties: bool = True) -> tuple[tuple[tuple[int, ...], int | Fraction], ...]:
    """Who is picked at random: each rolls a die, the highest are picked; with weights out of 6^n.

    Args:
        candidates: how many may be picked, 1 to 5.
        wanted: how many are.
        ties: whether they all count, or are rolled again.

    >>> selections(2, 1)
    (((0, 1), 6), ((1,), 15), ((0,), 15))
    >>> selections(2, 1, ties=False)
    (((0,), Fraction(18, 1)), ((1,), Fraction(18, 1)))
    """
    if wanted >= candidates:
        return ((tuple(range(candidates)), 6**candidates),)
    if not ties:
        groups = tuple(combinations(range(candidates), wanted))
        return tuple((group, Fraction(6**candidates, len(groups))) for group in groups)
    weights: Counter[tuple[int, ...]] = Counter()
    for rolled in product(range(1, 7), repeat=candidates):
        least = sorted(rolled, reverse=True)[wanted - 1]
        weights[tuple(i for i, r in enumerate(rolled) if r >= least)] += 1
    return tuple(weights.items())


def picks(what: Effect) -> int:
    """How many units a result picks at random."""
    return what.number if what.kind == "kia" else 1 if what.kind == "k" else 0


def strike(ctx: Context, what: Effect, one: Troop, chosen: bool, severity: int | None, tied: bool = False) -> Troop:
    """What a result does to a unit at once, before any check.

    Args:
        what: the result.
        one: who.
        chosen: whether picked at random.
        severity: dr of a wound.
        tied: whether more than the result picks were picked, their dice being equal.

    **Rule:** 3.2.3-KIA, 3.2.3-K.
    """
    if what.kind == "kia":
        if chosen:
            note = "interprétation" if tied else None
            ctx.step("3.2.3-KIA", "effect.killed_tied" if tied else "effect.killed", note=note, piece=one.id)
            return replace(one, alive=False)
        ctx.step("3.2.3-KIA", "effect.spared_broken" if one.broken else "effect.spared", piece=one.id)
        return reduce(ctx, one, severity) if one.broken else breaks(ctx, one)
    if what.kind == "k" and chosen:
        ctx.step("3.2.3-K", "effect.picked", piece=one.id)
        return reduce(ctx, one, severity)
    return one


def wounds_at_strike(what: Effect, one: Troop, chosen: bool) -> bool:
    """Whether the stage :func:`strike` asks for the dr of a wound."""
    return one.kind == "leader" and (
        (what.kind == "k" and chosen) or (what.kind == "kia" and not chosen and one.broken)
    )


def must_check(ctx: Context, what: Effect, one: Troop, was: Troop) -> bool:
    """Whether a unit takes a check after the result: not once dead, nor a wounded leader after a K.

    Args:
        what: the result.
        one: the unit after it.
        was: before the attack (which leader is spared is ``wounded_leader``).
    """
    if not one.alive or what.kind not in ("k", "mc", "ptc"):
        return False
    if what.kind == "ptc":
        return not one.broken and not one.pinned
    if what.kind != "k" or not one.wounded:
        return True
    checks = was.wounded and ctx.setting("wounded_leader") == "new"
    ctx.step(
        "3.2.3-K", "effect.wounded_checks" if checks else "effect.wounded_spared", note="interprétation", piece=one.id
    )
    return checks


def examine(ctx: Context, what: Effect, one: Troop, original: int, help_: int, severity: int | None) -> Troop:
    """The check that a result asks of a unit.

    Args:
        what: the result.
        one: who.
        original: dice.
        help_: DRM of a leader.
        severity: dr of a wound.
    """
    if what.kind == "ptc":
        return task(ctx, one, original, help_)
    return check(ctx, one, original, what.number + help_, severity)


def order(troops: Iterable[Troop]) -> list[int]:
    """Order of the checks: leaders by morale, the best first, then the others as they stand."""
    numbered = list(enumerate(troops))
    chiefs = sorted((i for i, t in numbered if t.kind == "leader"), key=lambda i: -numbered[i][1].morale)
    return [*chiefs, *(i for i, t in numbered if t.kind != "leader")]


def helped(troops: tuple[Troop, ...], index: int, done: Iterable[int]) -> int:
    """DRM of the leader whose help a unit must take: the best of those already checked who still lead.

    **Rule:** 3.2.3-NMC.
    """
    able = (troops[i] for i in done if i != index and troops[i].leads)
    return min((one.leadership for one in able if one.side == troops[index].side), default=0)


def pinned_leader(troops: tuple[Troop, ...], index: int, done: Iterable[int]) -> str:
    """Id of a leader of his side already judged, whose Pin keeps his help from a unit; "" without one.

    **Rule:** 1.2.1.
    """
    side = troops[index].side
    mute = (troops[i] for i in done if i != index and troops[i].kind == "leader" and troops[i].alive)
    return next((one.id for one in mute if one.side == side and one.pinned and not one.broken), "")


def losses(ctx: Context, before: tuple[Troop, ...], after: tuple[Troop, ...]) -> list[tuple[int, str]]:
    """Leaders lost in an attack, with what the others then take: ``mc`` (eliminated) or ``ptc`` (broken).

    Several give each a check, or the best alone by the setting ``leader_loss``.

    **Rule:** 3.2.3-LLMC.
    """
    lost = []
    for i, (was, now) in enumerate(zip(before, after, strict=True)):
        if was.kind == "leader" and was.alive and not now.alive:
            lost.append((i, "mc"))
        elif was.kind == "leader" and now.alive and now.broken and not was.broken:
            lost.append((i, "ptc"))
    for i, _ in lost:
        if before[i].melee:
            ctx.step("3.2.3-LLMC", "effect.melee_loss", leader=before[i].id)
    lost = [(i, kind) for i, kind in lost if not before[i].melee]
    if len(lost) < 2:
        return lost
    each = ctx.setting("leader_loss") == "each"
    ctx.step("3.2.3-LLMC", "effect.each_loss" if each else "effect.best_loss", note="interprétation", lost=len(lost))
    return lost if each else [max(lost, key=lambda one: (before[one[0]].morale, -before[one[0]].leadership))]


def shaken(before: tuple[Troop, ...], after: tuple[Troop, ...], lost: int, kind: str) -> list[int]:
    """Units of his side that check for a lost leader: alive, of lower morale; for a PTC neither broken nor pinned."""
    value, side = before[lost].morale, before[lost].side
    return [
        i
        for i in order(after)
        if i != lost and after[i].alive and after[i].side == side and after[i].morale < value
        and not (kind == "ptc" and (after[i].broken or after[i].pinned))
    ]  # fmt: skip


def say_steady(ctx: Context, before: tuple[Troop, ...], after: tuple[Troop, ...], lost: int, kind: str) -> None:
    """Say of who does not check for a lost leader why: his morale is not lower, or a PTC finds him broken or pinned.

    **Rule:** 3.2.3-LLMC, 3.2.3-PTC.
    """
    leader = before[lost]
    for i in order(after):
        one = after[i]
        if i == lost or not one.alive or one.side != leader.side:
            continue
        if one.morale >= leader.morale:
            morale, than = one.morale, leader.morale
            ctx.step("3.2.3-LLMC", "effect.loss_spared", piece=one.id, leader=leader.id, morale=morale, than=than)
        elif kind == "ptc" and (one.broken or one.pinned):
            ctx.step("3.2.3-PTC", "morale.no_task", piece=one.id)


def loss_drm(leader: Troop, help_: int) -> int:
    """Modifier of a check for a lost leader: his negative DRM added, with that of a leader who helps."""
    return max(0, -leader.leadership) + help_


def loss_check(
    ctx: Context, kind: str, one: Troop, leader: Troop, original: int, help_: int, severity: int | None
) -> Troop:
    """The check for a lost leader, his negative DRM added.

    **Rule:** 3.2.3-LLMC.
    """
    drm = loss_drm(leader, help_)
    ctx.step("3.2.3-LLMC", "effect.leader_lost", value=drm, piece=one.id, leader=leader.id, check=kind)
    return check(ctx, one, original, drm, severity) if kind == "mc" else task(ctx, one, original, drm)
