"""Line of sight by altitude profile: what stands above the straight line from the low end to the high end.

**Rule:** 7.0, 8.1, 8.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.geometry import polygon_spans
from tutor.core.rays import Crossing, Ray
from tutor.core.trace import Place, hexes, segment
from tutor.games.tcs.board import Board, board
from tutor.games.tcs.elevation import Elevation, elevation_of, tell
from tutor.games.tcs.game import GAME
from tutor.games.tcs.night import sight_limit
from tutor.games.tcs.night import tell as tell_night

#: Rules of this module that a computation may leave out.
LOS_RULES = ("7.0", "8.1b", "8.1c", "8.1h", "8.1i", "8.2b", "8.2c", "8.3b")
#: What a verdict says when something else than the ground stops the line.
_STOPPED = {"7.0": "los.too_far", "8.1b": "los.in_smoke", "26.2d": "los.too_dark"}
_PROFILE_RULES = ("8.1h", "8.3b")


@dataclass(frozen=True, slots=True)
class Contention:
    """One point of contention (PdC) of a profile.

    Args:
        cell: its hex, or the name a reader gave it.
        distance: hexes from the low end (from the start when both ends are level); from_start: hexes from the start.
        base: elevation of the ground in metres; feature: what adds to it, or None; height: how much.
        altitude: base + height; line: altitude of the straight line there; margin: line less altitude, negative if it blocks.
        blocks: whether it stops the line; missed: terrain drawn there that the line passes by.
    """

    cell: str
    distance: int
    from_start: int
    base: int
    feature: str | None
    height: int
    altitude: int
    line: Fraction
    margin: Fraction
    blocks: bool
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A line of sight seen from the side, to be judged or drawn.

    Args:
        start, end: altitudes of the ends in metres; distance: hexes between them; low_end: ``start`` or ``end``.
        points: contention points by distance from the start; visible: whether none is above the line.
        tightest: index in ``points`` of the smallest margin, or None.
    """

    start: int
    end: int
    distance: int
    low_end: str
    points: tuple[Contention, ...]
    visible: bool
    tightest: int | None


