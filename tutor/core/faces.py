"""What the faces of a game's counters show, as data: a game says it in its ``counters.py``, boards paint it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tutor.core.position import Piece, Position


@dataclass(frozen=True, slots=True)
class Mark:
    """A short text with its style.

    Args:
        text: a number or a few letters.
        style: plain, box, underline, black, red, shield, disc; for tags: plain, alert, warn.
    """

    text: str
    style: str = "plain"


#: How a face is laid out: large digits under the picture, a map sign, values on cards, a drawn head.
Manner = Literal["digits", "sign", "card", "bust"]

#: Machines that a unit's name tells apart, and their pictures.
_MACHINES = {
    "sherman": "sherman", "churchill": "churchill", "panther": "panther", "tigre": "tiger", "stug": "assault_gun",
    "pz": "panzer", "jeep": "jeep", "canon": "gun", "pak": "gun", "mortier": "mortar",
}  # fmt: skip


def machine(name: str | None, default: str) -> str:
    """Picture of the machine that a unit is named after.

    Args:
        name: of the unit, in any case.
        default: picture when its name tells none.

    >>> machine("Tigre 221", "panzer"), machine("Garde", "squad")
    ('tiger', 'squad')
    """
    low = (name or "").lower()
    return next((picture for word, picture in _MACHINES.items() if word in low), default)


@dataclass(frozen=True, slots=True)
class Look:
    """What the visible face of a counter shows.

    Args:
        picture: name of the silhouette.
        foot: values of the lower band, from left to right.
        separator: between the values of the lower band.
        corner: upper right value.
        side: value at the left of the picture.
        tags: states, along the upper edge.
        pips: steps left and steps lost.
        manner: how all that is laid out.
    """

    picture: str
    foot: tuple[Mark, ...] = ()
    separator: str = ""
    corner: Mark | None = None
    side: Mark | None = None
    tags: tuple[Mark, ...] = ()
    pips: tuple[int, int] = (0, 0)
    manner: Manner = "digits"

    @property
    def text(self) -> str:
        """The values in one line, for tests and titles.

        >>> Look("3", (Mark("4"), Mark("6"), Mark("7")), "-").text
        '4-6-7'
        """
        return self.separator.join(mark.text for mark in self.foot if mark.text)


@dataclass(frozen=True)
class CounterStyle:
    """How the counters of a game look, and how its boards are worded: ``STYLE`` of its ``counters.py``.

    Args:
        look: the face of a piece; None for the plain one.
        legend: French sentences on lines and counters.
        words: words of the board in French, by the name that a position gives them.
        agreeing: kind of a piece -> words that agree with it, where they differ.
        side: of a counter that stands alone, in hex radii (halves of a square).
    """

    look: Callable[[Position, Piece], Look] | None = None
    legend: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    agreeing: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    side: float = 1.06
