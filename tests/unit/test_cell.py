"""What a kernel gives up as it starts, in small processes of the test's own; secrets that leave the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tutor.store.database import place
from tutor.store.errors import Refused
from widgets.serving import confine, landlock
from widgets.serving import options as opts
from widgets.serving.cell import Cell, read

ROOT = Path(__file__).resolve().parents[2]
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux's own")
locked = pytest.mark.skipif(landlock.version() < 1, reason="this system has no Landlock")


def run(program: str, **env: str) -> str:
    """What a small program prints."""
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@linux
def test_a_secret_leaves_what_the_system_shows_of_the_process() -> None:
    program = (
        "import os\nfrom tutor.core import environ\n"
        "shown = lambda: b'tres-secret' in open('/proc/self/environ', 'rb').read()\n"
        "before = shown()\n"
        "taken = environ.shed(environ.is_secret)\n"
        "import subprocess\n"
        "child = subprocess.run(['env'], capture_output=True).stdout\n"
        "print(before, shown(), taken['LDV_DATABASE_URL'], taken['X_TOKEN'], b'tres-secret' in child, os.environ['KEPT'])"
    )
    said = run(program, LDV_DATABASE_URL="tres-secret-1", X_TOKEN="tres-secret-2", KEPT="gardé")
    assert said == "True False tres-secret-1 tres-secret-2 False gardé"


@locked
def test_locked_in_a_process_reads_writes_and_runs_what_was_said(tmp_path: Path) -> None:
    for name in ("read", "write", "hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("x", encoding="utf-8")
    program = f"""
import encodings.idna, os, socket, subprocess, sys
from widgets.serving import landlock
def works(action):
    try:
        action()
        return True
    except OSError:
        return False
