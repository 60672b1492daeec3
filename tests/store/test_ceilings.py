"""Ceilings of memory and processor: a kernel that passes one is ended, its page hears of it, the server stays as it was."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from tests.browser.harness import Server, start_server
from tests.own_loop import in_own_loop
from tests.store.harness import until
from tests.store.test_confined import notebook
from widgets.serving import ceilings
from widgets.serving.ceilings import Warden

MIB = 1024 * 1024
PROTOCOL = "v1.kernel.websocket.jupyter.org"
#: A page that keeps whatever it is sent: what a lesson with such a fault would let anyone do.
KEEPS = """
import ipywidgets
kept = []
slider = ipywidgets.IntSlider()
slider.on_msg(lambda widget, content, buffers: kept.extend(bytes(one) for one in buffers))
print("SLIDER", slider.model_id, "END")
slider
"""


def sending(widget: str, content: bytes) -> bytes:
    """A page's message that says something to a widget."""
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "comm_msg", "username": "", "session": "s", "version": "5.3"}
    said = {"comm_id": widget, "data": {"method": "custom", "content": {}}}
    parts = [json.dumps(part).encode() for part in (header, {}, {"version": "2.1.0"}, said)]
    return bytes(serialize_msg_to_ws_v1([*parts, content], "shell"))


class Reader:
    """A page without a browser: its slider, its line, and what it heard."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.closed = False
        self.slider = ""
        self.line: WebSocketClientConnection

    def hear(self, received: Any) -> None:
        """Keep what is said of the kernel's state."""
        if received is None:
            self.closed = True
            return
        if isinstance(received, str):  # what the server itself says
            said = json.loads(received)
        else:
            _, parts = deserialize_msg_from_ws_v1(received)
            said = {"header": json.loads(parts[0]), "content": json.loads(parts[3])}
        if said["header"]["msg_type"] == "status":
            self.states.append(said["content"]["execution_state"])

    @classmethod
    async def arrive(cls, server: Server) -> Reader:
        """Open the home page and its line."""
        page = await AsyncHTTPClient().fetch(server.url + "/", request_timeout=120)
        match = re.search(rb'"kernelId": *"([^"]+)"', page.body)
        assert match
        address = f"{server.url.replace('http', 'ws')}/api/kernels/{match[1].decode()}/channels?session_id=s"
        reader = cls()
        if shown := re.search(rb"SLIDER (\w+) END", page.body):
            reader.slider = shown[1].decode()
        reader.line = await websocket_connect(
            HTTPRequest(address), subprotocols=[PROTOCOL], on_message_callback=reader.hear
        )
        await until(lambda: reader.states)
        return reader


def grow(folder: Path) -> tuple[int, int]:
    """Send a page that keeps everything four mebibytes at a time, until its kernel is ended.

    Args:
        folder: an empty one.

    Returns:
        growth of the kernel and of the server, in bytes.
    """
    notebook(folder, KEEPS)
    server = start_server(folder / "log", notebooks=folder, env={"LDV_KERNEL_MEMORY": "128"}, alone=True)
    itself = psutil.Process(server.process.pid)

    async def play() -> tuple[Reader, int, int]:
        reader = await Reader.arrive(server)
        (kernel,) = server.kernels().values()
        before, most, own = kernel.memory_info().rss, 0, itself.memory_info().rss
        try:
            for _ in range(100):
                await reader.line.write_message(sending(reader.slider, b"\x01" * 4 * MIB), True)
                await asyncio.sleep(0)
                most = max(most, kernel.memory_info().rss)
            while not reader.closed and kernel.is_running():
                most = max(most, kernel.memory_info().rss)
                await asyncio.sleep(0.02)
        except (WebSocketClosedError, psutil.NoSuchProcess):
            pass
        # Ended by the server; or by the system's own ceiling, and then there is a new one that knows nothing of the page.
        await until(lambda: reader.closed or "restarting" in reader.states)
        return reader, most - before, own

    try:
        reader, growth, own = in_own_loop(play())
        assert {"dead", "restarting"} & set(reader.states)  # what shows the page's banner
        server.wait_for(lambda health: health["kernels"] == ("dead" not in reader.states))
        server_growth = int(itself.memory_info().rss - own)
        ended = "a kernel was ended: memory" in (folder / "log").read_text(encoding="utf-8")
        assert ended == ("dead" in reader.states)
        return growth, server_growth
    finally:
        server.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the kernel's memory as Linux counts it")
