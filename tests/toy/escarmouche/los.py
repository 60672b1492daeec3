"""Who sees whom in Escarmouche. **Rule:** 2."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.games.escarmouche.game import GAME

from tutor.core.arguments import End, Start
from tutor.core.context import Context
from tutor.core.marks import Seen, Sighting
from tutor.core.trace import segment


@dataclass(frozen=True, slots=True)
class Sight(Sighting):
    """A line of sight.

    Args:
        visible: whether the other square is seen.
        wood: the wood that hides it, or None.
    """

    visible: bool
    wood: str | None = None

    def seen(self) -> Seen:
        """For the board."""
        return Seen("clear" if self.visible else "blocked", "2")


@GAME.question("los", rules=("2",), label="Se voit-on ?", theme="Vue et tir", common=True)
def los(ctx: Context, start: Start, end: End) -> Sight:
    """Whether two squares see each other: along a row, a column or a diagonal, and no wood in between.

    Args:
        start, end: squares.

    Returns:
        What is seen.

    **Rule:** 2.

    >>> los(GAME.position("clairiere"), start="A2", end="D2").value
    Sight(visible=False, wood='C2')
    """
    grid = ctx.position.grid
    (column, row), (to_column, to_row) = grid.coords(grid.check(start)), grid.coords(grid.check(end))
    across, down = to_column - column, to_row - row
    far = max(abs(across), abs(down))
    if across and down and abs(across) != abs(down):
        ctx.step("2", "los.crooked", value=False, where=[segment(start, end)], start=start, end=end)
        return Sight(False)
    for step in range(1, far):
        cell = grid.name(column + step * across // far, row + step * down // far)
        if ctx.position.terrain_of.get(cell) == "woods":
            ctx.step("2", "los.wood", value=False, where=[segment(start, end)], cell=cell)
            return Sight(False, cell)
    ctx.step("2", "los.clear", value=True, where=[segment(start, end)], start=start, end=end)
    return Sight(True)
