"""A class played on a real server, mishaps included: its log has lines of one form, and nothing of anybody's."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import pytest
from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1
from prometheus_client.parser import text_string_to_metric_families
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.harness import Server, start_server
from tests.own_loop import in_own_loop
from tests.store.harness import until
from tests.unit.test_logs import LINE
from tutor.store import teachers
from tutor.store.database import FILE, place
from tutor.store.store import Store

NICKNAME, ANSWER, QUERY, COOKIE, AGENT = (
    "Zoé-Pseudonyme",
    "reponse-d-un-eleve",
    "a-l-adresse",
    "dans-un-biscuit",
    "NCSA",
)
PROTOCOL = "v1.kernel.websocket.jupyter.org"
#: How lines begin that are said to whoever started the server.
FOR_PEOPLE = ("Ligne de Vue ", "Noyaux cloisonnés", "Noyaux non cloisonnés")
#: A teacher and a learner in one kernel, then a control whose callback keeps an answer and fails over it.
PLAY = """
from widgets.host.channel import channel
import ipywidgets, logging
me = channel()
code = me.new_learner()
assert (await me.teach({key!r})).ok
session = (await me.write("class.open", {{"title": {answer!r}}})).result
joined = (await me.join(session["code"], {nickname!r})).result
push = (await me.write("class.push", {{"session": session["session"], "kind": "question", "body": {answer!r}}})).result
given = {{"session": session["session"], "push": push["push"], "answer": {answer!r}, "ok": True}}
assert (await me.write("class.answer", given)).ok
assert not (await me.join("ZZZZZZ", {nickname!r})).ok
def heard(change):
    me.write("attempt.add", {{"game": "combat_commander", "exercise": "e", "ok": True, "answer": change["new"]}})
    try:
        int(change["new"])
    except ValueError:  # as in a callback of ours that is guarded
        logging.getLogger("ligne_de_vue").exception("error in a callback")
    raise ValueError(change["new"])
box = ipywidgets.Text()
box.observe(heard, "value")
print("SAID", code, session["code"], box.model_id)
"""


@pytest.fixture
def key(on_sqlite: dict[str, str]) -> str:
    """A teacher's key."""
    store = Store(place(on_sqlite))
    store.open()
    with store.engine.connect().execution_options(ldv_write=True) as db, db.begin():
        _, made = teachers.create(db, "Mme Durand", 100.0)
    store.close()
    return made


