"""A lesson on paper: boards as SVG, questions and boxes to tick, and on pages of their own the engine's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tutor.core.errors import PositionError, TutorError
from tutor.core.phrases import NBSP, number
from tutor.core.position import Position, Tweak
from tutor.core.registry import GAMES, ask, game
from tutor.core.result import Result
from tutor.core.trace import hexes as places
from tutor.course.answers import shown
from tutor.course.exercises import Task
from tutor.course.matching import matches, view
from tutor.course.models import (
    Example,
    Exercise,
    Lesson,
    LiveExample,
    Prediction,
    Question,
    Remember,
    RuleText,
    Situation,
    WhatIf,
    WhatIfs,
)
from tutor.course.options import number_range, option_key, setting_now
from tutor.course.prose import rule_number
from tutor.course.shown import named_hexes
from widgets.board.errors import failure
from widgets.board.layers import Layer, Outline, Selection
from widgets.board.paint.shapes import fitted
from widgets.board.svg import board_svg
from widgets.board.words import whole
from widgets.host.prose import Writer

#: Greatest size of a board on the sheet, and greatest radius of its hexes, in CSS pixels: two small boards on a page.
WIDTH, HEIGHT, RADIUS = 660, 620, 27.0
_BLANK = "…" * 22
#: Opens the sheet on a page, and what it says of it.
_WHOLE = "Toute la leçon en texte"
_PRINTED = (
    "Chaque question avec ses choix, tous les exercices, et les réponses à la fin. C’est cette feuille qui s’imprime."
)


def board_html(task: Task) -> str:
    """The board of an exercise, with the hexes it speaks of."""
    marked = named_hexes(task.position, task.arguments, task.differing)
    layers: list[Layer] = [Selection(marked)] if marked else []
    if task.spots:
        layers.append(Outline(places(*task.spots), "olive"))
    return drawn(task.position, layers)


def drawn(position: Position, layers: Sequence[Layer]) -> str:
    """A board as SVG, at the size of the sheet."""
    share = min(1.0, RADIUS / fitted(position.grid, WIDTH, HEIGHT).radius)
    return board_svg(position, layers, size=round(WIDTH * share), height=round(HEIGHT * share))


def answer_html(task: Task, solved: bool) -> str:
    """Where to answer on paper, or the answer.

    Args:
        task: the exercise.
        solved: whether the answer is given.
    """
    answer = task.exercise.answer
    solution = task.solution() if solved else None
    if answer.kind == "choice":
        boxes = "".join(
            f'<li data-right="{str(choice.label == solution).lower()}">{whole(escape(choice.label))}</li>'
            for choice in answer.choices
        )
        return f'<ul class="ldv-sheet-boxes">{boxes}</ul>'
    if solved:
        text = shown(solution, answer.unit, answer.refusable)
        return f'<p class="ldv-sheet-answer"><strong>Réponse{NBSP}: {escape(text)}</strong></p>'
    if answer.kind == "order":
        rows = "".join(f"<li>{whole(escape(label))}</li>" for label in sorted(item.label for item in answer.items))
        return f'<p>Numérotez dans l’ordre{NBSP}:</p><ul class="ldv-sheet-boxes">{rows}</ul>'
    if answer.kind == "hexes" and answer.unit:  # it says what is chosen
        return f"<p>{escape(answer.unit)}{NBSP}: {_BLANK}</p>"
    unit = f" {escape(answer.unit)}" if answer.unit else ""
    refused = f'{NBSP} <span class="ldv-whole">☐ {escape(answer.refusable)}</span>' if answer.refusable else ""
    return f"<p>Réponse{NBSP}: {_BLANK}{unit}{refused}</p>"


def steps_html(task: Task, writer: Writer) -> str:
    """Why: the steps of the engine's result, its conclusions first to last, each with its rule."""
    doubtful = task.doubtful(frozenset())
    asked = task.about(doubtful)
    rows = rows_html(asked.result(), asked.position, writer)
    about = f"<p>Pour {escape(doubtful)}{NBSP}:</p>" if doubtful else ""
    return f"{about}<ol>{rows}</ol>" if rows else ""


def rows_html(result: Result[Any], position: Position, writer: Writer) -> str:
    """The steps of a result as rows, each with its rule; a reason of a refusal once, among the steps or after them."""
    steps = result.trace.children
    reasons = [one for one in result.refusals if not any(one is step for step in result.trace.walk())]
    return "".join(
        f"<li>{writer.inline(game(position.game).sentence(step, position), False)} "
        f"<small>{escape(rule_number(step.rule or ''))}</small></li>"
        for step in (*steps, *reasons)
    )


def item_html(number: int, task: Task, solved: bool) -> str:
    """One exercise of the sheet.

    Args:
        number: its place.
        task: the exercise.
        solved: whether the answer and its reasons are given.
    """
    writer = Writer(task.game_id)
    question = f"<p><strong>{number}. {writer.inline(task.question, False)}</strong></p>"
    why = steps_html(task, writer) if solved else '<div class="ldv-sheet-lines"></div>'
    return f'<section class="ldv-sheet-item">{question}{board_html(task)}{answer_html(task, solved)}{why}</section>'


