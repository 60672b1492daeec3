"""What the steps that decide are chosen from: what each of a trace is for, and of what it speaks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
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
from tutor.course.decisive import otherwise, read_again, said_again, said_later
from tutor.course.figures import is_among, numbers
from tutor.course.headlines import answering_exercise, asked_of
from tutor.course.matching import deciding, exact, matches, values_within, view, without_numbers
from tutor.course.prose import rule_ids

if TYPE_CHECKING:
    from tutor.course.exercises import Task
    from tutor.course.models import Choice

#: Most steps that say of one piece each what an answer compares.
MOST = 5


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the steps of an answer are chosen from: which its game has a sentence for, and what each is for.

    Args:
        result, position, headline, choices: as ``deciding_steps`` takes them.
    """

    result: Result[Any]
    position: Position
    headline: Sequence[Step]
    choices: Sequence[Choice]

    @classmethod
    def of(cls, task: Task) -> Evidence:
        """What the steps of an exercise on screen are chosen from."""
        result = task.result()
        return cls(result, task.position, deciding(result, answering_exercise(task, result)), asked_of(task))

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
        trace = self.result.trace
        again = [*said_again(trace), *said_later(self.sayable), *read_again(trace)]
        again += [step for step in self.sayable if self._is_of_one_term(step)]
        return [step for step in self.sayable if among(step, again) or "." not in step.code]

    def _is_of_one_term(self, step: Step) -> bool:
        """Whether a step is a total of one term, which says it with its sign."""
        terms = [one for one in step.children if exact(one.value) and self.is_signed(one)]
        alone = len(terms) == 1 and self.is_signed(step) and exact(step.value) == exact(terms[0].value)
        return alone and (terms[0].kind != "table" or len(step.children) > 1)

    @cached_property
    def facts(self) -> Sequence[Step]:
        """Steps that say something of their own; not what is the same of all that are compared."""
        spare = [*self.headings, *self.spare, *_shared(self.compared)]
        return [step for step in self.sayable if not among(step, spare)]

    @cached_property
    def compared(self) -> Sequence[Step]:
        """The steps, two at least, that say of one piece each what the answer compares: of its rule, beside it."""
        for above in self.result.trace.walk():
            at = next((at for at, step in enumerate(above.children) if among(step, self.headline)), 0)
            own = [step for step in above.children[:at] if step.rule == above.children[at].rule]
            measured = [step for step in own if step.kind == "rule" and exact(step.value) is not None]
            for stem in dict.fromkeys(stem_of(step) for step in measured):
                alike = [step for step in measured if stem_of(step) == stem]
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
            at = next((at for at, step in enumerate(above.children) if among(step, self.headline)), 0)
            after = [step for asked, step in pairwise(above.children[:at]) if asked.kind == "rule" and asked.children]
            so_far = [step for step in after if not step.children and exact(step.value) is not None]
            alike = [step for step in so_far if step.code == so_far[-1].code]
            if 1 < len(alike) <= MOST:
                return alike
        return ()

    @cached_property
    def right(self) -> Choice | None:
        """The choice that the answer makes right."""
        return next((choice for choice in self.choices if matches(choice.when, view(self.result))), None)

    @cached_property
    def asked(self) -> frozenset[Fraction]:
        """The numbers asked for: those of the right choice, with the sign that it says or without one."""
        there = numbers(self.right.label, words=True) if self.right else frozenset()
        return frozenset(one for one in self.numbers if is_among(one, there) or is_among(abs(one), there))

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        """The numbers that the right choice stands for, said or not."""
        values = map(exact, values_within(self.right.when)) if self.right else ()
        return frozenset(one for one in values if one is not None)

    @cached_property
    def short(self) -> tuple[Step, ...]:
        """What is shown of a short trace: not what becomes of others than those that the headline is about, nor the terms
        of a number that is not asked for, nor the nothing that a rule changes, nor odds that come after it and are not
        asked for; titles neither; () for all.
        """
        own = [step for step in self.sayable if not self._is_fate_of_others(step) and not self._is_nothing(step)]
        own = [step for step in own if not self._is_beyond(step)]
        kept = tuple(step for step in own if self.right is None or not self._is_term_beside(step))
        if len(kept) == len(self.sayable):
            return ()
        return tuple(step for step in kept if not step.children or "." in step.code)

    def _is_nothing(self, step: Step) -> bool:
        """Whether a step says that a rule added nothing, and no cause of a wrong choice cites it."""
        return self.is_spared(step) and exact(step.value) == 0

    def _is_beyond(self, step: Step) -> bool:
        """Whether a step gives, after the one that answers, odds or a reading of a table that are not asked for, or a part
        of a number where something is only to be allowed.
        """
        number, marks = exact(step.value), [one for mark in self.headline for one in mark.walk()]
        if number is None or self.right is None or self.result.refusals or not marks:
            return False
        other = number not in self.numbers and (step.kind == "table" or 0 < number < 1)
        part = self.is_permission and not among(step, self.result.trace.children) and step.rule not in self.cited
        if not (other or part):
            return False
        walked = list(self.result.trace.walk())
        return not any(among(one, marks) for one in walked[next(at for at, one in enumerate(walked) if one is step) :])

    def _is_term_beside(self, step: Step) -> bool:
        """Whether a step is a term, no number is asked for, and it was tried that its rule does not bear on the answer."""
        if self.numbers or not self.is_signed(step):
            return False
        tried = step.rule in self.result.consulted and step.rule in self.book.omittable
        return tried and step.rule not in self.rules

    def _is_fate_of_others(self, step: Step) -> bool:
        """Whether a step says of others of the same side, without a number to compare, what the headline says of its own."""
        spoken, groups = self.pieces(step), {one.code.partition(".")[0] for one in self.headline}
        sides = {self.on_board[piece] for piece in self.answered}
        other = (
            spoken and sides and not spoken & self.answered and sides.issuperset(self.on_board[one] for one in spoken)
        )
        return bool(other) and step.value is None and step.code.partition(".")[0] in groups

    def holds_of_another(self, step: Step) -> bool:
        """Whether a step says, of what is refused, that another condition holds, which the refusal does not need: of its
        own rule, or of a rule without which the refusal stays, or that alone refuses then.
        """
        refused = {one.rule for one in self.result.refusals}
        other = self.others.get(step.rule or "")
        forbids = other is not None and {one.rule for one in other.refusals} == {step.rule}
        needed = step.rule in self.rules and not forbids
        if not refused or step.value is True:
            return bool(refused) and (step.rule in refused or not needed)
        return step.kind == "table" and any(self._gives(one, step) for one in self.sayable)

    def _gives(self, step: Step, row: Step) -> bool:
        """Whether a reason, or a condition that holds, gives the number that was read for it in a table, by one rule."""
        weighed = step.value is True or among(step, self.result.refusals)
        given = (exact(operand.value) for operand in step.operands.values())
        return weighed and step.rule == row.rule and exact(row.value) in given

    @cached_property
    def asides(self) -> Sequence[Step]:
        """Steps of what holds on the way of an answer about something else: a line of sight that nothing stops, with
        its hindrance, a place that is observed, a shot that lets one go on. And of what is chosen there: a shot at who
        walks, who is shot at.
        """
        walked = list(self.result.trace.walk())[1:]
        groups = [one for one in walked if one.children and one.children[-1].value is True]
        holding = [one for one in groups if one.value in (True, None) or exact(one.value) is not None]
        holding += [one for one in walked if not one.children and one.value is True and self._of_another_question(one)]
        holding += [one for one in walked if one.children and one.kind == "choice"]  # but does not choose
        holding += [one for one in walked if one.children and isinstance(one.value, str) and one.value in self.on_board]
        holding = [one for one in holding if not any(among(step, self.headline) for step in one.walk())]
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
        last = max((at for at, step in enumerate(walked) if among(step, within)), default=len(walked))
        return [step for step in self.facts if among(step, walked[: last + 1])]

    @cached_property
    def idle(self) -> Sequence[Step]:
        """What is only said for a term to be read by it, where that term is 0, is not asked for, or stands beside the
        number that is asked for and is none of its own.
        """
        read = [(*pair, above) for above in self.result.trace.walk() for pair in pairwise(above.children)]
        read = [one for one in read if one[1].kind == "table" and self.is_signed(one[1])]
        read = [one for one in read if exact(one[0].value) is None and not among(one[1], self.headline)]
        gives = [mark for mark in self.headline if exact(mark.value) in self.asked]
        beside = [step for step, _, above in read if any(among(mark, above.children) for mark in gives)]
        return [*beside, *(step for step, row, _ in read if exact(row.value) == 0 or self.counts_nothing)]

    @cached_property
    def asked_about(self) -> frozenset[str]:
        """The places and the pieces that the question is put about, and where these stand."""
        values = (operand.value for operand in self.result.trace.operands.values())
        given = [one for value in values for one in (value if isinstance(value, list | tuple) else [value])]
        refs = {one for one in given if isinstance(one, str)}
        return frozenset(refs | {self.position.hex_of(one) or "" for one in refs if one in self.on_board})

    @cached_property
    def named(self) -> frozenset[str]:
        """Words of the choices, names of places among them."""
        return frozenset(re.findall(r"[\w.]+", " ".join(choice.label for choice in self.choices)))

    def is_spared(self, step: Step) -> bool:
        """Whether a step says that a rule took nothing away or added nothing, and no cause of a wrong choice cites it."""
        return "spared" in step.code and step.rule not in self.cited

    @cached_property
    def cited(self) -> frozenset[str]:
        """The rules that the causes of the wrong choices cite."""
        return frozenset(rule for choice in self.choices for rule in rule_ids(choice.because_not or ""))

    @cached_property
    def each_there(self) -> Sequence[Step]:
        """Of a headline about several hexes, or choices between them, the step of its rule about each of them."""
        cells = self.told_apart or {place.ref for one in self.headline for place in one.where if place.kind == "hex"}
        rules = {one.rule for one in self.headline}
        facts = self.sayable if self.told_apart else self.facts
        own = [step for step in facts if step.children and step.rule in rules and len(step.where) == 1]
        own = [step for step in own if step.where[0].ref in cells and not among(step, self.headline)]
        return own if len(own) == len({step.where[0].ref for step in own}) > 1 else []

    @cached_property
    def told_apart(self) -> frozenset[str]:
        """The hexes, two at least, between which a question lets choose, where it is answered by yes or no."""
        if not all(isinstance(mark.value, bool) for mark in self.headline):
            return frozenset()
        leaves = {one for choice in self.choices for one in values_within(choice.when) if isinstance(one, str)}
        cells = frozenset(one for one in leaves if one in self.position.grid)
        return cells if len(cells) > 1 else frozenset()

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

    @cached_property
    def offered(self) -> frozenset[str]:
        """The pieces between which a question lets choose."""
        leaves = (one for choice in self.choices for one in values_within(choice.when))
        return frozenset(one for one in leaves if isinstance(one, str) and one in self.on_board)

    def of_another(self, step: Step) -> bool:
        """Whether a step speaks of others alone, of whom the trace says what it says of these too: of the same side as
        those that the answer is about, or than whom the question offers others.
        """
        spoken, sides = self.pieces(step), {self.on_board[piece] for piece in self.answered}
        if self.offered and (others := spoken - self.answered) and not others & self.offered:
            return any(self.pieces(one) & self.offered for one in self.sayable if one.code == step.code)
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
    def odds(self) -> Sequence[Step]:
        """The steps that give odds, where odds are asked for, other than the headline."""
        asked = any(number.denominator > 1 for number in self.numbers)
        given = [step for step in self.facts if (number := exact(step.value)) is not None and number.denominator > 1]
        return [step for step in given if asked and not among(step, self.headline)]

    @cached_property
    def parts(self) -> Sequence[Step]:
        """The odds of which those asked for are made, as the step that gives these says."""
        made = [one for mark in self.headline for one in mark.walk()]
        within = {exact(operand.value) for one in made for operand in one.operands.values()}
        return [step for step in self.odds if among(step, made) or exact(step.value) in within]

    @cached_property
    def is_permission(self) -> bool:
        """Whether the question is only whether something is allowed, and it is: what comes of it is not asked."""
        return (
            self.right is not None and self.right.when.get("outcome") == "computed" and "value" not in self.right.when
        )

    @cached_property
    def is_about_something_else(self) -> bool:
        """Whether what the trace concludes, a number or a name, is not what the choices tell apart."""
        if self.right is None or "value" not in self.right.when or not self.result.trace.children:
            return False
        if among(self.result.trace.children[-1], self.headline):
            return False
        last, asked = self.result.trace.children[-1].value, list(values_within(self.right.when["value"]))
        if any(isinstance(one, bool) or one is None for one in (last, *asked)):
            return False
        return last not in asked and (exact(last) is None or exact(last) not in map(exact, asked))

    @cached_property
    def counts_nothing(self) -> bool:
        """Whether no number is asked for, and what the trace comes to is something else: its terms are beside."""
        return self.is_about_something_else and not self.numbers

    @cached_property
    def adds_up(self) -> bool:
        """Whether numbers may be added up for the answer: no permission nor reading, but asked for or come to at last."""
        read = any(step.kind == "table" and exact(step.value) in self.asked for step in self.headline)
        gives = not self.asked.isdisjoint(exact(step.value) for step in self.headline)
        return not (read or self.is_permission or (self.is_about_something_else and not gives))

    @cached_property
    def read_at(self) -> Collection[Fraction]:
        """The numbers, such as a range, at which the one that is asked for is read from a table."""
        rows = [step for step in self.headline if step.kind == "table" and exact(step.value) in self.asked]
        return {one for row in rows for one in numbers(self.sentence(row))} - self.asked

    @cached_property
    def rivals(self) -> frozenset[str]:
        """The pieces of which the trace says what the answer says of another."""
        stems = {stem_of(step) for step in self.headline}
        alike = (step for step in self.sayable if stem_of(step) in stems)
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
        if not own or not all(among(step, self.asides) for step in own) or (other and other.outcome == "computed"):
            return False
        return self.right is None or bool(self.asked) or not self._fits_another(other)

    @cached_property
    def rules(self) -> Sequence[str]:
        """Decisive rules that bear on what was asked: without them, the right choice is right no more; another is, where
        that is so of the rule by which the headline settles a number that no choice says.
        """
        bearing = [rule for rule, other in self.others.items() if rule not in self.granted and self._lifts(other)]
        bearing = bearing if self.right is None else [rule for rule in bearing if self._turns(self.others[rule])]
        settling = [rule for rule in bearing if self._fits_another(self.others[rule])]
        settles = bool(self.numbers) and not self.asked and any(mark.rule in settling for mark in self.headline)
        return settling if settles else bearing

    def _fits_another(self, other: Result[Any] | None) -> bool:
        seen = view(other) if other else None
        return bool(seen) and any(matches(one.when, seen) for one in self.choices if one is not self.right)

    def _lifts(self, other: Result[Any] | None) -> bool:
        """Whether of a refusal a reason is gone, and none is only added; one that stops halfway may stop elsewhere. What
        only lets nothing more be worked out bears on a reason that gives a number.
        """
        reasons = {(step.rule, step.code) for step in self.result.refusals}
        if reasons and other and other.outcome == "unknown" and not any(map(self._counts, self.result.refusals)):
            return False
        if not reasons or self.result.value is not None or other is None:
            return True
        return not reasons <= {(step.rule, step.code) for step in other.refusals}

    def _counts(self, step: Step) -> bool:
        return bool(numbers(self.sentence(step), words=True))

    def _turns(self, other: Result[Any] | None) -> bool:
        """Whether an answer makes the right choice wrong: another choice fits, or what is so or not so differs, whatever
        numbers that it does not say tell it from others.
        """
        if self.right is None or other is None or matches(self.right.when, seen := view(other)):
            return other is None
        if self._fits_another(other):
            return True
        said_of = without_numbers(self.right.when, self.asked)
        return not (any(isinstance(one, bool) for one in values_within(said_of)) and matches(said_of, seen))

    @cached_property
    def beside(self) -> Collection[str]:
        """Rules that bear on something else than what was asked."""
        return set(self.others).difference(self.rules) if self.right else self.granted


def among(step: Step, steps: Collection[Step]) -> bool:
    """Whether it is one of them, and not another that says the same."""
    return any(step is one for one in steps)


def _shared(compared: Sequence[Step]) -> Sequence[Step]:
    """What leads to each of the steps that are compared, the same for all: it is in their number already."""
    facts = [{(one.code, repr(one.value)) for one in step.walk()} for step in compared]
    below = (one for step in compared for one in list(step.walk())[1:])
    return [one for one in below if all((one.code, repr(one.value)) in there for there in facts)]


def stem_of(step: Step) -> str:
    """What kind of fact a step states: ``attack.outcome`` of ``attack.outcome_pinned``."""
    group, _, name = step.code.partition(".")
    return f"{group}.{name.split('_')[0]}"
