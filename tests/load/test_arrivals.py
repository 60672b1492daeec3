"""A class arrives at once: each reader speaks to the server as a browser does, without one. Run by `make load`."""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

from tests.browser.harness import ROOT, Server, start_server

READERS = 40
LESSON = "/voila/render/combat_commander/03-ldv-terrain-plat.ipynb"
CONTROL, PROTOCOL = "jupyter.widget.control", "v1.kernel.websocket.jupyter.org"
#: Far above what any machine needs: a reader who waits so long has no page.
SECONDS = 120
MIB = 1024 * 1024


def message(kind: str, **content: Any) -> bytes:
    """A message of a page to its kernel."""
    header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "username": "", "session": "classe", "version": "5.3"}
    parts = [json.dumps(part).encode() for part in (header, {}, {"version": "1.0.0"}, content)]
    return bytes(serialize_msg_to_ws_v1(parts, "shell"))


async def arrive(server: Server) -> tuple[str, dict[str, Any], float]:
    """Open a lesson: the kernel's id, every widget of the page, seconds until they were there."""
    began = time.monotonic()
    page = await AsyncHTTPClient().fetch(server.url + LESSON, request_timeout=SECONDS)
    found = re.search(rb'"kernelId": *"([^"]+)"', page.body)
    assert found, "la page ne nomme pas son noyau"
    kernel = found[1].decode()
    address = f"{server.url.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id=classe"
    cookies = "; ".join(cookie.split(";")[0] for cookie in page.headers.get_list("Set-Cookie"))
    heard: asyncio.Queue[bytes | None] = asyncio.Queue()
    request = HTTPRequest(address, headers={"Cookie": cookies})
    line = await websocket_connect(request, subprotocols=[PROTOCOL], on_message_callback=heard.put_nowait)
    while time.monotonic() < began + SECONDS:  # what is said before the kernel listens is lost, as from a browser
        comm = uuid.uuid4().hex
        await line.write_message(message("comm_open", comm_id=comm, target_name=CONTROL, data={}), True)
        await line.write_message(message("comm_msg", comm_id=comm, data={"method": "request_states"}), True)
        await asyncio.sleep(0.2)
        while not heard.empty():
            states = widgets(heard.get_nowait())
            if any(state["model_name"] == "CanvasModel" for state in states.values()):
                line.close()
                return kernel, states, time.monotonic() - began
    raise AssertionError(f"pas de plateau après {SECONDS} s")


def widgets(received: bytes | None) -> dict[str, Any]:
    """The widgets that a message tells of, by id."""
    assert received is not None, "le noyau a raccroché"
    _, parts = deserialize_msg_from_ws_v1(received)
    data = json.loads(parts[3]).get("data", {}) if json.loads(parts[0])["msg_type"] == "comm_msg" else {}
    return dict(data["states"]) if data.get("method") == "update_states" else {}


@pytest.mark.parametrize("pool", ["0", "4"])
def test_a_class_arrives_at_once(tmp_path: Path, pool: str, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"LDV_POOL": pool, "LDV_MAX_KERNELS": str(READERS)}
    server = start_server(tmp_path / "server.log", notebooks=ROOT / "notebooks", env=environment)
    try:

        async def arrivals() -> list[tuple[str, dict[str, Any], float]]:
            AsyncHTTPClient.configure(None, max_clients=READERS)
            return list(await asyncio.gather(*(arrive(server) for _ in range(READERS))))

        found = asyncio.run(arrivals())
        assert len({kernel for kernel, _, _ in found}) == READERS
        assert server.health()["readers"] == READERS
        waits = sorted(seconds for _, _, seconds in found)
        own = sum(process.memory_full_info().uss for process in server.kernels().values()) / MIB
        with capsys.disabled():
            print(
                f"\n{READERS} lecteurs à la fois, {pool} noyaux prêts : plateau après {waits[READERS // 2]:.1f} s "
                f"(médiane), {waits[-1]:.1f} s au plus ; {own / len(server.kernels()):.0f} Mio propres par noyau"
            )
        left = psutil.Process(server.process.pid).children(recursive=True)
    finally:
        assert server.stop() == 0
    assert psutil.wait_procs(left, timeout=20)[1] == []
