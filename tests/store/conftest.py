"""Databases of the tests: a SQLite file and a private PostgreSQL; what holds for one must hold for the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.harness import Postgres, programs
from tutor.store import database
from tutor.store.database import keeping, place
from tutor.store.store import Store

# A test's own database is never away: a machine that stands still for as long as the product waits for one is only slow.
database.CONNECT_WAIT = 60


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The private PostgreSQL server; without the programs the test fails in one line, or is skipped when asked to."""
    if os.environ.get("LDV_SANS_POSTGRES") == "1":
        pytest.skip("LDV_SANS_POSTGRES=1")
    try:
        folder = programs()
    except SystemExit:
        pytest.fail("PostgreSQL manque : sudo apt-get install -y postgresql, ou LDV_SANS_POSTGRES=1", pytrace=False)
    server = Postgres(folder)
    try:
        yield server
    finally:
        server.remove()


@pytest.fixture
def on_sqlite(tmp_path: Path) -> dict[str, str]:
    """Environment of a server with a new SQLite file."""
    return {"LDV_DATA": str(tmp_path / "data")}


@pytest.fixture
def on_postgres(postgres: Postgres) -> Iterator[dict[str, str]]:
    """Environment of a server with a new database on PostgreSQL."""
    url = postgres.new_database()
    yield {"LDV_DATABASE_URL": url}
    postgres.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    """Environment of a server with a new database, of both kinds in turn."""
    where: dict[str, str] = request.getfixturevalue(f"on_{request.param}")
    return where


@pytest.fixture
def store(env: dict[str, str]) -> Iterator[Store]:
    """An open store on a new database."""
    made = Store(place(env), keeping=keeping(env))
    made.open()
    yield made
    made.close()
