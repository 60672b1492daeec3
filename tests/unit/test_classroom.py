"""A learner in a class, in a kernel without a browser: joining, coming back, answering, following a led board."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tutor.core.registry import game
from tutor.course.lessons import exercises, lesson
from tutor.course.lessons import lessons as all_lessons
from widgets.channel import Reply
from widgets.classroom import Attendance, attendance, bar_of
from widgets.classroom_join import JoinPanel
from widgets.classroom_live import LivePage
from widgets.classroom_page import class_page
from widgets.classroom_question import ExerciseQuestion
from widgets.classroom_shown import board_body, choice_body, example_body, exercise_body, lesson_body
from widgets.course_page import course_page
from widgets.events import HexClicked
from widgets.home import HomePage
from widgets.lesson_page import LessonPage

CC = "combat_commander"
FLAGS = ("closed", "locked", "revealed", "projector", "leading")


class FakeChannel:
    """Answers joins and writes at once, and keeps them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.observer: Callable[[Any], object] = print
        self.known = {"K7PM2Q"}
        self.mine: list[dict[str, Any]] = []
        self.ended = 0
        self.late: list[Callable[[], object]] | None = None  # when it answers late: what it has yet to say
        self.refused: set[Any] = set()
        self.session = 5

    def join(self, code: str, nickname: str, token: str, then: Callable[[Reply], object]) -> None:
        self.sent.append(("join", {"code": code, "nickname": nickname, "token": token}))
        if code in self.known:
            then(
                Reply(
                    True,
                    {
                        "session": self.session,
                        "participant": 1,
                        "nickname": nickname,
                        "title": "",
                        "token": token or "jeton",
                    },
                )
            )
        else:
            then(Reply(False, error="forbidden", message="Aucune séance ouverte ne porte ce code."))

    def subscribe(self, topic: str, observer: Callable[[Any], object], then: Any = None) -> Callable[[], None]:
        self.observer = observer
        return self._end

    def _end(self) -> None:
        self.ended += 1

    def request(self, op: str, args: dict[str, Any], then: Any = None) -> None:
        self.sent.append((op, args))
        if then:
            self._say(lambda: then(Reply(True, {"answers": self.mine})))

    def write(self, op: str, args: dict[str, Any], then: Any = None) -> None:
        self.sent.append((op, args))
        refused = Reply(False, error="refused", message="L’enseignant a fermé les réponses.")
        reply = refused if args["answer"] in self.refused else Reply(True, {"push": args["push"], "tries": 1})
        self._say(lambda: then(reply))

    def _say(self, reply: Callable[[], object]) -> None:
        self.late.append(reply) if self.late is not None else reply()

    def last(self, op: str) -> dict[str, Any]:
        """Arguments of the last request of a kind."""
        return next(args for name, args in reversed(self.sent) if name == op)


@pytest.fixture(autouse=True)
def channel(monkeypatch: pytest.MonkeyPatch) -> FakeChannel:
    """A server that answers at once."""
    fake = FakeChannel()
    monkeypatch.setattr(Attendance, "channel", staticmethod(lambda: fake))
    return fake


def state(body: Any = None, kind: str = "question", number: int = 3, **more: Any) -> dict[str, Any]:
    """What the topic of a session says."""
    push = {"id": number, "kind": kind, "body": body, "at": 0.0} if body else None
    flags = dict.fromkeys(FLAGS, False)
    told = {"session": 5, "code": "K7PM2Q", "title": "Mardi", "push": push, "board": None, "people": 2, "answered": 0}
    return {**told, **flags, "distribution": None, **more}


def came() -> LivePage:
    """The page of a class, on a tab that joined it."""
    page = LivePage()
    course_page().ready = True
    course_page().attending = json.dumps({"code": "K7PM2Q", "token": "secret", "nickname": "Zoé"})
    return page


def press(page: LivePage, label: str) -> None:
    """Press a choice."""
    question = page._question
    assert question is not None
    field = question._place.children[0]
    next(made for made in field.children if made.description == label).click()


