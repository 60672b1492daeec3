"""The class on the board, as its teacher and the projector show it: where it pointed, and why it erred."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.course.crowd import common_causes, heat, picked
from tutor.course.shown import task_of
from widgets.board.svg import board_svg

#: Greatest width and height of the map, in CSS pixels.
WIDTH, HEIGHT = 460, 400


def class_map(
    body: Mapping[str, Any], distribution: Sequence[Mapping[str, Any]] | None, cause: Callable[[Any], str]
) -> str:
    """The board with the picks of the class, and its three commonest causes of mistakes, as HTML; "" before any answer.

    Args:
        body: what was pushed.
        distribution: answer, ok and count of each; None where it is hidden.
        cause: says which mistake an answer is, as HTML.

    >>> asked = {"form": "exercise", "game": "combat_commander", "exercise": "cc-04-visibles"}
    >>> made = class_map(asked, [{"answer": ["E1"], "ok": False, "count": 4}], lambda _: "Le bois.")
    >>> "<svg" in made, "Le bois." in made, class_map(asked, None, str)
    (True, True, '')
    """
    rows = distribution or ()
    answered = sum(int(row["count"]) for row in rows)
    if not answered or body.get("form") != "exercise":
        return ""
    return _board(body, rows, answered) + _causes(common_causes(rows, cause), answered)


def _board(body: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], answered: int) -> str:
    try:
        task = task_of(body)
        counts = picked(task, rows)
        if not counts:
            return ""
        drawn = board_svg(task.position, [heat(counts, answered)], size=WIDTH, height=HEIGHT)
    except TutorError:
        return ""
    said = ", ".join(f"{cell}{NBSP}: {count}" for cell, count in sorted(counts.items(), key=lambda one: -one[1]))
    return (
        f'<figure class="ldv-heat">{drawn}<figcaption>Où la classe a répondu, sur {answered}{NBSP}: {said}.'
        "</figcaption></figure>"
    )


def _causes(causes: Sequence[tuple[str, int]], answered: int) -> str:
    if not causes:
        return ""
    items = "".join(f"<li>{why} <b>({count} sur {answered})</b></li>" for why, count in causes)
    title = "Les erreurs les plus fréquentes" if len(causes) > 1 else "L’erreur la plus fréquente"
    return f'<div class="ldv-causes"><h3 class="ldv-label">{title}</h3><ol>{items}</ol></div>'
