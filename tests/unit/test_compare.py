"""« Côte à côte »: one mechanism, two rulebooks, the same drawn situation, steps aligned by kind."""

from __future__ import annotations

import pytest

from tutor.core.errors import ContentError
from tutor.core.registry import GAMES, game
from tutor.core.trace import Step
from tutor.course import check
from tutor.course.comparison import MECHANISMS, Board, mechanism
from widgets.bridge import bridge
from widgets.compare import Comparison
from widgets.course_page import course_page
from widgets.events import HexClicked


def test_a_step_of_no_kind_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Board, "kind_of", lambda _board, step: None if step.code == "los.clear" else "line")
    faults = list(check._comparison(game("combat_commander")))
    assert faults
    assert all("los.clear n’a pas de sorte" in fault for fault in faults if "/ldv.yaml" in fault)


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


def test_a_reader_turns_mechanism_scene_book_and_points_at_both_boards() -> None:
    shown = Comparison()
    assert "Ce qui bloque" in shown._steps.value
    shown._buttons[1].click()
    assert "bloquée en B3" in shown._steps.value
    shown._left._stages["combat_commander"].board.emit(HexClicked("C5"))
    assert shown._steps.value.count("à C5") == 2
    shown._right.choose("tcs")
    shown._mechanisms.value = "tir-croise"
    assert "Le mot est le même" in shown._question.value
    shown._buttons[1].click()
    assert "tir croisé" in shown._steps.value
    shown._right.choose("asl_sk")
    assert "Rien de ce nom" in shown._right._said.value
    assert shown._right._board.children == ()


def test_two_sides_never_show_one_book_they_change_places() -> None:
    shown = Comparison()
    shown._right.choose("combat_commander")
    assert (shown._left.game_id, shown._right.game_id) == ("asl_sk", "combat_commander")
    assert shown._steps.value.index("ASL Starter Kit") < shown._steps.value.index("Combat Commander")
    shown._left.choose("tcs")
    assert (shown._left.game_id, shown._right.game_id) == ("tcs", "combat_commander")


def test_a_link_names_the_mechanism_and_the_book() -> None:
    course_page().query = "?vue=moral&jeu=sherman_leader"
    shown = Comparison()
    assert shown._mechanisms.value == "moral"
    assert shown._right.game_id == "sherman_leader"
    assert shown._left.game_id == "combat_commander"
    assert "Stress" in shown._right._said.value


def test_every_mechanism_is_a_file() -> None:
    assert [mechanism(one).id for one in MECHANISMS] == list(MECHANISMS)


def test_a_mechanism_that_is_left_leaves_no_board_on_the_page() -> None:
    shown = Comparison()
    for one in (*MECHANISMS, MECHANISMS[0]):
        shown._mechanisms.value = one
    assert len(bridge().boards) == 2
