"""In what order readers come in, and what is kept and prepared for a class. No server is started."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from tests.own_loop import in_own_loop
from tests.unit.test_places import CODE, OTHER, Clock, house, someone
from tests.unit.test_serving import write_notebook
from widgets.serving.arrivals import AHEAD, FORGOTTEN, PATIENT, Arrivals, Gone, LineFull, Turn
from widgets.serving.catalogue import HOME, Catalogue
from widgets.serving.classes import CLASS_PAGE, OpenClasses
from widgets.serving.door import take_ticket
from widgets.serving.places import Places
from widgets.serving.pool import PoolKeeper
from widgets.serving.visitors import class_group

# -- the line ----------------------------------------------------------------------------------------------------------


def line(places: Places | None = None, width: int = 2) -> Arrivals:
    return Arrivals(places or house(60), width)


def played(play: Callable[[], Awaitable[None]]) -> None:
    in_own_loop(play())  # type: ignore[arg-type]


async def going(arrivals: Arrivals, turn: Turn, order: list[int]) -> asyncio.Task[None]:
    """Somebody who waits in his request, and notes when his kernel may start."""

    async def wait() -> None:
        await arrivals.start(turn)
        order.append(turn.number)

    task = asyncio.ensure_future(wait())
    await asyncio.sleep(0)
    return task


def test_so_many_kernels_start_at_a_time() -> None:
    async def play() -> None:
        arrivals, order = line(width=2), list[int]()
        turns = [arrivals.arrive(someone(number), HOME) for number in range(5)]
        for turn in turns:
            await going(arrivals, turn, order)
        assert order == [1, 2]
        arrivals.done(turns[0])
        await asyncio.sleep(0)
        assert order == [1, 2, 3]

    played(play)


def test_kernels_start_in_the_order_of_arrival() -> None:
    async def play() -> None:
        arrivals, order = line(width=1), list[int]()
        turns = [arrivals.arrive(someone(number), HOME) for number in range(5)]
        tasks = [await going(arrivals, turn, order) for turn in turns]
        for rank, turn in enumerate(turns, start=1):
            await tasks[rank - 1]
            assert order == list(range(1, rank + 1))
            arrivals.done(turn)

    played(play)


def test_a_ticket_is_called_before_its_turn_and_comes_back_to_its_rank() -> None:
    async def play() -> None:
        arrivals, order = line(width=1), list[int]()
        first = arrivals.arrive(someone(0), HOME)
        await going(arrivals, first, order)
        waiting = [arrivals.arrive(someone(number), HOME) for number in range(1, 2 + PATIENT)]
        assert [arrivals.long(turn) for turn in waiting] == [False] * PATIENT + [True]
        last = waiting[-1]
        ticket = arrivals.give_ticket(last)
        assert arrivals.turn_of(ticket) is last
        assert (arrivals.before(last), last.called) == (PATIENT, False)
        for turn in waiting[:-1]:
            await going(arrivals, turn, order)
        arrivals.done(first)
        await asyncio.sleep(0)
        arrivals.done(waiting[0])
        await asyncio.sleep(0)
        assert arrivals.before(last) < AHEAD
        assert last.called
        late = arrivals.arrive(someone(90), HOME)
        await going(arrivals, late, order)
        arrivals.come_back(last)
        await going(arrivals, last, order)
        arrivals.done(waiting[1])
        await asyncio.sleep(0)
        arrivals.done(waiting[2])
        await asyncio.sleep(0)
        assert order[-1] == last.number

    played(play)


def test_who_waits_for_a_place_gets_the_one_that_frees_itself() -> None:
    async def play() -> None:
        places = house(1, tickets=3)
        arrivals = line(places)
        first, second, third = (arrivals.arrive(someone(n, f"192.0.2.{n}"), HOME) for n in range(3))
        assert first.place is not None
        assert second.place is None
        arrivals.give_ticket(second)
        arrivals.give_ticket(third)
        assert (arrivals.expected(second), second.called, arrivals.wanting) == (None, False, 2)
        arrivals.skip(first)
        places.leave(first.place)
        assert second.called
        assert third.place is None

    played(play)


def test_a_ticket_that_nobody_asks_about_is_void_and_its_place_free() -> None:
    async def play() -> None:
        clock = Clock()
        places = house(1, clock)
        arrivals = line(places)
        gone = arrivals.arrive(someone(1, "192.0.2.1"), HOME)
        ticket = arrivals.give_ticket(gone)
        there = arrivals.arrive(someone(2, "192.0.2.2"), HOME)
        arrivals.give_ticket(there)
        clock.now += FORGOTTEN
        arrivals.turn_of(there.ticket)
        clock.now += 1
        arrivals.step()
        assert arrivals.turn_of(ticket) is None
        arrivals.step()
        assert there.place is not None

    played(play)


def test_who_hangs_up_leaves_the_line() -> None:
    async def play() -> None:
        arrivals, order = line(width=1), list[int]()
        first, second = arrivals.arrive(someone(1), HOME), arrivals.arrive(someone(2), HOME)
        await going(arrivals, first, order)
        task = await going(arrivals, second, order)
        arrivals.leave(second)
        with pytest.raises(Gone):
            await task
        assert (arrivals.waiting, len(arrivals.places.taken)) == (0, 1)

    played(play)


def test_the_line_has_an_end_for_one_visitor_and_for_all() -> None:
    places = house(1, tickets=6, visitor_places=2, address_places=4)
    arrivals = line(places)
    arrivals.skip(arrivals.arrive(someone(0, "192.0.2.9"), HOME))
    arrivals.arrive(someone(1), HOME)
    arrivals.arrive(someone(1), HOME)
    with pytest.raises(LineFull):
        arrivals.arrive(someone(1), HOME)
    arrivals.arrive(someone(2), HOME)
    arrivals.arrive(someone(3), HOME)
    with pytest.raises(LineFull):
        arrivals.arrive(someone(4), HOME)
    arrivals.arrive(someone(5, "192.0.2.5"), HOME)
    arrivals.arrive(someone(6, "192.0.2.6"), HOME)
    with pytest.raises(LineFull):
        arrivals.arrive(someone(7, "192.0.2.7"), HOME)


def test_kernels_of_the_pool_start_when_no_reader_waits_and_leave_one_core() -> None:
    async def play() -> None:
        arrivals, order = line(), list[int]()
        quiet = [asyncio.ensure_future(arrivals.quiet_turn()) for _ in range(3)]
        await asyncio.sleep(0)
        assert [one.done() for one in quiet] == [True, False, False]
        readers = [arrivals.arrive(someone(number), HOME) for number in range(3)]
        for reader in readers:
            await going(arrivals, reader, order)
        assert order == [1]
        arrivals.quiet_done()
        await asyncio.sleep(0)
        assert not quiet[1].done()  # a reader has that core first
        arrivals.done(readers[0])
        arrivals.done(readers[1])
        arrivals.done(readers[2])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [one.done() for one in quiet] == [True, True, False]
        quiet[2].cancel()

    played(play)


def test_a_ticket_is_taken_out_of_the_address() -> None:
    start = RequestStartLine("GET", "/x?jeu=tcs&attente=abc&vue=", "HTTP/1.1")
    request = HTTPServerRequest(start_line=start, headers=HTTPHeaders({"Host": "localhost"}))
    assert take_ticket(request) == "abc"
    assert (request.uri, request.query) == ("/x?jeu=tcs&vue=", "jeu=tcs&vue=")
    assert "attente" not in request.arguments
    assert take_ticket(request) == ""


# -- classes and what is prepared for them -----------------------------------------------------------------------------


class Store:
    """What the store says of codes."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    async def read(self, op: str, who: Any, args: dict[str, Any]) -> dict[str, Any]:
        assert op == "server.class"
        self.asked.append(args)
        known = args in ({"code": CODE}, {"session": 7})
        return {"session": 7, "code": CODE, "expected": 12} if known else {}


