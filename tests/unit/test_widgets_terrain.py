"""No ground of any game is left blank, and what is written on the ground can be read."""

from __future__ import annotations

import pytest

from tutor import load_position
from tutor.core.drawing import Shape
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from widgets.board.paint.ground import _AREA_STYLE, _TEXTURES, terrain_drawing
from widgets.board.paint.labels import height_text, name_place
from widgets.board.paint.shapes import Drawing, View, fitted
from widgets.board.palette import LIGHT

#: Ground drawn by its tint alone, or by what stands on it.
BY_CROWNS = {"woods", "orchard", "heavy"}


def _kinds() -> list[tuple[str, str]]:
    return [
        (name, kind)
        for name in GAMES
        for kind, row in game(name).tables["terrain"].rows.items()
        if kind not in ("open", "clear")
    ]


def _one_hex(name: str, kind: str) -> tuple[Position, tuple[Shape, ...]]:
    sort = {"sherman_leader": "kind: pointy, ", "heroes_of_normandie": "kind: square, "}.get(name, "")
    text = f"schema: 1\ngame: {name}\nid: un\ngrid: {{{sort}columns: [A, B], rows: [1, 2]}}"
    position = Position.parse(text).change({"terrain.A1": kind})
    return position, game(name).shapes(position)


@pytest.mark.parametrize(("name", "kind"), _kinds())
def test_every_kind_of_ground_has_its_own_drawing(name: str, kind: str) -> None:
    position, shapes = _one_hex(name, kind)
    areas = [shape for shape in shapes if shape.layer == "area"]
    assert areas, "the game draws nothing there"
    for shape in areas:
        assert shape.kind in _AREA_STYLE
        assert shape.kind in _TEXTURES or shape.kind in BY_CROWNS
        if shape.kind in _TEXTURES:
            drawn = Drawing()
            _TEXTURES[shape.kind](drawn, shape, View(position.grid, 40.0), LIGHT)
            assert drawn.shapes


def test_no_two_kinds_of_ground_of_a_game_look_alike() -> None:
    for name in GAMES:
        seen: dict[tuple[object, ...], str] = {}
        for other, kind in _kinds():
            if other == name:
                position, shapes = _one_hex(name, kind)
                drawing = terrain_drawing(position, shapes, fitted(position.grid, 200, 200), LIGHT, labels=False)
                assert tuple(drawing.shapes) not in seen, (name, kind, seen[tuple(drawing.shapes)])
                seen[tuple(drawing.shapes)] = kind


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
    drawing = terrain_drawing(board, game("tcs").shapes(board), fitted(board.grid, 600, 600), LIGHT)
    tints = {s.fill for s in drawing.shapes if hasattr(s, "paths") and s.fill}
    assert len(tints) >= 8 + 1


def test_a_height_says_how_far_its_centre_is_to_the_next_line() -> None:
    board = load_position("tcs", "livret-ldv")
    said = {cell: height_text(board, cell, board.level_of[cell]).replace("\u00a0", " ") for cell in board.level_of}
    assert (said["01.04"], said["01.10"], said["04.05"], said["01.01"]) == ("20 ↗75 %", "20 ∪75 %", "80 ∩30 %", "40")
