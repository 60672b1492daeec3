"""« Partie » : what a board does not show, by form: who defends, the hour, the tracks; and the readings the booklet leaves open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, Literal

import ipywidgets as ipw

from tutor.core.phrases import NBSP
from tutor.core.position import Position
from widgets.editor_forms import Form, drop, line, tick
from widgets.editor_maps import entries, whole_numbers
from widgets.editor_state import Workbench
from widgets.lesson_text import box, html
from widgets.sandbox_tools import table_term

_NOTHING = "non dit"
_EDGES = (("haut", "top"), ("bas", "bottom"), ("gauche", "left"), ("droite", "right"))
_BATTALIONS = tuple((f"Bataillon {n}", f"bataillon-{n}") for n in range(1, 5))
_PHASES = tuple((name, name) for name in ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh"))
_MONTHS = (
    ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"]
)  # fmt: skip
Kind = Literal["side", "option", "number", "flag", "chosen", "entries"]


@dataclass(frozen=True, slots=True)
class Circumstance:
    """Something that the rules ask of a position's ``state``.

    Args:
        key: in ``state``; label: French; kind: how it is given: a side, one of ``options``, a number, yes or no, several
            of ``options`` (chosen), or a value for each of some ``of`` (entries).
        of: sides, pieces, cells or objectives; options: (label, value), or the name of a table.
    """

    key: str
    label: str
    kind: Kind
    options: tuple[tuple[str, Any], ...] = ()
    of: str = ""
    table: str = ""


_CHITS = "chits:chit_"
_QUALITIES = (("Recrue", "green"), ("Ligne", "line"), ("Élite", "elite"))
#: What the rules of each game ask, in the order of the form.
CIRCUMSTANCES: Mapping[str, tuple[Circumstance, ...]] = {
    "combat_commander": (
        Circumstance("defender", "Camp qui défend", "side"),
        Circumstance("initiative", "Qui a la carte Initiative", "side"),
        Circumstance("edges", "Bord ami de chaque camp", "entries", _EDGES, "sides"),
        Circumstance("victory", "Points de victoire (positifs pour l’Axe)", "number"),
        Circumstance("time", "Case du marqueur de Temps", "number"),
        Circumstance("sudden_death", "Case de Mort Soudaine", "number"),
        Circumstance("surrender", "Case de Reddition de chaque camp", "entries", of="sides"),
        Circumstance("control", "Qui tient chaque objectif", "entries", of="objectives"),
        Circumstance("chits", "Pions Objectif ouverts", "chosen", table=_CHITS),
        Circumstance("secret_axis", "Objectifs secrets de l’Axe", "chosen", table=_CHITS),
        Circumstance("secret_allies", "Objectifs secrets des Alliés", "chosen", table=_CHITS),
        Circumstance("mines_fp", "PF des Mines selon le scénario", "option", (("7", 7), ("8", 8))),
        Circumstance("quality_axis", "Qualité de l’armée de l’Axe", "option", _QUALITIES),
        Circumstance("quality_allies", "Qualité de l’armée des Alliés", "option", _QUALITIES),
        Circumstance("arrivals", "Case d’arrivée des unités attendues", "entries", of="pieces"),
        Circumstance("beneath", "Terrain sous un Pont Secondaire", "entries", of="bridges", table="terrain"),
        Circumstance("melee", "Les deux camps dans un hex sont en Mêlée", "flag"),
    ),
    "asl_sk": (
        Circumstance("attacker", "Camp dont c’est le tour", "side"),
        Circumstance("phase", "Phase", "option", _PHASES),
        Circumstance("month", "Mois", "option", tuple((name, n) for n, name in enumerate(_MONTHS, 1))),
        Circumstance("elr", "ELR de chaque camp", "entries", of="sides"),
    ),
    "tcs": (
        Circumstance("night", "Il fait nuit", "flag"),
        Circumstance("visibility", "Visibilité du tour, en hexagones", "number"),
        Circumstance("interval", "Intervalle entre deux courbes, en mètres", "number"),
        Circumstance("heights", "Hauteur d’un terrain, en mètres", "entries", of="terrain"),
        Circumstance("target_on_road", "La cible marche sur la route", "flag"),
        Circumstance("formations", "Bataillon de chaque unité", "entries", _BATTALIONS, "pieces"),
        Circumstance("battalions", "Moral de chaque bataillon", "entries", of="battalions"),
    ),
    "heroes_of_normandie": (Circumstance("last_revealed", "Dernier ordre révélé", "number"),),
}


def bridges(position: Position) -> list[tuple[str, str]]:
    """Cells of a minor bridge, each as (label, cell).

    >>> from tutor import load_position
    >>> bridges(load_position("combat_commander", "vallee"))
    [('C4', 'C4')]
    """
    return [(cell, cell) for cell in position.grid.cells if position.terrain_of.get(cell) == "minor_bridge"]


class CircumstancesPanel:
    """What a board does not show, and the readings of the game, each as a step of the history.

    Args:
        bench: what they change; sides: (label, side) of the game as it stands.

    Show ``form``.
    """

    def __init__(self, bench: Workbench, sides: Callable[[], list[tuple[str, str]]]) -> None:
        self._bench, self._sides = bench, sides
        self._made_for: tuple[Any, ...] = ()
        self._form = Form()
        self._state, self._readings = box(css="ldv-fields"), box(css="ldv-fields")
        head = f"Ce que le plateau ne montre pas. «{NBSP}{_NOTHING.capitalize()}{NBSP}» convient tant qu’aucune règle ne le demande."
        state = box(
            html(f'<h3 class="ldv-label">La partie</h3><p class="ldv-empty">{head}</p>'),
            self._state,
            css="ldv-card ldv-fields",
        )
        readings = ipw.Accordion(
            children=(self._readings,),
            titles=(f"Là où le livret laisse un choix{NBSP}: {len(bench.game.settings)} lectures",),
        )
        readings.selected_index = 0 if bench.position.settings else None
        known = [state] if bench.game.id in CIRCUMSTANCES else []
        self.form = box(*known, *([readings] if bench.game.settings else []), css="ldv-fields")

    def refresh(self) -> None:
        """Show what holds now."""
        position = self._bench.position
        state = (position.state, position.settings, position.pieces, position.board, bridges(position))
        if state != self._made_for:
            self._made_for = state
            self._state.children = tuple(map(self._control, CIRCUMSTANCES.get(position.game, ())))
            self._readings.children = tuple(map(self._reading, self._bench.game.settings))

    # -- what the board does not show -------------------------------------------------------------------------------

    def _put(self, key: str, value: Any) -> None:
        if value != self._bench.position.state.get(key):
            self._bench.change({f"state.{key}": value})

    def _control(self, each: Circumstance) -> ipw.Widget:
        now, put = self._bench.position.state.get(each.key), partial(self._put, each.key)
        if each.kind == "flag":
            return self._form.keep(each.key, tick, lambda on: put(on or None), description=each.label, value=bool(now))
        if each.kind in ("side", "option"):
            offered = self._sides() if each.kind == "side" else list(each.options)
            options = [(_NOTHING, None), *offered]
            if now not in [value for _, value in options]:
                options.append((str(now), now))
            return self._form.keep(each.key, drop, put, description=each.label, options=options, value=now)
        if each.kind == "number":
            text = "" if now is None else str(now)
            return self._form.keep(
                each.key,
                line,
                lambda typed: put(next(iter(whole_numbers(typed)), None)),
                description=each.label,
                value=text,
                placeholder=_NOTHING,
            )
        return self._several(each, now) if each.kind == "chosen" else self._entries(each, now)

    def _several(self, each: Circumstance, now: Any) -> ipw.Widget:
        held = set(now) if isinstance(now, (list, tuple)) else set()
        boxes: dict[str, Any] = {}

        def ticked(_: bool) -> None:
            self._put(each.key, [key for key, made in boxes.items() if made.value] or None)

        for label, key in self._rows(each.table):
            boxes[key] = self._form.keep((each.key, key), tick, ticked, description=label, value=key in held)
        inside = "".join(f" {key}" for key in boxes if key in held)
        title = f"{each.label}{inside and NBSP + ':' + inside.upper()}"
        return self._form.fold(each.key, title, self._form.box((each.key, "all"), *boxes.values(), css="ldv-values"))

    def _rows(self, table: str) -> list[tuple[str, str]]:
        """Rows of a table, ``name`` or ``name:prefix``, as (label, key)."""
        name, _, prefix = table.partition(":")
        held = self._bench.game
        return [(table_term(held, name, row), row.removeprefix(prefix)) for row in held.tables[name].rows]

    def _entries(self, each: Circumstance, now: Any) -> ipw.Widget:
        position, options = self._bench.position, list(each.options)
        if each.of == "objectives":
            options = self._sides()
        elif each.of == "bridges":
            options = self._rows(each.table)
        keys: list[tuple[str, Any]] = {
            "sides": self._sides,
            "pieces": lambda: [(position.names[piece.id], piece.id) for piece in position.pieces],
            "bridges": lambda: bridges(position),
            "objectives": lambda: [(f"Objectif {n}", str(n)) for n in range(1, 6)],
            "terrain": lambda: self._rows("terrain"),
            "battalions": lambda: list(_BATTALIONS),
        }[each.of]()
        given = now
        if each.key == "elr" and isinstance(now, int):  # one number stands for both sides
            given = {side: now for _, side in keys}
        return entries(
            self._form.part(each.key),
            each.label,
            keys,
            "option" if options else "number",
            given if isinstance(given, dict) else None,
            partial(self._put, each.key),
            options,
        )

    # -- readings ---------------------------------------------------------------------------------------------------

    def _reading(self, name: str) -> ipw.Widget:
        setting = self._bench.game.settings[name]
        options = [
            (f"{label} (par défaut)" if value == setting.default else label, value)
            for value, label in setting.options.items()
        ]
        now = self._bench.position.settings.get(name, setting.default)
        key = ("setting", name)
        made = self._form.keep(key, drop, partial(self._read, name), options=options, value=now, tooltip=setting.label)
        told = f'<span class="ldv-reading">{escape(setting.label)} <small>{setting.rule}</small></span>'
        return self._form.box(key, self._form.html(key, told), made)

    def _read(self, name: str, value: str) -> None:
        default = self._bench.game.settings[name].default
        self._bench.change({f"setting.{name}": None if value == default else value})
