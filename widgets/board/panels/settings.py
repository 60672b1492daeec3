"""Settings generated from what a position declares tweakable; a board without a mouse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import ipywidgets as ipw

from tutor.core.errors import PositionError
from tutor.core.position import Position, Tweak
from tutor.course.options import number_range, option_key, option_value, setting_now
from widgets.board import layouts
from widgets.board.board import Board
from widgets.board.errors import guarded, report
from widgets.board.events import HexClicked, PieceDropped


class Tweakable(Protocol):
    """What settings act on: a situation, an example."""

    @property
    def position(self) -> Position:
        """The position as it stands."""

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some things (paths of ``Position.change``)."""

    def on_change(self, listener: Callable[[], object], /) -> None:
        """Call after each change."""


class TweakPanel:
    """« Réglages »: one control for each tweak of the position; a change goes through the situation.

    Args:
        situation: what the controls change.
        only: change paths to show, in order; all tweaks of the position when None.

    Show ``panel.view``.
    """

    def __init__(self, situation: Tweakable, only: list[str] | None = None) -> None:
        self.situation, self.only = situation, only
        self.view = layouts.column()
        self.view.add_class("ldv-tweaks")
        self.controls: dict[str, Any] = {}
        self._rows: dict[str, ipw.Widget] = {}
        self._tweaks: list[Tweak] = []
        self._writing = False
        situation.on_change(self._refresh)
        self._refresh()

    @property
    def shown(self) -> list[Tweak]:
        """What may be changed now; what a unit that is gone had is not."""
        return [tweak for tweak in self._tweaks if _read(self.situation.position, tweak.path) is not _GONE]

    def row(self, path: str) -> ipw.Widget:
        """The control of something that may be changed, with its buttons."""
        return self._rows[path]

    def _refresh(self) -> None:
        position = self.situation.position
        tweaks = [t for t in position.tweaks if self.only is None or t.path in self.only]
        if tweaks != self._tweaks:
            self._tweaks, self.controls, self._rows = tweaks, {}, {}
            self.view.children = tuple(self._control(tweak, position) for tweak in tweaks)
            layouts.show(self.view, bool(tweaks))
        self._writing = True
        try:
            for tweak in tweaks:
                self._write(tweak, position)
        finally:
            self._writing = False

    def _write(self, tweak: Tweak, position: Position) -> None:
        """Show what holds; the control of a unit that is gone is not shown."""
        value = _read(position, tweak.path)
        layouts.show(self._rows[tweak.path], value is not _GONE)
        if value is _GONE:
            return
        control = self.controls[tweak.path]
        if tweak.options is not None:
            control.value = option_key(value, tweak.options)
        elif isinstance(control, ipw.Checkbox):
            control.value = bool(value)
        elif isinstance(control, ipw.BoundedIntText):
            control.value = _within(value, control.min, control.max)
        else:
            control.value = "" if value is None else str(value)

    def _control(self, tweak: Tweak, position: Position) -> ipw.Widget:
        value, look = _read(position, tweak.path), {"description": tweak.label, "layout": layouts.plain()}
        if tweak.options is not None:
            choices = [(label, key) for key, label in tweak.options.items()]
            return self._row(
                tweak,
                ipw.Dropdown(options=choices, value=option_key(value, tweak.options), style=layouts.wordy(), **look),
            )
        if tweak.min is None and tweak.max is None and isinstance(value, bool):
            return self._row(tweak, ipw.Checkbox(value=value, indent=False, **look))
        if tweak.min is None and tweak.max is None and isinstance(value, str):
            style = {"description_width": "initial"}
            return self._row(tweak, ipw.Text(value=value, style=style, continuous_update=False, **look))
        low, high = number_range(tweak)
        number = layouts.number(
            tweak.label, _within(value, low, high), low, high, style=layouts.wordy(), continuous_update=False
        )
        return self._row(tweak, number, [self._nudge(number, -1, tweak.label), self._nudge(number, 1, tweak.label)])

    def _row(self, tweak: Tweak, control: Any, buttons: list[ipw.Button] | None = None) -> ipw.Widget:
        self.controls[tweak.path] = control
        control.observe(guarded(lambda change: self._changed(tweak, change["new"])), "value")
        row = layouts.row(control, *(buttons or []))
        row.add_class("ldv-tweak")
        self._rows[tweak.path] = row
        return row

    def _nudge(self, number: Any, step: int, label: str) -> ipw.Button:
        button = layouts.button(
            "+" if step > 0 else "−", f"{label}\u00a0: {'un de plus' if step > 0 else 'un de moins'}"
        )
        button.add_class("ldv-more-one" if step > 0 else "ldv-less")

        def nudge(_: Any) -> None:
            number.value = min(number.max, max(number.min, number.value + step))

        button.on_click(guarded(nudge))
        return button

    def _changed(self, tweak: Tweak, value: Any) -> None:
        if self._writing or value is None:
            return
        report("")
        try:
            self.situation.change({tweak.path: option_value(value) if tweak.options is not None else value})
        except PositionError:
            self._refresh()
            raise


#: What is read of a unit that is no longer there.
_GONE = object()


def _read(position: Position, path: str) -> Any:
    try:
        return setting_now(position, path)
    except PositionError:
        return _GONE


def _within(value: Any, low: int, high: int) -> int:
    return min(high, max(low, value if isinstance(value, int) else 0))


def _button(text: str, tooltip: str, action: Any) -> ipw.Button:
    button = layouts.button(text, tooltip)
    button.on_click(guarded(lambda _: action()))
    return button


class BoardControls:
    """The board by ordinary controls: choose a hex by its name, move a piece chosen in a list.

    Args:
        board: the board they act on, through the same events as the mouse.

    Show ``controls.view``.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        words = board.position.board.words
        self.hex = ipw.Text(
            description=words.name.capitalize(),
            placeholder=board.position.grid.cells[0],
            style={"description_width": "initial"},
            layout=layouts.plain(),
            continuous_update=False,
        )
        self.choose = _button(f"Choisir {words.this}", "Comme un clic sur le plateau", self._choose)
        self.piece = ipw.Dropdown(
            options=[("(aucun)", "")], description="Pion", style=layouts.wordy(), layout=layouts.plain()
        )
        self.move = _button(f"Déplacer le pion dans {words.this}", "Comme un glisser sur le plateau", self._move)
        box = layouts.column(layouts.row(self.hex, self.choose), layouts.row(self.piece, self.move))
        for row in box.children:
            row.add_class("ldv-tweak")
        self.view = ipw.Accordion([box], titles=("Plateau sans souris",), selected_index=None, layout=layouts.plain())
        self.view.add_class("ldv-controls")
        self.view.observe(guarded(lambda _: self.refresh()), "selected_index")
        self.refresh()

    def refresh(self) -> None:
        """List the pieces of the board's position."""
        position = self.board.position
        self.piece.options = [
            ("(aucun)", ""),
            *((f"{p.name or p.id} ({position.hex_of(p.id)})", p.id) for p in position.pieces if position.hex_of(p.id)),
        ]

    def _cell(self) -> str:
        return self.board.position.grid.check(self.hex.value.strip().upper())

    def _choose(self) -> None:
        cell = self._cell()
        with self.board.hold():
            self.board.emit(HexClicked(cell, None, "control"))

    def _move(self) -> None:
        cell, piece = self._cell(), self.piece.value
        start = self.board.position.hex_of(piece) if piece else None
        if start is None:
            raise PositionError("Aucun pion n’est choisi.", remedy="Choisissez-en un dans la liste.")
        with self.board.hold():
            self.board.emit(PieceDropped(piece, start, cell, "control"))
        self.refresh()
