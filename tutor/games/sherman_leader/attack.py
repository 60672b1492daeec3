"""Your attacks: which value, which dice, what the target's defence cancels; one uncancelled hit destroys.

The stages (``strikes``, ``cancels``) are those of the odds.

**Rule:** 3.14.6-3.14.9, 5.4.4, 6.2, 6.5-6.8, 10.3.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from tutor.core.arguments import PieceId, Roll, TargetPiece
from tutor.core.context import Context, dice
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes, segment
from tutor.games.sherman_leader.arguments import Pay
from tutor.games.sherman_leader.board import terrain
from tutor.games.sherman_leader.commander import command, commander_of, place, stress_status, unit_of, value_of
from tutor.games.sherman_leader.game import GAME
from tutor.games.sherman_leader.los import line_of_sight

FACES = 10


@dataclass(frozen=True, slots=True)
class Shot:
    """An attack, before the dice.

    Args:
        attack: ap or he.
        away: range in hexes.
        value: the unit's attack value.
        modifiers: (cause, number) added to each die.
        need: what a die must show.
        dice: how many are thrown.
        defence, cover: of the target; a defence die of their sum or less cancels a hit.
        stress: what the commander takes for this attack.
        flank: what the flank die must show, None when it is not rolled.
    """

    attack: str
    away: int
    value: int
    modifiers: tuple[tuple[str, int], ...]
    need: int
    dice: int
    defence: int
    cover: int
    stress: int = 0
    flank: int | None = None


@dataclass(frozen=True, slots=True)
class Resolved:
    """An attack with its dice.

    Args:
        shot: the attack.
        hits: dice that reach the need.
        flanked: whether the flank die did.
        cancelled: hits that the defence cancels.
        effective: those it does not.
        destroyed: whether the target is.
    """

    shot: Shot
    hits: int
    flanked: bool
    cancelled: int
    effective: int
    destroyed: bool


def strikes(need: int, die: int) -> bool:
    """Whether an attack die hits.

    >>> strikes(1, 1), strikes(11, 10)
    (True, False)
    """
    return die >= need


def cancels(defence: int, die: int) -> bool:
    """Whether a defence die cancels a hit.

    >>> cancels(5, 5), cancels(0, 1)
    (True, False)
    """
    return die <= defence


def attack_kind(ctx: Context, target: Piece) -> str:
    """Which value attacks a target: ap or he."""
    if not ctx.on("3.14.8"):
        return "he"
    with ctx.group("3.14.8", "attack.kind", target=target.id) as group:
        group.value = ctx.table("classes").get(target.kind, "attack")
    return str(group.value)


def attack_value(ctx: Context, unit: Piece, kind: str) -> int:
    """Attack value of a unit; 0 is a dash. Refuses a dash."""
    value = value_of(ctx, unit, kind, "3.14.8")
    if value == 0:
        ctx.refuse("3.14.8", "attack.dash", actor=unit.id, attack=kind)
    return value


def range_row(away: int) -> str:
    """Row of the range table."""
    return f"range_{min(away, 5)}"


def range_modifier(ctx: Context, away: int, column: str = "dice") -> int:
    """What the range adds to each die: yours, or ``enemy``."""
    if away == 0 and ctx.setting("range_zero") == "ignored":
        rule = "6.15" if column == "enemy" else "6.7.1"
        ctx.step(rule, "attack.no_range_zero", value=0, note="interprétation")
        return 0
    return int(ctx.table("range").get(range_row(away), column))


def cover_of(ctx: Context, target: Piece, away: int, marksman: bool) -> int:
    """What the target's hex adds to its defence, traced."""
    cell = place(ctx, target)
    kind = terrain(ctx.position, cell)
    if kind == "clear" or not ctx.on("5.4"):
        return 0
    if marksman and ctx.on("3.16.10.7"):
        ctx.step("3.16.10.7", "attack.marksman", value=0, target=target.id)
        return 0
    if away == 0:
        if not ctx.on("6.5"):
            return 0
        ctx.step("6.5", "attack.cover_same_hex", cell=cell, where=hexes(cell))
    with ctx.group("5.4", "attack.cover", target=target.id, cell=cell, where=hexes(cell)) as group:
        group.value = int(ctx.table("terrain").get(kind, "defence", where=hexes(cell)))
    return int(group.value)


