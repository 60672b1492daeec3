"""Controls for what has several entries: a value for each of some pieces, cells or pawns; pairs of dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.arguments import Given as Value
from tutor.core.errors import PositionError
from tutor.core.phrases import NBSP
from widgets.editor.forms import Form, drop, line
from widgets.host.prose import show

#: (label, key) of a list to choose from.
Options = Sequence[tuple[str, Any]]


def whole_numbers(text: str) -> list[int]:
    """Whole numbers of a text, between commas or spaces.

    Raises:
        PositionError: something else is there.

    >>> whole_numbers("3, 4"), whole_numbers("-2")
    ([3, 4], [-2])
    """
    words = text.replace(",", " ").replace("−", "-").split()
    if not all(word.removeprefix("-").isdigit() for word in words):
        raise PositionError(
            f"«{NBSP}{text}{NBSP}»{NBSP}: des nombres entiers sont attendus.", remedy="Par exemple 3, 4."
        )
    return [int(word) for word in words]


def throws(text: str) -> list[list[int]]:
    """Throws of dice of a text, between semicolons.

    Raises:
        PositionError: something else is there.

    >>> throws("6 6; 3, 4")
    [[6, 6], [3, 4]]
    """
    return [whole_numbers(part) for part in text.split(";") if part.strip()]


def numbers_text(value: Any) -> str:
    """Numbers, dice or throws as they are typed.

    >>> numbers_text([[6, 6], [3, 4]]), numbers_text([3, 4]), numbers_text(2), numbers_text(None)
    ('6, 6; 3, 4', '3, 4', '2', '')
    """
    if not isinstance(value, (list, tuple)):
        return "" if value is None else str(value)
    nested = any(isinstance(one, (list, tuple)) for one in value)
    return ("; " if nested else ", ").join(map(numbers_text, value))


def entries(
    form: Form,
    label: str,
    keys: Options,
    way: Value,
    now: Mapping[Any, Any] | None,
    changed: Callable[[dict[Any, Any] | None], object],
    options: Options = (),
) -> ipw.Widget:
    """One value for each of some things: a row for each entry, a list to choose one more.

    Args:
        form: of its own, which keeps the controls.
        label: French name.
        keys: (label, key) of what may have a value;
        way: how a value is given.
        now: entries.
        changed: told of the new entries, None when there is none left;
        options: of an ``option``.
    """
    values = dict(now or {})
    names = {key: name for name, key in keys}

    def take(made: dict[Any, Any]) -> None:
        changed(made or None)

    def row(key: Any, given: Any) -> ipw.Widget:
        name = names.get(key, str(key))

        def put(value: Any) -> None:
            take({**values, key: _read(way, value)})

        if way == "option":
            made = form.keep(("value", key), drop, put, description=name, options=options, value=given)
        else:
            made = form.keep(("value", key), line, put, description=name, value=numbers_text(given))
        gone = form.button(
            ("gone", key), "✕", lambda: take({k: v for k, v in values.items() if k != key}), f"Retirer {name}"
        )
        return form.box(("row", key), made, gone, row=True, css="ldv-toolbar")

    left = [(name, key) for name, key in keys if key not in values] or [("", None)]
    choose = form.keep("choose", drop, options=left, description="Pour")
    choose.index = choose.index or 0
    first = {"number": 1, "dice": [3, 4], "throws": [[3, 4]], "option": options[0][1] if options else None}[way]
    add = form.button("add", "Ajouter", lambda: take({**values, choose.value: first}), f"Ajouter à {label}")
    more = form.box("more", choose, add, row=True, css="ldv-toolbar")
    show(more, left[0][1] is not None)
    head = form.html("label", f'<span class="ldv-label">{escape(label)}</span>')
    rows = form.box("rows", *(row(*one) for one in values.items()))
    return form.box("all", *((head, rows, more) if values or left[0][1] is not None else ()))


def _read(way: Value, given: Any) -> Any:
    if way == "option":
        return given
    if way == "throws":
        return throws(given)
    numbers = whole_numbers(given)
    if way == "dice" and numbers:
        return numbers
    if len(numbers) != 1:
        raise PositionError("Un nombre est attendu.", remedy="Écrivez-en un seul.")
    return numbers[0]
