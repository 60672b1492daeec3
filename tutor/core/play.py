"""What can be ordered in a mini-scenario: enumerated, declared with its dice, judged by the odds of the game itself.

A game says it in its ``play.py``, as ``PLAY``: kind of order -> :class:`Order`. No rule is written there: orders ask
the questions of the game, which alone allow and refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from tutor.core.dice import Pair
from tutor.core.position import Position

Arguments = dict[str, Any]
#: What becomes of a piece: its state (``standing``, ``suppressed``, ``broken``, ``eliminated``), and where it is then.
Fate = tuple[str, str | None]
#: Piece id -> fate -> probability; of the pieces that the order may change.
Fates = Mapping[str, Mapping[Fate, Fraction]]
Roller = Callable[[], Pair]


@dataclass(frozen=True)
class Declaration:
    """An order as it is declared.

    Args:
        order: its kind.
        doer: piece that does it, "" when it is the whole side.
        places: cells chosen, in order.
    """

    order: str
    doer: str = ""
    places: tuple[str, ...] = ()


class Order(Protocol):
    """One kind of order: what it is called, what it takes, what it asks, what it is worth."""

    @property
    def label(self) -> str:
        """« Tirer »."""

    @property
    def where(self) -> str:
        """What the board asks once the piece is chosen, « Sur quel hex ? »; "" where no cell is chosen."""

    @property
    def several(self) -> bool:
        """Whether cells are chosen one after another."""

    def doers(self, position: Position, side: str) -> tuple[str, ...]:
        """Pieces that a reader may think of, able or not; ("",) when it is the whole side."""

    def places(self, position: Position, doer: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Cells that may be chosen next, allowed or not."""

    def options(self, position: Position, side: str) -> Iterator[Declaration]:
        """Declarations worth weighing, allowed or not, in the order in which they are listed."""

    def question(self, position: Position, declared: Declaration) -> tuple[str, Arguments]:
        """The question that allows it or not, and its arguments, without dice."""

    def rolled(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments]:
        """The same with every die that it needs."""

    def sequel(self, position: Position, declared: Declaration, roll: Roller) -> tuple[str, Arguments] | None:
        """What the rules make follow at once (a melee), with its dice; ``position``: once the order is carried out."""

    def fates(self, position: Position, declared: Declaration) -> Fates | None:
        """What may become of the pieces; None where the booklet does not let it be known."""

    def said(self, position: Position, declared: Declaration) -> str:
        """The declaration in French: « Fusiliers, sur D3 »."""

    def chances(self, position: Position, declared: Declaration) -> str:
        """Its odds in French: « 34 % de démoraliser la Ligne »."""

    def because(self, position: Position, chosen: Declaration, best: Declaration) -> str:
        """Which rule makes another declaration of the same kind better; "" when none stands out."""
