"""Exercises of Tactical Combat Series as a reader plays them, where one ended in an alert."""

from __future__ import annotations

from tests.screen import announced, named
from tutor.core.registry import ask, game, load_position
from tutor.course.exercises import Task
from tutor.course.lessons import exercises
from widgets.host.page import Page
from widgets.host.prose import Writer
from widgets.player.exercise import ExercisePlayer


def test_a_profile_in_numbers_is_answered_in_every_variant() -> None:
    """« 30 » was taken for the name of a hex: the altitudes of a profile are called start and end like cells."""
    player = ExercisePlayer(Page(), "tcs", "tcs-02-profil", [exercises("tcs")["tcs-02-droite"]], Writer("tcs"))
    for _ in range(6):
        player.submit("1")
        player.submit(str(player.task().solution()))
        assert 'data-right="true"' in announced(player.widget)
        named(player.widget, "Une autre").click()


def test_the_line_of_a_profile_in_numbers_is_not_on_the_board() -> None:
    task = Task.of("tcs", exercises("tcs")["tcs-02-droite"])
    assert game("tcs").drawing(task.result(), task.position) == ()


def test_a_flight_is_rooted_at_the_rule_of_flights() -> None:
    flight = {"cell": "05.03", "side": "allies", "threat": "02.03", "path": ["06.02", "07.02"]}
    assert ask(load_position("tcs", "fuite"), "syr", **flight).trace.rule == "17.4"
