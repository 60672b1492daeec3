"""Class sessions in the store: who joins, what is pushed and answered, results, erasure and expiry."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.store.harness import done, write
from tutor.store import schema, teachers
from tutor.store import store as store_module
from tutor.store.errors import Forbidden, Refused
from tutor.store.store import Store
from tutor.store.who import Keeping, Who

SERVER = Who(server=True)


def token(number: int) -> str:
    """A participant's secret."""
    return f"jeton-{number:020d}"


@pytest.fixture
def teacher(store: Store) -> Who:
    """A teacher."""
    with store.engine.begin() as db:
        return Who(teacher=teachers.create(db, "Mme Durand", 1.0)[0])


@pytest.fixture
def session(store: Store, teacher: Who) -> dict[str, Any]:
    """An open session: its number and code."""
    return one(store, "class.open", teacher, title="Mardi")


def one(store: Store, op: str, who: Who, **args: Any) -> dict[str, Any]:
    """The result of one write."""
    return done(store.write([write(op, who, **args)])[0])


def refusal(store: Store, op: str, who: Who, **args: Any) -> Refused | None:
    """Why one write was refused."""
    return store.write([write(op, who, **args)])[0].refused


def joined(store: Store, session: dict[str, Any], nickname: str, number: int) -> Who:
    """Somebody who has joined."""
    entered = one(store, "class.join", Who(), code=session["code"], nickname=nickname, token=token(number))
    return Who(participant={entered["session"]: entered["participant"]})


def answered(store: Store, session: dict[str, Any], who: Who, push: int, answer: Any, **more: Any) -> Refused | None:
    """Answer; why that was refused."""
    return refusal(store, "class.answer", who, session=session["session"], push=push, answer=answer, **more)


def test_a_key_opens_until_it_is_revoked(store: Store) -> None:
    with store.engine.begin() as db:
        number, key = teachers.create(db, "M. Petit", 1.0)
    entered = store.read("teacher.enter", Who(), {"key": key.lower()})
    assert entered == {"teacher": number, "name": "M. Petit"}
    opened = one(store, "class.open", Who(teacher=number))
    with store.engine.begin() as db:
        assert key.replace("-", "") not in str(db.execute(select(schema.teachers)).all())
        teachers.revoke(db, number, 2.0)
    with pytest.raises(Forbidden):
        store.read("teacher.enter", Who(), {"key": key})
    assert isinstance(refusal(store, "class.push", Who(teacher=number), session=opened["session"]), Forbidden)
    with pytest.raises(Forbidden):
        store.read("class.list", Who(teacher=number), {})
    assert store.read("server.snapshot", SERVER, {"session": opened["session"]})["teacher"] is None


def test_two_with_one_nickname_are_told_apart_and_a_token_brings_back(store: Store, session: dict[str, Any]) -> None:
    ana, bea = joined(store, session, "Ana", 1), joined(store, session, "ana", 2)
    again = one(store, "class.join", Who(), code=session["code"], nickname="autre", token=token(1))
    assert again["participant"] == ana.participant[session["session"]]
    assert again["nickname"] == "Ana"
    people = store.read("server.snapshot", SERVER, {"session": session["session"]})["people"]
    assert people == {ana.participant[session["session"]]: "Ana", bea.participant[session["session"]]: "ana 2"}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ana  B ", "Ana B"),
        ("<img src=x onerror=1>", "<img src=x onerror=1>"),
        ("e\u0301", "é"),
        ("a\u202eb\u0000c", "a b c"),
        ("x" * 300, "x" * 24),
    ],
)
def test_a_nickname_is_trimmed(store: Store, session: dict[str, Any], given: str, kept: str) -> None:
    entered = one(store, "class.join", Who(), code=session["code"], nickname=given, token=token(1))
    assert entered["nickname"] == kept


@pytest.mark.parametrize(
    "wrong",
    [
        {"nickname": " \u200b "},
        {"nickname": None},
        {"nickname": 12},
        {"token": "court"},
        {"token": None},
        {"token": "x" * 129},
        {"code": "AAAAAA"},
        {"code": "A" * 5},
        {"code": None},
        {"code": "A' OR 1"},
    ],
)
def test_a_forged_code_or_token_joins_nothing(store: Store, session: dict[str, Any], wrong: dict[str, Any]) -> None:
    args = {"code": session["code"], "nickname": "Ana", "token": token(1), **wrong}
    assert isinstance(refusal(store, "class.join", Who(), **args), Refused)
    assert store.read("server.snapshot", SERVER, {"session": session["session"]})["people"] == {}


