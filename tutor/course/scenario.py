"""A mini-scenario: a few decisions with dice, against an opponent who keeps the rules, judged by the game's own odds.

A file ``scenarios/<id>.yaml`` holds a position, what counts as a point, how many points are the aim, what each side may
order. Orders are the game's own (``Game.play``): each is declared to the engine, which refuses or allows; its odds say
what it is worth, its dice what it comes to. A game that is under way never changes, so going back is keeping an earlier
one; the same seed gives the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from pydantic import Field

from tutor.core.dice import Pair
from tutor.core.errors import ContentError, RequestError
from tutor.core.play import Declaration, Fate, Order
from tutor.core.position import Model, Piece, Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.course.models import BoardSource, Label, Plain, Prose, RuleId, Slug, read_named

#: Letters and figures of a seed: none that is taken for another.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_SEED = 4
#: Least shares of the best option that are worth 3, 2 and 1.
SHARES = (Fraction(9, 10), Fraction(6, 10), Fraction(3, 10))
WAIT = Declaration("wait")
State = Literal["standing", "suppressed", "broken", "eliminated"]


class Worth(Model):
    """What gives points: pieces of a side in some states, in some cells, or the nearer to them.

    ``within``: a piece gives a point for each cell that it is nearer to ``cells`` than that.
    """

    side: Slug
    states: Annotated[list[State], Field(min_length=1)]
    points: int = 1
    cells: list[str] = Field(default_factory=list)
    within: int | None = None


class Opponent(Model):
    """How the other side plays: the first kind of order in which something is allowed; there, one drawn by lot.

    ``toward``: cells that a piece that moves must come nearer to.
    """

    side: Slug
    text: Prose
    orders: Annotated[list[Slug], Field(min_length=1)]
    toward: list[str] = Field(default_factory=list)


class Scenario(Model):
    """A mini-scenario. ``after``: the lesson behind which it stands; ``early``: it ends as soon as the aim is reached."""

    id: Slug
    title: Label
    after: Slug
    text: Prose
    aim: Prose
    rules: Annotated[list[RuleId], Field(min_length=1)]
    position: BoardSource
    changes: dict[str, Plain] = Field(default_factory=dict)
    side: Slug
    ask: Prose
    orders: Annotated[list[Slug], Field(min_length=1)]
    opponent: Opponent
    decisions: Annotated[int, Field(ge=5, le=8)]
    worth: Annotated[list[Worth], Field(min_length=1)]
    goal: int
    early: bool = False
    unit: Label = "point"


def scenario_files(game_id: str) -> list[Path]:
    """Scenario files of a game."""
    return sorted((game(game_id).folder / "scenarios").glob("*.yaml"))


@lru_cache(maxsize=32)
def scenario(game_id: str, scenario_id: str) -> Scenario:
    """A mini-scenario of a game by id.

    Raises:
        ContentError: there is none, or its file is broken.
    """
    path = game(game_id).folder / "scenarios" / f"{scenario_id}.yaml"
    if path not in scenario_files(game_id):
        names = ", ".join(one.stem for one in scenario_files(game_id)) or "aucun"
        raise ContentError(f"Le scénario « {scenario_id} » n’existe pas.", remedy=f"Scénarios : {names}.")
    return read_named(Scenario, path, "id")


def scenarios(game_id: str) -> list[Scenario]:
    """The mini-scenarios of a game, in the order of the lessons behind which they stand."""
    return sorted((scenario(game_id, path.stem) for path in scenario_files(game_id)), key=lambda one: one.after)


def seed_of(text: str) -> str:
    """The seed that a link asks for; a new one when it asks for none.

    Args:
        text: letters and figures, as a person may type them.

    >>> seed_of("k7p2"), len(seed_of("")), seed_of("K7P2é")
    ('K7P2', 4, 'K7P2')
    """
    kept = "".join(letter for letter in text.upper() if letter in _LETTERS)[:8]
    return kept or "".join(Random().choice(_LETTERS) for _ in range(_SEED))


@dataclass(frozen=True)
class Judgement:
    """A decision against the best that could be decided.

    Args:
        value: points that it could be expected to bring; best: those of the best one.
        option: the best one.
        score: from 0 to 3.
        why: which rule makes the difference; "" of the best, or where none stands out.
    """

    value: Fraction
    best: Fraction
    option: Declaration
    score: int
    why: str = ""


@dataclass(frozen=True)
class Played:
    """An order as it was played.

    Args:
        number: of the decision, from 1.
        side: who played it.
        declared: what was ordered.
        before, after: situations.
        result: what the engine answered, None of waiting.
        given: the declaration with its dice.
        judged: of the reader's decisions.
        gained: points that it brought to the reader.
        sequel: what the rules made follow, its dice among ``given``.
    """

    number: int
    side: str
    declared: Declaration
    before: Position
    after: Position
    result: Result[Any] | None
    given: Mapping[str, Any]
    judged: Judgement | None
    gained: int
    sequel: Result[Any] | None = None


@dataclass(frozen=True)
class Skirmish:
    """What has been played of a mini-scenario so far.

    Args:
        game_id: game.
        content: the scenario.
        seed: of its dice.
        start: situation at the beginning.
        played: orders, in order.
    """

    game_id: str
    content: Scenario
    seed: str
    start: Position
    played: tuple[Played, ...] = field(default=())

    @classmethod
    def of(cls, game_id: str, content: Scenario, seed: str) -> Skirmish:
        """The beginning.

        Raises:
            ContentError: the position cannot be read, or an order is none of the game's.
        """
        unknown = [one for one in (*content.orders, *content.opponent.orders) if one not in game(game_id).play]
        if unknown:
            raise ContentError(
                f"L’ordre « {unknown[0]} » n’existe pas.", remedy=f"Ordres : {list(game(game_id).play)}."
            )
        return cls(game_id, content, seed_of(seed), game(game_id).position(content.position).change(content.changes))

    # -- where one is ---------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The situation now."""
        return self.played[-1].after if self.played else self.start

    @property
    def decisions(self) -> tuple[Played, ...]:
        """What the reader has decided."""
        return tuple(one for one in self.played if one.judged)

    @property
    def number(self) -> int:
        """Of the decision that is made now, or that the opponent answers."""
        return len(self.decisions) + (self.turn == "reader")

    @property
    def turn(self) -> Literal["reader", "opponent", "end"]:
        """Who plays now."""
        if self.content.early and self.points >= self.content.goal:
            return "end"
        if self.played and self.played[-1].judged:
            return "opponent"
        return "end" if len(self.decisions) == self.content.decisions else "reader"

    @property
    def points(self) -> int:
        """What the situation is worth to the reader."""
        return self.worth(self.position)

    @property
    def won(self) -> bool:
        """Whether the aim is reached."""
        return self.points >= self.content.goal

    @property
    def score(self) -> int:
        """Of all decisions so far; 3 each at most."""
        return sum(one.judged.score for one in self.decisions if one.judged)

    def order(self, declared: Declaration) -> Order:
        """The kind of an order."""
        return game(self.game_id).play[declared.order]

    # -- points ---------------------------------------------------------------------------------------------------

    def worth(self, position: Position) -> int:
        """Points of a situation; pieces of the start that it no longer has are eliminated."""
        return sum(self._points(piece, *self._fate(position, piece)) for piece in self.start.pieces)

    def _fate(self, position: Position, piece: Piece) -> Fate:
        now = position.by_id.get(piece.id)
        if now is None or "eliminated" in now.status:
            return "eliminated", None
        return next((state for state in ("broken", "suppressed") if state in now.status), "standing"), now.at

    def _points(self, piece: Piece, state: str, cell: str | None) -> int:
        return sum(self._of(term, piece, state, cell) for term in self.content.worth)

    def _of(self, term: Worth, piece: Piece, state: str, cell: str | None) -> int:
        if piece.side != term.side or state not in term.states or piece.carrier is not None:
            return 0
        if not term.cells:
            return term.points
        if cell is None:
            return 0
        near = min(self.start.grid.distance(cell, one) for one in term.cells)
        if term.within is None:
            return term.points if near == 0 else 0
        return term.points * max(0, term.within - near)

    def value(self, declared: Declaration) -> Fraction | None:
        """Points that an order may be expected to bring; None where the booklet does not let it be known."""
        if declared == WAIT:
            return Fraction(0)
        fates = self.order(declared).fates(self.position, declared)
        if fates is None:
            return None
        total = Fraction(0)
        for name, chances in fates.items():
            piece = self.start.by_id.get(name)
            if piece is not None:
                now = self._points(piece, *self._fate(self.position, piece))
                total += sum((p * self._points(piece, *fate) for fate, p in chances.items()), Fraction(0)) - now
        return total

    # -- deciding -------------------------------------------------------------------------------------------------

    def permitted(self, declared: Declaration) -> Result[Any] | None:
        """What the rules say of an order, no die rolled; None of waiting."""
        if declared == WAIT:
            return None
        question, given = self.order(declared).question(self.position, declared)
        return ask(self.position, question, **given)

    def allowed(self, side: str, orders: Sequence[str]) -> Iterator[Declaration]:
        """Orders of some kinds that the rules allow."""
        for kind in orders:
            for declared in game(self.game_id).play[kind].options(self.position, side):
                result = self.permitted(declared)
                if result is not None and result.computed:
                    yield declared

    @property
    def must(self) -> bool:
        """Whether the rules allow the reader any order; else he waits."""
        return next(self.allowed(self.content.side, self.content.orders), None) is not None

    @cached_property
    def options(self) -> tuple[tuple[Declaration, Fraction | None], ...]:
        """What the reader may decide, with what it is worth, the best first; waiting, when it is all that is left."""
        given = [(one, self.value(one)) for one in self.allowed(self.content.side, self.content.orders)]
        given.sort(key=lambda pair: pair[1] if pair[1] is not None else Fraction(-1000), reverse=True)
        return tuple(given) or ((WAIT, Fraction(0)),)

    def judge(self, declared: Declaration) -> Judgement:
        """A decision that the rules allow, against the best one."""
        known = [(one, value) for one, value in self.options if value is not None]
        value = self.value(declared)
        if not known or value is None:
            return Judgement(Fraction(0), Fraction(0), declared, 3)
        option, best = known[0]
        if value >= best:
            return Judgement(value, value, declared, 3)
        least = min(Fraction(0), *(worth for _, worth in known)) if best <= 0 else Fraction(0)
        share = (value - least) / (best - least)
        score = next((3 - place for place, limit in enumerate(SHARES) if share >= limit), 0)
        same = declared.order == option.order
        why = self.order(declared).because(self.position, declared, option) if same else ""
        return Judgement(value, best, option, score, why)

    def _roller(self, side: str) -> Callable[[], Pair]:
        dice = Random(f"{self.content.id} {self.seed} {len(self.played)} {side}")
        return lambda: (dice.randint(1, 6), dice.randint(1, 6))

    def decide(self, declared: Declaration) -> Skirmish:
        """The reader's decision, played.

        Raises:
            RequestError: it is not his turn, or the rules refuse it.
        """
        if self.turn != "reader":
            raise RequestError("Ce n’est pas à vous de décider.", remedy="Continuez.")
        permission = self.permitted(declared)
        if permission is not None and not permission.computed:
            raise RequestError("Les règles refusent cet ordre.", remedy="Choisissez-en un autre.")
        return self._play(self.content.side, declared, self.judge(declared))

    def reply(self) -> Skirmish:
        """The opponent's order, played: of the first kind of which the rules allow one, one drawn by lot.

        Raises:
            RequestError: it is not his turn.
        """
        if self.turn != "opponent":
            raise RequestError("Ce n’est pas à l’adversaire de jouer.", remedy="Décidez d’abord.")
        dice = Random(f"{self.content.id} {self.seed} {len(self.played)} lot")
        for kind in self.content.opponent.orders:
            if allowed := [one for one in self.allowed(self.content.opponent.side, [kind]) if self._nearer(one)]:
                return self._play(self.content.opponent.side, dice.choice(allowed), None)
        return self._play(self.content.opponent.side, WAIT, None)

    def _nearer(self, declared: Declaration) -> bool:
        """Whether a movement of the opponent brings its piece nearer to where it goes; true of any other order."""
        goals, distance = self.content.opponent.toward, self.start.grid.distance
        if not goals or not self.order(declared).several:
            return True
        at = str(self.position.hex_of(declared.doer))
        return min(distance(declared.places[-1], one) for one in goals) < min(distance(at, one) for one in goals)

    def _play(self, side: str, declared: Declaration, judged: Judgement | None) -> Skirmish:
        before, rulebook = self.position, game(self.game_id)
        result: Result[Any] | None = None
        sequel: Result[Any] | None = None
        given: Mapping[str, Any] = {}
        after = before
        if declared != WAIT:
            order, roll = self.order(declared), self._roller(side)
            question, given = order.rolled(before, declared, roll)
            result = ask(before, question, **given)
            after = before.change(rulebook.aftermath(before, question, given, result.value))
            if follows := order.sequel(after, declared, roll):
                sequel = ask(after, follows[0], **follows[1])
                after = after.change(rulebook.aftermath(after, *follows, sequel.value))
                given = {**given, **follows[1]}
        gained = self.worth(after) - self.worth(before)
        after = after.change(rulebook.end_turn(after))
        number = len(self.decisions) + (1 if judged else 0)
        done = Played(number, side, declared, before, after, result, given, judged, gained, sequel)
        return replace(self, played=(*self.played, done))
