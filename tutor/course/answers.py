"""What a reader answers: read with patience (comma, fraction, percentage), compared without tolerance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final
from unicodedata import normalize

from tutor.core.errors import AnswerError
from tutor.core.phrases import NBSP, NNBSP, listing, number, of_one, percent
from tutor.course.figures import in_order

#: The answer « it is refused », as a solution and as what a reader gives.
REFUSED: Final = "refus"
#: Thousands may be set apart by spaces, three digits each; no other space joins two numbers into one.
_WHOLE = r"[0-9]{1,3}(?: [0-9]{3}){1,2}|[0-9]{1,9}"
_NUMBER = re.compile(
    rf"(?P<sign>[+-]?) ?(?P<whole>{_WHOLE}|(?=[.]))(?:\.(?P<decimals>[0-9]{{1,9}}))? ?(?P<percent>%?)\Z"
)
_FRACTION = re.compile(
    rf"(?P<sign>[+-]?) ?(?:(?P<whole>{_WHOLE}) )?(?P<over>[0-9]{{1,9}}) ?/ ?(?P<under>[0-9]{{1,9}})\Z"
)
#: ½ and its kind, which may stand right behind a whole number.
_VULGAR = re.compile(r" ?([¼-¾⅐-⅞])")
#: A label that begins with an article, or a preposition.
_ARTICLE = re.compile(r"(?:Les?|La|Une?|Des|Du|En|Dans|À|Aux?|Sur|Par|Vers|De|Depuis|Avec|Sans|Contre) |[LD][’']")
_REFUSAL = re.compile(r"(tir\s+)?(refus\w*|impossible|interdit)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as a reader wrote it.

    Args:
        value: exact; a percentage is already divided by 100.
        decimals: how many he wrote (None: a fraction).
        percent: whether it is so many in a hundred.
    """

    value: Fraction
    decimals: int | None
    percent: bool = False


def read_number(text: str, unit: str | None = None) -> Number | str:
    """A number, or ``REFUSED``, from what a reader typed.

    Args:
        text: « 0,5 », « 50 % », « 35/1296 », « 3 1/2 », « ½ », « −1 », « 11 PF », « refusé ».
        unit: unit expected, which may follow the number, in the singular too; where it is « % », a number above 1 is
            read with the sign that was left out.

    Raises:
        AnswerError: it cannot be read as a number.

    >>> read_number("0,5"), read_number("50 %").value == read_number("1/2").value
    (Number(value=Fraction(1, 2), decimals=1, percent=False), True)
    >>> read_number("3 1/2").value == read_number("3½").value == read_number("7/2").value
    True
    >>> read_number("75", "%") == read_number("75 %", "%"), read_number("0,75", "%").percent
    (True, False)
    >>> read_number("abc")
    Traceback (most recent call last):
    tutor.core.errors.AnswerError: Je ne lis pas de nombre dans ...
    """
    raw = text.strip()
    if _REFUSAL.match(raw):
        return REFUSED
    bare = _bare(raw, unit)
    if (ratio := _FRACTION.match(bare)) and int(ratio["under"]):
        part = Fraction(int(ratio["over"]), int(ratio["under"]))
        if not ratio["whole"] or part < 1:
            value = part + int((ratio["whole"] or "0").replace(" ", ""))
            return Number(-value if ratio["sign"] == "-" else value, None)
    match = _NUMBER.match(bare)
    if not match:
        if not raw:
            raise AnswerError("Votre réponse est vide.", remedy="Écrivez un nombre, par exemple 6 ou 0,5.")
        shown = raw if len(raw) <= 30 else raw[:29] + "…"
        raise AnswerError(
            f"Je ne lis pas de nombre dans «{NBSP}{shown}{NBSP}».",
            remedy=f"Écrivez par exemple 6{NBSP}; 0,5{NBSP}; 35/1296 ou 50{NBSP}%.",
        )
    decimals = match["decimals"] or ""
    value = Fraction(int(match["sign"] + match["whole"].replace(" ", "") + decimals), 10 ** len(decimals))
    percent = bool(match["percent"]) or (unit == "%" and value > 1)
    return Number(value / 100 if percent else value, len(decimals), percent)


