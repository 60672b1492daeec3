"""The line between a page and its kernel, once it is closed from here: nothing is heard on it, and nothing said."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
import zmq
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler
from zmq.eventloop.zmqstream import ZMQStream

from tests.own_loop import in_own_loop
from widgets.serving.connections import MESSAGES_FOR_KERNEL, ChannelsHandler, Given, Waiting
from widgets.serving.leaving import Leaving
from widgets.serving.lines import RESTARTING, LineHandler, Lines


class Socket:
    """What tornado keeps of an open websocket."""

    stream = None

    def __init__(self) -> None:
        self.closed: list[tuple[Any, Any]] = []

    def close(self, code: int | None, reason: str | None) -> None:
        self.closed.append((code, reason))


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> ChannelsHandler:
    """An open line, without a server."""
    handler = ChannelsHandler.__new__(ChannelsHandler)
    handler.ws_connection = Socket()
    monkeypatch.setattr(ChannelsHandler, "_all", Waiting())
    return handler


def test_what_a_kernel_says_to_a_line_that_was_closed_is_read_by_nobody(
    line: ChannelsHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jupyter has forgotten the protocol of a closed line: Voilà would read gigabytes in a message of the old one."""
    said: list[bytes] = []
    monkeypatch.setattr(
        VoilaKernelWebsocketHandler, "write_message", lambda _, message, binary=False: said.append(message)
    )
    line.close()  # as Jupyter does after a ping without an answer
    line.write_message(b"\x00\x00\x00\x02\x00\x00\x00\x0c", True)
    assert said == []


def test_what_a_page_says_on_a_line_that_was_closed_reaches_no_kernel(line: ChannelsHandler) -> None:
    class Connection:
        def pass_on(self, frame: Any) -> None:
            raise AssertionError("a kernel heard it")

    line.connection = Connection()  # type: ignore[assignment]
    line.close()
    assert line.on_message(b"") is None


@pytest.mark.parametrize("goodbye", [False, True])
def test_a_line_that_opens_once_the_pages_were_told_that_the_server_goes_is_told_too(
    goodbye: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited for a kernel that had ended: the server never stopped, and the page learnt nothing of it."""
    joined: list[str] = []
    monkeypatch.setattr(VoilaKernelWebsocketHandler, "open", lambda _, kernel_id: joined.append(kernel_id))
    handler, socket, leaving, lines = LineHandler.__new__(LineHandler), Socket(), Leaving(0), Lines(print)
    handler.ws_connection, handler.kernel_id = socket, "k"
    known = {"ldv_leaving": leaving, "ldv_lines": lines, "ldv_waiting": Waiting()}
    handler.application = SimpleNamespace(settings=known)  # type: ignore[assignment]
    if goodbye:
        leaving.say_goodbye()
    handler.open("k")
    assert joined == ([] if goodbye else ["k"])
    assert socket.closed == ([(RESTARTING, "restarting")] if goodbye else [])


@pytest.mark.parametrize("at_once", [1, 2, 7])
def test_a_kernel_that_takes_what_it_is_given_is_never_behind(at_once: int) -> None:
    """However many messages of a page arrive together: a lost one counted as waiting for ever, and stopped the page."""

    async def talk() -> bool:
        context = zmq.Context()
        near, far = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
        near.bind("inproc://kernel")
        far.connect("inproc://kernel")
        stream, given, heard = ZMQStream(near), Given(), 0
        try:
            for _ in range(3 * MESSAGES_FOR_KERNEL // at_once):
                for _ in range(at_once):
                    given.send(stream, [b"a click"])
                while stream.sending():
                    await asyncio.sleep(0)
                while far.poll(0):
                    heard += far.recv_multipart() == [b"a click"]
            assert heard == 3 * MESSAGES_FOR_KERNEL // at_once * at_once
            return given.behind
        finally:
            stream.close()
            far.close()
            context.term()

    assert in_own_loop(talk()) is False


def test_a_kernel_that_takes_nothing_is_behind() -> None:
    class Deaf:
        def send_multipart(self, message: list[bytes], **how: Any) -> None:
            """Handle nothing."""

    given, stream = Given(), Deaf()
    for _ in range(MESSAGES_FOR_KERNEL + 1):
        given.send(stream, [b"a click"])
    assert given.behind
