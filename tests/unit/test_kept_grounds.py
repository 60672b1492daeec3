"""Drawn grounds on disk: kept whole, of one version, within their room; a folder that cannot be written stops nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.unit.test_rule_card import CC, Scribe, visited
from tutor import load_position
from widgets.board.grounds import ground_address
from widgets.serving.kept_grounds import KeptGrounds
from widgets.serving.rule_cards import Cards


def test_what_is_read_again_stays_when_room_is_made(tmp_path: Path) -> None:
    shelf = KeptGrounds(tmp_path, "v1", most=1_000)
    for age, name in enumerate(("a", "b", "c")):
        shelf.keep(name, bytes(300))
        for path in (tmp_path / "v1").iterdir():
            os.utime(path, (age, path.stat().st_mtime - 100))
    assert shelf.read("a") is not None  # read just now: the youngest
    shelf.keep("d", bytes(300))
    kept = {name for name in "abcd" if shelf.read(name) is not None}
    assert {"a", "d"} <= kept
    assert len(kept) < 4
    assert sum(path.stat().st_size for path in (tmp_path / "v1").iterdir()) <= 750


def test_another_version_removes_what_the_last_one_left(tmp_path: Path) -> None:
    KeptGrounds(tmp_path, "v1").keep("a", b"old")
    shelf = KeptGrounds(tmp_path, "v2")
    assert shelf.read("a") is None
    shelf.keep("a", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["v2"]


def test_a_folder_that_cannot_be_written_keeps_nothing_and_stops_nothing(tmp_path: Path) -> None:
    taken = tmp_path / "sol"
    taken.write_text("no folder")
    shelf = KeptGrounds(taken, "v1")
    shelf.keep("a", b"one")
    assert shelf.read("a") is None


def test_a_ground_that_was_drawn_is_there_after_a_restart(tmp_path: Path) -> None:
    os.environ["LDV_GROUND"] = "v1"
    try:
        address = ground_address(load_position(CC, "livret-ldv"))
    finally:
        del os.environ["LDV_GROUND"]
    bodies, scribes = [], [Scribe(), Scribe()]
    for scribe in scribes:

        async def visit(get: Callable[..., Any]) -> None:
            answer = await get(address)
            assert answer.code == 200
            bodies.append(answer.body)

        visited(Cards(scribe, grounds=KeptGrounds(tmp_path, "v1")), visit)
    assert bodies[0] == bodies[1]
    assert [len(scribe.asked) for scribe in scribes] == [1, 0]
