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
from tutor.course.onboard import speaks_of
from widgets.board.errors import guarded
from widgets.board.panels.verdict import TracePanel, rule_link
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import Writer, box, button, html, show
from widgets.pages.opening import opened
from widgets.player.stage import Stage

_COUNTS = ("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix")


def compared() -> dict[str, str]:
    """Game id -> title of the rulebooks that say something of one mechanism at least.

    >>> list(compared())[:2]
    ['combat_commander', 'asl_sk']
    """
    known = {game_id for one in MECHANISMS for game_id in mechanism(one).books}
    return {game_id: title for game_id, title in GAMES.items() if game_id in known}


class Side:
    """One rulebook of the two: its board, its verdict, its steps by kind.

    Args:
        page: what its widgets share.
        label: what the reader is to this book.
        game_id: chosen at first.
        changed: told of the book it had before.
        clicked: told of a hex, as lattice column and row, when the reader points at one.
    """

    def __init__(
        self,
        page: Page,
        label: str,
        game_id: str,
        changed: Callable[[str], object],
        clicked: Callable[[int, int], object],
    ) -> None:
        self.page = page
        self.game_id, self._clicked = game_id, clicked
        self._books = ipw.Dropdown(
            options=[(title, one) for one, title in compared().items()], value=game_id, description=label
        )
        self._books.observe(guarded(lambda change: self._turn(change["new"], changed)), "value")
        self._said, self._board = html(""), box()
        self._stages: dict[str, Stage] = {}
        self._traces: dict[str, TracePanel] = {}
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
            about: the mechanism.
            scene: state of the board.
            target: hex chosen by the reader.

        Returns:
            Its steps as HTML, by kind; empty without a board.
        """
        book = about.books.get(self.game_id)
        if book is None:
            self._said.value, self._board.children = '<p class="ldv-hint">Ce livret n’en dit rien ici.</p>', ()
            return {}
        writer = Writer(self.game_id)
        rules = "".join(rule_link(game(self.game_id), rule) + " " for rule in book.rules)
        missing = book.place(scene).without or ""
        extra = f'<p class="ldv-hint">{writer.inline(missing)}</p>' if missing else ""
        self._said.value = f"<h2>{escape(book.term)}</h2>{writer.paragraphs(book.says)}<p>{rules}</p>{extra}"
        position = about.position(self.game_id, scene)
        if position is None:
            self._board.children = ()
            return {}
        result = self._result(about, position, scene, target)
        stage = self._stage(about, position, scene)
        stage.place(position)
        stage.reveal(result)
        self._board.children = (stage.board_widget, stage.verdict.view)
        return {
            kind: self._traces[self.game_id].html(steps, position)
            for kind, steps in about.sorted_steps(self.game_id, result).items()
            if steps
        }

    def leave(self) -> None:
        """Close the boards of a mechanism that the reader leaves."""
        self._board.children = ()
        for stage in self._stages.values():
            stage.close()
            discard(self.page, *stage.widgets)
        for trace in self._traces.values():
            discard(self.page, trace.view)
        self._stages.clear()
        self._traces.clear()

    def _stage(self, about: Mechanism, position: Position, scene: Scene) -> Stage:
        if self.game_id not in self._stages:
            label = f"{about.title}, {GAMES[self.game_id]}"
            stage = Stage(self.page, position, label=label, pending="")
            stage.board.let_drag(False)
            stage.board.aim(speaks_of(position, about.declared(self.game_id, scene)))
            stage.on_hex(lambda hex_, _: self._clicked(*stage.position.grid.coords(hex_)))
            self._stages[self.game_id], self._traces[self.game_id] = stage, TracePanel(stage.board)
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

    def __init__(self, page: Page) -> None:
        self.page = page
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
        first, second = list(compared())[:2]
        self.left = Side(page, "Vous connaissez", first, lambda was: self._beside(self.right, was), guarded(self._aim))
        self.right = Side(page, "Vous apprenez", second, lambda was: self._beside(self.left, was), guarded(self._aim))
        self.widget = box(
            html(
                "<p>La même situation, jugée par deux livrets. Choisissez celui que vous connaissez, puis celui que "
                "vous apprenez.</p>"
            ),
            self._mechanisms,
            self._question,
            self._scenes,
            box(self.left.widget, self.right.widget, row=True, css="ldv-pair"),
            self._steps,
            self._all,
            *self.page.unseen,
            css="ldv-part ldv-compare",
        )
        self._begin()
        self.page.course.on_query(self._asked)

    def _turn(self, mechanism_id: str) -> None:
        self._about, self._target = mechanism(mechanism_id), None
        self._scene = self._about.scenes[0]
        for side in (self.left, self.right):
            side.leave()
        self._begin()

    def _begin(self) -> None:
        self._buttons = [button(scene.label) for scene in self._about.scenes]
        for made, scene in zip(self._buttons, self._about.scenes, strict=True):
            made.on_click(guarded(lambda _, to=scene: self._play(to)))
        left, self._scenes.children = self._scenes.children, self._buttons
        discard(self.page, *left)
        self._question.value = (
            f'<p class="ldv-question">{Writer(next(iter(compared()))).inline(self._about.question, False)}</p>'
        )
        self._all.value = self._table()
        self._show()

    def _play(self, scene: Scene) -> None:
        self._scene, self._target = scene, None
        self._show()

    def _beside(self, other: Side, was: str) -> None:
        """A side turned to another book: when the other side has that one, they change places."""
        if self.left.game_id == self.right.game_id:
            other.choose(was)
        else:
            self._show()

    def _aim(self, column: int, row: int) -> None:
        self._target = (column, row)
        self._show()

    def _show(self) -> None:
        for made, scene in zip(self._buttons, self._about.scenes, strict=True):
            (made.add_class if scene is self._scene else made.remove_class)("mod-active")
        left, right = (side.show(self._about, self._scene, self._target) for side in (self.left, self.right))
        self._steps.value = self._aligned(left, right)
        show(self._steps, bool(left or right))

    def _aligned(self, left: dict[str, str], right: dict[str, str]) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}</th>'
            + "".join(
                f'<td data-book="{escape(GAMES[side.game_id], quote=True)}">{steps.get(kind, "")}</td>'
                for side, steps in ((self.left, left), (self.right, right))
            )
            + "</tr>"
            for kind, label in self._about.kinds.items()
            if kind in left or kind in right
        )
        heads = "".join(f'<th scope="col">{escape(GAMES[side.game_id])}</th>' for side in (self.left, self.right))
        return (
            '<h2>Pas à pas</h2><div class="ldv-trace ldv-wide"><table '
            f'class="ldv-aligned"><thead><tr><td></td>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    def _table(self) -> str:
        """The mechanism in every book, in a few words each."""
        rows = []
        for game_id, book in self._about.books.items():
            title, writer = GAMES[game_id], Writer(game_id)
            says = " ".join(writer.inline(text, False) for text in book.says)
            index = escape(Link(game=game_id, view="index").url, quote=True)
            rows.append(
                f'<div><dt><a href="{index}">{escape(title)}</a> · {escape(book.term)}</dt><dd>{says}</dd></div>'
            )
        count = _COUNTS[len(rows)] if len(rows) < len(_COUNTS) else str(len(rows))
        return f'<h2>Les {count} livrets</h2><dl class="ldv-glossary">{"".join(rows)}</dl>'

    def _asked(self) -> None:
        """What the link asks for: a mechanism (``vue``), the book to learn (``jeu``)."""
        asked = read_query(self.page.course.query)
        if asked.view in MECHANISMS:
            self._mechanisms.value = asked.view
        if asked.game in compared():
            self.right.choose(asked.game)


def compare() -> ipw.Widget:
    """The page."""
    return opened(lambda page: Comparison(page).widget)
