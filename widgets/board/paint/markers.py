"""What lies in a hex for a while: smoke, blaze, fortifications, objectives, what tiles say."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.drawing import Shape
from widgets.board.paint.labels import LABELLED, label_size
from widgets.board.paint.plans import PLAN_MARKERS, PRINTED, ROOM_WORDS
from widgets.board.paint.shapes import Drawing, View, circle, rounded, text_width
from widgets.board.palette import Palette

#: Markers that lie over the counters, at a corner of their hex.
OVER = frozenset({"objective"})
#: Markers that write something.
WRITTEN = frozenset({"objective", "smoke", "residual", "room", "half"})
#: Markers that stand in the open ground of a hex, as lines and signs that a name would blot out.
WORKS = frozenset({"fortification", "mines", "breached_mines", "barrage"})
#: Smallest words on the ground besides names, in CSS pixels.
LEAST_WORDS = 9.5


def legible(markers: Iterable[Shape], view: View) -> list[Shape]:
    """Markers without those of words that are too small: seen from so far, its floor tells a room.

    Args:
        markers: of the board.
        view: how it lies.
    """
    return [one for one in markers if one.kind != "room" or view.radius * ROOM_WORDS >= LEAST_WORDS]


def paint_markers(
    d: Drawing, markers: Iterable[Shape], view: View, colours: Palette, *, over: bool = False, pictured: bool = False
) -> None:
    """What lies in a whole hex for a while.

    Args:
        markers: of the board.
        over: those that lie over the counters; else those under them.
        pictured: a picture of the ground lies below, that shows what tiles print.
    """
    for marker in markers:
        if marker.value in (None, False) or (marker.kind in OVER) != over or (pictured and marker.kind in PRINTED):
            continue
        x, y = view.centre(marker.cells[0])
        with d.placed(x, y, 0, view.radius):
            if seen := _SEEN.get(marker.kind):
                seen(d, marker, view, colours)
            else:
                _MARKERS.get(marker.kind, _objective)(d, marker, colours)


def _smoke(d: Drawing, marker: Shape, view: View, colours: Palette) -> None:
    puffs = (
        (-0.42, 0.18, 0.33),
        (0.4, 0.2, 0.34),
        (-0.2, -0.3, 0.36),
        (0.24, -0.28, 0.34),
        (0.0, 0.32, 0.36),
        (0.0, 0.0, 0.4),
        (-0.52, -0.12, 0.24),
        (0.53, -0.1, 0.24),
    )
    d.discs([(x + 0.02, y + 0.03, q, colours.smoke) for x, y, q in puffs], alpha=0.42)
    d.discs([(x - 0.03, y - 0.05, q * 0.82, colours.smoke_light) for x, y, q in puffs], alpha=0.5)
    for x, y, q in puffs[:5]:
        d.lines(
            [[(x + q * cx, y + q * cy) for cx, cy in ((-0.8, -0.2), (-0.5, -0.7), (0.1, -0.85), (0.6, -0.55))]],
            colours.smoke,
            0.025,
            alpha=0.7,
        )
    if marker.value is not True:
        x, y = (0.68, -0.8) if len(set(marker.points)) == 4 else (0.42, -0.66)  # above the taller counters of squares
        name = text_width(marker.cells[0], label_size(view)) / 2 + 2 if view.radius >= LABELLED else 0.0
        x = max(x, name / view.radius + 0.135 * pill_width(str(marker.value)))  # beside the name of its hex
        pill(d, x, y, str(marker.value), colours.counter_white, colours.counter_ink, colours.smoke)


def pill_width(text: str) -> float:
    """Width of a value's box, in sizes of its text: that of its words, in a wider font too.

    >>> pill_width("vus : 34") < pill_width("vus : 34 sur 34") < 0.64 * 15
    True
    """
    return 1.12 * text_width(text, 1.0, bold=True) + 0.8


def pill(d: Drawing, x: float, y: float, text: str, fill: str, ink: str, stroke: str, size: float = 0.27) -> None:
    """A value in a rounded box."""
    w = size * pill_width(text)
    d.polygon(rounded(x - w / 2, y - size * 0.68, w, size * 1.36, size * 0.4), fill=fill, stroke=stroke, width=0.025)
    d.text(text, x, y + 0.01, size, ink, bold=True)


def _blaze(d: Drawing, marker: Shape, colours: Palette) -> None:
    d.disc(0, 0.1, 0.72, colours.fire_light, alpha=0.28)
    d.disc(0, 0.2, 0.5, colours.fire, alpha=0.25)
    for x, y, s in ((-0.36, 0.22, 0.75), (0.36, 0.24, 0.7), (0.0, 0.18, 1.15)):
        outer = [
            (0, -0.55),
            (0.13, -0.3),
            (0.27, -0.13),
            (0.29, 0.12),
            (0.16, 0.32),
            (-0.16, 0.32),
            (-0.29, 0.12),
            (-0.24, -0.1),
            (-0.13, -0.02),
            (-0.1, -0.3),
        ]
        inner = [(0.01, -0.2), (0.1, -0.02), (0.14, 0.14), (0.07, 0.29), (-0.08, 0.29), (-0.14, 0.12), (-0.06, 0.04)]
        with d.placed(x, y, 0, s):
            d.polygon(outer, fill=colours.fire, stroke=colours.broken, width=0.03)
            d.polygon(inner, fill=colours.fire_light)


def _mines(d: Drawing, marker: Shape, colours: Palette) -> None:
    for x, y in ((-0.74, -0.16), (-0.66, 0.38), (0.74, -0.16), (0.66, 0.38), (0.0, 0.2)):  # seen beside a counter
        d.disc(x, y, 0.085, colours.rail)
        d.line((x - 0.12, y), (x + 0.12, y), stroke=colours.rail, width=0.03)
        d.line((x, y - 0.12), (x, y + 0.12), stroke=colours.rail, width=0.03)
        d.disc(x - 0.025, y - 0.03, 0.022, colours.counter_white)


def _breached_mines(d: Drawing, marker: Shape, colours: Palette) -> None:
    """Mines with a way through them, between two tapes."""
    _mines(d, marker, colours)
    d.polygon([(-0.2, -0.5), (0.2, -0.5), (0.2, 0.8), (-0.2, 0.8)], fill=colours.earth, alpha=0.55)
    for x in (-0.2, 0.2):
        d.line((x, -0.5), (x, 0.8), stroke=colours.counter_white, width=0.05)


def _barrage(d: Drawing, marker: Shape, colours: Palette) -> None:
    """Where shells fall: bursts around the hex, that counters leave free."""
    for x, y, size in (
        (-0.6, -0.2, 0.2),
        (0.62, 0.24, 0.2),
        (0.06, 0.6, 0.17),
        (0.5, -0.42, 0.15),
        (-0.46, 0.42, 0.15),
    ):
        star = [
            (x + size * (1.0 if i % 2 else 0.45) * px, y + size * (1.0 if i % 2 else 0.45) * py)
            for i, (px, py) in enumerate(circle(0, 0, 1, 16))
        ]
        d.polygon(star, fill=colours.fire, stroke=colours.broken, width=0.025)
        d.disc(x, y, size * 0.36, colours.fire_light)


def _fortification(d: Drawing, marker: Shape, colours: Palette) -> None:
    kind = str(marker.value)
    if kind == "wire":
        for y in (-0.42, 0.5):
            d.line((-0.62, y), (0.62, y), stroke=colours.rail, width=0.025)
            for i in range(-4, 5):
                d.ring(i * 0.14, y, 0.09, colours.rail, 0.028)
    elif kind == "mines":
        _mines(d, marker, colours)
    elif kind in ("pillbox", "bunker"):
        d.polygon(
            [(-0.46, -0.36), (0.46, -0.36), (0.6, 0.06), (0.46, 0.5), (-0.46, 0.5), (-0.6, 0.06)],
            fill=colours.concrete,
            stroke=colours.rail,
            width=0.05,
        )
        inner = 0.72 if kind == "bunker" else 0.62
        d.polygon(
            [
                (x * inner, y * inner)
                for x, y in ((-0.46, -0.3), (0.46, -0.3), (0.58, 0.06), (0.46, 0.46), (-0.46, 0.46), (-0.58, 0.06))
            ],
            fill=colours.stone,
            stroke=colours.rail,
            width=0.025,
        )
        for x in (-0.3, 0.3) if kind == "bunker" else (0.0,):
            d.polygon([(x - 0.14, -0.42), (x + 0.14, -0.42), (x + 0.14, -0.34), (x - 0.14, -0.34)], fill=colours.rail)
    elif kind == "trench":
        zigzag = [
            (-0.66, 0.34),
            (-0.42, 0.34),
            (-0.3, 0.52),
            (-0.06, 0.52),
            (0.06, 0.34),
            (0.3, 0.34),
            (0.42, 0.52),
            (0.66, 0.52),
        ]
        d.lines([zigzag], colours.cliff, 0.19)
        d.lines([zigzag], colours.earth, 0.11)
        ticks = [[(x, y - 0.1), (x, y - 0.17)] for x, y in zigzag]
        d.lines(ticks, colours.cliff, 0.03)
    else:  # foxholes
        for x, y in ((-0.68, 0.2), (0.0, 0.5), (0.68, 0.2)):  # two are seen beside a counter
            d.polygon(
                [(x + px * 1.35, y + py * 0.8) for px, py in circle(0, 0, 0.15)],
                fill=colours.earth,
                stroke=colours.cliff,
                width=0.045,
            )
            d.polygon([(x + px * 0.85, y + 0.03 + py * 0.42) for px, py in circle(0, 0, 0.15)], fill=colours.cliff)


def _objective(d: Drawing, marker: Shape, colours: Palette) -> None:
    """Its number, at the left corner of the hex, beside a counter."""
    d.disc(-0.73, 0.0, 0.2, colours.olive)
    d.ring(-0.73, 0.0, 0.155, colours.paper, 0.02)
    d.text(str(marker.value), -0.73, 0.01, 0.25, colours.paper, bold=True)


def _lit(d: Drawing, marker: Shape, colours: Palette) -> None:
    d.disc(0, 0, 0.84, colours.fire_light, alpha=0.3)


def _illum(d: Drawing, marker: Shape, colours: Palette) -> None:
    """A shell that lights the night: a star under its parachute, in the corner that counters leave free."""
    x, y = 0.52, -0.44
    d.lines(
        [[(x + 0.13 * dx, y + 0.13 * dy), (x + 0.27 * dx, y + 0.27 * dy)] for dx, dy in circle(0, 0, 1, 8)],
        colours.fire,
        0.045,
    )
    d.disc(x, y, 0.13, colours.fire_light)
    d.ring(x, y, 0.13, colours.fire, 0.035)


def _residual(d: Drawing, marker: Shape, view: View, colours: Palette) -> None:
    """Firepower left in a hex: a small counter with its value, sparks behind it; « FP » where its letters are read."""
    least = LEAST_WORDS / view.radius
    worded = least <= 0.13
    size = 0.24 if worded else max(0.3, 1.1 * least)
    q = 0.2 if worded else max(0.2, 0.6 * size)
    with d.placed(-0.74 - 0.5 * (q - 0.2), 0.02):  # beside the counter, on the side its weapons do not take
        sparks = [[(q * dx, q * dy), ((q + 0.11) * dx, (q + 0.11) * dy)] for dx, dy in circle(0, 0, 1, 12)]
        d.lines(sparks, colours.fire, 0.045)
        d.polygon(rounded(-q, -q, 2 * q, 2 * q, 0.07), fill=colours.fire_light, stroke=colours.cliff, width=0.03)
        d.text(str(marker.value), 0, -0.05 if worded else 0.01, size, colours.counter_ink, bold=True)
        if worded:
            d.text("FP", 0, 0.12, 0.13, colours.counter_ink, bold=True)


#: Drawn for the size at which the board is seen.
_SEEN = {"smoke": _smoke, "residual": _residual}
_MARKERS = {
    "lit": _lit,
    "illum": _illum,
    "blaze": _blaze,
    "barrage": _barrage,
    "mines": _mines,
    "breached_mines": _breached_mines,
    "fortification": _fortification,
    "objective": _objective,
} | PLAN_MARKERS
