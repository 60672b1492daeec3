"""What a teacher prepares: every rulebook's exercises, examples and boards, a question of his own, a pasted board."""

from __future__ import annotations

import pytest

from tutor.core.registry import GAMES, game
from tutor.course.lessons import readable
from widgets import errors
from widgets.bridge import bridge
from widgets.teach_compose import Composer


def test_every_exercise_and_example_of_the_house_can_be_sent() -> None:
    composer = Composer(lambda: None)
    for game_id in GAMES:
        composer._game.value = game_id
        for form in ("exercise", "example", "board", "lesson"):
            composer._form.value = form
            body = composer.body()
            assert body["game"] == game_id
            assert body["title"]
            assert len(str(body)) < 60_000


def test_a_question_of_ones_own_is_checked() -> None:
    composer = Composer(lambda: None)
    composer._form.value = "choice"
    with pytest.raises(errors.TutorError, match="Il manque la question"):
        composer.body()
    composer._question.value = "Qui tire ?"
    composer._choices.value = "Eux\nEux"
    with pytest.raises(errors.TutorError, match="réponses différentes"):
        composer.body()
    composer._choices.value = "Eux\n\nNous "
    composer._right.value = 2
    assert composer.body()["choices"] == ["Eux", "Nous"]
    assert composer.body()["right"] == 1


def test_a_pasted_board_changes_the_rulebook(shown: list[str]) -> None:
    composer = Composer(lambda: None)
    composer._form.value = "kept"
    other = game("tcs").position(next(iter(game("tcs").positions())))
    composer._text.value = other.dump()
    composer._read.click()
    assert composer.body()["game"] == "tcs"
    composer._text.value = "rien de tel"
    composer._read.click()
    assert shown
    assert shown[-1]


def test_a_preview_that_is_left_leaves_the_page() -> None:
    before = set(bridge().boards)
    composer = Composer(lambda: None)
    for form in ("exercise", "example", "board", "message"):
        composer._form.value = form
        assert len(set(bridge().boards) - before) == (form != "message")
    composer._form.value = "example"
    composer.close()
    assert set(bridge().boards) == before


def test_no_list_of_the_composer_is_empty() -> None:
    composer = Composer(lambda: None)
    for game_id in GAMES:
        composer._game.value = game_id
        for form, has in (("exercise", "exercise_ids"), ("example", "examples")):
            composer._form.value = form
            offered = [key for _, key in composer._lesson.options]
            assert offered == [one.id for one in readable(game_id)[0] if getattr(one, has)]
