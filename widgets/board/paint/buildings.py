"""Ground plans on square boards: floors, ruins, rubble, craters; what stands on an edge;
rooms, half-squares, arrows, stairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan2, cos, degrees, hypot, pi, sin
from random import Random

from tutor.core.drawing import Shape
from widgets.board.paint.shapes import Drawing, View, along, rounded
from widgets.board.palette import Palette

#: Kind of ground -> fill, outline and dashes, by role.
PLAN_STYLE: dict[str, tuple[str, str, tuple[float, ...]]] = {
    "floor": ("building", "building_line", ()),
    "ruin": ("building", "building_line", (4, 3)),
    "rubble": ("gully", "gully_line", (2, 4)),
    "crater": ("ground", "mesh", ()),
    "river": ("water", "water_line", ()),
    "unstable": ("marsh", "water_line", (2, 4)),
}


def _corners(shape: Shape, view: View) -> tuple[float, float, float, float]:
    path = view.path(shape.points)
    xs, ys = [x for x, _ in path], [y for _, y in path]
    return min(xs), min(ys), max(xs), max(ys)


def _random(shape: Shape) -> Random:
    return Random(f"{shape.kind}{shape.cells}")


def floor(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Planks of an intact floor."""
    x0, y0, x1, y1 = _corners(shape, view)
    step = (y1 - y0) / 7
    planks = [[(x0, y0 + i * step), (x1, y0 + i * step)] for i in range(1, 7)]
    width = x1 - x0
    ends = [
        [
            (x0 + width * (0.3 if i % 2 else 0.7), y0 + i * step),
            (x0 + width * (0.3 if i % 2 else 0.7), y0 + (i + 1) * step),
        ]
        for i in range(7)
    ]
    d.lines(planks + ends, colours.building_line, max(0.5, view.radius / 70), alpha=0.35)


