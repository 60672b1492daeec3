"""The questions the rules of a game answer, listed from the code: for whoever writes a case, an example or an exercise."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from tutor.core.errors import RequestError
from tutor.core.registry import Rule, game


def questions(game_id: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Every question of a game: name, rule ids, arguments, fields of the value, what it decides.

    >>> next(q for q in questions("combat_commander") if q[0] == "los")[2]
    'start: str, end: str'
    """
    for name, rule in sorted(game(game_id).rules.items()):
        yield (
            name,
            ", ".join(rule.ids),
            ", ".join(map(_argument, rule.parameters.values())),
            _value(rule),
            _first_line(rule),
        )


def table(game_id: str) -> str:
    """The questions of a game as a Markdown table."""
    rows = ["| `ask` | décide | `with` | `value` |", "|---|---|---|---|"]
    for name, ids, arguments, value, meaning in questions(game_id):
        rows.append(f"| `{name}` | {meaning} ({ids}) | `{arguments}` | `{value}` |")
    return "\n".join(rows)


def details(game_id: str, name: str) -> str:
    """All that the code says of a question: its arguments with their units, and the fields of its value.

    Raises:
        RequestError: no such question.

    >>> "hex names, different" in details("combat_commander", "los")
    True
    """
    rules = game(game_id).rules
    if name not in rules:
        raise RequestError(f"La question « {name} » n’existe pas.", remedy=f"Questions : {', '.join(sorted(rules))}.")
    kind = typing.get_type_hints(rules[name].function).get("return")
    if typing.get_origin(kind) is Mapping:
        kind = typing.get_args(kind)[1]
    value = inspect.getdoc(kind) if dataclasses.is_dataclass(kind) else None
    return "\n\n".join(
        filter(None, (f"{name} ({', '.join(rules[name].ids)})", inspect.getdoc(rules[name].function), value))
    )


def _argument(parameter: inspect.Parameter) -> str:
    kind = str(parameter.annotation)
    for long, short in ((" | tuple[str, ...]", ""), (" | tuple[dict[str, Any], ...]", ""), (" | None", "")):
        kind = kind.replace(long, short)
    return f"{parameter.name}: {kind}" + ("" if parameter.default is parameter.empty else f" = {parameter.default!r}")


def _value(rule: Rule) -> str:
    hints = typing.get_type_hints(rule.function)
    return _shape(hints.get("return"))


def _shape(kind: Any) -> str:
    if dataclasses.is_dataclass(kind):
        return ", ".join(field.name for field in dataclasses.fields(kind))
    if typing.get_origin(kind) is Mapping and dataclasses.is_dataclass(typing.get_args(kind)[1]):
        return f"id → {_shape(typing.get_args(kind)[1])}"
    return getattr(kind, "__name__", str(kind))


def _first_line(rule: Rule) -> str:
    return (inspect.getdoc(rule.function) or "").split("\n", 1)[0].rstrip(".")
