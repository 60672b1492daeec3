"""What a wrong choice comes from: the rule whose omission gives it, found by the engine, else the mistake that the
content names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import Game, game
from tutor.core.result import Result
from tutor.course.answers import shown
from tutor.course.decisive import without
from tutor.course.exercises import fitting
from tutor.course.figures import head, numbers
from tutor.course.headlines import says_yes
from tutor.course.matching import deciding, view
from tutor.course.models import Choice
from tutor.course.slips import slip_of_number
from tutor.course.sought import Sought, named

#: Sets of rules, each of which, left out, gives an answer.
Omissions = tuple[tuple[str, ...], ...]
_MOST_SHOWN = 2


@dataclass(frozen=True)
class Asked:
    """A prediction as it was put.

    Args:
        result: the engine's answer, with its trace.
        position: where it was asked.
        choices: what may be answered.
        because: rule id or code of the step that answers, where the content names it.
        before: the answer before « Et si… » changed something.
        rules: those that the content says are at work.
    """

    result: Result[Any]
    position: Position
    choices: Sequence[Choice]
    because: str | None = None
    before: Result[Any] | None = None
    rules: Collection[str] = ()

    @cached_property
    def right(self) -> str | None:
        """Label of the right choice."""
        return fitting(self.choices, view(self.result))

    @property
    def rulebook(self) -> Game:
        """The game."""
        return game(self.position.game)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a choice is wrong.

    Args:
        omissions: the smallest sets of rules whose omission gives it.
        sentence: the mistake as prose, rule ids marked ``[[…]]``; "" where there is no cause.
    """

    omissions: Omissions = ()
    sentence: str = ""

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self.sentence)


def smallest(rules: Iterable[str], gives: Callable[[tuple[str, ...]], bool], most: int = 2) -> Omissions:
    """The smallest sets of omitted rules that give an answer.

    Args:
        rules: those that may be left out.
        gives: whether leaving a set out gives the answer.
        most: rules in the largest set tried.

    >>> smallest(["a", "b", "c"], lambda left_out: "b" in left_out)
    (('b',),)
    """
    ordered = sorted(rules)
    for size in range(1, most + 1):
        if sets := tuple(left_out for left_out in combinations(ordered, size) if gives(left_out)):
            return sets
    return ()


def likeliest(omissions: Omissions, rules: Collection[str]) -> Omissions:
    """Sets of omitted rules, first those with the most rules that the content says are at work. A rule goes where one of
    its own parts explains as much, unless the content names it and none of its parts.

    Args:
        omissions: the sets.
        rules: those at work.

    >>> likeliest((("a",), ("b",)), ["b"])
    (('b',), ('a',))
    >>> likeliest((("10.3",), ("10.3.2",)), []), likeliest((("10.3",), ("10.3.2",)), ["10.3"])
    ((('10.3.2',),), (('10.3',), ('10.3.2',)))
    """

    def at_work(left_out: tuple[str, ...]) -> int:
        return len(set(left_out).intersection(rules))

    def narrower(left_out: tuple[str, ...]) -> bool:
        return any(_within(other, left_out) and at_work(other) >= at_work(left_out) for other in omissions)

    kept = (left_out for left_out in omissions if not narrower(left_out))
    return tuple(sorted(kept, key=lambda left_out: -at_work(left_out)))


