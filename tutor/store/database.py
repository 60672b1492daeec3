"""Where the database is, how it is opened, and what its errors mean."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError

from tutor.store.errors import Away, Reason, Refused
from tutor.store.who import Keeping

FILE = "ligne-de-vue.sqlite3"
#: Under which PostgreSQL knows our connections.
NAME = "ligne-de-vue"
#: Seconds that a transaction waits for another process's lock, and a connection for its server.
LOCK_WAIT = 2.0
CONNECT_WAIT = 3
#: Bytes below which a disk is taken for full: SQLite's log alone wants some.
ROOM = 65_536


def place(env: Mapping[str, str]) -> URL:
    """Address of the database: PostgreSQL's where one is given, else a SQLite file in `LDV_DATA` or the user's data.

    Args:
        env: environment.

    Raises:
        Refused: when what is given is no address of PostgreSQL, or its file cannot be read.

    >>> place({"LDV_DATABASE_URL": "postgresql://u@h/b"}).drivername
    'postgresql+psycopg'
    >>> place({"LDV_DATA": "/srv/ldv"}).database
    '/srv/ldv/ligne-de-vue.sqlite3'
    """
    if given := address(env):
        try:
            url = make_url(given)
        except (ArgumentError, ValueError) as error:
            raise Refused("LDV_DATABASE_URL n’est pas une adresse de base de données.") from error
        if url.get_backend_name() not in ("postgresql", "postgres"):
            raise Refused("LDV_DATABASE_URL doit commencer par postgresql:// (sans elle, un fichier SQLite sert).")
        if url.password is None and env.get("PGPASSWORD"):  # the server takes it out of its environment
            url = url.set(password=env["PGPASSWORD"])
        return url.set(drivername="postgresql+psycopg")
    return URL.create("sqlite", database=str(data_folder(env) / FILE))


def data_folder(env: Mapping[str, str]) -> Path:
    """Folder of what is kept: `LDV_DATA`, else the user's."""
    return Path(env.get("LDV_DATA") or platformdirs.user_data_dir("ligne-de-vue", appauthor=False)).expanduser()


def backup_folder(env: Mapping[str, str]) -> Path | None:
    """Folder of the backups made before a migration: `LDV_BACKUPS`, else one among the data; None for « non ».

    >>> backup_folder({"LDV_DATA": "/srv/ldv"}), backup_folder({"LDV_BACKUPS": "non"})
    (...Path('/srv/ldv/sauvegardes'), None)
    """
    given = env.get("LDV_BACKUPS", "")
    if given.lower() == "non":
        return None
    return Path(given).expanduser() if given else data_folder(env) / "sauvegardes"


def address(env: Mapping[str, str]) -> str:
    """What names a PostgreSQL: `LDV_DATABASE_URL`, or the file `LDV_DATABASE_URL_FILE`, or systemd's credential of that
    name (`LoadCredential=ldv_database_url:…`); "" for none. A file keeps the password out of every environment.

    Args:
        env: environment.

    Raises:
        Refused: when the file that is named cannot be read.
    """
    if given := env.get("LDV_DATABASE_URL", ""):
        return given
    named = env.get("LDV_DATABASE_URL_FILE", "")
    credential = Path(env.get("CREDENTIALS_DIRECTORY") or os.devnull) / "ldv_database_url"
    try:
        return Path(named).read_text(encoding="utf-8").strip() if named else credential.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        if not named:
            return ""
        raise Refused("Le fichier que nomme LDV_DATABASE_URL_FILE ne peut pas être lu.") from error


def keeping(env: Mapping[str, str]) -> Keeping:
    """How long things are kept: `LDV_KEEP_SESSIONS` (90 days by default), `LDV_KEEP_LEARNERS` (365).

    Raises:
        Refused: when one is no number of days.

    >>> keeping({"LDV_KEEP_SESSIONS": "30"}).sessions
    30
    """
    days = {}
    for name in ("sessions", "learners"):
        text = env.get(f"LDV_KEEP_{name.upper()}", "")
        if text and not (text.isdecimal() and 1 <= int(text) <= 3_650):
            raise Refused(f"LDV_KEEP_{name.upper()} vaut « {text} » : donnez un nombre de jours de 1 à 3650.")
        if text:
            days[name] = int(text)
    return Keeping(**days)


def connect(url: URL) -> Engine:
    """An engine on the database; nothing is opened yet, but the folder of a SQLite file is made.

    Raises:
        Away: when that folder cannot be made.
    """
    if url.get_backend_name() == "sqlite":
        try:
            Path(url.database or "").parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            reasons: dict[int | None, Reason] = {errno.ENOSPC: "full", errno.EDQUOT: "full"}
            reasons |= dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "readonly")
            raise Away(reasons.get(error.errno, "away")) from error
        engine = create_engine(url, connect_args={"timeout": LOCK_WAIT, "check_same_thread": False})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    return create_engine(
        url,
        pool_size=3,
        max_overflow=2,
        pool_pre_ping=True,
        connect_args={
            "application_name": NAME,
            "connect_timeout": CONNECT_WAIT,
            "options": "-c lock_timeout=4000 -c statement_timeout=15000",
        },
    )


def _prepare_sqlite(raw: Any, _: Any) -> None:
    raw.isolation_level = None  # we say BEGIN ourselves: SQLite's module would not before a savepoint
    cursor = raw.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(db: Connection) -> None:
    writes = db.get_execution_options().get("ldv_write", False)
    db.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def disk_fault(file: Path) -> Reason | None:
    """What keeps a file from being written, by what the system says of it; None when nothing does.

    >>> disk_fault(Path("/absent/base.sqlite3")) is None
    True
    """
    folder = file.parent
    if not folder.is_dir():
        return None
    if not os.access(folder, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        return "readonly"
    try:
        return "full" if shutil.disk_usage(folder).free < ROOM else None
    except OSError:
        return None


def away(error: DBAPIError, url: URL | None = None) -> Away:
    """What an error of the driver means for who waits for an answer.

    Args:
        error: of the driver.
        url: address of the database, to look at its folder.
    """
    said = str(error.orig).lower()
    if isinstance(error.orig, sqlite3.Error):
        if "locked" in said or "busy" in said:
            return Away("locked")
        if "readonly" in said:
            return Away("readonly")
        if "full" in said:
            return Away("full")
        return Away((disk_fault(Path(url.database or "")) if url is not None else None) or "away")
    state = getattr(error.orig, "sqlstate", None) or ""
    if state in ("55P03", "40P01", "40001", "57014"):
        return Away("locked")
    if state == "25006":  # PostgreSQL itself takes no write
        return Away("readonly")
    return Away("full" if state in ("53100", "53200") else "away")
