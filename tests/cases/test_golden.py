"""Every golden case: what the rulebooks print, or what was worked out by hand, asked of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutor.course.cases import case_files, faults, read_cases

FOLDER = Path(__file__).parent
CASES = [pytest.param(case, path, id=case.id) for path in case_files(FOLDER) for case in read_cases(path)]


@pytest.mark.parametrize(("case", "path"), CASES)
def test_case(case, path):
    assert faults(case, path) == []


def test_every_case_has_its_own_id():
    ids = [param.id for param in CASES]
    assert len(set(ids)) == len(ids)
