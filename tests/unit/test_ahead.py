"""What games say is read once for all copies of a process, and anew once a file of it has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tutor.core import ahead
from tutor.core.ahead import PARTS, Ahead, state_of
from tutor.core.registry import GAMES, game


def test_every_game_is_read_whole() -> None:
    one = Ahead()
    one.read()
    assert all(part in vars(game(game_id)) for game_id in GAMES for part in PARTS)
    assert list(one.changed()) == []


def test_a_game_that_has_changed_is_read_anew_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    changed, other = list(GAMES)[:2]
    one = Ahead()
    one.read()
    before = {game_id: game(game_id).tables for game_id in (changed, other)}
    folder = game(changed).folder
    monkeypatch.setattr(ahead, "state_of", lambda place: () if place == folder else state_of(place))
    assert list(one.changed()) == [changed]
    one.forget_changed()
    assert game(changed).tables is not before[changed]
    assert game(changed).tables.keys() == before[changed].keys()
    assert game(other).tables is before[other]


def test_a_file_that_is_written_added_or_gone_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    words, table = tmp_path / "words.yaml", tmp_path / "tables" / "cover.yaml"
    words.write_text("a")
    states = [state_of(tmp_path)]
    table.write_text("b")
    states.append(state_of(tmp_path))
    os.utime(table, ns=(1, 1))
    states.append(state_of(tmp_path))
    words.write_text("longer")
    states.append(state_of(tmp_path))
    words.unlink()
    states.append(state_of(tmp_path))
    (tmp_path / "notes.txt").write_text("nothing of the game")
    assert len(set(states)) == len(states)
    assert state_of(tmp_path) == states[-1]
