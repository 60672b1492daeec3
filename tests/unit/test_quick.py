"""« À table »: a few taps describe a situation, and the engine answers as it does on a board."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tutor.core.errors import ContentError
from tutor.core.registry import GAMES, ask, game
from tutor.course.models import parse_model
from tutor.course.quick import MOST_TAPS, Sheet, SheetFile, sheet, sheets
from widgets.course_page import course_page
from widgets.panels import verdict
from widgets.quick import QuickPage

CC = "combat_commander"


def taps(one: Sheet, **labels: str) -> dict[str, int]:
    """Control id -> index of the option of that label."""
    controls = {control.id: control for control in one.controls}
    return {name: [o.label for o in controls[name].options].index(label) for name, label in labels.items()}


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if sheets(game_id)])
def test_a_sheet_is_short_and_begins_with_an_answer(game_id: str) -> None:
    for one in sheets(game_id):
        assert len(one.controls) + 2 <= MOST_TAPS  # the rulebook and the sheet are tapped too
        assert one.result(game_id, {}).computed


def test_what_a_booklet_does_not_print_is_said_unknown() -> None:
    fire = sheet("tcs", "tir")
    told = fire.result("tcs", taps(fire, terrain="bois"))
    assert (told.outcome, told.missing) == ("unknown", "area_terrain.partly_protective.move")
    for book, one in [(held, one) for held in GAMES for one in sheets(held)]:
        for control in (control for control in one.controls if control.id != "tables"):
            for index, option in enumerate(control.options):
                if option.unknown:
                    assert one.result(book, {control.id: index}).outcome == "unknown", (one.id, option.label)


def test_the_odds_say_why_they_are_silent() -> None:
    shown = QuickPage()
    shown._game.value = "tcs"
    assert shown.panel is not None
    assert "inconnues" in shown.panel._silent.value
    shown.panel._taps["tables"].value = 2
    assert not shown.panel._silent.value
    assert "%" in shown.panel._odds._panels[0].view.value  # type: ignore[union-attr]


def test_a_morale_check_is_told_by_the_chance_to_come_through() -> None:
    check = sheet("asl_sk", "moral")
    position, _ = check.situation("asl_sk", {})
    # two dice under 7, of which 7 itself pins: 15 rolls of 36
    assert "41,7" in verdict(check.result("asl_sk", taps(check, mc="NMC", moral="7")), position)[1]


def test_a_tap_may_point_inside_an_argument() -> None:
    profile = sheet("tcs", "profil")
    _, arguments = profile.situation("tcs", taps(profile, sol="20 m", ou="3"))
    assert arguments["points"] == [{"name": "ce point", "distance": 3, "base": 20, "height": 0}]
    assert profile.with_["points"][0]["base"] == 0
    # 20 m over 10 hexes: the line is 6 m up at the third, under the 20 m of the ground there
    assert not profile.result("tcs", taps(profile, sol="20 m", ou="3")).value.visible


def test_taps_add_up_as_on_a_board() -> None:
    fire = sheet(CC, "tir")
    given = taps(fire, pf="6", groupe="2", gene="3", hauteur="plus haut")
    assert fire.result(CC, given).value.fp == 6 + 2 - 3 + 1
    refused = fire.result(CC, taps(fire, pf="1", gene="2"))
    assert [step.rule for step in refused.refusals] == ["10.3.2.1"]


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
    shown = QuickPage()
    panel = shown.panel
    assert panel is not None
    panel._taps["gene"].value = 6
    assert 'data-outcome="refused"' in panel._verdict.view.value
    panel._restart()
    assert "PF finale contre C1\u00a0: 5." in panel._verdict.view.value
    assert "%" in panel._odds._panels[0].view.value  # type: ignore[union-attr]
    shown._choice.value = "ralliement"
    assert shown.panel is not panel


def test_a_link_opens_a_sheet() -> None:
    course_page().query = "?jeu=combat_commander&vue=deroute"
    assert QuickPage()._choice.value == "deroute"


def test_an_unknown_sheet_is_a_sentence() -> None:
    with pytest.raises(ContentError, match="n’existe pas"):
        sheet(CC, "melee-navale")


def test_a_shelter_bears_the_name_and_the_cover_of_what_is_put_there() -> None:
    shown = {
        value: option.label
        for one in sheets("combat_commander")
        for control in one.controls
        for option in control.options
        for path, value in option.changes.items()
        if path.startswith(("terrain.", "marker.fortification."))
    }
    tables = game("combat_commander").tables
    for row, label in shown.items():
        table = tables["fortifications"] if row in tables["fortifications"].rows else tables["terrain"]
        assert label == f"{table.term(row)} {table.rows[row]['cover']}"
    assert set(shown) > {"pillbox", "bunker"}
