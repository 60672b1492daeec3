"""An independent line of sight for Combat Commander: slow, exact, written from the rulebook alone.

It shares nothing with the engine: its own lattice, its own polygons (the hex clipped by half-planes), its own meeting
of a segment with any polygon, in ``fractions.Fraction``. The tests compare the engine with it; nothing else uses it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

F = Fraction
Number = int | Fraction
Point = tuple[Number, Number]
Polygon = list[Point]
Span = tuple[Fraction, Fraction]

INSET, WIDTH = F(17, 20), F(1, 5)
CORNERS = [(20, -20), (40, 0), (20, 20), (-20, 20), (-40, 0), (-20, -20)]
MIDDLES = [(0, -20), (30, -10), (30, 10), (0, 20), (-30, 10), (-30, -10)]
OBSTACLES = {"woods", "building"}
HINDRANCES = {"brush": 3, "orchard": 2, "field": 1, "marsh": 1, "major_bridge": 1, "minor_bridge": 1}


# -- the lattice ------------------------------------------------------------------------------------------------------


def coordinates(name: str) -> tuple[int, int]:
    """Column (from 1) and row of a hex name."""
    letters, row = re.fullmatch(r"([A-Z@]+)(-?\d+)", name).groups()  # type: ignore[union-attr]
    column = 0 if letters == "@" else ord(letters[0]) - 64 + 26 * (len(letters) - 1)
    return column, int(row)


def hex_name(column: int, row: int) -> str:
    """Name of the hex of a column (from 1) and a row."""
    letters = "@" if column == 0 else chr(65 + (column - 1) % 26) * ((column - 1) // 26 + 1)
    return f"{letters}{row}"


def centre(name: str) -> tuple[int, int]:
    """Lattice point of the centre."""
    c, r = coordinates(name)
    return 60 * c, 40 * r + (0 if c % 2 else 20)


def behind(name: str, side: int) -> str:
    """The hex behind side 1..6: found by its centre, twice as far as the side's middle."""
    x, y = centre(name)
    x, y = x + 2 * MIDDLES[side - 1][0], y + 2 * MIDDLES[side - 1][1]
    column = x // 60
    return hex_name(column, (y - (0 if column % 2 else 20)) // 40)


def steps_between(start: str, end: str) -> int:
    """Distance in hexes, in cube coordinates."""

    def cube(name: str) -> tuple[int, int, int]:
        c, r = coordinates(name)
        z = r - (c + (c & 1)) // 2 if c % 2 else r + 1 - (c + 2) // 2
        return c, z, -c - z

    return max(abs(u - v) for u, v in zip(cube(start), cube(end), strict=True))


# -- polygons ---------------------------------------------------------------------------------------------------------


def simple(value: Number) -> Number:
    """The same number, as an int when it is whole: Python reckons faster with those."""
    return value.numerator if value.denominator == 1 else value


def half_plane(polygon: Polygon, a: Number, b: Number, limit: Number) -> Polygon:
    """The part of a convex polygon where ``a x + b y <= limit``."""
    kept: Polygon = []
    for i, (x1, y1) in enumerate(polygon):
        x2, y2 = polygon[(i + 1) % len(polygon)]
        one, two = limit - a * x1 - b * y1, limit - a * x2 - b * y2
        if one >= 0:
            kept.append((x1, y1))
        if (one > 0 > two) or (one < 0 < two):
            t = F(one) / (one - two)
            kept.append((simple(x1 + t * (x2 - x1)), simple(y1 + t * (y2 - y1))))
    return kept


def drawn_in(name: str, reach: Iterable[Fraction]) -> Polygon:
    """A hex whose side i comes to ``reach[i]`` of its distance from the centre."""
    x0, y0 = centre(name)
    polygon: Polygon = [(x0 + dx, y0 + dy) for dx, dy in CORNERS]
    for side, share in enumerate(reach):
        if share < 1:
            (ax, ay), (bx, by) = CORNERS[side - 1], CORNERS[side]
            a, b = by - ay, ax - bx  # outward normal of the side
            limit = share * (a * ax + b * ay)
            polygon = half_plane(polygon, a, b, limit + a * x0 + b * y0)
    return polygon


def beside(point: Point, p: Point, q: Point) -> Number:
    """On which side of the line from p to q a point lies: positive on the left, 0 on the line."""
    return (q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0])


