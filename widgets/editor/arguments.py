"""The arguments of a question, each by the picker that suits it, or by clicks on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.arguments import Offering
from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.course.asking import MOST, Argument, Question, first_record, word
from widgets.board.errors import guarded
from widgets.editor.forms import Form, drop, line, tick, whole
from widgets.editor.maps import entries, numbers_text, throws, whole_numbers
from widgets.host.prose import box, button, html, show

_CLICKED = ("hex", "hexes", "piece", "pieces")
_NOTHING = "—"


class ArgumentPickers:
    """Pickers for the arguments of a question.

    Args:
        asked: the question.
        position: for places and pieces.
        values: arguments now.
        sides: (label, side);
        changed: told of the new arguments.
        inner: those of one record of an argument, which no click chooses.
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
        self._form = Form()
        self._records: dict[tuple[str, int], ArgumentPickers] = {}
        self._offered = [a for a in asked.arguments if a.kind != "text"]
        self._clickable = [] if inner else [a for a in self._offered if a.required and a.kind in _CLICKED]
        self._hint, self._needed, self._more = html(""), box(css="ldv-fields"), box(css="ldv-fields")
        unfold = button("Préciser…", hint="Ce qui peut rester tel quel")
        unfold.on_click(guarded(lambda _: show(self._more, self._more.layout.display == "none")))
        show(self._more, False)
        show(unfold, any(not a.required for a in self._offered))
        self.widget = box(*([] if inner else [self._hint]), self._needed, unfold, self._more, css="ldv-fields")
        self._show()
        self._say_turn()

    def take(self, values: Mapping[str, Any]) -> None:
        """Show these arguments, in the same controls."""
        self._values = dict(values)
        self._show()

    def _show(self) -> None:
        self._needed.children = tuple(self._control(a) for a in self._offered if a.required)
        more = [a for a in self._offered if not a.required]
        self._more.children = tuple(map(self._control, more))
        if any(a.name in self._values for a in more):
            show(self._more, True)

    # -- controls -------------------------------------------------------------------------------------------------

    def _control(self, each: Argument) -> ipw.Widget:
        value, keep, put = self._values.get(each.name, each.default), self._form.keep, partial(self._set, each)
        if each.kind == "flag":
            return keep(each.name, tick, put, description=each.label, value=bool(value))
        if each.kind in ("pieces", "options"):
            return self._several(each, value)
        if each.kind == "entries":
            of, way = each.sort.of, each.sort.given
            cells = [(cell, cell) for cell in self._position.grid.cells] if way == "option" else []
            return entries(self._form.part(each.name), each.label, self._keys(of), way, value, put, cells)
        if each.kind == "records":
            return self._listed(each, list(value or ()))
        if each.kind == "number" and isinstance(value, int) and (each.required or each.default is not None):
            bounds = {"min": -MOST, "max": 10 * MOST}
            return keep(each.name, whole, put, description=each.label, value=value, **bounds)
        if each.kind in ("throws", "number", "dice", "hexes"):
            places = ", ".join(self._position.grid.cells[:2])
            hint = {"throws": "3, 4; 6, 6", "dice": "3, 4", "hexes": places}.get(each.kind, "")
            typed = {"description": each.label, "value": numbers_text(value), "placeholder": hint}
            return keep(each.name, line, lambda text: put(self._read(each, text)), **typed)
        options = self._options(each)
        if not each.required and None not in [key for _, key in options] and each.default is None:
            options = [(_NOTHING, None), *options]
        return keep(each.name, drop, put, description=each.label, options=options, value=value)

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

        def ticked(_: bool) -> None:
            self._set(each, [key for key, made in boxes.items() if made.value])

        for label, key in self._options(each):
            named = (each.name, key)
            boxes[key] = self._form.keep(named, tick, ticked, description=label, value=key in (value or ()))
        if each.kind == "pieces" and not each.required:
            chosen = ", ".join(self._position.names[key] for key in boxes if key in (value or ()))
            inside = self._form.box(each.name, *boxes.values(), css="ldv-checks")
            return self._form.fold(each.name, f"{each.label}{chosen and f'{NBSP}: {chosen}'}", inside)
        head = self._form.html(each.name, f'<span class="ldv-label">{escape(each.label)}</span>')
        return self._form.box(each.name, head, *boxes.values(), css="ldv-checks")

    def _listed(self, each: Argument, rows: list[dict[str, Any]]) -> ipw.Widget:
        """A form for each record, and a button for one more."""
        head = self._form.html(each.name, f'<span class="ldv-label">{escape(each.label)}</span>')
        made = self._form.box((each.name, "rows"), *(self._record(each, n, row) for n, row in enumerate(rows)))

        def add() -> None:
            self._set(each, [*rows, first_record(self._position, each, self._values)])

        more = self._form.button(each.name, f"+ {each.sort.title}", add, f"Ajouter à {each.label}")
        return self._form.box(each.name, head, made, more, css="ldv-fields")

    def _record(self, each: Argument, at: int, row: dict[str, Any]) -> ipw.Widget:
        def put(*values: dict[str, Any]) -> None:
            rows = list(self._values[each.name])
            self._set(each, [*rows[:at], *values, *rows[at + 1 :]])

        inner = self._records.get((each.name, at))
        if inner is None:
            form = Question(each.name, each.sort.title, each.fields)
            inner = self._records[each.name, at] = ArgumentPickers(
                form, self._position, row, self._sides, put, inner=True
            )
        else:
            inner.take(row)
        key, named = (each.name, at), f"{each.sort.title}{NBSP}{at + 1}"
        title = self._form.html(key, f"<strong>{escape(named)}</strong>", "ldv-grow")
        gone = self._form.button(key, "✕", put, f"Retirer {named}")
        head = self._form.box((*key, "head"), title, gone, row=True, css="ldv-toolbar")
        return self._form.box(key, head, inner.widget, css="ldv-fields ldv-record")

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
            return self._choices(each)
        return [(label, key) for key, label in each.options]

    def _choices(self, each: Argument) -> list[tuple[str, Any]]:
        """What the engine lets the player choose, the choices before this one made."""
        position, chain = self._position, [a.name for a in self._question.arguments if a.kind == "offered"]
        later = chain[chain.index(each.name) :]
        given = {key: value for key, value in self._values.items() if key not in later}
        try:
            answer = ask(position, self._question.name, **given).value
            options = answer.options if isinstance(answer, Offering) else ()
        except TutorError:
            options = ()
        return [
            (position.names.get(one) or (one if one in position.grid else word(position, one)), one) for one in options
        ]

    def _read(self, each: Argument, text: str) -> Any:
        if each.kind == "throws":
            return throws(text)
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
        self._say_turn()
        self._set(each, value)
        return True

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        return self._turn

    @turn.setter
    def turn(self, turn: int) -> None:
        self._turn = turn
        self._say_turn()

    def _say_turn(self) -> None:
        if self._clickable:
            each = self._clickable[self._turn % len(self._clickable)]
            self._hint.value = (
                '<p class="ldv-empty">Un clic sur le plateau choisit '
                f"«{NBSP}<strong>{escape(each.label)}</strong>{NBSP}».</p>"
            )
