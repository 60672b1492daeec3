"""What pages show first, board and question, sent with the page before any kernel runs.

It is written beside the kernels (``widgets.serving.rule_cards``): by an idle server for the home page, the free boards and
every lesson, one after another, with the grounds of their boards; else after the first visit, whose reader waits for his
kernel as everybody once did. What the browser alone knows of the reader, ``first.js`` looks at before it is shown.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import parse_qs

from tutor.core.shelf import Shelf
from widgets.serving.catalogue import Catalogue
from widgets.serving.door import TICKET
from widgets.serving.headers import ANEW, LOADING
from widgets.serving.options import DEFAULT_AHEAD
from widgets.serving.rule_cards import THEMES, Asked, Cards, Unwritten

log = logging.getLogger("ligne_de_vue")
#: Seconds between two pages that an idle server prepares.
EVERY = 1.0
#: Seconds after a page was asked for: its own ground is drawn first.
AFTER = 2.0
#: Where the template has room for a picture, and what shows it: a page has begun then, whatever its kernel does.
PLACE, SHOWS = "<!--ldv-first-->", f"<script>{LOADING}</script>"
_GROUND = re.compile(rf"/sol/\w+/(\w{{1,64}})/({'|'.join(THEMES)})/([\w-]{{1,8000}})\.svg")


class FirstPictures:
    """The first pictures of the pages of a catalogue.

    Args:
        cards: has them written, and keeps them.
        catalogue: of the notebooks.
        busy: whether a reader is waited upon now.
        games: the games there are.
        ahead: seconds without a page after which the server is idle; 0: what nobody has asked for is never prepared.
    """

    def __init__(
        self,
        cards: Cards,
        catalogue: Catalogue,
        busy: Callable[[], bool] = lambda: False,
        games: Shelf | None = None,
        ahead: float = DEFAULT_AHEAD,
    ) -> None:
        self.cards, self.catalogue, self.busy, self.ahead = cards, catalogue, busy, ahead
        self._games = games or Shelf()
        self._asked = time.monotonic()
        self._made: set[Asked] = set()
        self._doing: set[asyncio.Task[None]] = set()
        self._beginnings: dict[str, str] = {}

    def beginning(self, path: str, shown: str) -> str:
        """How a page begins, its picture included, to be sent before its kernel starts; "" where that is not known yet.

        Args:
            path: of its notebook.
            shown: its picture.
        """
        begins = self._beginnings.get(path, "")
        return begins.replace(PLACE, shown, 1) if shown else ""

    async def within(self, path: str, shown: str, sent: str, page: AsyncIterator[str]) -> AsyncIterator[str]:
        """A page with its picture, without the beginning that was sent; how it begins is kept for the next one.

        Args:
            path: of its notebook.
            shown: its picture.
            sent: the beginning that was sent, "" for none.
            page: its text, which has room for the picture.
        """
        start: str | None = ""
        async for text in page:
            if start is None:
                yield text
            elif SHOWS in (start := start + text):
                begins, shows, after = start.partition(SHOWS)
                self._beginnings[path], start = begins + shows, None
                begun = self._beginnings[path].replace(PLACE, shown, 1)
                if sent and sent != begun:
                    yield f"<script>{ANEW}</script>"
                    return
                yield after if sent else begun + after
        if start:
            yield start

    def of(self, path: str, query: str = "") -> str:
        """What stands in the place of the template: what the page of a notebook shows first, as HTML.

        Nothing when it is not at hand: it is prepared then.

        Args:
            path: of the notebook.
            query: of its address: a page that it leads elsewhere has no picture.
        """
        self._asked = time.monotonic()
        shown = self._picture(path, query)
        asked = shown or self._picture(path)
        if asked is None:
            return ""
        task = asyncio.ensure_future(self._look_again(path, asked))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        picture = self.cards.at_hand(shown) if shown else ""
        return f'<div id="ldv-first" class="ldv-first" inert hidden>{picture}</div>' if picture else ""

    def _picture(self, path: str, query: str = "") -> Asked | None:
        """The picture that a page begins with; None where there is none."""
        page = self.catalogue.pages.get(path)
        given = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items() if name != TICKET}
        if page is None or given.keys() - {"jeu"}:
            return None
        if page.lesson:
            return None if given else (page.game, "first", page.lesson, THEMES[0])
        game = given.get("jeu", next(iter(self._games), ""))
        if not page.opens or game not in self._games:
            return None
        return (
            (game, "free", "", THEMES[0])
            if page.opens == "sandbox"
            else (game, "home", "asked" * bool(given), THEMES[0])
        )

    async def _look_again(self, path: str, asked: Asked) -> None:
        """Prepare the page anew if its files have changed, and the lesson that the reader will open next."""
        await asyncio.sleep(AFTER)
        await self._prepare(asked)
        after = self._picture(self.catalogue.after(path)) if self.ahead else None
        if after and after not in self._made:
            await self._prepare(after)

    async def settled(self) -> None:
        """Wait until what the visits so far ask for is prepared."""
        while self._doing:
            await asyncio.wait(self._doing)

    async def prepare(self, path: str, query: str = "") -> None:
        """Have what a page shows first written, and the grounds of its boards drawn.

        Args:
            path: of its notebook.
            query: of its address.
        """
        asked = self._picture(path, query)
        if asked:
            await self._prepare(asked)

    async def _prepare(self, asked: Asked) -> None:
        self._made.add(asked)
        try:
            await self.cards.read(asked)
            for game_id, theme, text in _GROUND.findall(self.cards.at_hand(asked)):
                await self.cards.read((game_id, "ground", text, theme))
        except Unwritten as error:
            log.info("no first picture of %s: %s", " ".join(asked[:3]), error.sentence)

    def _all(self) -> Iterator[Asked | None]:
        """The pictures of the house: where one comes in, of each game, then the lessons."""
        opening = [page.path for page in self.catalogue.pages.values() if page.opens]
        for query in ("", *(f"jeu={game}" for game in self._games)):
            yield from (self._picture(path, query) for path in opening)
        yield from (self._picture(page.path) for page in self.catalogue.lessons)

    async def watch(self) -> None:
        """Prepare a picture after another whenever nobody reads, until all are."""
        for asked in self._all() if self.ahead else ():
            while self.busy() or time.monotonic() - self._asked < self.ahead:
                await asyncio.sleep(EVERY)
            if asked and asked not in self._made:
                await self._prepare(asked)
                await asyncio.sleep(EVERY)
