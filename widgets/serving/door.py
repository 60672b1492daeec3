"""The door: who comes in now, who waits on a page, who has had enough; and what is shown there to come in by right."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler

from tutor.core.errors import TutorError
from tutor.store.who import Who
from widgets.serving.arrivals import Arrivals, Gone, LineFull, Turn
from widgets.serving.classes import LOOK, OpenClasses, Read
from widgets.serving.desk.limits import Bucket
from widgets.serving.kernels import ReaderKernelManager, RoomFull
from widgets.serving.limits import Limits
from widgets.serving.places import TAKEN, Openings, Places, TooMany
from widgets.serving.pool import PoolKeeper
from widgets.serving.visitors import TEACHERS, Visitor, Visitors, opens_pages

if TYPE_CHECKING:
    from widgets.serving.catalogue import Catalogue

#: The parameter of an address that bears a ticket; and the one of a link that bears a class's code.
TICKET, CODE = "attente", "classe"
#: Wrong codes and keys of one address, a minute.
WRONG = 12
#: Seconds between two looks at places that nobody uses, and beyond which a script no longer waits for one.
ROUND, PATIENCE = 1.0, 15.0


class Turned(HTTPError):
    """A visitor who is turned away, with a page that says why and what to do.

    Args:
        status: of the answer; title, text: French; retry: seconds after which to try again, 0 when that is useless.
    """

    def __init__(self, status: int, title: str, text: str, retry: int = 0) -> None:
        super().__init__(status)
        self.said, self.retry = (title, text), retry


def take_ticket(request: HTTPServerRequest) -> str:
    """The ticket in an address, which bears it no more afterwards: no page nor kernel has to know of it.

    Args:
        request: Changed in place: `arguments`, `query` and `uri`.
    """
    values = request.query_arguments.pop(TICKET, None)
    if not values:
        return ""
    request.arguments.pop(TICKET, None)
    kept = [pair for pair in parse_qsl(request.query, keep_blank_values=True) if pair[0] != TICKET]
    request.query = urlencode(kept)
    request.uri = f"{request.path}?{request.query}" if request.query else request.path
    return values[-1].decode("utf-8", "replace")


def with_ticket(uri: str, ticket: str) -> str:
    """An address that bears a ticket.

    >>> with_ticket("/", "abc"), with_ticket("/?jeu=tcs", "abc")
    ('/?attente=abc', '/?jeu=tcs&attente=abc')
    """
    return f"{uri}{'&' if '?' in uri else '?'}{TICKET}={ticket}"


def spelled(code: str) -> str:
    """A secret as the store knows it, however it was typed."""
    return "".join(char for char in code.upper() if char.isalnum())[:40]


class Door:
    """Lets visitors in.

    Args:
        limits: what the house allows; visitors: recognizes them.
        manager: of the kernels; catalogue: of the notebooks.
        pool: size of the pool, and notebooks that keep theirs.
        read: asks the store.
    """

    def __init__(
        self,
        limits: Limits,
        visitors: Visitors,
        manager: ReaderKernelManager,
        catalogue: Catalogue,
        pool: tuple[int, Mapping[str, int]],
        read: Read,
    ) -> None:
        self.visitors, self.manager, self.read = visitors, manager, read
        self.places = Places(limits)
        self.arrivals = manager.arrivals = Arrivals(self.places)
        self.pool = PoolKeeper(manager, catalogue, *pool, room=lambda: limits.places - len(self.places.taken))
        self.classes = OpenClasses(read, self.places, self.pool, limits)
        self.wrong = Openings(WRONG, self.places.clock)
        self._doing: set[asyncio.Task[None]] = set()

    # -- who comes ------------------------------------------------------------------------------------------------

    async def recognize(self, handler: RequestHandler) -> Visitor:
        """The visitor of a request, with the classes that are open; a link of a class makes him one of it."""
        visitor = self.visitors.recognize(handler)
        visitor = replace(visitor, classes=await self.classes.welcome(visitor))
        code = spelled(handler.get_query_argument(CODE, "")[:40])
        if code and code not in visitor.classes and await self.check_code(visitor, code):
            visitor = replace(visitor, classes=(*visitor.classes, code))
            self.visitors.show(handler, visitor)
        return visitor

    def guessing(self, visitor: Visitor) -> Bucket:
        """Wrong codes that an address may still show."""
        return self.wrong.of(visitor.address)

    async def check_code(self, visitor: Visitor, code: str) -> bool:
        """Whether a code is that of an open class; False too when its visitor has guessed too much."""
        if self.guessing(visitor).wait():
            return False
        right = await self.classes.knows(code)
        if not right:
            self.guessing(visitor).take()
        return right

    async def check_key(self, visitor: Visitor, key: str) -> bool:
        """Whether a key is a teacher's; False too when its visitor has guessed too much."""
        guesses = self.classes.guesses
        if self.guessing(visitor).wait() or guesses.wait(key):
            return False
        try:
            await self.read("teacher.enter", Who(), {"key": key})
        except TutorError:
            self.guessing(visitor).take()
            guesses.failed(key)
            return False
        return True

    # -- coming in ------------------------------------------------------------------------------------------------

    async def line_up(self, handler: RequestHandler, path: str) -> Turn:
        """Have whoever asks for a notebook join the line, at its head when a kernel is ready for him.

        Args:
            handler: of the request; path: of the notebook.

        Returns:
            His turn: to wait for, or with a ticket to be waited for on a page.

        Raises:
            Turned: he has what he may have.
            RoomFull: there is no place, and as many wait for one as may.
        """
        ticket = take_ticket(handler.request)
        turn = self.arrivals.turn_of(ticket) if ticket else None
        if turn is not None and turn.path == path:
            if turn.called:
                self.arrivals.come_back(turn)
            return turn
        turn = self._arrive(await self.recognize(handler), path)
        if turn.place is not None and self.pool.ready(path, turn.visitor.groups):
            self.arrivals.skip(turn)
        elif self.arrivals.long(turn) and opens_pages(handler.request):
            self.arrivals.give_ticket(turn)
        return turn

    def _arrive(self, visitor: Visitor, path: str) -> Turn:
        try:
            self.places.admit(visitor)
            return self.arrivals.arrive(visitor, path)
        except TooMany as error:
            raise Turned(429, error.title, error.text, error.retry) from error
        except LineFull as error:
            raise RoomFull from error

    async def wait(self, turn: Turn) -> bool:
        """Wait in the request: for a kernel's turn to start, and before that for a place if one may become free soon.

        Returns:
            False when whoever asked has gone.

        Raises:
            RoomFull: there is no place for him.
        """
        if turn.ready:
            return True
        try:
            if turn.place is None and not self._soon():
                raise RoomFull
            await asyncio.wait_for(self.arrivals.start(turn), PATIENCE if turn.place is None else None)
        except Gone:
            return False
        except (RoomFull, TimeoutError) as error:
            self.arrivals.leave(turn)
            raise RoomFull from error
        return True

    def left(self, turn: Turn) -> None:
        """Whoever waited in his request has gone."""
        if self.arrivals.stands(turn) or (turn.ready and turn.place and not turn.place.kernel):
            self.arrivals.leave(turn)

    def _soon(self) -> bool:
        """Whether a page that was sent has not come to life yet: its place may be taken back."""
        return any(place.sent is not None and not place.opened for place in self.places.taken)

    def begin(self, turn: Turn) -> None:
        """A page is about to be written for somebody whose turn has come: his kernel takes his place."""
        TAKEN.set(turn.place)

    def took_ready(self, turn: Turn, path: str, kernel_id: str) -> None:
        """A kernel that was ready is somebody's."""
        self.manager.take(kernel_id)
        self.pool.take(path, turn.visitor.groups)
        if turn.place is not None:
            turn.place.kernel = kernel_id

    def sent(self, turn: Turn, *, gone: bool) -> None:
        """The page of a turn was written, or could not be.

        Args:
            turn: that ends; gone: whether nobody is there to read it.
        """
        place = turn.place
        if place is None or place.kernel not in self.manager:
            self.arrivals.leave(turn)
            return
        if gone:
            self._do(self.manager.end_reader(place.kernel))
        else:
            self.places.sent(place)
            self.classes.opened(turn.visitor, turn.path)
            self.pool.opened(turn.path)
        if turn.ready:
            self.arrivals.done(turn)
        else:
            self._do(self._settle(turn, place.kernel))

    async def _settle(self, turn: Turn, kernel_id: str) -> None:
        try:
            await self.manager.settled(kernel_id)
        finally:
            self.arrivals.done(turn)

    # -- rounds ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look, now and then, for places that nobody uses."""
        self._rounds = asyncio.ensure_future(self._go_round())

    def stop(self) -> None:
        """Look no more."""
        self._rounds.cancel()

    async def _go_round(self) -> None:
        looked = -LOOK
        while True:
            await asyncio.sleep(ROUND)
            for place in list(self.places.unused(self.arrivals.wanting)):
                self._do(self.manager.end_reader(place.kernel))
            self.arrivals.step()
            if self.places.clock() - looked > LOOK:
                looked = self.places.clock()
                self.classes.forget()
                self._do(self._look())

    async def _look(self) -> None:
        """Keep places for teachers where there are any."""
        try:
            teachers = (await self.read("server.teachers", Who(server=True), {}))["teachers"]
        except TutorError:
            return
        self.places.keep(TEACHERS, self.places.limits.teacher_places if teachers else 0)

    def _do(self, doing: Any) -> None:
        task = asyncio.ensure_future(doing)
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