def test_joining_is_remembered_by_the_tab_alone(channel: FakeChannel) -> None:
    panel = JoinPanel(" k7p m2q ")
    panel._nickname.value = " Zoé "
    panel._go.click()
    assert channel.last("join") == {"code": "K7PM2Q", "nickname": "Zoé", "token": ""}
    assert json.loads(class_page().keep["classe"])["token"] == "jeton"
    assert class_page().go == "/voila/render/classe.ipynb"


def test_a_forged_code_or_an_empty_nickname_is_a_sentence(channel: FakeChannel) -> None:
    panel = JoinPanel("ZZZZZZ")
    panel._go.click()
    assert "pseudonyme" in panel._said.value
    panel._nickname.value = "Zoé" * 20
    panel._go.click()
    assert "trop long" in panel._said.value
    panel._nickname.value = "Zoé"
    panel._go.click()
    assert "Aucune séance ouverte" in panel._said.value
    assert class_page().go == ""


def test_a_tab_comes_back_as_the_same_participant(channel: FakeChannel) -> None:
    came()
    assert channel.last("join") == {"code": "K7PM2Q", "nickname": "Zoé", "token": "secret"}
    assert attendance().session == 5


@pytest.mark.parametrize("kept", ["abîmé", '{"code": "K7PM2Q"}', '{"code": "ZZZZZZ", "token": "x", "nickname": "y"}'])
def test_what_a_tab_remembers_wrongly_is_forgotten(channel: FakeChannel, kept: str) -> None:
    page = LivePage()
    course_page().ready = True
    course_page().attending = kept
    assert attendance().session == 0
    assert page._place.children == ()


def test_an_answer_is_judged_by_the_engine_and_said_once_revealed(channel: FakeChannel) -> None:
    page = came()
    body = exercise_body(CC, "cc-04-voit", 0)
    channel.observer(state(body))
    press(page, "Oui")
    sent = channel.last("class.answer")
    assert (sent["push"], sent["answer"], sent["ok"]) == (3, "Oui", False)
    assert sent["missed"]
    question = page._question
    assert isinstance(question, ExerciseQuestion)
    assert "Réponse notée" in question._said.value
    assert 'data-outcome="blocked"' not in question.stage.verdict.view.value
    shown = [{"answer": "Oui", "ok": False, "count": 1}]
    channel.observer(state(body, revealed=True, distribution=shown))
    assert 'data-outcome="blocked"' in question.stage.verdict.view.value
    assert 'data-right="false"' in question._said.value
    assert "ldv-bars" in question._bars.value


def test_the_right_choice_reaches_no_page_before_it_is_revealed(channel: FakeChannel) -> None:
    page = came()
    body = choice_body("Qui tire ?", ["Eux", "Nous <i>"], 1, "Ils ont l’initiative.")
    channel.observer(state({**body, "secret": None}))
    press(page, "Nous <i>")
    assert channel.last("class.answer")["ok"] is True
    question = page._question
    assert question is not None
    assert "initiative" not in question._said.value
    channel.observer(state(body, revealed=True, distribution=[{"answer": "Nous <i>", "ok": True, "count": 1}]))
    assert "Bien vu" in question._said.value
    assert "initiative" in question._said.value
    assert "<i>" not in question._said.value + question._bars.value.replace('<i style="', "")


def test_an_answer_given_before_a_reload_is_taken_up(channel: FakeChannel) -> None:
    channel.mine = [{"push": 3, "answer": "Oui", "ok": False, "tries": 1}]
    page = came()
    channel.observer(state(exercise_body(CC, "cc-04-voit", 0)))
    assert page._question is not None
    assert "Oui" in page._question._said.value


def test_closed_answers_cannot_be_given(channel: FakeChannel) -> None:
    page = came()
    channel.observer(state(exercise_body(CC, "cc-04-voit", 0), locked=True))
    assert page._question is not None
    assert page._question._place.layout.display == "none"
    assert "fermé les réponses" in page._question._said.value


def test_a_late_answer_is_not_given_to_the_next_question(channel: FakeChannel) -> None:
    page = came()
    body = choice_body("Qui tire ?", ["Eux", "Nous"], 1, "")
    channel.observer(state(body))
    left = page._question
    assert left is not None
    channel.observer(state(choice_body("Qui avance ?", ["Eux", "Nous"], 0, ""), number=4))
    left._place.children[0].children[0].click()
    assert "class.answer" not in [op for op, _ in channel.sent]


