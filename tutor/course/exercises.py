"""An exercise in play: the engine answers from the position on screen; variants are drawn; answers are judged."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from string import Formatter
from typing import Any

from tutor.core.errors import AnswerError, ContentError, PositionError, TutorError
from tutor.core.phrases import after, listing, number
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.course.answers import REFUSED, read_number
from tutor.course.circumstances import circumstances
from tutor.course.matching import exact, matches, pick, view
from tutor.course.models import Choice, Exercise

_TRIES = 80


@dataclass(frozen=True)
class Task:
    """An exercise on a position: what is asked now.

    Args:
        game_id: game.
        exercise: its data.
        position: the one on screen.
        arguments: of the question to the engine.
    """

    game_id: str
    exercise: Exercise
    position: Position
    arguments: Mapping[str, Any]
    #: Solutions by what is left out: an answer is judged by those of many omissions, and the next answer by the same.
    _solutions: dict[tuple[str, ...], Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, game_id: str, exercise: Exercise) -> Task:
        """The exercise as it is written, before any variant."""
        position = game(game_id).position(exercise.position).change(exercise.changes)
        return cls(game_id, exercise, position, dict(exercise.with_))

    def on(self, position: Position) -> Task:
        """The same question on another position."""
        return replace(self, position=position)

    @property
    def question(self) -> str:
        """The French question, filled from the position and the arguments."""
        return self.filled(self.exercise.question)

    @property
    def hint(self) -> str:
        """The French hint, filled in the same way."""
        return self.filled(self.exercise.hint)

    def filled(self, text: str) -> str:
        """A French text of the exercise, filled from the position and the arguments.

        Raises:
            ContentError: it names what is not there.
        """
        try:
            return _Filler(self.position, self.arguments).format(text)
        except (KeyError, ValueError, IndexError, TutorError) as error:
            raise ContentError(
                f"Le texte de l’exercice « {self.exercise.id} » nomme {error}.",
                remedy="Nommez un argument, un pion ou un chemin.",
            ) from None

    def result(self, without: Iterable[str] = (), *, trace: bool = True, **changed: Any) -> Result[Any]:
        """The engine's result on the position on screen."""
        return ask(self.position, self.exercise.ask, without=without, trace=trace, **{**self.arguments, **changed})

    @property
    def spots(self) -> dict[str, str]:
        """Cell -> what is asked about there: the cell, or the piece that stands there; none where nothing is asked one by
        one.
        """
        each = self.exercise.answer.each
        return {self._cell_of(one): one for one in each.among} if each else {}

    def _cell_of(self, candidate: str) -> str:
        """A candidate's cell: itself, or where the piece stands; "" where it stands nowhere."""
        return self.position.hex_of(candidate) or "" if candidate in self.position.by_id else candidate

    @property
    def differing(self) -> frozenset[str]:
        """Names of the arguments that differ from one spot to the next, by themselves or by where their piece is put."""
        each = self.exercise.answer.each
        names = (name for name, value in self.arguments.items() if each and value in (each.moved, [each.moved]))
        return frozenset((each.argument, *names) if each and each.argument else names)

    def about(self, cell: str) -> Task:
        """The question put of one of the spots, or as it is.

        Args:
            cell: of :attr:`spots`, or what stands there; another one is asked about too, and "" leaves the question as
                it is.
        """
        each = self.exercise.answer.each
        if each is None or not cell:
            return self
        if each.moved:
            return self.on(self.position.change({f"piece.{each.moved}.at": cell}))
        name, one = str(each.argument), self.spots.get(cell, cell)
        given = [one] if isinstance(self.arguments.get(name), list) else one
        return replace(self, arguments={**self.arguments, name: given})

    def solution(self, without: Iterable[str] = ()) -> Any:
        """The right answer, computed now.

        Returns:
            A ``Fraction``, ``REFUSED``, a choice's label, a set of hexes, an order of labels; None when unknown.

        Raises:
            RequestError: the result has no value where the exercise looks for it.
        """
        left_out = tuple(without)
        if left_out not in self._solutions:
            self._solutions[left_out] = self._solution(left_out)
        return self._solutions[left_out]

    def _solution(self, without: tuple[str, ...]) -> Any:
        answer = self.exercise.answer
        if answer.kind == "order":
            return self._order(without)
        if answer.kind == "hexes" and answer.each:
            each = answer.each
            asked = {one: view(self.about(one).result(without, trace=False)) for one in each.among}
            return frozenset(self._cell_of(one) for one, seen in asked.items() if matches(each.when, seen))
        # A rule may stop at its first reason when nobody follows it; lists are wanted whole.
        seen = view(self.result(without, trace=answer.kind == "hexes"))
        if answer.kind == "choice":
            return fitting(answer.choices, seen)
        if seen["outcome"] != "computed":
            return REFUSED if seen["outcome"] == "refused" else None
        value = pick(seen, answer.from_ or "value")
        return frozenset(value) if answer.kind == "hexes" else exact(value)

    def _order(self, without: tuple[str, ...]) -> tuple[str, ...] | None:
        answer = self.exercise.answer
        keys: list[tuple[Fraction, str]] = []
        for item in answer.items:
            position = self.position.change(item.changes) if item.changes else self.position
            result = ask(position, self.exercise.ask, without=without, trace=False, **{**self.arguments, **item.with_})
            key = exact(pick(view(result), answer.from_ or "value")) if result.computed else None
            if key is None:
                return None
            keys.append((key, item.label))
        if len({key for key, _ in keys}) < len(keys):
            return None
        return tuple(label for _, label in sorted(keys, reverse=answer.descending))

    def read(self, given: Any) -> Any:
        """An answer as the page gives it, in the form of a solution.

        Args:
            given: typed text, a choice's label, hexes, or labels in order.

        Raises:
            AnswerError: it cannot be understood; it does not count as a try.
        """
        answer = self.exercise.answer
        if answer.kind == "number":
            return read_number(str(given), answer.unit)
        if answer.kind == "choice":
            if given not in [choice.label for choice in answer.choices]:
                raise AnswerError("Vous n’avez pas encore choisi.", remedy="Cochez une réponse, puis vérifiez.")
            return given
        if answer.kind == "hexes":
            return frozenset(self.position.grid.check(hex_) for hex_ in given)
        if sorted(given) != sorted(item.label for item in answer.items):
            raise AnswerError("L’ordre n’est pas complet.", remedy="Placez chaque ligne une fois, puis vérifiez.")
        return tuple(given)

    def doubtful(self, given: Any) -> str:
        """The first hex asked one by one that a reader judged wrong, whose steps teach most;
        else the first of the solution.

        Args:
            given: what :meth:`read` made of his answer.

        Returns:
            A hex; "" for other kinds of answers.
        """
        if self.exercise.answer.each is None:
            return ""
        solution = self.solution() or frozenset()
        return next((cell for cell in self.spots if (cell in given) != (cell in solution)), min(solution, default=""))

    def well_posed(self) -> bool:
        """Whether the engine gives one answer here, on a possible position; no hex to touch is none, nor is one where two
        pieces that are asked about stand.
        """
        each = self.exercise.answer.each
        try:
            if game(self.game_id).problems(self.position):
                return False
            kept = self.exercise.answer.kind == "order" or matches(self.exercise.keep, view(self.result(trace=False)))
            apart = each is None or ("" not in self.spots and len(self.spots) == len(each.among))
            return kept and apart and self.solution() not in (None, frozenset())
        except (TutorError, KeyError):
            return False

    def variant(self, seed: int) -> Task:
        """Another variant, well posed, unlike this one where there is room; the same seed gives the same one."""
        draw = random.Random(f"{self.exercise.id}/{seed}")
        base = Task.of(self.game_id, self.exercise)
        if not self.exercise.vary:
            return base
        best = base
        for _ in range(_TRIES):
            changes: dict[str, Any] = {}
            arguments = dict(base.arguments)
            for change in self.exercise.vary:
                value = draw.choice(change.values())
                if change.path:
                    changes[change.path] = value
                elif change.argument:
                    arguments[change.argument] = value
            try:
                task = replace(base, position=base.position.change(changes), arguments=arguments)
            except PositionError:
                continue
            if not task.well_posed():
                continue
            if task.position != self.position or task.arguments != self.arguments:
                if task.solution() != self.solution():
                    return task
                best = task
        return best


