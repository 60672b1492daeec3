"""Streams and rivers, run together from hex to hex."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin

from shapely.geometry import LineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring, unary_union

from widgets.ground.layout import Layout
from widgets.ground.lines import chance, chance_at, rounded_line, scattered
from widgets.ground.svg import XY, Sheet, area_data, curve_data, line_data, n

#: Terrain that is a river.
RIVERS = ("water_barrier", "water")


def waters(b: Layout, s: Sheet) -> None:
    """Streams and rivers as bands that run across hex sides, with their banks, out to the frame; streams run into rivers."""
    _sea(b, s)
    if b.kinds("area"):
        river = river_band(b).simplify(b.r * 0.02)
        s.path(area_data(river, soft=True), None, b.style["bank"], b.r * 0.13, join="round", opacity=0.8)
        _streams(b, s)
        _river(b, s, river)
        for cell in (c for c, k in b.position.terrain_of.items() if k == "marsh" and c in b.grid):
            _spring(b, s, cell)


def _sea(b: Layout, s: Sheet) -> None:
    """Open water to the edge of its hexes: shallows along the shore, ripples."""
    st, r, shape = b.style, b.r, b.area("sea")
    if shape.is_empty:
        return
    s.path(area_data(shape), st["water"])
    s.path(area_data(shape.buffer(-r * 0.3)), st["water_deep"], opacity=0.6)
    ripples = [
        f"M{n(x - r * 0.12)} {n(y)}q{n(r * 0.06)} {n(-r * 0.05)} {n(r * 0.12)} 0t{n(r * 0.12)} 0"
        for x, y in scattered(shape.buffer(-r * 0.2), r * 0.42, "sea")
    ]
    s.path("".join(ripples), None, st["water_light"], max(0.9, r * 0.022), opacity=0.8, cap="round")
    s.outline(area_data(shape), None, st["water_edge"], max(1.1, r * 0.03))


def _meander(b: Layout, line: list[XY], reach: float, seed: str) -> list[XY]:
    """A line with slow bends; its hexes stay its hexes."""
    rng = chance_at(*line[0], seed)
    path = LineString(line)
    count = max(3, round(path.length / (b.r * 0.43)))
    phase, out = rng.random() * 6.28, []
    for i in range(count + 1):
        d = path.length * i / count
        p, q = path.interpolate(max(0, d - 1)), path.interpolate(min(path.length, d + 1))
        at = path.interpolate(d)
        k = hypot(q.x - p.x, q.y - p.y) or 1
        sway = reach * sin(phase + i * 1.25) * rng.uniform(0.6, 1.0) * (0 if i in (0, count) else 1)
        out.append((at.x - (q.y - p.y) / k * sway, at.y + (q.x - p.x) / k * sway))
    return out


def stream_courses(b: Layout) -> list[list[XY]]:
    """Streams as soft lines, from where they rise to where they leave the board or meet other water."""
    beneath = b.position.state.get("beneath")
    under = {k: str(v) for k, v in beneath.items()} if isinstance(beneath, dict) else {}
    lines = [b.leaves(line) for line in b.course(("stream",), under, ("marsh",), RIVERS, thin=True)]
    return [rounded_line(_meander(b, line, b.r * 0.13, "stream"), b.r) for line in lines if len(line) > 1]


def stream_band(b: Layout, courses: list[list[XY]]) -> BaseGeometry:
    """The water of streams, in one piece: of one width, and narrower towards where one rises.

    Args:
        b: the board.
        courses: its streams (:func:`stream_courses`).
    """
    r, parts = b.r, []
    for line in courses:
        path = LineString(line)
        risen = [path.length * i for i, end in ((0, line[0]), (1, line[-1])) if _rises(b, end, courses)]
        count = max(4, round(path.length / (r * 0.15)))
        spots = [path.length * i / count for i in range(count + 1)]
        wide = [r * 0.13 * min([1.0, *(0.3 + 0.7 * abs(d - e) / (r * 1.1) for e in risen)]) for d in spots]
        parts.append(_band([path.interpolate(d) for d in spots], wide))
    return unary_union(parts).buffer(r * 0.05).buffer(-r * 0.05)


def _rises(b: Layout, end: XY, courses: list[list[XY]]) -> bool:
    """Whether a stream begins at that end: in a hex of the board, of no other water, where no other stream ends."""
    spot = Point(end)
    if not b.play.buffer(-1).contains(spot):
        return False
    wet = ("marsh", *RIVERS)
    if any(b.cell(c).contains(spot) for c, kind in b.position.terrain_of.items() if kind in wet and c in b.grid):
        return False
    return sum(hypot(end[0] - x, end[1] - y) < 1 for line in courses for x, y in (line[0], line[-1])) == 1


def _band(spots: list[Point], wide: list[float]) -> BaseGeometry:
    """A band through places, of a half-width at each: bends of any sharpness leave no notch in it."""
    discs = [spot.buffer(width, 8) for spot, width in zip(spots, wide, strict=True)]
    return unary_union([one.union(other).convex_hull for one, other in pairwise(discs)])


def _streams(b: Layout, s: Sheet) -> None:
    st, r = b.style, b.r
    courses = stream_courses(b)
    if not courses:
        return
    data = area_data(stream_band(b, courses).simplify(r * 0.01), soft=True)
    s.path(data, None, st["bank"], r * 0.15, join="round", opacity=0.75)
    s.path(data, st["water"], st["water_edge"], max(1.4, r * 0.036), join="round")
    cut = [
        substring(
            LineString(line),
            *(
                way * r * 0.7 if _rises(b, end, courses) else rest
                for way, end, rest in ((1, line[0], 0), (-1, line[-1], 1e6))
            ),
        )
        for line in courses
    ]
    middle = "".join(line_data(list(part.coords)) for part in cut if part.length > 1)
    for colour, width, dash, opacity, (dx, dy) in (
        ("water_light", 0.035, (0.22, 0.17, 0.08, 0.2), 0.9, (-0.045, -0.03)),
        ("water_deep", 0.03, (0.12, 0.25), 0.8, (0.05, 0.03)),
    ):
        s.path(
            middle,
            None,
            st[colour],
            max(1.0, r * width),
            dash=" ".join(n(r * part) for part in dash),
            opacity=opacity,
            transform=f"translate({n(r * dx)} {n(r * dy)})",
        )


def _spring(b: Layout, s: Sheet, cell: str) -> None:
    """Open water in the middle of a marsh that a stream leaves, reeds on it."""
    st, r, rng = b.style, b.r, chance("spring", cell)
    if not any(b.position.terrain_of.get(other) == "stream" for other in b.grid.neighbours(cell)):
        return
    x, y = b.centre(cell)
    pool = [
        (x + r * 0.36 * cos(a) * rng.uniform(0.8, 1.15), y + r * 0.22 * sin(a) * rng.uniform(0.8, 1.15))
        for a in (2 * pi * k / 10 for k in range(10))
    ]
    s.path(curve_data(pool, True), st["water"], st["water_edge"], max(1.1, r * 0.028))
    s.path(
        f"M{n(x - r * 0.2)} {n(y - r * 0.05)}h{n(r * 0.16)}M{n(x)} {n(y + r * 0.06)}h{n(r * 0.2)}",
        None,
        st["water_light"],
        max(1, r * 0.03),
        cap="round",
    )
    reeds = "".join(f"M{n(px)} {n(py)}l{n(k * r * 0.03)} {n(-r * 0.12)}" for px, py in pool[::2] for k in (-1, 0, 1))
    s.path(reeds, None, st["reed"], max(0.9, r * 0.024), cap="round")


def river_band(b: Layout) -> BaseGeometry:
    """The water of rivers, in one piece: wide in the middle of their hexes, just the shared side where it leaves them."""
    over = {c: "water_barrier" for c, kind in b.position.terrain_of.items() if kind == "major_bridge"}
    own = [c for c in b.grid.cells if b.position.terrain_of.get(c) in RIVERS or c in over]
    if not own or b.style.hand == "tiles":  # a lake fills its tile
        return Polygon()
    r, middles, parts = b.r, MultiPoint([b.centre(c) for c in own]), []
    for line in b.course(RIVERS, over):
        path = LineString(rounded_line(b.leaves(line), r * 0.6))
        count = max(4, round(path.length / (r * 0.25)))
        spots = [path.interpolate(i / count, normalized=True) for i in range(count + 1)]
        beats = [0.5 + 0.5 * cos(pi * min(1.0, middles.distance(at) / (r * 0.866))) for at in spots]
        shaken = [chance_at(at.x, at.y, "bank").uniform(-1, 1) for at in spots]
        parts.append(_band(spots, [r * (0.52 + 0.15 * k + 0.03 * j) for k, j in zip(beats, shaken, strict=True)]))
    water = unary_union(parts).buffer(r * 0.2).buffer(-r * 0.2)
    beyond = b.frame.buffer(r).difference(b.play)
    return water.intersection(unary_union([beyond, *(b.cell(c).buffer(0.02, join_style="mitre") for c in own)]))


def _river(b: Layout, s: Sheet, band: BaseGeometry) -> None:
    st, r = b.style, b.r
    s.path(area_data(band, soft=True), st["water"], st["water_edge"], max(1.2, r * 0.034), join="round")
    s.path(area_data(band.buffer(-r * 0.16), soft=True), st["water_deep"], opacity=0.45)
    s.path(area_data(band.buffer(-r * 0.3), soft=True), st["water_deep"], opacity=0.45)
    s.path(area_data(band.buffer(-r * 0.06), soft=True), None, st["water_light"], max(0.8, r * 0.018), opacity=0.65)
    ripples = []
    for x, y in scattered(band.buffer(-r * 0.14), r * 0.27, "river"):
        w = r * chance_at(x, y, "ripple").uniform(0.1, 0.19)
        ripples.append(f"M{n(x - w)} {n(y)}q{n(w * 0.5)} {n(-r * 0.045)} {n(w)} 0t{n(w)} 0")
    s.path("".join(ripples), None, st["water_light"], max(0.8, r * 0.022), opacity=0.85, cap="round")
