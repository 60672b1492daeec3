"""`/regles/<jeu>`: the card of a rule or of a word, and the board on it, without any kernel.

The server knows no game. One process beside it does (``widgets.pages.card_writer``), a copy of the one that kernels are copied from:
it starts with the first card, ends when nobody reads any, and what it wrote is kept here as long as no file changes.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import logging
import multiprocessing
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tornado.web import HTTPError, RequestHandler

from tutor.core.shelf import Shelf
from widgets.serving import forked
from widgets.serving.kept_grounds import KeptGrounds
from widgets.serving.preload import call
from widgets.serving.statics import version_of

log = logging.getLogger("ligne_de_vue")
#: Seconds that a card may take, the start of the writer included; without any card, before the writer ends.
PATIENCE, IDLE = 30.0, 120.0
#: Seconds after which it is looked again whether the files of a game have changed.
LOOK_EVERY = 2.0
#: Cards that may wait for the writer; bytes of cards that are kept.
MOST_WAITING, MOST_BYTES = 100, 8_000_000
#: Characters of the longest name that is looked for, by kind: the longest of a rule has forty; a ground is a position.
LONGEST_NAME, LONGEST_GROUND = 80, 8_000
#: Grounds that may wait for the writer: those of cards are kept free.
MOST_GROUNDS = 60
THEMES = ("light", "dark")
UNKNOWN = {
    "rule": "Cette règle n’est pas dans le livret.",
    "word": "Ce mot n’est pas dans le lexique.",
    "plateau": "Aucun exemple ne montre cette règle.",
    "verdict": "Aucun exemple ne montre cette règle.",
    "ground": "Ce plateau ne se dessine pas.",
    "first": "Cette leçon n’a pas de première image.",
    "home": "Cet accueil n’a pas de première image.",
    "free": "Ce plateau libre n’a pas de première image.",
}
NO_GAME = "Ce jeu n’est pas dans la bibliothèque."
BUSY = "Trop de règles sont demandées à la fois : réessayez dans un instant."

BROKEN = "Cette règle n’a pas pu être lue."
#: The function that the process beside runs.
WRITER = "widgets.pages.card_writer:write"

#: What the writer answers: a text, None when there is no such thing; and what is wrong, "" when nothing is.
Answer = tuple[str | None, str]
#: Game, kind, name and theme of a card.
Asked = tuple[str, str, str, str]


def grounds_version() -> str:
    """What the addresses of grounds bear: it changes when the hand that draws them does, or a game."""
    games = Shelf()
    return version_of([Path(__file__).parents[1] / "ground", *(games.facts(one).folder for one in games)])


class Unwritten(Exception):
    """A card that cannot be had: the status to answer, and why, in French."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@dataclass(frozen=True, slots=True)
class Written:
    """A card, ready to be sent.

    Args:
        small: its text, compressed.
        tag: changes when the text does.
        version: of the files that it was written from.
    """

    small: bytes
    tag: str
    version: str


