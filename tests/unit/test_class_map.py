"""What a class answered on the board is a map for its teacher, and for the projector once it is revealed."""

from __future__ import annotations

from typing import Any

from tests.screen import words
from tutor.core.marks import Heat
from tutor.course.crowd import common_causes, heat, picked
from tutor.course.exercises import Task
from tutor.course.lessons import exercises
from tutor.course.onboard import answers_on_board
from tutor.course.shown import choice_body, exercise_body, task_of
from widgets.classroom.heat import class_map
from widgets.classroom.question import ExerciseQuestion, causes
from widgets.host.page import Page

CC = "combat_commander"
BODY = exercise_body(CC, "cc-04-visibles", 0)


def rows(*given: tuple[Any, bool, int]) -> list[dict[str, Any]]:
    return [{"answer": answer, "ok": ok, "count": count} for answer, ok, count in given]


def test_the_map_counts_each_cell_once_for_each_learner() -> None:
    task = task_of(BODY)
    right = sorted(task.solution())
    given = rows((right, True, 20), (["E1", "E1"], False, 7), (["nulle part"], False, 3))
    counts = picked(task, given)
    assert counts["E1"] == 7 + (20 if "E1" in right else 0)
    assert set(counts) == {"E1", *right}
    mark = heat(counts, 30)
    assert isinstance(mark, Heat)
    assert all(0 < value <= 1 for _, value, _ in mark.values)


def test_a_choice_that_names_a_place_is_on_the_map_too() -> None:
    for one in exercises(CC).values():
        labels = [choice.label for choice in one.answer.choices]
        task = Task.of(CC, one)
        for cells, label in answers_on_board(labels, task.position).items():
            assert picked(task, rows((label, True, 4))) == dict.fromkeys(sorted(cells), 4) or len(cells) > 1
            assert picked(task, rows(("une autre réponse", True, 4))) == {}


def test_the_three_commonest_causes_come_first() -> None:
    given = rows((1, True, 9), *((n, False, n) for n in range(2, 8)))
    assert common_causes(given, lambda answer: f"cause {answer}") == [("cause 7", 7), ("cause 6", 6), ("cause 5", 5)]
    assert common_causes(given, lambda _: "") == []


def test_the_teacher_sees_where_and_why_and_nothing_before_an_answer() -> None:
    made = class_map(BODY, rows((["E1", "E2", "F1", "F2", "D2", "C4"], False, 12)), causes(BODY))
    assert "E1\u00a0: 12" in made
    assert "L’erreur la plus fréquente" in made
    assert "12 sur 12" in made
    assert class_map(BODY, [], causes(BODY)) == ""
    assert class_map(choice_body("Qui ?", ["A", "B"], 0, ""), rows(("A", True, 3)), lambda _: "") == ""


def test_those_who_err_alike_are_counted_together() -> None:
    cause, given = causes(BODY), rows((["E1"], False, 2), (["E1", "F1"], False, 3))
    assert cause(["E1"]) == cause(["E1", "F1"])
    assert "oublié" not in cause(["E1"])
    assert [count for _, count in common_causes(given, cause)] == [5]


def test_what_learners_typed_is_never_html() -> None:
    assert "<script" not in class_map(BODY, rows((["<script>"], False, 1), ("<script>", False, 1)), causes(BODY))


def test_the_projector_shows_the_map_once_revealed_and_hides_it_again() -> None:
    shown = ExerciseQuestion(Page(), BODY, None, large=True)
    hidden = {"revealed": False, "people": 4, "distribution": rows((["E1"], False, 4))}
    shown.update(hidden)
    assert "ldv-heat" not in words(shown.widget)
    shown.update({**hidden, "revealed": True})
    assert "ldv-heat" in words(shown.widget)
    shown.update(hidden)
    assert "ldv-heat" not in words(shown.widget)
    learner = ExerciseQuestion(Page(), BODY, lambda *_: None)
    learner.update({**hidden, "revealed": True})
    assert "ldv-heat" not in words(learner.widget)
