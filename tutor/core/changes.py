"""What the paths of changes do to a position as plain data; ``Position.change`` checks what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tutor.core.errors import PositionError

#: How a path begins -> what of a position it changes.
_BLOCKS = {
    "terrain": "terrain",
    "level": "levels",
    "side": "sides",
    "way": "ways",
    "marker": "markers",
    "piece": "pieces",
    "state": "state",
    "setting": "settings",
}


def changed(data: Mapping[str, Any], changes: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """The data of a position with some things changed; what no path names is shared with what was given.

    Args:
        data: canonical plain data of a position, to read only.
        changes: path -> new value, as ``Position.change`` takes them.
        fields: of a piece.

    Raises:
        PositionError: a path that means nothing.

    >>> board = {"terrain": {"woods": ["B2"]}, "pieces": [{"id": "a", "at": "A1"}]}
    >>> changed(board, {"terrain.B2": "brush", "piece.a.at": "A2"}, ("at",))
    {'terrain': {'brush': ['B2']}, 'pieces': [{'id': 'a', 'at': 'A2'}]}
    >>> board
    {'terrain': {'woods': ['B2']}, 'pieces': [{'id': 'a', 'at': 'A1'}]}
    """
    touched = {_BLOCKS.get(path.partition(".")[0]) for path in changes}
    made = {key: copied(value) if key in touched else value for key, value in data.items()}
    for path, value in changes.items():
        _apply(made, path, value, fields)
    for block in ("levels", "terrain", "sides", "ways", "markers"):
        if block in made and block in touched:
            made[block] = {key: cells for key, cells in made[block].items() if cells}
    return made


def copied(data: Any) -> Any:
    """A copy of plain data, down to what never changes.

    >>> data = {"a": [1, {"b": 2}]}
    >>> copied(data) == data, copied(data)["a"] is data["a"]
    (True, False)
    """
    if isinstance(data, dict):
        return {key: copied(value) if isinstance(value, (dict, list)) else value for key, value in data.items()}
    return [copied(value) if isinstance(value, (dict, list)) else value for value in data]


def _apply(data: dict[str, Any], path: str, value: Any, fields: Collection[str]) -> None:
    head, _, rest = path.partition(".")
    if head in ("terrain", "level", "side") and rest:
        block = data.setdefault(_BLOCKS[head], {})
        alias = {rest, "/".join(reversed(rest.split("/")))}
        for key in list(block):
            block[key] = [cell for cell in block[key] if cell not in alias]
        if value not in (None, "open", 0):
            block.setdefault(value, []).append(rest)
        return
    kind, _, more = rest.partition(".")
    if head in ("state", "setting") and rest:
        block = data.setdefault(_BLOCKS[head], {})
        _put(block, rest, value)
        return
    if head in ("marker", "way") and more:
        _put(data.setdefault(_BLOCKS[head], {}).setdefault(kind, {}), more, value)
        return
    if not (head == "piece" and kind and _apply_piece(data.setdefault("pieces", []), kind, more, value, fields)):
        raise PositionError(
            f"Le chemin « {path} » ne désigne rien de modifiable.", remedy="Par exemple terrain.K6 ou piece.grein.at."
        )


def _apply_piece(pieces: list[dict[str, Any]], piece: str, path: str, value: Any, fields: Collection[str]) -> bool:
    """Change a piece, or remove it; whether the path names something of it."""
    entry = next((p for p in pieces if p["id"] == piece), None)
    if entry is None:
        raise PositionError(
            f"Aucun pion « {piece} » dans cette position.", remedy=f"Pions : {', '.join(p['id'] for p in pieces)}."
        )
    field, _, key = path.partition(".")
    if not path and value is None:
        pieces.remove(entry)
    elif field == "status" and key and isinstance(value, bool):
        status = [s for s in entry.get("status", []) if s != key]
        entry["status"] = [*status, key] if value else status
    elif field in ("front", "back") and key:
        _put(entry.setdefault(field, {}), key, value)
    elif field in fields and field not in ("front", "back", "id") and not key:
        _put(entry, field, value)
    else:
        return False
    return True


def _put(block: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        block.pop(key, None)
    else:
        block[key] = value
