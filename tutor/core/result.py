"""What a rule returns: a value and its trace, or every reason of a refusal, or what is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from tutor.core.trace import Step, plain

T_co = TypeVar("T_co", covariant=True)
Outcome = Literal["computed", "refused", "unknown"]


@dataclass(frozen=True, slots=True)
class Result(Generic[T_co]):
    """The outcome of one question to a rule.

    Args:
        game: game id.
        ask: name of the rule function.
        outcome: computed, refused or unknown.
        value: what was computed; None when unknown, or refused (but for a question that says how far it came).
        trace: root step.
        refusals: every reason for the refusal, as steps with rule ids; empty unless refused.
        missing: ``table.cell`` the rulebook does not print, when unknown.
        consulted: ids of the rules the computation asked about and that can be left out.
    """

    game: str
    ask: str
    outcome: Outcome
    value: T_co
    trace: Step
    refusals: tuple[Step, ...] = ()
    missing: str | None = None
    consulted: frozenset[str] = frozenset()

    @property
    def computed(self) -> bool:
        """Whether a value was computed."""
        return self.outcome == "computed"

    def as_json(self) -> dict[str, Any]:
        """Plain data: value, outcome, refusals, trace."""
        return {
            "game": self.game,
            "ask": self.ask,
            "outcome": self.outcome,
            "value": plain(self.value),
            "refusals": [{"rule": step.rule, "code": step.code, "where": plain(step.where)} for step in self.refusals],
            "missing": self.missing,
            "trace": self.trace.as_json(),
        }
