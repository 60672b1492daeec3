"""Values on a grid of places: noise, blur, masks, contour lines, small pictures."""

from __future__ import annotations

import base64
import io
from collections import defaultdict
from hashlib import blake2b
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from shapely.geometry.base import BaseGeometry

from widgets.ground.colours import Field
from widgets.ground.svg import XY, polygons


def _spread(count: int, size: int) -> tuple[NDArray[np.int64], Field]:
    """Where ``size`` places lie among ``count`` values, softly (cubic B-spline): the first of four, the weight of each."""
    at = np.linspace(1, count - 2, size)
    first = np.clip(np.floor(at).astype(np.int64) - 1, 0, count - 4)
    d = np.abs(at[:, None] - (first[:, None] + np.arange(4)[None, :]))
    return first, np.where(d < 1, 2 / 3 - d**2 + d**3 / 2, np.where(d < 2, (2 - d) ** 3 / 6, 0.0))


def _laid(values: Field, size: int) -> Field:
    """Rows of values laid along ``size`` places."""
    first, weights = _spread(len(values), size)
    return sum((weights[:, i : i + 1] * values[first + i] for i in range(1, 4)), weights[:, :1] * values[first])


def noise(width: int, height: int, cell: float, seed: object, octaves: int = 3) -> Field:
    """Soft noise around 0, within about -1 to 1; ``cell`` is the size of its largest features, in places."""
    total, weight = np.zeros((height, width)), 1.0
    for k in range(octaves):
        step = max(1.5, cell / 2**k)
        cols, rows = ceil(width / step) + 4, ceil(height / step) + 4
        rng = np.random.default_rng(int(blake2b(f"{seed}|{k}".encode(), digest_size=6).hexdigest(), 16))
        rough = _laid(rng.random((rows, cols)) * 2 - 1, height)
        total += weight * _laid(np.ascontiguousarray(rough.T), width).T
        weight *= 0.55
    return total * 1.5


def blur(values: Field, sigma: float) -> Field:
    """Gaussian blur; edges stay as bright as they are."""

    def kernel(size: int) -> Field:
        i = np.arange(size)
        k = np.exp(-((i[:, None] - i[None, :]) ** 2) / (2 * sigma * sigma))
        kept: Field = k / k.sum(axis=1, keepdims=True)
        return kept

    return kernel(values.shape[0]) @ values @ kernel(values.shape[1]).T


def mask(shape: BaseGeometry, width: int, height: int, scale: float) -> Field:
    """Where a shape lies on a grid of places, 0 to 1; ``scale``: places per pixel."""
    k = 3
    image = Image.new("L", (width * k, height * k), 0)
    pen = ImageDraw.Draw(image)
    for one in polygons(shape):
        pen.polygon([(x * scale * k, y * scale * k) for x, y in one.exterior.coords], fill=255)
        for hole in one.interiors:
            pen.polygon([(x * scale * k, y * scale * k) for x, y in hole.coords], fill=0)
    return np.asarray(image.resize((width, height), Image.Resampling.BOX), dtype=float) / 255


def picture(rgb: Field, quality: int = 88) -> str:
    """A data address of a picture (values 0 to 1)."""
    out = io.BytesIO()
    Image.fromarray((np.clip(rgb, 0, 1) * 255 + 0.5).astype(np.uint8)).save(out, "WEBP", quality=quality, method=6)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def contour(values: Field, level: float, scale: float) -> list[list[XY]]:
    """Lines where a field passes a level (marching squares), in pixels; ``scale``: pixels per place."""
    inside = values >= level
    segments: list[tuple[XY, XY]] = []
    code = inside[:-1, :-1] * 8 + inside[:-1, 1:] * 4 + inside[1:, 1:] * 2 + inside[1:, :-1] * 1
    crossed = np.nonzero((code > 0) & (code < 15))
    corners = (values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1])
    columns = [one[crossed].tolist() for one in (code, *corners)]  # Python's numbers: numpy's are slow one by one
    for y, x, kind, a, b, c, d in zip(crossed[0].tolist(), crossed[1].tolist(), *columns, strict=True):
        edges: dict[str, XY] = {}
        if (a >= level) != (b >= level):
            edges["n"] = (x + (level - a) / (b - a), float(y))
        if (b >= level) != (c >= level):
            edges["e"] = (x + 1.0, y + (level - b) / (c - b))
        if (d >= level) != (c >= level):
            edges["s"] = (x + (level - d) / (c - d), y + 1.0)
        if (a >= level) != (d >= level):
            edges["w"] = (float(x), y + (level - a) / (d - a))
        ends = list(edges.values())
        if len(ends) == 4:
            first = ("n", "w", "s", "e") if (a + b + c + d) / 4 >= level else ("n", "e", "s", "w")
            if kind == 10:
                first = ("n", "e", "s", "w") if (a + b + c + d) / 4 >= level else ("n", "w", "s", "e")
            segments += [(edges[first[0]], edges[first[1]]), (edges[first[2]], edges[first[3]])]
        elif len(ends) == 2:
            segments.append((ends[0], ends[1]))
    return [[(x * scale, y * scale) for x, y in line] for line in _joined(segments)]


def _joined(segments: list[tuple[XY, XY]]) -> list[list[XY]]:
    """Lines of the segments that meet, those with an end first."""

    def key(p: XY) -> tuple[int, int]:
        return round(p[0] * 1000), round(p[1] * 1000)

    keys = [(key(p), key(q)) for p, q in segments]
    by_end: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, both in enumerate(keys):
        for one in both:
            by_end[one].append(i)
    used, lines = [False] * len(segments), []
    for start in sorted(range(len(segments)), key=lambda i: min(len(by_end[keys[i][0]]), len(by_end[keys[i][1]]))):
        if used[start]:
            continue
        (p, q), (_, last) = segments[start], keys[start]
        if len(by_end[last]) == 1:
            p, q, last = q, p, keys[start][0]
        used[start] = True
        line = [p, q]
        while (follow := next((i for i in by_end[last] if not used[i]), None)) is not None:
            used[follow] = True
            a, b = segments[follow]
            onward = keys[follow][0] == last
            line.append(b if onward else a)
            last = keys[follow][onward]
        lines.append(line)
    return lines
