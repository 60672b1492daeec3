"""The one to five steps shown under a verdict: which of a trace decide, and in what order they are chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.position import Position
from tutor.core.registry import Game, game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.decisive import otherwise, said_again
from tutor.course.matching import exact, matches, view

if TYPE_CHECKING:
    from tutor.course.models import Choice

#: Fewest and most steps that are said to decide.
FEWEST, MOST = 1, 5
#: Steps enough without those that no rule makes decide.
_ENOUGH = 2


def deciding_steps(
    result: Result[Any], position: Position, headline: Sequence[Step] = (), choices: Sequence[Choice] = ()
) -> tuple[Step, ...]:
    """The one to five steps that decide, in reading order, chosen as ``ORDER`` says; none where the whole trace is as
    short; of several questions asked one after the other, what they come to so far. A fact is said once: neither before its conclusion nor by the table it is read from. A line that is free is
    said where it is asked about alone. Where finding the rules that decide would take more than a second, the other
    steps alone.

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
    at_hand = _AtHand(result, position, headline, choices)
    if len(at_hand.sayable) <= MOST:
        return at_hand.short
    if at_hand.tallied:
        return tuple(at_hand.tallied)
    chosen: list[Step] = []
    said = {at_hand.sentence(step) for step in headline}
    for kind in REFUSED if result.refusals else ORDER:
        for step in kind.steps(at_hand):
            again = at_hand.sentence(step) in said or any(_reads(one, step) or _reads(step, one) for one in chosen)
            if len(chosen) < kind.upto and not again:
                said.add(at_hand.sentence(step))
                chosen.append(step)
    return tuple(step for step in result.trace.walk() if _among(step, chosen)) or tuple(result.refusals)


