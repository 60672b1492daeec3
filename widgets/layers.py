"""What can lie over a board, as immutable data. A board shows a tuple of layers; ``paint_layers`` paints them.

Layers are grouped in *slots* (``sight``, ``selection``, ``reach``…): showing something in a slot replaces what it held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from tutor.core.drawing import Shape
from tutor.core.grid import Point
from tutor.core.position import Position
from tutor.core.result import Result
from tutor.core.trace import Place, Step
from tutor.core.trace import hexes as hexes_at
from widgets.counters_look import manner

State = Literal["clear", "hindered", "blocked"]
Role = Literal["select", "reach", "good", "wrong", "clear", "hindered", "blocked", "olive"]


@dataclass(frozen=True, slots=True)
class Layer:
    """Base of all layers."""


@dataclass(frozen=True, slots=True)
class Sight(Layer):
    """A line of sight from centre to centre.

    Args:
        start, end: hex names.
        state: clear, hindered or blocked.
        hindrance: what it takes off, shown as « ≈ −2 »; sign: « + » where it adds to the dice.
        point: lattice point where it is decided; the line is dotted beyond it when blocked.
        rule: id of the deciding rule, written there.
        crossed: hexes it touches, tinted.
        touched: lattice outlines of the silhouettes that decide.
    """

    start: str
    end: str
    state: State = "clear"
    hindrance: int = 0
    point: tuple[float, float] | None = None
    rule: str | None = None
    crossed: tuple[str, ...] = ()
    touched: tuple[tuple[Point, ...], ...] = ()
    sign: str = "−"


@dataclass(frozen=True, slots=True)
class Selection(Layer):
    """Chosen hexes, in the order chosen."""

    hexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cursor(Layer):
    """The keyboard cursor."""

    hex: str


@dataclass(frozen=True, slots=True)
class Tint(Layer):
    """Hexes lightly coloured, with a short text in each (``""``: none).

    Args:
        hexes: names; role: colour; texts: one for each hex, or empty.
    """

    hexes: tuple[str, ...]
    role: Role = "reach"
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corner(Layer):
    """A mark on the lower right corner of a square, where four of them meet."""

    hex: str


@dataclass(frozen=True, slots=True)
class Heat(Layer):
    """A value for each hex, from pale to dark.

    Args:
        values: (hex, number from 0 to 1, text written in it).
    """

    values: tuple[tuple[str, float, str], ...]


@dataclass(frozen=True, slots=True)
class Outline(Layer):
    """Places outlined: hexes, sides, pieces."""

    places: tuple[Place, ...]
    role: Role = "select"


@dataclass(frozen=True, slots=True)
class Note(Layer):
    """A short text at a hex."""

    hex: str
    text: str
    role: Role = "olive"


@dataclass(frozen=True, slots=True)
class Path(Layer):
    """A way from hex to hex, with an arrow at its end."""

    hexes: tuple[str, ...]
    role: Role = "olive"


@dataclass(frozen=True, slots=True)
class Fire(Layer):
    """Arrows from firing hexes to a target hex."""

    starts: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Rays(Layer):
    """The rays of a hex, and how many lie between those who fire at it.

    Args:
        target: hex; directions: lattice directions from its centre, in turning order.
        starts: firing hexes; counted: indices of the rays between the two lines of ``best``; best: the pair that counts.
        holds: whether they are enough; note: what is written at the target.
    """

    target: str
    directions: tuple[Point, ...]
    starts: tuple[str, ...] = ()
    counted: tuple[int, ...] = ()
    best: tuple[str, str] | None = None
    holds: bool = False
    note: str = ""


def layers_for(result: Result[Any], position: Position, shapes: tuple[Shape, ...] = ()) -> tuple[Layer, ...]:
    """What a result draws: its line of sight, its way or its lines of fire where it has some, else the places its steps name.

    Args:
        result: what a rule returned.
        position: where it was asked.
        shapes: the game's shapes, to outline the silhouettes that decide.
    """
    value, operands = result.value, result.trace.operands
    if hasattr(value, "visible") and "start" in operands and "end" in operands:
        if via := getattr(value, "via", ()):
            start, end = operands["start"].value, operands["end"].value
            return (Tint(tuple(via), "clear"), Path((start, *via, end), "clear"))
        seen = sight_layer(value, operands["start"].value, operands["end"].value, shapes)
        place = getattr(value, "place", None)
        if seen.state == "blocked" and seen.point is None and place is not None and place.kind == "hex":
            seen = replace(seen, point=nearest(position, seen.start, seen.end, place.ref))
        return (replace(seen, sign=getattr(manner(position.game), "HINDRANCE", seen.sign)),)
    if hasattr(value, "directions") and hasattr(value, "pairs"):
        return (_rays_layer(value),)
    if getattr(value, "entries", ()) and "pieces" in operands:
        start = position.hex_of(operands["pieces"].value[0])
        cells = tuple(entry.cell for entry in value.entries if entry.cell in position.grid)
        return (Path((start, *cells) if start else cells), *_costs(result, position))
    if getattr(value, "zone", ()) and getattr(value, "path", ()) and "observer" in operands:
        return _barrage(value, position.hex_of(operands["observer"].value))
    if "unit" in operands and "cells" in operands:
        start = position.hex_of(operands["unit"].value)
        cells = tuple(operands["cells"].value)
        return (Path((start, *cells) if start else cells, "olive" if result.computed else "blocked"),)
    if result.computed and (found := _cells_of(value, position)):
        corner = operands["vertex"].value if "vertex" in operands else None
        return (Tint(found, "reach"), *((Corner(corner),) if corner in position.grid else ()))
    starts: dict[str, dict[str, None]] = {}
    for step in result.trace.walk():
        for place in step.where:
            if place.kind == "segment":
                start, _, end = place.ref.partition(">")
                starts.setdefault(end, {})[start] = None
    if starts:
        return tuple(Fire(tuple(cells), target) for target, cells in starts.items())
    hexes = tuple(
        dict.fromkeys(place.ref for step in result.trace.walk() for place in step.where if place.kind == "hex")
    )
    return (Tint(hexes, "select"),) if hexes else ()


def _barrage(value: Any, observer: str | None) -> tuple[Layer, ...]:
    """The round asked for, its drift, the hexes of the impact zone; outlined, those where it strikes or lays smoke."""
    role: Role = "hindered" if value.smoke else "blocked"
    called = (Fire((observer,), value.path[0]),) if observer else ()
    drift = (Path(value.path, role),) if len(value.path) > 1 else ()
    struck = value.smoke or value.attacked
    return (Tint(value.zone, role), *called, *drift, *((Outline(hexes_at(*struck), role),) if struck else ()))


def _costs(result: Result[Any], position: Position) -> Iterator[Note]:
    """Beside a way, what each step costs and what is spent by then, where the rules count it; a cross where it stops."""
    entries, told = result.value.entries, result.trace.operands.get("path")
    for entry in entries:
        if hasattr(entry, "cost") and entry.cell in position.grid:
            yield Note(entry.cell, f"+{entry.cost} → {entry.spent}")
    stop = told.value[len(entries)] if told and not result.computed and len(entries) < len(told.value) else None
    if stop in position.grid:
        yield Note(stop, "✕", "blocked")


def nearest(position: Position, start: str, end: str, cell: str) -> tuple[float, float]:
    """The point of a line between two centres that is nearest to the centre of another cell, in lattice units.

    >>> from tutor.core.registry import load_position
    >>> nearest(load_position("tcs", "tir-croise"), "05.02", "05.06", "06.03")
    (300.0, 140.0)
    """
    grid = position.grid
    (ax, ay), (bx, by), (cx, cy) = grid.centre(start), grid.centre(end), grid.centre(cell)
    ux, uy = grid.plane((1, 0))[0], grid.plane((0, 1))[1]
    dx, dy = (bx - ax) * ux, (by - ay) * uy
    t = ((cx - ax) * ux * dx + (cy - ay) * uy * dy) / ((dx * dx + dy * dy) or 1.0)
    t = min(1.0, max(0.0, t))
    return round(ax + (bx - ax) * t, 1), round(ay + (by - ay) * t, 1)


def _rays_layer(found: Any) -> Rays:
    """The layer of a cross fire: every ray, those that count, the pair that has most of them."""
    best = found.best
    starts = tuple(dict.fromkeys(cell for pair in found.pairs for cell in (pair.first, pair.second)))
    count = len(best.rays) if best else 0
    note = f"{count} rayon{'s' if count > 1 else ''} {'✓' if found.applies else '✕'}" if best else ""
    pair = (best.first, best.second) if best else None
    return Rays(found.target, found.directions, starts, best.rays if best else (), pair, found.applies, note)


def sight_layer(seen: Any, start: str, end: str, shapes: tuple[Shape, ...] = ()) -> Sight:
    """The layer of a visibility (``visible``, and what its game knows of ``hindrance``, ``rule``, ``place``, ``point``, ``crossed``…)."""
    hindrance, place = getattr(seen, "hindrance", 0), getattr(seen, "place", None)
    state: State = "blocked" if not seen.visible else "hindered" if is_hindered(seen) else "clear"
    names = (
        set(getattr(seen, "blocking", ()))
        if state == "blocked"
        else {place for _, place, _ in getattr(seen, "hindrances", ())}
    )
    if place is not None:
        names.add(place.ref)
    touched = tuple(
        s.points
        for s in shapes
        if (
            s.layer in ("area", "marker")
            and s.kind not in ("objective", "fortification", "lit", "illum")
            and names & set(s.cells)
        )
        or (s.layer == "side" and "/".join(s.cells) in names)
    )
    point, rule, crossed = getattr(seen, "point", None), getattr(seen, "rule", None), getattr(seen, "crossed", ())
    return Sight(start, end, state, hindrance, point, rule, tuple(crossed), touched)


def _cells_of(value: Any, position: Position) -> tuple[str, ...]:
    """The cells a result consists of, ``C2>D2`` standing for one laid over both; nothing when it is something else."""
    if not isinstance(value, tuple) or not all(isinstance(one, str) for one in value):
        return ()
    return value if all(part in position.grid for one in value for part in one.split(">")) else ()


def is_hindered(seen: Any) -> bool:
    """Whether a visibility loses something on its way: a number, or ``hindered`` when the booklet gives none."""
    return bool(getattr(seen, "hindrance", 0) or getattr(seen, "hindered", False))


def places_of(step: Step) -> tuple[Place, ...]:
    """Places of a step, or of the steps it is made of when it names none."""
    return step.where or tuple(dict.fromkeys(place for child in step.walk() for place in child.where))
