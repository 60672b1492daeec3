"""Whose key is whose: each kernel has one of its own at the desk, and so one share of what may be asked there."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any

from widgets.serving.desk.limits import Bucket

#: Messages of one kernel: at once, then a second.
MESSAGES = (300, 60.0)
#: Things that one kernel may make: at once, then a second.
MAKING = (30, 0.5)
#: Wrong codes of one kernel: at once, then a second; one page cannot use up what the whole server allows.
WRONG = (10, 0.2)
#: Connections of one kernel at once; a kernel needs one, and one more while a dead one is not noticed.
MOST_CONNECTIONS = 4


@dataclass
class Speaker:
    """Who speaks at the desk, and what he may still ask: the same on his next connection.

    Args:
        kernel: id of the kernel; "" for who has the desk's own key.
        secret: what it proves that with.
    """

    kernel: str = ""
    secret: str = field(default="", repr=False)
    bucket: Bucket = field(default_factory=lambda: Bucket(*MESSAGES))
    making: Bucket = field(default_factory=lambda: Bucket(*MAKING))
    wrong: Bucket = field(default_factory=lambda: Bucket(*WRONG))
    connections: list[Any] = field(default_factory=list)


class Keys:
    """The keys of the kernels that live. A key is the kernel's id, a point, and a secret of 256 bits.

    >>> keys = Keys()
    >>> key = keys.admit("k1")
    >>> keys.speaker(key).kernel, keys.speaker("k1." + "0" * 43)
    ('k1', None)
    >>> keys.revoke("k1")
    []
    >>> keys.speaker(key) is None
    True
    """

    def __init__(self) -> None:
        self._speakers: dict[str, Speaker] = {}

    def admit(self, kernel: str) -> str:
        """A new key for a kernel; the one that it had opens nothing more."""
        old = self._speakers.get(kernel)
        speaker = Speaker(kernel, secrets.token_urlsafe(32))
        if old is not None:  # started anew: what it may ask is not
            speaker.bucket, speaker.making, speaker.wrong = old.bucket, old.making, old.wrong
        self._speakers[kernel] = speaker
        return f"{kernel}.{speaker.secret}"

    def lines(self, kernel: str) -> list[Any]:
        """The connections of a kernel."""
        speaker = self._speakers.get(kernel)
        return [] if speaker is None else speaker.connections

    def revoke(self, kernel: str) -> list[Any]:
        """Forget a kernel; gives back the connections that it had."""
        lines = self.lines(kernel)
        self._speakers.pop(kernel, None)
        return lines

    def speaker(self, key: str) -> Speaker | None:
        """Whose key it is; compared in constant time."""
        kernel, _, secret = key.partition(".")
        speaker = self._speakers.get(kernel)
        given = secret.encode("utf-8", "replace")
        if not hmac.compare_digest(given, speaker.secret.encode() if speaker else b"-"):
            return None
        return speaker
