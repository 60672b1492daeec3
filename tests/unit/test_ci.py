"""How a run of continuous integration ends: what is tried again, what is not, and the last lines."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import leftovers
from tests.reporting import cause, is_served

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ci(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/ci.py."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.delitem(sys.modules, "system", raising=False)
    spec = importlib.util.spec_from_file_location("ldv_ci", ROOT / "scripts" / "ci.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delitem(sys.modules, "system", raising=False)
    return module


def missed(name: str, served: bool = True, why: str = "timed out") -> dict[str, Any]:
    """A failed test, as a report has it."""
    return {"id": name, "when": "call", "served": served, "cause": why}


def report_of(*failed: dict[str, Any], tests: int = 10) -> dict[str, Any]:
    """A report."""
    return {"tests": tests, "failed": list(failed)}


@pytest.mark.parametrize(
    ("failed", "again"),
    [
        ([], False),
        ([missed("tests/browser/test_a.py::b")], True),
        ([missed(f"tests/browser/test_a.py::{n}") for n in range(5)], True),
        ([missed(f"tests/browser/test_a.py::{n}") for n in range(6)], False),
        ([missed("tests/browser/test_a.py::b"), missed("tests/games/tcs/test_rules.py::c", served=False)], False),
    ],
)
def test_a_rule_is_never_tried_again(ci: ModuleType, failed: list[dict[str, Any]], again: bool) -> None:
    assert ci.may_be_tried_again(failed) is again


def test_a_green_run_says_nothing(ci: ModuleType) -> None:
    assert ci.verdict(report_of(), 0, None, 0) == (0, [])


def test_what_failed_is_named_with_its_cause(ci: ModuleType) -> None:
    code, lines = ci.verdict(
        report_of(missed("tests/unit/test_a.py::b", served=False, why="assert 1 == 2")), 1, None, 0
    )
    assert code == 1
    assert lines == ["ÉCHEC : tests/unit/test_a.py::b · call : assert 1 == 2"]


def test_what_passes_the_second_time_passes_and_is_named(ci: ModuleType) -> None:
    code, lines = ci.verdict(report_of(missed("a"), missed("b")), 1, report_of(tests=2), 0)
    assert code == 0
    assert lines == ["À LA SECONDE FOIS : a · call : timed out", "À LA SECONDE FOIS : b · call : timed out"]


def test_three_that_pass_only_the_second_time_fail(ci: ModuleType) -> None:
    code, lines = ci.verdict(report_of(missed("a"), missed("b"), missed("c")), 1, report_of(tests=3), 0)
    assert code == 1
    assert lines[-1].startswith("3 tests")


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (report_of(missed("b"), tests=2), 1),
        (report_of(tests=1), 0),  # one of them was not run
        (report_of(tests=2), 2),  # interrupted
        ({}, 1),
    ],
)
def test_what_fails_again_fails(ci: ModuleType, second: dict[str, Any], code: int) -> None:
    total, lines = ci.verdict(report_of(missed("a"), missed("b")), 1, second, code)
    assert total == 1
    assert any(line.startswith("ÉCHEC : b") for line in lines)


def test_a_run_that_ends_without_a_word_fails(ci: ModuleType) -> None:
    code, lines = ci.verdict({}, 3, None, 0)
    assert code == 3
    assert lines


def test_a_run_says_how_fast_its_machine_was(ci: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ci, "LOOK", 0.001)
    with ci.looked_at() as seen:
        while len(seen) < 2:
            time.sleep(0.001)
    assert all(one > 0 for one in seen)
    said = ci.pace([0.15, 0.25], 900.0)
    assert "0,200 s en moyenne pour la boucle fixe (0,150 s à 0,250 s)" in said
    assert said.endswith("900 s, soit 450 s à la vitesse d’une machine tranquille")
    assert ci.pace([], 900.0).endswith("inconnue")


def test_served_tests_are_known_by_their_place() -> None:
    assert is_served(ROOT / "tests" / "browser" / "test_board.py")
    assert is_served(ROOT / "tests" / "store" / "test_desk.py")
    assert not is_served(ROOT / "tests" / "games" / "tcs" / "test_rules.py")
    assert not is_served(ROOT / "tests" / "property" / "test_geometry.py")
    assert not is_served(ROOT / "tutor" / "core" / "grid.py")


@pytest.mark.parametrize(
    ("text", "line"),
    [("AssertionError: never true\nmore", "AssertionError: never true"), ("AssertionError\nassert 1 == 2", None)],
)
def test_a_cause_is_one_line(text: str, line: str | None) -> None:
    class Crash:
        message = text

    class Long:
        reprcrash = Crash()

    report = pytest.TestReport("a::b", ("a", 1, "b"), {}, "failed", Long(), "call")  # type: ignore[arg-type]
    assert cause(report) == (line or "AssertionError assert 1 == 2")


def test_what_a_killed_run_left_is_ended_and_nothing_else() -> None:
    sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = subprocess.Popen(sleep, env={**os.environ, leftovers.MARK: f"{gone.pid}:1.00:{ROOT}"})
    elsewhere = subprocess.Popen(sleep, env={**os.environ, leftovers.MARK: f"{gone.pid}:1.00:{ROOT.parent}"})
    ours = subprocess.Popen(sleep, env={**os.environ, leftovers.MARK: leftovers.mark()})
    try:
        assert [ended.split()[0] for ended in leftovers.end_orphans()] == [str(left.pid)]
        left.wait(60)
        assert [elsewhere.poll(), ours.poll()] == [None, None]
    finally:
        for process in (left, elsewhere, ours):
            process.kill()
            process.wait()
