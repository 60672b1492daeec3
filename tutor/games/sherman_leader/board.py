"""The battlefield of Sherman Leader: terrain of its hexes, and what a board shows.

**Rule:** 5.3-5.5.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.drawing import Shape
from tutor.core.position import Position
from tutor.games.sherman_leader.game import GAME


def terrain(position: Position, cell: str) -> str:
    """Terrain of a hex; ``clear`` without a letter."""
    return position.terrain_of.get(cell, "clear")


def blocks(position: Position, cell: str) -> bool:
    """Whether a hex between the two ends stops a line of sight."""
    return bool(GAME.tables["terrain"].get(terrain(position, cell), "blocks", False))


def enterable(position: Position, cell: str, vehicle: bool) -> bool:
    """Whether a unit may enter a hex."""
    entry = GAME.tables["terrain"].get(terrain(position, cell), "entry", "all")
    return entry == "all" or (entry == "foot" and not vehicle)


def cover_rank(ctx: Context, cell: str) -> int:
    """How heavy the cover of a hex is for enemy orders: 0 none, 1 light, 2 heavy."""
    kind = terrain(ctx.position, cell)
    if kind in ("bocage", "impassable") and ctx.setting("cover_hexes") == "not":
        return 0
    return int(GAME.tables["terrain"].get(kind, "defence", 0))


def shapes(position: Position) -> tuple[Shape, ...]:
    """What a board shows of a position, in painting order: each hex that is not clear, whole."""
    grid = position.grid
    return tuple(
        Shape("area", kind, (cell,), grid.polygon(cell))
        for kind, cells in position.terrain.items()
        for cell in cells
        if cell in grid and kind != "clear"
    )


GAME.shapes = shapes
