"""« Je connais déjà » : at most eight exercises, each chosen by the answers before, say which lessons a reader may skip."""

from __future__ import annotations

import random
from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, NNBSP
from tutor.core.registry import GAMES
from tutor.course.lessons import exercises_of, readable
from tutor.course.links import Link, read_query
from tutor.course.models import Exercise, Lesson
from tutor.course.placing import MOST, Placing
from widgets.board.errors import guarded
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html
from widgets.pages.opening import opened
from widgets.player.exercise import ExercisePlayer


def probes(game_id: str) -> list[tuple[Lesson, Exercise]]:
    """One exercise for each lesson of a game: of those that can be varied, the one that trains most rules.

    >>> [lesson.number for lesson, _ in probes("combat_commander")][:3]
    [1, 2, 3]
    """
    pairs: list[tuple[Lesson, Exercise]] = []
    for lesson in readable(game_id)[0]:
        try:
            every = exercises_of(game_id, lesson)
        except TutorError:
            continue
        if every:
            pairs.append((lesson, max(every, key=lambda e: (bool(e.vary), len(e.rules)))))
    return pairs


class PlacementPage:
    """A short test, then where to begin: each question is chosen by the answers before; the first answer counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._game = ipw.Dropdown(options=[(title, one) for one, title in GAMES.items()], description="Livret")
        self._game.observe(guarded(lambda _: self._begin()), "value")
        self._said, self._place, self._advice = html(""), box(css="ldv-placement"), html("")
        self.widget = box(self._game, self._said, self._place, self._advice, *self.page.unseen, css="ldv-part")
        self.player: ExercisePlayer | None = None
        self.page.course.on_query(self._asked)
        self.page.course.observe(guarded(lambda _: self._open()), "ready")

    def _asked(self) -> None:
        asked = read_query(self.page.course.query)
        if asked.game in GAMES:
            self._game.value = asked.game

    def _open(self) -> None:
        """The page is there: ask of the game that is chosen, unless its address has said which."""
        if self.player is None:
            self._begin()

    def _begin(self) -> None:
        self.game_id = str(self._game.value)
        self.page.course.game = self.game_id
        self.test = probes(self.game_id)
        self.placing = Placing(len(self.test))
        self._advice.value = ""
        self._pose()

    def _pose(self) -> None:
        """Ask the next question, or say where to begin."""
        at = self.placing.next
        if at is None:
            self._conclude()
            return
        count, most = len(self.placing.answers), min(MOST, len(self.test))
        self._said.value = (
            f'<p class="ldv-eyebrow">Question {count + 1}, sur {most} au plus</p><p>Chaque réponse choisit la question '
            f"suivante{NNBSP}; la première seule compte. Ce que vous ne savez pas, la leçon est là pour le dire.</p>"
        )
        exercise, asked, before = self.test[at][1], self.placing, self.player
        self.player = ExercisePlayer(
            self.page,
            self.game_id,
            "",
            [exercise],
            Writer(self.game_id),
            fresh=random.randrange(1, 10_000),
            on_answer=lambda _exercise, right: self._judged(asked, at, right),
        )
        if before is not None:
            before.stage.close()
        self._onward = button("Je ne sais pas", hint="Passer à la question suivante")
        self._onward.on_click(guarded(lambda _: self._go_on(asked, at)))
        swap(self.page, self._place, self.player.widget, self._onward)

    def _judged(self, asked: Placing, at: int, right: bool) -> None:
        """The first answer to the question on screen."""
        if asked is not self.placing or asked.next != at:
            return
        asked.answer(right)
        if right:
            self.page.progress.known(self.test[at][0].id)
        self._onward.description = "Question suivante" if asked.next is not None else "Voir où commencer"
        self._onward.button_style = "primary"

    def _go_on(self, asked: Placing, at: int) -> None:
        if asked is not self.placing:
            return
        self._judged(asked, at, False)  # not answered: not known
        self._pose()

    def _conclude(self) -> None:
        """Where to begin, and what may be skipped, which the course shows as known."""
        lessons, placing = [lesson for lesson, _ in self.test], self.placing
        for at in placing.known:
            if at not in placing.answers:
                self.page.progress.known(lessons[at].id)
        self._place.children, self._said.value = (), ""
        count = len(placing.answers)
        parts = [f"<h2>Où commencer</h2><p>{count} question{'s' if count > 1 else ''}.</p>"]
        if known := [lessons[at] for at in placing.known]:
            parts.append(f"<p>Vous savez déjà{NBSP}: {', '.join(escape(one.title) for one in known)}.</p>")
        missed = [lessons[at] for at, right in sorted(placing.answers.items()) if not right]
        if missed:
            links = ", ".join(f"{self._link(one)}{one.number}{NBSP}: {escape(one.title)}</a>" for one in missed)
            parts.append(f"<p>Ce qui vous a manqué est dans les leçons {links}.</p>")
        if placing.start < len(lessons):
            first = lessons[placing.start]
            go = self._link(first, "ldv-button")
            parts.append(f"<p>{go}Commencer par la leçon {first.number}{NBSP}: {escape(first.title)}</a></p>")
        else:
            parts.append("<p>Vous savez tout ce que ce test demande. L’index et le plateau libre vous attendent.</p>")
        self._advice.value = "".join(parts)

    def _link(self, lesson: Lesson, css: str = "") -> str:
        url = escape(Link("lesson", self.game_id, slug=lesson.slug).url, quote=True)
        return f'<a class="{css}" href="{url}">' if css else f'<a href="{url}">'


def placement() -> ipw.Widget:
    """The page."""
    return opened(lambda page: PlacementPage(page).widget)
