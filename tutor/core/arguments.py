"""The arguments of questions: types that say what they are, once, for whoever checks, picks, documents or links them.

An argument is annotated by what it is: ``start: Start``, ``firers: Pieces``, ``pay: Annotated[bool, "Payer en
stress"]``. Statically such a type is plain (``str``, ``Sequence[str]``, ``bool``, …). Its metadata says the rest: a
``Sort``, and, as a text, its French label; of several, the last holds. What a file or a link declares is checked by
pydantic, from the same annotation, when a question is first asked.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from tutor.core.errors import ContentError, RequestError

#: Most items of a list or entries of a table, characters of a name, and size of a number.
MOST_ITEMS, MOST_LETTERS, HIGHEST = 600, 200, 1_000_000

Kind = Literal[
    "hex", "hexes", "piece", "pieces", "side", "number", "dice", "throws",
    "flag", "option", "options", "entries", "records", "offered", "text",
]  # fmt: skip
#: What has a value each: pieces, cells, the two of a duel, or the rows of a table; and what that value is.
Keys = Literal["piece", "cell", "duel", "chits"]
Given = Literal["number", "dice", "throws", "option"]


@dataclass(frozen=True, slots=True)
class Sort:
    """What an argument is, beyond its type.

    Args:
        kind: how it is chosen.
        enemy: one of the other side is meant, of a cell or a piece.
        least: smallest number that is offered.
        terms: (value, French label) of words among which it is.
        open: other words hold too.
        table: table of the game whose rows it is among.
        prefix: of those rows, left out.
        having: column that they must have.
        of: what has a value each.
        given: what that value is.
        title: French, what one record is called.
    """

    kind: Kind
    enemy: bool = False
    least: int = 0
    terms: tuple[tuple[str, str], ...] = ()
    open: bool = False
    table: str = ""
    prefix: str = ""
    having: str = ""
    of: Keys = "piece"
    given: Given = "number"
    title: str = ""


class _Idle:
    """Of an argument that changes nothing of the answer: it may be declared, and nobody is asked for it."""


IDLE = _Idle()


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What holds when the field of a record is left out.

    Args:
        value: such as 0.
    """

    value: Any


def terms(labels: Mapping[str, str], *, open: bool = False) -> Sort:
    """Words of the rules among which an argument is, or its items are.

    Args:
        labels: word -> French label.
        open: these are the usual ones, and there are others.
    """
    return Sort("option", terms=tuple(labels.items()), open=open)


def rows(table: str, *, prefix: str = "", having: str = "") -> Sort:
    """Rows of a table of the game, among which an argument is, or its items are.

    Args:
        table: its id.
        prefix: of the rows, which the argument leaves out.
        having: a column that the rows must have.
    """
    return Sort("option", table=table, prefix=prefix, having=having)


def entries(of: Keys, given: Given) -> Sort:
    """A value for each of some things.

    Args:
        of: what has one.
        given: what it is.
    """
    return Sort("entries", of=of, given=given)


def records(title: str) -> Sort:
    """A list of small records, the French title of each."""
    return Sort("records", title=title)


Cell = Annotated[str, Sort("hex"), "Endroit"]
Cells = Annotated[Sequence[str], Sort("hexes"), "Endroits"]
Start = Annotated[Cell, "De"]
End = Annotated[Cell, "Vers"]
TargetCell = Annotated[str, Sort("hex", enemy=True), "Cible"]
Path = Annotated[Cells, "Trajet"]
PieceId = Annotated[str, Sort("piece"), "Pion"]
Pieces = Annotated[Sequence[str], Sort("pieces"), "Pions"]
TargetPiece = Annotated[str, Sort("piece", enemy=True), "Cible"]
Firers = Annotated[Pieces, "Tireurs"]
Side = Annotated[str, Sort("side"), "Camp"]
Roll = Annotated[Sequence[int], Sort("dice"), "Dés"]
Rolls = Annotated[Mapping[str, Sequence[int]], entries("piece", "dice"), "Jets"]
Throws = Annotated[Sequence[Sequence[int]], Sort("throws"), "Jets"]
Modifier = Annotated[int, Sort("number", least=-HIGHEST), "Modificateur"]
#: Chosen among the ``options`` of the answer, those before it chosen.
Offered = Annotated[str, Sort("offered"), "Au choix"]


class Offering:
    """An answer that says among what its ``Offered`` arguments are chosen next."""

    __slots__ = ()
    options: tuple[str, ...]


_BARE: Mapping[Any, Sort] = {str: Sort("text"), int: Sort("number"), bool: Sort("flag")}
_SEVERAL: Mapping[Any, Kind] = {str: "pieces", int: "dice"}


