"""What a reader has done, kept by the server under a code that his browser holds;
without a server, in the browser alone.

No account: the first answer worth keeping makes a resume code. The browser remembers the code and, as before, the
exercises done, so that a page shows them even while the server cannot be reached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from widgets.board.bridge import Bridge
from widgets.board.errors import guarded
from widgets.host.course_page import CoursePage

if TYPE_CHECKING:
    from widgets.host.channel import Channel, Reply

#: What the browser remembers once everything is erased.
_ERASED = "{}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer to an exercise, as it is kept.

    Args:
        game: game id.
        lesson: its id, "" outside a lesson.
        exercise: its id.
        right: whether it was.
        answer: what was given, as JSON can hold it.
        rules: that the exercise trains.
        missed: to read again, by the diagnosis.
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


class Host(Protocol):
    """What progress needs of the page that it is shown on; :class:`widgets.host.page.Page` is one."""

    bridge: Bridge
    course: CoursePage

    @property
    def channel(self) -> Channel: ...


class Progress:
    """The reader's progress, as far as its page knows; use ``Page.progress``.

    ``done``: lesson -> exercises solved; ``answers``: lesson -> what its questions were answered, which the browser alone
    remembers; ``lessons``: what the server keeps of each, newest first; ``due``: reviews
    that wait; ``code``: the resume code, "" before there is one.

    >>> Progress.read('{"done": {"cc-04-ldv": ["cc-04-voit"]}, "code": "ABCD"}')
    ({'cc-04-ldv': ['cc-04-voit']}, 'ABCD')
    >>> Progress.read("abîmé")
    ({}, '')
    """

    def __init__(self, page: Host) -> None:
        self._page, self._bridge = page, page.bridge
        self.done: dict[str, list[str]] = {}
        self.answers: dict[str, dict[str, list[Any]]] = {}
        self.lessons: list[dict[str, Any]] = []
        self.due = 0
        self.code = ""
        self._entered = ""
        self._sure = self._watched = self._greeted = False
        #: Whether what the browser remembers was read.
        self.loaded = False
        #: Whether something was answered before what the browser remembers was read.
        self._unkept = False
        self._changed: list[Callable[[], None]] = []
        self._lesson = ""
        self._placed: dict[str, Any] = {}
        self._early: list[tuple[str, dict[str, Any]]] = []
        self._bridge.observe(guarded(lambda _: self._load()), "stored")
        page.course.observe(guarded(lambda _: self._load()), "ready")

    @staticmethod
    def read(text: str) -> tuple[dict[str, list[str]], str]:
        """Exercises done and resume code in a stored text; anything unreadable is nothing."""
        data = _read(text)
        done, code = data.get("done"), data.get("code")
        lessons = done if isinstance(done, dict) else {}
        by_lesson = {str(k): [str(i) for i in v] for k, v in lessons.items() if isinstance(v, list)}
        return by_lesson, code if isinstance(code, str) and len(code) <= 40 else ""

    @staticmethod
    def read_answers(text: str) -> dict[str, dict[str, list[Any]]]:
        """Answers to the questions of lessons in a stored text; anything unreadable is nothing.

        >>> Progress.read_answers('{"answers": {"cc-04-ldv": {"lisiere": ["right", 1], "route": 3}}}')
        {'cc-04-ldv': {'lisiere': ['right', 1]}}
        """
        lessons = _read(text).get("answers")
        given = lessons.items() if isinstance(lessons, dict) else ()
        return {
            str(lesson): {str(question): made for question, made in answers.items() if isinstance(made, list)}
            for lesson, answers in given
            if isinstance(answers, dict)
        }

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call when more is known."""
        self._changed.append(listener)

    # -- what is known --------------------------------------------------------------------------------------------

    def _load(self) -> None:
        """Read what the browser remembers: once the whole page is there, or what is told of it is lost on the way."""
        if not self._page.course.ready:
            return
        if self.code and self._bridge.stored == _ERASED:  # from another tab
            self._lose()
            return
        self.loaded = True
        done, code = self.read(self._bridge.stored)
        self._add(done)
        self._add_answers(self.read_answers(self._bridge.stored))
        if code and not self.code:
            self.code, self._sure = code, True
        if self.code and self._entered != self.code:
            self._enter(self.code)
        early, self._early = self._early, []
        for op, args in early:
            self._write(op, args)
        if early or self._unkept:
            self._store()
        self._notify()

    def _add_answers(self, stored: dict[str, dict[str, list[Any]]]) -> None:
        """Know what another visit, or another tab, has answered; what was answered here meanwhile stays."""
        here, self.answers = self.answers, stored
        for lesson, answers in here.items():
            self.answers.setdefault(lesson, {}).update(answers)

    def _add(self, done: dict[str, list[str]]) -> None:
        for lesson, ids in done.items():
            known = self.done.setdefault(lesson, [])
            known += [i for i in ids if i not in known]

    def _notify(self) -> None:
        for listener in self._changed:
            listener()

    def _store(self) -> None:
        """Have the browser remember; a code only once the server knows it, nothing before what it remembers is read."""
        if self._waits():
            return
        self._unkept = False
        kept = {"done": self.done, "code": self.code if self._sure else ""}
        answers = {"answers": self.answers} if self.answers else {}
        self._bridge.to_store = json.dumps({**kept, **answers}, ensure_ascii=False)

    # -- the server -----------------------------------------------------------------------------------------------

    def _channel(self) -> Channel:
        """The way to the server's store; where there is none, it answers so at once."""
        way = self._page.channel
        if way.available and not self._watched:
            self._watched = True
            way.on_status(lambda _, text: setattr(self._page.course, "kept", text))
        return way

    def _enter(self, code: str) -> None:
        self._entered = code
        self._channel().resume(code, guarded(lambda reply: self._resumed(code, reply)))

    def _resumed(self, code: str, reply: Reply) -> None:
        if reply.error == "forbidden" and code == self.code:
            self.code, self._entered, self._sure = "", "", False  # erased, or expired: the next answer begins anew
            self._store()
            self._notify()
        elif reply.ok:
            self._sure = self._greeted = True
            self._store()
            if self._lesson:
                self._write("lesson.open", {"lesson": self._lesson})
            if self._placed:
                self._write("lesson.place", self._placed)
            self.refresh()

    def refresh(self) -> None:
        """Ask the server what it keeps."""
        if self.code:
            self._channel().request("progress.get", then=guarded(self._learned), late=lambda why: None)

    def _learned(self, reply: Reply) -> None:
        if not reply.ok:
            return
        from tutor.course.lessons import lesson_of_exercise

        self.lessons, self.due = reply.result["lessons"], int(reply.result["due"])
        for one in reply.result["exercises"]:
            if one["right"] and (lesson := lesson_of_exercise(one["game"], one["exercise"])):
                self._add({lesson: [one["exercise"]]})
        self._notify()

    def reviews(self, most: int, then: Callable[[Reply], object], late: Callable[[str], object]) -> None:
        """Ask for the reviews that wait.

        Args:
            most: how many at most.
            then: told of ``cards``, the oldest first, and of ``next``.
            late: told once, and why, when there is no answer yet.
        """
        self._channel().request("review.due", {"limit": most}, then, late)

    def _waits(self) -> bool:
        """Whether what the browser remembers, a code perhaps, has yet to be read: a reader may answer before."""
        return not self._page.course.ready and self._channel().available

    def _write(self, op: str, args: dict[str, Any]) -> None:
        channel = self._channel()
        if not channel.available:
            return
        if self._waits():
            self._early.append((op, args))
            return
        if not self.code:
            self.code = self._entered = channel.new_learner(guarded(lambda reply: self._made(reply)))
            if self._lesson:
                channel.write("lesson.open", {"lesson": self._lesson})
        channel.write(op, args, guarded(partial(self._written, self.code)))

    def _written(self, code: str, reply: Reply) -> None:
        if reply.error == "forbidden" and code == self.code:  # erased from another tab: the next answer begins anew
            self._lose()

    def _made(self, reply: Reply) -> None:
        if reply.ok:
            self._sure = self._greeted = True
            self._store()
            if self._placed:
                self._write("lesson.place", self._placed)
        self._notify()

    # -- what the reader does -------------------------------------------------------------------------------------

    def opened(self, lesson: str) -> None:
        """A lesson is on the page; kept once the reader has a code."""
        self._lesson = lesson
        if self.code and self._entered:
            self._write("lesson.open", {"lesson": lesson})

    def placed(self, lesson: str, place: Mapping[str, Any]) -> None:
        """The reader is at a scene of a lesson; kept once he has a code."""
        self._placed = {"lesson": lesson, "place": dict(place)}
        if self._sure and self.code:
            self._write("lesson.place", self._placed)

    def attempt(self, made: Attempt, of: Iterable[str] = ()) -> None:
        """An answer was given.

        Args:
            made: the answer.
            of: all exercises of its lesson, which is finished once they are done.
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
        self._notify()

    def plan(self, game: str, rules: Sequence[str], days: int) -> bool:
        """Rules are to come back in some days, unless they are to already; whether there is a server to keep it."""
        for rule in rules:
            self._write("review.plan", {"game": game, "rule": rule, "days": days})
        return self._channel().available

    def answered(self, lesson: str, question: str, made: list[Any]) -> None:
        """A question of a lesson was answered: the browser remembers it.

        Args:
            lesson: id.
            question: its id within the lesson.
            made: how, as JSON can hold it.
        """
        self.answers.setdefault(lesson, {})[question] = made
        self._unkept = True
        self._store()

    def known(self, lesson: str) -> None:
        """A lesson that the reader's test shows he knows."""
        self._write("lesson.finish", {"lesson": lesson})

    def take_up(self, code: str, then: Callable[[Reply], object], late: Callable[[str], object]) -> None:
        """Continue under a code typed here.

        Args:
            code: as typed.
            then: told what came of it.
            late: told once, and why, when that has to wait.
        """

        def answered(reply: Reply) -> None:
            if reply.ok:
                self.code = self._entered = code
                self.done.clear()
                self.answers.clear()
                self._resumed(code, reply)
            then(reply)

        self._channel().resume(code, guarded(answered), guarded(late))

    def erase(self, then: Callable[[Reply], object], late: Callable[[str], object]) -> None:
        """Erase everything kept of this reader, here and on the server.

        Args:
            then: told what came of it.
            late: told once, and why, when that has to wait.
        """
        from widgets.host.channel import Reply

        if not self.code:
            self._forget()
            then(Reply(True))
            return

        def erased(reply: Reply) -> None:
            if reply.ok:
                self._lose()
            then(reply)

        def waits(why: str) -> None:
            if self._greeted:  # the server has heard who asks, and will erase though this page be left
                self._bridge.to_store = _ERASED
            late(why)

        self._channel().write("learner.erase", {}, guarded(erased), guarded(waits))

    def _lose(self) -> None:
        """What was kept under the code is no more."""
        self._channel().forget("learner")
        self._forget()

    def _forget(self) -> None:
        self.code, self._entered, self._sure = "", "", False
        self.done, self.answers, self.lessons, self.due = {}, {}, [], 0
        self._bridge.to_store = _ERASED
        self._page.course.place, self._page.course.last = "-", ""  # the scene that he read last, too
        self._notify()


def _read(text: str) -> dict[str, Any]:
    """What a stored text holds; nothing when it cannot be read."""
    try:
        data: Any = json.loads(text or "{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
