"""Class sessions: a code of six characters, participants with a nickname, what the teacher pushes, what they answer."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from tutor.store import checks, codes
from tutor.store.errors import Forbidden, Refused
from tutor.store.operations import Call, operation
from tutor.store.schema import answers, participants, pushes, sessions
from tutor.store.teachers import teaching
from tutor.store.who import Result

DAY = 86_400.0
PUSHES = ("position", "question", "lesson", "message")
FLAGS = ("locked", "revealed", "projector", "leading")
LONGEST_BODY = 60_000
MOST_PEOPLE, MOST_SESSIONS = 200, 500
START: dict[str, Any] = {**dict.fromkeys(FLAGS, False), "push": None, "board": None}
UNKNOWN = "Aucune séance ouverte ne porte ce code."


def own_session(call: Call) -> Any:
    """The session named by `session`, when the teacher who asks has opened it.

    Raises:
        Forbidden: when it is another's, or none.
    """
    number = checks.whole(call.args, "session")
    mine = select(sessions).where(sessions.c.id == number, sessions.c.teacher_id == teaching(call))
    row = call.db.execute(mine).first()
    if row is None:
        raise Forbidden("Cette séance n’est pas à vous, ou a été effacée.")
    return row


def _open_session(call: Call) -> Any:
    row = own_session(call)
    if row.closed is not None:
        raise Refused("Cette séance est close.", remedy="Ouvrez-en une autre.")
    call.touched.add(row.id)
    return row


def _keep_state(call: Call, session: int, state: dict[str, Any]) -> None:
    written = json.dumps(state, ensure_ascii=False)
    call.db.execute(update(sessions).where(sessions.c.id == session).values(state=written))


# -- the teacher --------------------------------------------------------------------------------------------------


@operation("class.open", "write", "teacher")
def open_session(call: Call) -> Result:
    """Open a session: `title`. Its code is one that no session kept has."""
    teacher = teaching(call)
    count = select(func.count()).where(sessions.c.teacher_id == teacher)
    if call.db.execute(count).scalar_one() >= MOST_SESSIONS:
        raise Refused(f"Vous gardez déjà {MOST_SESSIONS} séances.", remedy="Effacez-en d’abord.")
    code = codes.make(codes.SESSION_LENGTH)
    while call.db.execute(select(sessions.c.id).where(sessions.c.code == code)).first():
        code = codes.make(codes.SESSION_LENGTH)
    row = {
        "code": code,
        "teacher_id": teacher,
        "title": checks.text(call.args, "title", default=""),
        "state": json.dumps(START),
        "created": call.now,
        "expires": call.now + call.keeping.sessions * DAY,
    }
    made = call.db.execute(insert(sessions).values(**row).returning(sessions.c.id)).scalar_one()
    call.touched.add(made)
    return {"session": made, "code": code}


@operation("class.list", "read", "teacher")
def list_sessions(call: Call) -> Result:
    """Sessions of the teacher who asks, newest first."""
    people = select(func.count()).where(participants.c.session_id == sessions.c.id).scalar_subquery()
    columns = (sessions.c[name] for name in ("code", "title", "created", "closed", "expires"))
    asked = select(sessions.c.id.label("session"), *columns, people.label("people"))
    rows = call.db.execute(asked.where(sessions.c.teacher_id == teaching(call)).order_by(sessions.c.id.desc()))
    return {"sessions": [dict(row._mapping) for row in rows]}


@operation("class.push", "write", "teacher")
def push(call: Call) -> Result:
    """Send to every screen: `session`, `kind`, `body`. Answers are open again and nothing is revealed."""
    row = _open_session(call)
    kind = checks.text(call.args, "kind", 20)
    if kind not in PUSHES:
        raise Refused("La demande n’est pas valable : « kind » est inconnu.")
    body = checks.data(call.args, "body", LONGEST_BODY)
    values = {"session_id": row.id, "kind": kind, "body": body, "at": call.now}
    made = call.db.execute(insert(pushes).values(**values).returning(pushes.c.id)).scalar_one()
    state = {**json.loads(row.state), "push": made, "locked": False, "revealed": False}
    _keep_state(call, row.id, state)
    return {"push": made}


@operation("class.control", "write", "teacher")
def control(call: Call) -> Result:
    """Change the state of every screen: `session`, any of `locked`, `revealed`, `projector`, `leading`, `board`."""
    row = _open_session(call)
    state = json.loads(row.state)
    state |= {name: checks.flag(call.args, name) for name in FLAGS if name in call.args}
    if "board" in call.args:
        state["board"] = json.loads(checks.data(call.args, "board", LONGEST_BODY))
    _keep_state(call, row.id, state)
    return {}


@operation("class.remove", "write", "teacher")
def remove(call: Call) -> Result:
    """Send a participant away, with his answers: `session`, `participant`."""
    row = _open_session(call)
    one = participants.c.id == checks.whole(call.args, "participant")
    call.db.execute(delete(participants).where(one, participants.c.session_id == row.id))
    return {}


@operation("class.close", "write", "teacher")
def close(call: Call) -> Result:
    """End a session: nobody joins or answers any more; its results stay until they expire."""
    row = own_session(call)
    call.touched.add(row.id)
    if row.closed is None:
        call.db.execute(update(sessions).where(sessions.c.id == row.id).values(closed=call.now))
    return {}


@operation("class.erase", "write", "teacher")
def erase(call: Call) -> Result:
    """Erase a session and everything that was said in it, at once."""
    row = own_session(call)
    call.touched.add(row.id)
    call.db.execute(delete(sessions).where(sessions.c.id == row.id))
    return {"erased": row.id}


# -- participants -------------------------------------------------------------------------------------------------


@operation("class.join", "write", "anyone", receipt=False)
def join(call: Call) -> Result:
    """Join with `code`, `nickname` and `token`, a secret made by who joins: with the same one he comes back."""
    code = codes.typed(call.args.get("code"), codes.SESSION_LENGTH)
    row = call.db.execute(select(sessions).where(sessions.c.code == code, sessions.c.expires > call.now)).first()
    if row is None:
        raise Forbidden(UNKNOWN, remedy="Vérifiez les six caractères.")
    hashed = codes.digest("participant", f"{row.id}:{codes.token(call.args.get('token'))}")
    known = call.db.execute(select(participants).where(participants.c.token_hash == hashed)).first()
    joined = {"session": row.id, "title": row.title}
    if known is not None:
        return {**joined, "participant": known.id, "nickname": known.nickname}
    if row.closed is not None:
        raise Refused("Cette séance est close.")
    there = set(call.db.scalars(select(participants.c.nickname).where(participants.c.session_id == row.id)))
    if len(there) >= MOST_PEOPLE:
        raise Refused(f"La séance est pleine ({MOST_PEOPLE} participants).")
    nickname = free_nickname(checks.nickname(call.args), there)
    values = {"session_id": row.id, "nickname": nickname, "token_hash": hashed, "joined": call.now}
    made = call.db.execute(insert(participants).values(**values).returning(participants.c.id)).scalar_one()
    call.touched.add(row.id)
    return {**joined, "participant": made, "nickname": nickname}


def free_nickname(wanted: str, taken: set[str]) -> str:
    """The nickname wanted, with a number when somebody has it, whatever its case.

    >>> free_nickname("Ana", {"ana", "Ana 2"})
    'Ana 3'
    """
    folded = {name.casefold() for name in taken}
    numbered = (wanted if turn == 1 else f"{wanted} {turn}" for turn in range(1, len(taken) + 2))
    return next(name for name in numbered if name.casefold() not in folded)


def participating(call: Call) -> tuple[Any, int]:
    """The session named by `session` and the participant who asks.

    Raises:
        Forbidden: when he has not joined it, or was sent away.
    """
    number = checks.whole(call.args, "session")
    me = call.who.participant.get(number, 0)
    row = call.db.execute(
        select(sessions).join(participants).where(sessions.c.id == number, participants.c.id == me)
    ).first()
    if row is None:
        raise Forbidden("Vous n’êtes pas dans cette séance.", remedy="Entrez de nouveau son code.")
    return row, me


@operation("class.answer", "write", "participant")
def answer(call: Call) -> Result:
    """Answer what is on the screens: `session`, `push`, `answer`, `ok`, `missed`, `seconds`."""
    row, me = participating(call)
    state = json.loads(row.state)
    number = checks.whole(call.args, "push")
    if row.closed is not None or state["locked"]:
        raise Refused("L’enseignant a fermé les réponses.")
    if state["push"] != number:
        raise Refused("Cette question n’est plus à l’écran.")
    values = {
        "answer": checks.data(call.args, "answer"),
        "ok": None if call.args.get("ok") is None else checks.flag(call.args, "ok"),
        "missed": json.dumps(checks.names(call.args, "missed"), ensure_ascii=False),
        "seconds": checks.seconds(call.args),
        "at": call.now,
    }
    mine = (answers.c.push_id == number, answers.c.participant_id == me)
    tries = 1 + (call.db.execute(select(answers.c.tries).where(*mine)).scalar() or 0)
    if tries > 1:
        call.db.execute(update(answers).where(*mine).values(tries=tries, **values))
    else:
        call.db.execute(insert(answers).values(push_id=number, participant_id=me, tries=1, **values))
    call.touched.add(row.id)
    return {"push": number, "tries": tries}


@operation("class.mine", "read", "participant")
def my_answers(call: Call) -> Result:
    """What the participant who asks has answered: `session`."""
    _, me = participating(call)
    rows = call.db.execute(select(answers).where(answers.c.participant_id == me).order_by(answers.c.push_id))
    return {
        "answers": [
            {"push": row.push_id, "answer": json.loads(row.answer), "ok": row.ok, "tries": row.tries} for row in rows
        ]
    }
