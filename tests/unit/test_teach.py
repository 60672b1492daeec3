"""The teacher's page in a kernel without a browser: what is sent, what is shown, what is refused in French."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.store.harness import in_own_loop
from tutor.core.registry import GAMES, load_position
from tutor.course.lessons import readable
from tutor.course.links import Link
from widgets import errors
from widgets.authored import Asked, Sheet
from widgets.authored_lesson import Part, Plan
from widgets.channel import Reply
from widgets.classroom_page import class_page
from widgets.classroom_shown import lesson_url
from widgets.course_page import course_page
from widgets.lesson_text import html
from widgets.sheet import SheetPage, sheet_html
from widgets.teach import TeacherPage
from widgets.teach_address import entrance, join_address
from widgets.teach_compose import Composer
from widgets.teach_people import missed_list, people_list
from widgets.teach_projector import Projector
from widgets.teach_session import LABELS, SessionDesk, solution_of

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
    desk, channel = desk_after(state(locked=True), act=lambda d: d._controls["locked"][1].click())
    close, reopen = desk._controls["locked"]
    assert (close.layout.display, reopen.layout.display) == ("none", None)
    assert reopen.description == "Rouvrir les réponses"
    assert channel.written[-1] == ("class.control", {"session": 1, "locked": False})


def test_what_was_never_sent_is_neither_closed_nor_shown() -> None:
    def shown_of(payload: dict[str, Any]) -> set[str]:
        desk, _ = desk_after(payload)
        return {name for name, pair in desk._controls.items() if pair[0].layout.display != "none"}

    assert shown_of(state()) == {"leading", "projector"}, "a board may be led from the preview"
    assert shown_of(state(push={"id": 1, "kind": "message", "body": {"title": "Bonjour"}})) == {*LABELS}


def test_a_led_board_is_sent_at_each_change_and_only_then() -> None:
    def lead(desk: SessionDesk) -> None:
        desk.composer._form.value = "example"
        desk._switch("leading", True)
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
    _, channel = desk_after(state(), act=lambda d: d._switch("leading", True))
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


# -- pressed late, or twice ---------------------------------------------------------------------------------------


class LateServer(FakeChannel):
    """The sessions of a teacher; what a write gives comes when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.thens: list[Any] = []
        self.sessions: list[dict[str, Any]] = []

    def teach(self, key: str, then: Any) -> None:
        then(Reply(True, {"name": "Ada"}))

    def write(self, op: str, args: dict[str, Any], then: Any = None) -> None:
        super().write(op, args)
        self.thens.append(then)

    def request(self, op: str, args: Any = None, then: Any = None) -> None:
        then(Reply(True, {"sessions": self.sessions}))

    def count(self, op: str) -> int:
        """How many of these were asked for."""
        return [name for name, _ in self.written].count(op)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> LateServer:
    made = LateServer()
    monkeypatch.setattr(TeacherPage, "_channel", staticmethod(lambda: made))
    monkeypatch.setattr(
        "widgets.teach_session.Composer", lambda *_: SimpleNamespace(widget=html(""), close=lambda: None)
    )
    return made


def entered() -> TeacherPage:
    page = TeacherPage()
    page._key.value = "une clé"
    page._enter.click()
    return page


def test_a_session_opened_twice_is_one(server: LateServer) -> None:
    page = entered()
    page._title.value = "Mardi"
    page._open.click()
    page._open.click()
    assert server.count("class.open") == 1
    assert page._title.value == "Mardi"
    server.thens[0](Reply(True, {"session": 7}))
    page._open.click()
    assert server.count("class.open") == 1
    assert page.desk is not None
    assert page.desk.widget in page._place.children


def test_a_session_that_cannot_be_opened_may_be_tried_again(server: LateServer, shown: list[str]) -> None:
    page = entered()
    page._title.value = "Mardi"
    page._open.click()
    server.thens[0](Reply(False, error="refused", message="Trop de séances."))
    assert (page._title.value, shown[-1]) == ("Mardi", "Trop de séances.")
    page._open.click()
    assert server.count("class.open") == 2


def kept(number: int) -> dict[str, Any]:
    return {
        "session": number,
        "title": "",
        "code": "K7PM2Q",
        "people": 1,
        "created": 0.0,
        "closed": None,
        "expires": 9.0,
    }