def fitting(choices: Iterable[Choice], seen: Mapping[str, Any]) -> str | None:
    """Label of the one choice that fits a result; None when none, or several."""
    fits = [choice.label for choice in choices if matches(choice.when, seen)]
    return fits[0] if len(fits) == 1 else None


class _Filler(Formatter):
    """Fills a question: arguments, piece ids (their names), change paths (what stands there).

    ``{unit:the}``, ``{unit:The}``, ``{unit:of}`` and ``{unit:to}`` put a name with its article, as phrases do;
    ``{piece.mg.status.fired:est|n’est pas}`` says one thing of what holds, another of what does not.
    """

    def __init__(self, position: Position, arguments: Mapping[str, Any]) -> None:
        self.position, self.arguments = position, arguments

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> tuple[str, str]:
        if field_name in self.arguments:
            return self._name(self.arguments[field_name]), field_name
        if field_name in self.position.by_id:
            return self._name(field_name), field_name
        value, head = self.position.read(field_name), field_name.partition(".")[0]
        if head == "marker":
            return self._name(False if value is None else value), field_name
        if value is None and head in ("terrain", "side"):
            return self._nothing(head), field_name
        return self._circumstance(field_name, value) or self._name(value), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            yes, _, no = format_spec.partition("|")
            return no if value == self._name(False) else yes
        if format_spec.lower() not in ("the", "of", "to"):
            return str(format(value, format_spec))
        named = after(format_spec.lower(), game(self.position.game).phrases.term(value))
        return named[:1].upper() + named[1:] if format_spec[:1].isupper() else named

    def _circumstance(self, field_name: str, value: Any) -> str:
        """What the game’s form calls a value of the state, « juillet » of the month 7; "" where it names none."""
        options = (one.options for one in circumstances(self.position.game) if field_name == f"state.{one.key}")
        return next((label for named in options for label, known in named.items() if known == value), "")

    def _nothing(self, head: str) -> str:
        """What a game calls a hex without terrain, or a side with nothing on it."""
        term = game(self.position.game).phrases.term
        return term("open_side") if head == "side" and term("open_side") != "open_side" else term("open")

    def _name(self, value: Any) -> str:
        if isinstance(value, bool):
            return "oui" if value else "non"
        if isinstance(value, (list, tuple)):
            return listing([self._name(item) for item in value])
        if not isinstance(value, str):
            return number(value)
        return self.position.names.get(value) or game(self.position.game).phrases.term(value)
