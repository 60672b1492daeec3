"""Movement, step by step: whether the units can pay, what is forbidden, mines and Op Fires met; weapons handed over.

**Rule:** O21.1, O21.1.1, O21.2, O21.4, 7.2.1, 8.1.1, T93, F103.1, F106.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from tutor.core.arguments import Path, PieceId, Pieces
from tutor.core.context import Context, Refused, reader
from tutor.core.dice import roll as dice_of
from tutor.core.errors import RequestError
from tutor.core.grid import split_cell
from tutor.core.marks import Asked, Drawn, Mark, Note, way
from tutor.core.position import Piece
from tutor.core.trace import hexes
from tutor.games.combat_commander.activation import is_hero
from tutor.games.combat_commander.arguments import MinesMet, MinesRoll, OpFireShots
from tutor.games.combat_commander.edges import crosses, enemy_edge
from tutor.games.combat_commander.fire.attack import Attack, Defence, known_defenders, known_names, prepare, resolve
from tutor.games.combat_commander.fire.consequences import consequences
from tutor.games.combat_commander.fire.op_fire import activated, opportunity
from tutor.games.combat_commander.game import GAME
from tutor.games.combat_commander.mines import Mined, crossing, never_met, trace_number
from tutor.games.combat_commander.step_cost import cost_of, last_parts, trace_prices
from tutor.games.combat_commander.units import carrier, cell_of, is_single_use, is_unit, places, weapons_of
from tutor.games.combat_commander.values import effective


@dataclass(frozen=True, slots=True)
class Entry:
    """One hex entered.

    Args:
        cell: the hex.
        cost: movement points for it.
        spent: since the start of the order.
        allowance: effective Movement in the hex left.
    """

    cell: str
    cost: int
    spent: int
    allowance: int


@dataclass(frozen=True, slots=True)
class Movement(Drawn):
    """A path walked as far as it goes.

    Args:
        entries: hexes entered, in order.
        cell: where it ends.
        spent: movement points spent.
        allowance: effective Movement where it ends.
        left: movement points still there to spend.
        shots: Op Fires met, in order.
        mines: attacks of mines met, in order, pending when their roll is not given.
    """

    entries: tuple[Entry, ...]
    cell: str
    spent: int
    allowance: int
    left: int
    shots: tuple[Attack, ...]
    mines: tuple[Mined, ...] = ()

    def drawing(self, asked: Asked) -> tuple[Mark, ...]:
        """The way; beside it, what each step costs and what is spent by then; a cross where it stops."""
        entries, grid = [one for one in self.entries if one.cell in asked.position.grid], asked.position.grid
        if not self.entries:
            return ()
        start, path = asked.position.hex_of(asked.given["pieces"][0]), asked.given.get("path", ())
        marks: list[Mark] = [way((start or "", *(one.cell for one in entries)))]
        marks += [Note(one.cell, f"+{one.cost} → {one.spent}") for one in entries]
        stop = path[len(self.entries)] if not asked.computed and len(self.entries) < len(path) else None
        return (*marks, *([Note(stop, "✕", "blocked")] if stop is not None and stop in grid else []))


@GAME.question(
    "move",
    rules=("O21", "O21.1", "O21.2", "O21.3", "O21.4", "O21.5", "O21.6", "F106.2"),
    label="Ce mouvement est-il permis, et que coûte-t-il ?",
    theme="Mouvement",
    common=True,
    halfway=True,
)
def move(
    ctx: Context,
    pieces: Pieces,
    path: Path,
    spent: Annotated[int, "Points déjà dépensés"] = 0,
    on_road: Annotated[bool | None, "Part sur la route"] = None,
    shots: OpFireShots = (),
    mines: MinesMet = (),
) -> Movement:
    """Walk a path, hex by hex, with the mines and the Op Fires it meets.

    Args:
        pieces: ids of the units that move together.
        path: hexes to enter, in order, the hex they stand in left out; ``exit`` last, to leave by the enemy's edge.
        spent: movement points already spent in this order.
        on_road: they have entered a road hex already (None: they have when points are spent and they stand on one; on
            wire, points spent are points lost).
        shots: Op Fires: ``at`` (hex just entered), ``firers``, ``actions``, ``also``, ``roll``, ``defence``… as for
            ``attack``.
        mines: rolls of the mines met, in order: ``at`` (mined hex), ``roll``, ``defence``, as for ``mines``.

    Returns:
        The movement as far as it goes; refused at the first hex that may not be entered, with every reason.

    Raises:
        PositionError: no such piece. RequestError: a shot badly described.

    **Rule:** O21.1, O21.2, O21.3, O21.4, O21.5, O21.6, A33.3, T78.2, F103.1, F106.2.

    >>> from tutor import ask, load_position
    >>> position = load_position("combat_commander", "livret-tir-op")
    >>> m = ask(position, "move", pieces=["peloton"], path=["K8", "K7", "K6"]).value
    >>> [entry.spent for entry in m.entries], m.allowance, m.left
    ([2, 3, 5], 4, 0)
    """
    _not_negative(spent)
    walker = _Walker(ctx, [ctx.position.piece(name) for name in dict.fromkeys(pieces)], spent, on_road)
    walker.rolls = list(mines)
    pending = list(shots)
    origin = ctx.position
    try:
        walker.start()
        for step, cell in enumerate(path, start=1):
            if ctx.refusals or not walker.enter(cell) or walker.stopped:
                break
            here = [shot for shot in pending if shot["at"] == cell]
            if cell in path[step:]:  # it comes back: one shot for each expenditure
                here = here[:1]
            pending = [shot for shot in pending if not any(shot is fired for fired in here)]
            for number, shot in enumerate(here):
                walker.shot(shot, number)
            if walker.stopped:
                break
        for shot in pending:
            _never_fired(ctx, shot["at"], walker.cell)
        never_met(ctx, walker.rolls)
        return walker.result()
    finally:
        ctx.position = origin


def _never_fired(ctx: Context, cell: str, last: str) -> None:
    """Refuse an Op Fire at a hex that was not entered, or at units that left the map. **Rule:** A33.1, A33.2."""
    if cell == "exit":
        ctx.refuse("A33.1", "op_fire.refuse.exit", where=hexes(last), cell=last)
    else:
        ctx.refuse("A33.2", "op_fire.refuse.never_entered", where=hexes(cell), cell=cell)


def _not_negative(spent: int) -> None:
    if spent < 0:
        raise RequestError("Les PM déjà dépensés ne peuvent pas être négatifs.", remedy="Écrivez 0 ou plus.")


def _entered_road(ctx: Context, cell: str, spent: int) -> bool:
    """Whether units that have spent points and stand in a road hex entered it: taken as so. **Rule:** T93."""
    return spent > 0 and cell in ctx.position.ways.get("road", {})


class _Walker:
    """Units on their way."""

    def __init__(self, ctx: Context, units: Sequence[Piece], spent: int, on_road: bool | None) -> None:
        self.ctx, self.ids = ctx, [unit.id for unit in units]
        self.units, self.spent = units, spent
        self.wired = self.stopped = False
        self.cell = cell_of(ctx, units[0]) if units else ""
        self.on_road = _entered_road(ctx, self.cell, spent) if on_road is None else on_road
        self.entries: list[Entry] = []
        self.shots: list[Attack] = []
        self.mines: list[Mined] = []
        self.rolls: list[MinesRoll] = []
        self.left_cell: str | None = None
        self.gone: dict[str, str] = {}  # weapons that an Op Fire cost, and the article

    def start(self) -> None:
        """Check that they may move together. **Rule:** O14.1, O21.2."""
        ctx = self.ctx
        if not self.units:
            raise RequestError("Personne ne se déplace.", remedy="Donnez au moins une unité.")
        for unit in self.units:
            if not is_unit(unit):
                ctx.refuse("11.1", "move.refuse.weapon", where=places(unit), piece=unit.id)
            elif unit.activated not in (None, "move") and not is_hero(unit):
                ctx.refuse("O14.1", "fire.refuse.activated", where=places(unit), piece=unit.id)
            if cell_of(ctx, unit) != self.cell or unit.side != self.units[0].side:
                ctx.refuse("O21.2", "move.refuse.apart", where=places(unit), piece=unit.id)
        if not ctx.refusals:
            self._change({f"piece.{unit.id}.activated": "move" for unit in self.units})
        if self.spent:
            self._catch(self.cell)

    def _change(self, changes: Mapping[str, Any]) -> None:
        self.ctx.position = self.ctx.position.change(changes)
        self.units = [self.ctx.position.by_id[name] for name in self.ids if name in self.ctx.position.by_id]

    def allowance(self, entering: str = "") -> int:
        """Effective Movement of the slowest, in the hex they stand in. **Rule:** O21.1, O21.2, T93."""
        ctx = self.ctx
        if not self.units:
            return 0
        on_road = self.on_road or (self._first_road(entering) and ctx.setting("road_bonus") == "entering")
        allowances = {unit.id: effective(ctx, unit, "move", on_road=on_road) for unit in self.units}
        slowest = min(allowances, key=lambda name: allowances[name])
        if len(allowances) > 1 and not ctx.on("O21.2"):
            return max(allowances.values())
        if len(allowances) > 1:
            ctx.step("O21.2", "move.slowest", "choice", value=allowances[slowest], unit="PM",
                     where=places(*self.units), piece=slowest)  # fmt: skip
        return allowances[slowest]

    def _first_road(self, cell: str) -> bool:
        """Whether a hex would be the first road hex they enter in this order. **Rule:** T93."""
        return not self.on_road and cell in self.ctx.position.ways.get("road", {}) and self.ctx.on("T93")

    def _trace_bonus(self, cell: str, cost: int, allowance: int) -> None:
        """Say which reading of the road bonus decides whether the first road hex can be paid. **Rule:** T93."""
        early = self.ctx.setting("road_bonus") == "entering"
        if self._first_road(cell) and self.spent + cost == allowance + (0 if early else 1):
            code = "move.road_already" if early else "move.road_not_yet"
            self.ctx.step("T93", code, value=early, where=hexes(cell), note="interprétation", cell=cell)

    def enter(self, cell: str) -> bool:
        """Enter one more hex, if the rules let them."""
        ctx = self.ctx
        if cell not in ctx.position.grid:
            return self._exit(cell)
        with ctx.group("O21.1", "move.not_entered", where=hexes(cell), start=self.cell, cell=cell) as step:
            allowance = self.allowance(cell)
            cost = cost_of(ctx, self.cell, cell, further=True)
            self._trace_bonus(cell, cost, allowance)
            enemies = [p for p in ctx.position.pieces_at(cell) if is_unit(p) and p.side != self.units[0].side]
            if enemies:
                ctx.refuse("O21.4", "move.refuse.enemy", where=hexes(cell), cell=cell)
            if not self._can_pay(cell, cost, allowance):
                return False
            self.spent += cost
            ctx.step("O21.1", "move.spent", value=self.spent, unit="PM", where=hexes(cell), cell=cell, cost=cost,
                     allowance=allowance)  # fmt: skip
            step.code, step.value, step.unit = "move.enter", self.spent, "PM"
        self.entries.append(Entry(cell, cost, self.spent, allowance))
        start = self.cell
        self._change({f"piece.{unit.id}.at": cell for unit in self.units})
        self.left_cell, self.cell = self.cell, cell
        if cell in ctx.position.ways.get("road", {}):
            self.on_road = True
        self._catch(start, cell)
        return True

    def _catch(self, *cells: str) -> None:
        """Wire left or entered takes the points that remain; mines attack. **Rule:** F106.2, F103.1."""
        ctx = self.ctx
        if len(cells) > 1:
            self._cross_mines(*cells)
        wire = [cell for cell in cells if ctx.position.marker("fortification", cell) == "wire"]
        if wire and ctx.on("F106.2"):
            self.wired = True
            ctx.step("F106.2", "move.wire", value=0, unit="PM", where=hexes(*wire), cells=wire)

    def _cross_mines(self, start: str, cell: str) -> None:
        """Mines of the hex left, then of the hex entered, attack those who walk. **Rule:** F103.1, F103.2."""
        for attack in crossing(self.ctx, self.ids, start, cell, "move", self.rolls):
            self.mines.append(attack)
            self._change({})
            self._struck(attack.pieces)

    def _struck(self, pieces: Mapping[str, Defence]) -> None:
        """A group stops as soon as one of them breaks. **Rule:** O21.2, 3.2.4."""
        hurt = [name for name, d in pieces.items() if name in self.ids and d.result in ("broken", "eliminated")]
        if hurt and (len(self.ids) > 1 or not self.units):
            self.stopped = True
            rule, code = ("O21.2", "move.group_stops") if self.units else ("3.2.4", "move.nobody_left")
            self.ctx.step(rule, code, value=self.cell, where=hexes(self.cell), pieces=hurt)

    def _exit(self, cell: str) -> bool:
        """Leave the map, by the enemy's edge alone. **Rule:** 7.2.1, O21.4."""
        ctx = self.ctx
        if cell != "exit":
            split_cell(cell)
        edge = enemy_edge(ctx, self.units[0].side)
        if edge is None or not crosses(ctx, self.cell, cell, edge):
            code = "move.refuse.edge" if edge else "move.refuse.no_edge"
            ctx.refuse("O21.4", code, where=hexes(self.cell), cell=self.cell)
            return False
        allowance, cost = self.allowance(), int(ctx.table("limits").get("exit", "move", hexes(self.cell)))
        if not self._can_pay("La sortie", cost, allowance):
            return False
        self.spent += cost
        self._cross_mines(self.cell, "exit")
        if not self.units:
            return False
        self.entries.append(Entry("exit", cost, self.spent, allowance))
        ctx.step("7.2.1", "move.exited", value=self.spent, unit="PM", where=hexes(self.cell), cell=self.cell)
        self._change({f"piece.{w.id}": None for unit in self.units for w in weapons_of(ctx, unit)})
        self._change({f"piece.{unit.id}": None for unit in self.units})
        self.stopped = True
        return True

    def _can_pay(self, cell: str, cost: int, allowance: int) -> bool:
        ctx = self.ctx
        if self.wired and ctx.on("F106.2"):
            ctx.refuse("F106.2", "move.refuse.wire", where=hexes(self.cell), cell=self.cell)
        elif self.spent + (cost if ctx.on("O21.1") else 1) > allowance:
            ctx.refuse(
                "O21.1",
                "move.refuse.points" if self.spent else "move.refuse.first_points",
                where=hexes(cell if cell in ctx.position.grid else self.cell),
                start=self.cell,
                cell=cell,
                cost=cost,
                spent=self.spent,
                total=self.spent + cost,
                allowance=allowance,
            )
        return not ctx.refusals

    def shot(self, shot: Mapping[str, Any], number: int) -> None:
        """Resolve one Op Fire at the hex just entered."""
        ctx = self.ctx
        gone = [name for name in shot["firers"] if name in self.gone]
        for name in gone:
            ctx.refuse(self.gone[name], "op_fire.refuse.gone", where=hexes(self.cell), piece=name)
        if gone:
            self.stopped = True
            return
        with ctx.group(
            "A33.2", "op_fire.shot", where=hexes(self.cell), cell=self.cell, firers=reader(list(shot["firers"]))
        ):
            before = len(ctx.refusals)
            ctx.step("O21.3", "move.fired_at", value=self.cell, where=hexes(self.cell), cell=self.cell)
            opportunity(ctx, self.cell, self.cell, "move", self.left_cell, number)
            ids = [unit.id for unit in self.units]
            ctx.step("A33.1", "op_fire.moment", value=self.cell, where=hexes(self.cell), cell=self.cell, pieces=ids)
            activated(ctx, shot["firers"])
            given = {name: dice_of(pair) for name, pair in (shot.get("defence") or {}).items()}
            declared = {
                "firers": shot["firers"],
                "target": self.cell,
                "actions": shot.get("actions", ()),
                "base": shot.get("base"),
                "also": shot.get("also"),
                "mode": "op_fire",
            }
            known_names(ctx, [*given, *shot.get("wounds", ())])
            try:
                salvo = prepare(ctx, declared, list(given))
                known_defenders(ctx, salvo, given, shot.get("wounds", ()))
                ctx.settle()
            except Refused:
                self.stopped = True
                return
            rolled = dice_of(shot["roll"]) if shot.get("roll") is not None else None
            attack = resolve(
                ctx,
                salvo,
                rolled,
                given,
                None,
                jammed=bool(shot.get("jammed")),
                breaks=shot.get("breaks"),
                concealment=int(shot.get("concealment", 0)),
                wounds=shot.get("wounds", ()),
            )
            if len(ctx.refusals) == before:
                ctx.step("O21.6", "move.inactive_first", value=True, where=hexes(self.cell), cell=self.cell)
        if len(ctx.refusals) > before:
            self.stopped = True
            return
        self.shots.append(attack)
        changes = consequences(ctx.position, attack.pieces, attack.weapons)
        for piece in salvo.firers:
            unit = piece if is_unit(piece) else carrier(ctx, piece)
            if attack.weapons.get(piece.id) == "eliminated":
                self.gone[piece.id] = "11.6" if is_single_use(ctx, piece) else "11.4"
            if unit is not None and unit.activated is None:
                changes[f"piece.{unit.id}.activated"] = "op_fire"
        self._change(changes)
        self._struck(attack.pieces)

    def _last_allowance(self) -> int:
        """Effective Movement where they stand; said only when nothing was refused. **Rule:** O21.1."""
        if not self.ctx.refusals:
            return self.allowance()
        ctx = self.ctx
        self.ctx = Context(ctx.game, ctx.position, without=ctx.without, trace=False)
        try:
            return self.allowance()
        finally:
            self.ctx = ctx

    def _end(self, allowance: int) -> tuple[str, str]:
        """Why they walk no farther, or what is left: the rule and the sentence. **Rule:** F106.2, O21.1, O21.2."""
        if self.wired:
            return "F106.2", "move.left_wire"
        if self.stopped:
            return "O21.2", "move.left_group"
        return "O21.1", "move.left" if self.spent <= allowance else "move.no_longer"

    def result(self) -> Movement:
        """What came of it."""
        trace_number(self.ctx, self.mines)
        if len(self.entries) > 1 and not self.ctx.settled:
            spent = [entry.spent for entry in self.entries]
            self.ctx.step(
                "O21.5", "move.told", value=spent, where=hexes(*(e.cell for e in self.entries if e.cell != "exit"))
            )
        allowance = self._last_allowance()
        left = 0 if self.wired or self.stopped else max(0, allowance - self.spent)
        if self.units and not self.ctx.refusals:
            rule, code = self._end(allowance)
            costs = [entry.cost for entry in self.entries]
            given = {"cell": self.cell, "spent": self.spent, "allowance": allowance}
            given |= {"costs": costs if sum(costs) == self.spent else [], "parts": last_parts(self.ctx, allowance)}
            with self.ctx.group(rule, code, where=hexes(self.cell), **given) as step:
                step.value, step.unit = left, "PM"
                trace_prices(self.ctx, [entry.cell for entry in self.entries if entry.cell != "exit"])
                step.kind = "rule" if step.children else "compute"
        return Movement(
            tuple(self.entries), self.cell, self.spent, allowance, left, tuple(self.shots), tuple(self.mines)
        )


