"""Smoke: what it takes off a shot whose line touches it.

**Rule:** 3.3.6, 3.3.7.
"""

from __future__ import annotations

from tutor.core.arguments import End, Start
from tutor.core.context import Context
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.board import grid_of, mark
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.los import line_between


@GAME.question(
    "smoke",
    rules=("3.3.6", "3.3.7"),
    label="Que retire la fumée ?",
    theme="Vue et tir",
)
def smoke(ctx: Context, start: Start, end: End) -> int:
    """What smoke takes off a shot that enters, leaves or crosses a covered square.

    Args:
        start, end: squares.

    Returns:
        The malus, 0 or less; unknown for a weak face, which the booklet does not print.

    **Rule:** 3.3.6.

    >>> GAME.load().rules["smoke"](GAME.position("dominante"), start="B4", end="F4").value
    -4
    """
    position = ctx.position
    grid_of(position).check(start), grid_of(position).check(end)
    cells = (start, end) if start == end else (start, *line_between(ctx, start, end).cells, end)
    templates = _templates(ctx)
    met = {templates[cell]: cell for cell in reversed(cells) if cell in templates}
    covered = [cell for cell in dict.fromkeys(cells) if cell in templates]
    for template in met:
        if len(same := [cell for cell in covered if templates[cell] == template]) > 1:
            ctx.step("3.3.6", "smoke.once", cells=same, where=hexes(*same))
    if not met:
        ctx.step("3.3.6", "smoke.none", value=0, start=start, end=end)
        return 0
    first = list(reversed(met.values()))
    for cell in (cell for cell in first if mark(position, "smoke", cell) == "weak"):
        ctx.step("3.3.6", "smoke.weak", cell=cell, where=hexes(cell))
    code, note = ("smoke.total", "interprétation") if len(met) > 1 else ("smoke.total_one", None)
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    maluses = [smoke_malus(silent, cell) for cell in first]  # before a total is spoken of
    with ctx.group("3.3.6", code, start=start, end=end, cells=covered) as total:
        for cell in first:
            smoke_malus(ctx, cell)
        malus = sum(maluses) if ctx.setting("smoke_stack") == "sum" else min(maluses)
        total.value, total.note = malus, note
    return malus


def smoke_malus(ctx: Context, cell: str) -> int:
    """What the face of the smoke over a square says, 0 or less; unknown for a weak face."""
    face = mark(ctx.position, "smoke", cell)
    return int(ctx.table("smoke").get("weak" if face == "weak" else "strong", "malus", hexes(cell)))


def _templates(ctx: Context) -> dict[str, str]:
    """Each square under smoke -> the square that names its template: the four squares round a corner are one."""
    grid, template_of = grid_of(ctx.position), dict[str, str]()
    face = {cell: mark(ctx.position, "smoke", cell) for cell in grid.cells}
    for cell in (c for c in grid.cells if face[c] and c not in template_of):
        right = grid.neighbour(cell, 2)
        four = (cell, right, grid.neighbour(cell, 3), grid.neighbour(right, 3))
        one = all(face.get(c) == face[cell] and c not in template_of for c in four)
        template_of |= dict.fromkeys(four if one else (cell,), cell)
    return template_of
