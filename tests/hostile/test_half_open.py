"""Visitors who connect and say nothing, or a byte at a time: the page answers all the same, and they are sent away."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from tests.browser.harness import PATIENCE, Server
from tests.hostile.conftest import LESSON
from tests.hostile.wire import Kernel, Line, Watch, message, watched
from tests.own_loop import in_own_loop
from widgets.serving import sockets
from widgets.serving.networks import read_networks
from widgets.serving.sockets import PatientServer

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def crowded(server: Server, number: int) -> Watch:
    """A page is opened and answers while so many connections stay half open.

    Args:
        server: with lessons.
        number: of connections.
    """
    port = int(server.url.rsplit(":", 1)[1])
    starts = [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: b\r\n",
        b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    ]
    crowd: list[socket.socket] = []
    try:
        with watched(server) as seen:
            for at in range(number):
                one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                one.sendall(starts[at % len(starts)])
                crowd.append(one)
            kernel = Kernel.of(server.url, LESSON)
            page = Line.open(kernel)
            page.send(message("kernel_info_request"))
            page.wait_for(b"kernel_info_reply")
            page.hang_up()
    finally:
        for one in crowd:
            one.close()
    return seen


def test_the_page_answers_among_half_open_connections(hostile_server: Server) -> None:
    assert crowded(hostile_server, 60).faults == []


# -- Limits in time and in number, on a server of the test's own -------------------------------------------------------


class Answering(RequestHandler):
    """Answers at once, or when it is told to."""

    async def get(self) -> None:
        """Wait, then answer."""
        if self.get_query_argument("wait", ""):
            await self.settings["go"].wait()
        self.finish("oui")

    async def post(self) -> None:
        """Answer."""
        self.finish("oui")


Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Counting(PatientServer):
    """Counts who came."""

    came = 0

    def _enter(self, server_conn: Any) -> Any:
        self.came += 1
        return super()._enter(server_conn)


class House:
    """A small server with limits, and those who connect to it."""

    def __init__(self, **limits: Any) -> None:
        self.go = asyncio.Event()
        application = Application([("/", Answering)], go=self.go)
        self.server = Counting(application, **{"most": 100, "most_of_one": 100, **limits})
        self.taken = bind_sockets(0, "127.0.0.1")
        self.server.add_sockets(self.taken)

    async def enter(self, said: bytes = b"") -> Client:
        """Connect, say something, and wait until the server knows."""
        before = self.server.came
        client = await asyncio.open_connection("127.0.0.1", self.taken[0].getsockname()[1])
        client[1].write(said)
        while self.server.came == before:
            await asyncio.sleep(0)
        return client


@asynccontextmanager
async def house(**limits: Any) -> AsyncIterator[House]:
    made = House(**limits)
    yield made
    made.server.stop()
    await made.server.close_all_connections()


async def silence(client: Client) -> bytes:
    """What comes until the server hangs up."""
    try:
        return await asyncio.wait_for(client[0].read(), 20)
    except ConnectionError:
        return b""


def test_a_byte_now_and_then_is_not_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HEADER_SECONDS", 0.05)

    async def play() -> None:
        async with house() as made:
            client = await made.enter()

            async def drip() -> None:
                for byte in b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000:
                    client[1].write(bytes([byte]))
                    await asyncio.sleep(0.01)

            dripping = asyncio.ensure_future(drip())
            assert await silence(client) == b""
            dripping.cancel()
            assert made.server.closed == {"late": 1}

    in_own_loop(play())


def test_an_answer_that_is_not_taken_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "ANSWER_SECONDS", 0.05)

    async def play() -> None:
        async with house() as made:
            assert await silence(await made.enter(REQUEST.replace(b"/ ", b"/?wait=1 "))) == b""
            assert made.server.closed == {"late": 1}

    in_own_loop(play())


def test_whoever_has_waited_longest_leaves_first() -> None:
    async def play() -> None:
        async with house(most=3) as made:
            busy = await made.enter(REQUEST.replace(b"/ ", b"/?wait=1 "))
            while made.server._waiting:
                await asyncio.sleep(0)
            first, second = (
                await made.enter(),
                await made.enter(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"),
            )
            third = await made.enter(REQUEST)
            assert await silence(first) == b""
            assert (await third[0].readline()).startswith(b"HTTP/1.1 200")
            fourth = await made.enter(REQUEST)
            assert await silence(second) == b""
            assert (await fourth[0].readline()).startswith(b"HTTP/1.1 200")
            made.go.set()
            assert (await busy[0].readline()).startswith(b"HTTP/1.1 200")

    in_own_loop(play())


def test_nobody_takes_all_the_places_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with house(most_of_one=2) as made:  # this machine, where a proxy stands for everybody
            for _ in range(5):
                await made.enter()
            assert not made.server.closed
        monkeypatch.setattr(sockets, "is_loopback", lambda _: False)
        async with house(most_of_one=2, proxies=read_networks("192.0.2.7")) as made:
            first = await made.enter()
            await made.enter()
            await made.enter()
            assert await silence(first) == b""
            assert made.server.closed == {"many": 1}

    in_own_loop(play())


@pytest.mark.parametrize("network", ["127.0.0.1", "10.0.0.0/8, 127.0.0.0/8"])
def test_a_trusted_proxy_stands_for_everybody(network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "is_loopback", lambda _: False)

    async def play() -> None:
        async with house(most_of_one=2, proxies=read_networks(network)) as made:
            for _ in range(5):
                await made.enter()
            assert not made.server.closed

    in_own_loop(play())


def test_too_much_that_is_still_coming_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_COMING", 100_000)

    async def play() -> None:
        async with house() as made:
            large = await made.enter(b"GET / HTTP/1.1\r\nX: " + b"a" * 150_000)
            small = await made.enter(b"GET / HTTP/1.1\r\n")
            assert await silence(large) == b""
            assert made.server.closed == {"large": 1}
            small[1].write(b"Host: localhost\r\n\r\n")
            assert (await small[0].readline()).startswith(b"HTTP/1.1 200")

    in_own_loop(play())
