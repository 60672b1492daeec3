"""What is written where counters crowd: in cells of two sides, on hexes smaller than a name."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise

import pytest
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from tests.unit.test_labels_placed import PHONE, SMALL, STAGE, WIDE, area_of, letters, words
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from widgets.board.board import Board
from widgets.board.counters.counters import paint_counter
from widgets.board.counters.layout import Placed, layout
from widgets.board.counters.names import bears
from widgets.board.grounds import bare
from widgets.board.paint.labels import LABELLED, names_drawing, thinned, unit_name_size
from widgets.board.paint.markers import paint_markers
from widgets.board.paint.placement import Room, box_at, cut_names, names_of, overlap
from widgets.board.paint.shapes import Drawing, Polygons, View, Words, fitted, text_width
from widgets.board.paint.unit_names import unit_names
from widgets.board.palette import LIGHT
from widgets.ground import ground_sheet
from widgets.ground.contours import paint_relief
from widgets.ground.heights import RADII, Figure
from widgets.ground.layout import Layout
from widgets.ground.svg import Sheet

ALONE = (1180, 860)


@pytest.mark.parametrize("size", [PHONE, STAGE, ALONE], ids=["phone", "stage", "alone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_name_in_a_cell_of_two_sides_is_not_read_as_the_other_sides(game_id: str, size: tuple[int, int]) -> None:
    """One that stands over or under counters covers more of its own than of theirs."""
    misread = []
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        placed = layout(position, view)
        for text, x, y, tall in names_of(position, view)[1]:
            half = text_width(text, tall, True) / 2

            def across(item: Placed, x: float = x, half: float = half) -> float:
                return max(0.0, min(x + half, item.x + item.size / 2) - max(x - half, item.x - item.size / 2))

            owns = [item for item in placed if item.face.name == text]
            cells = {position.piece(item.face.id).at for item in owns}
            sides = {position.piece(item.face.id).side for item in owns}
            for other in placed:
                piece = position.piece(other.face.id)
                if piece.at not in cells or piece.side in sides:
                    continue
                away = max(abs(x - other.x) - half, abs(y - other.y) - tall / 2) - other.size / 2
                if away < 6 and across(other) > max(across(item) for item in owns):
                    misread.append((name, text, other.face.name))
    assert not misread


@pytest.mark.parametrize("size", [SMALL, PHONE, STAGE], ids=["small", "phone", "stage"])
@pytest.mark.parametrize("game_id", GAMES)
def test_on_small_hexes_no_name_is_cut_by_counters(game_id: str, size: tuple[int, int]) -> None:
    """A part of one would be read as another: it is left out, and its neighbours' tell where one is."""
    cut, looked, least = [], 0, 1.0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        if view.radius >= LABELLED:
            continue
        boxes = [box_at(item.x, item.y, item.size, item.size) for item in layout(position, view)]
        written = [
            word
            for word in words(names_drawing(position, view, LIGHT, covered=cut_names(position, view)))
            if word.text in position.grid
        ]
        least = min(least, len(written) / len(thinned(position.grid.cells, view)))
        for word in written:
            looked += 1
            if sum(overlap(letters(word), box) for box in boxes) > 0.15 * area_of(word):
                cut.append((name, word.text))
    assert looked or size != SMALL
    assert not cut
    assert least > 0.8


def test_a_name_comes_back_when_the_counter_that_cut_it_leaves() -> None:
    position = game("tcs").position("livret-sfa")
    view = fitted(position.grid, *PHONE)
    assert "13.07" in cut_names(position, view)
    cell = [piece for piece in position.pieces if piece.at and piece.at.startswith("14.")]
    away = position.change({f"piece.{piece.id}.at": "03.02" for piece in cell})
    assert "13.07" not in cut_names(away, view)
    board = Board(position, size=PHONE[0], height=PHONE[1])
    assert "13.07" not in [word.text for word in words(board.painter.draw("terrain"))]
    board.position = away
    assert "13.07" in [word.text for word in words(board.painter.draw("terrain"))]


