"""Area fire: who may fire, strength, column, every shift a step, result.

**Rule:** 9.1-9.3, 11.0-11.4, 13.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tutor.core.arguments import Firers, TargetCell
from tutor.core.context import Context, dice, reader
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import Place, hexes
from tutor.games.tcs.arguments import AcrossSide, AreaSituation, Observed, RollTotal, Shooters, Spotter
from tutor.games.tcs.board import board
from tutor.games.tcs.charts import base_column, cell_of, column_note, column_title, known, read, shifted, table_note
from tutor.games.tcs.dice import D66, EACH, sequential
from tutor.games.tcs.fire.crossfire import crossfire_of, trace_crossfire
from tutor.games.tcs.fire.firers import edge_class, firing_units, refuse_firer, refuse_hidden, refuse_second_sfa, sees
from tutor.games.tcs.game import GAME
from tutor.games.tcs.los.night import fire_row, is_night
from tutor.games.tcs.morale import CLASSES, class_note, hex_class
from tutor.games.tcs.units import Unit, place, rounded, trace_driving, unit, units_at, value

#: Postures from the worst for the defender to the best.
POSTURES = ("move", "fire", "dug_in")
SITUATIONS = ("sfa", "overwatch")


@dataclass(frozen=True, slots=True)
class AreaFire:
    """An area fire up to its column, and its result when the dice are given.

    Args:
        strength: total of the firers.
        base: its column, None when nobody may lose a step: nothing more is then worked out.
        shifts: (name, columns) in order.
        shift: their sum.
        column: the column reached, None when left of 0, or when nobody may lose a step (no effect).
        observed: whether the target is; None when nobody may lose a step.
        crossfire: whether it counts.
        vulnerable: pieces that may lose steps.
        stacking: steps counted.
        losses: steps lost, None without a roll.
        check: whether a morale check follows, None without a roll.
    """

    strength: int
    base: str | None
    shifts: tuple[tuple[str, int], ...]
    shift: int
    column: str | None
    observed: bool | None
    crossfire: bool
    vulnerable: tuple[str, ...]
    stacking: int
    losses: int | None = None
    check: bool | None = None


# -- strength -----------------------------------------------------------------------------------------------------


def strength(ctx: Context, units: Sequence[Unit], target: str) -> int:
    """Total of the firing values at a hex.

    **Rule:** 9.1f, 10.0b, 11.1f, 11.3d, 24.4.
    """
    grid = ctx.position.grid
    terms: list[Fraction] = []
    with ctx.group("11.0", "fire.strength_known", where=hexes(target), terms=terms) as group:
        terms += [_own_strength(ctx, u) for u in units if u.kind != "at_gun"]
        guns = [u for u in units if u.kind == "at_gun"]
        if guns:
            values = [_times_steps(ctx, u) for u in guns]
            where = [w for u in guns for w in place(u)]
            halved = -(-sum(values) // 2) if ctx.on("9.1f") else sum(values)
            if len(guns) > 1:
                ctx.step("24.4", "fire.at_guns_total", value=sum(values), where=where, pieces=[u.id for u in guns],
                         values=values)  # fmt: skip
            code = "fire.at_guns" if "9.1f" not in ctx.without else "fire.at_guns_whole"
            ctx.step("9.1f", code, value=halved, where=where, pieces=[u.id for u in guns], total=sum(values))
            terms.append(Fraction(halved))
        near = {0: 0, 1: 0}
        for u in units:
            d = grid.distance(u.at, target)
            if u.kind == "infantry" and d in near:
                near[d] += u.left
        if ctx.on("11.3d"):
            if near[0]:
                ctx.step("11.3d", "fire.same_hex", value=near[0], where=hexes(target))
                terms.append(Fraction(near[0]))
            if near[1]:
                bonus = rounded(ctx, Fraction(near[1], 2))
                note = "interprétation" if near[1] % 2 else None
                ctx.step("11.3d", "fire.adjacent", value=bonus, where=hexes(target), note=note, steps=near[1])
                terms.append(Fraction(bonus))
        total = sum(terms, Fraction(0))
        group.code, group.value = "fire.strength", rounded(ctx, total)
        group.note = "interprétation" if Fraction(total).denominator == 2 else None
    return rounded(ctx, total)


def _times_steps(ctx: Context, u: Unit) -> int:
    """The firing value of a unit of several guns or vehicles: its own, times its steps."""
    attack, steps = value(u, "attack"), u.left
    if steps == 1 or not ctx.on("11.1f"):
        return attack
    ctx.step("11.1f", "fire.times_steps", value=attack * steps, where=place(u), piece=u.id, attack=attack, steps=steps)
    return attack * steps


def _own_strength(ctx: Context, u: Unit) -> Fraction:
    attack = value(u, "attack")
    if GAME.tables["kinds"].get(u.kind, "multiplied") and u.left != 1 and "11.1f" not in ctx.without:
        return Fraction(_times_steps(ctx, u))
    halved = GAME.tables["kinds"].get(u.kind, "halved") and 2 * u.lost >= u.steps and ctx.on("10.0b")
    if halved:
        ctx.step("10.0b", "fire.halved", value=Fraction(attack, 2), where=place(u), piece=u.id, printed=attack)
        return Fraction(attack, 2)
    ctx.step("11.0", "fire.attack", value=attack, where=place(u), piece=u.id)
    return Fraction(attack)


# -- what is hit --------------------------------------------------------------------------------------------------


def vulnerable(ctx: Context, target: str, side: str, infantry: bool) -> list[Unit]:
    """Units of a hex that an area fire may hit.

    **Rule:** 9.2a, 10.0f, 11.1a, 11.1b.
    """
    hit, sheltered = [], []
    for u in units_at(ctx, target):
        if u.side == side:
            continue
        trace_driving(ctx, u)
        if u.target == "P":
            ctx.step("11.1a", "fire.point_target", where=place(u), piece=u.id)
        elif u.embarked:
            ctx.step("10.0f", "fire.embarked", where=place(u), piece=u.id)
        elif u.target == "B1" and infantry and ctx.on("11.1b"):
            sheltered.append(u)
        else:
            if u.target == "B1" and not infantry:
                ctx.step("11.1b", "fire.b1_open", where=place(u), piece=u.id)
            hit.append(u)
    if sheltered:
        ctx.step(
            "11.1b", "fire.b1", where=[spot for u in sheltered for spot in place(u)], pieces=[u.id for u in sheltered]
        )
    return hit


def terrain_class(ctx: Context, target: str, units: Sequence[Unit] = ()) -> str:
    """The most protective terrain of the target hex or of a hexside that the fire of some units crosses.

    Raises:
        UnknownValue: a terrain whose class the booklet does not give.

    **Rule:** 9.3, 9.3a.
    """
    best = hex_class(ctx, target)
    if best is None:
        raise UnknownValue("terrain", f"{target}.class", "9.3")
    compiled = board(ctx.position)
    side = None
    for u in units:
        if u.at == target:
            continue
        line, base = compiled.ray(u.at, target), compiled.index[u.at]
        for key, _, _ in line.end_sides:
            offset, d = divmod(key, 3)
            one = compiled.cell.get(base + offset)
            if one is None:
                continue
            name = compiled.grid.side_between(one, compiled.grid.neighbour(one, d + 1))
            kind = compiled.hedges.get(name)
            if kind and target in name.split("/"):
                own = GAME.tables["sides"].get(kind, "class")
                if own and CLASSES.index(own) < CLASSES.index(best):
                    best, side = own, name
    if side:
        where = [Place("side", side)]
        note = class_note("sides", [compiled.hedges[side]], best)
        ctx.step("9.3a", "fire.side_terrain", value=best, where=where, note=note, side=side, target=target)
    else:
        note = class_note("terrain", compiled.features.get(target, ()), best)
        ctx.step("9.3a", "fire.terrain", value=best, where=hexes(target), note=note, target=target)
    return best


# -- the attack ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Attack:
    """A permitted attack: who fires, who sees for each, at what, on what occasion.

    Args:
        edge: terrain class of the hexside that a reaction takes instead of the hex's, None for the hex's own.
    """

    units: Sequence[Unit]
    eyes: Sequence[Unit]
    target: str
    situation: str
    edge: str | None


@GAME.question(
    "area_fire",
    rules=("11.0", "11.1", "11.3", "13.1"),
    label="Que vaut ce tir de zone ?",
    theme="Tir de zone",
    common=True,
)
def area_fire(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    situation: AreaSituation = "sfa",
    spotter: Spotter | None = None,
    observed: Observed | None = None,
    roll: RollTotal | None = None,
    across: AcrossSide | None = None,
    shooters: Shooters = (),
) -> AreaFire | None:
    """An area fire at a hex: refusals, strength, column, every shift, and the result of a roll.

    Args:
        firers: ids of the firing pieces, one side.
        target: hex.
        situation: sfa or overwatch.
        spotter: piece that sees for mortars.
        observed: whether all firers observe the target, None to work it out.
        roll: 11 to 66, None to stop at the column.
        across: for a reaction, the hex across the side whose terrain is taken: the one just left, or attacked.
        shooters: ids of the enemies whose fire is answered: they are seen from farther.

    Returns:
        The fire, None when refused.

    Raises:
        RequestError: firers that cannot be read, or not a roll.

    **Rule:** 7.1b, 9.1, 9.2, 9.3a, 10.0b, 11.0, 11.1, 11.2a, 11.3a-11.3f, 11.4, 13.0, 13.1, 15.2c, 15.2f, 15.3a, 26.1f.

    >>> from tutor import ask, load_position
    >>> firers = ["platoon-a1", "platoon-a2", "mortier-a"]
    >>> position = load_position("tcs", "livret-tir-zone")
    >>> given = {"target": "06.03", "spotter": "platoon-a1", "observed": True, "roll": 65}
    >>> fire = ask(position, "area_fire", firers=firers, **given).value
    >>> fire.strength, fire.column, fire.losses
    (11, '14-16', 3)
    """
    if situation not in SITUATIONS:
        raise RequestError(
            f"« {situation} » n’est pas une sorte de tir de zone.", remedy="Choisissez sfa ou overwatch."
        )
    for rule in ("9.1f", "10.0b", "11.1b", "11.3b", "11.3c", "11.3d", "11.4", "11.4a"):
        ctx.on(rule)
    rolled = None if roll is None else sequential(roll)
    units = firing_units(ctx, firers, target, situation)
    eye = unit(ctx, spotter) if spotter else None
    if situation == "sfa":
        refuse_second_sfa(ctx, target)
    for u in units:
        refuse_firer(ctx, u, target, eye, situation)
    eyes = [eye if u.kind == "mortar" and eye else u for u in units]
    edge = edge_class(ctx, eyes, target, across, situation)
    if situation == "overwatch":
        refuse_hidden(ctx, eyes, target, observed, edge, shooters)
    if ctx.refusals:
        return None
    return _resolve(ctx, _Attack(units, eyes, target, situation, edge), observed, rolled)


def _resolve(ctx: Context, attack: _Attack, given: bool | None, rolled: int | None) -> AreaFire:
    units, target = attack.units, attack.target
    total = strength(ctx, units, target)
    hit = vulnerable(ctx, target, units[0].side, any(u.kind == "infantry" for u in units))
    if not hit:
        there = any(u.side != units[0].side for u in units_at(ctx, target))
        code, rule = ("fire.nobody", "3.2b") if there else ("fire.empty", "11.0")
        ctx.step(rule, code, value=0, where=hexes(target), target=target)
        return AreaFire(total, None, (), 0, None, None, False, (), 0, 0, False)
    base = base_column(ctx, total)
    ctx.step("11.0", "fire.column", value=base, note=column_note(ctx, base), total=total)
    where = [p for u in hit for p in place(u)]
    ctx.step("11.0", "fire.hit", where=where, pieces=[u.id for u in hit], target=target)
    settled = attack.situation == "overwatch"  # 7.1b has refused what is not observed
    observed, all_see = (True, True) if settled else _observed(ctx, attack.eyes, target, given)
    with ctx.group("11.3", "fire.shifts_known", where=hexes(target)) as group:
        crossing = _crossfire(ctx, units, target)  # first: it is known even where a shift is not
        shifts = _shifts(ctx, attack, hit, observed, all_see)
        if crossing:
            shifts.append(("crossfire", _other(ctx, "crossfire", "11.4", target)))
        shift = sum(v for _, v in shifts)
        group.code, group.value = "fire.shifts", shift
    column = shifted(ctx, base, shift)
    if column is None:
        ctx.step("11.0", "fire.off_left", base=base, shift=shift)
    else:
        note = column_note(ctx, column)
        title = column_title(ctx, column)
        ctx.step("11.0", "fire.final", value=column, note=note, total=total, base=base, shift=shift, title=title)
    losses, check = _outcome(ctx, column, rolled)
    ids, stacking = tuple(u.id for u in hit), sum(u.left for u in hit)
    return AreaFire(total, base, tuple(shifts), shift, column, observed, crossing, ids, stacking, losses, check)


def _observed(ctx: Context, eyes: Sequence[Unit], target: str, given: bool | None) -> tuple[bool, bool]:
    """Whether the target counts as observed, and as seen by all: an open point when only some see it."""
    observed, all_see = sees(ctx, eyes, target, given)
    if observed != all_see and ctx.setting("unobserved") != "each":
        observed = all_see = ctx.setting("unobserved") == "seen"
        code = "fire.taken_observed" if observed else "fire.taken_hidden"
        ctx.step("7.1d", code, value=observed, where=hexes(target), target=target, note="interprétation")
    return observed, all_see


def _shifts(ctx: Context, attack: _Attack, hit: Sequence[Unit], observed: bool, all_see: bool) -> list[tuple[str, int]]:
    """Every shift of the column but that of crossfire, in order."""
    units, target = attack.units, attack.target
    low = any(u.trajectory == "low" for u in units)
    shifts = [
        ("terrain", _terrain(ctx, attack, hit, hidden=low and not observed)),
        ("range", _range(ctx, units, target)),
        ("stacking", _stacking(ctx, sum(u.left for u in hit), target, hidden=not all_see)),
    ]
    return shifts + _others(ctx, units, target, hit, low, attack.situation)


def _crossfire(ctx: Context, units: Sequence[Unit], target: str) -> bool:
    if not ctx.on("11.4") or len({u.at for u in units}) == 1:
        return False
    high = tuple(u.id for u in units if u.trajectory == "high") if ctx.on("11.4a") else ()
    crossing = crossfire_of(ctx, [u.at for u in units], target, high)
    trace_crossfire(ctx, crossing)
    return crossing.applies


def _terrain(ctx: Context, attack: _Attack, hit: Sequence[Unit], *, hidden: bool) -> int:
    target = attack.target
    kind = attack.edge or terrain_class(ctx, target, attack.units)
    postures = [u.posture for u in hit]
    posture = min(postures, key=POSTURES.index) if ctx.on("11.3b") else max(postures, key=POSTURES.index)
    if len(set(postures)) > 1:
        ctx.step(
            "11.3b",
            "fire.posture",
            value=posture,
            where=hexes(target),
            postures=sorted(set(postures), key=POSTURES.index),
        )
    column = f"{posture}_hidden" if hidden else posture
    code = "fire.terrain_hidden" if hidden else "fire.terrain_shift"
    return int(read(ctx, "area_terrain", kind, column, code, "11.3a", hexes(target), posture=posture))


def _stacking(ctx: Context, steps: int, target: str, *, hidden: bool) -> int:
    column, code = ("shift_hidden", "fire.stacking_hidden") if hidden else ("shift", "fire.stacking")
    return int(read(ctx, "stacking_shift", str(steps), column, code, "11.3e", hexes(target), steps=steps))


def _range(ctx: Context, units: Sequence[Unit], target: str) -> int:
    """The modifier of the range that suits the defender most; a bound that an example forces may be enough."""
    values: list[tuple[int, Unit, int]] = []
    unknown: list[tuple[Unit, int, int | None]] = []
    for u in units:
        row = str(GAME.tables["kinds"].get(u.kind, "range_row"))
        n = ctx.position.grid.distance(u.at, target)
        modifier = known(ctx, "area_range", row, str(n))
        modifier = known(ctx, "area_range", row, "any") if modifier is None else modifier
        if modifier is not None:
            values.append((int(modifier), u, n))
        else:
            unknown.append((u, n, known(ctx, "area_range", row, f"{n}_at_least")))
    worst = min((v for v, _, _ in values), default=None)
    for u, n, least in unknown:
        if least is None or worst is None or least < worst:
            ctx.step("11.3c", "fire.range_unknown", value=None, where=place(u), piece=u.id, distance=n)
            raise UnknownValue("area_range", f"{GAME.tables['kinds'].get(u.kind, 'range_row')}.{n}", "11.3c")
    best = max(values, key=lambda v: v[0]) if "11.3c" in ctx.without else min(values, key=lambda v: v[0])
    row, printed = str(GAME.tables["kinds"].get(best[1].kind, "range_row")), GAME.tables["area_range"]
    official = best[0] in (printed.get(row, str(best[2])), printed.get(row, "any"))
    note = None if official else table_note(ctx, "area_range")
    ctx.step("11.3c", "fire.range", value=best[0], note=note, where=place(best[1]), piece=best[1].id, distance=best[2])
    return best[0]


def _others(
    ctx: Context, units: Sequence[Unit], target: str, hit: Sequence[Unit], low: bool, situation: str
) -> list[tuple[str, int]]:
    modifiers: list[tuple[str, int]] = []
    state = ctx.position.state
    armour = [u for u in units_at(ctx, target) if u.side != units[0].side and u.target == "P"]
    if low and any(value(u, "defense") >= 2 for u in armour):
        modifiers.append(("p_target", _other(ctx, "p_target", "11.3f", target)))
    elif armour and ctx.on("11.3f"):
        code = "fire.p_target_thin" if low else "fire.p_target_plunging"
        ctx.step("11.3f", code, value=0, where=hexes(target), pieces=[u.id for u in armour])
    if any("suppressed" in u.status for u in units):
        modifiers.append(("suppressed_firer", _other(ctx, "suppressed_firer", "13.1f", target)))
    far = any(ctx.position.grid.distance(u.at, target) > 0 for u in units)
    if far and all({"suppressed", "paralyzed"} & set(u.status) for u in hit):
        name = "paralyzed_target" if all("paralyzed" in u.status for u in hit) else "suppressed_target"
        modifiers.append((name, _other(ctx, name, "11.3f", target)))
    if is_night(ctx):
        name, rule = fire_row(board(ctx.position), target)
        modifiers.append((name, _other(ctx, name, rule, target)))
    if target in board(ctx.position).smoke:
        modifiers.append(("smoke", _other(ctx, "smoke", "19.0", target)))
    if situation == "overwatch" and state.get("target_on_road") is True:
        modifiers.append(("road", _other(ctx, "road", "11.3f", target)))
    return modifiers


def _other(ctx: Context, name: str, rule: str, target: str) -> int:
    return int(read(ctx, "area_shifts", name, "shift", "fire.other", rule, hexes(target)))


def _outcome(ctx: Context, column: str | None, rolled: int | None) -> tuple[int | None, bool | None]:
    if column is None:
        return 0, False
    if rolled is None:
        return None, None
    ctx.step("1.6", "roll", "dice", roll=dice(rolled), value=rolled)
    losses = read(ctx, "fire", column, str(rolled), "fire.result", "11.0", roll=rolled, title=column_title(ctx, column))
    if losses == "none":
        return 0, False
    ctx.step("17.0b", "fire.check", value=int(losses), losses=int(losses))
    return int(losses), True


@GAME.question(
    "area_odds",
    rules=("11.0",),
    label="Quelles chances a ce tir de zone ?",
    theme="Tir de zone",
    chances=True,
)
def area_odds(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    situation: AreaSituation = "sfa",
    spotter: Spotter | None = None,
    observed: Observed | None = None,
    across: AcrossSide | None = None,
    shooters: Shooters = (),
) -> dict[int, Fraction]:
    """Exact odds of the steps lost to an area fire.

    Args:
        firers: ids of the firing pieces.
        target: hex.
        situation: sfa or overwatch.
        spotter: piece that sees for mortars.
        observed: whether all firers observe it, None to work it out.
        across, shooters: as for ``area_fire``.

    Returns:
        Steps lost -> probability, empty when refused; none for sure when nobody may lose a step.

    **Rule:** 1.6, 3.2b, 11.0, 11.1a.

    >>> from tutor import ask, load_position
    >>> fire = {"firers": ["platoon-a1", "platoon-a2", "mortier-a"], "target": "06.03", "spotter": "platoon-a1"}
    >>> position = load_position("tcs", "livret-tir-zone").change({"setting.charts": "fictif"})
    >>> [(lost, str(chance)) for lost, chance in ask(position, "area_odds", **fire, observed=True).value.items()]
    [(0, '11/18'), (1, '5/36'), (2, '5/36'), (3, '1/9')]
    """
    fire = area_fire.function(ctx, firers, target, situation, spotter, observed, None, across, shooters)
    if fire is None:
        return {}
    if not fire.vulnerable:
        return {0: Fraction(1)}
    odds: dict[int, Fraction] = {}
    for roll in D66:
        cell = "none" if fire.column is None else cell_of(ctx, "fire", fire.column, str(roll), "11.0").value
        lost = 0 if cell == "none" else int(cell)
        odds[lost] = odds.get(lost, Fraction(0)) + EACH
    ctx.step(
        "11.0", "fire.odds", note=table_note(ctx, "fire"), value=1 - odds.get(0, Fraction(0)), target=reader(target)
    )
    return dict(sorted(odds.items()))
