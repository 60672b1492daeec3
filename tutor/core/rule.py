"""A question that a game answers: its rule function, and all that is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from tutor.core.arguments import Argument, arguments, misfit, refused
from tutor.core.context import Context, Refused
from tutor.core.effort import bounded
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.marks import Asked, Mark
from tutor.core.position import Position
from tutor.core.result import Outcome, Result
from tutor.core.rulebook import Changes, Declared, Rulebook
from tutor.core.trace import Operand

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Rule(Generic[P, R]):
    """A rule function, callable on a position: one question that a game answers.

    Args:
        game: the game it belongs to.
        name: what ``ask`` calls it.
        ids: rule ids it decides.
        function: ``function(context, **arguments)``, pure; other rules call it, and see its types.
        label: the question in French.
        themes: where it is listed.
        common: it is among those asked most often.
        odds: the question that gives its odds, asked with the arguments they share.
        chances: its own answer is odds.
        quiet: its answer changes nothing on the board.
        halfway: refused, it answers with how far it came, which is the reason: a march, a firepower too low.
    """

    game: Rulebook
    name: str
    ids: tuple[str, ...]
    function: Callable[Concatenate[Context, P], R]
    label: str = ""
    themes: tuple[str, ...] = ()
    common: bool = False
    odds: str | None = None
    chances: bool = False
    quiet: bool = False
    halfway: bool = False

    def __call__(
        self, position: Position, /, *, without: Iterable[str] = (), trace: bool = True, **arguments: Any
    ) -> Result[R]:
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
            TooLarge: more than a second of computing.
        """
        self.check(arguments)
        arguments = {name: self._read(name, value) for name, value in arguments.items()}
        if isinstance(without, str) or not isinstance(without, Iterable):
            raise misfit(self.name, "without", "une liste de règles")
        if not isinstance(trace, bool):
            raise misfit(self.name, "trace", "oui ou non")
        context = Context(self.game, position, without=without, trace=trace)
        context.root.rule, context.root.code = self.ids[0], self.name
        context.root.operands = {name: Operand(value, "reader") for name, value in arguments.items()}
        missing = None
        try:
            with bounded() as effort:
                context.root.value = self.function(context, **arguments)  # type: ignore[call-arg]
                effort.check()
        except Refused:
            pass  # the reasons are in the context
        except UnknownValue as unknown:
            if not context.refusals:  # what is forbidden stays so, whatever the value that nobody gave
                missing, title = f"{unknown.table}.{unknown.cell}", self.game.tables[unknown.table].title
                context.step(unknown.rule, "unknown", "refusal", table=title, cell=missing)
        if context.settled and not self.halfway:
            context.root.value = None  # nothing comes of what is refused, unless a rule is forgotten
        outcome: Outcome = "refused" if context.refusals else "unknown" if missing else "computed"
        refusals, consulted = tuple(context.refusals), frozenset(context.consulted)
        return Result(self.game.id, self.name, outcome, context.root.value, context.root, refusals, missing, consulted)

    @cached_property
    def arguments(self) -> Mapping[str, Argument]:
        """Arguments of the declaration, by name."""
        return arguments(self.function)

    def carries_out(
        self, function: Callable[[Position, Declared, R], Changes]
    ) -> Callable[[Position, Declared, R], Changes]:
        """Register what a computed answer changes of the position: of the position, the declaration, the value."""
        self.game.consequences[self.name] = function
        return function

    def draws(self, function: Callable[[R, Asked], tuple[Mark, ...]]) -> Callable[[R, Asked], tuple[Mark, ...]]:
        """Register what a board shows of an answer that is no object of the game's own:
        of its value, and how it was asked.
        """
        self.game.drawings[self.name] = function
        return function

    def schema(self) -> dict[str, Any]:
        """JSON schema of a declaration."""
        return {
            "title": self.label,
            "type": "object",
            "properties": {name: each.schema() for name, each in self.arguments.items()},
            "required": [name for name, each in self.arguments.items() if each.required],
            "additionalProperties": False,
        }

    def _read(self, name: str, value: Any) -> Any:
        """What is declared, checked: what a file or a link says is not to be trusted."""
        argument = self.arguments[name]
        try:
            return argument.read(value)
        except ValueError as wrong:
            raise refused(self.name, argument, wrong) from None

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Whether a declaration names the right arguments.

        Raises:
            RequestError: otherwise, with their names.
        """
        unknown = [name for name in arguments if name not in self.arguments]
        missing = [name for name, each in self.arguments.items() if each.required and name not in arguments]
        if unknown or missing:
            parts = ([f"argument inconnu : {', '.join(unknown)}"] if unknown else []) + (
                [f"il manque : {', '.join(missing)}"] if missing else []
            )
            raise RequestError(
                f"La question « {self.name} » est mal posée ({' ; '.join(parts)}).",
                remedy=f"Arguments : {', '.join(self.arguments)}.",
            )
