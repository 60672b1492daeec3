"""Teachers: a key each, of which only a hash is kept. `ldv teacher` makes, lists and revokes them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from tutor.store import codes
from tutor.store.errors import Forbidden, Refused
from tutor.store.operations import Call, operation
from tutor.store.schema import teachers
from tutor.store.who import Result

UNKNOWN = "Cette clé d’enseignant est inconnue ou révoquée."


def create(db: Connection, name: str, now: float) -> tuple[int, str]:
    """Make a teacher.

    Args:
        db: connection, in a transaction.
        name: whose key it is, for the list.
        now: seconds since 1970.

    Returns:
        His number and his key, which nothing shows again.
    """
    key = codes.make(codes.KEY_LENGTH)
    row = {"name": " ".join(name.split())[:80], "key_hash": codes.digest("teacher", key), "created": now}
    number: int = db.execute(insert(teachers).values(**row).returning(teachers.c.id)).scalar_one()
    return number, codes.grouped(key)


def everyone(db: Connection) -> list[dict[str, Any]]:
    """Every teacher, revoked ones included, without his key."""
    columns = (teachers.c.id, teachers.c.name, teachers.c.created, teachers.c.revoked)
    return [dict(row._mapping) for row in db.execute(select(*columns).order_by(teachers.c.id))]


def revoke(db: Connection, number: int, now: float) -> None:
    """Make a key open nothing any more, at once.

    Raises:
        Refused: when there is no such teacher, or he is revoked already.
    """
    one = update(teachers).where(teachers.c.id == number, teachers.c.revoked.is_(None)).values(revoked=now)
    if not db.execute(one).rowcount:
        raise Refused(f"Aucune clé en cours ne porte le numéro {number}.", remedy="Voyez « ldv teacher list ».")


def teaching(call: Call) -> int:
    """Id of the teacher who asks, once sure that his key still opens.

    Raises:
        Forbidden: when it has been revoked.
    """
    number = call.who.teacher
    live = select(teachers.c.id).where(teachers.c.id == number, teachers.c.revoked.is_(None))
    if number is None or call.db.execute(live).first() is None:
        raise Forbidden(UNKNOWN)
    return number


@operation("teacher.enter", "read", "anyone")
def enter(call: Call) -> Result:
    """The teacher who has this key: `key`."""
    hashed = codes.digest("teacher", codes.typed(call.args.get("key"), codes.KEY_LENGTH))
    one = select(teachers.c.id, teachers.c.name).where(teachers.c.key_hash == hashed, teachers.c.revoked.is_(None))
    teacher = call.db.execute(one).first()
    if teacher is None:
        raise Forbidden(UNKNOWN)
    return {"teacher": teacher.id, "name": teacher.name}
