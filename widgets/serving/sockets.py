"""Connections before they are pages: how many there may be, how long they may keep us waiting, and who leaves first.

Whoever connects and says nothing, or one byte a second, costs a socket and some memory. Such a connection is closed
after seconds; when there are too many, the one that has been waiting longest leaves, so that a visitor who has just come
is always heard. A websocket is counted no more: lines are limited by the number of kernels (`connections.py`).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

import tornado.httpserver
import tornado.ioloop
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    RequestStartLine,
    ResponseStartLine,
)

from widgets.serving.access import is_loopback
from widgets.serving.networks import Network, within

#: Seconds to have said what one wants; a telephone far from its network needs two or three.
HEADER_SECONDS = 10
#: Seconds to have sent the body of a request, which has a few bytes.
BODY_SECONDS = 10
#: Seconds that a connection may stay for the next request.
IDLE_SECONDS = 75
#: Seconds from a request to the end of its answer: a page of 2 MB at 10 KB/s takes 200.
ANSWER_SECONDS = 300
#: Bytes of a request that is still coming: its headers (an address may have 100 000 characters), its body.
LONGEST_HEADER, LONGEST_BODY = 160_000, 64 * 1024
#: Bytes of all requests that are still coming.
MOST_COMING = 64 * 1024 * 1024
#: Descriptors that are no visitor's: files and database; and those of each kernel (its channels, its line, its pulse).
FILES, FILES_OF_KERNEL = 200, 30
#: Descriptors that the server asks the system for, where the system would give more.
MOST_FILES = 65_536


def raise_files() -> int:
    """Raise the limit of open files as far as the system allows it; the number that may be open.

    >>> raise_files() > 0
    True
    """
    if sys.platform == "win32":
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_FILES if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # macOS allows less than it says
        return soft
    return wanted


def most_connections(wanted: int, kernels: int, files: int) -> int:
    """How many connections may be open besides the lines of kernels.

    Args:
        wanted: What the operator allows.
        kernels: Kernels at most.
        files: Files that may be open.

    >>> most_connections(4_000, 60, 65_536), most_connections(4_000, 60, 4_096), most_connections(4_000, 60, 1_024)
    (4000, 2096, 64)
    """
    return max(64, min(wanted, files - FILES - FILES_OF_KERNEL * kernels))


@dataclass(eq=False)
class Visitor:
    """A connection, from when it was taken until it is closed or becomes a websocket.

    Args:
        stream: Its socket.
        peer: Address of the other side.
        since: When it began to wait or to be answered, in seconds of the monotonic clock.
        first: Whether it has not yet asked for anything.
        busy: Whether it is being answered.
    """

    stream: Any
    peer: str
    since: float
    first: bool = True
    busy: bool = False

    def late(self, now: float) -> bool:
        """Whether it has used up its time; between two requests tornado itself looks after that."""
        if self.busy:
            return now > self.since + ANSWER_SECONDS
        return self.first and now > self.since + HEADER_SECONDS

    @property
    def coming(self) -> int:
        """Bytes that it sent and that are not yet a request."""
        return 0 if self.busy else int(getattr(self.stream, "_read_buffer_size", 0))


class PatientServer(tornado.httpserver.HTTPServer):
    """An HTTP server with limits, in number and in time.

    Args:
        most: Connections at most, websockets not counted.
        most_of_one: Connections from one address at most, unless it stands for many visitors.
        proxies: Networks of our proxies, each of which stands for many visitors, as this machine does.
    """

    def initialize(  # type: ignore[override]
        self,
        request_callback: Any,
        most: int,
        most_of_one: int,
        proxies: Iterable[Network] = (),
        **kwargs: Any,
    ) -> None:
        """Take the limits besides what tornado takes."""
        super().initialize(
            request_callback,
            max_header_size=LONGEST_HEADER,
            max_body_size=LONGEST_BODY,
            idle_connection_timeout=IDLE_SECONDS,
            body_timeout=BODY_SECONDS,
            **kwargs,
        )
        self.most = most
        self.most_of_one = most_of_one
        self.proxies = tuple(proxies)
        #: How many connections were closed, by reason: "late", "many", "large".
        self.closed: Counter[str] = Counter()
        self._visitors: dict[object, Visitor] = {}
        self._by_peer: Counter[str] = Counter()
        self._waiting: dict[Visitor, None] = {}  # who has waited longest comes first
        self._sweeping: tornado.ioloop.PeriodicCallback | None = None

    def add_sockets(self, sockets: Any) -> None:
        """Listen, and look every second for those whose time is over."""
        super().add_sockets(sockets)
        if self._sweeping is None:
            self._sweeping = tornado.ioloop.PeriodicCallback(self.sweep, 1000)
            self._sweeping.start()

    def stop(self) -> None:
        """Listen no more."""
        if self._sweeping is not None:
            self._sweeping.stop()
        super().stop()

    def sweep(self) -> None:
        """Close the connections whose time is over, and the largest when too much is still coming."""
        now = time.monotonic()
        for visitor in [one for one in self._visitors.values() if one.late(now)]:
            self._close(visitor, "late")
        coming = sum(one.coming for one in self._waiting)
        if coming > MOST_COMING:
            for visitor in sorted(self._waiting, key=lambda one: one.coming, reverse=True):
                if coming <= MOST_COMING:
                    break
                coming -= visitor.coming
                self._close(visitor, "large")

    def start_request(self, server_conn: Any, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        """Wait for a request, the first or the next of a connection."""
        visitor = self._visitors.get(server_conn)
        if visitor is None:
            visitor = self._enter(server_conn)
        else:
            self._rest(visitor, first=False)
        return _Watched(super().start_request(server_conn, request_conn), lambda: self._answer(visitor))

    def on_close(self, server_conn: object) -> None:
        """Forget a connection that is closed, or that is a websocket now."""
        super().on_close(server_conn)
        visitor = self._visitors.pop(server_conn, None)
        if visitor is not None:
            self._waiting.pop(visitor, None)
            self._by_peer[visitor.peer] -= 1
            if not self._by_peer[visitor.peer]:
                del self._by_peer[visitor.peer]

    def _enter(self, server_conn: Any) -> Visitor:
        address = server_conn.context.address
        peer = str(address[0]) if isinstance(address, tuple) and address else ""
        visitor = Visitor(server_conn.stream, peer, time.monotonic())
        self._visitors[server_conn] = visitor
        self._by_peer[peer] += 1
        self._rest(visitor, first=True)
        if self._by_peer[peer] > self.most_of_one and not self._stands_for_many(peer):
            self._close(next(one for one in self._waiting if one.peer == peer), "many")
        elif len(self._visitors) > self.most:
            self._close(next(iter(self._waiting)), "many")
        return visitor

    def _stands_for_many(self, peer: str) -> bool:
        return is_loopback(peer) or within(peer, self.proxies)

    def _rest(self, visitor: Visitor, first: bool) -> None:
        visitor.first, visitor.busy, visitor.since = first, False, time.monotonic()
        self._waiting.pop(visitor, None)
        self._waiting[visitor] = None

    def _answer(self, visitor: Visitor) -> None:
        visitor.busy, visitor.since = True, time.monotonic()
        self._waiting.pop(visitor, None)

    def _close(self, visitor: Visitor, reason: str) -> None:
        """Hang up; `on_close` follows once the server has noticed."""
        self.closed[reason] += 1
        self._waiting.pop(visitor, None)
        visitor.busy, visitor.since = True, float("inf")
        visitor.stream.close()


class _Watched(HTTPMessageDelegate):
    """Passes a request on, and says when it has come whole."""

    def __init__(self, inner: HTTPMessageDelegate, whole: Callable[[], None]) -> None:
        self._inner = inner
        self._whole = whole

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        return self._inner.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._inner.data_received(chunk)

    def finish(self) -> None:
        self._whole()
        self._inner.finish()

    def on_connection_close(self) -> None:
        self._inner.on_connection_close()
