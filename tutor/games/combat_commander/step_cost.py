"""What each hex costs to enter, and what may not be entered by anyone.

**Rule:** T78.2, O21.1, T79, T80.1, T80.2, T83, T84, T87, T88.1, T92, T93, T96, T97, T98, F105.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tutor.core.arguments import End, Start
from tutor.core.context import Context
from tutor.core.grid import HexGrid
from tutor.core.phrases import signed
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.fire.op_fire import trench_link
from tutor.games.combat_commander.game import GAME

#: Steps that give what a hex costs.
PAID = ("move.cost", "move.trench")
#: The rule of each bridge.
BRIDGES = {"major_bridge": "T80.1", "minor_bridge": "T80.2"}


@GAME.question(
    "step_cost",
    rules=(
        *("T78.2", "O21.1", "T79", "T80.1", "T80.2", "T81", "T83", "T84", "T85", "T88.1", "T89", "T90"),
        *("T91", "T92", "T93", "T95", "T96", "T98", "F105", "F105.2"),
    ),
    label="Que coûte ce pas ?",
    theme="Mouvement",
)
def step_cost(ctx: Context, start: Start, end: End) -> int:
    """Movement points to enter a hex from an adjacent one.

    Args:
        start: hex left.
        end: hex entered.

    Returns:
        The cost; refused when nothing may enter that way.

    Raises:
        UnknownHex: not on the board. UnknownValue: a cost the booklet does not give.

    **Rule:** T78.2, O21.1, O21.4, T79-T85, T87, T88.1, T89-T93, T95-T98, F105.2.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "plateau-livret"), "step_cost", start="L8", end="K8").value
    2
    """
    return cost_of(ctx, start, end)


def cost_of(ctx: Context, start: str, end: str, *, further: bool = False) -> int:
    """Movement points of a step; see :func:`step_cost`.

    Args:
        ctx: computation.
        start, end: hexes.
        further: what costs too much is one more reason: a cost is worked out behind a cliff too.
    """
    grid = ctx.position.grid
    grid.check(start)
    grid.check(end)
    if grid.distance(start, end) != 1:
        ctx.refuse("O21.1", "move.refuse.not_adjacent", where=hexes(start, end), start=start, end=end)
        return 0
    side = ctx.position.canonical_side(f"{start}/{end}")
    on_side = ctx.position.sides_of.get(side)
    way = _way(ctx, start, end)
    closed = barriers(ctx, start, end)
    for rule, code, where, operands in closed:
        ctx.refuse(rule, code, where=where, **operands)
    if any(rule != "T83" for rule, *_ in closed) or (ctx.settled and not further):
        return 0  # no cost is printed; behind a cliff the hex still has its own
    if not closed and trench_link(ctx, start, end) and ctx.on("F105.2"):
        with ctx.group("F105.2", "move.trench", where=hexes(start, end), start=start, end=end) as step:
            step.value, step.unit = int(ctx.table("limits").get("trench_link", "move", hexes(start, end))), "PM"
        return int(step.value)
    parts: list[int] = []
    with ctx.group("T78.2", "move.cost", where=hexes(end), start=start, end=end, amounts=parts) as step:
        if way is not None:
            _onto_bridge(ctx, end, way)
            parts.append(int(ctx.table("ways").get(way, "move", hexes(end))))
        else:
            parts.append(int(ctx.table("terrain").get(_paid(ctx, end), "move", hexes(end))))
        if ctx.position.level_of.get(end, 0) > ctx.position.level_of.get(start, 0) and ctx.on("T88.1"):
            parts.append(int(ctx.table("limits").get("uphill", "extra", hexes(end))))
        crossing = ctx.table("sides").peek(on_side, "cross") if on_side is not None else None
        if on_side is not None and crossing and ctx.on(str(ctx.game.tables["sides"].rows[on_side]["rule"])):
            parts.append(int(ctx.table("sides").get(on_side, "cross", (Place("side", side),))))
        step.value, step.unit = sum(parts), "PM"
    return sum(parts)


def trace_prices(ctx: Context, cells: Sequence[str]) -> None:
    """Say once what each hex of a path cost, with what made it so. **Rule:** O21.1, T78.2.

    Args:
        ctx: computation, whose trace holds the cost of each.
        cells: hexes entered, in order.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "mouvement-route")
    >>> *_, said = ask(place, "move", pieces=["fusiliers"], path=["B2", "C2"]).trace.walk()
    >>> said.value
    ['B2 +1 (Terrain Dégagé)', 'C2 +2 (Bois)']
    """
    if len(cells) < 2 or not ctx.tracing:
        return
    paid = [step for step in ctx.root.walk() if step.code in PAID]
    prices = []
    for cell, step in zip(cells, paid[len(paid) - len(cells) :], strict=True):
        read = [
            (one.code.split(".")[1], str(one.operands["row"].value)) for one in step.children if one.kind == "table"
        ]
        terms = [str(ctx.game.tables[table].rows[row]["term"]) for table, row in read]
        prices.append(f"{cell} {signed(step.value)} ({', '.join(terms)})")
    ctx.step("O21.1", "move.prices", value=prices, where=hexes(*cells))


def last_parts(ctx: Context, amount: int) -> list[int]:
    """What the Movement that was worked out last is made of; none where that of another was. **Rule:** O21.1.

    Args:
        ctx: computation, whose trace holds it; amount: Movement of those who walk.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "mouvement-route")
    >>> walked = ask(place, "move", pieces=["fusiliers"], path=["B3", "C3"]).trace
    >>> walked.children[-1].operands["parts"].value
    [4, 1]
    """
    totals = [step for step in ctx.root.walk() if step.code == "value.total" and step.value == amount]
    return list(totals[-1].operands["amounts"].value) if totals else []


def _onto_bridge(ctx: Context, cell: str, way: str) -> None:
    """Say that a bridge is entered along its road or railway. **Rule:** T80.1, T80.2."""
    terrain = ctx.position.terrain_of.get(cell, "open")
    if terrain in BRIDGES and way in ("road", "rail"):
        ctx.step(BRIDGES[terrain], "move.bridge_along", value=True, where=hexes(cell), cell=cell, kind=terrain, way=way)


def _paid(ctx: Context, cell: str) -> str:
    """Terrain that a mover pays for: beside the road of a minor bridge, the other terrain of its hex.

    **Rule:** T78.2, T80.2.
    """
    terrain = ctx.position.terrain_of.get(cell, "open")
    beneath = ctx.position.state.get("beneath")
    other = beneath.get(cell) if terrain == "minor_bridge" and isinstance(beneath, dict) else None
    if other is None:
        if terrain == "minor_bridge":
            ctx.step("T80.2", "move.beneath_untold", "input", where=hexes(cell), cell=cell)
        return terrain
    ctx.step("T80.2", "move.beneath", value=str(other), where=hexes(cell), cell=cell)
    return str(other)


def _way(ctx: Context, start: str, end: str) -> str | None:
    """Road, railway or trail of the hex entered that reaches the side crossed. **Rule:** T80.2, T92, T93, T96."""
    for way, rule in (("road", "T93"), ("rail", "T92"), ("trail", "T96")):
        if _reaches(ctx, way, end, start) and ctx.on(rule):
            return way
    on_minor = ctx.position.terrain_of.get(end) == "minor_bridge"
    return "road" if on_minor and not ctx.on("T80.2") else None


def _reaches(ctx: Context, way: str, cell: str, other: str) -> bool:
    """Whether a road, railway or trail of a hex reaches its side with an adjacent one."""
    grid = ctx.position.grid
    return isinstance(grid, HexGrid) and grid.direction(cell, other) in ctx.position.ways.get(way, {}).get(cell, [])


def barriers(ctx: Context, start: str, end: str) -> list[tuple[str, str, tuple[Place, ...], dict[str, Any]]]:
    """What forbids going from a hex to an adjacent one, whoever goes: rule, code, places, operands.

    Args:
        start: hex left.
        end: hex entered.

    **Rule:** T79, T80.1, T83, T98.
    """
    position, reasons = ctx.position, []
    terrain = position.terrain_of.get(end, "open")
    side = position.canonical_side(f"{start}/{end}")
    on_side = position.sides_of.get(side)
    place, between = (Place("side", side),), {"start": start, "end": end}
    if position.marker("blaze", end):
        reasons.append(("T79", "move.refuse.blaze", hexes(end), {"cell": end}))
    if ctx.table("terrain").peek(terrain, "impassable", False):
        rule = str(ctx.game.tables["terrain"].rows[terrain].get("rule", "T78"))
        reasons.append((rule, "move.refuse.impassable", hexes(end), {"cell": end, "terrain": terrain}))
    if on_side is not None and ctx.table("sides").peek(on_side, "impassable", False):
        reasons.append(("T83", "move.refuse.cliff", place, between))
    bridges = [(a, b) for a, b in ((start, end), (end, start)) if position.terrain_of.get(a) == "major_bridge"]
    if not all(_reaches(ctx, "road", a, b) or _reaches(ctx, "rail", a, b) for a, b in bridges):
        reasons.append(("T80.1", "move.refuse.bridge", place, between))
    return reasons
