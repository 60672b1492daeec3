"""What the free board and the editor offer in ASL Starter Kit."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.core.kit import Arguments, Kit, Shot
from tutor.core.position import Position


def led(position: Position, firers: Sequence[str], target: str) -> Arguments:
    """Arguments of a shot, leaders apart."""
    leaders = [i for i in firers if position.piece(i).kind == "leader"]
    return {"firers": [i for i in firers if i not in leaders], "target": target, "leaders": leaders}


KIT = Kit(
    first="genes",
    grid={"kind": "half_hex", "columns": ["A", "I"], "rows": [1, 6]},
    levels=(0, 1, 2, 3),
    markers=(("smoke", (1, 2, 3)), ("residual", (1, 2, 4, 6))),
    ways=("road",),
    states=(
        ("Démoraliser, ou rallier", "broken"),
        ("DM, ou l’ôter", "dm"),
        ("PIN, ou l’ôter", "pinned"),
        ("CX, ou l’ôter", "cx"),
    ),
    nations={"german": "axis", "american": "allies", "russian": "allies"},
    shots={"": Shot("fire", "fire_odds", led, stack=True)},
    catalogue="tables",
    joins=True,
)
