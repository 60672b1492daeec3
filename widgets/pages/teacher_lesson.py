"""A lesson kept as data, played: from the store (``?lecon=<code>``),
or from the metadata of the notebook that is open.
"""

from __future__ import annotations

import json
import os
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.registry import game
from tutor.course.links import read_query
from widgets.board.errors import failure, guarded
from widgets.host.deferred import served
from widgets.host.page import Page
from widgets.host.prose import box, html, unknown_notice
from widgets.pages.opening import follow_class, follow_scenes

if TYPE_CHECKING:
    from widgets.host.channel import Reply

#: Where a notebook keeps its lesson, in its metadata.
METADATA = "ligne_de_vue"
_WAIT = "<p>Un instant…</p>"


def parts(page: Page, kind: str, body: str, code: str = "") -> ipw.Widget:
    """What a kept text plays: a lesson, or a position alone.

    Args:
        page: what its widgets share.
        kind: lesson or position.
        body: its text.
        code: under which it is kept, for links.

    Raises:
        TutorError: it cannot be played, with the reason.
    """
    from tutor.course.teacher_lessons import AuthoredLesson, Sheet

    if kind == "lesson":
        from widgets.editor.teacher_lesson import kept_lesson

        lesson = kept_lesson(page, AuthoredLesson.parse(body), code, staged=bool(code) and served())
        widget, page.course.title = lesson.widget, lesson.content.title
        if lesson.stage:
            follow_scenes(page, lesson)
        return widget
    from widgets.editor.draft import Draft
    from widgets.editor.preview import preview_player

    sheet = Sheet.parse(body)
    page.course.title = sheet.board.title
    title = html(f"<h2>{escape(sheet.board.title)}</h2>") if sheet.board.title else html("")
    played = box(title, preview_player(page, Draft(sheet.board, sheet.asked)).widget, css="ldv-part")
    words = unknown_notice(game(sheet.board.game).unknown_words(sheet.board))
    return box(html(words), played, css="ldv-part") if words else played


class AuthoredPage:
    """A page that plays a kept text."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._place, self._code = box(html(_WAIT)), ""
        self.widget = box(self._place, *self.page.unseen)

    def follow(self) -> None:
        """Play what the link names, once the browser says what it is."""
        self.page.course.observe(guarded(lambda _: self._asked()), "ready")
        if self.page.course.ready:
            self._asked()

    def _asked(self) -> None:
        code = read_query(self.page.course.query).slug
        if not code:
            self.say("Cette adresse ne dit pas quelle leçon ouvrir", "Il y manque son code, après « ?lecon= ».")
        elif code != self._code:
            self._code = code
            self.page.channel.request("authored.get", {"code": code}, guarded(self._answered), guarded(self._waits))

    def _waits(self, why: str) -> None:
        self.say("Cette leçon ne peut pas encore s’ouvrir", f"{why} Elle s’ouvrira dès qu’elle répondra.")

    def _answered(self, reply: Reply) -> None:
        if not reply.ok:
            self.say("Cette leçon ne peut pas s’ouvrir", reply.message)
            return
        kept = reply.result
        self.play(kept["kind"], kept["body"], kept["code"])

    def play(self, kind: str, body: str, code: str = "") -> None:
        """Play a kept text, or say why it cannot be."""
        try:
            self._place.children = (parts(self.page, kind, body, code),)
        except TutorError as error:
            self.say("Cette leçon ne peut pas s’ouvrir", error.sentence)

    def say(self, title: str, sentence: str) -> None:
        """Say why nothing is played."""
        self._place.children = (html(failure(sentence, f"{title}.")),)


def authored() -> ipw.Widget:
    """The lesson, or the position, that the link names."""
    page = Page()
    follow_class(page)
    played = AuthoredPage(page)
    played.follow()
    return played.widget


def carried() -> ipw.Widget:
    """The lesson that this notebook carries in its metadata;
    for a notebook that was downloaded and opened in JupyterLab.
    """
    played, lessons = AuthoredPage(Page()), _metadata()
    if len(lessons) == 1:
        played.play(str(lessons[0].get("kind", "")), str(lessons[0].get("body", "")))
    elif lessons:
        played.say("Plusieurs cahiers de ce dossier portent une leçon", "Mettez celui-ci seul dans un dossier.")
    else:
        played.say("Ce cahier ne porte pas de leçon", "Téléchargez-le de nouveau depuis l’éditeur.")
    return played.widget


def _metadata() -> list[dict[str, Any]]:
    """The lesson of the notebook that runs: the one Jupyter or an editor of code names, else those of this folder.

    Copies of one lesson, such as a notebook that was run and kept beside the first, count once.
    """
    cells = sys.modules["__main__"].__dict__  # where the cells of a notebook put their names
    named = os.environ.get("JPY_SESSION_NAME") or cells.get("__vsc_ipynb_file__") or ""
    candidates = [Path(named)] if named and Path(named).is_file() else sorted(Path().glob("*.ipynb"))
    lessons: list[dict[str, Any]] = []
    for path in candidates:
        if (data := _read(path)) is not None and data not in lessons:
            lessons.append(data)
    return lessons


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))["metadata"][METADATA]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return data if isinstance(data, dict) else None
