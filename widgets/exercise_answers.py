"""How a reader gives his answer: typing a number, choosing, clicking hexes, putting lines in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import AnswerError
from tutor.core.position import Position
from tutor.course.exercises import Task
from tutor.course.models import Answer
from widgets.errors import guarded
from widgets.lesson_text import box, button, entered, html
from widgets.text import cell_words

Submit = Callable[[Any], None]


class _Field:
    """What every field takes."""

    widget: ipw.Widget
    #: Whether its question is on screen; what is wrong with an answer to one that was left is not said.
    open = True

    def click(self, hex_: str) -> None:
        """A hex of the board was clicked."""


class NumberField(_Field):
    """A number: typed, with comma, fraction or percentage; Enter checks it. A button answers « refused » where one may."""

    def __init__(self, answer: Answer, submit: Submit) -> None:
        unit = f" ({answer.unit})" if answer.unit else ""
        self._field = ipw.Text(description=f"Votre réponse{unit}", placeholder="un nombre", continuous_update=False)
        self._check = button("Vérifier", primary=True)
        self._check.on_click(guarded(lambda _: submit(self._field.value)))
        entered(self._field, lambda: submit(self._field.value))
        children: list[ipw.Widget] = [self._field, self._check]
        if answer.refusable:
            refuse = button(answer.refusable)
            refuse.on_click(guarded(lambda _: submit("refusé")))
            children.append(refuse)
        self.widget = box(*children, row=True, css="ldv-answer")


class ChoiceField(_Field):
    """One of a few choices: pressing it answers."""

    def __init__(self, answer: Answer, submit: Submit) -> None:
        buttons = [button(choice.label) for choice in answer.choices]
        for made in buttons:
            made.on_click(guarded(lambda pressed: submit(pressed.description)))
        self.widget = box(*buttons, row=True, css="ldv-choices")


class HexField(_Field):
    """Hexes: clicked on the board, or typed; both say the same."""

    def __init__(
        self, answer: Answer, submit: Submit, position: Position, select: Callable[[tuple[str, ...]], None]
    ) -> None:
        self._answer, self._check_name, self._select = answer, position.grid.check, select
        _, cells = cell_words(position)
        chosen = "choisies" if cells == "cases" else "choisis"
        self._field = ipw.Text(
            description=answer.unit or f"{cells.capitalize()} {chosen}",
            placeholder="cliquez le plateau, ou écrivez leurs noms",
            continuous_update=False,
        )
        self._field.observe(guarded(lambda _: self._select(self._read()) if self.open else None), "value")
        go = button("Vérifier", primary=True)
        go.on_click(guarded(lambda _: submit(self._given()) if self.open else None))
        clear = button("Effacer")
        clear.on_click(guarded(lambda _: setattr(self._field, "value", "")))
        self.widget = box(self._field, go, clear, row=True, css="ldv-answer")

    def _read(self) -> tuple[str, ...]:
        names = [name.upper() for name in re.split(r"[\s,;]+", self._field.value) if name and name.lower() != "et"]
        return tuple(dict.fromkeys(self._check_name(name) for name in names))

    def _given(self) -> tuple[str, ...]:
        found = self._read()
        if not found:
            raise AnswerError("Vous n’avez rien choisi.", remedy="Cliquez le plateau, puis vérifiez.")
        return found

    def click(self, hex_: str) -> None:
        """Choose a hex, or unchoose it."""
        found = list(self._read())
        found.remove(hex_) if hex_ in found else found.append(hex_)
        self._field.value = ", ".join(found)


class OrderField(_Field):
    """Lines to put in order, moved up and down by buttons; they never begin in the right order."""

    def __init__(self, answer: Answer, submit: Submit, right: Any = None) -> None:
        self._labels = sorted(item.label for item in answer.items)
        if tuple(self._labels) == right:
            self._labels.reverse()
        self._rows = box(css="ldv-order")
        check = button("Vérifier", primary=True)
        check.on_click(guarded(lambda _: submit(tuple(self._labels))))
        self.widget = box(self._rows, box(check, row=True), css="ldv-answer-order")
        self._show()

    def _show(self) -> None:
        rows = []
        for index, label in enumerate(self._labels):
            up, down = button("▲", hint=f"Monter {label}"), button("▼", hint=f"Descendre {label}")
            up.disabled, down.disabled = index == 0, index == len(self._labels) - 1
            up.on_click(guarded(lambda _, at=index: self._move(at, -1)))
            down.on_click(guarded(lambda _, at=index: self._move(at, 1)))
            rows.append(box(up, down, html(f"<span>{index + 1}. {escape(label)}</span>"), row=True))
        self._rows.children = rows

    def _move(self, at: int, by: int) -> None:
        self._labels[at], self._labels[at + by] = self._labels[at + by], self._labels[at]
        self._show()


Field = NumberField | ChoiceField | HexField | OrderField


def field(task: Task, submit: Submit, select: Callable[[Sequence[str]], None]) -> Field:
    """The field for an answer.

    Args:
        task: the exercise on screen; submit: called with what is given; select: shows chosen hexes.
    """
    answer = task.exercise.answer
    if answer.kind == "hexes":
        return HexField(answer, submit, task.position, select)
    if answer.kind == "order":
        return OrderField(answer, submit, task.solution())
    return NumberField(answer, submit) if answer.kind == "number" else ChoiceField(answer, submit)
