"""Exercises: hint, check, diagnosis of a wrong answer, retry with a varied position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tutor.core.errors import AnswerError
from tutor.core.phrases import NBSP
from tutor.course.diagnosis import Verdict, judge
from tutor.course.exercises import Task
from tutor.course.models import Exercise
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.exercise_answers import Field, field
from widgets.learner import Attempt, progress
from widgets.lesson_stage import Stage
from widgets.lesson_text import Writer, box, button, html, show
from widgets.thrift import give_back_later

#: Wrong answers in a row after which a reader is stuck.
_STUCK = 2
_DOTS = {"new": "○", "right": "●", "wrong": "◐"}
_STATES = {"new": "à faire", "right": "réussi", "wrong": "essayé"}


class ExercisePlayer:
    """The exercises of a lesson, one at a time, on one board.

    Args:
        game_id: game; lesson_id: its lesson, for the reader's progress; exercises: in order; writer: of the page.
        fresh: variant each begins with; 0 for the position as it is written.
        trained: exercise -> rules it is to train besides its own; told: of each answer, and whether it is right.
    """

    def __init__(
        self,
        game_id: str,
        lesson_id: str,
        exercises: Sequence[Exercise],
        writer: Writer,
        *,
        fresh: int = 0,
        trained: Mapping[str, tuple[str, ...]] | None = None,
        told: Callable[[Exercise, bool], object] = lambda _exercise, _right: None,
    ) -> None:
        self._fresh, self._trained, self._told = fresh, dict(trained or {}), told
        self._game_id, self._exercises, self._writer = game_id, list(exercises), writer
        self._lesson_id, self._progress = lesson_id, progress()
        self._states = ["new"] * len(self._exercises)
        self._tasks: dict[int, Task] = {}
        self._seeds: dict[int, int] = {}
        self._at = self._misses = 0
        self._judged: tuple[Task, Any] | None = None
        self._field: Field | None = None
        first = self._task()
        self.stage = Stage(first.position, label="Plateau de l’exercice", pending="")
        self.stage.on_hex(self._clicked)
        self.stage.on_moved(self._moved)
        self._head = html("")
        self._question = html("", "ldv-question-box")
        self._place = box()
        self._hinted, self._said = html(""), html("")
        self._aids = box(row=True, css="ldv-toolbar")
        asked = box(self._head, self._question, css="ldv-ask")  # on a phone: asked, board, answered
        panel = box(asked, self._place, self._hinted, self._said, self._aids, css="ldv-exercise")
        self.widget = box(
            box(self.stage.board_widget, box(self.stage.controls_widget, row=True, css="ldv-folds"), css="ldv-main"),
            box(panel, *self.stage.side_widgets, css="ldv-side"),
            css="ldv-lesson ldv-exercises",
        )
        self._progress.on_change(self._recall)
        self._recall()
        self._start()

    def _recall(self) -> None:
        """What was done on an earlier visit."""
        done = self._progress.done.get(self._lesson_id, ())
        self._states = [
            "right" if e.id in done else state for e, state in zip(self._exercises, self._states, strict=True)
        ]
        self._show_head()

    @property
    def exercise(self) -> Exercise:
        """The one on screen."""
        return self._exercises[self._at]

    def _task(self) -> Task:
        if self._at not in self._tasks:
            task = Task.of(self._game_id, self._exercises[self._at])
            self._tasks[self._at] = task.variant(self._fresh) if self._fresh else task
        return self._tasks[self._at]

    def _go(self, index: int) -> None:
        self._at = index % len(self._exercises)
        self._misses = 0
        self._start()
        self._tell_where()

    def _start(self) -> None:
        give_back_later()
        task = self._task()
        self.stage.place(task.position)
        self.stage.hide()
        self._mark_ends(task)
        self.stage.board.aim(self.exercise.focus)
        self._judged = None
        if self._field is not None:
            self._field.open = False
        self._field = field(task, self._of(task, self._submit), self._of(task, self._select))
        self._place.children = (self._field.widget,)
        self._question.value = f'<p class="ldv-question">{self._writer.inline(task.question)}</p>'
        self._hinted.value = self._said.value = ""
        show(self._hinted, False)
        show(self._said, False)
        self._offer_aids(task)
        self._show_head()

    def _offer_aids(self, task: Task) -> None:
        """Hint, variant, next exercise: made anew with each question, so that a second press in haste skips none."""
        self._hint = button("Un indice")
        self._other = button("Une autre", hint="La même question sur une autre position")
        self._next = button("Exercice suivant ▶")
        for made, do in (
            (self._hint, self._show_hint),
            (self._other, self._vary),
            (self._next, lambda: self._go(self._at + 1)),
        ):
            made.on_click(guarded(self._of(task, lambda _, do=do: do())))
        show(self._other, bool(self.exercise.vary))
        show(self._next, len(self._exercises) > 1)
        self._aids.children = (self._hint, self._other, self._next)

    def _show_head(self) -> None:
        dots = " ".join(
            f'<span title="Exercice {i}{NBSP}: {_STATES[state]}"{" class=ldv-now" if i == self._at + 1 else ""}>{_DOTS[state]}</span>'
            for i, state in enumerate(self._states, 1)
        )
        count = f"{self._at + 1}{NBSP}sur{NBSP}{len(self._exercises)}"
        self._head.value = (
            f'<h3 class="ldv-label">À vous{NBSP}: exercice {count} <span class="ldv-dots">{dots}</span></h3>'
        )

    def _mark_ends(self, task: Task) -> None:
        """Show the hexes the question speaks of (never the answer)."""
        grid = task.position.grid
        each = self.exercise.answer.each
        skipped = {each.argument} if each else set()
        found: list[str] = []
        for name, value in task.arguments.items():
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if name not in skipped and isinstance(item, str):
                    hex_ = item if item in grid else task.position.hex_of(item) if item in task.position.by_id else None
                    found += [hex_] if hex_ else []
        self.stage.mark(tuple(dict.fromkeys(found)), tuple(each.among) if each else ())

    def _of(self, task: Task, do: Callable[[Any], object]) -> Callable[[Any], object]:
        """What a field does while its question is on screen: a press on one that was left may come late."""
        return lambda given: do(given) if task is self._task() else None

    def _select(self, hexes: Sequence[str]) -> None:
        self.stage.select(tuple(hexes))

    def _clicked(self, hex_: str, _: str | None) -> None:
        if self._field is not None:
            self._field.click(hex_)

    def _moved(self, piece: str, hex_: str) -> None:
        """The reader moved a piece: the question is now asked of this position."""
        self._tasks[self._at] = self._task().on(self._task().position.change({f"piece.{piece}.at": hex_}))
        self._start()

    def _show_hint(self) -> None:
        self._hinted.value = (
            f'<div class="ldv-hint"><p><strong>Indice.</strong> {self._writer.inline(self._task().hint)}</p></div>'
        )
        show(self._hinted, True)
        self._hint.disabled = True

    def _vary(self) -> None:
        seed = self._seeds.get(self._at, self._fresh) + 1
        self._seeds[self._at] = seed
        self._tasks[self._at] = self._task().variant(seed)
        self._start()

    def _submit(self, given: Any) -> None:
        task = self._task()
        try:
            verdict = judge(task, given)
        except AnswerError as error:
            self._say(f"{error.sentence} Cela ne compte pas comme un essai.", None)
            return
        if self._judged != (task, given):  # pressed twice, an answer counts once
            self._judged = (task, given)
            self._count(given, verdict)
        self._misses = 0 if verdict.right else self._misses + 1
        self._tell_where(verdict)
        each, doubtful = self.exercise.answer.each, task.doubtful(task.read(given))
        about = f" Les étapes parlent de {doubtful}." if doubtful else ""
        revealed = verdict.right or verdict.open_steps
        self._say(verdict.sentence + (about if revealed else ""), verdict.right)
        if revealed:
            asked = {each.argument: doubtful} if each and doubtful else {}
            self.stage.reveal(task.result(**asked))
        self._show_head()

    def _count(self, given: Any, verdict: Verdict) -> None:
        if verdict.right:
            self._states[self._at] = "right"
        elif self._states[self._at] == "new":
            self._states[self._at] = "wrong"
        self._keep(given, verdict)
        self._told(self.exercise, verdict.right)

    def _keep(self, given: Any, verdict: Verdict) -> None:
        exercise, seed = self.exercise, self._seeds.get(self._at, self._fresh)
        rules = tuple(dict.fromkeys((*exercise.rules, *self._trained.get(exercise.id, ()))))
        missed = () if verdict.right else verdict.omissions[0] if verdict.omissions else rules
        answer = sorted(given) if isinstance(given, (set, frozenset)) else given
        made = Attempt(
            self._game_id,
            self._lesson_id,
            exercise.id,
            verdict.right,
            answer,
            rules,
            missed,
            str(seed) if seed else "",
        )
        self._progress.attempt(made, [e.id for e in self._exercises] if self._lesson_id else ())

    def _tell_where(self, verdict: Verdict | None = None) -> None:
        """For a teacher: which exercise this is, and the rule that a reader who missed it twice in a row forgets."""
        stuck = ""
        if verdict is not None and self._misses >= _STUCK:
            stuck = (verdict.omissions[0] if verdict.omissions else tuple(self.exercise.rules))[0]
        place = {"lesson": f"{self._game_id}/{self._lesson_id}"} if self._lesson_id else {}
        course_page().where = {**place, "exercise": str(self._at + 1), "stuck": stuck}

    def _say(self, sentence: str, right: bool | None) -> None:
        data = "" if right is None else f' data-right="{str(right).lower()}"'
        self._said.value = (
            f'<div class="ldv-diagnosis" role="status"{data}><p>{self._writer.inline(sentence, False)}</p></div>'
        )
        show(self._said, True)
        self.stage.announce(sentence)
