"""`ldv teacher`: make, list and revoke teachers' keys, in the database that the server uses."""

from __future__ import annotations

import os
import time
from datetime import datetime

from sqlalchemy.exc import DBAPIError

from tutor.store import teachers
from tutor.store.database import away, place
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
    store = Store(place(os.environ))
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
        raise away(error) from error
    finally:
        store.close()


def _line(id: int, name: str, created: float, revoked: float | None) -> str:
    ended = f", révoquée le {datetime.fromtimestamp(revoked):%d/%m/%Y}" if revoked else ""
    return f"{id:>4}  {name}  (créée le {datetime.fromtimestamp(created):%d/%m/%Y}{ended})"
