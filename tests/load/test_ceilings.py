"""How far a kernel grows past its ceiling before it is ended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bench.measures import Measure
from tests.store.test_ceilings import MIB, grow


def test_a_kernel_is_ended_soon_after_its_ceiling(tmp_path: Path, say: Callable[..., None]) -> None:
    growth, server = grow(tmp_path)
    say(
        "un noyau qui garde tout, plafond de 128 Mio",
        Measure("noyau, en plus", growth / MIB, "Mio"),
        Measure("serveur, en plus", server / MIB, "Mio"),
    )
    assert growth < 200 * MIB  # 417 without a ceiling
    assert server < 100 * MIB
