"""Advance: one hex, whatever it costs, into the enemy's hex if one likes; the mines of the way attack.

**Rule:** O16.1, O16.2, O16.3, 7.2.1, F103.1, F103.2, F106.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tutor.core.arguments import Cell, PieceId
from tutor.core.context import Context
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.arguments import MinesMet, MinesRoll
from tutor.games.combat_commander.edges import crosses, enemy_edge
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.mines import Mined, crossing, never_met, trace_number
from tutor.games.combat_commander.step_cost import barriers
from tutor.games.combat_commander.units import cell_of, is_unit, places, weapons_of

Reason = tuple[str, str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Advance:
    """Where a unit may advance.

    Args:
        start: hex it stands in.
        cell: hex it wants to enter, ``exit``, or None when only listing.
        reach: hexes it may enter, in board order of the six sides.
        exit: whether it may leave the map.
        melee: hexes of ``reach`` where it would meet the enemy.
        mines: hexes left or entered that hold mines.
        attacks: of those mines, in order, pending when their roll is not given.
    """

    start: str
    cell: str | None
    reach: tuple[str, ...]
    exit: bool
    melee: tuple[str, ...]
    mines: tuple[str, ...]
    attacks: tuple[Mined, ...] = ()


@GAME.question(
    "advance",
    rules=("O16.1", "O16.2", "O16.3"),
    label="Cette avance est-elle permise ?",
    theme="Mouvement",
)
def advance(
    ctx: Context,
    piece: PieceId,
    cell: Cell | None = None,
    mines: MinesMet = (),
) -> Advance:
    """Whether a unit may advance into a hex, or into which hexes it may, and what the mines on its way do to it.

    Args:
        piece: id of the unit.
        cell: hex it would enter, ``exit`` to leave by the enemy's edge, None to list them all.
        mines: rolls of the mines met, in order: ``at`` (mined hex), ``roll``, ``defence``, as for ``mines``.

    Returns:
        The hexes it may enter; refused when ``cell`` is not one of them, with every reason.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: a roll badly described.

    **Rule:** O16.1, O16.2, O16.3, T79, T80.1, T83, T98, 7.2.1, F103.1, F103.2, F106.2.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> ask(position, "advance", piece="peloton-j6").value.reach[:2]
    ('J5', 'K6')
    """
    unit = ctx.position.piece(piece)
    start = cell_of(ctx, unit)
    if not is_unit(unit):
        ctx.refuse("11.1", "advance.refuse.weapon", where=places(unit), piece=piece)
    elif unit.activated not in (None, "advance") and not is_hero(unit):
        ctx.refuse("O14.1", "command.refuse.activated", where=places(unit), piece=piece)
    _trace_cliffs(ctx, start, ctx.position.grid.neighbours(start) if cell is None else (cell,))
    _trace_enemies(ctx, unit, start)
    out = _may_exit(ctx, unit, start)
    if cell is not None and cell != "exit":
        _check(ctx, unit, start, cell)
    elif cell == "exit" and not out:
        ctx.refuse("O16.3", "advance.refuse.edge", where=hexes(start), cell=start)
    ctx.settle()
    reach = []
    for other in ctx.position.grid.neighbours(start):
        reasons = closed(ctx, unit, start, other)
        if not reasons:
            reach.append(other)
        elif cell is None:
            for rule, code, operands in reasons:
                ctx.step(rule, code.replace(".refuse.", ".closed."), value=False, where=hexes(other), **operands)
    _trace_climbs(ctx, unit, start, [other for other in reach if other != cell])
    met = tuple(c for c in reach if _enemies(ctx, unit, c))
    mined = tuple(c for c in (start, cell) if c and c != "exit" and _fortification(ctx, c) == "mines")
    if ctx.refusals:
        return Advance(start, cell, tuple(reach), out, met, mined)
    rolls = list(mines)
    attacks = _complete(ctx, unit, start, cell, reach, met, rolls)
    never_met(ctx, rolls)
    return Advance(start, cell, tuple(reach), out, met, mined, attacks)


def _trace_cliffs(ctx: Context, start: str, cells: Iterable[str]) -> None:
    """Say which hexes a cliff parts from the one left: no Move crosses it, an advance may. **Rule:** T83."""
    for cell in cells:
        if cell in ctx.position.grid and ctx.position.grid.distance(start, cell) == 1:
            side = ctx.position.canonical_side(f"{start}/{cell}")
            if ctx.position.sides_of.get(side) == "cliff":
                ctx.step("T83", "advance.cliff_met", value=True, where=(Place("side", side),), start=start, end=cell)


def _cliff_between(ctx: Context, start: str, cell: str) -> bool:
    return ctx.position.sides_of.get(ctx.position.canonical_side(f"{start}/{cell}")) == "cliff"


def _trace_climbs(ctx: Context, unit: Piece, start: str, reach: Iterable[str]) -> None:
    """Say which hexes of its reach lie beyond a cliff, besides the one it wants. **Rule:** O16.2."""
    climbed = [cell for cell in reach if _cliff_between(ctx, start, cell)]
    if climbed:
        ctx.step("O16.2", "advance.climbs", value=True, where=hexes(*climbed), cells=climbed, piece=unit.id)


def _trace_enemies(ctx: Context, unit: Piece, start: str) -> None:
    """Say that an advance may enter the hexes that the enemy holds, as no Move may. **Rule:** O16.2."""
    occupied = [other for other in ctx.position.grid.neighbours(start) if _enemies(ctx, unit, other)]
    if occupied and ctx.on("O16.2"):
        ctx.step("O16.2", "advance.against", value=True, where=hexes(*occupied), cells=occupied)


def closed(ctx: Context, unit: Piece, start: str, cell: str) -> list[Reason]:
    """Why a unit may not advance into an adjacent hex: rule, code, operands of each reason.

    Args:
        ctx: computation.
        unit: who advances.
        start: hex left.
        cell: hex entered.

    **Rule:** O16.2, O16.3, T79, T80.1, T83, T98.
    """
    reasons: list[Reason] = []
    for rule, code, _, operands in barriers(ctx, start, cell):
        name = code.rpartition(".")[2]
        if rule == "T83":
            if weapons_of(ctx, unit) or not ctx.on("O16.2"):
                reasons.append(("O16.2", "advance.refuse.cliff", {**operands, "piece": unit.id}))
        else:
            reasons.append((rule, f"advance.refuse.{name}", {"start": start, "cell": cell, **operands}))
    if _enemies(ctx, unit, cell) and not ctx.on("O16.2"):
        reasons.append(("O16.2", "advance.refuse.enemy", {"cell": cell}))
    return reasons


def _check(ctx: Context, unit: Piece, start: str, cell: str) -> None:
    """Refuse one hex, for every reason."""
    ctx.position.grid.check(cell)
    if ctx.position.grid.distance(start, cell) != 1:
        ctx.refuse("O16.1", "advance.refuse.not_adjacent", where=hexes(start, cell), start=start, cell=cell)
        return
    for rule, code, operands in closed(ctx, unit, start, cell):
        ctx.refuse(rule, code, where=hexes(cell), **operands)


def _enemies(ctx: Context, unit: Piece, cell: str) -> bool:
    return any(is_unit(p) and p.side != unit.side for p in ctx.position.pieces_at(cell))


def _fortification(ctx: Context, cell: str) -> str | None:
    kind = ctx.position.marker("fortification", cell)
    return str(kind) if kind is not None else None


def _may_exit(ctx: Context, unit: Piece, start: str) -> bool:
    """Whether it stands along the enemy's edge. **Rule:** O16.2, 7.2.1."""
    edge = enemy_edge(ctx, unit.side)
    return edge is not None and crosses(ctx, start, "exit", edge)


