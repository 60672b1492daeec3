"""The editor's question: what is asked of the engine, what it answers, how a reader answers."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import ask
from tutor.core.result import Result
from tutor.course.asking import Field, answerable, fields, in_theme, question, questions, themes
from tutor.course.models import Answer
from tutor.course.teacher_lessons import Asked
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.board.layers import Selection, layers_for
from widgets.board.panels.verdict import TracePanel, VerdictPanel
from widgets.editor.answers import answer_for, declared, field_of, other_words, wording
from widgets.editor.arguments import ArgumentPickers
from widgets.editor.draft import Workbench
from widgets.editor.forms import Form, area, drop, line, tick
from widgets.host.prose import box, button, html, show

_NONE = "Aucune question"
#: What is asked first of an answer that says it.
_FIRST = ("visible", "state", "fp", "total", "need", "value")


class QuestionPanel:
    """The question: which one, its arguments, the engine's answer, how the reader gives it, the hint.

    Args:
        bench: what it changes.
        board: where the answer is drawn.
        sides: (label, side) of the game.
    """

    def __init__(self, bench: Workbench, board: Board, sides: Any) -> None:
        self._bench, self._board, self._sides = bench, board, sides
        self._writing = False
        self._made_for: tuple[Any, ...] = ()
        self._pickers: ArgumentPickers | None = None
        self._fields: list[Field] = []
        self._ours: set[str] = set()
        self._form = Form()
        self._theme = drop("Thème", options=themes(bench.game.id))
        self._theme.observe(guarded(lambda _: self._show_list()), "value")
        self._which = self._show_list()
        self._none = html(
            '<p class="ldv-empty">Choisissez ce que le lecteur cherchera. La réponse vient des règles, vous ne '
            "l’écrivez pas.</p>"
        )
        self._place = box()
        self.verdict, self.trace = VerdictPanel(bench.game.id), TracePanel(board)
        self._answer = drop(options=[("—", "")], value="", description="On demande")
        self._answer.observe(guarded(lambda c: self._asked_for(c["new"])), "value")
        self._way = drop(options=[("un choix", "choice"), ("un nombre", "number")], description="Réponse par")
        self._way.observe(guarded(lambda _: self._answer_changed()), "value")
        self._others = line(description="Autres choix", placeholder="séparés par des points-virgules")
        self._others.observe(guarded(lambda _: self._answer_changed()), "value")
        self._expected = html("")
        self._text = area(description="La question", rows=3)
        self._text.observe(guarded(lambda c: self._put(question=c["new"].strip() or None)), "value")
        self._hint = area(description="Un indice", rows=2)
        self._hint.observe(guarded(lambda c: self._put(hint=c["new"].strip() or None)), "value")
        self._free = box(css="ldv-checks")
        self._rest = box(
            self._answer,
            self._way,
            self._others,
            self._expected,
            self._text,
            self._hint,
            html('<span class="ldv-label">Le lecteur peut changer</span>'),
            self._free,
            css="ldv-fields",
        )
        again = button("Montrer le calcul")
        again.on_click(guarded(lambda _: show(self._steps, self._steps.layout.display == "none")))
        self._steps = box(self.trace.view, css="ldv-why")
        show(self._steps, False)
        self._computed = box(self.verdict.view, again, self._steps)
        self.form = box(
            html('<h2 class="ldv-label">La question</h2>'),
            self._theme,
            self._which,
            self._none,
            self._place,
            self._computed,
            self._rest,
            css="ldv-card ldv-fields ldv-asking",
        )
        self.refresh()

    # -- what is chosen -------------------------------------------------------------------------------------------

    def _show_list(self) -> Any:
        """The questions of the theme, and the one that is asked, whatever its theme."""
        game_id, asked = self._bench.game.id, self._bench.asked
        now = asked.ask if asked else ""
        named = [
            (q.label, q.name)
            for q in questions(game_id)
            if q.name == now or in_theme(game_id, self._theme.value, q.name)
        ]
        return self._form.keep(
            "which", drop, self._chosen, description="À calculer", options=[(_NONE, ""), *named], value=now
        )

    def _chosen(self, name: str) -> None:
        if not name:
            self._bench.ask(None)
            return
        chosen = question(self._bench.game.id, name)
        free = [a.name for a in chosen.arguments if a.required and a.kind in ("hex", "piece", "pieces")]
        given = answerable(self._bench.position, name)
        asked = {"ask": name, "question": chosen.label, "free": free, "with": given}
        self._bench.ask(self._with_answer(Asked.model_validate(asked)))

    def _with_answer(self, asked: Asked) -> Asked:
        """The question with the first answer that the engine gives, when it has none yet."""
        try:
            offered = fields(ask(self._bench.position, asked.ask, **asked.with_), self._bench.position)
        except TutorError:
            return asked
        if not offered:
            return asked  # the booklet does not say
        named = {f.path.removeprefix("value."): f for f in offered}
        chances = self._bench.game.rules[asked.ask].chances
        first = next((f for f in offered if f.kind == "number" and "/" in f.shown), None) if chances else None
        first = first or next((named[name] for name in _FIRST if name in named), None)
        first = first or next((f for f in offered[1:] if f.kind in ("flag", "number")), offered[0])
        answered = asked.model_copy(update={"answer": answer_for(first, "", "", self._bench.game)})
        return self._worded(answered, first)

    def _worded(self, asked: Asked, field: Field | None = None) -> Asked:
        """The question in words: those that its author has written, if any."""
        path = field_of(asked.answer) if asked.answer else ""
        field = field or next((f for f in self._fields if f.path == path), None)
        calculation = question(self._bench.game.id, asked.ask)
        if field is None or asked.question not in {None, calculation.label, *self._ours}:
            return asked
        given = declared(calculation, self._bench.position, asked.with_, asked.free)
        text = wording(calculation.label, field, given)
        self._ours.add(text)
        return asked.model_copy(update={"question": text})

    def _put(self, **update: Any) -> None:
        asked = self._bench.asked
        if asked is None or self._writing:
            return
        data = {**asked.data(), **{k: v for k, v in update.items() if v is not None}}
        for key, value in update.items():
            if value is None:
                data.pop(key, None)
        self._bench.ask(Asked.model_validate(data))

    def declare(self, values: dict[str, Any]) -> None:
        asked = self._bench.asked
        if asked is not None:
            changed = asked.model_copy(update={"with_": values})
            self._bench.ask(self._worded(changed) if changed.answer else self._with_answer(changed))

    def _asked_for(self, path: str) -> None:
        if self._writing:
            return
        self._others.value = ""
        if path:
            self._answer_changed()
        else:
            self._put(answer=None)

    def _answer_changed(self) -> None:
        if self._writing:
            return
        field, asked = next((f for f in self._fields if f.path == self._answer.value), None), self._bench.asked
        if field is not None and asked is not None:
            answer = answer_for(field, self._way.value, self._others.value, self._bench.game)
            self._bench.ask(self._worded(asked.model_copy(update={"answer": answer}), field))

    # -- clicks ---------------------------------------------------------------------------------------------------

    def click(self, cell: str, piece: str | None = None) -> str | None:
        """A click on the board chooses the argument whose turn it is."""
        if self._pickers is not None:
            self._pickers.click(cell, piece)
        return None

    # -- what holds -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the question and what the engine answers now."""
        asked = self._bench.asked
        self._writing = True
        try:
            self._show_list()
            show(self._none, asked is None)
            for part in (self._computed, self._rest):
                show(part, asked is not None)
            self._show_pickers()
            self._text.value = (asked.question if asked else None) or ""
            self._hint.value = (asked.hint if asked else None) or ""
            if asked is not None:
                self._show_result(asked)
                self._show_free(asked)
        finally:
            self._writing = False
        if asked is None:
            self._fields = []

    def _show_pickers(self) -> None:
        asked, position = self._bench.asked, self._bench.position
        state = (asked.ask, position.pieces, position.board) if asked else ()
        if self._pickers and asked and state == self._made_for:
            self._pickers.take(asked.with_)
            return
        turn = self._pickers.turn if self._pickers and self._made_for[:1] == state[:1] else 0
        self._made_for = state
        if asked is None:
            self._pickers, self._place.children = None, ()
            return
        self._pickers = ArgumentPickers(
            question(position.game, asked.ask), position, asked.with_, self._sides(), self.declare
        )
        self._pickers.turn = turn
        self._place.children = (self._pickers.widget,)

    def _show_free(self, asked: Asked) -> None:
        self._free.children = tuple(
            self._form.keep(
                (asked.ask, each.name),
                tick,
                partial(self._set_free, each.name),
                description=each.label,
                value=each.name in asked.free,
            )
            for each in question(self._bench.game.id, asked.ask).arguments
            if each.pick() is not None and (each.required or each.name in {*asked.with_, *asked.free})
        )

    def _set_free(self, name: str, on: bool) -> None:
        asked = self._bench.asked
        if asked is not None:
            free = [*(n for n in asked.free if n != name), *([name] if on else [])]
            self._bench.ask(self._worded(asked.model_copy(update={"free": free})))

    def _show_result(self, asked: Asked) -> None:
        position = self._bench.position
        try:
            if faults := self._bench.game.problems(position):
                raise TutorError(faults[0], remedy="Corrigez la position d’abord.")
            result = ask(position, asked.ask, **asked.with_)
        except TutorError as error:
            self._fields = []
            self._answer.options = [("—", "")]
            for part in (self._way, self._others):
                show(part, False)
            self.verdict.say("unknown", error.sentence)
            self.trace.clear()
            self._expected.value = ""
            return
        self.verdict.show(result, position)
        self.trace.show(result, position)
        self._show_answer(asked, result)

    def _show_answer(self, asked: Asked, result: Result[Any]) -> None:
        self._fields = [f for f in fields(result, self._bench.position) if len(f.shown) < 200]
        path = field_of(asked.answer) if asked.answer else ""
        options = [("—", ""), *((f"{f.label} ({f.shown})", f.path) for f in self._fields)]
        if path and path not in [p for _, p in options]:
            options.append(("ce que ce résultat ne dit pas", path))
        self._answer.options = options
        self._answer.value = path if path in [p for _, p in options] else ""
        field = next((f for f in self._fields if f.path == path), None)
        number = field is not None and field.kind == "number"
        show(self._way, number)
        self._way.value = asked.answer.kind if asked.answer and asked.answer.kind in ("choice", "number") else "choice"
        choices = asked.answer.choices if asked.answer else []
        show(
            self._others,
            field is not None
            and field.kind != "hexes"
            and (not number or self._way.value == "choice")
            and field.kind != "flag",
        )
        self._others.value = "\u00a0; ".join(other_words(choices, field)) if field and field.kind != "flag" else ""
        self._expected.value = self._expectation(asked.answer, field)

    def _expectation(self, answer: Answer | None, field: Field | None) -> str:
        if not self._fields:
            return (
                '<p class="ldv-empty">Les règles imprimées ne donnent pas de réponse ici. '
                "Choisissez une autre situation.</p>"
            )
        if answer is None or field is None:
            return '<p class="ldv-empty">Choisissez ce que l’on demande au lecteur.</p>'
        return (
            '<p class="ldv-expected"><span class="ldv-label">Réponse attendue</span> '
            f"<strong>{escape(field.shown)}</strong>"
            f"{NBSP}<small>d’après les règles</small></p>"
        )

    def draw(self) -> None:
        """Draw the answer on the board, or mark what is asked about."""
        asked, position, board = self._bench.asked, self._bench.position, self._board
        if asked is None:
            return
        try:
            if self._bench.game.problems(position):
                return
            result = ask(position, asked.ask, **asked.with_)
            board.show("sight", *layers_for(result, position, board.shapes))
        except TutorError:
            cells = [v for v in asked.with_.values() if isinstance(v, str) and v in position.grid]
            board.show("sight", *([Selection(tuple(cells))] if cells else []))
