"""What lessons show first, board and question, sent with the page before any kernel runs.

It is written beside the kernels (``widgets.serving.rule_cards``): by an idle server for every lesson, one after another,
with the grounds of their boards; else after the first visit, whose reader waits for his kernel as everybody once did.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable

from widgets.serving.catalogue import Catalogue
from widgets.serving.rule_cards import THEMES, Cards, Unwritten

log = logging.getLogger("ligne_de_vue")
#: Seconds without a page after which the server is idle, and between two lessons that it prepares then.
IDLE, EVERY = 20.0, 1.0
#: Seconds after a page was asked for: its own ground is drawn first.
AFTER = 2.0
_GROUND = re.compile(rf"/sol/\w+/(\w{{1,64}})/({'|'.join(THEMES)})/([\w-]{{1,8000}})\.svg")


class FirstPictures:
    """The first pictures of the lessons of a catalogue.

    Args:
        cards: has them written, and keeps them.
        catalogue: of the notebooks.
        busy: whether a reader is waited upon now.
    """

    def __init__(self, cards: Cards, catalogue: Catalogue, busy: Callable[[], bool] = lambda: False) -> None:
        self.cards, self.catalogue, self.busy = cards, catalogue, busy
        self._asked = time.monotonic()
        self._made: set[str] = set()
        self._doing: set[asyncio.Task[None]] = set()

    def of(self, path: str) -> str:
        """What the lesson of a notebook shows first, as HTML; "" when it is not at hand: it is prepared then.

        Args:
            path: of the notebook.
        """
        self._asked = time.monotonic()
        page = self.catalogue.pages.get(path)
        if page is None or not page.lesson:
            return ""
        task = asyncio.ensure_future(self._look_again(path))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        return self.cards.at_hand((page.game, "first", page.lesson, THEMES[0]))

    async def _look_again(self, path: str) -> None:
        """Prepare the lesson anew if its files have changed, and the one that the reader will open next."""
        await asyncio.sleep(AFTER)
        await self.prepare(path)
        after = self.catalogue.after(path)
        if after not in self._made:
            await self.prepare(after)

    async def settled(self) -> None:
        """Wait until what the visits so far ask for is prepared."""
        while self._doing:
            await asyncio.wait(self._doing)

    async def prepare(self, path: str) -> None:
        """Have what a lesson shows first written, and the grounds of its boards drawn.

        Args:
            path: of its notebook.
        """
        page = self.catalogue.pages.get(path)
        if page is None or not page.lesson:
            return
        self._made.add(path)
        asked = (page.game, "first", page.lesson, THEMES[0])
        try:
            await self.cards.read(asked)
            for game_id, theme, text in _GROUND.findall(self.cards.at_hand(asked)):
                await self.cards.read((game_id, "ground", text, theme))
        except Unwritten as error:
            log.info("no first picture of %s: %s", path, error.sentence)

    async def watch(self) -> None:
        """Prepare a lesson after another whenever nobody reads, until all are."""
        for page in self.catalogue.lessons:
            while self.busy() or time.monotonic() - self._asked < IDLE:
                await asyncio.sleep(EVERY)
            if page.path not in self._made:
                await self.prepare(page.path)
                await asyncio.sleep(EVERY)
