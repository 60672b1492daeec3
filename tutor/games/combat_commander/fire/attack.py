"""A fire resolved, stage by stage: targeting, attack total, concealment, weapons that break, each defence in order.

Every stage is a function of a context and of dice already read; the odds run the same functions.

**Rule:** O20.2, O20.3.3, O20.3.3.1, O20.3.4, 3.2.4, 11.4, 11.6, A29, A36, A41, T99, 7.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from tutor.core.arguments import Firers, Pieces, Roll, TargetCell
from tutor.core.context import Context, default, dice, reader
from tutor.core.dice import Pair, double, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import (
    ActionNames,
    AlsoCell,
    BasePiece,
    Concealment,
    DefenceRolls,
    FireMode,
    LightWounds,
)
from tutor.games.combat_commander.fire.cover import Against, cover
from tutor.games.combat_commander.fire.fire import Fire, fire
from tutor.games.combat_commander.fire.op_fire import moment
from tutor.games.combat_commander.fire.targeting import aim
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import points
from tutor.games.combat_commander.units import (
    AS_PLACED,
    AUTOMATIC,
    Troops,
    cell_of,
    is_single_use,
    is_unit,
    is_white_band,
    mark,
    places,
    team_for,
    weapons_of,
    wielded,
)
from tutor.games.combat_commander.values import morale_in


@dataclass(frozen=True, slots=True)
class Salvo:
    """A fire ready to be rolled: its strength and everything the stages need.

    Args:
        fire: strength.
        firers: pieces.
        against: how cover sees it.
        sustained: Sustained Fires played.
        cells: hexes fired at, each with (cover, firepower).
        defenders: units of each hex, in the order of their rolls.
    """

    fire: Fire
    firers: tuple[Piece, ...]
    against: Against
    sustained: int
    cells: tuple[tuple[str, int, int], ...]
    defenders: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class Defence:
    """What an attack does to one unit.

    Args:
        morale: effective Morale.
        roll: its dice, None when not rolled yet.
        total: Morale and dice.
        result: nothing, suppressed, broken, eliminated, replaced (Light Wounds), or pending.
    """

    morale: int
    roll: tuple[int, int] | None
    total: int | None
    result: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A fire and what came of it.

    Args:
        fp: final firepower.
        hit: outcome of targeting, None without it.
        total: attack total after Concealment, None while not rolled.
        also_total: for the second hex of a Spray Fire.
        pieces: unit id -> defence.
        weapons: weapon id -> broken or eliminated (that fired, or whose carrier is lost).
        points: victory points for the firing side.
    """

    fp: int
    hit: bool | None
    total: int | None
    also_total: int | None
    pieces: Mapping[str, Defence]
    weapons: Mapping[str, str]
    points: int


def against(ctx: Context, firers: Sequence[Piece]) -> Against:
    """How cover sees the fire: flame with such a weapon, mortar for a mortar alone, else fire; a gun by its reading.

    **Rule:** 11.5, 11.6, T97.
    """
    if any(not is_unit(p) and mark(ctx, p, "no_cover", p.kind in ("flamethrower", "molotov")) for p in firers):
        return "flame"
    if len(firers) == 1 and firers[0].kind == "gun" and is_white_band(ctx, firers[0]):
        direct = ctx.setting("gun_fire") == "direct"
        code = "attack.gun_direct" if direct else "attack.gun_indirect"
        ctx.step("11.5", code, value=direct, where=places(*firers), note="interprétation", piece=firers[0].id)
        return "fire" if direct else "mortar"
    return "mortar" if len(firers) == 1 and firers[0].kind == "mortar" else "fire"


