"""Counters of Escarmouche: two soldiers, and a tag for those that have fired."""

from __future__ import annotations

from tutor.core.faces import CounterStyle, Look, Mark
from tutor.core.position import Piece, Position


def look(position: Position, piece: Piece) -> Look:
    """The face of a piece."""
    return Look("2", (Mark("ESC"),), tags=(Mark("Tir"),) if "fired" in piece.status else ())


STYLE = CounterStyle(look, ("Pions\u00a0: deux soldats, ESC.",), {"woods": "petit bois"})
