"""Leaders: what their command adds in their hex, and whom they may activate.

**Rule:** 3.3, 3.3.1.1, 3.3.1.2, 3.3.1.3, O14.1, O20.1, E58.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tutor.core.arguments import PieceId, Pieces
from tutor.core.context import Context
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import (
    AS_PLACED,
    Troops,
    carrier,
    cell_of,
    is_unit,
    is_white_band,
    places,
    printed,
    wielded,
)


def leaders_with(ctx: Context, piece: Piece, troops: Troops = AS_PLACED) -> list[Piece]:
    """Friendly leaders in the hex of a piece, itself left out, still in play."""
    cell = cell_of(ctx, piece)
    return [
        p
        for p in ctx.position.pieces_at(cell, wielded(ctx, piece).side)
        if p.kind == "leader" and p.id != piece.id and troops.present(p)
    ]


def command_of(ctx: Context, leader: Piece, troops: Troops = AS_PLACED) -> int:
    """Command of a leader as it stands: 0 when broken, unless its back says otherwise. **Rule:** 3.1.5, O20.3.4."""
    return printed(ctx, leader, "command", troops)


def command_bonus(ctx: Context, piece: Piece, troops: Troops = AS_PLACED) -> int:
    """What the leaders of its hex add to a value of a unit or weapon, each as a step.

    Args:
        ctx: computation.
        piece: the unit or weapon.
        troops: markers of the moment.

    Returns:
        The sum of their commands: 0 for leaders, white-band weapons and weapons carried by a leader.

    **Rule:** 3.3.1.2, 3.3.1.3.
    """
    leaders = leaders_with(ctx, piece, troops)
    if not leaders:
        return 0
    if is_unit(piece):
        rule = "3.3.1.2"
        if not ctx.on(rule):
            return 0
        if piece.kind == "leader":
            ctx.step(rule, "command.not_leader", value=0, where=places(piece), piece=piece.id)
            return 0
    else:
        rule = "3.3.1.3"
        holder = carrier(ctx, piece)
        white, led = is_white_band(ctx, piece), holder is not None and holder.kind == "leader"
        if holder is not None:
            leaders = [leader for leader in leaders if leader.id != holder.id] if ctx.on(rule) else leaders
        if ctx.on(rule) and (white or led):
            ctx.step(
                rule,
                "command.white_band" if white else "command.carried_by_leader",
                value=0,
                where=places(piece),
                piece=piece.id,
            )
            return 0
    bonus = 0
    for leader in leaders:
        with ctx.group(rule, "command.bonus", where=places(leader, piece), leader=leader.id, piece=piece.id) as step:
            step.value = command_of(ctx, leader, troops)
            if not step.value and "broken" in troops.of(leader) and ctx.on("3.2.1"):
                ctx.step("3.2.1", "command.broken", value=0, where=places(leader), leader=leader.id, piece=piece.id)
        bonus += int(step.value)
    return bonus


@dataclass(frozen=True, slots=True)
class Activation:
    """What activating a unit allows.

    Args:
        unit: the unit the card activates.
        radius: its command radius, None when it is no leader.
        may: units it may activate in turn, in file order.
        weapons: weapons activated with them.
    """

    unit: str
    radius: int | None
    may: tuple[str, ...]
    weapons: tuple[str, ...]


@GAME.question(
    "activation",
    rules=("O14.1", "3.3.1.1", "11.1"),
    label="Qui peut être activé avec cette unité ?",
    theme=("Mouvement", "Ordres et Actions"),
    quiet=True,
)
def activation(ctx: Context, unit: PieceId, units: Pieces | None = None) -> Activation:
    """Whom activating a unit lets the player activate for the same order.

    Args:
        unit: id of the unit the card activates.
        units: ids the player wants it to activate; each that it may not is refused with every reason.
            None: list all that it may.

    Returns:
        Everyone it may activate, weapons included.

    Raises:
        PositionError: no such piece.

    **Rule:** O14.1, 3.3.1.1, 11.1, E58.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> ask(position, "activation", unit="grein", units=["bolter"]).refusals[0].rule
    '3.3.1.1'
    """
    leader = ctx.position.piece(unit)
    if not is_unit(leader):
        ctx.refuse("O14.1", "command.refuse.not_a_unit", where=places(leader), piece=leader.id)
        return Activation(unit, None, (), ())
    _already(ctx, leader)
    radius: int | None = None
    others = [p for p in ctx.position.pieces if is_unit(p) and p.id != unit and ctx.position.hex_of(p.id) is not None]
    wanted = others if units is None else _asked(ctx, unit, units)
    if leader.kind == "leader":
        cell = cell_of(ctx, leader)
        with ctx.group("3.3.1.1", "command.radius", where=hexes(cell), piece=leader.id) as step:
            radius = command_of(ctx, leader)
            step.value, step.unit = radius, "hexs"
    may = []
    for other in wanted:
        reasons = _reasons(ctx, leader, radius, other)
        if not reasons:
            may.append(other)
            away = ctx.position.grid.distance(cell_of(ctx, leader), cell_of(ctx, other))
            ctx.step(
                "3.3.1.1",
                "command.within",
                value=True,
                where=places(other),
                piece=other.id,
                leader=leader.id,
                distance=away,
            )
        for rule, code, operands in reasons if units is not None else ():
            ctx.refuse(rule, code, where=places(other), piece=other.id, leader=leader.id, **operands)
        if reasons and units is None and radius is not None and other.side == leader.side:
            rule, code, operands = reasons[0]
            code = code.replace("refuse", "spared")
            ctx.step(rule, code, value=False, where=places(other), piece=other.id, leader=leader.id, **operands)
    if units is None and radius is None and leader.kind != "leader":
        ctx.step("3.3.1.1", "command.alone", value=False, where=places(leader), piece=leader.id)
    ctx.settle()
    activated = {unit, *(piece.id for piece in may)}
    weapons = tuple(p.id for p in ctx.position.pieces if not is_unit(p) and p.carrier in activated)
    if weapons:
        ctx.step("11.1", "command.weapons", value=len(weapons), weapons=list(weapons))
    if units is not None and not ctx.refusals:
        together = [leader, *may]
        ctx.step(
            "O14.1", "command.activated", value=len(together), where=places(*together), pieces=[p.id for p in together]
        )
    return Activation(unit, radius, tuple(piece.id for piece in may), weapons)


def _asked(ctx: Context, unit: str, units: Sequence[str]) -> list[Piece]:
    """Pieces the player names: the unit itself and weapons of units named go without saying."""
    named = {unit, *units}
    asked = [ctx.position.piece(name) for name in dict.fromkeys(units) if name != unit]
    return [p for p in asked if is_unit(p) or p.carrier not in named]


def _already(ctx: Context, unit: Piece) -> bool:
    if unit.activated and not is_hero(unit):
        ctx.refuse("O14.1", "command.refuse.activated", where=places(unit), piece=unit.id)
        return True
    if unit.activated:
        ctx.step("E58.1", "command.hero", value=True, where=places(unit), piece=unit.id)
    return False


def is_hero(unit: Piece) -> bool:
    """Whether a unit is a hero, who may be activated several times. **Rule:** E58.1."""
    return bool(unit.counter and unit.counter.endswith("/hero"))


def activator(ctx: Context, pieces: Sequence[Piece]) -> Piece | None:
    """The unit whose activation brings all the others: a leader, unless it is alone; None when no card could.

    Args:
        ctx: computation.
        pieces: units activated for one order; those activated before are judged elsewhere.

    **Rule:** O14.1, 3.3.1.1.
    """
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    for unit in pieces:
        radius = command_of(silent, unit) if unit.kind == "leader" else None
        others = (other for other in pieces if other.id != unit.id)
        codes = {code for other in others for _, code, _ in _reasons(silent, unit, radius, other)}
        if codes <= {"command.refuse.activated"}:
            return unit
    return None


def nobody_commands(ctx: Context, units: Sequence[Piece]) -> None:
    """Say that no leader among some units, nor near them, brings the others with him. **Rule:** 3.3.1.1."""
    leaders = [unit for unit in units if unit.kind == "leader"]
    code = "command.too_far" if leaders else "command.no_leader"
    names, chiefs = [unit.id for unit in units], [unit.id for unit in leaders]
    ctx.step("3.3.1.1", code, value=False, where=places(*units), pieces=names, leaders=chiefs)


def one_card(ctx: Context, units: Sequence[Piece], under_way: str | None = None) -> bool:
    """Whether one card can activate them all: one of them, or a leader beside who need not fire.

    Args:
        ctx: computation.
        units: those activated, of one side.
        under_way: the activation this same card may have given.

    **Rule:** O14.1.
    """
    side = units[0].side
    beside = [p for p in ctx.position.pieces if p.kind == "leader" and p.side == side and ctx.position.hex_of(p.id)]
    free = [p for p in beside if p not in units and (p.activated in (None, under_way) or is_hero(p))]
    return activator(ctx, units) is not None or any(activator(ctx, [p, *units]) is p for p in free)


def supposed(ctx: Context, pieces: Sequence[Piece]) -> None:
    """Say that one Fire order is taken to have activated units that fire together, when no card could.

    **Rule:** O14.1.
    """
    bearers = [piece if is_unit(piece) else carrier(ctx, piece) for piece in pieces]
    units = list({unit.id: unit for unit in bearers if unit}.values())
    if len(units) > 1 and not one_card(ctx, units, "fire"):
        ctx.step("O14.1", "fire.supposed", value=True, where=places(*units), pieces=[unit.id for unit in units])


def _reasons(ctx: Context, leader: Piece, radius: int | None, other: Piece) -> list[tuple[str, str, dict[str, Any]]]:
    """Why a leader may not activate a unit: rule, code and operands of each reason; none when it may."""
    if not is_unit(other):
        return [("11.1", "command.refuse.weapon", {})]
    if other.side != leader.side:
        return [("3.3.1.1", "command.refuse.enemy", {})]
    reasons: list[tuple[str, str, dict[str, Any]]] = []
    if radius is None:
        reasons.append(("3.3.1.1", "command.refuse.no_leader", {}))
    if other.kind == "leader" and radius is not None and ctx.on("3.3.1.1"):
        reasons.append(("3.3.1.1", "command.refuse.leader", {}))
    if other.activated and not is_hero(other):
        reasons.append(("O14.1", "command.refuse.activated", {}))
    away = ctx.position.grid.distance(cell_of(ctx, leader), cell_of(ctx, other))
    if radius is not None and away > radius:
        reasons.append(("3.3.1.1", "command.refuse.too_far", {"distance": away, "radius": radius}))
    return reasons
