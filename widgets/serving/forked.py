"""Kernels that start as copies of one process that has everything imported: quicker, and memory they share.

Python's fork server does it. Where it cannot (another system than Linux, a refused socket), a kernel starts as Jupyter
starts it. Code is imported once, soon after the server starts; notebooks and content are read at every visit.
"""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from importlib.metadata import EntryPoint
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from widgets.serving import cell as cells
from widgets.serving import preload
from widgets.serving.cell import VARIABLE, Cell
from widgets.serving.confine import lent

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext  # not on every system

PRELOADED = "widgets.serving.preloaded"


def _copies() -> ForkServerContext | None:
    """What copies processes, or None where nothing should."""
    if not sys.platform.startswith("linux"):
        return None
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([PRELOADED])
    return context


def provisioner() -> str:
    """The name under which Jupyter finds the class below, in this process alone: elsewhere kernels start as ever."""
    name, factory = "ldv-fork", KernelProvisionerFactory
    factory.provisioners[name] = EntryPoint(name, f"{__name__}:{ForkedKernel.__name__}", factory.GROUP_NAME)
    return name


def warm() -> None:
    """Begin to import, so that the first reader does not wait for it."""
    if _copies():
        with suppress(OSError):  # each kernel then says why, and starts as a process of its own
            _ensure_running()
        atexit.register(_end)


def _ensure_running() -> None:
    """Have a fork server. It is born deaf to Ctrl+C, which is for the server: ignoring it itself would come too late."""
    from multiprocessing import forkserver, resource_tracker

    resource_tracker.ensure_running()  # first: it ends by unblocking the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end() -> None:
    """End the fork server, which may still be importing when the server stops."""
    from multiprocessing import forkserver

    pid = getattr(forkserver._forkserver, "_forkserver_pid", None)
    if pid is not None:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _start(process: BaseProcess) -> asyncio.Future[None]:
    """Start a copy in a thread of its own, which nobody waits for when the server stops."""
    started: Future[None] = Future()
    started.set_running_or_notify_cancel()

    def start() -> None:
        try:
            _ensure_running()
            process.start()
            started.set_result(None)
        except BaseException as error:
            started.set_exception(error)

    threading.Thread(target=start, daemon=True).start()
    return asyncio.wrap_future(started)


def start_beside(target: Callable[..., object], *given: object) -> BaseProcess:
    """Start a process of ours beside the kernels: a copy where that is possible. Waits until it has started.

    Args:
        target: function of a module that a copy may import; given: its arguments.

    Raises:
        OSError: the system refuses.
    """
    copies = _copies()
    if copies is not None:
        _ensure_running()
    process = (copies or multiprocessing.get_context("spawn")).Process(target=target, args=given, daemon=True)
    process.start()
    return process


class ForkedKernel(LocalProvisioner):
    """Starts one kernel of the server, as a copy when that is possible."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the kernel.

        Args:
            cmd: its command line; kwargs: ``env`` and ``cwd`` of the process, as for ``Popen``.
        """
        context = _copies()
        if context is None or cmd[1:3] != ["-m", "ipykernel_launcher"]:
            return await self._launch_alone(cmd, kwargs)
        # Voilà's keys are enumerations: pickled as such, they would have every kernel import Voilà.
        env = {str.__str__(key): str.__str__(value) for key, value in (kwargs.get("env") or os.environ).items()}
        self.cwd = str(kwargs.get("cwd") or os.getcwd())
        cell = self._cell(env)
        process = context.Process(target=preload.be_kernel, args=(cmd[2:], lent(env), self.cwd, cell), daemon=True)
        try:
            await _start(process)
        except (OSError, EOFError):
            self.log.warning("a kernel could not be copied; it starts as a process of its own", exc_info=True)
            return await self._launch_alone(cmd, kwargs)
        self.process, self.pid, self.pgid = _Copy(process), process.pid, None
        return self.connection_info

    def _cell(self, env: Mapping[str, str]) -> Cell | None:
        """What this kernel gets; None outside the server (a test, a notebook)."""
        confinement = getattr(getattr(self.parent, "parent", None), "confinement", None)
        return confinement.cell(self.kernel_id, env) if confinement else None

    async def _launch_alone(self, cmd: list[str], kwargs: dict[str, Any]) -> KernelConnectionInfo:
        """Start the kernel as a process of its own, as confined as a copy is."""
        env = dict(kwargs.get("env") or os.environ)
        cell = self._cell(env)
        if cell is not None:
            kwargs["env"] = {**lent(env), VARIABLE: cell.as_text()}
            if cmd[1:3] == ["-m", "ipykernel_launcher"]:
                cmd = [cmd[0], "-m", cells.__name__, *cmd[3:]]
        return await super().launch_kernel(cmd, **kwargs)


class _Copy:
    """A copied kernel, with what a provisioner asks of a ``Popen``."""

    stdin = stdout = stderr = None

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int | None:
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None and self._process.pid:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)
