"""Stacking of units: silhouettes in a hex, and the least loss at the end of a turn.

**Rule:** 8.2, E52.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from operator import mul

from tutor.core.arguments import Cell, Side
from tutor.core.context import Context
from tutor.core.trace import hexes
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import is_unit, places


@dataclass(frozen=True, slots=True)
class Stack:
    """Silhouettes of one side in one hex.

    Args:
        silhouettes: now.
        limit: most allowed at the end of a turn.
        over: whether there are too many.
        kept: silhouettes left after the least loss.
        lost: silhouettes eliminated.
        deploy: id of the squad to deploy first, when that saves silhouettes.
        eliminate: kinds of the units eliminated.
    """

    silhouettes: int
    limit: int
    over: bool
    kept: int
    lost: int
    deploy: str | None
    eliminate: tuple[str, ...]


@GAME.question(
    "stacking",
    rules=("8.2", "E52"),
    label="La pile est-elle trop haute ?",
    theme=("Mouvement", "Unités et Moral"),
    quiet=True,
)
def stacking(ctx: Context, cell: Cell, side: Side) -> Stack:
    """Silhouettes of a side in a hex, and what its owner may do when there are too many.

    Args:
        cell: the hex.
        side: axis or allies.

    Returns:
        The stack; over the limit, the choice that loses fewest silhouettes, one free deployment allowed.

    Raises:
        UnknownHex: not on the board.

    **Rule:** 8.2, E52.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "stacking", cell="L8", side="axis").value.silhouettes
    5
    """
    ctx.position.grid.check(cell)
    limit = int(ctx.table("limits").get("silhouettes", "value", hexes(cell)))
    units = [p for p in ctx.position.pieces_at(cell, side) if is_unit(p)]
    sizes = ctx.table("sizes")
    counted = 0
    for unit in units:
        size = int(sizes.peek(unit.kind, "silhouettes"))
        counted += size
        ctx.step("8.2", "stacking.unit", "table", value=size, where=places(unit), piece=unit.id, kind=unit.kind)
    ctx.step("8.2", "stacking.total", value=counted, where=hexes(cell), cell=cell, limit=limit)
    if counted <= limit:
        return Stack(counted, limit, False, counted, 0, None, ())
    plain = _keep([u.kind for u in units], limit, ctx)
    deploy, (kept, gone) = None, plain
    squad = next((u for u in units if u.kind == "squad"), None)
    if squad is not None and ctx.on("E52"):
        split = [u.kind for u in units if u.id != squad.id] + ["team", "team"]
        better = _keep(split, limit, ctx)
        if better[0] > kept:
            deploy, (kept, gone) = squad.id, better
            ctx.step("E52", "stacking.deploy", "choice", value=counted, where=places(squad), piece=squad.id)
    ctx.step(
        "8.2", "stacking.eliminate", "choice", value=kept, where=hexes(cell), kinds=list(gone), lost=counted - kept
    )
    return Stack(counted, limit, True, kept, counted - kept, deploy, gone)


def _keep(kinds: list[str], limit: int, ctx: Context) -> tuple[int, tuple[str, ...]]:
    """Most silhouettes that can stay within the limit, and the kinds of the units that go."""
    present = sorted(set(kinds))
    size = [int(ctx.table("sizes").peek(kind, "silhouettes")) for kind in present]
    choices = product(*(range(kinds.count(kind) + 1) for kind in present))
    fitting = [(sum(map(mul, size, stay)), sum(stay), stay) for stay in choices if sum(map(mul, size, stay)) <= limit]
    kept, _, stay = max(fitting)
    return kept, tuple(kind for kind, n in zip(present, stay, strict=True) for _ in range(kinds.count(kind) - n))
