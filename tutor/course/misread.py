"""What of a position a wrong number overlooks: a fact that the question gives, a piece that is elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, after
from tutor.core.registry import game
from tutor.course.exercises import Task
from tutor.course.figures import numbers, places
from tutor.course.matching import exact
from tutor.course.models import Variation

_CLAUSE = re.compile(r"[;,?!()]|\.(?=\s|$)|\*\*")
#: Figures that are names: of dice, of a counter, of one of several places.
_NAMES = re.compile(r"\d-\d|\b[A-Z]\w+\s\d|^\d+( et \d+)*$")
#: What a question says of a loss, which is overlooked where it is taken for 0.
_LOSS = re.compile(r"\bper[dt]", re.IGNORECASE)


def misread(task: Task, given: Fraction) -> str:
    """Which one fact of a position a wrong number overlooks, as prose that never says the answer; "" for none, or where
    more than one would explain it.

    Args:
        task: the exercise on screen; given: the wrong number.

    >>> from tutor.course.lessons import exercises
    >>> said = misread(Task.of("tcs", exercises("tcs")["tcs-05-chars"]), Fraction(29))
    >>> said.replace(NBSP, " ")
    'Vous avez peut-être laissé de côté « pertes : 2 ».'
    """
    try:
        with bounded():
            said = _said_otherwise(task, given)
    except TooLarge:
        return ""
    return said.pop() if len(said) == 1 else ""


def _said_otherwise(task: Task, given: Fraction) -> set[str]:
    """How each fact is said that gives a number once it is overlooked; of a loss, a step on the way to it too."""
    others = list(_otherwise(task))
    said = {sentence for other, sentence in others if _number(other) == given} if given else set()
    if not said:
        losses = [(other, sentence) for other, sentence in others if _LOSS.search(sentence)]
        on_the_way = {sentence for other, sentence in losses if given in _brought(other) - _brought(task)}
        said = {f"{one.removesuffix('.')}, et ce n’est qu’une étape du calcul." for one in on_the_way}
    return said


def _brought(task: Task) -> set[Fraction | None]:
    """The numbers that the steps of an answer come to, of those that make up the one asked for."""
    number = _number(task)
    steps = task.result().trace.walk() if number is not None else ()
    marks = [step for step in steps if exact(step.value) == number]
    return {exact(child.value) for mark in marks for child in mark.children if child.kind == "compute"}


def _number(task: Task) -> Fraction | None:
    """What answers an exercise; None where it is no number, or the question has no sense there."""
    try:
        solution = task.solution()
    except TooLarge:
        raise
    except (TutorError, KeyError, ArithmeticError):
        return None
    return solution if isinstance(solution, Fraction) else None


def given_in(task: Task, given: Fraction) -> str:
    """That a wrong number is only what the question gives, as prose; "" where it does not, or more than once.

    Args:
        task: the exercise on screen; given: the wrong number.

    >>> from tutor.course.lessons import exercises
    >>> said = given_in(Task.of("tcs", exercises("tcs")["tcs-08-passagers"]), Fraction(5))
    >>> said.replace(NBSP, " ")
    'Ce nombre, la question le donne déjà : « avec 5 pas à bord ».'
    """
    clauses = [clause.strip() for clause in _CLAUSE.split(task.question) if given in numbers(clause)]
    if not given or len(clauses) != 1 or _NAMES.search(clauses[0]) or _goes_on(task.question, clauses[0]):
        return ""
    return f"Ce nombre, la question le donne déjà{NBSP}: «{NBSP}{clauses[0]}{NBSP}»."


def _goes_on(question: str, clause: str) -> bool:
    """Whether a part of a question is the beginning of a list of figures, which are names."""
    return question.partition(clause)[2].lstrip(", ")[:1].isdigit()


def _otherwise(task: Task) -> Iterator[tuple[Task, str]]:
    """The exercise with one of the facts that it draws overlooked, and how that is said."""
    for one in task.exercise.vary:
        piece, _, field = (one.path or "").removeprefix("piece.").partition(".")
        if one.path and field == "at" and piece in task.position.by_id:
            yield from _elsewhere(task, one, piece)
        elif isinstance(value := _now(task, one), list | tuple):
            other = _with(task, one, [])
            if other and (clause := _clause(task, other)):
                yield other, f"Vous avez peut-être laissé de côté «{NBSP}{clause}{NBSP}»."
        elif exact(value):
            other = _with(task, one, type(value)(0))
            if other and _LOSS.search(clause := _clause(task, other)):
                yield other, f"Vous avez peut-être laissé de côté «{NBSP}{clause}{NBSP}»."


def _elsewhere(task: Task, one: Variation, piece: str) -> Iterator[tuple[Task, str]]:
    """A piece, of which the question says no place, where it might have been drawn."""
    here = task.position.hex_of(piece)
    if not here or here in places(task.question):
        return
    name = after("the", game(task.game_id).phrases.term(task.position.names.get(piece, piece)))
    for place in dict.fromkeys(one.values()):
        if place and place != here and (other := _with(task, one, place)):
            yield other, f"Regardez de nouveau où se trouve {name}{NBSP}: en {here}."


def _now(task: Task, one: Variation) -> Any:
    """What an exercise has drawn."""
    try:
        return task.position.read(one.path) if one.path else task.arguments.get(one.argument or "")
    except TutorError:
        return None


def _with(task: Task, one: Variation, value: Any) -> Task | None:
    """The exercise with another draw; None where it is not possible."""
    try:
        if one.path:
            return task.on(task.position.change({one.path: value}))
        return replace(task, arguments={**task.arguments, str(one.argument): value})
    except (TutorError, ValueError):
        return None


def _clause(task: Task, other: Task) -> str:
    """The one part of a question that another has otherwise; "" where none or several are."""
    try:
        mine, its = (_CLAUSE.split(one.question) for one in (task, other))
    except TutorError:
        return ""
    own = [part.strip() for part, same in zip(mine, its, strict=False) if part != same]
    return own[0] if len(own) == 1 and len(mine) == len(its) else ""
