"""Layouts and styles that widgets share: each is one more model for the browser to make,
and a lesson has hundreds of widgets.

A shared layout is never changed: a widget is hidden by giving it the other one (:func:`show`), and what needs a layout
of its own makes it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import ipywidgets as ipw
from ipywidgets.widgets.widget_description import DescriptionStyle
from ipywidgets.widgets.widget_string import HTMLStyle


@lru_cache(maxsize=1)
def plain() -> ipw.Layout:
    """The layout that says nothing."""
    return ipw.Layout()


@lru_cache(maxsize=1)
def hidden() -> ipw.Layout:
    """The layout of what is not shown, its place included."""
    return ipw.Layout(display="none")


@lru_cache(maxsize=1)
def narrow() -> DescriptionStyle:
    """The style of a control with Jupyter's own width of labels."""
    return DescriptionStyle()


@lru_cache(maxsize=1)
def wordy() -> DescriptionStyle:
    """The style of a control whose label takes the room that it needs."""
    return DescriptionStyle(description_width="initial")


@lru_cache(maxsize=1)
def _text_style() -> HTMLStyle:
    return HTMLStyle()


@lru_cache(maxsize=1)
def _button_style() -> ipw.ButtonStyle:
    return ipw.ButtonStyle()


def shared() -> tuple[ipw.Widget, ...]:
    """What widgets of the whole page share: closing one of them closes none of these."""
    return plain(), hidden(), narrow(), wordy(), _text_style(), _button_style()


def text(value: str = "") -> ipw.HTML:
    """A text, as HTML.

    >>> text("Bois").layout is text("Mur").layout
    True
    """
    return ipw.HTML(value, layout=plain(), style=_text_style())


def column(*children: ipw.Widget) -> ipw.VBox:
    """Widgets one under the other."""
    return ipw.VBox(children, layout=plain())


def row(*children: ipw.Widget) -> ipw.HBox:
    """Widgets side by side."""
    return ipw.HBox(children, layout=plain())


def button(label: str, hint: str = "", kind: str = "") -> ipw.Button:
    """A button.

    Args:
        label: its text.
        hint: shown on hover.
        kind: Jupyter's ``button_style``.
    """
    return ipw.Button(description=label, tooltip=hint, button_style=kind, layout=plain(), style=_button_style())


def allow(made: ipw.Button | ipw.Text, allowed: bool) -> None:
    """Let a button be pressed, or a text be written, or not: what it does comes to nothing then. It keeps the focus of
    who used it last, which a disabled one gives away; a page of the course shows and says that it is closed.

    >>> made = button("↶")
    >>> allow(made, False)
    >>> made.disabled, "ldv-closed" in made._dom_classes
    (False, True)
    """
    (made.remove_class if allowed else made.add_class)("ldv-closed")


def number(description: str, value: int, low: int, high: int, **traits: Any) -> ipw.BoundedIntText:
    """A whole number between bounds. Without a hint of its own, a browser would show « null » over its label.

    >>> number("Portée", 9, 0, 6).value
    6
    """
    return ipw.BoundedIntText(
        value=value, min=low, max=high, description=description, tooltip="", layout=plain(), **traits
    )


def file_button(label: str) -> ipw.FileUpload:
    """A button that opens a text file.

    Its hint is what is read on it: the style shows it without the count of files.
    """
    return ipw.FileUpload(accept=".yaml,.yml", multiple=False, description=label, tooltip=label, icon="")


def show(widget: ipw.Widget, visible: bool) -> None:
    """Show or hide a widget, its place included.

    >>> made = text()
    >>> show(made, False)
    >>> made.layout.display
    'none'
    """
    before, widget.layout = widget.layout, plain() if visible else hidden()
    if before not in shared():
        before.close()
