"""The lines between pages and their kernels: which kernels have one, when their reader last did something, who is gone.

A page that is closed ends its kernel at once; one whose network was cut says nothing. The server asks each page every few
seconds whether it is there (a ping of the websocket), closes the line of one that does not answer, and takes its reader
for gone a little later: he may be coming back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from widgets.serving.connections import ChannelsHandler

#: Milliseconds between two pings of a line, and without an answer before it is closed; a reader cut off is thus known
#: to be gone within 25 seconds: 4 + 9, 5 for the closing, `GRACE`.
PING_EVERY, PING_PATIENCE = 4_000, 9_000
#: Seconds without a line before a reader is gone: most come back within three.
GRACE = 6.0
#: What only says that a page is there, and how long it may be, in bytes.
SIGN_OF_LIFE, LONGEST_SIGN = b'"type":"ping"', 4_096
#: How a line is closed whose page rests, or whose server stops (RFC 6455's registry); `link.js` knows both.
RESTS, RESTARTING = 4001, 1012


class Lines:
    """What is known of each kernel's page.

    Args:
        gone: told with a kernel's id when its reader is gone (True) and when he is back (False).
        clock: seconds, monotonic.
    """

    def __init__(self, gone: Callable[[str, bool], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._gone, self._clock = gone, clock
        self._open: dict[str, set[Any]] = {}
        self._acted: dict[str, float] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._away: set[str] = set()

    def opened(self, kernel_id: str, line: Any) -> None:
        """A page opened a line to its kernel; coming back is something that its reader does."""
        self._open.setdefault(kernel_id, set()).add(line)
        self._acted.setdefault(kernel_id, self._clock())
        if timer := self._leaving.pop(kernel_id, None):
            timer.cancel()
        if kernel_id in self._away:
            self._away.discard(kernel_id)
            self._gone(kernel_id, False)

    def closed(self, kernel_id: str, line: Any) -> None:
        """A line was closed."""
        lines = self._open.get(kernel_id, set())
        lines.discard(line)
        if not lines and self._open.pop(kernel_id, None) is not None:
            self._leaving[kernel_id] = asyncio.get_running_loop().call_later(GRACE, self._left, kernel_id)

    def _left(self, kernel_id: str) -> None:
        self._leaving.pop(kernel_id, None)
        self._away.add(kernel_id)
        self._gone(kernel_id, True)

    def heard(self, kernel_id: str, message: bytes | str) -> None:
        """A message came on a line: its reader did something, unless it is a mere sign of life."""
        if isinstance(message, bytes) and len(message) <= LONGEST_SIGN and SIGN_OF_LIFE in message:
            return
        self._acted[kernel_id] = self._clock()

    def idle(self, kernel_id: str) -> float:
        """Seconds since the reader of a connected page did something; 0 for a kernel without a line."""
        return self._clock() - self._acted[kernel_id] if kernel_id in self._open else 0.0

    def rest(self, kernel_id: str) -> None:
        """Tell a page that it rests: its lines are closed with a word of their own."""
        for line in tuple(self._open.get(kernel_id, ())):
            line.close(RESTS, "repos")

    def forget(self, kernel_id: str) -> None:
        """A kernel is no more."""
        self._open.pop(kernel_id, None)
        self._acted.pop(kernel_id, None)
        self._away.discard(kernel_id)
        if timer := self._leaving.pop(kernel_id, None):
            timer.cancel()


class LineHandler(ChannelsHandler):
    """The websocket of a page, with the server's knowledge of it."""

    @property
    def lines(self) -> Lines:
        """Those of this server."""
        lines: Lines = self.settings["ldv_lines"]
        return lines

    def open(self, kernel_id: str) -> Any:
        """Join a page to its kernel; send it away when this server has said goodbye.

        Jupyter would wait for the word of a kernel that has ended, and not hear that it is told to stop: the server would
        never end, and the page never learn of it.
        """
        if self.settings["ldv_leaving"].said_goodbye:
            return self.send_away()
        self.lines.opened(kernel_id, self)
        return super().open(kernel_id)

    def send_away(self) -> None:
        """Tell the page that this server stops: it comes back on another one, or on the next."""
        self.close(RESTARTING, "restarting")

    def on_message(self, message: bytes | str) -> Awaitable[None] | None:
        """Take a message of the page."""
        self.lines.heard(self.kernel_id, message)
        return super().on_message(message)

    def on_close(self) -> None:
        """The page is gone, or its network."""
        self.lines.closed(self.kernel_id, self)
        super().on_close()
