"""Class sessions as they are lived: state in memory, restored from the store, sent to all who follow.

A change that was committed makes the session be read again (at most ten times a second, and only when it changed);
who is there and where comes from memory alone.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tutor.store.checks import text
from tutor.store.errors import Away, Forbidden, Refused
from tutor.store.who import Who

#: Seconds between two updates of one session, and before the database is asked again when it was away.
PERIOD, RETRY = 0.1, 1.0
FLAGS = ("locked", "revealed", "projector", "leading")
Payload = dict[str, Any]
Read = Callable[[str, Who, Payload], Awaitable[Payload]]
Publish = Callable[[str, Payload], None]


@dataclass
class Presence:
    """Where a participant is.

    Args:
        online: pages that he has open, on this server.
        elsewhere: pages that he has open, by other server.
        where: lesson, exercise and step.
        stuck: on what; "" when he is not.
        since: since when, in seconds since 1970.
    """

    online: int = 0
    elsewhere: dict[str, int] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    stuck: str = ""
    since: float | None = None

    @property
    def here(self) -> bool:
        """Whether he has a page open anywhere."""
        return self.online > 0 or any(self.elsewhere.values())


class Live:
    """One session in memory.

    Args:
        snapshot: as the store gave it.
    """

    def __init__(self, snapshot: Payload) -> None:
        self.number: int = snapshot["id"]
        self.presence: dict[int, Presence] = {}
        self.wanted = self.have = 0  # versions: of the last change committed, of what is known here
        self.moved = False
        self.task: asyncio.Task[None] | None = None
        self.updated = 0.0
        self.shown = self.outage = ""
        self.take(snapshot)

    @property
    def stale(self) -> bool:
        """Whether a change was committed since the store was read."""
        return self.have < self.wanted

    def take(self, snapshot: Payload, version: int = 0) -> None:
        """Replace what is known by what the store said, unless something newer is known already.

        Args:
            snapshot: as the store gave it.
            version: last change committed before it was asked.
        """
        if version < self.have:
            return
        self.have = version
        self.kept = snapshot
        self.people: dict[int, str] = snapshot["people"]
        self.answers: dict[int, Payload] = snapshot["answers"]
        self.presence = {number: presence for number, presence in self.presence.items() if number in self.people}

    def at(self, participant: int) -> Presence:
        """Presence of a participant."""
        return self.presence.setdefault(participant, Presence())

    def may(self, who: Who) -> bool:
        """Whether somebody takes part in this session, or teaches it."""
        return who.participant.get(self.number) in self.people or self.teaches(who)

    def teaches(self, who: Who) -> bool:
        """Whether somebody is this session's teacher."""
        return who.teacher is not None and who.teacher == self.kept["teacher"]

    def distribution(self) -> list[Payload]:
        """How many gave each answer, most frequent first."""
        counted = Counter(
            (json.dumps(given["answer"], ensure_ascii=False), given["ok"]) for given in self.answers.values()
        )
        return [{"answer": json.loads(said), "ok": ok, "count": count} for (said, ok), count in counted.most_common()]

    def screen(self) -> Payload:
        """What every participant may see."""
        state = self.kept["state"]
        push = self.kept["push"]
        if push is not None and isinstance(push["body"], dict) and not state["revealed"]:
            push = {**push, "body": {name: value for name, value in push["body"].items() if name != "secret"}}
        return {
            **{"session": self.number, "code": self.kept["code"], "title": self.kept["title"]},
            **{name: bool(state.get(name)) for name in FLAGS},
            **{"closed": self.kept["closed"] is not None, "push": push, "board": state.get("board")},
            **{"people": len(self.people), "answered": len(self.answers)},
            "distribution": self.distribution() if state["revealed"] else None,
        }

    def desk(self) -> Payload:
        """What the teacher sees: everything."""
        people = [self._person(number, nickname) for number, nickname in self.people.items()]
        return {
            **self.screen(),
            **{"push": self.kept["push"], "distribution": self.distribution(), "participants": people},
            "outage": self.outage,
        }

    def _person(self, number: int, nickname: str) -> Payload:
        at = self.presence.get(number) or Presence()
        return {
            **{"participant": number, "nickname": nickname, "online": at.here, "where": at.where},
            **{"stuck": at.stuck, "stuck_since": at.since, "answer": self.answers.get(number)},
        }


