"""Pages that do not read, kernels that do not listen: neither makes the server grow, and the line goes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

from tests.browser.harness import PATIENCE, Server
from tests.hostile.wire import CONTROL, MIB, Kernel, Line, Watch, get, message, watched


def ask_for_states(line: Line) -> None:
    """What a page asks when it opens: the kernel answers with all that it shows, hundreds of kilobytes for a board."""
    line.send(message("comm_open", comm_id="states", target_name=CONTROL, data={}))
    line.send(message("comm_msg", comm_id="states", data={"method": "request_states"}))


def gone(kernel: Kernel) -> bool:
    """Whether the server has no such kernel any more."""
    return get(kernel.url, f"/api/kernels/{kernel.id}").startswith(b"HTTP/1.1 404")


def newest(server: Server) -> psutil.Process:
    """Process of the kernel that started last."""
    return max(server.kernels().values(), key=lambda process: (process.create_time(), process.pid))


def wait_until(check: Callable[[], bool]) -> None:
    """Wait for something that must happen."""
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end
        time.sleep(0.1)


def never_reading(server: Server) -> Watch:
    """A page that asks and never reads, until the server lets it go."""
    kernel = Kernel.of(server.url, "/")
    opened = Line.open(kernel, room=4096)
    ask_for_states(opened)
    assert len(opened.wait_for(b"update_states")) > 100_000  # the board is there, so each answer is large
    with watched(server) as seen:
        with suppress(ConnectionError):
            for _ in range(40):  # 16 MB: twice what may wait, far less than what ends a kernel
                ask_for_states(opened)
        wait_until(lambda: gone(kernel))
    opened.hang_up()
    return seen


def test_a_page_that_never_reads_is_cut(large_server: Server) -> None:
    assert never_reading(large_server).faults == []


def test_a_page_that_is_merely_slow_gets_everything(large_server: Server) -> None:
    kernel = Kernel.of(large_server.url, "/")
    page = Line.open(kernel, room=4096)
    answers = 10  # some 4 MiB, all of which wait before the first is read
    for _ in range(answers):
        ask_for_states(page)
    for _ in range(answers):
        page.wait_for(b"update_states")
    page.hang_up()


def away(server: Server) -> int:
    """A page that leaves while its kernel has much to say, until the server has let the kernel go.

    Returns:
        growth of the server's memory, in bytes.
    """
    kernel = Kernel.of(server.url, "/")
    page = Line.open(kernel)
    ask_for_states(page)
    page.wait_for(b"update_states")
    process = psutil.Process(server.process.pid)
    listening = newest(server)
    listening.suspend()  # it answers once the page has gone
    before = process.memory_info().rss
    for _ in range(40):
        ask_for_states(page)
    page.settle()
    page.hang_up()
    wait_until(lambda: b'"connections": 0' in get(server.url, f"/api/kernels/{kernel.id}"))
    listening.resume()
    wait_until(lambda: gone(kernel))
    return int(process.memory_info().rss - before)


def test_what_is_kept_for_a_page_that_is_away_has_a_limit(large_server: Server) -> None:
    away(large_server)


def not_listening(server: Server) -> Watch:
    """A page that sends a large file to a kernel that is deaf: it waits before all is sent."""
    kernel = Kernel.of(server.url, "/")
    page = Line.open(kernel)
    ask_for_states(page)
    page.wait_for(b"update_states")  # before, the server does not read the page
    deaf = newest(server)
    os.kill(deaf.pid, signal.SIGSTOP)
    page.wire.settimeout(5.0)
    file = [bytes(4 * MIB)]
    data = {"method": "update", "state": {"value": [{}]}, "buffer_paths": [["value", 0, "content"]]}
    sent = 0
    with watched(server) as seen:
        try:
            for _ in range(60):
                page.send(message("comm_msg", file, comm_id="file", data=data))
                sent += 1
        except TimeoutError:
            pass
    os.kill(deaf.pid, signal.SIGCONT)
    page.hang_up()
    assert 0 < sent < 60
    return seen


def test_a_kernel_that_does_not_listen_makes_its_page_wait(large_server: Server) -> None:
    assert not_listening(large_server).faults == []
