"""Two servers, one PostgreSQL, nginx as it is shipped: a class spreads over them, and neither death nor leaving cuts it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tornado.httpclient import AsyncHTTPClient

from tests.browser.harness import ROOT, Server, start_server
from tests.deploy.harness import PATIENCE, Learner, Nginx, until, until_ready
from tests.own_loop import in_own_loop
from tests.store.harness import Follower, kept, kernels, opened, teacher_key
from widgets.host.channel import Channel

#: Learners of the class; forty are `make load`'s.
LEARNERS = 8


class Site:
    """nginx, two servers and their database.

    Args:
        nginx: not started yet.
        env: where the database is.
        folder: for logs and the shared secret.
        pool: kernels that each server prepares, as `LDV_POOL` has them.
    """

    def __init__(self, nginx: Nginx, env: dict[str, str], folder: Path, pool: str) -> None:
        self.nginx, self.env = nginx, env
        secret = folder / "secret"
        secret.write_text("x" * 48, encoding="utf-8")
        shared = {
            **env,
            "LDV_SECRET_FILE": str(secret),
            "LDV_PUBLIC_URL": nginx.url,
            "LDV_DRAIN": "3600",
            "LDV_POOL": pool,
        }
        self.servers: list[Server] = []
        try:
            for name in ("a", "b"):
                log = folder / name / "server.log"
                log.parent.mkdir()
                self.servers.append(start_server(log, notebooks=ROOT / "notebooks", env=shared))
            nginx.lead_to(*(server.url.removeprefix("http://") for server in self.servers))
            nginx.start()
        except BaseException:
            self.stop()
            raise

    def readers(self) -> list[int]:
        """How many readers each server has; 0 for one that has gone."""
        return [server.health()["readers"] if server.process.poll() is None else 0 for server in self.servers]

    def prepared(self) -> list[int]:
        """How many kernels each server has ready."""
        said = [server.health() for server in self.servers]
        return [health["kernels"] - health["readers"] for health in said]

    def stop(self) -> None:
        """End everything."""
        self.nginx.stop()
        for server in self.servers:
            server.stop()

    def teacher_key(self) -> str:
        """A teacher's key."""
        return teacher_key(self.env)

    def answers(self) -> dict[str, set[str]]:
        """What the database holds: the answers of each learner, by nickname."""
        asked = "SELECT nickname, answer FROM answers JOIN participants ON participants.id = answers.participant_id"
        kept: dict[str, set[str]] = {}
        with psycopg.connect(self.env["LDV_DATABASE_URL"]) as db:
            for nickname, answer in db.execute(asked):
                kept.setdefault(nickname, set()).add(json.loads(answer))
        return kept


@pytest.fixture
def site(
    nginx_program: str, on_postgres: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Site]:
    """Two servers behind nginx; they prepare no kernel unless the test says so."""
    (tmp_path / "nginx").mkdir()
    made = Site(Nginx(nginx_program, tmp_path / "nginx"), on_postgres, tmp_path, getattr(request, "param", "0"))
    yield made
    made.stop()


class Teacher:
    """A teacher, on a server of his own that shares the database."""

    def __init__(self, channel: Channel) -> None:
        self.channel, self.seen = channel, Follower()

    async def open(self, key: str) -> str:
        """Open a session; its code."""
        kept(await self.channel.teach(key))
        session = kept(await self.channel.write("class.open", {"title": "Mardi"}))
        self.session = session["session"]
        self.channel.subscribe(f"class/{self.session}/desk", self.seen)
        await until(lambda: self.seen.payloads)
        return str(session["code"])

    async def ask(self, title: str) -> None:
        """Put a question on every screen."""
        body = {"form": "choice", "title": title, "choices": ["Oui", "Non", "Peut-être"]}
        kept(await self.channel.write("class.push", {"session": self.session, "kind": "question", "body": body}))

    @property
    def answered(self) -> int:
        """How many answered what is on the screens."""
        return int(self.seen.last["answered"])

    def online(self) -> set[str]:
        """Who is there."""
        return {one["nickname"] for one in self.seen.last["participants"] if one["online"]}


def cut(learners: list[Learner]) -> list[Learner]:
    """Those who have lost their server, back already or not."""
    return [learner for learner in learners if learner.returns or learner.page.code is not None]


