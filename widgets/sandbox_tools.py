"""The brushes of the free board: what a click changes, as paths of ``Position.change``."""

from __future__ import annotations

from typing import Any

from tutor.core.errors import PositionError
from tutor.core.position import Piece, Position
from tutor.core.registry import Game

#: Nations of the Axis; every other one is allied.
AXIS = frozenset({"germany", "italy"})
SIDES = {"axis": "Axe", "allies": "Alliés"}
REMOVE, BREAK, SUPPRESS = "remove", "broken", "suppressed"


def terrain_brushes(game: Game) -> list[tuple[str, str]]:
    """(label, key) of what may be painted in a hex: terrain, level, markers, fortifications."""
    found = [("Dégagé", "terrain:")]
    found += [
        (table_term(game, "terrain", row), f"terrain:{row}") for row in game.tables["terrain"].rows if row != "open"
    ]
    found += [(f"Niveau {level}", f"level:{level}") for level in range(5)]
    found += [(f"{table_term(game, 'markers', 'smoke')} {value}", f"smoke:{value}") for value in range(1, 11)]
    found += [(table_term(game, "markers", "blaze"), "blaze:")]
    found += [
        (table_term(game, "fortifications", row), f"fortification:{row}") for row in game.tables["fortifications"].rows
    ]
    return [*found, ("Retirer les marqueurs", "clear:")]


def side_brushes(game: Game) -> list[tuple[str, str]]:
    """(label, key) of what may be put on a side."""
    return [("Rien", ""), *((table_term(game, "sides", row), row) for row in game.tables["sides"].rows)]


def way_brushes(game: Game) -> list[tuple[str, str]]:
    """(label, key) of ways that join two neighbouring hexes."""
    return [(table_term(game, "ways", row), row) for row in game.tables["ways"].rows]


def piece_brushes(game: Game) -> list[tuple[str, str]]:
    """(label, key) of pieces to place, and what may be done to those there."""
    found = [
        ("Démoraliser, ou rallier", f"status:{BREAK}"),
        ("Suppression, ou la lever", f"status:{SUPPRESS}"),
        ("Retirer le pion du dessus", f"{REMOVE}:"),
    ]
    for table in ("units", "weapons"):
        if table in game.tables:
            found += [(table_term(game, table, row), f"{table}:{row}") for row in game.tables[table].rows if "/" in row]
    return found


def table_term(game: Game, table: str, row: str) -> str:
    """French term of a row."""
    return game.tables[table].term(row)


def paint(position: Position, brush: str, cell: str) -> dict[str, Any]:
    """Changes that a terrain brush makes in a hex.

    >>> from tutor import load_position
    >>> paint(load_position("combat_commander", "livret-ldv"), "terrain:woods", "K9")
    {'terrain.K9': 'woods'}
    """
    kind, _, value = brush.partition(":")
    if kind == "terrain":
        return {f"terrain.{cell}": value or None}
    if kind == "level":
        return {f"level.{cell}": int(value)}
    if kind == "clear":
        return {f"marker.{name}.{cell}": None for name in position.markers if position.marker(name, cell) is not None}
    there = position.marker(kind, cell)
    new: Any = int(value) if kind == "smoke" else value or True
    return {f"marker.{kind}.{cell}": None if there == new else new}


def join(position: Position, kind: str, start: str, end: str) -> dict[str, Any]:
    """Changes that carry a way from a hex to its neighbour, or take it away there.

    Raises:
        PositionError: the hexes are not neighbours.
    """
    grid: Any = position.grid
    there, back = grid.direction(start, end), grid.direction(end, start)
    arms = {cell: set(position.ways.get(kind, {}).get(cell, ())) for cell in (start, end)}
    joined = there in arms[start] and back in arms[end]
    for cell, side in ((start, there), (end, back)):
        (arms[cell].discard if joined else arms[cell].add)(side)
    return {f"way.{kind}.{cell}": sorted(sides) or None for cell, sides in arms.items()}


def touched(position: Position, brush: str, cell: str, piece: str | None, game: Game) -> Position:
    """The position after a piece brush acts on a hex.

    Args:
        piece: the piece under the pointer, if any.

    Raises:
        PositionError: nothing to act on there.
    """
    kind, _, value = brush.partition(":")
    here = position.pieces_at(cell)
    if kind in ("status", REMOVE):
        if not here:
            raise PositionError(f"Il n’y a aucun pion en {cell}.", remedy="Cliquez un hex qui en porte.")
        chosen = position.piece(piece) if piece else here[-1]
        if kind == "status":
            return position.change({f"piece.{chosen.id}.status.{value}": value not in chosen.status})
        gone = {f"piece.{p.id}": None for p in position.pieces if p.carrier == chosen.id}
        return position.change({**gone, f"piece.{chosen.id}": None})
    return _placed(position, kind, value, cell, game)


def _placed(position: Position, table: str, counter: str, cell: str, game: Game) -> Position:
    nation, _, name = counter.partition("/")
    kind = str(game.tables[table].get(counter, "kind", "squad"))
    side = "axis" if nation in AXIS else "allies"
    number = 1 + sum(p.id.startswith(name) for p in position.pieces)
    while f"{name}-{number}" in position.by_id:
        number += 1
    label = game.tables[table].term(counter).partition(" (")[0]
    data: dict[str, Any] = {
        "id": f"{name}-{number}",
        "kind": kind,
        "side": side,
        "nation": nation,
        "counter": counter,
        "name": label,
    }
    if table == "weapons":
        carriers = [
            p
            for p in position.pieces_at(cell, side)
            if p.carrier is None and not any(w.carrier == p.id for w in position.pieces)
        ]
        carriers = [p for p in carriers if p.kind in ("team", "squad")] or carriers
        if not carriers:
            raise PositionError(
                f"Aucune unité de ce camp en {cell} ne peut porter cette Arme.",
                remedy="Placez d’abord une Équipe ou un Peloton.",
            )
        data["carrier"] = carriers[0].id
    else:
        data["at"] = cell
    return Position.from_data({**position.data(), "pieces": [*position.data().get("pieces", []), data]}, "pion")


def named(position: Position, piece: Piece) -> str:
    """A piece and where it is."""
    return f"{position.names[piece.id]} ({position.hex_of(piece.id) or 'hors plateau'})"


def empty(game_id: str) -> Position:
    """A board with nothing on it."""
    return Position.from_data(
        {
            "schema": 1,
            "game": game_id,
            "id": "vide",
            "title": "Plateau vide",
            "provenance": "fictif",
            "grid": {"columns": ["A", "J"], "rows": [1, 8]},
        },
    )
