"""What the tests of the store share: a private PostgreSQL, desks and channels in a loop of their own, patience."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg

from tests.ports import free_port
from tutor.store import teachers
from tutor.store.database import place
from tutor.store.store import Store
from tutor.store.who import Outcome, Who, Write
from widgets.host.channel import Channel, Reply
from widgets.serving.desk.desk import Desk

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "essai"
CODE = "K7PM-2QX9-ABCD-EFGH"
ATTEMPT = {"game": "combat_commander", "exercise": "tir-1", "ok": True, "answer": 7, "rules": ["O20.3"]}
MISSED = {**ATTEMPT, "ok": False, "answer": 5, "missed": ["O20.3"]}
PATIENCE = 120.0


def teacher_key(env: dict[str, str]) -> str:
    """The key of a new teacher, in the database of an environment."""
    store = Store(place(env))
    store.open()
    with store.engine.begin() as db:
        _, key = teachers.create(db, "Mme Durand", time.time())
    store.close()
    return key


async def until(true: Callable[[], Any], why: str = "") -> None:
    """Wait for something to become true, as long as it takes (two minutes at most)."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, why or "never came"
        await asyncio.sleep(0.02)


def write(op: str, who: Who | None = None, mark: str = "", **args: Any) -> Write:
    """A write, with a new uuid unless one is given."""
    return Write(op, mark or str(uuid.uuid4()), who or Who(), args)


def done(outcome: Outcome) -> dict[str, Any]:
    """The result of a write that must not have been refused."""
    assert outcome.refused is None, outcome.refused
    return outcome.result


def kept(reply: Reply) -> dict[str, Any]:
    """The result of a request that must have been done."""
    assert reply.ok, reply
    return reply.result


@contextlib.asynccontextmanager
async def opened(env: dict[str, str], **options: Any) -> AsyncIterator[Desk]:
    """A desk that listens, closed at the end."""
    desk = Desk(env, **options)
    await desk.start()
    try:
        yield desk
    finally:
        await desk.stop()


@contextlib.contextmanager
def kernels(desk: Desk, count: int = 1) -> Iterator[list[Channel]]:
    """Channels of so many kernels."""
    channels = [Channel(desk.address, desk.key) for _ in range(count)]
    try:
        yield channels
    finally:
        for channel in channels:
            channel.close()


class Follower:
    """Keeps what a topic sends."""

    def __init__(self) -> None:
        self.payloads: list[Any] = []

    def __call__(self, payload: Any) -> None:
        self.payloads.append(payload)

    @property
    def last(self) -> dict[str, Any]:
        """The last payload; {} before the first."""
        return (self.payloads and self.payloads[-1]) or {}


def load_script() -> ModuleType:
    """scripts/postgres.py."""
    spec = importlib.util.spec_from_file_location("ldv_postgres", ROOT / "scripts" / "postgres.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    sys.modules.pop("system", None)  # the scripts' own module, which other tests load from elsewhere
    return module


def programs() -> Path:
    """Folder of PostgreSQL's programs; one French line and exit when there is none."""
    return Path(load_script().main())


class Postgres:
    """A private PostgreSQL server, run by an ordinary user (it refuses root), on a free port of this machine."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder
        self.place = Path(tempfile.mkdtemp(prefix="ldv-pg-"))
        self.port = free_port()
        self.user = getpass.getuser() if os.geteuid() else ordinary_user()
        self.process: subprocess.Popen[bytes] | None = None
        password = self.place / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        if not os.geteuid():
            account = pwd.getpwnam(self.user)
            for path in (self.place, password):
                os.chown(path, account.pw_uid, account.pw_gid)
        made = ("-D", self.place / "data", "-U", "ldv", "-A", "scram-sha-256", "--pwfile", password, "-E", "UTF8")
        self._start("initdb", *made, "--no-sync").wait(120)
        self.start()

    def _start(self, program: str, *arguments: object) -> subprocess.Popen[bytes]:
        as_user: dict[str, Any] = {}
        if not os.geteuid():
            account = pwd.getpwnam(self.user)
            as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        with (self.place / "log").open("ab") as log:
            command = [str(self.programs / program), *map(str, arguments)]
            env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self.place, env=env, **as_user)

    def url(self, database: str = "postgres") -> str:
        """Address of a database."""
        return f"postgresql://ldv:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ("-h", "127.0.0.1", "-p", self.port, "-k", self.place, "-c", "fsync=off", "-c", "max_connections=60")
        self.process = self._start("postgres", "-D", self.place / "data", *options)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=3).close()
                return
            except psycopg.OperationalError:
                log = (self.place / "log").read_text(errors="replace")[-400:]
                assert time.monotonic() < end, f"PostgreSQL does not start: {log}"
                time.sleep(0.1)

    def stop(self) -> None:
        """Stop it at once, as a failure would."""
        assert self.process
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)

    def new_database(self) -> str:
        """A new, empty database; its address."""
        name = f"t{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Remove a database, whoever still has it open."""
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def remove(self) -> None:
        """Stop it and remove its files."""
        self.stop()
        shutil.rmtree(self.place, ignore_errors=True)


def ordinary_user() -> str:
    """A user that is not root: Debian's package made one."""
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise AssertionError("no ordinary user to run PostgreSQL")
