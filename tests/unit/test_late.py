"""What a page says late or twice, as it does on a slow network: a press on what was replaced, a key that comes first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.store.harness import in_own_loop
from widgets.exercise import ExercisePlayer
from widgets.exercise_answers import ChoiceField, HexField, NumberField
from widgets.learner import Progress
from widgets.lesson import lesson
from widgets.lesson_page import LessonPage
from widgets.placement import PlacementPage
from widgets.quick import QuickPage
from widgets.replay import ReplayPlayer
from widgets.sandbox import Sandbox

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
    return page_of("cc-04-ldv")._exercises


def labelled(field: Any, label: str) -> Any:
    """A button of a field, by its label."""
    return next(made for made in field.widget.children if getattr(made, "description", "") == label)


def number_field(lesson_id: str = "cc-02-pions") -> tuple[ExercisePlayer, NumberField]:
    """The first exercise of a lesson that is answered by a number."""
    found = page_of(lesson_id)._exercises
    found._go(next(i for i, e in enumerate(found._exercises) if e.answer.kind == "number"))
    assert isinstance(found._field, NumberField)
    return found, found._field


def press_enter(field: Any) -> None:
    """What a browser tells of the key, before it tells of the text."""
    data = {"method": "custom", "content": {"event": "submit"}}
    field._handle_msg({"content": {"data": data}, "buffers": []})


# -- exercises ----------------------------------------------------------------------------------------------------


def test_an_answer_to_an_exercise_that_was_left_answers_no_other(
    player: ExercisePlayer, attempts: list[Any], shown: list[str]
) -> None:
    left = player._field
    player._next.click()
    labelled(left, "Oui").click()
    assert (attempts, shown) == ([], [])
    assert player._states == ["new"] * 4
    assert player._said.value == ""


def test_an_answer_to_a_variant_that_was_left_is_not_judged_on_the_next(
    player: ExercisePlayer, attempts: list[Any]
) -> None:
    left = player._field
    assert isinstance(left, ChoiceField)
    player._other.click()
    labelled(left, "Oui").click()
    assert attempts == []


def test_next_and_another_pressed_twice_skip_no_question(player: ExercisePlayer, attempts: list[Any]) -> None:
    left = player._other
    left.click()
    left.click()
    assert player._seeds == {0: 1}
    onward, hint = player._next, player._hint
    onward.click()
    onward.click()
    hint.click()
    assert player._at == 1
    assert player._hinted.layout.display == "none"
    player._next.click()
    assert player._at == 2


def test_hexes_typed_for_a_question_that_was_left_are_marked_on_no_other_board(
    player: ExercisePlayer, shown: list[str]
) -> None:
    player._go(1)
    left = player._field
    assert isinstance(left, HexField)
    player._other.click()
    left._field.value = "D3"
    labelled(left, "Vérifier").click()
    assert "selection" not in player.stage.board._slots
    assert player._said.value == ""
    left._field.value = "Z99"
    left._field.value = ""
    labelled(left, "Vérifier").click()
    assert shown == [], "what is wrong with it is not said under the next"


def test_the_same_answer_pressed_twice_counts_once(player: ExercisePlayer, attempts: list[Any]) -> None:
    for _ in range(2):
        labelled(player._field, "Oui").click()
    assert attempts == [("cc-04-voit", "Oui")]
    assert 'data-right="false"' in player._said.value
    labelled(player._field, "Non").click()
    assert attempts[1:] == [("cc-04-voit", "Non")]
    player._other.click()
    assert player._said.value == ""


def test_a_number_is_read_whole_when_enter_comes_before_it(attempts: list[Any]) -> None:
    """A browser tells of the key, then of what was typed; and a page that tells of each letter would tell of them late."""
    _, field = number_field()
    assert field._field.continuous_update is False

    async def type_and_enter() -> None:
        press_enter(field._field)
        field._field.value = "12"
        await asyncio.sleep(0.3)

    in_own_loop(type_and_enter())
    assert [given for _, given in attempts] == ["12"]


def test_a_position_that_is_pasted_is_read_whole() -> None:
    assert Sandbox(CC)._text.continuous_update is False


def test_enter_again_checks_what_is_there(attempts: list[Any]) -> None:
    _, field = number_field()
    field._field.value = "12"

    async def enter() -> None:
        press_enter(field._field)
        await asyncio.sleep(0.3)

    in_own_loop(enter())
    assert [given for _, given in attempts] == ["12"]


# -- « Et si… », replays, sheets, the short test ------------------------------------------------------------------


def test_a_what_if_that_was_left_does_not_change_the_board() -> None:
    example = page_of("cc-04-ldv").players["lisiere"]
    cases = example._what_ifs
    first = cases._made[0]
    cases._after.click()
    before = example.position
    first._buttons[0].click()
    assert example.position == before
    assert not first.done
    cases._before.click()
    first._buttons[0].click()
    assert first.done


@pytest.fixture
def replay() -> ReplayPlayer:
    found = page_of("cc-19-tour").replay
    assert found is not None
    return found


def option(player: ReplayPlayer, label: str) -> Any:
    return next(made for made in player._options if made.description.endswith(label))


def test_a_choice_of_a_step_that_was_left_decides_no_other(replay: ReplayPlayer, shown: list[str]) -> None:
    late = list(replay._options)
    option(replay, "La MG, seule").click()
    replay._on.click()
    decided = replay.run.moves
    for made in late:
        made.click()
    assert (replay.run.moves, replay.number, shown) == (decided, 2, [])


def test_an_answer_to_a_question_of_a_step_that_was_left_plays_nothing(replay: ReplayPlayer, shown: list[str]) -> None:
    replay.open("4-aaa")
    asked = next(iter(replay._questions.values()))
    replay.go(1)
    played = replay.run.moves
    asked._buttons[0].click()
    assert (replay.run.moves, replay.number, shown) == (played, 1, [])
    replay.go(4)
    asked._buttons[0].click()
    assert asked.done


def test_the_step_that_waits_and_one_that_is_no_more_are_pressed_in_peace(
    replay: ReplayPlayer, shown: list[str]
) -> None:
    replay._links[replay.step.id].click()
    assert (replay.number, shown) == (1, [])
    replay.open("6-aaaa")
    last = replay.run.moves[-1].step.id
    replay.go(1)
    option(replay, "La MG, seule").click()
    replay._links[last].click()
    assert (replay.number, shown) == (1, [])


def test_a_sheet_of_a_rulebook_that_was_left_is_not_opened(shown: list[str]) -> None:
    page = QuickPage()
    left = page._choice
    page._game.value = "tcs"
    panel = page.panel
    left.index = 1
    assert page.panel is panel
    assert shown == []


def test_an_answer_to_the_test_of_a_rulebook_that_was_left_advises_nothing(shown: list[str]) -> None:
    page = PlacementPage()
    left = page.player
    page._game.value = "tcs"
    left._submit(left._task().solution())
    assert page._first == {}
    assert page._advice.value == ""
    assert shown == []
