"""« Mini-scénarios »: those of each game, and the one that the address names."""

from __future__ import annotations

from html import escape

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.lessons import lesson
from tutor.course.links import Link, read_query
from tutor.course.scenario import Scenario, scenario, scenario_files
from tutor.course.scenario import scenarios as scenarios_of
from widgets.board import errors
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import box, html
from widgets.pages.opening import opened
from widgets.player.scenario import ScenarioPlayer


class ScenariosPage:
    """The page: the mini-scenarios there are; one of them on its board, when the address names it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.player: ScenarioPlayer | None = None
        self._place = box(html(self._listed()))
        self.widget = box(self._place, *page.unseen, css="ldv-part")
        page.course.on_query(self._asked)

    def _listed(self) -> str:
        parts = [
            f"<p>Cinq à huit décisions, un but, des dés, et un adversaire qui respecte les règles. Chaque décision est "
            f"comparée à la meilleure, selon les chances exactes{NBSP}; les dés décident ensuite.</p>"
        ]
        for game_id, title in GAMES.items():
            if scenario_files(game_id):
                cards = "".join(self._card(game_id, one) for one in scenarios_of(game_id))
                parts.append(f'<h2>{escape(title)}</h2><ol class="ldv-lessons">{cards}</ol>')
        return "".join(parts)

    def _card(self, game_id: str, one: Scenario) -> str:
        url = escape(Link("scenario", game_id, slug=one.id).url, quote=True)
        after = lesson(game_id, one.after).number
        return (
            f'<li><a href="{url}"><span class="ldv-number" aria-hidden="true">{after}</span><b>{escape(one.title)}</b>'
            f'<span class="ldv-teaser">Après la leçon {after}</span>'
            f"<small>{one.decisions}{NBSP}décisions</small></a></li>"
        )

    def _asked(self) -> None:
        asked = read_query(self.page.course.query)
        if not asked.slug or asked.game not in GAMES:
            return
        shown = self.player
        if shown and (asked.game, asked.slug) == (shown.game_id, shown.content.id):
            if asked.dice and asked.dice != shown.run.seed:
                shown.start(asked.dice)
            return
        try:
            content = scenario(asked.game, asked.slug)
        except TutorError as error:
            errors.report(error.sentence)
            return
        self.player = ScenarioPlayer(self.page, asked.game, content, asked.dice)
        swap(self.page, self._place, self.player.widget)
        if shown:
            shown.close()


def scenarios() -> ipw.Widget:
    """The page."""
    return opened(lambda page: ScenariosPage(page).widget)
