"""Morale of battalions and of vehicle formations.

**Rule:** 17.1, 17.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tutor.core.arguments import Roll
from tutor.core.context import Context, dice
from tutor.core.errors import RequestError
from tutor.games.tcs.arguments import StepsLost
from tutor.games.tcs.game import GAME


@dataclass(frozen=True, slots=True)
class VehicleMorale:
    """Morale of a vehicle formation after some losses.

    Args:
        morale: its value.
        marked: boxes marked since the sheet was last cleared.
        tests: morale at each test, in order.
        failed: index of the first failed test, None when all passed or no die was given.
    """

    morale: int
    marked: int
    tests: tuple[int, ...]
    failed: int | None


#: Steps that a formation may lose at once, far above any of the booklet's.
MOST_STEPS = 200


def _whole(*values: object) -> bool:
    return all(type(v) is int and v >= 0 for v in values)


@GAME.question(
    "battalion_morale",
    rules=("17.1", "17.1a"),
    label="Quel est le moral du bataillon ?",
    theme="Moral",
)
def battalion_morale(
    ctx: Context,
    platoons: Annotated[int, "Sections"],
    others: Annotated[int, "Autres unités"] = 0,
    steps: StepsLost | None = None,
) -> int:
    """Morale of a battalion from the units in its box.

    Args:
        platoons: infantry platoons eliminated.
        others: other units eliminated (MG, mortars, guns, transports).
        steps: infantry steps lost, for the reading that counts them.

    Returns:
        One point for each platoon (each step, by the setting ``battalion_points``), one for each three others.

    Raises:
        RequestError: numbers that cannot be.

    **Rule:** 17.1, 17.1a.

    >>> from tutor import ask, load_position
    >>> ask(load_position("tcs", "livret-moral"), "battalion_morale", platoons=2, others=4).value
    3
    """
    by_step = ctx.setting("battalion_points") == "steps"
    if not _whole(platoons, others, *([] if steps is None else [steps])):
        raise RequestError("Les unités éliminées se comptent en nombres entiers.", remedy="Par exemple 2 et 4.")
    if by_step and steps is None:
        raise RequestError("Cette lecture compte les pas d’infanterie perdus.", remedy="Donnez-les : steps, 8.")
    groups = others // 3 if ctx.on("17.1a") else others
    infantry = steps if by_step and steps is not None else platoons
    morale = infantry + groups
    code = "formation.battalion_steps" if by_step else "formation.battalion"
    note = "interprétation" if steps is not None else None
    ctx.step("17.1a", code, value=morale, note=note, infantry=infantry, others=others, groups=groups)
    return morale


@GAME.question(
    "morale_reduction",
    rules=("17.1d", "17.1e", "17.8d", "26.1d"),
    label="De combien baisse le moral ?",
    theme="Moral",
)
def morale_reduction(
    ctx: Context,
    morale: Annotated[int, "Moral"],
    attacking: Annotated[bool, "En attaque"] = False,
    die: Annotated[int | None, "Dé"] = None,
    hour: Annotated[int | None, "Heure"] = None,
) -> Fraction | int | None:
    """Reduction of a formation's morale at a full hour.

    Args:
        morale: its value.
        attacking: whether a unit of it attacks on an accepted order.
        die: 1 to 6, None for the odds.
        hour: of the turn, 0 to 24: by night it must be even; None leaves it aside.

    Returns:
        The new value, or the chance to lose a point; None, refused, when it may not try.

    Raises:
        RequestError: numbers that cannot be.

    **Rule:** 17.1d, 17.1e, 17.8d, 26.1d.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "livret-moral")
    >>> str(ask(position, "morale_reduction", morale=3).value)
    '1/2'
    >>> [ask(position, "morale_reduction", morale=3, die=die).value for die in (3, 4)]
    [2, 3]
    """
    if not _whole(morale) or (die is not None and (not _whole(die) or not 1 <= die <= 6)):
        raise RequestError("Un moral est un nombre entier, un dé va de 1 à 6.", remedy="Par exemple 3 et 2.")
    if hour is not None and (not _whole(hour) or not 0 <= hour <= 24):
        raise RequestError("Une heure est un nombre entier, de 0 à 24.", remedy="Par exemple 22.")
    by_night = ctx.position.state.get("night") is True
    if by_night and hour is not None and hour % 2 and ctx.on("26.1d"):
        ctx.refuse("26.1d", "formation.odd_hour", hour=hour)
    if attacking:
        ctx.refuse("17.1e", "formation.attacking")
    if morale < 1:
        ctx.refuse("17.1d", "formation.nothing")
    if ctx.refusals:
        return None
    if by_night and hour is not None:
        ctx.step("26.1d", "formation.even_hour", value=hour)
    if die is None:
        odds = Fraction(min(morale, 6), 6)
        ctx.step("17.1d", "formation.odds", value=odds, morale=morale)
        return odds
    reduced = morale - (die <= morale)
    ctx.step(
        "17.1d",
        "formation.reduced" if die <= morale else "formation.kept",
        "dice",
        value=reduced,
        die=dice(die),
        morale=morale,
    )
    return reduced


@GAME.question(
    "vehicle_morale",
    rules=("17.8a", "17.8b", "17.8c", "17.8e"),
    label="Faut-il tester le moral des véhicules ?",
    theme="Moral",
)
def vehicle_morale(
    ctx: Context,
    track: Annotated[Roll, "Cases de la feuille"],
    lost: StepsLost,
    morale: Annotated[int, "Moral"] = 0,
    marked: Annotated[int, "Cases cochées"] = 0,
    total_steps: Annotated[int, "Pas en tout"] = 0,
    lost_before: Annotated[int, "Pas perdus avant"] = 0,
    dice: Roll = (),
) -> VehicleMorale:
    """Mark the losses of a vehicle formation on its sheet, box by box, and test when its morale grows.

    Args:
        track: number of each box from the left, 0 for a round one.
        lost: steps lost now.
        morale, marked: before.
        total_steps, lost_before: of the formation, for 17.8e (0: not used).
        dice: one die for each test, in order.

    Returns:
        The new morale and its tests.

    Raises:
        RequestError: a sheet or dice that cannot be.

    **Rule:** 17.8a, 17.8b, 17.8c, 17.8e.

    >>> from tutor import ask, load_position
    >>> position = load_position("tcs", "livret-moral")
    >>> answer = ask(position, "vehicle_morale", track=[0, 1, 0, 2], lost=4, dice=[2, 3]).value
    >>> answer.morale, answer.marked, answer.tests, answer.failed
    (3, 0, (1, 3), 1)
    """
    whole = _whole(*track, lost, morale, marked, total_steps, lost_before)
    if not track or not whole or marked >= len(track) or max(lost, *track) > MOST_STEPS:
        raise RequestError(
            "La feuille de moral a des cases, dont une au moins est libre, et 200 pas au plus se perdent à la fois.",
            remedy="Par exemple [0, 1, 1].",
        )
    if any(type(d) is not int or not 1 <= d <= 6 for d in dice):
        raise RequestError("Un dé va de 1 à 6.", remedy="Donnez un dé par test.")
    doubles = ctx.on("17.8e")
    tests: list[int] = []
    failed: int | None = None
    for number in range(1, lost + 1):
        gain = track[marked]
        gone = lost_before + number - (ctx.setting("vehicle_half") == "before")
        if gain and doubles and total_steps and 2 * gone >= total_steps:
            gain *= 2
            note = "interprétation" if 2 * gone <= total_steps + 1 else None
            ctx.step("17.8e", "formation.doubled", value=gain, note=note)
        marked += 1
        morale += gain
        ctx.step("17.8a", "formation.square" if gain else "formation.round", value=gain, box=marked, morale=morale)
        if marked == len(track):
            marked = 0
            ctx.step("17.8a", "formation.cleared", value=morale)
        for value in _tested(ctx, morale, gain):
            if len(tests) < len(dice) and not _passes(ctx, dice[len(tests)], value) and failed is None:
                failed = len(tests)
                ctx.step("17.8c", "formation.unassigned")
            tests.append(value)
    return VehicleMorale(morale, marked, tuple(tests), failed)


def _tested(ctx: Context, morale: int, gain: int) -> Sequence[int]:
    """Morale at each test that a box asks for: one test, or one for each point it gives (``vehicle_tests``)."""
    if gain < 2:
        return [morale] * gain
    by_point = ctx.setting("vehicle_tests") == "point"
    code = "formation.test_by_point" if by_point else "formation.test_by_box"
    ctx.step("17.8b", code, value=gain if by_point else 1, note="interprétation", gain=gain)
    return range(morale - gain + 1, morale + 1) if by_point else [morale]


def _passes(ctx: Context, die: int, morale: int) -> bool:
    passed = die > morale
    code = "formation.passed" if passed else "formation.failed"
    ctx.step("17.8b", code, "dice", value=passed, die=die, morale=morale)
    return passed
