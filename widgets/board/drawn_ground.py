"""The picture of a board's ground where no server hands it out: drawn here, for files, scripts and notebooks."""

from __future__ import annotations

import re
from collections.abc import Hashable
from hashlib import sha256

from tutor.core.position import Position
from widgets.board.grounds import bare, drawable

#: Grounds drawn here that are kept: a board is exported again at each move, and its ground is most of it.
KEPT = 8
#: Of the figures of a ground (``widgets.ground.heights``): the rules that show them, each set's width and name, the sets.
_RULES, _FROM = re.compile(r"<style>.*?</style>"), re.compile(r"min-width:(\d+)px\)\{\.(h\d+)")
_SETS = re.compile(r'<g class="(h\d+)".*?</g>')
_drawn: dict[Hashable, str] = {}


def drawn_ground(position: Position, dark: bool = False) -> str:
    """The picture of a position's ground itself, as an SVG document drawn here; "" where it cannot be drawn.

    Where a server hands out grounds, its kernels ask it instead: what draws weighs on whoever loads it.

    Args:
        position: the situation.
        dark: for the dark theme.

    >>> from tutor import load_position
    >>> drawn_ground(load_position("combat_commander", "ldv-lisiere"))[:4]
    '<svg'
    """
    if not drawable(position):
        return ""
    ground = bare(position)
    key = (ground.model_dump_json(), dark)
    if key not in _drawn:
        from widgets.ground import ground_svg

        while len(_drawn) >= KEPT:
            del _drawn[next(iter(_drawn))]
        _drawn[key] = _own_names(ground_svg(ground, "dark" if dark else "light"))
    return _drawn[key]


def shown_at(picture: str, width: float) -> str:
    """A picture of a ground with the figures that one of a width shows, for a page whose own width says nothing of it.

    Args:
        picture: an SVG document.
        width: of the picture as displayed, in CSS pixels.

    >>> from tutor import load_position
    >>> whole = drawn_ground(load_position("tcs", "livret-ldv"))
    >>> [shown_at(whole, width).count("<g class=") for width in (60, 233, 500)], "@media" in shown_at(whole, 233)
    ([0, 1, 1], False)
    """
    fit = [name for least, name in _FROM.findall(picture) if float(least) <= width]
    sets = _SETS.sub(lambda one: one[0] if fit and one[1] == fit[-1] else "", picture)
    return _RULES.sub("", sets)


def _own_names(picture: str) -> str:
    """A picture whose ids are no other's: several may stand in one page, which knows an id once."""
    own = sha256(picture.encode()).hexdigest()[:8]
    return re.sub(r'(?<= id=")|(?<=href="#)|(?<=url\(#)', f"g{own}-", picture)
