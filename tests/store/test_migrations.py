"""A database of the previous release, with data, becomes one of this release and loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.engine import Engine

from tests.store.harness import CODE, done, write
from tutor.store.codes import digest
from tutor.store.database import connect, place
from tutor.store.errors import Refused
from tutor.store.migrate import current, scripts, upgrade
from tutor.store.schema import metadata
from tutor.store.store import Store
from tutor.store.who import Who

PREVIOUS = "0001"


@pytest.fixture
def previous(env: dict[str, str]) -> Iterator[Engine]:
    """A database as the previous release left it: two learners, three attempts, two lessons, a link."""
    engine = connect(place(env))
    upgrade(engine, PREVIOUS)
    hashed = digest("learner", CODE.replace("-", ""))
    rows = [
        f"INSERT INTO learners (id, code_hash, made, created) VALUES (1, '{hashed}', 'a', 100), (2, 'autre', 'b', 200)",
        "INSERT INTO progress VALUES (1, 'cc/01.ipynb', 110, 150), (1, 'cc/02.ipynb', 160, NULL)",
        "INSERT INTO attempts (id, learner_id, game, lesson, exercise, ok, answer, missed, seconds, at) VALUES "
        """(1, 1, 'cc', 'cc/01.ipynb', 'e1', false, '5', '["O20.3", "T88"]', 4.5, 120), """
        """(2, 1, 'cc', 'cc/01.ipynb', 'e1', false, '6', '["O20.3"]', NULL, 130), """
        """(3, 1, 'cc', 'cc/01.ipynb', 'e1', true, '{"é": 7}', '[]', 2, 170)""",
        "INSERT INTO links VALUES ('ABCDEFGH', 'position', '/x', 100, 100)",
    ]
    with engine.connect().execution_options(ldv_write=True) as db, db.begin():
        for row in rows:
            db.exec_driver_sql(row)
        if db.dialect.name == "postgresql":  # as the sequences stood after these rows
            for table in ("learners", "attempts"):
                db.exec_driver_sql(f"SELECT setval('{table}_id_seq', (SELECT max(id) FROM {table}))")
    yield engine
    engine.dispose()


def test_data_of_the_previous_release_is_all_there(previous: Engine, env: dict[str, str]) -> None:
    store = Store(place(env))
    store.open()
    me = Who(learner=store.read("learner.resume", Who(), {"code": CODE})["learner"])
    exported = store.read("learner.export", me, {})
    assert [(lesson["lesson"], lesson["finished"]) for lesson in exported["lessons"]] == [
        ("cc/01.ipynb", 150),
        ("cc/02.ipynb", None),
    ]
    assert [(a["id"], a["ok"], a["answer"], a["missed"], a["seconds"]) for a in exported["attempts"]] == [
        (3, True, {"é": 7}, [], 2),
        (2, False, 6, ["O20.3"], None),
        (1, False, 5, ["O20.3", "T88"], 4.5),
    ]
    assert exported["mistakes"] == [
        {"game": "cc", "rule": "O20.3", "count": 2, "last": 130},
        {"game": "cc", "rule": "T88", "count": 1, "last": 120},
    ]
    assert store.read("link.get", Who(), {"code": "ABCDEFGH"})["target"] == "/x"
    with store.engine.connect() as db:  # the last visit: the last attempt; without any, the day the code was made
        assert db.execute(text("SELECT seen FROM learners ORDER BY id")).scalars().all() == [170, 200]
    [outcome] = store.write([write("attempt.add", me, game="cc", exercise="e2", ok=True, answer=json.dumps(1))])
    assert done(outcome)["attempt"] == 4
    store.close()


def test_every_migration_was_run_and_gives_the_tables_of_the_code(previous: Engine) -> None:
    upgrade(previous)
    with previous.connect() as db:
        assert current(db) == scripts().get_current_head()
        assert compare_metadata(MigrationContext.configure(db), metadata) == []
        if db.dialect.name == "sqlite":
            assert db.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            assert db.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_the_number_of_an_erased_learner_is_never_given_to_another(previous: Engine, store: Store) -> None:
    """Else a tab of his that is still open would read and write for that other."""
    first = done(store.write([write("learner.new", code=CODE[:-1] + "J")])[0])["learner"]
    done(store.write([write("learner.erase", Who(learner=first))])[0])
    assert done(store.write([write("learner.new", code=CODE[:-1] + "K")])[0])["learner"] > first


def test_a_migration_that_fails_changes_nothing(previous: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    with previous.connect().execution_options(ldv_write=True) as db, db.begin():
        db.exec_driver_sql("UPDATE attempts SET missed = 'pas du JSON' WHERE id = 2")
    with pytest.raises(json.JSONDecodeError):
        upgrade(previous)
    with previous.connect() as db:
        assert current(db) == PREVIOUS
        assert db.execute(text("SELECT count(*) FROM progress")).scalar() == 2


def test_a_database_of_a_later_release_is_left_alone(store: Store) -> None:
    with store.engine.connect().execution_options(ldv_write=True) as db, db.begin():
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Refused, match="plus récente"):
        store.open()
