"""Index, words, sentences, lessons and charts of Tactical Combat Series: complete and consistent."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tutor.core.errors import ContentError
from tutor.core.registry import load_position
from tutor.core.tables import Table
from tutor.core.yamlio import parse_yaml
from tutor.course.lessons import exercises, lessons
from tutor.games.tcs import GAME, charts
from widgets.board.paint.markers import paint_markers
from widgets.board.paint.shapes import Drawing, fitted
from widgets.board.palette import LIGHT

FOLDER = GAME.folder
KINDS = {"note", "definition", "reference", "procedural", "computational"}
#: What French typography forbids: a breakable space before double punctuation or inside guillemets, none at all
#: before it, a straight apostrophe inside a word, three full stops for an ellipsis.
BAD = re.compile(r" [:;!?»]|«[^\u00a0\u202f]|[^\s\u00a0\u202f][;!?»]|\w'\w|\.\.\.")

GAME.load()


def test_every_entry_of_the_index_has_a_kind_and_a_short_finished_summary() -> None:
    sections = GAME.sections
    assert {s.kind for s in sections.values()} == KINDS
    assert [s.id for s in sections.values() if not 5 <= len(s.summary) <= 450] == []
    assert [s.id for s in sections.values() if not re.search(r"[.!…]\)?$", s.summary)] == []


def test_glossary_words_are_explained_once_and_shortly() -> None:
    words = Counter(w.casefold() for e in GAME.glossary for w in {e["term"], *e["aliases"]})
    assert [w for w, n in words.items() if n > 1] == []
    assert [e["term"] for e in GAME.glossary if not 0 < len(e["definition"]) <= 200] == []


def step_codes(path: Path) -> set[str]:
    """Codes that a module gives to steps: dotted words of its own texts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return {t for t in texts if re.fullmatch(r"[a-z]+\.[a-z_0-9]+", t)}


def test_every_step_has_a_sentence_and_every_sentence_a_step() -> None:
    used = set().union(*(step_codes(p) for p in FOLDER.rglob("*.py") if p.name != "game.py"))  # which names modules
    used |= {
        f"elevation.{how}"
        for how in ("sea", "plateau", "contour", "between", "basin", "dome", "high", "layer", "summit")
    }
    assert used - set(GAME.phrases.templates) == set()
    own = {c for c in GAME.phrases.templates if not c.startswith("table.")} - set(GAME.rules) - {"unknown", "roll"}
    assert own - used == set()


def test_every_rule_named_in_the_code_is_in_the_index() -> None:
    named = set()
    for path in FOLDER.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        named |= {t for t in texts if re.fullmatch(r"\d{1,2}\.\d[a-z]?", t)}
    assert len(named) > 60
    assert named - set(GAME.sections) == set()


def test_every_question_has_a_heading() -> None:
    assert set(GAME.rules) - set(GAME.phrases.templates) == set()


@pytest.mark.parametrize("name", charts.CHARTS)
def test_the_fictive_chart_agrees_with_every_printed_cell(name: str) -> None:
    fictive = GAME.tables[f"fictif_{name}"]
    assert fictive.provenance == "fictif"
    assert charts.contradictions(fictive) == []


def test_the_fictive_columns_hold_the_printed_ones() -> None:
    ladder = GAME.tables["fictif_fire_columns"]
    order = sorted(ladder.rows, key=lambda r: ladder.get(r, "rank"))
    assert (order[0], order[-1]) == ("0", "101+")
    assert order.index("6") - order.index("4") == 2
    assert order.index("14-16") - order.index("11-13") == 1
    holding_18 = next(r for r in order if ladder.get(r, "low") <= 18 <= ladder.get(r, "high"))
    assert order.index(holding_18) - order.index("11-13") == 2
    assert "9" in order
    bounds = [(ladder.get(r, "low"), ladder.get(r, "high")) for r in order]
    assert all(a[1] + 1 == b[0] for a, b in pairwise(bounds))