def prepare(ctx: Context, declared: Mapping[str, Any], order: Sequence[str] = ()) -> Salvo:
    """Check a fire and gather what its stages need.

    Args:
        ctx: computation.
        declared: arguments of ``fire``.
        order: unit ids in the order of their defence rolls.
    """
    strength: Fire = fire.function(ctx, **declared)
    firers = tuple(wielded(ctx, ctx.position.piece(name)) for name in dict.fromkeys(declared["firers"]))
    side = firers[0].side if firers else ""
    kind = against(ctx, firers)
    froms = tuple(dict.fromkeys(cell_of(ctx, p) for p in firers))
    also = declared.get("also")
    cells, defenders = [], []
    for cell, fp in ((declared["target"], strength.fp), *(((also, strength.also_fp or 0),) if also else ())):
        with ctx.group("T78.3", "attack.cover", where=hexes(cell), cell=cell) as step:
            step.value = cover.function(ctx, cell, kind, froms).value
        cells.append((cell, int(step.value), fp))
        if [p.kind for p in firers] == ["gun"] and kind == "fire" and ctx.position.terrain_of.get(cell) == "woods":
            ctx.step("T99", "attack.airburst_spared", value=0, where=hexes(cell), piece=firers[0].id, cell=cell)
        units = [p for p in ctx.position.pieces_at(cell) if is_unit(p) and p.side != side]
        defenders.append(tuple(_ordered(units, order)))
    actions = [name.partition(":")[0] for name in declared.get("actions", ())]
    return Salvo(strength, firers, kind, actions.count("sustained_fire"), tuple(cells), tuple(defenders))


def _ordered(units: list[Piece], order: Sequence[str]) -> list[Piece]:
    """Units in the owner's order; by default leaders last, so that their command still helps the others."""
    if order:
        return sorted(units, key=lambda p: order.index(p.id) if p.id in order else len(order))
    return sorted(units, key=lambda p: p.kind == "leader")


def attack_total(ctx: Context, fp: int, rolled: int, kind: Against, cell: str) -> int:
    """Firepower and dice, and the airbursts of a mortar or radio in woods. **Rule:** O20.3.3, T99."""
    amount = fp + rolled
    ctx.step("O20.3.3", "attack.total", value=amount, where=hexes(cell), cell=cell, fp=fp, roll=dice(rolled))
    more = airburst(ctx, kind, cell)
    if more:
        ctx.step("T99", "attack.airburst", value=amount + more, where=hexes(cell), cell=cell)
    return amount + more


def airburst(ctx: Context, kind: Against, cell: str) -> int:
    """What woods add to the attack total of a mortar or radio. **Rule:** T99."""
    if kind in ("mortar", "radio") and ctx.position.terrain_of.get(cell) == "woods" and ctx.on("T99"):
        return int(ctx.table("fire_modifiers").get("airburst", "total", hexes(cell)))
    return 0


def concealed(ctx: Context, amount: int, covers: Sequence[int], cards: int) -> int:
    """Attack total after Concealment: less the cover of the hex, for each card.

    Raises:
        RequestError: fewer than no cards.

    **Rule:** A29.
    """
    if cards < 0:
        raise RequestError("Le nombre de Dissimulations ne peut pas être négatif.", remedy="Écrivez 0 ou plus.")
    if not cards or not ctx.on("A29"):
        return amount
    cover, note = hiding(ctx, covers)
    less = cover * cards
    ctx.step("A29", "attack.concealed", value=amount - less, note=note, cards=reader(cards), cover=cover, was=amount)
    return amount - less


def hiding(ctx: Context, covers: Sequence[int]) -> tuple[int, str | None]:
    """The cover that a Concealment takes off, and the badge of its step: of one of the hexes of a Spray Fire.

    Args:
        ctx: computation.
        covers: cover of each hex fired at.

    **Rule:** A29, A40.
    """
    cover = max(covers) if ctx.setting("spray_concealment") == "highest" else min(covers)
    return cover, "interprétation" if len(covers) > 1 else None


def outcome(ctx: Context, troops: Troops, unit: Piece, margin: int, wounds: bool = False) -> tuple[str, Troops]:
    """What a defence does: the result, and the markers afterwards.

    Args:
        ctx: computation.
        troops: markers before.
        unit: who defends.
        margin: attack total less defence total.
        wounds: Light Wounds are played for it.

    **Rule:** O20.3.4, 3.2.4, 13.1, A36.
    """
    statuses = troops.of(unit)
    broken = margin > 0 or (margin == 0 and unit.activated == "move" and ctx.on("O20.3.4"))
    if broken and wounds and unit.kind == "squad":
        return "replaced", troops.now(unit.id, statuses | {"replaced"})
    if broken:
        if "broken" not in statuses:
            return "broken", troops.now(unit.id, statuses | {"broken"})
        if not ctx.on("3.2.4"):
            return "nothing", troops
        return "eliminated", troops.now(unit.id, frozenset({"eliminated"}))
    if margin == 0 and "suppressed" not in statuses:
        return "suppressed", troops.now(unit.id, statuses | {"suppressed"})
    return "nothing", troops


