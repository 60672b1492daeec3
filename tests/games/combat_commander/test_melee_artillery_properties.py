"""Melee, artillery, mines and advance: odds against another library, and what no dice can change."""

from __future__ import annotations

from typing import Any

import icepool
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.core.registry import ask, game

GAME = game("combat_commander")
MELEE = GAME.position("melee")
ARTILLERY = GAME.position("artillerie")
FORTS = GAME.position("fortifications")
TWO_DICE = icepool.d6 + icepool.d6
roll = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(list)


@given(fp=st.integers(0, 12), holder=st.sampled_from([None, "axis", "allies"]))
@settings(max_examples=30, deadline=None)
def test_melee_odds_agree_with_another_library(fp: int, holder: str | None) -> None:
    position = MELEE.change({"piece.fusiliers.front.fp": fp, "marker.fortification.C3": "bunker"})
    odds = ask(position, "melee_odds", cell="C3", holder=holder).value
    margin = TWO_DICE + odds.margin - TWO_DICE
    tie = margin.probability(0)
    expected = {"axis": sum(margin.probability(n) for n in range(1, 40))}
    expected["allies"] = 1 - tie - expected["axis"]
    expected["none"] = tie if holder is None else 0
    if holder is not None:
        expected[holder] += tie
    assert odds.results == expected
    assert odds.strength["axis"] == fp + 2


@given(axis=roll, allies=roll, holder=st.sampled_from([None, "axis", "allies"]))
@settings(max_examples=60, deadline=None)
def test_whoever_stays_had_no_lower_total_and_keeps_everyone(axis: Any, allies: Any, holder: str | None) -> None:
    position = MELEE.change({"marker.fortification.C3": "pillbox"})
    outcome = ask(position, "melee", cell="C3", axis=axis, allies=allies, holder=holder).value
    lost = {MELEE.piece(name).side for name in outcome.eliminated}
    assert outcome.winner not in lost
    assert lost == {"axis", "allies"} - {outcome.winner}
    if outcome.winner != "none":
        assert outcome.totals[outcome.winner] == max(outcome.totals.values())
    again = ask(position, "melee", cell="C3", axis=axis, allies=allies, holder=holder, active="allies").value
    assert again == outcome  # who rolls first changes nothing


@given(cell=st.sampled_from(ARTILLERY.grid.cells), dice=roll, hit=st.booleans())
@settings(max_examples=120, deadline=None)
def test_a_round_drifts_one_hex_at_a_time_and_stays_on_the_map_or_is_lost(cell: str, dice: Any, hit: bool) -> None:
    drift = ask(ARTILLERY, "drift", cell=cell, roll=dice, hit=hit).value
    assert drift.path[0] == cell
    steps = list(zip(drift.path, drift.path[1:], strict=False))
    assert all(ARTILLERY.grid.distance(one, other) == 1 for one, other in steps)
    if drift.end is not None:
        assert len(steps) == (2 if hit else dice[1])
        assert hit or ARTILLERY.grid.distance(cell, drift.end) == dice[1]


@given(target=st.sampled_from(["G3", "E3", "H3", "D3", "C3"]), smoke=st.sampled_from([None, 3, 9]))
@settings(max_examples=15, deadline=None)
def test_barrage_odds_are_those_of_every_pair_of_rolls(target: str, smoke: int | None) -> None:
    position = ARTILLERY.change({"marker.smoke.C3": smoke})
    odds = ask(position, "barrage_odds", observer="ganz", cell=target).value
    assert odds.cancelled + sum(odds.landings.values()) == 1
    assert odds.accurate * 36 == sum(a * b >= odds.needed for a in range(1, 7) for b in range(1, 7))
    assert odds.centred <= odds.covered <= 1


@given(
    fp=st.sampled_from([6, 7, 8]),
    terrain=st.sampled_from([None, "woods", "building"]),
    how=st.sampled_from(["move", "advance", "retreat"]),
)
@settings(max_examples=30, deadline=None)
def test_mines_see_no_cover(fp: int, terrain: str | None, how: str) -> None:
    position = FORTS.change({"terrain.D3": terrain})
    odds = ask(position, "mines_odds", unit="milice", cell="D3", how=how, fp=fp).value
    margin = TWO_DICE + fp - TWO_DICE - 7
    hurt = sum(margin.probability(n) for n in range(1, 40))
    tie = margin.probability(0)
    assert odds.broken == hurt + (tie if how == "move" else 0)
    assert odds.suppressed == (0 if how == "move" else tie)
    assert odds.nothing + odds.suppressed + odds.broken + odds.eliminated == 1


@given(start=st.sampled_from(["A3", "B4", "D1", "E5", "D5"]), armed=st.booleans())
@settings(max_examples=20, deadline=None)
def test_each_hex_listed_is_allowed_and_no_other(start: str, armed: bool) -> None:
    position = GAME.position("progression").change(
        {"piece.pionniers.at": start, "piece.mg.carrier": "pionniers" if armed else "ganz"}
    )
    reach = ask(position, "advance", piece="pionniers").value.reach
    for cell in position.grid.neighbours(start):
        assert (ask(position, "advance", piece="pionniers", cell=cell).outcome == "computed") == (cell in reach)
