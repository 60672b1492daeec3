"""What every kind of test shares: where the repository is, how properties are drawn, which folder bears which mark."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
MARKED_FOLDERS = ("browser", "load")

# The same examples on every machine, and no failure because a machine is slow.
settings.register_profile("suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `pytest --hypothesis-profile=explore`: other examples each time, and many more.
settings.register_profile("explore", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in tests/browser and tests/load, so that nobody has to remember it."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests"):
            folder = item.path.relative_to(ROOT / "tests").parts[0]
            if folder in MARKED_FOLDERS:
                item.add_marker(folder)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's directory."""
    return ROOT
