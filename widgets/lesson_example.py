"""A live example: question, board, verdict, steps, odds, settings, and the « Et si… » that follow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import PositionError, TutorError
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.typography import typography
from tutor.course.exercises import fitting
from tutor.course.links import Link, position_of, position_text
from tutor.course.matching import view
from tutor.course.models import LiveExample, Odds, RuleText, WhatIf
from tutor.course.models import Prediction as PredictionText
from widgets import errors
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.history import History, refuse_new_faults
from widgets.legend import LegendPanel
from widgets.lesson_odds import OddsStack
from widgets.lesson_picks import Picks
from widgets.lesson_predict import Prediction, WhatIfs, conclusion
from widgets.lesson_stage import Stage
from widgets.lesson_text import Writer, box, button, history_buttons, html, rule_text, show
from widgets.lesson_walk import Walk
from widgets.panels import badge

if TYPE_CHECKING:
    from widgets.share import SharePanel

_PENDING = "Répondez d’abord ; le verdict viendra ensuite."
_PROJECTED = "Une touche (espace, entrée, →) montre la réponse."


def _source(position: Position) -> list[ipw.Widget]:
    """Where a board comes from, when it is not the booklet's own: « déduit », « fictif », and why."""
    if position.provenance in (None, "livret"):
        return []
    return [
        html(
            f'<p class="ldv-source">{badge(position.provenance)} {escape(typography(position.note or position.title))}</p>'
        )
    ]


def take_asked(player: ExamplePlayer, asked: Link) -> None:
    """Show the position of a link, if it has one: what is wrong with it is said, and the page goes on."""
    if not asked.position:
        return
    try:
        position = position_of(asked.position, player.game_id)
        faults = game(player.game_id).problems(position)
    except TutorError as error:
        errors.report(f"{error.sentence} Voici la position de la leçon.")
        return
    player.take(position)
    if faults:
        errors.report(f"Cette position ne respecte pas les règles : {' '.join(faults)}")


