"""An attack on the IFT resolved: cowering, row, result, breakdown and rate of fire, then each unit hit.

**Rule:** 1.2.4.1, 3.2.2-cower, 3.2.3, 3.3.3-FPF, 3.3.5, 4.1, 4.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import Firers, Modifier, Pieces, Roll, TargetCell
from tutor.core.context import Context
from tutor.core.context import dice as rolled
from tutor.core.dice import PAIRS, double, roll, total
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.asl_sk.arguments import FP, Checks, Cower, Leaders, LossChecks, WoundRolls
from tutor.games.asl_sk.board import board
from tutor.games.asl_sk.charts import chart
from tutor.games.asl_sk.fire.effects import (
    Effect,
    effect,
    examine,
    helped,
    loss_check,
    loss_drm,
    losses,
    must_check,
    order,
    picks,
    pinned_leader,
    say_steady,
    shaken,
    strike,
    wounds_at_strike,
)
from tutor.games.asl_sk.fire.fire import COLUMNS, Fire, column_of, fire
from tutor.games.asl_sk.fire.firepower import mode_of
from tutor.games.asl_sk.fire.residual import external, residual_of
from tutor.games.asl_sk.fire.weapons import charge_fails, weapons_after
from tutor.games.asl_sk.game import GAME
from tutor.games.asl_sk.morale import Troop, became, check, silent, troop, wounds_at_check
from tutor.games.asl_sk.units import INFANTRY, MMC, owner, places


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack after its dice.

    Args:
        fire: before the dice.
        original: the two dice.
        column: after cowering, 0 when the attack is void.
        results: (unit, final dice, result of the IFT).
        cowers: whether it did.
        jammed, lost: weapons that break down, that leave the game.
        again: weapons that keep their rate of fire.
        own: (unit, what its own fire does to it) for Final Protective Fire.
        residual: FP left in the hex (MPh), 0: none.
        units: (unit, what happened), ``pending`` when dice are missing.
        after: each unit after the attack.
    """

    fire: Fire
    original: int
    column: int
    results: tuple[tuple[str, int, str], ...]
    cowers: bool
    jammed: tuple[str, ...]
    lost: tuple[str, ...]
    again: tuple[str, ...]
    own: tuple[tuple[str, str], ...]
    residual: int
    units: tuple[tuple[str, str], ...]
    after: tuple[Troop, ...]


def shifted(column: int, left: int) -> int:
    """An IFT column some places to the left; 0 when it falls off the table.

    >>> shifted(4, 1), shifted(1, 1)
    (2, 0)
    """
    place = (COLUMNS.index(column) if column else -1) - left
    return COLUMNS[place] if place >= 0 else 0


def cell(ctx: Context, column: int, final: int) -> str:
    """Result of the IFT; nothing in a void column.

    **Rule:** 3.2.3.
    """
    if not column:
        return "NE"
    return str(chart(ctx, "ift").get(f"r{min(max(final, 0), 15)}", f"c{column}"))


def shaking_rolls(ctx: Context, column: int, drm: int, cower: int) -> list[int]:
    """Dice of an attack, cowering included, that give a NMC or worse.

    **Rule:** 3.2.3-DM.
    """
    quiet = silent(ctx)
    read = {pair: shifted(column, cower) if cower and double(pair) else column for pair in PAIRS}
    return sorted({total(p) for p, used in read.items() if cell(quiet, used, total(p) + drm) not in ("NE", "PTC")})


@GAME.question(
    "ift",
    rules=("3.2.3", "3.2.2-cower"),
    label="Que dit l’IFT ?",
    theme="Vue et tir",
    odds="ift_odds",
)
def ift(ctx: Context, fp: FP, drm: Modifier, dice: Roll, cower: Cower = 0) -> str:
    """A result of the IFT.

    Args:
        fp: firepower.
        drm: sum of the modifiers.
        dice: coloured and white die.
        cower: columns lost on a double, 0 to 2.

    Returns:
        ``1KIA``, ``K/2``, ``1MC``, ``NMC``, ``PTC`` or ``NE``.

    **Rule:** 3.2.3, 3.2.2-cower.

    >>> from tutor.games.asl_sk import GAME
    >>> GAME.load().rules["ift"](GAME.position("ecole"), fp=4, drm=1, dice=[2, 2], cower=1).value
    'NMC'
    """
    pair = roll(dice)
    column = _column(ctx, column_of(Fraction(fp)), cower, double(pair))
    return _read(ctx, column, total(pair), drm)


