"""What a straight line meets, as data: each finding, and all those of a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(slots=True)
class Finding:
    """Something on the line that a rule speaks of.

    Args:
        code: name of the step it becomes.
        rule: rule id that decides what it does.
        kind: woods, smoke, wall, …
        cell: hex it is in (for a side: empty).
        side: name of the side, for walls, hedges and fences.
        value: hindrance, for hindrances.
        level: its level.
        at: parameter along the line of the first contact, from the end the line was computed from.
        open: whether another reading of the booklet would say otherwise.
    """

    code: str
    rule: str
    kind: str = ""
    cell: str = ""
    side: str = ""
    value: int = 0
    level: int = 0
    at: Fraction | None = None
    open: bool = False


@dataclass(slots=True)
class Sight:
    """All that was found on a line.

    Args:
        first: the end it was computed from (the higher one).
        last: the other end.
        blocks: what stops the line, in the order the rules look for it; only the first unless all were asked for.
        hindrances: what hinders it.
        notes: what was looked at and does nothing, and why (only when all was asked for).
        hindrance: the amount that counts.
    """

    first: str
    last: str
    blocks: list[Finding] = field(default_factory=list)
    hindrances: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    hindrance: int = 0