def test_answers_are_kept_counted_and_changed(store: Store, session: dict[str, Any], teacher: Who) -> None:
    number = session["session"]
    ana = joined(store, session, "Ana", 1)
    push = one(store, "class.push", teacher, session=number, kind="question", body={"question": "FP ?", "secret": 7})
    assert answered(store, session, ana, push["push"], 5, ok=False, missed=["O20.3"], seconds=4.5) is None
    assert one(store, "class.answer", ana, session=number, push=push["push"], answer=7, ok=True)["tries"] == 2
    mine = store.read("class.mine", ana, {"session": number})["answers"]
    assert mine == [{"push": push["push"], "answer": 7, "ok": True, "tries": 2}]
    snapshot = store.read("server.snapshot", SERVER, {"session": number})
    assert list(snapshot["answers"].values()) == [{"answer": 7, "ok": True, "missed": [], "tries": 2, "seconds": None}]


def test_nobody_answers_when_locked_closed_gone_or_late(store: Store, session: dict[str, Any], teacher: Who) -> None:
    number = session["session"]
    ana, bea = joined(store, session, "Ana", 1), joined(store, session, "Béa", 2)
    first = one(store, "class.push", teacher, session=number, kind="question", body=1)["push"]
    one(store, "class.control", teacher, session=number, locked=True)
    assert answered(store, session, ana, first, 7)
    second = one(store, "class.push", teacher, session=number, kind="question", body=2)["push"]
    assert answered(store, session, ana, first, 7)
    assert answered(store, session, ana, second, 7) is None
    one(store, "class.remove", teacher, session=number, participant=bea.participant[number])
    assert isinstance(answered(store, session, bea, second, 7), Forbidden)
    one(store, "class.close", teacher, session=number)
    assert answered(store, session, ana, second, 8)
    assert isinstance(refusal(store, "class.join", Who(), code=session["code"], nickname="C", token=token(3)), Refused)
    assert one(store, "class.join", Who(), code=session["code"], nickname="", token=token(1))["nickname"] == "Ana"


def test_a_session_belongs_to_its_teacher(store: Store, session: dict[str, Any], teacher: Who) -> None:
    with store.engine.begin() as db:
        other = Who(teacher=teachers.create(db, "Autre", 1.0)[0])
    number = session["session"]
    ana = joined(store, session, "Ana", 1)
    writes = ("class.push", "class.control", "class.remove", "class.close", "class.erase")
    for who in (other, ana, Who(participant={number + 1: 1})):
        for op in writes:
            assert isinstance(refusal(store, op, who, session=number), Forbidden), op
        for op in ("class.export", "class.csv"):
            with pytest.raises(Forbidden):
                store.read(op, who, {"session": number})
    stranger = Who(participant={number: 999})
    assert isinstance(answered(store, session, stranger, 1, 7), Forbidden)


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "virus"}, {"body": "x" * 60_001}, {"body": float("nan")}, {"session": "1"}, {"session": 2**40}],
)
def test_a_push_is_checked(store: Store, session: dict[str, Any], teacher: Who, wrong: dict[str, Any]) -> None:
    args = {"session": session["session"], "kind": "question", "body": 1, **wrong}
    assert isinstance(refusal(store, "class.push", teacher, **args), Refused)


def test_the_state_is_kept(store: Store, session: dict[str, Any], teacher: Who) -> None:
    number = session["session"]
    one(store, "class.push", teacher, session=number, kind="position", body={"position": "…"})
    one(store, "class.control", teacher, session=number, leading=True, board={"position": "abc"}, revealed=True)
    state = store.read("server.snapshot", SERVER, {"session": number})["state"]
    assert (state["leading"], state["revealed"], state["locked"], state["board"]) == (
        *(True, True, False),
        {"position": "abc"},
    )
    one(store, "class.control", teacher, session=number, board={"form": "lesson", "scene": "regle"})
    one(store, "class.push", teacher, session=number, kind="position", body={"position": "…"})
    assert not store.read("server.snapshot", SERVER, {"session": number})["state"]["leading"], "a position shows"
    assert refusal(store, "class.control", teacher, session=number, locked="oui")
    assert refusal(store, "class.control", teacher, session=number, board="x" * 60_001)


