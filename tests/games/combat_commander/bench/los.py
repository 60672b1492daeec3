"""Line of sight: every pair of a 15 by 10 map with 40 % terrain and hills, one hex to all others, one full trace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from shapely import STRtree
from shapely.geometry import LineString, Polygon

from bench.measures import Measure, milliseconds
from tutor.core.position import Position
from tutor.core.rays import ray
from tutor.core.registry import ask, game
from tutor.games.combat_commander.board import board
from tutor.games.combat_commander.los import sight_lines
from tutor.games.combat_commander.sight import look

TITLE = "Ligne de vue (carte de 15 × 10 hexs, 11 175 paires)"
KINDS = ("woods", "woods", "building", "brush", "orchard", "field")


def random_map(seed: int = 1) -> Position:
    """A full map: 40 % of the hexes with terrain, three hills of two levels, two roads, some walls and smoke."""
    rng = Random(seed)
    empty = Position.from_data(
        {"schema": 1, "game": "combat_commander", "id": "mesure", "grid": {"columns": ["A", "O"], "rows": [1, 10]}}
    )
    grid = empty.grid
    cells = list(grid.cells)
    changes: dict[str, object] = {f"terrain.{cell}": rng.choice(KINDS) for cell in rng.sample(cells, 60)}
    for top in rng.sample(cells, 3):
        changes |= {f"level.{cell}": 1 for cell in grid.neighbours(top) if f"level.{cell}" not in changes}
        changes[f"level.{top}"] = 2
    for column in "EK":
        changes |= {f"way.road.{column}{row}": [1, 4] for row in range(1, 11)}
    for cell in rng.sample(cells, 6):
        changes[f"side.{cell}/{rng.choice(grid.neighbours(cell))}"] = "wall"
        changes[f"marker.smoke.{cell}"] = rng.randint(1, 10)
    return empty.change(changes)


def every_pair(position: Position) -> int:
    """Judge all pairs; how many see each other."""
    compiled = board(position)
    return sum(not look(compiled, a, b).blocks for a, b in combinations(compiled.index.values(), 2))


def bare_intersections(position: Position) -> int:
    """The reference: shapely alone, every line against every silhouette, no rule applied."""
    grid = position.grid
    tree = STRtree(
        [Polygon(shape.points) for shape in game("combat_commander").shapes(position) if shape.layer == "area"]
    )
    centres = [grid.centre(cell) for cell in grid.cells]
    return int(tree.query([LineString(pair) for pair in combinations(centres, 2)], predicate="intersects").shape[1])


def run() -> Iterator[Measure]:
    """Measure."""
    rules, data = game("combat_commander"), random_map().data()
    fresh: list[Position] = []

    def cold() -> None:
        ray.cache_clear()
        fresh[:] = [Position.from_data(data)]

    def renewed() -> None:
        fresh[:] = [Position.from_data(data)]

    position = Position.from_data(data)
    bare = milliseconds(lambda: bare_intersections(position), times=3)
    against = "intersections seules, shapely"
    yield Measure(
        "Toutes les paires, à froid",
        milliseconds(lambda: every_pair(fresh[0]), times=3, before=cold),
        "ms",
        bare,
        against,
    )
    yield Measure(
        "Toutes les paires, nouvelle position",
        milliseconds(lambda: every_pair(fresh[0]), before=renewed),
        "ms",
        bare,
        against,
    )
    yield Measure("Toutes les paires, à chaud", milliseconds(lambda: every_pair(position)), "ms", bare, against)
    one = milliseconds(lambda: list(sight_lines(position, "H5")), times=20)
    yield Measure("D’un hex vers tous les autres, à chaud", one)
    yield Measure(
        "D’un hex vers tous les autres, un hex changé",
        milliseconds(lambda: list(sight_lines(position.change({"terrain.H6": "woods"}), "H5")), times=20),
        "ms",
        one,
        "à chaud",
    )
    verdict = milliseconds(lambda: ask(position, "los", start="B2", end="N9", trace=False), times=50)
    yield Measure("Une ligne, verdict seul", verdict)

    def sentences() -> list[str]:
        return [rules.sentence(step, position) for step in ask(position, "los", start="B2", end="N9").trace.walk()]

    sentences()
    yield Measure(
        "Une ligne, trace entière et ses phrases", milliseconds(sentences, times=50), "ms", verdict, "verdict seul"
    )
