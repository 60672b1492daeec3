"""An exercise of one's own, for a notebook of one's own: a position, a question, and what of the answer is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as ipw

from tutor.core.position import Position
from tutor.course.models import parse_model
from tutor.course.teacher_lessons import Asked, exercise_of
from widgets.host.page import Page
from widgets.host.prose import Writer, box
from widgets.player.exercise import ExercisePlayer


def exercise(
    position: Position, ask: str, question: str, answer: Mapping[str, Any], *, hint: str = "", **given: Any
) -> ipw.Widget:
    """An exercise, whose right answer the rules compute.

    Args:
        position: the situation.
        ask: name of the question put to the rules (``los``, ``fire``, or one of one's own).
        question: the question put to the reader, in French.
        answer: what answers it, as in a file of exercises: ``{"kind": "number", "from": "value.hindrance"}``, or
            ``{"kind": "hexes", "from": "value"}``.
        hint: shown when asked for.
        given: the declaration.

    Raises:
        ContentError: the exercise cannot be read. PositionError: the position is impossible.
        RequestError: the question cannot be asked of it.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> shown = exercise(place, "los", "Quelle gêne ?", {"kind": "number", "from": "value.hindrance"}, start="M9", end="N6")
    >>> len(shown.children)
    2
    """
    data = {"ask": ask, "question": question, "answer": dict(answer), "with": given} | ({"hint": hint} if hint else {})
    asked = parse_model(Asked, data, "exercice")
    page = Page()
    player = ExercisePlayer(page, position.game, "", [exercise_of(position, asked, "exercice")], Writer(position.game))
    return box(player.widget, box(*page.unseen))
