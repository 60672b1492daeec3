"""All that is kept, in one file: written while the server serves, read back into SQLite or PostgreSQL alike.

The file is gzip; inside, one JSON value a line, in UTF-8: what it is, then for each table its name and columns and one
list a row, then how many rows there were and the SHA-256 of all the lines before. It says at which revision the tables
were, and is the same whichever database it came from.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import logging
import os
import secrets
import shutil
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import URL, Table, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tutor import __version__
from tutor.store.database import away, connect
from tutor.store.errors import Refused
from tutor.store.migrate import current, tables_of

FORMAT, VERSION = "ligne-de-vue", 1
SUFFIX = ".ldv"
#: Rows read, or inserted, at once.
TOGETHER = 500
#: Days that a backup made before a migration is kept: what a reader erased must not stay for ever.
KEPT_DAYS = 30
BEFORE = "avant-migration-"
log = logging.getLogger("ldv.store")
BROKEN = "« {name} » n’est pas une sauvegarde de Ligne de Vue, ou ce fichier est abîmé."


@dataclass(frozen=True)
class Backup:
    """What a backup says of itself.

    Args:
        revision: of the tables.
        engine: sqlite or postgresql: where it comes from.
        made: seconds since 1970.
        release: of the product that wrote it.
        rows: how many, by table.
    """

    revision: str
    engine: str
    made: float
    release: str
    rows: dict[str, int]


# -- writing -----------------------------------------------------------------------------------------------------------


def write(url: URL, file: Path, replace: bool = False) -> Backup:
    """Write a backup of one moment of a database; servers may read and write meanwhile.

    Args:
        url: address of the database.
        file: to make; only its owner may read it.
        replace: whether a file that is there already may be lost.

    Returns:
        What was written.

    Raises:
        Refused: when the file is there already or cannot be written, or there is no database yet.
        Away: when the database does not answer.
    """
    if file.exists() and not replace:
        raise Refused(f"« {file} » existe déjà.", remedy="Donnez un autre nom, ou ajoutez --replace.")
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with contextlib.ExitStack() as stack:
            stack.callback(part.unlink, missing_ok=True)
            with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
                with _one_moment(url, file.parent) as db:
                    written = _dump(db, out, url.get_backend_name())
                out.flush()
                os.fsync(out.fileno())
            os.replace(part, file)
    except OSError as error:
        raise Refused(f"« {file} » n’a pas pu être écrit : {_said(error)}.") from error
    except DBAPIError as error:
        raise away(error, url) from error
    except sqlite3.Error as error:
        raise away(DBAPIError("", None, error), url) from error
    return written


def _said(error: OSError) -> str:
    reasons: dict[type[OSError], str] = {
        FileNotFoundError: "ce dossier n’existe pas",
        PermissionError: "vous n’en avez pas le droit",
        NotADirectoryError: "ce n’est pas un dossier",
        IsADirectoryError: "c’est un dossier",
    }
    return reasons.get(type(error)) or error.strerror or "le système ne dit pas pourquoi"


@contextlib.contextmanager
def _one_moment(url: URL, folder: Path) -> Iterator[Connection]:
    """A connection that sees one moment of a database for as long as it is open, and delays nobody.

    SQLite's is that of a copy, made at once: a long read would keep the log from being emptied.
    """
    with contextlib.ExitStack() as stack:
        if url.get_backend_name() == "sqlite":
            url = url.set(database=str(_copy(url, folder, stack)))
        engine = connect(url)
        stack.callback(engine.dispose)
        if url.get_backend_name() != "sqlite":
            engine = engine.execution_options(isolation_level="REPEATABLE READ")
        db = stack.enter_context(engine.connect())
        stack.enter_context(db.begin())
        yield db


def _copy(url: URL, folder: Path, stack: contextlib.ExitStack) -> Path:
    if not Path(url.database or "").is_file():
        raise Refused("Il n’y a pas encore de base de données : rien n’a été gardé.")
    place = Path(tempfile.mkdtemp(prefix=".sauvegarde-", dir=folder))  # readable by its owner alone
    stack.callback(shutil.rmtree, place, ignore_errors=True)
    engine = connect(url)
    stack.callback(engine.dispose)
    with engine.connect() as db, contextlib.closing(sqlite3.connect(place / "copie.sqlite3")) as copy:
        raw: Any = db.connection.driver_connection
        raw.backup(copy)
    return place / "copie.sqlite3"


def _dump(db: Connection, out: BinaryIO, engine: str) -> Backup:
    revision = current(db)
    if revision is None:
        raise Refused("Il n’y a pas encore de base de données : rien n’a été gardé.")
    done = Backup(revision, engine, time.time(), __version__, {})
    seen = hashlib.sha256()
    with gzip.GzipFile("", "wb", 6, out, mtime=0) as packed:

        def put(value: Any) -> None:
            line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            seen.update(line)
            packed.write(line)

        about = {"made": done.made, "release": done.release, "engine": engine}
        put({"format": FORMAT, "version": VERSION, "revision": revision, **about})
        for table in tables_of(db).sorted_tables:
            put({"table": table.name, "columns": [column.name for column in table.columns], "last": last(db, table)})
            done.rows[table.name] = 0
            for row in db.execution_options(yield_per=TOGETHER).execute(select(table)):
                put(list(row))
                done.rows[table.name] += 1
        mark = seen.hexdigest()
        put({"rows": done.rows, "sha256": mark})
    return done


def counter(table: Table) -> str:
    """Column of a table that counts by itself; "" when there is none.

    SQLite counts so in a table whose only key is a whole number; PostgreSQL has a sequence there.
    """
    keys = list(table.primary_key.columns)
    counts = len(keys) == 1 and keys[0].name == "id" and not keys[0].foreign_keys
    return "id" if counts else ""


def last(db: Connection, table: Table) -> int | None:
    """Highest number that a table ever gave, rows since erased included: none is given twice. None: it gives none."""
    if not counter(table):
        return None
    if db.dialect.name == "sqlite":
        query, names = "SELECT seq FROM sqlite_sequence WHERE name = :name", {"name": table.name}
    else:
        query, names = (
            "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:name, 'id') AS regclass))",
            {"name": table.name},
        )
    return int(db.execute(text(query), names).scalar() or 0)


# -- reading -----------------------------------------------------------------------------------------------------------


def look(file: Path) -> Backup:
    """Read a backup to its end, and check it.

    Raises:
        Refused: when it cannot be read, is none, is damaged, or is of a later form.
    """
    for value in _values(file):
        if isinstance(value, Backup):
            return value
    raise Refused(BROKEN.format(name=file))  # pragma: no cover - `_values` ends with one, or raises


def rows(file: Path) -> Iterator[tuple[dict[str, Any], Iterator[list[Any]]]]:
    """What each table held: its line (`table`, `columns`, `last`), and its rows, to be read before the next table's.

    Raises:
        Refused: as `look`.
    """
    values = (value for value in _values(file) if not isinstance(value, Backup))
    coming = next(values, None)
    while isinstance(coming, dict):
        about, coming = coming, None

        def rows_of_table() -> Iterator[list[Any]]:
            nonlocal coming
            for value in values:
                if isinstance(value, dict):
                    coming = value
                    return
                yield value

        yield about, (given := rows_of_table())
        for _ in given:
            pass


def _values(file: Path) -> Iterator[dict[str, Any] | list[Any] | Backup]:
    """Lines after the first, then the backup itself once everything is checked."""
    try:
        with gzip.open(file, "rb") as packed:
            yield from _checked(packed, file)
    except (EOFError, zlib.error, gzip.BadGzipFile, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(BROKEN.format(name=file)) from error
    except OSError as error:
        raise Refused(f"« {file} » n’a pas pu être lu : {_said(error)}.") from error


def _checked(lines: Iterable[bytes], file: Path) -> Iterator[dict[str, Any] | list[Any] | Backup]:
    seen, counted, name = hashlib.sha256(), dict[str, int](), ""
    coming = iter(lines)
    first = next(coming, b"")
    about = json.loads(first)
    if about["format"] != FORMAT:
        raise ValueError
    if about["version"] > VERSION:
        raise Refused(f"« {file} » a été écrit par une version plus récente de Ligne de Vue.")
    seen.update(first)
    for line in coming:
        value = json.loads(line)
        if isinstance(value, dict) and "sha256" in value:
            if value["sha256"] != seen.hexdigest() or value["rows"] != counted or next(coming, None) is not None:
                raise ValueError
            yield Backup(about["revision"], about["engine"], about["made"], about["release"], counted)
            return
        seen.update(line)
        if isinstance(value, dict):
            name = value["table"]
            counted[name] = 0
        else:
            counted[name] += 1
        yield value
    raise EOFError


# -- before a migration ------------------------------------------------------------------------------------------------


def before_migration(url: URL, folder: Path, revision: str) -> None:
    """Write the backup that is the way back from a migration.

    Args:
        url: address of the database.
        folder: for such backups; made when needed.
        revision: of the database as it is.

    Raises:
        Refused: when it cannot be written.
        Away: when the database does not answer.
    """
    day = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    file = folder / f"{BEFORE}{revision}-{day}-{secrets.token_hex(2)}{SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write(url, file)
        log.info("la base change de forme ; elle est d’abord sauvegardée dans %s", file.name)
    except (Refused, OSError) as error:
        raise Refused(
            f"La base doit changer de forme, et sa sauvegarde n’a pas pu être écrite dans « {folder} ».",
            remedy="Donnez un autre dossier dans LDV_BACKUPS (ou « non », si vous avez votre propre sauvegarde).",
        ) from error


def forget_old(folder: Path, now: float) -> None:
    """Remove backups made before a migration long ago.

    Args:
        folder: where they are.
        now: seconds since 1970.
    """
    for file in folder.glob(f"{BEFORE}*{SUFFIX}"):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < now - KEPT_DAYS * 86_400:
                file.unlink()
