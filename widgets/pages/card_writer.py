"""The process that writes the cards of rules and what lessons show first: it has the games, which the server does without.

The server starts it by name, as a copy of the process that kernels are copied from (``widgets.serving.rule_cards``).
"""

from __future__ import annotations

import logging
import signal
from multiprocessing.connection import Connection

from tutor.core.errors import TutorError
from widgets.pages.first_picture import first_picture
from widgets.pages.rule_card import written

BROKEN = "Cette règle n’a pas pu être lue."


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
            answer = (first_picture(asked[0], asked[2]) if asked[1] == "first" else written(*asked), "")
        except TutorError as error:
            answer = (None, error.sentence)
        except Exception:
            logging.getLogger("ligne_de_vue").exception("a card could not be written: %r", asked)
            answer = (None, BROKEN)
        try:
            line.send(answer)
        except OSError:
            return