@pytest.fixture
def notebooks(tmp_path: Path, key: str) -> Path:
    """A home page whose kernel plays a class."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    source = PLAY.format(key=key, nickname=NICKNAME, answer=ANSWER)
    cell = {"cell_type": "code", "id": "c1", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "accueil.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder


def status(server: Server, path: str, **headers: str) -> int:
    """Status of an address, asked with the marks in every header."""
    given = {"Cookie": f"a={COOKIE}", "Referer": f"{server.url}/?b={QUERY}", "User-Agent": AGENT, **headers}
    request = urllib.request.Request(f"{server.url}{path}", headers=given)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


async def line_to(server: Server, kernel: str, cookie: str) -> WebSocketClientConnection:
    """The line of a page to its kernel."""
    address = f"{server.url.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id={uuid.uuid4().hex}"
    return await websocket_connect(HTTPRequest(address, headers={"Cookie": cookie}), subprotocols=[PROTOCOL])


def typed(model: str, text: str) -> bytes:
    """What a page says when a text was typed into a control."""
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "comm_msg", "username": "", "session": "s", "version": "5.3"}
    header["date"] = "2026-01-01T00:00:00.000Z"
    content = {"comm_id": model, "data": {"method": "update", "state": {"value": text}, "buffer_paths": []}}
    return bytes(serialize_msg_to_ws_v1([json.dumps(part).encode() for part in (header, {}, {}, content)], "shell"))


def metrics(server: Server) -> dict[str, float]:
    """Every number, by name and labels."""
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=30) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    return {",".join([one.name, *one.labels.values()]): one.value for family in families for one in family.samples}


async def play(server: Server, database: Path) -> list[str]:
    """The class and its mishaps; codes that nobody may find in the log."""
    page = await AsyncHTTPClient().fetch(f"{server.url}/?seance={QUERY}", request_timeout=120)
    body = page.body.decode()
    said = re.search(r"SAID (\S+) (\S+) ([0-9a-f]+)", body)
    kernel = re.search(r'"kernelId": *"([^"]+)"', body)
    assert said, body[-2_000:]
    assert kernel
    code, session, model = said.groups()
    cookie = "; ".join(one.split(";")[0] for one in page.headers.get_list("Set-Cookie"))
    before = metrics(server)
    assert before["ldv_answers_written_total,classe"] == 1
    assert before["ldv_places_taken"] == 1
    assert before["ldv_kernels_started_total"] in (1, 2)  # the second is prepared for the class
    for frame in (f"du texte : {ANSWER}", b"\1" + bytes(7) + ANSWER.encode()):
        bad = await line_to(server, kernel[1], cookie)
        await bad.write_message(frame, binary=isinstance(frame, bytes))
        bad.close()
    line = await line_to(server, kernel[1], cookie)
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await line.write_message(typed(model, ANSWER), binary=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, lambda: server.wait_for(lambda seen: bool(seen["store"]["fault"])))
    assert metrics(server)["ldv_store_ready"] == 0
    other.execute("ROLLBACK")
    other.close()
    await loop.run_in_executor(None, lambda: server.wait_for(lambda seen: not seen["store"]["fault"], 60))
    await until(lambda: metrics(server)["ldv_answers_written_total,lecon"] == 1, "the answer was not kept")
    after = metrics(server)
    assert (after["ldv_outages_total"], after["ldv_store_ready"]) == (1, 1)
    assert after["ldv_outage_seconds_total"] > 0
    assert after["ldv_websockets"] >= 1
    assert after["process_resident_memory_bytes"] > 2**20
    line.close()
    return [code, session, model, kernel[1]]


def test_a_class_leaves_nothing_of_itself_in_the_log(
    tmp_path: Path, on_sqlite: dict[str, str], notebooks: Path, key: str
) -> None:
    log = tmp_path / "log"
    server = start_server(log, notebooks=notebooks, env={**on_sqlite, "LDV_ACCESS_LOG": "1"})
    try:
        codes = in_own_loop(play(server, Path(on_sqlite["LDV_DATA"], FILE)))
        assert status(server, f"/l/{codes[1]}") == 404
        assert status(server, f"/{QUERY}?code={codes[0]}") == 404
        assert status(server, f"/voila/render/{QUERY}.ipynb") == 404
        assert status(server, "/sante", Host=f"{QUERY}.example") == 403
        assert status(server, f"/sante?{'x' * 100_001}{QUERY}") == 414
        assert status(server, "/metrics", **{"X-Forwarded-For": "127.0.0.1"}) == 404
        assert status(server, "/metrics", Host="cours.exemple.fr") == 404
    finally:
        server.stop()
    written = log.read_text(encoding="utf-8")
    lines = [line for line in written.splitlines() if not line.startswith(FOR_PEOPLE)]
    for at, line in enumerate(lines):
        assert LINE.fullmatch(line), " / ".join(lines[at : at + 30])  # a traceback: its last line says why
    for secret in (NICKNAME, ANSWER, QUERY, COOKIE, AGENT, key, *codes, "127.0.0.1:", "Cookie"):
        assert secret not in written.replace(server.url, ""), secret
    for event in ("NotebookHandler 200", "ShortLinkHandler 404", "MissingHandler 404", "RefusedHandler 403"):
        assert any(f" GET {event} " in line for line in lines), event  # each thing did happen, and was written
    assert any(" ldv.desk la base s’en va " in line for line in lines)
    assert any(" ldv.desk la base est de retour, après " in line for line in lines)
    failed = [line for line in lines if " ERREUR ligne_de_vue error in a callback " in line]
    assert failed, lines[-40:]  # in the kernel
    assert " ValueError" in failed[0]
