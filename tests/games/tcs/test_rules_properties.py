"""Tactical Combat Series: what must hold on any position."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from tutor.core.position import Position
from tutor.core.trace import plain
from tutor.games.tcs import GAME
from tutor.games.tcs.dice import D66
from tutor.games.tcs.fire.crossfire import RAYS, rays_between

GAME.load()
METHODS = ("standard", "simplified", "map_reader")
SEEDS = st.integers(0, 10**6)


def random_board(seed: int, *, pieces: bool = False) -> Position:
    """A board of hills, basins, woods, villages, hedges and smoke; optionally with units of two sides."""
    rng = Random(seed)
    cells = [f"{c:02d}.{r:02d}" for c in range(1, 7) for r in range(1, 7)]
    levels: dict[int, list[str]] = {}
    markers: dict[str, dict[str, Any]] = {k: {} for k in ("between", "basin", "dome", "summit", "high", "smoke")}
    terrain: dict[str, list[str]] = {}
    for cell in cells:
        low = rng.choice([0, 20, 40, 60])
        if low:
            levels.setdefault(low, []).append(cell)
        kind = rng.choice(["between", "between", "basin", "dome", "flat"])
        if kind != "flat":
            markers[kind][cell] = rng.randint(0, 100)
        if rng.random() < 0.1:
            markers["summit"][cell] = low + rng.randint(1, 19)
        if rng.random() < 0.3:
            terrain.setdefault(rng.choice(["woods", "village", "building", "orchard"]), []).append(cell)
        if rng.random() < 0.05:
            markers["smoke"][cell] = rng.choice([1, 2])
    data: dict[str, Any] = {
        "schema": 1, "game": "tcs", "id": "hasard", "grid": {"kind": "hex-numbered", "columns": ["01", "06"], "rows": [1, 6]},
        "levels": levels, "terrain": terrain, "markers": {k: v for k, v in markers.items() if v},
        "sides": {"hedge": ["03.03/04.03", "02.04/03.04"]},
        "settings": {"elevation": rng.choice(METHODS), "charts": rng.choice(["livret", "fictif"])},
    }  # fmt: skip
    if pieces:
        kinds = list(GAME.tables["kinds"].rows)
        states = ["move", "fired", "suppressed", "paralyzed", "unassigned", "dug_in", "pfa"]
        data["pieces"] = [
            {
                "id": f"p{i}", "kind": rng.choice(kinds), "side": rng.choice("ab"), "at": rng.choice(cells[14:20]),
                "front": {"attack": rng.randint(0, 6), "range": rng.randint(1, 12), "morale": rng.randint(2, 6),
                          "defense": rng.randint(0, 5), "lost": rng.randint(0, 2)},
                "status": rng.sample(states, rng.choice([0, 0, 0, 1])),
            }
            for i in range(8)
        ]  # fmt: skip
        data["state"] = {"night": rng.random() < 0.3}
    return Position.from_data(data)


def check_sentences(position: Position, result: Any) -> None:
    """Every step of a trace has an indexed rule and a sentence."""
    for step in result.trace.walk():
        assert step.rule in GAME.sections, step
        assert GAME.sentence(step, position)
    plain(result.value)


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_sight_is_mutual_and_every_step_is_told(seed: int) -> None:
    position, rng = random_board(seed), Random(seed)
    assert GAME.problems(position) == []
    for _ in range(6):
        start, end = rng.sample(position.grid.cells, 2)
        there = GAME.rules["los"](position, start=start, end=end)
        back = GAME.rules["los"](position, start=end, end=start)
        assert (there.value.visible, there.value.rule) == (back.value.visible, back.value.rule)
        assert there.value.margin == back.value.margin
        assert set(there.value.crossed) == set(back.value.crossed)
        check_sentences(position, there)
        quiet = GAME.rules["los"](position, start=start, end=end, trace=False)
        assert quiet.value == there.value


def turned(text: str) -> str:
    """A text, every hex of it at the other end of the board: half a turn leaves six columns of six rows as they were."""
    return re.sub(r"\b(\d\d)\.(\d\d)\b", lambda m: f"{7 - int(m[1]):02d}.{7 - int(m[2]):02d}", text)


@given(SEEDS)
@settings(max_examples=12, deadline=None)
def test_half_a_turn_of_the_board_changes_no_result(seed: int) -> None:
    position, rng = random_board(seed, pieces=True), Random(seed)
    other = Position.parse(turned(position.dump()))
    for _ in range(4):
        start, end = rng.sample(position.grid.cells, 2)
        here = GAME.rules["los"](position, start=start, end=end, trace=False).value
        there = GAME.rules["los"](other, start=turned(start), end=turned(end), trace=False).value
        assert (here.visible, here.rule, here.margin) == (there.visible, there.rule, there.margin)
        assert {turned(c) for c in here.crossed} == set(there.crossed)
    sides = {s: [p for p in position.pieces if p.side == s] for s in "ab"}
    if not sides["a"] or not sides["b"]:
        return
    shot = {"firers": [p.id for p in sides["a"][:2]], "spotter": sides["a"][0].id, "observed": rng.choice([True, None])}
    target = str(sides["b"][0].at)
    fires = [GAME.rules["area_fire"](p, target=c, **shot) for p, c in ((position, target), (other, turned(target)))]
    assert fires[0].outcome == fires[1].outcome
    assert plain(fires[0].value) == plain(fires[1].value)
    assert [r.rule for r in fires[0].refusals] == [r.rule for r in fires[1].refusals]


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_the_hexes_a_line_meets_are_those_shapely_says(seed: int) -> None:
    position, rng = random_board(seed), Random(seed)
    grid = position.grid
    for _ in range(4):
        start, end = rng.sample(grid.cells, 2)
        line = LineString([grid.centre(start), grid.centre(end)])
        met = {c for c in grid.cells if c not in (start, end) and Polygon(grid.polygon(c)).intersects(line)}
        sight = GAME.rules["los"](position, start=start, end=end, trace=False).value
        assert set(sight.crossed) == (met if sight.distance > 1 else set())


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_what_adds_height_is_what_is_drawn_on_the_line(seed: int) -> None:
    position, rng = random_board(seed).change({"side.03.03/04.03": None, "side.02.04/03.04": None}), Random(seed)
    areas = [s for s in GAME.shapes(position) if s.layer == "area"]
    for _ in range(4):
        start, end = rng.sample(position.grid.cells, 2)
        line = LineString([position.grid.centre(start), position.grid.centre(end)])
        touched = {s.cells[0] for s in areas if Polygon(s.points).intersects(line)} - {start, end}
        seen = GAME.rules["los"](position, start=start, end=end, trace=False).value
        raised = {c.cell for c in seen.profile.points if c.height}
        assert raised == (touched if seen.distance > 1 else set())
        bare = position.change({f"terrain.{cell}": None for cell in touched})
        low = GAME.rules["los"](bare, start=start, end=end, trace=False).value.profile
        for with_terrain, without in zip(seen.profile.points, low.points, strict=True):
            assert with_terrain.altitude - with_terrain.height == without.altitude


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_profile_says_what_the_board_says(seed: int) -> None:
    position, rng = random_board(seed), Random(seed)
    for _ in range(4):
        start, end = rng.sample(position.grid.cells, 2)
        seen = GAME.rules["los"](position, start=start, end=end, trace=False).value
        points = [
            {"name": c.cell, "distance": c.distance, "base": c.base, "height": c.height} for c in seen.profile.points
        ]
        again = GAME.rules["profile"](
            position, start=seen.profile.start, end=seen.profile.end, distance=seen.distance, points=points
        )
        assert again.value.visible == seen.profile.visible
        assert [c.line for c in again.value.points] == [c.line for c in seen.profile.points]


@given(SEEDS, st.sampled_from(sorted(GAME.omittable)))
@settings(max_examples=40, deadline=None)
def test_leaving_a_rule_out_never_breaks_a_question(seed: int, rule: str) -> None:
    position, rng = random_board(seed, pieces=True), Random(seed)
    sides = {s: [p.id for p in position.pieces if p.side == s] for s in "ab"}
    start, end = rng.sample(position.grid.cells, 2)
    check_sentences(position, GAME.rules["los"](position, start=start, end=end, without={rule}))
    if not sides["a"] or not sides["b"]:
        return
    target = position.piece(sides["b"][0]).at
    before = position.dump()
    fire = GAME.rules["area_fire"](
        position, firers=sides["a"], target=target, spotter=sides["a"][0], observed=rng.choice([True, False, None]),
        roll=rng.choice(D66), without={rule},
    )  # fmt: skip
    check_sentences(position, fire)
    assert (fire.outcome == "refused") == bool(fire.refusals)
    check_sentences(
        position, GAME.rules["point_fire"](position, firers=sides["a"], targets=[sides["b"][0]], without={rule})
    )
    check_sentences(
        position, GAME.rules["morale"](position, cell=target, side="b", roll=rng.choice(D66), without={rule})
    )
    check_sentences(position, GAME.rules["overwatch"](
        position, reactors=sides["b"][:1], trigger=rng.choice(["move", "fire", "morale", "final"]), at=start, without={rule}
    ))  # fmt: skip
    assert position.dump() == before


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_odds_add_up_and_agree_with_every_roll(seed: int) -> None:
    position = random_board(seed, pieces=True).change({"setting.charts": "fictif"})
    rng = Random(seed)
    piece = rng.choice(position.pieces)
    odds = GAME.rules["morale_odds"](position, cell=piece.at, side=piece.side, trace=False)
    if odds.outcome == "unknown":
        return
    assert sum(odds.value.values()) == 1
    counted = dict.fromkeys(odds.value, Fraction(0))
    for roll in D66:
        check = GAME.rules["morale"](position, cell=piece.at, side=piece.side, roll=roll, trace=False).value
        counted[check.result if check else "none"] += Fraction(1, 36)
    assert counted == odds.value


def test_area_odds_agree_with_every_roll() -> None:
    position = GAME.position("livret-sfa").change({"setting.charts": "fictif"})
    firing = {"firers": ["platoon-a1", "mg-a1"], "target": "18.06"}
    odds = GAME.rules["area_odds"](position, **firing).value
    counted: dict[int, Fraction] = {}
    for roll in D66:
        lost = GAME.rules["area_fire"](position, roll=roll, trace=False, **firing).value.losses
        counted[lost] = counted.get(lost, Fraction(0)) + Fraction(1, 36)
    assert counted == odds
    assert sum(odds.values()) == 1


@pytest.mark.parametrize("i", range(12))
def test_rays_between_two_rays_are_counted_on_the_smaller_side(i: int) -> None:
    for k in range(12):
        between = min(k, 12 - k) + 1
        assert len(rays_between(RAYS[i], RAYS[(i + k) % 12])) == between


@given(st.integers(-40, 40), st.integers(-40, 40), st.integers(-40, 40), st.integers(-40, 40))
def test_rays_do_not_depend_on_the_order_of_the_firers(a: int, b: int, c: int, d: int) -> None:
    one, other = (60 * a, 20 * b), (60 * c, 20 * d)
    if one != (0, 0) and other != (0, 0):
        assert len(rays_between(one, other)) == len(rays_between(other, one)) <= 7
