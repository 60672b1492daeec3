"""A kernel that was taken over, on a server that serves: what it tries to read, reach or use up, it does not get.

Each home page runs the attack in its kernel and prints what came of it.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.browser.harness import ROOT, Server, start_server
from tests.own_loop import in_own_loop
from tests.store.harness import until
from widgets.serving import confine, landlock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what confines a kernel here is Linux's")
SECRET = "un-secret-qui-ne-sort-pas"
#: What a kernel that was taken over tries. `DATA`, `OTHER` and `SERVER` stand for what it would look for.
ATTACK = """
import ctypes, json, os, socket, subprocess, sys, tempfile
from pathlib import Path
from widgets.host.channel import channel
channel()
server = int(Path("server.pid").read_text())
SECRET = "un-secret-" + "qui-ne-sort-pas"
def works(action):
    try:
        return bool(action())
    except BaseException as error:
        return False
def connects(address):
    with socket.create_connection(address, 2):
        return True
def seen(name):
    return SECRET in Path(name).read_bytes().decode("utf-8", "replace")
desk = os.environ["LDV_DESK"].rsplit(":", 1)
folder = Path(os.environ["IPYTHONDIR"]).parent
results = {
    "environ": any(SECRET in value for value in os.environ.values()),
    "own block": works(lambda: seen("/proc/self/environ")),
    "key": any("DESK_KEY" in name for name in os.environ),
    "parent block": works(lambda: seen(f"/proc/{os.getppid()}/environ")),
    "server block": works(lambda: Path(f"/proc/{server}/environ").read_bytes()),
    "server memory": works(lambda: open(f"/proc/{server}/mem", "rb")),
    "server files": works(lambda: os.readlink(f"/proc/{server}/fd/0")),
    "trace": works(lambda: ctypes.CDLL(None).ptrace(16, server, 0, 0) == 0),
    "signal": works(lambda: os.kill(server, 0) is None),
    "data": works(lambda: os.listdir(DATA)),
    "data file": works(lambda: (Path(DATA) / "ligne-de-vue.sqlite3").read_bytes()),
    "private file": works(lambda: Path(PRIVATE).read_text()),
    "write notebooks": works(lambda: Path("pris").write_text("x")),
    "write home": works(lambda: (Path.home() / "pris").write_text("x") and Path.home() != folder),
    "write temporary": works(lambda: Path("/tmp/ldv_pris").write_text("x")),
    "other kernels": works(lambda: os.listdir(folder.parent)),
    "run": works(lambda: subprocess.run([sys.executable, "-V"], check=True)),
    "web": works(lambda: connects(("127.0.0.1", PORT))),
    "desk": works(lambda: connects((desk[0], int(desk[1])))),
    "own folder": works(lambda: Path(tempfile.mkdtemp(), "x").write_text("x")),
    "administrator": works(lambda: os.setuid(0) is None and os.getuid() == 0 and open("/etc/shadow")),
    "core": __import__("resource").getrlimit(4) != (0, 0),
    "ends": works(lambda: get_ipython().kernel._process_children() == []),
    "alive": True,
}
print("SAID", json.dumps(results), os.getuid(), folder.name, "END")
"""


def notebook(folder: Path, *sources: str) -> None:
    """A home page with these cells."""
    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for n, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    page = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "accueil.ipynb").write_text(json.dumps(page), encoding="utf-8")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user may pass through, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="ldv-test-"))
    folder.chmod(0o755)
    for name in ("notebooks", "log"):
        (folder / name).mkdir()
    (folder / "private").write_text("à moi", encoding="utf-8")
    (folder / "private").chmod(0o600)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def opened_up(folder: Path, user: int | None = None) -> list[str]:
    """A program that becomes another, in a copy of the file system where any user comes to Python and to this checkout.

    Args:
        folder: where things may be put meanwhile.
        user: who it becomes; the administrator as ever by default.
    """
    lines = ["set -e", "mount --make-rprivate /"]
    needed = sorted({sys.base_prefix, str(ROOT), str(Path(sys.prefix).resolve())})
    closed: dict[Path, list[str]] = {}
    for path in needed:
        shut = [one for one in (Path(path), *Path(path).parents) if not one.stat().st_mode & 0o001]
        if shut:
            closed.setdefault(shut[-1], []).append(path)
    for outer, inner in closed.items():
        for number, path in enumerate(inner):
            lines += [f"mkdir -p {folder}/keep{number}", f"mount --bind {path} {folder}/keep{number}"]
        lines.append(f"mount -t tmpfs -o mode=755 none {outer}")
        for number, path in enumerate(inner):
            lines += [f"mkdir -p {path}", f"mount --bind {folder}/keep{number} {path}", f"umount {folder}/keep{number}"]
    become = f"setpriv --reuid {user} --regid {user} --clear-groups " if user else ""
    lines.append(f'exec {become}"$@"')
    script = folder / "opened.sh"
    script.write_text("\n".join(lines), encoding="utf-8")
    return ["unshare", "-m", "sh", str(script)]


ROOT_ONLY = "as an ordinary user, only the kernels of that user can be started"
WAYS = ["as it is", "apart", "ordinary", "alone"]
#: A server that cannot copy processes: each kernel starts as a program of its own.
ALONE = (
    "import sys; from widgets.serving import forked; forked._copies = lambda: None; "
    "from widgets.serving.__main__ import main; sys.exit(main(sys.argv[4:]))"
)
#: What a kernel may do all the same, and what it may do on no Linux.
ALLOWED = {"desk", "own folder", "ends", "alive"}
NEVER = {"environ", "own block", "key", "parent block", "server block", "server memory", "trace", "core"}


def start(place: Path, way: str, env: dict[str, str]) -> Server:
    """A server, run as this user, as an administrator who may give kernels their own, or as an ordinary user."""
    wrapper = [sys.executable, "-c", ALONE] if way == "alone" else []
    if way in ("apart", "ordinary"):
        if os.geteuid() or not shutil.which("unshare") or not shutil.which("setpriv"):
            pytest.skip(ROOT_ONLY)
        wrapper = opened_up(place, 54_321 if way == "ordinary" else None)
        if way == "ordinary":
            closed = place / "closed"  # signatures of notebooks that are another user's
            env = {**env, "HOME": str(place / "home"), "JUPYTER_DATA_DIR": str(closed)}
            (place / "home").mkdir()
            for one in (*place.rglob("*"), place):
                os.chown(one, 54_321, 54_321)
            closed.mkdir(mode=0o700)
    return start_server(place / "log" / "log", notebooks=place / "notebooks", env=env, wrapper=wrapper, alone=True)


def said(server: Server) -> tuple[dict[str, bool], int, str]:
    """What came of the attack, the kernel's user and its folder."""
    with urllib.request.urlopen(server.url, timeout=120) as answer:
        text = answer.read().decode("utf-8")
    match = re.search(r"SAID (\{.*?\}) (\d+) (\S+) END", html.unescape(text))
    assert match, text[-4000:]
    return json.loads(match[1]), int(match[2]), match[3]


