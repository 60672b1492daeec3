"""What leaves a page is closed: a long visit weighs no more than a short one, in the kernel and in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as ipw
import pytest
from ipywidgets.widgets import widget as registry

from tests.screen import controls, named, tabs
from tutor.core.registry import GAMES
from tutor.course.comparison import MECHANISMS, mechanism
from widgets.editor.page import EditorPage
from widgets.host.page import Page
from widgets.pages.compare import Comparison
from widgets.pages.free_board import SandboxPage
from widgets.pages.placement import PlacementPage
from widgets.pages.quick import QuickPage
from widgets.player.lesson import LessonPage, lesson_page


def sheets_in_turn(page: Page) -> Callable[[int], None]:
    """« À table », a sheet after another, a rulebook after another."""
    made = QuickPage(page)

    def turn(number: int) -> None:
        books = tabs(made.widget)
        books.value = books.options[number % 2][1]
        for _, sheet in tabs(made.widget, 1).options[:2]:
            tabs(made.widget, 1).value = sheet

    return turn


def mechanisms_in_turn(page: Page) -> Callable[[int], None]:
    """« Côte à côte », a mechanism after another, every scene of each."""
    made = Comparison(page)

    def turn(number: int) -> None:
        tabs(made.widget).value = MECHANISMS[number % 2]
        for scene in mechanism(MECHANISMS[number % 2]).scenes:
            named(made.widget, scene.label).click()

    return turn


def games_in_turn(page: Page) -> Callable[[int], None]:
    """« Plateau libre », a game after another."""
    made = SandboxPage(page, next(iter(GAMES)))

    def turn(number: int) -> None:
        choice = next(one for one in controls(made.widget) if isinstance(one, ipw.Dropdown))
        choice.value = list(GAMES)[number % 2]

    return turn


def exercises_in_turn(page: Page) -> Callable[[int], None]:
    """The exercises of a lesson, one after another."""
    made = lesson_page(page, "combat_commander", "cc-04-ldv")
    assert isinstance(made, LessonPage)
    made.exercises()
    return lambda number: made.exercise_player.go(number % 2)


def placements_in_turn(page: Page) -> Callable[[int], None]:
    """« Je connais déjà », a question after another, of one rulebook then of another."""
    made = PlacementPage(page)

    def turn(number: int) -> None:
        named(made.widget, "Livret").value = list(GAMES)[(number + 1) % 2]
        for _ in range(2):
            named(made.widget, "Je ne sais pas").click()

    return turn


def editors_in_turn(page: Page) -> Callable[[int], None]:
    """The editor, a game after another."""
    made = EditorPage(page, next(iter(GAMES)))

    def turn(number: int) -> None:
        choice = next(one for one in controls(made.widget) if isinstance(one, ipw.Dropdown))
        choice.value = list(GAMES)[number % 2]

    return turn


@pytest.mark.parametrize(
    "swapping",
    [sheets_in_turn, mechanisms_in_turn, games_in_turn, exercises_in_turn, placements_in_turn, editors_in_turn],
)
def test_what_is_swapped_leaves_nothing_behind(swapping: Callable[[Page], Callable[[int], None]], here: Page) -> None:
    turn = swapping(here)

    def open_widgets() -> dict[str, Any]:
        return dict(registry._instances)

    for number in range(4):  # what a page makes once is made
        turn(number)
    before = open_widgets()
    for number in range(8):
        turn(number)
    assert len(open_widgets()) == len(before)
