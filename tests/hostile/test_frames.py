"""Frames that no page sends: none stops the server, slows it, or leaves a trace of a fault in its log."""

from __future__ import annotations

import json
import random
import struct

from tests.browser.harness import Server
from tests.hostile.conftest import LESSON
from tests.hostile.wire import (
    BINARY,
    CLOSE,
    CONTROL,
    PING,
    PONG,
    TEXT,
    Kernel,
    Line,
    Watch,
    encode,
    message,
    pack,
    watched,
)

FATAL = b"\xff" * 7 + b"\x00"


def valid(chance: random.Random) -> bytes:
    """A frame that a page might send."""
    comm = f"{chance.getrandbits(128):032x}"
    kinds = [
        lambda: message("kernel_info_request"),
        lambda: message("comm_open", comm_id=comm, target_name=CONTROL, data={}),
        lambda: message("comm_msg", comm_id=comm, data={"method": "custom", "content": {"type": "ping"}}),
        lambda: message(
            "comm_msg",
            [chance.randbytes(200)],
            comm_id=comm,
            data={"method": "update", "state": {"value": [{"name": "a"}]}, "buffer_paths": [["value", 0, "content"]]},
        ),
        lambda: message("comm_close", comm_id=comm, data={}),
    ]
    return chance.choice(kinds)()


def offsets(chance: random.Random) -> bytes:
    """A frame whose offsets lie."""
    frame = bytearray(valid(chance))
    count = int.from_bytes(frame[:8], "little")
    lies = [0, 1, 8, 2**31, 2**63 - 1, 2**64 - 1, len(frame), len(frame) + 1, chance.getrandbits(64)]
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(count + 1)
        struct.pack_into("<Q", frame, 8 * at, chance.choice(lies))
    return bytes(frame)


def mutated(chance: random.Random) -> bytes:
    """A frame with bytes changed, taken away or added."""
    frame = bytearray(valid(chance))
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(frame))
        match chance.randrange(4):
            case 0:
                frame[at] ^= 1 << chance.randrange(8)
            case 1:
                del frame[at : at + chance.randint(1, 40)]
            case 2:
                frame[at:at] = chance.randbytes(chance.randint(1, 40))
            case _:
                frame[at] = chance.choice(b'{}[]",:\\\x00\xff')
        if not frame:
            break
    return bytes(frame)


def wrong_json(chance: random.Random) -> bytes:
    """A frame whose parts are no JSON, or another JSON than a kernel expects."""
    deep = chance.choice([33, 500, 1_000, 100_000])
    odd = [
        b"",
        b"null",
        b"[]",
        b'"a"',
        b"1",
        b"NaN",
        b"{" * deep,
        b"[" * deep + b"]" * deep,
        b'{"a":' * deep + b"1" + b"}" * deep,
        b'{"a": "\xff\xfe"}',
        b'{"a": "\\ud800"}',
        b'{"data": ' + b"1" * 5_000 + b"}",
        b'{"msg_type": 1}',
        b'{"msg_id": "", "msg_type": "comm_msg", "session": null, "version": {}}',
        json.dumps({"msg_id": "1", "msg_type": "execute_request", "session": "s", "version": "5.3"}).encode(),
        json.dumps(
            {"msg_id": "1", "msg_type": "comm_msg", "session": "s", "version": "5.3", "date": "9999-99-99T99"}
        ).encode(),
        json.dumps({"comm_id": {"$": 1}, "data": []}).encode(),
        json.dumps({"comm_id": "x", "target_name": "jupyter.widget", "data": {"state": {}}}).encode(),
        json.dumps({"comm_id": "x", "data": {"method": "update", "state": {}, "buffer_paths": [["a", "b"]]}}).encode(),
    ]
    good = valid(chance)
    count = int.from_bytes(good[:8], "little")
    words = struct.unpack_from(f"<{count}Q", good, 8)
    parts = [good[words[at] : words[at + 1]] for at in range(1, count - 1)]
    parts[chance.randrange(4)] = chance.choice(odd)
    return pack(parts, chance.choice([b"shell", b"shell", b"control", b"iopub", b"stdin", b"", b"\xff", b"x" * 9_999]))


def hostile(chance: random.Random) -> bytes:
    """Bytes for the wire: one hostile frame, of any kind."""
    payload = chance.choice([offsets, mutated, wrong_json])(chance)
    match chance.randrange(20):
        case 0:
            return encode(chance.randbytes(chance.randint(0, 300)), TEXT)
        case 1:
            return encode(payload, TEXT)
        case 2:
            return encode(payload, masked=False)
        case 3:
            return encode(b"", length=chance.choice([2**20, 2**31, 2**63 - 1, 2**64 - 1]))
        case 4:
            return encode(payload, fin=False) + encode(payload, chance.choice([0, BINARY, TEXT]))
        case 5:
            return encode(payload, 0)
        case 6:
            return encode(chance.randbytes(200), chance.choice([PING, PONG, CLOSE]))
        case 7:
            return encode(chance.randbytes(chance.randint(0, 125)), chance.choice([PING, PONG, CLOSE]))
        case 8:
            return encode(payload, chance.choice([3, 7, 11, 15]))
        case 9:
            return encode(struct.pack("!H", chance.choice([0, 999, 1005, 1006, 5000])) + b"\xff\xfe", CLOSE)
        case 10:
            return chance.randbytes(chance.randint(1, 300))
        case 11:
            return encode(FATAL)
        case _:
            return encode(payload)


def flood(server: Server, number: int) -> Watch:
    """Send so many hostile frames, on lines that are opened again as often as the server closes them.

    Args:
        server: with lessons.
        number: of frames, at least.
    """
    kernel = Kernel.of(server.url, LESSON)
    chance = random.Random(11)
    sent = 0
    with watched(server) as seen:
        fatal = Line.open(kernel)
        fatal.send(FATAL)
        assert fatal.close_code() == 1002
        while sent < number:
            line = Line.open(kernel)
            try:
                # What follows a frame that closed the line is sent all the same, as whoever attacks would.
                for _ in range(chance.randint(1, 80)):
                    line.wire.sendall(hostile(chance))
                    sent += 1
            except ConnectionError:
                pass
            finally:
                line.hang_up()
    page = Line.open(kernel)
    page.send(message("kernel_info_request"))
    assert b"kernel_info_reply" in page.wait_for(b"kernel_info_reply")
    page.hang_up()
    return seen


def test_hostile_frames_leave_the_server_as_it_was(hostile_server: Server) -> None:
    assert flood(hostile_server, 300).faults == []
