"""Faults of a position that every rulebook words alike; the ``problems`` of a game adds its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tutor.core.grid import split_side

if TYPE_CHECKING:
    from tutor.core.position import Position
    from tutor.core.tables import Table


def common_faults(position: Position, tables: Mapping[str, Table], *, stacked: bool = False) -> Iterator[str]:
    """What stands off the board, what no table knows, what is said twice, as French sentences.

    Args:
        position: well formed, on a board of the game.
        tables: of the game; ``terrain``, ``ways``, ``sides`` and ``markers`` name what may be placed, where it has
            them.
        stacked: whether a cell may hold several kinds of terrain.

    >>> from tutor import load_position
    >>> from tutor.core.registry import game
    >>> p = load_position("combat_commander", "plateau-livret").change({"terrain.Z9": "woods"})
    >>> list(common_faults(p, game("combat_commander").tables))
    ['Terrain : Z9 n’est pas sur le plateau.']
    """
    blocks: Iterable[tuple[str, str, Mapping[str, Iterable[str]]]] = (
        ("Terrain", "terrain", position.terrain),
        ("Voies", "ways", position.ways),
        ("Marqueurs", "markers", position.markers),
    )
    for heading, block, cells_by_kind in blocks:
        yield from _unknown(heading, cells_by_kind, tables.get(block))
        for cells in cells_by_kind.values():
            yield from _off_board(position, heading, cells)
    if not stacked:
        yield from _double_terrain(position, tables["terrain"])
    yield from _levels(position)
    yield from _sides(position, tables.get("sides"))
    yield from _drawings(position)
    yield from _pieces(position)


def _unknown(heading: str, kinds: Iterable[str], table: Table | None) -> Iterator[str]:
    if table:
        known = ", ".join(table.rows)
        yield from (f"{heading} : « {k} » est inconnu ; choisissez parmi {known}." for k in kinds if not table.has(k))


def _off_board(position: Position, heading: str, cells: Iterable[str]) -> Iterator[str]:
    return (f"{heading} : {cell} n’est pas sur le plateau." for cell in cells if cell not in position.grid)


def _double_terrain(position: Position, table: Table) -> Iterator[str]:
    for kind, cells in position.terrain.items():
        for cell in cells:
            if (other := position.terrain_of[cell]) != kind:
                yield f"Terrain : {cell} est à la fois {table.term(kind)} et {table.term(other)}."


def _levels(position: Position) -> Iterator[str]:
    for level, cells in position.levels.items():
        yield from _off_board(position, "Niveaux", cells)
        for cell in cells:
            if (other := position.level_of[cell]) != level:
                yield f"Niveaux : {cell} en a deux, {level} et {other}."


def _sides(position: Position, table: Table | None) -> Iterator[str]:
    grid = position.grid
    yield from _unknown("Côtés", position.sides, table)
    for kind, sides in position.sides.items():
        for side in sides:
            one, other = split_side(side)
            if other not in {grid.neighbour(one, d) for d in range(1, grid.side_count + 1)}:
                yield f"Côtés : {one} et {other} ne sont pas voisins."
            elif one not in grid and other not in grid:
                yield f"Côtés : {side} n’est pas sur le plateau."
            if (drawn := position.sides_of[position.canonical_side(side)]) != kind and table:
                yield f"Côtés : {side} porte à la fois {table.term(kind)} et {table.term(drawn)}."


def _drawings(position: Position) -> Iterator[str]:
    yield from _off_board(position, "Dessins", (s.hex for s in position.silhouettes if s.hex))
    if not position.silhouettes:
        return
    from shapely.geometry import Polygon  # only for positions that bring their own drawings: 4 MiB

    for shape in position.silhouettes:
        if not Polygon(shape.polygon).is_valid:
            yield f"Dessins : le contour de {shape.hex or f'niveau {shape.level}'} se croise ou n’a pas de surface."


def _pieces(position: Position) -> Iterator[str]:
    uses = Counter(piece.id for piece in position.pieces)
    yield from (f"Pions : deux se nomment « {one} »." for one, count in uses.items() if count > 1)
    for piece in position.pieces:
        name = piece.name or piece.id
        if piece.at and piece.at not in position.grid:
            yield f"Pions : {name} est en {piece.at}, hors du plateau."
        if piece.carrier and piece.carrier not in position.by_id:
            yield f"Pions : {name} est porté par « {piece.carrier} », qui n’existe pas."
