"""Answers that have a place: what the label of a choice, or of a line to put in order, names on the board."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tutor.core.position import Position
from tutor.course.headlines import head, places


def spots(label: str, position: Position) -> frozenset[str]:
    """Cells that a label names, and those where the pieces that it names stand; what follows « : » does not count.

    Args:
        label: of an answer.
        position: where the question is asked.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> spots("Schmidt : il voit K6", place)
    frozenset({'M9'})
    """
    said = head(label)
    cells = {cell for cell in places(said) if cell in position.grid}
    lowered = said.lower()
    for piece, name in position.names.items():
        cell = position.hex_of(piece)
        if cell and re.search(rf"\b{re.escape(name.lower())}\b", lowered):
            cells.add(cell)
    return frozenset(cells)


def answers_on_board(labels: Iterable[str], position: Position) -> dict[frozenset[str], str]:
    """Cells -> the label that names them, of those whose cells no other label names just so; none where that leaves
    fewer than two: one place alone would give the answer away.

    Args:
        labels: of the answers to one question.
        position: where it is asked.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> answers = answers_on_board(["En K6", "En K7 et K8", "Nulle part"], place)
    >>> sorted(map(sorted, answers))
    [['K6'], ['K7', 'K8']]
    """
    where = {label: spots(label, position) for label in labels}
    cells = list(where.values())
    made = {spot: label for label, spot in where.items() if spot and cells.count(spot) == 1}
    return made if len(made) > 1 else {}
