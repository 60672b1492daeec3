"""How a field of the engine's answer becomes an answer form: choices, a number, places.

No widget, and no answer written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from tutor.core.errors import AnswerError, ContentError
from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.core.registry import Game, game
from tutor.course.answers import read_number
from tutor.course.arguments import with_value
from tutor.course.asking import Argument, Field, Question, lowered, word
from tutor.course.matching import exact
from tutor.course.models import Answer, Choice, parse_model
from widgets.editor.maps import numbers_text

#: The wrong choice beside a word, until the author writes others.
_ELSE = "Autre chose"
#: Fields that a question asks for by its own words.
_WHOLE = ("outcome", "value", "value.visible", "value.state")


def answer_for(field: Field, way: str, others: str, rulebook: Game | None = None) -> Answer:
    """The form of an answer by a field.

    Args:
        field: what is asked.
        way: ``number`` to have it typed, else chosen.
        others: wrong choices, with semicolons between.
        rulebook: the game, for its words.

    Raises:
        ContentError: a choice that is no number where numbers are chosen; no other number than the right one.

    >>> [c.when for c in answer_for(Field("value.visible", "Voit", "flag", True, "oui"), "", "").choices]
    [{'value': {'visible': True}}, {'value': {'visible': False}}]
    """
    if field.kind == "hexes":
        return parse_model(Answer, {"kind": "hexes", "from": field.path}, "réponse")
    if field.kind == "number" and way == "number":
        return parse_model(Answer, {"kind": "number", "from": field.path}, "réponse")
    if field.path == "outcome":
        pairs: list[tuple[str, Any]] = [("Oui", "computed"), ("Non", "refused")]
    elif field.kind == "flag":
        pairs = [("Oui", True), ("Non", False)]
    else:
        named = {
            value: label
            for value, label in (
                rulebook.words.values.get(field.path.rpartition(".")[2], {}) if rulebook else {}
            ).items()
            if field.kind == "text"
        }
        words = [text for part in others.split(";") if (text := part.strip(f" {NBSP}\u202f"))]
        if field.kind == "number" and way == "choice" and not words:
            words = _beside(field.value)
        pairs = [(_capital(field.shown), field.value), *((_capital(w), _value(field, w, rulebook)) for w in words)]
        pairs = [pair for i, pair in enumerate(pairs) if not any(pair[1] == earlier[1] for earlier in pairs[:i])]
        if len(pairs) < 2 and isinstance(field.value, str) and field.value in named:
            pairs = [(label, value) for value, label in named.items()]
        if len(pairs) < 2:
            if words and field.kind == "number":
                raise ContentError(
                    f"«{NBSP}{words[0]}{NBSP}» est la bonne réponse.", remedy="Écrivez d’autres nombres à côté d’elle."
                )
            if field.kind == "number":
                return answer_for(field, "number", "", rulebook)
            pairs.append((_ELSE, "autre"))
        pairs.sort(key=lambda pair: _order(pair[1]))
    return parse_model(
        Answer,
        {
            "kind": "choice",
            "choices": [{"label": label, "when": with_value({}, field.path, value)} for label, value in pairs],
        },
        "réponse",
    )


def _beside(value: Any) -> list[str]:
    """Numbers beside the right one, until the author writes others: a whole number's neighbours, else quarters.

    >>> _beside(5), _beside(0), _beside("1/2")
    (['4', '6'], ['1', '2'], ['1/4', '3/4'])
    """
    right = exact(value)
    if right is None:
        return []
    if right.denominator == 1:
        return [str(right - 1), str(right + 1)] if right else ["1", "2"]
    return [str(quarter) for n in (1, 2, 3) if (quarter := Fraction(n, 4)) != right]


def _order(value: Any) -> tuple[int, Any]:
    number = exact(value)
    return (1, str(value)) if number is None else (0, number)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _value(field: Field, text: str, rulebook: Game | None) -> Any:
    if field.kind != "number":
        return next((key for key in _vocabulary(rulebook) if _same(rulebook, key, text)), text)
    try:
        number = read_number(text)
    except AnswerError:
        number = ""
    if isinstance(number, str):
        raise ContentError(f"«{NBSP}{text}{NBSP}» n’est pas un nombre.", remedy="Séparez les nombres par « ; ».")
    return int(number.value) if number.value.denominator == 1 else str(number.value)


def _vocabulary(rulebook: Game | None) -> Iterable[str]:
    if rulebook is None:
        return
    for table in rulebook.tables.values():
        yield from table.rows


def _same(rulebook: Game | None, key: str, text: str) -> bool:
    return rulebook is not None and rulebook.phrases.term(key).casefold() == text.casefold()


def wording(label: str, field: Field, given: str = "") -> str:
    """The words of a question about one field of its answer, until the author writes his own.

    Args:
        label: the question.
        given: what is declared and does not show on the board, see :func:`declared`.

    >>> wording("Que vaut ce pion\u202f?", Field("value.range", "Portée", "number", 5, "5"))
    'Que vaut ce pion\u202f? On demande\xa0: portée.'
    >>> wording("Se voient-ils\u202f?", Field("value.visible", "Voit", "flag", True, "oui"))
    'Se voient-ils\u202f?'
    """
    about = lowered(field.label)
    wanted = "" if field.path in _WHOLE else f"On demande{NBSP}: {about}."
    return " ".join(part for part in (label, given, wanted) if part)


def declared(asked: Question, position: Position, values: Mapping[str, Any], free: Iterable[str] = ()) -> str:
    """What a question declares and a board does not mark, such as dice and ways, as sentences.

    Args:
        values: its arguments.
        free: those that the reader chooses, which he sees beside the board.

    >>> from tutor.core.registry import load_position
    >>> from tutor.course.asking import question
    >>> board = load_position("combat_commander", "livret-tir")
    >>> declared(question("combat_commander", "attack"), board, {"target": "M6", "roll": [5, 6], "jammed": True})
    'Jet de Tir\xa0: 5, 6. Arme enrayée.'
    """
    said = []
    for each in asked.arguments:
        value = values.get(each.name)
        marked = each.required and each.kind in ("hex", "piece", "pieces")
        if value in (None, [], {}, False) or marked or each.name in free or each.kind in ("records", "text"):
            continue
        text = _said(each, position, value)
        said.append(f"{each.label}{NBSP}: {text}." if text else f"{each.label}.")
    return " ".join(said)


def _said(each: Argument, position: Position, value: Any) -> str:
    """The value of an argument; "" for one that is simply so."""
    if isinstance(value, Mapping):
        return " ; ".join(f"{position.names.get(key, key)} {numbers_text(given)}" for key, given in value.items())
    labels = {**dict(each.options), **position.names, **(game(position.game).kit.sides if each.kind == "side" else {})}
    items = value if isinstance(value, list) else [value]
    named = [labels.get(one) or word(position, one) if isinstance(one, str) else one for one in items]
    return "" if value is True else numbers_text(named)


def field_of(answer: Answer) -> str:
    """Path of the field that an answer asks for; "" when it is of another make.

    >>> field_of(answer_for(Field("value.visible", "Voit", "flag", True, "oui"), "", ""))
    'value.visible'
    """
    if answer.from_:
        return answer.from_
    if not answer.choices:
        return ""
    path, here = [], answer.choices[0].when
    while isinstance(here, dict) and len(here) == 1:
        key, here = next(iter(here.items()))
        path.append(str(key))
    return ".".join(path)


def other_words(choices: Iterable[Choice], field: Field) -> list[str]:
    """Labels of the choices that the engine's answer does not fit.

    >>> seen = Field("value.fp", "PF", "number", 11, "11")
    >>> other_words(answer_for(seen, "choice", "9 ; 12").choices, seen)
    ['9', '12']
    """
    right = with_value({}, field.path, field.value)
    return [choice.label for choice in choices if choice.when != right and choice.label != _ELSE]