def flank_need(ctx: Context, away: int) -> int | None:
    """What the flank die must show, when the optional rule is played and the range is 0 or 1."""
    if ctx.setting("flank") == "off" or not ctx.on("10.3"):
        return None
    if away > 1:
        ctx.step("10.3", "attack.no_flank", range=away)
        return None
    return int(ctx.table("numbers").get(f"flank_r{away}", "count"))


def _position_allows(ctx: Context, unit: Piece, target: Piece, away: int, skills: tuple[str, ...]) -> None:
    """Refusals for bocage, line of sight and range: what no card decides first."""
    if "mg" in unit.status and away == 0:
        ctx.refuse("6.16.8", "attack.mg_damaged", actor=unit.id)
    elif "mg" in unit.status:
        ctx.step("6.16.8", "attack.mg_near", value=True, actor=unit.id, range=away)
    far = away in (2, 3) if ctx.setting("gun_damage") == "two_three" else away >= 2
    if "gun" in unit.status and far:
        ctx.refuse("6.16.9", "attack.gun_damaged", note="interprétation", actor=unit.id, range=away)
    elif "gun" in unit.status and away > 3:
        ctx.step("6.16.9", "attack.gun_far", value=True, note="interprétation", actor=unit.id, range=away)
    elif "gun" in unit.status:
        ctx.step("6.16.9", "attack.gun_near", value=True, actor=unit.id, range=away)
    start, end = place(ctx, unit), place(ctx, target)
    bocage(ctx, end, away)
    indirect = bool(value_of(ctx, unit, "indirect", "5.14", 0)) or "spotter" in skills
    if "spotter" in skills:
        ctx.step("3.16.10.6", "attack.spotter", actor=unit.id)
    with ctx.group("6.6", "los", start=start, end=end, where=[segment(start, end)]) as group:
        seen = line_of_sight.function(ctx, start, end, indirect)
        group.value = seen.visible
    if not seen.visible:
        ctx.refuse("6.6", "attack.no_los", cells=list(seen.blocking), where=hexes(*seen.blocking))
    low = value_of(ctx, unit, "range_min", "3.14.9", 0)
    high = value_of(ctx, unit, "range_max", "3.14.9")
    if away < low:
        ctx.refuse("3.14.9", "attack.too_near", actor=unit.id, range=away, low=low, high=high)
    if away > high:
        ctx.refuse("3.14.9", "attack.too_far", actor=unit.id, range=away, low=low, high=high)
    if low <= away <= high:
        ctx.step("3.14.9", "attack.in_range", actor=unit.id, range=away, low=low, high=high)


def destroyed(ctx: Context, *pieces: Piece) -> None:
    """Refuse an attack by or at what is destroyed already, once for each."""
    for piece in pieces:
        if "destroyed" in piece.status:
            ctx.refuse("6.8", "attack.destroyed", piece=piece.id)


def bocage(ctx: Context, cell: str, away: int) -> None:
    """Refuse an attack from too far on a unit in bocage."""
    reach = GAME.tables["terrain"].get(terrain(ctx.position, cell), "attack_range", None)
    if reach is not None and away > reach and ctx.on("5.4.4"):
        ctx.refuse("5.4.4", "attack.bocage", cell=cell, range=away, reach=reach, where=hexes(cell))


