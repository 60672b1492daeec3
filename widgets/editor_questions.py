"""The questions a game answers, as the editor offers them: each argument with the way it is chosen, each answer with its fields. No widget."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from typing import Any, Literal
from unicodedata import normalize

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, number
from tutor.core.position import Position
from tutor.core.registry import Game, Rule, ask, game
from tutor.core.result import Result
from tutor.course.matching import exact, view
from widgets.editor_maps import Value
from widgets.editor_words import ARGUMENTS, FIELDS, OPTIONS, QUESTIONS, TABLES, WORDS

Kind = Literal["hex", "hexes", "piece", "pieces", "number", "dice", "flag", "option", "options", "side", "throws", "entries",
               "records", "offered", "unknown"]  # fmt: skip
_CELLS = frozenset({"start", "end", "cell", "at", "left", "entered", "to", "threat", "vertex", "also", "hex", "across"})
_CELL_LISTS = frozenset({"path", "cells", "firing_from", "zone"})
#: Arguments chosen among the ``options`` of the answer, in the order in which they are asked for.
OFFERED: Mapping[str, tuple[str, ...]] = {"event": ("choose", "then")}
#: Arguments that change nothing of the answer: nobody is asked for them.
_IDLE = frozenset({"commissar_odds.side", "commissar_odds.name", "commissar_odds.roll"})
#: What a reader's control says when nothing is declared.
_NOTHING: Mapping[str, str] = {
    "hex": "aucun",
    "piece": "aucun",
    "number": "rien",
    "dice": "pas jetés",
    "option": "rien",
}
#: Games whose target is a piece, not a cell.
_PIECE_TARGETS = frozenset({"sherman_leader", "heroes_of_normandie"})
_PIECES = frozenset(
    {
        "piece",
        "unit",
        "weapon",
        "giver",
        "receiver",
        "firer",
        "mover",
        "leader",
        "spotter",
        "plane",
        "helper",
        "officer",
        "base",
        "first",
        "observer",
        "radio",
        "squad",
        "sniper.choose",
        "commissar_odds.choose",
    }
)
_SIDES = frozenset({"side", "active", "holder", "ambush"})
#: Arguments that give a value to each of some things: of what, and what value.
ENTRIES: Mapping[str, tuple[str, Value]] = {
    "defence": ("piece", "dice"), "rolls": ("piece", "dice"), "checks": ("piece", "dice"), "loss_checks": ("piece", "dice"),
    "wounds": ("piece", "number"), "left": ("cell", "number"), "cup": ("chits", "number"), "flee": ("piece", "option"),
    "discards": ("duel", "throws"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """What one item is of an argument that is a list of small records.

    Args:
        title: French, of one item; like: the question whose arguments have the same name and way as its fields;
        needed: fields that each item has; more: those that it may have.
    """

    title: str
    like: str
    needed: tuple[str, ...]
    more: tuple[str, ...] = ()


_MINED = Record("Jet de Mines", "mines", ("at",), ("roll", "defence", "wounds"))
#: Arguments that are lists of records.
RECORDS: Mapping[str, Record] = {
    "move.shots": Record("Tir d’Op", "attack", ("at", "firers"), ("roll", "defence", "actions", "base", "also", "jammed", "breaks", "concealment", "wounds")),
    "move.mines": _MINED, "retreat.mines": _MINED, "advance.mines": _MINED,
    "fire_odds.then": Record("Tir", "fire_odds", ("firers", "target"), ("actions", "base", "mode", "also", "concealment", "order")),
    "declarations.attacks": Record("Attaque", "fire", ("firers", "target"), ("rof",)),
    "profile.points": Record("Point", "", ("distance", "base", "height")),
}  # fmt: skip
#: How fields of records are chosen that are no argument of the question they are like.
_OWN: Mapping[str, Kind] = {"at": "hex", "rof": "flag", "distance": "number", "base": "number", "height": "number"}
#: Names that mean several things: only what is said for one question holds.
_APART = ("target", "cause", "winner", "action", "choice")
#: Largest number that a picker takes; the rules refuse what makes no sense.
MOST = 99
#: How arguments are chosen of which others are tried, and how many of them, before a question is shown with the first ones.
_TRIED = ("piece", "pieces", "hexes")
_MOST_TRIES = 150


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a question.

    Args:
        name: as the engine calls it; label: French; kind: how it is chosen; required: whether the question needs it;
        default: what the engine takes when it is left out; options: key -> label, of an ``option``;
        title: what one of the ``records`` is called; fields: of each of them.
    """

    name: str
    label: str
    kind: Kind
    required: bool
    default: Any = None
    options: tuple[tuple[str, str], ...] = ()
    title: str = ""
    fields: tuple[Argument, ...] = ()

    def pick(self) -> dict[str, Any] | None:
        """How a reader chooses it, as data of ``tutor.course.models.Pick``; None when he cannot."""
        if self.kind in ("flag", "side", "throws", "entries", "records", "offered", "unknown"):
            return None
        data: dict[str, Any] = {"argument": self.name, "kind": self.kind, "label": self.label}
        if self.kind in ("option", "options"):
            data["options"] = dict(self.options)
        if self.kind == "number":
            data |= {"min": -MOST if self.name in ("drm", "modifier") else 0, "max": MOST}
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
        path: where, in what ``view`` gives; label: French; kind: how a reader would answer it; value: what it is now;
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
    held = game(game_id)
    found = [_question(held, name, rule) for name, rule in held.rules.items()]
    kept = [one for one in found if not any(a.required and a.kind == "unknown" for a in one.arguments)]
    return tuple(sorted(kept, key=lambda one: (one.name != "los", normalize("NFKD", one.label).casefold())))


