"""A board with its verdict and steps: what examples and exercises play on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import hexes as places
from widgets.board import Board
from widgets.bridge import bridge
from widgets.errors import guarded
from widgets.events import HexClicked, PieceDropped
from widgets.layers import Layer, Outline, Selection, layers_for
from widgets.lesson_text import box, button, show, steps_card
from widgets.panels import TracePanel, VerdictPanel, verdict

if TYPE_CHECKING:
    from widgets.deck import DeckPanel
    from widgets.profile import ProfilePanel
    from widgets.tracks import TracksPanel


class Stage:
    """A board, its verdict, its steps.

    Args:
        position: the situation; label: name of the board for screen readers; pending: verdict before the reader commits
            himself (none when empty); size, height: greatest size of the board, in CSS pixels; panel: what is
            drawn under the board, a ``panel`` of :class:`tutor.course.models.Example`; acts: its tracks may be touched.
    """

    def __init__(
        self,
        position: Position,
        *,
        label: str,
        pending: str,
        size: int = 760,
        height: int = 560,
        panel: str | None = None,
        acts: bool = True,
    ) -> None:
        self.board = Board(position, label=label, drag=True, size=size, height=height)
        self.verdict = VerdictPanel(position.game)
        self.trace = TracePanel(self.board)
        self.pending = pending
        self._steps = steps_card(self.trace.view)
        self._by_name = button("Plateau sans souris", hint="Choisir un hex ou déplacer un pion par son nom")
        self._by_name.on_click(guarded(lambda _: self._open_controls()))
        self.controls_widget = box(self._by_name, css="ldv-controls-box")
        self.board_widget: ipw.Widget = self.board.view
        self._acted: list[Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = []
        self._panel = self._panel_of(panel, acts) if panel else None
        self.panel_widgets: list[ipw.Widget] = [self._panel.view] if self._panel else []
        self.side_widgets: list[ipw.Widget] = [self.verdict.view, self._steps]
        self.hide()

    def _panel_of(self, kind: str, acts: bool) -> ProfilePanel | TracksPanel | DeckPanel:
        if kind == "profile":
            from widgets.profile import ProfilePanel

            return ProfilePanel(self.board)
        if kind == "deck":
            from widgets.deck import DeckPanel

            return DeckPanel(self.board, lambda given: self._act({}, given))
        from widgets.tracks import TracksPanel

        return TracksPanel(self.board, kind, (lambda changes: self._act(changes, {})) if acts else None)

    def _act(self, changes: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        for handler in self._acted:
            handler(changes, given)

    def on_panel(self, handler: Callable[[Mapping[str, Any], Mapping[str, Any]], object]) -> None:
        """Call with the changes of the position, and the arguments, that a touch of the panel asks for."""
        self._acted.append(handler)

    def _open_controls(self) -> None:
        """The board by ordinary controls, made when first asked for: a page has several boards."""
        from widgets.tweak import BoardControls

        controls = BoardControls(self.board)
        controls.view.selected_index = 0
        self.controls_widget.children = (controls.view,)

    @property
    def position(self) -> Position:
        """The situation on screen."""
        return self.board.position

    def on_hex(self, handler: Callable[[str, str | None], object]) -> None:
        """Call with the hex, and the piece, of each click."""
        self.board.on(HexClicked, lambda event: handler(event.hex, event.piece))

    def on_moved(self, handler: Callable[[str, str], object]) -> None:
        """Call with the piece and the hex it was dropped in."""
        self.board.on(PieceDropped, lambda event: handler(event.piece, event.hex))

    def place(self, position: Position) -> None:
        """Show another situation."""
        self.board.position = position

    def hide(self) -> None:
        """Show no verdict, no line, no step."""
        with self.board.hold():
            for slot in ("sight", "mark", "selection"):
                self.board.show(slot)
        self.board.later(self._hush)

    def _hush(self) -> None:
        self.verdict.say("pending", self.pending)
        show(self.verdict.view, bool(self.pending))
        self.trace.clear()
        show(self._steps, False)
        if self._panel:
            self._panel.clear()
        self.board.describe((), announce=False)

    def mark(self, hexes: tuple[str, ...], among: tuple[str, ...] = ()) -> None:
        """Mark the hexes a question speaks of, and those one may answer with."""
        layers: list[Layer] = [Selection(hexes)] if hexes else []
        if among:
            layers.append(Outline(places(*among), "olive"))
        self.board.show("mark", *layers)

    def select(self, hexes: tuple[str, ...]) -> None:
        """Mark the hexes the reader has chosen."""
        self.board.select(*hexes)

    def reveal(self, result: Result[Any]) -> None:
        """Show a result: its line on the board, then verdict and steps."""
        position = self.position
        with self.board.hold():
            self.board.show("mark")
            self.board.show("sight", *layers_for(result, position, self.board.shapes))
        self.board.later(lambda: self._tell(result, position))

    def _tell(self, result: Result[Any], position: Position) -> None:
        self.verdict.show(result, position)
        show(self.verdict.view, True)
        self.trace.show(result, position)
        show(self._steps, True)
        if self._panel:
            self._panel.show(result, position)
        sentences = [verdict(result, position)[1]]
        sentences += [_sentence(step, position) for step in result.trace.children]
        self.board.describe(sentences)

    def fail(self, error: TutorError) -> None:
        """Show why nothing can be computed; the rest of the page works on."""
        self.board.show("sight")
        self.board.later(lambda: self._excuse(error.sentence))

    def _excuse(self, sentence: str) -> None:
        self.verdict.say("unknown", sentence)
        show(self._steps, False)
        if self._panel:
            self._panel.clear()
        self.board.describe((sentence,))

    def close(self) -> None:
        """Leave the page: the bridge speaks of this board and its panel no more."""
        self.board.close()
        if self._panel:
            self._panel.close()

    def announce(self, sentence: str) -> None:
        """Have a screen reader say a sentence."""
        bridge().say(sentence.replace("[[", "").replace("]]", ""))


def _sentence(step: Any, position: Position) -> str:
    try:
        return game(position.game).sentence(step, position)
    except TutorError:
        return str(step.code)
