"""A lesson scene by scene, in a kernel without a page: what the scenes are, what each asks, how far the reader is."""

from __future__ import annotations

import json
from typing import Any

import ipywidgets as ipw
import pytest

from tests.asked import posed
from tests.screen import click, controls, dressed, named, words
from tutor.core.marks import Fire
from tutor.core.registry import GAMES, game
from tutor.course.lessons import lesson, lessons
from tutor.course.links import Link, position_text
from tutor.course.models import Example, ReplayBlock, RuleText, WhatIfs
from tutor.course.prose import rule_ids
from widgets.board.layers import Note
from widgets.board.svg import board_svg
from widgets.host.page import Page
from widgets.host.prose import box
from widgets.player.example import ExamplePlayer
from widgets.player.lesson import LessonPage, grouped
from widgets.player.scenes import LessonStage

CC = "combat_commander"


@pytest.fixture
def played() -> LessonPage:
    made = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    made.opening()
    return made


def stage_of(played: LessonPage) -> LessonStage:
    assert played.stage is not None
    return played.stage


def first_of(played: LessonPage) -> ExamplePlayer:
    return next(iter(played.players.values()))


def test_a_lesson_is_its_scenes_in_order(played: LessonPage) -> None:
    stage = stage_of(played)
    names = [scene.name for scene in stage.scenes]
    assert names[:3] == ["À vous de prédire", "La règle", "Et si…"]
    assert names[-2:] == ["Exercices", "À retenir"]
    assert (played.examples(), played.exercises(), played.closing()) == (None, None, None)
    assert len({scene.id for scene in stage.scenes}) == len(stage.scenes)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_scene_of_every_lesson_can_be_entered_on_one_board(game_id: str) -> None:
    for content in lessons(game_id):
        if any(isinstance(block, ReplayBlock) for block in content.blocks):
            continue
        played = LessonPage(Page(), game_id, content, staged=True)
        played.opening()
        stage = stage_of(played)
        board = stage.stage.board
        # an address, and the scene a reader comes back to, name one scene
        assert len({scene.id for scene in stage.scenes}) == len(stage.scenes), content.id
        for _ in range(100):
            if stage.at == len(stage.scenes) - 1:
                break
            assert stage.scene.widgets, (content.id, stage.scene.id)
            stage.advance()
        assert stage.scene.id == "fin", content.id
        assert stage.stage.board is board


@pytest.mark.parametrize("game_id", GAMES)
def test_what_if_is_asked_of_the_example_that_it_names(game_id: str) -> None:
    """Two lessons ask one more of an example after the rule of another: the question had no sense there."""
    for one in lessons(game_id):
        for group in grouped(one.blocks):
            own = {block.id for block in group if isinstance(block, Example)}
            assert {block.example for block in group if isinstance(block, WhatIfs)} <= own, one.slug


def test_a_question_goes_from_asked_to_right_and_shows_its_proof(played: LessonPage) -> None:
    stage, player = stage_of(played), first_of(played)
    assert player.question is not None
    assert stage.scene.mark == "ahead"
    assert stage.stage.steps not in list(controls(stage.widget))
    named(stage.widget, "Oui, la vue est dégagée").click()
    assert player.question.state == "missed"
    assert stage.stage.steps not in list(controls(stage.widget))
    named(stage.widget, "Non, le bois la bloque en E3").click()
    assert (player.question.state, stage.scene.mark) == ("right", "done")
    assert stage.stage.steps in list(controls(stage.widget))
    assert "Juste, au second essai." in words(stage.widget)


def test_no_verdict_is_heard_again_in_another_scene(played: LessonPage) -> None:
    stage, first = stage_of(played), first_of(played)
    assert first.question
    heard: list[str] = []
    stage.page.bridge.observe(lambda change: heard.append(change["new"].strip("\u200b")), "announce")
    first.question.buttons[1].click()
    assert [sentence.partition(".")[0] for sentence in heard] == ["Juste"]
    verdict = heard.pop().removeprefix("Juste. ")[:20]
    for _ in range(2):
        stage.advance()
    stage.go(0)
    assert [sentence for sentence in heard if verdict in sentence or "Scène" not in sentence] == []
    assert len(heard) == 3


