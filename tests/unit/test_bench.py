"""The benchmark's subjects are found, and its figures are shown in French."""

from __future__ import annotations

from importlib import import_module

import pytest

from bench.__main__ import chosen, subjects
from bench.measures import NBSP, Measure, milliseconds
from tutor.core.registry import game


def test_every_module_that_measures_is_found():
    assert {"content", "los", "odds"} <= set(subjects())
    assert "measures" not in subjects()
    assert all(module.TITLE for module in subjects().values())


def test_what_is_long_waits_until_it_is_asked_for():
    modules = subjects()
    usual = chosen(modules, [], full=False)
    assert {"content", "los", "odds"} <= set(usual)
    assert not {"browser", "classroom", "memory", "stage"} & set(usual)
    assert chosen(modules, [], full=True) == list(modules)
    assert chosen(modules, ["memory"], full=False) == ["memory"]


def test_a_line_shows_the_ratio_and_the_target():
    line = Measure("Une ligne", 12.5, "ms", 50, "témoin", 10).line()
    assert f"12,5{NBSP}ms" in line
    assert f"×{NBSP}0,250 (témoin{NBSP}: 50,0{NBSP}ms)" in line
    assert line.endswith(f"objectif 10,0{NBSP}ms{NBSP}: dépassé")
    assert Measure("Une ligne", 9, target=10).line().endswith("tenu")
    assert Measure("Une ligne", 9).ratio is None


def test_what_is_done_before_is_not_timed():
    done = []
    assert milliseconds(lambda: done.append("task"), times=2, before=lambda: done.append("before")) >= 0
    assert done == ["before", "task"] * 2


def test_the_reference_of_the_odds_counts_every_sum():
    from bench.odds import SUMS, enumerated

    assert sum(SUMS.values()) == 1
    assert enumerated(7, [7]) == sum(SUMS[a] * SUMS[d] for a in SUMS for d in SUMS if d < a)
    assert enumerated(20, [2, 2]) == 1


@pytest.mark.parametrize(("subject", "hexes", "covered"), [("los", 150, 60), ("los_asl", 346, 138)])
def test_the_maps_of_the_bench_are_possible(subject: str, hexes: int, covered: int):
    position = import_module(f"bench.{subject}").random_map()
    assert game(position.game).problems(position) == []
    assert len(list(position.grid.cells)) == hexes
    assert len(position.terrain_of) == covered
    assert position.level_of
