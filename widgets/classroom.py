"""A learner in a class: joining, coming back on each page, saying where he is, the bar above the page.

Imported only by a page whose tab is in a class, or that offers to join one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.course.links import Link, PageKind, read_url
from widgets.bridge import bridge
from widgets.classroom_page import CLASS, class_page, show_class_page
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.later import served

if TYPE_CHECKING:
    from widgets.channel import Channel, Reply

GONE = {
    "erased": "Cette séance a été effacée.",
    "removed": "Vous n’êtes plus dans cette séance.",
}
#: Pages that are no lesson, as the teacher reads where somebody is.
PAGES: dict[PageKind, str] = {
    **{"home": "sommaire", "sandbox": "plateau libre", "quick": "à table", "compare": "côte à côte"},
    **{"review": "révision", "data": "ses données", "about": "à propos", "class": "page de la classe"},
}
#: What the bar says of a push, and the label of its link.
ANNOUNCED = {
    "question": ("Une question de votre enseignant", "Répondre"),
    "position": ("Une position de votre enseignant", "Regarder"),
    "lesson": ("Une leçon de votre enseignant", "Ouvrir"),
    "message": ("Un mot de votre enseignant", "Lire"),
}


def remembered(text: str) -> dict[str, str]:
    """What the tab remembers of the class it joined; {} when that cannot be read.

    >>> remembered('{"code": "K7PM2Q", "token": "abc", "nickname": "Zoé"}')["nickname"]
    'Zoé'
    >>> remembered("[1"), remembered('{"code": 7}')
    ({}, {})
    """
    try:
        found: Any = json.loads(text or "{}")
    except ValueError:
        return {}
    names = ("code", "token", "nickname")
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in names):
        return {}
    return {name: found[name][:200] for name in names}


def page_name(address: str) -> str:
    """What a page is called for the teacher, by its address; "" for one that has nothing to say.

    >>> page_name("http://127.0.0.1:8866/voila/render/bac-a-sable.ipynb")
    'plateau libre'
    """
    try:
        return PAGES.get(read_url(address).page, "")
    except TutorError:
        return ""


def spelled(code: str) -> str:
    """A code as the server knows it, however it was typed.

    >>> spelled(" k7p-m2q ")
    'K7PM2Q'
    """
    return "".join(char for char in code.upper() if char.isalnum())[:16]


class Attendance:
    """The class this page's reader is in; use :func:`attendance`.

    ``state`` is the last of the session's topic, {} before the first; ``session`` is 0 outside a class; ``gone`` says
    why the reader is in it no more; ``at_class``: this page is that of the class, and says more than the bar.
    """

    def __init__(self) -> None:
        self.session, self.nickname, self.gone = 0, "", ""
        self.state: dict[str, Any] = {}
        self.stuck = self.at_class = False
        self._code = self._token = ""
        self._sent: dict[str, Any] = {}
        self._changed: list[Callable[[], object]] = []
        self._end: Callable[[], None] | None = None
        course_page().observe(guarded(lambda _: self.report()), "where")

    def on_change(self, told: Callable[[], object]) -> None:
        """Call when more is known, or something changed."""
        self._changed.append(told)

    def _tell(self) -> None:
        for told in self._changed:
            guarded(told)()

    @staticmethod
    def channel() -> Channel | None:
        """The way to the server; None where there is none."""
        if not served():
            return None
        from widgets.channel import channel

        return channel() if channel().available else None

    # -- joining, coming back, leaving ----------------------------------------------------------------------------

    def join(self, code: str, nickname: str, then: Callable[[Reply], object], token: str = "") -> None:
        """Join a session.

        Args:
            code: as typed; nickname: what others will see; then: told what came of it; token: of an earlier page.
        """
        found = self.channel()
        if found is None:
            from widgets.channel import OFF

            then(OFF)
            return

        def joined(reply: Reply) -> None:
            if reply.ok:
                self._enter(spelled(code), reply.result)
            then(reply)

        found.join(spelled(code), nickname.strip(), token, guarded(joined))

    def within(self, code: str) -> bool:
        """Whether one is in the session of a code already."""
        return bool(self.session) and self._code == spelled(code)

    def come_back(self) -> None:
        """Be again who the tab says one is."""
        kept = remembered(course_page().attending)
        if kept and not self.session:
            self._code, self.nickname = kept["code"], kept["nickname"]
            self.join(kept["code"], kept["nickname"], self._came_back, kept["token"])

    def _came_back(self, reply: Reply) -> None:
        if not reply.ok and reply.error in ("forbidden", "refused"):
            self._leave(reply.message)

    def _enter(self, code: str, result: dict[str, Any]) -> None:
        if self._end is not None and self.session != int(result["session"]):
            self._end()
            self._end, self.state = None, {}
        self._code, self._token = code, str(result["token"])
        self.session, self.nickname, self.gone = int(result["session"]), str(result["nickname"]), ""
        kept = {"code": code, "token": self._token, "nickname": self.nickname}
        class_page().remember(CLASS, json.dumps(kept, ensure_ascii=False))
        found = self.channel()
        if found is not None and self._end is None:
            self._end = found.subscribe(f"class/{self.session}", guarded(self._heard))
        self.report()

    def leave(self) -> None:
        """Be in no class any more, as far as this tab goes."""
        self._leave("Vous avez quitté la séance.")

    def _leave(self, why: str) -> None:
        if self._end is not None:
            self._end()
        self._end, self.session, self.state, self.gone = None, 0, {}, why
        class_page().remember(CLASS, "")
        self._tell()

    def _heard(self, payload: Any) -> None:
        if not isinstance(payload, dict):
            return
        for name, sentence in GONE.items():
            if payload.get(name):
                self._leave(sentence)
                return
        self.state = payload
        self._tell()

    # -- where the reader is --------------------------------------------------------------------------------------

    def report(self) -> None:
        """Tell the teacher where the reader is, when that has changed."""
        found = self.channel() if self.session else None
        if found is None:
            return
        place = course_page().where or {"step": page_name(bridge().page)}
        where = {name: str(place.get(name, ""))[:80] for name in ("lesson", "exercise", "step", "stuck")}
        if self.stuck:
            where["stuck"] = "aide"
        if where != self._sent:
            self._sent = where
            found.request("class.where", {"session": self.session, **where})

    def call_for_help(self, stuck: bool) -> None:
        """Say, or take back, that one is stuck."""
        self.stuck = stuck
        self.report()
        self._tell()

    def answer(self, answer: Any, ok: bool | None, missed: tuple[str, ...], seconds: float, then: Any) -> None:
        """Answer what is on the screen.

        Args:
            answer: as JSON can hold it; ok: what the engine says of it; missed: rules forgotten, by the diagnosis.
            seconds: since the question came; then: told what came of it.
        """
        found, push = self.channel(), self.state.get("push") or {}
        if found is None or not push:
            return
        given = {"session": self.session, "push": push["id"], "answer": answer, "ok": ok}
        given |= {"missed": list(missed), "seconds": round(seconds, 1)}
        found.write("class.answer", given, guarded(then))

    def mine(self, then: Callable[[dict[int, Any]], object]) -> None:
        """What one has answered in this session: push -> answer."""
        found = self.channel() if self.session else None

        def read(reply: Reply) -> None:
            if reply.ok:
                then({int(one["push"]): one["answer"] for one in reply.result["answers"]})

        if found is not None:
            found.request("class.mine", {"session": self.session}, guarded(read))


@lru_cache(maxsize=1)
def attendance() -> Attendance:
    """The class this page's reader is in."""
    return Attendance()


