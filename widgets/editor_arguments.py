"""The arguments of a question, each by the picker that suits it, or by clicks on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import game
from widgets.editor_forms import drop, line, tick, whole
from widgets.editor_maps import EntriesPicker, records, throws, whole_numbers
from widgets.editor_questions import ENTRIES, MOST, RECORDS, Argument, Question
from widgets.errors import guarded
from widgets.lesson_text import box, button, html, show

_CLICKED = ("hex", "hexes", "piece", "pieces")
_NOTHING = "—"


class ArgumentPickers:
    """Pickers for the arguments of a question.

    Args:
        asked: the question; position: for places and pieces; values: arguments now; sides: (label, side);
        changed: told of the new arguments.
    """

    def __init__(
        self,
        asked: Question,
        position: Position,
        values: Mapping[str, Any],
        sides: list[tuple[str, str]],
        changed: Callable[[dict[str, Any]], None],
    ) -> None:
        self._question, self._position, self._sides, self._changed = asked, position, sides, changed
        self._values = dict(values)
        self._turn = 0
        offered = [a for a in asked.arguments if a.kind != "unknown"]
        self._clickable = [a for a in offered if a.required and a.kind in _CLICKED]
        needed = [self._control(a) for a in offered if a.required]
        more = [self._control(a) for a in offered if not a.required]
        self._told = html("")
        self._more = box(*more, css="ldv-fields")
        show(self._more, any(a.name in values for a in offered if not a.required))
        unfold = button("Préciser…", hint="Ce qui peut rester tel quel")
        unfold.on_click(guarded(lambda _: show(self._more, self._more.layout.display == "none")))
        self.widget = box(self._told, *needed, *([unfold, self._more] if more else []), css="ldv-fields")
        self._tell()

    # -- controls -------------------------------------------------------------------------------------------------

    def _control(self, each: Argument) -> ipw.Widget:
        value = self._values.get(each.name, each.default)
        if each.kind == "flag":
            made: ipw.Widget = tick(value=bool(value), description=each.label)
            made.observe(guarded(lambda c: self._set(each, bool(c["new"]))), "value")
            return made
        if each.kind in ("pieces", "options"):
            return self._several(each, value)
        if each.kind == "entries":
            of, way = ENTRIES[each.name]
            return EntriesPicker(each.label, self._keys(of), way, value, lambda made: self._set(each, made)).widget
        if each.kind == "records":
            columns = RECORDS[f"{self._question.name}.{each.name}"]
            return records(each.label, columns, value or (), lambda rows: self._set(each, rows))
        if each.kind == "throws":
            text = "; ".join(", ".join(map(str, pair)) for pair in value or ())
            made = line(value=text, description=each.label, placeholder="3, 4; 6, 6")
            made.observe(guarded(lambda c: self._set(each, throws(c["new"]))), "value")
            return made
        if each.kind == "number" and isinstance(value, int):
            made = whole(value=value, min=-MOST, max=10 * MOST, description=each.label)
            made.observe(guarded(lambda c: self._set(each, c["new"])), "value")
            return made
        if each.kind in ("number", "dice", "hexes"):
            text = (
                ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else "" if value is None else str(value)
            )
            made = line(value=text, description=each.label)
            made.observe(guarded(lambda c: self._set(each, self._read(each, c["new"]))), "value")
            return made
        options = self._options(each)
        if not each.required and None not in [key for _, key in options] and value is None:
            options = [(_NOTHING, None), *options]
        keys = [key for _, key in options]
        made = drop(options=options, value=value if value in keys else None, description=each.label)
        made.observe(guarded(lambda c: self._set(each, c["new"])), "value")
        return made

    def _keys(self, of: str) -> list[tuple[str, Any]]:
        """What may have a value: pieces, cells, or the rows of a table of the game."""
        position = self._position
        if of == "piece":
            return [(position.names[one.id], one.id) for one in position.pieces]
        if of == "cell":
            return [(cell, cell) for cell in position.grid.cells]
        table = game(position.game).tables[of]
        return [(table.term(row), row) for row in table.rows]

    def _several(self, each: Argument, value: Any) -> ipw.Widget:
        boxes: dict[str, Any] = {}
        for label, key in self._options(each):
            boxes[key] = tick(value=key in (value or ()), description=label)
            boxes[key].observe(
                guarded(lambda _: self._set(each, [k for k, made in boxes.items() if made.value])), "value"
            )
        return box(html(f'<span class="ldv-label">{escape(each.label)}</span>'), *boxes.values(), css="ldv-checks")

    def _options(self, each: Argument) -> list[tuple[str, Any]]:
        position = self._position
        if each.kind == "hex":
            return [(cell, cell) for cell in position.grid.cells]
        if each.kind in ("piece", "pieces"):
            return [
                (f"{position.names[p.id]} ({position.hex_of(p.id) or 'hors plateau'})", p.id)
                for p in position.pieces
                if p.kind != "commander"
            ]
        if each.kind == "side":
            return list(self._sides)
        return [(label, key) for key, label in each.options]

    def _read(self, each: Argument, text: str) -> Any:
        words = [word.strip() for word in text.replace(";", ",").split(",") if word.strip()]
        if each.kind == "hexes":
            return [
                word.lower() if word.lower() == "exit" else self._position.grid.check(word.upper()) for word in words
            ]
        numbers = whole_numbers(text)
        return numbers if each.kind == "dice" else numbers[0] if numbers else None

    def _set(self, each: Argument, value: Any) -> None:
        empty = value is None or (not each.required and value in ([], each.default))
        values = {key: old for key, old in self._values.items() if key != each.name}
        if not empty:
            values[each.name] = value
        if values != self._values:
            self._values = values
            self._changed(dict(values))

    # -- clicks ---------------------------------------------------------------------------------------------------

    def click(self, cell: str, piece: str | None = None) -> bool:
        """Let a click on the board choose the argument whose turn it is; False when it chooses nothing."""
        if not self._clickable:
            return False
        each = self._clickable[self._turn % len(self._clickable)]
        here = [p.id for p in self._position.pieces_at(cell) if p.kind != "commander"]
        if each.kind == "hex":
            value: Any = cell
            self._turn += 1
        elif each.kind == "hexes":
            old = list(self._values.get(each.name) or ())
            value = [c for c in old if c != cell] if cell in old else [*old, cell]
        elif not here:
            if len(self._clickable) > 1 and each.kind == "pieces":
                self._turn += 1
                return (
                    self.click(cell, piece) if self._clickable[self._turn % len(self._clickable)] is not each else False
                )
            return False
        elif each.kind == "piece":
            value = piece if piece in here else here[0]
            self._turn += 1
        else:
            old = list(self._values.get(each.name) or ())
            chosen = [piece] if piece in here else here
            value = (
                [i for i in old if i not in chosen]
                if set(chosen) <= set(old)
                else [*old, *(i for i in chosen if i not in old)]
            )
        self._tell()
        self._set(each, value)
        return True

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        return self._turn

    @turn.setter
    def turn(self, turn: int) -> None:
        self._turn = turn
        self._tell()

    def _tell(self) -> None:
        if self._clickable:
            each = self._clickable[self._turn % len(self._clickable)]
            self._told.value = f'<p class="ldv-empty">Un clic sur le plateau choisit «{NBSP}<strong>{escape(each.label)}</strong>{NBSP}».</p>'