def test_what_came_of_an_answer_is_not_said_under_the_next_question(channel: FakeChannel) -> None:
    page = came()
    channel.late = []
    channel.observer(state(choice_body("Qui tire ?", ["Eux", "Nous"], 1, "")))
    press(page, "Eux")
    channel.observer(state(choice_body("Qui avance ?", ["Eux", "Nous"], 0, ""), number=4))
    for reply in channel.late:
        reply()
    assert page._question is not None
    assert page._question._said.value == ""


def test_what_was_answered_before_a_reload_does_not_hide_what_is_answered_now(channel: FakeChannel) -> None:
    channel.late, channel.mine = [], [{"push": 3, "answer": "Oui", "ok": False, "tries": 1}]
    page = came()
    channel.observer(state(exercise_body(CC, "cc-04-voit", 0)))
    press(page, "Non")
    for reply in channel.late:
        reply()
    assert page._question is not None
    assert "Non" in page._question._said.value


@pytest.mark.parametrize(("flag", "said"), [("locked", "fermé les réponses"), ("revealed", "data-right")])
def test_an_answer_that_comes_once_answers_are_closed_is_not_given(channel: FakeChannel, flag: str, said: str) -> None:
    page = came()
    body = exercise_body(CC, "cc-04-voit", 0)
    channel.observer(state(body))
    press(page, "Oui")
    channel.observer(state(body, **{flag: True}))
    press(page, "Non")
    assert page._question is not None
    assert said in page._question._said.value
    channel.observer(state(body, revealed=True))
    assert 'data-right="false"' in page._question._said.value
    assert [args["answer"] for op, args in channel.sent if op == "class.answer"] == ["Oui"]


def test_an_answer_that_is_refused_leaves_the_one_that_was_noted(channel: FakeChannel) -> None:
    page = came()
    body = exercise_body(CC, "cc-04-voit", 0)
    channel.observer(state(body))
    press(page, "Oui")
    channel.refused = {"Non"}
    press(page, "Non")
    assert page._question is not None
    assert "fermé les réponses" in page._question._said.value
    channel.observer(state(body, revealed=True))
    assert 'data-right="false"' in page._question._said.value


def test_a_link_to_a_class_brings_its_panel_first_and_makes_nothing_else_anew(channel: FakeChannel) -> None:
    """What a page makes anew while one types in it loses letters."""
    page = HomePage()
    shown = page.widget.children
    course_page().query = "?classe=K7PM2Q"
    assert page.widget.children == shown
    assert [place.children for place in (page._first, page._last)] == [(page._join.widget,), ()]
    assert (page._first.layout.display, page._join._code.value) == (None, "K7PM2Q")


def test_joining_twice_is_joining_once(channel: FakeChannel) -> None:
    panel = JoinPanel("K7PM2Q")
    panel._nickname.value = "Zoé"
    panel._go.click()
    panel._go.click()
    assert [op for op, _ in channel.sent].count("join") == 1
    assert class_page().go == "/voila/render/classe.ipynb"


def test_another_class_is_followed_once_it_is_joined(channel: FakeChannel) -> None:
    came()
    channel.known.add("ABCDEF")
    panel = JoinPanel("ABCDEF")
    panel._nickname.value = "Zoé"
    channel.session = 6
    panel._go.click()
    assert (attendance().session, channel.ended) == (6, 1)


def first_example() -> tuple[Any, Any, Any]:
    held = lesson(CC, "cc-04-ldv")
    example = next(iter(held.examples.values()))
    return held, example, game(CC).position(example.position).change(example.changes)


