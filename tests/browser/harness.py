"""A server of ours and a reader's browser, for tests that wait on conditions and never sleep."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, Request

from tests.copies import Copies, Copy
from tests.ports import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
FIXTURES = Path(__file__).resolve().parent / "notebooks"
#: What a Chromium with windows does for itself and no test looks at. Its address bar alone made two pages for each
#: window: two thirds of the cost of a new one. The list replaces Playwright's: what we need of that is in it.
UNWANTED = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "Translate",
)
BROWSER_FLAGS = [
    "--no-sandbox",
    f"--disable-features={','.join(UNWANTED)}",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # Nothing may leave this machine; its visit records what a page asks elsewhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
#: Console errors that Voilà's own front end writes on a healthy page (none with our template; its warnings pass).
HARMLESS: tuple[str, ...] = ()
#: What is waited for comes at once on a quiet machine; this is for one that does ten other things.
PATIENCE = 180.0
START_SECONDS = 180.0
#: Makes what a kernel says reach the page late, in the order it was said: a test that does not wait for it then fails.
LATE = """(() => {
  const late = %s, listen = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', {...listen, set(heard) {
    this.heard = heard;
    this.waiting = this.waiting || [];
    listen.set.call(this, (event) => {
      this.waiting.push(event);
      setTimeout(() => this.heard.call(this, this.waiting.shift()), late * (0.5 + Math.random()));
    });
  }});
})();"""
#: How much a server does before anyone asks: kernels that wait, pictures drawn ahead, kernels for a class that opens.
UNASKED = ("LDV_POOL", "LDV_AHEAD", "LDV_PREPARED")
#: What its command line says of Python's fork server, and of the copies it makes.
FORK_SERVER = "multiprocessing.forkserver"


#: Servers that run now, and visits that are open: what a failed test reports.
RUNNING: list[Server] = []
OPEN: list[Visit] = []


@dataclass(eq=False)
class Server:
    """A server of ours, running."""

    process: subprocess.Popen[str] | Copy
    url: str
    log: Path | None = None

    @property
    def data(self) -> Path:
        """Its folder of data, unless it was given another."""
        assert self.log
        return self.log.parent / "data"

    def health(self) -> dict[str, Any]:
        """What `/sante` says."""
        with urllib.request.urlopen(f"{self.url}/sante", timeout=10) as answer:
            return dict(json.load(answer))

    def wait_for(self, check: Callable[[dict[str, Any]], bool], seconds: float = PATIENCE) -> dict[str, Any]:
        """Ask `/sante` until it says what is expected.

        Raises:
            AssertionError: when it never does.
        """
        end = time.monotonic() + seconds
        while not check(seen := self.health()):
            assert time.monotonic() < end, seen
            time.sleep(0.1)
        return seen

    def kernels(self) -> dict[int, psutil.Process]:
        """Processes of its kernels by process id: each leads a session of its own, and nothing else of a server does."""

        def is_one(process: psutil.Process) -> bool:
            try:
                return os.getsid(process.pid) == process.pid and process.status() != psutil.STATUS_ZOMBIE
            except (psutil.Error, OSError):
                return False

        children = psutil.Process(self.process.pid).children(recursive=True)
        return {process.pid: process for process in children if is_one(process)}

    def stop(self) -> int:
        """Ask it to stop as a terminal or a service manager does; its exit status."""
        if self in RUNNING:
            RUNNING.remove(self)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def still_running(processes: Sequence[psutil.Process]) -> list[psutil.Process]:
    """Those that do not end, however long one waits; one that has ended and that nobody has fetched yet has ended."""

    def runs(process: psutil.Process) -> bool:
        try:
            return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False

    end = time.monotonic() + PATIENCE
    while (left := [process for process in processes if runs(process)]) and time.monotonic() < end:
        time.sleep(0.1)
    return left


def measured() -> dict[str, str]:
    """What a server needs for the memory of its kernels to be read: an ordinary user sees none of a confined one's."""
    return {} if sys.platform == "win32" or os.geteuid() == 0 else {"LDV_CONFINE": "0"}


@cache
def copies() -> Copies:
    """What servers of this process of tests are copied from."""
    return Copies()


def start_server(
    log: Path,
    *arguments: str,
    notebooks: Path = FIXTURES,
    env: Mapping[str, str] | None = None,
    wrapper: Sequence[str] = (),
    alone: bool = False,
) -> Server:
    """Start a server on a free port and wait until it answers.

    Args:
        log: File for what it prints.
        arguments: More of its command line.
        notebooks: Directory that it serves.
        env: More of its environment; those of `UNASKED` are 0 unless given, and "" is the server's own value.
        wrapper: Program that becomes the server, with its arguments, before `python -m widgets.serving`.
        alone: Whether it is started as an operator starts it, for tests of its process; else it is a copy.
    """
    whole = {
        **os.environ,
        **dict.fromkeys(UNASKED, "0"),
        "LDV_DATA": str(log.parent / "data"),
        "PYTHONUNBUFFERED": "1",
        **(env or {}),
    }
    for _ in range(3):  # a port may be taken between the look and the start
        port = free_port()
        words = ["--port", str(port), "--notebooks", str(notebooks), *arguments]
        process: subprocess.Popen[str] | Copy
        with log.open("w", encoding="utf-8") as output:
            if alone or wrapper or sys.platform != "linux":
                command = [*wrapper, sys.executable, "-m", "widgets.serving", *words]
                process = subprocess.Popen(
                    command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, text=True, env=whole
                )
            else:
                process = copies().start(words, whole, output.fileno())
        server = Server(process, f"http://127.0.0.1:{port}", log)
        end = time.monotonic() + START_SECONDS
        while process.poll() is None and time.monotonic() < end:
            try:
                server.health()
                RUNNING.append(server)
                return server
            except OSError:
                time.sleep(0.05)
        if process.poll() is None:
            server.stop()
    raise AssertionError("le serveur ne démarre pas :\n" + log.read_text(encoding="utf-8")[-3000:])


