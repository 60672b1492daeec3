"""ASL Starter Kit: kinds of rules, open readings, charts that say where they come from and read as charts do."""

from __future__ import annotations

from itertools import pairwise

from tutor.course import lessons
from tutor.course.coverage import cases_folder
from tutor.course.exercises import Task
from tutor.course.onboard import answers_on_board
from tutor.games.asl_sk import GAME

GAME.load()
KINDS = {"note", "definition", "reference", "procedural", "computational"}
PT = "table d’ASL complet, transcription publique"


def test_every_entry_of_the_index_has_a_kind_a_title_and_a_summary():
    for one in GAME.sections.values():
        assert one.kind in KINDS
        assert one.title
        assert len(one.summary) > 15


def test_the_gaps_page_names_every_open_reading():
    text = (GAME.folder / "gaps.md").read_text(encoding="utf-8")
    assert [name for name in GAME.settings if f"`{name}`" not in text] == []


def test_lessons_are_numbered_without_a_gap():
    every = lessons.lessons("asl_sk")
    assert [one.number for one in every] == list(range(1, len(every) + 1))


def test_charts_that_the_rulebook_does_not_print_say_where_they_come_from():
    for name in ("ift", "close_combat", "to_hit", "to_kill", "to_kill_range", "calibres"):
        assert GAME.tables[name].provenance == PT
    assert GAME.tables["units"].provenance == "usage, hors livret"
    assert GAME.tables["terrain"].cell("wooden_building", "tem").provenance == "interprétation"


def test_the_columns_of_the_ift_are_read_left_to_right_and_never_get_weaker():
    table = GAME.tables["ift"]
    rank = {"NE": 0, "PTC": 1, "NMC": 2}
    rank |= (
        {f"{n}MC": 2 + n for n in range(1, 5)}
        | {f"K/{n}": 6 + n for n in range(1, 5)}
        | {f"{n}KIA": 10 + n for n in range(1, 8)}
    )
    rows = [
        [rank[str(table.cell(f"r{r}", f"c{c}").value)] for c in (1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36)]
        for r in range(16)
    ]
    for row in rows:
        assert all(a < 7 or b >= 7 for a, b in pairwise(row))
        assert [v > 0 for v in row] == sorted(v > 0 for v in row)
    for above, below in pairwise(rows):
        assert all((a >= b) or (a >= 7 and b >= 7) for a, b in zip(above, below, strict=True))


def test_a_lesson_that_reads_a_chart_says_where_it_comes_from():
    asked = {"ift", "ift_odds"}
    for one in lessons.lessons("asl_sk"):
        for example in one.examples.values():
            if example.ask in asked:
                assert PT in (example.text or ""), example.id


def test_no_counter_value_of_ours_is_used_in_a_golden_case():
    written = list(cases_folder("asl_sk").rglob("*.yaml"))
    assert written
    for path in written:
        assert "counter:" not in path.read_text(encoding="utf-8"), path
    for name in GAME.positions():
        assert all(not p.counter for p in GAME.position(name).pieces)


def _on_board(task: Task) -> bool:
    """Whether an exercise is answered by touching the board."""
    answer = task.exercise.answer
    if answer.kind == "hexes":
        return True
    where = answers_on_board([one.label for one in (*answer.items, *answer.choices)], task.position)
    return bool(where) and (answer.kind != "order" or len(where) == len(answer.items))


def test_half_of_the_exercises_are_answered_on_the_board_whatever_variant_is_drawn():
    tasks = [Task.of("asl_sk", exercise) for exercise in lessons.exercises("asl_sk").values()]
    touched = [task for task in tasks if _on_board(task)]
    assert len(touched) * 2 >= len(tasks)
    assert [task.exercise.id for task in touched if not all(_on_board(task.variant(seed)) for seed in range(4))] == []


def test_places_to_put_in_order_are_one_hex_each():
    for exercise in lessons.exercises("asl_sk").values():
        labels = [item.label for item in exercise.answer.items]
        where = answers_on_board(labels, Task.of("asl_sk", exercise).position)
        assert all(len(cells) == 1 for cells in where), exercise.id
