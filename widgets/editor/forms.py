"""The editor's form controls, with whole labels and shared layouts; forms that keep their controls."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import ipywidgets as ipw
import traitlets as t

from widgets.board import layouts
from widgets.board.errors import guarded
from widgets.host.prose import box, button, html

_WHOLE = {"description_width": "initial"}


def line(description: str = "", **traits: Any) -> ipw.Text:
    """A line of text, told of when it is left."""
    return ipw.Text(description=description, continuous_update=False, style=_WHOLE, layout=layouts.plain(), **traits)


def area(description: str = "", **traits: Any) -> ipw.Textarea:
    """A few lines of text, told of when they are left."""
    return ipw.Textarea(
        description=description, continuous_update=False, style=_WHOLE, layout=layouts.plain(), **traits
    )


class Choice(ipw.Dropdown):
    """A list to choose from, one of whose options may stand for None: the bare widget shows nothing then."""

    @t.observe("value")
    def _propagate_value(self, change: Any) -> None:
        if change.new is None and None in self._options_values:
            self.index = self._options_values.index(None)
        else:
            super()._propagate_value(change)


def drop(description: str = "", **traits: Any) -> Choice:
    """A list to choose from."""
    made = Choice(description=description, style=layouts.wordy(), layout=layouts.plain(), **traits)
    if made.index is None:
        made._propagate_value(t.Bunch(new=made.value))
    return made


def whole(description: str = "", **traits: Any) -> Any:
    """A whole number; with ``min`` and ``max`` the field itself brings it between them."""
    kind = ipw.BoundedIntText if "min" in traits or "max" in traits else ipw.IntText
    return kind(description=description, tooltip="", style=layouts.wordy(), layout=layouts.plain(), **traits)


def tick(description: str, value: bool) -> ipw.Checkbox:
    """A box to tick."""
    return ipw.Checkbox(value=value, description=description, indent=False, layout=layouts.plain())


class Form:
    """Controls that stay: one that is asked for again under its name is brought up to date in its place.

    A control made anew takes with it the reader's focus, and what is typed in a field that is not left yet.

    >>> form, values = Form(), []
    >>> name = form.keep("name", line, values.append, description="Nom", value="Herzog")
    >>> form.keep("name", line, values.append, description="Nom", value="Borbe") is name, name.value, values
    (True, 'Borbe', [])
    >>> name.value = "Krylov"
    >>> values
    ['Krylov']
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, Hashable], Any] = {}
        self._acts: dict[tuple[Any, Hashable], Callable[..., object]] = {}
        self._silent = False

    def keep(
        self, key: Hashable, make: Callable[..., Any], act: Callable[[Any], object] | None = None, **traits: Any
    ) -> Any:
        """A control.

        Args:
            key: its name in the form.
            make: what makes it.
            act: told of what the reader gives.
            traits: as it stands now.
        """
        place = (make, key)
        if act is not None:
            self._acts[place] = act
        if place not in self._kept:
            first = {name: value for name, value in traits.items() if name != "value" or "options" not in traits}
            made = self._kept[place] = make(**first)
            if act is not None:
                made.observe(guarded(lambda change: self._silent or self._acts[place](change["new"])), "value")
        self._bring(self._kept[place], traits)
        return self._kept[place]

    def button(self, key: Hashable, label: str, act: Callable[[], object], hint: str = "") -> ipw.Button:
        """A button."""
        place = (button, key)
        self._acts[place] = act
        if place not in self._kept:
            self._kept[place] = button(label, hint=hint)
            self._kept[place].on_click(guarded(lambda _: self._acts[place]()))
        self._bring(self._kept[place], {"description": label, "tooltip": hint})
        return self._kept[place]

    def html(self, key: Hashable, text: str, *classes: str) -> ipw.HTML:
        """A text."""
        place = (html, key)
        if place not in self._kept:
            self._kept[place] = html("", *classes)
        self._kept[place].value = text
        return self._kept[place]

    def box(self, key: Hashable, *children: ipw.Widget, css: str = "", row: bool = False) -> ipw.Box:
        """A box around others."""
        place = (box, key)
        if place not in self._kept:
            self._kept[place] = box(css=css, row=row)
        self._kept[place].children = children
        return self._kept[place]

    def fold(self, key: Hashable, title: str, inside: ipw.Widget) -> ipw.Accordion:
        """What is folded under a title until the reader opens it."""
        place = (ipw.Accordion, key)
        if place not in self._kept:
            self._kept[place] = ipw.Accordion(children=(inside,), selected_index=None)
        self._kept[place].titles = (title,)
        return self._kept[place]

    def part(self, key: Hashable) -> Form:
        """A form within this one, with names of its own."""
        return self._kept.setdefault((Form, key), Form())

    def _bring(self, made: Any, traits: dict[str, Any]) -> None:
        """Change what differs, without telling anybody."""
        before, self._silent = self._silent, True
        try:
            with made.hold_sync():
                if "options" in traits:
                    made.options = traits.pop("options")
                    known, value = made._options_values, traits.pop("value", made.value)
                    made.index = known.index(value) if value in known else None
                for name, value in traits.items():
                    setattr(made, name, value)
        finally:
            self._silent = before
