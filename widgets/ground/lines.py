"""Places and lines: scattered, along, hatched, offset, rounded, joined; chance that repeats itself."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from math import cos, hypot, sin
from random import Random

import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy, distance, points
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from widgets.ground.colours import Field
from widgets.ground.svg import XY, polygons

Steps = NDArray[np.int64]


def chance(*seed: object) -> Random:
    """The same draws each time for the same names."""
    return Random(blake2b("|".join(map(str, seed)).encode(), digest_size=8).hexdigest())


def chance_at(x: float, y: float, *seed: object) -> Random:
    """The same draws each time at a place, whatever is drawn elsewhere: one hex repainted leaves the others as they are."""
    return chance(*seed, round(x), round(y))


def scattered(shape: BaseGeometry, gap: float, name: str, first: Sequence[XY] = (), loose: float = 0.42) -> list[XY]:
    """Places inside a shape, about ``gap`` apart, on a shaken triangular lattice; none on top of ``first``.

    The lattice is the page's, and each of its places is shaken by itself: a shape that grows keeps those it had.
    """
    places: list[XY] = []
    seed = chance(name).getrandbits(60)
    for one in polygons(shape):
        x0, y0, x1, y1 = one.bounds
        across, down = (
            np.arange(int(lo // d) - 1, int(hi // d) + 2) for lo, hi, d in ((x0, x1, gap), (y0, y1, gap * 0.87))
        )
        i, j = np.meshgrid(across, down)
        x = (i + 0.5 * (j % 2) + loose * _shaken(i, j, seed)) * gap
        y = (j * 0.87 + loose * _shaken(i, j, seed + 1)) * gap
        keep = contains_xy(one, x, y)
        if not keep.any():
            spot = one.representative_point()
            x, y, keep = np.array([spot.x]), np.array([spot.y]), np.array([True])
        x, y = x[keep], y[keep]
        if len(first):
            f = np.asarray(first)
            near = ((x[:, None] - f[None, :, 0]) ** 2 + (y[:, None] - f[None, :, 1]) ** 2).min(axis=1)
            x, y = x[near > (gap * 0.72) ** 2], y[near > (gap * 0.72) ** 2]
        places += list(zip(x.tolist(), y.tolist(), strict=True))
    return places


def _shaken(i: Steps, j: Steps, seed: int) -> Field:
    """Numbers between -1 and 1, the same each time for the same steps of a lattice."""
    mixed = (i.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) ^ (
        j.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    mixed += np.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    even: Field = (mixed ^ (mixed >> np.uint64(31))).astype(np.float64)
    return even / 2.0**63 - 1.0


def room(boundary: BaseGeometry, places: Sequence[XY]) -> list[float]:
    """How far each place is from a boundary."""
    return distance(boundary, points(np.asarray(places))).tolist() if places else []


def around(ring: Sequence[XY], gap: float) -> list[tuple[float, float, float, float]]:
    """Places about every ``gap`` on a ring, with its direction there; each of its sides is shared out by itself."""
    corners = corners_only(ring[:-1] if ring[0] == ring[-1] else ring)
    return [place for i, corner in enumerate(corners) for place in along([corners[i - 1], corner], gap)]


def along(line: Sequence[XY], gap: float) -> list[tuple[float, float, float, float]]:
    """Places every ``gap`` on a line, with its direction there: x, y, ux, uy."""
    pts = list(line)
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(pts)]
    total = sum(lengths)
    if total <= 0:
        return []
    count = max(1, round(total / gap))
    places, at, walked = [], 0, 0.0
    for i in range(count):
        want = (i + 0.5) * total / count
        while at < len(lengths) - 1 and walked + lengths[at] < want:
            walked += lengths[at]
            at += 1
        a, b, length = pts[at], pts[at + 1], lengths[at] or 1.0
        t = (want - walked) / length
        places.append(
            (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, (b[0] - a[0]) / length, (b[1] - a[1]) / length)
        )
    return places


def hatched(shape: BaseGeometry, angle: float, gap: float) -> list[list[XY]]:
    """Parallel lines of the page, cut to a shape."""
    if shape.is_empty:
        return []
    x0, y0, x1, y1 = shape.bounds
    reach = hypot(x1 - x0, y1 - y0) / 2 + gap
    c, s = cos(angle), sin(angle)
    across = ((y0 + y1) * c - (x0 + x1) * s) / 2
    cx, cy = (x0 + x1) / 2 + across * s, (y0 + y1) / 2 - across * c
    lines: list[list[XY]] = []
    for i in range(int((across - reach) // gap), int((across + reach) // gap) + 1):
        v = i * gap
        cut = LineString(
            [(cx - reach * c - v * s, cy - reach * s + v * c), (cx + reach * c - v * s, cy + reach * s + v * c)]
        ).intersection(shape)
        lines += [list(g.coords) for g in getattr(cut, "geoms", [cut]) if isinstance(g, LineString) and not g.is_empty]
    return lines


def ring_offset(ring: Sequence[XY], depth: float) -> list[XY]:
    """The corners of a ring drawn in by ``depth`` (clockwise on the page), one for one."""
    pts = list(ring)
    count, out = len(pts), []
    for i in range(count):
        a, b, c = pts[i - 1], pts[i], pts[(i + 1) % count]
        u, v = _unit(a, b), _unit(b, c)
        nu, nv = (-u[1], u[0]), (-v[1], v[0])
        k = 1 + nu[0] * nv[0] + nu[1] * nv[1]
        k = max(k, 0.35)
        out.append((b[0] + depth * (nu[0] + nv[0]) / k, b[1] + depth * (nu[1] + nv[1]) / k))
    return out


def _unit(a: XY, b: XY) -> XY:
    d = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return (b[0] - a[0]) / d, (b[1] - a[1]) / d


def clockwise(ring: Sequence[XY]) -> list[XY]:
    """The same corners, clockwise on the page."""
    pts = list(ring)
    if pts[0] == pts[-1]:
        pts.pop()
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(pts, pts[1:] + pts[:1], strict=True))
    return pts if area > 0 else pts[::-1]


def corners_only(ring: Sequence[XY]) -> list[XY]:
    """A ring without the points that lie on a straight side."""
    pts = list(ring)
    out = []
    for i, b in enumerate(pts):
        a, c = pts[i - 1], pts[(i + 1) % len(pts)]
        if abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 0.5:
            out.append(b)
    return out


def rounded_line(points: Sequence[XY], reach: float) -> list[XY]:
    """A broken line whose corners are cut by short curves, ``reach`` along each arm at most."""
    if len(points) < 3:
        return list(points)
    out = [points[0]]
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        da, dc = hypot(a[0] - b[0], a[1] - b[1]), hypot(c[0] - b[0], c[1] - b[1])
        if not da or not dc:
            continue
        ra, rc = min(reach, da * 0.49), min(reach, dc * 0.49)
        p = (b[0] + (a[0] - b[0]) / da * ra, b[1] + (a[1] - b[1]) / da * ra)
        q = (b[0] + (c[0] - b[0]) / dc * rc, b[1] + (c[1] - b[1]) / dc * rc)
        for t in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
            k = (1 - t) ** 2, 2 * t * (1 - t), t * t
            out.append((k[0] * p[0] + k[1] * b[0] + k[2] * q[0], k[0] * p[1] + k[1] * b[1] + k[2] * q[1]))
    out.append(points[-1])
    return out


def parallel(line: Sequence[XY], d: float) -> list[XY]:
    """A broken line moved sideways, corners mitred."""
    out = []
    for i, p in enumerate(line):
        u = _unit(line[i - 1], p) if i else _unit(p, line[1])
        v = _unit(p, line[i + 1]) if i < len(line) - 1 else u
        k = max(0.4, 1 + u[0] * v[0] + u[1] * v[1])
        out.append((p[0] - d * (u[1] + v[1]) / k, p[1] + d * (u[0] + v[0]) / k))
    return out


def joined(pieces: Iterable[Sequence[XY]]) -> list[list[XY]]:
    """Pieces of line that share ends, as few lines as possible; a fork ends them."""

    def key(p: XY) -> tuple[int, int]:
        return round(p[0] * 4), round(p[1] * 4)

    left = [list(piece) for piece in pieces]
    degree: dict[tuple[int, int], int] = defaultdict(int)
    for piece in left:
        degree[key(piece[0])] += 1
        degree[key(piece[-1])] += 1
    lines: list[list[XY]] = []
    while left:
        line = left.pop(0)
        grown = True
        while grown:
            grown = False
            for i, other in enumerate(left):
                if degree[key(line[-1])] == 2 and key(line[-1]) in (key(other[0]), key(other[-1])):
                    line += (other if key(other[0]) == key(line[-1]) else other[::-1])[1:]
                elif degree[key(line[0])] == 2 and key(line[0]) in (key(other[0]), key(other[-1])):
                    line = (other if key(other[-1]) == key(line[0]) else other[::-1])[:-1] + line
                else:
                    continue
                left.pop(i)
                grown = True
                break
        lines.append(line)
    return lines


def thinned(line: Sequence[XY], tolerance: float) -> list[XY]:
    """A line with fewer points."""
    return list(LineString(line).simplify(tolerance).coords) if len(line) > 2 else list(line)
