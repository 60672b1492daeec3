"""What decides an answer: the rules without which it would be another, and the few steps that say so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import Game, ask, game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.matching import exact, matches, view

if TYPE_CHECKING:
    from tutor.course.models import Choice

#: Fewest and most steps that are said to decide.
FEWEST, MOST = 2, 5


def without(result: Result[Any], position: Position, rule: str, already: Collection[str] = ()) -> Result[Any] | None:
    """The same question with a rule left out; None where it cannot be asked then.

    Args:
        result: of the question, with its trace.
        position: where it was asked.
        rule: that may be left out.
        already: rules that it left out.

    Raises:
        TooLarge: within a bounded computation, which has cost too much.
    """
    given = {name: operand.value for name, operand in result.trace.operands.items()}
    try:
        return ask(position, result.ask, without=(*already, rule), **given)
    except TooLarge:
        raise
    except TutorError:
        return None


def decisive(result: Result[Any], position: Position, already: Collection[str] = ()) -> tuple[str, ...]:
    """The rules without which the answer differs in outcome, value or refusals; a rule without which nothing can be
    asked is one.

    Args:
        result: of the question, with its trace.
        position: where it was asked.
        already: rules that it left out.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> decisive(ask(place, "los", start="M9", end="N6"), place)
    ('10.1', '10.3')
    """
    return tuple(_otherwise(result, position, already))


def _otherwise(result: Result[Any], position: Position, already: Collection[str] = ()) -> dict[str, Result[Any] | None]:
    """Each decisive rule, in order, with the answer that is given without it."""
    seen = view(result)
    rules = (result.consulted & set(game(position.game).omittable)) - set(already)
    others = {rule: without(result, position, rule, already) for rule in sorted(rules)}
    return {rule: other for rule, other in others.items() if other is None or _differs(seen, view(other))}


def _differs(seen: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether an answer changes; a refusal of which nothing was computed, only by its outcome and its reasons."""
    if seen["outcome"] == "refused" and seen["value"] is None:
        return (other["outcome"], other["refusals"]) != (seen["outcome"], seen["refusals"])
    return other != seen


def deciding_steps(
    result: Result[Any], position: Position, headline: Sequence[Step] = (), choices: Sequence[Choice] = ()
) -> tuple[Step, ...]:
    """The two to five steps that decide, in reading order: those of a decisive rule, then the conclusion that the
    headline leaves unsaid, then the terms of the sum, then those nearest to the answer; none where the whole trace is
    as short. A fact is said once: neither before its conclusion nor by the table it is read from. A line that is free
    is said where it is asked about alone. Where finding those rules would take more than a second, the others alone.

    Args:
        result: of the question, with its trace.
        position: where it was asked.
        headline: steps that are said already.
        choices: what might be answered: a rule then decides that makes another choice right, or none.
    """
    rulebook = game(position.game)
    steps = [step for step in list(result.trace.walk())[1:] if step.code in rulebook.phrases.templates]
    if len(steps) <= MOST:
        return ()
    free, right = _of_open_sights(result.trace), _right(result, choices)
    try:
        with bounded():
            others = _otherwise(result, position)
    except TooLarge:
        others = {}
    granted = {rule for rule, other in others.items() if _granted(result, rule, other, choices, free)}
    rules = [rule for rule, other in others.items() if rule not in granted and _bears(right, other)]
    beside = set(others).difference(rules) if right else granted
    chosen: list[Step] = []

    def take(some: Sequence[Step], most: int) -> None:
        said = {rulebook.sentence(step, position) for step in (*chosen, *headline)}
        for step in some:
            if len(chosen) < most and rulebook.sentence(step, position) not in said:
                said.add(rulebook.sentence(step, position))
                chosen.append(step)

    headings = [step for step in steps if rulebook.sentence(step, position).endswith(":")]  # what is below them decides
    again = [*said_again(result.trace), *_said_later(steps)]
    spare = [step for step in steps if _among(step, again) or "." not in step.code]  # or a title
    steps = [step for step in steps if not _among(step, [*headings, *spare])]
    below = {one.rule: leaf for one in headings for leaf in one.walk() if leaf.kind != "input" and _among(leaf, steps)}
    leaves = [step for step in steps if not step.children]
    ends = [step for step in steps if _among(step, list(_concluded(result.trace)))]
    facts = [step for step in (*steps, *leaves) if step.kind != "input" and not _among(step, [*ends, *headline])]
    asked = frozenset(_numbers(right.when)) if right else frozenset()
    facts.sort(key=lambda step: (_goes(step, others, position), bool(asked) and exact(step.value) is not None))
    last = {step.rule: step for step in ends} | below | {step.rule: step for step in facts}
    unsaid = result.trace.children[-1:] if headline and not result.refusals else []
    end = [step for step in unsaid if _among(step, leaves) and not _among(step, headline)]
    take([last[rule] for rule in rules if rule in last], MOST - len(end))
    take(end, MOST)
    take([step for step in steps if _is_term(step, rulebook) and not _all_of(step, beside)], MOST)
    near = [step for step in _nearest(result, headline) if _among(step, steps)]
    near.sort(key=lambda step: (step.kind == "table" or exact(step.value) == 0) and exact(step.value) not in asked)
    take([step for step in near if not _among(step, free) and not (asked and _all_of(step, beside))], FEWEST)
    take(near, FEWEST)
    take([*steps, *spare], FEWEST)
    return tuple(step for step in result.trace.walk() if _among(step, chosen))


