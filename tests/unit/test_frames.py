"""What passes of the frames of a page, and what does not: nothing of a visitor's is believed."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.serving import frames
from widgets.serving.frames import INVALID, POLICY, PROTOCOL_ERROR, TOO_BIG, UNSUPPORTED, BadFrame

#: As a browser sends it (Chromium 156, ipywidgets 8.1).
HEADER: dict[str, Any] = {
    "date": "2026-11-22T18:35:11.643Z",
    "msg_id": "278e23fb-2443-4d6a-8d42-78ca1ef8c065",
    "msg_type": "comm_msg",
    "session": "e7163fd0-f49b-47d6-9c3a-1b07fc64101a",
    "username": "",
    "version": "5.2",
}
COMM = {"comm_id": "7256724f45f74f3381c28f05ed96f2fb"}
UPDATE = {**COMM, "data": {"method": "update", "state": {"value": "é"}, "buffer_paths": []}}
FILE = {
    **COMM,
    "data": {"method": "update", "state": {"value": [{"name": "a"}]}, "buffer_paths": [["value", 0, "content"]]},
}


def frame(content: Any = UPDATE, *buffers: bytes, channel: bytes = b"shell", **header: Any) -> bytes:
    """A frame with this content, and this header where it differs from a browser's."""
    texts = [{**HEADER, **header}, {}, {}, content]
    parts = [channel, *(text if isinstance(text, bytes) else json.dumps(text).encode() for text in texts), *buffers]
    offsets = [8 * (len(parts) + 2)]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    return struct.pack(f"<{len(offsets) + 1}Q", len(offsets), *offsets) + b"".join(parts)


def code(data: bytes | str) -> int:
    """Close code of a refused frame."""
    with pytest.raises(BadFrame) as caught:
        frames.read(data)
    assert len(caught.value.reason.encode()) <= 123  # what a close frame can carry
    return caught.value.code


@pytest.mark.parametrize(
    ("kind", "content", "buffers"),
    [
        ("kernel_info_request", {}, ()),
        ("comm_open", {**COMM, "target_name": "jupyter.widget.control", "data": {}}, ()),
        ("comm_msg", UPDATE, ()),
        ("comm_msg", FILE, (b"\x00" * 3_000_000,)),
        ("comm_msg", {**COMM, "data": {"method": "custom", "content": {"type": "ping"}}}, ()),
        ("comm_msg", {**COMM, "data": {"method": "request_states"}}, ()),
        ("comm_close", {**COMM, "data": {}}, ()),
        ("comm_info_request", {"target_name": "jupyter.widget"}, ()),
    ],
)
def test_what_a_page_sends_passes(kind: str, content: Any, buffers: tuple[bytes, ...]) -> None:
    read = frames.read(frame(content, *buffers, msg_type=kind))
    assert (read.channel, read.kind, len(read.parts)) == ("shell", kind, 4 + len(buffers))
    assert json.loads(read.parts[3]) == content
    assert tuple(read.parts[4:]) == buffers


def test_half_a_character_passes_as_a_browser_may_send_it() -> None:
    cut = json.dumps({**COMM, "data": {"method": "update", "state": {"value": "\ud83d"}}}).encode()
    assert frames.read(frame(cut)).parts[3] == cut


def test_text_where_bytes_are_meant() -> None:
    assert code("{}") == UNSUPPORTED
    assert code(frame().decode("latin-1")) == UNSUPPORTED


@pytest.mark.parametrize("length", [0, 1, 7, 8, 55])
def test_a_frame_that_ends_too_soon(length: int) -> None:
    assert code(b"\xff" * length) == PROTOCOL_ERROR


@pytest.mark.parametrize("count", [0, 1, 5, 23, 24, 2**32, 2**56 - 1, 2**63, 2**64 - 1])
def test_a_number_of_offsets_that_is_not_there(count: int) -> None:
    assert code(struct.pack("<Q", count) + frame()[8:]) == PROTOCOL_ERROR


