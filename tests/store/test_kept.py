"""What readers and teachers kept in November 2026 is all there: a database and a lesson's files of that version.

``tests/data`` holds them as that version wrote them (SQLite's own dump); they are never written again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from tests.store.harness import CODE
from tutor.core.registry import ask
from tutor.course.exercises import Task
from tutor.course.teacher_lessons import AuthoredLesson, Sheet
from tutor.store.database import place
from tutor.store.store import Store
from tutor.store.who import Who
from widgets.classroom.pasted import body_of_kept
from widgets.editor.teacher_lesson import Plan, kept_lesson
from widgets.host.page import Page
from widgets.pages.teacher_lesson import METADATA

DATA = Path(__file__).resolve().parents[1] / "data"
GAME, LESSON = "combat_commander", "combat_commander/01-ligne-de-vue.ipynb"
BOARD, KEPT_LESSON, LINK, TEACHER_KEY = "WK7M7R2K", "KPSK54T5", "8SF66C7S", "NG6C-742M-BHM3-NYEF-DF2H-D53X"


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Store]:
    """The database of that version, opened by this one."""
    address = place({"LDV_DATA": str(tmp_path)})
    with sqlite3.connect(str(address.database)) as db:
        db.executescript((DATA / "kept-2026-11.sql").read_text(encoding="utf-8"))
    db.close()
    store = Store(address)
    store.open()
    yield store
    store.close()


def test_the_resume_code_leads_to_progress_answers_mistakes_and_reviews(old: Store) -> None:
    me = Who(learner=old.read("learner.resume", Who(), {"code": CODE})["learner"])
    kept = old.read("learner.export", me, {})
    (lesson,) = kept["lessons"]
    assert (lesson["lesson"], lesson["place"]) == (LESSON, {"scene": "q2"})
    assert lesson["finished"] > lesson["opened"]
    assert [(one["exercise"], one["ok"], one["answer"], one["missed"], one["variant"]) for one in kept["attempts"]] == [
        ("ldv-1", True, "libre", [], ""),
        ("ldv-1", False, "bloquée", ["10.3.3"], "v1"),
    ]
    assert [(one["game"], one["rule"], one["count"]) for one in kept["mistakes"]] == [(GAME, "10.3.3", 1)]
    cards = old.read("review.due", me, {"all": True})["cards"]
    assert [(one["game"], one["rule"]) for one in cards] == [(GAME, "10.3.3"), (GAME, "O20.3"), ("asl_sk", "3.2.3")]


def test_the_board_the_lesson_and_the_link_open(old: Store) -> None:
    board = old.read("authored.get", Who(), {"code": BOARD})
    sheet = Sheet.parse(board["body"])
    assert sheet.asked is not None
    assert not ask(sheet.board, sheet.asked.ask, **sheet.asked.with_).value.visible
    assert body_of_kept(BOARD, board)["form"] == "exercise"
    lesson = old.read("authored.get", Who(), {"code": KEPT_LESSON})
    assert lesson["body"] == (DATA / "lecon-2026-11.yaml").read_text(encoding="utf-8")
    assert body_of_kept(KEPT_LESSON, lesson)["title"] == "Voir ou ne pas voir"
    assert old.read("link.get", Who(), {"code": LINK})["target"] == "/voila/render/bac-a-sable.ipynb?position=x"


def test_the_teacher_finds_the_history_of_the_class(old: Store) -> None:
    teacher = Who(teacher=old.read("teacher.enter", Who(), {"key": TEACHER_KEY})["teacher"])
    (session,) = old.read("class.list", teacher, {})["sessions"]
    assert (session["title"], session["people"], session["closed"] is None) == ("Mardi, groupe A", 1, False)
    history = old.read("class.export", teacher, {"session": session["session"]})
    assert [one["nickname"] for one in history["participants"]] == ["Zoé"]
    assert [one["body"]["title"] for one in history["pushes"]] == ["Qui voit qui ?"]
    assert [(one["answer"], one["ok"], one["missed"]) for one in history["answers"]] == [
        ("Personne", False, ["10.3.3"])
    ]


def test_the_files_of_a_lesson_are_played_and_edited() -> None:
    text = (DATA / "lecon-2026-11.yaml").read_text(encoding="utf-8")
    lesson = AuthoredLesson.parse(text)
    assert [block.kind for block in lesson.lesson.blocks] == [
        *("situation", "question", "example", "rule", "retenir", "exercises")
    ]
    assert "voit-il</span> Borbe" in str(kept_lesson(Page(), lesson, "ABCD2345").widget)
    assert Task.of(GAME, lesson.exercises[0]).solution() == "Non"
    assert Plan.of(lesson).title == "Voir ou ne pas voir"
    carried = nbformat.read(DATA / "lecon-2026-11.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    assert AuthoredLesson.parse(carried.metadata[METADATA]["body"]) == lesson
