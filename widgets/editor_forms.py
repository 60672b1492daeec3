"""The editor's form controls, with whole labels and shared layouts."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw

from widgets import plain

_WHOLE = {"description_width": "initial"}


def line(description: str = "", **traits: Any) -> ipw.Text:
    """A line of text, told of when it is left."""
    return ipw.Text(description=description, continuous_update=False, style=_WHOLE, layout=plain.plain(), **traits)


def area(description: str = "", **traits: Any) -> ipw.Textarea:
    """A few lines of text, told of when they are left."""
    return ipw.Textarea(description=description, continuous_update=False, style=_WHOLE, layout=plain.plain(), **traits)


def drop(description: str = "", **traits: Any) -> ipw.Dropdown:
    """A list to choose from; an option whose value is None is shown as chosen, where the bare widget shows nothing."""
    made = ipw.Dropdown(description=description, style=plain.wordy(), layout=plain.plain(), **traits)
    if made.index is None and None in (values := [one[1] if isinstance(one, tuple) else one for one in made.options]):
        made.index = values.index(None)
    return made


def whole(description: str = "", **traits: Any) -> Any:
    """A whole number between bounds."""
    return ipw.BoundedIntText(description=description, tooltip="", style=plain.wordy(), layout=plain.plain(), **traits)


def tick(description: str, value: bool) -> ipw.Checkbox:
    """A box to tick."""
    return ipw.Checkbox(value=value, description=description, indent=False, layout=plain.plain())
