"""The runner of golden cases, on cases that must fail (those of a game are played in its room, `tests/games/<game>`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutor.course import cases

GOOD = """
id: distance
title: Une distance
game: combat_commander
origin: calculé à la main
arithmetic: J9 à K6, quatre hexs.
rules: ["10.1"]
position: livret-ldv
ask: los
with: {start: J9, end: K6}
expect: {outcome: computed, value: {visible: false, distance: 4}, refusals: []}
"""


def outcomes(folder: Path, text: str) -> list[cases.Outcome]:
    (folder / "cas.yaml").write_text(text, encoding="utf-8")
    return list(cases.run(folder))


def test_a_good_case_passes(tmp_path: Path) -> None:
    assert [outcome.passed for outcome in outcomes(tmp_path, GOOD)] == [True]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("distance: 4", "distance: 5", "value.distance : attendu 5, obtenu 4"),
        ("visible: false", "visible: 0", "value.visible"),
        ("distance: 4", "portee: 4", "value.portee"),
        ("refusals: []", "refusals: [O20.3]", "refusals : O20.3 attendu, absent"),
        ('rules: ["10.1"]', 'rules: ["99.9"]', "99.9 n’est pas dans la trace"),
        ("outcome: computed", "outcome: refused", "outcome : attendu refused, obtenu computed"),
        ("end: K6", "end: Z9", "n’est pas sur ce plateau"),
        ("ask: los", "ask: voir", "n’existe pas"),
        ("arithmetic: J9 à K6, quatre hexs.", "note: rien", "arithmetic"),
        ("position: livret-ldv", "position: ../ailleurs", "n’existe pas"),
        ("title: Une distance", "titre: Une distance", "clé inconnue"),
        ("game: combat_commander", "game: combat_commander\ngame: autre", "donnée deux fois"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    (outcome,) = outcomes(tmp_path, GOOD.replace(old, new))
    assert not outcome.passed
    assert any(said in fault for fault in outcome.faults), outcome.faults


def test_an_unquoted_rule_number_is_taken_as_written(tmp_path: Path) -> None:
    (outcome,) = outcomes(tmp_path, GOOD.replace('["10.1"]', "[10.1]"))
    assert outcome.passed


def test_a_position_beside_the_case_or_inside_it(tmp_path: Path) -> None:
    board = (
        "schema: 1\ngame: combat_commander\nid: ici\ngrid: {columns: [A, D], rows: [1, 4]}\nterrain: {woods: [B2]}\n"
    )
    (tmp_path / "plateau.yaml").write_text(board, encoding="utf-8")
    ends = (
        GOOD.replace("J9", "B1")
        .replace("K6", "B3")
        .replace("distance: 4", "distance: 2")
        .replace("J9 à K6, quatre hexs", "deux hexs")
    )
    beside = ends.replace("position: livret-ldv", "position: ./plateau.yaml")
    inside = ends.replace(
        "position: livret-ldv",
        "position: {schema: 1, game: combat_commander, id: ici, grid: {columns: [A, D], rows: [1, 4]}, terrain: {woods: [B2]}}",
    )
    for text in (beside, inside):
        (outcome,) = outcomes(tmp_path, text)
        assert outcome.faults == ()


def test_several_cases_in_a_file_and_an_id_taken_twice(tmp_path: Path) -> None:
    one = "\n".join("    " + line for line in GOOD.strip().splitlines())
    text = "cases:\n  -\n" + one + "\n  -\n" + one
    assert [outcome.passed for outcome in outcomes(tmp_path, text)] == [True, False]
