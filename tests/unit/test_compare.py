"""« Côte à côte »: one mechanism, two rulebooks, the same drawn situation, steps aligned by kind."""

from __future__ import annotations

import pytest

from tests.screen import board_of, click, controls, named, tabs, words
from tutor.core.errors import ContentError
from tutor.core.registry import GAMES
from tutor.core.trace import Step
from tutor.course import check
from tutor.course.comparison import MECHANISMS, Board, mechanism
from widgets.board.board import Board as BoardWidget
from widgets.host.page import Page
from widgets.pages.compare import Comparison


def test_a_step_of_no_kind_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "kind_of", lambda _board, step: None if step.code == "los.clear" else "line")
    faults = check.faults("combat_commander", only=["comparison"])
    assert faults
    assert all("los.clear n’a pas de sorte" in fault for fault in faults if "ldv.yaml" in fault)


def test_an_unknown_mechanism_names_those_there_are() -> None:
    with pytest.raises(ContentError, match="ldv, groupes, tir-croise, moral"):
        mechanism("melee")


def test_a_kind_takes_a_code_or_its_beginning_and_a_whole_code_goes_first() -> None:
    board = Board.model_validate({"position": {}, "ask": "los", "kinds": {"all": ["los."], "end": ["los.clear"]}})
    assert [board.kind_of(Step("10", code, "rule")) for code in ("los.clear", "los.line", "fire.final")] == [
        "end",
        "all",
        None,
    ]


def test_the_same_wood_is_seen_past_in_one_book_alone() -> None:
    about = mechanism("ldv")
    scene = about.scene("bois")
    seen = {}
    for game_id in GAMES:
        position = about.position(game_id, scene)
        assert position is not None
        value = about.result(game_id, position, scene).value
        seen[game_id] = value.state == "clear" if game_id == "heroes_of_normandie" else value.visible
    assert [game_id for game_id, clear in seen.items() if clear] == ["sherman_leader"]


def steps(shown: Comparison) -> str:
    """The table of the steps of both books."""
    return words(shown.widget).partition("<h2>Pas à pas</h2>")[2].partition("</table>")[0]


def press_scene(shown: Comparison, number: int) -> None:
    """Choose a scene, counted from 0."""
    named(shown.widget, mechanism(tabs(shown.widget).value).scenes[number].label).click()


def test_a_reader_turns_mechanism_scene_book_and_points_at_both_boards() -> None:
    shown = Comparison(Page())
    assert "Ce qui bloque" in steps(shown)
    press_scene(shown, 1)
    assert "bloquée en B3" in steps(shown)
    click(board_of(shown.left.widget), "C5")
    assert steps(shown).count("à C5") == 2
    shown.right.choose("tcs")
    tabs(shown.widget).value = "tir-croise"
    assert "Le mot est le même" in words(shown.widget)
    press_scene(shown, 1)
    assert "tir croisé" in steps(shown)
    shown.right.choose("asl_sk")
    assert "Rien de ce nom" in words(shown.right.widget)
    assert not any(isinstance(one, BoardWidget) for one in controls(shown.right.widget))


def test_two_sides_never_show_one_book_they_change_places() -> None:
    shown = Comparison(Page())
    shown.right.choose("combat_commander")
    assert (shown.left.game_id, shown.right.game_id) == ("asl_sk", "combat_commander")
    assert steps(shown).index("ASL Starter Kit") < steps(shown).index("Combat Commander")
    shown.left.choose("tcs")
    assert (shown.left.game_id, shown.right.game_id) == ("tcs", "combat_commander")


def test_a_link_names_the_mechanism_and_the_book(here: Page) -> None:
    here.course.query = "?vue=moral&jeu=sherman_leader"
    shown = Comparison(here)
    assert tabs(shown.widget).value == "moral"
    assert shown.right.game_id == "sherman_leader"
    assert shown.left.game_id == "combat_commander"
    assert "Stress" in words(shown.right.widget)


def test_every_mechanism_is_a_file() -> None:
    assert [mechanism(one).id for one in MECHANISMS] == list(MECHANISMS)


def test_a_mechanism_that_is_left_leaves_no_board_on_the_page(here: Page) -> None:
    shown = Comparison(here)
    for one in (*MECHANISMS, MECHANISMS[0]):
        tabs(shown.widget).value = one
    assert len(here.bridge.boards) == 2
