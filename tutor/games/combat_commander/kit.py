"""What the free board and the editor offer in Combat Commander."""

from __future__ import annotations

from tutor.core.kit import Kit, Shot, together

KIT = Kit(
    first="livret-ldv",
    grid={"columns": ["A", "J"], "rows": [1, 8]},
    levels=(0, 1, 2, 3, 4),
    markers=(("smoke", tuple(range(1, 11))), ("blaze", (True,)), ("fortification", ())),
    ways=("road", "rail", "trail"),
    states=(("Démoraliser, ou rallier", "broken"), ("Suppression, ou la lever", "suppressed")),
    nations={"germany": "axis", "america": "allies", "russia": "allies"},
    shots={"": Shot("fire", "fire_odds", together)},
    catalogue="tables",
    joins=True,
)
