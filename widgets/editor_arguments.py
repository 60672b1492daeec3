"""The arguments of a question, each by the picker that suits it, or by clicks on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import ask, game
from widgets.editor_forms import drop, line, tick, whole
from widgets.editor_maps import EntriesPicker, numbers_text, throws, whole_numbers
from widgets.editor_questions import ENTRIES, MOST, OFFERED, Argument, Question, first_record, word
from widgets.errors import guarded
from widgets.lesson_text import box, button, html, show

_CLICKED = ("hex", "hexes", "piece", "pieces")
_NOTHING = "—"


class ArgumentPickers:
    """Pickers for the arguments of a question.

    Args:
        asked: the question; position: for places and pieces; values: arguments now; sides: (label, side);
        changed: told of the new arguments; inner: those of one record of an argument, which no click chooses.
    """

    def __init__(
        self,
        asked: Question,
        position: Position,
        values: Mapping[str, Any],
        sides: list[tuple[str, str]],
        changed: Callable[[dict[str, Any]], None],
        inner: bool = False,
    ) -> None:
        self._question, self._position, self._sides, self._changed = asked, position, sides, changed
        self._values = dict(values)
        self._turn = 0
        self._stale = False
        offered = [a for a in asked.arguments if a.kind != "unknown"]
        self._clickable = [] if inner else [a for a in offered if a.required and a.kind in _CLICKED]
        needed = [self._control(a) for a in offered if a.required]
        more = [self._control(a) for a in offered if not a.required]
        self._told = html("")
        self._more = box(*more, css="ldv-fields")
        show(self._more, any(a.name in values for a in offered if not a.required))
        unfold = button("Préciser…", hint="Ce qui peut rester tel quel")
        unfold.on_click(guarded(lambda _: show(self._more, self._more.layout.display == "none")))
        self.widget = box(
            *([] if inner else [self._told]), *needed, *([unfold, self._more] if more else []), css="ldv-fields"
        )
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
            cells = [(cell, cell) for cell in self._position.grid.cells] if way == "option" else []
            entered = partial(self._entered, each)
            return EntriesPicker(each.label, self._keys(of), way, value, entered, cells).widget
        if each.kind == "records":
            return self._records(each, list(value or ()))
        if each.kind == "throws":
            made = line(value=numbers_text(value), description=each.label, placeholder="3, 4; 6, 6")
            made.observe(guarded(lambda c: self._set(each, throws(c["new"]))), "value")
            return made
        if each.kind == "number" and isinstance(value, int):
            made = whole(value=value, min=-MOST, max=10 * MOST, description=each.label)
            made.observe(guarded(lambda c: self._set(each, c["new"])), "value")
            return made
        if each.kind in ("number", "dice", "hexes"):
            made = line(value=numbers_text(value), description=each.label)
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
        if of == "duel":
            return [("Attaquant", "attacker"), ("Défenseur", "defender")]
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

    def _entered(self, each: Argument, made: dict[Any, Any] | None) -> None:
        """Entries changed; another entry, or one less, is to be shown."""
        self._stale |= list(made or ()) != list(self._values.get(each.name) or ())
        self._set(each, made)

    def _records(self, each: Argument, rows: list[dict[str, Any]]) -> ipw.Widget:
        """A form for each record, and a button for one more."""
        made: list[ipw.Widget] = [html(f'<span class="ldv-label">{escape(each.label)}</span>')]
        for number, row in enumerate(rows, start=1):
            named = f"{each.title}{NBSP}{number}"
            gone = button("✕", hint=f"Retirer {named}")
            gone.on_click(guarded(lambda _, n=number: self._put_records(each, [*rows[: n - 1], *rows[n:]])))
            head = box(html(f"<strong>{escape(named)}</strong>", "ldv-grow"), gone, row=True, css="ldv-toolbar")
            made.append(box(head, self._record(each, rows, number - 1, row), css="ldv-fields ldv-record"))
        more = button(f"+ {each.title}", hint=f"Ajouter à {each.label}")

        def add(_: Any) -> None:
            self._put_records(each, [*rows, first_record(self._position, each, self._values)])

        more.on_click(guarded(add))
        return box(*made, more, css="ldv-fields")

    def _record(self, each: Argument, rows: list[dict[str, Any]], at: int, row: dict[str, Any]) -> ipw.Widget:
        form = Question(each.name, each.title, each.fields)

        def changed(values: dict[str, Any]) -> None:
            rows[at] = values
            self._stale |= inner._stale
            self._set(each, [dict(one) for one in rows])

        inner = ArgumentPickers(form, self._position, row, self._sides, changed, inner=True)
        return inner.widget

    def _put_records(self, each: Argument, rows: list[dict[str, Any]]) -> None:
        self._stale = True
        self._set(each, rows)

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
        if each.kind == "offered":
            return self._offered(each)
        return [(label, key) for key, label in each.options]

    def _offered(self, each: Argument) -> list[tuple[str, Any]]:
        """What the engine lets the player choose, the choices before this one made."""
        position, chain = self._position, OFFERED[self._question.name]
        later = chain[chain.index(each.name) :]
        given = {key: value for key, value in self._values.items() if key not in later}
        try:
            found = getattr(ask(position, self._question.name, **given).value, "options", ())
        except TutorError:
            found = ()
        return [
            (position.names.get(one) or (one if one in position.grid else word(position, one)), one) for one in found
        ]

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
        self._stale |= self._question.name in OFFERED
        if not empty:
            values[each.name] = value
        if values != self._values:
            self._values = values
            self._changed(dict(values))

    def shows(self, values: Mapping[str, Any]) -> bool:
        """Whether the controls on screen show these arguments already."""
        return not self._stale and self._values == values

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
        self._stale = True
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
