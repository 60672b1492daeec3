"""One drawing code, two backends: plain shapes in CSS pixels, played on a canvas or written as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, cos, hypot, isfinite, pi, radians, sin
from typing import Any

from tutor.core.grid import Grid

XY = tuple[float, float]
FONT = "'Atkinson Hyperlegible', 'DejaVu Sans', Verdana, sans-serif"


@dataclass(frozen=True, slots=True)
class Polygons:
    """Closed or open paths that share one style."""

    paths: tuple[tuple[XY, ...], ...]
    fill: str | None
    stroke: str | None
    width: float
    dash: tuple[float, ...]
    alpha: float
    closed: bool


@dataclass(frozen=True, slots=True)
class Discs:
    """Filled circles ``(x, y, radius, colour)``, painted in order."""

    items: tuple[tuple[float, float, float, str], ...]
    alpha: float


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; ``halo`` is the colour painted around the letters."""

    text: str
    x: float
    y: float
    size: float
    fill: str
    bold: bool
    align: str
    halo: str | None
    angle: float
    alpha: float


Shape = Polygons | Discs | Words


class Drawing:
    """A list of shapes, in painting order, in CSS pixels of the board.

    Raises:
        ValueError: a coordinate that is not a finite number (it would silence a canvas for good).

    >>> d = Drawing()
    >>> with d.placed(10, 10):
    ...     d.polygon([(0, 0), (5, 0), (5, 5)], fill="red")
    >>> d.shapes[0].paths[0][1]
    (15.0, 10.0)
    """

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self._at: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)

    @contextmanager
    def placed(self, x: float, y: float, angle: float = 0.0, scale: float = 1.0) -> Iterator[None]:
        """Draw around (x, y), turned by ``angle`` degrees and scaled."""
        before = self._at
        bx, by = self._move(x, y)
        self._at = (bx, by, before[2] + angle, before[3] * scale)
        try:
            yield
        finally:
            self._at = before

    def _move(self, x: float, y: float) -> XY:
        ox, oy, angle, scale = self._at
        x, y = x * scale, y * scale
        if angle:
            c, s = cos(radians(angle)), sin(radians(angle))
            x, y = x * c - y * s, x * s + y * c
        if not isfinite(x + y + ox + oy):
            raise ValueError(f"not a finite place: {x}, {y}")
        return ox + x, oy + y

    def _moved(self, paths: Iterable[Sequence[XY]]) -> tuple[tuple[XY, ...], ...]:
        """Paths of two points or more where they lie on the page."""
        ox, oy, angle, scale = self._at
        long = [path for path in paths if len(path) > 1]
        if angle:
            c, s = cos(radians(angle)), sin(radians(angle))
            sized = [[(x * scale, y * scale) for x, y in path] for path in long]
            moved = tuple([tuple([(ox + (x * c - y * s), oy + (x * s + y * c)) for x, y in path]) for path in sized])
        else:
            moved = tuple([tuple([(ox + x * scale, oy + y * scale) for x, y in path]) for path in long])
        _finite([x + y for path in moved for x, y in path])
        return moved

    def polygons(
        self,
        paths: Iterable[Sequence[XY]],
        *,
        fill: str | None = None,
        stroke: str | None = None,
        width: float = 1.0,
        dash: Sequence[float] = (),
        alpha: float = 1.0,
        closed: bool = True,
    ) -> None:
        """Paths that share one style, filled then stroked."""
        moved = self._moved(paths)
        if moved:
            scale = self._at[3]
            dashes = tuple(d * scale for d in dash)
            self.shapes.append(Polygons(moved, fill, stroke, width * scale, dashes, alpha, closed))

    def polygon(self, path: Sequence[XY], **style: Any) -> None:
        """One closed path."""
        self.polygons((path,), **style)

    def lines(self, paths: Iterable[Sequence[XY]], stroke: str, width: float = 1.0, **style: Any) -> None:
        """Open paths."""
        self.polygons(paths, stroke=stroke, width=width, closed=False, **style)

    def line(self, *points: XY, stroke: str, width: float = 1.0, **style: Any) -> None:
        """One open path."""
        self.lines((points,), stroke, width, **style)

    def discs(self, items: Iterable[tuple[float, float, float, str]], alpha: float = 1.0) -> None:
        """Filled circles (x, y, radius, colour), in order."""
        ox, oy, angle, scale = self._at
        if angle:
            moved = tuple((*self._move(x, y), r * scale, colour) for x, y, r, colour in items)
        else:
            moved = tuple([(ox + x * scale, oy + y * scale, r * scale, colour) for x, y, r, colour in items])
            _finite([x + y for x, y, _, _ in moved])
        if moved:
            self.shapes.append(Discs(moved, alpha))

    def disc(self, x: float, y: float, r: float, fill: str, alpha: float = 1.0) -> None:
        """One filled circle."""
        self.discs(((x, y, r, fill),), alpha)

    def ring(self, x: float, y: float, r: float, stroke: str, width: float = 1.0, **style: Any) -> None:
        """One circle as a line."""
        self.polygon(circle(x, y, r), stroke=stroke, width=width, **style)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        fill: str,
        *,
        bold: bool = False,
        align: str = "center",
        halo: str | None = None,
        alpha: float = 1.0,
    ) -> None:
        """One line of text centred on y; ``align`` is left, center or right."""
        px, py = self._move(x, y)
        _, _, angle, scale = self._at
        self.shapes.append(Words(text, px, py, size * scale, fill, bold, align, halo, angle, alpha))

    def extend(self, other: Drawing) -> None:
        """Add the shapes of another drawing, as they are."""
        self.shapes.extend(other.shapes)


