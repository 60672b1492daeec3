"""What a line of sight meets on a compiled board: one pass, for a verdict, for all pairs and for the full trace.

**Rule:** 1.1.1, 1.2.5, 3.2.1, 7.4.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from tutor.core.geometry import polygon_spans, uncovered
from tutor.core.rays import WHOLE, Crossing, Ray, ray
from tutor.games.asl_sk.board import Board
from tutor.games.asl_sk.game import GAME

#: How a line meets a hex: through its inside, along one side of it, at one of its corners.
INSIDE, ALONG, CORNER = 0, 1, 2


@dataclass(slots=True)
class Finding:
    """Something on the line that a rule speaks of.

    Args:
        code: name of the step it becomes.
        rule: rule id that decides what it does.
        kind: woods, smoke, hill, vehicle…
        cell: hex it is in.
        value: hindrance.
        level: its level.
        at: parameter along the line of the first contact, from the end it was computed from.
        open: whether another reading of the booklet would say otherwise.
    """

    code: str
    rule: str
    kind: str
    cell: str
    value: int = 0
    level: int = 0
    at: Fraction | None = None
    open: bool = False


@dataclass(slots=True)
class Sight:
    """All that was found on a line.

    Args:
        first: the end it was computed from (the higher one).
        last: the other end.
        blocks: what stops the line, only the first unless all were asked for.
        hindrances: what hinders it.
        notes: what was looked at and does nothing (only when all was asked for).
        total: sum of the hindrances.
    """

    first: str
    last: str
    blocks: list[Finding] = field(default_factory=list)
    hindrances: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    total: int = 0


@lru_cache(maxsize=20_000)
def line(columns: int, rows: int, even: bool, stride: int) -> tuple[Ray, tuple[tuple[Crossing, int, int], ...]]:
    """The ray of a displacement, and how it meets each hex between: crossing, manner, offset across the side."""
    beam = ray(columns, rows, even, stride)
    every = (beam.start, *beam.between, beam.end)
    met: list[tuple[Crossing, int, int]] = []
    for crossing in beam.between:
        if crossing.enter == crossing.leave:
            met.append((crossing, CORNER, 0))
            continue
        across = next(
            (c for c in every if c is not crossing and min(c.leave, crossing.leave) > max(c.enter, crossing.enter)),
            None,
        )
        met.append((crossing, INSIDE, 0) if across is None else (crossing, ALONG, across.offset))
    return beam, tuple(met)


def look(
    board: Board,
    start: int,
    end: int,
    without: frozenset[str] = frozenset(),
    everything: bool = False,
    vehicles: bool = True,
) -> Sight:
    """Judge the line from a firer's hex to a target's.

    Args:
        board: compiled board.
        start, end: hex indexes, possibly the same.
        without: rule ids left out.
        everything: find every block and note what does nothing; False stops at the first block.
        vehicles: False leaves AFVs and wrecks out (to know whether they are seen themselves).
    """
    return _Look(board, start, end, without, everything, vehicles).judge()


class _Look:
    __slots__ = ("board", "drawn", "end", "everything", "firer", "low", "met", "ray", "sight", "start", "target", "top",
                 "vehicles", "without")  # fmt: skip

    def __init__(
        self,
        board: Board,
        firer: int,
        target: int,
        without: frozenset[str],
        everything: bool,
        vehicles: bool,
    ) -> None:
        self.board, self.firer, self.target = board, firer, target
        self.without, self.everything, self.vehicles = without, everything, vehicles
        start, end = (target, firer) if board.level[firer] < board.level[target] else (firer, target)
        self.start, self.end = start, end
        self.top, self.low = board.level[start], board.level[end]
        self.drawn = self.setting("depiction") == "drawn"
        self.sight = Sight(board.cell[start], board.cell[end])
        if start != end:
            c1, r1 = divmod(start, board.stride)
            c2, r2 = divmod(end, board.stride)
            even = (c1 + board.grid.first_column - 1) % 2 == 0
            self.ray, self.met = line(c2 - c1, r2 - r1, even, board.stride)

    def setting(self, name: str) -> str:
        return GAME.reading(self.board.position, name)

    def judge(self) -> Sight:
        sight = self.sight
        if self.start != self.end:
            for finding in self._blocks():
                sight.blocks.append(finding)
                if not self.everything:
                    return sight
            if sight.blocks:
                return sight
            hindrances = list(self._terrain_hindrances())
            if self.board.any_vehicle and self.vehicles and "7.4.1" not in self.without:
                hindrances += self._vehicles()
            if self.board.any_smoke:
                hindrances += self._smoke()
            sight.hindrances = self._shared(hindrances)
        if self.board.any_smoke:
            sight.hindrances = list(self._capped([*sight.hindrances, *self._smoke_of_ends()]))
        sight.total = sum(finding.value for finding in sight.hindrances)
        return sight

    # -- what stops the line ------------------------------------------------------------------------------------

    def _blocks(self) -> Iterator[Finding]:
        if self.board.any_relief and "1.1.1-hills" not in self.without:
            yield from self._relief()
        yield from self._obstacles()

    def _relief(self) -> Iterator[Finding]:
        board, ray, top = self.board, self.ray, self.top
        own = ""
        if top != self.low and self._stays_up(self.drawn):
            own = next(
                (board.cell[i] for c, _, _ in self.met if board.level[i := self.start + c.offset] >= top),
                board.cell[self.start],
            )
            yield Finding("los.own_crest", "3.2.1", "hill", own, level=top, at=self._at(ray.start.leave))
        least = top + 1 if top == self.low else top
        masks = board.level_mask(least)
        for crossing, manner, across in self.met:
            i = self.start + crossing.offset
            if masks[i] < 0 or board.cell[i] == own:
                continue
            touch = self._meets(crossing, manner, across, masks)
            if touch:
                code, rule = ("los.hill", "1.1.1-hills") if top == self.low else ("los.crest", "3.2.1")
                yield Finding(code, rule, "hill", board.cell[i], level=board.level[i], at=self._at(touch[0]))
            elif self.everything:
                self._note("los.beside_crest", "1.1.1-hills", "hill", i)
        if top != self.low and self.setting("crest") == "never":
            yield from self._second_crest()
        elif top - self.low > 1:
            yield from self._rises()

    def _meets(self, crossing: Crossing, manner: int, across: int, masks: list[int]) -> tuple[int, int] | None:
        """Where the line meets the high ground of a hex that has some."""
        mask = masks[self.start + crossing.offset]
        if self.drawn:
            return crossing.span(mask)
        counts = manner == INSIDE or (manner == ALONG and masks[self.start + across] >= 0)
        return (crossing.enter, crossing.leave) if counts else None

    def _rises(self) -> Iterator[Finding]:
        """Ground lower than the higher unit, but above the lower one, that the line climbs to again."""
        board, lowest = self.board, self.top
        for crossing, manner, across in self.met:
            i = self.start + crossing.offset
            level = board.level[i]
            if max(self.low, lowest) < level < self.top:
                touch = self._meets(crossing, manner, across, board.level_mask(level))
                if touch:
                    yield Finding("los.crest", "3.2.1", "hill", board.cell[i], level=level, at=self._at(touch[0]))
            if manner == INSIDE and i in board.cell:
                lowest = min(lowest, level)

    def _stays_up(self, drawn: bool) -> bool:
        """Whether the line leaves the higher hex over ground as high: it passes no Crest Line in that hex."""
        board, ray, top = self.board, self.ray, self.top
        if drawn:
            span = ray.start.span(board.level_mask(top)[self.start])
            return span is not None and span[1] >= ray.start.leave
        first = next((self.start + c.offset for c, manner, _ in self.met if manner == INSIDE), self.end)
        return board.level[first] >= top

    def _second_crest(self) -> Iterator[Finding]:
        """Any change of level after the higher unit's own hex."""
        board = self.board
        before = None
        for crossing, manner, _ in self.met:
            i = self.start + crossing.offset
            if manner != INSIDE or i not in board.cell:
                continue
            if before is not None and board.level[i] != before:
                yield Finding("los.second_crest", "3.2.1", "hill", board.cell[i], level=board.level[i],
                              at=self._at(crossing.enter))  # fmt: skip
            before = board.level[i]
        if before is not None and before != self.low:
            yield Finding("los.second_crest", "3.2.1", "hill", board.cell[self.end], level=self.low,
                          at=self._at(self.ray.end.enter))  # fmt: skip

    def _obstacles(self) -> Iterator[Finding]:
        board, start = self.board, self.start
        in_leaf = self.top != self.low and board.orchards_in_leaf and "1.1.1-orchards" not in self.without
        for crossing, manner, across in self._judged():
            i = start + crossing.offset
            orchard = in_leaf and board.kind[i] == "orchard"
            if not (board.obstacle[i] or orchard):
                continue
            at = self._touch(crossing, manner, across, i)
            if at is None:
                continue
            low = board.level[i] < self.low
            if not low or self.setting("low_obstacle") == "blocks":
                rule = "1.1.1-orchards" if orchard else "1.1.1-woods" if board.kind[i] == "woods" else "1.1.1-buildings"
                code = "los.in_leaf" if orchard else "los.beyond" if self.top != self.low else "los.obstacle"
                code = "los.low_blocks" if low else code
                yield Finding(code, rule, board.kind[i], board.cell[i], level=board.level[i], at=at, open=low)
            else:
                self._note("los.lower", "1.1.1-hills", board.kind[i], i)

    # -- what hinders it ----------------------------------------------------------------------------------------

    def _terrain_hindrances(self) -> Iterator[Finding]:
        board, start, same = self.board, self.start, self.top == self.low
        for crossing, manner, across in self._judged():
            i = start + crossing.offset
            if not board.hindrance[i]:
                continue
            kind = board.kind[i]
            if kind == "grain" and not board.grain_counts and "1.1.1-grain" not in self.without:
                self._note("los.out_of_season", "1.1.1-grain", kind, i)
                continue
            at = self._touch(crossing, manner, across, i)
            if at is None:
                continue
            level = board.level[i]
            counts = level == self.top if same else kind == "orchard" and level >= self.low
            if not counts:
                self._note("los.lower_hindrance", "3.2.1", kind, i)
            else:
                rule = {"orchard": "1.1.1-orchards", "grain": "1.1.1-grain"}.get(kind, "1.1.1-brush")
                yield Finding("los.hindrance", rule, kind, board.cell[i], board.hindrance[i], level, at,
                              manner == CORNER)  # fmt: skip

    def _shared(self, hindrances: list[Finding]) -> list[Finding]:
        """What counts of hexes that count as one: all that hinders in the one that hinders most, whatever it is."""
        worth: dict[str, int] = {}
        for finding in hindrances:
            worth[finding.cell] = worth.get(finding.cell, 0) + finding.value
        if len(worth) < 2:
            return hindrances
        reading = self.setting("shared_side")
        for cells in self._together(list(worth), "one" if reading == "both" else reading):
            best = max(cells, key=lambda cell: worth[cell])
            kept: list[Finding] = []
            for finding in hindrances:
                if finding.cell in cells:
                    finding.open = True
                    if reading != "both" and finding.cell != best:
                        self._note("los.shared", "3.2.1", finding.kind, self.board.index[finding.cell])
                        continue
                kept.append(finding)
            hindrances = kept
        return hindrances

    def _together(self, cells: list[str], reading: str) -> list[list[str]]:
        """Hexes that count as one, those on both sides of a side or at one distance from the firer: two at least."""
        groups: dict[object, list[str]] = {}
        if reading == "range":
            firer = self.board.cell[self.firer]
            for cell in cells:
                groups.setdefault(self.board.grid.distance(firer, cell), []).append(cell)
        else:
            for crossing, manner, across in self.met:
                here = self.board.cell.get(self.start + crossing.offset, "")  # "" off the board, along its edge
                if manner == ALONG and here in cells:
                    groups.setdefault(frozenset((crossing.offset, across)), []).append(here)
        return [group for group in groups.values() if len(group) > 1]

    def _vehicles(self) -> Iterator[Finding]:
        board = self.board
        value = GAME.tables["sight"].get("vehicle", "hindrance")
        for crossing, manner, _ in self.met:
            i = self.start + crossing.offset
            if not board.vehicle[i] or manner == CORNER:
                continue
            if manner == ALONG and self.setting("afv_contact") == "inside":
                self._note("los.vehicle_side", "7.4.1", "vehicle", i)
                continue
            if self.top != self.low or board.level[i] != self.top:
                self._note("los.vehicle_level", "7.4.1", "vehicle", i)
                continue
            seen = all(self._sees(end, i) for end in (self.firer, self.target))
            if seen:
                yield Finding("los.vehicle", "7.4.1", "vehicle", board.cell[i], value, board.level[i],
                              self._at(crossing.enter), manner == ALONG)  # fmt: skip
            else:
                self._note("los.vehicle_unseen", "7.4.1", "vehicle", i)

    def _sees(self, end: int, i: int) -> bool:
        """Whether an end of the line sees a hex on its way, vehicles apart."""
        sight = look(self.board, end, i, self.without, vehicles=False)
        return not sight.blocks and sight.total < GAME.tables["sight"].get("hindrance", "blocks_from")

    def _capped(self, hindrances: list[Finding]) -> Iterator[Finding]:
        """What hinders, the values of smoke held to the maximum by the reading ``smoke_cap``."""
        if self.setting("smoke_cap") == "hex":
            yield from hindrances
            return
        room = GAME.tables["sight"].get("smoke", "most")
        for smoke in hindrances:
            if smoke.code not in ("los.smoke", "los.smoke_end"):
                yield smoke
                continue
            if smoke.value > room:
                smoke.value, smoke.open = room, True
            room -= smoke.value
            if smoke.value:
                yield smoke
            else:
                self._note("los.smoke_most", "1.2.5", "smoke", self.board.index[smoke.cell])

    def _smoke(self) -> Iterator[Finding]:
        """Smoke between the two ends."""
        board = self.board
        for crossing, manner, _ in self.met:
            i = self.start + crossing.offset
            value = board.smoke[i]
            if not value or (manner == CORNER and self.setting("vertex_contact") == "ignored"):
                continue
            if board.level[i] < self.top and self.setting("smoke_levels") == "below":
                self._note("los.smoke_below", "1.2.5", "smoke", i)
                continue
            yield Finding("los.smoke", "1.2.5", "smoke", board.cell[i], value, at=self._at(crossing.enter),
                          open=manner == CORNER or board.level[i] < self.top)  # fmt: skip

    def _smoke_of_ends(self) -> Iterator[Finding]:
        board = self.board
        if "1.2.5" in self.without:
            return
        for i in dict.fromkeys((self.firer, self.target)):
            if board.smoke[i]:
                yield Finding("los.smoke_end", "1.2.5", "smoke", board.cell[i], board.smoke[i])
        if board.smoke[self.firer]:
            yield Finding("los.smoke_out", "1.2.5", "smoke", board.cell[self.firer],
                          GAME.tables["sight"].get("smoke", "from_inside"))  # fmt: skip

    # -- contact with what is drawn -----------------------------------------------------------------------------

    def _judged(self) -> tuple[tuple[Crossing, int, int], ...]:
        """Hexes whose terrain counts: those between the two ends."""
        if "3.2.1" in self.without:
            return (*self.met, (self.ray.start, INSIDE, 0), (self.ray.end, INSIDE, 0))
        return self.met

    def _touch(self, crossing: Crossing, manner: int, across: int, i: int) -> Fraction | None:
        """Where the line first meets the terrain of a hex, the road cut out; None when it never does."""
        board = self.board
        if board.inherent[i]:
            at = self._inherent(crossing, manner, i)
        elif i in board.drawn:
            at = self._own_drawing(crossing, i)
        elif self.drawn:
            at = self._off_road(crossing, board.joined[i], i)
        else:
            at = self._whole(crossing, manner, across, i)
        if at is None and self.everything and not self._on_road(crossing, i):
            self._note("los.missed", "3.2.1", board.kind[i], i)
        return at

    def _inherent(self, crossing: Crossing, manner: int, i: int) -> Fraction | None:
        if manner == CORNER and self.setting("vertex_contact") == "ignored":
            return None
        return self._off_road(crossing, WHOLE, i)

    def _off_road(self, crossing: Crossing, joined: int, i: int) -> Fraction | None:
        roads = self._roads(i)
        if roads:
            return crossing.off_road(joined, roads)
        span = crossing.span(joined)
        return self._at(span[0]) if span else None

    def _own_drawing(self, crossing: Crossing, i: int) -> Fraction | None:
        board = self.board
        here, there = board.centre[self.start], board.centre[self.end]
        low, high = Fraction(crossing.enter, self.ray.den), Fraction(crossing.leave, self.ray.den)
        spans = [s for points in board.drawn[i] for s in polygon_spans(here, there, points)]
        inside = sorted((max(t0, low), min(t1, high)) for t0, t1 in spans if t0 <= high and t1 >= low)
        return uncovered(inside, crossing.strips(self._roads(i))) if inside else None

    def _whole(self, crossing: Crossing, manner: int, across: int, i: int) -> Fraction | None:
        board = self.board
        if manner == INSIDE:
            return self._off_road(crossing, WHOLE, i)
        j = self.start + across
        both = manner == ALONG and across and (board.obstacle[j] or (board.hindrance[j] and not board.obstacle[i]))
        return self._at(crossing.enter) if both else None

    def _roads(self, i: int) -> int:
        return 0 if self._road_rule(i) in self.without else self.board.road[i]

    def _road_rule(self, i: int) -> str:
        """The article by which a road cuts through the terrain of a hex."""
        return {"orchard": "1.1.1-orchard-road", "woods": "1.1.1-woods-road"}.get(self.board.kind[i], "1.1.1-roads")

    def _on_road(self, crossing: Crossing, i: int) -> bool:
        """Note that the line stays on the road through the terrain of a hex."""
        roads = self._roads(i)
        if not roads or not crossing.strips(roads):
            return False
        self._note("los.on_road", self._road_rule(i), self.board.kind[i], i)
        return True

    def _at(self, parameter: int) -> Fraction:
        return Fraction(parameter, self.ray.den) if self.everything else _SOMEWHERE

    def _note(self, code: str, rule: str, kind: str, i: int) -> None:
        if self.everything and i in self.board.cell:
            self.sight.notes.append(Finding(code, rule, kind, self.board.cell[i], level=self.board.level[i]))


#: Stands for "it touches, never mind where" when only the verdict is wanted.
_SOMEWHERE = Fraction(0)
