"""« Partie » : what a board does not show, by form: who defends, the hour, the tracks;
and the readings the booklet leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.course.circumstances import Circumstance, circumstances
from widgets.editor.brushes import table_term
from widgets.editor.draft import Workbench
from widgets.editor.forms import Form, drop, line, tick
from widgets.editor.maps import entries, whole_numbers
from widgets.host.prose import box, html

_NOTHING = "non dit"


def cells_of(position: Position, terrain: str) -> list[tuple[str, str]]:
    """Cells of a terrain, each as (label, cell).

    >>> from tutor import load_position
    >>> cells_of(load_position("combat_commander", "vallee"), "minor_bridge")
    [('C4', 'C4')]
    """
    return [(cell, cell) for cell in position.grid.cells if position.terrain_of.get(cell) == terrain]


class CircumstancesPanel:
    """What a board does not show, and the readings of the game, each as a step of the history.

    Args:
        bench: what they change.
        sides: (label, side) of the game as it stands.

    Show ``form``.
    """

    def __init__(self, bench: Workbench, sides: Callable[[], list[tuple[str, str]]]) -> None:
        self._bench, self._sides = bench, sides
        self._made_for: tuple[Any, ...] = ()
        self._form = Form()
        self._state, self._readings = box(css="ldv-fields"), box(css="ldv-fields")
        head = (
            f"Ce que le plateau ne montre pas. «{NBSP}{_NOTHING.capitalize()}{NBSP}» convient tant qu’aucune règle ne "
            "le demande."
        )
        state = box(
            html(f'<h2 class="ldv-label">La partie</h2><p class="ldv-empty">{head}</p>'),
            self._state,
            css="ldv-card ldv-fields",
        )
        readings = ipw.Accordion(
            children=(self._readings,),
            titles=(f"Là où le livret laisse un choix{NBSP}: {len(bench.game.settings)} lectures",),
        )
        readings.selected_index = 0 if bench.position.settings else None
        known = [state] if circumstances(bench.game.id) else []
        self.form = box(*known, *([readings] if bench.game.settings else []), css="ldv-fields")

    def refresh(self) -> None:
        """Show what holds now."""
        position = self._bench.position
        asked = circumstances(position.game)
        cells = [cells_of(position, each.terrain) for each in asked if each.of == "cells"]
        state = (position.state, position.settings, position.pieces, position.board, cells)
        if state != self._made_for:
            self._made_for = state
            self._state.children = tuple(map(self._control, asked))
            self._readings.children = tuple(map(self._reading, self._bench.game.settings))

    # -- what the board does not show -------------------------------------------------------------------------------

    def _put(self, key: str, value: Any) -> None:
        if value != self._bench.position.state.get(key):
            self._bench.change({f"state.{key}": value})

    def _control(self, each: Circumstance) -> ipw.Widget:
        now, put = self._bench.position.state.get(each.key), partial(self._put, each.key)
        if each.kind == "flag":
            return self._form.keep(each.key, tick, lambda on: put(on or None), description=each.label, value=bool(now))
        if each.kind in ("side", "option"):
            offered = self._sides() if each.kind == "side" else list(each.options.items())
            options = [(_NOTHING, None), *offered]
            if now not in [value for _, value in options]:
                options.append((str(now), now))
            return self._form.keep(each.key, drop, put, description=each.label, options=options, value=now)
        if each.kind == "number":
            text = "" if now is None else str(now)
            return self._form.keep(
                each.key,
                line,
                lambda typed: put(next(iter(whole_numbers(typed)), None)),
                description=each.label,
                value=text,
                placeholder=_NOTHING,
            )
        return self._several(each, now) if each.kind == "chosen" else self._entries(each, now)

    def _several(self, each: Circumstance, now: Any) -> ipw.Widget:
        chosen = set(now) if isinstance(now, (list, tuple)) else set()
        boxes: dict[str, Any] = {}

        def ticked(_: bool) -> None:
            self._put(each.key, [key for key, made in boxes.items() if made.value] or None)

        for label, key in self._rows(each.table):
            boxes[key] = self._form.keep((each.key, key), tick, ticked, description=label, value=key in chosen)
        inside = "".join(f" {key}" for key in boxes if key in chosen)
        title = f"{each.label}{inside and NBSP + ':' + inside.upper()}"
        return self._form.fold(each.key, title, self._form.box((each.key, "all"), *boxes.values(), css="ldv-values"))

    def _rows(self, table: str) -> list[tuple[str, str]]:
        """Rows of a table, ``name`` or ``name:prefix``, as (label, key)."""
        name, _, prefix = table.partition(":")
        rulebook = self._bench.game
        return [(table_term(rulebook, name, row), row.removeprefix(prefix)) for row in rulebook.tables[name].rows]

    def _entries(self, each: Circumstance, now: Any) -> ipw.Widget:
        position, options = self._bench.position, list(each.options.items())
        if each.by_side:
            options = self._sides()
        elif each.of == "cells":
            options = self._rows(each.table)
        keys: list[tuple[str, Any]] = {
            "sides": self._sides,
            "pieces": lambda: [(position.names[piece.id], piece.id) for piece in position.pieces],
            "cells": lambda: cells_of(position, each.terrain),
            "rows": lambda: self._rows(each.table),
            "keys": lambda: list(each.keys.items()),
        }[each.of]()
        given = now
        if each.alike and isinstance(now, int):  # one number stands for both sides
            given = {side: now for _, side in keys}
        return entries(
            self._form.part(each.key),
            each.label,
            keys,
            "option" if options else "number",
            given if isinstance(given, dict) else None,
            partial(self._put, each.key),
            options,
        )

    # -- readings ---------------------------------------------------------------------------------------------------

    def _reading(self, name: str) -> ipw.Widget:
        setting = self._bench.game.settings[name]
        options = [
            (f"{label} (par défaut)" if value == setting.default else label, value)
            for value, label in setting.options.items()
        ]
        now = self._bench.position.settings.get(name, setting.default)
        key = ("setting", name)
        made = self._form.keep(key, drop, partial(self._read, name), options=options, value=now, tooltip=setting.label)
        words = f'<span class="ldv-reading">{escape(setting.label)} <small>{setting.rule}</small></span>'
        return self._form.box(key, self._form.html(key, words), made)

    def _read(self, name: str, value: str) -> None:
        default = self._bench.game.settings[name].default
        self._bench.change({f"setting.{name}": None if value == default else value})
