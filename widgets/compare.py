"""« Côte à côte » : one mechanism in two rulebooks, on the same drawn situation, their steps aligned by kind."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.position import Position
from tutor.core.registry import GAMES, game
from tutor.core.result import Result
from tutor.course.comparison import MECHANISMS, Mechanism, Scene, mechanism
from tutor.course.links import Link, read_query
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.lesson_stage import Stage
from widgets.lesson_text import Writer, box, button, html, show, whole_page
from widgets.panels import TracePanel, rule_link

_LEFT, _RIGHT = "combat_commander", "asl_sk"


class Side:
    """One rulebook of the two: its board, its verdict, its steps by kind.

    Args:
        label: what the reader is to this book; game_id: chosen at first; changed: told of the book it had before; clicked:
            told of a hex, as lattice column and row, when the reader points at one.
    """

    def __init__(
        self, label: str, game_id: str, changed: Callable[[str], object], clicked: Callable[[int, int], object]
    ) -> None:
        self.game_id, self._clicked = game_id, clicked
        self._books = ipw.Dropdown(
            options=[(title, one) for one, title in GAMES.items()], value=game_id, description=label
        )
        self._books.observe(guarded(lambda change: self._turn(change["new"], changed)), "value")
        self._said, self._board = html(""), box()
        self._stages: dict[str, Stage] = {}
        self.widget = box(self._books, self._said, self._board, css="ldv-compared")

    def _turn(self, game_id: str, changed: Callable[[str], object]) -> None:
        was, self.game_id = self.game_id, game_id
        changed(was)

    def choose(self, game_id: str) -> None:
        """Take another book."""
        self._books.value = game_id

    def show(self, about: Mechanism, scene: Scene, target: tuple[int, int] | None) -> dict[str, str]:
        """Show what this book makes of a scene.

        Args:
            about: the mechanism; scene: state of the board; target: hex chosen by the reader.

        Returns:
            Its steps as HTML, by kind; empty without a board.
        """
        book = about.books[self.game_id]
        writer = Writer(self.game_id)
        rules = "".join(rule_link(game(self.game_id), rule) + " " for rule in book.rules)
        missing = scene.without.get(self.game_id, "")
        extra = f'<p class="ldv-hint">{writer.inline(missing)}</p>' if missing else ""
        self._said.value = f"<h3>{escape(book.term)}</h3>{writer.paragraphs(book.says)}<p>{rules}</p>{extra}"
        position = about.position(self.game_id, scene)
        if position is None:
            self._board.children = ()
            return {}
        result = self._result(about, position, scene, target)
        stage = self._stage(about, position)
        stage.place(position)
        stage.reveal(result)
        self._board.children = (stage.board_widget, stage.verdict.view)
        trace = TracePanel(stage.board)
        return {
            kind: trace.html(steps, position)
            for kind, steps in about.sorted_steps(self.game_id, result).items()
            if steps
        }

    def leave(self) -> None:
        """Close the boards of a mechanism that the reader leaves."""
        for stage in self._stages.values():
            stage.close()
        self._stages.clear()

    def _stage(self, about: Mechanism, position: Position) -> Stage:
        if self.game_id not in self._stages:
            label = f"{about.title}, {GAMES[self.game_id]}"
            stage = Stage(position, label=label, pending="", size=480, height=560)
            stage.board.let_drag(False)
            stage.on_hex(lambda hex_, _: self._clicked(*stage.position.grid.coords(hex_)))
            self._stages[self.game_id] = stage
        return self._stages[self.game_id]

    def _result(
        self, about: Mechanism, position: Position, scene: Scene, target: tuple[int, int] | None
    ) -> Result[Any]:
        board = about.books[self.game_id].board
        assert board is not None
        hex_ = position.grid.name(*target) if target else ""
        chosen = {"end": hex_} if "end" in board.with_ and hex_ in position.grid else {}
        return about.result(self.game_id, position, scene, chosen)


class Comparison:
    """The page: a mechanism, a scene, two books, their steps side by side."""

    def __init__(self) -> None:
        self._about = mechanism(MECHANISMS[0])
        self._scene = self._about.scenes[0]
        self._target: tuple[int, int] | None = None
        self._mechanisms = ipw.ToggleButtons(
            options=[(mechanism(one).title, one) for one in MECHANISMS], value=self._about.id
        )
        self._mechanisms.add_class("ldv-tabs")
        self._mechanisms.observe(guarded(lambda change: self._turn(change["new"])), "value")
        self._question, self._steps, self._all = html(""), html(""), html("")
        self._scenes = box(row=True, css="ldv-choices")
        self._left = Side("Vous connaissez", _LEFT, lambda was: self._beside(self._right, was), guarded(self._aim))
        self._right = Side("Vous apprenez", _RIGHT, lambda was: self._beside(self._left, was), guarded(self._aim))
        self.widget = box(
            html(
                "<p>La même situation, jugée par deux livrets. Choisissez celui que vous connaissez, puis celui que vous apprenez.</p>"
            ),
            self._mechanisms,
            self._question,
            self._scenes,
            box(self._left.widget, self._right.widget, row=True, css="ldv-pair"),
            self._steps,
            self._all,
            bridge(),
            course_page(),
            css="ldv-part ldv-compare",
        )
        self._begin()
        course_page().on_query(self._asked)

    def _turn(self, mechanism_id: str) -> None:
        self._about, self._target = mechanism(mechanism_id), None
        self._scene = self._about.scenes[0]
        for side in (self._left, self._right):
            side.leave()
        self._begin()

    def _begin(self) -> None:
        self._buttons = [button(scene.label) for scene in self._about.scenes]
        for made, scene in zip(self._buttons, self._about.scenes, strict=True):
            made.on_click(guarded(lambda _, to=scene: self._play(to)))
        self._scenes.children = self._buttons
        self._question.value = f'<p class="ldv-question">{Writer(_LEFT).inline(self._about.question, False)}</p>'
        self._all.value = self._table()
        self._show()

    def _play(self, scene: Scene) -> None:
        self._scene, self._target = scene, None
        self._show()

    def _beside(self, other: Side, was: str) -> None:
        """A side turned to another book: when the other side has that one, they change places."""
        if self._left.game_id == self._right.game_id:
            other.choose(was)
        else:
            self._show()

    def _aim(self, column: int, row: int) -> None:
        self._target = (column, row)
        self._show()

    def _show(self) -> None:
        for made, scene in zip(self._buttons, self._about.scenes, strict=True):
            (made.add_class if scene is self._scene else made.remove_class)("mod-active")
        left, right = (side.show(self._about, self._scene, self._target) for side in (self._left, self._right))
        self._steps.value = self._aligned(left, right)
        show(self._steps, bool(left or right))

    def _aligned(self, left: dict[str, str], right: dict[str, str]) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}</th>'
            + "".join(
                f'<td data-book="{escape(GAMES[side.game_id], quote=True)}">{found.get(kind, "")}</td>'
                for side, found in ((self._left, left), (self._right, right))
            )
            + "</tr>"
            for kind, label in self._about.kinds.items()
            if kind in left or kind in right
        )
        heads = "".join(f'<th scope="col">{escape(GAMES[side.game_id])}</th>' for side in (self._left, self._right))
        return (
            f'<h2>Pas à pas</h2><div class="ldv-trace ldv-wide"><table class="ldv-aligned"><thead><tr><td></td>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    def _table(self) -> str:
        """The mechanism in the five books, in a few words each."""
        rows = []
        for game_id, title in GAMES.items():
            book, writer = self._about.books[game_id], Writer(game_id)
            says = " ".join(writer.inline(text, False) for text in book.says)
            index = escape(Link(game=game_id, view="index").url, quote=True)
            rows.append(
                f'<div><dt><a href="{index}">{escape(title)}</a> · {escape(book.term)}</dt><dd>{says}</dd></div>'
            )
        return f'<h2>Les cinq livrets</h2><dl class="ldv-glossary">{"".join(rows)}</dl>'

    def _asked(self) -> None:
        """What the link asks for: a mechanism (``vue``), the book to learn (``jeu``)."""
        asked = read_query(course_page().query)
        if asked.view in MECHANISMS:
            self._mechanisms.value = asked.view
        if asked.game in GAMES:
            self._right.choose(asked.game)


def compare() -> ipw.Widget:
    """The page."""
    return whole_page(lambda: Comparison().widget)
