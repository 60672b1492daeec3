"""What the free board and the editor offer in Heroes of Normandie."""

from __future__ import annotations

from tutor.core.kit import Kit, Shot, alone

KIT = Kit(
    first="dominante",
    grid={"kind": "square", "columns": ["A", "H"], "rows": [1, 6]},
    markers=(("dominant", (1, 2)), ("smoke", (4, "weak")), ("room", (1, 2, 3)), ("ruined_half", (1, 2, 3, 4))),
    states=(("Suppressed, ou l’ôter", "suppressed"), ("Ordre, ou l’ôter", "order")),
    shots={"": Shot("fire", None, alone, several=False, at_piece=True)},
)
