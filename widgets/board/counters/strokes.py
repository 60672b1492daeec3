"""Pictures of counters as filled areas, thick lines and discs, in hundredths of a counter's side round its middle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from widgets.board.paint.shapes import XY, Drawing, circle

_TOKEN = re.compile(r"[MLHVCQZ]|-?\d+\.?\d*|-?\.\d+")
_PER_CURVE = 6
#: How many coordinates each command of path data takes.
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "Z": 0}


@dataclass(frozen=True, slots=True)
class Part:
    """Some paths of a picture that share one look.

    Args:
        paths: points, in hundredths of the counter's side.
        fill: role of the colour that fills them, None for lines alone.
        stroke: role of the colour of their line, None for areas alone.
        width: of the line.
        closed: whether the line ends where it began.
    """

    paths: tuple[tuple[XY, ...], ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    closed: bool = True


Picture = tuple[Part, ...]


@cache
def points(data: str) -> tuple[tuple[XY, ...], ...]:
    """The paths of SVG path data (absolute ``M L H V C Q Z``), their curves as short lines.

    >>> points("M0 0H10V5Z")
    (((0.0, 0.0), (10.0, 0.0), (10.0, 5.0)),)
    """
    tokens = _TOKEN.findall(data)
    paths: list[list[XY]] = []
    command, i = "M", 0
    while i < len(tokens):
        if tokens[i] in _TAKES:
            command, i = tokens[i], i + 1
        count = _TAKES[command]
        given = [float(token) for token in tokens[i : i + count]]
        i += count
        if command == "M":
            paths.append([(given[0], given[1])])
            command = "L"
        elif command != "Z":
            paths[-1] += _reach(paths[-1][-1], command, given)
    return tuple(tuple(path) for path in paths)


def _reach(start: XY, command: str, given: list[float]) -> list[XY]:
    """Points from where the pen is to where a command leads."""
    x, y = start
    if command == "H":
        return [(given[0], y)]
    if command == "V":
        return [(x, given[0])]
    corners = [start, *zip(given[::2], given[1::2], strict=True)]
    if len(corners) == 2:
        return corners[1:]
    return [_on_curve(corners, step / _PER_CURVE) for step in range(1, _PER_CURVE + 1)]


def _on_curve(corners: list[XY], t: float) -> XY:
    """A point of a Bézier curve: its corners drawn together until one is left."""
    while len(corners) > 1:
        corners = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(corners)]
    return corners[0]


def area(data: str, fill: str = "ink") -> Part:
    """A filled area."""
    return Part(points(data), fill=fill)


def limb(data: str, width: float, stroke: str = "ink") -> Part:
    """A thick line with round ends."""
    return Part(points(data), stroke=stroke, width=width, closed=False)


def inked(data: str, fill: str | None, width: float = 3.2) -> Part:
    """An area with a dark outline."""
    return Part(points(data), fill=fill, stroke="line", width=width)


def spot(x: float, y: float, radius: float, fill: str = "ink") -> Part:
    """A disc."""
    return Part((tuple(circle(x, y, radius, 14)),), fill=fill)


def ring(x: float, y: float, radius: float, width: float, stroke: str = "ink") -> Part:
    """A circle as a line."""
    return Part((tuple(circle(x, y, radius, 18)),), stroke=stroke, width=width)


def bar(left: float, top: float, width: float, height: float, rounding: float, fill: str = "ink") -> Part:
    """A rectangle with round corners."""
    right, foot, q = left + width, top + height, min(rounding, height / 2)
    return area(
        f"M{left + q} {top}H{right - q}Q{right} {top} {right} {top + q}V{foot - q}Q{right} {foot} {right - q} {foot}"
        f"H{left + q}Q{left} {foot} {left} {foot - q}V{top + q}Q{left} {top} {left + q} {top}Z",
        fill,
    )


def placed(picture: Iterable[Part], x: float, y: float, scale: float = 1.0, pale: bool = False) -> Picture:
    """A picture moved and scaled.

    Args:
        pale: it stands behind: what is ink in it is drawn paler.
    """

    def tone(role: str | None) -> str | None:
        return "pale" if pale and role == "ink" else role

    return tuple(
        replace(
            part,
            paths=tuple(tuple((x + px * scale, y + py * scale) for px, py in path) for path in part.paths),
            fill=tone(part.fill),
            stroke=tone(part.stroke),
            width=part.width * scale,
        )
        for part in picture
    )


def _joined(picture: Picture) -> Iterator[Part]:
    """The parts of a picture, those of one look that follow each other as one: a canvas draws them at once."""
    rest = list(picture)
    while rest:
        first, *others = rest
        same = [first]
        for part in others:
            if replace(part, paths=()) != replace(first, paths=()):
                break
            same.append(part)
        yield replace(first, paths=tuple(path for part in same for path in part.paths))
        rest = rest[len(same) :]


def ordered(picture: Picture) -> Picture:
    """A picture of one colour with its parts of one look together: pale ones first, then ink, then what lies on it.

    >>> [part.fill for part in ordered((spot(0, 0, 1), spot(1, 1, 1, "pale"), spot(2, 2, 1)))]
    ['pale', 'ink']
    """
    depth = {"pale": 0, "ink": 1}

    def key(part: Part) -> tuple[int, bool, float]:
        return depth.get(part.fill or part.stroke or "", 2), part.fill is None, part.width

    return tuple(_joined(tuple(sorted(picture, key=key))))


def paint(d: Drawing, picture: Picture, tones: Mapping[str, str]) -> None:
    """Draw a picture round the origin, a counter's side long.

    Args:
        tones: colour of each role.
    """
    with d.placed(0, 0, 0, 0.01):
        for part in picture:
            d.polygons(
                part.paths,
                fill=tones[part.fill] if part.fill else None,
                stroke=tones[part.stroke] if part.stroke else None,
                width=part.width,
                closed=part.closed,
            )
