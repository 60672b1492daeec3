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
from typing import Annotated

from tutor.core.arguments import Path, PieceId
from tutor.core.context import Context
from tutor.core.dice import Dice, total
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.arguments import Leader
from tutor.games.asl_sk.costs import decimal, entry_cost, follows_road
from tutor.games.asl_sk.fire.effects import loss_check
from tutor.games.asl_sk.fire.firepower import seen
from tutor.games.asl_sk.fire.odds import wound_dice
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.interdiction import interdictors, known_enemies, shelter, trace_covered, trace_unfit, unjudged
from tutor.games.asl_sk.morale import Troop, reduce, silent, troop
from tutor.games.asl_sk.move import check_path
from tutor.games.asl_sk.units import enemies, infantry, places, stacked


@dataclass(frozen=True, slots=True)
class Goals:
    """Where a broken unit may rout.

    Args:
        must: the nearest shelters it has to reach when it ignores all those it may, empty when it has none.
        cost: MF to them, None without shelter.
        shelters: every eligible shelter and its MF.
        reach: every hex it may end in, with its MF.
    """

    must: tuple[str, ...]
    cost: Fraction | None
    shelters: dict[str, Fraction]
    reach: dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Rout:
    """A rout along a path.

    Args:
        end: where it leads.
        cost: MF.
        interdicted: (hex, ids of those who interdict there), in order.
        odds: ``whole``, ``reduced`` (arrives as a Half-Squad, or a leader wounded), ``stopped`` (Pin on the way) and
            ``eliminated``.
        leader_lost: chance that the leader who routs with it is eliminated, 0 without one.
    """

    end: str
    cost: Fraction
    interdicted: tuple[tuple[str, tuple[str, ...]], ...]
    odds: dict[str, Fraction]
    leader_lost: Fraction = Fraction(0)


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


def _most(ctx: Context) -> int:
    return int(ctx.table("limits").peek("stack", "squads"))


def _stacked(ctx: Context, unit: Piece, cell: str) -> Fraction:
    """What a hex would hold, as full hexes are read in a rout."""
    return stacked(ctx.position, [unit], cell, Fraction(1, 2) if ctx.setting("rout_stack") == "squads" else Fraction(1))


def _full(ctx: Context, unit: Piece, cell: str) -> bool:
    return _stacked(ctx, unit, cell) > _most(ctx)


def _reach(ctx: Context, unit: Piece, start: str) -> dict[str, Fraction]:
    """MF to every hex that legal steps lead to."""
    most = _allowance(ctx, unit)
    costs: dict[str, Fraction] = {start: Fraction(0)}
    queue = [(Fraction(0), start)]
    grid = ctx.position.grid
    while queue:
        spent, here = heappop(queue)
        if spent > costs[here]:
            continue
        for there in grid.neighbours(here):
            total_ = spent + entry_cost(ctx, here, there, follows_road(ctx, here, there))
            if total_ > most or total_ >= costs.get(there, Fraction(99)):
                continue
            if not any(forbidden(ctx, unit, here, there)):
                costs[there] = total_
                heappush(queue, (total_, there))
    return costs


def _ignorable(ctx: Context, unit: Piece, start: str, cell: str) -> bool:
    """A shelter no farther from some known enemy than the start may be passed over."""
    away = ctx.position.grid.distance
    return any(away(cell, at) <= away(start, at) for _, at in known_enemies(ctx, unit))


@GAME.question(
    "rout_goals",
    rules=("3.6-destination", "3.6"),
    label="Où doit-elle fuir ?",
    theme="Déroute",
)
def rout_goals(ctx: Context, piece: PieceId) -> Goals:
    """Where a broken unit must rout, and where it may.

    Args:
        piece: id of a broken unit.

    Returns:
        The nearest shelters, in MF, within its allowance; refused when it may not rout.

    **Rule:** 3.6, 3.6-destination.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["rout_goals"](GAME.position("deroute"), piece="fuyard").value
    >>> answer.must, str(answer.cost)
    (('E6',), '2')
    """
    unit = infantry(ctx.position, piece)
    start = _may_rout(ctx, unit)
    ctx.settle()
    return goals_of(ctx, unit, start)


