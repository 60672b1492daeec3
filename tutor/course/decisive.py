"""What decides an answer: the rules without which it would be another, and what a trace says twice of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tutor.core.effort import TooLarge
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.matching import exact, view

_Answers = dict[frozenset[str], Result[Any] | None]
#: The question of which rules were left out last, and its answers by them: its headline, its proof and the causes of its
#: wrong choices ask for the same ones.
_last: list[tuple[Result[Any], Position, _Answers]] = []


def without(result: Result[Any], position: Position, rule: str, already: Collection[str] = ()) -> Result[Any] | None:
    """The same question with a rule left out; None where it cannot be asked then. Asked again of the same result, it is
    the same answer.

    Args:
        result: of the question, with its trace.
        position: where it was asked.
        rule: that may be left out.
        already: rules that it left out.

    Raises:
        TooLarge: within a bounded computation, which has cost too much.
    """
    if not _last or _last[0][0] is not result or _last[0][1] is not position:
        _last[:] = [(result, position, {})]
    answers, left_out = _last[0][2], frozenset((*already, rule))
    if left_out not in answers:
        given = {name: operand.value for name, operand in result.trace.operands.items()}
        try:
            answers[left_out] = ask(position, result.ask, without=(*already, rule), **given)
        except TooLarge:
            raise
        except TutorError:
            answers[left_out] = None
    return answers[left_out]


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
    return tuple(otherwise(result, position, already))


def otherwise(result: Result[Any], position: Position, already: Collection[str] = ()) -> dict[str, Result[Any] | None]:
    """Each decisive rule, in order, with the answer that is given without it.

    Args:
        result, position, already: as ``decisive`` takes them.

    Returns:
        None for the answer where nothing can be asked without the rule.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> [answer.value.hindrance for answer in otherwise(ask(place, "los", start="M9", end="N6"), place).values()]
    [2, 0]
    """
    seen = view(result)
    rules = (result.consulted & set(game(position.game).omittable)) - set(already)
    others = {rule: without(result, position, rule, already) for rule in sorted(rules)}
    return {rule: other for rule, other in others.items() if other is None or _differs(seen, view(other))}


def _differs(seen: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether an answer changes; a refusal of which nothing was computed, only by its outcome and its reasons."""
    if seen["outcome"] == "refused" and seen["value"] is None:
        return (other["outcome"], other["refusals"]) != (seen["outcome"], seen["refusals"])
    return other != seen


def said_again(trace: Step) -> Iterator[Step]:
    """Steps whose fact another says: a group that found nothing in the way, before the conclusion that all is free; a
    table reading, below the step of its rule that it gives its number to; what became of a piece, above the step of the
    same rule that says by what.
    """
    for above in trace.walk():
        if above is not trace and isinstance(above.value, str) and above.kind == "rule":
            by_what = (step for step in above.children if step.kind != "table")
            if any((step.rule, step.value) == (above.rule, above.value) for step in by_what):
                yield above
        for at, step in enumerate(above.children):
            free = step.kind == "rule" and exact(step.value) == 0
            free = free and any(after.value is True for after in above.children[at + 1 :])
            read = step.kind == "table" and above is not trace
            if free or (read and step.value is not None and (step.rule, step.value) == (above.rule, above.value)):
                yield step


def read_again(trace: Step) -> Iterator[Step]:
    """Table readings that another step says: the next of their rule gives them again with why they hold; without a
    number they only say how the step of their rule, above, is worked out.
    """
    for above in trace.walk():
        for row, step in pairwise(above.children):
            given = row.kind == "table" != step.kind and row.value is not None and set(row.where) <= set(step.where)
            if given and (row.rule, row.value) == (step.rule, step.value):
                yield row
        if above is not trace:
            rows = (step for step in above.children if step.kind == "table" and step.rule == above.rule)
            yield from (step for step in rows if exact(step.value) is None and step.value is not None)


def said_later(steps: Sequence[Step]) -> Iterator[Step]:
    """Steps of which a later one of their own rule says the number again, nearer to the answer."""
    for at, step in enumerate(steps):
        if step.unit and exact(step.value):
            own = (step.rule, step.value, step.unit)
            if any(
                (later.rule, later.value, later.unit) == own and later.code != step.code for later in steps[at + 1 :]
            ):
                yield step
