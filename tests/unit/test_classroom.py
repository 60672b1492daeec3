"""A learner in a class, in a kernel without a browser: joining, coming back, answering, following a led board."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.channel import FakeChannel, following
from tests.screen import announced, behind, board_of, controls, entry, named, seen, send, words
from tutor.core.phrases import NBSP
from tutor.core.registry import game
from tutor.course.headlines import together
from tutor.course.lessons import exercises, lesson
from tutor.course.lessons import lessons as all_lessons
from tutor.course.shown import board_body, choice_body, example_body, exercise_body, lesson_body
from widgets.board.events import HexClicked, PieceDropped
from widgets.classroom.attendance import attendance, bar_of
from widgets.classroom.browser import class_page
from widgets.classroom.join import JoinPanel
from widgets.classroom.live import LivePage
from widgets.classroom.question import ExerciseQuestion
from widgets.host.page import Page
from widgets.pages.home import HomePage
from widgets.player.lesson import LessonPage

CC = "combat_commander"
FLAGS = ("closed", "locked", "revealed", "projector", "leading")


@pytest.fixture
def channel() -> FakeChannel:
    return FakeChannel()


@pytest.fixture
def here(channel: FakeChannel) -> Page:
    return following(channel)


def state(body: Any = None, kind: str = "question", number: int = 3, **more: Any) -> dict[str, Any]:
    """What the topic of a session says."""
    push = {"id": number, "kind": kind, "body": body, "at": 0.0} if body else None
    flags = dict.fromkeys(FLAGS, False)
    payload = {
        "session": 5,
        "code": "K7PM2Q",
        "title": "Mardi",
        "push": push,
        "board": None,
        "people": 2,
        "answered": 0,
    }
    return {**payload, **flags, "distribution": None, **more}


def came(here: Page) -> LivePage:
    """The page of a class, on a tab that joined it."""
    page = LivePage(here)
    here.course.ready = True
    here.course.attending = json.dumps({"code": "K7PM2Q", "token": "secret", "nickname": "Zoé"})
    return page


def press(page: LivePage, label: str) -> None:
    """Press a choice."""
    named(page.widget, label).click()


def test_joining_is_remembered_by_the_tab_alone(here: Page, channel: FakeChannel) -> None:
    panel = JoinPanel(here, " k7p m2q ")
    named(panel.widget, "Votre pseudonyme").value = " Zoé "
    named(panel.widget, "Rejoindre").click()
    assert channel.last("join") == {"code": "K7PM2Q", "nickname": "Zoé", "token": ""}
    assert json.loads(class_page(here).keep["classe"])["token"] == "jeton"
    assert class_page(here).go == "/voila/render/classe.ipynb"


def test_a_forged_code_or_an_empty_nickname_is_a_sentence(here: Page, channel: FakeChannel) -> None:
    panel = JoinPanel(here, "ZZZZZZ")
    named(panel.widget, "Rejoindre").click()
    assert "pseudonyme" in announced(panel.widget)
    named(panel.widget, "Votre pseudonyme").value = "Zoé" * 20
    named(panel.widget, "Rejoindre").click()
    assert "trop long" in announced(panel.widget)
    named(panel.widget, "Votre pseudonyme").value = "Zoé"
    named(panel.widget, "Rejoindre").click()
    assert "Aucune séance ouverte" in announced(panel.widget)
    assert class_page(here).go == ""


def test_a_tab_comes_back_as_the_same_participant(here: Page, channel: FakeChannel) -> None:
    came(here)
    assert channel.last("join") == {"code": "K7PM2Q", "nickname": "Zoé", "token": "secret"}
    assert attendance(here).session == 5


@pytest.mark.parametrize("kept", ["abîmé", '{"code": "K7PM2Q"}', '{"code": "ZZZZZZ", "token": "x", "nickname": "y"}'])
def test_what_a_tab_remembers_wrongly_is_forgotten(here: Page, channel: FakeChannel, kept: str) -> None:
    page = LivePage(here)
    here.course.ready = True
    here.course.attending = kept
    assert attendance(here).session == 0
    assert page.question is page.board is None
    assert "ldv-waiting" not in words(page.widget)


def test_an_answer_is_judged_by_the_engine_and_said_once_revealed(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    body = exercise_body(CC, "cc-04-voit", 0)
    channel.observer(state(body))
    press(page, "Oui")
    sent = channel.last("class.answer")
    assert (sent["push"], sent["answer"], sent["ok"]) == (3, "Oui", False)
    question = page.question
    assert isinstance(question, ExerciseQuestion)
    assert "Réponse notée" in announced(page.widget)
    assert 'data-outcome="blocked"' not in question.stage.verdict.view.value
    shown = [{"answer": "Oui", "ok": False, "count": 1}]
    channel.observer(state(body, revealed=True, distribution=shown))
    assert 'data-outcome="blocked"' in question.stage.verdict.view.value
    assert 'data-right="false"' in announced(page.widget)
    assert "ldv-bars" in words(question.widget)


@pytest.mark.parametrize("given", [["C4"], ["C4", "E2"], None], ids=["a miss", "right", "a projector"])
def test_what_several_hexes_answer_is_said_once_in_the_reply(given: list[str] | None) -> None:
    answers = (lambda *_: None) if given else None
    question = ExerciseQuestion(Page(), exercise_body(CC, "cc-04-visibles", 0), answers)
    if given:
        question.restore(given)
    question.update({"revealed": True, "people": 1})
    assert announced(question.widget).count(f"C4 et E2{NBSP}: oui.") == 1
    assert not seen(question.stage.verdict.view)
    assert seen(question.stage.steps)


def test_what_an_order_answers_is_said_once_in_the_reply() -> None:
    ordered = next(one for one in exercises(CC).values() if one.answer.kind == "order")
    question = ExerciseQuestion(Page(), exercise_body(CC, ordered.id, 0), None)
    question.update({"revealed": True, "people": 1})
    assert announced(question.widget).count(together(question.task)) == 1
    assert not seen(question.stage.verdict.view)


@pytest.mark.parametrize(
    ("exercise", "choice", "missed"),
    [
        ("cc-04-voit", "Oui", ["10.1"]),
        ("cc-04-voit", "Oui, mais gênée", ["10.2"]),
        ("cc-07-refus", "C’est permis", ["O20.3.1"]),
    ],
)
def test_a_teacher_learns_the_rule_that_the_cause_of_a_mistake_names(
    here: Page, channel: FakeChannel, exercise: str, choice: str, missed: list[str]
) -> None:
    page = came(here)
    channel.observer(state(exercise_body(CC, exercise, 0)))
    press(page, choice)
    assert channel.last("class.answer")["missed"] == missed


def test_the_right_choice_reaches_no_page_before_it_is_revealed(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    body = choice_body("Qui tire ?", ["Eux", "Nous <i>"], 1, "Ils ont l’initiative.")
    channel.observer(state({**body, "secret": None}))
    press(page, "Nous <i>")
    assert channel.last("class.answer")["ok"] is True
    question = page.question
    assert question is not None
    assert "initiative" not in announced(page.widget)
    channel.observer(state(body, revealed=True, distribution=[{"answer": "Nous <i>", "ok": True, "count": 1}]))
    assert "Juste" in announced(page.widget)
    assert "initiative" in announced(page.widget)
    assert "<i>" not in announced(page.widget) + words(question.widget).replace('<i style="', "")


def test_an_answer_given_before_a_reload_is_taken_up(here: Page, channel: FakeChannel) -> None:
    channel.mine = [{"push": 3, "answer": "Oui", "ok": False, "tries": 1}]
    page = came(here)
    channel.observer(state(exercise_body(CC, "cc-04-voit", 0)))
    assert "Oui" in announced(page.widget)


def test_closed_answers_cannot_be_given(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    channel.observer(state(exercise_body(CC, "cc-04-voit", 0), locked=True))
    assert page.question is not None
    assert not seen(behind(page.widget, behind(page.widget, named(page.widget, "Oui"))))
    assert "fermé les réponses" in announced(page.widget)


def test_a_late_answer_is_not_given_to_the_next_question(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    body = choice_body("Qui tire ?", ["Eux", "Nous"], 1, "")
    channel.observer(state(body))
    left = page.question
    assert left is not None
    late = named(left.widget, "Eux")
    channel.observer(state(choice_body("Qui avance ?", ["Eux", "Nous"], 0, ""), number=4))
    late.click()
    assert "class.answer" not in [op for op, _ in channel.sent]


def test_what_came_of_an_answer_is_not_said_under_the_next_question(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    channel.late = []
    channel.observer(state(choice_body("Qui tire ?", ["Eux", "Nous"], 1, "")))
    press(page, "Eux")
    channel.observer(state(choice_body("Qui avance ?", ["Eux", "Nous"], 0, ""), number=4))
    for reply in channel.late:
        reply()
    assert announced(page.widget) == ""


def test_what_was_answered_before_a_reload_does_not_hide_what_is_answered_now(here: Page, channel: FakeChannel) -> None:
    channel.late, channel.mine = [], [{"push": 3, "answer": "Oui", "ok": False, "tries": 1}]
    page = came(here)
    channel.observer(state(exercise_body(CC, "cc-04-voit", 0)))
    press(page, "Non")
    for reply in channel.late:
        reply()
    assert "Non" in announced(page.widget)


@pytest.mark.parametrize(("flag", "said"), [("locked", "fermé les réponses"), ("revealed", "data-right")])
def test_an_answer_that_comes_once_answers_are_closed_is_not_given(
    here: Page, channel: FakeChannel, flag: str, said: str
) -> None:
    page = came(here)
    body = exercise_body(CC, "cc-04-voit", 0)
    channel.observer(state(body))
    press(page, "Oui")
    channel.observer(state(body, **{flag: True}))
    press(page, "Non")
    assert said in announced(page.widget)
    channel.observer(state(body, revealed=True))
    assert 'data-right="false"' in announced(page.widget)
    assert [args["answer"] for op, args in channel.sent if op == "class.answer"] == ["Oui"]


def test_what_was_begun_as_the_answer_was_revealed_is_not_said_to_be_wrong() -> None:
    question = ExerciseQuestion(Page(), exercise_body(CC, "cc-02-distance", 0), lambda *_: None)
    question.update({"revealed": True, "people": 1})
    said = announced(question.widget)
    check = named(question.widget, "Vérifier")
    check.click()
    assert announced(question.widget) == said
    question.update({"revealed": False, "people": 1})
    check.click()
    assert "ne compte pas" in announced(question.widget)


def test_what_is_wrong_with_a_typed_hex_is_said_no_longer_once_hexes_are_read_or_the_answer_is_shown(
    shown: list[str],
) -> None:
    question = ExerciseQuestion(Page(), exercise_body(CC, "cc-04-visibles", 0), lambda *_: None)
    typed = entry(question.widget)
    typed.value = "99"
    assert "99" in shown[-1]
    typed.value = "E2"
    assert shown[-1] == ""
    typed.value = "99"
    assert "99" in shown[-1]
    question.update({"revealed": True, "people": 1})
    assert shown[-1] == ""
    written = len(shown)
    question.update({"revealed": False, "people": 1})
    question.update({"revealed": True, "people": 1})
    assert len(shown) == written  # what else the page says stays


def test_an_answer_that_is_refused_leaves_the_one_that_was_noted(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    body = exercise_body(CC, "cc-04-voit", 0)
    channel.observer(state(body))
    press(page, "Oui")
    channel.refused = {"Non"}
    press(page, "Non")
    assert "fermé les réponses" in announced(page.widget)
    channel.observer(state(body, revealed=True))
    assert 'data-right="false"' in announced(page.widget)


def test_a_link_to_a_class_brings_its_panel_first_and_makes_nothing_else_anew(here: Page, channel: FakeChannel) -> None:
    """What a page makes anew while one types in it loses letters."""
    page = HomePage(here)
    shown = page.widget.children
    here.course.query = "?classe=K7PM2Q"
    assert page.widget.children == shown
    code = named(page.widget, "Code de la séance")
    assert code.value == "K7PM2Q"
    order = list(controls(page.widget))
    assert order.index(code) < order.index(board_of(page.widget))
    first = page.widget.children[0]
    assert seen(first)
    assert code in controls(first)


def test_joining_twice_is_joining_once(here: Page, channel: FakeChannel) -> None:
    panel = JoinPanel(here, "K7PM2Q")
    named(panel.widget, "Votre pseudonyme").value = "Zoé"
    named(panel.widget, "Rejoindre").click()
    named(panel.widget, "Rejoindre").click()
    assert [op for op, _ in channel.sent].count("join") == 1
    assert class_page(here).go == "/voila/render/classe.ipynb"


def test_another_class_is_followed_once_it_is_joined(here: Page, channel: FakeChannel) -> None:
    came(here)
    channel.known.add("ABCDEF")
    panel = JoinPanel(here, "ABCDEF")
    named(panel.widget, "Votre pseudonyme").value = "Zoé"
    channel.session = 6
    named(panel.widget, "Rejoindre").click()
    assert (attendance(here).session, channel.ended) == (6, 1)


def first_example() -> tuple[Any, Any, Any]:
    content = lesson(CC, "cc-04-ldv")
    example = next(iter(content.examples.values()))
    return content, example, game(CC).position(example.position).change(example.changes)


def test_a_pushed_board_hides_its_verdict_then_follows_the_teacher(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    content, example, position = first_example()
    body = example_body(CC, content, example, position, example.with_)
    channel.observer(state(body, "position"))
    board = page.board
    assert board is not None
    assert 'data-outcome="pending"' in board.stage.verdict.view.value
    led = example_body(CC, content, example, position.change({"terrain.E3": None}), example.with_)
    channel.observer(state(body, "position", leading=True, board=led, revealed=True))
    board = page.board
    assert board is not None
    assert board.position.terrain_of.get("E3") is None
    assert 'data-outcome="clear"' in board.stage.verdict.view.value
    before = board.position
    piece = next(p for p in before.pieces if p.at)
    board.stage.board.emit(PieceDropped(piece.id, str(piece.at), next(c for c in before.grid.cells if c != piece.at)))
    assert board.position == before
    named(board.widget, "Réinitialiser").click()
    assert board.position.terrain_of.get("E3") is None, "a led board obeys the teacher alone"


def test_a_closed_board_that_is_touched_late_shows_what_stands(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    content, example, position = first_example()
    body = example_body(CC, content, example, position, example.with_)
    channel.observer(state(body, kind="position", locked=True))
    board = page.board
    assert board is not None
    start, control = (named(board.widget, pick.label) for pick in example.picks)
    asked = control.value
    control.value = next(cell for cell in position.grid.cells if cell not in (asked, board.arguments["start"]))
    assert (control.value, board.arguments["end"]) == (asked, asked)
    board.stage.board.emit(HexClicked("B1"))
    assert control.value == board.arguments["end"]
    assert start.value == board.arguments["start"]


def test_a_free_board_has_its_line_of_sight(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    position = game(CC).position("livret-ldv")
    channel.observer(state(board_body(position, "Qui voit ?", {"start": "J9", "end": "K6"}), "position", revealed=True))
    assert page.board is not None
    assert 'data-outcome="blocked"' in page.board.stage.verdict.view.value


def test_a_body_that_cannot_be_read_is_a_sentence(here: Page, channel: FakeChannel) -> None:
    page = came(here)
    for number, body in enumerate(
        [
            {"form": "exercise", "game": "echecs", "exercise": "x"},
            {"form": "exercise", "game": CC, "exercise": "parti"},
            {"form": "board", "game": CC, "position": "zzz"},
            {"form": "board", "game": CC, "position": "schema: ["},
            {"form": "lesson", "game": "<b>"},
        ]
    ):
        channel.observer(state(body, number=number + 1))
        assert "ldv-failure" in words(page.widget), body
    channel.observer(state(lesson_body(CC, all_lessons(CC)[0]), "lesson", 9))
    assert "Ouvrir la leçon" in words(page.widget)


@pytest.mark.parametrize("end", ["erased", "removed"])
def test_a_session_that_ends_for_a_learner(here: Page, channel: FakeChannel, end: str) -> None:
    page = came(here)
    channel.observer(state())
    channel.observer({"session": 5, end: True})
    assert attendance(here).session == 0
    assert channel.ended == 1
    assert class_page(here).keep["classe"] == ""
    assert "séance" in words(page.widget)


def test_the_bar_says_what_waits() -> None:
    assert bar_of(state({"form": "choice"}), "Zoé", False)["hot"]
    assert "fermées" in bar_of(state({"form": "choice"}, locked=True), "Zoé", False)["text"]
    assert bar_of(state(leading=True), "Zoé", False)["label"] == "Regarder"
    assert "close" in bar_of(state(closed=True), "Zoé", False)["text"]


def test_a_lesson_tells_where_its_reader_is(here: Page, channel: FakeChannel) -> None:
    page = LessonPage(here, CC, lesson(CC, "cc-04-ldv"))
    page.opening()
    page.exercises()
    here.course.attending = json.dumps({"code": "K7PM2Q", "token": "secret", "nickname": "Zoé"})
    channel.observer(state())
    assert class_page(here).bar["title"] == "Mardi"
    assert channel.last("class.where")["lesson"] == f"{CC}/cc-04-ldv"
    first = page.exercise_player
    assert exercises(CC)[first.exercise.id].answer.kind == "choice"
    for wrong in ("Oui", "Oui, mais gênée"):
        first.submit(wrong)
    place = channel.last("class.where")
    assert (place["exercise"], place["stuck"]) == ("1", "10.2")  # of the second answer
    first.go(1)  # its answer was shown: the reader goes on
    assert channel.last("class.where")["stuck"] == ""
    for _ in range(2):
        send(class_page(here), {"type": "key", "key": "stuck"})
    assert channel.last("class.where")["stuck"] == "aide"
    send(class_page(here), {"type": "key", "key": "unstuck"})
    assert channel.last("class.where")["stuck"] == ""


def test_a_page_outside_a_class_imports_nothing_of_it() -> None:
    code = (
        "import sys; from widgets.pages.lesson import lesson; p = lesson('combat_commander', 'cc-04-ldv');"
        "p.opening(); p.exercises(); p.closing();"
        "print([m for m in sys.modules if m.startswith(('widgets.classroom.attendance', 'widgets.classroom.teacher', 'segno'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
