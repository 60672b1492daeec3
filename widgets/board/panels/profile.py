"""A line of sight seen from the side: ground, what stands on it, the straight line, and the point that decides.

Drawn from the ``profile`` of a result; each point bears its hex and its outline on the board, so that hovering a point
lights its hex, a hex or a step lights its point, and the page does all of it by itself (``static/bridge.js``).
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.marks import Drawn, SideLine
from tutor.core.phrases import number
from tutor.core.position import Position
from tutor.core.registry import Game, ask, game
from tutor.core.result import Result
from tutor.core.trace import hexes
from tutor.course.prose import rule_number
from widgets.board.board import Board
from widgets.board.paint.markers import pill
from widgets.board.paint.shapes import XY, Drawing
from widgets.board.paint.svg_writer import svg_body
from widgets.board.palette import Palette
from widgets.board.panels.clickable import PicturedPanel
from widgets.board.panels.verdict import board_link, rule_link

_TREES, _ROOFS = frozenset({"woods", "orchard"}), frozenset({"building", "village", "town", "city"})


@dataclass(frozen=True, slots=True)
class Mark:
    """One place of the profile: an end, or a contention point.

    Args:
        cell: hex, or the name a reader gave.
        x: hexes from the start.
        base, altitude: ground and top in metres.
        line: height of the sight line there.
        feature: what stands on the ground.
        margin: metres under the line, negative above it, None at the ends.
        blocks: whether it stops the line.
        end: whether it is one of the two ends.
    """

    cell: str
    x: float
    base: float
    altitude: float
    line: float
    feature: str | None = None
    margin: float | None = None
    blocks: bool = False
    end: bool = False


@dataclass(frozen=True, slots=True)
class SideView:
    """All that the picture shows.

    Args:
        marks: from the start to the end.
        deciding: index of the mark that decides, or None.
        state: clear or blocked.
        rule: id of the deciding rule.
        stop: hexes from the start where the line stops, None when it does not.
        smoke: hexes of smoke on the way.
    """

    marks: tuple[Mark, ...]
    deciding: int | None
    state: str
    rule: str | None
    stop: float | None
    smoke: tuple[str, ...] = ()


def side_view(result: Result[Any], position: Position) -> SideView | None:
    """What a result gives to draw, None when it has no profile.

    Args:
        result: of a line of sight, of a profile given by hand, or of a spotting (whose line is then asked).
        position: where it was asked.

    >>> from tutor import load_position
    >>> p = load_position("tcs", "livret-ldv")
    >>> view = side_view(ask(p, "los", start="01.11", end="04.10"), p)
    >>> view.state, view.marks[view.deciding].cell, view.rule
    ('blocked', '03.11', '8.3b')
    """
    terms = {name: operand.value for name, operand in result.trace.operands.items()}
    seen = result.value.from_side() if isinstance(result.value, Drawn) else None
    if seen is None:
        eye, target = terms.get("spotter"), terms.get("target")
        at = position.hex_of(eye) if isinstance(eye, str) and eye in position.by_id else None
        if at is None or target not in position.grid:
            return None
        return side_view(ask(position, "los", start=at, end=target), position)
    marks = _marks(seen, (terms["start"], terms["end"]) if seen.cells else ("Départ", "Arrivée"))
    rule, smoke = seen.rule, seen.smoke
    blocking = next((i for i, mark in enumerate(marks) if mark.blocks), None)
    tightest = next(
        (i for i, m in enumerate(marks) if seen.tightest is not None and m.cell == seen.points[seen.tightest].cell),
        None,
    )
    if seen.visible:
        return SideView(marks, tightest, "clear", None, None, smoke)
    if rule is None or rule == "8.3b" or (not smoke and blocking is not None and rule != "7.0"):
        stop = marks[blocking].x if blocking is not None else None
        return SideView(marks, blocking, "blocked", rule or result.trace.children[-1].rule, stop, smoke)
    if smoke and rule != "7.0":
        at_smoke = next((i for i, mark in enumerate(marks) if mark.cell in smoke), None)
        return SideView(marks, at_smoke, "blocked", rule, marks[at_smoke].x if at_smoke is not None else None, smoke)
    reach = position.state.get("visibility")
    return SideView(marks, None, "blocked", rule, float(reach) if isinstance(reach, int) else None, smoke)


def _marks(seen: SideLine, names: tuple[Any, Any]) -> tuple[Mark, ...]:
    start = Mark(str(names[0]), 0.0, seen.start, seen.start, seen.start, end=True)
    end = Mark(str(names[1]), float(seen.distance), seen.end, seen.end, seen.end, end=True)
    between = [
        Mark(p.cell, p.x, p.base, p.altitude, p.line, p.feature, p.margin, p.blocks)
        for p in seen.points
        if p.cell not in names
    ]
    return (start, *between, end) if seen.distance else (start,)


def metres(value: float) -> str:
    """A height in French.

    >>> metres(70.0), metres(200 / 3).replace("\\u00a0", " ")
    ('70\\xa0m', '66,7 m')
    """
    return f"{number(int(value) if value == int(value) else round(value, 1))}\u00a0m"


def feature_term(rules: Game, kind: str) -> str:
    """The French name of what stands on the ground, in lower case inside a sentence."""
    for table in ("terrain", "sides"):
        if table in rules.tables and rules.tables[table].has(kind):
            return rules.tables[table].term(kind).lower()
    return kind


def mark_text(mark: Mark, rules: Game) -> str:
    """A mark in one sentence.

    >>> mark_text(Mark("03.11", 2, 50, 70, 66.5, "woods", -3.5, True), game("tcs")).replace("\\u00a0", " ")
    '03.11 : sol à 50 m, bois jusqu’à 70 m ; la droite passe à 66,5 m. Il dépasse de 3,5 m et bloque.'
    """
    ground = f"{mark.cell}\u00a0: sol à {metres(mark.base)}"
    if mark.end:
        return f"{ground}, un des deux bouts de la ligne."
    top = f", {feature_term(rules, mark.feature)} jusqu’à {metres(mark.altitude)}" if mark.feature else ""
    assert mark.margin is not None
    if mark.blocks:
        verdict = (
            f"Il dépasse de {metres(-mark.margin)} et bloque." if mark.margin else "Il touche la droite et bloque."
        )
    elif mark.margin < 0:
        verdict = f"Il dépasse de {metres(-mark.margin)}."
    else:
        verdict = (
            "Il touche la droite sans dépasser." if not mark.margin else f"Il reste {metres(mark.margin)} dessous."
        )
    return f"{ground}{top}\u00a0; la droite passe à {metres(mark.line)}. {verdict}"


def caption(view: SideView, rules: Game) -> str:
    """What decides, in one sentence."""
    if view.state == "blocked" and view.deciding is None:
        return "Le relief n’y est pour rien\u00a0: la ligne est trop longue pour la visibilité du tour."
    if view.deciding is None:
        return "Rien ne se trouve entre les deux bouts."
    mark = view.marks[view.deciding]
    if view.state == "blocked" and mark.cell in view.smoke:
        return f"La fumée de {mark.cell} arrête la ligne, quelle que soit l’altitude."
    return ("Décisif, " if view.state == "blocked" else "Au plus juste, ") + mark_text(mark, rules)


@dataclass(frozen=True)
class Frame:
    """How metres and hexes lie in the picture, in its own pixels."""

    width: int
    height: int
    last: float
    low: float
    high: float

    LEFT, RIGHT, TOP, BOTTOM = 46, 20, 26, 40

    def x(self, hexes_: float) -> float:
        """Pixels of a distance in hexes."""
        return self.LEFT + (self.width - self.LEFT - self.RIGHT) * (hexes_ + 0.35) / (self.last + 0.7)

    def y(self, altitude: float) -> float:
        """Pixels of an altitude in metres."""
        return self.TOP + (self.height - self.TOP - self.BOTTOM) * (self.high - altitude) / (self.high - self.low)

    @property
    def foot(self) -> float:
        """Pixels of the lower edge of the ground."""
        return self.height - self.BOTTOM

    @property
    def step(self) -> float:
        """Pixels of one hex."""
        return self.x(1) - self.x(0)


def frame_of(view: SideView, narrow: bool) -> Frame:
    """The picture's frame: all heights fit, with some room above and below."""
    heights = [h for mark in view.marks for h in (mark.base, mark.altitude, mark.line)]
    low, high = min(heights), max(heights)
    room = max(10.0, (high - low) * 0.16)
    width, height = (360, 230) if narrow else (720, 260)
    return Frame(
        width, height, max(1.0, view.marks[-1].x), max(0.0, low - room) if low >= 0 else low - room, high + room
    )


