"""A page whose line is lost without a word: on its next one it hears what the lost one may have swallowed."""

from __future__ import annotations

import re

from tests.browser.harness import Server
from tests.hostile.conftest import LESSON
from tests.hostile.wire import PING, PONG, Kernel, Line, message


def ask(line: Line) -> bytes:
    """Ask a kernel who it is; the id under which it was asked."""
    asked = message("kernel_info_request")
    line.send(asked)
    known = re.search(rb'"msg_id": "([^"]+)"', asked)
    assert known
    return known[1]


def hear_done(line: Line, number: bytes) -> bytes:
    """All that comes until a kernel has done what was asked under this id."""
    heard = b""
    for _, content in line.frames():
        heard += content
        if number in content and re.search(rb'"execution_state": ?"idle"', content):
            return heard
    raise AssertionError("hung up before it was done")


def test_what_a_lost_line_may_have_swallowed_is_said_again_on_the_next(hostile_server: Server) -> None:
    kernel = Kernel.of(hostile_server.url, LESSON)
    lost = Line.open(kernel)
    number = ask(lost)
    hear_done(lost, number)
    back = Line.open(kernel)  # while the server believes that the first one stands
    hear_done(back, number)
    back.hang_up()  # and now it knows that none does
    hear_done(Line.open(kernel), number)


def test_what_a_page_has_heard_is_not_said_again(hostile_server: Server) -> None:
    kernel = Kernel.of(hostile_server.url, LESSON)
    lost = Line.open(kernel)
    number = ask(lost)
    hear_done(lost, number)
    lost.send(next(content for opcode, content in lost.frames() if opcode == PING), PONG)
    lost.settle()
    back = Line.open(kernel)
    assert number not in hear_done(back, ask(back))
