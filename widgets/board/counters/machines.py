"""Guns, vehicles, planes and works, as silhouettes of one colour; all our own."""

from __future__ import annotations

from widgets.board.counters.strokes import Part, Picture, area, bar, limb, ordered, placed, ring, spot


def _wheels(xs: tuple[float, ...], y: float, radius: float) -> Picture:
    return tuple(spot(x, y, radius, "glint") for x in xs)


def _track(left: float, right: float, top: float, height: float) -> Part:
    return bar(left, top, right - left, height, height / 2)


def _tyres(xs: tuple[float, ...], y: float, radius: float) -> Picture:
    return (*(spot(x, y, radius) for x in xs), *_wheels(xs, y, radius * 0.4))


_GUN: Picture = (
    limb("M-12 12L-48 33M4 -11L44 -18", 6.5),
    area("M-50 28L-40 38L-50 40Z"),
    area("M41 -24L51 -25L52 -12L42 -11Z"),
    area("M-12 -27L2 -31L13 12L-8 14Z"),
    area("M2 -16L22 -18L23 -8L4 -5Z"),
    ring(-6, 18, 16, 6),
    spot(-6, 18, 4.5),
    limb("M-6 4V32M-20 18H8", 3),
)
#: High rounded hull, cast turret, three pairs of bogies.
_SHERMAN: Picture = (
    _track(-44, 44, 10, 23),
    area("M-44 13L-40 -5L-24 -9H22L40 0L46 13Z"),
    area("M-25 -8C-26 -24 -16 -29 2 -29C18 -29 25 -20 25 -8Z"),
    limb("M20 -19L55 -21", 5.5),
    area("M14 -27L29 -26L27 -13L14 -12Z"),
    area("M-16 -34H-2V-28H-16Z"),
    area("M-34 -20L-24 -24V-12L-32 -10Z"),
    *_wheels((-33, -20, -6, 7, 20, 33), 24, 5),
)
#: Long flat hull, angular turret with its bin, eight small wheels.
_PANZER: Picture = (
    _track(-46, 45, 11, 20),
    area("M-48 14L-44 -1L-28 -5H26L34 1L47 4L49 14Z"),
    area("M-20 -5L-15 -25H14L25 -16L26 -5Z"),
    area("M-33 -8L-31 -22L-17 -23L-19 -6Z"),
    limb("M22 -14L58 -16", 5),
    area("M53 -20H60V-12H53Z"),
    area("M-12 -31H2V-25H-12Z"),
    *_wheels((-36, -26.5, -17, -7.5, 2, 11.5, 21, 31), 22, 4),
)
#: A box on wide tracks, drum turret, very long gun.
_TIGER: Picture = (
    _track(-47, 46, 8, 25),
    area("M-49 12V-5L-30 -7H30L33 0L48 3V12Z"),
    area("M-26 -7V-27H-2C14 -27 25 -24 26 -16V-7Z"),
    limb("M22 -16L58 -18", 6.5),
    area("M52 -23H61V-12H52Z"),
    area("M-20 -33H-6V-26H-20Z"),
    *_wheels((-33, -17, -1, 15, 31), 21, 7),
)
_PANTHER: Picture = (
    _track(-46, 45, 9, 23),
    area("M-49 8L-42 -7H18L49 8L44 13H-46Z"),
    area("M-24 -7L-18 -25H10L24 -17V-7Z"),
    limb("M20 -15L60 -18", 5),
    area("M55 -22H62V-13H55Z"),
    area("M-14 -31H-1V-25H-14Z"),
    *_wheels((-34, -20.5, -7, 6.5, 20, 33), 20.5, 6),
)
#: Long tracks all round, small turret amidships.
_CHURCHILL: Picture = (
    area("M-50 22L-46 0L-36 -9H34L48 -2L50 18L42 32H-42Z"),
    area("M-16 -9L-14 -27H12L20 -20V-9Z"),
    limb("M18 -18L48 -19", 5),
    limb("M-42 6H40", 3, "glint"),
    *_wheels((-36, -27, -18, -9, 0, 9, 18, 27, 36), 24, 3.6),
)
#: No turret: a low casemate, the gun in the hull.
_ASSAULT_GUN: Picture = (
    _track(-46, 45, 11, 20),
    area("M-48 14L-44 -1H-30L-24 -16H12L24 -4L47 3L49 14Z"),
    limb("M18 -6L57 -8", 5.5),
    area("M52 -12H60V-4H52Z"),
    area("M-18 -22H-4V-15H-18Z"),
    *_wheels((-36, -23, -10, 3, 16, 31), 22, 5),
)
#: A wheeled scout with a small turret.
_SCOUT: Picture = (
    area("M-44 12L-38 -8H20L45 4V14Z"),
    area("M-14 -8L-10 -22H10L15 -8Z"),
    limb("M12 -15L38 -17", 4.5),
    *_tyres((-28, 26), 17, 11),
)
_JEEP: Picture = (
    area("M-40 10L-38 -6H-8L-2 -3H20L40 0L42 12Z"),
    limb("M-4 -4L4 -24M-32 -6V-16H-14M-14 -20L14 -30", 4),
    *_tyres((-26, 26), 16, 11.5),
)
_HALFTRACK: Picture = (
    area("M-46 12L-43 -14H6L13 -20L24 -4L46 0V14Z"),
    _track(-44, 12, 10, 20),
    limb("M-14 -14V-22M-24 -24L4 -27", 4.5),
    *_tyres((32,), 20, 11),
    *_wheels((-34, -21, -8, 4), 20, 4.6),
)
_TRUCK: Picture = (
    area("M-46 12V-24C-40 -31 -8 -31 -2 -24V12Z"),
    area("M2 12V-18H18L26 -4L44 0V14H2Z"),
    *_tyres((-32, -8, 30), 17, 11),
    limb("M-34 -26V8M-22 -27V8M-12 -26V8", 2.5, "glint"),
    area("M8 -13H16L21 -4H8Z", "glint"),
)
_PLANE: Picture = (
    area(
        "M0 -46C6 -40 6 -26 6 -18L50 2V13L6 8L4 30L18 38V45L0 42L-18 45V38L-4 30L-6 8L-50 13V2L-6 -18C-6 -26 -6 -40 0 -46Z"
    ),
)
_BUNKER: Picture = (area("M-46 30L-34 -14H34L46 30Z"), area("M-22 2H22V10H-22Z", "glint"))
_HOUSE: Picture = (
    area("M-38 34V-4L0 -36L38 -4V34Z"),
    area("M-24 4H-10V16H-24ZM10 4H24V16H10ZM-7 34V18H7V34Z", "glint"),
)
#: A burnt hull, its turret askew, smoke above.
_WRECK: Picture = (
    limb("M-20 -20C-34 -34 -10 -36 -20 -50M0 -22C-8 -34 12 -38 2 -52", 5, "pale"),
    _track(-44, 40, 13, 19),
    area("M-46 16L-42 2L20 -1L44 9L46 16Z"),
    *placed((area("M-20 0L-14 -18H12L22 -8V2Z"), limb("M18 -8L44 6", 5)), -6, -2, 0.95),
    *_wheels((-32, -16, 0, 16, 30), 22.5, 4.5),
)

MACHINES: dict[str, Picture] = {
    "gun": ordered(_GUN),
    "sherman": ordered(_SHERMAN),
    "panzer": ordered(_PANZER),
    "tiger": ordered(_TIGER),
    "panther": ordered(_PANTHER),
    "churchill": ordered(_CHURCHILL),
    "assault_gun": ordered(_ASSAULT_GUN),
    "scout": ordered(_SCOUT),
    "jeep": ordered(_JEEP),
    "halftrack": ordered(_HALFTRACK),
    "truck": ordered(_TRUCK),
    "plane": ordered(_PLANE),
    "bunker": ordered(_BUNKER),
    "house": ordered(_HOUSE),
    "wreck": ordered(_WRECK),
}
