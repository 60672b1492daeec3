"""What a rule needs of its game: the least that a computation reads, and what a question leaves there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from tutor.core.marks import Asked, Mark
from tutor.core.position import Position
from tutor.core.tables import Table

#: What is declared to a question, and what its answer changes of a position: change paths and values.
Declared = Mapping[str, Any]
Changes = Mapping[str, Any]


class Rulebook(Protocol):
    """A game, as its rules see it; :class:`tutor.core.registry.Game` is one."""

    id: str
    #: Rule id -> French sentence saying what holds without it.
    omittable: dict[str, str]
    #: Question -> what its computed answer changes of a position.
    consequences: dict[str, Callable[[Position, Declared, Any], Changes]]
    #: Question -> what a board shows of its answer.
    drawings: dict[str, Callable[[Any, Asked], tuple[Mark, ...]]]

    @property
    def tables(self) -> Mapping[str, Table]:
        """The numbers of the rulebook, by name of the table."""
        ...

    def reading(self, position: Position, name: str) -> str:
        """The reading of an open point that a position takes, or the default."""
        ...
