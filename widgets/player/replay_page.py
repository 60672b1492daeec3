"""A replayed turn on a long page, or in JupyterLab: its own board, its steps listed beside it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.registry import game
from tutor.course.replay import Replay
from widgets.board.errors import guarded
from widgets.board.layouts import allow
from widgets.board.panels.legend import LegendPanel
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show
from widgets.host.share import SharePanel
from widgets.player.replay import ReplayPlayer
from widgets.player.stage import Stage


class ReplayPage(ReplayPlayer):
    """One replayed turn with a board of its own.

    Args:
        page: what its widgets share.
        game_id: game.
        content: its data.
        writer: of the page.
        slug: of the lesson, for links.

    Show ``widget``.
    """

    _introduces = False  # it is said above the board

    def __init__(self, page: Page, game_id: str, content: Replay, writer: Writer, slug: str = "") -> None:
        start = game(game_id).position(content.position).change(content.changes)
        stage = Stage(page, start, label=content.title, pending="", panel=content.panel, acts=False)
        super().__init__(page, game_id, content, writer, slug, stage)
        self.live = True
        self.stage.board.let_drag(False)
        self.widget = box(
            self.keys,
            html(f'<p class="ldv-situation">{writer.inline(content.text)}</p>'),
            self._controls(),
            box(box(*self._main(), css="ldv-main"), box(*self._side(), css="ldv-side"), css="ldv-lesson"),
            css="ldv-replay",
        )
        self._refresh()

    def _controls(self) -> ipw.Widget:
        self._back, self._on = button("◀", hint="Étape précédente (←)"), button("▶", hint="Étape suivante (→)")
        self._share = button("Partager", hint="Lien vers cette étape")
        self._count = html("", "ldv-grow")
        self._back.on_click(guarded(lambda _: self.go(self.number - 1)))
        self._on.on_click(guarded(lambda _: self._key("on")))
        self._share.on_click(guarded(lambda _: self._toggle_share()))
        self._share_place = box()
        self._shared = SharePanel(self.page, self.stage.board, self._link)
        row = box(self._back, self._count, self._on, self.play, self._share, row=True, css="ldv-replay-controls")
        return box(row, self._share_place)

    def _main(self) -> list[ipw.Widget]:
        verdict, _ = self.stage.side_widgets
        folds = box(
            LegendPanel(self.turn.start.start, self.page.bridge).view,
            *self.stage.folds,
            row=True,
            css="ldv-folds",
        )
        self._forth = button("Suite ▶", primary=True, hint="Étape suivante (→)")
        self._forth.on_click(guarded(lambda _: self._go_on()))
        parts = [self._head, self._choices, self._question, self._dice, verdict, self._changed, self._forth]
        return [*parts, self.stage.board_widget, *self.stage.panel_widgets, folds]

    def _side(self) -> list[ipw.Widget]:
        _, why = self.stage.side_widgets
        self._links = {step.id: button("") for step in self.content.steps}
        for name, made in self._links.items():
            made.on_click(guarded(self._opener(name)))
        turns: dict[str, list[ipw.Widget]] = {}
        for step in self.content.steps:
            turns.setdefault(step.turn, []).append(self._links[step.id])
        self._turns = {turn: html(f'<h2 class="ldv-label">{escape(turn)}</h2>') for turn in turns}
        listed = [box(self._turns[turn], *links, css="ldv-replay-list") for turn, links in turns.items()]
        return [why, box(*listed, css="ldv-card ldv-replay-steps")]

    def _opener(self, name: str) -> Callable[[object], None]:
        """Shows a step of the list, unless it is the one that waits, or one that another decision took away."""

        def open_step(_: object) -> None:
            if number := self._listed.get(name, 0):
                self.go(number)

        return open_step

    @property
    def _listed(self) -> dict[str, int]:
        """Steps by id that a long page lists, with their numbers: those played, and the one that waits."""
        last = min(max(self.number, len(self.run.moves) + 1), self.turn.total)
        return {move.step.id: number for number, move in enumerate(self.turn.whole.moves[:last], 1)}

    def _go_on(self) -> None:
        """Show the next step from its first line: the button stands below what one has just read."""
        self.go(self.number + 1)
        self.page.course.scroll = ""
        self.page.course.scroll = f"etape-{self.number}"

    def _key(self, name: str) -> None:
        if name == "last":
            self.go(len(self.run.moves))
        elif name != "on" or self._leads_on:
            super()._key(name)

    @property
    def _leads_on(self) -> bool:
        """Whether there is a next step to show: what waits is decided first."""
        return not (self.turn.waits or self._ended)

    def _refresh(self) -> None:
        super()._refresh()
        self.page.course.link = self._link()
        if self._share_place.children:
            self._shared.refresh()

    def _link(self) -> str:
        """The address of the step shown, decisions included."""
        return self.address(self.turn.place)

    def _write_controls(self) -> None:
        super()._write_controls()
        waits = self.turn.waits
        allow(self._back, self.number > 1)
        allow(self._on, self._leads_on)
        self._on.tooltip = "Décidez d’abord" if waits else "Étape suivante (→)"
        show(self._forth, self._leads_on)
        self._count.value = (
            f'<p class="ldv-replay-count" aria-live="polite"><span>Étape{NBSP}</span><strong>{self.number}</strong> '
            f"sur {self.turn.total}</p>"
        )
        numbers = self._listed
        titles = {step.id: step.title for step in self.content.steps}
        for name, made in self._links.items():
            show(made, name in numbers)
            if name in numbers:
                made.description = f"{numbers[name]}. {titles[name]}"
                made.button_style = "primary" if numbers[name] == self.number else ""
        for turn, head in self._turns.items():
            show(head, any(step.turn == turn and step.id in numbers for step in self.content.steps))

    def _toggle_share(self) -> None:
        if self._share_place.children:
            self._share_place.children = ()
            return
        self._shared.refresh()
        self._share_place.children = (self._shared.widget,)