class ExamplePlayer:
    """One live example.

    Args:
        game_id: game; example: its data; writer: of the page.
        question: asked before the verdict shows; instructed: the example's text says what to do with the board, not what it shows; rules: texts after the board; what_ifs: « Et si… »; slug: of the lesson,
            for links; page: where it is, when it is no lesson of the course; before: what leads to the question; base: the board, when it is not the one that the example names.
    """

    def __init__(
        self,
        game_id: str,
        example: LiveExample,
        writer: Writer,
        *,
        question: PredictionText | None = None,
        instructed: bool = False,
        rules: Sequence[RuleText] = (),
        what_ifs: Sequence[WhatIf] = (),
        slug: str = "",
        page: Link | None = None,
        before: Sequence[ipw.Widget] = (),
        base: Position | None = None,
    ) -> None:
        self.game_id, self.example, self._writer = game_id, example, writer
        self._page = page or Link("lesson", game_id, slug=slug)
        base = base or game(game_id).position(example.position).change(example.changes)
        self._base = base.model_copy(update={"tweaks": example.tweaks}) if example.tweaks else base
        self._told: list[Callable[[], object]] = []
        odds = example.odds or (Odds(ask=example.ask) if example.ask.endswith("odds") else None)
        self._odds = OddsStack(odds) if odds else None
        self._history = History((self._base, dict(example.with_)))
        self.revealed = question is None
        self.stage = Stage(self._base, label=example.title, pending=_PENDING, panel=example.panel)
        self.stage.board.aim(example.focus)
        self.stage.on_hex(self._clicked)
        self.stage.on_moved(self._moved)
        self.stage.on_panel(self._acted)
        self._walk = Walk(
            self.stage.board, example.ask, example.picks, lambda: self._arguments, lambda: self.revealed, self._refresh
        )
        self._picks = Picks(
            example.picks, self._base, self._arguments, guarded(self._chosen), self.stage.board.later, example.ask
        )
        main: list[ipw.Widget] = list(before)
        text = [html(f'<p class="ldv-situation">{writer.inline(example.text)}</p>')] if example.text else []
        if not instructed:
            main += text
        if question:
            self._question = Prediction(writer, question.text, question.choices, lambda: self._commit(question))
            main.append(self._question.widget)
        main += [self.stage.board_widget, *self.stage.panel_widgets, *_source(base), self._toolbar()]
        if instructed:
            main += text
        if example.picks:
            main.append(self._picks.widget)
        main += [rule_text(rule, writer) for rule in rules]
        if what_ifs:
            self._what_ifs = WhatIfs(writer, what_ifs, self._play, self._leave)
            main.append(self._what_ifs.widget)
        main.append(box(LegendPanel(self._base).view, self.stage.controls_widget, row=True, css="ldv-folds"))
        self.widget = box(
            box(*main, css="ldv-main"),
            box(*self.stage.side_widgets, *self._settings(), css="ldv-side"),
            css="ldv-lesson",
        )
        self._refresh()

    def _toolbar(self) -> ipw.Widget:
        self._undo, self._redo, self._reset, self._share = history_buttons(
            lambda: self._travel(self._history.undo),
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
        found: list[ipw.Widget] = []
        if self._odds:
            found.append(self._odds.widget)
        if self.example.tweaks or self._base.tweaks:
            from widgets.tweak import TweakPanel

            self._tweaks = TweakPanel(self)
            found.append(
                box(html('<h3 class="ldv-label">Réglages</h3>'), self._tweaks.view, css="ldv-card ldv-settings")
            )
        return found

    # -- what the settings panel asks of a situation -----------------------------------------------------------------

    def on_change(self, told: Callable[[], object]) -> None:
        """Call after each change."""
        self._told.append(told)

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change the position, if the rules allow what comes of it.

        Raises:
            PositionError: they do not; nothing has changed.
        """
        position = self.position.change(changes)
        refuse_new_faults(self.position, position)
        self._set(position, self._arguments)

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
        """For a room: hide the verdict until somebody asks for it."""
        self.revealed = False
        self.stage.pending = _PROJECTED
        show(self._reveal, True)
        self._refresh()

    def disclose(self, revealed: bool) -> None:
        """Show the verdict and its steps, or hide them."""
        if revealed != self.revealed:
            self.revealed = revealed
            self._refresh()

    def _toggle(self) -> None:
        self.revealed = not self.revealed
        self._refresh()

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
        later = self.stage.board.later
        later(self._write_controls)
        if not self.revealed:
            self.stage.hide()
            self.stage.mark(self._hexes())
            later(lambda: self._show_odds(False))
            return
        try:
            self.stage.reveal(self._result())
        except TutorError as error:
            self.stage.fail(error)
            later(lambda: self._show_odds(False))
            return
        later(lambda: self._show_odds(True))
        later(self._tell_page)

    def _write_controls(self) -> None:
        self._undo.disabled, self._redo.disabled = not self._history.can_undo, not self._history.can_redo
        if self._shared:
            self._shared.refresh()
        self._reveal.description = "Cacher la réponse" if self.revealed else "Montrer la réponse"
        for told in self._told:
            told()

    def _show_odds(self, known: bool) -> None:
        if self._odds and known:
            self._odds.show(self.position, self._arguments)
        elif self._odds:
            self._odds.clear()

    def _tell_page(self) -> None:
        """Let a report of an error say what is on screen."""
        try:
            course_page().link = self._link()
        except PositionError:
            course_page().link = ""

    def _result(self) -> Result[Any]:
        faults = game(self.game_id).problems(self.position)
        if faults:
            raise PositionError(faults[0], remedy="Défaites ce changement, ou réinitialisez.")
        return ask(self.position, self.example.ask, **self._arguments)

    def _hexes(self) -> tuple[str, ...]:
        found: list[str] = []
        for value in self._arguments.values():
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(item, str):
                    hex_ = (
                        item
                        if item in self.position.grid
                        else self.position.hex_of(item)
                        if item in self.position.by_id
                        else None
                    )
                    found += [hex_] if hex_ else []
        return tuple(dict.fromkeys(found))

    # -- what the reader does -------------------------------------------------------------------------------------

    def _clicked(self, hex_: str, piece: str | None) -> None:
        self._picks.click(hex_, piece)

    def _acted(self, changes: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """The panel under the board was touched."""
        position = self.position.change(changes) if changes else self.position
        self._set(position, {**self._arguments, **given})

    def _chosen(self, arguments: dict[str, Any]) -> None:
        self._set(self.position, arguments)

    def _moved(self, piece: str, hex_: str) -> None:
        walked = self._walk.dropped(piece, hex_)
        if walked is not None:
            return self._set(self.position, walked)
        start = self.position.hex_of(piece)
        return self._set(self.position.change({f"piece.{piece}.at": hex_}), self._picks.followed(start or "", hex_))

    def _travel(self, move: Callable[[], bool]) -> None:
        if move():
            self._place()

    def _restore(self) -> None:
        self._set(self._base, dict(self.example.with_))

    def _toggle_share(self) -> None:
        from widgets.share import SharePanel

        if self._share_place.children:
            self._share_place.children = ()
            return
        self._shared = self._shared or SharePanel(self.stage.board, self._link)
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
        return replace(self._page, example=self.example.id, position=text).url

    # -- predictions ----------------------------------------------------------------------------------------------

    def _commit(self, asked: PredictionText) -> tuple[str | None, str]:
        """The opening question is answered: judge it on the example as it is written, then show."""
        self.revealed = True
        self._set(self._base, dict(self.example.with_))
        return self._judged(asked)

    def _play(self, case: WhatIf) -> tuple[str | None, str]:
        self.revealed = True
        self._set(self._base.change(case.changes), {**self.example.with_, **case.with_})
        return self._judged(case)

    def _leave(self) -> None:
        if self.revealed:
            self._restore()

    def _judged(self, asked: PredictionText) -> tuple[str | None, str]:
        result = ask(self.position, self.example.ask, **self._arguments)
        return fitting(asked.choices, view(result)), conclusion(result, self.position, self._writer, asked.because)
