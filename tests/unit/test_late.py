"""What a page says late or twice, as it does on a slow network: a press on what was replaced, a key that comes first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.own_loop import in_own_loop
from tests.screen import announced, controls, dressed, entry, named, send, tabs, words, written
from tutor.course.lessons import exercises
from widgets.board.events import HexClicked, PieceDropped
from widgets.host.learner import Progress
from widgets.host.page import Page
from widgets.host.prose import Writer
from widgets.pages.free_board import Sandbox
from widgets.pages.lesson import lesson
from widgets.pages.placement import PlacementPage
from widgets.pages.quick import QuickPage
from widgets.player.answers import ChoiceField, HexField, NumberField
from widgets.player.exercise import ExercisePlayer
from widgets.player.lesson import LessonPage
from widgets.player.predictions import Prediction
from widgets.player.replay import ReplayPlayer

CC = "combat_commander"


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Exercise and answer of each attempt that is kept."""
    kept: list[tuple[str, Any]] = []
    monkeypatch.setattr(
        Progress, "attempt", lambda _, made, of=(): kept.append((made.exercise, made.answer)), raising=True
    )
    return kept


def page_of(lesson_id: str) -> LessonPage:
    parts = lesson(CC, lesson_id)
    for part in (parts.opening, parts.examples, parts.exercises, parts.closing):
        part()
    assert isinstance(parts.page, LessonPage)
    return parts.page


@pytest.fixture
def player() -> ExercisePlayer:
    return page_of("cc-04-ldv").exercise_player


def labelled(field: Any, label: str) -> Any:
    """A button of a field, by its label."""
    return next(made for made in field.widget.children if getattr(made, "description", "") == label)


def number_field(lesson_id: str = "cc-02-pions") -> tuple[ExercisePlayer, NumberField]:
    """The first exercise of a lesson that is answered by a number."""
    made = page_of(lesson_id).exercise_player
    made.go(next(i for i, e in enumerate(made.exercises) if e.answer.kind == "number"))
    assert isinstance(made.field, NumberField)
    return made, made.field


def press_enter(field: Any) -> None:
    """What a browser tells of the key, before it tells of the text."""
    send(field, {"event": "submit"})


# -- exercises ----------------------------------------------------------------------------------------------------


def test_an_answer_to_an_exercise_that_was_left_answers_no_other(
    player: ExercisePlayer, attempts: list[Any], shown: list[str]
) -> None:
    left = player.field
    named(player.widget, "Exercice suivant ▶").click()
    labelled(left, "Oui").click()
    assert (attempts, shown) == ([], [])
    assert player.states == ["new"] * 4
    assert announced(player.widget) == ""


def test_an_answer_to_a_variant_that_was_left_is_not_judged_on_the_next(
    player: ExercisePlayer, attempts: list[Any]
) -> None:
    left = player.field
    assert isinstance(left, ChoiceField)
    named(player.widget, "Une autre").click()
    labelled(left, "Oui").click()
    assert attempts == []


def test_next_and_another_pressed_twice_skip_no_question(player: ExercisePlayer, attempts: list[Any]) -> None:
    left, second = named(player.widget, "Une autre"), player.task().variant(1)
    left.click()
    left.click()
    assert (player.task().position, player.task().arguments) == (second.position, second.arguments)
    onward, hint = named(player.widget, "Exercice suivant ▶"), named(player.widget, "Un indice")
    onward.click()
    onward.click()
    hint.click()
    assert player.exercise is player.exercises[1]
    assert "Indice." not in words(player.widget)
    named(player.widget, "Exercice suivant ▶").click()
    assert player.exercise is player.exercises[2]


def test_hexes_typed_for_a_question_that_was_left_are_marked_on_no_other_board(
    player: ExercisePlayer, shown: list[str]
) -> None:
    player.go(1)
    left = player.field
    assert isinstance(left, HexField)
    named(player.widget, "Une autre").click()
    entry(left.widget).value = "D3"
    labelled(left, "Vérifier").click()
    assert not player.stage.board.slot("selection")
    assert announced(player.widget) == ""
    entry(left.widget).value = "Z99"
    entry(left.widget).value = ""
    labelled(left, "Vérifier").click()
    assert shown == [], "what is wrong with it is not said under the next"


def test_the_same_answer_pressed_twice_counts_once(player: ExercisePlayer, attempts: list[Any]) -> None:
    for _ in range(2):
        labelled(player.field, "Oui").click()
    assert attempts == [("cc-04-voit", "Oui")]
    assert 'data-right="false"' in announced(player.widget)
    labelled(player.field, "Non").click()
    assert attempts[1:] == [("cc-04-voit", "Non")]


def test_hexes_given_again_are_no_second_miss_and_the_reader_is_told_so(
    player: ExercisePlayer, attempts: list[Any]
) -> None:
    player.go(1)
    for _ in range(2):
        player.submit(["A1"])
    assert attempts == [("cc-04-bloque", ["A1"])]
    assert not player.answered
    assert "elle ne compte pas deux fois" in announced(player.widget)


