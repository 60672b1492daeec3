"""Cover of a hex against an attack: terrain, fortification or the side the shot crosses; the owner chooses one.

**Rule:** T78.3, T79, T80, T81, T82, T85-T87, T89-T91, T93, T95, T97-T99, F101, F102, F103.2, F104, F105.1, 11.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from tutor.core.arguments import Cell, Cells
from tutor.core.context import Context
from tutor.core.errors import RequestError
from tutor.core.geometry import polygon_spans
from tutor.core.grid import HexGrid
from tutor.core.trace import Place, hexes
from tutor.games.combat_commander.arguments import CoverChoice, Danger
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.ground import is_impassable

Against = Literal["nothing", "fire", "mortar", "radio", "flame", "mines"]
AGAINST: tuple[Against, ...] = ("nothing", "fire", "mortar", "radio", "flame", "mines")


@dataclass(frozen=True, slots=True)
class Cover:
    """Cover of a hex.

    Args:
        value: what is added to Morale.
        source: terrain, fortification or side, whichever was chosen.
        options: (source, value) the owner could choose from, before the road.
    """

    value: int
    source: str
    options: tuple[tuple[str, int], ...]


#: Steps that give a cover.
GIVES = (
    *("table.terrain.cover", "table.fortifications.cover", "table.fortifications.indirect_cover"),
    "cover.side",
)


@GAME.question(
    "cover",
    rules=(
        *("T78.3", "T80", "T81", "T82", "T85", "T86", "T87", "T89", "T90", "T91", "T93", "T95", "T97", "T99"),
        *("F100", "F101", "F102", "F104", "F105.1", "11.6"),
    ),
    label="Quel couvert donne cet hex ?",
    theme="Vue et tir",
    common=True,
    quiet=True,
)
def cover(
    ctx: Context,
    cell: Cell,
    against: Danger = "nothing",
    firing_from: Annotated[Cells, "D’où l’on tire"] = (),
    choose: CoverChoice | None = None,
) -> Cover:
    """Cover that a hex gives.

    Args:
        cell: the hex.
        against: nothing (rally, rout…), fire, mortar, radio, flame (flamethrower, Molotov) or mines.
        firing_from: hexes the shot comes from, for walls and hedges; given, ``nothing`` means fire.
        choose: terrain, fortification or side, when the owner does not want the highest.

    Returns:
        The cover; refused in a hex where no unit may be.

    Raises:
        UnknownHex: not on the board. RequestError: a choice that is not there, an unknown kind of attack.

    **Rule:** T78.3, T79, T80-T82, T85-T87, T89-T91, T93, T95, T97-T99, F101, F102, F103.2, F104, F105.1, 11.6.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "plateau-livret"), "cover", cell="M5").value.value
    1
    """
    ctx.position.grid.check(cell)
    if against not in AGAINST:
        raise RequestError(
            f"« {against} » n’est pas une sorte d’attaque.", remedy=f"Choisissez parmi {', '.join(AGAINST)}."
        )
    if is_impassable(ctx, cell):
        _refuse_impassable(ctx, cell)
        return Cover(0, "none", ())
    if against == "nothing" and firing_from:
        against = "fire"
    if against in ("flame", "mines"):
        rule = "11.6" if against == "flame" else "F103.2"
        ctx.step(rule, f"cover.none_{against}", value=0, where=hexes(cell), cell=cell)
        return Cover(0, "none", ())
    indirect = against in ("mortar", "radio")
    options = [("terrain", _terrain(ctx, cell))]
    fortification = _fortification(ctx, cell, indirect)
    if fortification is not None:
        options.append(("fortification", fortification))
    if against != "nothing":
        side = _side(ctx, cell, tuple(firing_from), indirect)
        if side is not None:
            options.append(("side", side))
    source, value = _chosen(ctx, cell, options, choose)
    return Cover(_by_road(ctx, cell, value), source, tuple(options))


def sources_of(ctx: Context, cell: str, value: int) -> tuple[str, list[str]]:
    """Code of the step that adds a cover to a Morale, and what the trace says that this cover comes from.

    Args:
        ctx: computation, which has worked the cover out.
        cell: the hex.
        value: its cover; of one of 0, and where nothing alone gives it, nothing is named.

    **Rule:** T78.3, T93.

    >>> from tutor import ask, load_position
    >>> place = load_position("combat_commander", "fortifications").change({"piece.milice.at": "B2"})
    >>> *_, said = ask(place, "morale", piece="milice", against="mortar").trace.walk()
    >>> said.code, said.operands["sources"].value
    ('value.cover_indirect', ['bunker'])
    """
    here = [step for step in ctx.root.walk() if any(cell in place.ref.split("/") for place in step.where)]
    road = [step for step in here if step.code == "table.ways.cover"][-1:]
    base = value - sum(int(step.value) for step in road)
    given = next((step for step in here if step.code in GIVES and step.value == base), None)
    if not value or given is None:
        return "value.cover", []
    names = [str(given.operands["kind" if given.code == "cover.side" else "row"].value)]
    indirect = given.code == "table.fortifications.indirect_cover"
    return "value.cover_indirect" if indirect else "value.cover_of", names + ["road"] * len(road)


def _refuse_impassable(ctx: Context, cell: str) -> None:
    """« Impassable » stands for the cover of a blaze and of a water barrier. **Rule:** T79, T98."""
    table, kind = (
        ("markers", "blaze") if ctx.position.marker("blaze", cell) else ("terrain", ctx.position.terrain_of[cell])
    )
    rule = str(ctx.game.tables[table].rows[kind]["rule"])
    ctx.refuse(rule, "cover.refuse.impassable", where=hexes(cell), cell=cell, kind=kind)


def _terrain(ctx: Context, cell: str) -> int:
    """Cover of the terrain nearest the top of the chart: over a stream, that of the bridge. **Rule:** T78.1."""
    beneath = ctx.position.state.get("beneath")
    if isinstance(beneath, dict) and cell in beneath and ctx.position.terrain_of.get(cell) == "minor_bridge":
        ctx.step("T78.1", "cover.upper", where=hexes(cell), cell=cell, kind="minor_bridge", under=beneath[cell])
    return int(ctx.table("terrain").get(ctx.position.terrain_of.get(cell, "open"), "cover", hexes(cell)))


def _fortification(ctx: Context, cell: str, indirect: bool) -> int | None:
    kind = ctx.position.marker("fortification", cell)
    column = "indirect_cover" if indirect else "cover"
    if kind is None or ctx.table("fortifications").peek(str(kind), column) is None:
        return None
    return int(ctx.table("fortifications").get(str(kind), column, hexes(cell)))


def _by_road(ctx: Context, cell: str, value: int) -> int:
    """Cover once a road of the hex has taken its share. **Rule:** T93."""
    if cell not in ctx.position.ways.get("road", {}) or not ctx.on("T93"):
        return value
    less = int(ctx.table("ways").get("road", "cover", hexes(cell)))
    ctx.step("T93", "cover.by_road", value=value + less, where=hexes(cell), cell=cell, amounts=[value, less])
    return value + less


def _chosen(ctx: Context, cell: str, options: list[tuple[str, int]], choose: str | None) -> tuple[str, int]:
    if not ctx.on("T78.3") and len(options) > 1:
        value = sum(v for _, v in options)
        ctx.step("T78.3", "cover.added", value=value, where=hexes(cell), values=[v for _, v in options])
        return "+".join(name for name, _ in options), value
    if choose is not None:
        amount = dict(options).get(choose)
        if amount is None:
            raise RequestError(
                f"Pas de couverture « {choose} » ici.", remedy=f"Choisissez parmi {', '.join(n for n, _ in options)}."
            )
        return _own_choice(ctx, cell, options, choose, amount)
    best = max(options, key=lambda option: option[1])
    if len(options) > 1:
        ctx.step(
            "T78.3",
            "cover.highest",
            "choice",
            value=best[1],
            where=hexes(cell),
            source=best[0],
            values=[v for _, v in options],
        )
    return best


def _own_choice(ctx: Context, cell: str, options: list[tuple[str, int]], choose: str, amount: int) -> tuple[str, int]:
    """The cover that the owner chooses; a lower one than the best, only by the reading ``cover_choice``.

    **Rule:** T78.3.
    """
    best = max(options, key=lambda option: option[1])
    note = "interprétation" if amount < best[1] else None
    if note and ctx.setting("cover_choice") == "best":
        terms = {"source": choose, "value": amount, "best": best[0], "most": best[1]}
        ctx.refuse("T78.3", "cover.refuse.not_best", where=hexes(cell), note=note, **terms)
        return best
    ctx.step("T78.3", "cover.chosen", "choice", value=amount, where=hexes(cell), note=note, source=choose)
    return choose, amount


def _side(ctx: Context, cell: str, firing_from: tuple[str, ...], indirect: bool) -> int | None:
    """Cover of the wall or hedge that the shots cross on entering the hex, if the settings let it count."""
    sides = ctx.position.sides_of
    own = {s: k for s, k in sides.items() if cell in s.split("/") and ctx.table("sides").peek(k, "cover", 0)}
    if not own:
        return None
    crossed: list[tuple[int, str, str] | None] = []
    cornered = False
    for start in dict.fromkeys(firing_from):
        if start == cell:
            continue
        best: tuple[int, str, str] | None = None
        entered = entry_sides(ctx, start, cell)
        kinds = {sides.get(side) for side in entered} & {"wall", "hedge"}
        if len(entered) > 1 and kinds:
            counts = ctx.setting("cover_vertex") == "counts"
            code, rule = "cover.corner" if counts else "cover.past_corner", "T97" if "wall" in kinds else "T87"
            ctx.step(rule, code, value=counts, where=hexes(cell), note="interprétation", start=start, cell=cell)
            entered, cornered = entered if counts else (), True
        for side in entered:
            kind = sides.get(side)
            value = int(ctx.table("sides").peek(kind, "cover", 0)) if kind else 0
            if kind and value and not ctx.on("T97" if kind == "wall" else "T87"):
                value = 0
            if kind and value and (best is None or value > best[0]):
                best = (value, kind, side)
        crossed.append(best)
    protecting = [item for item in crossed if item is not None]
    if not protecting:
        if crossed and not cornered:
            _trace_elsewhere(ctx, own)
        return None
    every = ctx.setting("cover_group") == "all"
    value, kind, side = min(protecting) if every else max(protecting)
    rule = "T97" if kind == "wall" else "T87"
    place = (Place("side", side),)
    if indirect:
        ctx.step(rule, "cover.side_indirect", value=0, where=place, kind=kind, side=side)
        return None
    if len(protecting) < len(crossed) and every:
        ctx.step(rule, "cover.side_not_all", value=0, where=place, note="interprétation", kind=kind, side=side)
        return None
    note = "interprétation" if len({item and item[0] for item in crossed}) > 1 else None
    for other in {item for item in protecting if item[1] != kind}:
        article = "T97" if other[1] == "wall" else "T87"
        ctx.step(article, "cover.side_other", value=other[0], where=(Place("side", other[2]),), kind=other[1],
                 side=other[2])  # fmt: skip
    ctx.step(rule, "cover.side", value=value, where=place, note=note, kind=kind, side=side)
    return value


def _trace_elsewhere(ctx: Context, sides: Mapping[str, str]) -> None:
    """Walls and hedges of the hex that the shots do not cross: no cover. **Rule:** T87, T97."""
    for kind, rule in (("wall", "T97"), ("hedge", "T87")):
        there = [side for side, own in sides.items() if own == kind]
        if there and ctx.on(rule):
            where = tuple(Place("side", side) for side in there)
            ctx.step(rule, "cover.side_elsewhere", value=0, where=where, kind=kind, sides=there)


def entry_sides(ctx: Context, start: str, cell: str) -> tuple[str, ...]:
    """Sides through which the straight line from another hex enters a hex: one, or the two that meet at a vertex.

    **Rule:** T87, T97.
    """
    grid = ctx.position.grid
    if not isinstance(grid, HexGrid):
        return ()
    p, q = grid.centre(start), grid.centre(cell)
    t = polygon_spans(p, q, grid.polygon(cell))[0][0]
    x, y = p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t
    entered = []
    for d in range(1, 7):
        side = grid.side(cell, d)
        (ax, ay), (bx, by) = grid.side_points(side)
        on_line = (bx - ax) * (y - ay) == (by - ay) * (x - ax)
        if on_line and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            entered.append(side)
    return tuple(entered)