#: Whether all of a scene one has gone on to is there: its name has the focus, and its text changes no more.
SCENE_SHOWN = """(() => {
  const text = document.querySelector(".ldv-stage-panel").innerText, now = performance.now();
  if (text !== window.ldvText) [window.ldvText, window.ldvSince] = [text, now];
  return document.activeElement.matches(".ldv-stage-eyebrow") && now - window.ldvSince > 200;
})()"""


#: Whether something is painted on a canvas: its ground is a picture below it.
PAINTED = """(c => {
  if (!c || !c.width) return false;
  const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
  for (let i = 3; i < data.length; i += 44) if (data[i]) return true;
  return false;
})"""


def kernel_of(page: Page) -> str:
    """Id of a page's kernel."""
    return str(page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"))


def until(page: Page, true: str, arg: Any = None, seconds: float = PATIENCE) -> Any:
    """Ask a page a question until its answer is true; that answer.

    Playwright's own `wait_for_function` asks in the page itself, with an `eval` that our Content-Security-Policy forbids
    from the second look on.

    Args:
        page: It may be changing for another meanwhile.
        true: JavaScript, an expression or a function.
        arg: Argument of the function.
        seconds: It is waited for.

    Raises:
        AssertionError: when it never is.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            seen = page.evaluate(true, arg)
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            seen = None
        if seen:
            return seen
        assert time.monotonic() < end, f"never true: {true}"
        page.wait_for_timeout(50)


def spot(page: Page, board: str, cell: str) -> tuple[float, float]:
    """Where the middle of a cell is in the window, once its board lies still: it is drawn anew when its place is known.

    Args:
        page: with the board.
        board: selector of its canvas.
        cell: name.
    """
    where = """([board, cell]) => {
      const canvas = document.querySelector(board), { left, top, width, height } = canvas.getBoundingClientRect();
      const drawn = canvas.ldv && canvas.ldv.board();
      const now = drawn && [left + (drawn.cells[cell][0] * width) / drawn.width, top + (drawn.cells[cell][1] * height) / drawn.height];
      if (String(now) !== window.ldvSpot) [window.ldvSpot, window.ldvSpotSince] = [String(now), performance.now()];
      return now && performance.now() - window.ldvSpotSince > 400 ? now : null;
    }"""
    x, y = until(page, where, [board, cell])
    return x, y


@dataclass(eq=False)
class Visit:
    """One reader's browser: its pages, and what went wrong in them."""

    context: BrowserContext
    home: str
    #: A tab that is open already: the first page of the visit.
    tab: Page | None = None
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    said: deque[str] = field(default_factory=lambda: deque(maxlen=60))

    def __post_init__(self) -> None:
        self._pages: list[Page] = []
        self.context.on("request", self.note_request)

    def note_request(self, request: Request) -> None:
        """Nothing may leave the server: a request to elsewhere is recorded. (To stop each request of each page, too,
        would be a seventh of what a page costs.)
        """
        if not request.url.startswith((self.home + "/", "data:", "blob:")):
            self.outside.append(request.url)

    def note_error(self, error: Error) -> None:
        """What a script of the page threw and nobody caught."""
        self.errors.append(str(error))

    def new_page(self) -> Page:
        """A page whose errors are recorded."""
        page = self.tab if self.tab and not self._pages else self.context.new_page()
        self._pages.append(page)
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", self.note_error)
        page.on("console", self.hear)
        return page

    def forget(self) -> None:
        """Note nothing more."""
        self.context.remove_listener("request", self.note_request)
        for page in self._pages:
            page.remove_listener("pageerror", self.note_error)
            page.remove_listener("console", self.hear)

    def hear(self, message: ConsoleMessage) -> None:
        """What a console says is kept, for the report of a test that fails; errors, for `check`."""
        self.said.append(f"{message.type}: {message.text}"[:400])
        if message.type == "error":
            self.errors.append(message.text)

    def check(self) -> None:
        """Fail on an outside request, or on a console error that was not announced in `expected`."""
        assert self.outside == [], "requests to other hosts"
        known = (*HARMLESS, *self.expected)
        unknown = [error for error in self.errors if not any(text in error for text in known)]
        assert not unknown, "console:\n" + "\n".join(unknown)