def test_a_pushed_board_hides_its_verdict_then_follows_the_teacher(channel: FakeChannel) -> None:
    page = came()
    held, example, position = first_example()
    body = example_body(CC, held, example, position, example.with_)
    channel.observer(state(body, "position"))
    board = page._board
    assert board is not None
    assert 'data-outcome="pending"' in board.stage.verdict.view.value
    led = example_body(CC, held, example, position.change({"terrain.E3": None}), example.with_)
    channel.observer(state(body, "position", leading=True, board=led, revealed=True))
    board = page._board
    assert board is not None
    assert board.position.terrain_of.get("E3") is None
    assert 'data-outcome="clear"' in board.stage.verdict.view.value
    board._moved("krylov", "A1") if "krylov" in board.position.by_id else board._restore()
    assert board.position.terrain_of.get("E3") is None, "a led board obeys the teacher alone"


def test_a_closed_board_that_is_touched_late_shows_what_stands(channel: FakeChannel) -> None:
    page = came()
    held, example, position = first_example()
    body = example_body(CC, held, example, position, example.with_)
    channel.observer(state(body, kind="position", locked=True))
    board = page._board
    assert board is not None
    control = board._picks._controls["end"]
    asked = control.value
    control.value = next(cell for cell in position.grid.cells if cell not in (asked, board.arguments["start"]))
    assert (control.value, board.arguments["end"]) == (asked, asked)
    board.stage.board.emit(HexClicked("B1"))
    assert board._picks._values == board.arguments


def test_a_free_board_has_its_line_of_sight(channel: FakeChannel) -> None:
    page = came()
    position = game(CC).position("livret-ldv")
    channel.observer(state(board_body(position, "Qui voit ?", {"start": "J9", "end": "K6"}), "position", revealed=True))
    assert page._board is not None
    assert 'data-outcome="blocked"' in page._board.stage.verdict.view.value


def test_a_body_that_cannot_be_read_is_a_sentence(channel: FakeChannel) -> None:
    page = came()
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
        assert "ldv-failure" in page._place.children[0].value, body
    channel.observer(state(lesson_body(CC, all_lessons(CC)[0]), "lesson", 9))
    assert "Ouvrir la leçon" in page._place.children[0].value


@pytest.mark.parametrize("end", ["erased", "removed"])
def test_a_session_that_ends_for_a_learner(channel: FakeChannel, end: str) -> None:
    page = came()
    channel.observer(state())
    channel.observer({"session": 5, end: True})
    assert attendance().session == 0
    assert channel.ended == 1
    assert class_page().keep["classe"] == ""
    assert "séance" in page._head.value


def test_the_bar_says_what_waits() -> None:
    assert bar_of(state({"form": "choice"}), "Zoé", False)["hot"]
    assert "fermées" in bar_of(state({"form": "choice"}, locked=True), "Zoé", False)["text"]
    assert bar_of(state(leading=True), "Zoé", False)["label"] == "Regarder"
    assert "close" in bar_of(state(closed=True), "Zoé", False)["text"]


def test_a_lesson_tells_where_its_reader_is(channel: FakeChannel) -> None:
    page = LessonPage(CC, lesson(CC, "cc-04-ldv"))
    page.opening()
    page.exercises()
    course_page().attending = json.dumps({"code": "K7PM2Q", "token": "secret", "nickname": "Zoé"})
    channel.observer(state())
    assert class_page().bar["title"] == "Mardi"
    assert channel.last("class.where")["lesson"] == f"{CC}/cc-04-ldv"
    first = page._exercises
    assert exercises(CC)[first.exercise.id].answer.kind == "choice"
    for _ in range(2):
        first._submit("Oui")
    told = channel.last("class.where")
    assert (told["exercise"], told["stuck"][:3]) == ("1", "10.")
    first._submit("Non")
    assert channel.last("class.where")["stuck"] == ""
    for _ in range(2):
        class_page()._received(None, {"type": "key", "key": "stuck"}, None)
    assert channel.last("class.where")["stuck"] == "aide"
    class_page()._received(None, {"type": "key", "key": "unstuck"}, None)
    assert channel.last("class.where")["stuck"] == ""


def test_a_page_outside_a_class_imports_nothing_of_it() -> None:
    code = (
        "import sys; from widgets.lesson import lesson; p = lesson('combat_commander', 'cc-04-ldv');"
        "p.opening(); p.exercises(); p.closing();"
        "print([m for m in sys.modules if m.startswith(('widgets.classroom', 'widgets.teach', 'segno'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
