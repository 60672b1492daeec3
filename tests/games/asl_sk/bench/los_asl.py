"""Line of sight of ASL: every pair of a whole 33 by 10 board, half-hexes included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from bench.measures import Measure, milliseconds
from tutor.core.position import Position
from tutor.core.rays import ray
from tutor.games.asl_sk.board import board
from tutor.games.asl_sk.sight import line, look

TITLE = "Ligne de vue d’ASL (plateau de 33 × 10 hexs, 59 685 paires)"
KINDS = ("woods", "woods", "stone_building", "wooden_building", "brush", "orchard", "grain")


def random_map(seed: int = 1) -> Position:
    """A full board: 40 % of the hexes with terrain, six hills of two levels, two roads, some smoke."""
    rng = Random(seed)
    empty = Position.from_data(
        {
            "schema": 1,
            "game": "asl_sk",
            "id": "mesure",
            "grid": {"kind": "half_hex", "columns": ["A", "GG"], "rows": [1, 10]},
        }
    )
    grid = empty.grid
    cells = list(grid.cells)
    changes: dict[str, object] = {
        f"terrain.{cell}": rng.choice(KINDS) for cell in rng.sample(cells, len(cells) * 2 // 5)
    }
    for top in rng.sample(cells, 6):
        changes |= {f"level.{cell}": 1 for cell in grid.neighbours(top) if f"level.{cell}" not in changes}
        changes[f"level.{top}"] = 2
    for column in "FR":
        changes |= {f"way.road.{column}{row}": [1, 4] for row in range(1, 10)}
    for cell in rng.sample(cells, 12):
        changes[f"marker.smoke.{cell}"] = 3
    return empty.change(changes)


def every_pair(position: Position) -> int:
    """Judge all pairs; how many see each other."""
    compiled = board(position)
    return sum(not look(compiled, a, b).blocks for a, b in combinations(compiled.index.values(), 2))


def run() -> Iterator[Measure]:
    """Measure."""
    data = random_map().data()
    fresh: list[Position] = []

    def cold() -> None:
        ray.cache_clear()
        line.cache_clear()
        fresh[:] = [Position.from_data(data)]

    position = Position.from_data(data)
    warm = milliseconds(lambda: every_pair(position), times=2)
    yield Measure("Toutes les paires, à chaud", warm)
    yield Measure(
        "Toutes les paires, à froid",
        milliseconds(lambda: every_pair(fresh[0]), times=2, before=cold),
        "ms",
        warm,
        "à chaud",
        6000,
    )
