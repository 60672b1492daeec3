"""A question on all screens, as a learner answers it:
an exercise that the engine judges, or a choice of the teacher's.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import AnswerError, TutorError
from tutor.core.phrases import NBSP
from tutor.core.trace import hexes as places
from tutor.core.typography import typography
from tutor.course.answers import shown
from tutor.course.chosen import tally
from tutor.course.diagnosis import Verdict, judge, replied
from tutor.course.exercises import Task
from tutor.course.headlines import answering_exercise, asked_of, together
from tutor.course.models import Answer, Choice
from tutor.course.onboard import task_speaks_of
from tutor.course.ranking import ranked
from tutor.course.shown import answer_text, kept_answer, named_hexes, right_choice, task_of
from widgets.board.layers import Outline
from widgets.host.page import Page
from widgets.host.prose import Writer, box, html, show
from widgets.player.answers import ChoiceField, Field, field
from widgets.player.stage import Stage

#: Called with an answer as JSON can hold it, whether it is right, the rules to read again, the seconds it took.
Send = Callable[[Any, bool | None, tuple[str, ...], float], None]
LOCKED = "Votre enseignant a fermé les réponses."
OPEN = "Vous pouvez encore changer d’avis."


def causes(body: Mapping[str, Any]) -> Callable[[Any], str]:
    """Says of an answer to what was pushed, as it was kept, which mistake it is, as HTML; "" of a right one, and where
    nothing judges.

    >>> causes({"form": "choice"})("Oui")
    ''
    """
    try:
        task = task_of(body) if body.get("form") == "exercise" else None
    except TutorError:
        task = None
    made: dict[str, str] = {}

    def cause(answer: Any) -> str:
        if task is None:
            return ""
        key = answer_text(answer)
        if key not in made:
            try:
                sentence = _why(task, answer)
            except TutorError:
                sentence = ""
            made[key] = Writer(task.game_id).inline(sentence, False)
        return made[key]

    return cause


def _why(task: Task, answer: Any) -> str:
    """The mistake of an answer; of several hexes not how many are right, which would part those who err alike."""
    sentence, read = judge(task, answer).cause, task.read(answer)
    counted = tally(read, task.solution(), task.position.board.words.feminine) if isinstance(read, frozenset) else ""
    return sentence.removeprefix(counted).strip() or sentence


def bars(
    distribution: Sequence[Mapping[str, Any]] | None,
    right: str | None,
    total: int,
    cause: Callable[[Any], str] = lambda _: "",
) -> str:
    """How many gave each answer, as a list of bars.

    Args:
        distribution: answer, ok and count of each.
        right: the right answer as text, when it may be shown.
        total: people.
        cause: says which mistake an answer is, as HTML.

    >>> 'data-right="true"' in bars([{"answer": "<b>", "ok": True, "count": 2}], None, 4)
    True
    >>> "<b>" in bars([{"answer": "<script>", "ok": None, "count": 1}], None, 4)[:90]
    True
    """
    rows = []
    most = max(total, sum(int(row["count"]) for row in distribution or ()), 1)
    for row in distribution or ():
        text, count = answer_text(row["answer"]), int(row["count"])
        good = bool(row["ok"]) or (right is not None and text == right)
        share = round(100 * count / most)
        sign = f"✓{NBSP}" if good else ""
        why = "" if good else cause(row["answer"])
        rows.append(
            f'<li data-right="{str(good).lower()}"><div '
            f'class="ldv-bar-head"><b>{sign}{escape(text)}</b><span>{count}</span></div>'
            f'<div class="ldv-bar"><i style="width:{share}%"></i></div>'
            f"{f'<p class=ldv-bar-why>{why}</p>' if why else ''}</li>"
        )
    return f'<ul class="ldv-bars">{"".join(rows)}</ul>' if rows else ""


class _Question(ABC):
    """What both kinds of questions share: the field, what was said, locking, revealing.

    Args:
        send: gives the answer to the class; None on a screen where nobody answers.
    """

    widget: ipw.Widget

    def __init__(self, send: Send | None) -> None:
        self._send, self._began = send, time.monotonic()
        self._given: Any = None
        self._answered = self._revealed = self._locked = False
        #: The last answer that the server has, and whether it has one.
        self._noted: tuple[Any, bool] = (None, False)
        self._said, self._bars = html(""), html("")
        self._place = box()
        self._field: Field | None = None
        #: Says which mistake an answer is, as HTML; "" where nothing judges.
        self._cause: Callable[[Any], str] = lambda _: ""

    def _say(self, sentence: str, right: bool | None = None) -> None:
        data = "" if right is None else f' data-right="{str(right).lower()}"'
        self._said.value = f'<div class="ldv-diagnosis" role="status"{data}><p>{sentence}</p></div>' if sentence else ""

    def _answer(self, given: Any, ok: bool | None, missed: tuple[str, ...] = ()) -> None:
        if self._locked or self._revealed:  # pressed before this page could show it
            return
        self._given, self._answered = given, True
        self._say("Un instant…")
        if self._send is not None:
            self._send(given, ok, missed, time.monotonic() - self._began)

    def answered(self, given: Any, message: str = "") -> None:
        """An answer was kept; or was not, and why: the one before it holds."""
        if message:
            self._given, self._answered = self._noted
        else:
            self._noted = (given, True)
        if self._revealed:
            self._reveal()
            return
        noted = f"Réponse notée{NBSP}: <strong>{escape(answer_text(given))}</strong>. {OPEN}"
        self._say(escape(message) if message else noted)

    def wait(self, why: str) -> None:
        """An answer has to wait before it is kept."""
        if not self._revealed:
            self._say(escape(f"{why} Votre réponse attend{NBSP}: elle comptera pour cette question."))

    def restore(self, given: Any) -> None:
        """Take up an answer given before the page was loaded again, unless there is a newer one."""
        if not self._answered:
            self._given, self._answered = given, True
            self.answered(given)

    def update(self, state: Mapping[str, Any]) -> None:
        """Follow the session: locked, revealed, how many gave each answer."""
        revealed, locked = bool(state.get("revealed")), bool(state.get("locked") or state.get("closed"))
        show(self._place, self._send is not None and not (revealed or locked))
        if self._field is not None:  # what was being typed as it went is no answer, nor is it said to be wrong
            self._field.open = not (revealed or locked)
        if revealed != self._revealed:
            self._revealed = revealed
            self._bars.value = ""
            self._reveal() if revealed else self._conceal()
        if revealed:
            people = int(state.get("people") or 0)
            self._bars.value = self._map(state) + bars(state.get("distribution"), self._solution(), people, self._cause)
        elif locked != self._locked and self._send is not None:
            kept = (
                f" Votre réponse{NBSP}: <strong>{escape(answer_text(self._given))}</strong>." if self._answered else ""
            )
            self._say(LOCKED + kept if locked else OPEN if self._answered else "")
        self._locked = locked

    def _conceal(self) -> None:
        self._say("")

    def _map(self, state: Mapping[str, Any]) -> str:
        """Where the class answered on the board, as HTML; "" for a question without one."""
        return ""

    @abstractmethod
    def close(self) -> None:
        """Leave the page: something else takes its place."""

    @abstractmethod
    def _reveal(self) -> None:
        """Show the right answer, and what was missed."""

    @abstractmethod
    def _solution(self) -> str | None:
        """The right answer, in words; None when there is none."""


class ExerciseQuestion(_Question):
    """An exercise: its board, its field; the engine judges.

    Args:
        page: what its widgets share.
        body: as it was pushed.
        send: gives the answer to the class, None where nobody answers.
        large: for a projector.

    Raises:
        TutorError: the exercise cannot be played any more.
    """

    def __init__(self, page: Page, body: Mapping[str, Any], send: Send | None, *, large: bool = False) -> None:
        super().__init__(send)
        self._body, self._large = body, large
        self.task: Task = task_of(body)
        self._cause = causes(body)
        exercise, position = self.task.exercise, self.task.position
        self._writer = Writer(self.task.game_id)
        self.stage = Stage(page, position, label="Plateau de la question", pending="")
        self.stage.board.let_drag(False)
        self._mark()
        self.stage.board.aim(exercise.focus, task_speaks_of(self.task))
        self._field = made = field(self.task, self._submit, self._select)
        self._place.children = (made.widget,)
        self.stage.on_hex(self._clicked)
        asked = html(self._writer.question(self.task.question))
        panel = box(box(asked, css="ldv-ask"), self._place, self._said, self._bars, css="ldv-exercise")
        self.widget = box(
            box(self.stage.board_widget, box(*self.stage.folds, row=True, css="ldv-folds"), css="ldv-main"),
            box(panel, *self.stage.side_widgets, css="ldv-side"),
            css="ldv-lesson ldv-exercises",
        )

    def _mark(self) -> None:
        marked = named_hexes(self.task.position, self.task.arguments, self.task.differing)
        self.stage.mark(marked, tuple(self.task.spots))

    def _select(self, hexes: Sequence[str]) -> None:
        self.stage.select(tuple(hexes))

    def _clicked(self, hex_: str, piece: str | None) -> None:
        if self._field is not None and self._field.open:
            self._field.click(hex_, piece)

    def _submit(self, given: Any) -> None:
        if self._field is None or not self._field.open:
            return
        try:
            verdict = judge(self.task, given)
            read = self.task.read(given)
        except AnswerError as error:
            self._say(f"{escape(error.sentence)} Cela ne compte pas comme un essai.")
            return
        self._answer(kept_answer(read, given), verdict.right, verdict.rules)

    def close(self) -> None:
        self.stage.close()

    def _map(self, state: Mapping[str, Any]) -> str:
        from widgets.classroom.heat import class_map

        return class_map(self._body, state.get("distribution"), self._cause) if self._large else ""

    def _solution(self) -> str | None:
        answer = self.task.exercise.answer
        return shown(self.task.solution(), answer.unit, answer.refusable)

    def _verdict(self) -> Verdict | None:
        try:
            return judge(self.task, self._given)
        except AnswerError:
            return None

    def _conceal(self) -> None:
        super()._conceal()
        self.stage.hide()
        self._mark()

    def _reveal(self) -> None:
        each = self.task.exercise.answer.each
        verdict = self._verdict() if self._answered else None
        given = self.task.read(self._given) if each and verdict else frozenset()
        whole, doubtful = together(self.task), self.task.doubtful(given)
        self.stage.mark(())
        if order := ranked(self.task):
            self.stage.compare(order, whole, replied=True)
        else:
            result = self.task.about(doubtful).result()
            because, choices = answering_exercise(self.task, result), asked_of(self.task)
            self.stage.reveal(result, because, choices=choices, together=whole, replied=True, reasons=True, headed=True)
        if each:
            solution = self.task.solution() or frozenset()
            self.stage.board.show("selection", Outline(places(*sorted(solution)), "olive"))
        said = self._writer.inline(replied(self.task, verdict, doubtful), False)
        self._say(said, verdict.right if verdict else None)


class ChoiceQuestion(_Question):
    """A question of the teacher's own, with choices.

    Args:
        body: as it was pushed.
        send: gives the answer to the class, None where nobody answers.
    """

    def __init__(self, body: Mapping[str, Any], send: Send | None) -> None:
        super().__init__(send)
        self._body = body
        choices = [Choice.model_construct(label=str(label), when={}) for label in body.get("choices", ())]
        answer = Answer.model_construct(kind="choice", choices=choices)
        self._field = made = ChoiceField(answer, self._submit)
        self._place.children = (made.widget,)
        listed = "" if send else f"<ul>{''.join(f'<li>{escape(choice.label)}</li>' for choice in choices)}</ul>"
        self.widget = box(
            html(f'<p class="ldv-question">{escape(str(body.get("title", "")))}</p>{listed}'),
            *(self._place, self._said, self._bars),
            css="ldv-card ldv-predict",
        )

    def _submit(self, given: str) -> None:
        right = right_choice(self._body)
        self._answer(given, None if right is None else given == right)

    def update(self, state: Mapping[str, Any]) -> None:
        """Follow the session; the teacher's explanation comes with the revealed state."""
        push = state.get("push") or {}
        self._body = push.get("body") or self._body
        super().update(state)

    def close(self) -> None:
        """It has no board that the page would still speak of."""

    def _solution(self) -> str | None:
        return right_choice(self._body)

    def _reveal(self) -> None:
        right, secret = self._solution(), self._body.get("secret")
        why = str(secret.get("why") or "") if isinstance(secret, dict) else ""
        good = None if right is None or not self._answered else self._given == right
        opening = "Juste. " if good else ""
        said = f"La réponse{NBSP}: <strong>{escape(right)}</strong>." if right is not None else "Voici les réponses."
        self._say(typography(f"{opening}{said} {escape(why)}".strip()), good)
