"""Victory points of units: what their loss or their exit is worth, and the open chits that double it.

**Rule:** 7.1, 7.2.1, 7.2.2, 7.3.2, E58.1.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.units import places

#: How a unit leaves play, and the special chits that double its points; forced off its own edge, it is both lost and
#: out.
DOUBLED_BY = {
    "eliminated": ("double_elimination",),
    "exited": ("double_exit",),
    "forced": ("double_elimination", "double_exit"),
}


def chits_of(ctx: Context, key: str = "chits") -> list[str]:
    """Objective chits named in the position: open ones, or the secret ones of a side.

    Raises:
        RequestError: a chit that does not exist.

    **Rule:** 7.3.2.
    """
    chits = ctx.position.state.get(key, [])
    names = [str(name).lower() for name in chits] if isinstance(chits, list) else []
    for name in names:
        if f"chit_{name}" not in ctx.game.tables["chits"].rows:
            raise RequestError(f"Il n’y a pas de pion Objectif « {name} ».", remedy="Les pions vont de A à X.")
    return names


def has_special(ctx: Context, special: str) -> bool:
    """Whether an open special chit is in play. **Rule:** 7.3.2."""
    return any(ctx.table("chits").peek(f"chit_{name}", "special") == special for name in chits_of(ctx))


def command_printed(ctx: Context, leader: Piece) -> int:
    """Command of a leader's unbroken face: his points count it, broken or not. **Rule:** 7.1."""
    return int(leader.front.get("command", ctx.table("units").peek(leader.counter or "", "command", 0)))


def doubled(ctx: Context, amount: int, how: str) -> int:
    """Points once the open chits had their say: twice as many, or as they were.

    Args:
        ctx: computation.
        amount: victory points.
        how: eliminated, exited or forced (off its own edge).

    **Rule:** 7.3.2.
    """
    if not amount or not any(has_special(ctx, special) for special in DOUBLED_BY[how]):
        return amount
    ctx.step("7.3.2", "victory.doubled", value=2 * amount, points=amount)
    return 2 * amount


def undoubled(ctx: Context, unit: Piece) -> int:
    """Victory points of a unit, whatever the open chits say. **Rule:** 7.1, E58.1."""
    row = "hero_lost" if is_hero(unit) else f"{unit.kind}_lost"
    amount = int(ctx.table("elimination").get(row, "points", places(unit)))
    if unit.kind == "leader" and not is_hero(unit):
        command = command_printed(ctx, unit)
        ctx.step("7.1", "attack.command_points", value=command, where=places(unit), piece=unit.id)
        amount += command
    ctx.step("7.1", "attack.points", value=amount, unit="PV", where=places(unit), piece=unit.id)
    return amount


def points(ctx: Context, unit: Piece, how: str = "eliminated") -> int:
    """Victory points for eliminating a unit.

    Args:
        ctx: computation.
        unit: who is lost.
        how: eliminated, or forced (off its own edge).

    **Rule:** 7.1, 7.2.2, 7.3.2, E58.1.
    """
    return doubled(ctx, undoubled(ctx, unit), how)
