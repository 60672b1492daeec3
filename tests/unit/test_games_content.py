"""Every rulebook of the house: its index, tables, sentences, positions and course hold together; its rules' examples run."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from pathlib import Path

import pytest

from tutor.core.registry import GAMES, Game, game
from tutor.core.typography import typography
from tutor.course import lessons
from tutor.course.exercises import Task
from tutor.course.options import NOTHING

#: Entries of each rulebook's index.
ENTRIES = {
    "combat_commander": 345,
    "asl_sk": 157,
    "tcs": 529,
    "sherman_leader": 206,
    "heroes_of_normandie": 110,
}
#: What no setting of spaces mends: a double sign or a colon glued to the word before it.
GLUED = re.compile(r"[^\s\u00a0\u202f][;!?»]|\w:\s")
#: What a row of a table says of itself, besides its cells.
ABOUT_A_ROW = ("term", "rule", "note", "provenance")
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
POSITIONS = [(game_id, name) for game_id in GAMES for name in game(game_id).positions()]
RULES = [(game_id, name) for game_id in GAMES for name in sorted(game(game_id).rules)]


@pytest.fixture(params=GAMES)
def rulebook(request: pytest.FixtureRequest) -> Game:
    """Each game in turn."""
    return game(str(request.param))


def test_every_section_of_the_booklet_is_there_once(rulebook: Game) -> None:
    counts = Counter(section["id"] for section in rulebook.content("sections.yaml"))
    assert len(counts) == ENTRIES[rulebook.id]
    assert max(counts.values()) == 1


def test_the_index_is_a_tree_and_its_references_exist(rulebook: Game) -> None:
    seen: set[str] = set()
    for section in rulebook.sections.values():
        assert section.parent is None or section.parent in seen, section.id
        assert all(ref in rulebook.sections and ref != section.id for ref in section.see), section.id
        assert len(section.see) == len(set(section.see)), section.id
        seen.add(section.id)


def test_french_typography_of_index_and_glossary(rulebook: Game) -> None:
    """Sentences are set where they are rendered; these are shown as they are written."""
    texts = [text for s in rulebook.sections.values() for text in (s.title, s.summary)]
    texts += [text for entry in rulebook.glossary for text in (entry["term"], entry["definition"], *entry["aliases"])]
    texts += [text for s in rulebook.settings.values() for text in (s.label, *s.options.values())]
    texts += list(rulebook.omittable.values())
    texts += (rulebook.folder / "gaps.md").read_text(encoding="utf-8").splitlines()
    assert [text for text in texts if typography(text) != text or GLUED.search(text)] == []


def test_no_sentence_glues_a_double_sign_to_a_word(rulebook: Game) -> None:
    """Their spaces are set when they are rendered: there must be one to set."""
    said = [re.sub(r"\{[^}]*\}", "x", template) for template in rulebook.phrases.templates.values()]
    assert [text for text in said if GLUED.search(text)] == []


def test_the_name_of_a_place_is_never_elided(rulebook: Game) -> None:
    """« de E3 », as the engine's sentences say it: the name stays as the board shows it."""
    written = (path for path in sorted(rulebook.folder.rglob("*")) if path.suffix in (".yaml", ".md"))
    elided = re.compile(r"\b(?:[dD]|[qQ]u)[’'][A-Z]\d{1,2}\b")
    assert [f"{path.name}: {seen[0]}" for path in written for seen in elided.finditer(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "text",
    ["Fin : suite", "Fin ; suite", "Event !", "Quoi ?", "« mot »", "l'hex", "Event!", "fin: suite", "et puis..."],
)
def test_the_typography_check_sees_each_fault(text: str) -> None:
    assert typography(text) != text or GLUED.search(text)


def test_rules_named_by_code_tables_and_settings_exist(rulebook: Game) -> None:
    named = {rule for r in rulebook.rules.values() for rule in r.ids} | set(rulebook.omittable)
    named |= {s.rule for s in rulebook.settings.values()}
    named |= {rule for entry in rulebook.glossary for rule in entry["rules"]}
    for table in rulebook.tables.values():
        named |= {str(cells.get("rule", table.rule)) for cells in table.rows.values()}
        given = ((row, column) for row, cells in table.rows.items() for column in cells if column not in ABOUT_A_ROW)
        named |= {table.cell(row, column).rule for row, column in given if table.get(row, column) is not None}
    assert sorted(named - set(rulebook.sections)) == []


def test_default_of_every_setting_is_one_of_its_readings(rulebook: Game) -> None:
    assert [name for name, s in rulebook.settings.items() if s.default not in s.options] == []


def test_terrain_is_called_by_its_own_name(rulebook: Game) -> None:
    """No other word of the vocabulary hides the term of a terrain in a sentence."""
    table = rulebook.tables["terrain"]
    assert [row for row in table.rows if rulebook.phrases.term(row) != table.term(row)] == []


@pytest.mark.parametrize(("game_id", "name"), POSITIONS)
def test_the_ground_of_a_position_is_drawn(game_id: str, name: str) -> None:
    rulebook = game(game_id)
    position = rulebook.position(name)
    ground = (position.levels, position.terrain, position.sides, position.ways, position.silhouettes)
    assert bool(rulebook.shapes(position)) == any(ground)


def test_what_no_table_knows_and_what_stands_off_the_board_are_faults_of_every_game(rulebook: Game) -> None:
    position = rulebook.position(next(name for name in rulebook.positions() if rulebook.position(name).pieces))
    off = "99.99" if position.board.kind == "hex-numbered" else "Z60"
    faults = rulebook.problems(position.change({f"terrain.{off}": "lave", f"piece.{position.pieces[0].id}.at": off}))
    said = " ".join(faults).replace("\u00a0", " ")
    assert "Terrain : « lave » est inconnu" in said
    assert f"Terrain : {off} n’est pas sur le plateau" in said
    assert f"{off}, hors du plateau" in said


def test_every_lesson_has_its_notebook_and_every_notebook_its_lesson(rulebook: Game) -> None:
    every = lessons.lessons(rulebook.id)
    assert {path.stem for path in (NOTEBOOKS / rulebook.id).glob("*.ipynb")} == {one.slug for one in every}
    for one in every:
        text = (NOTEBOOKS / rulebook.id / f"{one.slug}.ipynb").read_text(encoding="utf-8")
        assert f'lesson(\\"{rulebook.id}\\", \\"{one.id}\\")' in text
        assert f'"title": "{one.title}"' in text or one.title.replace("\u00a0", " ") in text


def test_no_question_of_an_exercise_prints_a_word_of_the_code(rulebook: Game) -> None:
    for name, exercise in lessons.exercises(rulebook.id).items():
        task = Task.of(rulebook.id, exercise)
        for seed in range(6):
            assert not re.search(r"[a-z]_[a-z]|True|False|None|\{", task.question), name
            task = task.variant(seed)


@pytest.mark.parametrize(("game_id", "name"), RULES)
def test_the_example_in_each_rule_function_runs(game_id: str, name: str) -> None:
    function = game(game_id).rules[name].function
    assert str(function.__doc__).count("**Rule:**") == 1
    examples = doctest.DocTestFinder().find(function, name)
    results = [doctest.DocTestRunner().run(test) for test in examples]
    assert sum(r.attempted for r in results) > 0
    assert sum(r.failed for r in results) == 0


@pytest.mark.parametrize("game_id", GAMES)
def test_no_reading_is_called_as_nothing_is(game_id: str) -> None:
    """Such a key stands for « nothing there » in a list of settings, which would show it blank."""
    assert [name for name, one in game(game_id).settings.items() if set(one.options) & set(NOTHING)] == []


@pytest.mark.parametrize("game_id", GAMES)
def test_what_makes_a_position_impossible_is_where_every_game_has_it(game_id: str) -> None:
    assert game(game_id).problems.__module__ == f"tutor.games.{game_id}.problems"
