"""Line of sight: whether a hex sees another, with what hindrance, and which rule decides where.

**Rule:** 1.1, 1.1.1, 1.2.5, 3.2.1, 7.4.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import End, Start
from tutor.core.context import Context, reader
from tutor.core.geometry import point_at
from tutor.core.marks import Seen, Sighting, state_of
from tutor.core.position import Position
from tutor.core.trace import Place, hexes, segment
from tutor.games.asl_sk.board import Board, board, hinders, month, phase
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.sight import Finding, Sight, line, look

#: Rules of this module that a computation may leave out.
LOS_RULES = ("1.1.1-grain", "1.1.1-hills", "1.1.1-orchards", "1.1.1-orchard-road", "1.1.1-woods-road", "1.2.5", "3.2.1",
             "7.4.1")  # fmt: skip
#: Findings that another reading of the booklet would judge otherwise.
_OPEN = frozenset(
    {
        "los.lower",
        "los.low_blocks",
        "los.missed",
        "los.second_crest",
        "los.shared",
        "los.vehicle_side",
        "los.smoke_most",
        "los.smoke_below",
    }
)
_RELIEF = ("los.own_crest", "los.crest", "los.hill", "los.second_crest", "los.beside_crest")
_HINDRANCE_NOTES = ("los.out_of_season", "los.lower_hindrance", "los.shared", "los.vehicle_level", "los.vehicle_unseen",
                    "los.vehicle_side", "los.smoke_most", "los.smoke_below")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Visibility(Sighting):
    """A line of sight.

    Args:
        visible: whether the target may be fired at.
        hindrance: what is added to the dice, 0 or more; when obstacles block, 0.
        distance: in hexes.
        rule: id of the deciding rule (what blocks, or the strongest hindrance), or None.
        place: where.
        crossed: hexes between the two ends that the line touches, in order.
        blocking: hexes that block, in order.
        hindrances: (kind, hex, value) of each.
        point: lattice point of the first blocking contact.
    """

    visible: bool
    hindrance: int
    distance: int
    rule: str | None = None
    place: Place | None = None
    crossed: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()
    hindrances: tuple[tuple[str, str, int], ...] = ()
    point: tuple[float, float] | None = None

    def seen(self) -> Seen:
        """What it comes to, in the words that all games share: a hindrance adds to the dice."""
        acting = self.blocking if not self.visible else tuple(place for _, place, _ in self.hindrances)
        state = state_of(self.visible, self.hindrance)
        return Seen(state, self.rule, self.hindrance, "+", self.place, self.point, self.crossed, acting)


@GAME.question(
    "distance",
    rules=("1.1",),
    label="À quelle distance ?",
    theme="Vue et tir",
    common=True,
)
def distance(ctx: Context, start: Start, end: End) -> int:
    """Range from one hex to another: the first is not counted, half-hexes count as hexes.

    Args:
        start, end: hex names.

    Returns:
        Hexes, 0 or more.

    **Rule:** 1.1.

    >>> from tutor.games.asl_sk import GAME
    >>> GAME.load().rules["distance"](GAME.position("ecole"), start="A1", end="B0").value
    1
    """
    grid = ctx.position.grid
    between = grid.distance(grid.check(start), grid.check(end))
    ctx.step("1.1", "distance.count", value=between, unit="hexs", where=[segment(start, end)], start=start, end=end)
    return between


@GAME.question(
    "los",
    rules=("3.2.1", "1.1.1", "1.2.5", "7.4.1"),
    label="Ces deux hexs se voient-ils ?",
    theme="Vue et tir",
    common=True,
)
def line_of_sight(ctx: Context, start: Start, end: End) -> Visibility:
    """Whether a firer's hex sees a target's, with what hindrance, by which rule and where.

    Args:
        start: the firer's hex.
        end: the target's, possibly the same.

    Returns:
        The visibility; its trace holds every obstacle and hindrance met, and what was met without effect.

    Raises:
        UnknownHex: a hex is not on the board.

    **Rule:** 1.1.1, 1.2.5, 3.2.1, 7.4.1.

    >>> from tutor.games.asl_sk import GAME
    >>> seen = GAME.load().rules["los"](GAME.position("ecole"), start="D4", end="K6").value
    >>> seen.visible, seen.hindrance, [cell for _, cell, _ in seen.hindrances]
    (True, 2, ['H5', 'I6'])
    """
    grid = ctx.position.grid
    compiled = board(ctx.position)
    a, b = compiled.index[grid.check(start)], compiled.index[grid.check(end)]
    for rule in LOS_RULES:
        ctx.on(rule)
    sight = look(compiled, a, b, ctx.without, everything=ctx.tracing)
    most = ctx.table("sight").peek("hindrance", "blocks_from")
    crossed = _crossed(compiled, a, b)
    visibility = _visibility(compiled, sight, grid.distance(start, end), crossed, most)
    if ctx.tracing:
        _trace(ctx, sight, visibility, start, end)
    return visibility


def _crossed(compiled: Board, a: int, b: int) -> tuple[str, ...]:
    if a == b:
        return ()
    (c1, r1), (c2, r2) = divmod(a, compiled.stride), divmod(b, compiled.stride)
    _, met = line(c2 - c1, r2 - r1, (c1 + compiled.grid.first_column - 1) % 2 == 0, compiled.stride)
    return tuple(compiled.cell[i] for c, _, _ in met if (i := a + c.offset) in compiled.cell)


def _visibility(compiled: Board, sight: Sight, distance: int, crossed: tuple[str, ...], most: int) -> Visibility:
    if sight.blocks:
        first = sight.blocks[0]
        ends = compiled.grid.centre(sight.first), compiled.grid.centre(sight.last)
        at = None if first.at is None else point_at(*ends, first.at)
        blocking = tuple(dict.fromkeys(f.cell for f in sight.blocks))
        return Visibility(False, 0, distance, first.rule, Place("hex", first.cell), crossed, blocking, (), at)
    hindrances = tuple((f.kind, f.cell, f.value) for f in sight.hindrances)
    if not sight.hindrances:
        return Visibility(True, 0, distance, None, None, crossed)
    worst = max(sight.hindrances, key=lambda f: f.value)
    visible = sight.total < most
    rule = worst.rule if visible else "3.2.1"
    return Visibility(visible, sight.total, distance, rule, Place("hex", worst.cell), crossed, (), hindrances)


def _trace(ctx: Context, sight: Sight, visibility: Visibility, start: str, end: str) -> None:
    """Turn the findings into steps."""
    if start == end:
        ctx.step("3.2.1", "los.same_hex", "input", where=hexes(start), start=reader(start))
    else:
        ctx.step(
            "3.2.1", "los.line", "input", value=visibility.distance, unit="hexs",
            where=[segment(start, end), *hexes(start, end)],
            start=reader(start), end=reader(end), crossed=visibility.crossed,
        )  # fmt: skip
        _trace_ends(ctx, start, end)
    units = [p for cell in visibility.crossed for p in ctx.position.pieces_at(cell) if p.kind not in ("afv", "wreck")]
    if units:
        ctx.step("3.2.1", "los.units", where=[Place("piece", p.id) for p in units], pieces=[p.id for p in units])
    levels = [ctx.position.level_of.get(cell, 0) for cell in (start, end)]
    if start != end and any(ctx.position.level_of.get(cell, 0) for cell in (start, end, *visibility.crossed)):
        with ctx.group(
            "1.1.1-hills", "los.relief", where=hexes(start, end), start=start, end=end, levels=levels
        ) as group:
            blocking = [f for f in sight.blocks if f.code in _RELIEF]
            _steps(ctx, [*blocking, *(f for f in sight.notes if f.code in _RELIEF)], sight)
            if not blocking and levels[0] != levels[1]:
                ctx.step("3.2.1", "los.one_crest", where=hexes(sight.first), note="interprétation", cell=sight.first)
            group.value = len(blocking)
    if start != end:
        with ctx.group("3.2.1", "los.obstacles", where=[segment(start, end)]) as group:
            blocking = [f for f in sight.blocks if f.code not in _RELIEF]
            _steps(ctx, [*blocking, *(f for f in sight.notes if _about_obstacle(ctx, f))], sight)
            group.value = len(blocking)
            group.code = "los.obstacles" if blocking else "los.no_obstacle"
    if not sight.blocks:
        _trace_hindrances(ctx, sight, visibility, start, end)
    code = ("los.blocked" if sight.blocks else "los.too_hindered" if not visibility.visible
            else "los.hindered" if visibility.hindrance else "los.clear")  # fmt: skip
    where: list[Place] = [visibility.place] if visibility.place else [segment(start, end)]
    if visibility.point:
        where.append(Place("point", f"{visibility.point[0]:g},{visibility.point[1]:g}"))
    ctx.step(visibility.rule or "3.2.1", code, value=visibility.visible, where=where,
             place=visibility.place.ref if visibility.place else "", hindrance=visibility.hindrance)  # fmt: skip


def _trace_hindrances(ctx: Context, sight: Sight, visibility: Visibility, start: str, end: str) -> None:
    with ctx.group("3.2.1", "los.hindrances", where=[segment(start, end)]) as group:
        quiet = [f for f in sight.notes if f.code in _HINDRANCE_NOTES
                 or (f.code in ("los.missed", "los.on_road") and not _about_obstacle(ctx, f))]  # fmt: skip
        _steps(ctx, [*sight.hindrances, *quiet], sight)
        _trace_moving_vehicles(ctx, visibility.crossed)
        if len(sight.hindrances) > 1:
            ctx.step("3.2.1", "los.sum", value=sight.total, where=[segment(start, end)],
                     values=[f.value for f in sight.hindrances])  # fmt: skip
        if not visibility.visible:
            ctx.table("sight").get("hindrance", "blocks_from")
        group.value = sight.total
        group.code = "los.hindrances" if sight.total else "los.no_hindrance"


def _trace_moving_vehicles(ctx: Context, crossed: tuple[str, ...]) -> None:
    """Vehicles on the way that hinder nothing while they move."""
    now = phase(ctx.position)
    for piece in (p for cell in crossed for p in ctx.position.pieces_at(cell)):
        if piece.kind in ("afv", "wreck") and not hinders(piece, now):
            ctx.step("7.4.1", "los.vehicle_moving", where=[Place("piece", piece.id)], piece=piece.id)


def _trace_ends(ctx: Context, start: str, end: str) -> None:
    """Terrain of the two end hexes that does not count."""
    for cell, code in ((start, "los.own_firer"), (end, "los.own_target")):
        kind = ctx.position.terrain_of.get(cell)
        if kind and ctx.table("terrain").peek(kind, "los") in ("obstacle", "hindrance") and "3.2.1" not in ctx.without:
            ctx.step("3.2.1", code, where=hexes(cell), cell=cell, kind=kind)


def _about_obstacle(ctx: Context, finding: Finding) -> bool:
    return finding.code == "los.lower" or (
        finding.code in ("los.missed", "los.on_road") and ctx.table("terrain").peek(finding.kind, "los") == "obstacle"
    )


def _steps(ctx: Context, findings: Iterable[Finding], sight: Sight) -> None:
    top = max(ctx.position.level_of.get(cell, 0) for cell in (sight.first, sight.last))
    seen: set[tuple[str, str]] = set()
    read: set[tuple[str, str]] = set()
    for f in sorted(findings, key=lambda f: (f.at is None, f.at or Fraction(0))):
        if (f.code, f.cell) in seen:
            continue
        seen.add((f.code, f.cell))
        where = hexes(f.cell)
        with ctx.group(f.rule, _named(ctx, f), where=where, kind=f.kind, cell=f.cell, level=f.level, top=top, hidden=sight.last,
                       month=f"month_{month(ctx.position)}") as step:  # fmt: skip
            step.kind = "compute"
            step.value = f.value or None
            step.note = "interprétation" if f.open or f.code in _OPEN else None
            if (f.code, f.kind) in read:
                continue
            read.add((f.code, f.kind))
            if f.code == "los.hindrance":
                ctx.table("terrain").get(f.kind, "hindrance", where)
            elif f.code == "los.vehicle":
                ctx.table("sight").get("vehicle", "hindrance", where)
            elif f.code == "los.smoke_out":
                ctx.table("sight").get("smoke", "from_inside", where)
            elif f.code in ("los.obstacle", "los.beyond"):
                ctx.table("terrain").get(f.kind, "los", where)


def _named(ctx: Context, finding: Finding) -> str:
    """The code of what was noted: of a vehicle that hinders though it moved this turn, its own."""
    there = ctx.position.pieces_at(finding.cell) if finding.code == "los.vehicle" else ()
    vehicles = [piece for piece in there if piece.kind in ("afv", "wreck")]
    past = bool(vehicles) and all("moved" in piece.status for piece in vehicles)
    return "los.vehicle_past" if past else finding.code


def sight_lines(position: Position, start: str, without: Iterable[str] = ()) -> Iterator[tuple[str, bool, int]]:
    """From one hex to every other: name, whether it is seen, hindrance. For maps of what is seen.

    Args:
        position: the situation.
        start: hex name.

    >>> from tutor.games.asl_sk import GAME
    >>> lines = sight_lines(GAME.load().position("ecole"), "F6")
    >>> seen = {cell: hindrance for cell, visible, hindrance in lines if visible}
    >>> seen["K6"], "G3" in seen
    (4, False)
    """
    compiled = board(position)
    a = compiled.index[position.grid.check(start)]
    omitted = frozenset(without)
    most = GAME.tables["sight"].get("hindrance", "blocks_from")
    for cell, b in compiled.index.items():
        if b != a:
            sight = look(compiled, a, b, omitted)
            yield cell, not sight.blocks and sight.total < most, sight.total
