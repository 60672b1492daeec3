"""The ground in plain tints, where no picture of it can be shown: silhouettes, ways and sides, each as it is judged.

The country that readers see is a picture (``widgets.ground``). This stands in for it on the boards of a game without
``ground.yaml``, on those too large for one, and while a picture does not load.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tutor.core.drawing import Shape
from tutor.core.position import Position
from widgets.board.paint.labels import METRES, names_drawing, paint_dots
from widgets.board.paint.outlines import chains, outline_edges
from widgets.board.paint.shapes import XY, Drawing, View
from widgets.board.palette import Palette

#: Kind of ground -> fill and outline, by role; of one that is not here, those of a building.
AREAS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("woods", "heavy"), ("woods", "woods_line")),
    **dict.fromkeys(("field", "grain"), ("field", "field_line")),
    **dict.fromkeys(("brush", "light"), ("brush", "brush_line")),
    **dict.fromkeys(("water_barrier", "water", "sea", "river"), ("water", "water_line")),
    **dict.fromkeys(("marsh", "unstable"), ("marsh", "water_line")),
    **dict.fromkeys(("gully", "rubble"), ("gully", "gully_line")),
    **dict.fromkeys(("stone_building", "city", "impassable", "ruin"), ("stone", "stone_line")),
    **dict.fromkeys(("wooden_building", "village"), ("wood", "wood_line")),
    "town": ("roof", "building_line"),
    "stream": ("water", "gully_line"),
    "crater": ("sunken", "gully_line"),
    "orchard": ("orchard", "orchard_line"),
    "bocage": ("orchard", "hedge_line"),
    "billard": ("brush", "orchard_line"),
    "major_bridge": ("building", "rail"),
    "minor_bridge": ("building", "gully_line"),
}
#: Kind of way -> fill and outline; of one that is not here, those of a trail.
WAYS = {"road": ("road", "road_line"), "rail": ("stone", "rail")}
TRAIL = ("road", "trail")
#: Kind of side -> colour, by role, and length of its dashes in hex radii, 0 where it goes on unbroken; of one that is
#: not here, those of a wall.
SIDES = {
    "hedge": ("hedge_line", 0.0),
    "fence": ("fence", 0.16),
    "cliff": ("cliff", 0.0),
    "low_wall": ("stone", 0.0),
    "elevation_line": ("crest", 0.0),
    "dominant_line": ("crest", 0.16),
    "room_wall": ("broken", 0.0),
    "circle_wall": ("broken", 0.16),
    "window": ("water_line", 0.0),
    "opening": ("stone_line", 0.3),
    "door": ("fence", 0.3),
    "embrasure": ("rail", 0.0),
    "breach_1": ("stone_line", 0.16),
    "breach_2": ("stone_line", 0.08),
}
WALL = ("stone_line", 0.0)


def plain_ground(
    position: Position,
    shapes: Sequence[Shape],
    view: View,
    colours: Palette,
    labels: bool = True,
    covered: Collection[str] = (),
) -> Drawing:
    """Everything of a board that does not move, in plain tints.

    Args:
        position: for names and levels.
        shapes: what the game says is there, in painting order.
        view: where it goes.
        colours: of the theme.
        labels: write the hex names.
        covered: hexes whose names counters would cut.
    """
    d, thin = Drawing(), max(0.8, view.radius / 40)
    cells = [view.polygon(cell) for cell in position.grid.cells]
    d.polygons(cells, fill=colours.ground, stroke=colours.ground, width=1.5)
    high = sorted({int(shape.kind) for shape in shapes if shape.layer == "level" and int(shape.kind) > 0})
    for level in sorted({int(shape.kind) for shape in shapes if shape.layer == "level"}):
        tint = ramp(colours.levels, *_rank(level, high)) if level > 0 else colours.sunken
        _filled(d, [s for s in shapes if s.layer == "level" and int(s.kind) == level], view, tint, colours.crest, thin)
    areas, ways = ([shape for shape in shapes if shape.layer == layer] for layer in ("area", "way"))
    for kind in dict.fromkeys(shape.kind for shape in areas):
        fill, line = (getattr(colours, role) for role in AREAS.get(kind, ("building", "building_line")))
        _filled(d, [shape for shape in areas if shape.kind == kind], view, fill, line, thin)
    d.polygons(cells, stroke=colours.mesh, width=max(0.6, view.radius / 60), alpha=0.85)
    for kind in dict.fromkeys(shape.kind for shape in ways):
        fill, line = (getattr(colours, role) for role in WAYS.get(kind, TRAIL))
        strips = [view.path(shape.points) for shape in ways if shape.kind == kind]
        d.polygons(strips, fill=line, stroke=line, width=2 * thin)  # casing first: arms meet without a seam
        d.polygons(strips, fill=fill)
    for side in (shape for shape in shapes if shape.layer == "side"):
        ends = [view.px(side.points[0]), view.px(side.points[-1])]
        role, dash = SIDES.get(side.kind, WALL)
        dashes = (view.radius * dash, view.radius * 0.1) if dash else ()
        d.lines([ends], getattr(colours, role), max(2.0, view.radius / 9), dash=dashes)
    frame = chains(outline_edges(position.grid.polygon(cell) for cell in position.grid.cells))
    d.lines([view.path(chain) for chain in frame], colours.frame, max(1.2, view.radius / 30))
    paint_dots(d, position, view, colours)
    d.extend(names_drawing(position, view, colours, labels, covered))
    return d


def _filled(d: Drawing, shapes: Sequence[Shape], view: View, fill: str, line: str, width: float) -> None:
    """Silhouettes of one kind, and the outline of all of them together."""
    paths: list[list[XY]] = [view.path(shape.points) for shape in shapes]
    d.polygons(paths, fill=fill, stroke=fill, width=0.6)
    d.lines([view.path(chain) for chain in chains(outline_edges(shape.points for shape in shapes))], line, width)


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
