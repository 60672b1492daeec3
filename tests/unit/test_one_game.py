"""`make test GAME=…` checks a game whole, and only it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.one_game import PATHS, ROOT, concerned, games_named, split
from tutor.core.registry import GAMES

#: Folders whose tests need a server, or draw for minutes.
APART = ("browser", "store", "deploy", "hostile", "load", "fuzz", "notebooks")


def collected(path: str, /, **params: Any) -> Any:
    """A test as pytest collects it, as far as the choice of a game looks at it."""
    return SimpleNamespace(path=ROOT / path, callspec=SimpleNamespace(params=params) if params else None)


ROOM = collected("tests/games/asl_sk/test_los.py")
DOCTEST = collected("tutor/games/asl_sk/los.py")
BY_ID = collected("tests/unit/test_replay.py", game_id="asl_sk", name="assaut")
BY_PATH = collected("tests/notebooks/test_notebooks.py", path=ROOT / "notebooks" / "asl_sk" / "01.ipynb")
BY_CONTENT = collected("tests/unit/test_x.py", content=SimpleNamespace(game="asl_sk"))
OTHER_GAME = collected("tests/unit/test_replay.py", game_id="tcs", name="assaut")
NO_GAME = collected("tests/unit/test_x.py", typed="impossible")
ALONE = collected("tests/unit/test_x.py")


def test_a_test_names_its_game_by_its_place_or_by_its_parameters() -> None:
    ours, others = split([ROOM, OTHER_GAME, DOCTEST, NO_GAME, BY_ID, BY_PATH, ALONE, BY_CONTENT], "asl_sk")
    assert ours == [ROOM, DOCTEST, BY_ID, BY_PATH, BY_CONTENT]
    assert others == [OTHER_GAME, NO_GAME, ALONE]


@pytest.mark.parametrize("game_id", GAMES)
def test_only_what_can_hold_tests_of_a_game_is_read(game_id: str) -> None:
    room = ROOT / "tests" / "games" / game_id
    assert concerned(ROOT / "tests", game_id)
    assert concerned(room / "test_cases.py", game_id)
    assert concerned(PATHS[0], game_id)
    away = [ROOT / "tests" / "browser", ROOT / "tests" / "unit" / "test_queue.py", ROOT / "widgets" / "board"]
    assert [path for path in away if concerned(path, game_id)] == []
    assert [one for one in GAMES if one != game_id and concerned(room.parent / one, game_id)] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_a_room_with_its_golden_cases(game_id: str) -> None:
    room = ROOT / "tests" / "games" / game_id
    assert (room / "test_cases.py").is_file()
    assert any((room / "cases").glob("*.yaml"))


def test_the_files_on_the_list_exist() -> None:
    assert [path for path in PATHS if not path.is_file()] == []


def test_no_file_that_asks_of_every_game_is_missing_from_the_list(request: pytest.FixtureRequest) -> None:
    """Of the tests collected with this one: all of them, when the whole suite runs."""
    asked: dict[Path, set[str]] = {}
    for item in request.session.items:
        asked.setdefault(item.path, set()).update(games_named(item))
    tests = ROOT / "tests"
    apart = [tests / name for name in APART]
    missing = [
        path.relative_to(ROOT).as_posix()
        for path, games in asked.items()
        if len(games) > 1 and path.is_relative_to(tests) and path not in PATHS and path != Path(__file__)
        if not any(path.is_relative_to(folder) for folder in apart)
    ]
    assert missing == []