@dataclass(frozen=True, eq=False)
class _AtHand:
    """What the steps of an answer are chosen from: which its game has a sentence for, and what each is for.

    Args:
        result, position, headline, choices: as ``deciding_steps`` takes them.
    """

    result: Result[Any]
    position: Position
    headline: Sequence[Step]
    choices: Sequence[Choice]

    @cached_property
    def book(self) -> Game:
        return game(self.position.game)

    def sentence(self, step: Step) -> str:
        return self.book.sentence(step, self.position)

    def is_signed(self, step: Step) -> bool:
        """Whether the sentence of a step gives its number with a sign."""
        return "{value:+}" in self.book.phrases.templates.get(step.code, "")

    @cached_property
    def sayable(self) -> Sequence[Step]:
        """Every step that has a sentence."""
        return [step for step in list(self.result.trace.walk())[1:] if step.code in self.book.phrases.templates]

    @cached_property
    def headings(self) -> Sequence[Step]:
        """Steps that only announce those below them, which decide."""
        return [step for step in self.sayable if self.sentence(step).endswith(":")]

    @cached_property
    def spare(self) -> Sequence[Step]:
        """Steps whose fact another says, and titles."""
        again = [*said_again(self.result.trace), *_said_later(self.sayable), *_given(self.result.trace)]
        return [step for step in self.sayable if _among(step, again) or "." not in step.code]

    @cached_property
    def facts(self) -> Sequence[Step]:
        """Steps that say something of their own; not what is the same of all that are compared."""
        spare = [*self.headings, *self.spare, *_shared(self.compared)]
        return [step for step in self.sayable if not _among(step, spare)]

    @cached_property
    def compared(self) -> Sequence[Step]:
        """The steps, two at least, that say of one piece each what the answer compares: of its rule, beside it."""
        for above in self.result.trace.walk():
            at = next((at for at, step in enumerate(above.children) if _among(step, self.headline)), 0)
            own = [step for step in above.children[:at] if step.rule == above.children[at].rule]
            measured = [step for step in own if step.kind == "rule" and exact(step.value) is not None]
            for stem in dict.fromkeys(_stem(step) for step in measured):
                alike = [step for step in measured if _stem(step) == stem]
                spoken = {place.ref for step in alike for place in step.where if place.kind == "piece"}
                if 1 < len(spoken) == len(alike) <= MOST:
                    return alike
        return ()

    @cached_property
    def tallied(self) -> Sequence[Step]:
        """The steps, two at least, that say after each of several questions asked one after the other what they come to
        so far: the steps of one would be read as those of another.
        """
        for above in self.result.trace.walk():
            at = next((at for at, step in enumerate(above.children) if _among(step, self.headline)), 0)
            after = [step for asked, step in pairwise(above.children[:at]) if asked.kind == "rule" and asked.children]
            so_far = [step for step in after if not step.children and exact(step.value) is not None]
            alike = [step for step in so_far if step.code == so_far[-1].code]
            if 1 < len(alike) <= MOST:
                return alike
        return ()

    @cached_property
    def right(self) -> Choice | None:
        """The choice that the answer makes right."""
        return _right(self.result, self.choices)

    @cached_property
    def asked(self) -> frozenset[Fraction]:
        """The numbers asked for."""
        return frozenset(_numbers(self.right.when)) if self.right else frozenset()

    @cached_property
    def short(self) -> tuple[Step, ...]:
        """What is shown of a short trace: of a refusal, not the conditions of other rules that hold; () for all."""
        rules = {step.rule for step in self.result.refusals}
        kept = tuple(step for step in self.sayable if step.value is not True or step.rule in rules)
        return kept if rules and len(kept) < len(self.sayable) else ()

    @cached_property
    def asides(self) -> Sequence[Step]:
        """Steps of what holds on the way of an answer about something else: a line of sight that nothing stops, with
        its hindrance, a place that is observed. And of what a player might choose there, a shot at who walks.
        """
        walked = list(self.result.trace.walk())[1:]
        groups = [one for one in walked if one.children and one.children[-1].value is True]
        holding = [one for one in groups if one.value is True or exact(one.value) is not None]
        holding += [one for one in walked if not one.children and one.value is True and self._of_another_question(one)]
        holding += [one for one in walked if one.children and one.kind == "choice"]  # but does not choose
        holding = [one for one in holding if not any(_among(step, self.headline) for step in one.walk())]
        return [step for one in holding for step in one.walk()]

    def _of_another_question(self, step: Step) -> bool:
        group = step.code.partition(".")[0]
        return group in self.book.rules and group not in {one.code.partition(".")[0] for one in self.headline}

    @cached_property
    def led(self) -> Sequence[Step]:
        """Facts that led to the answer: not what was worked out after the step that answers."""
        walked = list(self.result.trace.walk())
        within = [step for mark in self.headline for step in mark.walk()]
        if self.result.refusals or not within:
            return self.facts
        last = max((at for at, step in enumerate(walked) if _among(step, within)), default=len(walked))
        return [step for step in self.facts if _among(step, walked[: last + 1])]

    def is_elsewhere(self, step: Step) -> bool:
        """Whether a step only says that something changes nothing where the answer is not: a place, or who stands there,
        of which it gives no value, that neither the answer nor the question speaks of, and of no rule that bears on it.
        """
        there = {place.ref for place in step.where}
        said = {place.ref for one in self.headline for place in one.where} | self.answered | self.declared
        silent = step.value is None and step.kind == "compute" and step.rule not in self.rules
        return silent and bool(there) and not there & said and not self.pieces(step) & said

    @cached_property
    def declared(self) -> frozenset[str]:
        """The pieces that the question is put about."""
        return self.pieces(replace(self.result.trace, where=()))

    def pieces(self, step: Step) -> frozenset[str]:
        """The pieces that a step speaks of."""
        spoken = [place.ref for place in step.where]
        for operand in step.operands.values():
            spoken += operand.value if isinstance(operand.value, list | tuple) else [operand.value]
        return frozenset(one for one in spoken if isinstance(one, str) and one in self.on_board)

    @cached_property
    def on_board(self) -> Mapping[str, str]:
        """Each piece with its side."""
        return {piece.id: piece.side for piece in self.position.pieces}

    @cached_property
    def answered(self) -> frozenset[str]:
        """The pieces that the answer is about."""
        return frozenset(piece for step in self.headline for piece in self.pieces(step))

    def of_another(self, step: Step) -> bool:
        """Whether a step speaks of others of the same side alone, of whom the trace says what it says of these too."""
        spoken, sides = self.pieces(step), {self.on_board[piece] for piece in self.answered}
        if not spoken or not sides or spoken & self.answered or any(self.on_board[one] not in sides for one in spoken):
            return False
        alike = (one for one in self.sayable if one.code == step.code)
        return spoken <= self.rivals or any(self.pieces(one) & self.answered for one in alike)

    def of_another_place(self, step: Step) -> bool:
        """Whether a step gives of another place the number that the headline gives of the one asked about."""
        alike = [one for one in self.headline if (one.rule, one.code) == (step.rule, step.code)]
        asked = any(exact(one.value) in self.asked for one in alike)
        return asked and not any(set(one.where) & set(step.where) for one in alike)

    @cached_property
    def rivals(self) -> frozenset[str]:
        """The pieces of which the trace says what the answer says of another."""
        stems = {_stem(step) for step in self.headline}
        alike = (step for step in self.sayable if _stem(step) in stems)
        return frozenset(piece for step in alike for piece in self.pieces(step)) - self.answered

    @cached_property
    def others(self) -> Mapping[str, Result[Any] | None]:
        """What is answered without each decisive rule; none where that takes too long."""
        try:
            with bounded():
                return otherwise(self.result, self.position)
        except TooLarge:
            return {}

    @cached_property
    def granted(self) -> Collection[str]:
        """Decisive rules by which what is an aside holds."""
        return {rule for rule, other in self.others.items() if self._is_granted(rule, other)}

    def _is_granted(self, rule: str, other: Result[Any] | None) -> bool:
        """Whether without a rule of an aside nothing is answered, and no choice says so."""
        own = [step for step in self.result.trace.walk() if step.rule == rule and step.kind != "input"]
        if not own or not all(_among(step, self.asides) for step in own) or (other and other.outcome == "computed"):
            return False
        seen = view(other) if other else None
        if self.right is None or seen is None or self.asked:
            return True
        return not any(matches(choice.when, seen) for choice in self.choices if choice is not self.right)

    @cached_property
    def rules(self) -> Sequence[str]:
        """Decisive rules that bear on what was asked: without them, the right choice is right no more."""
        bearing = [rule for rule in self.others if rule not in self.granted]
        if self.right is None:
            return bearing
        others = {rule: self.others[rule] for rule in bearing}
        return [rule for rule, other in others.items() if other is None or not matches(self.right.when, view(other))]

    @cached_property
    def beside(self) -> Collection[str]:
        """Rules that bear on something else than what was asked."""
        return set(self.others).difference(self.rules) if self.right else self.granted


