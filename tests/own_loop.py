"""A thread with a loop of its own: Playwright keeps one in the main thread once a browser test has run."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def in_own_loop(play: Coroutine[Any, Any, T], seconds: float = 300) -> T:
    """What a coroutine returns, run in a thread of its own.

    Args:
        play: It is cancelled when its time is over.
        seconds: Its time.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(play, seconds)).result()
