"""Rout of a broken unit: the steps it may take, the shelter it must reach, and the interdiction it meets on the way.

**Rule:** 3.6, 3.6-low-crawl, 3.6-destination, 3.6-interdiction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from tutor.core.context import Context
from tutor.core.dice import Dice, total
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.defence import check_path, decimal, entry_cost, follows_road
from tutor.games.asl_sk.drm import open_ground
from tutor.games.asl_sk.firepower import alone, normal_range, seen
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.morale import Troop, reduce, silent, troop
from tutor.games.asl_sk.odds import wound_dice
from tutor.games.asl_sk.units import INFANTRY, MMC, enemies, infantry, number, places, stacked


@dataclass(frozen=True, slots=True)
class Goals:
    """Where a broken unit may rout.

    Args:
        must: the nearest shelters it has to reach, empty when it has none; cost: MF to them, None without shelter.
        shelters: every eligible shelter and its MF; reach: every hex it may end in, with its MF.
    """

    must: tuple[str, ...]
    cost: Fraction | None
    shelters: dict[str, Fraction]
    reach: dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Rout:
    """A rout along a path.

    Args:
        end: where it leads; cost: MF; interdicted: (hex, ids of those who interdict there), in order.
        odds: ``whole``, ``reduced`` (arrives as a Half-Squad, or a leader wounded), ``stopped`` (Pin on the way) and ``eliminated``.
    """

    end: str
    cost: Fraction
    interdicted: tuple[tuple[str, tuple[str, ...]], ...]
    odds: dict[str, Fraction]


def known_enemies(ctx: Context, unit: Piece) -> list[tuple[Piece, str]]:
    """Known enemy units on the board, each with its hex."""
    return [
        (p, str(p.at))
        for p in ctx.position.pieces
        if p.side != unit.side
        and p.kind in INFANTRY | {"afv"}
        and "hidden" not in p.status
        and p.at in ctx.position.grid
    ]


def forbidden(ctx: Context, unit: Piece, here: str, there: str) -> Iterator[tuple[str, str, list[str]]]:
    """Why a routing unit may not take a step: (rule, code, ids of the enemies).

    **Rule:** 3.3, 3.6-destination.
    """
    away = ctx.position.grid.distance
    if enemies(ctx.position, unit.side, there):
        yield "3.3", "rout.enemy", [p.id for p in enemies(ctx.position, unit.side, there)]
    near, closer = [], []
    for enemy, at in known_enemies(ctx, unit):
        before, after = away(here, at), away(there, at)
        if before == 1 and after == 1:
            near.append(enemy.id)
        elif after < before and seen(ctx, at, here).visible:
            closer.append(enemy.id)
    if near:
        yield "3.6-destination", "rout.still_adjacent", near
    if closer:
        yield "3.6-destination", "rout.closer", closer


def may_end(ctx: Context, unit: Piece, cell: str) -> bool:
    """Whether a routing unit may end in a hex: beside no known enemy that is not broken.

    **Rule:** 3.6.
    """
    return not _beside(ctx, unit, cell)


def _beside(ctx: Context, unit: Piece, cell: str) -> tuple[str, ...]:
    """Known enemies, not broken, in a hex or beside it."""
    away = ctx.position.grid.distance
    return tuple(p.id for p, at in known_enemies(ctx, unit) if "broken" not in p.status and away(cell, at) <= 1)


def _allowance(ctx: Context, unit: Piece) -> int:
    if unit.kind == "leader" and "wounded" in unit.status:
        return int(ctx.table("movement").peek("wounded", "mf"))
    return int(ctx.table("limits").peek("rout", "mf"))


def _full(ctx: Context, unit: Piece, cell: str) -> bool:
    half = Fraction(1, 2) if ctx.setting("rout_stack") == "squads" else Fraction(1)
    return stacked(ctx.position, [unit], cell, half) > int(ctx.table("limits").peek("stack", "squads"))


def _reach(ctx: Context, unit: Piece, start: str) -> dict[str, Fraction]:
    """MF to every hex that legal steps lead to."""
    most = _allowance(ctx, unit)
    found: dict[str, Fraction] = {start: Fraction(0)}
    queue = [(Fraction(0), start)]
    grid = ctx.position.grid
    while queue:
        spent, here = heappop(queue)
        if spent > found[here]:
            continue
        for there in grid.neighbours(here):
            if any(forbidden(ctx, unit, here, there)):
                continue
            total_ = spent + entry_cost(ctx, here, there, follows_road(ctx, here, there))
            if total_ <= most and total_ < found.get(there, Fraction(99)):
                found[there] = total_
                heappush(queue, (total_, there))
    return found


def _shelter(ctx: Context, cell: str) -> bool:
    return bool(ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "cover", False))


def _ignorable(ctx: Context, unit: Piece, start: str, cell: str) -> bool:
    """A shelter no farther from some known enemy than the start may be passed over."""
    away = ctx.position.grid.distance
    return any(away(cell, at) <= away(start, at) for _, at in known_enemies(ctx, unit))


@GAME.rule("rout_goals", "3.6-destination", "3.6")
def rout_goals(ctx: Context, piece: str) -> Goals:
    """Where a broken unit must rout, and where it may.

    Args:
        piece: id of a broken unit.

    Returns:
        The nearest shelters, in MF, within its allowance; refused when it may not rout.

    **Rule:** 3.6, 3.6-destination.

    >>> from tutor.games.asl_sk import GAME
    >>> found = GAME.load().rules["rout_goals"](GAME.position("deroute"), piece="fuyard").value
    >>> found.must, str(found.cost)
    (('E6',), '2')
    """
    unit = infantry(ctx.position, piece)
    start = _may_rout(ctx, unit)
    quiet = silent(ctx)
    reach = {
        cell: mf for cell, mf in _reach(quiet, unit, start).items() if cell != start and may_end(quiet, unit, cell)
    }
    shelters = {c: mf for c, mf in reach.items() if _shelter(quiet, c) and not _full(quiet, unit, c)}
    for cell in sorted(c for c in reach if _shelter(quiet, c) and c not in shelters):
        ctx.step("3.6-destination", "rout.full", where=hexes(cell), note="interprétation", cell=cell)
    binding = {c: mf for c, mf in shelters.items() if not _ignorable(quiet, unit, start, c)}
    for cell in sorted(set(shelters) - set(binding)):
        ctx.step("3.6-destination", "rout.ignorable", where=hexes(cell), cell=cell)
    cost = min(binding.values(), default=None)
    must = tuple(sorted(c for c, mf in binding.items() if mf == cost))
    for cell in sorted(binding, key=lambda c: (binding[c], c)):
        ctx.step("3.6-destination", "rout.shelter", where=hexes(cell), cell=cell, mf=decimal(binding[cell]))
    if ctx.refusals:
        return Goals(must, cost, shelters, reach)
    if cost is None:
        code = "rout.none_binds" if shelters else "rout.no_shelter"
        ctx.step("3.6-destination", code, where=places(unit), piece=piece)
    else:
        ctx.step(
            "3.6-destination", "rout.must", value=list(must), where=hexes(*must), cells=list(must), mf=decimal(cost)
        )
    return Goals(must, cost, shelters, reach)


def _may_rout(ctx: Context, unit: Piece) -> str:
    where = places(unit)
    start = ctx.position.grid.check(unit.at or "")
    if "broken" not in unit.status:
        ctx.refuse("3.6", "rally.not_broken", where=where, piece=unit.id)
    elif "dm" not in unit.status:
        who = _beside(ctx, unit, start) or interdictors(ctx, unit, start)
        if who:
            ctx.step("3.6", "rout.takes_dm", where=where, piece=unit.id, pieces=list(who))
        else:
            ctx.refuse("3.6", "rout.no_dm", where=where, piece=unit.id)
    if "melee" in unit.status:
        ctx.refuse("3.8-melee", "fire.melee", where=where, piece=unit.id)
    return start


@GAME.rule("rout", "3.6", "3.6-destination", "3.6-low-crawl", "3.6-interdiction")
def rout(ctx: Context, piece: str, path: list[str], low_crawl: bool = False) -> Rout:
    """A rout along a path: whether it is allowed, who interdicts it, and what becomes of the unit.

    Args:
        piece: id of a broken unit; path: hexes from its own; low_crawl: one hex, without interdiction.

    Returns:
        The rout, with exact odds; refused with every reason.

    **Rule:** 3.6, 3.6-destination, 3.6-low-crawl, 3.6-interdiction.

    >>> from tutor.games.asl_sk import GAME
    >>> p = GAME.load().position("deroute").change({"terrain.E6": None})
    >>> found = GAME.rules["rout"](p, piece="fuyard", path=["E5", "F4", "G4"]).value
    >>> found.interdicted, str(found.odds["whole"])
    ((('F4', ('vainqueur',)),), '5/12')
    """
    check_path(ctx, path)
    unit = infantry(ctx.position, piece)
    start = _may_rout(ctx, unit)
    if path[0] != start:
        ctx.refuse("3.6", "defence.elsewhere", where=places(unit), piece=piece, cell=path[0])
    if low_crawl and len(path) > 2:
        ctx.refuse("3.6-low-crawl", "rout.crawl_far", where=hexes(*path))
    elif low_crawl:
        ctx.step("3.6-low-crawl", "rout.crawls", where=hexes(*path), piece=piece)
    spent = Fraction(0)
    met: list[tuple[str, tuple[str, ...]]] = []
    for here, there in pairwise(path):
        for rule, code, ids in forbidden(ctx, unit, here, there):
            ctx.refuse(rule, code, where=hexes(there), cell=there, pieces=ids)
        road = follows_road(ctx, here, there)
        spent += entry_cost(ctx, here, there, road)
        walker = ctx.position.change({f"piece.{unit.id}.status.by_road": True}).piece(unit.id) if road else unit
        who = () if low_crawl or not ctx.on("3.6-interdiction") else interdictors(ctx, walker, there)
        if who and _shelter(ctx, there):
            ctx.step("1.1.1-woods-road", "rout.on_road", where=hexes(there), cell=there)
        if who:
            ctx.step("3.6-interdiction", "rout.interdicted", where=hexes(there), cell=there, pieces=list(who))
            met.append((there, who))
    if spent > _allowance(ctx, unit) and not low_crawl:
        ctx.refuse("3.6", "defence.too_dear", where=hexes(*path), spent=decimal(spent), allowed=_allowance(ctx, unit))
    _destination(ctx, unit, path, low_crawl)
    if not low_crawl:
        _ends_open(ctx, unit, path[-1])
    odds = _odds(ctx, unit, [cell for cell, _ in met])
    if not ctx.refusals:
        _tell_arrival(ctx, unit, path[-1], spent, odds, bool(met))
    return Rout(path[-1], spent, tuple(met), odds)


def _tell_arrival(
    ctx: Context, unit: Piece, end: str, spent: Fraction, odds: dict[str, Fraction], interdicted: bool
) -> None:
    """How a rout that is allowed ends."""
    where, lone = places(unit), unit.kind == "leader"
    if not interdicted:
        ctx.step("3.6", "rout.free", value=decimal(spent), unit="MF", where=hexes(end), piece=unit.id, end=end)
        return
    if lone:
        least = ctx.table("limits").peek("wound", "eliminated_from")
        ctx.step("3.2.3-wound", "rout.wound", where=where, piece=unit.id, least=least)
    ctx.step("3.6-interdiction", "rout.odds_leader" if lone else "rout.odds", value=odds["whole"], where=where,
             piece=unit.id, reduced=odds["reduced"], stopped=odds["stopped"], eliminated=odds["eliminated"])  # fmt: skip


def _destination(ctx: Context, unit: Piece, path: Sequence[str], low_crawl: bool) -> None:
    """The path leads to a shelter that it had to reach, and stops there or goes on from shelter to shelter.

    A low crawl goes one hex towards it. **Rule:** 3.6-destination, 3.6-low-crawl.
    """
    end = path[-1]
    if not may_end(ctx, unit, end):
        ctx.refuse("3.6", "rout.ends_adjacent", where=hexes(end), cell=end)
    if "3.6-destination" in ctx.without:
        return
    ctx.on("3.6-destination")
    quiet = silent(ctx)
    goals = rout_goals.function(quiet, unit.id)
    if not goals.must:
        return
    binding = [i for i, cell in enumerate(path) if i and cell in goals.shelters
               and not _ignorable(ctx, unit, path[0], cell)]  # fmt: skip
    if low_crawl:
        onward = _reach(quiet, unit, end)
        left = min((onward[cell] for cell in goals.must if cell in onward), default=None)
        heads = left is not None and left < goals.cost
    else:
        heads = any(path[i] in goals.must for i in binding)
    if not heads:
        code = "rout.crawls_away" if low_crawl else "rout.elsewhere"
        ctx.refuse("3.6-destination", code, where=hexes(*goals.must), cells=list(goals.must), end=end)
        return
    ctx.step(
        "3.6-destination",
        "rout.heads",
        where=hexes(*goals.must),
        cells=list(goals.must),
        mf=decimal(goals.cost or Fraction(0)),
    )
    if binding and any(not _shelter(ctx, cell) for cell in path[binding[0] :]):
        ctx.refuse("3.6-destination", "rout.must_stop", where=hexes(path[binding[0]]), cell=path[binding[0]])


def _ends_open(ctx: Context, unit: Piece, end: str) -> None:
    """A rout that ends in the open, where an enemy could interdict: allowed or not by the reading ``rout_open``."""
    who = list(interdictors(ctx, unit, end))
    if who and ctx.setting("rout_open") == "refused":
        ctx.refuse("3.6", "rout.ends_open", where=hexes(end), note="interprétation", cell=end, pieces=who)
    elif who and not ctx.refusals:
        ctx.step("3.6", "rout.open_end", where=hexes(end), note="interprétation", cell=end, pieces=who)


def interdictors(ctx: Context, unit: Piece, cell: str) -> tuple[str, ...]:
    """Enemies who interdict a unit that routs into a hex: open ground, in their line of sight and normal range.

    **Rule:** 3.6-interdiction.
    """
    quiet = silent(ctx)
    found = []
    for enemy, at in known_enemies(ctx, unit):
        if {"broken", "pinned", "melee", "cx"} & set(enemy.status):
            continue
        if ctx.position.grid.distance(at, cell) > _commands(ctx, enemy):
            continue
        sight = seen(ctx, at, cell)
        if sight.visible and open_ground(quiet, unit, (at,), cell, sight.hindrance):
            found.append(enemy.id)
    ctx.consulted |= quiet.consulted
    return tuple(found)


def _commands(ctx: Context, enemy: Piece) -> int:
    """Hexes within which an enemy fires at full firepower, its own or that of a weapon that it serves; -1 when it cannot.

    **Rule:** 3.6-interdiction, 4.1.
    """
    own = [number(enemy, "range")] if enemy.kind in MMC and number(enemy, "fp") >= 1 else []
    if enemy.kind not in INFANTRY or (enemy.kind == "leader" and alone(ctx, enemy)):
        return max(own, default=-1)
    served = (p for p in ctx.position.pieces if p.carrier == enemy.id and p.kind in ("mg", "atr"))
    return max([*own, *(normal_range(ctx, p) for p in served if "malfunction" not in p.status)], default=-1)


def _odds(ctx: Context, unit: Piece, cells: Sequence[str]) -> dict[str, Fraction]:
    """Odds of a rout through interdicted hexes: one NMC in each, on the broken side.

    **Rule:** 3.6-interdiction, 3.2.3-NMC.
    """
    whole, quiet = replace(troop(ctx.position, unit), broken=True), silent(ctx)
    states = {whole: Fraction(1)}
    found = {"whole": Fraction(0), "reduced": Fraction(0), "stopped": Fraction(0), "eliminated": Fraction(0)}
    for cell in cells:
        after: dict[Troop, Fraction] = defaultdict(Fraction)
        for one, p in states.items():
            for original, n, _ in Dice(total).draw(()):
                q = p * Fraction(n, 36)
                if original == 12:
                    found["eliminated"] += q
                elif original == one.morale:
                    found["stopped" if may_end(ctx, unit, cell) else "eliminated"] += q
                elif original < one.morale:
                    after[one] += q
                else:
                    for dr, chance in wound_dice(one):
                        left = reduce(quiet, one, dr)
                        after[left] += q * chance
        found["eliminated"] += sum((p for one, p in after.items() if not one.alive), Fraction(0))
        states = {one: p for one, p in after.items() if one.alive}
    for one, p in states.items():
        found["whole" if one == whole else "reduced"] += p
    return found
