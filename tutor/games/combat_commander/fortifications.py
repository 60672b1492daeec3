"""Fortifications placed, taken away or hidden: where a marker may lie, and the actions that bring or remove one.

**Rule:** F100.2, F100.3, 8.1.3, 8.1.4, 8.1.5, A31, A32, A35.1, A35.2, A35.3, A35.4, A35.5.
"""

from __future__ import annotations

from typing import Annotated

from tutor.core.arguments import Cell, Cells, Side
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import FortificationKind
from tutor.games.combat_commander.fire.cover import cover
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.ground import is_aquatic, is_impassable, smoke_drawn, smoke_left
from tutor.games.combat_commander.units import is_unit


def fits(ctx: Context, rule: str, kind: str, cell: str) -> None:
    """Refuse a hex where no fortification may be placed, for every reason.

    Args:
        ctx: computation.
        rule: of the action or event that places it.
        kind: fortification.
        cell: hex.

    **Rule:** F100.3, 8.1.3, 8.1.5.
    """
    there = ctx.position.marker("fortification", cell)
    if is_aquatic(ctx, cell):
        ctx.refuse("F100.3", "fort.refuse.aquatic", where=hexes(cell), cell=cell, kind=kind)
    if there is not None and ctx.on("8.1.3"):
        ctx.refuse("8.1.3", "fort.refuse.first", where=hexes(cell), cell=cell, there=there, kind=kind)
    if ctx.position.marker("blaze", cell):
        ctx.refuse("8.1.5", "fort.refuse.blaze", where=hexes(cell), cell=cell)
    if not ctx.refusals:
        ctx.step(rule, "fort.placed", value=kind, where=hexes(cell), cell=cell, kind=kind)


@GAME.question(
    "fortify",
    rules=("F100.3", "8.1.3", "8.1.5", "F100.1", "T89", "T95", "T98"),
    label="Peut-on fortifier cet hex ?",
    theme="Fortifications et Mines",
)
def fortify(ctx: Context, kind: FortificationKind, cell: Cell) -> str:
    """Whether a fortification may be placed in a hex.

    Args:
        kind: foxholes, trench, pillbox, bunker, mines or wire.
        cell: the hex.

    Returns:
        The fortification that lies there afterwards; refused when the new one may not be placed.

    Raises:
        UnknownHex: not on the board. RequestError: no such fortification.

    **Rule:** F100.1, F100.3, 8.1.3, 8.1.5.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "fortifications")
    >>> [s.rule for s in ask(position, "fortify", kind="foxholes", cell="C3").refusals]
    ['8.1.3']
    """
    ctx.position.grid.check(cell)
    known = tuple(ctx.game.tables["fortifications"].rows)
    if kind not in known:
        raise RequestError(f"« {kind} » n’est pas une Fortification.", remedy=f"Choisissez parmi {', '.join(known)}.")
    ctx.step("F100.1", "fort.one_of", "input", value=len(known), kind_of=kind)
    fits(ctx, "F100.3", kind, cell)
    return kind if not ctx.refusals else str(ctx.position.marker("fortification", cell) or "none")


@GAME.question(
    "smoke_marker",
    rules=("8.1.4", "8.1.5", "T94"),
    label="Quels Fumigènes restent ?",
    theme="Artillerie et Fumigènes",
)
def smoke_marker(ctx: Context, cell: Cell, value: Annotated[int, "Valeur"]) -> int:
    """Which smoke stays in a hex when a marker is placed there.

    Args:
        cell: the hex.
        value: hindrance of the new marker, 1 to 10.

    Returns:
        Hindrance of the smoke that stays; refused where no smoke may lie.

    Raises:
        UnknownHex: not on the board. RequestError: no such marker.

    **Rule:** 8.1.4, 8.1.5, T89, T94, T95, T98.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> ask(position, "smoke_marker", cell="M8", value=2).value
    3
    """
    ctx.position.grid.check(cell)
    drawn = smoke_drawn(ctx, value)
    if is_aquatic(ctx, cell):
        ctx.refuse("T94", "smoke.refuse.aquatic", where=hexes(cell), cell=cell)
    if ctx.position.marker("blaze", cell):
        ctx.refuse("8.1.5", "fort.refuse.blaze", where=hexes(cell), cell=cell)
    return drawn if ctx.refusals else smoke_left(ctx, cell, drawn)


def friendly_units(ctx: Context, side: str, cell: str) -> bool:
    """Whether a side has a unit in a hex."""
    return any(is_unit(p) for p in ctx.position.pieces_at(cell, side))


