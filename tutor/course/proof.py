"""The one to five steps shown under a verdict: which of a trace decide, and in what order they are chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.bearing import Bearing, bearing, given, is_measured, is_nothing_there, is_spared_there
from tutor.course.beside import (
    addends,
    cited_below,
    conditions,
    fate,
    is_allowing,
    is_far_hex,
    is_throw_judged,
    lacking,
    lines,
    picked,
    same,
    settled,
    sources,
    thrown,
    verdict,
)
from tutor.course.evidence import MOST, Evidence, among, stem_of
from tutor.course.matching import exact, values_within

if TYPE_CHECKING:
    from tutor.course.models import Choice

#: Fewest steps that are said to decide.
FEWEST = 1
#: Steps enough without those that no rule makes decide.
_ENOUGH = 2


def deciding_steps(
    result: Result[Any], position: Position, headline: Sequence[Step] = (), choices: Sequence[Choice] = ()
) -> tuple[Step, ...]:
    """The one to five steps that decide, in reading order, chosen as ``ORDER`` says; none where the whole trace is as
    short, and refuses nothing; the headline alone where nothing else decides; of several questions asked one after the
    other, what they come to so far. A fact is said once: neither before its conclusion nor by the table it is read from.
    A line that is free is said where it is asked about alone.
    Where finding the rules that decide would take more than a second, the other steps alone.

    Args:
        result: of the question, with its trace.
        position: where it was asked.
        headline: steps that are said already.
        choices: what might be answered: a rule then decides that makes another choice right, or none.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> len(deciding_steps(ask(place, "los", start="J9", end="K6"), place)) in range(FEWEST, MOST + 1)
    True
    """
    at_hand = _Weighed(result, position, headline, choices)
    if len(at_hand.sayable) <= MOST and not result.refusals:
        return _up_to_the_answer(at_hand)
    if at_hand.tallied:
        return tuple(at_hand.tallied)
    chosen: list[Step] = []
    said, past = {at_hand.sentence(step) for step in headline}, [*_past(at_hand), *verdict(at_hand)]
    for kind in REFUSED if result.refusals else ORDER:
        for step in kind.steps(at_hand):
            again = at_hand.sentence(step) in said or any(_reads(one, step) or _reads(step, one) for one in chosen)
            again = again or any(_sums(one, step) for one in chosen)
            if len(chosen) < kind.upto and not again and not among(step, past):
                said.add(at_hand.sentence(step))
                chosen.append(step)
    return tuple(step for step in result.trace.walk() if among(step, chosen)) or tuple(result.refusals or headline)


def _up_to_the_answer(at_hand: Evidence) -> tuple[Step, ...]:
    """What is shown of a short trace: not what follows the step that gives all that is asked for, but what it counts."""
    asked = [one for one in values_within(at_hand.right.when) if not isinstance(one, bool)] if at_hand.right else []
    asked = [one for one in asked if one != at_hand.result.outcome]
    given = [mark.value for mark in at_hand.headline if mark.kind != "table" and mark.value is not None]
    if not asked or any(
        one not in given and (exact(one) is None or exact(one) not in map(exact, given)) for one in asked
    ):
        return at_hand.short
    walked = list(at_hand.result.trace.walk())
    said = [step for mark in at_hand.headline for step in mark.walk()]
    last = max(at for at, step in enumerate(walked) if among(step, said))
    shown = at_hand.short or tuple(at_hand.sayable)
    kept = tuple(step for step in shown if among(step, [*walked[: last + 1], *_counted(at_hand, 1)]))
    return at_hand.short if len(kept) == len(shown) else kept


def _past(at_hand: Evidence) -> Sequence[Step]:
    """What says again, or comes after, the number asked for, where the headline gives it, and the totals of which it is
    a part.
    """
    if at_hand.result.refusals or not given(at_hand):
        return ()
    valued = [step for step in list(at_hand.result.trace.walk())[1:] if exact(step.value)]
    totals = [step for step in valued if any(among(one, list(step.walk())[1:]) for one in at_hand.headline)]
    return [*totals, *(step for step in valued if bearing(at_hand, step) in (Bearing.AFTER, Bearing.AGAIN))]


def _compared(at_hand: Evidence) -> Sequence[Step]:
    """One step for each of those that the answer compares."""
    return at_hand.compared


def _added(at_hand: Evidence) -> Sequence[Step]:
    """The values, one for each piece or group of them, that add up to the number asked for, where all of them do."""
    for mark in at_hand.headline:
        last = {at_hand.pieces(step): step for step in mark.children if at_hand.pieces(step) and not step.children}
        values = [exact(step.value) for step in last.values()]
        total = sum((value for value in values if value is not None), Fraction(0))
        if None not in values and total == exact(mark.value) and total in at_hand.asked and 1 < len(values) <= MOST:
            return list(last.values())
    return ()


def _of_rules(at_hand: Evidence) -> Sequence[Step]:
    """A step of each rule that bears on what was asked: one that goes, or says something else, without the rule, and
    of these the last with a number where one is asked for; where its rule has only a title, what is below that title;
    else the conclusion of a question asked on the way.
    """
    facts, others, concluded = at_hand.facts, at_hand.others, list(_concluded(at_hand.result.trace))
    ends = [step for step in facts if among(step, concluded)]
    own = [step for step in (*facts, *(step for step in facts if not step.children)) if step.kind != "input"]
    own = [step for step in own if not among(step, [*ends, *at_hand.headline]) and not at_hand.of_another(step)]
    numbered, there = bool(at_hand.numbers), {place for step in at_hand.headline for place in step.where}
    own = [step for step in own if not at_hand.of_another_place(step) and not is_spared_there(at_hand, step)]
    own = [step for step in own if not at_hand.is_spared(step) and not at_hand.holds_of_another(step)]
    own = [step for step in own if not (at_hand.is_signed(step) and among(step, at_hand.asides))]  # of another total
    concluding = [step for step in own if isinstance(step.value, bool) and bearing(at_hand, step) is Bearing.AGAIN]
    own = [step for step in own if not is_allowing(at_hand, step) and not among(step, concluding)]

    def fitness(step: Step) -> tuple[bool, ...]:
        number = numbered and exact(step.value) is not None
        near = not there.isdisjoint(step.where)
        gained = at_hand.is_permission and at_hand.is_signed(step) and among(step, at_hand.led) and step.value != 0
        return _goes(step, others, at_hand.position), number, gained, near, not is_far_hex(at_hand, step)

    if at_hand.headline and all(exact(mark.value) is not None for mark in at_hand.headline):
        ends = [step for step in ends if not among(step, at_hand.asides)]  # that a line is free is no number
    own.sort(key=fitness)
    below = ((title.rule, step) for title in at_hand.headings for step in title.walk() if step.kind != "input")
    last = {step.rule: step for step in ends}
    last |= {rule: step for rule, step in below if among(step, facts)} | {step.rule: step for step in own}
    each = at_hand.told_apart and at_hand.each_there  # which say it but for what a cause cites
    chosen = [last[rule] for rule in at_hand.rules if rule in last and (not each or rule in at_hand.cited)]
    return [said for step in chosen for said in (lines(at_hand, step) if among(step, ends) else ()) or [step]]


def _end(at_hand: Evidence) -> Sequence[Step]:
    """The conclusion, where the headline leaves it unsaid; not of others than those that the answer is about, nor where
    the headline gives the number that is asked for, or something is only allowed.
    """
    if (
        at_hand.is_permission
        or at_hand.is_about_something_else
        or at_hand.asked.intersection(exact(step.value) for step in at_hand.headline)
    ):
        return []
    last = at_hand.result.trace.children[-1:] if at_hand.headline and not at_hand.result.refusals else []
    last = [step for step in last if not step.children and among(step, at_hand.facts)]
    about = at_hand.answered
    last = [step for step in last if not about or not at_hand.pieces(step) or at_hand.pieces(step) & about]
    return [step for step in last if not among(step, at_hand.headline)]


def _terms(at_hand: Evidence) -> Sequence[Step]:
    """What adds to the answer, or takes from it: the sentence gives the number with a sign. None where the answer is
    one, beside the others, or where nothing is added up for it.
    """
    if not at_hand.adds_up:
        return []
    totals = at_hand.result.trace.children
    of_terms = [step for step in at_hand.headline if any(map(at_hand.is_signed, step.children))]
    if any(at_hand.is_signed(step) and not among(step, [*of_terms, *totals]) for step in at_hand.headline):
        return []
    signed = (step for step in at_hand.led if exact(step.value) and at_hand.is_signed(step))
    signed = (step for step in signed if not among(step, at_hand.asides) and not at_hand.of_another(step))
    own = [step for mark in at_hand.headline for step in mark.walk()]  # what it is made of
    return [step for step in signed if among(step, own) or not _all_of(step, at_hand.beside)]


def _taken(at_hand: Evidence) -> Sequence[Step]:
    """What of a piece counts for nothing in the number asked for, by a rule that the cause of a wrong choice cites."""
    there = [step for step in at_hand.led if step.kind == "compute" and exact(step.value) == 0 and at_hand.pieces(step)]
    there = [step for step in there if step.rule in at_hand.cited and not at_hand.is_signed(step)]
    return [step for step in there if at_hand.adds_up and at_hand.numbers and not at_hand.of_another(step)]


def _counted(at_hand: Evidence, fewest: int = 2) -> Sequence[Step]:
    """The things that a headline counts, where as many steps of its rule behind it say one each."""
    for above in at_hand.result.trace.walk():
        at = next((at for at, step in enumerate(above.children) if among(step, at_hand.headline)), len(above.children))
        own = [step for step in above.children[at + 1 :] if step.rule == above.children[at].rule]
        for stem in dict.fromkeys(map(stem_of, own)):
            alike = [step for step in own if stem_of(step) == stem]
            if fewest <= len(alike) <= MOST and at_hand.numbers == {len(alike)} == {exact(above.children[at].value)}:
                return alike
    return ()


def _row(at_hand: Evidence) -> Sequence[Step]:
    """The row of a table where the headline reads the word that is asked for."""
    asked = [one for one in values_within(at_hand.right.when) if isinstance(one, str)] if at_hand.right else []
    rows = (one for mark in at_hand.headline for one in mark.children if one.kind == "table")
    return [row for row in rows if row.value in asked and row.value in [mark.value for mark in at_hand.headline]]


def _read_by(at_hand: Evidence) -> Sequence[Step]:
    """What a table gives for the word that the headline comes to, where that word settles a number that no choice says."""
    if at_hand.asked or not at_hand.numbers:
        return []
    words = [(mark.code.partition(".")[0], mark.value) for mark in at_hand.headline if isinstance(mark.value, str)]
    rows = [step for step in at_hand.facts if step.kind == "table" and exact(step.value)]
    read = ((row, (row.code.partition(".")[0], one.value)) for row in rows for one in row.operands.values())
    return [row for row, word in read if word in words]


def _parts(at_hand: Evidence) -> Sequence[Step]:
    """The odds that make those asked for."""
    return at_hand.parts


def _near(at_hand: Evidence) -> Sequence[Step]:
    """Facts from the nearest to the answer on; a table reading and a number that is 0 after the others, unless it is
    the one asked for.
    """
    asked = at_hand.asked
    near = [step for step in _nearest(at_hand.result, at_hand.headline, at_hand.cited) if among(step, at_hand.facts)]
    other = [step for step in at_hand.odds if not among(step, at_hand.parts)]
    near = [step for step in near if not at_hand.of_another_place(step) and not among(step, other)]
    read_at = [step for step in near if step.kind != "table" and exact(step.value) in at_hand.read_at]
    near = read_at[-1:] or near
    made = [step for mark in at_hand.headline for step in mark.walk() if exact(mark.value) in asked]

    def last(step: Step) -> int:
        if exact(step.value) in asked or (step.kind != "table" and exact(step.value) != 0):
            return 0
        return 1 if among(step, made) and step.kind != "table" else 2

    near.sort(key=lambda step: (last(step), not is_throw_judged(at_hand, step)))
    return near


def _near_and_bearing(at_hand: Evidence) -> Sequence[Step]:
    """The nearest of those without which the question asked would have another answer, as far as is known; not that
    something else changes nothing, for which no other is shown.
    """
    if _row(at_hand) or _counted(at_hand):  # which says it all
        return []
    rules = {mark.rule for mark in at_hand.headline}
    near = (step for step in _near(at_hand) if not among(step, at_hand.asides))
    free = at_hand.is_permission or at_hand.counts_nothing
    near = (step for step in near if not (free and at_hand.is_signed(step)))
    near = (step for step in near if not among(step, at_hand.idle) and not at_hand.is_spared(step))
    near = (step for step in near if step.kind != "table" or exact(step.value) is not None)
    near = (step for step in near if bearing(at_hand, step) is Bearing.LEADS)
    words = {one for one in values_within(at_hand.right.when) if isinstance(one, str)} if at_hand.right else set()
    if words & {mark.rule for mark in at_hand.headline}:  # the rule that decides is asked for: nothing worked out aside
        groups = {stem_of(mark).partition(".")[0] for mark in at_hand.headline}
        near = (step for step in near if step.code.partition(".")[0] in groups or step.rule in at_hand.rules)
    within = [step for mark in at_hand.headline for step in mark.walk()]
    units = {step.unit for step in at_hand.facts if not among(step, within)}
    won = [step for step in within if step.unit and step.unit not in units and not among(step, at_hand.headline)]
    near = (step for step in near if at_hand.numbers or not among(step, won))  # what is won by it is not why
    there = {place for mark in at_hand.headline for place in mark.where}
    facts = [step for step in at_hand.facts if step.kind != "table"]
    there_too = (step for step in facts if there.intersection(step.where) or at_hand.pieces(step) & at_hand.answered)
    own = [*within, *there_too]
    own += [step for step in facts if step.kind == "dice" or step.rule in rules]
    kept = [step for step in near if among(step, own) or not _all_of(step, at_hand.beside)]
    return [step for step in kept[:_ENOUGH] if not is_nothing_there(at_hand, step) and not is_measured(at_hand, step)]


def _failed(at_hand: Evidence) -> Sequence[Step]:
    """What a refusal follows from: a condition that does not hold, else what was worked out by a rule that decides, or a
    number of its own rule; of a short trace, all that is of its own rule. Then what the position says by a rule that decides.
    """
    rules, short = {step.rule for step in at_hand.result.refusals}, len(at_hand.sayable) <= MOST
    near = [step for step in _near(at_hand) if step.kind not in ("table", "input")]
    near = [step for step in near if not at_hand.holds_of_another(step)]
    return [
        *(step for step in near if step.value is False),
        *(step for step in near if step.rule in at_hand.rules),
        *(step for step in near if step.rule in rules and (short or exact(step.value))),
        *(step for step in at_hand.facts if step.kind == "input" and step.rule in at_hand.rules),
    ]


def _read(at_hand: Evidence) -> Sequence[Step]:
    """The nothing that a short refusal has read in a table, where something is needed."""
    near = _near(at_hand) if len(at_hand.sayable) <= MOST else []
    return [step for step in near if step.kind == "table" and exact(step.value) == 0]


def _each_there(at_hand: Evidence) -> Sequence[Step]:
    """What is so of each of the hexes that the headline speaks of: by its rule, else what stops at each, where it says no."""
    each = at_hand.each_there
    if each and at_hand.told_apart:
        own = [one for step in each for one in step.children if one.value is None and one.rule in at_hand.cited]
        return [*each, *own]
    if each or all(mark.value is not False for mark in at_hand.headline):
        return each
    cells = sorted({place.ref for one in at_hand.headline for place in one.where if place.kind == "hex"})
    leaves = [step for step in at_hand.facts if not step.children and not among(step, at_hand.headline)]
    for code in dict.fromkeys(step.code for step in reversed(leaves)):
        alike = [step for step in leaves if step.code == code]
        there = sorted(place.ref for step in alike for place in step.where)
        if there == cells and 1 < len(cells) == len(alike) <= MOST:
            return alike
    return ()


def _each_of(at_hand: Evidence) -> Sequence[Step]:
    """What is so of each of the pieces that the headline speaks of, by its rule; not what leads to another number."""
    rules = tuple(str(step.rule) for step in at_hand.headline)
    own = [step for step in reversed(at_hand.led) if str(step.rule).startswith(rules)]  # the nearest first
    own = [step for step in own if at_hand.pieces(step) < at_hand.answered]
    own = [step for step in own if bearing(at_hand, step) is not Bearing.OTHER]
    for code in dict.fromkeys(step.code for step in own):
        alike = [step for step in own if step.code == code]
        if len(alike) <= MOST and frozenset().union(*map(at_hand.pieces, alike)) == at_hand.answered:
            return alike
    return ()


def _spared(at_hand: Evidence) -> Sequence[Step]:
    """What a rule that bears on the answer did not take away, or not add."""
    return [step for step in at_hand.facts if step.rule in at_hand.rules and at_hand.is_spared(step)]


def _at_least(at_hand: Evidence) -> Sequence[Step]:
    """The nearest fact, of the rule of the headline where terms are beside the answer; none beside a headline that says
    by which rule something is allowed.
    """
    if at_hand.counts_nothing:
        rules = {mark.rule for mark in at_hand.headline}
        return [step for step in _near(at_hand) if step.rule in rules]
    return [] if at_hand.is_permission and at_hand.headline else _near(at_hand)


def _any(at_hand: Evidence) -> Sequence[Step]:
    """Whatever has a sentence and announces nothing."""
    free = at_hand.is_permission or at_hand.counts_nothing
    return [] if free and at_hand.headline else [*at_hand.facts, *at_hand.spare]


@dataclass(frozen=True, eq=False)
class _Weighed(Evidence):
    """Evidence with what more than one kind of step is chosen by."""

    @cached_property
    def near(self) -> Sequence[Step]:
        return _near_and_bearing(self)


@dataclass(frozen=True)
class _Kind:
    """Steps of one kind.

    Args:
        steps: they, the first to be chosen first; upto: steps that a proof then has at most.
    """

    steps: Callable[[_Weighed], Sequence[Step]]
    upto: int


#: The order of choice: each kind of step is taken while the proof is short enough.
ORDER = (
    _Kind(_compared, upto=MOST),  # all of them: a choice is made between lines that can be compared
    _Kind(picked, upto=MOST),
    _Kind(_end, upto=MOST),  # first, for no rule takes its place
    _Kind(_parts, upto=MOST),
    _Kind(_each_there, upto=MOST),
    _Kind(_counted, upto=MOST),
    _Kind(cited_below, upto=MOST),
    _Kind(_row, upto=MOST),
    _Kind(_added, upto=MOST),
    _Kind(_of_rules, upto=MOST),
    _Kind(conditions, upto=MOST),
    _Kind(_read_by, upto=MOST),
    _Kind(sources, upto=MOST),
    _Kind(same, upto=MOST),
    _Kind(thrown, upto=MOST),
    _Kind(lacking, upto=MOST),
    _Kind(_terms, upto=MOST),
    _Kind(_taken, upto=MOST),
    _Kind(lambda at_hand: at_hand.near, upto=_ENOUGH),
    _Kind(lambda at_hand: addends(at_hand, at_hand.near), upto=MOST),
    _Kind(settled, upto=MOST),
    _Kind(_each_of, upto=MOST),
    _Kind(fate, upto=MOST),
    _Kind(_spared, upto=_ENOUGH),
    _Kind(_at_least, upto=FEWEST),
    _Kind(_any, upto=FEWEST),
)
#: The same for a refusal, of which nothing else was worked out that matters; its reasons themselves where there is none.
REFUSED = (_Kind(_of_rules, upto=MOST), _Kind(_failed, upto=_ENOUGH), _Kind(_read, upto=1))


def _reads(step: Step, row: Step) -> bool:
    """Whether a step only says of a place or a piece what a row of its table gives."""
    alone = len(step.children) == 1 and step.children[0] is row and row.kind == "table"
    return alone and step.value == row.value and row.rule.startswith(step.rule)


def _sums(step: Step, term: Step) -> bool:
    """Whether a step lists the numbers that it adds up, of which a step of its rule only gives one."""
    lists = [one.value for one in step.operands.values() if isinstance(one.value, list | tuple)]
    terms = [[exact(one) for one in listed] for listed in lists]
    added = [one for one in terms if len(one) > 1 and None not in one and sum(filter(None, one)) == exact(step.value)]
    same = step.rule == term.rule and step is not term and term.kind != "table"
    return same and any(exact(term.value) in one for one in added)


def _same(step: Step, other: Step) -> bool:
    """Whether two steps give the same number."""
    return exact(step.value) == exact(other.value)


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


def _nearest(result: Result[Any], headline: Sequence[Step], cited: Collection[str] = ()) -> list[Step]:
    """The steps nearest to the one that answers: what it is made of, else those of its own rule, what led to it, and
    what follows.

    Args:
        result: of the question; headline: steps that are said already.
        cited: rules that the causes of the wrong choices cite: a reading of theirs that was taken comes first of what
            led to it.
    """
    walked = list(result.trace.walk())[1:]
    mark = next(iter([*result.refusals, *headline, *result.trace.children[-1:]]), result.trace)
    at = next((at for at, step in enumerate(walked) if step is mark), len(walked))
    within = list(mark.walk())[1:]
    others = [*reversed(walked[:at]), *walked[at + 1 + len(within) :]]
    around = [step for step in others if among(mark, list(step.walk()))]
    above = [step for step in around if step.value == mark.value]  # what says it again in other words
    total = [step for step in around if exact(step.value) and not among(step, above)]  # what it is a part of
    others = [step for step in others if not among(step, [*above, *total])]
    own = [] if result.refusals else [step for step in others if step.rule == mark.rule]
    if len(own) > _ENOUGH:  # a rule of which everything is says nothing of what is near, but beside it in a group
        beside = next((one.children for one in list(result.trace.walk())[1:] if among(mark, one.children)), [])
        own = [step for step in own if among(step, beside)][:_ENOUGH]
    others = [step for step in others if not among(step, own)]
    led = sorted(others, key=lambda step: not (step.note and step.rule in cited))
    nearest = [*within, *own, *total, *led, *above]
    return [step for step in nearest if step.kind != "input"]


def _concluded(trace: Step) -> Iterator[Step]:
    """What a question asked on the way concludes, which the steps before it say better: last of its group, yes or no."""
    for above in trace.walk():
        if above is not trace and above.children and isinstance(above.children[-1].value, bool):
            yield above.children[-1]
