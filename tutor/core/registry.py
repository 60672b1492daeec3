"""The games this house holds, each loaded when first asked for;
the index of its rules, its tables, sentences and rule functions.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import Any, Concatenate

from tutor.core.context import Context
from tutor.core.drawing import Shape
from tutor.core.effort import uncounted
from tutor.core.errors import ContentError, PositionError, RequestError, UnknownRule
from tutor.core.faces import CounterStyle
from tutor.core.kit import Kit
from tutor.core.marks import Asked, Fire, Mark, Path, drawing
from tutor.core.phrases import Phrases
from tutor.core.play import Order
from tutor.core.position import Position
from tutor.core.result import Result
from tutor.core.rule import P, R
from tutor.core.rule import Rule as Rule
from tutor.core.rulebook import Changes, Declared
from tutor.core.shelf import Facts, Shelf
from tutor.core.tables import Table
from tutor.core.trace import Step
from tutor.core.typography import typography
from tutor.core.vocabulary import Vocabulary, unknown_words, vocabulary
from tutor.core.yamlio import read_yaml

#: Game id -> title of every game there is, in order.
GAMES = Shelf()


@dataclass(frozen=True, slots=True)
class Section:
    """One entry of a rule index: id, title, kind, parent, our own French summary, related ids, and what the rule is
    for: ours, never given as the author's intention.
    """

    id: str
    title: str
    kind: str
    parent: str | None
    summary: str
    see: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A point the rulebook leaves open: the readings one may choose, and the default.

    Args:
        rule: rule id.
        label: French question.
        options: value -> French label.
        default: the value taken.
    """

    rule: str
    label: str
    options: Mapping[str, str]
    default: str


@dataclass(frozen=True, slots=True)
class Words:
    """What forms call what the rules say.

    Args:
        fields: field of an answer -> French label; what has none is not asked of a reader.
        values: field -> word that it may be -> French label.
        traits: kind, state or value of a piece -> French label, where the words of the game's sentences do not fit.
    """

    fields: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    traits: Mapping[str, str]


