"""What only the server itself asks: a session as it stands, what to forget, what to tell the other servers."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select, text

from tutor.store import checks
from tutor.store.expiry import forget
from tutor.store.operations import Call, operation
from tutor.store.schema import answers, participants, pushes, sessions, teachers
from tutor.store.who import Result

#: Channel of PostgreSQL on which servers tell each other what changed, and what one message may hold.
CHANNEL = "ligne_de_vue"
LONGEST_SAID = 7_900


@operation("server.snapshot", "read", "server")
def snapshot(call: Call) -> Result:
    """A session's state, its people and the answers to what is on the screens: `session`; `{}` once erased."""
    row = call.db.execute(select(sessions).where(sessions.c.id == checks.whole(call.args, "session"))).first()
    if row is None:
        return {}
    state = json.loads(row.state)
    shown = call.db.execute(select(pushes).where(pushes.c.id == state["push"])).first()
    given = call.db.execute(select(answers).where(answers.c.push_id == state["push"])).all()
    people = call.db.execute(
        select(participants.c.id, participants.c.nickname).where(participants.c.session_id == row.id).order_by("id")
    )
    key = select(teachers.c.id).where(teachers.c.id == row.teacher_id, teachers.c.revoked.is_(None))
    return {
        **{name: getattr(row, name) for name in ("id", "code", "title", "closed")},
        "teacher": call.db.execute(key).scalar(),
        "state": state,
        "push": shown and {"id": shown.id, "kind": shown.kind, "body": json.loads(shown.body), "at": shown.at},
        "people": {found.id: found.nickname for found in people},
        "answers": {found.participant_id: _answer(found) for found in given},
    }


def _answer(row: Any) -> Result:
    return {
        "answer": json.loads(row.answer),
        "ok": row.ok,
        "missed": json.loads(row.missed),
        "tries": row.tries,
        "seconds": row.seconds,
    }


@operation("server.forget", "write", "server", receipt=False)
def expire(call: Call) -> Result:
    """Erase what has been kept long enough."""
    return dict(forget(call.db, call.now, call.keeping))


@operation("server.say", "write", "server", receipt=False)
def say(call: Call) -> Result:
    """Tell the other servers on the same PostgreSQL: `said` (small JSON); on SQLite there is no other."""
    if call.db.dialect.name == "postgresql":
        said = {"channel": CHANNEL, "said": checks.text(call.args, "said", LONGEST_SAID)}
        call.db.execute(text("SELECT pg_notify(:channel, :said)"), said)
    return {}
