"""Boards as drawings: one drawing code, silhouettes of the rules, layers, counters, pictures without a kernel."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor import ask, game, load_position
from tutor.core.grid import HexGrid
from tutor.core.position import Position
from tutor.core.trace import Place
from widgets.board.counters.counters import pieces_drawing
from widgets.board.counters.face import face
from widgets.board.counters.layout import piece_at
from widgets.board.layers import Cursor, Fire, Heat, Layer, LineOfSight, Note, Outline, Selection, Tint, layers_for
from widgets.board.layers import Path as Way
from widgets.board.paint.outlines import chains, outline_edges
from widgets.board.paint.overlays import over_drawing, tint_drawing, under_drawing
from widgets.board.paint.places import place_hexes, place_paths
from widgets.board.paint.plain import plain_ground
from widgets.board.paint.shapes import Drawing, Polygons, Words, fitted
from widgets.board.palette import DARK, LIGHT, Palette
from widgets.board.svg import board_svg

GAME = game("combat_commander")
PLACE = load_position("combat_commander", "livret-ldv")
VIEW = fitted(PLACE.grid, 820, 760)


def test_the_board_fits_its_frame() -> None:
    assert VIEW.width <= 820
    assert VIEW.height <= 760
    assert max(VIEW.width / 820, VIEW.height / 760) > 0.98


@given(st.sampled_from(PLACE.grid.cells), st.floats(-0.8, 0.8), st.floats(-0.4, 0.4))
def test_a_pixel_inside_a_hex_names_it(cell: str, dx: float, dy: float) -> None:
    x, y = VIEW.centre(cell)
    dx *= 0.5  # well inside the hex
    assert VIEW.cell_at(x + dx * VIEW.radius, y + dy * VIEW.radius) == cell


@pytest.mark.parametrize("side", ["M8/N8", "J7/K7", "L5/L6"])
def test_a_pixel_near_a_side_names_it(side: str) -> None:
    (ax, ay), (bx, by) = VIEW.path(PLACE.grid.side_points(side))
    assert VIEW.side_at((ax + bx) / 2 + 1, (ay + by) / 2 + 1) == side


def test_a_pixel_amid_a_hex_names_no_side() -> None:
    assert VIEW.side_at(*VIEW.centre("K6")) is None
    assert VIEW.side_at(-50, -50) is None


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_a_number_that_is_none_is_refused_before_it_reaches_a_canvas(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Drawing().polygon([(0, 0), (wrong, 1), (2, 2)])


def test_a_place_that_raises_leaves_the_drawing_where_it_was() -> None:
    d = Drawing()

    def broken() -> None:
        with d.placed(100, 100):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    d.disc(1, 2, 3, "#000000")
    assert d.shapes[0].items[0][:3] == (1, 2, 3)  # type: ignore[union-attr]


def test_turned_drawings_turn_their_points_and_their_words() -> None:
    d = Drawing()
    with d.placed(10, 10, 90, 2):
        d.polygon([(1, 0), (0, 1), (0, 0)], fill="#000000")
        d.text("7", 1, 0, 5, "#000000")
    shape, word = d.shapes
    assert isinstance(shape, Polygons)
    assert shape.paths[0][0] == pytest.approx((10, 12))
    assert isinstance(word, Words)
    assert (word.size, word.angle) == (10, 90)


# --- silhouettes -------------------------------------------------------------------------------------------------


def test_where_no_picture_is_the_silhouettes_are_those_that_the_rules_judge() -> None:
    shapes = GAME.shapes(PLACE)
    drawn = {
        path
        for shape in plain_ground(PLACE, shapes, VIEW, LIGHT).shapes
        if isinstance(shape, Polygons)
        for path in shape.paths
    }
    for shape in shapes:
        if shape.layer in ("area", "way", "level"):
            assert tuple(VIEW.path(shape.points)) in drawn, shape


@given(st.sets(st.sampled_from(HexGrid(1, 6, 1, 6).cells), min_size=1))
def test_the_outline_of_hexes_is_closed_and_has_no_inner_side(cells: set[str]) -> None:
    grid = HexGrid(1, 6, 1, 6)
    edges = outline_edges(grid.polygon(cell) for cell in cells)
    outer = sum(1 for cell in cells for d in range(1, 7) if grid.neighbour(cell, d) not in cells)
    assert len(edges) == outer
    assert all(line[0] == line[-1] for line in chains(edges))


def test_a_side_longer_than_its_neighbours_is_cut() -> None:
    long, short = [(0, 0), (10, 0), (10, 4), (0, 4)], [(2, -4), (6, -4), (6, 0), (2, 0)]
    edges = outline_edges([long, short])
    assert ((0, 0), (2, 0)) in edges
    assert ((6, 0), (10, 0)) in edges
    assert all({a, b} != {(2, 0), (6, 0)} for a, b in edges)


# --- counters ----------------------------------------------------------------------------------------------------


def test_a_face_shows_the_counter_and_the_values_of_its_own() -> None:
    position = load_position("combat_commander", "livret-tir")
    squad = face(position, position.piece("peloton-j7"))
    assert (squad.fp, squad.range, squad.move, squad.morale) == (5, 5, 4, 7)
    assert squad.boxed == {"range", "move"}
    broken = face(position, position.piece("peloton-k8"))
    assert broken.broken
    assert broken.fp == 2
    assert broken.boxed == frozenset()
    assert face(position, position.piece("mg-l8")).weapon


def test_a_piece_is_found_under_the_pointer() -> None:
    x, y = VIEW.centre("K6")
    assert piece_at(PLACE, VIEW, x, y + 5) == "borbe"
    assert piece_at(PLACE, VIEW, *VIEW.centre("K10")) is None


def test_a_hidden_piece_is_not_drawn() -> None:
    assert len(pieces_drawing(PLACE, VIEW, LIGHT, hidden="borbe").shapes) < len(
        pieces_drawing(PLACE, VIEW, LIGHT).shapes
    )


# --- layers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "state", "rule"),
    [("J9", "K6", "blocked", "10.2"), ("M9", "N6", "hindered", "10.3"), ("M9", "N9", "clear", None)],
)
def test_a_line_of_sight_draws_itself(start: str, end: str, state: str, rule: str | None) -> None:
    (layer,) = layers_for(ask(PLACE, "los", start=start, end=end), PLACE, GAME.shapes(PLACE))
    assert isinstance(layer, LineOfSight)
    assert (layer.start, layer.end, layer.state, layer.rule) == (start, end, state, rule)
    words = [s.text for s in over_drawing((layer,), PLACE, VIEW, LIGHT).shapes if isinstance(s, Words)]
    expected = {"blocked": "10.2", "hindered": "≈ −2 · 10.3", "clear": "✓"}[state]
    assert words[-1] == expected
    over = {start, end, *layer.crossed}
    heights = {f"▴{level}" for cell in over if (level := PLACE.level_of.get(cell, 0))}
    assert set(words[:-1]) == over | heights, "the names and heights of the hexes that it was drawn over"


def test_the_line_is_dotted_beyond_what_blocks_it() -> None:
    (layer,) = layers_for(ask(PLACE, "los", start="J9", end="K6"), PLACE, GAME.shapes(PLACE))
    assert isinstance(layer, LineOfSight)
    assert layer.touched
    lines = [
        s for s in under_drawing((layer,), VIEW, LIGHT).shapes if isinstance(s, Polygons) and s.stroke == LIGHT.blocked
    ]
    dotted = [s for s in lines if s.dash]
    assert dotted[0].paths[0][0] == pytest.approx(VIEW.px(layer.point))


@pytest.mark.parametrize(
    "layer",
    [
        Selection(("J9", "K6")),
        Cursor("J9"),
        Tint(("J9", "J8"), "reach", ("1", "2")),
        Heat((("J9", 0.0, ""), ("J8", 1.0, "58 %"))),
        Outline(
            (Place("hex", "J9"), Place("side", "M8/N8"), Place("piece", "borbe"), Place("point", "600,350")), "blocked"
        ),
        Note("J9", "Gêne"),
        Way(("J9", "J8", "K7")),
        Fire(("J9", "J8"), "K6"),
    ],
)
def test_every_layer_paints_something(layer: Layer) -> None:
    layers = (layer,)
    painted = [
        *tint_drawing(layers, VIEW, LIGHT).shapes,
        *under_drawing(layers, VIEW, LIGHT).shapes,
        *over_drawing(layers, PLACE, VIEW, LIGHT).shapes,
    ]
    assert [shape for shape in painted if not isinstance(shape, Words) or shape.text not in PLACE.grid]


def test_hexes_get_their_names_where_the_ground_bears_none() -> None:
    over = over_drawing((Selection(("J9",)), Cursor("K6")), PLACE, VIEW, LIGHT, labels=False)
    assert [s.text for s in over.shapes if isinstance(s, Words)] == ["J9", "K6"]


def test_a_chosen_hex_stands_out_among_those_a_question_speaks_of() -> None:
    """Within the outline of what may be chosen, with a broader ring and a deeper tint."""
    named, chosen = (tint_drawing((Selection(("J9",), one),), VIEW, LIGHT).shapes for one in (False, True))
    assert chosen[-1].width > 1.4 * named[-1].width  # type: ignore[union-attr]
    assert chosen[0].alpha > 2 * named[0].alpha


def test_places_become_paths_and_hexes() -> None:
    places = (
        Place("hex", "J9"),
        Place("segment", "J9>K6"),
        Place("side", "M8/N8"),
        Place("piece", "borbe"),
        Place("hex", "Z9"),
    )
    closed, lines = place_paths(places, PLACE, VIEW)
    assert (len(closed), len(lines)) == (2, 2)
    assert place_hexes(places, PLACE) == ["J9", "K6", "M8", "N8"]


# --- pictures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", GAME.positions())
def test_every_position_is_a_well_formed_picture(name: str, theme: str) -> None:
    root = ElementTree.fromstring(board_svg(GAME.position(name), theme=theme))
    assert root.get("role") == "img"
    words = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert set(GAME.position(name).grid.cells) <= words


def test_every_kind_of_terrain_side_way_and_marker_is_drawn() -> None:
    base = Position.parse("schema: 1\ngame: combat_commander\nid: essai\ngrid: {columns: [A, C], rows: [1, 3]}")
    bare = board_svg(base)
    for kind in GAME.tables["terrain"].rows:
        if kind != "open":
            assert board_svg(base.change({"terrain.B2": kind})) != bare, kind
    for kind in GAME.tables["sides"].rows:
        assert board_svg(base.change({"side.B1/B2": kind})) != bare, kind
    for kind in GAME.tables["ways"].rows:
        assert board_svg(base.change({f"way.{kind}.B2": [1, 4]})) != bare, kind
    for kind, value in [("smoke", 4), ("blaze", True), ("objective", 2)]:
        assert board_svg(base.change({f"marker.{kind}.B2": value})) != bare, kind
    works = {
        board_svg(base.change({"marker.fortification.B2": v}))
        for v in ("foxholes", "trench", "pillbox", "bunker", "mines", "wire")
    }
    assert len(works) == 6


def test_a_picture_escapes_what_a_position_says() -> None:
    position = PLACE.change({"piece.borbe.name": "<b>&"})
    assert "<b>" not in board_svg(position)
    ElementTree.fromstring(board_svg(position))


def test_a_picture_needs_no_jupyter() -> None:
    code = "import sys, widgets.board.svg; print([m for m in ('ipycanvas', 'ipywidgets', 'anywidget', 'shapely') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_same_position_gives_the_same_picture() -> None:
    assert board_svg(PLACE) == board_svg(Position.parse(PLACE.dump()))


# --- colours -----------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Relative luminance of a colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_hex_names_and_counters_are_legible(colours: Palette) -> None:
    assert contrast(colours.label, colours.halo) >= 4.5
    assert contrast(colours.label, colours.ground) >= 4.2
    for mid, light in ((colours.axis, colours.axis_light), (colours.allies, colours.allies_light)):
        assert contrast(colours.counter_white, mid) >= 4.5
        assert contrast(colours.counter_ink, light) >= 7
    assert contrast(colours.counter_white, colours.broken) >= 4.5


def test_only_the_palette_holds_colours(root: Path) -> None:
    for path in sorted((root / "widgets").rglob("*.py")):
        if path.name != "palette.py":
            assert not re.findall(r"[\"']#[0-9A-Fa-f]{6}[\"']", path.read_text(encoding="utf-8")), path.name


def test_the_palette_agrees_with_the_style_sheet(root: Path) -> None:
    sheets = (root / "widgets/serving/jupyter/voila/templates/ldv/static").glob("*.css")
    css = "\n".join(path.read_text(encoding="utf-8") for path in sheets)
    for name in ("paper", "ink", "olive", "line", "clear", "hindered", "blocked"):
        values = {value.upper() for value in re.findall(rf"--ldv-{name}:\s*(#[0-9A-Fa-f]{{6}})", css)}
        assert getattr(LIGHT, name).upper() in values, name


def test_odds_move_with_a_ghost() -> None:
    from widgets.board.panels.odds import odds_html

    html = odds_html({"Indemne": Fraction(1, 2)}, {"Indemne": Fraction(1, 4)})
    assert "--share:50.00%" in html
    assert "--before:25.00%" in html
    assert "+25,0" in html


def test_a_barrage_draws_its_drift_and_its_seven_impact_hexes() -> None:
    position = load_position("combat_commander", "artillerie")
    result = ask(position, "barrage", observer="ganz", cell="G3", accurate=[3, 2], drift=[5, 2])
    layers = layers_for(result, position)
    assert Way(("G3", "F3", "E4"), "blocked") in layers
    assert len(next(layer for layer in layers if isinstance(layer, Tint)).hexes) == 7
    assert any(isinstance(layer, Outline) and [place.ref for place in layer.places] == ["F3"] for layer in layers)


def test_a_way_that_leaves_the_map_is_drawn_to_its_last_hex() -> None:
    position = load_position("combat_commander", "mouvement-route").change(
        {"state.edges": {"axis": "right", "allies": "left"}}
    )
    layers = layers_for(ask(position, "move", pieces=["fusiliers"], path=["exit"]), position)
    assert layers == (Way(("A3",)),)
    assert "<svg" in board_svg(position, layers)
