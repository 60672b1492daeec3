"""The first paintings of a page's boards: one after another, and none waits where there is no page."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tests.own_loop import in_own_loop
from widgets.board.canvas import Turns


def _elsewhere(work):
    """What ``work`` returns in a thread of its own: browser tests leave a running loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result(timeout=30)


def test_first_paintings_wait_for_nothing_without_a_loop():
    def paint():
        done, line = [], Turns()
        line.take(lambda: done.append("first"))
        line.take(lambda: done.append("second"))
        return done

    assert _elsewhere(paint) == ["first", "second"]


def test_first_paintings_of_a_page_take_turns():
    async def page():
        done, line, last = [], Turns(first=0, between=0), asyncio.Event()
        line.take(lambda: done.append("first"))
        line.take(lambda: done.append("second"))
        line.take(last.set)
        at_once = list(done)
        await last.wait()
        return at_once, done

    assert in_own_loop(page()) == (["first"], ["first", "second"])
