"""Close combat: the odds of a ratio and of an ambush, an attack between units of one hex.

**Rule:** 3.8, 3.8-smc, 3.8-ambush, 3.2.3-PTC, 3.3.1-double-time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import Modifier, Pieces, Side
from tutor.core.context import Context
from tutor.core.dice import chance, total, whole
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.asl_sk.charts import chart, untraced_chart
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.units import INFANTRY, MMC, leadership, number, places


@dataclass(frozen=True, slots=True)
class Combat:
    """An attack in close combat.

    Args:
        attack, defence: FP of both.
        ratio, kill_number: of the table.
        drm: sum of the modifiers.
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


@GAME.question(
    "close_combat",
    rules=("3.8", "3.8-smc"),
    label="Quelles chances en combat rapproché ?",
    theme="Combat rapproché",
    common=True,
)
def close_combat(
    ctx: Context, attack: Annotated[int, "FP de l’attaque"], defence: Annotated[int, "Défense"], drm: Modifier = 0
) -> dict[str, Any]:
    """Odds of one attack in close combat.

    Args:
        attack, defence: sums of the FP of both sides, at least 1.
        drm: sum of the modifiers.

    Returns:
        ``ratio``, ``kill_number``, ``eliminated``, ``reduced``, ``nothing``.

    **Rule:** 3.8, 3.8-smc.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["close_combat"](GAME.position("ecole"), attack=7, defence=4, drm=-1).value
    >>> answer["ratio"], answer["kill_number"], str(answer["eliminated"]), str(answer["reduced"])
    ('3-2', 6, '5/12', '1/6')
    """
    if attack < 1 or defence < 1:
        raise RequestError("Chaque camp a au moins 1 FP.", remedy="attack: 4, defence: 4")
    row = ratio_row(Fraction(attack, defence))
    kill = int(chart(ctx, "close_combat").get(row, "kill_number"))
    eliminated = chance(whole, lambda pair: total(pair) + drm < kill)
    reduced = chance(whole, lambda pair: total(pair) + drm == kill)
    ratio = untraced_chart(ctx, "close_combat").term(row)
    ctx.step("3.8", "chart.close_combat", value=eliminated, ratio=ratio, kill=kill, reduced=reduced, drm=drm)
    return {"ratio": ratio, "kill_number": kill, "eliminated": eliminated, "reduced": reduced,
            "nothing": 1 - eliminated - reduced}  # fmt: skip


def ratio_row(value: Fraction) -> str:
    """Row of the close combat table: the ratio rounded down to a printed one."""
    if value > 10:
        return "ogt-10-1"
    if value < Fraction(1, 8):
        return "olt-1-8"
    rows = {Fraction(*map(int, row[1:].split("-"))): row for row in GAME.tables["close_combat"].rows if "t-" not in row}
    return rows[max(r for r in rows if r <= value)]


@GAME.question(
    "ambush",
    rules=("3.8-ambush",),
    label="Quelles chances d’embuscade ?",
    theme="Combat rapproché",
)
def ambush(
    ctx: Context,
    attacker: Annotated[int, "Modificateur de l’attaquant"] = 0,
    defender: Annotated[int, "Modificateur du défenseur"] = 0,
) -> dict[str, Fraction]:
    """Chance of an ambush.

    Args:
        attacker, defender: drm of each side (+1 CX, +1 Pin, +1 inexperienced, leadership).

    Returns:
        ``attacker``, ``defender``, ``none``.

    **Rule:** 3.8-ambush.

    >>> from tutor.games.asl_sk import GAME
    >>> {k: str(v) for k, v in GAME.load().rules["ambush"](GAME.position("ecole"), defender=1).value.items()}
    {'attacker': '5/18', 'defender': '1/12', 'none': '23/36'}
    """
    gap = int(ctx.table("ambush").get("gap", "least"))
    ours = chance(whole, lambda pair: pair[1] + defender - pair[0] - attacker >= gap)
    theirs = chance(whole, lambda pair: pair[0] + attacker - pair[1] - defender >= gap)
    ctx.step("3.8-ambush", "chart.ambush", value=ours, theirs=theirs, attacker=attacker, defender=defender)
    return {"attacker": ours, "defender": theirs, "none": 1 - ours - theirs}


