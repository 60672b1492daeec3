"""Searching the rule index by number or word, accents and case apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tutor.core.registry import Section, game


def folded(text: str) -> str:
    """Lower case without accents.

    >>> folded("Gêne des Fumigènes")
    'gene des fumigenes'
    """
    return "".join(
        c for c in unicodedata.normalize("NFD", text.lower().replace("œ", "oe")) if not unicodedata.combining(c)
    )


def search(game_id: str, words: str, limit: int = 20) -> Sequence[Section]:
    """Index entries for a rule number, the beginning of one, or words.

    Args:
        game_id: game.
        words: what the reader typed.
        limit: most entries returned.

    Returns:
        The best entries first: the number itself, its sub-rules, then titles, then summaries, whole titles before whole
        words before beginnings; every word must be found.

    >>> [section.id for section in search("combat_commander", "10.3.3")]
    ['10.3.3']
    >>> search("combat_commander", "gêne")[0].title
    'Gênes & LDV'
    """
    wanted = [word for word in re.split(r"[\s,;’']+", folded(words)) if word]
    if not wanted:
        return []
    scored = []
    for order, section in enumerate(game(game_id).sections.values()):
        score = _score(section, wanted)
        if score:
            scored.append((-score, order, section))
    return [section for _, _, section in sorted(scored, key=lambda item: item[:2])[:limit]]


def _score(section: Section, wanted: list[str]) -> int:
    name, title, summary = section.id.lower(), folded(section.title), folded(section.summary)
    total = 0
    for word in wanted:
        if name == word:
            total += 100
        elif any(c.isdigit() for c in word) and (
            name.startswith(word + ".") or (name.startswith(word) and not word[-1].isdigit())
        ):
            total += 40
        elif rank := _strength(word, title):
            total += 12 + rank
        elif rank := _strength(word, summary):
            total += 4 + rank
        else:
            return 0
    whole = " ".join(wanted)
    return total + 5 * any(part.strip() in (whole, f"{whole}s") for part in re.split(r"[()\[\]]", title))


def _strength(word: str, text: str) -> int:
    """How a word stands in a text: 3 whole, its plural included; 1 at the beginning of another; 0 not at all.

    >>> [_strength("gene", text) for text in ("modificateurs de genes", "objectifs generaux", "oxygene")]
    [3, 1, 0]
    """
    if re.search(rf"\b{re.escape(word)}[sx]?\b", text):
        return 3
    return 1 if re.search(rf"\b{re.escape(word)}", text) else 0
