"""Who of the defenders could fire alone at a hex, and why the others may not: what a walk shows hex by hex.

**Rule:** 3.3.3.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tutor.core.context import Context, Refused
from tutor.core.position import Piece
from tutor.core.trace import Step
from tutor.games.asl_sk.fire.fire import Fire, fire
from tutor.games.asl_sk.fire.firepower import mode_of

#: Id, mode, firepower and DRM.
Shooter = tuple[str, str, Fraction, int]


def shooters_at(
    moved: Context, mover: Piece, there: str, tracing: bool
) -> tuple[tuple[Shooter, ...], dict[str, list[Step]]]:
    """Every defender that could fire alone at the hex: how, with what firepower and modifiers; and for every defender
    the steps that say so, or why it may not.
    """
    shooters: list[Shooter] = []
    explained: dict[str, list[Step]] = {}
    for piece in moved.position.pieces:
        if piece.side == mover.side or piece.kind not in ("squad", "half_squad", "crew", "mg"):
            continue
        quiet = Context(moved.game, moved.position, without=moved.without, trace=tracing)
        try:
            ready: Fire | None = fire.function(quiet, [piece.id], there)
        except Refused:
            ready = None
        moved.consulted |= quiet.consulted
        explained[piece.id] = [replace(step, kind="compute") for step in quiet.refusals] or quiet.root.children
        if ready is not None and not quiet.refusals and ready.targets:
            shooters.append(
                (piece.id, mode_of(moved.position, piece) or ready.modes[0], ready.fp, ready.targets[0].drm)
            )
    return tuple(shooters), explained
