"""What a mini-scenario says: where one is, how a decision is judged, what the dice made of it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import escape
from typing import Any

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.course.scenario import WAIT, Played, Skirmish

Inline = Callable[[str], str]
_FIRST = {3: "Bonne décision.", 2: "Presque la meilleure.", 1: "Il y avait mieux.", 0: "Il y avait bien mieux."}


def number(value: Fraction) -> str:
    """A number of points, with two decimals at most.

    >>> number(Fraction(7, 16)), number(Fraction(2)), number(Fraction(-1, 2))
    ('0,44', '2', '−0,5')
    """
    return f"{float(value):.2f}".rstrip("0").rstrip(".").replace(".", ",").replace("-", "−")


def heading(run: Skirmish, shown: Played | None) -> str:
    """Where one is: the decision and its number, or who plays."""
    if shown is None and run.turn == "end":
        return "Le bilan"
    if shown is not None and shown.judged is None:
        return f"{_capital(game(run.game_id).phrases.term(shown.side))}{NBSP}: leur réponse"
    at = shown.number if shown else run.number
    return f"Décision {at} sur {run.content.decisions}"


def points(run: Skirmish) -> str:
    """Points so far, and how many are the aim."""
    unit = run.content.unit if run.points in (-1, 0, 1) else f"{run.content.unit}s"
    return f"{run.points} {unit} sur {run.content.goal}"


def title_of(run: Skirmish, shown: Played) -> str:
    """What was ordered: « Tirer : Fusiliers sur D3 (Milice) »."""
    if shown.declared == WAIT:
        return f"Attendre{NBSP}: rien d’autre n’est permis"
    order = run.order(shown.declared)
    return f"{order.label}{NBSP}: {order.said(shown.before, shown.declared)}"


def judged(run: Skirmish, shown: Played, inline: Inline) -> str:
    """A decision against the best one, as HTML: the judgement first, the odds of both, the rule that separates them."""
    judgement = shown.judged
    if judgement is None:
        return ""
    head = f'<p class="ldv-scenario-said">{escape(title_of(run, shown))}</p>'
    if shown.declared == WAIT:
        return head
    order, option = run.order(shown.declared), run.order(judgement.option)
    own = f"{_capital(order.chances(shown.before, shown.declared))}{NBSP}: {_expected(run, judgement.value)}."
    best = "C’était ce que vous pouviez faire de mieux."
    if judgement.score < 3 or judgement.best > judgement.value:
        best = (
            f"Le mieux{NBSP}: {option.label.lower()}, {option.said(shown.before, judgement.option)}{NBSP}; "
            f"{option.chances(shown.before, judgement.option)}, {_expected(run, judgement.best)}."
        )
    right = "true" if judgement.score >= 2 else "false"
    return (
        f'{head}<div class="ldv-diagnosis" data-right="{right}"><p><strong>{_FIRST[judgement.score]}</strong> '
        f"{judgement.score} sur 3. {escape(own)}</p><p>{escape(best)} {inline(judgement.why)}</p></div>"
    )


def _expected(run: Skirmish, value: Fraction) -> str:
    return f"{number(value)} {run.content.unit} en moyenne"


def luck(shown: Played) -> str:
    """What the dice made of a decision, as HTML; "" where no die was rolled, or of the opponent."""
    judgement = shown.judged
    if judgement is None or not shown.given.keys() & {"roll", "shots", "rolls", "axis"}:
        return ""
    good, lucky = judgement.score >= 2, shown.gained >= judgement.value and shown.gained > 0
    said = "Bonne décision, " if good else "Décision moyenne, " if judgement.score else "Mauvaise décision, "
    return f'<p class="ldv-scenario-luck">{said}{"bons" if lucky else "mauvais"} dés.</p>'


def refusal(result: Result[Any], position: Position, inline: Inline) -> str:
    """Every reason why the rules refuse an order, as HTML."""
    rulebook = game(position.game)
    reasons = "".join(
        f"<li>{inline(rulebook.sentence(step, position))} {inline(f'[[{step.rule}]]')}</li>" for step in result.refusals
    )
    return (
        '<div class="ldv-diagnosis" data-right="false"><p><strong>Les règles refusent.</strong> '
        f"Cela ne vous coûte rien{NBSP}: choisissez autrement.</p><ul>{reasons}</ul></div>"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
