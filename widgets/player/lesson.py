"""A lesson on a page, part by part: what :mod:`widgets.pages.lesson` puts in the places of a notebook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING

import ipywidgets as ipw

from tutor.core.errors import ContentError, TutorError
from tutor.core.registry import game
from tutor.course.lessons import article_rules, exercises_of, grouped
from tutor.course.lessons import lesson as read_lesson
from tutor.course.links import Link, PageKind, read_query
from tutor.course.models import (
    Block,
    Example,
    Exercise,
    Lesson,
    Next,
    Question,
    Remember,
    ReplayBlock,
    RuleText,
    Situation,
)
from tutor.course.models import WhatIfs as WhatIfBlock
from tutor.course.prose import rule_ids, rule_number
from widgets.board import errors
from widgets.board.errors import failure, guarded
from widgets.board.memory import give_back_later
from widgets.host.page import Page
from widgets.host.prose import Writer, booklet_words, box, html, rule_text
from widgets.host.whereabouts import Place, keep
from widgets.player.answered import Answered
from widgets.player.example import ExamplePlayer
from widgets.player.linked import take_asked

#: Most summaries that stand for the rule of an example.
_MOST_RULES = 3

if TYPE_CHECKING:
    from tutor.core.position import Position
    from tutor.course.turn import Turn
    from widgets.player.exercise import ExercisePlayer
    from widgets.player.replay import ReplayPlayer
    from widgets.player.scene import Scene
    from widgets.player.scenes import LessonStage
    from widgets.player.stage import Stage


def lesson_page(page: Page, game_id: str, lesson_id: str, *, staged: bool = False) -> LessonPage | BrokenPage:
    """A lesson, ready to be shown part by part.

    Args:
        page: what its widgets share.
        game_id: game.
        lesson_id: id of the lesson (``cc-04-ldv``).
        staged: scene by scene on one board.

    Returns:
        The page; when its content is broken, one that says so in French.
    """
    try:
        return LessonPage(page, game_id, read_lesson(game_id, lesson_id), staged=staged)
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
        page: what its widgets share.
        game_id: game.
        content: the lesson.
        exercises: its own (those of the game's files when None).
        address: where it is, for links, when it is not the notebook of its name.
        head: what stands over all of it, as HTML, where no page around it says its title.
        staged: played scene by scene on one board; else one part below the other, each with its board.
    """

    def __init__(
        self,
        page: Page,
        game_id: str,
        content: Lesson,
        *,
        exercises: Sequence[Exercise] | None = None,
        address: Link | None = None,
        head: str = "",
        staged: bool = False,
    ) -> None:
        self.page = page
        self.game_id, self.content = game_id, content
        self._staged = staged
        self.stage: LessonStage | None = None
        self._own, self._address, self._head = exercises, address, head
        self.writer = Writer(game_id, [*content.glossary, *booklet_words(game_id)], content.blocks)
        self.players: dict[str, ExamplePlayer] = {}
        self.replay: ReplayPlayer | None = None
        self._groups = grouped(content.blocks)
        self.page.course.observe(guarded(lambda _: self._asked()), "query")
        self.page.progress.opened(content.id)
        self._answered = Answered(page.progress, content.id)
        self._answered.on_known(self._recall)

    # -- parts ----------------------------------------------------------------------------------------------------

    def opening(self) -> ipw.Widget | None:
        """Situation, question, the first example with its rule and its « Et si… »; all of a lesson that is staged."""
        return box(self._opening(), self.page.course)

    @cached_property
    def widget(self) -> ipw.Widget:
        """All of it, on a page that shows what of it is unseen."""
        parts = (self._opening,) if self._staged else (self._opening, self.examples, self.exercises, self.closing)
        return box(*[part for make in parts if (part := make()) is not None], css="ldv-part")

    def _opening(self) -> ipw.Widget:
        self.page.course.where = {"lesson": f"{self.game_id}/{self.content.id}"}
        return self._on_stage() if self._staged else self._first_example()

    def _first_example(self) -> ipw.Widget:
        return box(*self._titled(), *[self._group(group) for group in self._groups[:1]], css="ldv-part")

    def _titled(self) -> list[ipw.Widget]:
        return [html(self._head, "ldv-read")] if self._head else []

    def examples(self) -> ipw.Widget | None:
        """The other examples."""
        if self._staged:
            return None
        return box(*[self._group(group) for group in self._groups[1:]], css="ldv-part")

    def exercises(self) -> ipw.Widget | None:
        """The exercises, on one board."""
        if self._staged:
            return None
        try:
            exercises = self._exercises()
        except ContentError as error:
            return html(failure(error.sentence))
        if not exercises:
            return box()
        player = self._exercise_player(exercises)
        return box(html('<h2 id="exercices">Exercices</h2>'), player.widget, css="ldv-part")

    def _exercises(self) -> list[Exercise]:
        return list(self._own) if self._own is not None else exercises_of(self.game_id, self.content)

    def closing(self) -> ipw.Widget | None:
        """What to remember, and what comes next."""
        if self._staged:
            return None
        return box(*self._last_words(), css="ldv-part")

    def _last_words(self) -> list[ipw.Widget]:
        parts: list[ipw.Widget] = []
        for block in self.content.blocks:
            if isinstance(block, Remember):
                lines = "".join(f"<li>{self.writer.inline(line)}</li>" for line in block.lines)
                parts.append(html(f'<section class="ldv-remember"><h2>À retenir</h2><ul>{lines}</ul></section>'))
            elif isinstance(block, Next):
                onward = "" if block.lesson else self._onward()
                parts.append(html(f'<p class="ldv-situation ldv-next">{self.writer.inline(block.text)}</p>{onward}'))
        parts += [html(link) for link in (self._skirmishes(),) if link]
        parts.append(html(self._articles()))
        if not self._staged:
            parts.append(self._worksheet())
        if self.page.course.query and not self._staged:
            self._asked()
        give_back_later()
        return parts

    # -- scene by scene -------------------------------------------------------------------------------------------

    @property
    def link(self) -> Link:
        """Where the lesson is."""
        return self._address or Link("lesson", self.game_id, slug=self.content.slug)

    def _on_stage(self) -> ipw.Widget:
        from widgets.player.scenes import LessonStage

        self.stage = LessonStage(
            self.page, self.content.title, self.link, self._first_position, self._scenes, self.writer, self._entered
        )
        self._place = box(self.stage.widget, css="ldv-part")
        self.stage.go(0, focus=False)
        if self.page.course.query:
            self._asked()
        self.page.course.observe(guarded(lambda _: self._begin()), "ready")
        if self.page.course.ready:
            self._begin()
        return self._place

    def _begin(self) -> None:
        """The page is there: links of it lead about the turn, they no more tell where to begin."""
        if self.replay:
            self.replay.turn.begun = True

    @property
    def _first_position(self) -> Position:
        """What the lesson begins with: its first example, or its first replayed turn; else its first exercise."""
        from tutor.course.exercises import Task
        from tutor.course.replay import replay

        for block in self.content.blocks:
            if isinstance(block, (Example, ReplayBlock)):
                shown = block if isinstance(block, Example) else replay(self.game_id, block.id)
                return game(self.game_id).position(shown.position).change(shown.changes)
        for exercise in self._exercises():
            return Task.of(self.game_id, exercise).position
        raise ContentError("Cette leçon n’a pas de plateau.", remedy="Donnez-lui un exemple.")

    def _scenes(self, stage: Stage, changed: Callable[[], object]) -> list[Scene]:
        from widgets.player.ending import Ending
        from widgets.player.scenes import ExerciseScene, PlayScene, RuleScene, TextScene, WhatIfScene

        made: list[Scene] = []
        if self._head:
            made.append(TextScene("debut", "La leçon", self._titled, self._answered, stage))
        for group in self._groups:
            player = self._player(group, stage)
            if player is None:
                turns = [self._turn(block, stage, changed) for block in group if isinstance(block, ReplayBlock)]
                read = partial(lambda said: [box(*self._said(said), css="ldv-read")], group)
                text = TextScene("lecture", "À lire", read, self._answered, stage)
                made += turns or [text]  # after the last example words alone, which lead to the exercises or to the end
                continue
            made.append(PlayScene(player, changed, self._answered))
            made += [RuleScene(player, self._answered, at) for at in range(player.rule_count)]
            if player.questions.cases:
                made.append(WhatIfScene(player, changed))
        try:
            exercises = self._exercises()
            if exercises:
                build = partial(self._exercise_player, exercises, stage, changed)
                made.append(ExerciseScene(build, [exercise.id for exercise in exercises], self._answered))
        except ContentError as error:
            sentence = error.sentence
            made.append(TextScene("exercices", "À vous", lambda: [html(failure(sentence))], self._answered, stage))
        end = Ending(self.page, self.game_id, self.content, self.link, self.writer, lambda: made)
        made.append(TextScene("fin", "À retenir", lambda: end.around(self._last_words()), self._answered, stage))
        return made

    def _turn(self, block: ReplayBlock, stage: Stage, changed: Callable[[], object]) -> Scene:
        """A replayed turn on the lesson's board."""
        from tutor.course.replay import replay
        from widgets.player.replay import ReplayPlayer
        from widgets.player.replay_scene import ReplayScene

        def stepped() -> None:
            changed()
            if self.stage and self.stage.at >= 0 and self.stage.scene is scene:
                self._entered(scene)

        content = replay(self.game_id, block.id)
        self.replay = ReplayPlayer(
            self.page,
            self.game_id,
            content,
            self.writer,
            self.content.slug,
            stage,
            answered=self._answered,
            changed=stepped,
        )
        scene = ReplayScene(self.replay)
        return scene

    def _exercise_player(
        self, exercises: Sequence[Exercise], stage: Stage | None = None, changed: Callable[[], object] = lambda: None
    ) -> ExercisePlayer:
        from widgets.player.exercise import ExercisePlayer

        self.exercise_player = ExercisePlayer(
            self.page,
            self.game_id,
            self.content.id,
            exercises,
            self.writer,
            stage=stage,
            on_answer=lambda _exercise, _right: changed(),
            on_posed=changed,
        )
        return self.exercise_player

    def _entered(self, scene: Scene) -> None:
        """Say where the reader is: to a teacher, and in the address."""
        if scene.id != "exercices":
            self.page.course.where = {"lesson": f"{self.game_id}/{self.content.id}", "step": scene.name}
        first = self.stage is None or self.stage.at == 0
        if self.stage and not self._address:  # of the course: what is kept of a teacher's lesson is not where one was
            at, of = self.stage.at + 1, len(self.stage.scenes)
            slug, scene_id, event = self.content.slug, "" if first else scene.id, ""
            if turn := self._turn_of(scene):
                at, of, scene_id, event = turn.number, turn.total + 1, "", turn.place if turn.begun else ""
            keep(self.page, Place(self.game_id, self.content.id, slug, scene_id, scene.name, at, of, stage=event))
        turn = self._turn_of(scene)
        wanted = {"stage": turn.place if turn.begun else ""} if turn else {"scene": "" if first else scene.id}
        self.page.course.link = replace(self.link, **wanted).url

    def _turn_of(self, scene: Scene) -> Turn | None:
        """The turn that a scene replays."""
        return self.replay.turn if self.replay and scene.id == self.replay.content.id else None

    def _recall(self) -> None:
        if self.stage:
            if self.replay:
                self.replay.recall()
            self.stage.recall()

    def _show_whole(self) -> None:
        """All scenes, one below the other, each with its board."""
        if self._staged and self.stage:
            self._staged, self._address = False, replace(self.link, view="tout")
            self.page.course.link = self._address.url
            self.stage.scene.leave()
            self.stage.stage.close()
            self.stage, self.players = None, {}
            parts = (self._first_example, self.examples, self.exercises, self.closing)
            self._place.children = tuple(part for make in parts if (part := make()) is not None)

    def _worksheet(self) -> ipw.Widget:
        """The lesson on paper, in the place of the page; on screen it is folded away."""
        from widgets.player.printed import Worksheet

        try:
            sheet = html(Worksheet(self.game_id, self.content, self._exercises(), self.writer).html)
        except ContentError as error:
            sheet = html(failure(error.sentence))
        sheet.add_class("ldv-sheet-place")
        return sheet

    def _onward(self) -> str:
        """Where to go after the last lesson."""
        pages: tuple[tuple[PageKind, str], ...] = (
            ("sandbox", "Plateau libre"),
            ("quick", "À table"),
            ("review", "Réviser"),
        )
        links = "".join(f'<a href="{escape(Link(kind).url, quote=True)}">{name}</a>' for kind, name in pages)
        return f'<nav class="ldv-links" aria-label="Et maintenant">{links}</nav>'

    def _skirmishes(self) -> str:
        """The mini-scenarios that use what the reader knows from this lesson on."""
        from tutor.course.scenario import scenarios

        links = "".join(
            f'<a href="{escape(Link("scenario", self.game_id, slug=one.id).url, quote=True)}">{escape(one.title)}</a>'
            for one in scenarios(self.game_id)
            if one.after == self.content.id
        )
        label = "Mini-scénario"
        return f'<nav class="ldv-links" aria-label="{label}">{label} : {links}</nav>' if links else ""

    def _named(self, rule: str) -> str:
        """A rule by its number, and by its title too where one number heads several of our entries."""
        number = rule_number(rule)
        return escape(number if number == rule else f"{number} {game(self.game_id).section(rule).title}")

    def _articles(self) -> str:
        """Where each rule of the lesson is tried by itself."""
        known = article_rules(self.game_id)
        rules = [rule for rule in self.content.rules if rule in known]
        if not rules:
            return ""
        links = "".join(
            f'<a href="{escape(Link("articles", self.game_id, rule=rule).url, quote=True)}">{self._named(rule)}</a>'
            for rule in rules
        )
        return f'<nav class="ldv-links" aria-label="Article par article">Article par article : {links}</nav>'

    # -- pieces ---------------------------------------------------------------------------------------------------

    def _group(self, group: Sequence[Block]) -> ipw.Widget:
        player = self._player(group)
        if player is None:
            return box(*self._said(group), *[self._replay(block) for block in group if isinstance(block, ReplayBlock)])
        example = player.example
        first = example.id == next(iter(self.content.examples))
        title = (
            f'<span id="{example.id}"></span>'
            if first
            else f'<h2 id="{example.id}">{escape(example.title, quote=False)}</h2>'
        )
        return box(html(title), player.widget)

    def _player(self, group: Sequence[Block], stage: Stage | None = None) -> ExamplePlayer | None:
        """What plays the example of a group, on a board of its own or on the stage; None when there is none."""
        example = next((block for block in group if isinstance(block, Example)), None)
        if example is None:
            return None
        place = group.index(example)
        opening = next((block for block in group if isinstance(block, Question)), None)
        player = ExamplePlayer(
            self.page,
            self.game_id,
            example,
            self.writer,
            question=opening or example.question,
            instructed=opening is not None,
            rules=[block for block in group[place:] if isinstance(block, RuleText)] or self._rules_of(group, example),
            what_ifs=[case for block in group if isinstance(block, WhatIfBlock) for case in block.cases],
            slug=self.content.slug,
            address=self._address,
            before=self._said(group[:place]),
            stage=stage,
            answered=self._answered if stage else None,
        )
        self.players[example.id] = player
        return player

    def _rules_of(self, group: Sequence[Block], example: Example) -> list[RuleText]:
        """The summaries of the rules that an example shows, where the lesson says none of it in sentences of its own."""
        sections = game(self.game_id).sections
        texts = [text for block in self.content.blocks if isinstance(block, RuleText) for text in block.sentences]
        said = {rule for text in texts for rule in rule_ids(text)}
        if said & set(example.rules) or any(isinstance(block, RuleText) for block in group):
            return []
        shown = [rule for rule in example.rules if rule in sections and sections[rule].summary][:_MOST_RULES]
        sentences = [f"{sections[rule].summary} [[{rule}]]" for rule in shown]
        return [RuleText.model_construct(kind="rule", title=None, sentences=sentences)] if shown else []

    def _replay(self, block: ReplayBlock) -> ipw.Widget:
        from tutor.course.replay import replay
        from widgets.player.replay_page import ReplayPage

        made = ReplayPage(self.page, self.game_id, replay(self.game_id, block.id), self.writer, self.content.slug)
        self.replay = made
        return made.widget

    def _said(self, blocks: Sequence[Block]) -> list[ipw.Widget]:
        return [
            html(f'<p class="ldv-situation">{self.writer.inline(block.text)}</p>')
            if isinstance(block, Situation)
            else rule_text(block, self.writer)
            for block in blocks
            if isinstance(block, (Situation, RuleText))
        ]

    # -- what the link asks for -----------------------------------------------------------------------------------

    def _asked(self) -> None:
        asked = read_query(self.page.course.query)
        if asked.view == "tout":
            self._show_whole()
        if self.stage and not asked.stage:
            named = asked.scene or asked.example or self.stage.scenes[0].id
            if (wanted := self.stage.index(named)) >= 0:
                self.stage.go(wanted)
        if self.replay:
            self._replay_asked(self.replay, asked)
        player = self.players.get(asked.example) or next(iter(self.players.values()), None)
        if asked.example and asked.example not in self.players:
            errors.report(f"Cette leçon n’a pas d’exemple « {asked.example} ». Voici le premier.")
        if player is None:
            return
        if asked.projection:
            for each in self.players.values():
                each.project()
        take_asked(player, asked)
        if asked.example in self.players and not self.stage:
            self.page.course.scroll = asked.example

    def _replay_asked(self, player: ReplayPlayer, asked: Link) -> None:
        """An event of the turn, on a stage as well; back at the address of the lesson alone, its beginning."""
        if not self.stage:
            if asked.stage:
                player.open(asked.stage)
            return
        place = asked.stage or ("1" if player.live and player.turn.begun and not asked.scene else "")
        if place:
            self.stage.go(self.stage.index(player.content.id), focus=False)
            player.open(place)
            self.stage.attend()
