"""Many hostile visitors at once: how long the health address takes meanwhile, and how much the server grows."""

from __future__ import annotations

import resource
from collections.abc import Callable

from bench.measures import Measure
from tests.browser.harness import Server
from tests.hostile.conftest import hostile_server, large, large_server, lessons  # noqa: F401 - fixtures
from tests.hostile.test_frames import flood
from tests.hostile.test_half_open import crowded
from tests.hostile.test_slow_readers import away, never_reading, not_listening
from tests.hostile.wire import MIB, Watch
from widgets.serving.connections import MOST_FOR_KERNEL, MOST_FOR_PAGE, MOST_WHILE_AWAY

FRAMES, HALF_OPEN = 10_000, 5_000
#: Seconds that the health address may take, on a machine that does much else.
SECONDS = 5.0


def measures(seen: Watch) -> list[Measure]:
    """What was seen of the server meanwhile."""
    return [
        Measure("/sante, au plus long", seen.longest, "s"),
        Measure("mémoire du serveur, en plus", seen.growth, "Mio"),
    ]


def test_ten_thousand_hostile_frames(hostile_server: Server, say: Callable[..., None]) -> None:  # noqa: F811
    seen = flood(hostile_server, FRAMES)
    say(f"{FRAMES} trames hostiles", *measures(seen))
    assert seen.faults == []
    assert seen.longest < SECONDS
    assert seen.growth < 64


def test_the_page_answers_among_five_thousand_half_open(hostile_server: Server, say: Callable[..., None]) -> None:  # noqa: F811
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    hard = before[1] if before[1] != resource.RLIM_INFINITY else 20_000
    number = min(HALF_OPEN, hard - 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, before[1]))
    try:
        seen = crowded(hostile_server, number)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    say(f"{number} connexions à demi ouvertes", *measures(seen))
    assert seen.faults == []
    assert seen.growth < 128


def test_slow_readers_do_not_make_the_server_grow(large_server: Server, say: Callable[..., None]) -> None:  # noqa: F811
    never, deaf, gone = never_reading(large_server), not_listening(large_server), away(large_server) / MIB
    say("une page qui ne lit pas", *measures(never))
    say("un noyau qui n’écoute pas", *measures(deaf))
    say("une page partie", Measure("mémoire du serveur, en plus", gone, "Mio"))
    assert never.growth * MIB < MOST_FOR_PAGE + 64 * MIB  # it stands still there, whatever else is asked
    assert deaf.growth * MIB < MOST_FOR_KERNEL + 64 * MIB
    assert gone * MIB < MOST_WHILE_AWAY + 32 * MIB
