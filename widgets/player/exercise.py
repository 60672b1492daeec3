"""Exercises: hint, check, diagnosis of a wrong answer, retry with a varied position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import AnswerError
from tutor.core.phrases import NBSP
from tutor.core.trace import hexes as places
from tutor.course.diagnosis import Verdict, judge, replied
from tutor.course.exercises import Task
from tutor.course.headlines import answering_exercise, asked_of, together
from tutor.course.models import Exercise
from tutor.course.onboard import task_speaks_of
from tutor.course.ranking import ranked
from tutor.course.shown import named_hexes
from widgets.board.errors import guarded
from widgets.board.layers import Layer, Note, Outline, Role
from widgets.board.layouts import allow
from widgets.board.memory import give_back_later
from widgets.host.discard import swap
from widgets.host.learner import Attempt
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show
from widgets.player.answers import Field, field
from widgets.player.predictions import CHANGED, TRIES
from widgets.player.stage import Stage

#: Said of an answer that is given again: it is not a second miss.
_SAME = f"C’est votre réponse de tout à l’heure{NBSP}: elle ne compte pas deux fois."
#: Wrong answers in a row after which a reader is stuck.
_STUCK = 2
_LABEL = "Plateau de l’exercice"
_DOTS = {"new": "○", "right": "●", "wrong": "◐"}
_STATES = {"new": "à faire", "right": "réussi", "wrong": "essayé"}


class ExercisePlayer:
    """The exercises of a lesson, one at a time, on one board.

    Args:
        page: what its widgets share.
        game_id: game.
        lesson_id: its lesson, for the reader's progress.
        exercises: in order.
        writer: of the page.
        fresh: variant each begins with; 0 for the position as it is written.
        trained: exercise -> rules it is to train besides its own.
        on_answer: called with each exercise answered, and whether it is right.
        on_posed: called once an exercise is asked of another position.
        stage: the board that they are played on when they are entered; their own, at once, when None.

    ``states``: new, wrong or right, exercise by exercise; ``field``: where the one on screen is answered.
    """

    def __init__(
        self,
        page: Page,
        game_id: str,
        lesson_id: str,
        exercises: Sequence[Exercise],
        writer: Writer,
        *,
        fresh: int = 0,
        trained: Mapping[str, tuple[str, ...]] | None = None,
        on_answer: Callable[[Exercise, bool], object] = lambda _exercise, _right: None,
        on_posed: Callable[[], object] = lambda: None,
        stage: Stage | None = None,
    ) -> None:
        self.page = page
        self._fresh, self._trained, self._on_answer = fresh, dict(trained or {}), on_answer
        self._on_posed = on_posed
        self._game_id, self.exercises, self._writer = game_id, list(exercises), writer
        self._lesson_id, self._progress = lesson_id, page.progress
        self.states = ["new"] * len(self.exercises)
        #: Ids of those missed once at least.
        self.missed: set[str] = set()
        self._tasks: dict[int, Task] = {}
        self._seeds: dict[int, int] = {}
        self._at = self._misses = self._tries = 0
        self._judged: tuple[Task, Any] | None = None
        self._proved = False
        self.field: Field | None = None
        first = self.task()
        self.stage = stage or Stage(page, first.position, label=_LABEL, pending="")
        #: Whether the board shows these exercises.
        self.live = stage is None
        self.stage.on_hex(self._clicked)
        self.stage.on_moved(self._moved)
        self._head = html("")
        self._question = html("", "ldv-question-box")
        self._place = box()
        self._hinted, self._said = html(""), html("")
        self._aids = box(row=True, css="ldv-toolbar")
        asked = box(self._head, self._question, css="ldv-ask")  # on a phone: asked, board, answered
        self.panel = box(asked, self._place, self._hinted, self._said, self._aids, css="ldv-exercise")
        self._progress.on_change(self._recall)
        self._recall()
        if self.live:
            self._start()

    @cached_property
    def widget(self) -> ipw.Widget:
        """All of it, on a page of its own board."""
        return box(
            box(self.stage.board_widget, box(*self.stage.folds, row=True, css="ldv-folds"), css="ldv-main"),
            box(self.panel, *self.stage.side_widgets, css="ldv-side"),
            css="ldv-lesson ldv-exercises",
        )

    def enter(self) -> None:
        """Take the board."""
        self.live = True
        board = self.stage.board
        with board.hold():
            board.clear()
            board.label = _LABEL
            self.stage.draw_under(None)
            self._start()

    def leave(self) -> None:
        """Give the board to another."""
        self.live = False

    def _recall(self) -> None:
        """What was done on an earlier visit."""
        done = self._progress.done.get(self._lesson_id, ())
        self.states = ["right" if e.id in done else state for e, state in zip(self.exercises, self.states, strict=True)]
        self._show_head()

    @property
    def exercise(self) -> Exercise:
        """The one on screen."""
        return self.exercises[self._at]

    def task(self) -> Task:
        """The exercise on screen, on the position that it is asked of now."""
        if self._at not in self._tasks:
            task = Task.of(self._game_id, self.exercises[self._at])
            self._tasks[self._at] = task.variant(self._fresh) if self._fresh else task
        return self._tasks[self._at]

    def go(self, index: int) -> None:
        """Show an exercise, counted from 0; the first one comes after the last."""
        self._at = index % len(self.exercises)
        self._misses = 0
        self._start()
        self._report_place()

    @property
    def answered(self) -> bool:
        """Whether the one on screen has its proof."""
        return self._proved

    def advance(self, by: int = 1) -> bool:
        """Show the next exercise, or the one before (-1); False where there is none."""
        inside = 0 <= self._at + by < len(self.exercises)
        if inside:
            self.go(self._at + by)
        return inside

    def _start(self) -> None:
        give_back_later()
        task = self.task()
        self.stage.place(task.position)
        self.stage.board.clear("judged", "order")
        self.stage.hide()
        self._mark_ends(task)
        self.stage.board.aim(self.exercise.focus, task_speaks_of(task))
        self._judged, self._tries, self._proved = None, 0, False
        if self.field is not None:
            self.field.open = False
        self.field = field(task, self._of(task, self.submit), self._of(task, self._select))
        swap(self.page, self._place, self.field.widget)
        self._question.value = self._writer.question(task.question)
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
        self._next.add_class("ldv-next-exercise")
        for made, do in (
            (self._hint, self._show_hint),
            (self._other, self._vary),
            (self._next, lambda: self.go(self._at + 1)),
        ):
            made.on_click(guarded(self._of(task, lambda _, do=do: do())))
        show(self._other, bool(self.exercise.vary))
        show(self._next, len(self.exercises) > 1)
        swap(self.page, self._aids, self._hint, self._other, self._next)

    def _show_head(self) -> None:
        dots = " ".join(
            f'<span title="Exercice {i}{NBSP}: '
            f'{_STATES[state]}"{" class=ldv-now" if i == self._at + 1 else ""}>{_DOTS[state]}</span>'
            for i, state in enumerate(self.states, 1)
        )
        count = f"{self._at + 1}{NBSP}sur{NBSP}{len(self.exercises)}"
        self._head.value = (
            f'<h2 class="ldv-label">À vous{NBSP}: exercice {count} <span class="ldv-dots">{dots}</span></h2>'
        )

    def _mark_ends(self, task: Task) -> None:
        """Show the hexes the question speaks of (never the answer)."""
        self.stage.mark(named_hexes(task.position, task.arguments, task.differing), tuple(task.spots))

    def _of(self, task: Task, do: Callable[[Any], object]) -> Callable[[Any], object]:
        """What a field does while its question is on screen: a press on one that was left may come late."""
        return lambda given: do(given) if task is self.task() else None

    def _select(self, hexes: Sequence[str]) -> None:
        self.stage.select(tuple(hexes))
        ordered = enumerate(hexes, 1) if self.exercise.answer.kind == "order" else ()
        self.stage.board.show("order", *(Note(cell, str(place)) for place, cell in ordered))

    def _clicked(self, hex_: str, piece: str | None) -> None:
        if self.field is not None and self.live and not self._proved:
            self.field.click(hex_, piece)

    def _moved(self, piece: str, hex_: str) -> None:
        """The reader moved a piece: the question is now asked of this position."""
        if not self.live:
            return
        answered = self._proved
        self._tasks[self._at] = self.task().on(self.task().position.change({f"piece.{piece}.at": hex_}))
        self._start()
        if answered:
            self._say(CHANGED, None)
        self._on_posed()

    def _show_hint(self) -> None:
        self._hinted.value = (
            f'<div class="ldv-hint"><p><strong>Indice.</strong> {self._writer.inline(self.task().hint)}</p></div>'
        )
        show(self._hinted, True)
        allow(self._hint, False)

    def _vary(self) -> None:
        seed = self._seeds.get(self._at, self._fresh) + 1
        self._seeds[self._at] = seed
        self._tasks[self._at] = self.task().variant(seed)
        self._start()
        self._on_posed()

    def submit(self, given: Any) -> None:
        """Answer the exercise on screen, and say what the engine says of it; once it has its proof it takes no answer.

        Args:
            given: as its field gives it.
        """
        task = self.task()
        if self._proved:
            return
        try:
            verdict = judge(task, given)
        except AnswerError as error:
            self._say(f"{error.sentence} Cela ne compte pas comme un essai.", None)
            return
        counts = self._judged != (task, given)  # pressed twice, an answer counts once
        if counts:
            self._judged = (task, given)
            self._tries += 1
            self._count(given, verdict)
        self._misses = 0 if verdict.right else self._misses + counts
        if self.field is not None:
            self.field.judged(given, verdict.right)
        self._report_place(verdict)
        if verdict.right or self._tries >= TRIES:
            self._proved = True
            self._prove(task, given, verdict)
        else:
            self._say(" ".join((verdict.said, *(() if counts else (_SAME,)), "Essayez encore.")), False)
        self._show_head()
        if counts:
            self._on_answer(self.exercise, verdict.right)

    def _prove(self, task: Task, given: Any, verdict: Verdict) -> None:
        """Say the answer, and show all that leads to it."""
        if self.field is not None:
            self.field.judged(task.solution(), True)
            self.field.close()
        show(self._hint, False)
        show(self._hinted, False)
        doubtful, whole = task.doubtful(task.read(given)), together(task)
        self._say(replied(task, verdict, doubtful, again=self._tries > 1), verdict.right)
        if order := ranked(task):
            self.stage.compare(order, whole, replied=True)
            return
        result = task.about(doubtful).result()
        choices, because = asked_of(task), answering_exercise(task, result)
        self.stage.reveal(
            result, because, filmed=True, choices=choices, together=whole, replied=True, reasons=True, headed=True
        )
        if self.exercise.answer.kind == "hexes":
            self._mark_hexes(frozenset(task.read(given)), frozenset(task.solution() or ()))

    def _mark_hexes(self, given: frozenset[str], solution: frozenset[str]) -> None:
        """Mark what was right, missed and extra, by word as well as by colour."""
        marks: list[Layer] = []
        judged: tuple[tuple[frozenset[str], Role, str], ...] = (
            (given & solution, "good", "juste"),
            (solution - given, "good", "oubliée" if self.task().position.board.words.feminine else "oublié"),
            (given - solution, "wrong", "en trop"),
        )
        for hexes, role, word in judged:
            if hexes:
                marks.append(Outline(places(*sorted(hexes)), role))
            marks += [Note(cell, word, role) for cell in sorted(hexes)]
        self.stage.select(())
        self.stage.board.show("judged", *marks)

    def _count(self, given: Any, verdict: Verdict) -> None:
        self.missed |= set() if verdict.right else {self.exercise.id}
        if verdict.right:
            self.states[self._at] = "right"
        elif self.states[self._at] == "new":
            self.states[self._at] = "wrong"
        self._keep(given, verdict)

    def _keep(self, given: Any, verdict: Verdict) -> None:
        exercise, seed = self.exercise, self._seeds.get(self._at, self._fresh)
        rules = tuple(dict.fromkeys((*exercise.rules, *self._trained.get(exercise.id, ()))))
        missed = () if verdict.right else verdict.rules or rules
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
        self._progress.attempt(made, [e.id for e in self.exercises] if self._lesson_id else ())

    def _report_place(self, verdict: Verdict | None = None) -> None:
        """For a teacher: which exercise this is, and the rule to read again of a reader who missed it twice in a row."""
        stuck = ""
        if verdict is not None and self._misses >= _STUCK:
            stuck = (verdict.rules or tuple(self.exercise.rules))[0]
        place = {"lesson": f"{self._game_id}/{self._lesson_id}"} if self._lesson_id else {}
        self.page.course.where = {**place, "exercise": str(self._at + 1), "stuck": stuck}

    def _say(self, sentence: str, right: bool | None) -> None:
        data = "" if right is None else f' data-right="{str(right).lower()}" data-proved="{str(self._proved).lower()}"'
        self._said.value = f'<div class="ldv-diagnosis"{data}><p>{self._writer.inline(sentence, False)}</p></div>'
        show(self._said, True)
        self.stage.announce(sentence)
