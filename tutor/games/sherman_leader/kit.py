"""What the free board and the editor offer in Sherman Leader."""

from __future__ import annotations

from tutor.core.kit import Kit, Shot, alone

KIT = Kit(
    first="tour-1",
    grid={"kind": "pointy", "columns": ["A", "D"], "rows": [1, 6]},
    states=(("Suppression, ou la lever", "suppressed"), ("Exposé, ou l’ôter", "exposed")),
    sides={"us": "Américains", "enemy": "Ennemi"},
    own_sides=True,
    shots={
        "us": Shot("attack", "attack_odds", alone, several=False, at_piece=True),
        "enemy": Shot("enemy_attack", "enemy_odds", alone, several=False, at_piece=True),
    },
    grids=("pointy", "pointy_odd"),
)