@dataclass(frozen=True, slots=True)
class LineOfSight:
    """A line of sight.

    Args:
        visible: whether the two hexes see each other; distance: in hexes.
        rule: id of the rule that blocks it, or None; place: where.
        margin: metres between the line and its tightest point, negative when it blocks, None without contention point.
        crossed: hexes between the two ends that the line touches, in order; blocking: those that stop it.
        smoke: hexes whose smoke stops it; profile: the line seen from the side; method: how elevations were found.
    """

    visible: bool
    distance: int
    rule: str | None
    place: Place | None
    margin: Fraction | None
    crossed: tuple[str, ...]
    blocking: tuple[str, ...]
    smoke: tuple[str, ...]
    profile: Profile
    method: str


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
        start, end: altitudes in metres; distance: hexes; points: with distances from the low end.
        touching_blocks: whether a point exactly on the line stops it.

    **Rule:** 8.3b.
    """
    low_end = "end" if end < start else "start"
    low, high = min(start, end), max(start, end)
    found = []
    for p in points:
        line = low + Fraction((high - low) * p.distance, max(distance, 1))
        altitude = p.base + p.height
        margin = line - altitude
        blocks = margin < 0 or (touching_blocks and margin == 0)
        from_start = distance - p.distance if low_end == "end" else p.distance
        found.append(
            Contention(
                p.cell, p.distance, from_start, p.base, p.feature, p.height, altitude, line, margin, blocks, p.missed
            )
        )
    found.sort(key=lambda c: c.from_start)
    tightest = min(range(len(found)), key=lambda i: found[i].margin) if found else None
    return Profile(start, end, distance, low_end, tuple(found), not any(c.blocks for c in found), tightest)


@GAME.rule("distance", "1.1a")
def distance(ctx: Context, start: str, end: str) -> int:
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


@GAME.rule("profile", "8.3b")
def profile(ctx: Context, start: int, end: int, distance: int, points: Sequence[Mapping[str, Any]] = ()) -> Profile:
    """Judge a profile given as numbers, without a board: the sighting grid of the booklet.

    Args:
        start, end: altitudes of the two ends in metres.
        distance: hexes between them, 1 or more.
        points: contention points, each ``{name, distance, base, feature?, height?}``: distance in hexes from the low end,
            base altitude in metres, height of what stands on it.

    Returns:
        The judged profile.

    Raises:
        RequestError: a number is missing or out of range.

    **Rule:** 8.1h, 8.3b.

    >>> from tutor import ask, load_position
    >>> point = {"name": "03.05", "distance": 2, "base": 60}
    >>> found = ask(load_position("tcs", "livret-ldv"), "profile", start=35, end=80, distance=3, points=[point]).value
    >>> found.visible, str(found.points[0].line)
    (True, '65')
    """
    for rule in _PROFILE_RULES:
        ctx.on(rule)
    if type(start) is not int or type(end) is not int or type(distance) is not int or distance < 1:
        raise RequestError(
            "Un profil demande deux altitudes et une distance d’au moins un hexagone.",
            remedy="Donnez des nombres entiers.",
        )
    given = [_given(p, i, distance, "8.1h" not in ctx.without) for i, p in enumerate(points, 1)]
    found = judge(start, end, distance, given, touching_blocks="8.3b" in ctx.without)
    ctx.step(
        "8.3b", "los.profile_given", "input", value=distance, unit="hexagones", start=reader(start), end=reader(end),
        low=reader(min(start, end)), high=reader(max(start, end)),
    )  # fmt: skip
    _tell_points(ctx, found)
    _verdict(ctx, found, found.visible, "8.3b", None, ())
    return found


def _given(point: Mapping[str, Any], number: int, distance: int, heights: bool) -> _Point:
    name = str(point.get("name", f"PdC {number}")) if isinstance(point, Mapping) else ""
    values = (
        [point.get("distance"), point.get("base"), point.get("height", 0)] if isinstance(point, Mapping) else [None]
    )
    if any(type(v) is not int for v in values) or not 0 <= int(values[0] or 0) <= distance:
        raise RequestError(
            f"Le point de contentieux {number} est incomplet ou hors de la ligne.",
            remedy="Donnez sa distance (en hexagones depuis le bout bas), l’altitude de son sol et sa hauteur (en mètres).",
        )
    feature = point.get("feature")
    height = point.get("height", 0) if heights else 0
    return _Point(name, point["distance"], point["base"], str(feature) if feature else None, height)


@GAME.rule("los", "8.1", "8.3")
def line_of_sight(ctx: Context, start: str, end: str) -> LineOfSight:
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
    found = look(ctx, compiled, start, end)
    if ctx.tracing:
        _tell(ctx, compiled, found, start, end)
    return found


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
    found = []
    for key, _, _ in line.sides:
        offset, d = divmod(key, 3)
        one = compiled.cell.get(base + offset)
        if one is None:
            continue
        other = compiled.grid.neighbour(one, d + 1)
        if cell in (one, other):
            kind = compiled.hedges.get(compiled.grid.side_between(one, other))
            if kind and not _above(ctx, compiled, cell, other if cell == one else one):
                found.append(kind)
    return found


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


def _tell(ctx: Context, compiled: Board, found: LineOfSight, start: str, end: str) -> None:
    n, where = found.distance, [segment(start, end), *hexes(start, end)]
    code = "los.line" if found.crossed else "los.same" if n == 0 else "los.next"
    rule = "8.1a" if n != 1 else "8.1d"
    ctx.step(rule, code, "input", value=n, unit="hexagones", where=where, start=reader(start), end=reader(end), crossed=found.crossed)  # fmt: skip
    tell_night(ctx, compiled, start, end)
    if found.rule == "7.0" and "visibility" not in ctx.position.state:
        ctx.step("26.1c", "los.night", value=compiled.visibility, unit="hexagones")
    if found.rule == "7.0":
        ctx.step("7.0", "los.visibility", where=where, value=False, distance=n, visibility=compiled.visibility)
    with ctx.group("8.3b", "los.ends", where=hexes(start, end), start=start, end=end) as group:
        for cell in (start, end):
            tell(ctx, compiled, elevation_of(ctx, compiled, cell))
        group.value = found.profile.end - found.profile.start
    for cell in (start, end):
        for kind in compiled.features.get(cell, ()):
            if "8.1c" not in ctx.without and GAME.tables["terrain"].get(kind, "height", 0):
                ctx.step("8.1c", "los.own_hex", where=hexes(cell), cell=cell, kind=kind)
        if cell in compiled.smoke and n:
            ctx.step("8.1b", "los.own_smoke", where=hexes(cell), cell=cell)
    units = [p for cell in found.crossed for p in ctx.position.pieces_at(cell)]
    if units:
        ctx.step("8.1a", "los.units", where=[Place("piece", p.id) for p in units], pieces=[p.id for p in units])
    for cell in found.smoke:
        source = compiled.spread.get(cell, cell)
        if source != cell:
            ctx.step("19.3b", "los.smoke_spread", where=hexes(cell, source), cell=cell, source=source)
        ctx.step("8.1b", "los.smoke", where=hexes(cell), cell=cell)
    for cell, mid in _between(compiled, start, end) if n > 1 else ():
        if _only_corner(compiled, cell, mid):
            code = "los.corner_counts" if ctx.setting("corner") == "counts" else "los.corner_ignored"
            ctx.step("8.1g", code, where=hexes(cell), note="interprétation", cell=cell)
    _tell_points(ctx, found.profile, compiled, (start, end))
    _verdict(ctx, found.profile, found.visible, found.rule or "8.3b", found.place, where)


def _tell_points(
    ctx: Context, seen: Profile, compiled: Board | None = None, ends: tuple[str, str] | None = None
) -> None:
    for point in seen.points:
        where = hexes(point.cell) if compiled else ()
        code = "los.over" if point.blocks else "los.on" if point.margin == 0 else "los.under"
        with ctx.group("8.3b", code, where=where, cell=point.cell, distance=point.distance, line=_metres(point.line),
                       altitude=point.altitude, margin=_metres(abs(point.margin))) as group:  # fmt: skip
            group.value, group.unit = point.altitude, "m"
            if compiled and ends:
                _tell_ground(ctx, compiled, point, ends)
            elif point.height:
                ctx.step("8.1h", "los.height_given", value=point.height, unit="m", cell=point.cell, base=point.base,
                         kind=point.feature or "obstacle")  # fmt: skip
            ctx.step("8.3b", "los.line_there", value=_metres(point.line), unit="m", where=where, low=min(seen.start, seen.end),
                     high=max(seen.start, seen.end), distance=point.distance, total=seen.distance)  # fmt: skip


def _tell_ground(ctx: Context, compiled: Board, point: Contention, ends: tuple[str, str]) -> None:
    cell = point.cell
    if cell in ends:
        ctx.step("8.1c", "los.own_counts", where=hexes(cell), cell=cell, value=point.altitude, unit="m")
    ground: Elevation = elevation_of(ctx, compiled, cell, contention=cell not in ends)
    tell(ctx, compiled, ground)
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
    ctx.step(
        rule, code, value=visible, where=[place] if place and place.kind == "hex" else where, place=at, cells=stopping
    )


def _metres(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 1)


@GAME.rule("seen_from", "8.3")
def seen_from(ctx: Context, start: str) -> dict[str, bool]:
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
    found = {cell: look(ctx, compiled, start, cell).visible for cell in compiled.index if cell != start}
    ctx.step("8.3", "los.seen_from", value=sum(found.values()), where=hexes(start), start=start, total=len(found))
    return found
