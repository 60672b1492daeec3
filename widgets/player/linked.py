"""What a link asks of an example: the position that it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.core.errors import TutorError
from tutor.core.registry import game
from tutor.course.links import Link, position_of
from widgets.board import errors
from widgets.host.prose import UNREAD

if TYPE_CHECKING:
    from widgets.player.example import ExamplePlayer


def take_asked(player: ExamplePlayer, asked: Link) -> None:
    """Show the position of a link, if it has one: what is wrong with it is said, and the page goes on."""
    if not asked.position:
        return
    try:
        position = position_of(asked.position, player.game_id)
        faults, words = game(player.game_id).problems(position), game(player.game_id).unknown_words(position)
    except TutorError as error:
        errors.report(f"{error.sentence} Voici la position de la leçon.")
        return
    player.take(position)
    if faults:
        errors.report(f"Cette position ne respecte pas les règles : {' '.join(faults)}")
    elif words:
        errors.report(f"{UNREAD} {' '.join(words)}")
