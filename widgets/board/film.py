"""The proof as a film: what the board lays down as each step is read, sent once and played by the page's own script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from math import hypot, inf
from typing import Any

from tutor.core.grid import Grid
from tutor.core.phrases import number, signed
from tutor.core.position import Position
from tutor.core.registry import Game, game
from tutor.core.trace import Step
from widgets.board.counters.layout import Placed, layout
from widgets.board.counters.names import Box
from widgets.board.layers import Fire, Layer, LineOfSight, Path, Rays, places_of
from widgets.board.paint.placement import box_at, names_borne, overlap
from widgets.board.paint.places import place_hexes, place_paths
from widgets.board.paint.shapes import XY, View
from widgets.board.paint.svg_writer import path_data

#: Milliseconds of a whole film, and of one of its moments, at most.
WHOLE, LONGEST = 7_200, 1_100
#: Hexes that are counted one by one at most.
COUNTED = 12
#: Hex radii from the centre of a hex to where a line begins beside its counter.
BESIDE = 0.62
#: Height of a pin, in heights of its letters.
_TALL = 1.6


@dataclass(frozen=True)
class Pin:
    """A few letters at a place of the board.

    Args:
        x, y: pixels of the board.
        text: a number, signed where it adds to something.
        stays: when the next step is read, too.
    """

    x: float
    y: float
    text: str
    stays: bool = True


@dataclass(frozen=True)
class Moment:
    """What a step lays down.

    Args:
        outline: of its places, as SVG path data; "" of none.
        tip: how far the lines have grown when it is read, from 0 to 1.
        pins: what drops in with it.
    """

    outline: str
    tip: float
    pins: tuple[Pin, ...] = ()


@dataclass(frozen=True)
class Film:
    """A proof, moment by moment.

    Args:
        view: how the board lay on the page (see ``View.seen``).
        lines: ways that grow, each as points; those of one film grow together.
        moments: one for each step on screen, in order.
        milliseconds: of each moment.
        letters: height of the pins' letters.
    """

    view: tuple[float, ...]
    lines: tuple[tuple[XY, ...], ...]
    moments: tuple[Moment, ...]
    milliseconds: int
    letters: float

    def as_json(self) -> dict[str, Any]:
        """The film for the page."""
        return asdict(self)


def film(steps: Sequence[Step], layers: Iterable[Layer], position: Position, view: View) -> Film | None:
    """The film of a proof; None where nothing of it has a place on the board.

    Args:
        steps: those on screen, in order.
        layers: what the board shows in the end.
        position: where it was asked.
        view: how the board lies on the page.

    >>> from tutor import ask, load_position
    >>> from widgets.board.layers import layers_for
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> result = ask(place, "los", start="J9", end="K6")
    >>> shown = film(result.trace.children, layers_for(result, place), place, View(place.grid, 30.0))
    >>> len(shown.lines), shown.moments[-1].tip
    (1, 1.0)
    """
    lines = tuple(_drawn(way, view) for way in _ways(layers, position, view))
    tips = _tips(steps, lines, position, view)
    end = lines[0][-1] if lines else None
    letters = round(max(11.0, min(17.0, view.radius * 0.36)), 1)
    taken: Counter[XY] = Counter()
    board = _Board(position, view)
    moments = tuple(
        Moment(_outline(step, position, view), tip, tuple(_pins(step, board, end, taken, letters)))
        for step, tip in zip(steps, tips, strict=True)
    )
    if not moments or not (lines or any(moment.outline for moment in moments)):
        return None
    pause = min(LONGEST, WHOLE // len(moments))
    return Film(view.seen, lines, moments, pause, letters)


def _drawn(way: Iterable[XY], view: View) -> tuple[XY, ...]:
    return tuple((round(x, 1), round(y, 1)) for x, y in way)


def _ways(layers: Iterable[Layer], position: Position, view: View) -> Iterable[list[XY]]:
    """The lines that a result draws, each from where it begins to where it is decided, not over the counters there."""
    occupied = {position.hex_of(piece.id) for piece in position.pieces}

    def straight(start: str, end: str) -> list[XY]:
        (ax, ay), (bx, by) = view.centre(start), view.centre(end)
        length = hypot(bx - ax, by - ay) or 1.0
        first, last = (view.radius * BESIDE / length if cell in occupied else 0.0 for cell in (start, end))
        return [(ax + (bx - ax) * part, ay + (by - ay) * part) for part in (first, 1 - last)]

    for layer in layers:
        if isinstance(layer, LineOfSight):
            start, end = straight(layer.start, layer.end)
            yield [start, view.px(layer.point) if layer.state == "blocked" and layer.point else end]
        elif isinstance(layer, Path) and len(layer.hexes) > 1:
            yield [view.centre(hex_) for hex_ in layer.hexes]
        elif isinstance(layer, (Fire, Rays)):
            yield from (straight(start, layer.target) for start in layer.starts)


def _outline(step: Step, position: Position, view: View) -> str:
    closed, lines = place_paths(places_of(step), position, view)
    return path_data(closed) + path_data(lines, closed=False)


def _tips(steps: Sequence[Step], lines: Sequence[Sequence[XY]], position: Position, view: View) -> list[float]:
    """How far the lines have come at each step: to its places, else a little farther; to the end with the last."""
    tips, reached = [], 0.0
    for at, step in enumerate(steps, 1):
        cells = place_hexes(places_of(step), position)
        near = [_along(lines[0], view.centre(cell)) for cell in cells if cell in position.grid] if lines else []
        reached = max(reached, max(near, default=at / len(steps)))
        tips.append(1.0 if at == len(steps) else round(min(reached, 1.0), 3))
    return tips


def _along(way: Sequence[XY], point: XY) -> float:
    """Part of a way that lies before its place nearest to a point."""
    before, best = 0.0, (float("inf"), 0.0)
    for (ax, ay), (bx, by) in pairwise(way):
        length = hypot(bx - ax, by - ay) or 1.0
        part = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length**2
        part = min(1.0, max(0.0, part))
        away = hypot(point[0] - ax - part * (bx - ax), point[1] - ay - part * (by - ay))
        best = min(best, (away, before + part * length))
        before += length
    return best[1] / (before or 1.0)


class _Board:
    """What lies on a board, looked for once, when the first pin is laid."""

    def __init__(self, position: Position, view: View) -> None:
        self.position, self.view = position, view

    @cached_property
    def counters(self) -> Sequence[Placed]:
        return layout(self.position, self.view)

    @cached_property
    def read(self) -> Sequence[Box]:
        """Names of hexes, and counters."""
        counters = (box_at(one.x, one.y, one.size, one.size) for one in self.counters)
        return [*names_borne(self.position, self.view).values(), *counters]


def _pins(step: Step, board: _Board, end: XY | None, taken: Counter[XY], letters: float) -> Iterable[Pin]:
    """Hexes counted one by one, or the number that a step gives: at its place, else where the lines end; a pin that
    stays has the next one above it.
    """
    position, view = board.position, board.view
    cells = [cell for cell in place_hexes(places_of(step), position) if cell in position.grid]
    counted = _counted(step, cells, position.grid, view)
    if counted:
        yield from (Pin(*_round(view.centre(cell)), str(at)) for at, cell in enumerate(counted, 1))
        return
    text = _amount(step, game(position.game))
    place = view.centre(cells[-1]) if cells else end
    if text and place:
        x, y = _spot(place, cells[-1:], board, letters * (1 + 0.56 * len(text)), _TALL * letters)
        yield Pin(*_round((x, y - 1.7 * letters * taken[place])), text, bool(cells))
        taken[place] += bool(cells)


def _spot(place: XY, cells: Sequence[str], board: _Board, wide: float, tall: float) -> XY:
    """Middle of a pin of some cells: over their counters, whose values are read; where it hides a name of a hex there or
    another counter, beside them, if it hides none.
    """
    x, y = place
    own = [one for one in board.counters if board.position.hex_of(one.face.id) in cells]
    top = min((one.y - one.size / 2 for one in own), default=inf)
    spots = [(x, min(y - board.view.radius * 0.55, top - tall / 2))]
    if own:
        left, right = min(one.x - one.size / 2 for one in own), max(one.x + one.size / 2 for one in own)
        spots += [(right + wide / 2, top + tall / 2), (left - wide / 2, top + tall / 2), (right + wide / 2, y)]
    free = (
        spot
        for spot in spots
        if wide / 2 <= spot[0] <= board.view.width - wide / 2
        and not any(overlap(box_at(*spot, wide, tall), box) > 1 for box in board.read)
    )
    return next(free, spots[0])


def _round(point: XY) -> XY:
    return round(point[0], 1), round(point[1], 1)


def _counted(step: Step, cells: Sequence[str], grid: Grid, view: View) -> list[str]:
    """The hexes from one end to the other, the first not counted, when a step counts them."""
    if len(cells) < 2 or not (step.unit or "").startswith("hex") or not isinstance(step.value, int):
        return []
    start, end = cells[0], cells[-1]
    if not 1 <= step.value <= COUNTED or grid.distance(start, end) != step.value:
        return []
    way, line = [start], (view.centre(start), view.centre(end))
    while way[-1] != end:
        left = grid.distance(way[-1], end)
        nearer = [cell for cell in grid.neighbours(way[-1]) if grid.distance(cell, end) < left]
        way.append(min(nearer, key=lambda cell: _away(line, view.centre(cell))))
    return way[1:]


def _away(line: tuple[XY, XY], point: XY) -> float:
    (ax, ay), (bx, by) = line
    return abs((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax))


def _amount(step: Step, rules: Game) -> str:
    """A number that a step adds to something, signed; a plain one where it gives a value of the board."""
    value = step.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value or step.kind == "input":
        return ""
    if "{value:+}" in rules.phrases.templates.get(step.code, ""):
        return signed(value)
    return number(value) if step.kind in ("table", "compute") else ""
