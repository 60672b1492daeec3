"""The desk: where kernels bring what must be kept, and hear what changes.

One TCP port on this machine only, a key for each kernel, one JSON object a line. A write is answered after its commit. A
connection speaks only for its kernel, and for those whose secrets it has presented.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
import secrets
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tutor.store.errors import Away, Forbidden, Refused
from tutor.store.who import Who, Write
from widgets.host.channel import ADDRESS, LONGEST_LINE
from widgets.serving.desk.keys import MOST_CONNECTIONS, Keys, Speaker
from widgets.serving.desk.limits import Guesses
from widgets.serving.desk.live import Classroom, Live
from widgets.serving.desk.relay import Relay
from widgets.serving.desk.writer import Librarian

if TYPE_CHECKING:
    from tutor.store.store import Store
    from widgets.serving.metrics import Metrics

LONGEST_GREETING = 4_096
#: Seconds for a new connection to say its key.
GREETING = 5.0
#: Requests of one connection under way at once, and bytes that may wait for a client that does not read.
MOST_UNDER_WAY, MOST_UNREAD = 64, 4 * LONGEST_LINE
MOST_TOPICS = 20
RETRY = 1.0
#: What makes something that stays; a kernel may not make too many (`widgets.serving.desk.keys`).
MAKERS = frozenset({"learner.new", "link.make", "authored.save", "class.open"})
#: Seconds between two looks for what has been kept long enough.
FORGETTING = 6 * 3_600.0
#: Operations that present a secret, with the argument that is one; they are limited against guessing.
SECRETS = {
    "learner.new": "code",
    "learner.resume": "code",
    "teacher.enter": "key",
    "class.join": "code",
}
NOT_OPEN = "Ce sujet ne vous est pas ouvert."
log = logging.getLogger("ldv.desk")
Message = dict[str, Any]


def make_store(env: Mapping[str, str], server: str) -> Callable[[], Store]:
    """How the store is made, later and in another thread: its packages take a third of a second to import."""
    kept = dict(env)

    def make() -> Store:
        from tutor.store.database import backup_folder, keeping, place
        from tutor.store.store import Store

        return Store(place(kept), server, keeping(kept), backup_folder(kept))

    return make


class Connection:
    """One kernel's connection: whose secrets it has presented, what it follows, what is under way.

    Args:
        writer: its side of the line.
        speaker: the kernel, with what it may still ask.
    """

    def __init__(self, writer: asyncio.StreamWriter, speaker: Speaker) -> None:
        self.writer = writer
        self.speaker = speaker
        self.who = Who()
        self.topics: set[str] = set()
        self.under_way: set[asyncio.Task[None]] = set()
        self.last_write: asyncio.Future[Any] | None = None
        #: Whether the kernel's page is there, as the server sees.
        self.here = True

    def send(self, message: Message) -> None:
        """Send a message."""
        self.send_line(_line(message))

    def send_line(self, line: bytes) -> None:
        """Send a message that is written already, unless the client has stopped reading: then it is cut off."""
        if self.writer.is_closing():
            return
        if self.writer.transport.get_write_buffer_size() > MOST_UNREAD:
            self.writer.transport.abort()
            return
        self.writer.write(line)


class Desk:
    """The server's side of the channel.

    Args:
        env: environment that says where the database is.
        port: to listen on; any free one by default.
        key: the desk's own, which no kernel has; a new one by default.
        metrics: where writes and outages are counted.
    """

    def __init__(self, env: Mapping[str, str], port: int = 0, key: str = "", metrics: Metrics | None = None) -> None:
        self.name = secrets.token_hex(8)
        self.port = port
        self.key = key or secrets.token_urlsafe(32)
        self.keys = Keys()
        self.librarian = Librarian(make_store(env, self.name), metrics)
        self.guesses = Guesses()
        self.connections: set[Connection] = set()
        self.topics: dict[str, set[Connection]] = {}
        self.relay = Relay(self.name, lambda: self.room, self._say)
        self.room = Classroom(self.librarian.read, self.publish, self.relay.moved, self._evict)
        self.librarian.on_fault = self.room.set_outage
        self.librarian.on_late = lambda write, outcome: self.room.changed(outcome.touched)
        self.address = ""
        #: Called with what was done and kept, or with "class.lead": operation, arguments, result.
        self.listeners: list[Callable[[str, Message, Message], None]] = []

    async def start(self) -> None:
        """Listen on this machine, on a free port; the database is opened meanwhile."""
        self.librarian.start()
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=LONGEST_LINE)
        host, port = self.server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"
        self._chores = asyncio.ensure_future(self._do_chores())

    async def _do_chores(self) -> None:
        """Once the database is open: listen to the other servers, and forget now and then what is old."""
        engine = await self.librarian.engine()
        self.relay.start(engine)
        while True:
            await asyncio.wait([self.own_write("server.forget", {})])
            await asyncio.sleep(FORGETTING)

    def own_write(self, op: str, args: Message, who: Who | None = None) -> asyncio.Future[Any]:
        """A write that nobody waits for; one that fails is no matter."""
        writing = self.librarian.write(Write(op, str(uuid.uuid4()), who or Who(server=True), args))
        writing.add_done_callback(lambda done: done.cancelled() or done.exception())
        return writing

    def _say(self, said: str) -> None:
        self.own_write("server.say", {"said": said})

    def lend(self, env: Any) -> None:
        """Tell the kernels where the desk is; each has a key of its own (:meth:`admit`).

        Args:
            env: the server's environment, which its kernels inherit; changed in place.
        """
        env[ADDRESS] = self.address

    def admit(self, kernel: str) -> str:
        """A key for a kernel that starts, or starts anew."""
        self.dismiss(kernel, forget=False)
        return self.keys.admit(kernel)

    def dismiss(self, kernel: str, forget: bool = True) -> None:
        """Cut off a kernel that has ended; its key opens nothing more.

        Args:
            kernel: its id.
            forget: False when the same kernel starts anew.
        """
        gone = self.keys.revoke(kernel) if forget else self.keys.lines(kernel)
        for connection in list(gone):
            connection.writer.close()

    async def stop(self) -> None:
        """Let the kernels go, then write what waits."""
        self.server.close()
        self._chores.cancel()
        self.relay.stop()
        for connection in list(self.connections):
            connection.writer.close()
        await self.librarian.stop()

    @property
    def ready(self) -> bool:
        """Whether what is said now is kept."""
        return self.librarian.ready and not self.librarian.fault

    def describe(self) -> dict[str, Any]:
        """What `/sante` says of the store."""
        return {"ready": self.librarian.ready, "kernels": len(self.connections), "fault": self.librarian.fault}

    # -- connections ----------------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(writer, Speaker())
        try:
            if not await self._greet(reader, connection):
                return
            self.connections.add(connection)
            while line := await reader.readline():
                await self._take(connection, line)
        except (TimeoutError, OSError, ValueError):
            pass  # gone, or a line that is too long: it may come back
        finally:
            self._leave(connection)

    async def _greet(self, reader: asyncio.StreamReader, connection: Connection) -> bool:
        """Whether a new connection knows the key."""
        line = await asyncio.wait_for(reader.readline(), GREETING)
        try:
            hello = json.loads(line) if len(line) <= LONGEST_GREETING else {}
            key = hello["args"]["key"] if hello["op"] == "hello" else ""
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            key = ""
        speaker = self._known(key) if isinstance(key, str) else None
        if speaker is None:
            connection.send({"id": 0, "ok": False, "error": "forbidden", "message": "Clé inconnue."})
            return False
        connection.speaker = speaker
        speaker.connections.append(connection)
        if len(speaker.connections) > MOST_CONNECTIONS:
            speaker.connections[0].writer.close()
        connection.send({"id": 0, "ok": True, "result": {}})
        return True

    def _known(self, key: str) -> Speaker | None:
        if hmac.compare_digest(key.encode("utf-8", "replace"), self.key.encode()):
            return Speaker()
        return self.keys.speaker(key)

    def _leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        if connection in connection.speaker.connections:
            connection.speaker.connections.remove(connection)
        for topic in list(connection.topics):
            self._unfollow(connection, topic)
        connection.writer.close()

    async def _take(self, connection: Connection, line: bytes) -> None:
        """Read one message, and answer it without making the next one wait, unless it says who asks."""
        try:
            message = json.loads(line)
            number, op, args = message["id"], message["op"], message.get("args") or {}
            if not (isinstance(number, int) and isinstance(op, str) and isinstance(args, dict)):
                raise ValueError
        except (KeyError, TypeError, RecursionError) as error:
            raise ValueError from error
        speaker = connection.speaker
        if rest := speaker.bucket.take() or (speaker.making.take() if op in MAKERS else 0.0):
            connection.send(_refusal(number, "slow", "Trop de demandes à la fois.", rest))
            return
        task = asyncio.ensure_future(self._answer(connection, number, self._do(connection, op, args, message)))
        connection.under_way.add(task)
        task.add_done_callback(connection.under_way.discard)
        if op in SECRETS or op == "subscribe":
            await task
        while len(connection.under_way) >= MOST_UNDER_WAY:
            await asyncio.wait(connection.under_way, return_when=asyncio.FIRST_COMPLETED)

    async def _answer(self, connection: Connection, number: int, doing: Awaitable[Message]) -> None:
        try:
            connection.send({"id": number, "ok": True, "result": await doing})
        except Slow as slow:
            connection.send(_refusal(number, "slow", str(slow), slow.rest))
        except Forbidden as error:
            connection.send(_refusal(number, "forbidden", error.sentence))
        except Refused as error:
            connection.send(_refusal(number, "refused", error.sentence))
        except Away as error:
            connection.send(_refusal(number, "away", error.sentence, RETRY))
        except Exception:
            log.exception("a request failed")
            connection.send(_refusal(number, "refused", "Cette demande n’a pas pu être traitée."))

    # -- requests -------------------------------------------------------------------------------------------------

    async def _do(self, connection: Connection, op: str, args: Message, message: Message) -> Message:
        if op == "subscribe":
            return await self._follow(connection, str(args.get("topic")))
        if op == "unsubscribe":
            self._unfollow(connection, str(args.get("topic")))
            return {}
        if op == "class.where":
            return await self.room.where(connection.who, args)
        if op in SECRETS:
            return await self._enter(connection, op, args, message)
        return await self._run(connection, op, args, message)

    async def _run(self, connection: Connection, op: str, args: Message, message: Message) -> Message:
        """A read once the writes of this connection are done, or a write."""
        if "uuid" not in message:
            if connection.last_write is not None:
                await asyncio.wait([connection.last_write])
            return await self.librarian.read(op, connection.who, args)
        mark = _uuid(message["uuid"])
        who = replace(connection.who, participant=dict(connection.who.participant))  # as it is now: it may wait
        keeps = op not in SECRETS  # a secret is presented again by who has it
        writing = self.librarian.write(Write(op, mark, who, args, time.time(), keeps))
        connection.last_write = writing
        outcome = await writing
        if outcome.refused is not None:
            raise outcome.refused
        self.room.changed(outcome.touched)
        self._written(connection, op, outcome.result)
        self._notify(op, args, outcome.result)
        return outcome.result

    def _notify(self, op: str, args: Message, result: Message) -> None:
        for listener in self.listeners:
            listener(op, args, result)

    async def _enter(self, connection: Connection, op: str, args: Message, message: Message) -> Message:
        """Present a secret: what is wrong is counted, what is right binds the connection."""
        secret, short = args.get(SECRETS[op]), op == "class.join"
        if rest := max(self.guesses.wait(secret, short), connection.speaker.wrong.wait()):
            raise Slow(rest)
        try:
            result = await self._run(connection, op, args, message)
        except Forbidden:  # what has not the form of a code, or came with a bad nickname, is no guess
            connection.speaker.wrong.take()
            self.guesses.failed(secret, short)
            raise
        who = connection.who
        if op.startswith("learner."):
            who.learner = result["learner"]
            self.own_write("learner.touch", {}, Who(learner=who.learner))
        elif op == "teacher.enter":
            who.teacher = result["teacher"]
        elif op == "class.join":
            who.participant[result["session"]] = result["participant"]
        return result

    def _written(self, connection: Connection, op: str, result: Message) -> None:
        """Tell the other tabs of a learner what he has just done."""
        if op.startswith(("lesson.", "attempt.", "review.")):
            payload = {"changed": op, **result}
            self.publish(f"learner/{connection.who.learner}", payload, shown="learner")

    # -- topics ---------------------------------------------------------------------------------------------------

    async def _follow(self, connection: Connection, topic: str) -> Message:
        """Follow a topic that is open to this connection; gives its present state."""
        if len(connection.topics) >= MOST_TOPICS:
            raise Refused("Trop de sujets suivis à la fois.")
        if topic == "learner" and connection.who.learner is not None:
            self._add(connection, f"learner/{connection.who.learner}")
            return {"topic": topic, "payload": None}
        session, desk = _class_topic(topic)
        live = await self.room.get(session)
        if not (live.teaches(connection.who) if desk else live.may(connection.who)):
            raise Forbidden(NOT_OPEN)
        if self._add(connection, topic) and not desk:
            self._came(connection, live, 1)
        if desk:
            self._notify("class.lead", {"session": session}, {})
        if len(self.topics[topic]) == 1:
            self.relay.ask(session)
        return {"topic": topic, "payload": live.desk() if desk else live.screen()}

    def _add(self, connection: Connection, name: str) -> bool:
        """Whether this connection did not follow that topic already."""
        new = name not in connection.topics
        self.topics.setdefault(name, set()).add(connection)
        connection.topics.add(name)
        return new

    def _came(self, connection: Connection, live: Live, change: int) -> None:
        participant = connection.who.participant.get(live.number)
        if participant is not None and connection.here:
            self.room.came(live, participant, change)

    def _unfollow(self, connection: Connection, topic: str) -> None:
        name = f"learner/{connection.who.learner}" if topic == "learner" else topic
        if name not in connection.topics:
            return
        connection.topics.discard(name)
        followers = self.topics[name]
        followers.discard(connection)
        if not followers:
            del self.topics[name]
        if name.startswith("class/"):
            self._left(connection, *_class_topic(name))

    def _left(self, connection: Connection, session: int, desk: bool) -> None:
        live = self.room.sessions.get(session)
        if live is not None and not desk:
            self._came(connection, live, -1)
        if f"class/{session}" not in self.topics and f"class/{session}/desk" not in self.topics:
            self.room.drop(session)

    def page_gone(self, kernel: str, gone: bool) -> None:
        """The page of a kernel is gone (its network was cut), or is back: those who look at its class see it."""
        for connection in self._of(kernel):
            followed = [_class_topic(name) for name in connection.topics if name.startswith("class/")]
            lives = [live for number, desk in followed if not desk and (live := self.room.sessions.get(number))]
            connection.here = True
            for live in lives:
                self._came(connection, live, -1 if gone else 1)
            connection.here = not gone

    def follows(self, kernel: str) -> bool:
        """Whether a kernel's page follows a class, as a learner, as its teacher or on its screen."""
        return any(name.startswith("class/") for connection in self._of(kernel) for name in connection.topics)

    def _of(self, kernel: str) -> list[Connection]:
        return [connection for connection in self.connections if kernel and connection.speaker.kernel == kernel]

    def _evict(self, live: Live) -> None:
        """Who was sent away from a session, or whose key was revoked, hears that and nothing more."""
        for topic, allowed in ((f"class/{live.number}", live.may), (f"class/{live.number}/desk", live.teaches)):
            for connection in tuple(self.topics.get(topic, ())):
                if not allowed(connection.who):
                    connection.send({"topic": topic, "payload": {"session": live.number, "removed": True}})
                    self._unfollow(connection, topic)

    def publish(self, topic: str, payload: Any, shown: str = "") -> None:
        """Send a payload to everyone who follows a topic.

        Args:
            topic: its full name.
            payload: what JSON has.
            shown: name under which the followers know it; the full one by default.
        """
        line = _line({"topic": shown or topic, "payload": payload})
        for connection in tuple(self.topics.get(topic, ())):
            connection.send_line(line)


class Slow(Exception):
    """Too many wrong codes: to be tried again later.

    Args:
        rest: seconds to wait.
    """

    def __init__(self, rest: float) -> None:
        super().__init__(f"Trop d’essais : attendez {max(1, round(rest))} s.")
        self.rest = rest


def _line(message: Message) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _class_topic(topic: str) -> tuple[int, bool]:
    """Session of a topic, and whether it is the teacher's side.

    Raises:
        Forbidden: when it is no topic of a class.
    """
    match = re.fullmatch(r"class/([1-9]\d{0,8})(/desk)?", topic)
    if match is None:
        raise Forbidden(NOT_OPEN)
    return int(match[1]), match[2] is not None


def _refusal(number: int, error: str, text: str, retry: float = 0.0) -> Message:
    return {"id": number, "ok": False, "error": error, "message": text, "retry_s": round(retry, 2)}


def _uuid(text: Any) -> str:
    try:
        return str(uuid.UUID(text))
    except (ValueError, TypeError, AttributeError) as error:
        raise Refused("Cette demande ne porte pas d’identifiant valable.") from error
