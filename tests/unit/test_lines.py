"""Lines between pages and kernels: what counts as something done, who is gone, which page rests, what is heard twice."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.own_loop import in_own_loop
from tests.store.harness import until
from widgets.board.once import MOST, Once
from widgets.serving import lines as module
from widgets.serving.idle import PATIENCE, WHEN_FULL, Rest
from widgets.serving.kernels import ReaderKernelManager
from widgets.serving.lines import RESTS, Lines

SIGN = b'...{"method":"custom","content":{"type":"ping"}}...'
HERE = b'...{"method":"custom","content":{"type":"here"}}...'


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Line:
    """A page's websocket."""

    def __init__(self) -> None:
        self.closed: list[tuple[int, str]] = []

    def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))


class Manager:
    """A manager of kernels."""

    def __init__(self, *kernels: str) -> None:
        self.kernels = list(kernels)

    def list_kernel_ids(self) -> list[str]:
        return list(self.kernels)

    async def shutdown_kernel(self, kernel_id: str, now: bool) -> None:
        assert now
        self.kernels.remove(kernel_id)


def test_a_sign_of_life_is_nothing_done() -> None:
    clock = Clock()
    lines = Lines(lambda kernel, gone: None, clock)
    assert lines.idle("a") == 0.0
    lines.opened("a", Line())
    clock.now = 50.0
    lines.heard("a", SIGN)
    assert lines.idle("a") == 50.0
    lines.heard("a", HERE)
    assert lines.idle("a") == 0.0
    clock.now = 60.0
    lines.heard("a", SIGN + bytes(module.LONGEST_SIGN))  # a message that only contains the words of one
    assert lines.idle("a") == 0.0


def test_a_reader_is_gone_a_little_after_his_line_and_back_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.05)

    async def play() -> None:
        said: list[tuple[str, bool]] = []
        lines = Lines(lambda kernel, gone: said.append((kernel, gone)))
        first, second = Line(), Line()
        lines.opened("a", first)
        lines.opened("a", second)  # the page is back before the server has missed it
        lines.closed("a", first)
        lines.closed("a", first)
        await asyncio.sleep(0.1)
        assert said == []
        lines.closed("a", second)
        await until(lambda: said == [("a", True)])
        lines.opened("a", first)
        assert said == [("a", True), ("a", False)]
        lines.closed("a", first)
        lines.forget("a")  # its kernel has ended: whoever asks hears it from the desk
        await asyncio.sleep(0.1)
        assert len(said) == 2

    in_own_loop(play())


@pytest.mark.parametrize(
    ("idle", "follows", "full", "rests"),
    [
        (2_600, False, False, False),
        (2_800, False, False, True),
        (WHEN_FULL - 1, False, True, False),
        (WHEN_FULL + 1, False, True, True),
        (2_800, True, True, False),
        (2_700 * PATIENCE + 1, True, False, True),
    ],
)
def test_a_page_rests_after_its_time(idle: float, follows: bool, full: bool, rests: bool) -> None:
    clock, line, manager = Clock(), Line(), Manager("a", "without a page")
    lines = Lines(lambda kernel, gone: None, clock)
    lines.opened("a", line)
    clock.now = idle
    rest = Rest(manager, lines, 2_700, lambda kernel: follows, lambda: full)
    in_own_loop(rest.look())
    assert manager.kernels == (["without a page"] if rests else ["a", "without a page"])
    assert line.closed == ([(RESTS, "repos")] if rests else [])


def test_zero_means_never() -> None:
    rest = Rest(Manager(), Lines(lambda kernel, gone: None), 0, lambda kernel: False, lambda: True)
    rest.start()  # no loop is needed: nothing is watched
    rest.stop()


def test_what_the_page_says_again_is_done_once() -> None:
    once, done = Once(), []

    def handler(_stream: Any, _ident: Any, message: dict[str, Any]) -> None:
        done.append(message["header"]["msg_id"])

    guarded = once.guard(handler)
    for id_ in ("a", "b", "a", "c"):
        guarded(None, None, {"header": {"msg_id": id_}})
    assert done == ["a", "b", "c"]
    for number in range(MOST):
        once.is_new(str(number))
    assert once.is_new("a")  # what is remembered is bounded


def test_to_close_the_lines_of_whoever_ran_the_cells_waits_for_nothing() -> None:
    """What was said to a kernel that has ended stopped the whole server for up to a second, page after page."""

    async def ask() -> bool:
        manager = ReaderKernelManager()
        kernel_id = await manager.start_kernel(kernel_name="python3")
        kernel = manager.get_kernel(kernel_id)
        client = kernel.client()
        assert client.context is kernel.client().context is not kernel.context
        client.start_channels()
        await manager.end_reader(kernel_id)
        client.stop_channels()
        return bool(client.context.closed)

    assert in_own_loop(ask()) is False
