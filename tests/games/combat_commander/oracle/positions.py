"""Random but possible positions of Combat Commander from a seed: terrain, relief, sides, ways, markers, drawings."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random
from typing import Any

from tests.games.combat_commander.oracle.los import behind, centre, hex_name, holds
from tutor.core.position import Position

TERRAIN = (
    "building", "woods", "woods", "brush", "orchard", "field", "marsh", "gully", "stream", "water_barrier",
    "major_bridge", "minor_bridge",
)  # fmt: skip
AQUATIC = {"marsh", "stream", "water_barrier"}
STYLES = ("mixed", "woods", "hills", "sides", "ways", "markers", "drawn", "crests")


def random_position(seed: int, *, columns: int = 8, rows: int = 7, style: str | None = None) -> Position:
    """A position that ``Game.problems`` has nothing to say about.

    Args:
        seed: the same seed gives the same position.
        columns, rows: size of the board.
        style: what it has most of (``STYLES``); by default the seed chooses.
    """
    rng = Random(seed)
    style = style or STYLES[seed % len(STYLES)]
    first = rng.randint(1, 4)
    top = rng.randint(1, 3)
    cells = [hex_name(c, r) for c in range(first, first + columns) for r in range(top, top + rows)]
    data: dict[str, Any] = {
        "schema": 1,
        "game": "combat_commander",
        "id": f"hasard-{seed}",
        "grid": {
            "kind": "hex",
            "columns": [hex_name(first, 0)[:-1], hex_name(first + columns - 1, 0)[:-1]],
            "rows": [top, top + rows - 1],
        },
    }
    density = rng.choice((0.15, 0.4, 0.7)) if style != "woods" else rng.choice((0.2, 0.6))
    kinds = ("woods", "woods", "brush", "building") if style in ("woods", "drawn") else TERRAIN
    terrain = {cell: rng.choice(kinds) for cell in cells if rng.random() < density}
    if style in ("woods", "ways", "drawn"):  # patches, so that silhouettes join
        for cell in list(terrain):
            for d in range(1, 7):
                if behind(cell, d) in cells and rng.random() < 0.3:
                    terrain[behind(cell, d)] = terrain[cell]
    _put(data, "terrain", terrain)
    data["joined"] = _groups(rng, terrain)
    if style == "crests":
        _crests(rng, data, cells)
    elif style in ("hills", "mixed", "markers") or rng.random() < 0.5:
        _put(data, "levels", _hills(rng, cells))
    if style in ("sides", "mixed") or rng.random() < 0.3:
        share = rng.choice((0.04, 0.12))
        sides = {
            f"{cell}/{other}": rng.choice(("wall", "hedge", "fence", "cliff"))
            for cell in cells
            for d in (1, 2, 3, 4)
            for other in (behind(cell, d),)
            if rng.random() < share and not other.startswith("@") and (d < 4 or other not in cells)
        }
        _put(data, "sides", sides)
    if style in ("ways", "mixed") or rng.random() < 0.3:
        data["ways"] = {way: _way(rng, cells) for way in ("road", "rail", "trail") if rng.random() < 0.8}
    if style == "markers" or rng.random() < 0.3:
        dry = [cell for cell in cells if terrain.get(cell) not in AQUATIC]
        smoke = {cell: rng.randint(1, 10) for cell in dry if rng.random() < 0.1}
        blaze = {cell: True for cell in dry if cell not in smoke and rng.random() < 0.04}
        data["markers"] = {"smoke": smoke, "blaze": blaze}
    if style == "drawn":
        data["silhouettes"] = [
            {"hex": cell, "polygon": _star(rng, centre(cell), 8, rng.choice((30, 55)))}
            for cell in cells
            if cell in terrain and rng.random() < 0.5
        ]
    if rng.random() < 0.15:
        data["settings"] = {"vertex_contact": "ignored"}
    return Position.from_data({key: value for key, value in data.items() if value})


def _put(data: dict[str, Any], name: str, values: dict[str, Any]) -> None:
    block: dict[Any, list[str]] = {}
    for cell, value in values.items():
        block.setdefault(value, []).append(cell)
    data[name] = block


def _groups(rng: Random, terrain: dict[str, str]) -> list[list[str]]:
    groups = []
    for cell, kind in terrain.items():
        if kind == "building" and rng.random() < 0.5:
            near = [behind(cell, d) for d in range(1, 7) if terrain.get(behind(cell, d)) == "building"]
            if near:
                groups.append([cell, *near[: rng.randint(1, 2)]])
    return groups


def _hills(rng: Random, cells: list[str]) -> dict[str, int]:
    levels: dict[str, int] = {}
    for _ in range(rng.randint(1, 3)):
        hill, height = {rng.choice(cells)}, rng.randint(1, 4)
        for level in range(height, 0, -1):
            for cell in sorted(hill):
                levels[cell] = max(level, levels.get(cell, 0))
            grown = {behind(cell, d) for cell in sorted(hill) for d in range(1, 7) if rng.random() < 0.45}
            hill |= {cell for cell in grown if cell in cells}
    return levels


def _star(rng: Random, about: tuple[int, int], least: int, most: int) -> list[list[int]]:
    """A simple polygon around a point, with corners on a coarse lattice so that exact contacts happen."""
    corners = []
    count = rng.randint(4, 9)
    step = rng.choice((1, 5))
    for i in range(count):
        reach, angle = rng.uniform(least, most), 2 * pi * (i + rng.uniform(0, 0.8)) / count
        corners.append([about[0] + step * round(reach * cos(angle) / step),
                        about[1] + step * round(reach * sin(angle) * 0.6 / step)])  # fmt: skip
    return corners


def _crests(rng: Random, data: dict[str, Any], cells: list[str]) -> None:
    """Hills whose crest lines are drawn: the level of a hex is that of its centre (T88.3.1)."""
    about = centre(rng.choice(cells))
    about = (about[0] + rng.randint(-30, 30), about[1] + rng.randint(-15, 15))
    outer = _star(rng, about, 60, 200)
    inner = [[about[0] + (x - about[0]) // 2, about[1] + (y - about[1]) // 2] for x, y in outer]
    shapes = [(1, outer), (2, inner)]
    levels = {}
    for level, polygon in shapes:
        for cell in cells:
            if holds(polygon, centre(cell)):  # type: ignore[arg-type]
                levels[cell] = level
    _put(data, "levels", levels)
    data["silhouettes"] = [{"level": level, "polygon": polygon} for level, polygon in shapes if rng.random() < 0.85]


def _way(rng: Random, cells: list[str]) -> dict[str, list[int]]:
    """One or two ways wandering over the board, mostly straight on; now and then an arm that ends at the side."""
    arms: dict[str, set[int]] = {}
    for _ in range(rng.randint(1, 3)):
        here, d = rng.choice(cells), rng.randint(1, 6)
        for _ in range(rng.randint(2, 8)):
            arms.setdefault(here, set()).add(d)
            there = behind(here, d)
            if there not in cells:
                break
            if rng.random() < 0.95:
                arms.setdefault(there, set()).add((d + 2) % 6 + 1)
            here = there
            if rng.random() < 0.35:
                d = (d + rng.choice((-1, 1)) - 1) % 6 + 1
    return {cell: sorted(sides) for cell, sides in arms.items()}
