"""A unit dragged along a way: costs beside each hex once the reader has answered, then the way is the declaration."""

from __future__ import annotations

from tutor.course.lessons import lesson
from widgets.board.events import PieceDragged, PieceDropped
from widgets.board.layers import Note, Path
from widgets.host.page import Page
from widgets.host.prose import Writer
from widgets.player.example import ExamplePlayer

CC = "combat_commander"


def player(example: str) -> ExamplePlayer:
    content = lesson(CC, "cc-08-mouvement").examples[example]
    return ExamplePlayer(Page(), CC, content, Writer(CC), question=content.question)


def drag(shown: ExamplePlayer, piece: str, *cells: str | None) -> list[object]:
    for cell in cells:
        shown.stage.board.emit(PieceDragged(piece, cell))
    return list(shown.stage.board.slot("drag"))


def test_each_step_shows_its_cost_and_where_it_stops() -> None:
    layers = drag(player("route"), "fusiliers", "A3", "B2", "C2", "D1")
    # 1 open, 2 woods = 3 ; D1: 1 open + 1 climb = 5 for a Movement of 4
    assert layers == [
        Path(("A3", "B2", "C2"), legal=False),
        Note("B2", "+1 → 1"),
        Note("C2", "+2 → 3"),
        Note("D1", "✕", "blocked"),
    ]


def test_nothing_is_told_before_the_reader_has_answered() -> None:
    assert drag(player("biermann"), "peloton", "L8", "K8", "K7") == [Path(("L8", "K8", "K7"))]


def test_a_unit_put_down_has_walked_and_stands_where_it_stood() -> None:
    shown = player("route")
    drag(shown, "fusiliers", "A3", "B3", "D3")  # a fast hand jumps over C3
    shown.stage.board.emit(PieceDropped("fusiliers", "A3", "D3"))
    assert shown.arguments["path"] == ["B3", "C3", "D3"]
    assert shown.position.hex_of("fusiliers") == "A3"


def test_coming_back_or_leaving_the_board_leaves_the_answer_as_it_was() -> None:
    shown = player("route")
    assert drag(shown, "fusiliers", "A3", "B3", "C3", "B3", "A3") == []
    assert drag(shown, "fusiliers", "A3", "B3", None) == []
    assert shown.arguments["path"] == ["B3", "C3", "D3", "E3", "F3"]


def test_another_unit_is_moved_as_on_any_board() -> None:
    shown = player("route")
    assert drag(shown, "equipe", "A2", "B2") == []
    shown.stage.board.emit(PieceDropped("equipe", "A2", "B2"))
    assert shown.position.hex_of("equipe") == "B2"
