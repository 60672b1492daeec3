"""How a reader gives his answer: typing a number, choosing, clicking hexes, putting lines in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import AnswerError, TutorError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.course.exercises import Task
from tutor.course.models import Answer
from tutor.course.onboard import answers_on_board, lines_on_board, pieces_on_board
from widgets.board.errors import guarded, report
from widgets.board.layouts import allow
from widgets.host.prose import box, button, entered, html, show

Submit = Callable[[Any], None]
_IN_PLACE = '<small data-right="true">✓</small>'
_TOUCH = "Touchez-les sur le plateau, ou choisissez ici."
_TOUCH_IN_ORDER = "Touchez-les dans l’ordre, ou rangez-les ici."


class _Field:
    """What every field takes."""

    widget: ipw.Widget
    #: What the reader answers with.
    _tools: Sequence[ipw.Button | ipw.Text] = ()
    _open = True
    #: Whether the page says what is wrong with what was written last.
    _refused = False

    @property
    def open(self) -> bool:
        """Whether its question is on screen and takes answers; what is wrong with an answer to one that was left is not
        said, nor said any longer.
        """
        return self._open

    @open.setter
    def open(self, takes: bool) -> None:
        self._open = takes
        if not takes:
            self._hush()

    def _hush(self) -> None:
        """What was wrong is so no more, or no longer matters."""
        if self._refused:
            self._refused = False
            report("")

    def close(self) -> None:
        """Take no other answer, from now on: it was right, or the right one is shown."""
        self.open = False
        for made in self._tools:
            allow(made, False)

    def click(self, hex_: str, piece: str | None = None) -> None:
        """A hex of the board was clicked, on a piece perhaps."""

    def judged(self, given: Any, right: bool) -> None:
        """Show what an answer was."""


class NumberField(_Field):
    """A number: typed, with comma, fraction or percentage; Enter checks it.

    A button answers « refused » where one may.
    """

    def __init__(self, answer: Answer, submit: Submit) -> None:
        unit = f" ({answer.unit})" if answer.unit else ""
        self._field = ipw.Text(description=f"Votre réponse{unit}", placeholder="un nombre", continuous_update=False)
        self._check = button("Vérifier", primary=True)
        self._check.on_click(guarded(lambda _: submit(self._field.value)))
        entered(self._field, lambda: submit(self._field.value))
        children: list[ipw.Button | ipw.Text] = [self._field, self._check]
        if answer.refusable:
            refuse = button(answer.refusable)
            refuse.on_click(guarded(lambda _: submit("refusé")))
            children.append(refuse)
        self._tools = children
        self.widget = box(*children, row=True, css="ldv-answer")


class ChoiceField(_Field):
    """One of a few choices: pressing it answers; those that name places or pieces are touched on the board as well,
    where there is a board.
    """

    def __init__(
        self,
        answer: Answer,
        submit: Submit,
        position: Position | None = None,
        select: Callable[[tuple[str, ...]], None] = lambda _: None,
    ) -> None:
        labels = [choice.label for choice in answer.choices]
        self._buttons = {label: button(label) for label in labels}
        for made in self._buttons.values():
            made.on_click(guarded(self._press))
        self._places, self._select = answers_on_board(labels, position) if position else {}, select
        self._submit, self._missed = submit, set[str]()
        self._pieces, self._piece = pieces_on_board(labels, position) if position else {}, ""
        self._chosen: list[str] = []
        self._check = button("Vérifier", primary=True)
        self._check.on_click(guarded(lambda _: self._answer(self._meant)))
        show(self._check, False)
        self._tools = [*self._buttons.values(), self._check]
        hint = [html(f'<p class="ldv-note">{_TOUCH}</p>')] if self._places or self._pieces else []
        self.widget = box(*hint, *self._buttons.values(), self._check, row=True, css="ldv-choices")

    def _press(self, pressed: ipw.Button) -> None:
        self._answer(pressed.description)

    def _answer(self, label: str) -> None:
        """One that was missed is not given again: it stays, dashed."""
        if self.open and label and label not in self._missed:
            self._submit(label)

    @property
    def _meant(self) -> str:
        return self._pieces.get(self._piece) or self._places.get(frozenset(self._chosen), "")

    def click(self, hex_: str, piece: str | None = None) -> None:
        """Choose a place, or unchoose it: the answer that names just these places is meant; or a counter of a stack, where
        answers name its counters.
        """
        if piece in self._pieces:
            self._piece = "" if piece == self._piece else str(piece)
            self._chosen = [hex_] if self._piece else []
        elif any(hex_ in places for places in self._places):
            self._chosen.remove(hex_) if hex_ in self._chosen else self._chosen.append(hex_)
        else:
            return
        self._select(tuple(self._chosen))
        for label, made in self._buttons.items():
            (made.add_class if label == self._meant else made.remove_class)("mod-active")
        show(self._check, bool(self._meant))

    def judged(self, given: Any, right: bool) -> None:
        """Mark the choice that was given, or that answers."""
        for label, made in self._buttons.items():
            if given in (label, made.description):
                made.add_class("ldv-right" if right else "ldv-missed")
                if not right:
                    self._missed |= {label, made.description}
                    allow(made, False)


class HexField(_Field):
    """Hexes: clicked on the board, or typed; both say the same."""

    def __init__(
        self, answer: Answer, submit: Submit, position: Position, select: Callable[[tuple[str, ...]], None]
    ) -> None:
        self._answer, self._check_name, self._select = answer, position.grid.check, select
        words = position.board.words
        self._field = ipw.Text(
            description=answer.unit or f"{words.names.capitalize()} {'choisies' if words.feminine else 'choisis'}",
            placeholder="cliquez-les, ou écrivez",
            continuous_update=False,
        )
        self._field.observe(guarded(lambda _: self._select(self._read()) if self.open else None), "value")
        go = button("Vérifier", primary=True)
        go.on_click(guarded(lambda _: submit(self._given()) if self.open else None))
        clear = button("Effacer")
        clear.on_click(guarded(lambda _: setattr(self._field, "value", "") if self.open else None))
        self._tools = [self._field, go, clear]
        self.widget = box(*self._tools, row=True, css="ldv-answer")

    def _read(self) -> tuple[str, ...]:
        names = [name.upper() for name in re.split(r"[\s,;]+", self._field.value) if name and name.lower() != "et"]
        try:
            hexes = tuple(dict.fromkeys(self._check_name(name) for name in names))
        except TutorError:
            self._refused = True
            raise
        self._hush()
        return hexes

    def _given(self) -> tuple[str, ...]:
        hexes = self._read()
        if not hexes:
            self._refused = True
            raise AnswerError("Vous n’avez rien choisi.", remedy="Cliquez le plateau, puis vérifiez.")
        return hexes

    def click(self, hex_: str, piece: str | None = None) -> None:
        """Choose a hex, or unchoose it."""
        hexes = list(self._read())
        hexes.remove(hex_) if hex_ in hexes else hexes.append(hex_)
        self._field.value = ", ".join(hexes)


class OrderField(_Field):
    """Lines to put in order, moved up and down by buttons, or by touching the places that they name, one after another;
    they never begin in the right order.
    """

    def __init__(
        self,
        answer: Answer,
        submit: Submit,
        position: Position,
        select: Callable[[tuple[str, ...]], None],
        right: Any = None,
    ) -> None:
        self._labels = sorted(item.label for item in answer.items)
        if tuple(self._labels) == right:
            self._labels.reverse()
        self._places, self._select = lines_on_board(self._labels, position), select
        self._touched: list[str] = []
        #: The right order, once it is told.
        self._right: tuple[str, ...] = ()
        # the rows stay, and the focus with them: what they say moves
        self._rows = [(button(""), button(""), html("")) for _ in self._labels]
        for index, (up, down, _) in enumerate(self._rows):
            up.add_class("ldv-up")
            down.add_class("ldv-down")
            up.disabled, down.disabled = index == 0, index == len(self._rows) - 1
            up.on_click(guarded(lambda _, at=index: self._move(at, -1)))
            down.on_click(guarded(lambda _, at=index: self._move(at, 1)))
        rows = box(*(box(*row, row=True) for row in self._rows), css="ldv-order")
        check = button("Vérifier", primary=True)
        check.on_click(guarded(lambda _: submit(tuple(self._labels))))
        self._tools = [check, *(made for up, down, _ in self._rows for made in (up, down))]
        hint = [html(f'<p class="ldv-note">{_TOUCH_IN_ORDER}</p>')] if self._places else []
        self.widget = box(*hint, rows, box(check, row=True), css="ldv-answer-order")
        self._show()

    def click(self, hex_: str, piece: str | None = None) -> None:
        """Put what stands there next, or take it back."""
        if hex_ in self._places:
            self._touched.remove(hex_) if hex_ in self._touched else self._touched.append(hex_)
            first = [self._places[cell] for cell in self._touched]
            self._labels = first + [label for label in self._labels if label not in first]
            self._select(tuple(self._touched))
            self._show()

    def _show(self) -> None:
        for index, (label, (up, down, said)) in enumerate(zip(self._labels, self._rows, strict=True)):
            up.description = up.tooltip = f"Monter {label}"
            down.description = down.tooltip = f"Descendre {label}"
            said.value = f"<span>{index + 1}. {escape(label)}{self._judgement(index, label)}</span>"

    def _judgement(self, index: int, label: str) -> str:
        """Beside a line, once the right order is told: that it is in its place, or which that is."""
        if not self._right:
            return ""
        place = self._right.index(label)
        return f" {_IN_PLACE}" if place == index else f" <small>sa place{NBSP}: {place + 1}</small>"

    def judged(self, given: Any, right: bool) -> None:
        """Say of each line whether it is in its place, once that is told."""
        if right:
            self._right = tuple(given)
            self._show()

    def _move(self, at: int, by: int) -> None:
        if not self.open:
            return
        self._labels[at], self._labels[at + by] = self._labels[at + by], self._labels[at]
        self._touched = []
        self._select(())
        self._show()


Field = NumberField | ChoiceField | HexField | OrderField


def field(task: Task, submit: Submit, select: Callable[[Sequence[str]], None]) -> Field:
    """The field for an answer.

    Args:
        task: the exercise on screen.
        submit: called with what is given.
        select: shows chosen hexes.
    """
    answer = task.exercise.answer
    if answer.kind == "hexes":
        return HexField(answer, submit, task.position, select)
    if answer.kind == "order":
        return OrderField(answer, submit, task.position, select, task.solution())
    return (
        NumberField(answer, submit) if answer.kind == "number" else ChoiceField(answer, submit, task.position, select)
    )
