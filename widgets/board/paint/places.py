"""Where the places that a trace names are on the page: hexes, sides, segments, points, pieces."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.grid import split_side
from tutor.core.position import Position
from tutor.core.trace import Place
from widgets.board.counters.layout import Placed, counter_outline, layout, weapon_place
from widgets.board.paint.shapes import XY, View, circle, hexagon

#: Outline of a hex that a wall borders, as a part of the hex.
OUTLINED = 0.82


def place_paths(places: Iterable[Place], position: Position, view: View) -> tuple[list[list[XY]], list[list[XY]]]:
    """Pixels of places: closed paths (hexes, points, pieces), then lines (sides, segments)."""
    closed: list[list[XY]] = []
    lines: list[list[XY]] = []
    items: list[Placed] = []
    grid, bordered = position.grid, walled(position)
    for place in places:
        if place.kind == "hex" and place.ref in grid:
            closed.append(view.polygon(place.ref, OUTLINED if place.ref in bordered else 0.95))
        elif place.kind == "side":
            one, other = split_side(place.ref)
            if one in grid or other in grid:
                a, b = view.path(grid.side_points(position.canonical_side(place.ref)))
                lines.append([a, b])
        elif place.kind == "segment":
            start, _, end = place.ref.partition(">")
            if start in grid and end in grid:
                lines.append([view.centre(start), view.centre(end)])
        elif place.kind == "point":
            x, y = view.px([float(v) for v in place.ref.split(",")])
            closed.append(circle(x, y, view.radius * 0.16, 16))
        elif place.kind == "piece" and place.ref in position.by_id:
            items = items or layout(position, view)
            closed += _piece_paths(place.ref, items)
    return closed, lines


def walled(position: Position) -> set[str]:
    """Cells that a wall, a hedge or a cliff borders: an outline leaves it to be seen."""
    return {cell for sides in position.sides.values() for side in sides for cell in split_side(side)}


def _piece_paths(piece: str, items: list[Placed]) -> list[list[XY]]:
    for item in items:
        if item.face.id == piece:
            return [counter_outline(item)]
        for i, weapon in enumerate(item.weapons):
            if weapon.id == piece:
                return [hexagon(*weapon_place(item, i), item.size * 0.36)]
    return []


def place_hexes(places: Iterable[Place], position: Position) -> list[str]:
    """Hexes that places name, directly or through their pieces, sides and segments."""
    hexes: list[str] = []
    for place in places:
        if place.kind == "hex":
            hexes.append(place.ref)
        elif place.kind == "side":
            hexes += split_side(place.ref)
        elif place.kind == "segment":
            hexes += place.ref.split(">")
        elif place.kind == "piece" and place.ref in position.by_id:
            at = position.hex_of(place.ref)
            hexes += [at] if at else []
    return [h for h in dict.fromkeys(hexes) if h in position.grid]
