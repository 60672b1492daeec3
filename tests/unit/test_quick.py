"""« À table »: a few taps describe a situation, and the engine answers as it does on a board."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from tests.screen import named, tabs, words
from tutor.core.errors import ContentError
from tutor.core.registry import GAMES, ask, game
from tutor.course.models import parse_model
from tutor.course.quick import MOST_TAPS, Sheet, SheetFile, sheet, sheets
from widgets.board.panels.verdict import verdict
from widgets.host.page import Page
from widgets.pages.quick import QuickPage, SheetPanel

CC = "combat_commander"


def taps(one: Sheet, **labels: str) -> dict[str, int]:
    """Control id -> index of the option of that label."""
    controls = {control.id: control for control in one.controls}
    return {name: [o.label for o in controls[name].options].index(label) for name, label in labels.items()}


def tap(panel: SheetPanel, control: str, option: int) -> None:
    """Tap an option, counted from 0, of a control of the sheet."""
    number = [one.id for one in panel.content.controls].index(control)
    tabs(panel.widget, number).value = option


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if sheets(game_id)])
def test_a_sheet_is_short_and_begins_with_an_answer(game_id: str) -> None:
    for one in sheets(game_id):
        assert len(one.controls) + 2 <= MOST_TAPS  # the rulebook and the sheet are tapped too
        assert one.result(game_id, {}).computed


def test_what_a_booklet_does_not_print_is_said_unknown() -> None:
    fire = sheet("tcs", "tir")
    result = fire.result("tcs", taps(fire, terrain="bois"))
    assert (result.outcome, result.missing) == ("unknown", "area_terrain.partly_protective.move")
    for book, one in [(game_id, one) for game_id in GAMES for one in sheets(game_id)]:
        for control in (control for control in one.controls if control.id != "tables"):
            for index, option in enumerate(control.options):
                if option.unknown:
                    assert one.result(book, {control.id: index}).outcome == "unknown", (one.id, option.label)


def test_the_odds_say_why_they_are_silent() -> None:
    shown = QuickPage(Page())
    tabs(shown.widget).value = "tcs"
    assert shown.panel is not None
    assert "inconnues" in words(shown.panel.widget)
    tap(shown.panel, "tables", 2)
    assert "inconnues" not in words(shown.panel.widget)
    assert "%" in words(shown.panel.widget)


def test_a_morale_check_is_told_by_the_chance_to_come_through() -> None:
    check = sheet("asl_sk", "moral")
    position, _ = check.situation("asl_sk", {})
    # two dice under 7, of which 7 itself pins: 15 rolls of 36
    assert "41,7" in verdict(check.result("asl_sk", taps(check, mc="NMC", moral="7")), position)[1]


def test_a_tap_may_point_inside_an_argument() -> None:
    profile = sheet("tcs", "profil")
    _, arguments = profile.situation("tcs", taps(profile, sol="20\u00a0m", ou="3"))
    assert arguments["points"] == [{"name": "ce point", "distance": 3, "base": 20, "height": 0}]
    assert profile.with_["points"][0]["base"] == 0
    # 20 m over 10 hexes: the line is 6 m up at the third, under the 20 m of the ground there
    assert not profile.result("tcs", taps(profile, sol="20\u00a0m", ou="3")).value.visible


def test_taps_add_up_as_on_a_board() -> None:
    fire = sheet(CC, "tir")
    given = taps(fire, pf="6", groupe="2", gene="3", hauteur="plus haut")
    assert fire.result(CC, given).value.fp == 6 + 2 - 3 + 1
    refused = fire.result(CC, taps(fire, pf="1", gene="2"))
    assert [step.rule for step in refused.refusals] == ["10.3.2.1"]


def test_mines_break_a_tie_of_those_who_move_only() -> None:
    mines = sheet(CC, "mines")
    moved, advanced = (mines.result(CC, taps(mines, passage=way)).value for way in ("Mouvement", "Progression"))
    # 6 of Firepower against a Morale of 7: a tie, 140 of 1296 pairs, breaks a unit that moves, and suppresses another
    assert (moved.suppressed, advanced.suppressed) == (0, Fraction(140, 1296))
    assert moved.broken - advanced.broken == Fraction(140, 1296)
    fled = mines.result(CC, taps(mines, passage="Retraite, démoralisée")).value
    assert (fled.broken, fled.eliminated, fled.suppressed) == (0, advanced.broken, advanced.suppressed)
    # whether it is broken is asked once, with how it passes: no second tap says the contrary
    states = {option.label: option.changes for control in mines.controls for option in control.options}
    assert {label for label, changes in states.items() if "piece.unite.status.broken" in changes} == {
        f"{way}, démoralisée" for way in ("Mouvement", "Progression", "Retraite")
    }


def test_the_odds_are_those_of_two_dice_against_two() -> None:
    fire = sheet(CC, "tir")
    position, arguments = fire.situation(CC, taps(fire, pf="7", moral="7"))
    odds = ask(position, "fire_odds", **arguments).value.pieces["cible"]
    pairs = [a + b for a in range(1, 7) for b in range(1, 7)]
    broken = Fraction(sum(one > other for one in pairs for other in pairs), 1296)
    assert (odds.broken, odds.suppressed) == (broken, Fraction(sum(a == b for a in pairs for b in pairs), 1296))


def test_a_sheet_may_be_like_an_earlier_one() -> None:
    rally, rout = sheet(CC, "ralliement"), sheet(CC, "deroute")
    assert (rout.controls, rout.position) == (rally.controls, rally.position)
    assert rout.ask == "rout_odds"
    with pytest.raises(ContentError, match="ne vient pas avant"):
        parse_model(SheetFile, {"sheets": [{"id": "x", "like": "y"}]}, "quick.yaml")


def test_a_reader_taps_and_begins_again() -> None:
    shown = QuickPage(Page())
    panel = shown.panel
    assert panel is not None
    tap(panel, "gene", 6)
    assert 'data-outcome="refused"' in words(panel.widget)
    named(panel.widget, "Recommencer").click()
    assert "PF finale contre l’hex de la cible\u00a0: 5." in words(panel.widget)
    assert "%" in words(panel.widget)
    tabs(shown.widget, 1).value = "ralliement"
    assert shown.panel is not panel


def test_a_link_opens_a_sheet(here: Page) -> None:
    here.course.query = "?jeu=combat_commander&vue=deroute"
    assert tabs(QuickPage(here).widget, 1).value == "deroute"


def test_an_unknown_sheet_is_a_sentence() -> None:
    with pytest.raises(ContentError, match="n’existe pas"):
        sheet(CC, "melee-navale")


def test_a_shelter_bears_the_name_and_the_cover_of_what_is_put_there() -> None:
    shown = {
        value: option.label
        for one in sheets("combat_commander")
        for control in one.controls
        if control.id == "abri"
        for option in control.options
        for path, value in option.changes.items()
        if path.startswith(("terrain.", "marker.fortification."))
    }
    tables = game("combat_commander").tables
    for row, label in shown.items():
        table = tables["fortifications"] if row in tables["fortifications"].rows else tables["terrain"]
        assert label == f"{table.term(row)} {table.rows[row]['cover']}"
    assert set(shown) > {"pillbox", "bunker"}


def test_the_doubts_of_a_game_are_answered_line_of_sight_included() -> None:
    for book in GAMES:
        asked = sheets(book)
        assert len(asked) >= (10 if book == CC else 5), book
        assert any(one.ask in ("los", "profile") or "vue" in one.title for one in asked), book


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_tap_gets_an_answer_that_names_no_cell_which_the_reader_did_not_choose(game_id: str) -> None:
    rules = game(game_id)
    for one in sheets(game_id):
        cells = set(one.situation(game_id, {})[0].grid.cells) if one.places else set()
        for control in one.controls:
            for index, option in enumerate(control.options):
                position, arguments = one.situation(game_id, {control.id: index})
                assert not rules.problems(position), (one.id, option.label)
                result = ask(position, one.ask, **arguments)
                said = one.spoken(verdict(result, position)[1])
                assert not cells & set(re.findall(r"\w+", said)), (one.id, option.label, said)
                if result.outcome == "refused":
                    assert all(step.rule in rules.sections for step in result.refusals), (one.id, option.label)


def test_a_place_is_named_in_french() -> None:
    sight = sheet(CC, "ldv")
    assert sight.spoken("bloquée en C4.") == "bloquée dans l’hex du milieu."
    assert sight.spoken("bloquée en C3/C4.") == "bloquée sur la limite entre l’hex devant la cible et l’hex du milieu."
    assert sight.spoken('<a title="C4">C4</a>') == '<a title="C4">L’hex du milieu</a>'
