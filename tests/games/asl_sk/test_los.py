"""ASL Starter Kit: the half-hex board, and what the golden cases of the line of sight do not reach."""

from __future__ import annotations

from itertools import combinations

import pytest

from tutor.core.grids_half import HalfHexGrid
from tutor.core.position import Position
from tutor.games.asl_sk import GAME
from tutor.games.asl_sk.board import board
from tutor.games.asl_sk.sight import look

GAME.load()
BOARD = HalfHexGrid(1, 33, 1, 10)


def ask(position, question, **arguments):
    return GAME.rules[question](position, **arguments)


def with_pieces(*pieces):
    """The training board with these pieces."""
    data = GAME.position("ecole").data()
    data["pieces"] = list(pieces)
    return Position.from_data(data)


# -- the board ---------------------------------------------------------------------------------------------------


def test_a_whole_board_has_346_hexes_and_halves_along_its_edges():
    assert len(BOARD.cells) == 346
    halved = {cell for cell in BOARD.cells if BOARD.halved(cell)}
    edge_columns = {f"{c}{r}" for c in ("A", "GG") for r in range(1, 11)}
    odd = [*"BDFHJLNPRTVXZ", "BB", "DD", "FF"]
    assert halved == edge_columns | {f"{c}{r}" for c in odd for r in (0, 10)}


def test_neighbours_are_one_hex_away_and_mutual():
    for cell in BOARD.cells:
        near = BOARD.neighbours(cell)
        assert len(near) >= 2
        assert all(BOARD.distance(cell, other) == 1 and cell in BOARD.neighbours(other) for other in near)


def test_distance_is_the_length_of_a_shortest_walk():
    reached = {"C4": 0}
    queue = ["C4"]
    for cell in queue:
        for other in BOARD.neighbours(cell):
            if other not in reached:
                reached[other] = reached[cell] + 1
                queue.append(other)
    assert reached == {cell: BOARD.distance("C4", cell) for cell in BOARD.cells}


def test_half_hexes_tile_the_rectangle_and_answer_under_the_pointer():
    left, top, right, bottom = BOARD.edges
    area = sum(abs(_area(BOARD.polygon(cell))) for cell in BOARD.cells)
    assert area == (right - left) * (bottom - top)
    for cell in BOARD.cells:
        corners = BOARD.polygon(cell)
        x, y = (sum(c[k] for c in corners) / len(corners) for k in (0, 1))
        assert BOARD.cell_at(*BOARD.plane((x, y))) == cell
    assert BOARD.cell_at(*BOARD.plane((left - 5, 100))) is None


def _area(points):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, (*points[1:], points[0]), strict=True)) / 2


def test_what_is_drawn_stays_on_the_board():
    for name in GAME.positions():
        position = GAME.position(name)
        left, top, right, bottom = position.grid.edges
        for shape in GAME.shapes(position):
            assert all(left <= x <= right and top <= y <= bottom for x, y in shape.points)


# -- line of sight -------------------------------------------------------------------------------------------------


def test_a_wreck_hinders_only_when_both_ends_see_it():
    position = with_pieces({"id": "epave", "kind": "wreck", "side": "axis", "at": "F4"})
    assert ask(position, "los", start="D4", end="H4").value.hindrance == 1
    assert ask(position.change({"piece.epave.status.motion": True}), "los", start="D4", end="H4").value.hindrance == 0
    higher = position.change({"level.D4": 1})
    assert ask(higher, "los", start="D4", end="H4").value.hindrance == 0


def test_one_hindrance_for_several_vehicles_of_a_hex():
    position = with_pieces(
        {"id": "un", "kind": "wreck", "side": "axis", "at": "F4"},
        {"id": "deux", "kind": "afv", "side": "axis", "at": "F4"},
    )
    assert ask(position, "los", start="D4", end="H4").value.hindrance == 1


def test_smoke_is_capped_at_three_in_a_hex():
    position = GAME.position("ecole").change({"marker.smoke.F4": 5})
    assert ask(position, "los", start="D4", end="H4").value.hindrance == 3


def test_firing_out_of_smoke_costs_one_more_than_into_it():
    position = GAME.position("ecole").change({"marker.smoke.D4": 2})
    assert ask(position, "los", start="D4", end="H4").value.hindrance == 3
    assert ask(position, "los", start="H4", end="D4").value.hindrance == 2


def test_the_settings_of_the_line_of_sight_change_its_verdict():
    ecole = GAME.position("ecole")
    grain = ecole.change({"terrain.D4": "grain", "terrain.D3": "grain"})
    assert ask(grain.change({"setting.shared_side": "both"}), "los", start="C4", end="E4").value.hindrance == 2
    terrace = ecole.change({"level.D4": 2, "level.E5": 1})
    assert ask(terrace, "los", start="D4", end="G5").value.visible
    assert not ask(terrace.change({"setting.crest": "never"}), "los", start="D4", end="G5").value.visible
    corner = ecole.change({"terrain.C4": "woods"})
    assert (
        ask(corner, "los", start="B4", end="D4").value.visible
        == ask(corner.change({"setting.depiction": "whole"}), "los", start="B4", end="D4").value.visible
    )


@pytest.mark.parametrize(
    ("omitted", "start", "end", "changes", "field", "whole", "without"),
    [
        ("1.1.1-grain", "F6", "K6", {"state.month": 12}, "hindrance", 2, 4),
        ("1.1.1-hills", "K3", "O4", {}, "visible", False, True),
        ("1.1.1-orchards", "M3", "J4", {"terrain.L3": "orchard"}, "visible", False, True),
        ("1.1.1-woods-road", "C3", "C5", {"terrain.C4": "woods", "way.road.C4": [1, 4]}, "visible", True, False),
        ("1.1.1-orchard-road", "C3", "C5", {"terrain.C4": "orchard", "way.road.C4": [1, 4]}, "hindrance", 0, 1),
        ("1.2.5", "D4", "H4", {"marker.smoke.D4": 2}, "hindrance", 3, 0),
        ("3.2.1", "D4", "H4", {}, "visible", True, False),
    ],
)
def test_leaving_out_a_rule_of_the_line_of_sight(omitted, start, end, changes, field, whole, without):
    position = GAME.position("ecole").change(changes)
    assert getattr(ask(position, "los", start=start, end=end).value, field) == whole
    assert getattr(ask(position, "los", start=start, end=end, without={omitted}).value, field) == without


@pytest.mark.parametrize("reading", ["one", "both", "range"])
def test_a_line_along_the_edge_of_the_board_is_judged(reading):
    """A line that follows the edge has hexes on one side of it alone: what is off the board is no hex of a pair."""
    grid = HalfHexGrid(1, 9, 1, 6)
    data = {"schema": 1, "game": "asl_sk", "id": "bord", "settings": {"shared_side": reading}, "state": {"month": 7}}
    data["grid"] = {"kind": "half_hex", "columns": ["A", "I"], "rows": [1, 6]}
    data["terrain"] = {"orchard": list(grid.cells)[::2]}
    data["markers"] = {"smoke": dict.fromkeys(list(grid.cells)[::3], 1)}
    compiled = board(Position.from_data(data))
    for start, end in combinations(compiled.index.values(), 2):
        sight = look(compiled, start, end)
        assert sight.total == sum(finding.value for finding in sight.hindrances)
        assert all(finding.cell in grid for finding in sight.hindrances)
