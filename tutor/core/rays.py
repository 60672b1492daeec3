"""Rays: the exact geometry of a straight line between two hex centres, worked out once for each displacement.

On a hex lattice every line of the same displacement from a column of the same parity crosses the same hexes at the same
parameters. A ray holds them as integers over one common denominator, so that "does the line touch this hex, drawn in on
these sides?" is six integer comparisons, and a whole map of lines of sight takes a fraction of a second.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm

from tutor.core.geometry import Span, hex_silhouette, polygon_spans, strip, uncovered
from tutor.core.grid import Point

#: Bit d-1 for side d; all six sides joined is the whole hex, none is the hex drawn in to 17/20 on every side.
WHOLE = 0b111111


class Crossing:
    """A hex that a ray touches.

    Attributes:
        offset: index of the hex relative to the start, on a board of the ray's stride.
        centre: lattice centre relative to the start.
        enter, leave: parameters times ``Ray.den`` at which the line enters and leaves the whole hex (closed).
    """

    __slots__ = ("_bounds", "_contacts", "_den", "_end", "_roads", "_strips", "centre", "enter", "leave", "offset")

    def __init__(self, offset: int, centre: Point, end: Point, den: int) -> None:
        self.offset, self.centre, self._end, self._den = offset, centre, end, den
        self._bounds = _bounds(centre, end, den)
        self._contacts: dict[int, tuple[int, int] | None] = {}
        self._roads: dict[tuple[int, int], Fraction | None] = {}
        self._strips: dict[int, tuple[Span, ...]] = {}
        span = self.span(WHOLE)
        self.enter, self.leave = span if span else (1, 0)

    def span(self, joined: int) -> tuple[int, int] | None:
        """Where the line is on the hex drawn in to 17/20 except on joined sides, times ``Ray.den``; None if nowhere."""
        try:
            return self._contacts[joined]
        except KeyError:
            low, high = 0, self._den
            for bit, (kind, whole, drawn_in) in enumerate(self._bounds):
                limit = whole if joined >> bit & 1 else drawn_in
                if kind > 0:
                    high = min(high, limit)
                elif kind < 0:
                    low = max(low, limit)
                elif not limit:
                    high = -1
            span = self._contacts[joined] = (low, high) if low <= high else None
            return span

    def off_road(self, joined: int, roads: int) -> Fraction | None:
        """Where the line first touches the silhouette outside the road strips (bits of ``roads``); None if nowhere."""
        key = (joined, roads)
        if key not in self._roads:
            spans = polygon_spans((0, 0), self._end, hex_silhouette(self.centre, joined))
            self._roads[key] = uncovered(spans, self.strips(roads))
        return self._roads[key]

    def strips(self, ways: int) -> tuple[Span, ...]:
        """Spans of the line on the way of this hex: bit d-1 for an arm to side d."""
        if ways not in self._strips:
            self._strips[ways] = tuple(
                s
                for d in range(1, 7)
                if ways >> (d - 1) & 1
                for s in polygon_spans((0, 0), self._end, strip(self.centre, d))
            )
        return self._strips[ways]


class Ray:
    """The line from one hex centre to another, by displacement.

    Attributes:
        den: common denominator of all parameters.
        start, end: the crossings of the two end hexes.
        between: crossings of all other hexes whose closed polygon the line touches, in order along it.
        sides: sides touched that belong to neither end hex, as (side offset, parameter, vertex only).
        end_sides: sides of the two end hexes that the line crosses or touches, likewise.
    """

    __slots__ = ("between", "den", "end", "end_sides", "sides", "start")

    def __init__(self, columns: int, rows: int, even: bool, stride: int) -> None:
        end_even = even ^ bool(columns & 1)
        end = (60 * columns, 40 * rows + 20 * (end_even - even))
        self.den = lcm(*(abs(g) for g in _forms(end) if g))
        touched: list[Crossing] = []
        for dc in range(min(0, columns) - 1, max(0, columns) + 2):
            shift = 20 * ((even ^ bool(dc & 1)) - even)
            top, bottom = _heights(end, 60 * dc)
            for dr in range((top - shift - 20) // 40, (bottom - shift + 20) // 40 + 2):
                crossing = Crossing(dc * stride + dr, (60 * dc, 40 * dr + shift), end, self.den)
                if crossing.enter <= crossing.leave:
                    touched.append(crossing)
        touched.sort(key=lambda c: (c.enter + c.leave, c.enter))
        self.start = next(c for c in touched if c.centre == (0, 0))
        self.end = next(c for c in touched if c.centre == end)
        self.between = tuple(c for c in touched if c is not self.start and c is not self.end)
        sides: list[tuple[int, int, bool]] = []
        end_sides: list[tuple[int, int, bool]] = []
        by_centre = {c.centre: c for c in touched}
        for crossing in touched:
            for d in (1, 2, 3):
                other = by_centre.get(_neighbour_centre(crossing.centre, d))
                if other is None:
                    continue
                t0, t1 = max(crossing.enter, other.enter), min(crossing.leave, other.leave)
                if t0 > t1:
                    continue
                vertex = t0 == t1 and sum(c.enter <= t0 <= c.leave for c in touched) > 2
                entry = (crossing.offset * 3 + d - 1, t0, vertex)
                of_end = crossing in (self.start, self.end) or other in (self.start, self.end)
                (end_sides if of_end else sides).append(entry)
        self.sides, self.end_sides = (
            tuple(sorted(sides, key=lambda s: s[1])),
            tuple(sorted(end_sides, key=lambda s: s[1])),
        )


def _heights(end: Point, column_x: int) -> tuple[int, int]:
    """Lowest and highest y, rounded outwards, of the line where it passes a column of hexes (40 to either side)."""
    ex, ey = end
    if not ex:
        return min(0, ey), max(0, ey)
    ys = [ey * min(max(x, min(0, ex)), max(0, ex)) for x in (column_x - 40, column_x + 40)]
    ends = sorted(y / ex for y in ys)
    return floor(ends[0]), ceil(ends[1])


def _neighbour_centre(centre: Point, side: int) -> Point:
    dx, dy = ((0, -40), (60, -20), (60, 20), (0, 40), (-60, 20), (-60, -20))[side - 1]
    return centre[0] + dx, centre[1] + dy


def _forms(point: Point) -> tuple[int, int, int, int, int, int]:
    """The six linear forms of a hex, doubled: at most 40 inside the whole hex, at most 34 inside the drawn-in one."""
    x, y = point
    return -2 * y, x - y, x + y, 2 * y, y - x, -x - y


def _bounds(centre: Point, end: Point, den: int) -> tuple[tuple[int, int, int], ...]:
    """For each side: (1, upper bounds) or (-1, lower bounds) of the parameter times den; or (0, inside?)."""
    result = []
    for slope, at_start in zip(_forms(end), _forms((-centre[0], -centre[1])), strict=True):
        if slope:
            scale = den // slope
            result.append((1 if slope > 0 else -1, (40 - at_start) * scale, (34 - at_start) * scale))
        else:
            result.append((0, int(at_start <= 40), int(at_start <= 34)))
    return tuple(result)


@lru_cache(maxsize=20_000)
def ray(columns: int, rows: int, even: bool, stride: int) -> Ray:
    """The ray of a displacement.

    Args:
        columns, rows: difference of column and row numbers.
        even: whether the start column is even.
        stride: index step of one column, on the board the offsets are for.

    >>> [c.offset for c in ray(2, 2, True, 12).between]
    [13, 14]
    """
    return Ray(columns, rows, even, stride)
