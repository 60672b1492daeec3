"""Servers of tests, and what their kernels are copied from, as copies of one process that has all code imported: to import
it is most of what the start of a server costs.

`Copies` stands in the process of the tests; ``python -m tests.copies`` is what it copies. A test that says something of a
server's processes themselves (what they import, their memory, their user, their environment) starts one that is no copy.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from multiprocessing import forkserver, util
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
#: Bytes of one request at most: a command line and an environment.
LONGEST = 150_000
#: Seconds between two looks whether a copy has ended.
LOOK = 0.05


class Copy:
    """A copied process, with what a test asks of a ``Popen``.

    Args:
        pid: its number.
        ending: its exit status comes from there when it has ended.
    """

    def __init__(self, pid: int, ending: socket.socket) -> None:
        self.pid = pid
        self._status: Future[int] = Future()
        threading.Thread(target=self._hear, args=(ending,), daemon=True).start()

    def _hear(self, ending: socket.socket) -> None:
        with ending:
            self._status.set_result(int(ending.recv(64) or -signal.SIGKILL))

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._status.result() if self._status.done() else None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended.

        Args:
            timeout: seconds to wait for it.

        Raises:
            TimeoutExpired: it still runs.
        """
        try:
            return self._status.result(timeout)
        except TimeoutError as error:
            raise subprocess.TimeoutExpired("widgets.serving", timeout or 0.0) from error

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


class Copies:
    """Makes copies of a process that it starts when the first is asked for, and ends with this one."""

    def __init__(self) -> None:
        self._asking, asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asking.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * LONGEST)
        with asked:
            self._copied = subprocess.Popen(
                [sys.executable, "-m", __name__, str(asked.fileno())],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=[asked.fileno()],
            )
        atexit.register(self.stop)

    def start(self, arguments: Sequence[str], env: Mapping[str, str], output: int) -> Copy:
        """A copy that serves.

        Args:
            arguments: of the command line of a server.
            env: its environment.
            output: file that it writes to.
        """
        ending, end = socket.socketpair()
        request = json.dumps({"arguments": list(arguments), "env": dict(env)}).encode()
        with end:
            socket.send_fds(self._asking, [request], [output, end.fileno()])
        pid = self._asking.recv(64)
        assert pid, "what servers are copied from has ended: its last words are above"
        return Copy(int(pid), ending)

    def stop(self) -> None:
        """Make no more copies; those that run go on."""
        self._asking.close()
        self._copied.wait()


def import_all() -> None:
    """Import what a server, its kernels and its first page do, and read what kernels share."""
    from widgets.serving import __main__, options, preload

    options.prepare_environment(os.environ, "127.0.0.1")  # type: ignore[arg-type]  # Jupyter reads its paths as it is imported
    sys.modules.setdefault(__main__.UNASKED, None)  # type: ignore[arg-type]  # as `main` does
    import IPython  # noqa: F401  # for the first page
    import nbformat

    import widgets.serving.app  # noqa: F401
    from tutor.core.ahead import read_ahead

    nbformat.validate(nbformat.v4.new_notebook())  # type: ignore[no-untyped-call]  # compiles the schema of notebooks
    for name in preload.names():
        importlib.import_module(name)
    preload.make_readers()
    read_ahead()
    assert threading.active_count() == 1, "a copy has one thread"
    gc.collect()
    gc.freeze()


def make_copies(asked: socket.socket) -> list[str]:
    """Make copies until nobody can ask any more.

    Args:
        asked: requests come from there.

    Returns:
        in a copy, the arguments of its command line.

    Raises:
        SystemExit: in the process that is copied, at its end.
    """
    ends: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([asked], [], [], LOOK if ends else None)
        while ends and (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            end = ends.pop(pid)
            os.write(end, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(end)
        if not ready:
            continue
        request, given, _, _ = socket.recv_fds(asked, LONGEST, 2)
        if not request:
            sys.exit()
        output, end = given
        pid = os.fork()
        if not pid:
            break
        asked.send(str(pid).encode())
        os.close(output)
        ends[pid] = end
    os.dup2(output, 1)
    os.dup2(output, 2)
    for one in (output, end, *ends.values()):
        os.close(one)
    asked.close()
    wanted = json.loads(request)
    os.environ.clear()
    os.environ.update(wanted["env"])
    return [str(word) for word in wanted["arguments"]]


def keep_fork_server() -> None:
    """Have what a server's kernels are copied from be a copy, too: made now, before the server has threads and sockets.

    It waits until the server wants to start one. One that has to be replaced starts as it does for an operator.
    """
    asking, asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if not pid:
        asking.close()
        be_fork_server(asked)
    asked.close()
    start = util.spawnv_passfds

    def start_or_take(path: bytes, words: Sequence[str], given: Sequence[int]) -> int:
        if "multiprocessing.forkserver" not in words[-1]:
            return start(path, words, given)
        util.spawnv_passfds = start
        with asking:
            socket.send_fds(asking, [json.dumps(dict(os.environ)).encode()], given)
        return pid

    util.spawnv_passfds = start_or_take


def be_fork_server(asked: socket.socket) -> NoReturn:
    """Be what kernels are copied from, once that is asked; end when nobody can ask any more.

    Args:
        asked: the request comes from there, with the two files that Python's fork server is given.
    """
    from widgets.serving import forked

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # as it is born in `widgets.serving.forked`
    env, given, _, _ = socket.recv_fds(asked, LONGEST, 2)
    asked.close()
    try:
        if env:
            os.environ.clear()
            os.environ.update(json.loads(env))
            forkserver.main(*given, [forked.PRELOADED])
    finally:
        os._exit(0)


def serve() -> int:
    """Serve, as ``python -m widgets.serving`` does; the exit status."""
    from widgets.serving import __main__

    arguments = make_copies(socket.socket(fileno=int(sys.argv[1])))
    sys.modules["__main__"].__spec__ = __main__.__spec__  # which each kernel is told
    sys.argv = [__main__.__file__, *arguments]
    keep_fork_server()
    return __main__.main()


if __name__ == "__main__":
    import_all()
    sys.exit(serve())
