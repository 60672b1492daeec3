"""What the content asks of the engine, read once for all tests of a process, and with it what was answered."""

from __future__ import annotations

from functools import cache

from tutor.core.trace import Step
from tutor.course import why
from tutor.course.evidence import Evidence
from tutor.course.exercises import Task
from tutor.course.headlines import answering
from tutor.course.lessons import exercises
from tutor.course.matching import deciding
from tutor.course.proof import deciding_steps
from tutor.course.why import Posed

#: Exercises whose headline is of no rule without which the answer is another one, and why.
UNTURNED = {
    "hn-06-subit": "le marqueur Fanatique est la raison ; son article, 3.2, n’est pas de ceux qu’on omet",
    "cc-07-refus": "ce qui permet un groupe est sa chaîne ; une haie sans effet n’en est pas la raison",
    "asl-02-cote": "« oui, avec une gêne » : la gêne est la réponse, non l’hex d’en face",
    "cc-08-refus": "ce qui permet un chemin est le compte de ses PM ; la Route n’en est qu’un terme, dit dessous",
}


@cache
def posed(game_id: str) -> tuple[Posed, ...]:
    """Every question that the content of a game puts to the engine, as ``tutor.course.why.posed`` gives them.

    Args:
        game_id: id of a registered game.
    """
    return tuple(why.posed(game_id))


@cache
def _by_place(game_id: str) -> dict[str, Posed]:
    return {one.where: one for one in reversed(posed(game_id))}


def posed_at(game_id: str, where: str) -> Posed:
    """The first question of a place, such as ``cc-04-ldv, lisiere, et si 2``.

    Args:
        game_id: id of a registered game.
        where: as ``Posed`` says it.

    Raises:
        KeyError: nothing is asked there.
    """
    return _by_place(game_id)[where]


def proof_at(game_id: str, where: str) -> tuple[Step, ...]:
    """The steps that decide a question of a lesson."""
    one = posed_at(game_id, where)
    assert one.prediction
    asked = one.prediction
    answer = answering(one.result, one.position, asked.because, asked.choices)
    return deciding_steps(one.result, one.position, deciding(one.result, answer[-1].code), asked.choices)


def variants(game_id: str, exercise_id: str) -> list[Task]:
    """An exercise as it is written, and five variants."""
    written = Task.of(game_id, exercises(game_id)[exercise_id])
    return [written, *(written.variant(seed) for seed in range(1, 6))]


def proof_of(task: Task) -> tuple[Step, ...]:
    """The steps that decide an exercise."""
    seen = Evidence.of(task)
    return deciding_steps(seen.result, seen.position, seen.headline, seen.choices)


def shown_of(task: Task) -> list[str]:
    """The codes of the steps that are shown of an exercise."""
    return [step.code for step in proof_of(task)]