def _column(ctx: Context, column: int, cower: int, doubled: bool) -> int:
    if not (cower and doubled):
        return column
    final = shifted(column, cower)
    ctx.step("3.2.2-cower", "attack.cowers" if final else "attack.void", value=final, was=column, columns=cower)
    return final


def _read(ctx: Context, column: int, original: int, drm: int) -> str:
    if not column:
        return "NE"
    ctx.step("3.2.3", "attack.final", "dice", value=original + drm, original=rolled(original), drm=drm, column=column)
    return cell(ctx, column, original + drm)


@GAME.question(
    "attack",
    rules=("3.2.3", "3.2.2-cower", "3.2.3-KIA", "3.2.3-K", "3.2.3-NMC", "3.2.3-PTC", "3.2.3-LLMC", "3.3.3-FPF"),
    label="Que donne cette attaque avec ces dés ?",
    theme="Vue et tir",
    common=True,
)
def attack(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    dice: Roll,
    leaders: Leaders | None = None,
    chosen: Annotated[Pieces | None, "Unités choisies"] = None,
    checks: Checks | None = None,
    loss_checks: LossChecks | None = None,
    wounds: WoundRolls | None = None,
) -> Attack:
    """An attack with its dice, and what it does to every unit.

    Args:
        firers, target, leaders: as for ``fire``.
        dice: coloured and white die.
        chosen: ids picked at random, for a KIA, a K or a breakdown among several MGs.
        checks: id -> dice of its check.
        loss_checks: id -> dice of its check for a lost leader, or a list, one for each leader lost.
        wounds: id -> dr of a wound.

    Returns:
        The attack; a unit whose dice are missing is ``pending``.

    **Rule:** 1.2.4.1, 3.2.2-cower, 3.2.3, 3.2.3-KIA, 3.2.3-K, 3.2.3-NMC, 3.2.3-PTC, 3.2.3-LLMC, 3.3.3-FPF, 3.3.5, 4.1.

    >>> from tutor.games.asl_sk import GAME
    >>> done = GAME.load().rules["attack"](GAME.position("tir"), firers=["alpha"], target="H4", dice=[2, 4],
    ...                                    leaders=["chef"], checks={"cible": [5, 2]}).value
    >>> done.results, done.units
    ((('cible', 5, '1MC'),), (('cible', 'broken'),))
    """
    ready: Fire = fire.function(ctx, firers, target, leaders)
    pair = roll(dice)
    original = total(pair)
    ctx.step("3.2.3", "attack.roll", "dice", value=original, dice=rolled(list(pair)), where=hexes(target))
    column = _column(ctx, ready.column, ready.cower, double(pair))
    cowers = column != ready.column
    if ready.leaders and column and double(pair) and ctx.on("3.2.2-cower"):
        ctx.step("3.2.2-cower", "attack.steady", value=0, where=places(*map(ctx.position.piece, ready.leaders)))
    if charge_fails(ctx, ready, original):
        column = 0
    results = []
    for one in ready.targets:
        with ctx.group("3.2.3", "attack.target", where=hexes(target), piece=one.id) as group:
            group.value = _read(ctx, column, original, one.drm)
            results.append((one.id, original + one.drm, str(group.value)))
    for one in ready.crews:
        with ctx.group("7.7", "attack.crew", where=hexes(target), piece=one.id) as group:
            group.value = _read(ctx, column, original, one.drm)
    if cowers:
        _mark(ctx, ready)
    jammed, lost, again = weapons_after(ctx, ready, original, pair[0], cowers, chosen or ())
    given = _Given(ctx, chosen or (), checks or {}, loss_checks or {}, wounds or {})
    own = _own(ctx, ready, original, given)
    left = _residual(ctx, ready, column, set(jammed) | set(lost) | set(again), target)
    before = _under_dm(ctx, ready, struck(ctx, ready, target))
    beside = len(before) - len(ready.targets)
    after, pending = _suffer(given, before, [code for _, _, code in results] + ["NE"] * beside)
    fates = [(b.id, "pending" if b.id in pending else became(b, a)) for b, a in zip(before, after, strict=True)]
    counts = [i for i, (_, result) in enumerate(fates) if i < len(ready.targets) or result != "nothing"]
    units, after = tuple(fates[i] for i in counts), tuple(after[i] for i in counts)
    _trace_outcomes(ctx, units, after, results, column)
    for name, result in own:
        ctx.step("3.3.3-FPF", "attack.own_outcome", where=places(ctx.position.piece(name)), piece=name, result=result)
    return Attack(ready, original, column, tuple(results), cowers, jammed, lost, again, own, left, units, after)