def defend(
    ctx: Context, troops: Troops, unit: Piece, attack: int, covering: int, rolled: Pair, wounds: bool = False
) -> tuple[Defence, Troops]:
    """One defence roll, with its trace. **Rule:** O20.3.4."""
    with ctx.group("O20.3.4", "attack.defence", where=places(unit), piece=unit.id) as step:
        brave = morale_in(ctx, unit, covering, troops)
        own = brave + total(rolled)
        ctx.step("O20.3.4", "attack.defence_total", value=own, morale=brave, roll=dice(list(rolled)))
        result, after = outcome(ctx, troops, unit, attack - own, wounds)
        _explain(ctx, unit, attack, own, result)
        if wounds and unit.kind == "squad" and result != "replaced":
            ctx.step("A36", "attack.wounds_kept", value=result, where=places(unit), piece=unit.id)
        step.value = result
    return Defence(brave, rolled, own, result), after


def _explain(ctx: Context, unit: Piece, attack: int, own: int, result: str) -> None:
    """The steps that say why a defence ended as it did."""
    where = places(unit)
    hurt = result in ("broken", "eliminated", "replaced")
    if attack > own:
        rule, code = "O20.3.4", "attack.broken" if hurt else "attack.no_effect"
    elif attack < own:
        rule, code = "O20.3.4", "attack.unharmed"
    elif unit.activated == "move" and ctx.on("O20.3.4"):
        rule, code = "O20.3.4", "attack.tie_moving" if hurt else "attack.tie_no_effect"
    else:
        rule, code = "13", "attack.tie" if result == "suppressed" else "attack.tie_again"
    ctx.step(rule, code, value=result, where=where, piece=unit.id, own=own, attack=attack)
    if result == "eliminated":
        ctx.step("3.2.4", "attack.eliminated", value=result, where=where, piece=unit.id)
    elif result == "replaced":
        ctx.step("A36", "attack.replaced", value=result, where=where, piece=unit.id)
        if row := team_for(ctx.position, unit):
            ctx.step("A36", "action.wounds_team", value=row, where=where, quality=reader(row))


def wear(ctx: Context, salvo: Salvo, rolled: Pair, jammed: bool, which: Sequence[str] | None = None) -> dict[str, str]:
    """Firing weapons that break: all of them on Jammed!, one for each Sustained Fire on a double; twice eliminates.

    Args:
        ctx: computation.
        salvo: the fire.
        rolled: fire roll.
        jammed: it bore Jammed!.
        which: weapon the firer picks for every Sustained Fire, or one weapon for each; None: those least worn.

    Raises:
        RequestError: a weapon picked that is no firing mortar or machine gun.

    **Rule:** O20.3.3.1, A41, 11.4, 11.6.
    """
    weapons = [p for p in salvo.firers if not is_unit(p)]
    times = dict.fromkeys((p.id for p in weapons), 0)
    if jammed and weapons:
        ctx.step("O20.3.3.1", "attack.jammed", value=True, where=places(*weapons), pieces=list(times))
        for name in times:
            times[name] += 1
    able = [p.id for p in weapons if p.kind in AUTOMATIC]
    picked = [which] if isinstance(which, str) else list(which or ())
    strangers = [name for name in picked if name not in able]
    if strangers:
        raise RequestError(
            f"« {strangers[0]} » n’est ni un mortier ni une mitrailleuse qui tire.",
            remedy=f"Armes possibles : {', '.join(able) or 'aucune'}.",
        )
    if salvo.sustained and double(rolled) and able:
        for card in range(salvo.sustained):
            name = picked[card % len(picked)] if picked else min(able, key=lambda name: times[name])
            times[name] += 1
            who = reader(name) if picked else default(name)
            code = "attack.double_more" if card else "attack.double"
            ctx.step("A41", code, "choice", value=name, piece=who, dice=dice(list(rolled)), card=reader(card + 1))
    states = {name: "broken" if n == 1 else "eliminated" for name, n in times.items() if n}
    for weapon in weapons:
        if is_single_use(ctx, weapon):
            ctx.step("11.6", "attack.single_use", value=weapon.id, where=places(weapon), piece=weapon.id)
            states[weapon.id] = "eliminated"
        elif times[weapon.id] > 1:
            ctx.step("11.4", "attack.broken_twice", value=weapon.id, where=places(weapon), piece=weapon.id)
    return states


