"""What falls on the seven hexes: impact rolls, fortifications destroyed, smoke; the whole barrage and its odds.

**Rule:** O18.2.3, O18.2.3.1, O18.2.3.2, O18.2.3.3, O20.3.4, T99, 8.1.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from tutor.core.arguments import Cell, PieceId, Roll, TargetCell
from tutor.core.chances import Chances, Distribution
from tutor.core.context import Context, dice
from tutor.core.dice import PAIRS, Dice, Pair, chance, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.marks import Asked, Drawn, Fire, Mark, Outline, Path, Role, Tint
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import Concealment, DefenceRolls, LightWounds, Observer, SmokeFire
from tutor.games.combat_commander.artillery import (
    accuracy,
    drifted,
    may_fire,
    observes,
    radio_fp,
    radio_of,
    spotted,
)
from tutor.games.combat_commander.fire.attack import Defence, attack_total, concealed, defend, lost_with, outcome
from tutor.games.combat_commander.fire.cover import cover
from tutor.games.combat_commander.fire.odds import PieceOdds, befalling
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.ground import is_aquatic, say_no_smoke, smoke_drawn, smoke_left
from tutor.games.combat_commander.points import points
from tutor.games.combat_commander.units import AS_PLACED, is_unit, places
from tutor.games.combat_commander.values import morale_in


@dataclass(frozen=True, slots=True)
class Impact:
    """An impact roll against one hex.

    Args:
        fp: of the radio.
        total: attack total, None while not rolled.
        destroyed: fortification removed first, or None.
        pieces: unit id -> defence, of either side.
        points: side -> victory points it gains.
    """

    fp: int
    total: int | None
    destroyed: str | None
    pieces: Mapping[str, Defence]
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """What those under an impact answer with.

    Args:
        defence: unit id -> its dice, in the order of the rolls.
        concealment: Concealments played.
        wounds: squads saved with Light Wounds.
    """

    defence: Mapping[str, Any]
    concealment: int = 0
    wounds: Sequence[str] = ()


@GAME.question(
    "impact",
    rules=("O18.2.3.2", "O18.2.3.3", "T99", "A29", "A36"),
    label="Que donne ce barrage sur cet hex ?",
    theme="Artillerie et Fumigènes",
    odds="impact_odds",
)
def impact(
    ctx: Context,
    radio: Annotated[PieceId, "Radio"],
    cell: Cell,
    roll: Roll | None = None,
    defence: DefenceRolls | None = None,
    concealment: Concealment = 0,
    wounds: LightWounds = (),
) -> Impact:
    """One impact roll of a barrage against one hex.

    Args:
        radio: id of the radio.
        cell: a hex of the impact zone.
        roll: white die then red, None to stop before.
        defence: unit id -> its dice, friends and enemies, in the order of the rolls; units left out are pending.
        concealment: Concealments played before the defence rolls.
        wounds: squads saved with Light Wounds.

    Returns:
        The impact; refused when nothing in the hex can be attacked.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: dice that are not dice, a stranger.

    **Rule:** O18.2.3.2, O18.2.3.3, O20.3.3, O20.3.4, T99, 12, A29, A36.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "artillerie")
    >>> i = ask(position, "impact", radio="radio", cell="G3", roll=[4, 6]).value
    >>> i.total, i.destroyed
    (20, 'foxholes')
    """
    ctx.position.grid.check(cell)
    piece = ctx.position.piece(radio)
    if piece.kind != "radio":
        ctx.refuse("O18.2.3", "artillery.refuse.not_radio", where=places(piece), piece=radio)
        return Impact(0, None, None, {}, {})
    if {"broken", "eliminated"} & set(piece.status):
        ctx.refuse("O18", "artillery.refuse.radio_broken", where=places(piece), piece=radio)
    ctx.settle()
    fp = radio_fp(ctx, piece)
    return struck(
        ctx, fp, cell, dice_of(roll) if roll is not None else None, Answer(defence or {}, concealment, wounds)
    )


def struck(ctx: Context, fp: int, cell: str, rolled: Pair | None, answer: Answer) -> Impact:
    """An impact of dice already read; see :func:`impact`. The position of the context is left as it was."""
    units = victims(ctx, cell)
    if not units and ctx.position.marker("fortification", cell) is None:
        ctx.refuse("O18.2.3.2", "artillery.refuse.empty", where=hexes(cell), cell=cell)
        return Impact(fp, None, None, {}, {})
    strangers = [name for name in (*answer.defence, *answer.wounds) if name not in {u.id for u in units}]
    if strangers:
        raise RequestError(
            f"« {strangers[0]} » n’est pas en {cell}.", remedy=f"Unités : {', '.join(u.id for u in units) or 'aucune'}."
        )
    for unit in units:
        if unit.id in answer.wounds and unit.kind != "squad":
            ctx.refuse("A36", "action.refuse.wounds_squad", where=places(unit), piece=unit.id)
    ctx.settle()
    if rolled is None:
        covering = cover.function(ctx, cell, "radio").value
        return Impact(fp, None, None, _pending(ctx, units, covering), {})
    ctx.step(
        "O18.2.3.2", "artillery.impact_roll", "dice", value=total(rolled), where=hexes(cell), dice=dice(list(rolled))
    )
    amount = attack_total(ctx, fp, total(rolled), "radio", cell)
    gone = destroys(ctx, fp, cell, total(rolled))
    origin = ctx.position
    try:
        if gone is not None:
            ctx.position = origin.change({f"marker.fortification.{cell}": None})
        with ctx.group("T78.3", "attack.cover", where=hexes(cell), cell=cell) as step:
            step.value = cover.function(ctx, cell, "radio").value
        covering = int(step.value)
        amount = concealed(ctx, amount, [covering], answer.concealment)
        return _defences(ctx, Impact(fp, amount, gone, {}, {}), units, covering, answer)
    finally:
        ctx.position = origin


def victims(ctx: Context, cell: str) -> list[Piece]:
    """Units of either side in a hex, leaders last. **Rule:** O18.2.3.2."""
    return sorted((p for p in ctx.position.pieces_at(cell) if is_unit(p)), key=lambda p: p.kind == "leader")


def destroys(ctx: Context, fp: int, cell: str, rolled: int) -> str | None:
    """The fortification that an impact roll destroys: it equals what the radio's FP asks, or passes it by reading.

    **Rule:** O18.2.3.3.
    """
    kind = ctx.position.marker("fortification", cell)
    if kind is None or not ctx.on("O18.2.3.3"):
        return None
    needed = int(ctx.table("vulnerability").get(f"radio_{fp}", "roll", hexes(cell)))
    falls = rolled == needed or (rolled > needed and ctx.setting("impact_roll") == "at_least")
    past = "artillery.destroyed_past" if rolled > needed else "artillery.destroyed"
    ctx.step(
        "O18.2.3.3",
        past if falls else "artillery.stands",
        value=falls,
        where=hexes(cell),
        note="interprétation",
        fort=kind,
        roll=dice(rolled),
        needed=needed,
    )
    return str(kind) if falls else None


def _pending(ctx: Context, units: list[Piece], covering: int) -> dict[str, Defence]:
    return {u.id: Defence(morale_in(ctx, u, covering), None, None, "pending") for u in units}


def _defences(ctx: Context, impact: Impact, units: list[Piece], covering: int, answer: Answer) -> Impact:
    defence, wounds = answer.defence, answer.wounds
    troops, pieces, gained = AS_PLACED, dict[str, Defence](), {"axis": 0, "allies": 0}
    assert impact.total is not None
    for unit in sorted(units, key=lambda u: list(defence).index(u.id) if u.id in defence else len(units)):
        if unit.id not in defence:
            pieces[unit.id] = Defence(morale_in(ctx, unit, covering, troops), None, None, "pending")
            continue
        pieces[unit.id], troops = defend(
            ctx, troops, unit, impact.total, covering, dice_of(defence[unit.id]), unit.id in wounds
        )
        enemy = "allies" if unit.side == "axis" else "axis"
        if pieces[unit.id].result == "eliminated":
            gained[enemy] += points(ctx, unit)
            lost_with(ctx, unit)
        elif pieces[unit.id].result == "replaced":
            gained[enemy] -= int(ctx.table("actions").get("light_wounds", "vp", places(unit)))
    return Impact(impact.fp, impact.total, impact.destroyed, pieces, gained)


@dataclass(frozen=True, slots=True)
class Barrage(Drawn):
    """A fire for effect, from the spotting round to the seven hexes.

    Args:
        needed: least product that is accurate.
        hit: outcome, None when not rolled.
        path: hexes the round goes through.
        centre: where it stops, None when not drifted yet or off the map.
        zone: the centre and its neighbours on the map.
        attacked: those where something can be struck.
        smoke: hexes that receive a smoke marker, instead.
    """

    needed: int
    hit: bool | None
    path: tuple[str, ...]
    centre: str | None
    zone: tuple[str, ...]
    attacked: tuple[str, ...]
    smoke: tuple[str, ...]

    def drawing(self, asked: Asked) -> tuple[Mark, ...]:
        """The round asked for, its drift, the impact zone; outlined, the hexes where it strikes or lays smoke."""
        if not self.zone or not self.path:
            return ()
        role: Role = "hindered" if self.smoke else "blocked"
        observer, struck = asked.position.hex_of(asked.given["observer"]), self.smoke or self.attacked
        called = (Fire((observer,), self.path[0]),) if observer else ()
        drift = (Path(self.path, role),) if len(self.path) > 1 else ()
        return (Tint(self.zone, role), *called, *drift, *((Outline(hexes(*struck), role),) if struck else ()))


@GAME.question(
    "barrage",
    rules=("O18.2", "O18.2.2", "O18.2.3", "O18.2.3.1"),
    label="Où tombe ce barrage ?",
    theme="Artillerie et Fumigènes",
    odds="barrage_odds",
)
def barrage(
    ctx: Context,
    observer: Observer,
    cell: Cell,
    accurate: Annotated[Roll | None, "Jet de précision"] = None,
    drift: Annotated[Roll | None, "Jet de dérive"] = None,
    smoke: SmokeFire = False,
    drawn: Annotated[Roll | None, "Fumigènes tirés"] = None,
) -> Barrage:
    """A fire for effect: who observes, the spotting round, its accuracy, its drift, the hexes struck.

    Args:
        observer: id of the leader.
        cell: hex of the spotting round.
        accurate: accuracy roll, white die then red.
        drift: roll of the drift.
        smoke: announced before the accuracy roll.
        drawn: numbers of the smoke markers drawn, in the order of the hexes that receive one; fewer: those known so
            far.

    Returns:
        As far as the dice given lead; refused when the order may not be given so.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board. RequestError: dice that are not dice, no such
            marker.

    **Rule:** O18, O18.2, O18.2.1, O18.2.1.1, O18.2.2, O18.2.2.1, O18.2.2.2, O18.2.2.3, O18.2.3, O18.2.3.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "artillerie")
    >>> b = ask(position, "barrage", observer="ganz", cell="G3", accurate=[4, 3], drift=[4, 1]).value
    >>> b.centre, b.attacked
    ('G3', ('G3', 'F3'))
    """
    chief = ctx.position.piece(observer)
    radio = radio_of(ctx, chief.side)
    if radio is None:
        ctx.refuse("O18", "artillery.refuse.no_radio", side=chief.side)
    else:
        may_fire(ctx, radio, chief.side, observer, (observer,) if observes(chief) else ())
    spotted(ctx, chief, cell, smoke)
    if ctx.refusals:
        return Barrage(0, None, (), None, (), (), ())
    aimed = accuracy(ctx, chief, cell, dice_of(accurate) if accurate is not None else None)
    if aimed.hit is None or drift is None:
        return Barrage(aimed.needed, aimed.hit, (cell,), None, (), (), ())
    gone = drifted(ctx, cell, dice_of(drift), aimed.hit)
    if gone.end is None:
        return Barrage(aimed.needed, aimed.hit, gone.path, None, (), (), ())
    area = zone(ctx, gone.end)
    clouds, hit = (_smoked(ctx, area, drawn or (), gone.end), ()) if smoke else ((), _attacked(ctx, area, gone.end))
    return Barrage(aimed.needed, aimed.hit, gone.path, gone.end, area, hit, clouds)


def zone(ctx: Context, centre: str) -> tuple[str, ...]:
    """The impact zone on the map: a hex and its neighbours. **Rule:** O18.2.3."""
    return (centre, *ctx.position.grid.neighbours(centre))


def _say_zone(ctx: Context, area: tuple[str, ...], centre: str) -> None:
    ctx.step("O18.2.3", "artillery.zone", value=len(area), where=hexes(*area), centre=centre)


def _attacked(ctx: Context, area: tuple[str, ...], centre: str) -> tuple[str, ...]:
    attacked = tuple(c for c in area if victims(ctx, c) or ctx.position.marker("fortification", c) is not None)
    code = ("artillery.attacked_none", "artillery.attacked_one", "artillery.attacked")[min(len(attacked), 2)]
    with ctx.group("O18.2.3.2", code, where=hexes(*attacked), n=len(attacked)) as step:
        step.value = list(attacked)
        _say_zone(ctx, area, centre)
    return attacked


def _smoked(ctx: Context, area: tuple[str, ...], drawn: Iterable[int], centre: str) -> tuple[str, ...]:
    """Hexes where a smoke marker may lie, and what each number drawn leaves there.

    **Rule:** O18.2.3.1, T94, 8.1.4, 8.1.5.
    """
    able = tuple(c for c in area if not is_aquatic(ctx, c) and not ctx.position.marker("blaze", c))
    with ctx.group("O18.2.3.1", "artillery.smoke", where=hexes(*able), n=len(able)) as step:
        step.value = list(able)
        say_no_smoke(ctx, [c for c in area if c not in able], len(area))
        _say_zone(ctx, area, centre)
        for cell, number in zip(able, drawn, strict=False):
            smoke_left(ctx, cell, smoke_drawn(ctx, number))
    return able


@dataclass(frozen=True, slots=True)
class BarrageOdds(Chances):
    """Exact odds of a fire for effect, before any roll.

    Args:
        accurate: the accuracy roll hits.
        centred: the round ends in the hex aimed at.
        covered: ``target`` is in the impact zone.
        cancelled: the round leaves the map.
        needed: least product that is accurate.
        landings: hex -> probability that the round ends there.
    """

    accurate: Fraction
    centred: Fraction
    covered: Fraction
    cancelled: Fraction
    needed: int
    landings: Mapping[str, Fraction]


@GAME.question(
    "barrage_odds",
    rules=("O18.2.2", "O18.2.2.1", "O18.2.2.2", "O18.2.2.3"),
    label="Quelles chances de précision ?",
    theme="Artillerie et Fumigènes",
    chances=True,
)
def barrage_odds(ctx: Context, observer: Observer, cell: Cell, target: TargetCell | None = None) -> BarrageOdds:
    """Exact odds of where a barrage falls, over the same rules.

    Args:
        observer: id of the leader.
        cell: hex of the spotting round.
        target: hex one hopes to cover, None: ``cell``.

    Returns:
        The odds; refused when the order may not be given so.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board.

    **Rule:** O18.2.2, O18.2.2.1, O18.2.2.2, O18.2.2.3.

    >>> from tutor import ask, load_position
    >>> odds = ask(load_position("combat_commander", "artillerie"), "barrage_odds", observer="ganz", cell="G3").value
    >>> odds.needed, str(odds.accurate)
    (7, '11/18')
    """
    before: Barrage = barrage.function(ctx, observer, cell)
    wanted = ctx.position.grid.check(target or cell)
    nothing = Fraction(0)
    if ctx.refusals:
        return BarrageOdds(nothing, nothing, nothing, nothing, 0, {})
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    chief = ctx.position.piece(observer)
    hit = chance(lambda pair: bool(accuracy(silent, chief, cell, pair).hit), bool)
    ends: dict[str, Fraction] = {}
    for landed, weight in ((True, hit), (False, 1 - hit)):
        for pair in PAIRS:
            end = drifted(silent, cell, pair, landed).end
            if end is not None:
                ends[end] = ends.get(end, nothing) + weight / len(PAIRS)
    inside = sum((p for end, p in ends.items() if wanted in zone(ctx, end)), nothing)
    lost = 1 - sum(ends.values(), nothing)
    odds = BarrageOdds(hit, ends.get(cell, nothing), inside, lost, before.needed, ends)
    ctx.step(
        "O18.2.2",
        "artillery.odds",
        value=inside,
        where=hexes(cell),
        target=wanted,
        accurate=hit,
        centred=odds.centred,
        cancelled=lost,
    )
    return odds


@dataclass(frozen=True, slots=True)
class ImpactOdds(Chances):
    """Exact odds of one impact roll.

    Args:
        fp: of the radio.
        destroyed: chance that the hex's fortification goes.
        pieces: unit id -> odds.
    """

    fp: int
    destroyed: Fraction
    pieces: Mapping[str, PieceOdds]

    def distributions(self, named: Callable[[str], bool]) -> tuple[Distribution, ...]:
        """What befalls each unit."""
        return befalling(self.pieces)


@GAME.question(
    "impact_odds",
    rules=("O18.2.3.2", "O18.2.3.3", "T99"),
    label="Quelles chances a ce barrage ?",
    theme="Artillerie et Fumigènes",
    chances=True,
)
def impact_odds(ctx: Context, radio: Annotated[PieceId, "Radio"], cell: Cell) -> ImpactOdds:
    """Exact odds of one impact roll, each unit with the leaders of its hex as they stand.

    Args:
        radio: id of the radio.
        cell: a hex of the impact zone.

    Returns:
        Odds of each unit and of the fortification; refused when nothing in the hex can be attacked.

    Raises:
        PositionError: no such piece. UnknownHex: not on the board.

    **Rule:** O18.2.3.2, O18.2.3.3, O20.3.4, T99.

    >>> from tutor import ask, load_position
    >>> odds = ask(load_position("combat_commander", "artillerie"), "impact_odds", radio="radio", cell="G3").value
    >>> str(odds.destroyed)
    '1/12'
    """
    known: Impact = impact.function(ctx, radio, cell)
    units, results = victims(ctx, cell), dict[str, dict[str, Fraction]]()
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    gone = Fraction(0)
    for rolled, n, _ in () if ctx.refusals else Dice(total).draw(()):
        amount = attack_total(silent, known.fp, rolled, "radio", cell)
        silent.position = ctx.position
        if destroys(silent, known.fp, cell, rolled) is not None:
            gone += Fraction(n, 36)
            silent.position = ctx.position.change({f"marker.fortification.{cell}": None})
        covering = cover.function(silent, cell, "radio").value
        for unit in units:
            brave = morale_in(silent, unit, covering)
            shares = results.setdefault(unit.id, {})
            for own, m, _ in Dice(total).draw(()):
                result, _ = outcome(silent, AS_PLACED, unit, amount - brave - own)
                shares[result] = shares.get(result, Fraction(0)) + Fraction(n * m, 1296)
    pieces = {name: _piece(shares) for name, shares in results.items()}
    if not ctx.refusals:
        if gone:
            ctx.table("vulnerability").get(f"radio_{known.fp}", "roll", hexes(cell))
        ctx.step("O18.2.3.2", "artillery.impact_odds", value=gone, where=hexes(cell), cell=cell)
    return ImpactOdds(known.fp, gone, pieces)


def _piece(shares: Mapping[str, Fraction]) -> PieceOdds:
    return PieceOdds(*(shares.get(name, Fraction(0)) for name in ("nothing", "suppressed", "broken", "eliminated")))
