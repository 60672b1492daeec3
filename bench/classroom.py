"""A class of forty for ten minutes: how long until what one does is on the others' screens (`LDV_BENCH_MINUTES`)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.measures import Measure
from tutor.core.registry import GAMES
from widgets.host.channel import Channel

TITLE = "Une classe de quarante : retard de ce que voient les autres"
LONG = True
ROOT = Path(__file__).resolve().parent.parent
LEARNERS, MINUTES = 40, 10.0
TARGET_MS = 2_000.0
#: Seconds between two questions, two places of a learner, two moves of the board; how long the board is led.
QUESTION, PLACE, MOVE, LEADING = 15.0, 5.0, 0.3, 4.0
REST = 10.0
#: Seconds more that a slow machine has, until everyone has been heard.
PATIENCE = 120.0


@dataclass
class Delays:
    """What was seen, and how late, in seconds.

    Args:
        pushes: a question, from the teacher's click to each learner's screen.
        boards: a move of the board, likewise.
        answers: an answer, from the learner's click to the teacher's screen.
        places: where a learner is, likewise.
        sent: how many answers were sent.
    """

    pushes: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    sent: int = 0
    asked: int = 0

    def fewest(self) -> int:
        """How many there are of what there are fewest of."""
        return min(self.sent, len(self.boards), len(self.answers), len(self.places))


@contextmanager
def served(env: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Address and key of a desk in a process of its own."""
    command = [sys.executable, "-m", "bench.desk"]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **env}, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        address, key = json.loads(process.stdout.readline())
        yield address, key
    finally:
        process.terminate()
        process.wait()
        assert process.stdout
        process.stdout.close()


def teacher_key(env: dict[str, str]) -> str:
    """A new teacher's key, made as `ldv teacher create` does."""
    code = "import sys; from tutor.cli import main; sys.exit(main(['teacher', 'create', 'Mesure']))"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, text=True)
    return done.stdout.split(" : ")[1].split()[0]


class Teacher:
    """The teacher: asks, reveals, leads the board, and watches."""

    def __init__(self, channel: Channel, delays: Delays) -> None:
        self.channel, self.delays = channel, delays
        self.seen: dict[int, tuple[Any, Any]] = {}

    async def open(self, key: str) -> str:
        """Open a session; its code."""
        await self.channel.teach(key)
        opened = (await self.channel.write("class.open", {"title": "Mesure"})).result
        self.session: int = opened["session"]
        self.channel.subscribe(f"class/{self.session}/desk", self.watch)
        return str(opened["code"])

    def watch(self, payload: dict[str, Any]) -> None:
        """Note what is new on the teacher's screen."""
        now = time.monotonic()
        for one in payload.get("participants", []):
            answer, place = one["answer"] and one["answer"]["answer"], one["where"].get("step")
            before = self.seen.get(one["participant"], (None, None))
            if answer and answer != before[0]:
                self.delays.answers.append(now - answer["at"])
            if place and place != before[1]:
                self.delays.places.append(now - float(place))
            self.seen[one["participant"]] = (answer, place)

    async def teach(self, going: Callable[[], bool]) -> None:
        """Ask a question, reveal, lead the board; again until the end."""
        while going():
            body = {"at": time.monotonic(), "text": "x" * 2_000}
            await self.channel.write("class.push", {"session": self.session, "kind": "question", "body": body})
            self.delays.asked += 1
            await asyncio.sleep(QUESTION * 0.6)
            await self.channel.write("class.control", {"session": self.session, "revealed": True})
            led = time.monotonic() + LEADING
            while time.monotonic() < led:
                board = {"at": time.monotonic(), "position": "x" * 1_500}
                await self.channel.write("class.control", {"session": self.session, "board": board})
                await asyncio.sleep(MOVE)
            await asyncio.sleep(QUESTION * 0.1)


