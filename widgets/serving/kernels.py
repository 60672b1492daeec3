"""Kernels: what Voilà needs changed to be safe and to leave nothing behind."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from queue import Empty
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.session import Session
from jupyter_server._tz import utcnow
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from tornado.web import HTTPError
from traitlets import DottedObjectName, Instance, Integer, Type
from voila.request_info_handler import RequestInfoSocketHandler

from widgets.serving.arrivals import Arrivals
from widgets.serving.ceilings import Warden
from widgets.serving.confine import Confinement
from widgets.serving.connections import PatientKernelManager, QuickConnection
from widgets.serving.lines import Lines
from widgets.serving.metrics import Metrics
from widgets.serving.places import TAKEN

#: Seconds after its last cell in which a kernel begins to build its page, and that this may take at most.
BUILDS, LONGEST_BUILD = 0.03, 30.0
#: Seconds for which a kernel that was asked is waited for, then for what it tells everybody; then it is asked again.
ANSWERS, TELLS = 1.0, 0.1
#: Milliseconds between the first tries to reach a kernel that does not listen yet, and at most between later ones.
TRIES = 5, 100
#: Seconds between two looks whether a kernel that is waited for is still there.
STILL_THERE = 0.1


class RoomFull(HTTPError):
    """Every place is taken: no kernel for one more reader."""

    def __init__(self) -> None:
        super().__init__(503, reason="Salle pleine")


class ReaderClient(AsyncKernelClient):  # type: ignore[misc]
    """Whoever runs the cells of a reader's page: begins when the kernel is heard.

    By itself a client listens to a kernel that has answered until it has been silent for a fifth of a second.
    """

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait until a kernel answers, and what it tells everybody is heard: that it has.

        Args:
            timeout: seconds; None waits for ever.

        Raises:
            RuntimeError: it has ended.
            TimeoutError: it says nothing.
        """
        async with asyncio.timeout(timeout):
            while True:
                self.kernel_info()
                with suppress(Empty):
                    reply = await self.get_shell_msg(timeout=ANSWERS)
                    await self._hear_the_end_of(reply["parent_header"].get("msg_id"))
                    return
                if not await self.is_alive():
                    raise RuntimeError("the kernel has ended before it answered")

    async def _hear_the_end_of(self, asked: str) -> None:
        while True:
            news = await self.get_iopub_msg(timeout=TELLS)
            if news["parent_header"].get("msg_id") == asked and news["content"].get("execution_state") == "idle":
                return


def _impatient() -> zmq.asyncio.Context:
    """Where sockets are made that try again soon to reach a kernel that only begins to listen."""
    made = zmq.asyncio.Context()
    made.reconnect_ivl, made.reconnect_ivl_max = TRIES
    return made


class ReaderKernel(ServerKernelManager):  # type: ignore[misc]
    """A kernel, asked by whoever runs its cells over the sockets of all.

    By itself each client makes a context of its own, and ends it after the last cell: that waits, up to a second for all
    readers, for what was said to a kernel that has ended because its page was left.
    """

    client_factory = Type(ReaderClient, klass=AsyncKernelClient)
    #: Not that of the kernels' own sockets, which are as many as it may have.
    _asking = _impatient()

    def client(self, **kwargs: Any) -> AsyncKernelClient:
        """A client of the kernel."""
        return super().client(context=self._asking, **kwargs)