class Classroom:
    """All the sessions that somebody follows on this server.

    Args:
        read: asks the store.
        publish: sends a payload to those who follow a topic.
        moved: told which participants of a session moved, for the other servers.
        evict: sends away from a session's topics whoever takes part no more.
    """

    def __init__(
        self, read: Read, publish: Publish, moved: Callable[[Live, list[int]], None], evict: Callable[[Live], None]
    ) -> None:
        self.read, self.publish, self.moved, self.evict = read, publish, moved, evict
        self.sessions: dict[int, Live] = {}
        self.outage = ""
        self._loading: dict[int, asyncio.Task[Live]] = {}
        #: Changes committed to a session while it is read for the first time: what is read may not have them.
        self._meanwhile: dict[int, int] = {}

    async def get(self, session: int) -> Live:
        """A session, from memory or from the store; what has just been committed is seen.

        Raises:
            Forbidden: when there is none.
            Away: when the database does not answer.
        """
        live = self.sessions.get(session) or await self._loaded(session)
        if live.stale:
            version = live.wanted
            live.take(await self._snapshot(session), version)
        return live

    async def _loaded(self, session: int) -> Live:
        """A session from the store, read once for all who ask meanwhile."""
        if session not in self._loading:
            task = asyncio.ensure_future(self._load(session))
            self._loading[session] = task
            task.add_done_callback(lambda _: self._loading.pop(session, None))
        return await asyncio.shield(self._loading[session])

    async def _load(self, session: int) -> Live:
        self._meanwhile[session] = 0
        try:
            live = Live(await self._snapshot(session))
        finally:
            changes = self._meanwhile.pop(session)
        live.wanted, live.outage = changes, self.outage
        self.sessions[session] = live
        return live

    async def _snapshot(self, session: int) -> Payload:
        snapshot = await self.read("server.snapshot", Who(server=True), {"session": session})
        if not snapshot:
            raise Forbidden("Cette séance n’existe plus.")
        return snapshot

    def drop(self, session: int) -> None:
        """Forget a session that nobody follows any more."""
        live = self.sessions.pop(session, None)
        if live is not None and live.task is not None:
            live.task.cancel()

    # -- changes --------------------------------------------------------------------------------------------------

    def changed(self, sessions: Iterable[int]) -> None:
        """Sessions changed in the store: read them again, soon."""
        for session in sessions:
            if live := self.sessions.get(session):
                live.wanted += 1
                self._wake(live)
            elif session in self._meanwhile:
                self._meanwhile[session] += 1

    def set_outage(self, fault: str) -> None:
        """The database is away, and how; "" once it is back: teachers see it as long as it lasts."""
        self.outage = fault
        for live in self.sessions.values():
            live.outage = fault
            live.moved = True
            self._wake(live)

    def everything_changed(self) -> None:
        """Changes may have been missed: read all again."""
        self.changed([*self.sessions, *self._meanwhile])

    def came(self, live: Live, participant: int, change: int) -> None:
        """A participant opened (+1) or closed (-1) a page."""
        live.at(participant).online += change
        self._move(live, [participant])

    async def where(self, who: Who, args: Payload) -> Payload:
        """A participant says where he is: `session`, `lesson`, `exercise`, `step`, `stuck`.

        Raises:
            Forbidden: when he does not take part.
        """
        number = args.get("session")
        participant = who.participant.get(number, 0) if isinstance(number, int) else 0
        # From memory where it is there, even while the database is away: a call for help waits for nothing.
        live = None
        if participant and isinstance(number, int):
            live = self.sessions.get(number) or await self.get(number)
        if live is None or participant not in live.people:
            raise Forbidden("Vous n’êtes pas dans cette séance.")
        at = live.at(participant)
        at.where = {name: text(args, name, default="") for name in ("lesson", "exercise", "step")}
        stuck = text(args, "stuck", 80, default="")
        if stuck != at.stuck:
            at.stuck, at.since = stuck, time.time() if stuck else None
        self._move(live, [participant])
        return {}

    def moved_elsewhere(self, server: str, session: int, moves: list[Payload]) -> None:
        """Another server says where its participants are."""
        live = self.sessions.get(session)
        if live is None:
            return
        for move in moves:
            at = live.at(move["participant"])
            at.elsewhere[server] = move["online"]
            at.where, at.stuck, at.since = move["where"], move["stuck"], move["since"]
        live.moved = True
        self._wake(live)

    def lost(self, server: str) -> None:
        """Another server is gone, with everyone who was on it."""
        for live in self.sessions.values():
            gone = [at.elsewhere.pop(server, 0) for at in live.presence.values()]
            if any(gone):
                live.moved = True
                self._wake(live)

    def _move(self, live: Live, participants: list[int]) -> None:
        live.moved = True
        self._wake(live)
        self.moved(live, participants)

    # -- updates --------------------------------------------------------------------------------------------------

    def _wake(self, live: Live) -> None:
        if live.task is None or live.task.done():
            live.task = asyncio.ensure_future(self._update(live))

    async def _update(self, live: Live) -> None:
        loop = asyncio.get_running_loop()
        while live.stale or live.moved:
            await asyncio.sleep(max(0.0, live.updated + PERIOD - loop.time()))
            live.updated = loop.time()
            if live.stale and not await self._again(live):
                return
            live.moved = False
            self.evict(live)
            self._show(live)

    async def _again(self, live: Live) -> bool:
        """Read a session again; False once it has been erased."""
        version = live.wanted
        try:
            live.take(await self._snapshot(live.number), version)
            return True
        except Away:
            await asyncio.sleep(RETRY)
            return True
        except Refused:
            pass
        self.sessions.pop(live.number, None)
        for topic in (f"class/{live.number}", f"class/{live.number}/desk"):
            self.publish(topic, {"session": live.number, "erased": True})
        return False

    def _show(self, live: Live) -> None:
        screen = live.screen()
        written = json.dumps(screen, ensure_ascii=False)
        if written != live.shown:
            live.shown = written
            self.publish(f"class/{live.number}", screen)
        self.publish(f"class/{live.number}/desk", live.desk())
