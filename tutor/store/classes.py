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
#: Learners who are expected when nobody said how many.
EXPECTED = 30
START: dict[str, Any] = {**dict.fromkeys(FLAGS, False), "push": None, "board": None}
UNKNOWN = "Aucune séance ouverte ne porte ce code."
#: Questions of which it is known when they stopped taking answers: what waited through an outage counts for its own.
MOST_ENDED = 20


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
    """Open a session: `title`, `expected` (learners). Its code is one that no session kept has."""
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
        "state": json.dumps({**START, "expected": checks.whole(call.args, "expected", 0, MOST_PEOPLE, EXPECTED)}),
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
    """Send to every screen: `session`, `kind`, `body`. Answers are open again and nothing is revealed.

    What is no board ends the leading of one, and anything that of a lesson: it shows.
    """
    row = _open_session(call)
    kind = checks.text(call.args, "kind", 20)
    if kind not in PUSHES:
        raise Refused("La demande n’est pas valable : « kind » est inconnu.")
    body = checks.data(call.args, "body", LONGEST_BODY)
    values = {"session_id": row.id, "kind": kind, "body": body, "at": call.now}
    made = call.db.execute(insert(pushes).values(**values).returning(pushes.c.id)).scalar_one()
    state = _ended(json.loads(row.state), call.now) | {"push": made, "locked": False, "revealed": False}
    led = state["board"] or {}
    if kind != "position" or led.get("form") == "lesson":  # what is led would hide it from everyone
        state["leading"] = False
    _keep_state(call, row.id, state)
    return {"push": made}


def _ended(state: dict[str, Any], now: float) -> dict[str, Any]:
    """A state whose question, if it still took answers, does so no more."""
    ended = dict(state.get("ended") or {})
    if state["push"] is not None and not state["locked"]:
        ended[str(state["push"])] = now
    return {**state, "ended": dict(list(ended.items())[-MOST_ENDED:])}


@operation("class.control", "write", "teacher")
def control(call: Call) -> Result:
    """Change the state of every screen: `session`, any of `locked`, `revealed`, `projector`, `leading`, `board`."""
    row = _open_session(call)
    state = json.loads(row.state)
    flags = {name: checks.flag(call.args, name) for name in FLAGS if name in call.args}
    if flags.get("locked"):
        state = _ended(state, call.now)
    elif "locked" in flags:
        state["ended"] = {push: at for push, at in (state.get("ended") or {}).items() if push != str(state["push"])}
    state |= flags
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
    """Answer what is on the screens: `session`, `push`, `answer`, `ok`, `missed`, `seconds`.

    An answer that waited for the database counts when its question took answers as it came.
    """
    row, me = participating(call)
    state = json.loads(row.state)
    number = checks.whole(call.args, "push")
    open_until = (state.get("ended") or {}).get(str(number), 0.0)
    if row.closed is not None and call.given > row.closed:
        raise Refused("L’enseignant a fermé les réponses.")
    if call.given > open_until and (state["push"] != number or state["locked"]):
        on_screen = state["push"] == number
        raise Refused("L’enseignant a fermé les réponses." if on_screen else "Cette question n’est plus à l’écran.")
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
