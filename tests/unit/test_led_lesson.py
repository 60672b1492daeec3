"""A lesson that a teacher leads: his scenes are told to the class, that of a learner follows them."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import pytest

from tests.channel import FakeChannel, following
from tests.screen import send, words
from tutor.core.registry import load_position
from tutor.course.lessons import lesson
from tutor.course.links import Link
from tutor.course.shown import Body, kept_lesson_body, lesson_body, scene_body
from tutor.course.teacher_lessons import Asked, Sheet
from widgets.classroom.browser import class_page
from widgets.classroom.live import LivePage
from widgets.classroom.pasted import body_of_kept
from widgets.classroom.projector import Projector
from widgets.classroom.scenes import leading_link
from widgets.editor.teacher_lesson import Part, Plan, kept_lesson
from widgets.host.page import Page
from widgets.pages.opening import follow_scenes
from widgets.player.lesson import LessonPage

CC, KEPT = "combat_commander", "KPSK54T5"
LINE = {"ask": "los", "with": {"start": "J9", "end": "K6"}}
ATTENDING = json.dumps({"code": "K7PM2Q", "token": "secret", "nickname": "Zoé"})


@pytest.fixture
def channel() -> FakeChannel:
    return FakeChannel()


@pytest.fixture
def here(channel: FakeChannel) -> Page:
    return following(channel)


def led_by(channel: FakeChannel) -> list[dict[str, Any]]:
    """What was said of the class that is led."""
    return [args for op, args in channel.sent if op == "class.control"]


def opened(page: Page, lesson_id: str = "cc-04-ldv") -> LessonPage:
    """A lesson on its stage."""
    made = LessonPage(page, CC, lesson(CC, lesson_id), staged=True)
    made.opening()
    follow_scenes(page, made)
    return made


def opened_kept(page: Page, code: str) -> LessonPage:
    """A lesson that a teacher wrote, on its stage."""
    asked = Asked.model_validate(LINE)
    example = Part("example", sheet=Sheet.of(load_position(CC, "livret-ldv"), asked))
    parts = (Part("situation", "Un bois."), example, Part("remember", "Une ligne."))
    made = kept_lesson(page, Plan("Voir", parts=parts).build(CC, "voir"), code, staged=True)
    assert made.widget
    follow_scenes(page, made)
    return made


def led(scene: str, at: int, event: str = "", lesson_id: str = "cc-04-ldv") -> dict[str, Any]:
    """What a session says while its teacher is on a scene."""
    return leading(scene_body(lesson_body(CC, lesson(CC, lesson_id)), scene, "La règle", at, event))


def leading(board: Body) -> dict[str, Any]:
    """What a session says while its teacher leads a lesson."""
    flags = {"closed": False, "locked": False, "revealed": False, "projector": False, "leading": True}
    return {"session": 5, "code": "K7PM2Q", "title": "Mardi", "push": None, "board": board, "people": 2, **flags}


def test_a_learner_follows_looks_about_and_follows_again(here: Page, channel: FakeChannel) -> None:
    played = opened(here)
    here.course.attending = ATTENDING
    stage = played.stage
    assert stage is not None
    names = [scene.id for scene in stage.scenes]
    question = played.players[names[0]].question
    assert question is not None
    question.buttons[1].click()
    channel.observer(led(names[2], 3))
    assert (stage.at, class_page(here).bar["text"]) == (2, "Vous suivez votre enseignant")
    channel.observer(led(names[2], 3) | {"people": 3})
    stage.go(0)
    assert stage.scene.answered, "what was answered is kept"
    assert (class_page(here).bar["label"], class_page(here).bar["press"]) == ("Le suivre", "follow")
    channel.observer(led(names[3], 4))
    assert stage.at == 0, "he looks about"
    assert "scène\u00a04" in class_page(here).bar["text"]
    send(class_page(here), {"type": "key", "key": "follow"})
    assert (stage.at, class_page(here).bar["label"]) == (3, "La classe")
    channel.observer(led(names[4], 5))
    assert stage.at == 4
    channel.observer(led(names[0], 1, lesson_id="cc-05-genes"))
    assert stage.at == 4
    assert "press" not in class_page(here).bar, "another lesson is on another page"


def test_events_of_a_turn_are_followed_too(here: Page, channel: FakeChannel) -> None:
    played = opened(here, "cc-19-tour")
    here.course.attending = ATTENDING
    assert played.stage is not None
    assert played.replay is not None
    channel.observer(led(played.replay.content.id, 1, "3", "cc-19-tour"))
    assert (played.stage.scene.id, played.replay.turn.number) == (played.replay.content.id, 3)
    assert class_page(here).bar["text"] == "Vous suivez votre enseignant"


def test_a_teacher_tells_his_scenes_once_each(here: Page, channel: FakeChannel) -> None:
    played = opened(here)
    assert played.stage is not None
    names = [scene.id for scene in played.stage.scenes]
    here.course.query = "?mode=projection&seance=7"
    assert led_by(channel) == [], "only who has the key leads"
    class_page(here).teacher = "clé"
    assert all(player.projected for player in played.players.values())
    played.stage.go(2)
    here.course.link = f"{here.course.link}&exemple={names[0]}"
    assert [(said["session"], said["leading"], said["board"]["scene"]) for said in led_by(channel)] == [
        (7, True, names[0]),
        (7, True, names[2]),
    ]
    assert led_by(channel)[-1]["board"]["at"] == 3
    assert class_page(here).bar["title"] == "Vous menez la classe"


def test_a_kept_lesson_without_a_board_is_read_and_led_by_nobody() -> None:
    text = (
        Part("situation", "Un bois."),
        Part("rule", "Il arrête la vue [[10.3]].", "Bois"),
        Part("remember", "Une ligne."),
    )
    board = Part("example", sheet=Sheet.of(load_position(CC, "livret-ldv"), Asked.model_validate(LINE)))
    kept = [Plan("Voir", parts=parts).build(CC, "voir") for parts in ((*text, board), text)]
    offered = [body_of_kept(KEPT, {"kind": "lesson", "body": one.dump()}) for one in kept]
    assert ["Mener la leçon" in leading_link(body, 7) for body in offered] == [True, False]
    assert "chacun la lit sur son écran" in leading_link(offered[1], 7)


def test_a_kept_lesson_leads_and_is_followed_in_the_same_way(here: Page, channel: FakeChannel) -> None:
    offered = kept_lesson_body(CC, KEPT, "Voir")
    link = Link("authored", slug=KEPT, projection=True, leads="7").url
    assert escape(link) in leading_link(offered, 7)
    here.course.query = link.partition("?")[2]
    class_page(here).teacher = "clé"
    led_stage = opened_kept(here, KEPT).stage
    assert led_stage is not None
    led_stage.go(1)
    boards = [said["board"] for said in led_by(channel)]
    assert boards == [scene_body(offered, one.id, one.name, at) for at, one in enumerate(led_stage.scenes[:2], 1)]

    class_of_learner = FakeChannel()
    learner = following(class_of_learner)
    learner.course.attending = ATTENDING
    class_of_learner.observer(leading(boards[1]))  # the class is known before the lesson comes
    stage = opened_kept(learner, KEPT).stage
    assert stage is not None
    assert (stage.at, class_page(learner).bar["text"]) == (1, "Vous suivez votre enseignant")
    class_of_learner.observer(leading(boards[0] | {"code": "ABCD2345"}))
    assert stage.at == 1
    assert "press" not in class_page(learner).bar, "another lesson is on another page"


def test_who_has_no_key_leads_nobody(here: Page, channel: FakeChannel) -> None:
    opened(here)
    here.course.query = "?seance=7"
    class_page(here).teacher = "faux"
    assert led_by(channel) == []


def test_class_page_and_projector_say_the_lesson_that_is_led(here: Page, channel: FakeChannel) -> None:
    page = LivePage(here)
    here.course.ready, here.course.attending = True, ATTENDING
    channel.observer(led("lisiere", 1))
    assert "Suivre la leçon" in words(page.widget)
    screen = Projector(Page(), channel, 5)  # type: ignore[arg-type]
    channel.observer(led("lisiere", 4))
    assert "Scène\u00a04" in words(screen.widget)
    assert "seance=5" in words(screen.widget)
