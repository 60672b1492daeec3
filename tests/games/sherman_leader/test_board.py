"""Sherman Leader on a board: paths drawn as they are judged, letters of the tiles, odds and chits in the game's words."""

from __future__ import annotations

import re
from fractions import Fraction

from tutor import ask, sentences
from tutor.course.exercises import Task
from tutor.course.lessons import exercises
from tutor.games.sherman_leader import GAME
from widgets.board.layers import LineOfSight, Path, layers_for
from widgets.board.panels.legend import legend_html
from widgets.board.panels.verdict import verdict
from widgets.board.svg import board_svg
from widgets.board.text_twin import hex_text
from widgets.player.odds import distributions

GAME.load()
BENT = GAME.position("vue").change({"piece.sherman.at": "B6", "terrain.B5": "heavy"})


def test_a_line_of_sight_follows_the_path_that_was_chosen():
    result = ask(BENT, "los", start="B6", end="B3")
    assert Path(("B6", "C5", "B4", "B3"), "clear") in layers_for(result, BENT, GAME.shapes(BENT))
    assert verdict(result, BENT)[0] == "clear"


def test_a_blocked_or_straight_line_is_drawn_straight():
    straight = BENT.change({"setting.los_path": "line", "terrain.A4": None, "terrain.B5": None})
    for position in (straight, BENT.change({"terrain.C5": "light"})):
        (layer,) = layers_for(ask(position, "los", start="B6", end="B3"), position, GAME.shapes(position))
        assert isinstance(layer, LineOfSight)
        assert (layer.start, layer.end) == ("B6", "B3")


def test_tiles_bear_their_letters_and_the_legend_names_them():
    drawn = board_svg(GAME.position("plateau"))
    assert all(f">{letter}<" in drawn for letter in ("H", "L", "W", "Im"))
    legend = legend_html(GAME.position("plateau"))
    assert "Couverture lourde" in legend
    assert "Axe" not in legend


def test_the_text_of_a_hex_says_whose_unit_with_what_values():
    said = hex_text(GAME.position("tir"), "B4", values=True)
    assert "Peloton (Infanterie, Américains" in said
    assert "commande Peloton" in said


def test_odds_are_named_and_numbers_stay_numbers():
    position = GAME.position("tir")
    odds = ask(position, "attack_odds", unit="peloton", target="fusilier").value
    (_, shares), (_, spread) = distributions(odds, position)
    assert shares["Un coup passe"] == Fraction(231, 400)
    assert list(spread) == ["0", "1", "2"]
    assert sum(spread.values()) == 1


def test_a_question_names_chits_as_the_game_does():
    task = Task.of("sherman_leader", exercises("sherman_leader")["sl-06-issue"])
    assert "Moteur et Canon" in task.question


def test_a_target_out_of_sight_is_said_with_the_hex_that_blocks():
    position = GAME.position("tour-1-pz3")
    said = " ".join(sentences(ask(position, "targets", unit="tigre"), position))
    assert "hors de vue" in said
    assert re.search(r"hors de vue\W+[^.]*B3", said)