def _under_dm(ctx: Context, ready: Fire, before: tuple[Troop, ...]) -> tuple[Troop, ...]:
    """Broken units without DM that the attack could make check morale take one, whatever the roll.

    **Rule:** 3.2.3-DM.
    """
    marked = list(before)
    for i, one in enumerate(ready.targets):
        if before[i].broken and not before[i].dm and shaking_rolls(ctx, ready.column, one.drm, ready.cower):
            ctx.step("3.2.3-DM", "attack.takes_dm", where=places(ctx.position.piece(one.id)), piece=one.id)
            marked[i] = replace(before[i], dm=True)
    return tuple(marked)


def struck(ctx: Context, ready: Fire, target: str) -> tuple[Troop, ...]:
    """Units fired at, then those of their hex that an attack reaches only through a leader: who helps, or may lose one.

    **Rule:** 1.2.1, 3.2.3-NMC, 3.2.3-LLMC.
    """
    hit = [ctx.position.piece(one.id) for one in ready.targets]
    sides, led = {p.side for p in hit}, any(p.kind == "leader" for p in hit)
    near = [p for p in ctx.position.pieces_at(target) if p.side in sides and p.kind in INFANTRY and p not in hit]
    return tuple(troop(ctx.position, p) for p in (*hit, *(p for p in near if led or p.kind == "leader")))


def _trace_outcomes(
    ctx: Context,
    units: tuple[tuple[str, str], ...],
    after: tuple[Troop, ...],
    results: list[tuple[str, int, str]],
    column: int,
) -> None:
    """What the attack did, unit by unit; what is still to roll when dice are missing."""

    def ending(place: int) -> str:
        """Code of the sentence that says how it ends."""
        result = units[place][1]
        if result == "pending":
            return "attack.pending_loss" if place >= len(results) else "attack.pending"
        return "attack.outcome_pinned" if result in ("reduced", "wounded") and after[place].pinned else "attack.outcome"

    def trace_unit(place: int) -> None:
        name, result = units[place]
        where, code = places(ctx.position.piece(name)), ending(place)
        if code == "attack.pending_loss":
            ctx.step("3.2.3-LLMC", code, where=where, piece=name)
        elif code == "attack.pending":
            ctx.step("3.2.3", code, where=where, piece=name, code=results[place][2], column=column)
        else:
            alike = [one for at, (one, theirs) in enumerate(units) if theirs == result and ending(at) == code]
            if name == alike[0]:  # said once of all that end alike
                where = places(*map(ctx.position.piece, alike))
                ctx.step("3.2.3", code, where=where, pieces=alike, result=result)

    if not units:
        ctx.step("3.2.3", "attack.nobody")
        return
    if len(units) == 1:
        trace_unit(0)
        return
    eliminated, reduced, wounded = (
        sum(result.startswith(code) for _, result in units) for code in ("eliminated", "reduced", "wounded")
    )
    broken, waiting = (sum(result.endswith(code) for _, result in units) for code in ("broken", "pending"))
    code = "attack.all_wait" if waiting == len(units) else "attack.some_wait" if waiting else "attack.tally"
    with ctx.group("3.2.3", code, units=len(units), broken=broken, reduced=reduced, wounded=wounded,
                   eliminated=eliminated, waiting=waiting):  # fmt: skip
        for place in range(len(units)):
            trace_unit(place)


