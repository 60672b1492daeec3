"""Reviews, spaced in time: a rule that was missed comes back, later and later as it is known (FSRS)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

from fsrs import Card, Rating, Scheduler
from sqlalchemy import insert, select, update

from tutor.store import checks
from tutor.store.errors import Refused
from tutor.store.operations import Call, operation
from tutor.store.schema import cards, learners
from tutor.store.who import Result

RATINGS = {"again": Rating.Again, "hard": Rating.Hard, "good": Rating.Good, "easy": Rating.Easy}


@cache
def scheduler() -> Scheduler:
    """FSRS with its published parameters, in whole days: a rule is never asked twice in one sitting."""
    return Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False)


def _mine(call: Call, game: str, rule: str) -> tuple[Any, ...]:
    return (cards.c.learner_id == call.learner, cards.c.game == game, cards.c.rule == rule)


def rate(call: Call, game: str, rule: str, rating: Rating, exercise: str = "") -> float:
    """Note how well a rule was known, making its card when there is none.

    Args:
        call: the request.
        game: whose rule.
        rule: its id.
        rating: again, hard, good or easy.
        exercise: where it was met, kept to find a fresh variant later.

    Returns:
        When the rule comes back, in seconds since 1970.
    """
    known = call.db.execute(select(cards).where(*_mine(call, game, rule))).first()
    now = datetime.fromtimestamp(call.now, UTC)
    card = Card.from_dict(json.loads(known.state)) if known else Card(card_id=1)
    card, _ = scheduler().review_card(card, rating, now)
    values: dict[str, Any] = {
        "state": json.dumps(card.to_dict()),
        "due": card.due.timestamp(),
        "lapses": (known.lapses if known else 0) + (rating is Rating.Again),
        "reviews": (known.reviews if known else 0) + 1,
        "last": call.now,
    }
    if exercise:
        values["exercise"] = exercise
    if known:
        call.db.execute(update(cards).where(*_mine(call, game, rule)).values(**values))
    else:
        call.db.execute(insert(cards).values(learner_id=call.learner, game=game, rule=rule, **values))
    return card.due.timestamp()


def note_attempt(call: Call, game: str, exercise: str, ok: bool, rules: list[str], missed: list[str]) -> list[Result]:
    """What an attempt says of the cards: a rule missed starts again; one that was due and is known goes further.

    Returns:
        Cards that moved, with when they come back.
    """
    moved = {rule: rate(call, game, rule, Rating.Again, exercise) for rule in missed}
    for rule in rules if ok else []:
        due = call.db.execute(select(cards.c.due).where(*_mine(call, game, rule))).scalar()
        if rule not in moved and due is not None and due <= call.now:
            moved[rule] = rate(call, game, rule, Rating.Good, exercise)
    return [{"game": game, "rule": rule, "due": due} for rule, due in moved.items()]


@operation("review.rate", "write", "learner")
def rate_rule(call: Call) -> Result:
    """How well a rule was known: `game`, `rule`, `rating` (again, hard, good, easy), `exercise`."""
    given = call.args.get("rating")
    rating = RATINGS.get(given) if isinstance(given, str) else None
    if rating is None:
        raise Refused("La demande n’est pas valable : « rating » est inconnu.")
    if call.db.execute(select(learners.c.id).where(learners.c.id == call.learner)).first() is None:
        raise Refused("Ces données ont été effacées.")
    game, rule = checks.text(call.args, "game", 40), checks.text(call.args, "rule", 80)
    exercise = checks.text(call.args, "exercise", default="")
    return {"game": game, "rule": rule, "due": rate(call, game, rule, rating, exercise)}


@operation("review.plan", "write", "learner")
def plan_rule(call: Call) -> Result:
    """A rule is known and is to come back: `game`, `rule`, `days`, `exercise`. One that has a card keeps it."""
    if call.db.execute(select(learners.c.id).where(learners.c.id == call.learner)).first() is None:
        raise Refused("Ces données ont été effacées.")
    game, rule = checks.text(call.args, "game", 40), checks.text(call.args, "rule", 80)
    days, exercise = checks.whole(call.args, "days", 1, 365), checks.text(call.args, "exercise", default="")
    known = call.db.execute(select(cards.c.due).where(*_mine(call, game, rule))).scalar()
    if known is None:
        rate(call, game, rule, Rating.Good, exercise)
        known = call.now + days * 86_400
        kept = call.db.execute(select(cards.c.state).where(*_mine(call, game, rule))).scalar_one()
        state = {**json.loads(kept), "due": datetime.fromtimestamp(known, UTC).isoformat()}
        call.db.execute(update(cards).where(*_mine(call, game, rule)).values(due=known, state=json.dumps(state)))
    return {"game": game, "rule": rule, "due": known}


@operation("review.due", "read", "learner")
def due(call: Call) -> Result:
    """Rules to review, most overdue first: `limit` (20), `game`; `all`: those of later too. `next`: when one comes."""
    asked = select(cards).where(cards.c.learner_id == call.learner).order_by(cards.c.due, cards.c.rule)
    if call.args.get("game") is not None:
        asked = asked.where(cards.c.game == checks.text(call.args, "game", 40))
    rows = call.db.execute(asked).all()
    ripe = [row for row in rows if row.due <= call.now]
    later = [row.due for row in rows if row.due > call.now]
    limit = checks.whole(call.args, "limit", 1, 500, default=20)
    shown = rows if call.args.get("all") is True else ripe
    return {
        "cards": [
            {name: getattr(row, name) for name in ("game", "rule", "due", "lapses", "reviews", "exercise", "last")}
            for row in shown[:limit]
        ],
        "due": len(ripe),
        "next": min(later, default=None),
    }
