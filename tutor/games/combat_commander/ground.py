"""What the ground of a hex forbids, whatever is done there. **Rule:** T79, T89, T95, T98, F100.3."""

from __future__ import annotations

from tutor.core.context import Context


def is_aquatic(ctx: Context, cell: str) -> bool:
    """Whether a hex is aquatic terrain: no smoke, blaze or fortification there. **Rule:** T89, T95, T98, F100.3."""
    return bool(ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "aquatic", False))


def is_impassable(ctx: Context, cell: str) -> bool:
    """Whether no unit may be in a hex: water barrier or blaze. **Rule:** T79, T98."""
    impassable = ctx.table("terrain").peek(ctx.position.terrain_of.get(cell, "open"), "impassable", False)
    return bool(impassable) or ctx.position.marker("blaze", cell) is not None
