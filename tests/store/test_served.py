"""The whole way: a page's kernel, the channel, `ldv serve`, the database; then the server killed, and served again."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

from tests.browser.harness import Server, start_server, still_running
from tests.store.harness import write
from tutor.store.database import place
from tutor.store.store import Store
from tutor.store.who import Who

NEW = """
import os
from widgets.host.channel import channel
said = []
code = channel().new_learner(said.append)
channel().write("lesson.open", {"lesson": "a.ipynb"}, said.append)
"""
LOOK = """
import asyncio
for _ in range(300):
    if len(said) == 2:
        break
    await asyncio.sleep(0.1)
hidden = "LDV_DATABASE_URL" in os.environ or "sqlalchemy" in __import__("sys").modules
print("SAID", [reply.ok for reply in said], channel().status, hidden, code)
"""


@pytest.fixture
def notebooks(tmp_path: Path) -> Path:
    """A home page whose kernel makes a learner."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for n, source in enumerate((NEW, LOOK))
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "accueil.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder


def page(server: Server) -> str:
    """What the home page's kernel said."""
    with urllib.request.urlopen(server.url, timeout=60) as answer:
        match = re.search(r"SAID [^<]*", answer.read().decode("utf-8"))
    return match[0].strip() if match else ""


@pytest.mark.parametrize("pool", ["0", "1"])
def test_what_a_page_keeps_is_there_after_the_server_was_killed(
    env: dict[str, str], notebooks: Path, tmp_path: Path, pool: str
) -> None:
    server = start_server(tmp_path / "log", notebooks=notebooks, env={**env, "LDV_POOL": pool}, alone=True)
    try:
        if pool == "1":
            server.wait_for(lambda health: health["preheated"] == 1 and health["store"]["kernels"] == 1)
        said, code = page(server).rsplit(" ", 1)
        assert said == "SAID [True, True] kept False"
        server.wait_for(lambda health: health["store"]["ready"])
    finally:
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
    store = Store(place(env))
    store.open()
    me = Who(learner=store.read("learner.resume", Who(), {"code": code})["learner"])
    assert [lesson["lesson"] for lesson in store.read("progress.get", me, {})["lessons"]] == ["a.ipynb"]
    [made] = store.write([write("link.make", kind="page", target="/voila/render/accueil.ipynb")])
    store.close()
    short_links(env, notebooks, tmp_path, made.result["code"])


def short_links(env: dict[str, str], notebooks: Path, tmp_path: Path, code: str) -> None:
    """A short link leads to its page on the server that is back; an unknown one is a French 404."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    opener = urllib.request.build_opener(Stay)
    server = start_server(tmp_path / "log2", notebooks=notebooks, env=env)
    try:
        server.wait_for(lambda health: health["store"]["ready"])
        for path, status, target in ((code, 302, "/voila/render/accueil.ipynb"), ("ABCDEFGH", 404, None)):
            with pytest.raises(urllib.error.HTTPError) as caught:
                opener.open(f"{server.url}/l/{path}", timeout=30)
            with caught.value as answer:
                assert (answer.code, answer.headers.get("Location")) == (status, target)
    finally:
        server.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_kernels_of_a_killed_server_do_not_stay(notebooks: Path, tmp_path: Path, on_sqlite: dict[str, str]) -> None:
    server = start_server(tmp_path / "log", notebooks=notebooks, env=on_sqlite, alone=True)
    page(server)
    family = psutil.Process(server.process.pid).children(recursive=True)
    assert server.kernels()
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert still_running(family) == []
