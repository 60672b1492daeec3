"""Every fault of a well-formed but impossible position of Combat Commander, as French sentences.

**Rule:** 2, 8.1, 8.1.1, 8.1.2, 8.1.3, 8.1.5, F100.3, O16.4, T78.1, T80.2, T88, T94.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tutor.core.faults import common_faults
from tutor.core.grid import HexGrid
from tutor.core.position import Position
from tutor.games.combat_commander.game import GAME


def problems(position: Position) -> list[str]:
    """Every fault of a position; empty when it can be played.

    >>> from tutor import load_position
    >>> p = load_position("combat_commander", "plateau-livret")
    >>> problems(p), problems(p.change({"terrain.Z9": "woods"}))
    ([], ['Terrain : Z9 n’est pas sur le plateau.'])
    """
    if not isinstance(position.grid, HexGrid) or not position.grid.cells:
        return ["Le plateau : ses colonnes ou ses rangées sont à l’envers, ou il n’est pas en hexs."]
    return [
        *common_faults(position, GAME.tables),
        *_ground(position),
        *_beneath(position),
        *_markers(position),
        *_pieces(position),
    ]


def _ground(position: Position) -> Iterator[str]:
    for level in position.levels:
        if not 0 <= level <= 4:
            yield f"Niveaux : {level} n’existe pas, les collines vont de 1 à 4 (T88)."
    for cell in (cell for group in position.joined for cell in group):
        if position.terrain_of.get(cell) != "building":
            yield f"Bâtiments réunis : {cell} n’en est pas un."


def _beneath(position: Position) -> Iterator[str]:
    """What ``state.beneath`` says of the other terrain of minor bridges. **Rule:** T80.2."""
    beneath, terrain = position.state.get("beneath") or {}, GAME.tables["terrain"]
    if not isinstance(beneath, dict):
        yield "Sous les ponts : « beneath » donne un terrain à chaque hex de Pont Secondaire (T80.2)."
        return
    known = [kind for kind in terrain.rows if terrain.get(kind, "move") is not None]
    for cell, kind in beneath.items():
        if cell not in position.grid:
            yield f"Sous les ponts : {cell} n’est pas sur le plateau (T80.2)."
        if kind not in known:
            yield f"Sous les ponts : « {kind} » en {cell} ; choisissez parmi {', '.join(known)}."


def _markers(position: Position) -> Iterator[str]:
    table, terrain = GAME.tables["markers"], GAME.tables["terrain"]
    for kind, cells in position.markers.items():
        for cell in cells if table.has(kind) and kind != "objective" else ():
            if terrain.get(position.terrain_of.get(cell, "open"), "aquatic", False):
                name = table.term(kind)
                none = f"pas d’{name}" if name[0] in "AEÉIOUaeéiou" else f"pas de {name}"
                yield f"Marqueurs : {cell} est aquatique, il n’y a {none} (8.1.3, T89, T95, T98)."
    for cell, value in position.markers.get("smoke", {}).items():
        if type(value) is not int or not 1 <= value <= 10:
            yield f"Fumigènes en {cell} : la valeur va de 1 à 10 (T94)."
    for cell in position.markers.get("blaze", {}):
        others = [k for k in ("smoke", "fortification") if position.marker(k, cell)]
        if others or position.pieces_at(cell):
            yield f"Incendie en {cell} : rien d’autre ne peut s’y trouver (8.1.5)."


def _pieces(position: Position) -> Iterator[str]:
    terrain = GAME.tables["terrain"]
    for piece in position.pieces:
        if piece.at and terrain.get(position.terrain_of.get(piece.at, "open"), "impassable", False):
            yield f"Pions : {piece.name or piece.id} est en {piece.at}, infranchissable."
    loads = Counter(piece.carrier for piece in position.pieces if piece.carrier)
    yield from (f"Pions : « {unit} » porte deux Armes (8.1.1)." for unit, count in loads.items() if count > 1)
    radios = Counter(p.side for p in position.pieces if p.kind == "radio" and "eliminated" not in p.status)
    camps = {"axis": "l’Axe", "allies": "les Alliés"}
    yield from (f"Radios : une seule à la fois pour {camps[side]} (8.1.2)." for side in camps if radios[side] > 1)
    for cell in sorted({p.at for p in position.pieces if p.at}):
        sides = {p.side for p in position.pieces_at(cell) if p.at == cell}
        if len(sides) > 1 and not position.state.get("melee"):
            yield f"Pions : les deux camps sont en {cell} sans Mêlée (O16.4)."


GAME.problems = problems
