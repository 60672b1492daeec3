"""The brushes of the free board: what a click changes, as paths of ``Position.change``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tutor.core.errors import PositionError
from tutor.core.kit import Kit
from tutor.core.position import Piece, Position
from tutor.core.registry import Game
from tutor.core.registry import game as game_of

REMOVE = "remove"
#: Kinds of pieces by the last word of their counter's row, where a table does not tell them.
_KINDS = {"squad": "squad", "second-line": "squad", "half-squad": "half_squad", "lmg": "mg", "mmg": "mg", "hmg": "mg"}
_CARRIERS = ("team", "squad", "half_squad", "crew")


def terrain_brushes(game: Game, kit: Kit) -> list[tuple[str, str]]:
    """(label, key) of what may be painted in a cell: terrain, level, markers, fortifications."""
    brushes = [("Dégagé", "terrain:")]
    brushes += [
        (table_term(game, "terrain", row), f"terrain:{row}")
        for row in game.tables["terrain"].rows
        if row not in ("open", "clear")
    ]
    brushes += [(_level(level), f"level:{level}") for level in kit.levels]
    for kind, values in kit.markers:
        if kind == "fortification":
            rows = game.tables["fortifications"].rows
            brushes += [(table_term(game, "fortifications", row), f"fortification:{row}") for row in rows]
        else:
            name = table_term(game, "markers", kind)
            brushes += [(name if v is True else f"{name} {v}", f"{kind}:{'' if v is True else v}") for v in values]
    return [*brushes, ("Retirer les marqueurs", "clear:")] if kit.markers else brushes


def _level(level: int) -> str:
    return f"Niveau {level}" if level < 10 else f"Courbe de {level} m"


def side_brushes(game: Game) -> list[tuple[str, str]]:
    """(label, key) of what may be put on a side; none in a game without sides."""
    if "sides" not in game.tables:
        return []
    return [("Rien", ""), *((table_term(game, "sides", row), row) for row in game.tables["sides"].rows)]


def way_brushes(game: Game, kit: Kit) -> list[tuple[str, str]]:
    """(label, key) of ways that join two neighbouring cells."""
    names = {"road": "Route", "trail": "Chemin", "rail": "Voie ferrée"}
    known = game.tables["ways"].rows if "ways" in game.tables else {}
    return [(table_term(game, "ways", way) if way in known else names[way], way) for way in kit.ways]


def piece_brushes(game: Game, kit: Kit) -> list[tuple[str, str]]:
    """(label, key) of pieces to place, and what may be done to those there."""
    brushes = [(label, f"status:{status}") for label, status in kit.states]
    brushes.append(("Retirer le pion du dessus", f"{REMOVE}:"))
    if kit.catalogue == "positions":
        return [*brushes, *((label, f"model:{i}") for i, (label, _) in enumerate(catalogue(game.id)))]
    for table in ("units", "weapons"):
        if table in game.tables:
            rows = [row for row in game.tables[table].rows if "/" in row]
            brushes += [(capital(table_term(game, table, row)), f"{table}:{row}") for row in rows]
    return brushes


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=1)
def catalogue(game_id: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """(label, data) of the pieces that the positions of a game bring, each once: no value is ours.

    >>> "Char (5/7)" in [label for label, _ in catalogue("tcs")]
    True
    """
    from widgets.board.counters.look import look_of

    rules = game_of(game_id)
    pieces: dict[str, tuple[str, dict[str, Any]]] = {}
    kept = ("kind", "counter", "front", "back", *(("side",) if game_of(game_id).kit.own_sides else ()))
    for name in rules.positions():
        position = rules.position(name)
        for piece in position.pieces:
            data = {k: v for k, v in piece.model_dump(exclude_none=True).items() if k in kept and v}
            if piece.kind != "commander" and position.hex_of(piece.id) and str(data) not in pieces:
                term, shown = _term(rules, piece), look_of(position, piece)
                values = "/".join(mark.text for mark in shown.foot) if shown else ""
                pieces[str(data)] = (f"{term} ({values})" if values else term, {**data, "name": term})
    return tuple(sorted(dict(reversed(pieces.values())).items()))


def _term(rules: Game, piece: Piece) -> str:
    if piece.counter and "units" in rules.tables and piece.counter in rules.tables["units"].rows:
        return rules.tables["units"].term(piece.counter)
    for table in ("kinds", "classes"):
        if table in rules.tables and rules.tables[table].has(piece.kind):
            return rules.tables[table].term(piece.kind)
    return piece.name or piece.kind


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
    new: Any = int(value) if value.isdigit() else value or True
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


def touched(position: Position, brush: str, cell: str, piece: str | None, game: Game, side: str = "") -> Position:
    """The position after a piece brush acts on a cell.

    Args:
        piece: the piece under the pointer, if any.
        side: of a piece placed, where its counter does not tell it.

    Raises:
        PositionError: nothing to act on there.
    """
    kind, _, value = brush.partition(":")
    here = position.pieces_at(cell)
    if kind in ("status", REMOVE):
        if not here:
            raise PositionError(f"Il n’y a aucun pion en {cell}.", remedy="Choisissez un endroit qui en porte.")
        chosen = position.piece(piece) if piece else here[-1]
        if kind == "status":
            return position.change({f"piece.{chosen.id}.status.{value}": value not in chosen.status})
        gone = {f"piece.{p.id}": None for p in position.pieces if p.carrier == chosen.id}
        return position.change({**gone, f"piece.{chosen.id}": None})
    if kind == "model":
        return _added(position, {"side": side, **catalogue(game.id)[int(value)][1], "at": cell})
    return _placed(position, kind, value, cell, game, side)


def _placed(position: Position, table: str, counter: str, cell: str, game: Game, side: str) -> Position:
    nation, _, name = counter.partition("/")
    side = game.kit.nations.get(nation) or side or list(game.kit.sides)[-1]
    kind = game.tables[table].get(counter, "kind") or _KINDS.get(name, "leader" if "leader" in name else "squad")
    label = game.tables[table].term(counter).partition(" (")[0]
    data = {
        "kind": str(kind),
        "side": side,
        "nation": nation,
        "counter": counter,
        "name": capital(label),
    }
    if table == "weapons" or kind == "mg":
        return _added(position, {**data, "carrier": _carrier(position, cell, side)})
    return _added(position, {**data, "at": cell})


def _carrier(position: Position, cell: str, side: str) -> str:
    """The unit that takes a weapon: one that carries none.

    Raises:
        PositionError: there is none.
    """
    free = [
        p
        for p in position.pieces_at(cell, side)
        if p.carrier is None and not any(w.carrier == p.id for w in position.pieces)
    ]
    free = [p for p in free if p.kind in _CARRIERS] or free
    if not free:
        raise PositionError(
            f"Aucune unité de ce camp en {cell} ne peut porter cette Arme.", remedy="Placez d’abord une unité."
        )
    return free[0].id


def _added(position: Position, data: dict[str, Any]) -> Position:
    """The position with one more piece, under a free id."""
    stem, number = str(data["kind"]).replace("_", "-"), 1
    while f"{stem}-{number}" in position.by_id:
        number += 1
    pieces = [*position.data().get("pieces", []), {"id": f"{stem}-{number}", **data}]
    return Position.from_data({**position.data(), "pieces": pieces}, "pion")


def empty(game_id: str) -> Position:
    """A board with nothing on it.

    >>> len(empty("sherman_leader").grid.cells)
    24
    """
    return Position.from_data(
        {
            "schema": 1,
            "game": game_id,
            "id": "vide",
            "title": "Plateau vide",
            "provenance": "fictif",
            "grid": dict(game_of(game_id).kit.grid),
        },
    )
