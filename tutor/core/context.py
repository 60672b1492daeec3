"""What a rule function works in: the position, traced tables, the rules left out, and the trace being built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tutor.core.effort import spend
from tutor.core.errors import OmissionError, UnknownValue
from tutor.core.position import Position
from tutor.core.rulebook import Rulebook
from tutor.core.tables import Cell, Table
from tutor.core.trace import Kind, Operand, Place, Step


def dice(value: Any) -> Operand:
    """An operand that was rolled."""
    return Operand(value, "dice")


def reader(value: Any) -> Operand:
    """An operand that the reader declared."""
    return Operand(value, "reader")


def default(value: Any) -> Operand:
    """An operand nobody gave: the default holds."""
    return Operand(value, "default")


class Refused(Exception):
    """A declaration is refused: nothing is computed of it any more."""


class TracedTable:
    """A table whose reads are recorded in the trace, so that no rule author has to."""

    __slots__ = ("_context", "_table")

    def __init__(self, table: Table, context: Context) -> None:
        self._table, self._context = table, context

    def get(self, row: str, column: str, where: Iterable[Place] = ()) -> Any:
        """Value of a cell, recorded as a table step.

        Raises:
            UnknownValue: the rulebook does not print it.
        """
        cell = self._table.cell(row, column)
        self._context.table_step(cell, where)
        return cell.value

    def peek(self, row: str, column: str, otherwise: Any = None) -> Any:
        """Value of a cell, unrecorded: for conditions that yield no term of their own."""
        return self._table.get(row, column, otherwise)


class Context:
    """One computation.

    Args:
        game: the game whose rules run.
        position: the situation; never changed.
        without: ids of the rules left out; each must declare what then holds.
        trace: False builds no trace (odds, many pairs).

    Raises:
        OmissionError: a rule that cannot be left out.
    """

    def __init__(self, game: Rulebook, position: Position, *, without: Iterable[str] = (), trace: bool = True) -> None:
        self.game, self.position, self.tracing = game, position, trace
        self.without = frozenset(without)
        for rule in self.without:
            if rule not in game.omittable:
                raise OmissionError(
                    f"La règle {rule} ne peut pas être laissée de côté.",
                    remedy=f"Règles possibles : {', '.join(sorted(game.omittable))}.",
                )
        self.consulted: set[str] = set()
        self.refusals: list[Step] = []
        self.root = Step("", "root", "rule")
        self._stack = [self.root]

    def on(self, rule: str) -> bool:
        """Whether a rule that may be left out holds; remembers that it was asked for."""
        spend()
        self.consulted.add(rule)
        return rule not in self.without

    def setting(self, name: str) -> str:
        """The chosen reading of an open point: of the position, or the game's default."""
        spend()
        return self.game.reading(self.position, name)

    def table(self, name: str) -> TracedTable:
        """A table whose reads are recorded."""
        spend()
        return TracedTable(self.game.tables[name], self)

    def step(
        self,
        rule: str,
        code: str,
        kind: Kind = "compute",
        /,
        *,
        value: Any = None,
        unit: str | None = None,
        where: Iterable[Place] = (),
        note: str | None = None,
        **operands: Any,
    ) -> None:
        """Add a step to the trace; operands that are not ``Operand`` come from the position."""
        if self.tracing:
            self._stack[-1].children.append(_step(rule, code, kind, value, unit, where, note, operands))

    def refuse(
        self, rule: str, code: str, /, *, where: Iterable[Place] = (), note: str | None = None, **operands: Any
    ) -> None:
        """Refuse, with the reason; the computation goes on so that every reason is found."""
        spend()
        step = _step(rule, code, "refusal", None, None, where, note, operands)
        self.refusals.append(step)
        if self.tracing:
            self._stack[-1].children.append(step)

    def adopt(self, silent: Context) -> None:
        """Refuse for the reasons that another computation gave: what it worked out besides is not said."""
        self.consulted |= silent.consulted
        self.refusals += silent.refusals
        if self.tracing:
            self._stack[-1].children += silent.refusals

    @property
    def settled(self) -> bool:
        """Whether the declaration is refused, whatever is computed further; never with a rule left out."""
        return bool(self.refusals) and not self.without

    def settle(self) -> None:
        """Stop here once the declaration is refused, all its reasons said: what it would give is not computed.

        With a rule left out it goes on: a wrong answer is explained by what one finds who forgets the rule.

        Raises:
            Refused: it is refused; the question is answered with the reasons alone.
        """
        if self.settled:
            raise Refused

    @contextmanager
    def group(self, rule: str, code: str, /, *, where: Iterable[Place] = (), **operands: Any) -> Iterator[Step]:
        """Steps that belong together; set ``value`` and ``unit`` on the step given."""
        step = _step(rule, code, "rule", None, None, where, None, operands)
        if not self.tracing:
            yield step
            return
        self._stack[-1].children.append(step)
        self._stack.append(step)
        try:
            yield step
        finally:
            self._stack.pop()

    @contextmanager
    def hold(self, unknowns: list[UnknownValue]) -> Iterator[None]:
        """Keep an unknown value for later, so that what is refused whatever it is worth is said first."""
        try:
            yield
        except UnknownValue as missing:
            unknowns.append(missing)

    def table_step(self, cell: Cell, where: Iterable[Place]) -> None:
        """Record a table read."""
        if self.tracing:
            note = None if cell.provenance == "livret" else cell.provenance
            self._stack[-1].children.append(
                Step(
                    cell.rule,
                    f"table.{cell.table}.{cell.column}",
                    "table",
                    {"row": Operand(cell.row, "table", cell.path)},
                    cell.value,
                    None,
                    tuple(where),
                    note=note,
                )
            )


def _step(
    rule: str,
    code: str,
    kind: Kind,
    value: Any,
    unit: str | None,
    where: Iterable[Place],
    note: str | None,
    operands: Mapping[str, Any],
) -> Step:
    return Step(
        rule,
        code,
        kind,
        {name: o if isinstance(o, Operand) else Operand(o, "position") for name, o in operands.items()},
        value,
        unit,
        tuple(where),
        note=note,
    )
