"""Flat-top hex boards whose edges cut hexes in half (geomorphic boards): A1 to GG10, with B0 and B10 as half-hexes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tutor.core.grid import HexGrid, Point, column_letters


@dataclass(frozen=True)
class HalfHexGrid(HexGrid):
    """A rectangular board of flat-top hexes; even columns (B, D…) lie half a hex lower and have one more row,
    at the top.

    The centres of the first and last columns, and of the first and last hexes of the even columns, lie on the edge of
    the board: these hexes are halved (the corners' neighbours included), yet they count as whole ones.

    Args:
        first_column, last_column: column numbers, A = 1.
        first_row, last_row: row numbers of the odd columns.

    >>> board = HalfHexGrid(1, 33, 1, 10)
    >>> len(board.cells), board.distance("A1", "GG10"), board.neighbours("B0"), board.halved("B0"), board.halved("C1")
    (346, 32, ('C1', 'B1', 'A1'), True, False)
    >>> board.polygon("B10")
    ((140, 400), (160, 420), (80, 420), (100, 400))
    """

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Every cell name, column by column; even columns start one row earlier."""
        return tuple(
            f"{column_letters(c)}{r}"
            for c in range(self.first_column, self.last_column + 1)
            for r in range(self.first_row - (c % 2 == 0), self.last_row + 1)
        )

    @cached_property
    def edges(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom edge of the board, in lattice units."""
        return 60 * self.first_column, 40 * self.first_row - 20, 60 * self.last_column, 40 * self.last_row + 20

    def halved(self, cell: str) -> bool:
        """Whether the edge of the board cuts the hex."""
        left, top, right, bottom = self.edges
        x, y = self.centre(cell)
        return x in (left, right) or y in (top, bottom)

    def polygon(self, cell: str) -> tuple[Point, ...]:
        """The corners of the part of the hex that is on the board."""
        left, top, right, bottom = self.edges
        x, y = self.centre(cell)
        corners = super().polygon(cell)
        return corners if left < x < right and top < y < bottom else self.clip(corners)

    def clip(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """The part of a polygon that is on the board, to the nearest lattice point; empty when there is none."""
        left, top, right, bottom = self.edges
        kept = [(float(x), float(y)) for x, y in points]
        for axis, limit, sign in ((0, left, 1), (0, right, -1), (1, top, 1), (1, bottom, -1)):
            kept = _cut(kept, axis, limit, sign)
        corners = tuple(dict.fromkeys((round(x), round(y)) for x, y in kept))
        return corners if len(corners) > 2 else ()

    def cell_at(self, x: float, y: float) -> str | None:
        """The cell under a drawing point (hex radii), or None off the board."""
        left, top, right, bottom = self.edges
        px, py = self.lattice(x, y)
        slack = 1e-6
        inside = left - slack <= px <= right + slack and top - slack <= py <= bottom + slack
        return super().cell_at(x, y) if inside else None


def _cut(points: list[tuple[float, float]], axis: int, limit: int, sign: int) -> list[tuple[float, float]]:
    """The part of a convex polygon on one side of a straight edge."""
    kept: list[tuple[float, float]] = []
    for before, here in zip([*points[-1:], *points[:-1]], points, strict=True):
        was, now = (before[axis] - limit) * sign, (here[axis] - limit) * sign
        if was * now < 0:
            t = was / (was - now)
            kept.append((before[0] + (here[0] - before[0]) * t, before[1] + (here[1] - before[1]) * t))
        if now >= 0:
            kept.append(here)
    return kept
