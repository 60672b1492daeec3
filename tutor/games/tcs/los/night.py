"""Night and the shells that light it: which hexes are lit, and how far a line of sight may go.

**Rule:** 7.0, 26.1c, 26.2.
"""

from __future__ import annotations

from tutor.core.context import Context
from tutor.core.trace import hexes
from tutor.games.tcs.board import Board


def is_night(ctx: Context) -> bool:
    """Whether the turn is a night turn."""
    return ctx.position.state.get("night") is True


def sight_limit(ctx: Context, compiled: Board, start: str, end: str) -> tuple[int, str]:
    """How far a line of sight between two hexes may go, 0 without limit, and the rule that says so.

    From a lit hex every lit hex is seen, and dark ones next to it; from the dark, a lit one as by day (setting
    ``illum``).

    **Rule:** 7.0, 26.1c, 26.2b, 26.2d.
    """
    if start in compiled.lit:
        return (0, "26.2d") if end in compiled.lit else (1, "26.2d")
    if end in compiled.lit and ctx.setting("illum") == "day":
        return 0, "26.2b"
    return compiled.visibility, "7.0"


def trace_night(ctx: Context, compiled: Board, start: str, end: str) -> None:
    """Add the steps that say what the lights do to a line of sight; none between neighbours, nor in the dark."""
    if compiled.grid.distance(start, end) < 2:
        return
    lights = [cell for cell in (start, end) if cell in compiled.lit]
    for cell in lights:
        ctx.step("26.2b", "los.lit", where=hexes(cell), cell=cell)
    if start in lights:
        code = "los.light_to_light" if end in lights else "los.light_to_dark"
        ctx.step("26.2d", code, value=end in lights, where=hexes(end), cell=end)
    elif lights:
        code = "los.dark_to_light" if ctx.setting("illum") == "day" else "los.dark_blind"
        ctx.step("26.2b", code, where=hexes(end), note="interprétation", cell=end)


def fire_row(compiled: Board, target: str) -> tuple[str, str]:
    """Row of the Fire Table's modifiers that night gives a target, and the rule that asks for it.

    **Rule:** 26.1f, 26.2b.
    """
    return ("illum", "26.2b") if target in compiled.lit else ("night", "26.1f")