def question(game_id: str, name: str) -> Question:
    """A question by its name in the engine."""
    return _question(game(game_id), name, game(game_id).rules[name])


def _question(held: Game, name: str, rule: Rule) -> Question:
    label = QUESTIONS.get(held.id, {}).get(name) or held.section(rule.ids[0]).title
    return Question(
        name,
        label.replace(" ?", "\u202f?"),
        tuple(_argument(held, name, p) for p in rule.parameters.values() if f"{name}.{p.name}" not in _IDLE),
    )


def _argument(held: Game, question_name: str, parameter: inspect.Parameter) -> Argument:
    name, required = parameter.name, parameter.default is parameter.empty
    options = _options(held, question_name, name)
    kind = _kind(held.id, question_name, name, str(parameter.annotation), bool(options))
    default = None if required else parameter.default
    named = (f"{held.id}.{question_name}.{name}", f"{question_name}.{name}", name)
    label = next((ARGUMENTS[key] for key in named if key in ARGUMENTS), name)
    record = RECORDS.get(f"{question_name}.{name}")
    if record is None:
        return Argument(name, label, kind, required, default, options)
    fields = tuple(
        _record_field(held, f"{question_name}.{name}", record, one) for one in (*record.needed, *record.more)
    )
    return Argument(name, label, kind, required, default, (), record.title, fields)


def _record_field(held: Game, key: str, record: Record, name: str) -> Argument:
    rule = held.rules.get(record.like)
    if rule is not None and name in rule.parameters:
        made = _argument(held, record.like, rule.parameters[name])
    else:
        made = Argument(name, ARGUMENTS.get(name, name), _OWN[name], True)
    return replace(made, required=name in record.needed, label=ARGUMENTS.get(f"{key}.{name}", made.label))


def _options(held: Game, question_name: str, name: str) -> tuple[tuple[str, str], ...]:
    found = OPTIONS.get(f"{question_name}.{name}") or ({} if name in _APART else OPTIONS.get(name))
    source, _, prefix = TABLES.get(f"{question_name}.{name}", TABLES.get(name, "")).partition(":")
    table = held.tables.get(source)
    if table is not None:
        found = {
            row.rpartition("/")[2].removeprefix(prefix): table.term(row)
            for row in table.rows
            if name != "actions" or table.has(row, "fp")
        }
    return tuple((found or {}).items())


