"""Events: what each of the 35 does, whom the player may or must choose, and what changes on the board.

What cannot be done is left out, all that can is done, in the order written; no roll made here triggers anything. Each
family of events is resolved by one function, registered in ``FAMILIES``; the table ``events`` says which is whose.

**Rule:** E42.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from tutor.core.arguments import Cell, Offered, Offering, Roll, Side
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.arguments import ArrivingUnit, EventName, ThenOffered, WhereTo
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.repair import mends
from tutor.games.combat_commander.units import is_unit, places, weapons_of
from tutor.games.combat_commander.victory import unit_worth

SIDES = ("axis", "allies")
#: Markers that a unit loses when it leaves play.
MARKERS: tuple[str, ...] = ("suppressed", "veteran")


@dataclass(frozen=True, slots=True)
class Call:
    """An event as drawn.

    Args:
        name: row of the table of events.
        rule: its id.
        side: who drew it.
        cell: the random hex.
        choose: what the player chooses, then: what he chooses next.
        roll: dice, where one is rolled.
        wind: direction of the wind, 1 to 6.
        smoke: number of the smoke marker drawn.
        kind: unit that arrives.
        others: what is chosen besides ``then``.
        flee: unit id -> hex where its owner takes it out of a fire.
        mended: what the random hex did to the broken weapons, by id.
    """

    name: str
    rule: str
    side: str
    cell: str | None = None
    choose: str | None = None
    roll: Sequence[int] | None = None
    wind: int | None = None
    smoke: int | None = None
    kind: str = "squad"
    then: str | None = None
    others: tuple[str, ...] = ()
    flee: Mapping[str, str] = field(default_factory=dict)
    mended: Mapping[str, str] = field(default_factory=dict)

    @property
    def enemy(self) -> str:
        """The other side."""
        return "allies" if self.side == "axis" else "axis"


@dataclass(frozen=True, slots=True)
class Event(Offering):
    """What an event does.

    Args:
        options: units or hexes among which the player chooses.
        must: he has to, when there is one.
        affected: units or hexes that change.
        effect: how.
        points: victory points won by who drew it, below 0 when the enemy wins them.
        changes: what changes on the board, as paths of the position.
    """

    options: tuple[str, ...] = ()
    must: bool = True
    affected: tuple[str, ...] = ()
    effect: str = "nothing"
    points: int = 0
    changes: Mapping[str, Any] = field(default_factory=dict)


Family = Callable[[Context, Call], Event]
FAMILIES: dict[str, Family] = {}
#: Families of events that strike at a random hex.
RANDOM_HEX = frozenset({"marker", "fire", "nearest_hex", "nearest_unit", "nearest_weapon", "arrival"})


def family(name: str) -> Callable[[Family], Family]:
    """Register the function that resolves a family of events."""

    def register(function: Family) -> Family:
        FAMILIES[name] = function
        return function

    return register


#: The sections of the 35 events, one after the other; those with a point (E44.1…) belong to what the event leaves.
SECTIONS = tuple(f"E{number}" for number in range(43, 78))


@GAME.question(
    "event",
    rules=("E42", "1.9.1.1", "1.7", *SECTIONS),
    label="Que fait cet Événement ?",
    theme="Cartes, dés et Événements",
)
def event(
    ctx: Context,
    name: EventName,
    side: Side,
    cell: Cell | None = None,
    choose: Offered | None = None,
    roll: Roll | None = None,
    wind: Annotated[int | None, "Dé du vent"] = None,
    smoke: Annotated[int | None, "Fumigène tiré"] = None,
    kind: ArrivingUnit = "squad",
    then: ThenOffered | None = None,
    flee: WhereTo | None = None,
) -> Event:
    """What an event does on this board, and whom or what the player who drew it may choose.

    Args:
        name: the event, such as shell_shock.
        side: axis or allies, who drew it.
        cell: the random hex, for the events that need one.
        choose: unit, weapon, hex, chit or card that he chooses or draws.
        roll: dice, for Commissar.
        wind: 1 to 6, for Breeze.
        smoke: value of the smoke marker drawn.
        kind: leader, team, squad or radio, for a unit that arrives.
        then: the second choice: hex of a unit that returns, unit that gets a weapon, that a Hero rallies, that breaks,
            or a list where each player has one.
        flee: unit id -> hex, for units that a fire drives out; the others go where ``choose`` says.

    Returns:
        The options, what is affected, and the changes; refused when a choice is not one of the options.

    Raises:
        RequestError: unknown event or side, or something that this event needs is missing.
        UnknownHex: not on the board. PositionError: no such piece.

    **Rule:** E42, 1.7, 1.8, 1.9.1.1, 11.4.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "event", name="kia", side="axis").value.options
    ('peloton-k8',)
    """
    table = ctx.game.tables["events"]
    row = name if name.startswith("event_") else f"event_{name}"
    if row not in table.rows or side not in SIDES:
        known = ", ".join(r.removeprefix("event_") for r in table.rows)
        raise RequestError(f"« {name} », « {side} » : événement ou camp inconnu.", remedy=f"Événements : {known}.")
    if cell is not None:
        ctx.position.grid.check(cell)
    named = (then,) if isinstance(then, str) else tuple(then or ())
    first, rule = next(iter(named), None), table.cell(row, "family").rule
    call = Call(row, rule, side, cell, choose, roll, wind, smoke, kind, first, named[1:], flee or {})
    ctx.step(call.rule, "event.drawn", "input", value=row, side=side)
    resolve = str(table.get(row, "family"))
    if cell is not None and resolve in RANDOM_HEX:
        ctx.step("1.8", "event.random_hex", "input", value=cell, where=hexes(cell))
        call = replace(call, mended=mends(ctx, cell))
    outcome = FAMILIES[resolve](ctx, call)
    return replace(outcome, changes={**_repairs(call), **outcome.changes})


def _repairs(call: Call) -> dict[str, Any]:
    """Changes of the weapons that the random hex repaired or eliminated. **Rule:** 11.4."""
    changes: dict[str, Any] = {}
    for weapon, result in call.mended.items():
        if result == "fixed":
            changes[f"piece.{weapon}.status.broken"] = False
        elif result == "eliminated":
            changes |= {f"piece.{weapon}.carrier": None, f"piece.{weapon}.status.eliminated": True}
    return changes


def cell_needed(call: Call) -> str:
    """The random hex of an event that has one.

    Raises:
        RequestError: it was not given.
    """
    if call.cell is None:
        raise RequestError("Cet Événement demande un Hex Aléatoire.", remedy="Choisissez l’hex tiré.")
    return call.cell


def effect_of(ctx: Context, call: Call) -> str:
    """What the table says an event does to what it affects."""
    return str(ctx.table("events").peek(call.name, "effect"))


def must_choose(ctx: Context, call: Call) -> bool:
    """Whether the player has to choose. **Rule:** E42."""
    return bool(ctx.table("events").peek(call.name, "must"))


def on_board(ctx: Context, side: str | None = None) -> list[Piece]:
    """Units on the board, of one side or of both."""
    return [
        p
        for p in ctx.position.pieces
        if is_unit(p) and side in (None, p.side) and ctx.position.hex_of(p.id) is not None
    ]


def _gone(ctx: Context, unit: Piece) -> dict[str, Any]:
    """A unit leaves play without its markers, its weapon too; a Hero goes back to the box.

    **Rule:** 4.2, E44.1, E58.1.
    """
    changes: dict[str, Any] = {f"piece.{unit.id}.at": None}
    lost = [name for name in MARKERS if name in unit.status]
    if is_hero(unit):
        ctx.step("E58.1", "event.hero_leaves", value=True, where=places(unit), piece=unit.id)
        lost += ["broken"]
    else:
        changes[f"piece.{unit.id}.status.eliminated"] = True
    changes |= {f"piece.{unit.id}.status.{name}": False for name in lost}
    for weapon in weapons_of(ctx, unit):
        ctx.step("4.2", "event.weapon_lost", value=True, where=places(weapon), piece=weapon.id)
        changes |= {f"piece.{weapon.id}.carrier": None, f"piece.{weapon.id}.status.eliminated": True}
    return changes


def outcome(ctx: Context, unit: Piece, effect: str) -> tuple[str, dict[str, Any]]:
    """What an effect makes of a unit, and the changes of the position. **Rule:** 3.2.4, 3.2.5."""
    if effect == "broken" and "broken" in unit.status and ctx.on("3.2.4"):
        ctx.step("3.2.4", "event.second_break", value=True, where=places(unit), piece=unit.id)
        effect = "eliminated"
    if effect == "eliminated":
        return effect, _gone(ctx, unit)
    if effect == "rallied":
        return effect, {f"piece.{unit.id}.status.broken": False}
    if effect == "deployed":
        return effect, {}
    return effect, {f"piece.{unit.id}.status.{effect}": True}


def hit(ctx: Context, call: Call, units: Iterable[Piece], effect: str, options: tuple[str, ...] = ()) -> Event:
    """The event that befalls some units, and the points that those eliminated give. **Rule:** 3.2.5, 7.1."""
    ctx.settle()
    changes: dict[str, Any] = {}
    struck: dict[str, list[Piece]] = {}
    for unit in units:
        state, more = outcome(ctx, unit, effect)
        changes |= more
        struck.setdefault(state, []).append(unit)
    for state, those in struck.items():
        rule = "3.2.5" if state == "rallied" else call.rule
        named, cells = [unit.id for unit in those], list(dict.fromkeys(unit.at for unit in those))
        ctx.step(rule, f"event.unit_{state}", value=state, where=places(*those), pieces=named, cells=cells)
    points = 0
    for unit in struck.get("eliminated", ()):
        worth = int(unit_worth.function(ctx, unit.id))
        points += worth if unit.side == call.enemy else -worth
    done = tuple(unit.id for those in struck.values() for unit in those)
    return Event(options, must_choose(ctx, call), done, next(reversed(struck), "nothing"), points, changes)


def among(ctx: Context, call: Call, named: str | None, options: Iterable[str], word: str = "") -> str | None:
    """What the player named, if it is one of the options; refused otherwise, with its word after a prefix.

    **Rule:** E42.
    """
    if named is None or named in options:
        return named
    code = "event.refuse.unit" if named in ctx.position.by_id else "event.refuse.other"
    ctx.refuse(call.rule, code, value=named, choose=f"{word}{named}")
    return None


def choice(ctx: Context, call: Call, options: tuple[str, ...], where: tuple[Place, ...]) -> str | None:
    """What the player chooses among the options: what he said, the only one he must take, or None."""
    must = must_choose(ctx, call)
    if not options:
        ctx.step("E42", "event.impossible", value=0)
    else:
        code = "event.must_choose" if must else "event.may_choose"
        names = "pieces" if where and where[0].kind == "piece" else "cells"
        listed: dict[str, Any] = {names: list(options)}
        if names == "pieces":
            cells = list(dict.fromkeys(ctx.position.hex_of(name) for name in options))
            names, listed["cells"] = "gone" if None in cells else names, cells
        ctx.step(call.rule, f"{code}_{names}", "choice", value=len(options), where=where, **listed)
    if call.choose is None:
        return options[0] if must and len(options) == 1 else None
    return among(ctx, call, call.choose, options)
