"""A connected page whose reader does nothing for long gives its place back, and comes back where it was when he does.

After `LDV_REST` seconds (45 minutes) in any case; after ten minutes when every place is taken; eight times as long while
it follows a class, leads one or is its screen. A page in projection says itself that it is looked at.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from widgets.serving.lines import Lines

#: Seconds after which a page rests when every place is taken.
WHEN_FULL = 600.0
#: How many times longer a page that follows a class may wait for it.
PATIENCE = 8
log = logging.getLogger("ldv.idle")


class Rest:
    """Ends the kernels of pages that nobody touches.

    Args:
        manager: of kernels (`list_kernel_ids`, `shutdown_kernel`).
        lines: of the pages.
        after: seconds without anything done; 0: a page never rests.
        follows: whether a kernel's page follows a class.
        full: whether every place is taken.
    """

    def __init__(
        self, manager: Any, lines: Lines, after: float, follows: Callable[[str], bool], full: Callable[[], bool]
    ) -> None:
        self.manager, self.lines, self.after = manager, lines, after
        self.follows, self.full = follows, full
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look at the pages now and then, as long as the server runs."""
        if self.after:
            self._task = asyncio.ensure_future(self._watch())

    def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(max(0.5, min(15.0, self.after / 10)))
            try:
                await self.look()
            except Exception:
                log.exception("a page that rests could not be ended")

    async def look(self) -> None:
        """End the kernels of the pages that have done nothing for too long."""
        alone = min(self.after, WHEN_FULL) if self.full() else self.after
        for kernel_id in list(self.manager.list_kernel_ids()):
            idle = self.lines.idle(kernel_id)
            if idle > alone and (idle > PATIENCE * self.after or not self.follows(kernel_id)):
                self.lines.rest(kernel_id)
                await self.manager.shutdown_kernel(kernel_id, now=True)
