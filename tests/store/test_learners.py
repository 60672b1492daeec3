"""What is kept of a learner: codes, lessons, attempts, mistakes, reviews; what is erased, and what is forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.store.harness import ATTEMPT, CODE, MISSED, done, write
from tutor.store import schema
from tutor.store import store as store_module
from tutor.store.database import place
from tutor.store.errors import Forbidden, Refused
from tutor.store.store import Store
from tutor.store.who import Keeping, Who

DAY = 86_400.0
START = 1_800_000_000.0
OTHER = "ZZZZ-2QX9-ABCD-EFGH"


class Clock:
    """Stands for the `time` module in the store."""

    now = START

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time as the store sees it."""
    made = Clock()
    monkeypatch.setattr(store_module, "time", made)
    return made


@pytest.fixture
def me(store: Store, clock: Clock) -> Who:
    """A learner."""
    [made] = store.write([write("learner.new", code=CODE)])
    return Who(learner=done(made)["learner"])


def count(store: Store, table: Any) -> int:
    """Rows of a table."""
    with store.engine.connect() as db:
        return int(db.execute(select(func.count()).select_from(table)).scalar_one())


def test_a_code_opens_its_learner_however_it_is_typed(store: Store, me: Who) -> None:
    for typed in (CODE, CODE.lower(), CODE.replace("-", ""), f" {CODE.replace('-', ' ')} "):
        assert store.read("learner.resume", Who(), {"code": typed})["learner"] == me.learner


@pytest.mark.parametrize("forged", [OTHER, CODE[:-1], CODE + "A", "", None, 12, ["K7PM"], "K" * 100_000, "0OIL" * 4])
def test_a_forged_code_opens_nothing(store: Store, me: Who, forged: Any) -> None:
    with pytest.raises(Refused):
        store.read("learner.resume", Who(), {"code": forged})


def test_a_code_is_kept_hashed_only(store: Store, me: Who) -> None:
    with store.engine.connect() as db:
        row = db.execute(select(schema.learners)).one()
    assert CODE.replace("-", "") not in str(row)
    assert len(row.code_hash) == 64


def test_a_new_code_sent_again_is_the_same_learner_and_nobody_elses(store: Store, clock: Clock) -> None:
    first = write("learner.new", code=CODE)
    again, forged = write("learner.new", mark=first.uuid, code=CODE), write("learner.new", code=CODE)
    outcomes = [*store.write([first]), *store.write([again, forged])]
    assert done(outcomes[0]) == done(outcomes[1])
    assert isinstance(outcomes[2].refused, Forbidden)
    assert count(store, schema.learners) == 1


def test_an_attempt_sent_again_counts_once(store: Store, me: Who) -> None:
    first = write("attempt.add", me, **MISSED)
    outcomes = [*store.write([first, first]), *store.write([first])]
    assert [done(outcome) for outcome in outcomes] == [done(outcomes[0])] * 3
    assert count(store, schema.attempts) == 1
    assert store.read("mistakes.list", me, {})["mistakes"][0]["count"] == 1


def test_another_learner_cannot_take_a_request_for_his_own(store: Store, me: Who) -> None:
    first = write("attempt.add", me, **ATTEMPT)
    store.write([first])
    [made] = store.write([write("learner.new", code=OTHER)])
    [stolen] = store.write([write("attempt.add", Who(learner=done(made)["learner"]), first.uuid, **ATTEMPT)])
    assert isinstance(stolen.refused, Forbidden)


