"""Nothing said is lost in silence: what comes while the database is away is kept for its question, and everyone is told."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.own_loop import in_own_loop
from tests.store.harness import ATTEMPT, Postgres, kept, kernels, opened, ordinary_user, teacher_key, until
from tests.store.test_live import Learner, opening, person
from tutor.store import database
from tutor.store.database import place
from tutor.store.errors import Away
from tutor.store.store import Store
from widgets.host.channel import Channel
from widgets.serving.desk.desk import Desk

LOCKED = "La base de données est occupée."


@pytest.fixture
def key(on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> str:
    """A teacher's key; a locked database is taken for away soon."""
    monkeypatch.setattr(database, "LOCK_WAIT", 0.2)
    return teacher_key(on_sqlite)


class Outage:
    """A database that takes no write, until it is over."""

    def __init__(self, env: dict[str, str]) -> None:
        self._other = sqlite3.connect(Path(env["LDV_DATA"], database.FILE), isolation_level=None)
        self._other.execute("BEGIN IMMEDIATE")

    def end(self) -> None:
        self._other.execute("ROLLBACK")
        self._other.close()


def ask(number: int, text: str) -> dict[str, Any]:
    return {"session": number, "kind": "question", "body": {"title": text}}


class Room:
    """A teacher, a learner, and a first question on their screens."""

    def __init__(self, teacher: Channel, channel: Channel) -> None:
        self.teacher, self.channel = teacher, channel

    async def begin(self, key: str) -> None:
        self.session, self.seen = await opening(self.teacher, key)
        self.number = self.session["session"]
        self.ana = await Learner(self.channel, self.session["code"], "Ana").join()
        self.first = kept(await self.teacher.write("class.push", ask(self.number, "Une ?")))["push"]
        await until(lambda: self.ana.screen.last["push"])

    def answer(self, text: str) -> asyncio.Future[Any]:
        push = self.ana.screen.last["push"]["id"]
        return self.channel.write("class.answer", {"session": self.number, "push": push, "answer": text, "ok": True})

    async def answers(self) -> dict[int, list[Any]]:
        """What is kept: push -> answers."""
        given: dict[int, list[Any]] = {}
        for one in kept(await self.teacher.request("class.export", {"session": self.number}))["answers"]:
            given.setdefault(one["push"], []).append(one["answer"])
        return given


@contextmanager
def room(desk: Desk) -> Iterator[Room]:
    with kernels(desk, 2) as (teacher, channel):
        yield Room(teacher, channel)


def test_an_answer_given_in_an_outage_counts_though_the_next_question_comes_first(
    on_sqlite: dict[str, str], key: str
) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with room(desk) as here:
                await here.begin(key)
                outage = Outage(on_sqlite)
                waits: list[str] = []
                pushing = here.teacher.write("class.push", ask(here.number, "Deux ?"), late=waits.append)
                await until(lambda: waits == [LOCKED])
                given = here.answer("oui")  # the first question is still on his screen
                await until(lambda: here.channel.status == "waiting")
                await until(lambda: here.seen.last["outage"] == LOCKED, "the teacher does not see the outage")
                outage.end()
                second = kept(await asyncio.wait_for(pushing, 20))["push"]
                assert kept(await asyncio.wait_for(given, 20)) == {"push": here.first, "tries": 1}
                await until(lambda: here.seen.last["push"]["id"] == second and here.seen.last["outage"] == "")
                assert await here.answers() == {here.first: ["oui"]}

    in_own_loop(play())


