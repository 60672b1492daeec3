"""Map edges: whose they are, how near a hex is to one, which one a step off the map crosses.

**Rule:** 2.2.2, 7.2, 7.2.1, O21.4, O23.3.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.grid import HexGrid

EDGES = ("top", "bottom", "left", "right")


def friendly_edge(ctx: Context, side: str) -> str | None:
    """The friendly edge of a side, by ``state.edges`` of the position; None when it does not say.

    Raises:
        RequestError: not one of the four edges.

    **Rule:** 7.2.
    """
    edges = ctx.position.state.get("edges")
    edge = edges.get(side) if isinstance(edges, dict) else None
    if edge is not None and edge not in EDGES:
        raise RequestError(f"« {edge} » n’est pas un bord de la carte.", remedy=f"Choisissez parmi {', '.join(EDGES)}.")
    return str(edge) if edge is not None else None


def enemy_edge(ctx: Context, side: str) -> str | None:
    """The friendly edge of the other side; None when the position does not say. **Rule:** 7.2.1."""
    return friendly_edge(ctx, "allies" if side == "axis" else "axis")


def nearness(ctx: Context, cell: str, edge: str) -> int:
    """Hexes to leave the map by an edge: 1 in the hexes along it, 0 or less beyond it. **Rule:** O23.3."""
    grid = ctx.position.grid
    assert isinstance(grid, HexGrid)
    column, row = grid.coords(cell)
    return {
        "top": row - grid.first_row,
        "bottom": grid.last_row - row,
        "left": column - grid.first_column,
        "right": grid.last_column - column,
    }[edge] + 1


def drawn_nearness(ctx: Context, cell: str, edge: str) -> int:
    """How far the centre of a hex is from an edge as the map is drawn, in lattice units. **Rule:** O23.3."""
    x, y = ctx.position.grid.centre(cell)
    return {"top": y, "bottom": -y, "left": x, "right": -x}[edge]


def crosses(ctx: Context, start: str, cell: str, edge: str) -> bool:
    """Whether going from a hex of the map to an adjacent place off it crosses an edge; ``exit`` is any place beyond.

    **Rule:** 7.2.1.
    """
    if nearness(ctx, start, edge) != 1:
        return False
    return cell == "exit" or (ctx.position.grid.distance(start, cell) == 1 and nearness(ctx, cell, edge) < 1)
