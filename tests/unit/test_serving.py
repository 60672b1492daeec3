"""How serving is set up: options, who may ask, order of the lessons, the pool, files. No server is started."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Coroutine
from multiprocessing import reduction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import HTTPError

from tests.own_loop import in_own_loop
from tests.unit.test_logs import LINE
from widgets.serving import forked, kernels, preload
from widgets.serving import options as opts
from widgets.serving.access import Access
from widgets.serving.catalogue import Catalogue
from widgets.serving.handlers import LONGEST_VALUE, shorten
from widgets.serving.headers import cookie_options, page_policy
from widgets.serving.pool import PoolKeeper, wanted
from widgets.serving.statics import ENTRY, Sheaves, Store


def write_notebook(root: Path, path: str, **metadata: Any) -> None:
    """A notebook with nothing but metadata."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        json.dumps({"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8"
    )


@pytest.fixture
def course(tmp_path: Path) -> Catalogue:
    """A home page, an "about" page and three lessons."""
    write_notebook(tmp_path, "accueil.ipynb", title="Accueil")
    write_notebook(tmp_path, "a-propos.ipynb", title="À propos")
    write_notebook(tmp_path, "jeu/02-vue.ipynb", title="La vue", ldv={"course": "Le jeu", "minutes": 10})
    write_notebook(tmp_path, "jeu/01-pions.ipynb", title="Les pions", ldv={"course": "Le jeu"})
    write_notebook(tmp_path, "jeu/10-tir-groupe.ipynb")
    write_notebook(tmp_path, "jeu/.ipynb_checkpoints/01-pions-checkpoint.ipynb")
    return Catalogue(tmp_path)


T = TypeVar("T")


