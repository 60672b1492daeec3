"""Zones of control: orthogonal neighbours, stopped by walls and windows, led on by blue arrows; off-grid squares.

**Rule:** 1.3.2, 1.4.2.
"""

from __future__ import annotations

from tutor.core.arguments import PieceId
from tutor.core.context import Context
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.board import grid_of, mark, side_kind, square, unit_of
from tutor.games.heroes_of_normandie.game import GAME


@GAME.question(
    "control",
    rules=("1.3.2", "1.4.2"),
    label="Quelles cases contrôle-t-elle ?",
    theme="Vue et tir",
    common=True,
)
def control(ctx: Context, unit: PieceId) -> tuple[str, ...]:
    """Squares in a unit's zone of control.

    Args:
        unit: id; with status ``shifted`` it stands on the off-grid square over its square and the one to its right.

    Returns:
        Squares in board order, none for a unit upstairs; an off-grid square is named by both squares it covers,
        ``C3>D3``.

    **Rule:** 1.3.2, 1.4.2.

    >>> GAME.load().rules["control"](GAME.position("batiment"), unit="section").value
    ('A4', 'B3', 'B5', 'C4')
    """
    piece = unit_of(ctx.position, unit)
    here, grid = square(piece), grid_of(ctx.position)
    if "upstairs" in piece.status:
        ctx.step("1.3.7", "control.upstairs", value=0, who=unit, note="interprétation")
        return ()
    if "shifted" in piece.status:
        return _off_grid(ctx, unit, here)
    controlled = set()
    for other in grid.neighbours(here):
        kind = side_kind(ctx.position, here, other)
        if kind and GAME.tables["sides"].get(kind, "zoc", "open") == "stops" and ctx.on("1.3.2"):
            ctx.step("1.3.2", "control.stopped", kind=kind, cell=other, where=hexes(other))
        else:
            controlled.add(other)
    for source, sides in ctx.position.ways.get("blue_arrow", {}).items():
        for side in sides:
            pointed = grid.neighbour(source, side) if source in grid and side <= grid.side_count else None
            if pointed not in grid or here not in (source, pointed) or not ctx.on("1.3.2"):
                continue
            other = str(pointed) if here == source else source
            against = here == pointed
            if against and ctx.setting("blue_arrow") == "one":
                ctx.step("1.3.2", "control.against_arrow", cell=other, where=hexes(other), note="interprétation")
                continue
            note = "interprétation" if against else None
            ctx.step("1.3.2", "control.arrow", cell=other, where=hexes(other), note=note)
            controlled.add(other)
    zone = tuple(cell for cell in grid.cells if cell in controlled)
    ctx.step("1.3.2", "control.zone", value=len(zone), cells=list(zone), who=unit, where=hexes(*zone))
    return zone


def _off_grid(ctx: Context, unit: str, here: str) -> tuple[str, ...]:
    """Zone of a unit on an off-grid square: off-grid neighbours, and the squares its own covers."""
    grid, position = grid_of(ctx.position), ctx.position
    covered = [cell for cell in (here, grid.neighbour(here, 2)) if cell in grid]
    laid = [n for n in grid.neighbours(here) if mark(position, "shifted", n) and grid.neighbour(n, 2) in grid]
    beside = [n for n in laid if not _walled(ctx, here, n)]
    ctx.step("1.4.2", "control.covered", cells=covered, where=hexes(*covered))
    zone = (*covered, *(f"{n}>{grid.neighbour(n, 2)}" for n in beside))
    said = [f"{n}-{grid.neighbour(n, 2)}" for n in beside]
    if said:
        ctx.step("1.4.2", "control.off_grid", cells=said, where=hexes(*beside))
    code = "control.zone_off_grid" if said else "control.zone"
    ctx.step("1.4.2", code, value=len(zone), cells=covered, off_grid=said, who=unit, where=hexes(*covered))
    return zone


def _walled(ctx: Context, here: str, other: str) -> bool:
    """Whether the edge between two off-grid squares, one above the other, stops a zone of control.

    Both its halves must (one is enough by the reading ``offset_wall``).
    """
    grid = grid_of(ctx.position)
    if grid.coords(here)[0] != grid.coords(other)[0] or not ctx.on("1.3.2"):
        return False
    halves = [(here, other), (grid.neighbour(here, 2), grid.neighbour(other, 2))]
    kinds = [side_kind(ctx.position, one, two) for one, two in halves]
    shut = [kind for kind in kinds if kind and GAME.tables["sides"].get(kind, "zoc", "open") == "stops"]
    half = len(shut) == 1
    stops = len(shut) == 2 or (half and ctx.setting("offset_wall") == "any")
    note = "interprétation" if half else None
    if stops:
        ctx.step("1.3.2", "control.stopped", kind=shut[0], cell=other, where=hexes(other), note=note)
    elif half:
        ctx.step("1.4.2", "control.half_wall", kind=shut[0], cell=other, where=hexes(other), note=note)
    return stops
