"""A reader in a replayed turn: what is asked, what is kept, how he goes about it; its track, its scene in a lesson."""

from __future__ import annotations

import re

import pytest

from tests.screen import announced, controls, send, words
from tutor.core.errors import ContentError
from tutor.course.links import Link
from tutor.course.replay import replay
from tutor.course.replay_words import dice_of, reasons
from tutor.course.turn import Standing, Turn
from widgets.host.page import Page
from widgets.host.whereabouts import Place, read
from widgets.player.answered import Answered
from widgets.player.lesson import LessonPage, lesson_page
from widgets.player.replay import ReplayKeys
from widgets.player.timeline import track

CC = "combat_commander"


@pytest.fixture
def turn() -> Turn:
    return Turn(CC, replay(CC, "le-hameau"))


@pytest.fixture
def staged() -> LessonPage:
    """The lesson on its stage."""
    made = lesson_page(Page(), CC, "cc-19-tour", staged=True)
    assert isinstance(made, LessonPage)
    made.opening()
    return made


# -- the model ----------------------------------------------------------------------------------------------------


def test_the_second_refusal_plays_what_is_allowed_and_says_so(turn: Turn) -> None:
    turn.go(3)
    assert turn.decide("krylov").refused
    assert turn.decide("krylov").refused, "the same choice again is no second try"
    assert (turn.standing(3), turn.waits) == ("missed", True)
    assert turn.decide("trop-tard").refused
    assert (turn.standing(3), turn.waits, turn.missed(3)) == ("shown", False, True)
    assert turn.move is not None
    assert turn.move.option is not None
    assert turn.move.option.id == "tirailleurs"


def test_an_event_that_is_passed_by_gives_nothing_away(turn: Turn) -> None:
    for number in range(1, turn.total + 1):
        turn.go(number)
        assert turn.waits == turn.asks(number)
        assert turn.waits == (turn.move is None)
    assert turn.run.moves == ()
    turn.go(99)
    assert turn.number == turn.total
    turn.go(-4)
    assert turn.number == 1


def test_a_decision_draws_the_way_again_and_the_same_one_keeps_it(turn: Turn) -> None:
    turn.decide("groupe")
    turn.go(3)
    turn.decide("attendre")
    calm = [event.step.id for event in turn.events()]
    assert "defense" not in calm
    turn.go(1)
    turn.decide("groupe")
    assert [event.step.id for event in turn.events()] == calm
    turn.decide("seule")
    assert turn.total != len(calm)
    assert turn.standing(3) == "asked", "what follows another decision is asked again"
    turn.decide("groupe")
    assert turn.standing(1) == "right"


def test_what_is_refused_once_answered_changes_nothing(turn: Turn) -> None:
    turn.decide("groupe")
    turn.go(2)
    turn.go(1)
    assert turn.decide("separes").refused
    assert (turn.standing(1), turn.missed(1), turn.waits) == ("right", False, False)
    assert turn.move is not None


def test_a_link_tells_where_to_begin_and_later_only_where_to_look(turn: Turn) -> None:
    turn.at("5-baa")
    assert (turn.number, turn.standing(1), turn.waits) == (5, "shown", True)
    turn.at(next(event.place for event in turn.events() if event.number == 10))
    assert turn.standing(5) == "asked", "a link of the track decides nothing"
    turn.at("2-a")
    assert turn.whole.moves[0].option is not None
    assert turn.whole.moves[0].option.id == "groupe"
    with pytest.raises(ContentError):
        turn.at("1-c")


def test_what_was_answered_is_recalled_and_the_link_followed_has_the_last_word(turn: Turn) -> None:
    kept: dict[str, tuple[Standing, tuple[int, ...]]] = {
        "1": ("right", (2, 1)),
        "2-b": ("shown", ()),
        "3-ba": ("missed", (1,)),
    }
    turn.recall(lambda key: kept.get(key, ("asked", ())))
    assert [turn.standing(number) for number in (1, 2, 3)] == ["right", "shown", "missed"]
    assert turn.missed(1)
    assert turn.place == "1-b"
    other = Turn(CC, replay(CC, "le-hameau"))
    other.at("2-a")
    other.recall(lambda key: kept.get(key, ("asked", ())))
    assert other.place == "2-a"
    assert (other.standing(1), other.missed(1)) == ("shown", False)


