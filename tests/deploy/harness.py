"""What the tests of several servers share: nginx as it is shipped, and readers who speak as a browser does, without one."""

from __future__ import annotations

import asyncio
import getpass
import importlib.util
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from string import Template
from types import ModuleType
from typing import Any

from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.harness import ROOT
from tests.ports import free_port
from tutor.core.phrases import NBSP

TEMPLATE = ROOT / "deploy" / "nginx" / "ligne-de-vue.conf.template"
CLASS = "/voila/render/classe.ipynb"
CONTROL, PROTOCOL = "jupyter.widget.control", "v1.kernel.websocket.jupyter.org"
#: Far above what any machine needs.
SECONDS = 120.0
#: Seconds for a whole test, on a machine that does ten other things.
PATIENCE = 550.0
#: Seconds between two looks of a page without its server, as `ldv.js` has them.
LOOK = 0.3
MAIN = """
daemon off; pid {place}/nginx.pid; error_log {place}/error.log warn; worker_processes 1; {user}
events {{ worker_connections 2048; }}
http {{
    client_body_temp_path {place}/body; proxy_temp_path {place}/proxy; fastcgi_temp_path {place}/fastcgi;
    uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi;
    include {place}/ligne-de-vue.conf;
}}
"""


def load_script() -> ModuleType:
    """scripts/nginx.py."""
    spec = importlib.util.spec_from_file_location("ldv_nginx", ROOT / "scripts" / "nginx.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    sys.modules.pop("system", None)  # the scripts' own module, which other tests load from elsewhere
    return module


def filled(**values: str) -> str:
    """The configuration that is shipped, with its names filled as `envsubst` does.

    Args:
        values: what to put for each `${LDV_…}`.
    """
    text = Template(TEMPLATE.read_text(encoding="utf-8")).safe_substitute(values)
    assert "${" not in text, re.findall(r"\$\{\w+\}", text)
    return text


class Nginx:
    """nginx as it is shipped, on free ports of this machine.

    Args:
        program: its path.
        place: an empty folder.
    """

    def __init__(self, program: str, place: Path) -> None:
        self.program, self.place = program, place
        self.plain, self.port = free_port(), free_port()
        self.url = f"https://localhost:{self.port}"
        certificate, key = place / "cert.pem", place / "key.pem"
        made = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
        names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        files = ("-keyout", str(key), "-out", str(certificate))
        openssl = shutil.which("openssl")
        assert openssl, "openssl manque : sudo apt-get install -y openssl"
        subprocess.run([openssl, "req", *made, *names, *files], check=True, capture_output=True)
        self.trust = ssl.create_default_context(cafile=str(certificate))
        self.command = [program, "-p", str(place), "-c", str(place / "nginx.conf"), "-e", str(place / "error.log")]
        self.process: subprocess.Popen[bytes] | None = None

    def lead_to(self, *servers: str) -> None:
        """Write the configuration.

        Args:
            servers: `host:port` of each server; they need not be there yet.
        """
        place = self.place
        configuration = filled(
            LDV_SERVEURS=" ".join(f"server {each} max_fails=2 fail_timeout=5s;" for each in servers),
            LDV_SERVEURS_SANS_COMPTE=" ".join(f"server {each} max_fails=0;" for each in servers),
            LDV_NOM="localhost",
            LDV_ADRESSE=self.url,
            LDV_ECOUTE_HTTP=f"127.0.0.1:{self.plain}",
            LDV_ECOUTE_TLS=f"127.0.0.1:{self.port}",
            LDV_CERTIFICAT=str(place / "cert.pem"),
            LDV_CLE=str(place / "key.pem"),
            LDV_JOURNAL=str(place / "access.log"),
        )
        (place / "ligne-de-vue.conf").write_text(configuration, encoding="utf-8")
        user = "" if os.geteuid() else f"user {getpass.getuser()};"
        (place / "nginx.conf").write_text(MAIN.format(place=place, user=user), encoding="utf-8")

    def checked(self) -> str:
        """What `nginx -t` says of the configuration."""
        done = subprocess.run([*self.command, "-t"], capture_output=True, text=True)
        return f"{done.returncode}\n{done.stderr}"

    def start(self) -> None:
        """Start, and wait until the ports answer."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + SECONDS
        while not (self.place / "nginx.pid").exists():
            assert self.process.poll() is None, self.checked()
            assert time.monotonic() < end
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop at once."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)

    async def get(self, path: str, cookies: Mapping[str, str] | None = None, **options: Any) -> HTTPResponse:
        """Ask for an address, whatever comes of it.

        Args:
            path: from the root of the site.
            cookies: by name.
            options: of the request.
        """
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())}
        request = HTTPRequest(
            self.url + path,
            headers=headers,
            ssl_options=self.trust,
            connect_timeout=SECONDS,
            request_timeout=SECONDS,
            **options,
        )
        return await AsyncHTTPClient().fetch(request, raise_error=False)


def taken(cookies: dict[str, str], answer: HTTPResponse) -> dict[str, str]:
    """Cookies as an answer leaves them."""
    for line in answer.headers.get_list("Set-Cookie"):
        name, _, value = line.split(";")[0].partition("=")
        cookies[name] = value
    return cookies


class Page:
    """A page open in a browser: its kernel's widgets as they stand.

    Args:
        nginx: what is before the servers.
        path: address of the page.
        cookies: of the browser, changed in place.
    """

    def __init__(self, nginx: Nginx, path: str, cookies: dict[str, str]) -> None:
        self.nginx, self.path, self.cookies = nginx, path, cookies
        self.models: dict[str, dict[str, Any]] = {}
        self.code: int | None = None
        self.changed = asyncio.Event()
        self.kernel = ""
        self.line: WebSocketClientConnection | None = None

    async def open(self) -> None:
        """Ask for the page, join its kernel, and hear of every widget."""
        answer = await self.nginx.get(self.path, self.cookies)
        assert answer.code == 200, (answer.code, answer.body[-300:] if answer.body else answer.error)
        taken(self.cookies, answer)
        named = re.search(rb'"kernelId": *"([^"]+)"', answer.body)
        assert named, "la page ne nomme pas son noyau"
        self.kernel = named[1].decode()
        address = (
            f"{self.nginx.url.replace('http', 'ws')}/api/kernels/{self.kernel}/channels?session_id={uuid.uuid4().hex}"
        )
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        request = HTTPRequest(
            address, headers=headers, ssl_options=self.nginx.trust, connect_timeout=SECONDS, request_timeout=SECONDS
        )
        self.line = await websocket_connect(request, subprotocols=[PROTOCOL], on_message_callback=self._hear)
        pause = LOOK
        while not self.made and self.code is None:  # what is said before the kernel listens is lost, as from a browser
            comm = uuid.uuid4().hex
            self._say("comm_open", comm_id=comm, target_name=CONTROL, data={})
            self._say("comm_msg", comm_id=comm, data={"method": "request_states"})
            until, pause = time.monotonic() + pause, min(2.0, 2 * pause)
            while not self.made and self.code is None and time.monotonic() < until:
                await self.wait(until - time.monotonic())

    @property
    def made(self) -> bool:
        """Whether the page of the class is there."""
        return any("attending" in state for state in self.models.values())

    async def wait(self, seconds: float) -> None:
        """Wait until something changed, or so long."""
        self.changed.clear()
        try:
            await asyncio.wait_for(self.changed.wait(), seconds)
        except TimeoutError:
            return

    def _say(self, kind: str, **content: Any) -> None:
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "username": "", "session": "classe", "version": "5.3"}
        parts = [json.dumps(part).encode() for part in (header, {}, {"version": "1.0.0"}, content)]
        if self.line is not None and self.code is None:
            self.line.write_message(bytes(serialize_msg_to_ws_v1(parts, "shell")), True)

    def _hear(self, received: str | bytes | None) -> None:
        self.changed.set()
        if received is None:
            self.code = (self.line.close_code if self.line else None) or 1006
            return
        _, parts = deserialize_msg_from_ws_v1(received)
        kind, content = json.loads(parts[0])["msg_type"], json.loads(parts[3])
        data = content.get("data", {})
        if kind == "comm_open" and "state" in data:
            self.models[content["comm_id"]] = data["state"]
        elif kind == "comm_msg" and data.get("method") in ("update", "echo_update"):
            self.models.setdefault(content["comm_id"], {}).update(data["state"])
        elif kind == "comm_msg" and data.get("method") == "update_states":
            self.models.update({name: one["state"] for name, one in data["states"].items()})

    def set(self, known: str, **state: Any) -> None:
        """Change traits of the widget that has a certain one.

        Args:
            known: the trait by which it is known.
            state: traits and values.
        """
        comm = next(name for name, one in self.models.items() if known in one)
        self._say("comm_msg", comm_id=comm, data={"method": "update", "state": state, "buffer_paths": []})

    def press(self, label: str) -> bool:
        """Press the newest button of that name; whether there is one."""
        names = [name for name, one in self.models.items() if one.get("description") == label and "button_style" in one]
        if names:
            self._say("comm_msg", comm_id=names[-1], data={"method": "custom", "content": {"event": "click"}})
        return bool(names)

    def shows(self, text: str) -> bool:
        """Whether some text on the page contains this."""
        return any(text in str(one.get("value", "")) for one in self.models.values())

    def close(self) -> None:
        """Leave, as a browser that is closed."""
        if self.line is not None:
            self.line.close()


class Learner:
    """A learner's browser: stays in the class whatever becomes of the servers, as the page's own script does.

    Args:
        nginx: what is before the servers.
        code: of the session.
        number: of the learner.
    """

    def __init__(self, nginx: Nginx, code: str, number: int) -> None:
        self.nginx, self.nickname = nginx, f"Élève {number:02}"
        self.attending = json.dumps({"code": code, "token": uuid.uuid4().hex, "nickname": self.nickname})
        self.cookies: dict[str, str] = {}
        self.page = Page(nginx, CLASS, self.cookies)
        self.acknowledged: dict[str, str] = {}
        self.returns: list[int] = []
        self.back = 0.0

    @property
    def inside(self) -> bool:
        """Whether the page shows the class."""
        return any("enseignant" in str((one.get("bar") or {}).get("text", "")) for one in self.page.models.values())

    async def come(self) -> None:
        """Open the page of the class, and be in it."""
        while True:
            self.page = Page(self.nginx, CLASS, self.cookies)
            await self.page.open()
            if self.page.code is None:
                self.page.set("attending", attending=self.attending, ready=True)
            while self.page.code is None and not self.inside:
                await self.page.wait(1.0)
            if self.page.code is None:
                self.back = time.monotonic()
                return
            await self.away()

    async def away(self) -> None:
        """The line was cut: wait until some server takes readers, as `ldv.js` does."""
        assert self.page.code is not None
        self.returns.append(self.page.code)
        if self.page.code != 1012:
            await asyncio.sleep(LOOK)
            known = await self.nginx.get(f"/api/kernels/{self.page.kernel}", self.cookies)
            assert known.code == 404, known.code
        while (await self.nginx.get("/sante/pret")).code != 200:
            await asyncio.sleep(LOOK)

    async def stay(self, question: str, answer: str) -> None:
        """Answer a question until the page says that the answer is noted, coming back as often as needed."""
        while not self.page.shows(f"Réponse notée{NBSP}: <strong>{answer}"):
            pressed = self.page.shows(question) and not self.page.shows("Un instant") and self.page.press(answer)
            await self.page.wait(5.0 if pressed else 1.0)
            if self.page.code is not None:
                await self.away()
                await self.come()
        self.acknowledged[question] = answer


async def until(true: Callable[[], Any], why: str = "") -> None:
    """Wait for something to become true, as long as it takes."""
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, why or "never came"
        await asyncio.sleep(0.1)


async def until_ready(nginx: Nginx) -> None:
    """Wait until a server behind nginx takes readers."""
    end = time.monotonic() + SECONDS
    while (await nginx.get("/sante/pret")).code != 200:
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
