"""The class of the bench, small and short: everything that is sent is seen by those who must. Nothing is timed."""

from __future__ import annotations

import pytest

from bench import classroom
from tests.own_loop import in_own_loop


def test_everyone_sees_what_is_pushed_and_the_teacher_every_answer(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classroom, "QUESTION", 2.0)
    monkeypatch.setattr(classroom, "PLACE", 0.5)
    monkeypatch.setattr(classroom, "LEADING", 0.5)
    report = in_own_loop(classroom.classroom(env, 8, 3.0, classroom.teacher_key(env)))
    assert report.asked >= 1
    assert len(report.pushes) == 8 * report.asked
    assert report.sent >= 8
    assert len(report.answers) >= 8
    assert len(report.boards) >= 8
    assert len(report.places) >= 8
