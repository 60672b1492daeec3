"""Free ports for servers of tests, where no connection takes them meanwhile."""

from __future__ import annotations

import random
import socket

#: Below those that systems give to connections and to whoever asks for any port: hundreds a second, beside this suite.
PORTS = range(10_000, 32_000)
#: No seed of a test makes two processes choose alike.
_CHANCE = random.SystemRandom()


def free_port() -> int:
    """A TCP port of this machine that nothing uses, and nothing takes until the one who asked does."""
    while True:
        port = _CHANCE.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
