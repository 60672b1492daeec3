"""The painter of counters whose game says how they look (see :mod:`tutor.core.faces`): one layout for each manner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tutor.core.faces import Look, Mark
from tutor.core.position import Piece, Position
from tutor.core.registry import game
from widgets.board.counters.silhouettes import picture
from widgets.board.counters.strokes import paint
from widgets.board.paint.shapes import XY, Drawing, rounded, text_width
from widgets.board.palette import Palette

#: Smallest letters of a counter, in CSS pixels; of several values side by side, where these would touch.
_LEAST, _LEAST_ABREAST = 9.5, 7.0
#: Width that values side by side may take together, and between two of them, in sides of a counter.
_ABREAST, _BETWEEN = 0.95, 0.12
#: Where states begin along the upper edge, at the farthest and at best; where a first one that is wide ends.
_TAGS = (-0.8, -0.56, 0.42)
#: Side of the counters, in CSS pixels, below which states are boxed tightly; where one that is wider yet begins and ends: the
#: smallest counters of two sides overlap in one cell.
_TIGHT, _WIDER_TAG = 28.0, (-1.05, 0.24)
#: Where a first one begins at the farthest and ends on the lower counter of two, that the other covers from there on.
_COVERED_TAG = (-1.15, 0.05)
#: Where what a unit was activated for begins at best, and ends at the farthest; beside a state.
_ORDER = (-0.62, 0.1, -0.46)
_SHIELD = ((-0.12, -0.14), (0.12, -0.14), (0.12, 0.0), (0.085, 0.08), (0.0, 0.15), (-0.085, 0.08), (-0.12, 0.0))


def look_of(position: Position, piece: Piece) -> Look | None:
    """The look of a piece as its game says, None for a game that says nothing: its counters are plain ones."""
    style = game(position.game).counters
    return style.look(position, piece) if style and style.look else None


class Painter:
    """What stands on one counter's plate already painted, in units of its side.

    Args:
        d: where it is drawn, placed and scaled.
        side: of the counter, in CSS pixels.
        colours: of the board.
        tones: of the counter's pictures (see :mod:`widgets.board.counters.palette`).
        band: colour of the strip that bears values in white.
    """

    def __init__(self, d: Drawing, side: float, colours: Palette, tones: Mapping[str, str], band: str) -> None:
        self.d, self.colours, self.tones, self.band = d, colours, tones, band
        self._side, self._least = max(side, 1.0), _LEAST / max(side, 1.0)

    def paint(self, look: Look, name: str, covered: bool = False, alone: bool = False) -> None:
        """Everything that a look shows.

        Args:
            look: what is shown.
            name: of the unit, where the manner has a place for it.
            covered: by others of its stack.
            alone: nothing else stands in its cell.
        """
        manners: dict[str, Callable[[Look, str], None]] = {
            "digits": self._digits,
            "sign": self._sign,
            "card": self._card,
            "bust": self._bust,
        }
        manners[look.manner](look, name)
        self._tags(look.tags, covered, alone)

    def figure(self, name: str, x: float, y: float, scale: float) -> None:
        """A picture, its middle at a place of the plate."""
        shown = picture(name)
        if shown:
            with self.d.placed(x, y, 0, scale):
                paint(self.d, shown, self.tones)

    def text(self, text: str, at: XY, size: float, ink: str) -> None:
        """Bold letters, never smaller than can be read."""
        self.d.text(text, *at, max(size, self._least), ink, bold=True)

    def width(self, text: str, size: float) -> float:
        """How wide such letters are, in sides of the counter."""
        return text_width(text, max(size, self._least), True)

    def abreast(self, texts: Sequence[str], size: float) -> float:
        """Size at which texts stand side by side on a plate and do not touch; 0 where none can be read.

        Args:
            texts: the values of one line.
            size: at best, in sides of the counter.
        """
        room = _ABREAST - _BETWEEN * (len(texts) - 1)
        fits = min(max(size, self._least), room / max(0.1, sum(text_width(text, 1.0, True) for text in texts)))
        return fits if fits * self._side >= _LEAST_ABREAST else 0.0

    def box(self, at: XY, size: XY, fill: str, edge: str | None = None, rounding: float = 0.03) -> None:
        """A rectangle round a place."""
        (x, y), (w, h) = at, size
        self.d.polygon(rounded(x - w / 2, y - h / 2, w, h, rounding), fill=fill, stroke=edge, width=0.022)

    def order(self, letters: str, beside: bool = False) -> None:
        """What a unit was activated for, at its upper left: never over the value at its upper right.

        Args:
            letters: of the order.
            beside: a state is said in that corner: at its left.
        """
        size = max(0.2, self._least)
        wide, tall = text_width(letters, size, True) + 0.55 * size, 1.24 * size
        first, *ends = _ORDER
        x, y = min(first, ends[beside] - wide) + wide / 2, max(-0.45, tall / 2 - 0.5)
        self.box((x, y), (wide, tall), self.colours.olive, self.colours.paper, 0.3 * size)
        self.text(letters, (x, y + 0.005), size, self.colours.paper)

    def foot(self, top: float, edge: str | None = None) -> None:
        """The strip along the foot that bears values, or a name."""
        corners = [point for point in rounded(-0.482, -0.482, 0.964, 0.964, 0.1) if point[1] > top + 0.02]
        self.d.polygon([(-0.482, top), (0.482, top), *corners], fill=self.band, stroke=edge, width=0.03)

    # -- manners --------------------------------------------------------------------------------------------------

    def _digits(self, look: Look, name: str) -> None:
        """Large digits on the plate itself, under the picture."""
        colours, edge = self.colours, self.tones["ink"]
        self.figure(
            look.picture, -0.05 if look.corner else 0.0, -0.16 if look.foot else 0.0, 0.64 if look.foot else 0.86
        )
        if look.foot:
            self.d.line((-0.42, 0.12), (0.42, 0.12), stroke=edge, width=0.018, alpha=0.5)
            texts = [mark.text for mark in look.foot]
            whole = look.separator.join(texts)
            across = max(0.1, text_width(whole, 1.0, True))
            size = min(max(min(0.35, 0.88 / across), 0.8 * self._least), 0.98 / across)
            last, mark = text_width(texts[-1], size, True), look.foot[-1]
            right = text_width(whole, size, True) / 2
            if mark.style == "box":
                self.box(
                    (right - last / 2, 0.31), (last + 0.07, size * 0.92), colours.counter_white, colours.counter_ink
                )
            self.d.text(whole, 0, 0.31, size, colours.counter_ink, bold=True)
            if mark.style == "underline":
                foot = 0.31 + size * 0.46
                self.d.line((right - last, foot), (right, foot), stroke=colours.counter_ink, width=0.035)
        if look.corner:
            wide = max(0.22, text_width(look.corner.text, max(0.22, self._least), True) + 0.04)
            x, tall = 0.44 - wide / 2, max(0.25, 0.9 * self._least)
            self.box((x, tall / 2 - 0.435), (wide, tall), colours.counter_white, edge)
            self.text(look.corner.text, (x, tall / 2 - 0.425), 0.22, colours.counter_ink)

    def _sign(self, look: Look, name: str) -> None:
        """A map sign, steps under it, values at the foot."""
        colours, edge, between = self.colours, self.tones["ink"], [look.corner.text] if look.corner else []
        size = self.abreast([*(mark.text for mark in look.foot), *between], 0.25) if look.foot else 0.0
        bare = not size
        self.figure(look.picture, 0.0, 0.0 if bare else -0.1, 0.88 if bare else 0.72)
        left, lost = look.pips
        tall, lift = max(0.225, 0.9 * size), min(0.13, max(0.0, 0.8 * self._least - 0.225))  # of small counters
        if left + lost:
            gap = min(0.13, 0.62 / (left + lost))
            spots, y = [(i - (left + lost - 1) / 2) * gap for i in range(left + lost)], 0.195 - lift
            self.d.discs([(x, y, 0.045, edge) for x in spots])
            self.d.discs([(x, y, 0.028, colours.counter_white) for x in spots[left:]])
        halves = [text_width(mark.text, size, True) / 2 for mark in look.foot]
        places = [side * min(0.3, _ABREAST / 2 - half) for side, half in zip((-1, 1), halves, strict=False)]
        for mark, x, half in zip(() if bare else look.foot, places, halves, strict=False):
            if mark.style == "box":
                self.box((x, 0.37), (max(0.26, 2 * half + 0.03), tall), colours.counter_white, edge, 0.02)
            self.d.text(mark.text, x, 0.375, size, colours.counter_ink, bold=True)
        if look.corner and not bare:
            middle = sum(x - side * half for side, x, half in zip((-1, 1), places, halves, strict=False)) / 2
            self._worth(look.corner, (middle, 0.37), min(size, max(0.2, self._least)))
        elif look.corner and not look.foot:
            self._worth(look.corner, (0.34, -0.34))

    def _worth(self, mark: Mark, at: XY, size: float = 0.0) -> None:
        """A value in a shield, or white on dark, at a size: one that can be read where none is given."""
        edge, colours, size = self.tones["ink"], self.colours, size or max(0.2, self._least)
        if mark.style == "shield":
            with self.d.placed(*at):
                self.d.polygon(_SHIELD, fill=colours.counter_white, stroke=edge, width=0.024)
            self.d.text(mark.text, at[0], at[1] - 0.01, size, colours.counter_ink, bold=True)
        else:
            wide = max(0.21, text_width(mark.text, size, True) + 0.04)
            self.box(at, (wide, max(0.225, 0.8 * size)), edge, None, 0.02)
            self.d.text(mark.text, at[0], at[1] + 0.005, size, colours.counter_white, bold=True)

    def _card(self, look: Look, name: str) -> None:
        """A strip at the top, two attack values in black and red, a shield."""
        colours = self.colours
        self.d.polygon(rounded(-0.482, -0.482, 0.964, 0.12, 0.05), fill=self.band)
        self.figure(look.picture, -0.04, -0.06, 0.74)
        for mark, x in zip(look.foot, (-0.235, 0.235), strict=False):
            fill = colours.counter_ink if mark.style == "black" else colours.broken
            self.box((x, 0.33), (0.4, 0.25), fill, colours.counter_white, 0.06)
            self.text(mark.text, (x, 0.335), 0.22, colours.counter_white)
        if look.corner:
            with self.d.placed(0.34, -0.3, 0, 1.12):
                self._worth(look.corner, (0.0, 0.0))
        if look.side:
            self.d.disc(-0.35, -0.26, 0.135, self.tones["ink"])
            self.d.disc(-0.35, -0.26, 0.112, colours.suppressed)
            self.text(look.side.text, (-0.35, -0.255), 0.18, colours.counter_ink)

    def _bust(self, look: Look, name: str) -> None:
        """A drawn head or machine, the name in a strip when it fits, an order as a disc."""
        colours, size = self.colours, max(0.165, self._least)
        named = bool(name) and text_width(name, size, True) <= 0.92
        self.d.polygon(
            [(-0.47, -0.36), (-0.36, -0.47), (0.47, -0.47), (0.47, 0.0), (-0.47, 0.24)],
            fill=colours.counter_white,
            alpha=0.22,
        )
        self.figure(look.picture, 0.0, -0.09 if named else 0.0, 0.78)
        if named:
            top = min(0.28, 0.482 - 0.94 * size)  # of small counters, whose letters are larger
            self.foot(top, self.tones["line"])
            self.text(name, (0, (top + 0.49) / 2), size, colours.counter_white)
        if look.corner:
            letters = max(0.2, self._least)
            q = max(0.14, 0.58 * letters)
            x, y = 0.47 - q, q - 0.46
            self.d.disc(x, y, q + 0.025, colours.counter_white)
            self.d.disc(x, y, q, colours.broken)
            self.text(look.corner.text, (x, y + 0.005), letters, colours.counter_white)

    def _tags(self, tags: tuple[Mark, ...], covered: bool, alone: bool) -> None:
        """States along the upper edge, from the left; a second row above when they are many.

        One that is wider than the plate ends with it, and begins before it: what lies at the right would cut it. Alone in
        its cell, it stands over the middle: the names of hexes are at both sides.
        """
        colours, size = self.colours, max(0.17, self._least)
        tight = self._side < _TIGHT  # there a box is no taller than its letters: picture and values show below it
        tall, pad = size * (1.0 if tight else 1.36), size * (0.5 if tight else 0.6)
        x, y = _TAGS[1], max(-0.49, tall / 2 - 0.5)  # on a small counter not up over the name of its hex
        for i, tag in enumerate(tags):
            wide = text_width(tag.text, size, True) + pad
            if i == 0:
                farthest, end = _COVERED_TAG if covered else _WIDER_TAG if wide > _TAGS[2] - _TAGS[0] else _TAGS[::2]
                x = -wide / 2 if alone and end == _WIDER_TAG[1] else max(farthest, min(x, end - wide))
            elif x > _TAGS[1] and x + wide > 0.66:
                x, y = _TAGS[1], y - tall * 1.03
            fill, ink = {
                "alert": (colours.broken, colours.counter_white),
                "warn": (colours.suppressed, colours.counter_ink),
            }.get(tag.style, (colours.counter_white, colours.counter_ink))
            self.d.polygon(
                rounded(x, y - tall / 2, wide, tall, size * (0.2 if tight else 0.35)),
                fill=fill,
                stroke=self.tones["ink"],
                width=0.022,
            )
            self.text(tag.text, (x + wide / 2, y + 0.005), size, ink)
            x += wide + 0.03


def bears_name(look: Look, name: str, side: float) -> bool:
    """Whether the counter itself shows its unit's name, so that none is written under it.

    Args:
        side: of the counter, in CSS pixels.
    """
    return look.manner == "bust" and text_width(name, max(0.165, _LEAST / max(side, 1.0)), True) <= 0.92
