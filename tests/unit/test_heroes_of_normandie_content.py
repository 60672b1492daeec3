"""Heroes of Normandie: its index, tables, sentences and positions hold together, and the examples of its rule functions run."""

from __future__ import annotations

import doctest
import re
from collections import Counter

import pytest

from tutor.core.position import Position
from tutor.core.tables import PROVENANCES
from tutor.course.prose import typography
from tutor.games.heroes_of_normandie import GAME

GAME.load()


def test_every_section_of_the_booklet_is_there_once():
    counts = Counter(section["id"] for section in GAME.content("sections.yaml"))
    assert len(counts) == 110
    assert max(counts.values()) == 1


def test_the_index_is_a_tree_and_its_references_exist():
    seen: set[str] = set()
    for section in GAME.sections.values():
        assert section.parent is None or section.parent in seen, section.id
        assert all(ref in GAME.sections and ref != section.id for ref in section.see), section.id
        seen.add(section.id)


def test_french_typography_of_index_glossary_and_sentences():
    texts = [text for s in GAME.sections.values() for text in (s.title, s.summary)]
    texts += [text for g in GAME.glossary for text in (g["term"], g["definition"])]
    texts += [re.sub(r"\{[^}]*\}", "x", text) for text in GAME.phrases.templates.values()]
    texts += [text for s in GAME.settings.values() for text in (s.label, *s.options.values())]
    texts += list(GAME.omittable.values())
    assert [text for text in texts if typography(text) != text] == []


def test_rules_named_by_code_tables_and_settings_exist():
    named = {rule for r in GAME.rules.values() for rule in r.ids} | set(GAME.omittable)
    named |= {s.rule for s in GAME.settings.values()}
    for table in GAME.tables.values():
        named |= {str(cells.get("rule", table.rule)) for cells in table.rows.values()}
    named |= {rule for g in GAME.glossary for rule in g["rules"]}
    assert sorted(named - set(GAME.sections)) == []


def test_default_of_every_setting_is_one_of_its_readings():
    assert [name for name, s in GAME.settings.items() if s.default not in s.options] == []


def test_what_the_booklet_does_not_print_is_unknown():
    base = GAME.tables["base"]
    assert [
        row for row in base.rows if base.get(row, "malus") or base.get(row, "bonus") or base.get(row, "effect")
    ] == []
    assert base.cell("los", "line").provenance == "usage, hors livret"
    assert [row for row in GAME.tables["terrain"].rows if GAME.tables["terrain"].get(row, "bonus") is not None] == []
    assert GAME.tables["smoke"].get("weak", "malus") is None
    assert {t.provenance for t in GAME.tables.values()} <= set(PROVENANCES)


@pytest.mark.parametrize("name", GAME.positions())
def test_positions_are_playable_and_read_back(name):
    position = GAME.position(name)
    assert position.id == name
    assert GAME.problems(position) == []
    assert Position.parse(position.dump()) == position
    assert GAME.shapes(position)
    for tweak in position.tweaks:
        position.read(tweak.path)


def test_problems_are_said():
    position = GAME.position("demi-cases").change(
        {"piece.jeep.at": "G5", "side.B4/C5": "wall", "piece.pak.at": None, "marker.half.Z9": 1}
    )
    said = " ".join(GAME.problems(position))
    assert "Jeep ne peut pas se trouver en G5" in said
    assert "B4/C5 n’est pas un côté" in said
    assert "Pak 40 n’est sur aucune case" in said
    assert "Z9 n’est pas sur le plateau" in said


@pytest.mark.parametrize("name", sorted(GAME.rules))
def test_the_example_in_each_rule_function_runs(name):
    rule = GAME.rules[name]
    found = doctest.DocTestFinder().find(rule.function, name, globs={"GAME": GAME})
    results = [doctest.DocTestRunner().run(test) for test in found]
    assert sum(r.attempted for r in results) > 0
    assert sum(r.failed for r in results) == 0
