"""Several servers on one PostgreSQL: each tells the others which sessions changed and where its participants are.

LISTEN and NOTIFY: nothing is polled. On SQLite there is one server, and nothing to relay.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from widgets.serving.desk_live import Classroom, Live

#: Seconds between two tellings of where participants are, and between two tries to listen.
PERIOD, RETRY = 0.4, 1.0
#: Participants told in one message: PostgreSQL takes 8 000 bytes.
TOGETHER = 12
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
        self._moves: dict[int, set[int]] = defaultdict(set)
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

    def stop(self) -> None:
        """Listen no more."""
        self._stopped.set()

    # -- speaking -------------------------------------------------------------------------------------------------

    def moved(self, session: int, participants: list[int]) -> None:
        """Participants of a session moved: the others will know soon."""
        if self.thread is None:
            return
        self._moves[session].update(participants)
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        while self._moves:
            await asyncio.sleep(PERIOD)
            moves, self._moves = self._moves, defaultdict(set)
            for session, participants in moves.items():
                if live := self.room().sessions.get(session):
                    self._tell_moves(live, sorted(participants))

    def _tell_moves(self, live: Live, participants: list[int]) -> None:
        for first in range(0, len(participants), TOGETHER):
            moves = [
                {"participant": number, "online": at.online, "where": at.where, "stuck": at.stuck, "since": at.since}
                for number in participants[first : first + TOGETHER]
                for at in [live.at(number)]
            ]
            said = {"server": self.name, "session": live.number, "moves": moves}
            self.say(json.dumps(said, ensure_ascii=False))

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
                    self._in_loop(lambda: self.room().everything_changed())
                    while not self._stopped.is_set():
                        for notice in db.notifies(timeout=2.0):
                            self._in_loop(self._hear, notice.payload)
            except psycopg.Error as error:
                log.debug("not listening: %s", error)
                self._stopped.wait(RETRY)

    def _in_loop(self, function: Callable[..., None], *args: Any) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function, *args)

    def _hear(self, payload: str) -> None:
        try:
            said = json.loads(payload)
            if said["server"] == self.name:
                return
            if "sessions" in said:
                self.room().changed(said["sessions"])
            elif "ask" in said:
                if live := self.room().sessions.get(said["ask"]):
                    self.moved(live.number, [number for number, at in live.presence.items() if at.online])
            else:
                self.room().told(said["server"], said["session"], said["moves"])
        except (ValueError, KeyError, TypeError):
            log.warning("a message of another server is not understood")
