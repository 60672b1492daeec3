"""What a reader has done, kept by the server under a code that his browser holds; without a server, in the browser alone.

No account: the first answer worth keeping makes a resume code. The browser remembers the code and, as before, the
exercises done, so that a page shows them even while the server cannot be reached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.errors import guarded

if TYPE_CHECKING:
    from widgets.channel import Channel, Reply

#: What the browser remembers once everything is erased.
_ERASED = "{}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer to an exercise, as it is kept.

    Args:
        game: game id; lesson: its id, "" outside a lesson; exercise: its id; right: whether it was.
        answer: what was given, as JSON can hold it; rules: that the exercise trains; missed: forgotten, by the diagnosis.
        variant: which variation of the position; "" for the one written.
    """

    game: str
    lesson: str
    exercise: str
    right: bool
    answer: Any
    rules: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    variant: str = ""


class Progress:
    """The reader's progress, as far as this page knows; use :func:`progress`.

    ``done``: lesson -> exercises solved; ``lessons``: what the server keeps of each, newest first; ``due``: reviews that
    wait; ``code``: the resume code, "" before there is one.

    >>> Progress.read('{"done": {"cc-04-ldv": ["cc-04-voit"]}, "code": "ABCD"}')
    ({'cc-04-ldv': ['cc-04-voit']}, 'ABCD')
    >>> Progress.read("abîmé")
    ({}, '')
    """

    def __init__(self) -> None:
        self._bridge = bridge()
        self.done: dict[str, list[str]] = {}
        self.lessons: list[dict[str, Any]] = []
        self.due = 0
        self.code = ""
        self._entered = ""
        self._sure = self._watched = False
        self._changed: list[Callable[[], None]] = []
        self._lesson = ""
        self._early: list[tuple[str, dict[str, Any]]] = []
        self._bridge.observe(guarded(lambda _: self._load()), "stored")
        course_page().observe(guarded(lambda _: self._load()), "ready")

    @staticmethod
    def read(text: str) -> tuple[dict[str, list[str]], str]:
        """Exercises done and resume code in a stored text; anything unreadable is nothing."""
        try:
            data: Any = json.loads(text or "{}")
        except ValueError:
            return {}, ""
        data = data if isinstance(data, dict) else {}
        done, code = data.get("done"), data.get("code")
        lessons = done if isinstance(done, dict) else {}
        found = {str(k): [str(i) for i in v] for k, v in lessons.items() if isinstance(v, list)}
        return found, code if isinstance(code, str) and len(code) <= 40 else ""

    def on_change(self, told: Callable[[], None]) -> None:
        """Call when more is known."""
        self._changed.append(told)

    # -- what is known --------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """Read what the browser remembers: once the whole page is there, or what is told of it is lost on the way."""
        if not course_page().ready:
            return
        if self.code and self._bridge.stored == _ERASED:  # from another tab
            self._lose()
            return
        done, code = self.read(self._bridge.stored)
        self._add(done)
        if code and not self.code:
            self.code, self._sure = code, True
        if self.code and self._entered != self.code:
            self._enter(self.code)
        early, self._early = self._early, []
        for op, args in early:
            self._write(op, args)
        if early:
            self._store()
        self._tell()

    def _add(self, done: dict[str, list[str]]) -> None:
        for lesson, ids in done.items():
            known = self.done.setdefault(lesson, [])
            known += [i for i in ids if i not in known]

    def _tell(self) -> None:
        for told in self._changed:
            told()

    def _store(self) -> None:
        """Have the browser remember; a code only once the server knows it, nothing before what it remembers is read."""
        if self._waits():
            return
        code = self.code if self._sure else ""
        self._bridge.to_store = json.dumps({"done": self.done, "code": code}, ensure_ascii=False)

    # -- the server -----------------------------------------------------------------------------------------------

    def _channel(self) -> Channel:
        """The way to the server's store; where there is none, it answers so at once."""
        from widgets.channel import channel

        found = channel()
        if found.available and not self._watched:
            self._watched = True
            found.on_status(lambda _, text: setattr(course_page(), "kept", text))
        return found

    def _enter(self, code: str) -> None:
        self._entered = code
        self._channel().resume(code, guarded(lambda reply: self._resumed(code, reply)))

    def _resumed(self, code: str, reply: Reply) -> None:
        if reply.error == "forbidden" and code == self.code:
            self.code, self._entered, self._sure = "", "", False  # erased, or expired: the next answer begins anew
            self._store()
            self._tell()
        elif reply.ok:
            self._sure = True
            self._store()
            if self._lesson:
                self._write("lesson.open", {"lesson": self._lesson})
            self.refresh()

    def refresh(self) -> None:
        """Ask the server what it keeps."""
        if self.code:
            self._channel().request("progress.get", then=guarded(self._learned))

    def _learned(self, reply: Reply) -> None:
        if not reply.ok:
            return
        from tutor.course.lessons import lesson_of_exercise

        self.lessons, self.due = reply.result["lessons"], int(reply.result["due"])
        for one in reply.result["exercises"]:
            if one["right"] and (lesson := lesson_of_exercise(one["game"], one["exercise"])):
                self._add({lesson: [one["exercise"]]})
        self._tell()

    def reviews(self, most: int, then: Callable[[Reply], object]) -> None:
        """Ask for the reviews that wait.

        Args:
            most: how many at most; then: told of ``cards``, the oldest first, and of ``next``.
        """
        self._channel().request("review.due", {"limit": most}, then)

    def _waits(self) -> bool:
        """Whether what the browser remembers, a code perhaps, has yet to be read: a reader may answer before."""
        return not course_page().ready and self._channel().available

    def _write(self, op: str, args: dict[str, Any]) -> None:
        found = self._channel()
        if not found.available:
            return
        if self._waits():
            self._early.append((op, args))
            return
        if not self.code:
            self.code = self._entered = found.new_learner(guarded(lambda reply: self._made(reply)))
            if self._lesson:
                found.write("lesson.open", {"lesson": self._lesson})
        found.write(op, args, guarded(partial(self._written, self.code)))

    def _written(self, code: str, reply: Reply) -> None:
        if reply.error == "forbidden" and code == self.code:  # erased from another tab: the next answer begins anew
            self._lose()

    def _made(self, reply: Reply) -> None:
        if reply.ok:
            self._sure = True
            self._store()
        self._tell()

    # -- what the reader does -------------------------------------------------------------------------------------

    def opened(self, lesson: str) -> None:
        """A lesson is on the page; kept once the reader has a code."""
        self._lesson = lesson
        if self.code and self._entered:
            self._write("lesson.open", {"lesson": lesson})

    def attempt(self, made: Attempt, of: Iterable[str] = ()) -> None:
        """An answer was given.

        Args:
            made: the answer; of: all exercises of its lesson, which is finished once they are done.
        """
        if made.right and made.lesson:
            self._add({made.lesson: [made.exercise]})
        args = {
            "game": made.game,
            "lesson": made.lesson,
            "exercise": made.exercise,
            "ok": made.right,
            "answer": made.answer,
            "rules": list(made.rules),
            "missed": list(made.missed),
            "variant": made.variant,
        }
        self._write("attempt.add", args)
        ids = set(of)
        if made.right and ids and ids <= set(self.done.get(made.lesson, ())):
            self._write("lesson.finish", {"lesson": made.lesson})
        self._store()
        self._tell()

    def known(self, lesson: str) -> None:
        """A lesson that the reader's test shows he knows."""
        self._write("lesson.finish", {"lesson": lesson})

    def take_up(self, code: str, then: Callable[[Reply], object]) -> None:
        """Continue under a code typed here.

        Args:
            code: as typed; then: told what came of it.
        """

        def answered(reply: Reply) -> None:
            if reply.ok:
                self.code = self._entered = code
                self.done.clear()
                self._resumed(code, reply)
            then(reply)

        self._channel().resume(code, guarded(answered))

    def erase(self, then: Callable[[Reply], object]) -> None:
        """Erase everything kept of this reader, here and on the server."""
        from widgets.channel import Reply

        if not self.code:
            self._forget()
            then(Reply(True))
            return

        def erased(reply: Reply) -> None:
            if reply.ok:
                self._lose()
            then(reply)

        self._channel().write("learner.erase", {}, guarded(erased))

    def _lose(self) -> None:
        """What was kept under the code is no more."""
        self._channel().forget("learner")
        self._forget()

    def _forget(self) -> None:
        self.code, self._entered, self._sure = "", "", False
        self.done, self.lessons, self.due = {}, [], 0
        self._bridge.to_store = _ERASED
        self._tell()


@lru_cache(maxsize=1)
def progress() -> Progress:
    """The reader's progress on this page."""
    return Progress()