class Learner:
    """A learner: follows, answers, moves about."""

    def __init__(self, channel: Channel, delays: Delays, number: int) -> None:
        self.channel, self.delays, self.number = channel, delays, number
        self.push = self.board = 0.0
        self.tasks: set[asyncio.Task[None]] = set()

    async def join(self, code: str) -> None:
        """Come in."""
        self.session = (await self.channel.join(code, f"Élève {self.number}")).result["session"]
        self.channel.subscribe(f"class/{self.session}", self.look)

    def look(self, payload: dict[str, Any]) -> None:
        """Note what is new on the screen; answer a question some seconds later."""
        now, push, board = time.monotonic(), payload["push"], payload["board"]
        if push and push["body"]["at"] != self.push:
            self.push = push["body"]["at"]
            self.delays.pushes.append(now - self.push)
            task = asyncio.ensure_future(self.answer(push["id"]))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        if board and board["at"] != self.board:
            self.board = board["at"]
            self.delays.boards.append(now - self.board)

    async def answer(self, push: int) -> None:
        """Answer after a while."""
        await asyncio.sleep(random.uniform(0.1, 0.5) * QUESTION)
        args = {"session": self.session, "push": push, "answer": {"at": time.monotonic()}, "ok": True}
        self.delays.sent += (await self.channel.write("class.answer", args)).ok

    async def wander(self, going: Callable[[], bool]) -> None:
        """Go from step to step."""
        while going():
            place = {
                "session": self.session,
                "lesson": f"{next(iter(GAMES))}/04-tir.ipynb",
                "step": str(time.monotonic()),
            }
            await self.channel.request("class.where", place)
            await asyncio.sleep(random.uniform(0.5, 1.5) * PLACE)


async def classroom(env: dict[str, str], learners: int, seconds: float, key: str) -> Delays:
    """A class for so long.

    Args:
        env: where the database is.
        learners: how many.
        seconds: how long; longer on a machine so slow that not everyone has been heard once.
        key: a teacher's.
    """
    delays = Delays()
    with served(env) as (address, desk_key):
        teacher = Teacher(Channel(address, desk_key), delays)
        code = await teacher.open(key)
        pupils = [Learner(Channel(address, desk_key), delays, number) for number in range(learners)]
        await asyncio.gather(*(pupil.join(code) for pupil in pupils))
        end = time.monotonic() + seconds

        def going() -> bool:
            now = time.monotonic()
            return now < end or (now < end + PATIENCE and delays.fewest() < learners)

        await asyncio.gather(teacher.teach(going), *(pupil.wander(going) for pupil in pupils))
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last and len(delays.pushes) < learners * delays.asked:
            await asyncio.sleep(0.1)
        await asyncio.gather(*(task for pupil in pupils for task in pupil.tasks))
        await asyncio.sleep(1.0)
        for channel in (teacher.channel, *(pupil.channel for pupil in pupils)):
            channel.close()
    return delays


async def at_rest(env: dict[str, str], key: str) -> float:
    """Statements a second that the database sees while a class of forty sits still."""
    from sqlalchemy import event

    from widgets.serving.desk.desk import Desk

    desk = Desk({**os.environ, **env})
    await desk.start()
    teacher = Teacher(Channel(desk.address, desk.key), Delays())
    code = await teacher.open(key)
    pupils = [Learner(Channel(desk.address, desk.key), Delays(), number) for number in range(LEARNERS)]
    await asyncio.gather(*(pupil.join(code) for pupil in pupils))
    await asyncio.sleep(2.0)
    seen: list[str] = []
    event.listen(await desk.librarian.engine(), "before_cursor_execute", lambda *said: seen.append(said[2]))
    await asyncio.sleep(REST)
    for channel in (teacher.channel, *(pupil.channel for pupil in pupils)):
        channel.close()
    await desk.stop()
    return len(seen) / REST


def run() -> Iterator[Measure]:
    """Measure, on SQLite unless `LDV_DATABASE_URL` names a PostgreSQL."""
    seconds = 60 * float(os.environ.get("LDV_BENCH_MINUTES") or MINUTES)
    with tempfile.TemporaryDirectory() as place:
        env = {"LDV_DATA": place}
        key = teacher_key(env)
        delays_of = asyncio.run(classroom(env, LEARNERS, seconds, key))
        kinds = {
            "question, chez chaque élève": delays_of.pushes,
            "plateau mené, chez chaque élève": delays_of.boards,
            "réponse, chez l’enseignant": delays_of.answers,
            "place d’un élève, chez l’enseignant": delays_of.places,
        }
        for label, delays in kinds.items():
            ordered = sorted(delays)
            p95 = ordered[int(0.95 * (len(ordered) - 1))]
            title = f"{label} (p95 de {len(ordered)})"
            yield Measure(title, 1_000 * p95, "ms", 1_000 * median(ordered), "médiane", TARGET_MS)
        yield Measure("lectures de la base au repos, par seconde", asyncio.run(at_rest(env, key)), "/s", target=1.0)
