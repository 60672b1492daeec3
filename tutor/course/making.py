"""What the number of an answer is made of: the terms that it is worked out from, and the steps that bring them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, product
from operator import mul

from tutor.core.trace import Step
from tutor.course.matching import exact

#: Most terms that are tried with each sign.
_MOST_TERMS = 6
_FIELD = re.compile(r"\{(\w+)[^{}]*\}")
_SIGNED = re.compile(r"\{(\w+):\+\}")
_PLUS = re.compile(r"\} \+ \{")
_COUNTED = re.compile(r"\{(\w+):pl,")


@dataclass(frozen=True, slots=True)
class Making:
    """What a number is made of.

    Args:
        steps: those that bring its terms, and what these are made of; None where that is not known.
        terms: what is added up for it, each with its sign; none where it is not said to be a sum.
        parted: the two numbers of which it is the difference, where it is.
        signed: it is said with a sign, as what is added to it is.
        listed: a step lists its terms.
    """

    steps: Sequence[Step] | None
    terms: Sequence[Fraction]
    parted: Sequence[Fraction]
    signed: bool
    listed: bool = False

    def leads(self, step: Step, number: Fraction, signed: bool) -> bool:
        """Whether a number that a step brings is on the way to the one asked for, as far as is known.

        Args:
            step: of the trace; number: its value, or that of an operand.
            signed: the step says its value with a sign.
        """
        if self.steps is not None:
            if number in accumulate(self.terms) and exact(step.value) == number:  # so far, of a sum that goes on
                return True
            return any(one is step for one in self.steps) and (exact(step.value) == number or number in _parts(step))
        return not self.signed or (signed and exact(step.value) == number)


def making(marks: Sequence[Step], before: Sequence[Step], number: Fraction, templates: Mapping[str, str]) -> Making:
    """What a number is made of.

    Args:
        marks: the steps that answer; before: those up to them, in reading order.
        number: the one asked for; templates: sentences of the game, by code.

    >>> roll, fire = Step("1.9", "attack.roll", value=5), Step("20.3", "fire.final", value=3)
    >>> from tutor.core.trace import Operand
    >>> total = Step("20.3.3", "attack.total", value=8, operands={"fp": Operand(3), "roll": Operand(5)})
    >>> said = {"attack.total": "{fp} + {roll} = {value}."}
    >>> made = making([total], [roll, fire, Step("3.1.4", "morale", value=7), total], Fraction(8), said)
    >>> [step.code for step in made.steps], sorted(map(int, made.terms))
    (['attack.roll', 'fire.final', 'attack.total'], [3, 5])
    """
    signed = any(_is_signed(mark, number, templates) for mark in marks)
    groups = {mark.code.partition(".")[0] for mark in marks}
    alike = (step for step in reversed(before) if step.code.partition(".")[0] in groups)
    listing = [mark for mark in marks if _listed(mark, number)]
    added = (step for step in reversed(before) if _PLUS.search(templates.get(step.code, "")))
    for step in (*listing, *(step for step in (*marks, *alike, *added) if exact(step.value) == number)):
        if _worked(step, number, templates):
            steps = _brought(step, before, templates)
            parted = _beside(step, templates) if _is_difference(step, number, templates) else ()
            return Making(steps, _said_to_add(step, number, templates), parted, signed, bool(_listed(step, number)))
    return Making(None, (), (), signed)


def _is_signed(mark: Step, number: Fraction, templates: Mapping[str, str]) -> bool:
    """Whether a sentence says a number with its sign."""
    names = _SIGNED.findall(templates.get(mark.code, ""))
    values = {name: one.value for name, one in mark.operands.items()} | {"value": mark.value}
    return any(exact(values.get(name)) == number for name in names)


def _worked(step: Step, number: Fraction, templates: Mapping[str, str]) -> bool:
    """Whether what a number is worked out from is known: it is a sum, or a product of what stands below it."""
    below = [one for one in map(exact, (child.value for child in step.children)) if one]
    multiplied = len(below) > 1 and _multiplied(below) == number
    return multiplied or bool(_summed(step, number, templates))


def _multiplied(factors: Sequence[Fraction]) -> Fraction:
    whole = Fraction(1)
    for one in factors:
        whole *= one
    return whole


def _summed(step: Step, number: Fraction, templates: Mapping[str, str]) -> Sequence[Fraction]:
    """The terms of a sum, each with its sign: those that a list gives, what stands below, or all that is said beside it
    but for what is only counted.
    """
    return _listed(step, number) or _below(step, number) or _signs(_beside(step, templates), number)


def _below(step: Step, number: Fraction) -> Sequence[Fraction]:
    """The most numbers that stand below a step, of which it is the sum."""
    below = [one for one in (exact(child.value) for child in step.children) if one]
    sums = (some for size in range(len(below), 1, -1) for some in combinations(below, size) if sum(some) == number)
    return next(sums, ())


def _signs(values: Sequence[Fraction], number: Fraction) -> Sequence[Fraction]:
    """Numbers with the signs with which they make another; none where they do not."""
    if not 1 < len(values) <= _MOST_TERMS:
        return ()
    signed = (list(map(mul, signs, values)) for signs in product((1, -1), repeat=len(values)))
    return next((terms for terms in signed if sum(terms) == number), ())


def _said_to_add(step: Step, number: Fraction, templates: Mapping[str, str]) -> Sequence[Fraction]:
    """The terms of a sum that a step lists, that stand below it, or that its sentence joins with « + » or with signs."""
    template = templates.get(step.code, "")
    joined = bool(_PLUS.search(template)) or len(set(_SIGNED.findall(template)) - {"value"}) > 1
    numbers = [exact(child.value) for child in step.children if exact(child.value)]
    signed = [exact(child.value) for child in step.children if _adds(child, templates)]
    sums = ([one for one in terms if one] for terms in (numbers, signed) if len(terms) > 1)
    whole = next((terms for terms in sums if sum(terms) == number), ())
    return _listed(step, number) or whole or (_summed(step, number, templates) if joined else ())


def _is_difference(step: Step, number: Fraction, templates: Mapping[str, str]) -> bool:
    """Whether a number is what is left of one of two numbers when the other is taken off, the only ones of a step."""
    values = _beside(step, templates)
    alone = len(values) == 2 and len([one for one in step.operands.values() if exact(one.value)]) == 2
    return alone and min(values) > 0 and abs(values[0] - values[1]) == abs(number)


def _listed(step: Step, number: Fraction) -> Sequence[Fraction]:
    """The terms of a sum that a step lists."""
    for listed in (one.value for one in step.operands.values() if isinstance(one.value, list | tuple)):
        terms = [one for one in map(exact, listed) if one]
        if len(terms) > 1 and len(terms) == len([one for one in listed if one]) and sum(terms) == number:
            return terms
    return ()


def _beside(step: Step, templates: Mapping[str, str]) -> list[Fraction]:
    """The numbers that a step says beside its value; of one of which the parts follow, not these too."""
    template = templates.get(step.code, "")
    said, counted = _FIELD.findall(template), set(_COUNTED.findall(template))
    whole = dict(zip(said[1:], said, strict=False))
    values: list[Fraction] = []
    for name, one in step.operands.items():
        if (said and name not in said) or name in counted or isinstance(one.value, bool):
            continue
        several = one.value if isinstance(one.value, list | tuple) else [one.value]
        numbers = [value for value in map(exact, several) if value]
        above = step.operands.get(whole.get(name, ""))
        if several is one.value and above and exact(above.value) == sum(numbers):
            continue
        values += numbers
    return values


def _parts(step: Step) -> Collection[Fraction]:
    """All numbers of a step's operands, and of those below it."""
    several = [one.value if isinstance(one.value, list | tuple) else [one.value] for one in step.operands.values()]
    below = [child.value for child in step.children]
    return {value for value in map(exact, (*(one for some in several for one in some), *below)) if value}


