"""Figures in French text: the numbers and the places that a sentence says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fractions import Fraction

#: What a question asks for: exact numbers and names of places.
Wanted = frozenset[Fraction | str]
_WORDS = ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze")
_NUMBER = re.compile(r"(?<![\w.,/])([+-]?\d+(?:[.,]\d+)?)(?:\s*(?:/|sur)\s*(\d+))?\s*(%)?(?![\w])")
_COUNTER = re.compile(r"\b\d+(?:-\d+){2,}\b")
_PLACE = re.compile(r"\b([A-Z]{1,2}\d{1,2}|\d{2}\.\d{2})\b")
_PARTS = re.compile(r"\d+|\D+")
_WORD = re.compile(rf"\b({'|'.join(_WORDS)}|une)\b", re.IGNORECASE)
_NONE = re.compile(r"\b(aucune?|pas d[e’]|sans|rien|jamais)\b", re.IGNORECASE)


def plain(text: str) -> str:
    """A text with plain spaces and signs."""
    return re.sub(r"[\u00a0\u202f]", " ", text).replace("−", "-").replace("–", "-")


def places(text: str) -> frozenset[str]:
    """Names of places in a text.

    >>> sorted(places("De B3 à 07.12, 4 hexs."))
    ['07.12', 'B3']
    """
    return frozenset(_PLACE.findall(plain(text)))


def in_order(named: Iterable[str]) -> list[str]:
    """Names of places in reading order, the numbers in them as numbers.

    >>> in_order({"M10", "L6", "M6"})
    ['L6', 'M6', 'M10']
    """
    return sorted(
        named,
        key=lambda name: [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in _PARTS.findall(name)],
    )


def numbers(text: str, words: bool = False) -> frozenset[Fraction]:
    """Numbers in a text; percentages and odds as fractions, names of places and of counters (4-6-7) left out.

    Args:
        text: French.
        words: take « deux » for a number too, and « aucun » for 0.

    >>> sorted(numbers("Le 4-6-7 en B3, DRM −2 : 25 %, 10 sur 36 ou trois", words=True))
    [Fraction(-2, 1), Fraction(1, 4), Fraction(5, 18), Fraction(3, 1)]
    """
    bare = _bare(text)
    read = {_value(seen) for seen in _NUMBER.finditer(bare)}
    if words:
        named = (word.lower() for word in _WORD.findall(bare))
        read |= {Fraction(1 if word == "une" else _WORDS.index(word)) for word in named}
        read |= {Fraction(0)} if _NONE.search(bare) else set()
    return frozenset(read)


def _bare(text: str) -> str:
    """A text, as long as it was, without names of places and of counters."""
    return re.sub(f"{_PLACE.pattern}|{_COUNTER.pattern}", lambda seen: " " * len(seen[0]), plain(text))


def _value(seen: re.Match[str]) -> Fraction:
    value, under, percent = seen.groups()
    number = Fraction(value.replace(",", "."))
    if under and int(under):
        number /= int(under)
    return number / 100 if percent else number


def says(sentence: str, wanted: Wanted, values: Collection[Fraction] = ()) -> bool:
    """Whether a sentence says all numbers and places that are wanted, a number with its sign.

    Args:
        sentence: French; wanted: numbers and places.
        values: what it comes to; a loss of as much may be said without its sign (« gêne de 3 » takes 3 away).

    >>> says("La PF est de 7.", frozenset({Fraction(7)})), says("Vue libre.", frozenset({"B3"}))
    (True, False)
    >>> loss = frozenset({Fraction(-3)})
    >>> says("Défense sous 3.", loss), says("Gêne de 3.", loss, [Fraction(3)])
    (False, True)
    """
    there, cells = numbers(sentence, words=True), places(sentence)
    there |= {-one for one in there.intersection(values)}
    return all(one in cells if isinstance(one, str) else is_among(one, there) for one in wanted)


def is_among(number: Fraction, there: frozenset[Fraction]) -> bool:
    """Whether a number is among others; a percentage may be rounded."""
    near = Fraction(1, 200) if number.denominator > 1 else 0
    return any(abs(number - one) <= near for one in there)


def pointed(sentence: str, number: Fraction) -> str:
    """A sentence as prose in which a number stands out where figures give it, with its sign: once, the first time after
    the last « : » that comes before one, but there as a percentage, or the last time with « + »; "" where none do.

    >>> pointed("Total de 7, pour 3 hexs.", Fraction(7)), pointed("Un seul coup.", Fraction(1))
    ('Total de **7**, pour 3 hexs.', '')
    >>> pointed("Il dépasse de 5 m.", Fraction(-5))
    ''
    >>> pointed("À 3 hexs\u202f: 3 chemins de 3 pas.", Fraction(3)).replace("\u202f", " ")
    'À 3 hexs : **3** chemins de 3 pas.'
    >>> pointed("Tir de 6, défense 3, soit +3.", Fraction(3))
    'Tir de 6, défense 3, soit **+3**.'
    """
    bare = _bare(sentence)
    alike = [seen for seen in _NUMBER.finditer(bare) if is_among(number, frozenset({_value(seen)}))]
    alike = [seen for seen in alike if (number < 0) == (_value(seen) < 0)]
    if not alike:
        return ""
    after = bare.rfind(":", 0, alike[-1].start())
    alike = [one for one in alike if one.start() > after]
    signed = [one for one in alike if one[1].startswith("+")]
    seen = next((one for one in alike if one[3]), signed[-1] if signed else alike[0])
    start, end = seen.start(), seen.start() + len(seen[0].rstrip())
    return f"{sentence[:start]}**{sentence[start:end]}**{sentence[end:]}"


def head(label: str) -> str:
    """What a choice answers, without the explanation that follows.

    >>> head("7\u202f: Ganz est avec eux")
    '7'
    """
    return re.split(r"\s:\s|\s:|; ", plain(label), maxsplit=1)[0]
