"""What every kernel needs, imported once in the process that kernels are copied from; how a copy becomes a kernel.

See ``widgets.serving.forked``, which only the server imports: a copy must not import what the server needs.
"""

from __future__ import annotations

import errno
import gc
import importlib
import multiprocessing
import os
import pkgutil
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import reduction
from socket import socket

LIBRARIES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.debugger",
    "tornado.platform.asyncio",
    "IPython.core.debugger",
    "IPython.core.completerlib",
    "IPython.extensions.storemagic",
    "ipywidgets",
    "anywidget",
    "ipycanvas",
    "shapely.geometry",
)
#: Ours that kernels run; the server's own parts are left out.
PACKAGES = ("tutor.core", "tutor.course", "tutor.games", "widgets")
SERVER_ONLY = "widgets.serving"


def names() -> list[str]:
    """Modules to import.

    >>> "widgets.lesson_page" in names(), any(name.startswith("widgets.serving") for name in names())
    (True, False)
    """
    found = [*LIBRARIES, *PACKAGES]
    for package in PACKAGES:
        place = importlib.import_module(package).__path__
        found += [one.name for one in pkgutil.walk_packages(place, f"{package}.", onerror=lambda _: None)]
    return [name for name in found if not name.startswith(SERVER_ONLY)]


def load() -> None:
    """Import it all, and keep the collector away from it: what copies only read, they share."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process by ending
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # copies have no other threads than their own
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))  # not the server's own -B
    outlive_refusals()
    gc.disable()
    for name in names():
        with suppress(Exception):  # for the page that needs it to meet, and to tell
            importlib.import_module(name)
    gc.enable()
    gc.collect()
    gc.freeze()


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


def be_kernel(argv: Sequence[str], env: Mapping[str, str], cwd: str) -> None:
    """Be a kernel, in a copy of the process where :func:`load` was called.

    Args:
        argv: command line of a kernel, program first; env, cwd: environment and folder of the process.
    """
    os.setsid()  # Ctrl+C in the server's terminal is not for kernels
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # but an interruption from the server is
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = [*argv, f"--IPKernelApp.parent_handle={os.getppid()}"]
    threading.Thread(target=_end_with_server, daemon=True).start()
    from ipykernel.kernelapp import IPKernelApp
    from ipywidgets import register_comm_target
    from ipywidgets.widgets.widget import _instances

    app = IPKernelApp.instance()
    app.initialize()
    # What importing these libraries in a kernel does; here they were imported before there was one.
    register_comm_target()
    for widget in _instances.values():
        widget.comm.kernel = app.kernel
    app.start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
