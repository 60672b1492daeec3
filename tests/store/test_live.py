"""Class sessions lived: screens, secrets of a question, presence, restart, two servers, nothing read at rest."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import event

from tests.own_loop import in_own_loop
from tests.store.harness import Follower, kept, kernels, opened, teacher_key, until
from tutor.store.who import Who
from widgets.host.channel import Channel
from widgets.serving.desk import relay as desk_relay
from widgets.serving.desk.live import Classroom


@pytest.fixture
def key(env: dict[str, str]) -> str:
    """A teacher's key."""
    return teacher_key(env)


class Learner:
    """A learner's kernel in a session."""

    def __init__(self, channel: Channel, code: str, nickname: str) -> None:
        self.channel, self.code, self.nickname, self.screen = channel, code, nickname, Follower()

    async def join(self, token: str = "") -> Learner:
        """Join and follow."""
        self.me = kept(await self.channel.join(self.code, self.nickname, token))
        self.channel.subscribe(f"class/{self.me['session']}", self.screen)
        await until(lambda: self.screen.payloads, f"{self.nickname} sees nothing")
        return self

    async def answer(self, answer: Any, **more: Any) -> Any:
        """Answer what is on the screen."""
        push = self.screen.last["push"]["id"]
        args = {"session": self.me["session"], "push": push, "answer": answer, **more}
        return await self.channel.write("class.answer", args)


async def opening(teacher: Channel, key: str) -> tuple[dict[str, Any], Follower]:
    """A session just opened, and what its teacher sees."""
    kept(await teacher.teach(key))
    session, seen = kept(await teacher.write("class.open", {"title": "Mardi"})), Follower()
    teacher.subscribe(f"class/{session['session']}/desk", seen)
    await until(lambda: seen.payloads)
    return session, seen


def person(seen: Follower, nickname: str) -> dict[str, Any]:
    """What the teacher sees of somebody."""
    return next((one for one in seen.last.get("participants", []) if one["nickname"] == nickname), {})


def test_a_lesson_with_a_class(env: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 4) as (teacher, *channels):
                session, seen = await opening(teacher, key)
                number = session["session"]
                names = ("Ana", "Béa", "<b>Cid")
                pairs = zip(channels, names, strict=True)
                ana, bea, cid = [await Learner(c, session["code"], n).join() for c, n in pairs]
                await until(lambda: [p["online"] for p in seen.last["participants"]] == [True] * 3)

                where = {"session": number, "lesson": "cc/04.ipynb", "step": "2", "stuck": "O20.3"}
                kept(await bea.channel.request("class.where", where))
                await until(lambda: person(seen, "Béa").get("stuck") == "O20.3")
                assert person(seen, "Béa")["where"] == {"lesson": "cc/04.ipynb", "exercise": "", "step": "2"}

                body = {"question": "FP ?", "choices": [5, 7], "secret": {"answer": 7}}
                kept(await teacher.write("class.push", {"session": number, "kind": "question", "body": body}))
                for learner in (ana, bea, cid):
                    await until(lambda one=learner: one.screen.last["push"])
                    assert learner.screen.last["push"]["body"] == {"question": "FP ?", "choices": [5, 7]}
                    assert "participants" not in learner.screen.last
                for learner, answer in ((ana, 7), (bea, 7), (cid, 5)):
                    kept(await learner.answer(answer, ok=answer == 7))
                await until(lambda: seen.last["answered"] == 3)
                assert seen.last["distribution"] == [
                    {"answer": 7, "ok": True, "count": 2},
                    {"answer": 5, "ok": False, "count": 1},
                ]
                assert ana.screen.last["distribution"] is None

                kept(await teacher.write("class.control", {"session": number, "locked": True, "revealed": True}))
                await until(lambda: ana.screen.last["revealed"])
                assert ana.screen.last["push"]["body"] == body
                assert ana.screen.last["distribution"] == seen.last["distribution"]
                assert (await ana.answer(5)).error == "refused"

                cid.channel.close()
                await until(lambda: person(seen, "<b>Cid").get("online") is False)
                gone = {"session": number, "participant": bea.me["participant"]}
                kept(await teacher.write("class.remove", gone))
                await until(lambda: bea.screen.last.get("removed"))
                kept(await teacher.write("class.erase", {"session": number}))
                await until(lambda: ana.screen.last.get("erased") and seen.last.get("erased"))
                assert number not in desk.room.sessions
                assert "removed" in bea.screen.last

    in_own_loop(play())


def test_a_class_is_there_again_after_a_restart(env: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 2) as (teacher, channel):
                session, _ = await opening(teacher, key)
                ana = await Learner(channel, session["code"], "Ana").join()
                args = {"session": session["session"], "kind": "question", "body": {"question": "FP ?"}}
                kept(await teacher.write("class.push", args))
                kept(await teacher.write("class.control", {"session": session["session"], "board": {"p": 1}}))
                await until(lambda: ana.screen.last["board"])
                kept(await ana.answer(7, ok=True))
        async with opened(env) as desk:
            with kernels(desk, 2) as (teacher, channel):
                again = await Learner(channel, session["code"], "?").join(ana.me["token"])
                assert again.me["participant"] == ana.me["participant"]
                assert again.screen.last["push"]["body"] == {"question": "FP ?"}
                assert (again.screen.last["board"], again.screen.last["answered"]) == ({"p": 1}, 1)
                kept(await teacher.teach(key))
                sessions = kept(await teacher.request("class.list"))["sessions"]
                assert [(one["session"], one["people"]) for one in sessions] == [(session["session"], 1)]

    in_own_loop(play())


