"""The free board: paint terrain, place pieces, look, fire, save and share."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import ipywidgets as ipw

from tutor.core.errors import PositionError, TutorError
from tutor.core.phrases import NBSP, NNBSP
from tutor.core.position import Position
from tutor.core.registry import GAMES, ask, game
from tutor.core.trace import Place
from tutor.core.typography import typography
from tutor.course.links import Link, position_of, position_text, read_query
from tutor.course.models import Odds
from widgets.board import errors, layouts
from widgets.board.board import Board
from widgets.board.errors import guarded
from widgets.board.events import EdgeClicked, HexClicked, PieceDropped
from widgets.board.follow import Follow, ends_after
from widgets.board.layers import Fire, Outline, Selection, Tint, layers_for
from widgets.board.panels.verdict import TracePanel, VerdictPanel
from widgets.editor.brushes import (
    empty,
    join,
    paint,
    piece_brushes,
    side_brushes,
    terrain_brushes,
    touched,
    way_brushes,
)
from widgets.host.discard import discard
from widgets.host.page import Page
from widgets.host.prose import box, button, history_buttons, html, show, steps_card, unknown_notice
from widgets.host.uploads import read_file
from widgets.pages.changing import Changing
from widgets.pages.free_modes import HELP, MODES
from widgets.pages.opening import opened
from widgets.pages.situation import Situation
from widgets.player.odds import OddsStack

if TYPE_CHECKING:
    from widgets.host.share import SharePanel


class Sandbox:
    """The free board of a game.

    Args:
        page: what its widgets share.
        game_id: game.
        position: the first one (an example of the game when None).
    """

    def __init__(self, page: Page, game_id: str, position: Position | None = None) -> None:
        self.page = page
        self.game_id, self._game, self._kit = game_id, game(game_id), game(game_id).kit
        names = self._game.positions()
        first = position or (self._game.position(self._kit.first) if self._kit.first in names else empty(game_id))
        self.situation = Situation(first)
        self.board = Board(first, label="Plateau libre", drag=True, bridge=page.bridge, whole=True)
        self._frame()
        self.verdict, self.trace = VerdictPanel(game_id), TracePanel(self.board)
        self._stacks = {
            shot.odds: OddsStack(Odds(ask=shot.odds)) for shot in self._kit.shots.values() if shot.odds is not None
        }
        self._ends: list[str] = []
        self._taken: int | None = None
        self._firers: list[str] = []
        self._target: str | None = None
        self._from: str | None = None
        self._build(names)
        self.board.on(HexClicked, lambda e: self._clicked(e.hex, e.piece))
        self.board.on(EdgeClicked, lambda e: self._edge(e.side))
        self.board.on(PieceDropped, lambda e: self._moved(e.piece, e.hex))
        Follow(self.board, self._imagine, self._refresh)
        self.situation.on_change(self._changed)
        self._mode_changed()

    @property
    def firers(self) -> tuple[str, ...]:
        """Ids of the pieces that fire, in the order in which they were chosen."""
        return tuple(self._firers)

    @property
    def target(self) -> str | None:
        """What is fired at: a cell, or a piece where the game aims at one."""
        return self._target

    def leave(self) -> None:
        """Give the page to another board."""
        self.board.leave()
        if self._changing:
            self._changing.leave()

    # -- widgets --------------------------------------------------------------------------------------------------

    def _build(self, names: list[str]) -> None:
        rules, kit = self._game, self._kit
        sides, ways = side_brushes(rules), way_brushes(rules, kit)
        offered = {"sides": bool(sides), "ways": bool(ways), "fire": bool(kit.shots)}
        modes = [(label, mode) for label, mode in MODES.items() if offered.get(mode, True)]
        self._mode = ipw.ToggleButtons(options=modes, value="sight")
        self._mode.observe(guarded(lambda _: self._mode_changed()), "value")
        self._help = html("")
        terrain = terrain_brushes(rules, kit)
        self._brushes = {
            "terrain": ipw.Dropdown(options=terrain, value=terrain[1][1], description="Pinceau"),
            "sides": ipw.Dropdown(options=sides, value=sides[1][1] if sides else None, description="Côté"),
            "ways": ipw.Dropdown(options=ways, description="Voie"),
            "pieces": ipw.Dropdown(description="Pion"),
        }
        self._camp = ipw.Dropdown(options=[(label, key) for key, label in kit.sides.items()], description="Camp")
        self._camp.observe(guarded(lambda _: self._forget_fire()), "value")
        known = rules.tables["actions"].rows if "actions" in rules.tables else {}
        actions = {row: cells["term"] for row, cells in known.items() if "fp" in cells and row != "spray_fire"}
        self._actions = {row: ipw.Checkbox(description=term, indent=False) for row, term in actions.items()}
        for made in self._actions.values():
            made.observe(guarded(lambda _: self._refresh()), "value")
        self._fire_box = box(*self._actions.values(), row=True, css="ldv-checks")
        here = self.situation
        tools = history_buttons(here.undo, here.redo, here.reset, self._share)
        self._undo, self._redo, *_ = tools
        self._shared: SharePanel | None = None
        self._share_place = box()
        self._changing: Changing | None = None
        self._change_place = box(css="ldv-spot-place")
        show(self._change_place, False)
        self._steps = steps_card(self.trace.view)
        self._faults = html("")
        start = ipw.Dropdown(
            options=[
                ("Une position du cours…", None),
                ("Plateau vide", ""),
                *((self._game.position(n).title or n, n) for n in names),
            ],
            description="Partir de",
        )
        start.observe(guarded(lambda change: self._start(change["new"])), "value")
        main = box(
            self._mode,
            self._help,
            *self._brushes.values(),
            self._camp,
            self._fire_box,
            box(self.board, css="ldv-fit"),
            self._change_place,
            self.verdict.view,
            box(*tools, row=True, css="ldv-toolbar"),
            self._share_place,
            self._faults,
            css="ldv-main",
        )
        side = box(
            self._steps,
            *(stack.widget for stack in self._stacks.values()),
            box(html('<h2 class="ldv-label">Position</h2>'), start, self._files(), css="ldv-card"),
            self.board.text_apart(),
            css="ldv-side",
        )
        self.widget = box(main, side, css="ldv-lesson")

    def _files(self) -> ipw.Widget:
        self._text = ipw.Textarea(
            placeholder="Une position en YAML", rows=10, continuous_update=False, layout=ipw.Layout(width="100%")
        )
        write, read = button("Écrire la position"), button("Charger ce texte")
        self._upload = layouts.file_button("Ouvrir un fichier")
        self._download = html("")
        write.on_click(guarded(lambda _: self._write()))
        read.on_click(guarded(lambda _: self._read(self._text.value)))
        self._upload.observe(guarded(lambda change: self._uploaded(change["new"])), "value")
        return box(box(write, read, self._upload, row=True), self._download, self._text)

    # -- modes ----------------------------------------------------------------------------------------------------

    def _mode_changed(self) -> None:
        mode = self._mode.value
        single = mode == "fire" and not next(iter(self._kit.shots.values())).several
        help_text = HELP["single" if single else mode].format(w=self.situation.position.board.words)
        self._help.value = f'<p class="ldv-situation"><small>{typography(help_text)}</small></p>'
        if mode == "pieces" and not self._brushes["pieces"].options:
            self._brushes["pieces"].options = piece_brushes(self._game, self._kit)
            self._brushes["pieces"].index = 0
        for name, brush in self._brushes.items():
            show(brush, name == mode)
        show(self._camp, mode in ("fire", "pieces"))
        show(self._fire_box, mode == "fire" and bool(self._actions))
        self.board.edges = mode == "sides"
        self._from = self._taken = None
        (self.widget.add_class if mode == "change" else self.widget.remove_class)("ldv-changing")
        if self._changing:
            self._changing.close()
        self._refresh()

    def _clicked(self, cell: str, piece: str | None) -> None:
        mode, position = self._mode.value, self.situation.position
        if mode == "sight":
            self._look(cell)
        elif mode == "change":
            self._changing = self._changing or Changing(self.page, self.board, self.situation, self._change_place)
            self._changing.open(cell, piece)
        elif mode == "fire":
            self._aim(cell, piece)
        elif mode == "terrain":
            self._replace(position.change(paint(position, self._brushes["terrain"].value, cell)))
        elif mode == "pieces":
            brush, side = self._brushes["pieces"].value, self._camp.value
            self._replace(touched(position, brush, cell, piece, self._game, side))
        elif mode == "ways":
            start, self._from = self._from, cell
            if start and start != cell:
                self._replace(position.change(join(position, self._brushes["ways"].value, start, cell)))
            self.board.select(cell)

    def _look(self, cell: str) -> None:
        if self._taken is not None:
            if cell not in self._ends:
                self._ends[self._taken] = cell
            self._taken = None
        elif cell in self._ends:
            self._taken = self._ends.index(cell)
        elif len(self._ends) < 2:
            self._ends.append(cell)
        else:
            self._ends = [self._ends[1], cell] if self._ends else [cell]
        self._refresh()

    def _aim(self, cell: str, piece: str | None) -> None:
        position = self.situation.position
        shot = self._kit.shot(self._camp.value)
        if shot is None:
            return
        own = [p.id for p in position.pieces_at(cell, self._camp.value) if p.kind != "commander"]
        if own:
            first = shot.stack and not set(own) & set(self._firers)
            chosen = [piece] if piece in own and not first else own
            if not shot.several:
                self._firers = chosen[-1:]
            elif all(i in self._firers for i in chosen):
                self._firers = [i for i in self._firers if i not in chosen]
            else:
                self._firers += [i for i in chosen if i not in self._firers]
        elif shot.at_piece:
            there = [p.id for p in position.pieces_at(cell) if p.kind != "commander"]
            self._target = piece if piece in there else there[-1] if there else None
        else:
            self._target = cell
        self._refresh()

    def _edge(self, side: str) -> None:
        value = self._brushes["sides"].value or None
        position = self.situation.position
        self._replace(position.change({f"side.{side}": None if position.read(f"side.{side}") == value else value}))

    def _imagine(self, piece: str, cell: str) -> bool:
        """Show what holds if a piece that is dragged is put down there."""
        if self._mode.value not in ("sight", "change", "fire"):
            return False
        before = self.situation.position
        position = before.change({f"piece.{piece}.at": cell})
        self._judge(position, ends_after(self._ends, before, position), aloud=False)
        return True

    def _moved(self, piece: str, cell: str) -> None:
        self._replace(self.situation.position.change({f"piece.{piece}.at": cell}))

    def _replace(self, position: Position) -> None:
        self.situation.replace(position, check=False)

    def _forget_fire(self) -> None:
        self._firers, self._target = [], None
        self._refresh()

    def _frame(self) -> None:
        """A large board opens on its pieces."""
        position = self.board.position
        self.board.aim(cell for piece in position.pieces if (cell := position.hex_of(piece.id)))

    # -- what holds -----------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        position, before = self.situation.position, self.board.position
        grid, another = position.grid, position.grid != before.grid
        self.board.position = position
        if another:
            self._frame()
        self._ends = [end for end in ends_after(self._ends, before, position) if end in grid]
        self._firers = [i for i in self._firers if i in position.by_id]
        self._target = self._target if self._target in grid or self._target in position.by_id else None
        self._refresh()
        if self._changing:
            self._changing.fit()

    def _refresh(self) -> None:
        position = self.situation.position
        layouts.allow(self._undo, self.situation.can_undo)
        layouts.allow(self._redo, self.situation.can_redo)
        if self._shared is not None:
            self._shared.refresh()
        problems = self._game.problems(position)
        items = "".join(f"<li>{escape(fault)}</li>" for fault in problems)
        self._faults.value = (
            '<div class="ldv-failure" role="status"><p>Cette position ne respecte pas les '
            f"règles{NBSP}:</p><ul>{items}</ul></div>"
            if items
            else unknown_notice(self._game.unknown_words(position))
        )
        self._judge(position, self._ends, aloud=True)
        try:
            self.page.course.link = self._link()
        except PositionError:
            self.page.course.link = ""

    def _judge(self, position: Position, ends: Sequence[str], *, aloud: bool) -> None:
        """Show what holds of a position, that on the board or one that is imagined."""
        with self.board.hold():
            for slot in ("sight", "selection", "mark"):
                self.board.show(slot)
            try:
                if self._mode.value == "fire":
                    self._show_fire(position, aloud)
                else:
                    self._show_sight(position, ends, aloud)
            except TutorError as error:
                self._say("unknown", error.sentence)

    def _show_sight(self, position: Position, ends: Sequence[str], aloud: bool) -> None:
        self._clear_odds()
        if len(ends) < 2:
            self.board.select(*ends)
            sight = self._mode.value == "sight"
            two = position.board.words.two
            self._say("pending", f"Choisissez {two}." if sight else "« Regarder » trace une ligne.")
            return
        start, end = ends
        self._show(ask(position, "los", start=start, end=end), position, aloud)
        if self._taken is not None:
            self.board.show("mark", Selection((self._ends[self._taken],)))

    def _show_fire(self, position: Position, aloud: bool) -> None:
        cells = tuple(dict.fromkeys(hex_ for i in self._firers if (hex_ := position.hex_of(i))))
        if cells:
            chosen = tuple(Place("piece", i) for i in self._firers)
            self.board.show("mark", Tint(cells, "olive"), Outline(chosen, "olive"))
        self._clear_odds()
        shot = self._kit.shot(self._camp.value)
        if shot is None or not self._firers or not self._target:
            what = "un pion visé" if shot and shot.at_piece else position.board.words.a_target
            self._say(
                "pending", f"Choisissez {'un tireur' if shot and not shot.several else 'des tireurs'}, puis {what}."
            )
            return
        arguments = shot.arguments(position, self._firers, self._target)
        if self._actions:
            arguments["actions"] = [row for row, made in self._actions.items() if made.value]
        result = ask(position, shot.ask, **arguments)
        self._show(result, position, aloud)
        target = position.hex_of(self._target) if shot.at_piece else self._target
        self.board.show("sight", Fire(cells, target or self._target))
        if result.computed and shot.odds:
            self._stacks[shot.odds].show(position, arguments)

    def _clear_odds(self) -> None:
        for stack in self._stacks.values():
            stack.clear()

    def _show(self, result: Any, position: Position, aloud: bool) -> None:
        self.board.show("sight", *layers_for(result, position, self.board.shapes))
        self.verdict.show(result, position)
        self.trace.show(result, position)
        show(self._steps, bool(self.trace.view.value))
        self.board.describe(
            [self._game.sentence(step, position) for step in (*result.refusals, *result.trace.children[-1:])],
            announce=aloud,
        )

    def _say(self, outcome: str, sentence: str) -> None:
        self.verdict.say(outcome, sentence)
        self.trace.clear()
        show(self._steps, False)

    # -- files and links ------------------------------------------------------------------------------------------

    def _start(self, name: str | None) -> None:
        if name is not None:
            self.situation.restart(self._game.position(name) if name else empty(self.game_id))

    def _write(self) -> None:
        text = self.situation.position.dump()
        self._text.value = text
        href = "data:text/yaml;charset=utf-8," + quote(text)
        self._download.value = (
            f'<a class="ldv-button" download="{escape(self.situation.position.id)}.yaml" '
            f'href="{escape(href, quote=True)}">Enregistrer le fichier</a>'
        )

    def _read(self, text: str) -> None:
        if not text.strip():
            raise PositionError("Le texte est vide.", remedy="Collez une position, ou cliquez « Écrire la position ».")
        from tutor.course.teacher_lessons import Sheet

        position = Sheet.parse(text).board
        if position.game != self.game_id:
            raise PositionError(
                f"Cette position est du jeu « {position.game} ».",
                remedy=f"Ce plateau est celui de {self._game.title}{NNBSP}; changez de jeu, puis chargez-la.",
            )
        self._replace(position)

    def _uploaded(self, files: Any) -> None:
        if not files:
            return
        try:
            text = read_file(files)
        finally:
            self._upload.value = ()
        self._read(text)

    def _link(self) -> str:
        """The address of this board as it stands.

        Raises:
            PositionError: too large for a link.
        """
        return Link("sandbox", self.game_id, position=position_text(self.situation.position)).url

    def _share(self) -> None:
        from widgets.host.share import SharePanel

        self._shared = self._shared or SharePanel(self.page, self.board, self._link)
        self._shared.refresh()
        self._share_place.children = () if self._share_place.children else (self._shared.widget,)


class SandboxPage:
    """The free board of the game that the reader or the link chooses.

    Args:
        page: what its widgets share.
        game_id: game shown first.
    """

    def __init__(self, page: Page, game_id: str) -> None:
        self.page = page
        self._choice = ipw.Dropdown(options=[(title, key) for key, title in GAMES.items()], description="Jeu")
        self._place = box()
        self.widget = box(box(self._choice, css="ldv-game"), self._place, self.page.course, css="ldv-free")
        self.board: Sandbox | None = None
        self._choice.value = game_id
        self._choice.observe(guarded(lambda change: self._chosen(change["new"])), "value")
        self.page.course.on_query(self._asked)
        if self.board is None:
            self._open(game_id)

    def _chosen(self, game_id: str) -> None:
        if self.board is None or self.board.game_id != game_id:
            self._open(game_id)

    def _open(self, game_id: str, position: Position | None = None) -> None:
        left = self.board
        if left is not None:
            left.leave()
        self.board = Sandbox(self.page, game_id, position)
        self._place.children = (self.board.widget,)
        if left is not None:
            discard(self.page, left.widget)

    def _asked(self) -> None:
        """What the link asks for: a game, a position (whose game it tells)."""
        asked = read_query(self.page.course.query)
        game_id, position = asked.game, None
        if asked.position:
            try:
                position = position_of(asked.position)
                if position.game not in GAMES:
                    raise PositionError(f"Cette position est du jeu «{NBSP}{position.game}{NBSP}», inconnu ici.")
                game_id = position.game
            except TutorError as error:
                position = None
                errors.report(f"{error.sentence} Voici une autre position{NNBSP}; rien d’autre n’a changé.")
        elif game_id and game_id not in GAMES:
            errors.report(f"Le jeu «{NBSP}{game_id}{NBSP}» n’est pas dans la maison. Choisissez-en un autre.")
        if game_id in GAMES:
            if position is not None or self.board is None or self.board.game_id != game_id:  # else it stands already
                self._open(game_id, position)
            self._choice.value = game_id


def sandbox(game_id: str = next(iter(GAMES))) -> ipw.Widget:
    """The free board of a game; the reader may choose another."""
    return opened(lambda page: SandboxPage(page, game_id).widget)