def goals_of(ctx: Context, unit: Piece, start: str) -> Goals:
    """Where a broken unit must rout from a hex, and where it may. **Rule:** 3.6, 3.6-destination."""
    quiet = silent(ctx)
    reach = {
        cell: mf for cell, mf in _reach(quiet, unit, start).items() if cell != start and may_end(quiet, unit, cell)
    }
    shelters = {c: mf for c, mf in reach.items() if shelter(quiet, c) and not _full(quiet, unit, c)}
    for cell in sorted(c for c in reach if shelter(quiet, c) and c not in shelters):
        ctx.step("3.6-destination", "rout.full", where=hexes(cell), note="interprétation", cell=cell)
    binding = {c: mf for c, mf in shelters.items() if not _ignorable(quiet, unit, start, c)}
    for cell in sorted(set(shelters) - set(binding)):
        ctx.step("3.6-destination", "rout.ignorable", where=hexes(cell), cell=cell)
    cost = min(binding.values(), default=None)
    must = tuple(sorted(c for c, mf in binding.items() if mf == cost))
    for cell in sorted(binding, key=lambda c: (binding[c], c)):
        ctx.step("3.6-destination", "rout.shelter", where=hexes(cell), cell=cell, mf=decimal(binding[cell]))
    if cost is None:
        code = "rout.none_binds" if shelters else "rout.no_shelter"
        ctx.step("3.6-destination", code, where=places(unit), piece=unit.id)
    else:
        spared = sorted(c for c, mf in shelters.items() if mf <= cost and c not in binding)
        ctx.step("3.6-destination", "rout.must_unless" if spared else "rout.must", value=list(must),
                 where=hexes(*must), cells=list(must), mf=decimal(cost), spared=spared)  # fmt: skip
    return Goals(must, cost, shelters, reach)


def _may_rout(ctx: Context, unit: Piece) -> str:
    where = places(unit)
    start = ctx.position.grid.check(unit.at or "")
    if "broken" not in unit.status:
        ctx.refuse("3.6", "rally.not_broken", where=where, piece=unit.id)
    elif "dm" not in unit.status:
        who = _beside(ctx, unit, start) or interdictors(ctx, unit, start)
        if who:
            ctx.step("3.2.1", "rout.seen", where=where, cell=start, pieces=list(who))
            ctx.step("3.6", "rout.takes_dm", where=where, piece=unit.id, pieces=list(who))
        else:
            ctx.refuse("3.6", "rout.no_dm", where=where, piece=unit.id)
    if "melee" in unit.status:
        ctx.refuse("3.8-melee", "fire.melee", where=where, piece=unit.id)
    return start