class Pool:
    """What is asked of the pool."""

    def __init__(self) -> None:
        self.prepared: dict[str, int] = {}

    def prepare(self, group: str, path: str, count: int, seconds: float, *, also: bool = False) -> None:
        assert group == class_group(CODE)
        self.prepared = {**(self.prepared if also else {}), path: count}

    def release(self, group: str) -> None:
        self.prepared = {}


def classes(places: Places) -> tuple[OpenClasses, Store, Pool]:
    store, pool = Store(), Pool()
    return OpenClasses(store.read, places, pool, places.limits), store, pool  # type: ignore[arg-type]


async def quiet(known: OpenClasses) -> None:
    """Wait until what was heard has been followed."""
    await asyncio.gather(*known._doing)


def test_a_session_that_opens_has_places_and_prepared_pages_until_it_closes() -> None:
    async def play() -> None:
        places = house(60)
        known, _, pool = classes(places)
        known.heard("class.open", {"title": "Mardi"}, {"session": 7, "code": CODE})
        await quiet(known)
        assert places.kept == {class_group(CODE): 12}
        assert pool.prepared == {HOME: 12}
        for number in range(3):
            pupil = someone(number, classes=(CODE,))
            place = places.take(pupil, HOME)
            assert place is not None
            known.opened(pupil, HOME)
        assert pool.prepared == {HOME: 12, CLASS_PAGE: 3}
        for place in places.taken:
            place.path = CLASS_PAGE
        body = {"form": "lesson", "game": "jeu", "slug": "01-pions"}
        known.heard("class.push", {"session": 7, "kind": "lesson", "body": body}, {"push": 1})
        await quiet(known)
        assert pool.prepared == {"jeu/01-pions.ipynb": 3}
        known.heard("class.close", {"session": 7}, {})
        assert (places.kept, pool.prepared) == ({}, {})

    played(play)