def _compared(at_hand: _AtHand) -> Sequence[Step]:
    """One step for each of those that the answer compares."""
    return at_hand.compared


def _of_rules(at_hand: _AtHand) -> Sequence[Step]:
    """A step of each rule that bears on what was asked: one that goes, or says something else, without the rule, and
    of these the last with a number where one is asked for; where its rule has only a title, what is below that title;
    else the conclusion of a question asked on the way.
    """
    facts, others, concluded = at_hand.facts, at_hand.others, list(_concluded(at_hand.result.trace))
    ends = [step for step in facts if _among(step, concluded)]
    own = [step for step in (*facts, *(step for step in facts if not step.children)) if step.kind != "input"]
    own = [step for step in own if not _among(step, [*ends, *at_hand.headline]) and not at_hand.of_another(step)]
    numbered, there = bool(at_hand.asked), {place for step in at_hand.headline for place in step.where}
    own = [step for step in own if not at_hand.of_another_place(step)]

    def fitness(step: Step) -> tuple[bool, bool, bool]:
        number = numbered and exact(step.value) is not None
        return _goes(step, others, at_hand.position), number, not there.isdisjoint(step.where)

    own.sort(key=fitness)
    below = ((title.rule, step) for title in at_hand.headings for step in title.walk() if step.kind != "input")
    last = {step.rule: step for step in ends}
    last |= {rule: step for rule, step in below if _among(step, facts)} | {step.rule: step for step in own}
    return [last[rule] for rule in at_hand.rules if rule in last]


