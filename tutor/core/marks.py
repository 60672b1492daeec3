"""What a result draws: marks over a board, as immutable data; and results that draw themselves.

A result that has something of its own to show is ``Drawn``: it makes its marks from what it decided, and from the
question as it was asked. For any other, the places that its steps name are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tutor.core.drawing import Shape
from tutor.core.grid import Point
from tutor.core.position import Position
from tutor.core.result import Result
from tutor.core.trace import Place, Step

State = Literal["clear", "hindered", "blocked"]
Role = Literal["select", "reach", "good", "wrong", "clear", "hindered", "blocked", "olive"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Base of all marks."""


@dataclass(frozen=True, slots=True)
class LineOfSight(Mark):
    """A line of sight from centre to centre.

    Args:
        start, end: hex names.
        state: clear, hindered or blocked.
        hindrance: what it takes off, shown as « ≈ −2 ».
        sign: « + » where it adds to the dice.
        point: lattice point where it is decided; the line is dotted beyond it when blocked.
        rule: id of the deciding rule, written there.
        crossed: hexes it touches, tinted.
        touched: lattice outlines of the silhouettes that decide.
    """

    start: str
    end: str
    state: State = "clear"
    hindrance: int = 0
    point: tuple[float, float] | None = None
    rule: str | None = None
    crossed: tuple[str, ...] = ()
    touched: tuple[tuple[Point, ...], ...] = ()
    sign: str = "−"


@dataclass(frozen=True, slots=True)
class Selection(Mark):
    """Hexes a question speaks of; ``chosen``: those the reader answers with, in the order chosen."""

    hexes: tuple[str, ...]
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Cursor(Mark):
    """The keyboard cursor."""

    hex: str


@dataclass(frozen=True, slots=True)
class Tint(Mark):
    """Hexes lightly coloured, with a short text in each (``""``: none).

    Args:
        hexes: names.
        role: colour.
        texts: one for each hex, or empty.
    """

    hexes: tuple[str, ...]
    role: Role = "reach"
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corner(Mark):
    """A mark on the lower right corner of a square, where four of them meet."""

    hex: str


@dataclass(frozen=True, slots=True)
class Heat(Mark):
    """A value for each hex, from pale to dark.

    Args:
        values: (hex, number from 0 to 1, text written in it).
    """

    values: tuple[tuple[str, float, str], ...]


@dataclass(frozen=True, slots=True)
class Outline(Mark):
    """Places outlined: hexes, sides, pieces."""

    places: tuple[Place, ...]
    role: Role = "select"


@dataclass(frozen=True, slots=True)
class Note(Mark):
    """A short text at a hex."""

    hex: str
    text: str
    role: Role = "olive"


@dataclass(frozen=True, slots=True)
class Path(Mark):
    """A way from hex to hex, with an arrow at its end; dashed and without one where the rules refuse it."""

    hexes: tuple[str, ...]
    role: Role = "olive"
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Fire(Mark):
    """Arrows from firing hexes to a target hex; dashed lines where the rules refuse the fire."""

    starts: tuple[str, ...]
    target: str
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Rays(Mark):
    """The rays of a hex, and how many lie between those who fire at it.

    Args:
        target: hex.
        directions: lattice directions from its centre, in turning order.
        starts: firing hexes.
        counted: indices of the rays between the two lines of ``best``.
        best: the pair that counts.
        holds: whether they are enough.
        note: what is written at the target.
    """

    target: str
    directions: tuple[Point, ...]
    starts: tuple[str, ...] = ()
    counted: tuple[int, ...] = ()
    best: tuple[str, str] | None = None
    holds: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was asked, for whoever draws its answer.

    Args:
        position: the situation.
        given: its declaration.
        computed: whether it was answered, not refused.
        shapes: what the board shows, to outline the silhouettes that decide.
    """

    position: Position
    given: Mapping[str, Any]
    computed: bool = True
    shapes: tuple[Shape, ...] = ()


class Drawn:
    """A result that draws itself."""

    __slots__ = ()

    def drawing(self, asked: Asked) -> tuple[Mark, ...]:
        """The marks of this result; none leaves it to the places that its steps name."""
        return ()

    def seen(self) -> Seen | None:
        """What it comes to as a line of sight; None when it is none."""
        return None

    def from_side(self) -> SideLine | None:
        """The line of sight seen from the side; None when the game does not judge it so."""
        return None


@dataclass(frozen=True, slots=True)
class SidePoint:
    """A place under a line of sight seen from the side.

    Args:
        cell: hex, or the name a reader gave.
        x: hexes from the start.
        base, altitude: ground and top in metres.
        line: height of the sight line there.
        feature: what stands on the ground.
        margin: metres under the line, negative above it.
        blocks: whether it stops the line.
    """

    cell: str
    x: float
    base: float
    altitude: float
    line: float
    feature: str | None
    margin: float
    blocks: bool


@dataclass(frozen=True, slots=True)
class SideLine:
    """A line of sight seen from the side.

    Args:
        start, end: altitudes of the ends in metres.
        distance: hexes between them.
        points: places under it, from the start.
        tightest: index of the one nearest to the line, or None.
        visible: whether nothing stops it.
        rule: id of the rule that does, or None.
        smoke: hexes whose smoke does.
        cells: whether its ends are the cells declared as ``start`` and ``end``, not altitudes alone.
    """

    start: int
    end: int
    distance: int
    points: tuple[SidePoint, ...]
    tightest: int | None
    visible: bool
    rule: str | None = None
    smoke: tuple[str, ...] = ()
    cells: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What a line of sight comes to, in the words that all games share.

    Args:
        state: clear, hindered or blocked.
        rule: id of the rule that decides, None when nothing does.
        hindrance: what it takes off, or, with the sign « + », adds to the dice.
        sign: that.
        place: where it is decided.
        point: the lattice point of that.
        crossed: hexes between the ends.
        acting: hexes and sides that block it, or hinder it.
        via: hexes that it goes through, where it follows hexes rather than a straight line.
    """

    state: State
    rule: str | None
    hindrance: int = 0
    sign: str = "−"
    place: Place | None = None
    point: tuple[float, float] | None = None
    crossed: tuple[str, ...] = ()
    acting: tuple[str, ...] = ()
    via: tuple[str, ...] = ()


