"""How often one may ask, and how often one may guess."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable

Clock = Callable[[], float]


class Bucket:
    """So many at once, then so many a second.

    Args:
        burst: how many at once.
        rate: how many a second afterwards.
        clock: seconds, monotonic.

    >>> bucket = Bucket(2, 1.0, clock=lambda: 0.0)
    >>> [bucket.take() for _ in range(3)]
    [0.0, 0.0, 1.0]
    """

    def __init__(self, burst: float, rate: float, clock: Clock = time.monotonic) -> None:
        self.burst, self.rate, self.clock = burst, rate, clock
        self.level, self.at = burst, clock()

    def wait(self) -> float:
        """Seconds until one more is allowed; 0 when it is now."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        return 0.0 if self.level >= 1 else (1 - self.level) / self.rate

    def take(self) -> float:
        """Take one if it is allowed; else seconds to wait."""
        rest = self.wait()
        if rest == 0.0:
            self.level -= 1
        return rest


class Guesses:
    """Wrong codes, counted for each code typed and for the server as a whole, never by address: a class has one.

    Long codes (a learner's, 78 bits; a teacher's, 117) are out of reach of any guessing: their share is wide, so that
    nobody who guesses shuts the door on those who know, and is apart from that of a class's short code (29 bits).

    Args:
        clock: seconds, monotonic.
    """

    EACH = (5, 1 / 60)
    LONG = (600, 20.0)
    SHORT = (60, 1.0)
    MOST = 4_096

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.clock = clock
        self.long, self.short = Bucket(*self.LONG, clock=clock), Bucket(*self.SHORT, clock=clock)
        self.each: OrderedDict[str, Bucket] = OrderedDict()

    @staticmethod
    def _name(code: object) -> str:
        return hashlib.sha256(repr(code)[:400].encode("utf-8", "replace")).hexdigest()[:32]

    def wait(self, code: object, short: bool = False) -> float:
        """Seconds until this code may be tried (0: now).

        Args:
            code: what was typed.
            short: whether it is a class's.
        """
        one = self.each.get(self._name(code))
        return max((self.short if short else self.long).wait(), one.wait() if one else 0.0)

    def failed(self, code: object, short: bool = False) -> None:
        """Count a wrong code."""
        (self.short if short else self.long).take()
        name = self._name(code)
        self.each.setdefault(name, Bucket(*self.EACH, clock=self.clock)).take()
        self.each.move_to_end(name)
        while len(self.each) > self.MOST:
            self.each.popitem(last=False)
