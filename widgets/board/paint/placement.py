"""Where labels go: beside what they speak of, over no counter, no name, and no other label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import hypot

from tutor.core.drawing import Shape
from tutor.core.position import Position
from widgets.board.counters.layout import CARRIED, Placed, count_size, layout, weapon_place
from widgets.board.counters.names import LEAST_NAME, Box, Name, bears, beside, frame_of, is_named, name_choices
from widgets.board.paint.labels import name_boxes, names_drawing, thinned, thins, unit_name_size
from widgets.board.paint.letters import letter_choices, letter_extent, tile_letters
from widgets.board.paint.markers import WORKS, WRITTEN, legible, paint_markers
from widgets.board.paint.shapes import XY, Discs, Drawing, Polygons, View, Words, text_width
from widgets.board.palette import LIGHT

#: How far below the centre of a cell its label stands at best, in hex radii.
FOOT = 0.62
#: How bad it is to cover a pixel of a counter, of a unit's name, of a hex's name, of wire or mines; of what lies
#: beyond the board.
_COUNTER, _NAME, _HEX, _WORK, _BEYOND = 6.0, 5.0, 2.0, 0.5, 20.0
#: Share of the letters of a name that may stand on the foot of its own counter.
_ON_FOOT = 0.8
#: How far the name of a unit in a stack stands from the counters of other cells, in CSS pixels: it would be read as theirs.
_APART = 8.0
#: How far the name of a unit alone that is not under its counter stands from those of other cells, in CSS pixels.
_CLEAR = 3.0
#: How far a label stands aside of the name of a hex, in CSS pixels.
_ASIDE = 1.5
#: How far the halo of a unit's name reaches beyond its letters, in CSS pixels: it would cut the name beside it.
_HALO = 2.5
#: How far besides it would best stand aside of what is read, in CSS pixels, more than between two words of one name; how
#: bad it is to be nearer, to hiding it.
_BETWEEN, _NEAR = 1.5, 0.05
#: Height of the letters of a name, in sizes of it: what another name may not touch.
_LETTERS = 0.52
#: Share of a hex name under counters from which it is left out on a board too small to bear them all.
_CUT = 0.15
#: Names of the units alone in their cells, by id, line by line; names of units in stacks; letters of tiles.
_Names = tuple[dict[str, tuple[Name, ...]], tuple[Name, ...], tuple[Name, ...]]
#: From how many units in a cell their names are placed before the letter of its tile, which stands in more places.
_CROWD = 3
#: The board whose units were named last: it is drawn again at each gesture.
_last: list[tuple[Position, View, _Names]] = []


def box_at(x: float, y: float, wide: float, tall: float) -> Box:
    """A box by its middle."""
    return x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2


def overlap(one: Box, other: Box) -> float:
    """Area that two boxes share.

    >>> overlap((0, 0, 4, 4), (2, 2, 6, 6)), overlap((0, 0, 1, 1), (2, 2, 3, 3))
    (4, 0)
    """
    if one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]:
        return 0  # as most boxes of a board are to each other
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across * (min(one[3], other[3]) - max(one[1], other[1]))


def entry(a: XY, b: XY, box: Box) -> float | None:
    """Where a segment meets a box: the share of it that lies before; None where it misses it.

    >>> entry((0, 0), (8, 8), (4, 4, 6, 6)), entry((0, 0), (9, 0), (4, 4, 6, 6))
    (0.5, None)
    """
    first, last = 0.0, 1.0
    for start, end, low, high in ((a[0], b[0], box[0], box[2]), (a[1], b[1], box[1], box[3])):
        along = end - start
        if abs(along) < 1e-9:
            if not low <= start <= high:
                return None
            continue
        near, far = sorted(((low - start) / along, (high - start) / along))
        first, last = max(first, near), min(last, far)
    return first if first <= last else None


def crosses(a: XY, b: XY, box: Box) -> bool:
    """Whether a segment meets a box.

    >>> crosses((0, 0), (9, 9), (4, 4, 6, 6)), crosses((0, 0), (9, 0), (4, 4, 6, 6))
    (True, False)
    """
    return entry(a, b, box) is not None


class Room:
    """What of a board is taken, as boxes.

    Args:
        position: the situation.
        view: how it lies on the page.
    """

    def __init__(self, position: Position, view: View) -> None:
        self._view, self._frame = view, frame_of(view)
        self._position, placed = position, layout(position, view)
        self._taken, self._works = list(_taken(position, view, placed)), list(works(position, view))
        kept = _kept(position, view)
        crowded = _crowded(position)
        #: The letters of tiles: text, place of its middle, size. In a cell of many units they come after its names.
        self.letters = tuple(self._lettered(lambda cell: cell not in crowded)) if kept is None else kept[2]
        for letter in self.letters if kept else ():
            self._take_letter(letter)
        #: The names of units alone in their cells, by id of the unit: lines of text, place of their middle, size.
        self.alone: dict[str, tuple[Name, ...]] = {} if kept is None else kept[0]
        for line in (line for lines in self.alone.values() for line in lines):
            self._take_line(line)
        if kept is None:
            self._name_alone(placed)
        for text, x, y, size in kept[1] if kept else ():
            self.take(box_at(x, y, _named_width(text, size), size))
        #: The names of units in stacks: text, place of its middle, size.
        self.names = tuple(self._name_stacks(placed, unit_name_size(view))) if kept is None else kept[1]
        self.letters += tuple(self._lettered(crowded.__contains__)) if kept is None else ()
        _last[:] = [(position, view, (self.alone, self.names, self.letters))]

    def _lettered(self, where: Callable[[str], bool]) -> Iterable[Name]:
        """Each letter of a tile where it hides least of its hex, and is hidden least."""
        for cell, letter in tile_letters(self._position, self._view).items():
            if not where(cell):
                continue
            choices = list(letter_choices(cell, letter, self._view))
            boxes = [box_at(x, y, *letter_extent(letter, size, self._view)) for _, x, y, size in choices]
            best = min(range(len(choices)), key=lambda i: round(self.covered(boxes[i]), 3))
            self._take_letter(choices[best])
            yield choices[best]

    def _take_letter(self, letter: Name) -> None:
        text, x, y, size = letter
        wide, tall = letter_extent(text, size, self._view)
        self.take(box_at(x, y, wide + _CLEAR, tall + _CLEAR))

    def _name_alone(self, placed: Sequence[Placed]) -> None:
        """Each name under its counter where it hides nothing there; then the others, where they hide least."""
        waiting = []
        for item in placed:
            choices = iter(name_choices(item, self._view))
            lines = next(choices, None)
            if lines and self._hides(lines, item, ()):
                waiting.append((item, [lines, *choices]))
            elif lines and self._touches(lines, item):  # aside under its counter, no farther
                foot = item.y + item.size / 2
                waiting.append((item, [lines, *(other for other in choices if other[0][2] > foot)]))
            elif lines:
                self._write(item, lines)
        for item, tried in waiting:
            others = self._others(placed, item, _CLEAR)
            best, least = tried[0], self._hides(tried[0], item, ()) + self._touches(tried[0], item)
            for lines in tried[1:]:
                cost = self._hides(lines, item, others) + self._touches(lines, item)
                if cost < least:
                    best, least = lines, cost
                if not cost:
                    break
            self._write(item, best)

    def _write(self, item: Placed, lines: tuple[Name, ...]) -> None:
        self.alone[item.face.id] = lines
        for line in lines:
            self._take_line(line)

    def _take_line(self, line: Name) -> None:
        text, x, y, size = line
        self.take(box_at(x, y, text_width(text, size, True) + 2 * _HALO, size))

    def _hides(self, lines: tuple[Name, ...], item: Placed, others: Iterable[Box]) -> float:
        """How much the name of a unit hides, the foot of its own counter apart, and works.

        Args:
            others: counters of other cells, with the room that they need around them.
        """
        own, cost = box_at(item.x, item.y, item.size, item.size), 0.0
        for text, x, y, size in lines:
            box = box_at(x, y, text_width(text, size, True), _LETTERS * size)
            foot = box[0], max(box[1], own[3] - _ON_FOOT * (box[3] - box[1])), box[2], box[3]
            hidden = self._over(box)
            cost += hidden - overlap(foot, own) * _COUNTER
            aside = box[0] - _BETWEEN, box[1], box[2] + _BETWEEN, box[3]
            beside = self._over(aside) - hidden - (overlap(aside, own) - overlap(box, own)) * _COUNTER
            cost += _NEAR * beside if beside > 1e-6 else 0.0
            cost += sum(overlap(box, other) for other in others) * _COUNTER
        return cost if cost > 1e-6 else 0.0

    def _touches(self, lines: tuple[Name, ...], item: Placed) -> float:
        """How much the name of a unit covers of wire, mines and other works, those that its own counter covers apart."""
        own = box_at(item.x, item.y, item.size, item.size)
        seen = [work for work in self._works if 2 * overlap(work, own) < overlap(work, work)]
        boxes = [box_at(x, y, text_width(text, size, True), _LETTERS * size) for text, x, y, size in lines]
        return sum(overlap(box, work) for box in boxes for work in seen) * _WORK

    def _others(self, placed: Iterable[Placed], item: Placed, apart: float) -> list[Box]:
        """The counters of other cells, as boxes with room around them."""
        at = self._position.piece(item.face.id).at
        return [
            box_at(one.x, one.y, one.size + 2 * apart, one.size + 2 * apart)
            for one in placed
            if self._position.piece(one.face.id).at != at
        ]

    def _name_stacks(self, placed: Sequence[Placed], size: float) -> Iterable[Name]:
        """Each name beside its own counter of a stack, where it hides nothing; the lens tells the others."""
        written: set[int] = set()
        for at in sorted(range(len(placed)), key=lambda at: _turn(at, placed)):
            item = placed[at]
            name, (rank, many) = item.face.name, item.rank
            if item.room or not is_named(item):
                continue
            ends = () if rank in (0, many - 1) else (at - rank, at - rank + many - 1)
            if not all(end in written or bears(placed[end]) for end in ends):  # it would be read as the whole stack's
                continue
            others = self._others(placed, item, _APART)
            tried = [
                (x, y, tall, box_at(x, y, _named_width(name, tall), tall))
                for tall in (size, 0.5 * (size + LEAST_NAME), LEAST_NAME)
                for x, y in beside(item, _named_width(name, tall), tall, last=tall == LEAST_NAME)
            ]
            free = [one for one in tried if not self._over(one[3]) and not any(overlap(one[3], o) for o in others)]
            opposed = self._opposed(placed, item)
            free = [one for one in free if not any(_read_with(one[3], item, other) for other in opposed)]
            if free:
                x, y, tall, box = min(free, key=lambda one: self._on_works(one[3]))
                self.take(box)
                written.add(at)
                yield name, x, y, tall

    def _opposed(self, placed: Iterable[Placed], item: Placed) -> list[Placed]:
        """The counters of the other side in a counter's own cell."""
        piece = self._position.piece(item.face.id)
        pieces = ((one, self._position.piece(one.face.id)) for one in placed)
        return [one for one, other in pieces if other.at == piece.at and other.side != piece.side]

    def take(self, box: Box, weight: float = _NAME) -> None:
        """A box that other labels leave free."""
        self._taken.append((box, weight))

    def covered(self, box: Box) -> float:
        """How much a box hides, weighed by what it is."""
        return self._over(box) + self._on_works(box)

    def _on_works(self, box: Box) -> float:
        return sum(overlap(box, other) for other in self._works) * _WORK

    def _over(self, box: Box) -> float:
        """How much a box hides of what is read."""
        left, top, right, bottom = self._frame
        beyond = max(0.0, left - box[0], top - box[1], box[2] - right, box[3] - bottom)
        return beyond * _BEYOND + sum(overlap(box, other) * weight for other, weight in self._taken)

    def edge(self, label: XY, centre: XY) -> XY:
        """Where a thread from a label to its cell ends: short of the counters there, whose values it would strike out.

        Args:
            label: its middle.
            centre: of the cell.
        """
        (x, y), (cx, cy), r = label, centre, self._view.radius
        stop = max(0.0, 1.0 - 0.6 * r / max(hypot(x - cx, y - cy), 0.6 * r))
        for box, weight in self._taken:
            middle = (box[0] + box[2]) / 2 - cx, (box[1] + box[3]) / 2 - cy
            met = entry(label, centre, box) if weight == _COUNTER and hypot(*middle) < r else None
            stop = min(stop, 1.0 if met is None else met)
        return x + (cx - x) * stop, y + (cy - y) * stop

    def hidden(self, box: Box) -> float:
        """Area of counters and unit names under a box, in square pixels."""
        return sum(overlap(box, other) for other, weight in self._taken if weight > _HEX)

    def place(self, spots: Sequence[XY], wide: float, tall: float, off: Sequence[Box] = ()) -> XY:
        """The first of some places where a label hides nothing, else the one where it hides least; then it is taken.

        Args:
            spots: middles of the label, the best first.
            wide, tall: of the label, in CSS pixels.
            off: what this label must not hide either.
        """
        best, least = spots[0], float("inf")
        for spot in spots:
            box = box_at(*spot, wide, tall)
            cost = self.covered(box) + sum(overlap(box, other) for other in off) * _NAME
            if cost < least:
                best, least = spot, cost
            if not cost:
                break
        self.take(box_at(*best, wide, tall))
        return best


