"""The headline of an answer: one sentence that says what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.phrases import NBSP, listing
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.answers import shown
from tutor.course.decisive import otherwise, said_again
from tutor.course.exercises import Task, fitting
from tutor.course.figures import Wanted, head, in_order, numbers, places, says
from tutor.course.matching import deciding, exact, pick, view
from tutor.course.models import Choice

#: Kinds of answers that no step of a trace says whole.
_TOGETHER = ("hexes", "order")


def asked_for(choices: Sequence[Choice], right: str) -> Wanted:
    """The numbers and places that a question asks for: those of the right choice, where another choice has others;
    what follows « : » explains, and does not count.
    """
    others = [head(choice.label) for choice in choices if choice.label != right]
    wanted: set[Fraction | str] = set()
    for read in (numbers, places):
        mine = read(head(right))
        if mine and any(read(other) and read(other) != mine for other in others):
            wanted |= mine
    return frozenset(wanted)


def answering(
    result: Result[Any], position: Position, because: str | None = None, choices: Sequence[Choice] = ()
) -> Sequence[Step]:
    """The steps that answer what was asked, found in the trace: every reason of a refusal; else one step, that says the
    number or the place asked for, or where none is, the one that the content names, else one that other answers do not
    have.

    Args:
        result: of the question.
        position: where it was asked.
        because: rule id or code of the step, where the content names it.
        choices: what might be answered, of a prediction.
    """
    steps = deciding(result, because)
    right = fitting(choices, view(result)) if choices else None
    if result.refusals or right is None:
        return steps
    wanted = asked_for(choices, right)
    walked = [step for step in list(result.trace.walk())[1:] if step.kind != "input"]
    if wanted:
        if say(steps, position, wanted):
            return steps
        saying = [step for step in walked if say([step], position, wanted)]
        alike = [step for step in saying if exact(step.value) in wanted]
        return (alike or saying)[-1:] or _together(walked, position, wanted) or steps
    if because and any(because in (step.rule, step.code) for step in steps):
        return steps
    said = _said_by(steps, position)
    shared = _said_otherwise(result, position, choices, because)
    if said not in shared:
        return steps
    own = [step for step in walked if (sentence := _said_by([step], position)) and sentence not in shared]
    return own[-1:] or steps


def _together(walked: Sequence[Step], position: Position, wanted: Wanted) -> Sequence[Step]:
    """The last steps that say all that is wanted between them, in reading order; none where some of it is unsaid."""
    chosen: list[Step] = []
    for one in wanted:
        saying = [step for step in walked if say([step], position, frozenset({one}))]
        if not saying:
            return ()
        chosen += saying[-1:]
    return [step for step in walked if any(step is one for one in chosen)]


def _said_otherwise(
    result: Result[Any], position: Position, choices: Sequence[Choice], because: str | None
) -> set[str]:
    """What is said where a rule left out gives another answer."""
    sentences: set[str] = set()
    for other in turning(result, position, choices).values():
        sentences |= {_said_by([step], position) for step in list(other.trace.walk())[1:]}
        sentences.add(_said_by(deciding(other, because), position))
    return sentences


def say(steps: Sequence[Step], position: Position, wanted: Wanted) -> bool:
    """Whether steps say all numbers and places that are wanted; a loss without its sign where one comes to as much.

    Args:
        steps: of a trace; position: where it was asked; wanted: numbers and places.
    """
    return says(_said_by(steps, position), wanted, losses(steps))


def losses(steps: Sequence[Step]) -> frozenset[Fraction]:
    """What may be said of steps without its sign: as much as one comes to, or takes off.

    >>> from tutor.core.trace import Operand
    >>> sorted(map(str, losses([Step("8.3b", "los.over", value=65, operands={"margin": Operand(-2.5)})])))
    ['5/2', '65']
    """
    values = [value for step in steps if (value := exact(step.value)) is not None]
    terms = [value for step in steps for one in step.operands.values() if (value := exact(one.value)) is not None]
    return frozenset(map(abs, [*values, *(one for one in terms if one < 0)]))


def _said_by(steps: Sequence[Step], position: Position) -> str:
    """The sentences of steps; of those that have none, nothing."""
    rulebook = game(position.game)
    return " ".join(rulebook.sentence(step, position) for step in steps if step.code in rulebook.phrases.templates)


def answering_exercise(task: Task, result: Result[Any]) -> str | None:
    """Code, or rule, of the step that answers an exercise, perhaps with its place (``los.on@02.09``): the one it names,
    else the one that says the number or the place it asks for, there where it asks for it, or that decides between yes
    and no; None: the last step does, or no step alone says it.

    Args:
        task: the exercise on screen; result: of its question.
    """
    exercise, choices, solution = task.exercise, task.exercise.answer.choices, task.solution()
    walked = [step for step in list(result.trace.walk())[1:] if step.kind != "input"]
    because = exercise.because if any(exercise.because in (one.rule, one.code) for one in walked) else None
    if because is None and isinstance(solution, Fraction):
        wanted: Wanted = frozenset({solution})
    else:
        right = fitting(choices, view(result)) if because is None else None
        wanted = asked_for(choices, right) if right else frozenset()
    if only_allowed(task) and not result.refusals and because is None:
        own = (
            (step, name) for step in reversed(walked) if step.rule in exercise.rules for name in (step.code, step.rule)
        )
        return next((name for step, name in own if deciding(result, name) == [step]), None)
    last = deciding(result)
    said = bool(wanted) and say(last, task.position, wanted)
    figures = numbers(_said_by(last, task.position))
    if said and isinstance(solution, Fraction) and abs(solution) not in map(abs, figures):  # « un » counts nothing
        said = not any(exact(step.value) in wanted and _answers(step, task.position, wanted) for step in walked)
    if result.refusals or said:
        return exercise.because
    if wanted:
        saying: Sequence[Step] = [step for step in walked if _answers(step, task.position, wanted)]
        saying = [step for step in saying if exact(step.value) in wanted] or saying
    else:
        saying = _between_yes_and_no(task, result, walked)
    asked = places(re.split(r"[.?]\s", task.question.strip())[-1])  # the place whose number is asked for
    saying = [step for step in saying if asked & places(_said_by([step], task.position))] or saying
    shown = [step for step in saying if step.rule in exercise.rules] or saying
    field = (exercise.answer.from_ or "").rpartition(".")[2]  # what the number is called in the answer
    shown = [step for step in shown if field in step.operands] or shown
    there = [f"@{cell}" for cell in sorted(asked)]
    named = ((step, (step.code, step.rule, *(step.code + at for at in there))) for step in reversed(shown))
    names = ((name, step) for step, called in named for name in called)
    return next((name for name, step in names if deciding(result, name) == [step]), exercise.because)


def only_allowed(task: Task) -> bool:
    """Whether an exercise asks only where something is allowed: what it comes to there is not asked."""
    each = task.exercise.answer.each
    return each is not None and each.when == {"outcome": "computed"}


def together(task: Task) -> str:
    """The sentence that answers an exercise of which no single step can: every hex that is asked for, with those that
    are not, or the whole order; "" of other exercises.

    Args:
        task: the exercise on screen.

    >>> from tutor.course.lessons import exercises
    >>> seen = Task.of("combat_commander", exercises("combat_commander")["cc-04-visibles"])
    >>> together(seen).replace(NBSP, " ")
    'C4 et E2 : oui. D2, E1, F1 et F2 : non.'
    """
    kind, solution = task.exercise.answer.kind, task.solution() if task.exercise.answer.kind in _TOGETHER else None
    if not solution:
        return ""
    if kind == "order":
        return f"{shown(solution)}."
    if not task.spots:
        return f"{shown(solution)}, et c’est tout."
    named = {cell: _name_of(task, cell) for cell in in_order(task.spots)}
    parted = (("oui", [one for cell, one in named.items() if cell in solution]),
              ("non", [one for cell, one in named.items() if cell not in solution]))  # fmt: skip
    return " ".join(f"{listing(there)}{NBSP}: {word}." for word, there in parted if there)


def _name_of(task: Task, cell: str) -> str:
    """What an exercise calls one of its spots: the piece that stands there, with its hex, or the hex."""
    name = task.position.names.get(task.spots[cell])
    return f"{name} ({cell})" if name else cell


def asked_of(task: Task) -> Sequence[Choice]:
    """What an exercise asks for, as choices: those that it offers; of a number, the right one, where it stands in the
    answer; of hexes asked about one by one, what is so of those to choose; none of other kinds.

    Args:
        task: the exercise on screen.

    >>> from tutor.course.lessons import exercises
    >>> asked_of(Task.of("tcs", exercises("tcs")["tcs-05-somme"]))[0].when
    {'value': {'strength': 8}}
    """
    answer, result = task.exercise.answer, task.result(trace=False)
    if answer.each:
        return [Choice(label=task.exercise.title, when=answer.each.when)]
    if answer.kind != "number" or not answer.from_ or not result.computed:
        return answer.choices
    number = when = pick(view(result), answer.from_)
    for key in reversed(answer.from_.split(".")):
        when = {key: when}
    return [Choice(label=str(number), when=when)]


def says_yes(label: str) -> bool | None:
    """Whether a choice says yes, whatever follows; None: neither yes nor no.

    >>> says_yes("Oui, mais gênée"), says_yes("Non : D3 la bloque"), says_yes("La moitié")
    (True, False, None)
    """
    return {"oui": True, "non": False}.get(label[:3].lower())


def yes_or_no(choices: Sequence[Choice]) -> bool:
    """Whether a question is answered by yes or by no, whatever follows."""
    return any(says_yes(choice.label) is not None for choice in choices)


def turning(result: Result[Any], position: Position, choices: Sequence[Choice]) -> dict[str, Result[Any]]:
    """The rules without which another choice is right, with the answer that they then give.

    Args:
        result: of the question, with its trace; position: where it was asked.
        choices: what might be answered.
    """
    right = fitting(choices, view(result))
    others = otherwise(result, position).items()
    return {rule: one for rule, one in others if one and fitting(choices, view(one)) not in (None, right)}


def _between_yes_and_no(task: Task, result: Result[Any], walked: Sequence[Step]) -> Sequence[Step]:
    """The steps that decide between yes and no, of rules without which it would be the other, last those that speak of
    where the other answer turns; none where the step that answers is one, or is named and of a rule that the exercise is
    about, or where finding them would take too long.
    """
    choices, because = task.exercise.answer.choices, task.exercise.because
    named = [step for step in walked if because in (step.rule, step.code)]
    allowed = any(choice.when == {"outcome": "computed"} for choice in choices)  # by what the content names
    by_rule = any(step.rule in task.exercise.rules for step in named)
    if by_rule or (allowed and named) or not yes_or_no(choices):
        return ()
    try:
        with bounded():
            others = turning(result, task.position, choices)
    except TooLarge:
        return ()
    if any(step.rule in others for step in deciding(result, because)):
        return ()
    elsewhere = {_said_by([step], task.position) for one in others.values() for step in one.trace.walk()} | {""}
    again = list(said_again(result.trace))
    rules = {*others} & {*task.exercise.rules, *(task.exercise.omit or others)}
    own = [step for step in walked if step.rule in rules and not any(step is one for one in again)]
    own = [step for step in own if _said_by([step], task.position) not in elsewhere] or own
    turn = {place for one in others.values() for step in deciding(one) for place in step.where}
    return sorted(own, key=lambda step: bool(turn.intersection(step.where)))


def _answers(step: Step, position: Position, wanted: Wanted) -> bool:
    """Whether a step says all that is wanted; « aucun » says 0 of a number that is 0, not of what another step found."""
    none = wanted == {Fraction(0)} and "0" not in _said_by([step], position)
    return say([step], position, wanted) and not (none and exact(step.value))


def headline(
    result: Result[Any], position: Position, because: str | None = None, choices: Sequence[Choice] = ()
) -> str:
    """The sentence that answers; of a refusal, every reason.

    Args:
        result, position, because, choices: as ``answering`` takes them.
    """
    return headline_of(answering(result, position, because, choices), position)


def headline_of(steps: Sequence[Step], position: Position) -> str:
    """What steps say as a headline: odds in per cent.

    Args:
        steps: those that answer.
        position: where it was asked.
    """
    rulebook = game(position.game)
    return " ".join(
        rulebook.sentence(step, position, brief=True) for step in steps if step.code in rulebook.phrases.templates
    )
