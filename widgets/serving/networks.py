"""Addresses: whose word on them counts, and what stands for one in a count."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any

#: Addresses of one such network of IPv6 belong to one subscriber.
SUBSCRIBER = 64
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(text: str) -> tuple[Network, ...]:
    """Addresses or networks separated by commas.

    Raises:
        ValueError: when one is neither.

    >>> read_networks("127.0.0.1, 10.0.0.0/8")
    (IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8'))
    """
    return tuple(ipaddress.ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def plain_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address as it was written, an IPv4 one inside IPv6 as itself; None when it is none.

    >>> plain_address("::ffff:192.0.2.1"), plain_address("unknown")
    (IPv4Address('192.0.2.1'), None)
    """
    try:
        read = ipaddress.ip_address(text.strip().strip("[]").split("%")[0])
    except ValueError:
        return None
    return getattr(read, "ipv4_mapped", None) or read


def within(text: str, networks: Iterable[Network]) -> bool:
    """Whether an address lies in one of these networks.

    >>> within("::ffff:10.1.2.3", read_networks("10.0.0.0/8")), within("unknown", read_networks("10.0.0.0/8"))
    (True, False)
    """
    read = plain_address(text)
    return read is not None and any(read in network for network in networks)


def subscriber(text: str) -> str:
    """What stands for an address in every count: itself, or its network for IPv6.

    >>> subscriber("192.0.2.1"), subscriber("2001:db8:1:2:3::4")
    ('192.0.2.1', '2001:db8:1:2::/64')
    """
    read = plain_address(text)
    if isinstance(read, ipaddress.IPv6Address) and not read.is_loopback:
        return str(ipaddress.ip_network((read, SUBSCRIBER), strict=False))
    return str(read) if read is not None else text[:64]


def sender(peer: str, headers: Any, trusted: Iterable[Network]) -> str:
    """The address of whoever asks: the peer's, or the one that a trusted proxy gives.

    Args:
        peer: address at the other end of the connection.
        headers: of the request; `X-Forwarded-For`, read from its end, or `X-Real-IP`.
        trusted: networks of the proxies whose word counts.
    """
    networks = tuple(trusted)

    if not within(peer, networks):
        return peer
    forwarded = ",".join(headers.get_list("X-Forwarded-For")) or headers.get("X-Real-IP", "")
    for hop in reversed(forwarded.split(",")):
        if plain_address(hop) is None:
            return peer  # no proxy writes that: nothing before it is believed
        if not within(hop, networks):
            return hop.strip()
        peer = hop.strip()
    return peer
