"""The end of a lesson: what was missed has a link to its scene, what was answered is counted, what comes next is there."""

from __future__ import annotations

import pytest

from tests.screen import words
from tutor.core.registry import GAMES
from tutor.course.lessons import lesson, lessons
from tutor.course.links import Link
from tutor.course.models import ReplayBlock
from widgets.board.words import whole
from widgets.host.page import Page
from widgets.player.ending import Asked, tally
from widgets.player.lesson import LessonPage

CC = "combat_commander"


def ended(played: LessonPage) -> str:
    assert played.stage is not None
    played.stage.go(len(played.stage.scenes) - 1)
    assert played.stage.scene.id == "fin"
    return words(played.stage.widget)


@pytest.fixture
def played(here: Page) -> LessonPage:
    made = LessonPage(here, CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.opening()
    return made


def test_a_missed_question_is_named_with_the_way_back(played: LessonPage) -> None:
    player = next(iter(played.players.values()))
    assert player.question is not None
    player.question.buttons[0].click()
    player.question.buttons[1].click()
    said = ended(played)
    assert "1 au second essai" in said
    assert "Ce qui vous a échappé" in said
    assert f"{Link('lesson', CC, slug='03-ldv-terrain-plat', scene=player.example.id).url}" in said
    assert played.stage is not None
    left = sum(one.state == "asked" for scene in played.stage.scenes for one in scene.asked)
    assert left > 5
    assert f"{left} sans réponse" in said
    assert "Fin de la leçon 3" in said
    assert "Leçon suivante" in said
    assert Link("lesson", CC, slug=lessons(CC)[3].slug).url in said


def test_nothing_of_the_last_question_stays_on_the_board(played: LessonPage) -> None:
    player = next(iter(played.players.values()))
    assert player.question is not None
    player.question.buttons[1].click()
    assert player.stage.board.layers
    ended(played)
    assert player.stage.board.layers == ()


def test_what_was_right_at_once_is_not_shown_again(played: LessonPage) -> None:
    player = next(iter(played.players.values()))
    assert player.question is not None
    player.question.buttons[1].click()
    said = ended(played)
    assert "1 du premier coup" in said
    assert "Ce qui vous a échappé" not in said


def test_a_missed_exercise_is_named_even_once_it_is_solved(played: LessonPage) -> None:
    assert played.stage is not None
    played.stage.go(played.stage.index("exercices"))
    exercises = played.exercise_player
    solution = exercises.task().solution()
    exercises.submit(next(one.label for one in exercises.exercise.answer.choices if one.label != solution))
    exercises.submit(solution)
    assert f"{whole(exercises.exercises[0].title)} <a" in ended(played)


def test_all_answered_is_a_finished_lesson() -> None:
    assert tally([Asked("?", "right", False), Asked("?", "asked", False), Asked("?", "missed", True)]) == (1, 0, 0, 2)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_lesson_ends_and_leads_to_the_next_one(game_id: str) -> None:
    course = lessons(game_id)
    for content, after in zip(course, [*course[1:], None], strict=True):
        if any(isinstance(block, ReplayBlock) for block in content.blocks):
            continue
        made = LessonPage(Page(), game_id, content, staged=True)
        made.opening()
        said = ended(made)
        assert "À retenir" in said
        assert after is None or Link("lesson", game_id, slug=after.slug).url in said
