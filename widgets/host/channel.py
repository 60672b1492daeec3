"""A kernel's way to the server's store: one local connection, opened at the first use, that survives what goes wrong.

Writes are queued until the server says that they are kept (after commit); a write sent twice counts once. Without a
channel (JupyterLab), everything goes on and nothing is kept. Standard library only: a kernel must stay light.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import os
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from widgets.host.loops import loop_here

ADDRESS, KEY = "LDV_DESK", "LDV_DESK_KEY"
#: Writes that may wait; a reader alone on a lesson makes one in some seconds.
MOST_WAITING = 500
#: Requests that may be under way at once.
WINDOW = 32
LONGEST_LINE = 1_048_576
#: Seconds: for an answer, before "keeping" is shown as "not kept", and between two tries.
PATIENCE, SOON, FIRST_PAUSE, LONGEST_PAUSE = 8.0, 2.0, 0.25, 8.0
#: Errors after which the same request may do; and seconds of waiting beyond which somebody who typed a code is told.
PASSING = ("away", "slow")
LONG_WAIT = 3.0
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
STATUS_TEXTS = {
    "off": "Rien n’est gardé ici : la page n’est pas ouverte par « ldv serve ».",
    "idle": "",
    "saving": "",
    "kept": "Gardé.",
    "waiting": "Pas gardé pour l’instant : la leçon continue, tout sera gardé dès que possible.",
}
log = logging.getLogger("ldv.channel")


@dataclass(frozen=True)
class Reply:
    """What came of a request.

    Args:
        ok: whether it was done.
        result: what it gave.
        error: refused, forbidden, slow, away or off; "" when done.
        message: one French sentence for the reader when it was not done.
        retry: seconds after which to ask again; 0 when the server does not say.
    """

    ok: bool
    result: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    message: str = ""
    retry: float = 0.0


OFF = Reply(False, error="off", message=STATUS_TEXTS["off"])
Then = Callable[[Reply], object]
Late = Callable[[str], object]
#: What somebody reads whose request waits, when the server has not said why.
NO_ANSWER = "Le serveur ne répond pas pour l’instant."


@dataclass(eq=False)
class _Request:
    op: str
    args: dict[str, Any]
    future: asyncio.Future[Reply]
    uuid: str = ""
    again: bool = False  # presented again after a reconnection: a secret, a subscription
    sent: bool = False
    late: Late | None = None  # told once, when the request has to wait
    insists: bool = False  # a question that is asked until it is answered: somebody waits for it

    def __post_init__(self) -> None:
        self.insists = self.late is not None

    def wait(self, why: str) -> None:
        """Tell, once, that the request has to wait, and why."""
        late, self.late = self.late, None
        if late is not None and not self.future.done():
            Channel.call(late, why or NO_ANSWER)


def make_code() -> str:
    """A new resume code, as it is shown: sixteen letters and digits that cannot be misread (78 bits).

    >>> len(make_code())
    19
    """
    code = "".join(secrets.choice(ALPHABET) for _ in range(16))
    return "-".join(code[at : at + 4] for at in range(0, 16, 4))


class Channel:
    """The connection of this kernel.

    Args:
        address: `host:port` of the server's desk; "" when there is none.
        key: what the server gave to its kernels.
    """

    def __init__(self, address: str, key: str) -> None:
        self._address, self._key = address, key
        self._queue: list[_Request] = []
        self._flight: dict[int, _Request] = {}
        self._entries: dict[str, _Request] = {}
        self._topics: dict[str, list[Callable[[Any], object]]] = {}
        self._observers: list[Callable[[str, str], object]] = []
        self._number = 0
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._status = "idle" if address else "off"
        self._late: asyncio.TimerHandle | None = None
        self._pause_until = 0.0

    # -- what a page sees -----------------------------------------------------------------------------------------

    @property
    def available(self) -> bool:
        """Whether there is a server to keep anything."""
        return bool(self._address)

    @property
    def status(self) -> str:
        """off, idle (nothing to keep yet), saving, kept or waiting ("pas gardé pour l’instant")."""
        return self._status

    @property
    def status_text(self) -> str:
        """The status as a French sentence; "" when there is nothing to say."""
        return STATUS_TEXTS[self._status]

    @property
    def waiting(self) -> int:
        """How many writes are not kept yet."""
        return sum(1 for r in (*self._queue, *self._entries.values()) if r.uuid and not r.future.done())

    def on_status(self, observer: Callable[[str, str], object]) -> Callable[[], None]:
        """Call `observer(status, text)` now and at each change; gives back what ends it."""
        self._observers.append(observer)
        self.call(observer, self._status, self.status_text)
        return lambda: self._forget(self._observers, observer)

    def write(
        self, op: str, args: dict[str, Any] | None = None, then: Then | None = None, late: Late | None = None
    ) -> asyncio.Future[Reply]:
        """Keep something: queued now, sent as soon as can be, sent again until the server has it.

        Args:
            op: name of the operation.
            args: its arguments.
            then: called with the reply once it is kept, or refused for good.
            late: called once, with a sentence that says why, when it has to wait.
        """
        if self.waiting >= MOST_WAITING:
            return self._answered(Reply(False, error="away", message=STATUS_TEXTS["waiting"]), then)
        return self._add(op, args, then, write=True, late=late)

    def request(
        self, op: str, args: dict[str, Any] | None = None, then: Then | None = None, late: Late | None = None
    ) -> asyncio.Future[Reply]:
        """Ask for something; away when there is no answer within some seconds, unless somebody waits for it.

        Args:
            op: name of the operation.
            args: its arguments.
            then: called with the reply.
            late: called once, with a sentence that says why, when there is no answer; it is then asked until there is.
        """
        future = self._add(op, args, then, write=False, late=late)
        if not future.done() and late is None:
            asyncio.get_running_loop().call_later(PATIENCE, self._give_up, future)
        return future

    def subscribe(self, topic: str, observer: Callable[[Any], object], then: Then | None = None) -> Callable[[], None]:
        """Call `observer(payload)` with the present state of a topic and at each change; gives back what ends it.

        Args:
            topic: "learner", "class/<session>", "class/<session>/desk".
            observer: gets each payload.
            then: called once with the reply: whether the topic is open to this kernel.
        """
        observers = self._topics.setdefault(topic, [])
        observers.append(observer)
        self._enter(f"topic {topic}", "subscribe", {"topic": topic}, then)
        return lambda: self._unsubscribe(topic, observer)

    # -- who asks -------------------------------------------------------------------------------------------------

    def new_learner(self, then: Then | None = None) -> str:
        """Make a learner; gives back his resume code, to be shown once and kept by the browser."""
        code = make_code()
        self._enter("learner", "learner.new", {"code": code}, then, write=True)
        return code

    def resume(self, code: str, then: Then | None = None, late: Late | None = None) -> asyncio.Future[Reply]:
        """Present a resume code; the reply says whether it is known (`late`: see `write`)."""
        return self._enter("learner", "learner.resume", {"code": code}, then, late=late)

    def teach(self, key: str, then: Then | None = None, late: Late | None = None) -> asyncio.Future[Reply]:
        """Present a teacher's key (`late`: see `write`)."""
        return self._enter("teacher", "teacher.enter", {"key": key}, then, late=late)

    def join(
        self, code: str, nickname: str, token: str = "", then: Then | None = None, late: Late | None = None
    ) -> asyncio.Future[Reply]:
        """Join a class session; the result has `session`, `participant`, `nickname` and `token` (kept by the browser).

        Args:
            code: the six characters on the teacher's screen.
            nickname: what the others see.
            token: of an earlier visit, to come back as the same participant.
            then: called with the reply.
            late: called once, with a sentence that says why, when it has to wait.
        """
        asked = self._entries.get(f"class {code}")
        if asked is not None and not asked.future.done():  # the same person, who may have been heard already
            token = token or asked.args["token"]
        token = token or secrets.token_urlsafe(24)
        args = {"code": code, "nickname": nickname, "token": token}
        return self._enter(f"class {code}", "class.join", args, then, write=True, late=late)

    def forget(self, name: str) -> None:
        """Present a secret no more: "learner" (after an erasure), "teacher"."""
        self._entries.pop(name, None)

    def close(self) -> None:
        """End the connection; what waits is lost."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    # -- requests -------------------------------------------------------------------------------------------------

    def _answered(self, reply: Reply, then: Then | None) -> asyncio.Future[Reply]:
        future: asyncio.Future[Reply] = loop_here().create_future()
        future.set_result(reply)
        if then is not None:
            self.call(then, reply)
        return future

    def _make(
        self, op: str, args: dict[str, Any] | None, then: Then | None, write: bool, late: Late | None
    ) -> _Request:
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        if then is not None:
            future.add_done_callback(lambda done: None if done.cancelled() else self.call(then, done.result()))
        request = _Request(op, dict(args or {}), future, str(uuid.uuid4()) if write else "", late=late)
        if late is not None:
            asyncio.get_running_loop().call_later(LONG_WAIT, request.wait, "")
        return request

    def _add(
        self, op: str, args: dict[str, Any] | None, then: Then | None, write: bool, late: Late | None = None
    ) -> asyncio.Future[Reply]:
        if not self.available:
            return self._answered(OFF, then)
        request = self._make(op, args, then, write, late)
        self._queue.append(request)
        self._start()
        return request.future

    def _enter(
        self,
        name: str,
        op: str,
        args: dict[str, Any],
        then: Then | None = None,
        write: bool = False,
        late: Late | None = None,
    ) -> asyncio.Future[Reply]:
        if not self.available:
            return self._answered(OFF, then)
        request = self._make(op, args, then, write, late)
        request.again = True
        old = self._entries.pop(name, None)
        if old is not None and not old.future.done():
            old.future.cancel()
        self._entries[name] = request
        self._start()
        return request.future

    def _give_up(self, future: asyncio.Future[Reply]) -> None:
        if not future.done():
            self._queue = [request for request in self._queue if request.future is not future]
            future.set_result(Reply(False, error="away", message=NO_ANSWER))

    def _unsubscribe(self, topic: str, observer: Callable[[Any], object]) -> None:
        self._forget(self._topics.get(topic, []), observer)
        if not self._topics.get(topic) and self._entries.pop(f"topic {topic}", None) is not None:
            self._topics.pop(topic, None)
            self._add("unsubscribe", {"topic": topic}, None, write=False)

    @staticmethod
    def _forget(items: list[Any], item: Any) -> None:
        with contextlib.suppress(ValueError):
            items.remove(item)

    @staticmethod
    def call(function: Callable[..., object], *args: Any) -> None:
        """Call somebody who waits for something; what goes wrong there is logged."""
        try:
            function(*args)
        except Exception:
            log.exception("an observer of the channel failed")

    # -- the connection -------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._update()
        self._wake.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            writer = None
            try:
                host, _, port = self._address.rpartition(":")
                opening = asyncio.open_connection(host, int(port), limit=LONGEST_LINE)
                reader, writer = await asyncio.wait_for(opening, PATIENCE)
                self._send(writer, 0, "hello", {"key": self._key})
                hello = json.loads(await asyncio.wait_for(reader.readline(), PATIENCE))
                if not hello.get("ok"):
                    self._refuse_all(hello)
                    return
                pause = FIRST_PAUSE
                await self._serve(reader, writer)
            except (TimeoutError, OSError, ValueError) as error:
                log.debug("the channel is down: %s", error)
            finally:
                if writer is not None:
                    writer.close()
                self._down()
            await asyncio.sleep(pause * (0.75 + secrets.randbelow(50) / 100))
            pause = min(2 * pause, LONGEST_PAUSE)

    def _down(self) -> None:
        """Everything that has no answer yet is sent again once there is a connection."""
        self._flight.clear()
        for request in (*self._entries.values(), *self._queue):
            request.sent = False
        self._update()

    def _refuse_all(self, hello: dict[str, Any]) -> None:
        self._address = ""
        for request in (*self._entries.values(), *self._queue):
            if not request.future.done():
                request.future.set_result(Reply(False, error="forbidden", message=str(hello.get("message", ""))))
        self._queue.clear()
        self._status = "off"
        self._notify()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sending = asyncio.ensure_future(self._keep_sending(writer))
        sending.add_done_callback(lambda done: done.cancelled() or done.exception())  # the reader sees the same end
        try:
            while line := await reader.readline():
                self._receive(json.loads(line))
        finally:
            sending.cancel()

    async def _keep_sending(self, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self._wake.clear()
            rest = self._pause_until - loop.time()
            if rest > 0:
                await asyncio.sleep(rest)
            for request in self._next():
                self._number += 1
                request.sent = True
                self._flight[self._number] = request
                self._send(writer, self._number, request.op, request.args, request.uuid)
            await writer.drain()
            await self._wake.wait()

    def _next(self) -> list[_Request]:
        """What may be sent now: secrets and subscriptions one by one, then the rest, a window at a time."""
        for entry in self._entries.values():
            if not entry.sent:
                return [entry] if not self._entering() else []
        if self._entering():
            return []
        room = WINDOW - len(self._flight)
        return [request for request in self._queue if not request.sent][: max(0, room)]

    def _entering(self) -> bool:
        return any(request.again for request in self._flight.values())

    @staticmethod
    def _send(writer: asyncio.StreamWriter, number: int, op: str, args: dict[str, Any], mark: str = "") -> None:
        message: dict[str, Any] = {"id": number, "op": op, "args": args}
        if mark:
            message["uuid"] = mark
        writer.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def _receive(self, message: dict[str, Any]) -> None:
        if "topic" in message:
            for observer in list(self._topics.get(message["topic"], [])):
                self.call(observer, message.get("payload"))
            return
        request = self._flight.pop(message.get("id", -1), None)
        if request is None:
            return
        reply = Reply(
            bool(message.get("ok")),
            message.get("result") or {},
            message.get("error", ""),
            message.get("message", ""),
            float(message.get("retry_s", 0)),
        )
        typed = request.again and not request.future.done() and reply.error == "slow" and reply.retry > LONG_WAIT
        if reply.error in PASSING and (request.uuid or request.again or request.insists) and not typed:
            request.sent = False
            if reply.error == "away":
                request.wait(reply.message)
            pause = reply.retry or 1.0
            loop = asyncio.get_running_loop()
            self._pause_until = loop.time() + pause
            self._update(reply.error == "away")
        else:
            self._settle(request, reply)
        self._wake.set()

    def _settle(self, request: _Request, reply: Reply) -> None:
        if request.again:
            self._settle_entry(request, reply)
        else:
            self._forget(self._queue, request)
        if not request.future.done():
            request.future.set_result(reply)
        self._update()

    def _settle_entry(self, request: _Request, reply: Reply) -> None:
        """A secret that was refused is not presented again; a new code is a known one from now on."""
        if request.op == "subscribe" and reply.ok:  # the state when it begins, and after each reconnection
            for observer in list(self._topics.get(request.args["topic"], [])):
                self.call(observer, reply.result.get("payload"))
        if not reply.ok:
            self._entries = {name: entry for name, entry in self._entries.items() if entry is not request}
        elif request.op == "learner.new":
            request.op, request.uuid = "learner.resume", ""
        elif request.op == "class.join":
            reply.result.setdefault("token", request.args["token"])

    # -- status ---------------------------------------------------------------------------------------------------

    def _update(self, away: bool = False) -> None:
        """What is shown follows the queue: kept once it is empty, waiting when that takes long."""
        if not self.available:
            return
        if self.waiting == 0:
            if self._late is not None:
                self._late.cancel()
                self._late = None
            wanted = "kept" if self._status in ("saving", "waiting", "kept") else "idle"
        elif away or self._status == "waiting":
            wanted = "waiting"
        else:
            wanted = "saving"
            if self._late is None:
                self._late = asyncio.get_running_loop().call_later(SOON, self._is_late)
        self._show(wanted)

    def _is_late(self) -> None:
        self._late = None
        if self._status == "saving":
            self._show("waiting")

    def _show(self, status: str) -> None:
        if status != self._status:
            self._status = status
            self._notify()

    def _notify(self) -> None:
        for observer in list(self._observers):
            self.call(observer, self._status, self.status_text)


@functools.cache
def channel() -> Channel:
    """The channel of this kernel; nothing is opened before its first use. Its key leaves the environment."""
    from tutor.core import environ  # this module alone loads nothing else

    return Channel(os.environ.get(ADDRESS, ""), environ.take(KEY))
