"""A class arrives at once, with or without places prepared for it. Run by `make load`; figures, never limits, of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bench.measures import Measure
from tests.browser.harness import Server
from tests.load.conftest import own_mebibytes, play, share
from tests.load.reader import Reader, has
from tests.load.teaching import open_session
from tutor.course.links import Link

LESSON = Link("lesson", "combat_commander", slug="03-ldv-terrain-plat").url
#: Seconds until half of so many readers have a usable page, as wished on two quiet cores.
WISHED = {30: 4.0, 60: 8.0}
WISHED_PREPARED = {30: 0.5, 60: 1.0}


async def arrivals(readers: list[Reader], widget: str, **values: object) -> list[float]:
    """Seconds until each of these had a usable page, sorted; all arrive at once."""
    return sorted(await asyncio.gather(*(reader.arrive(has(widget, **values)) for reader in readers)))


def measures(waits: list[float], wished: float | None) -> list[Measure]:
    return [
        Measure("page utilisable, médiane", share(waits, 0.5), "s", target=wished),
        Measure("page utilisable, dernier", waits[-1], "s"),
    ]


@pytest.mark.parametrize("count", [30, 60, 100])
def test_readers_arrive_at_once(count: int, serve: Callable[..., Server], say: Callable[..., None]) -> None:
    server = serve(LDV_POOL=0, LDV_MAX_KERNELS=count + 1)
    play(arrivals([Reader(server, LESSON)], "CanvasModel"))  # the server has begun to serve: all is imported
    readers = [Reader(server, LESSON) for _ in range(count)]
    waits = play(arrivals(readers, "CanvasModel"))
    assert len({reader.kernel for reader in readers}) == count
    ranks = [reader.rank for reader in readers if reader.rank]
    assert len(ranks) >= count // 2  # those who wait are told their place
    assert server.health()["readers"] == count + 1
    own = Measure("mémoire propre d’un noyau", own_mebibytes(server), "Mio")
    say(f"{count} lecteurs à la fois, sans préparation", *measures(waits, WISHED.get(count)), own)


@pytest.mark.parametrize("count", [30, 60])
def test_a_class_arrives_where_it_is_expected(
    count: int, serve: Callable[..., Server], key: str, say: Callable[..., None]
) -> None:
    server = serve(LDV_POOL=0, LDV_MAX_KERNELS=2 * count + 2)
    teacher, code = play(open_session(server, key, count))
    server.wait_for(lambda seen: seen["kernels"] == count + 1, seconds=240)
    readers = [Reader(server, Link(classroom=code).url) for _ in range(count)]
    waits = play(arrivals(readers, "ButtonModel", description="Rejoindre"))
    assert len({reader.kernel for reader in readers} | {teacher.kernel}) == count + 1
    assert [reader.rank for reader in readers] == [0] * count  # nobody had to wait on a page
    say(f"{count} élèves attendus, à la fois", *measures(waits, WISHED_PREPARED[count]))
