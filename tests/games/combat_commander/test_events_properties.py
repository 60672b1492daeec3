"""Whatever is drawn on a valid board, an event answers, and what it changes leaves a valid board."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

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
def test_two_rolls_match_a_count_of_all_ordered_draws(nation: str, row: str) -> None:
    from tutor.core.context import Context

    ctx = Context(CC, TOWN, trace=False)
    deck = [(bool(marked(ctx, nation, row, pair)), pair == (6, 6)) for pair in PAIRS for _ in range(2)]
    chance = Fraction(0)
    for card, (hit, time) in enumerate(deck):  # Time! first puts itself and all others back
        then = deck if time else deck[:card] + deck[card + 1 :]
        chance += 1 if hit else Fraction(sum(again for again, _ in then), len(then))
    assert getattr(ask(TOWN, "trigger_odds", nation=nation, rolls=2).value, row) == chance / len(deck)


@pytest.mark.parametrize(("nation", "row"), [("america", "jammed"), ("russia", "sniper"), ("germany", "event")])
def test_time_puts_every_card_back(nation: str, row: str) -> None:
    from tutor.core.context import Context

    ctx = Context(CC, TOWN, trace=False)
    deck = Counter(dict.fromkeys(PAIRS, 2))
    hits = {pair: marked(ctx, nation, row, pair) for pair in PAIRS}

    def never(rolls: int, pile: Counter[tuple[int, int]]) -> Fraction:
        """Card by card: nothing is taken from the formula of the rule."""
        if not rolls:
            return Fraction(1)
        left, chance = pile.total(), Fraction(0)
        for pair, cards in pile.items():
            if cards and not hits[pair]:
                after = deck if pair == (6, 6) else pile - Counter([pair])
                chance += Fraction(cards, left) * never(rolls - 1, after)
        return chance

    gone = [[6, 6], [1, 2], [2, 3], [2, 3]]
    for discards, start in (([], deck), (gone, deck - Counter(map(tuple, gone)))):
        odds = ask(TOWN, "trigger_odds", nation=nation, rolls=3, discards=discards).value
        assert getattr(odds, row) == 1 - never(3, start)


def test_a_second_roll_after_time_is_of_the_whole_deck() -> None:
    left = [(6, 6), (1, 1)]
    gone = [list(pair) for pair in PAIRS for _ in range(2 - (pair in left))]
    odds = ask(TOWN, "deck_odds", least=7, most=11, discards=gone).value
    assert odds.reached == 0
    # 6-6 first, then 7 to 11 among 36 pairs; 1-1 first leaves only a 6-6.
    assert odds.again == Fraction(1, 2) * Fraction(20, 36)


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
