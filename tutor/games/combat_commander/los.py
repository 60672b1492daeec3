"""Line of sight: whether one hex sees another, what hinders it, and which rule decides where.

**Rule:** 10, T78.4, T79, T84, T86-T88, T92-T94, T97.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import End, Start
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.geometry import point_at
from tutor.core.marks import Seen, Sighting, state_of
from tutor.core.position import Position
from tutor.core.trace import Place, hexes, segment
from tutor.games.combat_commander.board import Board, board
from tutor.games.combat_commander.findings import Finding, Sight
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.sight import look

#: Rules of this module that a computation may leave out.
LOS_RULES = (
    "10.1",
    "10.2.1",
    "10.3",
    "10.3.3",
    "10.3.4",
    "T86",
    "T88.3.2",
    "T88.3.3",
    "T88.4",
    "T88.4.1",
    "T88.5",
    "T93",
)

#: Steps of what might have hindered the line and does not.
UNHINDERED = (
    "los.missed",
    "los.on_road",
    "los.on_rail",
    "los.other_level",
    "los.other_level_side",
    "los.on_track",
    "los.road_over_track",
    "los.past_vertex",
    "los.own_side",
)


@dataclass(frozen=True, slots=True)
class Visibility(Sighting):
    """A line of sight.

    Args:
        visible: whether the two hexes see each other.
        hindrance: what it takes off the firepower, 0 or more (0 when blocked).
        distance: in hexes.
        rule: id of the deciding rule: of what blocks, or of the hindrance that counts; None when nothing does.
        place: where it is decided.
        crossed: hexes between the two ends that the line touches, in order.
        blocking: hexes or sides that block, in order.
        hindrances: (kind, hex or side, value) of each hindrance.
        point: lattice point of the deciding contact.
    """

    visible: bool
    hindrance: int
    distance: int
    rule: str | None
    place: Place | None
    crossed: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()
    hindrances: tuple[tuple[str, str, int], ...] = ()
    point: tuple[float, float] | None = None

    def seen(self) -> Seen:
        """What it comes to, in the words that all games share."""
        acting = self.blocking if not self.visible else tuple(place for _, place, _ in self.hindrances)
        state = state_of(self.visible, self.hindrance)
        return Seen(state, self.rule, self.hindrance, "−", self.place, self.point, self.crossed, acting)


def _check_ends(ctx: Context, start: str, end: str) -> None:
    for cell in (start, end):
        ctx.position.grid.check(cell)
    if start == end:
        raise RequestError(
            f"{start} est à la fois l’observateur et la cible.", remedy="Choisissez deux hexs différents."
        )


@GAME.question(
    "distance",
    rules=("O20.2.2", "3.1.2"),
    label="À quelle distance ?",
    theme="Vue et tir",
    common=True,
    quiet=True,
)
def distance(ctx: Context, start: Start, end: End) -> int:
    """Range from one hex to another, the first not counted.

    Args:
        start, end: hex names.

    Returns:
        Hexes, 0 or more.

    **Rule:** O20.2.2, 3.1.2.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "plateau-livret"), "distance", start="J7", end="N9").value
    4
    """
    grid = ctx.position.grid
    hexes_between = grid.distance(grid.check(start), grid.check(end))
    ctx.step(
        "O20.2.2", "distance.count", value=hexes_between, unit="hexs", where=[segment(start, end)], start=start, end=end
    )
    return hexes_between


@GAME.question(
    "los",
    rules=(
        *("10", "10.1", "10.2", "10.2.1", "10.3", "10.3.3", "10.3.4", "T78.4", "T79", "T81", "T82", "T84"),
        *("T85", "T86", "T87", "T88", "T88.3", "T88.3.2", "T88.3.3", "T88.4", "T88.4.1", "T88.5", "T89", "T90"),
        *("T91", "T92", "T93", "T94", "T97", "T99"),
    ),
    label="Ces deux hexs se voient-ils ?",
    theme="Vue et tir",
    common=True,
    quiet=True,
)
def line_of_sight(ctx: Context, start: Start, end: End) -> Visibility:
    """Whether two hexes see each other, with what hindrance, by which rule and where.

    Args:
        start, end: hex names, different.

    Returns:
        The visibility; its trace holds every obstacle and hindrance met, and what was met without effect.

    Raises:
        UnknownHex: a hex is not on the board. RequestError: both hexes are the same.

    **Rule:** 10.1-10.3.4, T78.4, T79, T84, T86-T88.5, T92-T94, T97.

    >>> from tutor import ask, load_position
    >>> seen = ask(load_position("combat_commander", "livret-ldv"), "los", start="M9", end="N6").value
    >>> seen.visible, seen.hindrance, seen.rule, seen.place.ref
    (True, 2, '10.3', 'N7')
    """
    _check_ends(ctx, start, end)
    for rule in LOS_RULES:
        ctx.on(rule)
    compiled = board(ctx.position)
    a, b = compiled.index[start], compiled.index[end]
    sight = look(compiled, a, b, ctx.without, everything=True)
    ray = compiled.ray_between(a, b)
    crossed = tuple(compiled.cell[i] for c in ray.between if (i := a + c.offset) in compiled.cell)
    visibility = _visibility(compiled, sight, ctx.position.grid.distance(start, end), crossed)
    if ctx.tracing:
        _trace(ctx, compiled, sight, visibility, start, end)
    return visibility


def _visibility(compiled: Board, sight: Sight, distance: int, crossed: tuple[str, ...]) -> Visibility:
    if not sight.blocks and not sight.hindrances:
        return Visibility(True, 0, distance, None, None, crossed)
    deciding = sight.blocks[0] if sight.blocks else max(sight.hindrances, key=lambda f: f.value)
    point = None
    if deciding.at is not None:
        grid = compiled.grid
        point = point_at(grid.centre(sight.first), grid.centre(sight.last), deciding.at)
    if sight.blocks:
        blocking = tuple(dict.fromkeys(f.side or f.cell for f in sight.blocks))
        return Visibility(False, 0, distance, deciding.rule, _place(deciding), crossed, blocking, (), point)
    hindrances = tuple((f.kind, f.side or f.cell, f.value) for f in sight.hindrances)
    return Visibility(True, sight.hindrance, distance, deciding.rule, _place(deciding), crossed, (), hindrances, point)


def _place(finding: Finding) -> Place:
    return Place("side", finding.side) if finding.side else Place("hex", finding.cell)


def _trace(ctx: Context, compiled: Board, sight: Sight, visibility: Visibility, start: str, end: str) -> None:
    """Turn the findings into steps."""
    adjacent = not visibility.crossed and visibility.distance == 1
    ctx.step(
        "10.1", "los.next" if adjacent else "los.line", "input", value=visibility.distance, unit="hexs",
        where=[segment(start, end), *hexes(start, end)],
        start=reader(start), end=reader(end), crossed=visibility.crossed,
    )  # fmt: skip
    if adjacent and not sight.blocks:
        ctx.step("10.1", "los.adjacent", where=hexes(start, end), start=start, end=end)
    _trace_ends(ctx, compiled, sight, start, end)
    units = [p for cell in visibility.crossed for p in ctx.position.pieces_at(cell)]
    if units:
        ctx.step("10.1.1", "los.units", where=[Place("piece", p.id) for p in units], pieces=[p.id for p in units])
    if any(compiled.level[compiled.index[cell]] for cell in (start, end, *visibility.crossed)):
        _trace_relief(ctx, compiled, sight, start, end, visibility.crossed)
    with ctx.group("10.2", "los.obstacles", where=[segment(start, end)]) as group:
        codes = ("los.gully", "los.blaze", "los.obstacle", "los.blind", "los.barrier")
        blocking = [f for f in sight.blocks if f.code in codes]
        harmless = (
            "los.missed",
            "los.on_road",
            "los.on_rail",
            "los.off_road",
            "los.off_rail",
            "los.lower",
            "los.lower_side",
            "los.same_gully",
            "los.blaze_end",
            "los.past_vertex",
            "los.own_side",
        )
        quiet = [f for f in sight.notes if f.code in harmless and _is_obstacle(ctx, f)]
        _steps(ctx, [*blocking, *quiet], sight)
        group.value = len(blocking)
        group.code = "los.obstacles" if blocking else "los.no_obstacle"
    if not sight.blocks:
        with ctx.group("10.3", "los.hindrances", where=[segment(start, end)]) as group:
            quiet = [f for f in sight.notes if f.code in UNHINDERED and not _is_obstacle(ctx, f)]
            _steps(ctx, [*sight.hindrances, *quiet], sight)
            _trace_clear(ctx, compiled, visibility.crossed)
            if len(sight.hindrances) > 1:
                worst = max(sight.hindrances, key=lambda f: f.value)
                code = "los.sum" if "10.3.3" in ctx.without else "los.worst"
                ctx.step(
                    "10.3.3",
                    code,
                    value=sight.hindrance,
                    where=[_place(worst)],
                    kind=worst.kind,
                    values=[f.value for f in sight.hindrances],
                )
            if sight.hindrance and "10.3.2" not in ctx.without:
                ctx.step("10.3.2", "los.firepower", value=-sight.hindrance, unit="PF", hindrance=sight.hindrance)
            group.value = sight.hindrance
            group.code = "los.hindrances" if sight.hindrance else "los.no_hindrance"
    code = "los.blocked" if sight.blocks else "los.hindered" if sight.hindrance else "los.clear"
    where: list[Place] = [visibility.place] if visibility.place else [segment(start, end)]
    if visibility.point:
        where.append(Place("point", f"{visibility.point[0]:g},{visibility.point[1]:g}"))
    ctx.step(
        visibility.rule or "10.1",
        code,
        value=visibility.visible,
        where=where,
        place=visibility.place.ref if visibility.place else "",
        hindrance=visibility.hindrance,
    )


def _trace_ends(ctx: Context, compiled: Board, sight: Sight, start: str, end: str) -> None:
    """Terrain of the two end hexes that does not count; a gully seen into. **Rule:** 10.1, T86."""
    gullies = {f.cell: f.code for f in sight.notes if f.code in ("los.gully_near", "los.gully_above")}
    for cell in (start, end):
        i = compiled.index[cell]
        if cell in gullies:
            ctx.step("T86", gullies[cell], where=hexes(cell), cell=cell)
        kind = compiled.kind[i]
        if "10.1" in ctx.without:
            continue
        if kind and (compiled.obstacle[i] or compiled.hindrance[i]):
            ctx.step("10.1", "los.own_hex", where=hexes(cell), cell=cell, kind=kind)
        if compiled.rail[i]:
            ctx.step("10.1", "los.own_hex", where=hexes(cell), cell=cell, kind="rail")


def _trace_relief(
    ctx: Context, compiled: Board, sight: Sight, start: str, end: str, crossed: Iterable[str] = ()
) -> None:
    levels = [compiled.level[compiled.index[cell]] for cell in (start, end)]
    with ctx.group(
        "T88", "los.relief", where=hexes(start, end), start=start, end=end, start_level=levels[0], end_level=levels[1]
    ) as group:
        codes = ("los.own_crest", "los.crest", "los.hill")
        blocking = [f for f in sight.blocks if f.code in codes]
        quiet = [f for f in sight.notes if f.code in ("los.beside_crest", "los.adjacent_crest")]
        _steps(ctx, [*blocking, *quiet], sight)
        group.value = len(blocking)
        if not blocking and ctx.position.grid.distance(start, end) > 1:
            if levels[0] != levels[1]:
                ctx.step("T88.3.1", "los.crest_passed", where=hexes(sight.first), cell=sight.first, level=max(levels))
            _trace_low_hill(ctx, compiled, crossed, start if levels[0] >= levels[1] else end, min(levels), max(levels))
            ctx.step("T88.3", "los.relief_clear", where=[segment(start, end)])


def _trace_low_hill(ctx: Context, compiled: Board, crossed: Iterable[str], high: str, low: int, top: int) -> None:
    """The highest hill on the way that is below one end alone, or as high as both, and hides nothing. **Rule:** T88.3.3."""
    between = {cell: compiled.level[compiled.index[cell]] for cell in crossed}
    hills = [cell for cell, level in between.items() if max(low, 1) <= level < top or level == low == top > 0]
    if hills and "T88.3.3" not in ctx.without:
        cell = max(hills, key=lambda one: between[one])
        code = "los.hill_level" if low == top else "los.hill_low"
        ctx.step("T88.3.3", code, where=hexes(cell), cell=cell, level=between[cell], high=high, top=top)


def _between_levels(ctx: Context, side: str) -> bool:
    """Whether the two hexes of a side are not at the same level: that of its wall is an open reading."""
    return len({ctx.position.level_of.get(cell, 0) for cell in side.split("/") if cell in ctx.position.grid}) > 1


def _is_obstacle(ctx: Context, finding: Finding) -> bool:
    if finding.side:
        return bool(ctx.table("sides").peek(finding.kind, "los") == "obstacle")
    return finding.kind == "blaze" or ctx.table("terrain").peek(finding.kind, "los") in ("obstacle", "special")


def _steps(ctx: Context, findings: Iterable[Finding], sight: Sight) -> None:
    top = max(ctx.position.level_of.get(cell, 0) for cell in (sight.first, sight.last))
    for f in sorted(findings, key=lambda f: (f.at is None, f.at or Fraction(0))):
        where = [_place(f)]
        with ctx.group(
            f.rule, f.code, where=where, kind=f.kind, cell=f.side or f.cell, level=f.level, top=top, hidden=sight.last
        ) as step:
            step.kind = "compute"
            step.value = f.value or None
            if f.open or (f.side and f.code != "los.own_side" and _between_levels(ctx, f.side)):
                step.note = "interprétation"
            if f.code == "los.hindrance":
                ctx.table("ways" if f.kind == "rail" else "terrain").get(f.kind, "hindrance", where)
            elif f.code == "los.fence":
                ctx.table("sides").get(f.kind, "hindrance", where)
            elif f.code == "los.barrier":
                ctx.step("10.1", "los.foreign_side", where=where, side=f.side)
            elif f.code == "los.own_side":
                ctx.step("10.1", "los.end_side", where=where, kind=f.kind, side=f.side)
            elif f.code == "los.smoke":
                ctx.step("T94", "los.printed_smoke", "input", value=f.value, where=where)
                _trace_any_height(ctx, "T88.5", f, sight)
            elif f.code == "los.blaze":
                _trace_any_height(ctx, "T88.4", f, sight)
                if f.rule != "10.2.1":
                    ctx.step("10.2.1", "los.blaze_blocks", where=where, cell=f.cell)
            elif f.code in ("los.obstacle", "los.blind"):
                ctx.table("terrain").get(f.kind, "los", where)
                if f.code == "los.blind":
                    ctx.step("T88.4", "los.shorter", where=where, cell=f.cell, level=f.level, top=top)
                if f.code == "los.obstacle":
                    rule, code = ("T88.4", "los.same_height") if top or f.level else ("T78.4", "los.same_level")
                    ctx.step(rule, code, where=where, level=f.level, top=top)


def _trace_clear(ctx: Context, compiled: Board, crossed: tuple[str, ...]) -> None:
    """Terrain in between that neither stops nor hinders a line. **Rule:** T86, T95, T98."""
    kinds = {cell: compiled.kind[compiled.index[cell]] for cell in crossed}
    for kind in dict.fromkeys(kinds.values()):
        if kind and ctx.table("terrain").peek(kind, "los") in ("clear", "special"):
            cells = [cell for cell in crossed if kinds[cell] == kind]
            rule = str(ctx.game.tables["terrain"].rows[kind]["rule"])
            ctx.step(rule, "los.clear_terrain", where=hexes(*cells), kind=kind, cells=cells)


def _trace_any_height(ctx: Context, rule: str, finding: Finding, sight: Sight) -> None:
    """Say that smoke or a blaze acts on lines between other levels than its own. **Rule:** T88.4, T88.5."""
    levels = [ctx.position.level_of.get(cell, 0) for cell in (sight.first, sight.last, finding.cell)]
    if len(set(levels)) > 1:
        ctx.step(rule, "los.any_height", value=True, where=[_place(finding)], kind=finding.kind, levels=levels[:2])


def sight_lines(position: Position, start: str, without: Iterable[str] = ()) -> Iterator[tuple[str, bool, int]]:
    """From one hex to every other: name, whether it is seen, hindrance. For maps of what is seen.

    Args:
        position: the situation.
        start: hex name.

    >>> from tutor import load_position
    >>> position = load_position("combat_commander", "livret-ldv")
    >>> seen = {cell: hindrance for cell, visible, hindrance in sight_lines(position, "M9") if visible}
    >>> seen["N6"], seen["N7"], "J7" in seen
    (2, 7, False)
    """
    compiled = board(position)
    a = compiled.index[position.grid.check(start)]
    omitted = frozenset(without)
    for cell, b in compiled.index.items():
        if b != a:
            sight = look(compiled, a, b, omitted)
            yield cell, not sight.blocks, sight.hindrance
