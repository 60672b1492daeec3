"""A lesson on a page, part by part: what :mod:`widgets.lesson` puts in the places of a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import ipywidgets as ipw

from tutor.core.errors import ContentError, TutorError
from tutor.core.registry import game
from tutor.course.lessons import article_rules, exercises_of
from tutor.course.lessons import lesson as read_lesson
from tutor.course.links import Link, PageKind, read_query
from tutor.course.models import (
    Block,
    Example,
    Exercise,
    ExerciseList,
    Lesson,
    Next,
    Question,
    Remember,
    ReplayBlock,
    RuleText,
    Situation,
)
from tutor.course.models import WhatIfs as WhatIfBlock
from tutor.course.prose import rule_number
from widgets import errors
from widgets.course_page import course_page
from widgets.errors import failure, guarded
from widgets.learner import progress
from widgets.lesson_example import ExamplePlayer, take_asked
from widgets.lesson_text import Writer, booklet_words, box, html, rule_text
from widgets.thrift import give_back_later

if TYPE_CHECKING:
    from widgets.replay import ReplayPlayer


def lesson_page(game_id: str, lesson_id: str) -> LessonPage | BrokenPage:
    """A lesson, ready to be shown part by part.

    Args:
        game_id: game; lesson_id: id of the lesson (``cc-04-ldv``).

    Returns:
        The page; when its content is broken, one that says so in French.
    """
    try:
        return LessonPage(game_id, read_lesson(game_id, lesson_id))
    except TutorError as error:
        return BrokenPage(error)


class BrokenPage:
    """What stands in the place of a lesson whose content cannot be read."""

    def __init__(self, error: TutorError) -> None:
        self._error: TutorError | None = error

    def opening(self) -> ipw.Widget | None:
        """The sentence, once."""
        error, self._error = self._error, None
        if error is None:
            return None
        return html(failure(str(error), "Cette leçon ne peut pas s’ouvrir."))

    examples = exercises = closing = opening


class LessonPage:
    """One lesson on a page.

    Args:
        game_id: game; content: the lesson; exercises: its own (those of the game's files when None); page: where it is,
            for links, when it is not the notebook of its name.
    """

    def __init__(
        self, game_id: str, content: Lesson, *, exercises: Sequence[Exercise] | None = None, page: Link | None = None
    ) -> None:
        self.game_id, self.content = game_id, content
        self._own, self._page = exercises, page
        self.writer = Writer(game_id, [*content.glossary, *booklet_words(game_id)])
        self.players: dict[str, ExamplePlayer] = {}
        self.replay: ReplayPlayer | None = None
        self._groups = _grouped(content.blocks)
        course_page().observe(guarded(lambda _: self._asked()), "query")
        progress().opened(content.id)

    # -- parts ----------------------------------------------------------------------------------------------------

    def opening(self) -> ipw.Widget:
        """Situation, question, the first example with its rule and its « Et si… »."""
        course_page().where = {"lesson": f"{self.game_id}/{self.content.id}"}
        return box(*[self._group(group) for group in self._groups[:1]], course_page(), css="ldv-part")

    def examples(self) -> ipw.Widget:
        """The other examples."""
        return box(*[self._group(group) for group in self._groups[1:]], css="ldv-part")

    def exercises(self) -> ipw.Widget:
        """The exercises, on one board."""
        from widgets.exercise import ExercisePlayer

        try:
            found = list(self._own) if self._own is not None else exercises_of(self.game_id, self.content)
        except ContentError as error:
            return html(failure(error.sentence))
        if not found:
            return box()
        self._exercises = ExercisePlayer(self.game_id, self.content.id, found, self.writer)
        return box(html('<h2 id="exercices">Exercices</h2>'), self._exercises.widget, css="ldv-part")

    def closing(self) -> ipw.Widget:
        """What to remember, and what comes next."""
        parts: list[ipw.Widget] = []
        for block in self.content.blocks:
            if isinstance(block, Remember):
                lines = "".join(f"<li>{self.writer.inline(line)}</li>" for line in block.lines)
                parts.append(html(f'<section class="ldv-remember"><h2>À retenir</h2><ul>{lines}</ul></section>'))
            elif isinstance(block, Next):
                onward = "" if block.lesson else self._onward()
                parts.append(html(f'<p class="ldv-situation ldv-next">{self.writer.inline(block.text)}</p>{onward}'))
        parts.append(html(self._articles()))
        if course_page().query:
            self._asked()
        give_back_later()
        return box(*parts, css="ldv-part")

    def _onward(self) -> str:
        """Where to go after the last lesson."""
        pages: tuple[tuple[PageKind, str], ...] = (
            ("sandbox", "Plateau libre"),
            ("quick", "À table"),
            ("review", "Réviser"),
        )
        links = "".join(f'<a href="{escape(Link(kind).url, quote=True)}">{name}</a>' for kind, name in pages)
        return f'<nav class="ldv-links" aria-label="Et maintenant">{links}</nav>'

    def _named(self, rule: str) -> str:
        """A rule by its number, and by its title too where one number heads several of our entries."""
        number = rule_number(rule)
        return escape(number if number == rule else f"{number} {game(self.game_id).section(rule).title}")

    def _articles(self) -> str:
        """Where each rule of the lesson is tried by itself."""
        known = article_rules(self.game_id)
        found = [rule for rule in self.content.rules if rule in known]
        if not found:
            return ""
        links = "".join(
            f'<a href="{escape(Link("articles", self.game_id, rule=rule).url, quote=True)}">{self._named(rule)}</a>'
            for rule in found
        )
        return f'<nav class="ldv-links" aria-label="Article par article">Article par article : {links}</nav>'

    # -- pieces ---------------------------------------------------------------------------------------------------

    def _group(self, group: Sequence[Block]) -> ipw.Widget:
        example = next((block for block in group if isinstance(block, Example)), None)
        before = [
            self._said(block)
            for block in group
            if isinstance(block, (Situation, RuleText))
            and (example is None or group.index(block) < group.index(example))
        ]
        if example is None:
            return box(*before, *[self._replay(block) for block in group if isinstance(block, ReplayBlock)])
        opening = next((block for block in group if isinstance(block, Question)), None)
        first = example.id == next(iter(self.content.examples))
        player = ExamplePlayer(
            self.game_id,
            example,
            self.writer,
            question=opening or example.question,
            instructed=opening is not None,
            rules=[
                block for block in group if isinstance(block, RuleText) and group.index(block) > group.index(example)
            ],
            what_ifs=[case for block in group if isinstance(block, WhatIfBlock) for case in block.cases],
            slug=self.content.slug,
            page=self._page,
            before=before,
        )
        self.players[example.id] = player
        title = (
            f'<span id="{example.id}"></span>'
            if first
            else f'<h2 id="{example.id}">{escape(example.title, quote=False)}</h2>'
        )
        return box(html(title), player.widget)

    def _replay(self, block: ReplayBlock) -> ipw.Widget:
        from tutor.course.replay import replay
        from widgets.replay import ReplayPlayer

        self.replay = ReplayPlayer(self.game_id, replay(self.game_id, block.id), self.writer, self.content.slug)
        return self.replay.widget

    def _said(self, block: Situation | RuleText) -> ipw.Widget:
        if isinstance(block, Situation):
            return html(f'<p class="ldv-situation">{self.writer.inline(block.text)}</p>')
        return rule_text(block, self.writer)

    # -- what the link asks for -----------------------------------------------------------------------------------

    def _asked(self) -> None:
        asked = read_query(course_page().query)
        if self.replay and asked.stage:
            self.replay.open(asked.stage)
        player = self.players.get(asked.example) or next(iter(self.players.values()), None)
        if asked.example and asked.example not in self.players:
            errors.report(f"Cette leçon n’a pas d’exemple « {asked.example} ». Voici le premier.")
        if player is None:
            return
        if asked.projection:
            for each in self.players.values():
                each.project()
        take_asked(player, asked)
        if asked.example in self.players:
            course_page().scroll = asked.example


def _grouped(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks with the example they belong to: what leads to it, the example, its rule and its « Et si… »."""
    groups: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, (ExerciseList, Remember, Next)):
            continue
        has_example = any(isinstance(other, Example) for other in groups[-1])
        if has_example and isinstance(block, (Example, Situation, Question)):
            groups.append([])
        groups[-1].append(block)
    return [group for group in groups if group]
