"""`ldv backup` and `ldv restore`: while serving, on both databases and from one to the other, whole or not at all."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.own_loop import in_own_loop
from tests.store.harness import ATTEMPT, CODE, MISSED, ROOT, done, kept, kernels, opened, until, write
from tutor.cli import main
from tutor.store import backup, teachers
from tutor.store.backup import look
from tutor.store.database import connect, place
from tutor.store.errors import Away, Refused
from tutor.store.migrate import current, scripts, tables_of, upgrade
from tutor.store.restore import restore
from tutor.store.store import Store
from tutor.store.who import Who

WRITERS, BEFORE = 4, 40
Tables = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(params=["sqlite", "postgres"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Environment of a second, new database, of both kinds in turn."""
    if request.param == "sqlite":
        return {"LDV_DATA": str(tmp_path / "autre")}
    env: dict[str, str] = request.getfixturevalue("on_postgres_too")
    return env


@pytest.fixture
def on_postgres_too(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """A second new database on PostgreSQL."""
    server = request.getfixturevalue("postgres")
    url = server.new_database()
    yield {"LDV_DATABASE_URL": url}
    server.drop(url)


def contents(env: dict[str, str]) -> Tables:
    """Everything a database holds."""
    engine = connect(place(env))
    with engine.connect() as db:
        tables = {
            table.name: sorted(tuple(row) for row in db.execute(table.select()))
            for table in tables_of(db).sorted_tables
        }
    engine.dispose()
    return tables


def full(env: dict[str, str]) -> str:
    """Put something in most tables; the teacher's key."""
    store = Store(place(env))
    store.open()
    with store.engine.connect().execution_options(ldv_write=True) as db, db.begin():
        number, key = teachers.create(db, "Mme Durand", 100.0)
    [made] = store.write([write("learner.new", code=CODE)])
    me = Who(learner=done(made)["learner"])
    for outcome in store.write(
        [
            write("lesson.open", me, lesson="a.ipynb"),
            write("attempt.add", me, lesson="a.ipynb", **ATTEMPT),
            write("attempt.add", me, lesson="a.ipynb", **{**MISSED, "answer": {"é ’\n": [1.5, None, "🂡"]}}),
            write("link.make", kind="page", target="/voila/render/accueil.ipynb"),
        ]
    ):
        done(outcome)
    [session] = store.write([write("class.open", Who(teacher=number), title="Samedi")])
    [joined] = store.write([write("class.join", code=done(session)["code"], nickname="Zoé", token="a" * 40)])
    done(joined)
    store.close()
    return key


def ldv(capsys: pytest.CaptureFixture[str], env: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LDV_DATABASE_URL", raising=False)
        for name, value in env.items():
            patch.setenv(name, value)
        code = main(arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


# -- There and back ----------------------------------------------------------------------------------------------------


def test_all_comes_back_whichever_database_it_came_from(
    env: dict[str, str], other: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full(env)
    file = tmp_path / "tout.ldv"
    assert ldv(capsys, env, "backup", str(file)) == (
        0,
        f"Sauvegardé dans « {file} » : lecteurs 1, réponses 2, séances 1, réponses de classe 0.\n",
        "",
    )
    code, said, _ = ldv(capsys, other, "restore", str(file))
    assert (code, said.startswith("Restauré, tel que c’était le ")) == (0, True)
    assert contents(other) == contents(env)
    assert len(contents(other)["attempts"]) == 2
    store = Store(place(other))
    store.open()
    me = Who(learner=store.read("learner.resume", Who(), {"code": CODE})["learner"])
    assert store.read("attempts.list", me, {})["attempts"][0]["answer"] == {"é ’\n": [1.5, None, "🂡"]}
    done(store.write([write("attempt.add", me, **ATTEMPT)])[0])
    store.close()


def test_a_number_that_was_erased_is_never_given_again(
    env: dict[str, str], other: dict[str, str], tmp_path: Path
) -> None:
    store = Store(place(env))
    store.open()
    made = [done(store.write([write("learner.new", code=CODE[:-1] + end)])[0])["learner"] for end in "HJK"]
    done(store.write([write("learner.erase", Who(learner=made[-1]))])[0])
    store.close()
    backup.write(place(env), tmp_path / "b.ldv")
    restore(place(other), tmp_path / "b.ldv")
    store = Store(place(other))
    store.open()
    assert done(store.write([write("learner.new", code=CODE[:-1] + "M")])[0])["learner"] == made[-1] + 1
    store.close()


def test_a_backup_taken_while_serving_holds_all_that_was_acknowledged_before(
    env: dict[str, str], other: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "pendant.ldv"
    acknowledged: list[int] = []
    codes: list[str] = []
    before: set[int] = set()

    async def serve_and_back_up() -> None:
        loop = asyncio.get_running_loop()
        async with opened(env) as desk:
            with kernels(desk, WRITERS) as channels:
                codes.extend([channel.new_learner() for channel in channels])
                enough = asyncio.Event()

                async def answer_on(number: int) -> None:
                    while not enough.is_set():
                        kept(await channels[number % WRITERS].write("attempt.add", {**ATTEMPT, "answer": number}))
                        acknowledged.append(number)
                        number += WRITERS

                writing = [asyncio.ensure_future(answer_on(number)) for number in range(WRITERS)]
                await until(lambda: len(acknowledged) >= BEFORE)
                before.update(acknowledged)
                await loop.run_in_executor(None, backup.write, place(env), file)
                after = len(acknowledged)
                await until(lambda: len(acknowledged) > after)  # nobody was stopped by it
                enough.set()
                await asyncio.gather(*writing)

    in_own_loop(serve_and_back_up())
    restore(place(other), file)

    async def serve_the_copy() -> None:
        answers: list[int] = []
        async with opened(other) as desk:
            for code in codes:
                with kernels(desk) as (channel,):
                    kept(await channel.resume(code))
                    attempts = kept(await channel.request("attempts.list", {"limit": 20_000}))["attempts"]
                    answers += [attempt["answer"] for attempt in attempts]
                    kept(await channel.write("attempt.add", ATTEMPT))
        assert before <= set(answers)
        assert len(answers) == len(set(answers))
        for first in range(WRITERS):  # one moment: of each reader's answers, the first so many
            mine = sorted(answer for answer in answers if answer % WRITERS == first)
            assert mine == list(range(first, first + WRITERS * len(mine), WRITERS))

    in_own_loop(serve_the_copy())
    assert len(before) >= BEFORE


# -- What is refused ---------------------------------------------------------------------------------------------------


def test_only_its_owner_reads_a_backup_and_none_is_overwritten(
    env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full(env)
    file = tmp_path / "b.ldv"
    backup.write(place(env), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.glob(".*")) == []  # no copy is left behind
    first = file.read_bytes()
    code, out, err = ldv(capsys, env, "backup", str(file))
    assert (code, out, err) == (
        1,
        "",
        f"ldv : « {file} » existe déjà. Donnez un autre nom, ou ajoutez --replace.\n",
    )
    assert file.read_bytes() == first
    assert ldv(capsys, env, "backup", "--replace", str(file))[0] == 0
    assert file.read_bytes() != first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_database_that_is_not_empty_is_replaced_only_when_asked(
    env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full(env)
    file = tmp_path / "b.ldv"
    backup.write(place(env), file)
    saved = contents(env)
    store = Store(place(env))
    store.open()
    done(store.write([write("learner.new", code=CODE[:-1] + "J")])[0])
    store.close()
    later = contents(env)
    code, _, err = ldv(capsys, env, "restore", str(file))
    assert (code, "n’est pas vide" in err, "--replace" in err) == (1, True, True)
    assert contents(env) == later
    assert ldv(capsys, env, "restore", "--replace", str(file))[0] == 0
    assert contents(env) == saved


def test_a_database_that_a_server_has_open_is_left_alone(env: dict[str, str], tmp_path: Path) -> None:
    full(env)
    file = tmp_path / "b.ldv"
    backup.write(place(env), file)

    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk) as (ana,):
                kept(await ana.resume(CODE))
                with pytest.raises(Refused, match="tient cette base ouverte"):
                    await asyncio.get_running_loop().run_in_executor(None, restore, place(env), file, True)
                kept(await ana.write("attempt.add", ATTEMPT))

    in_own_loop(play())
    assert len(contents(env)["attempts"]) == 3
    restore(place(env), file, replace=True)
    assert len(contents(env)["attempts"]) == 2


def spoilt(file: Path, lines: list[bytes]) -> None:
    """Write a backup's lines, changed."""
    file.write_bytes(gzip.compress(b"".join(lines)))


def test_a_damaged_file_changes_nothing(env: dict[str, str], tmp_path: Path) -> None:
    full(env)
    good, bad = tmp_path / "bon.ldv", tmp_path / "abîmé.ldv"
    backup.write(place(env), good)
    before = contents(env)
    lines = gzip.decompress(good.read_bytes()).splitlines(keepends=True)
    damages: dict[str, bytes | list[bytes]] = {
        "not gzip": b"pas une sauvegarde",
        "empty": b"",
        "cut short": good.read_bytes()[:-40],
        "a byte changed": good.read_bytes()[:200] + b"\0" + good.read_bytes()[201:],
        "no last line": lines[:-1],
        "a row less": [*lines[:-2], lines[-1]],
        "a row changed": [line.replace(b"a.ipynb", b"b.ipynb") for line in lines],
        "something after": [*lines, b"[]\n"],
        "another file": [b'{"format": "autre"}\n'],
        "no object": [b"[]\n", *lines[1:]],
        "nothing inside": [],
    }
    for what, damage in damages.items():
        if isinstance(damage, bytes):
            bad.write_bytes(damage)
        else:
            spoilt(bad, damage)
        with pytest.raises(Refused, match="n’est pas une sauvegarde"):
            restore(place(env), bad, replace=True)
        assert contents(env) == before, what


def resealed(file: Path, change: dict[str, Any], lines: list[bytes]) -> None:
    """A file whose seal is right, and which says something else."""
    first = {**json.loads(lines[0]), **change}
    body = [json.dumps(first).encode() + b"\n", *lines[1:-1]]
    counted: dict[str, int] = {}
    name = ""
    for line in body[1:]:
        value = json.loads(line)
        if isinstance(value, dict):
            counted[name := value["table"]] = 0
        else:
            counted[name] += 1
    end = {"rows": counted, "sha256": hashlib.sha256(b"".join(body)).hexdigest()}
    spoilt(file, [*body, json.dumps(end).encode() + b"\n"])


def test_a_later_release_s_backup_is_refused_and_one_that_contradicts_itself_changes_nothing(
    env: dict[str, str], tmp_path: Path
) -> None:
    full(env)
    good, bad = tmp_path / "bon.ldv", tmp_path / "autre.ldv"
    backup.write(place(env), good)
    before = contents(env)
    lines = gzip.decompress(good.read_bytes()).splitlines(keepends=True)
    resealed(bad, {}, lines)
    restore(place(env), bad, replace=True)  # the seal of this test is the right one
    assert contents(env) == before
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"table":"learners"')) + 1
    assert lines[at].startswith(b"[1,")
    orphan = [*lines[:at], lines[at].replace(b"[1,", b"[7,", 1), *lines[at + 1 :]]
    twice = [*lines[:at], lines[at], *lines[at:]]
    for change, body, said in (
        ({"revision": "9999"}, lines, "plus récente"),
        ({"version": 99}, lines, "plus récente"),
        ({}, orphan, "se contredit"),
        ({}, twice, "se contredit"),
        ({"revision": "0001"}, lines, "n’est pas une sauvegarde"),
    ):
        resealed(bad, change, body)
        with pytest.raises(Refused, match=said):
            restore(place(env), bad, replace=True)
        assert contents(env) == before


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_what_cannot_be_done_is_said_in_one_line(
    env: dict[str, str], tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ldv(capsys, env, command, str(tmp_path / "absent" / "b.ldv"))
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "dossier n’existe pas" in err or "rien n’a été gardé" in err


def test_a_database_that_does_not_answer(tmp_path: Path, env: dict[str, str]) -> None:
    full(env)
    backup.write(place(env), tmp_path / "b.ldv")
    away = place({"LDV_DATABASE_URL": "postgresql://x@127.0.0.1:1/x"})
    with pytest.raises(Away):
        backup.write(away, tmp_path / "c.ldv")
    with pytest.raises(Away):
        restore(away, tmp_path / "b.ldv")
    assert sorted(path.name for path in tmp_path.glob("*.ldv")) == ["b.ldv"]


# -- Upgrade, and the way back -----------------------------------------------------------------------------------------

OLD = "0001"


def old_database(env: dict[str, str]) -> None:
    """A database as the first release left it."""
    engine = connect(place(env))
    upgrade(engine, OLD)
    with engine.connect().execution_options(ldv_write=True) as db, db.begin():
        db.exec_driver_sql("INSERT INTO learners (id, code_hash, made, created) VALUES (3, 'h', 'a', 100)")
        db.exec_driver_sql("INSERT INTO links VALUES ('ABCDEFGH', 'position', '/x', 100, 100)")
        if db.dialect.name == "postgresql":
            db.exec_driver_sql("SELECT setval('learners_id_seq', 3)")
    engine.dispose()


def revision(env: dict[str, str]) -> str | None:
    """Revision of a database."""
    engine = connect(place(env))
    with engine.connect() as db:
        version = current(db)
    engine.dispose()
    return version


def test_a_backup_of_an_older_form_is_brought_to_the_newest(
    env: dict[str, str], other: dict[str, str], tmp_path: Path
) -> None:
    old_database(env)
    assert backup.write(place(env), tmp_path / "vieux.ldv").revision == OLD
    assert revision(env) == OLD  # to save is not to change
    restore(place(other), tmp_path / "vieux.ldv")
    assert revision(other) == scripts().get_current_head()
    [learner] = contents(other)["learners"]
    assert learner[0] == 3


def test_the_database_is_backed_up_before_it_is_migrated_and_the_older_release_takes_it_back(
    env: dict[str, str], tmp_path: Path
) -> None:
    old_database(env)
    folder = tmp_path / "sauvegardes"
    store = Store(place(env), backups=folder)
    store.open()
    store.close()
    [file] = folder.iterdir()
    assert file.name.startswith("avant-migration-0001-")
    assert (look(file).revision, look(file).rows["learners"]) == (OLD, 1)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    again = Store(place(env), backups=folder)
    again.open()
    again.close()
    assert list(folder.iterdir()) == [file]  # nothing to migrate, nothing to save

    older = tmp_path / "ancienne"  # the package as it was: without the migration that came since
    shutil.copytree(ROOT / "tutor", older / "tutor", ignore=shutil.ignore_patterns("__pycache__", "games"))
    for path in (older / "tutor" / "store" / "migrations").glob("v000[2-9]*"):
        path.unlink()
    back = {"LDV_DATA": str(tmp_path / "retour")}
    run = [sys.executable, "-P", "-c", "from tutor.store.command import put_back as p; import sys; p(sys.argv[1])"]
    ran = subprocess.run(
        [*run, str(file)], env={**os.environ, **back, "PYTHONPATH": str(older)}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert revision(back) == OLD
    assert [learner[0] for learner in contents(back)["learners"]] == [3]
    with pytest.MonkeyPatch.context() as patch:  # and it does not take what is newer than it
        patch.setenv("LDV_DATA", back["LDV_DATA"])
        backup.write(place(env), tmp_path / "neuf.ldv")
    refused = subprocess.run(
        [*run, str(tmp_path / "neuf.ldv")],
        env={**os.environ, "LDV_DATA": str(tmp_path / "rien"), "PYTHONPATH": str(older)},
        capture_output=True,
        text=True,
    )
    assert (refused.returncode, "plus récente" in refused.stderr) == (1, True)


def test_a_migration_without_its_backup_is_not_done(env: dict[str, str], tmp_path: Path) -> None:
    old_database(env)
    blocker = tmp_path / "fichier"
    blocker.write_text("", encoding="utf-8")
    store = Store(place(env), backups=blocker)
    with pytest.raises(Refused, match="LDV_BACKUPS"):
        store.open()
    store.close()
    assert revision(env) == OLD
    without = Store(place(env))  # « non »
    without.open()
    without.close()
    assert revision(env) == scripts().get_current_head()


def test_nobody_writes_between_the_backup_and_the_migration(env: dict[str, str]) -> None:
    """Else what an older server still acknowledges then would be missing on the way back."""
    old_database(env)
    migrating, older = connect(place(env)), connect(place(env))
    seen: list[str] = []

    def keep(at: str) -> None:
        with older.connect().execution_options(ldv_write=True) as db:
            hurry = "PRAGMA busy_timeout=100" if db.dialect.name == "sqlite" else "SET lock_timeout = 100"
            raw: Any = db.connection.driver_connection
            raw.execute(hurry)
            db.rollback()
            with pytest.raises(OperationalError), db.begin():
                db.execute(text("UPDATE links SET used = 200"))
        with older.connect() as db:  # but one may read, as the backup does
            seen.append(f"{at} {db.execute(text('SELECT count(*) FROM links')).scalar()}")

    upgrade(migrating, keep=keep)
    migrating.dispose()
    older.dispose()
    assert seen == [f"{OLD} 1"]


def test_a_new_database_needs_no_backup(env: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "sauvegardes"
    engine = connect(place(env))
    upgrade(engine, OLD)
    engine.dispose()
    store = Store(place(env), backups=folder)
    store.open()
    store.close()
    assert not folder.exists()


def test_what_was_saved_before_a_migration_is_forgotten_after_a_month(env: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "sauvegardes"
    folder.mkdir()
    old, recent, mine = (folder / name for name in ("avant-migration-1.ldv", "avant-migration-2.ldv", "à-moi.ldv"))
    for file in (old, recent, mine):
        file.write_bytes(b"")
    for file in (old, mine):
        os.utime(file, (0, 0))
    store = Store(place(env), backups=folder)
    store.open()
    with store.engine.connect() as db:
        assert db.execute(text("SELECT count(*) FROM learners")).scalar() == 0
    store.close()
    assert sorted(path.name for path in folder.iterdir()) == sorted([recent.name, mine.name])
