"""The line between a page and its kernel, once it is closed from here: nothing is heard on it, and nothing said."""

from __future__ import annotations

from typing import Any

import pytest
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from widgets.serving.connections import ChannelsHandler, Waiting


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
