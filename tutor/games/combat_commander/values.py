"""Effective values of a unit or weapon: what is printed, and every leader, marker and terrain that changes it.

**Rule:** 3.1, 3.2.1, 3.3.1.2, 3.3.1.3, 11.1, 13.2, E44.1, F106.1, T78.3, T93.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import Cells, PieceId
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import command_bonus, command_of
from tutor.games.combat_commander.arguments import CoverChoice, Danger, ValueNames
from tutor.games.combat_commander.fire.cover import cover, sources_of
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import (
    AS_PLACED,
    RULE_OF,
    UNIT_OF,
    Troops,
    boxed,
    cell_of,
    is_unit,
    places,
    printed,
    weapons_of,
)

QUALITIES = ("fp", "range", "move", "morale", "command")


def effective(
    ctx: Context, piece: Piece, quality: str, troops: Troops = AS_PLACED, *, on_road: bool = False, led: bool = True
) -> int:
    """A value of a piece after leaders and markers; cover not included.

    Args:
        ctx: computation.
        piece: unit or weapon.
        quality: fp, range, move or morale.
        troops: markers of the moment.
        on_road: the unit has entered a road hex in this order.
        led: leaders of its hex add their command.

    Returns:
        The value; below 0 as the reading ``value_floor`` says.

    Raises:
        UnknownValue: its counter is not known.
    """
    parts: list[int] = []
    terms = {"piece": piece.id, "quality": quality, "amounts": parts}
    with ctx.group(RULE_OF[quality], "value.total", where=places(piece), **terms) as step:
        amounts = [printed(ctx, piece, quality, troops), command_bonus(ctx, piece, troops) if led else 0]
        if is_unit(piece):
            amounts.append(markers(ctx, piece, quality, troops))
            if quality == "move":
                amounts.append(_burden(ctx, piece))
                if on_road and ctx.on("T93"):
                    amounts.append(int(ctx.table("ways").get("road", "bonus", places(piece))))
        amount = sum(amounts)
        if amount < 0:
            amount = _floored(ctx, quality, amount)
        else:
            parts += [part for part in amounts if part]
        step.value, step.unit = amount, UNIT_OF[quality] or None
    return amount


def _floored(ctx: Context, quality: str, amount: int) -> int:
    """What becomes of a value below 0, by the reading ``value_floor``. **Rule:** 3.1."""
    floor = ctx.setting("value_floor")
    if floor == "all" or (floor == "range_move" and quality in ("range", "move")):
        ctx.step(RULE_OF[quality], "value.floor", value=0, note="interprétation", was=amount)
        return 0
    ctx.step(RULE_OF[quality], "value.below", value=amount, note="interprétation")
    return amount


def markers(ctx: Context, unit: Piece, quality: str, troops: Troops = AS_PLACED) -> int:
    """What suppression, experience and wire add to a value of a unit. **Rule:** 13.2, E44.1, F106.1."""
    statuses, amount = troops.of(unit), 0
    table = ctx.table("statuses")
    if "suppressed" in statuses and ctx.on("13.2"):
        amount += int(table.get("suppressed", quality, places(unit)))
    if "veteran" in statuses and ctx.on("E44.1"):
        amount += int(table.get("veteran", quality, places(unit)))
    cell = cell_of(ctx, unit)
    if quality != "move" and ctx.position.marker("fortification", cell) == "wire" and ctx.on("F106.1"):
        amount += int(table.get("in_wire", quality, hexes(cell)))
    return amount


def _burden(ctx: Context, unit: Piece) -> int:
    burden = 0
    for weapon in weapons_of(ctx, unit) if ctx.on("11.1") else ():
        with ctx.group("11.1", "value.burden", where=places(unit), weapon=weapon.id) as step:
            weight = printed(ctx, weapon, "move")
            step.value, step.unit = weight, "PM"
        burden += weight
    return burden


def morale_in(ctx: Context, unit: Piece, covering: int, troops: Troops = AS_PLACED) -> int:
    """Morale of a unit with the cover of its hex already known. **Rule:** 3.1.4, T78.3."""
    if not ctx.on("3.1.4"):
        covering = 0
    parts: list[int] = []
    code = "value.morale" if covering else "value.morale_bare"
    with ctx.group("3.1.4", code, where=places(unit), piece=unit.id, amounts=parts) as step:
        amount = effective(ctx, unit, "morale", troops)
        parts += [amount, covering] if covering else ()
        cell = cell_of(ctx, unit)
        code, sources = sources_of(ctx, cell, covering)
        ctx.step("T78.3", code, value=covering, where=hexes(cell), cell=cell, sources=sources)
        step.value = amount + covering
    return amount + covering


@GAME.question(
    "morale",
    rules=("3.1.4", "T78.3", "3.3.1.2", "13.2", "E44.1"),
    label="Quel est son Moral ?",
    theme="Unités et Moral",
    common=True,
    quiet=True,
)
def morale(
    ctx: Context,
    piece: PieceId,
    against: Danger = "nothing",
    firing_from: Annotated[Cells, "D’où l’on tire"] = (),
    choose: CoverChoice | None = None,
) -> int:
    """Effective Morale of a unit, cover included.

    Args:
        piece: id of the unit.
        against, firing_from, choose: see :func:`cover`.

    Returns:
        Its Morale.

    Raises:
        PositionError: no such piece. UnknownHex: a firing hex is not on the board.

    **Rule:** 3.1.4, T78.3, 3.3.1.2, 13.2, E44.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "morale", piece="peloton-us").value
    5
    """
    unit = _unit(ctx, piece)
    return morale_in(ctx, unit, cover.function(ctx, cell_of(ctx, unit), against, firing_from, choose).value)


@dataclass(frozen=True, slots=True)
class Values:
    """Effective values of a piece; None for those it has not, or that were not asked for.

    Args:
        fp, range, move, morale, command: the values; morale includes cover.
        min_range: least range, for weapons that have one.
        boxed: which values of the face shown are boxed.
    """

    fp: int | None
    range: int | None
    move: int | None
    morale: int | None
    command: int | None
    min_range: int | None
    boxed: tuple[str, ...]


@GAME.question(
    "values",
    rules=("3.1", "3.2.1", "3.3.1.2", "3.3.1.3", "13.2", "E44.1", "F106", "F106.1"),
    label="Que vaut ce pion maintenant ?",
    theme="Unités et Moral",
    common=True,
)
def values(ctx: Context, piece: PieceId, only: ValueNames | None = None) -> Values:
    """Effective values of a unit or weapon, as they stand.

    Args:
        piece: its id.
        only: fp, range, move, morale, command; None: all that the piece has.

    Returns:
        The values; morale includes the cover of the hex.

    Raises:
        PositionError: no such piece. RequestError: an unknown value name.

    **Rule:** 3.1, 3.2.1, 3.3.1.2, 3.3.1.3, 11.1, 13.2, E44.1, F106.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "values", piece="peloton-l8", only=["fp"]).value.fp
    6
    """
    counter = ctx.position.piece(piece)
    wanted = _wanted(counter, only)
    amounts: dict[str, int] = {}
    for quality in wanted:
        if quality == "command":
            amounts[quality] = command_of(ctx, counter)
        elif quality == "morale":
            amounts[quality] = morale_in(ctx, counter, cover.function(ctx, cell_of(ctx, counter)).value)
        else:
            amounts[quality] = effective(ctx, counter, quality)
    least = printed(ctx, counter, "min_range") if "range" in wanted and not is_unit(counter) else None
    return Values(
        amounts.get("fp"),
        amounts.get("range"),
        amounts.get("move"),
        amounts.get("morale"),
        amounts.get("command"),
        least,
        tuple(q for q in ("fp", "range", "move") if boxed(ctx, counter, q)),
    )


def _wanted(piece: Piece, only: Iterable[str] | None) -> list[str]:
    has = ["fp", "range"] if not is_unit(piece) else [q for q in QUALITIES if q != "command" or piece.kind == "leader"]
    if only is None:
        return has
    unknown = [q for q in only if q not in QUALITIES]
    if unknown:
        raise RequestError(
            f"« {unknown[0]} » n’est pas une caractéristique.", remedy=f"Choisissez parmi {', '.join(QUALITIES)}."
        )
    return [q for q in has if q in only]


def _unit(ctx: Context, piece_id: str) -> Piece:
    unit = ctx.position.piece(piece_id)
    if not is_unit(unit):
        raise RequestError(
            f"« {unit.name or unit.id} » n’est pas une unité.", remedy="Choisissez un Chef, une Équipe ou un Peloton."
        )
    return unit
