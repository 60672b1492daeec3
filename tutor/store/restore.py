"""Put a backup into a database, whole or not at all."""

from __future__ import annotations

import itertools
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, Table, insert, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from tutor.store import backup, migrate
from tutor.store.database import NAME, away, connect
from tutor.store.errors import Refused

#: Seconds that a connection which was closed is given to be gone.
_GONE = 5.0


def _in_use() -> Refused:
    return Refused(
        "Un serveur, ou une autre commande ldv, tient cette base ouverte.",
        remedy="Arrêtez-le d’abord : ses lecteurs verraient les réponses d’autres lecteurs.",
    )


def restore(url: URL, file: Path, replace: bool = False) -> backup.Backup:
    """Put a backup into a database, and bring it to the newest form, in one transaction.

    Args:
        url: address of the database, of the same kind as the backup's or not.
        file: the backup.
        replace: whether what the database holds may be lost.

    Returns:
        What was restored.

    Raises:
        Refused: when the backup is no good or of a later release, or the database is in use, not empty or of a later
            release: then nothing has changed.
        Away: when the database does not answer.
    """
    described = backup.look(file)
    migrate.check_known(described.revision)
    engine = connect(url)
    try:
        with _alone(engine), migrate.changing(engine) as db:
            _check_alone(db)
            if migrate.holds_something(db) and not replace:
                raise Refused(
                    "Cette base n’est pas vide.",
                    remedy="Ajoutez --replace pour remplacer tout ce qu’elle contient, ou donnez une autre base.",
                )
            _empty(db)
            migrate.run(db, described.revision)
            _fill(db, file, described)
            migrate.run(db)
    except IntegrityError as error:
        raise Refused(f"« {file} » se contredit : rien n’a été changé.") from error
    except DBAPIError as error:
        raise away(error, url) from error
    finally:
        engine.dispose()
    return described


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """SQLite leaves its log, which it does for a file that nobody else has open; the next connection takes it again."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as db:
            raw: Any = db.connection.driver_connection
            try:
                mode = raw.execute("PRAGMA journal_mode=DELETE").fetchone()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise DBAPIError("", None, error) from error
                mode = ("wal",)
        if mode != ("delete",):
            raise _in_use()
    yield


def _check_alone(db: Connection) -> None:
    """PostgreSQL knows who else is there; one that has left stays in its list for a moment, on a busy machine for longer."""
    if db.dialect.name == "postgresql":
        db.execute(text("SET LOCAL statement_timeout = 0"))
        others = text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = :name "
            "AND pid <> pg_backend_pid()"
        )
        end = time.monotonic() + _GONE
        while db.execute(others, {"name": NAME}).scalar():
            if time.monotonic() > end:
                raise _in_use()
            time.sleep(0.1)
            db.execute(text("SELECT pg_stat_clear_snapshot()"))


def _empty(db: Connection) -> None:
    """Drop our tables, and no other."""
    migrate.tables_of(db).drop_all(db)
    db.execute(text(f"DROP TABLE IF EXISTS {migrate.VERSIONS}"))


def _fill(db: Connection, file: Path, described: backup.Backup) -> None:
    tables = migrate.tables_of(db).tables
    for about, given in backup.rows(file):
        table = tables.get(about["table"])
        if table is None or [column.name for column in table.columns] != about["columns"]:
            raise Refused(backup.BROKEN.format(name=file))
        while portion := list(itertools.islice(given, backup.TOGETHER)):
            db.execute(insert(table), [dict(zip(about["columns"], row, strict=True)) for row in portion])
        if about["last"]:
            _count_on(db, table, about["last"])
    if set(described.rows) != set(tables) or _loose(db):
        raise Refused(f"« {file} » se contredit : rien n’a été changé.")


def _count_on(db: Connection, table: Table, last: int) -> None:
    """The next row gets a number that was never given."""
    values = {"name": table.name, "last": last}
    if db.dialect.name == "sqlite":
        db.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
        db.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), values)
    else:
        db.execute(text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)"), values)


def _loose(db: Connection) -> bool:
    """Whether a row refers to what is not there; PostgreSQL has looked at each already."""
    return db.dialect.name == "sqlite" and db.exec_driver_sql("PRAGMA foreign_key_check").first() is not None
