"""Whatever is drawn on a valid board, an event answers, and what it changes leaves a valid board."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.core.dice import PAIRS
from tutor.core.position import Position
from tutor.core.registry import ask, game, load_position
from tutor.games.combat_commander.triggers import TRIGGERS, marked

CC = game("combat_commander")
TOWN = load_position("combat_commander", "objectifs")
EVENTS = [row.removeprefix("event_") for row in CC.tables["events"].rows]
CELLS = TOWN.grid.cells
pairs = st.lists(st.sampled_from(PAIRS), max_size=30).map(
    lambda drawn: [list(pair) for i, pair in enumerate(drawn) if drawn[:i].count(pair) < 2]
)


@given(
    name=st.sampled_from(EVENTS),
    side=st.sampled_from(["axis", "allies"]),
    cell=st.sampled_from(CELLS),
    wind=st.integers(1, 6),
    smoke=st.integers(1, 10),
    broken=st.sets(st.sampled_from(["fusiliers", "schmidt", "equipe", "ligne", "garnison"])),
    terrain=st.dictionaries(
        st.sampled_from(["A1", "C3", "E4", "F4"]), st.sampled_from(["stream", "woods", "water_barrier"])
    ),
    blaze=st.sets(st.sampled_from(["A2", "C1", "E5"])),
)
@settings(max_examples=250, deadline=None)
def test_an_event_answers_and_its_changes_leave_a_valid_board(
    name: str, side: str, cell: str, wind: int, smoke: int, broken: set[str], terrain: dict[str, str], blaze: set[str]
) -> None:
    before = TOWN.change(
        {f"piece.{one}.status.broken": True for one in broken}
        | {f"terrain.{c}": kind for c, kind in terrain.items()}
        | {f"marker.blaze.{c}": True for c in blaze}
    )
    kept = before.dump()
    result = ask(before, "event", name=name, side=side, cell=cell, wind=wind, smoke=smoke, roll=[3, 4])
    assert result.computed
    assert before.dump() == kept
    for step in result.trace.walk():
        if step.code != "root":
            assert "?" not in CC.sentence(step, before)
    after = before.change(result.value.changes)
    burnt = {c for c in after.markers.get("blaze", {}) if c not in blaze}
    flee = [p for p in CC.problems(after) if not any(f"Incendie en {c}" in p for c in burnt)]
    assert flee == []
    for option in result.value.options[:2]:
        chosen = ask(
            before, "event", name=name, side=side, cell=cell, wind=wind, smoke=smoke, roll=[3, 4], choose=option
        )
        if name != "walking_wounded":  # one unit lost: it is chosen, its hex comes next
            assert chosen.computed


@given(nation=st.sampled_from(["germany", "america", "russia"]), gone=pairs, rolls=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_trigger_odds_add_up_for_one_roll_and_grow_with_more(nation: str, gone: list[list[int]], rolls: int) -> None:
    def odds(n: int) -> list[Fraction]:
        chances = ask(TOWN, "trigger_odds", nation=nation, rolls=n, discards=gone).value
        return [chances.event, chances.jammed, chances.sniper, chances.time, chances.plain]

    one, more = odds(1), odds(rolls)
    assert sum(one) == 1
    assert all(a <= b for a, b in zip(one[:4], more[:4], strict=True))
    assert more[4] <= one[4]


@pytest.mark.parametrize(("nation", "row"), [(n, t) for n in ("america", "russia") for t in TRIGGERS])
def test_two_rolls_without_replacement_match_a_count_of_all_ordered_draws(nation: str, row: str) -> None:
    from tutor.core.context import Context

    ctx = Context(CC, TOWN, trace=False)
    deck = [bool(marked(ctx, nation, row, pair)) for pair in PAIRS for _ in range(2)]
    good = sum(a or b for a, b in permutations(deck, 2))
    chance = getattr(ask(TOWN, "trigger_odds", nation=nation, rolls=2).value, row)
    assert chance == Fraction(good, 2 * comb(72, 2))


@given(gone=pairs, least=st.integers(2, 12))
@settings(max_examples=60, deadline=None)
def test_the_next_roll_adds_up_and_a_second_try_never_hurts(gone: list[list[int]], least: int) -> None:
    odds = ask(TOWN, "deck_odds", least=least, discards=gone).value
    assert sum(odds.totals.values()) == 1
    assert odds.reached + odds.missed == 1
    assert odds.again >= odds.reached


@given(time=st.integers(1, 13), limit=st.integers(3, 10))
def test_the_end_comes_nearer_with_every_space(time: int, limit: int) -> None:
    position: Position = TOWN.change({"state.sudden_death": limit})
    odds = ask(position, "sudden_death_odds", time=time).value
    shares = list(odds.by_then.values())
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert odds.ends + odds.goes_on == 1


def test_what_an_event_gives_goes_on_the_track_with_its_changes() -> None:
    board = load_position("combat_commander", "evenements")
    given = {"name": "kia", "side": "allies", "choose": "milice"}
    after = board.change(CC.aftermath(board, "event", given, ask(board, "event", **given).value))
    assert after.state["victory"] == 4  # 2, and the militia's 2 for the Axis, though the Allies drew it
    assert "eliminated" in after.piece("milice").status
    assert after.hex_of("milice") is None
