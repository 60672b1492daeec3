"""What may be changed in place on the free board: a lesson's palette, for the hex or the counter that was touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as ipw

from tutor.core.position import Position, Tweak
from tutor.core.registry import game
from widgets.board import layouts
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.board.panels.settings import TweakPanel
from widgets.editor.brushes import REMOVE, capital, terrain_brushes, touched
from widgets.editor.pieces import trait
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import box, button
from widgets.pages.situation import Situation
from widgets.player.spot import SpotPanel


class Changing:
    """What a touched cell offers: its ground, or one of the counters there.

    Args:
        page: what its widgets share.
        board: that is touched.
        situation: what is changed.
        place: box beside the board.

    To the palette it is what settings act on: a position that declares those of the touched thing alone.
    """

    def __init__(self, page: Page, board: Board, situation: Situation, place: ipw.Box) -> None:
        self._page, self._board, self._situation, self._place = page, board, situation, place
        self._game = game(situation.position.game)
        self._cell, self._wanted = "", ""
        self._tweaks: list[Tweak] = []
        self._listeners: list[Callable[[], object]] = []
        self._filling = False
        self._which = ipw.Dropdown(description="Changer", layout=layouts.plain(), style=layouts.wordy())
        self._which.observe(guarded(lambda change: self._turned(change["new"])), "value")
        self._things = box(self._which, row=True, css="ldv-tweak")
        self._remove = button("Retirer", hint="Retirer ce pion du plateau")
        self._remove.on_click(guarded(lambda _: self._removed()))
        self._settings = TweakPanel(self)
        self._spot = SpotPanel(board, place, self._settings, self)

    # -- what the palette acts on ---------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position, with the settings of what was touched."""
        return self._situation.position.model_copy(update={"tweaks": self._tweaks})

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change some things (paths of ``Position.change``); a board against the rules stands, and says so."""
        self._situation.replace(self._situation.position.change(changes), check=False)

    def on_change(self, listener: Callable[[], object]) -> None:
        """Call after each change, and when something else is touched."""
        self._listeners.append(listener)

    @property
    def altered(self) -> bool:
        """Whether there is something to undo, or to do again."""
        return self._situation.can_undo or self._situation.can_redo

    def undo(self) -> None:
        """Take back the last change."""
        self._situation.undo()

    # -- what the reader does -------------------------------------------------------------------------------------

    def open(self, cell: str, piece: str | None) -> None:
        """Offer what may be changed of a counter, or of a cell without any.

        Args:
            cell: that was touched.
            piece: that was; None: the one on top.
        """
        here = self._situation.position.pieces_at(cell)
        self._cell, self._wanted = cell, piece or (here[-1].id if here else "")
        self._offer()
        self._board.later(self._spot.announce)

    def fit(self) -> None:
        """Follow a change of the board: what has left its cell is offered no more."""
        position = self._situation.position
        moved = self._wanted in position.by_id and position.hex_of(self._wanted) != self._cell
        if moved or self._cell not in position.grid:
            self.close()
        elif self._place.children:
            self._offer()

    def close(self) -> None:
        """Offer nothing."""
        self._spot.close()

    def leave(self) -> None:
        """Leave the page, with all that was made, shown or not."""
        discard(self._page, *self._made, self._settings.view, self._things, self._remove)

    @property
    def _made(self) -> tuple[ipw.Widget, ...]:
        return (*self._settings.view.children, *self._spot.widgets)

    def _turned(self, thing: str | None) -> None:
        if not self._filling and thing is not None:
            self._wanted = thing
            self._offer()

    def _removed(self) -> None:
        if (thing := self._which.value) and self._place.children:
            position = touched(self._situation.position, f"{REMOVE}:", self._cell, thing, self._game)
            self._situation.replace(position, check=False)

    def _offer(self) -> None:
        """Show the settings of what was touched, or, once it is gone, of what is on top there; close those before."""
        left, position = self._made, self._situation.position
        here = [piece.id for piece in position.pieces_at(self._cell)]
        things = [
            *((position.names[name], name) for name in here),
            (f"{capital(position.board.words.the)} {self._cell}", ""),
        ]
        thing = self._wanted if self._wanted in ("", *here) else here[-1] if here else ""
        self._filling = True
        if things != list(self._which.options):
            self._which.options = things
        self._which.value = thing
        self._filling = False
        layouts.allow(self._remove, bool(thing))
        self._tweaks = self._of_piece(thing) if thing else self._of_ground()
        for listener in self._listeners:
            listener()
        gone = bool(self._wanted) and not here  # « Retirer » was pressed: the focus is on it
        self._spot.open(self._cell, more=(self._things, self._remove) if here or gone else ())
        discard(self._page, *(one for one in left if one not in self._made))

    # -- what may be changed --------------------------------------------------------------------------------------

    def _of_piece(self, name: str) -> list[Tweak]:
        return [
            Tweak(path=f"piece.{name}.status.{state}", label=trait(self._game.id, state, "status"))
            for _, state in self._game.kit.states
        ]

    def _of_ground(self) -> list[Tweak]:
        position, kit, cell = self._situation.position, self._game.kit, self._cell
        brushes: dict[str, dict[str, str]] = {}
        for label, brush in terrain_brushes(self._game, kit):
            kind, _, value = brush.partition(":")
            brushes.setdefault(kind, {})[value] = label
        terrain = {value or "open": label for value, label in brushes["terrain"].items()}
        tweaks = [Tweak(path=f"terrain.{cell}", label="Terrain", options=terrain)]
        if kit.levels:
            levels = sorted({*kit.levels, position.level_of.get(cell, 0)})
            high = max(levels) >= 10
            options = {str(level): f"{level} m" if high else str(level) for level in levels}
            tweaks.append(Tweak(path=f"level.{cell}", label="Courbe" if high else "Niveau", options=options))
        for kind, _ in kit.markers:  # those that stand there; others are painted
            stands = position.marker(kind, cell)
            if stands is not None:
                name = capital(self._game.tables["markers"].term(kind))
                values = {value or "true": label.removeprefix(name).strip() for value, label in brushes[kind].items()}
                values.setdefault("true" if stands is True else str(stands), str(stands))
                none = "Non" if list(values) == ["true"] else "Rien"
                options = {"none": none, **{value: label or "Oui" for value, label in values.items()}}
                tweaks.append(Tweak(path=f"marker.{kind}.{cell}", label=name, options=options))
        return tweaks
