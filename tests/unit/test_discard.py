"""What leaves a page is closed: a long visit weighs no more than a short one, in the kernel and in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as ipw
import pytest

from tests.screen import controls, living, named, tabs
from tutor.core.registry import GAMES, game
from tutor.course.articles import families
from tutor.course.comparison import MECHANISMS, mechanism
from tutor.course.lessons import exercises, lessons
from tutor.course.links import Link
from tutor.course.scenario import scenario_files
from tutor.course.shown import board_body, choice_body, exercise_body, lesson_body
from widgets.classroom.attendance import attendance
from widgets.classroom.compose import Composer
from widgets.classroom.live import LivePage
from widgets.classroom.projector import Projector
from widgets.editor.draft import Workbench
from widgets.editor.page import EditorPage
from widgets.editor.preview import Preview
from widgets.host.channel import Channel, Reply
from widgets.host.page import Page
from widgets.pages.articles import ArticlesPage
from widgets.pages.compare import Comparison
from widgets.pages.free_board import SandboxPage
from widgets.pages.placement import PlacementPage
from widgets.pages.quick import QuickPage
from widgets.pages.review import ReviewPage
from widgets.pages.scenarios import ScenariosPage
from widgets.player.lesson import LessonPage, lesson_page

CC = "combat_commander"


class Room(Channel):
    """A server that knows one session and what waits for review, and says the rest never happened."""

    available = True

    def __init__(self) -> None:
        super().__init__("", "")
        self.screens: list[Callable[[Any], object]] = []
        self.cards: list[dict[str, Any]] = []

    def join(self, code: str, nickname: str, token: str = "", then: Any = None, late: Any = None) -> Any:
        then(Reply(True, {"session": 5, "participant": 1, "nickname": nickname, "title": "", "token": "jeton"}))

    def subscribe(self, topic: str, observer: Callable[[Any], object], then: Any = None) -> Callable[[], None]:
        self.screens.append(observer)
        return lambda: None

    def request(self, op: str, args: Any = None, then: Any = None, late: Any = None) -> Any:
        then(Reply(True, {"cards": self.cards} if op == "review.due" else {}))

    def write(self, *asked: Any, **how: Any) -> Any:
        return None

    def push(self, number: int, **more: Any) -> None:
        """What the teacher sends to all screens, the one after the other; nothing, the fifth time."""
        bodies: list[dict[str, Any]] = [
            exercise_body(CC, sorted(exercises(CC))[number % 10 // 5], number),
            choice_body("Qui tire ?", ["Eux", "Nous"], 1),
            board_body(game(CC).position("livret-ldv"), "Le départ", {}),
            lesson_body(CC, lessons(CC)[0]),
        ]
        state = {"code": "K7PM2Q", "people": 3, "answered": 0, "distribution": [], "push": None, **more}
        if number % 5 < 4:  # else nothing
            state["push"] = {"id": number + 1, "kind": "question", "body": bodies[number % 5], "at": 0.0}
        for screen in self.screens:
            screen(state)


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


def reviews_in_turn(page: Page) -> Callable[[int], None]:
    """« Réviser », a rule that waits after another."""
    room = Room()
    page = Page(room)
    asked = [one for one in exercises(CC).values() if one.rules][:6]
    room.cards = [{"game": CC, "rule": one.rules[0], "exercise": ""} for one in asked]
    page.course.ready = True
    page.progress.code = "K7PM-2QX9-ABCD-EFGH"
    player = ReviewPage(page).player
    assert player
    assert len(player.exercises) > 1
    return lambda number: player.go(number % 2)


def scenarios_in_turn(page: Page) -> Callable[[int], None]:
    """Mini-scenarios, one after another, as links ask for them."""
    made = ScenariosPage(page)
    names = [path.stem for path in scenario_files(CC)][:2]

    def turn(number: int) -> None:
        page.course.query = "?" + Link("scenario", CC, slug=names[number % 2], dice="AAAA").url.partition("?")[2]
        assert made.player
        assert made.player.content.id == names[number % 2]

    return turn


def articles_in_turn(page: Page) -> Callable[[int], None]:
    """« Article par article », the list of a rulebook, an article, the list of another."""
    made = ArticlesPage(page)
    choice = next(one for one in controls(made.widget) if isinstance(one, ipw.Dropdown))
    rules = [one.rule for one in families(CC)[0].articles][:2]

    def turn(number: int) -> None:
        choice.value = CC
        assert made.open(rules[number % 2])
        made.show_list()
        choice.value = "tcs"

    return turn


def questions_in_turn(page: Page) -> Callable[[int], None]:
    """What a teacher sends, on the screen of a learner who leaves the class and comes back."""
    room = Room()
    here = Page(room)
    made = LivePage(here)

    def turn(number: int) -> None:
        attendance(here).join("K7PM2Q", "Zoé", lambda _: None)
        for sent in range(5):
            room.push(5 * number + sent)
        room.push(5 * number)
        assert made.question
        attendance(here).leave()
        room.screens.clear()

    return turn


def screens_in_turn(page: Page) -> Callable[[int], None]:
    """What a teacher sends, on the screen of the room."""
    room = Room()
    Projector(Page(room), room, 5)

    def turn(number: int) -> None:
        for sent in range(6):
            room.push(5 * number + sent)

    return turn


def previews_in_turn(page: Page) -> Callable[[int], None]:
    """What a teacher is about to send, a kind after another."""
    made = Composer(page, lambda: None)

    def turn(number: int) -> None:
        named(made.widget, "Livret").value = list(GAMES)[number % 2]
        for form in ("exercise", "example", "board", "lesson", "choice"):
            tabs(made.widget).value = form

    return turn


def drafts_in_turn(page: Page) -> Callable[[int], None]:
    """The editor's preview, a draft after another."""
    bench = Workbench(CC)
    made = Preview(page, bench)

    def turn(number: int) -> None:
        bench.change({"terrain.B2": ("woods", "field")[number % 2]})
        made.refresh()
        assert made.player

    return turn


@pytest.mark.parametrize(
    "swapping",
    [
        *(sheets_in_turn, mechanisms_in_turn, games_in_turn, exercises_in_turn, placements_in_turn, editors_in_turn),
        *(reviews_in_turn, scenarios_in_turn, articles_in_turn, questions_in_turn, screens_in_turn, previews_in_turn),
        drafts_in_turn,
    ],
)
def test_what_is_swapped_leaves_nothing_behind(swapping: Callable[[Page], Callable[[int], None]], here: Page) -> None:
    turn = swapping(here)

    for number in range(4):  # what a page makes once is made
        turn(number)
    before = living()
    for number in range(8):
        turn(number)
    assert living() == before