def _turn(at: int, placed: Sequence[Placed]) -> tuple[bool, int, bool]:
    """When a counter of a stack is named: leaders after those whom they lead, one between others after these."""
    rank, many = placed[at].rank
    between = 0 < rank < many - 1
    last = at - rank + many - 1 if between else at
    return placed[last].face.kind == "leader", last, between


def _read_with(box: Box, item: Placed, other: Placed) -> bool:
    """Whether a name is read as another counter's: it is near it, and stands over or under more of it than of its own."""

    def across(one: Placed) -> float:
        return min(box[2], one.x + one.size / 2) - max(box[0], one.x - one.size / 2)

    reach = other.size + 2 * _APART
    return bool(overlap(box, box_at(other.x, other.y, reach, reach))) and across(other) > max(0.0, across(item))


def names_of(position: Position, view: View) -> _Names:
    """The names of units: of those alone in their cells, by id, line by line; of those in stacks. Then the letters of tiles.

    Args:
        position: the situation.
        view: how it lies on the page.
    """
    kept = _kept(position, view)
    if kept is None:
        room = Room(position, view)
        kept = room.alone, room.names, room.letters
    return kept


def _kept(position: Position, view: View) -> _Names | None:
    """The names of the board that was drawn last, when it is this one."""
    return next((names for one, at, names in _last if one is position and at == view), None)


