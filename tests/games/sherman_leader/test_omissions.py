"""Sherman Leader: a rule left out changes what it says it changes, and nothing else has to."""

from __future__ import annotations

from typing import Any

import pytest

from tutor import ask
from tutor.course.matching import matches, pick, view
from tutor.games.sherman_leader import GAME

GAME.load()

#: Rule left out, position, changes, question, its arguments, path of the value, with the rule, without it (by hand).
LEFT_OUT: list[tuple[str, str, dict[str, Any], str, dict[str, Any], str, Any, Any]] = [
    # defence 3 in heavy cover: 5, else 3
    ("5.4", "tir", {}, "attack", {"unit": "peloton", "target": "fusilier"}, "value.cover", 2, 0),
    # A5 is impassable and beside A6: a vehicle of speed 1 there reaches A5 only without the rule
    ("5.4.5", "plateau", {"piece.sherman.at": "A6"}, "move", {"unit": "sherman", "to": "A5"}, "outcome", "refused", "computed"),
    # B6 in heavy cover: 2 + 2 = 4 against 3, both need 6
    ("6.14", "cible", {"piece.peloton.at": "B6"}, "targets", {"unit": "pz4"}, "value.rule", "defence", "player"),
    # A3 is heavy, B3 clear
    ("6.10", "avance", {}, "enemy_move", {"unit": "camion", "order": "advance"}, "value.best", ["A3"], ["B3", "A3"]),
    ("6.17.7", "tour-1", {}, "attack", {"unit": "u921", "target": "rifle-1"}, "outcome", "refused", "computed"),
    # 3 + 1 + 2 - 2
    ("7.5", "degats", {}, "stress_after", {"unit": "peloton", "battle": 1}, "value", 4, 2),
    ("3.16.5", "degats", {}, "stress_after", {"unit": "peloton", "battle": 1}, "value", 4, 6),
    # range 1: 8
    ("10.3", "serie", {"setting.flank": "on"}, "attack", {"unit": "char", "target": "pz4"}, "value.flank", 8, None),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "name", "changes", "question", "given", "path", "kept", "left"), LEFT_OUT)
def test_a_rule_left_out_changes_its_value(rule, name, changes, question, given, path, kept, left):
    position = GAME.position(name).change(changes)
    assert pick(view(ask(position, question, **given)), path) == kept
    assert pick(view(ask(position, question, without=[rule], **given)), path) == left


def test_every_exercise_names_rules_that_explain_some_wrong_answer():
    """The rules an exercise may blame can all be left out, and each changes its answer or its value somewhere."""
    from tutor.course.exercises import Task
    from tutor.course.lessons import exercises

    idle = []
    for name, exercise in exercises("sherman_leader").items():
        for rule in exercise.omit or ():
            task = Task.of("sherman_leader", exercise)
            tasks = [task := task.variant(seed) for seed in range(30)] + [Task.of("sherman_leader", exercise)]
            if all(one.solution() == one.solution(without=[rule]) for one in tasks):
                idle.append((name, rule))
    assert idle == []


def test_dice_of_defence_left_over_are_not_thrown():
    position = GAME.position("tir")
    given = {"unit": "peloton", "target": "fusilier", "dice": [1, 5]}
    assert matches({"value": {"hits": 1, "cancelled": 1}}, view(ask(position, "resolve", defence=[2], **given)))
    assert (
        ask(position, "resolve", defence=[2, 9], **given).value == ask(position, "resolve", defence=[2], **given).value
    )