@pytest.mark.parametrize("size", [SMALL, PHONE, STAGE], ids=["small", "phone", "stage"])
@pytest.mark.parametrize("game_id", ["asl_sk", "tcs"])
def test_a_state_of_a_counter_alone_in_its_hex_covers_no_name_of_a_hex_beside(
    game_id: str, size: tuple[int, int]
) -> None:
    covering, looked = [], 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        names = words(names_drawing(position, view, LIGHT, covered=cut_names(position, view)))
        for item in layout(position, view):
            look, drawing = item.face.look, Drawing()
            if not item.room or not look or not look.tags:
                continue
            looked += 1
            paint_counter(drawing, item, LIGHT)
            (state,) = (word for word in words(drawing) if word.text == look.tags[0].text)
            covering += [(name, state.text, word.text) for word in names if overlap(letters(state), letters(word)) > 1]
    assert looked
    assert not covering


@pytest.mark.parametrize("size", [PHONE, STAGE, ALONE], ids=["phone", "stage", "alone"])
def test_a_height_in_metres_over_roofs_or_trees_has_a_plate(size: tuple[int, int]) -> None:
    flat = game("tcs").position("bocage")
    ((height, (first, *others)),) = flat.levels.items()
    position = Position.model_validate({**flat.model_dump(), "levels": {height: others, height + 20: [first]}})
    view = fitted(position.grid, *size)
    shapes = names_drawing(position, view, LIGHT).shapes
    plates = [shape.paths[0] for shape in shapes if isinstance(shape, Polygons)]
    over, bare = 0, 0
    for word in (one for one in shapes if isinstance(one, Words) and one.text not in position.grid):
        left, _, right, _ = letters(word)
        built = any(position.terrain_of.get(view.cell_at(x, word.y) or "") for x in (left, right))
        under = [plate for plate in plates if min(x for x, _ in plate) <= left and right <= max(x for x, _ in plate)]
        under = [plate for plate in under if min(y for _, y in plate) < word.y < max(y for _, y in plate)]
        over, bare = over + built, bare + (not built)
        assert under or not built, word
    assert over >= 5
    assert bare > over
    assert len(plates) < over + bare


