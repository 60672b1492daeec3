"""The square board of Battle for Caen: lines and walls on edges, rooms, dominant elements, half-squares; what is drawn.

Lines and walls are ``sides``; ``ways.blue_arrow`` points from a square across a side; ``markers`` hold ``dominant``
(number of the dominant element), ``element`` (number of a building or ruin), ``room``, ``half`` (number of a pair of
half-squares), ``ruined_half`` (see ``tiles``), ``shifted`` (an off-grid square over this one and its right-hand
neighbour) and ``smoke`` (4, or weak), ``stairs`` and ``red_dot``.

**Rule:** 1.1-1.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tutor.core.context import Context
from tutor.core.drawing import Shape
from tutor.core.errors import RequestError
from tutor.core.grid import UNIT, Point, SquareGrid, split_side
from tutor.core.position import Piece, Position
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.game import GAME

INFANTRY, VEHICLES = ("infantry", "gun", "mortar"), ("light_vehicle", "heavy_vehicle")
#: Terrain drawn as a ground plan; smoke as its face shows it.
DRAWN, FACES = {"building": "floor"}, {"4": "−4", "weak": "−\u202f?"}
SIDES = (1, 2, 3, 4)
MARKERS = ("ruined_half", "dominant", "element", "room", "half", "shifted", "smoke", "stairs", "red_dot")


@dataclass(frozen=True, slots=True)
class Line:
    """What a straight line from centre to centre meets, in order from its start.

    Args:
        cells: squares crossed by more than a point, both ends left out.
        sides: (side, kind) met.
        places: square or side -> lattice point where the line first meets it.
    """

    cells: tuple[str, ...]
    sides: tuple[tuple[str, str], ...]
    places: Mapping[str, tuple[float, float]]

    def reversed(self) -> Line:
        """The same line from its end."""
        return Line(self.cells[::-1], self.sides[::-1], self.places)


def grid_of(position: Position) -> SquareGrid:
    """The square grid of a position.

    Raises:
        RequestError: another kind of board.
    """
    if not isinstance(position.grid, SquareGrid):
        raise RequestError("Ce jeu se joue sur des cases carrées.", remedy="Écrivez grid: {kind: square, …}.")
    return position.grid


def unit_of(position: Position, unit: str) -> Piece:
    """A piece on the board by id.

    Raises:
        RequestError: it is off the board. PositionError: there is none.
    """
    piece = position.piece(unit)
    if piece.at is None or piece.at not in position.grid:
        raise RequestError(f"« {piece.name or unit} » n’est pas sur le plateau.", remedy="Placez ce pion.")
    return piece


def square(piece: Piece) -> str:
    """Square of a piece that ``unit_of`` gave."""
    return str(piece.at)


def as_if(ctx: Context, changes: Mapping[str, Any]) -> Context:
    """The same computation, its trace and its refusals, on a changed position."""
    other = copy(ctx)
    other.position = ctx.position.change(changes)
    return other


def covered(position: Position, piece: Piece) -> tuple[str, ...]:
    """Squares of the board under a unit that ``unit_of`` gave: two on an off-grid square."""
    here, grid = square(piece), grid_of(position)
    both = (here, grid.neighbour(here, 2)) if "shifted" in piece.status else (here,)
    return tuple(cell for cell in both if cell in grid)


def standing(position: Position, cell: str) -> list[Piece]:
    """Units on a square of the board, those of an off-grid square over it included, those upstairs left out."""
    downstairs = (p for p in position.pieces if p.at in position.grid and "upstairs" not in p.status)
    return [piece for piece in downstairs if cell in covered(position, piece)]


def red_dot(position: Position) -> str | None:
    """Square of the red dot of the chimney, or None."""
    return next((cell for cell in grid_of(position).cells if mark(position, "red_dot", cell)), None)


def ordered(piece: Piece) -> bool:
    """Whether a unit received an order, numbered or special."""
    return "order" in piece.front or not {"order", "special"}.isdisjoint(piece.status)


def squares_away(ctx: Context, start: str, end: str) -> int:
    """Squares from one square to another, counted as the reader chose: the base booklet says how."""
    grid = grid_of(ctx.position)
    (c1, r1), (c2, r2) = grid.coords(start), grid.coords(end)
    if ctx.setting("range") == "orthogonal":
        return abs(c1 - c2) + abs(r1 - r2)
    if c1 != c2 and r1 != r2:
        ctx.table("base").get("range", "count", where=hexes(start, end))
    return grid.distance(start, end)


def side_kind(position: Position, one: str, other: str) -> str | None:
    """What lies on the edge of two orthogonal neighbours, or None."""
    return position.sides_of.get(position.canonical_side(f"{one}/{other}"))


def mark(position: Position, kind: str, cell: str) -> str | None:
    """Value of a marker as text, or None."""
    value = position.marker(kind, cell)
    return None if value in (None, False) else str(value)


def straight(position: Position, start: str, end: str, corner: bool) -> Line:
    """Squares and edges that the line between two centres meets.

    Args:
        corner: whether touching only the end of a line or wall meets it.
    """
    grid = grid_of(position)
    p, q = grid.centre(start), grid.centre(end)
    cells: list[tuple[Fraction, str]] = []
    for cell in grid.cells:
        if cell in (start, end):
            continue
        span = crossing(p, q, grid.centre(cell))
        if span is not None:
            cells.append((span, cell))
    sides: list[tuple[Fraction, str, str]] = []
    for side, kind in position.sides_of.items():
        if all(cell in grid for cell in split_side(side)) and grid.distance(*split_side(side)) == 1:
            at = _meets(p, q, *grid.side_points(side), corner)
            if at is not None:
                sides.append((at, side, kind))
    met = [*cells, *((at, side) for at, side, _ in sides)]
    places = {name: (p[0] + float(at * (q[0] - p[0])), p[1] + float(at * (q[1] - p[1]))) for at, name in met}
    return Line(tuple(c for _, c in sorted(cells)), tuple((s, k) for _, s, k in sorted(sides)), places)


def toward(side: int) -> Point:
    """Direction of a side of a square, 1 to 4 from the top.

    >>> [toward(side) for side in (1, 2, 3, 4)]
    [(0, -1), (1, 0), (0, 1), (-1, 0)]
    """
    return ((0, -1), (1, 0), (0, 1), (-1, 0))[side - 1]


def _half(centre: Point, side: int) -> tuple[Point, ...]:
    """The half of a square on one of its sides."""
    (x, y), (dx, dy) = centre, toward(side)
    left, right = x - UNIT * (dx <= 0), x + UNIT * (dx >= 0)
    top, low = y - UNIT * (dy <= 0), y + UNIT * (dy >= 0)
    return (right, top), (right, low), (left, low), (left, top)


def _ruined(centre: Point, cell: str, side: object) -> list[Shape]:
    """The ruined half of a square as terrain; nothing for a side that is none."""
    return [Shape("area", "ruin", (cell,), _half(centre, s)) for s in SIDES if s == side]


def crossing(p: Point, q: Point, centre: Point) -> Fraction | None:
    """Where the segment enters the open square round a centre, or None."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        d, near = q[axis] - p[axis], centre[axis] - p[axis]
        if d == 0:
            if abs(near) >= UNIT:
                return None
            continue
        a, b = sorted((Fraction(near - UNIT, d), Fraction(near + UNIT, d)))
        low, high = max(low, a), min(high, b)
    return low if low < high else None