def test_reasons_name_the_rule_that_was_forgotten(turn: Turn) -> None:
    move = turn.decide("separes")
    assert move.result is not None
    said = reasons(move.result, move.before)
    assert "oublié la règle [[O20.3.1]] (Groupes de Tir)" in said[-1]
    turn.go(2)
    move = turn.decide("assaut")  # a rule that nobody may leave out: it is named all the same
    assert move.result is not None
    assert "[[O21.4]]" in reasons(move.result, move.before)[-1]


def test_dice_of_one_two_or_three_are_dice(turn: Turn) -> None:
    given = {"roll": [5], "axis": [6, 1, 2], "path": ["C2"], "spent": 3, "list": [7, 2], "flag": [True, 1]}
    assert [dice for _, dice in dice_of(given, turn.before)] == [(5,), (6, 1, 2)]


# -- the track, the scene -----------------------------------------------------------------------------------------


def test_the_track_names_turns_and_phases_and_marks_where_one_is(turn: Turn) -> None:
    turn.go(4)
    drawn = track(turn.events(), lambda place: Link("lesson", CC, slug="x", stage=place).url)
    assert drawn.count('aria-current="step"') == drawn.count('aria-current="true"') == 1
    assert re.search(r'aria-current="step" title="4\. Jet de Défense', drawn)
    assert re.search(r'<li class="ldv-track-phase" aria-current="true">.*?<small>Tir d’Op</small>', drawn)
    assert drawn.count("<a ") == turn.total == 13
    assert re.findall(r'track-turn"><b>([^<]*)', drawn) == ["Tour de l’Axe", "Tour des Alliés"]


def test_a_turn_is_a_scene_of_its_lesson(staged: LessonPage) -> None:
    assert staged.stage is not None
    player = staged.replay
    assert player is not None
    stage = staged.stage
    assert [scene.id for scene in stage.scenes] == ["le-hameau", "fin"]
    assert staged.page.course.link.endswith("19-un-tour-complet.ipynb")
    player.decide("separes")
    assert "Pas encore" in announced(stage.widget)
    assert "[O20" not in announced(stage.widget), "rule ids are written as prose"
    player.decide("seule")
    assert "Juste, au second essai" in announced(stage.widget)
    assert staged.page.course.link.endswith("?etape=1-b")
    stage.advance()
    assert player.number == 2
    keys = next(one for one in controls(stage.widget) if isinstance(one, ReplayKeys))
    send(keys, {"type": "key", "key": "last"})
    assert player.number == player.turn.total
    stage.advance()
    assert stage.scene.id == "fin"
    send(keys, {"type": "key", "key": "first"})
    assert player.number == player.turn.total, "its keys are heard only while the board is its own"
    assert "sans réponse" in words(stage.widget)
    stage.advance(-1)
    assert "Fin du tour" in words(stage.widget)


def test_answers_are_kept_and_come_back(staged: LessonPage) -> None:
    player = staged.replay
    assert player is not None
    player.decide("separes")
    player.decide("seule")
    kept = Answered(staged.page.progress, "cc-19-tour")
    assert (kept.state("le-hameau-1"), kept.presses("le-hameau-1")) == ("right", (2, 1))
    player.turn = Turn(CC, player.content)
    player.recall()
    assert player.turn.place == "1-b"


def test_a_place_remembers_the_event_and_one_of_before_has_none() -> None:
    there = Place(CC, "cc-19-tour", "19-un-tour-complet", "", "Tour", 5, 14, 1.0, "5-b")
    assert there.url.endswith("?etape=5-b")
    old = {"game": "tcs", "lesson": "x", "slug": "01-x", "scene": "s", "name": "", "at": 1, "of": 2}
    again = read(old)
    assert again is not None
    assert again.stage == ""
    assert read({**old, "stage": 7}) == again
