"""ASL Starter Kit's line of sight against an independent oracle, and what must hold of any position."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, Polygon

from tutor.core.position import Position
from tutor.games.asl_sk import GAME
from tutor.games.asl_sk.los import sight_lines

GAME.load()
SEEDS = st.integers(0, 10**6)
KINDS = ("woods", "stone_building", "wooden_building", "orchard", "grain", "brush")
OBSTACLES = ("woods", "stone_building", "wooden_building")
VECTORS = ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))


def random_position(seed: int, relief: bool = False, smoke: bool = True) -> Position:
    """A small board with a bit of everything."""
    random = Random(seed)
    data = {
        "schema": 1,
        "game": "asl_sk",
        "id": f"hasard-{seed}",
        "grid": {"kind": "half_hex", "columns": ["A", "J"], "rows": [1, 6]},
    }
    cells = list(Position.from_data(data).grid.cells)
    terrain: dict[str, list[str]] = {}
    for cell in cells:
        if random.random() < 0.3:
            terrain.setdefault(random.choice(KINDS), []).append(cell)
    data["terrain"] = terrain
    data["state"] = {"month": random.randint(1, 12)}
    if smoke:
        data["markers"] = {"smoke": {cell: random.randint(1, 3) for cell in random.sample(cells, 4)}}
    if relief:
        data["levels"] = {1: random.sample(cells, 12)}
    data["ways"] = {"road": {cell: random.sample(range(1, 7), 2) for cell in random.sample(cells, 8)}}
    data["pieces"] = [
        {"id": f"v{n}", "kind": random.choice(["afv", "wreck"]), "side": "axis", "at": random.choice(cells)}
        for n in range(3)
    ]
    return Position.from_data(data)


def ask(position, question, **arguments):
    return GAME.rules[question](position, **arguments)


# -- the oracle: half-planes and predicates of another library ----------------------------------------------------


def drawn(centre, joined):
    """The hex drawn in to 17/20, except where it is joined: an intersection of six half-planes."""
    x, y = centre
    shape = Point(x, y).buffer(100)
    for side, (dx, dy) in enumerate(VECTORS):
        reach = 20 if joined[side] else 17
        # points p of the side's line: the hex is {p: (p - centre).n <= reach}, n from the lattice's own metric
        nx, ny = (0, dy) if dx == 0 else (dx / 2, dy)
        far = 1000
        tx, ty = -ny, nx
        length = nx * nx + ny * ny
        px, py = x + nx * reach / length, y + ny * reach / length
        half = Polygon([(px + tx * far, py + ty * far), (px - tx * far, py - ty * far),
                        (px - tx * far - nx * far, py - ty * far - ny * far), (px + tx * far - nx * far, py + ty * far - ny * far)])  # fmt: skip
        shape = shape.intersection(half)
    return shape


def oracle(position: Position, start: str, end: str) -> tuple[bool, int]:
    """Flat boards without roads or vehicles, every hindrance counted: is it blocked, and the total."""
    grid, kinds = position.grid, position.terrain_of
    month = position.state["month"]
    line = LineString([grid.centre(start), grid.centre(end)])
    blocked, total = False, 0
    for cell in grid.cells:
        smoke = position.marker("smoke", cell) or 0
        whole = drawn(grid.centre(cell), [True] * 6)
        kind = kinds.get(cell)
        if cell in (start, end):
            total += smoke + (1 if smoke and cell == start else 0)
            continue
        if smoke and line.distance(whole) < 1e-6:
            total += smoke
        if kind is None:
            continue
        joining = kind not in ("stone_building", "wooden_building")
        joined = [
            joining and kinds.get(grid.neighbour(cell, d)) == kind and grid.neighbour(cell, d) in grid
            for d in range(1, 7)
        ]
        shape = whole if kind == "orchard" else drawn(grid.centre(cell), joined)
        if line.distance(shape) < 1e-6:
            blocked = blocked or kind in OBSTACLES
            total += kind in ("orchard", "brush") or (kind == "grain" and 6 <= month <= 9)
    return blocked or total >= 6, total


@budget(max_examples=12, deadline=None)
@given(SEEDS)
def test_the_oracle_agrees_on_flat_boards(seed):
    data = random_position(seed).data()
    data.pop("ways"), data.pop("pieces")
    data["settings"] = {"shared_side": "both"}
    position = Position.from_data(data)
    random = Random(seed + 1)
    for _ in range(8):
        start, end = random.sample(list(position.grid.cells), 2)
        seen = ask(position, "los", start=start, end=end, trace=False).value
        blocked, total = oracle(position, start, end)
        assert seen.visible is not blocked, (start, end)
        if seen.visible:
            assert seen.hindrance == total, (start, end)


@budget(max_examples=25, deadline=None)
@given(SEEDS, st.booleans(), st.sampled_from(["drawn", "whole"]))
def test_sight_is_mutual_where_no_end_is_in_smoke(seed, relief, depiction):
    position = random_position(seed, relief).change({"setting.depiction": depiction})
    random = Random(seed)
    for _ in range(6):
        start, end = random.sample(list(position.grid.cells), 2)
        one = ask(position, "los", start=start, end=end, trace=False).value
        other = ask(position, "los", start=end, end=start, trace=False).value
        extra = bool(position.marker("smoke", start)) - bool(position.marker("smoke", end))
        if not (one.blocking or other.blocking):
            assert one.hindrance - other.hindrance == extra
        else:
            assert bool(one.blocking) == bool(other.blocking)


@budget(max_examples=25, deadline=None)
@given(SEEDS, st.booleans())
def test_a_trace_says_what_the_verdict_is(seed, relief):
    position = random_position(seed, relief)
    random = Random(seed)
    start, end = random.choice(position.grid.cells), random.choice(position.grid.cells)
    traced = ask(position, "los", start=start, end=end)
    quiet = ask(position, "los", start=start, end=end, trace=False)
    assert (traced.value.visible, traced.value.hindrance) == (quiet.value.visible, quiet.value.hindrance)
    for step in traced.trace.walk():
        assert step.rule in GAME.sections
        assert GAME.sentence(step, position)
    assert sum(value for _, _, value in traced.value.hindrances) == traced.value.hindrance


@budget(max_examples=10, deadline=None)
@given(SEEDS, st.booleans())
def test_the_map_of_what_is_seen_is_the_question_asked_of_each_hex(seed, relief):
    position = random_position(seed, relief)
    start = Random(seed).choice(position.grid.cells)
    for end, visible, hindrance in sight_lines(position, start):
        sight = ask(position, "los", start=start, end=end, trace=False).value
        assert (visible, hindrance) == (sight.visible, sight.hindrance)


@budget(max_examples=10, deadline=None)
@given(SEEDS)
def test_open_ground_never_blocks(seed):
    position = Position.from_data({**random_position(seed, smoke=False).data(), "terrain": {}, "pieces": []})
    assert all(visible and not hindrance for _, visible, hindrance in sight_lines(position, "E3"))
