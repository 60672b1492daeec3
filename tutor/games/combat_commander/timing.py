"""Actions: at which moment each may be played, by whom, in which hexes, and what it does.

The conditions of fire actions (adjacency, boxed values, movement) are judged with the fire itself, in ``actions``.

**Rule:** A24, A24.1, A24.2, A25 to A41, A35.1, A35.2, A35.3, A35.4, A35.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor.core.arguments import Cell, Side
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import ActionName, Moment
from tutor.games.combat_commander.fortifications import covered, fits, shelters
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import is_unit
from tutor.games.combat_commander.victory import objective_hexes, objectives_on

MOMENTS = (
    "fire_roll",
    "defence_roll",
    "own_move",
    "enemy_move",
    "enemy_entered",
    "enemy_retreated",
    "before_melee",
    "after_melee",
    "enemy_pass",
    "event_discard",
    "time_advanced",
    "squad_breaks",
)
SHELTERS = ("foxholes", "pillbox")
PLACED = (*SHELTERS, "mines", "wire")


@dataclass(frozen=True, slots=True)
class Played:
    """An action played.

    Args:
        effect: what it does.
        cell: hex where it acts, if any.
        points: victory points won.
        changes: what changes on the board, as paths of the position.
        cover: of the hex against a fire, once it shelters.
    """

    effect: str
    cell: str | None = None
    points: int = 0
    changes: Mapping[str, Any] = field(default_factory=dict)
    cover: int | None = None


@GAME.question(
    "action",
    rules=(
        "A24.1",
        "A25",
        "A26",
        "A28",
        "A31",
        "A32",
        "A33.1",
        "A35",
        "A35.1",
        "A35.2",
        "A35.3",
        "A35.4",
        "A35.5",
        "A38",
    ),
    label="Puis-je jouer cette Action maintenant ?",
    theme="Ordres et Actions",
)
def action(ctx: Context, name: ActionName, side: Side, moment: Moment, cell: Cell | None = None) -> Played:
    """Whether an action may be played now, and what it does.

    Args:
        name: the action, such as dig_in.
        side: axis or allies, who plays it.
        moment: fire_roll, defence_roll, own_move, enemy_move, enemy_entered, enemy_retreated, before_melee,
            after_melee, enemy_pass, event_discard, time_advanced or squad_breaks.
        cell: hex where it would act, for those that act in a hex.

    Returns:
        Its effect; refused with every reason.

    Raises:
        RequestError: unknown action or moment, or a hex is needed. UnknownHex: not on the board.

    **Rule:** A24.1, A25, A26, A28, A31, A32, A33.1, A35, A35.1, A35.2, A35.3, A35.4, A35.5, A38.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "objectifs")
    >>> ask(position, "action", name="dig_in", side="allies", moment="time_advanced", cell="G4").value.effect
    'foxholes'
    """
    table, row = ctx.game.tables["timings"], name if name.startswith("play_") else f"play_{name}"
    if row not in table.rows or moment not in MOMENTS:
        known = ", ".join(r.removeprefix("play_") for r in table.rows)
        raise RequestError(f"« {name} », « {moment} » : action ou moment inconnu.", remedy=f"Actions : {known}.")
    rule = table.cell(row, "moment").rule
    wanted = str(table.get(row, "moment"))
    ctx.step("A24.1", "timing.now", "input", value=moment, action=reader(row))
    if wanted == "never":
        ctx.refuse(rule, "timing.refuse.never", action=row)
    else:
        ctx.step(rule, "timing.when", "table", value=wanted, action=row)
        if moment != wanted and (rule != "A31" or ctx.on("A31")):
            ctx.refuse(rule, "timing.refuse.moment", action=row, wanted=wanted, moment=moment)
    if table.get(row, "defender", False) and ctx.position.state.get("defender") != side and ctx.on("A35"):
        if not rule.startswith("A35"):
            ctx.step("A35", "timing.defender_only", value=False, action=row)
        ctx.refuse("A35" if rule.startswith("A35") else rule, "timing.refuse.defender", action=row, side=side)
    effect = str(table.get(row, "effect"))
    changes: dict[str, Any] = {}
    if effect in PLACED or effect in ("cleared", "arrives"):
        if cell is None:
            raise RequestError("Cette Action agit dans un hex.", remedy="Choisissez cet hex.")
        ctx.position.grid.check(cell)
        changes = _in_hex(ctx, rule, effect, side, cell)
    points = int(table.get(row, "points", 0))
    if rule == "A38":
        _no_quarter(ctx, side)
    if ctx.refusals:
        return Played(effect, cell, points, changes)
    if cell and effect in SHELTERS:
        return Played(effect, cell, points, changes, covered(ctx, rule, effect, cell))
    ctx.step(rule, f"timing.{effect}", value=cell or points, where=hexes(*([cell] if cell else ())), action=row)
    return Played(effect, cell, points, changes)


def _in_hex(ctx: Context, rule: str, effect: str, side: str, cell: str) -> dict[str, Any]:
    """What an action may not do in a hex. **Rule:** A31, A32, A35.1, A35.2, A35.3, A35.4, A35.5, F100.3, 8.1.3."""
    where = hexes(cell)
    fortified = ctx.position.marker("fortification", cell)
    inside = [p for p in ctx.position.pieces_at(cell) if is_unit(p)]
    mine = [p for p in inside if p.side == side]
    if effect == "cleared":
        if not fortified:
            ctx.refuse(rule, "timing.refuse.nothing", where=where, cell=cell)
        if not mine:
            ctx.refuse(rule, "timing.refuse.nobody", where=where, cell=cell)
        return {f"marker.fortification.{cell}": None}
    if effect == "arrives":
        shelters(ctx, cell)
        ctx.step("A35.4", "timing.support", value=None)
        return {}
    if rule in ("A32", "A35.1", "A35.3") and not mine:
        ctx.refuse(rule, "timing.refuse.nobody", where=where, cell=cell)
    if rule in ("A35.2", "A35.5") and not [p for p in inside if p.side != side]:
        ctx.refuse(rule, "timing.refuse.no_entry", where=where, cell=cell)
    if rule == "A35.1" and ctx.position.terrain_of.get(cell) == "building":
        ctx.refuse(rule, "timing.refuse.building", where=where, cell=cell)
    if rule == "A35.3":
        if not _in_objective(ctx, cell):
            ctx.refuse(rule, "timing.refuse.objective", where=where, cell=cell)
        elsewhere = [c for c, kind in ctx.position.markers.get("fortification", {}).items() if kind == "pillbox"]
        if elsewhere:
            ctx.refuse(rule, "timing.refuse.in_play", where=hexes(*elsewhere), cell=elsewhere[0])
    fits(ctx, rule, effect, cell)
    return {f"marker.fortification.{cell}": effect}


def _in_objective(ctx: Context, cell: str) -> bool:
    """Whether a hex is one of an objective, all of its building included. **Rule:** A35.3, 7.3.1.1, T82."""
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    numbers = [n for n in objectives_on(ctx) if cell in objective_hexes(silent, n)]
    ctx.consulted |= silent.consulted
    chits = ctx.position.markers.get("objective", {})
    if numbers and chits.get(cell) not in numbers:
        ctx.step("7.3.1.1", "timing.same_building", value=numbers[0], where=hexes(cell), cell=cell)
    return bool(numbers)


def _no_quarter(ctx: Context, side: str) -> None:
    """Germans against Russians, or Russians against anyone, with a unit left. **Rule:** A38."""
    mine = {p.nation for p in ctx.position.pieces if p.side == side}
    theirs = {p.nation for p in ctx.position.pieces if p.side != side}
    if "russia" not in mine and not ("germany" in mine and "russia" in theirs):
        ctx.refuse("A38", "timing.refuse.nations", side=side)
