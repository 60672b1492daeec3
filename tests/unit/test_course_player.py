"""The lesson player, home page and free board in a kernel without a page: what the reader does, what is shown."""

from __future__ import annotations

import re
from html import escape

import pytest

from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.core.typography import typography
from tutor.course.exercises import Task
from tutor.course.lessons import exercises, lessons, readable
from tutor.course.links import position_text
from tutor.course.models import Lesson
from tutor.course.search import folded
from widgets import errors
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.events import HexClicked, PieceDropped
from widgets.exercise import ExercisePlayer
from widgets.exercise_answers import field
from widgets.home import HomePage, about
from widgets.learner import progress
from widgets.lesson import lesson
from widgets.lesson_page import BrokenPage, LessonPage
from widgets.sandbox import Sandbox

CC = "combat_commander"


def text(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


@pytest.fixture
def page() -> LessonPage:
    made = lesson(CC, "cc-04-ldv")
    made.opening()
    made.examples()
    made.exercises()
    made.closing()
    assert isinstance(made.page, LessonPage)
    return made.page


def exercises_of(page: LessonPage) -> ExercisePlayer:
    return page._exercises


def test_the_reader_commits_before_he_sees(page: LessonPage) -> None:
    player = page.players["lisiere"]
    assert 'data-outcome="pending"' in player.stage.verdict.view.value
    assert player.stage.trace.view.value == ""
    player._question._buttons[0].click()
    assert 'data-outcome="blocked"' in player.stage.verdict.view.value
    assert "Ce n’est pas cela." in player._question._said.value
    assert "bloquée en E3" in text(player.stage.trace.view.value)


def test_a_click_moves_the_line_and_undo_brings_it_back(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player._question._buttons[1].click()
    player.stage.board.emit(HexClicked("B3"))
    player.stage.board.emit(HexClicked("B1"))
    assert player._arguments == {"start": "B3", "end": "B1"}
    assert 'data-outcome="clear"' in player.stage.verdict.view.value
    player._undo.click()
    player._undo.click()
    assert player._arguments == {"start": "C5", "end": "F2"}
    assert player._undo.disabled


def test_a_dragged_piece_takes_the_line_with_it(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player._question._buttons[1].click()
    player.stage.board.emit(PieceDropped("krylov", "F2", "E4"))
    assert player._arguments["end"] == "E4"
    assert player.position.hex_of("krylov") == "E4"
    assert 'data-outcome="clear"' in player.stage.verdict.view.value


def test_a_setting_changes_the_verdict(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player._question._buttons[1].click()
    player._tweaks.controls["terrain.E3"].value = "open"
    assert 'data-outcome="clear"' in player.stage.verdict.view.value
    player._reset.click()
    assert 'data-outcome="blocked"' in player.stage.verdict.view.value


def test_a_question_the_engine_cannot_answer_leaves_the_page_working(page: LessonPage) -> None:
    player = page.players["lisiere"]
    player._question._buttons[1].click()
    player.stage.board.emit(HexClicked("F2"))
    assert 'data-outcome="unknown"' in player.stage.verdict.view.value
    player.stage.board.emit(HexClicked("G4"))
    assert 'data-outcome="unknown"' not in player.stage.verdict.view.value


@pytest.mark.parametrize("lesson_id", [one.id for one in readable(CC)[0]])
def test_every_prediction_has_its_right_answer(lesson_id: str) -> None:
    made = lesson(CC, lesson_id)
    for part in (made.opening, made.examples, made.exercises, made.closing):
        part()
    assert isinstance(made.page, LessonPage)
    for player in made.page.players.values():
        player.revealed = True
        player._refresh()
        assert 'data-outcome="pending"' not in player.stage.verdict.view.value
        assert player.stage.trace.view.value.count("<li") >= 1
    assert progress().done == {}


def test_what_if_is_played_on_the_board(page: LessonPage) -> None:
    player = page.players["lisiere"]
    case = page.content.blocks[4].cases[1]  # type: ignore[union-attr]
    right, said = player._play(case)
    assert right == case.choices[1].label
    assert "ne compte pas" in text(said)  # what decides, not only what it comes to
    assert player.position.terrain_of["F2"] == "woods"
    player._leave()
    assert "F2" not in player.position.terrain_of


# -- exercises ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_lines_to_order_never_begin_in_the_right_order(game_id: str) -> None:
    tasks = [Task.of(game_id, one) for one in exercises(game_id).values() if one.answer.kind == "order"]
    given: list[object] = []
    for task in tasks:
        field(task, given.append, lambda _: None).widget.children[1].children[0].click()
    assert tasks
    assert not [task.exercise.id for task, order in zip(tasks, given, strict=True) if order == task.solution()]


def test_an_exercise_is_judged_and_remembered(page: LessonPage) -> None:
    player = exercises_of(page)
    right = player._task().solution()
    wrong = next(choice.label for choice in player.exercise.answer.choices if choice.label != right)
    player._submit(wrong)
    assert 'data-right="false"' in player._said.value
    assert player._states[0] == "wrong"
    player._submit(right)
    assert 'data-right="true"' in player._said.value
    assert player._states[0] == "right"
    assert progress().done == {"cc-04-ldv": ["cc-04-voit"]}
    assert "cc-04-voit" in bridge().to_store


def test_hexes_are_clicked_or_typed(page: LessonPage, shown: list[str]) -> None:
    player = exercises_of(page)
    player._go(1)
    for hex_ in sorted(player._task().solution()):
        player.stage.board.emit(HexClicked(hex_))
    field = player._field._field  # type: ignore[union-attr]
    assert set(field.value.split(", ")) == player._task().solution()
    field.value = "Z99"
    assert any("n’est pas sur ce plateau" in sentence for sentence in shown)
    field.value = " et ".join(sorted(player._task().solution())).lower()
    player._submit(player._field._given())  # type: ignore[union-attr]
    assert 'data-right="true"' in player._said.value


def test_a_variant_asks_again(page: LessonPage) -> None:
    player = exercises_of(page)
    before = player._task()
    player._other.click()
    assert player._task().position != before.position or player._task().arguments != before.arguments
    assert player._said.layout.display == "none"
    assert 'data-outcome="pending"' in player.stage.verdict.view.value


def test_the_hint_comes_before_the_answer(page: LessonPage) -> None:
    player = exercises_of(page)
    player._hint.click()
    assert "Indice" in player._hinted.value
    assert player._hinted.layout.display != "none"
    assert 'data-outcome="pending"' in player.stage.verdict.view.value


def test_progress_of_an_earlier_visit_is_shown(page: LessonPage) -> None:
    bridge().stored = '{"done": {"cc-04-ldv": ["cc-04-bloque"]}}'
    assert exercises_of(page)._states == ["new"] * 4  # not before the whole page is there to be told
    course_page().ready = True
    assert exercises_of(page)._states == ["new", "right", "new", "new"]


# -- links --------------------------------------------------------------------------------------------------------


def test_a_position_comes_by_the_link(page: LessonPage) -> None:
    position = game(CC).position("livret-ldv").change({"way.road.M5": None})
    course_page().query = f"?exemple=route&position={position_text(position)}"
    player = page.players["route"]
    assert "M5" not in player.position.ways["road"]
    player._question._buttons[0].click()
    assert course_page().scroll == "route"


@pytest.mark.parametrize("text", ["abc", "A" * 3000, "%00", "é"])
def test_a_bad_link_says_so_and_the_lesson_stays(page: LessonPage, shown: list[str], text: str) -> None:
    before = page.players["lisiere"].position
    course_page().query = f"?position={text}"
    assert any("position" in sentence for sentence in shown)
    assert page.players["lisiere"].position == before


def test_projection_hides_until_asked(page: LessonPage) -> None:
    player = page.players["lisiere"]
    course_page().query = "?mode=projection"
    assert 'data-outcome="pending"' in player.stage.verdict.view.value
    player._reveal.click()
    assert 'data-outcome="blocked"' in player.stage.verdict.view.value
    player._reveal.click()
    assert 'data-outcome="pending"' in player.stage.verdict.view.value


def test_a_lesson_that_does_not_exist_is_a_sentence() -> None:
    broken = lesson(CC, "rien").page
    assert isinstance(broken, BrokenPage)
    first = broken.opening()
    assert first is not None
    assert "ne peut pas s’ouvrir" in first.value  # type: ignore[attr-defined]
    assert broken.exercises() is None


# -- home and free board ------------------------------------------------------------------------------------------


def test_home_lists_lessons_and_opens_entries(shown: list[str]) -> None:
    home = HomePage()
    for game_id in (*GAMES, CC):
        home._books.value = game_id
        assert home._courses.value.count("<li>") == len(lessons(game_id))
        assert home.index.game_id == game_id
    course_page().query = "?jeu=combat_commander&regle=10.3.3"
    entry = text(home.index.entry.value)
    assert "10.3.3" in entry
    assert "Exemple vivant" in entry
    course_page().query = "?jeu=combat_commander&regle=99.99"
    assert "n’est pas dans l’index" in home.index.entry.value
    home.index.field.value = "<b>"
    assert "&lt;b&gt;" in home.index._found.value
    course_page().query = "?vue=index"
    assert home.index._chapters.value.count("<li>") == len(game(CC).sections)
    words = [folded(term) for term in re.findall("<dt>(.*?)</dt>", home._glossary.value)]
    assert words == sorted(words)
    course_page().query = "?jeu=echecs"
    assert any("echecs" in sentence for sentence in shown)


def test_about_names_the_publishers() -> None:
    said = text(about().children[0].value)  # type: ignore[attr-defined]
    for name in (
        "GMT Games",
        "Multi-Man Publishing",
        "The Gamers",
        "DVG",
        "Devil Pig Games",
        "MIT",
        "Open Font",
        "affilié",
    ):
        assert name in said
    for game_id, title in GAMES.items():
        assert re.search(rf"{title.replace(NBSP, '.')} [\w()\- ]+ {len(lessons(game_id))} leçons", said), title
    assert "à venir" not in said


def test_the_free_board(shown: list[str]) -> None:
    sandbox = Sandbox(CC)
    sandbox.board.emit(HexClicked("J9"))
    sandbox.board.emit(HexClicked("K6"))
    assert 'data-outcome="blocked"' in sandbox.verdict.view.value
    sandbox._mode.value = "terrain"
    sandbox._brushes["terrain"].value = "terrain:building"
    sandbox.board.emit(HexClicked("K9"))
    assert sandbox.situation.position.terrain_of["K9"] == "building"
    sandbox._undo.click()
    assert "K9" not in sandbox.situation.position.terrain_of
    sandbox._write()
    sandbox._read(sandbox._text.value)
    before = sandbox.situation.position
    for broken in (
        "",
        "a: [",
        "schema: 2",
        "schema: 1\ngame: combat_commander\nid: x\ngrid: {columns: [A, B], rows: [1, 2]}\nterrain: {woods: [Z9]}",
    ):
        errors.guarded(sandbox._read)(broken)
    assert len(shown) >= 3
    assert sandbox.situation.position.id in (before.id, "x")


def test_fire_on_the_free_board() -> None:
    sandbox = Sandbox(CC, game(CC).position("livret-tir"))
    sandbox._mode.value = "fire"
    sandbox._camp.value = sandbox.situation.position.piece("peloton-l8").side
    for hex_, piece in (("L8", "peloton-l8"), ("K8", "peloton-k8"), ("M6", None)):
        sandbox.board.emit(HexClicked(hex_, piece))
    assert sandbox._firers == ["peloton-l8", "peloton-k8"]
    assert sandbox._target == "M6"
    panels = sandbox._stacks["fire_odds"]._panels
    assert panels
    assert "%" in panels[0].view.value


def test_a_search_looks_into_every_rulebook() -> None:
    index = HomePage().index
    index.find("fumigène")
    assert "Dans les autres livrets" in index._found.value
    assert GAMES["asl_sk"] in index._found.value
    index.find("3.2.3-NMC")
    assert "Aucune règle" in index._found.value
    assert "regle=3.2.3-NMC" in index._found.value or "3.2.3-NMC" in text(index._found.value)


@pytest.mark.parametrize("content", lessons("combat_commander"), ids=lambda content: content.slug)
def test_every_word_of_the_booklet_s_glossary_is_explained_in_every_lesson(content: Lesson) -> None:
    writer = LessonPage("combat_commander", content).writer
    words = [entry for entry in game("combat_commander").glossary if entry["livret"]]
    assert len(words) == 34
    for entry in words:
        assert f'data-definition="{escape(typography(entry["definition"]))}"' in writer.fresh().inline(entry["term"])
