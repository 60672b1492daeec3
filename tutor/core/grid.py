"""Board grids on an exact integer lattice: flat-top hexes and squares, with named cells, sides and vertices.

Lattice units are twentieths (``UNIT`` = 20), so that every default silhouette (a hex drawn in to 17/20, a road strip of
half-width 1/5) has integer corners. A flat-top hex of column c, row r (c from 1) is centred on ``(60c, 40r + 20[c
even])`` with vertices at ``(±40, 0), (±20, ±20)``: an affine image of the regular grid, in which straight lines stay
straight.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import sqrt
from typing import ClassVar, Protocol

from tutor.core.cells import HEXES, SQUARES, CellWords
from tutor.core.errors import PositionError, UnknownHex, brief

UNIT = 20
Point = tuple[int, int]

#: Lattice offsets of a hex's six vertices; vertex i lies between side i and side i+1 (sides 1..6 clockwise from the
#: top).
HEX_VERTICES: tuple[Point, ...] = ((20, -20), (40, 0), (20, 20), (-20, 20), (-40, 0), (-20, -20))
#: Lattice offsets of the six side middles, sides 1..6 clockwise from the top.
HEX_SIDE_MIDDLES: tuple[Point, ...] = ((0, -20), (30, -10), (30, 10), (0, 20), (-30, 10), (-30, -10))


class Grid(Protocol):
    """What rules and widgets may ask of any board: names, neighbours, distances and exact shapes."""

    @property
    def cells(self) -> tuple[str, ...]: ...
    @property
    def side_count(self) -> int: ...
    def __contains__(self, cell: object) -> bool: ...
    def __hash__(self) -> int: ...
    def check(self, cell: str) -> str: ...
    def coords(self, cell: str) -> tuple[int, int]: ...
    def centre(self, cell: str) -> Point: ...
    def polygon(self, cell: str) -> tuple[Point, ...]: ...
    def neighbour(self, cell: str, side: int) -> str: ...
    def neighbours(self, cell: str) -> tuple[str, ...]: ...
    def distance(self, start: str, end: str) -> int: ...
    def side(self, cell: str, side: int) -> str: ...
    def side_points(self, side: str) -> tuple[Point, Point]: ...
    def plane(self, point: Point) -> tuple[float, float]: ...
    def cell_at(self, x: float, y: float) -> str | None: ...


@lru_cache(maxsize=4096)
def column_number(letters: str) -> int:
    """Number of a lettered column: A is 1, Z is 26, AA is 27, BB is 28 (map style, a letter doubled).

    >>> column_number("J"), column_number("AA"), column_number("BB")
    (10, 27, 28)
    """
    return ord(letters[0]) - 64 + 26 * (len(letters) - 1)


def column_of(name: str) -> int:
    """Number of a column by its name, letters or two digits.

    >>> column_of("J"), column_of("07")
    (10, 7)
    """
    return int(name) if name.isdigit() else column_number(name)


def column_letters(number: int) -> str:
    """Letters of a column number, the inverse of :func:`column_number`.

    >>> column_letters(10), column_letters(28)
    ('J', 'BB')
    """
    repeat, index = divmod(number - 1, 26)
    return chr(65 + index) * (repeat + 1)


_CELL = re.compile(r"([A-Z])\1*(-?\d+)$|(@)(-?\d+)$")  # @ is the column beside the first
_NUMBERED = re.compile(r"(\d\d|-\d)\.(\d\d|-\d)$")  # boards named by numbers alone: column 7, row 12 is 07.12


def split_cell(name: str) -> tuple[int, int]:
    """Column and row numbers of a cell name such as ``J7`` or, on a numbered board, ``07.12``.

    Raises:
        UnknownHex: when the text is not a cell name.

    >>> split_cell("J7"), split_cell("07.12")
    ((10, 7), (7, 12))
    """
    split = (_split if len(name) < 16 else _split.__wrapped__)(name) if isinstance(name, str) else None
    if split is None:
        raise UnknownHex(
            f"« {name} » ne nomme aucun endroit d’un plateau.",
            remedy="Écrivez une lettre puis un nombre, par exemple J7 ; sur un plateau numéroté, par exemple 07.12.",
        )
    return split


@lru_cache(maxsize=4096)
def _split(name: str) -> tuple[int, int] | None:
    """As :func:`split_cell`; None of what is no cell name. Each question asks it of the same few hundred names."""
    if match := _CELL.match(name):
        return (0, int(match[4])) if match[3] else (column_number(name[: match.start(2)]), int(match[2]))
    numbered = _NUMBERED.match(name)
    return (int(numbered[1]), int(numbered[2])) if numbered else None


def split_side(side: str) -> tuple[str, str]:
    """The two cells of a side name such as ``M8/N8``.

    Raises:
        PositionError: when the text is not a side name.

    >>> split_side("M8/N8")
    ('M8', 'N8')
    """
    cells = side.split("/")
    if len(cells) != 2:
        raise PositionError(f"« {side} » n’est pas un côté.", remedy="Écrivez deux hexs voisins, par exemple M8/N8.")
    return cells[0], cells[1]


@dataclass(frozen=True)
class _NamedGrid:
    """Cells named by column letters and row number, inside a rectangle of columns and rows."""

    first_column: int
    last_column: int
    first_row: int
    last_row: int

    #: How its cells are called.
    words: ClassVar[CellWords] = HEXES

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Every cell name, column by column."""
        return tuple(
            f"{column_letters(c)}{r}"
            for c in range(self.first_column, self.last_column + 1)
            for r in range(self.first_row, self.last_row + 1)
        )

    @cached_property
    def _coords(self) -> dict[str, tuple[int, int]]:
        return {cell: split_cell(cell) for cell in self.cells}

    def __contains__(self, cell: object) -> bool:
        return cell in self._coords

    def check(self, cell: str) -> str:
        """The same name, if it is on the board.

        Raises:
            UnknownHex: otherwise, with the names of the corners.
        """
        if not isinstance(cell, str) or cell not in self._coords:  # a file may name a case by a list
            raise UnknownHex(
                f"{self.words.the.capitalize()} « {brief(cell)} » n’est pas sur ce plateau.",
                remedy=f"Choisissez {self.words.one} de {self.cells[0]} à {self.cells[-1]}.",
            )
        return cell

    def coords(self, cell: str) -> tuple[int, int]:
        """Column and row of a cell, on the board or beside it."""
        coords = self._coords.get(cell)
        return split_cell(cell) if coords is None else coords

    def name(self, column: int, row: int) -> str:
        """Cell name of a column and a row."""
        return f"{column_letters(column) if column > 0 else '@'}{row}"


