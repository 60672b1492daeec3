"""Which notebooks have a kernel ready: a few in total, following what readers do.

A pre-heated notebook costs a whole kernel (about 40 MiB), so there are few and they move: the home page, what follows
the last lesson opened, that lesson itself (a class opens the same one together), the first lesson.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
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
    found: dict[str, None] = {}

    def add(path: str) -> None:
        if path in catalogue:
            found.setdefault(path)

    add(HOME)
    for path in recent:
        add(catalogue.after(path))
        add(path)
    for page in catalogue.lessons:
        add(page.path)
    for path in catalogue.pages:
        add(path)
    return list(found)[:size]


class PoolKeeper:
    """Keeps the pool of a Voilà kernel manager within its size and on the right notebooks.

    Args:
        manager: Voilà's kernel manager, with its pools.
        catalogue: The notebooks.
        size: Kernels in the pool at most.
        reserved: Notebooks with a fixed number of kernels; then nothing moves.
    """

    def __init__(self, manager: Any, catalogue: Catalogue, size: int, reserved: Mapping[str, int]) -> None:
        self.manager = manager
        self.catalogue = catalogue
        self.size = size
        self.reserved = dict(reserved)
        self.recent: list[str] = []
        self._ending: set[asyncio.Task[None]] = set()

    def plan(self) -> dict[str, int]:
        """How many kernels each notebook should have ready."""
        if self.reserved:
            return {path: count for path, count in self.reserved.items() if path in self.catalogue and count}
        return dict.fromkeys(wanted(self.catalogue, self.recent, self.size), 1)

    def start(self) -> None:
        """Fill the pool for the first readers."""
        self._apply(delay=0.0)

    def opened(self, path: str) -> None:
        """Follow a reader who has just opened a notebook."""
        if self.size == 0:
            return
        self.recent = [path, *(other for other in self.recent if other != path)][:3]
        self._apply(delay=REFILL_DELAY)

    def ready(self, path: str) -> str:
        """Id of a kernel that is ready for this notebook, put first in its pool; "" when none is."""
        pool = getattr(self.manager, "_pools", {}).get(path, [])
        for task in [task for task in pool if task.done()]:
            pool.remove(task)
            if task.cancelled() or task.exception() is not None:
                continue
            if task.result()["kernel_id"] in self.manager:
                pool.insert(0, task)
                return str(task.result()["kernel_id"])
        return ""

    def _apply(self, delay: float) -> None:
        plan = self.plan()
        self.manager.kernel_pools_config = {
            "default": {"pool_size": 0},
            **{path: {"pool_size": count} for path, count in plan.items()},
        }
        for path, pool in self.manager._pools.items():
            while len(pool) > plan.get(path, 0):
                ending = asyncio.ensure_future(self._discard(pool.pop()))
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
        for path in plan:
            self.manager.fill_if_needed(delay=delay, notebook_name=path)
            for task in self.manager._pools[path]:
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
