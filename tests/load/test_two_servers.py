"""A class of forty over two servers, one of which is killed: how soon its learners are back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.measures import Measure
from tests.deploy.conftest import nginx_program, on_postgres, postgres  # noqa: F401 - fixtures
from tests.deploy.test_two_servers import Site, lose_a_server, site  # noqa: F401 - a fixture

LEARNERS = 40


@pytest.mark.parametrize("site", [f"classe.ipynb:{LEARNERS // 2}"], indirect=True, ids=["prepared"])
def test_forty_learners_survive_a_killed_server(site: Site, say: Callable[..., None]) -> None:  # noqa: F811
    came, delays = lose_a_server(site, LEARNERS, LEARNERS // 2)
    say(
        f"{LEARNERS} élèves sur deux serveurs, dont un tué",
        Measure("tous arrivés", came, "s"),
        Measure("revenus, médiane", delays[len(delays) // 2], "s"),
        Measure("revenus, dernier", delays[-1], "s", target=5.0),
    )
