"""Flat-top hex boards whose cells are named by numbers alone, ``CC.RR``: column 7, row 12 is ``07.12``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from tutor.core.cells import HEXAGONS, CellWords
from tutor.core.grid import HexGrid


@dataclass(frozen=True)
class NumberedHexGrid(HexGrid):
    """A flat-top hex board named ``CC.RR``; same lattice as :class:`HexGrid`, even columns half a hex lower.

    Args:
        first_column, last_column: column numbers, 0 to 99.
        first_row, last_row: row numbers, 0 to 99.

    **Rule:** 1.1a (Tactical Combat Series).

    >>> board = NumberedHexGrid(1, 4, 1, 13)
    >>> board.cells[0], board.cells[-1], board.coords("02.09"), board.distance("01.04", "04.05")
    ('01.01', '04.13', (2, 9), 3)
    >>> board.neighbours("02.12"), board.side("03.12", 4)
    (('02.11', '03.12', '03.13', '02.13', '01.13', '01.12'), '03.12/03.13')
    """

    words: ClassVar[CellWords] = HEXAGONS

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Every cell name, column by column."""
        return tuple(
            self.name(c, r)
            for c in range(self.first_column, self.last_column + 1)
            for r in range(self.first_row, self.last_row + 1)
        )

    def name(self, column: int, row: int) -> str:
        """Cell name of a column and a row."""
        return f"{column:02d}.{row:02d}"