def lost_with(ctx: Context, unit: Piece) -> dict[str, str]:
    """Weapons that leave play with a unit eliminated. **Rule:** 4.2."""
    carried = [weapon.id for weapon in weapons_of(ctx, unit)]
    if carried:
        ctx.step("4.2", "attack.lost_with", value="eliminated", where=places(unit), piece=unit.id, weapons=carried)
    return dict.fromkeys(carried, "eliminated")


@GAME.question(
    "attack",
    rules=("O20", "O20.3.3", "O20.3.4", "O20.3.3.1", "3.2.4", "A29", "A36", "A41", "T99"),
    label="Que donne ce tir avec ces dés ?",
    theme="Vue et tir",
    common=True,
    odds="fire_odds",
)
def attack(
    ctx: Context,
    firers: Firers,
    target: TargetCell,
    roll: Annotated[Roll | None, "Jet de Tir"] = None,
    actions: ActionNames = (),
    defence: DefenceRolls | None = None,
    base: BasePiece | None = None,
    mode: FireMode = "order",
    also: AlsoCell | None = None,
    targeting: Annotated[Roll | None, "Dés de ciblage"] = None,
    jammed: Annotated[bool, "Arme enrayée"] = False,
    breaks: Annotated[Pieces | None, "Pièces qui cassent"] = None,
    concealment: Concealment = 0,
    wounds: LightWounds = (),
) -> Attack:
    """Resolve a fire with the dice given.

    Args:
        firers, target, actions, base, mode, also: the fire, see :func:`fire`.
        roll: fire roll, white die then red; None stops before it.
        defence: unit id -> its dice, in the order of the rolls; units left out are pending.
        targeting: targeting roll of a white-band weapon; None with a fire roll: it has hit.
        jammed: the fire roll bore Jammed!.
        breaks: weapon that a double breaks, or one weapon for each Sustained Fire; None: those least worn.
        concealment: Concealments the defender plays.
        wounds: squads he saves with Light Wounds.

    Returns:
        The attack; refused when the fire is.

    Raises:
        RequestError: dice that are not dice, a defender that is not in the hex.

    **Rule:** O20.2, O20.3.3, O20.3.3.1, O20.3.4, 3.2.4, 11.4, 11.6, A29, A33.1, A33.2, A36, A41, T99.

    >>> from tutor import ask, load_position
    >>> a = ask(load_position("combat_commander", "livret-tir"), "attack", firers=["mg-l8"], target="M6",
    ...         actions=["sustained_fire"], roll=[3, 6]).value
    >>> a.fp, a.total
    (11, 20)
    """
    declared = {"firers": firers, "target": target, "actions": actions, "base": base, "mode": mode, "also": also}
    given = {name: _dice(pair) for name, pair in (defence or {}).items()}
    known_names(ctx, [*given, *wounds])
    if mode == "op_fire":
        moment(ctx, firers, target)
    salvo = prepare(ctx, declared, list(given))
    known_defenders(ctx, salvo, given, wounds)
    ctx.settle()
    return resolve(
        ctx,
        salvo,
        _dice(roll) if roll is not None else None,
        given,
        _dice(targeting) if targeting is not None else None,
        jammed=jammed,
        breaks=breaks,
        concealment=concealment,
        wounds=wounds,
    )


def _dice(value: Any) -> Pair:
    return dice_of(value)


def known_names(ctx: Context, names: Sequence[str]) -> None:
    """Check that dice and Light Wounds are for pieces of the board, even when the fire is refused.

    Raises:
        RequestError: no such piece.
    """
    strangers = [name for name in names if name not in ctx.position.by_id]
    if strangers:
        raise RequestError(f"« {strangers[0]} » ne défend pas contre ce tir.", remedy="Donnez une unité du plateau.")


