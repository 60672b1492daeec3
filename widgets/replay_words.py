"""What a replayed step shows besides the trace: the dice given, and what has changed on the board, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from tutor.core.phrases import NBSP, listing
from tutor.core.position import Piece, Position
from tutor.core.registry import game

#: Arguments whose dice are not of a piece nor of a side.
_ROLLS = {"roll": "Jet", "targeting": "Ciblage"}


def dice_of(given: Mapping[str, Any], position: Position) -> Iterator[tuple[str, tuple[int, int]]]:
    """Dice of a declaration, with whose they are.

    Args:
        given: arguments of a question; position: names its pieces.

    >>> from tutor.core.registry import load_position
    >>> list(dice_of({"target": "E3", "roll": [4, 4], "defence": {"milice": [1, 3]}}, load_position("combat_commander", "tour-hameau")))
    [('Jet', (4, 4)), ('Milice', (1, 3))]
    """
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from dice_of(value, position)
        elif isinstance(value, list) and len(value) == 2 and all(type(die) is int and 1 <= die <= 6 for die in value):
            label = position.names.get(key) or _ROLLS.get(key) or game(position.game).phrases.term(key)
            yield _capital(label), (value[0], value[1])


def dice_html(given: Mapping[str, Any], position: Position) -> str:
    """The dice of a declaration as small squares; nothing when it has none."""
    rolls = [
        f'<span class="ldv-roll"><span class="ldv-roll-label">{escape(label)}</span>'
        f'<span class="ldv-die" data-die="white">{white}</span><span class="ldv-die" data-die="red">{red}</span></span>'
        for label, (white, red) in dice_of(given, position)
    ]
    return f'<p class="ldv-rolls">{" ".join(rolls)}</p>' if rolls else ""


def changed(before: Position, after: Position) -> list[str]:
    """What has changed on the board, a line for each piece, then the points.

    Args:
        before, after: two situations of the same game.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("combat_commander", "tour-hameau")
    >>> [line.replace("\\u00a0", " ") for line in changed(p, p.change({"piece.milice.status.broken": True, "piece.ganz": None}))]
    ['Hors jeu : Ganz.', 'Milice : démoralisation.']
    """
    gone = [before.names[piece.id] for piece in before.pieces if piece.id not in after.by_id]
    found = [f"Hors jeu{NBSP}: {listing(gone)}."] if gone else []
    for piece in before.pieces:
        other = after.by_id.get(piece.id)
        name = piece.name or piece.id
        if other and (words := list(_piece(before, piece, other))):
            found.append(f"{name}{NBSP}: {', '.join(words)}.")
    return found + list(_points(before, after)) + list(_cleared(before, after))


def _piece(before: Position, piece: Piece, other: Piece) -> Iterator[str]:
    term = game(before.game).phrases.term
    if piece.at != other.at:
        yield f"{piece.at} → {other.at}"
    for status in other.status:
        if status not in piece.status:
            yield term(status).lower()
    for status in piece.status:
        if status not in other.status:
            yield f"plus de {term(status).lower()}" if status != "broken" else "de retour sur sa face normale"


def _points(before: Position, after: Position) -> Iterator[str]:
    one, other = before.state.get("points"), after.state.get("points")
    if not isinstance(other, dict) or one == other:
        return
    term = game(before.game).phrases.term
    held = one if isinstance(one, dict) else {}
    for side, value in other.items():
        gained = int(value or 0) - int(held.get(side) or 0)
        if gained:
            yield f"{_capital(term(side))}{NBSP}: {gained:+d}{NBSP}PV ({value} en tout).".replace("-", "−")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def score(position: Position) -> str:
    """The points of each side since the beginning; "" when nobody has any.

    >>> from tutor.core.registry import load_position
    >>> score(load_position("combat_commander", "tour-hameau"))
    ''
    """
    held = position.state.get("points")
    if not isinstance(held, dict):
        return ""
    term = game(position.game).phrases.term
    sides = [f"{term(side)} {value}" for side, value in held.items()]
    return f"Points de Victoire gagnés{NBSP}: {listing(sides)}."


def _cleared(before: Position, after: Position) -> Iterator[str]:
    was = [p.id for p in before.pieces if p.activated and p.id in after.by_id]
    if was and not any(p.activated for p in after.pieces):
        yield "Plus aucune unité n’est activée."
