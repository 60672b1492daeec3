"""The rulebooks of the house as covers, each a board of its own game, painted once the page can be played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from html import escape

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, counted
from tutor.core.registry import GAMES
from tutor.course.links import Link
from tutor.course.opening import opening
from widgets.board.svg import board_svg
from widgets.host.deferred import served
from widgets.host.page import Page
from widgets.host.prose import html
from widgets.pages.standing import Step, length

#: Seconds between two covers: what the reader does meanwhile comes first.
_PAUSE = 0.15
#: Seconds before the first one: the board to play comes first.
_FIRST = 1.0


def colours(game_id: str) -> str:
    """The colours of a game as declarations of CSS; "" of one that has none.

    >>> colours("combat_commander")
    '--ldv-own-light:#586B2F;--ldv-own-dark:#A9BF78'
    """
    try:
        known = opening(game_id)
    except TutorError:
        known = None
    return f"--ldv-own-light:{known.colours[0]};--ldv-own-dark:{known.colours[1]}" if known else ""


def picture(game_id: str, dark: bool) -> str:
    """The cover of a game as SVG; "" of one that has none, or whose file is broken: its title is enough."""
    try:
        known = opening(game_id)
        drawn = (
            board_svg(known.board(game_id), size=420, labels=False, theme="dark" if dark else "light") if known else ""
        )
    except TutorError:
        return ""
    fit = '<svg aria-hidden="true" focusable="false" preserveAspectRatio="xMidYMid slice" '
    return drawn.replace("<svg ", fit, 1).replace(' role="img"', "", 1)


class Covers:
    """Links to the rulebooks.

    Args:
        page: what its widgets share.
        way: the lessons of a game, as far as the reader is.
    """

    def __init__(self, page: Page, way: Callable[[str], Sequence[Step]]) -> None:
        self.page, self._way = page, way
        self.game_id = ""
        self._made = {game_id: html("", "ldv-cover") for game_id in GAMES}
        self._drawn: dict[tuple[str, bool], str] = {}
        self.widgets = list(self._made.values())
        page.bridge.observe(lambda _: self.show(), "dark")

    def show(self, game_id: str = "") -> None:
        """Write what is known; pictures come one after another.

        Args:
            game_id: the one that is open; the same as before when "".
        """
        self.game_id = game_id or self.game_id
        for one in GAMES:
            self._write(one)
        if not served():
            for one in GAMES:
                self._paint(one)
            return
        loop = asyncio.get_running_loop()
        for turn, one in enumerate(GAMES):
            loop.call_later(_FIRST + turn * _PAUSE, self._paint, one)

    def _paint(self, game_id: str) -> None:
        key = (game_id, self.page.bridge.dark)
        if key not in self._drawn:
            self._drawn[key] = picture(*key)
        self._write(game_id)

    def _write(self, game_id: str) -> None:
        way = self._way(game_id)
        done = sum(step.state == "done" for step in way)
        said = f"{done} sur {len(way)} leçons" if done else f"{counted(len(way), 'leçon')}, {length(way)}"
        title, _, subtitle = GAMES[game_id].partition(f"{NBSP}: ")
        url = escape(Link(game=game_id).url, quote=True)
        here = ' aria-current="true"' if game_id == self.game_id else ""
        drawn = self._drawn.get((game_id, self.page.bridge.dark), "")
        share = round(100 * sum(step.part for step in way) / len(way)) if way else 0
        self._made[game_id].value = (
            f'<a class="ldv-cover-link" href="{url}" data-ldv-within{here} style="{colours(game_id)}">'
            f'<span class="ldv-cover-picture">{drawn}</span><b>{escape(title)}</b>'
            f"<small>{escape(subtitle)}</small><small>{said}</small>"
            f'<span class="ldv-gauge" style="--part:{share}%"></span></a>'
        )
