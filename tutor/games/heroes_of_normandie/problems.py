"""Every fault of a well-formed but impossible position of Heroes of Normandie, as French sentences.

**Rule:** 1.2, 1.3, 1.4.
"""

from __future__ import annotations

from tutor.core.faults import common_faults
from tutor.core.grid import SquareGrid, split_side
from tutor.core.position import Position
from tutor.games.heroes_of_normandie.board import SIDES, forbidden
from tutor.games.heroes_of_normandie.game import GAME


def problems(position: Position) -> list[str]:
    """Every fault of a well-formed but impossible position, as French sentences.

    **Rule:** 1.2, 1.3, 1.4.

    >>> problems(GAME.position("dominante"))
    []
    """
    if not isinstance(position.grid, SquareGrid):
        return ["Le champ de bataille est fait de cases carrées (kind: square)."]
    faults = list(common_faults(position, GAME.tables))
    for side in position.sides_of:
        if sum(cell in position.grid for cell in split_side(side)) == 1:
            faults.append(f"Côtés : {side} n’est pas entre deux cases du plateau.")
    for cell, half in position.markers.get("ruined_half", {}).items():
        if half and half not in SIDES:
            faults.append(f"{cell}\u00a0: le côté d’une moitié en ruine va de 1 à 4.")
    for piece in position.pieces:
        name = piece.name or piece.id
        if not GAME.tables["kinds"].has(piece.kind):
            faults.append(f"{name} : le type « {piece.kind} » n’existe pas dans ce jeu.")
        elif piece.kind == "plane":
            faults += [f"{name} est un avion : il vole hors du plateau."] if piece.at else []
        elif piece.at is None:
            faults.append(f"{name} n’est sur aucune case du plateau.")
        elif forbidden(position, piece, piece.at):
            faults.append(f"{name} ne peut pas se trouver en {piece.at}.")
    return faults


GAME.problems = problems
