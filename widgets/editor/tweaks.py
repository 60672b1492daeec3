"""What the reader may change: chosen on the board and in lists, never typed as a path."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.errors import PositionError
from tutor.core.phrases import NBSP
from tutor.core.position import Position, Tweak
from tutor.course.asking import lowered, word
from widgets.board.errors import guarded
from widgets.editor.brushes import side_brushes, table_term
from widgets.editor.draft import Workbench
from widgets.editor.forms import Form, drop, line, tick
from widgets.editor.pieces import known, printed, trait
from widgets.host.prose import box, button, html, show

_KINDS = {
    "terrain": "Le terrain d’un endroit",
    "level": "Le niveau d’un endroit",
    "side": "Un côté",
    "marker": "Un marqueur",
    "status": "L’état d’un pion",
    "front": "Une valeur d’un pion",
}

_NONE = "Ce que le lecteur peut changer sur ce plateau, pour voir la réponse changer. Aucun réglage pour l’instant."


class TweaksPanel:
    """The settings that the learner will find beside the board.

    Args:
        bench: what they change.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._cells: list[str] = []
        self._ticked_for = ""
        self._rows = Form()
        rulebook, kit = bench.game, bench.kit
        self._markers = [m for m, values in kit.markers if m != "fortification"]
        offered = {"level": bool(kit.levels), "side": bool(side_brushes(rulebook)), "marker": bool(self._markers)}
        self._kind = drop(
            options=[(label, kind) for kind, label in _KINDS.items() if offered.get(kind, True)],
            description="Le lecteur change",
        )
        self._kind.observe(guarded(lambda _: self._restart()), "value")
        self._marker = drop(
            options=[(table_term(rulebook, "markers", m), m) for m in self._markers], description="Marqueur"
        )
        self._marker.observe(guarded(lambda _: self._offer()), "value")
        self._place = html("")
        self._piece = drop(description="Pion")
        self._what = drop(description="Quoi")
        self._choices = box(css="ldv-checks")
        self._low = ipw.IntText(value=1, description="De")
        self._high = ipw.IntText(value=10, description="à")
        self._label = line(description="Nom du réglage", placeholder="choisi pour vous")
        add = button("Ajouter ce réglage", primary=True)
        add.on_click(guarded(lambda _: self.add()))
        self._list = box(css="ldv-fields")
        self.form = box(
            html('<h2 class="ldv-label">Réglages du lecteur</h2>'),
            self._list,
            self._kind,
            self._marker,
            self._place,
            self._piece,
            self._what,
            self._choices,
            box(self._low, self._high, row=True, css="ldv-pair"),
            self._label,
            box(add, row=True, css="ldv-toolbar"),
            css="ldv-card ldv-fields",
        )
        self._restart()

    # -- what is offered ------------------------------------------------------------------------------------------

    @property
    def edges(self) -> bool:
        """Whether a click near a side is meant."""
        return bool(self._kind.value == "side")

    def on_kind(self, listener: Any) -> None:
        """Call when another kind of setting is chosen."""
        self._kind.observe(guarded(lambda _: listener()), "value")

    def _restart(self) -> None:
        self._cells = []
        self._label.value = ""
        self._offer()

    def _offer(self) -> None:
        kind, position = self._kind.value, self._bench.position
        of_piece = kind in ("status", "front")
        pieces = [(f"{position.names[p.id]} ({position.hex_of(p.id) or '—'})", p.id) for p in position.pieces]
        if list(self._piece.options) != pieces:
            self._piece.options = pieces
            self._piece.index = 0 if pieces else None
        _, states, values = known(self._bench.game.id)
        keys = values if kind == "front" else states
        words = [(trait(self._bench.game.id, key, kind), key) for key in keys]
        if [key for _, key in self._what.options] != [key for _, key in words]:
            self._what.options = words
            self._what.index = 0 if words else None
        show(self._marker, kind == "marker")
        show(self._place, not of_piece)
        show(self._piece, of_piece)
        show(self._what, of_piece)
        show(self._low, kind == "front")
        show(self._high, kind == "front")
        choices = self._options(kind)
        if [made.description for made in self._choices.children] != [label for _, label in choices]:
            self._choices.children = tuple(tick(value=i < 2, description=label) for i, (_, label) in enumerate(choices))
        here = self._here() if self._where() and choices else ""
        state = f"{self._path()} {here}" if here else ""
        if state != self._ticked_for:
            self._ticked_for = state
            self._tick_from(here, [key for key, _ in choices])
        two = kind == "side" and len(self._cells) < 2
        words_ = self._bench.position.board.words
        place = self._where() or f"cliquez {words_.side if two else words_.one} du plateau"
        self._place.value = f'<p class="ldv-empty">Endroit{NBSP}: <strong>{escape(place)}</strong></p>'

    def _tick_from(self, here: str, keys: list[str]) -> None:
        """Tick what stands there now, which the reader must be able to come back to, and one thing else."""
        other = next((key for key in keys if key != here), "")
        for key, made in zip(keys, self._choices.children, strict=True):
            made.disabled = bool(here) and key == here
            if here:
                made.value = key in (here, other)

    def _path(self) -> str:
        """What the setting changes, of a place."""
        kind, where = self._kind.value, self._where()
        return f"marker.{self._marker.value}.{where}" if kind == "marker" else f"{kind}.{where}"

    def _here(self) -> str:
        """The choice that is true now of the place."""
        now = self._bench.position.read(self._path())
        here = {"None": "none", "True": "true"}.get(str(now), str(now))
        return "open" if self._kind.value == "terrain" and now is None else here

    def _options(self, kind: str) -> list[tuple[str, str]]:
        rulebook, kit = self._bench.game, self._bench.kit
        if kind == "terrain":
            rows = [row for row in rulebook.tables["terrain"].rows if row not in ("open", "clear")]
            return [("open", "Dégagé"), *((row, table_term(rulebook, "terrain", row)) for row in rows)]
        if kind == "level":
            return [(str(level), f"Niveau {level}") for level in kit.levels]
        if kind == "side":
            return [("none", "Rien"), *((key, label) for label, key in side_brushes(rulebook)[1:])]
        if kind == "marker":
            values = dict(kit.markers).get(self._marker.value, ())
            return [
                ("none", "Sans"),
                *(("true" if v is True else str(v), "Avec" if v is True else str(v)) for v in values),
            ]
        return []

    def _where(self) -> str:
        if self._kind.value == "side":
            return "/".join(self._cells) if len(self._cells) == 2 else ""
        return self._cells[0] if self._cells else ""

    # -- clicks ---------------------------------------------------------------------------------------------------

    def click(self, cell: str, piece: str | None = None) -> str | None:
        """A click says where, or of which piece."""
        kind, position = self._kind.value, self._bench.position
        if kind in ("status", "front"):
            here = [p.id for p in position.pieces_at(cell)]
            if here:
                self._piece.value = piece if piece in here else here[0]
        elif kind == "side" and len(self._cells) == 1 and cell in position.grid.neighbours(self._cells[0]):
            self.edge(position.canonical_side(f"{self._cells[0]}/{cell}"))
        else:
            self._cells = [cell]
            self._offer()
        return cell

    def edge(self, side: str) -> None:
        """A click near a side says which one."""
        self._cells = side.split("/")
        self._offer()

    # -- what is declared -----------------------------------------------------------------------------------------

    def add(self) -> None:
        made, position = self._made(), self._bench.position
        if made.min is not None:  # the reader's control begins with the value that stands, be it the printed one
            position = position.change({made.path: self._now(made.path)})
        tweaks = [t.model_dump(exclude_none=True) for t in position.tweaks if t.path != made.path]
        self._bench.place(
            Position.from_data(
                {**position.data(), "tweaks": [*tweaks, made.model_dump(exclude_none=True)]}, "modification"
            )
        )
        self._restart()

    def _now(self, path: str) -> int:
        """The value of a piece, its own or that of its counter."""
        _, piece, _, key = path.split(".")
        position = self._bench.position
        value = position.read(path)
        value = printed(position.game, position.piece(piece), key) if value is None else value
        if not isinstance(value, int):
            raise PositionError("Ce pion n’a pas cette valeur.", remedy="Donnez-la-lui d’abord, à l’étape Pions.")
        return value

    def _made(self) -> Tweak:
        kind, position = self._kind.value, self._bench.position
        if kind in ("status", "front"):
            piece, what = self._piece.value, self._what.value
            if not piece:
                raise PositionError("Il n’y a pas de pion sur ce plateau.", remedy="Posez-en un d’abord.")
            shown = next(label for label, key in self._what.options if key == what)
            label = self._label.value.strip() or f"{position.names[piece]}{NBSP}: {lowered(shown)}"
            path = f"piece.{piece}.{kind}.{what}"
            if kind == "status":
                return Tweak(path=path, label=label)
            now = self._now(path)
            return Tweak(path=path, label=label, min=min(self._low.value, now), max=max(self._high.value, now))
        where = self._where()
        if not where:
            raise PositionError("Aucun endroit n’est choisi.", remedy="Cliquez le plateau.")
        chosen = self._chosen(kind)
        name = table_term(self._bench.game, "markers", self._marker.value) if kind == "marker" else ""
        auto = {"terrain": "Terrain en", "level": "Niveau de", "side": "Côté", "marker": f"{name} en"}[kind]
        return Tweak(path=self._path(), label=self._label.value.strip() or f"{auto} {where}", options=chosen)

    def _chosen(self, kind: str) -> dict[str, str]:
        """The choices ticked, and what stands there now."""
        position, here = self._bench.position, self._here()
        offered = self._options(kind)
        ticked = [made.value for made in self._choices.children]
        chosen = {key: label for (key, label), on in zip(offered, ticked, strict=True) if on or key == here}
        if here not in chosen:
            chosen[here] = word(position, here)
        if len(chosen) < 2:
            raise PositionError("Un réglage a deux choix au moins.", remedy="Cochez-en un autre.")
        return chosen

    def _remove(self, path: str) -> None:
        kept = [t.model_dump(exclude_none=True) for t in self._bench.position.tweaks if t.path != path]
        self._bench.edit(tweaks=kept)

    def refresh(self) -> None:
        """Show the settings declared."""
        rows = []
        for tweak in self._bench.position.tweaks:
            choices = " / ".join((tweak.options or {}).values()) or (
                f"de {tweak.min} à {tweak.max}" if tweak.min is not None else "oui ou non"
            )
            words = f"<span>{escape(tweak.label)}<br><small>{escape(choices)}</small></span>"
            form, path = self._rows, tweak.path
            gone = form.button(path, "Retirer", partial(self._remove, path), f"Retirer {tweak.label}")
            rows.append(form.box(path, form.html(path, words, "ldv-grow"), gone, row=True))
        self._list.children = tuple(rows) or (self._rows.html("", f'<p class="ldv-empty">{_NONE}</p>'),)
        self._offer()