def prepare(ctx: Context, unit: Piece, target: Piece, pay: bool) -> Shot | None:
    """Everything about an attack of yours but the dice; None with every refusal."""
    destroyed(ctx, unit, target)
    if unit.activated == "attack":
        ctx.refuse("6.7", "attack.again", actor=unit.id)
    away = ctx.position.grid.distance(place(ctx, unit), place(ctx, target))
    ctx.step("3.14.9", "attack.range", value=away, actor=unit.id, target=target.id)
    moved, chief = unit.activated == "move", commander_of(ctx, unit)
    unknown: list[UnknownValue] = []
    who = command(silent(ctx) if ctx.settled else ctx, unit, away, unknown)
    stress = 0
    if "suppressed" in unit.status and ctx.on("6.17.7"):
        if not pay:
            ctx.refuse("6.17.7", "attack.suppressed", actor=unit.id)
        elif chief is None or ("killed" in chief.status and ctx.on("6.18")):
            ctx.step("6.17.7", "attack.must_pay", actor=unit.id)
            ctx.refuse("6.18", "attack.no_stress_choice", actor=unit.id)
        else:
            stress += 1
            ctx.step("6.17.7", "attack.pays", actor=unit.id, piece=chief.id, value=1)
    elif pay:
        ctx.step("6.17.7", "attack.pays_spared", actor=unit.id, value=0)
    if moved or "transported" in unit.status:
        _moved_refusals(ctx, unit, who.skills)
    kind, value = attack_kind(ctx, target), 0
    with ctx.hold(unknown):
        _position_allows(ctx, unit, target, away, who.skills)
    with ctx.hold(unknown):
        value = attack_value(ctx, unit, kind)
    if kind == "ap" and away > 0 and value_of(ctx, unit, "ap_only_r0", "3.14.6", 0):
        ctx.refuse("3.14.6", "attack.ap_only_here", actor=unit.id, range=away)
    if ctx.refusals:
        return None
    if unknown:
        raise unknown[0]
    stress += _move_stress(ctx, unit, chief, who.skills) if moved and unit.kind == "infantry" else 0
    modifiers = [(who.status, who.modifier)]
    if ctx.on("6.7.1"):
        modifiers.append(("range", range_modifier(ctx, away)))
    if moved and ctx.on("6.7.2"):
        penalty = value_of(ctx, unit, "penalty", "6.7.2")
        ctx.step("6.7.2", "attack.moved", value=-penalty, actor=unit.id)
        modifiers.append(("moved", -penalty))
    need = needed(ctx, "6.7", value, modifiers)
    thrown = int(ctx.table("numbers").get("attack_dice", "count"))
    if away == 0 and "close_combat" in who.skills and ctx.on("3.16.10.10"):
        thrown += int(ctx.table("numbers").get("close_combat_die", "count"))
    _turns(ctx, chief, who.status, stress)
    defence = value_of(ctx, target, "defence", "5.13.3")
    cover = cover_of(ctx, target, away, "marksman" in who.skills)
    ctx.step("6.7.3", "attack.defence", value=defence + cover, target=target.id, defence=defence, cover=cover)
    return Shot(kind, away, value, tuple(modifiers), need, thrown, defence, cover, stress, flank_need(ctx, away))


def _turns(ctx: Context, chief: Piece | None, status: str, stress: int) -> None:
    """Say when the stress of an attack makes its commander shaken or unfit: from the next one on."""
    if chief is None or not stress or not ctx.on("3.16.7"):
        return
    front = {**chief.front, "stress": chief.front.get("stress", 0) + stress}
    after = stress_status(silent(ctx), chief.model_copy(update={"front": front}))
    if after != status:
        ctx.step("3.16.7", "attack.turns", value=after, note="interprétation", piece=chief.id, stress=stress)


def needed(ctx: Context, rule: str, value: int, modifiers: list[tuple[str, int]]) -> int:
    """What each die must show, traced: the value, less what is added to the dice; a dash needs nothing."""
    given = [n for _, n in modifiers if n]
    need = value - sum(given)
    if value:
        ctx.step(rule, "attack.need" if given else "attack.need_plain", value=need, attack=value, modifiers=given)
    return need