def test_four_mebibytes_at_a_time_do_not_make_a_kernel_grow_without_end(tmp_path: Path) -> None:
    grow(tmp_path)


def test_a_kernel_that_never_pauses_is_ended(tmp_path: Path) -> None:
    burning = "import threading\ndef burn():\n    while True:\n        pass\nthreading.Thread(target=burn, daemon=True).start()"
    notebook(tmp_path, burning)
    server = start_server(tmp_path / "log", notebooks=tmp_path, env={"LDV_KERNEL_CPU": "2"})

    async def play() -> Reader:
        reader = await Reader.arrive(server)
        await until(lambda: reader.closed)
        return reader

    try:
        assert "dead" in in_own_loop(play()).states
        server.wait_for(lambda health: health["kernels"] == 0)
        assert "a kernel was ended: processor" in (tmp_path / "log").read_text(encoding="utf-8")
    finally:
        server.stop()


class Measured:
    """Stands for a process: what it uses is what the test says."""

    rss, seconds = 50 * MIB, 1.0

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def memory_info(self) -> Any:
        return type("memory", (), {"rss": self.rss})

    def cpu_times(self) -> Any:
        return type("times", (), {"user": self.seconds, "system": 0.0})


def test_a_reader_who_drags_and_pauses_is_never_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings.psutil, "Process", Measured)
    warden = Warden(lambda: [("k", 7)], lambda _: asyncio.sleep(0), 256 * MIB, 60)
    now = 0.0
    for _ in range(50):
        for busy in (1.8, 1.8, 1.8, 0.0):  # six seconds of a drag that takes all of a processor, then a breath
            monkeypatch.setattr(Measured, "seconds", Measured.seconds + busy)
            now += ceilings.PAUSE
            assert warden.look(now) == []
    wrong, steps = [], 0
    while not wrong:  # and now without a breath
        monkeypatch.setattr(Measured, "seconds", Measured.seconds + 1.8)
        now, steps = now + ceilings.PAUSE, steps + 1
        wrong = warden.look(now)
    assert wrong == [("k", "processor")]
    assert 60 / 1.8 <= steps <= 60 / 1.8 + 2


def test_many_who_burn_share_the_processors_and_are_seen_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings.psutil, "Process", Measured)
    warden = Warden(lambda: [("k", 7)], lambda _: asyncio.sleep(0), 256 * MIB, 60)
    for step in range(1_000):
        monkeypatch.setattr(Measured, "seconds", Measured.seconds + 0.2)  # a tenth of a processor each
        if warden.look(step * ceilings.PAUSE):
            break
    assert step == 300  # 60 seconds, at a fifth of a second a look


def test_memory_is_counted_from_where_a_kernel_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings.psutil, "Process", Measured)
    pids = [7]
    warden = Warden(lambda: [("k", pids[0])], lambda _: asyncio.sleep(0), 256 * MIB, 60)
    assert warden.look(0) == []
    monkeypatch.setattr(Measured, "rss", 306 * MIB)
    assert warden.look(2) == []
    monkeypatch.setattr(Measured, "rss", 307 * MIB)
    assert warden.look(4) == [("k", "memory")]
    monkeypatch.setattr(Measured, "rss", 50 * MIB)
    pids[0] = 8  # started anew: another process, which begins where it begins
    assert warden.look(6) == []


def test_what_a_kernel_takes_before_the_first_look_counts_from_when_its_page_opens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ceilings.psutil, "Process", Measured)
    warden = Warden(lambda: [("k", 7)], lambda _: asyncio.sleep(0), 256 * MIB, 60)
    warden.meet("k", 0)
    warden.meet("gone", 0)
    monkeypatch.setattr(Measured, "rss", 307 * MIB)
    warden.meet("k", 1)
    assert warden.look(2) == [("k", "memory")]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not say what a process had at most")
def test_memory_given_back_between_two_looks_is_seen() -> None:
    program = "import sys; kept = bytearray(300 << 20); del kept; print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        itself = psutil.Process(process.pid)
        assert ceilings.most_memory(itself) > 300 * MIB > itself.memory_info().rss
        process.communicate()
