"""How a step bears on what is asked: whether it leads to it, or why not.

>>> from tutor.course.exercises import Task
>>> from tutor.course.lessons import exercises
>>> marge = Task.of("tcs", exercises("tcs")["tcs-02-marge"]).variant(1)  # by how much a hex rises above the line
>>> at_hand = Evidence.of(marge)
>>> [bearing(at_hand, step).name for step in at_hand.headline], [is_measured(at_hand, step) for step in at_hand.headline]
(['LEADS'], [False])
>>> [is_far(at_hand, step) or is_spared_there(at_hand, step) for step in at_hand.headline]
[False]
>>> [is_of_others(at_hand, step) or is_nothing_there(at_hand, step) for step in at_hand.headline]
[False]
>>> given(at_hand)  # the headline says two heights, which another is taken from
[]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction

from tutor.core.trace import Step
from tutor.course.evidence import Evidence, among, stem_of
from tutor.course.figures import numbers
from tutor.course.matching import exact, values_within


class Bearing(Enum):
    """What a step is to what is asked; only what leads to it says why."""

    LEADS = "leads to it, as far as is known"
    ALLOWS = "holds, without which nothing would be worked out"
    AGAIN = "says it again"
    AFTER = "comes after it"
    OTHER = "leads to another number, or is no part of this one"
    ELSEWHERE = "is about another place, or about others"


def bearing(at_hand: Evidence, step: Step) -> Bearing:
    """How a step bears on what is asked; a rule that decides bears on it, whatever else its step is."""
    after = not among(step, at_hand.led)
    if given(at_hand) and _says_again(at_hand, step, after):
        return Bearing.AGAIN
    if _allows(at_hand, step):
        return Bearing.ALLOWS
    if after and _is_past(at_hand, step):
        return Bearing.AFTER
    if _is_of_another_number(at_hand, step):
        return Bearing.OTHER
    return Bearing.ELSEWHERE if _is_elsewhere(at_hand, step) else Bearing.LEADS


def given(at_hand: Evidence) -> Sequence[Step]:
    """The steps of the headline that give the number asked for."""
    return [mark for mark in at_hand.headline if exact(mark.value) in at_hand.asked]


def _allows(at_hand: Evidence, step: Step) -> bool:
    """Whether a step only says that something holds, where a number is asked for, or of what is allowed another rule."""
    if at_hand.is_permission:
        holds = step.value is True or step.kind == "table"
        return (holds and not _is_own(at_hand, step)) or (step.value is True and bool(at_hand.numbers))
    return step.value is True and bool(at_hand.numbers)


def _says_again(at_hand: Evidence, step: Step, after: bool) -> bool:
    """Whether a step is a total that gives the same number, a conclusion that only says it, or gives after it all the
    numbers of the headline.
    """
    below, there = list(step.walk())[1:], numbers(at_hand.sentence(step))
    if any(among(mark, below) and exact(mark.value) == exact(step.value) for mark in given(at_hand)):
        return True
    said = frozenset(number for mark in at_hand.headline for number in numbers(at_hand.sentence(mark)))
    all_of_it = after and exact(step.value) is not None and len(said) > 1 and said <= there
    return all_of_it or (isinstance(step.value, bool) and there == at_hand.asked)


def _is_past(at_hand: Evidence, step: Step) -> bool:
    """Whether what follows the step that answers adds nothing: all of it where something is only allowed, a value by no
    rule that decides where the headline gives the number or the choice says none, and what is no part of a number.
    """
    decides = step.rule in at_hand.rules
    if at_hand.is_permission:
        return True
    if given(at_hand):
        silent = step.value is None and not _made(at_hand)
        again = exact(step.value) in at_hand.asked
        odds = 0 < (exact(step.value) or 0) < 1
        return not (silent or again or (decides and not odds and not isinstance(step.value, str)))
    valued = bool(at_hand.numbers) and not at_hand.asked and step.value is not None
    return valued and not decides and not _is_own(at_hand, step)


def _is_of_another_number(at_hand: Evidence, step: Step) -> bool:
    """Whether a step gives what is no part of the number asked for, which the headline gives: any other number where it
    is made of some, or where it is nothing, a 0 read in a table, and a word, no place, where it is to be typed. And
    whether it leads to another number of a headline that says the one asked for on the way.
    """
    number, marks = exact(step.value) is not None, given(at_hand)
    if marks and step.kind == "table" and exact(step.value) == 0:
        return 0 not in at_hand.asked
    if marks and not any(among(step, list(mark.walk())) for mark in at_hand.headline):
        nothing = any(mark.kind == "rule" and not mark.children and mark.value == 0 for mark in marks)
        if number and (nothing or (_made(at_hand) and step.rule not in at_hand.rules)):
            return not (nothing and at_hand.is_signed(step))
        if isinstance(step.value, str) and not number and len(at_hand.choices) == 1:
            return step.value not in at_hand.position.grid
    own = str(step.rule).startswith(tuple(str(mark.rule) for mark in at_hand.headline))
    aside = own and not at_hand.is_signed(step) and _is_sum_on_the_way(at_hand)
    return aside and bool(numbers(at_hand.sentence(step)))


def _is_own(at_hand: Evidence, step: Step) -> bool:
    """Whether a step is of a rule of the headline."""
    return step.rule in {mark.rule for mark in at_hand.headline}


def _made(at_hand: Evidence) -> bool:
    """Whether the trace says of what the number asked for is made."""
    return any(among(one, at_hand.facts) for mark in given(at_hand) for one in list(mark.walk())[1:])


def _is_sum_on_the_way(at_hand: Evidence) -> bool:
    """Whether terms add up to the number asked for, which a headline about another number says on the way."""
    marks = [mark for mark in at_hand.headline if mark.kind == "compute" and exact(mark.value) is not None]
    said = {exact(one.value) for mark in marks for one in mark.operands.values()}
    if len(at_hand.asked) != 1 or not at_hand.asked <= said or any(among(mark, given(at_hand)) for mark in marks):
        return False
    terms = [step for step in at_hand.led if at_hand.is_signed(step) and not among(step, at_hand.asides)]
    return sum((exact(step.value) or Fraction(0) for step in terms), Fraction(0)) in at_hand.asked


def is_measured(at_hand: Evidence, step: Step) -> bool:
    """Whether a step allows something, where a word is to be chosen; or measures a place for another question, where no
    number is to be chosen: it takes the place of none that says why.
    """
    if at_hand.right is None or len(at_hand.choices) == 1 or at_hand.result.refusals or at_hand.asked:
        return False
    if step.rule in at_hand.rules or _is_own(at_hand, step):
        return False
    asked = list(values_within(at_hand.right.when.get("value", True)))
    if not any(isinstance(one, bool) for one in asked):
        return step.value is True and any(isinstance(one, str) for one in asked)
    said = {one for mark in at_hand.headline for one in numbers(at_hand.sentence(mark))} | {None}
    groups = {stem_of(mark).partition(".")[0] for mark in at_hand.headline}
    measured = step.kind == "compute" and [place.kind for place in step.where] == ["hex"]
    return measured and exact(step.value) not in said and step.code.partition(".")[0] not in groups


def _is_elsewhere(at_hand: Evidence, step: Step) -> bool:
    """Whether a step is about others, or another place, than the answer is."""
    if at_hand.of_another(step) or is_of_others(at_hand, step) or _is_of_none_offered(at_hand, step):
        return True
    return is_far(at_hand, step) or is_spared_there(at_hand, step)


def _is_of_none_offered(at_hand: Evidence, step: Step) -> bool:
    """Whether a step speaks of none of the pieces between which a question lets choose; dice may be of any, and so may
    what a rule that decides does to all.
    """
    of_any = step.kind == "dice" or (step.rule in at_hand.rules and not step.where and not at_hand.pieces(step))
    return bool(at_hand.offered) and not of_any and not at_hand.pieces(step) & at_hand.offered


def is_of_others(at_hand: Evidence, step: Step) -> bool:
    """Whether a step that speaks of no piece is a part of what was worked out of others alone than the answer is about."""
    if not at_hand.answered or at_hand.pieces(step) or among(step, at_hand.headline):
        return False
    above = [one for one in at_hand.result.trace.walk() if among(step, one.children)]
    spoken = next((at_hand.pieces(one) for one in above if one is not at_hand.result.trace), frozenset())
    return bool(spoken) and not spoken & at_hand.answered


def is_far(at_hand: Evidence, step: Step) -> bool:
    """Whether a step is about places, none of which the headline, the question or a choice speaks of."""
    there = {ref for place in step.where for ref in re.split("[>/]", place.ref)}  # lines and sides have two ends
    near = {ref for one in at_hand.headline for place in one.where for ref in re.split("[>/]", place.ref)}
    if any(place.kind == "segment" for one in at_hand.headline for place in one.where):  # all on the line is near
        return False
    return bool(there and near) and not there & (near | at_hand.asked_about | at_hand.named)


def is_spared_there(at_hand: Evidence, step: Step) -> bool:
    """Whether a step only says that something changes nothing at a place, of the rule by which the headline speaks of
    another, and that no choice names; or that an end of a line changes nothing, where something else decides.
    """
    if step.value is not None or step.kind != "compute" or not step.where:
        return False
    about = [one for one in at_hand.headline if one.rule == step.rule and one.value is None and one.where]
    about = [one for one in about if one.code != step.code]
    there = {place.ref for place in step.where}
    apart = bool(about) and not any(there & {place.ref for place in one.where} for one in about)
    named = there & at_hand.named
    return (apart and not named) or (_is_idle_end(at_hand, step) and not (named and step.rule in at_hand.cited))


def _is_idle_end(at_hand: Evidence, step: Step) -> bool:
    """Whether a step says that an end of a line changes nothing, where the answer is that something else stops or
    hinders it, or is about something else than the line.
    """
    if among(step, at_hand.asides):
        return True
    if not {place.ref for place in step.where} <= at_hand.asked_about:
        return False
    stopped = [one for one in at_hand.headline if isinstance(one.value, bool) and one.where]
    there = {place.ref for one in stopped for place in one.where if place.kind == "hex"}
    return any(one.value is False for one in stopped) or not there <= at_hand.asked_about


def is_nothing_there(at_hand: Evidence, step: Step) -> bool:
    """Whether a step only says that something changes nothing where the answer is not: a place, or who stands there,
    of which it gives no value, that neither the answer nor the question speaks of, and of no rule that bears on it.
    """
    there = {place.ref for place in step.where}
    said = {place.ref for one in at_hand.headline for place in one.where} | at_hand.answered | at_hand.declared
    silent = step.value is None and step.kind == "compute" and step.rule not in at_hand.rules
    return silent and bool(there) and not there & said and not at_hand.pieces(step) & said