def test_the_fictive_fire_table_gets_worse_to_the_right_and_with_the_roll() -> None:
    table, ladder = GAME.tables["fictif_fire"], GAME.tables["fictif_fire_columns"]
    order = sorted(ladder.rows, key=lambda r: ladder.get(r, "rank"))
    rolls = [str(10 * a + b) for a in range(1, 7) for b in range(1, 7)]
    rows = [[0 if table.get(c, r) == "none" else table.get(c, r) for r in rolls] for c in order]
    assert all(a <= b for row in rows for a, b in pairwise(row))
    assert all(sum(a) <= sum(b) for a, b in pairwise(rows))


def test_a_reader_s_chart_is_used_and_must_agree_with_the_booklet() -> None:
    position = GAME.position("livret-moral").change({"setting.charts": "reader"})
    ask = GAME.rules["morale"]
    assert ask(position, cell="03.03", side="a", roll=11).outcome == "unknown"
    own = {
        "id": "morale", "title": "Ma table", "rule": "17.2", "provenance": "aide de jeu publiée",
        "rows": {"9": {"term": "9", "11": "none", "46": "syr"}},
    }  # fmt: skip
    try:
        charts.supply(own)
        assert ask(position, cell="03.03", side="a", roll=11).value.result == "none"
        assert ask(position, cell="03.03", side="a", roll=12).outcome == "unknown"
        with pytest.raises(ContentError, match=r"9\.46"):
            charts.supply({**own, "rows": {"9": {"term": "9", "46": "none"}}})
        with pytest.raises(ContentError, match="n’existe pas"):
            charts.supply({**own, "id": "moral"})
    finally:
        charts.withdraw()
    assert ask(position, cell="03.03", side="a", roll=11).outcome == "unknown"


@pytest.mark.parametrize("name", charts.CHARTS)
def test_the_template_of_a_chart_is_one_that_can_be_filled(name: str) -> None:
    filled = parse_yaml(charts.template(name))
    table = Table(filled, name)
    assert charts.contradictions(table) == []
    assert set(table.rows) == set(GAME.tables[f"fictif_{name}"].rows)
    known = {(r, c) for r, cells in table.rows.items() for c in cells if c != "term" and table.get(r, c) is not None}
    printed = {
        (r, c) for r, cells in GAME.tables[name].rows.items() for c in cells
        if c not in ("term", "rule", "provenance", "note") and GAME.tables[name].get(r, c) is not None
    }  # fmt: skip
    assert known or not printed


