"""The store itself: opens the database, runs batches of writes in one transaction, answers reads."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, insert, select, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from tutor.store import (  # noqa: F401 - the others register operations
    authored,
    backup,
    exports,
    learners,
    links,
)
from tutor.store.database import away, connect
from tutor.store.errors import Forbidden, Refused
from tutor.store.migrate import upgrade
from tutor.store.operations import OPERATIONS, Call, Operation, allow
from tutor.store.schema import receipts
from tutor.store.server import CHANNEL
from tutor.store.who import Args, Keeping, Outcome, Result, Who, Write

#: Writes after which nothing of what they erase may be left in the file.
ERASURES = frozenset({"learner.erase", "class.erase", "class.remove", "authored.drop", "server.forget"})


class Store:
    """A database with its operations.

    Args:
        url: address of the database.
        server: name of this server for the others on the same database.
        keeping: how long things are kept.
        backups: folder of the backups made before a migration; None makes none.
    """

    def __init__(self, url: URL, server: str = "", keeping: Keeping | None = None, backups: Path | None = None) -> None:
        self.engine: Engine = connect(url)
        self.server = server
        self.keeping = keeping or Keeping()
        self.backups = backups
        self._sqlite = url.get_backend_name() == "sqlite"
        # A read of several statements sees one state.
        self._reading = (
            self.engine if self._sqlite else self.engine.execution_options(isolation_level="REPEATABLE READ")
        )

    def open(self) -> None:
        """Bring the tables to their newest form; what they held before is backed up first.

        Raises:
            Away: when the database does not answer.
            Refused: when it comes from a later release, or the backup cannot be written.
        """
        keep = partial(backup.before_migration, self.engine.url, self.backups) if self.backups else None
        try:
            upgrade(self.engine, keep=keep)
        except DBAPIError as error:
            raise away(error, self.engine.url) from error
        if self.backups:
            backup.forget_old(self.backups, time.time())

    def close(self) -> None:
        """Let the connections go."""
        self.engine.dispose()

    def read(self, op: str, who: Who, args: Args) -> Result:
        """Answer a read.

        Raises:
            Away: when the database does not answer.
            Refused: when it may not or cannot be answered.
        """
        operation = find(op, "read")
        allow(operation, who)
        try:
            with self._reading.connect() as db, db.begin():
                return operation.run(Call(db, who, args, time.time()))
        except DBAPIError as error:
            raise away(error, self.engine.url) from error

    def write(self, batch: Sequence[Write]) -> list[Outcome]:
        """Do writes in one transaction; they are on disk once this returns.

        Args:
            batch: writes in the order they came.

        Returns:
            One outcome for each, in the same order.

        Raises:
            Away: when the database does not answer: none of them was done.
        """
        try:
            with self.engine.connect().execution_options(ldv_write=True) as db, db.begin():
                done = _receipts(db, [write.uuid for write in batch])
                outcomes = [self._one(db, write, done) for write in batch]
                self._notify(db, {session for outcome in outcomes for session in outcome.touched})
            if self._sqlite and any(write.op in ERASURES for write in batch):
                self._leave_no_trace()
            return outcomes
        except DBAPIError as error:
            raise away(error, self.engine.url) from error

    def _leave_no_trace(self) -> None:
        """What was erased is overwritten in the file (secure_delete) once SQLite's log is emptied into it."""
        with contextlib.suppress(DBAPIError), self.engine.connect() as db:
            raw: Any = db.connection.driver_connection
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _one(self, db: Connection, write: Write, done: dict[str, tuple[str, str]]) -> Outcome:
        try:
            operation = find(write.op, "write")
            allow(operation, write.who)
            owner = write.who.owner(operation.may)
            if write.uuid in done:
                return _again(done[write.uuid], owner)
            now = time.time()
            given = min(write.at or now, now)
            call = Call(db, write.who, write.args, now, write.uuid, self.keeping, given=given)
            try:
                with db.begin_nested():
                    result = operation.run(call)
                    if operation.receipt:
                        kept = json.dumps(result)
                        db.execute(insert(receipts).values(uuid=write.uuid, owner=owner, result=kept, at=call.now))
                        done[write.uuid] = (owner, kept)
            except IntegrityError as error:
                raise Refused("Cette demande contredit ce qui est déjà gardé.") from error
            return Outcome(result, touched=frozenset(call.touched))
        except Refused as refusal:
            return Outcome(refused=refusal)

    def _notify(self, db: Connection, touched: set[int]) -> None:
        """Tell the other servers on the same PostgreSQL, at commit, which sessions changed."""
        if touched and db.dialect.name == "postgresql":
            said = json.dumps({"server": self.server, "sessions": sorted(touched)})
            db.execute(text("SELECT pg_notify(:channel, :said)"), {"channel": CHANNEL, "said": said})


def find(op: str, kind: str) -> Operation:
    """The operation of that name.

    Raises:
        Refused: when there is none.
    """
    operation = OPERATIONS.get(op)
    if operation is None or operation.kind != kind:
        raise Refused("Cette demande est inconnue.")
    return operation


def _receipts(db: Connection, uuids: Sequence[str]) -> dict[str, tuple[str, str]]:
    rows = db.execute(select(receipts.c.uuid, receipts.c.owner, receipts.c.result).where(receipts.c.uuid.in_(uuids)))
    return {uuid: (owner, result) for uuid, owner, result in rows}


def _again(receipt: tuple[str, str], owner: str) -> Outcome:
    if receipt[0] != owner:
        raise Forbidden("Cet identifiant de demande est à quelqu’un d’autre.")
    result: Mapping[str, Any] = json.loads(receipt[1])
    return Outcome(dict(result))
