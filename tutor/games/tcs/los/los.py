"""Line of sight by altitude profile: what stands above the straight line from the low end to the high end.

**Rule:** 7.0, 8.1, 8.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import End, Start
from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.geometry import polygon_spans
from tutor.core.rays import Crossing, Ray
from tutor.core.trace import Place, hexes, segment
from tutor.games.tcs.arguments import ContentionPoint, ContentionPoints
from tutor.games.tcs.board import Board, board
from tutor.games.tcs.game import GAME
from tutor.games.tcs.los.deciding import trace_deciding, trace_seen
from tutor.games.tcs.los.elevation import Elevation, elevation_of, trace_elevation
from tutor.games.tcs.los.lines import Contention, LineOfSight, Profile
from tutor.games.tcs.los.night import sight_limit, trace_night

#: Rules of this module that a computation may leave out.
LOS_RULES = ("7.0", "8.1b", "8.1c", "8.1h", "8.1i", "8.2b", "8.2c", "8.3b")
#: What a verdict says when something else than the ground stops the line.
_STOPPED = {"7.0": "los.too_far", "8.1b": "los.in_smoke", "26.2d": "los.too_dark"}
_PROFILE_RULES = ("8.1h", "8.3b")


@dataclass(frozen=True, slots=True)
class _Point:
    """A contention point before it is judged."""

    cell: str
    distance: int
    base: int
    feature: str | None = None
    height: int = 0
    missed: tuple[str, ...] = ()


def judge(start: int, end: int, distance: int, points: Sequence[_Point], *, touching_blocks: bool) -> Profile:
    """Compare each point with the straight line from the low end to the high end.

    Args:
        start, end: altitudes in metres.
        distance: hexes.
        points: with distances from the low end.
        touching_blocks: whether a point exactly on the line stops it.

    **Rule:** 8.3b.
    """
    low_end = "end" if end < start else "start"
    low, high = min(start, end), max(start, end)
    contentions = []
    for p in points:
        line = low + Fraction((high - low) * p.distance, max(distance, 1))
        altitude = p.base + p.height
        margin = line - altitude
        blocks = margin < 0 or (touching_blocks and margin == 0)
        from_start = distance - p.distance if low_end == "end" else p.distance
        contentions.append(
            Contention(
                p.cell, p.distance, from_start, p.base, p.feature, p.height, altitude, line, margin, blocks, p.missed
            )
        )
    contentions.sort(key=lambda c: c.from_start)
    tightest = min(range(len(contentions)), key=lambda i: contentions[i].margin) if contentions else None
    return Profile(start, end, distance, low_end, tuple(contentions), not any(c.blocks for c in contentions), tightest)


@GAME.question(
    "distance",
    rules=("1.1a",),
    label="À quelle distance ?",
    theme="Vue et terrain",
    common=True,
)
def distance(ctx: Context, start: Start, end: End) -> int:
    """Range from one hex to another, the first not counted.

    Args:
        start, end: hex names.

    Returns:
        Hexes, 0 or more.

    **Rule:** 1.1a.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-panther"), "distance", start="02.03", end="10.03").value
    8
    """
    grid = ctx.position.grid
    count = grid.distance(grid.check(start), grid.check(end))
    ctx.step("1.1a", "distance.count", value=count, unit="hexagones", where=[segment(start, end)], start=start, end=end)
    return count


@GAME.question(
    "profile",
    rules=("8.3b",),
    label="Ce profil laisse-t-il voir ?",
    theme="Vue et terrain",
)
def profile(
    ctx: Context,
    start: Annotated[int, "Altitude d’un bout"],
    end: Annotated[int, "Altitude de l’autre bout"],
    distance: Annotated[int, "Distance"],
    points: ContentionPoints = (),
) -> Profile:
    """Judge a profile given as numbers, without a board: the sighting grid of the booklet.

    Args:
        start, end: altitudes of the two ends in metres.
        distance: hexes between them, 1 or more.
        points: contention points, each ``{name, distance, base, feature?, height?}``: distance in hexes from the low
            end, base altitude in metres, height of what stands on it.

    Returns:
        The judged profile.

    Raises:
        RequestError: a number is missing or out of range.

    **Rule:** 8.1h, 8.3b.

    >>> from tutor import ask, load_position
    >>> point = {"name": "03.05", "distance": 2, "base": 60}
    >>> answer = ask(load_position("tcs", "livret-ldv"), "profile", start=35, end=80, distance=3, points=[point]).value
    >>> answer.visible, str(answer.points[0].line)
    (True, '65')
    """
    for rule in _PROFILE_RULES:
        ctx.on(rule)
    if distance < 1:
        raise RequestError("Un profil demande une distance d’au moins un hexagone.", remedy="Donnez 1 ou plus.")
    given = [_given(p, i, distance, "8.1h" not in ctx.without) for i, p in enumerate(points, 1)]
    judged = judge(start, end, distance, given, touching_blocks="8.3b" in ctx.without)
    ctx.step(
        "8.3b", "los.profile_given", "input", value=distance, unit="hexagones", start=reader(start), end=reader(end),
        low=reader(min(start, end)), high=reader(max(start, end)),
    )  # fmt: skip
    _trace_points(ctx, judged)
    _verdict(ctx, judged, judged.visible, "8.3b", None, ())
    return judged


def _given(point: ContentionPoint, number: int, distance: int, heights: bool) -> _Point:
    if not 0 <= point["distance"] <= distance:
        raise RequestError(
            f"Le point de contentieux {number} est hors de la ligne.",
            remedy=f"Sa distance se compte en hexagones depuis le bout bas, de 0 à {distance}.",
        )
    height = point.get("height", 0) if heights else 0
    return _Point(
        point.get("name", f"PdC {number}"), point["distance"], point["base"], point.get("feature") or None, height
    )


@GAME.question(
    "los",
    rules=("8.1", "8.3"),
    label="Ces deux hexagones se voient-ils ?",
    theme="Vue et terrain",
    common=True,
)
def line_of_sight(ctx: Context, start: Start, end: End) -> LineOfSight:
    """Whether two hexes see each other: profile, smoke and visibility.

    Args:
        start, end: hex names; the same hex sees itself.

    Returns:
        The line of sight, with its profile as data.

    Raises:
        UnknownHex: a hex is not on the board.

    **Rule:** 7.0, 8.1a-8.1i, 8.2-8.5, 19.1a, 26.1c, 26.2b, 26.2d.

    >>> from tutor import ask, load_position
    >>> seen = ask(load_position("tcs", "livret-ldv"), "los", start="01.11", end="04.10").value
    >>> seen.visible, seen.rule, seen.place.ref, str(seen.margin)
    (False, '8.3b', '03.11', '-10/3')
    """
    for cell in (start, end):
        ctx.position.grid.check(cell)
    for rule in LOS_RULES:
        ctx.on(rule)
    compiled = board(ctx.position)
    sight = look(ctx, compiled, start, end)
    if ctx.tracing:
        _trace(ctx, compiled, sight, start, end)
    return sight


def look(ctx: Context, compiled: Board, start: str, end: str) -> LineOfSight:
    """The line of sight between two hexes on the board, untraced."""
    grid = compiled.grid
    n = grid.distance(start, end)
    one, other = elevation_of(ctx, compiled, start), elevation_of(ctx, compiled, end)
    mids = _between(compiled, start, end) if n > 1 else []
    crossed = tuple(cell for cell, _ in mids)
    low_cell = end if other.value < one.value else start
    judged = mids if ctx.setting("corner") == "counts" else [m for m in mids if not _only_corner(compiled, *m)]
    points = [p for cell, mid in judged for p in _contention(ctx, compiled, start, end, low_cell, cell, mid)]
    if "8.1c" in ctx.without and n:
        points += _own_terrain(ctx, compiled, low_cell, (start, end))
    seen = judge(one.value, other.value, n, points, touching_blocks="8.3b" in ctx.without)
    smoke = tuple(c for c in crossed if c in compiled.smoke) if "8.1b" not in ctx.without else ()
    limit, limited_by = sight_limit(ctx, compiled, start, end)
    beyond = bool(limit) and n > limit and "7.0" not in ctx.without
    blocking = tuple(dict.fromkeys([*smoke, *(c.cell for c in seen.points if c.blocks)]))
    rule, place = None, None
    if beyond:
        rule, place = limited_by, segment(start, end)
    elif smoke:
        rule, place = "8.1b", Place("hex", smoke[0])
    elif not seen.visible:
        worst = next(c for c in seen.points if c.blocks)
        rule, place = "8.3b", Place("hex", worst.cell)
    margin = None if seen.tightest is None else seen.points[seen.tightest].margin
    return LineOfSight(rule is None, n, rule, place, margin, crossed, blocking, smoke, seen, ctx.setting("elevation"))


def sight_of(ctx: Context, start: str, end: str) -> LineOfSight:
    """The line of sight that another question needs, said in the trace with what it hangs on."""
    compiled = board(ctx.position)
    seen = look(ctx, compiled, start, end)
    trace_seen(ctx, compiled, seen, start, end, lambda other: look(other, compiled, start, end))
    return seen


def _between(compiled: Board, start: str, end: str) -> list[tuple[str, Crossing]]:
    """Hexes between the two ends whose closed outline the line touches, in order."""
    base = compiled.index[start]
    return [
        (compiled.cell[base + mid.offset], mid)
        for mid in compiled.ray(start, end).between
        if base + mid.offset in compiled.cell
    ]


def _only_corner(compiled: Board, cell: str, mid: Crossing) -> bool:
    """Whether the line meets a hex at one corner only, and nothing there fills the whole hex."""
    kinds = compiled.features.get(cell, ())
    return mid.enter == mid.leave and all(GAME.tables["terrain"].get(k, "los") != "whole" for k in kinds)


def _contention(
    ctx: Context, compiled: Board, start: str, end: str, low: str, cell: str, mid: Crossing
) -> Iterator[_Point]:
    """The contention point of a hex: its ground, with the highest feature that the line cuts or touches."""
    ground = elevation_of(ctx, compiled, cell, contention=True)
    feature, height, missed = None, 0, list[str]()
    if "8.1h" not in ctx.without:
        kinds = compiled.features.get(cell, ())
        cut = [k for k in kinds if _touched(compiled, start, end, cell, k, mid)]
        missed = [k for k in kinds if k not in cut and GAME.tables["terrain"].get(k, "los") == "drawing"]
        touched = [(compiled.height(k, GAME.tables["terrain"].get(k, "height", 0)), k) for k in cut]
        touched += [
            (compiled.height(k, GAME.tables["sides"].get(k, "height", 0)), k)
            for k in _hedges(ctx, compiled, start, end, cell)
        ]
        if touched:
            height, feature = max(touched)
    feature = feature if height else None
    yield _Point(cell, compiled.grid.distance(low, cell), ground.value, feature, height, tuple(missed))


def _touched(compiled: Board, start: str, end: str, cell: str, kind: str, mid: Crossing) -> bool:
    """Whether a feature counts for a line that touches its hex: whole-hex terrain always, else by its drawing."""
    how = GAME.tables["terrain"].get(kind, "los", "clear")
    if how != "drawing":
        return bool(how == "whole")
    own = compiled.drawn.get(cell)
    if not own:
        return mid.span(compiled.joined(cell, kind)) is not None
    p, q = compiled.grid.centre(start), compiled.grid.centre(end)
    den = compiled.ray(start, end).den
    low, high = Fraction(mid.enter, den), Fraction(mid.leave, den)
    return any(t0 <= high and t1 >= low for points in own for t0, t1 in polygon_spans(p, q, points))


def _hedges(ctx: Context, compiled: Board, start: str, end: str, cell: str) -> list[str]:
    """Kinds of hexside terrain of a hex that the line touches; the sides of the two end hexes never count (8.1c).

    By the setting ``hedge`` such a side stands in both its hexes, or in the lower one.
    """
    if not compiled.hedges:
        return []
    line: Ray = compiled.ray(start, end)
    base = compiled.index[start]
    kinds = []
    for key, _, _ in line.sides:
        offset, d = divmod(key, 3)
        one = compiled.cell.get(base + offset)
        if one is None:
            continue
        other = compiled.grid.neighbour(one, d + 1)
        if cell in (one, other):
            kind = compiled.hedges.get(compiled.grid.side_between(one, other))
            if kind and not _above(ctx, compiled, cell, other if cell == one else one):
                kinds.append(kind)
    return kinds


def _above(ctx: Context, compiled: Board, cell: str, beyond: str) -> bool:
    """Whether a hedge stands in the hex beyond alone, lower, by the setting ``hedge``."""
    if ctx.setting("hedge") == "both" or beyond not in compiled.index:
        return False
    ground = [elevation_of(ctx, compiled, c, contention=True).value for c in (cell, beyond)]
    return ground[0] > ground[1]


def _own_terrain(ctx: Context, compiled: Board, low: str, ends: Sequence[str]) -> Iterator[_Point]:
    """The terrain of the two end hexes, for whoever forgets that it never counts."""
    if "8.1h" in ctx.without:
        return
    for cell in ends:
        for kind in compiled.features.get(cell, ()):
            height = compiled.height(kind, GAME.tables["terrain"].get(kind, "height", 0))
            if height:
                ground = elevation_of(ctx, compiled, cell)
                yield _Point(cell, compiled.grid.distance(low, cell), ground.value, kind, height)


# -- the trace --------------------------------------------------------------------------------------------------


def _trace(ctx: Context, compiled: Board, sight: LineOfSight, start: str, end: str) -> None:
    n, where = sight.distance, [segment(start, end), *hexes(start, end)]
    code = "los.line" if sight.crossed else "los.same" if n == 0 else "los.next"
    rule = "8.1a" if n != 1 else "8.1d"
    ctx.step(rule, code, "input", value=n, unit="hexagones", where=where,
             start=reader(start), end=reader(end), crossed=sight.crossed)  # fmt: skip
    trace_night(ctx, compiled, start, end)
    if sight.rule == "7.0" and "visibility" not in ctx.position.state:
        ctx.step("26.1c", "los.night", value=compiled.visibility, unit="hexagones")
    if sight.rule == "7.0":
        ctx.step("7.0", "los.visibility", where=where, value=False, distance=n, visibility=compiled.visibility)
    with ctx.group("8.3b", "los.ends", where=hexes(start, end), start=start, end=end) as group:
        for cell in (start, end):
            trace_elevation(ctx, compiled, elevation_of(ctx, compiled, cell))
        group.value = sight.profile.end - sight.profile.start
    for cell in (start, end):
        for kind in compiled.features.get(cell, ()):
            if "8.1c" not in ctx.without and GAME.tables["terrain"].get(kind, "height", 0):
                ctx.step("8.1c", "los.own_hex", where=hexes(cell), cell=cell, kind=kind)
        if cell in compiled.smoke and n:
            ctx.step("8.1b", "los.own_smoke", where=hexes(cell), cell=cell)
    for cell, beside in zip((start, end), (*sight.crossed[:1], *sight.crossed[-1:]), strict=False):
        side = compiled.grid.side_between(cell, beside) if compiled.grid.distance(cell, beside) == 1 else ""
        if side in compiled.hedges and "8.1c" not in ctx.without:
            ctx.step("8.1c", "los.own_hedge", where=hexes(cell), cell=cell, kind=compiled.hedges[side])
    units = [p for cell in sight.crossed for p in ctx.position.pieces_at(cell)]
    if units:
        ctx.step("8.1a", "los.units", where=[Place("piece", p.id) for p in units], pieces=[p.id for p in units])
    for cell in sight.smoke:
        source = compiled.spread.get(cell, cell)
        if source != cell:
            ctx.step("19.3b", "los.smoke_spread", where=hexes(cell, source), cell=cell, source=source)
        ctx.step("8.1b", "los.smoke", where=hexes(cell), cell=cell)
    for cell, mid in _between(compiled, start, end) if n > 1 else ():
        if _only_corner(compiled, cell, mid):
            code = "los.corner_counts" if ctx.setting("corner") == "counts" else "los.corner_ignored"
            ctx.step("8.1g", code, where=hexes(cell), note="interprétation", cell=cell)
    _trace_points(ctx, sight.profile, compiled, (start, end))
    trace_deciding(ctx, compiled, sight, start, end, lambda other: look(other, compiled, start, end))
    _verdict(ctx, sight.profile, sight.visible, sight.rule or "8.3b", sight.place, where)


def _trace_points(
    ctx: Context, seen: Profile, compiled: Board | None = None, ends: tuple[str, str] | None = None
) -> None:
    for point in seen.points:
        where = hexes(point.cell) if compiled else ()
        code = "los.over" if point.blocks else "los.on" if point.margin == 0 else "los.under"
        with ctx.group("8.3b", code, where=where, cell=point.cell, distance=point.distance, line=_metres(point.line),
                       altitude=point.altitude, margin=_metres(point.margin)) as group:  # fmt: skip
            group.value, group.unit = point.altitude, "m"
            if compiled and ends:
                _trace_ground(ctx, compiled, point, ends)
            elif point.height:
                ctx.step("8.1h", "los.height_given", value=point.height, unit="m", cell=point.cell, base=point.base,
                         kind=point.feature or "obstacle")  # fmt: skip
            ctx.step("8.3b", "los.line_there", value=_metres(point.line), unit="m", where=where,
                     low=min(seen.start, seen.end), high=max(seen.start, seen.end),
                     distance=point.distance, total=seen.distance)  # fmt: skip


def _trace_ground(ctx: Context, compiled: Board, point: Contention, ends: tuple[str, str]) -> None:
    cell = point.cell
    if cell in ends:
        ctx.step("8.1c", "los.own_counts", where=hexes(cell), cell=cell, value=point.altitude, unit="m")
    ground: Elevation = elevation_of(ctx, compiled, cell, contention=cell not in ends)
    trace_elevation(ctx, compiled, ground)
    if point.feature and point.height:
        table = "sides" if GAME.tables["sides"].has(point.feature) else "terrain"
        if compiled.height(point.feature, -1) >= 0:
            ctx.step(
                "8.1h", "los.height_own", value=point.height, unit="m", where=hexes(cell), kind=point.feature, cell=cell
            )
        else:
            ctx.table(table).get(point.feature, "height", hexes(cell))
        if table == "sides":
            code = "los.hedge_both" if ctx.setting("hedge") == "both" else "los.hedge_lower"
            ctx.step("8.1h", code, where=hexes(cell), note="interprétation", cell=cell, kind=point.feature)
        if GAME.tables[table].get(point.feature, "los") == "whole":
            ctx.step("8.1h", "los.whole_hex", where=hexes(cell), kind=point.feature, cell=cell)
    for kind in point.missed:
        ctx.step("8.1h", "los.missed", where=hexes(cell), kind=kind, cell=cell)


def _verdict(
    ctx: Context, seen: Profile, visible: bool, rule: str, place: Place | None, where: Sequence[Place]
) -> None:
    stopping = [c.cell for c in seen.points if c.blocks]
    code = "los.clear" if visible else _STOPPED.get(rule, "los.blocked")
    at = place.ref if place else ""
    if place and place.kind == "hex":
        where = hexes(*stopping) if code == "los.blocked" and at in stopping else [place]
    ctx.step(rule, code, value=visible, where=where, place=at, cells=stopping)


def _metres(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 1)


@GAME.question(
    "seen_from",
    rules=("8.3",),
    label="Que voit cet hexagone ?",
    theme="Vue et terrain",
    common=True,
)
def seen_from(ctx: Context, start: Start) -> dict[str, bool]:
    """Which hexes a hex sees.

    Args:
        start: hex name.

    Returns:
        Whether it sees each other hex of the board, in board order.

    **Rule:** 7.0, 8.1, 8.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "livret-ldv").change({"setting.elevation": "standard"})
    >>> seen = ask(position, "seen_from", start="02.06").value
    >>> seen["03.09"], seen["01.11"], len(seen)
    (True, False, 64)
    """
    ctx.position.grid.check(start)
    for rule in LOS_RULES:
        ctx.on(rule)
    compiled = board(ctx.position)
    seen = {cell: look(ctx, compiled, start, cell).visible for cell in compiled.index if cell != start}
    ctx.step("8.3", "los.seen_from", value=sum(seen.values()), where=hexes(start), start=start, total=len(seen))
    return seen
