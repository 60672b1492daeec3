"""`/metrics`: for the machine itself, unless the operator opens it; never through a proxy unawares."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

from widgets.serving.access import host_name, is_loopback
from widgets.serving.metrics import Metrics
from widgets.serving.options import LOOPBACK_NAMES, BadOption

#: Headers that a proxy adds: behind one on this machine, the whole world has the machine's address.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via")
SHORTEST_TOKEN = 16
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Readers:
    """Who may read the metrics.

    Args:
        nobody: whether they are closed.
        networks: from where they may be read; the machine itself when there is none.
        token: that opens them from anywhere instead.
    """

    nobody: bool = False
    networks: tuple[Network, ...] = ()
    token: str = ""

    def may(self, request: HTTPServerRequest) -> bool:
        """Whether whoever asks may read.

        Args:
            request: as it came.
        """
        if self.nobody:
            return False
        if self.token:
            given = request.headers.get("Authorization", "")
            return hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {self.token}".encode())
        if any(name in request.headers for name in (*FORWARDED, "Origin")):
            return False
        peer = request.remote_ip or ""
        if self.networks:
            return any(_address(peer) in network for network in self.networks)
        return is_loopback(peer) and host_name(request.headers.get("Host", "")) in LOOPBACK_NAMES


def _address(text: str) -> Any:
    try:
        read = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return ipaddress.ip_address("::")  # in no network that anybody gives
    return getattr(read, "ipv4_mapped", None) or read


def read_readers(text: str) -> Readers:
    """What `LDV_METRICS` says.

    Args:
        text: "" (this machine), « non », addresses or networks separated by commas, or `jeton:FICHIER`.

    Raises:
        BadOption: when it is none of them.

    >>> read_readers("10.0.0.7, 10.1.0.0/16").networks
    (IPv4Network('10.0.0.7/32'), IPv4Network('10.1.0.0/16'))
    """
    text = text.strip()
    if not text or text.lower() == "non":
        return Readers(nobody=bool(text))
    if text.startswith("jeton:"):
        return Readers(token=_token(Path(text.removeprefix("jeton:"))))
    try:
        networks = tuple(ipaddress.ip_network(part.strip(), strict=False) for part in text.split(","))
    except ValueError as error:
        raise BadOption(
            f"LDV_METRICS vaut « {text} » : donnez « non », des adresses (10.0.0.7, 10.1.0.0/16) ou jeton:FICHIER."
        ) from error
    return Readers(networks=networks)


def _token(file: Path) -> str:
    try:
        token = file.expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadOption(f"LDV_METRICS : le fichier « {file} » ne peut pas être lu.") from error
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise BadOption(
            f"LDV_METRICS : le jeton de « {file} » doit avoir au moins {SHORTEST_TOKEN} caractères simples."
        )
    return token


class MetricsHandler(RequestHandler):
    """`/metrics`, for those who may; for others there is no such page."""

    def initialize(self, metrics: Metrics, readers: Readers) -> None:
        """Take what is counted, and who may read it."""
        self.metrics, self.readers = metrics, readers

    def get(self) -> None:
        """Everything that is counted."""
        self.set_header("Cache-Control", "no-store")
        if not self.readers.may(self.request):
            self.set_status(404)
            self.set_header("Content-Type", "text/plain; charset=UTF-8")
            self.finish("Cette page n’existe pas.\n")
            return
        self.set_header("Content-Type", CONTENT_TYPE_LATEST)
        self.finish(self.metrics.text())
