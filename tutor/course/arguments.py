"""What is declared to a question, reached by dotted paths: ``rolls.fusiliers``, ``points.0.base``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def value_at(arguments: Mapping[str, Any], path: str) -> Any:
    """The value at a path; None when there is none.

    >>> value_at({"rolls": {"garde": [1, 2]}}, "rolls.garde"), value_at({}, "rolls.garde")
    ([1, 2], None)
    """
    value: Any = arguments
    for key in path.split("."):
        if isinstance(value, list):
            value = value[int(key)] if key.isdecimal() and int(key) < len(value) else None
        else:
            value = value.get(key) if isinstance(value, Mapping) else None
    return value


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
    block = value_at(arguments, inner) if inner else arguments
    if not isinstance(block, Mapping) or last not in block:
        return dict(arguments)
    kept = {key: value for key, value in block.items() if key != last}
    return with_value(arguments, inner, kept) if inner else kept


def _changed(given: Any, keys: list[str], value: Any) -> Any:
    if not keys:
        return value
    first, *rest = keys
    if isinstance(given, list):
        place = int(first)
        return [_changed(one, rest, value) if i == place else one for i, one in enumerate(given)]
    inner = given if isinstance(given, Mapping) else {}
    return {**inner, first: _changed(inner.get(first), rest, value)}
