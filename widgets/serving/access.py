"""Who may ask: the names under which this server answers, and nothing else (against DNS rebinding)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from widgets.serving.options import LOOPBACK_NAMES


def host_name(netloc: str) -> str:
    """Host of a `Host` header, in lower case and without its port; "" when it is malformed.

    >>> host_name("LocalHost:8866"), host_name("[::1]:8866"), host_name("a@b"), host_name("x:y:z")
    ('localhost', '::1', '', '')
    """
    if "@" in netloc or "/" in netloc:
        return ""
    try:
        parts = urlsplit(f"//{netloc}")
        parts.port  # noqa: B018 - raises on a port that is no number
    except ValueError:
        return ""
    return (parts.hostname or "").lower()


def is_loopback(address: str) -> bool:
    """Whether a peer's address is this machine's own.

    >>> is_loopback("127.0.0.1"), is_loopback("::ffff:127.0.0.1"), is_loopback("192.168.1.7")
    (True, True, False)
    """
    try:
        peer = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return False
    mapped = getattr(peer, "ipv4_mapped", None)
    return bool((mapped or peer).is_loopback)


@dataclass(frozen=True)
class Access:
    """The rule of who may ask.

    Args:
        hosts: Names accepted from anywhere.
        origin: Origin of the public address, or "".
    """

    hosts: frozenset[str] = frozenset()
    origin: str = ""

    def allows(self, host: str, origin: str | None, peer: str) -> bool:
        """Whether a request with this `Host`, this `Origin` and from this peer may pass.

        The loopback's names pass from this machine only; an `Origin` must be the page's own.

        >>> lan = Access(frozenset({"192.168.1.7"}))
        >>> lan.allows("192.168.1.7:8866", "http://192.168.1.7:8866", "192.168.1.9")
        True
        >>> lan.allows("evil.example", None, "192.168.1.9"), lan.allows("localhost", None, "192.168.1.9")
        (False, False)
        """
        name = host_name(host)
        if name not in self.hosts and not (name in LOOPBACK_NAMES and is_loopback(peer)):
            return False
        if origin is None or (self.origin and origin.lower() == self.origin):
            return True
        try:
            asked = urlsplit(origin)
        except ValueError:
            return False
        return asked.scheme in ("http", "https") and asked.netloc.lower() == host.lower()
