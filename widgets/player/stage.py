"""A board with its verdict and steps: what examples and exercises play on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.core.trace import Step
from tutor.core.trace import hexes as places
from tutor.core.typography import typography
from tutor.course.shown import plain_prose
from widgets.board.board import Board
from widgets.board.closeup import closeup
from widgets.board.errors import guarded
from widgets.board.events import HexClicked, PieceDropped
from widgets.board.film import film
from widgets.board.layers import Layer, Outline, Selection, layers_for
from widgets.board.panels.verdict import TracePanel, VerdictPanel, badge, verdict
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show, steps_card

if TYPE_CHECKING:
    from tutor.course.models import Choice
    from tutor.course.ranking import Ranked
    from widgets.board.panels.deck import DeckPanel
    from widgets.board.panels.profile import ProfilePanel
    from widgets.board.panels.tracks import TracksPanel


def provenance(position: Position) -> list[ipw.Widget]:
    """Where a board comes from, when it is not the booklet's own: « déduit », « fictif », and why."""
    if position.provenance in (None, "livret"):
        return []
    return [
        html(
            f'<p class="ldv-source">{badge(position.provenance)} '
            f"{escape(typography(position.note or position.title))}</p>"
        )
    ]


class Stage:
    """A board, its verdict, its steps.

    Args:
        page: what its widgets share.
        position: the situation.
        label: name of the board for screen readers.
        pending: verdict before the reader commits himself (none when empty).
        panel: what is drawn under the board, a ``panel`` of :class:`tutor.course.models.Example`.
        acts: its tracks may be touched.
        alone: the page gives the board a place of its own in the window, its words stand beside it, and proofs are
            played there; else it lies on a page that scrolls, as wide as the page lets it be.
    """

    def __init__(
        self,
        page: Page,
        position: Position,
        *,
        label: str,
        pending: str,
        panel: str | None = None,
        acts: bool = True,
        alone: bool = False,
    ) -> None:
        self.page = page
        self.board = Board(position, label=label, drag=True, bridge=page.bridge, whole=True)
        self.verdict = VerdictPanel(position.game)
        self.trace = TracePanel(self.board)
        self.pending = pending
        self.steps: ipw.Widget = steps_card(self.trace.view)
        self._by_name = button("Plateau sans souris", hint="Choisir un hex ou déplacer un pion par son nom")
        self._by_name.on_click(guarded(lambda _: self._open_controls()))
        self.controls_widget = box(self._by_name, css="ldv-controls-box")
        self.board_widget: ipw.Widget = self.board if alone else box(self.board, css="ldv-fit")
        #: The board by other ways than looking and pointing, folded: as text, and by ordinary controls. Over it they would
        #: hide a corner, right below it part it from what is asked.
        self.folds: list[ipw.Widget] = [self.board.text_apart(), self.controls_widget]
        #: Under the words: what may be changed of the place that was touched.
        self.spot = box(css="ldv-spot-place")
        show(self.spot, False)
        #: Over the board: what is decided by a hair, seen closer.
        self.closer = html("", "ldv-closer-place")
        show(self.closer, False)
        #: Whether proofs are played on it, where the page can.
        self.films = alone
        self._proof: tuple[Layer, ...] = ()
        self._films = 0
        if alone:
            page.bridge.listen(f"film {self.board.id}", self._film_said)
        self._acted: list[Callable[[Mapping[str, Any], Mapping[str, Any]], object]] = []
        self._panels: dict[str, ProfilePanel | TracksPanel | DeckPanel] = {}
        self._panel: ProfilePanel | TracksPanel | DeckPanel | None = None
        self.draw_under(panel, acts)
        self.side_widgets: list[ipw.Widget] = [self.verdict.view, self.steps]
        self.hide()

    def draw_under(self, panel: str | None, acts: bool = True) -> None:
        """Draw something else beside the board, from now on; None: nothing."""
        if panel and panel not in self._panels:
            self._panels[panel] = self._panel_of(panel, acts)
        self._panel = self._panels[panel] if panel else None

    @property
    def panel_widgets(self) -> list[ipw.Widget]:
        """What is drawn beside the board."""
        return [self._panel.view] if self._panel else []

    def _panel_of(self, kind: str, acts: bool) -> ProfilePanel | TracksPanel | DeckPanel:
        if kind == "profile":
            from widgets.board.panels.profile import ProfilePanel

            return ProfilePanel(self.board)
        if kind == "deck":
            from widgets.board.panels.deck import DeckPanel

            return DeckPanel(self.board, lambda given: self._act({}, given))
        from widgets.board.panels.tracks import TracksPanel

        return TracksPanel(self.board, kind, (lambda changes: self._act(changes, {})) if acts else None)

    def _act(self, changes: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        for handler in self._acted:
            handler(changes, given)

    def on_panel(self, handler: Callable[[Mapping[str, Any], Mapping[str, Any]], object]) -> None:
        """Call with the changes of the position, and the arguments, that a touch of the panel asks for."""
        self._acted.append(handler)

    def _open_controls(self) -> None:
        """The board by ordinary controls, made when first asked for: a page has several boards."""
        from widgets.board.panels.settings import BoardControls

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
        self._proof = ()
        with self.board.hold():
            for slot in ("sight", "mark", "selection"):
                self.board.show(slot)
        self.board.later(self._hush)

    def _hush(self) -> None:
        self.verdict.say("pending", self.pending)
        show(self.verdict.view, bool(self.pending))
        show(self.closer, False)
        self.trace.clear()
        show(self.steps, False)
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

    def reveal(
        self,
        result: Result[Any],
        because: str | None = None,
        *,
        filmed: bool = False,
        choices: Sequence[Choice] = (),
        together: str = "",
        replied: bool = False,
        reasons: bool = False,
        headed: bool = False,
    ) -> None:
        """Show a result: its line on the board, then verdict and steps.

        Args:
            result: of the question.
            because: rule id or code of the step that answers; None: the last one.
            filmed: the page plays the proof first, if it can: the line is on the board when the film is over.
            choices: what might be answered, where a question asks.
            together: the sentence that answers, where this result is one of several that do so together.
            replied: the reply to an answer says what it comes to: no screen reader hears it again.
            reasons: that reply says every reason of a refusal.
            headed: that reply says the sentence that answers, which is not shown again.
        """
        position = self.position
        layers = layers_for(result, position, self.board.shapes)
        filmed = filmed and self.films and self.page.bridge.films
        with self.board.hold():
            self.board.show("mark")
            self.board.show("sight", *(() if filmed else layers))
        self._proof = layers if filmed else ()
        self.board.later(
            lambda: self._show_result(result, position, because, choices, together, replied, layers, reasons, headed)
        )

    def compare(self, ranking: Sequence[Ranked], together: str, *, replied: bool = False) -> None:
        """Show things put in order, each with its number and the step that gives it; the board shows no line, for there
        is one of each.

        Args:
            ranking: they, in order.
            together: the sentence that answers.
            replied: the reply to an answer says it.
        """
        self._proof = ()
        with self.board.hold():
            self.board.show("mark")
            self.board.show("sight")
        self.board.later(lambda: self._show_ranking(ranking, together, replied))

    def _show_ranking(self, ranking: Sequence[Ranked], together: str, replied: bool) -> None:
        self.verdict.say("computed", together)
        show(self.verdict.view, not replied)
        show(self.closer, False)
        self.trace.compare(ranking)
        show(self.steps, True)
        if self._panel:
            self._panel.clear()
        said = (
            f"{one.label}{NBSP}: {' '.join(_sentence(step, one.position) for step in one.steps)}" for one in ranking
        )
        self.board.describe([together, *said], announce=not replied)

    def imagine(
        self, result: Result[Any], position: Position, because: str | None = None, choices: Sequence[Choice] = ()
    ) -> None:
        """Show what would be said of another position than that on the board: that of a piece being dragged.

        Nothing is announced; what the board shows again once the piece is let go says it aloud.

        Args:
            result: of the question, asked of ``position``.
            position: as it would be.
            because: rule id or code of the step that answers; None: the last one.
            choices: what might be answered, where a question asks.
        """
        self._proof, layers = (), layers_for(result, position, self.board.shapes)
        with self.board.hold():
            self.board.show("mark")
            self.board.show("sight", *layers)
        self.board.later(lambda: self._write_result(result, position, because, choices, "", layers))

    def _film(self, steps: Sequence[Step]) -> str:
        """The film of what is revealed, as JSON; "" of none: then the line shows at once."""
        if not self._proof:
            return ""
        made = film(steps, self._proof, self.position, self.board.drawing_view)
        if made is None:
            self.board.show("sight", *self._proof)
            self._proof = ()
            return ""
        self._films += 1
        return json.dumps({**made.as_json(), "board": self.board.id, "number": self._films})

    def _film_said(self, message: dict[str, Any]) -> None:
        """The page begins to play a proof again, or has played it: the line goes meanwhile."""
        if message.get("type") != "film" or message.get("board") != self.board.id or not self._proof:
            return
        if message.get("number") == self._films:
            self.board.show("sight", *(() if message.get("plays") else self._proof))

    def _write_result(
        self,
        result: Result[Any],
        position: Position,
        because: str | None,
        choices: Sequence[Choice],
        together: str,
        layers: Sequence[Layer],
        reasons: bool = False,
        headed: bool = False,
    ) -> None:
        self.verdict.show(result, position, because, together)
        show(self.verdict.view, not headed)
        self.trace.show(result, position, because, self._film, choices, with_answer=bool(together), replied=reasons)
        show(self.steps, bool(self.trace.view.value))  # a refusal may have its reason alone, which the verdict says
        if self._panel:
            self._panel.show(result, position)
        if self.films:
            self._look_closer(layers, position)

    def _look_closer(self, layers: Sequence[Layer], position: Position) -> None:
        """Show what is decided by a hair in the corner that is farthest from it."""
        near, view = closeup(layers, position, game(position.game).shapes(position)), self.board.drawing_view
        show(self.closer, near is not None)
        if near is None:
            return
        x, y = view.centre(near.cell)
        names = {"is-right": 2 * x < view.width, "is-low": 2 * y < view.height, "is-met": near.touches}
        css = " ".join(["ldv-closer", *(name for name, holds in names.items() if holds)])
        said = f"{near.cell}{NBSP}: elle {'touche' if near.touches else 'passe à côté'}."
        drawn = f"{near.svg(view)}<figcaption>{said}</figcaption>"
        self.closer.value = f'<figure class="{css}">{drawn}</figure>'

    def _show_result(
        self,
        result: Result[Any],
        position: Position,
        because: str | None,
        choices: Sequence[Choice],
        together: str,
        replied: bool,
        layers: Sequence[Layer],
        reasons: bool,
        headed: bool,
    ) -> None:
        self._write_result(result, position, because, choices, together, layers, reasons, headed)
        sentences = [together or verdict(result, position, because)[1]]
        said = () if together else result.refusals[:1]
        sentences += [
            _sentence(one, position) for one in result.trace.children if not any(one is step for step in said)
        ]
        self.board.describe(sentences, announce=not replied)

    def fail(self, error: TutorError, *, aloud: bool = True) -> None:
        """Show why nothing can be computed; the rest of the page works on.

        Args:
            error: what went wrong.
            aloud: screen readers hear it.
        """
        self.board.show("sight")
        self.board.later(lambda: self._excuse(error.sentence, aloud))

    def _excuse(self, sentence: str, aloud: bool) -> None:
        self.verdict.say("unknown", sentence)
        show(self.steps, False)
        if self._panel:
            self._panel.clear()
        if aloud:
            self.board.describe((sentence,))

    def close(self) -> None:
        """Leave the page: the bridge speaks of this board and its panel no more."""
        self.page.bridge.forget(f"film {self.board.id}")
        self.board.leave()
        for panel in self._panels.values():
            panel.close()
        discard(self.page, self.spot, self.closer, *self.folds)  # they are not shown on every screen

    @property
    def widgets(self) -> tuple[ipw.Widget, ...]:
        """All that it has made, shown or not: what is closed with it."""
        panels = (panel.view for panel in self._panels.values())
        own = (
            self.board_widget,
            self.spot,
            self.closer,
            self.verdict.view,
            self.steps,
        )
        return (*own, *self.folds, *panels)

    def announce(self, sentence: str) -> None:
        """Have a screen reader say a sentence."""
        self.page.bridge.say(plain_prose(sentence))


def _sentence(step: Any, position: Position) -> str:
    try:
        return game(position.game).sentence(step, position)
    except TutorError:
        return str(step.code)
