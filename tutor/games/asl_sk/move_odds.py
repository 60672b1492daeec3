"""A stack under residual fire, hex after hex: what each attack did is carried to the next, exactly.

**Rule:** 3.2.3, 3.2.3-LLMC, 3.3, 3.3.5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from tutor.core.context import Context
from tutor.core.dice import Dice, total
from tutor.games.asl_sk.fire.attack import cell
from tutor.games.asl_sk.fire.fire import column_of
from tutor.games.asl_sk.fire.odds import State, Weights, suffer
from tutor.games.asl_sk.morale import Troop

#: Stands for a unit that stops: what it has become no longer matters to those who walk on.
STOPPED = Troop("", "", 0, 0, alive=False)


def walks_on(one: Troop) -> bool:
    """Whether a unit may spend more MF: not eliminated, broken or pinned.

    **Rule:** 3.2.3-PTC, 3.3.
    """
    return one.alive and not one.broken and not one.pinned


def under_residual(
    quiet: Context, states: Weights, fp: int, drms: Sequence[int], standing: tuple[Troop, ...] = ()
) -> Weights:
    """Every state of a stack after an attack by residual fire on those who still walk.

    Args:
        quiet: a context without trace.
        states: state of the stack -> probability.
        fp: of the counter.
        drms: DRM against each unit, in the stack's order.
        standing: leaders of the hex who do not move, and may help.

    **Rule:** 3.2.3, 3.3.5.
    """
    column, outcomes = column_of(Fraction(fp)), defaultdict[State, Fraction](Fraction)
    for state, p in states.items():
        walking = [i for i, one in enumerate(state) if walks_on(one)]
        rows: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
        for original, n, _ in Dice(total).draw(()):
            rows[tuple(cell(quiet, column, original + drms[i]) for i in walking)] += Fraction(n, 36)
        for codes, q in rows.items():
            here = (*(state[i] for i in walking), *standing)
            for after, r in suffer(quiet, here, (*codes, *("NE" for _ in standing))).items():
                changed = {i: one if walks_on(one) else STOPPED for i, one in zip(walking, after, strict=False)}
                outcomes[tuple(changed.get(i, one) for i, one in enumerate(state))] += p * q * r
    return dict(outcomes)


def going(states: Weights, place: int) -> Fraction:
    """Chance that a unit of the stack still walks."""
    return sum((p for state, p in states.items() if walks_on(state[place])), Fraction(0))
