"""Where the course shows a rule at work: the live examples of its lessons and of its articles.

The forms of articles weigh on a kernel: what only reads a lesson does not import this.
"""

from __future__ import annotations

from typing import NamedTuple

from tutor.course.articles import Family, cards
from tutor.course.lessons import readable
from tutor.course.links import Link
from tutor.course.models import Lesson, LiveExample


class Shown(NamedTuple):
    """A live example, and where it is: a lesson or a family of articles.

    Args:
        place: the lesson or the family.
        example: its content.
        link: opens it.
    """

    place: Lesson | Family
    example: LiveExample
    link: Link


def showing(game_id: str) -> dict[str, Shown]:
    """Rule id -> the first live example that shows it at work: of a lesson, else of an article, its own first."""
    examples: dict[str, Shown] = {}
    for one in readable(game_id)[0]:
        for example in one.examples.values():
            shown = Shown(one, example, Link("lesson", game_id, slug=one.slug, example=example.id))
            for rule in example.rules:
                examples.setdefault(rule, shown)
    others: dict[str, Shown] = {}
    for card in cards(game_id):
        for of in card.article.examples:
            shown = Shown(card.family, of, Link("articles", game_id, rule=card.rule, example=of.id))
            if card.rule in of.rules:
                examples.setdefault(card.rule, shown)
            for rule in of.rules:
                others.setdefault(rule, shown)
    return {**others, **examples}