def _bare(text: str, unit: str | None) -> str:
    """What was typed, in one alphabet: plain spaces, signs and points, ½ as 1/2, without its unit."""
    bare = re.sub(r"[\s\u00a0\u202f\u2009]+", " ", text).replace("−", "-").replace("–", "-").replace(",", ".")
    bare = _VULGAR.sub(lambda sign: " " + normalize("NFKC", sign[1]).replace("\u2044", "/"), bare).strip()
    if unit and unit != "%":
        words = {re.sub(r"\s+", " ", word) for word in (unit, of_one(unit))}
        ends = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        bare = re.sub(rf" ?(?:{ends})s?\Z", "", bare, flags=re.IGNORECASE)
    return bare


def same(given: Any, solution: Any, unit: str | None = None) -> bool:
    """Whether an answer is the solution.

    A probability (unit « % ») may be given as a fraction, or rounded to the decimals that are written; anything else
    must be exact.

    >>> same(read_number("33,6 %"), Fraction(435, 1296), "%"), same(read_number("33,6"), Fraction(435, 1296), "%")
    (True, True)
    >>> same(read_number("33,5 %"), Fraction(435, 1296), "%"), same(read_number("0,5"), Fraction(6))
    (False, False)
    """
    if not isinstance(given, Number):
        return bool(given == solution)
    if not isinstance(solution, Fraction):
        return False
    if given.value == solution:
        return True
    if unit != "%" or given.decimals is None:
        return False
    shown = Fraction(1, 2 * 10**given.decimals)
    as_percent = given.value * 100 if given.percent else given.value
    if abs(solution * 100 - as_percent) <= shown:
        return True
    return not given.percent and given.decimals > 0 and abs(solution - given.value) <= shown


def shown(solution: Any, unit: str | None = None, refusal: str | None = None) -> str:
    """A solution as the page writes it.

    >>> shown(Fraction(11), "PF").replace(NBSP, " "), shown(frozenset({"K6", "J7"}))
    ('11 PF', 'J7 et K6')
    >>> shown(Fraction(1), "hexs").replace(NBSP, " "), shown(Fraction(7, 2), "MF").replace(NBSP, " ")
    ('1 hex', '3,5 MF')
    """
    if solution == REFUSED:
        return f"«{NBSP}{refusal}{NBSP}»" if refusal else "refusé"
    if isinstance(solution, Number):
        return shown(solution.value, unit)
    if isinstance(solution, Fraction):
        if unit == "%":
            exact = f" ({solution.numerator}/{solution.denominator})" if solution.denominator > 1 else ""
            return percent(solution) + exact
        decimal = solution.denominator in (1, 2, 4)
        text = number(float(solution) if solution.denominator > 1 else int(solution)) if decimal else str(solution)
        return f"{text}{NBSP}{of_one(unit) if abs(solution) < 2 else unit}" if unit else text
    if isinstance(solution, frozenset):
        return listing(in_order(solution)) if solution else f"«{NBSP}rien à montrer{NBSP}»"
    if isinstance(solution, tuple):
        between = f"{NNBSP}; puis " if any("," in label for label in solution) else ", puis "
        return between.join((solution[0], *map(within, solution[1:])))
    return f"«{NBSP}{solution}{NBSP}»" if solution is not None else "rien : la table manque"


def within(label: str) -> str:
    """A label within a sentence: an article or a preposition that it begins with takes no capital.

    >>> within("Le Pz IV, en C3"), within("L’Antichar"), within("C3"), within("En C3")
    ('le Pz IV, en C3', 'l’Antichar', 'C3', 'en C3')
    """
    return label[:1].lower() + label[1:] if _ARTICLE.match(label) else label
