"""Served pages and a real browser: `server`, `course`, `visit`, `opened`, `room` and `page`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.classes import Class
from tests.browser.harness import FIXTURES, OPEN, PATIENCE, ROOT, Server, Visit, start_server
from tests.browser.windows import Window, Windows
from tests.store.harness import teacher_key

#: A page under test shares two cores with its server and its kernel.
expect.set_options(timeout=PATIENCE * 1000)


#: A server that all tests share has room for whoever has not left yet.
ROOM = {"LDV_MAX_KERNELS": "500"}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on the fixture notebooks, without pre-heated kernels, for the whole session."""
    running = start_server(tmp_path_factory.mktemp("server") / "server.log", env=ROOM, alone=True)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The course itself, served with a database of its own, for the whole session.

    The servers of all processes of a suite keep the grounds that they draw in one folder, as those of one house do.
    """
    place = tmp_path_factory.mktemp("course")
    suite = tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else place
    (suite / "sol").mkdir(exist_ok=True)
    (place / "data").mkdir()
    (place / "data" / "sol").symlink_to(suite / "sol")
    running = start_server(place / "server.log", notebooks=ROOT / "notebooks", env=ROOM)
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of this test's own, with these arguments and this environment; stopped at its end."""
    started: list[Server] = []

    def start(*arguments: str, notebooks: Path = FIXTURES, alone: bool = False, **env: str) -> Server:
        log = tmp_path / f"{len(started)}.log"
        started.append(start_server(log, *arguments, notebooks=notebooks, env=env, alone=alone))
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    """What a test opens pages in, and another test after it."""
    return Windows(browser)


@pytest.fixture
def visit(windows: Windows, server: Server) -> Iterator[Callable[..., Visit]]:
    """Makes visits: `visit()` at 1280 px, `visit(**PHONE)` on a phone; each is checked when the test ends."""
    made: list[tuple[Visit, Window]] = []

    def make(home: str = "", **options: Any) -> Visit:
        window = windows.lend(**options)
        new = Visit(window.context, home or server.url, window.tab)
        made.append((new, window))
        OPEN.append(new)
        return new

    yield make
    for each, window in made:
        OPEN.remove(each)
        windows.take_back(window, each.home)
        each.forget()
    for each, _ in made:
        each.check()


@pytest.fixture
def opened(course: Server, visit: Callable[..., Visit]) -> Callable[..., Page]:
    """Opens an address of the course, and waits until its widgets are there and nothing covers them."""

    def open_(url: str, **options: object) -> Page:
        page = visit(course.url, **options).new_page()
        page.goto(course.url + url)
        page.wait_for_selector("html[data-ready=true]:not([data-first])")
        if "vue=tout" in url:  # the long page comes part by part: nothing moves once its last words are there
            page.wait_for_selector(".ldv-remember")
        return page

    return open_


@pytest.fixture
def room(course: Server, visit: Callable[..., Visit]) -> Class:
    """A class with a teacher of its own, on the server of the course; its pages are closed at the end."""
    return Class(course, teacher_key({"LDV_DATA": str(course.data)}), visit)


@pytest.fixture
def page(visit: Callable[..., Visit], request: pytest.FixtureRequest) -> Page:
    """A page at 1280 px, or with the options given by `@pytest.mark.parametrize("page", [PHONE], indirect=True)`."""
    return visit(**getattr(request, "param", {})).new_page()
