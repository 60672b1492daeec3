"""A sheet of exercises to print, with or without the answers: the boards as SVG, the answers from the engine."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.exercises import Task
from tutor.course.lessons import exercises_of, readable
from tutor.course.links import read_query
from tutor.course.models import Lesson
from widgets.board import errors, layouts
from widgets.board.errors import failure, guarded
from widgets.classroom.browser import class_page
from widgets.host.page import Page
from widgets.host.prose import box, button, html
from widgets.player.printed import item_html


def sheet_html(game_id: str, lesson: Lesson, solved: bool, seed: int = 0) -> str:
    """The whole sheet of a lesson.

    Args:
        game_id: game.
        lesson: whose exercises.
        solved: with the answers.
        seed: of the variants, 0 for those written.

    Raises:
        TutorError: an exercise cannot be read.
    """
    tasks = [Task.of(game_id, exercise) for exercise in exercises_of(game_id, lesson)]
    tasks = [task.variant(seed) if seed else task for task in tasks]
    kind = "Corrigé" if solved else "Fiche d’exercices"
    variant = f" · variante {seed}" if seed else ""
    head = f"<h2>{escape(lesson.title)}</h2><p>{escape(GAMES[game_id])} · leçon {lesson.number} · {kind}{variant}</p>"
    name = "" if solved else f'<p class="ldv-sheet-name"><span>Nom{NBSP}:</span><span>Date{NBSP}:</span></p>'
    items = "".join(item_html(number, task, solved) for number, task in enumerate(tasks, 1))
    return f'<div class="ldv-sheet">{head}{name}{items}</div>'


class SheetPage:
    """The page: a lesson is chosen, its sheet shown as it will be printed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._game = ipw.Dropdown(options=[(title, one) for one, title in GAMES.items()], description="Livret")
        self._lesson = ipw.Dropdown(description="Leçon")
        self._seed = layouts.number("Variante (0 : celle du cours)", 0, 0, 99)
        self._solved = ipw.Checkbox(description="Avec les réponses et leurs raisons", indent=False)
        self._sheet = html("")
        go = button("Imprimer", primary=True)
        go.on_click(guarded(lambda _: self._print()))
        chosen = box(self._game, self._lesson, self._seed, self._solved, box(go, row=True), css="ldv-screen-only")
        self.widget = box(chosen, self._sheet, *self.page.unseen, class_page(self.page), css="ldv-part")
        self._offer()
        self._game.observe(guarded(lambda _: self._turn()), "value")
        for control in (self._lesson, self._seed, self._solved):
            control.observe(guarded(lambda _: self._show()), "value")
        self.page.course.observe(guarded(lambda _: self._asked()), "query")
        self._show()

    def _offer(self) -> None:
        lessons = [one for one in readable(self._game.value)[0] if one.exercise_ids]
        with self._lesson.hold_trait_notifications():
            self._lesson.options = [(f"{one.number}. {one.title}", one.slug) for one in lessons]
        self._lesson.index = 0 if lessons else None

    def _turn(self) -> None:
        self._offer()
        self._show()

    def _show(self) -> None:
        lessons = {one.slug: one for one in readable(self._game.value)[0]}
        if self._lesson.value not in lessons:
            return
        try:
            made = sheet_html(self._game.value, lessons[self._lesson.value], self._solved.value, self._seed.value)
        except TutorError as error:
            made = failure(error.sentence)
        if made != self._sheet.value:
            self._sheet.value = made

    def _asked(self) -> None:
        """What the link asks for: a rulebook (``jeu``), a lesson (``lecon``), the answers (``vue=corrige``)."""
        asked = read_query(self.page.course.query)
        if asked.game in GAMES:
            self._game.value = asked.game
        if asked.slug in [slug for _, slug in self._lesson.options]:
            self._lesson.value = asked.slug
        elif asked.slug:
            errors.report("Cette leçon n’est pas dans ce livret. Voici la première.")
        self._solved.value = asked.view == "corrige"

    def _print(self) -> None:
        class_page(self.page).prints += 1
