"""The ground: paper, levels, areas, their textures, the mesh of hexes. Silhouettes are those the rules judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import pi
from random import Random

from tutor.core.drawing import Shape
from tutor.core.grid import Point
from tutor.core.position import Position
from widgets.board.paint.buildings import PLAN_STYLE, PLAN_TEXTURES
from widgets.board.paint.fill import hatch, near, roof, rows, scatter
from widgets.board.paint.labels import (
    LABELLED,
    METRES,
    paint_dots,
    paint_heights,
    paint_labels,
    paint_letters,
    thinned,
)
from widgets.board.paint.outlines import chains, clockwise, outline_edges
from widgets.board.paint.roofs import ROOF_STYLE, ROOF_TEXTURES
from widgets.board.paint.shapes import XY, Drawing, View, along
from widgets.board.paint.ways import paint_sides, paint_ways
from widgets.board.palette import Palette


def terrain_drawing(
    position: Position, shapes: Sequence[Shape], view: View, colours: Palette, labels: bool = True
) -> Drawing:
    """Everything of a board that does not move.

    Args:
        position: for names and levels.
        shapes: what the game says is there, in painting order.
        view: where it goes.
        labels: write the hex names.
    """
    d = Drawing()
    r = view.radius
    cells = [view.polygon(cell) for cell in position.grid.cells]
    d.polygons(cells, fill=colours.ground, stroke=colours.ground, width=1.5)
    groups: dict[tuple[str, str], list[Shape]] = defaultdict(list)
    for shape in shapes:
        groups[shape.layer, shape.kind].append(shape)
    high = sorted(int(kind) for layer, kind in groups if layer == "level" and int(kind) > 0)
    frame = outline_edges(position.grid.polygon(c) for c in position.grid.cells)
    border = frozenset(frozenset(edge) for edge in frame)  # ground that goes on beyond the board has no crest there
    for (layer, kind), grouped in sorted(groups.items(), key=_level_order):
        if layer == "level":
            _level(d, int(kind), grouped, view, colours, high, border)
    ways = [s for s in shapes if s.layer == "way"]
    for (layer, kind), grouped in groups.items():
        if layer == "area":
            _area(d, kind, grouped, view, colours)
    d.polygons(cells, stroke=colours.mesh, width=max(0.6, r / 60), alpha=0.85)
    paint_ways(d, ways, view, colours)
    _crowns(
        d, [s for s in shapes if s.layer == "area" and s.kind in ("woods", "orchard", "heavy")], ways, view, colours
    )
    paint_sides(d, [s for s in shapes if s.layer == "side"], position, view, colours)
    d.lines([view.path(chain) for chain in chains(frame)], colours.frame, max(1.2, r / 30))
    paint_dots(d, position, view, colours)
    d.extend(names_drawing(position, shapes, view, colours, labels))
    if labels and view.radius >= LABELLED:
        paint_letters(d, [s for s in shapes if s.layer == "area"], view, colours)
    return d


def names_drawing(
    position: Position, shapes: Sequence[Shape], view: View, colours: Palette, labels: bool = True
) -> Drawing:
    """What is written on the ground.

    Args:
        position: for names and levels.
        shapes: what the game says is there; nothing is written of them.
        view: where it goes.
        colours: of the theme.
        labels: write it.
    """
    d = Drawing()
    if labels:
        paint_labels(d, thinned(position.grid.cells, view), view, colours)
    if labels and view.radius >= LABELLED:
        paint_heights(d, position, view, colours)
    return d


def _level_order(item: tuple[tuple[str, str], list[Shape]]) -> int:
    (layer, kind), _ = item
    return int(kind) if layer == "level" else 99


def _paths(shapes: Iterable[Shape], view: View) -> list[list[XY]]:
    return [view.path(shape.points) for shape in shapes]


def _outline(shapes: Iterable[Shape], view: View, border: frozenset[frozenset[Point]] = frozenset()) -> list[list[XY]]:
    edges = outline_edges(s.points for s in shapes)
    return [view.path(chain) for chain in chains(e for e in edges if frozenset(e) not in border)]


def _level(
    d: Drawing,
    level: int,
    shapes: list[Shape],
    view: View,
    colours: Palette,
    high: list[int],
    border: frozenset[frozenset[Point]],
) -> None:
    tint = ramp(colours.levels, *_rank(level, high)) if level > 0 else colours.sunken
    r = view.radius
    d.polygons(_paths(shapes, view), fill=tint, stroke=tint, width=0.8)
    outline = _outline(shapes, view, border)
    d.lines(outline, colours.crest, max(1.0, r / 34), alpha=0.9)
    ticks = []
    for line in outline:
        for a, b in pairwise(line):
            for i, (x, y, ux, uy) in enumerate(along(a, b, r / 7)):
                length = r * (0.10 if i % 2 else 0.065)  # downhill is on the left hand of a clockwise outline
                ticks.append([(x, y), (x + uy * length, y - ux * length)])
    d.lines(ticks, colours.crest, max(0.6, r / 60), alpha=0.6)


def _rank(level: int, high: list[int]) -> tuple[int, int]:
    """Rank of a level from 1, and how many there are: small levels are their own rank, metres count by contour line."""
    return (high.index(level) + 1, len(high)) if high[-1] > METRES else (level, high[-1])


def ramp(tints: Sequence[str], rank: int, count: int) -> str:
    """The tint of a rank among ``count``: those of the palette, or between them when there are more ranks than tints.

    >>> from widgets.board.palette import LIGHT
    >>> ramp(LIGHT.levels, 2, 5) == LIGHT.levels[1], ramp(LIGHT.levels, 9, 9) == LIGHT.levels[-1]
    (True, True)
    >>> len({ramp(LIGHT.levels, rank, 12) for rank in range(1, 13)})
    12
    """
    if count <= len(tints):
        return tints[rank - 1]
    place = (rank - 1) * (len(tints) - 1) / (count - 1)
    i = min(int(place), len(tints) - 2)
    ends = [[int(tint[k : k + 2], 16) for k in (1, 3, 5)] for tint in tints[i : i + 2]]
    return "#" + "".join(f"{round(a + (b - a) * (place - i)):02X}" for a, b in zip(*ends, strict=True))


def _area(d: Drawing, kind: str, shapes: list[Shape], view: View, colours: Palette) -> None:
    fill, stroke, dash = _AREA_STYLE.get(kind, ("building", "building_line", ()))
    width = max(1.0, view.radius / 38)
    tint = getattr(colours, fill)
    d.polygons(_paths(shapes, view), fill=tint, stroke=tint, width=0.6)
    texture = _TEXTURES.get(kind)
    if texture:
        for shape in shapes:
            texture(d, shape, view, colours)
    d.lines(_outline(shapes, view), getattr(colours, stroke), width, dash=[v * view.radius / 48 for v in dash])


_AREA_STYLE: dict[str, tuple[str, str, tuple[float, ...]]] = {
    "woods": ("woods", "woods_line", ()),
    "building": ("building", "building_line", ()),
    "field": ("field", "field_line", ()),
    "brush": ("brush", "brush_line", (3, 3)),
    "orchard": ("orchard", "orchard_line", (6, 3)),
    "marsh": ("marsh", "water_line", (2, 4)),
    "stream": ("water", "water_line", (3, 3)),
    "water_barrier": ("water", "water_line", ()),
    "gully": ("gully", "gully_line", ()),
    "major_bridge": ("building", "rail", ()),
    "minor_bridge": ("building", "gully_line", ()),
    "heavy": ("woods", "woods_line", ()),
    "light": ("brush", "brush_line", (3, 3)),
    "water": ("water", "water_line", ()),
    "bocage": ("orchard", "hedge_line", ()),
    "impassable": ("stone", "stone_line", ()),
    "grain": ("field", "field_line", ()),
    "sea": ("water", "water_line", ()),
    "billard": ("orchard", "orchard_line", (2, 4)),
    **ROOF_STYLE,
    **PLAN_STYLE,
}


def _random(shape: Shape) -> Random:
    seed = 0
    for letter in f"{shape.kind}{shape.cells[0] if shape.cells else shape.points}":
        seed = (seed * 131 + ord(letter)) & 0xFFFFFFFF
    return Random(seed)


# --- trees: painted after the roads, never on them ------------------------------------------------------------------


def _crowns(d: Drawing, shapes: list[Shape], ways: list[Shape], view: View, colours: Palette) -> None:
    by_cell: dict[str, list[list[XY]]] = defaultdict(list)
    for way in ways:
        for cell in way.cells:
            by_cell[cell].append(view.path(way.points))
    trees: list[tuple[float, float, float, bool]] = []
    r = view.radius
    for shape in shapes:
        rng = _random(shape)
        polygon = view.path(shape.points)
        orchard = shape.kind == "orchard"
        size = r * (0.085 if orchard else 0.125)
        places = rows(polygon, r * 0.33, size * 1.3) if orchard else scatter(polygon, r * 0.27, size * 0.95, rng)
        roads = [road for cell in shape.cells for road in by_cell.get(cell, ())]
        for x, y in places:
            radius = size * (1.0 if orchard else 0.8 + rng.random() * 0.5)
            if not any(near(road, x, y, radius * 0.9) for road in roads):
                trees.append((x, y, radius, orchard))
    trees.sort(key=lambda tree: tree[1])
    d.discs([(x + q * 0.28, y + q * 0.34, q * 1.02, colours.shade) for x, y, q, _ in trees], alpha=0.28)
    items = []
    line = max(0.6, r / 64)
    for x, y, q, orchard in trees:
        items.append((x, y, q, colours.orchard_line if orchard else colours.crown_dark))
        items.append((x, y, q - line, colours.crown))
        items.append((x - q * 0.24, y - q * 0.26, q * 0.48, colours.crown_light))
    d.discs(items)


# --- textures --------------------------------------------------------------------------------------------------------


def _building(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    rng, r = _random(shape), view.radius
    cx = sum(p[0] for p in view.path(shape.points)) / len(shape.points)
    cy = sum(p[1] for p in view.path(shape.points)) / len(shape.points)
    turn = rng.choice((-7, -3, 4, 8))
    for i, (px, py, w, h) in enumerate(_HOUSES):
        with d.placed(cx, cy, turn):
            roof(d, px * r, py * r, w * r, h * r, colours, (i + turn) % 3 == 0)


#: Houses of a building hex, in hex radii: round the middle, where a counter will stand.
_HOUSES = (
    (0.03, -0.5, 0.46, 0.27),
    (-0.5, -0.2, 0.3, 0.42),
    (0.53, -0.12, 0.3, 0.46),
    (-0.34, 0.42, 0.4, 0.32),
    (0.27, 0.5, 0.44, 0.27),
)


def _field(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    angle = _random(shape).choice((0.35, 0.9, 2.2, 2.75))
    d.lines(
        hatch(view.path(shape.points), angle, view.radius * 0.115, view.radius * 0.03),
        colours.field_line,
        max(0.6, view.radius / 50),
    )


def _brush(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    rng, r = _random(shape), view.radius
    q = r * 0.05
    dots, tufts = [], []
    for i, (x, y) in enumerate(scatter(view.path(shape.points), r * 0.2, r * 0.07, rng)):
        if i % 3:
            dots.append((x, y, q * 0.62, colours.brush_line))
        else:
            tufts += [
                [(x - q * 1.3, y - q), (x, y + q)],
                [(x, y - q * 1.5), (x, y + q)],
                [(x + q * 1.3, y - q), (x, y + q)],
            ]
    d.discs(dots)
    d.lines(tufts, colours.brush_line, max(0.8, r / 44))


def _waves(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    r = view.radius
    waves = []
    for line in hatch(view.path(shape.points), 0.0, r * 0.21, r * 0.09):
        (x0, y), (x1, _) = line
        n = max(2, int((x1 - x0) / (r * 0.09)))
        waves.append([(x0 + (x1 - x0) * i / n, y + (r * 0.022 if i % 2 else -r * 0.022)) for i in range(n + 1)])
    d.lines(waves, colours.water_line, max(0.7, r / 52), alpha=0.65)


def _current(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Shallow running water: short strokes along the current, and stepping stones."""
    rng, r = _random(shape), view.radius
    for x, y in scatter(view.path(shape.points), r * 0.3, r * 0.12, rng):
        w = r * (0.07 + 0.05 * rng.random())
        d.line((x - w, y + w * 0.5), (x + w, y - w * 0.5), stroke=colours.water_line, width=max(0.7, r / 48), alpha=0.8)
    stones = scatter(view.path(shape.points), r * 0.52, r * 0.2, rng)
    d.discs([(x, y, r * 0.045, colours.stone_line) for x, y in stones])


