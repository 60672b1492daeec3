"""A Firefox of the machine, driven in WebDriver BiDi: what a test needs of it and no more.

Playwright drives a Firefox of its own making; Debian's understands WebDriver BiDi without any driver beside it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from tornado.websocket import WebSocketClientConnection, websocket_connect

Answer = TypeVar("Answer")
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
START_SECONDS = 90.0
#: A page under test shares two cores with its server and its kernel.
SECONDS = 60.0
KEYS = {"Tab": "\ue004", "Enter": "\ue006", "Space": " "}


class Firefox:
    """One Firefox without a screen, with one page.

    Args:
        program: path of Firefox.
        folder: an empty one, for its profile and what it prints.
        width: of the page, in CSS pixels; height: likewise.
    """

    def __init__(self, program: str, folder: Path, width: int = 1280, height: int = 720) -> None:
        log = folder / "firefox.log"
        profile = folder / "profile"
        profile.mkdir()
        command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        with log.open("w", encoding="utf-8") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=self._home(folder)
            )
        # Playwright keeps a loop running in the thread of the tests: this one has a thread of its own.
        self._loop, self._number = asyncio.new_event_loop(), 0
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._line: WebSocketClientConnection | None = None
        self.errors: list[str] = []
        try:
            self._line = self._wait(self._connect(f"{self._address(log)}/session"))
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded"])
            # The first window, which was there before anyone asked for it, never gets the focus.
            self._page = str(self.ask("browsingContext.create", type="window")["context"])
            size = {"width": width, "height": height}
            self.ask("browsingContext.setViewport", context=self._page, viewport=size)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def _home(folder: Path) -> dict[str, str]:
        return {**os.environ, "HOME": str(folder), "MOZ_HEADLESS": "1"}

    def _address(self, log: Path) -> str:
        end = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < end:
            if line := LISTENING.search(log.read_text(encoding="utf-8", errors="replace")):
                return line[1]
            time.sleep(0.05)
        raise AssertionError("Firefox ne démarre pas :\n" + log.read_text(encoding="utf-8", errors="replace")[-2000:])

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Give a command and wait for its answer; errors of the console that come meanwhile are kept.

        Raises:
            AssertionError: it was refused.
        """
        self._number += 1
        self._wait(self._say(json.dumps({"id": self._number, "method": method, "params": params})))
        while True:
            coming = self._wait(self._next())
            if coming.get("method") == "log.entryAdded" and coming["params"]["level"] in ("error", "warn"):
                self.errors.append(str(coming["params"]["text"]))
            if coming.get("id") == self._number:
                assert coming["type"] == "success", coming
                return dict(coming["result"])

    def _wait(self, doing: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(doing, SECONDS), self._loop).result()

    async def _connect(self, url: str) -> WebSocketClientConnection:
        return await websocket_connect(url)

    async def _say(self, text: str) -> None:
        assert self._line is not None
        await self._line.write_message(text)

    async def _end(self) -> None:
        if self._line is not None:
            self._line.close()

    async def _next(self) -> dict[str, Any]:
        assert self._line is not None
        text = await self._line.read_message()
        assert text is not None, "Firefox s’est tu"
        return dict(json.loads(text))

    def open(self, url: str) -> None:
        """Go to an address, and wait until the widgets of its page are there."""
        self.ask("browsingContext.navigate", context=self._page, url=url, wait="interactive")
        self.until("document.documentElement.dataset.ready === 'true'")
        self.until("document.hasFocus()")  # keys press buttons in no other window

    def see(self, expression: str) -> Any:
        """The value of an expression in the page: a string, a number, a boolean, a list of these or nothing."""
        text = self.ask(
            "script.evaluate",
            expression=f"JSON.stringify(({expression}) ?? null)",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert text["type"] == "success", text
        return json.loads(text["result"]["value"])

    def until(self, expression: str) -> Any:
        """Look until an expression is true; its value.

        Raises:
            AssertionError: when it never is.
        """
        end = time.monotonic() + SECONDS
        while not (value := self.see(expression)):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)
        return value

    def click(self, element: str) -> None:
        """Press the mouse in the middle of an element, given by an expression; it must be in the window, uncovered."""
        at = self.until(
            f"(() => {{ const e = {element}; if (!e) return null; e.scrollIntoView({{block: 'nearest'}});"
            " const b = e.getBoundingClientRect(), x = Math.round(b.x + b.width / 2), y = Math.round(b.y + b.height / 2);"
            " const top = document.elementFromPoint(x, y); return e === top || e.contains(top) ? [x, y] : null; })()"
        )
        press = [{"type": "pointerMove", "x": at[0], "y": at[1]}]
        press += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": press})

    def press(self, key: str) -> None:
        """Press a key: a letter, or one of ``KEYS``."""
        value = KEYS.get(key, key)
        self._act(
            {"type": "key", "id": "keys", "actions": [{"type": way, "value": value} for way in ("keyDown", "keyUp")]}
        )

    def _act(self, source: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self._page, actions=[source])

    def picture(self, file: Path) -> None:
        """Keep what the window shows, as PNG: to look at."""
        file.write_bytes(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self._page)["data"]))

    def close(self) -> None:
        """End it."""
        self._wait(self._end())
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()
