"""What the widgets of one page share, passed to each of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import ipywidgets as ipw

from widgets.board.bridge import Bridge
from widgets.host.course_page import CoursePage
from widgets.host.deferred import served

if TYPE_CHECKING:
    from widgets.host.channel import Channel
    from widgets.host.learner import Progress

T = TypeVar("T")


class Page:
    """What the widgets of one page share: made once, when the page is opened, and passed to all that stands on it.

    Args:
        channel: the way to the server; that of this kernel when None.

    ``bridge``, ``course``: its two widgets without a look, to be shown once (see ``unseen``).

    >>> page = Page()
    >>> page.one(CoursePage) is page.one(CoursePage), page.one(CoursePage) is Page().one(CoursePage)
    (True, False)
    """

    def __init__(self, channel: Channel | None = None) -> None:
        self.bridge, self.course = Bridge(), CoursePage()
        self._channel = channel
        self._parts: dict[Callable[..., Any], Any] = {}

    @property
    def unseen(self) -> tuple[ipw.Widget, ipw.Widget]:
        """What the page must hold somewhere, and shows nothing."""
        return self.bridge, self.course

    def one(self, kind: Callable[..., T], *given: Any) -> T:
        """The page's own thing of a kind, made with what is given when first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind(*given)
        made: T = self._parts[kind]
        return made

    @cached_property
    def progress(self) -> Progress:
        """What is known of the reader."""
        from widgets.host.learner import Progress

        return Progress(self)

    @property
    def channel(self) -> Channel:
        """The way to the server's store; where there is none, it answers so at once."""
        if self._channel is None:
            from widgets.host.channel import channel

            self._channel = channel()
        return self._channel

    @property
    def server(self) -> Channel | None:
        """The way to the server; None where there is none."""
        if self._channel is None and not served():
            return None
        return self.channel if self.channel.available else None
