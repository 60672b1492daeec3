"""Odds of a fire on three defenders: the merged states against plain enumeration, and against one question."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from bench.measures import Measure, milliseconds
from tutor.core.position import Position
from tutor.core.registry import ask, load_position

TITLE = "Chances d’un tir"
FIRERS = ["peloton-l8", "mg-l8", "peloton-k8", "peloton-j7", "peloton-j6"]
SUMS = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def crowded(defenders: int) -> Position:
    """The booklet's fire example with that many squads in the target hex."""
    position = load_position("combat_commander", "livret-tir")
    data = position.data()
    squad = next(piece for piece in data["pieces"] if piece["id"] == "peloton-us")
    data["pieces"] += [{**squad, "id": f"peloton-us-{i}"} for i in range(2, defenders + 1)]
    return Position.from_data(data)


def enumerated(fp: int, morale: list[int]) -> Fraction:
    """The reference: chance that every defender breaks, by going through every combination of sums."""
    total = Fraction(0)
    for attack, *defences in product(SUMS, repeat=1 + len(morale)):
        if all(value + dice < fp + attack for value, dice in zip(morale, defences, strict=True)):
            chance = SUMS[attack]
            for dice in defences:
                chance *= SUMS[dice]
            total += chance
    return total


def run() -> Iterator[Measure]:
    """Measure."""
    for defenders in (1, 3):
        position = crowded(defenders)

        def chances(position: Position = position) -> object:
            return ask(position, "fire_odds", firers=FIRERS, target="M6", trace=False)

        result = ask(position, "fire_odds", firers=FIRERS, target="M6").value
        naive = milliseconds(lambda: enumerated(result.fp[0], list(result.morale.values())), times=3)  # noqa: B023
        plural = "s" if defenders > 1 else ""
        yield Measure(
            f"{defenders} défenseur{plural}", milliseconds(chances), "ms", naive, "toutes les sommes, une à une"
        )
