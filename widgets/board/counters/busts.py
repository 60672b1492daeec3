"""Heads and shoulders in ink, by trade and side, lit from the left; all our own."""

from __future__ import annotations

from collections.abc import Callable

from widgets.board.counters.strokes import Part, Picture, area, inked, limb, placed, spot

_MOUTH = limb("M-8 -3H0M9 -3H16M3 -1V7H7M-4 12Q2 18 7 12", 2.6, "line")
_RIFLE: Picture = (
    inked("M26 50L40 -34L45 -34L34 50Z", "wood", 2.8),
    inked("M39 -34L41 -52L44 -52L45 -34Z", "steel", 2.4),
)


def _head(*hat: Part, front: Picture = (), behind: Picture = ()) -> Picture:
    """A head and shoulders, three-quarter to the right."""
    return (
        *behind,
        inked("M-44 50C-44 28 -30 20 -12 17H14C32 20 45 28 45 50Z", "cloth"),
        inked("M-12 17L0 30L14 17L9 8H-8Z", "cloth_dark"),
        inked("M-17 -16C-18 2 -12 17 3 19C17 17 20 2 19 -16Z", "skin"),
        area("M6 -16C8 0 4 12 3 19C17 17 20 2 19 -16Z", "skin_shade"),
        _MOUTH,
        *hat,
        *front,
    )


_STEEL_HELMET: Picture = (
    inked(
        "M-25 -4C-28 -10 -25 -14 -23 -17C-22 -38 -8 -44 2 -44C16 -44 25 -34 25 -17L30 -10C24 -13 18 -14 2 -14C-10 -14 -17 -12 -25 -4Z",
        "hat",
    ),
    limb("M-14 -24C-12 -34 -6 -37 0 -38", 3.4, "gleam"),
)
_BRIM_HELMET: Picture = (
    inked(
        "M-36 -14C-30 -20 -24 -21 -21 -22C-19 -38 -8 -42 2 -42C13 -42 22 -37 24 -22C28 -21 34 -20 39 -14C20 -18 -16 -18 -36 -14Z",
        "hat",
    ),
    limb("M-12 -26C-10 -33 -5 -35 0 -36", 3.4, "gleam"),
    limb("M-16 -15C-14 6 -8 18 2 21", 2.4, "line"),
)
_BERET: Picture = (
    inked("M-22 -17C-26 -32 -6 -42 12 -39C32 -36 36 -24 28 -20C20 -17 18 -18 18 -18Z", "beret"),
    Part(spot(-8, -24, 4).paths, fill="brass", stroke="line", width=2),
)
_PEAKED_CAP: Picture = (
    inked("M-26 -26C-20 -42 22 -44 28 -28L20 -18H-18Z", "hat"),
    inked("M-18 -19H20L28 -11C16 -14 0 -15 -14 -12Z", "line"),
)
_MACHINE_GUN: Picture = (
    inked("M-50 30L-8 24L-8 36L-48 42Z", "steel", 2.8),
    inked("M-10 25L46 14L48 20L-8 34Z", "steel_light", 2.8),
    limb("M14 22L10 44M16 22L26 42", 3.4, "line"),
    *(spot(-2 + 8 * i, 29 - 1.6 * i, 2.2, "line") for i in range(4)),
)
#: What shows a soldier's trade, in front of him.
_TOOLS: dict[str, Picture] = {
    "mg": _MACHINE_GUN,
    "nco": (limb("M-42 34L-33 28L-24 34M-42 41L-33 35L-24 41M-42 48L-33 42L-24 48", 3.4, "line"),),
    "observer": (
        inked("M-20 -6H-2V7H-20ZM2 -6H20V7H2ZM-2 -3H2V2H-2Z", "steel_dark", 2.6),
        spot(-11, 0, 4, "glass"),
        spot(11, 0, 4, "glass"),
    ),
    "sniper": (
        inked("M-48 40L40 12L43 18L-44 50Z", "wood", 2.8),
        inked("M-10 20L14 12L16 17L-8 25Z", "steel_dark", 2.6),
    ),
    "sapper": (
        inked("M-44 26H-16V48H-44Z", "canvas", 2.8),
        limb("M-38 26Q-30 16 -22 26", 2.8, "line"),
        limb("M-40 34H-20", 2.4, "line"),
    ),
    "hunter": (
        inked("M-50 16L44 2L46 12L-48 28Z", "tube", 2.8),
        inked("M44 -2L54 -2L54 14L46 15Z", "steel_dark", 2.6),
    ),
    "guard": (
        inked("M-46 44L18 26L22 33L-42 52Z", "wood", 2.8),
        inked("M18 26L40 20L41 24L22 32Z", "steel", 2.4),
    ),
}


def _axis(trade: str) -> Picture:
    return _PEAKED_CAP if trade == "nco" else _STEEL_HELMET


def _allies(trade: str) -> Picture:
    return _BERET if trade == "nco" else _BRIM_HELMET


def _bust(trade: str, hat: Callable[[str], Picture]) -> Picture:
    if trade == "section":
        one = _head(*hat(trade))
        return (*placed(one, -25, -3, 0.72), *placed(one, 27, -3, 0.72), *placed(one, 0, 6, 0.9))
    return _head(*hat(trade), front=_TOOLS.get(trade, ()), behind=() if trade in _TOOLS else _RIFLE)


#: Picture of each trade and side: ``bust_mg_axis``.
BUSTS: dict[str, Picture] = {
    f"bust_{trade}_{side}": _bust(trade, hat)
    for trade in (*_TOOLS, "rifle", "section")
    for side, hat in (("axis", _axis), ("allies", _allies))
}
