"""The teacher's page in a kernel without a browser: what is sent, what is shown, what is refused in French."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.own_loop import in_own_loop
from tests.screen import behind, controls, named, seen, send, tabs, words, written
from tutor.core.registry import GAMES, load_position
from tutor.course.lessons import readable
from tutor.course.links import Link
from tutor.course.shown import lesson_url
from tutor.course.teacher_lessons import Asked, Sheet
from widgets.board import errors
from widgets.classroom.browser import class_page
from widgets.classroom.compose import Composer
from widgets.classroom.people import missed_list, people_list
from widgets.classroom.projector import Projector
from widgets.classroom.session import LABELS, SessionDesk, solution_of
from widgets.classroom.sheet import SheetPage, sheet_html
from widgets.classroom.teacher import TeacherPage
from widgets.editor.teacher_lesson import Part, Plan
from widgets.host.address import entrance, join_address
from widgets.host.channel import Reply
from widgets.host.page import Page
from widgets.host.prose import html

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

    def write(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
        self.written.append((op, args))

    def request(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
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
        desk = SessionDesk(Page(), channel, 1, lambda: None)  # type: ignore[arg-type]
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

    def request(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
        kept_there = {"authored.get": self.kept, "link.get": self.links}[op].get(args["code"])
        then(Reply(True, kept_there) if kept_there else Reply(False, {}, "refused", "Ce code n’existe pas."))


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
    composer = Composer(Page(), lambda: None, None, Shelf())  # type: ignore[arg-type]
    tabs(composer.widget).value = "kept"
    written(composer.widget, "Collez").value = text
    named(composer.widget, "Lire").click()
    body = composer.body()
    assert (composer.kind, body["form"], body["game"]) == (kind, form, CC)
    assert len(str(body)) < 60_000
    if form == "exercise":  # M9 to N6 of the booklet: hindrance 2, that the body does not say
        assert solution_of(body) == "2"
        assert "2" not in body["title"]
    if form == "lesson":
        assert lesson_url(body) in (text.removeprefix("http://192.168.1.20:8866"), text)


def test_what_is_not_kept_is_said() -> None:
    composer = Composer(Page(), lambda: None, None, Shelf())  # type: ignore[arg-type]
    tabs(composer.widget).value = "kept"
    written(composer.widget, "Collez").value = "NOWHERE2"
    named(composer.widget, "Lire").click()
    assert "n’existe pas" in words(composer.widget)
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
    assert "Règles à relire\u00a0: 10.2 (1)" in missed_list([calm, stuck])


def test_the_desk_shows_answers_as_they_come_and_the_engines_own() -> None:
    body = {"form": "exercise", "game": CC, "exercise": "cc-04-voit", "seed": 0, "title": "Voit-on ?"}
    push = {"id": 4, "kind": "question", "body": body, "at": 0}
    given = [{"answer": "Non", "ok": True, "count": 2}, {"answer": "<u>", "ok": False, "count": 1}]
    desk, _ = desk_after(state(push=push, people=4, answered=3, distribution=given))
    assert "«\u00a0Non\u00a0»" in words(desk.widget)
    assert "3 réponses sur 4" in words(desk.widget)
    assert "<u>" not in words(desk.widget)
    assert 'data-right="true"' in words(desk.widget)


def test_controls_say_what_a_press_does() -> None:
    desk, channel = desk_after(state(locked=True), act=lambda d: named(d.widget, "Rouvrir les réponses").click())
    assert not seen(named(desk.widget, "Fermer les réponses"))
    assert seen(named(desk.widget, "Rouvrir les réponses"))
    assert channel.written[-1] == ("class.control", {"session": 1, "locked": False})


def test_what_has_no_answer_is_neither_closed_nor_shown() -> None:
    def shown_of(payload: dict[str, Any]) -> set[str]:
        desk, _ = desk_after(payload)
        return {name for name, (off, _) in LABELS.items() if seen(named(desk.widget, off))}

    assert shown_of(state()) == {"leading", "projector"}, "a board may be led from the preview"
    assert shown_of(state(push={"id": 1, "kind": "message", "body": {"title": "Bonjour"}})) == {"leading", "projector"}
    body = {"form": "exercise", "game": CC, "exercise": "cc-04-voit", "seed": 0, "title": "Voit-on ?"}
    assert shown_of(state(push={"id": 1, "kind": "question", "body": body})) == {*LABELS}


def test_a_lesson_that_is_led_is_led_no_more_by_a_button_that_says_so() -> None:
    board = {"form": "lesson", "game": CC, "title": "La ligne de vue", "scene": "regle", "name": "La règle", "at": 2}
    led = state(leading=True, board=board)
    desk, channel = desk_after(led, act=lambda d: named(d.widget, "Ne plus mener").click())
    assert not seen(named(desk.widget, "Prendre le plateau"))
    assert channel.written[-1] == ("class.control", {"session": 1, "leading": False})


def test_a_led_board_is_sent_at_each_change_and_only_then() -> None:
    def lead(desk: SessionDesk) -> None:
        tabs(desk.composer.widget).value = "example"
        named(desk.widget, "Prendre le plateau").click()
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
    _, channel = desk_after(state(), act=lambda d: named(d.widget, "Prendre le plateau").click())
    assert channel.written == []
    assert "Choisissez d’abord" in shown[-1]


def test_the_projector_reveals_with_a_key(here: Page) -> None:
    body = {
        "form": "choice",
        "title": "Qui ?",
        "choices": ["Eux", "Nous"],
        "right": 0,
        "secret": {"why": "Ils voient."},
    }
    push = {"id": 4, "kind": "question", "body": body, "at": 0}
    channel = FakeChannel()
    screen = Projector(here, channel, 1)  # type: ignore[arg-type]
    channel.observer(state(push=push))
    assert "Qui ?" in words(screen.widget)
    assert "Ils voient" not in words(screen.widget)
    send(class_page(here), {"type": "key", "key": " "})
    assert channel.written[-1] == ("class.control", {"session": 1, "revealed": True})
    channel.observer(state(push=push, revealed=True))
    assert "Ils voient" in words(screen.widget)  # type: ignore[union-attr]


#: Of the page that asks, on the teacher's own computer.
ORIGIN = "http://127.0.0.1:8866"


def test_the_entrance_has_the_address_that_others_reach() -> None:
    assert join_address("K7PM2Q", ORIGIN) == "http://192.168.1.20:8866/?classe=K7PM2Q"
    assert "HOST=0.0.0.0" not in entrance("K7PM2Q", ORIGIN)
    assert "<svg" in entrance("K7PM2Q", ORIGIN)


def test_the_entrance_says_how_to_open_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDV_ADDRESS", "http://127.0.0.1:8866/")
    assert "HOST=0.0.0.0 make run" in entrance("K7PM2Q", ORIGIN)


@pytest.mark.usefixtures("handed_grounds")
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


def test_the_sheet_opens_on_the_lesson_of_its_link(here: Page) -> None:
    page = SheetPage(here)
    here.course.query = f"?jeu={CC}&lecon=03-ldv-terrain-plat&vue=corrige"
    assert "Corrigé" in words(page.widget)
    assert named(page.widget, "Leçon").value == "03-ldv-terrain-plat"


# -- pressed late, or twice ---------------------------------------------------------------------------------------


class LateServer(FakeChannel):
    """The sessions of a teacher; what a write gives comes when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.thens: list[Any] = []
        self.sessions: list[dict[str, Any]] = []

    def teach(self, key: str, then: Any = None, late: Any = None) -> None:
        then(Reply(True, {"name": "Ada"}))

    def write(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
        super().write(op, args)
        self.thens.append(then)

    def request(self, op: str, args: Any = None, then: Any = None, late: Any = None) -> None:
        then(Reply(True, {"sessions": self.sessions}))

    def count(self, op: str) -> int:
        """How many of these were asked for."""
        return [name for name, _ in self.written].count(op)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> LateServer:
    made = LateServer()
    monkeypatch.setattr(
        "widgets.classroom.session.Composer", lambda *_: SimpleNamespace(widget=html(""), close=lambda: None)
    )
    return made


def entered(server: LateServer) -> TeacherPage:
    page = TeacherPage(Page(server))  # type: ignore[arg-type]
    named(page.widget, "Clé d’enseignant").value = "une clé"
    named(page.widget, "Entrer").click()
    return page


def test_a_session_opened_twice_is_one(server: LateServer) -> None:
    page = entered(server)
    opens = named(page.widget, "Ouvrir une séance")
    named(page.widget, "Titre").value = "Mardi"
    opens.click()
    opens.click()
    assert server.count("class.open") == 1
    assert named(page.widget, "Titre").value == "Mardi"
    server.thens[0](Reply(True, {"session": 7}))
    opens.click()
    assert server.count("class.open") == 1
    assert page.desk is not None
    assert page.desk.widget in controls(page.widget)


def test_a_teacher_says_how_many_he_expects(server: LateServer) -> None:
    page = entered(server)
    assert named(page.widget, "Élèves attendus").value == 30
    named(page.widget, "Élèves attendus").value = 12
    named(page.widget, "Ouvrir une séance").click()
    assert server.written[-1] == ("class.open", {"title": "", "expected": 12})


def test_a_session_that_cannot_be_opened_may_be_tried_again(server: LateServer, shown: list[str]) -> None:
    page = entered(server)
    named(page.widget, "Titre").value = "Mardi"
    named(page.widget, "Ouvrir une séance").click()
    server.thens[0](Reply(False, error="refused", message="Trop de séances."))
    assert (named(page.widget, "Titre").value, shown[-1]) == ("Mardi", "Trop de séances.")
    named(page.widget, "Ouvrir une séance").click()
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
    return [made for made in controls(page.widget) if getattr(made, "description", "") == label]


def test_a_session_led_twice_has_one_desk(server: LateServer) -> None:
    server.sessions = [kept(1), kept(2)]
    page = entered(server)
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
    page = entered(server)
    ask, sure = *buttons(page, "Effacer"), *buttons(page, "Effacer pour toujours")
    asked = behind(page.widget, sure)
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
        named(desk.widget, "Envoyer à tous").click()
        named(desk.widget, "Envoyer à tous").click()

    desk, channel = desk_after(state(), act=twice)
    assert [op for op, _ in channel.written] == ["class.push"]
    desk.state = state(answered=3)
    named(desk.widget, "Envoyer à tous").click()
    assert [op for op, _ in channel.written] == ["class.push"] * 2, "asked again once it was answered"


@pytest.mark.parametrize("name", ["locked", "revealed", "leading", "projector"])
def test_a_control_pressed_twice_does_what_it_says(name: str) -> None:
    def twice(desk: SessionDesk) -> None:
        tabs(desk.composer.widget).value = "example"
        off = named(desk.widget, LABELS[name][0])
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
        desk = SessionDesk(Page(), channel, 1, lambda: None)  # type: ignore[arg-type]
        channel.observer(state(participants=people))
        await asyncio.sleep(0.3)
        list_seen, remove = named(desk.widget, "Retirer"), named(desk.widget, "Retirer de la séance")
        channel.observer(state(participants=people[1:]))
        await asyncio.sleep(0.3)
        list_seen.index = 2  # Bob, as the page still shows them
        remove.click()
        assert channel.written == []
        named(desk.widget, "Retirer").value = 13
        channel.observer(state(participants=[*people[1:], {**people[0], "participant": 14}]))
        await asyncio.sleep(0.3)
        remove.click()
        return channel.written

    assert in_own_loop(play()) == [("class.remove", {"session": 1, "participant": 13})]


def test_what_is_read_late_does_not_replace_what_is_prepared_now() -> None:
    composer = Composer(Page(), lambda: None)
    tabs(composer.widget).value = "example"
    board = composer.board
    composer._kept({"form": "lesson", "game": CC, "lesson": "cc-04-ldv", "title": "La vue"})
    composer._refused("Ce lien n’existe pas.")
    assert composer.board is board
    assert composer._preview.children == (board.widget,)  # type: ignore[union-attr]
    tabs(composer.widget).value = "kept"
    assert "La vue" in words(composer.widget)


def test_what_is_typed_is_told_whole(server: LateServer) -> None:
    """Letters told one by one wait for the kernel, and a button does not: what is sent would want its end."""
    composer, page = Composer(Page(), lambda: None), TeacherPage(Page(server))  # type: ignore[arg-type]
    key, title = named(page.widget, "Clé d’enseignant"), named(entered(server).widget, "Titre")
    typed = (
        written(composer.widget, "Collez"),
        named(composer.widget, "Ce que vous en dites"),
        written(composer.widget, "Votre question"),
        written(composer.widget, "Une réponse"),
        named(composer.widget, "À dire avec la réponse"),
    )
    assert not any(field.continuous_update for field in (*typed, key, title))
