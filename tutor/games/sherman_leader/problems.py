"""Every fault of a well-formed but impossible position of Sherman Leader, as French sentences.

**Rule:** 3.16.2, 5.3, 5.4.3, 5.4.5.
"""

from __future__ import annotations

from tutor.core.faults import common_faults
from tutor.core.grids_pointy import PointyHexGrid
from tutor.core.position import Position
from tutor.games.sherman_leader.board import enterable
from tutor.games.sherman_leader.game import GAME


def problems(position: Position) -> list[str]:
    """Every fault of a well-formed but impossible position, as French sentences.

    **Rule:** 3.16.2, 5.3, 5.4.3, 5.4.5.

    >>> problems(GAME.position("tour-1"))
    []
    """
    if not isinstance(position.grid, PointyHexGrid):
        return ["Le champ de bataille est fait de rangées droites d’hexagones (kind: pointy)."]
    faults = list(common_faults(position, GAME.tables))
    classes = GAME.tables["classes"]
    for piece in position.pieces:
        name = piece.name or piece.id
        if piece.kind == "commander":
            unit = position.by_id.get(piece.carrier or "")
            if unit is None or unit.kind == "commander" or unit.side != "us":
                faults.append(f"{name} commande une unité qui n’est pas là.")
            continue
        if not classes.has(piece.kind):
            faults.append(f"{name} : le type « {piece.kind} » n’existe pas dans ce jeu.")
            continue
        if classes.get(piece.kind, "side") != piece.side:
            faults.append(f"{name} n’est pas du bon camp pour son type.")
        if piece.at is None:
            faults.append(f"{name} n’est sur aucun hexagone du plateau.")
        elif not enterable(position, piece.at, bool(classes.get(piece.kind, "vehicle"))):
            faults.append(f"{name} ne peut pas se trouver en {piece.at}.")
    for unit in position.pieces:
        if sum(p.kind == "commander" and p.carrier == unit.id for p in position.pieces) > 1:
            faults.append(f"{unit.name or unit.id} a deux commandants.")
    return faults


GAME.problems = problems
