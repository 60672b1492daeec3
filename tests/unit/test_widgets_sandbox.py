"""The free board of the five games: painted, peopled, looked at, fired on, shared."""

from __future__ import annotations

import pytest

from tests.screen import named, tabs
from tutor.core.registry import GAMES, game
from tutor.course.links import position_text, read_url
from widgets.board.events import HexClicked, PieceDropped
from widgets.editor.brushes import catalogue, empty, paint, piece_brushes, terrain_brushes, touched
from widgets.host.page import Page
from widgets.pages.free_board import Sandbox, SandboxPage

OTHERS = [name for name in GAMES if name != "combat_commander"]


def test_every_game_has_a_kit() -> None:
    assert all((game(name).folder / "kit.py").is_file() for name in GAMES)


@pytest.mark.parametrize("name", list(GAMES))
def test_every_brush_of_the_ground_paints_a_possible_board(name: str) -> None:
    board = empty(name)
    assert game(name).problems(board) == []
    cell = board.grid.cells[len(board.grid.cells) // 2]
    for label, key in terrain_brushes(game(name), game(name).kit):
        painted = board.change(paint(board, key, cell))
        assert game(name).problems(painted) == [], label


@pytest.mark.parametrize("name", OTHERS)
def test_every_piece_offered_may_stand_on_the_board(name: str) -> None:
    kit, rules = game(name).kit, game(name)
    for side in kit.sides:
        board = empty(name)
        cell = board.grid.cells[len(board.grid.cells) // 2]
        for label, key in piece_brushes(rules, kit):
            if not key.startswith(("status", "remove")):
                placed = touched(board, key, cell, None, rules, side)
                assert rules.problems(placed) == [], label
                board = placed if "squad" in key else board  # so that a weapon finds who carries it


@pytest.mark.parametrize("name", OTHERS)
def test_a_look_on_the_first_board(name: str) -> None:
    sandbox = Sandbox(Page(), name)
    cells = sandbox.board.position.grid.cells
    sandbox.board.emit(HexClicked(cells[0]))
    sandbox.board.emit(HexClicked(cells[-1]))
    assert 'data-outcome="pending"' not in sandbox.verdict.view.value
    assert sandbox.trace.view.value


def test_a_line_follows_a_counter_there_and_back() -> None:
    sandbox = Sandbox(Page(), "asl_sk")
    position = sandbox.situation.position
    piece = next(one for one in position.pieces if one.at)
    start, end, other = str(piece.at), *[cell for cell in position.grid.cells if not position.pieces_at(cell)][:2]
    sandbox.board.emit(HexClicked(start))
    sandbox.board.emit(HexClicked(other))
    looked = sandbox.verdict.view.value, sandbox.trace.view.value
    sandbox.board.emit(PieceDropped(piece.id, start, end))
    assert (sandbox.verdict.view.value, sandbox.trace.view.value) != looked
    sandbox.situation.undo()
    assert (sandbox.verdict.view.value, sandbox.trace.view.value) == looked
    sandbox.situation.redo()
    sandbox.situation.reset()
    assert (sandbox.verdict.view.value, sandbox.trace.view.value) == looked


@pytest.mark.parametrize(
    ("name", "side", "firer", "target"),
    [
        ("asl_sk", "axis", "tireur", None),
        ("tcs", "a", None, None),
        ("sherman_leader", "us", "u042", "pz4"),
        ("sherman_leader", "enemy", "pz4", "u042"),
        ("heroes_of_normandie", "allies", "mg", "fusiliers"),
    ],
)
def test_a_shot_on_a_free_board(name: str, side: str, firer: str | None, target: str | None) -> None:
    start = {"asl_sk": "tir", "tcs": "livret-tir-zone"}.get(name, game(name).kit.first)
    sandbox = Sandbox(Page(), name, game(name).position(start))
    position = sandbox.situation.position
    tabs(sandbox.widget).value = "fire"
    named(sandbox.widget, "Camp").value = side
    mine = position.piece(firer) if firer in position.by_id else next(p for p in position.pieces if p.side == side)
    other = position.piece(target) if target else next(p for p in position.pieces if p.side != side and p.at)
    sandbox.board.emit(HexClicked(str(position.hex_of(mine.id)), mine.id))
    sandbox.board.emit(HexClicked(str(position.hex_of(other.id)), other.id))
    assert mine.id in sandbox.firers
    assert 'data-outcome="pending"' not in sandbox.verdict.view.value


def test_no_value_of_a_piece_is_ours() -> None:
    """What is placed on a board of TCS bears the values that some position of the game gives it."""
    given = {str(p.front) for n in game("tcs").positions() for p in game("tcs").position(n).pieces}
    assert {str(data.get("front", {})) for _, data in catalogue("tcs")} <= given


def test_the_reader_chooses_a_game_and_shares_his_board(here: Page) -> None:
    page = SandboxPage(here, "combat_commander")
    named(page.widget, "Jeu").value = "tcs"
    assert page.board is not None
    assert page.board.game_id == "tcs"
    link = read_url(here.course.link)
    assert (link.page, link.game) == ("sandbox", "tcs")


@pytest.mark.parametrize("name", OTHERS)
def test_a_link_opens_the_board_of_its_position(here: Page, name: str) -> None:
    page = SandboxPage(here, "combat_commander")
    position = empty(name)
    try:
        here.course.query = f"?jeu={name}&position={position_text(position)}"
        assert page.board is not None
        assert page.board.situation.position == position
        assert named(page.widget, "Jeu").value == name
    finally:
        here.course.query = ""


def test_the_game_of_a_position_wins_over_the_game_of_the_link(here: Page) -> None:
    page = SandboxPage(here, "combat_commander")
    try:
        here.course.query = f"?jeu=asl_sk&position={position_text(empty('tcs'))}"
        assert page.board is not None
        assert page.board.game_id == "tcs"
        here.course.query = "?jeu=heroes_of_normandie"
        assert page.board.game_id == "heroes_of_normandie"
        here.course.query = "?jeu=rien"
        assert page.board.game_id == "heroes_of_normandie"
    finally:
        here.course.query = ""


def test_a_game_that_is_left_leaves_no_board_on_the_page(here: Page) -> None:
    page = SandboxPage(here, "combat_commander")
    for game_id in GAMES:
        named(page.widget, "Jeu").value = game_id
    assert len(here.bridge.boards) == 1
