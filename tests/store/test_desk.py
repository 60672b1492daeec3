"""The channel between kernels and the server: who is let in, who may say what, how often, and what tabs hear."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import uuid
from typing import Any

import pytest

from tests.own_loop import in_own_loop
from tests.store.harness import ATTEMPT, CODE, MISSED, ROOT, Follower, kept, kernels, opened, until
from tutor.store.codes import ALPHABET, KEY_LENGTH, RESUME_LENGTH, SESSION_LENGTH, make
from widgets.host.channel import Channel, make_code
from widgets.serving.desk import desk as desk_module
from widgets.serving.desk import keys as desk_keys
from widgets.serving.desk.desk import Desk
from widgets.serving.desk.limits import Bucket, Guesses


class Raw:
    """A client that speaks line by line, as a forger would."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.number = reader, writer, 0

    @classmethod
    async def to(cls, desk: Desk, key: str | None = None) -> Raw:
        host, _, port = desk.address.partition(":")
        made = cls(*await asyncio.open_connection(host, int(port), limit=2**22))
        if key is not None:
            await made.ask("hello", key=key)
        return made

    def send(self, line: bytes) -> None:
        self.writer.write(line + b"\n")

    async def hear(self) -> dict[str, Any] | None:
        """The next message; None once the server has hung up."""
        try:
            line = await asyncio.wait_for(self.reader.readline(), 20)
        except ConnectionError:
            return None
        return json.loads(line) if line else None

    async def ask(self, op: str, mark: str = "", **args: Any) -> dict[str, Any]:
        self.number += 1
        message = {"id": self.number, "op": op, "args": args, **({"uuid": mark} if mark else {})}
        self.send(json.dumps(message).encode())
        while (heard := await self.hear()) is not None:
            if heard.get("id") in (self.number, 0):
                return heard
        raise AssertionError("hung up")


# -- who is let in -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 0, "op": "hello", "args": {"key": "forged"}}',
        b'{"id": 0, "op": "hello", "args": {"key": ""}}',
        b'{"id": 0, "op": "hello", "args": {"key": 12}}',
        b'{"id": 0, "op": "hello", "args": []}',
        b'{"id": 1, "op": "link.get", "args": {"code": "AAAAAAAA"}}',
        b"GET / HTTP/1.1",
        b"[" * 3_000,
        b"\xff\xfe",
        b"x" * 5_000,
    ],
)
def test_without_the_key_nothing_is_answered(on_sqlite: dict[str, str], line: bytes) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            raw = await Raw.to(desk)
            raw.send(line)
            first = await raw.hear()
            assert first is None or first["ok"] is False
            assert await raw.hear() is None

    in_own_loop(play())