def test_one_bad_write_does_not_spoil_the_others(store: Store, me: Who) -> None:
    good, bad = write("attempt.add", me, **ATTEMPT), write("attempt.add", me, **{**ATTEMPT, "ok": "oui"})
    outcomes = store.write([good, bad, write("absent"), write("lesson.open", me, lesson="x")])
    assert [outcome.refused is None for outcome in outcomes] == [True, False, False, True]
    assert count(store, schema.attempts) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "g" * 41},
        {"exercise": ""},
        {"exercise": 3},
        {"exercise": "a\x00b"},
        {"answer": "x" * 4_001},
        {"answer": "a\x00b"},
        {"answer": "\ud800"},
        {"answer": float("nan")},
        {"missed": ["x"] * 41},
        {"missed": "O20.3"},
        {"missed": ["x" * 81]},
        {"seconds": -1},
        {"seconds": True},
        {"seconds": float("inf")},
        {"variant": "v" * 201},
    ],
)
def test_what_is_too_long_or_senseless_is_refused(store: Store, me: Who, wrong: dict[str, Any]) -> None:
    [outcome] = store.write([write("attempt.add", me, **{**ATTEMPT, **wrong})])
    assert isinstance(outcome.refused, Refused)
    assert count(store, schema.attempts) == 0


def test_lessons_keep_when_they_were_opened_and_finished(store: Store, me: Who, clock: Clock) -> None:
    store.write([write("lesson.open", me, lesson="a")])
    clock.now += 60
    store.write([write("lesson.place", me, lesson="a", place={"step": 3}), write("lesson.finish", me, lesson="a")])
    clock.now += 60
    store.write([write("lesson.finish", me, lesson="a"), write("lesson.open", me, lesson="b")])
    lessons = store.read("progress.get", me, {})["lessons"]
    assert lessons == [
        {"lesson": "a", "opened": START, "finished": START + 60, "changed": START + 120, "place": {"step": 3}},
        {"lesson": "b", "opened": START + 120, "finished": None, "changed": START + 120, "place": None},
    ]


def test_attempts_are_counted_by_exercise(store: Store, me: Who) -> None:
    store.write([write("attempt.add", me, **args) for args in (MISSED, MISSED, ATTEMPT)])
    [exercise] = store.read("progress.get", me, {})["exercises"]
    assert (exercise["exercise"], exercise["tries"], exercise["right"]) == ("tir-1", 3, 1)
    listed = store.read("attempts.list", me, {"exercise": "tir-1", "limit": 2})["attempts"]
    assert [(attempt["ok"], attempt["answer"]) for attempt in listed] == [(True, 7), (False, 5)]


def test_a_rule_of_a_finished_lesson_comes_back_in_three_days_and_further_once_it_is_known(
    store: Store, me: Who, clock: Clock
) -> None:
    planned = {"game": ATTEMPT["game"], "rule": "O20.3", "days": 3}
    [outcome] = store.write([write("review.plan", me, **planned)])
    assert done(outcome)["due"] == clock.now + 3 * DAY
    assert store.read("review.due", me, {})["cards"] == []
    clock.now += DAY
    [outcome] = store.write([write("review.plan", me, **planned)])  # it has a card: the day stays
    assert done(outcome)["due"] == START + 3 * DAY
    clock.now = START + 3 * DAY
    [card] = store.read("review.due", me, {})["cards"]
    assert (card["rule"], card["lapses"]) == ("O20.3", 0)
    [outcome] = store.write([write("attempt.add", me, **ATTEMPT)])
    assert done(outcome)["due"][0]["due"] > clock.now + 3 * DAY


def test_a_rule_that_was_missed_comes_back_later_and_later(store: Store, me: Who, clock: Clock) -> None:
    store.write([write("attempt.add", me, **MISSED)])
    assert store.read("review.due", me, {})["cards"] == []
    waits = []
    for _ in range(4):
        due = store.read("review.due", me, {})["next"]
        waits.append(due - clock.now)
        clock.now = due
        [card] = store.read("review.due", me, {})["cards"]
        assert (card["rule"], card["exercise"], card["lapses"]) == ("O20.3", "tir-1", 1)
        [outcome] = store.write([write("attempt.add", me, **ATTEMPT)])
        assert done(outcome)["due"][0]["due"] > clock.now
    assert waits[0] >= DAY
    assert waits == sorted(waits)
    assert waits[-1] > 3 * waits[0]
    [outcome] = store.write([write("attempt.add", me, **MISSED)])  # missed again: soon
    assert done(outcome)["due"][0]["due"] - clock.now < waits[-1]


