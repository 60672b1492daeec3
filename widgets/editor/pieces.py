"""The editor's pieces: choose one and place it, or click one and change what it is."""

from __future__ import annotations

from functools import lru_cache, partial
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import PositionError
from tutor.core.kit import SIDES
from tutor.core.phrases import NBSP
from tutor.core.position import Piece
from tutor.core.registry import game
from widgets.board.errors import guarded
from widgets.editor.brushes import capital, catalogue, touched
from widgets.editor.draft import Workbench
from widgets.editor.forms import Form, drop, line, tick
from widgets.editor.ground import chips
from widgets.host.prose import box, html, show

_PLACE, _EDIT = "Poser", "Modifier"
#: States that a piece has by where it stands.
_BY_PLACE = frozenset({"in_wire"})


@lru_cache(maxsize=8)
def stock(game_id: str) -> dict[str, list[tuple[str, str]]]:
    """Group -> (label, brush) of the pieces one may place: by nation where the tables print counters, else all at once.

    >>> "Soldat Herzog" in [label for label, _ in stock("combat_commander")["Allemagne"]]
    True
    """
    rulebook = game(game_id)
    groups: dict[str, list[tuple[str, str]]] = {}
    printed_in = ("units", "weapons") if rulebook.kit.catalogue == "tables" else ()
    for table in printed_in:
        for row in rulebook.tables[table].rows if table in rulebook.tables else ():
            if "/" in row:
                label, _, nation = rulebook.tables[table].term(row).partition(" (")
                group = nation.rstrip(")") or rulebook.phrases.term(row.partition("/")[0])
                groups.setdefault(capital(group), []).append((capital(label), f"{table}:{row}"))
    if not groups:
        sides = game(game_id).kit.sides
        for i, (label, data) in enumerate(catalogue(game_id)):
            groups.setdefault(sides.get(data.get("side", ""), "Tous"), []).append((label, f"model:{i}"))

    def last(brush: str) -> bool:
        """Weapons come after those who carry them."""
        table, _, row = brush.partition(":")
        return table in rulebook.tables and not rulebook.tables[table].has(row, "morale")

    by_name = {
        group: sorted(pieces, key=lambda one: (last(one[1]), one[0].casefold())) for group, pieces in groups.items()
    }
    return dict(sorted(by_name.items()))


def side_of(game_id: str, group: str) -> str | None:
    """The side of a group of :func:`stock`, None where its counters serve any side.

    >>> side_of("combat_commander", "Allemagne"), side_of("sherman_leader", "Ennemi"), side_of("tcs", "Tous")
    ('axis', 'enemy', None)
    """
    table, _, counter = stock(game_id)[group][0][1].partition(":")
    if table == "model":
        return catalogue(game_id)[int(counter)][1].get("side")
    return game(game_id).kit.nations.get(counter.partition("/")[0])