@pytest.mark.parametrize("right", [False, True])
def test_once_it_has_its_proof_an_exercise_takes_no_answer_until_its_position_changes(
    player: ExercisePlayer, attempts: list[Any], right: bool
) -> None:
    player.go(1)
    solution = sorted(player.task().solution())
    player.submit(["A1"])
    player.submit(solution if right else ["A2"])
    field, said = player.field, announced(player.widget)
    assert isinstance(field, HexField)
    assert ("Juste, au second essai." in said, "La réponse" in said) == (right, not right)
    check, clear = labelled(field, "Vérifier"), labelled(field, "Effacer")
    assert all("ldv-closed" in dressed(made) for made in (check, clear, entry(field.widget)))
    before = entry(field.widget).value
    clear.click()
    player.stage.board.emit(HexClicked("C1"))
    assert entry(field.widget).value == before
    entry(field.widget).value = "D3"
    check.click()
    assert len(attempts) == 2
    assert announced(player.widget) == said
    piece = player.task().position.pieces[0].id
    player.stage.board.emit(PieceDropped(piece, "C1", "A1"))
    assert "La position a changé" in announced(player.widget)
    assert "ldv-closed" not in dressed(labelled(player.field, "Vérifier"))
    named(player.widget, "Une autre").click()
    assert announced(player.widget) == ""


def test_a_number_is_read_whole_when_enter_comes_before_it(attempts: list[Any]) -> None:
    """A browser tells of the key, then of what was typed; and a page that tells of each letter would tell of them late."""
    player, _ = number_field()
    field = entry(player.widget)
    assert field.continuous_update is False

    async def type_and_enter() -> None:
        press_enter(field)
        field.value = "12"
        await asyncio.sleep(0.3)

    in_own_loop(type_and_enter())
    assert [given for _, given in attempts] == ["12"]


def test_a_position_that_is_pasted_is_read_whole() -> None:
    assert written(Sandbox(Page(), CC).widget, "Une position").continuous_update is False


def test_enter_again_checks_what_is_there(attempts: list[Any]) -> None:
    player, _ = number_field()
    field = entry(player.widget)
    field.value = "12"

    async def enter() -> None:
        press_enter(field)
        await asyncio.sleep(0.3)

    in_own_loop(enter())
    assert [given for _, given in attempts] == ["12"]


# -- « Et si… », replays, sheets, the short test ------------------------------------------------------------------


def answer(asked: Prediction) -> None:
    """Press every choice: the right one is among them."""
    for made in asked.buttons:
        made.click()


def test_a_what_if_that_was_left_does_not_change_the_board() -> None:
    example = page_of("cc-04-ldv").players["lisiere"]
    cases = example.what_ifs
    first = cases._made[0]
    named(cases.widget, "▶").click()
    before = example.position
    first.buttons[0].click()
    assert example.position == before
    assert not first.done
    named(cases.widget, "◀").click()
    answer(first)
    assert first.done


@pytest.fixture
def replay() -> ReplayPlayer:
    played = page_of("cc-19-tour").replay
    assert played is not None
    return played


def option(player: ReplayPlayer, label: str) -> Any:
    return next(one for one in controls(player.widget) if str(getattr(one, "description", "")).endswith(label))


def test_a_choice_of_a_step_that_was_left_decides_no_other(replay: ReplayPlayer, shown: list[str]) -> None:
    late = [option(replay, one.label) for one in replay.step.decision.options]  # type: ignore[union-attr]
    option(replay, "La MG, seule").click()
    named(replay.widget, "▶").click()
    decided = replay.run.moves
    for made in late:
        made.click()
    assert (replay.run.moves, replay.number, shown) == (decided, 2, [])


def test_an_answer_to_a_question_of_a_step_that_was_left_plays_nothing(replay: ReplayPlayer, shown: list[str]) -> None:
    replay.open("4-aaa")
    asked = next(iter(replay._questions.values()))
    replay.go(1)
    played = replay.run.moves
    asked.buttons[0].click()
    assert (replay.run.moves, replay.number, shown) == (played, 1, [])
    replay.go(4)
    answer(asked)
    assert asked.done


def test_the_step_that_waits_and_one_that_is_no_more_are_pressed_in_peace(
    replay: ReplayPlayer, shown: list[str]
) -> None:
    option(replay, f". {replay.step.title}").click()
    assert (replay.number, shown) == (1, [])
    replay.open("6-aaaa")
    last = option(replay, f". {replay.run.moves[-1].step.title}")
    replay.go(1)
    option(replay, "La MG, seule").click()
    last.click()
    assert (replay.number, shown) == (1, [])


def test_a_sheet_of_a_rulebook_that_was_left_is_not_opened(shown: list[str]) -> None:
    page = QuickPage(Page())
    left = tabs(page.widget, 1)
    tabs(page.widget).value = "tcs"
    panel = page.panel
    left.index = 1
    assert page.panel is panel
    assert shown == []


def test_an_answer_to_the_test_of_a_rulebook_that_was_left_advises_nothing(shown: list[str]) -> None:
    here = Page()
    page = PlacementPage(here)
    here.course.ready = True
    left = page.player
    assert left
    named(page.widget, "Livret").value = "tcs"
    left.submit(left.task().solution())
    assert "Où commencer" not in words(page.widget)
    assert shown == []


def test_once_the_right_order_is_told_each_line_says_its_place() -> None:
    exercise = exercises("tcs")["tcs-01-ordre"]
    player = ExercisePlayer(Page(), "tcs", "", [exercise], Writer("tcs"))
    solution = player.task().solution()
    assert solution is not None
    one, other, *rest = solution
    player.submit((other, one, *rest))
    assert "sa place" not in words(player.widget)
    player.submit((*reversed(solution),))
    assert words(player.widget).count("sa place") + words(player.widget).count("✓") == len(solution)
