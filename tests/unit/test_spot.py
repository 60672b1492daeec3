"""What may be changed of a place is offered on the board when it is touched."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw
import pytest

from tests.screen import click, controls, named
from tutor.core.registry import GAMES
from tutor.course.lessons import lesson, lessons
from tutor.course.options import cells_of
from widgets.board.events import KeyPressed
from widgets.host.page import Page
from widgets.player.example import ExamplePlayer
from widgets.player.lesson import LessonPage
from widgets.player.stage import Stage

CC = "combat_commander"


@pytest.fixture
def played() -> LessonPage:
    """A lesson on its stage, its first question answered."""
    made = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.opening()
    named(made.stage.widget, "Non, le bois la bloque en E3").click()
    return made


def first(played: LessonPage) -> ExamplePlayer:
    return next(iter(played.players.values()))


def offered(stage: Stage) -> list[str]:
    """What the choices over the board are, the chosen one marked."""
    rows = [one for one in controls(stage.spot) if isinstance(one, ipw.ToggleButtons)]
    return [f"{'*' if key == one.value else ''}{label}" for one in rows for label, key in one.options]


def test_a_touched_hex_offers_its_terrain_and_the_line_is_judged_anew(played: LessonPage) -> None:
    player = first(played)
    stage = player.stage
    assert offered(stage) == []
    click(stage.board, "E3")
    assert offered(stage) == ["Dégagé", "*Bois", "Bâtiment"]
    assert player.arguments["start"] == "C5"  # it is not chosen for the line meanwhile
    choices: Any = next(one for one in controls(stage.spot) if isinstance(one, ipw.ToggleButtons))
    choices.value = "open"
    assert player.position.terrain_of.get("E3") is None
    assert named(player.settings[-1], "Terrain en E3").value == "open"  # the list follows
    named(stage.spot, "Choisir E3").click()
    assert "E3" in player.arguments.values()
    assert offered(stage) == []


def test_a_place_offers_what_may_be_changed_also_to_who_comes_by_a_link_to_a_later_scene() -> None:
    made = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.page.course.query = "?scene=lisiere-si"
    made.opening()
    player = first(made)
    for choice in player.what_ifs.on_screen.buttons:
        choice.click()
    click(player.stage.board, "E3")
    assert "Bâtiment" in offered(player.stage)


def test_what_a_counter_offers_is_heard_and_its_verdict_not_again() -> None:
    made = LessonPage(Page(), "asl_sk", lesson("asl_sk", "asl-05-tir"), staged=True)
    made.opening()
    stage = made.stage
    assert stage
    stage.go(stage.index("fp"))
    player = made.players["fp"]
    assert player.question
    for button in player.question.buttons:
        button.click()
    heard: list[str] = []
    made.page.bridge.observe(lambda change: heard.append(change["new"].strip("\u200b")), "announce")
    click(player.stage.board, "D4")
    assert len(heard) == 1
    assert heard[0].startswith("D4")
    assert "Squad A Pin" in heard[0]


def test_what_was_offered_goes_with_escape_and_with_the_scene(played: LessonPage) -> None:
    stage = first(played).stage
    for leave in (
        lambda: stage.board.emit(KeyPressed("Escape")),
        lambda: click(stage.board, "H1"),
        lambda: played.stage.advance(),
    ):
        click(stage.board, "D3")
        assert offered(stage) == ["Dégagé", "*Bois", "Bâtiment"]
        leave()
        assert offered(stage) == []
        assert stage.board.slot("spot") == ()


def test_nothing_is_offered_before_the_answer() -> None:
    made = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.opening()
    click(first(made).stage.board, "E3")
    assert offered(first(made).stage) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_every_place_that_an_example_lets_change_offers_it(game_id: str) -> None:
    met = 0
    for content in lessons(game_id):
        made = LessonPage(Page(), game_id, content, staged=True)
        made.opening()
        if made.stage is None:
            continue
        for player in made.players.values():
            at = made.stage.index(player.example.id)
            if at < 0 or not player.example.tweaks:
                continue
            made.stage.go(at)
            player.disclose(True)
            assert player.settings
            for tweak in player.position.tweaks:
                for cell in cells_of(player.position, tweak.path):
                    click(player.stage.board, cell)
                    shown = [*controls(player.stage.spot)]
                    assert any(getattr(one, "description", "") == tweak.label for one in shown), (
                        player.example.id,
                        cell,
                    )
                    met += 1
    assert met > 5
