"""The colours of the pictures on counters: the two sides' from the board's palette, those of drawn heads from here."""

from __future__ import annotations

from functools import cache

from widgets.board.palette import Palette

_HEADS = {
    "line": "#1D1A16",
    "skin": "#E9B48C",
    "skin_shade": "#D9A077",
    "gleam": "#B9C0B4",
    "wood": "#7A4E2A",
    "steel": "#4A4F52",
    "steel_light": "#5B6165",
    "steel_dark": "#3B4043",
    "beret": "#6B2E2A",
    "brass": "#E8C34A",
    "glass": "#9AD3EA",
    "canvas": "#B98B4B",
    "tube": "#6B6F3A",
}
_CLOTH = {
    True: {"cloth": "#6E7C74", "cloth_dark": "#525D57", "hat": "#56645E"},
    False: {"cloth": "#9A7F45", "cloth_dark": "#735F33", "hat": "#7E7A3E"},
}


def mix(one: str, other: str, share: float) -> str:
    """A colour between two, ``share`` of the way to the other.

    >>> mix("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


@cache
def tones(colours: Palette, axis: bool, broken: bool = False) -> dict[str, str]:
    """The colour of each role in the pictures of a side.

    Args:
        axis: whose hue it is.
        broken: they lie on a white plate.
    """
    deep, plate = (colours.axis_deep, colours.axis_light) if axis else (colours.allies_deep, colours.allies_light)
    plate = colours.counter_white if broken else plate
    return {
        **_HEADS,
        **_CLOTH[axis],
        "ink": deep,
        "pale": mix(deep, plate, 0.42),
        "glint": mix(deep, plate, 0.62),
        "window": mix(plate, colours.counter_white, 0.55),
    }
