"""What the figures of `make load` share: a server in a folder of its own, a teacher's key, a table at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from tornado.httpclient import AsyncHTTPClient

from bench.measures import Measure
from tests.browser.harness import ROOT, UNASKED, Server, start_server, still_running
from tests.store.harness import teacher_key

MOST_READERS = 140


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of the course; each must end well, and leave no process."""
    started: list[Server] = []

    def start(**env: Any) -> Server:
        own = {**dict.fromkeys(UNASKED, ""), "LDV_POOL": "0"}
        given = own | {name: str(value) for name, value in env.items()}
        started.append(start_server(tmp_path / "server.log", notebooks=ROOT / "notebooks", env=given))
        return started[-1]

    yield start
    for server in started:
        left = psutil.Process(server.process.pid).children(recursive=True)
        assert server.stop() == 0
        assert still_running(left) == []


@pytest.fixture
def key(tmp_path: Path) -> str:
    """A teacher's key of the server to come."""
    return teacher_key({"LDV_DATA": str(tmp_path / "data")})


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
    """Prints figures."""

    def print_lines(title: str, *measures: Measure) -> None:
        with capsys.disabled():
            print("\n".join(["", title, *(f"  {measure.line()}" for measure in measures)]), flush=True)

    return print_lines


def play(coroutine: Any) -> Any:
    """Run, with as many connections as readers."""
    AsyncHTTPClient.configure(None, max_clients=MOST_READERS)
    return asyncio.run(coroutine)


def share(ordered: list[float], part: float) -> float:
    """The value below which this part of sorted values lies."""
    return ordered[round(part * (len(ordered) - 1))]


def own_mebibytes(server: Server) -> float:
    """Memory that a kernel of this server holds for itself, on average."""
    kernels = server.kernels().values()
    return float(sum(process.memory_full_info().uss for process in kernels)) / len(kernels) / 1024**2
