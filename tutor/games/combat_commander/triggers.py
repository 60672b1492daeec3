"""Triggers: what interrupts a roll, in which order all is resolved, how often it happens, and the Initiative card.

**Rule:** 1.9, 1.9.1, 1.9.1.1, 1.9.1.2, 1.9.1.3, 1.9.1.4, 6.1.2, 9.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Annotated, NamedTuple

from tutor.core.arguments import Cell, PieceId, Roll, Side
from tutor.core.chances import Chances
from tutor.core.context import Context, dice
from tutor.core.dice import PAIRS, Pair, product, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import Discards, Nation, RollPurpose
from tutor.games.combat_commander.deck import cards_of, check_nation, pairs_of
from tutor.games.combat_commander.fire.attack import lost_with
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.points import points
from tutor.games.combat_commander.repair import mends
from tutor.games.combat_commander.units import is_unit, places

TRIGGERS = ("event", "jammed", "sniper", "time")
PURPOSES = (
    "fire_card",
    "targeting_card",
    "defence_card",
    "rally_card",
    "rout_card",
    "melee_card",
    "mines_card",
    "sudden_death_card",
)


@dataclass(frozen=True, slots=True)
class CardRoll:
    """A card revealed for a roll.

    Args:
        read: the roll, as this use reads it.
        total, product: of its dice.
        trigger: printed on it, or None.
        acts: whether it interrupts.
        order: what is resolved, first to last: time_advance, event, jammed, sniper, roll_applied.
    """

    read: int
    total: int
    product: int
    trigger: str | None
    acts: bool
    order: tuple[str, ...]


def marked(ctx: Context, nation: str, trigger: str, pair: Pair) -> int:
    """Cards of a nation that bear a pair and a trigger. **Rule:** 1.9.1."""
    return int(ctx.table("decks").peek(nation, trigger, {}).get(f"{pair[0]}-{pair[1]}", 0))


@GAME.question(
    "card_roll",
    rules=("1.9", "1.9.1", "1.9.1.1", "1.9.1.2", "1.9.1.3", "1.9.1.4"),
    label="Que fait cette carte retournée ?",
    theme="Cartes, dés et Événements",
)
def card_roll(
    ctx: Context,
    nation: Nation,
    roll: Roll,
    purpose: RollPurpose = "fire_card",
    during_trigger: Annotated[bool, "Pendant un déclencheur"] = False,
    last_card: Annotated[bool, "Dernière carte du paquet"] = False,
    marked_copy: Annotated[bool | None, "Cette copie porte le déclencheur"] = None,
) -> CardRoll:
    """What a card revealed for a roll does, and in which order all is resolved.

    Args:
        nation: whose deck.
        roll: its dice, white then red.
        purpose: fire_card, targeting_card, defence_card, rally_card, rout_card, melee_card, mines_card,
            sudden_death_card.
        during_trigger: the roll is made while a trigger is resolved.
        last_card: it empties the draw pile.
        marked_copy: whether this copy carries the trigger, when only one of the two cards with that pair does.

    Returns:
        The roll as read, the trigger, and the order.

    Raises:
        RequestError: no such deck or purpose, dice that are not dice.
        UnknownValue: only one of the two cards carries the trigger, and ``marked_copy`` is not given.

    **Rule:** 1.9, 1.9.1, 1.9.1.1, 1.9.1.2, 1.9.1.3, 1.9.1.4, 6.1.2, O20.2.3.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "tir-pre"), "card_roll", nation="germany", roll=[6, 6]).value.order
    ('time_advance', 'roll_applied')
    """
    check_nation(nation)
    if purpose not in PURPOSES:
        raise RequestError(f"« {purpose} » n’est pas un jet.", remedy=f"Choisissez parmi {', '.join(PURPOSES)}.")
    pair = dice_of(roll)
    multiplied = purpose == "targeting_card" and ctx.on("O20.2.3")
    read = product(pair) if multiplied else total(pair)
    code = "card.product" if multiplied else "card.total"
    ctx.step("O20.2.3" if multiplied else "1.9", code, value=read, white=dice(pair[0]), red=dice(pair[1]))
    trigger = _printed(ctx, nation, pair, marked_copy)
    acts = trigger is not None and _acts(ctx, trigger, purpose, during_trigger)
    order = _order(ctx, trigger if acts else None, last_card, read)
    return CardRoll(read, total(pair), product(pair), trigger, acts, order)


def _printed(ctx: Context, nation: str, pair: Pair, marked_copy: bool | None) -> str | None:
    copies = int(ctx.table("limits").peek("copies", "value"))
    for trigger in TRIGGERS:
        n = marked(ctx, nation, trigger, pair)
        if n and n < copies and marked_copy is None:
            raise UnknownValue("decks", f"{nation}.{trigger}", "1.9.1")
        if n == copies or (n and marked_copy):
            ctx.step(_rule(ctx, trigger), "card.trigger", value=trigger, nation=nation, white=pair[0], red=pair[1])
            return trigger
    ctx.step("1.9.1", "card.no_trigger", value=None, nation=nation, white=pair[0], red=pair[1])
    return None


def _rule(ctx: Context, trigger: str) -> str:
    return ctx.game.tables["triggers"].cell(trigger, "only_fire").rule


def _acts(ctx: Context, trigger: str, purpose: str, during_trigger: bool) -> bool:
    if during_trigger and ctx.on("1.9.1"):
        ctx.step("1.9.1", "card.ignored_inside", value=False, trigger=trigger)
        return False
    if ctx.table("triggers").peek(trigger, "only_fire") and purpose != "fire_card" and ctx.on("1.9.1.2"):
        ctx.step("1.9.1.2", "card.jammed_elsewhere", value=False, purpose=purpose)
        return False
    ctx.step(_rule(ctx, trigger), f"card.acts_{trigger}", value=True)
    return True


def _order(ctx: Context, trigger: str | None, last_card: bool, read: int) -> tuple[str, ...]:
    order: list[str] = []
    if last_card:
        order.append("time_advance")
        ctx.step("6.1.2", "card.last", value="time_advance")
    if trigger == "time":
        if last_card and ctx.on("6.1.2"):
            ctx.step("6.1.2", "card.once", value=1)
        else:
            order.append("time_advance")
    elif trigger is not None:
        order.append(trigger)
    order.append("roll_applied")
    if len(order) == 1:
        ctx.step("1.9", "card.plain", value=read)
    else:
        ctx.step("1.9.1", "card.order", value=order[0], order=order)
    return tuple(order)


@dataclass(frozen=True, slots=True)
class TriggerOdds(Chances):
    """Chances that a trigger comes up at least once in some rolls.

    Args:
        cards: left in the draw pile.
        event, jammed, sniper, time: at least one.
        plain: no trigger at all.
    """

    cards: int
    event: Fraction
    jammed: Fraction
    sniper: Fraction
    time: Fraction
    plain: Fraction


@GAME.question(
    "trigger_odds",
    rules=("1.9.1", "1.3"),
    label="Quelles chances de déclencheur ?",
    theme="Cartes, dés et Événements",
    chances=True,
)
def trigger_odds(
    ctx: Context, nation: Nation, rolls: Annotated[int, "Jets"] = 1, discards: Discards = ()
) -> TriggerOdds:
    """Exact odds of each trigger in the next rolls of a player, drawn without replacement.

    Args:
        nation: whose deck.
        rolls: how many rolls.
        discards: pairs already gone since the last shuffle.

    Returns:
        The odds; Time! shuffles the deck, so that later rolls are of whole decks again. A card that ends the pile would
        add a Time advance, not counted here.

    Raises:
        RequestError: no such deck, impossible discards, more rolls than cards.

    **Rule:** 1.9.1, 1.3, 1.9.

    >>> from tutor import ask, load_position
    >>> str(ask(load_position("combat_commander", "tir-pre"), "trigger_odds", nation="germany").value.event)
    '5/36'
    """
    check_nation(nation)
    size, copies = cards_of(ctx)
    gone = Counter(pairs_of(discards))
    left = size - sum(gone.values())
    if any(n > copies for n in gone.values()) or not 1 <= rolls <= left:
        raise RequestError(
            "Ces cartes n’existent pas toutes, ou il n’en reste pas assez.",
            remedy=f"Chaque paire existe {copies} fois ; {left} cartes restent.",
        )
    if gone:
        ctx.step("1.3", "deck.left", value=left, size=size, gone=sum(gone.values()))
    odds = {}
    if rolls > 1:
        ctx.step("6.1.2", "trigger.shuffled", value=size)
    times = list(_remaining(ctx, nation, ("time",), gone, copies))
    for trigger in TRIGGERS:
        spread = list(_remaining(ctx, nation, (trigger,), gone, copies))
        fresh = _Cards(size, *(sum(marked(ctx, nation, each, pair) for pair in PAIRS) for each in (trigger, "time")))
        odds[trigger] = sum(
            (
                w * v * (1 - _never(rolls, _Cards(left, n, t), fresh, shuffles=trigger != "time"))
                for w, n in spread
                for v, t in times
            ),
            Fraction(0),
        )
        mean = sum((w * n for w, n in spread), Fraction(0))
        ctx.step(_rule(ctx, trigger), "trigger.odds", value=odds[trigger], trigger=trigger, marked=mean, left=left)
    every = _remaining(ctx, nation, TRIGGERS, gone, copies)
    plain = sum((w * Fraction(comb(left - n, rolls), comb(left, rolls)) for w, n in every), Fraction(0))
    ctx.step("1.9.1", "trigger.plain", value=plain, rolls=rolls)
    return TriggerOdds(left, odds["event"], odds["jammed"], odds["sniper"], odds["time"], plain)


def _remaining(
    ctx: Context, nation: str, wanted: tuple[str, ...], gone: Counter[Pair], copies: int
) -> Iterator[tuple[Fraction, int]]:
    """Cards left with a trigger: (weight, how many); a lone marked copy may be the one discarded."""
    sure = 0
    doubtful = 0
    for pair in PAIRS:
        for trigger in wanted:
            n = marked(ctx, nation, trigger, pair)
            if n == copies or not gone[pair]:
                sure += n - (gone[pair] if n == copies else 0)
            elif n and gone[pair] < copies:
                doubtful += 1
    for kept in range(doubtful + 1):
        yield Fraction(comb(doubtful, kept), 2**doubtful), sure + kept


class _Cards(NamedTuple):
    """A draw pile: its cards, those that bear a trigger, those that bear Time!."""

    left: int
    marked: int
    times: int


def _never(rolls: int, pile: _Cards, fresh: _Cards, shuffles: bool) -> Fraction:
    """Chance of no marked card in some draws; Time! puts all cards back, and so does the end of the pile. **Rule:** 6.1.2.

    Args:
        rolls: draws.
        pile: what is left now.
        fresh: the whole deck.
        shuffles: whether Time! is another trigger than the one looked for.
    """
    after = [Fraction(1)]  # of 0, 1, 2… draws from the whole deck
    for number in range(1, rolls + 1):
        cards = pile if number == rolls else fresh
        times = cards.times if shuffles else 0
        bare, chance = Fraction(1), Fraction(0)  # bare: every draw so far, neither marked nor Time!
        for drawn in range(min(number, cards.left)):
            left = cards.left - drawn
            chance += bare * Fraction(times, left) * after[number - drawn - 1]
            bare *= Fraction(left - cards.marked - times, left)
        after.append(chance + bare * after[max(0, number - cards.left)])
    return after[rolls]


@dataclass(frozen=True, slots=True)
class Sniper:
    """Whom a sniper may reach.

    Args:
        hexes: the random hex and its neighbours.
        units: ids of the units there, of both sides.
        eliminated: those already broken, whom a second break eliminates.
        points: victory points that the one chosen gives the other side.
        weapons: broken weapon id -> fixed, eliminated or nothing, by the number of the random hex.
    """

    hexes: tuple[str, ...]
    units: tuple[str, ...]
    eliminated: tuple[str, ...]
    points: int = 0
    weapons: Mapping[str, str] = field(default_factory=dict)


@GAME.question(
    "sniper",
    rules=("1.9.1.3", "1.8", "11.4", "3.2.4"),
    label="Qui le Sniper peut-il toucher ?",
    theme=("Vue et tir", "Cartes, dés et Événements"),
)
def sniper(ctx: Context, cell: Cell, choose: Annotated[PieceId | None, "Au choix"] = None) -> Sniper:
    """Whom a Sniper! may break: one unit, of either side, in the random hex or next to it.

    Args:
        cell: the random hex.
        choose: id of the unit that the player would break.

    Returns:
        The hexes and the units; refused when the unit chosen is out of reach.

    Raises:
        UnknownHex: not on the board. PositionError: no such piece.

    **Rule:** 1.9.1.3, 1.8, 11.4, 3.2.4, 4.2, 7.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "sniper", cell="M7").value.units
    ('peloton-us', 'equipe-us')
    """
    grid, gained = ctx.position.grid, 0
    grid.check(cell)
    weapons = mends(ctx, cell)
    reach = tuple(c for c in grid.cells if grid.distance(c, cell) <= (1 if ctx.on("1.9.1.3") else 0))
    ctx.step("1.9.1.3", "sniper.reach", value=len(reach), where=hexes(*reach), cell=cell)
    units = [p for p in ctx.position.pieces if is_unit(p) and ctx.position.hex_of(p.id) in reach]
    lost = [p for p in units if "broken" in p.status and ctx.on("3.2.4")]
    for unit in lost:
        ctx.step("3.2.4", "sniper.lost", value=True, where=places(unit), piece=unit.id)
    ctx.step("1.9.1.3", "sniper.units", value=len(units), where=places(*units), pieces=[p.id for p in units])
    if choose is not None and choose not in {p.id for p in units}:
        ctx.refuse("1.9.1.3", "sniper.refuse.far", where=places(ctx.position.piece(choose)), piece=choose, cell=cell)
    elif choose is not None:
        chosen = ctx.position.piece(choose)
        ctx.step("1.9.1.3", "sniper.chosen", value=choose, where=places(chosen), piece=choose)
        if chosen in lost:
            gained = points(ctx, chosen)
            lost_with(ctx, chosen)
    return Sniper(reach, tuple(p.id for p in units), tuple(p.id for p in lost), gained, weapons)


@GAME.question(
    "reroll",
    rules=("9.1", "9"),
    label="Peut-on refaire ce jet ?",
    theme="Cartes, dés et Événements",
)
def reroll(
    ctx: Context,
    side: Side,
    roll: Roll,
    again: Annotated[Roll | None, "Encore"] = None,
    applied: Annotated[bool, "Déjà appliqué"] = False,
) -> str:
    """Whether a player may have the last roll made again with the Initiative card, and who holds the card then.

    Args:
        side: who asks.
        roll: the last roll.
        again: the new one, if already made.
        applied: whether the roll, or its trigger, has begun to be applied.

    Returns:
        The side that holds the card afterwards; refused when it may not.

    Raises:
        RequestError: the position does not say who holds the card; dice that are not dice.

    **Rule:** 9, 9.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "tir-pre").change({"state.initiative": "axis"})
    >>> ask(position, "reroll", side="axis", roll=[1, 1]).value
    'allies'
    """
    holder = ctx.position.state.get("initiative")
    if holder not in ("axis", "allies"):
        raise RequestError.unsaid("state.initiative", "qui a la carte Initiative")
    ctx.step("9", "initiative.holder", "input", value=holder)
    if side != holder:
        ctx.refuse("9.1", "initiative.refuse.holder", side=side)
    if applied and ctx.on("9.1"):
        ctx.refuse("9.1", "initiative.refuse.applied", roll=total(dice_of(roll)))
    if ctx.refusals:
        return str(holder)
    after = "allies" if side == "axis" else "axis"
    ctx.step("9.1", "initiative.cancelled", value=total(dice_of(roll)))
    if again is not None:
        ctx.step("9.1", "initiative.again", value=dice(total(dice_of(again))).value)
    ctx.step("9.1", "initiative.given", value=after)
    return after
