"""A number that is asked for, and what is said of the steps that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import Game, game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.figures import says
from tutor.course.matching import deciding


@dataclass(frozen=True, slots=True)
class Sought:
    """A number that is asked for.

    Args:
        result: the engine's, with its trace.
        position: where it was asked.
        number: the right one.
        path: where it stands in the result; "" where that is not known.
        unit: its unit, if any.
        because: code, or rule, of the step that answers, perhaps with its place.
    """

    result: Result[Any]
    position: Position
    number: Fraction
    path: str = ""
    unit: str = ""
    because: str | None = None

    @property
    def rulebook(self) -> Game:
        """The game."""
        return game(self.position.game)


def named(rulebook: Game, rule: str) -> str:
    """A rule by number and title, in brackets unless it has brackets itself.

    >>> named(game("combat_commander"), "T97")
    '[[T97]] (Mur)'
    """
    title = rulebook.name_of(rule)
    return f"[[{rule}]], «{NBSP}{title}{NBSP}»" if "(" in title else f"[[{rule}]] ({title})"


def to_read(sought: Sought) -> str:
    """« Voyez … », with the rule of the step that answers; "" where it has none.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> seen = Sought(ask(place, "los", start="M9", end="N6"), place, Fraction(2))
    >>> to_read(seen)
    'Voyez [[10.3]] (Gênes & LDV).'
    """
    rule = next((step.rule for step in answering(sought) if step.rule in sought.rulebook.sections), "")
    return f"Voyez {named(sought.rulebook, rule)}." if rule else ""


def answering(sought: Sought) -> Sequence[Step]:
    """The step that answers.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> [step.code for step in answering(Sought(ask(place, "los", start="M9", end="N6"), place, Fraction(2)))]
    ['los.hindered']
    """
    return deciding(sought.result, sought.because)


def cited(position: Position, step: Step, hidden: Fraction | None = None) -> str:
    """The sentence of a step and its rule; "" when it cannot be said, or would say the number that is asked for.

    Args:
        position: where it was asked; step: of the trace.
        hidden: the number that is asked for.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> last = ask(place, "los", start="M9", end="N6").trace.children[-1]
    >>> bool(cited(place, last)), cited(place, last, Fraction(last.operands["hindrance"].value))
    (True, '')
    """
    try:
        sentence = game(position.game).sentence(step, position)
    except TutorError:
        return ""
    if hidden is not None and any(says(sentence, frozenset({one})) for one in (hidden, abs(hidden))):
        return ""
    return f"«{NBSP}{sentence.rstrip('.')}{NBSP}» ([[{step.rule}]])" if step.rule else ""
