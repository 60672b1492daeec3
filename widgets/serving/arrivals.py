"""Readers who arrive together: first come, first served, a few kernels starting at a time.

Kernels that all start at once all come last: on two cores, thirty of them would each take the time of thirty. Whoever
must wait long waits on a light page of its own, with a ticket; the others in their request.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import secrets
from collections import deque
from dataclasses import dataclass, field

from widgets.serving.places import Place, Places
from widgets.serving.visitors import Visitor

#: Readers before somebody, for each kernel that starts at a time, from which he waits on a page rather than in silence.
PATIENT = 3
#: Holders of a ticket who are called before their turn, for each kernel that starts at a time: they come back meanwhile.
AHEAD = 2
#: Seconds after which a ticket that nobody asked about is void, and for which a called one keeps its place.
FORGOTTEN, CALLED = 30.0, 20.0
#: Seconds that a start takes, before any was seen; and the weight of the last one in what is expected.
FIRST_GUESS, WEIGHT = 0.6, 0.2


class Gone(Exception):
    """Whoever waited has gone."""


class LineFull(Exception):
    """As many wait as may."""


@dataclass(eq=False)
class Turn:
    """Somebody's turn.

    Args:
        number: rank of arrival in the life of the server.
        visitor: who waits; path: for which notebook.
        ticket: name under which a page waits; "" for a request that waits.
        place: his, once he has one.
        seen: when he last asked about his ticket; called: whether he should come back with it.
        ready: whether a kernel is ready for him, so that none has to start.
        started: done when his kernel may start; news: set when he is called, or his ticket is void.
    """

    number: int
    visitor: Visitor
    path: str
    ticket: str = ""
    place: Place | None = None
    seen: float = 0.0
    called: bool = False
    ready: bool = False
    started: asyncio.Future[None] | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)


def starting_at_once() -> int:
    """How many kernels start at a time: one for each core that this process may use.

    >>> starting_at_once() >= 1
    True
    """
    usable = getattr(os, "sched_getaffinity", None)
    return max(1, len(usable(0)) if usable else os.cpu_count() or 1)


class Arrivals:
    """The line.

    Args:
        places: of the house.
        width: kernels that start at a time.
    """

    def __init__(self, places: Places, width: int = 0) -> None:
        self.places = places
        self.width = width or starting_at_once()
        self.seconds = FIRST_GUESS
        self._numbers = itertools.count(1)
        self._line: list[Turn] = []
        self._tickets: dict[str, Turn] = {}
        self._starting: dict[Turn, float] = {}
        self._quiet: deque[asyncio.Future[None]] = deque()
        self._quietly = 0
        places.changed = self.step

    @property
    def waiting(self) -> int:
        """How many readers wait."""
        return len(self._line)

    @property
    def wanting(self) -> int:
        """How many of them wait for a place."""
        return sum(turn.place is None for turn in self._line)

    # -- coming ---------------------------------------------------------------------------------------------------

    def arrive(self, visitor: Visitor, path: str) -> Turn:
        """Join the end of the line.

        Raises:
            LineFull: as many wait as may, in all or for this visitor.
        """
        limits = self.places.limits
        standing = [turn.visitor for turn in self._line if turn.place is None]
        own = sum(other.browser == visitor.browser for other in standing)
        near = sum(other.address == visitor.address for other in standing)
        too_many = own >= limits.visitor_places or (near >= limits.address_places and not visitor.groups)
        if len(self._line) >= limits.tickets or (too_many and not visitor.here):
            raise LineFull
        turn = Turn(next(self._numbers), visitor, path)
        self._line.append(turn)
        self.step()
        return turn

    def long(self, turn: Turn) -> bool:
        """Whether somebody who has just come had better wait on a page."""
        return turn.place is None or self.before(turn) >= PATIENT * self.width

    def give_ticket(self, turn: Turn) -> str:
        """A ticket for somebody who waits on a page."""
        turn.ticket = secrets.token_urlsafe(12)
        turn.seen = self.places.clock()
        self._tickets[turn.ticket] = turn
        self.step()
        return turn.ticket

    def turn_of(self, ticket: str) -> Turn | None:
        """The turn of a ticket that somebody asks about; None when it is void."""
        turn = self._tickets.get(ticket)
        if turn is not None:
            turn.seen = self.places.clock()
        return turn

    def come_back(self, turn: Turn) -> None:
        """A ticket is given back by whoever was called: he waits in his request from now on."""
        self._tickets.pop(turn.ticket, None)
        turn.ticket = ""

    def before(self, turn: Turn) -> int:
        """How many are before somebody in the line."""
        return self._line.index(turn) if turn in self._line else 0

    def expected(self, turn: Turn) -> int | None:
        """Seconds until somebody's turn, rounded up; None when he waits for a place."""
        if turn.place is None:
            return None
        return math.ceil((self.before(turn) + 1) * self.seconds / self.width)

    # -- the turn itself ------------------------------------------------------------------------------------------

    async def start(self, turn: Turn) -> None:
        """Wait, in a request, for the turn of a kernel to start.

        Raises:
            Gone: when whoever asked has gone.
        """
        turn.started = asyncio.get_running_loop().create_future()
        self.step()
        await turn.started

    def skip(self, turn: Turn) -> None:
        """Somebody needs no kernel to start: one is ready for him. He keeps his place, and leaves the line."""
        turn.ready = True
        self._remove(turn)
        self.step()

    def done(self, turn: Turn) -> None:
        """The kernel of somebody's page has done all it had to: the next one may start."""
        began = self._starting.pop(turn, None)
        if began is not None:
            self.seconds += WEIGHT * (self.places.clock() - began - self.seconds)
        self._remove(turn)
        self.step()

    def stands(self, turn: Turn) -> bool:
        """Whether somebody is in the line."""
        return turn in self._line

    def leave(self, turn: Turn) -> None:
        """Leave the line, and give the place back; no kernel was started."""
        if turn.started is not None and not turn.started.done():
            turn.started.set_exception(Gone())
        self._starting.pop(turn, None)
        self._remove(turn)
        if turn.place is not None:
            self.places.leave(turn.place)
        self.step()

    def _remove(self, turn: Turn) -> None:
        self._tickets.pop(turn.ticket, None)
        if turn in self._line:
            self._line.remove(turn)

    async def quiet_turn(self) -> None:
        """Wait for the turn of a kernel that nobody waits for yet: when no reader waits, and never on every core."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._quiet.append(turn)
        self.step()
        try:
            await turn
        except BaseException:
            if turn in self._quiet:
                self._quiet.remove(turn)
            elif not turn.cancelled():
                self.quiet_done()
            raise

    def quiet_done(self) -> None:
        """Such a kernel has done all it had to."""
        self._quietly -= 1
        self.step()

    # -- the rule -------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Let everyone forward who may: places in the order of arrival, then kernels in the order of arrival."""
        self._forget()
        for turn in self._line:
            if turn.place is None:
                turn.place = self.places.take(turn.visitor, turn.path)
        near = 0
        for turn in [turn for turn in self._line if turn.place is not None]:
            if turn.started is not None:
                if len(self._starting) + self._quietly < self.width and not turn.started.done():
                    self._line.remove(turn)
                    self._starting[turn] = self.places.clock()
                    turn.started.set_result(None)
                    continue
            elif turn.ticket and not turn.called and near < AHEAD * self.width:
                turn.called, turn.seen = True, self.places.clock()
                turn.news.set()
            near += 1
        while self._quiet and not self._line and self._quietly < max(1, self.width - 1):
            if len(self._starting) + self._quietly >= self.width:
                break
            turn_of_one = self._quiet.popleft()
            if not turn_of_one.done():
                self._quietly += 1
                turn_of_one.set_result(None)

    def _forget(self) -> None:
        """Void the tickets that nobody asks about any more."""
        now = self.places.clock()
        for turn in list(self._tickets.values()):
            if now - turn.seen > (CALLED if turn.called else FORGOTTEN):
                self._tickets.pop(turn.ticket, None)
                if turn in self._line:
                    self._line.remove(turn)
                if turn.place is not None:
                    self.places.taken.discard(turn.place)
                turn.news.set()
