"""What is shown of an exercise of Heroes of Normandie: what allows a shot, and which obstacle does not count."""

from __future__ import annotations

import pytest

from tests.asked import shown_of, variants
from tutor.course.diagnosis import replied
from tutor.course.exercises import Task
from tutor.course.figures import plain
from tutor.course.lessons import exercises

HN = "heroes_of_normandie"


def drawn(exercise_id: str, **wanted: str) -> Task:
    """A variant of an exercise whose arguments are those wanted."""
    written = Task.of(HN, exercises(HN)[exercise_id])
    tasks = (written, *(written.variant(seed) for seed in range(1, 40)))
    return next(one for one in tasks if all(one.arguments[name] == value for name, value in wanted.items()))


@pytest.mark.parametrize(
    ("unit", "plane", "said"),
    [
        ("dca", "spitfire", "La Flak, par sa capacité Chasseur/DCA, peut tirer sur le Spitfire, qui porte un ordre"),
        ("mg", "spitfire", "La MG, par sa capacité Rafale, peut tirer sur le Spitfire, qui porte un ordre"),
        ("dca", "piper", "peut tirer sur l’Auster, que nul nuage ne cache, et qui n’a pas d’ordre"),
    ],
)
def test_a_shot_at_a_plane_is_allowed_by_what_the_shooter_is_not_by_what_the_die_gets(unit, plane, said):
    task = drawn("hn-07-admis", unit=unit, plane=plane)
    assert said in plain(replied(task, None))
    assert "plane.bonus" not in shown_of(task)


def test_who_shoots_back_at_a_height_is_shown_the_obstacle_that_is_too_far():
    assert shown_of(drawn("hn-03-retour", start="H2")) == ["los.back", "los.beyond"]


def test_what_the_watchman_sees_is_answered_by_the_obstacle_not_by_the_range():
    for task in variants(HN, "hn-09-vue"):
        assert "floors.dot" not in shown_of(task), task.question
        assert "cases" not in plain(replied(task, None)), task.question