@lru_cache(maxsize=8)
def known(game_id: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Kinds, states and values that the pieces of a game have, in its tables and its positions."""
    rulebook = game(game_id)
    pieces = [p for name in rulebook.positions() for p in rulebook.position(name).pieces]
    kinds = [row for t in ("kinds", "classes") if t in rulebook.tables for row in rulebook.tables[t].rows]
    kinds += [p.kind for p in pieces]
    states = (
        [row for row in rulebook.tables["statuses"].rows if row not in _BY_PLACE]
        if "statuses" in rulebook.tables
        else []
    )
    states += [s for p in pieces for s in p.status]
    values = [key for p in pieces for key in p.front]
    if "units" in rulebook.tables:
        numbers = ("fp", "range", "move", "morale", "command", "leadership")
        rows = rulebook.tables["units"].rows.values()
        values = [key for key in numbers if any(key in row for row in rows)] + values
    return tuple(dict.fromkeys(kinds)), tuple(dict.fromkeys(states)), tuple(dict.fromkeys(values))


def trait(game_id: str, key: str, field: str = "") -> str:
    """What the forms call a kind, a state (``field``: status) or a value (``front``) of a piece.

    >>> trait("combat_commander", "mg"), trait("asl_sk", "half_squad"), trait("asl_sk", "dm")
    ('Mitrailleuse', 'Half-Squad', 'DM')
    """
    own = game(game_id).words.traits
    return own.get(f"{field}.{key}") or own.get(key) or capital(game(game_id).phrases.term(key))


def printed(game_id: str, piece: Piece, key: str) -> Any:
    """A value that the counter of a piece bears, None when it bears none.

    >>> from tutor.core.registry import load_position
    >>> printed("combat_commander", load_position("combat_commander", "livret-ldv").piece("herzog"), "move")
    6
    """
    for table in ("units", "weapons"):
        counters = game(game_id).tables.get(table)
        if counters is not None and piece.counter and counters.has(piece.counter, key):
            return counters.get(piece.counter, key)
    return None


class PiecesPanel:
    """Pieces: placing, choosing, changing.

    Args:
        bench: what they change.

    Show ``tools`` above the board, ``form`` beside it.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.chosen: str | None = None
        self._writing = False
        self._shown: tuple[Any, ...] = ()
        self._form = Form()
        self._mode = chips([(_PLACE, _PLACE), (_EDIT, _EDIT)])
        self._mode.add_class("ldv-tabs")
        self._mode.observe(guarded(lambda _: self._mode_changed()), "value")
        self._side = drop(options=self.sides(), description="Camp")
        groups = stock(bench.game.id)
        own = bench.kit.own_sides  # each counter is of one side alone: the list of sides is the list of their groups
        self._group = drop(options=list(groups), description="Camp" if own else "Nation")
        self._brush = drop(options=next(iter(groups.values())), description="Pion")
        self._group.observe(guarded(lambda change: self._grouped(change["new"])), "value")
        self._side.observe(guarded(lambda change: self._sided(change["new"])), "value")
        self._grouped(self._group.value)
        show(self._group, len(groups) > 1)
        show(self._side, not own)
        self._supply = box(self._side, self._group, self._brush, row=True, css="ldv-pair")
        self._help = html("")
        self.tools = box(self._mode, self._supply, self._help, css="ldv-palette")
        self._head = html("")
        self._fields = box(css="ldv-fields")
        self.form = box(self._head, self._fields, css="ldv-card ldv-piece")
        self._mode_changed()

    def sides(self) -> list[tuple[str, str]]:
        """(label, side) of the game, and of the pieces that stand on the board."""
        kit, position = self._bench.kit, self._bench.position
        labels = dict(kit.sides)
        for piece in position.pieces:
            labels.setdefault(piece.side, SIDES.get(piece.side, piece.side))
        return [(label, key) for key, label in labels.items()]

    def _grouped(self, group: str) -> None:
        """Another nation: its counters, and its side."""
        self._brush.options = stock(self._bench.game.id)[group]
        self._brush.index = 0
        side = side_of(self._bench.game.id, group)
        if side in [key for _, key in self._side.options]:
            self._side.value = side

    def _sided(self, side: str) -> None:
        """Another side: its first nation, where counters belong to nations."""
        game_id = self._bench.game.id
        if side_of(game_id, self._group.value) in (None, side):
            return
        self._group.value = next((g for g in stock(game_id) if side_of(game_id, g) == side), self._group.value)

    def _mode_changed(self) -> None:
        placing = self._mode.value == _PLACE
        show(self._supply, placing)
        there = self._bench.position.board.words.the
        text = (
            f"Choisissez un pion, puis cliquez {there} où le poser. Un pion posé se déplace en le glissant."
            if placing
            else "Cliquez un pion pour le changer ou le retirer."
        )
        self._help.value = f'<p class="ldv-empty">{escape(text)}</p>'

    # -- clicks ---------------------------------------------------------------------------------------------------

    def click(self, cell: str, piece: str | None = None) -> str | None:
        """Place the chosen piece in a cell, or choose the one that stands there; the cell to mark, if any."""
        position = self._bench.position
        if self._mode.value == _PLACE:
            before = set(position.by_id)
            placed = touched(position, self._brush.value, cell, None, self._bench.game, self._side.value)
            self.chosen = next((i for i in placed.by_id if i not in before), None)
            self._bench.place(placed)
            return None
        here = [p.id for p in position.pieces_at(cell)]
        if not here:
            self.chosen = None
        elif piece in here and piece != self.chosen:
            self.chosen = piece
        else:
            at = here.index(self.chosen) + 1 if self.chosen in here else len(here) - 1
            self.chosen = here[at % len(here)]
        self.refresh()
        return cell

    def moved(self, piece: str, cell: str) -> None:
        """A piece was dragged to another cell."""
        self.chosen = piece
        self._bench.change({f"piece.{piece}.at": cell})

    # -- the form -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the chosen piece as it stands."""
        position = self._bench.position
        if self.chosen not in position.by_id:
            self.chosen = None
        if [key for _, key in self._side.options] != [key for _, key in self.sides()]:
            self._side.options = self.sides()
        if self.chosen is None:
            self._shown = ()
            self._fields.children = ()
            self._head.value = (
                f'<h2 class="ldv-label">Pion choisi</h2><p class="ldv-empty">Aucun. Posez-en un, ou cliquez'
                f"{NBSP}«{NBSP}Modifier{NBSP}» puis un pion.</p>"
            )
            return
        piece = position.by_id[self.chosen]
        here = position.hex_of(piece.id)
        title = escape(piece.name or trait(position.game, piece.kind))
        self._head.value = (
            f'<h2 class="ldv-label">Pion choisi</h2><p><strong>{title}</strong>{NBSP}· {here or "hors plateau"}</p>'
        )
        state = (piece.id, piece, tuple((p.id, p.name, position.hex_of(p.id)) for p in position.pieces))
        if state != self._shown:
            if self._shown[:1] != (piece.id,):
                self._form = Form()  # what is still told by the controls of another piece is told of that one
            self._shown = state
            self._fields.children = tuple(self._controls(piece))

    def _controls(self, piece: Piece) -> list[ipw.Widget]:
        position, rulebook = self._bench.position, self._bench.game
        kinds, states, values = known(rulebook.id)
        keep, put = self._form.keep, partial(self._set, piece.id)
        name = keep(
            "name", line, lambda new: put("name", new.strip() or None), description="Nom", value=piece.name or ""
        )
        side = keep("side", drop, partial(put, "side"), description="Camp", options=self.sides(), value=piece.side)
        kinds = kinds if piece.kind in kinds else (*kinds, piece.kind)
        sorts = sorted((trait(rulebook.id, k), k) for k in kinds)
        kind = keep("kind", drop, partial(put, "kind"), description="Sorte", options=sorts, value=piece.kind)
        carriers = [p for p in position.pieces if p.id != piece.id and p.carrier is None and p.side == piece.side]
        carrier = keep(
            "carrier",
            drop,
            partial(self._carry, piece.id),
            description="Porté par",
            options=[
                ("personne", ""),
                *((f"{position.names[p.id]} ({position.hex_of(p.id)})", p.id) for p in carriers),
            ],
            value=piece.carrier if piece.carrier in [p.id for p in carriers] else "",
        )
        at = keep("at", line, partial(self._put, piece.id), description="Endroit", value=piece.at or "")
        show(at, not piece.carrier)
        html, box = self._form.html, self._form.box
        blank = f"<small>vide{NBSP}: celle du pion imprimé</small>" if piece.counter else ""
        remove = self._form.button("remove", "Retirer ce pion", partial(self._remove, piece.id))
        return [
            *(name, side, kind, self._counter(piece), carrier, at),
            html("states", '<span class="ldv-label">État</span>'),
            box("states", *(self._state(piece, s) for s in states), row=True, css="ldv-checks"),
            html("values", f'<span class="ldv-label">Valeurs</span> {blank}'),
            box("values", *(self._value(piece, v) for v in values), row=True, css="ldv-values"),
            box("remove", remove, row=True, css="ldv-toolbar"),
        ]

    def _counter(self, piece: Piece) -> ipw.Widget:
        """The printed counters of its nation, while it is one of them or none."""
        rows = [
            (label, brush.partition(":")[2]) for group in stock(self._bench.game.id).values() for label, brush in group
        ]
        rows = [(label, row) for label, row in rows if row.partition("/")[0] == piece.nation or row == piece.counter]
        made = self._form.keep(
            "counter",
            drop,
            lambda row: self._set(piece.id, "counter", row or None),
            description="Pion imprimé",
            options=[("aucun", ""), *rows],
            value=piece.counter or "",
        )
        show(made, bool(rows) and made.index is not None)
        return made

    def _state(self, piece: Piece, status: str) -> ipw.Widget:
        label, put = trait(self._bench.game.id, status), partial(self._set, piece.id, f"status.{status}")
        return self._form.keep(("status", status), tick, put, description=label, value=status in piece.status)

    def _value(self, piece: Piece, key: str) -> ipw.Widget:
        value = printed(self._bench.game.id, piece, key)
        return self._form.keep(
            ("front", key),
            line,
            partial(self._number, piece.id, key),
            description=trait(self._bench.game.id, key, "front"),
            value="" if key not in piece.front else str(piece.front[key]),
            placeholder="" if value is None else str(value),
        )

    # -- what the form changes ------------------------------------------------------------------------------------

    def _set(self, piece: str, field: str, value: Any) -> None:
        self._bench.change({f"piece.{piece}.{field}": value})

    def _number(self, piece: str, key: str, text: str) -> None:
        text = text.strip().replace("−", "-")
        if text and not text.lstrip("-").isdigit():
            raise PositionError(f"«{NBSP}{text}{NBSP}» n’est pas un nombre entier.", remedy="Écrivez par exemple 6.")
        self._set(piece, f"front.{key}", int(text) if text else None)

    def _put(self, piece: str, text: str) -> None:
        self._set(piece, "at", self._bench.position.grid.check(text.strip().upper()))

    def _carry(self, piece: str, carrier: str) -> None:
        here = self._bench.position.hex_of(piece)
        changes = {"carrier": carrier or None, "at": None if carrier else here}
        self._bench.change({f"piece.{piece}.{key}": value for key, value in changes.items()})

    def _remove(self, piece: str) -> None:
        gone = {f"piece.{p.id}": None for p in self._bench.position.pieces if p.carrier == piece}
        self._bench.change({**gone, f"piece.{piece}": None})