def sum_up(ctx: Context, rule: str, shot: Shot | None) -> Shot | None:
    """The last step of an attack without its dice: what hits, what cancels; none of an attack that is refused."""
    if shot is None:
        return None
    code = "attack.sure" if shot.need <= 1 else "attack.never" if shot.need > FACES else "attack.summary"
    code += "_paid" if shot.stress else ""
    ctx.step(rule, code, value=shot.need, dice=shot.dice, defence=shot.defence + shot.cover, stress=shot.stress)
    return shot


def _moved_refusals(ctx: Context, unit: Piece, skills: tuple[str, ...]) -> None:
    """Refusals of a unit that moved, or was moved, in this step."""
    if "transported" in unit.status:
        ctx.refuse("6.3", "attack.transported", actor=unit.id)
    if unit.kind == "artillery":
        ctx.refuse("6.2", "attack.artillery_moved", actor=unit.id)
    if value_of(ctx, unit, "move_or_attack", "3.14.6", 0):
        ctx.refuse("3.14.6", "attack.move_or_attack", actor=unit.id)
    if "cautious" in skills:
        ctx.refuse("3.16.10.5", "attack.cautious", actor=unit.id)


def _move_stress(ctx: Context, unit: Piece, chief: Piece | None, skills: tuple[str, ...]) -> int:
    """Stress of infantry that moved in this step and attacks."""
    if chief is not None and "killed" in chief.status:
        ctx.step("6.18", "attack.no_stress_taken", value=0, actor=unit.id)
        return 0
    if "aggressive" in skills:
        with ctx.group("3.16.10.2", "attack.aggressive", actor=unit.id) as step, ctx.hold([]):
            step.value = 0
            ctx.step("6.2", "attack.acts_twice", actor=unit.id)
            printed = value_of(silent(ctx), unit, "stress", "6.2")
            ctx.step("6.2", "attack.card_stress", actor=unit.id, value=printed)
        return 0
    taken = value_of(ctx, unit, "stress", "6.2")
    ctx.step("6.2", "attack.move_stress", actor=unit.id, value=taken)
    return taken


@GAME.question(
    "attack",
    rules=(
        "6.7",
        "3.14.8",
        "3.14.9",
        "6.2",
        "6.5",
        "6.6",
        "6.7.1",
        "6.7.2",
        "6.7.3",
        "5.4.1",
        "5.4.2",
        "5.4.4",
        "5.4.5",
        "3.16.10.2",
        "3.16.10.5",
        "3.16.10.6",
        "3.16.10.7",
        "3.16.10.10",
    ),
    label="Que vaut cette attaque ?",
    theme="Vos attaques",
    common=True,
    odds="attack_odds",
)
def attack(ctx: Context, unit: PieceId, target: TargetPiece, pay: Pay = False) -> Shot | None:
    """One of your units attacks an enemy: value, modifiers, what a die must show, the defence it meets.

    Args:
        unit, target: ids.
        pay: a suppressed unit attacks all the same, against 1 stress.

    Returns:
        The shot; None when refused, with every reason.

    **Rule:** 3.14.6, 3.14.8, 3.14.9, 5.4.4, 6.2, 6.5, 6.6, 6.7-6.7.3, 6.16.8, 6.16.9, 6.17.7, 6.18.

    >>> shot = GAME.load().rules["attack"](GAME.position("tour-1"), unit="u921", target="rifle-2", pay=True).value
    >>> shot.need, shot.defence + shot.cover
    (1, 5)
    """
    return sum_up(ctx, "6.7", prepare(ctx, unit_of(ctx, unit, "us"), unit_of(ctx, target, "enemy"), pay))


def faces(value: Any, count: int | None, what: str) -> list[int]:
    """Dice a reader gives.

    Raises:
        RequestError: not the right number of numbers from 1 to 10.
    """
    good = isinstance(value, (list, tuple)) and all(type(d) is int and 1 <= d <= FACES for d in value)
    if not good or (count is not None and len(value) != count):
        raise RequestError(
            f"« {value} » ne convient pas pour {what}.",
            remedy=f"Donnez {count if count is not None else 'des'} nombres de 1 à 10 ; le 0 du dé vaut 10.",
        )
    return list(value)


