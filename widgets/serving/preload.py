"""What every kernel needs, imported once in the process that kernels are copied from; how a copy becomes a kernel.

See ``widgets.serving.forked``, which only the server imports: a copy must not import what the server needs.
"""

from __future__ import annotations

import errno
import gc
import importlib
import logging
import multiprocessing
import os
import pkgutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import reduction
from socket import socket
from types import ModuleType
from typing import Any

from tutor.core import environ
from widgets.serving import cell as cells
from widgets.serving import logs

LIBRARIES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.debugger",
    "tornado.platform.asyncio",
    "IPython.core.debugger",
    "IPython.core.completerlib",
    "IPython.core.logger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "IPython.utils.wildcard",
    "encodings.utf_8_sig",
    "faulthandler",
    "resource",
    "zmq.utils.garbage",
    "ipywidgets",
    "anywidget",
    "ipycanvas",
    "shapely.geometry",
)
#: Ours that kernels run; the server's own parts are left out.
PACKAGES = ("tutor.core", "tutor.course", "tutor.games", "widgets")
SERVER_ONLY = "widgets.serving"
#: Modules that note every other one.
_NOTING = ("ipykernel.ipkernel", "IPython.core.shellapp")
#: Bytes of one of Python's pools of small objects of a size; most objects that fill those that were begun, and these.
_POOL, _MOST, _filling = 16_384, 4_096, [b""]


def names() -> list[str]:
    """Modules to import.

    >>> "widgets.player.lesson" in names(), any(name.startswith("widgets.serving") for name in names())
    (True, False)
    """
    modules = [*LIBRARIES, *PACKAGES]
    for package in PACKAGES:
        place = importlib.import_module(package).__path__
        modules += [one.name for one in pkgutil.walk_packages(place, f"{package}.", onerror=lambda _: None)]
    return [name for name in modules if not name.startswith(SERVER_ONLY)]


def load() -> None:
    """Import it all, and keep the collector away from it: what copies only read, they share.

    Nothing is collected first: each object that were freed would leave a gap.
    """
    environ.shed(environ.is_secret)  # copies have the block that this process was started with
    if os.environ.get("LDV_CONFINE") != "0":
        cells.hide()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process by ending
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # copies have no other threads than their own
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))  # not the server's own -B
    outlive_refusals()
    gc.disable()
    for name in names():
        with suppress(Exception):  # for the page that needs it to meet, and to tell
            importlib.import_module(name)
    with suppress(Exception):
        make_readers()
    with suppress(Exception):
        _read_contents()
    sys._clear_type_cache()  # a copy gives up each name in it for one of its own, and copies the page of both
    _fill_gaps()
    gc.freeze()
    gc.enable()


def make_readers() -> None:
    """Make what reads the arguments of every question: each kernel would, at its reader's first answer, in pages of its own.

    No file is read.
    """
    from tutor.core.registry import GAMES, game

    for game_id in GAMES:
        for rule in game(game_id).rules.values():
            for argument in rule.arguments.values():
                _ = argument.reader


def _read_contents() -> None:
    from tutor.core.ahead import read_ahead

    read_ahead()


def _fill_gaps() -> None:
    """Fill what is free between small objects: a copy would put its own there, and copy the page around each."""
    for size in range(48, 513, 16):  # Python keeps a place for each multiple of 16
        row = 0
        for _ in range(_MOST):
            _filling.append(bytes(size - sys.getsizeof(b"")))
            row = row + 1 if id(_filling[-1]) - id(_filling[-2]) == size else 0
            if row == min(60, _POOL // size - 8):  # in a row: a pool that nothing else is in
                break


def outlive_refusals() -> None:
    """Have Python's fork server go on after a fork that the system refused, or a client that hung up.

    It would end there, and all its copies with it; only a broken connection is no reason for it to end.
    """
    take, fork = reduction.recvfds, os.fork
    received: list[int] = []

    def recvfds(sock: socket, size: int) -> list[int]:
        try:
            received[:] = take(sock, size)
        except EOFError as error:
            raise ConnectionAbortedError(errno.ECONNABORTED, "the client hung up") from error
        return list(received)

    def fork_or_go_on() -> int:
        try:
            pid = fork()
        except OSError as error:
            for one in received:  # their end is what tells the client
                os.close(one)
            raise ConnectionAbortedError(errno.ECONNABORTED, "no copy was made") from error
        if pid == 0:
            os.fork = fork
        return pid

    reduction.recvfds, os.fork = recvfds, fork_or_go_on


def call(name: str, *given: object) -> None:
    """Call a function in a process that is started beside the kernels; the server need not import it.

    Args:
        name: its module and its own name, as ``package.module:function``; given: its arguments.

    >>> call("builtins:print", "Bonjour")
    Bonjour
    """
    module, _, function = name.partition(":")
    getattr(importlib.import_module(module), function)(*given)


def be_kernel(argv: Sequence[str], env: Mapping[str, str], cwd: str, cell: cells.Cell | None = None) -> None:
    """Be a kernel, in a copy of the process where :func:`load` was called.

    Args:
        argv: command line of a kernel, program first; env, cwd: environment and folder of the process.
        cell: what it gets, and gives up; None for a kernel that nothing confines.

    Raises:
        SystemExit: it could not begin, which one line of the log says.
    """
    try:
        _become_kernel(argv, env, cwd, cell)
    except Exception:
        # A reader who leaves, or a server that stops, takes away the folder of a kernel that still starts: nobody asks.
        if cell is None or os.path.exists(cell.folder):
            logs.set_up(logging.getLogger("traitlets"), sys.__stderr__)
            logging.getLogger("ldv.kernel").exception("un noyau n’a pas pu commencer")
        sys.exit(1)


def _become_kernel(argv: Sequence[str], env: Mapping[str, str], cwd: str, cell: cells.Cell | None) -> None:
    os.setsid()  # Ctrl+C in the server's terminal is not for kernels
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # but an interruption from the server is
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    if cell is not None:
        cells.enter(cell)
        cells.end_alone()
    sys.argv = [*argv, f"--IPKernelApp.parent_handle={os.getppid()}"]
    threading.Thread(target=_end_with_server, daemon=True).start()
    from ipykernel.kernelapp import IPKernelApp
    from ipywidgets import register_comm_target
    from ipywidgets.widgets.widget import _instances

    from tutor.core.ahead import forget_changed

    forget_changed()
    app = IPKernelApp.instance()
    with _noting_no_module():
        app.initialize()
    logs.set_up_kernel(app.log)
    # What importing these libraries in a kernel does; here they were imported before there was one.
    register_comm_target()
    for widget in _instances.values():
        widget.comm.kernel = app.kernel
    app.start()


class _Unseen:
    """``sys``, as if nothing had been imported yet."""

    modules: Mapping[str, ModuleType] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


@contextmanager
def _noting_no_module() -> Iterator[None]:
    """A kernel that begins notes every module, for a debugger and for ``%reset``, which no reader has:
    reading and noting 1 500 of them copied a quarter of its pages.
    """
    noting = [vars(sys.modules[name]) for name in _NOTING if name in sys.modules]
    for one in noting:
        one["sys"] = _Unseen()
    try:
        yield
    finally:
        for one in noting:
            one["sys"] = sys


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
