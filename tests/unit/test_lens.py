"""The lens over a stack: every counter whole, always on the board, opened by a click or a resting pointer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.screen import send
from tutor import game, load_position
from tutor.core.registry import GAMES
from widgets.board.board import Board
from widgets.board.canvas import SCALE
from widgets.board.counters.lens import lens
from widgets.board.events import HexClicked
from widgets.board.paint.shapes import fitted

STACKED = load_position("combat_commander", "livret-tir")
VIEW = fitted(STACKED.grid, 900, 700)


def test_a_stack_opens_under_a_lens_that_shows_each_counter_whole() -> None:
    opened = lens(STACKED, VIEW, "K8")
    assert opened is not None
    assert [item.face.id for item in opened.items] == ["grein", "peloton-k8"], "the leader first"
    first, second = opened.items
    assert second.x - first.x > first.size, "none hides another"
    assert [weapon.id for weapon in second.weapons] == ["mg-k8"] or second.weapons
    assert all(opened.holds(item.x, item.y) for item in opened.items)
    assert opened.piece_at(second.x, second.y) == "peloton-k8"
    assert opened.piece_at(first.x + first.size * 0.6, first.y) is None
    assert [name for name, _, _ in opened.names] == [item.face.name for item in opened.items]


@pytest.mark.parametrize("cell", ["J7", "A1", "K9"])
def test_a_cell_without_a_stack_opens_nothing(cell: str) -> None:
    assert lens(STACKED, VIEW, cell) is None


def test_a_lens_lies_on_the_board_however_large_the_stack() -> None:
    for name in GAMES:
        for position in map(game(name).position, game(name).positions()):
            view = fitted(position.grid, 360, 420)
            for cell in position.grid.cells:
                opened = lens(position, view, cell)
                if opened:
                    left, top, wide, _ = opened.box
                    assert left >= 0, (name, position.id, cell)
                    assert top >= 0, (name, position.id, cell)
                    assert left + wide <= view.width + 1, (name, position.id, cell)


def stacked() -> tuple[Board, list[Any]]:
    board = Board(STACKED)
    events: list[Any] = []
    board.on(HexClicked, events.append)
    return board, events


def test_a_click_opens_a_stack_and_a_click_in_the_lens_is_of_the_piece_that_it_shows() -> None:
    board, events = stacked()
    board.pointer.press(*(v * SCALE for v in board.drawing_view.centre("K8")))
    assert board.opened == "K8"
    assert board.lens is not None
    squad = next(item for item in board.lens.items if item.face.id == "peloton-k8")
    board.pointer.press(squad.x * SCALE, squad.y * SCALE)
    assert events[-1] == HexClicked("K8", "peloton-k8")
    left, top, _, _ = board.lens.box
    board.pointer.press((left + 2) * SCALE, (top + 2) * SCALE)  # its panel hides the cells under it
    assert len(events) == 2
    board.pointer.press(*(v * SCALE for v in board.drawing_view.centre("M4")))
    assert board.lens is None


def test_a_resting_pointer_opens_a_stack_until_it_leaves_and_closes_none_that_was_clicked() -> None:
    board, _ = stacked()
    rest = {"type": "stack", "board": board.id, "cell": "K8"}
    board.pointer.press(*(v * SCALE for v in board.drawing_view.centre("M4")))  # no stack: it holds nothing open
    send(board.bridge, rest)
    assert board.opened == "K8"
    send(board.bridge, {**rest, "cell": None})
    assert board.opened is None
    board.open_stack("K8")
    send(board.bridge, {**rest, "cell": None})
    assert board.opened == "K8"
