"""Settings generated from what a position declares tweakable; a board without a mouse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import ipywidgets as ipw

from tutor.core.errors import PositionError
from tutor.core.position import Position, Tweak
from tutor.core.registry import game
from tutor.course.options import option_value
from widgets import plain
from widgets.board import Board
from widgets.bridge import bridge
from widgets.errors import guarded
from widgets.events import HexClicked, PieceDropped
from widgets.text import cell_words


def option_key(value: Any, options: dict[str, str]) -> str | None:
    """The option key of a value, None when no option stands for it.

    >>> option_key(None, {"open": "dégagé", "woods": "bois"})
    'open'
    >>> option_key(0, {"none": "0", "1": "1"})
    'none'
    """
    found = (key for key in options if option_value(key) == value and type(option_value(key)) is type(value))
    nothing = next((key for key in options if option_value(key) is None), None)
    return next(found, nothing if value == 0 and value is not False else None)


class Tweakable(Protocol):
    """What settings act on: a situation, an example."""

    @property
    def position(self) -> Position:
        """The position as it stands."""

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some things (paths of ``Position.change``)."""

    def on_change(self, told: Callable[[], object], /) -> None:
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
        self.view = plain.column()
        self.view.add_class("ldv-tweaks")
        self.controls: dict[str, Any] = {}
        self._tweaks: list[Tweak] = []
        self._writing = False
        situation.on_change(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        position = self.situation.position
        tweaks = [t for t in position.tweaks if self.only is None or t.path in self.only]
        if tweaks != self._tweaks:
            self._tweaks, self.controls = tweaks, {}
            self.view.children = tuple(self._control(tweak, position) for tweak in tweaks)
            plain.show(self.view, bool(tweaks))
        self._writing = True
        try:
            for tweak in tweaks:
                self._write(tweak, position)
        finally:
            self._writing = False

    def _write(self, tweak: Tweak, position: Position) -> None:
        control, value = self.controls[tweak.path], _read(position, tweak.path)
        if tweak.options is not None:
            control.value = option_key(value, tweak.options)
        elif isinstance(control, ipw.Checkbox):
            control.value = bool(value)
        elif isinstance(control, ipw.BoundedIntText):
            control.value = min(control.max, max(control.min, int(value or 0)))
        else:
            control.value = "" if value is None else str(value)

    def _control(self, tweak: Tweak, position: Position) -> ipw.Widget:
        value = _read(position, tweak.path)
        style = {"style": plain.wordy(), "layout": plain.plain()}
        if tweak.options is not None:
            choices = [(label, key) for key, label in tweak.options.items()]
            control: Any = ipw.Dropdown(
                options=choices, value=option_key(value, tweak.options), description=tweak.label, **style
            )
            return self._row(tweak, control)
        if tweak.min is None and tweak.max is None and isinstance(value, bool):
            return self._row(
                tweak, ipw.Checkbox(value=value, description=tweak.label, indent=False, layout=plain.plain())
            )
        if tweak.min is None and tweak.max is None and isinstance(value, str):
            return self._row(
                tweak,
                ipw.Text(
                    value=value,
                    description=tweak.label,
                    style={"description_width": "initial"},
                    layout=plain.plain(),
                    continuous_update=False,
                ),
            )
        low, high = tweak.min if tweak.min is not None else -20, tweak.max if tweak.max is not None else 99
        number = ipw.BoundedIntText(
            value=min(high, max(low, int(value or 0))),
            min=low,
            max=high,
            description=tweak.label,
            **style,
            continuous_update=False,
        )
        return self._row(tweak, number, [self._nudge(number, -1, tweak.label), self._nudge(number, 1, tweak.label)])

    def _row(self, tweak: Tweak, control: Any, buttons: list[ipw.Button] | None = None) -> ipw.Widget:
        self.controls[tweak.path] = control
        control.observe(guarded(lambda change: self._changed(tweak, change["new"])), "value")
        row = plain.row(control, *(buttons or []))
        row.add_class("ldv-tweak")
        return row

    def _nudge(self, number: Any, step: int, label: str) -> ipw.Button:
        button = plain.button("+" if step > 0 else "−", f"{label}\u00a0: {'un de plus' if step > 0 else 'un de moins'}")
        button.add_class("ldv-more-one" if step > 0 else "ldv-less")

        def nudge(_: Any) -> None:
            number.value = min(number.max, max(number.min, number.value + step))

        button.on_click(guarded(nudge))
        return button

    def _changed(self, tweak: Tweak, value: Any) -> None:
        if self._writing or value is None:
            return
        bridge().warn("")
        try:
            self.situation.change({tweak.path: option_value(value) if tweak.options is not None else value})
        except PositionError:
            self._refresh()
            raise


def _read(position: Position, path: str) -> Any:
    """What holds now: of an open reading that the position does not settle, the game's default."""
    try:
        value = position.read(path)
    except PositionError:
        return None
    setting = game(position.game).settings.get(path.removeprefix("setting."))
    return setting.default if value is None and setting and path.startswith("setting.") else value


def _button(text: str, tooltip: str, action: Any) -> ipw.Button:
    button = plain.button(text, tooltip)
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
        word = cell_words(board.position)[0]
        this = f"{'cette' if word == 'case' else 'cet'} {word}"
        self.hex = ipw.Text(
            description=word.capitalize(),
            placeholder="J7",
            style={"description_width": "initial"},
            layout=plain.plain(),
            continuous_update=False,
        )
        self.choose = _button(f"Choisir {this}", "Comme un clic sur le plateau", self._choose)
        self.piece = ipw.Dropdown(
            options=[("(aucun)", "")], description="Pion", style=plain.wordy(), layout=plain.plain()
        )
        self.move = _button(f"Déplacer le pion dans {this}", "Comme un glisser sur le plateau", self._move)
        box = plain.column(plain.row(self.hex, self.choose), plain.row(self.piece, self.move))
        for row in box.children:
            row.add_class("ldv-tweak")
        self.view = ipw.Accordion([box], titles=("Plateau sans souris",), selected_index=None, layout=plain.plain())
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
