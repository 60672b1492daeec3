"""What a page may say to its kernel: one frame of the v1 protocol, checked before anything else reads it.

A frame is a count, that many offsets (all 8 bytes, little endian), then a channel's name and the parts of a Jupyter
message: header, parent header, metadata, content, and any buffers. Whoever speaks to a kernel is a visitor like any
other, so nothing of it is believed: neither a length, nor an offset, nor the shape of what the kernel will look into.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, NoReturn

import orjson

#: Bytes of a frame at most; tornado refuses more while it still arrives (1009).
LONGEST_FRAME = 8 * 1024 * 1024
#: Parts of JSON at most, in bytes: a header and its like, and what is said.
LONGEST_HEADER, LONGEST_CONTENT = 16 * 1024, 2 * 1024 * 1024
#: Buffers of a message at most: a page sends one for each file that is opened.
MOST_BUFFERS = 16
#: Lists and objects in one another at most; the deepest that a page sends has 6.
DEEPEST = 32
#: Characters of a name at most: an id, a target, a date.
LONGEST_NAME = 256

CHANNELS = frozenset({"shell", "control"})
#: Widgets are made by a kernel alone: all that a page opens is the line by which it asks for their states.
TARGETS = frozenset({"jupyter.widget.control", "jupyter.widget.version"})
METHODS = frozenset({"update", "custom", "request_state", "request_states"})

PROTOCOL_ERROR, UNSUPPORTED, INVALID, POLICY, TOO_BIG = 1002, 1003, 1007, 1008, 1009
_WORD = 8
_COUNTS = {count: struct.Struct(f"<{count}Q") for count in range(6, 7 + MOST_BUFFERS)}
_DATE = re.compile(r"\d{4}-\d{1,2}-\d")
_VERSION = re.compile(r"5\.\d{1,2}")
_LONG_NUMBER = re.compile(rb"[0-9]{600}")


class BadFrame(Exception):
    """A frame that no page of ours sends.

    Args:
        code: Close code of the websocket (RFC 6455, 7.4).
        reason: What is wrong with it, in English, 123 bytes at most: it is for the log and for the other end's.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Frame(NamedTuple):
    """A frame that was checked.

    Args:
        channel: Where it goes.
        kind: Type of its message.
        parts: The message, as it goes to the kernel.
    """

    channel: str
    kind: str
    parts: list[bytes]


def read(data: bytes | str) -> Frame:
    """Check a frame of a page, and take it apart.

    Args:
        data: What came over the websocket, a text frame as `str`.

    Raises:
        BadFrame: when a page of ours would not have sent it.

    >>> read(b"\\xff" * 7 + b"\\x00")
    Traceback (most recent call last):
        ...
    widgets.serving.frames.BadFrame: a frame of 8 bytes
    """
    if isinstance(data, str):
        raise BadFrame(UNSUPPORTED, "a text frame")
    channel, parts = split(data)
    header = _object(parts[0], LONGEST_HEADER, "header")
    kind = _check_header(header)
    if kind not in KINDS:
        raise BadFrame(POLICY, "a message of this type")
    if parent := _object(parts[1], LONGEST_HEADER, "parent header"):
        _check_names(parent)
    _object(parts[2], LONGEST_HEADER, "metadata")
    KINDS[kind](_object(parts[3], LONGEST_CONTENT, "content"), len(parts) - 4)
    return Frame(channel, kind, parts)


def split(data: bytes) -> tuple[str, list[bytes]]:
    """Channel and parts of a frame, by its offsets: they start right after themselves, never go back, end with it.

    Args:
        data: A binary frame.

    Raises:
        BadFrame: when they do not.
    """
    if len(data) < 7 * _WORD:
        raise BadFrame(PROTOCOL_ERROR, f"a frame of {len(data)} bytes")
    if len(data) > LONGEST_FRAME:
        raise BadFrame(TOO_BIG, "a frame too large")
    count = int.from_bytes(data[:_WORD], "little")
    words = _COUNTS.get(count)
    if words is None or len(data) < (count + 1) * _WORD:
        raise BadFrame(PROTOCOL_ERROR, "a number of offsets")
    offsets = words.unpack_from(data, _WORD)
    if offsets[0] != (count + 1) * _WORD or offsets[-1] != len(data) or list(offsets) != sorted(offsets):
        raise BadFrame(PROTOCOL_ERROR, "offsets")
    channel = data[offsets[0] : offsets[1]]
    name = channel.decode("ascii", "replace") if len(channel) < LONGEST_NAME else ""
    if name not in CHANNELS:
        raise BadFrame(POLICY, "a channel")
    return name, [data[offsets[at] : offsets[at + 1]] for at in range(1, count - 1)]


