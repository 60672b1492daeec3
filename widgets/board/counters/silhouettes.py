"""Every picture that a counter may bear, by name."""

from __future__ import annotations

from functools import cache

from widgets.board.counters.strokes import Picture

#: Other names of pictures: kinds of pieces that look like another.
_SAME = {
    "1": "leader",
    "2": "team",
    "3": "three",
    "4": "squad",
    "armor": "sherman",
    "tank": "panzer",
    "heavy_vehicle": "panzer",
    "light_armor": "scout",
    "light_vehicle": "jeep",
    "armored_car": "scout",
    "artillery": "gun",
    "at": "gun",
    "at_gun": "gun",
    "building": "house",
    "molotov": "satchel",
    "weapon": "mg",
}


@cache
def _pictures(family: str) -> dict[str, Picture]:
    """The pictures of a family; each is read by the first counter that shows one of it."""
    if family == "sign":
        from widgets.board.counters.signs import SIGNS

        return SIGNS
    if family == "bust":
        from widgets.board.counters.busts import BUSTS

        return BUSTS
    from widgets.board.counters.machines import MACHINES
    from widgets.board.counters.soldiers import SOLDIERS

    return SOLDIERS | MACHINES


def picture(name: str) -> Picture | None:
    """The picture of a name or of a kind of piece; None when there is none.

    >>> picture("armor") == picture("sherman")
    True
    >>> picture("bust_mg_axis") is not None
    True
    """
    family, _, rest = name.partition("_")
    known = _pictures(family if rest and family in ("sign", "bust") else "")
    return known.get(_SAME.get(name, name))