@GAME.question(
    "rout",
    rules=("3.6", "3.6-destination", "3.6-low-crawl", "3.6-interdiction"),
    label="Cette déroute est-elle permise ?",
    theme="Déroute",
    common=True,
)
def rout(
    ctx: Context,
    piece: PieceId,
    path: Path,
    low_crawl: Annotated[bool, "En rampant"] = False,
    leader: Leader | None = None,
) -> Rout:
    """A rout along a path: whether it is allowed, who interdicts it, and what becomes of the unit.

    Args:
        piece: id of a broken unit.
        path: hexes from its own.
        low_crawl: one hex, without interdiction.
        leader: id of a leader of its hex who routs with it, None for none.

    Returns:
        The rout, with exact odds; refused with every reason.

    **Rule:** 3.6, 3.6-destination, 3.6-low-crawl, 3.6-interdiction.

    >>> from tutor.games.asl_sk import GAME
    >>> p = GAME.load().position("deroute").change({"terrain.E6": None})
    >>> answer = GAME.rules["rout"](p, piece="fuyard", path=["E5", "F4", "G4"]).value
    >>> answer.interdicted, str(answer.odds["whole"])
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
    chief = _follower(ctx, unit, start, leader)
    costs: list[Fraction] = []
    for here, there in pairwise(path):
        costs.append(entry_cost(ctx, here, there, follows_road(ctx, here, there)))
        for rule, code, ids in forbidden(ctx, unit, here, there):
            ctx.refuse(rule, code, where=hexes(there), cell=there, pieces=ids)
    allowed = min(_allowance(ctx, one) for one in (unit, chief or unit))
    if (spent := sum(costs, Fraction(0))) > allowed and not low_crawl:
        ctx.refuse("3.6", "defence.too_dear", where=hexes(*path), spent=decimal(spent), allowed=allowed,
                   costs=[*map(decimal, costs)])  # fmt: skip
    _destination(ctx, unit, path, low_crawl)
    if not low_crawl:
        _ends_open(ctx, unit, path[-1])
    ctx.settle()
    met: list[tuple[str, tuple[str, ...]]] = []
    for here, there in pairwise(path):
        who = _stepped(ctx, unit, here, there, low_crawl, chief)
        met += [(there, who)] if who else []
    if met and chief and ctx.on("1.2.1") and (drm := _lent(troop(ctx.position, chief))):
        ctx.step("1.2.1", "morale.lent", value=drm, where=places(chief), piece=chief.id)
    odds, lost = _odds(ctx, unit, [cell for cell, _ in met], chief)
    if not ctx.refusals:
        _trace_arrival(ctx, unit, path[-1], spent, odds, bool(met))
        if chief and met:
            ctx.step("3.2.3-LLMC", "rout.leader_lost", value=lost, where=places(chief), piece=chief.id, unit=unit.id)
    return Rout(path[-1], spent, tuple(met), odds, lost)


def _stepped(ctx: Context, unit: Piece, here: str, there: str, low_crawl: bool, chief: Piece | None) -> tuple[str, ...]:
    """Who interdicts one hex of a rout, nobody in a low crawl."""
    if low_crawl or not ctx.on("3.6-interdiction"):
        return ()
    road = follows_road(ctx, here, there)
    walker = ctx.position.change({f"piece.{unit.id}.status.by_road": True}).piece(unit.id) if road else unit
    who, guns = interdictors(ctx, walker, there), unjudged(ctx, walker, there)
    if who and shelter(ctx, there):
        ctx.step("1.1.1-woods-road", "rout.on_road", where=hexes(there), cell=there)
    if who:
        ctx.step("3.2.1", "rout.seen", where=hexes(there), cell=there, pieces=list(who))
        drm = _lent(troop(ctx.position, chief)) if chief and ctx.on("1.2.1") else 0
        ctx.step("3.6-interdiction", "rout.interdicted", where=hexes(there), cell=there, pieces=list(who),
                 morale=_broken(ctx, unit).morale, drm=drm)  # fmt: skip
    trace_unfit(ctx, walker, there)
    trace_covered(ctx, walker, there)
    if guns:
        ctx.step("3.6-interdiction", "rout.unjudged", where=hexes(there), cell=there, pieces=guns)
    return who


def _follower(ctx: Context, unit: Piece, start: str, leader: str | None) -> Piece | None:
    """The leader who routs with a unit; refused when he may not."""
    if leader is None:
        return None
    chief = ctx.position.piece(leader)
    if chief.kind != "leader" or chief.side != unit.side or chief.at != start or chief is unit:
        ctx.refuse("3.6", "rout.leader_away", where=places(chief), piece=leader)
        return None
    if "pinned" in chief.status:
        ctx.refuse("3.2.3-PTC", "rout.leader_pinned", where=places(chief), piece=leader)
    if "melee" in chief.status:
        ctx.refuse("3.8-melee", "fire.melee", where=places(chief), piece=leader)
    return chief


def _trace_arrival(
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
             piece=unit.id, reduced=odds["reduced"], stopped=odds["stopped"],
             eliminated=odds["eliminated"])  # fmt: skip


def _destination(ctx: Context, unit: Piece, path: Sequence[str], low_crawl: bool) -> None:
    """The path leads to a shelter that it had to reach, or that is as near and that it might have ignored, and stops
    there or goes on from shelter to shelter.

    A low crawl goes one hex towards it. **Rule:** 3.6-destination, 3.6-low-crawl.
    """
    end = path[-1]
    if not may_end(ctx, unit, end):
        ctx.refuse("3.6", "rout.ends_adjacent", where=hexes(end), cell=end)
    if "3.6-destination" in ctx.without:
        return
    ctx.on("3.6-destination")
    quiet = silent(ctx)
    goals = goals_of(quiet, unit, ctx.position.grid.check(unit.at or ""))
    if goals.cost is None:
        return
    near = {cell: mf for cell, mf in goals.shelters.items() if mf <= goals.cost}
    binding = [i for i, cell in enumerate(path) if i and cell in goals.shelters
               and not _ignorable(ctx, unit, path[0], cell)]  # fmt: skip
    if low_crawl:
        onward = _reach(quiet, unit, end)
        aims = [cell for cell, mf in near.items() if cell in onward and onward[cell] < mf]
    else:
        aims = [path[i] for i in binding if path[i] in goals.must] or [
            cell for i, cell in enumerate(path) if cell in near and all(shelter(ctx, c) for c in path[i:])
        ]
    if not aims:
        code = "rout.crawls_away" if low_crawl else "rout.elsewhere"
        ctx.refuse("3.6-destination", code, where=hexes(*goals.must), cells=list(goals.must), end=end)
        return
    cells = list(goals.must) if set(aims) & set(goals.must) else aims[:1]
    ctx.step("3.6-destination", "rout.heads", where=hexes(*cells), cells=cells, mf=decimal(near[cells[0]]))
    for cell in cells:
        _room(ctx, unit, cell)
    if binding and any(not shelter(ctx, cell) for cell in path[binding[0] :]):
        ctx.refuse("3.6-destination", "rout.must_stop", where=hexes(path[binding[0]]), cell=path[binding[0]])


def _room(ctx: Context, unit: Piece, cell: str) -> None:
    """Say that a shelter that others hold has room for one more."""
    if any(piece.id != unit.id for piece in ctx.position.pieces_at(cell, unit.side)):
        full = _stacked(ctx, unit, cell)
        code = "rout.room" if ctx.setting("rout_stack") == "squads" else "rout.room_mmc"
        ctx.step("3.6-destination", code, where=hexes(cell), note="interprétation", cell=cell, piece=unit.id,
                 squads=decimal(full), most=_most(ctx))  # fmt: skip


def _ends_open(ctx: Context, unit: Piece, end: str) -> None:
    """A rout that ends in the open, where an enemy could interdict: allowed or not by the reading ``rout_open``."""
    who = list(interdictors(ctx, unit, end))
    if who and ctx.setting("rout_open") == "refused":
        ctx.step("3.2.1", "rout.seen", where=hexes(end), cell=end, pieces=who)
        ctx.refuse("3.6", "rout.ends_open", where=hexes(end), note="interprétation", cell=end, pieces=who)
    elif who and not ctx.refusals:
        ctx.step("3.6", "rout.open_end", where=hexes(end), note="interprétation", cell=end, pieces=who)


def _odds(ctx: Context, unit: Piece, cells: Sequence[str], chief: Piece | None) -> tuple[dict[str, Fraction], Fraction]:
    """Odds of a rout through interdicted hexes, one NMC in each on the broken side; chance that its leader is lost.

    A leader lends his DRM to the NMC; he is eliminated when it fails, and what is left of the unit takes his LLMC.

    **Rule:** 3.6-interdiction, 3.2.3-NMC, 3.2.3-LLMC.
    """
    whole, quiet = _broken(ctx, unit), silent(ctx)
    guide = troop(ctx.position, chief) if chief else None
    lends = chief is not None and ctx.on("1.2.1")
    odds = {"whole": Fraction(0), "reduced": Fraction(0), "stopped": Fraction(0), "eliminated": Fraction(0)}
    lost, states = Fraction(0), {(whole, guide): Fraction(1)}
    for cell in cells:
        after: dict[tuple[Troop, Troop | None], Fraction] = defaultdict(Fraction)
        for (one, led), p in states.items():
            for original, n, _ in Dice(total).draw(()):
                q, final = p * Fraction(n, 36), original + (_lent(led) if lends else 0)
                if original == 12 or final > one.morale:
                    lost += q if led else 0
                    for left, chance in _failed(quiet, one, original, led):
                        after[left, None] += q * chance
                elif final == one.morale:
                    odds["stopped" if may_end(ctx, unit, cell) else "eliminated"] += q
                else:
                    after[one, led] += q
        odds["eliminated"] += sum((p for (one, _), p in after.items() if not one.alive), Fraction(0))
        states = {state: p for state, p in after.items() if state[0].alive}
    for (one, _), p in states.items():
        odds["whole" if one == whole else "reduced"] += p
    return odds, lost


def _broken(ctx: Context, unit: Piece) -> Troop:
    """A unit on its broken side."""
    return replace(troop(ctx.position, unit), broken=True)


def _lent(leader: Troop | None) -> int:
    """DRM that a leader who routs with a unit may add to its NMC: none when it would harm, nor once broken."""
    return min(0, leader.leadership) if leader and leader.leads else 0


def _failed(ctx: Context, one: Troop, original: int, leader: Troop | None) -> Iterator[tuple[Troop, Fraction]]:
    """What a failed NMC of interdiction leaves of a broken unit, and its chance: reduced, shaken by a leader's loss."""
    if original == 12:
        yield replace(one, alive=False), Fraction(1)
        return
    for dr, chance in wound_dice(one):
        left = reduce(ctx, one, dr)
        if leader is None or not left.alive or left.morale >= leader.morale:
            yield left, chance
            continue
        for other, n, _ in Dice(total).draw(()):
            for again, share in wound_dice(left):
                yield loss_check(ctx, "mc", left, leader, other, 0, again), chance * Fraction(n, 36) * share
