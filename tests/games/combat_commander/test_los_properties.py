"""Combat Commander's line of sight against an independent oracle, and what must hold of any position.

``LDV_LOS_MAPS=2000`` compares that many random maps instead of the suite's share.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import settings as budget
from hypothesis import strategies as st

from tests.games.combat_commander.oracle.los import Oracle, Verdict
from tests.games.combat_commander.oracle.perft import RESULTS, map_files, summary
from tests.games.combat_commander.oracle.positions import random_position
from tutor import ask, load_position
from tutor.core.errors import OmissionError, RequestError, UnknownHex
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.yamlio import read_yaml
from tutor.games.combat_commander.los import LOS_RULES, Visibility, sight_lines

GAME = game("combat_commander")
MAPS = int(os.environ.get("LDV_LOS_MAPS", "56"))
BATCH = 8
STARTS, ENDS = 3, 12
RELIEF = {"T88.3.2", "T88.3.3"}
SEEDS = st.integers(0, 10**6)


def los(position: Position, start: str, end: str, **options: object) -> Visibility:
    """The engine's line of sight."""
    value = ask(position, "los", start=start, end=end, **options).value
    assert isinstance(value, Visibility)
    return value


def place(name: str) -> frozenset[str]:
    """A hex or a side, whatever the order of its two hexes."""
    return frozenset(name.split("/"))


def differences(position: Position, start: str, end: str, expected: Verdict) -> list[str]:
    """Where the engine and the oracle disagree on one pair."""
    seen = los(position, start, end)
    pair = f"{position.id} {start}-{end}"
    strays = []
    if (seen.visible, seen.hindrance) != (expected.visible, expected.hindrance):
        strays.append(f"{pair}: {seen} / {expected}")
    if not expected.visible:
        if seen.rule not in {rule for rule, _ in expected.why}:
            strays.append(f"{pair}: decided by {seen.rule} / {expected.why}")
        met = {place(where) for rule, where in expected.why if rule not in RELIEF}
        if not met <= {place(where) for where in seen.blocking}:
            strays.append(f"{pair}: blocked at {seen.blocking} / {expected.why}")
    hindered = {(kind, place(where), value) for kind, where, value in seen.hindrances}
    wanted = {(what.split()[0], place(what.split()[1]), value) for value, what in expected.hindrances}
    if hindered != wanted:
        strays.append(f"{pair}: hindered by {seen.hindrances} / {expected.hindrances}")
    return strays