def _crowded(position: Position) -> frozenset[str]:
    """The cells of so many units that their names hardly find room."""
    units = Counter(position.hex_of(piece.id) for piece in position.pieces)
    return frozenset(cell for cell, count in units.items() if cell and count >= _CROWD)


def _named_width(text: str, size: float) -> float:
    """Width that the name of a unit takes beside others, in CSS pixels."""
    return text_width(text, size, True) + 6


def _taken(position: Position, view: View, placed: Iterable[Placed]) -> Iterable[tuple[Box, float]]:
    """Counters, what they carry, how many stacks hold, what the ground and its markers say."""
    for box in _counters(placed, view):
        yield box, _COUNTER
    ground, marks = names_drawing(position, view, LIGHT, covered=cut_names(position, view, placed)), Drawing()
    said = [
        Shape("marker", kind, (cell,), position.grid.polygon(cell), value)
        for kind in sorted(WRITTEN & set(position.markers))
        for cell, value in position.markers[kind].items()
        if cell in position.grid
    ]
    for over in (False, True) if said else ():
        paint_markers(marks, legible(said, view), view, LIGHT, over=over)
    for drawing, aside in (
        (ground, _ASIDE),
        (marks, _ASIDE + _CLEAR),
    ):  # signs are large: a name beside one runs into it
        for word in drawing.shapes:
            if isinstance(word, Words):
                yield box_at(word.x, word.y, text_width(word.text, word.size, word.bold) + 2 * aside, word.size), _HEX


