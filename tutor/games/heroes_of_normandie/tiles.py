"""A square over an intact tile and a ruined one: the tile that a line or a move crosses first gives its effect.

The marker ``ruined_half`` of a building's square is the side, 1 to 4 from the top, on which its half lies in ruins.

**Rule:** 1.3.1.
"""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.context import Context
from tutor.core.grid import Point
from tutor.core.position import Position
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.board import SIDES, as_if, crossing, grid_of, mark, toward


def entered(ctx: Context, cells: Iterable[str], start: str, end: str) -> Context:
    """The same computation, where each square over two tiles is what a line from start to end crosses first.

    Args:
        cells: squares crossed or reached; a move is a line from one square to its neighbour.

    **Rule:** 1.3.1.
    """
    changes = {}
    for cell in cells:
        side = str(mark(ctx.position, "ruined_half", cell))
        if side not in map(str, SIDES) or ctx.position.terrain_of.get(cell) != "building":
            continue
        depth = _depth(ctx.position, cell, int(side), start, end)
        kind = "ruin" if depth > 0 else "building"
        note = None if depth else "interprétation"
        ctx.step("1.3.1", "tiles.first", kind=kind, cell=cell, start=start, where=hexes(cell), note=note)
        if kind == "ruin":
            changes[f"terrain.{cell}"] = kind
    return as_if(ctx, changes) if changes else ctx


def _depth(position: Position, cell: str, side: int, start: str, end: str) -> float:
    """How far on the ruined side a line enters a square: above 0 there, below on the intact side, 0 in the middle."""
    grid = grid_of(position)
    p, q, centre = grid.centre(start), grid.centre(end), grid.centre(cell)
    at = crossing(p, q, centre)
    if at is None:
        return 0
    out = toward(side)

    def along(point: Point) -> int:
        return point[0] * out[0] + point[1] * out[1]

    way = along((q[0] - p[0], q[1] - p[1]))
    here = along((p[0] - centre[0], p[1] - centre[1])) + at * way
    return float(here or way)
