"""A server as the page of a class knows it: it answers at once, or when a test lets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from widgets.host.channel import Reply
from widgets.host.page import Page
from widgets.pages.opening import follow_class


class FakeChannel:
    """Answers joins and writes at once, and keeps them."""

    available = True

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.observer: Callable[[Any], object] = print
        self.known = {"K7PM2Q"}
        self.mine: list[dict[str, Any]] = []
        self.ended = 0
        self.late: list[Callable[[], object]] | None = None  # when it answers late: what it has yet to say
        self.refused: set[Any] = set()
        self.session = 5

    def join(self, code: str, nickname: str, token: str, then: Callable[[Reply], object], late: Any = None) -> None:
        self.sent.append(("join", {"code": code, "nickname": nickname, "token": token}))
        if code in self.known:
            then(
                Reply(
                    True,
                    {
                        "session": self.session,
                        "participant": 1,
                        "nickname": nickname,
                        "title": "",
                        "token": token or "jeton",
                    },
                )
            )
        else:
            then(Reply(False, error="forbidden", message="Aucune séance ouverte ne porte ce code."))

    def teach(self, key: str, then: Callable[[Reply], object], late: Any = None) -> None:
        then(Reply(key == "clé", {"name": "Mme T."}, message="Cette clé d’enseignant est inconnue."))

    def on_status(self, observer: Callable[[str, str], object]) -> None:
        """Nothing it says ever waits."""

    def new_learner(self, then: Callable[[Reply], object]) -> str:
        return "K7PM-2QX9-ABCD-EFGH"

    def subscribe(self, topic: str, observer: Callable[[Any], object], then: Any = None) -> Callable[[], None]:
        self.observer = observer
        return self._end

    def _end(self) -> None:
        self.ended += 1

    def request(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
        self.sent.append((op, args))
        if then:
            self._say(lambda: then(Reply(True, {"answers": self.mine})))

    def write(self, op: str, args: dict[str, Any], then: Any = None, late: Any = None) -> None:
        self.sent.append((op, args))
        refused = Reply(False, error="refused", message="L’enseignant a fermé les réponses.")
        reply = refused if args.get("answer") in self.refused else Reply(True, {"push": args.get("push"), "tries": 1})
        if then:
            self._say(lambda: then(reply))

    def _say(self, reply: Callable[[], object]) -> None:
        self.late.append(reply) if self.late is not None else reply()

    def last(self, op: str) -> dict[str, Any]:
        """Arguments of the last request of a kind."""
        return next(args for name, args in reversed(self.sent) if name == op)


def following(channel: FakeChannel) -> Page:
    """A page that follows the class of its tab, as every page does when it opens."""
    page = Page(channel)  # type: ignore[arg-type]
    follow_class(page)
    return page
