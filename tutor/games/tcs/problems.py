"""Every fault of a well-formed but impossible position of Tactical Combat Series, as French sentences.

**Rule:** 1.1a, 4.1c, 8.1e, 8.2b, 9.3, 17.3c, 17.5c.
"""

from __future__ import annotations

from tutor.core.faults import common_faults
from tutor.core.grid import HexGrid
from tutor.core.position import Position
from tutor.games.tcs.board import PERCENT
from tutor.games.tcs.game import GAME
from tutor.games.tcs.units import state_problems


def problems(position: Position) -> list[str]:
    """Every fault of a well-formed but impossible position, as French sentences; empty when it can be played.

    **Rule:** 1.1a, 4.1c, 8.1e, 8.2b, 9.3, 17.3c, 17.5c.
    """
    grid = position.grid
    if not isinstance(grid, HexGrid) or not grid.cells:
        return ["Le plateau : ses colonnes ou ses rangées sont à l’envers, ou il n’est pas en hexagones."]
    faults = common_faults(position, GAME.tables, stacked=True)
    return [*faults, *_relief_problems(position), *state_problems(position)]


def _relief_problems(position: Position) -> list[str]:
    problems = list[str]()
    interval = position.state.get("interval", 20)
    if type(interval) is not int or interval <= 0 or interval % (5 if interval <= 20 else 20):
        problems.append(
            "Relief : l’intervalle entre deux courbes est un multiple de 5 mètres, de 20 au-delà de 20 (8.1e)."
        )
        interval = 20
    problems += [
        f"Relief : {level} m n’est pas une courbe, elles sont tous les {interval} m (8.1e)."
        for level in position.levels
        if level % interval
    ]
    for kind in PERCENT:
        for cell, value in position.markers.get(kind, {}).items():
            if value is not True and not (type(value) is int and 0 <= value <= 100):
                problems.append(f"Relief : {cell} ({kind}) attend un pourcentage de 0 à 100.")
    for cell in position.markers.get("between", {}):
        if cell in position.markers.get("basin", {}) or cell in position.markers.get("dome", {}):
            problems.append(f"Relief : {cell} est à la fois entre deux courbes et sur un plateau ou dans une cuvette.")
    return problems


GAME.problems = problems
