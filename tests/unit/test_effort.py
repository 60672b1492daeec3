"""A question costs a second of computing at most, then it is a sentence. The clock is ours here: steps, not time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tutor.core.effort import EVERY, Effort, TooLarge, bounded, spend, uncounted
from tutor.core.errors import RequestError
from tutor.core.position import Position
from tutor.core.registry import ask, load_position


def ticking(seconds: float = 0.1) -> Effort:
    """An effort whose clock advances each time that it is looked at."""
    ticks: Iterator[int] = count()
    return Effort(1.0, lambda: next(ticks) * seconds)


def test_a_computation_ends_where_its_clock_says() -> None:
    with bounded(ticking()):
        for _ in range(11 * EVERY - 1):
            spend()
        with pytest.raises(TooLarge):
            spend()


def test_what_is_part_of_a_question_counts_with_it() -> None:
    with bounded(ticking()) as whole, bounded() as part:
        assert part is whole


def test_what_is_read_once_for_all_is_not_counted() -> None:
    now = [0.0]
    with bounded(Effort(1.0, lambda: now[0])) as effort:
        with uncounted():
            now[0] += 5.0
        now[0] += 0.9
        effort.check()
        now[0] += 0.2
        with pytest.raises(TooLarge):
            effort.check()


def test_a_rule_that_goes_on_all_the_same_is_stopped_at_every_step() -> None:
    effort = Effort(-1)
    with pytest.raises(TooLarge):
        effort.check()
    with pytest.raises(TooLarge):
        effort.step()


def test_nothing_is_bounded_outside_a_question() -> None:
    for _ in range(10 * EVERY):
        spend()


def crowded() -> tuple[Position, list[str]]:
    """A board that may be uploaded: as many pieces as it may have, all in one hex."""
    board = load_position("asl_sk", "defense")
    data = board.data()
    first = next(piece for piece in data["pieces"] if piece["id"] == "assaut")
    names = [f"x{number}" for number in range(200 - len(data["pieces"]))]
    data["pieces"] += [{**first, "id": name, "at": "D4", "side": "american"} for name in names]
    return Position.from_data(data), names


def test_a_question_on_a_board_made_to_be_expensive_ends_in_a_sentence() -> None:
    board, _ = crowded()
    with bounded(ticking()), pytest.raises(RequestError, match="trop de calculs"):
        ask(board, "walk", movers=["assaut"], path=["H4", "G5", "F4", "E4", "D3", "C3"])


@pytest.mark.parametrize("space", [-1_000_000, -1, 100, 1_000_000])
def test_odds_of_sudden_death_far_from_the_track_are_a_sentence(space: int) -> None:
    board = load_position("combat_commander", "objectifs")
    with pytest.raises(RequestError, match="piste de Temps"):
        ask(board, "sudden_death_odds", time=space)
    with pytest.raises(RequestError, match="piste de Temps"):
        ask(board.change({"state.time": space}), "sudden_death_odds")
