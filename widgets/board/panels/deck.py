"""A deck to draw from: the cards seen, those that remain pair by pair, and how the next roll is bent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, number
from tutor.core.position import Position
from tutor.core.registry import ask
from tutor.core.result import Result
from widgets.board.board import Board
from widgets.board.palette import Palette
from widgets.board.panels.clickable import PicturedPanel

#: Cards shown beside the pile.
_LATEST = 6
_PIPS = {1: (5,), 2: (1, 9), 3: (1, 5, 9), 4: (1, 3, 7, 9), 5: (1, 3, 5, 7, 9), 6: (1, 3, 4, 6, 7, 9)}


def _svg(width: int, height: int, label: str, body: str) -> str:
    return (
        f'<svg class="ldv-deck-part" viewBox="0 0 {width} {height}" style="max-width:{width}px" role="img"'
        f' aria-label="{escape(label, quote=True)}">{body}</svg>'
    )


def _text(text: str, x: float, y: float, size: float, ink: str, weight: int = 400) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{ink}" font-weight="{weight}" text-anchor="middle"'
        f' dominant-baseline="central">{escape(text)}</text>'
    )


def _die(face: int, x: float, y: float, side: float, red: bool, c: Palette) -> str:
    """A die, its corner at x, y."""
    fill, ink = (c.broken, c.counter_white) if red else (c.counter_white, c.counter_ink)
    pips = "".join(
        f'<circle cx="{x + side * (0.25 + 0.25 * ((spot - 1) % 3)):.1f}" '
        f'cy="{y + side * (0.25 + 0.25 * ((spot - 1) // 3)):.1f}" r="{side * 0.085:.1f}" fill="{ink}"/>'
        for spot in _PIPS[face]
    )
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{side}" height="{side}" rx="{side * 0.18:.1f}" fill="{fill}" '
        f'stroke="{c.counter_ink}"/>{pips}'
    )


def pile_svg(revealed: Any, size: int, c: Palette) -> str:
    """The draw pile, as thick as it is, and the last cards beside it, the newest first.

    Args:
        revealed: value of « reveal ».
        size: cards of a full deck.
        c: palette.
    """
    left, thick = revealed.remaining, 2 + round(revealed.remaining / size * 12)
    body = "".join(
        f'<rect x="{4 + 1.4 * i:.1f}" y="{24 - 1.4 * i:.1f}" width="62" height="86" rx="6" '
        f'fill="{c.olive if i == thick - 1 else c.ground}" stroke="{c.frame}"/>'
        for i in range(thick)
    )
    x = 4 + 1.4 * (thick - 1) + 31
    body += _text(str(left), x, 24 - 1.4 * (thick - 1) + 38, 22, c.paper, 700)
    body += _text("cartes" if left > 1 else "carte", x, 24 - 1.4 * (thick - 1) + 60, 12, c.paper)
    latest = list(reversed(revealed.seen[-_LATEST:]))
    for index, (white, red) in reversed(list(enumerate(latest))):
        at = 104 + index * 30
        dice = at + 5 if index == 0 else at + 37  # what a card shows beside the one above it
        body += f'<rect x="{at}" y="24" width="62" height="86" rx="6" fill="{c.halo}" stroke="{c.frame}"/>'
        body += _die(white, dice, 30, 20, False, c) + _die(red, dice, 54, 20, True, c)
        body += _text(f"= {white + red}", at + 44, 52, 15, c.ink, 700) if index == 0 else ""
    seen = ", ".join(f"{white}-{red}" for white, red in latest)
    return _svg(
        330, 118, f"Pioche{NBSP}: {left} cartes. Dernières cartes, la plus récente d’abord{NBSP}: {seen}.", body
    )


def left_svg(revealed: Any, copies: int, c: Palette) -> str:
    """The 36 pairs, white die by row, red die by column; a full mark for each card that remains.

    Args:
        revealed: value of « reveal ».
        copies: cards of a pair in a full deck.
        c: palette.
    """
    gone, body, cell, top = Counter(revealed.seen), "", 36, 30
    for face in range(1, 7):
        body += _die(face, top + (face - 1) * cell + 9, 6, 18, True, c) + _die(
            face, 6, top + (face - 1) * cell + 9, 18, False, c
        )
    for white in range(1, 7):
        for red in range(1, 7):
            x, y = top + (red - 1) * cell, top + (white - 1) * cell
            left = copies - gone[(white, red)]
            fresh = revealed.seen[-1] == (white, red)
            stroke = f'stroke="{c.hindered}" stroke-width="3"' if fresh else f'stroke="{c.line}"'
            body += (
                f'<rect x="{x + 1}" y="{y + 1}" width="{cell - 2}" height="{cell - 2}" rx="4" '
                f'fill="{c.paper if left else c.line}" {stroke}/>'
            )
            for mark in range(copies):
                fill = c.olive if mark < left else "none"
                body += (
                    f'<rect x="{x + 8 + mark * 11}" y="{y + 10}" width="8" height="16" rx="2" fill="{fill}" '
                    f'stroke="{c.olive if left else c.label}"/>'
                )
    exhausted = [f"{white}-{red}" for (white, red), n in sorted(gone.items()) if n == copies]
    label = f"Ce qu’il reste, paire par paire. Épuisées{NBSP}: {', '.join(exhausted) or 'aucune'}."
    return _svg(top + 6 * cell + 2, top + 6 * cell + 2, label, body)


def bent_svg(now: Mapping[int, Fraction], fresh: Mapping[int, Fraction], c: Palette) -> str:
    """The next roll: full bars for the cards that remain, a line for a fresh deck.

    Args:
        now, fresh: sum -> probability.
        c: palette.
    """
    body, wide, foot = "", 30, 176
    top = max(*now.values(), *fresh.values())
    for index, total in enumerate(sorted(fresh)):
        p, before, x = now.get(total, Fraction(0)), fresh[total], 8 + index * wide
        high, line = float(p / top) * 140, foot - float(before / top) * 140
        fill = c.good if p > before else c.blocked if p < before else c.olive
        sign = "▲" if p > before else "▼" if p < before else "="
        body += (
            f'<rect x="{x + 4}" y="{foot - high:.1f}" width="{wide - 8}" height="{high:.1f}" rx="2" fill="{fill}" '
            'fill-opacity=".8"/>'
        )
        body += f'<path d="M{x + 1} {line:.1f}h{wide - 2}" stroke="{c.ink}" stroke-width="2.2"/>'
        body += _text(number(round(float(p) * 100, 1)), x + wide / 2, min(foot - high, line) - 9, 10.5, c.ink)
        body += _text(str(total), x + wide / 2, foot + 12, 12.5, c.ink, 700) + _text(
            sign, x + wide / 2, foot + 27, 10, fill
        )
    spoken = ", ".join(f"{n}{NBSP}: {number(round(float(p) * 100, 1))}{NBSP}%" for n, p in now.items())
    return _svg(8 + 11 * wide + 8, 208, f"Chances du prochain jet. {spoken}.", body)


class DeckPanel(PicturedPanel):
    """The deck of « reveal », with a button to draw.

    Args:
        board: whose position the question is asked of.
        acted: called with the arguments that a touch changes.
    """

    def __init__(self, board: Board, acted: Callable[[Mapping[str, Any]], object]) -> None:
        super().__init__(board)
        self.view.on_asked(lambda name, value: acted({name: value} if name == "cards" else {name: value, "cards": 1}))

    def clear(self) -> None:
        """Show nothing."""
        self._shown: tuple[Any, Any, Mapping[str, Any]] | None = None
        self._write()

    def show(self, result: Result[Any], position: Position) -> None:
        """Show the deck as it is after the cards revealed."""
        try:
            fresh = ask(position, "deck_odds", trace=False).value
        except TutorError:
            return self.clear()
        given = {name: operand.value for name, operand in result.trace.operands.items()}
        self._shown = (result.value, fresh, given) if result.computed else None
        return self._write()

    def picture(self, colours: Palette, narrow: bool) -> str:
        """The pile, what remains of it, and the next roll."""
        if self._shown is None:
            return ""
        revealed, fresh, given = self._shown
        copies = fresh.cards // 36
        drawn, shuffle = len(revealed.seen), int(given.get("shuffle", 1))
        more = "" if revealed.remaining > 1 else " disabled"
        return (
            f'<figure class="ldv-deck"><h2 class="ldv-label">La pioche</h2><div class="ldv-deck-acts">'
            f'<button type="button" data-name="cards" data-value="{drawn + 1}"{more}>Tirer une carte</button>'
            f'<button type="button" data-name="shuffle" data-value="{shuffle % 99 + 1}">Rebattre</button></div>'
            f"{pile_svg(revealed, fresh.cards, colours)}<div class='ldv-deck-parts'>"
            f"<div>{left_svg(revealed, copies, colours)}<p>Ce qui reste{NBSP}: "
            "dé blanc à gauche, dé rouge en haut.</p></div>"
            f"<div>{bent_svg(revealed.next_roll, fresh.totals, colours)}<p>Prochain jet, en %. Le trait{NBSP}: "
            "une pioche neuve.</p></div></div></figure>"
        )