def _end(at_hand: _AtHand) -> Sequence[Step]:
    """The conclusion, where the headline leaves it unsaid; not of others than those that the answer is about."""
    last = at_hand.result.trace.children[-1:] if at_hand.headline and not at_hand.result.refusals else []
    last = [step for step in last if not step.children and _among(step, at_hand.facts)]
    about = at_hand.answered
    last = [step for step in last if not about or not at_hand.pieces(step) or at_hand.pieces(step) & about]
    return [step for step in last if not _among(step, at_hand.headline)]


def _terms(at_hand: _AtHand) -> Sequence[Step]:
    """What adds to the answer, or takes from it: the sentence gives the number with a sign. None where the answer is
    one, beside the others.
    """
    totals = at_hand.result.trace.children
    if any(at_hand.is_signed(step) and not step.children and not _among(step, totals) for step in at_hand.headline):
        return []
    signed = (step for step in at_hand.led if exact(step.value) and at_hand.is_signed(step))
    signed = (step for step in signed if not _among(step, at_hand.asides) and not at_hand.of_another(step))
    return [step for step in signed if not _all_of(step, at_hand.beside)]


def _same(at_hand: _AtHand) -> Sequence[Step]:
    """The dice that give the number asked for, or the last step that works it out, before the one that says it."""
    rules, said = {step.rule for step in at_hand.headline}, [*at_hand.headline, *at_hand.asides]
    worked = [step for step in at_hand.led if exact(step.value) in at_hand.asked and not _among(step, said)]
    worked = [step for step in worked if not at_hand.of_another_place(step)]
    dice = [step for step in worked if step.kind == "dice"]
    return dice or [step for step in worked if step.kind == "compute" and step.rule in rules][-1:]


def _near(at_hand: _AtHand) -> Sequence[Step]:
    """Facts from the nearest to the answer on; a table reading and a number that is 0 after the others, unless it is
    the one asked for.
    """
    near = [step for step in _nearest(at_hand.result, at_hand.headline) if _among(step, at_hand.facts)]
    asked = at_hand.asked
    near = [step for step in near if not at_hand.of_another_place(step)]
    near.sort(key=lambda step: (step.kind == "table" or exact(step.value) == 0) and exact(step.value) not in asked)
    return near


def _near_and_bearing(at_hand: _AtHand) -> Sequence[Step]:
    """The nearest of those without which the question asked would have another answer, as far as is known; not that
    something else changes nothing, for which no other is shown.
    """
    near = (step for step in _near(at_hand) if not _among(step, at_hand.asides) and not at_hand.of_another(step))
    bearing = [step for step in near if not (at_hand.asked and _all_of(step, at_hand.beside))]
    return [step for step in bearing[:_ENOUGH] if not at_hand.is_elsewhere(step)]


def _failed(at_hand: _AtHand) -> Sequence[Step]:
    """What a refusal follows from: a condition that does not hold, else what was worked out by a rule that decides, or a
    number of its own rule.
    """
    rules = {step.rule for step in at_hand.result.refusals}
    near = [step for step in _near(at_hand) if step.kind not in ("table", "input")]
    return [
        *(step for step in near if step.value is False),
        *(step for step in near if step.rule in at_hand.rules),
        *(step for step in near if step.rule in rules and exact(step.value)),
    ]


