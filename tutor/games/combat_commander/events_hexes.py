"""Events that put or take markers in hexes: smoke, fire, wind, fortifications, and units that arrive.

**Rule:** E46, E47, E48, E53, E55, E56, E58, E59, E68, E69, E70, E73, E76, E77.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.artillery import radio_of
from tutor.games.combat_commander.edges import friendly_edge, nearness
from tutor.games.combat_commander.events import (
    MARKERS,
    Call,
    Event,
    among,
    cell_needed,
    choice,
    effect_of,
    family,
    hit,
    must_choose,
    on_board,
)
from tutor.games.combat_commander.ground import is_aquatic, is_impassable, smoke_drawn, smoke_left
from tutor.games.combat_commander.units import cell_of, is_unit, places, waiting
from tutor.games.combat_commander.victory import controller, objective_hexes, objectives_on

FORTIFICATIONS = ("mines", "wire", "foxholes")


def _free(ctx: Context, call: Call, cell: str, what: str) -> bool:
    """Whether a marker may go to a hex; says why not. **Rule:** E42, 8.1.3, 8.1.5."""
    fortified = ctx.position.marker("fortification", cell)
    if is_aquatic(ctx, cell):
        ctx.step(call.rule, "event.aquatic", value=False, where=hexes(cell), cell=cell)
    elif ctx.position.marker("blaze", cell) is not None:
        ctx.step(call.rule, "event.burning", value=False, where=hexes(cell), cell=cell)
    elif what in FORTIFICATIONS and fortified and ctx.on("8.1.3"):
        ctx.step("8.1.3", "event.fortified", value=False, where=hexes(cell), cell=cell, fortification=fortified)
    else:
        return True
    return False


def _smoke(ctx: Context, call: Call, cell: str) -> dict[str, Any]:
    """Changes that put drawn smoke in a hex; the higher of two stays. **Rule:** 8.1.4, T94."""
    if call.smoke is None:
        ctx.step("T94", "event.smoke_waits", value=None, where=hexes(cell), cell=cell)
        return {}
    ctx.step("T94", "event.smoke", value=smoke_drawn(ctx, call.smoke), where=hexes(cell), cell=cell)
    there = ctx.position.marker("smoke", cell)
    return {f"marker.smoke.{cell}": call.smoke if there is None else smoke_left(ctx, cell, call.smoke)}


@family("marker")
def marker(ctx: Context, call: Call) -> Event:
    """A marker in the random hex, if it may be there. **Rule:** E47, E53, E69, E73."""
    cell, what = cell_needed(call), effect_of(ctx, call)
    if not _free(ctx, call, cell, what):
        return Event()
    if what == "smoke":
        return Event((cell,), True, (cell,), what, 0, _smoke(ctx, call, cell))
    ctx.step(call.rule, "event.marker", value=what, where=hexes(cell), cell=cell)
    inside = [p.id for p in on_board(ctx) if cell_of(ctx, p) == cell]
    if what == "mines" and inside:
        ctx.step("F103.1", "event.mines_inside", value=len(inside), pieces=inside)
    return Event((cell,), True, (cell,), what, 0, {f"marker.fortification.{cell}": what})


@dataclass(frozen=True, slots=True)
class Burnt:
    """A hex that caught fire: what changes, where its units may go, who has gone or died, the points of the dead."""

    changes: Mapping[str, Any]
    ways: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    points: int = 0


def _burn(ctx: Context, call: Call, cell: str, fires: Iterable[str]) -> Burnt:
    """A hex catches fire: its markers go, its units leave for a hex next to it, or die. **Rule:** E46, E48, 8.1.5."""
    changes: dict[str, Any] = {f"marker.blaze.{cell}": True}
    ctx.step(call.rule, "event.blaze", value=cell, where=hexes(cell), cell=cell)
    for kind in ("smoke", "fortification"):
        there = ctx.position.marker(kind, cell)
        if there is not None and not (kind == "smoke" and call.wind):
            changes[f"marker.{kind}.{cell}"] = None
            rule = "8.1.5" if call.wind else call.rule
            lost = there if kind == "fortification" else kind
            ctx.step(rule, "event.burnt", value=lost, where=hexes(cell), cell=cell)
    inside = [p for p in on_board(ctx) if cell_of(ctx, p) == cell]
    if not inside:
        return Burnt(changes)
    grid, names = ctx.position.grid, [p.id for p in inside]
    ways = tuple(c for c in grid.neighbours(cell) if c in grid and c not in fires and not is_impassable(ctx, c))
    if not ways:
        dead = hit(ctx, call, inside, "eliminated")
        return Burnt(changes | dict(dead.changes), (), tuple(names), dead.points)
    ctx.step(call.rule, "event.flee", value=len(ways), where=hexes(*ways), pieces=names, cells=ways)
    fled = _fled(ctx, call, inside, ways)
    return Burnt(changes | fled, ways, tuple(p.id for p in inside if f"piece.{p.id}.at" in fled))


def _fled(ctx: Context, call: Call, inside: list[Piece], ways: tuple[str, ...]) -> dict[str, Any]:
    """Changes that take each unit where its owner wants; a melee follows where the enemy is. **Rule:** E46, O16.4."""
    alone = ways[0] if len(ways) == 1 and call.choose is None else None
    together = call.choose if call.choose in ways else alone
    chosen = {p.id: among(ctx, call, call.flee.get(p.id, together), ways) for p in inside}
    changes: dict[str, Any] = {}
    for refuge in dict.fromkeys(cell for cell in chosen.values() if cell):
        those = [p for p in inside if chosen[p.id] == refuge]
        where, names = (*places(*those), *hexes(refuge)), [p.id for p in those]
        ctx.step(call.rule, "event.fled", value=refuge, where=where, pieces=names, cell=refuge)
        changes |= {f"piece.{name}.at": refuge for name in names}
        for side in dict.fromkeys(p.side for p in those):
            if melee := _melee_at(ctx, refuge, side):
                ctx.step("O16.4", "event.melee", value=1, where=hexes(refuge), cells=[refuge])
                changes |= melee
    return changes


def _strangers(ctx: Context, call: Call, burning: Iterable[str]) -> None:
    """Refuse a hex of refuge for a unit that no fire drives out. **Rule:** E46, E48."""
    caught = [p.id for p in on_board(ctx) if cell_of(ctx, p) in set(burning)]
    for name in call.flee:
        among(ctx, call, name, caught)


@family("fire")
def fire(ctx: Context, call: Call) -> Event:
    """A blaze in the random hex; its units move to an adjacent hex, or are eliminated. **Rule:** E46, 10.2."""
    cell = cell_needed(call)
    if not _free(ctx, call, cell, "blaze"):
        return Event()
    burnt = _burn(ctx, call, cell, (cell,))
    if burnt.ways:
        among(ctx, call, call.choose, burnt.ways)
    _strangers(ctx, call, (cell,))
    return Event(burnt.ways, True, (cell, *burnt.moved), "blaze", burnt.points, burnt.changes)


@family("wind")
def wind(ctx: Context, call: Call) -> Event:
    """All smoke goes, then each blaze spreads one hex downwind. **Rule:** E48."""
    if call.wind is None or call.wind not in range(1, 7):
        raise RequestError("Le Vent a une direction.", remedy="Donnez-en une de 1 (en haut) à 6.")
    smoke = list(ctx.position.markers.get("smoke", {}))
    changes: dict[str, Any] = {f"marker.smoke.{cell}": None for cell in smoke}
    ctx.step("E48", "event.smoke_gone", value=len(smoke), where=hexes(*smoke))
    grid, blazes = ctx.position.grid, list(ctx.position.markers.get("blaze", {}))
    reached = dict.fromkeys(grid.neighbour(cell, call.wind) for cell in blazes)
    new = [c for c in reached if c in grid and c not in blazes and not is_aquatic(ctx, c)]
    code = "event.spreads" if new else "event.no_spread"
    ctx.step("E48", code, value=len(new), where=hexes(*new), wind=call.wind, cells=new)
    burnt = [_burn(ctx, call, cell, (*blazes, *new)) for cell in new]
    options = tuple(dict.fromkeys(way for one in burnt for way in one.ways))
    if options:
        among(ctx, call, call.choose, options)
    _strangers(ctx, call, new)
    for one in burnt:
        changes |= one.changes
    moved = (name for one in burnt for name in one.moved)
    effect = "blaze" if new else "nothing"
    return Event(options, True, (*smoke, *new, *moved), effect, sum(one.points for one in burnt), changes)


def _own_cells(ctx: Context, side: str, *, broken: bool = False) -> tuple[str, ...]:
    units = [p for p in on_board(ctx, side) if not broken or "broken" in p.status]
    return tuple(dict.fromkeys(cell_of(ctx, p) for p in units))


def _friendly(ctx: Context, side: str) -> tuple[str, ...]:
    """Hexes friendly to a side: its units' own, then objectives it controls, free of enemies.

    **Rule:** GLO.Ami, E58.
    """
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    theirs = {cell_of(ctx, p) for p in on_board(ctx) if p.side != side}
    objectives = [n for n in objectives_on(ctx) if controller(silent, n) == side]
    cells = dict.fromkeys(cell for n in objectives for cell in objective_hexes(silent, n))
    own = _own_cells(ctx, side)
    empty = [c for c in cells if c not in theirs and c not in own and not is_impassable(ctx, c)]
    if empty:
        ctx.step("GLO.Ami", "event.friendly_objectives", value=len(empty), where=hexes(*empty), cells=empty)
    ctx.consulted |= silent.consulted
    return (*own, *empty)


def _newcomer(ctx: Context, call: Call, unit: Piece) -> bool:
    """Whether a unit is the hero, or the private, of the side that drew the event. **Rule:** E56, E58."""
    if unit.side != call.side or unit.kind != "leader":
        return False
    return is_hero(unit) if call.name == "event_hero" else _is_private(ctx, unit)


def _is_private(ctx: Context, unit: Piece) -> bool:
    """Whether a leader is the private of his nation: its values tell. **Rule:** E56."""
    events, units = ctx.table("events"), ctx.table("units")
    wanted = {q: events.peek("event_field_promotion", q) for q in ("morale", "command")}
    return unit.kind == "leader" and all(units.peek(unit.counter or "", q) == n for q, n in wanted.items())


def _in_play(ctx: Context, call: Call) -> bool:
    """Whether the hero, or the private, of the side is already on the board."""
    return any(_newcomer(ctx, call, p) for p in on_board(ctx, call.side))


def _enters(ctx: Context, call: Call, cell: str) -> dict[str, Any]:
    """Changes that place the hero or the private in a hex, when the position keeps him beside the board."""
    newcomers = [p for p in waiting(ctx, call.side, "leader") if _newcomer(ctx, call, p)]
    return {f"piece.{p.id}.at": cell for p in newcomers[:1]}


@family("hexes")
def one_hex(ctx: Context, call: Call) -> Event:
    """A hex that the player chooses. **Rule:** E55, E56, E58, E70."""
    who = str(ctx.table("events").peek(call.name, "who"))
    if who == "mines_or_wire":
        fortifications = ctx.position.markers.get("fortification", {})
        options = tuple(cell for cell, kind in fortifications.items() if kind in ("mines", "wire"))
    elif who == "own_hexes":
        options = tuple(c for c in _own_cells(ctx, call.side) if _free(ctx, call, c, "foxholes"))
    elif _in_play(ctx, call):
        ctx.step(call.rule, "event.in_play", value=False)
        return Event(must=False)
    elif who == "own_broken_hexes":
        options = _own_cells(ctx, call.side, broken=True)
    else:
        options = _friendly(ctx, call.side)
    chosen = choice(ctx, call, options, hexes(*options))
    what = effect_of(ctx, call)
    if chosen is None:
        return Event(options, must_choose(ctx, call))
    ctx.step(call.rule, f"event.{what}", value=chosen, where=hexes(chosen), cell=chosen)
    if what in ("foxholes", "cleared"):
        laid = {f"marker.fortification.{chosen}": None if what == "cleared" else what}
        return Event(options, must_choose(ctx, call), (chosen,), what, 0, laid)
    rallied = _hero_rallies(ctx, call, chosen) if what == "hero_enters" else Event()
    changes = {**_enters(ctx, call, chosen), **rallied.changes}
    return Event(options, must_choose(ctx, call), (chosen, *rallied.affected), what, 0, changes)


def _hero_rallies(ctx: Context, call: Call, cell: str) -> Event:
    """The broken friendly unit that a hero rallies where he enters, if the player wants. **Rule:** E58, 3.2.5."""
    broken = [p for p in on_board(ctx, call.side) if cell_of(ctx, p) == cell and "broken" in p.status]
    if broken:
        names = [p.id for p in broken]
        ctx.step("E58", "event.hero_rallies", value=len(broken), where=places(*broken), pieces=names)
    named = among(ctx, call, call.then, [p.id for p in broken])
    return hit(ctx, call, [p for p in broken if p.id == named], "rallied")


def _size(ctx: Context, piece: Piece) -> int:
    return int(ctx.table("sizes").peek(piece.kind, "silhouettes", 0))


def _room(ctx: Context, cell: str, side: str, size: int) -> bool:
    """Whether a unit of a side fits in a hex. **Rule:** 8.2."""
    silhouettes = sum(_size(ctx, p) for p in on_board(ctx, side) if cell_of(ctx, p) == cell)
    return silhouettes + size <= int(ctx.table("limits").peek("silhouettes", "value"))


@family("arrival")
def arrival(ctx: Context, call: Call) -> Event:
    """A unit that arrives, in or next to the random hex, or on the friendly edge. **Rule:** E59, E68, E76."""
    if str(ctx.table("events").peek(call.name, "who")) == "lost_unit":
        return _returns(ctx, call)
    ctx.step(call.rule, "event.support", value=call.kind)
    if call.kind == "radio":
        return _radio(ctx, call)
    cells, cell = _arrives(ctx, call, call.side, call.kind, call.choose)
    return Event(cells, True, (cell,) if cell else (), effect_of(ctx, call), 0, _supported(ctx, call, cell))


def _supported(ctx: Context, call: Call, cell: str | None) -> dict[str, Any]:
    """Changes that place the unit of the Support Table, when the position keeps one beside the board."""
    ready = [p for p in waiting(ctx, call.side, call.kind) if not is_hero(p) and not _is_private(ctx, p)]
    if cell is None or not ready:
        return {}
    return {f"piece.{ready[0].id}.at": cell, **_melee_at(ctx, cell, call.side)}


def _melee_at(ctx: Context, cell: str, side: str) -> dict[str, Any]:
    """A melee follows where the enemy is. **Rule:** O16.4."""
    return {"state.melee": True} if any(p.side != side for p in ctx.position.pieces_at(cell)) else {}


def _radio(ctx: Context, call: Call) -> Event:
    """A radio goes to the artillery box of its side, unless there is one already. **Rule:** E59, E68, 8.1.2."""
    if call.name != "event_reinforcements":
        ctx.refuse(call.rule, "event.refuse.radio")
    elif there := radio_of(ctx, call.side):
        ctx.step("8.1.2", "event.radio_first", value=False, piece=there.id)
        return Event()
    else:
        ctx.step("E68", "event.radio_placed", value=True)
    return Event(effect="arrives")


def _returns(ctx: Context, call: Call) -> Event:
    """An eliminated unit of either side comes back, broken and without its markers. **Rule:** E76, E44.1, 13.3."""
    lost = [p for p in ctx.position.pieces if is_unit(p) and "eliminated" in p.status and not is_hero(p)]
    chosen = choice(ctx, call, tuple(p.id for p in lost), places(*lost))
    if chosen is None:
        return Event(tuple(p.id for p in lost))
    unit = ctx.position.piece(chosen)
    cells, cell = _arrives(ctx, call, unit.side, unit.kind, call.then)
    changes: dict[str, Any] = {f"piece.{chosen}.status.eliminated": False, f"piece.{chosen}.status.broken": True}
    changes |= {f"piece.{chosen}.status.{name}": False for name in MARKERS if name in unit.status}
    if cell:
        changes |= {f"piece.{chosen}.at": cell, **_melee_at(ctx, cell, unit.side)}
    ctx.step("E76", "event.returns", value=True, where=hexes(cell) if cell else (), piece=chosen)
    return Event(cells, True, (chosen,), effect_of(ctx, call), 0, changes)


def _arrives(ctx: Context, call: Call, side: str, kind: str, named: str | None) -> tuple[tuple[str, ...], str | None]:
    """Hexes where a unit may arrive, and the one chosen; a melee follows where the enemy is. **Rule:** O16.4."""
    who = str(ctx.table("events").peek(call.name, "who"))
    size = int(ctx.table("sizes").peek(kind, "silhouettes", 0))
    options = _arrival_cells(ctx, call, who, side, size)
    ctx.step(call.rule, "event.arrives", value=len(options), where=hexes(*options), cells=list(options))
    cell = among(ctx, call, named, options)
    ctx.settle()
    if cell:
        ctx.step(call.rule, "event.arrives_in", value=cell, where=hexes(cell))
    wanted = (cell,) if cell else options
    enemies = [c for c in wanted if any(p.side != side for p in ctx.position.pieces_at(c))]
    if enemies:
        ctx.step("O16.4", "event.melee", value=len(enemies), where=hexes(*enemies), cells=enemies)
    return options, cell


def _arrival_cells(ctx: Context, call: Call, who: str, side: str, size: int) -> tuple[str, ...]:
    grid = ctx.position.grid
    if who == "own_edge":
        edge = friendly_edge(ctx, side)
        if edge is None:
            raise RequestError.unsaid("state.edges", "à qui sont les bords")
        around = [c for c in grid.cells if nearness(ctx, c, edge) == 1]
    else:
        around = [c for c in grid.cells if grid.distance(c, cell_needed(call)) <= 1]
    return tuple(c for c in around if not is_impassable(ctx, c) and _room(ctx, c, side, size))


@family("phosphorus")
def phosphorus(ctx: Context, call: Call) -> Event:
    """Smoke next to an unbroken friendly squad; each side there breaks one of its units. **Rule:** E77."""
    squads = [p for p in on_board(ctx, call.side) if p.kind == "squad" and "broken" not in p.status]
    near = dict.fromkeys(
        c for p in squads for c in ctx.position.grid.neighbours(cell_of(ctx, p)) if c in ctx.position.grid
    )
    options = tuple(c for c in near if not is_aquatic(ctx, c) and ctx.position.marker("blaze", c) is None)
    chosen = choice(ctx, call, options, hexes(*options))
    if chosen is None:
        return Event(options, False)
    changes = _smoke(ctx, call, chosen)
    inside = [p for p in on_board(ctx) if cell_of(ctx, p) == chosen]
    named = [among(ctx, call, name, [p.id for p in inside]) for name in (call.then, *call.others)]
    broken: list[Piece] = []
    for side in ("axis", "allies"):
        theirs = [p for p in inside if p.side == side]
        if theirs:
            ctx.step("E77", "event.breaks_one", value=side, where=places(*theirs), pieces=[p.id for p in theirs])
        hurt = theirs if len(theirs) == 1 else [p for p in theirs if p.id in named]
        if len(hurt) > 1:
            ctx.refuse("E77", "event.refuse.one_each", where=places(*hurt), side=side)
        broken += hurt
    done = hit(ctx, call, broken, "broken")
    return Event(options, False, (chosen, *done.affected), "smoke", done.points, changes | dict(done.changes))
