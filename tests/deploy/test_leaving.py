"""A server that leaves, alone: who is refused, who goes on, when it ends."""

from __future__ import annotations

import http.client
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tornado.httpclient import AsyncHTTPClient

from tests.browser.harness import Server, start_server
from tests.own_loop import in_own_loop
from widgets.serving.leaving import ABSENCE, Leaving

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="Windows has no such signal")


def asked(server: Server, path: str) -> tuple[int, http.client.HTTPMessage, str]:
    """Status, headers and text of an address."""
    line = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8")
    finally:
        line.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that gives those present an hour."""
    running = start_server(tmp_path / "log", env={"LDV_DRAIN": "3600"})
    yield running
    if running.process.poll() is None:
        running.stop()


def leave(server: Server) -> None:
    """Ask a server to leave, and wait until it has heard."""
    os.kill(server.process.pid, signal.SIGUSR1)
    server.wait_for(lambda health: health["status"] == "draining")


def test_a_server_that_leaves_refuses_new_readers_and_keeps_those_present(server: Server) -> None:
    assert asked(server, "/sante/pret")[0] == 200
    status, _, page = asked(server, "/voila/render/accueil.ipynb")
    assert status == 200
    kernel = json.loads(page.split('id="jupyter-config-data" type="application/json">')[1].split("</script>")[0])
    leave(server)
    status, headers, text = asked(server, "/sante/pret")
    assert (status, json.loads(text)) == (503, {"status": "draining"})
    status, headers, text = asked(server, "/voila/render/accueil.ipynb")
    assert status == 503
    assert "Ce serveur s’arrête" in text
    assert any(line.startswith('ldv_poste=""') for line in headers.get_all("Set-Cookie", []))
    assert asked(server, "/sante")[0] == 200  # it lives
    assert asked(server, f"/api/kernels/{kernel['kernelId']}")[0] == 200  # a page that loads is present
    os.kill(server.process.pid, signal.SIGUSR1)  # said twice is said once
    assert server.health()["readers"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(server: Server, number: signal.Signals) -> None:
    assert asked(server, "/voila/render/accueil.ipynb")[0] == 200
    leave(server)
    server.process.send_signal(number)
    assert server.process.wait(60) == 0


def test_a_server_without_readers_ends_as_soon_as_it_is_asked_to_leave(server: Server) -> None:
    os.kill(server.process.pid, signal.SIGUSR1)
    assert server.process.wait(60) == 0


def test_the_limit_ends_a_server_that_still_has_readers(tmp_path: Path) -> None:
    server = start_server(tmp_path / "log", env={"LDV_DRAIN": "1"})
    try:
        assert asked(server, "/voila/render/accueil.ipynb")[0] == 200
        os.kill(server.process.pid, signal.SIGUSR1)
        assert server.process.wait(60) == 0
        assert "s’en va : 1 lecteurs" in (tmp_path / "log").read_text(encoding="utf-8")
    finally:
        server.stop()


def test_a_kernel_that_a_server_has_not_is_a_plain_404(server: Server, tmp_path: Path) -> None:
    async def play() -> int:
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        headers |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
        address = f"{server.url}/api/kernels/00000000-0000-0000-0000-000000000000/channels"
        answer = await AsyncHTTPClient().fetch(address, headers=headers, raise_error=False)
        return answer.code

    assert in_own_loop(play()) == 404
    assert "Traceback" not in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_page_of_another_server_s_version_finds_its_files(server: Server) -> None:
    status, headers, _ = asked(server, "/voila/templates/ldv/static/0123456789ab/ldv.css")
    assert status == 200
    assert headers["Cache-Control"] == "no-cache"
    assert asked(server, "/voila/templates/ldv/static/0123456789ab/absent.css")[0] == 404


class Manager:
    """Readers' kernels, each with how many pages it has open."""

    def __init__(self, **pages: int) -> None:
        self.open = pages

    def readers(self) -> int:
        return len(self.open)

    def pages(self) -> dict[str, int]:
        return self.open

    async def shutdown_kernel(self, kernel_id: str, now: bool) -> None:
        del self.open[kernel_id]


class Clock:
    """A clock that goes on by so much each time it is read."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgets.serving.leaving.PERIOD", 0.0)


def test_who_has_no_page_any_more_is_not_waited_for() -> None:
    leaving, manager = Leaving(10_000, Clock(1.0)), Manager(gone=0, shut=0)
    leaving.begin()
    in_own_loop(leaving.empty(manager))
    assert manager.open == {}
    assert leaving.left > 0
    assert leaving.clock() >= ABSENCE


def test_the_limit_holds_whoever_is_there() -> None:
    leaving, manager = Leaving(50, Clock(1.0)), Manager(ana=1, bea=2)
    assert (leaving.active, leaving.left) == (False, 50)
    leaving.begin()
    in_own_loop(leaving.empty(manager))
    assert leaving.left == 0
    assert set(manager.open) == {"ana", "bea"}


def test_nobody_is_given_time_when_the_limit_is_none() -> None:
    leaving = Leaving(0, time.monotonic)
    leaving.begin()
    in_own_loop(leaving.empty(Manager(ana=1)))