# -- Kernels -----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are copied on Linux only")
def test_what_is_copied_has_one_thread_and_nothing_of_the_server() -> None:
    program = (
        "import gc, os, sys\n"
        "from widgets.serving import preload\n"
        "preload.LIBRARIES += ('a_module_that_cannot_be_imported',)\n"
        "import widgets.serving.preloaded\n"
        "print(len(os.listdir('/proc/self/task')), gc.isenabled(), 'widgets.player.lesson' in sys.modules)\n"
        "print([name for name in ('voila', 'jupyter_server', 'sqlalchemy', 'fsrs', 'psycopg') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == ["1 True True", "[]"]


def test_the_server_builds_no_grammar_of_addresses_and_knows_no_rules() -> None:
    program = (
        "import socket, sys\n"
        "from widgets.serving.__main__ import main\n"
        "taken = socket.create_server(('127.0.0.1', 0))\n"
        "status = main(['--port', str(taken.getsockname()[1])])\n"
        "print(status, [name in sys.modules for name in ('voila', 'jsonschema', 'lark', 'tutor.core.registry')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines()[-1:] == ["1 [True, True, False, False]"], done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are copied on Linux only")
@pytest.mark.parametrize("taken_back", [False, True], ids=["failed", "folder-taken-back"])
def test_a_kernel_that_cannot_begin_says_so_in_one_line_unless_nobody_waits_for_it(
    tmp_path: Path, taken_back: bool
) -> None:
    folder = tmp_path / "cell"
    if not taken_back:
        folder.mkdir()
    program = (
        "import sys\n"
        "from widgets.serving import cell, preload\n"
        "preload.be_kernel(['kernel'], {}, sys.argv[1] + '/missing', cell.Cell('k', sys.argv[2]))\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    said = done.stderr.splitlines()
    assert len(said) == (0 if taken_back else 1), said
    for line in said:
        assert LINE.fullmatch(line), line
        assert "ERREUR ldv.kernel un noyau n’a pas pu commencer" in line
        assert "FileNotFoundError" in line


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are copied on Linux only")
def test_a_copy_that_the_system_refuses_is_told_and_ends_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    monkeypatch.setattr(reduction, "recvfds", reduction.recvfds)
    preload.outlive_refusals()
    server, client = socket.socketpair()
    status, writing = os.pipe()
    with server, client, open(status, "rb") as answer:
        reduction.sendfds(client, [writing])
        os.close(writing)
        reduction.recvfds(server, 8)
        with pytest.raises(ConnectionAbortedError):  # the one error that Python's fork server goes on after
            os.fork()
        assert answer.read() == b""
        client.close()
        with pytest.raises(ConnectionAbortedError):
            reduction.recvfds(server, 8)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kernels are copied on Linux only")
def test_ctrl_c_never_reaches_what_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    from multiprocessing import forkserver, resource_tracker  # not on every system

    seen: list[bool] = []
    monkeypatch.setattr(
        forkserver, "ensure_running", lambda: seen.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
    )
    monkeypatch.setattr(resource_tracker, "ensure_running", lambda: None)
    monkeypatch.setattr(atexit, "register", lambda _: None)
    forked.warm()
    assert seen == [True]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_kernel_that_cannot_be_copied_starts_as_jupyter_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def Process(self, **_: Any) -> Any:
            return self

        def start(self) -> None:
            raise OSError("AF_UNIX path too long")

    started: list[list[str]] = []

    async def launch(_: Any, cmd: list[str], **kwargs: Any) -> dict[str, Any]:
        started.append(cmd)
        return {}

    monkeypatch.setattr(forked, "_copies", Refusing)
    monkeypatch.setattr(forked.LocalProvisioner, "launch_kernel", launch)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "kernel.json"]
    kernel = forked.ForkedKernel(kernel_id="k", kernel_spec=None)
    assert in_own_loop(kernel.launch_kernel(command, env={"A": "b"}, cwd="/")) == {}
    assert started == [command]
    assert not kernel.has_process


def test_a_kernel_that_ends_while_it_builds_its_page_is_waited_for_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader who leaves at once: whoever comes next waited half a minute for an answer that could not come."""
    monkeypatch.setattr(kernels, "LONGEST_BUILD", 1e6)

    async def leave() -> bool:
        manager = kernels.ReaderKernelManager()
        kernel_id = await manager.start_kernel(kernel_name="python3")
        await manager.settled(kernel_id)  # it answers
        os.kill(dict(manager.processes())[kernel_id], signal.SIGSTOP)
        waited = asyncio.ensure_future(manager.settled(kernel_id))
        await asyncio.sleep(4 * kernels.BUILDS)
        before = waited.done()
        await manager.end_reader(kernel_id)
        await waited
        return before

    assert in_own_loop(leave()) is False


# -- Options -----------------------------------------------------------------------------------------------------------


def test_by_default_only_this_machine(tmp_path: Path) -> None:
    options = opts.read(["--notebooks", str(tmp_path)], {})
    assert (options.host, options.port, options.address) == ("127.0.0.1", 8866, "http://127.0.0.1:8866/")
    assert (options.hosts, options.origin, options.pool) == (frozenset(), "", 4)


def test_the_local_network_is_told_by_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opts, "lan_address", lambda: "192.168.1.7")
    options = opts.read(["--notebooks", str(tmp_path), "--host", "0.0.0.0", "--port", "9000"], {})
    assert options.address == "http://192.168.1.7:9000/"
    assert options.hosts == {"192.168.1.7"}


def test_a_public_address_replaces_the_local_one(tmp_path: Path) -> None:
    options = opts.read(["--notebooks", str(tmp_path), "--host", "0.0.0.0", "--public-url", "https://Cours.fr/"], {})
    assert (options.address, options.origin, options.hosts) == ("https://cours.fr/", "https://cours.fr", {"cours.fr"})


def test_the_public_address_may_come_from_the_environment(tmp_path: Path) -> None:
    env = {"LDV_PUBLIC_URL": "https://cours.fr"}
    assert opts.read(["--notebooks", str(tmp_path)], env).address == "https://cours.fr/"
    assert (
        opts.read(["--notebooks", str(tmp_path), "--public-url", "https://autre.fr"], env).address
        == "https://autre.fr/"
    )


@pytest.mark.parametrize(
    ("arguments", "env"),
    [
        (["--port", "abc"], {}),
        (["--port", "0"], {}),
        (["--port", "70000"], {}),
        (["--public-url", "cours.fr"], {}),
        (["--public-url", "http://cours.fr/sous/dossier"], {}),
        (["--public-url", "http://cours.fr:abc"], {}),
        (["--notebooks", "/nulle/part"], {}),
        ([], {"LDV_POOL": "quatre"}),
        ([], {"LDV_POOL": "-1"}),
        ([], {"LDV_POOL": "accueil:3"}),
        ([], {"LDV_IDLE": "0"}),
        ([], {"LDV_MAX_KERNELS": "0"}),
    ],
)
def test_a_bad_option_is_one_french_line(tmp_path: Path, arguments: list[str], env: dict[str, str]) -> None:
    given = arguments if "--notebooks" in arguments else [*arguments, "--notebooks", str(tmp_path)]
    with pytest.raises(opts.BadOption) as caught:
        opts.read(given, env)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).endswith(".")


def test_jupyter_directories_are_ours_unless_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opts, "user_state", lambda: tmp_path)
    env = {"IPYTHONDIR": "/ailleurs", "PYTHONDONTWRITEBYTECODE": "1"}
    opts.prepare_environment(env, "127.0.0.1")
    assert "PYTHONDONTWRITEBYTECODE" not in env
    assert env["IPYTHONDIR"] == "/ailleurs"
    assert env["JUPYTER_CONFIG_DIR"] == str(tmp_path / "config")
    assert env["JUPYTER_PATH"].startswith(str(opts.JUPYTER_DATA))
    assert "VOILA_APP_IP" not in env


# -- Who may ask -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "origin", "peer", "allowed"),
    [
        ("127.0.0.1:8866", None, "127.0.0.1", True),
        ("localhost:8866", "http://localhost:8866", "127.0.0.1", True),
        ("[::1]:8866", None, "::1", True),
        ("192.168.1.7:8866", "http://192.168.1.7:8866", "192.168.1.9", True),
        ("cours.fr", "https://cours.fr", "127.0.0.1", True),
        ("127.0.0.1:8866", "https://cours.fr", "127.0.0.1", True),
        ("localhost:8866", None, "192.168.1.9", False),
        ("evil.example:8866", None, "127.0.0.1", False),
        ("192.168.1.8:8866", None, "192.168.1.9", False),
        ("localhost:8866", "http://localhost:3000", "127.0.0.1", False),
        ("localhost:8866", "http://evil.example", "127.0.0.1", False),
        ("localhost:8866", "null", "127.0.0.1", False),
        ("localhost:8866", "http://[", "127.0.0.1", False),
        ("", None, "127.0.0.1", False),
    ],
)
def test_who_may_ask(host: str, origin: str | None, peer: str, allowed: bool) -> None:
    access = Access(frozenset({"192.168.1.7", "cours.fr"}), "https://cours.fr")
    assert access.allows(host, origin, peer) is allowed


def test_the_page_policy_names_no_other_host() -> None:
    policy = page_policy("localhost:8866")
    assert "default-src 'self'" in policy
    assert "http:" not in policy
    assert "*" not in policy


def test_a_site_that_is_named_may_show_the_page_within_its_own() -> None:
    sites = opts.read_frames("https://ecole.exemple.fr, https://club.exemple.fr:8443/", "https://cours.exemple.fr")
    assert page_policy("cours.exemple.fr", True, sites).endswith(
        "frame-ancestors 'self' https://ecole.exemple.fr https://club.exemple.fr:8443"
    )
    assert cookie_options(True, framed=True)["samesite"] == "None"
    assert cookie_options(True)["samesite"] == "Lax"
    assert opts.read_frames("", "") == ()


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://ecole.exemple.fr", "http://cours.exemple.fr"),
        ("http://ecole.exemple.fr", "https://cours.exemple.fr"),
        ("ecole.exemple.fr", "https://cours.exemple.fr"),
        ("https://*", "https://cours.exemple.fr"),
        ("https://a.fr/x", "https://cours.exemple.fr"),
        ("https://a.fr;script-src", "https://cours.exemple.fr"),
    ],
)
def test_frames_that_no_browser_would_show_are_refused(text: str, origin: str) -> None:
    with pytest.raises(opts.BadOption):
        opts.read_frames(text, origin)


def request(uri: str) -> HTTPServerRequest:
    """A GET request of this address."""
    return HTTPServerRequest(start_line=RequestStartLine("GET", uri, "HTTP/1.1"), headers=HTTPHeaders(Host="localhost"))


def test_long_queries_are_cut_and_short_ones_left() -> None:
    short = request("/x?position=" + "a" * 2_000)
    before = short.uri
    shorten(short)
    assert short.uri == before
    long = request("/x?exemple=e1&position=" + "a" * 60_000)
    shorten(long)
    assert long.query == "exemple=e1&position=" + "a" * LONGEST_VALUE
    assert long.arguments["exemple"] == [b"e1"]


# -- The notebooks -----------------------------------------------------------------------------------------------------


def test_lessons_are_numbered_in_order(course: Catalogue) -> None:
    seen = [(page.number, page.path, page.title, page.course) for page in course.lessons]
    assert seen == [
        (1, "jeu/01-pions.ipynb", "Les pions", "Le jeu"),
        (2, "jeu/02-vue.ipynb", "La vue", "Le jeu"),
        (3, "jeu/10-tir-groupe.ipynb", "Tir groupe", "Jeu"),
    ]


def test_navigation_knows_before_and_after(course: Catalogue) -> None:
    middle = course.navigation("jeu/02-vue.ipynb")
    assert (middle["previous"]["title"], middle["next"]["title"], middle["of"]) == ("Les pions", "Tir groupe", 3)
    assert course.navigation("jeu/01-pions.ipynb")["previous"] is None
    assert course.navigation("jeu/10-tir-groupe.ipynb")["next"] is None
    home = course.navigation("accueil.ipynb")
    assert (home["home"], home["of"], home["game"], home["about"]) == (True, 0, "jeu", True)


def test_an_unreadable_notebook_is_still_listed(tmp_path: Path) -> None:
    (tmp_path / "jeu").mkdir()
    (tmp_path / "jeu" / "01-abime.ipynb").write_text("{", encoding="utf-8")
    assert [page.title for page in Catalogue(tmp_path).lessons] == ["Abime"]


# -- The pool ----------------------------------------------------------------------------------------------------------


def test_the_pool_starts_with_the_home_page_and_the_first_lessons(course: Catalogue) -> None:
    assert wanted(course, [], 3) == ["accueil.ipynb", "jeu/01-pions.ipynb", "jeu/02-vue.ipynb"]
    assert wanted(course, [], 0) == []


def test_the_pool_follows_a_reader(course: Catalogue) -> None:
    assert wanted(course, ["jeu/02-vue.ipynb"], 3) == ["accueil.ipynb", "jeu/10-tir-groupe.ipynb", "jeu/02-vue.ipynb"]
    assert wanted(course, ["accueil.ipynb"], 2) == ["accueil.ipynb", "jeu/01-pions.ipynb"]


class FakeManager:
    """Stands for Voilà's kernel manager: pools of tasks that are done at once."""

    def __init__(self) -> None:
        self._pools: dict[str, list[Any]] = {}
        self.kernel_pools_config: dict[str, Any] = {}
        self.ended: list[str] = []
        self.started = 0
        self.log = SimpleNamespace(debug=lambda *_, **__: None)

    def __contains__(self, kernel_id: str) -> bool:
        return kernel_id not in self.ended

    def fill_if_needed(self, delay: float, notebook_name: str) -> None:
        pool = self._pools.setdefault(notebook_name, [])
        for _ in range(self.kernel_pools_config[notebook_name]["pool_size"] - len(pool)):
            self.started += 1
            pool.append(asyncio.ensure_future(self.start(self.started)))

    def put(self, path: str, *starts: Coroutine[Any, Any, dict[str, str]]) -> None:
        """Have these kernels start for a notebook."""
        self._pools[path] = [asyncio.ensure_future(start) for start in starts]

    def serve(self, path: str) -> None:
        """Take the first kernel of a notebook, as Voilà does when it serves it."""
        self._pools[path].pop(0)

    def ready(self) -> dict[str, int]:
        """How many kernels each notebook has, those without any left out."""
        return {path: len(pool) for path, pool in self._pools.items() if pool}

    async def start(self, number: int) -> dict[str, str]:
        return {"kernel_id": f"k{number}"}

    async def shutdown_kernel(self, kernel_id: str, now: bool) -> None:
        self.ended.append(kernel_id)


def test_the_pool_moves_without_growing(course: Catalogue) -> None:
    async def play() -> None:
        manager = FakeManager()
        keeper = PoolKeeper(manager, course, 2, {})
        keeper.start()
        await asyncio.sleep(0)
        assert keeper.ready("jeu/01-pions.ipynb") == "k2"
        assert keeper.ready("jeu/02-vue.ipynb") == ""
        manager.serve("jeu/01-pions.ipynb")
        keeper.opened("jeu/01-pions.ipynb")
        for _ in range(5):
            await asyncio.sleep(0)
        assert manager.ready() == {"accueil.ipynb": 1, "jeu/02-vue.ipynb": 1}
        keeper.opened("jeu/10-tir-groupe.ipynb")
        for _ in range(5):
            await asyncio.sleep(0)
        assert manager.ended == ["k3"]
        assert sum(manager.ready().values()) == 2

    in_own_loop(play())


def test_a_class_keeps_the_kernels_reserved_for_it(course: Catalogue) -> None:
    async def play() -> None:
        manager = FakeManager()
        total, reserved = opts.parse_pool("jeu/02-vue.ipynb:5, absent.ipynb:9")
        keeper = PoolKeeper(manager, course, total, reserved)
        keeper.start()
        keeper.opened("accueil.ipynb")
        await asyncio.sleep(0)
        assert manager.ready() == {"jeu/02-vue.ipynb": 5}

    in_own_loop(play())


def test_a_kernel_that_failed_or_died_is_not_given(course: Catalogue) -> None:
    async def fail() -> dict[str, str]:
        raise RuntimeError

    async def play() -> None:
        manager = FakeManager()
        keeper = PoolKeeper(manager, course, 1, {})
        manager.ended = ["k1"]
        manager.put("accueil.ipynb", fail(), manager.start(1))
        await asyncio.sleep(0)
        assert keeper.ready("accueil.ipynb") == ""
        assert manager.ready() == {}

    in_own_loop(play())


# -- Files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "a/../../secret.txt", "/etc/passwd", "..\\secret.txt", "a", "absent.js", "x\0", "a/" * 3_000],
)
def test_nothing_outside_is_served(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "files" / "a").mkdir(parents=True)
    with pytest.raises(HTTPError) as caught:
        Store([tmp_path / "files"]).locate(path)
    assert caught.value.status_code == 404


def test_the_entry_of_the_scripts_brings_its_pieces(tmp_path: Path) -> None:
    scripts, extensions = tmp_path / "voila", tmp_path / "extensions"
    for file, text in (
        (scripts / "voila.js", "entry"),
        (scripts / "1.js", "one"),
        (extensions / "ext" / "2.js", "two"),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    store = Sheaves([scripts], {ENTRY: ["1.js", "gone.js", "ext/2.js", "ext/gone.js", ENTRY]}, [extensions])
    assert store.content(store.locate(ENTRY)) == b"one\n;two\n;entry"
    assert store.content(store.locate("1.js")) == b"one"
    assert store.version != Sheaves([scripts], {ENTRY: ["1.js", ENTRY]}, [extensions]).version


def test_a_changed_file_changes_the_version(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a{}", encoding="utf-8")
    first = Store([tmp_path])
    assert first.read(tmp_path / "a.css")[:2] == (b"a{}", b"")
    (tmp_path / "a.css").write_text("a{color:red}" * 200, encoding="utf-8")
    plain, small, tag, _ = first.read(tmp_path / "a.css")
    assert len(small) < len(plain)
    assert tag.startswith('"')
    assert Store([tmp_path]).version != first.version
