"""Sherman Leader: reciprocity of sight, odds against enumeration and another library, traces, refusals, random positions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import prod

import icepool
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tutor.core.position import Position
from tutor.games.sherman_leader import GAME
from tutor.games.sherman_leader.odds import binomial

RULES = GAME.load().rules
EMPTY = Position.parse(
    "schema: 1\ngame: sherman_leader\nid: vide\ngrid: {kind: pointy, columns: [A, D], rows: [1, 6]}\n"
)
CELLS = EMPTY.grid.cells
BASE = GAME.position("serie")
KINDS = [None, "heavy", "light", "water", "bocage", "impassable"]
cells = st.sampled_from(CELLS)
boards = st.dictionaries(cells, st.sampled_from(KINDS[1:]), max_size=14)


def with_terrain(position: Position, board: dict[str, str]) -> Position:
    clear = {f"terrain.{cell}": None for cell in position.terrain_of}
    return position.change(clear | {f"terrain.{cell}": kind for cell, kind in board.items()})


def by_hand(position: Position, start: str, end: str) -> bool:
    """Sight by listing every sequence of hexes as long as the distance."""
    grid, shut = position.grid, {"heavy", "light", "bocage", "impassable"}
    paths = [(start,)]
    for _ in range(grid.distance(start, end)):
        paths = [(*p, n) for p in paths for n in grid.neighbours(p[-1])]
    direct = [p[1:-1] for p in paths if p[-1] == end]
    return not direct or any(all(position.terrain_of.get(c) not in shut for c in p) for p in direct)


@given(board=boards, start=cells, end=cells)
@settings(max_examples=60, deadline=None)
def test_sight_agrees_with_every_path_listed(board, start, end):
    position = with_terrain(EMPTY, board)
    if position.grid.distance(start, end) <= 4:
        assert RULES["los"](position, start=start, end=end).value.visible == by_hand(position, start, end)


@given(board=boards, start=cells, end=cells, reading=st.sampled_from(["shortest", "line"]))
@settings(max_examples=80, deadline=None)
def test_sight_is_reciprocal_and_its_path_is_open(board, start, end, reading):
    position = with_terrain(EMPTY, board).change({"setting.los_path": reading})
    there = RULES["los"](position, start=start, end=end).value
    back = RULES["los"](position, start=end, end=start).value
    assert (there.visible, there.distance, there.blocking) == (back.visible, back.distance, back.blocking)
    if there.visible and there.distance > 1:
        assert not any(position.terrain_of.get(c) in ("heavy", "light", "bocage", "impassable") for c in there.path)


@given(board=boards, start=cells, end=cells)
@settings(max_examples=60, deadline=None)
def test_the_straight_line_never_sees_more_than_the_choice_of_paths(board, start, end):
    position = with_terrain(EMPTY, board)
    line = RULES["los"](position.change({"setting.los_path": "line"}), start=start, end=end).value
    if line.visible and len(line.path) == max(0, line.distance - 1):
        assert RULES["los"](position, start=start, end=end).value.visible


@given(value=st.integers(1, 12), defence=st.integers(0, 9), light=st.booleans(), flank=st.booleans())
@settings(max_examples=40, deadline=None)
def test_odds_of_an_attack_agree_with_another_library(value, defence, light, flank):
    position = BASE.change(
        {
            "piece.char.front.ap": value,
            "piece.pz4.front.defence": defence,
            "terrain.B3": "light" if light else None,
            "setting.flank": "on" if flank else "off",
        }
    )
    odds = RULES["attack_odds"](position, unit="char", target="pz4").value
    need, total = value - 1, defence + light

    def uncancelled(stop: int):
        hit = icepool.d10.map(lambda die: int(die >= need))
        passes = icepool.d10.map(lambda die: int(die > stop))
        return hit * passes

    if not flank:
        both = uncancelled(total) + uncancelled(total)
        assert odds.effective == {k: both.probability("==", k) for k in range(3)}
    else:
        ph = Fraction(max(0, min(10, 11 - need)), 10)
        stops = [Fraction(max(0, min(10, total - n)), 10) for n in (0, 1)]
        expected = sum(
            weight * (Fraction(7, 10) * (1 - stops[0] ** n) + Fraction(3, 10) * (1 - stops[1] ** n))
            for n, weight in binomial(2, ph).items()
        )
        assert odds.success == expected
    assert sum(odds.effective.values()) == sum(odds.hits.values()) == 1
    assert odds.success == 1 - odds.effective[0]


@given(value=st.integers(2, 8), defence=st.integers(0, 5))
@settings(max_examples=6, deadline=None)
def test_odds_count_what_resolving_every_roll_gives(value, defence):
    position = BASE.change({"piece.char.front.ap": value, "piece.pz4.front.defence": defence, "terrain.B3": None})
    shot = RULES["attack"](position, unit="char", target="pz4", trace=False).value
    destroyed = 0
    for first, second in product(range(1, 11), repeat=2):
        hits = sum(die >= shot.need for die in (first, second))
        for stops in product(range(1, 11), repeat=hits):
            destroyed += any(die > defence for die in stops) * 10 ** (2 - hits)
    odds = RULES["attack_odds"](position, unit="char", target="pz4", trace=False).value
    assert odds.success == Fraction(destroyed, 10**4)


@given(order=st.permutations(["char", "scout", "peloton"]))
@settings(max_examples=6, deadline=None)
def test_the_order_of_several_attacks_changes_nothing_in_the_end(order):
    series = RULES["series_odds"](BASE, units=order, target="pz4").value
    assert series.after[-1] == 1 - prod(1 - p for p in series.each)
    assert list(series.after) == sorted(series.after)


@given(
    counts=st.dictionaries(
        st.sampled_from(["stress", "killed", "wounded", "engine", "hull", "explosion", "none", "gun", "exposed"]),
        st.integers(0, 2),
        min_size=1,
        max_size=4,
    ),
    drawn=st.integers(0, 3),
    killed=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_draws_without_replacement_agree_with_every_order_of_the_cup(counts, drawn, killed):
    chits = [chit for chit, n in counts.items() for _ in range(n)]
    position = BASE.change({"piece.chef-char.status.killed": killed})
    if len(chits) < drawn:
        drawn = len(chits)
    odds = RULES["damage_odds"](position, unit="char", cup=counts, count=drawn, trace=False).value
    assert sum(odds.stress.values()) == 1
    orders = list(permutations(chits))
    destroyed = stress = 0
    for order in orders:
        state = _play(order, drawn, killed)
        destroyed += state[0]
        stress += state[1]
    assert odds.destroyed == Fraction(destroyed, len(orders))
    assert odds.expected_stress == Fraction(stress, len(orders))


def _play(order: tuple[str, ...], drawn: int, dead: bool) -> tuple[bool, int]:
    """Chits drawn one by one from a shuffled cup: destroyed, and stress taken."""
    taken, stress, hulls, engines, wounds, destroyed = 0, 0, 0, 0, 0, False
    for chit in order:
        if taken == drawn or destroyed:
            break
        if chit == "stress" and dead:
            continue
        taken += 1
        stress += chit in ("stress", "engine") and not dead
        hulls += chit == "hull"
        engines += chit == "engine"
        wounds += chit == "wounded" and not dead
        destroyed = chit == "explosion" or hulls == 2 or engines == 2
        dead = dead or chit in ("killed", "explosion") or wounds == 2
    return destroyed, stress


UNITS = [p.id for p in BASE.pieces if p.kind != "commander"]
QUESTIONS = [
    ("attack", {"unit": "char", "target": "pz4"}),
    ("attack_odds", {"unit": "peloton", "target": "pz4"}),
    ("series_odds", {"units": ["char", "canon"], "target": "mg", "pay": True}),
    ("targets", {"unit": "pz4"}),
    ("targets", {"unit": "mg"}),
    ("enemy_attack", {"unit": "pz4", "target": "char"}),
    ("enemy_odds", {"unit": "mg"}),
    ("commander", {"unit": "scout"}),
    ("damage", {"unit": "canon", "chits": ["immobilized", "wounded", "wounded", "stress", "suppressed"]}),
    ("reach", {"unit": "scout"}),
    ("move", {"unit": "peloton", "to": "B2"}),
    ("transport", {"unit": "scout", "passengers": ["peloton", "canon"], "to": "B2"}),
    ("enemy_move", {"unit": "pz4", "order": "advance"}),
    ("enemy_move", {"unit": "mg", "order": "cautious_advance"}),
    ("enemy_move", {"unit": "pz4", "order": "retreat"}),
    ("enemy_move", {"unit": "mg", "order": "retreat_to_cover"}),
    ("enemy_order", {"unit": "pz4", "roll": 6, "campaign": 2}),
    ("battalion", {"half": 4, "destroyed": 1}),
]
foes = st.sampled_from(["mg", "mortar", "gun", "truck", "rifle", "at", "halftrack", "bunker", "building"])
statuses = st.sampled_from(["suppressed", "exposed", "immobilized", "mg", "gun", "destroyed", "engine", "transported"])


@given(
    board=boards,
    places=st.fixed_dictionaries(dict.fromkeys(UNITS, cells)),
    hurt=st.dictionaries(st.sampled_from(UNITS), statuses, max_size=3),
    moved=st.sets(st.sampled_from(UNITS), max_size=3),
    stress=st.integers(0, 14),
    foe=foes,
    question=st.sampled_from(QUESTIONS),
    without=st.sets(st.sampled_from(sorted(GAME.omittable)), max_size=2),
)
@example({}, dict.fromkeys(UNITS, "B4"), {}, {"mg"}, 0, "mortar", ("enemy_odds", {"unit": "mg"}), set())
@example({}, dict.fromkeys(UNITS, "B4"), {}, {"mg"}, 0, "bunker", ("enemy_odds", {"unit": "mg"}), set())
@settings(max_examples=150, deadline=None)
def test_any_position_gets_an_answer_with_sentences_and_rules(
    board, places, hurt, moved, stress, foe, question, without
):
    changes = {f"piece.{u}.at": c for u, c in places.items()} | {f"piece.{u}.status.{s}": True for u, s in hurt.items()}
    changes |= {f"piece.{u}.activated": "move" for u in moved} | {"piece.chef-char.front.stress": stress}
    changes["piece.mg.kind"] = foe
    position = with_terrain(BASE, board).change(changes)
    before = position.dump()
    name, arguments = question
    result = RULES[name](position, without=without, **arguments)
    assert (result.outcome == "refused") == bool(result.refusals)
    for step in result.trace.walk():
        assert step.rule in GAME.sections, step
        assert GAME.sentence(step, position)
    quiet = RULES[name](position, without=without, trace=False, **arguments)
    assert (quiet.value, quiet.outcome) == (result.value, result.outcome)
    assert position.dump() == before


PZ3 = GAME.position("tour-1-pz3")
ORDERS = GAME.position("ordres")
#: Rule left out -> a question whose answer it changes.
CHANGED = {
    "3.14.8": (BASE, "attack", {"unit": "char", "target": "pz4"}),
    "3.16.7": (BASE.change({"piece.chef-char.front.stress": 9}), "attack", {"unit": "char", "target": "pz4"}),
    "3.16.9": (BASE, "attack", {"unit": "char", "target": "pz4"}),
    "3.16.10.7": (BASE, "attack", {"unit": "scout", "target": "pz4"}),
    "3.16.10.10": (BASE, "attack", {"unit": "peloton", "target": "pz4"}),
    "3.16.5": (GAME.position("degats"), "stress_after", {"unit": "peloton"}),
    "5.4": (BASE, "attack", {"unit": "char", "target": "pz4"}),
    "5.4.4": (BASE, "attack", {"unit": "char", "target": "mg"}),
    "5.4.5": (GAME.position("plateau"), "reach", {"unit": "sherman"}),
    "5.13.5": (ORDERS, "enemy_attack", {"unit": "fusilier", "target": "scout"}),
    "5.14": (GAME.position("tour-1"), "attack", {"unit": "u931", "target": "pz4"}),
    "6.5": (BASE, "attack", {"unit": "peloton", "target": "pz4"}),
    "6.6": (PZ3, "los", {"start": "B2", "end": "B5"}),
    "6.7.1": (BASE, "attack", {"unit": "peloton", "target": "pz4"}),
    "6.7.2": (BASE.change({"piece.char.activated": "move"}), "attack", {"unit": "char", "target": "pz4"}),
    "6.7.3": (BASE, "attack_odds", {"unit": "char", "target": "pz4"}),
    "6.10": (GAME.position("avance"), "enemy_move", {"unit": "camion", "order": "advance"}),
    "6.10.10": (ORDERS, "enemy_order", {"unit": "char", "roll": 10, "half": True}),
    "6.11": (ORDERS, "enemy_move", {"unit": "fusilier", "order": "advance_he"}),
    "6.12": (ORDERS.change({"piece.peloton": None}), "enemy_move", {"unit": "char", "order": "advance"}),
    "6.14": (PZ3, "targets", {"unit": "pz3"}),
    "6.15": (PZ3, "enemy_attack", {"unit": "pz3"}),
    "6.16.7": (BASE.change({"piece.char.status.exposed": True}), "enemy_attack", {"unit": "pz4", "target": "char"}),
    "6.16.10": (GAME.position("degats"), "damage", {"unit": "sherman", "chits": ["hull"]}),
    "6.17.4": (GAME.position("tour-1"), "damage", {"unit": "u921", "chits": ["casualties"]}),
    "6.17.5": (PZ3.change({"piece.u921.status.exposed": True}), "enemy_attack", {"unit": "pz3"}),
    "6.17.7": (GAME.position("tour-1"), "attack", {"unit": "u921", "target": "rifle-1"}),
    "7.5": (GAME.position("degats"), "stress_after", {"unit": "peloton"}),
    "10.3": (BASE.change({"setting.flank": "on"}), "attack", {"unit": "char", "target": "pz4"}),
    "6.18": (
        BASE.change({"piece.chef-char.status.killed": True}),
        "damage_odds",
        {"unit": "char", "cup": {"stress": 1, "hull": 1}, "count": 1},
    ),
}


@pytest.mark.parametrize("rule", sorted(GAME.omittable))
def test_every_omission_changes_an_answer(rule):
    position, name, arguments = CHANGED[rule]
    full, less = RULES[name](position, **arguments), RULES[name](position, without={rule}, **arguments)
    assert rule in full.consulted
    assert (full.value, full.outcome, full.missing, len(full.refusals)) != (
        less.value,
        less.outcome,
        less.missing,
        len(less.refusals),
    )
