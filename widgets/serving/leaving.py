"""A server that leaves without cutting a class: no new reader, those present go on, then it stops.

SIGUSR1 begins it (`KillSignal=` of a systemd unit, `STOPSIGNAL` of a container); SIGTERM and Ctrl+C stop at once, before
as during. While it lasts, `/sante/pret` answers 503 and a page asked for is refused, so that a proxy asks another
server. At the end every page still there is told by its websocket's close code, and comes back elsewhere by itself.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from widgets.serving.connections import QuickConnection

if TYPE_CHECKING:
    from widgets.serving.kernels import ReaderKernelManager
    from widgets.serving.lines import LineHandler

#: Cookie by which a proxy leads a reader to the same server; the proxy makes it, a server that leaves takes it back.
STICKY_COOKIE = "ldv_poste"
#: The signal, by name: Windows has none such.
SIGNAL = getattr(signal, "SIGUSR1", None)
#: Seconds that a page may be without its websocket (it loads, or its network blinks) and still count as present.
ABSENCE = 20.0
#: Seconds between two counts of those present.
PERIOD = 0.5
Clock = Callable[[], float]


class Leaving:
    """Whether this server leaves, and who is still there.

    Args:
        limit: seconds given to those present, 0 for none.
        clock: seconds, monotonic.
    """

    def __init__(self, limit: float, clock: Clock = time.monotonic) -> None:
        self.limit, self.clock = limit, clock
        self.begun: float | None = None
        #: Whether the pages know that the server goes; one whose line opens later learns it then.
        self.said_goodbye = False
        self._absent: dict[str, float] = {}

    @property
    def active(self) -> bool:
        """Whether the server leaves."""
        return self.begun is not None

    @property
    def left(self) -> float:
        """Seconds that remain to those present; the whole limit before it begins."""
        return self.limit if self.begun is None else max(0.0, self.begun + self.limit - self.clock())

    def begin(self) -> None:
        """Leave from now on; once is enough."""
        if self.begun is None:
            self.begun = self.clock()

    async def empty(self, manager: ReaderKernelManager) -> None:
        """Wait until nobody is present, or the limit; kernels whose page is gone are ended meanwhile.

        Args:
            manager: the readers' kernels.
        """
        while self.left > 0 and manager.readers() > 0:
            for kernel_id in self.abandoned(manager.pages()):
                with suppress(KeyError):  # its page has just freed it itself
                    await manager.shutdown_kernel(kernel_id, now=True)
            await asyncio.sleep(PERIOD)

    def abandoned(self, connections: dict[str, int]) -> list[str]:
        """Kernels that have had no page for too long.

        Args:
            connections: pages of each reader's kernel, by kernel id.

        >>> now = 0.0
        >>> leaving = Leaving(60, clock=lambda: now)
        >>> leaving.abandoned({"a": 0, "b": 1})
        []
        >>> now = 30.0
        >>> leaving.abandoned({"a": 0, "b": 0})
        ['a']
        """
        now = self.clock()
        absent = [kernel for kernel, pages in connections.items() if not pages]
        self._absent = {kernel: self._absent.get(kernel, now) for kernel in absent}
        return [kernel for kernel, since in self._absent.items() if now - since >= ABSENCE]

    def say_goodbye(self) -> None:
        """Tell every page that its server goes: it comes back on another one, or on the next, as soon as it can."""
        self.said_goodbye = True
        for page in list(QuickConnection._open_sockets):
            line: LineHandler = page.websocket_handler  # type: ignore[assignment]  # every page has such a one
            line.send_away()