@dataclass(frozen=True, slots=True)
class _Given:
    """Dice a reader gave for what follows the result."""

    ctx: Context
    chosen: Any
    checks: Mapping[str, Any]
    losses: Mapping[str, Any]
    wounds: Mapping[str, int]

    def check(self, one: Troop) -> int | None:
        given = self.checks.get(one.id)
        return None if given is None else total(roll(given))

    def loss(self, one: Troop, place: int) -> int | None:
        """Dice of its check for the loss of a leader; ``place``: which of its checks, when each has its own dice."""
        given = self.losses.get(one.id)
        if given and isinstance(given[0], Sequence):
            given = given[place] if place < len(given) else None
        return None if given is None else total(roll(given))

    def wound(self, one: Troop) -> int | None:
        die = self.wounds.get(one.id)
        if die is None:
            return None
        if type(die) is not int or not 1 <= die <= 6:
            raise RequestError(f"« {die} » n’est pas un dé.", remedy="Donnez un nombre de 1 à 6.")
        return die

    def lacks_wound(self, kind: str, one: Troop, original: int, drm: int) -> bool:
        """Whether a check asks for the dr of a wound that the reader did not give."""
        return kind != "ptc" and wounds_at_check(one, original, drm) and self.unrolled(one)

    def unrolled(self, one: Troop) -> bool:
        """Whether the dr of a wound that is asked for was not given; says so."""
        if self.wound(one) is not None:
            return False
        self.ctx.step("3.2.3-wound", "attack.wound_needed", piece=one.id)
        return True


def _awaits_leader(before: tuple[Troop, ...], pending: set[str], index: int) -> bool:
    """Whether a leader whose fate is not known yet may help a unit."""
    side = before[index].side
    return any(one.id in pending and one.side == side and one.leads for one in before)


def _suffer(given: _Given, before: tuple[Troop, ...], codes: list[str]) -> tuple[tuple[Troop, ...], set[str]]:
    ctx = given.ctx
    now, pending = list(before), set[str]()
    effects = [effect(code) for code in codes]
    for what in dict.fromkeys(effects):
        members = [i for i, e in enumerate(effects) if e == what]
        picked = _picked(given, what, [before[i] for i in members])
        if picked is None:
            pending |= {before[i].id for i in members}
            continue
        tied = picks(what) < min(len(picked), len(members))
        for i in members:
            chosen = now[i].id in picked
            if wounds_at_strike(what, now[i], chosen) and given.unrolled(now[i]):
                pending.add(now[i].id)
                continue
            now[i] = strike(ctx, what, now[i], chosen, given.wound(now[i]), tied)
    done = [i for i, what in enumerate(effects) if what.kind == "none"]
    for i in order(before):
        if effects[i].kind == "none" or before[i].id in pending:
            continue
        if _awaits_leader(before, pending, i):
            pending.add(before[i].id)
        elif must_check(ctx, effects[i], now[i], before[i]):
            original, help_ = given.check(now[i]), helped(tuple(now), i, done)
            if original is None or given.lacks_wound(effects[i].kind, now[i], original, effects[i].number + help_):
                pending.add(before[i].id)
                continue
            if help_:
                ctx.step("3.2.3-NMC", "effect.helped", value=help_, piece=now[i].id)
            elif leader := pinned_leader(tuple(now), i, done):
                ctx.step("1.2.1", "effect.pinned_leader", piece=now[i].id, leader=leader)
            now[i] = examine(ctx, effects[i], now[i], original, help_, given.wound(now[i]))
        done.append(i)
    if not pending:
        tested: Counter[str] = Counter()
        for lost, kind in losses(ctx, before, tuple(now)):
            say_steady(ctx, before, tuple(now), lost, kind)
            for i in shaken(before, tuple(now), lost, kind):
                original, help_ = given.loss(now[i], tested[now[i].id]), helped(tuple(now), i, range(len(now)))
                drm = loss_drm(before[lost], help_)
                tested[now[i].id] += 1
                if original is None or given.lacks_wound(kind, now[i], original, drm):
                    pending.add(now[i].id)
                    continue
                now[i] = loss_check(ctx, kind, now[i], before[lost], original, help_, given.wound(now[i]))
    return tuple(now), pending


