"""A lesson kept as data, played: from the store (``?lecon=<code>``), or from the metadata of the notebook that is open."""

from __future__ import annotations

import json
import os
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.course.links import read_query
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.errors import failure, guarded
from widgets.lesson_text import box, html

if TYPE_CHECKING:
    from widgets.channel import Reply

#: Where a notebook keeps its lesson, in its metadata.
METADATA = "ligne_de_vue"
_WAIT = "<p>Un instant…</p>"


def parts(kind: str, body: str, code: str = "") -> ipw.Widget:
    """What a kept text plays: a lesson, or a position alone.

    Args:
        kind: lesson or position; body: its text; code: under which it is kept, for links.

    Raises:
        TutorError: it cannot be played, with the reason.
    """
    from widgets.authored import AuthoredLesson, Sheet

    if kind == "lesson":
        from widgets.authored_lesson import lesson_widget

        return lesson_widget(AuthoredLesson.parse(body), code)
    from widgets.editor_preview import preview_player
    from widgets.editor_state import Draft

    sheet = Sheet.parse(body)
    title = html(f"<h2>{escape(sheet.board.title)}</h2>") if sheet.board.title else html("")
    return box(title, preview_player(Draft(sheet.board, sheet.asked)).widget, css="ldv-part")


class AuthoredPage:
    """A page that plays a kept text."""

    def __init__(self) -> None:
        self._place, self._code = box(html(_WAIT)), ""
        self.widget = box(self._place, bridge(), course_page())

    def follow(self) -> None:
        """Play what the link names, once the browser says what it is."""
        course_page().observe(guarded(lambda _: self._asked()), "ready")
        if course_page().ready:
            self._asked()

    def _asked(self) -> None:
        from widgets.channel import channel

        code = read_query(course_page().query).slug
        if not code:
            self.say("Cette adresse ne dit pas quelle leçon ouvrir", "Il y manque son code, après « ?lecon= ».")
        elif code != self._code:
            self._code = code
            channel().request("authored.get", {"code": code}, guarded(self._answered))

    def _answered(self, reply: Reply) -> None:
        if not reply.ok:
            self.say("Cette leçon ne peut pas s’ouvrir", reply.message)
            return
        self.play(reply.result["kind"], reply.result["body"], self._code)

    def play(self, kind: str, body: str, code: str = "") -> None:
        """Play a kept text, or say why it cannot be."""
        try:
            self._place.children = (parts(kind, body, code),)
        except TutorError as error:
            self.say("Cette leçon ne peut pas s’ouvrir", error.sentence)

    def say(self, title: str, sentence: str) -> None:
        """Say why nothing is played."""
        self._place.children = (html(failure(sentence, f"{title}.")),)


def authored() -> ipw.Widget:
    """The lesson, or the position, that the link names."""
    page = AuthoredPage()
    page.follow()
    return page.widget


def carried() -> ipw.Widget:
    """The lesson that this notebook carries in its metadata; for a notebook that was downloaded and opened in JupyterLab."""
    page, found = AuthoredPage(), _metadata()
    if len(found) == 1:
        page.play(str(found[0].get("kind", "")), str(found[0].get("body", "")))
    elif found:
        page.say("Plusieurs cahiers de ce dossier portent une leçon", "Mettez celui-ci seul dans un dossier.")
    else:
        page.say("Ce cahier ne porte pas de leçon", "Téléchargez-le de nouveau depuis l’éditeur.")
    return page.widget


def _metadata() -> list[dict[str, Any]]:
    """The lesson of the notebook that runs: the one Jupyter or an editor of code names, else those of this folder.

    Copies of one lesson, such as a notebook that was run and kept beside the first, count once.
    """
    cells = sys.modules["__main__"].__dict__  # where the cells of a notebook put their names
    named = os.environ.get("JPY_SESSION_NAME") or cells.get("__vsc_ipynb_file__") or ""
    candidates = [Path(named)] if named and Path(named).is_file() else sorted(Path().glob("*.ipynb"))
    found: list[dict[str, Any]] = []
    for path in candidates:
        if (data := _read(path)) is not None and data not in found:
            found.append(data)
    return found


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))["metadata"][METADATA]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return data if isinstance(data, dict) else None
