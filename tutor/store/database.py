"""Where the database is, how it is opened, and what its errors mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError

from tutor.store.errors import Away, Refused
from tutor.store.who import Keeping

FILE = "ligne-de-vue.sqlite3"
#: Seconds that a transaction waits for another process's lock, and a connection for its server.
LOCK_WAIT = 2.0
CONNECT_WAIT = 3


def place(env: Mapping[str, str]) -> URL:
    """Address of the database: `LDV_DATABASE_URL` (PostgreSQL), else a SQLite file in `LDV_DATA` or the user's data.

    Args:
        env: environment.

    Raises:
        Refused: when `LDV_DATABASE_URL` is no address of PostgreSQL.

    >>> place({"LDV_DATABASE_URL": "postgresql://u@h/b"}).drivername
    'postgresql+psycopg'
    >>> place({"LDV_DATA": "/srv/ldv"}).database
    '/srv/ldv/ligne-de-vue.sqlite3'
    """
    if given := env.get("LDV_DATABASE_URL", ""):
        try:
            url = make_url(given)
        except (ArgumentError, ValueError) as error:
            raise Refused("LDV_DATABASE_URL n’est pas une adresse de base de données.") from error
        if url.get_backend_name() not in ("postgresql", "postgres"):
            raise Refused("LDV_DATABASE_URL doit commencer par postgresql:// (sans elle, un fichier SQLite sert).")
        return url.set(drivername="postgresql+psycopg")
    folder = env.get("LDV_DATA") or platformdirs.user_data_dir("ligne-de-vue", appauthor=False)
    return URL.create("sqlite", database=str(Path(folder).expanduser() / FILE))


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
            raise Away("away") from error
        engine = create_engine(url, connect_args={"timeout": LOCK_WAIT, "check_same_thread": False})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    return create_engine(
        url,
        pool_size=3,
        max_overflow=2,
        pool_pre_ping=True,
        connect_args={"connect_timeout": CONNECT_WAIT, "options": "-c lock_timeout=4000 -c statement_timeout=15000"},
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


def away(error: DBAPIError) -> Away:
    """What an error of the driver means for who waits for an answer."""
    said = str(error.orig).lower()
    if isinstance(error.orig, sqlite3.Error):
        if "locked" in said or "busy" in said:
            return Away("locked")
        return Away("full" if "full" in said or "disk i/o" in said else "away")
    state = getattr(error.orig, "sqlstate", None) or ""
    if state in ("55P03", "40P01", "40001", "57014"):
        return Away("locked")
    return Away("full" if state in ("53100", "53200") else "away")
