"""What a teacher pastes to send: a code of the editor, a short link, a shared link, a position in YAML.

Read into a body.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tutor.core.errors import ContentError, PositionError, TutorError
from tutor.core.registry import GAMES, game
from tutor.course.lessons import lesson as read_lesson
from tutor.course.lessons import readable
from tutor.course.links import Link, read_url, split
from tutor.course.shown import (
    Body,
    board_body,
    example_body,
    kept_lesson_body,
    lesson_body,
    position_of_text,
    sheet_body,
)
from widgets.board.errors import guarded

if TYPE_CHECKING:
    from widgets.host.channel import Channel, Reply

Then = Callable[[Body], object]
_CODE = re.compile(r"[0-9A-Za-z]{6,12}")
_SHORT = re.compile(r"(?:^|/)l/([0-9A-Za-z]{6,12})/?$")
_NOTHING = "Il n’y a rien à lire."
_HOW = "Collez un lien du cours, un lien court, un code de l’éditeur, ou une position en YAML."


class KeptReader:
    """Reads what is pasted; the server is asked for what it keeps.

    Args:
        channel: the way to the server, asked for when it is needed.
        then: told of the body.
        fail: told why there is none.
    """

    def __init__(self, channel: Callable[[], Channel], then: Then, fail: Callable[[str], object]) -> None:
        self._channel, self._then, self._fail = channel, then, fail

    def read(self, text: str) -> None:
        """Read a text; the answer comes at once, or when the server gives it.

        Raises:
            TutorError: it is none of what can be read.
        """
        text = text.strip()
        if not text:
            raise PositionError(_NOTHING, remedy=_HOW)
        if "\n" in text:
            self._then(pasted(text))
        elif short := _SHORT.search(split(text).path):
            self._short(short[1])
        elif _CODE.fullmatch(text):
            self._authored(text.upper(), otherwise=lambda: self._short(text))
        elif "/" in text or "?" in text:
            self._link(text)
        else:
            self._then(pasted(text))

    def _link(self, text: str) -> None:
        parts = split(text)
        link = read_url(f"{parts.path}?{parts.query}")
        if link.page == "authored" and link.slug:
            self._authored(link.slug)
        else:
            self._then(body_of_link(link))

    # -- the server -------------------------------------------------------------------------------------------------

    def _ask(self, op: str, code: str, then: Callable[[dict[str, Any]], object], otherwise: Any = None) -> None:
        def answered(reply: Reply) -> None:
            if not reply.ok and otherwise is not None and reply.error == "refused":
                otherwise()
            elif not reply.ok:
                self._fail(reply.message)
            else:
                try:
                    then(reply.result)
                except TutorError as error:
                    self._fail(error.sentence)

        self._channel().request(op, {"code": code}, guarded(answered), guarded(self._fail))

    def _authored(self, code: str, otherwise: Callable[[], object] | None = None) -> None:
        self._ask("authored.get", code, lambda reply: self._then(body_of_kept(code, reply)), otherwise)

    def _short(self, code: str) -> None:
        self._ask("link.get", code, lambda reply: self._link(str(reply["target"])))


def pasted(text: str) -> Body:
    """The body of a position, with its question when it brings one.

    Raises:
        TutorError: it cannot be read.
    """
    if "\n" not in text:
        return board_body(position_of_text(text), "", {})
    from tutor.course.teacher_lessons import Sheet

    return sheet_body(Sheet.parse(text))


def body_of_kept(code: str, reply: dict[str, Any]) -> Body:
    """The body of what the store keeps under a code.

    Raises:
        TutorError: it cannot be read any more.
    """
    from tutor.course.teacher_lessons import AuthoredLesson, Sheet

    if reply["kind"] == "lesson":
        kept = AuthoredLesson.parse(str(reply["body"]))
        return kept_lesson_body(kept.game, code, kept.lesson.title, read=not kept.has_board)
    return sheet_body(Sheet.parse(str(reply["body"])))


def body_of_link(link: Link) -> Body:
    """The body of what a link of the course shows: a board, an example as it was left, a lesson.

    Raises:
        TutorError: it shows nothing that can be sent.
    """
    if link.page == "lesson" and link.game in GAMES:
        lesson = next((one for one in readable(link.game)[0] if one.slug == link.slug), None)
        if lesson is None:
            raise ContentError("Cette leçon n’est pas dans le cours.", remedy=_HOW)
        if not link.example:
            return lesson_body(link.game, lesson)
        example = read_lesson(link.game, lesson.id).examples.get(link.example)
        if example is None:
            raise ContentError("Cet exemple n’est pas dans la leçon.", remedy=_HOW)
        position = game(link.game).position(example.position).change(example.changes)
        if link.position:
            position = position_of_text(link.position, link.game)
        return example_body(link.game, lesson, example, position, example.with_)
    if link.position:
        return board_body(position_of_text(link.position), "", {})
    raise ContentError("Ce lien ne montre ni plateau ni leçon.", remedy=_HOW)
