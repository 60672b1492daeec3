"""Landlock (Linux 5.13 and later): a process gives up, for good, whatever files and ports it does not need.

No privilege is asked for. A process that is locked in can neither read the memory or environment of another (as a
debugger does), nor, from Linux 6.12 on, send it a signal. `man 7 landlock`; the numbers are those of `linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress

#: System calls, the same on every architecture that has Landlock.
CREATE, ADD, RESTRICT = 444, 445, 446
VERSION, PATH, PORT = 1, 1, 2
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
TRUNCATE, IOCTL = 1 << 14, 1 << 15
#: Rights on files by version: thirteen, then to move between folders, to truncate, to command devices.
FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
#: What means something on a plain file.
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL
BIND, CONNECT = 1, 2
ABSTRACT_SOCKETS, SIGNALS = 1, 2
NO_NEW_PRIVILEGES = 38


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("ports", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Path(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Port(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


def _call(number: int, *arguments: object) -> int:
    """A system call of ours.

    Raises:
        OSError: when the system refuses.
    """
    done = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments)
    if done < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return int(done)


def version() -> int:
    """What the system knows of Landlock: 0 nothing, 4 ports, 6 signals."""
    if not sys.platform.startswith("linux"):
        return 0
    with suppress(OSError, AttributeError):
        return _call(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION))
    return 0


def lock(reads: Iterable[str], lists: Iterable[str], writes: Iterable[str], port: int) -> None:
    """Lock this thread, and what it starts from now on, in; there is no way back.

    Args:
        reads: files and folders that may be read, with what is below; those that do not exist are left out.
        lists: folders of which the names may be seen, with those below.
        writes: folders where everything may be done but executing.
        port: the one TCP port to which it may connect (from version 4 on); 0 for none.

    Raises:
        OSError: when the system has no Landlock, or refuses.
    """
    known = version()
    every = FILES[min(max(known, 1), 5)]
    ports, scoped = (BIND | CONNECT if known >= 4 else 0), (ABSTRACT_SOCKETS | SIGNALS if known >= 6 else 0)
    rules = _Rules(every, ports, scoped)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    ruleset = _call(CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for places, allowed in ((reads, READ_FILE | READ_DIR), (lists, READ_DIR), (writes, every & ~EXECUTE)):
            for place in places:
                _allow(ruleset, place, allowed)
        if ports and port:
            one = _Port(CONNECT, port)
            _call(ADD, ctypes.c_int(ruleset), ctypes.c_int(PORT), ctypes.byref(one), ctypes.c_uint32(0))
        ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        _call(RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, place: str, allowed: int) -> None:
    try:
        parent = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = allowed if stat.S_ISDIR(os.fstat(parent).st_mode) else allowed & ON_FILES
        if rights:
            one = _Path(rights, parent)
            _call(ADD, ctypes.c_int(ruleset), ctypes.c_int(PATH), ctypes.byref(one), ctypes.c_uint32(0))
    finally:
        os.close(parent)
