"""A learner in a class: joining, coming back on each page, saying where he is, the bar above the page.

Imported only by a page whose tab is in a class, or that offers to join one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.course.links import Link, PageKind, read_url
from tutor.course.shown import led_lesson, lesson_url
from widgets.board.errors import guarded
from widgets.classroom.browser import CLASS, class_page, show_class_page
from widgets.host.page import Page

if TYPE_CHECKING:
    from widgets.host.channel import Reply

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
        kept: Any = json.loads(text or "{}")
    except ValueError:
        return {}
    names = ("code", "token", "nickname")
    if not isinstance(kept, dict) or not all(isinstance(kept.get(name), str) for name in names):
        return {}
    return {name: kept[name][:200] for name in names}


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
    why the reader is in it no more, ``waits`` why he is not in it yet; ``at_class``: this page is that of the class,
    and says more than the bar; ``following``: whether this page is where the lesson that is led is, None on another.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session, self.nickname, self.gone, self.waits = 0, "", "", ""
        self.state: dict[str, Any] = {}
        self.stuck = self.at_class = False
        self.following: bool | None = None
        self._code = self._token = ""
        self._sent: dict[str, Any] = {}
        self._changed: list[Callable[[], object]] = []
        self._end: Callable[[], None] | None = None
        self.page.course.observe(guarded(lambda _: self.report()), "where")

    def on_change(self, listener: Callable[[], object]) -> None:
        """Call when more is known, or something changed."""
        self._changed.append(listener)

    def _notify(self) -> None:
        for listener in self._changed:
            guarded(listener)()

    # -- joining, coming back, leaving ----------------------------------------------------------------------------

    def join(
        self,
        code: str,
        nickname: str,
        then: Callable[[Reply], object],
        token: str = "",
        late: Callable[[str], object] | None = None,
    ) -> None:
        """Join a session.

        Args:
            code: as typed.
            nickname: what others will see.
            then: told what came of it.
            token: of an earlier page.
            late: told once, and why, when that has to wait.
        """
        channel = self.page.server
        if channel is None:
            from widgets.host.channel import OFF

            then(OFF)
            return

        def joined(reply: Reply) -> None:
            if reply.ok:
                self._enter(spelled(code), reply.result)
            then(reply)

        channel.join(spelled(code), nickname.strip(), token, guarded(joined), guarded(late) if late else None)

    def within(self, code: str) -> bool:
        """Whether one is in the session of a code already."""
        return bool(self.session) and self._code == spelled(code)

    def come_back(self) -> None:
        """Be again who the tab says one is."""
        kept = remembered(self.page.course.attending)
        if kept and not self.session:
            self._code, self.nickname = kept["code"], kept["nickname"]
            self.join(kept["code"], kept["nickname"], self._answered, kept["token"], self._wait)

    def _wait(self, why: str) -> None:
        self.waits = why
        self._notify()

    def _answered(self, reply: Reply) -> None:
        """Leave a class that does not let one in, and say why."""
        if not reply.ok and reply.error in ("forbidden", "refused"):
            self._leave(reply.message)

    def _enter(self, code: str, result: dict[str, Any]) -> None:
        if self._end is not None and self.session != int(result["session"]):
            self._end()
            self._end, self.state = None, {}
        self._code, self._token = code, str(result["token"])
        self.session, self.nickname, self.gone = int(result["session"]), str(result["nickname"]), ""
        self.waits = ""
        kept = {"code": code, "token": self._token, "nickname": self.nickname}
        class_page(self.page).remember(CLASS, json.dumps(kept, ensure_ascii=False))
        channel = self.page.server
        if channel is not None and self._end is None:
            self._end = channel.subscribe(f"class/{self.session}", guarded(self._heard), guarded(self._answered))
        self.report()

    def leave(self) -> None:
        """Be in no class any more, as far as this tab goes."""
        self._leave("Vous avez quitté la séance.")

    def _leave(self, why: str) -> None:
        if self._end is not None:
            self._end()
        self._end, self.session, self.state, self.gone = None, 0, {}, why
        class_page(self.page).remember(CLASS, "")
        self._notify()

    def _heard(self, payload: Any) -> None:
        if not isinstance(payload, dict):
            return
        for name, sentence in GONE.items():
            if payload.get(name):
                self._leave(sentence)
                return
        self.state = payload
        self._notify()

    # -- where the reader is --------------------------------------------------------------------------------------

    def report(self) -> None:
        """Tell the teacher where the reader is, when that has changed."""
        channel = self.page.server if self.session else None
        if channel is None:
            return
        place = self.page.course.where or {"step": page_name(self.page.bridge.page)}
        where = {name: str(place.get(name, ""))[:80] for name in ("lesson", "exercise", "step", "stuck")}
        if self.stuck:
            where["stuck"] = "aide"
        if where != self._sent:
            self._sent = where
            channel.request("class.where", {"session": self.session, **where}, late=lambda why: None)

    def call_for_help(self, stuck: bool) -> None:
        """Say, or take back, that one is stuck."""
        self.stuck = stuck
        self.report()
        self._notify()

    def follow(self, following: bool | None) -> None:
        """Say whether this page is where the teacher is, in the lesson that he leads."""
        if following != self.following:
            self.following = following
            self._notify()

    def answer(
        self,
        answer: Any,
        ok: bool | None,
        missed: tuple[str, ...],
        seconds: float,
        then: Callable[[Reply], object],
        late: Callable[[str], object],
    ) -> None:
        """Answer what is on the screen.

        Args:
            answer: as JSON can hold it.
            ok: what the engine says of it.
            missed: rules to read again, by the diagnosis.
            seconds: since the question came.
            then: told what came of it.
            late: told once, and why, when it has to wait.
        """
        channel, push = self.page.server, self.state.get("push") or {}
        if channel is None or not push:
            return
        given = {"session": self.session, "push": push["id"], "answer": answer, "ok": ok}
        given |= {"missed": list(missed), "seconds": round(seconds, 1)}
        channel.write("class.answer", given, guarded(then), guarded(late))

    def mine(self, then: Callable[[dict[int, Any]], object]) -> None:
        """What one has answered in this session: push -> answer."""
        channel = self.page.server if self.session else None

        def read(reply: Reply) -> None:
            if reply.ok:
                then({int(one["push"]): one["answer"] for one in reply.result["answers"]})

        if channel is not None:
            channel.request("class.mine", {"session": self.session}, guarded(read), late=lambda why: None)


def attendance(page: Page) -> Attendance:
    """The class that a page's reader is in."""
    return page.one(Attendance, page)


