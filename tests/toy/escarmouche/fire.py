"""Firing in Escarmouche. **Rule:** 3, 3.1."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.games.escarmouche.board import distance
from tutor.games.escarmouche.game import GAME
from tutor.games.escarmouche.los import los

from tutor.core.arguments import PieceId, Roll, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import RequestError


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot: what the die must reach, and whether it does; None before it is thrown."""

    need: int
    hit: bool | None = None


@GAME.question("fire", rules=("3", "3.1"), label="Le tir touche-t-il ?", theme="Vue et tir", common=True)
def fire(ctx: Context, unit: PieceId, target: TargetPiece, roll: Roll | None = None) -> Shot:
    """A shot of one piece at another: a die, at least what the distance asks for, one more against a wood.

    Args:
        unit, target: ids.
        roll: one die; None to be told what is needed.

    Returns:
        The shot; refused when the target is not seen, is a friend, or is too far.

    Raises:
        RequestError: a piece is not on the board, or more or less than one die is given.

    **Rule:** 3, 3.1.

    >>> fire(GAME.position("clairiere"), unit="rouge", target="bleu", roll=[4]).value
    Shot(need=4, hit=True)
    """
    position = ctx.position
    start, end = position.hex_of(unit), position.hex_of(target)
    if start is None or end is None:
        raise RequestError("Ce pion n’est pas sur le plateau.")
    if roll is not None and len(roll) != 1:
        raise RequestError("Il faut un dé.")
    if position.piece(unit).side == position.piece(target).side:
        ctx.refuse("3", "fire.friend", target=target)
    if not los.function(ctx, start, end).visible:
        ctx.refuse("3", "fire.unseen", target=target)
    far = distance.function(ctx, start, end)
    if far > int(GAME.tables["range"].get("most", "value")):
        ctx.refuse("3", "fire.far", target=target)
    need = int(ctx.table("range").get("near" if far <= 2 else "far", "need"))
    if position.terrain_of.get(end) == "woods" and ctx.on("3.1"):
        need += int(ctx.table("terrain").get("woods", "cover"))
    ctx.step("3", "fire.need", value=need, target=target)
    if roll is None:
        return Shot(need)
    hit = roll[0] >= need
    ctx.step("3", "fire.hit" if hit else "fire.miss", value=hit, target=target, die=roll[0])
    return Shot(need, hit)