def roll_out(ctx: Context, shot: Shot, thrown: list[int], defended: Any, flank: int | None, target: str) -> Resolved:
    """Hits, flank, and defence dice of a shot, traced."""
    hits = sum(strikes(shot.need, die) for die in thrown)
    ctx.step("6.7", "resolve.dice", "dice", value=hits, dice=dice(thrown), need=shot.need)
    total, flanked = shot.defence + shot.cover, False
    if hits and shot.flank is not None:
        if flank is None:
            raise RequestError("Il manque le dé de flanc.", remedy="Donnez un nombre de 1 à 10.")
        flanked = faces([flank], 1, "le dé de flanc")[0] >= shot.flank
        total += int(ctx.table("numbers").get("flank_defence", "value")) if flanked else 0
        code = "resolve.flank" if flanked else "resolve.no_flank"
        ctx.step("10.3", code, "dice", value=total, die=dice(flank), need=shot.flank)
    cancelled = 0
    if hits and ctx.on("6.7.3"):
        given = faces(defended, None, "les dés de défense, un par coup")
        rolls = faces(given[:hits], hits, "les dés de défense, un par coup")
        cancelled = sum(cancels(total, die) for die in rolls)
        ctx.step("6.7.3", "resolve.defence", "dice", value=cancelled, dice=dice(rolls), defence=total, target=target)
    return Resolved(shot, hits, flanked, cancelled, hits - cancelled, False)


@GAME.question(
    "resolve",
    rules=("6.7", "6.7.3", "6.8", "10.3"),
    label="Que donne cette attaque avec ces dés ?",
    theme="Vos attaques",
)
def resolve(
    ctx: Context,
    unit: PieceId,
    target: TargetPiece,
    dice: Roll,
    defence: Annotated[Roll, "Défense"] = (),
    flank: Annotated[int | None, "Dé de flanc"] = None,
    pay: Pay = False,
) -> Resolved | None:
    """One of your attacks with its dice.

    Args:
        unit, target, pay: see :func:`attack`.
        dice: attack dice.
        flank: the flank die.
        defence: one die per hit, in order; those left over are not thrown.

    Returns:
        Hits, those cancelled, and whether the target is destroyed; None when refused.

    Raises:
        RequestError: wrong number of dice.

    **Rule:** 6.7, 6.7.3, 6.8, 10.3.

    >>> out = GAME.load().rules["resolve"](GAME.position("tour-1"), unit="u921", target="rifle-2",
    ...     dice=[4, 7], defence=[3, 8], pay=True).value
    >>> out.hits, out.cancelled, out.destroyed
    (2, 1, True)
    """
    shot = prepare(ctx, unit_of(ctx, unit, "us"), unit_of(ctx, target, "enemy"), pay)
    if shot is None:
        return None
    out = roll_out(ctx, shot, faces(dice, shot.dice, "les dés d’attaque"), defence, flank, target)
    code = "resolve.destroyed" if out.effective else "resolve.survives" if out.hits else "resolve.missed"
    ctx.step("6.8", code, value=bool(out.effective), target=target, where=[Place("piece", target)])
    return Resolved(out.shot, out.hits, out.flanked, out.cancelled, out.effective, bool(out.effective))


def silent(ctx: Context) -> Context:
    """A context on the same position that traces nothing and gathers its own refusals."""
    return Context(ctx.game, ctx.position, without=ctx.without, trace=False)


def could_attack(ctx: Context, unit: Piece, target: Piece) -> bool:
    """Whether one of your units could attack an enemy where it is; unknown values count as being able to."""
    probe = silent(ctx)
    with suppress(UnknownValue):
        prepare(probe, unit, target, pay=True)
    return not probe.refusals
