"""Hexes by index, padded all round: neighbours are in the arrays, rays do not depend on where they start."""

from __future__ import annotations

import pytest

from tutor.core.errors import PositionError
from tutor.core.padded import PaddedHexes
from tutor.core.position import Position


def position(**more: object) -> Position:
    data = {"schema": 1, "game": "combat_commander", "id": "x", "grid": {"columns": ["B", "E"], "rows": [3, 6]}, **more}
    return Position.from_data(data, "x.yaml")


def test_every_neighbour_has_a_place_of_its_own() -> None:
    board = PaddedHexes(position())
    neighbours: dict[int, str] = {}
    for cell in board.grid.cells:
        for near in (cell, *(board.grid.neighbour(cell, d) for d in range(1, 7))):
            i = board.index_of(*board.grid.coords(near))
            assert 0 <= i < board.size
            assert neighbours.setdefault(i, near) == near


def test_a_ray_is_the_same_from_columns_of_one_parity() -> None:
    board = PaddedHexes(position())
    assert board.ray_between(board.index["B3"], board.index["C5"]) is board.ray_between(
        board.index["D3"], board.index["E5"]
    )


def test_levels_join_across_sides_of_ground_as_high() -> None:
    board = PaddedHexes(position(levels={1: ["C4", "C5"], 2: ["C5"]}))
    mask, high = board.level_mask(1), board.level_mask(2)
    assert mask[board.index["C4"]] == 1 << (board.grid.direction("C4", "C5") - 1)
    assert high[board.index["C4"]] == -1
    assert high[board.index["C5"]] == 0


def test_terrain_joins_its_like_and_buildings_only_where_declared() -> None:
    board = PaddedHexes(position(joined=[["D3", "D4"]]))
    terrain = {"C4": ("woods",), "C5": ("woods",), "D3": ("building",), "D4": ("building",), "D5": ("building",)}

    def kinds(cell: str) -> tuple[str, ...]:
        return terrain.get(cell, ())

    def joined(cell: str, kind: str) -> set[str]:
        mask = board.joined_sides(cell, kind, kinds, {"woods"})
        return {board.grid.neighbour(cell, d) for d in range(1, 7) if mask >> (d - 1) & 1}

    assert joined("C4", "woods") == {"C5"}
    assert joined("D4", "building") == {"D3"}


def test_a_square_board_is_refused_with_a_remedy() -> None:
    with pytest.raises(PositionError, match="kind: hex"):
        PaddedHexes(position(grid={"kind": "square", "columns": ["A", "C"], "rows": [1, 3]}))


def test_a_position_keeps_its_board() -> None:
    here = position()
    assert PaddedHexes.of(here) is PaddedHexes.of(here)
    assert PaddedHexes.of(here.change({"level.C4": 1})) is not PaddedHexes.of(here)
