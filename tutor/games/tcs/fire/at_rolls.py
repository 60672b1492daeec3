"""AT rolls: infantry at close quarters against vehicles, one roll for each pair of steps.

**Rule:** 16.0, 16.1, 26.1f.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Pieces, TargetCell, Throws
from tutor.core.context import Context, dice
from tutor.core.dice import chance, roll, total
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.tcs.arguments import ATSituation
from tutor.games.tcs.board import board
from tutor.games.tcs.charts import read
from tutor.games.tcs.fire.fire import terrain_class
from tutor.games.tcs.fire.firers import firing_units, refuse_gone, refuse_second_sfa, refuse_sfa
from tutor.games.tcs.game import GAME
from tutor.games.tcs.units import Unit, place, units_at


@dataclass(frozen=True, slots=True)
class ATRolls:
    """AT rolls of some infantry at a hex.

    Args:
        base: number of the chart.
        modifier: added to the dice.
        need: what the dice must show.
        tests: rolls allowed.
        chance: that one roll destroys its target.
        backfire: that it costs the attacking step.
        kills, lost: targets destroyed and steps lost by the rolls given, None without rolls.
    """

    base: int
    modifier: int
    need: int
    tests: int
    chance: Fraction
    backfire: Fraction
    kills: int | None
    lost: int | None


@GAME.question(
    "at_rolls",
    rules=("16.0", "16.1a", "16.1d", "16.1e"),
    label="Que donnent ces jets AT ?",
    theme="Tir sur point",
)
def at_rolls(
    ctx: Context,
    attackers: Annotated[Pieces, "Attaquants"],
    target: TargetCell,
    situation: ATSituation = "sfa",
    rolls: Throws = (),
) -> ATRolls | None:
    """AT rolls of infantry at the vehicles of a hex.

    Args:
        attackers: ids of infantry pieces.
        target: hex, at most one away.
        situation: sfa, overwatch, assault or overrun.
        rolls: pairs of dice, one for each test, in order.

    Returns:
        The number to reach, the tests allowed and what the rolls do; None when refused.

    Raises:
        RequestError: pieces or rolls that cannot be read.

    **Rule:** 13.0, 13.1b, 13.1c, 15.3a, 16.0, 16.1a, 16.1b, 16.1c, 16.1d, 16.1e, 26.1f.

    >>> from tutor import ask, load_position
    >>> changes = {"setting.charts": "fictif", "piece.grenadiers.at": "05.03"}
    >>> position = load_position("tcs", "panthers").change(changes)
    >>> answer = ask(position, "at_rolls", attackers=["grenadiers"], target="06.03", rolls=[[4, 5], [1, 2]]).value
    >>> answer.need, answer.tests, str(answer.chance), str(answer.backfire), answer.kills, answer.lost
    (9, 3, '5/18', '1/12', 1, 1)
    """
    if situation not in ("sfa", "overwatch", "assault", "overrun"):
        raise RequestError(
            f"« {situation} » n’est pas une occasion de test AT.", remedy="sfa, overwatch, assault ou overrun."
        )
    most = _backfire(ctx)
    given = [total(roll(r)) for r in rolls]
    units = firing_units(ctx, attackers, target, situation)
    if situation == "sfa":
        refuse_second_sfa(ctx, target)
    for u in units:
        _refuse_attacker(ctx, u, target, situation)
    aimed = [u for u in units_at(ctx, target) if u.side != units[0].side and u.target != "A" and not u.embarked]
    if not aimed:
        ctx.refuse("16.0", "at.nothing", where=hexes(target), target=target)
    if ctx.refusals:
        return None
    tests = min(sum(u.left for u in units), sum(u.left for u in aimed))
    ctx.step(
        "16.0",
        "at.tests",
        value=tests,
        where=hexes(target),
        attackers=sum(u.left for u in units),
        targets=sum(u.left for u in aimed),
    )
    reach = max(ctx.position.grid.distance(u.at, target) for u in units)
    kind = terrain_class(ctx, target)
    base = int(read(ctx, "at_base", kind, str(reach), "at.base", "16.0", hexes(target), distance=reach))
    modifier = _modifier(ctx, target)
    need = base - modifier
    odds = chance(total, lambda n: n >= need)
    backfire = chance(total, lambda n: n <= most)
    if most:
        ctx.step("16.1e", "at.risk", value=backfire, most=most)
    ctx.step("16.0", "at.need", value=need, base=base, modifier=modifier, chance=odds)
    if len(given) > tests:
        raise RequestError(f"{len(given)} jets pour {tests} tests.", remedy="Donnez au plus un jet par test.")
    kills = sum(n >= need for n in given)
    lost = sum(n <= most for n in given)
    for n in given:
        ctx.step("16.0", "at.kill" if n >= need else "at.miss", "dice", value=n, roll=dice(n), need=need)
        if n <= most:
            ctx.step("16.1e", "at.backfire", "dice", value=n, roll=dice(n), most=most)
    if len(given) > 1:
        ctx.step("16.0", "at.sum", value=kills, lost=lost, rolls=given, need=need)
    return ATRolls(base, modifier, need, tests, odds, backfire, kills if given else None, lost if given else None)


def _backfire(ctx: Context) -> int:
    """The highest roll, before modifiers, that costs the attacking step; below any roll when the rule is left out."""
    return int(GAME.tables["at_rolls"].get("backfire", "most")) if ctx.on("16.1e") else 0


def _modifier(ctx: Context, target: str) -> int:
    wanted = [("smoke", "16.0", target in board(ctx.position).smoke),
              ("night", "26.1f", ctx.position.state.get("night") is True)]  # fmt: skip
    return sum(
        int(read(ctx, "at_modifiers", name, "shift", "at.modifier", rule, hexes(target)))
        for name, rule, holds in wanted
        if holds
    )


def _refuse_attacker(ctx: Context, u: Unit, target: str, situation: str) -> None:
    refuse_gone(ctx, u)
    if situation == "sfa":
        refuse_sfa(ctx, u)
    if situation == "overwatch" and {"suppressed", "paralyzed"} & set(u.status) and ctx.on("15.3a"):
        ctx.refuse("15.3a", "overwatch.shaken", where=place(u), piece=u.id)
    if u.kind != "infantry":
        ctx.refuse("16.1a", "at.not_infantry", where=place(u), piece=u.id)
    if u.embarked or u.towed or (u.riding and situation not in ("assault", "overrun")):
        ctx.refuse("16.1a", "fire.carried", where=place(u), piece=u.id)
    if u.posture == "move" and situation not in ("assault", "overrun"):
        ctx.refuse("16.1a", "fire.move_mode", where=place(u), piece=u.id)
    if "paralyzed" in u.status and situation != "assault":
        ctx.refuse("16.1a", "fire.paralyzed", where=place(u), piece=u.id)
    if ctx.position.grid.distance(u.at, target) > 1:
        ctx.refuse("16.1d", "at.too_far", where=place(u), piece=u.id, target=target)
