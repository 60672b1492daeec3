"""Movement square by square: what this booklet forbids, half-squares, openings, breaches.

How far a unit goes is printed on its counter and in the base booklet; here a path is judged and counted.

**Rule:** 1.2, 1.3, 1.4.1, 2.2.1, 2.3.1.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

from tutor.core.arguments import Cells, PieceId
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.marks import Asked, Mark, way
from tutor.core.position import Position
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.board import (
    INFANTRY,
    covered,
    forbidden,
    grid_of,
    mark,
    side_kind,
    square,
    unit_of,
)
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.tiles import entered


@GAME.question(
    "path",
    rules=("1.4.1", "2.2.1", "2.3.1.2", "1.2", "1.2.1", "1.2.2", "1.2.4", "1.2.5", "1.3.1", "1.3.7"),
    label="Combien de cases compte ce trajet ?",
    theme="Mouvement, ordres et cartes",
    common=True,
)
def path(
    ctx: Context, unit: PieceId, cells: Cells, into: Annotated[bool, "Entre dans un bâtiment"] = False
) -> int | None:
    """Squares that a path counts, two half-squares of a pair as one for single-square infantry.

    Args:
        unit: id.
        cells: squares in order, its own left out but for a change of floor by its stairs.
        into: its last step is a forced move.

    Returns:
        Squares counted; None, refused, for diagonals, walls, closed terrain, a second opening, a stop not made;
        unknown through water.

    Raises:
        RequestError: no square at all. UnknownHex: a square is not on the board.

    **Rule:** 1.2.1, 1.2.2, 1.2.4, 1.2.5, 1.3.1, 1.3.7, 1.4.1, 2.2.1, 2.3.1.2.

    >>> GAME.load().rules["path"](GAME.position("demi-cases"), unit="section", cells=["C3", "D3"]).value
    1
    """
    position, grid = ctx.position, grid_of(ctx.position)
    if not cells:
        raise RequestError("Le chemin est vide.", remedy="Donnez au moins une case.")
    piece = unit_of(position, unit)
    single = piece.kind in INFANTRY and "large" not in piece.status
    first = next((one for one in covered(position, piece) if cells[0] in grid.neighbours(one)), square(piece))
    heavy: str | None = None
    water = False
    here, count, openings = first, 0, 0
    pair = None if "shifted" in piece.status else mark(position, "half", first)
    upstairs = "upstairs" in piece.status
    for i, cell in enumerate(cells):
        grid.check(cell)
        if cell == here or upstairs:
            upstairs = _stairs(ctx, unit, here, cell, upstairs, last=i == len(cells) - 1)
            count += 1
            continue
        if cell not in grid.neighbours(here):
            rule = "1.4.1"
            ctx.refuse(rule, "path.not_orthogonal", start=here, cell=cell, where=hexes(here, cell))
        else:
            openings += _side(ctx, unit, here, cell, last=i == len(cells) - 1)
        ground = entered(ctx, [cell], here, cell).position
        if forbidden(ground, piece, cell) and ctx.on("1.2"):
            kind = str(ground.terrain_of[cell])
            rule = str(GAME.tables["terrain"].rows[kind]["rule"])
            ctx.step("1.2", "path.forbids", kind=kind, who=unit, where=hexes(cell))
            ctx.refuse(rule, "path.closed", kind=kind, cell=cell, who=unit, where=hexes(cell))
        heavy = heavy or (_printed(ground, cell) if piece.kind == "heavy_vehicle" else None)
        water = water or _water(ctx, ground, unit, cell)
        half = mark(position, "half", cell)
        if half and half == pair and single and ctx.on("1.4.1"):
            ctx.step("1.4.1", "path.pair", cell=cell, start=here, where=hexes(here, cell))
        else:
            count += 1
            if half and "large" in piece.status and ctx.setting("large_half") == "closed":
                ctx.refuse("1.4.1", "path.half_closed", who=unit, cell=cell, where=hexes(cell), note="interprétation")
            elif half and not single:
                ctx.step("1.4.1", "path.too_large", who=unit, cell=cell, where=hexes(cell))
        here, pair = cell, half
    if openings > 1 and ctx.on("2.2.1"):
        ctx.refuse("2.2.1", "path.openings", who=unit, count=openings)
    if heavy and ctx.on("1.2"):
        ctx.step("1.2", "path.printed", kind=heavy, who=unit)
        ctx.table("terrain").get(heavy, "heavy")
    if water and not ctx.refusals:
        ctx.table("terrain").get("river", "water")
    if into:
        ctx.step("2.2.1", "path.forced", who=unit)
    if not ctx.refusals:
        ctx.step(
            _deciding(position, first, cells),
            "path.count",
            value=count,
            who=unit,
            cells=list(cells),
            where=hexes(*cells),
        )
    return None if ctx.refusals else count


@path.draws
def _way(value: int | None, asked: Asked) -> tuple[Mark, ...]:
    """The way, in the colour of what is refused when it is."""
    cells = (asked.position.hex_of(asked.given["unit"]) or "", *asked.given["cells"])
    return (way(cells, "olive" if asked.computed else "blocked"),)


def _stairs(ctx: Context, unit: str, here: str, cell: str, upstairs: bool, last: bool) -> bool:
    """One step from floor to floor, named by the stairs' square again: whether the unit is upstairs after it."""
    where = hexes(here, cell)
    if cell != here or not mark(ctx.position, "stairs", here):
        ctx.refuse("1.3.7", "path.no_stairs", who=unit, cell=cell, where=where)
    elif upstairs:
        ctx.step("1.3.7", "path.down", who=unit, cell=cell, where=where)
    elif last:
        ctx.step("1.3.7", "path.up", who=unit, cell=cell, where=where)
    else:
        ctx.refuse("1.3.7", "path.up_stops", who=unit, cell=cell, where=where)
    return not upstairs


