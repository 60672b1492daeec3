"""The teacher's page in a kernel without a browser: what is sent, what is shown, what is refused in French."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.store.harness import in_own_loop
from tutor.core.registry import GAMES, game, load_position
from tutor.course.lessons import readable
from tutor.course.links import Link
from widgets import errors
from widgets.authored import Asked, Sheet
from widgets.authored_lesson import Part, Plan
from widgets.channel import Reply
from widgets.classroom_page import class_page
from widgets.classroom_shown import lesson_url
from widgets.course_page import course_page
from widgets.sheet import SheetPage, sheet_html
from widgets.teach_address import entrance, join_address
from widgets.teach_compose import Composer
from widgets.teach_people import missed_list, people_list
from widgets.teach_projector import Projector
from widgets.teach_session import SessionDesk, solution_of

CC = "combat_commander"


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_ADDRESS", "http://192.168.1.20:8866/")


class FakeChannel:
    """Keeps what a page asks of the server."""

    available = True

    def __init__(self) -> None:
        self.written: list[tuple[str, dict[str, Any]]] = []
        self.observer: Callable[[Any], object] = print

    def subscribe(self, topic: str, observer: Callable[[Any], object], then: Any = None) -> Callable[[], None]:
        self.observer = observer
        return lambda: None

    def write(self, op: str, args: dict[str, Any], then: Any = None) -> None:
        self.written.append((op, args))

    def request(self, op: str, args: dict[str, Any], then: Any = None) -> None:
        self.written.append((op, args))
        then(Reply(True, {"name": "r.csv", "text": "a;b", "code": "K7PM2Q"}))


def state(**more: Any) -> dict[str, Any]:
    """What the topic of a desk says."""
    flags = dict.fromkeys(("closed", "locked", "revealed", "projector", "leading"), False)
    return {
        **{"session": 1, "code": "K7PM2Q", "title": "Mardi", "push": None, "board": None, "people": 1, "answered": 0},
        **flags,
        **{"distribution": [], "participants": []},
        **more,
    }


def desk_after(*payloads: dict[str, Any], act: Callable[[SessionDesk], object] = lambda _: None) -> Any:
    """A desk that heard payloads, then did something; and its channel."""

    async def play() -> tuple[SessionDesk, FakeChannel]:
        channel = FakeChannel()
        desk = SessionDesk(channel, 1, lambda: None)  # type: ignore[arg-type]
        for payload in payloads:
            channel.observer(payload)
        await asyncio.sleep(0.3)
        act(desk)
        return desk, channel

    return in_own_loop(play())


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


def test_no_list_of_the_composer_is_empty() -> None:
    composer = Composer(lambda: None)
    for game_id in GAMES:
        composer._game.value = game_id
        for form, has in (("exercise", "exercise_ids"), ("example", "examples")):
            composer._form.value = form
            offered = [key for _, key in composer._lesson.options]
            assert offered == [one.id for one in readable(game_id)[0] if getattr(one, has)]


class Shelf(FakeChannel):
    """A server that keeps a position with its question, a lesson, and a short link to the free board."""

    def __init__(self) -> None:
        super().__init__()
        board = load_position(CC, "livret-ldv")
        answer = {"kind": "number", "from": "value.hindrance"}
        asked = Asked.model_validate(
            {"ask": "los", "with": {"start": "M9", "end": "N6"}, "question": "Quelle gêne ?", "answer": answer}
        )
        parts = [
            Part("situation", "Un bois."),
            Part("example", sheet=Sheet.of(board, asked)),
            Part("remember", "Une ligne."),
        ]
        plan = Plan("Voir", parts=tuple(parts))
        self.kept = {
            "POSITION": {"kind": "position", "body": Sheet.of(board, asked).dump()},
            "LESSONAA": {"kind": "lesson", "body": plan.build(CC, "voir").dump()},
        }
        self.links = {"SHORTLNK": {"kind": "position", "target": Link("sandbox", position=board.to_link()).url}}

    def request(self, op: str, args: dict[str, Any], then: Any = None) -> None:
        found = {"authored.get": self.kept, "link.get": self.links}[op].get(args["code"])
        then(Reply(True, found) if found else Reply(False, {}, "refused", "Ce code n’existe pas."))


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("position", "question", "exercise"),
        ("http://192.168.1.20:8866/voila/render/lecon.ipynb?lecon=LESSONAA", "lesson", "lesson"),
        ("SHORTLNK", "position", "board"),
        ("http://192.168.1.20:8866/l/SHORTLNK", "position", "board"),
        (Link("lesson", CC, slug="03-ldv-terrain-plat", example="lisiere").url, "position", "board"),
        (Link("lesson", CC, slug="03-ldv-terrain-plat").url, "lesson", "lesson"),
    ],
)
def test_a_code_or_a_link_is_sent(text: str, kind: str, form: str) -> None:
    composer = Composer(lambda: None, None, Shelf())  # type: ignore[arg-type]
    composer._form.value = "kept"
    composer._text.value = text
    composer._read.click()
    body = composer.body()
    assert (composer.kind, body["form"], body["game"]) == (kind, form, CC)
    assert len(str(body)) < 60_000
    if form == "exercise":  # M9 to N6 of the booklet: hindrance 2, that the body does not say
        assert solution_of(body) == "2"
        assert "2" not in body["title"]
    if form == "lesson":
        assert lesson_url(body) in (text.removeprefix("http://192.168.1.20:8866"), text)


def test_what_is_not_kept_is_said() -> None:
    composer = Composer(lambda: None, None, Shelf())  # type: ignore[arg-type]
    composer._form.value = "kept"
    composer._text.value = "NOWHERE2"
    composer._read.click()
    assert "n’existe pas" in composer._preview.children[0].value
    with pytest.raises(errors.TutorError, match="Rien n’a encore été lu"):
        composer.body()


def test_who_is_in_is_escaped_and_who_is_stuck_comes_first() -> None:
    calm = {"participant": 1, "nickname": "Ana", "online": True, "where": {}, "stuck": "", "stuck_since": None}
    calm["answer"] = {"answer": "<i>", "ok": False, "missed": ["10.2"], "tries": 2, "seconds": 3}
    stuck = {**calm, "nickname": "<b>Zoé", "stuck": "10.2", "stuck_since": 10.0, "answer": None}
    stuck["where"] = {"lesson": f"{CC}/cc-04-ldv", "exercise": "2", "step": ""}
    text = people_list([calm, stuck], now=140.0)
    assert text.index("Zoé") < text.index("Ana")
    assert "<b>Zoé" not in text
    assert "<i>" not in text
    assert "10.2 Obstacles" in text
    assert "(2\u00a0min)" in text
    assert "10.2 (1)" in missed_list([calm, stuck])


def test_the_desk_shows_answers_as_they_come_and_the_engines_own() -> None:
    body = {"form": "exercise", "game": CC, "exercise": "cc-04-voit", "seed": 0, "title": "Voit-on ?"}
    push = {"id": 4, "kind": "question", "body": body, "at": 0}
    given = [{"answer": "Non", "ok": True, "count": 2}, {"answer": "<u>", "ok": False, "count": 1}]
    desk, _ = desk_after(state(push=push, people=4, answered=3, distribution=given))
    assert "«\u00a0Non\u00a0»" in desk._current.value
    assert "3 réponses sur 4" in desk._current.value
    assert "<u>" not in desk._current.value
    assert 'data-right="true"' in desk._current.value


def test_controls_say_what_a_press_does() -> None:
    desk, channel = desk_after(state(locked=True), act=lambda d: d._controls["locked"].click())
    assert desk._controls["locked"].description == "Rouvrir les réponses"
    assert channel.written[-1] == ("class.control", {"session": 1, "locked": False})


def test_a_led_board_is_sent_at_each_change_and_only_then() -> None:
    def lead(desk: SessionDesk) -> None:
        desk.composer._form.value = "example"
        desk._toggle("leading")
        desk.state = state(leading=True)
        board = desk.composer.board
        assert board is not None
        board.change({"terrain.E3": "open"} if "E3" in board.position.grid else {})
        board._refresh()

    _, channel = desk_after(state(), act=lead)
    boards = [args["board"] for op, args in channel.written if "board" in args]
    assert channel.written[0][1]["leading"] is True
    assert len(boards) == len({str(board) for board in boards}) == 2


def test_leading_without_a_board_is_a_sentence(shown: list[str]) -> None:
    _, channel = desk_after(state(), act=lambda d: d._toggle("leading"))
    assert channel.written == []
    assert "Choisissez d’abord" in shown[-1]


def test_the_projector_reveals_with_a_key() -> None:
    body = {
        "form": "choice",
        "title": "Qui ?",
        "choices": ["Eux", "Nous"],
        "right": 0,
        "secret": {"why": "Ils voient."},
    }
    push = {"id": 4, "kind": "question", "body": body, "at": 0}
    channel = FakeChannel()
    screen = Projector(channel, 1)  # type: ignore[arg-type]
    channel.observer(state(push=push))
    assert "Ils voient" not in str([w.value for w in screen._shown.widget.children if hasattr(w, "value")])  # type: ignore[union-attr]
    class_page()._received(None, {"type": "key", "key": " "}, None)
    assert channel.written[-1] == ("class.control", {"session": 1, "revealed": True})
    channel.observer(state(push=push, revealed=True))
    assert "Ils voient" in screen._shown._said.value  # type: ignore[union-attr]


def test_the_entrance_has_the_address_that_others_reach() -> None:
    assert join_address("K7PM2Q") == "http://192.168.1.20:8866/?classe=K7PM2Q"
    assert "HOST=0.0.0.0" not in entrance("K7PM2Q")
    assert "<svg" in entrance("K7PM2Q")


def test_the_entrance_says_how_to_open_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_ADDRESS", "http://127.0.0.1:8866/")
    assert "HOST=0.0.0.0 make run" in entrance("K7PM2Q")


@pytest.mark.parametrize("game_id", list(GAMES))
def test_sheets_with_and_without_answers(game_id: str) -> None:
    lesson = readable(game_id)[0][1]
    blank, solved = sheet_html(game_id, lesson, solved=False), sheet_html(game_id, lesson, solved=True)
    assert blank.count("<section") == solved.count("<section") == len(lesson.exercise_ids)
    assert blank.count("<svg") == len(lesson.exercise_ids)
    assert 'data-right="true"' not in blank
    assert "ldv-sheet-answer" not in blank
    assert "<ol>" in solved
    assert solved != sheet_html(game_id, lesson, solved=True, seed=3)


def test_the_sheet_opens_on_the_lesson_of_its_link() -> None:
    page = SheetPage()
    course_page().query = f"?jeu={CC}&lecon=03-ldv-terrain-plat&vue=corrige"
    assert "Corrigé" in page._sheet.value
    assert page._lesson.value == "03-ldv-terrain-plat"
