"""Learners: a resume code, lessons opened and finished, attempts, mistakes by rule."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Integer, cast, delete, func, insert, select, update

from tutor.store import checks, codes
from tutor.store.errors import Forbidden, Refused
from tutor.store.operations import Call, operation
from tutor.store.review import note_attempt
from tutor.store.schema import attempts, cards, learners, mistakes, progress, receipts
from tutor.store.who import Result

#: A learner is told apart from a stranger; a visit is noted once in this many seconds.
VISIT = 3_600.0
UNKNOWN = "Ce code de reprise est inconnu."
#: More attempts than a reader makes in a year; beyond, the oldest go.
MOST_ATTEMPTS = 20_000


@operation("learner.new", "write", "anyone", receipt=False)
def new(call: Call) -> Result:
    """Make a learner whose code was made by who asks: only its hash is kept.

    The same request again (same uuid) finds the same learner; another with the same code is a forgery.
    """
    code = codes.typed(call.args.get("code"), codes.RESUME_LENGTH)
    hashed = codes.digest("learner", code)
    known = call.db.execute(select(learners.c.id, learners.c.made).where(learners.c.code_hash == hashed)).first()
    if known is not None:
        if known.made != call.uuid:
            raise Forbidden(UNKNOWN)
        return {"learner": known.id}
    row = {"code_hash": hashed, "made": call.uuid, "created": call.now, "seen": call.now}
    return {"learner": call.db.execute(insert(learners).values(**row).returning(learners.c.id)).scalar_one()}


@operation("learner.resume", "read", "anyone")
def resume(call: Call) -> Result:
    """The learner who has this code, with a summary of his progress."""
    code = codes.typed(call.args.get("code"), codes.RESUME_LENGTH)
    learner = call.db.execute(
        select(learners.c.id, learners.c.created, learners.c.seen).where(
            learners.c.code_hash == codes.digest("learner", code)
        )
    ).first()
    if learner is None:
        raise Forbidden(UNKNOWN, remedy="Vérifiez chaque lettre : il y en a seize.")
    return {"learner": learner.id, "created": learner.created, "seen": learner.seen}


@operation("learner.touch", "write", "learner", receipt=False)
def touch(call: Call) -> Result:
    """Note a visit: what a learner leaves is kept twelve months after the last one."""
    late = learners.c.seen < call.now - VISIT
    call.db.execute(update(learners).where(learners.c.id == call.learner, late).values(seen=call.now))
    return {}


@operation("learner.erase", "write", "learner", receipt=False)
def erase(call: Call) -> Result:
    """Erase a learner and everything that is his, at once."""
    for table in (progress, attempts, mistakes, cards):
        call.db.execute(delete(table).where(table.c.learner_id == call.learner))
    call.db.execute(delete(receipts).where(receipts.c.owner == call.who.owner("learner")))
    gone = call.db.execute(delete(learners).where(learners.c.id == call.learner)).rowcount
    return {"erased": bool(gone)}


def _alive(call: Call) -> int:
    """Id of the learner who asks, once sure that he has not been erased (from another tab)."""
    touch(call)
    if call.db.execute(select(learners.c.id).where(learners.c.id == call.learner)).first() is None:
        raise Forbidden("Ces données ont été effacées.", remedy="Rechargez la page pour recommencer.")
    return call.learner


def _mark(call: Call, **values: Any) -> Result:
    learner, lesson = _alive(call), checks.text(call.args, "lesson")
    mine = (progress.c.learner_id == learner, progress.c.lesson == lesson)
    known = call.db.execute(select(progress.c.finished).where(*mine)).first()
    if known is None:
        row = {"learner_id": learner, "lesson": lesson, "opened": call.now, "changed": call.now, **values}
        call.db.execute(insert(progress).values(**row))
    else:
        if known.finished is not None:
            values.pop("finished", None)
        call.db.execute(update(progress).where(*mine).values(changed=call.now, **values))
    return {"lesson": lesson}


@operation("lesson.open", "write", "learner")
def open_lesson(call: Call) -> Result:
    """A lesson is opened: `lesson`."""
    return _mark(call)


@operation("lesson.place", "write", "learner")
def place_in_lesson(call: Call) -> Result:
    """Where the learner is in a lesson: `lesson`, `place` (any small data)."""
    return _mark(call, place=checks.data(call.args, "place", 2_000))


@operation("lesson.finish", "write", "learner")
def finish_lesson(call: Call) -> Result:
    """A lesson is finished: `lesson`. The first time counts."""
    return _mark(call, finished=call.now)


@operation("attempt.add", "write", "learner")
def add_attempt(call: Call) -> Result:
    """An exercise was answered: `game`, `lesson`, `exercise`, `ok`, `answer`, `missed`, `rules`, `seconds`,
    `variant`.
    """
    learner, args = _alive(call), call.args
    game, ok, missed = checks.text(args, "game", 40), checks.flag(args, "ok"), checks.names(args, "missed")
    exercise = checks.text(args, "exercise")
    row = {
        "learner_id": learner,
        "game": game,
        "lesson": checks.text(args, "lesson", default=""),
        "exercise": exercise,
        "variant": checks.text(args, "variant", 200, default=""),
        "ok": ok,
        "answer": checks.data(args, "answer", default=None),
        "missed": json.dumps(missed, ensure_ascii=False),
        "seconds": checks.seconds(args),
        "at": call.now,
    }
    made = call.db.execute(insert(attempts).values(**row).returning(attempts.c.id)).scalar_one()
    count_mistakes(call, game, missed)
    due = note_attempt(call, game, exercise, ok, checks.names(args, "rules"), missed)
    return {"attempt": made, "due": due}


def count_mistakes(call: Call, game: str, missed: list[str]) -> None:
    """Count one more mistake for each rule missed."""
    for rule in missed:
        mine = (mistakes.c.learner_id == call.learner, mistakes.c.game == game, mistakes.c.rule == rule)
        more = {"count": mistakes.c.count + 1, "last": call.now}
        if not call.db.execute(update(mistakes).where(*mine).values(**more)).rowcount:
            row = {"learner_id": call.learner, "game": game, "rule": rule, "count": 1, "last": call.now}
            call.db.execute(insert(mistakes).values(**row))


# -- reading ------------------------------------------------------------------------------------------------------


def _lessons(call: Call) -> list[Result]:
    rows = call.db.execute(select(progress).where(progress.c.learner_id == call.learner).order_by(progress.c.opened))
    return [
        {
            "lesson": row.lesson,
            "opened": row.opened,
            "finished": row.finished,
            "changed": row.changed,
            "place": json.loads(row.place),
        }
        for row in rows
    ]


@operation("progress.get", "read", "learner")
def get_progress(call: Call) -> Result:
    """Lessons, attempts by exercise, mistakes by rule, and how many reviews are due."""
    tried = (
        select(
            attempts.c.game,
            attempts.c.exercise,
            func.count().label("tries"),
            func.sum(cast(attempts.c.ok, Integer)).label("right"),
            func.max(attempts.c.at).label("last"),
        )
        .where(attempts.c.learner_id == call.learner)
        .group_by(attempts.c.game, attempts.c.exercise)
    )
    due = select(func.count()).where(cards.c.learner_id == call.learner, cards.c.due <= call.now)
    return {
        "lessons": _lessons(call),
        "exercises": [dict(row._mapping) for row in call.db.execute(tried)],
        "mistakes": list_mistakes(call)["mistakes"],
        "due": call.db.execute(due).scalar_one(),
    }


@operation("mistakes.list", "read", "learner")
def list_mistakes(call: Call) -> Result:
    """Mistakes by rule, most frequent first."""
    rows = call.db.execute(
        select(mistakes.c.game, mistakes.c.rule, mistakes.c.count, mistakes.c.last)
        .where(mistakes.c.learner_id == call.learner)
        .order_by(mistakes.c.count.desc(), mistakes.c.last.desc())
    )
    return {"mistakes": [dict(row._mapping) for row in rows]}


@operation("attempts.list", "read", "learner")
def list_attempts(call: Call) -> Result:
    """The last attempts, newest first: `limit` of them (50), of one `exercise` or `lesson` where given."""
    asked = select(attempts).where(attempts.c.learner_id == call.learner)
    for name in ("exercise", "lesson", "game"):
        if call.args.get(name) is not None:
            asked = asked.where(attempts.c[name] == checks.text(call.args, name))
    limit = checks.whole(call.args, "limit", 1, MOST_ATTEMPTS, default=50)
    rows = call.db.execute(asked.order_by(attempts.c.at.desc(), attempts.c.id.desc()).limit(limit))
    return {"attempts": [_attempt(row) for row in rows]}


def _attempt(row: Any) -> Result:
    attempt = dict(row._mapping)
    del attempt["learner_id"]
    return {**attempt, "answer": json.loads(row.answer), "missed": json.loads(row.missed)}


@operation("learner.export", "read", "learner")
def export(call: Call) -> Result:
    """Everything that is kept of a learner."""
    known = call.db.execute(select(learners.c.created, learners.c.seen).where(learners.c.id == call.learner)).first()
    if known is None:
        raise Refused("Rien n’est gardé.")
    rows = call.db.execute(
        select(cards.c.game, cards.c.rule, cards.c.due, cards.c.lapses, cards.c.reviews).where(
            cards.c.learner_id == call.learner
        )
    )
    every = Call(call.db, call.who, {"limit": MOST_ATTEMPTS}, call.now)
    return {
        "created": known.created,
        "seen": known.seen,
        "lessons": _lessons(call),
        "attempts": list_attempts(every)["attempts"],
        "mistakes": list_mistakes(call)["mistakes"],
        "reviews": [dict(row._mapping) for row in rows],
    }