def known_defenders(ctx: Context, salvo: Salvo, given: Mapping[str, Pair], wounds: Sequence[str]) -> None:
    """Check that dice and Light Wounds are for units of the hexes fired at.

    Args:
        ctx: computation.
        salvo: the fire.
        given: unit id -> dice.
        wounds: squads saved with Light Wounds.

    Raises:
        RequestError: a unit that the fire does not reach.

    **Rule:** O20.3.4, A36.
    """
    units = {p.id: p for hexful in salvo.defenders for p in hexful}
    strangers = [name for name in (*given, *wounds) if name not in units]
    if strangers:
        raise RequestError(
            f"« {strangers[0]} » ne défend pas contre ce tir.",
            remedy=f"Unités visées : {', '.join(units) or 'aucune'}.",
        )
    for name in wounds:
        if units[name].kind != "squad":
            ctx.refuse("A36", "action.refuse.wounds_squad", where=places(units[name]), piece=name)


def resolve(
    ctx: Context,
    salvo: Salvo,
    rolled: Pair | None,
    given: Mapping[str, Pair],
    aimed: Pair | None,
    *,
    jammed: bool = False,
    breaks: Sequence[str] | None = None,
    concealment: int = 0,
    wounds: Sequence[str] = (),
    troops: Troops = AS_PLACED,
) -> Attack:
    """Run the stages of a prepared fire on given dice. **Rule:** O20.2, O20.3.3, O20.3.4."""
    hit: bool | None = None
    if len(salvo.firers) == 1 and is_white_band(ctx, salvo.firers[0]) and not ctx.refusals:
        if aimed is not None:
            weapon, target = salvo.firers[0], salvo.cells[0][0]
            with ctx.group("O20.2", "targeting", where=hexes(target), weapon=weapon.id, target=target):
                hit = aim(ctx, weapon, target, aimed).hit
        elif rolled is not None:
            ctx.step("O20.2", "attack.supposed_hit", "input", value=True, where=hexes(salvo.cells[0][0]))
    elif aimed is not None and not ctx.refusals:
        ctx.step("O20.2", "attack.no_targeting", where=places(*salvo.firers), pieces=[p.id for p in salvo.firers])
    if ctx.refusals or hit is False or rolled is None:
        return Attack(salvo.fire.fp, hit, None, None, {} if hit is False else _pending(ctx, salvo), {}, 0)
    pieces = {} if given else _pending(ctx, salvo)  # before the roll: the attack total is what is asked
    ctx.step("1.9", "attack.roll", "dice", value=total(rolled), dice=dice(list(rolled)))
    covers = [covering for _, covering, _ in salvo.cells]
    totals = [
        concealed(ctx, attack_total(ctx, fp, total(rolled), salvo.against, cell), covers, concealment)
        for cell, _, fp in salvo.cells
    ]
    broken, gained = wear(ctx, salvo, rolled, jammed, breaks), 0
    for amount, covering, defenders in zip(totals, covers, salvo.defenders, strict=True):
        for unit in defenders:
            if unit.id not in given:
                if given:  # after what the rolls before did to its leaders
                    pieces[unit.id] = Defence(morale_in(ctx, unit, covering, troops), None, None, "pending")
                    ctx.step("O20.3.4", "attack.waits", value=amount, where=places(unit), piece=unit.id)
                continue
            pieces[unit.id], troops = defend(ctx, troops, unit, amount, covering, given[unit.id], unit.id in wounds)
            if pieces[unit.id].result == "eliminated":
                gained += points(ctx, unit)
                broken |= lost_with(ctx, unit)
            elif pieces[unit.id].result == "replaced":
                gained -= int(ctx.table("actions").get("light_wounds", "vp", places(unit)))
    return Attack(salvo.fire.fp, hit, totals[0], totals[1] if len(totals) > 1 else None, pieces, broken, gained)


def _pending(ctx: Context, salvo: Salvo) -> dict[str, Defence]:
    return {
        unit.id: Defence(morale_in(ctx, unit, covering), None, None, "pending")
        for (_, covering, _), defenders in zip(salvo.cells, salvo.defenders, strict=True)
        for unit in defenders
    }