@pytest.mark.parametrize("batch", range((MAPS + BATCH - 1) // BATCH))
def test_the_engine_agrees_with_the_oracle(batch: int) -> None:
    pairs, strays = 0, list[str]()
    for seed in range(batch * BATCH, min(MAPS, (batch + 1) * BATCH)):
        position = random_position(seed)
        assert GAME.problems(position) == []
        oracle, rng = Oracle(position), Random(seed)
        for start in rng.sample(oracle.cells, STARTS):
            fast = {cell: (visible, hindrance) for cell, visible, hindrance in sight_lines(position, start)}
            for end in rng.sample([cell for cell in oracle.cells if cell != start], ENDS):
                pairs += 1
                expected = oracle.los(start, end)
                strays += differences(position, start, end, expected)
                if fast[end] != (expected.visible, expected.hindrance):
                    strays.append(f"{position.id} {start}-{end}: at once {fast[end]} / {expected}")
    assert pairs >= STARTS * ENDS
    assert strays == []


@pytest.mark.parametrize("path", map_files(), ids=lambda path: path.stem)
def test_every_line_of_a_fixed_map(path: Path) -> None:
    """All pairs of a 15 by 10 map: the counts and the digest are the oracle's."""
    position = Position.load(path)
    assert GAME.problems(position) == []
    cells = position.grid.cells
    order = {cell: i for i, cell in enumerate(cells)}
    lines = {(a, b): (visible, hindrance) for a in cells for b, visible, hindrance in sight_lines(position, a)}
    assert all(lines[a, b] == lines[b, a] for a, b in lines)
    assert (
        summary((a, b, *seen) for (a, b), seen in lines.items() if order[a] < order[b]) == read_yaml(RESULTS)[path.stem]
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[Position, str, str]:
    """A possible position and two different hexes of it."""
    position = random_position(draw(SEEDS), columns=6, rows=6)
    start = draw(st.sampled_from(position.grid.cells))
    end = draw(st.sampled_from([cell for cell in position.grid.cells if cell != start]))
    return position, start, end


@given(situations())
def test_sight_is_mutual(situation: tuple[Position, str, str]) -> None:
    position, start, end = situation
    there, back = los(position, start, end), los(position, end, start)
    assert (there.visible, there.hindrance, there.rule) == (back.visible, back.hindrance, back.rule)
    assert set(there.blocking) == set(back.blocking)
    assert set(there.hindrances) == set(back.hindrances)
    assert set(there.crossed) == set(back.crossed)


@given(situations())
def test_neighbours_see_each_other(situation: tuple[Position, str, str]) -> None:
    position, start, _ = situation
    assert all(los(position, start, other).visible for other in position.grid.neighbours(start))


@given(situations(), st.sampled_from(("woods", "building", "blaze", "wall", "hedge")), st.data())
def test_adding_an_obstacle_never_shows_more(
    situation: tuple[Position, str, str], obstacle: str, data: st.DataObject
) -> None:
    position, start, end = situation
    grid = position.grid
    if obstacle in ("wall", "hedge"):
        cell = data.draw(st.sampled_from(grid.cells))
        change = {f"side.{grid.side(cell, data.draw(st.sampled_from((2, 3))))}": obstacle}
    else:
        free = [cell for cell in grid.cells if cell not in (start, end) and cell not in position.terrain_of]
        assume(free)
        cell = data.draw(st.sampled_from(free))
        change = {f"marker.blaze.{cell}": True} if obstacle == "blaze" else {f"terrain.{cell}": obstacle}
    assert los(position.change(change), start, end).visible <= los(position, start, end).visible


@given(situations(), st.integers(1, 10), st.data())
def test_adding_smoke_never_hinders_less(situation: tuple[Position, str, str], value: int, data: st.DataObject) -> None:
    position, start, end = situation
    cell = data.draw(st.sampled_from([c for c in position.grid.cells if position.marker("smoke", c) is None]))
    before, after = los(position, start, end), los(position.change({f"marker.smoke.{cell}": value}), start, end)
    assert after.visible == before.visible
    assert after.hindrance in (before.hindrance, max(before.hindrance, value))


@given(situations())
def test_no_hindrance_above_the_strongest_on_the_map(situation: tuple[Position, str, str]) -> None:
    position, start, end = situation
    terrain = GAME.tables["terrain"]
    values = [int(value) for value in position.markers.get("smoke", {}).values() if value is not None]
    values += [terrain.get(kind, "hindrance", 0) or 0 for kind in position.terrain_of.values()]
    values += [1] if "rail" in position.ways or "fence" in position.sides else []
    seen = los(position, start, end)
    assert 0 <= seen.hindrance <= max(values, default=0)
    assert seen.visible or seen.hindrance == 0


@given(situations())
def test_hindrances_added_up_are_never_less(situation: tuple[Position, str, str]) -> None:
    position, start, end = situation
    seen, added = los(position, start, end), los(position, start, end, without={"10.3.3"})
    assert added.visible == seen.visible
    assert added.hindrance >= seen.hindrance
    assert added.hindrance == sum(value for *_, value in seen.hindrances)


@given(situations(), st.sets(st.sampled_from(LOS_RULES), max_size=3))
def test_every_step_has_a_rule_and_a_sentence(situation: tuple[Position, str, str], without: set[str]) -> None:
    position, start, end = situation
    before = position.dump()
    result = ask(position, "los", start=start, end=end, without=without)
    assert result.outcome == "computed"
    assert position.dump() == before
    for step in result.trace.walk():
        assert step.rule in GAME.sections
        sentence = GAME.sentence(step, position)
        assert sentence.strip()
        assert "{" not in sentence
    untold = ask(position, "los", start=start, end=end, without=without, trace=False)
    assert (untold.value.visible, untold.value.hindrance) == (result.value.visible, result.value.hindrance)
    assert list(untold.trace.walk()) == [untold.trace]


@given(situations(), st.sampled_from(LOS_RULES))
def test_the_fast_path_leaves_out_the_same_rules(situation: tuple[Position, str, str], rule: str) -> None:
    position, start, end = situation
    fast = {cell: (visible, hindrance) for cell, visible, hindrance in sight_lines(position, start, {rule})}
    seen = los(position, start, end, without={rule})
    assert fast[end] == (seen.visible, seen.hindrance)


@pytest.mark.parametrize(("start", "end"), [("J9", "J9"), ("J9", "Z99"), ("", "J9"), ("A1", "J9")])
def test_a_line_without_two_hexes_is_refused_in_french(start: str, end: str) -> None:
    position = load_position("combat_commander", "livret-ldv")
    before = position.dump()
    with pytest.raises((RequestError, UnknownHex)) as refused:
        ask(position, "los", start=start, end=end)
    assert refused.value.remedy
    assert position.dump() == before


def test_a_rule_that_cannot_be_left_out_is_named() -> None:
    with pytest.raises(OmissionError, match=r"2\.1"):
        ask(load_position("combat_commander", "livret-ldv"), "los", start="J9", end="K6", without={"2.1"})


@given(situations())
@budget(max_examples=20)
def test_a_linked_position_is_seen_alike(situation: tuple[Position, str, str]) -> None:
    position, start, end = situation
    link = position.to_link()
    assume(len(link) <= 2000)
    assert los(Position.from_link(link), start, end) == los(position, start, end)


def test_a_value_is_the_same_with_and_without_its_trace():
    for seed in range(12):
        position = random_position(seed, columns=7, rows=6)
        cells = position.grid.cells
        for start, end in zip(cells[::3], cells[5::2], strict=False):
            if start != end:
                traced, bare = (
                    ask(position, "los", start=start, end=end, trace=trace).value for trace in (True, False)
                )
                assert traced == bare
