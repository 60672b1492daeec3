"""The trace: a tree of steps from which sentences, highlights and JSON are rendered,
never written beside the computation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

Kind = Literal["input", "table", "compute", "choice", "dice", "refusal", "rule"]
Source = Literal["position", "table", "rule", "default", "dice", "reader"]
PlaceKind = Literal["hex", "side", "segment", "point", "piece"]


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere on the board.

    Args:
        kind: hex, side (``M8/N8``), segment (``J9>K6``), point (lattice coordinates), piece (its id).
        ref: the name, or ``"x,y"`` in lattice units for a point.
    """

    kind: PlaceKind
    ref: str


@dataclass(frozen=True, slots=True)
class Operand:
    """One term of a step: its value and where it comes from.

    Args:
        value: number, text, or a list of them.
        source: position, table, rule, default, dice or reader.
        cell: ``table.row.column`` for table reads.
    """

    value: Any
    source: Source = "position"
    cell: str | None = None


@dataclass(slots=True)
class Step:
    """One node of a trace.

    Args:
        rule: id in the rule index of the game.
        code: key of the sentence in the game's phrases, and stable name of the step.
        kind: input, table, compute, choice, dice, refusal, rule (a group of steps).
        operands: named terms; the sentence is filled from them.
        value: what the step yields.
        unit: its unit (PF, hexs, PM…).
        where: places the step speaks of.
        children: the steps it is made of.
        note: provenance badge (``déduit``, ``interprétation``…) when the term is not the booklet's own.
    """

    rule: str
    code: str
    kind: Kind = "compute"
    operands: Mapping[str, Operand] = field(default_factory=dict)
    value: Any = None
    unit: str | None = None
    where: tuple[Place, ...] = ()
    children: list[Step] = field(default_factory=list)
    note: str | None = None

    def walk(self) -> Iterator[Step]:
        """This step and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def rules(self) -> list[str]:
        """Rule ids in reading order, each once.

        >>> Step("O20", "fire", children=[Step("10.3", "a"), Step("10.3", "b")]).rules()
        ['O20', '10.3']
        """
        return list(dict.fromkeys(step.rule for step in self.walk()))

    def as_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "rule": self.rule,
            "code": self.code,
            "kind": self.kind,
            "operands": {
                name: {"value": plain(o.value), "source": o.source} | ({"cell": o.cell} if o.cell else {})
                for name, o in self.operands.items()
            },
            "value": plain(self.value),
            "unit": self.unit,
            "where": [{"kind": place.kind, "ref": place.ref} for place in self.where],
            "note": self.note,
            "children": [child.as_json() for child in self.children],
        }


def plain(value: Any) -> Any:
    """JSON form of any value a rule returns: fractions as ``"a/b"``, dataclasses as mappings.

    >>> plain({"p": Fraction(1, 3), "hexes": ("J7",)})
    {'p': '1/3', 'hexes': ['J7']}
    """
    if value is None or isinstance(value, (str, int)):  # most of them
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def hexes(*names: str) -> tuple[Place, ...]:
    """Places of hexes by name."""
    return tuple(Place("hex", name) for name in names)


def segment(start: str, end: str) -> Place:
    """The straight line between two hex centres."""
    return Place("segment", f"{start}>{end}")
