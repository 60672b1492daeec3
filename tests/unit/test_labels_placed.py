"""Where labels stand on boards: over all that the lessons ask, no verdict hides a counter or a unit's name."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tests.asked import posed
from tutor.core.grid import split_side
from tutor.core.grids_half import HalfHexGrid
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from tutor.core.trace import hexes
from tutor.course.why import Posed
from widgets.board.counters.counters import pieces_drawing
from widgets.board.counters.layout import CARRIED, count_size, layout, stacks, weapon_place
from widgets.board.counters.names import Box
from widgets.board.layers import LineOfSight, Note, Outline, Selection, layers_for
from widgets.board.paint.labels import label_size, name_place, names_drawing, paint_labels, thinned
from widgets.board.paint.markers import legible, paint_markers, pill_width
from widgets.board.paint.overlays import over_drawing
from widgets.board.paint.placement import Room, box_at, overlap, works
from widgets.board.paint.places import place_paths
from widgets.board.paint.shapes import Drawing, View, Words, fitted, text_width
from widgets.board.paint.unit_names import unit_names
from widgets.board.palette import LIGHT
from widgets.board.svg import board_svg

#: Room for a board on a wide page and on a phone.
WIDE, PHONE = (780, 620), (374, 330)
#: On the stage of a lesson, in a window of 1280 by 720.
STAGE = (760, 560)
#: On the smallest phones.
SMALL = (300, 220)
#: Share of a label that may lie over counters and names: its rounded corners.
SLIVER = 0.05


def words(drawing: Drawing) -> list[Words]:
    """What a drawing writes."""
    return [shape for shape in drawing.shapes if isinstance(shape, Words)]


def letters(word: Words) -> Box:
    """The box of the letters of a text."""
    return box_at(word.x, word.y, text_width(word.text, word.size, word.bold), 0.76 * word.size)


def area_of(word: Words) -> float:
    """Area of the letters of a text."""
    return overlap(letters(word), letters(word))


def verdicts(one: Posed, view: View) -> list[Box]:
    """The boxes of the verdicts on the lines of sight, and of the notes, that a question of a lesson draws."""
    layers = tuple(layer for layer in layers_for(one.result, one.position) if isinstance(layer, LineOfSight | Note))
    return verdicts_of(layers, one.position, view)


def verdicts_of(layers: tuple[LineOfSight | Note, ...], position: Position, view: View) -> list[Box]:
    """The boxes of what layers say."""
    drawn = over_drawing(layers, position, view, LIGHT).shapes if layers else []
    words = [shape for shape in drawn if isinstance(shape, Words) and shape.halo is None]  # the ground's have one
    return [box_at(w.x, w.y, w.size * pill_width(w.text), w.size * 1.36) for w in words]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_no_verdict_hides_a_counter_or_a_name(game_id: str, size: tuple[int, int]) -> None:
    hidden, looked = [], 0
    for one in posed(game_id):
        if one.source != "leçon":
            continue
        view = fitted(one.position.grid, *size)
        for box in verdicts(one, view):
            looked += 1
            area = (box[2] - box[0]) * (box[3] - box[1])
            if Room(one.position, view).hidden(box) > SLIVER * area:
                hidden.append(one.where)
    assert looked
    assert not hidden


@pytest.mark.parametrize("game_id", GAMES)
def test_a_note_stands_beside_the_unit_of_its_hex(game_id: str) -> None:
    """A text of any length, as a notebook may write it; in a crowd it hides little."""
    hidden, looked = [], 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *WIDE)
        for cell in dict.fromkeys(one.at for one in position.pieces if one.at in position.grid):
            assert cell
            looked += 1
            (box,) = verdicts_of((Note(cell, "vus : 34 sur 34"),), position, view)
            x, y = view.centre(cell)
            assert box[0] - view.radius < x < box[2] + view.radius, name
            assert box[1] - view.radius < y < box[3] + view.radius, name
            if Room(position, view).hidden(box) > SLIVER * (box[2] - box[0]) * (box[3] - box[1]):
                hidden.append((name, cell))
    assert looked
    assert len(hidden) <= 0.1 * looked, hidden


@pytest.mark.parametrize("game_id", GAMES)
def test_names_of_hexes_thin_out_before_they_touch(game_id: str) -> None:
    for file in sorted((GAMES.facts(game_id).folder / "positions").glob("*.yaml")):
        position = game(game_id).position(file.stem)
        for size in (WIDE, (560, 400), PHONE, SMALL):
            view, drawing = fitted(position.grid, *size), Drawing()
            paint_labels(drawing, thinned(position.grid.cells, view), view, LIGHT)
            words = [shape for shape in drawing.shapes if isinstance(shape, Words)]
            assert words, (file.stem, size)
            assert min(word.size for word in words) >= 11
            places = [box_at(w.x, w.y, text_width(w.text, w.size), w.size) for w in words]
            touching = [
                (one.text, other.text)
                for (one, a), (other, b) in combinations(zip(words, places, strict=True), 2)
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
            ]
            assert not touching, (file.stem, size)


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_name_of_a_unit_hides_nothing_that_is_read(game_id: str, size: tuple[int, int]) -> None:
    """Alone or in a stack, on one line or two: no hex name, no height, no other counter, no count, no other name."""
    hidden, looked = [], 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        placed = layout(position, view)
        ground = names_drawing(position, view, LIGHT)
        markers = legible([one for one in game(game_id).shapes(position) if one.layer == "marker"], view)
        for over in (False, True):
            paint_markers(ground, markers, view, LIGHT, over=over)
        taken = [(word.text, letters(word)) for word in words(ground)]
        taken += [(item.face.id, box_at(item.x, item.y, item.size, item.size)) for item in placed]
        taken += [
            (f"{item.face.id} carries", box_at(*weapon_place(item, i), item.size * CARRIED, item.size * CARRIED))
            for item in placed
            for i in range(len(item.weapons))
        ]
        disc = 1.7 * count_size(view.radius)
        taken += [(f"×{item.count}", box_at(*item.count_at, disc, disc)) for item in placed if item.count]
        room = Room(position, view)
        named = [(unit, line) for unit, lines in room.alone.items() for line in lines]
        named += [("", line) for line in room.names]
        for unit, (text, x, y, tall) in named:
            looked += 1
            box = box_at(x, y, text_width(text, tall, True), 0.76 * tall)
            hidden += [(name, text, what) for what, other in taken if what != unit and overlap(box, other) > 2]
            taken.append((text, box))
    assert looked
    assert not hidden


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
def test_the_name_of_a_unit_stays_within_the_frame(size: tuple[int, int]) -> None:
    beyond = []
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            edge = View.MARGIN if isinstance(position.grid, HalfHexGrid) else 0.0
            for word in words(unit_names(position, view, LIGHT)):
                left, top, right, bottom = letters(word)
                if min(left, top, view.width - right, view.height - bottom) < edge:
                    beyond.append((game_id, name, word.text))
    assert not beyond


@pytest.mark.parametrize("size", [STAGE, PHONE], ids=["stage", "phone"])
def test_letters_name_the_smallest_counters(size: tuple[int, int]) -> None:
    """Lessons ask of « A » and « G » on a map of thirteen rows."""
    position = game("tcs").position("livret-ldv")
    named = Room(position, fitted(position.grid, *size)).alone
    assert {text for lines in named.values() for text, *_ in lines} == {piece.name for piece in position.pieces}


def test_the_name_of_a_unit_that_is_not_seen_is_not_drawn_in_to_the_edge() -> None:
    position = game("asl_sk").position("salve")
    view = fitted(position.grid, *WIDE)
    seen = replace(view, crop=(0, 0, round(view.width / 2), view.height))
    for item in layout(position, seen):
        lines = Room(position, seen).alone.get(item.face.id, ())
        if item.x > seen.width + item.size:
            assert all(x > seen.width for _, x, _, _ in lines), item.face.id


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
def test_what_says_how_many_a_stack_holds_hides_no_hex_name(size: tuple[int, int]) -> None:
    hidden, looked = [], 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            placed, disc = layout(position, view), 1.7 * count_size(view.radius)
            counters = [box_at(item.x, item.y, item.size, item.size) for item in placed]
            for item in placed:
                if not item.count:
                    continue
                looked += 1
                said = box_at(*item.count_at, disc, disc)
                for word in words(names_drawing(position, view, LIGHT)):
                    box = letters(word)
                    covered = sum(overlap(box, other) for other in counters) > 0.2 * overlap(box, box)
                    hidden += [(name, word.text)] if not covered and overlap(said, box) > 2 else []
    assert looked
    assert not hidden


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
def test_what_a_counter_carries_hides_no_hex_name(size: tuple[int, int]) -> None:
    hidden, looked = [], 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            written = words(names_drawing(position, view, LIGHT))
            for item in layout(position, view):
                for i in range(len(item.weapons)):
                    looked += 1
                    carried = box_at(*weapon_place(item, i), item.size * CARRIED, item.size * CARRIED)
                    hidden += [
                        (name, item.face.id, word.text, view.radius)
                        for word in written
                        if overlap(carried, letters(word)) > (0.05 if view.radius >= 24 else 0.2) * area_of(word)
                    ]
    assert looked
    assert not hidden


@pytest.mark.parametrize("size", [WIDE, (374, 480)], ids=["wide", "tall"])
def test_no_counter_alone_in_its_hex_hides_the_height_of_it(size: tuple[int, int]) -> None:
    looked = 0
    for name in game("tcs").positions():
        position = game("tcs").position(name)
        view = fitted(position.grid, *size)
        heights = [letters(w) for w in words(names_drawing(position, view, LIGHT)) if w.text not in position.grid]
        for item in layout(position, view):
            own = box_at(item.x, item.y, item.size, item.size)
            hidden = [overlap(own, box) for box in heights if overlap(own, box) > 0.1 * overlap(box, box)]
            looked += len(heights)
            assert item.rank != (0, 1) or not hidden, (name, item.face.id)
    assert looked


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_name_of_a_unit_in_a_stack_stands_beside_it_and_hides_nothing(game_id: str, size: tuple[int, int]) -> None:
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        stacked = [item for item in layout(position, view) if not item.room and item.face.name]
        counters = [box_at(item.x, item.y, item.size, item.size) for item in layout(position, view)]
        words = [
            box_at(*name_place(cell, view), text_width(cell, label_size(view)), label_size(view))
            for cell in thinned(position.grid.cells, view)
        ]
        for text, x, y, tall in Room(position, view).names:
            box = box_at(x, y, text_width(text, tall, True), 0.76 * tall)
            assert not any(overlap(box, other) for other in (*counters, *words)), (name, text)
            words.append(box)
            whose = {position.piece(item.face.id).at for item in stacked if item.face.name == text}
            near = [
                position.piece(item.face.id).at
                for item in layout(position, view)
                if overlap(
                    box_at(x, y, box[2] - box[0] + 12, box[3] - box[1] + 12),
                    box_at(item.x, item.y, item.size, item.size),
                )
            ]
            assert near, (name, text)
            assert set(near) <= whose, (name, text, "it would be read as another's")


@pytest.mark.parametrize(
    ("game_id", "name", "expected"),
    [
        ("asl_sk", "groupes", {"Squad C", "Leader 9-1"}),
        ("tcs", "livret-tir-zone", {"1er platoon", "Platoon à pied"}),
        ("sherman_leader", "tour-1", {"902", "501", "Tigre"}),
        ("combat_commander", "melee", {"Fusiliers"}),
    ],
)
def test_units_of_stacks_that_lessons_ask_about_are_named(game_id: str, name: str, expected: set[str]) -> None:
    position = game(game_id).position(name)
    assert {text for text, *_ in Room(position, fitted(position.grid, *WIDE)).names} >= expected


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE, SMALL], ids=["stage", "wide", "phone", "small"])
def test_no_counter_alone_cuts_the_name_of_its_cell(size: tuple[int, int]) -> None:
    """Counters are larger in small cells: names stand over their heads there, within the frame."""
    cut, looked = [], 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            names = {word.text: word for word in words(names_drawing(position, view, LIGHT))}
            edge = View.MARGIN if isinstance(position.grid, HalfHexGrid) else 0.0
            assert min(letters(word)[1] for word in names.values()) >= edge
            for item in layout(position, view):
                cell = position.piece(item.face.id).at
                if item.rank != (0, 1) or cell not in names:
                    continue
                looked += 1
                own, box = box_at(item.x, item.y, item.size, item.size), letters(names[cell])
                depth = overlap(own, box) / (box[2] - box[0])
                if depth > (0.3 if view.radius >= 16 else 1.0):  # names thin out there; two counters leave 7 px
                    cut.append((game_id, name, cell, depth))
    assert looked
    assert not cut


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
def test_two_stacks_in_a_hex_cut_no_name_of_a_hex_beside_it(size: tuple[int, int]) -> None:
    looked, cut = 0, []
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            pairs = [cell for cell, pieces in stacks(position).items() if len({piece.side for piece in pieces}) == 2]
            for item in layout(position, view):
                cell = position.piece(item.face.id).at
                if cell not in pairs:
                    continue
                looked += 1
                own = box_at(item.x, item.y, item.size, item.size)
                for word in words(names_drawing(position, view, LIGHT)):
                    if word.text != cell and overlap(own, letters(word)) > 0.15 * area_of(word):
                        cut.append((name, item.face.id, word.text))
    assert looked
    assert not cut


@pytest.mark.parametrize("game_id", GAMES)
def test_a_state_written_on_a_counter_hides_no_hex_name(game_id: str) -> None:
    """On hexes under 30 px, that counters nearly fill, it covers an eighth of one at most."""
    hidden, looked = [], 0
    for size in [STAGE, PHONE]:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            placed = layout(position, view)
            states = {tag.text for item in placed if item.face.look for tag in item.face.look.tags}
            for word in words(pieces_drawing(position, view, LIGHT)):
                if word.text not in states:
                    continue
                looked += 1
                tag = box_at(word.x, word.y, text_width(word.text, word.size, True), 1.2 * word.size)
                hidden += [
                    (name, word.text, other.text)
                    for other in words(names_drawing(position, view, LIGHT))
                    if overlap(tag, letters(other)) > (4 if view.radius >= 30 else 0.12 * area_of(other))
                ]
    assert looked or game_id in ("combat_commander", "sherman_leader")
    assert not hidden


def test_the_number_of_an_objective_stands_clear_of_a_counter_and_over_a_stack() -> None:
    position = game("combat_commander").position("objectifs")
    view = fitted(position.grid, *PHONE)
    stacked = {"B2"}
    drawing = Drawing()
    shapes = [shape for shape in game("combat_commander").shapes(position) if shape.kind == "objective"]
    paint_markers(drawing, shapes, view, LIGHT, over=True)
    numbers = {
        shape.text: box_at(shape.x, shape.y, shape.size, shape.size)
        for shape in drawing.shapes
        if isinstance(shape, Words)
    }
    assert set(numbers) == {str(number) for number in position.markers["objective"].values()}
    for cell, number in position.markers["objective"].items():
        counters = [box_at(i.x, i.y, i.size, i.size) for i in layout(position, view)]
        covered = any(overlap(numbers[str(number)], box) for box in counters)
        assert covered == (cell in stacked), cell


def test_what_tiles_write_is_drawn_once() -> None:
    position = game("heroes_of_normandie").position("batiment")
    svg = board_svg(position, ground="inline")
    assert svg.count(">pièce ") == len(position.markers["room"])
    bare = position.model_copy(update={"ways": {}, "markers": {**position.markers, "half": {"E1": 1}}})
    assert board_svg(bare, ground="inline").count(">½<") == 1


def test_an_outline_hides_no_wall() -> None:
    position = game("heroes_of_normandie").position("releve")
    view = fitted(position.grid, *PHONE)
    (side,) = position.sides_of
    a, b = view.path(position.grid.side_points(position.canonical_side(side)))
    cells = split_side(side)
    outlines, _ = place_paths(hexes(*cells), position, view)
    thick = 0.06 * view.radius  # half an outline with its paper edge
    assert a[0] == b[0]
    for path in outlines:
        assert min(abs(x - a[0]) for x, _ in path) - thick > 0.05 * view.radius


@pytest.mark.parametrize(("game_id", "name"), [("combat_commander", "ldv-lisiere"), ("heroes_of_normandie", "releve")])
def test_the_name_of_an_outlined_hex_is_written_over_its_outline(game_id: str, name: str) -> None:
    position = game(game_id).position(name)
    drawn = over_drawing([Outline(hexes("D2", "E2"), "olive")], position, fitted(position.grid, *WIDE), LIGHT).shapes
    assert [shape.text for shape in drawn[-2:] if isinstance(shape, Words)] == ["D2", "E2"]


@pytest.mark.parametrize(
    ("game_id", "name", "cell", "height"),
    [
        ("tcs", "livret-ldv", "01.04", "20\u00a0↗75\u00a0%"),
        ("asl_sk", "crete", "N2", "▴1"),
    ],
)
def test_the_height_of_a_hex_that_is_chosen_is_written_over_what_marks_it(
    game_id: str, name: str, cell: str, height: str
) -> None:
    position = game(game_id).position(name)
    view = View(position.grid, 48.0)
    for layer in (Selection((cell,)), Outline(hexes(cell), "olive")):
        drawn = over_drawing([layer], position, view, LIGHT).shapes
        assert [shape.text for shape in drawn[-2:] if isinstance(shape, Words)] == [height, cell]


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
def test_the_name_of_a_unit_in_a_stack_is_not_written_over_wire_or_mines(size: tuple[int, int]) -> None:
    blotted, looked = [], 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            built = list(works(position, view))
            for text, x, y, tall in Room(position, view).names if built else ():
                looked += 1
                box = box_at(x, y, text_width(text, tall, True), 0.76 * tall)
                blotted += [(name, text) for work in built if overlap(box, work) > 1]
    assert looked
    assert not blotted


@pytest.mark.parametrize("size", [WIDE, PHONE, (300, 600)], ids=["wide", "phone", "narrow"])
def test_the_name_of_a_unit_alone_touches_no_wire_or_mines(size: tuple[int, int]) -> None:
    """What its own counter covers apart: of that, nothing is read."""
    blotted, looked = [], 0
    for name in ("fortifications", "evenements", "artillerie"):
        position = game("combat_commander").position(name)
        view = fitted(position.grid, *size)
        room, built = Room(position, view), list(works(position, view))
        for item in layout(position, view):
            own = box_at(item.x, item.y, item.size, item.size)
            seen = [work for work in built if 2 * overlap(work, own) < overlap(work, work)]
            for text, x, y, tall in room.alone.get(item.face.id, ()):
                looked += len(seen)
                box = box_at(x, y, text_width(text, tall, True), 0.5 * tall)
                blotted += [(name, text) for work in seen if overlap(box, work)]
    assert looked
    assert not blotted


@pytest.mark.parametrize("size", [STAGE, WIDE, PHONE], ids=["stage", "wide", "phone"])
def test_the_name_of_a_unit_stands_on_no_more_than_the_foot_of_its_counter(size: tuple[int, int]) -> None:
    hidden, looked = [], 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            alone = Room(position, view).alone
            for item in layout(position, view):
                for text, x, y, tall in alone.get(item.face.id, ()):
                    looked += 1
                    box = box_at(x, y, text_width(text, tall, True), 0.76 * tall)
                    own = box_at(item.x, item.y, item.size, item.size)
                    if overlap(box, own) and own[3] - box[1] > 0.7 * tall:
                        hidden.append((name, text))
    assert looked
    assert not hidden


def test_on_a_phone_each_of_several_marks_stands_in_its_own_empty_square() -> None:
    """Three squares side by side were missed: a mark that slid out of its own was read as the next one's."""
    position = game("heroes_of_normandie").position("muret")
    view = fitted(position.grid, *PHONE)
    marks = [Note(cell, "oubliée", "good") for cell in ("C3", "C4", "D3", "E3")]
    drawn = words(over_drawing(marks, position, view, LIGHT))
    for mark in marks:
        inside = [word for word in drawn if word.text == mark.text and view.cell_at(word.x, word.y) == mark.hex]
        assert len(inside) == 1, mark.hex
