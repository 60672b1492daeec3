"""What may be changed of a place: a touched hex or counter offers its settings beside the board, which stays whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Protocol

import ipywidgets as ipw
import traitlets as t

from tutor.core.phrases import NBSP, listing
from tutor.core.position import Position, Tweak
from tutor.core.trace import hexes as places
from tutor.course.options import cells_of
from widgets.board import layouts
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.board.events import KeyPressed
from widgets.board.layers import Outline
from widgets.board.panels.settings import Tweakable, TweakPanel
from widgets.host.prose import box, button, html, show

#: Choices that stand side by side, at most; more are a list.
SIDE_BY_SIDE = 5
#: Places that the invitation names, at most.
NAMED = 4


class Changed(Tweakable, Protocol):
    """What settings act on, where what they have done is taken back."""

    @property
    def altered(self) -> bool:
        """Whether there is something to undo, or to do again."""

    def undo(self) -> None:
        """Take back the last change."""


def settings_card(situation: Changed, board: Board, place: ipw.Box | None) -> tuple[ipw.Widget, SpotPanel | None]:
    """« Réglages »: what may be changed, touched on the board where it has a place there, and as a list.

    Args:
        situation: what is changed.
        board: that shows it.
        place: box beside the board; None: nothing is touched.
    """
    settings = TweakPanel(situation)
    title = html('<h2 class="ldv-label">Réglages</h2>')
    spot = SpotPanel(board, place, settings, situation) if place else None
    if spot is None or not spot.invitation:
        return box(title, settings.view, css="ldv-card ldv-settings"), None
    listed = ipw.Accordion([settings.view], titles=("En liste",), selected_index=None, layout=layouts.plain())
    listed.add_class("ldv-settings-list")
    invited = html(f"<p>{escape(spot.invitation)}</p>", "ldv-settings-touch")
    return box(title, invited, listed, css="ldv-card ldv-settings"), spot


class SpotPanel:
    """The settings of one place, as large buttons; the list of all of them stays where it is.

    Args:
        board: that is touched; it may be that of others too.
        place: box beside the board.
        settings: all that may be changed.
        situation: what they change.

    Nothing is shown before :meth:`open`.
    """

    def __init__(self, board: Board, place: ipw.Box, settings: TweakPanel, situation: Changed) -> None:
        self._board, self._place, self._settings = board, place, settings
        self._shut = button("×", hint="Fermer les réglages de ce lieu")
        self._shut.on_click(guarded(lambda _: self.close()))
        self._choose = button("")
        self._choose.on_click(guarded(lambda _: self._chosen()))
        self._undo = button("Annuler", hint="Annuler le dernier changement")
        self._undo.on_click(guarded(lambda _: situation.undo()))
        self._situation = situation
        situation.on_change(self._fit)
        self._fit()
        self._then: Callable[[], object] | None = None
        self._offer = ""
        self._palettes: dict[str, tuple[ipw.Widget, ipw.Widget]] = {}
        self._rows = box(css="ldv-spot-rows")
        self.view = box(box(self._shut, row=True, css="ldv-spot-head"), self._rows, css="ldv-spot")
        board.on(KeyPressed, lambda event: self.close() if event.key == "Escape" else None)

    def open(self, cell: str, choose: Callable[[], object] | None = None, more: Sequence[ipw.Widget] = ()) -> bool:
        """Offer what may be changed in a cell; where there is nothing, close what was offered elsewhere.

        Args:
            cell: that was touched.
            choose: what else touching it may mean, offered as well.
            more: what else is offered there, first.

        Returns:
            Whether there is something.
        """
        position = self._board.position
        tweaks = [tweak for tweak in self._settings.shown if cell in cells_of(position, tweak.path)]
        if not (tweaks or more):
            self.close()
            return False
        now = self._settings.controls
        self._palettes = {path: made for path, made in self._palettes.items() if now.get(path) is made[0]}
        self._then, self._choose.description = choose, f"Choisir {cell}"
        self._rows.children = (*more, *map(self._control, tweaks), *([self._choose] if choose else []), self._undo)
        self._place.children = (self.view,)
        show(self._place, True)
        self._board.show("spot", Outline(places(cell), "olive"))
        self._offer = f"{cell}{NBSP}: {listing([tweak.label for tweak in tweaks])}."
        return True

    def announce(self) -> None:
        """Have a screen reader say what is offered."""
        self._board.bridge.say(self._offer)

    def close(self) -> None:
        """Offer nothing."""
        if self.view in self._place.children:
            self._place.children = ()
            show(self._place, False)
            self._board.show("spot")

    def _fit(self) -> None:
        show(self._undo, self._situation.altered)  # pressed once, it stays: the focus is on it

    def _chosen(self) -> None:
        self.close()
        if self._then:
            self._then()

    @property
    def widgets(self) -> tuple[ipw.Widget, ...]:
        """All that it has made, shown or not: what is closed with it."""
        return (self.view, self._choose, self._undo, *(made for _, made in self._palettes.values()))

    @property
    def invitation(self) -> str:
        """What may be touched, in words; "" when nothing that may be changed has a place."""
        position = self._board.position
        touched = dict.fromkeys(name for tweak in self._settings.shown for name in _names(position, tweak))
        named = list(touched)[:NAMED]
        if not named:
            return ""
        what = listing(named) if len(touched) <= NAMED else f"{', '.join(named)}…"
        return f"Touchez sur le plateau ce que vous voulez changer{NBSP}: {what}."

    def _control(self, tweak: Tweak) -> ipw.Widget:
        """A few choices side by side, tied to their list; what is no choice, as the list has it."""
        control = self._settings.controls[tweak.path]
        if tweak.options is None or len(tweak.options) > SIDE_BY_SIDE:
            return self._settings.row(tweak.path)
        known = self._palettes.get(tweak.path)
        if known is None or known[0] is not control:
            made = ipw.ToggleButtons(options=control.options, value=control.value, description=tweak.label)
            made.add_class("ldv-spot-choices")
            t.link((control, "value"), (made, "value"))
            self._palettes[tweak.path] = known = (control, made)
        return known[1]


def _names(position: Position, tweak: Tweak) -> list[str]:
    """What one touches to change something: the piece, or its hex."""
    piece = tweak.path.split(".")[1] if tweak.path.startswith("piece.") else ""
    cells = cells_of(position, tweak.path)
    if piece:
        return [position.names[piece]] if cells else []
    return list(cells)
