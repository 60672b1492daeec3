"""What the content asks of the engine, read once for all tests of a process, and with it what was answered."""

from __future__ import annotations

from functools import cache

from tutor.course import why
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
