"""Map signs of units: a frame, what the unit is, and its echelon in dots above."""

from __future__ import annotations

from widgets.board.counters.strokes import Part, Picture, area, limb, ordered, ring, spot

_ECHELONS = {"platoon": (-9, 0, 9), "section": (-5, 5), "squad": (0,)}
_CROSS = "M-40 -22L40 30M40 -22L-40 30"
_ARROW = limb("M0 12V-14M-9 -5L0 -16L9 -5", 5)
_HULL = Part(limb("M-14 -9H14Q27 -9 27 4Q27 17 14 17H-14Q-27 17 -27 4Q-27 -9 -14 -9", 5).paths, stroke="ink", width=5)


def _sign(*inner: Part, echelon: str = "") -> Picture:
    frame = (area("M-40 -22H40V30H-40Z", "window"), Part(area("M-40 -22H40V30H-40Z").paths, stroke="ink", width=5))
    return (*frame, *inner, *(spot(x, -33, 3.8) for x in _ECHELONS.get(echelon, ())))


SIGNS: dict[str, Picture] = {
    "sign_infantry": _sign(limb(_CROSS, 4.5), echelon="platoon"),
    "sign_mg": _sign(limb(_CROSS, 2.6, "pale"), limb("M0 26V-14M-9 -5L0 -16L9 -5M-13 26H13", 5), echelon="section"),
    "sign_mortar": _sign(ring(0, 19, 7, 4.5), _ARROW, echelon="section"),
    "sign_at": _sign(limb("M-40 30L0 -22L40 30", 5), echelon="squad"),
    "sign_gun": _sign(spot(0, 4, 10), echelon="section"),
    "sign_tank": _sign(_HULL),
    "sign_truck": _sign(
        Part(area("M-26 -4H26V14H-26Z").paths, stroke="ink", width=5), *ordered((spot(-16, 20, 5), spot(16, 20, 5)))
    ),
    "sign_halftrack": _sign(_HULL, limb("M-40 -22L40 30", 3)),
}