def _kind(game_id: str, question_name: str, name: str, annotation: str, has_options: bool) -> Kind:
    many = annotation.startswith(("list[", "Sequence["))
    if f"{question_name}.{name}" in RECORDS:
        return "records"
    if name in OFFERED.get(question_name, ()):
        return "offered"
    if "Sequence[Sequence" in annotation or annotation == "Discards":
        return "throws"
    if name in ENTRIES and annotation.startswith(("dict[", "Mapping[")):
        return "entries"
    if any(word in annotation for word in ("dict", "Mapping", "Sequence[Sequence")):
        return "unknown"
    if "bool" in annotation:
        return "flag"
    if "int" in annotation:
        return "dice" if many else "number"
    if has_options:
        return "options" if many else "option"
    if name in _SIDES:
        return "side"
    if f"{question_name}.{name}" in _PIECES:
        return "piece"
    if name in ("target", "to") and game_id in _PIECE_TARGETS and name == "target":
        return "piece"
    if many:
        return "hexes" if name in _CELL_LISTS else "pieces"
    if name in _CELLS or (name == "target" and question_name != "to_hit"):
        return "hex"
    return "piece" if name in _PIECES else "unknown"


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
    found: dict[str, Any] = {}
    for each in question(position.game, name).arguments:
        if not each.required:
            continue
        if each.kind == "hex":
            taken = [value for value in found.values() if isinstance(value, str)]
            free = [c for c in places if c not in taken] or list(cells)
            enemy = [c for i in other if (c := position.hex_of(i))]
            found[each.name] = enemy[0] if each.name == "target" and enemy else free[0]
        elif each.kind == "hexes":
            found[each.name] = []
        elif each.kind == "piece":
            free_ids = [i for i in ids if i not in found.values()]
            found[each.name] = (other if each.name in ("target", "plane") and other else free_ids or ids or [""])[0]
        elif each.kind == "pieces":
            found[each.name] = ids[:1]
        elif each.kind == "records":
            found[each.name] = [first_record(position, each, found)]
        else:
            found[each.name] = _first_value(each, position)
    return found


def answerable(position: Position, name: str) -> dict[str, Any]:
    """Arguments to begin with that the engine can answer: other pieces, when the first ones mean nothing to the question.

    >>> from tutor.core.registry import load_position
    >>> answerable(load_position("sherman_leader", "tir"), "targets")["unit"] in load_position("sherman_leader", "tir").by_id
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
    found: list[list[str]] = [[]]
    for at in [str(position.hex_of(i)) for i in units[:2]]:
        for near in [cell for cell in position.grid.neighbours(at) if cell in position.grid][:2]:
            found += [[near], [at, near]]
    return found


def first_record(position: Position, each: Argument, values: Mapping[str, Any]) -> dict[str, Any]:
    """An item to begin with of an argument that is a list of records.

    Args:
        values: the other arguments: where one goes, and who, say where a shot meets them and who may fire it.

    >>> from tutor.core.registry import load_position
    >>> shots = next(a for a in question("combat_commander", "move").arguments if a.name == "shots")
    >>> first_record(load_position("combat_commander", "livret-tir-op"), shots, {"pieces": ["peloton"], "path": ["K8", "K7"]})
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
    """What an answer says that a reader can be asked: whether it is allowed, then its fields; nothing of an unknown one.

    >>> from tutor import ask, load_position
    >>> p = load_position("combat_commander", "livret-ldv")
    >>> [(f.label, f.shown) for f in fields(ask(p, "los", start="J9", end="K6"), p)][:2]
    [('Permis', 'oui'), ('Voit', 'non')]
    """
    seen = view(result)
    if seen["outcome"] == "unknown":
        return []
    found = [Field("outcome", "Permis", "flag", seen["outcome"], "oui" if seen["outcome"] == "computed" else "non")]
    value = seen["value"]
    if seen["outcome"] == "computed":
        found += [made for path, item in _leaves(value) if (made := _field(path, item, position))]
    return found


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
        words = WORDS.get(path.rpartition(".")[2], {})
        return Field(path, label, "text", item, words.get(item) or word(position, item))
    shown = _listed(item, position) if isinstance(item, list) else ""
    return Field(path, label, "text", item, shown) if shown else None


def _listed(items: list[Any], position: Position) -> str:
    """A list in French, such as what befalls each unit; "" when something in it has no name."""
    named = []
    for item in items:
        if isinstance(item, list):
            one = [_listed([part], position) for part in item]
            named.append(f"{one[0]}{NBSP}: {', '.join(one[1:])}" if all(one) else "")
        elif isinstance(item, str):
            told = item if item in position.grid else word(position, item)
            named.append(told if told != item or item in position.grid or item in FIELDS else "")
        else:
            named.append("" if exact(item) is None or isinstance(item, bool) else str(exact(item)))
    between = " ; " if any(isinstance(item, list) for item in items) else ", "
    return between.join(named) if all(named) else ""


def _label(path: str, position: Position) -> str:
    """What a field is called; "" when nothing in French names it."""
    parts = path.split(".")[1:] or ["value"]
    known = [FIELDS.get(f"{position.game}.{p}") or FIELDS.get(p) for p in parts]
    named = [told or (p if p in position.grid else word(position, p)) for told, p in zip(known, parts, strict=True)]
    strange = any(
        name == p and not told and p not in position.grid for told, name, p in zip(known, named, parts, strict=True)
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
