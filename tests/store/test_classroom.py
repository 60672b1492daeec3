"""The class of the bench, small and short: everything that is sent is seen by those who must. Nothing is timed."""

from __future__ import annotations

import pytest

from bench import classroom
from tests.store.harness import in_own_loop


def test_everyone_sees_what_is_pushed_and_the_teacher_every_answer(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classroom, "QUESTION", 2.0)
    monkeypatch.setattr(classroom, "PLACE", 0.5)
    monkeypatch.setattr(classroom, "LEADING", 0.5)
    found = in_own_loop(classroom.classroom(env, 8, 3.0, classroom.teacher_key(env)))
    assert found.asked >= 1
    assert len(found.pushes) == 8 * found.asked
    assert found.sent >= 8
    assert len(found.answers) >= 8
    assert len(found.boards) >= 8
    assert len(found.places) >= 8
