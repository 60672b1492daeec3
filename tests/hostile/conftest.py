"""Servers that all hostile visitors share, each started once: after every one of them they must be as before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.harness import Server, start_server

#: A page that shows 400 kB, all of which its kernel says whenever it is asked.
LARGE = "import ipywidgets\nipywidgets.HTML('x' * 400_000)"
LESSON = "/voila/render/combat_commander/02-ligne-de-vue.ipynb"
#: What a log never has, whatever a visitor sent.
FAULTS = ("Traceback", "Uncaught", "Exception", "Error")


@contextmanager
def serving(log: Path, **settings: Any) -> Iterator[Server]:
    """A server, which must stop when asked whatever was done to it."""
    server = start_server(log, **settings)
    yield server
    assert server.stop() == 0
    assert no_fault(log.read_text(encoding="utf-8"))


def no_fault(log: str) -> bool:
    """Whether a log is without a trace of a fault."""
    assert not any(fault in log for fault in FAULTS), log[-6000:]
    return True


@contextmanager
def unharmed(server: Server, log: Path) -> Iterator[Server]:
    """A server that many share: whatever a test does to it, its log says little of it, and of no fault."""
    before = len(log.read_text(encoding="utf-8"))
    yield server
    said = log.read_text(encoding="utf-8")[before:]
    assert no_fault(said)
    assert len(said) < 5_000, said[:6000]


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """The server of all these tests, on the small notebooks, and its log."""
    log = tmp_path_factory.mktemp("lessons") / "server.log"
    with serving(log) as server:
        yield server, log


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """The server whose home page has much to say, and its log."""
    folder = tmp_path_factory.mktemp("large")
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": None, "outputs": [], "source": LARGE}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "accueil.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with serving(folder / "server.log", notebooks=folder / "notebooks") as server:
        yield server, folder / "server.log"


@pytest.fixture
def hostile_server(lessons: tuple[Server, Path]) -> Iterator[Server]:
    """A server with lessons, which a test must leave unharmed."""
    with unharmed(*lessons) as server:
        yield server


@pytest.fixture
def large_server(large: tuple[Server, Path]) -> Iterator[Server]:
    """A server whose home page has much to say, which a test must leave unharmed."""
    with unharmed(*large) as server:
        yield server
