"""Interdiction of a rout: which enemies could hurt a unit that routs into a hex, and why the others spare it.

**Rule:** 3.6-interdiction.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.board import hinders, phase
from tutor.games.asl_sk.fire.drm import open_ground
from tutor.games.asl_sk.fire.firepower import alone, normal_range, seen
from tutor.games.asl_sk.morale import silent
from tutor.games.asl_sk.units import INFANTRY, MMC, number, owner, places

#: States in which an enemy interdicts nobody, as they are said.
_UNFIT = ("broken", "pinned", "melee", "cx")


def known_enemies(ctx: Context, unit: Piece) -> list[tuple[Piece, str]]:
    """Known enemy units on the board, each with its hex."""
    return [
        (p, str(p.at))
        for p in ctx.position.pieces
        if p.side != unit.side
        and p.kind in INFANTRY | {"afv"}
        and "hidden" not in p.status
        and p.at in ctx.position.grid
    ]


def shelter(ctx: Context, cell: str) -> bool:
    """Whether a hex shelters a unit that routs: woods or a building."""
    return bool(ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "cover", False))


def interdictors(ctx: Context, unit: Piece, cell: str) -> tuple[str, ...]:
    """Enemies who interdict a unit that routs into a hex: open ground, in their line of sight and normal range.

    **Rule:** 3.6-interdiction.
    """
    able = ((one, at) for one, at in known_enemies(ctx, unit) if not set(_UNFIT) & set(one.status))
    return tuple(one.id for one, at in able if _covers(ctx, one, at, unit, cell))


def unjudged(ctx: Context, unit: Piece, cell: str) -> list[str]:
    """AFVs at rest and crewed guns that see a routing unit in the open: may interdict, by arcs a position lacks."""
    quiet, names, now = silent(ctx), [], phase(ctx.position)
    for enemy in ctx.position.pieces:
        served, at = owner(ctx.position, enemy), ctx.position.hex_of(enemy.id)
        armed = hinders(enemy, now) if enemy.kind == "afv" else enemy.kind == "gun" and served.kind in MMC
        if not armed or enemy.side == unit.side or at is None or at not in ctx.position.grid:
            continue
        if {"broken", "pinned", "melee", "hidden", "malfunction"} & {*enemy.status, *served.status}:
            continue
        sight = seen(ctx, at, cell)
        if sight.visible and open_ground(quiet, unit, (at,), cell, sight.hindrance):
            names.append(enemy.id)
    return names


def _commands(ctx: Context, enemy: Piece) -> int:
    """Hexes within which an enemy fires at full firepower, its own or that of a weapon it serves; -1 when it cannot.

    **Rule:** 3.6-interdiction, 4.1.
    """
    own = [number(enemy, "range")] if enemy.kind in MMC and number(enemy, "fp") >= 1 else []
    if enemy.kind not in INFANTRY or (enemy.kind == "leader" and alone(ctx, enemy)):
        return max(own, default=-1)
    served = (p for p in ctx.position.pieces if p.carrier == enemy.id and p.kind in ("mg", "atr"))
    return max([*own, *(normal_range(ctx, p) for p in served if "malfunction" not in p.status)], default=-1)


def trace_unfit(ctx: Context, unit: Piece, cell: str) -> None:
    """Say which enemies would interdict but for their state: broken, pinned, in a Melee or CX."""
    if not ctx.tracing:
        return
    for enemy, at in known_enemies(ctx, unit):
        state = next((name for name in _UNFIT if name in enemy.status), None)
        if state and _covers(ctx, enemy, at, unit, cell):
            ctx.step("3.6-interdiction", "rout.unfit", where=places(enemy), piece=enemy.id, cell=cell, state=state)


def trace_covered(ctx: Context, unit: Piece, cell: str) -> None:
    """Say which enemies, fit and near enough, see a unit out of woods and buildings where it is not in the open."""
    if not ctx.tracing or shelter(ctx, cell):
        return
    quiet, away = silent(ctx), ctx.position.grid.distance
    for enemy, at in known_enemies(ctx, unit):
        if set(_UNFIT) & set(enemy.status) or away(at, cell) > _commands(quiet, enemy):
            continue
        sight = seen(quiet, at, cell)
        if not sight.visible or open_ground(quiet, unit, (at,), cell, sight.hindrance):
            continue
        code = "rout.hindered" if open_ground(quiet, unit, (at,), cell, 0) else "rout.covered"
        ctx.step("3.6-interdiction", code, value=0, where=[*hexes(cell), *places(enemy)], piece=enemy.id, cell=cell,
                 hindrance=sight.hindrance)  # fmt: skip


def _covers(ctx: Context, enemy: Piece, at: str, unit: Piece, cell: str) -> bool:
    """Whether a hex is open ground for a unit, seen by an enemy within its normal range."""
    if ctx.position.grid.distance(at, cell) > _commands(ctx, enemy):
        return False
    sight, quiet = seen(ctx, at, cell), silent(ctx)
    bare = sight.visible and open_ground(quiet, unit, (at,), cell, sight.hindrance)
    ctx.consulted |= quiet.consulted
    return bare