@pytest.mark.parametrize("way", WAYS)
def test_a_kernel_that_was_taken_over_gains_nothing(place: Path, way: str) -> None:
    data = place / "data"
    known = f"DATA, PRIVATE = {str(data)!r}, {str(place / 'private')!r}\n"
    port = "import os\nPORT = int(os.environ['VOILA_APP_PORT'])\n"
    notebook(place / "notebooks", known + port + ATTACK)
    url = f"postgresql://ldv:{SECRET}@127.0.0.1:9/none"
    secrets = {"LDV_DATABASE_URL": url, "LDV_DATA": str(data), "MY_API_KEY": SECRET, "PGPASSWORD": SECRET}
    data.mkdir()
    (data / "ligne-de-vue.sqlite3").write_text("tout", encoding="utf-8")
    data.chmod(0o700)
    server = start(place, way, secrets)
    (place / "notebooks" / "server.pid").write_text(str(server.process.pid), encoding="ascii")
    try:
        results, uid, folder = said(server)
        again, other, elsewhere = said(server)
        got = {name for name, yes in (results | again).items() if yes}
        assert not got & NEVER
        assert got >= ALLOWED
        if landlock.version() >= 6:  # an older Linux gives less, and the first line of the server says what
            assert got == ALLOWED
        assert folder != elsewhere
        if way == "apart":
            assert uid >= 60_000
            assert other >= 60_000
            assert uid != other
        log = (place / "log" / "log").read_text(encoding="utf-8")
        assert "Noyaux cloisonnés : " in log
        apart = way == "apart" or (way != "ordinary" and not confine.why_not_apart(place / "notebooks"))
        assert ("utilisateur à part" in log.partition("pas ici")[0]) == apart
    finally:
        server.stop()


