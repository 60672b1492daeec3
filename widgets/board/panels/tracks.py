"""The tracks of a game, drawn as tracks: time, victory points, losses, objectives. A touch moves a marker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, number, percent
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.trace import hexes
from widgets.board.board import Board
from widgets.board.palette import Palette
from widgets.board.panels.clickable import PicturedPanel
from widgets.board.panels.verdict import board_link

#: What each panel shows, from top to bottom.
ROWS = {"time": ("time", "victory"), "victory": ("victory", "objectives"), "losses": ("losses", "victory")}
#: Nearest end of the Victory track that is worth showing.
_NEAR = 10
_WORDS = {"time": "time", "sudden": "sudden_death", "victory": "victory"}


class Picture:
    """SVG of some tracks, one under the other.

    Args:
        before: value of the question ``tracks``.
        after: the same once the answer is carried out, None while it is hidden.
        colours: palette.
        board: lights the hexes of an objective, and says the game.
        narrow: drawn for a phone.
        still: nothing moves at a touch.
    """

    def __init__(
        self, before: Any, after: Any, colours: Palette, board: Board, narrow: bool, still: bool = False
    ) -> None:
        self.before, self.after, self.colours, self.board = before, after, colours, board
        self.narrow, self.still, self.known, self.width = narrow, still, after is not None, 360 if narrow else 720
        self.term = game(board.position.game).phrases.term
        self.parts: list[str] = []
        self.y = 0.0

    def svg(self, rows: tuple[str, ...]) -> str:
        """The rows that the position has something to show on; "" when there is none."""
        for row in rows:
            getattr(self, f"_{row}")()
        if not self.parts:
            return ""
        return (
            f'<svg class="ldv-tracks" viewBox="0 0 {self.width} {self.y + 2:.0f}" role="group" aria-label="Pistes"'
            f' stroke-linejoin="round" stroke-linecap="round">{"".join(self.parts)}</svg>'
        )

    # -- elements -------------------------------------------------------------------------------------------------

    def _text(
        self, text: str, x: float, y: float, size: float, ink: str, *, bold: bool = False, at: str = "middle"
    ) -> str:
        weight = ' font-weight="700"' if bold else ""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}" text-anchor="{at}"{weight}'
            f' dominant-baseline="central">{escape(text)}</text>'
        )

    def _rect(
        self, x: float, y: float, w: float, h: float, fill: str, stroke: str, more: str = "", r: float = 3
    ) -> str:
        return (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{r}" fill="{fill}" '
            f'stroke="{stroke}"{more}/>'
        )

    def _heading(self, text: str, right: str = "") -> None:
        self.y += 12
        self.parts.append(self._text(text, 1, self.y, 12.5, self.colours.ink, bold=True, at="start"))
        if right:
            self.parts.append(self._text(right, self.width - 1, self.y, 12, self.colours.label, at="end"))
        self.y += 12

    def _slider(self, name: str, label: str, span: tuple[int, int], now: int | None, spoken: str, body: str) -> None:
        """A track that a touch or the arrows move."""
        if self.still:
            self.parts.append(f'<g role="img" aria-label="{escape(f"{label}, {spoken}", quote=True)}">{body}</g>')
            return
        value = f' aria-valuenow="{now}" aria-valuetext="{escape(spoken, quote=True)}"' if now is not None else ""
        self.parts.append(
            f'<g role="slider" tabindex="0" class="ldv-track" data-name="{name}" '
            f'aria-label="{escape(label, quote=True)}"'
            f' aria-valuemin="{span[0]}" aria-valuemax="{span[1]}"{value}>{body}</g>'
        )

    # -- Time -----------------------------------------------------------------------------------------------------

    def _time(self) -> None:
        before = self.before
        if before.time is None or before.sudden_death is None:
            return
        self._heading(self.term("track_time"), f"prochaine avancée{NBSP}: case {before.time + 1}" if self.known else "")
        spaces = list(before.ends)
        wide = (self.width - 2) / len(spaces)
        self._slider(
            "time",
            self.term("marker_time"),
            (0, spaces[-1]),
            before.time,
            f"case {before.time}",
            self._clock(spaces, wide),
        )
        self.y += 46
        self._slider(
            "sudden",
            self.term("marker_sudden"),
            (1, spaces[-1]),
            before.sudden_death,
            f"case {before.sudden_death}",
            self._flags(spaces, wide),
        )
        self.y += 34
        if self.known:
            self._bars(spaces, wide)
        self.y += 10

    def _clock(self, spaces: list[int], wide: float) -> str:
        c, before, body = self.colours, self.before, []
        for space in spaces:
            x = 1 + space * wide
            fill = c.levels[0] if space < before.time else c.ground
            body.append(f'<g data-space="{space}">{self._rect(x, self.y, wide, 44, fill, c.frame)}')
            middle = x + wide * (0.28 if space in before.arrivals else 0.5)
            body.append(self._text(str(space), middle, self.y + 9, 11.5, c.ink) + "</g>")
        for space, names in before.arrivals.items():
            if space in spaces:
                body.append(self._waiting(1 + (space + 0.72) * wide, self.y + 9, names))
        body.append(self._dial(1 + (before.time + 0.5) * wide, self.y + 28))
        if self.known and self.after.time not in (None, before.time) and self.after.time in spaces:
            body.append(self._ghost(1 + (before.time + 0.5) * wide, 1 + (self.after.time + 0.5) * wide, self.y + 28))
        if self.known and before.time < spaces[-1]:
            more = ' stroke-width="2.4" stroke-dasharray="5 4" pointer-events="none"'
            body.append(self._rect(2 + (before.time + 1) * wide, self.y + 1, wide - 2, 42, "none", c.olive, more))
        return "".join(body)

    def _dial(self, x: float, y: float) -> str:
        c = self.colours
        return (
            f'<g pointer-events="none"><circle cx="{x:.1f}" cy="{y:.1f}" r="11" fill="{c.counter_white}" '
            f'stroke="{c.olive}" stroke-width="3"/>'
            f'<path d="M{x:.1f} {y - 6.5:.1f}V{y:.1f}L{x + 4.5:.1f} {y + 3:.1f}" fill="none" stroke="{c.counter_ink}" '
            'stroke-width="2.2"/></g>'
        )

    def _ghost(self, start: float, end: float, y: float) -> str:
        """Where a marker goes."""
        turn = 1 if end > start else -1
        return (
            f'<g pointer-events="none" fill="none" stroke="{self.colours.olive}" stroke-width="2.4">'
            f'<circle cx="{end:.1f}" cy="{y:.1f}" r="10" stroke-dasharray="4 3"/>'
            f'<path d="M{start + 13 * turn:.1f} {y:.1f}H{end - 13 * turn:.1f}m{-4 * turn} -4l{4 * turn} 4l{-4 * turn} '
            '4"/></g>'
        )

    def _waiting(self, x: float, y: float, names: tuple[str, ...]) -> str:
        """Units that come in when Time gets there."""
        c, position = self.colours, self.board.position
        side = position.by_id[names[0]].side if names[0] in position.by_id else "axis"
        light, deep = (getattr(c, f"{side}_{tone}") for tone in ("light", "deep"))
        said = f"Renforts{NBSP}: {', '.join(position.names.get(n, n) for n in names)}"
        return (
            "<g "
            f'pointer-events="none"><title>{escape(said)}</title>{self._rect(x - 7, y - 7, 14, 14, light, deep, r=3)}'
            f"{self._text(f'+{len(names)}', x, y, 9.5, c.counter_ink, bold=True)}</g>"
        )

    def _flags(self, spaces: list[int], wide: float) -> str:
        c, at, body = self.colours, self.before.sudden_death, []
        for space in spaces[1:]:
            more = f' data-space="{space}"'
            body.append(self._rect(1 + space * wide, self.y, wide, 30, c.paper if space < at else c.halo, c.line, more))
        x, y = 1 + (at + 0.5) * wide, self.y + 15
        body.append(
            f'<g pointer-events="none"><path d="M{x - 7:.1f} {y + 11:.1f}V{y - 11:.1f}L{x + 9:.1f} '
            f'{y - 5:.1f}L{x - 7:.1f} {y + 1:.1f}"'
            f' fill="{c.blocked}" stroke="{c.ink}" stroke-width="1.8"/></g>'
        )
        if not self.narrow:
            words = self.term("sudden_space").split()
            body += [self._text(word, 1 + wide / 2, self.y + 9 + 12 * i, 10.5, c.label) for i, word in enumerate(words)]
        return "".join(body)

    def _bars(self, spaces: list[int], wide: float) -> None:
        """Chance that the roll of each space ends the game."""
        c, foot = self.colours, self.y + 50
        for space in spaces:
            p: Fraction = self.before.ends[space]
            x, high = 1 + (space + 0.5) * wide, float(p) * 34
            now = space == self.before.time + 1
            if p:
                self.parts.append(
                    self._rect(
                        x - wide * 0.3, foot - high, wide * 0.6, max(high, 1), c.olive if now else c.crown, "none", r=2
                    )
                )
            said = number(round(float(p * 100))) if p else "–"
            self.parts.append(self._text(said, x, foot - high - 8, 11, c.ink, bold=now))
        self.y = foot + 11
        label = "Chance que le jet de cette case finisse la partie, en %"
        self.parts.append(self._text(label, self.width / 2, self.y, 11.5, c.label))
        self.y += 6

    # -- Victory --------------------------------------------------------------------------------------------------

    def _victory(self) -> None:
        now = self.before.victory
        if now is None:
            return
        then = self.after.victory if self.known and self.after.victory is not None else now
        far = _NEAR if max(abs(now), abs(then)) <= _NEAR else self.before.far
        self._heading(
            self.term("track_victory"), "" if self.narrow else "un seul marqueur, qui glisse vers l’un ou l’autre"
        )
        wide, c, body = (self.width - 2) / (2 * far + 1), self.colours, []

        def at(points: int) -> float:
            return 1 + (far - max(-far, min(far, points)) + 0.5) * wide

        for points in range(far, -far - 1, -1):
            fill = c.counter_white if not points else c.axis_light if points > 0 else c.allies_light
            body.append(
                f'<g data-space="{points}">{self._rect(at(points) - wide / 2, self.y, wide, 44, fill, c.frame, r=2)}'
            )
            shown = wide > 20 or points % 5 == 0
            body.append(
                (self._text(str(abs(points)), at(points), self.y + 9, 11, c.counter_ink) if shown else "") + "</g>"
            )
        size = min(12.0, wide * 0.52)
        body.append(self._disc(at(now), self.y + 29, now, size))
        if then != now:
            body.append(self._arrow(at(now), at(then), self.y + 29, then, size))
        self._slider("victory", self.term("marker_victory"), (-far, far), now, _leads(now, self.term), "".join(body))
        self.y += 56
        self.parts.append(self._text(f"◀ {_ahead(1, self.term)}", 1, self.y, 12, c.ink, at="start"))
        self.parts.append(self._text(f"{_ahead(-1, self.term)} ▶", self.width - 1, self.y, 12, c.ink, at="end"))
        score = _leads(now, self.term) + (f", puis {_leads(then, self.term)}" if then != now else "")
        if not self.narrow:
            self.parts.append(self._text(score, self.width / 2, self.y, 12.5, c.ink, bold=True))
        self.y += 14

    def _disc(self, x: float, y: float, points: int, size: float) -> str:
        c = self.colours
        return (
            f'<g pointer-events="none"><circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{c.olive}" '
            f'stroke="{c.counter_ink}" stroke-width="1.6"/>'
            f"{self._text(str(abs(points)), x, y, 12 if size > 10 else 10.5, c.paper, bold=True)}</g>"
        )

    def _arrow(self, start: float, end: float, y: float, points: int, size: float) -> str:
        c, turn = self.colours, 1 if end > start else -1
        far = abs(end - start) > 30
        shaft = (
            f'<path d="M{start + 13 * turn:.1f} {y:.1f}H{end - 13 * turn:.1f}m{-4 * turn} -4l{4 * turn} 4l{-4 * turn} '
            '4"/>'
        )
        return (
            f'<g pointer-events="none" fill="none" stroke="{c.axis_deep}" stroke-width="2.2">{shaft if far else ""}'
            f'<circle cx="{end:.1f}" cy="{y:.1f}" r="{size:.1f}" stroke-dasharray="4 3"/></g>'
            f"{self._text(str(abs(points)), end, y, 12 if size > 10 else 10.5, c.counter_ink, bold=True)}"
        )

    # -- Losses and objectives ------------------------------------------------------------------------------------

    def _losses(self) -> None:
        c = self.colours
        if self.before.losses:
            self._heading(self.term("track_losses"))
        for side, losses in self.before.losses.items():
            lost = (self.after if self.known else self.before).losses[side].lost
            term, spaces = self.term(side), max(_NEAR, losses.space)
            self.parts.append(self._text(_capital(term), 1, self.y + 16, 12.5, c.ink, at="start"))
            body = "".join(
                self._casualty(side, space, (self.width - 78) / spaces, lost, losses.space)
                for space in range(1, spaces + 1)
            )
            said = f"case {losses.space}, pertes{NBSP}: {lost}"
            self._slider(side, f"{self.term('marker_surrender')}, {term}", (1, spaces), losses.space, said, body)
            self.y += 40
        self.y += 4

    def _casualty(self, side: str, space: int, wide: float, lost: int, surrender: int) -> str:
        """A space of the losses: who fell there, and the white flag."""
        c, x = self.colours, 76 + (space - 1) * wide
        light, deep = (getattr(c, f"{side}_{tone}") for tone in ("light", "deep"))
        last, fallen = space == surrender, space <= lost
        edge = (c.blocked, ' stroke-width="2.4"') if last else (c.frame, "")
        body = self._rect(x + 1, self.y, wide - 2, 34, c.ground if space <= surrender else c.paper, *edge)
        if fallen:
            body += self._rect(x + wide / 2 - 10, self.y + 7, 20, 20, light, deep, r=4)
        if last:
            body += (
                f'<path d="M{x + wide / 2 - 6:.1f} {self.y + 29:.1f}v-24h13l-4 6l4 6h-13" fill="{c.counter_white}" '
                f'stroke="{c.counter_ink}" stroke-width="1.6"/>'
            )
        if fallen or not last:
            body += self._text(str(space), x + wide / 2, self.y + 17, 11.5, c.counter_ink if fallen else c.label)
        return f'<g data-space="{space}">{body}</g>'

    def _objectives(self) -> None:
        c, position = self.colours, self.board.position
        objectives = (self.after if self.known else self.before).objectives
        if not objectives:
            return
        self._heading("Objectifs", "" if self.narrow else "qui les tient, ce qu’ils valent par les pions ouverts")
        wide, control = self.width / len(objectives), position.state.get("control")
        for index, (objective, one) in enumerate(objectives.items()):
            holder = one.holder if self.known else control.get(str(objective)) if isinstance(control, dict) else None
            cells = [cell for cell, n in position.markers.get("objective", {}).items() if n == objective]
            fill = getattr(c, f"{holder}_light") if holder else c.ground
            ink, x = c.counter_ink if holder else c.ink, index * wide
            worth = f"{one.points}{NBSP}{self.term('victory_points')}" if self.known else "?"
            said = f"Objectif {objective}, en {', '.join(cells)}{NBSP}: {self.term(holder) if holder else 'personne'}"
            said += f", {worth}" if self.known else ""
            body = self._rect(
                x + 2,
                self.y,
                wide - 4,
                62,
                fill,
                getattr(c, f"{holder}_deep") if holder else c.frame,
                ' class="ldv-track-card" stroke-width="1.6"',
                6,
            )
            body += self._text(f"{objective}", x + wide / 2, self.y + 13, 14, ink, bold=True)
            body += self._text(
                _capital(self.term(holder)) if holder else "Personne", x + wide / 2, self.y + 32, 11.5, ink
            )
            body += self._text(worth, x + wide / 2, self.y + 49, 12.5, ink, bold=True)
            link = board_link(self.board, hexes(*cells), " ".join(cells))
            self.parts.append(
                f'<g role="img" aria-label="{escape(said, quote=True)}"{link}><title>{escape(said)}</title>{body}</g>'
            )
        self.y += 66


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ahead(points: int, term: Callable[[str], str]) -> str:
    """Which side is ahead: the first one when points are positive."""
    side = term("axis" if points > 0 else "allies")
    return f"{side} {'mènent' if side.startswith('les ') else 'mène'}"


def _leads(points: int, term: Callable[[str], str]) -> str:
    """Who leads, in words.

    >>> terms = {"axis": "l’Axe", "allies": "les Alliés", "victory_points": "PV"}.get
    >>> _leads(2, terms).replace(NBSP, " "), _leads(-1, terms).replace(NBSP, " "), _leads(0, terms)
    ('l’Axe mène de 2 PV', 'les Alliés mènent de 1 PV', 'égalité')
    """
    return f"{_ahead(points, term)} de {abs(points)}{NBSP}{term('victory_points')}" if points else "égalité"


def caption(tracks: Any, rows: tuple[str, ...], known: bool, term: Callable[[str], str]) -> str:
    """What the tracks say, in one or two sentences."""
    said = []
    if "time" in rows and tracks.time is not None and tracks.sudden_death is not None:
        said.append(
            f"{term('time_space')} en case {tracks.time}, {term('sudden_space')} en case {tracks.sudden_death}."
        )
        if known:
            p = tracks.ends.get(tracks.time + 1, Fraction(1))
            said.append(
                f"À la prochaine avancée, la partie finit dans {percent(p)} des cas."
                if p
                else "À la prochaine avancée, pas encore de jet."
            )
    if "victory" in rows and tracks.victory is not None:
        said.append(_capital(_leads(tracks.victory, term)) + ".")
    return " ".join(said)


class TracksPanel(PicturedPanel):
    """The tracks of a board's position.

    Args:
        board: whose position is shown.
        kind: ``time``, ``victory`` or ``losses``.
        moved: called with the changes of the position that a touch brings, None for tracks that are only looked at.
    """

    def __init__(self, board: Board, kind: str, moved: Callable[[Mapping[str, Any]], object] | None) -> None:
        self._rows, self._still = ROWS[kind], moved is None
        super().__init__(board)
        if moved is not None:
            self.view.on_asked(lambda name, space: moved(self._change(name, space)))

    def _change(self, name: str, space: int) -> dict[str, Any]:
        """What of the position a marker put in a space changes."""
        if name in _WORDS:
            return {f"state.{_WORDS[name]}": space}
        spaces = self.board.position.state.get("surrender")
        return {"state.surrender": {**(spaces if isinstance(spaces, dict) else {}), name: space}}

    def clear(self) -> None:
        """Show the markers alone: what the reader is asked for stays hidden."""
        self._after: Any = None
        self._write()

    def show(self, result: Result[Any], position: Position) -> None:
        """Show odds and values too, and where the answer leads the markers."""
        given = {name: operand.value for name, operand in result.trace.operands.items()}
        after = position
        if result.computed:
            try:
                after = position.change(game(position.game).aftermath(position, result.ask, given, result.value))
            except TutorError:
                after = position
        self._after = _read(after)
        if self._after and result.ask == "surrender":
            self._after = replace(self._after, losses={**self._after.losses, given["side"]: result.value})
        self._write()

    def picture(self, colours: Palette, narrow: bool) -> str:
        """The rows, and what they say."""
        before = _read(self.board.position)
        made = Picture(before, self._after, colours, self.board, narrow, self._still)
        drawn = made.svg(self._rows) if before else ""
        if not drawn:
            return ""
        seen = self._after if self._still and self._after else before
        sentences = caption(seen, self._rows, self._after is not None, made.term)
        touch = "Touchez une case pour y mettre le marqueur, ou servez-vous des flèches du clavier."
        more = "" if self._still else f" <small>{touch}</small>"
        return (
            f'<figure class="ldv-tracks-figure"><h2 class="ldv-label">Pistes</h2>{drawn}'
            f"<figcaption>{escape(sentences)}{more}</figcaption></figure>"
        )


def _read(position: Position) -> Any:
    """The tracks of a position, None when they cannot be read."""
    try:
        return ask(position, "tracks", trace=False).value
    except TutorError:
        return None
