"""A room at work: learners who click, and a class to whom a question is sent. Run by `make load`."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable

from bench.measures import Measure
from tests.browser.harness import Server
from tests.load.conftest import own_mebibytes, play, share
from tests.load.reader import Reader, has
from tests.load.teaching import join, open_session, shows
from tests.load.test_arrivals import LESSON

CLICKERS, CLICKS, EVERY = 120, 10, 2.0
LEARNERS, QUESTIONS = 60, 8
#: Milliseconds below which 95 of 100 answers are wished, on two quiet cores.
WISHED_ANSWER, WISHED_PUSH = 50.0, 400.0


async def click_through(reader: Reader, first: float) -> list[float]:
    """Go through the « Et si… » of a lesson, one every two seconds; seconds until each was there, which is checked."""
    onward = reader.widget("ButtonModel", description="▶")
    heads = [one for one, state in reader.states.items() if "Et si…" in str(state.get("value", ""))]
    waits = []
    await asyncio.sleep(first)
    for _ in range(CLICKS):
        before = [reader.states[head]["value"] for head in heads]
        began = time.monotonic()
        waits.append(await reader.click(onward))
        changed = [
            (old, reader.states[head]["value"])
            for head, old in zip(heads, before, strict=True)
            if old != reader.states[head]["value"]
        ]
        ((old, new),) = changed
        assert number(new) == number(old) % of(old) + 1
        await asyncio.sleep(max(0.0, EVERY - (time.monotonic() - began)))
    return waits


def number(head: str) -> int:
    """Which question is shown."""
    return int(head.split("Et si… ")[1].split("\u00a0")[0])


def of(head: str) -> int:
    """How many there are."""
    return int(head.split("/\u00a0")[1].split("<")[0])


def test_learners_click_every_two_seconds(serve: Callable[..., Server], say: Callable[..., None]) -> None:
    server = serve(LDV_POOL=0, LDV_MAX_KERNELS=CLICKERS)

    async def room() -> list[float]:
        readers = [Reader(server, LESSON) for _ in range(CLICKERS)]
        await asyncio.gather(*(reader.arrive(has("ButtonModel", description="▶")) for reader in readers))
        calm = random.Random(1)
        waited = await asyncio.gather(*(click_through(reader, calm.uniform(0.0, EVERY)) for reader in readers))
        return sorted(wait for waits in waited for wait in waits)

    waits = play(room())
    assert len(waits) == CLICKERS * CLICKS
    say(
        f"{CLICKERS} lecteurs qui cliquent toutes les deux secondes",
        Measure("réponse, p95", 1_000 * share(waits, 0.95), "ms", target=WISHED_ANSWER),
        Measure("réponse, médiane", 1_000 * share(waits, 0.5), "ms"),
        Measure("mémoire propre d’un noyau", own_mebibytes(server), "Mio"),
    )


def test_a_question_is_sent_to_a_class(serve: Callable[..., Server], key: str, say: Callable[..., None]) -> None:
    server = serve(LDV_POOL=0, LDV_MAX_KERNELS=2 * LEARNERS, LDV_PREPARED=0)

    async def lesson() -> list[float]:
        teacher, code = await open_session(server, key, LEARNERS)
        learners = await asyncio.gather(*(join(server, code, number) for number in range(LEARNERS)))
        await teacher.look()
        forms = teacher.widget("ToggleButtonsModel")
        labels = list(teacher.states[forms]["_options_labels"])
        await teacher.write(forms, index=labels.index("Votre question"))
        await teacher.look()
        written = teacher.widget("TextareaModel", placeholder="Votre question, ou un mot pour tous")
        choices = teacher.widget("TextareaModel", placeholder="Une réponse par ligne (de 2 à 8)")
        await teacher.write(choices, value="Le tireur\nPersonne")
        send = teacher.widget("ButtonModel", description="Envoyer à tous")
        late: list[float] = []
        for rank in range(QUESTIONS):
            text = f"Question numéro {rank}, qui voit qui ?"
            await teacher.write(written, value=text)
            waiting = [asyncio.ensure_future(learner.until(shows(f"numéro {rank},"))) for learner in learners]
            await asyncio.sleep(0)
            began = time.monotonic()
            await teacher.click(send)
            late += [at - began for at in await asyncio.gather(*waiting)]
            await asyncio.sleep(1.0)
        return sorted(late)

    late = play(lesson())
    assert len(late) == LEARNERS * QUESTIONS
    say(
        f"Une question envoyée à {LEARNERS} élèves",
        Measure("sur leur page, p95", 1_000 * share(late, 0.95), "ms", target=WISHED_PUSH),
        Measure("sur leur page, médiane", 1_000 * share(late, 0.5), "ms"),
    )