def test_places_of_classes_are_bounded_so_that_others_come_in() -> None:
    async def play() -> None:
        places = house(10)
        known, _, _ = classes(places)
        assert await known.knows(CODE)
        assert places.kept == {class_group(CODE): 5}

    played(play)


def test_a_wrong_code_is_asked_about_once_and_guesses_are_counted() -> None:
    async def play() -> None:
        places = house(10)
        known, store, _ = classes(places)
        assert [await known.knows(OTHER) for _ in range(5)] == [False] * 5
        assert len(store.asked) == 1
        wrong = 0
        while not known.guesses.wait(f"{wrong:06}", short=True) and wrong < 1_000:
            assert not await known.knows(f"{wrong:06}")
            wrong += 1
        assert wrong < 100
        asked = len(store.asked)
        assert not await known.knows("ZZZZZZ")
        assert len(store.asked) == asked

    played(play)


class Manager:
    """A kernel manager with pools, whose kernels are names."""

    def __init__(self) -> None:
        self.kernel_pools_config: dict[str, dict[str, int]] = {}
        self._pools: dict[str, list[asyncio.Future[dict[str, Any]]]] = {}
        self.made, self.ended = 0, list[str]()

    def __contains__(self, kernel: str) -> bool:
        return kernel not in self.ended

    def fill_if_needed(self, delay: float, notebook_name: str) -> None:
        pool = self._pools.setdefault(notebook_name, [])
        while len(pool) < self.kernel_pools_config.get(notebook_name, {"pool_size": 0})["pool_size"]:
            self.made += 1
            future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
            future.set_result({"kernel_id": f"k{self.made}"})
            pool.append(future)

    def ready(self, path: str) -> int:
        """How many kernels a notebook has."""
        return len(self._pools[path])

    def serve(self, path: str) -> None:
        """Take the first kernel of a notebook, as Voilà does when it serves it."""
        self._pools[path].pop(0)

    async def shutdown_kernel(self, kernel: str, now: bool) -> None:
        self.ended.append(kernel)


def test_what_is_prepared_is_for_its_class_is_not_made_again_and_ends(tmp_path: Any) -> None:
    write_notebook(tmp_path, HOME, title="Accueil")

    async def play() -> None:
        manager = Manager()
        pool = PoolKeeper(manager, Catalogue(tmp_path), 0, {}, room=lambda: 3)
        group = class_group(CODE)
        pool.prepare(group, HOME, 5, 600)
        assert manager.ready(HOME) == 3  # no more than there are places
        pool.prepare(group, HOME, 2, 600)
        await asyncio.sleep(0)
        assert manager.ready(HOME) == 2
        assert pool.ready(HOME) == ""
        first = pool.ready(HOME, [group])
        assert first
        pool.take(HOME, [group])
        manager.serve(HOME)
        manager.fill_if_needed(0, HOME)
        assert manager.ready(HOME) == 1
        pool.release(group)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert manager.ready(HOME) == 0
        assert len(manager.ended) == 2

    played(play)
