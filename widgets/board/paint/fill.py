"""Filling silhouettes: points scattered or in rows, hatching, roofs."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from random import Random

import numpy as np

from widgets.board.paint.shapes import XY, Drawing, segment_distance
from widgets.board.palette import Palette


def inside(polygon: Sequence[XY], x: float, y: float) -> bool:
    """Whether a point lies in a polygon (even-odd).

    >>> inside([(0, 0), (4, 0), (4, 4), (0, 4)], 1, 1)
    True
    """
    within = False
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            within = not within
    return within


def hatch(polygon: Sequence[XY], angle: float, gap: float, inset: float = 0.0) -> list[list[XY]]:
    """Parallel lines cut to a polygon.

    Args:
        angle: of the lines, in radians.
        gap: pixels between them.
        inset: pixels kept free at both ends.
    """
    c, s = cos(angle), sin(angle)
    turned = [(x * c + y * s, -x * s + y * c) for x, y in polygon]
    low, high = min(v for _, v in turned), max(v for _, v in turned)
    lines: list[list[XY]] = []
    v = (low // gap + 1) * gap
    while v < high:
        cuts = sorted(
            ax + (bx - ax) * (v - ay) / (by - ay)
            for (ax, ay), (bx, by) in zip(turned, [*turned[1:], turned[0]], strict=True)
            if (ay > v) != (by > v)
        )
        for u0, u1 in zip(cuts[::2], cuts[1::2], strict=False):
            if u1 - u0 > 2 * inset:
                u0, u1 = u0 + inset, u1 - inset
                lines.append([(u0 * c - v * s, u0 * s + v * c), (u1 * c - v * s, u1 * s + v * c)])
        v += gap
    return lines


def scatter(polygon: Sequence[XY], step: float, margin: float, rng: Random, jitter: float = 0.35) -> list[XY]:
    """Places on a loose triangular lattice inside a polygon, at least ``margin`` from its edges."""
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    left, right, bottom, draw = min(xs), max(xs), max(ys), rng.random
    spots: list[XY] = []
    row, y = 0, min(ys) + step / 2
    while y < bottom:
        x = left + step * (0.5 if row % 2 else 1.0)
        while x < right:
            spots.append((x + (draw() - 0.5) * step * jitter * 2, y + (draw() - 0.5) * step * jitter * 2))
            x += step
        y += step * 0.87
        row += 1
    return _well_inside(polygon, spots, margin) if spots else []


def _well_inside(polygon: Sequence[XY], spots: list[XY], margin: float) -> list[XY]:
    """The spots in a polygon at least ``margin`` from its edges,
    as :func:`inside` and ``segment_distance`` would say, all at once.
    """
    corners = np.array(polygon)
    (ax, ay), (bx, by) = corners.T, np.roll(corners, -1, axis=0).T
    x, y = np.array(spots).T[:, :, None]
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    crossed = ((ay > y) != (by > y)) & (x < dx * (y - ay) / np.where(dy, dy, 1) + ax)
    t = np.clip(((x - ax) * dx + (y - ay) * dy) / np.where(length, length, 1), 0, 1)
    far = np.hypot(x - ax - t * dx, y - ay - t * dy) >= margin
    kept = far.all(axis=1) & (crossed.sum(axis=1) % 2 == 1)
    return [spots[i] for i in np.flatnonzero(kept)]


def near(polygon: Sequence[XY], x: float, y: float, margin: float) -> bool:
    """Whether a point lies in a polygon or nearer to its edge than ``margin``."""
    return inside(polygon, x, y) or any(
        segment_distance(x, y, a, b) < margin for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    )


def rows(polygon: Sequence[XY], step: float, margin: float) -> list[XY]:
    """Places in straight rows inside a polygon, at least ``margin`` from its edges."""
    cx = sum(p[0] for p in polygon) / len(polygon)
    cy = sum(p[1] for p in polygon) / len(polygon)
    edges = list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    places = []
    for i in range(-3, 4):
        for j in range(-3, 4):
            x, y = cx + i * step, cy + (j + 0.12) * step
            if inside(polygon, x, y) and all(segment_distance(x, y, a, b) >= margin for a, b in edges):
                places.append((x, y))
    return places


def roof(d: Drawing, x: float, y: float, w: float, h: float, colours: Palette, grey: bool = False) -> None:
    """A ridged roof seen from above, centred on (x, y)."""
    light, dark = (colours.roof_grey, colours.roof_grey_shade) if grey else (colours.roof, colours.roof_shade)
    x0, y0, x1, y1 = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    s = min(w, h) * 0.14
    d.polygon([(x0 + s, y0 + s), (x1 + s, y0 + s), (x1 + s, y1 + s), (x0 + s, y1 + s)], fill=colours.shade, alpha=0.28)
    d.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], fill=light)
    if w >= h:
        d.polygon([(x0, y), (x1, y), (x1, y1), (x0, y1)], fill=dark)
        d.line((x0, y), (x1, y), stroke=colours.building_line, width=max(0.5, h / 22))
    else:
        d.polygon([(x, y0), (x1, y0), (x1, y1), (x, y1)], fill=dark)
        d.line((x, y0), (x, y1), stroke=colours.building_line, width=max(0.5, w / 22))
    d.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], stroke=colours.building_line, width=max(0.7, min(w, h) / 18))