@pytest.mark.parametrize("size", [SMALL, PHONE, STAGE, ALONE], ids=["small", "phone", "stage", "alone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_no_name_of_a_unit_is_cut_by_the_halo_of_another(game_id: str, size: tuple[int, int]) -> None:
    touching = []
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        alone, stacked, _ = names_of(position, fitted(position.grid, *size))
        lines = [line for lines in alone.values() for line in lines] + list(stacked)
        boxes = [(text, box_at(x, y, text_width(text, tall, True), 0.76 * tall)) for text, x, y, tall in lines]
        for (one, a), (other, b) in combinations(boxes, 2):
            level = min(a[3], b[3]) - max(a[1], b[1])
            if level > 1 and min(a[2], b[2]) - max(a[0], b[0]) > -1.5:
                touching.append((name, one, other))
    assert not touching


@pytest.mark.parametrize("size", [SMALL, PHONE, STAGE, ALONE], ids=["small", "phone", "stage", "alone"])
def test_the_value_of_a_smoke_stands_beside_the_name_of_its_hex(size: tuple[int, int]) -> None:
    looked = 0
    for name in ("evenements", "fumee", "fumee-pres", "livret-ldv", "objectifs"):
        position = game("combat_commander").position(name)
        view, drawing = fitted(position.grid, *size), Drawing()
        smokes = [shape for shape in game("combat_commander").shapes(position) if shape.kind == "smoke"]
        paint_markers(drawing, smokes, view, LIGHT)
        boxes = [
            (min(x for x, _ in path), min(y for _, y in path), max(x for x, _ in path), max(y for _, y in path))
            for shape in drawing.shapes
            if isinstance(shape, Polygons) and shape.fill == LIGHT.counter_white
            for path in shape.paths
        ]
        for word in words(names_drawing(position, view, LIGHT)) if view.radius >= LABELLED else ():
            looked += 1
            assert not any(overlap(letters(word), box) for box in boxes), (name, word.text)
    assert looked


@pytest.mark.parametrize("size", [STAGE, WIDE, ALONE], ids=["stage", "wide", "alone"])
def test_the_name_of_a_unit_does_not_run_into_the_sign_of_a_half_square(size: tuple[int, int]) -> None:
    position = game("heroes_of_normandie").position("demi-cases")
    view, signs = fitted(position.grid, *size), Drawing()
    shapes = [shape for shape in game("heroes_of_normandie").shapes(position) if shape.kind == "half"]
    paint_markers(signs, shapes, view, LIGHT)
    written = [letters(word) for word in words(signs)]
    assert len(written) == len(position.markers["half"])
    for lines in Room(position, view).alone.values():
        for text, x, y, tall in lines:
            box = box_at(x, y, text_width(text, tall, True) + 2 * 2.5, 0.76 * tall)
            assert not any(overlap(box, sign) for sign in written), text


CONTOURED = ["livret-ldv", "livret-ldv-nord", "livret-ldv-sud"]


@cache
def contoured(name: str) -> tuple[Layout, list[list[Figure]]]:
    """A position's ground, and the figures of its contour lines by the size that shows them."""
    ground, _ = ground_sheet(bare(game("tcs").position(name)))
    return ground, paint_relief(ground, Sheet())


def figures_as_seen(name: str, view: View, least: float) -> list[Polygon]:
    """What the figures of a ground cover, in pixels of a board, by the set that is shown from a hex radius on."""
    ground, figures = contoured(name)
    (cx, cy), (vx, vy) = (one.centre(view.grid.cells[0]) for one in (ground, view))
    scale, written = view.radius / ground.r, figures[RADII.index(least)]
    assert all(scale * one.size >= 11 for one in written)
    return [Polygon([(vx + scale * (x - cx), vy + scale * (y - cy)) for x, y in one.corners]) for one in written]


@pytest.mark.parametrize("name", CONTOURED)
@pytest.mark.parametrize(("least", "most"), [*pairwise(RADII), (RADII[-1], 70)])
def test_the_figures_of_contour_lines_are_read_at_every_size(name: str, least: float, most: float) -> None:
    """At 11 pixels, clear of the names and heights that the page writes, of the ring of any chosen hex, of one another."""
    position = game("tcs").position(name)
    for radius in (least, most - 0.1):
        view = View(position.grid, radius)
        figures = figures_as_seen(name, view, least)
        assert len(figures) >= (2 if least < 24 else 4)
        inner = [Polygon(view.polygon(cell, 0.85)) for cell in position.grid.cells]
        assert all(any(one.contains(figure) for one in inner) for figure in figures), radius
        written = [box(*letters(word)) for word in words(names_drawing(bare(position), view, LIGHT))]
        assert not any(figure.intersects(word) for figure in figures for word in written), radius
        assert not any(one.intersects(other) for one, other in combinations(figures, 2)), radius


@pytest.mark.parametrize("name", CONTOURED)
@pytest.mark.parametrize(("least", "most"), [*pairwise(RADII), (RADII[-1], 60)])
def test_no_counter_hides_a_figure_where_it_stands_from_the_first(name: str, least: float, most: float) -> None:
    """The ground is drawn once for all that counters do; yet it tells every height that it told without them."""
    position = game("tcs").position(name)
    for radius in (least, most - 0.1):
        view = View(position.grid, radius)
        taken = [box(*box_at(item.x, item.y, item.size, item.size)) for item in layout(position, view)]
        taken += [
            box(*box_at(x, y, text_width(text, tall, True), 0.76 * tall))
            for lines in Room(position, view).alone.values()
            for text, x, y, tall in lines
        ]
        figures = figures_as_seen(name, view, least)
        assert all(unary_union(taken).intersection(figure).area < 0.01 * figure.area for figure in figures), radius


def test_a_small_board_all_of_one_height_does_not_bear_it_in_each_hex() -> None:
    flat, wavy = game("tcs").position("bocage"), game("tcs").position("livret-ldv")
    assert set(flat.level_of.values()) == {40}
    for position, size, written in ((flat, PHONE, False), (flat, STAGE, True), (wavy, (374, 1400), True)):
        view = fitted(position.grid, *size)
        assert view.radius >= LABELLED
        texts = {word.text for word in words(names_drawing(position, view, LIGHT))}
        assert any(text.startswith("40") for text in texts) == written


@pytest.mark.parametrize("name", CONTOURED)
def test_the_height_of_a_summit_is_written_on_the_board(name: str) -> None:
    """What is drawn beyond it is veiled."""
    ground, sets = contoured(name)
    assert game("tcs").position(name).markers["summit"]
    for written in sets[1:]:
        (summit,) = [one for one in written if one.summit]
        assert ground.play.contains(Polygon(summit.corners))


@pytest.mark.parametrize("game_id", GAMES)
def test_on_a_wide_board_no_name_in_a_stack_is_smaller_than_eleven_pixels(game_id: str) -> None:
    looked = 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *ALONE)
        for text, _, _, size in names_of(position, view)[1]:
            looked += 1
            assert size >= min(11.0, unit_name_size(view)), (name, text)
    assert looked or game_id == "heroes_of_normandie"


@pytest.mark.parametrize("size", [PHONE, SMALL, STAGE, ALONE], ids=["phone", "small", "stage", "alone"])
def test_the_letter_of_a_tile_is_read_beside_what_stands_there(size: tuple[int, int]) -> None:
    """At 11 pixels, over every line and counter, crossed by no side of its hex; the booklet gives bocage none."""
    looked = 0
    for name in game("sherman_leader").positions():
        position = game("sherman_leader").position(name)
        view = fitted(position.grid, *size)
        room, written = Room(position, view), words(unit_names(position, view, LIGHT))
        tiles = [
            cell for cell, kind in position.terrain_of.items() if kind in ("heavy", "light", "water", "impassable")
        ]
        assert len(room.letters) == (len(tiles) if view.radius >= LABELLED else 0)
        counters = [box_at(item.x, item.y, item.size, item.size) for item in layout(position, view)]
        names = [letters(word) for word in words(names_drawing(position, view, LIGHT))]
        names += [
            box_at(x, y, text_width(text, tall, True), 0.76 * tall)
            for text, x, y, tall in (*(line for lines in room.alone.values() for line in lines), *room.names)
        ]
        for text, x, y, tall in room.letters:
            looked += 1
            assert tall >= 11
            assert any(word.text == text and (word.x, word.y) == (x, y) for word in written)
            drawn = box_at(x, y, text_width(text, tall, True), 0.76 * tall)
            assert any(Polygon(view.polygon(cell)).contains(box(*drawn)) for cell in tiles), (name, text)
            assert not any(overlap(drawn, other) for other in names), (name, text)
            hidden = sum(overlap(drawn, counter) for counter in counters)
            assert hidden <= 0.12 * overlap(drawn, drawn), (name, text, view.radius)
    assert looked or size == SMALL


@pytest.mark.parametrize("size", [STAGE, WIDE], ids=["stage", "wide"])
@pytest.mark.parametrize(
    ("name", "units"),
    [("tour-1-pz3", {"902", "921", "1111"}), ("tour-1", {"921", "Fusilier 1"}), ("serie", {"Peloton"})],
)
def test_in_a_cell_of_many_units_their_names_come_before_the_letter_of_its_tile(
    name: str, units: set[str], size: tuple[int, int]
) -> None:
    position = game("sherman_leader").position(name)
    room = Room(position, fitted(position.grid, *size))
    assert units <= {text for text, *_ in room.names} | set(room.alone)


@pytest.mark.parametrize("size", [SMALL, STAGE], ids=["small", "stage"])
@pytest.mark.parametrize("game_id", GAMES)
def test_a_unit_between_two_others_of_its_stack_is_named_only_with_them(game_id: str, size: tuple[int, int]) -> None:
    """Alone under the feet of the stack, its name is read as the whole stack's."""
    alone = []
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        placed, written = layout(position, view), {text for text, *_ in names_of(position, view)[1]}
        for at, item in enumerate(placed):
            rank, many = item.rank
            if 0 < rank < many - 1 and item.face.name in written:
                ends = placed[at - rank], placed[at - rank + many - 1]
                alone += [(name, item.face.name) for end in ends if not bears(end) and end.face.name not in written]
    assert not alone


@pytest.mark.parametrize("game_id", ["sherman_leader", "heroes_of_normandie"])
def test_on_a_phone_names_stand_apart(game_id: str) -> None:
    """A unit's name from hex names and from other units': side by side they would be read as one."""
    touching, looked = [], 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *PHONE)
        hexes = [letters(word) for word in words(names_drawing(position, view, LIGHT))]
        alone = [
            [box_at(x, y, text_width(text, tall, True), 0.76 * tall) for text, x, y, tall in lines]
            for lines in Room(position, view).alone.values()
        ]
        for unit in alone:
            others = [*hexes, *(line for other in alone if other is not unit for line in other)]
            looked += len(others)
            touching += [
                (name, line)
                for line in unit
                for other in others
                if max(line[0] - other[2], other[0] - line[2]) < 2.9 and max(line[1] - other[3], other[1] - line[3]) < 2
            ]
    assert looked
    assert not touching
