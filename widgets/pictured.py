"""A picture under a board that the reader can act upon: see ``static/pictured.js``."""

from __future__ import annotations

from collections.abc import Callable

import anywidget
import traitlets as t

from widgets.bridge import STATIC
from widgets.errors import guarded


class Pictured(anywidget.AnyWidget):
    """HTML with sliders (``role="slider"``, whose parts bear ``data-space``) and buttons, all with a ``data-name``.

    ``picture``: the HTML, "" hides it; ``asked``: name, number and moment of what the reader did last.
    """

    _esm = STATIC / "pictured.js"
    picture = t.Unicode("").tag(sync=True)
    asked = t.Unicode("").tag(sync=True)

    def on_asked(self, handler: Callable[[str, int], object]) -> None:
        """Call with the name and the number of what the reader touches."""

        def heard(change: dict[str, str]) -> None:
            name, number, _ = change["new"].split()
            handler(name, int(number))

        self.observe(guarded(heard), "asked")