def test_an_answer_is_kept_though_its_page_was_closed_in_the_outage(on_sqlite: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with room(desk) as here:
                await here.begin(key)
                outage = Outage(on_sqlite)
                here.answer("oui")
                await until(lambda: here.channel.status == "waiting")
                here.channel.close()  # with its kernel, when a reader leaves his page
                await until(lambda: person(here.seen, "Ana").get("online") is False)
                outage.end()
                await until(lambda: here.seen.last["answered"] == 1)
                assert await here.answers() == {here.first: ["oui"]}

    in_own_loop(play())


def test_an_answer_that_comes_after_its_question_is_refused_in_words(on_sqlite: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with room(desk) as here:
                await here.begin(key)
                kept(await here.teacher.write("class.control", {"session": here.number, "locked": True}))
                assert (await here.answer("oui")).message == "L’enseignant a fermé les réponses."
                kept(await here.teacher.write("class.push", ask(here.number, "Deux ?")))
                args = {"session": here.number, "push": here.first, "answer": "oui", "ok": True}
                assert (
                    await here.channel.write("class.answer", args)
                ).message == "Cette question n’est plus à l’écran."
                assert (await here.channel.write("class.answer", {**args, "push": 999})).error == "refused"
                assert await here.answers() == {}

    in_own_loop(play())


def test_answers_closed_in_an_outage_keep_what_came_before(on_sqlite: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with room(desk) as here:
                await here.begin(key)
                outage = Outage(on_sqlite)
                waits: list[str] = []
                closing = here.teacher.write("class.close", {"session": here.number}, late=waits.append)
                await until(lambda: waits)
                given = here.answer("oui")
                await until(lambda: here.channel.status == "waiting")
                outage.end()
                kept(await asyncio.wait_for(closing, 20))
                kept(await asyncio.wait_for(given, 20))
                assert await here.answers() == {here.first: ["oui"]}

    in_own_loop(play())


def test_a_question_ends_the_leading_of_a_board(on_sqlite: dict[str, str], key: str) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with room(desk) as here:
                await here.begin(key)
                led = {"session": here.number, "leading": True, "board": {"form": "board"}}
                kept(await here.teacher.write("class.control", led))
                await until(lambda: here.ana.screen.last["leading"])
                board = {"session": here.number, "kind": "position", "body": {"form": "board"}}
                kept(await here.teacher.write("class.push", board))
                await until(lambda: here.ana.screen.last["push"]["kind"] == "position")
                assert here.ana.screen.last["leading"]
                kept(await here.teacher.write("class.push", ask(here.number, "Deux ?")))
                await until(lambda: here.ana.screen.last["push"]["kind"] == "question")
                assert not here.ana.screen.last["leading"]

    in_own_loop(play())


def test_a_call_for_help_is_heard_while_the_database_is_away(postgres: Postgres) -> None:
    env = {"LDV_DATABASE_URL": postgres.new_database()}
    key = teacher_key(env)

    async def play() -> None:
        loop = asyncio.get_running_loop()
        async with opened(env) as desk:
            with room(desk) as here:
                await here.begin(key)
                await loop.run_in_executor(None, postgres.stop)
                given = here.answer("oui")
                where = {"session": here.number, "stuck": "aide"}
                kept(await here.channel.request("class.where", where, late=lambda why: None))
                await until(lambda: person(here.seen, "Ana").get("stuck") == "aide")
                await until(lambda: here.seen.last["outage"] == "La base de données ne répond pas.")
                await loop.run_in_executor(None, postgres.start)
                kept(await asyncio.wait_for(given, 40))
                await until(lambda: here.seen.last["outage"] == "")

    try:
        in_own_loop(play())
    finally:
        if postgres.process is None or postgres.process.poll() is not None:
            postgres.start()


def test_a_key_and_a_code_entered_while_the_database_is_away_wait_with_a_word(postgres: Postgres) -> None:
    env = {"LDV_DATABASE_URL": postgres.new_database()}
    key = teacher_key(env)

    async def play() -> None:
        loop = asyncio.get_running_loop()
        async with opened(env) as desk:
            with kernels(desk, 3) as (teacher, ana, bea):
                code = ana.new_learner()
                await until(lambda: ana.waiting == 0)
                await loop.run_in_executor(None, postgres.stop)
                waits: list[str] = []
                asked = [
                    teacher.teach(key, late=waits.append),
                    bea.resume(code, late=waits.append),
                    ana.join("ZZZZZZ", "Ana", late=waits.append),
                    ana.request("progress.get", late=waits.append),
                ]
                await until(lambda: len(waits) == 3, "somebody who typed a secret reads nothing")
                assert not any(future.done() for future in asked)
                assert all(why.endswith("pas.") or why.endswith("l’instant.") for why in waits), waits
                await loop.run_in_executor(None, postgres.start)
                replies = await asyncio.wait_for(asyncio.gather(*asked), 60)
                assert [reply.error for reply in replies] == ["", "", "forbidden", ""]

    try:
        in_own_loop(play())
    finally:
        if postgres.process is None or postgres.process.poll() is not None:
            postgres.start()


# -- a data folder that takes nothing ----------------------------------------------------------------------------------

READ_ONLY = "Le dossier de données est en lecture seule : la progression n’est pas gardée."


@contextmanager
def nobody() -> Iterator[None]:
    """Be an ordinary user: root may write anywhere."""
    if os.geteuid():
        yield
        return
    os.setresuid(*[pwd.getpwnam(ordinary_user()).pw_uid] * 2, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.parametrize("old", [False, True])
def test_a_read_only_folder_is_named(old: bool) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        Path(made).chmod(0o755)
        folder = Path(made, "data")
        url = place({"LDV_DATA": str(folder)})
        folder.mkdir()
        if old:  # it could be written once
            store = Store(url)
            store.open()
            store.close()
        folder.chmod(0o555)
        with nobody(), pytest.raises(Away) as caught:
            Store(url).open()
        assert (caught.value.reason, str(caught.value)) == ("readonly", READ_ONLY)
        with nobody(), pytest.raises(Away, match="lecture seule"):
            Store(place({"LDV_DATA": str(folder / "plus" / "loin")}))
        folder.chmod(0o755)


def test_a_folder_that_becomes_read_only_is_said_and_what_waited_is_kept(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with kernels(desk) as (ana,):
                ana.new_learner()
                await until(lambda: ana.waiting == 0)
                store = desk.librarian.store
                assert store is not None
                with store.engine.connect() as db:
                    raw = db.connection.driver_connection
                    raw.execute("PRAGMA query_only=ON")
                waits: list[str] = []
                given = ana.write("attempt.add", ATTEMPT, late=waits.append)
                await until(lambda: ana.status == "waiting")
                assert waits == [READ_ONLY]
                assert desk.describe()["fault"] == READ_ONLY
                assert "Pas gardé pour l’instant" in ana.status_text
                raw.execute("PRAGMA query_only=OFF")
                kept(await asyncio.wait_for(given, 20))
                await until(lambda: desk.describe()["fault"] == "")

    in_own_loop(play())


@pytest.mark.parametrize(("free", "reason"), [(0, "full"), (10**9, None)])
def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, reason: str | None) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert database.disk_fault(tmp_path / database.FILE) == reason
