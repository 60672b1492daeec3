"""What the free board and the editor offer in Tactical Combat Series."""

from __future__ import annotations

from tutor.core.kit import Kit, Shot, together

KIT = Kit(
    first="livret-ldv-sud",
    grid={"kind": "hex-numbered", "columns": ["01", "09"], "rows": [1, 8]},
    levels=(0, 20, 40, 60, 80, 100),
    markers=(("between", (25, 50, 75)), ("basin", (25, 50, 75)), ("dome", (25, 50, 75)), ("smoke", (True,))),
    ways=("road", "trail", "rail"),
    states=(
        ("Mouvement, ou Tir", "move"),
        ("Fortifiée, ou non", "dug_in"),
        ("Fired, ou l’ôter", "fired"),
        ("Suppressed, ou l’ôter", "suppressed"),
        ("Paralyzed, ou l’ôter", "paralyzed"),
    ),
    sides={"a": "Camp A", "b": "Camp B"},
    shots={"": Shot("area_fire", "area_odds", together)},
    joins=True,
)
