"""What keeps a kernel from everything that is not its reader's: what this system allows, and a cell for each kernel.

A kernel runs what a page's messages lead it to run. Taken over, it must gain nothing: no secret, no file, no other
kernel. What a kernel gives up as it starts is in ``widgets.serving.cell``; what it may use up, in ``ceilings``.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tutor.core import environ
from widgets.serving import landlock
from widgets.serving.cell import Cell
from widgets.serving.options import PACKAGE, BadOption, Options, whole

#: Memory that a kernel may add to what it starts with, in MiB. A page's kernel has some 30 MiB of its own once its
#: notebook has run, and `bench.memory` keeps a lesson that is played to its end within 20 MiB of a bare page.
DEFAULT_MEMORY = 256
#: Seconds of processor that a kernel may use without one pause; the longest question of a reader takes one.
DEFAULT_PROCESSOR = 60
#: Users for kernels: a range that systemd and the Linux distributions leave to nobody, then one for small containers.
RANGES = ((1_900_000_000, 1_900_065_535), (60_578, 61_183))
#: Capabilities that giving kernels users of their own takes: chown, dac_override, kill, setgid, setuid.
NEEDED = 1 << 0 | 1 << 1 | 1 << 5 | 1 << 6 | 1 << 7
#: What a kernel gets of the server's environment; on Windows, all but the secrets.
LENT = re.compile(
    r"PATH|PATHEXT|LANG|LANGUAGE|LC_\w+|TZ|TZDIR|HOME|USER|LOGNAME|TERM|TMPDIR|VIRTUAL_ENV|LD_LIBRARY_PATH|\w+_NUM_THREADS"
    r"|(PYTHON|IPYTHON|JUPYTER|JPY_|VOILA_|PYDEVD_|MALLOC_|COV_|COVERAGE_|XDG_|DYLD_)\w*"
    r"|QUERY_STRING|SCRIPT_NAME|PATH_INFO|PATH_TRANSLATED|(SERVER|REQUEST|REMOTE|HTTP|CONTENT|GATEWAY)_\w+"
    r"|LDV_(?!DATA)\w+"
)
#: Files of the system that any program reads.
SYSTEM = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/ld.so.cache",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/fonts",
    "/etc/ssl",
    "/etc/mime.types",
    "/etc/ipython",
    "/etc/jupyter",
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/uptime",
    "/proc/sys/kernel",
    "/sys/devices/system/cpu",
]


def lent(env: Mapping[str, str]) -> dict[str, str]:
    """What a kernel gets of an environment.

    >>> lent({"PATH": "/bin", "LDV_DATABASE_URL": "x", "AWS_SECRET_ACCESS_KEY": "x", "LDV_TCS_CHARTS": "/t.csv"})
    {'PATH': '/bin', 'LDV_TCS_CHARTS': '/t.csv'}
    """
    return {name: value for name, value in env.items() if is_lent(name)}


def is_lent(name: str) -> bool:
    """Whether a kernel gets a variable of this name."""
    return not environ.is_secret(name) and bool(sys.platform == "win32" or LENT.fullmatch(name))


class Doorkeeper(Protocol):
    """What is asked of the desk."""

    address: str

    def admit(self, kernel: str) -> str:
        """A key for a kernel."""

    def dismiss(self, kernel: str) -> None:
        """Forget it."""


@dataclass(frozen=True)
class Rules:
    """What is wanted, and what this system gives of it.

    Args:
        on: whether kernels are confined at all (`LDV_CONFINE=0`: for a debugger or a profiler).
        memory: MiB that a kernel may add.
        processor: seconds of processor without a pause.
        uids: first and last user that kernels may get; None where they keep the server's.
        why: why they keep it, in French; "" where they do not.
        landlock: version of Landlock that is used, 0 for none.
        hidden: whether other processes of the same user are kept out of a process's memory and environment.
    """

    on: bool = True
    memory: int = DEFAULT_MEMORY
    processor: int = DEFAULT_PROCESSOR
    uids: tuple[int, int] | None = None
    why: str = ""
    landlock: int = 0
    hidden: bool = sys.platform.startswith("linux")

    def describe(self) -> str:
        """One French line: what holds, and what does not."""
        if not self.on:
            return "Noyaux non cloisonnés (LDV_CONFINE=0) : à n’utiliser que pour mettre au point."
        linux = sys.platform.startswith("linux")
        kept = {
            "utilisateur à part": self.uids is not None,
            "fichiers": self.landlock >= 1,
            "mémoire des autres processus": self.uids is not None or self.hidden,
            "connexions": self.landlock >= 4,
            "signaux": self.uids is not None or self.landlock >= 6,
            "privilèges": linux,
            "clé de chacun": True,
            f"mémoire ({self.memory} Mio)": True,
            f"processeur ({self.processor} s)": True,
        }
        holds = ", ".join(name for name, yes in kept.items() if yes)
        missing = ", ".join(name for name, yes in kept.items() if not yes)
        reason = f" ({self.why})" if self.why and self.uids is None else ""
        return f"Noyaux cloisonnés : {holds}" + (f" ; pas ici : {missing}{reason}." if missing else ".")


def rules(env: Mapping[str, str], options: Options) -> Rules:
    """What this system gives of what the environment wants.

    Args:
        env: `LDV_CONFINE`, `LDV_KERNEL_MEMORY` (MiB), `LDV_KERNEL_CPU` (s), `LDV_KERNEL_UIDS` (`first-last`, or 0).
        options: how to serve.

    Raises:
        BadOption: when a value cannot be used.
    """
    memory = whole(env.get("LDV_KERNEL_MEMORY") or str(DEFAULT_MEMORY), "LDV_KERNEL_MEMORY", 32, 1 << 20)
    processor = whole(env.get("LDV_KERNEL_CPU") or str(DEFAULT_PROCESSOR), "LDV_KERNEL_CPU", 2, 86_400)
    asked = env.get("LDV_KERNEL_UIDS", "")
    wished = _range(asked) if asked else None
    if env.get("LDV_CONFINE") == "0":
        return Rules(False, memory, processor, hidden=False)
    why = "LDV_KERNEL_UIDS=0" if asked == "0" else why_not_apart(options.notebooks)
    if why and wished:
        raise BadOption(f"LDV_KERNEL_UIDS ne peut pas servir ici : {why}.")
    uids = None if why else wished or next((pair for pair in RANGES if _mapped(*pair)), None)
    if not why and uids is None:
        why = "trop peu d’utilisateurs dans ce conteneur"
    return Rules(True, memory, processor, uids, why, landlock.version())


def _range(text: str) -> tuple[int, int] | None:
    if text == "0":
        return None
    parts = re.fullmatch(r"(\d{1,10})-(\d{1,10})", text)
    if parts is None or not 1_000 <= int(parts[1]) <= int(parts[2]) < 2**32 - 2:
        raise BadOption(f"LDV_KERNEL_UIDS vaut « {text} » : donnez « premier-dernier » à partir de 1000, ou 0.")
    return int(parts[1]), int(parts[2])


def why_not_apart(notebooks: Path) -> str:
    """Why kernels cannot have users of their own, in French; "" when they can.

    Args:
        notebooks: folder of the notebooks.
    """
    if not sys.platform.startswith("linux"):
        return "sous Linux seulement"
    if _capabilities() & NEEDED != NEEDED:
        return "il faut démarrer en root"
    closed = next((place for place in (*programs(), notebooks) if not open_to_all(Path(place))), None)
    return f"« {closed} » n’est pas lisible par tous" if closed else ""


def _capabilities() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0


def _mapped(first: int, last: int) -> bool:
    """Whether these users exist in this container."""
    try:
        rows = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
    except OSError:
        return True
    spans = [(int(row.split()[0]), int(row.split()[2])) for row in rows]
    return any(start <= first and last < start + count for start, count in spans)


def open_to_all(place: Path) -> bool:
    """Whether any user may read a folder, and come to it."""
    place = place.resolve()
    try:
        modes = [one.stat().st_mode for one in (place, *place.parents)]
    except OSError:
        return False
    return bool(modes[0] & stat.S_IROTH) and all(mode & stat.S_IXOTH for mode in modes)


def programs() -> list[str]:
    """Folders of Python, of its packages and of this program."""
    widgets = PACKAGE.parent
    checkout = widgets.parent
    given = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one and Path(one) != checkout]
    packages = [one for one in sys.path if Path(one).name in ("site-packages", "dist-packages")]
    places = [sys.base_prefix, sys.prefix, str(widgets), str(checkout / "tutor"), *packages, *given]
    return [place for place in dict.fromkeys(map(os.path.realpath, places)) if os.path.isdir(place)]


@dataclass
class _Place:
    """Where one kernel is.

    Args:
        folder: its own.
        uid: its user, or None.
    """

    folder: Path
    uid: int | None


@dataclass
class Confinement:
    """The cells of the kernels that live.

    Args:
        rules: what holds here.
        root: folder of the server's, for the cells.
        desk: gives each kernel its key.
        notebooks: folder of the notebooks.
    """

    rules: Rules
    root: Path
    desk: Doorkeeper
    notebooks: Path
    _places: dict[str, _Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let the kernels' users pass through the root, and see nothing in it."""
        if self.rules.uids is not None:
            self.root.chmod(0o711)

    def folder(self, kernel: str) -> Path:
        """A kernel's own folder, made at first sight; its name is not to be guessed."""
        place = self._places.get(kernel)
        if place is None:
            folder = Path(tempfile.mkdtemp(prefix="n_", suffix=secrets.token_hex(4), dir=self.root))
            place = self._places[kernel] = _Place(folder, self._free_user())
        return place.folder

    def _free_user(self) -> int | None:
        if self.rules.uids is None:
            return None
        first, last = self.rules.uids
        taken = {place.uid for place in self._places.values()}
        return next((uid for uid in range(first, last + 1) if uid not in taken), last)

    def cell(self, kernel: str, env: Mapping[str, str]) -> Cell:
        """What a kernel that is about to start gets, with a new key.

        Args:
            kernel: its id.
            env: its environment.
        """
        folder = self.folder(kernel)
        key, uid = self.desk.admit(kernel), self._places[kernel].uid
        if not self.rules.on:
            return Cell(key, str(folder))
        if uid is not None:
            for one in (*folder.rglob("*"), folder):
                os.chown(one, uid, uid, follow_symlinks=False)
        return Cell(
            key=key,
            folder=str(folder),
            uid=uid,
            memory=self.rules.memory * 1024 * 1024,
            lock=self.rules.landlock > 0,
            reads=(*SYSTEM, *programs(), str(self.notebooks), *_supplied(env)),
            lists=(str(PACKAGE.parent.parent),) if "site-packages" not in PACKAGE.parts else (),
            port=int(self.desk.address.rpartition(":")[2] or 0),
        )

    def release(self, kernel: str) -> None:
        """Take back what a kernel that has ended had; whatever it left running ends."""
        self.desk.dismiss(kernel)
        place = self._places.pop(kernel, None)
        if place is None:
            return
        if place.uid is not None:
            end_all_of(place.uid)
        shutil.rmtree(place.folder, ignore_errors=True)


def _supplied(env: Mapping[str, str]) -> Iterable[str]:
    """Files of charts, and folders of games, that the reader supplies."""
    for name, value in env.items():
        if name == "LDV_GAMES" or (name.startswith("LDV_") and name.endswith("_CHARTS")):
            yield from (str(Path(one).expanduser()) for one in value.split(os.pathsep) if one)


def end_all_of(uid: int, rounds: int = 20) -> None:
    """End every process of a kernel's user; several times over, since one may start another meanwhile.

    Args:
        uid: the user, never one of the system's.
        rounds: looks at most.
    """
    for _ in range(rounds if uid >= 1_000 and uid != os.getuid() else 0):
        left = [int(one.name) for one in os.scandir("/proc") if one.name.isdigit() and _owner(one) == uid]
        if not left:
            return
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _owner(process: os.DirEntry[str]) -> int | None:
    """Real user of a process: that of its folder is the administrator's once it has hidden itself."""
    with (
        suppress(OSError, ValueError, IndexError),
        open(f"/proc/{process.name}/status", encoding="ascii", errors="replace") as said,
    ):
        for line in said:
            if line.startswith("State:") and "Z" in line:
                return None
            if line.startswith("Uid:"):
                return int(line.split()[1])
    return None
