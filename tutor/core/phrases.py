"""Sentences rendered from steps: one template for each step code, filled from the step's own operands.

Templates are French, with named fields (``where``: the places of the step) and a few conversions: ``{value:+}`` a
signed number with a true minus sign, ``{value:size}`` a number without its sign, of a loss whose words say that it is
one, ``{terrain:term}`` the French term of a table row or vocabulary word, ``{hexes:list}`` an enumeration, ``{p:pct}`` a
percentage, ``{p:odds}`` a fraction with its percentage (the percentage alone in a headline), ``{n:pl,hex,hexs}`` a
number with its noun (a third form is said of 0), ``{who:piece}`` the name of a piece,
``{who:the}`` its name with the article that the game's vocabulary gives it, ``{who:of}`` and ``{who:to}`` the same
after « de » and « à ».
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from string import Formatter
from typing import Any

from tutor.core.errors import ContentError
from tutor.core.trace import Step
from tutor.core.typography import MINUS as MINUS
from tutor.core.typography import NBSP as NBSP
from tutor.core.typography import NNBSP as NNBSP
from tutor.core.typography import typography


def signed(value: float) -> str:
    """A number with its sign: +2, −3, 0.

    >>> signed(2), signed(-3) == MINUS + "3", signed(0), signed(1.5)
    ('+2', True, '0', '+1,5')
    """
    return f"+{number(value)}" if value > 0 else number(value)


def number(value: Any) -> str:
    """A French number: true minus, decimal comma; a fraction that has no end in decimals stays one.

    >>> number(0.5), number(-2) == MINUS + "2", number(Fraction(5, 2)), number(Fraction(1, 3))
    ('0,5', True, '2,5', '1/3')
    """
    if isinstance(value, Fraction) and 100 % value.denominator == 0:
        value = int(value) if value.denominator == 1 else float(value)
    return str(value).replace("-", MINUS).replace(".", ",") if isinstance(value, (int, float)) else str(value)


def of_one(unit: str) -> str:
    """A unit as it follows a number under two: « hexs » loses its plural, « pas » has none.

    >>> of_one("hexs"), of_one("hexagones"), of_one("pas"), of_one("FP")
    ('hex', 'hexagone', 'pas', 'FP')
    """
    return unit if unit == "pas" else unit.removesuffix("s")


def counted(count: int, noun: str) -> str:
    """A count with its noun, which takes an s from two on.

    Args:
        count: 0 or more.
        noun: in the singular, one word.

    >>> counted(1, "leçon"), counted(12, "leçon")
    ('1\xa0leçon', '12\xa0leçons')
    """
    return f"{count}{NBSP}{noun}{'s' if count > 1 else ''}"


def percent(value: Fraction | float, digits: int = 1) -> str:
    """A percentage as printed in French; what cannot be, or cannot but be, is not rounded.

    >>> [percent(share).replace(NBSP, " ") for share in (Fraction(435, 1296), Fraction(1, 2500), 0, 1)]
    ['33,6 %', '0,0 %', '0 %', '100 %']
    """
    if value in (0, 1):
        digits = 0
    return f"{float(value) * 100:.{digits}f}".replace(".", ",") + f"{NBSP}%"


def listing(items: Any) -> str:
    """An enumeration with « et ».

    >>> listing(["J7", "K8", "L8"])
    'J7, K8 et L8'
    """
    words = [number(item) for item in items]
    return words[0] if len(words) == 1 else (", ".join(words[:-1]) + " et " + words[-1] if words else "aucun")


#: A sentence that opens with a name and its article, or with a term, takes a capital.
_NAME_FIRST = re.compile(r"\{\w+:(?:the|of|to|term)\}")
_VOWEL = re.compile(r"[aeiouyàâéèêîôœ]", re.IGNORECASE)
_PLACE = re.compile(r"[A-Z]{1,2}\d{1,2}")


def after(preposition: str, name: str) -> str:
    """A name, with its article if it has one, after nothing (the), « de » (of) or « à » (to); that of a place stays whole.

    >>> after("of", "le Pz IV"), after("of", "la Section"), after("of", "Ellis"), after("to", "les Fusiliers")
    ('du Pz IV', 'de la Section', 'd’Ellis', 'aux Fusiliers')
    >>> after("of", "E3")
    'de E3'
    """
    if preposition == "the":
        return name
    article, _, rest = name.partition(" ")
    joined = {"le": "du", "les": "des"} if preposition == "of" else {"le": "au", "les": "aux"}
    if article in joined:
        return f"{joined[article]} {rest}"
    if preposition == "to":
        return f"à {name}"
    return f"d’{name}" if _VOWEL.match(name) and not _PLACE.fullmatch(name) else f"de {name}"


class Phrases:
    """The sentences of one game.

    Args:
        templates: code -> French template.
        term: gives the French term of a vocabulary word.

    >>> p = Phrases({"los.hindrance": "Gêne : {terrain:term}, {value:+}."}, {"brush": "Broussailles"}.get)
    >>> p.render("los.hindrance", {"terrain": "brush", "value": -3}).replace(MINUS, "-")
    'Gêne\xa0: Broussailles, -3.'
    >>> Phrases({"lost": "perdu de {margin:size}"}, {}.get).render("lost", {"margin": -2})
    'perdu de 2'
    >>> Phrases({"odds": "{p:odds}"}, {}.get).render("odds", {"p": Fraction(1, 4)})
    '1/4 (25,0\xa0%)'
    """

    def __init__(self, templates: Mapping[str, str], term: Callable[[str], str | None]) -> None:
        self.templates = templates
        self._term = term
        self._formatter = _Formatter(self)

    def term(self, word: Any) -> str:
        """French term of a word of the engine; the word itself when there is none."""
        return self._term(str(word)) or str(word)

    def named(self, name: str) -> str:
        """A name with its article: the vocabulary's, or that of the known name that it begins with.

        >>> p = Phrases({}, {"MG": "la MG", "Pz IV": "le Pz IV"}.get)
        >>> p.named("MG"), p.named("MG de l’ouest"), p.named("Ellis")
        ('la MG', 'la MG de l’ouest', 'Ellis')
        """
        words = name.split()
        for count in range(len(words), 0, -1):
            known, rest = " ".join(words[:count]), words[count:]
            term = self._term(known)
            if term and (count == len(words) or term in (f"le {known}", f"la {known}", f"les {known}")):
                return " ".join([term, *rest])
        return name

    def render(self, code: str, values: Mapping[str, Any]) -> str:
        """Fill the template of a code.

        Raises:
            ContentError: no template, or a field the step does not carry.
        """
        template = self.templates.get(code)
        if template is None:
            raise ContentError(f"Aucune phrase pour l’étape « {code} ».", remedy="Ajoutez-la à un fichier de phrases/.")
        try:
            text = typography(self._formatter.vformat(template, (), values))
            return text[:1].upper() + text[1:] if _NAME_FIRST.match(template) else text
        except (KeyError, ValueError, TypeError) as error:
            raise ContentError(
                f"La phrase « {code} » demande {error}.", remedy="Comparez-la, dans phrases/, à l’étape."
            ) from None

    def sentence(self, step: Step, names: Mapping[str, str] | None = None, *, brief: bool = False) -> str:
        """The sentence of a step.

        Args:
            step: a step of a trace.
            names: piece id -> name shown, from the position.
            brief: as a headline: odds are percentages alone.
        """
        values: dict[str, Any] = {name: operand.value for name, operand in step.operands.items()}
        values.setdefault("value", step.value)
        values.setdefault("unit", step.unit)
        values.setdefault("where", [place.ref for place in step.where])
        self._formatter.names, self._formatter.brief = names or {}, brief
        return self.render(step.code, values)


class _Formatter(Formatter):
    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.names: Mapping[str, str] = {}
        self.brief = False

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:  # a step that an unknown value stopped
            return "inconnu"
        if format_spec == "+":
            return signed(value)
        if format_spec == "term":
            return (
                listing([self.phrases.term(v) for v in value])
                if isinstance(value, (list, tuple))
                else self.phrases.term(value)
            )
        if format_spec == "low":
            return self.phrases.term(value).lower()
        if format_spec == "list":
            return listing(value)
        if format_spec == "size":  # of a loss, whose words say that it is one
            return number(abs(value))
        if format_spec == "signs":
            return " ".join(signed(v) for v in value)
        if format_spec == "parts":  # what a sum is made of, when there is more than one term
            return f" ({' '.join(signed(v) for v in value)})" if len(value) > 1 else ""
        if format_spec == "pct":
            return percent(value)
        if format_spec == "odds":
            exact = str(value) if isinstance(value, Fraction) else number(value)
            return percent(value) if self.brief else f"{exact} ({percent(value)})"
        if format_spec == "piece":
            return (
                listing([self.names.get(v, v) for v in value])
                if isinstance(value, (list, tuple))
                else self.names.get(value, str(value))
            )
        if format_spec in ("the", "of", "to"):
            given = value if isinstance(value, (list, tuple)) else [value]
            return listing([after(format_spec, self.phrases.named(self.names.get(v, str(v)))) for v in given])
        if format_spec.startswith("pl,"):
            _, one, many, *none = format_spec.split(",")
            if none and not value:
                return none[0]
            return f"{number(value)}{NBSP}{one if abs(value) < 2 else many}"
        return number(value) if not isinstance(value, (list, tuple)) else listing(value)
