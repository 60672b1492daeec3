"""A board that a setting has changed is asked about again before it is told; what is dragged is followed at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.screen import announced, controls, named, words
from tutor.core.position import Position
from tutor.core.registry import ask
from tutor.core.result import Result
from tutor.course.lessons import lesson
from tutor.course.models import Choice
from widgets.board.words import whole
from widgets.host.page import Page
from widgets.host.prose import Writer, box
from widgets.player.example import ExamplePlayer
from widgets.player.lesson import LessonPage
from widgets.player.predictions import Prediction

CC = "combat_commander"


def answered(game_id: str, lesson_id: str, scene: str) -> ExamplePlayer:
    """The example of a scene on its stage, its question answered, rightly or not."""
    made = LessonPage(Page(), game_id, lesson(game_id, lesson_id), staged=True)
    made.opening()
    assert made.stage
    made.stage.go(made.stage.index(scene))
    player = made.players[scene]
    assert player.question
    for choice in player.question.buttons:
        choice.click()
    assert player.revealed
    return player


def offered(player: ExamplePlayer) -> list[str]:
    """What one may press of what is asked again; none where nothing is."""
    asked: Any = player.question and player.question.widget
    places = [one for one in controls(asked) if "ldv-again" in one.get_state("_dom_classes")["_dom_classes"]]
    if not places or places[0].layout.display == "none":
        return []
    return [
        one.description
        for one in controls(places[0])
        if getattr(one, "description", "") and one.layout.display != "none"
    ]


@pytest.fixture
def seen() -> ExamplePlayer:
    """C5 does not see F2: the wood of E3 is in the way."""
    return answered(CC, "cc-04-ldv", "lisiere")


def test_what_a_setting_has_changed_is_expected_before_it_is_told(seen: ExamplePlayer) -> None:
    verdict = seen.stage.verdict.view
    first = verdict.value
    seen.change({"terrain.E3": "open"})
    assert offered(seen) == ["Oui", "Non", "Montrer"]
    assert verdict.layout.display == "none"
    assert seen.stage.steps.layout.display == "none"
    assert seen.question
    named(seen.question.widget, "Non").click()
    assert "Pas cette fois." in announced(seen.question.widget)
    assert verdict.layout.display == "none"  # the reply says it
    assert seen.stage.steps.layout.display != "none"
    assert verdict.value != first
    assert offered(seen) == ["Non"]  # it stays, the focus is on it
    named(seen.tools, "↶").click()
    assert verdict.value == first
    assert offered(seen) == []
    named(seen.tools, "↷").click()
    assert verdict.value != first  # told already
    assert verdict.layout.display == "none"
    seen.change({"terrain.D4": "woods"})
    assert offered(seen) == ["Montrer"]  # no answer of the question says so
    assert "Pas cette fois." not in announced(seen.question.widget)


def test_a_changed_board_is_computed_once_to_ask_to_show_and_to_say(
    seen: ExamplePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Position] = []

    def counted(position: Position, *args: Any, **given: Any) -> Result[Any]:
        asked.append(position)
        return ask(position, *args, **given)

    for module in ("example", "questions"):
        monkeypatch.setattr(f"widgets.player.{module}.ask", counted)
    seen.change({"terrain.E3": "open"})
    assert seen.question
    named(seen.question.widget, "Oui").click()
    assert "Juste." in announced(seen.question.widget)
    assert asked == [seen.position]
    assert seen.stage.board.slot("sight")


def test_who_cannot_see_hears_what_is_asked_again(seen: ExamplePlayer) -> None:
    heard: list[str] = []
    seen.page.bridge.observe(lambda change: heard.append(change["new"].strip("\u200b")), "announce")
    seen.change({"terrain.E3": "open"})
    assert [one for one in heard if one] == ["Et maintenant\u00a0? Les Fusiliers voient-ils Krylov\u202f?"]


def test_of_a_number_only_its_answer_is_offered() -> None:
    player = answered("asl_sk", "asl-05-tir", "fp")
    tweak = next(one for one in player.example.tweaks if one.path.startswith("piece."))
    now = player.position.read(tweak.path)
    player.change({tweak.path: next(key for key in (tweak.options or {True: ""}) if key != now)})
    assert offered(player) == ["Montrer"]
    assert player.question
    named(player.question.widget, "Montrer").click()
    assert "Juste" not in announced(player.question.widget).rpartition("<div")[2]
    assert player.stage.steps.layout.display != "none"


def test_of_a_board_changed_after_a_what_if_the_first_question_is_asked(seen: ExamplePlayer) -> None:
    """« Et si… » supposes what is there no more."""
    what_if = seen.what_ifs.on_screen
    for choice in what_if.buttons:
        choice.click()
    assert what_if.done
    seen.change({"terrain.E4": "woods"})
    asked = words(what_if.widget).rpartition("Et maintenant")[2]
    assert whole("Les Fusiliers voient-ils Krylov") in asked
    assert "Et si" not in asked


def test_a_change_that_comes_back_to_what_was_asked_has_its_first_reply(seen: ExamplePlayer) -> None:
    assert seen.question
    first = announced(seen.question.widget)
    seen.change({"terrain.E3": "open"})
    seen.change({"terrain.E3": "woods"})
    assert offered(seen) == []
    assert announced(seen.question.widget) == first
    assert seen.stage.verdict.view.layout.display == "none"
    assert seen.stage.steps.layout.display != "none"


def test_where_no_question_is_on_screen_a_change_is_judged_at_once() -> None:
    made = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.opening()
    assert made.stage
    player = made.players["lisiere"]
    assert player.question
    for choice in player.question.buttons:
        choice.click()
    made.stage.go(made.stage.index("lisiere-regle"))
    assert made.stage.scene.id == "lisiere-regle"
    player.change({"terrain.E3": "open"})
    assert player.stage.board.slot("sight")
    assert offered(player) == []


def test_a_room_is_shown_at_once(seen: ExamplePlayer) -> None:
    seen.project()
    seen.disclose(True)
    seen.change({"terrain.E3": "open"})
    assert offered(seen) == []
    assert seen.stage.verdict.view.layout.display != "none"


def test_a_room_is_shown_the_answer_of_a_variant_when_it_is_asked_for() -> None:
    made = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.opening()
    assert made.stage
    player = made.players["lisiere"]
    player.project()
    made.stage.go(made.stage.index("lisiere-si"))
    shown = named(box(*made.stage.scene.widgets), "Montrer la réponse")
    assert not player.stage.board.slot("sight")
    shown.click()
    assert player.stage.board.slot("sight")
    made.stage.advance()
    assert shown.description == "Montrer la réponse"
    assert not player.stage.board.slot("sight")


def test_an_answer_that_is_shown_gives_a_rule_once() -> None:
    causes = {
        "Non": "7 égale 7 ([[3.2.3-NMC]]).",
        "Peut-être": "Le moral est 7 ([[3.2.3-NMC]], [[3.2.3-MC]]).",
        "Oui": "",
    }
    asked = Prediction(
        Writer("asl_sk"),
        "Tient-il ?",
        [Choice(label=label, when={}) for label in causes],
        causes.__getitem__,
        lambda: ("Oui", "Il tient. [[3.2.3-NMC]]"),
    )
    for made in asked.buttons[:2]:
        made.click()
    said = announced(asked.widget)
    assert (said.count(">3.2.3-NMC<"), said.count(">3.2.3-MC<")) == (1, 1)
