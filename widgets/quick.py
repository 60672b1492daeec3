"""« À table » : during a game, a question entered with a few taps on a phone; the result, its odds and its steps."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.errors import ContentError, TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.course.links import read_query
from tutor.course.models import Odds
from tutor.course.quick import Sheet, sheets
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.lesson_odds import OddsStack
from widgets.lesson_text import Writer, box, button, html, steps_card, whole_page
from widgets.panels import TracePanel, VerdictPanel

#: Said where the booklet alone does not let odds be counted.
NO_ODDS = (
    f'<p class="ldv-empty">Les chances{NBSP}: inconnues, le livret n’imprime pas la table des résultats. '
    f"Avec vos tables, elles paraissent ici.</p>"
)
#: Names that hold on one button of a phone.
SHORT = {
    "combat_commander": "Combat Commander",
    "asl_sk": "ASL Starter Kit",
    "tcs": "TCS",
    "heroes_of_normandie": "Heroes of Normandie",
}


class SheetPanel:
    """One sheet: its taps, and what comes of them.

    Args:
        game_id: game; content: the sheet.
    """

    def __init__(self, game_id: str, content: Sheet) -> None:
        self._game_id, self._content = game_id, content
        self._taps: dict[str, ipw.ToggleButtons] = {}
        self._verdict, self._trace = VerdictPanel(game_id), TracePanel()
        asked = content.odds or (Odds(ask=content.ask) if content.ask.endswith("odds") else None)
        self._odds = OddsStack(asked) if asked else None
        self._silent = html("")
        again = button("Recommencer", hint="Tout remettre comme au début")
        again.on_click(guarded(lambda _: self._restart()))
        writer = Writer(game_id)
        note = [html(f'<p class="ldv-empty">{writer.inline(content.note)}</p>')] if content.note else []
        steps = steps_card(self._trace.view)
        self.widget = box(
            box(*map(self._control, range(len(content.controls))), again, *note, css="ldv-main ldv-taps"),
            box(self._verdict.view, *([self._odds.widget, self._silent] if self._odds else []), steps, css="ldv-side"),
            css="ldv-lesson ldv-quick",
        )
        self._show()

    def _control(self, index: int) -> ipw.Widget:
        control = self._content.controls[index]
        made = ipw.ToggleButtons(
            options=[(option.label, i) for i, option in enumerate(control.options)], value=control.default
        )
        made.add_class("ldv-tabs")
        made.observe(guarded(lambda _: self._show()), "value")
        self._taps[control.id] = made
        return box(html(f'<span class="ldv-label">{escape(control.label)}</span>'), made, css="ldv-tap")

    def _restart(self) -> None:
        for control in self._content.controls:
            self._taps[control.id].value = control.default

    def _show(self) -> None:
        if len(self._taps) < len(self._content.controls):
            return
        taps = {name: int(made.value) for name, made in self._taps.items()}
        try:
            position, arguments = self._content.situation(self._game_id, taps)
            if faults := game(self._game_id).problems(position):
                raise ContentError(faults[0])
            result = self._content.result(self._game_id, taps)
        except TutorError as error:
            self._verdict.say("unknown", error.sentence)
            self._trace.clear()
            self._silent.value = ""
            if self._odds:
                self._odds.clear()
            return
        self._verdict.show(result, position)
        self._trace.show(result, position)
        if self._odds:
            unknown = self._odds.show(position, arguments).outcome == "unknown"
            self._silent.value = NO_ODDS if unknown and result.computed else ""


class QuickPage:
    """The page: a rulebook, a mechanism, its sheet; one tap each."""

    def __init__(self) -> None:
        self._books = {game_id: title for game_id, title in GAMES.items() if sheets(game_id)}
        self._game_id = next(iter(self._books))
        self._game = ipw.ToggleButtons(
            options=[(SHORT.get(game_id, title), game_id) for game_id, title in self._books.items()],
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
            bridge(),
            course_page(),
            css="ldv-part",
        )
        self._turn(self._game_id)
        course_page().on_query(self._asked)

    def _turn(self, game_id: str) -> None:
        self._game_id = game_id
        choice = ipw.ToggleButtons(options=[(one.title, one.id) for one in sheets(game_id)])
        choice.add_class("ldv-tabs")
        choice.observe(guarded(lambda _: self._open(choice)), "value")
        self._choice, self._mechanism.children = choice, (choice,)
        self._open(choice)

    def _open(self, choice: ipw.ToggleButtons) -> None:
        """Open the sheet chosen, unless its rulebook was left meanwhile."""
        if choice is not self._choice:
            return
        sheet_id = choice.value
        content = next(one for one in sheets(self._game_id) if one.id == sheet_id)
        self.panel = SheetPanel(self._game_id, content)
        self._place.children = (self.panel.widget,)

    def _asked(self) -> None:
        """What the link asks for: a rulebook (``jeu``), a sheet (``vue``)."""
        asked = read_query(course_page().query)
        if asked.game in self._books:
            self._game.value = asked.game
        if asked.view in [one.id for one in sheets(self._game_id)]:
            self._choice.value = asked.view


def quick() -> ipw.Widget:
    """The page."""
    return whole_page(lambda: QuickPage().widget)
