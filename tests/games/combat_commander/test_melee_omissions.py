"""Each rule of melee, artillery, mines, repair and orders that may be left out does what the game says; figures by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.core.registry import ask, game
from tutor.core.trace import plain

GAME = game("combat_commander")
TIE: dict[str, Any] = {"cell": "C3", "axis": [4, 1], "allies": [3, 3], "holder": "axis"}

#: rule, board, changes, question, declaration, path in the value, value with the rule, value without it.
LEFT_OUT: list[tuple[str, str, dict[str, Any], str, dict[str, Any], str, Any, Any]] = [
    ("3.1.6", "melee", {}, "melee", {"cell": "C3"}, "strength.allies", 6, 5),
    ("O16.4.1", "melee", {}, "melee", {"cell": "C3"}, "strength.axis", 7, 11),
    ("A25", "melee", {}, "melee", {"cell": "C3", "ambushes": ["pistolets"]}, "strength.allies", 3, 6),
    ("F101", "melee", {"marker.fortification.C3": "bunker"}, "melee", TIE, "winner", "axis", "none"),
    ("F104", "melee", {"marker.fortification.C3": "pillbox"}, "melee", TIE, "winner", "axis", "none"),
    (
        "O16.2",
        "progression",
        {},
        "advance",
        {"piece": "pionniers"},
        "reach",
        ["C2", "D2", "C4", "B3", "B2"],
        ["C4", "B3", "B2"],
    ),
    ("O18.2.2.1", "artillerie", {}, "drift", {"cell": "G3", "roll": [1, 3]}, "end", "H2", "G3"),
    ("O18.2.2.2", "artillerie", {}, "drift", {"cell": "G3", "roll": [5, 3], "hit": False}, "end", "D4", "G4"),
    (
        "O18.2.3.3",
        "artillerie",
        {},
        "impact",
        {"radio": "radio", "cell": "G3", "roll": [4, 6]},
        "destroyed",
        "foxholes",
        None,
    ),
    (
        "F103.2",
        "fortifications",
        {"terrain.D3": "building"},
        "mines",
        {"movers": ["garde"], "start": "E3", "end": "D3"},
        "pieces.garde.morale",
        8,
        11,
    ),
    ("8.1.4", "livret-tir", {}, "smoke_marker", {"cell": "M8", "value": 2}, "", 3, 5),
    ("11.4", "armes", {}, "repair", {"hex": "C7"}, "mg", "eliminated", "fixed"),
    (
        "E52.2",
        "armes",
        {"piece.fusiliers.status.suppressed": True},
        "deploy",
        {"squad": "fusiliers"},
        "second",
        [],
        ["suppressed"],
    ),
    ("O14.4", "armes", {}, "order", {"order": "move", "units": ["fusiliers"]}, "", None, True),
    ("8.1.3", "fortifications", {}, "fortify", {"kind": "foxholes", "cell": "D4"}, "", None, "foxholes"),
]


def at(value: Any, path: str) -> Any:
    part = plain(value)
    for key in path.split(".") if path else ():
        part = part[key]
    return part


@pytest.mark.parametrize(
    ("rule", "board", "changes", "question", "declared", "path", "with_it", "without_it"), LEFT_OUT
)
def test_a_rule_left_out_changes_what_it_says(
    rule: str,
    board: str,
    changes: dict[str, Any],
    question: str,
    declared: dict[str, Any],
    path: str,
    with_it: Any,
    without_it: Any,
) -> None:
    position = GAME.position(board).change(changes)
    kept, left = ask(position, question, **declared), ask(position, question, without=[rule], **declared)
    assert rule in kept.consulted
    assert at(kept.value, path) == with_it
    assert at(left.value, path) == without_it