def _object(part: bytes, longest: int, name: str) -> dict[str, Any]:
    """A part that is an object in JSON."""
    if len(part) > longest:
        raise BadFrame(TOO_BIG, f"{name} too large")
    value = _parse(part)
    if not isinstance(value, dict):
        raise BadFrame(INVALID, f"{name}: no object")
    if part.count(b"[") + part.count(b"{") > DEEPEST:
        _check_depth(value, DEEPEST)
    return value


def _parse(part: bytes) -> Any:
    """What the kernel makes of a part: orjson reads any number, its second parser none of more than 4 300 digits."""
    if len(part) > 600 and _LONG_NUMBER.search(part):
        return _parse_with_care(part)
    try:
        return orjson.loads(part)
    except orjson.JSONDecodeError:
        return _parse_with_care(part)


def _parse_with_care(part: bytes) -> Any:
    """What the kernel's second parser would make of a part: it takes half a character, as a browser may send one."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        return json.loads(part.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise BadFrame(INVALID, "no JSON") from None


def _check_depth(value: Any, left: int) -> None:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return
    if not left:
        raise BadFrame(INVALID, "JSON too deep")
    for each in value:
        if isinstance(each, dict | list):
            _check_depth(each, left - 1)


def _check_header(header: Mapping[str, Any]) -> str:
    """The type of a message whose header can be read by a kernel."""
    _check_names(header)
    for name in ("msg_id", "msg_type", "session"):
        if not isinstance(header.get(name), str) or not header[name]:
            raise BadFrame(INVALID, f"a header without {name}")
    if not _VERSION.fullmatch(str(header.get("version"))):
        raise BadFrame(INVALID, "a version")
    return str(header["msg_type"])


def _check_names(header: Mapping[str, Any]) -> None:
    """A header has short texts; what looks like a date is one (a kernel reads it as such, whatever it is called)."""
    for value in header.values():
        if value is None:
            continue
        if not isinstance(value, str) or len(value) > LONGEST_NAME:
            raise BadFrame(INVALID, "a header")
        if _DATE.match(value):
            try:
                datetime.fromisoformat(value)
            except ValueError:
                raise BadFrame(INVALID, "a date") from None


def _name(content: Mapping[str, Any], key: str) -> str:
    value = content.get(key)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME:
        raise BadFrame(INVALID, f"no {key}")
    return value


def _data(content: Mapping[str, Any]) -> Mapping[str, Any]:
    value = content.get("data", {})
    if not isinstance(value, dict):
        raise BadFrame(INVALID, "no data")
    return value


def _check_open(content: Mapping[str, Any], buffers: int) -> None:
    _name(content, "comm_id")
    _data(content)
    if buffers:
        raise BadFrame(POLICY, "buffers")
    if _name(content, "target_name") not in TARGETS:
        raise BadFrame(POLICY, "a target")


def _check_comm(content: Mapping[str, Any], buffers: int) -> None:
    """What a widget is told: a method that it has, and a place in its state for every buffer."""
    _name(content, "comm_id")
    data = _data(content)
    method = data.get("method")
    if not isinstance(method, str) or method not in METHODS:
        raise BadFrame(POLICY, "a method")
    if method != "update":
        return
    state, paths = data.get("state"), data.get("buffer_paths", [])
    if not isinstance(state, dict) or not isinstance(paths, list) or len(paths) != buffers:
        raise BadFrame(INVALID, "a state")
    for path in paths:
        _check_path(state, path)


def _check_path(state: Any, path: Any) -> None:
    """A buffer goes where its path leads in a state: through objects and lists that are there, never into a text."""
    if not isinstance(path, list) or not path or len(path) > DEEPEST:
        raise BadFrame(INVALID, "a path")
    *way, last = path
    at = state
    try:
        for step in way:
            at = at[step]
        if isinstance(at, list):
            at[last]
        elif not isinstance(at, dict) or not isinstance(last, str):
            raise TypeError
    except (TypeError, LookupError):
        raise BadFrame(INVALID, "a path") from None


def _check_close(content: Mapping[str, Any], buffers: int) -> None:
    _name(content, "comm_id")
    _data(content)
    if buffers:
        raise BadFrame(POLICY, "buffers")


def _check_comm_info(content: Mapping[str, Any], buffers: int) -> None:
    target = content.get("target_name")
    if buffers or not (target is None or (isinstance(target, str) and len(target) <= LONGEST_NAME)):
        raise BadFrame(INVALID, "a target")


def _check_nothing(content: Mapping[str, Any], buffers: int) -> None:
    if content or buffers:
        raise BadFrame(INVALID, "a content")


#: Messages that a page may send, with what checks their content.
KINDS = {
    "comm_open": _check_open,
    "comm_msg": _check_comm,
    "comm_close": _check_close,
    "comm_info_request": _check_comm_info,
    "kernel_info_request": _check_nothing,
}
