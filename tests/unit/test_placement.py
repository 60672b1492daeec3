"""« Je connais déjà » : one exercise of each lesson; the first answer alone says whether it is known."""

from __future__ import annotations

import pytest

from tutor.core.registry import GAMES
from tutor.course.lessons import readable
from widgets.course_page import course_page
from widgets.exercise import ExercisePlayer
from widgets.placement import PlacementPage, probes
from widgets.review import ReviewPage, training


def solve(player: ExercisePlayer) -> None:
    """Give the right answer to the exercise on screen, in the form of its field."""
    solution = player._task().solution()
    player._submit(
        tuple(solution)
        if isinstance(solution, frozenset)
        else solution
        if player.exercise.answer.kind != "number"
        else "refusé"
        if str(solution) == "REFUSED"
        else solution
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_every_lesson_with_exercises_is_probed_once(game_id: str) -> None:
    lessons = [lesson for lesson, _ in probes(game_id)]
    assert [one.id for one in lessons] == [one.id for one in readable(game_id)[0] if one.exercise_ids]


def test_a_lesson_solved_at_once_is_known_and_a_second_try_does_not_count() -> None:
    page = PlacementPage()
    solve(page.player)
    (first, _), (second, exercise) = page._test[:2]
    assert f"Vous savez déjà\u00a0: {first.title}" in page._advice.value
    assert f"Commencer par la leçon {second.number}" in page._advice.value
    page._judged(exercise, False)
    page._judged(exercise, True)
    assert f"Commencer par la leçon {second.number}" in page._advice.value


def test_another_book_is_another_test() -> None:
    page = PlacementPage()
    course_page().query = "?jeu=tcs"
    assert page.game_id == "tcs"
    assert {exercise.lesson for _, exercise in page._test} == {lesson.id for lesson, _ in page._test}


def test_a_rule_is_trained_by_an_exercise_that_names_it_another_than_last_time() -> None:
    for _ in range(20):
        found = training("combat_commander", "10.3.3", but="cc-05-valeur")
        assert found is not None
        assert found.id != "cc-05-valeur"
        assert "10.3.3" in found.rules
    assert training("combat_commander", "99") is None


def test_without_a_code_there_is_nothing_to_review() -> None:
    page = ReviewPage()
    course_page().ready = True
    assert "Rien à réviser pour l’instant" in page._said.value
