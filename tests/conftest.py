"""What every kind of test shares: where the repository is, how properties are drawn, which folder bears which mark."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests import leftovers, one_game
from tests.reporting import Reports, is_served, pytest_runtest_makereport  # noqa: F401 - a hook
from tutor.core import effort
from tutor.core.registry import GAMES
from widgets.board import drawn_ground
from widgets.serving.__main__ import UNASKED

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
MARKED_FOLDERS = ("browser", "load")
#: Files of tests/unit that `make check` leaves to `make test`: the command and the wheel, and what asks everything of
#: every lesson, card and board.
SLOW = tuple(
    f"test_{name}.py"
    for name in (
        *(
            "cli",
            "tooling",
            "wheel",
            "house",
            "why",
            "decisive",
            "rule_card",
            "ground",
            "labels_placed",
            "counters_read",
            "scenes",
            "film",
            "slips",
        ),
        *(
            "scenario",
            "games_content",
            "course_exercises",
            "printed",
            "refusals",
            "encoding",
            "one_folder",
            "replay",
            "citations",
        ),
    )
)

sys.modules.setdefault(UNASKED, None)  # type: ignore[arg-type]  # as when it serves: see there

# The same examples on every machine, and no failure because a machine is slow.
settings.register_profile("suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `pytest --hypothesis-profile=explore`: other examples each time, and many more.
settings.register_profile("explore", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")
# Nor because a collection of all the suite's garbage falls into one question (it has taken a second): see test_effort.py.
effort.MOST = 60.0
# A process of tests meets the same boards again in one file after another; a reader's kernel keeps those it shows.
drawn_ground.KEPT = 400


def pytest_configure(config: pytest.Config) -> None:
    """Where results are gathered: end what a killed run left, and write down what fails."""
    if not hasattr(config, "workerinput"):
        if not config.option.collectonly:
            for ended in leftovers.end_orphans():
                print(f"reste d’une suite interrompue, arrêté : {ended}", file=sys.stderr)
            config.pluginmanager.register(Reports(), "ldv-reports")
        leftovers.put_mark()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--game`, which `make test GAME=asl_sk` gives."""
    parser.addoption("--game", choices=list(GAMES), help="check one game: its room, and what is asked of every game")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--game`, read no file that holds no test of that game."""
    game_id = config.getoption("game")
    return True if game_id and not one_game.concerned(collection_path, game_id) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what stands in tests/browser and tests/load, so that nobody has to remember it; with `--game`, leave other games out."""
    if game_id := config.getoption("game"):
        items[:], others = one_game.split(items, game_id)
        config.hook.pytest_deselected(items=others)
    for item in items:
        for mark in marks_of(item.path):
            item.add_marker(mark)


@cache
def marks_of(path: Path) -> tuple[str, ...]:
    """The marks that every test of a file bears."""
    if not path.is_relative_to(ROOT / "tests"):
        return ()
    folder = path.relative_to(ROOT / "tests").parts[0]
    marks = [folder] if folder in MARKED_FOLDERS else []
    marks += ["slow"] if path.name in SLOW else []
    marks += ["served"] if is_served(path) else []
    return tuple(marks)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where files go to processes, one computes beside those that wait."""
    if config.getoption("dist") != "loadfile":
        return None
    from tests.scheduling import ComputingBeside

    return ComputingBeside(config, log)


def pytest_collection_finish() -> None:
    """What was collected stays to the end: whoever looks for garbage need not go through ten thousand tests each time; nor
    often through what tests keep for those after them (a seventh of the time of what computes).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's directory."""
    return ROOT


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the session: the one named by LDV_CHROMIUM, else one of the machine."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    path = os.environ.get("LDV_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    from playwright.sync_api import sync_playwright

    from tests.browser.harness import BROWSER_FLAGS

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=BROWSER_FLAGS, timeout=180_000)
        yield running
        running.close()


@pytest.fixture
def handed_grounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a kernel of a server that hands out the pictures of grounds: they are named, not drawn."""
    monkeypatch.setenv("LDV_GROUND", "v1")
