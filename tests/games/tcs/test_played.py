"""Exercises of Tactical Combat Series as a reader plays them, where one ended in an alert."""

from __future__ import annotations

from tests.screen import announced, named
from tutor.core.marks import Rays
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


def test_where_a_mortar_fires_too_no_ray_counts_and_the_mortar_is_the_reason() -> None:
    place = load_position("tcs", "tir-croise")
    answer = ask(place, "crossfire", target="05.05", firers=["nord", "sud-est", "mortier"])
    (rays,) = game("tcs").drawing(answer, place)
    assert isinstance(rays, Rays)
    assert (rays.counted, rays.note) == ((), "")
    assert [step.rule for step in answer.trace.children] == ["11.2a", "11.4a"]


def test_what_the_booklet_does_not_print_is_said_to_be_unknown() -> None:
    place = load_position("tcs", "tir-croise")
    answer = ask(place, "area_fire", firers=["nord", "sud-est"], target="05.05", observed=True)
    (shift,) = (step for step in answer.trace.walk() if step.code == "fire.terrain_shift")
    assert game("tcs").sentence(shift, place).endswith("cible en mode Tir\u00a0: inconnu.")
