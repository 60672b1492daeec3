"""What decides an answer: the rules without which it would be another, and the few steps that say so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import Game, ask, game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.course.matching import exact, view

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
    seen = view(result)
    rules = (result.consulted & set(game(position.game).omittable)) - set(already)
    others = ((rule, without(result, position, rule, already)) for rule in sorted(rules))
    return tuple(rule for rule, other in others if other is None or _differs(seen, view(other)))


def _differs(seen: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether an answer changes; a refusal of which nothing was computed, only by its outcome and its reasons."""
    if seen["outcome"] == "refused" and seen["value"] is None:
        return (other["outcome"], other["refusals"]) != (seen["outcome"], seen["refusals"])
    return other != seen


def deciding_steps(result: Result[Any], position: Position, headline: Sequence[Step] = ()) -> tuple[Step, ...]:
    """The two to five steps that decide, in reading order: those of a decisive rule, then the conclusion that the
    headline leaves unsaid, then the terms of the sum, then those nearest to the answer; none where the whole trace is
    as short. A fact is said once: neither before its conclusion nor by the table it is read from. Where finding those
    rules would take more than a second, the others alone.

    Args:
        result: of the question, with its trace.
        position: where it was asked.
        headline: steps that are said already.
    """
    rulebook = game(position.game)
    steps = [step for step in list(result.trace.walk())[1:] if step.code in rulebook.phrases.templates]
    if len(steps) <= MOST:
        return ()
    try:
        with bounded():
            rules = decisive(result, position)
    except TooLarge:
        rules = ()
    chosen: list[Step] = []

    def take(some: Sequence[Step], most: int) -> None:
        said = {rulebook.sentence(step, position) for step in (*chosen, *headline)}
        for step in some:
            if len(chosen) < most and rulebook.sentence(step, position) not in said:
                said.add(rulebook.sentence(step, position))
                chosen.append(step)

    headings = [step for step in steps if rulebook.sentence(step, position).endswith(":")]  # what is below them decides
    again = list(said_again(result.trace))
    spare = [step for step in steps if any(step is one for one in again)]
    steps = [step for step in steps if not any(step is one for one in (*headings, *spare))]
    below = {one.rule: leaf for one in headings for leaf in one.walk() if any(leaf is step for step in steps)}
    leaves = [step for step in steps if not step.children]
    last = below | {step.rule: step for step in (*steps, *leaves) if step.kind != "input"}
    unsaid = result.trace.children[-1:] if headline and not result.refusals else []
    end = [step for step in unsaid if any(step is one for one in leaves) and not any(step is one for one in headline)]
    take([last[rule] for rule in rules if rule in last], MOST - len(end))
    take(end, MOST)
    take([step for step in steps if _is_term(step, rulebook)], MOST)
    take([step for step in reversed(steps) if step.kind != "input"], FEWEST)
    take([*steps, *spare], FEWEST)
    return tuple(step for step in result.trace.walk() if any(step is one for one in chosen))


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