# -- the bar ------------------------------------------------------------------------------------------------------


def bar_of(state: dict[str, Any], nickname: str, stuck: bool, following: bool | None = None) -> dict[str, Any]:
    """What the bar above a page says.

    Args:
        state: of the session.
        nickname: of the reader.
        stuck: whether he asked for help.
        following: whether he is where the lesson that is led is; None on a page that is no part of it.

    >>> bar_of({"title": "", "code": "K7PM2Q", "push": {"kind": "question", "body": {}}}, "Zoé", False)["label"]
    'Répondre'
    """
    push = state.get("push")
    said: dict[str, Any] = {"title": state.get("title") or "Votre classe", "nickname": nickname, "stuck": stuck}
    said |= {"href": Link("class").url, "label": "La classe", "hot": False, "text": ""}
    if state.get("closed"):
        return {**said, "text": f"La séance est close{NBSP}: merci d’être venu."}
    if led := led_lesson(state):
        if following:
            return {**said, "text": "Vous suivez votre enseignant"}
        said |= {"text": f"Votre enseignant en est à la scène{NBSP}{led['at']}", "label": "Le suivre", "hot": True}
        return {**said, "href": lesson_url(led), **({} if following is None else {"press": "follow"})}
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

    def __init__(self, page: Page) -> None:
        self.page = page
        self._attendance = attendance(self.page)
        self._attendance.on_change(self._show)
        class_page(self.page).on_key(
            lambda key: self._attendance.call_for_help(key == "stuck") if key in ("stuck", "unstuck") else None
        )

    def _show(self) -> None:
        here = self._attendance
        if here.at_class:
            return
        if here.session and here.state:
            class_page(self.page).bar = bar_of(here.state, here.nickname, here.stuck, here.following)
        elif here.gone:
            class_page(self.page).bar = {"title": "Votre classe", "text": here.gone}


def attend(page: Page) -> None:
    """Be in the class that the tab remembers, with the bar above the page."""
    show_class_page(page)
    page.one(Bar, page)
    attendance(page).come_back()