@GAME.question(
    "demolitions",
    rules=("A31", "F100.2"),
    label="Démolition peut-elle être jouée ?",
    theme=("Ordres et Actions", "Fortifications et Mines"),
)
def demolitions(
    ctx: Context,
    side: Side,
    cell: Cell,
    discarded: Annotated[int, "Défaussées"] = 1,
    by_event: Annotated[bool, "À cause d’un Événement"] = False,
) -> str:
    """Whether Demolitions may be played: the enemy passes and discards; a fortification beside one's own units goes.

    Args:
        side: who plays it.
        cell: hex of the fortification.
        discarded: cards the enemy has just discarded.
        by_event: he discarded because of an event.

    Returns:
        The fortification eliminated; refused with every reason.

    Raises:
        UnknownHex: not on the board.

    **Rule:** A31, F100.2, O15.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "fortifications")
    >>> ask(position, "demolitions", side="axis", cell="C3").value
    'trench'
    """
    ctx.position.grid.check(cell)
    there = ctx.position.marker("fortification", cell)
    if discarded < 1 or by_event:
        ctx.refuse("A31", "fort.refuse.no_pass", by_event=by_event)
    if there is None:
        ctx.refuse("A31", "fort.refuse.none", where=hexes(cell), cell=cell)
    if not friendly_units(ctx, side, cell):
        ctx.refuse("A31", "fort.refuse.no_friend", where=hexes(cell), cell=cell, side=side)
    if not ctx.refusals:
        ctx.step("F100.2", "fort.ways_out", value=there, where=hexes(cell))
        ctx.step("A31", "fort.demolished", value=there, where=hexes(cell), cell=cell, kind=there)
    return str(there or "none")


@GAME.question(
    "dig_in",
    rules=("A32",),
    label="Peut-elle s’enterrer ici ?",
    theme="Fortifications et Mines",
)
def dig_in(
    ctx: Context, side: Side, cell: Cell, time_advanced: Annotated[bool, "Le Temps vient d’avancer"] = True
) -> bool:
    """Whether Dig In may put foxholes in a hex.

    Args:
        side: who plays it.
        cell: the hex.
        time_advanced: the Time marker has just been advanced.

    Returns:
        True when nothing refuses it.

    Raises:
        UnknownHex: not on the board.

    **Rule:** A32, F100.3, 8.1.3, 8.1.5.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "fortifications"), "dig_in", side="axis", cell="B3").value
    True
    """
    ctx.position.grid.check(cell)
    if not time_advanced:
        ctx.refuse("A32", "fort.refuse.no_time")
    if not friendly_units(ctx, side, cell):
        ctx.refuse("A32", "fort.refuse.no_friend", where=hexes(cell), cell=cell, side=side)
    fits(ctx, "A32", "foxholes", cell)
    return not ctx.refusals


def covered(ctx: Context, rule: str, kind: str, cell: str) -> int:
    """Cover of a hex against a fire once a fortification lies there. **Rule:** F102, F104."""
    origin = ctx.position
    ctx.position = origin.change({f"marker.fortification.{cell}": kind})
    try:
        gives = int(cover.function(ctx, cell, "fire").value)
        ctx.step(rule, "fort.covers", value=gives, where=hexes(cell), cell=cell)
        return gives
    finally:
        ctx.position = origin


def shelters(ctx: Context, cell: str) -> None:
    """Refuse a hex where no hidden unit may appear: somebody stands there, or it gives no cover.

    **Rule:** A35.4, T79, T98.
    """
    if any(is_unit(p) for p in ctx.position.pieces_at(cell)):
        ctx.refuse("A35.4", "fort.refuse.occupied", where=hexes(cell), cell=cell)
    least = int(ctx.table("limits").peek("hidden_cover", "value"))
    if cover.function(ctx, cell).value < least and not is_impassable(ctx, cell):
        ctx.refuse("A35.4", "fort.refuse.cover", where=hexes(cell), cell=cell, least=least)


@GAME.question(
    "hidden_unit",
    rules=("A35.4",),
    label="L’unité cachée peut-elle paraître ici ?",
    theme="Fortifications et Mines",
)
def hidden_unit(
    ctx: Context,
    side: Side,
    cell: Cell,
    zone: Annotated[Cells, "Zone"] = (),
    discarded: Annotated[int, "Défaussées"] = 1,
) -> bool:
    """Whether a hidden unit may appear in a hex; the Support Table itself is printed on the player aids.

    Args:
        side: who plays it.
        cell: the hex.
        zone: hexes of his set-up area, empty when the scenario is not told.
        discarded: cards the enemy has just discarded when passing.

    Returns:
        True when nothing refuses it.

    Raises:
        UnknownHex: not on the board.

    **Rule:** A35, A35.4, O15, T79, T98.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "fortifications"), "hidden_unit", side="axis", cell="A1").outcome
    'refused'
    """
    ctx.position.grid.check(cell)
    if ctx.position.state.get("defender") != side:
        ctx.refuse("A35", "fort.refuse.defender", side=side)
    if discarded < 1:
        ctx.refuse("A35.4", "fort.refuse.no_pass", by_event=False)
    if zone and cell not in zone:
        ctx.refuse("A35.4", "fort.refuse.zone", where=hexes(cell), cell=cell)
    shelters(ctx, cell)
    if not ctx.refusals:
        ctx.step("A35.4", "fort.unit", value=True, where=hexes(cell), cell=cell)
    return not ctx.refusals