class Game:
    """One rulebook: its content folder, and the rule functions its modules register.

    Args:
        id: game id, the name of its folder.
        modules: names of the modules that hold rule functions.
        later: modules that most readers never need, imported when a question of theirs is first asked.
        omittable: rule id -> French sentence saying what then holds.
        settings: open readings by name.
        themes: subjects under which its questions are listed, in order.
        english: pattern of the ids of sections titled in English, with the French title in brackets.
    """

    def __init__(
        self,
        id: str,
        *,
        modules: Iterable[str] = (),
        later: Iterable[str] = (),
        omittable: Mapping[str, str] | None = None,
        settings: Mapping[str, Setting] | None = None,
        themes: Iterable[str] = (),
        english: str = "",
    ) -> None:
        self.facts: Facts = GAMES.facts(id)
        self.id, self.title, self.folder = id, self.facts.title, self.facts.folder
        self.modules, self.later = tuple(modules), tuple(later)
        self.omittable = dict(omittable or {})
        self.settings = dict(settings or {})
        self.themes, self._english = tuple(themes), re.compile(english)
        self._rules: dict[str, Rule[..., Any]] = {}
        self._sentences: dict[str, str] = {}
        #: Every fault of a well-formed but impossible position, as French sentences; set by the game's board module.
        self.problems: Callable[[Position], list[str]] = lambda position: []
        #: What a board shows of a position, in painting order; set by the game's board module.
        self.shapes: Callable[[Position], tuple[Shape, ...]] = lambda position: ()
        #: What the end of a turn changes of a position.
        self.turn_over: Callable[[Position], Changes] = lambda position: {}
        #: Question -> what its computed answer changes of a position; see :meth:`Rule.carries_out`.
        self.consequences: dict[str, Callable[[Position, Declared, Any], Changes]] = {}
        #: Question -> what a board shows of its answer; see :meth:`Rule.draws`.
        self.drawings: dict[str, Callable[[Any, Asked], tuple[Mark, ...]]] = {}

    def question(
        self,
        name: str,
        *,
        rules: Iterable[str],
        label: str,
        theme: str | Iterable[str],
        common: bool = False,
        odds: str | None = None,
        chances: bool = False,
        quiet: bool = False,
        halfway: bool = False,
        sentences: Mapping[str, str] | None = None,
    ) -> Callable[[Callable[Concatenate[Context, P], R]], Rule[P, R]]:
        """Register a rule function as a question of the game:
        all that is known of it but its arguments, which its types say.

        Args:
            name: what ``ask`` calls it.
            rules: rule ids it decides, the first one above all.
            label: the question in French, as a reader would ask it.
            theme: the subject of the game's ``themes`` under which it is listed, or several.
            common: whether it is among those asked most often.
            odds: the question that gives its odds, asked with the arguments that both have.
            chances: whether its own answer is odds.
            quiet: whether its answer changes nothing on the board.
            halfway: whether, refused, it answers with how far it came, which is the reason: a march, a firepower too
                low. Any other question answers nothing when it is refused.
            sentences: step code -> French template, of steps that ``phrases/`` does not know: a question of one's own.

        Raises:
            ContentError: the name is taken, or a theme is none of the game's. In a notebook, where a cell is run again,
                a question of one's own takes the place of the one before.
        """
        themes = (theme,) if isinstance(theme, str) else tuple(theme)

        def register(function: Callable[Concatenate[Context, P], R]) -> Rule[P, R]:
            before = self._rules.get(name)
            if before and not before.function.__module__ == function.__module__ == "__main__":
                raise ContentError(f"Deux règles se nomment « {name} ».", path=function.__module__)
            if strange := [one for one in themes if one not in self.themes]:
                raise ContentError(f"Le thème « {strange[0]} » n’est pas de ceux du jeu.", path=function.__module__)
            traits = (common, odds, chances, quiet, halfway)
            rule = Rule(self, name, tuple(rules), function, typography(label), themes, *traits)
            self._rules[name] = rule
            self._sentences.update(sentences or {})
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
        with uncounted():
            for module in modules:
                import_module(f"tutor.games.{self.id}.{module}")
        return self

    @property
    def rules(self) -> Mapping[str, Rule[..., Any]]:
        """Every rule function, by the name ``ask`` uses."""
        self.load()
        return self._rules

    def aftermath(self, position: Position, question: str, given: Declared, value: Any) -> Changes:
        """What a computed answer changes of the position.

        Args:
            position: where it was asked.
            question: its name.
            given: its declaration.
            value: the answer.

        Raises:
            ContentError: nobody has said what this question changes, in a game whose answers are carried out.

        >>> rulebook, position = game("combat_commander"), load_position("combat_commander", "livret-tir-op")
        >>> given = {"pieces": ["peloton"], "path": ["K8"]}
        >>> rulebook.aftermath(position, "move", given, ask(position, "move", **given).value)
        {'piece.peloton.at': 'K8', 'piece.peloton.activated': 'move'}
        """
        rule = self.rules.get(question)
        if consequence := self.consequences.get(question):
            return consequence(position, given, value)
        if self.consequences and not (rule and (rule.quiet or rule.chances)):
            raise ContentError(
                f"On ne sait pas ce que « {question} » change sur le plateau.", remedy="Dites-le au jeu."
            )
        return {}

    def end_turn(self, position: Position) -> Changes:
        """What the end of a turn changes of the position."""
        return self.load().turn_over(position)

    def drawing(self, result: Result[Any], position: Position, shapes: tuple[Shape, ...] = ()) -> tuple[Mark, ...]:
        """What a board shows of a result: what it draws itself, else the places that its steps name.

        Args:
            result: what a rule returned.
            position: where it was asked.
            shapes: those of the board, to outline the silhouettes that decide.
        """
        given = {name: operand.value for name, operand in result.trace.operands.items()}
        asked = Asked(position, given, result.computed, shapes)
        own = self.drawings.get(result.ask)
        marks = (own(result.value, asked) if own else ()) or drawing(result, asked)
        if result.outcome != "refused":
            return marks
        return tuple(replace(one, legal=False) if isinstance(one, (Fire, Path)) else one for one in marks)

    def rule_of(self, question: str) -> Rule[..., Any] | None:
        """The rule function that answers a question; None when there is none."""
        return self._rules.get(question) or self.rules.get(question)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Tables by id."""
        tables = [
            Table(self.content(f"tables/{p.name}"), p.name) for p in sorted((self.folder / "tables").glob("*.yaml"))
        ]
        return {table.id: table for table in tables}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words that its positions may use."""
        words, asked = (
            self.content(name) if (self.folder / name).is_file() else {}
            for name in ("vocabulary.yaml", "circumstances.yaml")
        )
        settings = {name: setting.options for name, setting in self.settings.items()}
        rows = {name: table.rows for name, table in self.tables.items()}
        return vocabulary(words, asked.get("circumstances", ()), rows, settings)

    def unknown_words(self, position: Position) -> list[str]:
        """French sentences, one for each word of a position that this game does not know."""
        return list(unknown_words(position, self.vocabulary))

    def faults(self, position: Position) -> list[str]:
        """What whoever writes a position is told: what is impossible to play, and words that nothing knows."""
        return [*self.problems(position), *self.unknown_words(position)]

    @cached_property
    def sections(self) -> Mapping[str, Section]:
        """The rule index by id."""
        return {
            s["id"]: Section(
                *(s["id"], s["title"], s["kind"], s.get("parent"), s["summary"], tuple(s.get("see") or ())),
                reason=typography(s.get("reason") or ""),
            )
            for s in self.content("sections.yaml")
        }

    @cached_property
    def phrases(self) -> Phrases:
        """Sentences of the game's steps, from every file of ``phrases/``, and of questions of one's own."""
        vocabulary: dict[str, str] = {}
        steps: dict[str, str] = {}
        for path in sorted((self.folder / "phrases").glob("*.yaml")):
            data = self.content(f"phrases/{path.name}")
            vocabulary |= data.get("terms") or {}
            steps |= data.get("steps") or {}
        for table in self.tables.values():
            for row in table.rows:
                vocabulary.setdefault(row, table.term(row))
        return Phrases(ChainMap(steps, self._sentences), vocabulary.get)

    @cached_property
    def words(self) -> Words:
        """What forms call the fields of answers, words that they are, and the traits of pieces;
        all empty without ``words.yaml``.
        """
        data = self.content("words.yaml") if (self.folder / "words.yaml").is_file() else {}
        return Words(*(data.get(part) or {} for part in ("fields", "values", "traits")))

    @cached_property
    def glossary(self) -> list[dict[str, Any]]:
        """Glossary entries."""
        return list(self.content("glossary.yaml"))

    @cached_property
    def counters(self) -> CounterStyle | None:
        """How this game's counters look; None when it says nothing: they are plain ones."""
        if not (self.folder / "counters.py").is_file():
            return None
        style: CounterStyle = import_module(f"tutor.games.{self.id}.counters").STYLE
        return style

    @cached_property
    def kit(self) -> Kit:
        """What its free board offers; without a ``kit.py``, an empty board like its first position, and no fire.

        Raises:
            ContentError: it has neither.
        """
        if (self.folder / "kit.py").is_file():
            kit: Kit = import_module(f"tutor.games.{self.id}.kit").KIT
            return kit
        if not self.positions():
            raise ContentError(f"{self.title} n’a ni kit.py, ni position.", path=str(self.folder))
        first = self.positions()[0]
        return Kit(first, self.position(first).data()["grid"])

    @cached_property
    def play(self) -> Mapping[str, Order]:
        """What its mini-scenarios order, by kind; nothing without a ``play.py``."""
        if not (self.folder / "play.py").is_file():
            return {}
        orders: Mapping[str, Order] = import_module(f"tutor.games.{self.id}.play").PLAY
        return orders

    def content(self, name: str) -> Any:
        """A content file of the game, parsed.

        Raises:
            ContentError: missing or broken file.
        """
        with uncounted():
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

    def name_of(self, rule: str) -> str:
        """What a French sentence calls a rule: its title, or the French one that stands in brackets.

        Raises:
            UnknownRule: there is none.

        >>> game("combat_commander").name_of("T97"), game("combat_commander").name_of("10.1.1")
        ('Mur', 'Unités & LDV')
        """
        title = self.section(rule).title
        return title.partition("(")[2].rstrip(")") if self._english.fullmatch(rule) and "(" in title else title

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
        position = Position.from_data(_built(self.id, given), "position")
        if position.game != self.id:
            raise PositionError(
                f"Cette position est du jeu « {position.game} ».", remedy=f"Il en faut une de « {self.id} »."
            )
        return position

    def reading(self, position: Position, name: str) -> str:
        """The reading of an open point that a position takes, or the default.

        >>> game("combat_commander").reading(load_position("combat_commander", "plateau-livret"), "same_gully")
        'hidden'
        """
        return position.settings.get(name, self.settings[name].default)

    def sentence(self, step: Step, position: Position | None = None, *, brief: bool = False) -> str:
        """The French sentence of a step; ``brief``: as a headline says it."""
        return self.phrases.sentence(step, position.names if position else None, brief=brief)

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
    folder = GAMES.facts(game_id).folder / "positions"
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
    loaded: Game = import_module(f"tutor.games.{game_id}").GAME
    return loaded.begin()


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
    rulebook = game(position.game)
    rule = rulebook.rule_of(question)
    if rule is None:
        raise RequestError(
            f"La question « {question} » n’existe pas.", remedy=f"Questions : {', '.join(sorted(rulebook.rules))}."
        )
    return rule(position, **arguments)


def sentences(result: Result[Any], position: Position) -> list[str]:
    """The French sentences of a result, step by step, in reading order; a mere group of steps has none.

    Args:
        result: what a rule returned; position: where it was asked.

    >>> place = load_position("combat_commander", "livret-ldv")
    >>> sentences(ask(place, "los", start="J9", end="K6"), place)[-1]
    'La ligne de vue est bloquée en J8.'
    """
    rules = game(position.game)
    steps = list(result.trace.walk())[1:]
    return [rules.sentence(step, position) for step in steps if step.code in rules.phrases.templates]
