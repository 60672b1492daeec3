"""What a step costs: terrain, road, climb, smoke.

**Rule:** 1.1.1, 1.1.1-hills, 1.2.5, 3.3.1.
"""

from __future__ import annotations

from fractions import Fraction

from tutor.core.context import Context
from tutor.core.trace import hexes
from tutor.games.asl_sk.board import in_season


def entry_cost(ctx: Context, start: str, end: str, by_road: bool = False) -> Fraction:
    """MF to enter a hex: terrain, road, climb, smoke.

    **Rule:** 1.1.1, 1.1.1-hills, 1.2.5, 3.3.1.
    """
    position = ctx.position
    kind = position.terrain_of.get(end, "open")
    if kind == "grain" and not in_season(position, "grain") and ctx.on("1.1.1-grain"):
        bare = ctx.setting("grain_winter") == "bare"
        code = "defence.grain_open" if bare else "defence.grain_winter"
        ctx.step("1.1.1-grain", code, where=hexes(end), note="interprétation", cell=end)
        kind = "open" if bare else kind
    moves = ctx.table("movement")
    cost = (
        Fraction(moves.get("way", "mf", hexes(end)))
        if by_road
        else Fraction(ctx.table("terrain").get(kind, "mf", hexes(end)))
    )
    if position.level_of.get(end, 0) > position.level_of.get(start, 0):
        cost *= int(moves.get("climb", "factor", hexes(start, end)))
    if position.marker("smoke", end):
        cost += int(moves.get("smoke", "mf", hexes(end)))
    return cost


def decimal(mf: Fraction) -> int | float:
    """MF as a reader writes them: 4, 4.5."""
    return int(mf) if mf.denominator == 1 else float(mf)


def follows_road(ctx: Context, start: str, end: str) -> bool:
    """Whether a road leads across the side between two hexes. **Rule:** 3.3.1."""
    roads, grid = ctx.position.ways.get("road", {}), ctx.position.grid
    sides = {d for d in roads.get(start, ()) if grid.neighbour(start, d) == end}
    return any((d + 2) % 6 + 1 in roads.get(end, ()) for d in sides)
