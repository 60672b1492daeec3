"""What is declared to a question, reached by dotted paths: ``rolls.fusiliers``, ``points.0.base``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def value_at(arguments: Mapping[str, Any], path: str) -> Any:
    """The value at a path; None when there is none.

    >>> value_at({"rolls": {"garde": [1, 2]}}, "rolls.garde"), value_at({}, "rolls.garde")
    ([1, 2], None)
    """
    held: Any = arguments
    for key in path.split("."):
        if isinstance(held, list):
            held = held[int(key)] if key.isdecimal() and int(key) < len(held) else None
        else:
            held = held.get(key) if isinstance(held, Mapping) else None
    return held


def with_value(arguments: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The same arguments but for the value at a path; nothing is changed in place.

    Raises:
        ValueError: the path goes through a list by something else than a place.

    >>> with_value({"points": [{"base": 1, "level": 2}]}, "points.0.base", 5)
    {'points': [{'base': 5, 'level': 2}]}
    >>> with_value({}, "rolls.garde", [3, 4])
    {'rolls': {'garde': [3, 4]}}
    """
    changed: dict[str, Any] = _changed(dict(arguments), path.split("."), value)
    return changed


def without_value(arguments: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The same arguments with nothing declared at a path; nothing is changed in place.

    >>> without_value({"piece": "a", "rolls": {"a": [1, 2], "b": [3, 4]}}, "rolls.a")
    {'piece': 'a', 'rolls': {'b': [3, 4]}}
    """
    inner, _, last = path.rpartition(".")
    held = value_at(arguments, inner) if inner else arguments
    if not isinstance(held, Mapping) or last not in held:
        return dict(arguments)
    kept = {key: value for key, value in held.items() if key != last}
    return with_value(arguments, inner, kept) if inner else kept


def _changed(held: Any, keys: list[str], value: Any) -> Any:
    if not keys:
        return value
    first, *rest = keys
    if isinstance(held, list):
        place = int(first)
        return [_changed(one, rest, value) if i == place else one for i, one in enumerate(held)]
    inner = held if isinstance(held, Mapping) else {}
    return {**inner, first: _changed(inner.get(first), rest, value)}
