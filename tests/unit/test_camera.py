"""Where one looks on a board: whole, on the frame of what is asked, nearer; what is asked stays in sight."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.screen import send
from tutor.core.grid import HexGrid
from tutor.core.registry import GAMES, game, load_position
from tutor.course.lessons import exercises_of, lessons
from tutor.course.models import Example
from tutor.course.onboard import speaks_of
from tutor.course.shown import example_body, exercise_body
from widgets.board.board import Board
from widgets.board.bridge import Bridge
from widgets.board.camera import holding, is_large, moved, opening_view
from widgets.board.counters.layout import layout
from widgets.board.events import HexClicked
from widgets.board.layers import Cursor, LineOfSight
from widgets.board.paint.shapes import fitted
from widgets.classroom.projector import LargeBoard
from widgets.classroom.question import ExerciseQuestion
from widgets.host.page import Page

#: Places of a board on a desktop and on a phone, in CSS pixels.
PLACES = ((842, 619), (378, 342))
LARGE, SMALL = HexGrid(1, 33, 1, 10), HexGrid(1, 10, 1, 8)
SIDE = st.floats(0.05, 20.0)
PIXEL = st.floats(-400.0, 1200.0)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    """A large board that fits its place on a desktop; what it sends the page besides is dropped."""
    monkeypatch.setattr(Bridge, "send", lambda *_: None)
    made = Board(load_position("tcs", "fuite"), whole=True)
    send(made.bridge, {"type": "width", "board": made.id, "width": 842, "height": 619})
    return made


def look(board: Board, **words: Any) -> None:
    """The reader's gesture, as the page sends it."""
    send(board.bridge, {"type": "camera", "board": board.id, **words})


@pytest.mark.parametrize("size", PLACES)
@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_scene_speaks_of_is_whole_where_its_board_opens(game_id: str, size: tuple[int, int]) -> None:
    rules = game(game_id)
    for lesson in lessons(game_id):
        asked = [
            (rules.position(one.position).change(one.changes), one.with_, one)
            for one in lesson.blocks
            if isinstance(one, Example)
        ]
        asked += [(rules.position(one.position), one.with_, one) for one in exercises_of(game_id, lesson)]
        for position, arguments, form in asked:
            cells = speaks_of(position, arguments, form)
            view = opening_view(position.grid, size, cells)
            assert view.shows(cells), form.id
            assert view.width <= size[0], form.id
            assert view.height <= size[1], form.id
            assert all(placed.size > 23.5 for placed in layout(position, view)), form.id
            assert view.crop is None or is_large(position.grid), form.id


def test_a_board_of_ten_by_eight_opens_whole_and_a_larger_one_on_its_frame() -> None:
    assert opening_view(SMALL, PLACES[0], ["A1"]) == fitted(SMALL, *PLACES[0])
    near = opening_view(LARGE, PLACES[0], ["C3", "F5"])
    assert near.crop
    assert near.radius > 1.5 * fitted(LARGE, *PLACES[0]).radius


@pytest.mark.parametrize("size", PLACES)
def test_what_a_class_is_asked_is_whole_where_its_board_opens(size: tuple[int, int]) -> None:
    lesson = next(one for one in lessons("tcs") if one.id == "tcs-12-fuite")
    example = next(one for one in lesson.blocks if isinstance(one, Example))
    position = game("tcs").position(example.position).change(example.changes)
    body = exercise_body("tcs", "tcs-12-chemin", 0)
    asked = ExerciseQuestion(Page(), body, None, large=True).stage.board
    led = LargeBoard(Page(), example_body("tcs", lesson, example, position, example.with_)).stage.board
    for board in (asked, led):
        board.viewport.take_size(*size)
        named = board.viewport.facts["named"]
        assert isinstance(named, list)
        assert len(named) > 1
        assert board.drawing_view.crop
        assert board.drawing_view.shows(named)


@given(st.lists(st.tuples(SIDE, PIXEL, PIXEL, PIXEL, PIXEL), min_size=1, max_size=6))
def test_no_gesture_loses_the_board(gestures: list[tuple[float, float, float, float, float]]) -> None:
    size = PLACES[0]
    view = fitted(SMALL, *size)
    for factor, *pixels in gestures:
        view = moved(view, size, factor, (pixels[0], pixels[1]), (pixels[2], pixels[3]))
        assert fitted(SMALL, *size).radius <= view.radius <= 96
        assert any(view.shows([cell]) for cell in SMALL.cells)


@given(st.sampled_from(LARGE.cells), st.sampled_from(LARGE.cells))
def test_a_view_that_holds_cells_shows_them_and_comes_no_nearer(one: str, other: str) -> None:
    view = opening_view(LARGE, PLACES[0], ["C3", "F5"])
    wider = holding(view, PLACES[0], [one, other])
    assert wider.shows([one, other])
    assert wider.radius <= view.radius


def test_a_drag_of_the_map_keeps_what_is_under_the_pointer() -> None:
    near = moved(fitted(SMALL, *PLACES[0]), PLACES[0], 2.0, (421, 300), (421, 300))
    x, y = near.centre("E4")
    there = moved(near, PLACES[0], 1.0, (x, y), (x - 60, y + 25)).centre("E4")
    assert there == pytest.approx((x - 60, y + 25), abs=1)


def test_a_reader_comes_nearer_sees_all_of_it_and_goes_back(board: Board) -> None:
    board.aim(["02.03", "05.03"])
    framed = board.drawing_view
    assert board.bridge.boards[board.id]["camera"] == {
        "cropped": True,
        "home": True,
        "framed": True,
        "named": ["02.03", "05.03"],
    }
    look(board, factor=1.4, at=[400, 300], to=[400, 300])
    assert board.drawing_view.radius == pytest.approx(1.4 * framed.radius)
    assert not board.bridge.boards[board.id]["camera"]["home"]
    look(board, look="whole")
    assert board.drawing_view.crop is None
    look(board, look="home")
    assert board.drawing_view == framed
    assert board.bridge.boards[board.id]["corner"] == list(framed.corner)


def test_a_click_on_a_map_that_was_moved_finds_its_hex(board: Board) -> None:
    look(board, factor=1.6, at=[500, 300], to=[420, 280])
    heard: list[HexClicked] = []
    board.on(HexClicked, heard.append)
    x, y = board.drawing_view.centre("07.04")
    board.pointer.press(2 * x, 2 * y)
    assert [event.hex for event in heard] == ["07.04"]


def test_what_is_shown_or_reached_by_keys_comes_into_sight(board: Board) -> None:
    board.aim(["02.03", "05.03"])
    look(board, factor=1.8, at=[150, 400], to=[300, 300])
    assert not board.drawing_view.shows(["13.01"])
    board.show("cursor", Cursor("13.01"))
    assert board.drawing_view.shows(["13.01"])
    board.show("sight", LineOfSight("01.01", "13.05", "clear"))
    assert board.drawing_view.shows(["01.01", "13.05"])


def test_a_larger_window_keeps_the_middle_of_what_is_seen(board: Board) -> None:
    look(board, factor=2.0, at=[421, 310], to=[421, 310])
    middle = board.drawing_view.cell_at(421, 310)
    send(board.bridge, {"type": "width", "board": board.id, "width": 640, "height": 500})
    assert board.drawing_view.cell_at(320, 250) == middle
    assert (board.drawing_view.width, board.drawing_view.height) == (640, 500)
