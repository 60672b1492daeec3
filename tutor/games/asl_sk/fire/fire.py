"""An attack on the IFT before its dice: who may join, the leader, the firepower, the column, the modifiers.

**Rule:** 3.2.2, 3.2.2-fg, 3.2.2-mandatory-fg, 3.2.2-leader, 3.2.2-repartition, 3.2.3, 4-emploi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import Firers, TargetCell
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.asl_sk.arguments import DeclaredAttacks, Leaders
from tutor.games.asl_sk.board import phase
from tutor.games.asl_sk.fire.drm import Term, carried_flames, cover, exhausted, moving_terms
from tutor.games.asl_sk.fire.firepower import mode_of, power, rate_kept
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.los import Visibility, line_of_sight
from tutor.games.asl_sk.morale import silent
from tutor.games.asl_sk.units import INFANTRY, MMC, enemies, inexperienced, leadership, owner, places

COLUMNS = (1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36)


@dataclass(frozen=True, slots=True)
class Target:
    """One unit fired at: id, total DRM against it, the modifiers that are its own."""

    id: str
    drm: int
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Fire:
    """An attack ready to be rolled.

    Args:
        fp: sum of the firepowers.
        column: IFT column, 0 when under 1 FP.
        drm: modifiers common to all targets.
        terms: these, each with its rule.
        cower: columns lost on a double (0: none).
        hindrance: of the line of sight.
        modes: how the firers fire.
        firers, leaders: ids.
        targets: each with its total DRM.
        pieces: (id, FP).
        crews: AFVs whose exposed crew is fired at, each with its total DRM.
    """

    fp: Fraction
    column: int
    drm: int
    terms: tuple[Term, ...]
    cower: int
    hindrance: int
    modes: tuple[str, ...]
    firers: tuple[str, ...]
    leaders: tuple[str, ...]
    targets: tuple[Target, ...]
    pieces: tuple[tuple[str, Fraction], ...]
    crews: tuple[Target, ...] = ()


def column_of(fp: Fraction) -> int:
    """The IFT column of a firepower: the rightmost that does not exceed it, 0 under 1 FP.

    >>> column_of(Fraction(7)), column_of(Fraction(1, 2)), column_of(Fraction(50))
    (6, 0, 36)
    """
    return max((c for c in COLUMNS if c <= fp), default=0)


def column_above(fp: Fraction) -> int:
    """The IFT column at or above a firepower: what a reader takes who forgets that the rest is lost.

    >>> column_above(Fraction(7)), column_above(Fraction(8)), column_above(Fraction(50))
    (8, 8, 36)
    """
    return min((c for c in COLUMNS if c >= fp), default=COLUMNS[-1])


@GAME.question(
    "fire",
    rules=("3.2.2", "3.2.2-fg", "3.2.2-leader", "3.2.2-repartition", "3.2.3", "4-emploi"),
    label="Que vaut cette attaque avant les dés ?",
    theme="Vue et tir",
    common=True,
    odds="fire_odds",
)
def fire(ctx: Context, firers: Firers, target: TargetCell, leaders: Leaders | None = None) -> Fire:
    """An attack before its dice: firepower, column and every modifier.

    Args:
        firers: ids of the units and weapons that fire.
        target: hex name.
        leaders: ids of those who direct.

    Returns:
        The attack; refused with every reason why it may not be made.

    **Rule:** 3.2.2, 3.2.2-fg, 3.2.2-leader, 3.2.2-repartition, 3.2.3, 4-emploi.

    >>> from tutor.games.asl_sk import GAME
    >>> answer = GAME.load().rules["fire"](GAME.position("tir"), firers=["alpha", "bravo"], target="H4").value
    >>> str(answer.fp), answer.column, answer.drm, answer.cower
    ('8', 8, 0, 1)
    """
    position = ctx.position
    position.grid.check(target)
    if not firers:
        raise RequestError("Personne ne tire.", remedy="Désignez au moins une unité ou une arme.")
    pieces = [position.piece(f) for f in dict.fromkeys(firers)]
    chiefs = [position.piece(f) for f in dict.fromkeys(leaders or [])]
    units = list({owner(position, p).id: owner(position, p) for p in pieces}.values())
    cells = tuple(dict.fromkeys(position.grid.check(position.hex_of(p.id) or "") for p in pieces))
    with ctx.group("3.2.2-fg", "fire.group", where=hexes(*cells), firers=[p.id for p in pieces], cells=cells) as group:
        _one_side(ctx, pieces)
        _linked(ctx, cells)
        _weapons(ctx, pieces)
        directing = _directing(ctx, chiefs, pieces, cells)
        group.value = len(pieces)
    hindrance = _lines(ctx, cells, target)
    moves = any("moving" in p.status for p in enemies(position, pieces[0].side, target))
    if phase(position) == "MPh" and not moves:
        ctx.refuse("3.3.3", "fire.nobody_moves", where=hexes(target), target=target)
    busy = frozenset(u.id for u in (*units, *chiefs))
    powers = [(p.id, power(ctx, p.id, target, bool(chiefs), busy)) for p in pieces]
    ctx.settle()
    fp = sum((one.fp for _, one in powers), Fraction(0))
    if len(powers) > 1:
        ctx.step("3.2.2", "fire.sum", value=fp, unit="FP", values=[one.fp for _, one in powers], where=hexes(target))
    column = column_of(fp) if ctx.on("3.2.3") else column_above(fp)
    if column:
        ctx.step("3.2.3", "fire.exact" if fp == column else "fire.column", value=column, fp=fp, where=hexes(target))
    else:
        ctx.refuse("3.2.3", "fire.too_weak", where=hexes(target), fp=fp)
        ctx.settle()
    with ctx.group("3.2.3", "fire.drm", where=hexes(target)) as group:
        terms = _common(ctx, units, chiefs, directing, hindrance, target)
        group.value = sum(t.value for t in terms)
        targets = tuple(_target(ctx, u, pieces, cells, target, hindrance, group.value)
                        for u in targets_of(ctx, pieces[0].side, target))  # fmt: skip
        crews = tuple(_target(ctx, afv, pieces, cells, target, hindrance, group.value)
                      for afv in crews_of(ctx, pieces[0].side, target))  # fmt: skip
    cower = _cower(ctx, pieces, units, bool(chiefs))
    modes = tuple(dict.fromkeys(one.mode for _, one in powers))
    if not ctx.refusals:
        ctx.step("3.2.3", "fire.ready", value=column, where=hexes(target), fp=fp,
                 drms=sorted({one.drm for one in (*targets, *crews)}) or [group.value])  # fmt: skip
        if not targets and not crews:
            ctx.step("3.2.3", "fire.empty", where=hexes(target), target=target)
    return Fire(fp, column, sum(t.value for t in terms), tuple(terms), cower, hindrance, modes,
                tuple(p.id for p in pieces), tuple(p.id for p in chiefs), targets,
                tuple((name, one.fp) for name, one in powers), crews)  # fmt: skip


def targets_of(ctx: Context, side: str, target: str) -> list[Piece]:
    """Units that an attack affects: those that move, in the movement phase; else all, friends included in a Melee."""
    here = [p for p in enemies(ctx.position, side, target) if p.kind in INFANTRY]
    secret = [p for p in here if "hidden" in p.status]
    if 0 < len(secret) < len(here):
        ctx.step("6.4", "fire.hidden_apart", where=places(*secret), pieces=[p.id for p in secret])
        here = [p for p in here if p not in secret]
    if phase(ctx.position) == "MPh":
        still = [p for p in here if "moving" not in p.status]
        if 0 < len(still) < len(here):
            ctx.step("3.3.3", "fire.still_spared", where=places(*still), pieces=[p.id for p in still])
        return [p for p in here if p not in still]
    if any("melee" in p.status for p in here):
        ctx.step("3.8-melee", "fire.melee_all", where=hexes(target), target=target)
        return [p for p in ctx.position.pieces_at(target) if p.kind in INFANTRY]
    return here


def crews_of(ctx: Context, side: str, target: str) -> list[Piece]:
    """Enemy AFVs whose exposed crew an attack on the IFT affects; the AFV itself is never hurt by it.

    **Rule:** 7.7, 7.12.
    """
    moving = phase(ctx.position) == "MPh"
    return [
        p
        for p in enemies(ctx.position, side, target)
        if p.kind == "afv" and "crew_exposed" in p.status and ("moving" in p.status or not moving)
    ]


def _one_side(ctx: Context, pieces: Sequence[Piece]) -> None:
    if len({p.side for p in pieces}) > 1:
        ctx.refuse("3.2.2-fg", "fire.sides", where=places(*pieces))
    if len(pieces) > 1:
        alone = [p for p in pieces if p.kind in ("flamethrower", "demolition_charge", "gun")]
        if alone:
            rule = "4.2" if alone[0].kind == "flamethrower" else "3.2.2-fg"
            ctx.refuse(rule, "fire.never_in_group", where=places(*alone), pieces=[p.id for p in alone])


def _linked(ctx: Context, cells: tuple[str, ...]) -> None:
    """Hexes of a group hold together by adjacency, each with a firing unit or weapon."""
    reached, left = [cells[0]], set(cells[1:])
    for here in reached:
        near = {c for c in left if ctx.position.grid.distance(here, c) == 1}
        left -= near
        reached += sorted(near)
    if left:
        away = min(ctx.position.grid.distance(here, other) for here in reached for other in left)
        ctx.refuse("3.2.2-fg", "fire.apart", where=hexes(*cells), cells=sorted(left), away=away)
    elif len(cells) > 1:
        ctx.step("3.2.2-fg", "fire.adjacent", where=hexes(*cells), cells=list(cells))


def _weapons(ctx: Context, pieces: Sequence[Piece]) -> None:
    """How many weapons a unit fires with its own firepower."""
    by_owner: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_owner.setdefault(owner(ctx.position, piece).id, []).append(piece)
    for name, used in by_owner.items():
        unit = ctx.position.piece(name)
        own = any(p.id == name for p in used)
        weapons = len(used) - own
        protective = mode_of(ctx.position, unit) in ("subsequent", "protective")
        if unit.kind == "leader" and weapons > 1:
            ctx.refuse("4-emploi", "fire.one_weapon", where=places(unit), piece=name)
        elif unit.kind in ("half_squad", "crew") and not protective and (weapons > 1 or (own and weapons)):
            ctx.refuse("3.2.2-repartition", "fire.half_or_weapon", where=places(unit), piece=name)
        elif unit.kind == "squad" and not protective and (weapons > 2 or (own and weapons > 1)):
            ctx.refuse("4-emploi", "fire.too_many", where=places(unit), piece=name)
        if mode_of(ctx.position, unit) == "protective":
            usable = [
                p
                for p in ctx.position.pieces
                if p.carrier == name and p.kind in ("mg", "atr") and "malfunction" not in p.status
            ]
            if (unit.kind in MMC and not own) or any(p not in used for p in usable):
                ctx.refuse("3.3.3-FPF", "fire.everything", where=places(unit), piece=name)


def _directing(ctx: Context, chiefs: Sequence[Piece], pieces: Sequence[Piece], cells: tuple[str, ...]) -> int | None:
    """DRM of the leaders who direct: each must be able to, and every hex needs one; the weakest counts."""
    side = pieces[0].side
    armed = {p.carrier for p in pieces}
    flames = any(p.kind == "flamethrower" for p in pieces)
    followed = [p for p in pieces if rate_kept(ctx.position, p)]
    fresh = any(
        mode_of(ctx.position, p) in ("prep", "advancing", "first", "defensive") for p in pieces if p not in followed
    )
    for chief in chiefs:
        where = places(chief)
        if chief.kind != "leader" or chief.side != side:
            ctx.refuse("3.2.2-leader", "fire.not_leader", where=where, piece=chief.id)
        if {"broken", "pinned", "melee"} & set(chief.status):
            ctx.refuse("1.2.1", "fire.leader_unfit", where=where, piece=chief.id)
        if chief.id in armed:
            ctx.refuse("4-emploi", "fire.leader_armed", where=where, piece=chief.id)
        if flames:
            ctx.refuse("4.2", "fire.leader_flames", where=where, piece=chief.id)
        if chief.at not in cells:
            ctx.refuse("3.2.2-leader", "fire.leader_away", where=where, piece=chief.id)
        if "directed" in chief.status and fresh:
            ctx.refuse("3.2.2-leader", "fire.leader_used", where=where, piece=chief.id)
        elif "directed" in chief.status and followed:
            ctx.step("1.2.1", "fire.leader_follows", where=where, piece=chief.id, weapons=[p.id for p in followed])
    able = [c for c in chiefs if c.kind == "leader"]
    if not able:
        return None
    bare = [cell for cell in cells if not any(c.at == cell for c in able)]
    if bare and ctx.on("3.2.2-leader"):
        ctx.refuse("3.2.2-leader", "fire.undirected", where=hexes(*bare), cells=bare)
        return None
    if len(cells) > 1 and not ctx.on("3.2.2-leader"):
        return min(leadership(c) for c in able)
    if not ctx.on("1.2.1"):
        return 0
    by_cell = [min((leadership(c) for c in able if c.at == cell), default=0) for cell in cells]
    if ctx.settled:
        return 0
    code = "fire.leads" if len(able) == len({c.at for c in able}) else "fire.leads_once"
    ctx.step("1.2.1", code, value=max(by_cell), where=places(*able), pieces=[c.id for c in able],
             cells=[c.at for c in able])  # fmt: skip
    return max(by_cell)


def _lines(ctx: Context, cells: tuple[str, ...], target: str) -> int:
    """Hindrance of the group: every hex must see the target; the worst counts (or the best, by the setting)."""
    sights: list[Visibility] = []
    for cell in cells:
        with ctx.group("3.2.1", "fire.line", where=hexes(cell, target), cell=cell, target=target) as step:
            visibility: Visibility = line_of_sight.function(ctx, cell, target)
            step.value = visibility.hindrance
            if not visibility.visible:
                code = "fire.unseen_member" if len(cells) > 1 else "fire.unseen"
                ctx.refuse("3.2.1", code, where=hexes(cell, target), cell=cell, target=target)
            sights.append(visibility)
    values = [v.hindrance for v in sights if v.visible]
    if not values:
        return 0
    worst = ctx.setting("group_hindrance") == "worst"
    chosen = max(values) if worst else min(values)
    if len(set(values)) > 1:
        ctx.step("3.2.2-fg", "fire.group_hindrance", value=chosen, where=hexes(*cells), values=values,
                 note="interprétation")  # fmt: skip
    return chosen


def _common(
    ctx: Context, units: Sequence[Piece], chiefs: Sequence[Piece], directing: int | None, hindrance: int, target: str
) -> list[Term]:
    terms = []
    if directing is not None:
        terms.append(Term("leadership", directing, "3.2.2-leader"))
        several = len({c.at for c in chiefs}) > 1 and "3.2.2-leader" not in ctx.without
        ctx.step("3.2.2-leader", "drm.leaders" if several else "drm.leadership", value=directing, where=hexes(target),
                 values=[leadership(c) for c in chiefs if c.kind == "leader"])  # fmt: skip
    if hindrance:
        terms.append(Term("hindrance", hindrance, "3.2.1"))
        ctx.step("3.2.1", "drm.hindrance", value=hindrance, where=hexes(target))
    return [*terms, *exhausted(ctx, units)]


def _target(
    ctx: Context, unit: Piece, pieces: Sequence[Piece], cells: tuple[str, ...], target: str, hindrance: int, common: int
) -> Target:
    with ctx.group("3.2.3", "drm.target", where=places(unit), piece=unit.id) as group:
        terms: list[Term] = []
        if not any(p.kind == "flamethrower" for p in pieces):
            best = cover(ctx, unit, cells, target)
            terms += [best] if best else []
        elif cover(silent(ctx), unit, cells, target):
            ctx.step("4.2", "drm.flames", value=0, where=[*hexes(target), *places(unit)], piece=unit.id, cell=target)
        terms += moving_terms(ctx, unit, cells, target, hindrance)
        terms += carried_flames(ctx, unit)
        group.value = common + sum(t.value for t in terms)
    return Target(unit.id, group.value, tuple(terms))


def _cower(ctx: Context, pieces: Sequence[Piece], units: Sequence[Piece], directed: bool) -> int:
    """Columns lost on a double: none when directed, without MMC, or for a demolition charge."""
    mmc = [u for u in units if u.kind in MMC]
    if directed or not mmc or any(p.kind == "demolition_charge" for p in pieces) or not ctx.on("3.2.2-cower"):
        return 0
    table = ctx.table("limits")
    raw = [u for u in mmc if inexperienced(ctx.position, u)]
    steadied = [u for u in mmc if "inexperienced" in u.status and u not in raw]
    if steadied and ctx.on("5.4"):
        ctx.step("5.4", "fire.steadied", where=places(*steadied), pieces=[u.id for u in steadied])
    mixed = 0 < len(raw) < len(mmc)
    fewer = ctx.setting("mixed_cower") == "all"
    if mixed and ctx.on("5.4"):
        code = "fire.mixed_steady" if fewer else "fire.mixed_cower"
        ctx.step("3.2.2-cower", code, where=places(*raw), note="interprétation", pieces=[u.id for u in raw])
    if raw and not (mixed and fewer) and ctx.on("5.4"):
        columns = int(table.get("inexperienced", "columns", places(*raw)))
        ctx.step("3.2.2-cower", "fire.cowers", value=columns, where=places(*mmc))
        return columns
    return int(table.get("cower", "columns", places(*mmc)))


def _apart_in_sff(ctx: Context, one: Piece, other: Piece) -> bool:
    """Whether they are a MMC that fires in SFF and its machine gun, which then fires apart. **Rule:** 4.1."""
    unit, weapon = (one, other) if one.kind in MMC else (other, one)
    return weapon.kind == "mg" and weapon.carrier == unit.id and mode_of(ctx.position, unit) == "subsequent"


@GAME.question(
    "declarations",
    rules=("3.2.2-mandatory-fg", "3.2.2-repartition", "3.2.2"),
    label="Ces attaques vont-elles ensemble ?",
    theme="Vue et tir",
)
def declarations(ctx: Context, attacks: DeclaredAttacks) -> int:
    """Whether several attacks of one phase may stand side by side.

    Args:
        attacks: each ``{firers: [ids], target: hex}``; with ``rof: true``, machine guns that kept their rate of fire.

    Returns:
        How many attacks; refused when units of one hex split on one target, one fires twice, or uses too many weapons
        in all.

    **Rule:** 3.2.2, 3.2.2-mandatory-fg, 3.2.2-repartition, 4-emploi, 4.1.

    >>> from tutor.games.asl_sk import GAME
    >>> p = GAME.load().position("tir").change({"piece.bravo.at": "D4"})
    >>> one, two = {"firers": ["alpha"], "target": "H4"}, {"firers": ["bravo"], "target": "H4"}
    >>> GAME.rules["declarations"](p, attacks=[one, two]).refusals[0].rule
    '3.2.2-mandatory-fg'
    """
    position = ctx.position
    seen: dict[tuple[str, str], list[tuple[int, Piece]]] = {}
    used: dict[str, int] = {}
    for number, attack in enumerate(attacks):
        target = position.grid.check(attack["target"])
        for piece in position.named(attack["firers"]):
            name = piece.id
            cell = position.hex_of(name) or ""
            if attack.get("rof") is True and piece.kind == "mg":
                ctx.step("4.1", "fire.kept_rate", where=places(piece), piece=name)
                continue
            if name in used:
                ctx.refuse("3.2.2", "fire.split", where=places(piece), piece=name)
            used[name] = number
            if piece.kind in ("flamethrower", "gun", "demolition_charge"):
                continue
            others = [p for n, p in seen.setdefault((cell, target), []) if n != number]
            seen[cell, target].append((number, piece))
            if others and all(_apart_in_sff(ctx, piece, other) for other in others):
                ctx.step("4.1", "fire.sff_apart", where=places(piece, *others), piece=name)
            elif others:
                ctx.refuse("3.2.2-mandatory-fg", "fire.mandatory", where=hexes(cell, target), cell=cell, target=target)
    _weapons(ctx, [position.piece(name) for name in used])
    if not ctx.refusals:
        ctx.step("3.2.2-mandatory-fg", "fire.declared", attacks=len(attacks))
    return len(attacks)
