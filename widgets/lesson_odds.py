"""The odds of an example: one panel for each distribution that a question of odds gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, Phrases
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.typography import typography
from tutor.course.models import Odds
from widgets.lesson_text import box
from widgets.odds import OddsPanel

#: Outcomes of a defence, in reading order, as the page says them.
OUTCOMES = {"nothing": "Indemne", "suppressed": "En suppression", "broken": "Démoralisée", "eliminated": "Éliminée"}
#: Code of the sentence under the odds, in a game's own phrases: which dice, which cards.
#: A question may have its own, under its name: ``odds.note.deck_odds``.
NOTE = "odds.note"
_MOST = 5


def distributions(value: Any, position: Position) -> list[tuple[str, dict[str, Fraction]]]:
    """The distributions in an answer about odds: (title, outcome -> probability), in reading order.

    Args:
        value: what a question of odds returned: a mapping, or an object with ``pieces``, ``hit``, or fractions.
        position: for the names of pieces.
    """
    if isinstance(value, Mapping):
        phrases = game(position.game).phrases
        return [("Chances", {_outcome(k, phrases): Fraction(p) for k, p in value.items()})]
    found: list[tuple[str, dict[str, Fraction]]] = []
    hit = getattr(value, "hit", None)
    if isinstance(hit, Fraction) and (hasattr(value, "pieces") or hasattr(value, "needed")):
        found.append((f"Chances{NBSP}: le ciblage", {"Touche": hit, "Manque": 1 - hit}))
    pieces = getattr(value, "pieces", None)
    if isinstance(pieces, Mapping):
        for name, odds in list(pieces.items())[:_MOST]:
            shares = {OUTCOMES.get(f.name, f.name): getattr(odds, f.name) for f in fields(odds)}
            found.append(
                (
                    f"Chances{NBSP}: {position.names.get(name, name)}",
                    {k: p for k, p in shares.items() if p or k != "Éliminée"},
                )
            )
        return found
    return found + _named(value, game(position.game).phrases) if is_dataclass(value) else found


def _named(value: Any, phrases: Phrases) -> list[tuple[str, dict[str, Fraction]]]:
    """The shares of an answer, then its spreads (number -> probability, or one probability after each step).

    Those that the game's phrases name; all shares when they name none.
    """
    named = [f.name for f in fields(value) if phrases.term(f.name) != f.name]
    shares = {_capital(phrases.term(n)): getattr(value, n) for n in named or [f.name for f in fields(value)]}
    found = [("Chances", {name: p for name, p in shares.items() if isinstance(p, Fraction)})]
    for name, spread in shares.items():
        if isinstance(spread, (list, tuple)):
            spread = dict(enumerate(spread, 1))
        if isinstance(spread, Mapping) and len(spread) > 1 and all(isinstance(p, Fraction) for p in spread.values()):
            found.append((name, {_outcome(k, phrases): p for k, p in spread.items()}))
    return [(title, shares) for title, shares in found if shares]


def _outcome(key: Any, phrases: Phrases) -> str:
    """A number stays one, even where a table has a row of that name."""
    return str(key) if str(key).isdigit() else _capital(phrases.term(key))


def _capital(term: str) -> str:
    return term[:1].upper() + term[1:]


class OddsStack:
    """The odds of an example, one panel under the other.

    Args:
        odds: the question; show ``stack.widget``.
    """

    def __init__(self, odds: Odds) -> None:
        self._odds = odds
        self._panels: list[OddsPanel] = []
        self.widget: ipw.Box = box(css="ldv-stack ldv-odds-stack")

    def show(self, position: Position, arguments: Mapping[str, Any]) -> Result[Any]:
        """Ask again, of this position; what the engine said, for who has more to say of it."""
        try:
            result = ask(position, self._odds.ask, trace=False, **self._odds.arguments(dict(arguments)))
        except TutorError:
            self.clear()  # what held before holds no more
            raise
        if not result.computed:
            self.clear()
            return result
        found = distributions(result.value, position)
        while len(self._panels) < len(found):
            self._panels.append(OddsPanel())
            self.widget.children = tuple(panel.view for panel in self._panels)
        spread = getattr(result.value, "totals", None) or None
        told = game(position.game).phrases.templates
        note = typography(told.get(f"{NOTE}.{self._odds.ask}", told.get(NOTE, "")))
        for index, panel in enumerate(self._panels):
            if index >= len(found):
                panel.clear()
                continue
            panel.title, shares = found[index]
            panel.show(
                shares,
                spread=spread if index == 0 and len(found) == 1 else None,
                note=note if index == len(found) - 1 else "",
            )
        return result

    def clear(self) -> None:
        """Show nothing."""
        for panel in self._panels:
            panel.clear()
