"""Abilities and recruitment options of this booklet: alert, location dice, cards, tank gear, ordered templates.

Pieces bear ``alert``, ``tank_hunter``, ``improvisation`` as statuses; ``defence``, ``move``, and how many markers of
``shielding`` and ``fuel`` as values.

**Rule:** 2.1.1, 2.3.4, 2.5.1, 3.1.3.1, 3.1.3.2, 3.3.2, 3.3.3, 3.3.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.core.arguments import Cell, PieceId, TargetPiece
from tutor.core.context import Context
from tutor.core.errors import RequestError, UnknownValue
from tutor.core.trace import hexes
from tutor.games.heroes_of_normandie.arguments import MarkerKind, OrderMarker
from tutor.games.heroes_of_normandie.board import grid_of, mark, unit_of
from tutor.games.heroes_of_normandie.game import GAME
from tutor.games.heroes_of_normandie.rooms import corner
from tutor.games.heroes_of_normandie.suppression import FACES

#: Templates that an order brings -> their rule, and the orders that do.
ORDNANCE = {"artillery": ("3.3.2", ("numbered", "special")), "smoke": ("3.3.6", ("numbered",))}
ORDERS = ("numbered", "special", "bluff", "none")


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards of a draw: how many are drawn, and how many of them are discarded at once."""

    drawn: int
    discarded: int


@dataclass(frozen=True, slots=True)
class Gear:
    """Defence and movement, in squares, of a heavy vehicle with its markers."""

    defence: int
    move: int


@dataclass(frozen=True, slots=True)
class Ordnance:
    """A template that an order brings: the squares aimed at, and how far it scatters, in corners or squares."""

    cells: tuple[str, ...]
    scatter: int


@GAME.question(
    "alert",
    rules=("2.1.1",),
    label="A-t-elle le tir d’opportunité ?",
    theme=("Vue et tir", "Mouvement, ordres et cartes"),
)
def alert(ctx: Context, unit: PieceId) -> bool:
    """Whether alert gives a unit opportunity fire now.

    Args:
        unit: id.

    Returns:
        True for a unit on alert that has been activated; how opportunity fire goes is in the base booklet.

    **Rule:** 2.1.1.

    >>> GAME.load().rules["alert"](GAME.position("materiel"), unit="mg").value
    True
    """
    piece = unit_of(ctx.position, unit)
    ready = "alert" in piece.status and bool(piece.activated)
    code = "alert.ready" if ready else "alert.later" if "alert" in piece.status else "alert.none"
    ctx.step("2.1.1", code, value=ready, who=unit)
    return ready


@GAME.question(
    "location",
    rules=("2.3.4",),
    label="Quels résultats au dé de localisation ?",
    theme="Vue et tir",
)
def location(ctx: Context, unit: PieceId, target: TargetPiece, roll: Annotated[int, "Dés"]) -> tuple[int, ...]:
    """Results among which a shooter chooses where a heavy vehicle is hit.

    Args:
        unit: the shooter.
        target: a heavy vehicle.
        roll: the location die, 1 to 6.

    Returns:
        The results; what each stands for is in the base booklet. Refused for another target.

    Raises:
        RequestError: an impossible die.

    **Rule:** 2.3.4.

    >>> GAME.load().rules["location"](GAME.position("materiel"), unit="piat", target="panther", roll=4).value
    (3, 4, 5)
    """
    if not 1 <= roll <= FACES:
        raise RequestError(f"« {roll} » n’est pas un dé de localisation.", remedy=f"Donnez un nombre de 1 à {FACES}.")
    hunter, aimed = "tank_hunter" in unit_of(ctx.position, unit).status, unit_of(ctx.position, target)
    if aimed.kind != "heavy_vehicle":
        ctx.refuse("2.3.4", "location.not_heavy", target=target)
        return ()
    shift = int(ctx.table("limits").get("location", "value")) if hunter else 0
    results = tuple(sorted({roll - shift, roll, roll + shift}))
    ctx.step("2.3.4", "location.hunter" if shift else "location.plain", value=list(results), who=unit, roll=roll)
    return results


@GAME.question(
    "cards",
    rules=("2.5.1",),
    label="Combien de cartes pioche-t-on ?",
    theme="Mouvement, ordres et cartes",
)
def cards(ctx: Context, unit: PieceId, most: Annotated[int, "Cartes permises"]) -> Draw:
    """Action cards that a player may draw.

    Args:
        unit: id of the unit whose ability counts.
        most: cards that the rules or the scenario allow.

    Returns:
        Cards drawn, and discarded at once.

    **Rule:** 2.5.1.

    >>> GAME.load().rules["cards"](GAME.position("materiel"), unit="sergent", most=4).value
    Draw(drawn=5, discarded=1)
    """
    if most < 0:
        raise RequestError("Un nombre de cartes ne descend pas sous 0.", remedy="Donnez un nombre positif.")
    able = "improvisation" in unit_of(ctx.position, unit).status
    more = int(ctx.table("limits").get("extra_card", "value")) if able else 0
    ctx.step("2.5.1", "cards.more" if more else "cards.plain", value=most + more, who=unit, most=most, more=more)
    return Draw(most + more, more)


