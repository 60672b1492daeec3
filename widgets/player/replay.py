"""A turn replayed step by step: the reader decides, the engine answers, every step says why;
back, forward, play, link.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.registry import game
from tutor.course.causes import Asked, mistake
from tutor.course.exercises import fitting
from tutor.course.links import Link
from tutor.course.matching import view
from tutor.course.onboard import speaks_of
from tutor.course.prose import judgement
from tutor.course.replay import Move, Replay, ReplayStep, Run
from tutor.course.replay_words import changed, dice_html, reasons, score
from tutor.course.turn import Turn
from widgets.board.errors import guarded
from widgets.board.layouts import allow
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show
from widgets.player.answered import Answered
from widgets.player.predictions import Prediction, State, conclusion
from widgets.player.stage import Stage

STATIC = Path(__file__).parent / "static"
#: Seconds that a step stays on screen when the turn plays by itself.
PACE = 4.0
_ENDED = "Le tour est fini. Revenez à une décision et choisissez autrement : la suite sera recalculée.".replace(
    " :", f"{NBSP}:"
)


class ReplayKeys(anywidget.AnyWidget):
    """The arrow keys of a replay: each is a message, ``back``, ``on``, ``first`` or ``last``."""

    _esm = STATIC / "replay.js"


class ReplayPlayer:
    """One replayed turn: what is decided, asked and shown of it on the board of a lesson.

    Args:
        page: what its widgets share.
        game_id: game.
        content: its data.
        writer: of the page.
        slug: of the lesson, for links.
        stage: the board that it plays on once it is entered.
        answered: what was answered on an earlier visit.
        changed: called after each change of what is on screen.
    """

    #: Whether the first event says what the turn is about.
    _introduces = True

    def __init__(
        self,
        page: Page,
        game_id: str,
        content: Replay,
        writer: Writer,
        slug: str,
        stage: Stage,
        *,
        answered: Answered | None = None,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self.page = page
        self.game_id, self.content, self._writer, self._slug = game_id, content, writer, slug
        self.turn = Turn(game_id, content)
        self._answered, self._changed_by_reader = answered, changed
        #: Whether the board shows it.
        self.live = False
        self._filmed = self._reopened = False
        self._questions: dict[str, Prediction] = {}
        self._buttons: dict[str, list[ipw.Button]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.stage = stage
        self.keys = ReplayKeys()
        self.keys.on_msg(guarded(lambda _, message, __: self._key(str(message.get("key", "")))))
        self._make_parts()

    # -- widgets --------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self._head = html("")
        self._asked, self._row = html(""), box(row=True, css="ldv-choices")
        self._said = html("", "ldv-said")
        self._choices = box(self._asked, self._row, self._said, css="ldv-predict")
        self._question = box()
        self._dice, self._changed = html("", "ldv-dice-shown"), html("")
        #: Plays the turn by itself.
        self.play = button("Lire", hint="Dérouler les étapes, avec le premier choix permis")
        self.play.on_click(guarded(lambda _: self._toggle_play()))
        self._other = button("Choisir autrement", hint="Revoir les choix de cette décision")
        self._other.on_click(guarded(lambda _: self._reopen()))

    @property
    def parts(self) -> list[ipw.Widget]:
        """What stands beside the board of a stage, as far as the reader is with the event."""
        turn, step = self.turn, self.turn.step
        question = [self._choices] if step.decision else [self._question] if self._question.children else []
        dice = [self._dice] if self._dice.value else []
        if turn.waits:
            return [self._head, *dice, *question, *([self.stage.steps] if turn.refused else [])]
        shown = turn.refused or turn.move
        proof = [self.stage.steps] if shown and shown.result else []
        change = [self._changed] if self._changed.value else []
        other = [self._other] if step.decision and not self._reopened else []
        return [self._head, *question, *dice, *change, *proof, *other, *self.stage.panel_widgets]

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
    def run(self) -> Run:
        """What is played, up to what the reader has not answered."""
        return self.turn.run

    @property
    def number(self) -> int:
        """Number of the event on screen, from 1."""
        return self.turn.number

    @property
    def move(self) -> Move | None:
        """The move shown; None when it has yet to be made."""
        return self.turn.move

    @property
    def step(self) -> ReplayStep:
        """The step shown."""
        return self.turn.step

    def go(self, number: int) -> None:
        """Show an event of the turn, answered or not."""
        self._stop_unless_playing()
        self._reopened = False
        self.turn.go(number)
        self._refresh()

    def enter(self) -> None:
        """Take the board: the event that the reader had come to."""
        self.live = True
        board = self.stage.board
        with board.hold():
            board.clear()
            board.label = self.content.title
            board.let_drag(False)
            self.stage.draw_under(self.content.panel, acts=False)
        self._refresh()

    def leave(self) -> None:
        """Give the board to another."""
        self._stop()
        self.live = False
        self.stage.board.let_drag(True)

    def recall(self) -> None:
        """What was answered on an earlier visit is known now."""
        if self._answered:
            self.turn.recall(lambda key: (self._answered.state(self._id(key)), self._answered.presses(self._id(key))))
            if self.live:
                self._refresh()

    def _id(self, key: str) -> str:
        """What an event is kept under."""
        return f"{self.content.id}-{key}"

    def _keep(self, state: State, places: list[int]) -> None:
        if self._answered:
            self._answered.keep(self._id(self.turn.key(self.number)), state, places)

    def open(self, place: str) -> None:
        """Show the step that a link asks for.

        Raises:
            ContentError: the link cannot be read, or leads where the rules do not.
        """
        self.turn.at(place)
        self._refresh()

    def _key(self, name: str) -> None:
        if not self.live:
            return
        ends = {"back": self.number - 1, "on": self.number + 1, "first": 1, "last": self.turn.total}
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
        if not self._ticking:
            self._stop()

    _ticking = False

    @guarded
    def _tick(self) -> None:
        """One step further: what is undecided is decided, what is shown gives way to the next."""
        self._ticking = True
        try:
            if self.turn.waits:
                self.turn.settle("shown")
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
        return self.turn.ended

    # -- deciding -------------------------------------------------------------------------------------------------

    def _pressed(self, made: ipw.Button) -> None:
        decision = self.step.decision
        if decision is None or made not in self._options:
            return
        self._stop()
        self.decide(decision.options[self._options.index(made)].id)

    def decide(self, option: str) -> None:
        """Decide at the step shown; what follows is asked again when the decision is another. What the rules refuse is
        given its reason and another try; after the second the first that they allow is played.

        Args:
            option: its id.
        """
        turn, waited = self.turn, self.turn.waits
        turn.decide(option)
        if waited and turn.step.decision:
            ids = [one.id for one in turn.step.decision.options]
            self._keep(turn.standing(self.number), [ids.index(one) for one in dict.fromkeys((*turn.tried, option))])
        self._reopened = self._reopened and turn.refused is not None
        self._filmed = waited and not turn.waits
        self._refresh()
        self._filmed = False

    def _reopen(self) -> None:
        """Offer the choices of the decision again; what was decided stays until another is."""
        self._reopened = True
        self._refresh()

    def _mistake(self, label: str) -> str:
        """Which mistake a choice of the question shown is; "" of the right one."""
        asked = self.step.question
        assert asked is not None
        move = self.turn.whole.moves[self.number - 1]
        assert move.result is not None
        return mistake(Asked(move.result, move.before, asked.choices, asked.because), label)

    def _answer(self, question: Prediction) -> tuple[str | None, str]:
        """The question is answered: show what came of it, then judge."""
        recalled = not self.turn.waits
        self.turn.begun = True
        self.turn.settle("shown" if question.state == "shown" else "right", missed=question.missed)
        self._filmed = not recalled
        self._refresh()
        self._filmed = False
        move = self.move
        assert move is not None
        assert move.result is not None
        asked = self.step.question
        assert asked is not None
        right = fitting(asked.choices, view(move.result))
        return right, conclusion(move.result, move.before, asked)

    # -- showing --------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        self._write_controls()
        self._write_step()
        self._show_board()
        self._changed_by_reader()

    def _write_controls(self) -> None:
        self.play.description = "Arrêter" if self._timer else "Lire"
        allow(self.play, bool(self._timer) or not self._ended)

    def _write_step(self) -> None:
        step, rules, writer = self.step, game(self.game_id), self._writer.fresh()
        who = escape(rules.phrases.term(step.who))
        first = self._introduces and self.number == 1 and self.turn.waits
        intro = f'<p class="ldv-situation ldv-replay-intro">{writer.inline(self.content.text)}</p>' if first else ""
        self._head.value = (
            f'{intro}<p class="ldv-path" id="etape-{self.number}"><span>{escape(step.turn)} · </span>vous jouez '
            f'<span class="ldv-replay-who" data-side="{escape(step.who)}">{who}</span></p>'
            f'<h2 class="ldv-replay-title">{writer.inline(step.title, False)}</h2>'
            f'<p class="ldv-situation">{writer.inline(step.text)}</p>'
        )
        self._write_decision(step, writer)
        self._write_question(step)
        shown = self.turn.refused or self.move
        given = shown.arguments if shown else self._announced(step)
        refused = self.turn.refused is not None
        self._dice.value = "" if refused else dice_html(given, self.run.start)
        lines = changed(shown.before, shown.after) if shown else []
        if shown and shown.result is None and not lines and step.decision:
            lines = ["Rien ne change sur le plateau."]
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        ended = (
            f'<p class="ldv-replay-ended">{escape(score(self.turn.whole.position))} {_ENDED}</p>'
            if self._ended and not refused
            else ""
        )
        show(self._dice, bool(self._dice.value))
        self._changed.value = (f'<ul class="ldv-replay-changes">{items}</ul>' if items else "") + ended
        show(self._changed, bool(self._changed.value))

    def _announced(self, step: ReplayStep) -> Mapping[str, Any]:
        """Dice that a question speaks of, shown before it is answered."""
        return self.turn.whole.moves[self.number - 1].arguments if step.question else {}

    def _write_decision(self, step: ReplayStep, writer: Writer) -> None:
        show(self._choices, step.decision is not None)
        if step.decision is None:
            return
        self._asked.value = writer.question(step.decision.text)
        turn, move = self.turn, self.move
        chosen = move.option if move and not turn.refused else None
        tried = {*turn.tried, *([turn.refused.option.id] if turn.refused and turn.refused.option else [])}
        if self._row.children != tuple(self._options):
            self._row.children = self._options
        for option, made in zip(step.decision.options, self._options, strict=True):
            missed = option.id in tried and (turn.waits or turn.refused is not None)
            made.description = option.label
            (made.add_class if option == chosen else made.remove_class)("ldv-right")
            (made.add_class if missed else made.remove_class)("ldv-missed")
        (self._choices.add_class if self._reopened else self._choices.remove_class)("is-reopened")
        self._said.value = self._reply(writer)
        show(self._said, bool(self._said.value))

    def _reply(self, writer: Writer) -> str:
        """What is said of the decision on screen, as HTML; "" before anything is tried."""
        turn, refused = self.turn, self.turn.why
        why = ""
        if refused and refused.result:
            why = " ".join(writer.inline(line, False) for line in reasons(refused.result, refused.before))
        standing, right = turn.standing(self.number), False

        def opening(right: bool, **tried: bool) -> str:
            return writer.inline(judgement(right, **tried), False)

        if turn.refused:
            words = (
                f"{opening(False)} {why} Essayez encore."
                if turn.waits
                else f"<strong>Les règles refusent.</strong> {why}"
            )
        elif standing == "right":
            right = True
            words = f"{opening(True, again=bool(turn.tried))} Les règles le permettent."
        elif standing == "shown" and why:
            words = f"{opening(False, shown=True)} ci-dessus, un choix permis. {why}"
        else:
            return ""
        proved = str(not turn.refused).lower()
        marked = f'data-right="{str(right).lower()}" data-proved="{proved}"'
        return f'<div class="ldv-diagnosis" {marked} role="status"><p>{words}</p></div>'

    def _write_question(self, step: ReplayStep) -> None:
        key = f"{self.turn.key(self.number)} {step.id}"
        if step.question and key not in self._questions:
            made = Prediction(
                self._writer,
                step.question.text,
                step.question.choices,
                self._mistake,
                lambda: self._answer(made),
                lambda state, places: self._keep(state, list(places)),
            )
            self._questions[key] = made
            if self._answered:
                made.recall(self._answered.presses(self._id(self.turn.key(self.number))))
        asked = self._questions.get(key) if step.question else None
        for each in self._questions.values():
            each.open = each is asked
        self._question.children = (asked.widget,) if asked and (asked.done or self.move is None) else ()

    def _show_board(self) -> None:
        if not self.live:
            return
        stage, turn = self.stage, self.turn
        shown = turn.refused or self.move
        with stage.board.hold():
            stage.place(shown.before if shown else turn.before)
            stage.hide()
            if shown and shown.result:
                stage.reveal(shown.result, filmed=self._filmed)
            if shown and not shown.refused:
                stage.board.later(lambda: stage.place(shown.after))
        stage.board.aim(self.step.focus, speaks_of(stage.position, self.step.with_, self.step))
        if shown is None:
            asked = self.step.decision or self.step.question
            stage.announce(f"{self.step.title}. {asked.text if asked else ''}")

    # -- links ----------------------------------------------------------------------------------------------------

    def address(self, place: str) -> str:
        """The address of an event, decisions included.

        Args:
            place: of :class:`tutor.course.turn.Turn`.
        """
        return Link("lesson", self.game_id, slug=self._slug, stage=place).url
