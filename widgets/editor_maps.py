"""Controls for what has several entries: a value for each of some pieces, cells or pawns; pairs of dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Literal

import ipywidgets as ipw

from tutor.core.errors import PositionError
from tutor.core.phrases import NBSP
from widgets.editor_forms import drop, line
from widgets.errors import guarded
from widgets.lesson_text import box, button, html

Value = Literal["number", "dice", "throws", "option"]
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


class EntriesPicker:
    """One value for each of some things: a row for each entry, a list to choose one more.

    Args:
        label: French name; keys: (label, key) of what may have a value; value: how a value is given; options: of an
            ``option``; now: entries; changed: told of the new entries, None when there is none left.

    Show ``widget``.
    """

    def __init__(
        self,
        label: str,
        keys: Options,
        value: Value,
        now: Mapping[Any, Any] | None,
        changed: Callable[[dict[Any, Any] | None], object],
        options: Options = (),
    ) -> None:
        self._keys, self._value, self._options, self._changed = list(keys), value, list(options), changed
        self._now = dict(now or {})
        rows = [self._row(key, given) for key, given in self._now.items()]
        inside = [*rows, *self._more(label)]
        self.widget = box(*([html(f'<span class="ldv-label">{escape(label)}</span>')] if inside else []), *inside)

    def _named(self, key: Any) -> str:
        return next((label for label, one in self._keys if one == key), str(key))

    def _row(self, key: Any, given: Any) -> ipw.Widget:
        gone = button("✕", hint=f"Retirer {self._named(key)}")
        gone.on_click(guarded(lambda _: self._take({k: v for k, v in self._now.items() if k != key})))
        return box(self._field(key, given), gone, row=True, css="ldv-toolbar")

    def _field(self, key: Any, given: Any) -> ipw.Widget:
        name = self._named(key)
        made: Any
        if self._value == "option":
            known = [one for _, one in self._options]
            made = drop(name, options=self._options, value=given if given in known else None)
        else:
            made = line(name, value=numbers_text(given))
        made.observe(guarded(lambda c: self._take({**self._now, key: self._read(c["new"])})), "value")
        return made

    def _read(self, given: Any) -> Any:
        if self._value == "option":
            return given
        if self._value == "throws":
            return throws(given)
        found = whole_numbers(given)
        if self._value == "dice" and found:
            return found
        if len(found) != 1:
            raise PositionError("Un nombre est attendu.", remedy="Écrivez-en un seul.")
        return found[0]

    def _more(self, label: str) -> list[ipw.Widget]:
        left = [(name, key) for name, key in self._keys if key not in self._now]
        if not left:
            return []
        choose = drop("", options=left, value=left[0][1])
        add = button("Ajouter", hint=f"Ajouter à {label}")
        option = self._options[0][1] if self._options else None
        first = {"number": 1, "dice": [3, 4], "throws": [[3, 4]], "option": option}[self._value]
        add.on_click(guarded(lambda _: self._take({**self._now, choose.value: first})))
        return [box(choose, add, row=True, css="ldv-toolbar")]

    def _take(self, entries: dict[Any, Any]) -> None:
        self._now = entries
        self._changed(dict(entries) or None)
