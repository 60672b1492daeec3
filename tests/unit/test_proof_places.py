"""The number that is asked for has one form, and the steps that decide it are about its place, or its unit."""

from __future__ import annotations

import re

import pytest

from tests.asked import posed
from tutor.core.registry import GAMES
from tutor.course.exercises import Task
from tutor.course.headlines import answering_exercise, asked_of, head
from tutor.course.lessons import exercises
from tutor.course.matching import deciding, matches, view
from tutor.course.proof import deciding_steps

FRACTION = re.compile(r"(?<![\d./])\d+ ?(?:/|sur) ?\d+(?![\d./])")


def variants(game_id: str, exercise_id: str) -> list[Task]:
    written = Task.of(game_id, exercises(game_id)[exercise_id])
    return [written, *(written.variant(seed) for seed in range(1, 6))]


@pytest.mark.parametrize(
    ("game_id", "exercise_id"),
    [("tcs", "tcs-03-hauteur"), ("asl_sk", "asl-10-drm"), ("asl_sk", "asl-06-drm"), ("asl_sk", "asl-09-drm")],
)
def test_a_number_at_a_place_of_a_list_is_what_is_asked_for(game_id: str, exercise_id: str) -> None:
    for task in variants(game_id, exercise_id):
        seen = view(task.result())
        assert all(matches(asked.when, seen) for asked in asked_of(task)), task.question


def test_the_height_of_a_hex_is_not_shown_by_that_of_another() -> None:
    for task in variants("tcs", "tcs-03-hauteur"):
        result = task.result()
        answer = deciding(result, answering_exercise(task, result))
        few = deciding_steps(result, task.position, answer, asked_of(task))
        assert {place.ref for step in few for place in step.where if step.code == "elevation.basin"} <= {"02.09"}
        assert few


def test_the_drm_of_an_attack_is_shown_by_its_terms() -> None:
    for task in variants("asl_sk", "asl-10-drm"):
        result = task.result()
        answer = deciding(result, answering_exercise(task, result))
        codes = [step.code for step in deciding_steps(result, task.position, answer, asked_of(task))]
        assert "defence.term" in codes, task.question
        assert not {"defence.just_passed", "table.multipliers.factor"}.intersection(codes), task.question


@pytest.mark.parametrize("game_id", GAMES)
def test_no_question_offers_as_a_fraction_what_its_headline_says_in_per_cent(game_id: str) -> None:
    labels = [choice.label for one in posed(game_id) if one.prediction for choice in one.prediction.choices]
    assert labels
    assert not [label for label in labels if FRACTION.search(head(label).replace("\u00a0", " "))]
