"""A sheet of exercises to print, with or without the answers: the boards as SVG, the answers from the engine."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.core.trace import hexes as places
from tutor.course.answers import shown
from tutor.course.exercises import Task
from tutor.course.lessons import exercises_of, readable
from tutor.course.links import read_query
from tutor.course.models import Lesson
from tutor.course.prose import rule_number
from widgets import errors, plain
from widgets.bridge import bridge
from widgets.classroom_page import class_page
from widgets.classroom_shown import named_hexes
from widgets.course_page import course_page
from widgets.errors import failure, guarded
from widgets.layers import Layer, Outline, Selection
from widgets.lesson_text import Writer, box, button, html
from widgets.paint import fitted
from widgets.picture import board_svg

#: Greatest size of a board on the sheet, and greatest radius of its hexes, in CSS pixels: two small boards on a page.
WIDTH, HEIGHT, RADIUS = 660, 620, 27.0
_BLANK = "…" * 22


def board_html(task: Task) -> str:
    """The board of an exercise, with the hexes it speaks of."""
    each = task.exercise.answer.each
    marked = named_hexes(task.position, task.arguments, {each.argument} if each else ())
    layers: list[Layer] = [Selection(marked)] if marked else []
    if each:
        layers.append(Outline(places(*each.among), "olive"))
    share = min(1.0, RADIUS / fitted(task.position.grid, WIDTH, HEIGHT).radius)
    return board_svg(task.position, layers, size=round(WIDTH * share), height=round(HEIGHT * share))


def answer_html(task: Task, solved: bool) -> str:
    """Where to answer on paper, or the answer.

    Args:
        task: the exercise; solved: whether the answer is given.
    """
    answer = task.exercise.answer
    solution = task.solution() if solved else None
    if answer.kind == "choice":
        boxes = "".join(
            f'<li data-right="{str(choice.label == solution).lower()}">{escape(choice.label)}</li>'
            for choice in answer.choices
        )
        return f'<ul class="ldv-sheet-boxes">{boxes}</ul>'
    if solved:
        text = shown(solution, answer.unit, answer.refusable)
        return f'<p class="ldv-sheet-answer"><strong>Réponse{NBSP}: {escape(text)}</strong></p>'
    if answer.kind == "order":
        rows = "".join(f"<li>{escape(label)}</li>" for label in sorted(item.label for item in answer.items))
        return f'<p>Numérotez dans l’ordre{NBSP}:</p><ul class="ldv-sheet-boxes">{rows}</ul>'
    unit = f" {escape(answer.unit)}" if answer.unit else ""
    refused = f"{NBSP}{NBSP}☐ {escape(answer.refusable)}" if answer.refusable else ""
    return f"<p>Réponse{NBSP}: {_BLANK}{unit}{refused}</p>"


def steps_html(task: Task, writer: Writer) -> str:
    """Why: the steps of the engine's result, its conclusions first to last, each with its rule."""
    each, held = task.exercise.answer.each, game(task.game_id)
    asked = {each.argument: doubtful} if each and (doubtful := task.doubtful(frozenset())) else {}
    result = task.result(**asked)
    rows = "".join(
        f"<li>{writer.inline(held.sentence(step, task.position), False)} <small>{escape(rule_number(step.rule or ''))}</small></li>"
        for step in (*result.trace.children, *result.refusals)
    )
    about = f"<p>Pour {escape(str(next(iter(asked.values()))))}{NBSP}:</p>" if asked else ""
    return f"{about}<ol>{rows}</ol>" if rows else ""


def item_html(number: int, task: Task, solved: bool) -> str:
    """One exercise of the sheet.

    Args:
        number: its place; task: the exercise; solved: whether the answer and its reasons are given.
    """
    writer = Writer(task.game_id)
    question = f"<p><strong>{number}. {writer.inline(task.question, False)}</strong></p>"
    why = steps_html(task, writer) if solved else '<div class="ldv-sheet-lines"></div>'
    return f'<section class="ldv-sheet-item">{question}{board_html(task)}{answer_html(task, solved)}{why}</section>'


def sheet_html(game_id: str, lesson: Lesson, solved: bool, seed: int = 0) -> str:
    """The whole sheet of a lesson.

    Args:
        game_id: game; lesson: whose exercises; solved: with the answers; seed: of the variants, 0 for those written.

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

    def __init__(self) -> None:
        self._game = ipw.Dropdown(options=[(title, one) for one, title in GAMES.items()], description="Livret")
        self._lesson = ipw.Dropdown(description="Leçon")
        self._seed = plain.number("Variante (0 : celle du cours)", 0, 0, 99)
        self._solved = ipw.Checkbox(description="Avec les réponses et leurs raisons", indent=False)
        self._sheet = html("")
        go = button("Imprimer", primary=True)
        go.on_click(guarded(lambda _: self._print()))
        chosen = box(self._game, self._lesson, self._seed, self._solved, box(go, row=True), css="ldv-screen-only")
        self.widget = box(chosen, self._sheet, bridge(), course_page(), class_page(), css="ldv-part")
        self._offer()
        self._game.observe(guarded(lambda _: self._turn()), "value")
        for control in (self._lesson, self._seed, self._solved):
            control.observe(guarded(lambda _: self._show()), "value")
        course_page().observe(guarded(lambda _: self._asked()), "query")
        self._show()

    def _offer(self) -> None:
        found = [one for one in readable(self._game.value)[0] if one.exercise_ids]
        with self._lesson.hold_trait_notifications():
            self._lesson.options = [(f"{one.number}. {one.title}", one.slug) for one in found]
        self._lesson.index = 0 if found else None

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
        asked = read_query(course_page().query)
        if asked.game in GAMES:
            self._game.value = asked.game
        if asked.slug in [slug for _, slug in self._lesson.options]:
            self._lesson.value = asked.slug
        elif asked.slug:
            errors.report("Cette leçon n’est pas dans ce livret. Voici la première.")
        self._solved.value = asked.view == "corrige"

    @staticmethod
    def _print() -> None:
        class_page().prints += 1


def sheet() -> ipw.Widget:
    """The page."""
    return SheetPage().widget
