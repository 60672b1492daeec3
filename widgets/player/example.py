"""A live example: question, board, verdict, steps, odds, settings, and the « Et si… » that follow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import PositionError, TutorError
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.course.links import Link, position_text
from tutor.course.models import LiveExample, RuleText, WhatIf
from tutor.course.models import Prediction as PredictionText
from tutor.course.onboard import speaks_of
from tutor.course.shown import named_hexes
from widgets.board.errors import guarded
from widgets.board.follow import Follow
from widgets.board.history import History, refuse_new_faults
from widgets.board.layouts import allow
from widgets.board.panels.legend import LegendPanel
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, history_buttons, html, rule_text, show
from widgets.player.odds import OddsStack, odds_beside
from widgets.player.picks import Picks
from widgets.player.predictions import Prediction, WhatIfs, conclusion
from widgets.player.questions import Case, Questions
from widgets.player.stage import Stage, provenance
from widgets.player.walk import Walk

if TYPE_CHECKING:
    from widgets.host.share import SharePanel
    from widgets.player.answered import Answered
    from widgets.player.spot import SpotPanel

_PENDING = "Répondez d’abord ; le verdict viendra ensuite."
_PROJECTED = "Une touche (espace, entrée, →) montre la réponse."


class ExamplePlayer:
    """One live example.

    Args:
        page: what its widgets share.
        game_id: game.
        example: its data.
        writer: of the page.
        question: asked before the verdict shows.
        instructed: the example's text says what to do with the board, not what it shows.
        rules: texts after the board.
        what_ifs: « Et si… ».
        slug: of the lesson, for links.
        address: where it is, when it is no lesson of the course.
        before: what leads to the question.
        base: the board, when it is not the one that the example names.
        stage: the board that it plays on when it is entered; its own, at once, when None.
        answered: what its questions were answered on an earlier visit.
    """

    def __init__(
        self,
        page: Page,
        game_id: str,
        example: LiveExample,
        writer: Writer,
        *,
        question: PredictionText | None = None,
        instructed: bool = False,
        rules: Sequence[RuleText] = (),
        what_ifs: Sequence[WhatIf] = (),
        slug: str = "",
        address: Link | None = None,
        before: Sequence[ipw.Widget] = (),
        base: Position | None = None,
        stage: Stage | None = None,
        answered: Answered | None = None,
    ) -> None:
        self.page = page
        self.game_id, self.example, self._writer = game_id, example, writer
        self._address = address or Link("lesson", game_id, slug=slug)
        base = base or game(game_id).position(example.position).change(example.changes)
        self._base = base.model_copy(update={"tweaks": example.tweaks}) if example.tweaks else base
        self._listeners: list[Callable[[], object]] = []
        odds = odds_beside(game_id, example.ask, example.odds)
        self._odds = OddsStack(odds) if odds else None
        self._start = (self._base, dict(example.with_))
        self._history = History(self._start)
        self.revealed = question is None
        #: Whether the proof that is shown now is played; whether the reply to an answer says what is shown.
        self._filmed = self._replied = False
        #: What is told of the case that is played, where it was computed to ask about it.
        self._computed: Result[Any] | None = None
        self._source = provenance(base)
        self.stage = stage or Stage(page, self._base, label=example.title, pending=_PENDING, panel=example.panel)
        #: Whether the board shows this example; whether it is that of others, too.
        self.live, self._shares = stage is None, stage is not None
        self._scene = ""
        self._spot: SpotPanel | None = None
        #: Whether a room sees it: the verdict waits for a key.
        self.projected = False
        self.stage.on_hex(self._when_live(self._clicked))
        self.stage.on_moved(self._when_live(self._moved))
        self.stage.on_panel(self._when_live(self._acted))
        self._walk = Walk(
            self.stage.board,
            example.ask,
            example.picks,
            lambda: self._arguments,
            lambda: self.revealed,
            self._refresh,
            lambda: self.live,
        )
        Follow(self.stage.board, self._imagine, self._refresh, lambda: self.live)
        self._picks = Picks(
            example.picks, self._base, self._arguments, guarded(self._chosen), self.stage.board.later, example.ask
        )
        text = [html(f'<p class="ldv-situation">{writer.inline(example.text)}</p>')] if example.text else []
        #: What leads to the answer, and what stands under the board besides what changes it.
        self.asking: list[ipw.Widget] = [*before, *([] if instructed else text)]
        self.instructions: list[ipw.Widget] = text if instructed else []
        #: What is asked about it.
        self.questions = Questions(
            writer,
            example,
            self._base,
            opening=question,
            cases=what_ifs,
            judge=self._result_of,
            play=self._play,
            pose=self._pose if self._shares else None,
            leave=self._leave,
            conclude=self._concluded,
            answered=answered,
            say=page.bridge.say,
        )
        if self.question:
            self.asking.append(self.question.widget)
        self.tools = self._toolbar()
        self._rules = rules
        if self.live:
            self._aim()
            self._refresh()

    @property
    def changed(self) -> bool:
        """Whether what is shown is not what was shown first."""
        return self._history.now != self._start

    @property
    def altered(self) -> bool:
        """Whether there is something to undo, or to do again."""
        return self._history.can_undo or self._history.can_redo

    @property
    def rule_count(self) -> int:
        """How many rules are said of it."""
        return len(self._rules)

    @property
    def question(self) -> Prediction | None:
        """The question that opens it."""
        return self.questions.prediction

    @property
    def what_ifs(self) -> WhatIfs:
        """Its « Et si… »; there are some."""
        return self.questions.what_ifs

    @cached_property
    def ruling(self) -> list[ipw.Widget]:
        """The rules that it shows."""
        return [rule_text(rule, self._writer) for rule in self._rules]

    @cached_property
    def settings(self) -> list[ipw.Widget]:
        """Its odds, and what the reader may change besides what he touches on the board."""
        return self._settings()

    @property
    def playing(self) -> list[ipw.Widget]:
        """What stands beside the board, under it on a long page: where it comes from, what is chosen."""
        picks = [self._picks.widget] if self.example.picks else []
        return [*self.stage.panel_widgets, *self._source, self.tools, *self.instructions, *picks]

    @cached_property
    def widget(self) -> ipw.Widget:
        """All of it, on a page of its own board."""
        main = [*self.asking, self.stage.board_widget, *self.playing, *self.ruling]
        if self.questions.cases:
            main.append(self.what_ifs.widget)
        legend = LegendPanel(self._base, self.page.bridge).view
        main.append(box(legend, *self.stage.folds, row=True, css="ldv-folds"))
        side = box(*self.stage.side_widgets, *self.settings, css="ldv-side")
        return box(box(*main, css="ldv-main"), side, css="ldv-lesson")

    def _when_live(self, handler: Callable[..., object]) -> Callable[..., None]:
        """What touches a board that others play on too."""

        def handle(*given: Any) -> None:
            if self.live:
                handler(*given)

        return handle

    def enter(self, scene: str) -> None:
        """Take the board: the example as it is written, answered or not.

        Args:
            scene: that links lead to meanwhile.
        """
        self.questions.begin(not self.projected, scene == self.example.id)
        self.live, self._scene = True, scene
        board = self.stage.board
        self.revealed = not self.projected and (self.question is None or self.question.done)
        with board.hold():
            board.clear()
            board.label = self.example.title
            self.stage.draw_under(self.example.panel)
            self._replied = self.question is not None or scene != self.example.id  # heard already, elsewhere
            self._begin(*self.questions.start)
            self._replied = False
        self._aim()

    def _aim(self) -> None:
        self.stage.board.aim(self.example.focus, speaks_of(*self.questions.start, self.example, *self.questions.cases))

    def leave(self) -> None:
        """Give the board to another."""
        self.live = False
        if self._spot:
            self._spot.close()

    def _toolbar(self) -> ipw.Widget:
        self._undo, self._redo, self._reset, self._share = history_buttons(
            self.undo,
            lambda: self._travel(self._history.redo),
            self._restore,
            self._toggle_share,
        )
        self._shared: SharePanel | None = None
        self._share_place = box()
        self._reveal = button("Montrer la réponse", primary=True)
        self._reveal.add_class("ldv-reveal")
        self._reveal.on_click(guarded(lambda _: self._toggle()))
        show(self._reveal, False)
        tools = box(self._reveal, self._undo, self._redo, self._reset, self._share, row=True, css="ldv-toolbar")
        return box(tools, self._share_place)

    def _settings(self) -> list[ipw.Widget]:
        panels: list[ipw.Widget] = [self._odds.widget] if self._odds else []
        if self.example.tweaks or self._base.tweaks:
            from widgets.player.spot import settings_card

            card, self._spot = settings_card(self, self.stage.board, self.stage.spot if self._shares else None)
            panels.append(card)
        return panels

    # -- what the settings panel asks of a situation -----------------------------------------------------------------

    def on_change(self, listener: Callable[[], object]) -> None:
        """Call after each change."""
        self._listeners.append(listener)

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change the position, if the rules allow what comes of it.

        Raises:
            PositionError: they do not; nothing has changed.
        """
        position = self.position.change(changes)
        refuse_new_faults(self.position, position)
        self.questions.doubt((position, dict(self._arguments)))
        self._set(position, self._arguments)

    def undo(self) -> None:
        """Take back the last change."""
        self._travel(self._history.undo)

    # -- state ----------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position on screen."""
        return self.stage.position

    @property
    def arguments(self) -> dict[str, Any]:
        """What is asked of it now."""
        return dict(self._arguments)

    def take(self, position: Position) -> None:
        """Show another position; arguments that mean nothing there fall back to the example's."""
        self._set(position.model_copy(update={"tweaks": self._base.tweaks}), self._arguments)

    def project(self) -> None:
        """For a room: hide the verdict until somebody asks for it; what a key has shown stays shown."""
        if self.projected:
            return
        self.projected, self.revealed = True, False
        self.stage.pending = _PROJECTED
        show(self._reveal, True)
        self._refresh()

    def disclose(self, revealed: bool) -> None:
        """Show the verdict and its steps, or hide them."""
        if revealed != self.revealed:
            self.revealed = revealed
            self._refresh()

    def _toggle(self) -> None:
        self._filmed = not self.revealed
        self.disclose(self._filmed)
        self._filmed = False

    @property
    def _arguments(self) -> dict[str, Any]:
        return self._history.now[1]

    def _set(self, position: Position, arguments: dict[str, Any]) -> None:
        self._history.take((position, dict(arguments)))
        self._place()

    def _place(self) -> None:
        """Show the position and the declaration that the history holds."""
        position, arguments = self._history.now
        self.stage.place(position)
        self._picks.place(position)
        self._picks.take(arguments)
        self._refresh()

    def _refresh(self) -> None:
        if not self.live:
            return
        later = self.stage.board.later
        later(self._write_controls)
        later(lambda: self.questions.fit(self._history.now))
        again = self.revealed and not self.projected and self.questions.asks_again(self._history.now)
        if again or not self.revealed:
            if self._spot and not again:
                self._spot.close()
            self.stage.hide()
            self.stage.mark(named_hexes(self.position, self._arguments))
            later(lambda: self._show_odds(False))
            if self._history.can_undo:  # what the reader changed: a page that rests comes back to it
                later(self._report_state)
            return
        try:
            result, questions, replied = self._result(), self.questions, self._replied
            because, choices = questions.because(result, self.position), questions.choices
            said = replied or questions.replied(self._history.now)
            headed = said and self._shares  # on a long page the line of the verdict is elsewhere
            self.stage.reveal(
                result, because, filmed=self._filmed, choices=choices, replied=replied, reasons=said, headed=headed
            )
        except TutorError as error:
            self.stage.fail(error)
            later(lambda: self._show_odds(False))
            return
        later(lambda: self._show_odds(True))
        later(self._report_state)

    def _write_controls(self) -> None:
        allow(self._undo, self._history.can_undo)
        allow(self._redo, self._history.can_redo)
        if self._shared:
            self._shared.refresh()
        self._reveal.description = "Cacher la réponse" if self.revealed else "Montrer la réponse"
        for listener in self._listeners:
            listener()

    def _show_odds(self, known: bool, case: Case | None = None) -> None:
        if self._odds and known:
            self._odds.show(*(case or self._history.now))
        elif self._odds:
            self._odds.clear()

    def _report_state(self) -> None:
        """Let a report of an error say what is on screen."""
        try:
            self.page.course.link = self._link()
        except PositionError:
            self.page.course.link = ""

    def _result(self) -> Result[Any]:
        return self._computed or self._result_of(self.position, self._arguments)

    def _result_of(self, position: Position, arguments: Mapping[str, Any]) -> Result[Any]:
        faults = game(self.game_id).problems(position)
        if faults:
            raise PositionError(faults[0], remedy="Défaites ce changement, ou réinitialisez.")
        return ask(position, self.example.ask, **arguments)

    # -- what the reader does -------------------------------------------------------------------------------------

    def _clicked(self, hex_: str, piece: str | None) -> None:
        """A piece is chosen; a bare hex too, unless it has settings: then they are offered, and choosing it with them."""
        if self.revealed and self.settings and self._spot:  # built when first asked for
            bare = all(self.position.hex_of(one.id) != hex_ for one in self.position.pieces)
            if self._spot.open(hex_, self._picks.choosing(hex_) if bare else None):
                if not bare:
                    self._picks.click(hex_, piece)
                self.stage.board.later(self._spot.announce)  # after the verdict of what the touch has chosen
                return
        self._picks.click(hex_, piece)

    def _acted(self, changes: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """The panel under the board was touched."""
        self._set(self.position.change(changes) if changes else self.position, {**self._arguments, **given})

    def _chosen(self, arguments: dict[str, Any]) -> None:
        if list(arguments.items()) != list(self._arguments.items()):  # what was chosen before is not judged again
            self._set(self.position, arguments)

    def _moved(self, piece: str, hex_: str) -> None:
        if self._spot:  # what was offered may have left its place
            self._spot.close()
        walked = self._walk.dropped(piece, hex_)
        if walked is not None:
            return self._set(self.position, walked)
        position = self.position.change({f"piece.{piece}.at": hex_})
        return self._set(position, self._picks.followed(self.position, position))

    def _imagine(self, piece: str, cell: str) -> bool:
        """Show what holds if a piece that is dragged is put down there, where the verdict is shown; else the ends."""
        if self._walk.walks(piece):
            return False
        position = self.position.change({f"piece.{piece}.at": cell})
        arguments = self._picks.followed(self.position, position)
        if not self.revealed:
            self.stage.mark(named_hexes(position, arguments))
            return True
        try:
            result = self._result_of(position, arguments)
            self.stage.imagine(result, position, self.questions.because(result, position), self.questions.choices)
            self.stage.board.later(lambda: self.questions.fit((position, arguments)))
            self.stage.board.later(lambda: self._show_odds(True, (position, arguments)))
        except TutorError as error:
            self.stage.fail(error, aloud=False)
            self._show_odds(False)
        return True

    def _travel(self, move: Callable[[], bool]) -> None:
        if move():
            self._place()

    def _restore(self) -> None:
        self._set(*self._start)

    def _begin(self, position: Position, arguments: dict[str, Any]) -> None:
        """Show a position that « Réinitialiser » comes back to."""
        self._start = (position, arguments)
        self._history = History(self._start)
        self._place()

    def _toggle_share(self) -> None:
        from widgets.host.share import SharePanel

        if self._share_place.children:
            self._share_place.children = ()
            return
        self._shared = self._shared or SharePanel(self.page, self.stage.board, self._link)
        self._shared.refresh()
        self._share_place.children = (self._shared.widget,)

    def _link(self) -> str:
        """The address of this example as it stands.

        Raises:
            PositionError: too large for a link.
        """
        bare = self.position.model_copy(update={"tweaks": []})
        changed = bare != self._base.model_copy(update={"tweaks": []})
        text = position_text(bare) if changed else ""
        scene = "" if self._scene == self.example.id else self._scene
        return replace(self._address, example=self.example.id, scene=scene, position=text).url

    # -- questions ------------------------------------------------------------------------------------------------

    def _play(self, case: Case, filmed: bool, computed: Result[Any] | None) -> None:
        self.revealed, self._filmed, self._replied, self._computed = True, filmed, True, computed
        self._set(*case)
        self._filmed, self._replied, self._computed = False, False, None

    def _pose(self, case: Case) -> None:
        self.revealed = False
        self._begin(*case)

    def _concluded(self, asked: PredictionText, result: Result[Any], position: Position) -> str:
        return conclusion(result, position, asked)

    def _leave(self) -> None:
        if self.revealed:
            self._restore()
