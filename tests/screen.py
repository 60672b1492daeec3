"""What a reader sees and reaches of widgets: controls by their labels, and what is announced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as ipw
from ipywidgets.widgets import widget as registry

from widgets.board.board import Board
from widgets.board.events import HexClicked


def living() -> int:
    """How many widgets a kernel keeps."""
    return len(registry._instances)


def controls(widget: Any) -> Iterator[Any]:
    """A widget and all that it holds, in reading order."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from controls(child)


def named(widget: Any, description: str) -> Any:
    """The control of that label."""
    return next(one for one in controls(widget) if getattr(one, "description", None) == description)


def dressed(widget: Any) -> tuple[str, ...]:
    """The classes of a widget."""
    return tuple(widget.get_state("_dom_classes")["_dom_classes"])


def written(widget: Any, placeholder: str) -> Any:
    """The text field whose placeholder begins so."""
    return next(one for one in controls(widget) if str(getattr(one, "placeholder", "")).startswith(placeholder))


def entry(widget: Any) -> ipw.Text:
    """The first field of one line below a widget."""
    return next(one for one in controls(widget) if isinstance(one, ipw.Text))


def board_of(widget: Any) -> Board:
    """The first board below a widget."""
    return next(one for one in controls(widget) if isinstance(one, Board))


def send(widget: Any, content: object) -> None:
    """Let a widget receive a message, as its page sends it."""
    widget.comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def tabs(widget: Any, number: int = 0) -> Any:
    """One of the rows of buttons of which one is chosen, counted from 0."""
    return [one for one in controls(widget) if isinstance(one, ipw.ToggleButtons)][number]


def words(widget: Any) -> str:
    """The HTML of all that is written below a widget."""
    return "\n".join(one.value for one in controls(widget) if isinstance(one, ipw.HTML))


def behind(widget: Any, control: Any) -> Any:
    """The box that a control stands in, below a widget."""
    return next(one for one in controls(widget) if control in getattr(one, "children", ()))


def seen(widget: Any) -> bool:
    """Whether a widget is shown."""
    return bool(widget.layout.display != "none")


def click(board: Any, cell: str) -> None:
    """Click a cell of a board, as the mouse does."""
    board.emit(HexClicked(cell))


def announced(widget: Any) -> str:
    """The HTML that a screen reader announces below a widget (``role="status"``, or what is said of an answer, which the
    bridge says), one piece a line.
    """
    values = (getattr(one, "value", None) for one in controls(widget))
    return "\n".join(
        value
        for value in values
        if isinstance(value, str) and any(mark in value for mark in ('role="status"', "ldv-diagnosis"))
    )
