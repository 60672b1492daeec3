"""Every line of sight of a fixed map, counted and digested; ``python -m tests.games.combat_commander.oracle.perft`` asks the oracle again.

It takes minutes; the test only asks the engine, and compares with ``maps/perft.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.games.combat_commander.oracle.los import Oracle
from tutor.core.position import Position
from tutor.core.yamlio import dump_yaml

MAPS = Path(__file__).parent / "maps"
RESULTS = MAPS / "perft.yaml"


def map_files() -> list[Path]:
    """The fixed maps."""
    return sorted(path for path in MAPS.glob("*.yaml") if path != RESULTS)


def summary(lines: Iterable[tuple[str, str, bool, int]]) -> dict[str, Any]:
    """Counts and digest of (start, end, visible, hindrance), in board order."""
    verdicts = list(lines)
    text = "\n".join(f"{a} {b} {int(visible)} {hindrance}" for a, b, visible, hindrance in verdicts)
    return {
        "pairs": len(verdicts),
        "visible": sum(visible for _, _, visible, _ in verdicts),
        "hindered": sum(hindrance > 0 for *_, hindrance in verdicts),
        "hindrance": sum(hindrance for *_, hindrance in verdicts),
        "sha256": sha256(text.encode()).hexdigest(),
    }


def by_oracle(path: Path) -> dict[str, Any]:
    """What the oracle says of a map."""
    oracle = Oracle(Position.load(path))
    verdicts = ((a, b, oracle.los(a, b)) for a, b in combinations(oracle.cells, 2))
    return summary((a, b, verdict.visible, verdict.hindrance) for a, b, verdict in verdicts)


if __name__ == "__main__":
    RESULTS.write_text(dump_yaml({path.stem: by_oracle(path) for path in map_files()}), encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))
