"""What is forgotten by itself: sessions after 90 days, learners 12 months after their last visit."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.engine import Connection

from tutor.store.schema import authored, learners, links, receipts, sessions
from tutor.store.who import Keeping

DAY = 86_400.0
#: A request is never sent again after that long: a kernel does not live a week.
RECEIPTS_KEPT = 7 * DAY


def forget(db: Connection, now: float, kept: Keeping) -> dict[str, int]:
    """Erase what has been kept long enough.

    Args:
        db: connection, in a transaction.
        now: seconds since 1970.
        kept: how long things are kept.

    Returns:
        How many rows went, by table.
    """
    old = {
        "sessions": delete(sessions).where(sessions.c.expires < now),
        "learners": delete(learners).where(learners.c.seen < now - kept.learners * DAY),
        "links": delete(links).where(links.c.used < now - kept.links * DAY),
        "authored": delete(authored).where(authored.c.changed < now - kept.authored * DAY),
        "receipts": delete(receipts).where(receipts.c.at < now - RECEIPTS_KEPT),
    }
    return {name: db.execute(statement).rowcount for name, statement in old.items()}
