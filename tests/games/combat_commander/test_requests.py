"""Declarations that make no sense are said to be so, not refused in the name of a rule."""

from __future__ import annotations

import pytest

from tutor import ask, load_position
from tutor.core.errors import RequestError

SHOT = {"firers": ["peloton-us"], "target": "K7"}


@pytest.mark.parametrize(
    ("question", "arguments", "word"),
    [
        ("op_fire", {**SHOT, "cause": "promenade"}, "« cause » attend"),
        ("op_fire", {**SHOT, "already": -1}, "négatif"),
        ("move", {"pieces": ["peloton"], "path": ["K8"], "spent": -5}, "négatifs"),
        ("fire", {**SHOT, "mode": "promenade"}, "« mode » attend"),
        ("op_fire", {**SHOT, "left": "A1"}, "A1"),
        ("transfer", {"giver": "peloton", "receiver": "biermann", "spent": -1}, "négatifs"),
        (
            "move",
            {
                "pieces": ["peloton"],
                "path": ["K8", "K7"],
                "shots": [{"at": "K7", "firers": [], "defence": {"x": [1, 1]}}],
            },
            "x",
        ),
        ("retreat", {"piece": "peloton", "distance": 1}, "bord"),
        ("retreat", {"piece": "peloton", "distance": 1, "edge": "nord"}, "« edge » attend"),
        ("retreat", {"piece": "peloton", "distance": 0, "edge": "left"}, "moins"),
    ],
)
def test_a_senseless_declaration_is_a_request_error(question, arguments, word):
    with pytest.raises(RequestError) as caught:
        ask(load_position("combat_commander", "livret-tir-op"), question, **arguments)
    assert word in caught.value.sentence
    assert caught.value.remedy


def test_one_name_is_a_list_of_one():
    position = load_position("combat_commander", "livret-tir-op")
    shots = [{"at": "K7", "firers": "peloton-us", "roll": [1, 1], "defence": {"peloton": [6, 6], "biermann": [6, 6]}}]
    assert ask(position, "move", pieces="peloton", path="K8").value.spent == 2
    assert ask(position, "move", pieces="peloton", path=["K8", "K7"], shots=shots).value.shots[0].total == 7


def test_a_name_that_is_no_edge_is_a_request_error():
    position = load_position("combat_commander", "livret-tir-op").change({"state.edges": {"allies": "nord"}})
    with pytest.raises(RequestError) as caught:
        ask(position, "move", pieces=["peloton"], path=["exit"])
    assert "nord" in caught.value.sentence
