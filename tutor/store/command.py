"""`ldv teacher`, `ldv backup`, `ldv restore`: what an operator does with the database that the server uses."""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from tutor.store import backup, restore, teachers
from tutor.store.database import away, backup_folder, place
from tutor.store.store import Store


def teacher(action: str, argument: str = "") -> list[str]:
    """Do what `ldv teacher` was told.

    Args:
        action: create, list or revoke.
        argument: a name to create, a number to revoke.

    Returns:
        French lines to print.

    Raises:
        TutorError: when the database does not answer, or there is no such number.
    """
    store = Store(place(os.environ), backups=backup_folder(os.environ))
    store.open()
    try:
        with store.engine.connect().execution_options(ldv_write=action != "list") as db, db.begin():
            if action == "create":
                number, key = teachers.create(db, argument, time.time())
                return [f"Clé n° {number} de {argument} : {key}", "Notez-la : elle ne sera plus montrée."]
            if action == "revoke":
                teachers.revoke(db, int(argument), time.time())
                return [f"La clé n° {argument} n’ouvre plus rien."]
            return [_line(**row) for row in teachers.everyone(db)] or ["Aucune clé : « ldv teacher create NOM »."]
    except DBAPIError as error:
        raise away(error, store.engine.url) from error
    finally:
        store.close()


def save(file: Path, replace: bool = False) -> list[str]:
    """Do what `ldv backup` was told.

    Args:
        file: to write.
        replace: whether one that is there may be lost.

    Returns:
        French lines to print.

    Raises:
        TutorError: when it cannot be done.
    """
    made = backup.write(place(os.environ), file, replace)
    return [f"Sauvegardé dans « {file} » : {_counted(made)}."]


def put_back(file: Path, replace: bool = False) -> list[str]:
    """Do what `ldv restore` was told.

    Args:
        file: the backup.
        replace: whether what the database holds may be lost.

    Returns:
        French lines to print.

    Raises:
        TutorError: when it cannot be done; then nothing has changed.
    """
    made = restore.restore(place(os.environ), file, replace)
    return [f"Restauré, tel que c’était le {datetime.fromtimestamp(made.made):%d/%m/%Y à %H:%M:%S} : {_counted(made)}."]


def _counted(made: backup.Backup) -> str:
    """How much there is, in a few words."""
    names = {"learners": "lecteurs", "attempts": "réponses", "sessions": "séances", "answers": "réponses de classe"}
    return ", ".join(f"{name} {made.rows.get(table, 0)}" for table, name in names.items())


def _line(id: int, name: str, created: float, revoked: float | None) -> str:
    ended = f", révoquée le {datetime.fromtimestamp(revoked):%d/%m/%Y}" if revoked else ""
    return f"{id:>4}  {name}  (créée le {datetime.fromtimestamp(created):%d/%m/%Y}{ended})"
