"""nginx for the tests of several servers, and the PostgreSQL of the store's."""

from __future__ import annotations

import os

import pytest

from tests.deploy.harness import load_script
from tests.store.conftest import on_postgres, postgres  # noqa: F401 - fixtures


@pytest.fixture(scope="session")
def nginx_program() -> str:
    """The path of nginx; without it the test fails in one line, or is skipped when asked to."""
    if os.environ.get("LDV_SANS_NGINX") == "1":
        pytest.skip("LDV_SANS_NGINX=1")
    try:
        return str(load_script().main())
    except SystemExit:
        pytest.fail("nginx manque : sudo apt-get install -y nginx openssl, ou LDV_SANS_NGINX=1", pytrace=False)
