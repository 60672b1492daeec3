"""A lesson as scenes on one board that stays: one question at a time beside it, its proof when it is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from tutor.course.links import Link
from widgets.board.errors import guarded
from widgets.board.memory import give_back_later
from widgets.board.panels.legend import LegendPanel
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show
from widgets.player.answered import Answered
from widgets.player.ending import Asked
from widgets.player.example import ExamplePlayer
from widgets.player.exercise import ExercisePlayer
from widgets.player.predictions import State
from widgets.player.scene import Mark, Scene, Tracked, together
from widgets.player.stage import Stage

_MARKS: dict[Mark, str] = {"ahead": "à venir", "half": "à revoir", "done": "faite"}
_OF_STATE: dict[State, Mark] = {"asked": "ahead", "missed": "ahead", "shown": "half", "right": "done"}
_REPORT = '<button type="button" class="ldv-link" data-ldv-report>Signaler une erreur</button>'
_HEX = "M8 1.5h12l6 10.5-6 10.5H8L2 12z"


class _Quiet:
    """A scene that asks nothing: done once seen."""

    def __init__(self, scene_id: str, name: str, answered: Answered) -> None:
        self.id, self.name, self._kept = scene_id, name, answered

    def enter(self) -> None:
        """Be seen."""
        self._kept.keep(self.id, "right")

    @property
    def mark(self) -> Mark:
        """Whether it was seen, perhaps on an earlier visit."""
        return _OF_STATE[self._kept.state(self.id)]

    def leave(self) -> None:
        """Nothing holds the board."""

    @property
    def answered(self) -> bool:
        """It asks nothing."""
        return True

    def advance(self, by: int = 1) -> bool:
        """There is one thing to read."""
        return False

    @property
    def asked(self) -> Sequence[Asked]:
        """None."""
        return ()


class TextScene(_Quiet):
    """What to remember, or why something is missing: no board of its own.

    Args:
        scene_id: its id.
        name: its name.
        build: makes what is read, each time.
        answered: what the reader has seen.
        stage: whose board stays, without what the last question has left on it.
    """

    def __init__(
        self, scene_id: str, name: str, build: Callable[[], Sequence[ipw.Widget]], answered: Answered, stage: Stage
    ) -> None:
        super().__init__(scene_id, name, answered)
        self._build, self._stage = build, stage

    def enter(self) -> None:
        """Be seen, beside a bare board."""
        super().enter()
        self._stage.hide()
        self._stage.board.clear()

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """What is read."""
        return self._build()


def _taking_back(player: ExamplePlayer) -> Sequence[ipw.Widget]:
    """What takes back what the reader has changed of an example; nothing where he has not.

    It stands over the words, where a phone shows it: beside what was answered, and beside a rule, proofs are long.
    """
    return [player.tools] if player.altered else []


def _proof(player: ExamplePlayer) -> Sequence[ipw.Widget]:
    """Verdict and steps of what is shown; a verdict that a reply says keeps its place, for the focus below it to stay."""
    return player.stage.side_widgets if player.changed or player.revealed else []


class RuleScene(_Quiet):
    """A rule that an example shows, beside the example as the reader left it.

    Args:
        player: of the example.
        answered: what the reader has seen.
        at: which of its rules, from 0: one a screen.
    """

    def __init__(self, player: ExamplePlayer, answered: Answered, at: int = 0) -> None:
        super().__init__(f"{player.example.id}-regle{f'-{at + 1}' if at else ''}", "La règle", answered)
        self._player, self._at = player, at

    def enter(self) -> None:
        """Show the example as it is written."""
        super().enter()
        self._player.enter(self.id)

    def leave(self) -> None:
        """Give the board to another scene."""
        self._player.leave()

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """The rule; what the board has become, once the reader has changed it."""
        player = self._player
        return [*_taking_back(player), player.ruling[self._at], *(_proof(player) if player.changed else [])]


class PlayScene:
    """A question about an example, then the example to play with.

    Args:
        player: of the example.
        changed: called when the reader has answered, or changed something.
        answered: what he has answered, or seen.
    """

    def __init__(self, player: ExamplePlayer, changed: Callable[[], object], answered: Answered) -> None:
        self.id, self._player, self._kept = player.example.id, player, answered
        self.name = "À vous de prédire" if player.question else "Sur le plateau"
        player.on_change(changed)

    def enter(self) -> None:
        """Show the example as it is written, answered or not."""
        if self._player.question is None:
            self._kept.keep(self.id, "right")
        self._player.enter(self.id)

    def leave(self) -> None:
        """Give the board to another scene."""
        self._player.leave()

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """The question; once it is answered its proof, and what may be changed."""
        player = self._player
        if not player.revealed:
            return [*player.asking, *([player.tools] if player.projected else [])]
        return [*player.asking, *_proof(player), *player.playing, *player.settings]

    @property
    def mark(self) -> Mark:
        """How the question was answered."""
        question = self._player.question
        begun = question and question.state != "asked"
        return _OF_STATE[question.state if question and begun else self._kept.state(self.id)]

    @property
    def answered(self) -> bool:
        """Whether its question is, if it asks one."""
        return self._player.question is None or self._player.question.done

    def advance(self, by: int = 1) -> bool:
        """It asks one question."""
        return False

    @property
    def asked(self) -> Sequence[Asked]:
        """Its question, if it asks one."""
        question = self._player.question
        if question is None:
            return []
        state = self._kept.state(self.id) if question.state == "asked" else question.state
        return [Asked(question.text, state, question.missed or self._kept.missed(self.id))]


class WhatIfScene:
    """The « Et si… » of an example, one after another on its board.

    Args:
        player: of the example.
        changed: called when the reader has answered.
    """

    def __init__(self, player: ExamplePlayer, changed: Callable[[], object]) -> None:
        self.id, self._player = f"{player.example.id}-si", player
        self._entered = False
        player.on_change(lambda: changed() if self._entered else None)

    def enter(self) -> None:
        """Show the position that is asked about."""
        self._entered = True
        self._player.enter(self.id)
        self._player.what_ifs.again()

    def leave(self) -> None:
        """Give the board to another scene."""
        self._entered = False
        self._player.leave()

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """The question, and its proof once it is answered; what takes back what the reader has changed since."""
        player = self._player
        if player.projected:  # a room is shown the answer under its question
            return [player.what_ifs.widget, player.tools, *_proof(player)]
        return [*_taking_back(player), player.what_ifs.widget, *_proof(player)]

    @property
    def mark(self) -> Mark:
        """How its questions were answered, all together."""
        questions = self._player.questions
        made = questions.what_ifs.states if self._seen else ["asked"] * len(questions.cases)
        kept = map(questions.state, questions.case_ids)
        return together([_OF_STATE[before if now == "asked" else now] for now, before in zip(made, kept, strict=True)])

    @property
    def _seen(self) -> bool:
        return "what_ifs" in vars(self._player.questions)

    @property
    def name(self) -> str:
        """« Et si… », and which one."""
        return f"Et si… {self._player.what_ifs.count}".strip() if self._seen else "Et si…"

    @property
    def answered(self) -> bool:
        """Whether the one on screen is."""
        return self._seen and self._player.what_ifs.state in ("shown", "right")

    def advance(self, by: int = 1) -> bool:
        """Go to the next « Et si… »."""
        return self._player.what_ifs.advance(by)

    @property
    def asked(self) -> Sequence[Asked]:
        """Its questions."""
        questions = self._player.questions
        ids = questions.case_ids
        states = questions.what_ifs.states if self._seen else ["asked"] * len(ids)
        return [
            Asked(case.text, questions.state(one) if now == "asked" else now, questions.missed(one))
            for case, one, now in zip(questions.cases, ids, states, strict=True)
        ]


class ExerciseScene:
    """The exercises of a lesson, one after another.

    Args:
        build: makes their player when they are first shown.
        ids: of the exercises.
        answered: which of them the reader has solved.
    """

    def __init__(self, build: Callable[[], ExercisePlayer], ids: Sequence[str], answered: Answered) -> None:
        self.id, self.name, self._build = "exercices", "Exercices", build
        self._ids, self._kept = ids, answered
        self.player: ExercisePlayer | None = None

    def enter(self) -> None:
        """Show the exercise that the reader had come to."""
        self.player = self.player or self._build()
        self.player.enter()

    def leave(self) -> None:
        """Give the board to another scene."""
        if self.player:
            self.player.leave()

    @property
    def widgets(self) -> Sequence[ipw.Widget]:
        """The exercise; its proof once it is answered."""
        return [self.player.panel, *self.player.stage.side_widgets] if self.player else []

    @property
    def mark(self) -> Mark:
        """How they were answered, all together."""
        marks: dict[str, Mark] = {"new": "ahead", "wrong": "half", "right": "done"}
        if self.player:
            return together([marks[state] for state in self.player.states])
        return "done" if all(map(self._kept.solved, self._ids)) else "ahead"

    @property
    def answered(self) -> bool:
        """Whether the one on screen is."""
        return self.player is not None and self.player.answered

    def advance(self, by: int = 1) -> bool:
        """Go to the next exercise."""
        return self.player is not None and self.player.advance(by)

    @property
    def asked(self) -> Sequence[Asked]:
        """The exercises; those that were never shown stand for themselves, without their text."""
        states: dict[str, State] = {"new": "asked", "wrong": "shown", "right": "right"}
        if self.player is None:
            return [Asked("", "right" if self._kept.solved(one) else "asked", False) for one in self._ids]
        seen = zip(self.player.exercises, self.player.states, strict=True)
        return [Asked(one.title, states[state], one.id in self.player.missed) for one, state in seen]


class LessonStage:
    """One board, and the scenes that are played on it.

    Args:
        page: what its widgets share.
        title: of the lesson.
        address: of the lesson, for the links to its scenes.
        position: what the board shows first.
        scenes: makes them, given the board and what to call when the reader has answered.
        writer: of the page.
        entered: called with each scene that is entered.

    Show ``widget``.
    """

    def __init__(
        self,
        page: Page,
        title: str,
        address: Link,
        position: Position,
        scenes: Callable[[Stage, Callable[[], object]], Sequence[Scene]],
        writer: Writer,
        entered: Callable[[Scene], object],
    ) -> None:
        self.page, self._title, self._address, self._entered = page, title, address, entered
        self._writer = writer
        self.stage = Stage(page, position, label=title, pending="", alone=True)
        self.at = -1
        self._path, self._head = html("", "ldv-stage-path"), html("", "ldv-stage-head")
        self._body = box(css="ldv-stage-body")
        self._legend: LegendPanel | None = None
        self._folds = box(row=True, css="ldv-folds ldv-stage-folds")
        self._back, self._onward = button("◀", hint="Scène précédente"), button("Continuer", hint="Scène suivante")
        self._back.add_class("ldv-stage-back")
        self._onward.add_class("ldv-stage-onward")
        self._back.on_click(guarded(lambda _: self.advance(-1)))
        self._onward.on_click(guarded(lambda _: self.advance()))
        self.scenes = list(scenes(self.stage, self._changed))
        panel = box(
            self._path,
            box(self._head, self._body, self._folds, css="ldv-stage-scroll"),
            box(self._back, self._onward, row=True, css="ldv-stage-foot"),
            css="ldv-stage-panel",
        )
        self._under = box(css="ldv-stage-under")
        show(self._under, False)
        shown = box(self.stage.board_widget, self._under, self.stage.closer, css="ldv-stage-map")
        self.widget = box(shown, self.stage.spot, panel, css="ldv-stage")

    @property
    def scene(self) -> Scene:
        """The one on screen."""
        return self.scenes[self.at]

    def index(self, scene_id: str) -> int:
        """Place of a scene in the lesson; -1 when there is none of that id."""
        return next((at for at, scene in enumerate(self.scenes) if scene.id == scene_id), -1)

    def go(self, at: int, *, focus: bool = True) -> None:
        """Show a scene.

        Args:
            at: its place, counted from 0; those outside mean the nearest.
            focus: bring the reader to its question.
        """
        at = max(0, min(len(self.scenes) - 1, at))
        if at == self.at:
            return
        give_back_later()
        if self.at >= 0:
            self.scene.leave()
        self.at = at
        with self.stage.board.hold():  # its words are on their way before the board is painted, its address before them
            self.scene.enter()
            self._entered(self.scene)
            self._arrange()
        self._draw_folds()
        if focus:
            self.attend()
            self.page.bridge.say(f"Scène {at + 1} sur {len(self.scenes)}{NBSP}: {self.scene.name}.")

    def recall(self) -> None:
        """What was answered on an earlier visit is known now: the scene on screen is as it was left."""
        if self.at >= 0:
            if not self.scene.answered:
                with self.stage.board.hold():
                    self.scene.enter()
            self._arrange()

    def advance(self, by: int = 1) -> None:
        """Go on, or back (-1): to the next question of the scene, else to the next scene."""
        with self.stage.board.hold():
            if inside := self.scene.advance(by):
                self._changed()
        if inside:
            self.attend()
        else:
            self.go(self.at + by)

    def attend(self) -> None:
        """Bring the reader to what is asked now."""
        self.page.course.scroll = ""
        self.page.course.scroll = self._anchor

    @property
    def _anchor(self) -> str:
        return f"scene-{self.scene.id}"

    def _changed(self) -> None:
        if self.at >= 0:
            self._arrange()

    def _arrange(self) -> None:
        """Show what stands beside the board now, and the way."""
        children = tuple(self.scene.widgets)
        if children != self._body.children:
            self._body.children = children
        tracked = self.scene if isinstance(self.scene, Tracked) else None
        under = tuple(tracked.under) if tracked else ()
        if under != self._under.children:
            self._under.children = under
            show(self._under, bool(under))
        answered = self.scene.answered
        (self._body.add_class if answered else self._body.remove_class)("is-answered")
        whole = escape(replace(self._address, view="tout").url, quote=True)
        self._head.value = (
            f'<p class="ldv-stage-eyebrow" id="{escape(self._anchor)}" tabindex="-1">{escape(self.scene.name)}</p>'
            f'<a href="{whole}">Tout voir</a>'
        )
        self._path.value = self._drawn_path()
        inside = tracked.begun if tracked else self.scene.id.endswith("-si")
        self._back.disabled = self.at == 0 and not inside
        last = self.at == len(self.scenes) - 1
        show(self._onward, not last)
        waits = not self.scene.answered
        self._onward.description = "Passer" if waits else "Continuer"
        self._onward.button_style = "" if waits else "primary"

    def _drawn_path(self) -> str:
        links = "".join(self._hex(at, scene) for at, scene in enumerate(self.scenes))
        return f'<nav class="ldv-scenes" aria-label="Scènes de la leçon">{links}</nav>'

    def _hex(self, at: int, scene: Scene) -> str:
        url = escape(replace(self._address, scene=scene.id).url, quote=True)
        name = escape(f"{at + 1}. {scene.name}{NBSP}: {_MARKS[scene.mark]}", quote=True)
        here = ' aria-current="step"' if at == self.at else ""
        return (
            f'<a href="{url}" data-ldv-within data-mark="{scene.mark}"{here} title="{name}" aria-label="{name}">'
            f'<svg viewBox="0 0 28 24" width="28" height="24" aria-hidden="true"><path d="{_HEX}"/>'
            f'<text x="14" y="16.2">{at + 1}</text><path class="ldv-tick" d="m9 12 3.5 3.5L19 9"/></svg></a>'
        )

    def _draw_folds(self) -> None:
        """The legend of what the board shows, and the board by ordinary controls."""
        position = self.stage.position
        if self._legend is None or self._legend.position.game != position.game:
            self._legend = LegendPanel(position, self.page.bridge)
            self._folds.children = (
                self._legend.view,
                *self.stage.folds,
                html(_REPORT),
            )
        self._legend.position = position