@GAME.question(
    "transfer",
    rules=("O21.1.1", "8.1.1"),
    label="Peut-elle passer son Arme ?",
    theme=("Mouvement", "Armes"),
)
def transfer(
    ctx: Context,
    giver: Annotated[PieceId, "Qui donne"],
    receiver: Annotated[PieceId, "Qui reçoit"],
    spent: Annotated[int, "Points déjà dépensés"] = 0,
    on_road: Annotated[bool | None, "Part sur la route"] = None,
) -> int:
    """Whether a moving unit may hand its weapon to another, and the points it costs.

    Args:
        giver: id of the unit that carries the weapon.
        receiver: id of the unit that takes it.
        spent: movement points the giver has spent in this order.
        on_road: it has entered a road hex, as for ``move``.

    Returns:
        Movement points.

    Raises:
        PositionError: no such piece. RequestError: a negative number of points.

    **Rule:** O21.1, O21.1.1, 8.1.1.

    >>> from tutor import ask, load_position
    >>> ask(load_position("combat_commander", "livret-tir"), "transfer", giver="peloton-l8", receiver="bolter").outcome
    'refused'
    """
    _not_negative(spent)
    one, other = ctx.position.piece(giver), ctx.position.piece(receiver)
    if one.activated != "move":
        ctx.refuse("O21.1.1", "move.refuse.not_moving", where=places(one), piece=giver)
    if not weapons_of(ctx, one):
        ctx.refuse("O21.1.1", "move.refuse.no_weapon", where=places(one), piece=giver)
    if not is_unit(other) or one.side != other.side or cell_of(ctx, one) != cell_of(ctx, other):
        ctx.refuse("O21.1.1", "move.refuse.other_hex", where=places(one, other), piece=receiver)
    if weapons_of(ctx, other):
        ctx.refuse("8.1.1", "move.refuse.has_weapon", where=places(other), piece=receiver)
    else:
        ctx.step("8.1.1", "move.free_hands", value=True, where=places(other), piece=receiver)
    cost = int(ctx.table("limits").get("weapon_transfer", "move", places(one)))
    cell = cell_of(ctx, one)
    if spent and ctx.position.marker("fortification", cell) == "wire" and ctx.on("F106.2"):
        ctx.refuse("F106.2", "move.refuse.wire", where=hexes(cell), cell=cell)
    elif is_unit(one):
        road = _entered_road(ctx, cell_of(ctx, one), spent) if on_road is None else on_road
        allowance = effective(ctx, one, "move", on_road=road)
        if spent + cost > allowance:
            ctx.refuse(
                "O21.1",
                "move.refuse.transfer_points",
                where=places(one),
                piece=giver,
                cost=cost,
                spent=spent,
                allowance=allowance,
            )
        elif not ctx.settled:
            ctx.step(
                "O21.1.1", "move.transferred", value=spent + cost, unit="PM", where=places(one), allowance=allowance
            )
    return cost