def _counters(placed: Iterable[Placed], view: View) -> Iterable[Box]:
    """Counters, what they carry, how many stacks hold."""
    for item in placed:
        if item.count:
            yield box_at(*item.count_at, 2 * count_size(view.radius), 2 * count_size(view.radius))
        yield box_at(item.x, item.y, item.size, item.size)
        for i in range(len(item.weapons)):
            yield box_at(*weapon_place(item, i), item.size * CARRIED, item.size * CARRIED)


def cut_names(position: Position, view: View, placed: Iterable[Placed] | None = None) -> frozenset[str]:
    """The hexes whose names counters would cut, on a board too small to bear every name: a part of one misleads.

    Args:
        position: the situation.
        view: how it lies on the page.
        placed: its counters, when they are known.
    """
    if not thins(view):
        return frozenset()
    counters = list(_counters(layout(position, view) if placed is None else placed, view))
    named = zip(thinned(view.grid.cells, view), name_boxes(view), strict=True)
    return frozenset(
        cell for cell, box in named if sum(overlap(box, one) for one in counters) > _CUT * overlap(box, box)
    )


def names_borne(position: Position, view: View) -> dict[str, Box]:
    """The hexes whose names the ground bears, with the boxes of their letters.

    Args:
        position: the situation.
        view: how it lies on the page.
    """
    cut = cut_names(position, view)
    named = zip(thinned(view.grid.cells, view), name_boxes(view), strict=True)
    return {cell: box for cell, box in named if cell not in cut}


