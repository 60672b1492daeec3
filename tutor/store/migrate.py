"""Bring a database to the newest form of its tables, at the server's start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import Connection, Engine

from tutor.store.errors import Refused

FOLDER = Path(__file__).resolve().parent / "migrations"
NEWEST = "head"
#: Any number of ours: two servers that start together on one PostgreSQL migrate one after the other.
LOCK = 5_319_001


def scripts() -> ScriptDirectory:
    """The migrations of this package."""
    return ScriptDirectory(str(FOLDER), version_locations=[str(FOLDER)])


def current(db: Connection) -> str | None:
    """Revision of a database; None when it is new."""
    return MigrationContext.configure(db).get_current_revision()


def upgrade(engine: Engine, to: str = NEWEST) -> None:
    """Run the migrations that a database has not seen, in one transaction.

    Args:
        engine: the database.
        to: revision wanted; the newest by default.

    Raises:
        Refused: when the database comes from a later release.
    """
    directory = scripts()
    with engine.connect().execution_options(ldv_write=True) as db:
        sqlite = db.dialect.name == "sqlite"
        raw: Any = db.connection.driver_connection
        if sqlite:  # its tables are rebuilt: references must not be followed meanwhile
            raw.execute("PRAGMA foreign_keys=OFF")
        try:
            with db.begin():
                if not sqlite:
                    db.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
                _run(db, directory, to)
        finally:
            if sqlite:
                raw.execute("PRAGMA foreign_keys=ON")


def _run(db: Connection, directory: ScriptDirectory, to: str) -> None:
    at = current(db)
    known = {script.revision for script in directory.walk_revisions()}
    if at is not None and at not in known:
        raise Refused(
            "La base de données vient d’une version plus récente de Ligne de Vue.",
            remedy="Installez cette version, ou donnez un autre dossier dans LDV_DATA.",
        )
    if at == (directory.get_current_head() if to == NEWEST else to):
        return
    with EnvironmentContext(
        Config(), directory, fn=lambda revision, _: directory._upgrade_revs(to, revision), destination_rev=to
    ) as environment:
        environment.configure(connection=db)
        environment.run_migrations()