def _brought(step: Step, before: Sequence[Step], templates: Mapping[str, str]) -> Sequence[Step]:
    """The steps that a step is worked out from, and what these are, in reading order."""
    chosen, todo = [step], [step]
    while todo:
        for one in _sources(todo.pop(), before, templates):
            if not any(one is other for other in chosen):
                chosen.append(one)
                todo.append(one)
    return [one for one in before if any(one is other for other in chosen)]


def _sources(step: Step, before: Sequence[Step], templates: Mapping[str, str]) -> Iterator[Step]:
    """What stands below a step, and what was worked out before it, of the numbers it says; of one that no step brings,
    and of a table of its rule, what is added up.
    """
    yield from (child for child in step.children if exact(child.value) is not None)
    beside = {abs(value) for value in _beside(step, templates)}
    at = next((at for at, one in enumerate(before) if one is step), len(before))
    valued = [(one, abs(exact(one.value) or 0)) for one in before[:at] if one.kind != "input"]
    yield from (one for one, value in valued if value and value in beside | {abs(exact(step.value) or 0)})
    if step.children or not beside - {value for _, value in valued}:
        yield from (one for one, _ in valued if one.kind == "table" and one.rule == step.rule and _adds(one, templates))
    else:
        yield from (one for one, _ in valued if _adds(one, templates))


def _adds(step: Step, templates: Mapping[str, str]) -> bool:
    """Whether the sentence of a step gives its number with a sign."""
    return bool(exact(step.value)) and "{value:+}" in templates.get(step.code, "")
