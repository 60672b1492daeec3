"""Exact geometry of the lattice, compared with shapely and with plain counting."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from tutor.core.geometry import hex_silhouette, polygon_spans, strip, uncovered
from tutor.core.grid import HexGrid, SquareGrid
from tutor.core.rays import WHOLE, ray

GRID = HexGrid(1, 12, 1, 9)
CELLS = st.sampled_from(GRID.cells)
MASKS = st.integers(0, WHOLE)


def _steps(grid: HexGrid | SquareGrid, start: str, end: str) -> int:
    """Distance by counting steps outwards."""
    ring, seen, count = {start}, {start}, 0
    while end not in ring:
        ring = {n for cell in ring for n in grid.neighbours(cell)} - seen
        seen |= ring
        count += 1
    return count


@given(CELLS, CELLS)
def test_distance_is_the_number_of_steps(start: str, end: str) -> None:
    assert GRID.distance(start, end) == _steps(GRID, start, end) == GRID.distance(end, start)


@given(CELLS, st.integers(1, 6))
def test_a_side_has_one_name_and_the_same_ends_from_both_hexes(cell: str, side: int) -> None:
    other = GRID.neighbour(cell, side)
    back = (side + 2) % 6 + 1
    assert GRID.neighbour(other, back) == cell
    assert GRID.side(cell, side) == GRID.side(other, back)
    ends = set(GRID.side_points(GRID.side(cell, side)))
    assert ends <= set(GRID.polygon(cell))
    assert ends <= set(GRID.polygon(other))


@given(CELLS, st.floats(-0.8, 0.8), st.floats(-0.8, 0.8))
def test_a_point_near_a_centre_is_in_its_hex(cell: str, dx: float, dy: float) -> None:
    x, y = GRID.plane(GRID.centre(cell))
    assert GRID.cell_at(x + dx / 2, y + dy / 2) == cell


@given(CELLS, CELLS, CELLS, MASKS)
def test_spans_on_a_silhouette_agree_with_shapely(start: str, end: str, cell: str, joined: int) -> None:
    if start == end:
        return
    p, q = GRID.centre(start), GRID.centre(end)
    corners = hex_silhouette(GRID.centre(cell), joined)
    spans = polygon_spans(p, q, corners)
    line, shape = LineString([p, q]), Polygon(corners)
    assert bool(spans) == line.intersects(shape)
    assert (
        abs(float(sum((b - a for a, b in spans), Fraction(0))) * line.length - line.intersection(shape).length) < 1e-6
    )


@given(CELLS, CELLS, MASKS)
def test_a_ray_holds_just_the_hexes_and_spans_that_the_line_touches(start: str, end: str, joined: int) -> None:
    if start == end:
        return
    (c1, r1), (c2, r2) = GRID.coords(start), GRID.coords(end)
    p, q = GRID.centre(start), GRID.centre(end)
    line = ray(c2 - c1, r2 - r1, c1 % 2 == 0, 100)
    touched = {c.centre: c for c in (line.start, *line.between, line.end)}
    for cell in GRID.cells:
        x, y = GRID.centre(cell)
        crossing = touched.get((x - p[0], y - p[1]))
        assert (crossing is not None) == bool(polygon_spans(p, q, GRID.polygon(cell)))
        if crossing:
            span = crossing.span(joined)
            exact = polygon_spans(p, q, hex_silhouette((x, y), joined))
            assert (span is None) == (not exact)
            if span:
                assert exact == ((Fraction(span[0], line.den), Fraction(span[1], line.den)),)


@given(CELLS, CELLS, st.integers(1, 6))
def test_a_line_between_the_ends_of_a_road_arm_is_covered_by_it(start: str, end: str, side: int) -> None:
    if start == end:
        return
    p, q = GRID.centre(start), GRID.centre(end)
    on_arm = polygon_spans(p, q, strip(p, side))
    assert uncovered(on_arm, on_arm) is None
    whole = polygon_spans(p, q, GRID.polygon(start))
    runs_along = q in [GRID.centre(n) for n in [GRID.neighbour(start, side)]]
    if runs_along:
        assert uncovered(whole, on_arm) is None


@given(st.sampled_from(SquareGrid(1, 6, 1, 6).cells), st.integers(1, 4))
def test_squares_have_sides_and_neighbours_alike(cell: str, side: int) -> None:
    grid = SquareGrid(1, 6, 1, 6)
    other = grid.neighbour(cell, side)
    assert grid.side(cell, side) == grid.side(other, (side + 1) % 4 + 1)
    assert set(grid.side_points(grid.side(cell, side))) <= set(grid.polygon(cell)) & set(grid.polygon(other))