def state_of(visible: bool, hindered: object = False) -> State:
    """The state of a line of sight.

    >>> state_of(True), state_of(True, 2), state_of(False, 2)
    ('clear', 'hindered', 'blocked')
    """
    return "blocked" if not visible else "hindered" if hindered else "clear"


#: Markers that a board shows and that no line of sight meets.
_UNMET = ("objective", "fortification", "lit", "illum")


def sight(seen: Seen, start: str, end: str, position: Position, shapes: Iterable[Shape] = ()) -> tuple[Mark, ...]:
    """The marks of a line of sight between two cells, with the silhouettes that decide it."""
    if seen.via:
        return Tint(seen.via, "clear"), Path((start, *seen.via, end), "clear")
    names = {*seen.acting, *([seen.place.ref] if seen.place else [])}
    touched = tuple(
        s.points
        for s in shapes
        if (s.layer in ("area", "marker") and s.kind not in _UNMET and names & set(s.cells))
        or (s.layer == "side" and "/".join(s.cells) in names)
    )
    point = seen.point
    if seen.state == "blocked" and point is None and seen.place is not None and seen.place.kind == "hex":
        point = nearest(position, start, end, seen.place.ref)
    return (LineOfSight(start, end, seen.state, seen.hindrance, point, seen.rule, seen.crossed, touched, seen.sign),)


def way(cells: Iterable[str], role: Role = "olive") -> Path:
    """A way through cells; what is empty is left out."""
    return Path(tuple(cell for cell in cells if cell), role)


class Sighting(Drawn):
    """A result that is a line of sight between the cells declared as ``start`` and ``end``."""

    __slots__ = ()

    def drawing(self, asked: Asked) -> tuple[Mark, ...]:
        """The line, from one end to the other."""
        seen, start, end = self.seen(), asked.given.get("start"), asked.given.get("end")
        if seen is None or start is None or end is None:
            return ()
        return sight(seen, start, end, asked.position, asked.shapes)


def nearest(position: Position, start: str, end: str, cell: str) -> tuple[float, float]:
    """The point of a line between two centres that is nearest to the centre of another cell, in lattice units.

    >>> from tutor.core.registry import load_position
    >>> nearest(load_position("tcs", "tir-croise"), "05.02", "05.06", "06.03")
    (300.0, 140.0)
    """
    grid = position.grid
    (ax, ay), (bx, by), (cx, cy) = grid.centre(start), grid.centre(end), grid.centre(cell)
    ux, uy = grid.plane((1, 0))[0], grid.plane((0, 1))[1]
    dx, dy = (bx - ax) * ux, (by - ay) * uy
    t = ((cx - ax) * ux * dx + (cy - ay) * uy * dy) / ((dx * dx + dy * dy) or 1.0)
    t = min(1.0, max(0.0, t))
    return round(ax + (bx - ax) * t, 1), round(ay + (by - ay) * t, 1)


def drawing(result: Result[Any], asked: Asked) -> tuple[Mark, ...]:
    """The marks of a result: its own, else the cells that it consists of, its lines of fire,
    or the places its steps name.
    """
    if isinstance(result.value, Drawn) and (own := result.value.drawing(asked)):
        return own
    if asked.computed and (cells := _cells(result.value, asked.position)):
        return (Tint(cells, "reach"),)
    places = [place for step in result.trace.walk() for place in step.where]
    starts: dict[str, dict[str, None]] = {}
    for place in places:
        if place.kind == "segment":
            start, _, end = place.ref.partition(">")
            starts.setdefault(end, {})[start] = None
    if starts:
        return tuple(Fire(tuple(cells), target) for target, cells in starts.items())
    hexes = tuple(dict.fromkeys(place.ref for place in places if place.kind == "hex"))
    return (Tint(hexes, "select"),) if hexes else ()


def _cells(value: Any, position: Position) -> tuple[str, ...]:
    """The cells a result consists of, ``C2>D2`` standing for one laid over both; nothing when it is something else."""
    if not isinstance(value, tuple) or not all(isinstance(one, str) for one in value):
        return ()
    return value if all(part in position.grid for one in value for part in one.split(">")) else ()


def places_of(step: Step) -> tuple[Place, ...]:
    """Places of a step, or of the steps it is made of when it names none."""
    return step.where or tuple(dict.fromkeys(place for child in step.walk() for place in child.where))
