"""Heights written on contour lines: a set of figures for each range of widths at which the picture of a ground is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

import numpy as np
from shapely import contains, distance, points, prepare
from shapely.geometry import Polygon
from shapely.ops import unary_union

from tutor.core.position import Position
from tutor.core.registry import game
from widgets.board.counters.layout import side_of
from widgets.board.paint.labels import DOWN, LABELLED, LEAST, LEAST_OF_HEX, ROOMY, names_drawing
from widgets.board.paint.shapes import View, Words, text_width
from widgets.board.palette import LIGHT
from widgets.ground.colours import Field
from widgets.ground.layout import Layout
from widgets.ground.svg import XY, Sheet, line_data, n

#: Hex radii as displayed, in CSS pixels, from which a set of figures is shown, up to the next; below the first, none.
RADII = (16, 20, 24, 29, 36, 46)
#: Those at which the page writes otherwise on its hexes: all names, all of a height.
_WRITTEN = (*(one for one in RADII if one < LABELLED), LABELLED, ROOMY)
#: Size of a figure at the least radius of its set, in CSS pixels; width of a digit and height of digits, in sizes.
_SIZE, _DIGIT, _TALL = 11.2, 0.71, 0.78
#: Width of the triangle of a summit, and of the gap after it, in sizes.
_TRIANGLE, _GAP = 0.62, 0.14
#: How far from the centre of its hex a figure reaches, in parts of the hex: beyond lies the ring of a chosen one.
INNER = 0.84
#: Between the places tried on a line, between the middles of two figures, length of a line that bears one, in hex radii.
_EVERY, _APART, _LONG = 0.16, 1.5, 1.4
#: How many lines of a height bear it, the longest; how straight a line is under it; how bad an end of the line is.
_LINES, _STRAIGHT, _END = 3, 0.9, 0.05
#: How far apart two figures of one line stand on it, in sizes of them; what a counter may hide of the second at most, and
#: of any where one stands from the first.
_AGAIN, _SEEN, _SLIVER = 20.0, 0.3, 0.01
#: Where the height of a summit may stand, from the centre of its hex, in hex radii: the best first.
_SUMMIT = np.array([(x, y) for y in (0.34, 0.2, 0.06, -0.1, 0.48, -0.3) for x in (0.3, 0.15, 0.0, -0.15, -0.3)])

Lines = dict[float, list[list[XY]]]


@dataclass(frozen=True)
class Figure:
    """A height as it is written.

    Args:
        text: its metres.
        x, y: its middle, in pixels of the picture.
        size: of its letters.
        turn: of its base, in degrees.
        summit: a triangle stands before it.
    """

    text: str
    x: float
    y: float
    size: float
    turn: float = 0.0
    summit: bool = False

    @property
    def corners(self) -> list[XY]:
        """Of what it covers, in pixels of the picture."""
        x, y, angle = np.array([[self.x], [self.y], [radians(self.turn)]])
        xs, ys = _corners(x, y, angle, *_extent(self.text, self.size, self.summit))
        return list(zip(xs[:, 0].tolist(), ys[:, 0].tolist(), strict=True))


def _extent(text: str, size: float, summit: bool = False) -> tuple[float, float]:
    """Width and height of a figure."""
    return size * (_DIGIT * len(text) + (_TRIANGLE + _GAP if summit else 0.0)), size * _TALL


def _corners(x: Field, y: Field, angle: Field, wide: float, tall: float) -> tuple[Field, Field]:
    """The corners of boxes that are turned: one row for each of the four."""
    u, v = np.array([[-1], [1], [1], [-1]]) * wide / 2, np.array([[-1], [-1], [1], [1]]) * tall / 2
    return x + u * np.cos(angle) - v * np.sin(angle), y + u * np.sin(angle) + v * np.cos(angle)


class _Places:
    """Where figures may stand, on the picture of a ground.

    Args:
        b: the board.
        radius: the least of its hexes as displayed, in CSS pixels.
        written: boxes of what the page writes there.
        drawn: terrain that is drawn over contour lines.
        stood: centres of hexes in which counters stand from the first, in pixels of the picture.
    """

    def __init__(self, b: Layout, radius: float, written: Field, drawn: Polygon, stood: Field) -> None:
        self._b, self._written, self._drawn, self._stood = b, written, drawn, stood
        self._counter = b.r * max(side_of(b.position), min(LEAST, LEAST_OF_HEX * radius) / radius) / 2
        self.figures: list[Figure] = []

    def cost(self, x: Field, y: Field, angle: Field, wide: float, tall: float) -> Field:
        """How bad places are for a figure: the part of it that a counter may hide; infinite where it cannot stand."""
        r, (ox, oy) = self._b.r, self._b.centre(self._b.grid.cells[0])
        across, down = _corners(x, y, angle, wide, tall)
        left, top, right, low = across.min(0), down.min(0), across.max(0), down.max(0)
        q, s = _nearest((x - ox) / r, (y - oy) / r)
        cx, cy = ox + 1.5 * q * r, oy + 3**0.5 * (s + q / 2) * r
        u, v = np.abs(across - cx) / r, np.abs(down - cy) / r
        bad = (np.maximum(v, (u * 3**0.5 + v) / 2) > INNER * 3**0.5 / 2).any(axis=0)
        boxes = self._written[:, :, None]
        hits = (boxes[:, 0] < right) & (boxes[:, 2] > left) & (boxes[:, 1] < low) & (boxes[:, 3] > top)
        bad |= hits.any(axis=0)
        for other in self.figures:
            bad |= np.hypot(x - other.x, y - other.y) < _APART * r
        rest = np.flatnonzero(~bad)
        spots = points(x[rest], y[rest])
        out = ~contains(self._b.play, spots) | (distance(spots, self._drawn) < np.hypot(wide, tall) / 2)
        bad[rest] = out
        half, middle = self._counter, cy + DOWN * r
        hidden = np.clip(np.minimum(right, cx + half) - np.maximum(left, cx - half), 0, None)
        hidden = hidden * np.clip(np.minimum(low, middle + half) - np.maximum(top, middle - half), 0, None)
        share = hidden / ((right - left) * (low - top))
        stood = (np.hypot(cx[:, None] - self._stood[:, 0], cy[:, None] - self._stood[:, 1]) < r / 2).any(axis=1)
        return np.where(bad | (stood & (share > _SLIVER)), np.inf, share)


def _nearest(x: Field, y: Field) -> tuple[Field, Field]:
    """Column and slanted row of the hexes nearest to places, in hex radii from a centre."""
    q, s = 2 / 3 * x, 3**0.5 / 3 * y - x / 3
    third = np.round(-q - s)
    whole_q, whole_s = np.round(q), np.round(s)
    off_q, off_s, off_third = np.abs(whole_q - q), np.abs(whole_s - s), np.abs(third + q + s)
    column = np.where((off_q > off_s) & (off_q > off_third), -whole_s - third, whole_q)
    return column, np.where((off_s > off_third) & (off_s >= off_q), -whole_q - third, whole_s)


def _written(b: Layout, radius: float) -> Field:
    """Boxes of what the page writes on the ground of hexes of a radius, in pixels of the picture; of larger ones, less."""
    view, scale, boxes = View(b.grid, radius), b.r / radius, []
    (x0, y0), (vx, vy) = b.centre(b.grid.cells[0]), view.centre(b.grid.cells[0])
    for word in names_drawing(b.position, view, LIGHT).shapes:
        if isinstance(word, Words):
            x, y = x0 + (word.x - vx) * scale, y0 + (word.y - vy) * scale
            wide, tall = scale * (text_width(word.text, word.size, word.bold) / 2 + 1.5), scale * (0.38 * word.size + 1)
            boxes.append((x - wide, y - tall, x + wide, y + tall))
    return np.array(boxes).reshape(-1, 4)


def _stood(position: Position) -> list[str]:
    """Hexes in which counters stand on the boards of a game that have this relief; the ground itself knows of none."""
    rulebook = game(position.game)
    boards = [rulebook.position(name) for name in rulebook.positions()]
    same = [one for one in boards if (one.grid, one.level_of) == (position.grid, position.level_of)]
    return sorted({piece.at for one in same for piece in one.pieces if piece.at and piece.at in one.grid})


def figures(b: Layout, lines: Lines, summits: Sequence[tuple[str, int]]) -> list[list[Figure]]:
    """The figures of each set of :data:`RADII`: they stand within a hex, clear of what the page writes, of each other, and of counters.

    Args:
        b: the board.
        lines: contour lines by their height, in pixels of the picture.
        summits: hexes whose centre is a summit, and its height.
    """
    if not lines and not summits:
        return []
    drawn = unary_union([b.outline(shape) for shape in b.shapes if shape.layer == "area"])
    written = {radius: _written(b, radius) for radius in _WRITTEN}
    stood = np.array([b.centre(cell) for cell in _stood(b.position)]).reshape(-1, 2)
    prepare([b.play, drawn])
    sets = []
    for least in RADII:
        places = _Places(b, least, written[max(radius for radius in _WRITTEN if radius <= least)], drawn, stood)
        size = _SIZE * b.r / least
        for cell, summit in summits:
            _on_summit(b, places, cell, str(summit), size)
        for metres, many in sorted(lines.items()):
            for line in sorted(many, key=len, reverse=True)[:_LINES]:
                _on_line(b, places, line, f"{metres:g}", size)
        sets.append(places.figures)
    return sets


def _on_line(b: Layout, places: _Places, line: list[XY], text: str, size: float) -> None:
    """Write a height on its line where least hides it, rather in the middle; nowhere when there is no room."""
    xs, ys = np.array(line).T
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(xs), np.diff(ys)))])
    long, (wide, tall) = walked[-1], _extent(text, size)
    if long < max(_LONG * b.r, wide):
        return
    at = np.linspace(wide / 2, long - wide / 2, int((long - wide) / (_EVERY * b.r)) + 2)
    (ax, zx, x), (ay, zy, y) = (
        [np.interp(at + step, walked, v) for step in (-wide / 2, wide / 2, 0)] for v in (xs, ys)
    )
    angle = np.arctan2(zy - ay, zx - ax)
    angle = np.where(np.cos(angle) < 0, angle + np.pi, angle)
    cost = places.cost(x, y, angle, wide, tall) + _END * np.abs(2 * at / long - 1)
    cost[np.hypot(zx - ax, zy - ay) < _STRAIGHT * wide] = np.inf
    most = np.inf
    while cost[best := int(np.argmin(np.round(cost, 3)))] < most:
        most = _SEEN
        turn = (float(np.degrees(angle[best])) + 180) % 360 - 180
        places.figures.append(Figure(text, float(x[best]), float(y[best]), size, turn))
        cost[np.abs(at - at[best]) < _AGAIN * size] = np.inf


def _on_summit(b: Layout, places: _Places, cell: str, text: str, size: float) -> None:
    """Write the height of a summit in its hex, where least hides it."""
    x, y = (np.array(b.centre(cell)) + _SUMMIT * b.r).T
    cost = places.cost(x, y, np.zeros(len(x)), *_extent(text, size, summit=True))
    best = int(np.argmin(np.round(cost, 1)))
    if np.isfinite(cost[best]):
        places.figures.append(Figure(text, float(x[best]), float(y[best]), size, summit=True))


def paint_heights(b: Layout, s: Sheet, sets: list[list[Figure]]) -> None:
    """Each set of figures, shown by the width at which the picture is: so they are read on a phone and do not crowd a wide page."""
    if not any(sets):
        return
    rules = []
    for i, radius in enumerate(RADII):
        shown = f".h{i}{{display:inline}}" + (f".h{i - 1}{{display:none}}" if i else "")
        rules.append(f"@media(min-width:{b.width * radius / b.r:.0f}px){{{shown}}}")
    names = ",".join(f".h{i}" for i in range(len(RADII)))
    s.put(f"<style>{names}{{display:none}}{''.join(rules)}</style>")
    for i, written in enumerate(sets):
        if written:
            s.put(_group(f"h{i}", written, b.style["contour_bold"], b.style["halo"]))


def _group(name: str, written: list[Figure], ink: str, halo: str) -> str:
    """A set of figures as SVG."""
    size, parts = written[0].size, []
    for one in written:
        x, wide = one.x, _extent(one.text, size, one.summit)[0]
        if one.summit:
            left, half, y = one.x - wide / 2, size * _TRIANGLE / 2, one.y
            corners = [(left + half, y - half * 1.1), (left + 2 * half, y + half), (left, y + half)]
            parts.append(f'<path d="{line_data(corners, True)}"/>')
            x += size * (_TRIANGLE + _GAP) / 2
        turned = f' transform="rotate({n(one.turn)} {n(x)} {n(one.y)})"' if one.turn else ""
        parts.append(f'<text x="{n(x)}" y="{n(one.y)}"{turned}>{one.text}</text>')
    return (
        f'<g class="{name}" font-size="{n(size)}" font-weight="700" dominant-baseline="central" fill="{ink}"'
        f' stroke="{halo}" stroke-width="{n(0.3 * size)}" paint-order="stroke" stroke-linejoin="round">{"".join(parts)}</g>'
    )
