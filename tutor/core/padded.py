"""Hexes of a position by index, padded by empty ones all round: what the boards of several games build their arrays on.

Geometry alone: what stands in a hex, and what it does, belongs to each game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Self

from tutor.core.errors import PositionError
from tutor.core.grid import HexGrid
from tutor.core.position import Position
from tutor.core.rays import Ray, ray


class PaddedHexes:
    """The hexes of a position by index: neighbours are always in the arrays, and a ray is the same wherever it starts.

    Args:
        position: the situation; hexes off the board are ignored (``problems`` names them).

    Raises:
        PositionError: the board is not a hex board.
    """

    #: Empty rows kept above the first one; kind of grid that the game is played on, for the remedy.
    ABOVE: ClassVar[int] = 1
    GRID: ClassVar[str] = "hex"

    @classmethod
    def of(cls, position: Position) -> Self:
        """The compiled board of a position, kept as long as the position is."""
        compiled = position.__dict__.get("_compiled")
        if not isinstance(compiled, cls):
            compiled = position.__dict__["_compiled"] = cls(position)
        return compiled

    def __init__(self, position: Position) -> None:
        grid = position.grid
        if not isinstance(grid, HexGrid):
            raise PositionError("Ce jeu se joue sur des hexagones.", remedy=f"Écrivez grid: {{kind: {self.GRID}, …}}.")
        self.position, self.grid = position, grid
        self.stride = grid.last_row - grid.first_row + 2 + self.ABOVE
        self.size = (grid.last_column - grid.first_column + 3) * self.stride
        self.index = {cell: self.index_of(*grid.coords(cell)) for cell in grid.cells}
        self.cell = {i: cell for cell, i in self.index.items()}
        self.level = [0] * self.size
        for cell, level in position.level_of.items():
            self.put(self.level, cell, level)
        self._level_masks: dict[int, list[int]] = {}

    def index_of(self, column: int, row: int) -> int:
        """Index of a place of the lattice, on the board or one hex beside it."""
        return (column - self.grid.first_column + 1) * self.stride + row - self.grid.first_row + self.ABOVE

    def put(self, array: list[Any], cell: str, value: object) -> None:
        """Write what stands in a hex; nothing for a hex off the board."""
        i = self.index.get(cell)
        if i is not None:
            array[i] = value

    def ray_between(self, start: int, end: int) -> Ray:
        """The ray between two hexes, by index."""
        c1, r1 = divmod(start, self.stride)
        c2, r2 = divmod(end, self.stride)
        return ray(c2 - c1, r2 - r1, (c1 + self.grid.first_column - 1) % 2 == 0, self.stride)

    def arms(self, ways: Mapping[str, list[int]], cell: str) -> int:
        """Bit d-1 for an arm of a way to side d of a hex."""
        return sum(1 << (d - 1) for d in set(ways[cell]))

    def sides_where(self, cell: str, holds: Callable[[str], bool]) -> int:
        """Bit d-1 for each side of a hex across which something holds of the neighbour, on the board or not."""
        return sum(1 << (d - 1) for d in range(1, 7) if holds(self.grid.neighbour(cell, d)))

    def joined_sides(
        self, cell: str, kind: str, kind_of: Callable[[str], Collection[str]], joining: Collection[str]
    ) -> int:
        """Bit d-1 for each side across which the terrain of a hex goes on.

        Args:
            cell: the hex.
            kind: terrain in it.
            kind_of: terrain of any hex.
            joining: kinds that join by themselves, others only where the position declares one building.
        """
        partners = {other for group in self.position.joined if cell in group for other in group}
        return self.sides_where(cell, lambda other: kind in kind_of(other) and (kind in joining or other in partners))

    def level_mask(self, level: int) -> list[int]:
        """For each hex of ``level`` or above, its sides across which the ground is as high; -1 for lower hexes."""
        if level not in self._level_masks:
            high = {cell for cell, i in self.index.items() if self.level[i] >= level}
            masks = [-1] * self.size
            for cell in high:
                masks[self.index[cell]] = self.sides_where(cell, high.__contains__)
            self._level_masks[level] = masks
        return self._level_masks[level]