@GAME.question(
    "cc",
    rules=("3.8", "3.8-smc", "3.8-ambush"),
    label="Que vaut cette attaque en combat rapproché ?",
    theme="Combat rapproché",
)
def cc(
    ctx: Context,
    attackers: Annotated[Pieces, "Attaquants"],
    defenders: Annotated[Pieces, "Défenseurs"],
    ambush: Annotated[Side | None, "Camp en embuscade"] = None,
) -> Combat:
    """An attack in close combat of infantry on infantry of its hex.

    Args:
        attackers, defenders: ids.
        ambush: side that holds the ambush, or None.

    Returns:
        The attack and its odds; refused with every reason.

    **Rule:** 3.8, 3.8-smc, 3.8-ambush.

    >>> from tutor.games.asl_sk import GAME
    >>> position = GAME.load().position("corps-a-corps")
    >>> answer = GAME.rules["cc"](position, attackers=["chef", "alpha"], defenders=["rouge"]).value
    >>> answer.ratio, answer.kill_number, answer.drm, str(answer.eliminated)
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
    ctx.settle()
    attack, defence = _strength(ctx, ours, True), _strength(ctx, theirs, False)
    _sum(ctx, "cc.sum", ours, attack)
    _sum(ctx, "cc.sum_defence", theirs, defence)
    row = ratio_row(attack / defence)
    exact = row == f"o{(attack / defence).numerator}-{(attack / defence).denominator}"
    ctx.step("3.8", "cc.ratio_exact" if exact else "cc.ratio", where=places(*ours, *theirs),
             attack=_plain(attack), defence=_plain(defence),
             ratio=untraced_chart(ctx, "close_combat").term(row))  # fmt: skip
    kill = int(chart(ctx, "close_combat").get(row, "kill_number"))
    drm = _drm(ctx, ours, theirs, ambush)
    eliminated = chance(whole, lambda pair: total(pair) + drm < kill)
    reduced = chance(whole, lambda pair: total(pair) + drm == kill)
    ctx.step("3.8", "cc.odds", value=eliminated, where=places(*theirs), kill=kill, drm=drm, reduced=reduced)
    return Combat(attack, defence, untraced_chart(ctx, "close_combat").term(row), kill, drm, eliminated, reduced,
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
    units = [ctx.position.piece(i) for i in dict.fromkeys(ids)]
    if not units or any(u.kind not in INFANTRY for u in units):
        raise RequestError(
            "Le CC oppose de l’infanterie.", remedy="Désignez au moins un MMC ou un leader de chaque camp."
        )
    return units


def _strength(ctx: Context, units: Sequence[Piece], attacking: bool) -> Fraction:
    strength = Fraction(0)
    for unit in units:
        fp = Fraction(number(unit, "fp") if unit.kind in MMC else int(ctx.table("cc_drm").peek("smc", "fp")))
        pinned = attacking and "pinned" in unit.status and unit.kind in MMC and ctx.on("3.2.3-PTC")
        halved = pinned and ctx.setting("pinned_cc") == "half"
        fp = fp / 2 if halved else fp
        rule = "3.2.3-PTC" if pinned else "3.8" if unit.kind in MMC else "3.8-smc"
        code = "cc.pinned" if halved else "cc.pinned_full" if pinned else "cc.fp"
        note = "interprétation" if pinned else None
        ctx.step(rule, code, where=places(unit), note=note, piece=unit.id, fp=_plain(fp))
        strength += fp
    return strength


def _sum(ctx: Context, code: str, units: Sequence[Piece], fp: Fraction) -> None:
    """What several units of a side add up to. **Rule:** 3.8."""
    if len(units) > 1:
        ctx.step("3.8", code, value=_plain(fp), unit="FP", where=places(*units), pieces=[unit.id for unit in units])


def _plain(fp: Fraction) -> int | float:
    return int(fp) if fp.denominator == 1 else float(fp)


def _drm(ctx: Context, ours: Sequence[Piece], theirs: Sequence[Piece], ambush: str | None) -> int:
    table, drm = ctx.table("cc_drm"), 0
    if any(u.kind in MMC for u in ours) and ctx.on("3.8-smc"):
        able = [u for u in ours if u.kind == "leader" and not {"broken", "pinned"} & set(u.status)]
        if able:
            best = min(able, key=leadership)
            drm += min(0, leadership(best))
            code = "cc.leader_stands_by" if leadership(best) > 0 else "cc.leader"
            ctx.step("3.8-smc", code, value=leadership(best), where=places(best), piece=best.id)
        for chief in (u for u in ours if u.kind == "leader" and "pinned" in u.status):
            ctx.step("1.2.1", "cc.leader_pinned", where=places(chief), piece=chief.id)
    broken = [u for u in theirs if "broken" in u.status]
    some = ctx.setting("broken_cc") == "any"
    if 0 < len(broken) < len(theirs):
        code = "cc.some_broken" if some else "cc.not_all_broken"
        ctx.step("3.8", code, where=places(*broken), note="interprétation", pieces=[u.id for u in broken])
    if broken and (some or len(broken) == len(theirs)):
        drm += int(table.get("broken", "drm", places(*theirs)))
    if any("cx" in u.status for u in ours):
        drm += int(table.get("cx_attacker", "drm", places(*ours)))
    if any("cx" in u.status for u in theirs):
        drm += int(table.get("cx_defender", "drm", places(*theirs)))
    if ambush and ctx.on("3.8-ambush"):
        row = "ambusher" if ambush == ours[0].side else "ambushed"
        drm += int(table.get(row, "drm", places(*ours)))
    return drm