def _finite(places: list[float]) -> None:
    if not isfinite(sum(places)):
        raise ValueError(f"not a finite place: {next(v for v in places if not isfinite(v))}")


def circle(x: float, y: float, r: float, n: int = 24) -> list[XY]:
    """Corners of a circle."""
    return [(x + r * cos(2 * pi * i / n), y + r * sin(2 * pi * i / n)) for i in range(n)]


def rounded(x: float, y: float, w: float, h: float, r: float, cut: str = "") -> list[XY]:
    """Corners of a rounded rectangle whose top-left corner is (x, y).

    Args:
        cut: ``tl`` cuts the top left corner straight (shape code of a side).
    """
    path: list[XY] = []
    if cut == "tl":
        path += [(x, y + 2.4 * r), (x + 2.4 * r, y)]
    for cx, cy, start in (
        (x + r, y + r, 180),
        (x + w - r, y + r, 270),
        (x + w - r, y + h - r, 0),
        (x + r, y + h - r, 90),
    ):
        if cut == "tl" and start == 180:
            continue
        path += [(cx + r * cos(radians(start + a)), cy + r * sin(radians(start + a))) for a in (0, 30, 60, 90)]
    return path


#: Widths of letters of the page's font, in thousandths of its size (measured; others count 545, capitals 640).
_WIDE = {
    **dict.fromkeys("iljI.,:;'|!", 290),
    **dict.fromkeys("frt()-·", 370),
    **dict.fromkeys("mwMW", 850),
    **dict.fromkeys("0123456789", 580),
    " ": 260,
}


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Roughly how wide a text is.

    >>> text_width("4-6-7", 10) < text_width("4-6-7", 10, bold=True) < 30
    True
    """
    return sum(_WIDE.get(c, 640 if c.isupper() else 545) for c in text) * size / 1000 * (1.05 if bold else 1.0)


def hexagon(x: float, y: float, r: float) -> list[XY]:
    """Corners of a small flat-top hexagon."""
    return [(x + r * cos(pi / 3 * i), y + r * sin(pi / 3 * i)) for i in range(6)]


@lru_cache(maxsize=64)
def _extent(grid: Grid) -> tuple[Sequence[float], Sequence[float]]:
    """The least and the greatest lattice coordinates of a board's corners: a board is viewed at many sizes."""
    xs, ys = zip(*(point for cell in grid.cells for point in grid.polygon(cell)), strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


@dataclass(frozen=True)
class View:
    """How a grid lies on the page: pixels of the lattice, size of the board.

    Args:
        grid: the board's grid.
        radius: CSS pixels of a hex radius (half a square).
        crop: the part of the board that is seen, in pixels of the whole of it: left, top, width, height; it may reach
            beyond the board. None: all of it.

    >>> from tutor.core.grid import HexGrid
    >>> view = View(HexGrid(1, 3, 1, 3), 40.0)
    >>> view.cell_at(*view.centre("B2"))
    'B2'
    """

    grid: Grid
    radius: float
    crop: tuple[int, int, int, int] | None = None

    MARGIN = 7.0

    @cached_property
    def whole(self) -> tuple[int, int]:
        """CSS width and height of all of the board."""
        return ceil(self._frame[4]), ceil(self._frame[5])

    @property
    def corner(self) -> tuple[int, int]:
        """Where the part that is seen begins, in pixels of the whole board."""
        return self.crop[:2] if self.crop else (0, 0)

    @property
    def seen(self) -> tuple[float, ...]:
        """What the page needs to lay a drawing made for this view over another: width, height, radius, left, top."""
        return (self.width, self.height, self.radius, *self.corner)

    @cached_property
    def _frame(self) -> tuple[float, float, float, float, float, float]:
        ux, uy = self.grid.plane((1, 0))[0] * self.radius, self.grid.plane((0, 1))[1] * self.radius
        (west, north), (east, south) = _extent(self.grid)
        ox, oy = self.MARGIN - west * ux, self.MARGIN - north * uy
        left, top = self.corner
        width, height = east * ux + ox + self.MARGIN, south * uy + oy + self.MARGIN
        return ux, uy, ox - left, oy - top, width, height

    @property
    def width(self) -> int:
        """CSS width of what is seen."""
        return self.crop[2] if self.crop else self.whole[0]

    @property
    def height(self) -> int:
        """CSS height of what is seen."""
        return self.crop[3] if self.crop else self.whole[1]

    def shows(self, cells: Iterable[str]) -> bool:
        """Whether some cells are seen whole."""
        corners = [point for cell in cells if cell in self.grid for point in self.path(self.grid.polygon(cell))]
        return all(-1 <= x <= self.width + 1 and -1 <= y <= self.height + 1 for x, y in corners)

    def px(self, point: Sequence[float]) -> XY:
        """Pixels of a lattice point."""
        ux, uy, ox, oy, _, _ = self._frame
        return point[0] * ux + ox, point[1] * uy + oy

    def path(self, points: Iterable[Sequence[float]]) -> list[XY]:
        """Pixels of lattice corners."""
        ux, uy, ox, oy, _, _ = self._frame
        return [(x * ux + ox, y * uy + oy) for x, y in points]

    def centre(self, cell: str) -> XY:
        """Pixels of a cell's centre."""
        return self.px(self.grid.centre(cell))

    def polygon(self, cell: str, scale: float = 1.0) -> list[XY]:
        """Pixels of a cell's corners, drawn in towards its centre by ``scale``."""
        cx, cy = self.centre(cell)
        return [(cx + (x - cx) * scale, cy + (y - cy) * scale) for x, y in self.path(self.grid.polygon(cell))]

    def cell_at(self, x: float, y: float) -> str | None:
        """The cell under a pixel, or None."""
        _, _, ox, oy, _, _ = self._frame
        return self.grid.cell_at((x - ox) / self.radius, (y - oy) / self.radius)

    def side_at(self, x: float, y: float, within: float = 0.2, rim: bool = False) -> str | None:
        """The side between two cells nearest to a pixel, when closer than ``within`` radii;
        ``rim``: those of the board's edge too.
        """
        cell = self.cell_at(x, y)
        if cell is None:
            return None
        best: tuple[float, str] | None = None
        for d in range(1, self.grid.side_count + 1):
            if rim or self.grid.neighbour(cell, d) in self.grid:
                name = self.grid.side(cell, d)
                a, b = self.path(self.grid.side_points(name))
                distance = segment_distance(x, y, a, b) / self.radius
                if distance <= within and (best is None or distance < best[0]):
                    best = (distance, name)
        return best[1] if best else None

    def as_json(self) -> dict[str, object]:
        """What the bridge needs to name the cell under the pointer."""
        cells = {cell: [round(v, 1) for v in self.centre(cell)] for cell in self.grid.cells}
        return {
            "width": self.width,
            "height": self.height,
            "margin": self.MARGIN,
            "reach": round(self.radius, 2),
            "corner": list(self.corner),
            "all": list(self.whole),
            "cells": cells,
        }


def fitted(grid: Grid, width: float, height: float, smallest: float = 12.0) -> View:
    """The view whose board is at most ``width`` by ``height`` CSS pixels."""
    unit = View(grid, 100.0)
    across = (width - 2 * View.MARGIN - 1) / (unit.width - 2 * View.MARGIN)
    down = (height - 2 * View.MARGIN - 1) / (unit.height - 2 * View.MARGIN)
    return View(grid, round(max(smallest, 100 * min(across, down)), 2))


def segment_distance(x: float, y: float, a: XY, b: XY) -> float:
    """Distance from a point to a segment.

    >>> segment_distance(0, 3, (-1, 0), (1, 0))
    3.0
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if not length else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / length))
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy)
