"""Soldiers and what they carry, as silhouettes of one colour; all our own."""

from __future__ import annotations

from widgets.board.counters.strokes import Picture, area, limb, ordered, placed, spot

#: A rifleman on the move, to the right.
ADVANCING: Picture = (
    limb("M-6 8L-11 22L-25 31L-29 37M-2 8L13 18L9 36L18 38", 9),
    area("M-13 9C-15 -6 -8 -23 5 -27L16 -22C16 -9 10 2 6 11Z"),
    area("M-13 -18L-23 -11L-20 5L-9 1Z"),
    spot(13, -33, 7.5),
    area("M2 -33C1 -47 25 -49 26 -35L30 -30L1 -30Z"),
    limb("M5 -20L17 -6L29 -13", 7),
    limb("M-8 1L46 -25", 5),
)
#: A rifleman on one knee, aiming right.
KNEELING: Picture = (
    limb("M-3 13L16 14L15 36L24 37M-5 13L-12 33L-30 36", 9),
    area("M-13 16C-16 0 -11 -15 -2 -19L9 -16C11 -4 8 9 5 17Z"),
    area("M-12 -12L-22 -6L-20 10L-10 7Z"),
    spot(7, -25, 7.5),
    area("M-5 -25C-6 -39 19 -41 20 -27L24 -22L-5 -22Z"),
    limb("M0 -12L13 -1L26 -10", 7),
    limb("M-6 -5L48 -12", 5),
)
#: An officer who points the way, in a peaked cap.
OFFICER: Picture = (
    limb("M-6 10L-8 37L-15 38M5 10L11 36L19 38", 9),
    area("M-14 -21L13 -22C16 -8 14 6 17 19L-15 19C-13 4 -17 -8 -14 -21Z"),
    spot(1, -32, 8),
    area("M-12 -36C-15 -48 14 -50 15 -38L20 -33L-9 -33Z"),
    limb("M9 -16L29 -22L46 -29M-12 -16L-21 -2L-13 7", 7),
)
_MACHINE_GUN: Picture = (
    limb("M0 2L-24 36M2 2L26 36M0 2L5 34", 5),
    limb("M6 -6L48 -13M46 -18V-8", 5),
    limb("M8 -7L33 -11", 10),
    area("M-26 -10L9 -14L11 4L-22 8Z"),
    area("M-48 -2L-25 -8L-24 5L-46 13Z"),
    limb("M-13 6L-18 19", 5),
    area("M-4 4L12 2L14 15L0 17Z"),
)
_MORTAR: Picture = (
    limb("M-18 26L18 -32", 15),
    limb("M12 -38L27 -28M8 -10L33 34M8 -10L16 34", 5),
    area("M-42 28H4L0 38H-36Z"),
    limb("M40 36V22", 10),
    area("M35 22Q40 8 45 22Z"),
)
_RADIO: Picture = (
    area("M-30 -12H22V34H-30Z"),
    limb("M14 -12L22 -42", 4),
    limb("M34 -35Q40 -28 32 -24M42 -36Q52 -25 38 -16", 4),
    spot(-12, 12, 9, "glint"),
    limb("M5 4H15M5 14H15M5 24H15", 3, "glint"),
)
_SATCHEL: Picture = (
    area("M-34 -8H34V32H-34Z"),
    limb("M-22 -8L-14 -26H14L22 -8", 6),
    limb("M34 0C48 -6 40 -24 48 -32", 4),
    limb("M-32 4H32M0 4V14", 3, "glint"),
)

SOLDIERS: dict[str, Picture] = {
    "squad": ordered(
        (
            *placed(ADVANCING, -22, -13, 0.66, pale=True),
            *placed(ADVANCING, 17, -16, 0.66, pale=True),
            *placed(ADVANCING, -17, 15, 0.74),
            *placed(ADVANCING, 23, 13, 0.74),
        )
    ),
    "three": ordered(
        (
            *placed(ADVANCING, 2, -15, 0.7, pale=True),
            *placed(ADVANCING, -20, 11, 0.8),
            *placed(KNEELING, 21, 12, 0.8),
        )
    ),
    "team": ordered((*placed(ADVANCING, -17, -4, 0.86), *placed(KNEELING, 18, 7, 0.86))),
    "crew": ordered((*placed(KNEELING, -18, 3, 0.86), *placed(KNEELING, 18, 9, 0.86))),
    "leader": ordered(placed(OFFICER, -4, 2, 1.12)),
    "hero": ordered(placed(ADVANCING, 0, 2, 1.15)),
    "mg": ordered(_MACHINE_GUN),
    "mortar": ordered(_MORTAR),
    "flamethrower": ordered((*placed(ADVANCING, -12, 2), area("M34 -22C44 -34 48 -22 50 -28C52 -16 46 -8 36 -12Z"))),
    "satchel": ordered(_SATCHEL),
    "radio": ordered(_RADIO),
}
