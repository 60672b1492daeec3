"""Which notebooks have a kernel ready: a few in total, following what readers do.

A pre-heated notebook costs a whole kernel (about 40 MiB), so there are few and they move: the home page, what follows
the last lesson opened, that lesson itself (a class opens the same one together), the first lesson.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from widgets.serving.catalogue import HOME, Catalogue

#: Seconds left to the page that was just opened before its pool is filled again: it has the machine first.
REFILL_DELAY = 3.0


def wanted(catalogue: Catalogue, recent: Iterable[str], size: int) -> list[str]:
    """The notebooks that deserve a kernel, best first.

    Args:
        catalogue: What there is.
        recent: Notebooks opened lately, the last one first.
        size: How many kernels there may be.

    Returns:
        At most `size` different paths.
    """
    paths: dict[str, None] = {}

    def add(path: str) -> None:
        if path in catalogue:
            paths.setdefault(path)

    add(HOME)
    for path in recent:
        add(catalogue.after(path))
        add(path)
    for page in catalogue.lessons:
        add(page.path)
    for path in catalogue.pages:
        add(path)
    return list(paths)[:size]


class PoolKeeper:
    """Keeps the pool of a Voilà kernel manager within its size and on the right notebooks.

    Args:
        manager: Voilà's kernel manager, with its pools.
        catalogue: The notebooks.
        size: Kernels in the pool at most.
        reserved: Notebooks with a fixed number of kernels; then nothing moves.
        room: How many kernels may be prepared for classes, besides.
    """

    def __init__(
        self,
        manager: Any,
        catalogue: Catalogue,
        size: int,
        reserved: Mapping[str, int],
        room: Callable[[], int] = lambda: 0,
    ) -> None:
        self.manager = manager
        self.catalogue = catalogue
        self.size = size
        self.reserved = dict(reserved)
        self.room = room
        self.recent: list[str] = []
        #: Kernels that wait for a group of readers alone, by group and notebook.
        self.prepared: dict[tuple[str, str], int] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def plan(self) -> dict[str, int]:
        """How many kernels each notebook should have ready."""
        if self.reserved:
            plan = {path: count for path, count in self.reserved.items() if path in self.catalogue and count}
        else:
            plan = dict.fromkeys(wanted(self.catalogue, self.recent, self.size), 1)
        left = self.room()
        for (_, path), count in self.prepared.items():
            plan[path] = plan.get(path, 0) + min(count, max(0, left))
            left -= count
        return plan

    # -- for a class ----------------------------------------------------------------------------------------------

    def prepare(self, group: str, path: str, count: int, seconds: float, *, also: bool = False) -> None:
        """Have kernels ready for a group that is about to open a notebook together, and for nobody else.

        Args:
            group: of readers; path: of the notebook; count: how many kernels.
            seconds: after which those that were not taken are ended; 0 prepares none.
            also: beside what was prepared for this group before, not instead; and a little later, for its page is open.
        """
        if not also:
            self._withdraw(group)
        if count > 0 and seconds > 0 and path in self.catalogue:
            self.prepared[group, path] = count
            if group in self._timers:
                self._timers.pop(group).cancel()
            self._timers[group] = asyncio.get_running_loop().call_later(seconds, self.release, group)
        self._apply(delay=REFILL_DELAY if also else 0.0)

    def release(self, group: str) -> None:
        """End what was prepared for a group."""
        if timer := self._timers.pop(group, None):
            timer.cancel()
        self._withdraw(group)
        self._apply(delay=0.0)

    def _withdraw(self, group: str) -> None:
        for key in [key for key in self.prepared if key[0] == group]:
            del self.prepared[key]

    def take(self, path: str, groups: Iterable[str]) -> None:
        """One of the kernels of a notebook is taken by a reader of these groups; what was prepared is not made again."""
        for group in groups:
            if left := self.prepared.get((group, path), 0):
                self.prepared[group, path] = left - 1
                self._configure(self.plan())
                return

    # -- as readers come ------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Fill the pool for the first readers."""
        self._apply(delay=0.0)

    def opened(self, path: str) -> None:
        """Follow a reader who has just opened a notebook."""
        if self.size == 0 and not self.prepared:
            return
        self.recent = [path, *(other for other in self.recent if other != path)][:3]
        self._apply(delay=REFILL_DELAY)

    def ready(self, path: str, groups: Iterable[str] = ()) -> str:
        """Id of a kernel that is ready for this notebook, put first in its pool; "" when none is.

        Args:
            path: of the notebook; groups: of the reader, beyond those of everyone.
        """
        mine = set(groups)
        others = sum(count for (group, name), count in self.prepared.items() if name == path and group not in mine)
        pool = getattr(self.manager, "_pools", {}).get(path, [])
        started = []
        for task in [task for task in pool if task.done()]:
            pool.remove(task)
            if not task.cancelled() and task.exception() is None and task.result()["kernel_id"] in self.manager:
                started.append(task)
        pool[:0] = started
        return str(started[0].result()["kernel_id"]) if len(started) > others else ""

    def _configure(self, plan: Mapping[str, int]) -> None:
        self.manager.kernel_pools_config = {
            "default": {"pool_size": 0},
            **{path: {"pool_size": count} for path, count in plan.items()},
        }

    def _apply(self, delay: float) -> None:
        plan = self.plan()
        self._configure(plan)
        for path, pool in self.manager._pools.items():
            while len(pool) > plan.get(path, 0):
                ending = asyncio.ensure_future(self._discard(pool.pop()))
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
        for path in plan:
            self.manager.fill_if_needed(delay=delay, notebook_name=path)
            for task in self.manager._pools[path]:
                if not task.done():
                    task.add_done_callback(self._drop_if_failed)

    def _drop_if_failed(self, task: asyncio.Task[dict[str, Any]]) -> None:
        """Take a kernel that could not start out of its pool: Voilà's own code would stumble on it for ever."""
        if task.cancelled() or task.exception() is not None:
            for pool in self.manager._pools.values():
                if task in pool:
                    pool.remove(task)

    async def _discard(self, task: asyncio.Task[dict[str, Any]]) -> None:
        """End a pre-heated kernel that nobody will want, once it has finished starting."""
        try:
            kernel_id = (await task)["kernel_id"]
            if kernel_id in self.manager:
                await self.manager.shutdown_kernel(kernel_id, now=True)
        except Exception:
            self.manager.log.debug("a pre-heated kernel could not be ended", exc_info=True)
