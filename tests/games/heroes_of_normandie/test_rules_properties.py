"""Heroes of Normandie: the line against an independent walk, reciprocity, blasts, odds, omissions, random positions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.core.position import Position
from tutor.games.heroes_of_normandie import GAME
from tutor.games.heroes_of_normandie.board import straight

RULES = GAME.load().rules
EMPTY = Position.parse(
    "schema: 1\ngame: heroes_of_normandie\nid: vide\ngrid: {kind: square, columns: [A, F], rows: [1, 6]}\n"
)
GRID = EMPTY.grid
CELLS = GRID.cells
SIDES = sorted({GRID.side(c, d) for c in CELLS for d in range(1, 5) if GRID.neighbour(c, d) in GRID})
cells = st.sampled_from(CELLS)
kinds = st.sampled_from(sorted(GAME.tables["terrain"].rows))
terrains = st.dictionaries(cells, kinds, max_size=8)
edges = st.dictionaries(st.sampled_from(SIDES), st.sampled_from(sorted(GAME.tables["sides"].rows)), max_size=8)
heights = st.dictionaries(cells, st.integers(1, 2), max_size=4)


def build(base: Position, terrain=None, sides=None, dominant=None) -> Position:
    changes = {f"terrain.{c}": k for c, k in (terrain or {}).items()}
    changes |= {f"side.{s}": k for s, k in (sides or {}).items()}
    return base.change(changes | {f"marker.dominant.{c}": n for c, n in (dominant or {}).items()})


@given(start=cells, end=cells)
@settings(max_examples=60, deadline=None)
def test_squares_crossed_agree_with_a_fine_walk_along_the_line(start, end):
    p, q = GRID.centre(start), GRID.centre(end)
    steps = 840
    walked = []
    for i in range(1, 2 * steps, 2):
        x = p[0] + Fraction(i * (q[0] - p[0]), 2 * steps)
        y = p[1] + Fraction(i * (q[1] - p[1]), 2 * steps)
        if (x - 20) % 40 and (y - 20) % 40:
            name = GRID.name(round(x / 40), round(y / 40))
            if name not in (start, end) and name not in walked:
                walked.append(name)
    assert list(straight(EMPTY, start, end, True).cells) == walked


@given(start=cells, end=cells, sides=edges, corner=st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_line_meets_the_same_from_both_ends(start, end, sides, corner):
    position = build(EMPTY, sides=sides)
    there, back = straight(position, start, end, corner), straight(position, end, start, corner)
    assert set(there.cells) == set(back.cells)
    assert set(there.sides) == set(back.sides)
    assert set(straight(position, start, end, False).sides) <= set(straight(position, start, end, True).sides)


@given(start=cells, end=cells, terrain=terrains, dominant=heights)
@settings(max_examples=80, deadline=None)
def test_without_lines_sight_is_reciprocal(start, end, terrain, dominant):
    position = build(EMPTY, terrain=terrain, dominant=dominant)
    there = RULES["los"](position, start=start, end=end)
    back = RULES["los"](position, start=end, end=start)
    assert bool(there.refusals) == bool(back.refusals)
    if there.value and back.value:
        assert (there.value.state, there.value.hidden) == (back.value.state, back.value.hidden)
        assert set(there.value.effects) == set(back.value.effects)


@given(top=cells, foot=cells, terrain=terrains)
@settings(max_examples=80, deadline=None)
def test_from_a_height_never_more_than_from_the_ground(top, foot, terrain):
    ground = build(EMPTY, terrain=terrain)
    high = build(ground, dominant={top: 1})
    below = RULES["los"](ground, start=top, end=foot).value
    above = RULES["los"](high, start=top, end=foot).value
    assert set(above.effects) <= set(below.effects)
    if above.effects and not above.hidden:
        pytest.fail("an obstacle acts from a height without hiding the square just behind it")


@given(vertex=cells, sides=edges, terrain=terrains, data=st.data())
@settings(max_examples=80, deadline=None)
def test_a_blast_is_symmetrical_and_stays_within_four_squares(vertex, sides, terrain, data):
    position = build(EMPTY, terrain={c: "ruin" if k == "building" else k for c, k in terrain.items()}, sides=sides)
    blast = RULES["blast"](position, vertex=vertex)
    if blast.outcome == "refused":
        assert vertex[0] == "F" or vertex[1] == "6"
        return
    assert vertex in blast.value
    assert len(blast.value) <= 4
    other = data.draw(st.sampled_from(blast.value))
    assert RULES["blast"](position, vertex=vertex, cell=other).value == blast.value


@given(unit=cells, sides=edges)
@settings(max_examples=60, deadline=None)
def test_zones_of_control_are_mutual(unit, sides):
    position = build(EMPTY, sides=sides)
    data = position.data()
    data["pieces"] = [{"id": "a", "kind": "infantry", "side": "allies", "at": unit}]
    zone = RULES["control"](Position.from_data(data), unit="a").value
    assert set(zone) <= set(GRID.neighbours(unit))
    for cell in zone:
        data["pieces"] = [{"id": "a", "kind": "infantry", "side": "allies", "at": cell}]
        assert unit in RULES["control"](Position.from_data(data), unit="a").value


@given(dice=st.integers(1, 6), demolisher=st.booleans(), bunker=st.booleans())
@settings(max_examples=24, deadline=None)
def test_destruction_odds_agree_with_another_library(dice, demolisher, bunker):
    odds = RULES["destruction_odds"](
        GAME.position("batterie"), dice=dice, demolisher=demolisher, bunker=bunker, structure=2
    ).value
    need = (5 if bunker else 4) - (2 if demolisher else 0)
    markers = dice @ icepool.d6.map(lambda die: int(die >= need))
    assert odds.markers == {k: markers.probability("==", k) for k in range(dice + 1)}
    assert sum(odds.markers.values()) == 1
    assert odds.destroyed == (None if bunker else markers.probability(">=", 2))


def test_speed_penalty_is_the_distance_between_two_orders():
    position = GAME.position("aviation")
    for own, other in product(range(8), repeat=2):
        changed = position.change({"piece.mg.front.order": own, "piece.spitfire.front.order": other})
        assert RULES["speed"](changed, unit="mg", plane="spitfire").value == abs(own - other)


BASES = {name: GAME.position(name) for name in GAME.positions()}
QUESTIONS = [
    ("dominante", "los", {"start": "B2", "end": "F2"}),
    ("dominante", "los", {"start": "H2", "end": "A5", "template": True}),
    ("dominante", "fire", {"unit": "mg", "target": "escouade"}),
    ("dominante", "smoke", {"start": "A1", "end": "F6"}),
    ("batiment", "control", {"unit": "section"}),
    ("batiment", "room_bonus", {"unit": "voisin", "target": "garde"}),
    ("batiment", "grenade", {"unit": "garde", "cell": "C3"}),
    ("batiment", "blast", {"vertex": "C4", "cell": "D5"}),
    ("batiment", "blast", {"vertex": "C4", "cell": "C4", "thrown": True}),
    ("batiment", "path", {"unit": "guetteur", "cells": ["D4", "D5", "E5"]}),
    ("batiment", "demolisher", {"unit": "voisin", "helper": "section"}),
    ("demi-cases", "path", {"unit": "section", "cells": ["C3", "D3", "D4", "E4"], "into": True}),
    ("demi-cases", "control", {"unit": "decale"}),
    ("breche", "breach", {"unit": "canon", "cell": "D3"}),
    ("breche", "breach", {"unit": "char", "cell": "E2", "template": True}),
    ("cheminee", "floors", {"unit": "guetteur", "target": "loin", "grenade": True}),
    ("cheminee", "floors", {"unit": "loin"}),
    ("batterie", "battery", {"spotter": "observateur", "weapons": ["canon-1", "canon-5"], "turn": 3}),
    ("batterie", "rally", {"officer": "sergent", "unit": "canon-2"}),
    ("batterie", "suppression", {"unit": "veterans"}),
    ("aviation", "aim_at_plane", {"unit": "dca", "plane": "secret"}),
    ("aviation", "plane_fire", {"plane": "spitfire", "target": "panther"}),
]
small = [c for c in CELLS if c[0] in "ABCDEF" and c[1] in "1234"]
statuses = st.sampled_from(
    ["suppressed", "large", "shifted", "limited_arc", "template", "special", "revealed", "bluff"]
)


@given(
    question=st.sampled_from(QUESTIONS),
    terrain=st.dictionaries(st.sampled_from(small), kinds, max_size=5),
    sides=st.dictionaries(
        st.sampled_from([s for s in SIDES if all(c in small for c in s.split("/"))]),
        st.sampled_from(sorted(GAME.tables["sides"].rows)),
        max_size=5,
    ),
    dominant=st.dictionaries(st.sampled_from(small), st.integers(1, 2), max_size=3),
    smoke=st.dictionaries(st.sampled_from(small), st.sampled_from([4, "weak"]), max_size=2),
    places=st.lists(st.sampled_from(small), min_size=10, max_size=10),
    hurt=st.lists(statuses, max_size=3),
    chosen=st.fixed_dictionaries({name: st.sampled_from(sorted(s.options)) for name, s in GAME.settings.items()}),
    without=st.sets(st.sampled_from(sorted(GAME.omittable)), max_size=2),
)
@settings(max_examples=150, deadline=None)
def test_any_position_gets_an_answer_with_sentences_and_rules(
    question, terrain, sides, dominant, smoke, places, hurt, chosen, without
):
    base, name, arguments = question
    position = build(BASES[base], terrain, sides, dominant)
    changes = {f"marker.smoke.{c}": v for c, v in smoke.items()} | {f"setting.{n}": v for n, v in chosen.items()}
    on_board = [p.id for p in position.pieces if p.kind != "plane"]
    changes |= {f"piece.{u}.at": c for u, c in zip(on_board, places, strict=False)}
    changes |= {f"piece.{p.id}.status.{s}": True for p, s in zip(position.pieces, hurt, strict=False)}
    position = position.change(changes)
    before = position.dump()
    result = RULES[name](position, without=without, **arguments)
    assert (result.outcome == "refused") == bool(result.refusals) or result.outcome == "unknown"
    for step in result.trace.walk():
        assert step.rule in GAME.sections, step
        assert GAME.sentence(step, position)
    quiet = RULES[name](position, without=without, trace=False, **arguments)
    assert (quiet.value, quiet.outcome) == (result.value, result.outcome)
    assert position.dump() == before


D, B, H, T, A = (BASES[n] for n in ("dominante", "batiment", "demi-cases", "batterie", "aviation"))
#: Rule left out -> a question whose answer it changes.
CHANGED = {
    "1.1.1": (D, "los", {"start": "C4", "end": "F4"}),
    "1.1.2": (D, "los", {"start": "B4", "end": "F4"}),
    "1.1.3": (D, "los", {"start": "B2", "end": "G2"}),
    "1.1.4": (D, "los", {"start": "G2", "end": "B2"}),
    "1.1.5": (D, "los", {"start": "B2", "end": "H2"}),
    "1.1.6": (D, "los", {"start": "B2", "end": "H1"}),
    "1.2": (H, "path", {"unit": "jeep", "cells": ["F4", "E4"]}),
    "1.3.2": (B, "control", {"unit": "garde"}),
    "1.3.3": (B, "room_bonus", {"unit": "eclaireur", "target": "garde"}),
    "1.3.4": (B, "blast", {"vertex": "D4", "cell": "D5"}),
    "1.3.5": (B, "grenade", {"unit": "garde", "cell": "G4"}),
    "1.3.7": (BASES["cheminee"], "floors", {"unit": "guetteur", "target": "proche", "grenade": True}),
    "1.3.7.2": (BASES["cheminee"], "floors", {"unit": "loin"}),
    "1.3.9": (B, "blast", {"vertex": "C3", "cell": "C3"}),
    "1.4.1": (H, "path", {"unit": "section", "cells": ["C3", "D3"]}),
    "2.2.1": (B, "path", {"unit": "guetteur", "cells": ["D4", "C4"]}),
    "2.3.1.2": (H.change({"piece.section.at": "D4"}), "path", {"unit": "section", "cells": ["E4", "E3"]}),
    "2.3.2": (T, "destruction_odds", {"dice": 1, "demolisher": True}),
    "2.4.1": (T, "suppression", {"unit": "veterans"}),
    "2.5.2": (T, "rally", {"officer": "sergent", "unit": "canon-4"}),
    "2.5.3": (T, "battery", {"spotter": "observateur", "weapons": ["canon-1", "canon-3"], "turn": 1}),
    "5.2": (A, "aim_at_plane", {"unit": "dca", "plane": "typhoon"}),
    "5.5": (A, "aim_at_plane", {"unit": "fusiliers", "plane": "spitfire"}),
    "5.6": (A, "aim_at_plane", {"unit": "dca", "plane": "spitfire"}),
    "5.7": (A, "speed", {"unit": "mg", "plane": "spitfire"}),
    "5.8": (A, "speed", {"unit": "mg", "plane": "spitfire", "opportunity": True}),
}


@pytest.mark.parametrize("rule", sorted(GAME.omittable))
def test_every_omission_changes_an_answer(rule):
    position, name, arguments = CHANGED[rule]
    full, less = RULES[name](position, **arguments), RULES[name](position, without={rule}, **arguments)
    assert rule in full.consulted
    assert (full.value, full.outcome, len(full.refusals)) != (less.value, less.outcome, len(less.refusals))


@pytest.mark.parametrize(("usage", "state"), [("unknown", "affected"), ("usage", "blocked")])
def test_what_stands_on_a_line_is_said_by_the_rule_of_obstacles(usage, state):
    line = build(EMPTY, terrain={"C3": "building"}).change({"setting.obstacles": usage})
    *_, last = RULES["los"](line, start="A3", end="F3").trace.walk()
    assert (last.code, last.rule) == (f"los.{state}", "1.1.2")
