"""Fire of Combat Commander: odds against an independent computation, sums, refusals that change nothing, traces that hold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.core.position import Position
from tutor.core.registry import ask, game

GAME = game("combat_commander")
BASE = GAME.position("livret-tir")
TWO_DICE = icepool.d6 + icepool.d6
AXIS = [p.id for p in BASE.pieces if p.side == "axis"]
CELLS = [cell for cell in BASE.grid.cells if cell not in ("I6", "I7")]

flat = Position.parse(
    """
schema: 1
game: combat_commander
id: deux-camps
grid: {kind: hex, columns: [A, E], rows: [1, 6]}
pieces:
- {id: tireur, kind: squad, side: axis, at: C1, front: {fp: 5, range: 9, move: 4, morale: 7}}
- {id: chef, kind: leader, side: allies, at: C4, front: {fp: 1, range: 1, move: 6, morale: 8, command: 1}, back: {fp: 0, range: 0, move: 1, morale: 9, command: 0}}
- {id: peloton, kind: squad, side: allies, at: C4, front: {fp: 5, range: 5, move: 4, morale: 7}, back: {fp: 2, range: 1, move: 1, morale: 6}}
"""
)


def margins(fp: int, morale: int) -> Any:
    """Attack total less defence total, by another library."""
    return TWO_DICE + fp - TWO_DICE - morale


@given(
    fp=st.integers(1, 14),
    morale=st.integers(4, 12),
    terrain=st.sampled_from([None, "woods", "building", "brush"]),
    moving=st.booleans(),
    broken=st.booleans(),
)
@settings(max_examples=60)
def test_one_defender_agrees_with_an_independent_computation(
    fp: int, morale: int, terrain: str | None, moving: bool, broken: bool
) -> None:
    cover = {None: 0, "woods": 2, "building": 3, "brush": 1}[terrain]
    position = flat.change(
        {
            "piece.chef": None,
            "piece.tireur.front.fp": fp,
            "piece.peloton.front.morale": morale,
            "piece.peloton.back.morale": morale,
            "terrain.C4": terrain,
            "piece.peloton.activated": "move" if moving else None,
            "piece.peloton.status.broken": broken,
        }
    )
    mode = "op_fire" if moving else "order"
    odds = ask(position, "fire_odds", firers=["tireur"], target="C4", mode=mode).value.pieces["peloton"]
    lead = margins(fp, morale + cover)
    hurt = lead.probability(">", 0) + (lead.probability("==", 0) if moving else 0)
    assert (odds.eliminated if broken else odds.broken) == hurt
    assert (odds.broken if broken else odds.eliminated) == 0
    assert odds.suppressed == (0 if moving else lead.probability("==", 0))


@given(fp=st.integers(1, 14), leader_first=st.booleans(), suppressed=st.booleans())
@settings(max_examples=30)
def test_a_leader_and_his_squad_share_one_attack_roll(fp: int, leader_first: bool, suppressed: bool) -> None:
    position = flat.change({"piece.tireur.front.fp": fp, "piece.peloton.status.suppressed": suppressed})
    order = ["chef", "peloton"] if leader_first else ["peloton", "chef"]
    odds = ask(position, "fire_odds", firers=["tireur"], target="C4", order=order).value
    squad = leader = either = 0
    own = 7 - suppressed
    dice = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    sums = [sum(d) for d in dice]
    for attack in sums:
        for one in sums:
            for other in sums:
                leader_down = 8 + one < fp + attack
                squad_down = own + (0 if leader_first and leader_down else 1) + other < fp + attack
                squad += squad_down
                leader += leader_down
                either += squad_down or leader_down
    whole = 36**3
    assert odds.pieces["peloton"].broken == Fraction(squad, whole)
    assert odds.pieces["chef"].broken == Fraction(leader, whole)
    assert odds.any_broken == Fraction(either, whole)


def _sums(odds: Any) -> None:
    for piece in odds.pieces.values():
        assert piece.nothing + piece.suppressed + piece.broken + piece.eliminated == 1
    assert 0 <= odds.any_eliminated <= odds.any_broken <= 1
    assert odds.unharmed + odds.any_broken <= 1


pairs = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)).map(list), max_size=12)


@given(fp=st.integers(1, 12), attacker=pairs, defender=pairs, twice=st.booleans(), sustained=st.booleans())
@settings(max_examples=40)
def test_odds_add_up_to_one_whatever_was_discarded(
    fp: int, attacker: list[list[int]], defender: list[list[int]], twice: bool, sustained: bool
) -> None:
    def legal(drawn: list[list[int]]) -> list[list[int]]:
        return [pair for i, pair in enumerate(drawn) if drawn[:i].count(pair) < 2]

    position = flat.change({"piece.tireur.front.fp": fp, "piece.tireur.kind": "mg" if sustained else "squad"})
    if sustained:
        position = Position.from_data(
            {
                **position.data(),
                "pieces": [
                    *position.data()["pieces"],
                    {"id": "servant", "kind": "team", "side": "axis", "at": "C1", "front": {"fp": 1, "range": 1}},
                ],
            }
        ).change({"piece.tireur.at": None, "piece.tireur.carrier": "servant"})
    declared = {"firers": ["tireur"], "target": "C4", "actions": ["sustained_fire"] if sustained else []}
    then = [declared] if twice else []
    discards = {"attacker": legal(attacker), "defender": legal(defender)}
    result = ask(position, "fire_odds", **declared, then=then, discards=discards)
    assert result.computed, [step.code for step in result.refusals]
    _sums(result.value)


@given(
    firers=st.lists(st.sampled_from(AXIS), min_size=1, max_size=5, unique=True),
    target=st.sampled_from(CELLS),
    actions=st.lists(
        st.sampled_from(["crossfire", "grenades", "marksmanship", "sustained_fire", "bore_sighting"]), max_size=3
    ),
    mode=st.sampled_from(["order", "op_fire", "assault"]),
    terrain=st.dictionaries(st.sampled_from(CELLS), st.sampled_from(["woods", "marsh", "brush", "building", None])),
    fortification=st.dictionaries(st.sampled_from(CELLS), st.sampled_from(["wire", "trench", "mines", "foxholes"])),
    without=st.sets(st.sampled_from(sorted(GAME.omittable)), max_size=2),
)
@settings(max_examples=150)
def test_any_fire_on_a_valid_position_gets_an_answer_that_explains_itself(
    firers: list[str],
    target: str,
    actions: list[str],
    mode: str,
    terrain: dict[str, str | None],
    fortification: dict[str, str],
    without: set[str],
) -> None:
    position = BASE.change(
        {f"terrain.{cell}": kind for cell, kind in terrain.items()}
        | {f"marker.fortification.{cell}": kind for cell, kind in fortification.items()}
    )
    before = position.dump()
    arguments: dict[str, Any] = {"firers": firers, "target": target, "actions": actions, "mode": mode}
    result = ask(position, "fire", without=without, **arguments)
    assert position.dump() == before
    assert (result.outcome == "refused") == bool(result.refusals)
    for step in result.trace.walk():
        assert step.rule in GAME.sections
        assert GAME.sentence(step, position)
    quiet = ask(position, "fire", without=without, trace=False, **arguments)
    assert quiet.value == result.value
    assert [step.code for step in quiet.refusals] == [step.code for step in result.refusals]
    odds = ask(position, "fire_odds", without=without, **arguments)
    assert odds.outcome == result.outcome
    if odds.computed:
        _sums(odds.value)


@given(
    fp=st.integers(1, 12),
    white=st.integers(1, 6),
    red=st.integers(1, 6),
    defence=st.tuples(st.integers(1, 6), st.integers(1, 6)),
)
def test_the_attack_and_its_odds_are_the_same_rule(fp: int, white: int, red: int, defence: tuple[int, int]) -> None:
    position = flat.change({"piece.tireur.front.fp": fp, "piece.chef": None})
    attack = ask(
        position, "attack", firers=["tireur"], target="C4", roll=[white, red], defence={"peloton": list(defence)}
    )
    odds = ask(position, "fire_odds", firers=["tireur"], target="C4").value
    result = attack.value.pieces["peloton"].result
    assert getattr(odds.pieces["peloton"], result) > 0
    assert odds.totals[attack.value.total] > 0


@pytest.mark.parametrize("morale", range(2, 13))
def test_rally_odds_agree_with_another_library(morale: int) -> None:
    position = flat.change(
        {"piece.peloton.status.broken": True, "piece.peloton.back.morale": morale, "piece.chef": None}
    )
    odds = ask(position, "recover_odds", piece="peloton").value
    assert odds.results["rallied"] == TWO_DICE.probability("<", morale)
    assert odds.results["suppressed"] == TWO_DICE.probability("==", morale)
    rout = ask(position, "rout_odds", piece="peloton").value
    assert rout.results["retreat"] == TWO_DICE.probability(">", morale) == sum(rout.distances.values())