def test_no_process_of_the_server_shows_a_secret(place: Path) -> None:
    notebook(place / "notebooks", "print('bonjour')")
    env = {
        "LDV_DATABASE_URL": f"postgresql://ldv:{SECRET}@127.0.0.1:9/none",
        "PGPASSWORD": SECRET,
        "LDV_POOL": "1",
        "LDV_DATA": str(place / "data"),
    }
    program = "import sys; from tutor.cli import main; sys.exit(main(['serve', *sys.argv[4:]]))"
    server = start_server(
        place / "log" / "log", notebooks=place / "notebooks", env=env, wrapper=[sys.executable, "-c", program]
    )
    try:
        server.wait_for(lambda _: bool(server.kernels()))
        family = [psutil.Process(server.process.pid), *psutil.Process(server.process.pid).children(recursive=True)]
        assert len(family) >= 5  # the command, the server, the resource tracker, the fork server, a kernel
        read = 0
        for one in family:
            try:
                block = Path(f"/proc/{one.pid}/environ").read_bytes()
            except PermissionError:
                continue  # not even to this user
            assert SECRET.encode() not in block, one.cmdline()
            read += bool(block)
        assert read  # the command itself hides nothing but its secrets
    finally:
        server.stop()


def running(uid: int) -> list[psutil.Process]:
    """Processes of a user; one that has ended and that its parent has not asked after yet runs no more."""
    seen = []
    for one in psutil.process_iter():
        with suppress(psutil.NoSuchProcess):
            if one.uids().real == uid and one.status() != psutil.STATUS_ZOMBIE:
                seen.append(one)
    return seen


def test_what_a_kernel_leaves_running_ends_with_it(place: Path) -> None:
    notebook(
        place / "notebooks",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\nprint('SAID {}', os.getuid(), 'x', 'END')",
    )
    server = start(place, "apart", {})
    try:
        _, uid, _ = said(server)
        assert len(running(uid)) >= 2
        for kernel in server.kernels().values():
            kernel.kill()  # the server starts it anew; stopping ends what it left
    finally:
        server.stop()
    in_own_loop(until(lambda: not running(uid)))


def test_where_python_is_closed_to_others_it_is_said(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert not confine.open_to_all(closed)
    assert confine.open_to_all(Path("/usr"))


def described(**given: Any) -> str:
    """What `ldv serve` says of these rules."""
    return confine.Rules(**given).describe()


def test_what_holds_is_said_in_one_line() -> None:
    apart = described(uids=(2_000, 3_000), landlock=7)
    assert "pas ici" not in apart
    assert "256 Mio" in apart
    bare = described(landlock=0, hidden=False, why="sous Linux seulement")
    assert "pas ici : utilisateur à part, fichiers, mémoire des autres processus, connexions, signaux" in bare
    assert bare.endswith("(sous Linux seulement).")
    assert "LDV_CONFINE=0" in described(on=False)
    assert all("\n" not in text for text in (apart, bare))