def test_what_if_shows_its_position_before_it_is_answered_and_no_verdict(played: LessonPage) -> None:
    stage, player = stage_of(played), first_of(played)
    before = stage.stage.position
    stage.go(stage.index(f"{player.example.id}-si"))
    assert stage.stage.position != before
    assert stage.stage.board.slot("sight") == ()
    stage.advance(-1)
    assert stage.stage.position == before


def test_a_scene_that_was_left_hears_no_click(played: LessonPage) -> None:
    stage, player = stage_of(played), first_of(played)
    asked = player.arguments
    stage.go(stage.index("exercices"))
    click(stage.stage.board, "A1")
    assert player.arguments == asked


def test_an_address_leads_to_its_scene_and_what_is_on_screen_has_one(played: LessonPage) -> None:
    stage, course = stage_of(played), played.page.course
    course.query = "?scene=exercices"
    assert stage.scene.id == "exercices"
    assert course.link == Link("lesson", CC, slug=played.content.slug, scene="exercices").url
    course.query = "?scene=inconnue"
    assert stage.scene.id == "exercices"
    course.query = ""
    assert stage.at == 0, "the browser went back to the address of the lesson"
    player = first_of(played)
    changed = player.position.change({"terrain.E3": None})
    course.query = f"?exemple={player.example.id}&position={position_text(changed.model_copy(update={'tweaks': []}))}"
    assert stage.scene.id == player.example.id
    assert stage.stage.position.terrain == changed.terrain


def test_everything_is_seen_on_one_page_when_asked_for() -> None:
    played = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    place = played.opening()
    played.page.course.query = "?vue=tout"
    assert played.stage is None
    assert all(player.live for player in played.players.values())
    assert list(controls(place)).count(played.page.course) == 1  # shown twice, it would hear each key twice


def test_a_teacher_hears_of_the_scene(played: LessonPage) -> None:
    stage_of(played).advance()
    assert played.page.course.where == {"lesson": f"{CC}/cc-04-ldv", "step": "La règle"}


def test_what_was_said_of_an_answer_goes_when_the_board_is_changed_and_comes_back_with_it(played: LessonPage) -> None:
    stage, player = stage_of(played), first_of(played)
    named(stage.widget, "Non, le bois la bloque en E3").click()
    assert "Juste." in words(stage.widget)
    player.change({"terrain.E3": None})
    assert "Juste." not in words(stage.widget)
    assert "votre réponse valait pour celle du départ" in words(stage.widget)
    named(stage.widget, "↶").click()
    assert "Juste." in words(stage.widget)
    player.change({"terrain.E3": None})
    player.change({"terrain.E3": "woods"})  # as it was, by hand: the reply says the verdict, and it is not said twice
    assert "Juste." in words(stage.widget)
    assert stage.stage.verdict.view.layout.display == "none"
    stage.go(stage.index(f"{player.example.id}-si"))
    stage.go(0)
    assert "Juste." in words(stage.widget)


@pytest.mark.parametrize("scene", ["lisiere-si", "lisiere-regle"])
def test_what_is_changed_of_a_place_is_taken_back_in_the_scene_where_it_was(played: LessonPage, scene: str) -> None:
    stage, player = stage_of(played), first_of(played)
    named(stage.widget, "Non, le bois la bloque en E3").click()
    stage.go(stage.index(scene))
    if scene.endswith("-si"):
        for choice in player.what_ifs.on_screen.buttons:
            choice.click()
        stage.go(0)
        stage.go(stage.index(scene))  # seen again, it begins with its own board, not with that of the example
    assert "↶" not in [getattr(one, "description", "") for one in controls(stage.widget)]  # nothing to take back
    supposed = stage.stage.position
    click(stage.stage.board, "D3")
    choices: Any = next(one for one in controls(stage.stage.spot) if isinstance(one, ipw.ToggleButtons))
    choices.value = "open" if choices.value != "open" else "woods"
    assert stage.stage.position != supposed
    undo = named(stage.widget, "↶")
    undo.click()
    assert stage.stage.position == supposed
    assert "ldv-closed" in dressed(undo)
    assert not undo.disabled  # it keeps the focus of who pressed it
    named(stage.widget, "↷").click()
    assert stage.stage.position != supposed
    named(stage.stage.spot, "Annuler").click()  # beside the choice, which no words push out of sight
    assert stage.stage.position == supposed
    named(stage.widget, "↷").click()
    assert stage.stage.verdict.view in list(controls(stage.widget))
    assert (stage.stage.verdict.view.layout.display == "none") == scene.endswith("-si")  # asked of again, not told yet


