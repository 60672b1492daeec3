"""The odds of an example: one panel for each distribution that a question of odds gives."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import ipywidgets as ipw

from tutor.core.chances import Chances, Distribution
from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP, Phrases
from tutor.core.position import Position
from tutor.core.registry import ask, game
from tutor.core.result import Result
from tutor.core.typography import typography
from tutor.course.models import Odds
from widgets.board.panels.odds import OddsPanel
from widgets.host.prose import box

#: Code of the sentence under the odds, in a game's own phrases: which dice, which cards.
#: A question may have its own, under its name: ``odds.note.deck_odds``.
NOTE = "odds.note"


def odds_beside(game_id: str, ask: str, named: Odds | None) -> Odds | None:
    """The odds shown beside an answer: those that its author names, else its own when it is about odds.

    >>> odds_beside("combat_commander", "fire_odds", None)
    Odds(ask='fire_odds', with_={}, only=False)
    """
    rule = game(game_id).rule_of(ask)
    return named or (Odds(ask=ask) if rule is not None and rule.chances else None)


def distributions(value: Any, position: Position) -> list[tuple[str, dict[str, Fraction]]]:
    """The distributions in an answer about odds: (title, outcome -> probability), in reading order.

    Args:
        value: what a question of odds returned: a mapping, or what says itself what is shown of it.
        position: for the names of pieces.
    """
    phrases = game(position.game).phrases
    if isinstance(value, Mapping):
        shown: tuple[Distribution, ...] = (Distribution(value),)
    else:
        shown = value.distributions(lambda name: phrases.term(name) != name) if isinstance(value, Chances) else ()
    return [(_title(one, position, phrases), _shares(one, phrases)) for one in shown]


def _title(shown: Distribution, position: Position, phrases: Phrases) -> str:
    if shown.name:
        return _capital(phrases.term(shown.name))
    about = position.names.get(shown.about, shown.about)
    return f"Chances{NBSP}: {about}" if about else "Chances"


def _shares(shown: Distribution, phrases: Phrases) -> dict[str, Fraction]:
    return {_outcome(key, phrases): Fraction(share) for key, share in shown.shares.items()}


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
        spreads = distributions(result.value, position)
        while len(self._panels) < len(spreads):
            self._panels.append(OddsPanel())
            self.widget.children = tuple(panel.view for panel in self._panels)
        spread = (result.value.spread() if isinstance(result.value, Chances) else None) or None
        templates = game(position.game).phrases.templates
        note = typography(templates.get(f"{NOTE}.{self._odds.ask}", templates.get(NOTE, "")))
        for index, panel in enumerate(self._panels):
            if index >= len(spreads):
                panel.clear()
                continue
            panel.title, shares = spreads[index]
            panel.show(
                shares,
                spread=spread if index == 0 and len(spreads) == 1 else None,
                note=note if index == len(spreads) - 1 else "",
            )
        return result

    def clear(self) -> None:
        """Show nothing."""
        for panel in self._panels:
            panel.clear()