def between(point: Point, p: Point, q: Point) -> bool:
    """Whether a point of the line through p and q lies between them, or is one of them."""
    return (point[0] - p[0]) * (point[0] - q[0]) + (point[1] - p[1]) * (point[1] - q[1]) <= 0


def holds(polygon: Polygon, point: Point) -> bool:
    """Whether a closed polygon holds a point (winding number)."""
    turns = 0
    for i, p in enumerate(polygon):
        q = polygon[(i + 1) % len(polygon)]
        left = beside(point, p, q)
        if left == 0 and between(point, p, q):
            return True
        if p[1] <= point[1] < q[1] and left > 0:
            turns += 1
        elif q[1] <= point[1] < p[1] and left < 0:
            turns -= 1
    return turns != 0


def with_edge(p: Point, q: Point, a: Point, b: Point) -> list[Fraction]:
    """Parameters of p-q (0..1) where it meets the closed segment a-b: none, one, or both ends of an overlap."""
    dx, dy, ex, ey = q[0] - p[0], q[1] - p[1], b[0] - a[0], b[1] - a[1]
    wx, wy = a[0] - p[0], a[1] - p[1]
    slope = dx * ey - dy * ex
    if slope:
        t, s = F(wx * ey - wy * ex) / slope, F(wx * dy - wy * dx) / slope
        return [t] if 0 <= t <= 1 and 0 <= s <= 1 else []
    if wx * dy - wy * dx:
        return []
    square = dx * dx + dy * dy
    ends = sorted((F(wx * dx + wy * dy) / square, F((b[0] - p[0]) * dx + (b[1] - p[1]) * dy) / square))
    low, high = max(ends[0], F(0)), min(ends[1], F(1))
    return [low, high] if low <= high else []


def union(spans: Iterable[Span]) -> list[Span]:
    """Disjoint closed spans, in order."""
    result: list[Span] = []
    for low, high in sorted(spans):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result


def contact(p: Point, q: Point, polygon: Polygon) -> list[Span]:
    """The closed parts of p-q that lie in a closed polygon, single points included."""
    (px, py), (qx, qy) = p, q
    if all(x < px and x < qx for x, _ in polygon) or all(x > px and x > qx for x, _ in polygon):
        return []
    sides = [(qx - px) * (y - py) - (qy - py) * (x - px) for x, y in polygon]
    if min(sides) > 0 or max(sides) < 0:
        return []
    cuts = {F(0), F(1)}
    spans: list[Span] = []
    for i, a in enumerate(polygon):
        cut = with_edge(p, q, a, polygon[(i + 1) % len(polygon)])
        cuts.update(cut)
        spans.extend((t, t) for t in cut)
    spans.extend((t, t) for t in (F(0), F(1)) if holds(polygon, p if t == 0 else q))
    ordered = sorted(cuts)
    for low, high in itertools.pairwise(ordered):
        t = (low + high) / 2
        if holds(polygon, (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))):
            spans.append((low, high))
    return union(spans)


def window(spans: Iterable[Span], low: Fraction, high: Fraction) -> list[Span]:
    """What of the spans lies between two parameters, both included."""
    return [(max(a, low), min(b, high)) for a, b in spans if max(a, low) <= min(b, high)]


def covered(spans: list[Span], cover: list[Span]) -> bool:
    """Whether every part of ``spans`` lies in one span of ``cover``."""
    return all(any(c <= a and b <= d for c, d in cover) for a, b in spans)


# -- the board --------------------------------------------------------------------------------------------------------


@dataclass
class Verdict:
    """What the oracle found: ``why`` holds (rule, where) of everything that blocks, ``hindrances`` (value, what)."""

    visible: bool
    hindrance: int
    why: list[tuple[str, str]] = field(default_factory=list)
    hindrances: list[tuple[int, str]] = field(default_factory=list)


