"""Where a breach is placed: the wall of the target's building that the line of fire meets.

**Rule:** 2.3.1, 2.3.1.1.
"""

from __future__ import annotations

from dataclasses import dataclass

from tutor.core.arguments import Cell, PieceId
from tutor.core.context import Context
from tutor.core.position import Position
from tutor.core.trace import hexes, segment
from tutor.games.heroes_of_normandie.arguments import WithTemplate
from tutor.games.heroes_of_normandie.board import grid_of, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.los import by_usage, line_between, seen_squares
from tutor.games.heroes_of_normandie.rooms import building_of


@dataclass(frozen=True, slots=True)
class Breach:
    """Where a breach marker may go.

    Args:
        sides: walls, one, or two to choose from at a corner.
        points: of the face shown after, 1 or 2, for each.
    """

    sides: tuple[str, ...]
    points: tuple[int, ...]


def _borders(position: Position, side: str, cell: str) -> bool:
    """Whether an edge bounds the building part that a square belongs to."""
    mine = building_of(position, cell)
    return any(
        position.terrain_of.get(one) == "building" and building_of(position, one) == mine for one in side.split("/")
    )


@GAME.question(
    "breach",
    rules=("2.3.1", "2.3.1.1"),
    label="Où va la brèche ?",
    theme="Bâtiments",
)
def breach(ctx: Context, unit: PieceId, cell: Cell, template: WithTemplate = False) -> Breach | None:
    """Where a breach goes when a shot adds a Destruction marker to a building.

    Args:
        unit: the shooter.
        cell: square of the building where the target stands, or that is aimed at.
        template: the weapon lays a template.

    Returns:
        The wall, or the two walls of a corner; None, refused, for a template, a square without structure, no wall between.

    Raises:
        UnknownValue: when the path of the line is left to the base booklet, or starts off the grid.

    **Rule:** 1.3.8, 2.3.1, 2.3.1.1.

    >>> GAME.load().rules["breach"](GAME.position("breche"), unit="canon", cell="D3").value.sides
    ('C3/D3',)
    """
    position, grid = ctx.position, grid_of(ctx.position)
    shooter = unit_of(position, unit)
    grid.check(cell)
    if template:
        ctx.refuse("2.3.1.1", "breach.template", who=unit)
    if position.terrain_of.get(cell) != "building":
        ctx.refuse("1.3.8", "breach.no_structure", cell=cell, where=hexes(cell))
        return None
    (start,) = seen_squares(position, shooter)
    line = line_between(ctx, start, cell)
    with ctx.group("2.3.1", "breach.line", start=start, cell=cell, where=[segment(start, cell)]):
        by_usage(ctx, start, cell)
    nearest_wall = ctx.setting("breach_wall") == "nearest"
    p = grid.centre(cell if nearest_wall else start)
    met: list[tuple[float, str, str]] = []
    for side, kind in line.sides:
        if GAME.tables["sides"].get(kind, "breach", False) and _borders(position, side, cell):
            x, y = line.places[side]
            met.append((round((x - p[0]) ** 2 + (y - p[1]) ** 2, 6), side, kind))
    if not met:
        full = [side for side, kind in line.sides if kind == "breach_2" and _borders(position, side, cell)]
        code = "breach.full" if full else "breach.no_wall"
        ctx.refuse("2.3.1", code, start=start, cell=cell, sides=full, where=hexes(start, cell))
        return None
    if ctx.refusals:
        return None
    if len({at for at, _, _ in met}) > 1:
        code = "breach.nearest_wall" if nearest_wall else "breach.first_wall"
        ctx.step("2.3.1", code, value=len(met), where=hexes(cell), note="interprétation")
    nearest = min(met)[0]
    breached = [(side, 2 if kind == "breach_1" else 1) for at, side, kind in met if at == nearest]
    sides, points = tuple(side for side, _ in breached), tuple(value for _, value in breached)
    where = hexes(*dict.fromkeys(one for side in sides for one in side.split("/")))
    if len(sides) > 1:
        ctx.step("2.3.1", "breach.corner", value=len(sides), sides=list(sides), where=where)
    else:
        code = "breach.flipped" if points[0] == 2 else "breach.placed"
        ctx.step("2.3.1", code, value=points[0], side=sides[0], where=where)
    return Breach(sides, points)