def _printed(position: Position, cell: str) -> str | None:
    """Terrain of a square when its own tile says whether a heavy vehicle enters."""
    kind = str(position.terrain_of.get(cell))
    return kind if "heavy" in GAME.tables["terrain"].rows.get(kind, {}) else None


def _water(ctx: Context, position: Position, unit: str, cell: str) -> bool:
    """Whether a square is water; difficult ground is said, what either costs is in the base booklet."""
    kind = str(position.terrain_of.get(cell))
    row = GAME.tables["terrain"].rows.get(kind, {})
    if row.get("difficult") and not ctx.refusals:
        ctx.step(str(row["rule"]), "path.difficult", kind=kind, cell=cell, who=unit, where=hexes(cell))
    return "water" in row


def _deciding(position: Position, start: str, cells: Sequence[str]) -> str:
    """The rule that a permitted path is about: stairs, openings, breaches, half-squares, else the terrain."""
    if any(one == other for one, other in pairwise([start, *cells])):
        return "1.3.7"
    crossed = {side_kind(position, one, other) for one, other in pairwise([start, *cells])}
    moves = {GAME.tables["sides"].get(kind, "move", "open") for kind in crossed if kind}
    if "urban" in moves:
        return "2.2.1"
    if moves & {"stop", "breach"}:
        return "2.3.1.2"
    return "1.4.1" if any(mark(position, "half", cell) for cell in cells) else "1.2"


def _side(ctx: Context, unit: str, start: str, cell: str, last: bool) -> int:
    """One step across an edge: 1 when it goes through an opening with a white arrow."""
    kind = side_kind(ctx.position, start, cell)
    if kind is None:
        return 0
    how = GAME.tables["sides"].get(kind, "move", "open")
    where = hexes(start, cell)
    if how == "closed":
        ctx.refuse("1.4.1", "path.wall", kind=kind, start=start, cell=cell, where=where)
    elif how == "urban":
        if "urban_fighter" not in ctx.position.piece(unit).status:
            ctx.refuse("2.2.1", "path.not_urban", who=unit, start=start, cell=cell, where=where)
        else:
            ctx.step("2.2.1", "path.opening", who=unit, start=start, cell=cell, where=where)
        return 1
    elif how == "embrasure":
        ctx.refuse("2.2.1", "path.embrasure", who=unit, start=start, cell=cell, where=where)
    elif how == "stop":
        if last or not ctx.on("2.3.1.2"):
            ctx.step("2.3.1.2", "path.breach_stop", who=unit, cell=cell, where=where)
        else:
            ctx.refuse("2.3.1.2", "path.must_stop", who=unit, cell=cell, where=where)
    elif how == "breach":
        ctx.step("2.3.1.2", "path.breach", who=unit, cell=cell, where=where)
    return 0
