"""What a kernel gives up before it runs anything: other users' files, other processes, memory without end.

See ``widgets.serving.confine``, the server's side. A kernel imports this: standard library only, and nothing of the server.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from tutor.core import environ
from widgets.host.channel import KEY
from widgets.serving import landlock

#: Where a kernel that is no copy finds its cell.
VARIABLE = "LDV_CELL"
MIB = 1024 * 1024
#: Data that a kernel maps after it is locked in without using it: stacks of its threads, arenas of malloc.
SLACK = 128 * MIB
#: Largest file that it may write, open files, and processes with threads (only where its user is its own).
LARGEST_FILE, MOST_FILES, MOST_PROCESSES = 16 * MIB, 512, 96
DUMPABLE, NO_NEW_PRIVILEGES, AMBIENT, AMBIENT_CLEAR = 4, 38, 47, 4
CAPABILITIES_V3 = 0x20080522


@dataclass(frozen=True)
class Cell:
    """What one kernel gets.

    Args:
        key: its key at the desk.
        folder: its own folder, the only one where it may write.
        uid: user and group that are its own; None to keep the server's.
        memory: bytes that it may add to what it has when it starts; 0 for no ceiling.
        lock: whether Landlock is to be used.
        reads: files and folders that it may read.
        lists: folders whose names it may see.
        port: of the desk.
    """

    key: str
    folder: str
    uid: int | None = None
    memory: int = 0
    lock: bool = False
    reads: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    port: int = 0

    def as_text(self) -> str:
        """The cell for another program."""
        return json.dumps(asdict(self))


def read(text: str) -> Cell:
    """The cell that :meth:`Cell.as_text` wrote.

    >>> read(Cell("k", "/tmp", reads=("/usr",)).as_text()) == Cell("k", "/tmp", reads=("/usr",))
    True
    """
    given = json.loads(text)
    return Cell(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


def enter(cell: Cell) -> None:
    """Give it all up, in a process that has one thread.

    Raises:
        OSError: when something that was promised is refused: then nothing may run.
    """
    os.environ.update({KEY: cell.key, "TMPDIR": cell.folder, "IPYTHONDIR": os.path.join(cell.folder, "ipython")})
    if sys.platform == "win32":
        return
    os.umask(0o077)
    # A server that stops takes away the folder of a kernel that is still starting: there is nobody to tell.
    warnings.filterwarnings("ignore", "IPython parent '")
    _limit(cell)
    if cell.uid is not None:
        os.setgroups([])
        os.setresgid(cell.uid, cell.uid, cell.uid)
        os.setresuid(cell.uid, cell.uid, cell.uid)
        if {*os.getresuid(), *os.getresgid()} != {cell.uid}:
            raise PermissionError("the kernel's user was not taken")
        os.environ.update({"HOME": cell.folder, "USER": str(cell.uid), "LOGNAME": str(cell.uid)})
    if sys.platform.startswith("linux"):
        no_capabilities()
        no_new_privileges()
        if cell.lock:
            # The port that it may not open is for what programs started by a kernel print: there are none.
            warnings.filterwarnings("ignore", "Couldn't bind IOPub Pipe")
            landlock.lock(cell.reads, cell.lists, [cell.folder, "/dev/null"], cell.port)
        hide()


def _limit(cell: Cell) -> None:
    """Ceilings that the system keeps by itself."""
    import resource

    def at_most(what: int, value: int) -> None:
        hard = resource.getrlimit(what)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (value, value))

    at_most(resource.RLIMIT_CORE, 0)
    at_most(resource.RLIMIT_FSIZE, LARGEST_FILE)
    at_most(resource.RLIMIT_NOFILE, MOST_FILES)
    if cell.uid is not None:
        at_most(resource.RLIMIT_NPROC, MOST_PROCESSES)
    if cell.memory and sys.platform.startswith("linux"):  # elsewhere the server watches alone
        at_most(resource.RLIMIT_DATA, data_size() + SLACK + cell.memory * 9 // 8)


def data_size() -> int:
    """Bytes of private data of this process, as `RLIMIT_DATA` counts them."""
    with open("/proc/self/statm", "rb") as sizes:
        return int(sizes.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def _prctl(option: int, value: int) -> None:
    prctl: Callable[..., int] = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def no_new_privileges() -> None:
    """No program that it starts gets more rights than it has (`sudo`, `ping`)."""
    _prctl(NO_NEW_PRIVILEGES, 1)


def hide() -> None:
    """What this process holds in memory and environment is read by no other of the same user, and never dumped."""
    if sys.platform.startswith("linux"):
        _prctl(DUMPABLE, 0)


def no_capabilities() -> None:
    """Give up every privilege of the system's administrator."""
    with suppress(OSError):  # before Linux 4.3
        _prctl(AMBIENT, AMBIENT_CLEAR)
    header, none = (ctypes.c_uint32 * 2)(CAPABILITIES_V3, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, none):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def end_alone() -> None:
    """Have this kernel look for no child when it ends: it may see no process, and the server ends what it leaves."""
    from ipykernel.kernelbase import Kernel

    Kernel._process_children = lambda _: []


def main(arguments: Sequence[str]) -> None:
    """Be a kernel that is no copy: enter the cell that the environment describes, then start as Jupyter does."""
    enter(read(environ.take(VARIABLE)))
    from ipykernel import kernelapp

    sys.argv = ["ipykernel_launcher", *arguments]
    end_alone()
    kernelapp.launch_new_instance()


if __name__ == "__main__":
    main(sys.argv[1:])
