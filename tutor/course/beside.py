"""What stands beside a number that is asked for: what it is taken from, and what is no step to it.

>>> from tutor.course.exercises import Task
>>> from tutor.course.headlines import answering_exercise, asked_of
>>> from tutor.course.lessons import exercises
>>> from tutor.course.matching import deciding
>>> task = Task.of("tcs", exercises("tcs")["tcs-02-marge"]).variant(1)  # by how much a hex rises above the line
>>> result = task.result()
>>> answer = deciding(result, answering_exercise(task, result))
>>> at_hand = Evidence(result, task.position, answer, asked_of(task))
>>> [step.code for step in verdict(at_hand)], [step.code for step in sources(at_hand)]
(['los.blocked'], ['elevation.between'])
>>> [step.code for step in addends(at_hand, ())], list(picked(at_hand)), [is_idle(at_hand, step) for step in answer]
([], [], [False])
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tutor.core.trace import Step
from tutor.course.evidence import MOST, Evidence, among
from tutor.course.figures import numbers
from tutor.course.matching import exact, values_within


def verdict(at_hand: Evidence) -> Sequence[Step]:
    """The conclusion that only says yes or no, where a number is to be typed."""
    last = at_hand.result.trace.children[-1:]
    asked = list(values_within(at_hand.right.when)) if at_hand.right else []
    number = (
        len(at_hand.choices) == 1
        and at_hand.numbers
        and not at_hand.result.refusals
        and not any(isinstance(one, bool) for one in asked)
    )
    last = [step for step in last if isinstance(step.value, bool) and not among(step, at_hand.headline)]
    return [step for step in last if number and not any(exact(one.value) for one in step.operands.values())]


def sources(at_hand: Evidence) -> Sequence[Step]:
    """What was worked out of the places asked about as a part of the headline was, and of which another part takes the
    number, where one is to be typed that the headline does not give itself.
    """
    parts = [step for mark in at_hand.headline for step in mark.walk()]
    if len(at_hand.choices) != 1 or not at_hand.numbers or any(exact(one.value) in at_hand.numbers for one in parts):
        return ()
    taken = {exact(one.value) for step in parts for one in step.operands.values()} - {None}
    codes = {step.code for step in parts if step.rule in at_hand.others}
    led = [step for step in at_hand.led if step.code in codes and not among(step, parts) and step.kind == "compute"]
    return [
        step for step in led if exact(step.value) in taken and at_hand.asked_about & {one.ref for one in step.where}
    ]


def is_idle(at_hand: Evidence, step: Step) -> bool:
    """Whether a step allows something, where a word is to be chosen; comes after the number to be chosen; or measures a
    place for another question, where no number is to be chosen nor given of it by the headline.
    """
    rules = [*at_hand.rules, *(mark.rule for mark in at_hand.headline)]
    if at_hand.right is None or len(at_hand.choices) == 1 or at_hand.result.refusals or step.rule in rules:
        return False
    asked, number = list(values_within(at_hand.right.when.get("value", True))), exact(step.value)
    if not any(isinstance(one, bool) for one in asked):
        after = step.value is not None and number not in at_hand.asked and not among(step, at_hand.led)
        given = any(exact(mark.value) in at_hand.asked for mark in at_hand.headline)
        return (given and after) or (step.value is True and any(isinstance(one, str) for one in asked))
    said = {one for mark in at_hand.headline for one in numbers(at_hand.sentence(mark))}
    groups = {mark.code.partition(".")[0] for mark in at_hand.headline}
    measured = step.kind == "compute" and [place.kind for place in step.where] == ["hex"] and number is not None
    return measured and not at_hand.asked and number not in said and step.code.partition(".")[0] not in groups


def addends(at_hand: Evidence, near: Sequence[Step]) -> Sequence[Step]:
    """The addends of the number asked for, of one kind, of which one is among the nearest: all of them, or none.

    Args:
        near: the steps that are shown already as the nearest.
    """
    for mark in at_hand.headline if at_hand.adds_up else ():
        above = next((one for one in at_hand.result.trace.walk() if among(mark, one.children)), mark)
        parts = mark.children or above.children
        for step in near if exact(mark.value) in at_hand.asked else ():
            alike = [one for one in parts if one.code == step.code and not one.children]
            total = sum((exact(one.value) or Fraction(0) for one in alike), Fraction(0))
            if 1 < len(alike) <= MOST >= len(mark.children) and (mark.children or total == exact(mark.value)):
                return [one for one in alike if exact(one.value)]
    return ()


def picked(at_hand: Evidence) -> Sequence[Step]:
    """What the headline picks the highest or the lowest of: a number of each piece, by one kind of step."""
    for mark in at_hand.headline:
        values = [exact(one.value) for one in mark.children]
        known = [value for value in values if value is not None]
        alike = len({one.code for one in mark.children}) == 1 and len(known) == len(values)
        spoken = {at_hand.pieces(one) for one in mark.children}
        if alike and 1 < len(values) == len(spoken) <= MOST and exact(mark.value) in (max(known), min(known)):
            return mark.children
    return ()