def lose_a_server(site: Site, count: int, prepared: int) -> tuple[float, list[float]]:
    """A class over two servers, of which one is killed while answers come in: none is lost, and everybody comes back.

    Args:
        site: each server of which keeps kernels of the class ready.
        count: learners at least.
        prepared: kernels that a server must have ready before the other is killed.

    Returns:
        seconds until all had come, and until each learner of the killed server was back, sorted.
    """

    async def play() -> tuple[float, list[float]]:
        AsyncHTTPClient.configure(None, max_clients=4 * count)
        await until_ready(site.nginx)
        async with opened(site.env) as desk:
            with kernels(desk) as (channel,):
                teacher = Teacher(channel)
                code = await teacher.open(site.teacher_key())
                learners = [Learner(site.nginx, code, number) for number in range(count)]
                began = time.monotonic()
                await asyncio.gather(*(learner.come() for learner in learners))
                came = time.monotonic() - began
                while min(site.readers()) < 2:  # few of them may all be on one server
                    learners.append(Learner(site.nginx, code, len(learners)))
                    await learners[-1].come()
                spread = site.readers()
                assert sum(spread) == len(learners)
                await teacher.ask("Première")
                await asyncio.gather(*(learner.stay("Première", "Oui") for learner in learners))
                await until(lambda: teacher.answered == len(learners))

                await until(lambda: site.prepared()[1] >= prepared, f"rien de prêt : {site.prepared()}")
                await teacher.ask("Seconde")
                answering = [asyncio.ensure_future(learner.stay("Seconde", "Non")) for learner in learners]
                await until(lambda: any("Seconde" in learner.acknowledged for learner in learners))
                killed = time.monotonic()
                os.kill(site.servers[0].process.pid, signal.SIGKILL)
                there = {learner.nickname for learner in learners if learner.page.code is None}
                await asyncio.gather(*answering)
                await until(lambda: len(cut(learners)) == spread[0], "some have not heard that their server is gone")
                # those who had been acknowledged come back too, to the answer that they gave
                await asyncio.gather(*(stays(learner, killed) for learner in learners))
                site.servers[0].process.wait()
                moved = [learner for learner in learners if learner.returns]
                delays = sorted(learner.back - killed for learner in moved)
                assert len(moved) == spread[0], (len(moved), spread)
                await until(lambda: site.readers()[1] >= len(learners))
                await until(lambda: teacher.answered == len(learners), f"{teacher.answered} réponses")
                await until(lambda: teacher.online() == there)
                stored = site.answers()
                assert all(stored[learner.nickname] == {"Oui", "Non"} for learner in learners)
                for learner in learners:
                    learner.page.close()
                return came, delays

    async def stays(learner: Learner, killed: float) -> None:
        """Wait until a learner is in the class again, if he was on the server that died."""
        while learner.page.code is not None or not learner.inside:
            if learner.page.code is not None:
                await learner.away()
                await learner.come()
            else:
                await learner.page.wait(0.5)

    return in_own_loop(play(), PATIENCE)


@pytest.mark.parametrize("site", [f"classe.ipynb:{LEARNERS // 2}"], indirect=True, ids=["prepared"])
def test_a_killed_server_loses_no_answer_and_its_learners_come_back(site: Site) -> None:
    lose_a_server(site, LEARNERS, LEARNERS // 2)


def test_a_server_that_leaves_cuts_nobody_then_sends_the_last_ones_elsewhere(site: Site) -> None:
    async def play() -> None:
        AsyncHTTPClient.configure(None, max_clients=4 * LEARNERS)
        await until_ready(site.nginx)
        leaving, staying = site.servers
        async with opened(site.env) as desk:
            with kernels(desk) as (channel,):
                teacher = Teacher(channel)
                code = await teacher.open(site.teacher_key())
                learners: list[Learner] = []
                while min(site.readers()) < 2:
                    more = [Learner(site.nginx, code, len(learners) + number) for number in range(4)]
                    await asyncio.gather(*(learner.come() for learner in more))
                    learners += more
                before = site.readers()
                leaving.process.send_signal(signal.SIGUSR1)
                await until(lambda: leaving.health()["status"] == "draining")
                late = [Learner(site.nginx, code, 50 + number) for number in range(4)]
                await asyncio.gather(*(learner.come() for learner in late))
                assert site.readers() == [before[0], before[1] + len(late)]  # who comes is on the other server
                await teacher.ask("Première")
                await asyncio.gather(*(learner.stay("Première", "Oui") for learner in (*learners, *late)))
                assert not any(learner.returns for learner in learners)  # who is there has seen nothing of it

                leaving.process.send_signal(signal.SIGTERM)  # the limit does the same, later
                everyone = len(learners) + len(late)
                assert await asyncio.to_thread(leaving.process.wait, 60) == 0
                await until(lambda: sum(learner.page.code is not None for learner in learners) == before[0])
                moving = [learner for learner in learners if learner.page.code is not None]
                assert [learner.page.code for learner in moving] == [1012] * before[0]  # told, not cut
                await asyncio.gather(*(learner.away() for learner in moving))
                await asyncio.gather(*(learner.come() for learner in moving))
                assert staying.health()["readers"] == everyone
                await until(lambda: len(teacher.online()) == everyone)
                await asyncio.gather(*(learner.stay("Première", "Oui") for learner in moving))  # as they had left it
                assert teacher.answered == everyone
                for learner in (*learners, *late):
                    learner.page.close()

    in_own_loop(play(), PATIENCE)
