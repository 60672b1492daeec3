"""Open readings of Combat Commander: each is switchable, has a case for each value, is told to the reader and listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutor.core.registry import ask, game
from tutor.course.cases import position_of, read_cases
from tutor.course.models import Case
from tutor.games.combat_commander.los import sight_lines

GAME = game("combat_commander")
FILE = Path(__file__).parent / "cases" / "lectures.yaml"
CASES = {case.id: case for case in read_cases(FILE)}
READINGS = [(name, value) for name, setting in GAME.settings.items() for value in setting.options]


def _of(name: str, value: str) -> list[Case]:
    return [case for case in CASES.values() if case.changes.get(f"setting.{name}") == value]


@pytest.mark.parametrize(("name", "value"), READINGS)
def test_each_value_of_a_reading_has_a_case_whose_trace_says_it_is_one(name: str, value: str) -> None:
    """At least one case sets the value, and one of its steps carries the badge."""
    readings = _of(name, value)
    assert readings
    notes = [
        step.note for case in readings for step in ask(position_of(case, FILE), case.ask, **case.with_).trace.walk()
    ]
    assert "interprétation" in notes


@pytest.mark.parametrize("name", list(GAME.settings))
def test_the_default_is_what_a_position_that_says_nothing_gives(name: str) -> None:
    """Writing the default changes nothing, the other values do."""
    setting = GAME.settings[name]
    for value in setting.options:
        for case in _of(name, value):
            position = position_of(case, FILE)
            silent = position.change({f"setting.{name}": None})
            same = ask(position, case.ask, **case.with_).value == ask(silent, case.ask, **case.with_).value
            assert same or value != setting.default, case.id


@pytest.mark.parametrize("case", [c for c in CASES.values() if c.ask == "los"], ids=lambda c: c.id)
def test_maps_of_what_is_seen_follow_the_readings(case: Case) -> None:
    """The fast path gives the verdict of the full one."""
    position = position_of(case, FILE)
    start, end = case.with_["start"], case.with_["end"]
    seen = ask(position, "los", start=start, end=end).value
    assert (end, seen.visible, seen.hindrance) in set(sight_lines(position, start))
    assert (start, seen.visible, seen.hindrance) in set(sight_lines(position, end))


@pytest.mark.parametrize("name", list(GAME.settings))
def test_the_page_of_open_points_names_every_reading(name: str) -> None:
    """`gaps.md` says where each switch comes from."""
    assert f"`{name}`" in (GAME.folder / "gaps.md").read_text(encoding="utf-8")