def _scale(d: Drawing, frame: Frame, colours: Palette) -> None:
    step = next((s for s in (5, 10, 20, 50, 100, 200, 500) if (frame.high - frame.low) / s <= 6), 1000)
    first = -(-int(frame.low) // step) * step
    for altitude in range(first, int(frame.high) + 1, step):
        y = frame.y(altitude)
        d.line((frame.LEFT, y), (frame.width - 6, y), stroke=colours.line, width=1)
        d.text(number(altitude), frame.LEFT - 7, y, 12, colours.label, align="right")
    d.text("mètres", 6, 12, 12, colours.label, align="left")


def _ground(d: Drawing, view: SideView, frame: Frame, colours: Palette) -> None:
    top = [(frame.x(mark.x), frame.y(mark.base)) for mark in view.marks]
    top = [(frame.LEFT, top[0][1]), *top, (float(frame.width - 6), top[-1][1])]
    d.polygon([*top, (frame.width - 6, frame.foot), (frame.LEFT, frame.foot)], fill=colours.levels[1])
    d.lines([top], colours.crest, 2.2)


def _feature(d: Drawing, mark: Mark, frame: Frame, colours: Palette) -> None:
    if not mark.feature or mark.altitude <= mark.base:
        return
    x, top, foot = frame.x(mark.x), frame.y(mark.altitude), frame.y(mark.base)
    wide = min(frame.step * 0.62, 70.0)
    if mark.feature in _TREES:
        _trees(d, x, top, foot, wide, colours)
    elif mark.feature in _ROOFS:
        _roofs(d, x, top, foot, wide, colours)
    else:
        d.polygon(
            [(x - 5, foot), (x - 5, top), (x + 5, top), (x + 5, foot)],
            fill=colours.hedge,
            stroke=colours.hedge_line,
            width=1.4,
        )


def _trees(d: Drawing, x: float, top: float, foot: float, wide: float, colours: Palette) -> None:
    r = min(wide / 5, (foot - top) / 2)
    spots = [x - wide / 2 + r, x - wide / 4 + r / 2, x, x + wide / 4 - r / 2, x + wide / 2 - r]
    d.lines([[(s, top + r), (s, foot)] for s in spots[::2]], colours.crown_dark, 2.0)
    left, right, middle = x - wide / 2, x + wide / 2, (foot + top + r) / 2
    d.polygon(
        [(left, top + r), (right, top + r), (right, middle), (left, middle)],
        fill=colours.crown,
        alpha=0.55,
    )
    d.discs([(s, top + r, r, colours.crown if i % 2 else colours.crown_light) for i, s in enumerate(spots)])
    d.line((x - wide / 2, top), (x + wide / 2, top), stroke=colours.woods_line, width=1.4)


def _roofs(d: Drawing, x: float, top: float, foot: float, wide: float, colours: Palette) -> None:
    eaves = top + (foot - top) * 0.38
    for left, right in ((x - wide / 2, x - 1), (x + 1, x + wide / 2)):
        d.polygon(
            [(left, foot), (left, eaves), (right, eaves), (right, foot)],
            fill=colours.building,
            stroke=colours.building_line,
            width=1,
        )
        d.polygon(
            [(left - 2, eaves), ((left + right) / 2, top), (right + 2, eaves)],
            fill=colours.roof,
            stroke=colours.roof_shade,
            width=1,
        )
    d.line((x - wide / 2, top), (x + wide / 2, top), stroke=colours.building_line, width=1.4)


def _line_at(view: SideView, x: float) -> float:
    start, end = view.marks[0], view.marks[-1]
    return start.line + (end.line - start.line) * x / end.x if end.x else start.line


def _sight(d: Drawing, view: SideView, frame: Frame, colours: Palette) -> None:
    def at(x: float) -> XY:
        return frame.x(x), frame.y(_line_at(view, x))

    start, end = at(0), at(view.marks[-1].x)
    colour = colours.clear if view.state == "clear" else colours.blocked
    d.line(start, end, stroke=colours.halo, width=6, alpha=0.8)
    if view.stop is None:
        dash = () if view.state == "clear" else (0.1, 7)
        d.line(start, end, stroke=colour, width=3, dash=dash)
        if view.deciding is None:
            words, (x, y) = ("✓" if view.state == "clear" else rule_number(view.rule or "")), at(view.marks[-1].x / 2)
            with d.placed(x, y - 17, 0, 14):
                pill(d, 0, 0, words, colours.paper, colour, colour, 1.0)
    else:
        cut = at(min(view.stop, view.marks[-1].x))
        d.line(start, cut, stroke=colour, width=3)
        d.line(cut, end, stroke=colour, width=3, dash=(0.1, 7))
        x, y = cut
        d.discs([(x, y, 10.5, colours.halo), (x, y, 8.5, colour)])
        d.lines([[(x - 4, y - 4), (x + 4, y + 4)], [(x - 4, y + 4), (x + 4, y - 4)]], colours.counter_white, 2.4)
    for x, y in (start, end):
        d.discs([(x, y, 7, colours.halo), (x, y, 5, colour)])


def _margin(d: Drawing, view: SideView, frame: Frame, colours: Palette) -> None:
    """The gap between the line and what decides, measured; with the rule when it blocks."""
    if view.deciding is None or (view.stop is None and view.state == "blocked"):
        return
    mark = view.marks[view.deciding]
    colour = colours.blocked if view.state == "blocked" else colours.clear
    x, top, line = frame.x(mark.x), frame.y(mark.altitude), frame.y(mark.line)
    words = rule_number(view.rule) if view.rule else "✓"
    if mark.margin is not None and mark.cell not in view.smoke:
        d.line((x, top), (x, line), stroke=colour, width=2, dash=(3, 3))
        sign = "+" if mark.margin < 0 else "−" if mark.margin > 0 else ""
        gap = f"{sign}{metres(abs(mark.margin))}"
        words = f"{words} {gap}" if view.state == "clear" else f"{gap} · {words}"
    half = len(words) * 4.2 + 8
    beside = min(max(x, frame.LEFT + half), frame.width - 8 - half)
    with d.placed(beside, max(14.0, min(top, line) - 22), 0, 14):
        pill(d, 0, 0, words, colours.paper, colour, colour, 1.0)


def _names(d: Drawing, view: SideView, frame: Frame, colours: Palette) -> None:
    taken: list[tuple[int, float, float]] = []
    columns = _columns(view, frame)
    strong = [i for i, mark in enumerate(view.marks) if mark.end or i == view.deciding]
    for i in [*strong, *(i for i in range(len(view.marks)) if i not in strong)]:
        mark = view.marks[i]
        x, half = columns[i], len(mark.cell) * 4.0 + 3
        d.line((frame.x(mark.x), frame.foot), (x, frame.foot + 4), stroke=colours.label, width=1)
        free = [r for r in (0, 1) if all(r != row or x + half < lo or x - half > hi for row, lo, hi in taken)]
        if free:  # a crowded picture names the ends and what decides; the text beside it names all
            taken.append((free[0], x - half, x + half))
            ink = colours.ink if i in strong else colours.label
            d.text(mark.cell, x, frame.foot + 13 + 15 * free[0], 12.5, ink, bold=i in strong)


def _point(mark: Mark, deciding: bool, smoke: bool, frame: Frame, colours: Palette) -> Drawing:
    d = Drawing()
    x, y = frame.x(mark.x), frame.y(mark.altitude)
    if smoke:
        r = min(frame.step * 0.3, 24.0)
        d.discs(
            [
                (x + dx * r, frame.foot - r - k * r * 1.1, r * 0.8, colours.smoke_light)
                for k in range(4)
                for dx in (-0.5, 0.5)
            ],
            alpha=0.85,
        )
        d.text("fumée", x, frame.foot - r, 11, colours.counter_ink)
    if not mark.end:
        colour = colours.blocked if mark.blocks else colours.ink
        d.discs([(x, y, 6.5, colours.halo), (x, y, 4.8 if deciding or mark.blocks else 3.6, colour)])
    return d


def profile_svg(view: SideView, rules: Game, colours: Palette, board: Board | None = None, narrow: bool = False) -> str:
    """The picture; with a board, its points bear the hexes and outlines that the page links to it.

    Args:
        view: what to draw.
        rules: of the game.
        colours: palette.
        board: the board it belongs to.
        narrow: drawn for a phone.
    """
    frame = frame_of(view, narrow)
    under, over, names = Drawing(), Drawing(), Drawing()
    _scale(under, frame, colours)
    _ground(under, view, frame, colours)
    for mark in view.marks:
        _feature(under, mark, frame, colours)
    _sight(over, view, frame, colours)
    _margin(over, view, frame, colours)
    _names(names, view, frame, colours)
    points = "".join(
        _linked(
            view,
            i,
            svg_body(_point(mark, i == view.deciding, mark.cell in view.smoke, frame, colours)),
            frame,
            rules,
            board,
        )
        for i, mark in enumerate(view.marks)
    )
    verdict = "dégagée" if view.state == "clear" else "bloquée"
    return (
        f'<svg class="ldv-profile" viewBox="0 0 {frame.width} {frame.height}" role="group" stroke-linejoin="round" '
        'stroke-linecap="round"'
        f' aria-label="Profil de la ligne de vue, {verdict}. {escape(caption(view, rules), quote=True)}">'
        f"{svg_body(under)}{svg_body(names)}{svg_body(over)}{points}</svg>"
    )


def _columns(view: SideView, frame: Frame) -> list[float]:
    """Middles of the columns that answer the pointer: those of two hexes at one distance stand side by side."""
    at = [mark.x for mark in view.marks]
    return [frame.x(x + 0.2 * (2 * at[:i].count(x) - at.count(x) + 1)) for i, x in enumerate(at)]


def _linked(view: SideView, index: int, body: str, frame: Frame, rules: Game, board: Board | None) -> str:
    mark, xs = view.marks[index], _columns(view, frame)
    left = frame.LEFT if index == 0 else (xs[index - 1] + xs[index]) / 2
    right = frame.width - 6 if index == len(xs) - 1 else (xs[index] + xs[index + 1]) / 2
    text = escape(mark_text(mark, rules), quote=True)
    link = ""
    if board is not None and mark.cell in board.position.grid:
        link = board_link(board, hexes(mark.cell), mark.cell)
    return (
        f'<g class="ldv-profile-point" role="img" aria-label="{text}"{link}><title>{text}</title>'
        f'<rect class="ldv-profile-column" x="{left:.1f}" y="0" width="{right - left:.1f}" height="{frame.height}" '
        'rx="4"/>'
        f"{body}</g>"
    )


def profile_table(view: SideView, rules: Game) -> str:
    """The profile as text, folded."""
    rows = "".join(f"<li>{escape(mark_text(mark, rules))}</li>" for mark in view.marks)
    return f'<details class="ldv-twin"><summary>Le profil en texte</summary><ul>{rows}</ul></details>'


class ProfilePanel(PicturedPanel):
    """« De profil »: the line of sight of a board seen from the side."""

    def clear(self) -> None:
        """Show nothing."""
        self._shown: tuple[SideView, Game] | None = None
        self._write()

    def show(self, result: Result[Any], position: Position) -> None:
        """Show the profile of a result; nothing when it has none."""
        try:
            view = side_view(result, position)
        except TutorError:
            view = None
        self._shown = (view, game(position.game)) if view is not None else None
        self._write()

    def picture(self, colours: Palette, narrow: bool) -> str:
        """The line seen from the side, and the same as text."""
        if self._shown is None:
            return ""
        view, rules = self._shown
        return (
            f'<figure class="ldv-profile-figure" data-outcome="{view.state}"><h2 class="ldv-label">De profil</h2>'
            f"{profile_svg(view, rules, colours, self.board, narrow)}"
            f"<figcaption>{escape(caption(view, rules))}{_chip(rules, view.rule)}</figcaption></figure>"
            f"{profile_table(view, rules)}"
        )


def _chip(rules: Game, rule: str | None) -> str:
    return f" {rule_link(rules, rule)}" if rule else ""
