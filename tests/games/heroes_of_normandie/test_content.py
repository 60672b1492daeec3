"""Heroes of Normandie: what its booklet does not print is unknown, the problems of its positions are said."""

from __future__ import annotations

from tutor.core.tables import PROVENANCES
from tutor.games.heroes_of_normandie import GAME

GAME.load()


def test_what_the_booklet_does_not_print_is_unknown():
    base = GAME.tables["base"]
    assert [
        row for row in base.rows if base.get(row, "malus") or base.get(row, "bonus") or base.get(row, "effect")
    ] == []
    assert base.cell("los", "line").provenance == "usage, hors livret"
    assert [row for row in GAME.tables["terrain"].rows if GAME.tables["terrain"].get(row, "bonus") is not None] == []
    assert GAME.tables["smoke"].get("weak", "malus") is None
    assert {t.provenance for t in GAME.tables.values()} <= set(PROVENANCES)


def test_problems_are_said():
    position = GAME.position("demi-cases").change(
        {"piece.jeep.at": "G5", "side.B4/C5": "wall", "piece.pak.at": None, "marker.half.Z9": 1}
    )
    said = " ".join(GAME.problems(position))
    assert "Jeep ne peut pas se trouver en G5" in said
    assert "B4 et C5 ne sont pas voisins" in said
    assert "Pak 40 n’est sur aucune case" in said
    assert "Z9 n’est pas sur le plateau" in said


def _said(position, question, **given):
    rulebook = GAME.load()
    trace = rulebook.rules[question](position, **given).trace
    return [rulebook.sentence(step, position) for step in trace.walk()]


def test_a_shifted_square_is_named_by_the_two_it_lies_over():
    said = " ".join(_said(GAME.position("demi-cases"), "control", unit="decale"))
    assert "C2-D2 et C4-D4" in said
    assert ">" not in said


def test_two_obstacles_of_one_kind_are_named_once():
    position = GAME.position("muret").change({"terrain.D3": "rubble", "terrain.E3": "rubble", "side.C3/D3": None})
    said = _said(position, "los", start="B3", end="F3")[-1]
    assert said.startswith("Ligne gênée\xa0: Décombres (D3 et E3).")


def test_one_or_several_are_said_as_such():
    height = GAME.position("dominante").change(
        {"marker.dominant.B4": 1, "piece.section.at": "A6", "piece.escouade.at": "B6"}
    )
    assert "B3 et B4, d’autres cases de la position dominante" in " ".join(
        _said(height, "fire", unit="mg", target="escouade")
    )
    one = GAME.position("dominante").change({"piece.escouade.at": "B5"})
    assert "B3, une autre case de la position dominante" in " ".join(_said(one, "fire", unit="mg", target="escouade"))
    smoke = GAME.position("muret").change({"marker.smoke.E3": 4})
    said = _said(smoke, "fire", unit="section", target="groupe")[-1]
    assert said.startswith("Le seul modificateur de ce livret"), said


def test_shells_that_are_not_allowed_are_not_named_as_others():
    said = " ".join(_said(GAME.position("materiel"), "fire", unit="mg", target="panther", ammo="he"))
    assert "perforants" not in said
    assert "seule à pouvoir employer ces obus" in said


def test_one_template_over_several_squares_is_said_to_count_once():
    board = GAME.position("muret").change({f"marker.smoke.{cell}": 4 for cell in ("D2", "E2", "D3", "E3")})
    said = _said(board, "smoke", start="C2", end="F3")
    assert "qu’une fois" in said[-3]
    assert "un fumigène (D2 et E3)" in said[-2]
    assert said[-1].startswith("Fumigène en D2")
