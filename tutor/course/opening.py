"""What a game opens with on the home page: a question of twenty seconds, its colours, the board of its cover.

Data in the game's ``home.yaml``; a game may have none.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from tutor.core.position import Model, Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.course.exercises import Task
from tutor.course.matching import matches, view
from tutor.course.models import BoardSource, Exercise, Plain, read_model

Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9A-F]{6}$")]


class Cover(Model):
    """The board that a cover shows."""

    position: BoardSource
    changes: dict[str, Plain] = Field(default_factory=dict)


class Opening(Model):
    """How a game opens.

    ``colours``: its own, on light paper and on dark. ``play``: an exercise whose answer is one cell of a few.
    """

    colours: Annotated[list[Colour], Field(min_length=2, max_length=2)]
    cover: Cover
    play: Exercise

    @model_validator(mode="after")
    def _asks_for_one_of_a_few(self) -> Opening:
        if self.play.answer.each is None or not 2 <= len(self.play.answer.each.among) <= 5:
            raise ValueError("« play » demande une réponse « hexes » avec « each », de deux à cinq places")
        return self

    def board(self, game_id: str) -> Position:
        """The board of the cover."""
        return game(game_id).position(self.cover.position).change(self.cover.changes)


@lru_cache(maxsize=32)
def _read(path: Path) -> Opening:
    return read_model(Opening, path)


def opening(game_id: str) -> Opening | None:
    """How a game opens; None when it does not say.

    Raises:
        ContentError: its file is broken.

    >>> opening("combat_commander").play.answer.each.among
    ['A1', 'A3', 'D3']
    """
    path = game(game_id).folder / "home.yaml"
    return _read(path) if path.is_file() else None


class Pick:
    """One of the places that the question offers, and what the engine says of it.

    Args:
        task: the question, on its position.
        cell: the place.
    """

    def __init__(self, task: Task, cell: str) -> None:
        self.cell, self._task = cell, task

    @property
    def name(self) -> str:
        """The one piece that stands there, else the place.

        >>> [pick.name for pick in picks("combat_commander")]
        ['Ganz', 'Fusiliers', 'Pionniers']
        """
        position = self._task.position
        named = [
            piece.name for piece in position.pieces if position.hex_of(piece.id) == self.cell and not piece.carrier
        ]
        return named[0] if len(named) == 1 and named[0] else self.cell

    @property
    def result(self) -> Result[Any]:
        """What the engine says when it is asked of this place."""
        return self._task.about(self.cell).result()

    @property
    def right(self) -> bool:
        """Whether it is the answer, computed now."""
        each = self._task.exercise.answer.each
        assert each is not None
        return matches(each.when, view(self.result))

    @property
    def because(self) -> str:
        """Why it is, or is not: the sentence of the step that ends the proof, its rule marked ``[[…]]``.

        >>> [pick.because for pick in picks("combat_commander")][1]
        'La ligne de vue est bloquée en D2. [[10.2]]'
        """
        result, position = self.result, self._task.position
        last = result.trace.children[-1]
        return f"{game(position.game).sentence(last, position)} [[{last.rule}]]"


def picks(game_id: str) -> list[Pick]:
    """The places that the question of a game offers; none where it asks nothing.

    >>> [pick.right for pick in picks("combat_commander")]
    [True, False, False]
    """
    known = opening(game_id)
    if known is None or known.play.answer.each is None:
        return []
    task = Task.of(game_id, known.play)
    return [Pick(task, cell) for cell in task.spots]
