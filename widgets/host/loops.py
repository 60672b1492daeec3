"""The event loop of a kernel, or one that never runs where there is none."""

from __future__ import annotations

import asyncio
import functools


@functools.cache
def _idle_loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def loop_here() -> asyncio.AbstractEventLoop:
    """The loop that runs; else one that never does, to give answers that are there already (a plain script, a test)."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return _idle_loop()