def buttons(page: TeacherPage, label: str) -> list[Any]:
    rows = [part for row in page._place.children for part in getattr(row, "children", ())]
    return [made for row in rows for made in getattr(row, "children", ()) if getattr(made, "description", "") == label]


def test_a_session_led_twice_has_one_desk(server: LateServer) -> None:
    server.sessions = [kept(1), kept(2)]
    page = entered()
    first, second = buttons(page, "Mener")
    first.click()
    desk = page.desk
    second.click()
    first.click()
    assert page.desk is desk
    assert desk is not None
    desk.stop()
    assert page.desk is None
    buttons(page, "Mener")[1].click()
    other = page.desk
    desk.stop()
    assert page.desk is other is not None


def test_a_session_is_erased_by_another_button_than_the_one_that_asks(server: LateServer) -> None:
    server.sessions = [kept(1)]
    page = entered()
    ask, sure = *buttons(page, "Effacer"), *buttons(page, "Effacer pour toujours")
    asked = next(
        part
        for row in page._place.children
        for part in getattr(row, "children", ())
        if sure in getattr(part, "children", ())
    )
    assert asked.layout.display == "none"
    for _ in range(3):
        ask.click()
    assert server.count("class.erase") == 0
    assert asked.layout.display is None
    sure.click()
    sure.click()
    assert server.count("class.erase") == 1


def test_a_question_sent_twice_is_asked_once(shown: list[str]) -> None:
    def twice(desk: SessionDesk) -> None:
        desk._send.click()
        desk._send.click()

    desk, channel = desk_after(state(), act=twice)
    assert [op for op, _ in channel.written] == ["class.push"]
    desk.state = state(answered=3)
    desk._send.click()
    assert [op for op, _ in channel.written] == ["class.push"] * 2, "asked again once it was answered"


@pytest.mark.parametrize("name", ["locked", "revealed", "leading", "projector"])
def test_a_control_pressed_twice_does_what_it_says(name: str) -> None:
    def twice(desk: SessionDesk) -> None:
        desk.composer._form.value = "example"
        off, _ = desk._controls[name]
        off.click()
        desk.state = state(**{name: True})
        off.click()

    _, channel = desk_after(state(), act=twice)
    assert {args[name] for op, args in channel.written if name in args} == {True}


def test_who_is_removed_is_who_was_chosen() -> None:
    """A list tells of a rank: one that comes late is of the list that the teacher saw."""
    people = [
        {"nickname": n, "participant": i, "online": True, "where": {}, "stuck": "", "answer": None}
        for i, n in ((11, "Ana"), (12, "Bob"), (13, "Cléo"))
    ]

    async def play() -> list[Any]:
        channel = FakeChannel()
        desk = SessionDesk(channel, 1, lambda: None)  # type: ignore[arg-type]
        channel.observer(state(participants=people))
        await asyncio.sleep(0.3)
        seen = desk._someone
        channel.observer(state(participants=people[1:]))
        await asyncio.sleep(0.3)
        seen.index = 2  # Bob, as the page still shows them
        desk._remove()
        assert channel.written == []
        desk._someone.value = 13
        channel.observer(state(participants=[*people[1:], {**people[0], "participant": 14}]))
        await asyncio.sleep(0.3)
        desk._remove()
        return channel.written

    assert in_own_loop(play()) == [("class.remove", {"session": 1, "participant": 13})]


def test_what_is_read_late_does_not_replace_what_is_prepared_now() -> None:
    composer = Composer(lambda: None)
    composer._form.value = "example"
    board = composer.board
    composer._kept({"form": "lesson", "game": CC, "lesson": "cc-04-ldv", "title": "La vue"})
    composer._refused("Ce lien n’existe pas.")
    assert composer.board is board
    assert composer._preview.children == (board.widget,)  # type: ignore[union-attr]
    composer._form.value = "kept"
    assert "La vue" in composer._preview.children[0].value


def test_what_is_typed_is_told_whole() -> None:
    """Letters told one by one wait for the kernel, and a button does not: what is sent would want its end."""
    composer, page = Composer(lambda: None), TeacherPage()
    typed = (composer._text, composer._title, composer._question, composer._choices, composer._why)
    assert not any(field.continuous_update for field in (*typed, page._key, page._title))