def test_results_open_in_a_french_spreadsheet(store: Store, session: dict[str, Any], teacher: Who) -> None:
    number = session["session"]
    people = [joined(store, session, name, at) for at, name in enumerate(["=1+1", 'Béa;"B"', "@c", "-d", "Zoé"])]
    push = one(store, "class.push", teacher, session=number, kind="question", body={"question": "+2 ou −2 ?"})["push"]
    for who, given in zip(people, ["=cmd|'/c calc'!A0", 1.5, "\t=2", {"hex": "K7"}, "＝1"], strict=True):
        assert answered(store, session, who, push, given, ok=given == 1.5, seconds=2.25, missed=["O20.3"]) is None
    text = store.read("class.csv", teacher, {"session": number})["text"]
    assert text.startswith("\ufeffquestion;posée le;pseudonyme;réponse;juste;essais;secondes;règles à relire\r\n")
    rows = list(csv.reader(io.StringIO(text[1:]), delimiter=";"))[1:]
    assert [row[2] for row in rows] == ["'=1+1", 'Béa;"B"', "'@c", "'-d", "Zoé"]
    assert [row[3] for row in rows] == ["'=cmd|'/c calc'!A0", "1,5", "'\t=2", '{"hex": "K7"}', "'＝1"]
    assert [row[4] for row in rows] == ["non", "oui", "non", "non", "non"]
    assert {(row[0], row[6], row[7]) for row in rows} == {("1. +2 ou −2 ?", "2,25", "O20.3")}
    exported = store.read("class.export", teacher, {"session": number})
    assert [given["answer"] for given in exported["answers"]][1:4] == [1.5, "\t=2", {"hex": "K7"}]
    assert exported["participants"][0]["nickname"] == "=1+1"


def everything(store: Store) -> list[int]:
    """Rows of each table of classes."""
    tables = (schema.sessions, schema.participants, schema.pushes, schema.answers)
    with store.engine.connect() as db:
        return [db.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def filled(store: Store, teacher: Who) -> int:
    """A session with a participant, a push and an answer."""
    session = one(store, "class.open", teacher)
    ana = joined(store, session, "Ana", 1)
    push = one(store, "class.push", teacher, session=session["session"], kind="question", body=1)["push"]
    assert answered(store, session, ana, push, 7) is None
    return int(session["session"])


def test_erasing_a_session_leaves_nothing_of_it(store: Store, teacher: Who) -> None:
    first, _ = filled(store, teacher), filled(store, teacher)
    one(store, "class.erase", teacher, session=first)
    assert everything(store) == [1, 1, 1, 1]
    assert store.read("server.snapshot", SERVER, {"session": first}) == {}


@pytest.mark.parametrize("days", [90, 7])
def test_sessions_are_forgotten_by_themselves(
    store: Store, teacher: Who, days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock:
        now = 1_800_000_000.0

        def time(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr(store_module, "time", clock)
    store.keeping = Keeping(sessions=days)
    filled(store, teacher)
    clock.now += days * 86_400.0 - 1
    one(store, "server.forget", SERVER)
    assert everything(store) == [1, 1, 1, 1]
    clock.now += 2
    one(store, "server.forget", SERVER)
    assert everything(store) == [0, 0, 0, 0]


def test_the_door_knows_an_open_session_by_code_or_number_and_no_other(store: Store, teacher: Who) -> None:
    opened = one(store, "class.open", teacher, title="Mardi", expected=2)
    known = {"session": opened["session"], "code": opened["code"], "expected": 2}
    assert store.read("server.class", SERVER, {"code": opened["code"].lower()}) == known
    assert store.read("server.class", SERVER, {"session": opened["session"]}) == known
    for number in range(3):
        joined(store, opened, f"Élève {number}", number)
    assert store.read("server.class", SERVER, {"code": opened["code"]})["expected"] == 3
    with pytest.raises(Refused):
        store.read("server.class", SERVER, {"code": "court"})
    with pytest.raises(Forbidden):
        store.read("server.class", teacher, {"code": opened["code"]})
    one(store, "class.close", teacher, session=opened["session"])
    assert store.read("server.class", SERVER, {"code": opened["code"]}) == {}


def test_the_door_knows_whether_there_are_teachers(store: Store, teacher: Who) -> None:
    assert store.read("server.teachers", SERVER, {}) == {"teachers": 1}
    with store.engine.begin() as db:
        teachers.revoke(db, teacher.teacher or 0, 2.0)
    assert store.read("server.teachers", SERVER, {}) == {"teachers": 0}
