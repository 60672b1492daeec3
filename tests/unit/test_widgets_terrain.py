"""What is written on the ground can be read, and heights have their tints."""

from __future__ import annotations

import pytest

from tutor import load_position
from tutor.core.registry import game
from widgets.board.paint.labels import height_text, name_place
from widgets.board.paint.plain import plain_ground
from widgets.board.paint.shapes import fitted
from widgets.board.palette import LIGHT


@pytest.mark.parametrize(("name", "position"), [("asl_sk", "ecole"), ("asl_sk", "pions"), ("tcs", "tir-croise")])
def test_hex_names_stand_inside_the_board_and_the_hex(name: str, position: str) -> None:
    view = fitted(load_position(name, position).grid, 800, 800)
    for cell in view.grid.cells:
        x, y = name_place(cell, view)
        path = view.polygon(cell)
        assert min(px for px, _ in path) < x < max(px for px, _ in path)
        assert min(py for _, py in path) + 5 < y < max(py for _, py in path)


def test_contours_in_metres_have_a_tint_for_each_rank() -> None:
    board = load_position("tcs", "tir-croise")
    board = board.change({f"level.0{i}.05": 20 * i for i in range(1, 9)})
    drawing = plain_ground(board, game("tcs").shapes(board), fitted(board.grid, 600, 600), LIGHT)
    tints = {s.fill for s in drawing.shapes if hasattr(s, "paths") and s.fill}
    assert len(tints) >= 8 + 1


def test_a_height_says_how_far_its_centre_is_to_the_next_line() -> None:
    board = load_position("tcs", "livret-ldv")
    said = {cell: height_text(board, cell, board.level_of[cell]).replace("\u00a0", " ") for cell in board.level_of}
    assert (said["01.04"], said["01.10"], said["04.05"], said["01.01"]) == ("20 ↗75 %", "20 ∪75 %", "80 ∩30 %", "40")
