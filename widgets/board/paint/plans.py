"""What the tiles of square boards say in their squares: floors, rooms, half-squares, arrows, stairs."""

from __future__ import annotations

from collections.abc import Callable

from tutor.core.drawing import Shape
from widgets.board.paint.shapes import Drawing, rounded
from widgets.board.palette import Palette

# Each is drawn round the centre of its square; a half-square is 1.


def _height(d: Drawing, marker: Shape, colours: Palette) -> None:
    for inset, alpha in ((0.06, 0.9), (0.15, 0.5)):
        side = 2 - 2 * inset
        d.polygon(rounded(inset - 1, inset - 1, side, side, 0.2), stroke=colours.crest, width=0.045, alpha=alpha)
    d.polygon([(0.62, 0.86), (0.92, 0.86), (0.77, 0.58)], fill=colours.crest)


def _room(d: Drawing, marker: Shape, colours: Palette) -> None:
    d.text(f"pièce {marker.value}", 0, 0.84, ROOM_WORDS, colours.ink, halo=colours.halo)


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
ROOM_WORDS = 0.225
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
#: Of these, what nothing is drawn of.
SILENT = frozenset(kind for kind, draw in PLAN_MARKERS.items() if draw is _nothing)
