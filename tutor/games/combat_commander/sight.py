"""What a straight line meets on a compiled board: one pass, for a verdict, for all pairs and for the full trace.

**Rule:** 10.1, 10.2, 10.3, T79, T84, T86-T88, T92-T94, T97.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from tutor.core.geometry import Span, merge, polygon_spans, uncovered
from tutor.core.rays import Crossing, Ray
from tutor.games.combat_commander.board import Board
from tutor.games.combat_commander.findings import Finding, Sight

#: The article of each kind of side that stops or hinders a line.
RULE_OF_SIDE = {"wall": "T97", "hedge": "T87", "fence": "T84"}


def look(
    board: Board,
    start: int,
    end: int,
    without: frozenset[str] = frozenset(),
    everything: bool = False,
) -> Sight:
    """Judge the line between two hexes.

    Args:
        board: compiled board.
        start, end: hex indexes, different.
        without: rule ids left out (10.1, 10.2.1, 10.3, 10.3.3, 10.3.4, T86, T88.3.2, T88.3.3, T88.4, T88.4.1, T88.5,
            T93).
        everything: find every block and note what does nothing; False stops at the first block.

    The board holds the readings of open points (vertex contact, gullies, railways…).

    Returns:
        The findings. The verdict and the hindrance are the same from either end.
    """
    if board.level[start] < board.level[end]:
        start, end = end, start
    return _Look(board, start, end, without, everything).judge()


class _Look:
    __slots__ = (
        "adjacent",
        "board",
        "end",
        "everything",
        "high",
        "low",
        "mids",
        "ray",
        "sight",
        "start",
        "top",
        "vertex",
        "without",
    )

    def __init__(self, board: Board, start: int, end: int, without: frozenset[str], everything: bool) -> None:
        self.board, self.start, self.end = board, start, end
        self.without, self.vertex, self.everything = without, board.vertex_counts, everything
        self.ray: Ray = board.ray_between(start, end)
        self.top = board.level[start]
        self.low = board.level[end]
        self.mids = self.ray.between
        self.adjacent = self.ray.start.leave >= self.ray.end.enter
        self.sight = Sight(board.cell[start], board.cell[end])

    def judge(self) -> Sight:
        sight, everything = self.sight, self.everything
        for finding in self._blocks():
            sight.blocks.append(finding)
            if not everything:
                return sight
        if "10.3" not in self.without:
            sight.hindrances.extend(self._hindrances())
            values = [hindrance.value for hindrance in sight.hindrances]
            if values:
                sight.hindrance = sum(values) if "10.3.3" in self.without else max(values)
        return sight

    # -- what stops the line ------------------------------------------------------------------------------------

    def _blocks(self) -> Iterator[Finding]:
        board = self.board
        if board.any_gully:
            yield from self._gully()
        if board.any_blaze and (board.blaze_ends or self.everything):
            yield from self._blazing_ends()
        self._own_sides()
        if self.adjacent:
            if board.crests and (self.everything or not board.adjacent_seen):
                yield from self._next_to_crest()
            return
        if board.any_blaze and "10.2.1" not in self.without:
            yield from self._blazes()
        if board.any_relief:
            yield from self._relief()
        yield from self._obstacles()
        if board.barriers:
            yield from self._barriers()

    def _gully(self) -> Iterator[Finding]:
        """An end in a gully: hidden there, unless the other end is beside it, above it, or in the same gully."""
        board = self.board
        if "T86" in self.without:
            return
        along = not self.adjacent and all(
            board.gully[self.start + c.offset] for c in (self.ray.start, *self.mids, self.ray.end)
        )
        shared = along and board.gully_open
        if shared:
            self._note(Finding("los.same_gully", "T86", "gully", board.cell[self.end], open=True))
        for here, other in ((self.start, self.end), (self.end, self.start)):
            if not board.gully[here]:
                continue
            if self.adjacent or board.level[other] > board.level[here]:
                code = "los.gully_near" if self.adjacent else "los.gully_above"
                self._note(Finding(code, "T86", "gully", board.cell[here]))
            elif not shared:
                yield Finding("los.gully", "T86", "gully", board.cell[here], level=board.level[here], open=along)

    def _met(self, contact: Finding) -> Iterator[Finding]:
        """A contact, unless it is with a vertex alone and the reading ``vertex_contact`` passes it by.

        **Rule:** 10.1.
        """
        if self.vertex or not contact.open:
            yield contact
        else:
            contact.code = "los.past_vertex"
            self._note(contact)

    def _note(self, finding: Finding) -> None:
        if self.everything:
            self.sight.notes.append(finding)

    def _blazing_ends(self) -> Iterator[Finding]:
        """A blaze in the hex of an end, by the reading ``blaze_ends``. **Rule:** 10.1, T79."""
        board = self.board
        if "10.2.1" in self.without:
            return
        for i, crossing in ((self.start, self.ray.start), (self.end, self.ray.end)):
            if board.blaze[i]:
                at = Fraction(crossing.enter, self.ray.den)
                contact = Finding("los.blaze", "T79", "blaze", board.cell[i], at=at, open=True)
                if board.blaze_ends:
                    yield contact
                else:
                    contact.code = "los.blaze_end"
                    self._note(contact)

    def _next_to_crest(self) -> Iterator[Finding]:
        """Adjacent hexes whose crest is drawn in the lower one, by the reading ``adjacent_hexes``.

        **Rule:** T88.3.2.
        """
        for contact in self._relief():
            contact.cell, contact.open = self.board.cell[self.end], True
            if not self.board.adjacent_seen:
                yield contact
            else:
                contact.code = "los.adjacent_crest"
                self._note(contact)

    def _blazes(self) -> Iterator[Finding]:
        for mid in self.mids:
            i = self.start + mid.offset
            if self.board.blaze[i]:
                at, corner = Fraction(mid.enter, self.ray.den), mid.enter == mid.leave
                contact = Finding("los.blaze", "10.2.1", "blaze", self.board.cell[i], at=at, open=corner)
                yield from self._met(contact)

    def _relief(self) -> Iterator[Finding]:
        board, ray, top = self.board, self.ray, self.top
        level = board.level
        if top != self.low and "T88.3.2" not in self.without:
            crest = ""
            if self._ground_end(top) >= ray.start.leave:
                crest = next(
                    (board.cell[self.start + m.offset] for m in self.mids if level[self.start + m.offset] >= top), ""
                )
                yield Finding(
                    "los.own_crest",
                    "T88.3.2",
                    "hill",
                    crest or board.cell[self.start],
                    level=top,
                    at=Fraction(ray.start.leave, ray.den),
                )
            for contact in self._hills(top, "los.crest", "T88.3.2"):
                if contact.cell != crest:
                    yield contact
        if "T88.3.3" not in self.without:
            yield from self._hills(top + 1, "los.hill", "T88.3.3")

    def _hills(self, least: int, code: str, rule: str) -> Iterator[Finding]:
        """Intermediate hexes where the line touches ground that high; a drawn hill may reach into a lower hex."""
        board = self.board
        if least in board.crests:
            spans = self._drawn_ground(least)
            for mid in self.mids:
                i = self.start + mid.offset
                low, high = Fraction(mid.enter, self.ray.den), Fraction(mid.leave, self.ray.den)
                at = next((max(t0, low) for t0, t1 in spans if t0 <= high and t1 >= low), None)
                if at is not None and i in board.cell:
                    yield Finding(code, rule, "hill", board.cell[i], level=max(least, board.level[i]), at=at)
            return
        masks = board.level_mask(least)
        for mid in self.mids:
            i = self.start + mid.offset
            if masks[i] >= 0:
                span = mid.span(masks[i])
                if span:
                    at = Fraction(span[0], self.ray.den)
                    yield Finding(code, rule, "hill", board.cell[i], level=board.level[i], at=at)
                elif self.everything and code == "los.crest":
                    self.sight.notes.append(
                        Finding("los.beside_crest", rule, "hill", board.cell[i], level=board.level[i])
                    )

    def _ground_end(self, level: int) -> Fraction | int:
        """Where the line leaves the ground of a level that it starts on, times den."""
        if level in self.board.crests:
            return next((t1 for t0, t1 in self._drawn_ground(level) if t0 == 0), Fraction(0)) * self.ray.den
        span = self.ray.start.span(self.board.level_mask(level)[self.start])
        return span[1] if span else 0

    def _drawn_ground(self, level: int) -> tuple[Span, ...]:
        return merge(s for points in self.board.crests[level] for s in self._spans(points))

    def _obstacles(self) -> Iterator[Finding]:
        board, start, top = self.board, self.start, self.top
        obstacle, level = board.obstacle, board.level
        lower_blocks = "T88.4" in self.without
        for mid in self._judged():
            i = start + mid.offset
            if not obstacle[i]:
                continue
            at = self._touch(mid, i)
            if at is None:
                continue
            if level[i] >= top or lower_blocks:
                contact = Finding("los.obstacle", "10.2", board.kind[i] or "", board.cell[i], level=level[i], at=at)
                contact.open = self._along_rail(mid, i)
                yield contact
            elif self._hides_the_end(mid, i):
                contact = Finding("los.blind", "T88.4.1", board.kind[i] or "", board.cell[i], level=level[i], at=at)
                contact.open = self._along_rail(mid, i)
                yield contact
            elif self.everything:
                self.sight.notes.append(
                    Finding("los.lower", "T88.4", board.kind[i] or "", board.cell[i], level=level[i], at=at)
                )

    def _hides_the_end(self, mid: Crossing, i: int) -> bool:
        """Whether a lower obstacle met in the last hex before the lower end makes that end its blind hex."""
        return (
            self.top != self.low
            and "T88.4.1" not in self.without
            and mid.enter < mid.leave
            and mid.leave >= self.ray.end.enter
            and self.low <= self.board.level[i]
        )

    def _own_sides(self) -> None:
        """Note the walls, hedges and fences of the two end hexes: they do nothing. **Rule:** 10.1, T84, T87, T97."""
        if not self.everything or "10.1" in self.without:
            return
        for key, at, _ in self.ray.end_sides:
            index = self.start * 3 + key
            barrier = self.board.barriers.get(index) or self.board.fences.get(index)
            if barrier:
                kind, side, level = barrier
                self._note(
                    Finding("los.own_side", RULE_OF_SIDE[kind], kind, "", side, 0, level, Fraction(at, self.ray.den))
                )

    def _barriers(self) -> Iterator[Finding]:
        for key, at, at_vertex in self._sides():
            barrier = self.board.barriers.get(key)
            if barrier:
                kind, side, level = barrier
                at_t = Fraction(at, self.ray.den)
                if level >= self.top or "T88.4" in self.without:
                    met = Finding(
                        "los.barrier", RULE_OF_SIDE[kind], kind, side=side, level=level, at=at_t, open=at_vertex
                    )
                    yield from self._met(met)
                elif self.everything:
                    self.sight.notes.append(Finding("los.lower_side", "T88.4", kind, side=side, level=level, at=at_t))

    def _sides(self) -> Iterator[tuple[int, int, bool]]:
        base = self.start * 3
        sides = (*self.ray.sides, *self.ray.end_sides) if "10.1" in self.without else self.ray.sides
        return ((base + key, at, at_vertex) for key, at, at_vertex in sides)

    def _judged(self) -> Iterable[Crossing]:
        """Hexes whose terrain counts: between the two ends, and those whose own drawing reaches out to the line."""
        mids: tuple[Crossing, ...] = self.mids
        if "10.1" in self.without:
            mids = (self.ray.start, *mids, self.ray.end)
        return (*mids, *self._reaching()) if self.board.spilling and not self.adjacent else mids

    def _reaching(self) -> Iterator[Crossing]:
        """Hexes beside the line whose own drawing may touch it."""
        board, ray = self.board, self.ray
        near = {self.start + c.offset for c in (ray.start, *self.mids, ray.end)}
        (px, py), (qx, qy) = board.grid.centre(board.cell[self.start]), board.grid.centre(board.cell[self.end])
        for i, (left, top, right, bottom) in board.spilling.items():
            if (
                i not in near
                and left <= max(px, qx)
                and right >= min(px, qx)
                and top <= max(py, qy)
                and bottom >= min(py, qy)
            ):
                x, y = board.grid.centre(board.cell[i])
                yield Crossing(i - self.start, (x - px, y - py), (qx - px, qy - py), ray.den)

    # -- what hinders it ----------------------------------------------------------------------------------------

    def _hindrances(self) -> Iterator[Finding]:
        board, start = self.board, self.start
        same_level = self.top == self.low
        lower_counts = "T88.5" in self.without
        for mid in self._judged():
            i = start + mid.offset
            value = board.hindrance[i]
            if value:
                at = self._touch(mid, i)
                if at is not None:
                    counts = (same_level and board.level[i] == self.top) or lower_counts
                    yield from self._terrain_hindrance(board.kind[i] or "", i, value, at, counts, mid)
            if board.rail[i] and board.rail_hindrance and mid.enter <= mid.leave:
                at = self._across_rail(mid, i)
                if at is not None:
                    counts = (same_level and board.level[i] == self.top) or lower_counts
                    yield from self._terrain_hindrance("rail", i, board.rail_hindrance, at, counts)
        if board.fences:
            for key, at_den, at_vertex in self._sides():
                fence = board.fences.get(key)
                if fence:
                    kind, side, level = fence
                    at, value = Fraction(at_den, self.ray.den), board.side_hindrance[kind]
                    met = Finding("los.fence", RULE_OF_SIDE[kind], kind, "", side, value, level, at, at_vertex)
                    if (same_level and level == self.top) or lower_counts:
                        yield from self._met(met)
                    elif self.everything:
                        met.code, met.rule, met.value = "los.other_level_side", "T88.5", 0
                        self._note(met)
        if board.any_smoke:
            yield from self._smoke()

    def _terrain_hindrance(
        self, kind: str, i: int, value: int, at: Fraction, counts: bool, mid: Crossing | None = None
    ) -> Iterator[Finding]:
        hindrance = Finding(
            "los.hindrance", "10.3", kind, self.board.cell[i], value=value, level=self.board.level[i], at=at
        )
        if counts:
            hindrance.open = mid is not None and self._along_rail(mid, i)
            yield hindrance
        elif self.everything:
            hindrance.code, hindrance.rule = "los.other_level", "T88.5"
            self.sight.notes.append(hindrance)

    def _smoke(self) -> Iterator[Finding]:
        board, start, ray = self.board, self.start, self.ray
        inherent = "10.3.4" not in self.without
        ends = (ray.start, ray.end) if inherent else ()
        for crossing in (*ends, *self.mids):
            i = start + crossing.offset
            value = board.smoke[i]
            if not value or not (inherent or crossing.span(0)):
                continue
            at, corner = Fraction(crossing.enter, ray.den), crossing.enter == crossing.leave
            contact = Finding("los.smoke", "10.3.4", "smoke", board.cell[i], value=value, at=at, open=corner)
            yield from self._met(contact)

    # -- contact with what is drawn -----------------------------------------------------------------------------

    def _touch(self, mid: Crossing, i: int) -> Fraction | None:
        """Where the line first touches the drawing of the terrain of a hex, roads cut out; None when it never does."""
        board = self.board
        roads = board.clear_rail[i] if "T93" in self.without else board.clear_way[i]
        own = board.drawn.get(i)
        if own:
            spans = self._between([s for points in own for s in self._spans(points)])
            at = uncovered(spans, self._roads()) if spans else None
            touched = min(low for low, _ in spans) if spans else None
        elif roads:
            at = mid.off_road(board.joined[i], roads)
            touched = self._entered(mid, i)
        else:
            at = touched = self._entered(mid, i)
        if self.everything and (at is None or at != touched):
            rail = touched is not None and not board.road[i]
            code, rule = (
                ("los.missed", "10.1")
                if touched is None
                else ((f"los.{'on' if at is None else 'off'}_{'rail' if rail else 'road'}", "T92" if rail else "T93"))
            )
            kind = board.kind[i] or ""
            self.sight.notes.append(Finding(code, rule, kind, board.cell[i], level=board.level[i], open=rail))
        return at

    def _entered(self, mid: Crossing, i: int) -> Fraction | None:
        """Where the line enters the terrain that fills a hex, as if no road went through it; None when it does not."""
        span = mid.span(self.board.joined[i])
        if span is None:
            return None
        return Fraction(span[0], self.ray.den) if self.everything else _SOMEWHERE

    def _along_rail(self, mid: Crossing, i: int) -> bool:
        """Whether the track would clear the terrain of a hex, by the other reading of ``rail_clears``.

        **Rule:** T92.
        """
        board = self.board
        if not self.everything or not board.rail[i] or i in board.drawn:
            return False
        return mid.off_road(board.joined[i], board.road[i] | board.rail[i]) is None

    def _across_rail(self, mid: Crossing, i: int) -> Fraction | None:
        """Where the line crosses the drawn track of a hex; None when it misses it or runs on it all through the hex."""
        den = self.ray.den
        low, high = Fraction(mid.enter, den), Fraction(mid.leave, den)
        track = [(max(t0, low), min(t1, high)) for t0, t1 in mid.strips(self.board.rail[i]) if t0 <= high and t1 >= low]
        if not track:
            return None
        if uncovered([(low, high)], track) is None:
            if self.everything:
                self.sight.notes.append(
                    Finding("los.on_track", "T92", "rail", self.board.cell[i], level=self.board.level[i])
                )
            return None
        roads = 0 if "T93" in self.without else self.board.road[i]
        left = uncovered(track, mid.strips(roads))
        if left is None and self.everything:
            self.sight.notes.append(
                Finding("los.road_over_track", "T93", "rail", self.board.cell[i], level=self.board.level[i])
            )
        return left

    def _between(self, spans: list[Span]) -> list[Span]:
        """What of the spans lies outside of the two end hexes (everything, when their terrain counts)."""
        if "10.1" in self.without:
            return spans
        low, high = Fraction(self.ray.start.leave, self.ray.den), Fraction(self.ray.end.enter, self.ray.den)
        return [(max(t0, low), min(t1, high)) for t0, t1 in spans if t0 <= high and t1 >= low]

    def _roads(self) -> list[Span]:
        """Spans of the line on any road: a drawing of one's own may reach over several hexes."""
        ray, ways = self.ray, self.board.clear_rail if "T93" in self.without else self.board.clear_way
        return [s for c in (ray.start, *self.mids, ray.end) for s in c.strips(ways[self.start + c.offset])]

    def _spans(self, points: tuple[tuple[int, int], ...]) -> tuple[tuple[Fraction, Fraction], ...]:
        grid, board = self.board.grid, self.board
        return polygon_spans(grid.centre(board.cell[self.start]), grid.centre(board.cell[self.end]), points)


#: Stands for "it touches, never mind where" when only the verdict is wanted.
_SOMEWHERE = Fraction(0)