def settings_html(position: Position, tweaks: Sequence[Tweak]) -> str:
    """What a page would let one change of a board, in words; "" where there is nothing.

    Args:
        position: on the board.
        tweaks: what may be changed.
    """
    rows = []
    for tweak in tweaks:
        try:
            now, values = setting_now(position, tweak.path), ""
        except PositionError:  # of a unit that is not there
            continue
        if tweak.options is not None:
            current = option_key(now, tweak.options)
            labels = ((key == current, escape(label)) for key, label in tweak.options.items())
            values = " · ".join(f"<strong>{label}</strong>" if holds else label for holds, label in labels)
        elif tweak.min is not None or tweak.max is not None:
            low, high = number_range(tweak)
            here = min(high, max(low, 0)) if now is None else now  # as the page shows what was never set
            values = f"{number(low)} à {number(high)} (ici, <strong>{escape(str(here))}</strong>)"
        elif isinstance(now, bool):
            values = "<strong>oui</strong> · non" if now else "oui · <strong>non</strong>"
        rows.append(f"<li>{escape(tweak.label)}{NBSP}: {values}</li>" if values else f"<li>{escape(tweak.label)}</li>")
    listed = "".join(rows)
    return f'<div class="ldv-sheet-settings"><p>Réglages{NBSP}:</p><ul>{listed}</ul></div>' if rows else ""


class Worksheet:
    """A lesson as a sheet of paper: what is asked, numbered through; then, on pages of their own, all answers.

    Args:
        game_id: game.
        lesson: its content.
        exercises: all of them.
        writer: of the page.
    """

    def __init__(self, game_id: str, lesson: Lesson, exercises: Sequence[Exercise], writer: Writer) -> None:
        self._game_id, self._writer = game_id, writer
        self._asked: list[str] = []
        self._answers: list[str] = []
        self._number = 0
        self._write(lesson, exercises)
        for lines in (block.lines for block in lesson.blocks if isinstance(block, Remember)):
            said = "".join(f"<li>{self._writer.inline(line, False)}</li>" for line in lines)
            self._answers.append(f"<h3>À retenir</h3><ul>{said}</ul>")
        head = f"<p>{escape(GAMES[game_id])} · leçon {lesson.number} · {escape(lesson.title)}</p>"
        name = f'<p class="ldv-sheet-name"><span>Nom{NBSP}:</span><span>Date{NBSP}:</span></p>'
        self.html = (
            f'<details class="ldv-sheet-fold"><summary>{_WHOLE}</summary><p>{_PRINTED}</p></details>'
            f'<div class="ldv-sheet ldv-worksheet">{head}{name}{"".join(self._asked)}'
            f'<section class="ldv-sheet-answers"><h2>Réponses</h2>{"".join(self._answers)}</section></div>'
        )

    def _write(self, lesson: Lesson, exercises: Sequence[Exercise]) -> None:
        question: Question | None = None
        examples = {block.id: block for block in lesson.blocks if isinstance(block, Example)}
        for block in lesson.blocks:
            if isinstance(block, Situation):
                self._asked.append(f"<p>{self._writer.inline(block.text, False)}</p>")
            elif isinstance(block, Question):
                question = block
            elif isinstance(block, Example):
                self._example(block, question or block.question)
                question = None
            elif isinstance(block, WhatIfs):
                for case in block.cases:
                    self._ask(examples[block.example], case)
            elif isinstance(block, RuleText):
                self._answers.append(self._writer.paragraphs(block.sentences, ""))
        for exercise in exercises:
            self._exercise(exercise)

    def _example(self, example: Example, question: Prediction | None) -> None:
        try:
            position = game(self._game_id).position(example.position).change(example.changes)
            marked = named_hexes(position, example.with_)
            board = drawn(position, [Selection(marked)] if marked else [])
        except TutorError as error:
            self._asked.append(failure(error.sentence))
            return
        # before a question of the lesson, an example's text says what to do with a board that can be touched
        described = example.text if question is example.question else None
        text = f"<p>{self._writer.inline(described, False)}</p>" if described else ""
        title = f"<h2>{escape(example.title)}</h2>"
        settings = settings_html(position, example.tweaks or position.tweaks)
        self._asked.append(f'<section class="ldv-sheet-item">{title}{text}{board}{settings}</section>')
        if question is not None:
            self._ask(example, question)

    def _ask(self, example: LiveExample, question: Prediction) -> None:
        """A question of the lesson, with its boxes; its answer goes to the end, with its steps."""
        self._number += 1
        changes: Mapping[str, Any] = question.changes if isinstance(question, WhatIf) else {}
        given: Mapping[str, Any] = question.with_ if isinstance(question, WhatIf) else {}
        boxes = "".join(f'<li data-right="false">{whole(escape(choice.label))}</li>' for choice in question.choices)
        said = question.text.lower().startswith("et si")
        before = "Et si… " if isinstance(question, WhatIf) and not said else ""
        text = self._writer.inline(question.text, False)
        self._asked.append(
            f'<section class="ldv-sheet-item"><p><strong>{self._number}. {before}{text}</strong></p>'
            f'<ul class="ldv-sheet-boxes">{boxes}</ul></section>'
        )
        try:
            position = game(self._game_id).position(example.position).change({**example.changes, **changes})
            result = ask(position, example.ask, **{**example.with_, **given})
            seen = view(result)
            right = next((choice.label for choice in question.choices if matches(choice.when, seen)), "")
            rows = rows_html(result, position, self._writer)
        except TutorError as error:
            self._answers.append(failure(error.sentence))
            return
        self._answers.append(
            f'<section class="ldv-sheet-item"><p><strong>{self._number}. {escape(right)}</strong></p><ol>{rows}</ol></section>'
        )

    def _exercise(self, exercise: Exercise) -> None:
        self._number += 1
        try:
            task = Task.of(self._game_id, exercise)
            self._asked.append(item_html(self._number, task, False))
            answer = task.solution()
            text = escape(shown(answer, exercise.answer.unit, exercise.answer.refusable))
            why = steps_html(task, self._writer)
        except TutorError as error:
            self._answers.append(failure(error.sentence))
            return
        self._answers.append(
            f'<section class="ldv-sheet-item"><p><strong>{self._number}. {text}</strong></p>{why}</section>'
        )