def _complete(
    ctx: Context,
    unit: Piece,
    start: str,
    cell: str | None,
    reach: list[str],
    met: tuple[str, ...],
    rolls: list[MinesRoll],
) -> tuple[Mined, ...]:
    """What an advance that is allowed brings; the attacks of mines on its way."""
    if cell is None:
        ctx.step("O16.1", "advance.reach", value=list(reach), where=hexes(*reach), piece=unit.id, start=start)
        return ()
    if cell == "exit":
        attacks = _mined(ctx, unit, start, cell, rolls)
        if not _trace_loss(ctx, unit, attacks, cell):
            ctx.step("7.2.1", "advance.exit", value=True, where=hexes(start), piece=unit.id, cell=start)
        return attacks
    if _cliff_between(ctx, start, cell):
        ctx.step("O16.2", "advance.cliff", value=True, where=hexes(start, cell), piece=unit.id)
    wired = [c for c in (start, cell) if _fortification(ctx, c) == "wire"]
    if wired:
        ctx.step("F106.2", "advance.wire", value=True, where=hexes(*wired), cells=wired)
    ctx.step("O16.1", "advance.enter", value=cell, where=hexes(start, cell), piece=unit.id, cell=cell, start=start)
    attacks = _mined(ctx, unit, start, cell, rolls)
    if not _trace_loss(ctx, unit, attacks, cell) and cell in met:
        ctx.step("O16.4", "advance.melee", value=cell, where=hexes(cell), cell=cell)
    return attacks


def _trace_loss(ctx: Context, unit: Piece, attacks: tuple[Mined, ...], cell: str) -> bool:
    """Whether the mines eliminated the unit; says so. **Rule:** 3.2.4."""
    lost = any(blast.pieces[unit.id].result == "eliminated" for blast in attacks if unit.id in blast.pieces)
    if lost:
        out = cell not in ctx.position.grid
        code, where = ("advance.lost_out", places(unit)) if out else ("advance.lost", hexes(cell))
        ctx.step("3.2.4", code, value="eliminated", where=where, piece=unit.id, cell=cell)
    return lost


def _mined(ctx: Context, unit: Piece, start: str, cell: str, rolls: list[MinesRoll]) -> tuple[Mined, ...]:
    """The attacks of the mines of the hex left, then of the hex entered. **Rule:** F103.1, F103.2."""
    origin = ctx.position
    if cell in origin.grid:
        ctx.position = origin.change({f"piece.{unit.id}.at": cell})
    try:
        attacks = tuple(crossing(ctx, [unit.id], start, cell, "advance", rolls))
    finally:
        ctx.position = origin
    trace_number(ctx, attacks)
    return attacks
