"""Sherman Leader: rows keep their names, what is not printed is unknown, the problems of positions are said."""

from __future__ import annotations

import re

import pytest

from tutor.course import lessons
from tutor.course.exercises import Task
from tutor.games.sherman_leader import GAME

GAME.load()


def test_no_word_of_the_vocabulary_hides_the_term_of_a_table_row():
    """A row is named by its own term in every sentence, whatever other words are called."""
    rows = [(name, row, table.term(row)) for name, table in GAME.tables.items() for row in table.rows]
    assert [(name, row) for name, row, term in rows if GAME.phrases.term(row) != term] == []


def test_what_the_booklet_does_not_print_is_unknown():
    assert GAME.tables["movement_chart"].get("5", "a") is None
    assert all(GAME.tables["chits"].get(row, "count") is None for row in GAME.tables["chits"].rows)
    assert GAME.tables["range"].cell("range_0", "dice").provenance == "interprétation"


def test_no_question_names_the_state_of_a_vehicle_by_its_key():
    for name, exercise in lessons.exercises("sherman_leader").items():
        task = Task.of("sherman_leader", exercise)
        for seed in range(8):
            assert not re.search(r"\b(hull|engine|armor)\b", task.question), name
            task = task.variant(seed)


def test_problems_are_said():
    position = GAME.position("ordres").change(
        {"terrain.B6": "water", "piece.char.at": "D3", "piece.chef-scout.carrier": "char"}
    )
    said = " ".join(GAME.problems(position))
    assert "Scout ne peut pas se trouver en B6" in said
    assert "Pz III ne peut pas se trouver en D3" in said
    assert "Chef du scout commande une unité qui n’est pas là" in said


@pytest.mark.parametrize(("question", "given"), [("attack", {}), ("resolve", {"dice": [4, 7]}), ("attack_odds", {})])
def test_an_attack_refused_for_a_dash_does_not_say_what_the_dice_must_show(question, given):
    position = GAME.position("tour-1").change({"piece.u921.front.he": 0})
    attack = GAME.rules[question](position, unit="u921", target="rifle-1", pay=True, **given)
    assert [step.code for step in attack.refusals] == ["attack.dash"]
    silenced = {"attack.need", "attack.need_plain", "resolve.dice", "resolve.destroyed", "odds.hit", "odds.success"}
    assert not silenced & {step.code for step in attack.trace.walk()}
