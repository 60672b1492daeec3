"""The fate deck: what a roll is worth while cards leave it, which hexes its cards name.

A nation's deck holds every ordered pair of dice on two cards. Cards are drawn without replacement until the deck is
shuffled, so that known discards bend the odds.

**Rule:** 1, 1.3, 1.8, 1.9, 9.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Annotated

from tutor.core.arguments import Cells
from tutor.core.chances import Chances
from tutor.core.context import Context
from tutor.core.dice import PAIRS, Pair, Pile, product, total
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.combat_commander.arguments import DiceReading, Discards, Nation
from tutor.games.combat_commander.game import GAME

READINGS = {"sum": total, "product": product}
NATIONS = ("germany", "america", "russia")


@dataclass(frozen=True, slots=True)
class DeckOdds(Chances):
    """What the next roll may be.

    Args:
        cards: left in the draw pile.
        favourable: those whose roll is good enough.
        reached, missed: chances that the roll is good enough or not.
        again: chance that the roll is good enough when a poor one is rolled again (Initiative).
        totals: reading of the dice -> probability.
    """

    cards: int
    favourable: int
    reached: Fraction
    missed: Fraction
    again: Fraction
    totals: Mapping[int, Fraction]

    def spread(self) -> Mapping[int, Fraction]:
        """Readings of the dice."""
        return self.totals


@dataclass(frozen=True, slots=True)
class HexOdds(Chances):
    """Chance that a random hex is one of some.

    Args:
        named: hexes among them that a card of the deck names.
        cards: how many cards.
        inside, outside: chances.
    """

    named: tuple[str, ...]
    cards: int
    inside: Fraction
    outside: Fraction


def pairs_of(discards: Discards) -> list[Pair]:
    """Pairs of dice, written as pairs or as text.

    Raises:
        RequestError: not two dice.

    >>> pairs_of(["6-1", [2, 2]])
    [(6, 1), (2, 2)]
    """
    split = ([int(n) for n in p.split("-") if n.isdecimal()] if isinstance(p, str) else p for p in discards)
    return [dice_of(pair) for pair in split]


def check_nation(nation: str) -> str:
    """The nation, when it has a deck.

    Raises:
        RequestError: it has none.
    """
    if nation not in NATIONS:
        raise RequestError(f"« {nation} » n’a pas de paquet Destin.", remedy=f"Choisissez parmi {', '.join(NATIONS)}.")
    return nation


def cards_of(ctx: Context) -> tuple[int, int]:
    """Cards of a deck, and cards that bear the same pair. **Rule:** 1, 1.9."""
    limits = ctx.table("limits")
    return int(limits.get("cards", "value")), int(limits.get("copies", "value"))


def shuffling(ctx: Context, copies: int) -> tuple[Pair, ...]:
    """Pairs that bear Time! on all their cards, in every deck: whoever turns one up shuffles. **Rule:** 1.9.1.4, 6.1.2."""
    decks = ctx.game.tables["decks"]
    marked = [decks.get(nation, "time") or {} for nation in NATIONS]
    return tuple(pair for pair in PAIRS if all(time.get(f"{pair[0]}-{pair[1]}") == copies for time in marked))


@GAME.question(
    "deck_odds",
    rules=("1.9", "1.3", "9.1"),
    label="Quelles chances au prochain jet ?",
    theme="Cartes, dés et Événements",
    chances=True,
)
def deck_odds(
    ctx: Context,
    least: Annotated[int, "Au moins"] = 7,
    most: Annotated[int | None, "Au plus"] = None,
    reading: DiceReading = "sum",
    discards: Discards = (),
) -> DeckOdds:
    """Exact odds of the next roll, the cards already seen set aside.

    Args:
        least, most: the roll is good enough from ``least`` to ``most`` (None: no upper bound).
        reading: sum, or product for a targeting roll.
        discards: pairs already gone since the last shuffle, white then red: [6, 6] or '6-6'.

    Returns:
        The odds; ``again`` supposes that a poor roll may be rolled again with the Initiative card.

    Raises:
        RequestError: a pair discarded more often than it exists, no card left, unknown reading.

    **Rule:** 1, 1.3, 1.9, 9.1.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "tir-pre")
    >>> str(ask(position, "deck_odds", least=12, discards=[[6, 6]]).value.reached)
    '1/71'
    """
    if reading not in READINGS:
        raise RequestError(f"« {reading} » n’est pas une lecture.", remedy="Choisissez parmi sum, product.")
    size, copies = cards_of(ctx)
    pile = Pile(READINGS[reading], copies, pairs_of(discards), shuffling(ctx, copies))
    left = pile.size(())
    counts = {int(value): n for value, n, _ in pile.draw(())}
    top = max(counts) if most is None else most
    good = sum(n for value, n in counts.items() if least <= value <= top)
    if discards:
        ctx.step("1.3", "deck.left", value=left, size=size, gone=size - left)
    poor = left - good
    reached = Fraction(good, left)
    ctx.step("1.9", f"deck.reached_{reading}", value=reached, good=good, left=left, least=least, most=top)
    again = reached
    for value, n, drawn in pile.draw(()) if left > 1 else ():
        if not least <= value <= top:
            fine = sum(many for second, many, _ in pile.draw(drawn) if least <= second <= top)
            again += Fraction(n, left) * Fraction(fine, pile.size(drawn))
    ctx.step("9.1", "deck.again", value=again, good=good, left=max(left - 1, 0))
    spread = {value: Fraction(n, left) for value, n in sorted(counts.items())}
    return DeckOdds(left, good, reached, Fraction(poor, left), again, spread)


@dataclass(frozen=True, slots=True)
class Reveal:
    """Cards revealed from a shuffled deck.

    Args:
        roll: dice of the last card, white and red.
        sum, product: its readings.
        remaining: cards in the draw pile.
        average: of the sum of the next roll, all cards left being equally likely.
        next_roll: sum of the next roll -> probability.
        seen: every card so far, in order.
    """

    roll: Pair
    sum: int
    product: int
    remaining: int
    average: Fraction
    next_roll: Mapping[int, Fraction]
    seen: tuple[Pair, ...] = ()


@GAME.question(
    "reveal",
    rules=("1.3", "1.9"),
    label="Quelles cartes sont révélées ?",
    theme="Cartes, dés et Événements",
)
def reveal(ctx: Context, shuffle: Annotated[int, "Mélange"] = 1, cards: Annotated[int, "Cartes"] = 1) -> Reveal:
    """Reveal cards, one after the other, from a deck shuffled in a way that can be found again.

    Args:
        shuffle: number of the shuffle.
        cards: how many are revealed, 1 to 71.

    Returns:
        The last card, and what the cards left make of the next roll.

    Raises:
        RequestError: no card, or none left.

    **Rule:** 1, 1.3, 1.9.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "tir-pre"), "reveal", shuffle=1, cards=71).value.remaining
    1
    """
    size, copies = cards_of(ctx)
    if not 1 <= cards < size:
        raise RequestError("On retourne de 1 à 71 cartes.", remedy="Il doit en rester une pour le jet suivant.")
    pile = [pair for pair in PAIRS for _ in range(copies)]
    Random(shuffle).shuffle(pile)
    seen, last = pile[:cards], pile[cards - 1]
    ctx.step("1.3", "deck.revealed", value=cards, left=size - cards)
    rest = pile[cards:]
    average = Fraction(sum(total(pair) for pair in rest), len(rest))
    spread = {value: Fraction(n, len(rest)) for value, n, _ in Pile(total, copies, seen).draw(())}
    ctx.step("1.3", "deck.average", value=round(float(average), 2), seen=round(float(sum(map(total, seen)) / cards), 2))
    ctx.step("1.9", "deck.last", value=total(last), white=last[0], red=last[1], product=product(last))
    return Reveal(last, total(last), product(last), len(rest), average, dict(sorted(spread.items())), tuple(seen))


def named_by(ctx: Context, nation: str, cells: Sequence[str]) -> tuple[str, ...]:
    """Those of some hexes that a card of a nation's deck names, each on one card. **Rule:** 1.8."""
    decks = ctx.table("decks")
    rows = {str(row) for row in decks.get(check_nation(nation), "hex_rows")}
    missing = set(decks.get(nation, "hexes_missing"))
    return tuple(
        cell for cell in dict.fromkeys(cells) if cell.lstrip("ABCDEFGHIJKLMNO") in rows and cell not in missing
    )


