"""A turn replayed step by step: the reader decides, the engine answers, every step says why; back, forward, play, link."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import anywidget
import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.registry import game
from tutor.course.exercises import fitting
from tutor.course.links import Link
from tutor.course.matching import view
from tutor.course.replay import Move, Replay, ReplayStep, Run
from widgets.course_page import STATIC, course_page
from widgets.errors import guarded
from widgets.legend import LegendPanel
from widgets.lesson_predict import Prediction, conclusion
from widgets.lesson_stage import Stage
from widgets.lesson_text import Writer, box, button, html, show
from widgets.replay_words import changed, dice_html, score
from widgets.share import SharePanel

#: Seconds that a step stays on screen when the turn plays by itself.
PACE = 4.0
_ENDED = "Le tour est fini. Revenez à une décision et choisissez autrement : la suite sera recalculée.".replace(
    " :", f"{NBSP}:"
)


class ReplayKeys(anywidget.AnyWidget):
    """The arrow keys of a replay: each is a message, ``back``, ``on``, ``first`` or ``last``."""

    _esm = STATIC / "replay.js"


class ReplayPlayer:
    """One replayed turn.

    Args:
        game_id: game; told: its data; writer: of the page; slug: of the lesson, for links.
    """

    def __init__(self, game_id: str, told: Replay, writer: Writer, slug: str = "") -> None:
        self.game_id, self.told, self._writer, self._slug = game_id, told, writer, slug
        self.run = Run.of(game_id, told)
        #: Number of the step shown, from 1; one more than the moves played when the reader has yet to decide.
        self.number = 1
        self._refused: Move | None = None
        self._questions: dict[str, Prediction] = {}
        self._buttons: dict[str, list[ipw.Button]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.stage = Stage(self.run.start, label=told.title, pending="", panel=told.panel, acts=False)
        self.stage.board.let_drag(False)
        self._keys = ReplayKeys()
        self._keys.on_msg(guarded(lambda _, message, __: self._key(str(message.get("key", "")))))
        self.widget = box(
            self._keys,
            html(f'<p class="ldv-situation">{writer.inline(told.text)}</p>'),
            self._controls(),
            box(box(*self._main(), css="ldv-main"), box(*self._side(), css="ldv-side"), css="ldv-lesson"),
            css="ldv-replay",
        )
        self._arrive()

    # -- widgets --------------------------------------------------------------------------------------------------

    def _controls(self) -> ipw.Widget:
        self._back, self._on = button("◀", hint="Étape précédente (←)"), button("▶", hint="Étape suivante (→)")
        self._play = button("Lire", hint="Dérouler les étapes, avec le premier choix permis")
        self._share = button("Partager", hint="Lien vers cette étape")
        self._count = html("", "ldv-grow")
        self._back.on_click(guarded(lambda _: self.go(self.number - 1)))
        self._on.on_click(guarded(lambda _: self.go(self.number + 1)))
        self._play.on_click(guarded(lambda _: self._toggle_play()))
        self._share.on_click(guarded(lambda _: self._toggle_share()))
        self._share_place = box()
        self._shared = SharePanel(self.stage.board, self._link)
        row = box(self._back, self._count, self._on, self._play, self._share, row=True, css="ldv-replay-controls")
        return box(row, self._share_place)

    def _main(self) -> list[ipw.Widget]:
        self._head = html("")
        self._asked, self._row = html(""), box(row=True, css="ldv-choices")
        self._choices = box(self._asked, self._row, css="ldv-predict")
        self._question = box()
        self._dice, self._changed = html("", "ldv-dice-shown"), html("")
        verdict, _ = self.stage.side_widgets
        folds = box(LegendPanel(self.run.start).view, self.stage.controls_widget, row=True, css="ldv-folds")
        self._forth = button("Suite ▶", primary=True, hint="Étape suivante (→)")
        self._forth.on_click(guarded(lambda _: self._go_on()))
        parts = [self._head, self._choices, self._question, self._dice, verdict, self._changed, self._forth]
        return [*parts, self.stage.board_widget, *self.stage.panel_widgets, folds]

    def _side(self) -> list[ipw.Widget]:
        _, why = self.stage.side_widgets
        self._links = {step.id: button("") for step in self.told.steps}
        for name, made in self._links.items():
            made.on_click(guarded(self._opener(name)))
        turns: dict[str, list[ipw.Widget]] = {}
        for step in self.told.steps:
            turns.setdefault(step.turn, []).append(self._links[step.id])
        self._turns = {turn: html(f'<h3 class="ldv-label">{escape(turn)}</h3>') for turn in turns}
        listed = [box(self._turns[turn], *links, css="ldv-replay-list") for turn, links in turns.items()]
        return [why, box(*listed, css="ldv-card ldv-replay-steps")]

    def _opener(self, name: str) -> Callable[[object], None]:
        """Shows a step of the list, unless it is the one that waits, or one that another decision took away."""

        def open_step(_: object) -> None:
            number = next((i for i, move in enumerate(self.run.moves, 1) if move.step.id == name), 0)
            if number:
                self.go(number)

        return open_step

    @property
    def _options(self) -> list[ipw.Button]:
        """The choices of the decision shown, its own: one pressed late, once its step was left, decides no other."""
        step = self.step
        if step.id not in self._buttons:
            self._buttons[step.id] = [button("") for _ in step.decision.options] if step.decision else []
            for made in self._buttons[step.id]:
                made.on_click(guarded(self._pressed))
        return self._buttons[step.id]

    # -- going about ----------------------------------------------------------------------------------------------

    @property
    def move(self) -> Move | None:
        """The move shown; None when it has yet to be made."""
        return self.run.moves[self.number - 1] if self.number <= len(self.run.moves) else None

    @property
    def step(self) -> ReplayStep:
        """The step shown."""
        step = self.move.step if self.move else self.run.next
        assert step is not None
        return step

    def go(self, number: int) -> None:
        """Show a step already played, or the one that comes now."""
        last = len(self.run.moves) + (self.run.next is not None)
        self._stop_unless_playing()
        self.number = min(max(1, number), last)
        self._arrive()

    def _go_on(self) -> None:
        """Show the next step from its first line: the button stands below what one has just read."""
        self.go(self.number + 1)
        course_page().scroll = ""
        course_page().scroll = f"etape-{self.number}"

    def open(self, place: str) -> None:
        """Show the step that a link asks for.

        Raises:
            ContentError: the link cannot be read, or leads where the rules do not.
        """
        self.run, self.number = self.run.at(place)
        self._arrive()

    def _arrive(self) -> None:
        """Show the step; one that asks nothing of the reader is played at once."""
        self._refused = None
        if self.move is None and self.step.decision is None and self.step.question is None:
            self.run = self.run.then(self.run.default())
        self._refresh()

    def _key(self, name: str) -> None:
        ends = {"back": self.number - 1, "on": self.number + 1, "first": 1, "last": len(self.run.moves)}
        if name == "on" and self._on.disabled:
            return
        if name in ends:
            self.go(ends[name])

    # -- playing by itself ----------------------------------------------------------------------------------------

    def _toggle_play(self) -> None:
        if self._timer:
            self._stop()
        else:
            self._tick()

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None
        self._write_controls()

    def _stop_unless_playing(self) -> None:
        if self._timer and not self._ticking:
            self._stop()

    _ticking = False

    @guarded
    def _tick(self) -> None:
        """One step further: what is undecided is decided, what is shown gives way to the next."""
        self._ticking = True
        try:
            if self.move is None:
                self.run = self.run.then(self.run.default())
                self._refresh()
            elif self._ended:
                self._timer = None
            else:
                self.go(self.number + 1)
            going = not (self._ended and self.move is not None)
            self._timer = asyncio.get_running_loop().call_later(PACE, self._tick) if going else None
        finally:
            self._ticking = False
        self._write_controls()

    @property
    def _ended(self) -> bool:
        """Whether the last step is on screen."""
        return self.run.next is None and self.number == len(self.run.moves)

    # -- deciding -------------------------------------------------------------------------------------------------

    def _pressed(self, made: ipw.Button) -> None:
        decision = self.step.decision
        if decision is None or made not in self._options:
            return
        if self._timer:
            self._stop()
        self.decide(decision.options[self._options.index(made)].id)

    def decide(self, option: str) -> None:
        """Decide at the step shown; what was played after it is forgotten when the decision is another."""
        before = self.run.back(self.number - 1)
        move = before.try_out(option)
        if move.refused:
            self._refused = move
        elif self.move is None or self.move.option != move.option:
            self._refused, self.run = None, before.then(move)
        else:
            self._refused = None
        self._refresh()

    def _answered(self) -> tuple[str | None, str]:
        """The question is answered: play, then judge."""
        move = self.run.back(self.number - 1).try_out()
        if self.move is None:
            self.run = self.run.then(move)
        self._refresh()
        assert move.result is not None
        asked = self.step.question
        assert asked is not None
        right = fitting(asked.choices, view(move.result))
        return right, conclusion(move.result, move.before, self._writer, asked.because)

    # -- showing --------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        self._write_controls()
        self._write_step()
        self._show_board()
        course_page().link = self._link()
        if self._share_place.children:
            self._shared.refresh()

    def _write_controls(self) -> None:
        waits = self.move is None
        self._back.disabled = self.number == 1
        self._on.disabled = waits or self._ended
        self._on.tooltip = "Décidez d’abord" if waits else "Étape suivante (→)"
        show(self._forth, not self._on.disabled)
        self._play.description = "Arrêter" if self._timer else "Lire"
        self._play.disabled = self._ended and not self._timer
        total = len(self.run.finish().moves)
        self._count.value = f'<p class="ldv-replay-count" aria-live="polite"><span>Étape{NBSP}</span><strong>{self.number}</strong> sur {total}</p>'
        numbers = {move.step.id: i for i, move in enumerate(self.run.moves, 1)}
        if waits:
            numbers[self.step.id] = self.number
        titles = {step.id: step.title for step in self.told.steps}
        for name, made in self._links.items():
            show(made, name in numbers)
            if name in numbers:
                made.description = f"{numbers[name]}. {titles[name]}"
                made.button_style = "primary" if numbers[name] == self.number else ""
        for turn, head in self._turns.items():
            show(head, any(step.turn == turn and step.id in numbers for step in self.told.steps))

    def _write_step(self) -> None:
        step, rules, writer = self.step, game(self.game_id), self._writer.fresh()
        who = escape(rules.phrases.term(step.who))
        self._head.value = (
            f'<p class="ldv-path" id="etape-{self.number}">{escape(step.turn)} · vous jouez <span class="ldv-replay-who" data-side="{escape(step.who)}">{who}</span></p>'
            f'<h2 class="ldv-replay-title">{writer.inline(step.title, False)}</h2>'
            f'<p class="ldv-situation">{writer.inline(step.text)}</p>'
        )
        self._write_decision(step, writer)
        self._write_question(step)
        shown = self._refused or self.move
        given = shown.arguments if shown else self._announced(step)
        refused = self._refused is not None
        self._dice.value = "" if refused else dice_html(given, self.run.start)
        lines = changed(shown.before, shown.after) if shown else []
        if shown and shown.result is None and not lines and step.decision:
            lines = ["Rien ne change sur le plateau."]
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        ended = (
            f'<p class="ldv-situation">{escape(score(self.run.position))} {_ENDED}</p>'
            if self._ended and not refused
            else ""
        )
        show(self._dice, bool(self._dice.value))
        self._changed.value = (f'<ul class="ldv-replay-changes">{items}</ul>' if items else "") + ended
        show(self._changed, bool(self._changed.value))

    def _announced(self, step: ReplayStep) -> Mapping[str, Any]:
        """Dice that a question speaks of, shown before it is answered."""
        return self.run.try_out().arguments if step.question else {}

    def _write_decision(self, step: ReplayStep, writer: Writer) -> None:
        show(self._choices, step.decision is not None)
        if step.decision is None:
            return
        self._asked.value = f'<p class="ldv-question">{writer.inline(step.decision.text)}</p>'
        chosen = self.move.option if self.move and not self._refused else None
        refused = self._refused.option if self._refused else None
        if self._row.children != tuple(self._options):
            self._row.children = self._options
        for option, made in zip(step.decision.options, self._options, strict=True):
            sign = "✓ " if option == chosen else "✕ " if option == refused else ""
            made.description = sign + option.label
            (made.add_class if option == chosen else made.remove_class)("ldv-right")

    def _write_question(self, step: ReplayStep) -> None:
        key = f"{self.run.back(self.number - 1).place(self.number)} {step.id}"
        if step.question and key not in self._questions and self.move is None:
            self._questions[key] = Prediction(
                self._writer, step.question.text, step.question.choices, lambda: self._answered()
            )
        asked = self._questions.get(key) if step.question else None
        for made in self._questions.values():
            made.open = made is asked
        self._question.children = (asked.widget,) if asked and (asked.done or self.move is None) else ()

    def _show_board(self) -> None:
        stage, shown = self.stage, self._refused or self.move
        with stage.board.hold():
            stage.place(shown.before if shown else self.run.position)
            stage.hide()
            if shown and shown.result:
                stage.reveal(shown.result)
            if shown and not shown.refused:
                stage.board.later(lambda: stage.place(shown.after))
        stage.board.aim(self.step.focus)
        if shown is None:
            asked = self.step.decision or self.step.question
            stage.announce(f"{self.step.title}. {asked.text if asked else ''}")

    # -- links ----------------------------------------------------------------------------------------------------

    def _link(self) -> str:
        """The address of the step shown, decisions included."""
        return Link("lesson", self.game_id, slug=self._slug, stage=self.run.place(self.number)).url

    def _toggle_share(self) -> None:
        if self._share_place.children:
            self._share_place.children = ()
            return
        self._shared.refresh()
        self._share_place.children = (self._shared.widget,)
