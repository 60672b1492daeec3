"""Line of sight: lines and who ignores them, walls, dominant positions and the one square hidden behind an obstacle.

The path of the line is a usage, not a rule of this booklet: it carries its badge, and can be switched off.

**Rule:** 1.1.1-1.1.6, 1.3.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from tutor.core.arguments import End, Start
from tutor.core.context import Context
from tutor.core.errors import UnknownValue
from tutor.core.marks import Seen, Sighting, state_of
from tutor.core.position import Piece, Position
from tutor.core.trace import hexes, segment
from tutor.games.heroes_of_normandie.arguments import WithTemplate
from tutor.games.heroes_of_normandie.board import (
    VEHICLES,
    Line,
    as_if,
    grid_of,
    mark,
    red_dot,
    square,
    standing,
    straight,
)
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.tiles import entered

Effect = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Sight(Sighting):
    """A line of sight.

    Args:
        state: clear, affected (met by an obstacle whose effect the base booklet gives), reduced or blocked.
        case: ground, dominant (the shooter dominates), back (the target does), both.
        crossed: squares between the ends.
        effects: (kind, square or side) of all that acts.
        ignored: of what does not.
        hidden: whether the target is the one square just behind an obstacle, seen from a dominant position.
        point: lattice point where it is blocked.
    """

    state: str
    case: str
    crossed: tuple[str, ...]
    effects: tuple[Effect, ...]
    ignored: tuple[Effect, ...]
    hidden: bool = False
    point: tuple[float, float] | None = None

    @property
    def visible(self) -> bool:
        """Whether nothing blocks."""
        return self.state != "blocked"

    def seen(self) -> Seen:
        """What it comes to, in the words that all games share: what acts on the line has no number in this booklet."""
        acting = tuple(place for _, place in self.effects)
        state = state_of(self.visible, self.state in ("affected", "reduced"))
        return Seen(state, self.rule, point=self.point, crossed=self.crossed, acting=acting)

    @property
    def rule(self) -> str:
        """The rule that decides.

        >>> Sight("affected", "ground", (), (("low_wall", "C4/D4"),), ()).rule
        '1.1.1'
        """
        acting = self.effects or self.ignored
        if self.case != "ground" and acting:
            return {"dominant": "1.1.3", "back": "1.1.4", "both": "1.1.5"}[self.case]
        tables = [GAME.tables["sides"].get(kind, "los", "") for kind, place in acting if "/" in place]
        return "1.3.2" if "wall" in tables else "1.1.1" if tables else "1.1.2"


def line_between(ctx: Context, start: str, end: str) -> Line:
    """The line of the base rules, as players draw it.

    Raises:
        UnknownValue: when the reader keeps to the booklet.
    """
    if ctx.setting("los_line") == "unknown":
        raise UnknownValue("base", "los.line", "1.1.2")
    counts = ctx.setting("corner") == "counts"
    line = straight(ctx.position, start, end, counts)
    if ctx.tracing:
        touched = set(line.sides) ^ set(straight(ctx.position, start, end, not counts).sides)
        for side, kind in sorted(touched):
            code = "los.corner_counts" if counts else "los.corner_ignored"
            ctx.step("1.1.1", code, kind=kind, side=side, where=hexes(*side.split("/")), note="interprétation")
    return line


def by_usage(ctx: Context, start: str, end: str) -> None:
    """Say how the base rules, that this booklet leaves out, draw a line: below the step that says where it goes, and
    once for a shot and its smoke.
    """
    if not any(step.code == "table.base.line" for step in ctx.root.walk()):
        ctx.table("base").get("los", "line", where=[segment(start, end)])


def seen_squares(position: Position, *pieces: Piece) -> tuple[str, ...]:
    """Squares where lines between units end: the red dot for one on the upper floor of the chimney.

    Raises:
        UnknownValue: one stands off the grid.
    """
    if any("shifted" in piece.status for piece in pieces):
        raise UnknownValue("base", "los.off_grid", "1.1.2")
    return tuple(_upstairs(position, piece) or square(piece) for piece in pieces)


def _upstairs(position: Position, piece: Piece) -> str | None:
    """The red dot, for a unit on the upper floor."""
    return red_dot(position) if "upstairs" in piece.status else None


def sight_between(ctx: Context, first: Piece, second: Piece, template: bool = False) -> Sight:
    """Line of sight from one unit to another, in a group of its own; at the foot of the chimney nobody dominates.

    Args:
        first, second: units.
        template: see :func:`line_of_sight`.

    **Rule:** 1.1.1-1.1.6, 1.3.7.1.
    """
    position, changes = ctx.position, dict[str, str | None]()
    start, end = seen_squares(position, first, second)
    with ctx.group("1.1.2", "los", start=start, end=end, where=[segment(start, end)]) as group:
        for piece in (first, second):
            if dot := _upstairs(position, piece):
                ctx.step("1.3.7.1", "los.from_dot", who=piece.id, dot=dot, where=hexes(dot))
            elif mark(position, "red_dot", cell := square(piece)):
                changes |= {f"marker.dominant.{cell}": None, **_circle(position, cell)}
                ctx.step("1.3.7.1", "los.ground_floor", who=piece.id)
        seen: Sight = line_of_sight.function(as_if(ctx, changes), start, end, template)
        group.value = seen.state
    return seen


def _circle(position: Position, cell: str) -> dict[str, str]:
    """The red circle round the chimney, as the wall it is for the ground floor."""
    sides = (side for side, kind in position.sides_of.items() if kind == "circle_wall" and cell in side.split("/"))
    return {f"side.{side}": "room_wall" for side in sides}


@GAME.question(
    "los",
    rules=("1.1.1", "1.1.2", "1.1.3", "1.1.4", "1.1.5", "1.1.6", "1.2.3"),
    label="Cette case voit-elle l’autre ?",
    theme="Vue et tir",
    common=True,
)
def line_of_sight(ctx: Context, start: Start, end: End, template: WithTemplate = False) -> Sight:
    """Whether a unit in one square sees another square, and what acts on the line.

    Args:
        start, end: squares.
        template: the attack lays a template over the target's edges.

    Returns:
        The sight; unknown when the path of the line is left to the base booklet.

    Raises:
        UnknownHex: a square is not on the board.

    **Rule:** 1.1.1-1.1.6, 1.2.3, 1.3.2.

    >>> GAME.load().rules["los"](GAME.position("dominante"), start="B2", end="F2").value.state
    'affected'
    >>> GAME.load().rules["los"](GAME.position("dominante"), start="B2", end="G2").value.state
    'clear'
    """
    position = ctx.position
    grid_of(position).check(start), grid_of(position).check(end)
    if start == end:
        ctx.step("1.1.2", "los.same", value="clear", start=start)
        return Sight("clear", "ground", (), (), ())
    line = line_between(ctx, start, end)
    code = "los.crossed" if line.cells else "los.nothing_between"
    with ctx.group("1.1.2", code, start=start, end=end, cells=list(line.cells), where=[segment(start, end)]):
        by_usage(ctx, start, end)
    high, low = mark(position, "dominant", start), mark(position, "dominant", end)
    ctx = entered(ctx, line.cells, *((end, start) if low and not high else (start, end)))
    if high and low and high != low and ctx.on("1.1.5"):
        return _between_heights(ctx, line, start, end, template)
    if high and high != low and ctx.on("1.1.3"):
        return _from_height(ctx, line, start, end, start, template, "dominant")
    if low and high != low and ctx.on("1.1.4"):
        ctx.step("1.1.4", "los.back", start=start, end=end)
        return _from_height(ctx, line.reversed(), end, start, start, template, "back")
    return _on_ground(ctx, line, start, end, template)


def _sides(
    ctx: Context, line: Line, shooter: str, end: str, template: bool, foot: str | None = None
) -> tuple[list[Effect], list[Effect], bool]:
    """Edges that act, edges ignored, whether a wall blocks; ``foot``: lower end of a line from a dominant position."""
    high = foot is not None
    acts: list[Effect] = []
    ignored: list[Effect] = []
    blocked = False
    for side, kind in line.sides:
        how = GAME.tables["sides"].get(kind, "los", "none")
        cells = side.split("/")
        if how == "none":
            ignored.append((kind, side))
        elif how == "wall":
            ctx.step("1.3.2", "los.wall", value=False, kind=kind, side=side, where=hexes(*cells))
            acts.append((kind, side))
            blocked = True
        elif template and end in cells and ctx.on("1.1.1"):
            ctx.step("1.1.1", "los.template", kind=kind, side=side, where=hexes(*cells))
            ignored.append((kind, side))
        elif kind == "elevation_line" and high and ctx.on("1.1.6"):
            ctx.step("1.1.6", "los.elevation", side=side, where=hexes(*cells))
            ignored.append((kind, side))
        elif (touch := _touches(ctx, shooter, kind, side)).counts and ctx.on("1.1.1"):
            upward = foot == shooter and _line_obstacle(kind)
            counts = upward and ctx.setting("next_to_wall") == "counts"
            rule, code = ("1.1.4", "los.wall_counts") if counts else ("1.1.1", "los.next_to_line")
            note = "interprétation" if upward or touch.elsewhere else None
            ctx.step(rule, code, kind=kind, side=side, start=shooter, where=hexes(*cells), note=note)
            (acts if counts else ignored).append((kind, side))
        elif foot is not None and foot not in cells and _line_obstacle(kind):
            ctx.step("1.1.3", "los.beyond", kind=kind, cell=side, end=foot, where=hexes(*cells))
            ignored.append((kind, side))
        else:
            rule = "1.1.6" if high and kind == "dominant_line" else "1.1.1"
            code, note = ("los.line_elsewhere", "interprétation") if touch.elsewhere else ("los.line", None)
            ctx.step(rule, code, kind=kind, side=side, start=shooter, where=hexes(*cells), note=note)
            acts.append((kind, side))
    return acts, ignored, blocked


@dataclass(frozen=True, slots=True)
class _Touch:
    """How a shooter touches a line.

    Args:
        counts: whether he is next to it, as 1.1.1 says.
        elsewhere: whether he touches another side of it than the one that is crossed.
    """

    counts: bool
    elsewhere: bool


def _touches(ctx: Context, shooter: str, kind: str, side: str) -> _Touch:
    """Whether a shooter is next to a line: to the side that is crossed or, by the reading, to any side of it."""
    if shooter in side.split("/"):
        return _Touch(counts=True, elsewhere=False)
    points = grid_of(ctx.position).side_points
    rest = {one: set(points(one)) for one, other in ctx.position.sides_of.items() if other == kind and one != side}
    reached, line = set(points(side)), set[str]()
    while joined := {one for one, ends in rest.items() if one not in line and ends & reached}:
        line |= joined
        reached.update(*(rest[one] for one in joined))
    elsewhere = any(shooter in one.split("/") for one in line)
    return _Touch(counts=elsewhere and ctx.setting("whole_line") == "whole", elsewhere=elsewhere)


def _line_obstacle(kind: str) -> bool:
    """Whether a line is itself an obstacle (1.2.3)."""
    return bool(GAME.tables["sides"].get(kind, "obstacle", False))


def _obstacle(ctx: Context, cell: str) -> str | None:
    """Terrain of a square when it is an obstacle."""
    kind = ctx.position.terrain_of.get(cell)
    return kind if kind and GAME.tables["terrain"].get(kind, "obstacle", False) else None


def _vehicle(ctx: Context, cell: str) -> str | None:
    kinds = [p.kind for p in standing(ctx.position, cell) if p.kind in VEHICLES]
    return kinds[0] if kinds else None


def _same_element(ctx: Context, one: str, other: str) -> bool:
    """Whether two neighbouring squares carry the same obstacle."""
    position = ctx.position
    first, second = mark(position, "element", one), mark(position, "element", other)
    return first == second and _obstacle(ctx, one) == _obstacle(ctx, other)


def _on_ground(ctx: Context, line: Line, start: str, end: str, template: bool) -> Sight:
    acts, ignored, blocked = _sides(ctx, line, start, end, template)
    for cell in line.cells:
        kind = _obstacle(ctx, cell)
        if kind:
            ctx.step("1.1.2", "los.obstacle", kind=kind, cell=cell, where=hexes(cell))
            acts.append((kind, cell))
        elif mark(ctx.position, "dominant", cell) not in (None, mark(ctx.position, "dominant", start)):
            ctx.step("1.1.2", "los.hill", cell=cell, where=hexes(cell), note="interprétation")
        if others := standing(ctx.position, cell):
            hinder = ctx.setting("ground_units") == "hinder"
            code = "los.between_hinders" if hinder else "los.between"
            ids = [piece.id for piece in others]
            ctx.step("1.1.2", code, pieces=ids, cell=cell, where=hexes(cell), note="interprétation")
            acts += [(others[0].kind, cell)] if hinder and not kind else []
    return _verdict(ctx, "ground", line, (start, end), acts, ignored, blocked, False)


def _from_height(ctx: Context, line: Line, top: str, foot: str, shooter: str, template: bool, case: str) -> Sight:
    """From a dominant square ``top`` down to ``foot``; who shoots only matters for lines."""
    position = ctx.position
    own = str(mark(position, "dominant", top))
    if same := [cell for cell in line.cells if mark(position, "dominant", cell) == own]:
        ctx.step("1.1.3", "los.dominant_own", cells=[top, *same], where=hexes(top, *same))
    else:
        ctx.step("1.1.3", "los.dominant", start=top, where=hexes(top))
    end = foot if shooter == top else top
    acts, ignored, blocked = _sides(ctx, line, shooter, end, template, foot)
    through = _through(ctx, line, {own})
    if through and not ctx.without:
        return Sight("blocked", case, line.cells, tuple(acts), tuple(ignored))
    _units(ctx, [cell for cell in line.cells if cell not in through])
    cells = (*line.cells, foot)
    hidden = any(_line_obstacle(kind) for kind, _ in acts)
    for i, cell in enumerate(line.cells):
        if cell in through:
            continue
        obstacle = _obstacle(ctx, cell)
        vehicle = _vehicle(ctx, cell) if ctx.setting("infantry_blocks") == "infantry" else None
        if mark(position, "dominant", cell) and not obstacle:
            ctx.step("1.1.3", "los.hill", cell=cell, where=hexes(cell), note="interprétation")
        for kind in filter(None, (obstacle, vehicle)):
            last = i
            while kind == obstacle and last + 1 < len(line.cells) and _same_element(ctx, cell, line.cells[last + 1]):
                last += 1
            acts_here = cells[last + 1] == foot
            code, note = "los.just_behind" if acts_here else "los.beyond", None
            if acts_here and kind == obstacle and _same_element(ctx, cell, foot):
                acts_here = ctx.setting("deep_target") == "hidden"
                code, note = "los.deep" if acts_here else "los.deep_free", "interprétation"
            ctx.step("1.1.3", code, kind=kind, cell=cell, end=foot, where=hexes(cell, foot), note=note)
            (acts if acts_here else ignored).append((kind, cell))
            hidden = hidden or acts_here
    return _verdict(ctx, case, line, (top, foot), acts, ignored, blocked or bool(through), hidden)


def _units(ctx: Context, cells: list[str]) -> None:
    """Say which units do not block a line from a dominant position, before what may."""
    infantry = ctx.setting("infantry_blocks") == "infantry"
    for cell in cells:
        blocks = infantry and _vehicle(ctx, cell) is not None
        if others := [p.id for p in standing(ctx.position, cell) if p.kind not in VEHICLES or not blocks]:
            ctx.step("1.1.3", "los.units", pieces=others, cell=cell, where=hexes(cell), note="interprétation")


def _between_heights(ctx: Context, line: Line, start: str, end: str, template: bool) -> Sight:
    """Between two dominant positions: what stands at their height, and no other square of theirs."""
    position = ctx.position
    ctx.step("1.1.5", "los.both", value=True)
    ends = {str(mark(position, "dominant", start)), str(mark(position, "dominant", end))}
    own = ends if ctx.setting("own_height") == "refused" else set[str]()
    through = _through(ctx, line, own, "interprétation")
    if through and not ctx.without:
        return Sight("blocked", "both", line.cells, (), ())
    acts, ignored, walled = _high_sides(ctx, line, start, end, template)
    for cell in line.cells:
        if cell in through:
            continue
        if mark(position, "dominant", cell):
            ctx.step("1.1.5", "los.dominant_between", cell=cell, where=hexes(cell))
            acts.append(("dominant", cell))
        elif _obstacle(ctx, cell) or _vehicle(ctx, cell):
            kind = str(_obstacle(ctx, cell) or _vehicle(ctx, cell))
            ctx.step("1.1.5", "los.ground_level", kind=kind, cell=cell, where=hexes(cell))
            ignored.append((kind, cell))
    return _verdict(ctx, "both", line, (start, end), acts, ignored, walled or bool(through), False)


def _high_sides(
    ctx: Context, line: Line, start: str, end: str, template: bool
) -> tuple[list[Effect], list[Effect], bool]:
    """Edges between two dominant positions: dominant lines, and the walls of dominant squares; the others lie below."""
    acts: list[Effect] = []
    ignored: list[Effect] = []
    walled = False
    for side, kind in line.sides:
        cells = side.split("/")
        wall = GAME.tables["sides"].get(kind, "los", "none") == "wall"
        rule, code, note, counts = "1.1.5", "los.ground_side", None, False
        if wall and any(mark(ctx.position, "dominant", cell) for cell in cells):
            rule, code, note, counts, walled = "1.3.2", "los.wall", "interprétation", True, True
        elif kind == "dominant_line":
            template_on = template and end in cells
            touch = _touches(ctx, start, kind, side)
            note = "interprétation" if touch.elsewhere and not template_on else None
            if ctx.on("1.1.1") and (template_on or touch.counts):
                rule, code = "1.1.1", "los.template" if template_on else "los.next_to_line"
            else:
                code, counts = "los.dominant_line", True
        ctx.step(rule, code, kind=kind, side=side, start=start, where=hexes(*cells), note=note)
        (acts if counts else ignored).append((kind, side))
    return acts, ignored, walled


def _through(ctx: Context, line: Line, own: set[str], note: str | None = None) -> list[str]:
    """Squares of the positions at the ends that a line crosses: refused, the shot must go straight out."""
    through = [cell for cell in line.cells if mark(ctx.position, "dominant", cell) in own]
    if through:
        code = "los.own_position" if len(through) == 1 else "los.own_positions"
        ctx.refuse("1.1.3", code, cells=through, where=hexes(*through), note=note)
    return through


def _verdict(
    ctx: Context,
    case: str,
    line: Line,
    ends: tuple[str, str],
    acts: list[Effect],
    ignored: list[Effect],
    blocked: bool,
    hidden: bool,
) -> Sight:
    """State of the line from what acts on it."""
    usage = ctx.setting("obstacles") == "usage"
    state = "blocked" if blocked else "clear"
    if acts and not blocked and ctx.on("1.1.2"):
        state = "affected"
        if usage:
            tables = (ctx.table("terrain"), ctx.table("sides"), ctx.table("kinds"))
            usages = [t.get(k, "usage") for k, _ in acts for t, n in zip(tables, _TABLES, strict=True) if _row(n, k)]
            state = "blocked" if "block" in usages else "reduced" if "reduce" in usages else "affected"
    stops = [place for kind, place in acts if _stops(kind)] if state == "blocked" else []
    point = next((line.places[place] for place in stops if place in line.places), None)
    seen = Sight(state, case, line.cells, tuple(acts), tuple(ignored), hidden, point)
    if state == "affected":
        kinds = list(dict.fromkeys(k for k, _ in acts))
        cells = dict.fromkeys(cell for _, place in acts for cell in place.split("/"))
        ctx.step("1.1.2", "los.affected", value=state, places=[p for _, p in acts], kinds=kinds, where=hexes(*cells))
    else:
        rule = "1.1.2" if acts and not blocked and state != "clear" else seen.rule  # by the usage of an obstacle
        ctx.step(rule, f"los.{state}", value=state, where=hexes(*ends))
    return seen


_TABLES = ("terrain", "sides", "kinds")


def _stops(kind: str) -> bool:
    """Whether a wall, or an obstacle by usage, blocks a line."""
    return any(GAME.tables[name].get(kind, "usage") == "block" for name in _TABLES if _row(name, kind))


def _row(table: str, kind: str) -> bool:
    return GAME.tables[table].has(kind, "usage")
