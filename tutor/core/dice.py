"""Dice read in several ways, and exact draws: a fresh pair each time, or cards drawn from a pile without replacement.

A roll is an ordered pair (white, red), never a sum: one roll is read as a sum, a product, a double. Whatever draws says
for each distinct reading how probable it is, so that odds run a rule once for each reading, not once for each pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from tutor.core.errors import RequestError

Pair = tuple[int, int]
Reading = Callable[[Pair], Any]

#: Every ordered pair of two dice.
PAIRS: tuple[Pair, ...] = tuple((white, red) for white in range(1, 7) for red in range(1, 7))


def total(pair: Pair) -> int:
    """Sum of the two dice.

    >>> total((4, 1))
    5
    """
    return pair[0] + pair[1]


def product(pair: Pair) -> int:
    """Product of the two dice.

    >>> product((6, 1))
    6
    """
    return pair[0] * pair[1]


def double(pair: Pair) -> bool:
    """Whether both dice show the same."""
    return pair[0] == pair[1]


def total_and_double(pair: Pair) -> tuple[int, bool]:
    """Sum, and whether it is a double.

    >>> total_and_double((3, 3))
    (6, True)
    """
    return total(pair), double(pair)


def whole(pair: Pair) -> Pair:
    """The pair itself."""
    return pair


def roll(value: Any) -> Pair:
    """A roll given by a reader: two dice, white then red.

    Raises:
        RequestError: not two numbers from 1 to 6.

    >>> roll([4, 1])
    (4, 1)
    """
    if (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(type(die) is int and 1 <= die <= 6 for die in value)
    ):
        return value[0], value[1]
    raise RequestError(
        f"« {value} » n’est pas un jet de deux dés.",
        remedy="Donnez deux nombres de 1 à 6, dans l’ordre où on les lit : [4, 1].",
    )


#: What has been drawn from a pile so far: readings, sorted; always empty for dice.
Drawn = tuple[Any, ...]
#: Comes first once a pile has been shuffled with all that was discarded.
SHUFFLED: Drawn = ("shuffled",)
Draw = tuple[Any, int, Drawn]


class Source(Protocol):
    """Where rolls come from."""

    def size(self, drawn: Drawn) -> int:
        """Equally likely outcomes of the next roll."""
        ...

    def draw(self, drawn: Drawn) -> tuple[Draw, ...]:
        """Every reading the next roll may give, how many of the outcomes give it, and what has been drawn then."""
        ...


@dataclass(frozen=True)
class Dice:
    """Two fresh dice each time: an unknown, shuffled deck.

    Args:
        reading: how a roll is read.

    >>> [n for value, n, drawn in Dice(total).draw(()) if value == 7]
    [6]
    """

    reading: Reading

    def size(self, drawn: Drawn) -> int:
        """See :class:`Source`."""
        return len(PAIRS)

    def draw(self, drawn: Drawn) -> tuple[Draw, ...]:
        """See :class:`Source`."""
        return _fresh(self.reading)


@lru_cache(maxsize=32)
def _fresh(reading: Reading) -> tuple[Draw, ...]:
    counts = Counter(reading(pair) for pair in PAIRS)
    return tuple((value, n, ()) for value, n in counts.items())


class Pile:
    """A draw pile of known discards: every ordered pair a number of times, less the discards; no card comes twice.

    Args:
        reading: how a roll is read.
        copies: cards bearing each ordered pair in the full deck.
        discards: pairs already gone.
        shuffles: pairs after which the whole deck is shuffled again; no other pair reads as they do.

    Raises:
        RequestError: a pair discarded more often than it exists, or nothing left.

    >>> pile = Pile(total, 2, [(6, 6)], shuffles=[(6, 6)])
    >>> pile.size(()), [(n, pile.size(drawn)) for value, n, drawn in pile.draw(()) if value == 12]
    (71, [(1, 72)])
    """

    def __init__(
        self, reading: Reading, copies: int, discards: Iterable[Any] = (), shuffles: Iterable[Pair] = ()
    ) -> None:
        gone = Counter(roll(pair) for pair in discards)
        many = [pair for pair, n in gone.items() if n > copies]
        if many:
            raise RequestError(
                f"La paire {many[0][0]}-{many[0][1]} ne peut pas être défaussée {gone[many[0]]} fois.",
                remedy=f"Chaque paire existe {copies} fois dans le paquet.",
            )
        self._counts: Counter[Any] = Counter()
        self._whole: Counter[Any] = Counter()
        for pair in PAIRS:
            self._counts[reading(pair)] += copies - gone[pair]
            self._whole[reading(pair)] += copies
        self._shuffles = frozenset(reading(pair) for pair in shuffles)
        self._left = sum(self._counts.values())
        self._cache: dict[Drawn, tuple[Draw, ...]] = {}

    def size(self, drawn: Drawn) -> int:
        """See :class:`Source`."""
        left = sum(self._whole.values()) - len(drawn) + 1 if drawn[:1] == SHUFFLED else self._left - len(drawn)
        if left <= 0:
            raise RequestError(
                "Il ne reste plus de carte dans cette pioche.", remedy="Retirez des cartes de la défausse."
            )
        return left

    def draw(self, drawn: Drawn) -> tuple[Draw, ...]:
        """See :class:`Source`."""
        draws = self._cache.get(drawn)
        if draws is None:
            again, gone = drawn[:1] == SHUFFLED, Counter(drawn)
            since = drawn[1:] if again else drawn
            draws = self._cache[drawn] = tuple(
                (value, n - gone[value], self._then(again, since, value))
                for value, n in (self._whole if again else self._counts).items()
                if n > gone[value]
            )
        return draws

    def _then(self, again: bool, since: Drawn, value: Any) -> Drawn:
        """What has been drawn since the last shuffle, once a card more is."""
        if value in self._shuffles:
            return SHUFFLED
        return (*(SHUFFLED if again else ()), *sorted((*since, value)))


def rolls(reading: Reading, copies: int, discards: Iterable[Any] | None, shuffles: Iterable[Pair] = ()) -> Source:
    """Fresh dice when the discards are unknown, else the pile they leave.

    Args:
        reading: how a roll is read.
        copies: cards bearing each pair.
        discards: pairs gone, or None when unknown.
        shuffles: pairs after which the whole deck is shuffled again.
    """
    return Dice(reading) if discards is None else Pile(reading, copies, discards, shuffles)


def chance(reading: Reading, wanted: Callable[[Any], bool]) -> Fraction:
    """Probability that a fresh roll reads as wanted.

    >>> str(chance(product, lambda p: p > 6))
    '11/18'
    """
    return Fraction(sum(n for value, n, _ in _fresh(reading) if wanted(value)), len(PAIRS))
