"""Enemy attacks: which of your units is the target, tie by tie, and what the dice must show.

**Rule:** 5.13, 6.13-6.15.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from tutor.core.arguments import PieceId, Roll, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes, segment
from tutor.games.sherman_leader.attack import (
    FACES,
    Resolved,
    Shot,
    attack_kind,
    attack_value,
    bocage,
    cover_of,
    destroyed,
    faces,
    flank_need,
    needed,
    range_modifier,
    roll_out,
    sum_up,
)
from tutor.games.sherman_leader.commander import active, place, unit_of, value_of, vehicle
from tutor.games.sherman_leader.game import GAME
from tutor.games.sherman_leader.los import line_of_sight

#: Steps of an attack that say where a modifier or the cover compared comes from.
CAUSES = (
    "attack.kind",
    "table.range.enemy",
    "table.classes.moved",
    "enemy.at_example",
    "table.numbers.value",
    "attack.cover",
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A target an enemy unit may attack: what a die must show, and the defence that breaks a tie."""

    target: str
    need: int
    defence: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Whom an enemy unit attacks.

    Args:
        candidates: legal targets, easiest first.
        target: the one it must attack, None without any or when several are left.
        tied: ids among which the player chooses.
        rule: what decided: need, defence, player, or none.
    """

    candidates: tuple[Candidate, ...]
    target: str | None
    tied: tuple[str, ...]
    rule: str


def may_attack(ctx: Context, unit: Piece, target: Piece, at: str | None = None) -> None:
    """Every refusal of an enemy attack, traced; ``at`` puts the attacker elsewhere."""
    destroyed(ctx, unit, target)
    if unit.activated == "attack":
        ctx.refuse("6.13", "enemy.again", actor=unit.id)
    start, end = at or place(ctx, unit), place(ctx, target)
    away = ctx.position.grid.distance(start, end)
    ctx.step("5.13.2", "attack.range", value=away, unit="hexagones", actor=unit.id, target=target.id)
    penalty = GAME.tables["classes"].get(unit.kind, "moved", None)
    if unit.activated == "move" and penalty == "no" and ctx.on("6.15"):
        ctx.refuse("6.15", "enemy.moved", actor=unit.id)
    rifle = unit.kind == "rifle" and ctx.on("5.13.5") and away > (0 if vehicle(target) else 1)
    if rifle:
        code = "enemy.rifle" if vehicle(target) else "enemy.rifle_far"
        ctx.refuse("5.13.5", code, actor=unit.id, target=target.id, range=away)
    bocage(ctx, end, away)
    indirect = bool(value_of(ctx, unit, "indirect", "5.14", 0))
    with ctx.group("6.6", "los", start=start, end=end, where=[segment(start, end)]) as group:
        seen = line_of_sight.function(ctx, start, end, indirect)
        group.value = seen.visible
    if not seen.visible:
        ctx.refuse("6.6", "attack.no_los", cells=list(seen.blocking), where=hexes(*seen.blocking))
    high = _reach(ctx, unit, target)
    if away > high and not rifle:
        ctx.refuse("5.13.2", "attack.too_far", actor=unit.id, range=away, low=0, high=high)


def _reach(ctx: Context, unit: Piece, target: Piece) -> int:
    """Farthest hex an enemy unit attacks: ``range_ap`` or ``range_he`` for a counter with two ranges.

    **Rule:** 5.13.2.
    """
    kind = GAME.tables["classes"].get(target.kind, "attack") if ctx.on("3.14.8") else "he"
    own = f"range_{kind}"
    return value_of(ctx, unit, own if own in unit.front else "range_max", "5.13.2")


def _move_penalty(ctx: Context, unit: Piece) -> int:
    if unit.kind == "rifle" and ctx.setting("rifle_move") == "ignored":
        ctx.step("6.15", "enemy.rifle_free", value=0, note="interprétation", actor=unit.id)
        return 0
    if unit.kind == "at" and ctx.setting("at_move") == "example":
        ctx.step("6.15", "enemy.at_example", value=-1, note="interprétation", actor=unit.id)
        return -1
    if not isinstance(GAME.tables["classes"].get(unit.kind, "moved", None), int):  # none, or it does not attack at all
        return 0
    return int(ctx.table("classes").get(unit.kind, "moved"))


def prepare_enemy(ctx: Context, unit: Piece, target: Piece) -> Shot | None:
    """Everything about an enemy attack but the dice; None with every refusal."""
    unknown, value = list[UnknownValue](), 0
    with ctx.hold(unknown):
        may_attack(ctx, unit, target)
    away = ctx.position.grid.distance(place(ctx, unit), place(ctx, target))
    kind = attack_kind(ctx, target)
    with ctx.hold(unknown):
        value = attack_value(ctx, unit, kind)
    if ctx.refusals:
        return None
    if unknown:
        raise unknown[0]
    modifiers: list[tuple[str, int]] = []
    if ctx.on("6.15"):
        modifiers.append(("range", range_modifier(ctx, away, "enemy")))
        if unit.activated == "move":
            modifiers.append(("moved", _move_penalty(ctx, unit)))
    face = "vehicle" if vehicle(target) else "infantry"
    rule = "6.16.7" if face == "vehicle" else "6.17.5"
    if "exposed" in target.status and target.activated == "move":
        ctx.step(rule, "enemy.exposed_moved", value=0, target=target.id)
    elif "exposed" in target.status and ctx.on(rule):
        modifiers.append(("exposed", int(ctx.table("numbers").get(f"exposed_{face}", "value"))))
    need = needed(ctx, "6.13", value, modifiers)
    defence = value_of(ctx, target, "defence", "3.14.10")
    cover = cover_of(ctx, target, away, False)
    ctx.step("3.14.10", "attack.defence", value=defence + cover, target=target.id, defence=defence, cover=cover)
    thrown = int(ctx.table("numbers").get("attack_dice", "count"))
    flank = flank_need(ctx, away)
    return Shot(kind, away, value, tuple(modifiers), need, thrown, defence, cover, flank=flank)


def _chance(ctx: Context, candidate: Candidate) -> int:
    """The lowest face that hits, 11 for none: needs below 1 have the same chance, so have those above 10."""
    return candidate.need if ctx.setting("same_chance") == "need" else max(1, min(FACES + 1, candidate.need))


@GAME.question(
    "targets",
    rules=("6.14", "6.13", "6.15"),
    label="Qui l’ennemi vise-t-il ?",
    theme="L’ennemi",
    common=True,
)
def targets(ctx: Context, unit: PieceId) -> Choice:
    """Whom an enemy unit attacks, and which comparison decides.

    Args:
        unit: id of an enemy unit.

    Returns:
        The choice; the trace compares first what a die must show, then the defences, then leaves it to the player.

    **Rule:** 5.13, 6.13, 6.14, 6.15.

    >>> GAME.load().rules["targets"](GAME.position("tour-1-pz3"), unit="pz3").value.target
    'u921'
    """
    piece = unit_of(ctx, unit, "enemy")
    candidates: list[Candidate] = []
    for target in active(ctx, "us"):
        probe = Context(ctx.game, ctx.position, without=ctx.without, trace=ctx.tracing)
        shot = None
        try:
            shot = prepare_enemy(probe, piece, target)
        except UnknownValue:
            if not probe.refusals:
                raise
        if shot is None:
            for step in probe.refusals:
                code = "target.out." + step.code.partition(".")[2]
                who = step.operands["piece"].value if "piece" in step.operands else target.id
                cells = step.operands["cells"].value if "cells" in step.operands else ()
                where = [Place("piece", target.id), *hexes(*cells)]
                ctx.step(step.rule, code, target=who, actor=unit, where=where, cells=list(cells))
            continue
        defence = shot.defence + (shot.cover if ctx.setting("global_defence") == "cover" else 0)
        candidates.append(Candidate(target.id, shot.need, defence))
        signs = [n for _, n in shot.modifiers if n]
        code = "target.in" if signs else "target.in_plain"
        given: dict[str, Any] = {"attack": shot.attack, "printed": shot.value, "modifiers": signs, "defence": defence}
        with ctx.group("6.14", code, where=[Place("piece", target.id)], target=target.id, **given) as group:
            group.value = shot.need
            group.note = "interprétation" if shot.cover else None
        causes = [code for code in CAUSES if code != "attack.cover" or defence != shot.defence]
        group.children += [step for step in probe.root.children if step.code in causes and step.value]
    candidates.sort(key=lambda c: (_chance(ctx, c), c.defence))
    if not candidates:
        ctx.step("6.14", "target.nobody", actor=unit)
        return Choice((), None, (), "none")
    easiest = [c for c in candidates if _chance(ctx, c) == _chance(ctx, candidates[0])]
    if len(easiest) == 1:
        ctx.step("6.14", "target.need", value=easiest[0].target, need=easiest[0].need, actor=unit)
        return Choice(tuple(candidates), easiest[0].target, (), "need")
    code = {1: "target.tie_sure", FACES + 1: "target.tie_never"}.get(_chance(ctx, easiest[0]), "target.tie_need")
    note = "interprétation" if len({c.need for c in easiest}) > 1 else None
    ctx.step("6.14", code, note=note, targets=[c.target for c in easiest], need=easiest[0].need)
    weakest = [c for c in easiest if c.defence == easiest[0].defence or not ctx.on("6.14")]
    if len(weakest) == 1:
        ctx.step("6.14", "target.defence", value=weakest[0].target, defence=weakest[0].defence, actor=unit)
        return Choice(tuple(candidates), weakest[0].target, (), "defence")
    tied = tuple(c.target for c in weakest)
    ctx.step("6.14", "target.tie", "choice", targets=list(tied), defence=weakest[0].defence)
    return Choice(tuple(candidates), None, tied, "player")


def _nearest(ctx: Context, unit: Piece) -> Piece:
    """The nearest of your units, for its refusals, when an enemy unit may attack none."""
    friends = active(ctx, "us")
    if not friends:
        raise RequestError(f"« {unit.name or unit.id} » n’a personne à attaquer.", remedy="Placez une de vos unités.")
    ctx.refuse("6.14", "target.nobody", actor=unit.id)
    return min(friends, key=lambda f: ctx.position.grid.distance(place(ctx, unit), place(ctx, f)))


def chosen(ctx: Context, unit: Piece, target: str | None) -> Piece:
    """The target of an enemy unit: the one that must be, or the player's among equals. Refuses another."""
    unknown: list[UnknownValue] = []
    with ctx.group("6.14", "target", actor=unit.id) as group, ctx.hold(unknown):
        choice = targets.function(ctx, unit.id)
        group.value = choice.target
    if unknown:
        if target is not None:
            prepare_enemy(ctx, unit, unit_of(ctx, target, "us"))
        raise unknown[0]
    allowed = (choice.target,) if choice.target else choice.tied
    if target is None:
        if not allowed:
            return _nearest(ctx, unit)
        return ctx.position.piece(str(allowed[0]))
    if allowed and target not in allowed:
        ctx.refuse("6.14", "enemy.other_target", actor=unit.id, target=target, allowed=list(allowed))
    return unit_of(ctx, target, "us")


