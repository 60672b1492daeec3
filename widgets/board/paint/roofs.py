"""Built ground on hex boards: stone and wooden buildings under one roof, villages,
towns and cities by their streets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

from tutor.core.drawing import Shape
from widgets.board.paint.fill import hatch, roof
from widgets.board.paint.outlines import clockwise
from widgets.board.paint.shapes import XY, Drawing, View
from widgets.board.palette import Palette

#: Kind of ground -> fill, outline and dashes, by role.
ROOF_STYLE: dict[str, tuple[str, str, tuple[float, ...]]] = {
    "stone_building": ("roof_grey", "stone_line", ()),
    "wooden_building": ("wood", "wood_line", ()),
    "village": ("building", "building_line", ()),
    "town": ("building", "building_line", ()),
    "city": ("stone", "stone_line", ()),
}
#: Houses in hex radii from the centre of the hex: x, y, width, height; the middle is left to a counter.
_VILLAGE = (
    (-0.28, -0.6, 0.32, 0.19), (0.24, -0.56, 0.28, 0.22), (0.68, -0.2, 0.22, 0.32), (0.62, 0.26, 0.26, 0.28),
    (0.2, 0.64, 0.3, 0.2), (-0.32, 0.6, 0.24, 0.24), (-0.68, 0.22, 0.24, 0.3), (-0.66, -0.22, 0.26, 0.24),
)  # fmt: skip
_TOWN = (
    (-0.4, -0.66, 0.26, 0.2), (-0.1, -0.68, 0.26, 0.22), (0.2, -0.68, 0.26, 0.2), (0.46, -0.56, 0.2, 0.22),
    (0.7, -0.3, 0.22, 0.26), (0.78, 0.0, 0.22, 0.26), (0.68, 0.32, 0.24, 0.26), (0.44, 0.6, 0.22, 0.22),
    (0.14, 0.7, 0.28, 0.2), (-0.18, 0.7, 0.26, 0.2), (-0.46, 0.58, 0.22, 0.22), (-0.7, 0.3, 0.22, 0.26),
    (-0.78, 0.0, 0.22, 0.26), (-0.68, -0.32, 0.22, 0.24), (-0.36, -0.36, 0.24, 0.2), (0.36, -0.34, 0.24, 0.2),
    (0.38, 0.32, 0.24, 0.22), (-0.38, 0.32, 0.24, 0.22),
)  # fmt: skip
_CITY = (
    (-0.27, -0.58, 0.46, 0.3), (0.28, -0.58, 0.46, 0.3), (0.66, -0.18, 0.26, 0.42), (0.62, 0.32, 0.28, 0.36),
    (0.18, 0.62, 0.46, 0.3), (-0.36, 0.6, 0.4, 0.3), (-0.68, 0.2, 0.26, 0.4), (-0.66, -0.26, 0.26, 0.34),
    (-0.18, -0.14, 0.36, 0.36), (0.24, -0.12, 0.3, 0.34), (-0.16, 0.28, 0.34, 0.3), (0.24, 0.26, 0.3, 0.28),
)  # fmt: skip


def one_roof(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """A roof whose eaves are the silhouette: one slope from each edge, the lit ones lighter."""
    path = [(float(x), float(y)) for x, y in view.path(clockwise(shape.points))]
    cx, cy = sum(x for x, _ in path) / len(path), sum(y for _, y in path) / len(path)
    stone = shape.kind == "stone_building"
    lit, dark = (colours.roof_grey, colours.roof_grey_shade) if stone else (colours.wood, colours.wood_shade)
    line = colours.stone_line if stone else colours.wood_line
    slopes = list(zip(path, [*path[1:], path[0]], strict=True))
    shaded = [[a, b, (cx, cy)] for a, b in slopes if (b[0] - a[0]) - (b[1] - a[1]) < 0]  # facing down or right
    d.polygons([[a, b, (cx, cy)] for a, b in slopes], fill=lit, stroke=lit, width=0.6)
    d.polygons(shaded, fill=dark, stroke=dark, width=0.6)
    d.lines([[a, (cx, cy)] for a in path], line, max(0.7, view.radius / 46), alpha=0.75)
    d.lines(_courses(slopes, (cx, cy), 4 if stone else 6), line, max(0.5, view.radius / 80), alpha=0.5)


def _courses(slopes: Sequence[tuple[XY, XY]], top: XY, count: int) -> list[list[XY]]:
    """Rows of slates or planks along each eave."""

    def at(p: XY, t: float) -> XY:
        return p[0] + (top[0] - p[0]) * t, p[1] + (top[1] - p[1]) * t

    return [[at(a, i / count), at(b, i / count)] for a, b in slopes for i in range(1, count)]


def _houses(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    r = view.radius
    path = view.path(shape.points)
    cx, cy = sum(x for x, _ in path) / len(path), sum(y for _, y in path) / len(path)
    houses, turn = {"village": (_VILLAGE, 6), "town": (_TOWN, 0)}.get(shape.kind, (_CITY, 0))
    with d.placed(cx, cy, turn):
        if shape.kind != "city":
            streets = [[(-0.86 * r, 0.02 * r), (0.86 * r, -0.02 * r)], [(0.03 * r, -0.76 * r), (-0.03 * r, 0.76 * r)]]
            d.lines(streets, colours.road, r * 0.15)
        for i, (x, y, w, h) in enumerate(houses):
            if hypot(x, y) < 0.9:
                roof(d, x * r, y * r, w * r, h * r, colours, shape.kind == "city" or i % 4 == 0)


def crops(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Standing grain: rows of ears."""
    r = view.radius
    rows = hatch(view.path(shape.points), 0.5, r * 0.15, r * 0.04)
    d.lines(rows, colours.field_line, max(0.6, r / 60), alpha=0.8)
    ears = []
    for (x0, y0), (x1, y1) in rows:
        count = max(1, int(hypot(x1 - x0, y1 - y0) / (r * 0.13)))
        for i in range(count):
            x, y = x0 + (x1 - x0) * (i + 0.5) / count, y0 + (y1 - y0) * (i + 0.5) / count
            ears += [[(x, y), (x - r * 0.03, y - r * 0.06)], [(x, y), (x + r * 0.045, y - r * 0.045)]]
    d.lines(ears, colours.field_line, max(0.7, r / 52))


def turf(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Ground as flat as a billiard table: mown stripes."""
    d.lines(hatch(view.path(shape.points), 0.0, view.radius * 0.3), colours.orchard_line, view.radius * 0.05, alpha=0.3)


ROOF_TEXTURES: dict[str, Callable[[Drawing, Shape, View, Palette], None]] = {
    "stone_building": one_roof,
    "wooden_building": one_roof,
    "village": _houses,
    "town": _houses,
    "city": _houses,
    "grain": crops,
    "billard": turf,
}