def works(position: Position, view: View) -> Iterable[Box]:
    """What is drawn of wire, mines and other works, as boxes.

    Args:
        position: the situation.
        view: how it lies.
    """
    drawn = Drawing()
    built = [
        Shape("marker", kind, (cell,), position.grid.polygon(cell), value)
        for kind in sorted(WORKS & set(position.markers))
        for cell, value in position.markers[kind].items()
        if cell in position.grid
    ]
    paint_markers(drawn, built, view, LIGHT)
    for shape in drawn.shapes:
        if isinstance(shape, Polygons):
            for path in shape.paths:
                xs, ys = [x for x, _ in path], [y for _, y in path]
                yield min(xs), min(ys), max(xs), max(ys)
        elif isinstance(shape, Discs):
            yield from (box_at(x, y, 2 * radius, 2 * radius) for x, y, radius, _ in shape.items)


#: How far aside a label still stands in its cell, as a share of the radius.
_SHIFTED = 0.2


def round_cell(centre: XY, radius: float, wide: float) -> list[XY]:
    """Middles for a label of a cell: at its foot, at its head, a little aside, then beside what stands in it, lower first.

    Args:
        centre: of the cell, in CSS pixels.
        radius: of the cell, in CSS pixels.
        wide: of the label, in CSS pixels.

    >>> round_cell((0.0, 0.0), 50.0, 20.0)[:2]
    [(0.0, 31.0), (0.0, -31.0)]
    """
    x, y = centre
    spots = [(x + radius * aside, y + radius * up) for aside in (0.0, -_SHIFTED, _SHIFTED) for up in (FOOT, -FOOT)]
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
