"""The free board changed in place: a touched hex or counter offers what may be changed there, in every game."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw
import pytest

from tests.screen import controls, dressed, living, named, seen, tabs
from tutor.core.registry import GAMES
from widgets.board.events import HexClicked, KeyPressed, PieceDropped
from widgets.host.page import Page
from widgets.pages.free_board import Sandbox, SandboxPage

CC = "combat_commander"


def changing(game_id: str) -> tuple[Sandbox, Any]:
    """A free board in its mode « Changer », and the place of its palette."""
    sandbox = Sandbox(Page(), game_id)
    tabs(sandbox.widget).value = "change"
    return sandbox, next(one for one in controls(sandbox.widget) if "ldv-spot-place" in dressed(one))


def offered(place: Any) -> list[Any]:
    """The settings that the palette shows."""
    kinds = (ipw.Dropdown, ipw.ToggleButtons, ipw.Checkbox)
    return [one for one in controls(place) if isinstance(one, kinds) and one.description != "Changer"]


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_setting_shows_what_stands_there(game_id: str) -> None:
    sandbox, place = changing(game_id)
    position = sandbox.situation.position
    assert not seen(place)
    marked = [cell for cells in position.markers.values() for cell in list(cells)[:1]]
    grounds = {position.terrain_of.get(cell): cell for cell in position.grid.cells}
    heights = {position.level_of.get(cell): cell for cell in position.grid.cells}
    for cell in dict.fromkeys([*marked, *grounds.values(), *heights.values()]):
        sandbox.board.emit(HexClicked(cell))
        assert seen(place)
        here = position.pieces_at(cell)
        if here:
            assert named(place, "Changer").value == here[-1].id
            named(place, "Changer").value = ""
        assert all(one.value is not None for one in offered(place)), cell
        assert named(place, "Terrain").value == position.terrain_of.get(cell, "open")
    assert sandbox.situation.position == position, "looking changes nothing"


@pytest.mark.parametrize("game_id", list(GAMES))
def test_ground_and_counter_are_changed_and_changed_back(game_id: str) -> None:
    sandbox, place = changing(game_id)
    before = sandbox.situation.position
    bare = next(cell for cell in before.grid.cells if not before.pieces_at(cell))
    sandbox.board.emit(HexClicked(bare))
    terrain = named(place, "Terrain")
    terrain.value = next(key for _, key in terrain.options if key != terrain.value)
    assert sandbox.board.position.terrain_of.get(bare, "open") == terrain.value
    assert named(place, "Terrain") is terrain, "who changes it by keyboard is still on it"
    named(place, "Annuler").click()
    assert seen(named(place, "Annuler")), "it was pressed: the focus is on it"
    assert sandbox.situation.position == before
    assert terrain.value == before.terrain_of.get(bare, "open")
    piece = next(one for one in before.pieces if one.at)
    sandbox.board.emit(HexClicked(str(piece.at), piece.id))
    state = next(one for one in offered(place) if isinstance(one, ipw.Checkbox))
    state.value = not state.value
    assert sandbox.situation.position.piece(piece.id).status != piece.status
    sandbox.situation.undo()
    assert sandbox.situation.position.piece(piece.id).status == piece.status
    remove = named(place, "Retirer")
    remove.click()
    assert piece.id not in sandbox.situation.position.by_id
    assert named(place, "Retirer") is remove, "it was pressed: the focus is on it"
    named(place, "Annuler").click()
    assert sandbox.situation.position == before
    assert named(place, "Changer").value == piece.id
    sandbox.situation.redo()
    assert piece.id not in sandbox.situation.position.by_id


def test_the_line_stays_true_to_what_is_changed() -> None:
    sandbox = Sandbox(Page(), CC)
    for cell in ("L7", "L10"):
        sandbox.board.emit(HexClicked(cell))
    assert 'data-outcome="blocked"' in sandbox.verdict.view.value
    tabs(sandbox.widget).value = "change"
    sandbox.board.emit(HexClicked("L8"))
    named(sandbox.widget, "Terrain").value = "open"
    assert 'data-outcome="clear"' in sandbox.verdict.view.value
    sandbox.situation.undo()
    assert 'data-outcome="blocked"' in sandbox.verdict.view.value


def test_what_has_left_its_place_is_offered_no_more() -> None:
    sandbox, place = changing(CC)
    position = sandbox.situation.position
    piece = next(one for one in position.pieces if one.at)
    free = next(cell for cell in position.grid.cells if not position.pieces_at(cell))

    def touched() -> None:
        sandbox.board.emit(HexClicked(str(sandbox.situation.position.hex_of(piece.id)), piece.id))
        assert seen(place)

    touched()
    sandbox.board.emit(PieceDropped(piece.id, str(piece.at), free))
    assert not seen(place)
    touched()
    sandbox.board.emit(KeyPressed("Escape"))
    assert not seen(place)
    touched()
    tabs(sandbox.widget).value = "sight"
    assert not seen(place)
    sandbox.situation.undo()
    assert not seen(place)


def test_a_stack_is_gone_through_counter_by_counter() -> None:
    sandbox, place = changing(CC)
    first = next(one for one in sandbox.situation.position.pieces if one.at)
    cell = str(first.at)
    other = next(one for one in sandbox.situation.position.pieces if one.at and one.at != cell)
    sandbox.board.emit(PieceDropped(other.id, str(other.at), cell))
    sandbox.board.emit(HexClicked(cell))
    which = named(place, "Changer")
    assert {first.id, other.id, ""} <= {key for _, key in which.options}
    which.value = first.id
    named(place, "Retirer").click()
    assert first.id not in sandbox.situation.position.by_id
    assert which.value == other.id


def test_a_long_visit_leaves_nothing_behind(here: Page) -> None:
    page = SandboxPage(here, CC)
    assert page.board is not None
    cells = page.board.situation.position.grid.cells

    named(page.widget, "Jeu").value = "tcs"
    named(page.widget, "Jeu").value = CC
    before = living()
    tabs(page.widget).value = "change"
    for cell in cells[:3]:
        page.board.board.emit(HexClicked(cell))
    after = living()
    for cell in cells[:20]:
        page.board.board.emit(HexClicked(cell))
    page.board.board.emit(HexClicked(cells[2]))
    assert living() == after
    named(page.widget, "Jeu").value = "tcs"
    named(page.widget, "Jeu").value = CC
    assert living() == before
