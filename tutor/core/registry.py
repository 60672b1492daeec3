"""The games this house holds, each loaded when first asked for; the index of its rules, its tables, sentences and rule functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tutor.core.context import Context
from tutor.core.declared import misfit
from tutor.core.drawing import Shape
from tutor.core.errors import ContentError, PositionError, RequestError, UnknownRule, UnknownValue
from tutor.core.phrases import Phrases
from tutor.core.position import Position
from tutor.core.result import Outcome, Result
from tutor.core.tables import Table
from tutor.core.trace import Operand, Step
from tutor.core.yamlio import read_yaml

GAMES: Mapping[str, str] = {
    "combat_commander": "Combat Commander\u00a0: Europe",
    "asl_sk": "ASL Starter Kit 3",
    "tcs": "Tactical Combat Series 4.0",
    "sherman_leader": "Sherman Leader",
    "heroes_of_normandie": "Heroes of Normandie\u00a0: Battle for Caen",
}


@dataclass(frozen=True, slots=True)
class Section:
    """One entry of a rule index: id, title, kind, parent, our own French summary, related ids."""

    id: str
    title: str
    kind: str
    parent: str | None
    summary: str
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """A point the rulebook leaves open: the readings one may choose, and the default.

    Args:
        rule: rule id; label: French question; options: value -> French label; default: the value taken.
    """

    rule: str
    label: str
    options: Mapping[str, str]
    default: str


@dataclass(frozen=True)
class Rule:
    """A rule function, callable on a position.

    Args:
        game: the game it belongs to.
        name: what ``ask`` calls it.
        ids: rule ids it decides.
        function: ``function(context, **arguments)``, pure.
    """

    game: Game
    name: str
    ids: tuple[str, ...]
    function: Callable[..., Any]

    def __call__(
        self, position: Position, /, *, without: Iterable[str] = (), trace: bool = True, **arguments: Any
    ) -> Result[Any]:
        """Ask the rule.

        Args:
            position: the situation.
            without: rule ids left out.
            trace: False leaves the trace empty.
            arguments: the declaration, as the rule function names it.

        Returns:
            A result: computed, refused or unknown.

        Raises:
            RequestError: an argument is missing, unknown or of another kind. OmissionError: a rule cannot be left out.
        """
        self.check(arguments)
        arguments = {name: self._listed(name, value) for name, value in arguments.items()}
        self._fit(arguments, without, trace)
        context = Context(self.game, position, without=without, trace=trace)
        context.root.rule, context.root.code = self.ids[0], self.name
        context.root.operands = {name: Operand(value, "reader") for name, value in arguments.items()}
        missing = None
        try:
            context.root.value = self.function(context, **arguments)
        except UnknownValue as unknown:
            if not context.refusals:  # what is forbidden stays so, whatever the value that nobody gave
                missing, title = f"{unknown.table}.{unknown.cell}", self.game.tables[unknown.table].title
                context.step(unknown.rule, "unknown", "refusal", table=title, cell=missing)
        outcome: Outcome = "refused" if context.refusals else "unknown" if missing else "computed"
        refusals, consulted = tuple(context.refusals), frozenset(context.consulted)
        return Result(self.game.id, self.name, outcome, context.root.value, context.root, refusals, missing, consulted)

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """Arguments of the declaration, by name."""
        parameters = dict(inspect.signature(self.function).parameters)
        parameters.pop(next(iter(parameters)))
        return parameters

    @cached_property
    def _kinds(self) -> Mapping[str, str]:
        """What each argument takes, as its annotation says; a name given to a type is replaced by the type."""
        known = self.function.__globals__
        written = {name: str(parameter.annotation) for name, parameter in self.parameters.items()}
        return {name: str(known.get(kind, kind)) for name, kind in written.items()}

    def _listed(self, name: str, value: Any) -> Any:
        """One name where a list of names is meant is a list of one."""
        many = self._kinds[name].startswith(("list[str]", "Sequence[str]"))
        return [value] if many and isinstance(value, str) else value

    def _fit(self, arguments: Mapping[str, Any], without: Any, trace: Any) -> None:
        """Refuse values of another kind than the rule function takes: what a file or a link declares is not to be trusted."""
        for name, value in arguments.items():
            if wanted := misfit(self._kinds[name], value):
                self._misfit(name, wanted)
        if isinstance(without, str) or not isinstance(without, Iterable):
            self._misfit("without", "une liste de règles")
        if not isinstance(trace, bool):
            self._misfit("trace", "oui ou non")

    def _misfit(self, name: str, wanted: str) -> None:
        raise RequestError(
            f"La question « {self.name} » est mal posée : « {name} » attend {wanted}.",
            remedy="Corrigez cette valeur.",
        )

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Whether a declaration names the right arguments.

        Raises:
            RequestError: otherwise, with their names.
        """
        unknown = [name for name in arguments if name not in self.parameters]
        missing = [n for n, p in self.parameters.items() if p.default is p.empty and n not in arguments]
        if unknown or missing:
            parts = ([f"argument inconnu : {', '.join(unknown)}"] if unknown else []) + (
                [f"il manque : {', '.join(missing)}"] if missing else []
            )
            raise RequestError(
                f"La question « {self.name} » est mal posée ({' ; '.join(parts)}).",
                remedy=f"Arguments : {', '.join(self.parameters)}.",
            )