class ReaderKernelManager(PatientKernelManager):
    """Kernels of readers, counted and limited, and protected from the culler while their page loads.

    A pre-heated kernel keeps the last activity of its warm-up, so the culler could end it in the second between the
    page's request (it leaves the pool) and its websocket: every kernel gets a full idle period at first sight.
    """

    max_kernels = Integer(60, config=True, help="Kernels of readers at most, pre-heated ones not counted.")

    metrics = Instance(Metrics, ())
    kernel_manager_class = DottedObjectName(f"{__name__}.{ReaderKernel.__name__}")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._seen: set[str] = set()
        self._arriving: set[str] = set()
        self._waiting: set[str] = set()
        self.confinement: Confinement | None = None
        self.lines: Lines | None = None
        #: Looks at what kernels use, once the server serves.
        self.warden: Warden | None = None
        self._settling: set[asyncio.Task[None]] = set()
        #: The line of those who arrive, once the server has one.
        self.arrivals: Arrivals | None = None

    def pre_start_kernel(self, kernel_name: str | None, kwargs: Any) -> Any:
        """Give a kernel a folder of its own, for its connection and its sockets."""
        manager, name, kernel_id = super().pre_start_kernel(kernel_name, kwargs)
        if self.confinement is not None:
            manager.connection_file = str(self.confinement.folder(kernel_id) / "n.json")
        return manager, name, kernel_id

    def readers(self) -> int:
        """How many places are taken: kernels with a page, or starting for one."""
        return len((set(self.list_kernel_ids()) | self._arriving) - self._waiting)

    def pages(self) -> dict[str, int]:
        """How many pages are open on each reader's kernel, by kernel id."""
        return {
            each: self._kernel_connections.get(each, 0) for each in self.list_kernel_ids() if each not in self._waiting
        }

    def waiting(self) -> int:
        """How many pre-heated kernels wait for a reader, or start for that."""
        return len(self._waiting)

    def check_room(self) -> None:
        """Refuse one more reader when every place is taken.

        Raises:
            RoomFull: answered with a French page and status 503.
        """
        if self.readers() >= self.max_kernels:
            self.metrics.places_refused.inc()
            raise RoomFull()

    def take(self, kernel_id: str) -> None:
        """Count a pre-heated kernel as a reader's from now on.

        Raises:
            RoomFull: when every place is taken.
        """
        self.check_room()
        self._waiting.discard(kernel_id)

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Start a kernel, for the pool (then in its turn) or for a reader (then only if there is room).

        Raises:
            RoomFull: when a reader comes and every place is taken.
        """
        kernel_id = kwargs.setdefault("kernel_id", self.new_kernel_id())
        # One history file for all readers would be a lock that they wait for; nobody reads it.
        kwargs.setdefault("extra_arguments", ["--HistoryManager.enabled=False"])
        if kwargs.get("env", {}).get("VOILA_PREHEAT") == "True":
            return await self._start_quietly(kernel_id, kwargs)
        self.check_room()
        place = TAKEN.get()
        if place is not None:
            place.kernel = kernel_id
        self._arriving.add(kernel_id)
        try:
            started: str = await super().start_kernel(**kwargs)
            self.metrics.kernels_started.inc()
            return started
        except BaseException:
            self._waiting.discard(kernel_id)
            if self.confinement is not None and kernel_id not in self:
                self.confinement.release(kernel_id)
            raise
        finally:
            self._arriving.discard(kernel_id)

    def processes(self) -> list[tuple[str, int]]:
        """Every kernel that runs, with its process."""
        every = ((kernel_id, getattr(kernel.provisioner, "pid", None)) for kernel_id, kernel in self._kernels.items())
        return [(kernel_id, pid) for kernel_id, pid in every if pid]

    async def end_for_good(self, kernel_id: str) -> None:
        """End a kernel that went too far, tell its page and close its line: what waits there is for nobody."""
        for line in [one for one in QuickConnection._open_sockets if one.kernel_id == kernel_id]:
            line._send_status_message("dead")
            line.websocket_handler.close()
        if kernel_id in self:
            await self.shutdown_kernel(kernel_id, now=True)

    async def _start_quietly(self, kernel_id: str, kwargs: dict[str, Any]) -> str:
        """Start a kernel that nobody waits for yet, once the readers leave it time; its turn ends with its page built."""
        if self.arrivals is not None:
            await self.arrivals.quiet_turn()
        self._waiting.add(kernel_id)
        try:
            await super().start_kernel(**kwargs)
            self.metrics.kernels_started.inc()
        except BaseException:
            self._waiting.discard(kernel_id)
            if self.confinement is not None and kernel_id not in self:
                self.confinement.release(kernel_id)
            if self.arrivals is not None:
                self.arrivals.quiet_done()
            raise
        settling = asyncio.ensure_future(self._settle_quietly(kernel_id))
        self._settling.add(settling)
        settling.add_done_callback(self._settling.discard)
        return kernel_id

    async def _settle_quietly(self, kernel_id: str) -> None:
        try:
            async with asyncio.timeout(LONGEST_BUILD):
                while (drawing := self._drawing(kernel_id)) is None and kernel_id in self._waiting:
                    await asyncio.sleep(BUILDS)
                if drawing is not None:
                    await asyncio.wait([drawing])
                    await self.settled(kernel_id)
        except TimeoutError:
            self.log.debug("a kernel of the pool does not settle")
        finally:
            if self.arrivals is not None:
                self.arrivals.quiet_done()

    def _drawing(self, kernel_id: str) -> asyncio.Task[Any] | None:
        """The task that runs the cells of a kernel of the pool."""
        for pool in getattr(self, "_pools", {}).values():
            for task in pool:
                done = task.done() and not task.cancelled() and task.exception() is None
                if done and task.result()["kernel_id"] == kernel_id:
                    return task.result()["task"]  # type: ignore[no-any-return]
        return None

    async def settled(self, kernel_id: str) -> None:
        """Wait until a kernel whose cells have run has also built its page: it answers nothing before.

        Whoever comes next waits for it, so one that ends meanwhile (its reader left) is waited for no longer.

        Args:
            kernel_id: one that may have ended before.
        """
        await asyncio.sleep(BUILDS)
        if kernel_id not in self:
            return
        kernel, process = self.get_kernel(kernel_id), dict(self.processes()).get(kernel_id)
        # A session of its own: with that of whoever runs the cells, the kernel would answer one of them for the other.
        own = Session(config=kernel.session.config, key=kernel.session.key)
        client = kernel.client(session=own)
        client.start_channels(shell=True, iopub=False, stdin=False, hb=False, control=False)
        try:
            asked, end = client.kernel_info(), asyncio.get_running_loop().time() + LONGEST_BUILD
            while (kernel_id, process) in self.processes() and asyncio.get_running_loop().time() < end:
                with suppress(Empty):
                    reply = await client.get_shell_msg(timeout=STILL_THERE)
                    if reply["parent_header"].get("msg_id") == asked:
                        return
        except Exception:
            self.log.debug("a kernel does not answer", exc_info=True)  # ended, or at work for long: others may start
        finally:
            client.shell_channel.stop()

    async def end_reader(self, kernel_id: str) -> None:
        """End a reader's kernel at once, and give his place back; one that has gone already is no error."""
        if kernel_id in self:
            # Nothing to save: what counts is kept by the server, so the kernel is not asked politely.
            await self.shutdown_kernel(kernel_id, now=True)

    def notify_connect(self, kernel_id: str) -> None:
        """A page has connected to its kernel: its place is in use."""
        super().notify_connect(kernel_id)
        if self.warden is not None:
            self.warden.meet(kernel_id, asyncio.get_running_loop().time())
        if self.arrivals is not None:
            self.arrivals.places.opened(kernel_id)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that nobody uses, never the first time it is looked at."""
        if kernel_id not in self._seen:
            self._seen.add(kernel_id)
            if kernel_id in self._kernels:
                self._kernels[kernel_id].last_activity = utcnow()
            return
        await super().cull_kernel_if_idle(kernel_id)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel, and what was kept for its page."""
        if kernel_id in self._kernels:
            self.metrics.kernels_ended.inc()
        self._seen.discard(kernel_id)
        self._waiting.discard(kernel_id)
        if self.lines is not None:
            self.lines.forget(kernel_id)
        RequestInfoSocketHandler._cache.pop(kernel_id, None)
        if self.confinement is not None:
            self.confinement.release(kernel_id)
        if self.arrivals is not None:
            self.arrivals.places.left(kernel_id)
        return super().remove_kernel(kernel_id)
