"""Kernels and their websockets: what Voilà needs changed to be quick, safe and to leave nothing behind."""

from __future__ import annotations

import asyncio
from typing import Any

from jupyter_server._tz import utcnow
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Integer
from voila.request_info_handler import RequestInfoSocketHandler

V1_PROTOCOL = "v1.kernel.websocket.jupyter.org"


class QuickConnection(ZMQChannelsWebsocketConnection):
    """The websocket between a page and its kernel.

    TCP_NODELAY: else a click that follows mouse moves waits 40 ms for a delayed acknowledgement.
    Clients without the v1 sub-protocol are refused: Voilà 0.5.13 misreads their frames and hangs the whole server.
    """

    def connect(self, *args: Any, **kwargs: Any) -> Any:
        """Join the page to its kernel, or close a client that speaks the old protocol (1002)."""
        handler = self.websocket_handler
        if handler.selected_subprotocol != V1_PROTOCOL:
            handler.close(1002, "v1 protocol required")
            done = asyncio.get_event_loop().create_future()
            done.set_result(None)
            return done
        handler.set_nodelay(True)
        return super().connect(*args, **kwargs)


class RoomFull(HTTPError):
    """Every place is taken: no kernel for one more reader."""

    def __init__(self) -> None:
        super().__init__(503, reason="Salle pleine")


class ReaderKernelManager(AsyncMappingKernelManager):
    """Kernels of readers, counted and limited, and protected from the culler while their page loads.

    A pre-heated kernel keeps the last activity of its warm-up, so the culler could end it in the second between the
    page's request (it leaves the pool) and its websocket: every kernel gets a full idle period at first sight.
    """

    max_kernels = Integer(60, config=True, help="Kernels of readers at most, pre-heated ones not counted.")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._seen: set[str] = set()
        self._arriving: set[str] = set()
        self._waiting: set[str] = set()

    def readers(self) -> int:
        """How many places are taken: kernels with a page, or starting for one."""
        return len((set(self.list_kernel_ids()) | self._arriving) - self._waiting)

    def waiting(self) -> int:
        """How many pre-heated kernels wait for a reader, or start for that."""
        return len(self._waiting)

    def check_room(self) -> None:
        """Refuse one more reader when every place is taken.

        Raises:
            RoomFull: answered with a French page and status 503.
        """
        if self.readers() >= self.max_kernels:
            raise RoomFull()

    def take(self, kernel_id: str) -> None:
        """Count a pre-heated kernel as a reader's from now on.

        Raises:
            RoomFull: when every place is taken.
        """
        self.check_room()
        self._waiting.discard(kernel_id)

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Start a kernel, for the pool or for a reader (then only if there is room).

        Raises:
            RoomFull: when a reader comes and every place is taken.
        """
        preheat = kwargs.get("env", {}).get("VOILA_PREHEAT") == "True"
        if not preheat:
            self.check_room()
        kernel_id = kwargs.setdefault("kernel_id", self.new_kernel_id())
        # One history file for all readers would be a lock that they wait for; nobody reads it.
        kwargs.setdefault("extra_arguments", ["--HistoryManager.enabled=False"])
        (self._waiting if preheat else self._arriving).add(kernel_id)
        try:
            return await super().start_kernel(**kwargs)
        except BaseException:
            self._waiting.discard(kernel_id)
            raise
        finally:
            self._arriving.discard(kernel_id)

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
        self._seen.discard(kernel_id)
        self._waiting.discard(kernel_id)
        RequestInfoSocketHandler._cache.pop(kernel_id, None)
        return super().remove_kernel(kernel_id)