@GAME.question(
    "random_hex_odds",
    rules=("1.8",),
    label="Quelles chances qu’un Hex Aléatoire tombe là ?",
    theme="Cartes, dés et Événements",
    chances=True,
)
def random_hex_odds(
    ctx: Context, nation: Nation, cells: Cells, around: Annotated[bool, "Avec leurs voisins"] = False
) -> HexOdds:
    """Exact chance that a random hex, drawn from a full deck, is one of some hexes.

    Args:
        nation: whose deck.
        cells: the hexes.
        around: their neighbours count too, as for a sniper.

    Returns:
        The hexes that a card names, and the chances; cards show only every other row of the map.

    Raises:
        RequestError: no such deck. UnknownHex: not on the board.

    **Rule:** 1.8, 1.9.1.3.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir")
    >>> str(ask(position, "random_hex_odds", nation="germany", cells=["M6"], around=True).value.inside)
    '1/18'
    """
    grid = ctx.position.grid
    for cell in cells:
        grid.check(cell)
    wanted = list(cells)
    if around:
        wanted += [cell for cell in grid.cells if any(grid.distance(cell, one) == 1 for one in cells)]
        ctx.step("1.9.1.3", "deck.around", value=len(set(wanted)), where=hexes(*dict.fromkeys(wanted)))
    named = named_by(ctx, nation, wanted)
    size = int(ctx.table("limits").get("cards", "value"))
    inside = Fraction(len(named), size)
    ctx.step("1.8", "deck.named", value=inside, where=hexes(*named), named=list(named), cards=len(named), size=size)
    return HexOdds(named, len(named), inside, 1 - inside)
