"""Tactical Combat Series: every golden case."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.games.golden import golden_cases
from tutor.course.cases import faults
from tutor.course.models import Case

ALL = golden_cases("tcs")


@pytest.mark.parametrize(("case", "path"), ALL)
def test_case(case: Case, path: Path) -> None:
    assert case.game == "tcs"
    assert faults(case, path) == []


def test_ids_are_unique() -> None:
    taken = Counter(param.values[0].id for param in ALL)
    assert [name for name, times in taken.items() if times > 1] == []
