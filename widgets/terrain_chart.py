"""The terrain chart: every entry with our own picture, its cover, cost and effect on sight, filtered; and a board to try it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

import ipywidgets as ipw

from tutor.core.phrases import NBSP, number, signed
from tutor.core.position import Position
from tutor.core.registry import ask, game, load_position
from tutor.core.tables import Table
from tutor.course.links import Link
from tutor.course.search import folded
from widgets.bridge import bridge
from widgets.course_page import course_page
from widgets.errors import guarded
from widgets.legend import sample
from widgets.lesson_stage import Stage
from widgets.lesson_text import box, html, rule_chip, whole_page
from widgets.picture import board_svg

GAME_ID = "combat_commander"
#: Tables of the chart, in reading order, and how a mover pays in each.
TABLES = ("terrain", "ways", "sides", "markers")
SIGHTS = {"obstacle": "Bloque la vue", "hindrance": "Gêne la vue", "clear": "Ne gêne pas", "special": "Cas à part"}
#: The same sorts in a cell, under the head « Vue », and what the sort alone does not say.
_TOLD = {"obstacle": "Bloque", "hindrance": "Gêne", "clear": "Dégagée", "special": ""}
_EXCEPT = {
    "road": " sur son dessin",
    "gully": "De près ou d’en haut",
    "rail": ", sauf suivie",
    "wall": ", sauf au bord d’un bout",
    "hedge": ", sauf au bord d’un bout",
    "fence": ", sauf au bord d’un bout",
    "blaze": " à tout niveau",
    "smoke": ", bouts compris",
}
_COST_OF = {
    "smoke": "celui du terrain",
    "cliff": "interdit, sauf Progression",
}
_BRIDGES = {"major_bridge": "seule", "minor_bridge": "(ou l’autre terrain)"}
_HIDDEN = frozenset({"objective", "fortification"})
_TRY = "B2"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the chart, its values as a reader sees them.

    Args:
        table, row: where it comes from; term: French name; rule: id; cost, cover, sight: in words; los: sort of sight.
        note: where a value comes from, when it is not the booklet.
    """

    table: str
    row: str
    term: str
    rule: str
    cost: str
    cover: str
    sight: str
    los: str
    note: str


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Every terrain, way, hex side and marker of the tables, in their order.

    >>> [e.cover for e in entries() if e.row == "woods"]
    ['+2']
    """
    held = game(GAME_ID).tables
    return tuple(_entry(held[name], row) for name in TABLES for row in held[name].rows if row not in _HIDDEN)


def _entry(table: Table, row: str) -> Entry:
    los = str(table.get(row, "los", "clear"))
    hindrance = table.get(row, "hindrance")
    if row == "smoke":
        hindrance = f"{table.get(row, 'least')} à {table.get(row, 'most')}"
    sight = _TOLD[los] + (f" ({hindrance})" if hindrance is not None else "") + _EXCEPT.get(row, "")
    sight = "Celle du terrain" if row == "trail" else sight
    own = {c for c in ("move", "cover", "hindrance") if table.has(row, c) and table.get(row, c) is not None}
    notes = {table.cell(row, c).provenance for c in own} - {"livret"}
    rule = str(table.rows[row].get("rule", table.rule))
    return Entry(
        table.id, row, table.term(row), rule, _cost(table, row), _cover(table, row), sight, los, ", ".join(notes)
    )


def _cost(table: Table, row: str) -> str:
    if row in _COST_OF:
        return _COST_OF[row]
    if row in _BRIDGES:
        return f"{game(GAME_ID).tables['ways'].get('road', 'move')} PM par la voie {_BRIDGES[row]}"
    if table.get(row, "impassable", False):
        return "interdit"
    if table.id == "sides":
        return f"+{table.get(row, 'cross')} PM"
    value = table.get(row, "move")
    if value is None:
        return "sans effet"
    return f"{value} PM" + (" par ce côté" if table.id == "ways" else "")


def _cover(table: Table, row: str) -> str:
    value = table.get(row, "cover")
    if value is None and table.id != "terrain":
        return "aucune" if row == "blaze" else "celle du terrain"
    if row == "road":
        return f"{signed(value)} à celle du terrain"
    told = "aucune" if value is None else signed(value) if value else number(value)
    return f"{told} si traversé" if table.id == "sides" and value else told


def matching(words: str, los: str) -> tuple[Entry, ...]:
    """Entries whose name or rule holds the words, of one sort of sight (any when empty).

    >>> [e.row for e in matching("foss", "")]
    ['gully']
    """
    wanted = folded(words)
    return tuple(e for e in entries() if (not los or e.los == los) and wanted in folded(f"{e.term} {e.rule} {e.cost}"))


#: Entries that one bare hex would not tell: rows of the little board, and what lies on it.
_OWN_PICTURE: dict[str, tuple[int, dict[str, Any]]] = {
    "open": (1, {}),
    "minor_bridge": (1, {"terrain.A1": "minor_bridge", "way.road.A1": [1, 4]}),
    "major_bridge": (
        2,
        {f"terrain.A{n}": "major_bridge" for n in (1, 2)} | {f"way.road.A{n}": [1, 4] for n in (1, 2)},
    ),
}


@lru_cache(maxsize=64)
def picture(table: str, row: str) -> str:
    """Our drawing of an entry, as the board paints it; empty when the board draws nothing of it."""
    board = load_position(GAME_ID, "terrains")
    own = _OWN_PICTURE.get(row)
    if own is None:
        return sample(board, table, row, "light")
    rows, changes = own
    bare = {**board.data(), "grid": {"kind": "hex", "columns": ["A", "A"], "rows": [1, rows]}, "pieces": []}
    return board_svg(Position.from_data(bare).change(changes), size=64, height=58, theme="light", labels=False)


_COLUMNS = ("Mouvement", "Couverture", "Vue", "Règle")


def card_url(entry: Entry) -> str:
    """Address of the card of an entry, where its live examples are.

    >>> card_url(matching("verger", "")[0])
    '/voila/render/articles.ipynb?jeu=combat_commander&regle=T91'
    """
    return Link("articles", GAME_ID, rule=entry.rule).url


def chart_html(found: tuple[Entry, ...], pictures: bool = True) -> str:
    """The chart as a table."""
    if not found:
        return '<p class="ldv-hint">Aucun terrain ne correspond.</p>'
    heads = "".join(f'<th scope="col">{h}</th>' for h in ("Terrain", *_COLUMNS))
    lines = []
    for e in found:
        drawn = picture(e.table, e.row) if pictures else ""
        note = f" <small>({escape(e.note)})</small>" if e.note else ""
        told = (escape(e.cost), escape(e.cover), escape(e.sight) + note, rule_chip(GAME_ID, e.rule))
        cells = "".join(f'<td data-label="{head}">{cell}</td>' for head, cell in zip(_COLUMNS, told, strict=True))
        name = f'<a href="{escape(card_url(e), quote=True)}">{escape(e.term)}</a>'
        lines.append(f'<tr><th scope="row"><div>{drawn}<span>{name}</span></div></th>{cells}</tr>')
    return f'<div class="ldv-chart-box"><table class="ldv-chart"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def tried(entry: Entry) -> Position:
    """The little board with an entry in its middle hex, or on the side below it; a bridge with its road."""
    change: dict[str, dict[str, Any]] = {
        "terrain": {f"terrain.{_TRY}": entry.row},
        "ways": {f"way.{entry.row}.{_TRY}": [1, 4]},
        "sides": {f"side.{_TRY}/B3": entry.row},
        "markers": {f"marker.{entry.row}.{_TRY}": 5 if entry.row == "smoke" else True},
    }
    bridge_road = {f"way.road.{_TRY}": [1, 4], "state.beneath": {_TRY: "stream"}} if entry.row in _BRIDGES else {}
    return load_position(GAME_ID, "terrains").change({**change[entry.table], **bridge_road})


STYLE = """<style>
.ldv-chart { border-collapse: collapse; width: 100%; }
.ldv-chart th, .ldv-chart td { padding: .3rem .5rem; text-align: left; vertical-align: middle !important; }
.ldv-chart tbody th > div { display: flex; align-items: center; gap: .5rem; font-weight: 600; }
.ldv-chart svg { flex: none; width: 56px; height: 51px; }
.ldv-chart-box { max-width: 100%; overflow-x: auto; }
@media screen and (max-width: 640px) {
  .ldv-chart thead { display: none; }
  .ldv-chart, .ldv-chart tbody { display: block; }
  .ldv-chart tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--ldv-line); padding: .4rem 0; }
  .ldv-chart tbody th { grid-column: 1 / -1; border: 0 !important; }
  .ldv-chart td { border: 0 !important; padding: .1rem .3rem !important; font-size: .9rem; }
  .ldv-chart td::before { content: attr(data-label); display: block; font-size: .75rem; opacity: .75; }
  .ldv-chart-box { padding-right: 0; }
}
</style>"""


class TerrainChart:
    """The page: filters, the chart, and a board on which an entry is tried."""

    def __init__(self) -> None:
        self._words = ipw.Text(placeholder="bois, mur, T97…", description="Chercher")
        self._los = ipw.Dropdown(
            options=[("Toutes les vues", ""), *((v, k) for k, v in SIGHTS.items())], description="Vue"
        )
        self._chart = html("")
        for field in (self._words, self._los):
            field.observe(guarded(lambda _: self._filter()), "value")
        self._entry = ipw.Dropdown(
            options=[(e.term, i) for i, e in enumerate(entries())], value=1, description="Terrain"
        )
        self._entry.observe(guarded(lambda _: self._try()), "value")
        self._says = html("")
        self._stage = Stage(tried(entries()[1]), label="Banc d’essai", pending="", size=420, height=420)
        self._stage.board.let_drag(False)
        self.widget = box(
            html(STYLE + "<p>Cherchez un terrain, ou choisissez ce qu’il fait à la vue.</p>"),
            box(self._words, self._los, row=True, css="ldv-choices"),
            self._chart,
            html(
                "<h2>L’essayer</h2><p>Le terrain choisi est au milieu, en B2 ; un mur ou une haie, sur le côté B2/B3.</p>"
            ),
            self._entry,
            self._says,
            box(self._stage.board_widget, *self._stage.side_widgets, css="ldv-stack"),
            bridge(),
            course_page(),
            css="ldv-part",
        )
        self._filter()
        self._try()

    def _filter(self) -> None:
        self._chart.value = chart_html(matching(self._words.value, self._los.value))

    def _try(self) -> None:
        entry = entries()[self._entry.value]
        position = tried(entry)
        self._stage.place(position)
        self._says.value = (
            f"<p>{escape(game(GAME_ID).section(entry.rule).summary)}</p><ul>{''.join(_asked(position))}</ul>"
            f'<p><a href="{escape(card_url(entry), quote=True)}">{escape(entry.term)}{NBSP}: ses exemples, question par question</a></p>'
        )
        self._stage.reveal(ask(position, "los", start="B1", end="B3"))


def _asked(position: Position) -> list[str]:
    """What entering the middle hex costs, and the cover that it gives, as the engine has it."""
    steps = ask(position, "step_cost", start="B1", end=_TRY)
    into = ask(position, "step_cost", start=_TRY, end="B3")
    told = [
        f"De B1 à B2{NBSP}: {steps.value} PM." if steps.computed else f"De B1 à B2{NBSP}: refusé.",
        f"De B2 à B3{NBSP}: {into.value} PM." if into.computed else f"De B2 à B3{NBSP}: refusé.",
    ]
    for cell, start in ((_TRY, "B1"), ("B3", "B1")):
        found = ask(position, "cover", cell=cell, against="fire", firing_from=[start])
        if found.computed:
            told.append(f"Couverture en {cell}, contre un tir de {start}{NBSP}: {signed(found.value.value)}.")
    return [f"<li>{escape(line)}</li>" for line in told]


def terrain_chart() -> ipw.Widget:
    """The page."""
    return whole_page(lambda: TerrainChart().widget)
