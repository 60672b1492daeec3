"""While a unit is dragged: line, verdict, steps and odds are those of the place where it is; let go, those of the board."""

from __future__ import annotations

import pytest

from tests.screen import words
from tutor.core.position import Position
from widgets.board.board import Board
from widgets.board.canvas import SCALE
from widgets.board.events import HexClicked, PieceDragged, PieceDropped
from widgets.board.layers import LineOfSight
from widgets.host.page import Page
from widgets.pages.free_board import Sandbox
from widgets.pages.lesson import lesson
from widgets.player.example import ExamplePlayer
from widgets.player.lesson import LessonPage

CC = "combat_commander"


def player(lesson_id: str, example: str) -> ExamplePlayer:
    """An example of a lesson, its question answered."""
    parts = lesson(CC, lesson_id)
    parts.opening()
    parts.examples()
    parts.closing()
    assert isinstance(parts.page, LessonPage)
    return parts.page.players[example]


def line(board: Board) -> LineOfSight:
    """The line of sight that a board shows."""
    return next(layer for layer in board.layers if isinstance(layer, LineOfSight))


def shown(one: ExamplePlayer) -> tuple[object, str, str, Position]:
    """What is said beside a board, and what stands on it."""
    return one.stage.board.layers, one.stage.verdict.view.value, one.stage.trace.view.value, one.position


def test_line_and_verdict_follow_a_unit_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    one = player("cc-04-ldv", "lisiere")
    one.disclose(True)
    board, before = one.stage.board, shown(one)
    said: list[str] = []
    monkeypatch.setattr(type(one.page.bridge), "say", lambda _, sentence: said.append(sentence))
    board.emit(PieceDragged("krylov", "E4"))
    assert (line(board).end, line(board).state) == ("E4", "clear")
    assert 'data-outcome="clear"' in one.stage.verdict.view.value
    assert one.position.hex_of("krylov") == "F2", "nothing moves before it is put down"
    assert not one.changed
    assert said == [], "a drag in progress is not announced"
    board.emit(PieceDragged("krylov", None))
    assert shown(one) == before


def test_before_the_answer_only_the_ends_follow() -> None:
    one = player("cc-04-ldv", "lisiere")
    one.stage.board.emit(PieceDragged("krylov", "E4"))
    assert 'data-outcome="pending"' in one.stage.verdict.view.value
    assert one.stage.trace.view.value == ""
    assert not any(isinstance(layer, LineOfSight) for layer in one.stage.board.layers)
    assert "E4" in str(one.stage.board.layers)


def test_a_drag_let_go_off_the_board_or_by_escape_brings_all_back() -> None:
    one = player("cc-04-ldv", "lisiere")
    one.disclose(True)
    board, before = one.stage.board, shown(one)
    (x, y), (u, v) = board.drawing_view.centre("F2"), board.drawing_view.centre("E4")
    for let_go in (lambda: board.pointer.lift(-300, -300), board.pointer.release):
        board.pointer.press(x * SCALE, y * SCALE)
        board.pointer.move(u * SCALE, v * SCALE)
        assert line(board).end == "E4"
        let_go()
        assert shown(one) == before


def test_odds_follow_where_an_example_has_some() -> None:
    one = player("cc-07-groupes", "haie")
    one.disclose(True)
    before = words(one.settings[0])
    mover = next(piece.id for piece in one.position.pieces if piece.id in str(one.arguments["firers"]))
    seen = set()
    for cell in one.position.grid.cells:
        one.stage.board.emit(PieceDragged(mover, cell))
        seen.add(words(one.settings[0]))
    one.stage.board.emit(PieceDragged(mover, None))
    assert len(seen) > 1
    assert words(one.settings[0]) == before


def test_a_line_stays_with_what_stays() -> None:
    free = Sandbox(Page(), CC)
    position = free.situation.position
    cells = [cell for cell in position.grid.cells if not position.pieces_at(cell)]
    first, second = [one.id for one in position.pieces if one.at][:2]
    free.situation.replace(
        position.change({f"piece.{first}.at": cells[0], f"piece.{second}.at": cells[0]}), check=False
    )
    for cell in (cells[0], cells[-1]):
        free.board.emit(HexClicked(cell))
    free.board.emit(PieceDragged(first, cells[1]))
    assert line(free.board).start == cells[0]
    free.board.emit(PieceDropped(first, cells[0], cells[1]))
    assert line(free.board).start == cells[0]
    free.board.emit(PieceDropped(second, cells[0], cells[2]))
    assert line(free.board).start == cells[2]


@pytest.mark.parametrize("back", [None, "start"])
def test_the_free_board_follows_too(back: str | None) -> None:
    board = Sandbox(Page(), CC)
    position = board.situation.position
    piece = next(one for one in position.pieces if one.at)
    start = piece.at or ""
    far = max(position.grid.cells, key=lambda cell: position.grid.distance(start, cell))
    for cell in (start, far):
        board.board.emit(HexClicked(cell))
    before = (board.board.layers, board.verdict.view.value, board.trace.view.value)
    near = position.grid.neighbours(far)[0]
    board.board.emit(PieceDragged(piece.id, near))
    assert (line(board.board).start, line(board.board).end) == (near, far)
    assert board.situation.position == position
    board.board.emit(PieceDragged(piece.id, start if back else None))
    assert (board.board.layers, board.verdict.view.value, board.trace.view.value) == before
