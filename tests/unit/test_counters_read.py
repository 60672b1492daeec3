"""What counters bear: values that stand apart, letters on their discs, nothing that another counter cuts."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot

import pytest

from tests.unit.test_labels_placed import PHONE, SMALL, STAGE, WIDE, area_of, letters, words
from tutor.core.registry import GAMES, game
from widgets.board.counters.counters import paint_counter, paint_weapons
from widgets.board.counters.face import face
from widgets.board.counters.layout import CARRIED, Placed, count_size, layout, weapon_place
from widgets.board.paint.labels import names_drawing
from widgets.board.paint.markers import paint_markers
from widgets.board.paint.placement import box_at, overlap
from widgets.board.paint.shapes import Discs, Drawing, Polygons, fitted
from widgets.board.palette import LIGHT


@pytest.mark.parametrize("game_id", GAMES)
def test_a_carried_weapon_hides_no_value_of_its_carrier(game_id: str) -> None:
    """Values stand within 0.46 of a side from the middle."""
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        for item in layout(position, fitted(position.grid, *WIDE)):
            for i in range(len(item.weapons)):
                assert abs(weapon_place(item, i)[0] - item.x) >= (0.46 + CARRIED / 2) * item.size, (name, item.face.id)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
def test_what_hangs_at_a_corner_of_its_carrier_is_linked_to_it(size: tuple[int, int]) -> None:
    """And the link stays off the values: above the strip at the foot, below what stands at the head."""
    looked = 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            for item in (item for item in layout(position, fitted(position.grid, *size)) if item.weapons):
                places = [weapon_place(item, i) for i in range(len(item.weapons))]
                loose, plain = Drawing(), Drawing()
                paint_weapons(loose, item, LIGHT)
                paint_weapons(plain, replace(item, weapon_down=0.02), LIGHT)
                links = loose.shapes[: len(loose.shapes) - len(plain.shapes)]
                hung = max(0.5 * item.size + CARRIED * item.size / 2 - abs(y - item.y) for _, y in places)
                assert bool(links) == (hung < 0.5 * item.size - 1e-9), (name, item.face.id)
                for x, y in (xy for one in links if isinstance(one, Polygons) for path in one.paths for xy in path):
                    looked += 1
                    beyond = abs(x - item.x) > 0.5 * item.size
                    assert beyond or -0.2 <= (y - item.y) / item.size <= 0.2, (name, item.face.id)
    assert looked


@pytest.mark.parametrize("size", [STAGE, PHONE, SMALL], ids=["stage", "phone", "small"])
@pytest.mark.parametrize("game_id", GAMES)
def test_values_of_a_counter_stand_apart_and_within_it(game_id: str, size: tuple[int, int]) -> None:
    """Of what it carries, half-size, too; where they cannot, the lens says them."""
    faults: list[tuple[str, ...]] = []
    looked = 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        for item in layout(position, fitted(position.grid, *size)):
            whole = [(item.face, item.x, item.y, item.size)]
            whole += [(one, *weapon_place(item, i), item.size * CARRIED) for i, one in enumerate(item.weapons)]
            for shown, x, y, side in whole:
                drawing = Drawing()
                paint_counter(drawing, Placed(replace(shown, broken=False), x, y, side), LIGHT)
                values = [
                    word
                    for word in words(drawing)
                    if word.y > y + 0.1 * side or (not shown.look and word.text == str(shown.morale))
                ]
                looked += len(values)
                boxes = [(word.text, letters(word)) for word in values]
                faults += [(name, a, b) for (a, one), (b, other) in combinations(boxes, 2) if overlap(one, other)]
                faults += [(name, a) for a, box in boxes if max(x - box[0], box[2] - x) > 0.5 * side + 0.1]
    assert looked or (game_id, size) == ("heroes_of_normandie", SMALL)
    assert not faults


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_says_how_many_a_stack_holds_hides_no_value_of_its_uppermost_counter(size: tuple[int, int]) -> None:
    looked = 0
    for game_id in GAMES:
        for name in game(game_id).positions():
            position = game(game_id).position(name)
            view = fitted(position.grid, *size)
            for item in layout(position, view):
                if not item.count:
                    continue
                looked += 1
                x, y = item.count_at
                corner = box_at(item.x + 0.33 * item.size, item.y - 0.29 * item.size, 0.2 * item.size, 0.24 * item.size)
                dx, dy = (
                    max(low - at, at - high, 0.0) for low, at, high in zip(corner[:2], (x, y), corner[2:], strict=True)
                )
                assert hypot(dx, dy) > 0.8 * count_size(view.radius), (name, item.face.id)
    assert looked > 10


def test_steps_stand_over_the_values_of_a_small_counter() -> None:
    for size in (STAGE, PHONE):
        for name in game("tcs").positions():
            position = game("tcs").position(name)
            view = fitted(position.grid, *size)
            alone = [item for item in layout(position, view) if item.rank == (0, 1) and not item.weapons]
            for item in alone:
                look, drawing = item.face.look, Drawing()
                if not look or not look.foot or not sum(look.pips):
                    continue
                paint_counter(drawing, item, LIGHT)
                pips = [
                    y + radius
                    for shape in drawing.shapes
                    if isinstance(shape, Discs)
                    for _, y, radius, _ in shape.items
                    if abs(radius - 0.045 * item.size) < 1e-6
                ]
                values = [letters(word)[1] for word in words(drawing) if word.y > item.y]  # states stand above
                assert len(pips) == sum(look.pips), (name, item.face.id)
                assert max(pips) <= min(values, default=item.y + item.size / 2) + 1, (name, item.face.id)


def test_a_counter_under_others_writes_nothing_over_them() -> None:
    position = game("sherman_leader").position("tour-1")
    alone = face(position, position.piece("u921"))
    (shown,) = (item.face for item in layout(position, fitted(position.grid, *WIDE)) if item.face.id == "u921")
    assert alone.look
    assert shown.look
    assert alone.look.tags
    assert not shown.look.tags


@pytest.mark.parametrize("size", [STAGE, PHONE, SMALL], ids=["stage", "phone", "small"])
def test_what_is_written_on_a_head_stands_on_its_disc_or_its_strip(size: tuple[int, int]) -> None:
    """Letters grow on small counters, and what bears them."""
    spilt, looked = [], 0
    for name in game("heroes_of_normandie").positions():
        position = game("heroes_of_normandie").position(name)
        for item in layout(position, fitted(position.grid, *size)):
            look, drawing = item.face.look, Drawing()
            assert look
            paint_counter(drawing, item, LIGHT)
            borne = {item.face.name, look.corner.text if look.corner else ""}
            under = [
                box_at(x, y, 2 * radius, 2 * radius)
                for shape in drawing.shapes
                if isinstance(shape, Discs)
                for x, y, radius, _ in shape.items
            ]
            for shape in drawing.shapes:
                if isinstance(shape, Polygons) and shape.fill in (LIGHT.axis, LIGHT.allies, LIGHT.broken):
                    xs, ys = zip(*shape.paths[0], strict=True)
                    under.append((min(xs), min(ys), max(xs), max(ys)))
            for word in words(drawing):
                if word.text not in borne:
                    continue
                looked += 1
                if max(overlap(letters(word), box) for box in under) < 0.97 * area_of(word):
                    spilt.append((name, word.text))
    assert looked
    assert not spilt


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
def test_a_state_is_not_cut_by_the_counter_of_the_other_side(size: tuple[int, int]) -> None:
    position = game("heroes_of_normandie").position("cheminee")
    placed = layout(position, fitted(position.grid, *size))
    (item,) = (one for one in placed if one.face.look and one.face.look.tags)
    (other,) = (one for one in placed if one.y == item.y and 0 < one.x - item.x < item.size)
    drawing = Drawing()
    paint_counter(drawing, item, LIGHT)
    (state,) = (word for word in words(drawing) if word.text == "Étage")
    assert letters(state)[2] < other.x - other.size / 2


@pytest.mark.parametrize("size", [STAGE, PHONE, SMALL], ids=["stage", "phone", "small"])
@pytest.mark.parametrize("name", ["ralliement", "reprise"])
def test_a_state_is_not_cut_by_the_counter_that_lies_over_its_own(name: str, size: tuple[int, int]) -> None:
    position = game("asl_sk").position(name)
    placed = layout(position, fitted(position.grid, *size))
    looked = 0
    for lower, upper in pairwise(placed):
        if lower.rank == (0, 2) and upper.rank == (1, 2) and lower.face.look and lower.face.look.tags:
            drawing = Drawing()
            paint_counter(drawing, replace(lower, face=replace(lower.face, broken=False)), LIGHT)
            (state,) = (word for word in words(drawing) if word.text == lower.face.look.tags[0].text)
            looked += 1
            assert letters(state)[2] < upper.x - upper.size / 2 + 0.5
    assert looked


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("game_id", [one for one in GAMES if one not in ("combat_commander", "sherman_leader")])
def test_a_state_leaves_the_values_of_a_small_counter_and_half_of_its_picture(
    game_id: str, size: tuple[int, int]
) -> None:
    looked, hidden = 0, []
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        for item in layout(position, fitted(position.grid, *size)):
            look = item.face.look
            if not look or not look.tags or item.face.broken or item.size < 18:
                continue
            drawn, bare = Drawing(), Drawing()
            paint_counter(drawn, item, LIGHT)
            paint_counter(bare, replace(item, face=replace(item.face, look=replace(look, tags=()))), LIGHT)
            boxes = [one for one in drawn.shapes[len(bare.shapes) :] if isinstance(one, Polygons)]
            values = [letters(word) for word in words(bare) if word.y > item.y]
            for path in (path for one in boxes for path in one.paths):
                left, right = min(x for x, _ in path), max(x for x, _ in path)
                top, bottom = min(y for _, y in path), max(y for _, y in path)
                looked += 1
                hidden += [(name, item.face.id) for box in values if overlap((left, top, right, bottom), box)]
                hidden += [(name, item.face.id, bottom)] if bottom > item.y + 0.02 * item.size else []
    assert looked
    assert not hidden


@pytest.mark.parametrize("size", [WIDE, PHONE, SMALL], ids=["wide", "phone", "small"])
@pytest.mark.parametrize("order", ["move", "op_fire", "advance"])
@pytest.mark.parametrize("status", [(), ("suppressed",)], ids=["well", "suppressed"])
def test_what_a_unit_was_activated_for_is_read_and_hides_neither_values_nor_names(
    order: str, status: tuple[str, ...], size: tuple[int, int]
) -> None:
    position = game("combat_commander").position("tir-op-gue")
    position = position.change({"piece.garde.activated": order, **{f"piece.garde.status.{s}": True for s in status}})
    view = fitted(position.grid, *size)
    (item,) = (one for one in layout(position, view) if one.face.id == "garde")
    drawn, plain = Drawing(), Drawing()
    paint_counter(drawn, item, LIGHT)
    paint_counter(plain, replace(item, face=replace(item.face, activated="")), LIGHT)
    known = words(plain)
    (said,) = (word for word in words(drawn) if word not in known)
    assert said.text == {"move": "Mvt", "op_fire": "Op", "advance": "Prog"}[order]
    assert said.size >= 9.5
    read = [letters(word) for word in known] + [letters(word) for word in words(names_drawing(position, view, LIGHT))]
    assert not [box for box in read if overlap(letters(said), box)]


@pytest.mark.parametrize("size", [SMALL, PHONE, STAGE, WIDE], ids=["small", "phone", "stage", "wide"])
def test_the_firepower_left_in_a_hex_is_read(size: tuple[int, int]) -> None:
    for name in ("defense", "marche"):
        position = game("asl_sk").position(name)
        view, drawing = fitted(position.grid, *size), Drawing()
        paint_markers(drawing, [s for s in game("asl_sk").shapes(position) if s.kind == "residual"], view, LIGHT)
        written = words(drawing)
        assert written
        assert min(word.size for word in written) >= 9.5
        (value,) = (word for word in written if word.text != "FP")
        for item in layout(position, view):
            box = box_at(item.x, item.y, item.size, item.size)
            assert overlap(letters(value), box) <= 0.1 * area_of(value), (name, item.face.name)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_two_values_of_a_weapon_are_not_read_as_one_number(size: tuple[int, int]) -> None:
    """A line parts them where they are close, or the box of one of them."""
    looked = 0
    for name in game("combat_commander").positions():
        position = game("combat_commander").position(name)
        for item in layout(position, fitted(position.grid, *size)):
            for i, weapon in enumerate(item.weapons):
                drawing = Drawing()
                paint_counter(
                    drawing, Placed(replace(weapon, broken=False), *weapon_place(item, i), 0.54 * item.size), LIGHT
                )
                y = weapon_place(item, i)[1]
                values = sorted((word for word in words(drawing) if word.y > y), key=lambda word: word.x)
                boxed = len(weapon.boxed & {"fp", "range"})
                if len(values) != 2 or boxed == 1:
                    continue
                left, right = letters(values[0])[2], letters(values[1])[0]
                lines = [s.paths[0] for s in drawing.shapes if isinstance(s, Polygons) and not s.closed]
                parted = [path for path in lines if path[0][0] == path[-1][0] and left <= path[0][0] <= right]
                looked += bool(parted)
                assert parted or right - left >= 0.45 * values[0].size, (name, weapon.id)
    assert looked or size == WIDE
