"""What the free board and the editor offer in Escarmouche."""

from __future__ import annotations

from tutor.core.kit import Kit, Shot, alone

KIT = Kit(
    first="clairiere",
    grid={"kind": "square", "columns": ["A", "E"], "rows": [1, 4]},
    states=(("Tir, ou l’ôter", "fired"),),
    sides={"red": "Rouges", "blue": "Bleus"},
    shots={"": Shot("fire", None, alone, several=False, at_piece=True)},
)
