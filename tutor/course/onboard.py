"""Answers that have a place: what the label of a choice, or of a line to put in order, names on the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.course import lessons
from tutor.course.exercises import Task
from tutor.course.figures import head, places
from tutor.course.models import texts
from tutor.course.shown import named_hexes


def speaks_of(position: Position, arguments: Mapping[str, Any], *forms: Any) -> tuple[str, ...]:
    """Cells that a question speaks of: in its arguments, through their pieces, in its words; a board that is too large
    to be seen whole opens on them.

    Args:
        position: where it is asked.
        arguments: of the question.
        forms: what it is made of, texts among them.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> speaks_of(place, {"start": "J9", "target": "schmidt"}, "Le verriez-vous de K6 ?")
    ('J9', 'M9', 'K6')
    """
    named = [*named_hexes(position, arguments)]
    for text in texts(list(forms)):
        named += sorted(cell for cell in places(text) if cell in position.grid)
    return tuple(dict.fromkeys(named))


def task_speaks_of(task: Task) -> tuple[str, ...]:
    """Cells that an exercise speaks of, as :func:`speaks_of` finds them: its question, its spots, its answers.

    >>> from tutor.course.lessons import exercises
    >>> task_speaks_of(Task.of("tcs", exercises("tcs")["tcs-12-chemin"]))[:1]
    ('05.03',)
    """
    return speaks_of(task.position, task.arguments, task.question, *task.spots, task.exercise.answer)


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
    cells = {cell for cell in places(head(label)) if cell in position.grid}
    return frozenset(cells | {cell for piece in _pieces(label, position) if (cell := position.hex_of(piece))})


def _pieces(label: str, position: Position) -> list[str]:
    """Ids of the pieces that a label names."""
    said = head(label).lower()
    return [piece for piece, name in position.names.items() if re.search(rf"\b{re.escape(name.lower())}\b", said)]


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


def pieces_on_board(labels: Iterable[str], position: Position) -> dict[str, str]:
    """Piece -> the label that names it and no other; none where that leaves fewer than two, or where cells say it all:
    counters of one stack are told apart by touching them, not their hex.

    Args:
        labels: of the answers to one question.
        position: where it is asked.

    >>> from tutor import load_position
    >>> place = load_position("tcs", "pertes")
    >>> pieces_on_board(["Le 1er platoon", "Le 2e platoon", "L’un des deux"], place)
    {'p1': 'Le 1er platoon', 'p2': 'Le 2e platoon'}
    """
    every = list(labels)
    if answers_on_board(every, position):
        return {}
    where = {label: _pieces(label, position) for label in every}
    named = [tuple(pieces) for pieces in where.values()]
    made = {ids[0]: label for label, ids in where.items() if len(ids) == 1 and named.count(tuple(ids)) == 1}
    return {piece: label for piece, label in made.items() if position.hex_of(piece)} if len(made) > 1 else {}


def lines_on_board(labels: Iterable[str], position: Position) -> dict[str, str]:
    """Cell -> the line to put in order that names it alone; none unless every line has a cell of its own.

    Args:
        labels: of the lines.
        position: where the question is asked.

    >>> from tutor import load_position
    >>> place = load_position("combat_commander", "livret-ldv")
    >>> lines_on_board(["En K6", "En K7"], place), lines_on_board(["En K6", "En K7 et K8"], place)
    ({'K6': 'En K6', 'K7': 'En K7'}, {})
    """
    every = list(labels)
    where = {next(iter(cells)): label for cells, label in answers_on_board(every, position).items() if len(cells) == 1}
    return where if len(where) == len(every) else {}


def on_board(task: Task) -> bool:
    """Whether an exercise is answered on the board: by clicking hexes, or places or counters that all its lines, or
    several of its choices, name.

    Args:
        task: the exercise, on its position.

    >>> from tutor.course.lessons import exercises
    >>> on_board(Task.of("combat_commander", exercises("combat_commander")["cc-02-hexs"]))
    True
    """
    answer = task.exercise.answer
    if answer.kind == "order":
        return bool(lines_on_board((item.label for item in answer.items), task.position))
    labels = [choice.label for choice in answer.choices]
    named = answers_on_board(labels, task.position) or pieces_on_board(labels, task.position)
    return answer.kind == "hexes" or bool(named)


def share(game_id: str) -> tuple[int, int]:
    """How many exercises of a game are answered on the board, and how many there are.

    Args:
        game_id: game.

    Returns:
        Those answered on the board, and all.

    >>> on, among = share("combat_commander")
    >>> 0 < on < among
    True
    """
    asked = [on_board(Task.of(game_id, exercise)) for exercise in lessons.exercises(game_id).values()]
    return sum(asked), len(asked)


def shares(game_ids: Iterable[str]) -> str:
    """How many exercises of each game are answered on the board, a line for each.

    Args:
        game_ids: games.

    >>> shares(["combat_commander"]).startswith("Combat Commander")
    True
    """
    lines = []
    for game_id in game_ids:
        on, among = share(game_id)
        part = f" ({round(100 * on / among)}{NBSP}%)" if among else ""
        lines.append(f"{game(game_id).title}{NBSP}: {on} exercices sur {among} se répondent sur le plateau{part}.")
    return "\n".join(lines)
