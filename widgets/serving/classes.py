"""The classes that are open now: their places are kept, and kernels are prepared for the page they will open next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tutor.core.errors import TutorError
from tutor.store.who import Who
from widgets.serving.catalogue import HOME
from widgets.serving.desk.limits import Clock, Guesses
from widgets.serving.limits import Limits
from widgets.serving.places import Places
from widgets.serving.pool import PoolKeeper
from widgets.serving.visitors import Visitor, class_group

#: Seconds without a sign of a class after which nothing is kept for it any more; it need only come back.
QUIET = 3_600.0
#: Seconds for which what the store said of a code is believed, and how many codes are remembered.
BELIEVED, MOST_CODES = 30.0, 500
#: Seconds between two looks at what is kept for nobody.
LOOK = 60.0
CLASS_PAGE = "classe.ipynb"
LESSON_PUSH = "lesson"
Read = Callable[[str, Who, dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass
class OpenClass:
    """A class that is open.

    Args:
        session: its number; code: its code.
        expected: learners, as its teacher said.
        heard: when something was last heard of it.
    """

    session: int
    code: str
    expected: int
    heard: float


class OpenClasses:
    """Those this server knows of.

    Args:
        read: asks the store.
        places: of the house.
        pool: where kernels are prepared.
        limits: what the house allows.
    """

    def __init__(self, read: Read, places: Places, pool: PoolKeeper, limits: Limits) -> None:
        self.read, self.places, self.pool, self.limits = read, places, pool, limits
        self.clock: Clock = places.clock
        self.guesses = Guesses(self.clock)
        self.open: dict[str, OpenClass] = {}
        self._asked: dict[str, tuple[float, bool]] = {}
        self._doing: set[asyncio.Task[None]] = set()

    # -- who comes with a code ------------------------------------------------------------------------------------

    async def knows(self, code: str) -> bool:
        """Whether a code is that of an open class; it then has its places. Wrong codes are counted against guessing.

        Args:
            code: as it was spelled for the store.
        """
        if one := self.open.get(code):
            one.heard = self.clock()
            return True
        at, right = self._asked.get(code, (-BELIEVED, False))
        if self.clock() - at < BELIEVED:
            return right
        if self.guesses.wait(code, short=True):
            return False
        try:
            said = await self.read("server.class", Who(server=True), {"code": code})
        except TutorError:  # no code at all, or the database is away: nobody is sent away for that
            return False
        if len(self._asked) >= MOST_CODES:
            self._asked.clear()
        self._asked[code] = (self.clock(), bool(said))
        if said:
            self._open(said)
        else:
            self.guesses.failed(code, short=True)
        return bool(said)

    async def welcome(self, visitor: Visitor) -> tuple[str, ...]:
        """Of the classes that a visitor is in, those that are still open."""
        return tuple([code for code in visitor.classes if await self.knows(code)])

    # -- what teachers do -----------------------------------------------------------------------------------------

    def heard(self, op: str, args: dict[str, Any], result: dict[str, Any]) -> None:
        """Follow what was done at the desk.

        Args:
            op: what was done, and kept; args, result: with what, and what came of it.
        """
        if op in ("class.close", "class.erase"):
            self._close(int(args["session"]))
        elif op in ("class.open", "class.lead", "class.push"):
            session = int(result.get("session") or args["session"])
            self._do(self._follow(session, op, args))

    async def _follow(self, session: int, op: str, args: dict[str, Any]) -> None:
        one = next((one for one in self.open.values() if one.session == session), None)
        new = one is None
        if one is None:
            try:
                said = await self.read("server.class", Who(server=True), {"session": session})
            except TutorError:
                return
            if not said:
                return
            one = self._open(said)
        one.heard = self.clock()
        if op == "class.push":
            self._prepare_pushed(one, args)
        elif new or op == "class.open":
            self.prepare(one, HOME)

    def _prepare_pushed(self, one: OpenClass, args: dict[str, Any]) -> None:
        body = args.get("body")
        path = CLASS_PAGE
        if args.get("kind") == LESSON_PUSH and isinstance(body, dict) and not body.get("code"):
            path = f"{body.get('game')}/{body.get('slug')}.ipynb"
        self.prepare(one, path)

    def prepare(self, one: OpenClass, path: str) -> None:
        """Prepare kernels for a page that a class is about to open: one for each who is expected and not on it yet.

        Args:
            one: the class; path: of the notebook.
        """
        group = class_group(one.code)
        there = [place.path for place in self.places.taken if place.group == group]
        wanted = one.expected if path == HOME else len(there) or one.expected
        kept = self.places.kept.get(group, 0)
        self.pool.prepare(group, path, min(wanted, kept) - there.count(path), self.limits.prepared)

    def opened(self, visitor: Visitor, path: str) -> None:
        """Somebody of a class has opened a page: whoever is on the one where one joins goes to that of the class."""
        one = next((self.open[code] for code in visitor.classes if code in self.open), None)
        if one is None:
            return
        one.heard = self.clock()
        if path == HOME:
            group = class_group(one.code)
            count = sum(place.group == group and place.path == HOME for place in self.places.taken)
            self.pool.prepare(group, CLASS_PAGE, count, self.limits.prepared, also=True)

    def forget(self) -> None:
        """Keep nothing any more for the classes of which nothing was heard for long."""
        for one in [one for one in self.open.values() if self.clock() - one.heard > QUIET]:
            self._close(one.session)

    def _open(self, said: dict[str, Any]) -> OpenClass:
        one = OpenClass(said["session"], said["code"], said["expected"], self.clock())
        self.open[one.code] = one
        others = sum(count for group, count in self.places.kept.items() if group.startswith(class_group("")))
        self.places.keep(class_group(one.code), min(one.expected, self.limits.class_places - others))
        return one

    def _close(self, session: int) -> None:
        for code in [code for code, one in self.open.items() if one.session == session]:
            del self.open[code]
            self._asked.pop(code, None)
            self.places.keep(class_group(code), 0)
            self.pool.release(class_group(code))

    def _do(self, doing: Any) -> None:
        task = asyncio.ensure_future(doing)
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
