"""What only the server itself asks: a session as it stands, what to forget, what to tell the other servers."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import func, select, text

from tutor.store import checks, codes
from tutor.store.classes import EXPECTED
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
        "people": {each.id: each.nickname for each in people},
        "answers": {each.participant_id: _answer(each) for each in given},
    }


def _answer(row: Any) -> Result:
    return {
        "answer": json.loads(row.answer),
        "ok": row.ok,
        "missed": json.loads(row.missed),
        "tries": row.tries,
        "seconds": row.seconds,
    }


@operation("server.class", "read", "server")
def open_class(call: Call) -> Result:
    """Number, code and expected learners of an open session, by `code` or `session`; `{}` when there is none."""
    if "code" in call.args:
        wanted = sessions.c.code == codes.typed(call.args["code"], codes.SESSION_LENGTH)
    else:
        wanted = sessions.c.id == checks.whole(call.args, "session")
    row = call.db.execute(
        select(sessions).where(wanted, sessions.c.closed.is_(None), sessions.c.expires > call.now)
    ).first()
    if row is None:
        return {}
    people = select(func.count()).where(participants.c.session_id == row.id)
    expected = json.loads(row.state).get("expected", EXPECTED)
    joined = call.db.execute(people).scalar_one()
    return {"session": row.id, "code": row.code, "expected": max(expected, joined)}


@operation("server.teachers", "read", "server")
def count_teachers(call: Call) -> Result:
    """How many teachers have a key that opens."""
    count = select(func.count()).where(teachers.c.revoked.is_(None))
    return {"teachers": call.db.execute(count).scalar_one()}


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
