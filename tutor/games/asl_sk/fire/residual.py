"""Residual firepower: how much an attack leaves in a hex.

**Rule:** 3.3.5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.trace import hexes
from tutor.games.asl_sk.fire.drm import Term
from tutor.games.asl_sk.game import GAME

#: Values of the residual firepower counters, which are IFT columns too.
COUNTERS = (1, 2, 4, 6, 8, 12)


def external(terms: Iterable[Term], inside: int = 0) -> int:
    """Positive modifiers that come from outside the target's hex: leadership, CX, hindrance.

    Args:
        terms: modifiers of the attack.
        inside: share of the hindrance that lies in the target's hex, its smoke.
    """
    value_of = {t.name: t.value for t in terms}
    values = (value_of.get("leadership", 0), value_of.get("cx", 0), value_of.get("hindrance", 0) - inside)
    return sum(max(0, value) for value in values)


def residual_of(ctx: Context, column: int, outside: int, target: str | None = None) -> int:
    """Residual firepower of an attack: half the column used, at most 12, one column less for each outside modifier."""
    where = hexes(target) if target else ()
    most = int(ctx.table("limits").peek("residual", "most"))
    half = min(most, column // 2)
    ctx.step("3.3.5", "residual.half", value=half, unit="FP", where=where, column=column, most=most)
    counter = ctx.setting("residual") == "counter"
    value = max((c for c in COUNTERS if c <= half), default=0) if counter else half
    if value != half:
        ctx.step("3.3.5", "residual.snapped", value=value, where=where, note="interprétation")
    elif half not in (0, *COUNTERS):
        ctx.step("3.3.5", "residual.kept", value=value, where=where, note="interprétation")
    if outside and value and ctx.on("3.3.5"):
        place = max((i for i, c in enumerate(COUNTERS) if c <= value), default=-1) - outside
        value = COUNTERS[place] if place >= 0 else 0
        ctx.step("3.3.5", "residual.reduced", value=value, where=where, outside=outside)
    ctx.step("3.3.5", "residual.left" if value else "residual.none", value=value, unit="FP", where=where)
    return value


@GAME.question(
    "residual",
    rules=("3.3.5",),
    label="Quelle FP résiduelle reste ?",
    theme="Mouvement et tir défensif",
)
def residual(
    ctx: Context, column: Annotated[int, "Colonne"], outside: Annotated[int, "Gêne et modificateurs"] = 0
) -> int:
    """Residual firepower that an attack leaves.

    Args:
        column: IFT column of the attack, after cowering.
        outside: sum of the positive modifiers of outside origin.

    Returns:
        Value of the counter, 0 when there is none.

    **Rule:** 3.3.5.

    >>> from tutor.games.asl_sk import GAME
    >>> rule = GAME.load().rules["residual"]
    >>> [rule(GAME.position("ecole"), column=c, outside=o).value for c, o in ((8, 0), (12, 1), (6, 0), (36, 0))]
    [4, 4, 2, 12]
    """
    if column < 0 or outside < 0:
        raise RequestError("La colonne et les DRM sont des nombres positifs.", remedy="column ≥ 0, outside ≥ 0.")
    return residual_of(ctx, column, outside)
