"""Hexes that were chosen and should not be, or should and were not: how many, and why one of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tutor.core.phrases import NBSP, listing
from tutor.core.registry import game
from tutor.core.trace import Step
from tutor.core.typography import NNBSP
from tutor.course.exercises import Task
from tutor.course.figures import in_order, places
from tutor.course.headlines import only_allowed
from tutor.course.matching import deciding
from tutor.course.sought import cited, named

#: Most hexes that a step names as the reason of one of them; with more, it gives the whole answer.
_MOST_NAMED = 2


def tally(given: frozenset[str], solution: frozenset[str], feminine: bool = False, pointed: str = "") -> str:
    """How many of the hexes chosen are right and too many, and how many were missed, as a sentence.

    Args:
        given, solution: those chosen, and the right ones.
        feminine: they are squares, « des cases ».
        pointed: one that is too many, of which nothing else is said; "" for none.

    >>> tally(frozenset({"B2", "B3"}), frozenset({"B2", "C4"}))
    '1 juste, 1 de trop, 1 oublié.'
    >>> tally(frozenset({"B3"}), frozenset({"C4"}))
    'Aucun juste, 1 de trop, 1 oublié.'
    >>> tally(frozenset({"B3"}), frozenset({"C4"}), feminine=True)
    'Aucune juste, 1 de trop, 1 oubliée.'
    >>> tally(frozenset({"B3"}), frozenset(), pointed="B3"), tally(frozenset({"B3", "C3"}), frozenset(), pointed="B3")
    ('Aucun juste, 1 de trop (B3).', 'Aucun juste, 2 de trop (dont B3).')
    """
    right, extra, missed = len(given & solution), len(given - solution), len(solution - given)
    counts = (
        (right, f"juste{'s' if right > 1 else ''}"),
        (extra, f"de trop ({'dont ' if extra > 1 else ''}{pointed})" if pointed else "de trop"),
        (missed, f"oublié{'e' if feminine else ''}{'s' if missed > 1 else ''}"),
    )
    none = "Aucune" if feminine else "Aucun"
    return ", ".join(f"{number or none} {word}" for number, word in counts if number or word == "juste") + "."


def of_hexes(task: Task, given: frozenset[str], solution: frozenset[str]) -> str:
    """How many of the hexes chosen are right, too many and missing, and why one of them is, as prose.

    Args:
        task: the exercise on screen.
        given, solution: those chosen, and the right ones.
    """
    pointed, why = _of_extra(task, given, solution) if given - solution else ("", _of_missed(task, given, solution))
    counted = tally(given, solution, task.position.board.words.feminine, pointed)
    return " ".join(filter(None, (counted, why)))


def _of_extra(task: Task, given: frozenset[str], solution: frozenset[str]) -> tuple[str, str]:
    """A hex that is too many, where nothing is said of it; and why some are: that they are not offered, what the engine
    says of one, else what all that are right have.
    """
    extra = in_order(given - solution)
    offered = [place for place in extra if not task.spots or place in task.spots]
    if not offered:
        those = "celles" if task.position.board.words.feminine else "ceux"
        return "", f"{listing(extra)} {'ne sont' if len(extra) > 1 else 'n’est'} pas de {those} que l’on propose."
    reasons = {place: _of_place(task, place, solution - given) for place in offered}
    place = next((place for place, reason in reasons.items() if reason), offered[0])
    if not reasons[place]:
        return place, _what_all_have(task)
    return "", f"{_headed(place, reasons[place])}. {task.filled(task.exercise.answer.criterion or '')}".strip()


def _headed(place: str, reason: str) -> str:
    """The reason of a hex after its name, but where it begins with it."""
    return reason if reason.startswith(f"«{NBSP}{place}{NBSP}:") else f"{place}{NBSP}: {reason}"


def _of_missed(task: Task, given: frozenset[str], solution: frozenset[str]) -> str:
    """Why a hex is missing: what the engine says of one, where that names no other, else what all have; of the only one
    that is missing it would name the answer.
    """
    missed = in_order(solution - given)
    if len(missed) == 1:
        return _what_all_have(task)
    reasons = {place: _of_place(task, place, solution - given - {place}, solution) for place in missed}
    place = next((place for place, reason in reasons.items() if reason), "")
    return f"{_headed(place, reasons[place])}." if place else task.filled(task.exercise.answer.criterion or "")


def _what_all_have(task: Task) -> str:
    """What makes a hex right, as the exercise says it, or the rule that it is there for."""
    said = task.filled(task.exercise.answer.criterion or "")
    return said or f"Voyez {named(game(task.game_id), task.exercise.rules[0])}."


def _of_place(task: Task, place: str, hidden: Collection[str], right: Collection[str] = ()) -> str:
    """What the engine says of one hex, asked about alone, or by the last step that names it.

    Args:
        task: the exercise on screen; place: the hex.
        hidden: hexes that are not to be named, unless the question does.
        right: hexes, if any, of which a step says why they are right: one that names another too says why that is not.
    """
    there = task.about(place)
    if there is not task and _is_allowed(task, there):
        return f"rien ne s’y oppose ([[{task.exercise.rules[0]}]])"
    if there is not task:
        every = (cited(there.position, step) for step in deciding(there.result(), task.exercise.because))
        return f"{NNBSP}; ".join(filter(None, every))
    unsaid = frozenset(hidden) - places(task.question)
    for step in reversed(_own_steps(task)):
        if step.kind != "input" and any(place == one.ref for one in step.where):
            said = cited(task.position, step)
            named = places(said.rpartition(" ([[")[0])  # but for its rule
            title, whole = f":{NBSP}»" in said, len(named) > _MOST_NAMED
            of_another = bool(right) and not named <= {*right, *places(task.question)}
            if place in named and not (title or whole or of_another or named & unsaid):
                return said
    return ""


def _is_allowed(task: Task, there: Task) -> bool:
    """Whether an exercise asks only where something is allowed, and it is there: what it comes to says nothing of why."""
    return only_allowed(task) and there.result(trace=False).computed


def _own_steps(task: Task) -> Sequence[Step]:
    """The steps of an answer but for those of another question asked on the way, such as a sight."""
    trace, rulebook = task.result().trace, game(task.game_id)
    asides = set(rulebook.rules) - {task.exercise.ask}
    direct = {id(step) for step in trace.children}
    walked = list(trace.walk())[1:]
    return [step for step in walked if id(step) in direct or step.code.partition(".")[0] not in asides]
