"""What is decided by a hair, seen closer: where a line only just touches the drawing of a hex, or only just misses it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot

from tutor.core.drawing import Shape
from tutor.core.grid import Point
from tutor.core.marks import LineOfSight, Mark
from tutor.core.position import Position
from widgets.board.paint.shapes import XY, View

#: Lattice units, of which the height of a hex has forty, within which the eye does not decide.
HAIR = 1.5
#: What is seen on each side of the place, in radii of a hex.
REACH = 0.11


@dataclass(frozen=True)
class CloseUp:
    """A place where a line and a drawing nearly meet.

    Args:
        cell: hex of the drawing.
        at: lattice point of the drawing that is nearest to the line, or deepest on its short side.
        away: lattice units between them; below 0, how far the drawing goes over the line.
        drawn: outlines of the drawings around.
        line: its two ends.
    """

    cell: str
    at: Point
    away: float
    drawn: tuple[tuple[Point, ...], ...]
    line: tuple[Point, Point]

    @property
    def touches(self) -> bool:
        """Whether the line touches the drawing."""
        return self.away <= 0

    def svg(self, view: View) -> str:
        """The picture: drawings, then the line.

        Args:
            view: how the board lies on the page, for its angles.
        """
        (x, y), (a, b), reach = view.px(self.at), map(view.px, self.line), REACH * view.radius
        areas = "".join(f'<polygon points="{_points(view.path(points))}"/>' for points in self.drawn)
        box = f"{x - reach:.2f} {y - reach:.2f} {2 * reach:.2f} {2 * reach:.2f}"
        return f'<svg viewBox="{box}" aria-hidden="true">{areas}<polyline points="{_points((a, b))}"/></svg>'


def _points(path: Iterable[XY]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in path)


def closeup(layers: Iterable[Mark], position: Position, shapes: Sequence[Shape]) -> CloseUp | None:
    """The place that decides a line of sight by a hair; None where the eye decides, or where several lines are drawn.

    Args:
        layers: what a result draws.
        position: where it was asked.
        shapes: what is drawn there.

    >>> from tutor import ask, load_position
    >>> from tutor.core.registry import game
    >>> place = load_position("combat_commander", "ldv-lisiere")
    >>> rules = game("combat_commander")
    >>> sight = rules.drawing(ask(place, "los", start="C5", end="F2"), place, rules.shapes(place))
    >>> closeup(sight, place, rules.shapes(place)) is None  # E3 stops it, well before D3 is missed by a hair
    True
    """
    lines = [layer for layer in layers if isinstance(layer, LineOfSight)]
    if len(lines) != 1:
        return None
    sight = lines[0]
    ends = position.grid.centre(sight.start), position.grid.centre(sight.end)
    crossed = set(sight.crossed) - {sight.start, sight.end}
    areas = [shape for shape in shapes if shape.layer == "area" and crossed.intersection(shape.cells)]
    nearest = [_nearest(shape, ends) for shape in areas]
    blocked = sight.state == "blocked"
    met = [one for one in nearest if one[0] <= 0]
    if blocked and (len(met) != 1 or met[0][0] < -HAIR):  # two drawings that a line parts stop it together
        return None
    near = met if blocked else [one for one in nearest if 0 < one[0] < HAIR]
    if not near:
        return None
    away, at, cell = min(near, key=lambda one: abs(one[0]))
    drawn = tuple(shape.points for shape in shapes if shape.layer == "area")
    around = tuple(points for points in drawn if any(hypot(px - at[0], py - at[1]) < 60 for px, py in points))
    return CloseUp(cell, at, away, around, ends)


def _nearest(shape: Shape, ends: tuple[Point, Point]) -> tuple[float, Point, str]:
    """How far a drawing is from a line, and where; below 0, how far it goes over it on its short side."""
    (ax, ay), (bx, by) = ends
    length = hypot(bx - ax, by - ay)
    sides = [(((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length, (x, y)) for x, y in shape.points]
    left, right = max(sides), min(sides)
    if right[0] > 0 or left[0] < 0:
        away, at = right if right[0] > 0 else (-left[0], left[1])
        return away, at, shape.cells[0]
    away, at = (left[0], left[1]) if left[0] < -right[0] else (-right[0], right[1])
    return -away, at, shape.cells[0]
