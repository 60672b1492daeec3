"""Whoever runs the cells of a reader's page begins when the kernel has answered and is heard, and no later."""

from __future__ import annotations

from collections.abc import Sequence
from queue import Empty
from typing import Any

import pytest
import zmq

from tests.own_loop import in_own_loop
from widgets.serving.kernels import TRIES, ReaderClient, ReaderKernel

#: A message: the request that it is about, and the state it tells.
News = tuple[str, str]


class Scripted(ReaderClient):
    """A client of a kernel that says what a script says: for each time it is asked, whether it answers, and its news."""

    def __init__(self, *script: tuple[bool, Sequence[News]], alive: bool = True) -> None:
        super().__init__()
        self.script, self.alive, self.asked = script, alive, 0
        self.news: list[News] = []

    def kernel_info(self, **_: Any) -> str:
        answers, news = self.script[min(self.asked, len(self.script) - 1)]
        self.asked += 1
        self.answers, self.news = answers, [*self.news, *news]
        return str(self.asked)

    async def get_shell_msg(self, **_: Any) -> dict[str, Any]:
        if not self.answers:
            raise Empty
        return {"msg_type": "kernel_info_reply", "parent_header": {"msg_id": str(self.asked)}}

    async def get_iopub_msg(self, **_: Any) -> dict[str, Any]:
        if not self.news:
            raise Empty
        about, state = self.news.pop(0)
        header = {"msg_id": about} if about else {}
        return {"parent_header": header, "content": {"execution_state": state} if state else {}}

    async def is_alive(self) -> bool:
        return self.alive


WELCOME, STARTING = ("", ""), ("", "starting")


def test_it_begins_once_the_kernel_has_told_everybody_that_it_is_done() -> None:
    later = ("2", "busy")
    client = Scripted((True, [WELCOME, STARTING, ("1", "busy"), ("1", "idle"), later]))
    in_own_loop(client.wait_for_ready(timeout=60))
    assert client.asked == 1
    assert client.news == [later]  # it is for whoever runs the cells


def test_it_asks_again_while_the_kernel_is_silent_or_not_heard() -> None:
    client = Scripted((False, []), (True, [WELCOME]), (True, [("2", "idle"), ("3", "busy"), ("3", "idle")]))
    in_own_loop(client.wait_for_ready(timeout=60))
    assert client.asked == 3
    assert client.news == []


def test_it_does_not_wait_for_a_kernel_that_has_ended() -> None:
    with pytest.raises(RuntimeError):
        in_own_loop(Scripted((False, []), alive=False).wait_for_ready(timeout=60))


def test_a_kernel_of_a_reader_is_asked_by_it_over_sockets_that_try_again_soon() -> None:
    client = ReaderKernel().client(connection_file="")
    assert isinstance(client, ReaderClient)
    with client.context.socket(zmq.DEALER) as socket:
        assert (socket.reconnect_ivl, socket.reconnect_ivl_max) == TRIES
