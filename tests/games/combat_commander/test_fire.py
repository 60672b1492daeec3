"""Fire, movement, cover and rally of Combat Commander where the printed examples do not reach."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tutor.core.errors import RequestError
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result

GAME = game("combat_commander")
FIRE = GAME.position("livret-tir")
FLAT = Position.parse(
    """
schema: 1
game: combat_commander
id: plaine
grid: {kind: hex, columns: [A, F], rows: [1, 8]}
pieces:
- {id: un, kind: squad, side: axis, at: C1, nation: germany, counter: germany/rifle}
- {id: deux, kind: squad, side: axis, at: D1, nation: germany, counter: germany/rifle}
- {id: cible, kind: squad, side: allies, at: C4, nation: america, counter: america/line}
"""
)


def rules(result: Result[Any]) -> list[str]:
    """Rule ids of the refusals, sorted."""
    return sorted({step.rule for step in result.refusals})


def test_every_reason_of_a_refusal_is_given() -> None:
    position = FIRE.change({"piece.peloton-l8.status.suppressed": True, "piece.mg-l8.status.broken": True})
    result = ask(position, "fire", firers=["mg-l8", "mortier"], target="J9", actions=["crossfire", "grenades"])
    assert rules(result) == ["11.1", "11.4", "A30", "A34", "O20.3", "O20.3.1.1"]


def test_a_refused_fire_still_says_how_strong_it_would_be() -> None:
    result = ask(FIRE, "fire", firers=["equipe"], target="N7")
    assert (result.outcome, result.value.fp) == ("refused", -1)


@pytest.mark.parametrize(
    ("without", "fp"),
    [
        ([], 11),
        (["T88.2"], 10),
        (["3.3.1.2"], 10),
        (["O20.3.1.2"], 5 + 1 + 2 + 2 + 5 + 5 + 4 + 1),
        (["3.3.1.2", "T88.2"], 9),
    ],
)
def test_forgetting_a_rule_gives_the_wrong_answer_it_explains(without: list[str], fp: int) -> None:
    group = ["peloton-l8", "peloton-k8", "peloton-j7", "peloton-j6", "mg-j6"]
    result = ask(FIRE, "fire", without=without, firers=group, target="M6")
    assert result.value.fp == fp


def test_another_base_piece_may_be_chosen() -> None:
    result = ask(FIRE, "fire", firers=["peloton-l8", "peloton-k8"], target="M6", base="peloton-k8")
    assert (result.value.base_fp, result.value.others, result.value.fp) == (4, 1, 6)
    with pytest.raises(RequestError, match="pion de base"):
        ask(FIRE, "fire", firers=["peloton-l8"], target="M6", base="peloton-k8")


def test_the_worst_hindrance_of_the_group_counts() -> None:
    position = FLAT.change({"marker.smoke.D1": 2, "terrain.C2": "orchard"})
    both = ask(position, "fire", firers=["un", "deux"], target="C4").value
    assert both.hindrance == 2
    position = FLAT.change({"marker.smoke.D1": 4, "terrain.C2": "field"})
    assert ask(position, "fire", firers=["un", "deux"], target="C4").value.hindrance == 4
    alone = ask(position, "fire", without=["O20.3.2"], firers=["un", "deux"], target="C4", base="un").value
    assert alone.hindrance == 1


def test_a_counter_nobody_knows_is_unknown_not_invented() -> None:
    position = FLAT.change({"piece.un.counter": "germany/inconnu"})
    result = ask(position, "values", piece="un")
    assert (result.outcome, result.missing) == ("unknown", "units.germany/inconnu.fp")
    assert ask(position, "fire", firers=["un"], target="C4").outcome == "unknown"
    known = position.change(
        {f"piece.un.front.{q}": n for q, n in (("fp", 5), ("range", 5), ("move", 4), ("morale", 7))}
    )
    assert ask(known, "values", piece="un").value.fp == 5


def test_spray_fire_counts_height_and_cover_of_each_hex() -> None:
    position = FLAT.change({"level.C4": 1, "terrain.C5": "woods", "level.C1": 1}).change({"piece.deux.side": "allies"})
    position = position.change({"piece.deux.at": "C5", "level.C5": 1, "level.C4": 0})
    result = ask(position, "fire", firers=["un"], target="C4", also="C5", actions=["spray_fire"])
    assert (result.value.fp, result.value.also_fp) == (6, 5)


def test_light_wounds_only_save_who_would_break() -> None:
    arguments: dict[str, Any] = {"firers": ["un"], "target": "C4", "wounds": ["cible"], "defence": {"cible": [6, 6]}}
    result = ask(FLAT, "attack", roll=[1, 1], **arguments)
    assert result.value.pieces["cible"].result == "nothing"


def test_defences_not_rolled_yet_are_pending() -> None:
    result = ask(FLAT, "attack", firers=["un"], target="C4", roll=[3, 4])
    assert (result.value.total, result.value.pieces["cible"].result) == (12, "pending")


@pytest.mark.parametrize("bad", [[0, 3], [7, 1], [3], "5", [True, 2]])
def test_dice_that_are_not_dice_get_a_french_sentence(bad: Any) -> None:
    with pytest.raises(RequestError, match=r"deux dés|liste de nombres entiers"):
        ask(FLAT, "attack", firers=["un"], target="C4", roll=bad)


def test_who_does_not_defend_cannot_roll() -> None:
    with pytest.raises(RequestError, match="ne défend pas"):
        ask(FLAT, "attack", firers=["un"], target="C4", roll=[1, 1], defence={"deux": [1, 1]})


def test_too_many_cards_are_refused_with_a_remedy() -> None:
    then = [{"firers": ["un"], "target": "C4"}] * 5
    with pytest.raises(RequestError, match="carte par carte"):
        ask(FLAT, "fire_odds", firers=["un"], target="C4", then=then, discards={})
    with pytest.raises(RequestError, match="défaussée"):
        ask(FLAT, "fire_odds", firers=["un"], target="C4", discards={"attacker": [[1, 1]] * 3})
    with pytest.raises(RequestError, match="clés : firers, target"):
        ask(FLAT, "fire_odds", firers=["un"], target="C4", then=[{"target": "C4"}])


def test_two_defenders_draw_from_one_pile() -> None:
    """Two Morals of 7 against 6 PF: no card twice, but all 72 again after a 6-6 (Time!, 6.1.2), by enumeration."""
    position = FLAT.change({"piece.deux.side": "allies", "piece.deux.at": "C4", "piece.un.front.fp": 6})
    position = position.change({"piece.cible.front.morale": 7, "piece.deux.front.morale": 7})
    cards = ask(position, "fire_odds", firers=["un"], target="C4", discards={}).value
    fresh = ask(position, "fire_odds", firers=["un"], target="C4").value
    pairs = [(white, red) for white in range(1, 7) for red in range(1, 7)]
    both = second = Fraction(0)
    for attack in (6 + sum(pair) for pair in pairs):
        holds = [pair for pair in pairs if sum(pair) + 7 >= attack]
        for one in pairs:
            left = sum(2 - (other == one and one != (6, 6)) for other in holds)
            fine = Fraction(1, 36 * 36) * Fraction(left, 72 if one == (6, 6) else 71)
            second += fine
            both += fine * (one in holds)
    assert cards.any_broken == 1 - both == Fraction(539315, 1104192)
    assert cards.pieces["deux"].broken == fresh.pieces["deux"].broken == Fraction(435, 1296)
    assert cards.pieces["cible"].broken == 1 - second
    assert cards.any_broken != fresh.any_broken


def test_a_shot_at_a_vertex_and_a_half_covered_group_follow_the_settings() -> None:
    wall = {"side.C3/C4": "wall"}
    both = {"cell": "C4", "against": "fire", "firing_from": ["C1", "C7"]}
    assert ask(FLAT.change(wall), "cover", **both).value.value == 0
    assert ask(FLAT.change({**wall, "setting.cover_group": "any"}), "cover", **both).value.value == 2
    edge = {"cell": "C4", "against": "fire", "firing_from": ["D2"]}
    assert ask(FLAT.change(wall), "cover", **edge).value.value == 2
    assert ask(FLAT.change({**wall, "setting.cover_vertex": "ignored"}), "cover", **edge).value.value == 0


def test_the_owner_may_choose_a_lesser_cover() -> None:
    position = FLAT.change({"terrain.C4": "woods", "marker.fortification.C4": "foxholes"})
    assert ask(position, "cover", cell="C4").value.value == 3
    assert ask(position, "cover", cell="C4", choose="terrain").value.value == 2
    assert ask(position, "cover", without=["T78.3"], cell="C4").value.value == 5
    with pytest.raises(RequestError, match="Pas de couverture"):
        ask(position, "cover", cell="C4", choose="side")


def test_a_group_walks_at_the_pace_of_the_slowest() -> None:
    result = ask(FIRE, "move", pieces=["bolter", "peloton-l8"], path=["L9", "K9"])
    assert [entry.allowance for entry in result.value.entries] == [4, 5]  # L9 has a road
    assert result.value.allowance == 5


def test_a_group_stops_when_one_of_it_breaks() -> None:
    shot = {"at": "C5", "firers": ["un"], "roll": [6, 6], "defence": {"cible": [1, 1]}}
    position = FLAT.change({"piece.cible.at": "C6"}).change({"piece.deux.side": "allies", "piece.deux.at": "C6"})
    moved = ask(position, "move", pieces=["cible", "deux"], path=["C5", "C4"], shots=[shot])
    assert (moved.value.cell, moved.value.left, moved.value.shots[0].pieces["cible"].result) == ("C5", 0, "broken")
    assert position.read("piece.cible.at") == "C6"


def test_one_expenditure_one_op_fire_but_another_at_the_next() -> None:
    position = FLAT.change({"piece.cible.at": "C6"})
    shots = [{"at": "C5", "firers": ["un"]}, {"at": "C4", "firers": ["un"]}]
    assert ask(position, "move", pieces=["cible"], path=["C5", "C4"], shots=shots).computed
    twice = [{"at": "C5", "firers": ["un"]}, {"at": "C5", "firers": ["deux"]}]
    assert rules(ask(position, "move", pieces=["cible"], path=["C5"], shots=twice)) == ["A33.3"]
    assert ask(position, "move", without=["A33.3"], pieces=["cible"], path=["C5"], shots=twice).computed


@pytest.mark.parametrize(
    ("changes", "path", "refused"),
    [
        ({"marker.blaze.C2": True}, ["C2"], ["T79"]),
        ({"terrain.C2": "water_barrier"}, ["C2"], ["T98"]),
        ({"side.C1/C2": "cliff", "marker.blaze.C2": True}, ["C2"], ["T79", "T83"]),
        ({"terrain.C2": "major_bridge"}, ["C2"], ["T80.1"]),
        ({"piece.cible.at": "C2"}, ["C2"], ["O21.4"]),
        ({}, ["C0"], ["O21.4"]),
        ({}, ["C4"], ["O21.1", "O21.4"]),
        ({"terrain.C2": "marsh", "side.C1/C2": "fence", "level.C2": 1}, ["C2"], ["O21.1"]),
        ({"piece.un.activated": "fire"}, ["C2"], ["O14.1"]),
    ],
)
def test_what_stops_a_movement(changes: dict[str, Any], path: list[str], refused: list[str]) -> None:
    assert rules(ask(FLAT.change(changes), "move", pieces=["un"], path=path)) == refused


def test_a_major_bridge_is_crossed_by_its_road() -> None:
    position = FLAT.change({"terrain.C2": "major_bridge", "way.road.C1": [1, 4], "way.road.C2": [1, 4]})
    assert ask(position, "step_cost", start="C1", end="C2").value == 1
    minor = position.change({"terrain.C2": "minor_bridge"})
    assert ask(minor, "step_cost", start="C1", end="C2").value == 1
    assert ask(minor, "step_cost", start="B1", end="C2").outcome == "unknown"


def test_a_trench_link_costs_one_and_hides() -> None:
    position = FLAT.change(
        {"marker.fortification.C1": "trench", "marker.fortification.C2": "bunker", "terrain.C2": "woods"}
    )
    assert ask(position, "step_cost", start="C1", end="C2").value == 1
    assert ask(position, "step_cost", without=["F105.2"], start="C1", end="C2").value == 2


def test_the_hands_of_a_weapon_change_for_one_point() -> None:
    position = FIRE.change({"piece.peloton-l8.activated": "move"})
    assert ask(position, "transfer", giver="peloton-l8", receiver="bolter").value == 1
    full = position.change({"piece.mg-j6.carrier": "bolter"})
    assert rules(ask(full, "transfer", giver="peloton-l8", receiver="bolter")) == ["8.1.1"]


def test_assault_fire_needs_movement_and_boxed_firepower() -> None:
    ready = FLAT.change({"piece.cible.activated": "move"})
    assert ask(ready, "fire", firers=["cible"], target="C1", mode="assault").value.fp == 6
    still = ask(FLAT, "fire", firers=["un"], target="C4", mode="assault")
    assert rules(still) == ["A26"]
    assert [step.code for step in still.refusals] == ["fire.refuse.not_moving", "fire.refuse.boxed_fp"]


def test_a_single_use_weapon_leaves_and_a_flame_ignores_cover() -> None:
    data = FLAT.change({"piece.cible.at": "C2", "terrain.C2": "building"}).data()
    data["pieces"].append(
        {"id": "molotov", "kind": "molotov", "side": "axis", "carrier": "un", "counter": "any/molotov-cocktail"}
    )
    result = ask(Position.from_data(data), "attack", firers=["molotov"], target="C2", roll=[3, 3])
    assert result.value.weapons == {"molotov": "eliminated"}
    assert result.value.pieces["cible"].morale == 6


def test_smoke_rounds_need_no_enemy_but_a_weapon_that_has_them() -> None:
    position = FIRE.change({"piece.mortier.counter": "germany/medium-mortar", "marker.smoke.M8": None})
    assert ask(position, "targeting", weapon="mortier", target="N6", smoke=True, roll=[5, 5]).value.hit
    assert rules(ask(FIRE, "targeting", weapon="mortier", target="N6", smoke=True)) == ["O20.2.1"]


def test_a_missed_mortar_does_not_fire() -> None:
    result = ask(FIRE, "attack", firers=["mortier"], target="N7", targeting=[6, 1], roll=[6, 6])
    assert (result.value.hit, result.value.total, result.value.pieces) == (False, None, {})


def test_elimination_gives_the_points_of_the_unit() -> None:
    position = FLAT.change(
        {"piece.cible.kind": "leader", "piece.cible.counter": "america/fuller", "piece.cible.status.broken": True}
    )
    result = ask(position, "attack", firers=["un"], target="C4", roll=[6, 6], defence={"cible": [1, 1]})
    assert (result.value.pieces["cible"].result, result.value.points) == ("eliminated", 3)
