"""The modifiers of a shot that the supplement gives; what the base booklet prints stays unknown.

**Rule:** 1.1.1-1.1.6, 1.3.3, 1.3.7.1, 3.1.1, 3.1.2.1, 3.3.6.
"""

from __future__ import annotations

from typing import Annotated

from tutor.core.arguments import PieceId, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.games.heroes_of_normandie.arguments import Ammo, WithTemplate
from tutor.games.heroes_of_normandie.board import INFANTRY, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.los import seen_squares, sight_between
from tutor.games.heroes_of_normandie.rooms import protects, room_bonus
from tutor.games.heroes_of_normandie.smoke import smoke
from tutor.games.heroes_of_normandie.suppression import unsuppressed
from tutor.games.heroes_of_normandie.tiles import entered

#: Markers of ammunition that a shot may spend, and their rules.
AMMUNITION = {"belt": "3.1.1", "apc": "3.1.2.1", "he": "3.1.2.2"}


@GAME.question(
    "fire",
    rules=("1.1.1", "1.2", "1.3.3", "2.3.3", "3.1.1", "3.1.2.1", "3.1.2.2", "3.3.6"),
    label="Avec quels modificateurs tire-t-on ?",
    theme="Vue et tir",
    common=True,
)
def fire(
    ctx: Context,
    unit: PieceId,
    target: TargetPiece,
    template: WithTemplate = False,
    ammo: Ammo | None = None,
    far: Annotated[bool, "À longue portée"] = False,
) -> int | None:
    """The modifiers of a shot that this booklet gives; unknown as soon as one of them is printed elsewhere.

    Args:
        unit, target: ids.
        template: see :func:`los`.
        ammo: a marker spent on the shot, ``belt``, ``apc`` or ``he``, which lays a template.
        far: the target is at long range.

    Returns:
        Sum of the modifiers; None, refused, without a line of sight, or at a friend.

    Raises:
        RequestError: a unit aims at itself, or there is no such marker.

    **Rule:** 1.1.1-1.1.6, 1.2, 1.3.3, 1.3.7.1, 2.3.3, 2.4.1, 3.1.1, 3.1.2.1, 3.1.2.2, 3.3.6.

    >>> GAME.load().rules["fire"](GAME.position("dominante"), unit="mg", target="fusiliers").missing
    'base.reduced.malus'
    """
    shooter, aimed = unit_of(ctx.position, unit), unit_of(ctx.position, target)
    if unit == target:
        raise RequestError("Une unité ne tire pas sur elle-même.", remedy="Choisissez une autre cible.")
    if shooter.side == aimed.side:
        ctx.refuse("1.1.2", "fire.friend", target=target)
    spent = _ammunition(ctx, shooter, aimed, ammo) if ammo is not None else 0
    start, end = seen_squares(ctx.position, shooter, aimed)
    seen = sight_between(ctx, shooter, aimed, template or ammo == "he")
    if seen.state == "blocked" and not any(step.rule == "1.1.3" for step in ctx.refusals):
        ctx.refuse("1.1.2", "fire.blocked", who=unit, target=target)
    if not ctx.refusals:
        unsuppressed(ctx, shooter)
    if ctx.refusals:
        return None
    given = [(AMMUNITION.get(ammo or "", "3.1"), spent), ("3.3.6", int(smoke.function(ctx, start, end)))]
    if seen.state in ("affected", "reduced"):
        given.append(("1.1.2", int(ctx.table("base").get("reduced", "malus"))))
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    terrain = entered(silent, [end], start, end).position.terrain_of.get(end)
    if terrain != "building":  # in a building, the bonus of its rooms says by which tile it is entered
        ctx = entered(ctx, [end], start, end)
    if far:
        given.append(("2.3.3", _long_range(ctx, shooter)))
    if terrain == "building" and room_bonus.function(ctx, unit, target):
        given.append(("1.3.3", -int(ctx.table("base").get("building_bonus", "bonus"))))
    elif terrain and terrain != "building" and protects(terrain, aimed.kind):
        given.append(("1.2", -int(ctx.table("terrain").get(terrain, "bonus"))))
    given = [one for one in given if one[1]]
    code = "fire.total" if len(given) > 1 else "fire.total_one" if given else "fire.total_none"
    rule, value = given[0][0] if len(given) == 1 else "1.1.2", sum(one for _, one in given)
    ctx.step(rule, code, value=value, who=unit, target=target)
    return value


def _long_range(ctx: Context, shooter: Piece) -> int:
    """The malus of long range, nothing with optics. **Rule:** 2.3.3."""
    if "optics" not in shooter.status:
        return int(ctx.table("base").get("long_range", "malus"))
    ctx.step("2.3.3", "fire.optics", value=0, who=shooter.id)
    return 0


def _ammunition(ctx: Context, shooter: Piece, aimed: Piece, ammo: str) -> int:
    """What a marker of ammunition adds to a shot; refused to those it is not meant for."""
    if ammo not in AMMUNITION:
        raise RequestError(f"« {ammo} » n’est pas une munition.", remedy=f"Choisissez parmi {', '.join(AMMUNITION)}.")
    rule, row = AMMUNITION[ammo], f"{ammo}_{'infantry' if aimed.kind in INFANTRY else aimed.kind}"
    if ammo == "belt" and "burst" not in shooter.status:
        ctx.refuse(rule, "fire.no_burst", who=shooter.id)
    if ammo in ("apc", "he") and not (shooter.kind == "heavy_vehicle" and "main_weapon" in shooter.status):
        ctx.refuse("3.1.2", "fire.no_main_weapon", who=shooter.id)
    if ctx.settled:
        return 0
    if ammo == "he":
        ctx.step(rule, "fire.he", value=0, who=shooter.id)
        return 0
    if not GAME.tables["limits"].has(row):
        ctx.step(rule, "fire.no_use", value=0, target=aimed.id)
        return 0
    return int(ctx.table("limits").get(row, "value"))
