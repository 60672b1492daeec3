"""Modifiers of an attack on the IFT, each with its rule: cover, hindrance, movement, leadership, CX.

**Rule:** 1.1.1, 3.2.3, 3.3.1-double-time, 3.3.3-drm, 4.2, 6.3, 6.5, 7.4, 7.7.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tutor.core.context import Context
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.asl_sk.board import BEFORE_ADVANCING_FIRE, board, in_season, phase
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.sight import line
from tutor.games.asl_sk.units import INFANTRY, MMC, places

#: The article by which a road is open ground through the trees.
_ROAD_RULES = {"woods": "1.1.1-woods-road", "orchard": "1.1.1-orchard-road"}


@dataclass(frozen=True, slots=True)
class Term:
    """One modifier: its name, its value, the rule that gives it."""

    name: str
    value: int
    rule: str


def term(ctx: Context, table: str, row: str, where: Iterable[Place] = (), column: str = "drm") -> Term:
    """A modifier read from a table."""
    value = int(ctx.table(table).get(row, column, where))
    return Term(row, value, GAME.tables[table].cell(row, column).rule)


def drm_term(row: str) -> str:
    """What a row of the modifiers is called."""
    return GAME.tables["drm"].term(row)


def clear_of_trees(ctx: Context, firer: str, target: str) -> bool:
    """Whether the line stays on the road inside the target's hex."""
    compiled = board(ctx.position)
    a, b = compiled.index[firer], compiled.index[target]
    if a == b or not compiled.road[b]:
        return False
    (c1, r1), (c2, r2) = divmod(a, compiled.stride), divmod(b, compiled.stride)
    ray, _ = line(c2 - c1, r2 - r1, (c1 + compiled.grid.first_column - 1) % 2 == 0, compiled.stride)
    joined = 63 if compiled.inherent[b] else compiled.joined[b]
    return ray.end.off_road(joined, compiled.road[b]) is None


def on_open_road(ctx: Context, unit: Piece, firers: Iterable[str], target: str) -> bool:
    """Whether a unit that moves by road through woods or an orchard is seen on it, out of the trees, by every firer."""
    rule = _ROAD_RULES.get(ctx.position.terrain_of.get(target, ""))
    if rule is None or "by_road" not in unit.status or phase(ctx.position) not in ("MPh", "RtPh"):
        return False
    return ctx.on(rule) and all(clear_of_trees(ctx, cell, target) for cell in firers)


def height(ctx: Context, firers: Iterable[str], target: str) -> bool:
    """Whether the target stands higher than the firers (than one of them, or than all, by the setting)."""
    levels = ctx.position.level_of
    higher = [levels.get(target, 0) > levels.get(cell, 0) for cell in firers]
    higher_target = any(higher) if ctx.setting("group_hindrance") == "worst" else all(higher)
    return higher_target and ctx.on("1.1.1-hills")


def cover(ctx: Context, unit: Piece, firers: tuple[str, ...], target: str) -> Term | None:
    """The one cover that counts for a unit: the best of terrain, emplacement, exposed crew, vehicle and height.

    **Rule:** 1.1.1, 1.1.1-hills, 6.3, 7.4, 7.7.
    """
    where = [*hexes(target), *places(unit)]
    kind = ctx.position.terrain_of.get(target, "open")
    table, drm = ctx.table("terrain"), ctx.table("drm")
    road = on_open_road(ctx, unit, firers, target)
    tem = 0 if road or not ctx.on("1.1.1") else int(table.peek(kind, "tem", 0))
    others = []
    if "emplaced" in unit.status and unit.kind in ("crew", "gun"):
        others.append("emplacement")
    if "crew_exposed" in unit.status:
        others.append("crew_exposed")
    if _vehicle_here(ctx, unit, target):
        others.append("vehicle_cover")
    if not tem and height(ctx, firers, target):
        others.append("height")
    elif tem and height(ctx, firers, target):
        ctx.step("1.1.1-hills", "drm.height_lost", value=0, where=where, piece=unit.id, cell=target, kind=kind)
    elif not tem and ctx.position.level_of.get(target, 0) > 0 and ctx.on("1.1.1-hills"):
        ctx.step("1.1.1-hills", "drm.height_equal", value=0, where=where, piece=unit.id)
    best = max(others, key=lambda row: int(drm.peek(row, "drm")), default=None)
    if best is not None and int(drm.peek(best, "drm")) > tem:
        if tem:
            ctx.step("1.1.1", "drm.tem_lost", value=tem, where=where, cell=target, kind=kind, row=drm_term(best))
        return term(ctx, "drm", best, where)
    if road:
        if ctx.on("1.1.1"):
            ctx.step("1.1.1", "drm.tem_of_trees", value=0, where=where, cell=target, kind=kind)
        ctx.step(_ROAD_RULES[kind], "drm.on_road", value=0, where=where, piece=unit.id, cell=target)
        return None
    if not tem:
        return None
    if "vehicle_cover" in others and ctx.on("7.4"):
        ctx.step("7.4", "drm.vehicle_lost", value=0, where=where, piece=unit.id, cell=target, kind=kind)
    with ctx.group("1.1.1", "drm.terrain", where=where, piece=unit.id, cell=target) as group:
        value = group.value = int(table.get(kind, "tem", where))
    return Term("tem", value, GAME.tables["terrain"].cell(kind, "tem").rule)


