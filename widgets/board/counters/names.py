"""The names of units: what is written, and the places where it may stand, the best first."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.grids_half import HalfHexGrid
from widgets.board.counters.layout import Placed
from widgets.board.counters.look import bears_name
from widgets.board.paint.labels import label_size, name_place, thinned, unit_name_size
from widgets.board.paint.shapes import XY, View, text_width

#: A name on a board: text, place of its middle, size.
Name = tuple[str, float, float, float]
Box = tuple[float, float, float, float]
#: Size of a unit's name, in CSS pixels, at least: one long word on a small hex.
LEAST_NAME = 9.5
#: Side of the smallest counter that bears a name wider than itself, in CSS pixels.
LEAST_NAMED = 28.0
#: Between the lines of a name, in sizes of it; between a counter and a name at its side, in CSS pixels.
_LINE, _BESIDE = 0.98, 3.0
#: How far under its counter the letters of a name stand that is under the feet of a whole stack, in CSS pixels.
_UNDER = (7.0, 8.5)


def is_named(item: Placed) -> bool:
    """Whether a name is written for a counter: it has one, is large enough for it, and does not bear it itself."""
    name = item.face.name
    if not name or (item.size < LEAST_NAMED and text_width(name, LEAST_NAME, True) > item.size):
        return False
    return not bears(item)


def bears(item: Placed) -> bool:
    """Whether a counter bears its name itself."""
    look = item.face.look
    return bears_name(look, item.face.name, item.size) if look else item.face.weapon


def name_choices(item: Placed, view: View) -> Iterable[tuple[Name, ...]]:
    """The lines of the name of a unit alone in its cell, as they may stand: under its counter, else beside it.

    Args:
        item: the counter.
        view: how the board lies.

    Returns:
        The best first; nothing where none stands.
    """
    if not item.room or not is_named(item):
        return
    yield _under(item, view)
    name, half = item.face.name, item.size / 2
    writings = [[name], halves(name)] if len(name.split()) > 1 else [[name]]
    for size in (unit_name_size(view), LEAST_NAME):
        for lines in writings:
            wide, _ = _extent(lines, size)
            first = min(item.y + half + size * 0.5, lowest(item, size, view))
            for shift in (0.0, 0.25, -0.25, 0.5, -0.5, 1.0, -1.0):
                yield _lines_at(lines, item.x + shift * (wide - 0.6 * item.size) / 2, first, size)
        for lines in writings:
            wide, tall = _extent(lines, size)
            for down in (0.5, 0.0, -0.5, 1.0):
                top = item.y + down * half - (tall - 0.8 * size) / 2
                for side in (1, -1):
                    yield _lines_at(lines, item.x + side * (half + _BESIDE + wide / 2), top, size)


def _extent(lines: list[str], size: float) -> tuple[float, float]:
    """Width and height of lines of a size."""
    return max(text_width(line, size, True) for line in lines), size * (0.8 + _LINE * (len(lines) - 1))


def _lines_at(lines: list[str], x: float, first: float, size: float) -> tuple[Name, ...]:
    """Lines under each other, the first at a height."""
    return tuple((line, x, first + size * _LINE * i, size) for i, line in enumerate(lines))


def _under(item: Placed, view: View) -> tuple[Name, ...]:
    """The name under its counter, within its cell: on one line where it fits, else on two."""
    size = unit_name_size(view)
    written = _lines(item.face.name, item.room, size)
    size = max(LEAST_NAME, min(size, size * item.room / max(text_width(line, size, True) for line in written)))
    left, _, right, bottom = frame_of(view)
    seen = 0 <= item.x <= view.width and 0 <= item.y <= view.height
    foot = bottom - size * (0.5 + _LINE * (len(written) - 1)) if seen else item.y + view.height
    first = min(item.y + item.size * 0.5 + size * 0.5, lowest(item, size, view), foot)
    lines = []
    for i, line in enumerate(written):
        half = text_width(line, size, True) / 2
        x = min(item.x, item.until - half) if item.until and not i else item.x
        x = min(max(x, left + half + 1), right - half - 1) if seen else x
        lines.append((line, x, first + size * _LINE * i, size))
    return tuple(lines)


def frame_of(view: View) -> Box:
    """Left, top, right and bottom of what may be written on: what is seen of a board, within its frame.

    Args:
        view: how the board lies.
    """
    (left, top), (width, height) = view.corner, view.whole
    across = View.MARGIN if isinstance(view.grid, HalfHexGrid) else 1.0  # its frame cuts the hexes
    return (
        max(1.0, across - left),
        max(1.0, across - top),
        min(view.width - 1.0, width - across - left),
        min(view.height - 1.0, height - across - top),
    )


def lowest(item: Placed, size: float, view: View) -> float:
    """How low a name of a size may stand: over the name of the cell below, where it bears one.

    On squares all of it; on hexes no higher than the foot of its counter, that its letters touch there.
    """
    square = view.grid.side_count == 4
    below = view.cell_at(item.x, item.y + (2.0 if square else 3**0.5) * view.radius)
    if below is None or below not in thinned(view.grid.cells, view):
        return view.height + abs(item.y)
    over = name_place(below, view)[1] - 0.38 * (label_size(view) + size)
    return over - 2.5 if square else max(over - 0.2, item.y + 0.5 * item.size + 0.32 * size)


def _lines(name: str, room: float, size: float) -> list[str]:
    """A name on one line where it fits, else on two."""
    return [name] if len(name.split()) < 2 or text_width(name, size, True) <= room else halves(name)


def halves(name: str) -> list[str]:
    """A name of several words on two lines, as even as its words allow.

    >>> halves("Canon derrière le muret")
    ['Canon derrière', 'le muret']
    """
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(cuts, key=lambda pair: max(text_width(half, 1.0) for half in pair)))


def beside(item: Placed, wide: float, tall: float, last: bool = False) -> Iterable[XY]:
    """Middles for the name of a counter in a stack: at the side that others leave free, under it, or over the uppermost.

    Args:
        item: the counter.
        wide, tall: of the name, in CSS pixels.
        last: whether a place above its corner will do.
    """
    (rank, many), half = item.rank, item.size / 2
    side = -1 if rank < (many - 1) / 2 else 1
    ends = rank in (0, many - 1)
    if not ends or many == 1:
        yield item.x, item.y + half + 0.5 * tall
    for under in () if ends else _UNDER:
        yield item.x, item.y + half + 0.38 * tall + under
    for down in (0.0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9, 1.2) if ends else ():
        yield item.x + side * (half + wide / 2), item.y + down * half
    if ends:
        for inward in (0.6, 0.3, 0.0):
            yield item.x + side * inward * wide / 2, item.y + half + 0.5 * tall
    for over in (0.15, 0.5, 1.1) if ends and last else ():
        yield item.x + side * (half + wide / 2), item.y - half - over * tall
    for across in (0.0, -0.3, 0.3) if 0 < rank == many - 1 else ():  # over the uppermost
        yield item.x + across * half, item.y - half - 0.6 * tall