@dataclass(frozen=True)
class HexGrid(_NamedGrid):
    """A flat-top hex board; even columns lie half a hex lower (towards higher rows).

    Args:
        first_column, last_column: column numbers, A = 1.
        first_row, last_row: row numbers.

    **Rule:** 2.1, 2.2.2 (Combat Commander; other hex games derive their own names).

    >>> board = HexGrid(9, 15, 3, 10)
    >>> board.distance("J7", "N9"), board.neighbour("L5", 6), board.side("M8", 3)
    (4, 'K5', 'M8/N8')
    >>> board.neighbours("L8")
    ('L7', 'M8', 'M9', 'L9', 'K9', 'K8')
    """

    @property
    def side_count(self) -> int:
        """Six sides, numbered 1 to 6 clockwise from the top."""
        return 6

    def centre(self, cell: str) -> Point:
        """Lattice point of the centre."""
        c, r = self.coords(cell)
        return 60 * c, 40 * r + 20 * (c % 2 == 0)

    def polygon(self, cell: str) -> tuple[Point, ...]:
        """The six vertices, clockwise from the upper right."""
        x, y = self.centre(cell)
        return tuple((x + dx, y + dy) for dx, dy in HEX_VERTICES)

    def neighbour(self, cell: str, side: int) -> str:
        """Name of the cell across side 1..6, which may lie off the board."""
        c, r = self.coords(cell)
        dc, dr = hex_step(c % 2 == 0, side)
        return self.name(c + dc, r + dr)

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """Neighbours on the board, clockwise from the top."""
        return tuple(n for d in range(1, 7) if (n := self.neighbour(cell, d)) in self)

    def distance(self, start: str, end: str) -> int:
        """Hexes from start (not counted) to end (counted)."""
        (c1, r1), (c2, r2) = self.coords(start), self.coords(end)
        across = abs(c2 - c1)
        y1, y2 = 2 * r1 + (c1 % 2 == 0), 2 * r2 + (c2 % 2 == 0)
        return across + max(0, (abs(y2 - y1) - across) // 2)

    def side(self, cell: str, side: int) -> str:
        """Canonical name of a side: its two cells in order, ``M8/N8``."""
        return self.side_between(cell, self.neighbour(cell, side))

    def side_between(self, one: str, other: str) -> str:
        """Canonical name of the side shared by two adjacent cells.

        Raises:
            PositionError: when they are not adjacent.
        """
        if self.distance(one, other) != 1:
            raise PositionError(
                f"{one} et {other} ne sont pas voisins.", remedy="Un côté se nomme par deux hexs adjacents."
            )
        first, second = sorted((one, other), key=self.coords)
        return f"{first}/{second}"

    def direction(self, start: str, end: str) -> int:
        """Side 1..6 of ``start`` behind which the adjacent ``end`` lies."""
        for d in range(1, 7):
            if self.neighbour(start, d) == end:
                return d
        raise PositionError(f"{start} et {end} ne sont pas voisins.")

    def side_points(self, side: str) -> tuple[Point, Point]:
        """The two lattice end points of a side."""
        one, other = split_side(side)
        d = self.direction(one, other)
        x, y = self.centre(one)
        a, b = HEX_VERTICES[d - 2], HEX_VERTICES[d - 1]
        return (x + a[0], y + a[1]), (x + b[0], y + b[1])

    def plane(self, point: Point) -> tuple[float, float]:
        """Drawing coordinates of a lattice point, in hex radii (regular hexes, x right, y down)."""
        return point[0] / 40, point[1] * sqrt(3) / 40

    def lattice(self, x: float, y: float) -> tuple[float, float]:
        """Lattice coordinates of a drawing point, the inverse of :meth:`plane`."""
        return x * 40, y * 40 / sqrt(3)

    def cell_at(self, x: float, y: float) -> str | None:
        """The cell under a drawing point (hex radii), or None off the board."""
        lx, ly = self.lattice(x, y)
        column = round(lx / 60)
        best: tuple[float, str] | None = None
        for c in (column - 1, column, column + 1):
            row = round((ly - 20 * (c % 2 == 0)) / 40)
            dx, dy = abs(lx - 60 * c), abs(ly - 40 * row - 20 * (c % 2 == 0))
            reach = max(dy / 20, (dx + dy) / 40)
            if reach <= 1 and (best is None or reach < best[0]):
                best = (reach, self.name(c, row))
        return best[1] if best and best[1] in self else None


def hex_step(even: bool, side: int) -> tuple[int, int]:
    """Column and row change across side 1..6, from an even or odd column.

    >>> hex_step(True, 2), hex_step(False, 2)
    ((1, 0), (1, -1))
    """
    down, up = (1, 0) if even else (0, -1)
    return ((0, -1), (1, up), (1, down), (0, 1), (-1, down), (-1, up))[side - 1]


@dataclass(frozen=True)
class SquareGrid(_NamedGrid):
    """A square board; sides 1..4 clockwise from the top, distance counts orthogonal and diagonal steps alike.

    >>> board = SquareGrid(1, 4, 1, 4)
    >>> board.neighbours("B2"), board.distance("A1", "C2")
    (('B1', 'C2', 'B3', 'A2'), 2)
    """

    words: ClassVar[CellWords] = SQUARES

    @property
    def side_count(self) -> int:
        """Four sides."""
        return 4

    def centre(self, cell: str) -> Point:
        """Lattice point of the centre; squares are 40 units wide."""
        c, r = self.coords(cell)
        return 40 * c, 40 * r

    def polygon(self, cell: str) -> tuple[Point, ...]:
        """The four vertices, clockwise from the upper right."""
        x, y = self.centre(cell)
        return (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20), (x - 20, y - 20)

    def neighbour(self, cell: str, side: int) -> str:
        """Name of the cell across side 1..4, which may lie off the board."""
        c, r = self.coords(cell)
        dc, dr = ((0, -1), (1, 0), (0, 1), (-1, 0))[side - 1]
        return self.name(c + dc, r + dr)

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """Orthogonal neighbours on the board, clockwise from the top."""
        return tuple(n for d in range(1, 5) if (n := self.neighbour(cell, d)) in self)

    def distance(self, start: str, end: str) -> int:
        """Steps from start to end, diagonals counting one."""
        (c1, r1), (c2, r2) = self.coords(start), self.coords(end)
        return max(abs(c1 - c2), abs(r1 - r2))

    def side(self, cell: str, side: int) -> str:
        """Canonical name of a side: its two cells in order."""
        first, second = sorted((cell, self.neighbour(cell, side)), key=self.coords)
        return f"{first}/{second}"

    def side_points(self, side: str) -> tuple[Point, Point]:
        """The two lattice end points of a side."""
        one, other = split_side(side)
        for d in range(1, 5):
            if self.neighbour(one, d) == other:
                corners = self.polygon(one)
                return corners[d - 2], corners[d - 1]
        raise PositionError(f"{one} et {other} ne sont pas voisins.")

    def plane(self, point: Point) -> tuple[float, float]:
        """Drawing coordinates of a lattice point, in half-squares."""
        return point[0] / 20, point[1] / 20

    def cell_at(self, x: float, y: float) -> str | None:
        """The cell under a drawing point (half-squares), or None off the board."""
        name = self.name(round(x / 2), round(y / 2))
        return name if name in self else None