def _vehicle_here(ctx: Context, unit: Piece, target: str) -> bool:
    """Whether an AFV of its side or a wreck shelters infantry; an enemy wreck does by the reading ``wreck_cover``."""
    now = phase(ctx.position)
    friend = ctx.setting("wreck_cover") == "friend"
    wrecks = [p for p in ctx.position.pieces_at(target) if p.kind == "wreck" and p.side != unit.side]
    if wrecks and unit.kind in INFANTRY:
        code = "drm.wreck_refused" if friend else "drm.wreck_shared"
        ctx.step(
            "7.4", code, where=places(*wrecks), note="interprétation", piece=unit.id, pieces=[p.id for p in wrecks]
        )
    return unit.kind in INFANTRY and any(
        (p.side == unit.side or not friend) if p.kind == "wreck" else p.side == unit.side and "motion" not in p.status
        for p in ctx.position.pieces_at(target)
        if p.kind in ("wreck", "afv") and not ("moved" in p.status and now in BEFORE_ADVANCING_FIRE)
    )


def moving_terms(ctx: Context, unit: Piece, firers: tuple[str, ...], target: str, hindrance: int) -> list[Term]:
    """FFNAM and FFMO, or Hazardous Movement, against a unit that moves during the movement phase.

    **Rule:** 3.3.3-drm, 6.5.
    """
    where = [*hexes(target), *places(unit)]
    if phase(ctx.position) == "DFPh" and unit.kind in INFANTRY:
        ctx.step("3.4", "drm.after_moving", where=where, piece=unit.id)
    if phase(ctx.position) != "MPh" or "moving" not in unit.status or unit.kind not in INFANTRY:
        return []
    if not ctx.on("3.3.3-drm"):
        return []
    if "pinned" in unit.status:
        ctx.step("3.3.3-drm", "drm.pinned", where=where, piece=unit.id)
        return []
    if "hazardous" in unit.status:
        ctx.step("3.3.3-drm", "drm.hazardous", value=0, where=where, piece=unit.id)
        return [term(ctx, "drm", "hazardous", where)]
    terms = []
    if "assault_move" not in unit.status or "broken" in unit.status:
        terms.append(term(ctx, "drm", "ffnam", where))
    else:
        ctx.step("3.3.1-assault-movement", "drm.assault_move", where=where, piece=unit.id)
    if open_ground(ctx, unit, firers, target, hindrance):
        terms.append(term(ctx, "drm", "ffmo", where))
    else:
        _trace_no_ffmo(ctx, unit, firers, target, hindrance)
    return terms


def _trace_no_ffmo(ctx: Context, unit: Piece, firers: tuple[str, ...], target: str, hindrance: int) -> None:
    """Say what takes the FFMO from a unit that moves: the terrain of its hex, a hindrance or a Height Advantage."""
    where = [*hexes(target), *places(unit)]
    if not _bare(ctx, unit, firers, target):
        kind = ctx.position.terrain_of.get(target, "open")
        ctx.step("3.3.3-drm", "drm.not_open", value=0, where=where, piece=unit.id, cell=target, kind=kind)
    elif hindrance:
        ctx.step("3.3.3-drm", "drm.ffmo_hindered", value=0, where=where, piece=unit.id, hindrance=hindrance)
    else:
        ctx.step("1.1.1-hills", "drm.ffmo_height", value=0, where=where, piece=unit.id, cell=target)


def open_ground(ctx: Context, unit: Piece, firers: tuple[str, ...], target: str, hindrance: int) -> bool:
    """Whether a hex is open ground for those lines of sight: no cover, no hindrance, no Height Advantage."""
    return _bare(ctx, unit, firers, target) and not hindrance and not height(ctx, firers, target)


def _bare(ctx: Context, unit: Piece, firers: Iterable[str], target: str) -> bool:
    """Whether the terrain of a hex covers nobody: bare, grain out of season, or the road through trees."""
    kind = ctx.position.terrain_of.get(target, "open")
    return (
        bool(ctx.table("terrain").peek(kind, "ffmo", False))
        or (kind == "grain" and not in_season(ctx.position, "grain"))
        or on_open_road(ctx, unit, firers, target)
    )


def carried_flames(ctx: Context, unit: Piece) -> list[Term]:
    """-1 for each flamethrower that the target holds.

    **Rule:** 4.2.
    """
    flames = [p for p in ctx.position.pieces if p.kind == "flamethrower" and p.carrier == unit.id]
    return [term(ctx, "drm", "flamethrower", places(p)) for p in flames]


def exhausted(ctx: Context, units: Iterable[Piece]) -> list[Term]:
    """+1, once, when a firing unit is CX.

    **Rule:** 3.3.1-double-time.
    """
    tired = [u for u in units if "cx" in u.status and u.kind in MMC | {"leader"}]
    return [term(ctx, "drm", "cx", places(*tired))] if tired and ctx.on("3.3.1-double-time") else []
