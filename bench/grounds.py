"""Grounds of all boards: how long each takes to draw, how much travels; what a lesson's overlays weigh."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import partial

from bench.measures import Measure, milliseconds
from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from tutor.course import why
from widgets.board.grounds import drawable
from widgets.board.layers import layers_for
from widgets.board.paint.overlays import over_drawing, tint_drawing, under_drawing
from widgets.board.paint.shapes import fitted
from widgets.board.paint.svg_writer import svg_body
from widgets.board.palette import LIGHT
from widgets.ground import ground_svg

TITLE = "Sols des plateaux"
ELEMENTS, GROUND_KIB, OVERLAYS_KIB, LARGE_MS = 210, 48.0, 32.0, 1000.0
SIZE = (760, 560)
KINDS = ("woods", "field", "building", "brush", "orchard")


def large_map() -> Position:
    """A made-up board of 33 columns and 10 rows, a third of it covered."""
    grid = {"kind": "hex", "columns": ["A", "GG"], "rows": [1, 10]}
    empty = Position.from_data({"schema": 1, "game": next(iter(GAMES)), "id": "grand", "grid": grid})
    covered = list(empty.grid.cells)[::3]
    return empty.change({f"terrain.{cell}": KINDS[i % len(KINDS)] for i, cell in enumerate(covered)})


def run() -> Iterator[Measure]:
    """Measure."""
    for game_id, name in GAMES.items():
        rulebook = game(game_id)
        times, weights, counts = [], [], []
        for board in rulebook.positions():
            position = rulebook.position(board)
            if drawable(position):
                times.append(milliseconds(partial(ground_svg, position, "light"), times=1))
                drawn = ground_svg(position, "light")
                weights.append(len(gzip.compress(drawn.encode(), 9)) / 1024)
                counts.append(drawn.count("<") - drawn.count("</"))
        yield Measure(f"{name} : {len(times)} sols, le plus lent", max(times))
        yield Measure("  le plus lourd, compressé", max(weights), "Kio", target=GROUND_KIB)
        yield Measure("  le plus d’éléments", max(counts), "", target=ELEMENTS)
        yield Measure("  surcouches, la plus lourde d’une leçon", max(overlays(game_id)), "Kio", target=OVERLAYS_KIB)
    yield Measure(
        "Un plateau de 33 × 10", milliseconds(lambda: ground_svg(large_map(), "light"), times=2), target=LARGE_MS
    )


def overlays(game_id: str) -> Iterator[float]:
    """KiB of what is laid over the ground of each question of the lessons, counters and names apart."""
    for one in why.posed(game_id):
        if one.source == "leçon" and (layers := layers_for(one.result, one.position)):
            view = fitted(one.position.grid, *SIZE)
            parts = (tint_drawing(layers, view, LIGHT), under_drawing(layers, view, LIGHT))
            above = over_drawing(layers, one.position, view, LIGHT, True, LIGHT)
            yield sum(len(svg_body(part).encode()) for part in (*parts, above)) / 1024
