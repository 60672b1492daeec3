"""« Je connais déjà » : at most eight questions chosen by the answers before; the first answer alone counts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.screen import named, words
from tutor.core.registry import GAMES
from tutor.course.lessons import readable
from tutor.course.placing import MOST, Placing
from widgets.host.page import Page
from widgets.pages.placement import PlacementPage, probes
from widgets.pages.review import ReviewPage, training
from widgets.player.exercise import ExercisePlayer


def solve(player: ExercisePlayer) -> None:
    """Give the right answer to the exercise on screen, in the form of its field."""
    solution = player.task().solution()
    player.submit(
        tuple(solution)
        if isinstance(solution, frozenset)
        else solution
        if player.exercise.answer.kind != "number"
        else "refusé"
        if str(solution) == "REFUSED"
        else solution
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_every_lesson_with_exercises_is_probed_once(game_id: str) -> None:
    lessons = [lesson for lesson, _ in probes(game_id)]
    assert [one.id for one in lessons] == [one.id for one in readable(game_id)[0] if one.exercise_ids]


def asking(here: Page, game_id: str = "") -> PlacementPage:
    """The page, opened at an address."""
    page = PlacementPage(here)
    here.course.query = f"?jeu={game_id}" if game_id else ""
    here.course.ready = True
    return page


def miss(page: PlacementPage) -> None:
    named(page.widget, "Je ne sais pas").click()


def go_on(page: PlacementPage) -> None:
    last = "Question suivante" if page.placing.next is not None else "Voir où commencer"
    named(page.widget, last).click()


def played(page: PlacementPage) -> ExercisePlayer:
    assert page.player is not None
    return page.player


@pytest.mark.parametrize("game_id", GAMES)
def test_who_knows_all_is_asked_at_most_eight_times_and_has_nothing_to_learn(game_id: str, here: Page) -> None:
    page = asking(here, game_id)
    for _ in range(MOST):
        if page.placing.next is None:
            break
        solve(played(page))
        go_on(page)
    assert len(page.placing.answers) <= MOST
    assert "Vous savez tout ce que ce test demande" in words(page.widget)
    assert all(lesson.title.split()[0] in words(page.widget) for lesson, _ in page.test)


def test_who_knows_nothing_begins_at_the_first_lesson(here: Page) -> None:
    page = asking(here)
    while page.placing.next is not None:
        miss(page)
    assert len(page.placing.answers) <= 5
    assert f"Commencer par la leçon {page.test[0][0].number}" in words(page.widget)
    assert "Vous savez déjà" not in words(page.widget)


def test_the_first_answer_alone_counts_and_a_wrong_one_is_diagnosed(here: Page) -> None:
    page = asking(here)
    asked = page.placing.next
    assert asked is not None
    page.player = player = played(page)
    answer = player.exercise.answer
    solution = player.task().solution()
    if answer.kind == "choice":
        wrong: object = next(one.label for one in answer.choices if one.label != solution)
    elif answer.kind == "number":
        wrong = "77"
    elif answer.kind == "order":
        wrong = tuple(reversed(solution))
    else:
        wrong = tuple(player.task().spots or ["A1"])
    player.submit(wrong)
    assert "Pas encore" in words(page.widget)
    solve(player)
    assert page.placing.answers == {asked: False}


@settings(max_examples=300, deadline=None)
@given(count=st.integers(0, 40), answers=st.lists(st.booleans(), min_size=MOST, max_size=MOST))
def test_it_ends_whatever_is_answered(count: int, answers: list[bool]) -> None:
    placing = Placing(count)
    for right in answers:
        if placing.next is None:
            break
        assert placing.next not in placing.answers
        assert placing.next < count
        placing.answer(right)
    assert placing.next is None
    assert placing.start not in placing.known
    assert all(placing.answers.get(at, True) for at in placing.known)


@given(count=st.integers(0, 40), border=st.integers(0, 40))
def test_who_knows_the_first_lessons_alone_is_sent_to_the_next_one(count: int, border: int) -> None:
    placing = Placing(count)
    while placing.next is not None:
        placing.answer(placing.next < border)
    assert placing.start == min(border, count)


def test_a_gap_below_the_border_is_where_one_begins() -> None:
    placing = Placing(19)
    while placing.next is not None:
        placing.answer(placing.next not in (2, 17, 18))
    assert placing.gaps in ([], [2])
    assert placing.start == (2 if placing.gaps else 17)
    asked = Placing(3)
    while asked.next is not None:
        asked.answer(asked.next != 0)
    assert (asked.start, asked.gaps, asked.known) == (0, [0], [1, 2])


def test_nothing_is_asked_before_the_address_says_of_which_book(here: Page) -> None:
    page = PlacementPage(here)
    assert page.player is None
    here.course.set_state({"query": "?jeu=tcs", "ready": True})
    assert page.game_id == "tcs"
    assert played(page).exercise.lesson in [lesson.id for lesson, _ in probes("tcs")]


def test_another_book_is_another_test(here: Page) -> None:
    page = asking(here, "tcs")
    assert page.game_id == "tcs"
    assert played(page).exercise.lesson in [lesson.id for lesson, _ in probes("tcs")]


def test_a_rule_is_trained_by_an_exercise_that_names_it_another_than_last_time() -> None:
    for _ in range(20):
        exercise = training("combat_commander", "10.3.3", but="cc-05-valeur")
        assert exercise is not None
        assert exercise.id != "cc-05-valeur"
        assert "10.3.3" in exercise.rules
    assert training("combat_commander", "99") is None
    by_its_mistake = training("combat_commander", "99", but="cc-05-valeur")
    assert by_its_mistake is not None
    assert by_its_mistake.id == "cc-05-valeur"


def test_without_a_code_there_is_nothing_to_review(here: Page) -> None:
    page = ReviewPage(here)
    here.course.ready = True
    assert "Rien à réviser pour l’instant" in words(page.widget)
