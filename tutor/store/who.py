"""Who asks, and what is asked of the store: plain data, without SQLAlchemy, for whoever receives requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tutor.store.errors import Refused

#: Who may ask: anyone, or who has shown a resume code, a teacher's key, a participant's token; the server itself.
May = Literal["anyone", "learner", "teacher", "participant", "server"]
Args = Mapping[str, Any]
Result = dict[str, Any]


@dataclass
class Who:
    """Whose secrets were presented on a connection.

    Args:
        learner: id of a learner, or None.
        teacher: id of a teacher, or None.
        participant: ids of participants, by session.
        server: the server itself asks; never a connection.
    """

    learner: int | None = None
    teacher: int | None = None
    participant: dict[int, int] = field(default_factory=dict)
    server: bool = False

    def owner(self, may: May) -> str:
        """A short name of who asks, kept with the receipt of a write.

        >>> Who(learner=3).owner("learner"), Who().owner("anyone")
        ('learner 3', 'anyone')
        """
        if may == "learner":
            return f"learner {self.learner}"
        if may == "teacher":
            return f"teacher {self.teacher}"
        return may


@dataclass(frozen=True)
class Keeping:
    """How long things are kept, in days.

    Args:
        sessions: class sessions, from their opening.
        learners: learners, from their last visit.
        links: short links, from their last use.
        authored: positions and lessons written by readers, from their last change.
    """

    sessions: int = 90
    learners: int = 365
    links: int = 365
    authored: int = 3 * 365


@dataclass
class Write:
    """A write that waits for its turn.

    Args:
        op: name of the operation.
        uuid: made by who asks; the same request keeps it.
        who: whose secrets were presented.
        args: arguments, unchecked.
        at: when it came, in seconds since 1970; 0: now.
        keeps: whether the server itself writes it later when the database is away, though nobody may ask again.
    """

    op: str
    uuid: str
    who: Who
    args: Args
    at: float = 0.0
    keeps: bool = False


@dataclass
class Outcome:
    """What came of a write.

    Args:
        result: what it gave.
        refused: why it was refused for good, or None.
        touched: sessions that it changed.
    """

    result: Result = field(default_factory=dict)
    refused: Refused | None = None
    touched: frozenset[int] = frozenset()
