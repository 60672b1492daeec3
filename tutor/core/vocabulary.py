"""Words of a position that its game does not know: states, values of markers, open readings, circumstances.

What is possible to play is `problems`; a word that nothing knows is no fault of that kind: it would pass in silence, and the
rules would read it as they read nothing. So whoever writes a position is given_words, with the words that are allowed; what is
kept with such a word opens all the same, and is judged as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tutor.core.position import Piece, Position

#: What a closed list is left to: any word.
ANY = "any"
SIDES = ("axis", "allies")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the positions of a game may say where the rules know a closed list; None where any word will do.

    Args:
        kinds: of pieces.
        status: states of pieces.
        activated: what a piece may have been activated for.
        markers: value of each marker.
        state: words of each circumstance.
        settings: readings of each open point.
    """

    kinds: tuple[Any, ...] | None
    status: tuple[Any, ...] | None
    activated: tuple[Any, ...] | None
    markers: Mapping[str, tuple[Any, ...] | None]
    state: Mapping[str, tuple[Any, ...] | None]
    settings: Mapping[str, tuple[str, ...]]


def vocabulary(
    given_words: Mapping[str, Any],
    circumstances: Iterable[Mapping[str, Any]],
    rows: Mapping[str, Iterable[str]],
    settings: Mapping[str, Iterable[str]],
) -> Vocabulary:
    """The vocabulary of a game.

    Args:
        given_words: what its ``vocabulary.yaml`` says: a list of words, ``{table: id}`` for the rows of a table, or ``any``.
        circumstances: those of its ``circumstances.yaml``.
        rows: table id -> its rows.
        settings: open point -> its readings.

    >>> known = vocabulary({"status": ["broken"]}, [{"key": "night", "kind": "flag"}], {}, {})
    >>> known.status, known.state
    (('broken',), {'night': (True, False)})
    """

    def words(given: Any) -> tuple[Any, ...] | None:
        if given is None or given == ANY:
            return None
        return tuple(rows[given["table"]]) if isinstance(given, dict) else tuple(given)

    state: dict[str, tuple[Any, ...] | None] = {
        key: words(value) for key, value in given_words.get("state", {}).items()
    }
    for one in circumstances:
        kinds = {"side": SIDES, "flag": (True, False), "option": tuple(one.get("options", {}).values())}
        state.setdefault(one["key"], kinds.get(one["kind"]))
    return Vocabulary(
        words(given_words.get("kinds")),
        words(given_words.get("status")),
        words(given_words.get("activated")),
        {key: words(value) for key, value in given_words.get("markers", {}).items()},
        state,
        {name: tuple(readings) for name, readings in settings.items()},
    )


def unknown_words(position: Position, known: Vocabulary) -> Iterator[str]:
    """French sentences, one for each word of a position that its game does not know, with those that it knows.

    Args:
        position: well formed.
        known: what its game knows.

    >>> from tutor.core.registry import game, load_position
    >>> p = load_position("combat_commander", "plateau-livret").change({"setting.vertex_contact": "ignore"})
    >>> list(unknown_words(p, game("combat_commander").vocabulary))
    ['Réglages : « vertex_contact » ne peut pas valoir « ignore » ; choisissez parmi counts, ignored.']
    """
    yield from _choices("Réglages", position.settings, known.settings)
    yield from _choices("Circonstances", position.state, known.state)
    for kind, values in position.markers.items():
        for cell, value in values.items():
            if (allowed := known.markers.get(kind)) is not None and not _among(value, allowed):
                yield f"Marqueurs : {kind} en {cell} ne peut pas valoir « {_said(value)} » ; {_choose(allowed)}."
    for piece in position.pieces:
        yield from _of_piece(piece, known)


def _of_piece(piece: Piece, known: Vocabulary) -> Iterator[str]:
    name = piece.name or piece.id
    if known.kinds is not None and piece.kind not in known.kinds:
        yield f"{name} : « {piece.kind} » est un genre inconnu ; {_choose(known.kinds)}."
    for status in piece.status:
        if known.status is not None and status not in known.status:
            yield f"{name} : l’état « {status} » est inconnu ; {_choose(known.status)}."
    if piece.activated and known.activated is not None and piece.activated not in known.activated:
        others = _choose(known.activated) if known.activated else "ce jeu n’en connaît pas"
        yield f"{name} : l’activation « {piece.activated} » est inconnue ; {others}."


def _choices(heading: str, given: Mapping[str, Any], known: Mapping[str, tuple[Any, ...] | None]) -> Iterator[str]:
    for key, value in given.items():
        if key not in known:
            others = _choose(known) if known else "ce jeu n’en connaît pas"
            yield f"{heading} : « {key} » est inconnu ; {others}."
        elif (allowed := known[key]) is not None:
            for word in value if isinstance(value, list) else [value]:
                if not _among(word, allowed):
                    yield f"{heading} : « {key} » ne peut pas valoir « {_said(word)} » ; {_choose(allowed)}."


def _among(value: Any, allowed: Iterable[Any]) -> bool:
    """Whether a value is one of these; True is not 1, as YAML reads them."""
    return any(type(value) is type(one) and value == one for one in allowed)


def _said(value: Any) -> str:
    """A value as one writes it in YAML."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choose(allowed: Iterable[Any]) -> str:
    return f"choisissez parmi {', '.join(map(_said, allowed))}"
