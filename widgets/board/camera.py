"""Where one looks on a board: all of it, the frame of what is asked, or nearer; each way of looking is a view."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tutor.core.grid import Grid
from widgets.board.paint.shapes import XY, View, fitted

#: Boards of that many columns and rows, at most, open whole.
COLUMNS, ROWS = 10, 8
#: Hex radius of a frame, in CSS pixels, at most: what is larger shows more of the board instead.
FRAMED = 52.0
#: Largest hex radius that one may zoom to: in CSS pixels, and as a part of the shorter side of the board's place.
LARGEST, FIFTH = 96.0, 0.2
#: Hexes of this radius, in CSS pixels, are read and touched: a frame is opened only where it is this much nearer.
LEGIBLE, WORTH = 30.0, 1.25
#: Ground round the hexes of a frame, and beyond the board's edge, in hex radii.
AROUND, BEYOND = 0.5, 0.7
#: Below this part more than the whole board, a view is the whole board.
_NEARLY = 1.04

Size = tuple[int, int]


def is_large(grid: Grid) -> bool:
    """Whether a board opens on the frame of what is asked instead of whole.

    >>> from tutor.core.grid import HexGrid
    >>> is_large(HexGrid(1, 10, 1, 8)), is_large(HexGrid(1, 5, 1, 13))
    (False, True)
    """
    places = [grid.coords(cell) for cell in grid.cells]
    across, down = ({place[axis] for place in places} for axis in (0, 1))
    return max(across) - min(across) >= COLUMNS or max(down) - min(down) >= ROWS


def opening_view(grid: Grid, size: Size, cells: Iterable[str]) -> View:
    """How a board lies at first: whole, or, when it is large, so that some cells are whole and as near as that allows.

    Args:
        grid: of the board.
        size: width and height of its place, in CSS pixels.
        cells: that a question names; those that are not on the board count for nothing.

    >>> from tutor.core.grid import HexGrid
    >>> grid = HexGrid(1, 30, 1, 10)
    >>> opening_view(grid, (800, 600), []).crop is None
    True
    >>> near = opening_view(grid, (800, 600), ["C3", "F5"])
    >>> near.crop, near.shows(["C3", "F5"]), near.shows(["Z9"])
    ((0, 45, 800, 600), True, False)
    """
    return _opening(grid, size, tuple(cells))


@lru_cache(maxsize=16)  # a board is told to its page at each change, with whether it is seen as it opened
def _opening(grid: Grid, size: Size, cells: tuple[str, ...]) -> View:
    named = [cell for cell in cells if cell in grid]
    whole = fitted(grid, *size)
    if not named or not is_large(grid):
        return whole
    near = _around(grid, size, named, FRAMED)
    return whole if whole.radius >= LEGIBLE and near.radius < WORTH * whole.radius else near


def moved(view: View, size: Size, factor: float, at: XY, to: XY) -> View:
    """A view enlarged, what was at a pixel being at another: a pinch, a wheel, a drag.

    Args:
        view: the one before.
        size: width and height of the board's place, in CSS pixels.
        factor: of its hexes.
        at, to: pixels of what is seen.

    >>> from tutor.core.grid import HexGrid
    >>> view = fitted(HexGrid(1, 10, 1, 8), 800, 600)
    >>> near = moved(view, (800, 600), 2.0, view.centre("E4"), (400.0, 300.0))
    >>> [round(v) for v in near.centre("E4")]
    [400, 300]
    >>> moved(near, (800, 600), 0.1, (0, 0), (0, 0)) == view
    True
    """
    least = fitted(view.grid, *size).radius
    most = max(least, min(LARGEST, FIFTH * min(size)))
    radius = round(min(most, max(least, view.radius * factor)), 2)
    scale = radius / view.radius
    left, top = view.corner
    margin = View.MARGIN
    x, y = (at[0] + left - margin) * scale + margin - to[0], (at[1] + top - margin) * scale + margin - to[1]
    return _cropped(view.grid, size, radius, x, y)


def holding(view: View, size: Size, cells: Iterable[str]) -> View:
    """A view in which some cells are whole: the same where they are already, else moved, and no nearer than before.

    Args:
        view: the one before.
        size: width and height of the board's place, in CSS pixels.
        cells: their names; those that are not on the board count for nothing.

    >>> from tutor.core.grid import HexGrid
    >>> view = opening_view(HexGrid(1, 30, 1, 10), (800, 600), ["C3", "F5"])
    >>> holding(view, (800, 600), ["D4"]) is view, holding(view, (800, 600), ["Z9"]).shows(["Z9"])
    (True, True)
    """
    named = [cell for cell in cells if cell in view.grid]
    if view.crop is None or view.shows(named):
        return view
    return _around(view.grid, size, named, view.radius)


def _around(grid: Grid, size: Size, cells: Iterable[str], most: float) -> View:
    """The view of some cells, with ground round them, of hexes of a radius at most."""
    unit = View(grid, 100.0)
    corners = [point for cell in cells for point in unit.path(grid.polygon(cell))]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    across, down = max(xs) - min(xs) + 200 * AROUND, max(ys) - min(ys) + 200 * AROUND
    least = fitted(grid, *size).radius
    radius = round(max(least, min(most, 100 * size[0] / across, 100 * size[1] / down)), 2)
    scale, margin = radius / 100, View.MARGIN
    x, y = (scale * ((max(v) + min(v)) / 2 - margin) + margin for v in (xs, ys))
    return _cropped(grid, size, radius, x - size[0] / 2, y - size[1] / 2, 0.0)


def _cropped(grid: Grid, size: Size, radius: float, x: float, y: float, beyond: float = BEYOND) -> View:
    """The view of hexes of a radius from a corner on; the board fills it, or lies in its middle."""
    whole = fitted(grid, *size)
    if radius < whole.radius * _NEARLY:
        return whole
    spare = round(beyond * radius)
    corner = []
    for at, length, place in zip((x, y), View(grid, radius).whole, size, strict=True):
        least, most = -spare, length - place + spare
        corner.append(round((length - place) / 2 if least >= most else min(most, max(least, at))))
    return View(grid, radius, (corner[0], corner[1], *size))
