"""The battlefield of Sherman Leader: terrain of its hexes, what a board shows, and what makes a position impossible.

**Rule:** 5.3-5.5.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.drawing import Shape
from tutor.core.faults import common_faults
from tutor.core.grids_pointy import PointyHexGrid
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


def problems(position: Position) -> list[str]:
    """Every fault of a well-formed but impossible position, as French sentences.

    **Rule:** 3.16.2, 5.3, 5.4.3, 5.4.5.

    >>> problems(GAME.position("tour-1"))
    []
    """
    if not isinstance(position.grid, PointyHexGrid):
        return ["Le champ de bataille est fait de rangées droites d’hexagones (kind: pointy)."]
    found = list(common_faults(position, GAME.tables))
    classes = GAME.tables["classes"]
    for piece in position.pieces:
        name = piece.name or piece.id
        if piece.kind == "commander":
            unit = position.by_id.get(piece.carrier or "")
            if unit is None or unit.kind == "commander" or unit.side != "us":
                found.append(f"{name} commande une unité qui n’est pas là.")
            continue
        if not classes.has(piece.kind):
            found.append(f"{name} : le type « {piece.kind} » n’existe pas dans ce jeu.")
            continue
        if classes.get(piece.kind, "side") != piece.side:
            found.append(f"{name} n’est pas du bon camp pour son type.")
        if piece.at is None:
            found.append(f"{name} n’est sur aucun hexagone du plateau.")
        elif not enterable(position, piece.at, bool(classes.get(piece.kind, "vehicle"))):
            found.append(f"{name} ne peut pas se trouver en {piece.at}.")
    for unit in position.pieces:
        if sum(p.kind == "commander" and p.carrier == unit.id for p in position.pieces) > 1:
            found.append(f"{unit.name or unit.id} a deux commandants.")
    return found


GAME.shapes = shapes
GAME.problems = problems
