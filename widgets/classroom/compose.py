"""What a teacher prepares before he sends it: an example or an exercise of a lesson, a board, a lesson,
his own question, what he made or was given.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

import ipywidgets as ipw

from tutor.core.errors import ContentError, TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES, game
from tutor.course.lessons import exercises, readable
from tutor.course.models import Lesson
from tutor.course.shown import (
    Body,
    board_body,
    board_of,
    choice_body,
    example_body,
    exercise_body,
    lesson_body,
    message_body,
    plain_prose,
    written,
)
from widgets.board import errors, layouts
from widgets.board.errors import failure, guarded
from widgets.classroom.pasted import KeptReader
from widgets.classroom.question import ExerciseQuestion
from widgets.classroom.shared_board import ClassBoard
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show
from widgets.player.stage import Stage

if TYPE_CHECKING:
    from widgets.host.channel import Channel

#: Label of each form -> its key.
FORMS = {
    "Un exercice": "exercise",
    "Un exemple": "example",
    "Un plateau": "board",
    "Un lien, un code": "kept",
    "Votre question": "choice",
    "Une leçon": "lesson",
    "Un mot": "message",
}
#: Form of a body -> kind of push.
KINDS = {
    "exercise": "question",
    "board": "position",
    "choice": "question",
    "lesson": "lesson",
    "message": "message",
}
#: A text is told when one leaves it: letters told one by one wait for the kernel, and a button does not.
_WHOLE = {"continuous_update": False}


class Composer:
    """What will be sent, with its preview.

    Args:
        page: what its widgets share.
        changed: told when the board of the preview changed.
        send: the button that sends, above the preview.
        channel: the way to the server, for what it keeps; None: the channel of the page.
    """

    def __init__(
        self, page: Page, changed: Callable[[], object], send: ipw.Widget | None = None, channel: Channel | None = None
    ) -> None:
        self.page = page
        self._changed = changed
        self._reader = KeptReader(lambda: channel or page.channel, self._kept, self._refused)
        self._body: Body | None = None
        self.board: ClassBoard | None = None
        self._stage: Stage | None = None
        self._seed, self._offering = 0, False
        self._form = ipw.ToggleButtons(options=list(FORMS.items()), value="exercise")
        self._form.add_class("ldv-tabs")
        self._game = ipw.Dropdown(options=[(title, one) for one, title in GAMES.items()], description="Livret")
        self._lesson, self._item = ipw.Dropdown(description="Leçon"), ipw.Dropdown(description="Exercice")
        self._start = ipw.Dropdown(description="Partir de")
        self._text = ipw.Textarea(
            placeholder="Collez un lien du cours, un lien court, un code de l’éditeur, ou une position en YAML",
            rows=3,
            **_WHOLE,
        )
        self._title = ipw.Text(description="Ce que vous en dites", placeholder="Qui voit qui ?", **_WHOLE)
        self._read, self._other = button("Lire"), button("Une autre variante")
        self._question = ipw.Textarea(placeholder="Votre question, ou un mot pour tous", rows=2, **_WHOLE)
        self._choices = ipw.Textarea(placeholder="Une réponse par ligne (de 2 à 8)", rows=4, **_WHOLE)
        self._right = layouts.number("Numéro de la bonne (0 : aucune)", 1, 0, 8)
        self._why = ipw.Text(description="À dire avec la réponse", placeholder="facultatif", **_WHOLE)
        self._preview = box()
        self._fields = {
            "game": self._game,
            "lesson": self._lesson,
            "item": self._item,
            "kept": box(self._text, box(self._read, row=True)),
            "start": self._start,
            "title": self._title,
            "words": self._question,
            "choice": box(self._choices, self._right, self._why),
        }
        self.widget = box(
            self._form,
            *self._fields.values(),
            box(send, self._other, row=True, css="ldv-toolbar"),
            self._preview,
            css="ldv-composer",
        )
        self._wire()
        self._turn()

    def _wire(self) -> None:
        self._form.observe(guarded(lambda _: self._show_fields()), "value")
        self._game.observe(guarded(lambda _: self._turn()), "value")
        for control, then in (
            (self._lesson, self._list_items),
            (self._item, self._show_preview),
            (self._start, self._show_preview),
        ):
            control.observe(guarded(lambda _, then=then: None if self._offering else then()), "value")
        self._read.on_click(guarded(lambda _: self._take_text()))
        self._other.on_click(guarded(lambda _: self._vary()))

    # -- what is chosen -------------------------------------------------------------------------------------------

    @property
    def form(self) -> str:
        """exercise, example, board, kept, choice, lesson or message."""
        return str(self._form.value)

    @property
    def kind(self) -> str:
        """Kind of push that this form is."""
        kept = str(self._body["form"]) if self.form == "kept" and self._body else "board"
        return KINDS.get(self.form, KINDS[kept])

    @property
    def lesson(self) -> Lesson:
        """The lesson chosen.

        Raises:
            ContentError: the rulebook has none that can be read.
        """
        lesson = next((one for one in readable(self._game.value)[0] if one.id == self._lesson.value), None)
        if lesson is None:
            raise ContentError("Ce livret n’a pas encore de leçon.", remedy="Choisissez-en un autre.")
        return lesson

    def body(self) -> Body:
        """What would be sent now.

        Raises:
            TutorError: something is missing, and what.
        """
        if self.form == "choice":
            right = self._right.value - 1 if self._right.value else None
            return choice_body(self._question.value, self._choices.value.splitlines(), right, self._why.value)
        if self.form == "message":
            return message_body(self._question.value)
        if self.form == "lesson":
            return lesson_body(self._game.value, self.lesson)
        if self.form == "exercise":
            return exercise_body(self._game.value, str(self._item.value), self._seed)
        if self.form == "kept" and self._body is None:
            raise ContentError("Rien n’a encore été lu.", remedy="Collez un lien ou un code, puis « Lire ».")
        if self.form == "kept" and self._body and self.board is None:
            return {**self._body, "seed": self._seed} if self._body["form"] == "exercise" else self._body
        if self.board is None:
            raise ContentError("Il n’y a pas encore de plateau.", remedy="Choisissez-en un.")
        return self.board_state()

    def board_state(self) -> Body:
        """The board of the preview as it stands, for those who follow it."""
        board = self.board
        assert board is not None
        if self.form == "example":
            lesson = self.lesson
            return example_body(self._game.value, lesson, board.example, board.bare, board.arguments)
        if self._body and self._body.get("example"):  # an example that a link named
            return {**self._body, "position": written(board.bare), "with": dict(board.arguments)}
        return board_body(board.bare, self._title.value.strip(), board.arguments)

    # -- showing it -----------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Another rulebook: its lessons, its boards."""
        rulebook = game(self._game.value)
        self._offer(self._start, [(rulebook.position(name).title or name, name) for name in rulebook.positions()])
        self._show_fields()

    def _list_lessons(self) -> None:
        """The lessons of the rulebook that have what this form sends; the one chosen stays."""
        has = {"exercise": lambda one: one.exercise_ids, "example": lambda one: one.examples}.get(self.form, bool)
        options = [(f"{one.number}. {one.title}", one.id) for one in readable(self._game.value)[0] if has(one)]
        if list(self._lesson.options) == options:
            return
        chosen = self._lesson.value
        self._offer(self._lesson, options, chosen)

    def _offer(self, control: ipw.Dropdown, options: list[tuple[str, str]], chosen: str | None = None) -> None:
        """Give a list its options, ``chosen`` or the first one chosen, without a preview of it."""
        self._offering = True
        keys = [key for _, key in options]
        try:
            control.options = options
            control.index = keys.index(chosen) if chosen in keys else 0 if options else None
        finally:
            self._offering = False

    def _list_items(self) -> None:
        """The examples, or the exercises, of the lesson chosen."""
        if self._lesson.value is None:
            self._offer(self._item, [])
        elif self.form == "example":
            self._item.description = "Exemple"
            self._offer(self._item, [(one.title, one.id) for one in self.lesson.examples.values()])
        else:
            by_id = exercises(self._game.value)
            self._item.description = "Exercice"
            self._offer(self._item, [(by_id[i].title, i) for i in self.lesson.exercise_ids if i in by_id])
        self._show_preview()

    def _show_fields(self) -> None:
        form = self.form
        self._list_lessons()
        show(self._fields["game"], form not in ("choice", "message", "kept"))
        show(self._fields["lesson"], form in ("exercise", "example", "lesson"))
        show(self._fields["item"], form in ("exercise", "example"))
        show(self._fields["start"], form == "board")
        show(self._fields["kept"], form == "kept")
        show(self._fields["title"], form == "board" or (form == "kept" and self._plain_board()))
        show(self._fields["words"], form in ("choice", "message"))
        show(self._fields["choice"], form == "choice")
        if form in ("exercise", "example"):
            self._list_items()
        else:
            self._show_preview()

    def _plain_board(self) -> bool:
        """Whether what was read is a board of which the teacher may say something."""
        return bool(self._body and self._body["form"] == "board" and not self._body.get("example"))

    def _show_preview(self) -> None:
        self._seed = 0
        self._fill()

    def _vary(self) -> None:
        self._seed += 1
        self._fill()

    def _fill(self) -> None:
        form, made = self.form, None
        self.close()
        show(self._other, False)
        try:
            if form == "exercise" and self._item.value:
                made = self._exercise()
            elif form == "example" and self._item.value:
                made = self._example()
            elif form == "board" and self._start.value:
                made = self._hold(board_body(game(self._game.value).position(self._start.value), "", {}))
            elif form == "lesson" and self._lesson.value:
                made = html(f'<p class="ldv-situation">{escape(plain_prose(self.lesson.teaser))}</p>')
            elif form == "kept" and self._body:
                made = self._kept_preview(self._body)
        except TutorError as error:
            made = html(failure(error.sentence))
        swap(self.page, self._preview, *([made] if made else []))

    def _exercise(self) -> ipw.Widget:
        return self._asked(exercise_body(self._game.value, str(self._item.value), self._seed))

    def _asked(self, body: Body) -> ipw.Widget:
        question = ExerciseQuestion(self.page, body, None)
        self._stage = question.stage
        show(self._other, bool(question.task.exercise.vary))
        question.update({"revealed": True, "distribution": None})
        return question.widget

    def _example(self) -> ipw.Widget:
        lesson = self.lesson
        example = lesson.examples[str(self._item.value)]
        position = game(self._game.value).position(example.position).change(example.changes)
        return self._hold(example_body(self._game.value, lesson, example, position, example.with_))

    def _hold(self, body: Body) -> ipw.Widget:
        self.board = ClassBoard(self.page, board_of(body), revealed=True)
        self.board.on_change(self._changed)
        self._stage = self.board.stage
        return self.board.widget

    def close(self) -> None:
        """Leave the board of the preview, if there is one."""
        if self._stage is not None:
            self._stage.close()
        self.board = self._stage = None

    # -- what was made, or given ----------------------------------------------------------------------------------

    def _take_text(self) -> None:
        errors.report("")  # what was wrong with the text before
        self._body = None
        self._show_preview()
        self._reader.read(self._text.value)

    def _kept(self, body: Body) -> None:
        self._body = body
        if self.form != "kept":  # the teacher went on to something else meanwhile
            return
        self._title.value = str(body["title"]) if self._plain_board() else ""
        show(self._fields["title"], self._plain_board())
        self._show_preview()

    def _refused(self, why: str) -> None:
        if self.form == "kept":
            self.close()
            swap(self.page, self._preview, html(failure(why)))

    def _kept_preview(self, body: Body) -> ipw.Widget:
        if body["form"] == "exercise":
            return self._asked({**body, "seed": self._seed})
        if body["form"] == "lesson":
            return html(
                f'<p class="ldv-situation">{escape(GAMES[body["game"]])}, leçon '
                f"«{NBSP}{escape(body['title'])}{NBSP}».</p>"
            )
        return self._hold(body)
