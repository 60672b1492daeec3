"""The websockets of this server: between a page and its kernel, quick and bounded both ways, and between a pre-heated
kernel and this server.

Nothing waits without end for a client that does not read, nor for a kernel that does not: what a page does not take is
counted, and beyond a limit its line is cut and its kernel ended (what was lost cannot be told again, so the page says
that its session has ended); what a kernel does not take is left in the client's own network.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from jupyter_client.session import DELIM
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError
from voila.request_info_handler import RequestInfoSocketHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from widgets.serving import frames
from widgets.serving.frames import BadFrame, Frame

V1_PROTOCOL = "v1.kernel.websocket.jupyter.org"
MIB = 1024 * 1024
#: Bytes that wait for one page at most. The largest lesson sends 0.6 MiB when it opens; at 50 KB/s, a poor telephone
#: line, this limit is almost three minutes behind, and the page has been unusable for two of them.
MOST_FOR_PAGE = 8 * MIB
#: Bytes that wait for all pages together at most; the page that is farthest behind goes first.
MOST_FOR_ALL = 256 * MIB
#: Bytes kept for a page whose line is cut, until it comes back; as many of what it has not said to have heard.
MOST_WHILE_AWAY = 4 * MIB
#: Bytes and messages that wait for a kernel at most: then its page waits to be read.
MOST_FOR_KERNEL, MESSAGES_FOR_KERNEL = 8 * MIB, 100
#: Frames a second of one line, and how many may come at once: a board dragged about sends 60 to 120 a second.
FRAMES_A_SECOND, FRAMES_AT_ONCE = 400.0, 2_000.0
#: Lines to one kernel at most: its page, and the one that a lost network left behind.
MOST_LINES = 4
NOTE_SECONDS = 60.0
SESSION = re.compile(r"[\w.:-]{1,128}", re.ASCII)
FORWARDED = ("Origin", "Forwarded", "X-Forwarded-For", "X-Real-Ip")
log = logging.getLogger("ldv.lines")


class Waiting:
    """What waits to be sent, for all pages of a server."""

    def __init__(self) -> None:
        self.lines: dict[ChannelsHandler, None] = {}  # oldest first
        #: How many lines were cut, by reason: "frame", "slow", "away".
        self.cut: Counter[str] = Counter()
        self._noted = -NOTE_SECONDS

    @property
    def size(self) -> int:
        """Bytes that wait, in all."""
        return sum(line.waiting for line in self.lines)

    def note(self, reason: str, detail: str) -> None:
        """Count a line that was cut, and say so in the log: once a minute, whoever may be trying.

        Args:
            reason: One word, for the counts.
            detail: What happened to this one, without anything of what it sent.
        """
        self.cut[reason] += 1
        if (now := time.monotonic()) >= self._noted + NOTE_SECONDS:
            self._noted = now
            log.warning("a line was cut (%s: %s); so far %s", reason, detail, dict(self.cut))

    def make_room(self, line: ChannelsHandler, size: int) -> bool:
        """Whether a message of this size may wait for this page; the lines that are too far behind are cut."""
        if line.waiting + size > MOST_FOR_PAGE:
            line.cut("slow")
            return False
        if line.waiting > MIB and self.size + size > MOST_FOR_ALL:
            last = max(self.lines, key=lambda one: one.waiting)
            last.cut("slow")
            return last is not line
        return True


class PlainErrors:
    """Errors in one line, for addresses that nobody reads: Jupyter's own page needs templates that are not here."""

    def write_error(self, status_code: int, **_: Any) -> None:
        """Answer with the status and nothing else."""
        self.set_header("Content-Type", "text/plain; charset=UTF-8")  # type: ignore[attr-defined]
        self.finish(f"Demande refusée ({status_code}).\n")  # type: ignore[attr-defined]


