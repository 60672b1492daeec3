"""What a replayed step shows besides the trace: the dice given, and what has changed on the board, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from tutor.core.effort import TooLarge, bounded
from tutor.core.phrases import NBSP, listing
from tutor.core.position import Piece, Position
from tutor.core.registry import game
from tutor.core.result import Result
from tutor.course.causes import smallest
from tutor.course.decisive import without
from tutor.course.sought import named

#: Arguments whose dice are not of a piece nor of a side.
_ROLLS = {"roll": "Jet", "targeting": "Ciblage"}


#: Most dice of one roll.
_MOST_DICE = 3
#: Where the spots of a die stand, on a grid of three by three.
_SPOTS = {1: "11", 2: "0022", 3: "001122", 4: "00022022", 5: "0002112022", 6: "000210122022"}
_COLOURS = (("white", "blanc"), ("red", "rouge"), ("white", "blanc"))


def dice_of(given: Mapping[str, Any], position: Position) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Dice of a declaration, with whose they are.

    Args:
        given: arguments of a question.
        position: names its pieces.

    >>> from tutor.core.registry import load_position
    >>> given = {"target": "E3", "roll": [4, 4], "defence": {"milice": [1, 3]}}
    >>> list(dice_of(given, load_position("combat_commander", "tour-hameau")))
    [('Jet', (4, 4)), ('Milice', (1, 3))]
    """
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from dice_of(value, position)
        elif isinstance(value, list) and 0 < len(value) <= _MOST_DICE and all(map(_die, value)):
            label = position.names.get(key) or _ROLLS.get(key) or game(position.game).phrases.term(key)
            yield _capital(label), tuple(value)


def _die(value: Any) -> bool:
    return type(value) is int and value in _SPOTS


def dice_html(given: Mapping[str, Any], position: Position) -> str:
    """The dice of a declaration as dice, and their sum; nothing when it has none.

    Args:
        given: arguments of a question.
        position: names its pieces.
    """
    rolls = []
    for label, dice in dice_of(given, position):
        faces = "".join(_face(value, colour) for value, (colour, _) in zip(dice, _COLOURS, strict=False))
        names = listing([f"{name} {value}" for value, (_, name) in zip(dice, _COLOURS, strict=False)])
        total = f'<b class="ldv-roll-sum">=&nbsp;{sum(dice)}</b>' if len(dice) > 1 else ""
        rolls.append(
            f'<span class="ldv-roll"><span class="ldv-roll-label">{escape(label)}</span>'
            f'<span class="ldv-dice-thrown" role="img" aria-label="{escape(f"dés : {names}")}">{faces}</span>{total}</span>'
        )
    return f'<p class="ldv-rolls">{" ".join(rolls)}</p>' if rolls else ""


def _face(value: int, colour: str) -> str:
    """A die, its spots up."""
    spots = _SPOTS[value]
    circles = "".join(
        f'<circle cx="{6 + 6 * int(spots[at])}" cy="{6 + 6 * int(spots[at + 1])}" r="2.1"/>'
        for at in range(0, len(spots), 2)
    )
    return (
        f'<svg class="ldv-die" data-die="{colour}" data-value="{value}" viewBox="0 0 24 24" aria-hidden="true">'
        f'<rect x=".75" y=".75" width="22.5" height="22.5" rx="4.5"/>{circles}</svg>'
    )


def reasons(result: Result[Any], position: Position) -> list[str]:
    """Why the rules refuse a choice, as prose with rule ids marked ``[[…]]``: what refuses it, then the rules that one
    has perhaps forgotten, without which it would be allowed.

    Args:
        result: refused.
        position: where it was tried.

    >>> from tutor.course.replay import Run, replay
    >>> move = Run.of("combat_commander", replay("combat_commander", "le-hameau")).try_out("separes")
    >>> reasons(move.result, move.before)[0]
    'Aucun hex adjacent ne relie C4 aux autres tireurs.'
    """
    rulebook = game(position.game)

    def allows(rules: tuple[str, ...]) -> bool:
        other = without(result, position, rules[0], rules[1:])
        return other is not None and other.computed

    try:
        with bounded():
            sets = smallest(result.consulted & set(rulebook.omittable), allows)
    except TooLarge:
        sets = ()
    refusing = [step.rule for step in result.refusals if step.rule in rulebook.sections]
    rules = list(sets[0]) if len(sets) == 1 else refusing[:1]
    lines = [
        rulebook.sentence(step, position) + ("" if step.rule in rules else f" [[{step.rule}]]")
        for step in result.refusals
    ]
    if rules:
        many = len(rules) > 1
        names = listing([named(rulebook, rule) for rule in rules])
        lines.append(f"Vous avez peut-être oublié {'les règles' if many else 'la règle'} {names}.")
    return lines


def changed(before: Position, after: Position) -> list[str]:
    """What has changed on the board, a line for each piece, then the points.

    Args:
        before, after: two situations of the same game.

    >>> from tutor.core.registry import load_position
    >>> p = load_position("combat_commander", "tour-hameau")
    >>> after = p.change({"piece.milice.status.broken": True, "piece.ganz": None})
    >>> [line.replace("\\u00a0", " ") for line in changed(p, after)]
    ['Hors jeu : Ganz.', 'Milice : démoralisation.']
    """
    gone = [before.names[piece.id] for piece in before.pieces if piece.id not in after.by_id]
    lines = [f"Hors jeu{NBSP}: {listing(gone)}."] if gone else []
    for piece in before.pieces:
        other = after.by_id.get(piece.id)
        name = piece.name or piece.id
        if other and (words := list(_piece(before, piece, other))):
            lines.append(f"{name}{NBSP}: {', '.join(words)}.")
    return lines + list(_points(before, after)) + list(_cleared(before, after))


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
    earlier = one if isinstance(one, dict) else {}
    for side, value in other.items():
        gained = int(value or 0) - int(earlier.get(side) or 0)
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
    points = position.state.get("points")
    if not isinstance(points, dict):
        return ""
    term = game(position.game).phrases.term
    sides = [f"{term(side)} {value}" for side, value in points.items()]
    return f"Points de Victoire gagnés{NBSP}: {listing(sides)}."


def _cleared(before: Position, after: Position) -> Iterator[str]:
    was = [p.id for p in before.pieces if p.activated and p.id in after.by_id]
    if was and not any(p.activated for p in after.pieces):
        yield "Plus aucune unité n’est activée."
