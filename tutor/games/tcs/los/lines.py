"""Lines of sight as this game judges them: the points of contention of a profile, and what comes of it.

**Rule:** 7.0, 8.1, 8.3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from tutor.core.marks import Drawn, Seen, SideLine, SidePoint, Sighting, state_of
from tutor.core.trace import Place


@dataclass(frozen=True, slots=True)
class Contention:
    """One point of contention (PdC) of a profile.

    Args:
        cell: its hex, or the name a reader gave it.
        distance: hexes from the low end (from the start when both ends are level).
        from_start: hexes from the start.
        base: elevation of the ground in metres.
        feature: what adds to it, or None.
        height: how much.
        altitude: base + height.
        line: altitude of the straight line there.
        margin: line less altitude, negative if it blocks.
        blocks: whether it stops the line.
        missed: terrain drawn there that the line passes by.
    """

    cell: str
    distance: int
    from_start: int
    base: int
    feature: str | None
    height: int
    altitude: int
    line: Fraction
    margin: Fraction
    blocks: bool
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile(Drawn):
    """A line of sight seen from the side, to be judged or drawn.

    Args:
        start, end: altitudes of the ends in metres.
        distance: hexes between them.
        low_end: ``start`` or ``end``.
        points: contention points by distance from the start.
        visible: whether none is above the line.
        tightest: index in ``points`` of the smallest margin, or None.
    """

    start: int
    end: int
    distance: int
    low_end: str
    points: tuple[Contention, ...]
    visible: bool
    tightest: int | None

    def seen(self) -> Seen:
        """What it comes to; a profile given by hand is between no two hexes of the board, and not drawn there."""
        return Seen(state_of(self.visible), "8.3b")

    def from_side(self) -> SideLine:
        """The line over its points of contention."""
        points = tuple(
            SidePoint(p.cell, p.from_start, p.base, p.altitude, float(p.line), p.feature, float(p.margin), p.blocks)
            for p in self.points
        )
        return SideLine(self.start, self.end, self.distance, points, self.tightest, self.visible)


@dataclass(frozen=True, slots=True)
class LineOfSight(Sighting):
    """A line of sight.

    Args:
        visible: whether the two hexes see each other.
        distance: in hexes.
        rule: id of the rule that blocks it, or None.
        place: where.
        margin: metres between the line and its tightest point, negative when it blocks, None without contention point.
        crossed: hexes between the two ends that the line touches, in order.
        blocking: those that stop it.
        smoke: hexes whose smoke stops it.
        profile: the line seen from the side.
        method: how elevations were found.
    """

    visible: bool
    distance: int
    rule: str | None
    place: Place | None
    margin: Fraction | None
    crossed: tuple[str, ...]
    blocking: tuple[str, ...]
    smoke: tuple[str, ...]
    profile: Profile
    method: str

    def seen(self) -> Seen:
        """What it comes to, in the words that all games share."""
        acting = () if self.visible else self.blocking
        return Seen(state_of(self.visible), self.rule, place=self.place, crossed=self.crossed, acting=acting)

    def from_side(self) -> SideLine:
        """Its profile, and what else stops it."""
        line = self.profile.from_side()
        return replace(line, visible=self.visible, rule=self.rule, smoke=self.smoke, cells=True)