class Oracle:
    """Line of sight on one position.

    Args:
        position: a position of the library; only its data are read.
    """

    def __init__(self, position: Any) -> None:
        data = position.data()
        self.cells = [
            hex_name(c, r)
            for c in range(
                coordinates(data["grid"]["columns"][0] + "1")[0], coordinates(data["grid"]["columns"][1] + "1")[0] + 1
            )
            for r in range(data["grid"]["rows"][0], data["grid"]["rows"][1] + 1)
        ]
        self.terrain = {cell: kind for kind, cells in data.get("terrain", {}).items() for cell in cells}
        self.levels = {cell: level for level, cells in data.get("levels", {}).items() for cell in cells}
        self.sides = [(tuple(side.split("/")), kind) for kind, sides in data.get("sides", {}).items() for side in sides]
        self.smoke = data.get("markers", {}).get("smoke", {})
        self.blaze = {cell for cell, on in data.get("markers", {}).get("blaze", {}).items() if on}
        self.groups = [set(group) for group in data.get("joined", [])]
        self.vertices_count = data.get("settings", {}).get("vertex_contact", "counts") == "counts"
        self.whole = {cell: drawn_in(cell, [F(1)] * 6) for cell in self.cells}
        shapes = data.get("silhouettes", [])
        self.areas = {
            cell: [self._points(s["polygon"]) for s in shapes if s.get("hex") == cell] or [self._area(cell)]
            for cell, kind in self.terrain.items()
            if kind in OBSTACLES or kind in HINDRANCES
        }
        self.drawn_levels: dict[int, list[Polygon]] = {}
        for shape in shapes:
            if shape.get("level") is not None:
                self.drawn_levels.setdefault(shape["level"], []).append(self._points(shape["polygon"]))
        self.ways: dict[str, dict[str, list[int]]] = data.get("ways", {})
        self.strips = {
            kind: {cell: [self._strip(cell, side) for side in sides] for cell, sides in ways.items()}
            for kind, ways in self.ways.items()
        }
        self._grounds: dict[int, list[Polygon]] = {}
        self._on_road: tuple[tuple[Point, Point], list[Span]] | None = None

    @staticmethod
    def _points(polygon: Iterable[Iterable[int]]) -> Polygon:
        return [(x, y) for x, y in polygon]

    def level(self, cell: str) -> int:
        """Level of a hex; ground beside the board is at level 0."""
        return int(self.levels.get(cell, 0))

    def _area(self, cell: str) -> Polygon:
        kind = self.terrain[cell]

        def joined(other: str) -> bool:
            if self.terrain.get(other) != kind:
                return False
            if kind == "building":
                return any({cell, other} <= group for group in self.groups)
            return kind != "minor_bridge"  # T80.2: wholly inside one hex; T80.1: a major one runs over several

        return drawn_in(cell, [F(1) if joined(behind(cell, d)) else INSET for d in range(1, 7)])

    @staticmethod
    def _strip(cell: str, side: int) -> Polygon:
        (x, y), (mx, my) = centre(cell), MIDDLES[side - 1]
        wx, wy = simple(-WIDTH * my), simple(WIDTH * mx / 3)  # on the page y is drawn √3 times as tall
        return [(x + wx, y + wy), (x + mx + wx, y + my + wy), (x + mx - wx, y + my - wy), (x - wx, y - wy)]

    def ground(self, level: int) -> list[Polygon]:
        """All ground of a level and above, as drawn."""
        if level not in self._grounds:
            self._grounds[level] = self.drawn_levels.get(level) or [
                drawn_in(cell, [F(1) if self.level(behind(cell, d)) >= level else INSET for d in range(1, 7)])
                for cell in self.cells
                if self.level(cell) >= level
            ]
        return self._grounds[level]

    def side_ends(self, one: str, other: str) -> tuple[Point, Point]:
        """The two ends of the side between two adjacent hexes."""
        d = next(d for d in range(1, 7) if behind(one, d) == other)
        x, y = centre(one)
        a, b = CORNERS[d - 2], CORNERS[d - 1]
        return (x + a[0], y + a[1]), (x + b[0], y + b[1])

    # -- the rules ----------------------------------------------------------------------------------------------------

    def los(self, start: str, end: str) -> Verdict:
        """Line of sight between two different hexes."""
        a, b = self.level(start), self.level(end)
        high, low = (start, end) if a >= b else (end, start)
        top = max(a, b)
        p, q = centre(high), centre(low)
        ends = {start, end}
        within = {cell: spans[0] for cell in self.cells if (spans := contact(p, q, self.whole[cell]))}
        left, reached = within[high][1], within[low][0]
        mids = {cell: span for cell, span in within.items() if cell not in ends}
        adjacent = steps_between(start, end) == 1
        why = [] if adjacent else list(self._blocks(p, q, high, low, top, mids, left, reached))
        if why:
            return Verdict(False, 0, why)
        hindrances = [] if adjacent else list(self._hindrances(p, q, high, low, mids, left, reached))
        hindrances += [(int(self.smoke[cell]), f"smoke {cell}") for cell in ends if cell in self.smoke]
        return Verdict(True, max((v for v, _ in hindrances), default=0), [], hindrances)

    def _full(self, mids: dict[str, Span]) -> list[str]:
        """Intermediate hexes of which the line meets any portion (the setting may leave out mere corners)."""
        return [cell for cell, (t0, t1) in mids.items() if self.vertices_count or t0 < t1]

    def _blocks(
        self,
        p: Point,
        q: Point,
        high: str,
        low: str,
        top: int,
        mids: dict[str, Span],
        left: Fraction,
        reached: Fraction,
    ) -> Iterator[tuple[str, str]]:
        ends = {high, low}
        for cell, other in ((high, low), (low, high)):  # T86
            if self.terrain.get(cell) == "gully" and self.level(other) <= self.level(cell):
                yield "T86", cell
        for cell in self._full(mids):  # 10.2.1
            if cell in self.blaze:
                yield "10.2.1", cell
        if self.level(high) != self.level(low):  # T88.3.2
            spans = union(s for polygon in self.ground(top) for s in contact(p, q, polygon))
            own = next((t1 for t0, t1 in spans if t0 == 0), F(0))
            if own >= left or window(spans, left, reached):
                yield "T88.3.2", high
        if any(window(contact(p, q, polygon), left, reached) for polygon in self.ground(top + 1)):
            yield "T88.3.3", ""
        for cell in self.areas:  # 10.2, T88.4, T88.4.1
            if cell in ends or self.terrain[cell] not in OBSTACLES or not self._met(p, q, cell, left, reached):
                continue
            if self.level(cell) >= top:
                yield "10.2", cell
            elif cell in mids and mids[cell][0] < mids[cell][1] == reached and self.level(low) <= self.level(cell):
                yield "T88.4.1", cell
        for name, kind in self._sides(p, q, ends):  # T87, T97
            if kind in ("wall", "hedge") and max(map(self.level, name)) >= top:
                yield ("T97" if kind == "wall" else "T87"), "/".join(name)

    def _hindrances(
        self, p: Point, q: Point, high: str, low: str, mids: dict[str, Span], left: Fraction, reached: Fraction
    ) -> Iterator[tuple[int, str]]:
        for cell in self._full(mids):  # 10.3.4
            if cell in self.smoke:
                yield int(self.smoke[cell]), f"smoke {cell}"
        level = self.level(high)
        if self.level(low) != level:  # T78.4, T88.5
            return
        for cell in self.areas:
            kind = self.terrain[cell]
            counts = kind in HINDRANCES and cell not in (high, low) and self.level(cell) == level
            if counts and self._met(p, q, cell, left, reached):
                yield HINDRANCES[kind], f"{kind} {cell}"
        for cell, strips in self.strips.get("rail", {}).items():  # T92
            if cell not in mids or self.level(cell) != level:
                continue
            track = window(union(s for strip in strips for s in contact(p, q, strip)), *mids[cell])
            if track and not covered([mids[cell]], track) and not covered(track, self._road(p, q)):
                yield 1, f"rail {cell}"
        for name, kind in self._sides(p, q, {high, low}):  # T84
            if kind == "fence" and max(map(self.level, name)) == level:
                yield 1, "fence " + "/".join(name)

    def _road(self, p: Point, q: Point) -> list[Span]:
        if self._on_road is None or self._on_road[0] != (p, q):
            strips = (strip for strips in self.strips.get("road", {}).values() for strip in strips)
            self._on_road = (p, q), union(s for strip in strips for s in contact(p, q, strip))
        return self._on_road[1]

    def _met(self, p: Point, q: Point, cell: str, left: Fraction, reached: Fraction) -> bool:
        """Whether the line touches what is drawn in a hex, off the roads, between the two end hexes."""
        spans = window(union(s for polygon in self.areas[cell] for s in contact(p, q, polygon)), left, reached)
        return bool(spans) and not covered(spans, self._road(p, q))

    def _sides(self, p: Point, q: Point, ends: set[str]) -> Iterator[tuple[tuple[str, str], str]]:
        """Drawn sides that the line meets and that are no side of its two end hexes."""
        for name, kind in self.sides:
            if ends & set(name):
                continue
            one, other = self.side_ends(*name)
            touches = with_edge(p, q, one, other)
            if not touches:
                continue
            if not self.vertices_count and len(set(touches)) == 1:
                t = touches[0]
                if (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])) in (one, other):
                    continue
            yield name, kind  # type: ignore[misc]


def los(position: Any, start: str, end: str) -> Verdict:
    """Line of sight of one pair on a position."""
    return Oracle(position).los(start, end)
