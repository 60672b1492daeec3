"""The questions the rules of a game answer, listed from the code:
for whoever writes a case, an example or an exercise.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from tutor.core.arguments import Argument
from tutor.core.errors import RequestError
from tutor.core.registry import Rule, game

#: What is written for an argument, by how it is chosen; other kinds say it themselves.
_WRITTEN: Mapping[str, str] = {
    "hex": "case", "hexes": "[case…]", "piece": "pion", "pieces": "[pion…]", "side": "camp", "number": "nombre",
    "dice": "[dé…]", "throws": "[[dé…]…]", "flag": "oui/non", "offered": "choix", "text": "texte",
}  # fmt: skip
_KEYS: Mapping[str, str] = {"piece": "pion", "cell": "case", "duel": "attacker/defender"}
_GIVEN: Mapping[str, str] = {"number": "nombre", "dice": "[dé…]", "throws": "[[dé…]…]", "option": "case"}


def questions(game_id: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Every question of a game: name, rule ids, arguments, fields of the value, what it decides.

    >>> next(q for q in questions("combat_commander") if q[0] == "los")[2]
    'start: case, end: case'
    """
    for name, rule in sorted(game(game_id).rules.items()):
        declared = ", ".join(_argument(each) for each in rule.arguments.values())
        yield name, ", ".join(rule.ids), declared, _value(rule), _first_line(rule)


def table(game_id: str) -> str:
    """The questions of a game as a Markdown table."""
    rows = ["| `ask` | décide | `with` | `value` |", "|---|---|---|---|"]
    for name, ids, arguments, value, meaning in questions(game_id):
        rows.append(f"| `{name}` | {meaning} ({ids}) | `{arguments}` | `{value}` |")
    return "\n".join(rows)


def details(game_id: str, name: str) -> str:
    """All that the code says of a question: its label, its arguments with their units, and the fields of its value.

    Raises:
        RequestError: no such question.

    >>> "hex names, different" in details("combat_commander", "los")
    True
    >>> "mode : Sorte de tir (order, op_fire, assault)" in details("combat_commander", "fire")
    True
    """
    rule = _rule(game_id, name)
    kind = typing.get_type_hints(rule.function).get("return")
    if typing.get_origin(kind) is Mapping:
        kind = typing.get_args(kind)[1]
    value = inspect.getdoc(kind) if dataclasses.is_dataclass(kind) else None
    title = f"{name} ({', '.join(rule.ids)}) : {rule.label}"
    declared = "\n".join(_line(each) for each in rule.arguments.values())
    return "\n\n".join(filter(None, (title, declared, inspect.getdoc(rule.function), value)))


def schemas(game_id: str, name: str | None = None) -> dict[str, Any]:
    """JSON schema of what is declared to a question, or to each question of a game.

    Raises:
        RequestError: no such question.

    >>> schemas("combat_commander", "los")["required"]
    ['start', 'end']
    """
    if name is not None:
        return _rule(game_id, name).schema()
    return {name: rule.schema() for name, rule in sorted(game(game_id).rules.items())}


def _rule(game_id: str, name: str) -> Rule[..., Any]:
    rules = game(game_id).rules
    if name not in rules:
        raise RequestError(f"La question « {name} » n’existe pas.", remedy=f"Questions : {', '.join(sorted(rules))}.")
    return rules[name]


def _line(each: Argument) -> str:
    """An argument with its French label, and what may be declared."""
    words = ", ".join(word for word, _ in each.sort.terms)
    taken = words or _written(each)
    fields = "".join(f"\n    {_line(field)}" for field in each.fields)
    return f"{each.name} : {each.label} ({taken}){'' if each.required else ' — facultatif'}{fields}"


def _argument(each: Argument) -> str:
    """What is written for an argument, and what holds when it is left out; « ? » when that is nothing."""
    if each.required:
        return f"{each.name}: {_written(each)}"
    if each.default in (None, (), False):
        return f"{each.name}?: {_written(each)}"
    return f"{each.name}: {_written(each)} = {each.default}"


def _written(each: Argument) -> str:
    sort = each.sort
    if sort.table:
        return f"[{sort.table}…]" if each.many else f"rangée de {sort.table}"
    if sort.terms:
        words = "/".join(word for word, _ in sort.terms)
        return f"[{words}…]" if each.many else words
    if each.kind == "entries":
        return f"{{{_KEYS.get(sort.of, sort.of)}: {_GIVEN[sort.given]}}}"
    if each.kind == "records":
        return f"[{{{', '.join(field.name for field in each.fields)}}}…]"
    return _WRITTEN[each.kind]


def _value(rule: Rule[..., Any]) -> str:
    return _shape(typing.get_type_hints(rule.function).get("return"))


def _shape(kind: Any) -> str:
    if dataclasses.is_dataclass(kind):
        return ", ".join(field.name for field in dataclasses.fields(kind))
    if typing.get_origin(kind) is Mapping and dataclasses.is_dataclass(typing.get_args(kind)[1]):
        return f"id → {_shape(typing.get_args(kind)[1])}"
    return getattr(kind, "__name__", str(kind))


def _first_line(rule: Rule[..., Any]) -> str:
    return (inspect.getdoc(rule.function) or "").split("\n", 1)[0].rstrip(".")
