"""The position editor: a board, its pieces, a question, all without programming;
kept, exported, played as the learner sees it.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as ipw
import traitlets as t

from tutor.core.errors import TutorError
from tutor.core.phrases import NBSP
from tutor.core.registry import GAMES
from tutor.course.links import position_of, read_query
from tutor.course.teacher_lessons import Sheet
from widgets.board import errors
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.board.events import EdgeClicked, HexClicked, PieceDropped
from widgets.board.layouts import allow
from widgets.editor.circumstances import CircumstancesPanel
from widgets.editor.draft import Draft, Workbench
from widgets.editor.ground import GroundPanel, chips
from widgets.editor.keep import KeepPanel
from widgets.editor.lesson import LessonPanel
from widgets.editor.pieces import PiecesPanel
from widgets.editor.preview import Preview
from widgets.editor.question import QuestionPanel
from widgets.editor.teacher_lesson import Plan
from widgets.editor.tweaks import TweaksPanel
from widgets.host.discard import swap
from widgets.host.page import Page
from widgets.host.prose import box, button, html, show

STATIC = Path(__file__).parent / "static"
STEPS = {
    "Terrain": "ground",
    "Pions": "pieces",
    "Partie": "circumstances",
    "Question": "question",
    "Réglages": "tweaks",
    "Aperçu": "preview",
    "Garder": "keep",
    "Leçon": "lesson",
}


class Memory(anywidget.AnyWidget):
    """What the browser keeps for the editor: the owner's code, and the drafts. Use :func:`memory`.

    From the page: ``owner`` (known earlier), ``earlier_draft`` and ``earlier_lesson`` (drafts left there), ``ready``.
    To the page: ``owner``, ``draft``, ``lesson``; ``dropped``: the draft to forget, ``draft`` or ``lesson``; ``step``:
    the step that is open, to be brought into view in the bar.
    """

    _esm = STATIC / "editor.js"
    _css = STATIC / "editor.css"

    owner = t.Unicode("").tag(sync=True)
    draft = t.Unicode("").tag(sync=True)
    earlier_draft = t.Unicode("").tag(sync=True)
    lesson = t.Unicode("").tag(sync=True)
    earlier_lesson = t.Unicode("").tag(sync=True)
    dropped = t.Unicode("").tag(sync=True)
    step = t.Unicode("").tag(sync=True)
    ready = t.Bool(False).tag(sync=True)


def memory(page: Page) -> Memory:
    """The one of a page."""
    return page.one(Memory)


class Editor:
    """The editor of one game.

    Args:
        page: what its widgets share.
        game_id: its game.
        draft: what is edited first.
        plan: the lesson being made.
    """

    def __init__(self, page: Page, game_id: str, draft: Draft | None = None, plan: Plan | None = None) -> None:
        self.page = page
        self.bench = Workbench(game_id, draft)
        position = self.bench.position
        self.board = Board(position, label="Plateau de l’éditeur", drag=True, bridge=page.bridge, whole=True)
        self.board.rim = True
        self.ground = GroundPanel(self.bench)
        self.pieces = PiecesPanel(self.bench)
        self.circumstances = CircumstancesPanel(self.bench, self.pieces.sides)
        self.question = QuestionPanel(self.bench, self.board, self.pieces.sides)
        self.tweaks = TweaksPanel(self.bench)
        self.preview = Preview(page, self.bench)
        self.keep = KeepPanel(page, self.bench, memory(page))
        self.lesson = LessonPanel(page, self.bench, memory(page), plan)
        self._step = chips(list(STEPS.items()))
        self._step.add_class("ldv-steps-bar")
        self._faults = html("")
        self._undo, self._redo = button("↶", hint="Défaire"), button("↷", hint="Refaire")
        self._undo.on_click(guarded(lambda _: self.bench.undo()))
        self._redo.on_click(guarded(lambda _: self.bench.redo()))
        self._by_name = button("Plateau sans souris", hint="Choisir un endroit ou déplacer un pion par son nom")
        self._by_name.on_click(guarded(lambda _: self._open_controls()))
        self._controls = box(self._by_name, css="ldv-controls-box")
        bar = box(self._undo, self._redo, row=True, css="ldv-toolbar")
        self._main = box(box(self.board, css="ldv-fit"), bar, self._faults, self._controls, css="ldv-main")
        forms = (self.pieces.form, self.circumstances.form, self.question.form, self.tweaks.form, self.keep.form)
        self._side = box(self.ground.tools, self.pieces.tools, *forms, css="ldv-side")
        self._work = box(self._main, self._side, css="ldv-lesson ldv-editor")
        self.widget = box(self._step, self._work, self.preview.widget, self.lesson.widget)
        self.board.on(HexClicked, lambda e: self._clicked(e.hex, e.piece))
        self.board.on(EdgeClicked, lambda e: (self.tweaks if self.step == "tweaks" else self.ground).edge(e.side))
        self.board.on(PieceDropped, lambda e: self.pieces.moved(e.piece, e.hex))
        self.ground.on_mode(self._aim)
        self.tweaks.on_kind(self._aim)
        self._step.observe(guarded(lambda _: self._stepped()), "value")
        self.bench.on_change(self._changed)
        self._changed()
        self._stepped()

    def _open_controls(self) -> None:
        from widgets.board.panels.settings import BoardControls

        controls = BoardControls(self.board)
        controls.view.selected_index = 0
        self._controls.children = (controls.view,)

    @property
    def step(self) -> str:
        """What is being done: ground, pieces, circumstances, question, tweaks, preview, keep or lesson."""
        return str(self._step.value)

    @step.setter
    def step(self, step: str) -> None:
        self._step.value = step

    def _stepped(self) -> None:
        errors.report("")  # what was wrong at the step before
        step = memory(self.page).step = self.step
        show(self.ground.tools, step == "ground")
        show(self.pieces.tools, step == "pieces")
        for name in ("pieces", "circumstances", "question", "tweaks", "keep"):
            show(getattr(self, name).form, step == name)
        show(self._work, step not in ("preview", "lesson"))
        show(self.preview.widget, step == "preview")
        show(self.lesson.widget, step == "lesson")
        self._aim()
        with self.board.hold():
            for slot in ("sight", "selection"):
                self.board.show(slot)
            self._show_step()

    def _aim(self) -> None:
        meant = {"ground": self.ground.edges, "tweaks": self.tweaks.edges}
        self.board.edges = meant.get(self.step, False)
        self.board.select()

    def _show_step(self) -> None:
        panel: Any = {
            "pieces": self.pieces,
            "circumstances": self.circumstances,
            "question": self.question,
            "tweaks": self.tweaks,
            "keep": self.keep,
            "preview": self.preview,
            "lesson": self.lesson,
        }.get(self.step, self.ground)
        panel.refresh()
        self.board.show("sight")
        if self.step == "question":
            self.question.draw()

    def _clicked(self, cell: str, piece: str | None) -> None:
        panel: Any = {
            "ground": self.ground,
            "pieces": self.pieces,
            "question": self.question,
            "tweaks": self.tweaks,
        }.get(self.step)
        marked = panel.click(cell, piece) if panel else None
        self.board.select(*([marked] if marked else []))

    def _changed(self) -> None:
        errors.report("")  # what was wrong before this change
        self.board.position = self.bench.position
        allow(self._undo, self.bench.can_undo)
        allow(self._redo, self.bench.can_redo)
        self.board.later(self._show_problems)
        self._show_step()

    def _show_problems(self) -> None:
        faults = self.bench.problems()
        items = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
        said = (
            f"{len(faults)} problème{'s' if len(faults) > 1 else ''}{NBSP}:<ul>{items}</ul>"
            if faults
            else "✓ Aucun problème."
        )
        self._faults.value = f'<div class="ldv-problems" data-faults="{len(faults)}" role="status">{said}</div>'
        if self.bench.can_undo:  # what nobody touched must not replace the draft that the browser still has
            memory(self.page).draft = Sheet.of(self.bench.position, self.bench.asked).dump()


class EditorPage:
    """The editor of the game that the reader or the link chooses.

    Args:
        page: what its widgets share.
        game_id: game shown first.
    """

    def __init__(self, page: Page, game_id: str) -> None:
        self.page = page
        self._choice = ipw.Dropdown(options=[(title, key) for key, title in GAMES.items()], description="Jeu")
        self._draft_offer, self._lesson_offer = box(), box()
        self._place = box()
        self.editor: Editor | None = None
        self._left: dict[str, tuple[Draft, Plan]] = {}
        self.widget = box(
            box(self._choice, css="ldv-game"),
            self._draft_offer,
            self._lesson_offer,
            self._place,
            memory(self.page),
            *self.page.unseen,
        )
        self._open(game_id)
        self._choice.value = game_id
        self._choice.observe(guarded(lambda change: self._chosen(change["new"])), "value")
        self.page.course.observe(guarded(lambda _: self._asked()), "query")
        memory(self.page).observe(guarded(lambda change: self._left_here(change["new"])), "earlier_draft")
        memory(self.page).observe(guarded(lambda change: self._lesson_left_here(change["new"])), "earlier_lesson")
        if self.page.course.query:
            self._asked()

    def _chosen(self, game_id: str) -> None:
        if self.editor is None or self.editor.bench.game.id != game_id:
            self._open(game_id)

    def _open(self, game_id: str, draft: Draft | None = None) -> None:
        if self.editor is not None:
            self._left[self.editor.bench.game.id] = (self.editor.bench.draft, self.editor.lesson.plan)
            self.editor.board.leave()
            self.editor.keep.close()
            self.editor.lesson.close()
        before, plan = self._left.get(game_id, (None, None))
        self.editor = Editor(self.page, game_id, draft or before, plan)
        self.editor.keep.opens = self.show
        swap(self.page, self._place, self.editor.widget)

    def show(self, draft: Draft) -> None:
        """Edit something else, of any game."""
        game_id = draft.position.game
        if self.editor is not None and self.editor.bench.game.id == game_id:
            self.editor.bench.restart(draft)
        else:
            self._open(game_id, draft)
            self._choice.value = game_id

    def _left_here(self, text: str) -> None:
        """A draft that this browser kept from an earlier visit."""
        if not text:
            return
        try:
            sheet = Sheet.parse(text)
        except TutorError:
            return
        name = sheet.board.title or sheet.board.id
        draft = Draft(sheet.board, sheet.asked)
        self._offer(self._draft_offer, "draft", name, sheet.board.game, lambda: self.show(draft))

    def _lesson_left_here(self, text: str) -> None:
        """A lesson that this browser kept from an earlier visit, as it was being made."""
        if not text:
            return
        try:
            game_id, plan = Plan.parse(text)
        except TutorError:
            return
        name = plan.title or f"leçon sans titre, {len(plan.parts)} partie{'s' if len(plan.parts) > 1 else ''}"
        self._offer(self._lesson_offer, "lesson", name, game_id, lambda: self._resume(game_id, plan))

    def _resume(self, game_id: str, plan: Plan) -> None:
        self._chosen(game_id)
        self._choice.value = game_id
        if self.editor is not None:
            self.editor.lesson.resume(plan)
            self.editor.step = "lesson"

    def _offer(self, place: ipw.Box, kind: str, name: str, game_id: str, take: Callable[[], object]) -> None:
        """Offer what was left: take it up again, or let it go."""
        again = button("Reprendre la leçon" if kind == "lesson" else "Reprendre le brouillon", primary=True)
        gone = button("L’oublier", hint="Effacer ce brouillon de ce navigateur")

        def close(act: Callable[[], object]) -> Callable[[Any], None]:
            def closing(_: Any) -> None:
                swap(self.page, place)
                act()

            return guarded(closing)

        again.on_click(close(take))
        gone.on_click(close(lambda: memory(self.page).set_trait("dropped", kind)))
        what = "Leçon retrouvée" if kind == "lesson" else "Position retrouvée"
        said = html(f"<p>{what}{NBSP}: «{NBSP}{escape(name)}{NBSP}», {escape(GAMES[game_id])}.</p>")
        place.children = (box(said, again, gone, row=True, css="ldv-toolbar"),)

    def _asked(self) -> None:
        asked = read_query(self.page.course.query)
        try:
            if asked.position:
                self.show(Draft(position_of(asked.position)))
            elif asked.game in GAMES:
                self._chosen(asked.game)
                self._choice.value = asked.game
            if asked.slug and self.editor is not None:
                self.editor.keep.load(asked.slug)
        except TutorError as error:
            errors.report(error.sentence)
