"""The board of Escarmouche: squares, some of them woods. **Rule:** 1."""

from __future__ import annotations

from tutor.games.escarmouche.game import GAME

from tutor.core.arguments import End, Start
from tutor.core.context import Context
from tutor.core.drawing import Shape
from tutor.core.faults import common_faults
from tutor.core.position import Position
from tutor.core.trace import segment


@GAME.question("distance", rules=("1",), label="À quelle distance ?", theme="Vue et tir", common=True)
def distance(ctx: Context, start: Start, end: End) -> int:
    """How far a square is, a diagonal step counting one.

    Args:
        start, end: squares.

    Returns:
        Number of squares, the first one not counted.

    **Rule:** 1.

    >>> distance(GAME.position("clairiere"), start="A1", end="C2").value
    2
    """
    grid = ctx.position.grid
    (column, row), (to_column, to_row) = grid.coords(grid.check(start)), grid.coords(grid.check(end))
    value = max(abs(to_column - column), abs(to_row - row))
    ctx.step("1", "distance.count", value=value, unit="cases", where=[segment(start, end)], start=start, end=end)
    return value


def shapes(position: Position) -> tuple[Shape, ...]:
    """Each wood, a whole square."""
    return tuple(
        Shape("area", kind, (cell,), position.grid.polygon(cell))
        for kind, cells in position.terrain.items()
        for cell in cells
        if cell in position.grid
    )


GAME.shapes = shapes
GAME.problems = lambda position: list(common_faults(position, GAME.tables))
