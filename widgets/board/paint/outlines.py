"""Outlines of features that lie in several hexes: edges that two neighbours share are inside, so they are not drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import gcd

from tutor.core.grid import Point

Edge = tuple[Point, Point]


def clockwise(polygon: Sequence[Point]) -> Sequence[Point]:
    """The same corners, clockwise on the page (y down).

    >>> clockwise([(0, 0), (0, 2), (2, 2)])
    [(2, 2), (0, 2), (0, 0)]
    """
    area = 0
    px, py = polygon[-1]
    for x, y in polygon:
        area += px * y - x * py
        px, py = x, y
    return polygon if area > 0 else list(reversed(polygon))


def outline_edges(polygons: Iterable[Sequence[Point]]) -> list[Edge]:
    """Edges of the union of polygons that touch along sides without overlapping; the inside lies on the right hand.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> len(outline_edges([square, [(x + 2, y) for x, y in square]]))
    6
    """
    lines: dict[tuple[int, int, int], list[tuple[int, int, int, Edge]]] = defaultdict(list)
    for polygon in polygons:
        corners = clockwise(polygon)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
            if a == b:
                continue
            dx, dy = b[0] - a[0], b[1] - a[1]
            g = gcd(dx, dy)
            ux, uy = dx // g, dy // g
            sign = 1
            if (ux, uy) < (0, 0):
                ux, uy, sign = -ux, -uy, -1
            key = (ux, uy, a[0] * uy - a[1] * ux)
            axis = 0 if ux else 1
            t0, t1 = sorted((a[axis], b[axis]))
            lines[key].append((sign, t0, t1, (a, b)))
    edges: list[Edge] = []
    for (ux, uy, _), items in lines.items():
        known = {(sign, t0, t1) for sign, t0, t1, _ in items}
        for sign, t0, t1, (a, _) in items:
            if (-sign, t0, t1) in known:  # a neighbour has just this edge
                continue
            spans = [(t0, t1)]
            for other, s0, s1, _ in items:
                if other != sign and s0 < t1 and t0 < s1:
                    spans = [
                        piece
                        for lo, hi in spans
                        for piece in ((lo, min(hi, s0)), (max(lo, s1), hi))
                        if piece[0] < piece[1]
                    ]
            for lo, hi in spans:
                start, end = (lo, hi) if sign > 0 else (hi, lo)
                edges.append((_on_line(start, a, ux, uy), _on_line(end, a, ux, uy)))
    return edges


def _on_line(t: int, base: Point, ux: int, uy: int) -> Point:
    """The point of the line through ``base`` along (ux, uy) whose x is ``t``; its y, on an upright line."""
    return (t, base[1] + (t - base[0]) * uy // ux) if ux else (base[0] + (t - base[1]) * ux // uy, t)


def chains(edges: Iterable[Edge]) -> list[list[Point]]:
    """Edges joined end to start into as few lines as possible (closed ones end where they start).

    >>> chains([((0, 0), (2, 0)), ((2, 0), (2, 2))])
    [[(0, 0), (2, 0), (2, 2)]]
    """
    following: dict[Point, list[Point]] = defaultdict(list)
    entered: dict[Point, int] = defaultdict(int)
    for a, b in edges:
        following[a].append(b)
        entered[b] += 1
    result: list[list[Point]] = []
    starts = [p for p in following if len(following[p]) > entered[p]] + list(following)
    for start in starts:
        while following[start]:
            line = [start]
            while following[line[-1]]:
                line.append(following[line[-1]].pop(0))
            result.append(line)
    return result
