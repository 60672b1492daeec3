"""The database locked, full or away, the server gone: the lesson goes on, says that nothing is kept, and catches up."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from sqlalchemy import event, text

from tests.own_loop import in_own_loop
from tests.ports import free_port
from tests.store.harness import (
    ATTEMPT,
    PATIENCE,
    Follower,
    Postgres,
    kept,
    kernels,
    opened,
    teacher_key,
    until,
)
from tutor.store import backup, database
from tutor.store.database import connect, place
from tutor.store.restore import restore
from tutor.store.store import Store
from widgets.host import channel as channel_module
from widgets.host.channel import Channel
from widgets.serving.desk.desk import Desk


class Seen:
    """What the page would have shown of the channel."""

    def __init__(self, channel: Channel) -> None:
        self.statuses: list[str] = []
        channel.on_status(lambda status, _: self.statuses.append(status))


async def started(ana: Channel) -> str:
    """A learner whose code is kept."""
    code = ana.new_learner()
    await until(lambda: ana.waiting == 0)
    return code


async def not_kept(ana: Channel, count: int = 5) -> list[asyncio.Future[Any]]:
    """Write while that cannot be kept, and wait until the page says so."""
    writing = [ana.write("attempt.add", ATTEMPT) for _ in range(count)]
    await until(lambda: ana.status == "waiting", "the page did not say that nothing is kept")
    assert "Pas gardé pour l’instant" in ana.status_text
    assert not any(future.done() for future in writing)
    return writing


async def caught_up(ana: Channel, writing: list[asyncio.Future[Any]], total: int) -> None:
    """Everything was kept, once."""
    replies = await asyncio.wait_for(asyncio.gather(*writing), PATIENCE)
    assert all(reply.ok for reply in replies), replies
    await until(lambda: ana.status == "kept")
    attempts = kept(await ana.request("attempts.list", {"limit": 1_000}))["attempts"]
    assert len(attempts) == total
    assert len({attempt["id"] for attempt in attempts}) == total


def test_a_locked_database(on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOCK_WAIT", 0.2)

    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with kernels(desk) as (ana,):
                seen = Seen(ana)
                await started(ana)
                other = sqlite3.connect(Path(on_sqlite["LDV_DATA"], database.FILE), isolation_level=None)
                other.execute("BEGIN IMMEDIATE")
                writing = await not_kept(ana)
                assert kept(await ana.request("review.due"))["due"] == 0  # one may still read
                await until(lambda: desk.describe()["fault"] == "La base de données est occupée.")
                other.execute("ROLLBACK")
                other.close()
                await caught_up(ana, writing, 5)
                assert desk.describe()["fault"] == ""
                said = [status for status in seen.statuses if status not in ("idle", "saving")]
                # On a slow machine the page says it waits before the first is kept too, and may say it again.
                assert said[-2:] == ["waiting", "kept"]
                assert "kept" in said[:-2]

    in_own_loop(play())


def test_a_full_disk(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with kernels(desk) as (ana,):
                await started(ana)
                store = desk.librarian.store
                assert store is not None
                pages: list[int] = []

                def fill(raw: Any, *_: Any) -> None:
                    limit = pages[0] if pages else 2**30
                    raw.execute(f"PRAGMA max_page_count={limit}")  # never below what is there already

                event.listen(store.engine, "checkout", fill)
                pages.append(1)
                writing = [ana.write("attempt.add", {**ATTEMPT, "answer": "x" * 3_900}) for _ in range(40)]
                await until(lambda: ana.status == "waiting")
                pages.clear()
                await caught_up(ana, writing, 40)

    in_own_loop(play())


def test_a_data_folder_that_cannot_be_used_yet(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    blocker = tmp_path / "data"
    blocker.write_text("un fichier, pas un dossier", encoding="utf-8")

    async def play() -> None:
        async with opened({"LDV_DATA": str(blocker)}) as desk:
            with kernels(desk) as (ana,):
                ana.new_learner()
                writing = await not_kept(ana)
                assert (await ana.request("progress.get")).error in ("away", "forbidden")
                assert desk.describe()["ready"] is False
                blocker.unlink()
                await caught_up(ana, writing, 5)

    in_own_loop(play())
    said = capfd.readouterr().err
    assert said.count("n’est pas gardée") == 1


def test_a_database_of_a_later_release_is_said_once(env: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    store = Store(database.place(env))
    store.open()
    with store.engine.connect().execution_options(ldv_write=True) as db, db.begin():
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()

    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk) as (ana,):
                ana.new_learner()
                await not_kept(ana)
                await asyncio.sleep(2.5)
                assert "plus récente" in desk.describe()["fault"]

    in_own_loop(play())
    assert capfd.readouterr().err.count("plus récente") == 1


def test_postgresql_away_at_the_start_then_in_the_middle(postgres: Postgres) -> None:
    env = {"LDV_DATABASE_URL": postgres.new_database()}
    postgres.stop()

    async def play() -> None:
        loop = asyncio.get_running_loop()
        async with opened(env) as desk:
            with kernels(desk, 2) as (ana, bea):
                ana.new_learner()
                writing = await not_kept(ana)
                await loop.run_in_executor(None, postgres.start)
                await caught_up(ana, writing, 5)
                await loop.run_in_executor(None, postgres.stop)
                writing = await not_kept(ana)
                assert (await bea.request("link.get", {"code": "AAAAAAAA"})).error == "away"
                await loop.run_in_executor(None, postgres.start)
                await caught_up(ana, writing, 10)

    try:
        in_own_loop(play())
    finally:
        if postgres.process is None or postgres.process.poll() is not None:
            postgres.start()


def test_the_server_gone_and_back(env: dict[str, str]) -> None:
    port = free_port()

    async def play() -> None:
        desk = Desk(env, port=port, key="clé")
        await desk.start()
        with kernels(desk, 2) as (ana, bea):
            code = await started(ana)
            kept(await bea.resume(code))
            heard = Follower()
            ana.subscribe("learner", heard)
            before = [ana.write("attempt.add", ATTEMPT) for _ in range(50)]
            await desk.stop()
            after = await not_kept(ana, 50)
            async with opened(env, port=port, key="clé"):
                await caught_up(ana, [*before, *after], 100)  # what was done but not acknowledged counts once
                await until(lambda: bea._task is not None)
                kept(await bea.write("lesson.open", {"lesson": "a"}))
                await until(lambda: {"changed": "lesson.open", "lesson": "a"} in heard.payloads)

    in_own_loop(play())


def test_the_queue_of_a_kernel_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "MOST_WAITING", 3)

    async def play() -> None:
        ana = Channel(f"127.0.0.1:{free_port()}", "clé")
        writing = [ana.write("attempt.add", ATTEMPT) for _ in range(5)]
        await asyncio.sleep(0)
        assert [future.done() for future in writing] == [False, False, False, True, True]
        assert writing[4].result().error == "away"
        assert ana.waiting == 3
        ana.close()

    in_own_loop(play())


def test_a_read_without_a_server_says_so_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "PATIENCE", 0.3)

    async def play() -> None:
        ana = Channel(f"127.0.0.1:{free_port()}", "clé")
        reply = await asyncio.wait_for(ana.request("progress.get"), 20)
        assert reply.error == "away"
        assert reply.message
        ana.close()

    in_own_loop(play())


def test_who_is_leaving_a_database_is_waited_for(on_postgres: dict[str, str], tmp_path: Path) -> None:
    """A restored database has nobody else; one who has left stays in PostgreSQL's list for a moment."""
    teacher_key(on_postgres)
    backup.write(place(on_postgres), tmp_path / "b.ldv")
    engine = connect(place(on_postgres))
    Timer(0.5, engine.connect().invalidate).start()
    restore(place(on_postgres), tmp_path / "b.ldv", replace=True)
    engine.dispose()
