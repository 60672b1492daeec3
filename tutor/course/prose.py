"""The little markup of the course's prose, as tokens: ``[[10.2]]`` a rule, ``**fort**``, ``*accent*``, glossary words.

>>> [(t.kind, t.text) for t in tokens("Le **Bois** bloque [[10.2]].")]
[('text', 'Le '), ('strong', 'Bois'), ('text', ' bloque '), ('rule', '10.2'), ('text', '.')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tutor.core.typography import NBSP

#: What stands before « pas » when it is the noun: a number, an article, a counting word. Else it is the negation.
_NOUN_PAS = re.compile(
    r"(?:\d|\b(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|l[ea]s?|d[eu]s?|ces?|ses|vos|nos|leurs?|chaque|"
    r"seuls?|premier|second|quels?|combien de|plusieurs))\s$",
    re.IGNORECASE,
)
_OUR_SUFFIX = re.compile(r"(?<=\d)-[a-z]{2}[a-z-]*$")
_MARK = re.compile(r"\[\[(?P<rule>[^\]\s]+)\]\]|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*")


@dataclass(frozen=True, slots=True)
class Token:
    """A run of text: plain, strong, em, a rule id, or a word of the glossary with its definition."""

    kind: Literal["text", "strong", "em", "rule", "word"]
    text: str
    definition: str = ""


def tokens(text: str) -> Iterator[Token]:
    """Runs of a prose text, in order."""
    here = 0
    for mark in _MARK.finditer(text):
        if mark.start() > here:
            yield Token("text", text[here : mark.start()])
        kind: Any = mark.lastgroup
        yield Token(kind, mark[kind])
        here = mark.end()
    if here < len(text):
        yield Token("text", text[here:])


def rule_number(rule: str) -> str:
    """The number of a rule as its booklet prints it, without what we add to tell apart the paragraphs of one section.

    >>> [rule_number(rule) for rule in ("3.2.2-longue-portee", "3.2.3-NMC", "O20.3.1", "7.5-sD")]
    ['3.2.2', '3.2.3-NMC', 'O20.3.1', '7.5-sD']
    """
    return _OUR_SUFFIX.sub("", rule)


def judgement(right: bool, *, again: bool = False, shown: bool = False) -> str:
    """What a reply to an answer begins with, as prose.

    Args:
        right: the answer is.
        again: it was missed before.
        shown: it is not tried again.

    >>> [judgement(right, again=True, shown=True).replace(NBSP, " ") for right in (True, False)]
    ['**Juste, au second essai.**', '**La réponse :**']
    >>> judgement(True), judgement(False)
    ('**Juste.**', '**Pas encore.**')
    """
    if right:
        return "**Juste, au second essai.**" if again else "**Juste.**"
    return f"**La réponse{NBSP}:**" if shown else "**Pas encore.**"


#: Between two sentences, the second of which begins with a capital, a number, a quotation or what is made bold.
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?…])\s+(?=[A-ZÀ-ÖØ-Þ\d«*{])")
#: What makes a sentence ask: its mark, or a verb that tells the reader what to do on the board.
_ASKS = re.compile(r"\?|\b(?:montrez|touchez|rangez|tracez|menez)\b", re.IGNORECASE)


def rule_ids(text: str) -> list[str]:
    """Rule ids a prose text links to.

    >>> rule_ids("Voir [[10.2]] et [[T99]].")
    ['10.2', 'T99']
    """
    return [mark["rule"] for mark in _MARK.finditer(text) if mark["rule"]]


#: Words that a rule completes: it stands in the sentence as a noun.
_GOVERNS = re.compile(
    r"(?<![\w’])(?:à|après|au|aux|avant|avec|d’après|dans|de|des|du|en|et|hors|la|le|les|oublié|ou|par|pour|que|règles?|"
    r"relisez|sans|selon|suivant|sur|voyez)[*»\s]*$",
    re.IGNORECASE,
)
#: What may be a rule that a sentence cites, and does not speak of: in brackets, behind its end, behind the last word of
#: a clause.
_CITED = re.compile(
    r"\s*\((?P<several>\[\[[^\]\s]+\]\](?:, \[\[[^\]\s]+\]\])*)\)"
    r"|(?<=[.!?…])\s\[\[[^\]\s]+\]\]"
    r"|(?P<clause>(?<=[\w»*])\s\[\[[^\]\s]+\]\])(?=\s?[.!?:;…]|$)",
)


def _citations(text: str) -> list[re.Match[str]]:
    """Where a text cites rules that it does not speak of."""
    return [
        cited for cited in _CITED.finditer(text) if not (cited["clause"] and _GOVERNS.search(text[: cited.start()]))
    ]


def cited_once(text: str) -> str:
    """A text whose sentences cite no rule twice, nor one that a sentence speaks of, which stays; paragraphs that show one
    number are one.

    >>> cited_once("Il est Pin. [[3.2]] Il faut plus que 7 ([[3.2]]). Ou 8 ([[3.2]], [[3.4]]).")
    'Il est Pin. [[3.2]] Il faut plus que 7. Ou 8 ([[3.4]]).'
    >>> cited_once("Il tient [[5.1]]. Vous avez oublié la règle [[5.1]]. Il tient encore [[5.1]].")
    'Il tient. Vous avez oublié la règle [[5.1]]. Il tient encore.'
    >>> cited_once("Refusé : trop loin. [[6]] Refusé : caché. [[6]] Voici, pas à pas, le cas de D4.")
    'Refusé : trop loin. [[6]] Refusé : caché. Voici, pas à pas, le cas de D4.'
    >>> cited_once("Colonne 2. [[3.2.2]] Vous avez oublié le **cran** [[3.2.2-cower]] : il recule.")
    'Colonne 2. [[3.2.2]] Vous avez oublié le **cran** : il recule.'
    """
    citations = _citations(text)
    parts, done = [], 0
    for cited in citations:
        parts.append(text[done : cited.start()])
        done = cited.end()
    parts.append(text[done:])
    numbers = {rule_number(rule) for part in parts for rule in rule_ids(part)}

    def again(cited: re.Match[str]) -> str:
        left = []
        for rule in rule_ids(cited[0]):
            if rule_number(rule) not in numbers:
                numbers.add(rule_number(rule))
                left.append(rule)
        if not left or not cited["several"]:
            return cited[0] if left else ""
        return f" ({', '.join(f'[[{rule}]]' for rule in left)})"

    kept = [again(cited) for cited in citations]
    return "".join(part + cited for part, cited in zip(parts, (*kept, ""), strict=True))


#: What makes an ordinary turn of speech of the word that follows: à son tour, change de main.
_IDIOM = re.compile(r"(?:\bà (?:son|leur|votre|notre|mon) (?=tour$)|\bchangent? de (?=mains?$))\w+$", re.IGNORECASE)


def _is_ordinary(text: str, hit: re.Match[str]) -> bool:
    """Whether a word found in a text is one of everyday speech there: « pas » of a negation, a turn of speech."""
    if _IDIOM.search(text[: hit.end()]):
        return True
    return hit[0].lower().partition(" ")[0] == "pas" and not _NOUN_PAS.search(text[: hit.start()])


class Explainer:
    """Explains each word of the glossary the first time it is met on a page.

    Args:
        glossary: entries with ``term``, ``aliases`` and ``definition``.
        words: those explained here (terms).

    >>> e = Explainer([{"term": "Gêne", "aliases": ["gênes"], "definition": "Ce qui trouble la vue."}], ["Gêne"])
    >>> [t.kind for t in e.tokens("Une gêne, deux gênes.")]
    ['text', 'word', 'text']
    >>> e = Explainer([{"term": "Couvert", "aliases": ["L"], "definition": "Un hex marqué L."}], ["Couvert"])
    >>> [t.text for t in e.tokens("L’un lit l’hex marqué L.") if t.kind == "word"]
    ['L']
    >>> e = Explainer([{"term": "Tour", "definition": "Une ligne de la piste."}], ["Tour"])
    >>> [t.kind for t in e.tokens("Chacun tire à son tour.")]
    ['text']
    """

    def __init__(self, glossary: Iterable[Mapping[str, Any]], words: Iterable[str]) -> None:
        wanted = set(words)
        self._entries: dict[str, Mapping[str, Any]] = {}
        written: set[str] = set()
        for entry in glossary:
            if entry["term"] in wanted:
                for form in (entry["term"], *(entry.get("aliases") or ())):
                    self._entries[form.lower()] = entry
                    written.add(form)
        forms = sorted(written, key=len, reverse=True)
        # « L » is a mark on a map, and neither the article nor what stands before an apostrophe.
        either = "|".join(f"(?-i:{re.escape(form)})" if form.isupper() else re.escape(form) for form in forms)
        self._pattern = re.compile(rf"(?<!\w)({either})(?![\w’'])", re.IGNORECASE) if forms else None
        self._explained: set[str] = set()

    def tokens(self, text: str) -> list[Token]:
        """Tokens of a text, with the words not yet explained on this page."""
        return [piece for token in tokens(text) for piece in (self._split(token) if token.kind == "text" else [token])]

    def _split(self, token: Token) -> list[Token]:
        parts: list[Token] = []
        done = 0
        for hit in self._pattern.finditer(token.text) if self._pattern else ():
            entry = self._entries[hit[0].lower()]
            if entry["term"] in self._explained or _is_ordinary(token.text, hit):
                continue
            self._explained.add(entry["term"])
            if hit.start() > done:
                parts.append(Token("text", token.text[done : hit.start()]))
            parts.append(Token("word", hit[0], str(entry["definition"])))
            done = hit.end()
        if done < len(token.text):
            parts.append(Token("text", token.text[done:]))
        return parts


def given_and_asked(text: str) -> tuple[str, str]:
    """A question in two parts: the sentences that give, then those from the first that asks; "" when it gives nothing.

    Args:
        text: prose of a question.

    >>> given_and_asked("Le Squad A est Pin. Combien de FP ?")
    ('Le Squad A est Pin.', 'Combien de FP ?')
    >>> given_and_asked("Qui voit Krylov ? Touchez-le."), given_and_asked("Touchez Krylov. Un seul compte.")
    (('', 'Qui voit Krylov ? Touchez-le.'), ('', 'Touchez Krylov. Un seul compte.'))
    >>> given_and_asked("Le Squad A tire. De B2 et C3, montrez ceux qu’il voit.")
    ('Le Squad A tire.', 'De B2 et C3, montrez ceux qu’il voit.')
    """
    sentences = _BETWEEN_SENTENCES.split(text)
    asking = [bool(_ASKS.search(sentence)) for sentence in sentences]
    first = asking.index(True) if True in asking else 0
    return " ".join(sentences[:first]), " ".join(sentences[first:])
