"""What is written on the ground: hex names, heights, and the dots that lines are drawn between."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import pairwise

from tutor.core.grids_half import HalfHexGrid
from tutor.core.position import Position
from widgets.board.paint.shapes import XY, Drawing, View, rounded, text_width
from widgets.board.palette import Palette

#: Markers that say where a centre lies between two contour lines, and their signs.
RELIEF = {"between": "↗", "basin": "∪", "dome": "∩"}
#: Hex radius in CSS pixels from which a hex bears both its name and all of its height.
ROOMY = 36.0
#: Hex radius in CSS pixels from which every hex bears its name; on smaller ones names thin out.
LABELLED = 24.0
#: Side of a counter, in CSS pixels, at least, as far as its hex allows: a part of its radius.
LEAST, LEAST_OF_HEX = 24.0, 1.2
#: Half of the side of the largest counters alone on a hex and on a square, and how low they stand, in radii.
_HALF, _SQUARE_HALF, DOWN = 0.54, 0.67, 0.04
#: How far above the centre of a small hex its name stands at least, and at most, in hex radii: between two counters.
_SMALL_UP = (0.77, 0.83)
#: How many columns and rows apart the hexes are that still bear one: the first at which names have room.
_APART = (2, 3, 5, 10)
#: Levels above this are heights in metres.
METRES = 9
#: Where levels are written, from the centre of their hex: in hex radii.
_LEVEL_AT = (0.4, 0.66)
#: Where a height in metres is written when hexes are small: beside a counter, from the centre, in hex radii.
_SHORT_AT = (0.74, -0.34)
#: How opaque is what lies under a height that is written over a drawn terrain.
_PLATE = 0.85


def label_size(view: View) -> float:
    """Size of hex names, in CSS pixels; never below 11."""
    return max(11.0, min(13.0, view.radius * 0.215))


def unit_name_size(view: View) -> float:
    """Size of the names under counters, in CSS pixels."""
    return max(10.5, min(13.0, view.radius * 0.225))


def name_place(cell: str, view: View) -> XY:
    """Pixels of a hex name: at the top of the hex, or of the part of it that is on the board.

    Between the name of a unit in the hex above and a counter in its own; on small hexes, between the counters alone,
    which are larger there; above the taller counters of a square.
    """
    places = _name_places(view)
    if cell not in places:
        places[cell] = _name_place(cell, view)
    return places[cell]


@lru_cache(maxsize=8)
def _name_places(view: View) -> dict[str, XY]:
    """What is known of the names of a board that lies so: each of its drawings asks for all of them again."""
    return {}


def _name_place(cell: str, view: View) -> XY:
    path, r, size = view.polygon(cell), view.radius, label_size(view)
    xs, top, y = [x for x, _ in path], min(y for _, y in path), view.centre(cell)[1]
    square = view.grid.side_count == 4
    head = max(r * (_SQUARE_HALF if square else _HALF), min(LEAST, LEAST_OF_HEX * r) / 2) - DOWN * r + 0.4 * size
    framed = (View.MARGIN if isinstance(view.grid, HalfHexGrid) else 1.0) - view.corner[1] + 0.42 * size
    up, highest = max(0.715 * r, head), max(top + 0.15 * r, framed)
    if square:
        up, highest = max(head, min(y - top - 0.42 * size, max(up, 0.63 * r + 0.47 * size))), framed
    elif r < LABELLED:
        up, highest = max(_SMALL_UP[0] * r, min(_SMALL_UP[1] * r, head)), framed
    elif y - top < 0.9 * r:  # hexes in columns: a unit's name ends 0.57 radii and its own height below the centre above
        up = max(head, min(0.715 * r, (3**0.5 - 0.57) * r - 0.94 * unit_name_size(view) - 0.38 * size))
    return (min(xs) + max(xs)) / 2, max(y - up, highest)


def thins(view: View) -> bool:
    """Whether a board is too small for every hex to bear its name: those that counters would cut are left out."""
    return view.radius < LABELLED


def thinned(cells: Iterable[str], view: View) -> list[str]:
    """The hexes that bear their name: all of them where there is room, else those of every second, third, fifth column
    and row, so that names stay at 11 pixels and apart.

    Args:
        cells: hexes of a board.
        view: how it lies.

    >>> from tutor.core.grid import HexGrid
    >>> grid = HexGrid(1, 5, 1, 5)
    >>> len(thinned(grid.cells, View(grid, 40.0))), thinned(grid.cells, View(grid, 20.0))
    (25, ['A1', 'A3', 'A5', 'C1', 'C3', 'C5', 'E1', 'E3', 'E5'])
    """
    every = list(cells)
    if not thins(view) or not every:
        return every
    columns: dict[float, list[str]] = {}
    for cell in every:
        columns.setdefault(round(view.centre(cell)[0], 1), []).append(cell)
    places = sorted(columns)
    apart = min(b - a for a, b in pairwise(places)) if len(places) > 1 else view.radius
    needed = 0.62 * label_size(view) * max(map(len, every)) + 8
    step = next((step for step in _APART if step * apart >= needed), _APART[-1])
    return [
        cell for place in places[::step] for cell in sorted(columns[place], key=lambda c: view.centre(c)[1])[::step]
    ]


@lru_cache(maxsize=8)
def name_boxes(view: View) -> tuple[tuple[float, float, float, float], ...]:
    """Left, top, right and bottom of the letters of the hex names that a board bears.

    Args:
        view: how it lies.
    """
    tall = 0.38 * label_size(view)
    boxes = []
    for cell in thinned(view.grid.cells, view):
        (x, y), wide = name_place(cell, view), text_width(cell, label_size(view)) / 2
        boxes.append((x - wide, y - tall, x + wide, y + tall))
    return tuple(boxes)


def names_drawing(
    position: Position, view: View, colours: Palette, labels: bool = True, covered: Collection[str] = ()
) -> Drawing:
    """What is written on the ground: names of hexes, and their levels.

    Args:
        position: for names and levels.
        view: where it goes.
        colours: of the theme, or those that a game writes in on its ground.
        labels: write it.
        covered: hexes whose names counters would cut.
    """
    d = Drawing()
    if labels:
        paint_labels(d, [one for one in thinned(position.grid.cells, view) if one not in covered], view, colours)
    if labels and view.radius >= LABELLED:
        paint_heights(d, position, view, colours)
    return d


def paint_labels(d: Drawing, cells: Iterable[str], view: View, colours: Palette) -> None:
    """Hex names, small and pale, at the top of their hexes."""
    size = label_size(view)
    for cell in cells:
        x, y = name_place(cell, view)
        d.text(cell, x, y, size, colours.label, halo=colours.halo)


def paint_dots(d: Drawing, position: Position, view: View, colours: Palette) -> None:
    """The centres of hexes on boards whose players lay a thread from dot to dot."""
    grid = position.grid
    if isinstance(grid, HalfHexGrid):
        size = max(1.0, view.radius * 0.035)
        whole = [view.centre(cell) for cell in grid.cells if not grid.halved(cell)]
        d.discs([(x, y, size, colours.label) for x, y in whole], alpha=0.8)


def paint_heights(
    d: Drawing, position: Position, view: View, colours: Palette, cells: Iterable[str] | None = None
) -> None:
    """The level of each raised or sunken hex; in metres, pale, with where its centre lies between two contour lines. Small
    hexes of a board that is all of one height bear none.

    Args:
        d: where it is written.
        position: for levels.
        view: how the board lies.
        colours: of what is written.
        cells: hexes whose level is written; None: all of them.
    """
    r, size = view.radius, label_size(view)
    for cell in position.level_of if cells is None else cells:
        level = position.level_of.get(cell)
        if not level or cell not in position.grid:
            continue
        x, y = view.centre(cell)
        if abs(level) <= METRES:
            text = f"▴{level}" if level > 0 else f"▾{-level}"
            x += r * _LEVEL_AT[0]
            d.text(text, x, y + r * _LEVEL_AT[1], size * 0.95, colours.crest, bold=True, halo=colours.halo)
        elif r >= ROOMY:
            _height(d, height_text(position, cell, level), (x, y + r * 0.7), position, view, colours)
        elif not _level(position):
            _height(d, str(level), (x + r * _SHORT_AT[0], y + r * _SHORT_AT[1]), position, view, colours)


def _level(position: Position) -> bool:
    """Whether a board is all of one height in metres: a small one then bears none, forty times the same."""
    levels = position.level_of
    flat = len(levels) == len(position.grid.cells) and len(set(levels.values())) == 1
    return flat and not any(position.markers.get(kind) for kind in RELIEF)


def _height(d: Drawing, text: str, at: XY, position: Position, view: View, colours: Palette) -> None:
    """A height in metres; on a plate of its own where roofs or trees are drawn under it."""
    (x, y), size = at, label_size(view) * 0.92
    wide, tall = text_width(text, size) + 0.5 * size, 1.06 * size
    if any(position.terrain_of.get(view.cell_at(x + side * wide / 2, y) or "") for side in (-1, 1)):
        d.polygon(rounded(x - wide / 2, y - tall / 2, wide, tall, 0.3 * size), fill=colours.halo, alpha=_PLATE)
    d.text(text, x, y, size, colours.crest, halo=colours.halo)


def height_left(position: Position, cell: str, view: View) -> float:
    """Where the level of a hex begins, beside which a unit's name may stand, in CSS pixels; 0 where none is written."""
    level = position.level_of.get(cell, 0)
    if not level or abs(level) > METRES or view.radius < LABELLED:
        return 0.0
    return view.centre(cell)[0] + view.radius * _LEVEL_AT[0] - label_size(view) * 0.85


def height_text(position: Position, cell: str, level: int) -> str:
    """A height in metres as a hex bears it: its contour line, and how far its centre is to the next one.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("tcs", "livret-ldv")
    >>> height_text(p, "01.04", 20).replace("\\u00a0", " "), height_text(p, "01.01", 40)
    ('20 ↗75 %', '40')
    """
    for kind, sign in RELIEF.items():
        value = position.marker(kind, cell)
        if value is True:
            return f"{level}\u00a0{sign}"
        if isinstance(value, int) and value:
            return f"{level}\u00a0{sign}{value}\u00a0%"
    return str(level)