def _within(parts: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether each rule of a set has itself or a part of it in another set of as many."""
    covered = (any(part == rule or part.startswith((f"{rule}.", f"{rule}-")) for part in parts) for rule in whole)
    return set(whole) != set(parts) and len(whole) == len(parts) and all(covered)


def cause(asked: Asked, label: str) -> Cause:
    """Why a choice is wrong: what the content says of it, the omission that gives it; what the engine finds otherwise,
    that it was right before, that a refusal was overlooked, that a number is a likely slip; two omissions.

    Args:
        asked: the prediction.
        label: the choice; a wrong one.
    """

    def gives(left_out: tuple[str, ...]) -> bool:
        other = without(asked.result, asked.position, left_out[0], left_out[1:])
        return other is not None and fitting(asked.choices, view(other)) == label

    consulted = asked.result.consulted & set(asked.rulebook.omittable)
    choice = next(choice for choice in asked.choices if choice.label == label)
    if one := likeliest(smallest(consulted, gives, 1), asked.rules):
        return Cause(one, choice.because_not or forgotten(asked.rulebook, one, shown(label)))
    sentence = choice.because_not or _right_before(asked, label) or _overlooked(asked, choice) or _number(asked, label)
    if sentence:
        return Cause((), sentence)
    two = likeliest(smallest(consulted, gives), asked.rules)
    return Cause(two, forgotten(asked.rulebook, two, shown(label))) if two else Cause()


def _right_before(asked: Asked, label: str) -> str:
    if asked.before is None or fitting(asked.choices, view(asked.before)) != label:
        return ""
    return f"C’était vrai avant ce changement. {to_read_again(asked.rulebook, asked.result, asked.because)}".strip()


def _overlooked(asked: Asked, choice: Choice) -> str:
    """A refusal that was overlooked, or seen where there is none."""
    refused = choice.when.get("outcome") == "refused" or "refusals" in choice.when
    if asked.result.refusals and not refused:
        rules = dict.fromkeys(step.rule for step in asked.result.refusals if step.rule in asked.rulebook.sections)
        if rules:
            forbid = "interdisent" if len(rules) > 1 else "interdit"
            return f"Vous n’avez peut-être pas vu ce qu’{forbid} {_listed(asked, rules)}."
    rules = dict.fromkeys(rule for rule in choice.when.get("refusals", ()) if rule in asked.rulebook.sections)
    if rules and not asked.result.refusals:
        forbid = "interdisent" if len(rules) > 1 else "interdit"
        return f"{_listed(asked, rules)} ne l’{forbid} pas ici."
    return ""


def _listed(asked: Asked, rules: Iterable[str]) -> str:
    return " et ".join(named(asked.rulebook, rule) for rule in rules)


def _number(asked: Asked, label: str) -> str:
    """Which likely slip a number is."""
    mine, right = numbers(head(label)), numbers(head(asked.right or ""))
    if says_yes(label) is not None or len(mine) != 1 or len(right) != 1 or mine == right:
        return ""
    sought = Sought(asked.result, asked.position, next(iter(right)))
    return slip_of_number(sought, next(iter(mine))).said


def mistake(asked: Asked, label: str) -> str:
    """Which mistake a wrong choice is, as prose with rule ids marked ``[[…]]``: its cause, where a second is enough to
    find it, else the rule to read again.

    Args:
        asked: the prediction.
        label: the choice.

    Returns:
        A sentence; "" when the choice is right.
    """
    if asked.right == label:
        return ""
    try:
        with bounded():
            sentence = cause(asked, label).sentence
    except TooLarge:
        sentence = ""
    return sentence or to_read_again(asked.rulebook, asked.result, asked.because) or "Relisez la règle."


def forgotten(rulebook: Game, omissions: Omissions, answer: str) -> str:
    """The rules that were perhaps forgotten, as prose.

    Args:
        rulebook: game.
        omissions: the smallest sets; at least one.
        answer: what they give, as the page writes it.
    """

    if len(omissions) == 1:
        rules = omissions[0]
        if len(rules) == 1:
            then = rulebook.omittable[rules[0]].rstrip(".")
            return (
                f"Vous avez peut-être oublié la règle {named(rulebook, rules[0])}{NBSP}: sans elle, {then[:1].lower()}{then[1:]}, "
                f"et l’on trouve bien {answer}."
            )
        names = " et ".join(named(rulebook, rule) for rule in rules)
        return f"Vous avez peut-être oublié les règles {names}{NBSP}: sans elles, on trouve bien {answer}."
    lines = [" avec ".join(named(rulebook, rule) for rule in rules) for rules in omissions[:_MOST_SHOWN]]
    return f"Vous avez peut-être oublié {', ou peut-être '.join(lines)}{NBSP}: sans cela, on trouve bien {answer}."


def to_read_again(rulebook: Game, result: Result[Any], because: str | None = None, trained: Sequence[str] = ()) -> str:
    """The rule that settles a question, for who is wrong in a way that nothing explains.

    Args:
        rulebook: game.
        result: of the question.
        because: rule or code of the step that answers it; None: the last one.
        trained: rules that the question is there for: where the step that answers is of another one, the first of them.
    """
    rule = next((step.rule for step in deciding(result, because) if step.rule in rulebook.sections), "")
    if trained and rule not in trained:
        rule = next((one for one in trained if one in rulebook.sections), rule)
    return f"La règle qui tranche ici est {named(rulebook, rule)}." if rule else ""
