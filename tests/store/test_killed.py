"""The server killed (SIGKILL) under load: what was acknowledged is there, and what is sent again counts once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.own_loop import in_own_loop
from tests.store.harness import ATTEMPT, ROOT, kept, opened, until
from widgets.host.channel import Channel

LEARNERS, BEFORE = 6, 300


@contextmanager
def served(env: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A desk in another process: the process, its address and its key."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.killed"],
        cwd=ROOT,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        address, key = json.loads(process.stdout.readline())
        yield process, address, key
    finally:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


def test_no_acknowledged_answer_is_lost(env: dict[str, str]) -> None:
    acknowledged: dict[str, list[int]] = {}

    async def play(process: subprocess.Popen[str], address: str, key: str) -> None:
        channels = [Channel(address, key) for _ in range(LEARNERS)]
        codes = [channel.new_learner() for channel in channels]
        acknowledged.update({code: [] for code in codes})

        def answer(channel: Channel, code: str, number: int) -> None:
            def then(reply: object) -> None:
                acknowledged[code].append(number)
                answer(channel, code, number + 8)

            channel.write("attempt.add", {**ATTEMPT, "answer": number}, then)

        for channel, code in zip(channels, codes, strict=True):
            for number in range(8):
                answer(channel, code, number)
        await until(lambda: sum(map(len, acknowledged.values())) >= BEFORE)
        process.send_signal(signal.SIGKILL)
        await asyncio.sleep(0.3)  # what was on its way has come
        for channel in channels:
            channel.close()

    with served(env) as (process, address, key):
        in_own_loop(play(process, address, key))
    assert process.returncode == -signal.SIGKILL

    async def look() -> None:
        async with opened(env) as desk:
            for code, numbers in acknowledged.items():
                channel = Channel(desk.address, desk.key)
                kept(await channel.resume(code))
                attempts = kept(await channel.request("attempts.list", {"limit": 20_000}))["attempts"]
                answers = [attempt["answer"] for attempt in attempts]
                assert set(numbers) <= set(answers)
                assert len(set(answers)) == len(answers)
                channel.close()

    in_own_loop(look())
    assert sum(map(len, acknowledged.values())) >= BEFORE
