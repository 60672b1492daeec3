"""Whether what is declared to a question has the form that its rule function takes: what a file or a link says is checked
before any rule sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

#: Most items of a list or entries of a table, characters of a name, and size of a number.
MOST_ITEMS, MOST_LETTERS, HIGHEST = 600, 200, 1_000_000
_LISTS = ("list", "Sequence", "tuple")
_TABLES = ("dict", "Mapping")
_SIMPLE = {"str": "un nom", "int": "un nombre entier", "bool": "oui ou non"}
Fits = Callable[[Any], bool]


def misfit(annotation: str, value: Any) -> str:
    """What an argument takes, when this value is not it; "" when it is.

    Args:
        annotation: of the rule function, as it is written there; value: what is declared.

    >>> misfit("str", ["K7"]), misfit("list[int] | None", [1, 6]), misfit("dict[str, int]", {"a": "b"})
    ('un nom', '', 'une valeur par nom')
    """
    return "" if _fits(annotation)(value) else _takes(annotation)


@lru_cache(maxsize=256)
def _fits(annotation: str) -> Fits:
    ways = tuple(_one(part) for part in _split(annotation, "|"))
    return ways[0] if len(ways) == 1 else lambda value: any(way(value) for way in ways)


def _one(kind: str) -> Fits:
    name, _, inside = kind.partition("[")
    inner = _split(inside.removesuffix("]"), ",")
    if kind == "None":
        return lambda value: value is None
    if kind == "str":
        return lambda value: isinstance(value, str) and len(value) <= MOST_LETTERS
    if kind == "int":
        return lambda value: isinstance(value, int) and abs(value) <= HIGHEST
    if kind == "bool":
        return lambda value: isinstance(value, bool)
    if name in _LISTS:
        each = _fits(inner[0])
        return lambda value: isinstance(value, list | tuple) and len(value) <= MOST_ITEMS and all(map(each, value))
    if name in _TABLES:
        entry = _fits(inner[1])
        return lambda value: isinstance(value, Mapping) and len(value) <= MOST_ITEMS and _named(value, entry)
    return lambda value: True  # a type of the rule's own, which a file cannot hold: the rule looks at it


def _named(table: Mapping[Any, Any], entry: Fits) -> bool:
    return all(isinstance(key, str) and entry(item) for key, item in table.items())


def _takes(annotation: str) -> str:
    """In French, what an argument takes."""
    kind = _split(annotation, "|")[0]
    name, _, inside = kind.partition("[")
    if name in _LISTS:
        inner = _split(inside.removesuffix("]"), ",")[0]
        return {"str": "une liste de noms", "int": "une liste de nombres entiers"}.get(inner, "une liste")
    return "une valeur par nom" if name in _TABLES else _SIMPLE.get(name, "autre chose")


def _split(text: str, mark: str) -> list[str]:
    """The parts of an annotation between marks that no bracket holds.

    >>> _split("dict[str, int | None] | None", "|")
    ['dict[str, int | None]', 'None']
    """
    parts, depth = [""], 0
    for char in text:
        depth += (char == "[") - (char == "]")
        if char == mark and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]
