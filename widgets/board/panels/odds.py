"""Exact odds as bars, with what they were before the last change; the spread of a roll as a small histogram."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from html import escape

from tutor.core.phrases import number, percent, signed
from widgets.board import layouts


class OddsPanel:
    """« Chances »: one bar for each outcome, its percentage, the exact fraction on demand.

    Showing other odds for the same outcomes leaves the former ones as a dashed ghost, so that one sees them move.
    Show ``panel.view``.

    >>> panel = OddsPanel()
    >>> panel.show({"Démoralisée": Fraction(7, 12), "Indemne": Fraction(5, 12)})
    >>> "58,3" in panel.view.value
    True
    """

    def __init__(self, title: str = "Chances") -> None:
        self.title = title
        self.view = layouts.text()
        self.view.add_class("ldv-odds")
        self._shown: dict[str, Fraction] = {}
        self._spread: dict[int, Fraction] = {}
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self._shown, self._spread = {}, {}
        self.view.value = ""
        layouts.show(self.view, False)

    def show(
        self,
        odds: Mapping[str, Fraction],
        *,
        previous: Mapping[str, Fraction] | None = None,
        spread: Mapping[int, Fraction] | None = None,
        least: int | None = None,
        note: str = "",
    ) -> None:
        """Show a distribution.

        Args:
            odds: French outcome -> probability, in reading order.
            previous: what the odds were; by default the last ones shown, when they spoke of the same outcomes.
            spread: roll -> probability, drawn as a histogram.
            least: rolls from here up are filled in olive, those below are pale.
            note: a sentence under the bars (which dice, which cards).
        """
        before = previous if previous is not None else (self._shown if set(self._shown) & set(odds) else {})
        picture = spread_svg(spread, least, self._spread) if spread else ""
        self.view.value = (
            f"<h2>{escape(self.title)}</h2>{picture}{odds_html(odds, before)}"
            + (f'<p class="ldv-note">{escape(note)}</p>' if note else "")
            + exact_html(odds)
        )
        layouts.show(self.view, True)
        self._shown, self._spread = dict(odds), dict(spread or {})


def odds_html(odds: Mapping[str, Fraction], before: Mapping[str, Fraction]) -> str:
    """The bars; a ghost where a share was another before."""
    rows = []
    for name, share in odds.items():
        old = before.get(name)
        moved = old is not None and old != share
        ghost = f";--before:{float(old) * 100:.2f}%" if moved and old is not None else ""
        change = f'<span class="ldv-moved">{_points(share - old)}</span>' if moved and old is not None else ""
        rows.append(
            f"<dt>{escape(name)}</dt>"
            f'<dd><span class="ldv-bar" style="--share:{float(share) * 100:.2f}%{ghost}"></span></dd>'
            f'<dd class="ldv-share"><b>{percent(share)}</b>{change}</dd>'
        )
    return f'<dl class="ldv-odds-rows">{"".join(rows)}</dl>'


def _points(change: Fraction) -> str:
    """A change in percentage points.

    >>> _points(Fraction(1, 40)).replace("\\u00a0", " ")
    '+2,5 pts'
    """
    value = round(float(change) * 100, 1)
    return f"{signed(value).replace('.', ',')}\u00a0pts"


def exact_html(odds: Mapping[str, Fraction]) -> str:
    """The exact fractions, folded."""
    items = "".join(
        f"<li>{escape(name)}\u00a0: {share.numerator}\u202f/\u202f{share.denominator}</li>"
        for name, share in odds.items()
    )
    return f'<details class="ldv-exact"><summary>Valeurs exactes</summary><ul>{items}</ul></details>'


def spread_svg(spread: Mapping[int, Fraction], least: int | None, before: Mapping[int, Fraction]) -> str:
    """A histogram of rolls.

    Args:
        spread: roll -> probability.
        least: first roll that is filled.
        before: the former spread, as a ghost.
    """
    rolls = range(min(spread), max(spread) + 1)
    top = max(max(spread.values()), max(before.values(), default=Fraction(0)))
    step, height = 28, 86
    bars = []
    for i, roll in enumerate(rolls):
        tall = float(spread.get(roll, Fraction(0)) / top) * height
        out = ' class="is-out"' if least is not None and roll < least else ""
        bars.append(_rect(out, i * step + 3, height - tall, step - 6, tall))
        if before and before.get(roll) != spread.get(roll):
            old = float(before.get(roll, Fraction(0)) / top) * height
            bars.append(_rect(' class="is-ghost"', i * step + 3, height - old, step - 6, old))
        bars.append(f'<text x="{i * step + step / 2}" y="{height + 14}">{number(roll)}</text>')
    words = "; ".join(f"{roll} : {percent(share)}" for roll, share in sorted(spread.items()))
    return (
        f'<svg class="ldv-spread" viewBox="0 0 {len(rolls) * step} {height + 18}" role="img"'
        f' aria-label="{escape(words)}">'
        f"{''.join(bars)}</svg>"
    )


def _rect(attributes: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect{attributes} x="{x}" y="{y:.1f}" width="{width}" height="{height:.1f}" rx="2"/>'
