"""What answers draw leaves names, values and verdicts to be read: over the lessons' own questions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import hypot

import pytest

from tests.asked import posed
from tests.unit.test_labels_placed import PHONE, SMALL, STAGE, WIDE, letters, words
from tutor.core.registry import GAMES, game
from tutor.course.why import Posed
from widgets.board.camera import opening_view
from widgets.board.counters.layout import layout
from widgets.board.layers import Fire, Heat, LineOfSight, Path, Rays, Tint, layers_for
from widgets.board.paint.lines import cross_box
from widgets.board.paint.markers import pill_width
from widgets.board.paint.overlays import over_drawing
from widgets.board.paint.placement import box_at, crosses, names_borne, overlap
from widgets.board.paint.rays import ray_ends
from widgets.board.paint.shapes import Discs, Polygons, View, fitted
from widgets.board.palette import LIGHT

#: Where no line of a lesson is crossed out on a small board: those of Heroes are all clear or hindered, what is hidden
#: being refused without a line, and the boards of Sherman Leader are large enough on a phone.
NO_CROSS = {("heroes_of_normandie", PHONE), ("heroes_of_normandie", SMALL), ("sherman_leader", PHONE)}


def on_small_boards(game_id: str, size: tuple[int, int]) -> Iterator[tuple[Posed, View]]:
    """What a game's lessons ask where hexes are so small that their names stand in boxes, with the board's view."""
    for one in posed(game_id):
        view = fitted(one.position.grid, *size)
        if one.source == "leçon" and view.radius < 24:
            yield one, view


@pytest.mark.parametrize("size", [STAGE, PHONE], ids=["stage", "phone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_name_of_a_hex_is_written_over_what_crosses_or_tints_it(game_id: str, size: tuple[int, int]) -> None:
    missing, looked = [], 0
    for one in posed(game_id):
        layers = layers_for(one.result, one.position) if one.source == "leçon" else ()
        view = fitted(one.position.grid, *size)
        borne, over = names_borne(one.position, view), set()
        for layer in layers:
            pairs = []
            if isinstance(layer, LineOfSight):
                pairs = [(layer.start, layer.end)]
            elif isinstance(layer, Fire | Rays):
                pairs = [(start, layer.target) for start in layer.starts]
            elif isinstance(layer, Path):
                pairs = list(zip(layer.hexes, layer.hexes[1:], strict=False))
            elif isinstance(layer, Tint):
                over |= {cell for cell in layer.hexes if cell in borne}
            lines = [(view.centre(a), view.centre(b)) for a, b in pairs]
            over |= {cell for cell, box in borne.items() if any(crosses(*line, box) for line in lines)}
        written = {word.text for word in words(over_drawing(layers, one.position, view, LIGHT)) if word.halo}
        looked += len(over)
        missing += [(one.where, cell) for cell in sorted(over - written)]
    assert looked
    assert not missing


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("game_id", GAMES)
def test_on_a_small_board_names_in_boxes_hide_no_verdict_and_hardly_a_counter(
    game_id: str, size: tuple[int, int]
) -> None:
    hidden, looked = [], 0
    for one, view in on_small_boards(game_id, size):
        layers = layers_for(one.result, one.position)
        drawn = words(over_drawing(layers, one.position, view, LIGHT, labels=False))
        pills = [
            (word, box_at(word.x, word.y, word.size * pill_width(word.text), 1.36 * word.size))
            for word in drawn
            if not word.halo and word.align == "center" and word.bold
        ]
        counters = [box_at(item.x, item.y, item.size, item.size) for item in layout(one.position, view)]
        for (word, a), (other, b) in combinations(pills, 2):
            if overlap(a, b) > 0.05 * min(overlap(a, a), overlap(b, b)):
                hidden.append((one.where, word.text, other.text))
        for word, box in pills:
            if word.text not in one.position.grid:
                continue
            looked += 1
            if sum(overlap(letters(word), counter) for counter in counters) > 0.2 * overlap(
                letters(word), letters(word)
            ):
                hidden.append((one.where, word.text, "pion"))
            assert overlap(box, (0, 0, view.width, view.height)) > 0.9 * overlap(box, box), (one.where, word.text)
    assert len(hidden) <= 0.015 * looked, (looked, hidden)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("game_id", GAMES)
def test_the_cross_where_a_line_stops_is_hidden_by_no_name_in_a_box(game_id: str, size: tuple[int, int]) -> None:
    hidden, looked = [], 0
    for one, view in on_small_boards(game_id, size):
        layers = layers_for(one.result, one.position)
        crossed = [box for layer in layers if isinstance(layer, LineOfSight) and (box := cross_box(layer, view))]
        looked += len(crossed)
        for word in words(over_drawing(layers, one.position, view, LIGHT, labels=False)) if crossed else ():
            if word.text in one.position.grid and not word.halo:
                pill = box_at(word.x, word.y, word.size * pill_width(word.text), 1.36 * word.size)
                hidden += [(one.where, word.text) for box in crossed if overlap(pill, box) > 0.15 * overlap(box, box)]
    assert bool(looked) == ((game_id, size) not in NO_CROSS)
    assert len(hidden) <= 0.03 * looked, (looked, hidden)


def test_the_name_in_a_box_away_from_its_hex_is_tied_to_it() -> None:
    looked = 0
    for one, view in on_small_boards("tcs", PHONE):
        drawn = over_drawing(layers_for(one.result, one.position), one.position, view, LIGHT, labels=False)
        ties = [s.paths[0][0] for s in drawn.shapes if isinstance(s, Polygons) and not s.closed]
        for word in words(drawn):
            if word.text not in one.position.grid or word.halo:
                continue
            x, y = view.centre(word.text)
            if hypot(word.x - x, word.y - y) > view.radius and abs(word.x - x) > 0.5 * view.radius:
                looked += 1
                assert any(at == pytest.approx((word.x, word.y), abs=1) for at in ties), (one.where, word.text)
    assert looked


@pytest.mark.parametrize("size", [STAGE, PHONE], ids=["stage", "phone"])
@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_heat_map_counts_is_read_beside_counters(game_id: str, size: tuple[int, int]) -> None:
    hidden, struck, looked = [], [], 0
    for name in game(game_id).positions():
        position = game(game_id).position(name)
        view = fitted(position.grid, *size)
        cells = [cell for cell in dict.fromkeys(piece.at for piece in position.pieces) if cell in position.grid]
        heat = Heat(tuple((cell, 0.5, str(10 + i)) for i, cell in enumerate(filter(None, cells))))
        counters = [box_at(item.x, item.y, item.size, item.size) for item in layout(position, view)]
        said = [word for word in words(over_drawing((heat,), position, view, LIGHT)) if not word.halo]
        assert len(said) == len(cells)
        looked += len(said)
        hidden += [(name, w.text) for w in said if any(overlap(letters(w), box) > 2 for box in counters)]
        threads = [
            s.paths[0]
            for s in over_drawing((heat,), position, view, LIGHT).shapes
            if isinstance(s, Polygons) and not s.closed
        ]
        for word, (cell, _, _) in zip(said, heat.values, strict=True):
            x, y = view.centre(cell)
            near = hypot(word.x - x, word.y - y) <= 0.95 * view.radius
            assert near or any(path[0] == pytest.approx((word.x, word.y), abs=1) for path in threads), (name, cell)
        boxes = [box_at(item.x, item.y, item.size - 2, item.size - 2) for item in layout(position, view)]
        own = [
            (path, cell)
            for path in threads
            for word, (cell, _, _) in zip(said, heat.values, strict=True)
            if path[0] == pytest.approx((word.x, word.y), abs=1)
        ]
        struck += [
            (name, cell)
            for path, cell in own
            for box in boxes
            if crosses(path[0], path[1], box)
            and hypot((box[0] + box[2]) / 2 - view.centre(cell)[0], (box[1] + box[3]) / 2 - view.centre(cell)[1])
            < view.radius
            and not crosses(path[0], path[0], box)
        ]
    assert len(hidden) <= 0.05 * looked, hidden
    assert not struck, "the values of a counter are read, not crossed out"


@pytest.mark.parametrize("layer", [Heat((("01.04", 0.9, "3"),)), Tint(("01.04",), "olive")], ids=["heat", "tint"])
def test_the_height_of_a_tinted_hex_is_written_over_its_tint(layer: Heat | Tint) -> None:
    position = game("tcs").position("livret-ldv")
    drawn = words(over_drawing((layer,), position, View(position.grid, 48.0), LIGHT))
    assert "20\u00a0↗75\u00a0%" in [word.text for word in drawn if word.halo]


@pytest.mark.parametrize("size", [STAGE, PHONE], ids=["stage", "phone"])
def test_the_number_of_each_ray_that_counts_is_seen_in_the_frame_of_its_question(size: tuple[int, int]) -> None:
    """On its ray, in the frame, and over no counter where its ray leaves room for it."""
    looked, over = 0, []
    for one in posed("tcs"):
        for layer in layers_for(one.result, one.position) if one.source != "cas" else ():
            if not isinstance(layer, Rays) or not layer.counted:
                continue
            view = opening_view(one.position.grid, size, [layer.target, *layer.starts])
            (cx, cy), ends = view.centre(layer.target), ray_ends(layer, view)
            drawn = words(over_drawing((layer,), one.position, view, LIGHT))
            numbers = [word for word in drawn if word.text.isdigit() and not word.halo]
            assert len(numbers) == len(layer.counted)
            counters = [box_at(item.x, item.y, item.size, item.size) for item in layout(one.position, view)]
            for word in numbers:
                looked += 1
                assert 8 < word.x < view.width - 8, one.where
                assert 8 < word.y < view.height - 8, one.where
                dx, dy = word.x - cx, word.y - cy
                assert min(abs(dx * (y - cy) - dy * (x - cx)) / hypot(x - cx, y - cy) for x, y in ends) < 1, one.where
                over += [(one.where, word.text) for box in counters if overlap(letters(word), box) > 1]
    assert looked
    assert len(over) <= 0.02 * looked, over


@pytest.mark.parametrize("size", [STAGE, PHONE, WIDE], ids=["stage", "phone", "wide"])
def test_the_numbers_and_the_count_of_rays_stand_off_the_names_of_hexes(size: tuple[int, int]) -> None:
    looked, over = 0, []
    for one in posed("tcs"):
        for layer in layers_for(one.result, one.position) if one.source == "leçon" else ():
            if not isinstance(layer, Rays) or not layer.counted:
                continue
            view = fitted(one.position.grid, *size)
            drawing = over_drawing((layer,), one.position, view, LIGHT)
            discs = [item for shape in drawing.shapes if isinstance(shape, Discs) for item in shape.items]
            boxes = [box_at(x, y, 1.6 * q, 1.6 * q) for x, y, q, _ in discs]
            boxes += [letters(word) for word in words(drawing) if word.text == layer.note]
            names = names_borne(one.position, view)
            for box in boxes:
                looked += 1
                over += [(one.where, cell) for cell, name in names.items() if overlap(name, box) > 2]
            assert len(ray_ends(layer, view)) == len(layer.directions)
    assert looked
    assert len(over) <= 0.04 * looked, over
