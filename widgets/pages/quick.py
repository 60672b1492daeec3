"""« À table » : during a game, a question entered with a few taps on a phone; the result, its odds and its steps."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.errors import ContentError, TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.course.links import read_query
from tutor.course.quick import Sheet, sheets
from widgets.board.errors import guarded
from widgets.board.panels.verdict import TracePanel, VerdictPanel
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show, steps_card
from widgets.pages.opening import opened
from widgets.player.odds import OddsStack, odds_beside

#: Said where the booklet alone does not let odds be counted.
NO_ODDS = (
    f'<p class="ldv-empty">Les chances{NBSP}: inconnues, le livret n’imprime pas la table des résultats. '
    f"Avec vos tables, elles paraissent ici.</p>"
)


class SheetPanel:
    """One sheet: its taps, and what comes of them.

    Args:
        game_id: game.
        content: the sheet.
    """

    def __init__(self, game_id: str, content: Sheet) -> None:
        self._game_id, self.content = game_id, content
        self._taps: dict[str, ipw.ToggleButtons] = {}
        self._verdict, self._trace = VerdictPanel(game_id), TracePanel()
        asked = odds_beside(game_id, content.ask, content.odds)
        self._odds = OddsStack(asked) if asked else None
        self._silent = html("")
        again = button("Recommencer", hint="Tout remettre comme au début")
        again.on_click(guarded(lambda _: self._restart()))
        writer = Writer(game_id)
        note = [html(f'<p class="ldv-empty">{writer.inline(content.note)}</p>')] if content.note else []
        self._steps = steps_card(self._trace.view)
        self.widget = box(
            box(*map(self._control, range(len(content.controls))), again, *note, css="ldv-main ldv-taps"),
            box(
                self._verdict.view,
                *([self._odds.widget, self._silent] if self._odds else []),
                self._steps,
                css="ldv-side",
            ),
            css="ldv-lesson ldv-quick",
        )
        self._show()

    def _control(self, index: int) -> ipw.Widget:
        control = self.content.controls[index]
        made = ipw.ToggleButtons(
            options=[(option.label, i) for i, option in enumerate(control.options)], value=control.default
        )
        made.add_class("ldv-tabs")
        made.observe(guarded(lambda _: self._show()), "value")
        self._taps[control.id] = made
        return box(html(f'<span class="ldv-label">{escape(control.label)}</span>'), made, css="ldv-tap")

    def _restart(self) -> None:
        for control in self.content.controls:
            self._taps[control.id].value = control.default

    def _show(self) -> None:
        if len(self._taps) < len(self.content.controls):
            return
        taps = {name: int(made.value) for name, made in self._taps.items()}
        try:
            position, arguments = self.content.situation(self._game_id, taps)
            if faults := game(self._game_id).problems(position):
                raise ContentError(faults[0])
            result = self.content.result(self._game_id, taps)
        except TutorError as error:
            self._verdict.say("unknown", error.sentence)
            self._trace.clear()
            show(self._steps, False)
            self._silent.value = ""
            if self._odds:
                self._odds.clear()
            return
        for shown in (self._verdict, self._trace):
            with shown.view.hold_sync():  # once, with its places named
                shown.show(result, position)
                shown.view.value = self.content.spoken(shown.view.value)
        show(self._steps, bool(self._trace.view.value))
        if self._odds:
            unknown = self._odds.show(position, arguments).outcome == "unknown"
            self._silent.value = NO_ODDS if unknown and result.computed else ""


class QuickPage:
    """The page: a rulebook, a mechanism, its sheet; one tap each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._books = {game_id: title for game_id, title in GAMES.items() if sheets(game_id)}
        self._game_id = next(iter(self._books))
        self._game = ipw.ToggleButtons(
            options=[(GAMES.facts(game_id).short or title, game_id) for game_id, title in self._books.items()],
            value=self._game_id,
        )
        self._game.add_class("ldv-tabs")
        self._game.observe(guarded(lambda change: self._turn(change["new"])), "value")
        self._mechanism, self._place = box(), box()
        self.panel: SheetPanel | None = None
        self.widget = box(
            html(f"<p>Une question pendant la partie{NBSP}: touchez ce qui est vrai, lisez le résultat.</p>"),
            self._game,
            self._mechanism,
            self._place,
            *self.page.unseen,
            css="ldv-part",
        )
        self._turn(self._game_id)
        self.page.course.on_query(self._asked)

    def _turn(self, game_id: str) -> None:
        self._game_id, left = game_id, self._mechanism.children
        choice = ipw.ToggleButtons(options=[(one.title, one.id) for one in sheets(game_id)])
        choice.add_class("ldv-tabs")
        choice.observe(guarded(lambda _: self._open(choice)), "value")
        self._choice, self._mechanism.children = choice, (choice,)
        discard(self.page, *left)
        self._open(choice)

    def _open(self, choice: ipw.ToggleButtons) -> None:
        """Open the sheet chosen, unless its rulebook was left meanwhile."""
        if choice is not self._choice:
            return
        sheet_id = choice.value
        content = next(one for one in sheets(self._game_id) if one.id == sheet_id)
        left = self._place.children
        self.panel = SheetPanel(self._game_id, content)
        self._place.children = (self.panel.widget,)
        discard(self.page, *left)

    def _asked(self) -> None:
        """What the link asks for: a rulebook (``jeu``), a sheet (``vue``)."""
        asked = read_query(self.page.course.query)
        if asked.game in self._books:
            self._game.value = asked.game
        if asked.view in [one.id for one in sheets(self._game_id)]:
            self._choice.value = asked.view


def quick() -> ipw.Widget:
    """The page."""
    return opened(lambda page: QuickPage(page).widget)