def _among(step: Step, steps: Sequence[Step]) -> bool:
    """Whether it is one of them, and not another that says the same."""
    return any(step is one for one in steps)


def _bears(right: Choice | None, other: Result[Any] | None) -> bool:
    """Whether a rule bears on what was asked: without it, the right choice is right no more."""
    return right is None or other is None or not matches(right.when, view(other))


def _granted(
    result: Result[Any], rule: str, other: Result[Any] | None, choices: Sequence[Choice], sights: Sequence[Step]
) -> bool:
    """Whether a rule is one by which a line is open, on the way of an answer about something else: without it nothing
    is answered, and no choice says so.

    Args:
        result: of the question; rule: decisive; other: what is answered without it.
        choices: what might be answered; sights: steps of lines that are open.
    """
    own = [step for step in result.trace.walk() if step.rule == rule and step.kind != "input"]
    if not own or not all(_among(step, sights) for step in own) or (other and other.outcome != "refused"):
        return False
    right, seen = _right(result, choices), view(other) if other else None
    if right is None or seen is None or any(True for _ in _numbers(right.when)):
        return True
    return not any(matches(choice.when, seen) for choice in choices if choice is not right)


def _right(result: Result[Any], choices: Sequence[Choice]) -> Choice | None:
    """The choice that an answer makes right."""
    return next((choice for choice in choices if matches(choice.when, view(result))), None)


def _numbers(when: Any) -> Iterator[Fraction]:
    """The numbers that a choice stands for."""
    if isinstance(when, Mapping | list):
        for value in when.values() if isinstance(when, Mapping) else when:
            yield from _numbers(value)
    elif (number := exact(when)) is not None:
        yield number


def _goes(step: Step, others: Mapping[str, Result[Any] | None], position: Position) -> bool:
    """Whether a step says what its rule did: it goes, or says something else, where the rule is left out."""
    other, rulebook = others.get(step.rule or ""), game(position.game)
    if other is None:
        return False
    there = [one for one in other.trace.walk() if one.rule == step.rule and one.code == step.code]
    return rulebook.sentence(step, position) not in {rulebook.sentence(one, position) for one in there}


def _all_of(step: Step, rules: Collection[str]) -> bool:
    """Whether a step, or all that its number is made of, is of these rules."""
    return step.rule in rules or (bool(step.children) and all(_all_of(below, rules) for below in step.children))


def _nearest(result: Result[Any], headline: Sequence[Step]) -> list[Step]:
    """The steps nearest to the one that answers: what it is made of, else those of its own rule, what led to it, and
    what follows.

    Args:
        result: of the question; headline: steps that are said already.
    """
    walked = list(result.trace.walk())[1:]
    mark = next(iter([*result.refusals, *headline, *result.trace.children[-1:]]), result.trace)
    at = next((at for at, step in enumerate(walked) if step is mark), len(walked))
    within = list(mark.walk())[1:]
    others = [*reversed(walked[:at]), *walked[at + 1 + len(within) :]]
    above = [step for step in others if _among(mark, list(step.walk()))]  # what says it again in other words
    others = [step for step in others if not _among(step, above)]
    own = [] if result.refusals else [step for step in others if step.rule == mark.rule]
    if len(own) > FEWEST:  # a rule of which everything is says nothing of what is near
        own = []
    nearest = [*within, *own, *(step for step in others if not _among(step, own)), *above]
    return [step for step in nearest if step.kind != "input"]


def _of_open_sights(trace: Step) -> Sequence[Step]:
    """Steps of a line of sight on the way of an answer that nothing stops: it has a hindrance, its conclusion holds."""
    lines = (one for one in trace.walk() if one is not trace and one.children and exact(one.value) is not None)
    return [step for line in lines if line.children[-1].value is True for step in line.walk()]


def _concluded(trace: Step) -> Iterator[Step]:
    """What a question asked on the way concludes, which the steps before it say better: last of its group, yes or no."""
    for above in trace.walk():
        if above is not trace and above.children and isinstance(above.children[-1].value, bool):
            yield above.children[-1]


def _said_later(steps: Sequence[Step]) -> Iterator[Step]:
    """Steps of which a later one of their own rule says the number again, nearer to the answer."""
    for at, step in enumerate(steps):
        if step.unit and exact(step.value):
            own = (step.rule, step.value, step.unit)
            if any(
                (later.rule, later.value, later.unit) == own and later.code != step.code for later in steps[at + 1 :]
            ):
                yield step


def said_again(trace: Step) -> Iterator[Step]:
    """Steps whose fact another says: a group that found nothing in the way, before the conclusion that all is free; a
    table reading, below the step of its rule that it gives its number to.
    """
    for above in trace.walk():
        for at, step in enumerate(above.children):
            free = step.kind == "rule" and exact(step.value) == 0
            free = free and any(after.value is True for after in above.children[at + 1 :])
            read = step.kind == "table" and above is not trace
            if free or (read and step.value is not None and (step.rule, step.value) == (above.rule, above.value)):
                yield step


def _is_term(step: Step, rulebook: Game) -> bool:
    """Whether a step adds to the answer, or takes from it: its sentence gives its number with a sign."""
    return bool(exact(step.value)) and "{value:+}" in rulebook.phrases.templates[step.code]
