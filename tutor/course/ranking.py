"""What an order is made of: the number of each thing to put in order, and the steps that give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, percent
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.answers import shown
from tutor.course.exercises import Task
from tutor.course.figures import says
from tutor.course.matching import deciding, exact, pick, view


@dataclass(frozen=True)
class Ranked:
    """One of the things to put in order.

    Args:
        label: as the exercise names it.
        position: where it is asked about.
        result: what is answered of it.
        path: where its number stands in the result.
        unit: of the number, if any.
        measured: whether its number is said beside its steps, as of another that it is compared with.
    """

    label: str
    position: Position
    result: Result[Any]
    path: str
    unit: str = ""
    measured: bool = False

    @property
    def steps(self) -> Sequence[Step]:
        """Those that answer of it and have a sentence."""
        templates = game(self.position.game).phrases.templates
        return [step for step in deciding(self.result) if step.code in templates]

    @cached_property
    def number(self) -> Fraction | None:
        """What it is ranked by; None where it is refused."""
        return exact(pick(view(self.result), self.path)) if self.result.computed else None

    @property
    def unsaid(self) -> bool:
        """Whether its steps do not say its number."""
        said = " ".join(self._said(step) for step in self.steps)
        if self.number is None or not self._is_odds:
            return self.number is None or not says(said, frozenset({self.number}))
        return percent(self.number) not in said

    @property
    def _is_odds(self) -> bool:
        return (
            self.number is not None and self.number.denominator > 1 and 0 < self.number < 1 and self.unit in ("", "%")
        )

    @property
    def measure(self) -> str:
        """Its number, with what it is, where its steps do not say it, or those of another do not; else "".

        >>> from tutor.course.lessons import exercises
        >>> best, *_ = ranked(Task.of("asl_sk", exercises("asl_sk")["asl-08-rang"]))
        >>> best.label, best.measure.replace(NBSP, " ")
        ('Équipage', 'Au plus : 7')
        """
        if self.number is None:
            return "refusé"
        if not self.measured and not self.unsaid:
            return ""
        number = percent(self.number) if self._is_odds else shown(self.number, self.unit)
        name = game(self.position.game).words.fields.get(self.path.rpartition(".")[2], "")
        return f"{name}{NBSP}: {number}" if name else number

    def _said(self, step: Step) -> str:
        try:
            return game(self.position.game).sentence(step, self.position, brief=True)
        except TutorError:
            return ""

    def sentence(self) -> str:
        """All of it as prose, rule ids marked ``[[…]]``: its name, with its number in brackets, then its steps.

        >>> from tutor.course.lessons import exercises
        >>> best, *_ = ranked(Task.of("asl_sk", exercises("asl_sk")["asl-08-rang"]))
        >>> best.sentence().replace(NBSP, " ").partition(". ")[0]
        '**Équipage** (au plus : 7)'
        """
        measure = self.measure
        if measure[1:2].islower():  # no abbreviation
            measure = measure[:1].lower() + measure[1:]
        said = (f"«{NBSP}{self._said(step).rstrip('.')}{NBSP}» ([[{step.rule}]])." for step in self.steps if step.rule)
        return " ".join((f"**{self.label}**{f' ({measure})' if measure else ''}.", *said))


def ranked(task: Task, labels: Sequence[str] | None = None) -> tuple[Ranked, ...]:
    """The things that an exercise has one put in order.

    Args:
        task: the exercise on screen.
        labels: which, in this order; those of the solution where None. None of another kind of exercise.

    >>> from tutor.course.lessons import exercises
    >>> fire = Task.of("combat_commander", exercises("combat_commander")["cc-02-pf"])
    >>> [one.number for one in ranked(fire)]
    [Fraction(8, 1), Fraction(5, 1), Fraction(3, 1), Fraction(2, 1)]
    """
    answer = task.exercise.answer
    if answer.kind != "order":
        return ()
    items = {item.label: item for item in answer.items}
    made = []
    for label in task.solution() or () if labels is None else labels:
        item = items[label]
        there = task.on(task.position.change(item.changes)) if item.changes else task
        result = there.result(**item.with_)
        made.append(Ranked(label, there.position, result, answer.from_ or "value", answer.unit or ""))
    unsaid = any(one.unsaid for one in made)
    return tuple(replace(one, measured=unsaid) for one in made)