class ChannelsHandler(PlainErrors, VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """The line between a page and its kernel: every frame checked, what waits counted."""

    connection: QuickConnection | None = None
    waiting = 0
    _tokens = FRAMES_AT_ONCE
    _refilled = 0.0
    gone = False

    @property
    def _all(self) -> Waiting:
        waiting: Waiting = self.settings["ldv_waiting"]
        return waiting

    async def pre_get(self) -> None:
        """Join only a kernel that there is, under a name that a page would give.

        Raises:
            HTTPError: 404 without such a kernel, 400 for another name.
        """
        if self.kernel_id not in self.kernel_manager:
            raise HTTPError(404)
        if not SESSION.fullmatch(self.get_argument("session_id", "")):
            raise HTTPError(400)
        await super().pre_get()

    def open(self, kernel_id: str) -> Any:  # type: ignore[override]
        """Begin to count what waits for this page; the oldest line to a kernel leaves when they are too many."""
        lines = self._all.lines
        lines[self] = None
        for line in [line for line in lines if line.kernel_id == kernel_id][:-MOST_LINES]:
            line.hang_up()
        return super().open(kernel_id)

    def on_message(self, ws_message: bytes | str) -> Awaitable[None] | None:  # type: ignore[override]
        """Check a frame of the page and give it to the kernel; read no further while the kernel is behind."""
        if self.gone or self.connection is None:
            return None
        try:
            frame = frames.read(ws_message)
        except BadFrame as error:
            self._refuse(error)
            return None
        wait = self.connection.pass_on(frame)
        pause = self._pace()
        if wait is None and not pause:
            return None
        return self._hold(wait, pause)

    async def _hold(self, wait: Awaitable[None] | None, pause: float) -> None:
        if pause:
            await asyncio.sleep(pause)
        if wait is not None:
            await wait

    def _pace(self) -> float:
        """Seconds to wait before the next frame is read, for a page that speaks too fast."""
        now = asyncio.get_running_loop().time()
        self._tokens = min(FRAMES_AT_ONCE, self._tokens + (now - self._refilled) * FRAMES_A_SECOND) - 1
        self._refilled = now
        return max(0.0, -self._tokens / FRAMES_A_SECOND)

    def _refuse(self, error: BadFrame) -> None:
        """Close on a frame that no page sends, and listen no more."""
        self._all.note("frame", f"{error.code}, {error.reason}")
        self.close(error.code, error.reason)

    def write_message(self, message: Any, binary: bool = False) -> Any:
        """Send to the page what it has room for; a page that is too far behind is cut."""
        size = len(message) if isinstance(message, bytes | str) else 0
        if self.gone or not self._all.make_room(self, size):
            return None
        try:
            sent = super().write_message(message, binary)
        except WebSocketClosedError:
            return None
        if sent is not None:
            self.waiting += size

            def count(done: asyncio.Future[None]) -> None:
                self.waiting -= size
                if not done.cancelled():
                    done.exception()  # a page that has left is no error

            sent.add_done_callback(count)
        return sent

    def cut(self, reason: str) -> None:
        """Hang up at once on a page that cannot be told anything any more, and end its kernel.

        Args:
            reason: For the log and the counts, one word.
        """
        if self.gone:
            return
        self.gone = True
        self._all.note(reason, f"{self.waiting / MIB:.1f} MiB waited")
        self.hang_up()
        self.kernel_manager.give_up(self.kernel_id)

    def close(self, code: int | None = None, reason: str | None = None) -> None:
        """Close once what was said is sent; nothing is heard or said any more, whoever closes.

        Jupyter closes a line whose page does not answer a ping, and has then forgotten its protocol: what the kernel
        says would be written as of the old one, and Voilà would read a length of gigabytes in it.
        """
        self.gone = True
        super().close(code, reason)

    def hang_up(self) -> None:
        """Close at once, without a word."""
        self.gone = True
        self._all.lines.pop(self, None)
        if self.ws_connection is not None and self.ws_connection.stream is not None:
            self.ws_connection.stream.close()

    def ping(self, data: str | bytes = b"") -> None:
        """Ask whether the page is there, and whether it has heard all that was said so far."""
        super().ping(data or str(self.connection.said.number if self.connection else 0))

    def on_pong(self, data: bytes) -> None:
        """The page has heard what came before that question."""
        super().on_pong(data)
        if self.connection is not None and data.isdigit():
            self.connection.said.confirm(int(data))

    def on_close(self) -> None:
        """Forget what waited."""
        self.gone = True
        self._all.lines.pop(self, None)
        if self.connection is not None:
            super().on_close()


class Given:
    """Messages that were given to a kernel's streams, until they have left."""

    def __init__(self) -> None:
        #: Bytes of each, and what tells that it has left once its stream has handled it; oldest first.
        self._all: deque[list[Any]] = deque()
        #: Those that each stream has not handled yet. A stream has one callback for all: the last one that was set.
        self._unhandled: dict[Any, deque[list[Any]]] = {}

    def send(self, stream: Any, message: list[bytes]) -> None:
        """Give a message to a stream.

        Args:
            stream: a ``ZMQStream``, which handles its messages in their order.
            message: its parts.
        """
        entry = [sum(map(len, message)), None]
        self._all.append(entry)
        unhandled = self._unhandled.setdefault(stream, deque())
        unhandled.append(entry)

        def handled(_: Any, tracker: Any) -> None:
            unhandled.popleft()[1] = tracker

        stream.send_multipart(message, copy=False, track=True, callback=handled)

    @property
    def behind(self) -> bool:
        """Whether more waits for the kernel than may."""
        while self._all and (tracker := self._all[0][1]) is not None and getattr(tracker, "done", True):
            self._all.popleft()  # an error of the socket has no ``done``: nothing of that message waits
        return len(self._all) > MESSAGES_FOR_KERNEL or sum(size for size, _ in self._all) > MOST_FOR_KERNEL


class Said:
    """What a page was told and has not said to have heard: a network that is lost may have swallowed it.

    >>> said = Said()
    >>> for text in (b"one", b"two", b"three"):
    ...     said.add("iopub", [text])
    >>> said.confirm(2)
    >>> list(said)
    [('iopub', [b'three'])]
    """

    def __init__(self) -> None:
        self._messages: deque[tuple[str, list[bytes]]] = deque()
        self._size = 0
        #: How many messages the page was told in all.
        self.number = 0

    def __iter__(self) -> Iterator[tuple[str, list[bytes]]]:
        return iter(self._messages)

    def add(self, channel: str, message: list[bytes]) -> None:
        """Keep a message; the oldest ones, which the page is likeliest to have, leave when they are too large."""
        self.number += 1
        self._size += sum(map(len, message))
        self._messages.append((channel, message))
        while self._size > MOST_WHILE_AWAY:
            self._forget_oldest()

    def confirm(self, number: int) -> None:
        """Forget so many messages from the first one on: the page has them."""
        while self._messages and self.number - len(self._messages) < number:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._size -= sum(map(len, self._messages.popleft()[1]))


def _done() -> asyncio.Future[None]:
    """Something to wait for that is there."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    done.set_result(None)
    return done


class QuickConnection(ZMQChannelsWebsocketConnection):
    """What joins the line of a page to the channels of its kernel.

    A page that comes back is told again what it may have missed (it knows by their ids what it has); no kernel says
    anything to nobody while one line takes the place of another.


    TCP_NODELAY: else a click that follows mouse moves waits 40 ms for a delayed acknowledgement.
    Clients without the v1 sub-protocol are refused: Voilà 0.5.13 misreads their frames and hangs the whole server.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._joined = False
        self._comes_back = False
        self._given = Given()
        self.said = Said()

    def connect(self, *args: Any, **kwargs: Any) -> Any:
        """Join the page to its kernel; close a client that speaks the old protocol (1002), and a line whose page has
        opened its next one meanwhile: what is kept is for that one.
        """
        handler = self.websocket_handler
        if handler.selected_subprotocol != V1_PROTOCOL:
            handler.close(1002, "v1 protocol required")
            return _done()
        if self._open_sessions.get(self.session_key) is not handler:
            handler.close()
            return _done()
        handler.set_nodelay(True)
        self._joined = True
        self._comes_back = self.multi_kernel_manager.keeps_for(self.kernel_id, self.session_key)
        return super().connect(*args, **kwargs)

    def nudge(self) -> Any:
        """Wait until the kernel's channels are heard. Those of a page that comes back are: Jupyter's way to try them
        would take the first message that comes for its own.
        """
        return _done() if self._comes_back else super().nudge()

    async def _register_session(self) -> None:
        """Take the place of a line of the same page that is still open, and what its kernel says from now on."""
        before = self._open_sessions.get(f"{self.kernel_id}:{self.session.session}")
        await super()._register_session()
        if before is not None and before.connection is not None:
            before.connection.disconnect()

    def handle_outgoing_message(self, stream: Any, outgoing_msg: list[Any]) -> None:
        """Tell the page what its kernel says, and keep it until the page has it."""
        self.said.add(stream if isinstance(stream, str) else stream.channel, outgoing_msg)
        super().handle_outgoing_message(stream, outgoing_msg)

    def create_stream(self) -> None:
        """Join the channels; few messages wait in them, so that the bytes that wait can be counted."""
        super().create_stream()
        for name in ("shell", "control", "stdin"):
            self.channels[name].socket.sndhwm = MESSAGES_FOR_KERNEL

    def disconnect(self) -> None:
        """Leave the kernel, once: what its page may have missed is kept for its next line, with what will be said.

        A kernel that was never joined is left as it is, with the page that it has.
        """
        if self._joined:
            self._joined = False
            super().disconnect()
            self.multi_kernel_manager.keep_before(self.kernel_id, self.session_key, self.said)
            return
        if self._open_sessions.get(self.session_key) is self.websocket_handler:
            del self._open_sessions[self.session_key]
        if self.kernel_info_channel is not None and self._kernel_info_future.done():
            self.kernel_info_channel.close()
            self.kernel_info_channel = None

    def pass_on(self, frame: Frame) -> Awaitable[None] | None:
        """Give a message to the kernel.

        Args:
            frame: A frame that was checked.

        Returns:
            What to wait for before the next one is read; None when the kernel keeps up.
        """
        stream = self.channels.get(frame.channel)
        if stream is None or stream.closed():
            return None
        self._given.send(stream, [DELIM, self.session.sign(frame.parts[:4]), *frame.parts])
        return self._drain() if self._given.behind else None

    async def _drain(self) -> None:
        line: Any = self.websocket_handler
        while self.channels and not line.gone and self._given.behind:
            await asyncio.sleep(0.02)


class _Kept(list[Any]):
    """Messages for a page that is away, up to a number of bytes."""

    def __init__(self, give_up: Callable[[], None]) -> None:
        super().__init__()
        self._size = 0
        self._give_up = give_up

    def append(self, message: tuple[str, list[bytes]]) -> None:
        """Keep one more message, or none at all when they are too many."""
        self._size += sum(map(len, message[1]))
        if self._size <= MOST_WHILE_AWAY:
            super().append(message)
        elif self:
            self.clear()
            self._give_up()


class PatientKernelManager(AsyncMappingKernelManager):
    """Keeps what kernels say to pages that are away, within a limit, and ends those that nobody can follow."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._ending: set[asyncio.Task[None]] = set()

    def start_buffering(self, kernel_id: str, session_key: str, channels: Any) -> None:
        """Keep what a kernel says from now on for the page that lost its line."""
        super().start_buffering(kernel_id, session_key, channels)
        if kernel_id in self._kernel_buffers:
            self._kernel_buffers[kernel_id]["buffer"] = _Kept(lambda: self.give_up(kernel_id))

    def keeps_for(self, kernel_id: str, session_key: str) -> bool:
        """Whether what a kernel says is kept for this page."""
        return kernel_id in self._kernel_buffers and self._kernel_buffers[kernel_id]["session_key"] == session_key

    def keep_before(self, kernel_id: str, session_key: str, messages: Iterable[tuple[str, list[bytes]]]) -> None:
        """Keep these messages for a page, before all that is kept for it; they count for nothing in its limit."""
        if self.keeps_for(kernel_id, session_key):
            self._kernel_buffers[kernel_id]["buffer"][:0] = messages

    def give_up(self, kernel_id: str) -> None:
        """End a kernel whose page has missed something: when it asks, it learns that its session has ended."""
        ending = asyncio.ensure_future(self._end(kernel_id))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _end(self, kernel_id: str) -> None:
        with suppress(HTTPError, KeyError, RuntimeError):  # it has ended meanwhile
            await self.shutdown_kernel(kernel_id, now=True)


class QueryHandler(RequestInfoSocketHandler):  # type: ignore[misc]
    """Tells a pre-heated kernel of the visitor whose page it becomes. Only the kernel itself asks, and says nothing."""

    def prepare(self) -> None:
        """Answer a kernel of ours that waits, on this machine, and nobody else.

        Raises:
            HTTPError: 403.
        """
        kernel_id = self.path_kwargs.get("kernel_id", "")
        waits = kernel_id in self.settings["kernel_manager"] and kernel_id not in self._waiters
        if not waits or any(name in self.request.headers for name in FORWARDED):
            raise HTTPError(403)

    @property
    def max_message_size(self) -> int:
        """Nothing is to be said here."""
        return 125

    def on_message(self, message: bytes | str) -> None:
        """Close on whoever speaks."""
        self.close(frames.POLICY, "nothing to say here")

    def on_close(self) -> None:
        """Forget a kernel that was told, or that has gone."""
        for kernel_id in [one for one, waiter in self._waiters.items() if waiter is self]:
            del self._waiters[kernel_id]
