"""A reader without a browser: asks for a page, waits for his turn, speaks to his kernel as the page's widgets do."""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections.abc import Callable
from html import unescape
from typing import Any

from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.harness import Server

CONTROL, PROTOCOL = "jupyter.widget.control", "v1.kernel.websocket.jupyter.org"
#: Far above what any machine needs: a reader who waits so long has no page.
SECONDS = 240
#: Seconds after which a page whose question was lost asks again: its kernel did not listen yet.
AGAIN = 2.0
#: Seconds before it asks again what was not there yet.
SHORTLY = 0.1
States = dict[str, dict[str, Any]]


def message(kind: str, content: dict[str, Any]) -> tuple[str, bytes]:
    """A message of a page to its kernel, with its id."""
    mark = uuid.uuid4().hex
    header = {"msg_id": mark, "msg_type": kind, "username": "", "session": "classe", "version": "5.3"}
    parts = [json.dumps(part).encode() for part in (header, {}, {"version": "1.0.0"}, content)]
    return mark, bytes(serialize_msg_to_ws_v1(parts, "shell"))


def has(model: str, **values: Any) -> Callable[[States], bool]:
    """Whether a page has a widget of this kind, with these values."""
    return lambda states: any(
        state["model_name"] == model and all(state.get(name) == value for name, value in values.items())
        for state in states.values()
    )


class Reader:
    """One reader.

    Args:
        server: where he reads; path: what.
    """

    def __init__(self, server: Server, path: str) -> None:
        self.server, self.path = server, path
        self.states: States = {}
        self.kernel = ""
        #: Rank in the line that he was shown first; 0 when he had not to wait on a page.
        self.rank = 0
        self._idle: dict[str, asyncio.Future[None]] = {}
        self._news: list[tuple[Callable[[States], bool], asyncio.Future[float]]] = []

    # -- coming ---------------------------------------------------------------------------------------------------

    async def arrive(self, ready: Callable[[States], bool]) -> float:
        """Open the page.

        Args:
            ready: whether the widgets that are there make it usable.

        Returns:
            Seconds until it was.
        """
        began = time.monotonic()
        page, cookies = await self._page(self.path)
        while ticket := re.search(rb'data-ticket="([^"]+)" data-address="([^"]+)"', page):
            if not self.rank:
                rank = re.search(rb"data-ldv-rank>[^0-9]*(\d+)", page)
                assert rank, "la page d’attente ne dit pas la place dans la file"
                self.rank = int(rank[1])
            await self._wait(ticket[1].decode())
            page, cookies = await self._page(unescape(ticket[2].decode()))
        named = re.search(rb'"kernelId": *"([^"]+)"', page)
        assert named, "la page ne nomme pas son noyau"
        self.kernel = named[1].decode()
        address = f"{self.server.url.replace('http', 'ws')}/api/kernels/{self.kernel}/channels?session_id=classe"
        self.line: WebSocketClientConnection = await websocket_connect(
            HTTPRequest(address, headers={"Cookie": cookies}, request_timeout=SECONDS),
            subprotocols=[PROTOCOL],
            on_message_callback=self._heard,
        )
        while not ready(self.states):  # what is said before the kernel listens is lost, as from a browser
            assert time.monotonic() < began + SECONDS, f"pas de page après {SECONDS} s"
            comm = uuid.uuid4().hex
            await self._say("comm_open", {"comm_id": comm, "target_name": CONTROL, "data": {}})
            asked = await self._say("comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})
            await asyncio.wait([asked], timeout=AGAIN if not self.states else SECONDS)
            if asked.done() and not ready(self.states):
                await asyncio.sleep(SHORTLY)
        return time.monotonic() - began

    async def _page(self, path: str) -> tuple[bytes, str]:
        asked = HTTPRequest(self.server.url + path, headers={"Accept": "text/html"}, request_timeout=SECONDS)
        page = await AsyncHTTPClient().fetch(asked)
        return page.body, "; ".join(cookie.split(";")[0] for cookie in page.headers.get_list("Set-Cookie"))

    async def _wait(self, ticket: str) -> None:
        while True:
            asked = HTTPRequest(f"{self.server.url}/attente/{ticket}", request_timeout=SECONDS)
            if json.loads((await AsyncHTTPClient().fetch(asked)).body)["called"]:
                return

    def leave(self) -> None:
        """Close the page."""
        self.line.close()

    # -- speaking -------------------------------------------------------------------------------------------------

    async def _say(self, kind: str, content: dict[str, Any]) -> asyncio.Future[None]:
        """Say something; done once the kernel has dealt with it."""
        mark, frame = message(kind, content)
        self._idle[mark] = asyncio.get_running_loop().create_future()
        await self.line.write_message(frame, True)
        return self._idle[mark]

    async def click(self, widget: str) -> float:
        """Press a button; seconds until the kernel has said all that comes of it."""
        began = time.monotonic()
        data = {"method": "custom", "content": {"event": "click"}}
        await asyncio.wait_for(await self._say("comm_msg", {"comm_id": widget, "data": data}), SECONDS)
        return time.monotonic() - began

    async def write(self, widget: str, **values: Any) -> None:
        """Change what a widget holds."""
        data = {"method": "update", "state": values, "buffer_paths": []}
        self.states[widget].update(values)
        await asyncio.wait_for(await self._say("comm_msg", {"comm_id": widget, "data": data}), SECONDS)

    def widget(self, model: str, **values: Any) -> str:
        """Id of the first widget of this kind with these values."""
        made = [one for one, state in self.states.items() if has(model, **values)({one: state})]
        assert made, f"la page n’a pas de {model} {values}"
        return made[0]

    async def until(self, true: Callable[[States], bool]) -> float:
        """When, on the clock, the page was such."""
        if true(self.states):
            return time.monotonic()
        seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._news.append((true, seen))
        return await asyncio.wait_for(seen, SECONDS)

    async def look(self) -> None:
        """Ask for every widget of the page again: those that were made since are there too."""
        comm = uuid.uuid4().hex
        await self._say("comm_open", {"comm_id": comm, "target_name": CONTROL, "data": {}})
        asked = await self._say("comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})
        await asyncio.wait_for(asked, SECONDS)

    def _heard(self, received: str | bytes | None) -> None:
        if received is None:
            return
        _, parts = deserialize_msg_from_ws_v1(received)
        kind = json.loads(parts[0])["msg_type"]
        content = json.loads(parts[3])
        if kind == "status" and content["execution_state"] == "idle":
            done = self._idle.pop(json.loads(parts[1]).get("msg_id", ""), None)
            if done is not None and not done.done():
                done.set_result(None)
        elif kind == "comm_open":
            self.states[content["comm_id"]] = {"model_name": "", **content["data"].get("state", {})}
            self.states[content["comm_id"]]["model_name"] = content["data"].get("state", {}).get("_model_name", "")
        elif kind == "comm_msg":
            self._take(content["comm_id"], content.get("data", {}))
        for true, seen in list(self._news):
            if not seen.done() and true(self.states):
                seen.set_result(time.monotonic())
                self._news.remove((true, seen))

    def _take(self, comm: str, data: dict[str, Any]) -> None:
        if data.get("method") == "update_states":
            for one, said in data["states"].items():
                self.states[one] = {**said["state"], "model_name": said["model_name"]}
        elif data.get("method") == "update" and comm in self.states:
            self.states[comm].update(data["state"])
