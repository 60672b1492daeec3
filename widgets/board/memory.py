"""A reader's kernel gives back what building a page no longer needs: each reader has one, so each mebibyte counts."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def give_back() -> None:
    """Collect what is unreachable, and return free pages to the system (glibc keeps them otherwise)."""
    gc.collect()
    if sys.platform.startswith("linux"):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


@contextmanager
def uncollected() -> Iterator[None]:
    """Make many small objects, none of which points back:
    the collector would go through all of them again and again.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


_waiting: list[asyncio.TimerHandle] = []


def give_back_later(seconds: float = 2.0) -> None:
    """Do so once the reader pauses; nothing happens where no event loop runs (a test, a script).

    Args:
        seconds: length of the pause; asking again starts it anew.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return
    while _waiting:
        _waiting.pop().cancel()
    _waiting.append(loop.call_later(seconds, give_back))
