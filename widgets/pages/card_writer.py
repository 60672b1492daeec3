"""The process that writes the cards of rules and what pages show first: it has the games, which the server does without.

The server starts it by name, as a copy of the process that kernels are copied from (``widgets.serving.rule_cards``).
"""

from __future__ import annotations

import logging
import signal
from multiprocessing.connection import Connection

from tutor.core.errors import TutorError
from widgets.pages.first_picture import first_free, first_home, first_picture
from widgets.pages.rule_card import written

BROKEN = "Cette règle n’a pas pu être lue."


def shown(game_id: str, kind: str, name: str, theme: str) -> str | None:
    """What the server asks for by its kind: what a page shows first, else a card.

    Args:
        game_id: game.
        kind: ``first`` (of a lesson), ``home``, ``free``, or one of ``rule_card.written``.
        name: of the lesson or of the card; of the home page, anything when its address asks for the game.
        theme: of a card.

    >>> (shown("tcs", "free", "", "light") or "")[:17]
    '<div class="first'
    """
    if kind == "first":
        return first_picture(game_id, name)
    if kind == "home":
        return first_home(game_id, asked=bool(name))
    return first_free(game_id) if kind == "free" else written(game_id, kind, name, theme)


def write(line: Connection) -> None:
    """Write what is asked for, until the server hangs up or ends.

    Args:
        line: on it come game, kind, name and theme of each card, as ``rule_card.written`` takes them; on it go its text,
            None when there is no such thing, and what is wrong, "" when nothing is.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server
    while True:
        try:
            asked = line.recv()
        except (EOFError, OSError):
            return
        answer: tuple[str | None, str]
        try:
            answer = (shown(*asked), "")
        except TutorError as error:
            answer = (None, error.sentence)
        except Exception:
            logging.getLogger("ligne_de_vue").exception("a card could not be written: %r", asked)
            answer = (None, BROKEN)
        try:
            line.send(answer)
        except OSError:
            return
