"""Weapons that break and are mended: the number of a random hex against their intervals.

**Rule:** 11.3, 11.4, 1.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Cell
from tutor.core.chances import Chances
from tutor.core.context import Context, reader
from tutor.core.grid import split_cell
from tutor.core.position import Piece
from tutor.games.combat_commander.arguments import Nation, Weapon
from tutor.games.combat_commander.deck import named_by
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.units import is_unit, places

#: Columns and rows of a printed map.
COLUMNS, ROWS = "ABCDEFGHIJKLMNO", range(1, 11)


def interval(text: str) -> frozenset[int]:
    """Numbers of an interval as printed on a counter.

    >>> sorted(interval("1-3,10"))
    [1, 2, 3, 10]
    """
    numbers: set[int] = set()
    for part in text.split(","):
        low, _, high = part.partition("-")
        numbers |= set(range(int(low), int(high or low) + 1))
    return frozenset(numbers)


def mended(ctx: Context, weapon: Piece, number: int) -> str:
    """What a number does to a broken weapon: fixed, eliminated, or nothing. **Rule:** 11.4."""
    table, row = ctx.table("weapons"), weapon.counter or ""
    if not ctx.on("11.4"):
        return "fixed"
    if number in interval(str(table.get(row, "fix", places(weapon)))):
        return "fixed"
    return "eliminated" if number in interval(str(table.get(row, "elim", places(weapon)))) else "nothing"


def broken_weapons(ctx: Context) -> list[Piece]:
    """Broken weapons in play, those of the casualty track left out. **Rule:** 11.4."""
    return [
        p
        for p in ctx.position.pieces
        if not is_unit(p) and p.kind != "radio" and "broken" in p.status and "eliminated" not in p.status
    ]


def mends(ctx: Context, cell: str) -> dict[str, str]:
    """What a random hex does to the broken weapons, before what drew it is resolved: by weapon id. **Rule:** 11.4."""
    number = split_cell(cell)[1]
    results = {}
    for weapon in broken_weapons(ctx):
        results[weapon.id] = result = mended(ctx, weapon, number)
        ctx.step("11.4", f"repair.{result}", value=result, where=places(weapon), piece=weapon.id, number=number)
    return results


@GAME.question(
    "repair",
    rules=("11.4", "1.8"),
    label="Cette carte répare-t-elle ?",
    theme="Armes",
)
def repair(ctx: Context, hex: Annotated[Cell, "Hex"]) -> Mapping[str, str]:
    """What a random hex does to every broken weapon in play, before anything else that drew it.

    Args:
        hex: the random hex of the card, as printed (its number counts); it need not be on this board.

    Returns:
        Weapon id -> fixed, eliminated or nothing; empty when no weapon is broken.

    Raises:
        PositionError: not the name of a hex. UnknownValue: a weapon whose intervals are not known.

    **Rule:** 11.4, 1.8.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "armes")
    >>> dict(ask(position, "repair", hex="F5").value)
    {'mg': 'fixed'}
    """
    number = split_cell(hex)[1]
    ctx.step("1.8", "repair.number", "input", value=number, cell=reader(hex))
    broken = broken_weapons(ctx)
    if not broken:
        ctx.step("11.4", "repair.none", value=0)
    results = {}
    for weapon in broken:
        with ctx.group("11.4", "repair.weapon", where=places(weapon), piece=weapon.id) as step:
            results[weapon.id] = step.value = mended(ctx, weapon, number)
            ctx.step(
                "11.4", f"repair.{step.value}", value=step.value, where=places(weapon), piece=weapon.id, number=number
            )
    return results


@dataclass(frozen=True, slots=True)
class RepairOdds(Chances):
    """Odds of one random hex for a broken weapon; the three add up to 1.

    Args:
        fixed, eliminated, unchanged: probabilities.
    """

    fixed: Fraction
    eliminated: Fraction
    unchanged: Fraction


@GAME.question(
    "repair_odds",
    rules=("11.4",),
    label="Quelles chances de réparer cette Arme ?",
    theme="Armes",
    chances=True,
)
def repair_odds(ctx: Context, weapon: Weapon, nation: Nation | None = None) -> RepairOdds:
    """Exact odds of one random hex for a weapon as if broken, from the cards of a full deck.

    Args:
        weapon: its id.
        nation: whose deck the card comes from; None: the weapon's own nation.

    Returns:
        The odds; refused for what is no weapon.

    Raises:
        PositionError: no such piece. RequestError: a nation whose deck is not known.

    **Rule:** 11.4, 1.8.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "armes")
    >>> str(ask(position, "repair_odds", weapon="mg").value.fixed)
    '5/24'
    """
    piece = ctx.position.piece(weapon)
    if is_unit(piece) or piece.kind == "radio":
        ctx.refuse("11.4", "repair.refuse.not_weapon", where=places(piece), piece=weapon)
        return RepairOdds(Fraction(0), Fraction(0), Fraction(1))
    named = named_by(ctx, nation or piece.nation or "", [f"{column}{row}" for column in COLUMNS for row in ROWS])
    silent = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
    shares = dict.fromkeys(("fixed", "eliminated", "nothing"), Fraction(0))
    for cell in named:
        shares[mended(silent, piece, split_cell(cell)[1])] += Fraction(1, len(named))
    ctx.step(
        "11.4",
        "repair.odds",
        value=shares["fixed"],
        where=places(piece),
        piece=weapon,
        lost=shares["eliminated"],
        cards=len(named),
    )
    return RepairOdds(shares["fixed"], shares["eliminated"], shares["nothing"])
