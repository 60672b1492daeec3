"""Where labels go: beside what they speak of, over no counter, no name, and no other label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tutor.core.position import Position
from widgets.board.counters.counters import CARRIED, LEAST_NAME, LEAST_NAMED, name_lines
from widgets.board.counters.layout import Placed, count_size, layout, weapon_place
from widgets.board.counters.look import bears_name
from widgets.board.paint.labels import label_size, name_place, unit_name_size
from widgets.board.paint.shapes import XY, View, text_width

Box = tuple[float, float, float, float]
#: A name on a board: text, place of its middle, size.
Name = tuple[str, float, float, float]
#: How far below the centre of a cell its label stands at best, in hex radii.
FOOT = 0.62
#: How bad it is to cover a pixel of a counter, of a unit's name, of a hex's name; of what lies beyond the board.
_COUNTER, _NAME, _HEX, _BEYOND = 6.0, 5.0, 2.0, 20.0
#: How far the name of a unit in a stack stands from the counters of other cells, in CSS pixels: it would be read as theirs.
_APART = 8.0
#: The board whose stacks were named last: it is drawn again at each gesture.
_last: list[tuple[Position, View, tuple[Name, ...]]] = []


def box_at(x: float, y: float, wide: float, tall: float) -> Box:
    """A box by its middle."""
    return x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2


def overlap(one: Box, other: Box) -> float:
    """Area that two boxes share.

    >>> overlap((0, 0, 4, 4), (2, 2, 6, 6)), overlap((0, 0, 1, 1), (2, 2, 3, 3))
    (4, 0)
    """
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, across) * max(0, down)


class Room:
    """What of a board is taken, as boxes.

    Args:
        position: the situation.
        view: how it lies on the page.
    """

    def __init__(self, position: Position, view: View) -> None:
        self._view = view
        self._position, placed = position, layout(position, view)
        self._taken = list(_taken(position, view, placed))
        kept = _kept(position, view)
        for text, x, y, size in kept or ():
            self.take(box_at(x, y, _named_width(text, size), size))
        #: The names of units in stacks: text, place of its middle, size.
        self.names = tuple(self._name_stacks(placed, unit_name_size(view))) if kept is None else kept
        _last[:] = [(position, view, self.names)]

    def _name_stacks(self, placed: Sequence[Placed], size: float) -> Iterable[Name]:
        """Each name beside its own counter of a stack, where it hides nothing; the lens tells the others."""
        for item in sorted(placed, key=lambda one: one.face.kind == "leader"):  # whom they lead are asked of more
            name, look = item.face.name, item.face.look
            borne = bears_name(look, name, item.size) if look else item.face.weapon
            if item.room or not name or borne or item.size < LEAST_NAMED:
                continue
            at = self._position.piece(item.face.id).at
            others = [
                box_at(one.x, one.y, one.size + 2 * _APART, one.size + 2 * _APART)
                for one in placed
                if self._position.piece(one.face.id).at != at
            ]
            tried = (
                (x, y, tall) for tall in (size, LEAST_NAME) for x, y in _beside(item, _named_width(name, tall), tall)
            )
            for x, y, tall in tried:
                box = box_at(x, y, _named_width(name, tall), tall)
                if not self.covered(box) and not any(overlap(box, other) for other in others):
                    self.take(box)
                    yield name, x, y, tall
                    break

    def take(self, box: Box, weight: float = _NAME) -> None:
        """A box that other labels leave free."""
        self._taken.append((box, weight))

    def covered(self, box: Box) -> float:
        """How much a box hides, weighed by what it is."""
        beyond = max(0.0, -box[0], -box[1], box[2] - self._view.width, box[3] - self._view.height)
        return beyond * _BEYOND + sum(overlap(box, other) * weight for other, weight in self._taken)

    def hidden(self, box: Box) -> float:
        """Area of counters and unit names under a box, in square pixels."""
        return sum(overlap(box, other) for other, weight in self._taken if weight > _HEX)

    def place(self, spots: Sequence[XY], wide: float, tall: float) -> XY:
        """The first of some places where a label hides nothing, else the one where it hides least; then it is taken.

        Args:
            spots: middles of the label, the best first.
            wide, tall: of the label, in CSS pixels.
        """
        best, least = spots[0], float("inf")
        for spot in spots:
            cost = self.covered(box_at(*spot, wide, tall))
            if cost < least:
                best, least = spot, cost
            if not cost:
                break
        self.take(box_at(*best, wide, tall))
        return best


def stack_names(position: Position, view: View) -> tuple[Name, ...]:
    """The names of units in stacks, each beside its own counter: text, place of its middle, size."""
    kept = _kept(position, view)
    return Room(position, view).names if kept is None else kept


def _kept(position: Position, view: View) -> tuple[Name, ...] | None:
    """The names of the board that was drawn last, when it is this one."""
    return next((names for one, at, names in _last if one is position and at == view), None)


def _named_width(text: str, size: float) -> float:
    """Width that the name of a unit takes beside others, in CSS pixels."""
    return text_width(text, size, True) + 6


def _beside(item: Placed, wide: float, tall: float) -> Iterable[XY]:
    """Middles for the name of a counter in a stack: at the side that others leave free, or under it."""
    (rank, many), half = item.rank, item.size / 2
    side = -1 if rank < (many - 1) / 2 else 1
    ends = rank in (0, many - 1)
    if not ends or many == 1:
        yield item.x, item.y + half + 0.5 * tall
    for down in (0.0, 0.3, -0.3, 0.6, -0.6, 0.9) if ends else ():
        yield item.x + side * (half + wide / 2), item.y + down * half
    if ends:
        for inward in (0.6, 0.3, 0.0):
            yield item.x + side * inward * wide / 2, item.y + half + 0.5 * tall


def _taken(position: Position, view: View, placed: Iterable[Placed]) -> Iterable[tuple[Box, float]]:
    """Counters, what they carry, how many stacks hold, names of units and of hexes."""
    for item in placed:
        if item.count:
            yield box_at(*item.count_at, 2 * count_size(view.radius), 2 * count_size(view.radius)), _COUNTER
        yield box_at(item.x, item.y, item.size, item.size), _COUNTER
        for i in range(len(item.weapons)):
            yield box_at(*weapon_place(item, i), item.size * CARRIED, item.size * CARRIED), _COUNTER
        for text, x, y, size in name_lines(item, view):
            yield box_at(x, y, text_width(text, size, True), size), _NAME
    size = label_size(view)
    for cell in position.grid.cells:
        yield box_at(*name_place(cell, view), text_width(cell, size), size), _HEX


def round_cell(centre: XY, radius: float, wide: float) -> list[XY]:
    """Middles for a label of a cell: at its foot, at its head, then beside what stands in it, lower first.

    Args:
        centre: of the cell, in CSS pixels.
        radius: of the cell, in CSS pixels.
        wide: of the label, in CSS pixels.

    >>> round_cell((0.0, 0.0), 50.0, 20.0)[:2]
    [(0.0, 31.0), (0.0, -31.0)]
    """
    x, y = centre
    spots = [(x, y + radius * FOOT), (x, y - radius * FOOT)]
    for away in (0.5, 0.6, 0.75, 0.9):
        for down in (0.3, 0.0, -0.3, FOOT, -FOOT, 0.85, -0.85):
            spots += [(x + side * (radius * away + wide / 2), y + radius * down) for side in (1, -1)]
    return [*spots, (x, y + radius), (x, y - radius)]


def along_line(a: XY, b: XY, away: float, wide: float, middle: float = 0.5) -> list[XY]:
    """Middles for a label beside a segment: from ``middle`` outwards, the upper side first, then farther away.

    Args:
        a, b: ends of the segment.
        away: from the line to the label's nearest edge, in CSS pixels.
        wide: of the label.
        middle: share of the segment at which it would best stand.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    nx, ny = (dy / length, -dx / length) if dx >= 0 else (-dy / length, dx / length)  # upwards
    spots: list[XY] = []
    for farther in (0.0, 6.0, 12.0, 20.0, 30.0, 42.0, 56.0, 72.0):
        for step in (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.4, -0.4):
            t = middle + step
            if not 0.05 <= t <= 0.95:
                continue
            for side in (1, -1):
                reach = away + farther + abs(nx) * wide / 2 + abs(ny) * 8
                spots.append((a[0] + dx * t + side * nx * reach, a[1] + dy * t + side * ny * reach))
    return spots
