"""A message of the page is heard once: after a cut the page says again what had no answer,
and some of it had arrived.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

#: Messages of the page that are remembered: more than it says again.
MOST = 1_000
KINDS = ("comm_open", "comm_msg", "comm_close")


class Once:
    """Tells a message from its repetition, by its id.

    >>> once = Once()
    >>> [once.is_new(id_) for id_ in ("a", "b", "a")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._heard: OrderedDict[str, None] = OrderedDict()

    def is_new(self, id_: str) -> bool:
        """Whether a message with this id has not been heard yet; it has been from now on."""
        if id_ in self._heard:
            return False
        self._heard[id_] = None
        if len(self._heard) > MOST:
            self._heard.popitem(last=False)
        return True

    def guard(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        """A handler of a kernel's messages that does nothing the second time."""

        @functools.wraps(handler)
        def wrapper(stream: Any, ident: Any, message: dict[str, Any]) -> Any:
            return handler(stream, ident, message) if self.is_new(message["header"]["msg_id"]) else None

        return wrapper


def hear_once() -> None:
    """Have this process's kernel, if it is one, hear each message about a widget once."""
    from ipykernel.kernelbase import Kernel

    if not Kernel.initialized():
        return
    handlers = Kernel.instance().shell_handlers
    once = Once()
    for kind in KINDS:
        if kind in handlers and not hasattr(handlers[kind], "__wrapped__"):
            handlers[kind] = once.guard(handlers[kind])
