"""Op Fire: when the inactive player may fire at a unit that moves.

**Rule:** A33.1, A33.2, A33.3, F105.2, O16.1, O23.3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from tutor.core.arguments import Cell, Firers, TargetCell
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.position import Position
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.activation import nobody_commands, one_card
from tutor.games.combat_commander.arguments import ActionNames, AlsoCell, BasePiece, OpFireCause
from tutor.games.combat_commander.fire.fire import Fire, fire
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import carrier, is_unit, places, wielded

#: What the active player's unit is doing, and the rule that forbids Op Fire against it.
FORBIDDEN = {"advance": "O16.1", "retreat": "O23.3.2"}
CAUSES = ("move", *FORBIDDEN, "transfer")


def trench_link(ctx: Context, start: str, end: str) -> bool:
    """Whether a trench joins two hexes: one holds a trench, the other a trench, pillbox or bunker. **Rule:** F105.2."""
    kinds = [ctx.position.marker("fortification", cell) for cell in (start, end)]
    table = ctx.table("fortifications")
    return "trench" in kinds and all(kind is not None and table.peek(str(kind), "link", False) for kind in kinds)


def opportunity(ctx: Context, target: str, entered: str | None, cause: str, left: str | None, already: int) -> None:
    """Refuse an Op Fire whose moment is not right; every reason. **Rule:** A33.1, A33.2, A33.3, F105.2."""
    if cause in FORBIDDEN and (cause != "advance" or ctx.on("O16.1")):
        ctx.refuse(FORBIDDEN[cause], f"op_fire.refuse.{cause}", where=hexes(target), cell=target)
    elif (cause not in ("move", "advance") or entered is None) and ctx.on("A33.1"):
        ctx.refuse("A33.1", "op_fire.refuse.not_entered", where=hexes(target), cell=target)
    if entered is not None and target != entered and ctx.on("A33.2"):
        ctx.refuse("A33.2", "op_fire.refuse.other_hex", where=hexes(target, entered), cell=target, entered=entered)
    limit = int(ctx.table("limits").peek("op_fires", "value"))
    if already >= limit and ctx.on("A33.3"):
        ctx.refuse("A33.3", "op_fire.refuse.already", where=hexes(target), limit=limit)
    elif entered is not None and cause == "move":
        ctx.step("A33.3", "op_fire.count", value=already + 1, where=hexes(entered), limit=limit, cell=entered)
    if left is not None and entered is not None and trench_link(ctx, left, entered) and ctx.on("F105.2"):
        place = (Place("side", ctx.position.canonical_side(f"{left}/{entered}")),)
        ctx.refuse("F105.2", "op_fire.refuse.trench", where=place, start=left, end=entered)


def activated(ctx: Context, firers: Sequence[str]) -> None:
    """Say who the card activates, and who was activated earlier in this Move order; may both fire as one?

    **Rule:** A33.2.
    """
    pieces = ctx.position.named(firers)
    units = {unit.id: unit for piece in pieces for unit in [piece if is_unit(piece) else carrier(ctx, piece)] if unit}
    fresh = [unit for unit in units.values() if unit.activated is None]
    again = [unit for unit in units.values() if unit.activated == "op_fire"]
    if fresh:
        ctx.step("A33.2", "op_fire.activates", value=True, where=places(*fresh), pieces=[p.id for p in fresh])
    apart = ctx.setting("op_fire_group") == "apart"
    if len(fresh) > 1 and ctx.on("3.3.1.1") and not one_card(ctx, fresh):
        terms: dict[str, Any] = {"note": "interprétation", "pieces": [p.id for p in fresh]}
        nobody_commands(ctx, fresh)
        if apart:
            ctx.refuse("O14.1", "order.refuse.together", where=places(*fresh), **terms)
        else:
            ctx.step("A24.1", "op_fire.cards", value=True, where=places(*fresh), **terms)
    if again:
        ctx.step("A33.2", "op_fire.again", value=True, where=places(*again), pieces=[p.id for p in again])
    if fresh and again:
        where = places(*fresh, *again)
        if apart:
            ctx.refuse(
                "A33.2", "op_fire.refuse.apart", where=where, note="interprétation", pieces=[p.id for p in fresh]
            )
        else:
            ctx.step("A33.2", "op_fire.together", value=True, where=where, note="interprétation")


def moment(ctx: Context, firers: Sequence[str], target: str) -> None:
    """Say at whom an Op Fire comes, and who the card activates. **Rule:** A33.1, A33.2."""
    side = wielded(ctx, ctx.position.piece(firers[0])).side if firers else ""
    enemies = [p for p in ctx.position.pieces_at(target) if is_unit(p) and p.side != side]
    moving = [p for p in enemies if p.activated == "move"]
    if moving:
        where = (*hexes(target), *places(*moving))
        ctx.step("A33.1", "op_fire.moment", value=target, where=where, cell=target, pieces=[p.id for p in moving])
    activated(ctx, firers)


@GAME.question(
    "op_fire",
    rules=("A33", "A33.1", "A33.2", "A33.3", "O23.3.2"),
    label="Ce Tir d’Op est-il permis, et avec quelle puissance ?",
    theme="Vue et tir",
    common=True,
    quiet=True,
)
def op_fire(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    entered: Annotated[Cell | None, "Entrée depuis"] = None,
    cause: OpFireCause = "move",
    left: Annotated[Cell | None, "Hex quitté"] = None,
    already: Annotated[int, "Tirs déjà subis"] = 0,
    actions: ActionNames = (),
    base: BasePiece | None = None,
    also: AlsoCell | None = None,
) -> Fire:
    """Whether an Op Fire may be made now, and its final firepower.

    Args:
        firers, target, actions, base, also: the fire, see :func:`fire`; a Spray Fire takes in the hex entered.
        entered: hex where movement points were just spent; None: the target. Given, or ``left``: enemy units of that
            hex that no activation holds are taken as the ones that moved, when none is marked so.
        cause: move, advance, retreat, or transfer (points spent without entering a hex).
        left: hex that was left, for trenches.
        already: fires already made on this expenditure.

    Returns:
        The strength; refused with every reason.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: unknown cause, negative count.

    **Rule:** A33.1, A33.2, A33.3, F105.2, O16.1, O23.3.2, O20.

    >>> from tutor import ask, load_position
    >>> p = load_position("combat_commander", "livret-tir-op")
    >>> [step.rule for step in ask(p, "op_fire", firers=["peloton-us"], target="K7", cause="advance").refusals]
    ['O16.1']
    """
    ctx.position.grid.check(target)
    if cause not in CAUSES:
        raise RequestError(
            f"« {cause} » n’est pas une cause de Tir d’Op.", remedy=f"Choisissez parmi {', '.join(CAUSES)}."
        )
    if already < 0:
        raise RequestError("Le nombre de tirs déjà faits ne peut pas être négatif.", remedy="Écrivez 0 ou plus.")
    if entered is not None:
        ctx.position.grid.check(entered)
    declared = entered is not None or left is not None
    entered = target if entered is None and cause != "transfer" else entered
    if left is not None and ctx.position.grid.distance(left, entered or target) != 1:
        raise RequestError(
            f"On n’entre pas en {entered or target} depuis {left}.",
            remedy="Donnez un hex voisin, celui qui est quitté.",
        )
    reached = entered if also is not None and entered == also else target
    opportunity(ctx, reached, entered, cause, left, already)
    origin = ctx.position
    if cause == "move" and reached == entered:
        ctx.position = _with_movers(
            ctx, reached, wielded(ctx, ctx.position.piece(firers[0])).side if firers else "", declared
        )
    if cause == "move":
        activated(ctx, firers)
    try:
        strength: Fire = fire.function(ctx, firers, target, actions, base, mode="op_fire", also=also)
    finally:
        ctx.position = origin
    return strength


def _with_movers(ctx: Context, target: str, side: str, declared: bool) -> Position:
    """The position with the units that moved marked so; refused when nobody did. **Rule:** A33.1."""
    enemies = [p for p in ctx.position.pieces_at(target) if is_unit(p) and p.side != side]
    moving = [p for p in enemies if p.activated == "move"]
    idle = [p for p in enemies if p.activated is None]
    if moving:
        where = (*hexes(target), *places(*moving))
        ctx.step("A33.1", "op_fire.moment", value=target, where=where, cell=target, pieces=[p.id for p in moving])
    elif declared and idle:
        names = reader([p.id for p in idle])
        ctx.step("A33.1", "op_fire.supposed", "input", value=target, where=places(*idle), pieces=names)
        return ctx.position.change({f"piece.{p.id}.activated": "move" for p in idle})
    elif ctx.on("A33.1"):
        ctx.refuse("A33.1", "op_fire.refuse.nobody_moves", where=hexes(target), cell=target)
    return ctx.position