class CardWriter:
    """The process that writes, and the thread that asks it: one card at a time.

    Args:
        start: starts a process that runs a function with its arguments.
    """

    def __init__(self, start: Callable[..., BaseProcess] = forked.start_beside) -> None:
        self._start = start
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Process id of the writer; None when there is none."""
        return self._process.pid if self._process else None

    def ask(self, asked: Asked) -> Answer:
        """Have a card written; a writer that died is replaced once.

        Raises:
            Unwritten: nobody could write it.
        """
        for _ in range(2):
            if self._closed:
                break
            try:
                if self._line is None:
                    self._line, its = multiprocessing.Pipe()
                    self._process = self._start(call, WRITER, its)
                    its.close()
                self._line.send(asked)
                if self._line.poll(PATIENCE):
                    answer: Answer = self._line.recv()
                    return answer
            except (OSError, EOFError):
                log.warning("the writer of cards is gone", exc_info=True)
            self.end()
        raise Unwritten(503, BROKEN)

    def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self.end()

    def end(self) -> None:
        """End the process, if there is one; the next card starts another."""
        process, line, self._process, self._line = self._process, self._line, None, None
        if line is not None:
            line.close()
        if process is not None:
            with suppress(OSError, AttributeError):
                process.terminate()


@lru_cache(8)
def _text(small: bytes) -> str:
    """What a kept card says; the last few are asked for by whole classes."""
    return gzip.decompress(small).decode()


class Cards:
    """The cards of every game: written when first asked for, and kept.

    Args:
        writer: writes those that are not.
        games: the games there are.
        grounds: where drawn grounds are kept; nowhere when None.
    """

    def __init__(
        self, writer: CardWriter | None = None, games: Shelf | None = None, grounds: KeptGrounds | None = None
    ) -> None:
        self.writer, self._games, self._grounds = writer or CardWriter(), games or Shelf(), grounds
        self._kept: OrderedDict[Asked, Written] = OrderedDict()
        self._version: dict[str, tuple[float, str]] = {}
        self._thread = ThreadPoolExecutor(1, "cartes")
        self._waiting = 0
        self._rest: asyncio.TimerHandle | None = None

    async def read(self, asked: Asked) -> Written:
        """A card.

        Args:
            asked: game, kind, name and theme.

        Raises:
            Unwritten: there is no such card, or it cannot be written now.
        """
        if asked[0] not in self._games:
            raise Unwritten(404, NO_GAME)
        if len(asked[2]) > (LONGEST_GROUND if asked[1] == "ground" else LONGEST_NAME):
            raise Unwritten(404, UNKNOWN[asked[1]])
        if self._waiting >= (MOST_GROUNDS if asked[1] == "ground" else MOST_WAITING):
            raise Unwritten(503, BUSY)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._read, asked)
        finally:
            self._waiting -= 1
            if self._rest:
                self._rest.cancel()
            self._rest = asyncio.get_running_loop().call_later(IDLE, self._thread.submit, self.writer.end)

    def at_hand(self, asked: Asked) -> str:
        """A card that is kept, as text; "" when it would have to be written, or a file of its game has changed since.

        Args:
            asked: game, kind, name and theme.
        """
        kept = self._kept.get(asked)
        if kept is None or kept.version != self._version.get(asked[0], (0.0, ""))[1]:
            return ""
        return _text(kept.small)

    def _read(self, asked: Asked) -> Written:
        game_id = asked[0]
        version = self._look(game_id)
        kept = self._kept.get(asked)
        if kept and kept.version == version:
            self._kept.move_to_end(asked)
            return kept
        shelf, name = self._grounds if asked[1] == "ground" else None, " ".join((*asked, version))
        small = shelf.read(name) if shelf else None
        if small is None:
            small = self._write(asked)
            if shelf:
                shelf.keep(name, small)
        tag = f'"{hashlib.sha256(small).hexdigest()[:24]}"'
        self._kept[asked] = made = Written(small, tag, version)
        self._kept.move_to_end(asked)
        while sum(len(one.small) for one in self._kept.values()) > MOST_BYTES:
            self._kept.popitem(last=False)
        return made

    def _write(self, asked: Asked) -> bytes:
        text, fault = self.writer.ask(asked)
        if fault:
            raise Unwritten(500, fault)
        if text is None:
            raise Unwritten(404, UNKNOWN[asked[1]])
        return gzip.compress(text.encode(), 6, mtime=0)

    def _look(self, game_id: str) -> str:
        """Version of the files of a game; a writer that has read others ends."""
        looked, before = self._version.get(game_id, (0.0, ""))
        if before and time.monotonic() - looked < LOOK_EVERY:
            return before
        version = version_of([self._games.facts(game_id).folder])
        self._version[game_id] = (time.monotonic(), version)
        if before and version != before:
            self.writer.end()
        return version

    def stop(self) -> None:
        """End the writer, and wait for nothing."""
        if self._rest:
            self._rest.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self.writer.close()


class CardHandler(RequestHandler):
    """`/regles/<jeu>?regle=…`, `?mot=…`, and `/regles/<jeu>/plateau.svg` or `verdict.svg` `?regle=…&theme=…`."""

    #: How long a browser keeps it: it looks again each time, because contents may change.
    keeping = "no-cache"

    def initialize(self, cards: Cards) -> None:
        """Take the cards given by the route."""
        self.cards = cards

    async def get(self, game_id: str, picture: str | None = None) -> None:
        """Send the card, or 304 when the browser has it."""
        word = "" if picture else self.get_query_argument("mot", "")
        kind = picture or ("word" if word else "rule")
        theme = self.get_query_argument("theme", "") if picture else ""
        name = word or self.get_query_argument("regle", "")
        await self._send((game_id, kind, name, theme if theme in THEMES else THEMES[0]))

    async def _send(self, asked: Asked) -> None:
        try:
            card = await self.cards.read(asked)
        except Unwritten as error:
            self._say(error.status, error.sentence)
            return
        self.set_header("Content-Type", "text/html; charset=UTF-8" if asked[1] in ("rule", "word") else "image/svg+xml")
        self.set_header("Cache-Control", self.keeping)
        self.set_header("Etag", card.tag)
        self.set_header("Vary", "Accept-Encoding")
        if self.check_etag_header():
            self.set_status(304)
            return
        body = card.small
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
        else:
            body = gzip.decompress(body)
        self.set_header("Content-Length", str(len(body)))
        self.finish(body if self.request.method != "HEAD" else b"")

    head = get

    def _say(self, status: int, sentence: str) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        self.set_header("Cache-Control", "no-store")
        if status == 503:
            self.set_header("Retry-After", "2")
        self.finish(f"{sentence}\n")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """One French line, for an address that is none."""
        error = kwargs.get("exc_info", (None, None))[1]
        if not isinstance(error, HTTPError):
            log.error("a card could not be sent", exc_info=kwargs.get("exc_info"))
        self._say(status_code, UNKNOWN["rule"] if status_code < 500 else BROKEN)


class GroundHandler(CardHandler):
    """`/sol/<version>/<jeu>/<thème>/<position>.svg`: the ground of a board; the address changes with all that it shows."""

    keeping = "public, max-age=31536000, immutable"

    async def get(self, game_id: str, theme: str, text: str) -> None:  # type: ignore[override]
        """Send the picture, or 304 when the browser has it."""
        await self._send((game_id, "ground", text, theme))

    head = get  # type: ignore[assignment]
