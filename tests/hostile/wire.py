"""A visitor without a browser, who writes on the wire what he likes: pages, websockets and their frames, byte by byte."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

import psutil

from tests.browser.harness import PATIENCE, Server
from widgets.serving.connections import V1_PROTOCOL

MIB = 1024 * 1024
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
CONTROL = "jupyter.widget.control"


def exchange(url: str, request: bytes) -> bytes:
    """All that a server answers to these bytes until it hangs up; this side has nothing more to say."""
    place = urlsplit(url)
    heard = b""
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as wire:
        try:
            wire.sendall(request)
            wire.shutdown(socket.SHUT_WR)
            while data := wire.recv(65536):
                heard += data
        except OSError:  # it has hung up already, or says nothing any more
            pass
    return heard


def get(url: str, path: str) -> bytes:
    """The answer to a plain GET."""
    host = urlsplit(url).netloc
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as wire:
        wire.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: wire.recv(65536), b""))


@dataclass
class Kernel:
    """A kernel of a page that was asked for, and the cookies that came with it."""

    url: str
    id: str
    cookies: str = ""

    @classmethod
    def of(cls, url: str, path: str) -> Kernel:
        """Ask for a page, as a browser does."""
        page = get(url, path)
        known = re.search(rb'"kernelId": *"([^"]+)"', page)
        assert known, page[:300]
        given = re.findall(rb"(?i)^set-cookie: *([^;\r\n]+)", page, re.MULTILINE)
        return cls(url, known[1].decode(), "; ".join(cookie.decode() for cookie in given))

    @property
    def channels(self) -> str:
        """Address of its channels."""
        return f"/api/kernels/{self.id}/channels?session_id=page"


def pack(parts: Sequence[bytes], channel: bytes = b"shell") -> bytes:
    """A frame of the v1 protocol."""
    offsets = [8 * (len(parts) + 3)]
    for part in (channel, *parts):
        offsets.append(offsets[-1] + len(part))
    return struct.pack(f"<{len(offsets) + 1}Q", len(offsets), *offsets) + channel + b"".join(parts)


def message(kind: str, buffers: Sequence[bytes] = (), /, channel: bytes = b"shell", **content: Any) -> bytes:
    """A frame as a page of ours sends it."""
    header = {
        "date": "2026-11-22T18:35:11.643Z",
        "msg_id": str(uuid.uuid4()),
        "msg_type": kind,
        "session": "page",
        "username": "",
        "version": "5.2",
    }
    parts = [json.dumps(part).encode() for part in (header, {}, {"version": "1.0.0"}, content)]
    return pack([*parts, *buffers], channel)


def encode(payload: bytes, opcode: int = BINARY, *, fin: bool = True, masked: bool = True, length: int = -1) -> bytes:
    """A websocket frame.

    Args:
        payload: What it carries.
        opcode: Its kind.
        fin: Whether it ends a message.
        masked: Whether it is masked, as a browser must.
        length: The length that it declares, the true one below 0.
    """
    declared, mask_bit = len(payload) if length < 0 else length, 0x80 if masked else 0
    head = bytes([opcode | (0x80 if fin else 0)])
    if declared < 126:
        head += bytes([declared | mask_bit])
    elif declared < 65536:
        head += struct.pack("!BH", 126 | mask_bit, declared)
    else:
        head += struct.pack("!BQ", 127 | mask_bit, declared)
    return head + (bytes(4) if masked else b"") + payload


@dataclass
class Line:
    """A websocket, written on by hand."""

    wire: socket.socket
    heard: bytearray = field(default_factory=bytearray)

    @classmethod
    def open(cls, kernel: Kernel, path: str = "", protocol: str = V1_PROTOCOL, room: int = 0) -> Self:
        """Open the channels of a kernel, or another websocket.

        Args:
            kernel: Whose.
            path: Another address.
            protocol: Sub-protocol asked for, "" for none.
            room: Bytes that this side's system keeps for it, 0 for the usual.

        Raises:
            ConnectionError: when it is refused.
        """
        place = urlsplit(kernel.url)
        wire = socket.socket()
        if room:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        wire.settimeout(PATIENCE)
        wire.connect((place.hostname, place.port))
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [
            f"GET {path or kernel.channels} HTTP/1.1",
            f"Host: {place.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            *([f"Sec-WebSocket-Protocol: {protocol}"] if protocol else []),
            *([f"Cookie: {kernel.cookies}"] if kernel.cookies else []),
        ]
        wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        line = cls(wire)
        while b"\r\n\r\n" not in line.heard:
            data = wire.recv(65536)
            if not data:
                wire.close()
                raise ConnectionError("hung up")
            line.heard += data
        head, _, rest = bytes(line.heard).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            wire.close()
            raise ConnectionError(head.split(b"\r\n")[0].decode())
        line.heard[:] = rest
        return line

    def send(self, payload: bytes, opcode: int = BINARY, **shape: Any) -> None:
        """Write one frame."""
        self.wire.sendall(encode(payload, opcode, **shape))

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Kind and content of every frame that comes, until the other side hangs up."""
        while True:
            while (size := self._size()) is None or len(self.heard) < sum(size):
                try:
                    data = self.wire.recv(65536)
                except ConnectionError:
                    return
                if not data:
                    return
                self.heard += data
            head, length = size
            opcode, content = self.heard[0] & 15, bytes(self.heard[head : head + length])
            del self.heard[: head + length]
            yield opcode, content

    def _size(self) -> tuple[int, int] | None:
        if len(self.heard) < 2:
            return None
        length = self.heard[1] & 127
        if length < 126:
            return 2, length
        head = 4 if length == 126 else 10
        return (head, int.from_bytes(self.heard[2:head], "big")) if len(self.heard) >= head else None

    def close_code(self) -> int:
        """Code with which the other side closes, 0 when it hangs up without a word."""
        for opcode, content in self.frames():
            if opcode == CLOSE:
                return int.from_bytes(content[:2], "big")
        return 0

    def wait_for(self, text: bytes) -> bytes:
        """The first message that has this text in it."""
        for _, content in self.frames():
            if text in content:
                return content
        raise AssertionError(f"hung up before {text!r}")

    def settle(self) -> None:
        """Wait until all that was sent is read: what a line that is hung up had not read yet is lost."""
        self.send(b"", PING)
        assert any(opcode == PONG for opcode, _ in self.frames())

    def hang_up(self) -> None:
        """Leave without a word."""
        self.wire.close()


@dataclass
class Watch:
    """What was seen of a server while something was done to it."""

    waits: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def longest(self) -> float:
        """Longest time that the health address took, in seconds."""
        return max(self.waits)

    @property
    def growth(self) -> float:
        """Growth of the server's memory at its largest, in MiB."""
        return (max(self.sizes) - self.sizes[0]) / MIB


@contextmanager
def watched(server: Server) -> Iterator[Watch]:
    """Ask for the server's health all along, each time as a new visitor, and look at its memory."""
    seen, over = Watch(), threading.Event()
    process = psutil.Process(server.process.pid)

    def look() -> None:
        began = time.monotonic()
        try:
            answer = get(server.url, "/sante")
            if not answer.startswith(b"HTTP/1.1 200"):
                seen.faults.append(answer[:200].decode("utf-8", "replace"))
        except OSError as error:
            seen.faults.append(repr(error))
        seen.waits.append(time.monotonic() - began)
        seen.sizes.append(process.memory_info().rss)

    def keep_looking() -> None:
        while not over.wait(0.1):
            look()

    look()
    thread = threading.Thread(target=keep_looking)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
        look()
