"""The modifiers of a shot that the supplement gives; what the base booklet prints stays unknown.

**Rule:** 1.1.1-1.1.6, 1.3.3, 3.3.6.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.trace import segment
from tutor.games.heroes_of_normandie.board import square, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.los import Sight, line_of_sight, smoke
from tutor.games.heroes_of_normandie.rooms import room_bonus


@GAME.rule("fire", "1.1.1", "1.3.3", "3.3.6")
def fire(ctx: Context, unit: str, target: str, template: bool = False) -> int:
    """The modifiers of a shot that this booklet gives; unknown as soon as one of them is printed elsewhere.

    Args:
        unit, target: ids; template: see :func:`los`.

    Returns:
        Sum of the modifiers; refused without a line of sight.

    **Rule:** 1.1.1-1.1.6, 1.3.3, 3.3.6.

    >>> GAME.load().rules["fire"](GAME.position("dominante"), unit="mg", target="fusiliers").missing
    'base.reduced.malus'
    """
    start, end = square(unit_of(ctx.position, unit)), square(unit_of(ctx.position, target))
    with ctx.group("1.1.2", "los", start=start, end=end, where=[segment(start, end)]) as group:
        seen: Sight = line_of_sight.function(ctx, start, end, template)
        group.value = seen.state
    if seen.state == "blocked":
        ctx.refuse("1.1.2", "fire.blocked", who=unit, target=target)
        return 0
    total = int(smoke.function(ctx, start, end))
    if seen.state in ("affected", "reduced"):
        total += int(ctx.table("base").get("reduced", "malus"))
    if room_bonus.function(ctx, unit, target):
        total -= int(ctx.table("base").get("building_bonus", "bonus"))
    ctx.step("1.1.2", "fire.total", value=total, who=unit, target=target)
    return total