def _any(at_hand: _AtHand) -> Sequence[Step]:
    """Whatever has a sentence and announces nothing."""
    return [*at_hand.facts, *at_hand.spare]


@dataclass(frozen=True)
class _Kind:
    """Steps of one kind.

    Args:
        steps: they, the first to be chosen first; upto: steps that a proof then has at most.
    """

    steps: Callable[[_AtHand], Sequence[Step]]
    upto: int


#: The order of choice: each kind of step is taken while the proof is short enough.
ORDER = (
    _Kind(_compared, upto=MOST),  # all of them: a choice is made between lines that can be compared
    _Kind(_end, upto=MOST),  # first, for no rule takes its place
    _Kind(_of_rules, upto=MOST),
    _Kind(_same, upto=MOST),
    _Kind(_terms, upto=MOST),
    _Kind(_near_and_bearing, upto=_ENOUGH),
    _Kind(_near, upto=FEWEST),
    _Kind(_any, upto=FEWEST),
)
#: The same for a refusal, of which nothing else was worked out that matters; its reasons themselves where there is none.
REFUSED = (_Kind(_of_rules, upto=MOST), _Kind(_failed, upto=_ENOUGH))


def _among(step: Step, steps: Collection[Step]) -> bool:
    """Whether it is one of them, and not another that says the same."""
    return any(step is one for one in steps)


def _reads(step: Step, row: Step) -> bool:
    """Whether a step only says of a place or a piece what a row of its table gives."""
    alone = len(step.children) == 1 and step.children[0] is row and row.kind == "table"
    return alone and step.value == row.value and row.rule.startswith(step.rule)


def _shared(compared: Sequence[Step]) -> Sequence[Step]:
    """What leads to each of the steps that are compared, the same for all: it is in their number already."""
    facts = [{(one.code, repr(one.value)) for one in step.walk()} for step in compared]
    below = (one for step in compared for one in list(step.walk())[1:])
    return [one for one in below if all((one.code, repr(one.value)) in there for there in facts)]


def _stem(step: Step) -> str:
    """What kind of fact a step states: ``attack.outcome`` of ``attack.outcome_pinned``."""
    group, _, name = step.code.partition(".")
    return f"{group}.{name.split('_')[0]}"


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
    around = [step for step in others if _among(mark, list(step.walk()))]
    above = [step for step in around if step.value == mark.value]  # what says it again in other words
    total = [step for step in around if exact(step.value) and not _among(step, above)]  # what it is a part of
    others = [step for step in others if not _among(step, [*above, *total])]
    own = [] if result.refusals else [step for step in others if step.rule == mark.rule]
    if len(own) > _ENOUGH:  # a rule of which everything is says nothing of what is near
        own = []
    nearest = [*within, *own, *total, *(step for step in others if not _among(step, own)), *above]
    return [step for step in nearest if step.kind != "input"]


def _concluded(trace: Step) -> Iterator[Step]:
    """What a question asked on the way concludes, which the steps before it say better: last of its group, yes or no."""
    for above in trace.walk():
        if above is not trace and above.children and isinstance(above.children[-1].value, bool):
            yield above.children[-1]


def _given(trace: Step) -> Iterator[Step]:
    """Table readings that the next step, of their rule, gives again with why it holds."""
    for above in trace.walk():
        for row, step in pairwise(above.children):
            given = row.kind == "table" != step.kind and row.value is not None and set(row.where) <= set(step.where)
            if given and (row.rule, row.value) == (step.rule, step.value):
                yield row


def _said_later(steps: Sequence[Step]) -> Iterator[Step]:
    """Steps of which a later one of their own rule says the number again, nearer to the answer."""
    for at, step in enumerate(steps):
        if step.unit and exact(step.value):
            own = (step.rule, step.value, step.unit)
            if any(
                (later.rule, later.value, later.unit) == own and later.code != step.code for later in steps[at + 1 :]
            ):
                yield step