@GAME.question(
    "enemy_attack",
    rules=("6.13", "6.14", "6.15", "5.13.5", "3.14.10", "6.16.7", "6.17.5"),
    label="Que vaut cette attaque ennemie ?",
    theme="L’ennemi",
    common=True,
)
def enemy_attack(ctx: Context, unit: PieceId, target: TargetPiece | None = None) -> Shot | None:
    """An enemy unit attacks: its target, what a die must show, the defence it meets.

    Args:
        unit: id of an enemy unit.
        target: id, or None for the one the rules give (the first among equals).

    Returns:
        The shot; None when refused, with every reason.

    Raises:
        RequestError: none of your units is on the board.

    **Rule:** 5.13, 6.13-6.15.

    >>> GAME.load().rules["enemy_attack"](GAME.position("tour-1-pz3"), unit="pz3").value.need
    7
    """
    piece = unit_of(ctx, unit, "enemy")
    return sum_up(ctx, "6.13", prepare_enemy(ctx, piece, chosen(ctx, piece, target)))


@GAME.question(
    "enemy_resolve",
    rules=("6.13", "6.7.3", "10.3"),
    label="Que donne cette attaque ennemie avec ces dés ?",
    theme="L’ennemi",
)
def enemy_resolve(
    ctx: Context,
    unit: PieceId,
    dice: Roll,
    defence: Annotated[Roll, "Défense"] = (),
    target: TargetPiece | None = None,
    flank: Annotated[int | None, "Dé de flanc"] = None,
) -> Resolved | None:
    """An enemy attack with its dice: how many damage chits the target draws.

    Args:
        unit, target: see :func:`enemy_attack`.
        dice: attack dice.
        defence: one per hit, as there.
        flank: the flank die.

    Returns:
        Hits, those cancelled, and ``effective``: one damage chit each; None when refused.

    Raises:
        RequestError: wrong number of dice.

    **Rule:** 6.13, 6.7.3, 10.3.

    >>> GAME.load().rules["enemy_resolve"](GAME.position("tour-1-pz3"), unit="pz3",
    ...     dice=[5, 9], defence=[5]).value.effective
    1
    """
    piece = unit_of(ctx, unit, "enemy")
    victim = chosen(ctx, piece, target)
    shot = prepare_enemy(ctx, piece, victim)
    if shot is None:
        return None
    out = roll_out(ctx, shot, faces(dice, shot.dice, "les dés d’attaque"), defence, flank, victim.id)
    code = "enemy.chits" if out.effective else "enemy.no_chit" if out.hits else "enemy.missed"
    ctx.step("6.13", code, value=out.effective, target=victim.id, where=[Place("piece", victim.id)])
    return replace(out, destroyed=False)