def test_a_kernel_without_the_right_key_goes_on_without_a_store(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            channel = Channel(desk.address, "forged")
            reply = await channel.resume(CODE)
            assert (reply.ok, reply.error, channel.status) == (False, "forbidden", "off")
            assert (await channel.write("lesson.open", {"lesson": "x"})).error == "off"

    in_own_loop(play())


def test_without_a_server_everything_goes_on_and_it_is_said() -> None:
    async def play() -> None:
        channel, seen, replies = Channel("", ""), [], []
        channel.on_status(lambda *said: seen.append(said))
        assert channel.new_learner(replies.append)
        channel.subscribe("learner", lambda _: None)()
        assert (await channel.write("lesson.open", {"lesson": "x"})).error == "off"
        assert (await channel.request("progress.get")).error == "off"
        assert [reply.error for reply in replies] == ["off"]
        assert [status for status, _ in seen] == ["off"]
        assert "Rien n’est gardé" in channel.status_text

    in_own_loop(play())


def test_where_no_loop_runs_a_channel_that_is_off_answers_all_the_same() -> None:
    channel, replies = Channel("", ""), []
    assert channel.write("lesson.open", {"lesson": "x"}, replies.append).result().error == "off"
    assert channel.request("progress.get").result().error == "off"
    assert len(channel.new_learner()) == 19
    assert len(replies) == 1


def test_a_line_that_is_senseless_or_too_long_ends_the_connection_alone(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            for line in (b"{", b'{"id": "a", "op": "x"}', b'{"id": 1, "op": 2}', b"[" * 100_000, b"x" * 1_200_000):
                raw = await Raw.to(desk, desk.key)
                raw.send(line)
                assert await raw.hear() is None
            assert (await (await Raw.to(desk, desk.key)).ask("link.get", code="AAAAAAAA"))["error"] == "refused"

    in_own_loop(play())


# -- who may say what --------------------------------------------------------------------------------------------------


def test_a_kernel_speaks_only_for_those_whose_secret_it_presented(env: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 2) as (ana, forger):
                replies: list[Any] = []
                ana.new_learner(replies.append)
                kept(await ana.write("attempt.add", MISSED))
                for op in ("progress.get", "learner.export", "class.list", "server.snapshot"):
                    reply = await forger.request(op, {"learner": 1, "session": 1, "who": {"learner": 1}})
                    assert reply.error == "forbidden", op
                for op in ("attempt.add", "learner.erase", "server.forget"):
                    assert (await forger.write(op, {**ATTEMPT, "learner": 1})).error == "forbidden", op
                for topic in ("learner", "learner/1", "class/1", "class/1/desk", "", "*"):
                    answers: list[Any] = []
                    forger.subscribe(topic, answers.append, answers.append)
                    await until(lambda answers=answers: answers)
                    assert answers[0].error == "forbidden", topic
                assert replies[0].ok

    in_own_loop(play())


def test_wrong_codes_are_limited_for_each_code_and_for_the_server(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            now = [0.0]
            desk.guesses = Guesses(clock=lambda: now[0])
            raw = await Raw.to(desk, desk.key)
            one = make_code()
            said = [await raw.ask("learner.resume", code=one) for _ in range(6)]
            assert [message["error"] for message in said] == ["forbidden"] * 5 + ["slow"]
            other = await Raw.to(desk, desk.key)  # another connection is no way around
            assert (await other.ask("learner.resume", code=one))["error"] == "slow"
            assert (await other.ask("learner.resume", code=make_code()))["error"] == "forbidden"
            errors = [(await other.ask("learner.resume", code=make_code()))["error"] for _ in range(12)]
            assert errors[-1] == "slow"  # this page has had enough, the others have not
            assert (await raw.ask("learner.resume", code=make_code()))["error"] == "forbidden"
            for kernel in range(12):
                many = await Raw.to(desk, desk.admit(f"k{kernel}"))
                join = {"nickname": "Ana", "token": "j" * 24}
                for _ in range(6):
                    reply = await many.ask("class.join", mark=str(uuid.uuid4()), code=make(6), **join)
            assert reply["error"] == "slow"  # the server has had enough of a class's short codes, whoever asks
            other = await Raw.to(desk, desk.admit("other"))
            assert (await other.ask("learner.resume", code=make_code()))["error"] == "forbidden"  # long ones are apart
            now[0] += 301
            raw = await Raw.to(desk, desk.key)
            assert (await raw.ask("learner.resume", code=one))["error"] == "forbidden"

    in_own_loop(play())


def test_somebody_who_typed_a_wrong_code_too_often_is_told(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with kernels(desk) as (ana,):
                replies = [await ana.resume(CODE) for _ in range(6)]
                assert [reply.error for reply in replies] == ["forbidden"] * 5 + ["slow"]
                assert "attendez" in replies[-1].message

    in_own_loop(play())


def test_what_is_no_guess_does_not_lock_a_code(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            raw = await Raw.to(desk, desk.key)
            for _ in range(12):  # not even the form of a code
                assert (await raw.ask("learner.resume", code="K7PM"))["error"] == "refused"
            assert (await raw.ask("learner.resume", code=CODE))["error"] == "forbidden"

    in_own_loop(play())


def test_a_class_behind_one_address_comes_in_at_once(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            with kernels(desk, 40) as channels:
                learners = [channel.new_learner() for channel in channels]
                await until(lambda: all(channel.waiting == 0 for channel in channels))
                replies = await asyncio.gather(*(c.resume(code) for c, code in zip(channels, learners, strict=True)))
                assert len({kept(reply)["learner"] for reply in replies}) == 40

    in_own_loop(play())


def test_a_connection_that_asks_too_often_is_slowed_and_loses_nothing(
    on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_keys, "MESSAGES", (20, 200.0))

    async def play() -> None:
        async with opened(on_sqlite) as desk:
            raw = await Raw.to(desk, desk.key)
            for number in range(1, 101):
                raw.send(json.dumps({"id": number, "op": "link.get", "args": {"code": "AAAAAAAA"}}).encode())
            errors = [(await raw.hear() or {})["error"] for _ in range(100)]
            assert errors.count("slow") > 20
            with kernels(desk) as (ana,):
                ana.new_learner()
                replies = await asyncio.gather(*(ana.write("attempt.add", ATTEMPT) for _ in range(100)))
                assert all(reply.ok for reply in replies)
                assert len({kept(reply)["attempt"] for reply in replies}) == 100

    in_own_loop(play())


def test_a_client_that_does_not_read_is_cut_off(on_sqlite: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "MOST_UNREAD", 50_000)

    async def play() -> None:
        async with opened(on_sqlite) as desk:
            await Raw.to(desk, desk.key)
            [connection] = desk.connections
            for _ in range(400):
                desk.topics["t"] = {connection}
                desk.publish("t", "x" * 60_000)
                await asyncio.sleep(0)
            await until(lambda: not desk.connections)

    in_own_loop(play())


@pytest.mark.parametrize("mark", ["", "x", "00000000-0000-0000-0000-00000000000g", 12, None])
def test_a_write_needs_a_uuid(on_sqlite: dict[str, str], mark: Any) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            raw = await Raw.to(desk, desk.key)
            raw.send(
                json.dumps({"id": 7, "op": "link.make", "uuid": mark, "args": {"kind": "x", "target": "/"}}).encode()
            )
            assert (await raw.hear() or {})["error"] == "refused"

    in_own_loop(play())


# -- tabs --------------------------------------------------------------------------------------------------------------


def test_two_tabs_of_one_learner_are_one_learner(env: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk, 2) as (first, second):
                answers: list[Any] = []
                code = first.new_learner(answers.append)
                await until(lambda: answers)
                kept(await second.resume(code.lower().replace("-", " ")))
                heard = Follower()
                second.subscribe("learner", heard)
                await until(lambda: heard.payloads)
                both = [tab.write("attempt.add", MISSED) for tab in (first, second) for _ in range(10)]
                opening = [tab.write("lesson.open", {"lesson": "a"}) for tab in (first, second)]
                assert all(reply.ok for reply in await asyncio.gather(*both, *opening))
                for tab in (first, second):
                    progress = kept(await tab.request("progress.get"))
                    assert progress["exercises"][0]["tries"] == 20
                    assert progress["mistakes"][0]["count"] == 20
                    assert len(progress["lessons"]) == 1
                assert {payload["changed"] for payload in heard.payloads[1:]} == {"attempt.add", "lesson.open"}
                kept(await first.write("learner.erase"))
                assert (await second.write("attempt.add", ATTEMPT)).error == "forbidden"

    in_own_loop(play())


def test_a_read_sees_what_the_same_kernel_wrote_before(env: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(env) as desk:
            with kernels(desk) as (ana,):
                ana.new_learner()
                for number in range(1, 11):
                    ana.write("attempt.add", ATTEMPT)
                    listed = kept(await ana.request("attempts.list"))
                    assert len(listed["attempts"]) == number

    in_own_loop(play())


# -- limits, without a server ------------------------------------------------------------------------------------------


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(3, 2.0, clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    now[0] = 0.5
    assert [bucket.take(), bucket.take()] == [0.0, 0.5]
    now[0] = 1_000.0
    assert [bucket.take() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_guesses_keep_no_more_than_so_many_codes() -> None:
    guesses = Guesses(clock=lambda: 0.0)
    for number in range(Guesses.MOST + 100):
        guesses.failed(number)
    assert len(guesses.each) == Guesses.MOST


# -- what it costs -----------------------------------------------------------------------------------------------------


def test_a_kernel_does_not_load_the_database() -> None:
    code = (
        "import asyncio, sys\nbefore = set(sys.modules)\nimport widgets.host.channel\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["widgets"]


def test_the_server_listens_before_the_database_and_the_rules_are_loaded() -> None:
    code = "import sys, widgets.serving.desk.desk; print(*(n for n in ('sqlalchemy', 'alembic', 'fsrs', 'pydantic') if n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_environment_of_kernels_has_the_address_of_the_desk_and_no_key(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            lent = {"PATH": os.defpath}
            desk.lend(lent)
            assert lent == {"PATH": os.defpath, "LDV_DESK": desk.address}
            assert desk.address.startswith("127.0.0.1:")

    in_own_loop(play())


# -- each kernel's own key ---------------------------------------------------------------------------------------------


def test_a_kernel_speaks_for_itself_alone_and_no_more_once_it_has_ended(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            one, two = desk.admit("k1"), desk.admit("k2")
            assert (await (raw := await Raw.to(desk, one)).ask("link.get", code="AAAAAAAA"))["error"] == "refused"
            assert [connection.speaker.kernel for connection in desk.connections] == ["k1"]
            for forged in (f"k2.{one.partition('.')[2]}", "k2.", "k2", ".-", "-", ".", two[:-1], "k3." + "x" * 43):
                assert (await (await Raw.to(desk)).ask("hello", key=forged))["error"] == "forbidden", forged
            again = desk.admit("k1")  # started anew
            assert await raw.hear() is None
            assert (await (await Raw.to(desk)).ask("hello", key=one))["error"] == "forbidden"
            raw = await Raw.to(desk, again)
            desk.dismiss("k1")
            assert await raw.hear() is None
            assert (await (await Raw.to(desk)).ask("hello", key=again))["error"] == "forbidden"
            assert (await (await Raw.to(desk, two)).ask("link.get", code="AAAAAAAA"))["error"] == "refused"

    in_own_loop(play())


def test_a_kernel_is_known_by_its_key_whatever_name_it_gives(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            for name in ("n", "k2", ""):  # a confined one does not know its own
                await (await Raw.to(desk)).ask("hello", key=desk.admit("k1"), kernel=name)
                assert {one.speaker.kernel for one in desk.connections} == {"k1"}

    in_own_loop(play())


def test_another_connection_gives_a_kernel_no_new_share(on_sqlite: dict[str, str]) -> None:
    async def play() -> None:
        async with opened(on_sqlite) as desk:
            key, errors = desk.admit("k1"), []
            for _ in range(14):
                raw = await Raw.to(desk, key)
                errors.append((await raw.ask("learner.resume", code=make_code()))["error"])
            assert errors[:10] == ["forbidden"] * 10
            assert errors[-1] == "slow"
            await until(lambda: len(desk.connections) <= desk_keys.MOST_CONNECTIONS)
            key = desk.admit("k1")  # nor does starting anew
            assert (await (await Raw.to(desk, key)).ask("learner.resume", code=make_code()))["error"] == "slow"

    in_own_loop(play())


def test_a_code_is_not_to_be_guessed_in_a_thousand_years() -> None:
    """The whole server's share of wrong codes, all of it used on one learner among a million, without a pause."""
    year = 365.25 * 86_400
    tries = Guesses.LONG[0] + Guesses.LONG[1] * year * 1_000
    assert tries * 1e6 / len(ALPHABET) ** RESUME_LENGTH < 2e-6
    assert tries * 1e3 / len(ALPHABET) ** KEY_LENGTH < 1e-18
    day = Guesses.SHORT[0] + Guesses.SHORT[1] * 86_400  # a class's code opens for an hour: one of a hundred, in a day
    assert day * 100 / len(ALPHABET) ** SESSION_LENGTH < 0.02
