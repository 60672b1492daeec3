"""How much of a course is answered on the board: counted by `ldv coverage`, and never less than it was."""

from __future__ import annotations

import json

import pytest

from tutor import cli
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.exercises import Task
from tutor.course.lessons import exercises
from tutor.course.onboard import on_board, share
from widgets.player.answers import field

#: Exercises of each game answered on the board, at least: raise a figure when a course gains some, never lower it.
FLOORS = {
    "combat_commander": 48,
    "asl_sk": 39,
    "tcs": 31,
    "sherman_leader": 22,
    "heroes_of_normandie": 24,
}


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_keeps_its_exercises_answered_on_the_board(game_id: str) -> None:
    assert share(game_id)[0] >= FLOORS[game_id]


@pytest.mark.parametrize("game_id", GAMES)
def test_what_counts_as_answered_on_the_board_takes_a_click(game_id: str) -> None:
    """The count says what the page does: a click on some cell changes the answer just where it is counted."""
    for exercise in exercises(game_id).values():
        task = Task.of(game_id, exercise)
        shown: list[object] = []
        asked = field(task, lambda _: None, shown.append)
        places: list[tuple[str, str | None]] = [(cell, None) for cell in task.position.grid.cells]
        for cell, piece in places + [(task.position.hex_of(one.id) or "", one.id) for one in task.position.pieces]:
            asked.click(cell, piece)
            if any(shown):
                break
        assert any(shown) == on_board(task), exercise.id


def test_coverage_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    on, among = share("tcs")
    assert cli.main(["coverage", "tcs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exercises"] == {"tcs": {"board": on, "all": among}}
    assert cli.main(["coverage", "tcs"]) == 0
    assert f"{on} exercices sur {among} se répondent sur le plateau ({round(100 * on / among)}{NBSP}%)." in (
        capsys.readouterr().out
    )
