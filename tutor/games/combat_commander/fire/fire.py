"""Direct fire: how strong it is, once it is known who may fire at what.

**Rule:** O20.3, O20.3.1, O20.3.1.1, O20.3.1.2, O20.3.2, 10.3.2, 10.3.2.1, T88.2, A24.1, A26, A40.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.core.arguments import Firers, TargetCell
from tutor.core.context import Context, default, reader
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.actions import Shot, played
from tutor.games.combat_commander.activation import supposed
from tutor.games.combat_commander.arguments import ActionNames, AlsoCell, BasePiece, FireMode, SmokeFire
from tutor.games.combat_commander.fire.fire_order import (
    in_range,
    may_fire,
    may_group,
    sights,
    smoke_round,
    somebody_moves,
    target_holds_enemy,
)
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import cell_of, is_white_band, places, wielded
from tutor.games.combat_commander.values import effective

MODES = ("order", "op_fire", "assault")


@dataclass(frozen=True, slots=True)
class Fire:
    """Strength of a fire.

    Args:
        fp: final firepower against the target hex.
        also_fp: against the second hex of a Spray Fire.
        base: id of the base piece.
        base_fp: its firepower.
        others: what the other pieces add.
        hindrance: greatest hindrance.
        elevation: sum of the height modifiers.
        bonus: what actions add.
        distances: hexes from each firing hex to the target.
    """

    fp: int
    base: str | None
    base_fp: int
    others: int
    hindrance: int
    elevation: int
    bonus: int
    distances: tuple[tuple[str, int], ...]
    also_fp: int | None = None


@GAME.question(
    "fire",
    rules=(
        *("O20.3", "O20.3.1", "O20.3.1.2", "O20.3.2", "10.3.2", "10.3.2.1", "T88.2", "T89", "T95", "F106.3"),
        *("A26", "A27", "A30", "A34", "A37", "A40"),
    ),
    label="Ce tir est-il permis, et avec quelle puissance ?",
    theme="Vue et tir",
    common=True,
    halfway=True,
    odds="fire_odds",
    quiet=True,
)
def fire(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    actions: ActionNames = (),
    base: BasePiece | None = None,
    mode: FireMode = "order",
    also: AlsoCell | None = None,
    smoke: SmokeFire = False,
) -> Fire:
    """Whether a fire may be made, and its final firepower.

    Args:
        firers: ids of the units and weapons that fire together.
        target: hex fired at.
        actions: actions played with it (crossfire, grenades, marksmanship, sustained_fire, bore_sighting, spray_fire).
        base: id of the base piece; None: the strongest.
        mode: order (Fire order), op_fire, or assault (A26).
        also: second hex, for Spray Fire.
        smoke: a smoke round, which needs no enemy in the hex.

    Returns:
        The strength; refused with every reason, and then without a strength unless it is itself the reason.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: unknown action or mode.

    **Rule:** O20.3, O20.3.1, O20.3.1.1, O20.3.1.2, O20.3.2, 10.3.2, 10.3.2.1, T88.2, A24.1, A26, A27, A30, A34, A37,
    A40.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "fire",
    ...     firers=["peloton-l8", "peloton-k8", "peloton-j7", "peloton-j6", "mg-j6"], target="M6").value.fp
    11
    """
    judged = bool(ctx.refusals)  # by ``op_fire``
    shot = _shot(ctx, firers, target, also, mode)
    if mode == "op_fire" and not judged:
        somebody_moves(ctx, shot)
    target_holds_enemy(ctx, shot, smoke)
    if smoke:
        smoke_round(ctx, shot)
    for piece in shot.firers:
        may_fire(ctx, piece, mode)
    if mode == "assault" and not ctx.refusals:
        ctx.step(
            "A26", "fire.assault", value=True, where=places(*shot.firers), pieces=[piece.id for piece in shot.firers]
        )
    may_group(ctx, shot)
    if mode == "order" and not ctx.refusals:
        supposed(ctx, shot.firers)
    seen = sights(ctx, shot)
    reaches = in_range(ctx, shot)
    if also is not None and "spray_fire" not in actions:
        ctx.refuse("O20.3", "fire.refuse.one_hex", where=hexes(target, also))
    met = Met(seen, reaches, tuple(actions), base)
    if ctx.refusals:
        silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
        _computed(silent, shot, met)
        if any(reason.rule == "10.3.2.1" for reason in silent.refusals):  # too weak: what the group adds up to
            _strength(ctx, shot, base)
        ctx.adopt(silent)
        ctx.settle()
    strength = _computed(ctx, shot, met)
    if any(reason.rule != "10.3.2.1" for reason in ctx.refusals):
        ctx.settle()
    return strength


@dataclass(frozen=True, slots=True)
class Met:
    """What is known of a fire before its strength: hindrance and distance of each firing hex, actions, base piece."""

    seen: dict[str, int]
    reaches: tuple[tuple[str, int], ...]
    actions: tuple[str, ...]
    base: str | None


def _computed(ctx: Context, shot: Shot, met: Met) -> Fire:
    """The strength of a fire; what an action refuses is not added up, but still judged. **Rule:** O20.3, 10.3.2.1."""
    base_piece, base_fp, others = _strength(ctx, shot, met.base)
    hindrance = _hindrance(ctx, shot, met.seen, base_piece)
    heights = _elevations(ctx, shot)
    bonus = played(ctx, met.actions, shot)
    final = ctx if not ctx.refusals else Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    totals = [
        _final(final, shot, cell, base_fp, others, hindrance, height, bonus)
        for cell, height in zip(shot.cells, heights, strict=True)
    ]
    if shot.also is not None:
        first, second = totals
        final.step(
            "A40", "fire.sprayed", where=hexes(*shot.cells), fp=first, also_fp=second, cell=shot.target, also=shot.also
        )
    if final is not ctx:
        ctx.adopt(final)
    return Fire(
        totals[0],
        base_piece.id if base_piece else None,
        base_fp,
        others,
        hindrance,
        heights[0],
        bonus,
        met.reaches,
        totals[1] if shot.also is not None else None,
    )


def _shot(ctx: Context, firers: Sequence[str], target: str, also: str | None, mode: str) -> Shot:
    ctx.position.grid.check(target)
    if also is not None:
        ctx.position.grid.check(also)
    if mode not in MODES:
        raise RequestError(f"« {mode} » n’est pas une façon de tirer.", remedy=f"Choisissez parmi {', '.join(MODES)}.")
    pieces = tuple(wielded(ctx, piece) for piece in ctx.position.named(firers))
    if not pieces:
        ctx.refuse("O20.3", "fire.refuse.nobody", where=hexes(target), cell=target)
    return Shot(pieces, target, also)


def _strength(ctx: Context, shot: Shot, base: str | None) -> tuple[Piece | None, int, int]:
    """Firepower of the base piece, and what the others add. **Rule:** O20.3.1.2."""
    if not shot.firers:
        return None, 0, 0
    ids = [piece.id for piece in shot.firers]
    if base is not None and base not in ids:
        raise RequestError(f"Le pion de base « {base} » ne tire pas.", remedy=f"Choisissez parmi {', '.join(ids)}.")
    if len(ids) == 1:
        return shot.firers[0], effective(ctx, shot.firers[0], "fp"), 0
    with ctx.group("O20.3.1.2", "fire.group", where=places(*shot.firers), n=len(ids)) as step:
        powers = {piece.id: effective(ctx, piece, "fp") for piece in shot.firers}
        chosen = ctx.position.piece(base if base is not None else max(powers, key=lambda name: powers[name]))
        own = powers[chosen.id]
        if ctx.on("O20.3.1.2"):
            who = reader(chosen.id) if base is not None else default(chosen.id)
            ctx.step("O20.3.1.2", "fire.base", "choice", value=own, unit="PF", where=places(chosen), piece=who)
            others = int(ctx.table("fire_modifiers").get("other_piece", "fp")) * (len(powers) - 1)
            added = [name for name in powers if name != chosen.id]
            ctx.step("O20.3.1.2", "fire.others", value=others, unit="PF", pieces=added)
        else:
            others = sum(powers.values()) - own
            ctx.step("O20.3.1.2", "fire.all_added", value=own + others, unit="PF", values=list(powers.values()))
        step.value, step.unit = own + others, "PF"
    return chosen, own, others


def _hindrance(ctx: Context, shot: Shot, seen: dict[str, int], base: Piece | None) -> int:
    """Greatest hindrance over the group; ordnance paid it when targeting. **Rule:** O20.3.2, 10.3.1, 10.3.2."""
    worst = max(seen.values(), default=0)
    if not worst or base is None:
        return 0
    if len(shot.firers) == 1 and is_white_band(ctx, base) and ctx.on("10.3.1"):
        ctx.step("10.3.1", "fire.hindrance_paid", value=0, where=places(base), hindrance=worst)
        return 0
    if not ctx.on("10.3.2"):
        return 0
    if len(shot.firers) > 1:
        if len(seen) > 1 and not ctx.on("O20.3.2"):
            worst = seen.get(cell_of(ctx, base), 0)
        code = "fire.worst_hindrance" if len(seen) > 1 else "fire.shared_hindrance"
        ctx.step("O20.3.2", code, value=worst, unit="PF", where=hexes(*seen), values=list(seen.values()))
    ctx.step("10.3.2", "fire.hindrance", value=-worst, unit="PF", where=hexes(shot.target), hindrance=worst)
    return worst


def _elevations(ctx: Context, shot: Shot) -> list[int]:
    """The height modifier of each hex fired at; of both as one by the reading ``spray_height``.

    **Rule:** T88.2, A40.
    """
    if not ctx.on("T88.2"):
        return [0] * len(shot.cells)
    if len({ctx.position.level_of.get(cell, 0) for cell in shot.cells}) < 2:
        return [_elevation(ctx, shot, (cell,)) for cell in shot.cells]
    each = ctx.setting("spray_height") == "each"
    code = "fire.heights_apart" if each else "fire.heights_together"
    ctx.step("A40", code, value=each, where=hexes(*shot.cells), note="interprétation", cells=list(shot.cells))
    if each:
        return [_elevation(ctx, shot, (cell,)) for cell in shot.cells]
    return [_elevation(ctx, shot, shot.cells)] * len(shot.cells)


def _elevation(ctx: Context, shot: Shot, targets: tuple[str, ...]) -> int:
    """-1 when a target is higher than some firing piece, +1 when lower than some; both may apply. **Rule:** T88.2."""
    levels = {cell: ctx.position.level_of.get(cell, 0) for cell in dict.fromkeys(cell_of(ctx, p) for p in shot.firers)}
    heights = {target: ctx.position.level_of.get(target, 0) for target in targets}
    highest, lowest = max(heights.values()), min(heights.values())
    amount = 0
    table = ctx.table("fire_modifiers")
    for row, concerned, limit in (
        ("target_higher", [cell for cell, level in levels.items() if level < highest], highest),
        ("target_lower", [cell for cell, level in levels.items() if level > lowest], lowest),
    ):
        if concerned:
            target = next(cell for cell, height in heights.items() if height == limit)
            where = hexes(*concerned, target)
            with ctx.group("T88.2", f"fire.{row}", where=where, cells=concerned, target=target) as step:
                step.value, step.unit = int(table.get(row, "fp", hexes(target))), "PF"
            amount += int(step.value)
    return amount


def _final(ctx: Context, shot: Shot, cell: str, base: int, others: int, hindrance: int, height: int, bonus: int) -> int:
    total = base + others - hindrance + height + bonus
    terms = [base, *(term for term in (others, -hindrance, height, bonus) if term)]
    ctx.step("O20.3", "fire.final", value=total, unit="PF", where=hexes(cell), cell=cell, terms=terms)
    least = int(ctx.table("limits").peek("least_fp", "value"))
    if shot.firers and total < least and ctx.on("10.3.2.1"):
        ctx.refuse("10.3.2.1", "fire.refuse.too_weak", where=hexes(cell), fp=total, least=least)
    elif total - bonus < least and ctx.on("10.3.2.1"):
        ctx.step("10.3.2.1", "fire.lifted", value=total, unit="PF", where=hexes(cell), was=total - bonus, least=least)
    return total
