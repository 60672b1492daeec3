"""Each rule of fire and movement that may be left out does what the game says then holds; figures by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tutor.core.registry import ask, game

GAME = game("combat_commander")
BROKEN = {"piece.peloton-us.status.broken": True}
ROAD = {"way.trail.L8": [3], "way.trail.M9": [6], "terrain.M9": "woods"}

#: rule, question, changes of ``livret-tir``, declaration, path in the value, value with the rule, value without it.
LEFT_OUT: list[tuple[str, str, dict[str, Any], dict[str, Any], str, Any, Any]] = [
    ("3.2.1", "values", {}, {"piece": "peloton-k8"}, "range", 3, 7),
    ("3.3.1.2", "values", {}, {"piece": "peloton-l8"}, "fp", 6, 5),
    ("3.3.1.3", "values", {"piece.equipe.at": "K8"}, {"piece": "mortier"}, "fp", 6, 8),
    ("13.2", "values", {"piece.peloton-us.status.suppressed": True}, {"piece": "peloton-us"}, "fp", 5, 6),
    ("E44.1", "values", {"piece.peloton-us.status.veteran": True}, {"piece": "peloton-us"}, "range", 7, 6),
    ("F106.1", "values", {"marker.fortification.M6": "wire"}, {"piece": "peloton-us"}, "morale", 4, 5),
    ("T93", "values", {}, {"piece": "peloton-us"}, "morale", 5, 6),
    (
        "3.2.4",
        "attack",
        BROKEN,
        {"firers": ["mg-l8"], "target": "M6", "roll": [6, 6], "defence": {"peloton-us": [1, 1]}},
        "pieces.peloton-us.result",
        "eliminated",
        "nothing",
    ),
    (
        "O20.3.4",
        "attack",
        {"piece.peloton-us.activated": "move"},
        {"firers": ["mg-l8"], "target": "M6", "roll": [1, 2], "defence": {"peloton-us": [3, 4]}},
        "pieces.peloton-us.result",
        "broken",
        "suppressed",
    ),
    ("10.3.1", "targeting", {}, {"weapon": "mortier", "target": "N7"}, "needed", 7, 4),
    ("10.3.1", "fire", {}, {"firers": ["mortier"], "target": "N7"}, "fp", 6, 3),
    ("10.3.2", "fire", {}, {"firers": ["equipe"], "target": "N7"}, "fp", -1, 2),
    ("O20.2.3", "targeting", {}, {"weapon": "mortier", "target": "N7", "roll": [3, 4]}, "product", 12, 7),
    ("T88.2", "fire", {}, {"firers": ["peloton-k8"], "target": "M6"}, "fp", 5, 4),
    ("T88.1", "step_cost", {}, {"start": "L8", "end": "K8"}, "", 2, 1),
    ("T93", "step_cost", {"terrain.M7": "woods"}, {"start": "M8", "end": "M7"}, "", 1, 2),
    ("T96", "step_cost", ROAD, {"start": "L8", "end": "M9"}, "", 1, 2),
    (
        "T92",
        "step_cost",
        {"way.rail.L8": [3], "way.rail.M9": [6], "terrain.M9": "woods"},
        {"start": "L8", "end": "M9"},
        "",
        1,
        2,
    ),
    ("T84", "step_cost", {"side.M7/M8": "fence"}, {"start": "M8", "end": "M7"}, "", 2, 1),
    ("T87", "step_cost", {"side.M7/M8": "hedge"}, {"start": "M8", "end": "M7"}, "", 2, 1),
    ("T97", "step_cost", {"side.M7/M8": "wall"}, {"start": "M8", "end": "M7"}, "", 2, 1),
    ("T87", "cover", {"side.M6/M7": "hedge"}, {"cell": "M6", "against": "fire", "firing_from": ["M9"]}, "value", 0, -1),
    ("T97", "cover", {"side.M6/M7": "wall"}, {"cell": "M6", "against": "fire", "firing_from": ["M9"]}, "value", 1, -1),
    ("11.1", "values", {}, {"piece": "peloton-l8", "only": ["move"]}, "move", 4, 5),
    ("O21.2", "move", {}, {"pieces": ["bolter", "peloton-l8"], "path": ["L9"]}, "allowance", 5, 7),
    ("O22.2", "recover_odds", {"piece.peloton-k8.status.suppressed": True}, {"piece": "peloton-k8"}, "morale", 9, 8),
    (
        "O22.2",
        "recover",
        {"piece.peloton-k8.status.suppressed": True},
        {"side": "axis", "rolls": {"peloton-k8": [4, 4]}},
        "peloton-k8.result",
        "rallied",
        "suppressed",
    ),
    (
        "O22.3",
        "recover",
        {},
        {"side": "axis", "rolls": {"peloton-k8": [4, 5]}},
        "peloton-k8.result",
        "suppressed",
        "rallied",
    ),
    ("O22.3", "recover_odds", {}, {"piece": "peloton-k8"}, "results.rallied", Fraction(26, 36), Fraction(30, 36)),
    (
        "A29",
        "attack",
        {"terrain.M6": "woods"},
        {"firers": ["mg-l8"], "target": "M6", "roll": [3, 4], "concealment": 1},
        "total",
        15,
        16,
    ),
    ("F106.2", "move", {"marker.fortification.K9": "wire"}, {"pieces": ["bolter"], "path": ["L9", "K9"]}, "left", 0, 5),
    (
        "E52",
        "stacking",
        {"piece.peloton-j7.at": "L8", "piece.bolter.at": "K8"},
        {"cell": "L8", "side": "axis"},
        "kept",
        6,
        4,
    ),
]

#: rule, question, declaration on ``livret-tir``: refused with the rule, allowed without it.
FREED: list[tuple[str, str, dict[str, Any]]] = [
    ("10.3.2.1", "fire", {"firers": ["equipe"], "target": "N7"}),
    ("A30", "fire", {"firers": ["peloton-l8"], "target": "M6", "actions": ["crossfire"]}),
    ("A34", "fire", {"firers": ["peloton-l8"], "target": "M6", "actions": ["grenades"]}),
    ("3.3.1.1", "activation", {"unit": "grein", "units": ["bolter"]}),
    (
        "A40",
        "fire",
        {"firers": ["peloton-us"], "target": "J6", "also": "J7", "actions": ["spray_fire"]},
    ),
    ("A33.1", "op_fire", {"firers": ["peloton-l8"], "target": "M6"}),
    ("A33.1", "op_fire", {"firers": ["peloton-l8"], "target": "M6", "cause": "transfer"}),
    ("A33.2", "op_fire", {"firers": ["peloton-l8"], "target": "M6", "entered": "M7"}),
    ("O16.1", "op_fire", {"firers": ["peloton-l8"], "target": "M6", "cause": "advance"}),
    ("O21.1", "move", {"pieces": ["peloton-k8"], "path": ["L8"], "spent": 2}),
]


def picked(value: Any, path: str) -> Any:
    """What a dotted path names in a value."""
    for name in filter(None, path.split(".")):
        value = value[name] if isinstance(value, dict) else getattr(value, name)
    return value


@pytest.mark.parametrize(("rule", "question", "changes", "declared", "path", "kept", "left_out"), LEFT_OUT)
def test_a_rule_left_out_changes_what_it_should(
    rule: str, question: str, changes: dict[str, Any], declared: dict[str, Any], path: str, kept: Any, left_out: Any
) -> None:
    position = GAME.position("livret-tir").change(changes)
    with_it = ask(position, question, **declared)
    assert picked(with_it.value, path) == kept
    assert rule in with_it.consulted
    assert picked(ask(position, question, without=[rule], **declared).value, path) == left_out


@pytest.mark.parametrize(("rule", "question", "declared"), FREED)
def test_a_prohibition_left_out_allows(rule: str, question: str, declared: dict[str, Any]) -> None:
    position = GAME.position("livret-tir")
    assert [step.rule for step in ask(position, question, **declared).refusals] == [rule]
    assert ask(position, question, without=[rule], **declared).computed


def test_airbursts_left_out() -> None:
    position = GAME.position("livret-tir").change({"terrain.N7": "woods", "marker.smoke.M8": None})
    declared: dict[str, Any] = {"firers": ["mortier"], "target": "N7", "roll": [3, 4]}
    assert ask(position, "attack", **declared).value.total == 15
    assert ask(position, "attack", without=["T99"], **declared).value.total == 13


def test_a_line_says_what_a_fire_loses_only_where_its_rule_holds() -> None:
    place, line = GAME.position("livret-ldv"), {"start": "M9", "end": "N6"}
    said = [[step.code for step in ask(place, "los", **line, without=out).trace.walk()] for out in ([], ["10.3.2"])]
    assert ["los.firepower" in codes for codes in said] == [True, False]
