"""How much one question may cost: a second of computing, then a sentence instead of an answer.

Rules look at the clock now and then, through what they all use (contexts, pieces of a position). It is the time that
this thread computes, so a loaded machine does not make a question too large. Questions that a rule asks count with its
own; what is read from files, once for all, counts with none.

>>> with bounded(Effort(seconds=-1)):
...     for _ in range(EVERY): spend()
Traceback (most recent call last):
tutor.core.effort.TooLarge: Cette question demande trop de calculs. Réduisez-la : moins de pions, un plateau plus petit,
moins de jets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tutor.core.errors import RequestError

#: Seconds of computing that a question may cost; steps between two looks at the clock.
MOST, EVERY = 1.0, 64


class TooLarge(RequestError):
    """A question is well asked, and would take too long to answer."""

    def __init__(self) -> None:
        super().__init__(
            "Cette question demande trop de calculs.",
            remedy="Réduisez-la : moins de pions, un plateau plus petit, moins de jets.",
        )


class Effort:
    """What a question has cost.

    Args:
        seconds: what it may cost; None: `MOST`.
        clock: gives the seconds computed so far.
    """

    __slots__ = ("_clock", "_end", "_steps", "spent")

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock, self._end, self._steps = clock, clock() + (MOST if seconds is None else seconds), 0
        self.spent = False

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is done here is not counted."""
        began = self._clock()
        try:
            yield
        finally:
            self._end += self._clock() - began

    def step(self) -> None:
        """One step more.

        Raises:
            TooLarge: that was too much; so is every step after it.
        """
        self._steps += 1
        if self.spent or not self._steps % EVERY:
            self.check()

    def check(self) -> None:
        """Look at the clock.

        Raises:
            TooLarge: too much was spent, even if a rule has gone on since.
        """
        self.spent = self.spent or self._clock() > self._end
        if self.spent:
            raise TooLarge


_current: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def bounded(effort: Effort | None = None) -> Iterator[Effort]:
    """Bound what is computed here, together with whatever bounded computation it is a part of.

    Args:
        effort: None: the ordinary bound.
    """
    under_way = _current.get()
    if under_way is not None:
        yield under_way
        return
    mine = effort or Effort()
    token = _current.set(mine)
    try:
        yield mine
    finally:
        _current.reset(token)


@contextmanager
def uncounted() -> Iterator[None]:
    """What a first question reads for all that follow, such as the tables of a game, is not what it costs."""
    effort = _current.get()
    if effort is None:
        yield
    else:
        with effort.paused():
            yield


def spend() -> None:
    """One step of a computation, bounded or not.

    Raises:
        TooLarge: it was bounded, and has cost too much.
    """
    effort = _current.get()
    if effort is not None:
        effort.step()
