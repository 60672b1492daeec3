"""How the cells of a board are called in French; each kind of grid has its words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CellWords:
    """How cells are called.

    Args:
        name, names: « hex », « hexs ».
        one, the, this: « un hex », « l’hex », « cet hex ».
        side, sides: « un côté d’hex », « côtés d’hex ».
        feminine: « une case ».

    >>> HEXES.two, SQUARES.target
    ('deux hexs', 'la case visée')
    """

    name: str
    names: str
    one: str
    the: str
    this: str
    side: str
    sides: str
    feminine: bool = False

    @property
    def two(self) -> str:
        """« deux hexs »."""
        return f"deux {self.names}"

    @property
    def some(self) -> str:
        """« des hexs »."""
        return f"des {self.names}"

    @property
    def target(self) -> str:
        """« l’hex visé »."""
        return f"{self.the} visé{'e' if self.feminine else ''}"

    @property
    def a_target(self) -> str:
        """« un hex visé »."""
        return f"{self.one} visé{'e' if self.feminine else ''}"


HEXES = CellWords("hex", "hexs", "un hex", "l’hex", "cet hex", "un côté d’hex", "côtés d’hex")
HEXAGONS = CellWords(
    "hexagone", "hexagones", "un hexagone", "l’hexagone", "cet hexagone", "un côté d’hexagone", "côtés d’hexagone"
)
SQUARES = CellWords(
    "case", "cases", "une case", "la case", "cette case", "un bord de case", "côtés de case", feminine=True
)
