"""Exact segments and silhouettes on the integer lattice: what a straight line touches, and from where to where.

A span is a closed interval ``(t0, t1)`` of the parameter along a segment, from 0 (its start) to 1 (its end), as exact
fractions. Contact counts: a shared point is a span of length zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from tutor.core.grid import HEX_SIDE_MIDDLES, HEX_VERTICES, Point

Span = tuple[Fraction, Fraction]
ZERO, ONE = Fraction(0), Fraction(1)

#: How far an area silhouette reaches towards a side, in twentieths: drawn in, or joined with what lies across.
DRAWN_IN, JOINED = 17, 20


def hex_silhouette(centre: Point, joined: int) -> tuple[Point, ...]:
    """Corners of an area feature in one hex: drawn in to 17/20, except on joined sides.

    Args:
        centre: lattice point of the hex centre.
        joined: bit d-1 set when side d (1..6) is joined with the same feature across it.

    Returns:
        Six lattice corners, clockwise from the upper right.

    >>> hex_silhouette((0, 0), 0)
    ((17, -17), (34, 0), (17, 17), (-17, 17), (-34, 0), (-17, -17))
    """
    x, y = centre
    a, b, c, d, e, f = (JOINED if joined >> i & 1 else DRAWN_IN for i in range(6))
    return (
        (x + 2 * b - a, y - a),
        (x + b + c, y + c - b),
        (x + 2 * c - d, y + d),
        (x + d - 2 * e, y + d),
        (x - e - f, y + e - f),
        (x + a - 2 * f, y - a),
    )


def strip(centre: Point, side: int) -> tuple[Point, ...]:
    """Corners of the road, rail or trail arm from a hex centre to the middle of side 1..6.

    Its width is a fifth of the hex's radius on the page whatever its direction: half of it is a tenth of the way from
    the centre to the vertex that lies at right angles to the arm, which is on the lattice.

    Args:
        centre: lattice point of the hex centre.
        side: 1..6.

    >>> strip((0, 0), 4)
    ((-4, 0), (-4, 20), (4, 20), (4, 0))
    >>> strip((0, 0), 3)
    ((-2, 2), (28, 12), (32, 8), (2, -2))
    """
    x, y = centre
    mx, my = HEX_SIDE_MIDDLES[side - 1]
    px, py = (part // 10 for part in HEX_VERTICES[side % 6])
    return (x + px, y + py), (x + mx + px, y + my + py), (x + mx - px, y + my - py), (x - px, y - py)


def polygon_spans(p: Point, q: Point, polygon: Sequence[Point]) -> tuple[Span, ...]:
    """Closed spans of segment p-q inside or on a simple polygon, in order.

    Args:
        p, q: lattice points, distinct.
        polygon: corners of a simple polygon (convex or not), in either sense.

    >>> [(str(a), str(b)) for a, b in polygon_spans((0, 0), (40, 0), ((10, -5), (20, -5), (20, 5), (10, 5)))]
    [('1/4', '1/2')]
    """
    dx, dy = q[0] - p[0], q[1] - p[1]
    beside = [dx * (y - p[1]) - dy * (x - p[0]) for x, y in polygon]
    if min(beside) > 0 or max(beside) < 0:
        return ()
    cuts = {ZERO, ONE}
    spans: list[Span] = []
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        ex, ey = bx - ax, by - ay
        cross = dx * ey - dy * ex
        wx, wy = ax - p[0], ay - p[1]
        if cross:
            t, s = Fraction(wx * ey - wy * ex, cross), Fraction(wx * dy - wy * dx, cross)
            if 0 <= t <= 1 and 0 <= s <= 1:
                cuts.add(t)
                spans.append((t, t))
        elif wx * dy == wy * dx:
            length = dx * dx + dy * dy
            ends = sorted((Fraction(wx * dx + wy * dy, length), Fraction((bx - p[0]) * dx + (by - p[1]) * dy, length)))
            if ends[0] <= 1 and ends[1] >= 0:
                spans.append((max(ends[0], ZERO), min(ends[1], ONE)))
                cuts.update(spans[-1])
    ordered = sorted(cuts)
    for t0, t1 in pairwise(ordered):
        middle = (t0 + t1) / 2
        if _inside(p[0] + dx * middle, p[1] + dy * middle, polygon):
            spans.append((t0, t1))
    return merge(spans)


def _inside(x: Fraction, y: Fraction, polygon: Sequence[Point]) -> bool:
    """Whether a point that is on no edge lies inside (ray casting, exact)."""
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (ay > y) != (by > y) and (bx - ax) * (y - ay) * (1 if by > ay else -1) > (x - ax) * (by - ay) * (
            1 if by > ay else -1
        ):
            inside = not inside
    return inside


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Union of closed spans, as disjoint spans in order.

    >>> merge([(Fraction(1, 2), ONE), (ZERO, Fraction(1, 2))]) == ((ZERO, ONE),)
    True
    """
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return tuple(result)


def uncovered(spans: Iterable[Span], cover: Iterable[Span]) -> Fraction | None:
    """Where ``spans`` first leave what ``cover`` (closed) covers; None when they never do.

    Returns:
        The parameter at which the uncovered part begins.

    >>> uncovered([(ZERO, ONE)], [(ZERO, Fraction(1, 2))])
    Fraction(1, 2)
    >>> uncovered([(ZERO, Fraction(1, 3))], [(ZERO, ONE)]) is None
    True
    """
    covers = merge(cover)
    for start, end in spans:
        reached = start
        inside = False
        for c0, c1 in covers:
            if c0 <= reached <= c1:
                reached, inside = c1, True
        if not inside or reached < end:
            return reached
    return None


def point_at(p: Point, q: Point, t: Fraction) -> tuple[float, float]:
    """The lattice point at parameter t of segment p-q, for drawing.

    >>> point_at((0, 0), (40, 20), Fraction(1, 4))
    (10.0, 5.0)
    """
    return float(p[0] + (q[0] - p[0]) * t), float(p[1] + (q[1] - p[1]) * t)
