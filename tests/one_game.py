"""`pytest --game asl_sk`: what checks one game, and nothing that needs a browser, a database or nginx.

A game's room, the doctests of its folder, and, of the files below, the tests whose parameters name it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tutor.core.registry import GAMES

ROOT = Path(__file__).resolve().parent.parent
#: Files that put the same questions to every game (`tests/unit/test_one_game.py` says when one is missing).
SHARED = (
    *(
        "articles",
        "authored",
        "camera",
        "causes",
        "changing",
        "citations",
        "cli",
        "cli_charts",
        "closeup",
        "contributing",
        "course_content",
        "course_exercises",
    ),
    *(
        "course_player",
        "decisive",
        "declared",
        "editor",
        "ending",
        "film",
        "first_pictures",
        "gallery",
        "home",
        "printed",
        "refusals",
        "rule_card",
        "editor_forms",
        "games_content",
        "ground",
        "hostile",
        "labels_placed",
        "labels_crowded",
        "overlays_read",
        "counters_read",
        "onboard",
        "placement",
        "position",
        "proof_of_exercises",
        "proof_places",
        "quick",
    ),
    *(
        "replay",
        "scenes",
        "session_plan",
        "slips",
        "spot",
        "starting_values",
        "teach",
        "tooling",
        "vocabulary",
        "why",
        "widgets_counters",
        "widgets_sandbox",
        "widgets_terrain",
    ),
)
PATHS = tuple(ROOT / "tests" / "unit" / f"test_{name}.py" for name in SHARED)


def games_named(item: pytest.Item) -> set[str]:
    """Ids of the games that a test is about: those in its file's path, and in its parameters.

    Args:
        item: a collected test; a parameter names a game when it is its id, a path through its folder, or has it as ``game``.
    """
    named = _in_path(item.path)
    callspec = getattr(item, "callspec", None)
    for value in callspec.params.values() if callspec else ():
        if isinstance(value, Path):
            named |= _in_path(value)
        elif isinstance(value, str):
            named |= {value} & set(GAMES)
        else:
            named |= {getattr(value, "game", None)} & set(GAMES)
    return named


def _in_path(path: Path) -> set[str]:
    parts = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else path.parts
    return set(parts) & set(GAMES)


def concerned(path: Path, game_id: str) -> bool:
    """Whether a file, or something below a folder, can hold tests of a game.

    Args:
        path: absolute.
        game_id: id of a registered game.
    """
    kept = (ROOT / "tests" / "games" / game_id, ROOT / "tutor" / "games" / game_id, *PATHS)
    return any(path == one or one in path.parents or path in one.parents for one in kept)


def split(items: Iterable[pytest.Item], game_id: str) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Tests of a game, and the others, each in their order."""
    ours: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        (ours if game_id in games_named(item) else others).append(item)
    return ours, others
