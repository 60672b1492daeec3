"""Pointy-top boards: neighbours, distances, sides and clicks agree with the drawn hexes, for both shifts of the rows."""

from __future__ import annotations

import pytest

from tutor.core.grids_pointy import PointyHexGrid, PointyHexGridOdd
from tutor.core.position import Position

BOARDS = [PointyHexGrid(1, 4, 1, 6), PointyHexGridOdd(1, 4, 1, 6), PointyHexGrid(2, 7, 3, 8)]


@pytest.mark.parametrize("board", BOARDS)
def test_neighbours_share_a_side_of_two_vertices(board):
    for cell in board.cells:
        for side in range(1, 7):
            other = board.neighbour(cell, side)
            shared = set(board.polygon(cell)) & set(board.polygon(other))
            assert len(shared) == 2
            assert board.neighbour(other, (side + 2) % 6 + 1) == cell
            if other in board:
                assert set(board.side_points(board.side(cell, side))) == shared


@pytest.mark.parametrize("board", BOARDS)
def test_distance_is_the_length_of_the_shortest_walk(board):
    for start in board.cells:
        away, layer = {start: 0}, [start]
        while layer:
            reached = [n for c in layer for n in board.neighbours(c) if n not in away]
            away |= dict.fromkeys(reached, away[layer[0]] + 1)
            layer = list(dict.fromkeys(reached))
        assert away == {cell: board.distance(start, cell) for cell in board.cells}


@pytest.mark.parametrize("board", BOARDS)
def test_a_click_near_a_centre_finds_its_hex(board):
    for cell in board.cells:
        x, y = board.plane(board.centre(cell))
        assert all(board.cell_at(x + dx, y + dy) == cell for dx, dy in ((0, 0), (0.5, 0.4), (-0.5, 0.4), (0, -0.9)))
    assert board.cell_at(-50, -50) is None


@pytest.mark.parametrize(("kind", "neighbours"), [("pointy", 6), ("pointy_odd", 6)])
def test_positions_name_both_kinds(kind, neighbours):
    position = Position.parse(
        f"schema: 1\ngame: sherman_leader\nid: x\ngrid: {{kind: {kind}, columns: [A, D], rows: [1, 6]}}"
    )
    assert len(position.grid.cells) == 24
    assert len(position.grid.neighbours("B3")) == neighbours
