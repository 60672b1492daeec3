"""Pointy-top hex boards in straight rows: the flat-top lattice of ``tutor.core.grid``, turned by a quarter.

A hex of column c, row r is centred on ``(40c + 20[row shifted], 60r)`` with vertices at ``(0, ±40), (±20, ±20)``. Sides
are numbered 1 to 6 clockwise from the upper right: north-east, east, south-east, south-west, west, north-west.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

from tutor.core.cells import HEXAGONS, CellWords
from tutor.core.grid import HexGrid, Point

#: Lattice offsets of a hex's six vertices; vertex i lies between side i and side i+1.
POINTY_VERTICES: tuple[Point, ...] = ((20, -20), (20, 20), (0, 40), (-20, 20), (-20, -20), (0, -40))


@dataclass(frozen=True)
class PointyHexGrid(HexGrid):
    """A pointy-top hex board; even rows lie half a hex to the right.

    >>> board = PointyHexGrid(1, 4, 1, 6)
    >>> board.neighbours("B2"), board.distance("A6", "D1")
    (('C1', 'C2', 'C3', 'B3', 'A2', 'B1'), 5)
    >>> board.side("B2", 2), board.cell_at(*board.plane(board.centre("C4")))
    ('B2/C2', 'C4')
    """

    words: ClassVar[CellWords] = HEXAGONS

    #: Rows whose number leaves this rest, divided by two, are the shifted ones.
    shifted: ClassVar[int] = 0

    def _shift(self, row: int) -> int:
        return int(row % 2 == self.shifted)

    def centre(self, cell: str) -> Point:
        """Lattice point of the centre."""
        c, r = self.coords(cell)
        return 40 * c + 20 * self._shift(r), 60 * r

    def polygon(self, cell: str) -> tuple[Point, ...]:
        """The six vertices, clockwise from the upper right."""
        x, y = self.centre(cell)
        return tuple((x + dx, y + dy) for dx, dy in POINTY_VERTICES)

    def neighbour(self, cell: str, side: int) -> str:
        """Name of the cell across side 1..6, which may lie off the board."""
        c, r = self.coords(cell)
        right = self._shift(r)
        dc, dr = ((right, -1), (1, 0), (right, 1), (right - 1, 1), (-1, 0), (right - 1, -1))[side - 1]
        return self.name(c + dc, r + dr)

    def distance(self, start: str, end: str) -> int:
        """Hexes from start (not counted) to end (counted)."""
        (x1, y1), (x2, y2) = self.centre(start), self.centre(end)
        rows, across = abs(y2 - y1) // 60, abs(x2 - x1) // 20
        return rows + max(0, (across - rows) // 2)

    def side_points(self, side: str) -> tuple[Point, Point]:
        """The two lattice end points of a side."""
        one, other = side.split("/")
        d = self.direction(one, other)
        corners = self.polygon(one)
        return corners[d - 2], corners[d - 1]

    def plane(self, point: Point) -> tuple[float, float]:
        """Drawing coordinates of a lattice point, in hex radii (regular hexes, x right, y down)."""
        return point[0] * sqrt(3) / 40, point[1] / 40

    def lattice(self, x: float, y: float) -> tuple[float, float]:
        """Lattice coordinates of a drawing point, the inverse of :meth:`plane`."""
        return x * 40 / sqrt(3), y * 40

    def cell_at(self, x: float, y: float) -> str | None:
        """The cell under a drawing point (hex radii), or None off the board."""
        lx, ly = self.lattice(x, y)
        middle = round(ly / 60)
        best: tuple[float, str] | None = None
        for row in (middle - 1, middle, middle + 1):
            column = round((lx - 20 * self._shift(row)) / 40)
            dx, dy = abs(lx - 40 * column - 20 * self._shift(row)), abs(ly - 60 * row)
            reach = max(dx / 20, (dx + dy) / 40)
            if reach <= 1 and (best is None or reach < best[0]):
                best = (reach, self.name(column, row))
        return best[1] if best and best[1] in self else None


@dataclass(frozen=True)
class PointyHexGridOdd(PointyHexGrid):
    """The same board with the odd rows half a hex to the right.

    >>> PointyHexGridOdd(1, 4, 1, 6).neighbours("B2")
    ('B1', 'C2', 'B3', 'A3', 'A2', 'A1')
    """

    shifted: ClassVar[int] = 1