Aftermath = Callable[[Position, str, Mapping[str, Any], Any], Mapping[str, Any]]


class Game:
    """One rulebook: its content folder, and the rule functions its modules register.

    Args:
        id: game id, a key of ``GAMES`` and the name of its package.
        modules: names of the modules that hold rule functions.
        later: modules that most readers never need, imported when a question of theirs is first asked.
        omittable: rule id -> French sentence saying what then holds.
        settings: open readings by name.
    """

    def __init__(
        self,
        id: str,
        *,
        modules: Iterable[str] = (),
        later: Iterable[str] = (),
        omittable: Mapping[str, str] | None = None,
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        self.id, self.title = id, GAMES[id]
        self.modules, self.later = tuple(modules), tuple(later)
        self.omittable = dict(omittable or {})
        self.settings = dict(settings or {})
        self._rules: dict[str, Rule] = {}
        self.folder = Path(__file__).parent.parent / "games" / id
        #: Question -> the question that gives its odds, asked with the arguments they share.
        self.odds: dict[str, str] = {}
        #: Every fault of a well-formed but impossible position, as French sentences; set by the game's board module.
        self.problems: Callable[[Position], list[str]] = lambda position: []
        #: What a board shows of a position, in painting order; set by the game's board module.
        self.shapes: Callable[[Position], tuple[Shape, ...]] = lambda position: ()
        self._aftermath: Aftermath = lambda *_: {}

    def rule(self, name: str, *ids: str) -> Callable[[Callable[..., Any]], Rule]:
        """Register a rule function under the name ``ask`` uses, with the rule ids it decides."""

        def register(function: Callable[..., Any]) -> Rule:
            if name in self._rules:
                raise ContentError(f"Deux règles se nomment « {name} ».", path=function.__module__)
            rule = Rule(self, name, ids, function)
            self._rules[name] = rule
            rule.__dict__["__doc__"] = function.__doc__
            return rule

        return register

    def begin(self) -> Game:
        """Import the modules that nearly every page needs: a reader's kernel holds no more than he asks for."""
        return self._import(self.modules)

    def load(self) -> Game:
        """Import the modules of the game, so that every rule function is registered."""
        return self._import((*self.modules, *self.later))

    def _import(self, modules: Iterable[str]) -> Game:
        for module in modules:
            import_module(f"tutor.games.{self.id}.{module}")
        return self

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule function, by the name ``ask`` uses."""
        self.load()
        return self._rules

    @property
    def aftermath(self) -> Aftermath:
        """What a computed result changes of the position: of the position, the question, its declaration, its value."""
        self.load()
        return self._aftermath

    @aftermath.setter
    def aftermath(self, found: Aftermath) -> None:
        self._aftermath = found

    def rule_of(self, question: str) -> Rule | None:
        """The rule function that answers a question; None when there is none."""
        return self._rules.get(question) or self.rules.get(question)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Tables by id."""
        found = [
            Table(self.content(f"tables/{p.name}"), p.name) for p in sorted((self.folder / "tables").glob("*.yaml"))
        ]
        return {table.id: table for table in found}

    @cached_property
    def sections(self) -> Mapping[str, Section]:
        """The rule index by id."""
        return {
            s["id"]: Section(s["id"], s["title"], s["kind"], s.get("parent"), s["summary"], tuple(s.get("see") or ()))
            for s in self.content("sections.yaml")
        }

    @cached_property
    def phrases(self) -> Phrases:
        """Sentences of the game's steps, from every file of ``phrases/``."""
        vocabulary: dict[str, str] = {}
        steps: dict[str, str] = {}
        for path in sorted((self.folder / "phrases").glob("*.yaml")):
            data = self.content(f"phrases/{path.name}")
            vocabulary |= data.get("terms") or {}
            steps |= data.get("steps") or {}
        for table in self.tables.values():
            for row in table.rows:
                vocabulary.setdefault(row, table.term(row))
        return Phrases(steps, vocabulary.get)

    @cached_property
    def glossary(self) -> list[dict[str, Any]]:
        """Glossary entries."""
        return list(self.content("glossary.yaml"))

    def content(self, name: str) -> Any:
        """A content file of the game, parsed.

        Raises:
            ContentError: missing or broken file.
        """
        return read_yaml(self.folder / name)

    def section(self, rule: str) -> Section:
        """The index entry of a rule.

        Raises:
            UnknownRule: there is none.
        """
        try:
            return self.sections[rule]
        except KeyError:
            raise UnknownRule(f"La règle « {rule} » n’est pas dans l’index de {self.title}.") from None

    def positions(self) -> list[str]:
        """Names of the positions the game brings."""
        return sorted(p.stem for p in (self.folder / "positions").glob("*.yaml"))

    def position(self, given: str | Mapping[str, Any]) -> Position:
        """A position of the game by name or in full; ``base:`` and ``changes:`` build on another one.

        Args:
            given: its name, or the position itself as plain data.

        Raises:
            ContentError: there is none. PositionError: the data is no position of this game.
        """
        if isinstance(given, str):
            return _position(self.id, given)
        found = Position.from_data(_built(self.id, given), "position")
        if found.game != self.id:
            raise PositionError(
                f"Cette position est du jeu « {found.game} ».", remedy=f"Il en faut une de « {self.id} »."
            )
        return found

    def reading(self, position: Position, name: str) -> str:
        """The reading of an open point that a position takes, or the default.

        >>> game("combat_commander").reading(load_position("combat_commander", "plateau-livret"), "same_gully")
        'hidden'
        """
        return position.settings.get(name, self.settings[name].default)

    def sentence(self, step: Step, position: Position | None = None) -> str:
        """The French sentence of a step."""
        return self.phrases.sentence(step, position.names if position else None)

    def untold(self, trace: Step, position: Position) -> Iterator[str]:
        """Why steps of a trace cannot be told; a group of steps needs no sentence of its own."""
        for step in trace.walk():
            if step.kind != "rule" or step.code in self.phrases.templates:
                try:
                    self.sentence(step, position)
                except ContentError as error:
                    yield error.sentence


@lru_cache(maxsize=64)
def _position(game_id: str, name: str) -> Position:
    folder = Path(__file__).parent.parent / "games" / game_id / "positions"
    path = folder / f"{name}.yaml"
    if not path.is_file() or path.parent != folder:
        raise ContentError(
            f"La position « {name} » n’existe pas.",
            remedy=f"Positions : {', '.join(sorted(p.stem for p in folder.glob('*.yaml')))}.",
        )
    return Position.from_data(_built(game_id, read_yaml(path)), path.name)


def _built(game_id: str, data: Any) -> Any:
    """Data of a position, with what it takes from the one that it builds on."""
    changes = data.get("changes", {}) if isinstance(data, Mapping) and "base" in data else None
    if not isinstance(changes, Mapping) or not all(isinstance(path, str) for path in changes):
        return data
    base = _position(game_id, str(data["base"])).change(changes)
    return base.data() | {key: value for key, value in data.items() if key not in ("base", "changes")}


@cache
def game(game_id: str) -> Game:
    """A game by id, with its rules.

    Raises:
        RequestError: no such game.

    >>> game("combat_commander").title
    'Combat Commander\xa0: Europe'
    """
    if game_id not in GAMES:
        raise RequestError(f"Le jeu « {game_id} » n’est pas dans la maison.", remedy=f"Jeux : {', '.join(GAMES)}.")
    found: Game = import_module(f"tutor.games.{game_id}").GAME
    return found.begin()


def load_position(game_id: str, name: str) -> Position:
    """A position that a game brings, by name."""
    return game(game_id).position(name)


def ask(position: Position, question: str, /, **arguments: Any) -> Result[Any]:
    """Ask a rule of the position's game.

    Args:
        position: the situation.
        question: name of the rule function (``los``, ``fire``, …).
        arguments: the declaration; ``without=`` leaves rules out.

    Raises:
        RequestError: no such question, or wrong arguments.
    """
    held = game(position.game)
    rule = held.rule_of(question)
    if rule is None:
        raise RequestError(
            f"La question « {question} » n’existe pas.", remedy=f"Questions : {', '.join(sorted(held.rules))}."
        )
    return rule(position, **arguments)
