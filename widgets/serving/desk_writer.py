"""The thread that writes: it gathers what arrives within a few milliseconds into one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tutor.store.errors import Away, Refused
from tutor.store.who import Outcome, Who, Write

if TYPE_CHECKING:
    from tutor.store.store import Store

#: Seconds during which writes are gathered, and how many make a transaction at most.
GATHER, MOST_TOGETHER = 0.004, 256
#: Writes that may wait for the database; each is at most as long as a message.
MOST_WAITING = 5_000
#: Seconds between two tries to open the database.
REOPEN = 1.0
#: Seconds after which the database is opened though nobody has asked: its packages take a third of a second of
#: processor, which the server's start and its first page have first.
CALM = 4.0
#: Seconds that a read waits for the database of a server that has just started.
OPENING = 5.0
log = logging.getLogger("ldv.desk")
Item = tuple[Write, "asyncio.Future[Outcome]"]


class Librarian:
    """Owns the store: a thread that opens it and writes, two that read. The database is opened without delaying anyone.

    Args:
        make: makes the store (imports the database's packages: done in the thread).
    """

    def __init__(self, make: Callable[[], Store]) -> None:
        self.make = make
        self.store: Store | None = None
        self.fault = ""
        self.writes: queue.Queue[Item | None] = queue.Queue()
        self.readers = ThreadPoolExecutor(2, thread_name_prefix="ldv-read")
        self._tried = -REOPEN
        self._needed = threading.Event()
        self._closing = False
        self.thread = threading.Thread(target=self._work, name="ldv-write", daemon=True)

    def start(self) -> None:
        """Start the thread; it opens the database once somebody asks for it, or a little later."""
        self.loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[Any] = self.loop.create_future()
        self.thread.start()

    async def engine(self) -> Any:
        """The store's engine, once the database is open; it is not opened for that."""
        return await asyncio.shield(self._opened)

    async def stop(self) -> None:
        """Write what waits, then close the database."""
        self._closing = True
        self._needed.set()
        self.writes.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self.thread.join, 10)
        self.readers.shutdown(wait=False, cancel_futures=True)
        if self.store is not None:
            self.store.close()

    @property
    def ready(self) -> bool:
        """Whether the database is open."""
        return self.store is not None

    def write(self, write: Write) -> asyncio.Future[Outcome]:
        """Queue a write; its outcome comes after commit.

        Raises:
            Away: through the future, when the database does not answer.
        """
        future: asyncio.Future[Outcome] = self.loop.create_future()
        if self._closing or self.writes.qsize() > MOST_WAITING:
            future.set_exception(Away("away"))
        else:
            self._needed.set()
            self.writes.put((write, future))
        return future

    async def read(self, op: str, who: Who, args: dict[str, Any]) -> dict[str, Any]:
        """Answer a read, in a thread.

        Raises:
            Away: when the database does not answer.
            Refused: when it may not be answered.
        """
        self._needed.set()
        if self.store is None and not self.fault:  # the server has just started
            await asyncio.wait([self._opened], timeout=OPENING)
        return await self.loop.run_in_executor(self.readers, lambda: self._open().read(op, who, args))

    # -- in the threads -------------------------------------------------------------------------------------------

    def _open(self) -> Store:
        if self.store is None:
            raise Away("away")
        return self.store

    def _try_to_open(self) -> None:
        idle = self._closing and self.writes.qsize() <= 1  # only what ends the thread
        if self.store is not None or idle or time.monotonic() - self._tried < REOPEN:
            return
        self._tried = time.monotonic()
        try:
            store = self.make()
            store.open()
        except Exception as error:
            self._say(error)
            return
        self.store, self.fault = store, ""
        self.loop.call_soon_threadsafe(lambda: self._opened.done() or self._opened.set_result(store.engine))

    def _say(self, error: Exception) -> None:
        """One line on stderr, once for each fault."""
        said = str(error) if isinstance(error, Refused | Away) else f"{type(error).__name__}: {error}"
        if said != self.fault:
            self.fault = said
            print(f"Ligne de Vue : la progression n’est pas gardée pour l’instant. {said}", file=sys.stderr, flush=True)

    def _work(self) -> None:
        self._needed.wait(CALM)
        self._try_to_open()
        while True:
            try:
                first = self.writes.get(timeout=None if self.ready else REOPEN)
            except queue.Empty:
                self._try_to_open()
                continue
            batch, last = self._gather(first)
            if batch:
                self._try_to_open()
                self._write(batch)
            if last:
                return

    def _gather(self, first: Item | None) -> tuple[list[Item], bool]:
        batch: list[Item] = []
        item, until = first, time.monotonic() + GATHER
        while item is not None:
            batch.append(item)
            if len(batch) == MOST_TOGETHER:
                return batch, False
            try:
                item = self.writes.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                return batch, False
        return batch, True

    def _write(self, batch: list[Item]) -> None:
        try:
            outcomes = self._open().write([write for write, _ in batch])
        except Away as error:
            self.fault = str(error) if self.ready else self.fault
            self._give(batch, [error] * len(batch))
        except Exception as error:
            log.exception("a batch of writes failed")
            if len(batch) > 1:  # the others are not to blame
                for item in batch:
                    self._write([item])
            else:
                self._give(batch, [Refused(f"Cette demande n’a pas pu être gardée ({type(error).__name__}).")])
        else:
            self.fault = ""
            self._give(batch, outcomes)

    def _give(self, batch: list[Item], found: list[Any]) -> None:
        def give() -> None:
            for (_, future), outcome in zip(batch, found, strict=True):
                if future.done():
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

        with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
            self.loop.call_soon_threadsafe(give)