@pytest.mark.parametrize("at", range(6))
@pytest.mark.parametrize("lie", [0, 8, 2**40, 2**64 - 1])
def test_an_offset_that_lies(at: int, lie: int) -> None:
    data = bytearray(frame())
    struct.pack_into("<Q", data, 8 * (at + 1), lie)
    assert code(bytes(data)) == PROTOCOL_ERROR


def test_bytes_that_no_offset_counts() -> None:
    assert code(frame() + b"x") == PROTOCOL_ERROR


@pytest.mark.parametrize("channel", [b"", b"iopub", b"stdin", b"\xff", b"a" * 5_000])
def test_a_channel_on_which_a_page_does_not_speak(channel: bytes) -> None:
    assert code(frame(channel=channel)) == POLICY


@pytest.mark.parametrize("kind", ["execute_request", "shutdown_request", "input_reply", "interrupt_request", "x" * 200])
def test_a_message_that_a_page_does_not_send(kind: str) -> None:
    assert code(frame({}, msg_type=kind)) == POLICY


@pytest.mark.parametrize(
    "header",
    [
        {"msg_id": ""},
        {"msg_id": None},
        {"msg_type": 1},
        {"session": []},
        {"username": {}},
        {"username": "2026-99-99T00:00:00"},
        {"date": "2026-02-30T18:35:11.643Z"},
        {"version": "4"},
        {"version": "5.x"},
        {"version": None},
        {"more": "a" * 300},
    ],
)
def test_a_header_that_a_kernel_would_stumble_on(header: dict[str, Any]) -> None:
    assert code(frame(**header)) == INVALID


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"a": NaN}',
        b'{"a": "\xff"}',
        b'{"comm_id": ' + b"1" * 5_000 + b"}",
        b'{"a":' * 500 + b"1" + b"}" * 500,
        b"[" * 100_000,
        {**COMM, "data": {"method": "custom", "content": json.loads("[" * 40 + "]" * 40)}},
        {"data": {}},
        {"comm_id": 1, "data": {}},
        {"comm_id": "a" * 300, "data": {}},
        {**COMM, "data": []},
        {**COMM, "data": {"method": "update", "state": []}},
        {**COMM, "data": {"method": "update", "state": {}, "buffer_paths": [["a"]]}},
    ],
)
def test_a_content_that_is_not_what_it_should_be(content: Any) -> None:
    assert code(frame(content)) == INVALID


def test_a_method_that_no_widget_has() -> None:
    assert code(frame({**COMM, "data": {"method": ["update"]}})) == POLICY
    assert code(frame({**COMM, "data": {}})) == POLICY


@pytest.mark.parametrize(
    "path", [[], "value", ["value", 1, "content"], ["a", "b"], ["value", 0, 1], ["value", "x"], [{}]]
)
def test_a_buffer_without_a_place(path: Any) -> None:
    content = json.loads(json.dumps(FILE))
    content["data"]["buffer_paths"] = [path]
    assert code(frame(content, b"abc")) == INVALID


def test_a_page_makes_no_widget() -> None:
    content = {**COMM, "target_name": "jupyter.widget", "data": {"state": {"_model_name": "HTMLModel"}}}
    assert code(frame(content, msg_type="comm_open")) == POLICY


def test_too_much() -> None:
    assert code(bytes(frames.LONGEST_FRAME + 1)) == TOO_BIG
    assert code(frame({**COMM, "data": {"method": "custom", "content": "a" * frames.LONGEST_CONTENT}})) == TOO_BIG
    assert code(frame(FILE, *[b"a"] * 17)) == PROTOCOL_ERROR
    assert code(frame(**{"x" * frames.LONGEST_HEADER: ""})) == TOO_BIG


@given(st.data())
def test_any_bytes_are_read_or_refused(data: st.DataObject) -> None:
    good = bytearray(frame(FILE, b"abc"))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    try:
        read = frames.read(bytes(good))
    except BadFrame:
        return
    assert sum(map(len, read.parts)) < len(good)
    assert all(isinstance(json.loads(part), dict) for part in read.parts[:4])
