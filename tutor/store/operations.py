"""What can be asked of the store: a register of named operations, each with who may ask.

An operation gets a call (connection, who asks, arguments, now) and gives back what JSON has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy.engine import Connection

from tutor.store.errors import Forbidden
from tutor.store.who import Args, Keeping, May, Result, Who

Kind = Literal["read", "write"]


@dataclass(frozen=True)
class Call:
    """One request, inside its transaction.

    Args:
        db: connection.
        who: whose secrets were presented.
        args: arguments, unchecked.
        now: seconds since 1970.
        uuid: of a write, made by who asks; "" for a read.
        keeping: how long things are kept.
        touched: sessions changed by this transaction, completed by the operation.
        given: when the request came, before any outage that it waited through; in seconds since 1970.
    """

    db: Connection
    who: Who
    args: Args
    now: float
    uuid: str = ""
    keeping: Keeping = field(default_factory=Keeping)
    touched: set[int] = field(default_factory=set)
    given: float = 0.0

    @property
    def learner(self) -> int:
        """Id of the learner who asks.

        Raises:
            Forbidden: when no resume code was presented.
        """
        if self.who.learner is None:
            raise Forbidden("Aucun code de reprise n’a été donné.")
        return self.who.learner


@dataclass(frozen=True)
class Operation:
    """A named operation.

    Args:
        name: as in a message.
        kind: read or write.
        may: who may ask.
        run: what it does.
        receipt: whether its result is kept, so that the same request gets it again (writes; else it sees to it itself).
    """

    name: str
    kind: Kind
    may: May
    run: Callable[[Call], Result]
    receipt: bool = True


OPERATIONS: dict[str, Operation] = {}


def operation(
    name: str, kind: Kind, may: May, *, receipt: bool = True
) -> Callable[[Callable[[Call], Result]], Callable[[Call], Result]]:
    """Register a function as an operation (see `Operation`)."""

    def register(run: Callable[[Call], Result]) -> Callable[[Call], Result]:
        OPERATIONS[name] = Operation(name, kind, may, run, receipt)
        return run

    return register


def allow(operation: Operation, who: Who) -> None:
    """Refuse who may not ask.

    Raises:
        Forbidden: when the secret that this operation needs was not presented.
    """
    proofs = {"anyone": True, "learner": who.learner, "teacher": who.teacher, "participant": who.participant}
    proofs["server"] = who.server
    if not proofs[operation.may]:
        needed = {"learner": "un code de reprise", "teacher": "une clé d’enseignant", "participant": "une inscription"}
        raise Forbidden(f"Il faut d’abord {needed.get(operation.may, 'être le serveur')}.")
