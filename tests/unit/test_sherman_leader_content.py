"""Sherman Leader: its index, tables, sentences and positions hold together, and the examples of its rule functions run."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from pathlib import Path

import pytest

from tutor.core.position import Position
from tutor.core.tables import PROVENANCES
from tutor.course import lessons
from tutor.course.exercises import Task
from tutor.course.prose import typography
from tutor.games.sherman_leader import GAME

GAME.load()


def test_every_section_of_the_booklet_is_there_once():
    counts = Counter(section["id"] for section in GAME.content("sections.yaml"))
    assert len(counts) == 206
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


def test_no_word_of_the_vocabulary_hides_the_term_of_a_table_row():
    """A row is named by its own term in every sentence, whatever other words are called."""
    rows = [(name, row, table.term(row)) for name, table in GAME.tables.items() for row in table.rows]
    assert [(name, row) for name, row, term in rows if GAME.phrases.term(row) != term] == []


def test_what_the_booklet_does_not_print_is_unknown():
    assert GAME.tables["movement_chart"].get("5", "a") is None
    assert all(GAME.tables["chits"].get(row, "count") is None for row in GAME.tables["chits"].rows)
    assert GAME.tables["range"].cell("range_0", "dice").provenance in PROVENANCES[4:5]


@pytest.mark.parametrize("name", GAME.positions())
def test_positions_are_playable_and_read_back(name):
    position = GAME.position(name)
    assert position.id == name
    assert GAME.problems(position) == []
    assert Position.parse(position.dump()) == position
    assert GAME.shapes(position)
    for tweak in position.tweaks:
        position.read(tweak.path)


def test_every_lesson_has_its_notebook_and_every_notebook_its_lesson():
    folder = Path(__file__).resolve().parents[2] / "notebooks" / "sherman_leader"
    found = lessons.lessons("sherman_leader")
    assert {path.stem for path in folder.glob("*.ipynb")} == {one.slug for one in found}
    for one in found:
        text = (folder / f"{one.slug}.ipynb").read_text(encoding="utf-8")
        assert f'lesson(\\"sherman_leader\\", \\"{one.id}\\")' in text
        assert one.title in text


def test_no_line_of_the_course_prints_a_word_of_the_code():
    """Questions of exercises and their variants speak French: no id, no key of the engine."""
    for name, exercise in lessons.exercises("sherman_leader").items():
        task = Task.of("sherman_leader", exercise)
        for seed in range(8):
            assert not re.search(r"[a-z]_[a-z]|True|False|None|\{|\b(hull|engine|armor)\b", task.question), name
            task = task.variant(seed)


def test_problems_are_said():
    position = GAME.position("ordres").change(
        {"terrain.B6": "water", "piece.char.at": "D3", "piece.chef-scout.carrier": "char"}
    )
    said = " ".join(GAME.problems(position))
    assert "Scout ne peut pas se trouver en B6" in said
    assert "Pz III ne peut pas se trouver en D3" in said
    assert "Chef du scout commande une unité qui n’est pas là" in said


@pytest.mark.parametrize("name", sorted(GAME.rules))
def test_the_example_in_each_rule_function_runs(name):
    rule = GAME.rules[name]
    found = doctest.DocTestFinder().find(rule.function, name, globs={"GAME": GAME})
    results = [doctest.DocTestRunner().run(test) for test in found]
    assert sum(r.attempted for r in results) > 0
    assert sum(r.failed for r in results) == 0
