"""The questions a game answers, as the editor offers them:
each argument with the way it is chosen, each answer with its fields. No widget.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any, Literal
from unicodedata import normalize

from tutor.core import arguments
from tutor.core.arguments import Kind, Sort
from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, number
from tutor.core.position import Position
from tutor.core.registry import Game, Rule, ask, game
from tutor.core.result import Result
from tutor.course.matching import exact, view

#: What a reader's control says when nothing is declared.
_NOTHING: Mapping[str, str] = {
    "hex": "aucun",
    "piece": "aucun",
    "number": "rien",
    "dice": "pas jetés",
    "option": "rien",
}
#: The theme that the list of questions begins with, and that of all of them.
COMMON, ALL = "Les plus courantes", "Toutes les questions"
#: Largest number that a picker takes; the rules refuse what makes no sense.
MOST = 99
#: How arguments are chosen of which others are tried, and how many of them, before a question is shown with the first
#: ones.
_TRIED = ("piece", "pieces", "hexes")
_MOST_TRIES = 150


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a question.

    Args:
        name: as the engine calls it.
        label: French.
        kind: how it is chosen.
        required: whether the question needs it;
        default: what the engine takes when it is left out.
        options: key -> label, of an ``option``;
        sort: what its type says of it.
        fields: of each of its ``records``.
    """

    name: str
    label: str
    kind: Kind
    required: bool
    default: Any
    options: tuple[tuple[str, str], ...]
    sort: Sort
    fields: tuple[Argument, ...] = ()

    def pick(self) -> dict[str, Any] | None:
        """How a reader chooses it, as data of ``tutor.course.models.Pick``; None when he cannot."""
        if self.kind in ("flag", "side", "throws", "entries", "records", "offered", "text"):
            return None
        data: dict[str, Any] = {"argument": self.name, "kind": self.kind, "label": self.label}
        if self.kind in ("option", "options"):
            data["options"] = dict(self.options)
        if self.kind == "number":
            data |= {"min": max(self.sort.least, -MOST), "max": MOST}
        if self.kind in _NOTHING and not self.required and self.default is None:
            data["none"] = _NOTHING[self.kind]
        return data


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a game: its name in the engine, its French label, its arguments."""

    name: str
    label: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """Something that an answer of the engine says.

    Args:
        path: where, in what ``view`` gives.
        label: French.
        kind: how a reader would answer it.
        value: what it is now;
        shown: that, in French.
    """

    path: str
    label: str
    kind: Literal["flag", "number", "hexes", "text"]
    value: Any
    shown: str


@cache
def questions(game_id: str) -> tuple[Question, ...]:
    """Every question of a game that can be asked with pickers alone, in the order of their labels.

    >>> [q.label for q in questions("combat_commander") if q.name == "los"]
    ['Ces deux hexs se voient-ils\\u202f?']
    """
    rulebook = game(game_id)
    every = [_question(rulebook, name, rule) for name, rule in rulebook.rules.items()]
    kept = [one for one in every if not any(a.required and a.kind == "text" for a in one.arguments)]
    return tuple(sorted(kept, key=lambda one: (one.name != "los", normalize("NFKD", one.label).casefold())))


def question(game_id: str, name: str) -> Question:
    """A question by its name in the engine."""
    return _question(game(game_id), name, game(game_id).rules[name])


def _question(rulebook: Game, name: str, rule: Rule[..., Any]) -> Question:
    asked = tuple(_argument(rulebook, each) for each in rule.arguments.values() if not each.idle)
    return Question(name, rule.label, asked)


def _argument(rulebook: Game, each: arguments.Argument) -> Argument:
    fields = tuple(_argument(rulebook, field) for field in each.fields if not field.idle)
    return Argument(
        each.name, each.label, each.kind, each.required, each.default, _options(rulebook, each.sort), each.sort, fields
    )


def _options(rulebook: Game, sort: Sort) -> tuple[tuple[str, str], ...]:
    """Words among which an argument is: those that its type names, or rows of a table of the game."""
    if not sort.table:
        return sort.terms
    table = rulebook.tables[sort.table]
    rows = [row for row in table.rows if not sort.having or table.has(row, sort.having)]
    return tuple({row.rpartition("/")[2].removeprefix(sort.prefix): table.term(row) for row in rows}.items())


def themes(game_id: str) -> list[str]:
    """Themes of a game's questions, the commonest ones first, all of them last.

    >>> themes("asl_sk")[0], themes("asl_sk")[-1]
    ('Les plus courantes', 'Toutes les questions')
    """
    return [COMMON, *game(game_id).themes, ALL]


def in_theme(game_id: str, theme: str, name: str) -> bool:
    """Whether a question belongs to a theme.

    >>> in_theme("asl_sk", "Déroute", "rout"), in_theme("asl_sk", "Déroute", "los"), in_theme("asl_sk", ALL, "los")
    (True, False, True)
    """
    rule = game(game_id).rules[name]
    return theme == ALL or theme in rule.themes or (theme == COMMON and rule.common)


def first_arguments(position: Position, name: str) -> dict[str, Any]:
    """Arguments to begin with: the places and pieces that stand first on the board.

    >>> from tutor.core.registry import load_position
    >>> first_arguments(load_position("combat_commander", "livret-ldv"), "los")
    {'start': 'J9', 'end': 'K6'}
    """
    pieces = [p for p in position.pieces if position.hex_of(p.id) in position.grid and p.kind != "commander"]
    places = list(dict.fromkeys(str(position.hex_of(p.id)) for p in pieces))
    cells = position.grid.cells
    places += [cell for cell in (cells[0], cells[-1]) if cell not in places]
    ids = [p.id for p in pieces]
    other = [p.id for p in pieces if p.side != pieces[0].side] if pieces else []
    chosen: dict[str, Any] = {}
    for each in question(position.game, name).arguments:
        if not each.required:
            continue
        if each.kind == "hex":
            taken = [value for value in chosen.values() if isinstance(value, str)]
            free = [c for c in places if c not in taken] or list(cells)
            enemy = [c for i in other if (c := position.hex_of(i))]
            chosen[each.name] = enemy[0] if each.sort.enemy and enemy else free[0]
        elif each.kind == "hexes":
            chosen[each.name] = []
        elif each.kind == "piece":
            free_ids = [i for i in ids if i not in chosen.values()]
            chosen[each.name] = (other if each.sort.enemy and other else free_ids or ids or [""])[0]
        elif each.kind == "pieces":
            chosen[each.name] = ids[:1]
        elif each.kind == "records":
            chosen[each.name] = [first_record(position, each, chosen)]
        else:
            chosen[each.name] = _first_value(each, position)
    return chosen


def answerable(position: Position, name: str) -> dict[str, Any]:
    """Arguments to begin with that the engine can answer:
    other pieces, when the first ones mean nothing to the question.

    >>> from tutor.core.registry import load_position
    >>> position = load_position("sherman_leader", "tir")
    >>> answerable(position, "targets")["unit"] in position.by_id
    True
    """
    first = first_arguments(position, name)
    chosen = [a for a in question(position.game, name).arguments if a.required and a.kind in _TRIED]
    units = [p.id for p in position.pieces if position.hex_of(p.id) in position.grid and p.kind != "commander"]
    ways = product(
        *(
            [[i] if a.kind == "pieces" else i for i in units] if a.kind != "hexes" else _paths(position, units)
            for a in chosen
        )
    )
    tries = (dict(zip((a.name for a in chosen), values, strict=True)) for values in (ways if chosen else ()))
    for given in ({}, *islice(tries, _MOST_TRIES)):
        try:
            ask(position, name, trace=False, **first | given)
        except TutorError:
            continue
        return first | given
    return first


def _paths(position: Position, units: list[str]) -> list[list[str]]:
    """Short paths to begin with: none, then a step from where the first units stand, with that place and without."""
    paths: list[list[str]] = [[]]
    for at in [str(position.hex_of(i)) for i in units[:2]]:
        for near in [cell for cell in position.grid.neighbours(at) if cell in position.grid][:2]:
            paths += [[near], [at, near]]
    return paths


def first_record(position: Position, each: Argument, values: Mapping[str, Any]) -> dict[str, Any]:
    """An item to begin with of an argument that is a list of records.

    Args:
        values: the other arguments: where one goes, and who, say where a shot meets them and who may fire it.

    >>> from tutor.core.registry import load_position
    >>> shots = next(a for a in question("combat_commander", "move").arguments if a.name == "shots")
    >>> position = load_position("combat_commander", "livret-tir-op")
    >>> first_record(position, shots, {"pieces": ["peloton"], "path": ["K8", "K7"]})
    {'at': 'K7', 'firers': ['peloton-us']}
    """
    given = [v for value in values.values() for v in (value if isinstance(value, list) else [value])]
    places = [v for v in given if isinstance(v, str) and v in position.grid] or list(position.grid.cells)
    doers = [position.by_id[v] for v in given if isinstance(v, str) and v in position.by_id]
    units = [p for p in position.pieces if position.hex_of(p.id) in position.grid and p.kind != "commander"]
    others = [p.id for p in units if doers and p.side != doers[0].side] or [p.id for p in units]
    first: dict[str, Any] = {"hex": places[-1], "pieces": others[:1], "piece": (others or [""])[0], "number": 0}
    return {field.name: first[field.kind] for field in each.fields if field.required}


def _first_value(each: Argument, position: Position) -> Any:
    if each.kind == "side":
        return position.pieces[0].side if position.pieces else "axis"
    if each.kind == "dice":
        return [3, 4]
    if each.kind == "flag":
        return False
    if each.kind == "option":
        return each.options[0][0]
    return {} if each.kind == "entries" else [] if each.kind in ("options", "throws") else 1


def fields(result: Result[Any], position: Position) -> list[Field]:
    """What an answer says that a reader can be asked: whether it is allowed, then its fields;
    nothing of an unknown one.

    >>> from tutor import ask, load_position
    >>> p = load_position("combat_commander", "livret-ldv")
    >>> [(f.label, f.shown) for f in fields(ask(p, "los", start="J9", end="K6"), p)][:2]
    [('Permis', 'oui'), ('Voit', 'non')]
    """
    seen = view(result)
    if seen["outcome"] == "unknown":
        return []
    every = [Field("outcome", "Permis", "flag", seen["outcome"], "oui" if seen["outcome"] == "computed" else "non")]
    value = seen["value"]
    if seen["outcome"] == "computed":
        every += [made for path, item in _leaves(value) if (made := _field(path, item, position))]
    return every


def _leaves(value: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        yield "value", value
        return
    for key, item in value.items():
        if isinstance(item, Mapping):
            for inner, deep in item.items():
                if not isinstance(deep, Mapping):
                    yield f"value.{key}.{inner}", deep
        else:
            yield f"value.{key}", item


def _field(path: str, item: Any, position: Position) -> Field | None:
    label = _label(path, position)
    if not label:
        return None
    if isinstance(item, bool):
        return Field(path, label, "flag", item, "oui" if item else "non")
    if exact(item) is not None:
        return Field(path, label, "number", item, number(item) if isinstance(item, int) else str(item))
    if isinstance(item, list) and all(isinstance(i, str) and i in position.grid for i in item):
        return Field(path, label, "hexes", item, ", ".join(item) or "aucun") if path.count(".") <= 1 else None
    if isinstance(item, str):
        words = game(position.game).words.values.get(path.rpartition(".")[2], {})
        return Field(path, label, "text", item, words.get(item) or word(position, item))
    shown = _listed(item, position) if isinstance(item, list) else ""
    return Field(path, label, "text", item, shown) if shown else None


def _listed(items: list[Any], position: Position) -> str:
    """A list in French, such as what befalls each unit; "" when something in it has no name."""
    fields = game(position.game).words.fields
    named = []
    for item in items:
        if isinstance(item, list):
            one = [_listed([part], position) for part in item]
            named.append(f"{one[0]}{NBSP}: {', '.join(one[1:])}" if all(one) else "")
        elif isinstance(item, str):
            name = item if item in position.grid else word(position, item)
            named.append(name if name != item or item in position.grid or item in fields else "")
        else:
            named.append("" if exact(item) is None or isinstance(item, bool) else str(exact(item)))
    between = " ; " if any(isinstance(item, list) for item in items) else ", "
    return between.join(named) if all(named) else ""


def _label(path: str, position: Position) -> str:
    """What a field is called; "" when nothing in French names it."""
    parts = path.split(".")[1:] or ["value"]
    known = [game(position.game).words.fields.get(p) for p in parts]
    named = [label or (p if p in position.grid else word(position, p)) for label, p in zip(known, parts, strict=True)]
    strange = any(
        name == p and not label and p not in position.grid for label, name, p in zip(known, named, parts, strict=True)
    )
    text = f"{NBSP}: ".join(named)
    return "" if strange else text[:1].upper() + text[1:]


def word(position: Position, text: str) -> str:
    """An engine's word in French: a piece's name, or the game's own term."""
    return position.names.get(text) or game(position.game).phrases.term(text)


def lowered(label: str) -> str:
    """A label within a sentence.

    >>> lowered("À obtenir"), lowered("PF")
    ('à obtenir', 'PF')
    """
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]