#: Questions that stop at a cell the booklet does not print: position, changes, question, arguments.
STOPPED = [
    ("tir-croise", {}, "area_fire", {"firers": ["nord", "sud-est"], "target": "05.05", "observed": True}),
    ("livret-panther", {"terrain.10.03": "woods"}, "point_fire", {"firers": ["panther"], "targets": ["shermans"], "observed": True}),
    ("livret-observation", {"piece.mg.status.dug_in": False}, "spotting", {"spotter": "mg", "target": "02.04"}),
    ("livret-observation", {"terrain.08.04": "village"}, "spotting", {"spotter": "compagnie-1", "target": "08.04"}),
    ("tir-groupe", {"piece.canon-a1.front.attack": None}, "area_fire", {"firers": ["mg-a1", "canon-a1"], "target": "18.06"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "question", "arguments"), STOPPED)
def test_a_stopped_question_still_reads_well(name: str, changes: dict, question: str, arguments: dict) -> None:  # type: ignore[type-arg]
    position = GAME.position(name).change(changes)
    result = GAME.rules[question](position, **arguments)
    assert result.outcome == "unknown"
    said = [GAME.sentence(step, position) for step in result.trace.walk() if step is not result.trace]
    assert said
    assert [text for text in said if "None" in text or "fire_" in text] == []


def test_the_halves_of_the_sighting_map_are_those_of_the_whole() -> None:
    whole = GAME.position("livret-ldv")
    for name in ("livret-ldv-nord", "livret-ldv-sud"):
        half = GAME.position(name)
        for cell in half.grid.cells:
            assert half.level_of.get(cell) == whole.level_of.get(cell)
            assert half.terrain_of.get(cell) == whole.terrain_of.get(cell)
            for kind in whole.markers:
                assert half.marker(kind, cell) == whole.marker(kind, cell)
        assert {p.id: p.at for p in half.pieces}.items() <= {p.id: p.at for p in whole.pieces}.items()
        assert {s.hex: s.polygon for s in half.silhouettes}.items() <= {
            s.hex: s.polygon for s in whole.silhouettes
        }.items()


def test_lessons_lead_from_one_to_the_next() -> None:
    course = lessons("tcs")
    said = [block.lesson for one in course for block in one.blocks if block.kind == "suite"]
    assert said == [*(one.id for one in course[1:]), None]


def test_french_typography_of_the_lessons() -> None:
    texts = [(one.slug, text) for one in lessons("tcs") for text in one.prose()]
    texts += [(e.id, text) for e in exercises("tcs").values() for text in (e.question, e.hint, e.title)]
    texts = [(name, re.sub(r"\{[^}]*\}", "x", text)) for name, text in texts]
    assert [(name, text) for name, text in texts if BAD.search(text)] == []
    assert [(name, text) for name, text in texts if re.search(r"\d [%m](?!\w|’)", text)] == []


def test_a_column_that_the_booklet_does_not_name_is_said_by_its_place() -> None:
    position = GAME.position("livret-panther").change({"piece.shermans.front.defense": 6})
    fire = GAME.rules["point_fire"](position, firers=["panther"], targets=["shermans"], observed=True)
    said = [GAME.sentence(step, position) for step in fire.trace.walk() if step.code == "point.final"]
    assert fire.value.column == "deux sous 4"
    assert said[0].endswith("colonne située deux colonnes à gauche de 4.")


STATES = {
    "un platoon Fired en mode Mouvement": ("platoon", {"fired": True, "move": True}, "4.1c"),
    "une MG Suppressed en mode Mouvement": ("mg", {"suppressed": True, "move": True}, "17.3c"),
    "un platoon Paralyzed en mode Mouvement": ("platoon", {"paralyzed": True, "move": True}, "17.5c"),
}


@pytest.mark.parametrize(("piece", "status", "rule"), STATES.values(), ids=STATES)
def test_a_unit_that_may_not_change_its_mode_is_no_mover(piece: str, status: dict[str, bool], rule: str) -> None:
    position = load_position("tcs", "guet")
    marked = position.change({f"piece.{piece}.status.{name}": on for name, on in status.items()})
    assert [fault for fault in GAME.problems(marked) if f"({rule})" in fault] == GAME.problems(marked) != []


def test_what_is_carried_or_has_fled_on_wheels_keeps_its_markers() -> None:
    """17.3c spares who is embarked; a vehicle that has fled stays in Move mode, Fired or not (17.4)."""
    position = load_position("tcs", "fuite")
    aboard = {"piece.platoon.carrier": "camion", "piece.platoon.at": None, "piece.platoon.status.move": True}
    assert GAME.problems(position.change({**aboard, "piece.platoon.status.suppressed": True})) == []
    assert GAME.problems(position.change({"piece.sherman.status.fired": True, "piece.sherman.status.move": True})) == []
    riding = {**aboard, "piece.platoon.status.riding": True, "piece.platoon.status.suppressed": True}
    assert any("(17.3c)" in fault for fault in GAME.problems(position.change(riding)))


@pytest.mark.parametrize(
    "kind", ["smoke", "artillery_smoke", "illum", "artillery_illum", "barrage", "mines", "breached_mines"]
)
def test_what_attacks_hides_or_lights_a_hex_is_seen_on_it(kind: str) -> None:
    bare = GAME.position("fuite")
    marked = bare.change({f"marker.{kind}.09.02": True})
    added = set(GAME.shapes(marked)) - set(GAME.shapes(bare))
    drawing = Drawing()
    paint_markers(drawing, added, fitted(bare.grid, 700, 560), LIGHT)
    assert any("09.02" in shape.cells for shape in added)
    assert drawing.shapes
