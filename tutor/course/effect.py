"""What a result changes on the board that a reader can see, so that a live example can show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result


def effect(position: Position, question: str, given: Mapping[str, Any], result: Result[Any]) -> dict[str, Any]:
    """Changes of the board that a computed result brings, by the game's ``aftermath``.

    Args:
        position: where it was asked.
        question: name of the rule.
        given: its declaration.
        result: what came of it.

    Returns:
        Change paths and values; empty when nothing is to be seen, or when nobody has said what the result changes.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "objectifs")
    >>> given = {"name": "dig_in", "side": "allies", "moment": "time_advanced", "cell": "G4"}
    >>> effect(position, "action", given, ask(position, "action", **given))
    {'marker.fortification.G4': 'foxholes'}
    """
    if result.outcome != "computed":
        return {}
    try:
        changes = dict(game(position.game).aftermath(position, question, given, result.value))
        seen = {path: value for path, value in changes.items() if _visible(position, path)}
        return changes if seen and position.change(changes) != position else {}
    except TutorError:
        return {}


def _visible(position: Position, path: str) -> bool:
    """Whether a change shows: neither on a track, nor of a piece beside the board that stays there."""
    kind, _, rest = path.partition(".")
    name, _, what = rest.partition(".")
    if kind == "piece":
        return what == "at" or (what != "activated" and position.hex_of(name) is not None)
    return kind != "state"