# -- the bar ------------------------------------------------------------------------------------------------------


def bar_of(state: dict[str, Any], nickname: str, stuck: bool) -> dict[str, Any]:
    """What the bar above a page says.

    Args:
        state: of the session; nickname: of the reader; stuck: whether he asked for help.

    >>> bar_of({"title": "", "code": "K7PM2Q", "push": {"kind": "question", "body": {}}}, "Zoé", False)["label"]
    'Répondre'
    """
    push = state.get("push")
    said: dict[str, Any] = {"title": state.get("title") or "Votre classe", "nickname": nickname, "stuck": stuck}
    said |= {"href": Link("class").url, "label": "La classe", "hot": False, "text": ""}
    if state.get("closed"):
        return {**said, "text": f"La séance est close{NBSP}: merci d’être venu."}
    if state.get("leading"):
        return {**said, "text": "Votre enseignant montre un plateau", "label": "Regarder", "hot": True}
    if push:
        text, label = ANNOUNCED.get(push["kind"], ANNOUNCED["message"])
        closed = state.get("locked") and push["kind"] == "question"
        locked = f"{NBSP}: réponses fermées" if closed else ""
        return {**said, "text": text + locked, "label": "Regarder" if closed else label, "hot": not closed}
    return {**said, "text": "Votre enseignant prépare la suite."}


class Bar:
    """The thin bar above a page of a reader who is in a class."""

    def __init__(self) -> None:
        self._attendance = attendance()
        self._attendance.on_change(self._show)
        class_page().on_key(
            lambda key: self._attendance.call_for_help(key == "stuck") if key in ("stuck", "unstuck") else None
        )

    def _show(self) -> None:
        here = self._attendance
        if here.at_class:
            return
        if here.session and here.state:
            class_page().bar = bar_of(here.state, here.nickname, here.stuck)
        elif here.gone:
            class_page().bar = {"title": "Votre classe", "text": here.gone}


@lru_cache(maxsize=1)
def _bar() -> Bar:
    return Bar()


def attend() -> None:
    """Be in the class that the tab remembers, with the bar above the page."""
    show_class_page()
    _bar()
    attendance().come_back()
