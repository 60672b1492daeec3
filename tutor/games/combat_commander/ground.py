"""What the ground of a hex forbids, whatever is done there; the smoke that stays in it.

**Rule:** 8.1.4, 8.1.5, T79, T89, T94, T95, T98, F100.3.
"""

from __future__ import annotations

from collections.abc import Iterable

from tutor.core.context import Context, reader
from tutor.core.errors import RequestError
from tutor.core.trace import hexes


def is_aquatic(ctx: Context, cell: str) -> bool:
    """Whether a hex is aquatic terrain: no smoke, blaze or fortification there. **Rule:** T89, T95, T98, F100.3."""
    return bool(ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "aquatic", False))


def is_impassable(ctx: Context, cell: str) -> bool:
    """Whether no unit may be in a hex: water barrier or blaze. **Rule:** T79, T98."""
    impassable = ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "impassable", False)
    return bool(impassable) or ctx.position.marker("blaze", cell) is not None


def say_no_smoke(ctx: Context, closed: Iterable[str], n: int) -> None:
    """Say where no smoke may lie, by the rule of its water or of its blaze. **Rule:** 8.1.5, T89, T95, T98.

    Args:
        ctx: computation.
        closed: hexes of the impact zone where none may lie.
        n: hexes of the zone on the map.

    >>> from tutor import ask, load_position
    >>> place, rolls = load_position("combat_commander", "artillerie"), {"accurate": [6, 5], "drift": [4, 4]}
    >>> result = ask(place, "barrage", observer="ganz", cell="G3", smoke=True, **rolls)
    >>> [(step.rule, step.value) for step in result.trace.walk() if "no_smoke" in step.code]
    [('T98', ['G5'])]
    """
    by_rule: dict[str, list[str]] = {}
    for cell in closed:
        row = ctx.game.tables["terrain"].rows[ctx.position.terrain_of.get(cell, "open")]
        by_rule.setdefault(str(row["rule"]) if is_aquatic(ctx, cell) else "8.1.5", []).append(cell)
    for rule, cells in by_rule.items():
        code = "artillery.no_smoke_blaze" if rule == "8.1.5" else "artillery.no_smoke_water"
        ctx.step(rule, code, value=cells, where=hexes(*cells), note="interprétation", n=n)


def smoke_drawn(ctx: Context, drawn: int) -> int:
    """The number of a smoke marker, checked. **Rule:** T94.

    Raises:
        RequestError: no such marker.
    """
    bounds = ctx.table("markers")
    least, most = int(bounds.peek("smoke", "least")), int(bounds.peek("smoke", "most"))
    if not least <= drawn <= most:
        raise RequestError(f"Un Fumigène de {drawn} n’existe pas.", remedy=f"De {least} à {most}.")
    return drawn


def smoke_left(ctx: Context, cell: str, drawn: int) -> int:
    """The smoke that stays in a hex once a marker is placed there: the higher of two. **Rule:** 8.1.4."""
    was = ctx.position.marker("smoke", cell)
    old = was if isinstance(was, int) and not isinstance(was, bool) else 0
    stays = max(old, drawn) if ctx.on("8.1.4") else old + drawn
    code = "smoke.highest" if old else "smoke.first"
    ctx.step("8.1.4", code, value=stays, where=hexes(cell), cell=cell, new=reader(drawn), old=old)
    return stays
