"""Suppression, non-commissioned officers, battery fire, destruction dice and campaign points.

There are no morale checks: the Suppressed marker stands for morale, and this booklet says who ignores or removes it.

**Rule:** 2.3.1, 2.3.2, 2.4.1, 2.5.2, 2.5.3, 3.2, C.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Annotated

from tutor.core.arguments import PieceId, Pieces
from tutor.core.chances import Chances
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.position import Piece
from tutor.core.trace import Place, hexes
from tutor.games.heroes_of_normandie.board import covered, ordered, squares_away, unit_of
from tutor.games.heroes_of_normandie.control import control
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.los import seen_squares, sight_between

FACES = 6
#: Kinds of units that are heavy weapons; another, a machine gun say, is one by its status ``heavy_weapon``.
HEAVY_WEAPONS = ("gun", "mortar")


@dataclass(frozen=True, slots=True)
class Destruction(Chances):
    """Odds of destruction dice.

    Args:
        need: what a die must show.
        each: chance of one die.
        markers: number of markers -> probability.
        destroyed: chance that markers and breaches reach the structure, None when no structure is given.
    """

    need: int
    each: Fraction
    markers: Mapping[int, Fraction]
    destroyed: Fraction | None


@GAME.question(
    "suppression",
    rules=("2.4.1", "3.2"),
    label="Subit-elle son marqueur Suppressed ?",
    theme="Vue et tir",
    common=True,
)
def suppression(ctx: Context, unit: PieceId) -> bool:
    """Whether a unit suffers a Suppressed marker.

    Args:
        unit: id.

    Returns:
        True when it carries one and nothing makes it ignore it; the marker's effects are in the base booklet.

    **Rule:** 2.4.1, 3.2.

    >>> GAME.load().rules["suppression"](GAME.position("batterie"), unit="canon-2").value
    True
    """
    piece = unit_of(ctx.position, unit)
    if "suppressed" not in piece.status:
        ctx.step("2.4.1", "suppression.none", value=False, who=unit)
        return False
    for status, rule in (("unshakeable", "2.4.1"), ("fanatic", "3.2")):
        if status in piece.status and ctx.on("2.4.1"):
            ctx.step(rule, f"suppression.{status}", value=False, who=unit)
            return False
    ctx.step("2.4.1", "suppression.suffers", value=True, who=unit)
    return True


def unsuppressed(ctx: Context, piece: Piece) -> None:
    """Leave an action of a suppressed unit unknown: the marker's effects are in the base booklet.

    Raises:
        UnknownValue: it suffers its marker, and nothing forbids the action already.
    """
    if "suppressed" in piece.status and suppression.function(ctx, piece.id):
        ctx.table("base").get("suppressed", "effect")


@GAME.question(
    "rally",
    rules=("2.5.2",),
    label="Le sous-officier peut-il relever cette unité ?",
    theme="Mouvement, ordres et cartes",
    common=True,
)
def rally(ctx: Context, officer: Annotated[PieceId, "Officier"], unit: PieceId) -> bool:
    """A non-commissioned officer who received an order takes a Suppressed marker off a unit.

    Args:
        officer, unit: ids.

    Returns:
        Whether the marker goes; refused with every reason.

    **Rule:** 2.5.2.

    >>> GAME.load().rules["rally"](GAME.position("batterie"), officer="sergent", unit="canon-2").value
    True
    """
    chief, friend = unit_of(ctx.position, officer), unit_of(ctx.position, unit)
    if "nco" not in chief.status:
        ctx.refuse("2.5.2", "rally.not_nco", officer=officer)
    if not ordered(chief):
        ctx.refuse("2.5.2", "rally.no_order", officer=officer)
    if officer == unit:
        ctx.refuse("2.5.2", "rally.self", officer=officer)
    if chief.side != friend.side:
        ctx.refuse("2.5.2", "rally.enemy", who=unit)
    if "suppressed" not in friend.status:
        ctx.refuse("2.5.2", "rally.nothing", who=unit)
    if ctx.on("2.5.2") and officer != unit:
        _near(ctx, officer, unit, ("clear",), "2.5.2", int(ctx.table("limits").get("nco_range", "value")))
    done = not ctx.refusals
    if done:
        ctx.step("2.5.2", "rally.done", value=True, officer=officer, who=unit, where=[Place("piece", unit)])
    return done


def _near(ctx: Context, first: str, second: str, states: tuple[str, ...], rule: str, most: int) -> None:
    """Refuse when two units are more than ``most`` squares apart, or not in sight of each other as asked."""
    ends = unit_of(ctx.position, first), unit_of(ctx.position, second)
    start, end = seen_squares(ctx.position, *ends)
    away = squares_away(ctx, start, end)
    if away > most:
        ctx.refuse(rule, "near.too_far", first=first, second=second, range=away, most=most, where=hexes(start, end))
    else:
        ctx.step(rule, "near.range", first=first, second=second, range=away, most=most, value=True)
    seen = sight_between(ctx, *ends)
    if (
        (seen.state == "affected" and "reduced" not in states)
        or seen.state == "blocked"
        or (seen.state == "reduced" and "reduced" not in states)
    ):
        ctx.refuse(rule, "near.not_clear", first=first, second=second, state=seen.state)
    elif seen.state == "affected":
        ctx.table("base").get("obstacle", "effect")


@GAME.question(
    "battery",
    rules=("2.5.3",),
    label="Ce tir de batterie est-il permis ?",
    theme=("Mouvement, ordres et cartes", "Explosions et avions"),
)
def battery(
    ctx: Context,
    spotter: Annotated[PieceId, "Observateur"],
    weapons: Annotated[Pieces, "Armes"],
    turn: Annotated[int, "Tour"],
) -> tuple[str, ...]:
    """Battery fire: one unit makes heavy weapons of one name fire, each resolved alone.

    Args:
        spotter: id of the unit with the ability.
        weapons: one to three ids.
        turn: of the game, 1 or more.

    Returns:
        The weapons that fire; refused with every reason; unknown when only the base booklet says what an obstacle does.

    **Rule:** 2.5.3.

    >>> GAME.load().rules["battery"](GAME.position("batterie"), spotter="observateur",
    ...     weapons=["canon-1", "canon-3"], turn=2).value
    ('canon-1', 'canon-3')
    """
    chief = unit_of(ctx.position, spotter)
    pieces, unknown = [unit_of(ctx.position, weapon) for weapon in weapons], list[UnknownValue]()
    limits = ctx.table("limits")
    most, reach = int(limits.get("battery_weapons", "value")), int(limits.get("battery_range", "value"))
    if turn <= 1 and ctx.on("2.5.3"):
        ctx.refuse("2.5.3", "battery.first_turn", turn=turn)
    if "battery_fire" not in chief.status:
        ctx.refuse("2.5.3", "battery.no_ability", who=spotter)
    if not ordered(chief) or chief.activated or spotter in weapons:
        ctx.refuse("2.5.3", "battery.spotter", who=spotter)
    if not 0 < len(set(weapons)) == len(weapons) <= most:
        ctx.refuse("2.5.3", "battery.count", count=len(weapons), most=most)
    if len({piece.counter or piece.name or piece.id for piece in pieces}) > 1 and ctx.on("2.5.3"):
        ctx.refuse("2.5.3", "battery.names", units=weapons)
    for piece in pieces:
        if piece.kind not in HEAVY_WEAPONS and "heavy_weapon" not in piece.status:
            ctx.refuse("2.5.3", "battery.not_heavy", who=piece.id)
        if piece.side != chief.side:
            ctx.refuse("2.5.3", "battery.enemy", who=piece.id)
        if piece.activated:
            ctx.refuse("2.5.3", "battery.activated", who=piece.id)
        with ctx.hold(unknown):
            _near(ctx, spotter, piece.id, ("clear", "reduced"), "2.5.3", reach)
    ctx.settle()
    if unknown:
        raise unknown[0]
    for piece in (chief, *pieces):
        unsuppressed(ctx, piece)
    if ctx.refusals:
        return ()
    ctx.step("2.5.3", "battery.fires", value=len(weapons), units=weapons, who=spotter)
    return tuple(weapons)


@GAME.question(
    "destruction_odds",
    rules=("2.3.1", "2.3.2", "3.3.4", "P"),
    label="Quelles chances de destruction ?",
    theme="Explosions et avions",
    chances=True,
)
def destruction_odds(
    ctx: Context,
    dice: Annotated[int, "Dés"],
    demolisher: Annotated[bool, "Démolisseur"] = False,
    bunker: Annotated[bool, "Bunker"] = False,
    structure: Annotated[int | None, "Structure"] = None,
    points: Annotated[int, "Points"] = 0,
    fortified: Annotated[bool, "Avec un marqueur Fortifié"] = False,
) -> Destruction | None:
    """Exact odds of destruction dice, or of dice that suppress units in a bunker.

    Args:
        dice: how many, 1 to 12.
        demolisher: the firing unit is in a demolisher's zone of control.
        bunker: dice against units in a bunker.
        structure: of the element.
        points: markers and breaches already on it.
        fortified: a marker of the room is discarded instead of one more point.

    Returns:
        The odds; None, refused, for a fortified bunker.

    Raises:
        RequestError: an impossible number of dice, structure or points.

    **Rule:** 2.3.1, 2.3.1.2, 2.3.2, 3.3.4, P.

    >>> str(GAME.load().rules["destruction_odds"](GAME.position("batterie"), dice=2, demolisher=True).value.markers[2])
    '25/36'
    """
    if type(dice) is not int or not 1 <= dice <= 12:
        raise RequestError("Ce nombre de dés n’est pas possible.", remedy="Donnez un nombre de 1 à 12.")
    if points < 0 or (structure is not None and structure < 1):
        raise RequestError(
            "Cette structure est impossible.", remedy="Donnez une structure de 1 ou plus, des points de 0 ou plus."
        )
    if fortified and bunker:
        ctx.refuse("3.3.4", "destruction.no_fort")
        return None
    need = int(ctx.table("limits").get("bunker_die" if bunker else "destruction_die", "value"))
    if demolisher and ctx.on("2.3.2"):
        bonus = int(ctx.table("limits").get("demolisher", "value"))
        need -= bonus
        ctx.step("2.3.2", "destruction.demolisher", value=need, bonus=bonus)
    each = Fraction(sum(die >= need for die in range(1, FACES + 1)), FACES)
    markers = {k: comb(dice, k) * each**k * (1 - each) ** (dice - k) for k in range(dice + 1)}
    ctx.step("2.3.1", "destruction.each", value=each, need=need, dice=dice)
    destroyed = None
    if structure is not None and not bunker:
        spared = int(ctx.table("limits").get("fortified", "value")) if fortified else 0
        destroyed = sum((p for k, p in markers.items() if max(0, k - spared) + points >= structure), Fraction(0))
        needed = structure - points + spared
        if 1 < needed <= dice:
            ctx.step("2.3.1.2", "destruction.element_one", value=1 - markers[0], dice=dice, count=needed)
        elif needed == 1 < dice:
            ctx.step("2.3.1.2", "destruction.element_all", value=markers[dice], dice=dice)
        ctx.step("2.3.1.2", "destruction.element", value=destroyed, structure=structure, points=points, each=each)
    return Destruction(need, each, markers, destroyed)


@GAME.question(
    "demolisher",
    rules=("2.3.2",),
    label="Le démolisseur aide-t-il ?",
    theme="Explosions et avions",
)
def demolisher(ctx: Context, unit: PieceId, helper: Annotated[PieceId, "Démolisseur"]) -> bool:
    """Whether a unit's destruction dice profit from a demolisher.

    Args:
        unit: the firing unit.
        helper: the demolisher.

    Returns:
        True when the unit stands in the demolisher's zone of control.

    **Rule:** 2.3.2, 1.3.2.

    >>> GAME.load().rules["demolisher"](GAME.position("batiment"), unit="voisin", helper="section").value
    True
    """
    firing, other = unit_of(ctx.position, unit), unit_of(ctx.position, helper)
    if "demolisher" not in other.status:
        ctx.refuse("2.3.2", "demolisher.not_one", who=helper)
        return False
    if unit == helper:
        ctx.step("2.3.2", "demolisher.own", value=False, note="interprétation", helper=helper)
        return False
    with ctx.group("1.3.2", "control", who=helper) as group:
        zone = control.function(ctx, helper)
        group.value = len(zone)
    base = covered(ctx.position, firing)
    helped = firing.side == other.side and not {*base, ">".join(base)}.isdisjoint(zone)
    ctx.step("2.3.2", "demolisher.helps" if helped else "demolisher.away", value=helped, who=unit, helper=helper)
    return helped


@GAME.question(
    "campaign",
    rules=("C",),
    label="Combien de points de campagne ?",
    theme="Mouvement, ordres et cartes",
)
def campaign(ctx: Context, victories: Annotated[int, "Victoires"], medals: Annotated[int, "Médailles"]) -> int:
    """Campaign points of a side.

    Args:
        victories: scenarios won.
        medals: earned.

    Returns:
        The total.

    **Rule:** C.

    >>> GAME.load().rules["campaign"](GAME.position("batterie"), victories=3, medals=2).value
    19
    """
    if min(victories, medals) < 0:
        raise RequestError("Un compte ne descend pas sous 0.", remedy="Donnez des nombres positifs.")
    limits = ctx.table("limits")
    total = victories * int(limits.get("victory", "value")) + medals * int(limits.get("medal", "value"))
    ctx.step("C", "campaign.total", value=total, victories=victories, medals=medals)
    return total
