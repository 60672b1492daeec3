"""A network between a browser and a server that can be cut, and can fall silent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

CHUNK = 65_536


class Proxy:
    """Passes TCP connections on to a port of this machine.

    Args:
        port: of the server.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        #: Of each connection: whether anything passes.
        self._gates: set[asyncio.Event] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._refuses = self._mute = False
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._do(lambda: asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        """Address of the server through this network."""
        return f"http://127.0.0.1:{self.port}"

    def _do(self, make: Callable[[], Any]) -> Any:
        async def play() -> Any:
            made = make()
            return await made if asyncio.iscoroutine(made) else made

        return asyncio.run_coroutine_threadsafe(play(), self._loop).result(30)

    # -- weather --------------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """End every connection, and refuse new ones."""

        def cut() -> None:
            self._refuses = True
            for writer in self._writers:
                writer.transport.abort()

        self._do(cut)

    def silence(self) -> None:
        """Let nothing through, and end nothing."""

        def silence() -> None:
            self._mute = True
            for gate in self._gates:
                gate.clear()

        self._do(silence)

    def restore(self, *, old: bool = True) -> None:
        """Let everything through again.

        Args:
            old: whether what was there already goes on; else the network has forgotten it, without a word.
        """

        def restore() -> None:
            self._refuses = self._mute = False
            for gate in self._gates if old else ():
                gate.set()

        self._do(restore)

    def close(self) -> None:
        """End it."""
        self.cut()
        self._do(lambda: asyncio.wait_for(self._ended(), 10))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _ended(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- connections ----------------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refuses:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        gate = asyncio.Event()
        if not self._mute:
            gate.set()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._writers |= ends
        self._gates.add(gate)
        try:
            await asyncio.gather(self._pass(reader, far_writer, gate), self._pass(far_reader, writer, gate))
        except (OSError, ConnectionError):
            pass
        finally:
            for end in ends:
                end.transport.abort()
            self._writers -= ends
            self._gates.discard(gate)

    @staticmethod
    async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event) -> None:
        while data := await reader.read(CHUNK):
            await gate.wait()
            writer.write(data)
            await writer.drain()
        await gate.wait()
        if writer.can_write_eof():
            writer.write_eof()