def test_a_variant_of_an_answered_exercise_is_passed_again() -> None:
    played = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    played.opening()
    stage = stage_of(played)
    stage.go(stage.index("exercices"))
    player = played.exercise_player
    player.submit(player.task().solution())
    assert named(stage.widget, "Continuer")
    named(player.panel, "Une autre").click()
    assert named(stage.widget, "Passer")


def test_hexes_are_marked_right_missed_and_extra_after_the_second_miss() -> None:
    played = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    played.opening()
    stage = stage_of(played)
    stage.go(stage.index("exercices"))
    stage.advance()
    player = played.exercise_player
    solution = sorted(player.task().solution())
    player.submit(("A1", solution[0]))
    assert stage.stage.board.slot("judged") == ()
    player.submit(("A1", "A2", solution[0]))
    notes = {layer.hex: layer.text for layer in stage.stage.board.slot("judged") if isinstance(layer, Note)}
    assert notes == {"A1": "en trop", "A2": "en trop", solution[0]: "juste"} | dict.fromkeys(solution[1:], "oublié")
    stage.advance(-1)
    assert stage.stage.board.slot("judged") == ()


@pytest.mark.parametrize("game_id", GAMES)
def test_each_example_has_a_sentence_of_a_rule_that_it_shows_and_each_rule_a_scene(game_id: str) -> None:
    for content in lessons(game_id):
        played = LessonPage(Page(), game_id, content, staged=True)
        if any(isinstance(block, ReplayBlock) for block in content.blocks):
            continue
        played.opening()
        texts = [text for block in content.blocks if isinstance(block, RuleText) for text in block.sentences]
        said = {rule for text in texts for rule in rule_ids(text)}
        bare = [
            f"{content.id}, {name}"
            for name, player in played.players.items()
            if not player.rule_count and not said & set(player.example.rules)
        ]
        assert not bare
        rules = [scene for scene in stage_of(played).scenes if scene.name == "La règle"]
        assert [words(box(*scene.widgets)).count('"ldv-rule-text') for scene in rules] == [1] * len(rules), content.id
        assert len(rules) == sum(player.rule_count for player in played.players.values())


def test_what_the_rules_refuse_is_drawn_as_refused() -> None:
    refused = next(one for one in posed(CC) if one.ask == "fire" and one.result.outcome == "refused")
    marks = game(CC).drawing(refused.result, refused.position)
    assert not [mark for mark in marks if isinstance(mark, Fire) and mark.legal]
    assert [mark for mark in marks if isinstance(mark, Fire)]
    assert "stroke-dasharray" in board_svg(refused.position, marks)


def test_answered_scenes_are_answered_when_the_reader_comes_back(played: LessonPage) -> None:
    player, stage = first_of(played), stage_of(played)
    played.page.course.ready = True
    assert player.question
    for button in player.question.buttons[:2]:
        button.click()
    said = words(player.question.widget)
    for _ in range(2):  # the rule, then the first « Et si… »
        stage.advance()
    kept = json.loads(played.page.bridge.to_store)
    marks = [scene.mark for scene in stage.scenes]

    again = LessonPage(Page(), CC, lesson(CC, "cc-04-ldv"), staged=True)
    again.opening()
    scenes = stage_of(again).scenes
    assert scenes[0].mark == "ahead"
    again.page.bridge.stored = json.dumps(kept)
    again.page.course.ready = True
    assert [scene.mark for scene in scenes] == marks
    assert marks[:2] != ["ahead", "ahead"]
    assert scenes[0].answered
    recalled = first_of(again).question
    assert recalled
    assert recalled.state == player.question.state
    assert words(recalled.widget) == said
    assert stage_of(again).stage.board.slot("sight")  # its proof is there, and is not played again


def test_what_was_remembered_may_not_fit_any_more(played: LessonPage) -> None:
    played.page.bridge.stored = (
        '{"answers": {"cc-04-ldv": {"lisiere": ["shown", 99, "x"], "fin": ["wrong"], "route": 4}}}'
    )
    played.page.course.ready = True
    assert not stage_of(played).scene.answered
    assert stage_of(played).scenes[-1].mark == "ahead"
