"""Answers about odds: what is shown of them, they say themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Distribution:
    """Odds that are shown together.

    Args:
        shares: outcome -> probability; outcomes are words of the game, numbers, or French.
        about: a piece, or words, of which these are the chances; "" for the whole.
        name: what is spread, as a word of the game, when these are no chances but a spread.
    """

    shares: Mapping[Any, Fraction]
    about: str = ""
    name: str = ""


class Chances:
    """An answer, a dataclass, about odds."""

    __slots__ = ()

    def distributions(self, named: Callable[[str], bool]) -> tuple[Distribution, ...]:
        """Distributions, in reading order: the probabilities among its fields, then each field that is a spread.

        Args:
            named: whether the game has a French name for a field; when it has some, the others are left out.
        """
        every: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        kept = {name: value for name, value in every.items() if named(name)} or every
        whole = {name: value for name, value in kept.items() if isinstance(value, Fraction)}
        spreads = [Distribution(whole)] if whole else []
        for name, value in kept.items():
            spread = dict(enumerate(value, 1)) if isinstance(value, (list, tuple)) else value
            if (
                isinstance(spread, Mapping)
                and len(spread) > 1
                and all(isinstance(p, Fraction) for p in spread.values())
            ):
                spreads.append(Distribution(spread, name=name))
        return tuple(spreads)

    def spread(self) -> Mapping[int, Fraction]:
        """Each total of the dice with its probability, shown beneath; empty when it is not known."""
        return {}
