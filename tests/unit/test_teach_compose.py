"""What a teacher prepares: every rulebook's exercises, examples and boards, a question of his own, a pasted board."""

from __future__ import annotations

import pytest

from tests.screen import named, tabs, written
from tutor.core.registry import GAMES, game
from tutor.course.lessons import readable
from widgets.board import errors
from widgets.classroom.compose import Composer
from widgets.host.page import Page


def test_every_exercise_and_example_of_the_house_can_be_sent() -> None:
    composer = Composer(Page(), lambda: None)
    for game_id in GAMES:
        named(composer.widget, "Livret").value = game_id
        for form in ("exercise", "example", "board", "lesson"):
            tabs(composer.widget).value = form
            body = composer.body()
            assert body["game"] == game_id
            assert body["title"]
            assert len(str(body)) < 60_000


def test_a_question_of_ones_own_is_checked() -> None:
    composer = Composer(Page(), lambda: None)
    tabs(composer.widget).value = "choice"
    with pytest.raises(errors.TutorError, match="Il manque la question"):
        composer.body()
    written(composer.widget, "Votre question").value = "Qui tire ?"
    written(composer.widget, "Une réponse").value = "Eux\nEux"
    with pytest.raises(errors.TutorError, match="réponses différentes"):
        composer.body()
    written(composer.widget, "Une réponse").value = "Eux\n\nNous "
    named(composer.widget, "Numéro de la bonne (0 : aucune)").value = 2
    assert composer.body()["choices"] == ["Eux", "Nous"]
    assert composer.body()["right"] == 1


def test_a_pasted_board_changes_the_rulebook(shown: list[str]) -> None:
    composer = Composer(Page(), lambda: None)
    tabs(composer.widget).value = "kept"
    other = game("tcs").position(next(iter(game("tcs").positions())))
    written(composer.widget, "Collez").value = other.dump()
    named(composer.widget, "Lire").click()
    assert composer.body()["game"] == "tcs"
    written(composer.widget, "Collez").value = "rien de tel"
    named(composer.widget, "Lire").click()
    assert shown
    assert shown[-1]


def test_a_preview_that_is_left_leaves_the_page(here: Page) -> None:
    before = set(here.bridge.boards)
    composer = Composer(here, lambda: None)
    for form in ("exercise", "example", "board", "message"):
        tabs(composer.widget).value = form
        assert len(set(here.bridge.boards) - before) == (form != "message")
    tabs(composer.widget).value = "example"
    composer.close()
    assert set(here.bridge.boards) == before


def test_no_list_of_the_composer_is_empty() -> None:
    composer = Composer(Page(), lambda: None)
    for game_id in GAMES:
        named(composer.widget, "Livret").value = game_id
        for form, has in (("exercise", "exercise_ids"), ("example", "examples")):
            tabs(composer.widget).value = form
            offered = [key for _, key in named(composer.widget, "Leçon").options]
            assert offered == [one.id for one in readable(game_id)[0] if getattr(one, has)]