def _marsh(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    rng, r = _random(shape), view.radius
    water, reeds = [], []
    for i, (x, y) in enumerate(scatter(view.path(shape.points), r * 0.28, r * 0.13, rng, 0.2)):
        w = r * (0.09 + 0.05 * rng.random())
        water.append([(x - w, y), (x + w, y)])
        if i % 2:
            reeds += [[(x + k * r * 0.035, y - r * 0.015), (x + k * r * 0.06, y - r * 0.11)] for k in (-1, 0, 1)]
    d.lines(water, colours.water_line, max(0.9, r / 40))
    d.lines(reeds, colours.brush_line, max(0.8, r / 48))


def _gully(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    r = view.radius
    corners: Sequence[Point] = clockwise(shape.points)
    path = view.path(corners)
    ticks = []
    for a, b in zip(path, [*path[1:], path[0]], strict=True):
        for x, y, ux, uy in along(a, b, r * 0.1):
            ticks.append([(x, y), (x - uy * r * 0.13, y + ux * r * 0.13)])
    d.lines(ticks, colours.gully_line, max(0.7, r / 48), alpha=0.8)


def _bridge(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    d.lines(
        hatch(view.path(shape.points), pi / 2, view.radius * 0.1),
        colours.gully_line,
        max(0.6, view.radius / 60),
        alpha=0.7,
    )


def _hedges(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Small fields, each with its hedge."""
    r = view.radius
    path = view.path(shape.points)
    cx, cy = sum(px for px, _ in path) / len(path), sum(py for _, py in path) / len(path)
    rings = [[(cx + (px - cx) * k, cy + (py - cy) * k) for px, py in path] for k in (0.86, 0.5)]
    d.polygons(rings, stroke=colours.hedge_line, width=max(2.0, r * 0.1))
    d.polygons(rings, stroke=colours.hedge, width=max(1.2, r * 0.055))


def _rocks(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    rng, r = _random(shape), view.radius
    for x, y in scatter(view.path(shape.points), r * 0.3, r * 0.13, rng):
        q = r * (0.08 + 0.05 * rng.random())
        rock = [
            (x - q, y + q * 0.6),
            (x - q * 0.6, y - q * 0.5),
            (x + q * 0.1, y - q),
            (x + q, y),
            (x + q * 0.8, y + q * 0.6),
        ]
        d.polygon(rock, fill=colours.concrete, stroke=colours.stone_line, width=max(0.8, r / 48))
        d.line((x + q * 0.1, y - q), (x + q * 0.2, y + q * 0.6), stroke=colours.stone_line, width=max(0.6, r / 60))


_TEXTURES = {
    "building": _building,
    "field": _field,
    "brush": _brush,
    "stream": _current,
    "water_barrier": _waves,
    "marsh": _marsh,
    "gully": _gully,
    "major_bridge": _bridge,
    "minor_bridge": _bridge,
    "light": _brush,
    "water": _waves,
    "bocage": _hedges,
    "impassable": _rocks,
    "sea": _waves,
    **ROOF_TEXTURES,
    **PLAN_TEXTURES,
}