@GAME.question(
    "gear",
    rules=("3.1.3.1", "3.1.3.2"),
    label="Que valent ses marqueurs de matériel ?",
    theme="Vue et tir",
)
def gear(ctx: Context, unit: PieceId) -> Gear | None:
    """Defence and movement of a heavy vehicle with its markers of extra shielding and fuel.

    Args:
        unit: id; its values are those of its counter, its markers are ``shielding`` and ``fuel``.

    Returns:
        Both values; None, refused, to another kind of unit; unknown without the counter's own.

    **Rule:** 3.1.3.1, 3.1.3.2.

    >>> GAME.load().rules["gear"](GAME.position("materiel"), unit="churchill").value
    Gear(defence=7, move=6)
    """
    piece, values = unit_of(ctx.position, unit), list[int]()
    markers = (("defence", "shielding", "3.1.3.1"), ("move", "fuel", "3.1.3.2"))
    for _, marker, rule in markers:
        if piece.front.get(marker, 0) and piece.kind != "heavy_vehicle":
            ctx.refuse(rule, "gear.not_heavy", who=unit)
    if ctx.refusals:
        return None
    for value, marker, rule in markers:
        count = piece.front.get(marker, 0)
        if value not in piece.front:
            raise UnknownValue("base", f"counter.{value}", rule)
        total = piece.front[value] + count * int(ctx.table("limits").get(f"one_{marker}", "value"))
        ctx.step(rule, f"gear.{value}", value=total, who=unit, printed=piece.front[value], count=count)
        values.append(total)
    return Gear(*values)


@GAME.question(
    "ordnance",
    rules=("3.3.2", "3.3.6"),
    label="Où se pose ce gabarit ?",
    theme="Mouvement, ordres et cartes",
)
def ordnance(
    ctx: Context, kind: MarkerKind, order: OrderMarker, vertex: Annotated[Cell, "Case au-dessus, à gauche du coin"]
) -> Ordnance | None:
    """A template of artillery or smoke, laid when its order is revealed.

    Args:
        kind: artillery or smoke.
        order: on its tile, numbered, special, bluff or none.
        vertex: upper left of the four squares aimed at.

    Returns:
        The four squares, before the scatter, and its distance; None, refused, without the right order, or off a corner.

    Raises:
        RequestError: another kind or order.

    **Rule:** 3.3.2, 3.3.6.

    >>> position = GAME.load().position("materiel")
    >>> GAME.rules["ordnance"](position, kind="artillery", order="special", vertex="E2").value.scatter
    3
    """
    if kind not in ORDNANCE or order not in ORDERS:
        raise RequestError(
            f"« {kind} » ou « {order} » ne convient pas.", remedy=f"{', '.join(ORDNANCE)} ; {', '.join(ORDERS)}."
        )
    rule, orders = ORDNANCE[kind]
    if order not in orders:
        ctx.refuse(rule, f"ordnance.{kind}_order")
    four = corner(ctx, vertex)
    if ctx.refusals:
        return None
    scatter = int(ctx.table("limits").get(f"scatter_{kind}", "value"))
    ctx.step(rule, f"ordnance.{kind}", value=scatter, cells=list(four), where=hexes(*four))
    return Ordnance(four, scatter)


@GAME.question(
    "fade",
    rules=("3.3.6",),
    label="Que devient ce fumigène ?",
    theme="Vue et tir",
)
def fade(ctx: Context, cell: Cell) -> str:
    """What becomes of the smoke over a square at the end of the Reserve phase.

    Args:
        cell: a square.

    Returns:
        weak for a fresh face, which is turned over; removed for a weak one; none when there was none.

    **Rule:** 3.3.6.

    >>> GAME.load().rules["fade"](GAME.position("materiel"), cell="G5").value
    'weak'
    """
    grid_of(ctx.position).check(cell)
    face = mark(ctx.position, "smoke", cell)
    after = "none" if face is None else "removed" if face == "weak" else "weak"
    ctx.step("3.3.6", f"fade.{after}", value=after, cell=cell, where=hexes(cell))
    return after


@GAME.question(
    "special_orders",
    rules=("3.3.3",),
    label="Combien d’ordres spéciaux ?",
    theme="Mouvement, ordres et cartes",
)
def special_orders(
    ctx: Context, own: Annotated[int, "Ordres spéciaux déjà à vous"], plans: Annotated[int, "Plans de bataille"]
) -> int | None:
    """Special orders of a side with its battle plans.

    Args:
        own: those it has already.
        plans: battle plans recruited, one special order each.

    Returns:
        How many; None, refused, beyond the most that one may own.

    **Rule:** 3.3.3.

    >>> GAME.load().rules["special_orders"](GAME.position("materiel"), own=1, plans=1).value
    2
    """
    if min(own, plans) < 0:
        raise RequestError("Un compte ne descend pas sous 0.", remedy="Donnez des nombres positifs.")
    most = int(ctx.table("limits").get("special_orders", "value"))
    total = own + plans * int(ctx.table("limits").get("battle_plan", "value"))
    if total > most:
        ctx.refuse("3.3.3", "special_orders.too_many", count=total, most=most)
        return None
    ctx.step("3.3.3", "special_orders.total", value=total, own=own, plans=plans)
    return total