@dataclass(frozen=True)
class Argument:
    """An argument of a question, as its rule function declares it.

    Args:
        name: of the argument.
        label: French.
        sort: what it is.
        many: whether it has several items of it.
        annotation: its type, with all that it says.
        required: whether the question needs it.
        default: what holds when it is left out.
        idle: it changes nothing of the answer.
        fields: of each of its records.
    """

    name: str
    label: str
    sort: Sort
    many: bool
    annotation: Any = field(repr=False)
    required: bool = True
    default: Any = None
    idle: bool = False
    fields: tuple[Argument, ...] = ()

    @property
    def kind(self) -> Kind:
        """How it is chosen."""
        return "options" if self.sort.kind == "option" and self.many else self.sort.kind

    def read(self, value: Any) -> Any:
        """What is declared, checked: one name where several are meant is a list of one.

        Raises:
            ValueError: it is not what the argument takes.
        """
        return self.reader(value)

    @cached_property
    def reader(self) -> Callable[[Any], Any]:
        """What checks it, made when first asked for."""
        read: Callable[[Any], Any] = _adapter(bounded(self.annotation)).validator.validate_python
        return read

    def takes(self, wrong: Exception | None = None) -> str:
        """In French, what the argument takes.

        Args:
            wrong: what :meth:`read` raised, for the limit that is passed.
        """
        kinds: list[dict[str, Any]] = getattr(wrong, "errors", lambda **_: [])(include_url=False, include_input=False)
        return takes(self.annotation) + next((_LIMITS[e["type"]] for e in kinds if e["type"] in _LIMITS), "")

    def schema(self) -> dict[str, Any]:
        """JSON schema of what may be declared."""
        made: dict[str, Any] = _adapter(bounded(self.annotation)).json_schema()
        return made | {"title": self.label} | ({} if self.required else {"default": self.default})