def test_a_right_answer_makes_no_card_and_moves_none_before_its_time(store: Store, me: Who, clock: Clock) -> None:
    [outcome] = store.write([write("attempt.add", me, **ATTEMPT)])
    assert done(outcome)["due"] == []
    store.write([write("attempt.add", me, **MISSED)])
    [outcome] = store.write([write("attempt.add", me, **ATTEMPT)])
    assert done(outcome)["due"] == []
    assert store.read("review.due", me, {"all": True})["cards"][0]["reviews"] == 1


@pytest.mark.parametrize("rating", ["", "perfect", 3, None, ["good"]])
def test_a_rating_is_one_of_four(store: Store, me: Who, rating: Any) -> None:
    [outcome] = store.write([write("review.rate", me, game="g", rule="r", rating=rating)])
    assert isinstance(outcome.refused, Refused)


def test_erasing_a_learner_leaves_nothing_of_his(store: Store, me: Who) -> None:
    [made] = store.write([write("learner.new", code=OTHER)])
    other = Who(learner=done(made)["learner"])
    for who in (me, other):
        store.write([write("attempt.add", who, **MISSED), write("lesson.open", who, lesson="a")])
    store.write([write("learner.erase", me)])
    for table in (schema.learners, schema.progress, schema.attempts, schema.mistakes, schema.cards):
        assert count(store, table) == 1, table.name
    with pytest.raises(Forbidden):
        store.read("learner.resume", Who(), {"code": CODE})
    late = store.write([write("attempt.add", me, **ATTEMPT), write("lesson.open", me, lesson="a")])  # from another tab
    assert all(isinstance(outcome.refused, Forbidden) for outcome in late)
    assert store.read("learner.export", other, {})["attempts"][0]["missed"] == ["O20.3"]


def test_what_is_erased_is_in_no_file_any_more(on_sqlite: dict[str, str]) -> None:
    store = Store(place(on_sqlite))
    store.open()
    [made] = store.write([write("learner.new", code=CODE)])
    me = Who(learner=done(made)["learner"])
    secret = {**MISSED, "answer": "souvenir-gênant", "missed": ["REGLE-MANQUEE"]}
    store.write([write("attempt.add", me, **secret) for _ in range(30)])
    readable = [path for path in Path(on_sqlite["LDV_DATA"]).iterdir() if b"REGLE-MANQUEE" in path.read_bytes()]
    assert readable
    store.write([write("learner.erase", me)])
    for path in Path(on_sqlite["LDV_DATA"]).iterdir():
        assert b"REGLE-MANQUEE" not in path.read_bytes(), path.name
        assert "souvenir-gênant".encode() not in path.read_bytes(), path.name
    store.close()


def test_learners_are_forgotten_a_year_after_their_last_visit(store: Store, me: Who, clock: Clock) -> None:
    server = Who(server=True)
    clock.now += 364 * DAY
    [made] = store.write([write("learner.new", code=OTHER)])
    other = Who(learner=done(made)["learner"])
    assert done(store.write([write("server.forget", server)])[0])["learners"] == 0
    store.write([write("learner.touch", other)])
    clock.now += 2 * DAY
    assert done(store.write([write("server.forget", server)])[0])["learners"] == 1
    assert store.read("learner.resume", Who(), {"code": OTHER})["learner"] == other.learner
    store.keeping = Keeping(learners=1)
    assert done(store.write([write("server.forget", server)])[0])["learners"] == 1


def test_what_belongs_to_somebody_needs_his_secret(store: Store, me: Who) -> None:
    for op in ("lesson.open", "attempt.add", "learner.erase", "class.open", "class.answer", "server.forget"):
        [outcome] = store.write([write(op, **ATTEMPT, lesson="x", session=1, push=1)])
        assert isinstance(outcome.refused, Forbidden), op
    for op in ("progress.get", "review.due", "learner.export", "class.list", "class.mine", "server.snapshot"):
        with pytest.raises(Forbidden):
            store.read(op, Who(), {"session": 1})
