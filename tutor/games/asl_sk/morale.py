"""Morale: checks, pins, casualty reduction, wounds, experience; each stage a function of a troop and of dice read.

**Rule:** 3.2.3-NMC, 3.2.3-MC, 3.2.3-PTC, 3.2.3-reduction, 3.2.3-wound, 5.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from tutor.core.arguments import Modifier, PieceId, Roll
from tutor.core.context import Context
from tutor.core.context import dice as rolled
from tutor.core.dice import roll, total
from tutor.core.errors import RequestError
from tutor.core.position import Piece, Position
from tutor.games.asl_sk.arguments import Leader
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.units import MMC, infantry, leadership, morale, places, wound


@dataclass(frozen=True, slots=True)
class Troop:
    """A unit as the stages of an attack see it.

    Args:
        id: of the piece.
        kind: squad, half_squad, crew or leader.
        front, back: morale of its two sides.
        leadership: of a leader, else 0.
        elr: of its side, None when there is none.
        broken, pinned, wounded: state.
        alive: not eliminated.
        reduced, replaced, dm: what the attack did.
        side: its camp.
        melee: held in a Melee.
        spared: a crew or an underlined morale, which the ELR never replaces.
    """

    id: str
    kind: str
    front: int
    back: int
    leadership: int = 0
    elr: int | None = None
    broken: bool = False
    pinned: bool = False
    wounded: bool = False
    alive: bool = True
    reduced: bool = False
    replaced: bool = False
    dm: bool = False
    side: str = ""
    melee: bool = False
    spared: bool = False

    @property
    def morale(self) -> int:
        """Morale of the side that is up."""
        return self.back if self.broken else self.front

    @property
    def leads(self) -> bool:
        """Whether it is a leader able to lend its DRM."""
        return self.kind == "leader" and self.alive and not (self.broken or self.pinned or self.melee)


def troop(position: Position, piece: Piece) -> Troop:
    """The troop that a piece is, before anything happens to it."""
    elr = position.state.get("elr")
    value = elr.get(piece.side) if isinstance(elr, dict) else elr
    spared = piece.kind == "crew" or bool({"underlined", "fixed_quality"} & set(piece.status))
    return Troop(
        piece.id, piece.kind, morale(piece, False), morale(piece, True),
        leadership(piece) if piece.kind == "leader" else 0,
        value if isinstance(value, int) and not isinstance(value, bool) else None,
        "broken" in piece.status, "pinned" in piece.status, "wounded" in piece.status, dm="dm" in piece.status,
        side=piece.side, melee="melee" in piece.status, spared=spared,
    )  # fmt: skip


def reduce(ctx: Context, one: Troop, severity: int | None) -> Troop:
    """Casualty reduction.

    Args:
        one: who.
        severity: dr of a leader's wound, 1 to 6.

    **Rule:** 3.2.3-reduction, 3.2.3-wound.
    """
    if one.kind == "squad":
        ctx.step("3.2.3-reduction", "morale.halved", piece=one.id)
        return replace(one, kind="half_squad", reduced=True)
    if one.kind in MMC:
        ctx.step("3.2.3-reduction", "morale.eliminated", piece=one.id)
        return replace(one, alive=False)
    dr = (severity or 1) + (wound("again") if one.wounded else 0)
    dead = dr >= wound("eliminated_from")
    ctx.step("3.2.3-wound", "morale.killed" if dead else "morale.wounded", "dice", piece=one.id, dr=rolled(dr))
    if dead:
        return replace(one, alive=False)
    again = 0 if one.wounded else 1
    return replace(one, wounded=True, front=one.front + wound("morale") * again,
                   back=one.back + wound("morale") * again,
                   leadership=one.leadership + wound("leadership") * again)  # fmt: skip


def wounds_at_check(one: Troop, original: int, drm: int) -> bool:
    """Whether a morale check asks a leader for the dr of a wound: a natural 12, or a failure when already broken."""
    reduced = original != 12 and original + drm > one.morale if one.broken else original == 12
    return one.kind == "leader" and reduced


def breaks(ctx: Context, one: Troop) -> Troop:
    """A unit breaks: its other side up, under DM."""
    code = "morale.breaks_reduced" if one.reduced else "morale.breaks_wounded" if one.wounded else "morale.breaks"
    ctx.step("3.2.3-DM", code, piece=one.id)
    return replace(one, broken=True, pinned=False, dm=True)


def check(ctx: Context, one: Troop, original: int, drm: int, severity: int | None = None) -> Troop:
    """A morale check.

    Args:
        one: who.
        original: the two dice, 2 to 12.
        drm: of the result and of the leader.
        severity: dr of a wound.

    **Rule:** 3.2.3-NMC, 5.1.
    """
    final = original + drm
    if one.wounded:
        ctx.step("3.2.3-wound", "morale.weakened", piece=one.id)
    ctx.step("3.2.3-NMC", "morale.check", "dice", value=final, piece=one.id, original=rolled(original), drm=drm,
             morale=one.morale)  # fmt: skip
    if one.broken:
        if original == 12:
            ctx.step("3.2.3-NMC", "morale.broken_twelve", piece=one.id)
            return replace(one, alive=False)
        if final > one.morale:
            return reduce(ctx, one, severity)
        ctx.step("3.2.3-NMC", "morale.passed", piece=one.id)
        return one
    if original == 12:
        ctx.step("3.2.3-NMC", "morale.twelve", piece=one.id)
        left = reduce(ctx, one, severity)
        if not left.alive:
            return left
        only = ctx.setting("natural_twelve") == "only_reduces"
        ctx.step(
            "3.2.3-NMC", "morale.twelve_only" if only else "morale.twelve_fails", note="interprétation", piece=one.id
        )
        if only:
            return left
        return breaks(ctx, _replaced(ctx, left, final - one.morale))
    if final > one.morale:
        return breaks(ctx, _replaced(ctx, one, final - one.morale))
    if final == one.morale and ctx.on("3.2.3-NMC"):
        ctx.step("3.2.3-NMC", "morale.equal_again" if one.pinned else "morale.equal", piece=one.id)
        return replace(one, pinned=True)
    ctx.step("3.2.3-NMC", "morale.passed", piece=one.id)
    return one


def _replaced(ctx: Context, one: Troop, gap: int) -> Troop:
    """A failure by more than the ELR: a lesser unit takes its place."""
    if one.elr is None or not ctx.on("5.1"):
        return one
    if gap <= one.elr:
        ctx.step("5.1", "morale.spared_rank", piece=one.id, gap=gap, elr=one.elr)
        return one
    if one.spared:
        ctx.step("5.1", "morale.spared_quality", piece=one.id, gap=gap, elr=one.elr)
        return one
    ctx.step("5.1", "morale.replaced", piece=one.id, gap=gap, elr=one.elr)
    return replace(one, replaced=True)


def pin(ctx: Context, one: Troop) -> Troop:
    """A pin, once each player turn."""
    ctx.step("3.2.3-PTC", "morale.pin_again" if one.pinned else "morale.pinned", piece=one.id)
    return replace(one, pinned=True)


def task(ctx: Context, one: Troop, original: int, drm: int) -> Troop:
    """A pin task check: only for units neither broken nor pinned.

    **Rule:** 3.2.3-PTC.
    """
    if one.broken or one.pinned:
        ctx.step("3.2.3-PTC", "morale.no_task", piece=one.id)
        return one
    final = original + drm
    ctx.step("3.2.3-PTC", "morale.task", "dice", value=final, piece=one.id, original=rolled(original), drm=drm,
             morale=one.morale)  # fmt: skip
    if final > one.morale:
        return pin(ctx, one)
    ctx.step("3.2.3-PTC", "morale.task_passed", piece=one.id)
    return one


def became(before: Troop, after: Troop) -> str:
    """What befell a troop: nothing, pinned, broken, reduced, reduced_broken, wounded, wounded_broken, eliminated."""
    if not after.alive:
        return "eliminated"
    hurt = "reduced" if after.reduced and not before.reduced else "wounded" if after.wounded > before.wounded else ""
    if after.broken and not before.broken:
        return f"{hurt}_broken" if hurt else "broken"
    if hurt:
        return hurt
    return "pinned" if after.pinned and not before.pinned else "nothing"


@dataclass(frozen=True, slots=True)
class Checked:
    """Outcome of one check: what happened, the unit after it, the total of the dice."""

    result: str
    after: Troop
    final: int


@GAME.question(
    "morale_check",
    rules=("3.2.3-NMC", "3.2.3-MC", "5.1"),
    label="Que donne ce test de moral ?",
    theme="Moral et ralliement",
    common=True,
)
def morale_check(
    ctx: Context,
    piece: PieceId,
    dice: Roll,
    modifier: Modifier = 0,
    leader: Leader | None = None,
    wound_dr: Annotated[int | None, "Dé de blessure"] = None,
) -> Checked:
    """A morale check of one unit.

    Args:
        piece: id.
        dice: coloured and white die.
        modifier: # of a #MC or K/#.
        leader: id of who lends his DRM.
        wound_dr: dr of a wound, 1 to 6, which a leader that is reduced needs.

    Returns:
        What happens, ``pending`` when the dr of a wound is missing; refused when the leader cannot help.

    **Rule:** 3.2.3-NMC, 3.2.3-MC, 3.2.3-reduction, 5.1.

    >>> from tutor.games.asl_sk import GAME
    >>> GAME.load().rules["morale_check"](GAME.position("tir"), piece="alpha", dice=[3, 4]).value.result
    'pinned'
    """
    one = infantry(ctx.position, piece)
    before = troop(ctx.position, one)
    original = total(roll(dice))
    modifier = modifier if ctx.on("3.2.3-MC") else 0
    drm = modifier + _lent(ctx, one, leader)
    ctx.settle()
    if modifier:
        ctx.step("3.2.3-MC", "morale.modifier", value=modifier, where=places(one), piece=piece)
    if wound_dr is None and wounds_at_check(before, original, drm):
        ctx.step("3.2.3-wound", "attack.wound_needed", piece=piece)
        return Checked("pending", before, original + drm)
    if wound_dr is not None and not 1 <= wound_dr <= 6:
        raise RequestError(f"« {wound_dr} » n’est pas un dé.", remedy="Donnez un nombre de 1 à 6.")
    after = check(ctx, before, original, drm, wound_dr)
    return Checked(became(before, after), after, original + drm)


def _lent(ctx: Context, one: Piece, leader: str | None) -> int:
    if leader is None:
        return 0
    chief = ctx.position.piece(leader)
    here = chief.at == ctx.position.hex_of(one.id) and chief.side == one.side
    if chief.kind != "leader" or chief.id == one.id or not here:
        ctx.refuse("1.2.1", "morale.wrong_leader", where=places(chief), piece=leader)
        return 0
    if {"broken", "pinned", "melee"} & set(chief.status):
        ctx.refuse("1.2.1", "fire.leader_unfit", where=places(chief), piece=leader)
        return 0
    value = leadership(chief)
    ctx.step("1.2.1", "morale.lent", value=value, where=places(chief), piece=leader)
    return value


@GAME.question(
    "pin_check",
    rules=("3.2.3-PTC",),
    label="Que donne ce test de PIN ?",
    theme="Moral et ralliement",
)
def pin_check(ctx: Context, piece: PieceId, dice: Roll, leader: Leader | None = None) -> Checked:
    """A pin task check of one unit.

    Args:
        piece: id.
        dice: coloured and white die.
        leader: id of who lends his DRM.

    Returns:
        What happens; refused when the leader cannot help.

    **Rule:** 3.2.3-PTC.

    >>> from tutor.games.asl_sk import GAME
    >>> ask = GAME.load().rules["pin_check"]
    >>> [ask(GAME.position("tir"), piece="alpha", dice=[4, 4], leader=leader).value.result for leader in (None, "chef")]
    ['pinned', 'nothing']
    """
    one = infantry(ctx.position, piece)
    before = troop(ctx.position, one)
    original = total(roll(dice))
    drm = _lent(ctx, one, leader)
    ctx.settle()
    after = task(ctx, before, original, drm)
    return Checked(became(before, after), after, original + drm)


def silent(ctx: Context, **more: Any) -> Context:
    """A context like this one that builds no trace."""
    return Context(ctx.game, ctx.position, without=ctx.without, trace=False)
