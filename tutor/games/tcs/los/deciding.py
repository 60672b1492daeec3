"""What a line of sight hangs on: the rules whose omission would turn it round, each said in one step.

**Rule:** 7.0, 8.1b-8.1i, 8.2b, 8.2c, 8.3b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tutor.core.context import Context
from tutor.core.trace import hexes, segment
from tutor.games.tcs.board import Board
from tutor.games.tcs.los.lines import LineOfSight

#: Rule -> its sentence, and what must be on the board for it to turn a line round; 8.3b is said of every line.
_STANDS: dict[str, tuple[str, Callable[[Board, str, str], bool]]] = {
    "7.0": ("los.hangs_on_7_0", lambda on, start, end: bool(on.visibility or on.lit)),
    "8.1b": ("los.hangs_on_8_1b", lambda on, start, end: bool(on.smoke)),
    "8.1c": ("los.hangs_on_8_1c", lambda on, start, end: bool(on.features.get(start) or on.features.get(end))),
    "8.1h": ("los.hangs_on_8_1h", lambda on, start, end: bool(on.features or on.hedges)),
    "8.1i": ("los.hangs_on_8_1i", lambda on, start, end: bool(on.position.markers.get("summit"))),
    "8.2b": ("los.hangs_on_8_2b", lambda on, start, end: bool(on.position.markers.get("between"))),
    "8.2c": ("los.hangs_on_8_2c", lambda on, start, end: bool(on.position.markers.get("basin"))),
}


def deciding(
    ctx: Context, compiled: Board, seen: LineOfSight, start: str, end: str, look: Callable[[Context], LineOfSight]
) -> Iterator[str]:
    """Rules without which the line of sight would be the other way.

    Args:
        look: the line of sight in another context.
    """
    for rule, (_, stands) in _STANDS.items():
        if rule not in ctx.without and stands(compiled, start, end):
            other = Context(ctx.game, ctx.position, without=ctx.without | {rule}, trace=False)
            if look(other).visible != seen.visible:
                yield rule


def trace_deciding(
    ctx: Context, compiled: Board, seen: LineOfSight, start: str, end: str, look: Callable[[Context], LineOfSight]
) -> None:
    """Add a step for each rule that the line hangs on and that no step cites yet."""
    if not ctx.tracing:
        return
    cited = set(ctx.root.rules())
    for rule in deciding(ctx, compiled, seen, start, end, look):
        if rule not in cited:
            ctx.step(rule, _STANDS[rule][0], where=hexes(start, end), start=start, end=end, value=seen.visible)


def trace_seen(
    ctx: Context, compiled: Board, seen: LineOfSight, start: str, end: str, look: Callable[[Context], LineOfSight]
) -> None:
    """Say once, in the trace of another question, what a line of sight comes to, and what it hangs on."""
    where = [segment(start, end)]
    codes = ("los.open_to", "los.closed_to")
    if not ctx.tracing or any(s.code in codes and list(s.where)[:1] == where for s in ctx.root.walk()):
        return
    rule = "8.3b" if seen.visible else str(seen.rule)
    ctx.step(
        rule, codes[not seen.visible], value=seen.visible, where=[*where, *([seen.place] if seen.place else [])],
        start=start, end=end,
    )  # fmt: skip
    trace_deciding(ctx, compiled, seen, start, end, look)
