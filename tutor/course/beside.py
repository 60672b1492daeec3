"""What stands beside a number that is asked for: what it is taken from, and what is no step to it.

>>> from tutor.course.exercises import Task
>>> from tutor.course.lessons import exercises
>>> marge = Task.of("tcs", exercises("tcs")["tcs-02-marge"]).variant(1)  # by how much a hex rises above the line
>>> at_hand = Evidence.of(marge)
>>> [step.code for step in verdict(at_hand)], [step.code for step in sources(at_hand)]
(['los.blocked'], ['elevation.between', 'los.line_there'])
>>> same(at_hand)
[]
>>> [step.code for step in addends(at_hand, ())], list(picked(at_hand))
([], [])
>>> cited_below(at_hand), [is_far_hex(at_hand, step) for step in at_hand.headline]  # no wrong choice has a cause
([], [False])
>>> list(thrown(at_hand)), list(settled(at_hand)), list(fate(at_hand))  # no dice are thrown
([], [], [])
>>> [is_allowing(at_hand, step) for step in at_hand.headline]
[False]
>>> [is_throw_judged(at_hand, step) for step in at_hand.headline]
[False]
>>> conditions(at_hand), lacking(at_hand), lines(at_hand, at_hand.headline[0])  # nothing is only allowed, nor lacks
([], [], [])
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from tutor.core.trace import Step
from tutor.course.bearing import is_far, is_of_others
from tutor.course.evidence import MOST, Evidence, among, stem_of
from tutor.course.matching import exact, values_within


def verdict(at_hand: Evidence) -> Sequence[Step]:
    """The conclusion that only says yes or no, where a number is to be typed."""
    last = [step for step in at_hand.result.trace.children[-1:] if isinstance(step.value, bool)]
    number = len(at_hand.choices) == 1 and at_hand.numbers
    return [step for step in last if number and not any(exact(one.value) for one in step.operands.values())]


def sources(at_hand: Evidence) -> Sequence[Step]:
    """What was worked out of the places asked about as a part of the headline was, and of which another part takes the
    number, where one is to be typed that the headline does not give itself; and that other part.
    """
    parts = [step for mark in at_hand.headline for step in mark.walk()]
    if len(at_hand.choices) != 1 or not at_hand.numbers or any(exact(one.value) in at_hand.numbers for one in parts):
        return ()
    taken = {exact(one.value) for step in parts for one in step.operands.values()} - {None}
    codes = {step.code for step in parts}
    led = [step for step in at_hand.led if step.code in codes and not among(step, parts) and step.kind == "compute"]
    there = [step for step in led if at_hand.asked_about & {one.ref for one in step.where}]
    there = [step for step in there if exact(step.value) in taken]
    given = {exact(step.value) for step in there}
    takers = [step for step in parts if given & {exact(one.value) for one in step.operands.values()}]
    return [*there, *(step for step in takers if among(step, at_hand.led))]


def cited_below(at_hand: Evidence) -> Sequence[Step]:
    """What the headline is made of by another rule than its own, which the cause of a wrong choice cites."""
    rules = at_hand.cited - {mark.rule for mark in at_hand.headline}
    made = [step for mark in at_hand.headline for step in list(mark.walk())[1:] if step.rule in rules]
    return [step for step in made if step.kind == "compute" and among(step, at_hand.facts)]


def is_far_hex(at_hand: Evidence, step: Step) -> bool:
    """Whether a step is about a hex that neither the headline, nor the question, nor a choice speaks of."""
    return [place.kind for place in step.where] == ["hex"] and is_far(at_hand, step)


def same(at_hand: Evidence) -> Sequence[Step]:
    """The dice that give the number asked for, or the last step that works it out, before the one that says it: of its
    rule, else of a part of that, else what these dice read in a table.
    """
    rules, said = tuple(str(step.rule) for step in at_hand.headline), [*at_hand.headline, *at_hand.asides]
    worked = [step for step in at_hand.led if exact(step.value) in at_hand.numbers and not among(step, said)]
    worked = [step for step in worked if not at_hand.of_another_place(step)]
    dice = [step for step in worked if step.kind == "dice"]
    own = [step for step in worked if step.kind == "compute" and str(step.rule).startswith(rules)]
    pairs = list(pairwise(at_hand.result.trace.walk()))
    read = [row for thrown, row in pairs if (thrown.kind, row.kind) == ("dice", "table") and among(row, worked)]
    return dice or ([step for step in own if step.rule in rules] or own or read)[-1:]


def addends(at_hand: Evidence, near: Sequence[Step]) -> Sequence[Step]:
    """The addends of the number asked for, or by which something is allowed, of one kind, of which one is among the
    nearest: all of them, with what multiplies one, or none.

    Args:
        near: the steps that are shown already as the nearest.
    """
    for mark in at_hand.headline if at_hand.adds_up or at_hand.is_permission else ():
        above = next((one for one in at_hand.result.trace.walk() if among(mark, one.children)), mark)
        parts = mark.children or above.children
        for step in near if at_hand.is_permission or exact(mark.value) in at_hand.asked else ():
            alike = [one for one in parts if one.code == step.code and (at_hand.is_permission or not one.children)]
            times = [one for one in parts if one.code.endswith(".factor") and one.kind == "table"]
            total = _multiplied(parts, alike, times)
            fits = total == exact(mark.value)
            if 1 < len(alike) <= MOST >= len(mark.children) and (fits or (mark.children and not at_hand.is_permission)):
                return [one for one in parts if among(one, [*alike, *(times if fits else ())]) and exact(one.value)]
    return ()


def _multiplied(parts: Sequence[Step], addends: Sequence[Step], times: Sequence[Step]) -> Fraction:
    """What addends come to, each multiplied by the factor that follows it."""
    total = last = Fraction(0)
    for step in parts:
        if among(step, addends):
            last = exact(step.value) or Fraction(0)
            total += last
        elif among(step, times):
            total += last * ((exact(step.value) or 1) - 1)
    return total


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


def is_allowing(at_hand: Evidence, step: Step) -> bool:
    """Whether a step says that something holds, without which nothing would be computed: that gives no number."""
    other = at_hand.others.get(step.rule or "")
    refused = other is not None and other.outcome != "computed"
    return bool(at_hand.asked) and step.value is True and refused


def is_throw_judged(at_hand: Evidence, step: Step) -> bool:
    """Whether a step throws the very dice of which the headline says what they do."""
    judged = [one.value for mark in at_hand.headline for one in mark.operands.values() if isinstance(one.value, list)]
    return step.kind == "dice" and any(one.value in judged for one in step.operands.values())


def thrown(at_hand: Evidence) -> Sequence[Step]:
    """The dice that were thrown on the way, where dice give the number asked for: those that change nothing too. And
    those, two at least, that give what the headline compares.
    """
    thrown = [step for step in at_hand.led if step.kind == "dice" and not among(step, at_hand.asides)]
    thrown = [step for step in thrown if not is_of_others(at_hand, step)]
    if any(exact(step.value) in at_hand.numbers for step in thrown):
        return thrown
    compared = {exact(operand.value) for mark in at_hand.headline for operand in mark.operands.values()}
    both = [step for step in thrown if exact(step.value) in compared and not at_hand.numbers]
    return both if len(both) > 1 else []


def settled(at_hand: Evidence) -> Sequence[Step]:
    """The dice that settle whether something is so, where no number is asked for: beside the step that answers."""
    asked = values_within(at_hand.right.when) if at_hand.right else ()
    if at_hand.numbers or not any(isinstance(one, bool) for one in asked):
        return []
    return [step for step in at_hand.result.trace.children if step.kind == "dice" and among(step, at_hand.led)]


def fate(at_hand: Evidence) -> Sequence[Step]:
    """The dice by which became of its pieces what a headline says that sums up: the last thrown for them alone."""
    whole = at_hand.result.trace.children
    sums_up = not any(among(one, whole) and stem_of(one) != stem_of(whole[-1]) for one in at_hand.headline)
    silent = sums_up and at_hand.answered and not at_hand.numbers and not at_hand.is_permission
    thrown = [step for step in at_hand.led if step.kind == "dice" and at_hand.pieces(step)]
    return [step for step in thrown if silent and at_hand.pieces(step) <= at_hand.answered][-1:]


def conditions(at_hand: Evidence) -> Sequence[Step]:
    """The conditions of what is allowed that hold, of what is asked about: those by whose rule another choice says that
    it is refused; where each of several is asked about, what was worked out of more than one, and their lines.
    """
    if not at_hand.is_permission:
        return []
    rules = {rule for choice in at_hand.choices for rule in choice.when.get("refusals", ())}
    holding = [step for step in at_hand.facts if step.value is True and not among(step, at_hand.headline)]
    if len(at_hand.choices) == 1:
        kept = [step for step in holding if lines(at_hand, step) or (step.children and len(at_hand.pieces(step)) > 1)]
    else:
        kept = [step for step in holding if step.rule in rules]
    own = [step for step in kept if not at_hand.pieces(step) or at_hand.pieces(step) & at_hand.declared]
    return [said for step in own for said in lines(at_hand, step) or [step]]


def lines(at_hand: Evidence, end: Step) -> Sequence[Step]:
    """The groups that say each of its own place what ends each of them, in the same words; none where it ends one."""
    groups = [one for one in at_hand.sayable if one.children and one.children[-1].code == end.code]
    groups = [one for one in groups if at_hand.sentence(one.children[-1]) == at_hand.sentence(end)]
    alike = len({stem_of(one) for one in groups}) == 1 < len({at_hand.sentence(one) for one in groups}) <= MOST
    return groups if alike else []


def lacking(at_hand: Evidence) -> Sequence[Step]:
    """That a number is lacking, which the booklet does not print, and what was worked out of a total until then."""
    *_, group, lacks = (None, None, *at_hand.result.trace.children)
    if at_hand.result.outcome != "unknown" or group is None or lacks is None:
        return []
    worked = [step for step in group.walk() if among(step, at_hand.facts) and exact(step.value) != 0]
    said = among(lacks, at_hand.headline) or all(exact(step.value) is None for step in worked)
    return worked if said else [lacks, *worked]
