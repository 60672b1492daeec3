"""Why an answer is wrong: the omitted rules that give it, found by asking the engine again without them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import game
from tutor.course.answers import same, shown
from tutor.course.exercises import Task

_MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth.

    Args:
        right: whether it is the engine's.
        sentence: French prose, rule ids marked ``[[…]]``.
        solution: the right answer as text.
        omissions: sets of rules whose omission gives the wrong answer, the smallest ones.
        open_steps: whether to open « Pourquoi ? », for want of a better explanation.
    """

    right: bool
    sentence: str
    solution: str
    omissions: tuple[tuple[str, ...], ...] = ()
    open_steps: bool = False


def candidates(task: Task) -> list[str]:
    """Rules whose omission may explain a wrong answer: the exercise's own list, or those the engine consulted."""
    allowed = game(task.game_id).omittable
    own = task.exercise.omit
    if own is not None:
        return [rule for rule in own if rule in allowed]
    consulted = set(task.result(trace=False).consulted)
    for item in task.exercise.answer.items:
        consulted |= task.on(task.position.change(item.changes)).result(trace=False, **item.with_).consulted
    if task.exercise.answer.each:
        each = task.exercise.answer.each
        for hex_ in each.among:
            consulted |= task.result(trace=False, **{each.argument: hex_}).consulted
    return sorted(consulted & set(allowed))


def omissions(task: Task, given: Any) -> tuple[tuple[str, ...], ...]:
    """The smallest sets of omitted rules (one, else two) with which the engine gives this answer.

    Args:
        task: the exercise on screen; given: what ``Task.read`` made of the answer.
    """
    rules = candidates(task)
    for size in (1, 2):
        found = tuple(left_out for left_out in combinations(rules, size) if _gives(task, left_out, given))
        if found:
            return found
    return ()


def _gives(task: Task, left_out: tuple[str, ...], given: Any) -> bool:
    try:
        return same(given, task.solution(left_out), task.exercise.answer.unit)
    except TutorError:
        return False


def judge(task: Task, given: Any) -> Verdict:
    """Judge an answer, and explain it when it is wrong.

    Args:
        task: the exercise on screen; given: typed text, label, hexes or order.

    Raises:
        AnswerError: the answer cannot be read (it does not count).
    """
    answer = task.exercise.answer
    read = task.read(given)
    solution = task.solution()
    text = shown(solution, answer.unit, answer.refusable)
    if same(read, solution, answer.unit):
        return Verdict(True, f"Exact{NBSP}: {text}.", text)
    found = omissions(task, read)
    if not found:
        sentence = "Ce n’est pas cela, et ce n’est pas une règle oubliée. Suivez les étapes ci-dessous."
        return Verdict(False, sentence, text, (), True)
    return Verdict(False, _explained(task, found, shown(read, answer.unit, answer.refusable)), text, found)


def _explained(task: Task, found: tuple[tuple[str, ...], ...], answer: str) -> str:
    held = game(task.game_id)
    if len(found) == 1:
        rules = found[0]
        names = " et ".join(f"[[{rule}]] ({held.section(rule).title})" for rule in rules)
        if len(rules) == 1:
            then = held.omittable[rules[0]].rstrip(".")
            return f"Vous avez peut-être oublié la règle {names}{NBSP}: sans elle, {then[:1].lower()}{then[1:]}, et l’on trouve bien {answer}."
        return f"Vous avez peut-être oublié les règles {names}{NBSP}: sans elles, on trouve bien {answer}."
    lines = [
        " avec ".join(f"[[{rule}]] ({held.section(rule).title})" for rule in rules) for rules in found[:_MOST_SHOWN]
    ]
    return f"Vous avez peut-être oublié {', ou peut-être '.join(lines)}{NBSP}: sans cela, on trouve bien {answer}."
