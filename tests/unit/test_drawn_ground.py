"""The map where no server hands it out: the kernel draws it and gives it to the page, once for each ground."""

from __future__ import annotations

import pytest

from tests.screen import send
from tutor.core.registry import load_position
from widgets.board.board import Board
from widgets.board.drawn_ground import drawn_ground

PLACE = load_position("combat_commander", "livret-ldv")


def ready(board: Board) -> Board:
    """The board once its page has connected."""
    send(board.canvas[-1], {"event": "client_ready"})
    return board


def ground_of(board: Board) -> str:
    """Address of the picture of its ground, as the page is told it."""
    return str(board.bridge.boards[board.id].get("ground", {}).get("src", ""))


def test_where_no_server_hands_out_grounds_the_kernel_gives_the_map_to_the_page() -> None:
    board = Board(PLACE)
    assert not board.bridge.grounds, "nobody looks at it yet"
    ready(board)
    first = ground_of(board)
    assert board.bridge.grounds == {first: drawn_ground(PLACE)}
    board.position = PLACE.change({"piece.borbe.at": "K7"})
    assert ground_of(board) == first
    for kind in ("woods", "field", "brush"):
        board.position = board.position.change({"terrain.K7": kind})
        assert board.bridge.grounds[ground_of(board)] == drawn_ground(board.position)
    assert first not in board.bridge.grounds, "what no board shows any more goes"


@pytest.mark.usefixtures("handed_grounds")
def test_a_kernel_of_a_server_that_hands_out_grounds_sends_none() -> None:
    board = ready(Board(PLACE))
    assert ground_of(board).startswith("/sol/v1/combat_commander/light/")
    assert not board.bridge.grounds
