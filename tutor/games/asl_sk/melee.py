"""An attack in close combat between units of one hex: strengths, ratio, modifiers, exact odds.

**Rule:** 3.8, 3.8-smc, 3.8-ambush, 3.2.3-PTC, 3.3.1-double-time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.context import Context
from tutor.core.dice import PAIRS, total
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.asl_sk.charts import chart, held
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.rolls import ratio_row
from tutor.games.asl_sk.units import INFANTRY, MMC, leadership, number, places


@dataclass(frozen=True, slots=True)
class Combat:
    """An attack in close combat.

    Args:
        attack, defence: FP of both; ratio, kill_number: of the table; drm: sum of the modifiers.
        eliminated, reduced, nothing: chance of each result on those attacked.
    """

    attack: Fraction
    defence: Fraction
    ratio: str
    kill_number: int
    drm: int
    eliminated: Fraction
    reduced: Fraction
    nothing: Fraction


@GAME.rule("cc", "3.8", "3.8-smc", "3.8-ambush")
def cc(ctx: Context, attackers: list[str], defenders: list[str], ambush: str | None = None) -> Combat:
    """An attack in close combat of infantry on infantry of its hex.

    Args:
        attackers, defenders: ids; ambush: side that holds the ambush, or None.

    Returns:
        The attack and its odds; refused with every reason.

    **Rule:** 3.8, 3.8-smc, 3.8-ambush.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["cc"](GAME.position("corps-a-corps"), attackers=["chef", "alpha"], defenders=["rouge"]).value
    >>> found.ratio, found.kill_number, found.drm, str(found.eliminated)
    ('1-1', 5, -1, '5/18')
    """
    ours, theirs = _units(ctx, attackers), _units(ctx, defenders)
    cells, sides = {u.at for u in (*ours, *theirs)}, {u.side for u in ours}
    if len(cells) > 1:
        ctx.refuse("3.8", "cc.apart", where=places(*ours, *theirs))
    if len(sides) > 1 or sides & {u.side for u in theirs}:
        ctx.refuse("3.8", "cc.sides", where=places(*ours, *theirs))
    for unit in ours:
        if "broken" in unit.status:
            ctx.refuse("3.8", "cc.broken", where=places(unit), piece=unit.id)
    if ambush and ctx.on("3.8-ambush"):
        _may_ambush(ctx, ours, theirs, ambush)
    attack, defence = _strength(ctx, ours, True), _strength(ctx, theirs, False)
    row = ratio_row(attack / defence)
    exact = row == f"o{(attack / defence).numerator}-{(attack / defence).denominator}"
    ctx.step("3.8", "cc.ratio_exact" if exact else "cc.ratio", where=places(*ours, *theirs), attack=_plain(attack), defence=_plain(defence),
             ratio=held(ctx, "close_combat").term(row))  # fmt: skip
    kill = int(chart(ctx, "close_combat").get(row, "kill_number"))
    drm = _drm(ctx, ours, theirs, ambush)
    eliminated = Fraction(sum(total(pair) + drm < kill for pair in PAIRS), 36)
    reduced = Fraction(sum(total(pair) + drm == kill for pair in PAIRS), 36)
    ctx.step("3.8", "cc.odds", value=eliminated, where=places(*theirs), kill=kill, drm=drm, reduced=reduced)
    return Combat(attack, defence, held(ctx, "close_combat").term(row), kill, drm, eliminated, reduced,
                  1 - eliminated - reduced)  # fmt: skip


def _may_ambush(ctx: Context, ours: Sequence[Piece], theirs: Sequence[Piece], ambush: str) -> None:
    """An ambush is held by one of the sides, in woods or a building, before any Melee. **Rule:** 3.8-ambush."""
    where, both = places(*ours, *theirs), {ours[0].side, theirs[0].side}
    if ambush not in both:
        raise RequestError(
            f"« {ambush} » n’est pas un camp de ce CC.", remedy=f"Choisissez {' ou '.join(sorted(both))}."
        )
    kind = ctx.position.terrain_of.get(ours[0].at or "", "open")
    if not ctx.table("terrain").peek(kind, "cover", False):
        ctx.refuse("3.8-ambush", "cc.ambush_open", where=where, cell=ours[0].at)
    if any("melee" in u.status for u in (*ours, *theirs)):
        ctx.refuse("3.8-ambush", "cc.ambush_melee", where=where, cell=ours[0].at)


def _units(ctx: Context, ids: Sequence[str]) -> list[Piece]:
    found = [ctx.position.piece(i) for i in dict.fromkeys(ids)]
    if not found or any(u.kind not in INFANTRY for u in found):
        raise RequestError(
            "Le CC oppose de l’infanterie.", remedy="Désignez au moins un MMC ou un leader de chaque camp."
        )
    return found


def _strength(ctx: Context, units: Sequence[Piece], attacking: bool) -> Fraction:
    found = Fraction(0)
    for unit in units:
        fp = Fraction(number(unit, "fp") if unit.kind in MMC else int(ctx.table("cc_drm").peek("smc", "fp")))
        pinned = attacking and "pinned" in unit.status and unit.kind in MMC and ctx.on("3.2.3-PTC")
        halved = pinned and ctx.setting("pinned_cc") == "half"
        fp = fp / 2 if halved else fp
        rule = "3.2.3-PTC" if pinned else "3.8" if unit.kind in MMC else "3.8-smc"
        code = "cc.pinned" if halved else "cc.pinned_full" if pinned else "cc.fp"
        note = "interprétation" if pinned else None
        ctx.step(rule, code, where=places(unit), note=note, piece=unit.id, fp=_plain(fp))
        found += fp
    return found


def _plain(fp: Fraction) -> int | float:
    return int(fp) if fp.denominator == 1 else float(fp)


def _drm(ctx: Context, ours: Sequence[Piece], theirs: Sequence[Piece], ambush: str | None) -> int:
    table, found = ctx.table("cc_drm"), 0
    if any(u.kind in MMC for u in ours) and ctx.on("3.8-smc"):
        able = [u for u in ours if u.kind == "leader" and not {"broken", "pinned"} & set(u.status)]
        if able:
            best = min(able, key=leadership)
            found += leadership(best)
            ctx.step("3.8-smc", "cc.leader", value=leadership(best), where=places(best), piece=best.id)
    broken = [u for u in theirs if "broken" in u.status]
    some = ctx.setting("broken_cc") == "any"
    if 0 < len(broken) < len(theirs):
        code = "cc.some_broken" if some else "cc.not_all_broken"
        ctx.step("3.8", code, where=places(*broken), note="interprétation", pieces=[u.id for u in broken])
    if broken and (some or len(broken) == len(theirs)):
        found += int(table.get("broken", "drm", places(*theirs)))
    if any("cx" in u.status for u in ours):
        found += int(table.get("cx_attacker", "drm", places(*ours)))
    if any("cx" in u.status for u in theirs):
        found += int(table.get("cx_defender", "drm", places(*theirs)))
    if ambush and ctx.on("3.8-ambush"):
        row = "ambusher" if ambush == ours[0].side else "ambushed"
        found += int(table.get(row, "drm", places(*ours)))
    return found