def debris(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Blocks of stone, with broken tiles in a ruin."""
    rng, r = _random(shape), view.radius
    x0, y0, x1, y1 = _corners(shape, view)
    ruin = shape.kind == "ruin"
    for _ in range(28):
        x, y = rng.uniform(x0 + r * 0.12, x1 - r * 0.12), rng.uniform(y0 + r * 0.12, y1 - r * 0.12)
        size, turn = r * rng.uniform(0.05, 0.13), rng.uniform(0, 180)
        fill = rng.choice((colours.stone, colours.roof_grey, colours.roof if ruin else colours.stone))
        with d.placed(x, y, turn):
            block = [(-size, -size * 0.7), (size * 0.8, -size * 0.6), (size, size * 0.5), (-size * 0.7, size * 0.7)]
            d.polygon(block, fill=fill, stroke=colours.stone_line, width=max(0.5, r / 60))


def crater(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """A hole with its rim of thrown earth."""
    x0, y0, x1, y1 = _corners(shape, view)
    x, y, r = (x0 + x1) / 2, (y0 + y1) / 2, view.radius
    rays = [
        [
            (x + cos(a) * r * 0.66, y + sin(a) * r * 0.66),
            (x + cos(a) * r * (0.82 + 0.08 * (i % 2)), y + sin(a) * r * (0.82 + 0.08 * (i % 2))),
        ]
        for i, a in enumerate(2 * pi * k / 18 for k in range(18))
    ]
    d.lines(rays, colours.gully_line, max(0.8, r / 40))
    d.disc(x, y, r * 0.64, colours.gully)
    d.ring(x, y, r * 0.64, colours.gully_line, max(1.0, r / 30))
    d.disc(x + r * 0.04, y + r * 0.05, r * 0.44, colours.earth, alpha=0.75)


def waves(d: Drawing, shape: Shape, view: View, colours: Palette) -> None:
    """Running water, or puddles on unstable ground."""
    x0, y0, x1, y1 = _corners(shape, view)
    r, n = view.radius, 12
    river = shape.kind == "river"
    for i in range(1, 7 if river else 5):
        y = y0 + (y1 - y0) * i / (7 if river else 5)
        left, right = (x0, x1) if river else (x0 + r * (0.2 + 0.3 * (i % 2)), x1 - r * (0.5 - 0.3 * (i % 2)))
        wave = [(left + (right - left) * k / n, y + r * 0.025 * (1 if k % 2 else -1)) for k in range(n + 1)]
        d.line(*wave, stroke=colours.water_line, width=max(0.8, r / 45), alpha=0.75)


PLAN_TEXTURES: dict[str, Callable[[Drawing, Shape, View, Palette], None]] = {
    "floor": floor,
    "ruin": debris,
    "rubble": debris,
    "crater": crater,
    "river": waves,
    "unstable": waves,
}


# --- edges -----------------------------------------------------------------------------------------------------------
# Each is drawn along the x axis, from -1 to 1, edge centre at the origin, in half-squares.


def _masonry(d: Drawing, colours: Palette, spans: Sequence[tuple[float, float]] = ((-1.0, 1.0),)) -> None:
    for a, b in spans:
        d.line((a, 0), (b, 0), stroke=colours.stone_line, width=0.17)
        d.line((a, 0), (b, 0), stroke=colours.stone, width=0.11)
    joints = [[(x, -0.055), (x, 0.055)] for a, b in spans for x, _, _, _ in along((a, 0), (b, 0), 0.19)]
    d.lines(joints, colours.stone_line, 0.018)


_GAP = ((-1.0, -0.42), (0.42, 1.0))


def _low_wall(d: Drawing, colours: Palette) -> None:
    stones = [(x, 0.02 * (1 if i % 2 else -1)) for i, (x, *_) in enumerate(along((-1, 0), (1, 0), 0.17))]
    d.discs([(x, y, 0.095, colours.stone_line) for x, y in stones])
    d.discs([(x, y, 0.07, colours.stone) for x, y in stones])


def _elevation(d: Drawing, colours: Palette) -> None:
    d.line((-1, 0), (1, 0), stroke=colours.crest, width=0.06)
    d.lines([[(x, 0), (x, 0.14)] for x, *_ in along((-1, 0), (1, 0), 0.16)], colours.crest, 0.03)


def _dominant_line(d: Drawing, colours: Palette) -> None:
    for y in (-0.06, 0.06):
        d.line((-1, y), (1, y), stroke=colours.crest, width=0.06)
    d.lines([[(x, 0.06), (x + 0.05, 0.22)] for x, *_ in along((-1, 0), (1, 0), 0.16)], colours.crest, 0.04)


def _wall(d: Drawing, colours: Palette) -> None:
    _masonry(d, colours)


def _room_wall(d: Drawing, colours: Palette) -> None:
    d.line((-1, 0), (1, 0), stroke=colours.halo, width=0.19)
    d.line((-1, 0), (1, 0), stroke=colours.broken, width=0.12)


def _circle_wall(d: Drawing, colours: Palette) -> None:
    d.line((-1, 0), (1, 0), stroke=colours.broken, width=0.1, dash=(0.14, 0.12))


def _window(d: Drawing, colours: Palette) -> None:
    _masonry(d, colours, _GAP)
    d.polygon(
        [(-0.42, -0.09), (0.42, -0.09), (0.42, 0.09), (-0.42, 0.09)],
        fill=colours.water,
        stroke=colours.stone_line,
        width=0.03,
    )
    d.line((0, -0.09), (0, 0.09), stroke=colours.stone_line, width=0.03)


def _opening(d: Drawing, colours: Palette) -> None:
    _masonry(d, colours, _GAP)
    arrow = [(-0.11, -0.13), (-0.11, 0.13), (-0.25, 0.13), (0, 0.38), (0.25, 0.13), (0.11, 0.13)]
    arrow += [(0.11, -0.13), (0.25, -0.13), (0, -0.38), (-0.25, -0.13)]
    d.polygon(arrow, fill=colours.counter_white, stroke=colours.counter_ink, width=0.035)


def _door(d: Drawing, colours: Palette) -> None:
    _masonry(d, colours, _GAP)
    d.line((-0.4, 0), (0.22, 0.42), stroke=colours.fence, width=0.08)
    d.lines([[(0.22, 0.42), (0.34, 0.24), (0.4, 0.04)]], colours.fence, 0.025, dash=(0.06, 0.05))


def _embrasure(d: Drawing, colours: Palette) -> None:
    _masonry(d, colours)
    d.line((-0.3, 0), (0.3, 0), stroke=colours.counter_ink, width=0.07)


def _breach(d: Drawing, colours: Palette, points: int) -> None:
    half = 0.28 if points == 1 else 0.5
    _masonry(d, colours, ((-1.0, -half), (half, 1.0)))
    for sign in (-1, 1):
        jag = [
            (sign * half, -0.13),
            (sign * (half - 0.13), -0.03),
            (sign * (half - 0.02), 0.03),
            (sign * (half - 0.1), 0.13),
        ]
        d.lines([jag], colours.stone_line, 0.045)
    d.discs([(x, y, 0.045, colours.stone_line) for x, y in ((-0.08, 0.2), (0.1, 0.26), (0.02, -0.22))])


_EDGES: dict[str, Callable[[Drawing, Palette], None]] = {
    "low_wall": _low_wall,
    "elevation_line": _elevation,
    "dominant_line": _dominant_line,
    "wall": _wall,
    "room_wall": _room_wall,
    "circle_wall": _circle_wall,
    "window": _window,
    "opening": _opening,
    "door": _door,
    "embrasure": _embrasure,
    "breach_1": lambda d, colours: _breach(d, colours, 1),
    "breach_2": lambda d, colours: _breach(d, colours, 2),
}


def paint_edge(d: Drawing, side: Shape, view: View, colours: Palette) -> bool:
    """Paint what stands on the edge of two squares; False when this module does not know it."""
    draw = _EDGES.get(side.kind)
    if draw is None:
        return False
    a, b = view.px(side.points[0]), view.px(side.points[-1])
    with d.placed(
        (a[0] + b[0]) / 2,
        (a[1] + b[1]) / 2,
        degrees(atan2(b[1] - a[1], b[0] - a[0])),
        hypot(b[0] - a[0], b[1] - a[1]) / 2,
    ):
        draw(d, colours)
    return True


# --- markers: drawn round the centre of their square, a half-square is 1 ----------------------------------------------


def _height(d: Drawing, marker: Shape, colours: Palette) -> None:
    for inset, alpha in ((0.06, 0.9), (0.15, 0.5)):
        side = 2 - 2 * inset
        d.polygon(rounded(inset - 1, inset - 1, side, side, 0.2), stroke=colours.crest, width=0.045, alpha=alpha)
    d.polygon([(0.62, 0.86), (0.92, 0.86), (0.77, 0.58)], fill=colours.crest)


def _room(d: Drawing, marker: Shape, colours: Palette) -> None:
    d.text(f"pièce {marker.value}", 0, 0.84, ROOM_WORDS, colours.label, halo=colours.halo)


def _half(d: Drawing, marker: Shape, colours: Palette) -> None:
    d.lines(
        [[(-1, y), (y, -1)] for y in (-0.5, 0.0, 0.5)] + [[(y, 1), (1, y)] for y in (-0.5, 0.0, 0.5)],
        colours.mesh,
        0.03,
    )
    d.text("½", 0.72, 0.74, 0.36, colours.crest, bold=True, halo=colours.halo)


def _shifted(d: Drawing, marker: Shape, colours: Palette) -> None:
    box = rounded(0.07, -0.93, 1.86, 1.86, 0.08)
    d.polygon(box, stroke=colours.olive, width=0.05, dash=(0.16, 0.1))


def _stairs(d: Drawing, marker: Shape, colours: Palette) -> None:
    steps = [
        (0.5, -0.4),
        (0.5, -0.56),
        (0.62, -0.56),
        (0.62, -0.7),
        (0.74, -0.7),
        (0.74, -0.84),
        (0.88, -0.84),
        (0.88, -0.4),
    ]
    d.polygon(steps, fill=colours.stone, stroke=colours.stone_line, width=0.04)


def _red_dot(d: Drawing, marker: Shape, colours: Palette) -> None:
    d.disc(-0.74, 0.74, 0.13, colours.broken)
    d.ring(-0.74, 0.74, 0.13, colours.counter_white, 0.035)


def _blue_arrow(d: Drawing, marker: Shape, colours: Palette) -> None:
    with d.placed(0, 0, 90 * (int(str(marker.value)) - 1)):
        arrow = [
            (-0.7, -0.62),
            (-0.7, -1.12),
            (-0.82, -1.12),
            (-0.62, -1.4),
            (-0.42, -1.12),
            (-0.54, -1.12),
            (-0.54, -0.62),
        ]
        d.polygon(arrow, fill=colours.clear, stroke=colours.counter_white, width=0.04)


def _nothing(d: Drawing, marker: Shape, colours: Palette) -> None:
    """An element's number orders the board; its terrain, and a ruined half, are drawn already."""


#: Size of the words of a room, in halves of a square.
ROOM_WORDS = 0.21
#: Of these, what the picture of a ground shows too; of rooms and half-squares, all but what is written. Arrows are
#: drawn with the board: no tint lies over what one is asked about.
PRINTED = frozenset({"dominant", "shifted", "stairs", "red_dot"})
PLAN_MARKERS: dict[str, Callable[[Drawing, Shape, Palette], None]] = {
    "dominant": _height,
    "element": _nothing,
    "ruined_half": _nothing,
    "room": _room,
    "half": _half,
    "shifted": _shifted,
    "stairs": _stairs,
    "red_dot": _red_dot,
    "blue_arrow": _blue_arrow,
}
