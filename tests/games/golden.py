"""Golden cases of a game, as a room's `test_cases.py` plays them: all in one file, so in one process."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.course.cases import case_files, read_cases
from tutor.course.coverage import cases_folder


def golden_cases(game_id: str) -> list[Any]:
    """Every golden case of a game and its file, under the id ``game/file/case``.

    Args:
        game_id: id of a registered game.

    Raises:
        TutorError: the game has no cases, or one of its files cannot be read.
    """
    return [
        pytest.param(case, path, id=f"{game_id}/{path.stem}/{case.id}")
        for path in case_files(cases_folder(game_id))
        for case in read_cases(path)
    ]
