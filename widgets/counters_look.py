"""Counters in each game's own manner: what a face shows, as data, and the one painter of it.

A game with a manner has a module ``counters_<game>`` with ``look(position, piece)`` and ``LEGEND``; it is imported when a
piece of that game is drawn, not before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from tutor.core.position import Piece, Position
from widgets.counters_pictures import PICTURES, figures
from widgets.paint import Drawing, rounded
from widgets.palette import Palette

#: Games whose counters have their own manner; Combat Commander's is that of ``counters``.
MANNERS = frozenset({"asl_sk", "tcs", "sherman_leader", "heroes_of_normandie"})
#: Letters of a name that the lower band holds; a longer one is written under the counter.
BAND = 10


@dataclass(frozen=True, slots=True)
class Mark:
    """A short text with its style.

    Args:
        text: a number or a few letters.
        style: plain, box, underline, black, red, shield, disc; for tags: plain, alert, warn.
    """

    text: str
    style: str = "plain"


@dataclass(frozen=True, slots=True)
class Look:
    """What the visible face of a counter shows.

    Args:
        picture: silhouette, or ``1`` to ``4`` soldiers.
        foot: values of the lower band, from left to right; separator: between them.
        corner: upper right value; side: value at the left of the picture.
        tags: states, along the upper edge; pips: steps left and steps lost.
    """

    picture: str
    foot: tuple[Mark, ...] = ()
    separator: str = ""
    corner: Mark | None = None
    side: Mark | None = None
    tags: tuple[Mark, ...] = ()
    pips: tuple[int, int] = (0, 0)

    @property
    def text(self) -> str:
        """The values in one line, for tests and titles.

        >>> Look("3", (Mark("4"), Mark("6"), Mark("7")), "-").text
        '4-6-7'
        """
        return self.separator.join(mark.text for mark in self.foot if mark.text)


@cache
def manner(game_id: str) -> ModuleType | None:
    """The module of a game's manner, None for a game without one."""
    return import_module(f"widgets.counters_{game_id}") if game_id in MANNERS else None


def look_of(position: Position, piece: Piece) -> Look | None:
    """The look of a piece in its game's manner, None for a game without one."""
    module = manner(position.game)
    found: Look | None = module.look(position, piece) if module else None
    return found


def paint_look(d: Drawing, look: Look, deep: str, colours: Palette, name: str = "") -> None:
    """What stands on a plate already painted, in units of its side.

    Args:
        deep: the darkest tone of the counter's side; name: written in the band when there is no value.
    """
    stepped = look.pips != (0, 0)
    with d.placed(-0.07 if look.corner else 0.0, -0.15 if stepped else -0.1, 0, 0.84 if stepped else 1.0):
        _picture(d, look.picture, deep)
    if stepped:
        _pips(d, look.pips, deep, colours)
    if look.corner:
        with d.placed(0.32, -0.3):
            _value(d, look.corner, 0.29, colours, colours.counter_ink, deep)
    if look.side:
        with d.placed(-0.33, 0.06):
            _value(d, look.side, 0.22, colours, colours.counter_ink, deep)
    _foot(d, look, colours, deep, name)
    _tags(d, look.tags, colours, deep)


def _picture(d: Drawing, picture: str, ink: str) -> None:
    if picture.isdigit():
        figures(d, int(picture), ink, 0.0, -0.01, 1.12 if picture == "1" else 0.92)
    elif picture in PICTURES:
        PICTURES[picture](d, ink)


def _foot(d: Drawing, look: Look, colours: Palette, deep: str, name: str) -> None:
    marks = look.foot
    if not marks:
        if len(name) <= BAND:
            d.text(name, 0, 0.362, min(0.21, 1.45 / max(5, len(name))), colours.counter_white, bold=True)
        return
    gap = 0.44 if len(marks) == 2 else 0.31
    start = -gap * (len(marks) - 1) / 2
    for i, mark in enumerate(marks):
        x = start + gap * i
        if i and look.separator and mark.text and marks[i - 1].text:
            d.text(look.separator, x - gap / 2, 0.355, 0.24, colours.counter_white, bold=True)
        with d.placed(x, 0.362):
            _value(d, mark, 0.27 if len(mark.text) < 4 else 0.24, colours, colours.counter_white, deep)


def _value(d: Drawing, mark: Mark, size: float, colours: Palette, ink: str, deep: str) -> None:
    wide = max(0.27, size * (0.64 * len(mark.text) + 0.3))
    if mark.style == "box":
        box = rounded(-wide / 2, -0.125, wide, 0.25, 0.04)
        d.polygon(box, fill=colours.counter_white, stroke=colours.counter_ink, width=0.025)
        ink = colours.counter_ink
    elif mark.style in ("black", "red"):
        fill = colours.counter_ink if mark.style == "black" else colours.broken
        d.polygon(rounded(-wide / 2, -0.12, wide, 0.24, 0.08), fill=fill, stroke=colours.counter_white, width=0.022)
        ink = colours.counter_white
    elif mark.style == "shield":
        d.polygon([(-0.16, -0.17), (0.16, -0.17), (0.16, 0.04), (0.0, 0.2), (-0.16, 0.04)], fill=colours.counter_white, stroke=deep, width=0.03)  # fmt: skip
        ink, size = colours.counter_ink, size * 0.9
    elif mark.style == "disc":
        d.disc(0, 0, 0.17, deep)
        ink, size = colours.counter_white, size * 0.85
    d.text(mark.text, 0, 0.005, size, ink, bold=True)
    if mark.style == "underline":
        d.line((-size * 0.32, size * 0.47), (size * 0.32, size * 0.47), stroke=ink, width=0.03)


def _pips(d: Drawing, pips: tuple[int, int], deep: str, colours: Palette) -> None:
    """Steps: full dots are left, hollow ones are lost."""
    left, lost = pips
    total = left + lost
    gap = min(0.15, 0.8 / total)
    spots = [(i - (total - 1) / 2) * gap for i in range(total)]
    d.discs([(x, 0.165, 0.05, deep) for x in spots])
    d.discs([(x, 0.165, 0.031, colours.counter_white) for x in spots[left:]])


def _tags(d: Drawing, tags: tuple[Mark, ...], colours: Palette, deep: str) -> None:
    """States along the upper edge, from the left; a second row above when they are many."""
    x, y = -0.53, -0.49
    for tag in tags:
        wide = 0.1 + 0.135 * len(tag.text)
        if x + wide > 0.58 and x > -0.53:
            x, y = -0.53, y - 0.24
        fill, ink = {
            "alert": (colours.broken, colours.counter_white),
            "warn": (colours.suppressed, colours.counter_ink),
        }.get(tag.style, (colours.counter_white, colours.counter_ink))
        d.polygon(rounded(x, y - 0.12, wide, 0.24, 0.07), fill=fill, stroke=deep, width=0.025)
        d.text(tag.text, x + wide / 2, y + 0.005, 0.19, ink, bold=True)
        x += wide + 0.03