def _meets(p: Point, q: Point, a: Point, b: Point, corner: bool) -> Fraction | None:
    """Where the segment meets an edge, as a share of its length, or None."""
    axis = 0 if a[0] == b[0] else 1  # the coordinate both ends share
    d = q[axis] - p[axis]
    if d == 0:
        return None
    at = Fraction(a[axis] - p[axis], d)
    if not 0 <= at <= 1:
        return None
    place = p[1 - axis] + at * (q[1 - axis] - p[1 - axis])
    low, high = sorted((a[1 - axis], b[1 - axis]))
    return at if (low <= place <= high if corner else low < place < high) else None


def shapes(position: Position) -> tuple[Shape, ...]:
    """What a board shows, in painting order: terrain, off-grid squares, edges, markers."""
    grid = position.grid
    drawn = [
        Shape("area", DRAWN.get(kind, kind), (cell,), grid.polygon(cell))
        for kind, cells in position.terrain.items()
        for cell in cells
        if cell in grid
    ]
    for kind in MARKERS:
        for cell, value in position.markers.get(kind, {}).items():
            if cell in grid and value not in (None, False):
                points = grid.polygon(cell)
                if kind == "ruined_half":
                    building = position.terrain_of.get(cell) == "building"
                    drawn += _ruined(grid.centre(cell), cell, value) if building else []
                    continue
                if kind == "shifted":
                    points = tuple((x + 20, y) for x, y in points)
                shown = FACES.get(str(value), value) if kind == "smoke" else value
                drawn.append(Shape("marker", kind, (cell,), points, shown))
    for cell, ways in position.ways.get("blue_arrow", {}).items():
        if cell in grid:
            drawn += [Shape("marker", "blue_arrow", (cell,), grid.polygon(cell), side) for side in ways]
    for side, kind in position.sides_of.items():
        one, other = split_side(side)
        if one in grid and other in grid and other in grid.neighbours(one):
            drawn.append(Shape("side", kind, (one, other), grid.side_points(side)))
    return tuple(drawn)


def forbidden(position: Position, piece: Piece, cell: str) -> bool:
    """Whether the terrain of a square is closed to a unit by what this booklet prints."""
    kind = position.terrain_of.get(cell)
    return bool(kind) and piece.kind in (GAME.tables["terrain"].get(str(kind), "closed", ()) or ())


GAME.shapes = shapes
