"""« Je connais déjà » : one exercise of each lesson, on a fresh position, says which lessons a reader may skip."""

from __future__ import annotations

import random
from collections.abc import Callable
from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.lessons import exercises_of, readable
from tutor.course.links import Link, read_query
from tutor.course.models import Exercise, Lesson
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.exercise import ExercisePlayer
from widgets.learner import progress
from widgets.lesson_text import Writer, box, html


def probes(game_id: str) -> list[tuple[Lesson, Exercise]]:
    """One exercise for each lesson of a game: of those that can be varied, the one that trains most rules.

    >>> [lesson.number for lesson, _ in probes("combat_commander")][:3]
    [1, 2, 3]
    """
    found: list[tuple[Lesson, Exercise]] = []
    for lesson in readable(game_id)[0]:
        try:
            every = exercises_of(game_id, lesson)
        except TutorError:
            continue
        if every:
            found.append((lesson, max(every, key=lambda e: (bool(e.vary), len(e.rules)))))
    return found


class PlacementPage:
    """A short test, then where to begin. A lesson is known when its exercise is solved at the first try."""

    def __init__(self) -> None:
        self._game = ipw.Dropdown(options=[(title, one) for one, title in GAMES.items()], description="Livret")
        self._game.observe(guarded(lambda _: self._begin()), "value")
        self._said, self._place, self._advice = html(""), box(), html("")
        self.widget = box(self._game, self._said, self._place, self._advice, bridge(), course_page(), css="ldv-part")
        self._begin()
        course_page().on_query(self._asked)

    def _asked(self) -> None:
        asked = read_query(course_page().query)
        if asked.game in GAMES:
            self._game.value = asked.game

    def _begin(self) -> None:
        self.game_id = str(self._game.value)
        self._test = probes(self.game_id)
        self._first: dict[str, bool] = {}
        self._advice.value = ""
        count = len(self._test)
        self._said.value = (
            f"<p>{count} exercices, un par leçon, dans l’ordre que vous voulez. Seule votre première réponse compte. "
            f"Passez ce que vous ne savez pas{NBSP}: la leçon est là pour cela.</p>"
        )
        self.player = ExercisePlayer(
            self.game_id,
            "",
            [exercise for _, exercise in self._test],
            Writer(self.game_id),
            fresh=random.randrange(1, 10_000),
            told=self._of(self._test),
        )
        self._place.children = (self.player.widget,)

    def _of(self, test: list[tuple[Lesson, Exercise]]) -> Callable[[Exercise, bool], object]:
        """Who hears of the answers to a test, as long as its rulebook is not left."""
        return lambda exercise, right: self._judged(exercise, right) if test is self._test else None

    def _judged(self, exercise: Exercise, right: bool) -> None:
        if self._first.setdefault(exercise.id, right) and right:
            lesson = next(lesson for lesson, one in self._test if one.id == exercise.id)
            progress().known(lesson.id)
        self._advise()

    def _advise(self) -> None:
        known = [lesson for lesson, exercise in self._test if self._first.get(exercise.id)]
        left = [lesson for lesson, exercise in self._test if not self._first.get(exercise.id)]
        parts = [f"<h2>Où commencer</h2><p>{len(self._first)} sur {len(self._test)} essayés.</p>"]
        if known:
            parts.append(f"<p>Vous savez déjà{NBSP}: {', '.join(escape(one.title) for one in known)}.</p>")
        if left:
            url = escape(Link("lesson", self.game_id, slug=left[0].slug).url, quote=True)
            title = escape(left[0].title)
            parts.append(
                f'<p><a class="ldv-button" href="{url}">Commencer par la leçon {left[0].number}{NBSP}: {title}</a></p>'
            )
        else:
            parts.append("<p>Vous savez tout ce que ce test demande. L’index et le plateau libre vous attendent.</p>")
        self._advice.value = "".join(parts)


def placement() -> ipw.Widget:
    """The page."""
    return PlacementPage().widget