def _picked(given: _Given, what: Effect, members: list[Troop]) -> set[str] | None:
    """Ids picked at random; None when the reader must say."""
    wanted = picks(what)
    if not wanted or wanted >= len(members):
        return {m.id for m in members} if wanted else set()
    names = {name for name in given.chosen if name in {m.id for m in members}}
    if len(names) < wanted:
        return None
    exact = given.ctx.setting("random_ties") == "one"
    rule = "3.2.3-KIA" if what.kind == "kia" else "3.2.3-K"
    given.ctx.step(rule, "effect.ties_one" if exact else "effect.ties_all", note="interprétation")
    if exact and len(names) > wanted:
        return None
    return names


def _mark(ctx: Context, ready: Fire) -> None:
    """The marker that units which cower receive at once: they, and their weapons, have done firing."""
    marker = "prep_fire" if {"prep", "advancing"} & set(ready.modes) else "final_fire"
    units = {u.id: u for name in ready.firers if (u := owner(ctx.position, ctx.position.piece(name))).kind in MMC}
    armed = any(ctx.position.piece(name).kind == "mg" for name in ready.firers)
    kept = ctx.setting("cower_rof") == "kept"
    code, note = "attack.cower_owner" if armed and kept else "attack.cower_mark", "interprétation" if armed else None
    ctx.step("3.2.2-cower", code, value=marker, where=places(*units.values()), note=note, pieces=list(units))


def _own(ctx: Context, ready: Fire, original: int, given: _Given) -> tuple[tuple[str, str], ...]:
    """The attack's own dice as a NMC for those who fire in Final Protective Fire and for who directs them."""
    units = {
        u.id: u
        for f in ready.firers
        if mode_of(ctx.position, u := owner(ctx.position, ctx.position.piece(f))) == "protective"
    }
    if not units:
        return ()
    units |= {name: ctx.position.piece(name) for name in ready.leaders}
    drm = sum(t.value for t in ready.terms if t.name == "leadership")
    fates = []
    with ctx.group("3.3.3-FPF", "attack.own", where=places(*units.values()), drm=drm):
        for unit in units.values():
            before = troop(ctx.position, unit)
            if given.lacks_wound("mc", before, original, drm):
                fates.append((unit.id, "pending"))
                continue
            fates.append((unit.id, became(before, check(ctx, before, original, drm, given.wound(before)))))
    return tuple(fates)


def _residual(ctx: Context, ready: Fire, column: int, out: set[str], target: str) -> int:
    """Residual firepower left by a first fire; weapons that broke down or fire again leave none."""
    if not {"first", "subsequent", "protective"} & set(ready.modes):
        return 0
    counted = sum(
        (fp for name, fp in ready.pieces if name not in out and ctx.position.piece(name).kind != "atr"), Fraction(0)
    )
    left = COLUMNS.index(ready.column) - (COLUMNS.index(column) if column else -1) if ready.column else 0
    base = column_of(counted)
    smoke = ctx.position.marker("smoke", target)
    inside = board(ctx.position).smoke[board(ctx.position).index[target]] if smoke and "1.2.5" not in ctx.without else 0
    if inside and ctx.on("3.3.5"):
        counts = ctx.setting("residual_smoke") == "outside"
        code = "residual.smoke_counts" if counts else "residual.inside"
        ctx.step("3.3.5", code, value=inside, where=hexes(target), note="interprétation", cell=target)
        inside = 0 if counts else inside
    return residual_of(ctx, shifted(base, left) if base else 0, external(ready.terms, inside), target)
