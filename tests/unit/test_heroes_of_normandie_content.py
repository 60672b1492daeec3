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
    held = GAME.load()
    trace = held.rules[question](position, **given).trace
    return [held.sentence(step, position) for step in trace.walk()]


def test_a_shifted_square_is_named_by_the_two_it_lies_over():
    said = " ".join(_said(GAME.position("demi-cases"), "control", unit="decale"))
    assert "C2-D2 et C4-D4" in said
    assert ">" not in said


def test_two_obstacles_of_one_kind_are_named_once():
    position = GAME.position("muret").change({"terrain.D3": "rubble", "terrain.E3": "rubble", "side.C3/D3": None})
    said = _said(position, "los", start="B3", end="F3")[-1]
    assert said.startswith("Ligne gênée\xa0: Décombres (D3 et E3).")
