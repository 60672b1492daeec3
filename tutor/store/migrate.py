"""Bring a database to the newest form of its tables, at the server's start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, exists, select, text
from sqlalchemy.engine import Connection, Engine

from tutor.store.errors import Refused

FOLDER = Path(__file__).resolve().parent / "migrations"
NEWEST = "head"
#: Table in which Alembic writes the revision.
VERSIONS = "alembic_version"
#: Any number of ours: two servers that start together on one PostgreSQL migrate one after the other.
LOCK = 5_319_001


def scripts() -> ScriptDirectory:
    """The migrations of this package."""
    return ScriptDirectory(str(FOLDER), version_locations=[str(FOLDER)])


def current(db: Connection) -> str | None:
    """Revision of a database; None when it is new."""
    return MigrationContext.configure(db).get_current_revision()


def check_known(revision: str | None) -> None:
    """Refuse what a later release made.

    Args:
        revision: of a database or of a backup; None for a new database.

    Raises:
        Refused: when this release does not know it.
    """
    if revision is not None and revision not in {script.revision for script in scripts().walk_revisions()}:
        raise Refused(
            "La base de données vient d’une version plus récente de Ligne de Vue.",
            remedy="Installez cette version, ou donnez un autre dossier dans LDV_DATA.",
        )


def tables(revision: str) -> list[str]:
    """Names of our tables at a revision, each after those that it refers to.

    Raises:
        Refused: when this release does not know that revision.

    >>> sorted(tables("0001"))
    ['attempts', 'learners', 'links', 'progress', 'receipts']
    """
    check_known(revision)
    model, engine = MetaData(), create_engine("sqlite://")
    try:
        upgrade(engine, revision)
        model.reflect(engine)
    finally:
        engine.dispose()
    return [table.name for table in model.sorted_tables if table.name != VERSIONS]


def tables_of(db: Connection) -> MetaData:
    """Our tables as they stand in a database, whatever its revision.

    Raises:
        Refused: when it comes from a later release.
    """
    model, at = MetaData(), current(db)
    if at is not None:
        model.reflect(db, only=tables(at))
    return model


def holds_something(db: Connection) -> bool:
    """Whether any of our tables has a row.

    Raises:
        Refused: when the database comes from a later release.
    """
    return any(db.execute(select(exists().select_from(table))).scalar() for table in tables_of(db).sorted_tables)


@contextmanager
def changing(engine: Engine) -> Iterator[Connection]:
    """A transaction in which tables may be rebuilt; nobody else migrates meanwhile.

    Args:
        engine: the database.
    """
    with engine.connect().execution_options(ldv_write=True) as db:
        sqlite = db.dialect.name == "sqlite"
        raw: Any = db.connection.driver_connection
        if sqlite:  # its tables are rebuilt: references must not be followed meanwhile
            raw.execute("PRAGMA foreign_keys=OFF")
        try:
            with db.begin():
                if not sqlite:
                    db.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
                yield db
        finally:
            if sqlite:
                raw.execute("PRAGMA foreign_keys=ON")


def upgrade(engine: Engine, to: str = NEWEST, keep: Callable[[str], None] | None = None) -> None:
    """Run the migrations that a database has not seen, in one transaction.

    Args:
        engine: the database.
        to: revision wanted; the newest by default.
        keep: called before a database that holds something is changed, with its revision; nobody writes meanwhile.

    Raises:
        Refused: when the database comes from a later release, or from `keep`: then nothing is changed.
    """
    with changing(engine) as db:
        at = current(db)
        check_known(at)
        if at == (scripts().get_current_head() if to == NEWEST else to):
            return
        if keep is not None and at is not None and holds_something(db):
            _stop_writers(db)
            keep(at)
        run(db, to)


def _stop_writers(db: Connection) -> None:
    """On PostgreSQL, older servers wait until this transaction ends (on SQLite, writing is ours already)."""
    if db.dialect.name == "postgresql":
        names = ", ".join(f'"{name}"' for name in tables_of(db).tables)
        db.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def run(db: Connection, to: str = NEWEST) -> None:
    """Run the migrations that a database has not seen.

    Args:
        db: connection of `changing`.
        to: revision wanted.
    """
    directory = scripts()
    with EnvironmentContext(
        Config(), directory, fn=lambda revision, _: directory._upgrade_revs(to, revision), destination_rev=to
    ) as environment:
        environment.configure(connection=db)
        environment.run_migrations()
