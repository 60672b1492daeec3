"""Odds of a fire against every pair of rolls, each resolved by the attack itself and weighed by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tutor.core.errors import RequestError
from tutor.core.registry import ask, game

GAME = game("combat_commander")
HEDGE = GAME.position("groupe-haie")
SPRAY = GAME.position("tir-rafale")
PAIRS = list(product(range(1, 7), repeat=2))
WAYS = Counter(sum(pair) for pair in PAIRS)
ROLL = {sum(pair): list(pair) for pair in PAIRS}
LEADER = {"piece.ganz.at": "B4"}


@pytest.mark.parametrize(
    ("position", "order", "declared"),
    [
        (HEDGE, ["garde"], {"firers": ["loup", "renard"], "target": "D3"}),
        (
            HEDGE.change({"piece.garde.activated": "move", "piece.garde.status.broken": True}),
            ["garde"],
            {"firers": ["loup"], "target": "D3", "actions": ["crossfire"]},
        ),
        (
            HEDGE.change({"terrain.D3": "woods", "marker.fortification.D3": "foxholes"}),
            ["garde"],
            {"firers": ["mortier"], "target": "D3"},
        ),
        (HEDGE, ["milice"], {"firers": ["lynx"], "target": "F2", "concealment": 1}),
        (HEDGE.change(LEADER), ["ganz", "equipe"], {"firers": ["garde"], "target": "B4"}),
        (
            HEDGE.change({**LEADER, "piece.ganz.status.broken": True}),
            ["equipe", "ganz"],
            {"firers": ["garde"], "target": "B4"},
        ),
        (
            SPRAY,
            ["assaut", "milice"],
            {"firers": ["mg"], "target": "E3", "also": "E4", "actions": ["spray_fire"], "concealment": 1},
        ),
    ],
    ids=["group", "moving", "mortar", "concealment", "leader-first", "leader-last", "spray"],
)
def test_odds_agree_with_every_pair_of_rolls(position: Any, order: list[str], declared: dict[str, Any]) -> None:
    odds = ask(position, "fire_odds", order=order, **declared).value
    hit = odds.hit if odds.hit is not None else Fraction(1)
    counted: dict[str, Counter[str]] = {name: Counter() for name in order}
    harmed = 0
    for rolled in WAYS:
        for dice in product(WAYS, repeat=len(order)):
            weight = WAYS[rolled]
            for number in dice:
                weight *= WAYS[number]
            defence = {name: ROLL[number] for name, number in zip(order, dice, strict=True)}
            pieces = ask(position, "attack", trace=False, roll=ROLL[rolled], defence=defence, **declared).value.pieces
            for name in order:
                counted[name][pieces[name].result] += weight
            harmed += weight * any(pieces[name].result in ("broken", "eliminated") for name in order)
    whole = 36 ** (1 + len(order))
    assert odds.any_broken == hit * Fraction(harmed, whole)
    for name in order:
        for result in ("suppressed", "broken", "eliminated"):
            assert getattr(odds.pieces[name], result) == hit * Fraction(counted[name][result], whole)


def test_fewer_than_no_concealments_make_no_sense() -> None:
    with pytest.raises(RequestError, match="négatif"):
        ask(HEDGE, "attack", firers=["loup"], target="D3", roll=[1, 1], concealment=-1)
    with pytest.raises(RequestError, match="ni un mortier"):
        ask(HEDGE, "attack", firers=["mg"], target="D3", actions=["sustained_fire"], roll=[1, 1], breaks=["loup"])


def test_an_order_of_defence_names_who_defends() -> None:
    with pytest.raises(RequestError, match="ne défend"):
        ask(HEDGE, "fire_odds", firers=["loup"], target="D3", order=["milice"])


@pytest.mark.parametrize(("total", "chance"), [(13, Fraction(1, 6)), (8, Fraction(1, 36)), (7, Fraction(0))])
def test_the_chance_of_one_attack_total_is_said(total: int, chance: Fraction) -> None:
    place = GAME.position("tir-pre")
    result = ask(place, "fire_odds", firers=["ligne"], target="D3", total=total)
    roll, pairs, last = result.trace.children[-3:]
    assert (roll.code, roll.value) == ("odds.roll", total - 6)
    assert (pairs.code, pairs.value) == ("odds.pairs", 36 * chance)
    assert (last.code, last.value) == ("odds.total", chance)
    assert result.value == ask(place, "fire_odds", firers=["ligne"], target="D3").value
