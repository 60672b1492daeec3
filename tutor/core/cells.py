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

    >>> HEXES.two, SQUARES.target, SQUARES.none
    ('deux hexs', 'la case visée', 'aucune case')
    >>> all(words.side == f"un {words.sides.replace('côtés', 'côté')}" for words in (HEXES, HEXAGONS, SQUARES))
    True
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
    def of(self) -> str:
        """« d’hexs »."""
        return f"de {self.names}" if self.feminine else f"d’{self.names}"

    @property
    def some(self) -> str:
        """« des hexs »."""
        return f"des {self.names}"

    @property
    def none(self) -> str:
        """« aucun hex »."""
        return f"aucun{'e' if self.feminine else ''} {self.name}"

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
    "case", "cases", "une case", "la case", "cette case", "un côté de case", "côtés de case", feminine=True
)
