"""« Aperçu » : the position and its question as the learner sees them, in the player of the lessons itself."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from tutor.core.errors import TutorError
from tutor.core.position import Position
from tutor.course.asking import first_arguments
from tutor.course.models import Example, parse_model
from tutor.course.teacher_lessons import Asked, example_data, exercise_of
from widgets.editor.draft import Draft, Workbench
from widgets.host.discard import discard, swap
from widgets.host.page import Page
from widgets.host.prose import Writer, box, html
from widgets.player.example import ExamplePlayer

if TYPE_CHECKING:
    from widgets.player.exercise import ExercisePlayer


def example_of(draft: Draft, id: str = "apercu", title: str = "", text: str = "") -> Example:
    """The live example that a draft makes; without a question, the line of sight may be tried.

    Args:
        draft: position and question.
        id, title, text: of the example (the position's own when empty).

    Raises:
        TutorError: the position is impossible, or the question cannot be asked of it.
    """
    position = draft.position
    los = {"ask": "los", "free": ["start", "end"], "with": first_arguments(position, "los")}
    asked = draft.asked or Asked.model_validate(los)
    data = example_data(position, asked, id, title or position.title or "Sans titre", text or position.note or "")
    return parse_model(Example, data, "aperçu")


class Preview:
    """The player on the draft as it stands; made anew when the draft has changed.

    Args:
        page: what its widgets share.
        bench: what is previewed.
    """

    def __init__(self, page: Page, bench: Workbench) -> None:
        self.page = page
        self._bench = bench
        self._made_for: Draft | None = None
        self.player: ExamplePlayer | ExercisePlayer | None = None
        self.widget = box(css="ldv-part ldv-preview")

    def refresh(self) -> None:
        """Show the draft as it stands."""
        draft = self._bench.draft
        if draft == self._made_for:
            return
        self._made_for = draft
        left, self.player = self.player, None
        shown: Any
        try:
            self.player = preview_player(self.page, draft)
            shown = self.player.widget
        except TutorError as error:
            shown = html(f'<div class="ldv-failure" role="status"><p>{escape(error.sentence)}</p></div>')
        swap(self.page, self.widget, shown)
        if left is not None:
            left.stage.close()
            discard(self.page, *left.stage.widgets)


def preview_player(page: Page, draft: Draft) -> ExamplePlayer | ExercisePlayer:
    """The player of a draft: of its example, or of its question alone where the answer is typed or clicked."""
    position, asked = draft.position, draft.asked
    if asked is not None and asked.question and asked.answer is not None and asked.answer.kind != "choice":
        return _typed(page, position, asked)
    example = example_of(draft)
    return ExamplePlayer(page, position.game, example, Writer(position.game), question=example.question)


def _typed(page: Page, position: Position, asked: Asked) -> ExercisePlayer:
    from widgets.player.exercise import ExercisePlayer

    writer = Writer(position.game)
    player = ExercisePlayer(page, position.game, "", [exercise_of(position, asked, "apercu")], writer)
    if position.note:
        player.widget = box(html(writer.paragraphs([position.note])), player.widget)
    return player