def test_who_joins_while_a_session_is_being_read_is_let_in() -> None:
    async def play() -> None:
        people, asked, answered = {1: "Ana"}, asyncio.Event(), asyncio.Event()

        async def read(op: str, who: Who, args: dict[str, Any]) -> dict[str, Any]:
            snapshot = {"id": 7, "teacher": 3, "people": dict(people), "answers": {}}
            asked.set()
            await answered.wait()
            return snapshot

        room = Classroom(read, lambda *_: None, lambda *_: None, lambda _: None)
        first = asyncio.ensure_future(room.get(7))
        await asked.wait()
        people[2] = "Bo"  # committed after the store was read, before it has answered
        room.changed([7])
        second = asyncio.ensure_future(room.get(7))
        answered.set()
        await first
        assert (await second).may(Who(participant={7: 2}))

    in_own_loop(play())


def test_a_forger_follows_and_leads_no_class(env: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 3) as (teacher, channel, forger):
                session, _ = await opening(teacher, key)
                ana = await Learner(channel, session["code"], "Ana").join()
                number = session["session"]
                for topic, who in ((f"class/{number}", forger), (f"class/{number}/desk", forger)):
                    answers: list[Any] = []
                    who.subscribe(topic, answers.append, answers.append)
                    await until(lambda answers=answers: answers)
                    assert answers[0].error == "forbidden"
                answers = []
                ana.channel.subscribe(f"class/{number}/desk", answers.append, answers.append)
                await until(lambda: answers)
                assert answers[0].error == "forbidden"
                for code in ("AAAAAA", "", session["code"] + "A"):
                    assert (await forger.join(code, "x")).error in ("forbidden", "refused")
                assert (await forger.teach("forged")).error == "refused"
                assert (await forger.teach("A" * 24)).error == "forbidden"
                assert (await forger.request("class.where", {"session": number})).error == "forbidden"

    in_own_loop(play())


def test_at_rest_nothing_is_read(env: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 6) as (teacher, *channels):
                session, seen = await opening(teacher, key)
                for number, channel in enumerate(channels):
                    await Learner(channel, session["code"], f"A{number}").join()
                await until(lambda: len(seen.last["participants"]) == 5)
                statements: list[str] = []
                store = desk.librarian.store
                assert store is not None
                event.listen(store.engine, "before_cursor_execute", lambda *said: statements.append(said[2]))
                for _ in range(60):  # until what was still going on has come to rest
                    statements.clear()
                    await asyncio.sleep(1.0)
                    if not statements:
                        break
                statements.clear()
                await asyncio.sleep(3.0)
                assert len(statements) <= (0 if "LDV_DATA" in env else 1)  # servers on one database give signs of life

    in_own_loop(play())


def test_two_servers_share_one_class(on_postgres: dict[str, str]) -> None:
    key = teacher_key(on_postgres)

    async def play() -> None:
        async with opened(on_postgres) as here, opened(on_postgres) as there:
            await until(lambda: here.relay.thread and there.relay.thread)
            with kernels(here, 2) as (teacher, channel), kernels(there, 1) as (far,):
                session, seen = await opening(teacher, key)
                number = session["session"]
                ana = await Learner(channel, session["code"], "Ana").join()
                bea = await Learner(far, session["code"], "Béa").join()
                await until(lambda: person(seen, "Béa").get("online"), "presence does not cross")
                kept(await bea.channel.request("class.where", {"session": number, "lesson": "cc/04.ipynb"}))
                await until(lambda: person(seen, "Béa")["where"].get("lesson") == "cc/04.ipynb")
                args = {"session": number, "kind": "question", "body": {"question": "FP ?"}}
                kept(await teacher.write("class.push", args))
                await until(lambda: bea.screen.last["push"] and ana.screen.last["push"], "a push does not cross")
                kept(await bea.answer(7, ok=True))
                await until(lambda: seen.last["answered"] == 1, "an answer does not cross")
                far.close()
                await until(lambda: person(seen, "Béa").get("online") is False, "leaving does not cross")

    in_own_loop(play())


def test_who_was_on_a_server_that_died_is_gone(on_postgres: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_relay, "ALIVE", 0.2)
    signs: list[str] = []
    hear = desk_relay.Relay._hear

    def heard(relay: desk_relay.Relay, payload: str) -> None:
        if '"alive"' in payload:
            signs.append(relay.name)
        hear(relay, payload)

    monkeypatch.setattr(desk_relay.Relay, "_hear", heard)
    key = teacher_key(on_postgres)

    async def play() -> None:
        async with opened(on_postgres) as here, opened(on_postgres) as there:
            await until(lambda: here.relay.thread and there.relay.thread)
            with kernels(here, 1) as (teacher,), kernels(there, 1) as (far,):
                session, seen = await opening(teacher, key)
                await Learner(far, session["code"], "Béa").join()
                await until(lambda: person(seen, "Béa").get("online"))
                await until(lambda: signs.count(here.relay.name) > 3)
                assert person(seen, "Béa")["online"]  # it still says that it lives
                there.relay.stop()
                there.relay.say = lambda said: None
                monkeypatch.setattr(desk_relay, "DEAD", 0.5)
                await until(lambda: person(seen, "Béa").get("online") is False)

    in_own_loop(play())
