"""Several servers on one PostgreSQL: each tells the others which sessions changed and where its participants are.

LISTEN and NOTIFY: nothing is polled. On SQLite there is one server, and nothing to relay.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from widgets.serving.desk.live import Classroom, Live

#: Seconds between two tellings of where participants are, and between two tries to listen.
PERIOD, RETRY = 0.4, 1.0
#: Seconds between two signs of life of a server that has sessions, and after which it is taken for dead.
ALIVE, DEAD = 20.0, 70.0
#: Characters of the moves told in one message, all ASCII: PostgreSQL takes 8 000 bytes.
TOGETHER = 5_000
log = logging.getLogger("ldv.desk")


class Relay:
    """What this server says to the others, and what it hears from them.

    Args:
        name: this server's, told apart from the others'.
        room: the sessions of this server.
        say: sends a message (`server.say`).
    """

    def __init__(self, name: str, room: Callable[[], Classroom], say: Callable[[str], None]) -> None:
        self.name, self.room, self.say = name, room, say
        self._moves: dict[int, dict[int, Any]] = defaultdict(dict)
        self._heard: dict[str, float] = {}
        self._signs: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = threading.Event()
        self.thread: threading.Thread | None = None

    def start(self, engine: Any) -> None:
        """Listen to the other servers, if the database is one that several may share.

        Args:
            engine: the store's (SQLAlchemy).
        """
        if engine.dialect.name == "postgresql":
            self.loop = asyncio.get_running_loop()
            self.thread = threading.Thread(target=self._listen, args=(engine,), name="ldv-listen", daemon=True)
            self.thread.start()
            self._signs = asyncio.ensure_future(self._live())

    def stop(self) -> None:
        """Listen no more."""
        self._stopped.set()
        if self._signs is not None:
            self._signs.cancel()

    async def _live(self) -> None:
        """Say now and then that this server lives; forget who was on one that has said nothing for long."""
        while True:
            await asyncio.sleep(ALIVE)
            if self.room().sessions:
                self.say(json.dumps({"server": self.name, "alive": True}))
            now = self.loop.time()
            for server in [name for name, at in self._heard.items() if now - at > DEAD]:
                del self._heard[server]
                self.room().lost(server)

    # -- speaking -------------------------------------------------------------------------------------------------

    def moved(self, live: Live, participants: list[int]) -> None:
        """Participants of a session moved: the others will know soon."""
        if self.thread is None:
            return
        for number in participants:
            at = live.at(number)
            move = {"online": at.online, "where": at.where, "stuck": at.stuck, "since": at.since}
            self._moves[live.number][number] = {"participant": number, **move}
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._say_moves())

    async def _say_moves(self) -> None:
        while self._moves:
            await asyncio.sleep(PERIOD)
            moved, self._moves = self._moves, defaultdict(dict)
            for session, latest in moved.items():
                for moves in _portions([json.dumps(move) for move in latest.values()]):
                    self.say(f'{{"server": "{self.name}", "session": {session}, "moves": [{", ".join(moves)}]}}')

    def ask(self, session: int) -> None:
        """A session is followed here from now on: ask the others where their participants are."""
        if self.thread is not None:
            self.say(json.dumps({"server": self.name, "ask": session}))

    # -- listening ------------------------------------------------------------------------------------------------

    def _listen(self, engine: Any) -> None:
        """The thread: one connection of its own, opened again when it is lost."""
        import psycopg

        from tutor.store.server import CHANNEL

        address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._stopped.is_set():
            try:
                with psycopg.connect(address, autocommit=True, connect_timeout=3) as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    self._in_loop(self._catch_up)
                    while not self._stopped.is_set():
                        for notice in db.notifies(timeout=2.0):
                            self._in_loop(self._hear, notice.payload)
            except psycopg.Error as error:
                log.debug("not listening: %s", error)
                self._stopped.wait(RETRY)

    def _catch_up(self) -> None:
        """What was said while nobody listened here is asked for."""
        self.room().everything_changed()
        for live in self.room().sessions.values():
            self.ask(live.number)
            self.moved(live, [number for number, at in live.presence.items() if at.online])

    def _in_loop(self, function: Callable[..., None], *args: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
            self.loop.call_soon_threadsafe(function, *args)

    def _hear(self, payload: str) -> None:
        try:
            said = json.loads(payload)
            if said["server"] == self.name:
                return
            self._heard[said["server"]] = self.loop.time()
            if "sessions" in said:
                self.room().changed(said["sessions"])
            elif "ask" in said:
                if live := self.room().sessions.get(said["ask"]):
                    self.moved(live, [number for number, at in live.presence.items() if at.online])
            elif "moves" in said:
                self.room().moved_elsewhere(said["server"], said["session"], said["moves"])
        except (ValueError, KeyError, TypeError):
            log.warning("a message of another server is not understood")


def _portions(moves: list[str]) -> Iterator[list[str]]:
    """Written moves, as many together as one message holds."""
    together: list[str] = []
    for move in moves:
        if together and sum(map(len, together)) + len(move) > TOGETHER:
            yield together
            together = []
        together.append(move)
    if together:
        yield together