def arguments(function: Callable[..., Any]) -> dict[str, Argument]:
    """The arguments of a rule function but for its context, by name.

    Raises:
        ContentError: a type does not say what the argument is.

    >>> def reach(ctx: Any, unit: PieceId, far: Annotated[bool, "Loin"] = False) -> int: ...
    >>> [(one.label, one.kind, one.required) for one in arguments(reach).values()]
    [('Pion', 'piece', True), ('Loin', 'flag', False)]
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return {p.name: _argument(function.__qualname__, p.name, hints.get(p.name), p.default) for p in parameters}


def _argument(owner: str, name: str, annotation: Any, default: Any) -> Argument:
    bare, said = _unfolded(annotation)
    sort = next((one for one in reversed(said) if isinstance(one, Sort)), None) or _sort(bare)
    if sort is None:
        raise ContentError(
            f"L’argument « {name} » de « {owner} » ne dit pas ce qu’il est.", remedy="Voyez tutor/core/arguments.py."
        )
    label = next((one for one in reversed(said) if isinstance(one, str)), name)
    many = _is_list(bare)
    inner = get_args(bare)[0] if many and sort.kind == "records" else None
    required = default is inspect.Parameter.empty
    default = next((one.value for one in said if isinstance(one, Otherwise)), default)
    return Argument(
        name, label, sort, many, annotation, required, None if required else default, IDLE in said,
        _fields(inner) if inner is not None else (),
    )  # fmt: skip


def _fields(record: Any) -> tuple[Argument, ...]:
    """The fields of a record, those that each one has first."""
    made = [
        replace(_argument(record.__name__, name, annotation, None), required=needed)
        for name, (annotation, needed) in _keys(record).items()
    ]
    return tuple(sorted(made, key=lambda one: not one.required))


def _keys(record: Any) -> dict[str, tuple[Any, bool]]:
    """Keys of a record: the type of each, and whether every record has it."""
    hints = get_type_hints(record, include_extras=True)
    marks = {name: get_origin(hint) for name, hint in hints.items()}
    return {
        name: (
            get_args(hint)[0] if marks[name] in (Required, NotRequired) else hint,
            marks[name] is Required or (record.__total__ and marks[name] is not NotRequired),
        )
        for name, hint in hints.items()
    }


def _unfolded(annotation: Any) -> tuple[Any, list[Any]]:
    """A type without « or nothing », and all that is said of it, the outermost last."""
    said: list[Any] = []
    while True:
        if get_origin(annotation) is Annotated:
            said[:0] = annotation.__metadata__
            annotation = annotation.__origin__
        elif _is_union(annotation):
            ways = [way for way in get_args(annotation) if way is not type(None)]
            annotation = ways[0]
        else:
            return annotation, said


def _sort(bare: Any) -> Sort | None:
    """What a plain type stands for."""
    if bare in _BARE:
        return _BARE[bare]
    if get_origin(bare) is Literal:
        return terms({str(word): str(word) for word in get_args(bare)})
    if _is_list(bare) and (kind := _SEVERAL.get(_unfolded(get_args(bare)[0])[0])):
        return Sort(kind)
    return None


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) in (list, tuple, set, frozenset, Sequence)


# -- what is declared, checked -----------------------------------------------------------------------------------------

_LIMITS: Mapping[str, str] = {
    "too_long": f", de {MOST_ITEMS} au plus",
    "string_too_long": f" de {MOST_LETTERS} lettres au plus",
    "greater_than_equal": " moins grand",
    "less_than_equal": " moins grand",
}


def takes(annotation: Any) -> str:
    """In French, what a type takes.

    >>> takes(Cell), takes(Pieces), takes(Annotated[int | None, "FP"]), takes(Annotated[str, terms({"ap": "Obus"})])
    ('un nom', 'une liste de noms', 'un nombre entier', 'l’un de ces mots : ap')
    """
    bare, said = _unfolded(annotation)
    words = next((() if one.open else one.terms for one in reversed(said) if isinstance(one, Sort)), ())
    named = ", ".join(word for word, _ in words) or ", ".join(map(str, get_args(bare) if _is_literal(bare) else ()))
    if _is_list(bare):
        inner = get_args(bare)[0]
        if named:
            return f"une liste de ces mots : {named}"
        if is_typeddict(inner):
            return f"une liste d’entrées (clés : {', '.join(_keys(inner))}{_needs(inner)})"
        return {str: "une liste de noms", int: "une liste de nombres entiers"}.get(_unfolded(inner)[0], "une liste")
    if named:
        return f"l’un de ces mots : {named}"
    if get_origin(bare) in (dict, Mapping):
        return "une valeur par nom"
    return {str: "un nom", int: "un nombre entier", bool: "oui ou non"}.get(bare, "autre chose")


def _needs(record: Any) -> str:
    needed = [name for name, (_, must) in _keys(record).items() if must]
    return f" ; {', '.join(needed)} {'est nécessaire' if len(needed) == 1 else 'sont nécessaires'}" if needed else ""


def _is_literal(bare: Any) -> bool:
    return get_origin(bare) is Literal


def bounded(annotation: Any) -> Any:
    """The type by which a declaration is checked: strict, of the words that are meant,
    and of no more than the house takes.

    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(bounded(Annotated[int, "FP"])).validate_python(3)
    3
    """
    kind, inside = get_origin(annotation), get_args(annotation)
    if kind is Annotated:
        said = [one for one in annotation.__metadata__ if isinstance(one, Sort) and one.terms and not one.open]
        inner = bounded(annotation.__origin__)
        return _worded(inner, Literal[tuple(word for word, _ in said[-1].terms)]) if said else inner
    if _is_union(annotation):
        return _either(map(bounded, inside))
    if annotation in (str, int, bool):
        return _plain(annotation)
    if is_typeddict(annotation):
        return _record(annotation)
    items: Any = tuple(bounded(one) for one in inside if one is not Ellipsis)
    if kind in (dict, Mapping):
        return _several(dict, items, False)
    if _is_list(annotation):
        return _several(kind if kind in (set, frozenset) else list, items[:1], inside[0] is str)
    return annotation


@cache
def _plain(kind: Any) -> Any:
    """A strict text, number or « yes or no », within limits."""
    from pydantic import Field, Strict

    limits = {str: [Field(max_length=MOST_LETTERS)], int: [Field(ge=-HIGHEST, le=HIGHEST)]}
    return Annotated[kind, Strict(), *limits.get(kind, [])]


@cache
def _several(kind: Any, items: tuple[Any, ...], names: bool) -> Any:
    """A list, set or table of some items, within limits; of ``names``, one alone will do."""
    from pydantic import BeforeValidator, Field, Strict

    made, most = kind[items], Field(max_length=MOST_ITEMS)
    if kind is dict:
        return Annotated[made, most]
    read = BeforeValidator(_named if names else _listed)
    return Annotated[made, most, Strict(), read] if kind is list else Annotated[made, most, read]


def _either(ways: Iterable[Any]) -> Any:
    return Union[tuple(ways)]  # noqa: UP007


def _worded(bare: Any, words: Any) -> Any:
    """A type whose names, or the names of whose items, are certain words."""
    if _is_union(bare):
        return _either(one if one is type(None) else _worded(one, words) for one in get_args(bare))
    if get_origin(bare) is Annotated and _is_list(bare.__origin__):
        return Annotated[list[words], *bare.__metadata__]
    return words


@cache
def _record(record: Any) -> Any:
    """A record whose keys are those that its type names, each of them checked."""
    from pydantic import GetPydanticSchema

    keys = {name: (bounded(hint), needed) for name, (hint, needed) in _keys(record).items()}

    def schema(_: Any, handler: Callable[[Any], Any]) -> Any:
        fields = {
            name: {"type": "typed-dict-field", "schema": handler(kind), "required": needed}
            for name, (kind, needed) in keys.items()
        }
        return {"type": "typed-dict", "fields": fields, "extra_behavior": "forbid"}

    return Annotated[dict[str, Any], GetPydanticSchema(schema)]


@cache
def _adapter(annotation: Any) -> Any:
    """What checks a type; types that say the same share one, and it is made when it is first needed."""
    from pydantic import TypeAdapter

    return TypeAdapter(annotation)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _named(value: Any) -> Any:
    """One name where several are meant is a list of one."""
    return [value] if isinstance(value, str) else _listed(value)


def refused(question: str, argument: Argument, wrong: Exception) -> RequestError:
    """The French error of a declaration that an argument does not take."""
    return misfit(question, argument.name, argument.takes(wrong))


def misfit(question: str, name: str, wanted: str) -> RequestError:
    """The French error of a declaration, by what was expected."""
    return RequestError(
        f"La question « {question} » est mal posée : « {name} » attend {wanted}.", remedy="Corrigez cette valeur."
    )
