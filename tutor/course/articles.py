"""« Article par article »: the sections of a rulebook one by one, each with live examples.

Data in each game's ``articles/``.

A family (Actions, Événements…) is a file; its cards take number, title and summary from the index. Read when asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tutor.core.position import Model
from tutor.core.registry import game
from tutor.course.lessons import article_files
from tutor.course.models import Label, LiveExample, Prose, RuleId, Slug, read_named


class Article(Model):
    """One section: when it may be played or applies, what it does, its live examples."""

    rule: RuleId
    when: Prose
    effect: Prose
    examples: Annotated[list[LiveExample], Field(min_length=1, max_length=3)]


class Family(Model):
    """A file of ``articles/``: sections of one kind, in the order of the index."""

    id: Slug
    slug: Slug
    title: Label
    teaser: Prose
    articles: Annotated[list[Article], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Card:
    """An article where it stands.

    Args:
        family: its file.
        article: its content.
    """

    family: Family
    article: Article

    @property
    def rule(self) -> str:
        """Section that it shows."""
        return self.article.rule


@lru_cache(maxsize=64)
def read_family(path: Path) -> Family:
    """One file of articles.

    Raises:
        ContentError: it is broken, or not named like its ``slug``.
    """
    return read_named(Family, path)


def families(game_id: str) -> list[Family]:
    """Every family of a game, in the order of the index.

    Raises:
        ContentError: a broken file.

    >>> [family.slug for family in families("combat_commander")][:3]
    ['bases', 'ordres', 'actions']
    """
    order = {rule: place for place, rule in enumerate(game(game_id).sections)}
    read = [read_family(path) for path in article_files(game_id)]
    return sorted(read, key=lambda family: order.get(family.articles[0].rule, len(order)))


def cards(game_id: str) -> list[Card]:
    """Every article of a game, family by family.

    Raises:
        ContentError: a broken file.
    """
    return [Card(family, article) for family in families(game_id) for article in family.articles]


def card(game_id: str, rule: str) -> Card | None:
    """The article of a section; None when there is none.

    Raises:
        ContentError: a broken file.
    """
    return next((one for one in cards(game_id) if one.rule == rule), None)


def neighbours(game_id: str, rule: str) -> tuple[Card | None, Card | None]:
    """The articles before and after one."""
    row = cards(game_id)
    index = next((i for i, one in enumerate(row) if one.rule == rule), -1)
    before = row[index - 1] if index > 0 else None
    return before, row[index + 1] if 0 <= index < len(row) - 1 else None
