"""Ceilings of memory and of processor: a kernel that passes one is ended, and its page says that it has stopped."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

import psutil

#: Seconds between two looks. Between them, `RLIMIT_DATA` holds the memory where there is one (`widgets.serving.cell`).
PAUSE = 2.0
#: A kernel pauses when it uses less than this share of one processor between two looks. Below, because where many
#: compete for the processors each has a small share of one.
RESTING = 0.05
log = logging.getLogger("ldv.kernels")


@dataclass
class Use:
    """What a kernel has used.

    Args:
        pid: its process.
        first: bytes of memory at first sight, when its page opens at the latest.
        processor: seconds of processor in all.
        since: what they were at its last pause.
        at: when it was looked at, in seconds.
    """

    pid: int
    first: int
    processor: float
    since: float
    at: float


def most_memory(process: psutil.Process) -> int:
    """Bytes of memory that a process has had at most, where Linux says so; what it has, elsewhere.

    One that takes too much and gives it back between two looks is in no state to go on.
    """
    try:
        with open(f"/proc/{process.pid}/status", "rb") as status:
            most = next((line.split()[1] for line in status if line.startswith(b"VmHWM:")), b"0")
    except OSError:
        most = b"0"
    return max(process.memory_info().rss, int(most) * 1024)


class Warden:
    """Looks at every kernel now and then.

    Args:
        kernels: their ids and processes.
        end: ends one.
        memory: bytes that one may add to what it had at first sight.
        processor: seconds of processor that one may use without a pause.
    """

    def __init__(
        self,
        kernels: Callable[[], Iterable[tuple[str, int]]],
        end: Callable[[str], Awaitable[object]],
        memory: int,
        processor: float,
    ) -> None:
        self.kernels, self.end, self.memory, self.processor = kernels, end, memory, processor
        self.used: dict[str, Use] = {}
        #: How many were ended, by reason: "memory", "processor".
        self.ended: Counter[str] = Counter()

    async def watch(self) -> None:
        """Look until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PAUSE)
            for kernel, reason in self.look(loop.time()):
                self.ended[reason] += 1
                log.warning("a kernel was ended: %s", reason)
                try:
                    await self.end(kernel)
                except Exception:
                    log.exception("a kernel could not be ended")

    def look(self, now: float) -> list[tuple[str, str]]:
        """Kernels to end, with the reason.

        Args:
            now: seconds, monotonic.
        """
        seen: dict[str, Use] = {}
        wrong = []
        for kernel, pid in self.kernels():
            try:
                use, memory = self._add(kernel, pid, now)
            except psutil.Error:
                continue
            seen[kernel] = use
            if memory - use.first > self.memory:
                wrong.append((kernel, "memory"))
            elif use.processor - use.since > self.processor:
                wrong.append((kernel, "processor"))
        self.used = seen
        return wrong

    def meet(self, kernel: str, now: float) -> None:
        """See a kernel for the first time, if it was not seen yet: what it takes from here on is counted.

        Args:
            kernel: one whose page opens; it may have ended meanwhile.
            now: seconds, monotonic.
        """
        pid = dict(self.kernels()).get(kernel)
        if pid is not None and kernel not in self.used:
            with suppress(psutil.Error):
                self.used[kernel], _ = self._add(kernel, pid, now)

    def _add(self, kernel: str, pid: int, now: float) -> tuple[Use, int]:
        process = psutil.Process(pid)
        memory, times = most_memory(process), process.cpu_times()
        processor = times.user + times.system
        known = self.used.get(kernel)
        if known is None or known.pid != pid:
            return Use(pid, memory, processor, processor, now), memory
        if processor - known.processor < RESTING * (now - known.at):
            known.since = processor
        known.processor, known.at = processor, now
        return known, memory
