"""A word that a game does not know is named, with those that it knows; what was kept with it opens and is judged as before."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.screen import words
from tutor import cli
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game
from tutor.course.cases import read_cases, unknown_words
from tutor.course.teacher_lessons import AuthoredLesson

ROOT = Path(__file__).resolve().parents[2]
CC = "combat_commander"
BOARDS = {
    CC: {"columns": ["A", "H"], "rows": [1, 7]},
    "asl_sk": {"kind": "half_hex", "columns": ["A", "I"], "rows": [1, 6]},
    "tcs": {"kind": "hex-numbered", "columns": ["01", "09"], "rows": [1, 8]},
    "sherman_leader": {"kind": "pointy", "columns": ["A", "D"], "rows": [1, 6]},
    "heroes_of_normandie": {"kind": "square", "columns": ["A", "H"], "rows": [1, 6]},
}


def board(game_id: str, **more: Any) -> Position:
    """An empty board with what is given."""
    return Position.from_data({"schema": 1, "game": game_id, "id": "essai", "grid": BOARDS[game_id], **more})


def test_a_reading_that_does_not_exist_acted_as_the_other_one() -> None:
    kept = board(CC, markers={"smoke": {"D3": 4}}, settings={"vertex_contact": "ignore"})
    (said,) = game(CC).unknown_words(kept)
    assert "ne peut pas valoir « ignore » ; choisissez parmi counts, ignored" in said
    assert ask(kept, "los", start="A2", end="E5").value.hindrance == 0  # judged as before all the same
    assert game(CC).problems(kept) == []


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"settings": {"vertex_contactt": "ignored"}}, ("« vertex_contactt »", "vertex_contact,")),
        ({"markers": {"fortification": {"C4": "foxhole"}}}, ("« foxhole »", "foxholes")),
        ({"markers": {"blaze": {"C4": 2}}}, ("« 2 »", "true")),
        ({"state": {"defender": "axes"}}, ("« axes »", "axis, allies")),
        ({"state": {"defendre": "axis"}}, ("« defendre »", "defender")),
    ],
)
def test_the_word_and_those_that_are_known_are_named(more: dict[str, Any], named: tuple[str, ...]) -> None:
    (said,) = game(CC).unknown_words(board(CC, **more))
    assert all(word in said for word in named)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_reading_of_every_open_point_is_checked(game_id: str) -> None:
    points = game(game_id).settings
    assert points
    for name, point in points.items():
        for value in point.options:
            assert game(game_id).unknown_words(board(game_id, settings={name: value})) == []
        (said,) = game(game_id).unknown_words(board(game_id, settings={name: f"{point.default}x"}))
        assert all(value in said for value in point.options)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_state_that_does_not_exist_is_named(game_id: str) -> None:
    rulebook = game(game_id)
    name = next(name for name in rulebook.positions() if rulebook.position(name).pieces)
    kept = rulebook.position(name)
    assert rulebook.faults(kept) == []
    piece = kept.pieces[0].id
    said = rulebook.faults(kept.change({f"piece.{piece}.status.broke": True}))
    assert any("« broke »" in one for one in said)
    assert any("« marche »" in one for one in rulebook.faults(kept.change({f"piece.{piece}.activated": "marche"})))


CASE = """
id: mot-inconnu
title: Un mot qui n’existe pas
game: combat_commander
origin: calculé à la main
arithmetic: "rien"
rules: []
position: {schema: 1, game: combat_commander, id: x, grid: {columns: [A, H], rows: [1, 7]}, settings: {vertex_contact: ignore}}
ask: los
with: {start: A2, end: E5}
expect: {outcome: computed}
"""


def test_the_command_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cas.yaml"
    path.write_text(CASE, encoding="utf-8")
    assert unknown_words(read_cases(path)[0], path)
    assert cli.main(["solve", str(path)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["outcome"] == "computed"
    assert "« ignore »" in err
    assert cli.main(["cases", str(path)]) == 1
    assert "« ignore »" in capsys.readouterr().out


def test_a_kept_lesson_with_such_a_word_opens_and_says_so() -> None:
    from widgets.host.page import Page
    from widgets.pages.teacher_lesson import parts

    kept = (ROOT / "tests" / "data" / "lecon-2026-11.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^( *)grid:", r"\1settings: {vertex_contact: ignore}\n\1grid:", kept, flags=re.MULTILINE)
    lesson = AuthoredLesson.parse(text)
    (word,) = lesson.unknown_words()
    assert "« ignore »" in word
    assert "« ignore »" in words(parts(Page(), "lesson", text))
