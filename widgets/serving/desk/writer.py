"""The thread that writes: it gathers what arrives within a few milliseconds into one transaction.

While the database is away, what was said waits here too, not only with who said it: a page that is left, and its kernel
with it, loses nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
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
    from widgets.serving.metrics import Metrics

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
#: Writes that wait here for the database, and their size together in characters: beyond, only who asks keeps them.
MOST_LATE, LATE_SIZE = 2_000, 16_777_216
Item = tuple[Write, "asyncio.Future[Outcome]"]
#: A write, with who waits for its outcome: nobody when his page has gone, several when he asked again.
Asked = tuple[Write, "list[asyncio.Future[Outcome]]"]


class Librarian:
    """Owns the store: a thread that opens it and writes, two that read. The database is opened without delaying anyone.

    Args:
        make: makes the store (imports the database's packages: done in the thread).
        metrics: where writes and outages are counted.

    ``on_fault`` is called in the loop with each new fault ("" once it is over), ``on_late`` with what came of a write that
    had waited for the database.
    """

    def __init__(self, make: Callable[[], Store], metrics: Metrics | None = None) -> None:
        self.make = make
        self.metrics = metrics
        self.store: Store | None = None
        self._fault = ""
        self.on_fault: Callable[[str], object] = lambda fault: None
        self.on_late: Callable[[Write, Outcome], object] = lambda write, outcome: None
        #: What waits for the database, by uuid, in the order it came; only the thread touches it.
        self.late: dict[str, Write] = {}
        self._late_size = 0
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
        if self.late:
            print(f"Ligne de Vue : {len(self.late)} écritures n’ont pas pu être gardées.", file=sys.stderr, flush=True)
        if self.store is not None:
            self.store.close()

    @property
    def ready(self) -> bool:
        """Whether the database is open."""
        return self.store is not None

    @property
    def fault(self) -> str:
        """Why nothing can be kept now; "" when all is well."""
        return self._fault

    @fault.setter
    def fault(self, said: str) -> None:
        if self.metrics is not None and bool(said) != bool(self._fault):
            lasted = self.metrics.outage(bool(said))
            log.warning(
                "la base est de retour, après %.0f s" if lasted else "la base s’en va", *([lasted] * bool(lasted))
            )
        self._fault = said

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
        if self.metrics is not None:
            self.metrics.follow(write.op, future)
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
        try:
            return await self.loop.run_in_executor(self.readers, lambda: self._open().read(op, who, args))
        except Away as error:
            if self.ready:
                self._set_fault(str(error))
            raise

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
        self.store = store
        self._set_fault("")
        self._in_loop(lambda: self._opened.done() or self._opened.set_result(store.engine))

    def _set_fault(self, fault: str) -> None:
        if fault != self.fault:
            self.fault = fault
            self._in_loop(lambda: self.on_fault(fault))

    def _in_loop(self, function: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
            self.loop.call_soon_threadsafe(function)

    def _say(self, error: Exception) -> None:
        """One line on stderr, once for each fault."""
        said = str(error) if isinstance(error, Refused | Away) else f"{type(error).__name__}: {error}"
        if said != self.fault:
            self._set_fault(said)
            print(f"Ligne de Vue : la progression n’est pas gardée pour l’instant. {said}", file=sys.stderr, flush=True)

    def _work(self) -> None:
        self._needed.wait(CALM)
        self._try_to_open()
        while True:
            try:
                first = self.writes.get(timeout=REOPEN)
            except queue.Empty:
                self._try_to_open()
                if self.fault and self.ready:  # is it back?
                    self._write([])
                continue
            batch, last = self._gather(first)
            if batch or self.late:
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
        """Write what was asked, after what waits: in the order it came."""
        asked: list[Asked] = [(write, []) for write in self.late.values()]
        places = {write.uuid: futures for write, futures in asked}
        for write, future in batch:
            known = self.late.get(write.uuid)
            if known is not None and (known.op, known.who) == (write.op, write.who):
                places[write.uuid].append(future)
            else:
                asked.append((write, [future]))
        for at in range(0, max(1, len(asked)), MOST_TOGETHER):
            try:
                self._commit(asked[at : at + MOST_TOGETHER])
            except Away as error:
                if self.ready:
                    self._set_fault(str(error))
                self._wait_with(asked[at:], error)
                return
        self._set_fault("")

    def _commit(self, asked: list[Asked]) -> None:
        """Write together.

        Raises:
            Away: the database does not answer: none of them was done.
        """
        try:
            outcomes: list[Any] = self._open().write([write for write, _ in asked])
        except Away:
            raise
        except Exception as error:
            log.exception("a batch of writes failed")
            if len(asked) > 1:  # the others are not to blame
                for one in asked:
                    self._commit([one])
                return
            outcomes = [Refused(f"Cette demande n’a pas pu être gardée ({type(error).__name__}).") for _ in asked]
        for write, _ in asked:
            if self.late.pop(write.uuid, None) is not None:
                self._late_size -= _size(write)
        self._give(asked, outcomes)

    def _wait_with(self, asked: list[Asked], error: Away) -> None:
        """Have writes wait here, as many as there is room for, and say that they are not done."""
        for write, _ in asked:
            room = len(self.late) < MOST_LATE and self._late_size + _size(write) <= LATE_SIZE
            if write.keeps and write.uuid not in self.late and room:
                self.late[write.uuid] = write
                self._late_size += _size(write)
        self._give(asked, [error] * len(asked))

    def _give(self, asked: list[Asked], outcomes: list[Any]) -> None:
        def give() -> None:
            for (write, futures), outcome in zip(asked, outcomes, strict=True):
                for future in futures:
                    if future.done():
                        continue
                    if isinstance(outcome, Exception):
                        future.set_exception(outcome)
                    else:
                        future.set_result(outcome)
                if not futures and isinstance(outcome, Outcome):
                    self.on_late(write, outcome)

        self._in_loop(give)


def _size(write: Write) -> int:
    """Characters of a write, about."""
    return len(json.dumps(write.args, ensure_ascii=False))
