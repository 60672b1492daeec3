"""Undo and redo, the same everywhere: what is taken back can be had again until something else is done."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor import load_position
from tutor.core.errors import PositionError
from widgets.board.history import MOST, History, refuse_new_faults


@given(st.lists(st.one_of(st.integers(0, 3), st.just("undo"), st.just("redo"))))
def test_a_history_is_a_list_and_a_place_in_it(moves: list[int | str]) -> None:
    history, states, at = History(0), [0], 0
    for move in moves:
        if move == "undo":
            assert history.undo() is (at > 0)
            at = max(0, at - 1)
        elif move == "redo":
            assert history.redo() is (at < len(states) - 1)
            at = min(len(states) - 1, at + 1)
        elif history.take(int(move)):
            states, at = [*states[: at + 1], int(move)], at + 1
        assert history.now == states[at]
        assert (history.can_undo, history.can_redo) == (at > 0, at < len(states) - 1)


def test_a_history_forgets_what_is_too_old() -> None:
    history = History(0)
    for state in range(1, MOST + 50):
        history.take(state)
    while history.undo():
        pass
    assert history.now == 49


def test_old_faults_stay_and_new_ones_are_refused() -> None:
    whole = load_position("combat_commander", "livret-ldv")
    stranger = {f"piece.{whole.pieces[0].id}.at": "Z9"}
    with pytest.raises(PositionError, match="La position n’a pas changé"):
        refuse_new_faults(whole, whole.change(stranger))
    refuse_new_faults(whole.change(stranger), whole.change({**stranger, "terrain.L8": None}))


def test_dice_rolled_in_another_order_are_another_state() -> None:
    history: History[tuple[str, dict[str, dict[str, int]]]] = History(("board", {"rolls": {"chief": 4, "squad": 5}}))
    assert not history.take(("board", {"rolls": {"chief": 4, "squad": 5}}))
    assert history.take(("board", {"rolls": {"squad": 5, "chief": 4}}))
    assert list(history.now[1]["rolls"]) == ["squad", "chief"]