server = socket.create_server(("127.0.0.1", 0))
other = socket.create_server(("127.0.0.1", 0))
here = {str(tmp_path)!r}
landlock.lock([here + "/read", "/nowhere"], [], [here + "/write"], server.getsockname()[1])
print(*(int(works(action)) for action in (
    lambda: open(here + "/read/file").read(),
    lambda: open(here + "/read/file", "w"),
    lambda: open(here + "/hidden/file").read(),
    lambda: os.listdir(here),
    lambda: open(here + "/write/new", "w").write("x"),
    lambda: os.symlink(here + "/hidden/file", here + "/write/link"),
    lambda: open(here + "/write/link").read(),
    lambda: subprocess.run(["/bin/true"]),
    lambda: os.kill(os.getppid(), 0),
    lambda: socket.create_connection(server.getsockname(), 5),
    lambda: socket.create_connection(other.getsockname(), 5),
    lambda: socket.create_server(("127.0.0.1", 0)),
)))
"""
    signals, ports = int(landlock.version() < 6), int(landlock.version() < 4)
    assert run(program) == f"1 0 0 0 1 1 0 0 {signals} 1 {ports} {ports}"


@linux
def test_a_cell_is_entered_whole_or_not_at_all(tmp_path: Path) -> None:
    cell = Cell("k", str(tmp_path), memory=16 << 20)
    program = (
        "import ctypes, os, resource\nfrom widgets.serving import cell as cells\n"
        f"cells.enter(cells.read({cell.as_text()!r}))\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(status['NoNewPrivs'].strip(), int(status['CapEff'], 16), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0),\n"
        "      resource.getrlimit(resource.RLIMIT_CORE), os.umask(0), os.environ['LDV_DESK_KEY'], os.environ['TMPDIR'])\n"
        "try:\n    bytearray(400 << 20)\nexcept MemoryError:\n    print('memory')"
    )
    assert run(program) == f"1 0 0 (0, 0) 63 k {tmp_path}\nmemory"
    refused = Cell("k", str(tmp_path), uid=2**32 - 1)
    program = (
        "from widgets.serving import cell as cells\n"
        f"try:\n    cells.enter(cells.read({refused.as_text()!r}))\nexcept (OSError, OverflowError, ValueError):\n    print('refused')"
    )
    assert run(program) == "refused"  # to the system this number means "leave it as it is"


def test_a_cell_goes_from_one_program_to_another_whole() -> None:
    cell = Cell("k", "/tmp/x", uid=3_000, memory=5, lock=True, reads=("/usr", "/é"), lists=("/",), port=9)
    assert read(cell.as_text()) == cell


@pytest.mark.parametrize(
    ("name", "goes"),
    [
        ("PATH", True),
        ("QUERY_STRING", True),
        ("VOILA_REQUEST_URL", True),
        ("LDV_DESK", True),
        ("LDV_ASL_CHARTS", True),
        ("PYTHONPATH", True),
        ("LDV_DATABASE_URL", False),
        ("LDV_DATABASE_URL_FILE", False),
        ("LDV_DATA", False),
        ("LDV_DESK_KEY", False),
        ("PGPASSWORD", False),
        ("AWS_SECRET_ACCESS_KEY", False),
        ("GITHUB_TOKEN", False),
        ("SSH_AUTH_SOCK", False),
        ("CREDENTIALS_DIRECTORY", False),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="programs there need more of the environment")
def test_kernels_get_what_they_need_of_the_environment(name: str, goes: bool) -> None:
    assert confine.is_lent(name) is goes


@pytest.mark.parametrize(
    "env",
    [
        {"LDV_KERNEL_MEMORY": "beaucoup"},
        {"LDV_KERNEL_MEMORY": "1"},
        {"LDV_KERNEL_CPU": "0"},
        {"LDV_KERNEL_UIDS": "12"},
        {"LDV_KERNEL_UIDS": "0-10"},
        {"LDV_KERNEL_UIDS": "9000-8000"},
        {"LDV_KERNEL_UIDS": f"9000-{2**32 - 1}"},
    ],
)
def test_a_ceiling_that_cannot_be_used_is_one_french_line(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(opts.BadOption) as caught:
        confine.rules(env, opts.Options(notebooks=tmp_path))
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


class NoDesk:
    """Stands for the desk."""

    address = "127.0.0.1:9"

    def __init__(self) -> None:
        self.said: list[str] = []

    def admit(self, kernel: str) -> str:
        self.said.append(f"+{kernel}")
        return f"{kernel}.secret"

    def dismiss(self, kernel: str) -> None:
        self.said.append(f"-{kernel}")


def test_each_kernel_has_a_folder_that_goes_with_it(tmp_path: Path) -> None:
    desk = NoDesk()
    kept = confine.Confinement(confine.Rules(), tmp_path, desk, tmp_path)
    one, two = kept.cell("a", {}), kept.cell("b", {"LDV_TCS_CHARTS": f"/x.csv{os.pathsep}/y.csv", "LDV_GAMES": "/jeux"})
    assert (one.key, two.key) == ("a.secret", "b.secret")
    assert one.folder != two.folder
    assert kept.cell("a", {}).folder == one.folder  # started anew
    assert Path(one.folder).stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    assert {"/x.csv", "/y.csv", "/jeux"} <= set(two.reads)
    assert not {"/x.csv", "/jeux", "/"} & set(one.reads)
    kept.release("a")
    kept.release("a")
    assert not Path(one.folder).exists()
    assert Path(two.folder).exists()
    assert desk.said == ["+a", "+b", "+a", "-a", "-a"]


def test_users_of_kernels_that_live_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owned: list[Any] = []
    monkeypatch.setattr(confine.os, "chown", lambda path, *who, **_: owned.append(who), raising=False)
    monkeypatch.setattr(confine, "end_all_of", lambda uid: owned.append(uid))
    kept = confine.Confinement(confine.Rules(uids=(70_000, 70_001)), tmp_path, NoDesk(), tmp_path)
    assert [kept.cell(name, {}).uid for name in "ab"] == [70_000, 70_001]
    assert owned == [(70_000, 70_000), (70_001, 70_001)]
    kept.release("a")
    assert owned[-1] == 70_000
    assert kept.cell("c", {}).uid == 70_000


def test_the_address_of_the_database_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ldv_database_url"
    file.write_text("postgresql://u:mot@h/b\n", encoding="utf-8")
    assert place({"LDV_DATABASE_URL_FILE": str(file)}).password == "mot"
    assert place({"CREDENTIALS_DIRECTORY": str(tmp_path)}).password == "mot"
    assert place({"CREDENTIALS_DIRECTORY": str(tmp_path / "nulle"), "LDV_DATA": "/d"}).database
    assert place({"LDV_DATABASE_URL": "postgresql://u@h/b", "PGPASSWORD": "mot"}).password == "mot"
    with pytest.raises(Refused, match="LDV_DATABASE_URL_FILE"):
        place({"LDV_DATABASE_URL_FILE": str(tmp_path / "absent")})
